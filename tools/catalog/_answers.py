"""Parts of JSON answers of others, which may lack anything and hold everything."""

from __future__ import annotations

import html
import math
import re
from typing import Any, Final

_TAG: Final = re.compile(r"<[^<>]{0,1000}>")
_SPACE: Final = re.compile(r"\s+")


def part(value: Any, *path: str | int) -> Any:
    """Return what lies at a path of names and places; None where it ends."""
    for step in path:
        if isinstance(step, int):
            value = value[step] if isinstance(value, list) and -len(value) <= step < len(value) else None
        else:
            value = value.get(step) if isinstance(value, dict) else None
    return value


def text_at(value: Any, *path: str | int) -> str:
    """Return the text at a path; empty when there is none, a number as its figures."""
    found = part(value, *path)
    if isinstance(found, str):
        return found
    return str(found) if isinstance(found, int | float) and not isinstance(found, bool) else ""


def whole_at(value: Any, *path: str | int) -> int | None:
    """Return the whole number at a path; None when there is none."""
    found = part(value, *path)
    number = number_at(found)
    return None if number is None else found if isinstance(found, int) else int(number)


def number_at(value: Any, *path: str | int) -> float | None:
    """Return the number at a path; None when there is none."""
    found = part(value, *path)
    if isinstance(found, bool) or not isinstance(found, int | float | str):
        return None
    try:
        number = float(found)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def objects_at(value: Any, *path: str | int) -> list[dict[str, Any]]:
    """Return the objects of the list at a path; none when there is no list."""
    found = part(value, *path)
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def texts_at(value: Any, *path: str | int) -> tuple[str, ...]:
    """Return the texts of the list at a path; none when there is no list."""
    found = part(value, *path)
    return tuple(item for item in found if isinstance(item, str)) if isinstance(found, list) else ()


def plain(markup: str, limit: int = 1000) -> str:
    """Return a short text without its tags, in one line."""
    words = _SPACE.sub(" ", html.unescape(_TAG.sub("", markup[: limit * 5]))).strip()
    return words if len(words) <= limit else f"{words[: limit - 1]}…" if limit else ""
