"""The plugin files that are loaded, kept in step with a registry."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from itertools import count
from pathlib import Path
from typing import Protocol

from tools.discovery.loading import SourceReport, file_stamp, untrusted_plugin
from tools.errors import DuplicateToolError, ToolConfigurationError
from tools.registry import ToolRegistry
from tools.spec import Isolation


class PluginLoader(Protocol):
    """Learns what a plugin file declares, without harm to whoever wants to know."""

    async def load(self, path: Path, application: type | None, isolation: Isolation) -> SourceReport:
        """Return a file's tools, or why there are none.

        Args:
            application: The class that `@supported_for` is compared with.
            isolation: Where those of its tools run that do not say.
        """


class Plugins:
    """Keep a registry in step with a list of plugin files; from one event loop.

    Args:
        application: The class that `@supported_for` is compared with.
        is_trusted: Says whether the code of a file may run, whenever it is to be loaded; None trusts all of them.
    """

    def __init__(
        self,
        registry: ToolRegistry,
        loader: PluginLoader,
        application: type | None = None,
        *,
        is_trusted: Callable[[Path], bool] | None = None,
    ) -> None:
        self._registry = registry
        self._loader = loader
        self._application = application
        self._is_trusted = is_trusted
        self._places = count(1)
        self._place_by_path: dict[Path, int] = {}
        self._loads = count(1)
        self._load_by_path: dict[Path, int] = {}
        self._report_by_path: dict[Path, SourceReport] = {}
        self._isolation_by_path: dict[Path, Isolation] = {}
        self._registered_by_path: dict[Path, SourceReport] = {}

    @property
    def reports(self) -> tuple[SourceReport, ...]:
        """What came of each file so far, in order of addition."""
        known = dict(self._report_by_path)
        return tuple(known[path] for path in sorted(known, key=self._place_by_path.__getitem__))

    async def add(self, path: Path, isolation: Isolation | None = None) -> SourceReport:
        """Load a file, or load it again, and register its tools.

        A file that worked before and is broken now keeps its former tools, and the report says what is wrong.

        Args:
            isolation: Where those of its tools run that do not say; None is as before, at first a process.
        """
        return (await self.add_all({path: isolation}))[0]

    async def add_all(self, files: Mapping[Path, Isolation | None]) -> list[SourceReport]:
        """Load several files at a time, and register the tools of each as soon as it is loaded.

        Args:
            files: The files with what `add` takes as `isolation`. Of two that are loaded here for the first time and
                have tools of the same name, the first one keeps it, whichever is ready first.

        Returns:
            How it stands with each of them, in order.
        """
        batch: dict[Path, Isolation | None] = {}
        for path, isolation in files.items():
            batch[path.absolute()] = isolation
            self._place_by_path.setdefault(path.absolute(), next(self._places))
        new = frozenset(path for path in batch if path not in self._report_by_path)
        async with asyncio.TaskGroup() as group:
            loading = [group.create_task(self._load(path, isolation, new)) for path, isolation in batch.items()]
        return [self._report_by_path.get(path, task.result()) for path, task in zip(batch, loading, strict=True)]

    async def _load(self, path: Path, isolation: Isolation | None, new: frozenset[Path]) -> SourceReport:
        if isolation is not None:
            self._isolation_by_path[path] = isolation
        number = self._load_by_path[path] = next(self._loads)
        if self._is_trusted is not None and not self._is_trusted(path):
            report = self._report_by_path[path] = untrusted_plugin(path)
            self._exchange(path, None)
            return report
        where = self._isolation_by_path.get(path, Isolation.PROCESS)
        report = await self._loader.load(path, self._application, where)
        if self._load_by_path.get(path) != number:
            # Removed meanwhile, or loaded once more, which tells of a newer state.
            return report
        later = self._later_ones(path, new) if path in new else []
        return self._take(path, report, later)

    def _later_ones(self, path: Path, new: Iterable[Path]) -> list[Path]:
        """Return the files that come after one and were loaded before it, in order."""
        place = self._place_by_path
        later = [item for item in new if item in self._registered_by_path and place[item] > place[path]]
        return sorted(later, key=place.__getitem__)

    def _take(self, path: Path, report: SourceReport, later: list[Path]) -> SourceReport:
        before = self._report_by_path.get(path)
        if not report.error:
            report = self._swap(path, report, later)
        if report.error and before is not None:
            report = report._replace(tools=before.tools, prompts=before.prompts)
        self._report_by_path[path] = report
        return report

    def _swap(self, path: Path, report: SourceReport, later: list[Path]) -> SourceReport:
        try:
            self._exchange(path, report)
        except ToolConfigurationError as error:
            if later and isinstance(error, DuplicateToolError):
                return self._put_before(path, report, later)
            return report._replace(tools=(), prompts=(), error=str(error), traceback=str(error))
        return report._replace(aside=self._registry.names_aside(report.tools))

    def _put_before(self, path: Path, report: SourceReport, later: list[Path]) -> SourceReport:
        """Register a file's tools as if those after it had not been quicker."""
        for item in later:
            self._exchange(item, None)
        report = self._swap(path, report, [])
        for item in later:
            self._report_by_path[item] = self._swap(item, self._report_by_path.pop(item), [])
        return report

    def _exchange(self, path: Path, report: SourceReport | None) -> None:
        """Register what a report has in place of what a file had, as one change; None takes that away."""
        before = self._registered_by_path.get(path)
        self._registry.swap(
            () if before is None else before.tools,
            () if report is None else report.tools,
            removed_prompts=() if before is None else before.prompts,
            added_prompts=() if report is None else report.prompts,
        )
        if report is None:
            self._registered_by_path.pop(path, None)
        else:
            self._registered_by_path[path] = report

    def remove(self, path: Path) -> None:
        """Take a file's tools away."""
        path = path.absolute()
        self._load_by_path.pop(path, None)
        self._report_by_path.pop(path, None)
        self._exchange(path, None)

    async def reload(self, *, everything: bool = False) -> list[SourceReport]:
        """Load changed files again.

        Args:
            everything: Whether unchanged ones are loaded again as well.

        Returns:
            The reports of those that were loaded.
        """
        changed: dict[Path, Isolation | None] = {
            path: None
            for path, report in self._report_by_path.items()
            if everything or (report.error and not report.is_untrusted) or file_stamp(path) != report.stamp
        }
        return await self.add_all(changed)
