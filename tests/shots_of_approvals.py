"""Scenes for the pictures: the Approvals page with real questions about real calls."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QDialog, QLineEdit, QListView, QPlainTextEdit, QPushButton, QTableView

from console.approval.page_view import ApprovalsView
from tools.batch import Approve, BatchExecutor, BatchPlan, Rows, Step
from tools.calls import Continue, ToolResponse
from tools.errors import CallerGoneError, ExitEarlyError
from tools.policy import Effect, Rule, RuleLocation

if TYPE_CHECKING:
    from pathlib import Path

    from tests.shots import Stage
    from tools.batch import BatchResult
    from tools.execution.executor import Executor
    from tools.execution.run import Run

__all__ = ["approvals_caller_gone", "approvals_page", "approvals_plan", "approvals_protected"]

CALLS: Final[tuple[tuple[str, dict[str, Any], str], ...]] = (
    ("delete_file", {"path": "exports/2026-10", "recursive": True}, "agent:claude-desktop"),
    ("run_command", {"command": "npm audit fix --force"}, "agent:claude-desktop"),
    (
        "write_file",
        {"path": "docs/handover.md", "text": "Nothing open.\n"},
        "batch: nightly-digest",
    ),
    ("delete_file", {"path": "exports/2026-09", "recursive": True, "missing_ok": True}, "batch: cleanup"),
    ("human_input", {"question": "Which order shall be refunded first?"}, "agent:claude-desktop"),
)


PROTECTED_CALL: Final[tuple[str, dict[str, Any], str]] = (
    "write_file",
    {"path": ".tool-console/policy.toml", "text": "", "create_folders": True},
    "agent:claude-desktop",
)

PLAN: Final = BatchPlan(
    name="monthly-tidy-up",
    approve=Approve.PLAN,
    steps=(
        Step(id="read", tool="query_json", arguments={"path": "tickets.json", "expression": "@"}),
        Step(
            id="notes",
            tool="write_file",
            rows=Rows(values=["2026-06", "2026-07", "2026-08", "2026-09", "2026-10", "2026-11", "2026-12"]),
            arguments={"path": "notes/${row}.md", "text": "# ${row}\n"},
        ),
        Step(id="exports", tool="delete_file", arguments={"path": "exports/2026-09", "recursive": True}),
        Step(
            id="summary",
            tool="write_file",
            arguments={"path": "summary.txt", "text": "${to_string(steps.read.result)}"},
        ),
    ),
)


class _Callers:
    """Everybody who calls tools besides the person at the window."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._console = stage.console
        self._tasks: list[asyncio.Task[ToolResponse | None]] = []

    async def call(self, tool: str, arguments: dict[str, Any], caller: str) -> None:
        """Call a tool, and wait until somebody is asked."""
        waiting = len(self._console.desk.open_requests)
        self._tasks.append(asyncio.ensure_future(self._console.engine.call(self._run, tool, arguments, caller)))
        await self._stage.until(lambda: len(self._console.desk.open_requests) > waiting)

    async def _run(self, tool: str, arguments: dict[str, Any], caller: str) -> ToolResponse | None:
        executor = self._console.executor
        try:
            return await executor.execute(executor.create_call(tool, arguments, caller=caller))
        except ExitEarlyError:
            return None

    async def wait(self) -> None:
        await asyncio.gather(*self._tasks)


async def approvals_page(stage: Stage) -> None:
    """The page with nothing open, with five questions, with an edit, with several picked, and with what was decided."""
    await stage.open(first_time=False, data=stage.home / f"approvals-{stage.theme.mode}")
    console = stage.console
    console.window.rail.choose("approvals")
    await stage.settle()
    await stage.take("approvals-none")
    callers = _Callers(stage)
    for tool, arguments, caller in CALLS:
        await callers.call(tool, arguments, caller)
    view = console.window.findChild(ApprovalsView)
    assert view is not None
    await stage.take("approvals-queue")
    path = stage.find("argument path", QLineEdit)
    path.setFocus()
    path.selectAll()
    QTest.keyClicks(path, "exports/2026-10/notes.txt")
    await stage.take("approvals-edited")
    listed = stage.find("Open questions", QListView)
    listed.setFocus()
    for key in (Qt.Key.Key_X, Qt.Key.Key_J, Qt.Key.Key_J, Qt.Key.Key_J, Qt.Key.Key_X):
        QTest.keyClick(listed, key)
    await stage.take("approvals-batch")
    QTest.keyClick(listed, Qt.Key.Key_Escape)
    QTest.keyClick(listed, Qt.Key.Key_J)
    await stage.take("approvals-question")
    await _answer_all(stage, view)
    await callers.wait()
    decided = len(CALLS)
    await stage.until(lambda: len(view.decisions.model.rows) == decided)
    view.tabs.setCurrentIndex(1)
    await stage.take("approvals-history")
    await stage.close()


