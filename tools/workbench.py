"""Put the tools of this computer on the table: built-in, installed, plugin files. Window and command line share it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from importlib.metadata import EntryPoint
from pathlib import Path

import platformdirs

from tools.discovery import PluginList, Plugins, SourceReport, load_entry_points
from tools.errors import DiscoveryError, ToolConfigurationError
from tools.registry import ToolRegistry
from tools.spec import Isolation


def data_folder() -> Path:
    """Return the folder that has the history and the audit log; `TOOL_CONSOLE_DATA` moves it."""
    moved = os.environ.get("TOOL_CONSOLE_DATA", "")
    return Path(moved) if moved else platformdirs.user_data_path("tool-console", appauthor=False)


class Workbench:
    """Hold the registry and what came of loading each source.

    Args:
        plugin_list: The plugin files a person chose; None is the user's own list.
        application: The class that `@supported_for` is compared with.
        installed: The entry points; None looks for those of installed packages.

    Attributes:
        registry: The tools that exist.
        plugins: The plugin files.
        plugin_list: Which files are loaded at the next start as well.
    """

    def __init__(
        self,
        plugin_list: PluginList | None = None,
        *,
        application: type | None = None,
        installed: Iterable[EntryPoint] | None = None,
    ) -> None:
        self.registry = ToolRegistry()
        self.plugins = Plugins(self.registry, application)
        self.plugin_list = plugin_list or PluginList()
        self._application = application
        self._installed = installed
        self._reports: list[SourceReport] = []

    def load(self, extra: Iterable[Path] = ()) -> None:
        """Load the built-in tools, those of installed packages, and plugin files; a broken source stops nobody.

        This imports the libraries that tools work with, which takes longer than a frame: never on a window's thread.

        Args:
            extra: Further plugin files, for this run only.

        Raises:
            DiscoveryError: When the list of plugin files cannot be read; everything else is loaded then.
        """
        from tools import catalog  # noqa: PLC0415 -- the window shows before the tools' libraries are imported

        self.registry.register_all(catalog.builtin_tools())
        for report in load_entry_points(self._application, self._installed):
            self._reports.append(self._registered(report))
        for path in extra:
            self.plugins.add(path, self._isolation_of(path))
        for path in self.plugin_list.paths():
            self.plugins.add(path, self.plugin_list.isolation_of(path))

    def _isolation_of(self, path: Path) -> Isolation | None:
        """Return where the list says that a file's tools run; None when it cannot be read, which is told later."""
        try:
            return self.plugin_list.isolation_of(path)
        except DiscoveryError:
            return None

    def _registered(self, report: SourceReport) -> SourceReport:
        if report.error:
            return report
        try:
            self.registry.register_all(report.tools, report.prompts)
        except ToolConfigurationError as error:
            return report._replace(tools=(), prompts=(), error=str(error), traceback=str(error))
        return report

    def add_plugin(self, path: Path) -> SourceReport:
        """Load a plugin file now and at every later start; one that does not load is not remembered.

        Raises:
            DiscoveryError: When the list of plugin files cannot be read.
        """
        report = self.plugins.add(path, self.plugin_list.isolation_of(path))
        if not report.error:
            self.plugin_list.add(path)
        return report

    def remove_plugin(self, path: Path) -> None:
        """Take a plugin file's tools away, now and for later starts."""
        self.plugins.remove(path)
        self.plugin_list.remove(path)

    @property
    def reports(self) -> tuple[SourceReport, ...]:
        """What came of each source besides the built-in tools."""
        return (*self._reports, *self.plugins.reports)
