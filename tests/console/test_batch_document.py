"""Tests for `console.batch.document`."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.batch.document import PlanDocument, PlanEditError, free_name
from tools.batch import BatchPlan, Limits, Step


def _document(*steps: dict[str, Any]) -> PlanDocument:
    return PlanDocument(BatchPlan.model_validate({"steps": [{"tool": "t", **step} for step in steps]}))


def _names(document: PlanDocument) -> list[str]:
    return [step.id for step in document.plan.steps]


def _chain() -> PlanDocument:
    return _document(
        {"id": "a"}, {"id": "b", "depends_on": ["a"]}, {"id": "c", "arguments": {"x": "${steps.b.result}"}}
    )


def test_a_new_step_gets_a_name_of_its_own_and_is_undone() -> None:
    document = _document({"id": "step"})

    place = document.add_step()

    assert (place, _names(document)) == (1, ["step", "step_2"])
    assert document.is_dirty
    assert document.undo_words == "Add step_2"
    assert document.undo()
    assert (_names(document), document.is_dirty) == (["step"], False)
    assert document.redo()
    assert (document.plan.steps[1].tool, document.plan.steps[1].arguments) == ("", {})
    assert not document.redo()


def test_a_step_without_a_tool_is_a_beginning() -> None:
    document = _document()

    document.add_step()

    assert (document.plan.steps[0].id, document.plan.steps[0].tool) == ("step", "")


def test_removing_a_step_takes_it_out_of_what_others_wait_for() -> None:
    document = _chain()

    document.remove([0])

    assert _names(document) == ["b", "c"]
    assert document.plan.steps[0].depends_on == ()
    assert document.undo_words == "Remove a"


def test_copies_take_results_from_each_other() -> None:
    document = _chain()

    places = document.duplicate([1, 2])

    assert places == [3, 4]
    assert _names(document) == ["a", "b", "c", "b_2", "c_2"]
    assert document.plan.steps[3].depends_on == ("a",)
    assert document.plan.steps[4].arguments == {"x": "${steps.b_2.result}"}
    assert document.undo_words == "Duplicate 2 steps"


@pytest.mark.parametrize(
    ("places", "before", "order", "at"),
    [
        ([0], 3, "bca", [2]),
        ([2], 0, "cab", [0]),
        ([0, 2], 1, "acb", [0, 1]),
        ([1], 1, "abc", [1]),
        ([1], 2, "abc", [1]),
        ([0, 1], 3, "cab", [1, 2]),
    ],
)
def test_steps_are_put_elsewhere(places: list[int], before: int, order: str, at: list[int]) -> None:
    document = _chain()

    assert document.move(places, before) == at
    assert "".join(_names(document)) == order


def test_a_new_name_reaches_what_waits_for_the_step() -> None:
    document = _chain()

    document.rename(1, "load")

    assert _names(document) == ["a", "load", "c"]
    assert document.plan.steps[2].arguments == {"x": "${steps.load.result}"}


@pytest.mark.parametrize(
    ("name", "words"),
    [("c", "Another step is called 'c'"), ("1st", "a letter or _"), ("", "a letter or _"), ("x y", "a letter or _")],
)
def test_a_name_that_is_none_is_refused(name: str, words: str) -> None:
    document = _chain()

    with pytest.raises(PlanEditError, match=words):
        document.rename(1, name)

    assert not document.is_dirty


def test_one_of_two_steps_of_a_name_can_be_called_otherwise() -> None:
    document = _document({"id": "a"}, {"id": "a"}, {"id": "b", "depends_on": ["a"]})

    document.rename(1, "second")

    assert _names(document) == ["a", "second", "b"]
    assert document.plan.steps[2].depends_on == ("a",)


def test_fields_of_a_step_change_and_are_checked() -> None:
    document = _chain()

    document.change(0, tool="u", timeout_s=2.5, retries=3, rows={"csv": "x.csv"}, continue_on_failure=True)

    step = document.plan.steps[0]
    assert (step.tool, step.timeout_s, step.retries, step.continue_on_failure) == ("u", 2.5, 3, True)
    assert step.rows is not None
    assert step.rows.csv == "x.csv"
    with pytest.raises(PlanEditError, match="greater than 0"):
        document.change(0, timeout_s=-1)
    with pytest.raises(PlanEditError, match="exactly one"):
        document.change(0, rows={"csv": "x", "json": "y"})
    document.change(0, rows=None)
    assert document.plan.steps[0].rows is None


def test_to_change_nothing_is_no_change() -> None:
    document = _chain()

    document.change(0, tool="t")
    document.rename(0, "a")
    document.move([0], 0)

    assert document.undo_words == ""


def test_what_a_step_waits_for_is_set_and_a_circle_refused() -> None:
    document = _chain()

    document.set_after(2, ["a", "b"])
    assert document.plan.steps[2].depends_on == ("a",)
    with pytest.raises(PlanEditError, match="c uses the result of b"):
        document.set_after(2, [])
    with pytest.raises(PlanEditError, match="would be a circle"):
        document.set_after(0, ["c"])
    with pytest.raises(PlanEditError, match="would be a circle"):
        document.add_dependency("a", "a")
    document.add_dependency("c", "b")
    assert document.plan.steps[2].depends_on == ("a",)


def test_a_changed_step_that_would_wait_for_itself_is_refused() -> None:
    document = _chain()

    with pytest.raises(PlanEditError, match="a → c → b → a would be a circle, each waiting for the next"):
        document.change(0, arguments={"x": "${steps.c.result}"})
    with pytest.raises(PlanEditError, match="a → a would be a circle"):
        document.change(0, condition="steps.a.result")
    document.change(0, arguments={"x": "${steps.gone.result}"})
    assert document.plan.steps[0].arguments == {"x": "${steps.gone.result}"}


def test_a_step_of_a_circle_can_still_be_changed_and_taken_out_of_it() -> None:
    document = _document({"id": "a", "depends_on": ["b"]}, {"id": "b", "depends_on": ["a"]}, {"id": "c"})

    document.change(0, retries=2)
    document.change(0, arguments={"x": "${steps.c.result}"}, depends_on=[])
    assert document.plan.steps[0].depends_on == ()


def test_who_waits_for_a_step_is_known_over_any_steps_between() -> None:
    document = _chain()

    assert document.waiting_for("a") == {"b", "c"}
    assert document.waiting_for("c") == frozenset()
    circle = _document({"id": "a", "depends_on": ["b"]}, {"id": "b", "depends_on": ["a"]})
    assert circle.waiting_for("a") == {"a", "b"}


def test_a_circle_elsewhere_hinders_nobody() -> None:
    document = _document({"id": "a", "depends_on": ["b"]}, {"id": "b", "depends_on": ["a"]}, {"id": "c"}, {"id": "d"})

    document.add_dependency("d", "c")
    document.set_after(0, [])

    assert [step.depends_on for step in document.plan.steps] == [(), ("a",), (), ("c",)]


def test_the_plan_itself_changes() -> None:
    document = _chain()

    document.change_plan(name="nightly", limits={"parallelism": 8}, parameters={"day": {"type": "string"}})

    assert (document.plan.name, document.plan.limits) == ("nightly", Limits(parallelism=8))
    assert len(document.plan.steps) == 3
    with pytest.raises(PlanEditError, match="greater than or equal to 1"):
        document.change_plan(limits={"parallelism": 0})


def test_who_listens_hears_of_each_change_and_of_saving() -> None:
    document, heard = _chain(), []
    unsubscribe = document.subscribe(lambda: heard.append(document.is_dirty))

    document.remove([0])
    document.mark_saved(document.plan)
    document.undo()
    unsubscribe()
    document.redo()

    assert heard == [True, False, True]


def test_what_somebody_else_saved_can_be_taken_back() -> None:
    document = _chain()
    mine, theirs = document.plan, BatchPlan(steps=(Step(id="z", tool="t"),))

    document.reload(theirs)

    assert not document.is_dirty
    document.undo()
    assert document.plan == mine
    assert document.is_dirty


def test_a_step_that_is_gone_is_told() -> None:
    with pytest.raises(PlanEditError, match="no step 'z'"):
        _chain().place_of("z")


@given(st.text(max_size=120), st.sets(st.sampled_from(["a", "a_2", "a_3", "step", "_1"])))
def test_a_free_name_is_a_name_and_free(wanted: str, taken: set[str]) -> None:
    name = free_name(wanted, taken)

    assert Step(id=name, tool="t").id not in taken


EDITS = st.lists(st.tuples(st.sampled_from("admru"), st.integers(0, 50), st.integers(0, 50)), max_size=30)


@given(EDITS)
def test_every_change_can_be_taken_back_and_made_again(edits: list[tuple[str, int, int]]) -> None:
    document = _chain()
    plans = [document.plan]
    for kind, one, other in edits:
        count = len(document.plan.steps)
        match kind:
            case "a":
                document.add_step(before=one % (count + 1))
            case "d" if count:
                document.duplicate({one % count, other % count})
            case "m" if count:
                document.move({one % count}, other % (count + 1))
            case "r" if count:
                document.rename(one % count, f"n{len(plans)}")
            case "u" if count:
                document.remove({one % count})
            case _:
                continue
        if document.plan != plans[-1]:
            plans.append(document.plan)

    for plan in reversed(plans[:-1]):
        assert document.undo()
        assert document.plan == plan
    assert not document.undo()
    for plan in plans[1:]:
        assert document.redo()
        assert document.plan == plan


def test_many_changes_are_one() -> None:
    document, heard = _chain(), []
    document.subscribe(lambda: heard.append(document.undo_words))

    with document.as_one("Mend a"):
        document.rename(0, "z")
        document.change(0, retries=2)
        document.say_after(2, ["z"])

    assert heard == ["Mend a"]
    assert document.undo()
    assert not document.undo()
    assert _names(document) == ["a", "b", "c"]


def test_of_many_changes_none_is_made_when_one_is_refused() -> None:
    document, heard = _chain(), []
    document.undo()
    document.subscribe(lambda: heard.append(document.undo_words))

    def mend() -> None:
        with document.as_one("Mend a"):
            document.change(0, retries=2)
            document.rename(0, "b")

    with pytest.raises(PlanEditError):
        mend()

    assert (heard, document.is_dirty, document.undo_words) == ([], False, "")
    assert document.plan.steps[0].retries == 0