async def approvals_plan(stage: Stage) -> None:
    """One question about a whole plan, in a dialog and on the page, with a step whose arguments come later."""
    await stage.open(first_time=False)
    console = stage.console
    console.window.rail.choose("tools")
    running = asyncio.ensure_future(console.engine.call(_run_plan, console.executor, stage.project))
    await stage.until(lambda: bool(console.desk.open_requests))
    await stage.take("approvals-plan")
    stage.find("Deny", QPushButton).click()
    await running
    console.window.rail.choose("approvals")
    running = asyncio.ensure_future(console.engine.call(_run_plan, console.executor, stage.project))
    await stage.until(lambda: bool(console.desk.open_requests))
    await stage.settle()
    table = stage.find("Steps", QTableView)
    table.setCurrentIndex(table.model().index(1, 3))
    stage.find("Agree to summary with whatever arguments", QCheckBox).click()
    await stage.take("approvals-plan-page")
    stage.find("Deny", QPushButton).click()
    await running
    await stage.close()


async def approvals_protected(stage: Stage) -> None:
    """An agent wants to change the project's policy, although a rule allows what it calls: in a dialog, on the page."""
    await stage.open(first_time=False)
    console = stage.console
    console.policies.policy.add(Rule(id="notes", effect=Effect.ALLOW, tool="write_file"), RuleLocation.SESSION)
    callers = _Callers(stage)
    console.window.rail.choose("tools")
    await callers.call(*PROTECTED_CALL)
    await stage.until(lambda: any(dialog.isVisible() for dialog in console.window.findChildren(QDialog)))
    await stage.take("approvals-protected")
    stage.find("Deny", QPushButton).click()
    await callers.wait()
    console.window.rail.choose("approvals")
    await callers.call(*PROTECTED_CALL)
    await stage.settle()
    await stage.take("approvals-protected-page")
    stage.find("Deny", QPushButton).click()
    await callers.wait()
    await stage.close()


async def approvals_caller_gone(stage: Stage) -> None:
    """The agent gives up while a person is asked: in a dialog, on the page, and where the allowed call waits for it."""
    await stage.open(first_time=False)
    console = stage.console
    console.window.rail.choose("tools")
    gone = _CallerGone(console.executor)
    calling = asyncio.ensure_future(console.engine.call(gone.call))
    await stage.until(lambda: any(dialog.isVisible() for dialog in console.window.findChildren(QDialog)))
    await stage.until(lambda: console.desk.open_requests[0].caller_back_within_s)
    await stage.take("approvals-caller-gone")
    stage.find("Decide later", QPushButton).click()
    await stage.settle()
    await stage.take("approvals-caller-gone-page")
    console.desk.answer(console.desk.open_requests[0].id, Continue())
    console.window.rail.choose("tools")
    calls = console.activity_view.findChildren(QTableView)[0].model()
    await stage.until(lambda: "Approved, waiting for the caller" in str(calls.index(0, 4).data()))
    await stage.take("activity-approved")
    console.activity_view.call_opened.emit(gone.call_id)
    await stage.settle()
    await stage.take("tool-approved")
    console.engine.post(gone.expire)
    await calling
    await stage.take("tool-expired")
    await stage.close()


class _CallerGone:
    """A call of an agent that gives up waiting, and stays away."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor

    async def call(self) -> None:
        self._away = asyncio.Event()
        tool, arguments, caller = CALLS[2][0], CALLS[2][1], CALLS[0][2]
        call = self._executor.create_call(tool, arguments, caller=caller)
        self.call_id, call.caller_back_within_s = call.id, 600.0
        await self._executor.execute(call, released=self._released)

    async def _released(self, run: Run) -> None:
        with run.awaiting_caller(datetime.now(UTC) + timedelta(minutes=9, seconds=32)):
            await self._away.wait()
            raise CallerGoneError("the agent left and did not ask again within 600 s, so nothing was run")

    def expire(self) -> None:
        self._away.set()


async def _run_plan(executor: Executor, project: Path) -> BatchResult:
    return await BatchExecutor(executor=executor).run(PLAN, folder=project)


async def _answer_all(stage: Stage, view: ApprovalsView) -> None:
    for request in stage.console.desk.open_requests:
        view.queue.choose(request.id)
        # Longer than nothing can be allowed after a question appears.
        await stage.settle()
        await stage.settle()
        match request.call.tool.name:
            case "human_input":
                answer = stage.find("Answer", QPlainTextEdit)
                QTest.keyClicks(answer, "The lost one, A-1002")
                QTest.keyClick(answer, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
            case "run_command":
                reason = stage.find("Reason", QLineEdit)
                QTest.keyClicks(reason, "npm is never needed here")
                stage.find("Deny", QPushButton).click()
            case _:
                stage.find("Deny", QPushButton).click()
