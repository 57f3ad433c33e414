from __future__ import annotations

import collections
import dataclasses
import datetime as dt
import decimal
import enum
import fractions
import ipaddress
import json
import math
import re
import sys
import typing
import uuid
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, NamedTuple, NewType, TypeVar

import jsonschema
import pytest
import typing_extensions
from annotated_types import Ge, Le, Len, MultipleOf
from pydantic import (
    AfterValidator,
    AnyUrl,
    Base64Bytes,
    BaseModel,
    ConfigDict,
    Field,
    Json,
    JsonValue,
    RootModel,
    SecretStr,
    Strict,
    computed_field,
    field_validator,
    model_validator,
)

from tools.errors import ArgumentProblem, ArgumentsError, DeclarationError
from tools.schema import Arguments, arguments_for, json_text
from tools.schema.schema_arguments import SchemaArguments
from tools.spec import MISSING, Param, Parameter, PathRole

T = TypeVar("T")
UserId = NewType("UserId", int)
Numbers = typing_extensions.TypeAliasType("Numbers", list[int])
Tree = typing_extensions.TypeAliasType("Tree", "dict[str, Tree] | list[Tree] | str | None")


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Size(enum.IntEnum):
    SMALL = 1
    LARGE = 2


class Context(BaseModel):
    before: Annotated[int, Field(ge=0, le=9)] = 0
    after: int = 0


class Node(BaseModel):
    name: str
    children: list[Node] = []


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int


class Dog(BaseModel):
    kind: Literal["dog"]
    barks: bool


class Renamed(BaseModel):
    x: int = Field(validation_alias="in", serialization_alias="out")
    hidden: str = Field("h", exclude=True)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def double(self) -> int:
        return self.x * 2


class Box(BaseModel, Generic[T]):
    item: T


class Exact(BaseModel):
    model_config = ConfigDict(strict=True)
    day: dt.date
    count: int


@dataclasses.dataclass
class Counted:
    name: str
    length: int = dataclasses.field(init=False)

    def __post_init__(self) -> None:
        self.length = len(self.name)


@dataclasses.dataclass
class Point:
    x: int
    next: Point | None = None


class Place(NamedTuple):
    line: int
    file: str = "a"


class OldRow(typing.TypedDict, total=False):
    key: typing.Required[int]
    note: str


class Loop(typing.TypedDict):
    inner: Loop | None


class NewRow(typing_extensions.TypedDict):
    key: int
    rows: typing_extensions.NotRequired[list[NewRow]]


def of(annotation: Any, default: Any = MISSING, **fields: Any) -> Arguments:
    return arguments_for([Parameter("x", "x", annotation, default, **fields)], owner="tests.tool")


def problems(arguments: Arguments, values: Any) -> list[ArgumentProblem]:
    with pytest.raises(ArgumentsError) as caught:
        arguments.validate(values)
    return list(caught.value.problems)


def one_problem(annotation: Any, value: Any) -> ArgumentProblem:
    [problem] = problems(of(annotation), {"x": value})
    return problem


UUID = uuid.UUID("12345678-1234-5678-1234-567812345678")

