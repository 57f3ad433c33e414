"""Checks of tools, which run on the engine's thread beside the calls of the person."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from console.engine import Engine
from tools.execution.executor import Executor

if TYPE_CHECKING:
    from tools.check import CheckOptions, CheckProgress, CheckReport, CheckSkip, ToolChecker
    from tools.registry import ToolRegistry


class EngineChecks:
    """Check tools by the rules that hold in the window; nothing of it stands in the history."""

    def __init__(self, engine: Engine, registry: ToolRegistry, executor: Executor) -> None:
        self._engine = engine
        self._registry = registry
        self._executor = executor
        self._checkers: dict[str, ToolChecker] = {}

    async def skip(self, name: str, options: CheckOptions, scratch: Path | None) -> CheckSkip | None:
        return await self._engine.call(self._skip, name, options, scratch)

    async def check(
        self, name: str, options: CheckOptions, scratch: Path | None, told: Callable[[CheckProgress], None]
    ) -> CheckReport:
        # Before it crosses, so that a stop that follows at once finds it.
        checker = self._checkers[name] = self._checker(options, scratch)
        return await self._engine.call(self._check, checker, name, told)

    def stop(self, name: str) -> None:
        self._engine.post(self._stop, name)

    def _checker(self, options: CheckOptions, scratch: Path | None) -> ToolChecker:
        from tools.check import ToolChecker  # noqa: PLC0415 -- see console.startup.loading

        return ToolChecker(self._registry, options, scratch=scratch, policy=self._executor.policy)

    async def _skip(self, name: str, options: CheckOptions, scratch: Path | None) -> CheckSkip | None:
        return self._checker(options, scratch).skip(name)

    async def _check(self, checker: ToolChecker, name: str, told: Callable[[CheckProgress], None]) -> CheckReport:
        try:
            async with checker:
                return await checker.check(name, told)
        finally:
            if self._checkers.get(name) is checker:
                del self._checkers[name]

    def _stop(self, name: str) -> None:
        if name in self._checkers:
            self._checkers[name].stop()
