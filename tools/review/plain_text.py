"""What is shown of a call where there are only lines of text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tools.calls import DryRun

_MOST_ITEMS: Final = 10


def preview_lines(preview: DryRun) -> Iterator[str]:
    """Yield what a call would do: in one sentence with how much, then what, then what a person should know besides."""
    counts = ", ".join(count.words for count in preview.counts)
    yield f"{preview.text} {counts}".rstrip()
    for item in preview.items[:_MOST_ITEMS]:
        yield f"  {item}"
    more = preview.more + max(0, len(preview.items) - _MOST_ITEMS)
    if more:
        yield f"  and {more:,} more"
    for warning in preview.warnings:
        yield f"! {warning}"


def visible(text: str) -> str:
    """Return a text whose signs all show: what moves the cursor, changes colours or turns the direction is spelled out.

    What a tool or its caller wrote must not be able to write over what it will do, or to add a line to it.
    """
    one_line = " ".join(text.splitlines())
    return "".join(letter if letter.isprintable() else f"\\u{ord(letter):04x}" for letter in one_line)
