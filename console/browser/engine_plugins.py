"""Plugin files behind the tree of tools, loaded on the engine's thread."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from console.engine import Engine
from tools.discovery import LoadReport
from tools.workbench import TrustedPlace, Workbench


class EnginePlugins:
    """Load tools on the engine's loop, where the worker processes belong that import plugin files."""

    def __init__(self, engine: Engine, workbench: Workbench) -> None:
        self._engine = engine
        self._workbench = workbench

    @property
    def folder(self) -> Path:
        """The folder whose Python files are plugins."""
        return self._workbench.plugin_list.folder

    @property
    def reports(self) -> Sequence[LoadReport]:
        return [report.told for report in self._workbench.reports]

    async def load(self, path: Path) -> LoadReport:
        return (await self._engine.call(self._workbench.add_plugin, path)).told

    async def reload_changed(self) -> Sequence[LoadReport]:
        return [report.told for report in await self._engine.call(self._workbench.reload_plugins)]

    async def saved(self) -> tuple[Path, ...]:
        """Return the files that were saved since they were loaded, and new ones."""
        return await self._engine.call(self._workbench.saved_plugins)

    def watched(self) -> set[Path]:
        """Return the plugin folder, and plugin files with theirs: an editor may put another file in a file's place."""
        files = {report.source.path for report in self._workbench.plugins.reports if report.source.path is not None}
        return {self.folder, *files, *(path.parent for path in files)}

    async def load_saved(self, paths: Sequence[Path]) -> Sequence[LoadReport]:
        return [report.told for report in await self._engine.call(self._workbench.load_saved, paths)]

    async def trust(self, place: Path, *, trusted: bool) -> Sequence[LoadReport]:
        """Let the code of a plugin file, or of all in a folder, run or not, now and at every later start."""
        return [
            report.told for report in await self._engine.call(self._workbench.trust_plugins, place, trusted=trusted)
        ]

    async def trusted_places(self) -> Sequence[TrustedPlace]:
        """Return which plugin files may run, each folder before its files.

        Raises:
            DiscoveryError: When the list of plugin files cannot be read.
        """
        return await self._engine.compute(self._workbench.trusted_places)

    async def load_installed(self, extra: Sequence[Path]) -> None:
        """Load the built-in tools and those of installed packages.

        Args:
            extra: Plugin files that are to be loaded for this run only.
        """
        await self._engine.call(self._workbench.load_installed, extra)

    async def load_further(self, files: Sequence[Path]) -> None:
        await self._engine.call(self._workbench.plugins.add_all, dict.fromkeys(files))

    async def load_files(self, extra: Sequence[Path]) -> None:
        """Load the plugin files; the tools of each appear when it is ready.

        Args:
            extra: Further plugin files, for this run only.
        """
        await self._engine.call(self._workbench.load_plugins, extra)

    async def close(self) -> None:
        """End the worker processes."""
        await self._engine.call(self._workbench.aclose)
