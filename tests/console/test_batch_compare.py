"""Tests for the runs of a plan and their comparison: `console.batch.compare_*`, over journals of real runs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from console.batch.compare_presenter import PlanRuns
from console.batch.compare_rows import StepDifference, compare_runs, summary_words
from console.batch.compare_view import RunsDialog, RunsModel, StepComparisonModel
from console.batch.rows import SavedRun
from console.comparison import ComparedSide
from console.tasks import TaskScope
from tests.tools.running import until
from tools import ToolFailure, security, tool
from tools.batch import BatchExecutor, BatchPlan, Step
from tools.batch import journal as keyring_of_runs
from tools.batch.runs import PastRun, past_run
from tools.batch.steps import given_shown
from tools.declare import resolve_tools
from tools.execution.executor import Executor
from tools.masking import MASK
from tools.registry import ToolRegistry
from tools.vault import Vault

pytestmark = pytest.mark.expects_log("tools.calls")
NOW = datetime(2026, 5, 12, 14, 0, tzinfo=UTC)


@tool
def say(text: str) -> str:
    """Say something.

    Args:
        text: What; the word "no" is not said.
    """
    if text == "no":
        raise ToolFailure("that is not said")
    return text


@security(mask_fields=("key", "result"))
@tool
def sign_in(key: str) -> str:
    """Sign in."""
    return f"opened with {key}"


def _plan(*steps: dict[str, Any], **rest: Any) -> BatchPlan:
    return BatchPlan.model_validate({"name": "nightly", "steps": [{"tool": "say", **step} for step in steps], **rest})


def _run(folder: Path, name: str, plan: BatchPlan, **parameters: Any) -> Path:
    """Run a plan, and return its journal."""
    journal = folder / f"{name}.jsonl"

    async def run() -> None:
        executor = Executor(ToolRegistry(resolve_tools([say, sign_in])))
        try:
            await BatchExecutor(executor=executor).run(plan, parameters=parameters, folder=folder, journal=journal)
        finally:
            await executor.aclose()

    asyncio.run(run())
    return journal


@pytest.fixture
def journals(tmp_path: Path) -> tuple[Path, Path]:
    """Return the journals of two runs that differ in much."""
    rows = {"values": [1, 2]}
    before = _plan(
        {"id": "same", "arguments": {"text": "a"}},
        {"id": "failed", "arguments": {"text": "no"}},
        {"id": "other", "arguments": {"text": "b"}},
        {"id": "gone", "arguments": {"text": "c"}},
        {"id": "rows", "arguments": {"text": "${row}${parameters.day}"}, "rows": rows},
        {"id": "alike", "arguments": {"text": "${row}"}, "rows": {"values": ["x", "y"]}},
        parameters={"day": {"type": "string"}},
    )
    after = _plan(
        {"id": "same", "arguments": {"text": "a"}},
        {"id": "failed", "arguments": {"text": "yes"}},
        {"id": "new", "arguments": {"text": "d"}},
        {"id": "other", "arguments": {"text": "b2"}},
        {"id": "rows", "arguments": {"text": "${row}${parameters.day}"}, "rows": rows},
        {"id": "alike", "arguments": {"text": "${row}"}, "rows": {"values": ["x", "y"]}},
        parameters={"day": {"type": "string"}},
    )
    return _run(tmp_path, "1-nightly", before, day="mon"), _run(tmp_path, "2-nightly", after, day="tue")


def test_two_runs_are_compared_step_by_step(journals: tuple[Path, Path]) -> None:
    comparison = compare_runs(past_run(journals[0]), past_run(journals[1]))

    found = {step.step: step for step in comparison.steps}
    assert list(found) == ["same", "failed", "new", "other", "gone", "rows", "alike"]
    kinds = {name: step.differences - {StepDifference.DURATION} for name, step in found.items()}
    assert kinds == {
        "same": frozenset(),
        "failed": {StepDifference.PLAN, StepDifference.STATE, StepDifference.RESULT},
        "new": {StepDifference.ADDED},
        "other": {StepDifference.PLAN, StepDifference.RESULT},
        "gone": {StepDifference.REMOVED},
        "rows": {StepDifference.RESULT},
        "alike": frozenset(),
    }
    assert found["failed"].words.startswith("Other arguments; Failed → Success")
    assert comparison.parameters == "day"
    assert summary_words(comparison).endswith("of 7 steps differ · given otherwise: day")


def test_what_another_step_held_is_called_as_the_page_calls_it(tmp_path: Path) -> None:
    before = _plan(
        {"id": "free", "arguments": {"text": "a"}},
        {"id": "failed", "arguments": {"text": "no"}},
        {"id": "held", "arguments": {"text": "b"}, "depends_on": ["free", "failed"]},
        {"id": "behind", "arguments": {"text": "c"}, "depends_on": ["held"]},
        {"id": "left_out", "arguments": {"text": "d"}, "condition": "`false`"},
        {"id": "behind_it", "arguments": {"text": "e"}, "depends_on": ["left_out"]},
    )
    run = past_run(_run(tmp_path, "1-nightly", before))
    found = {step.step: step.before for step in compare_runs(run, run).steps}

    words = {name: (outcome.word, outcome.status) for name, outcome in found.items() if outcome is not None}
    assert words == {
        "free": ("Success", "success"),
        "failed": ("Failed", "failed"),
        "held": ("Blocked by 2", "blocked"),
        "behind": ("Blocked by 3", "blocked"),
        "left_out": ("Skipped", "skipped"),
        "behind_it": ("Blocked by 5", "blocked"),
    }


OF_FOUR = SavedRun(Path("x"), "nightly", NOW, 4, 4, 0, 0, (), is_over=True)


@pytest.mark.parametrize(
    ("run", "state"),
    [
        (OF_FOUR, "Done"),
        (OF_FOUR._replace(is_over=False), "Interrupted"),
        (OF_FOUR._replace(done=2, failed=1, unsure=1), "Failed"),
        (OF_FOUR._replace(done=3, unsure=1), "Unsure"),
        (OF_FOUR._replace(done=3), "Stopped"),
        (OF_FOUR._replace(done=0), "Stopped"),
    ],
)
def test_a_run_is_called_done_only_when_nothing_of_it_is_left(qtbot: QtBot, run: SavedRun, state: str) -> None:
    runs, window = RunsModel(clock=lambda: NOW), QWidget()
    qtbot.addWidget(window)
    dialog = RunsDialog("nightly", runs, StepComparisonModel(), window)
    runs.show_rows([run])
    dialog.show_done()
    assert runs.index(0, 1).data() == state
    # Its sign is known too.
    assert not dialog.runs.grab().isNull()


def test_a_run_and_itself_are_alike(journals: tuple[Path, Path]) -> None:
    run = past_run(journals[0])

    assert summary_words(compare_runs(run, run)) == "All steps came to the same"


def _slower(run: PastRun, step: str, elapsed_s: float) -> PastRun:
    ended = {**run.ended, step: run.ended[step]._replace(elapsed_s=elapsed_s)}
    return replace(run, ended=ended)


@pytest.mark.parametrize(
    ("before_s", "after_s", "words"),
    [
        (1.0, 1.4, ""),
        (0.01, 0.09, ""),
        (1.0, 2.0, "Slower: 1.00 s → 2.00 s"),
        (62.0, 2.0, "Faster: 1:02 → 2.00 s"),
    ],
)
def test_only_notable_durations_count(journals: tuple[Path, Path], before_s: float, after_s: float, words: str) -> None:
    run = past_run(journals[0])
    comparison = compare_runs(_slower(run, "same", before_s), _slower(run, "same", after_s))

    assert comparison.steps[0].words == words


class Runs:
    """Know the runs of a test."""

    def __init__(self, journals: tuple[Path, ...]) -> None:
        self.journals = journals

    async def kept(self, *, interrupted: bool) -> list[SavedRun]:
        assert not interrupted
        other = SavedRun(Path("x"), "another plan", NOW, 1, 1, 0, 0, (), is_over=True)
        found = [other]
        for journal in reversed(self.journals):
            past = past_run(journal)
            result = past.result
            facts = past.started_at, len(past.plan.steps), result.successes, result.failures, 0
            found.append(SavedRun(journal, past.plan.name, *facts, (), is_over=past.is_over))
        return found


async def _compute(function: Callable[..., Any], *args: Any) -> Any:
    return await asyncio.to_thread(function, *args)


def _given(step: Step) -> Mapping[str, Any]:
    return step.arguments


Run = Callable[[Coroutine[Any, Any, None]], None]


async def test_the_list_compares_a_run_with_the_one_before(qtbot: QtBot, journals: tuple[Path, Path]) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(1200, 800)
    window.show()

    scope = TaskScope("test")
    runs, changes = RunsModel(clock=lambda: NOW), StepComparisonModel()
    dialog = RunsDialog("nightly", runs, changes, window)
    presenter = PlanRuns(
        ("nightly", None),
        dialog,
        (runs, changes),
        runs=Runs(journals),
        given=_given,
        scope=scope,
        compute=_compute,
    )
    sides: list[tuple[ComparedSide, ComparedSide]] = []
    opened: list[SavedRun] = []
    presenter.values_compared.connect(_pairs(sides))
    presenter.open_requested.connect(opened.append)
    dialog.open()
    await until(lambda: changes.rowCount() == 5)
    assert [runs.index(row, 1).data() for row in (0, 1)] == ["Done", "Failed"]
    assert runs.index(1, 2).data() == "5 of 6"
    row = changes.index(0, 0)
    assert [row.siblingAtColumn(column).data().partition(",")[0] for column in range(4)] == [
        "failed",
        "Failed",
        "Success",
        "Other arguments; Failed → Success",
    ]
    dialog.which.select(1)
    assert changes.rowCount() == 7
    asked: list[str] = []
    dialog.values_requested.connect(asked.append)
    (place,) = [place for place in range(7) if changes.index(place, 0).data().startswith("failed")]
    middle = dialog.changes.visualRect(changes.index(place, 0)).center()
    qtbot.mouseClick(dialog.changes.viewport(), Qt.MouseButton.LeftButton, pos=middle)
    qtbot.mouseDClick(dialog.changes.viewport(), Qt.MouseButton.LeftButton, pos=middle)
    assert asked == ["failed"]
    await until(lambda: sides)
    assert (sides[0][0].arguments, sides[0][1].result) == ({"text": "no"}, "yes")
    dialog.runs.selectRow(1)
    assert dialog.chosen == [journals[0]]
    qtbot.mouseClick(dialog.open_run, Qt.MouseButton.LeftButton)
    assert [run.journal for run in opened] == [journals[0]]
    await scope.close()


def _pairs(found: list[tuple[ComparedSide, ComparedSide]]) -> Callable[[ComparedSide, ComparedSide], None]:
    def hear(one: ComparedSide, other: ComparedSide) -> None:
        found.append((one, other))

    return hear


def test_what_tools_hide_is_hidden_in_a_comparison_too(
    run_in_qt: Run, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keyring_of_runs, "KeyringVault", lambda: Vault(bytes(32)))
    plan = _plan({"id": "enter", "tool": "sign_in", "arguments": {"key": "canary"}})
    journals = tuple(_run(tmp_path, name, plan) for name in ("one", "two"))
    registry = ToolRegistry(resolve_tools([sign_in]))
    window = QWidget()
    qtbot.addWidget(window)
    window.show()

    async def story() -> None:
        scope = TaskScope("test")
        runs, changes = RunsModel(clock=lambda: NOW), StepComparisonModel()
        dialog = RunsDialog("nightly", runs, changes, window)
        presenter = PlanRuns(
            ("nightly", None),
            dialog,
            (runs, changes),
            runs=Runs(journals),
            given=lambda step: given_shown(registry.find(step.tool), step.arguments),
            scope=scope,
            compute=_compute,
        )
        sides: list[tuple[ComparedSide, ComparedSide]] = []
        presenter.values_compared.connect(_pairs(sides))
        dialog.open()
        await until(lambda: presenter._compared)
        dialog.values_requested.emit("enter")
        await until(lambda: sides)
        assert [(side.arguments, side.result) for side in sides[0]] == [({"key": MASK}, MASK)] * 2
        await scope.close()

    run_in_qt(story())

    past = past_run(journals[0])
    assert past.result.results["enter"].result == "opened with canary"
    (step,) = compare_runs(past, past).steps
    assert "canary" not in str(step)


async def test_a_plan_that_never_ran_says_so(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.show()

    scope = TaskScope("test")
    runs, changes = RunsModel(), StepComparisonModel()
    dialog = RunsDialog("nightly", runs, changes, window)
    PlanRuns(("nightly", None), dialog, (runs, changes), runs=Runs(()), given=_given, scope=scope, compute=_compute)
    dialog.open()
    await until(lambda: not scope.busy)
    assert not dialog.runs.isVisible()
    dialog.accept()
    await scope.close()