TYPES: list[tuple[Any, Any, Any]] = [
    (str, "", ""),
    (str, "null", "null"),
    (int, "5", 5),
    (int, 5.0, 5),
    (int, 2**70, 2**70),
    (float, "1.5", 1.5),
    (float, 3, 3.0),
    (bool, "yes", True),
    (bool, 0, False),
    (Color, "red", Color.RED),
    (Size, 2, Size.LARGE),
    (Literal["a", 3], 3, 3),
    (int | None, None, None),
    (int | str, "5", "5"),
    (int | str, 5, 5),
    (int | float, 1.5, 1.5),
    (bool | int, 1, 1),
    (list[int], ["1", 2], [1, 2]),
    (list, [1, "a"], [1, "a"]),
    (set[str], ["b", "a", "b"], {"a", "b"}),
    (frozenset[int], [2, 1], frozenset({1, 2})),
    (tuple[int, str], [1, "a"], (1, "a")),
    (tuple[int, ...], [1, 2], (1, 2)),
    (collections.deque[int], [1], collections.deque([1])),
    (Sequence[int], [1, "2"], [1, 2]),
    (Iterable[int], [1, "2"], [1, 2]),
    (dict[str, float], {"a": 1}, {"a": 1.0}),
    (dict[int, str], {"1": "a"}, {1: "a"}),
    (Mapping[str, list[int]], {"a": [1]}, {"a": [1]}),
    (Point, {"x": 1, "next": {"x": 2}}, Point(1, Point(2))),
    (Counted, {"name": "abc"}, Counted("abc")),
    (Exact, {"day": "2026-01-02", "count": 1}, Exact(day=dt.date(2026, 1, 2), count=1)),
    (Annotated[dt.date, Strict()], "2026-01-02", dt.date(2026, 1, 2)),
    (Place, [3, "b"], Place(3, "b")),
    (OldRow, {"key": 1}, {"key": 1}),
    (list[OldRow] | None, [{"key": 1, "note": "n"}], [{"key": 1, "note": "n"}]),
    (NewRow, {"key": 1, "rows": [{"key": 2}]}, {"key": 1, "rows": [{"key": 2}]}),
    (Context, {"before": "3"}, Context(before=3)),
    (Node, {"name": "a", "children": [{"name": "b"}]}, Node(name="a", children=[Node(name="b")])),
    (Box[list[int]], {"item": [1]}, Box[list[int]](item=[1])),
    (RootModel[list[int]], [1], RootModel[list[int]]([1])),
    (Renamed, {"in": 1, "hidden": "s"}, Renamed.model_validate({"in": 1, "hidden": "s"})),
    (Cat | Dog, {"kind": "dog", "barks": True}, Dog(kind="dog", barks=True)),
    (Annotated[Cat | Dog, Field(discriminator="kind")], {"kind": "cat", "lives": 9}, Cat(kind="cat", lives=9)),
    (dt.datetime, "2026-01-02T03:04:05Z", dt.datetime(2026, 1, 2, 3, 4, 5, tzinfo=dt.UTC)),
    (dt.date, "2026-01-02", dt.date(2026, 1, 2)),
    (dt.time, "03:04:05", dt.time(3, 4, 5)),
    (dt.timedelta, "PT1H30M", dt.timedelta(hours=1, minutes=30)),
    (Path, "a/b.txt", Path("a/b.txt")),
    (Path | None, "a", Path("a")),
    (uuid.UUID, str(UUID), UUID),
    (decimal.Decimal, "1.10", decimal.Decimal("1.10")),
    (fractions.Fraction, "1/3", fractions.Fraction(1, 3)),
    (bytes, "aGk=", b"hi"),
    (bytes, "_-8", b"\xff\xef"),
    (bytes, "", b""),
    (Base64Bytes, "aGk=", b"hi"),
    (AnyUrl, "https://example.org/a", AnyUrl("https://example.org/a")),
    (ipaddress.IPv4Address, "192.0.2.1", ipaddress.IPv4Address("192.0.2.1")),
    (re.Pattern[str], "a+", re.compile("a+")),
    (Json[list[int]], "[1]", [1]),
    (SecretStr, "open sesame", SecretStr("open sesame")),
    (UserId, 3, 3),
    (Numbers, [1], [1]),
    (Tree, {"a": ["b", None]}, {"a": ["b", None]}),
    (JsonValue, {"a": [1, None]}, {"a": [1, None]}),
    (Any, {"a": 1}, {"a": 1}),
    (Annotated[int, Ge(1), Le(5)], 5, 5),
    (Annotated[int, MultipleOf(5)], 10, 10),
    (Annotated[str, Len(1, 3)], "abc", "abc"),
    (Annotated[list[int], Len(0, 2)], [1, 2], [1, 2]),
    (Annotated[str, Field(pattern="^a+$")], "aa", "aa"),
    (Annotated[float, Field(allow_inf_nan=True)], "inf", float("inf")),
    (Annotated[str, Param("What it is")], "a", "a"),
    (Annotated[Path, PathRole(writes=True)], "a", Path("a")),
    (list[Annotated[Path, PathRole()]], ["a"], [Path("a")]),
]


