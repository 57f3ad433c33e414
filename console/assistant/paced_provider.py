"""A model's answer comes as fast as the window can follow: the rest waits at its provider."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tools.models.port import AnswerDelta, ModelProvider, ModelRequest
    from tools.wire import Provider

_PAUSE_S: Final = 0.001


class PacedProvider:
    """Pass on what a provider streams, and read no further while the window is late.

    To read 10,000 tokens a second keeps the interpreter busy for most of the time. The window would get it back half a
    millisecond late after each call into Qt, and take 180 ms for what is 30 ms of work. Other calls on the engine's
    loop do not wait.
    """

    def __init__(self, provider: ModelProvider, is_late: Callable[[], bool]) -> None:
        self._provider = provider
        self._is_late = is_late

    @property
    def name(self) -> str:
        return self._provider.name

    @property
    def address(self) -> str:
        return self._provider.address

    @property
    def wire(self) -> Provider:
        return self._provider.wire

    async def stream(self, request: ModelRequest) -> AsyncGenerator[AnswerDelta, None]:
        """Ask the model, and yield its answer as it comes."""
        async with aclosing(self._provider.stream(request)) as deltas:
            async for delta in deltas:
                yield delta
                while self._is_late():  # noqa: ASYNC110 -- the window's thread has no event of this loop
                    await asyncio.sleep(_PAUSE_S)
