"""What is asked of a server right now, which of it a message belongs to, and the client that it is asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextvars import ContextVar
from itertools import count
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import mcp_types as types

    from tools.context import ToolContext


class CallingClient(Protocol):
    """The client of an agent, on whose behalf a server is asked, and which may answer what the server asks then."""

    async def ask(self, requests: Mapping[str, types.InputRequest]) -> Mapping[str, types.InputResponse]:
        """Return the answers to those requests that the client can answer.

        Raises:
            MCPError: It refuses to.
        """
        ...

    def log(self, message: types.LoggingMessageNotificationParams) -> None: ...

    def complete(self, elicitation_id: str) -> None:
        """Tell the client that something is done which it was asked to have done at an address."""
        ...


calling_client: ContextVar[CallingClient | None] = ContextVar("calling_client", default=None)
"""The client on whose behalf servers are asked; None where a person does it, or nobody that could be asked."""


class RunningCall:
    """Be one call of a tool while it runs, or the reading of a resource or a prompt.

    Args:
        tool: The tool, by the server's own name; empty for what is no tool.
        context: The call's line to the outside; None for a call that nobody watches.

    Attributes:
        client: On whose behalf it is made.
        numbers: Number what the client is asked.
        over: Is set when it ended, however it did.
    """

    def __init__(self, tool: str, context: ToolContext | None = None) -> None:
        self.tool = tool
        self.context = context
        self.client = calling_client.get()
        self.numbers = count(1)
        self.over = asyncio.Event()

    @property
    def id(self) -> str:
        """The id of the call; empty for one that nobody watches."""
        return "" if self.context is None else self.context.call.id

    @property
    def caller(self) -> str:
        """Who makes the call; empty for one that nobody watches."""
        return "" if self.context is None else self.context.call.caller


current_call: ContextVar[RunningCall | None] = ContextVar("current_call", default=None)
"""The call on whose behalf messages are sent and questions answered, where that can be told."""