@pytest.mark.reference("C16", "C18", "C20", "E13", "E15")
@pytest.mark.parametrize(("annotation", "given", "expected"), TYPES, ids=[f"{i}-{t[0]}" for i, t in enumerate(TYPES)])
def test_every_type_is_converted_from_values_and_from_json_alike(annotation: Any, given: Any, expected: Any) -> None:
    arguments = of(annotation)
    converted = arguments.validate({"x": given})
    assert converted == {"x": expected}
    assert type(converted["x"]) is type(expected)
    assert arguments.validate_json(json.dumps({"x": given})) == {"x": expected}


@pytest.mark.parametrize(
    ("annotation", "given"),
    [(kind, given) for kind, given, _ in TYPES],
    ids=[f"{i}-{t[0]}" for i, t in enumerate(TYPES)],
)
def test_what_is_dumped_fits_the_schema_and_reads_back_equal(annotation: Any, given: Any) -> None:
    arguments = of(annotation)
    converted = arguments.validate({"x": given})
    dumped = arguments.dump(converted)
    jsonschema.Draft202012Validator.check_schema(arguments.input_schema)
    if converted["x"] != float("inf"):
        jsonschema.validate(dumped, arguments.input_schema)
    assert arguments.validate_json(json.dumps(dumped)) == converted


REFUSED: list[tuple[Any, Any, str, str]] = [
    (str, None, "x", "a text"),
    (str, 5, "x", "a text"),
    (int, True, "x", "a whole number"),
    (int, 1.5, "x", "a whole number"),
    (int, "", "x", "a whole number"),
    (int, None, "x", "a whole number"),
    (list[int], [1, False], "x[1]", "a whole number"),
    (dict[str, int], {"a b": True}, 'x["a b"]', "a whole number"),
    (Context, {"after": True}, "x.after", "a whole number"),
    (Point, {"x": 1, "next": {"x": True}}, "x.next.x", "a whole number"),
    (float, True, "x", "a number"),
    (float, float("nan"), "x", "a finite number"),
    (float, "inf", "x", "a finite number"),
    (dt.timedelta, True, "x", "a duration such as PT1H30M"),
    (Size, True, "x", "one of 1, 2"),
    (Literal[1, 2], True, "x", "one of 1, 2"),
    (bool, 2, "x", "true or false"),
    (Color, "green", "x", "one of 'red', 'blue'"),
    (Literal["a"], "b", "x", "exactly 'a'"),
    (Annotated[int, Ge(1), Le(5000)], 5001, "x", "a whole number from 1 to 5000"),
    (Annotated[int, Ge(1)], 0, "x", "a whole number of at least 1"),
    (Annotated[float, Field(gt=0, lt=1)], 1, "x", "a number above 0 and below 1"),
    (Annotated[int, MultipleOf(5)], 3, "x", "a whole number that is a multiple of 5"),
    (Annotated[str, Len(1, 3)], "", "x", "a text of 1 to 3 characters"),
    (Annotated[list[int], Len(1, 2)], [], "x", "a list of whole numbers with 1 to 2 items"),
    (dt.datetime, "tomorrow", "x", "a date and time such as 2026-03-31T09:30:00Z"),
    (dt.date, "2026-13-01", "x", "a date such as 2026-03-31"),
    (Path, 3, "x", "a path"),
    (uuid.UUID, "1", "x", "a UUID"),
    (bytes, "*", "x", "base64 text"),
    (AnyUrl, "nope", "x", "a URL such as https://example.org/page"),
    (int | str | None, [], "x", "a whole number or a text or null"),
    (int | list[int], ["a"], "x[0]", "a whole number"),
    (int | list[Cat], [{"kind": "cat"}], "x[0].lives", "a whole number"),
    (Cat | Dog, {"kind": "cow"}, "x.kind", "exactly 'cat' or exactly 'dog'"),
    (Cat | Dog, {"kind": "cat", "lives": "q"}, "x.lives", "a whole number"),
    (Annotated[Cat | Dog, Field(discriminator="kind")], {"kind": "cow"}, "x.kind", "one of 'cat', 'dog'"),
    (Annotated[Cat | Dog, Field(discriminator="kind")], {}, "x.kind", "one of 'cat', 'dog'"),
    (tuple[int, str], [1], "x[1]", "a text"),
    (Cat, 3, "x", "an object with kind, lives"),
    (Counted, {"name": "a", "length": 3}, "x.length", "no argument of this name (the known names are name)"),
    (Exact, {"day": "2026-01-02", "count": "1"}, "x.count", "a whole number"),
    (Exact, {"day": "soon", "count": 1}, "x.day", "a date such as 2026-03-31"),
]


