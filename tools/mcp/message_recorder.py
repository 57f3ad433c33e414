"""Watch the messages of one connection: log them, time the answers, and keep the lists as they came."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any, Final

from mcp_types import JSONRPCError, JSONRPCMessage, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

from tools.mcp.message_log import Channel, MessageLog
from tools.mcp.running_calls import current_call

_MOST_OPEN: Final = 10_000
"""Requests whose answers are awaited; a server that never answers must not fill the memory."""

_UNKNOWN: Final[tuple[str, float | None, str]] = ("", None, "")
"""What is known of a request that nobody here sent: its method, when it was sent, and for which call."""

_NOT_KEPT: Final = 200
"""Letters of a line that is no message which a person is shown."""


class MessageRecorder:
    """Take note of each message.

    Typed models of the SDK drop what they do not know, so whoever wants a list as the server wrote it takes it here.

    Args:
        log: Where lines go.

    Attributes:
        latency_s: How long the last answer took; None before the first.
        garbage: The last line that was no message; empty before the first.
        garbage_lines: How many there were.
        messages: How many messages came.
    """

    def __init__(self, log: MessageLog) -> None:
        self.log = log
        self.latency_s: float | None = None
        self.garbage = ""
        self.garbage_lines = 0
        self.messages = 0
        self._open: dict[int | str, tuple[str, float, str]] = {}
        self._keepers: dict[str, Callable[[dict[str, Any]], None]] = {}

    def keep(self, method: str, keeper: Callable[[dict[str, Any]], None]) -> Callable[[], None]:
        """Hand each result of a method to a function, as it came, before anything else looks at it.

        Returns:
            The undo.
        """
        self._keepers[method] = keeper

        def forget() -> None:
            self._keepers.pop(method, None)

        return forget

    @property
    def open_requests(self) -> tuple[tuple[str, float], ...]:
        """The requests without an answer, oldest first: the method and for how many seconds."""
        now = perf_counter()
        return tuple((method, now - began) for method, began, _ in self._open.values())

    def sent(self, message: JSONRPCMessage, text: str | bytes) -> None:
        """Take note of a message to the server."""
        if isinstance(message, JSONRPCRequest):
            call = current_call.get()
            call_id = call.id if call is not None and message.method == "tools/call" else ""
            if len(self._open) < _MOST_OPEN:
                self._open[message.id] = message.method, perf_counter(), call_id
            self.log.add(Channel.SENT, text, method=message.method, request_id=message.id, call_id=call_id)
        elif isinstance(message, JSONRPCNotification):
            if message.method == "notifications/cancelled":
                self._open.pop((message.params or {}).get("requestId", ""), None)
            self.log.add(Channel.SENT, text, method=message.method)
        else:
            level = "warning" if isinstance(message, JSONRPCError) else "info"
            self.log.add(Channel.SENT, text, level=level, request_id=message.id)  # type: ignore[arg-type]

    def received(self, message: JSONRPCMessage, text: str | bytes) -> None:
        """Take note of a message from the server."""
        self.messages += 1
        if isinstance(message, JSONRPCResponse | JSONRPCError):
            method, began, call_id = self._open.pop(message.id, _UNKNOWN) if message.id is not None else _UNKNOWN
            elapsed_s = None if began is None else perf_counter() - began
            if elapsed_s is not None:
                self.latency_s = elapsed_s
            failed = isinstance(message, JSONRPCError)
            self.log.add(
                Channel.RECEIVED,
                text,
                level="error" if failed else "info",
                method=method,
                request_id=message.id,
                elapsed_s=elapsed_s,
                call_id=call_id,
            )
            if isinstance(message, JSONRPCResponse) and method in self._keepers:
                self._keepers[method](message.result)
        else:
            number = message.id if isinstance(message, JSONRPCRequest) else None
            self.log.add(Channel.RECEIVED, text, method=message.method, request_id=number)

    def received_garbage(self, line: bytes) -> None:
        self.garbage_lines += 1
        self.garbage = line[:_NOT_KEPT].decode("utf-8", "replace").strip()
        self.log.add(Channel.RECEIVED, line, level="warning")
