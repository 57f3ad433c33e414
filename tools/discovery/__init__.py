"""Where tools come from besides the program: entry points of installed packages, and plugin files chosen by path."""

from tools.discovery.loading import (
    GROUP,
    FileStamp,
    LoadReport,
    SourcePlace,
    SourceReport,
    bundles_of_plugin,
    file_stamp,
    imported,
    load_entry_points,
    load_plugin,
    open_plugin,
    report_of_plugin,
)
from tools.discovery.pipeline_files import draft_of, write_pipeline_file
from tools.discovery.plugin_list import LOADING_S, PluginList
from tools.discovery.plugins import PluginLoader, Plugins
from tools.discovery.templates import TEMPLATE_WORDS, TEMPLATES, ToolTemplate, name_problem, write_tool_file
from tools.discovery.watching import SavedFiles

__all__ = [
    "GROUP",
    "LOADING_S",
    "TEMPLATES",
    "TEMPLATE_WORDS",
    "FileStamp",
    "LoadReport",
    "PluginList",
    "PluginLoader",
    "Plugins",
    "SavedFiles",
    "SourcePlace",
    "SourceReport",
    "ToolTemplate",
    "bundles_of_plugin",
    "draft_of",
    "file_stamp",
    "imported",
    "load_entry_points",
    "load_plugin",
    "name_problem",
    "open_plugin",
    "report_of_plugin",
    "write_pipeline_file",
    "write_tool_file",
]