@pytest.mark.reference("C19", "E15")
@pytest.mark.parametrize(
    ("annotation", "given", "path", "expected"), REFUSED, ids=[f"{i}-{t[0]}" for i, t in enumerate(REFUSED)]
)
def test_a_value_that_does_not_fit_is_one_problem_that_says_what_would(
    annotation: Any, given: Any, path: str, expected: str
) -> None:
    problem = one_problem(annotation, given)
    assert (problem.path, problem.expected) == (path, expected)


@pytest.mark.reference("E16")
def test_all_problems_are_reported_at_once_with_path_expectation_and_value() -> None:
    arguments = arguments_for(
        [
            Parameter("path", "path", Path),
            Parameter("limit", "limit", Annotated[int, Ge(1), Le(5000)], 10),
            Parameter("context", "context", Context, None),
            Parameter("include", "include", list[int], None),
        ],
        owner="tests.tool",
    )
    found = problems(arguments, {"limit": 0, "context": {"before": 10}, "include": [1, 2, "three"], "pth": "a"})
    assert [(item.path, item.given, item.kind) for item in found] == [
        ("path", "nothing", "missing"),
        ("limit", "0", "greater_than_equal"),
        ("context.before", "10", "less_than_equal"),
        ("include[2]", "'three'", "int_parsing"),
        ("pth", "'a'", "extra_forbidden"),
    ]
    assert found[-1].expected == "no argument of this name (did you mean 'path'?)"


def test_an_unknown_name_lists_the_known_ones_when_none_is_close() -> None:
    assert problems(of(int, 1), {"zzzz": 1})[0].expected == "no argument of this name (the known names are x)"
    assert problems(arguments_for([], owner="o"), {"zzzz": 1})[0].expected == "no argument of this name (it takes none)"


@pytest.mark.parametrize("annotation", [Context, Point, OldRow, NewRow, Context | None, list[Context]], ids=str)
def test_unknown_fields_of_nested_objects_are_refused_too(annotation: Any) -> None:
    value = {"x": 1, "key": 1, "befor": 1}
    wanted = {"befor": 1} if annotation not in (Point, OldRow, NewRow) else {k: value[k] for k in _fields(annotation)}
    given: Any = [wanted] if annotation == list[Context] else wanted
    found = problems(of(annotation), {"x": given})
    assert found[0].kind == "extra_forbidden"
    assert found[0].path.endswith(".befor")


def _fields(annotation: Any) -> tuple[str, str]:
    return ("x", "befor") if annotation is Point else ("key", "befor")


