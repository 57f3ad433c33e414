"""The part of a row that nobody asks the database about: one value, since each value of its own costs a call time."""

from __future__ import annotations

import sqlite3
from struct import Struct
from typing import Final, NamedTuple

from tools.history.trace import TIMED, Times

_END: Final = Struct("<q4iIB")
"""Microseconds, then how many bytes each part has, -1 for None, then how many the times have, and their form."""

NONE: Final = -1
_BROKEN: Final = "a call's row does not fit together"


class Body(NamedTuple):
    """What a row holds of a call beside its kind.

    Attributes:
        elapsed_us: Microseconds from the proposal to the end.
        arguments: JSON text, its beginning, sealed bytes or None.
        result: Likewise.
        error: JSON text or None.
        extra: What few calls have, as JSON text or sealed bytes; None when it has nothing of it.
        times: The part of its trace that is its own.
    """

    elapsed_us: int = 0
    arguments: bytes | None = None
    result: bytes | None = None
    error: bytes | None = None
    extra: bytes | None = None
    times: Times = Times(TIMED, b"")


def packed(  # noqa: PLR0917 -- every call passes here, and names cost time
    elapsed_us: int,
    arguments: bytes | None,
    result: bytes | None,
    error: bytes | None,
    extra: bytes | None,
    form: int,
    times: bytes,
) -> bytes:
    """Return a body as it is stored.

    What can be read stands first and ends with a zero byte, where a search through the text of all calls stops.
    """
    end = _END.pack(
        elapsed_us,
        NONE if arguments is None else len(arguments),
        NONE if result is None else len(result),
        NONE if error is None else len(error),
        NONE if extra is None else len(extra),
        len(times),
        form,
    )
    return b"".join((arguments or b"", result or b"", error or b"", extra or b"", b"\0", times, end))


def stored(body: Body) -> bytes:
    """Return a body as it is stored."""
    elapsed_us, arguments, result, error, extra, (form, times) = body
    return packed(elapsed_us, arguments, result, error, extra, form, times)


def damage(words: str) -> sqlite3.DatabaseError:
    """Return what SQLite raises when it sees that its file is broken."""
    error = sqlite3.DatabaseError(words)
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return error


def body_of(content: bytes) -> Body:
    """Return what `stored` wrote.

    Raises:
        sqlite3.DatabaseError: When it is something else: the file is damaged.
    """
    if len(content) <= _END.size:
        raise damage(_BROKEN)
    elapsed_us, *sizes, times_bytes, form = _END.unpack_from(content, len(content) - _END.size)
    parts: list[bytes | None] = []
    start = 0
    for size in sizes:
        parts.append(None if size == NONE else content[start : start + size])
        start += max(size, 0)
    start += 1
    if start + times_bytes + _END.size != len(content):
        raise damage(_BROKEN)
    arguments, result, error, extra = parts
    return Body(elapsed_us, arguments, result, error, extra, Times(form, content[start : start + times_bytes]))
