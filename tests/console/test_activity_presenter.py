from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Annotated

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from console.activity.model import ActivityModel, duration_words, status_words
from console.activity.presenter import ActivityPresenter, CallsPerHour
from console.activity.rows import ActivityRow
from console.call_events import CallAdded, CallBegun, CallEnded, CallerMissing, QuestionAsked
from console.call_table import CallColumn
from console.engine import Inbox
from tools import (
    Continue,
    Edit,
    Executor,
    ExitEarly,
    Param,
    ReviewRequest,
    ToolContext,
    ToolPipeline,
    ToolRegistry,
    cached,
    resolve_tools,
    security,
    tool,
)
from tools.calls import CallStatus
from tools.errors import CallerGoneError
from tools.execution.run import Run

NOON = datetime(2026, 5, 12, 12, 0, 0, tzinfo=UTC)


class FakeView:
    def __init__(self) -> None:
        self.counts: list[tuple[int, int]] = []

    def set_counts(self, running: int, in_last_hour: int) -> None:
        self.counts.append((running, in_last_hour))


@tool
def add(a: int, b: int = 2) -> int:
    """Add."""
    return a + b


@tool
@cached(ttl_s=60)
def known(word: str) -> str:
    """Say it."""
    return word


@tool
@security(mask_fields=("key",))
def login(user: str, key: str) -> str:
    """Log in."""
    return user


@tool
@security(sensitive=True)
def whisper(text: str) -> str:
    """Say what nobody may keep."""
    return text


@tool
def broken() -> None:
    """Fail."""
    raise FileNotFoundError("there is no such file.\nMore follows.")


@tool(requires_confirmation=True)
async def risky(path: Annotated[str, Param("Which")]) -> str:
    """Ask first."""
    return path


PIPELINE = ToolPipeline.of("login", "whisper", name="both")


@tool
async def noisy(ctx: ToolContext) -> None:
    """Say a lot."""
    for number in range(100):
        ctx.log("info", f"line {number}")


class Stage:
    """A real executor whose events reach the presenter when a test says so."""

    def __init__(self) -> None:
        self.now = NOON
        self.model = ActivityModel(self.clock)
        self.view = FakeView()
        self.presenter = ActivityPresenter(self.model, self.view, self.properties, self.clock)
        self.inbox = Inbox(list)
        self.answers: list[Continue | Edit | ExitEarly] = []
        registry = ToolRegistry(resolve_tools([add, known, login, whisper, broken, risky, noisy, PIPELINE]))
        self.executor = Executor(registry, review_handler=self, listeners=[self.inbox])

    def properties(self, name: str) -> object:
        tool = self.executor.registry.lookup(name)
        return None if tool is None else tool.input_schema.get("properties")

    def clock(self) -> datetime:
        return self.now

    async def review(self, request: ReviewRequest) -> Continue | Edit | ExitEarly:
        self.asked = request
        return self.answers.pop(0)

    def hand_over(self) -> None:
        self.presenter.on_events(self.inbox.take())

    def run(self, name: str, **arguments: object) -> ActivityRow:
        self.executor.run(name, arguments)
        self.hand_over()
        return self.row()

    def row(self, at: int = 0) -> ActivityRow:
        return self.model.rows[at]


@pytest.fixture
def stage(qtbot: QtBot) -> Iterator[Stage]:
    stage = Stage()
    yield stage
    stage.presenter.close()
    stage.executor.close()
    stage.model.deleteLater()
    stage.presenter.deleteLater()


def test_a_call_that_worked(stage: Stage) -> None:
    row = stage.run("add", a=1)

    assert (row.tool, row.caller, row.status, row.reason) == ("add", "you", "success", "")
    assert row.given.line == "a=1"
    assert row.given.json == '{"a": 1, "b": 2}'
    assert row.elapsed_s is not None
    assert stage.model.rowCount() == 1
    assert stage.view.counts[-1][0] == 0


def test_only_what_differs_from_its_default_stands_in_the_line(stage: Stage) -> None:
    assert stage.run("add", b=2, a=1).given.line == "a=1"
    assert stage.run("add", b=3, a=1).given.line == "a=1 b=3"