def test_a_nested_class_may_say_that_it_ignores_or_keeps_unknown_fields() -> None:
    class Ignoring(BaseModel):
        model_config = ConfigDict(extra="ignore")

    class Keeping(BaseModel):
        model_config = ConfigDict(extra="allow")

    assert of(Ignoring).validate({"x": {"a": 1}})["x"].model_dump() == {}
    assert of(Keeping).validate({"x": {"a": 1}})["x"].model_dump() == {"a": 1}
    assert "additionalProperties" not in of(Ignoring).input_schema["$defs"]["Ignoring"]  # type: ignore[operator,index,call-overload]


def test_a_validator_of_the_author_speaks_for_itself() -> None:
    class Even(BaseModel):
        number: int
        other: int = 0

        @field_validator("number")
        @classmethod
        def check(cls, value: int) -> int:
            if value % 2:
                raise ValueError("must be even")
            return value

        @model_validator(mode="after")
        def compare(self) -> Even:
            if self.number < self.other:
                raise ValueError("number must not be below other")
            return self

    def refuse(value: int) -> int:
        raise ValueError(f"not {value}")

    assert one_problem(Even, {"number": 3}).expected == "a whole number (must be even)"
    assert one_problem(Even, {"number": 2, "other": 3}).expected.endswith("(number must not be below other)")
    assert one_problem(Annotated[int, AfterValidator(refuse)], 3).expected == "a whole number (not 3)"


def test_a_validator_that_breaks_is_a_problem_and_no_crash() -> None:
    def broken(value: int) -> int:
        raise KeyError(value)

    arguments = of(Annotated[int, AfterValidator(broken)])
    words = r"values its own validators can read \(KeyError: 3\)"
    with pytest.raises(ArgumentsError, match=words) as caught:
        arguments.validate({"x": 3})
    assert isinstance(caught.value.__cause__, KeyError)
    with pytest.raises(ArgumentsError, match=words):
        arguments.validate_json('{"x": 3}')


@pytest.mark.parametrize("value", [10**5000, object, [[[]]] * 3, {"a": {1: 2}}, b"\xff"], ids=type)
def test_strange_values_are_problems_too(value: Any) -> None:
    for kind in (str, Color, dt.date, list[int], dict[str, int], Node, Cat | Dog, Exact):
        assert problems(of(kind), {"x": value})


@pytest.mark.parametrize(
    "text", [b"\xff", '{"x":' + "[" * 5000, '{"x": "\\ud800"}', '{"x": NaN}', '{"x": 1e400}'], ids=len
)
def test_strange_texts_are_problems_too(text: str | bytes) -> None:
    for kind in (int, float, Node):
        with pytest.raises(ArgumentsError):
            of(kind).validate_json(text)


@pytest.mark.parametrize("kind", ["integer", "number", "boolean"])
def test_half_of_a_surrogate_pair_is_a_problem_where_a_text_may_be_a_number(kind: str) -> None:
    arguments = SchemaArguments({"type": "object", "properties": {"x": {"type": kind}}}, owner="climb")
    with pytest.raises(ArgumentsError, match="x: expected"):
        arguments.validate({"x": "\ud800"})


@pytest.mark.reference("C44")
@pytest.mark.parametrize(
    ("text", "position"),
    [('{"x": }', "line 1, column 7"), ('{"x": 1,\n "y" 2}', "line 2, column 6"), ("", "line 1, column 0")],
)
def test_text_that_is_not_json_says_where(text: str, position: str) -> None:
    with pytest.raises(ArgumentsError, match=position) as caught:
        of(int).validate_json(text)
    assert caught.value.problems[0].kind == "json_invalid"


@pytest.mark.parametrize("text", ["[1]", "3", "null", '"x"'])
def test_json_that_is_no_object_is_refused(text: str) -> None:
    with pytest.raises(ArgumentsError, match="expected an object with x"):
        of(int).validate_json(text)


def test_values_may_come_in_any_mapping() -> None:
    assert of(int).validate(collections.ChainMap({"x": "1"})) == {"x": 1}


def test_a_huge_value_is_shortened() -> None:
    problem = one_problem(int, "9" * 10_000 + "x")
    assert len(problem.given) <= 80
    assert len(one_problem(int, list(range(100_000))).given) <= 80


