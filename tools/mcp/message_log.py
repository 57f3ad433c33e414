"""What goes over the wire to a server and back, and what it says beside: bounded, and masked before anybody sees it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from enum import StrEnum
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tools.masking.scrubbing import Scrubber

if TYPE_CHECKING:
    from tools.context import LogLevel

MAX_LINES: Final = 5_000
"""Most lines kept of one server; the oldest leave first."""

MAX_BYTES: Final = 8 * 1024 * 1024
"""Most bytes kept of one server's lines."""

LONGEST: Final = 100_000
"""Bytes of the longest line that is kept whole; of longer ones the beginning and the end are."""


_UNMADE: Final = 1_000
"""What a text counts that nobody has made yet, in bytes."""


class Channel(StrEnum):
    """Where a line comes from: a message sent or received, its stderr, an HTTP exchange, its log, or a note of ours."""

    SENT = "sent"
    RECEIVED = "received"
    STDERR = "stderr"
    HTTP = "http"
    LOG = "log"
    NOTE = "note"


Text = str | bytes | Callable[[], str]
"""What a line says: a text, UTF-8, or a function that makes the text when somebody looks."""


class MessageLogLine(NamedTuple):
    """One line of a server's log.

    Attributes:
        number: Counts all lines of the server, from 1.
        text: What it says, secrets hidden; a message as the JSON that was on the wire.
        method: The request, notification, or request that is answered; empty for anything else.
        request_id: The message's id as JSON; empty when it has none.
        size_bytes: How long the message is on the wire.
        elapsed_s: Seconds from the request to this answer; None for what is no answer.
        call_id: The call of a tool that the message was sent for; empty for any other.
    """

    number: int
    at: datetime
    channel: Channel
    level: LogLevel
    text: str
    method: str = ""
    request_id: str = ""
    size_bytes: int = 0
    elapsed_s: float | None = None
    call_id: str = ""


class _Kept(NamedTuple):
    number: int
    at_s: float
    channel: Channel
    level: LogLevel
    text: Text
    method: str
    request_id: int | str | None
    size_bytes: int
    elapsed_s: float | None
    call_id: str


class MessageLog:
    """Keep the newest lines of one server; from the event loop's thread.

    Lines are kept as they came, which costs next to nothing, and turned into text when somebody looks.

    Args:
        on_growth: Is called when there is more than was looked at last, once until somebody looks again.

    Attributes:
        last_number: The number of the newest line; 0 before the first.
    """

    def __init__(self, now: Callable[[], datetime], on_growth: Callable[[], None] | None = None) -> None:
        self.now = now
        self._on_growth = on_growth
        self._lines: deque[_Kept] = deque()
        self._bytes = 0
        self._scrub = Scrubber(())
        self._was_told = False
        # Reading this clock costs a tenth of telling the time, and each call adds two lines.
        self._origin = now(), perf_counter()
        self.last_number = 0

    @property
    def dropped(self) -> int:
        """How many lines are not kept any more."""
        return self.last_number - len(self._lines)

    def hide(self, secrets: Iterable[str]) -> None:
        """Hide these values from now on, in the lines of before as well."""
        self._scrub = self._scrub.joined(secrets)

    def scrubbed(self, text: str) -> str:
        return self._scrub(text) if self._scrub else text

    def scrubbed_value(self, value: Any) -> Any:
        """Return a JSON value without the secrets in its texts."""
        return self._scrub.texts(value)

    def add(
        self,
        channel: Channel,
        text: Text,
        *,
        level: LogLevel = "info",
        method: str = "",
        request_id: int | str | None = None,
        elapsed_s: float | None = None,
        size_bytes: int | None = None,
        call_id: str = "",
    ) -> None:
        """Take a line.

        Args:
            method: The request or notification.
            request_id: The message's id.
            elapsed_s: Seconds from the request to its answer.
            size_bytes: How long it was on the wire; None is as long as the text.
            call_id: The call of a tool that it was sent for.
        """
        self.last_number += 1
        size = _length(text) if size_bytes is None else size_bytes
        if not callable(text) and len(text) > LONGEST:
            text = _shortened(text)
        self._lines.append(
            _Kept(self.last_number, perf_counter(), channel, level, text, method, request_id, size, elapsed_s, call_id)
        )
        self._bytes += _length(text)
        while len(self._lines) > MAX_LINES or (self._bytes > MAX_BYTES and len(self._lines) > 1):
            self._bytes -= _length(self._lines.popleft().text)
        if self._on_growth is not None and not self._was_told:
            self._was_told = True
            self._on_growth()

    def note(self, text: str, level: LogLevel = "info") -> None:
        """Take a line of our own."""
        self.add(Channel.NOTE, text, level=level)

    def lines(self, after: int = 0, most: int = MAX_LINES) -> tuple[MessageLogLine, ...]:
        """Return the newest lines that came after one, oldest first, with secrets hidden.

        Args:
            after: The number of the last line that is known already.
        """
        self._was_told = False
        found: list[_Kept] = []
        for line in reversed(self._lines):
            if line.number <= after or len(found) >= most:
                break
            found.append(line)
        return tuple(self._told(line) for line in reversed(found))

    def _told(self, line: _Kept) -> MessageLogLine:
        text = line.text() if callable(line.text) else line.text
        if isinstance(text, bytes):
            text = text.decode("utf-8", "replace")
        number = "" if line.request_id is None else str(line.request_id)
        began, began_s = self._origin
        at = began + timedelta(seconds=line.at_s - began_s)
        return MessageLogLine(
            number=line.number,
            at=at,
            channel=line.channel,
            level=line.level,
            text=self.scrubbed(text),
            method=line.method,
            request_id=number,
            size_bytes=line.size_bytes,
            elapsed_s=line.elapsed_s,
            call_id=line.call_id,
        )


def _length(text: Text) -> int:
    return _UNMADE if callable(text) else len(text)


def _shortened(text: str | bytes) -> str:
    """Return the beginning and the end of an overlong line, and how much is left out between them."""
    half = LONGEST // 2
    first, last = text[:half], text[-half:]
    parts = [part.decode("utf-8", "replace") if isinstance(part, bytes) else part for part in (first, last)]
    return f"{parts[0]} … {len(text) - 2 * half:,} more … {parts[1]}"
