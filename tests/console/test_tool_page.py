"""The page of a tool, driven by click and key over a real executor."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Annotated, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QLineEdit, QMenu, QWidget
from pytestqt.qtbot import QtBot

from console.call_events import CallOutput
from console.call_result.compared_calls import side_of_call
from console.call_result.presenter import RateMeter, content_of
from console.comparison import ComparisonDialog
from console.tool_page.presenter import LastRuns
from console.viewers import ContentKind
from tests.console.opened_page import Drafts, Page, opened_page
from tools import (
    ExitEarly,
    ExitEarlyError,
    Param,
    ToolContext,
    ToolExample,
    ToolFailure,
    cached,
    resilience,
    security,
    tool,
)
from tools.calls import MASK, Attachment, CallRecord, CallStatus, Progress, ToolRef, record_of
from tools.execution.run import Run


@tool(
    read_only=True,
    latency="fast",
    examples=(ToolExample(input={"pattern": "def ", "limit": 2}, description="Functions"),),
)
@cached(ttl_s=300)
async def look(
    pattern: Annotated[str, Param("What to look for")], limit: int = 10, *, ctx: ToolContext
) -> dict[str, Any]:
    """Look for a pattern."""
    ctx.log("info", f"looking for {pattern}")
    ctx.log("warning", "slowly")
    ctx.attach(b"one", mime_type="text/plain", name="found.txt")
    return {"matches": [{"text": pattern * number} for number in range(1, limit + 1)], "note": None}


@tool
async def hold(*, ctx: ToolContext) -> str:
    """Wait until it is stopped."""
    ctx.log("info", "holding")
    ctx.progress(3, 10, "Reading page 3")
    await asyncio.Event().wait()
    return "never"


@tool
async def dictate(*, ctx: ToolContext) -> str:
    """Write until it is stopped."""
    for number in range(200):
        ctx.write(f"word {number}\n")
    ctx.progress(5, 10, "Writing")
    await asyncio.Event().wait()
    return "never"


@tool
async def chatter(*, ctx: ToolContext) -> str:
    """Say something all the time until it is stopped."""
    for number in count():
        ctx.log("info", f"line {number}")
        ctx.write(f"word {number}\n")
        await asyncio.sleep(0.002)
    return "never"


@tool
async def text() -> str:
    """Return text."""
    return "first line\nsecond line"


@tool
async def nothing() -> None:
    """Return nothing."""


@tool
async def fail() -> str:
    """Fail."""
    raise ToolFailure("the disk is full")


@tool
async def crash() -> str:
    """Crash."""
    raise ValueError("expected a file, got a folder")


@tool(destructive=True, idempotent=False)
async def erase(path: str = "tmp") -> str:
    """Erase a file."""
    return f"erased {path}"


@tool
@resilience(timeout_s=0.01)
async def late(*, ctx: ToolContext) -> str:
    """Take too long."""
    ctx.log("info", "began")
    await asyncio.Event().wait()
    return "never"


@tool
@security(mask_fields=("token",))
async def login(user: str, token: str) -> str:
    """Log in."""
    return user


@tool
async def end_run() -> str:
    """End the whole run."""
    raise ExitEarlyError("the reviewer stopped the run")


TOOLS = (look, hold, dictate, chatter, text, nothing, fail, crash, erase, late, login, end_run)


Open = Callable[..., AbstractAsyncContextManager[Page]]


@pytest.fixture
def open_page(qtbot: QtBot) -> Open:
    """Return a function that opens a page of a tool for a block."""

    def opened(name: str, drafts: Drafts | None = None, reviewer: Any = None) -> AbstractAsyncContextManager[Page]:
        return opened_page(qtbot, TOOLS, name, drafts=drafts, reviewer=reviewer)

    return opened


@pytest.mark.reference("E41")
async def test_a_run_shows_result_logs_attachments_and_timing(open_page: Open) -> None:
    async with open_page("look") as page:
        page.type_argument("pattern", "def ")
        await page.run()

        assert page.facts.startswith("Success · ")
        assert page.facts.endswith("cache miss")
        # Nothing went over a wire.
        assert not page.view.results.result_header.messages.isVisible()
        tree = page.named("Result")
        assert tree.isVisible()
        assert tree.json_model.value["matches"][0] == {"text": "def "}
        assert page.view.results.result.shown.preview.path == "$.matches[0]"
        assert page.view.results.logs.list.lines.entries == 2
        assert [file.name for file in page.view.results.attachments.files.rows] == ["found.txt"]
        rows = page.view.results.timing.steps.rows
        assert "Execute" in [row.name for row in rows]
        assert [page.view.results.result_header.tabs.tabText(tab) for tab in range(4)] == [
            "Result",
            "Logs",
            "Attachments",
            "Timing",
        ]
        assert page.view.results.result_header.tabs.accessibleTabName(1) == "Logs, 2"


async def test_run_is_refused_until_the_arguments_fit(open_page: Open) -> None:
    async with open_page("look") as page:
        run = page.named("Run")
        assert not run.isEnabled()
        assert "pattern" in run.toolTip()

        page.qtbot.keyClick(page.named("argument pattern"), Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        assert "pattern" in page.notice
        assert not page.presenter.is_running

        page.type_argument("pattern", "x")
        assert run.isEnabled()
        assert run.toolTip().startswith("Run the tool")
        assert page.notice == ""


async def test_ctrl_enter_runs_from_a_field(open_page: Open) -> None:
    async with open_page("look") as page:
        page.type_argument("pattern", "x")
        page.qtbot.keyClick(page.named("argument pattern"), Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        await page.until(lambda: page.facts.startswith("Success"))


async def test_a_second_run_is_refused_in_words(open_page: Open) -> None:
    async with open_page("hold") as page:
        page.click("Run")
        await page.until(lambda: page.presenter.call is not None)
        assert not page.named("Run").isEnabled()
        assert page.named("Run").toolTip() == "hold runs already"

        page.presenter.run()

        assert page.notice == "hold runs already. Stop it first, or wait until it ends."
        page.click("Stop")
        await page.ended()


@pytest.mark.reference("E31")
async def test_stop_says_stopping_until_the_call_ended(open_page: Open) -> None:
    async with open_page("hold") as page:
        assert not page.named("Stop").isEnabled()
        page.click("Run")
        await page.until(page.has_logged)
        page.deliver()
        page.clock.now_s += 3.1

        page.click("Stop")

        assert page.facts == "Stopping… · 3.1 s"
        assert not page.named("Stop").isEnabled()
        await page.ended()
        assert page.facts.startswith("Cancelled · Stopped after ")
        failure = page.named("Failure")
        assert failure.isVisible()
        assert "hold was stopped" in failure.explanation()
        assert page.view.results.logs.list.lines.entries == 1
        assert page.named("Run").isEnabled()


async def test_stop_before_the_call_exists_still_stops_it(open_page: Open) -> None:
    async with open_page("hold") as page:
        page.click("Run")
        page.click("Stop")
        await page.ended()

        assert page.facts.startswith("Cancelled")


async def test_escape_stops(open_page: Open) -> None:
    async with open_page("hold") as page:
        page.click("Run")
        await page.until(lambda: page.presenter.call is not None)
        page.qtbot.keyClick(page.view, Qt.Key.Key_Escape)
        await page.ended()

        assert page.facts.startswith("Cancelled")


async def test_a_running_call_counts_and_tells_its_progress(open_page: Open) -> None:
    async with open_page("hold") as page:
        page.click("Run")
        await page.until(page.has_logged)
        page.clock.now_s += 9.1
        await page.until(lambda: page.facts == "Running · 9.1 s")
        page.deliver()

        progress = page.named("Progress")
        assert progress.isVisible()
        assert progress.accessibleDescription() == "Reading page 3 · 3 of 10"
        progress.grab()
        page.click("Stop")
        await page.ended()
        assert not progress.isVisible()


async def test_the_result_before_stays_until_the_next_is_there(open_page: Open) -> None:
    async with open_page("look") as page:
        page.type_argument("pattern", "x")
        await page.run()
        before = page.view.results.content

        page.click("Run")

        assert page.view.results.content is before
        assert page.named("Result").isVisible()
        await page.ended()
        assert page.facts.endswith("cache hit")


async def test_the_cache_can_be_passed_over(open_page: Open) -> None:
    async with open_page("look") as page:
        page.type_argument("pattern", "x")
        await page.run()
        page.view.header.menu_action("bypass").trigger()
        await page.ended()

        assert page.facts.endswith("cache passed over")


async def test_text_is_shown_as_text(open_page: Open) -> None:
    async with open_page("text") as page:
        await page.run()

        shown = page.named("Result text")
        assert shown.isVisible()
        assert shown.text == "first line\nsecond line"
        assert not page.view.results.result_header.forms.isVisible()


async def test_a_value_is_shown_as_text_too(open_page: Open) -> None:
    async with open_page("look") as page:
        page.type_argument("pattern", "x")
        await page.run()

        forms = page.view.results.result_header.forms
        assert forms.choices == ("Tree", "Table", "Text")
        forms.setFocus()
        page.qtbot.keyClick(forms, Qt.Key.Key_Right)
        page.qtbot.keyClick(forms, Qt.Key.Key_Right)
        await page.until(lambda: page.named("Result text").isVisible())

        assert json.loads(page.named("Result text").text)["matches"][0] == {"text": "x"}
        forms.select(0)
        assert page.named("Result").isVisible()


async def test_nothing_returned_is_said(open_page: Open) -> None:
    async with open_page("nothing") as page:
        await page.run()

        assert page.facts.startswith("Success")
        empty = page.named("The tool returned nothing. It ended well and has no value to show.")
        assert empty.isVisible()


async def test_before_the_first_run_the_page_says_what_to_do(open_page: Open) -> None:
    async with open_page("text") as page:
        assert page.named("Run the tool to see its result. It is shown here, with its logs and its times.").isVisible()
        assert page.facts == ""


@pytest.mark.expects_log("tools.calls")
async def test_an_expected_failure_has_no_traceback(open_page: Open) -> None:
    async with open_page("fail") as page:
        await page.run()

        assert page.facts.startswith("Failed")
        explanation = page.named("Failure").explanation()
        assert explanation.startswith("fail failed")
        assert "the disk is full" in explanation
        assert "Traceback" not in explanation


@pytest.mark.expects_log("tools.calls")
async def test_a_crash_folds_its_traceback(open_page: Open) -> None:
    async with open_page("crash") as page:
        await page.run()

        trace = next(widget for widget in page.view.findChildren(QWidget) if widget.accessibleName() == "Traceback")
        assert trace.isVisible()
        explanation = page.named("Failure").explanation()
        assert explanation.startswith("crash failed ValueError\nexpected a file, got a folder")
        assert "Traceback (most recent call last)" in explanation
        page.click("Copy the explanation")
        assert QGuiApplication.clipboard().text() == explanation


async def test_a_denied_call_has_the_reviewers_words(open_page: Open) -> None:
    async with open_page("erase", reviewer=lambda request: ExitEarly("Not on a Friday")) as page:
        await page.run()

        assert page.facts.startswith("Denied")
        assert "Not on a Friday" in page.named("Failure").explanation()


@pytest.mark.expects_log("tools.calls")
async def test_a_timed_out_call_keeps_what_it_wrote(open_page: Open) -> None:
    async with open_page("late") as page:
        await page.run()

        assert page.facts.startswith("Timed out")
        assert page.view.results.logs.list.lines[0].text == "began"
        assert page.view.results.timing.steps.rows[1].label == "timed out"


@pytest.mark.expects_log("tools.calls")
async def test_what_reaches_the_caller_is_shown_as_the_response_says(open_page: Open) -> None:
    async with open_page("end_run") as page:
        await page.run()

        assert page.facts.startswith("Denied")
        assert "the reviewer stopped the run" in page.named("Failure").explanation()


@pytest.mark.expects_log("console.tool_page")
async def test_a_failing_framework_does_not_leave_the_page_running(open_page: Open) -> None:
    async with open_page("text") as page:

        async def run(*_: object, **__: object) -> CallRecord:
            raise RuntimeError("the engine is gone")

        page.calls.run = run  # type: ignore[method-assign]
        await page.run()

        assert page.facts.startswith("Failed")
        assert "the engine is gone" in page.named("Failure").explanation()
        assert page.named("Run").isEnabled()


@pytest.mark.expects_log("tools.calls")
async def test_arguments_that_the_tool_refuses_lead_to_their_field(open_page: Open) -> None:
    async with open_page("look") as page:
        page.type_argument("pattern", "x")

        usual = page.calls.run

        async def run(name: str, _arguments: Any, *others: Any, **further: Any) -> CallRecord:
            return await usual(name, {"pattern": "x", "limit": "many"}, *others, **further)

        page.calls.run = run  # type: ignore[method-assign, assignment]
        await page.run()

        assert page.facts.startswith("Rejected")
        problem = next(
            button for button in page.view.findChildren(QAbstractButton) if button.property("problemPath") == "limit"
        )
        page.view.activateWindow()
        page.qtbot.mouseClick(problem, Qt.MouseButton.LeftButton)
        focused = page.view.focusWidget()
        assert focused is not None
        assert focused.accessibleName() == "argument limit"


async def test_events_of_other_calls_are_passed_over(open_page: Open) -> None:
    async with open_page("hold") as page:
        page.click("Run")
        await page.until(page.has_logged)
        other = page.executor.create_call("text", {})
        await page.executor.execute(other)
        page.deliver()

        assert page.presenter.is_running
        assert page.view.results.logs.list.lines.entries == 1
        page.click("Stop")
        await page.ended()


async def test_the_end_is_shown_once_whichever_comes_first(open_page: Open, qtbot: QtBot) -> None:
    async with open_page("look") as page:
        ended: list[CallRecord] = []
        page.presenter.ended.connect(ended.append)
        page.type_argument("pattern", "x")
        await page.run()
        page.deliver()
        await asyncio.sleep(0)

        assert len(ended) == 1
        assert page.view.results.logs.list.lines.entries == 2


async def test_an_example_fills_the_form_and_can_be_undone(open_page: Open) -> None:
    async with open_page("look") as page:
        page.view.arguments.examples.menu().actions()[0].trigger()
        assert page.view.document.value() == {"pattern": "def ", "limit": 2}
        assert page.named("argument pattern").text() == "def "
        assert page.notice == "The example filled the arguments."

        page.qtbot.mouseClick(page.button("Undo"), Qt.MouseButton.LeftButton)
        assert page.view.document.value() == {"limit": 10}


async def test_reset_restores_the_defaults_and_can_be_undone(open_page: Open) -> None:
    async with open_page("look") as page:
        page.type_argument("pattern", "x")
        page.qtbot.mouseClick(page.button("Reset"), Qt.MouseButton.LeftButton)
        assert page.view.document.value() == {"limit": 10}

        page.qtbot.mouseClick(page.button("Undo"), Qt.MouseButton.LeftButton)
        assert page.view.document.value() == {"pattern": "x", "limit": 10}


async def test_arguments_are_kept_for_the_next_start(open_page: Open) -> None:
    drafts = Drafts()

    async with open_page("look", drafts) as page:
        page.type_argument("pattern", "x")
    async with open_page("look", drafts) as page:
        assert page.named("argument pattern").text() == "x"


async def test_secrets_are_not_kept(open_page: Open) -> None:
    drafts = Drafts()

    async with open_page("login", drafts) as page:
        page.type_argument("user", "mira")
        page.type_argument("token", "t0p")

    assert json.loads(drafts.typed["login"]) == {"arguments": {"user": "mira"}}


async def test_a_secret_is_typed_unseen(open_page: Open) -> None:
    told: list[str] = []

    async with open_page("login") as page:
        page.view.arguments.show_summary = told.append  # type: ignore[assignment, method-assign]
        page.type_argument("user", "mira")
        page.type_argument("token", "t0p-s3cret")
        assert page.named("argument token").echoMode() is QLineEdit.EchoMode.Password
        assert page.named("argument user").echoMode() is QLineEdit.EchoMode.Normal
        assert MASK in told[-1]
        assert "t0p" not in str(told)


@pytest.mark.parametrize(
    ("number", "start"), [(0, "response = executor.run("), (1, "tool-console call look"), (3, "{")]
)
async def test_the_call_is_copied(open_page: Open, number: int, start: str) -> None:
    async with open_page("look") as page:
        page.type_argument("pattern", "x")
        page.button("Copy as").menu().actions()[number].trigger()  # type: ignore[attr-defined]

        assert QGuiApplication.clipboard().text().startswith(start)


async def test_arguments_are_told_in_the_order_of_the_tool(open_page: Open) -> None:
    async with open_page("look") as page:
        page.type_argument("pattern", "x")
        page.view.results.show_tab(3)

        assert page.named("Show the arguments").accessibleDescription() == 'pattern="x"  limit=10'


async def test_the_result_is_copied_and_saved(open_page: Open, tmp_path: Path) -> None:
    async with open_page("look") as page:
        page.type_argument("pattern", "x")
        await page.run()
        page.click("Copy")
        await page.until(lambda: "on the clipboard" in page.notice)
        assert json.loads(QGuiApplication.clipboard().text())["note"] is None

        page.click("Save as…")
        dialog = page.view.findChild(QFileDialog)
        assert dialog is not None
        dialog.fileSelected.emit(str(tmp_path / "result.json"))
        dialog.close()
        await page.until((tmp_path / "result.json").is_file)
        await page.until(lambda: page.notice.startswith("Saved as"))
        assert json.loads((tmp_path / "result.json").read_text())["note"] is None

        page.view.results.result_save_chosen.emit(str(tmp_path / "no" / "such" / "folder.json"))
        await page.until(lambda: "could not be saved" in page.notice)


async def test_an_attachment_is_saved(open_page: Open, tmp_path: Path) -> None:
    async with open_page("look") as page:
        page.type_argument("pattern", "x")
        await page.run()
        page.qtbot.keyClick(page.view, Qt.Key.Key_3, Qt.KeyboardModifier.AltModifier)
        assert page.named("Attachments").isVisible()

        page.qtbot.mouseClick(page.view.results.attachments.save, Qt.MouseButton.LeftButton)
        dialog = page.view.findChild(QFileDialog)
        assert dialog is not None
        dialog.fileSelected.emit(str(tmp_path / "kept.txt"))
        dialog.close()
        await page.until(lambda: page.notice.startswith("Saved as"))

        assert (tmp_path / "kept.txt").read_bytes() == b"one"


async def test_any_call_of_the_tool_can_be_shown(open_page: Open) -> None:
    async with open_page("look") as page:
        call = page.executor.create_call("look", {"pattern": "agent"}, caller="agent:claude")
        await page.executor.execute(call)

        page.presenter.show_call(record_of(call))

        assert page.facts.startswith("Success")
        assert page.notice.startswith("This is the call of agent: claude at ")
        assert page.named("Result").json_model.value["matches"][0] == {"text": "agent"}
        assert page.view.document.value() == {"limit": 10}


async def test_a_call_that_runs_elsewhere_is_followed(open_page: Open) -> None:
    async with open_page("hold") as page:
        call = page.executor.create_call("hold", {}, caller="agent:claude")
        task = asyncio.ensure_future(page.executor.execute(call))
        await page.until(lambda: call.response.logs)

        page.presenter.show_call(record_of(call))
        await page.until(lambda: page.view.results.logs.list.lines.entries == 1)
        assert page.facts.startswith("Running")
        page.click("Stop")
        await task
        page.deliver()

        assert call.cancel_requested
        assert page.view.results.logs.list.lines.entries == 1
        assert page.facts.startswith("Cancelled")


async def test_an_allowed_call_whose_caller_is_gone_is_not_said_to_run(open_page: Open) -> None:
    async with open_page("look") as page:
        back = asyncio.Event()

        async def released(run: Run) -> None:
            with run.awaiting_caller(datetime.now(UTC) + timedelta(minutes=10)):
                await back.wait()

        call = page.executor.create_call("look", {"pattern": "agent"}, caller="agent:claude")
        task = asyncio.ensure_future(page.executor.execute(call, released=released))
        await page.until(lambda: call.response.status is CallStatus.WAITING_FOR_CALLER)

        # Nobody took the event yet: the record of the call says it as well.
        page.presenter.show_call(record_of(call))
        await page.until(lambda: page.facts.startswith("Approved, waiting for the caller until "))
        page.deliver()
        assert page.facts.startswith("Approved, waiting for the caller until ")
        back.set()
        await task
        page.deliver()
        assert page.facts.startswith("Success")


async def test_a_followed_call_can_be_stopped_before_the_engine_told_how_it_stands(open_page: Open) -> None:
    async with open_page("hold") as page:
        call = page.executor.create_call("hold", {})
        task = asyncio.ensure_future(page.executor.execute(call))
        await page.until(lambda: call.response.logs)

        page.presenter.show_call(record_of(call))
        page.click("Stop")
        await task
        page.deliver()
        await page.ended()

        assert page.facts.startswith("Cancelled")


async def test_a_page_that_is_opened_in_the_middle_shows_each_line_and_word_once(open_page: Open) -> None:
    async with open_page("chatter") as page:
        call = page.executor.create_call("chatter", {})
        task = asyncio.ensure_future(page.executor.execute(call))
        await page.until(lambda: len(call.response.logs) > 3)
        # Nobody took these lines yet: they are in the record as well, and come with the next batch.
        page.presenter.show_call(record_of(call))
        lines = page.view.results.logs.list.lines
        await page.until(lambda: lines.entries > 3)
        await page.until(lambda: len(call.response.logs) > lines.entries + 3)
        page.deliver()
        await page.until(lambda: len(call.response.logs) > lines.entries + 3)
        page.deliver()

        assert [lines[row].text for row in range(len(lines))] == [f"line {number}" for number in range(len(lines))]
        assert page.named("Text so far").text == "".join(call.response.parts)
        page.click("Stop")
        await task
        page.deliver()
        assert [lines[row].text for row in range(len(lines))] == [entry.text for entry in call.response.logs]


async def test_closing_the_page_stops_its_call(open_page: Open) -> None:
    async with open_page("hold") as page:
        page.click("Run")
        await page.until(lambda: page.presenter.call is not None)
        await page.until(lambda: page.executor.open_calls)
        (call,) = page.executor.open_calls

        page.presenter.close()
        await page.until(lambda: call.response.status.final)

        assert call.response.status is CallStatus.CANCELLED


def test_a_failed_call_without_a_value_has_no_content() -> None:
    record = CallRecord("1", ToolRef("work"), "you", 0.0, CallStatus.FAILED)
    assert content_of(record) is None
    content = content_of(record._replace(status=CallStatus.EXECUTED))
    assert content is not None
    assert content.kind is ContentKind.NOTHING


async def test_all_attachments_are_saved_over_no_file_and_in_no_other_folder(open_page: Open, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("mine")
    names = ("a.txt", "a.txt", "../up.txt", "..\\..\\down.txt", "/")
    files = tuple(Attachment(name, "text/plain", str(number).encode()) for number, name in enumerate(names))

    async with open_page("look") as page:
        page.view.results.attachments.save_all_chosen.emit(files, str(tmp_path))
        await page.until(lambda: page.notice)
        assert page.notice == f"Saved 5 attachments in {tmp_path}."
        page.view.notice.show_text("")
        page.view.results.attachments.save_all_chosen.emit(files, str(tmp_path / "nowhere"))
        await page.until(lambda: page.notice)
        assert page.notice.startswith("Not all attachments could be saved: No such file")
    saved = {path.name: path.read_text() for path in tmp_path.iterdir()}  # noqa: ASYNC240 -- the page is closed
    assert saved == {
        "a.txt": "mine",
        "a (2).txt": "0",
        "a (3).txt": "1",
        "up.txt": "2",
        "down.txt": "3",
        "attachment": "4",
    }


async def test_text_that_arrives_in_parts_is_shown_and_kept_when_it_is_stopped(open_page: Open) -> None:
    async with open_page("dictate") as page:
        page.click("Run")
        await page.until(lambda: any(len(call.response.parts) == 200 for call in page.executor.open_calls))
        page.deliver()
        so_far = page.named("Text so far")
        assert so_far.isVisible()
        assert so_far.text.endswith("word 199\n")
        assert so_far.verticalScrollBar().value() == so_far.verticalScrollBar().maximum() > 0
        assert page.named("Progress").accessibleDescription() == "Writing · 5 of 10 · 1,690 letters so far"

        page.clock.now_s += 4
        call = page.presenter.call
        assert call is not None
        page.source.events.emit([CallOutput(call.id, progress=Progress(9, 10, "Writing"))])
        words = page.named("Progress").accessibleDescription()
        assert words == "Writing · 9 of 10 · 1 a second · 1,690 letters so far"

        page.click("Stop")
        await page.ended()
        assert not so_far.isVisible()
        assert page.named("Result text").isVisible()
        assert page.named("Result text").text.startswith("word 0\n")
        remark = page.named("Remark: Not all of the text came. This is what the tool had written by then.")
        assert remark.isVisible()


async def test_another_attempt_begins_another_text(open_page: Open) -> None:
    async with open_page("text") as page:
        shown = page.presenter._shown
        shown.begin()
        shown.take_output(CallOutput("1", text="first"), 0.0)
        assert page.named("Text so far").text == "first"
        shown.take_output(CallOutput("1", text="sec"), 0.0)
        shown.take_output(CallOutput("1", text="ond", text_start=3), 0.0)
        assert page.named("Text so far").text == "second"


def test_the_pace_is_known_after_a_second() -> None:
    pace = RateMeter()
    pace.note(10, 5.0)
    pace.note(12, 5.5)
    assert pace.rate is None
    pace.note(30, 7.0)
    assert [pace.rate] == [10]
    pace.note(0, 8.0)
    assert [pace.rate] == [None]


async def test_a_run_is_compared_with_the_one_before(open_page: Open) -> None:
    async with open_page("look") as page:
        page.type_argument("pattern", "x")
        await page.run()
        header = page.view.results.result_header

        def choose(number: int) -> bool:
            page.qtbot.mouseClick(header.compare, Qt.MouseButton.LeftButton)
            menu = QApplication.activePopupWidget()
            assert isinstance(menu, QMenu)
            action = menu.actions()[number]
            action.trigger()
            menu.close()
            return action.isEnabled()

        assert not choose(0)
        page.type_argument("pattern", "y")
        await page.run()
        assert choose(0)
        dialog = page.view.findChild(ComparisonDialog)
        assert dialog is not None
        await page.until(lambda: dialog.view.compared_tree(1) is not None)
        assert dialog.view.left.arguments["pattern"] == "x"
        assert dialog.view.right.result["matches"][0] == {"text": "y"}
        assert dialog.view.right.subtitle.split(" · ")[1:3] == ["you", "Success"]
        dialog.close()

        choose(1)
        assert page.notice == "Choose two calls, the second one with Ctrl, then Compare."


def test_a_call_of_the_past_is_compared_with_the_last_run() -> None:
    past, first, second = (CallRecord(str(number), ToolRef("work"), "you", float(number)) for number in range(3))
    runs = LastRuns()
    assert runs.pair(past) is None
    runs.note(first)
    runs.note(first)
    assert runs.pair(None) is None
    assert runs.pair(past) == (past, first)
    runs.note(second)
    assert runs.pair(None) == (first, second)
    assert runs.pair(past) == (past, second)


@pytest.mark.expects_log("tools.calls")
async def test_a_call_that_failed_is_a_side_by_its_error(open_page: Open) -> None:
    async with open_page("fail") as page:
        await page.run()
        record = page.presenter.record
        assert record is not None
        side = side_of_call(record, "now", "12 ms")
        assert side.result == "Error: the disk is full"
        assert side.subtitle == "now · Failed · 12 ms"


async def test_what_a_quick_tool_says_before_its_call_is_known_is_not_lost(open_page: Open) -> None:
    async with open_page("hold") as page:
        usual = page.calls.run

        async def talkative(
            name: str, arguments: Any, begun: Callable[[CallRecord], None], **further: Any
        ) -> CallRecord:
            def tell(record: CallRecord) -> None:
                page.source.events.emit([CallOutput(record.id, text="early", progress=Progress(1, 4, "Begun"))])
                begun(record)

            return await usual(name, arguments, tell, **further)

        page.calls.run = talkative  # type: ignore[method-assign]
        page.click("Run")
        await page.until(lambda: page.presenter.call is not None)
        assert page.named("Text so far").text == "early"
        assert page.named("Progress").accessibleDescription() == "Begun · 1 of 4 · 5 letters so far"


@pytest.mark.expects_log("tools.calls")
@pytest.mark.parametrize("knows_its_call", [True, False])
async def test_a_page_that_closes_leaves_no_call_behind(open_page: Open, knows_its_call: bool) -> None:
    async with open_page("hold") as page:
        usual = page.calls.run

        async def silent(name: str, arguments: Any, _: Any, **further: Any) -> CallRecord:
            return await usual(name, arguments, lambda _: None, **further)

        if not knows_its_call:
            page.calls.run = silent  # type: ignore[method-assign, assignment]
        kept = dict(vars(page.calls))
        page.click("Run")
        await page.until(page.has_logged)
        (call,) = page.executor.open_calls
        assert (page.presenter.call is not None) is knows_its_call
        page.presenter.close()
        await page.until(lambda: call.response.status.final)
        assert call.response.status is (CallStatus.CANCELLED if knows_its_call else CallStatus.ABORTED)
        assert page.executor.open_calls == ()
        assert vars(page.calls) == kept
