from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from tools import ContractError, DeclarationError, contract, security, tool
from tools.execution.expressions import compile_clause

if TYPE_CHECKING:
    from tests.tools.running import ExecutorOf


def check(clause: Any, **values: Any) -> None:
    compile_clause(clause, kind="precondition", owner="owner")(values)


@pytest.mark.parametrize(
    ("clause", "values"),
    [
        ("a > 0 and b in ('x', 'y')", {"a": 1, "b": "x"}),
        ("len(words) <= 3", {"words": ["a"]}),
        ("all(word.startswith('a') for word in words)", {"words": ["a", "ab"]}),
        ("text.strip().lower() == 'hi'", {"text": " HI "}),
        ("thing['a'][0] == 1", {"thing": {"a": [1]}}),
        (" a == 1 ", {"a": 1}),
        ("max(a, b) - min(a, b) < 5 if a else True", {"a": 1, "b": 3}),
        (lambda a: a > 0, {"a": 1}),
        (lambda a: None, {"a": 0}),
        (lambda missing: missing is None, {}),
    ],
)
def test_clauses_that_hold_say_nothing(clause: Any, values: dict[str, Any]) -> None:
    check(clause, **values)


def _positive(a: int) -> bool:
    return a > 0


def _asserts(a: int) -> None:
    assert a > 0, "a must be positive"


def _breaks(a: int) -> bool:
    return a > len(None)  # type: ignore[arg-type]


@pytest.mark.reference("A31", "A36")
@pytest.mark.parametrize(
    ("clause", "message"),
    [
        ("a > 5 and b", "the precondition 'a > 5 and b' does not hold (a = 1, b = 'x')"),
        ("False", "the precondition 'False' does not hold"),
        ("0", "the precondition '0' does not hold"),
        (lambda a: a > 5, "the precondition '<lambda>' does not hold (a = 1)"),
        (lambda a: 0, "the precondition '<lambda>' does not hold (a = 1)"),
        (lambda b: _positive(-1), "the precondition '<lambda>' does not hold (b = 'x')"),
        (lambda: _asserts(-1), "the precondition '<lambda>' does not hold: a must be positive"),
        (_breaks, "the precondition '_breaks' could not be checked: object of type 'NoneType' has no len()"),
        ("unknown > 1", "the precondition 'unknown > 1' could not be checked: 'unknown' is not defined"),
        ("a / 0", "the precondition 'a / 0' could not be checked: division by zero"),
    ],
)
def test_clauses_that_do_not_hold_show_the_values(clause: Any, message: str) -> None:
    with pytest.raises(ContractError) as caught:
        check(clause, a=1, b="x")
    assert str(caught.value).startswith(message)


class Order(NamedTuple):
    total: int
    lines: list[dict[str, Any]]


@pytest.mark.reference("A31", "A36")
@pytest.mark.parametrize(
    ("clause", "shown"),
    [
        ("result.total > limit", "limit = 3, result.total = 2"),
        ("options['depth'] < options[\"most\"]", "options['depth'] = 5, options['most'] = 4"),
        ("result.lines[0]['price'] > 9", "result.lines[0]['price'] = 1"),
        ("result.lines[place]['price'] > 9", "place = 1, result.lines[place]['price'] = 7"),
        ("options.get('depth') > 9", "options = {'depth': 5, 'most': 4}"),
        ("len(result.lines) > limit", "limit = 3, result.lines = [{'price': 1}, {'price': 7}]"),
        (
            "all(line['price'] > limit for line in result.lines)",
            "limit = 3, result.lines = [{'price': 1}, {'price': 7}]",
        ),
        ("limit > 5 and options['nothing']", "limit = 3, options = {'depth': 5, 'most': 4}"),
        ("limit > 5 or result.total > 5", "limit = 3, result.total = 2"),
        ("options['de' + 'pth'] > 9", "options['de' + 'pth'] = 5"),
        ("abs(result.total) > 9", "result.total = 2"),
    ],
)
def test_what_is_shown_is_what_the_clause_looks_at(clause: str, shown: str) -> None:
    values = {
        "result": Order(2, [{"price": 1}, {"price": 7}]),
        "options": {"depth": 5, "most": 4},
        "limit": 3,
        "place": 1,
    }
    with pytest.raises(ContractError) as caught:
        check(clause, **values)
    assert str(caught.value) == f"the precondition {clause!r} does not hold ({shown})"


