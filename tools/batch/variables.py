"""`Variables`: what the expressions of a step look at; results of steps before it, and the plan's parameters."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from tools.batch.result_store import RowResults

if TYPE_CHECKING:
    from tools.batch.result import StepResult, StepState
    from tools.batch.steps import ReadyStep

_AT_A_TIME: Final = 200
"""Results of rows that are read before other tasks have their turn."""


class Variables:
    """Gather the variables of each step once, and keep them as long as the step runs."""

    def __init__(
        self, results: Mapping[str, StepResult], states: Mapping[str, StepState], parameters: Mapping[str, Any]
    ) -> None:
        self._results = results
        self._states = states
        self._parameters = parameters
        self._known: dict[str, dict[str, Any]] = {}
        self._gathering: set[str] = set()

    def __contains__(self, name: str) -> bool:
        return name in self._known

    def __getitem__(self, name: str) -> dict[str, Any]:
        return self._known[name]

    async def gather(self, ready: ReadyStep) -> bool:
        """Gather the variables of a step; return False when it was stopped meanwhile."""
        self._gathering.add(ready.name)
        steps = {}
        for name in ready.uses:
            found = self._results.get(name)
            value = None if found is None else found.result
            if isinstance(value, RowResults):
                value = await _read(value)
            steps[name] = {"result": value, "status": self._states[name].value}
        if ready.name not in self._gathering:
            return False
        self._gathering.discard(ready.name)
        self._known[ready.name] = {"steps": steps, "parameters": self._parameters}
        return True

    def stop(self, name: str = "") -> None:
        """Let one step not begin whose variables are being gathered; or all."""
        self._gathering -= {name} if name else set(self._gathering)

    def forget(self, name: str) -> None:
        self._known.pop(name, None)


async def _read(results: RowResults) -> list[Any]:
    values: list[Any] = []
    for begin in range(0, len(results), _AT_A_TIME):
        values += results[begin : begin + _AT_A_TIME]
        await asyncio.sleep(0)
    return values
