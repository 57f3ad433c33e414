"""Tests for `console.batch.document_text`."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from console.batch.document import PlanEditError
from console.batch.document_text import (
    after_words,
    arguments_words,
    names_after,
    parsed_arguments,
    steps_from_yaml,
    steps_yaml,
)
from tools.batch import BatchPlan, Rows, Step

STEPS = (
    Step(id="load", tool="read_csv", arguments={"path": "a.csv", "limit": 3}),
    Step(id="each", tool="t", rows=Rows(values="${steps.load.result}"), depends_on=("load",), timeout_s=2.0),
)
PLAN = BatchPlan(steps=(*STEPS, Step(id="last", tool="t", depends_on=("each", "gone", "load"))))


def test_steps_survive_the_clipboard() -> None:
    text = steps_yaml(STEPS)

    assert text.startswith("- id: load\n  tool: read_csv\n")
    assert tuple(steps_from_yaml(text)) == STEPS


def test_very_many_steps_survive_the_clipboard_as_well() -> None:
    steps = tuple(Step(id=f"s{number}", tool="t", arguments={"n": number}) for number in range(300))
    text = steps_yaml(steps)

    assert text.startswith("[")
    assert tuple(steps_from_yaml(text)) == steps


@pytest.mark.parametrize(
    "text",
    [
        "steps:\n  - {id: a, tool: t}",
        "- {id: a, tool: t}",
        "# mine\n\n- id: a\n  tool: t\n",
        '[{"id": "a", "tool": "t"}]',
        '{"name": "x", "steps": [{"id": "a", "tool": "t"}]}',
    ],
)
def test_steps_are_read_from_whatever_holds_steps(text: str) -> None:
    assert tuple(steps_from_yaml(text)) == (Step(id="a", tool="t"),)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("hello", "expected a plan with steps"),
        ("", "got nothing"),
        ("name: x", "no steps"),
        ("- id: 1x\n  tool: t", "expected a letter or _"),
        ("- id: [", "expected YAML"),
        pytest.param("[" * 3_000, "nested too deeply", id="too deep"),
    ],
)
def test_what_is_no_steps_is_refused(text: str, words: str) -> None:
    with pytest.raises(PlanEditError, match=words):
        steps_from_yaml(text)


def test_what_a_step_waits_for_is_told_by_number() -> None:
    assert [after_words(PLAN, place) for place in range(3)] == ["", "1", "gone, 1, 2"]


def test_numbers_and_names_mean_steps() -> None:
    assert names_after(PLAN, " 2, load,1 each;3") == ["each", "load", "last"]
    assert names_after(PLAN, "") == []
    for text in ("0", "4", "-1", "nobody"):
        with pytest.raises(PlanEditError, match=f"There is no step {text}"):
            names_after(PLAN, text)


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("", {}),
        ("path=data/a.csv limit=3", {"path": "data/a.csv", "limit": 3}),
        ('sql="SELECT 1" deep={"a": [1, 2]} on=true', {"sql": "SELECT 1", "deep": {"a": [1, 2]}, "on": True}),
        ("rows=${steps.a.result[?x == 'b c'].y} n=1", {"rows": "${steps.a.result[?x == 'b c'].y}", "n": 1}),
        ("url=https://x/${row.id}/y?a=${row.b c} k=", {"url": "https://x/${row.id}/y?a=${row.b c}", "k": ""}),
        ('{"a": 1}', {"a": 1}),
    ],
)
def test_a_line_means_arguments(text: str, arguments: dict[str, Any]) -> None:
    assert parsed_arguments(text) == arguments


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("path", "Expected name=value, got path"),
        ('a="x', "Expected JSON"),
        ("a=1 a=2", "a is given twice"),
        ("a=${steps.b", "Expected a closing brace"),
        ("{", "Expected a JSON object"),
        pytest.param(f"a={'[' * 3_000}", "Expected JSON", id="too deep"),
        pytest.param('{"a":' * 3_000, "Expected a JSON object", id="whole and too deep"),
    ],
)
def test_a_line_that_means_none_is_refused(text: str, words: str) -> None:
    with pytest.raises(PlanEditError, match=words):
        parsed_arguments(text)


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text()
    | st.sampled_from(["${a b}", "${x} y", "${'}'}", "${", "$${a}"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.from_regex(r"[a-z_]{1,6}", fullmatch=True), VALUES, max_size=4))
@example({"a": "${}", "_": "${"})
def test_arguments_survive_their_line(arguments: dict[str, Any]) -> None:
    assert parsed_arguments(arguments_words(arguments)) == arguments
