"""The steps of a plan as rows and as a Qt model: words, groups, counts, what a run changes, what is listed."""

from __future__ import annotations

from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QTableView
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from console.batch.model import PlanModel, cells_of_step
from console.batch.rows import (
    Group,
    Phase,
    PlanColumn,
    StepFacts,
    StepRow,
    group_of,
    planned_steps,
    result_words,
    sentence,
    status_of,
    status_words,
    step_actions,
)
from console.widgets import ROW_ROLE
from tools.batch import BatchPlan, RowCounts, Rows, Step, StepState

PLAN = BatchPlan(
    steps=(
        Step(id="load", tool="query_database", arguments={"sql": "SELECT id", "rows": 3}),
        Step(id="group", tool="cluster", arguments={"rows": "${steps.load.result}", "by": "lane"}),
        Step(id="each", tool="write", rows=Rows(values="${steps.group.result}"), arguments={"text": "${row}"}),
        Step(id="post", tool="http_post", depends_on=("each", "load", "gone")),
    )
)


def row(facts: StepFacts, *, number: int = 2, **more: object) -> StepRow:
    return StepRow(planned_steps(PLAN)[number], facts, **more)  # type: ignore[arg-type]


def test_a_plan_becomes_rows_with_short_arguments_and_the_numbers_of_what_they_wait_for() -> None:
    steps = planned_steps(PLAN)
    assert [step.after for step in steps] == ["", "1", "2", "1, 3"]
    assert steps[0].arguments == 'sql="SELECT id" rows=3'
    assert steps[1].arguments == 'rows=load.result by="lane"'
    assert steps[2].has_rows
    assert steps[3].needs == ("each", "load", "gone")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, ""),
        ([1, 2], "2 items"),
        ([1], "1 item"),
        ({"rows": [{}] * 1204, "path": "a"}, "1,204 rows"),
        ({"entries": [1]}, "1 entry"),
        ({"address": [1]}, "1 address"),
        ({"result": "posted"}, "posted"),
        ({"value": [1, 2, 3]}, "3 items"),
        ({"value": [1, 2, 3], "kind": "array"}, "3 items"),
        ({"a": 1, "b": 2}, '{"a":1,"b":2}'),
        ("first\nsecond", "first"),
        (2.5, "2.5"),
        (True, "true"),
    ],
)
def test_a_result_is_told_in_a_few_words(value: object, words: str) -> None:
    assert result_words(value) == words


@pytest.mark.parametrize(
    ("facts", "words", "group"),
    [
        (StepFacts("each"), "Queued", Group.QUEUED),
        (StepFacts("each", StepState.RUNNING), "Running", Group.RUNNING),
        (StepFacts("each", StepState.RUNNING, is_waiting=True), "Needs you", Group.WAITING),
        (StepFacts("each", StepState.DONE, attempts=1), "Success", Group.DONE),
        (StepFacts("each", StepState.DONE, attempts=2), "1 retry", Group.DONE),
        (StepFacts("each", StepState.DONE, attempts=4), "3 retries", Group.DONE),
        (StepFacts("each", StepState.CACHED), "From cache", Group.DONE),
        (StepFacts("each", StepState.FAILED), "Failed", Group.FAILED),
        (StepFacts("each", StepState.TIMED_OUT), "Timed out", Group.FAILED),
        (StepFacts("each", StepState.DENIED), "Denied", Group.FAILED),
        (StepFacts("each", StepState.MAY_HAVE_RUN), "May have run", Group.UNSURE),
        (StepFacts("each", StepState.SKIPPED), "Skipped", Group.SKIPPED),
        (StepFacts("each", StepState.SKIPPED, held_by="load"), "Blocked by 1", Group.BLOCKED),
        (StepFacts("each", StepState.CANCELLED), "Cancelled", Group.CANCELLED),
    ],
)
def test_each_state_has_its_word_and_its_group(facts: StepFacts, words: str, group: Group) -> None:
    assert status_words(row(facts, held_by=1 if facts.held_by else 0)) == words
    assert group_of(facts) is group
    assert status_of(facts)


def words_of(step: StepRow, column: PlanColumn, now_s: float | None = None) -> str:
    return cells_of_step(step, now_s)[column].text


