"""Arguments whose types only a worker has: what is checked without them, and that both ways come to the same."""

from __future__ import annotations

import enum
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field, SecretStr

from tools import ArgumentsError, Param, make_tool
from tools.schema import Arguments, SerializedParameters, arguments_told, parameters_of
from tools.schema.quick_validators import quick_validator
from tools.schema.remote_arguments import RemoteArguments

NOTHING: Any = None
"""A default that its own type refuses, as people write it."""


class Colour(enum.Enum):
    RED = "red"


class Tree(BaseModel):
    value: int
    children: list[Tree] = []


@dataclass
class Point:
    x: float
    y: float = 0.5


def plain_types(text: str, count: int, ratio: float, yes: bool, *, maybe: int | None = None) -> None: ...


def containers(
    numbers: list[int],
    by_name: dict[str, float],
    pair: tuple[int, str] = (1, "a"),
    names: frozenset[str] = frozenset(),
    deep: list[dict[str, list[bool]]] | None = None,
) -> None: ...


def fixed(pair: tuple[int, str]) -> None: ...


def words(  # noqa: PLR0917 -- one of each kind
    day: date,
    amount: Decimal,
    where: Path = Path("a/b"),
    span: timedelta = timedelta(minutes=1),
    colour: Colour = Colour.RED,
    level: Literal["low", "high"] = "low",
    at: datetime | None = None,
    data: bytes = b"\x00\xff",
) -> None: ...


def models(tree: Tree, point: Point | None = None) -> None: ...


def named(
    source: Annotated[str, Param("From", name="from")],
    target: Annotated[str, Param("To", name="to", default="${from}.bak")],
    count: Annotated[int, Param("Copies", default="${n:-3}")],
) -> None: ...


def made_anew(items: Annotated[list[int], Field(default_factory=lambda: [7])]) -> list[int]:
    return items


HUSH = SecretStr("hush")


def secret(key: SecretStr = HUSH, *, lost: int = NOTHING) -> None: ...


def patterned(code: Annotated[str, Field(pattern=r"^\p{Lu}+$")]) -> None: ...


def unions(value: float | bool, either: str | int, several: list[int] | int) -> None: ...


def both(function: Callable[..., Any]) -> tuple[Arguments, Arguments]:
    """Return the arguments with their types, and as another process knows them."""
    made = make_tool("tried", "Try.", function).arguments
    told = json.loads(json.dumps(parameters_of(made)))
    return made, arguments_told(SerializedParameters(*told), owner="tried")


GIVEN: list[tuple[Callable[..., Any], dict[str, Any]]] = [
    (plain_types, {"text": "a", "count": 1, "ratio": 2, "yes": True}),
    (plain_types, {"text": "1", "count": "1", "ratio": "2.5", "yes": "yes", "maybe": "4"}),
    (plain_types, {"text": "1", "count": 2.0, "ratio": "1e3", "yes": 0, "maybe": None}),
    (containers, {"numbers": ["1", 2], "by_name": {"a": "1.5"}}),
    (fixed, {"pair": ["3", "b"]}),
    (containers, {"numbers": (1, 2), "by_name": {}, "pair": ["3", "3"], "names": ["b", "a"]}),
    (containers, {"numbers": [], "by_name": {}, "deep": [{"a": ["true", False]}, {}]}),
    (words, {"day": "2026-11-22", "amount": "1.10"}),
    (words, {"day": date(2026, 11, 22), "amount": Decimal("1.10"), "where": Path("c"), "colour": Colour.RED}),
    (words, {"day": "2026-11-22", "amount": 2, "at": "2026-11-22T10:00:00", "data": "YWI=", "level": "high"}),
    (models, {"tree": {"value": "1", "children": [{"value": "2"}]}}),
    (models, {"tree": Tree(value=1, children=[Tree(value=2)]), "point": Point(1.0)}),
    (models, {"tree": {"value": 1}, "point": {"x": "1"}}),
    (named, {"from": "a"}),
    (named, {"from": "a", "to": "b", "count": "5"}),
    (made_anew, {}),
    (made_anew, {"items": ["1"]}),
    (secret, {}),
    (secret, {"key": "other", "lost": 3}),
    (patterned, {"code": "ÄÖ"}),
    (unions, {"value": "5", "either": "5", "several": ["1"]}),
    (unions, {"value": "1.5", "either": 5, "several": 1}),
]


@pytest.mark.parametrize(("function", "given"), GIVEN)
def test_both_ways_a_function_receives_the_same(function: Callable[..., Any], given: dict[str, Any]) -> None:
    typed, told = both(function)

    checked = told.validate(given)
    received = typed.validate_json(json.dumps(told.dump(checked)))

    assert received == typed.validate(given)
    assert list(received) == [name for name in typed.validate(given) if name in received]