def test_what_was_given_for_a_secret_is_not_repeated() -> None:
    problem = one_problem(SecretStr, ["open sesame"])
    assert problem.given == "a hidden value"


@pytest.mark.reference("C14", "C17", "A18")
def test_defaults_are_filled_converted_and_never_shared() -> None:
    made: list[list[int]] = []

    def make() -> list[int]:
        made.append([1])
        return made[-1]

    arguments = arguments_for(
        [
            Parameter("path", "path", Path, "."),
            Parameter("rate", "rate", float, 1),
            Parameter("color", "color", Color, "red"),
            Parameter("tags", "tags", list[str], ["a"]),
            Parameter("made", "made", list[int], default_factory=make),
            Parameter("none", "none", int, None),
            Parameter("outside", "outside", Annotated[int, Ge(1)], 0),
        ],
        owner="tests.tool",
    )
    first = arguments.validate({})
    assert first == {
        "path": Path(),
        "rate": 1.0,
        "color": Color.RED,
        "tags": ["a"],
        "made": [1],
        "none": None,
        "outside": 0,
    }
    first["tags"].append("b")
    assert arguments.validate({})["tags"] == ["a"]
    assert len(made) == 2
    assert "required" not in arguments.input_schema


def test_a_default_inside_the_annotation_counts() -> None:
    arguments = of(Annotated[int, Field(default=3, ge=1)])
    assert arguments.validate({}) == {"x": 3}
    assert "required" not in arguments.input_schema


@pytest.mark.reference("C15")
def test_a_default_of_none_makes_optional_but_does_not_admit_null() -> None:
    arguments = of(int, None)
    assert arguments.validate({}) == {"x": None}
    assert problems(arguments, {"x": None})[0].expected == "a whole number"


@pytest.mark.reference("C29", "C31")
def test_placeholders_in_defaults_take_earlier_arguments_left_to_right_and_are_converted() -> None:
    arguments = arguments_for(
        [
            Parameter("folder", "folder_", Path, "${unknown:-src}"),
            Parameter("file", "file", Path, "${folder}/a.txt"),
            Parameter("count", "count", int, "${missing:-7}"),
            Parameter("again", "again", int, "${count}"),
            Parameter("text", "text", str, "$${count} ${later} ${flag}"),
            Parameter("flag", "flag", bool, False),
            Parameter("later", "later", str, "x"),
        ],
        owner="tests.tool",
    )
    assert arguments.validate({}) == {
        "folder_": Path("src"),
        "file": Path("src/a.txt"),
        "count": 7,
        "again": 7,
        "text": "${count} ${later} ${flag}",
        "flag": False,
        "later": "x",
    }
    given = arguments.validate_json('{"folder": "lib", "count": "3"}')
    assert (given["file"], given["again"]) == (Path("lib/a.txt"), 3)
    assert arguments.input_schema["properties"]["file"]["default"] == "${folder}/a.txt"  # type: ignore[index,call-overload]


def test_a_placeholder_that_leads_to_a_wrong_value_is_a_problem_of_its_parameter() -> None:
    arguments = arguments_for(
        [Parameter("name", "name", str), Parameter("count", "count", int, "${name}")], owner="tests.tool"
    )
    [problem] = problems(arguments, {"name": "ten"})
    assert (problem.path, problem.expected, problem.given) == ("count", "a whole number", "'ten'")


@pytest.mark.reference("C12", "C16")
def test_the_caller_and_the_function_may_use_different_names() -> None:
    arguments = arguments_for([Parameter("from", "from_", int), Parameter("to", "to", int)], owner="tests.tool")
    assert arguments.validate({"from": 1, "to": 2}) == {"from_": 1, "to": 2}
    assert arguments.dump({"from_": 1, "to": 2}) == {"from": 1, "to": 2}
    assert arguments.dump({"from_": 1}) == {"from": 1}
    assert [item.path for item in problems(arguments, {"from_": 1, "to": 2})] == ["from", "from_"]