def test_cells_say_what_is_known_and_nothing_else() -> None:
    running = StepFacts("each", StepState.RUNNING, share=0.616, progress="ticket 7", began_s=2.0)
    assert words_of(row(running), PlanColumn.PROGRESS) == "61%"
    assert words_of(row(running), PlanColumn.DURATION, 3.5) == "1.50 s"
    assert words_of(row(running), PlanColumn.DURATION) == ""
    assert words_of(row(running), PlanColumn.RESULT) == "ticket 7"
    counted = running._replace(rows=RowCounts(144, 88, 2, 1))
    assert words_of(row(counted), PlanColumn.RESULT) == "88 of 144, 2 failed"
    assert cells_of_step(row(counted._replace(rows=RowCounts(None, 5))))[PlanColumn.RESULT].text == "5 rows"
    queued = StepFacts("each")
    assert words_of(row(queued, asks="Will ask you first"), PlanColumn.RESULT) == "Will ask you first"
    assert words_of(row(queued, problem="no tool is called 'x'"), PlanColumn.RESULT) == "No tool is called 'x'"
    failed = StepFacts("each", StepState.FAILED, elapsed_s=0.212, error="there is no column; try b")
    assert words_of(row(failed), PlanColumn.RESULT) == "There is no column; try b"
    assert words_of(row(failed), PlanColumn.DURATION) == "212 ms"
    held = StepFacts("each", StepState.SKIPPED, held_by="load", error="it waits for 'load', which failed")
    assert words_of(row(held), PlanColumn.RESULT) == ""
    assert words_of(row(held), PlanColumn.DURATION) == ""


@pytest.mark.parametrize(
    ("facts", "phase", "keys"),
    [
        (StepFacts("a"), Phase.READY, []),
        (StepFacts("a"), Phase.RUNNING, ["skip", "cancel"]),
        (StepFacts("a", StepState.RUNNING), Phase.RUNNING, ["cancel"]),
        (StepFacts("a", StepState.DONE), Phase.RUNNING, ["retry", "rerun"]),
        (StepFacts("a", StepState.FAILED), Phase.OVER, ["retry", "skip"]),
        (StepFacts("a", StepState.FAILED, rows=RowCounts(3, 1, 2)), Phase.OVER, ["retry", "skip_rows", "skip"]),
        (StepFacts("a", StepState.SKIPPED, held_by="b"), Phase.OVER, []),
        (StepFacts("a", StepState.MAY_HAVE_RUN), Phase.INTERRUPTED, ["retry", "skip"]),
    ],
)
def test_only_what_can_be_done_is_offered_for_a_step(facts: StepFacts, phase: Phase, keys: list[str]) -> None:
    assert [key for key, _ in step_actions(facts, phase)] == ["open", *keys]


def test_words_become_sentences_but_names_stay() -> None:
    assert sentence("expected a number") == "Expected a number."
    assert sentence("max_results must be 5") == "max_results must be 5."
    assert sentence("Done!") == "Done!"
    assert sentence("") == ""


def filled(*states: StepState) -> PlanModel:
    model = PlanModel()
    model.show_plan(planned_steps(PLAN))
    facts = {step.id: StepFacts(step.id, state) for step, state in zip(PLAN.steps, states, strict=False)}
    model.take(facts, None)
    return model


def names(model: PlanModel) -> list[str]:
    return [model.index(place, PlanColumn.STEP).data() for place in range(model.rowCount())]


def test_the_model_is_a_sound_table(qtmodeltester: ModelTester) -> None:
    model = filled(StepState.DONE, StepState.RUNNING)
    qtmodeltester.check(model)
    assert model.index(0, PlanColumn.STATUS).data() == "Success"
    assert model.index(0, 0).data(ROW_ROLE).planned.step == "load"
    assert model.headerData(PlanColumn.AFTER, Qt.Orientation.Horizontal) == "After"
    assert model.headerData(0, Qt.Orientation.Vertical) is None


def test_a_plan_that_was_cancelled_is_not_told_as_done() -> None:
    model = filled(StepState.DONE, StepState.CANCELLED, StepState.CANCELLED, StepState.CANCELLED)
    assert model.share == 0.25


def test_counts_and_shares_follow_the_run() -> None:
    model = filled(StepState.DONE, StepState.RUNNING)
    assert {group: count for group, count in model.counts.items() if count} == {
        Group.DONE: 1,
        Group.RUNNING: 1,
        Group.QUEUED: 2,
    }
    assert model.share == 0.25
    model.take({"group": StepFacts("group", StepState.RUNNING, share=0.5)}, None)
    assert model.share == 0.375
    model.take({"group": StepFacts("group", StepState.FAILED)}, None)
    model.take({"each": StepFacts("each", StepState.SKIPPED, held_by="group")}, None)
    assert model.share == 0.5
    assert model.index(2, PlanColumn.STATUS).data() == "Blocked by 2"
    found = model.first_failed
    assert found is not None
    assert found.planned.step == "group"
    model.take({"group": StepFacts("group", StepState.DONE)}, None)
    assert model.first_failed is None


