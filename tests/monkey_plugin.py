"""A plugin file for `tests.monkey`: every kind of field, and a fault that a check finds."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from tools import Param, tool


class Train(BaseModel):
    """Go by train."""

    kind: Literal["train"] = "train"
    number: Annotated[int, Field(ge=1, le=9_999)]
    seats: list[str] = []


class Flight(BaseModel):
    """Go by plane."""

    kind: Literal["flight"] = "flight"
    code: Annotated[str, Field(pattern="^[A-Z]{2}[0-9]+$")]
    bags_kg: list[float] = []
    by_way_of: Flight | Train | None = None


class Guest(BaseModel):
    """Who comes along."""

    name: str
    born: date
    pays: bool = True


@tool(read_only=True)
def plan_trip(  # noqa: PLR0917 -- one of each kind
    leaves: datetime,
    by: Train | Flight | str,
    guests: list[Guest] | None = None,
    spot: tuple[float, float] = (52.5, 13.4),
    wishes: dict[str, int | str] | None = None,
    ticket: bytes = b"",
    notes: Path | None = None,
    budget: Annotated[float, Param("For everybody", unit="EUR")] = 100.0,
    style: Literal["slow", "fast"] = "slow",
) -> dict[str, Any]:
    """Plan a trip.

    Args:
        leaves: When it begins.
    """
    return {"leaves": leaves, "by": by, "guests": guests, "spot": spot, "wishes": wishes, "style": style}


@tool(read_only=True)
def share_costs(total: int, people: int) -> float:
    """Share costs. Nobody thought of no people."""
    return total / people
