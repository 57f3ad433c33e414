"""The program and its past: what is kept is there at the next start, comes back onto its page, and runs again."""

from __future__ import annotations

import asyncio
import csv
import json
from pathlib import Path
from typing import Annotated, Any

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QMenu, QTableView, QWidget

from console.activity.kept_calls import LARGE_BYTES, KeptCalls
from console.activity.restored import activity_row
from console.app.console import Console
from console.browser.pipeline_dialog import PipelineDialog
from console.call_events import CallAdded, CallEnded
from console.call_storage import with_attachments
from console.comparison import ComparisonDialog
from console.history.rows import status_words
from console.preferences import Preferences
from console.support.help_dialogs import AuditBox
from console.theme import ThemeController
from console.widgets import IconLabel, TableView
from console.widgets.dialogs import QuestionBox
from tests.console.past import decision, record, row
from tests.console.program import PATIENCE_S, Program
from tools import Param, ToolContext, resolve_tools, security, tool
from tools.audit import verify
from tools.calls import Attachment, CallRecord, CallStatus, LogEntry, ToolCall, ToolRef, record_of, weight_of
from tools.discovery import PluginList
from tools.errors import HistoryError
from tools.history import HistoryQuery
from tools.workbench import Workbench


@tool(read_only=True)
async def echo(text: str = "hello", times: int = 1, *, ctx: ToolContext) -> dict[str, Any]:
    """Return the text."""
    ctx.log("info", f"saying {text}")
    ctx.attach(text.encode(), name="text.txt")
    return {"said": [text] * times}


@tool(read_only=True)
@security(mask_fields=("key",))
async def sign(text: str = "hello", key: Annotated[str, Param("The secret")] = "") -> str:
    """Sign the text."""
    return f"{text} signed with {len(key)} letters"


@tool(read_only=True)
async def hold() -> str:
    """Wait until it is stopped."""
    await asyncio.Event().wait()
    return "never"


class Start(Program):
    """One start of the program, over settings and data that outlast it."""

    def __init__(self, theme: ThemeController, home: Path, *declared: Any) -> None:
        self.data = home / "data"
        workbench = Workbench(PluginList(home / "settings"), application=Console, installed=())
        workbench.registry.register_all(resolve_tools(declared or (echo, sign, hold)))
        super().__init__(Console(theme, Preferences(home / "window.ini"), workbench, data=self.data))

    async def run(self, name: str, **arguments: Any) -> CallRecord:
        """Run a tool on its page and return its record, once it is kept."""
        self.console.open_tools.open(name)
        self.page(name).document.replace(arguments)
        self.presenter.run()
        await self.call_ended()
        shown = self.presenter.record
        assert shown is not None
        kept = await self.console.records.record_of(shown.id)
        assert kept is not None
        return shown

    def activity(self) -> list[tuple[str, str]]:
        """Return tool and status of the activity list, newest first."""
        model = self.console.activity_view.findChildren(QTableView)[0].model()
        return [(model.index(place, 1).data(), model.index(place, 4).data()) for place in range(model.rowCount())]

    def open_from_activity(self, place: int) -> None:
        table = self.console.activity_view.findChildren(QTableView)[0]
        table.selectRow(place)
        QTest.keyClick(table, Qt.Key.Key_Return)

    async def table(self, name: str) -> QTableView:
        """Return a table that shows, by its accessible name."""

        def found() -> list[QTableView]:
            tables = self.console.window.findChildren(QTableView)
            return [table for table in tables if table.isVisible() and table.accessibleName() == name]

        await self.until(found)
        return found()[0]

    async def click(self, name: str) -> None:
        """Press a button by its accessible name or words, once it is there and can be pressed."""

        def found() -> list[QAbstractButton]:
            buttons = [button for button in self.console.window.findChildren(QAbstractButton) if button.isEnabled()]
            return [
                button for button in buttons if button.isVisible() and name in {button.accessibleName(), button.text()}
            ]

        await self.until(found)
        found()[0].click()

    def notice(self) -> str:
        return self.console.window.status_bar.notice


