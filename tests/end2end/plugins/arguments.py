"""A tool that takes arguments of many kinds."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from tools import tool


@tool(read_only=True)
def take_everything(
    *,
    word: Annotated[str, Field(min_length=2, pattern="^[a-z]+$")],
    count: Annotated[int, Field(ge=1, le=10)],
    ratio: float,
    day: date,
    place: Path,
    size: Literal["small", "large"],
    marks: list[int],
    anything: dict[str, Any],
) -> dict[str, Any]:
    """Return what it was given.

    Args:
        word: Small letters.
        count: From 1 to 10.
        ratio: Any number.
        day: A day.
        place: A path.
        size: One of two.
        marks: Whole numbers.
        anything: Any object.
    """
    return {"word": word, "count": count, "ratio": ratio, "day": day, "size": size, "marks": marks, "more": anything}