def test_messages_show_so_many_values_and_not_more() -> None:
    clause = " + ".join(f"a[{place}]" for place in range(14)) + " > 0"
    with pytest.raises(ContractError, match=r"a\[5\] = 0, and 4 more\)$"):
        check(clause, a=[0] * 14)


@pytest.mark.parametrize(
    ("clause", "path"),
    [
        ("auth['token'] == 1", "auth.token"),
        ("auth.token == 1", "auth.token"),
        ("items[0]['secret'] == 1", "items[0].secret"),
        ("items[place]['secret'] == 1", "items"),
        ("items[-1].secret == 1", "items"),
        ("auth['to' + 'ken'] == 1", "auth"),
        ("auth['not a name'] == 1", "auth"),
        ("auth.get('token') == 1", "auth"),
        ("items[0:1] == 1", "items"),
    ],
)
def test_whether_a_value_may_be_shown_is_asked_for_the_place_where_it_is(clause: str, path: str) -> None:
    asked: list[str] = []

    def hidden(place: str) -> bool:
        asked.append(place)
        return place == path

    class Token(NamedTuple):
        token: str = "s3cret"
        secret: str = "s3cret"

    secrets = {"token": "s3cret", "not a name": "s3cret"}
    auth: Any = Token() if "auth.token" in clause else secrets
    items: Any = [Token()] if ".secret" in clause else [{"secret": "s3cret"}]
    compiled = compile_clause(clause, kind="precondition", owner="o", hidden=hidden)
    with pytest.raises(ContractError) as caught:
        compiled({"auth": auth, "items": items, "place": 0})
    assert path in asked
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize(
    "clause",
    [
        "open('x')",
        "__import__('os').system('true')",
        "path.unlink()",
        "path.replace('b')",
        "words.append(1)",
        "words.clear()",
        "eval('1')",
        "(lambda: 1)()",
        "[f for f in [print]][0]('x')",
    ],
)
def test_an_expression_cannot_do_anything(clause: str, tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.touch()
    words = [1]
    with pytest.raises((DeclarationError, ContractError)):
        check(clause, path=path, words=words)
    assert path.exists()
    assert words == [1]


@pytest.mark.parametrize("clause", ["().__class__", "a.__class__", "9**9**9", "'x' * 10**9", "a := 3", "import os"])
def test_an_expression_cannot_look_behind_or_burn_the_machine(clause: str) -> None:
    with pytest.raises((DeclarationError, ContractError)):
        check(clause, a=1)


def test_an_expression_that_is_none_is_refused_with_its_owner() -> None:
    with pytest.raises(DeclarationError, match=r"owner: the precondition '1 \+' is not an expression"):
        compile_clause("1 +", kind="precondition", owner="owner")


def test_long_values_are_cut_and_hidden_ones_are_not_shown() -> None:
    hidden = compile_clause("len(key) > 9 and word", kind="precondition", owner="o", hidden=lambda name: name == "key")
    with pytest.raises(ContractError) as caught:
        hidden({"key": "s3cret", "word": "w" * 500})
    assert "s3cret" not in str(caught.value)
    assert len(str(caught.value)) < 200


def test_masked_arguments_stay_hidden_in_every_clause_of_a_tool(executor_of: ExecutorOf) -> None:
    @tool
    @security(mask_fields=["key"])
    @contract(pre=[lambda key: len(key) < 20, "len(key) > 9"], post="result == key")
    async def masked(key: str) -> str:
        await asyncio.sleep(0)
        return "no"

    @tool
    @security(sensitive=True)
    @contract(post="result == word")
    async def sensitive(word: str) -> str:
        await asyncio.sleep(0)
        return f"{word}!"

    executor = executor_of(masked, sensitive)
    for given in ("s3cret", "s3cret-s3cret", "s3cret-s3cret-s3cret-s3cret"):
        text = executor.run("masked", {"key": given}).text
        assert "does not hold" in text
        assert "s3cret" not in text
    assert "s3cret" not in executor.run("sensitive", {"word": "s3cret"}).text
