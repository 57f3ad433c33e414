"""What the head of the Batch page offers and says, by how the run stands."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from pytestqt.qtbot import QtBot

from console.batch.header_view import BatchHeader
from console.batch.rows import (
    Phase,
    RunFacts,
    StepFacts,
    StepRow,
    WrittenStep,
    abilities_of,
    failure_of,
    plan_words,
    why_not,
)
from tools.batch import RowCounts, StepState
from tools.errors import PlanProblem

NOW = datetime(2026, 5, 12, 14, 30, 19, tzinfo=UTC)


@pytest.mark.parametrize(
    ("facts", "cancelled", "offered"),
    [
        (RunFacts(), 0, {"run"}),
        (RunFacts(Phase.STARTING), 0, set()),
        (RunFacts(Phase.RUNNING, "r"), 0, {"pause", "cancel", "export"}),
        (RunFacts(Phase.PAUSED, "r"), 0, {"resume", "cancel", "export"}),
        (RunFacts(Phase.OVER, "r"), 0, {"run", "export"}),
        (RunFacts(Phase.CANCELLED, "r"), 3, {"run", "resume", "export"}),
        (RunFacts(Phase.INTERRUPTED, "r"), 0, {"run", "resume", "export"}),
        (RunFacts(Phase.INTERRUPTED, "r", problem="the disk is full"), 2, {"run", "export"}),
    ],
)
def test_only_what_can_be_done_is_offered(facts: RunFacts, cancelled: int, offered: set[str]) -> None:
    can = abilities_of(facts, failed=0, cancelled=cancelled, is_sound=True)
    assert {name for name in ("run", "pause", "resume", "cancel", "export") if getattr(can, name)} == offered
    assert not abilities_of(facts, failed=0, cancelled=0, is_sound=False).run


def test_the_head_says_what_the_plan_is_made_of_and_why_it_cannot_run() -> None:
    facts = RunFacts(Phase.RUNNING, "r", NOW)
    assert plan_words(facts, 14, 4, (), NOW) == f"14 steps · 4 workers · started {NOW.astimezone():%H:%M:%S}"
    problems = [PlanProblem("steps[0].tool", "no tool is called 'a'", "first"), PlanProblem("steps", "odd")]
    assert plan_words(RunFacts(), 1, 1, problems, NOW) == "1 step · 1 worker · 2 problems"
    assert why_not(RunFacts(), problems) == "first: No tool is called 'a'. And 1 problem more."
    assert why_not(facts, problems) == ""
    assert why_not(RunFacts(), ()) == ""


def test_what_may_have_run_asks_somebody_to_look_and_to_run_nothing_first(qtbot: QtBot) -> None:
    header = BatchHeader()
    qtbot.addWidget(header)
    header.badge.show_phase(Phase.OVER, unsure=1)
    assert (header.badge.text, header.badge._status) == ("1 may have run", "warning")
    header.badge.show_phase(Phase.OVER, failed=2, unsure=1)
    assert header.badge.text == "Failed"
    header.badge.show_phase(Phase.READY, is_wrong=True)
    assert header.badge.text == "Cannot run"
    header.badge.show_phase(Phase.RUNNING, unsure=1)
    assert header.badge.text == "Running"
    can = abilities_of(RunFacts(Phase.OVER, "r"), failed=0, cancelled=0, is_sound=True)
    header.show_abilities(can)
    assert header.run.kind == "primary"
    header.show_abilities(can._replace(unsure=1))
    assert (header.run.kind, header.run.isEnabled()) == ("normal", True)


def test_a_plan_is_saved_only_when_there_is_one(qtbot: QtBot) -> None:
    header = BatchHeader()
    qtbot.addWidget(header)

    def offered() -> dict[str, bool]:
        header._on_plans_about_to_show()
        return {action.text(): action.isEnabled() for action in header._plans.actions()}

    assert offered() == {"Open plan…": True, "New plan": True, "Save": False, "Save as…": False}
    header.show_plan("nightly")
    assert set(offered().values()) == {True}


def test_a_failure_says_what_why_and_who_waits() -> None:
    def row(number: int, facts: StepFacts) -> StepRow:
        return StepRow(WrittenStep(number, facts.step, "tool"), facts)

    failed = row(9, StepFacts("chart", StepState.FAILED, error="there is no column b; the closest name is a"))
    told = failure_of(failed, range(10, 17))
    assert (told.fact, told.why) == ("Step 9, chart.", "There is no column b.")
    assert told.further == "The closest name is a. Steps 10, 11, 12, 13, 14 … wait for this one."
    assert failure_of(failed, [10]).further.endswith("Step 10 waits for this one.")
    assert not told.has_good_rows
    unsure = row(3, StepFacts("send", StepState.MAY_HAVE_RUN, error="it may have run; look first"))
    assert failure_of(unsure, []).is_unsure
    rows = row(4, StepFacts("each", StepState.FAILED, error="2 of 3 failed", rows=RowCounts(3, 1, 2)))
    assert failure_of(rows, []).has_good_rows