def test_what_changed_is_told_once_for_all_rows(qtbot: QtBot) -> None:
    model = filled()
    told: list[tuple[int, int]] = []

    def take(first: QModelIndex, last: QModelIndex) -> None:
        told.append((first.row(), last.row()))

    model.dataChanged.connect(take)
    facts = {name: StepFacts(name, StepState.DONE) for name in ("load", "each")}
    model.take(facts, None)
    assert told == [(0, 2)]
    model.take(facts, None)
    assert told == [(0, 2)]


def test_rows_far_from_each_other_are_told_of_apart(qtbot: QtBot) -> None:
    model = PlanModel()
    steps = tuple(Step(id=f"s{number}", tool="t") for number in range(200))
    model.show_plan(planned_steps(BatchPlan(steps=steps)))
    told: list[tuple[int, int]] = []

    def take(first: QModelIndex, last: QModelIndex) -> None:
        told.append((first.row(), last.row()))

    model.dataChanged.connect(take)
    model.take({name: StepFacts(name, StepState.DONE) for name in ("s150", "s3", "s9", "s199")}, None)
    assert told == [(3, 9), (150, 150), (199, 199)]


@given(
    groups=st.sets(st.sampled_from([Group.QUEUED, Group.RUNNING, Group.DONE, Group.FAILED])),
    rounds=st.lists(
        st.dictionaries(
            st.integers(0, 79),
            st.sampled_from([StepState.QUEUED, StepState.RUNNING, StepState.DONE, StepState.FAILED]),
            max_size=70,
        ),
        max_size=4,
    ),
)
def test_what_is_listed_and_counted_follows_any_change(groups: set[Group], rounds: list[dict[int, StepState]]) -> None:
    model = PlanModel()
    plan = BatchPlan(steps=tuple(Step(id=f"s{number}", tool="t") for number in range(80)))
    model.show_plan(planned_steps(plan))
    model.set_groups(groups)
    listed = names(model)
    follower = _Follower(model, listed)
    for states in rounds:
        model.take({f"s{place}": StepFacts(f"s{place}", state) for place, state in states.items()}, None)
        found = [group_of(row.facts) for row in model.steps]
        assert {group: count for group, count in model.counts.items() if count} == {
            group: found.count(group) for group in found
        }
        fitting = [step.id for step, group in zip(plan.steps, found, strict=True) if not groups or group in groups]
        assert names(model) == fitting
        assert follower.listed == fitting
        assert [model.place_of(step) for step in fitting] == list(range(len(fitting)))


class _Follower:
    """Know what is listed only from what the model tells."""

    def __init__(self, model: PlanModel, listed: list[str]) -> None:
        self._model = model
        self.listed = listed
        model.rowsInserted.connect(self._on_inserted)
        model.rowsRemoved.connect(self._on_removed)
        model.modelReset.connect(self._on_reset)

    def _on_inserted(self, _: QModelIndex, first: int, last: int) -> None:
        self.listed[first:first] = names(self._model)[first : last + 1]

    def _on_removed(self, _: QModelIndex, first: int, last: int) -> None:
        del self.listed[first : last + 1]

    def _on_reset(self) -> None:
        self.listed = names(self._model)


def test_a_copy_of_the_rows_stays_as_it_was_and_knows_who_waits_for_whom() -> None:
    model = filled(StepState.FAILED)
    held = {name: StepFacts(name, StepState.SKIPPED, held_by="load") for name in ("post", "group")}
    model.take(held, None)
    rows = model.steps.copy()
    assert rows.waiting_for("load") == [2, 4]
    model.forget_run()
    assert model.steps.waiting_for("load") == []
    assert [row.facts.state for row in rows] == [
        StepState.FAILED,
        StepState.SKIPPED,
        StepState.QUEUED,
        StepState.SKIPPED,
    ]
    assert [row.held_by for row in list(rows)[1:]] == [1, 0, 1]


def test_a_running_step_ticks_and_nothing_else_does() -> None:
    model = filled(StepState.DONE, StepState.RUNNING)
    model.take({"group": StepFacts("group", StepState.RUNNING, began_s=0.0)}, perf_counter() - 60)
    told: list[tuple[int, int]] = []

    def take(first: QModelIndex) -> None:
        told.append((first.row(), first.column()))

    model.dataChanged.connect(take)
    model.tick()
    assert told == [(1, PlanColumn.DURATION)]
    assert model.index(1, PlanColumn.DURATION).data() in {"1:00", "1:01"}


