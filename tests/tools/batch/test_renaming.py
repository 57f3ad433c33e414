"""Tests for `tools.batch.renaming`."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.batch import BatchPlan, Rows, Step
from tools.batch.expressions import compiled, needs_of, templates_in, worked_out
from tools.batch.renaming import with_renamed_step

EXPRESSIONS = [
    ("steps.read.result", "steps.load.result"),
    ("steps.read.result.steps.read", "steps.load.result.steps.read"),
    ("steps.read.result[?steps.read == `1`]", "steps.load.result[?steps.read == `1`]"),
    ("length(steps.read.result) > `1` && steps.read.status == 'done'", None),
    ("steps . read . result | steps.read", "steps . load . result | steps.read"),
    ('steps."read".result', "steps.load.result"),
    ("row.steps.read", "row.steps.read"),
    ("'steps.read'", "'steps.read'"),
    ("steps.reader.result", "steps.reader.result"),
    ("{a: steps.read.result, read: row.read}", "{a: steps.load.result, read: row.read}"),
    ("map(&steps.read, steps.read.result)", "map(&steps.read, steps.load.result)"),
    ("steps.read.result[", "steps.read.result["),
]


def _plan(**rest: object) -> BatchPlan:
    return BatchPlan.model_validate({"steps": [{"id": "read", "tool": "t"}, {"id": "use", "tool": "t", **rest}]})


@pytest.mark.parametrize(("before", "after"), EXPRESSIONS, ids=range(len(EXPRESSIONS)))
def test_a_condition_follows_a_step_to_its_new_name(before: str, after: str | None) -> None:
    renamed = with_renamed_step(_plan(condition=before), "read", "load")

    assert renamed.steps[1].condition == (before.replace("steps.read", "steps.load") if after is None else after)


def test_everything_that_names_a_step_follows() -> None:
    plan = _plan(
        depends_on=["read"],
        arguments={"a": {"b": ["x ${steps.read.result} $${steps.read} ${ steps.read.status }"]}, "read": "read"},
        rows={"values": "${steps.read.result}"},
    )

    renamed = with_renamed_step(plan, "read", "a-b")

    use = renamed.steps[1]
    assert [step.id for step in renamed.steps] == ["a-b", "use"]
    assert use.depends_on == ("a-b",)
    assert use.arguments["a"] == {"b": ['x ${steps."a-b".result} $${steps.read} ${ steps."a-b".status }']}
    assert use.arguments["read"] == "read"
    assert use.rows == Rows(values='${steps."a-b".result}')


def test_a_text_that_cannot_be_read_stays() -> None:
    plan = _plan(arguments={"a": "${steps.read.result", "b": "${steps.read.result[}"})

    assert with_renamed_step(plan, "read", "load").steps[1].arguments == plan.steps[1].arguments


NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_.-]{0,8}", fullmatch=True).filter(lambda name: name not in {"use", "read"})


@given(NAMES)
def test_whatever_it_is_called_the_others_still_wait_for_it(name: str) -> None:
    plan = _plan(arguments={"a": "${steps.read.result.x} and ${steps.read.status}"}, condition="steps.read.result")

    renamed = with_renamed_step(plan, "read", name)

    assert needs_of(renamed.steps[1]) == (name,)
    assert with_renamed_step(renamed, name, "read") == plan


def test_words_between_expressions_stay_as_they_are() -> None:
    (_, template), *_ = templates_in(compiled("a $${b} ${steps.x.result} $$${c"), "here")

    assert worked_out(template, {"steps": {"x": {"result": "r"}}}) == "a ${b} r $${c"


def test_a_step_alone_is_renamed() -> None:
    plan = BatchPlan(steps=(Step(id="a", tool="t"),))

    assert with_renamed_step(plan, "a", "b").steps == (Step(id="b", tool="t"),)
