"""What holds for every signature, checked on generated ones."""

from __future__ import annotations

import base64
import dataclasses
import datetime as dt
import decimal
import enum
import json
from collections.abc import Callable
from typing import Annotated, Any, Literal, NamedTuple

import jsonschema
import pytest
from annotated_types import Ge, Le, Len
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from tools.errors import ArgumentProblem, ArgumentsError
from tools.schema import SchemaArguments, arguments_for, for_type, json_text
from tools.spec import Parameter


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Node(BaseModel):
    name: str
    children: list[Node] = []


@dataclasses.dataclass
class Point:
    x: int
    y: float = 0.0


class Shape(NamedTuple):
    """A type together with the JSON values that fit it."""

    annotation: Any
    values: st.SearchStrategy[Any]


FLOATS = st.floats(allow_nan=False, allow_infinity=False)
NODES = st.recursive(
    st.fixed_dictionaries({"name": st.text()}),
    lambda inner: st.fixed_dictionaries({"name": st.text(), "children": st.lists(inner, max_size=2)}),
    max_leaves=4,
)
MOMENTS = st.datetimes(timezones=st.just(dt.UTC)).map(dt.datetime.isoformat)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | FLOATS | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
SCALARS = [
    Shape(str, st.text()),
    Shape(int, st.integers()),
    Shape(float, FLOATS),
    Shape(bool, st.booleans()),
    Shape(Color, st.sampled_from(["red", "blue"])),
    Shape(Literal["a", 1], st.sampled_from(["a", 1])),
    Shape(bytes, st.binary().map(lambda raw: base64.b64encode(raw).decode())),
    Shape(decimal.Decimal, st.decimals(allow_nan=False, allow_infinity=False).map(str)),
    Shape(dt.date, st.dates().map(dt.date.isoformat)),
    Shape(dt.datetime, MOMENTS),
    Shape(Annotated[int, Ge(1), Le(50)], st.integers(1, 50)),
    Shape(Annotated[str, Len(1, 5)], st.text(min_size=1, max_size=5)),
    Shape(
        Annotated[bytes, Len(1, 4)], st.binary(min_size=1, max_size=4).map(lambda raw: base64.b64encode(raw).decode())
    ),
    Shape(Node, NODES),
    Shape(Point, st.fixed_dictionaries({"x": st.integers()}, optional={"y": FLOATS})),
    Shape(Any, JSON),
]


def _one_item(shape: Shape) -> st.SearchStrategy[Shape]:
    items: Any = list
    mapping: Any = dict
    return st.sampled_from(
        [
            Shape(items[shape.annotation], st.lists(shape.values, max_size=3)),
            Shape(shape.annotation | None, st.none() | shape.values),
            Shape(mapping[str, shape.annotation], st.dictionaries(st.text(), shape.values, max_size=3)),
        ]
    )


def _pair(left: Shape, right: Shape) -> Shape:
    items: Any = tuple
    return Shape(items[left.annotation, right.annotation], st.tuples(left.values, right.values).map(list))


def _wider(inner: st.SearchStrategy[Shape]) -> st.SearchStrategy[Shape]:
    return inner.flatmap(_one_item) | st.builds(_pair, inner, inner)


SHAPES = st.recursive(st.sampled_from(SCALARS), _wider, max_leaves=4)


@st.composite
def _signatures(draw: st.DrawFn) -> tuple[list[Parameter], dict[str, Any]]:
    shapes = draw(st.lists(SHAPES, min_size=1, max_size=4))
    parameters = [
        Parameter(f"a{index}", f"p{index}" if draw(st.booleans()) else f"a{index}", shape.annotation)
        for index, shape in enumerate(shapes)
    ]
    return parameters, {f"a{index}": draw(shape.values) for index, shape in enumerate(shapes)}


SIGNATURES = _signatures()


@pytest.mark.reference("C18", "E15", "C41")
@settings(max_examples=80)
@given(SIGNATURES)
def test_what_fits_is_converted_alike_dumped_and_read_back_equal(case: tuple[list[Parameter], dict[str, Any]]) -> None:
    parameters, values = case
    arguments = arguments_for(parameters, owner="tests.tool")
    text = json.dumps(values)
    converted = arguments.validate_json(text)
    assert arguments.validate(values) == converted
    dumped = arguments.dump(converted)
    assert arguments.validate_json(json.dumps(dumped)) == converted
    assert arguments.validate(dumped) == converted
    assert arguments.dump(arguments.validate(dumped)) == dumped
    assert arguments.dump_json(converted) == json_text(dumped).encode()


@pytest.mark.reference("C41", "E7")
@settings(max_examples=80)
@given(SIGNATURES)
def test_the_schema_admits_what_the_validator_admits(case: tuple[list[Parameter], dict[str, Any]]) -> None:
    parameters, values = case
    arguments = arguments_for(parameters, owner="tests.tool")
    jsonschema.Draft202012Validator.check_schema(arguments.input_schema)
    jsonschema.validate(values, arguments.input_schema)
    jsonschema.validate(arguments.dump(arguments.validate(values)), arguments.input_schema)
    foreign = SchemaArguments(arguments.input_schema, owner="tests.remote")
    assert foreign.validate(values) == values


@pytest.mark.reference("E16", "C19")
@settings(max_examples=80)
@given(SIGNATURES, JSON, st.integers(0, 3))
def test_what_the_schema_refuses_is_a_problem_of_the_argument_that_is_wrong(
    case: tuple[list[Parameter], dict[str, Any]], odd: Any, position: int
) -> None:
    parameters, values = case
    name = f"a{position % len(parameters)}"
    values = {**values, name: odd}
    arguments = arguments_for(parameters, owner="tests.tool")
    found = _problems(lambda: arguments.validate(values))
    assert all(problem.path.startswith(name) for problem in found)
    assert all(problem.expected and len(problem.given) <= 80 for problem in found)
    assert bool(_problems(lambda: arguments.validate_json(json.dumps(values)))) == bool(found)


def _problems(validate: Callable[[], object]) -> tuple[ArgumentProblem, ...]:
    try:
        validate()
    except ArgumentsError as error:
        return error.problems
    return ()


@pytest.mark.reference("E11", "E13")
@settings(max_examples=60)
@given(SHAPES)
def test_every_type_has_a_document_without_references_in_both_dialects(shape: Shape) -> None:
    document = for_type(shape.annotation)
    jsonschema.Draft202012Validator.check_schema(document)
    for text in (json.dumps(document), json.dumps(for_type(shape.annotation, dialect="openapi-3.0"))):
        assert '"$ref"' not in text
        assert '"$defs"' not in text