@pytest.mark.expects_log("tools")
def test_a_call_that_failed_says_why_in_one_line(stage: Stage) -> None:
    row = stage.run("broken")

    assert row.status == "failed"
    assert row.reason.endswith("there is no such file")
    assert stage.model.index(0, 4).data().startswith("Failed: ")


def test_secrets_are_masked(stage: Stage) -> None:
    row = stage.run("login", user="mira", key="s3cret")

    assert "s3cret" not in row.given.line + row.given.json
    assert row.given.line == 'user="mira" key="••••••"'


def test_arguments_of_a_sensitive_tool_are_in_no_list(stage: Stage) -> None:
    row = stage.run("whisper", text="s3cret")

    assert (row.given.line, row.given.json) == ("…", "")


def test_a_pipeline_whose_steps_are_only_named_shows_no_arguments_and_stands_below_its_steps(stage: Stage) -> None:
    stage.run("both", user="mira", key="s3cret")

    assert [(row.tool, row.given.line) for row in stage.model.rows] == [
        ("whisper", "…"),
        ("login", 'user="mira" key="••••••"'),
        ("both", "…"),
    ]


def test_a_known_result_is_said_to_come_from_the_cache(stage: Stage) -> None:
    assert stage.run("known", word="x").status == "success"
    assert stage.run("known", word="x").status == "cached"


@pytest.mark.expects_log("tools")
def test_bad_arguments_and_unknown_names_are_rejected(stage: Stage) -> None:
    row = stage.run("add", a="many")
    assert row.status == "rejected"
    assert row.given.line == 'a="many"'
    assert row.reason

    row = stage.run("subtract", a=1)
    assert (row.status, row.tool) == ("rejected", "subtract")
    assert row.reason == "no tool is called 'subtract'"
    assert not stage.model.live


def test_a_call_waits_runs_and_is_denied(stage: Stage) -> None:
    stage.answers = [ExitEarly("not today")]
    stage.executor.run("risky", {"path": "x"})
    events = stage.inbox.take()
    asked = next(at for at, event in enumerate(events) if isinstance(event, QuestionAsked))

    first, rest = events[: asked + 1], events[asked + 1 :]
    stage.presenter.on_events(first)
    request = stage.asked
    assert stage.row().status == "waiting"
    assert stage.row().expires_at == request.expires_at
    assert stage.model.live
    longer = request._replace(timeout_s=request.timeout_s + 300)
    stage.presenter.reschedule(longer)
    assert stage.row().expires_at == longer.expires_at

    stage.presenter.on_events(rest)
    assert stage.row().status == "denied"
    assert stage.row().expires_at is None
    assert "not today" in stage.row().reason
    stage.presenter.reschedule(longer)
    assert stage.row().expires_at is None
    assert not stage.model.live


def test_edited_arguments_are_shown_as_they_ran(stage: Stage) -> None:
    stage.answers = [Edit({"path": "elsewhere"})]
    row = stage.run("risky", path="here")

    assert row.status == "success"
    assert row.given.line == 'path="elsewhere"'


def test_events_in_one_batch_become_one_row(stage: Stage) -> None:
    changes: list[str] = []

    def inserted() -> None:
        changes.append("inserted")

    def changed() -> None:
        changes.append("changed")

    stage.model.rowsInserted.connect(inserted)
    stage.model.dataChanged.connect(changed)
    stage.run("noisy")

    assert changes == ["inserted"]
    stage.presenter.on_events([])
    assert len(stage.view.counts) == 1


def test_a_call_whose_beginning_was_missed_is_shown_all_the_same(stage: Stage) -> None:
    stage.executor.run("add", {"a": 1})
    stage.presenter.on_events(stage.inbox.take()[-1:])

    assert stage.row().status == "success"
    assert stage.row().given.line == "a=1"


def test_time_is_told_each_second_while_something_runs(qtbot: QtBot, stage: Stage) -> None:
    stage.executor.create_call("add", {"a": 1})
    (added,) = stage.inbox.take()
    assert isinstance(added, CallAdded)
    stage.presenter.on_events([added, CallBegun(added.record.id, "add")])
    assert stage.model.running == 1
    assert [running for running, _ in stage.view.counts] == [1]

    with qtbot.waitSignal(stage.model.dataChanged, timeout=5_000):
        stage.now += timedelta(seconds=1)
    stage.presenter.on_events([CallEnded(added.record._replace(status=CallStatus.EXECUTED))])
    assert stage.model.running == 0


