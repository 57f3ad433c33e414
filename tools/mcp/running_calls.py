"""The calls of a server's tools that run, and which of them a message belongs to."""

from __future__ import annotations

import asyncio
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tools.context import ToolContext


class RunningCall:
    """Be one call of a tool while it runs.

    Args:
        tool: The tool, by the server's own name.
        context: The call's line to the outside; None for a call that nobody watches.

    Attributes:
        tool: As given.
        context: As given.
        over: Is set when it ended, however it did.
    """

    def __init__(self, tool: str, context: ToolContext | None = None) -> None:
        self.tool = tool
        self.context = context
        self.over = asyncio.Event()

    @property
    def id(self) -> str:
        """The id of the call; empty for one that nobody watches."""
        return "" if self.context is None else self.context.call.id


current_call: ContextVar[RunningCall | None] = ContextVar("current_call", default=None)
"""The call on whose behalf messages are sent and questions answered, where that can be told."""
