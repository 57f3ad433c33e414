"""What changes of a run comes to the page in turns, the newest of each step."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from console.batch.rows import Phase, RunFacts, RunUpdate, StepFacts
from console.batch.runs import RunUpdates
from tools.batch import StepState


@pytest.fixture
def updates(qapp: object) -> Iterator[RunUpdates]:
    del qapp
    updates = RunUpdates()
    yield updates
    updates.stop()


def update(state: StepState, *steps: str, phase: Phase = Phase.RUNNING) -> RunUpdate:
    return RunUpdate(RunFacts(phase), {step: StepFacts(step, state) for step in steps})


def test_what_came_until_the_turn_is_told_at_once_and_the_newest_of_each_step(
    qtbot: QtBot, updates: RunUpdates
) -> None:
    told: list[RunUpdate] = []
    updates.updated.connect(told.append)
    updates.take(update(StepState.RUNNING, "a", "b"))
    updates.take(update(StepState.DONE, "a", phase=Phase.OVER))
    assert told == []
    qtbot.waitUntil(lambda: bool(told))
    assert [one.facts.phase for one in told] == [Phase.OVER]
    assert {name: facts.state for name, facts in told[0].steps.items()} == {
        "a": StepState.DONE,
        "b": StepState.RUNNING,
    }
    updates.take(update(StepState.DONE, "b"))
    qtbot.waitUntil(lambda: len(told) == 2)
    assert list(told[1].steps) == ["b"]


def test_many_steps_are_told_of_in_several_turns_and_none_twice(qtbot: QtBot, updates: RunUpdates) -> None:
    told: list[RunUpdate] = []
    updates.updated.connect(told.append)
    names = [f"s{number}" for number in range(1000)]
    updates.take(update(StepState.DONE, *names))
    qtbot.waitUntil(lambda: sum(len(one.steps) for one in told) == len(names))
    assert len(told) > 1
    assert sorted(name for one in told for name in one.steps) == sorted(names)


def test_that_a_run_is_over_is_told_with_the_last_of_it(qtbot: QtBot, updates: RunUpdates) -> None:
    told: list[RunUpdate] = []
    updates.updated.connect(told.append)
    updates.take(update(StepState.RUNNING, "first"))
    qtbot.waitUntil(lambda: len(told) == 1)
    names = [f"s{number}" for number in range(1000)]
    updates.take(update(StepState.DONE, *names, phase=Phase.OVER))
    qtbot.waitUntil(lambda: sum(len(one.steps) for one in told) == 1 + len(names))
    assert [one.facts.phase for one in told] == [*[Phase.RUNNING] * (len(told) - 1), Phase.OVER]


def test_what_is_of_another_run_is_told_no_more(qtbot: QtBot, updates: RunUpdates) -> None:
    told: list[RunUpdate] = []
    updates.updated.connect(told.append)
    updates.take(update(StepState.DONE, "old"))
    updates.forget()
    timer = updates.findChild(QTimer)
    assert timer is not None
    qtbot.waitUntil(lambda: not timer.isActive())
    assert told == []
    updates.take(update(StepState.RUNNING, "new"))
    qtbot.waitUntil(lambda: bool(told))
    assert [list(one.steps) for one in told] == [["new"]]