def test_a_list_narrowed_to_groups_follows_what_changes() -> None:
    model = filled(StepState.FAILED, StepState.DONE, StepState.QUEUED, StepState.FAILED)
    model.set_groups([Group.FAILED])
    assert names(model) == ["load", "post"]
    assert model.place_of("post") == 1
    assert model.place_of("each") == -1
    removed, inserted = QSignalSpy(model.rowsRemoved), QSignalSpy(model.rowsInserted)
    model.take({"load": StepFacts("load", StepState.DONE), "each": StepFacts("each", StepState.FAILED)}, None)
    assert [spy.at(0)[1] for spy in (removed, inserted)] == [0, 0]
    assert (removed.count(), inserted.count()) == (1, 1)
    assert names(model) == ["each", "post"]
    model.set_groups(())
    assert model.rowCount() == 4


def test_rows_that_come_and_go_side_by_side_are_told_of_together() -> None:
    model = PlanModel()
    model.show_plan(planned_steps(BatchPlan(steps=tuple(Step(id=f"s{number}", tool="t") for number in range(90)))))
    model.set_groups([Group.QUEUED])
    removed, inserted, anew = (QSignalSpy(what) for what in (model.rowsRemoved, model.rowsInserted, model.modelReset))
    model.take({f"s{place}": StepFacts(f"s{place}", StepState.DONE) for place in (*range(30), *range(40, 80))}, None)
    assert [told[1:] for told in map(removed.at, range(removed.count()))] == [[40, 79], [0, 29]]
    model.take({f"s{place}": StepFacts(f"s{place}", StepState.QUEUED) for place in (*range(5, 9), 41, 60)}, None)
    # What is listed before and after 41 and 60 is the same.
    assert [told[1:] for told in map(inserted.at, range(inserted.count()))] == [[10, 11], [0, 3]]
    assert anew.count() == 0
    assert names(model) == [f"s{place}" for place in (*range(5, 9), *range(30, 40), 41, 60, *range(80, 90))]


def test_a_changed_plan_keeps_what_is_known_of_steps_that_stay() -> None:
    model = filled(StepState.DONE, StepState.FAILED)
    resets = QSignalSpy(model.modelReset)
    changed = PLAN.steps[0].model_copy(update={"arguments": {"sql": "SELECT 2"}})
    model.show_plan(planned_steps(PLAN.model_copy(update={"steps": (changed, *PLAN.steps[1:])})), {"each": "odd"})
    assert resets.count() == 0
    assert model.index(0, PlanColumn.ARGUMENTS).data() == 'sql="SELECT 2"'
    assert model.index(2, PlanColumn.RESULT).data() == "Odd"
    model.show_plan(planned_steps(PLAN.model_copy(update={"steps": PLAN.steps[1:]})))
    assert resets.count() == 1
    assert [model.index(place, PlanColumn.STATUS).data() for place in range(2)] == ["Failed", "Queued"]
    model.show_asks({"post": "Will ask you first"})
    assert model.index(2, PlanColumn.RESULT).data() == "Will ask you first"
    model.forget_run()
    assert model.counts == {Group.QUEUED: 3}
    assert model.data(QModelIndex()) is None


def test_a_changed_plan_still_says_who_asks_and_who_waits_for_whom() -> None:
    model = filled(StepState.FAILED)
    model.take({"each": StepFacts("each", StepState.QUEUED, held_by="load")}, None)
    model.show_asks({"post": "Will ask you first"})
    told = QSignalSpy(model.dataChanged)
    model.show_plan(planned_steps(PLAN), {"group": "odd"})
    assert [told.at(0)[place].row() for place in (0, 1)] == [1, 1]
    held = model.row_of("each")
    assert held is not None
    assert held.held_by == 1
    assert model.index(3, PlanColumn.RESULT).data() == "Will ask you first"


def test_rows_are_copied_as_lines_for_a_spreadsheet() -> None:
    model = filled(StepState.DONE)
    assert model.text_of([0]).split("\t")[:3] == ["1", "load", "query_database"]
    assert model.row_of("nobody") is None


def test_problems_of_a_plan_without_listed_steps_change_no_row(qtbot: QtBot) -> None:
    model = PlanModel()
    view = QTableView()
    qtbot.addWidget(view)
    view.setModel(model)
    changes = QSignalSpy(model.dataChanged)
    model.show_cell_problems({0: {PlanColumn.TOOL: "no tool is called so"}})
    assert changes.count() == 0
    model.show_plan(planned_steps(PLAN))
    model.show_cell_problems({})
    assert changes.count() == 1