async def test_the_activity_list_begins_with_the_calls_of_the_last_start(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with Start(theme, tmp_path) as start:
        await start.run("echo", text="first")
        await start.run("sign", text="second", key="secret")
    async with Start(theme, tmp_path) as start:
        await start.until(lambda: len(start.activity()) == 2)
        assert start.activity() == [("sign", "Success"), ("echo", "Success")]
        await start.run("echo", text="third")
        assert [tool for tool, _ in start.activity()] == ["echo", "sign", "echo"]


async def test_a_call_of_an_earlier_start_comes_back_onto_its_page_and_leaves_it_again(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with Start(theme, tmp_path) as start:
        await start.run("echo", text="first", times=2)
    async with Start(theme, tmp_path) as start:
        await start.until(lambda: len(start.activity()) == 1)
        await start.run("echo", text="now")
        start.open_from_activity(1)
        page = start.page("echo")
        await start.until(page.past.isVisible)
        assert page.past.text.startswith("From history, ")
        assert page.past.text.endswith("called by you")
        assert page.document.value() == {"text": "first", "times": 2}
        content = page.results.content
        assert content is not None
        assert content.value == {"said": ["first", "first"]}
        assert page.results.logs.list.lines.entries == 1
        assert [file.data for file in page.results.attachments.files.rows] == [b"first"]
        assert page.results.timing.steps.rows
        page.past.back.click()
        assert not page.past.isVisible()
        assert page.document.value()["text"] == "now"
        shown = page.results.content
        assert shown is not None
        assert shown.value == {"said": ["now"]}


async def test_what_was_changed_in_a_past_call_stays_when_the_person_goes_back(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with Start(theme, tmp_path) as start:
        await start.run("echo", text="old")
        await start.run("echo", text="new")
        start.console.histories.opened.emit(await _newest(start, "old"))
        page = start.page("echo")
        await start.until(page.past.isVisible)
        page.document.replace({"text": "changed"})
        page.back_requested.emit()
        assert page.document.value()["text"] == "changed"
        start.console.histories.opened.emit(await _newest(start, "old"))
        await start.until(page.past.isVisible)
        page.past.run.click()
        await start.until(lambda: len(start.activity()) == 3 and not start.presenter.is_running)
        assert not page.past.isVisible()
        content = page.results.content
        assert content is not None
        assert content.value == {"said": ["old"]}


@pytest.mark.expects_log("tools.calls")  # the program ends while the tool runs
async def test_while_a_tool_runs_its_page_shows_no_call_of_the_past(theme: ThemeController, tmp_path: Path) -> None:
    async with Start(theme, tmp_path) as start:
        start.console.open_tools.run("hold")
        presenter = start.presenter
        await start.until(lambda: presenter.call is not None)
        presenter.stop()
        await start.until(lambda: not presenter.is_running)
        past = await _newest(start, "hold")
        presenter.run()
        await start.until(lambda: presenter.is_running)
        start.console.histories.opened.emit(past)
        await start.until(lambda: start.page("hold").notice.text.startswith("hold runs here"))
        start.console.histories.rerun.emit(past)
        await start.until(lambda: start.page("hold").notice.text.startswith("hold runs already"))
        assert not start.page("hold").past.isVisible()


async def test_to_look_at_a_call_does_not_change_what_is_remembered_of_the_form(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with Start(theme, tmp_path) as start:
        await start.run("echo", text="old")
        await start.run("echo", text="mine")
        start.console.histories.opened.emit(await _newest(start, "old"))
        page = start.page("echo")
        await start.until(page.past.isVisible)
    async with Start(theme, tmp_path) as start:
        await start.until(lambda: start.console.open_tools.names == ("echo",))
        assert start.page("echo").document.value()["text"] == "mine"


async def _newest(start: Start, words: str) -> Any:
    async def found() -> Any:
        page = await start.console.records.search(HistoryQuery(text=words))
        return page.rows

    async with asyncio.timeout(PATIENCE_S):
        while not (rows := await found()):  # noqa: ASYNC110 -- words can be found a moment after the call ended
            await asyncio.sleep(0.05)
    return await start.console.records.get(rows[0].id)


async def test_a_past_call_runs_again_with_the_same_arguments(theme: ThemeController, tmp_path: Path) -> None:
    async with Start(theme, tmp_path) as start:
        await start.run("echo", text="again", times=3)
        await start.run("echo", text="other")
        start.console.histories.rerun.emit(await _newest(start, "again"))
        await start.until(lambda: len(start.activity()) == 3 and not start.presenter.is_running)
        content = start.page("echo").results.content
        assert content is not None
        assert content.value == {"said": ["again"] * 3}


async def test_a_past_call_with_a_secret_asks_for_it_before_it_runs_again(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with Start(theme, tmp_path) as start:
        await start.run("sign", text="contract", key="secret")
        start.console.histories.rerun.emit(await _newest(start, "contract"))
        await start.until(lambda: "not kept" in start.page("sign").notice.text)
        assert start.page("sign").notice.text == "key is not kept in the history. Fill it in, then run."
        assert start.page("sign").document.value()["text"] == "contract"
        assert "secret" not in str(start.page("sign").document.value())
        assert len(start.activity()) == 1


async def test_the_history_page_takes_the_window_and_gives_it_back(theme: ThemeController, tmp_path: Path) -> None:
    async with Start(theme, tmp_path) as start:
        await start.run("echo", text="one")
        window = start.console.window
        window.rail.choose("history")
        table = await start.table("Calls")
        await start.until(lambda: table.model().rowCount() == 1)
        assert window.left_dock.isHidden()
        assert window.bottom_dock.isHidden()
        await start.click("Open the tool's page")
        await start.until(start.page("echo").past.isVisible)
        assert not window.left_dock.isHidden()
        assert not window.bottom_dock.isHidden()
        window.rail.choose("history")
    async with Start(theme, tmp_path) as start:
        assert not start.console.window.left_dock.isHidden()


async def test_the_tab_of_a_tool_lists_its_calls_and_shows_one(theme: ThemeController, tmp_path: Path) -> None:
    async with Start(theme, tmp_path) as start:
        await start.run("sign", text="other tool")
        await start.run("echo", text="one")
        await start.run("echo", text="two")
        page = start.page("echo")
        tabs = page.results.result_header.tabs
        await start.until(lambda: tabs.accessibleTabName(5) == "History, 2")
        page.results.show_tab(5)
        table = await start.table("Calls of echo")
        assert table.model().rowCount() == 2
        table.selectRow(1)
        await start.click("Open")
        await start.until(page.past.isVisible)
        assert page.document.value()["text"] == "one"
        assert page.results.current_tab == 0


async def test_two_calls_of_a_tab_are_compared(theme: ThemeController, tmp_path: Path) -> None:
    async with Start(theme, tmp_path) as start:
        await start.run("echo", text="one")
        await start.run("echo", text="two")
        start.page("echo").results.show_tab(5)
        table = await start.table("Calls of echo")
        await start.until(lambda: table.model().rowCount() == 2)
        table.selectAll()
        await start.click("Compare")
        await start.until(lambda: start.console.window.findChildren(ComparisonDialog))
        (dialog,) = start.console.window.findChildren(ComparisonDialog)
        assert (dialog.view.left.arguments["text"], dialog.view.right.arguments["text"]) == ("one", "two")
        assert dialog.view.right.result == {"said": ["two"]}
        assert dialog.view.right.subtitle.endswith("Success")
        dialog.close()


async def test_two_calls_of_the_activity_list_are_compared(theme: ThemeController, tmp_path: Path) -> None:
    async with Start(theme, tmp_path) as start:
        await start.run("echo", text="one")
        await start.run("echo", text="two")
        table = await start.table("Activity")
        await start.until(lambda: table.model().rowCount() == 2)
        table.selectAll()
        buttons = start.console.activity_view.findChildren(QAbstractButton)
        next(button for button in buttons if button.text() == "Compare").click()
        await start.until(lambda: start.console.window.findChildren(ComparisonDialog))
        (dialog,) = start.console.window.findChildren(ComparisonDialog)
        assert (dialog.view.left.arguments["text"], dialog.view.right.arguments["text"]) == ("one", "two")
        assert not dialog.view.warning.isVisible()
        dialog.close()


async def test_a_call_is_deleted_once_the_person_agrees(theme: ThemeController, tmp_path: Path) -> None:
    async with Start(theme, tmp_path) as start:
        await start.run("echo", text="one")
        await start.run("echo", text="two")
        start.console.window.rail.choose("history")
        table = await start.table("Calls")
        await start.until(lambda: table.model().rowCount() == 2)
        table.selectRow(0)
        QTest.keyClick(table, Qt.Key.Key_Delete)
        await start.until(lambda: start.console.window.findChildren(QuestionBox))
        (box,) = start.console.window.findChildren(QuestionBox)
        box.agreed.emit()
        box.close()
        await start.until(lambda: table.model().rowCount() == 1)
        page = await start.console.records.search(HistoryQuery())
        assert [row.arguments_text for row in page.rows] == ['text="one" times=1']


async def test_the_list_is_exported_whole_and_in_part_and_copied_letter_by_letter(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with Start(theme, tmp_path) as start:
        calls = [await start.run("echo", text=text) for text in ("one", "two", "three")]
        records = [await start.console.records.record_of(call.id) for call in calls]
        ids = [record.id for record in records if record is not None]
        start.console.window.rail.choose("history")
        table = await start.table("Calls")
        await start.until(lambda: table.model().rowCount() == 3)
        view = start.console.histories._view
        assert view is not None
        view.export_chosen.emit([], str(tmp_path / "all.jsonl"))
        await start.until(lambda: start.notice() == f"Wrote 3 calls to {tmp_path / 'all.jsonl'}")
        lines = (tmp_path / "all.jsonl").read_text("utf-8").splitlines()
        assert [json.loads(line)["id"] for line in lines] == ids[::-1]
        view.export_chosen.emit(ids[:2], str(tmp_path / "some.csv"))
        await start.until(lambda: start.notice() == f"Wrote 2 calls to {tmp_path / 'some.csv'}")
        with (tmp_path / "some.csv").open(encoding="utf-8", newline="") as file:
            assert [line["id"] for line in csv.DictReader(file)] == [ids[1], ids[0]]
        view.action_requested.emit("json", ids[:1])
        await start.until(lambda: start.notice() == "The call is on the clipboard as JSON")
        assert json.loads(QGuiApplication.clipboard().text())["arguments"] == {"text": "one", "times": 1}


async def test_a_call_whose_tool_is_gone_is_shown_on_the_history_page(theme: ThemeController, tmp_path: Path) -> None:
    async with Start(theme, tmp_path) as start:
        await start.run("sign", text="of old")
    async with Start(theme, tmp_path, echo) as start:
        await start.until(lambda: len(start.activity()) == 1)
        start.open_from_activity(0)
        await start.until(lambda: start.notice().startswith("The tool sign is gone"))
        table = await start.table("Calls")
        await start.until(lambda: table.model().rowCount() == 1)


@pytest.mark.expects_log("console.call_storage")
async def test_a_history_that_cannot_be_opened_is_told_and_can_be_tried_again(
    theme: ThemeController, tmp_path: Path
) -> None:
    place = tmp_path / "data" / "history"
    place.parent.mkdir()
    place.write_text("not a folder", "utf-8")

    async with Start(theme, tmp_path) as start:
        assert start.notice().startswith("Calls are not recorded: ")
        start.console.open_tools.run("echo")
        await start.until(lambda: start.activity() == [("echo", "Success")])
        start.console.window.rail.choose("history")
        await start.until(start.console.histories._view.banner.isVisible)  # type: ignore[union-attr]
        place.unlink()
        await start.click("Try again")
        await start.until(lambda: start.notice() == "Calls are recorded again")
        start.console.window.rail.choose("tools")
        await start.run("echo", text="kept")
        start.console.window.rail.choose("history")
        table = await start.table("Calls")
        await start.until(lambda: table.model().rowCount() == 1)


async def test_the_audit_log_is_on_tells_where_it_is_and_holds(theme: ThemeController, tmp_path: Path) -> None:
    async with Start(theme, tmp_path) as start:
        await start.run("echo", text="one")
        bar = start.console.window.status_bar
        (label,) = [label for label in bar.findChildren(IconLabel) if label.text == "Audit log on"]
        assert label.isVisible()
        bar.audit_clicked.emit()
        (box,) = start.console.window.findChildren(AuditBox)
        await start.click("Copy the command")
        command = QApplication.clipboard().text()
        assert command == f"tool-console audit verify --folder {start.data / 'audit'}"
        box.close()
    report = verify(tmp_path / "data" / "audit")
    assert report.intact
    assert report.entries >= 3


def _call(number: int) -> ToolCall:
    return ToolCall(str(number), None, "echo", {}, "you", 0.0)


def _record(number: int, result: Any = "fine", **facts: Any) -> CallRecord:
    return CallRecord(str(number), ToolRef("echo"), "you", 0.0, CallStatus.EXECUTED, result=result, **facts)


def test_running_calls_and_the_last_small_ones_are_kept_in_memory() -> None:
    kept = KeptCalls(limit=2)
    running = record_of(_call(0))
    calls = [_record(number) for number in range(1, 4)]
    large = _record(9, "x" * LARGE_BYTES)
    kept.take([CallAdded(running)])
    for ended in (*calls, large):
        kept.take([CallAdded(record_of(_call(int(ended.id)))), CallEnded(ended)])

    assert kept.find("0") is running
    assert [kept.find(str(number)) for number in (1, 2, 3)] == [None, calls[1], calls[2]]
    assert kept.find("9") is None
    ended = _record(0)
    kept.take([CallEnded(ended)])
    assert [kept.find(str(number)) for number in (0, 2, 3)] == [ended, None, calls[2]]


def test_the_weight_of_a_call_is_counted_up_to_what_matters() -> None:
    assert weight_of(_record(1, {"a": ["letters"] * 3})) < 1_000
    assert weight_of(_record(1, [0] * 1_000_000)) == LARGE_BYTES
    assert weight_of(_record(1, logs=(LogEntry(0, "info", "x"),) * 100_000)) == LARGE_BYTES
    assert weight_of(_record(1, attachments=(Attachment("a", "b", b"x" * LARGE_BYTES),))) >= LARGE_BYTES


def test_a_past_call_is_shown_with_its_files() -> None:
    def read(record_id: str, number: int) -> bytes:
        if number:
            raise HistoryError("it is not kept any more")
        return record_id.encode()

    files = tuple(Attachment(name, "text/plain", b"", 5, "digest") for name in ("a.txt", "b.txt"))
    past = record(
        7, attachments=files, edited_arguments={"pattern": "edited"}, decisions=(decision(),), feedback="careful"
    )
    shown = with_attachments(past, read)

    assert (shown.id, shown.tool.name, shown.proposed_at) == ("run-7", "search_files", past.proposed_at)
    assert shown.result == {"matches": [7]}
    assert shown.edited_arguments == {"pattern": "edited"}
    assert [(file.name, file.data) for file in shown.attachments] == [("a.txt", b"run-7")]
    assert [entry.text for entry in shown.logs] == [
        "looked",
        "the attachment b.txt is not here: it is not kept any more",
    ]
    # What ran, not what was asked for: that stands in the history.
    assert shown.final_arguments == {"pattern": "edited"}


@pytest.mark.parametrize(
    ("facts", "status", "reason"),
    [
        ({}, "success", ""),
        ({"from_cache": True}, "cached", ""),
        ({"status": CallStatus.FAILED, "summary": "no such file"}, "failed", "no such file"),
        ({"status": CallStatus.ABORTED, "summary": "the program ended"}, "aborted", "the program ended"),
    ],
)
def test_a_row_of_the_history_as_the_activity_list_shows_it(facts: dict[str, Any], status: str, reason: str) -> None:
    shown = activity_row(row(1, **facts))

    assert (shown.call_id, shown.status, shown.reason) == ("run-1", status, reason)
    assert (shown.tool, shown.elapsed_s) == ("search_files", 0.038)


@pytest.mark.usefixtures("german")
def test_why_a_call_of_the_history_failed_is_said_in_german() -> None:
    late = row(1, status=CallStatus.TIMED_OUT, summary="it took longer than 2 s")

    assert activity_row(late).reason == "es dauerte länger als 2 s"
    assert status_words(late).endswith(": es dauerte länger als 2 s")


@tool(read_only=True)
async def find_notes(folder: str) -> dict[str, Any]:
    """Find notes."""
    return {"paths": [f"{folder}/first.md", f"{folder}/second.md"]}


@tool(read_only=True)
async def shout(text: str, marks: int = 1) -> str:
    """Write a text in capitals."""
    return text.upper() + "!" * marks


async def _pipeline_dialog(start: Start) -> PipelineDialog:
    def shown() -> list[PipelineDialog]:
        return [dialog for dialog in start.console.window.findChildren(PipelineDialog) if dialog.isVisible()]

    await start.until(shown)
    return shown()[0]


def _choose(menu_owner: QWidget, name: str) -> None:
    """Choose something of the context menu that is open."""
    (menu,) = (menu for menu in menu_owner.findChildren(QMenu) if menu.isVisible())
    action = next(action for action in menu.actions() if action.text() == name)
    menu.close()
    action.trigger()


@pytest.mark.reference("D42", "D43")
async def test_a_pipeline_is_made_of_past_calls_and_runs_with_a_record_for_each_step(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with Start(theme, tmp_path, find_notes, sign, shout) as start:
        await start.run("find_notes", folder="notes")
        await start.run("sign", text="notes/second.md", key="s3cret-key")
        await start.run("shout", text="notes/second.md signed with 10 letters", marks=2)
        start.console.window.rail.choose("history")
        table = await start.table("Calls")
        await start.until(lambda: table.model().rowCount() == 3)
        table.selectAll()
        start.console.histories.widget.findChildren(TableView)[0].menu_requested.emit(QPoint(0, 0), QModelIndex())
        _choose(start.console.histories.widget, "Make a pipeline…")
        dialog = await _pipeline_dialog(start)

        boxes = {box.accessibleName(): box for box in dialog.findChildren(QComboBox)}
        assert {name: box.currentText() for name, box in boxes.items()} == {
            "folder of step 1": "Asked for in each run",
            "text of step 2": "Result of step 1: paths[1]",
            "key of step 2": "Asked for, and hidden",
            "text of step 3": "Result of step 2",
            "marks of step 3": "As it was: 2",
        }
        assert dialog.name.text() == "find_notes_then_sign_then_shout"
        dialog.name.setText("shout")
        assert dialog.problem == "There is a tool 'shout' already; take another name"
        assert not dialog.make.isEnabled()
        dialog.name.setText("shout_signed")
        dialog.description.setText("Sign and shout.")
        marks = boxes["marks of step 3"]
        marks.setCurrentIndex(marks.findText("Asked for in each run"))
        marks.activated.emit(marks.currentIndex())
        dialog.folder.setText(str(tmp_path / "tools"))
        dialog.make.click()
        await start.until(lambda: start.console.open_tools.names[-1:] == ("shout_signed",))

        assert "s3cret-key" not in (tmp_path / "tools" / "shout_signed.py").read_text("utf-8")
        made = await start.run("shout_signed", folder="other", key="s3cret-key", marks=3)
        assert made.result == "OTHER/SECOND.MD SIGNED WITH 10 LETTERS!!!"
        assert [entry.text.partition(":")[0] for entry in made.logs] == [
            "step 1 of 3, find_notes",
            "step 2 of 3, sign",
            "step 3 of 3, shout",
        ]
        await start.until(lambda: len(start.activity()) == 7)
        assert [tool for tool, _ in start.activity()[:4]] == ["shout", "sign", "find_notes", "shout_signed"]
        shown = await start.console.records.search(HistoryQuery(text="other"))
        assert "s3cret-key" not in str([await start.console.records.get(row.id) for row in shown.rows])
        assert {row.tool for row in shown.rows} >= {"find_notes", "sign", "shout_signed"}


async def test_what_cannot_be_repeated_is_said_and_left_out(theme: ThemeController, tmp_path: Path) -> None:
    async with Start(theme, tmp_path, echo, shout) as start:
        await start.run("echo", text="hello")
        await start.run("shout", text="hello")
    async with Start(theme, tmp_path, shout) as start:
        await start.until(lambda: len(start.activity()) == 2)
        view = start.console.activity_view
        view.findChildren(QTableView)[0].selectAll()
        view._on_table_menu_requested(QPoint(0, 0), view._model.index(0, 0))
        _choose(view, "Make a pipeline…")
        dialog = await _pipeline_dialog(start)
        assert dialog.problem.startswith("Step 1: the tool 'echo'")
        assert not dialog.make.isEnabled()
        await start.click("Leave out step 1")
        assert dialog.problem == ""
        assert dialog.make.isEnabled()
        dialog.folder.setText(str(tmp_path / "tools"))
        dialog.make.click()
        await start.until(lambda: "echo_then_shout" in start.console.tools)
        assert (await start.run("echo_then_shout", text="bye")).result == "BYE!"
