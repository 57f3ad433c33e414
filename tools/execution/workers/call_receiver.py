"""What a worker sends about one call, checked and taken to where it belongs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Protocol

from tools.execution.workers.chunks import ValueBuilder
from tools.execution.workers.failures import restored
from tools.execution.workers.protocol import FrameKind, ProtocolError, WorkerResult, read_json, read_with_bytes
from tools.tool import ToolResult


class ToolMessageHandler(Protocol):
    """Hear what a tool says while it runs in a worker."""

    @property
    def listens(self) -> bool:
        """Whether the tool can hear that it is to stop."""

    def begin(self) -> None:
        """Take that it begins, where it had to wait for that."""

    def take(self, method: str, words: list[Any]) -> None:
        """Take what the tool says.

        Args:
            method: The method of `ToolContext` that the tool called, such as `log`; `ask` for a question.
            words: Its arguments; of a question the number, for the answer, and the question.
        """


class CallReceiver:
    """Take the frames about one call.

    Args:
        most_bytes: How much may come in all.
        before_end: Called before the outcome is told, to bring in what the tool printed.

    Attributes:
        outcome: What came of the call.
        worn: Whether the worker says that it should be replaced.
    """

    def __init__(
        self, loop: asyncio.AbstractEventLoop, talk: ToolMessageHandler, most_bytes: int, before_end: Callable[[], None]
    ) -> None:
        self.talk = talk
        self.outcome: asyncio.Future[Any] = loop.create_future()
        self.worn = False
        self._most_bytes = most_bytes
        self._before_end = before_end
        self._received = 0
        self._builder: ValueBuilder | None = None
        self._tool_result: tuple[bool, str | None] | None = None

    def take(self, kind: FrameKind, body: bytes) -> None:
        """Take one frame.

        Raises:
            ProtocolError: It has no place here.
        """
        self._received += len(body)
        if self._received > self._most_bytes:
            raise ProtocolError(f"expected at most {self._most_bytes:,} bytes in all")
        if kind is FrameKind.VALUE:
            self._take_value(read_json(body))
        elif kind > FrameKind.VALUE:
            self._take_end(kind, body)
        elif kind >= FrameKind.OPEN_LIST:
            if self._builder is None:
                self._builder = ValueBuilder()
            self._builder.take(kind, body)
        elif kind >= FrameKind.SAY:
            self._take_word(kind, body)
        else:
            raise ProtocolError(f"expected something about the call, got {kind.name}")

    def fail(self, error: BaseException) -> None:
        """Tell the caller an exception instead of an outcome, unless there is one."""
        if not self.outcome.done():
            self.outcome.set_exception(error)

    def renew(self) -> asyncio.Future[Any]:
        """Return a new outcome in place of one that nobody waits for any more."""
        self.outcome = self.outcome.get_loop().create_future()
        return self.outcome

    def _take_word(self, kind: FrameKind, body: bytes) -> None:
        if kind is FrameKind.WORN:
            self.worn = True
            return
        words, content = read_with_bytes(body) if kind is FrameKind.ATTACH else (read_json(body), b"")
        match kind, words:
            # Nothing else of the context is the tool's to call.
            case FrameKind.SAY, (
                ["log", str(), str()]
                | ["progress", int() | float(), int() | float() | None, str()]
                | ["write" | "detach", str()]
                | ["keep_for", int()]
                | ["count" | "observe", str(), int() | float()]
            ):
                self.talk.take(words[0], words[1:])
            case FrameKind.ATTACH, [str(), str()]:
                self.talk.take("attach", [content, *words])
            case FrameKind.ASK, [int(), _]:
                self.talk.take("ask", words)
            case _:
                raise ProtocolError(f"expected a {kind.name}, got {str(words)[:40]!r}")

    def _take_end(self, kind: FrameKind, body: bytes) -> None:
        match kind:
            case FrameKind.BUILT:
                builder, self._builder = self._builder, None
                if builder is None or not builder.done:
                    raise ProtocolError("expected the rest of a value, got its end")
                self._take_value(builder.value)
            case FrameKind.NOTHING:
                self._settle(None)
            case FrameKind.BYTES:
                self._settle(body)
            case FrameKind.RESULT:
                self._begin_tool_result(read_json(body))
            case _:
                self._take_failure(read_json(body))

    def _take_failure(self, told: Any) -> None:
        if isinstance(told, dict) and told.get("no_json_form"):
            self._settle(WorkerResult(problem=str(told.get("text"))))
            return
        self._before_end()
        self.fail(restored(told))

    def _begin_tool_result(self, told: Any) -> None:
        match told:
            case [bool(success), (str() | None) as error]:
                self._tool_result = success, error
            case _:
                raise ProtocolError(f"expected a ToolResult, got {str(told)[:40]!r}")

    def _take_value(self, value: Any) -> None:
        if self._tool_result is None:
            self._settle(WorkerResult(value))
            return
        success, error = self._tool_result
        match value:
            case [str(output)]:
                self._settle(ToolResult(success, output, error))
            case [str(output), structured]:
                self._settle(WorkerResult(structured, ToolResult(success, output, error, structured)))
            case _:
                raise ProtocolError(f"expected a ToolResult's text, got {str(value)[:40]!r}")

    def _settle(self, result: Any) -> None:
        self._before_end()
        if not self.outcome.done():
            self.outcome.set_result(result)
