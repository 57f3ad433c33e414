"""Large values: written by a worker in pieces, put together by the program as they arrive.

A parser keeps the interpreter to itself until it is done, 150 ms and more for 50 MB. Each piece is parsed in well under
a millisecond when it arrives, between other work of the program's event loop.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from itertools import islice
from typing import Any, Final

from tools.execution.workers.protocol import FrameKind, ProtocolError, read_json, read_text, write_text
from tools.schema import json_bytes
from tools.schema.large_results import MANY, is_large

SMALL: Final = 128 * 1024
"""A value whose JSON is no longer than this, in bytes, travels whole."""

PIECE: Final = 48 * 1024
"""About how long a piece is, in bytes."""

LONGEST_TEXT_PART: Final = 1 << 20
"""A text longer than this, in bytes, travels in parts of this length."""

_LONGEST: Final[dict[type, int]] = {str: SMALL, list: MANY, dict: MANY}
DEEPEST: Final = 250
_SHORT: Final = frozenset({int, float, bool})
_TEXTS: Final = frozenset({str, bytes})

Send = Callable[[FrameKind, bytes], None]


def send_value(value: Any, send: Send) -> None:
    """Send a JSON value: whole when it is small, else in pieces that end with `BUILT`."""
    if type(value) in _SHORT or not (is_large(value) or (type(value) is str and len(value) > SMALL)):
        body = json_bytes(value)
        if len(body) <= SMALL:
            send(FrameKind.VALUE, body)
            return
    send_parts(value, send)
    send(FrameKind.BUILT, b"")


def is_long(arguments: Mapping[str, Any]) -> bool:
    """Return whether arguments have so many parts or letters that they better travel in pieces."""
    for value in arguments.values():
        kind = type(value)
        if kind not in _SHORT and (len(value) > SMALL if kind in _TEXTS else is_large(value)):
            return True
    return False


def send_parts(value: Any, send: Send) -> None:
    """Send a JSON value in pieces, however small it is."""
    if type(value) is str:
        _send_text(value, send)
    elif type(value) is list:
        send(FrameKind.OPEN_LIST, b"")
        _send_batches(iter(value), list, lambda item: send_parts(item, send), send, FrameKind.ITEMS)
        send(FrameKind.CLOSE, b"")
    elif type(value) is dict:

        def send_entry(entry: tuple[str, Any]) -> None:
            send(FrameKind.KEY, write_text(entry[0]))
            send_parts(entry[1], send)

        send(FrameKind.OPEN_DICT, b"")
        _send_batches(iter(value.items()), dict, send_entry, send, FrameKind.ENTRIES)
        send(FrameKind.CLOSE, b"")
    else:
        send(FrameKind.PART, json_bytes(value))


def _send_text(text: str, send: Send) -> None:
    # A letter takes up to four bytes.
    step = LONGEST_TEXT_PART // 4
    if len(text) <= step:
        send(FrameKind.PART, json_bytes(text))
        return
    for at in range(0, len(text), step):
        send(FrameKind.TEXT, write_text(text[at : at + step]))
    send(FrameKind.CLOSE, b"")


def _send_batches(
    items: Iterator[Any], gather: Callable[[Any], Any], send_one: Callable[[Any], None], send: Send, kind: FrameKind
) -> None:
    """Send items in batches of about one piece; an item that is longer by itself goes in pieces of its own."""

    def send_batch(batch: list[Any]) -> int:
        size = 4 * PIECE + 1
        # What is long by itself is not written only to find that out: nothing else would go on meanwhile.
        if not any(map(_is_long, batch if gather is list else [part for _, part in batch])):
            body = json_bytes(gather(batch))
            size = len(body)
            if size <= 4 * PIECE:
                send(kind, body)
                return size
        if len(batch) == 1:
            send_one(batch[0])
            return size
        middle = len(batch) // 2
        return send_batch(batch[:middle]) + send_batch(batch[middle:])

    count = 16
    while batch := list(islice(items, count)):
        count = max(1, min(count * 4, count * PIECE // send_batch(batch)))


def _is_long(value: Any) -> bool:
    longest = _LONGEST.get(type(value))
    return longest is not None and len(value) > longest


def _growing_text() -> Generator[str | None, str | None, None]:
    """Take the parts of a text, and after None give the whole.

    A local text that nobody else holds grows in place. To join the parts would copy all of them at once: 50 ms for
    50 MB, in which nothing else goes on.
    """
    text = ""
    while (part := (yield None)) is not None:
        text += part
    yield text


class ValueBuilder:
    """Put a value together from its pieces.

    Attributes:
        done: Whether the value is whole.
        value: The value, once it is.
    """

    def __init__(self) -> None:
        self.done = False
        self.value: Any = None
        self._open: list[Any] = []
        self._keys: list[str | None] = []
        self._text: Generator[str | None, str | None, None] | None = None

    def take(self, kind: FrameKind, body: bytes) -> None:
        """Add one piece.

        Raises:
            ProtocolError: It has no place here.
        """
        match kind:
            case FrameKind.TEXT:
                if self._text is None:
                    self._text = _growing_text()
                    next(self._text)
                self._text.send(read_text(body))
            case FrameKind.CLOSE if self._text is not None:
                text = self._text.send(None)
                self._text = None
                self._put(text)
            case _ if self._text is not None:
                raise ProtocolError(f"expected the rest of a text, got {kind.name}")
            case FrameKind.PART:
                self._put(read_json(body))
            case FrameKind.OPEN_LIST | FrameKind.OPEN_DICT:
                if len(self._open) >= DEEPEST:
                    raise ProtocolError(f"expected a value of at most {DEEPEST} levels")
                self._open.append([] if kind is FrameKind.OPEN_LIST else {})
                self._keys.append(None)
            case _ if not self._open:
                raise ProtocolError(f"expected a value to begin, got {kind.name}")
            case FrameKind.CLOSE:
                self._keys.pop()
                self._put(self._open.pop())
            case _:
                self._add(kind, body)

    def _add(self, kind: FrameKind, body: bytes) -> None:
        into = self._open[-1]
        if kind is FrameKind.KEY and type(into) is dict:
            self._keys[-1] = read_text(body)
            return
        parts = read_json(body)
        if type(parts) is not type(into) or (type(parts) is list) is not (kind is FrameKind.ITEMS):
            raise ProtocolError(f"expected parts of a {type(into).__name__}, got {kind.name}")
        if type(into) is list:
            into += parts
        else:
            into.update(parts)

    def _put(self, value: Any) -> None:
        if not self._open:
            if self.done:
                raise ProtocolError("expected one value, got two")
            self.done, self.value = True, value
            return
        into, key = self._open[-1], self._keys[-1]
        if type(into) is list:
            into.append(value)
        elif key is None:
            raise ProtocolError("expected a key before a value")
        else:
            into[key] = value
            self._keys[-1] = None
