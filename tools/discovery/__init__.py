"""Where tools come from besides the program: entry points of installed packages, and plugin files chosen by path."""

from tools.discovery.loading import (
    GROUP,
    SourceReport,
    bundles_of_plugin,
    imported,
    load_entry_points,
    load_plugin,
    open_plugin,
    report_of_plugin,
)
from tools.discovery.plugin_list import LOADING_S, PluginList
from tools.discovery.plugins import PluginLoader, Plugins

__all__ = [
    "GROUP",
    "LOADING_S",
    "PluginList",
    "PluginLoader",
    "Plugins",
    "SourceReport",
    "bundles_of_plugin",
    "imported",
    "load_entry_points",
    "load_plugin",
    "open_plugin",
    "report_of_plugin",
]
