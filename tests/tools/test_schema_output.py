from __future__ import annotations

import array
import dataclasses
import datetime as dt
import decimal
import enum
import inspect
import json
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, NoReturn

import jsonschema
import numpy as np
import pytest
from pydantic import BaseModel, Field, PlainSerializer

from tools.schema import PlainOutput, output_for
from tools.spec import MISSING


class Color(enum.Enum):
    RED = "red"


class Hit(BaseModel):
    path: Path
    score: float
    inner: list[Hit] = []


class Renamed(BaseModel):
    x: int = Field(validation_alias="in", serialization_alias="out")


@dataclasses.dataclass
class Report:
    made_at: dt.datetime
    price: decimal.Decimal
    raw: bytes
    names: set[str]


class Opaque:
    """Nothing that JSON could say."""


NOW = dt.datetime(2026, 1, 2, tzinfo=dt.UTC)
UUID = uuid.UUID("12345678-1234-5678-1234-567812345678")


@pytest.mark.reference("E7", "E13")
@pytest.mark.parametrize(
    ("annotation", "value", "expected"),
    [
        (str, "a", "a"),
        (int, 2**70, 2**70),
        (float, 1.5, 1.5),
        (bool, True, True),
        (Color, Color.RED, "red"),
        (Path, Path("a/b"), "a/b"),
        (bytes, b"\xff\xef", "/+8="),
        (decimal.Decimal, decimal.Decimal("0.10000000000000000000000001"), "0.10000000000000000000000001"),
        (uuid.UUID, UUID, str(UUID)),
        (dt.timedelta, dt.timedelta(minutes=90), "PT1H30M"),
        (set[str], {"b", "a"}, ["a", "b"]),
        (tuple[int, str], (1, "a"), [1, "a"]),
        (dict[str, list[Path]], {"a": [Path("b")]}, {"a": ["b"]}),
        (Hit, Hit(path=Path("a"), score=1), {"path": "a", "score": 1.0, "inner": []}),
        (list[Hit] | None, None, None),
        (
            Report,
            Report(NOW, decimal.Decimal("1.10"), b"hi", {"b", "a"}),
            {"made_at": "2026-01-02T00:00:00Z", "price": "1.10", "raw": "aGk=", "names": ["a", "b"]},
        ),
        (Renamed, Renamed.model_validate({"in": 1}), {"out": 1}),
        (
            dict[str, Any],
            {"a": b"\xff", "b": {2, 1}, "c": NOW},
            {"a": "/w==", "b": [1, 2], "c": "2026-01-02T00:00:00Z"},
        ),
        (Iterator[int], iter([1, 2]), [1, 2]),
        (Annotated[int, PlainSerializer(str)], 3, "3"),
        (list[float], [float("nan"), float("-inf"), 1.0], ["NaN", "-Infinity", 1.0]),
    ],
)
def test_typed_results_become_json_values(annotation: Any, value: Any, expected: Any) -> None:
    output = output_for(annotation, owner="tests.tool")
    dumped = output.dump(value)
    assert dumped == expected
    assert json.loads(json.dumps(dumped)) == expected
    if annotation != list[float]:
        assert output.output_schema is not None
        jsonschema.validate(dumped, output.output_schema)


@pytest.mark.reference("E10")
@pytest.mark.parametrize("annotation", [None, type(None), inspect.Signature.empty, MISSING, NoReturn], ids=str)
def test_nothing_returned_or_said_has_no_schema(annotation: Any) -> None:
    output = output_for(annotation, owner="tests.tool")
    assert output.output_schema is None
    assert output.dump(None) is None
    assert output.dump({"a": Path("b")}) == {"a": "b"}


def test_a_result_type_without_json_schema_is_described_as_anything() -> None:
    output = output_for(Opaque, owner="tests.tool")
    assert output.output_schema == {}
    assert output.dump("text after all") == "text after all"


@pytest.mark.parametrize(
    ("annotation", "value", "where"),
    [
        (Opaque, Opaque(), "the result is of type 'Opaque'"),
        (Any, {"a": [1, Opaque()]}, r"the result\['a'\]\[1\] is of type 'Opaque'"),
        (list[int], [1, Opaque()], r"the result\[1\] is of type 'Opaque'"),
        (Report, Report(NOW, decimal.Decimal(1), b"", {Opaque()}), r"the result\.names\[0\] is of type"),  # type: ignore[arg-type]
    ],
)
def test_a_value_without_json_form_says_where_it_is(annotation: Any, value: Any, where: str) -> None:
    with pytest.raises(TypeError, match=where):
        output_for(annotation, owner="tests.tool").dump(value)


def test_a_value_that_contains_itself_is_refused() -> None:
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(TypeError, match="contains itself"):
        output_for(None, owner="tests.tool").dump(loop)


def test_a_value_of_another_type_than_promised_is_still_written() -> None:
    assert output_for(int, owner="tests.tool").dump("five") == "five"
    assert output_for(list[int], owner="tests.tool").dump({"a": Path("b")}) == {"a": "b"}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (np.int64(3), 3),
        (np.array([[1.5, float("nan")]]), [[1.5, "NaN"]]),
        (array.array("i", [1, 2]), [1, 2]),
        ({1: "a", None: "b", (1, 2): "c", Color.RED: "d"}, {"1": "a", "null": "b", "[1,2]": "c", "red": "d"}),
        (
            Report(NOW, decimal.Decimal("1.0"), b"a", {"b"}),
            {"made_at": "2026-01-02T00:00:00Z", "price": "1.0", "raw": "YQ==", "names": ["b"]},
        ),
        (Hit(path=Path("a"), score=float("inf")), {"path": "a", "score": "Infinity", "inner": []}),
        ((number for number in (1, 2)), [1, 2]),
        (memoryview(b"hi"), "aGk="),
        (Color.RED, "red"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_untyped_results_are_written_by_what_they_are(value: Any, expected: Any) -> None:
    dumped = output_for(inspect.Signature.empty, owner="tests.tool").dump(value)
    assert dumped == expected
    assert json.loads(json.dumps(dumped)) == expected


def test_a_given_schema_is_kept_and_values_are_written_plainly() -> None:
    schema: dict[str, Any] = {"type": "object", "properties": {"n": {"type": "integer"}}}
    output = PlainOutput(schema)
    assert output.output_schema == schema
    assert output.dump({"n": 1}) == {"n": 1}
    assert PlainOutput(None).output_schema is None
