"""What panes need of the engine, behind the small protocols they ask for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from console.engine import Engine
from console.tasks import Compute
from tools.calls import CallRecord, GuardState, record_of
from tools.discovery import LoadReport
from tools.errors import ExitEarlyError, ReviewTimeoutError, ToolConfigurationError
from tools.execution import Executor
from tools.policy import PastCall, Risk, Rule, Tested, risk_of, would_have
from tools.registry import ToolRegistry
from tools.workbench import Workbench

Answer = TypeVar("Answer")


class EngineCalls:
    """Run, look at and stop calls on the engine's thread; the window knows them by their ids."""

    def __init__(self, engine: Engine, executor: Executor) -> None:
        self._engine = engine
        self._executor = executor

    async def run(
        self,
        name: str,
        arguments: Mapping[str, Any] | str,
        begun: Callable[[CallRecord], None],
        *,
        bypass_cache: bool = False,
    ) -> CallRecord:
        """Run a call to its end, and return its record; cancelling the wait stops the call.

        Args:
            name: The tool.
            arguments: Its arguments.
            begun: Called on this loop with what is known of the call before it runs.
            bypass_cache: Whether a known result is passed over.
        """
        loop = asyncio.get_running_loop()
        return await self._engine.call(self._run, name, arguments, begun, loop, bypass_cache=bypass_cache)

    async def _run(
        self,
        name: str,
        arguments: Mapping[str, Any] | str,
        begun: Callable[[CallRecord], None],
        loop: asyncio.AbstractEventLoop,
        *,
        bypass_cache: bool,
    ) -> CallRecord:
        call = await self._executor.propose(name, arguments, bypass_cache=bypass_cache)
        with suppress(RuntimeError):  # the window's loop is closed: the program ends
            loop.call_soon_threadsafe(begun, record_of(call))
        # What concerns the whole run reaches the caller as an exception as well; the record says the same. The last two
        # come from a tool, on this thread: let through, they would end the engine's loop and then the window's.
        with suppress(ToolConfigurationError, ExitEarlyError, ReviewTimeoutError, KeyboardInterrupt, SystemExit):
            await self._executor.execute(call)
        return record_of(call)

    async def record(self, call_id: str) -> CallRecord | None:
        """Return the record of a call that runs, as it stands; None when no such call runs."""
        return await self._engine.call(self._record, call_id)

    async def _record(self, call_id: str) -> CallRecord | None:
        call = self._executor.live_call(call_id)
        return None if call is None else record_of(call)

    def stop(self, call_id: str) -> None:
        """Ask a call to stop; that it did comes with its record."""
        self._engine.post(self._stop, call_id)

    def _stop(self, call_id: str) -> None:
        call = self._executor.live_call(call_id)
        if call is not None:
            call.cancel()


class EngineTools:
    """Answer what only the tools themselves can tell, in threads that are not the window's.

    Args:
        registry: Has the tools.
        compute: Runs what takes more than a frame.
    """

    def __init__(self, registry: ToolRegistry, compute: Compute) -> None:
        self._registry = registry
        self._compute = compute

    async def risks(self) -> Mapping[str, Risk]:
        """Return how much harm calls of each tool can do, by name."""
        risks: Mapping[str, Risk] = await self._compute(self._risks)
        return risks

    def _risks(self) -> dict[str, Risk]:
        return {tool.name: risk_of(tool, {}, ()) for tool in self._registry}

    async def tested(self, rule: Rule, past: Sequence[PastCall]) -> Tested:
        """Return what a rule would have done to calls of the past."""
        tested: Tested = await self._compute(would_have, rule, past, self._registry.lookup)
        return tested


class EngineGuards:
    """Look at the tools' guards on the engine's thread, and set them back there."""

    def __init__(self, engine: Engine, executor: Executor) -> None:
        self._engine = engine
        self._executor = executor

    async def states(self, name: str) -> Sequence[GuardState]:
        """Return how the guards of a tool stand."""
        return await self._engine.call(self._on_loop, self._executor.guards, name)

    async def reset(self, name: str) -> int:
        """Let a tool run again; return how many guards held it back."""
        return await self._engine.call(self._on_loop, self._executor.reset_guards, name)

    async def clear_cache(self, name: str) -> int:
        """Forget a tool's known results; return how many there were."""
        return await self._engine.call(self._on_loop, self._executor.clear_cache, name)

    async def _on_loop(self, function: Callable[[str], Answer], name: str) -> Answer:
        return function(name)


class EnginePlugins:
    """Load tools on the engine's loop, where the worker processes belong that import plugin files."""

    def __init__(self, engine: Engine, workbench: Workbench) -> None:
        self._engine = engine
        self._workbench = workbench

    @property
    def reports(self) -> Sequence[LoadReport]:
        """What came of every source."""
        return [report.told for report in self._workbench.reports]

    async def load(self, path: Path) -> LoadReport:
        """Load one file, for the first time or again, and remember it for later starts."""
        return (await self._engine.call(self._workbench.add_plugin, path)).told

    async def reload_changed(self) -> Sequence[LoadReport]:
        """Load files again that changed or failed, and report on those."""
        return [report.told for report in await self._engine.call(self._workbench.reload_plugins)]

    async def saved(self) -> tuple[Path, ...]:
        """Return the files that were saved since they were loaded, and new ones."""
        return await self._engine.call(self._workbench.saved_plugins)

    async def load_saved(self, paths: Sequence[Path]) -> Sequence[LoadReport]:
        """Load files that were saved."""
        return [report.told for report in await self._engine.call(self._workbench.load_saved, paths)]

    async def load_installed(self, extra: Sequence[Path]) -> None:
        """Load the built-in tools and those of installed packages.

        Args:
            extra: Plugin files that are to be loaded for this run only.
        """
        await self._engine.call(self._workbench.load_installed, extra)

    async def load_further(self, files: Sequence[Path]) -> None:
        """Load plugin files for this run only."""
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
