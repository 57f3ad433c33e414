"""What is foreseen of a run, and what graph and timeline make of the lines of a plan."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from itertools import count, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.batch.graph_model import GraphEdge, NodeState, dot_of, graph_of, node_state
from console.batch.rows import StepFacts, StepRow, WrittenStep
from console.batch.run_estimate import Known, RunEstimate, estimate_run
from console.batch.timeline_layout import timeline_of
from tools.batch import RowCounts, StepState

QUEUED, RUNNING, DONE = StepState.QUEUED, StepState.RUNNING, StepState.DONE
FAILED, SKIPPED = StepState.FAILED, StepState.SKIPPED


def lines(needs: Mapping[str, Sequence[str]], **facts: StepFacts) -> list[StepRow]:
    """Return the lines of a plan, of which each step calls a tool of its name; those called alone… one tool."""
    number = {name: place for place, name in enumerate(needs, 1)}
    rows = []
    for name, names in needs.items():
        known = facts.get(name) or StepFacts(name)
        planned = WrittenStep(number[name], name, "alone" if name.startswith("alone") else name, needs=tuple(names))
        rows.append(StepRow(planned, known, held_by=number.get(known.held_by, 0)))
    return rows


def ran(name: str, began_s: float, took_s: float, state: StepState = DONE, **more: object) -> StepFacts:
    return StepFacts(name, state, began_s=began_s, elapsed_s=took_s)._replace(**more)  # type: ignore[arg-type]


def runs(name: str, began_s: float, **more: object) -> StepFacts:
    return StepFacts(name, RUNNING, began_s=began_s)._replace(**more)  # type: ignore[arg-type]


def test_a_plan_is_foreseen_before_it_runs() -> None:
    rows = lines({"a": [], "b": ["a"], "c": ["a"], "d": ["b", "c"]})
    seen = estimate_run(rows, Known({"a": 1, "b": 5, "c": 2, "d": 3}), workers=2)
    spans = {step: found[:2] for step, found in seen.expected.items()}
    assert spans == {"a": (0, 1), "b": (1, 6), "c": (1, 3), "d": (6, 9)}
    assert (seen.ends_s, seen.critical, seen.critical_s) == (9, ("a", "b", "d"), 9)
    alone = estimate_run(rows, Known({"a": 1, "b": 5, "c": 2, "d": 3}), workers=1)
    assert [alone.expected[step].begins_s for step in "abcd"] == [0, 1, 6, 8]


def test_the_window_goes_first_while_a_plan_is_foreseen() -> None:
    rows, waits = lines({"a": [], "b": ["a"]}), count()
    usual_s = {"a": 1.0, "b": 5.0}
    seen = estimate_run(rows, Known(usual_s), workers=2, yield_to_ui=waits.__next__)
    assert seen == estimate_run(rows, Known(usual_s), workers=2)
    foreseeing = next(waits)
    assert foreseeing >= len(rows)
    assert timeline_of(rows, seen, workers=2, now_s=0, yield_to_ui=waits.__next__).bars
    assert next(waits) > foreseeing + len(rows)


def test_the_longest_way_goes_first() -> None:
    rows = lines({"short": [], "long": [], "end": ["long"]})
    seen = estimate_run(rows, Known({"short": 1, "long": 1, "end": 9}), workers=1)
    assert [seen.expected[step].begins_s for step in ("long", "end", "short")] == [0, 1, 10]


def test_what_runs_is_expected_to_go_on_as_it_says_or_as_its_tool_does() -> None:
    needs: dict[str, list[str]] = {"told": [], "usual": [], "late": [], "unknown": []}
    rows = lines(
        needs,
        told=runs("told", 0, share=0.25),
        usual=runs("usual", 6, worker=1),
        late=runs("late", 1, worker=2),
        unknown=runs("unknown", 2, worker=3),
    )
    seen = estimate_run(rows, Known({"told": 99, "usual": 10, "late": 5}), workers=4, now_s=10)
    spans = {step: found[:2] for step, found in seen.expected.items()}
    assert spans == {"told": (10, 40), "usual": (10, 16), "late": (10, 10)}
    assert [seen.expected[step].worker for step in ("told", "usual", "late")] == [0, 1, 2]
    assert seen.ends_s is None
    assert estimate_run(rows[:3], Known({"usual": 10, "late": 5}), workers=4, now_s=10).ends_s == 40


def test_rows_cost_what_their_tool_takes_shared_by_the_workers() -> None:
    rows = lines({"fan": []}, fan=runs("fan", 0, rows=RowCounts(100, 0, 0, 4)))
    assert estimate_run(rows, Known({"fan": 2}), workers=4, now_s=0).ends_s == 50
    half = lines({"fan": []}, fan=runs("fan", 0, share=0.5, rows=RowCounts(100, 50, 0, 4)))
    assert estimate_run(half, Known({}), workers=4, now_s=30).ends_s == 60
    unread = [row._replace(planned=row.planned._replace(has_rows=True)) for row in lines({"fan": [], "end": ["fan"]})]
    nobody_knows = estimate_run(unread, Known({"fan": 2, "end": 1}), workers=4)
    assert (nobody_knows.ends_s, nobody_knows.expected) == (None, {})


def test_tools_that_run_alone_are_foreseen_one_call_after_the_other() -> None:
    rows = lines({"alone1": [], "alone2": [], "other": [], "free": []})
    alone = {("alone", ""): 1}
    seen = estimate_run(
        rows, Known({"alone": 2.0, "other": 3.0, "free": 1.0}, {"alone": alone, "other": alone}), workers=4
    )
    assert {step: found.begins_s for step, found in seen.expected.items()} == {
        "other": 0,
        "alone1": 3,
        "alone2": 5,
        "free": 0,
    }


def test_calls_of_worker_processes_are_foreseen_as_many_at_a_time_as_there_are_processes() -> None:
    rows = [
        row._replace(planned=row.planned._replace(tool="apart"))
        for row in lines({"one": [], "two": [], "three": [], "many": []}, many=StepFacts("many", rows=RowCounts(10)))
    ]
    fan = rows[3]._replace(planned=rows[3].planned._replace(has_rows=True))
    apart = {"apart": {("workers", ""): 2}}
    seen = estimate_run(rows[:3], Known({"apart": 1.0}, apart), workers=8)
    assert sorted(found.begins_s for found in seen.expected.values()) == [0, 0, 1]
    assert estimate_run([fan], Known({"apart": 1.0}, apart), workers=8).ends_s == 5
    assert estimate_run([fan], Known({"apart": 1.0}), workers=8).ends_s == 10 / 8


def test_who_cannot_use_a_place_of_one_lane_leaves_it_to_others() -> None:
    rows = lines({"both1": [], "both2": [], "wide": []})
    rows = [row._replace(planned=row.planned._replace(tool=row.planned.step.rstrip("12"))) for row in rows]
    known = Known(
        {"both": 5.0, "wide": 1.0}, {"both": {("alone", ""): 1, ("source", "s"): 2}, "wide": {("source", "s"): 2}}
    )
    seen = estimate_run(rows, known, workers=4)
    assert {step: found.begins_s for step, found in seen.expected.items()} == {"both1": 0, "both2": 5, "wide": 0}


def test_what_waits_for_a_failure_is_foreseen_as_if_it_were_run_again() -> None:
    rows = lines(
        {"a": [], "bad": ["a"], "held": ["bad"], "further": ["held"], "other": ["a"]},
        a=ran("a", 0, 4),
        bad=ran("bad", 4, 2, FAILED),
        held=StepFacts("held", SKIPPED, held_by="bad"),
        further=StepFacts("further", SKIPPED, held_by="held"),
    )
    usual_s = {"bad": 2, "held": 3, "further": 1, "other": 1}
    seen = estimate_run(rows, Known(usual_s), workers=2, now_s=10)
    spans = {step: found[:2] for step, found in seen.expected.items()}
    assert spans == {"bad": (10, 12), "held": (12, 15), "further": (15, 16), "other": (10, 11)}
    # Nobody runs it again by itself.
    assert (seen.ends_s, seen.retried) == (11, ("bad",))


def test_a_question_to_the_person_has_no_end() -> None:
    rows = lines({"ask": [], "then": ["ask"]}, ask=runs("ask", 0, is_waiting=True))
    seen = estimate_run(rows, Known({"ask": 1, "then": 1}), workers=2, now_s=5)
    assert (seen.ends_s, seen.expected, seen.critical_s) == (None, {}, None)


def test_what_nobody_knows_hides_no_way() -> None:
    rows = lines({"a": [], "b": ["a"]}, a=ran("a", 0, 3))
    seen = estimate_run(rows, Known({}), workers=2, now_s=3)
    assert (seen.critical, seen.critical_s, seen.ends_s) == (("a",), 3, None)
    assert estimate_run(lines({"a": [], "b": ["a"]}), Known({}), workers=2) == RunEstimate()
    assert estimate_run([], Known({}), workers=2) == RunEstimate()


@st.composite
def plans(draw: st.DrawFn) -> tuple[list[StepRow], dict[str, float], int]:
    count = draw(st.integers(1, 14))
    needs: dict[str, list[str]] = {}
    for place in range(count):
        before = draw(st.lists(st.integers(0, place - 1), max_size=3, unique=True)) if place else []
        needs[f"s{place}"] = [f"s{other}" for other in before]
    costs = draw(st.lists(st.integers(1, 20), min_size=count, max_size=count))
    return lines(needs), {f"s{place}": float(cost) for place, cost in enumerate(costs)}, draw(st.integers(1, 4))


@given(plans())
def test_a_foreseen_run_keeps_the_order_and_the_number_of_workers(
    drawn: tuple[list[StepRow], dict[str, float], int],
) -> None:
    rows, usual_s, workers = drawn
    seen = estimate_run(rows, Known(usual_s), workers=workers)
    assert set(seen.expected) == set(usual_s)
    for row in rows:
        mine = seen.expected[row.planned.step]
        assert mine.ends_s - mine.begins_s == usual_s[row.planned.step]
        assert all(seen.expected[needed].ends_s <= mine.begins_s for needed in row.planned.needs)
    for mine in seen.expected.values():
        at_once = [other for other in seen.expected.values() if other.begins_s <= mine.begins_s < other.ends_s]
        assert len(at_once) <= workers
        assert len({other.worker for other in at_once}) == len(at_once)
        assert max(other.worker for other in at_once) < workers
    total = max(found.ends_s for found in seen.expected.values())
    assert seen.ends_s == total
    assert total >= max(seen.critical_s or 0.0, sum(usual_s.values()) / workers)


@given(plans())
def test_the_way_that_takes_longest_is_the_longest_of_all(
    drawn: tuple[list[StepRow], dict[str, float], int],
) -> None:
    rows, usual_s, workers = drawn
    needs = {row.planned.step: row.planned.needs for row in rows}

    def longest_to(step: str) -> float:
        return usual_s[step] + max((longest_to(other) for other in needs[step]), default=0.0)

    seen = estimate_run(rows, Known(usual_s), workers=workers)
    assert seen.critical_s == sum(usual_s[step] for step in seen.critical) == max(map(longest_to, needs))
    assert all(above in needs[below] for above, below in pairwise(seen.critical))


def planned(needs: Mapping[str, Sequence[str]]) -> list[WrittenStep]:
    return [row.planned for row in lines(needs)]


def test_a_plan_that_is_wrong_still_has_a_graph() -> None:
    drawn = graph_of(planned({"a": ["nobody"], "b": ["a", "a"], "c": ["b", "d"], "d": ["c"]}))
    assert [node.name for node in drawn.nodes] == ["a", "b", "c", "d"]
    assert drawn.edges == (GraphEdge("a", "b"), GraphEdge("b", "c"), GraphEdge("d", "c"))
    twice = [WrittenStep(1, "a", "t"), WrittenStep(2, "a", "u", needs=("b",)), WrittenStep(3, "b", "t", needs=("a",))]
    assert [node.tool for node in graph_of(twice).nodes] == ["t", "t"]
    assert graph_of(twice).edges == (GraphEdge("a", "b"),)


def test_a_node_says_how_far_its_step_is() -> None:
    def state(facts: StepFacts, number: int = 0) -> tuple[object, ...]:
        return tuple(node_state(StepRow(WrittenStep(1, "s", "t"), facts, held_by=number)))[:5]

    assert state(StepFacts("s")) == ("queued", "Queued", None, "", False)
    fan = runs("s", 0, share=88 / 144, rows=RowCounts(144, 86, 2, 4))
    assert state(fan) == ("running", "Running, 61%", 88 / 144, "86/144", False)
    assert state(runs("s", 0, rows=RowCounts(None, 1500, 0, 4)))[3] == "1,500"
    assert state(ran("s", 0, 1, FAILED, error="no"))[::4] == ("failed", True)
    assert state(StepFacts("s", SKIPPED, held_by="x"), 10) == ("blocked", "Blocked by 10", None, "", False)


@pytest.mark.reference("A94")
@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
def test_a_graph_is_written_so_that_dot_reads_it() -> None:
    drawn = graph_of(planned({"a": [], "b": ["a"], "c": ["a"]}))
    states = {"a": NodeState(state=DONE), "b": NodeState(state=RUNNING), "gone": NodeState(state=FAILED)}
    text = dot_of(drawn, states)
    done = subprocess.run(["dot", "-Tplain"], input=text, capture_output=True, text=True, check=True)
    edges = {tuple(line.split()[1:3]) for line in done.stdout.splitlines() if line.startswith("edge")}
    assert edges == {("a", "b"), ("a", "c")}
    assert {line.split()[1] for line in done.stdout.splitlines() if line.startswith("node")} == set("abc")
    assert 'label="a"' in dot_of(drawn, {"a": NodeState()})


def test_bars_tell_what_ran_and_what_will() -> None:
    rows = lines(
        {"a": [], "b": ["a"], "bad": ["a"], "held": ["bad"], "end": ["b"]},
        a=ran("a", 0, 4),
        b=runs("b", 4, share=0.5),
        bad=ran("bad", 4, 1, FAILED, worker=1),
        held=StepFacts("held", SKIPPED, held_by="bad"),
    )
    seen = estimate_run(rows, Known({"bad": 1, "held": 2, "end": 5}), workers=2, now_s=10)
    line = timeline_of(rows, seen, workers=2, now_s=10)
    assert [(bar.step, bar.worker, bar.began_s, bar.ended_s, bar.status, bar.note) for bar in line.bars[:3]] == [
        ("a", 0, 0, 4, "success", ""),
        ("b", 0, 4, 10, "running", "50%"),
        ("bad", 1, 4, 5, "failed", ""),
    ]
    expected = [(bar.step, bar.began_s, bar.ended_s) for bar in line.bars if bar.is_planned]
    assert expected == [("b", 10, 16), ("bad", 10, 11), ("held", 11, 13), ("end", 16, 21)]
    assert {bar.step for bar in line.bars if bar.is_critical} == {"a", "b", "end"}
    assert (line.steps, line.workers, line.now_s) == (("a", "b", "bad", "held", "end"), ("Worker 1", "Worker 2"), 10)
    assert line.note == "dashed: planned from each tool's usual P50, once step 3 is retried"


@pytest.mark.parametrize(
    ("numbers", "words"),
    [((1, 2), "steps 1 and 2 are"), ((1, 2, 3), "steps 1, 2 and 3 are"), ((1, 2, 3, 4), "4 steps are")],
)
def test_the_note_names_what_has_to_be_retried(numbers: Sequence[int], words: str) -> None:
    needs: dict[str, list[str]] = {f"bad{number}": [] for number in numbers}
    needs["end"] = list(needs)
    rows = lines(needs)
    seen = RunEstimate(
        estimate_run(rows, Known(dict.fromkeys(needs, 1.0)), workers=1).expected, retried=tuple(list(needs)[:-1])
    )
    assert timeline_of(rows, seen, workers=1, now_s=0).note.endswith(f", once {words} retried")


def test_more_steps_with_rows_than_workers_take_turns() -> None:
    rows = lines(
        {f"fan{lane}": [] for lane in range(3)},
        **{f"fan{lane}": runs(f"fan{lane}", 0, worker=lane) for lane in range(3)},
    )
    line = timeline_of(rows, RunEstimate(), workers=2, now_s=1)
    assert (line.workers, line.note) == (("Worker 1", "Worker 2", "In turn"), "")
    assert timeline_of([], RunEstimate(), workers=100, now_s=None).workers == ()


def test_what_nobody_knows_the_begin_of_has_no_bar() -> None:
    rows = lines({"a": [], "b": []}, a=StepFacts("a", DONE, elapsed_s=3), b=StepFacts("b", SKIPPED, began_s=1))
    assert timeline_of(rows, RunEstimate(), workers=2, now_s=None).bars == ()


def test_what_stands_before_a_circle_is_foreseen_and_what_stands_in_it_is_not() -> None:
    rows = lines({"zero": [], "first": ["zero", "last"], "last": ["first"], "end": ["last"], "alone": []})
    seen = estimate_run(rows, Known({"zero": 2, "first": 1, "last": 1, "end": 1, "alone": 1}), workers=2)
    assert {step: found[:2] for step, found in seen.expected.items()} == {"zero": (0, 2), "alone": (0, 1)}
    assert (seen.ends_s, seen.critical, seen.critical_s) == (None, ("zero",), 2)
    assert estimate_run(lines({"self": ["self"]}), Known({"self": 1}), workers=1).expected == {}
