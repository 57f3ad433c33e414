"""Make arguments smaller, step by step, while they still show the same fault."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import Any, Final

from pydantic import JsonValue

_LARGE: Final = 1_000


async def shrunk(
    arguments: Mapping[str, JsonValue],
    shows: Callable[[dict[str, JsonValue]], Awaitable[bool]],
    *,
    most: int,
) -> dict[str, JsonValue]:
    """Return the smallest arguments that were found to show the same fault.

    Args:
        arguments: Those that were found first.
        shows: Tells of others whether they show it as well.
        most: How often it is asked.
    """
    smallest, known, left = dict(arguments), {_text(arguments)}, most
    again = True
    while again and left:
        again = False
        for candidate in smaller(smallest):
            text = _text(candidate)
            if text in known or _size(text) >= _size(_text(smallest)):
                continue
            known.add(text)
            left -= 1
            if await shows(candidate):
                smallest, again = candidate, True
                break
            if not left:
                break
    return smallest


def smaller(value: Any) -> Iterator[Any]:
    """Yield values that are a step simpler than one, the boldest step first."""
    match value:
        case dict():
            for name in value:
                yield {other: inner for other, inner in value.items() if other != name}
            for name, inner in value.items():
                for less in smaller(inner):
                    yield {**value, name: less}
        case list():
            half = len(value) // 2
            yield from ([], value[:half], value[half:])
            for at, inner in enumerate(value):
                yield value[:at] + value[at + 1 :]
                for less in smaller(inner):
                    yield [*value[:at], less, *value[at + 1 :]]
        case str():
            half = len(value) // 2
            yield from ("", value[:half], value[half:], value[1:], value[:-1])
            if value.strip("a"):
                yield "a" * len(value)
        case bool():
            yield False
        case int() | float():
            yield from _smaller_numbers(value)


def _smaller_numbers(value: float) -> Iterator[float]:
    yield 0
    if isinstance(value, float):
        yield int(value)
    if isinstance(value, int) and abs(value) > _LARGE:
        yield (1 if value > 0 else -1) << (value.bit_length() // 2)
    # Towards zero by a half, then in smaller steps, as a limit is looked for; exact for whole numbers of any size.
    towards = -1 if value > 0 else 1
    for step in (abs(value) - abs(value) // 2, abs(value) // 4, abs(value) // 8, abs(value) // 16, 1):
        if step >= 1:
            yield value + towards * step


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _size(text: str) -> tuple[int, str]:
    """Return what makes arguments smaller than others: always less, so that an end is reached."""
    return len(text), text