@pytest.mark.reference("C13", "C27", "C41", "A17")
def test_the_schema_names_types_descriptions_defaults_units_and_what_is_required() -> None:
    arguments = arguments_for(
        [
            Parameter("pattern", "pattern", str, description="What to look for"),
            Parameter("limit", "limit", Annotated[int, Ge(1), Le(50)], 10, unit="lines"),
            Parameter("color", "color", Color | None, None),
            Parameter("target", "target", Annotated[Path, PathRole(writes=True)], "out"),
            Parameter("paths", "paths", list[Annotated[Path, PathRole()]], description="Where"),
            Parameter("context", "context", Context, Context(before=1)),
        ],
        owner="tests.tool",
    )
    assert arguments.input_schema == {
        "type": "object",
        "properties": {
            "pattern": {"type": "string", "description": "What to look for"},
            "limit": {"type": "integer", "minimum": 1, "maximum": 50, "default": 10, "x-unit": "lines"},
            "color": {"anyOf": [{"enum": ["red", "blue"], "type": "string"}, {"type": "null"}], "default": None},
            "target": {"type": "string", "format": "path", "x-writes": True, "default": "out"},
            "paths": {"type": "array", "items": {"type": "string", "format": "path"}, "description": "Where"},
            "context": {"$ref": "#/$defs/Context", "default": {"before": 1, "after": 0}},
        },
        "required": ["pattern", "paths"],
        "additionalProperties": False,
        "$defs": {
            "Context": {
                "type": "object",
                "properties": {
                    "before": {"type": "integer", "minimum": 0, "maximum": 9, "default": 0},
                    "after": {"type": "integer", "default": 0},
                },
                "additionalProperties": False,
            }
        },
    }
    assert arguments.input_schema is arguments.input_schema


def test_only_titles_that_an_author_wrote_appear() -> None:
    class Titled(BaseModel):
        model_config = ConfigDict(title="A good title")
        plain: int
        said: int = Field(title="Said")

    text = json.dumps(of(Titled).input_schema)
    assert text.count('"title"') == 2
    assert '"A good title"' in text
    assert '"Said"' in text


def test_bytes_are_base64_with_lengths_of_the_text() -> None:
    arguments = of(Annotated[bytes, Len(2, 4)])
    assert arguments.input_schema["properties"] == {
        "x": {"type": "string", "contentEncoding": "base64", "minLength": 3, "maxLength": 8}
    }
    assert arguments.validate({"x": b"raw"}) == {"x": b"raw"}
    assert problems(arguments, {"x": "aGVsbG8="})[0].kind == "bytes_too_long"


def test_recursive_types_are_described_by_reference() -> None:
    schema = of(Node).input_schema
    assert schema["$defs"]["Node"]["properties"]["children"]["items"] == {"$ref": "#/$defs/Node"}  # type: ignore[index,call-overload]


def test_two_parameters_may_share_a_recursive_type() -> None:
    arguments = arguments_for([Parameter("a", "a", Node), Parameter("b", "b", list[Node])], owner="o")
    assert list(arguments.input_schema["$defs"]) == ["Node"]  # type: ignore[arg-type]
    converted = arguments.validate({"a": {"name": "n"}, "b": [{"name": "m", "children": [{"name": "k"}]}]})
    assert converted["b"][0].children == [Node(name="k")]


def test_classes_of_one_name_are_kept_apart() -> None:
    def make(field: type) -> Any:
        class Same(BaseModel):
            value: field  # type: ignore[valid-type]

        return Same

    arguments = arguments_for([Parameter("a", "a", make(int)), Parameter("b", "b", make(str))], owner="o")
    assert len(arguments.input_schema["$defs"]) == 2  # type: ignore[arg-type]
    assert arguments.validate({"a": {"value": 1}, "b": {"value": "t"}})["b"].value == "t"


