"""What is needed of the engine to use prompts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from console.engine import Engine
from tools.card import PromptText
from tools.workbench import Workbench


class PromptPort(Protocol):
    """Make texts of prompts; whatever goes wrong is raised as a `ToolError` with a sentence."""

    async def render(self, name: str, arguments: Mapping[str, Any], /) -> PromptText: ...

    async def complete(self, name: str, argument: str, written: str, others: Mapping[str, str], /) -> Sequence[str]:
        """Return what a half-written argument may become."""
        ...


class EnginePrompts:
    """Be the port to the prompts of a workbench."""

    def __init__(self, engine: Engine, bench: Workbench) -> None:
        self._engine = engine
        self._bench = bench

    async def render(self, name: str, arguments: Mapping[str, Any], /) -> PromptText:
        return await self._engine.call(self._bench.render_prompt, name, arguments)

    async def complete(self, name: str, argument: str, written: str, others: Mapping[str, str], /) -> Sequence[str]:
        """Return what a half-written argument may become."""
        return await self._engine.call(self._bench.complete_prompt, name, argument, written, others)
