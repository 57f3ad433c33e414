"""The guards of an executor that runs on the test's own loop."""

from __future__ import annotations

from collections.abc import Sequence

from tools import Executor
from tools.calls import GuardState

__all__ = ["OwnGuards"]


class OwnGuards:
    """Look at guards, and set them back, without a hop."""

    def __init__(self, executor: Executor) -> None:
        self.executor = executor

    async def states(self, name: str) -> Sequence[GuardState]:
        return self.executor.guards(name)

    async def reset(self, name: str) -> int:
        return self.executor.reset_guards(name)

    async def clear_cache(self, name: str) -> int:
        return self.executor.clear_cache(name)