def test_sets_and_keys_dump_in_one_order() -> None:
    arguments = of(dict[str, set[str]])
    dumped = arguments.dump({"x": {"k": {"b", "c", "a"}}})
    assert dumped == {"x": {"k": ["a", "b", "c"]}}


def test_any_values_are_dumped_like_typed_ones() -> None:
    assert of(Any).dump({"x": {"b": b"\xff", "s": {2, 1}}}) == {"x": {"b": "/w==", "s": [1, 2]}}


def test_a_value_of_another_type_is_dumped_by_what_it_is() -> None:
    arguments = arguments_for([Parameter("a", "a_", int), Parameter("b", "b", list[int])], owner="o")
    assert arguments.dump({"a_": "text", "b": [Path("p")]}) == {"a": "text", "b": ["p"]}
    with pytest.raises(TypeError, match=r"argument b\[0\] is of type 'object'"):
        arguments.dump({"a_": 1, "b": [object()]})


@pytest.mark.parametrize(
    ("annotation", "value"),
    [
        (dict[str, set[str]], {"k": {"b", "c", "a"}}),
        (Any, {"b": b"\xff", "s": {2, 1}, "n": math.nan, "p": Path("p"), 3: None}),
        (float, math.inf),
        (list[float], [math.nan, 1e-7, 0.1 + 0.2]),
        (int, "text"),
        (list[int], [Path("p"), 2**70]),
        (str, "caf\udce9"),
        (SecretStr, SecretStr("open sesame")),
    ],
    ids=["sets", "anything", "infinite", "numbers", "another type", "others inside", "no text", "secret"],
)
def test_what_is_dumped_as_text_is_what_is_dumped(annotation: Any, value: Any) -> None:
    arguments = of(annotation)
    assert arguments.dump_json({"x": value}) == json_text(arguments.dump({"x": value})).encode()


def test_what_has_no_json_form_is_named() -> None:
    with pytest.raises(TypeError, match=r"argument x\[0\] is of type 'object'"):
        of(list[int]).dump_json({"x": [object()]})


def test_a_secret_survives_the_round_trip_of_an_edit() -> None:
    arguments = of(SecretStr)
    assert arguments.dump(arguments.validate({"x": "open sesame"})) == {"x": "open sesame"}
    assert arguments.input_schema["properties"]["x"]["writeOnly"] is True  # type: ignore[index,call-overload]


@pytest.mark.parametrize(
    "annotation",
    [typing.Callable[[], int], type[int], re.Match, "NotThere", typing.Awaitable[int]],
    ids=str,
)
def test_a_type_that_no_caller_can_give_is_refused_at_declaration(annotation: Any) -> None:
    with pytest.raises(DeclarationError, match=r"my\.tool: parameter 'odd' has the type"):
        arguments_for([Parameter("odd", "odd", annotation)], owner="my.tool")


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="from Python 3.12 on pydantic reads it as it is")
def test_a_recursive_old_typed_dict_says_what_to_do() -> None:
    with pytest.raises(DeclarationError, match="typing_extensions"):
        of(Loop)


def test_two_parameters_of_one_name_are_refused() -> None:
    with pytest.raises(DeclarationError, match="two parameters are called 'a'"):
        arguments_for([Parameter("a", "a", int), Parameter("a", "b", int)], owner="o")


def test_the_order_of_a_union_is_not_mixed_up_with_an_equal_one() -> None:
    assert of(int | str).input_schema["properties"] == {"x": {"anyOf": [{"type": "integer"}, {"type": "string"}]}}
    assert of(str | int).input_schema["properties"] == {"x": {"anyOf": [{"type": "string"}, {"type": "integer"}]}}


def test_a_tool_without_parameters_takes_an_empty_object() -> None:
    arguments = arguments_for([], owner="o")
    assert arguments.validate_json("{}") == {}
    assert arguments.input_schema == {"type": "object", "properties": {}, "additionalProperties": False}
