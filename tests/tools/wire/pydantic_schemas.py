"""Schemas of arguments as pydantic makes them, of all kinds of types."""

from __future__ import annotations

import datetime as dt
import enum
import ipaddress
import re
import uuid
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, NamedTuple, Optional, Required, TypeVar, Union

import annotated_types
from hypothesis import strategies as st
from pydantic import AnyUrl, BaseModel, Field, Json, RootModel, SecretStr, TypeAdapter, create_model
from typing_extensions import TypedDict


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Place(BaseModel):
    """A place."""

    city: str = Field(min_length=1, description="Where it is")
    size: float | None = None


class Chain(BaseModel):
    name: str
    next: Chain | None = None
    others: list[Chain] = []


class Circle(BaseModel):
    kind: Literal["circle"]
    radius: float


class Square(BaseModel):
    kind: Literal["square"]
    side: Annotated[float, Field(gt=0)] = 1.0


Shape = Annotated[Circle | Square, Field(discriminator="kind")]


class Names(RootModel[list[str]]):
    """Names."""


class Point(NamedTuple):
    x: float
    y: float = 0.0


class Row(TypedDict, total=False):
    name: Required[str]
    age: int


@dataclass
class Spot:
    at: tuple[int, str]
    note: str = field(default="", metadata={"description": "What it says"})


class Open(BaseModel, extra="allow"):
    """Has what it likes."""

    __pydantic_extra__: dict[str, int]


class Closed(BaseModel, extra="forbid"):
    pass


class Aliased(BaseModel):
    size: int = Field(alias="the size", deprecated=True, examples=[3])
    of: Annotated[str, Field(json_schema_extra={"x-unit": "cm"})] = "width"


Held = TypeVar("Held")


class Box(BaseModel, Generic[Held]):
    held: Held


SCALARS: list[Any] = [
    str, int, float, bool, Any, bytes, dt.date, dt.datetime, dt.timedelta, uuid.UUID, Decimal, Path, AnyUrl, SecretStr,
    Json, None, object, complex, re.Pattern[str], ipaddress.IPv4Address, Colour, Level, Place, Chain, Shape,
    Names, Point, Row, Spot, Open, Closed, Aliased, Box[int], Box[Place], tuple[int, ...], tuple[()], dict[int, str],
    dict[Literal["a", "b"], int], frozenset[str], list, dict, type[int], Sequence[Place], deque[int],
    Literal["a", "b"], Literal[1, "a"] | None, Literal[True],
    Annotated[int, annotated_types.Interval(ge=1, lt=9)], Annotated[str, Field(pattern="^a+$", max_length=5)],
    Annotated[float, Field(gt=0, multiple_of=0.5)], Annotated[str, Field(description="Words", examples=["x"])],
]  # fmt: skip
TYPES = st.recursive(
    st.sampled_from(SCALARS),
    lambda inner: st.one_of(
        inner.map(lambda one: list[one]),  # type: ignore[valid-type]
        inner.map(lambda one: set[one] if one in {str, int} else dict[str, one]),  # type: ignore[valid-type]
        inner.map(lambda one: Optional[one]),  # noqa: UP045 -- of a type that is only known here
        st.tuples(inner, inner).map(lambda two: Union[two]),  # noqa: UP007 -- likewise
        st.tuples(inner, inner).map(lambda two: tuple[two]),  # type: ignore[valid-type]
        inner.map(lambda one: Annotated[list[one], Field(min_length=2, max_length=4)]),  # type: ignore[valid-type]
        inner.map(lambda one: create_model("Inner", value=(one, ...), more=(one, None))),
    ),
    max_leaves=6,
)


def schema_of(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of arguments of these types; every second one may be left out."""
    declared: dict[str, Any] = {
        name: (kind, ... if number % 2 else None) for number, (name, kind) in enumerate(fields.items())
    }
    return TypeAdapter(create_model("Arguments", **declared)).json_schema()


SCHEMAS = st.dictionaries(st.sampled_from(["path", "lines", "a_b", "Ünicode"]), TYPES, max_size=4).map(schema_of)
"""Schemas of up to four arguments of any types."""
