"""Schemas that pydantic writes for ordinary Python types."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Final, Literal
from uuid import UUID

from pydantic import Base64Bytes, BaseModel, ConfigDict, Field, SecretStr, TypeAdapter

from console.schema_form import FieldKind as Kind
from tests.console.schema_gallery.case import Case

__all__ = ["MODELS"]


class Colour(Enum):
    """An enum is a reference to a list of values."""

    RED = "red"
    BLUE = "blue"


class Point(BaseModel):
    """A model that allows nothing else."""

    model_config = ConfigDict(extra="forbid")
    x: float
    y: float = 0.0


class Circle(BaseModel):
    """One of two shapes."""

    shape: Literal["circle"] = "circle"
    radius: Annotated[float, Field(gt=0)]


class Square(BaseModel):
    """The other one."""

    shape: Literal["square"] = "square"
    side: Annotated[float, Field(gt=0)]


class Folder(BaseModel):
    """A model that holds itself."""

    name: str
    folders: list[Folder] = []


class Times(BaseModel):
    """Each kind of time."""

    day: date
    at: time
    moment: datetime
    wait: timedelta


class Everything(BaseModel):
    """Many types beside each other."""

    identity: UUID
    where: Path
    password: SecretStr
    price: Decimal
    data: Base64Bytes
    colour: Colour = Colour.RED
    tags: set[str] = set()
    scores: dict[str, int] = {}
    pair: tuple[int, str] = (0, "")
    either: int | str = 0
    nothing: None = None
    whatever: Any = None


class Loose(BaseModel):
    """A model that lets other names in."""

    model_config = ConfigDict(extra="allow")
    known: int


def of(model: type[BaseModel], valid: list[Any], invalid: list[Any], **kinds: Kind) -> Case:
    """Make the case of a model."""
    schema = model.model_json_schema()
    return Case(f"model {model.__name__}", schema, valid, invalid, {(name,): kind for name, kind in kinds.items()})


def of_type(name: str, kind: Any, field: Kind, valid: Any, *invalid: Any) -> Case:
    """Make the case of one argument of a type."""
    inner = TypeAdapter(kind).json_schema()
    defs = {"$defs": inner.pop("$defs")} if "$defs" in inner else {}
    schema = {"type": "object", "properties": {"x": inner}, "required": ["x"], **defs}
    return Case(f"type {name}", schema, [{"x": valid}], [({"x": invalid[0]}, ("x", *invalid[1:]))], {("x",): field})


_FULL: Final = {
    "identity": "2eb8aa08-aa98-11ea-b4aa-73b441d16380",
    "where": "/tmp",
    "password": "a",
    "price": "1.50",
    "data": "aGk=",
}
_TIMES: Final = {"day": "2026-01-02", "at": "03:04:05", "moment": "2026-01-02T03:04:05Z", "wait": "PT1S"}
_SHAPE: Final = Annotated[Circle | Square, Field(discriminator="shape")]

MODELS: Final = (
    of(Point, [{"x": 1.5}, {"x": 1, "y": 2}], [({}, ("x",)), ({"x": 1, "z": 1}, ("z",))], x=Kind.NUMBER),
    of(
        Folder,
        [{"name": "a", "folders": [{"name": "b", "folders": []}]}],
        [({"name": "a", "folders": [{}]}, ("folders", 0, "name"))],
        folders=Kind.TABLE,
    ),
    of(
        Times,
        [_TIMES],
        [({**_TIMES, "day": "x"}, ("day",)), ({**_TIMES, "wait": "1 h"}, ("wait",))],
        day=Kind.DATE,
        at=Kind.TIME,
        moment=Kind.DATE_TIME,
        wait=Kind.DURATION,
    ),
    of(
        Everything,
        [_FULL, {**_FULL, "price": 1.5, "colour": "blue", "tags": ["a"], "scores": {"a": 1}, "pair": [1, "b"]}],
        [
            ({**_FULL, "identity": "x"}, ("identity",)),
            ({**_FULL, "colour": "green"}, ("colour",)),
            ({**_FULL, "tags": ["a", "a"]}, ("tags",)),
            ({**_FULL, "scores": {"a": "b"}}, ("scores", "a")),
            ({**_FULL, "pair": [1, 2]}, ("pair", 1)),
            ({**_FULL, "either": []}, ("either",)),
        ],
        identity=Kind.TEXT,
        where=Kind.PATH,
        password=Kind.SECRET,
        price=Kind.VARIANT,
        colour=Kind.CHOICE,
        tags=Kind.LIST,
        scores=Kind.MAP,
        pair=Kind.TUPLE,
        either=Kind.VARIANT,
        whatever=Kind.JSON,
    ),
    of(Loose, [{"known": 1, "other": [1]}], [({"other": 1}, ("known",))], known=Kind.INTEGER),
    of_type("tagged union", _SHAPE, Kind.VARIANT, {"shape": "square", "side": 1}, {"shape": "square"}, "side"),
    of_type("model or null", Point | None, Kind.OBJECT, None, {"x": "a"}, "x"),
    of_type("list of models", list[Point], Kind.TABLE, [{"x": 1}], [{"x": "a"}], 0, "x"),
    of_type("map of lists", dict[str, list[int]], Kind.MAP, {"a": [1]}, {"a": ["b"]}, "a", 0),
    of_type("literal", Literal["a", "b"], Kind.CHOICE, "b", "c"),
    of_type("bounded list", Annotated[list[int], Field(max_length=2)], Kind.LIST, [1], [1, 2, 3]),
    of_type("several choices", list[Literal["a", "b"]], Kind.SELECTION, ["a", "a"], ["c"], 0),
    of_type("integer enum", Literal[1, 2], Kind.CHOICE, 2, "2"),
    of_type("nested tuples", list[tuple[float, float]], Kind.ROWS, [[1, 2.5]], [[1]], 0),
    of_type("optional list", list[str] | None, Kind.LIST, None, [1], 0),
)
