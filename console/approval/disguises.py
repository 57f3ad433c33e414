"""Letters that do not show, or that turn others around: text with them reads differently from what it is.

Source: Unicode Technical Report 36, "Unicode Security Considerations", on bidirectional text and invisible characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

__all__ = ["disguises"]

_HIDDEN: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]"
)
_BEFORE: Final = 40
_AFTER: Final = 40
_MOST: Final = 3


def disguises(values: Mapping[str, Any]) -> tuple[str, ...]:
    """Say of arguments what their text really is, where some of its letters do not show.

    Args:
        values: The arguments as JSON.

    Returns:
        A sentence for each text, for a few of them at most.
    """
    found: list[str] = []
    for name, value in values.items():
        for text in _texts(value):
            hidden = _HIDDEN.search(text)
            if hidden is not None and len(found) < _MOST:
                found.append(f"{name} is really {_spelled_out(text, hidden.start())}")
    return tuple(found)


def _texts(value: Any) -> Iterator[str]:
    waiting = [value]
    while waiting:
        now = waiting.pop()
        if isinstance(now, str):
            yield now
        elif isinstance(now, Mapping):
            waiting += reversed([*now, *now.values()])
        elif isinstance(now, Sequence):
            waiting += reversed(now)


def _spelled_out(text: str, place: int) -> str:
    start, end = max(0, place - _BEFORE), place + _AFTER
    part = text[start:end].replace("\n", " ")
    shown = _HIDDEN.sub(lambda match: f"<U+{ord(match[0]):04X}>", part)
    return f"{'…' if start else ''}{shown}{'…' if end < len(text) else ''}"