def test_a_call_that_only_was_made_is_queued(stage: Stage) -> None:
    stage.executor.create_call("add", {"a": 1})
    stage.hand_over()

    assert stage.row().status == "queued"
    assert stage.model.index(0, 4).data(Qt.ItemDataRole.DisplayRole) == "Queued"


def test_calls_are_counted_over_an_hour() -> None:
    counted = CallsPerHour()
    for minute in range(90):
        for _ in range(3):
            counted.add((NOON + timedelta(minutes=minute)).timestamp())
    counted.add((NOON + timedelta(minutes=88)).timestamp())  # a little late

    assert counted.count(NOON + timedelta(minutes=89, seconds=30)) == 181
    assert counted.count(NOON + timedelta(minutes=120)) == 3 * 29 + 1
    assert counted.count(NOON + timedelta(days=1)) == 0


def test_calls_from_before_the_start_are_listed_and_counted_into_the_hour(qtbot: QtBot) -> None:
    stage = Stage()
    row = ActivityRow("run-1", NOON - timedelta(minutes=50), "add", "you", status="success", elapsed_s=0.1)
    rows = [row, row._replace(call_id="run-2", proposed_at=NOON - timedelta(minutes=5))]

    stage.presenter.restore([row._replace(call_id="old", proposed_at=NOON - timedelta(hours=3)), *rows], 7)

    assert stage.view.counts[-1] == (0, 7)
    assert stage.model.total == 3
    stage.now = NOON + timedelta(minutes=20)
    stage.presenter.restore([], 0)
    assert stage.view.counts[-1] == (0, 1)
    stage.presenter.close()


def allowed(stage: Stage, *, comes_back: bool) -> None:
    """Run a call that waits for its caller before its tool starts, as one of an agent does that has given up."""

    async def released(run: Run) -> None:
        with run.awaiting_caller(NOON + timedelta(minutes=10)):
            if not comes_back:
                raise CallerGoneError("the agent left and did not ask again within 600 s, so nothing was run")

    async def made() -> None:
        await stage.executor.execute(
            stage.executor.create_call("add", {"a": 1}, caller="agent:scout"), released=released
        )

    asyncio.run(made())


def test_an_allowed_call_whose_caller_is_gone_does_not_run_but_waits_for_it(stage: Stage) -> None:
    allowed(stage, comes_back=True)
    events = stage.inbox.take()
    at = next(at for at, event in enumerate(events) if isinstance(event, CallerMissing))

    stage.presenter.on_events(events[: at + 1])
    row = stage.row()
    assert (row.status, row.expires_at) == ("approved", NOON + timedelta(minutes=10))
    assert status_words(row) == "Approved, waiting for the caller"
    assert duration_words(row, NOON) == "10:00 left"
    assert "until" in stage.model.cells_at(0)[CallColumn.STATUS].tip
    assert (stage.view.counts[-1][0], stage.model.live) == (0, True)
    stage.model.set_show("waiting")
    assert stage.model.rowCount() == 1
    stage.model.set_show("running")
    assert stage.model.rowCount() == 0
    stage.model.set_show("all")

    stage.presenter.on_events(events[at + 1 : at + 2])
    assert (stage.row().status, stage.row().expires_at) == ("running", None)
    assert stage.view.counts[-1][0] == 1

    stage.presenter.on_events(events[at + 2 :])
    assert stage.row().status == "success"


@pytest.mark.expects_log("tools")
def test_an_allowed_call_whose_caller_stays_away_has_expired_and_not_failed(stage: Stage) -> None:
    allowed(stage, comes_back=False)
    stage.hand_over()
    row = stage.row()

    assert (row.status, row.expires_at) == ("expired", None)
    assert status_words(row) == "Expired, never run"
    assert "did not ask again" in stage.model.cells_at(0)[CallColumn.STATUS].tip
    stage.model.set_show("failed")
    assert stage.model.rowCount() == 0