@pytest.mark.parametrize(
    ("function", "given", "path"),
    [
        (plain_types, {"text": "a", "count": "many", "ratio": 1, "yes": True}, "count"),
        (plain_types, {"text": 1, "count": 1, "ratio": 1, "yes": True}, "text"),
        (plain_types, {"count": 1, "ratio": 1, "yes": True}, "text"),
        (plain_types, {"text": "a", "count": 1, "ratio": 1, "yes": True, "no": 1}, "no"),
        (containers, {"numbers": ["1", "x"], "by_name": {}}, "numbers[1]"),
        (models, {"tree": {"value": 1, "children": [{"value": "x"}]}}, "tree.children[0].value"),
        (named, {"source": "a"}, "from"),
    ],
)
def test_what_does_not_fit_is_told_as_with_types(
    function: Callable[..., Any], given: dict[str, Any], path: str
) -> None:
    typed, told = both(function)

    for arguments in (typed, told):
        with pytest.raises(ArgumentsError) as raised:
            arguments.validate(given)
        assert path in [problem.path for problem in raised.value.problems]


def test_the_values_stay_plain_and_have_the_function_s_names() -> None:
    _, told = both(named)

    assert told.validate({"from": "a"}) == {"source": "a", "target": "a.bak", "count": 3}
    assert told.dump({"source": "a", "count": 3}) == {"from": "a", "count": 3}
    assert json.loads(told.dump_json({"source": "a"})) == {"from": "a"}
    assert told.validate_json('{"from": "b", "to": "c"}')["target"] == "c"


def test_defaults_that_the_schema_shows_are_filled_in_and_others_are_left_to_the_worker() -> None:
    assert both(words)[1].validate({"day": "2026-11-22", "amount": 1})["where"] == "a/b"
    assert both(made_anew)[1].validate({}) == {}
    assert both(secret)[1].validate({}) == {}


def test_what_has_no_json_form_is_told() -> None:
    with pytest.raises(ArgumentsError, match="JSON form"):
        both(plain_types)[1].validate({"text": object()})


def test_the_schema_is_the_one_that_was_told() -> None:
    for function in (plain_types, patterned, named):
        typed, told = both(function)
        assert told.input_schema == json.loads(json.dumps(typed.input_schema))


def test_a_schema_written_by_hand_has_only_the_names_of_callers() -> None:
    made = make_tool("tried", "Try.", lambda **given: given, {"properties": {"a-b": {"type": "integer"}}}).arguments
    told = arguments_told(parameters_of(made), owner="tried")

    assert told.validate({"a-b": "3", "more": 1}) == made.validate({"a-b": "3", "more": 1}) == {"a-b": 3, "more": 1}


COMMON = (plain_types, fixed, models, named, made_anew, unions)


@pytest.mark.parametrize(("function", "given"), [pair for pair in GIVEN if pair[0] in COMMON])
def test_the_quick_way_and_the_thorough_way_come_to_the_same(
    function: Callable[..., Any], given: dict[str, Any]
) -> None:
    _, quick = both(function)
    _, thorough = both(function)
    assert isinstance(quick, RemoteArguments)
    assert isinstance(thorough, RemoteArguments)
    assert quick._quick is not None
    thorough._quick = None

    assert quick.validate(given) == thorough.validate(given)
    assert quick.validate_json(json.dumps(quick.dump(quick.validate(given)))) == quick.validate(given)


@pytest.mark.parametrize("schema", json.loads("""[
    {"type": "string", "pattern": "^a"}, {"type": "array", "uniqueItems": true}, {"enum": [1, 2]}, {"not": {}},
    {"oneOf": [{"type": "string"}, {"type": "integer"}]}, {"type": "string", "if": {}}, {"$ref": "#/properties/a"},
    {"type": "object", "patternProperties": {"^a": true}}, {"type": "object", "additionalProperties": false}, false
]"""))  # fmt: skip
def test_what_the_quick_way_does_not_understand_is_left_to_the_thorough_one(schema: Any) -> None:
    whole = {"type": "object", "properties": {"a": schema}, "additionalProperties": False}
    assert quick_validator(whole, {"a": "a"}, {}) is None


def test_nobody_shares_a_default() -> None:
    def listed(items: list[int] = [1]) -> None: ...  # noqa: B006 -- that is the question

    _, told = both(listed)
    told.validate({})["items"].append(2)
    assert told.validate({}) == {"items": [1]}


def test_numbers_keep_what_a_float_would_lose() -> None:
    def precise(amount: Decimal, count: int, *, more: list[Decimal] | None = None) -> None: ...

    _, told = both(precise)
    assert told.validate({"amount": 2**80 + 1, "count": 2**80 + 1, "more": [2**70 + 1, "1.10"]}) == {
        "amount": 2**80 + 1,
        "count": 2**80 + 1,
        "more": [2**70 + 1, "1.10"],
    }
