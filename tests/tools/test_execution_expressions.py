from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tools import ContractError, DeclarationError, contract, security, tool
from tools.execution.expressions import compile_clause

if TYPE_CHECKING:
    from tests.tools.running import ExecutorOf

pytestmark = pytest.mark.expects_log("tools.calls")


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
