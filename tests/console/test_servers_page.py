"""The Servers page: lists, what is clicked and pressed, and what is asked of the servers by that."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest
from PySide6.QtCore import QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QCompleter, QLabel, QLineEdit, QPlainTextEdit, QWidget
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from console.schema_form.text_editors import TextEditor
from console.servers.config_dialog import ConfigDialog, ConsentDialog, ImportDialog, ImportModel
from console.servers.detail_view import CHANGES, LOG, SETTINGS, TABS, TOOLS, ServerModels
from console.servers.log_view import MOST_LINES, LogModel
from console.servers.model import ServerModel, ToolModel
from console.servers.offers_view import ApproveDialog
from console.servers.presenter import ServersPresenter
from console.servers.rows import (
    Direction,
    FindingRow,
    LogRow,
    MissingValue,
    OfferedTool,
    PastedServer,
    PasteResult,
    ServerCounts,
    ServerDetail,
    ServerHeader,
    ServerRemedyKey,
    StartPartRow,
    StartRow,
    TemplateArgumentDraft,
)
from console.servers.view import NameDialog, ServersView
from console.tasks import TaskScope
from console.widgets import Button, IconButton, Menu, TableView, focus_begin
from tests.console.prompt_port import FakePrompts
from tests.console.server_rows import CHANGES as CHANGE_ROWS
from tests.console.server_rows import DETAIL, GITHUB, IMPORTS, LINES, SERVERS, STAGING, TROUBLE, FakeServers
from tests.console.server_rows import TOOLS as TOOL_ROWS
from tests.tools.running import until

Kind = TypeVar("Kind", bound=QWidget)


def words(view: QWidget) -> set[str]:
    return {label.text() for label in view.findChildren(QLabel) if label.isVisible()} | {
        widget.accessibleName() for widget in view.findChildren(QWidget) if widget.isVisible()
    }


def dialog_of(view: QWidget, kind: type[Kind]) -> Kind:
    found = [dialog for dialog in view.findChildren(kind) if dialog.isVisible()]
    assert len(found) == 1
    return found[0]


async def computed(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    return function(*args, **kwargs)


class Page:
    """The page over servers that only this test has."""

    def __init__(self, servers: FakeServers) -> None:
        self.servers = servers
        self.failures: list[BaseException] = []
        self.models = ServerModels()
        self.view = ServersView(ServerModel(), self.models)
        self.view.resize(1_392, 860)
        self.scope = TaskScope("test", self.failures.append)
        self.presenter = ServersPresenter(
            self.models,
            self.view,
            servers=servers,
            offers=servers,
            prompts=FakePrompts(),
            configs=servers,
            scope=self.scope,
            compute=computed,
        )
        self.notices = QSignalSpy(self.presenter.noticed)
        self.opened = QSignalSpy(self.presenter.tool_opened)
        self.removals = QSignalSpy(self.presenter.configs.removal_asked)

    @property
    def notice(self) -> str:
        return str(self.notices.at(self.notices.count() - 1)[0]) if self.notices.count() else ""

    async def rest(self) -> None:
        """Wait until nothing is under way."""
        for _ in range(3):
            await asyncio.sleep(0)
        while self.scope.busy:  # noqa: ASYNC110 -- a scope sets no event
            await asyncio.sleep(0.005)
        await asyncio.sleep(0)

    until = staticmethod(until)

    async def show(self) -> None:
        self.view.show()
        await self.rest()

    async def close(self) -> None:
        self.presenter.close()
        await self.scope.close()
        self.view.close()
        self.view.deleteLater()
        self.presenter.deleteLater()


@pytest.fixture
def servers() -> FakeServers:
    return FakeServers()


OnPage = Callable[[], AbstractAsyncContextManager[Page]]


@pytest.fixture
def on_page(servers: FakeServers) -> OnPage:
    """Return a function that shows the page for a block."""

    @asynccontextmanager
    async def shown() -> AsyncIterator[Page]:
        page = Page(servers)
        try:
            await page.show()
            yield page
            assert page.failures == []
        finally:
            await page.close()

    return shown


def test_the_list_of_servers_is_a_model_and_changes_only_what_changed(qtmodeltester: ModelTester) -> None:
    model = ServerModel()
    model.show_rows(SERVERS)
    qtmodeltester.check(model)
    shown = [model.index(0, column).data() for column in range(model.columnCount())]
    assert shown == [
        "github",
        "Connected, 2 changed",
        "stdio",
        "2025-11-25",
        "npx @mcp/server-github",
        "5",
        "212 ms",
        "14:31:40",
        "Review",
    ]
    resets, changes = QSignalSpy(model.modelReset), QSignalSpy(model.dataChanged)
    model.show_rows((GITHUB, STAGING._replace(words="Connecting"), *SERVERS[2:]))
    assert (resets.count(), changes.count()) == (0, 1)
    lost = QSignalSpy(model.rowsRemoved)
    model.show_rows(SERVERS[1:])
    assert (resets.count(), lost.count()) == (0, 1)


def test_a_tool_that_looks_like_a_trick_says_so_in_its_row() -> None:
    model = ToolModel()
    model.show_rows(TOOL_ROWS)
    assert [model.index(row, 1).data() for row in range(3)] == ["Changed, paused", "Approved", "New, look closer"]
    assert "It asks for a secret" in model.index(2, 1).data(Qt.ItemDataRole.ToolTipRole)


def test_ten_thousand_servers_are_listed(qtbot: QtBot) -> None:
    model = ServerModel()
    table = TableView(model, "MCP servers")
    model.setParent(table)
    qtbot.addWidget(table)
    table.resize(1_000, 400)
    table.show()
    model.show_rows([GITHUB._replace(name=f"server {number}") for number in range(10_000)])
    table.choose("server 9999")
    assert table.chosen_key == "server 9999"
    assert not table.grab().isNull()


def test_columns_give_way_where_there_is_too_little_room(qtbot: QtBot) -> None:
    model = ServerModel()
    table = TableView(model, "MCP servers")
    model.setParent(table)
    qtbot.addWidget(table)
    table.resize(1_400, 300)
    table.show()
    model.show_rows(SERVERS)
    assert not any(table.isColumnHidden(column) for column in range(model.columnCount()))
    table.resize(760, 300)
    hidden = [model.columns[column].title for column in range(model.columnCount()) if table.isColumnHidden(column)]
    assert "Protocol" in hidden
    assert not {"Server", "Status", "Command or address"} & set(hidden)


def test_the_newest_line_of_the_log_stands_on_top_and_old_ones_are_let_go(qtmodeltester: ModelTester) -> None:
    model = LogModel()
    model.add(LINES)
    qtmodeltester.check(model)
    assert model.index(0, 0).data() == "two definitions differ"
    many = [
        LogRow(number, "12:00:00.000", "info", Direction.STDERR, f"line {number}")
        for number in range(10, MOST_LINES + 10)
    ]
    model.add(many[:-1])
    model.add(many[-1:])
    assert model.rowCount() == model.total == MOST_LINES
    assert model.index(0, 0).data() == f"line {MOST_LINES + 9}"
    assert model.index(MOST_LINES - 1, 0).data() == "line 10"


def test_the_log_is_narrowed_by_kind_and_by_words() -> None:
    model = LogModel()
    model.add(LINES)
    model.set_kind(1)
    assert [row.level for row in model.rows] == ["error", "warning"]
    model.set_kind(2)
    assert {row.direction for row in model.rows} == {Direction.SENT, Direction.RECEIVED}
    model.add([LINES[2]._replace(number=5)])
    assert model.rowCount() == 2
    model.set_kind(0)
    model.set_words("RATE")
    assert model.rowCount() == 2


async def test_the_page_shows_how_many_servers_there_are_and_the_first_one(on_page: OnPage) -> None:
    async with on_page() as page:
        assert {"4 MCP servers, 1 connected, 5 tools", "github"} <= words(page.view)
        assert page.view.table.chosen_key == "github"
        assert page.view.detail.tab == CHANGES
        assert focus_begin(page.view) is page.view.table


async def test_nothing_yet_is_said_and_a_server_can_be_connected_from_there(
    on_page: OnPage, servers: FakeServers
) -> None:
    servers.rows = ()

    async with on_page() as page:
        assert "No servers yet" in words(page.view)
        asked = QSignalSpy(page.view.add_requested)
        buttons = [button for button in page.view.findChildren(Button) if button.text() == "Connect a server"]
        next(button for button in buttons if button is not page.view.add).click()
        assert asked.count() == 1
        dialog_of(page.view, ConfigDialog).reject()


async def test_a_file_that_cannot_be_read_is_said(on_page: OnPage, servers: FakeServers) -> None:
    servers.problem = "servers.json cannot be read: expected a comma in line 3."

    async with on_page() as page:
        assert "servers.json cannot be read: expected a comma in line 3." in words(page.view)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("staging", ("restart", "staging")), ("figma", ("connect", "figma")), ("shared", ("start_of", "shared"))],
)
async def test_enter_does_what_helps_a_server_most(on_page: OnPage, name: str, expected: tuple[str, str]) -> None:
    async with on_page() as page:
        page.view.table.setCurrentIndex(page.view.table.model().index([row.name for row in SERVERS].index(name), 0))
        await page.rest()
        QTest.keyClick(page.view.table, Qt.Key.Key_Return)
        await page.rest()
        assert expected in page.servers.asked
        for dialog in page.view.findChildren(ConsentDialog):
            dialog.reject()


async def test_the_words_of_the_action_are_a_link(on_page: OnPage) -> None:
    async with on_page() as page:
        table = page.view.table
        cell: QRect = table.visualRect(table.model().index(1, 8))
        QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(cell.x() + 4, cell.center().y()))
        await page.rest()
        assert page.servers.of("restart") == []
        QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(cell.right() - 24, cell.center().y()))
        await page.rest()
        assert page.servers.of("restart") == [("staging",)]


async def test_review_brings_the_changes_to_the_front(on_page: OnPage) -> None:
    async with on_page() as page:
        page.view.detail.show_tab(TOOLS)
        QTest.keyClick(page.view.table, Qt.Key.Key_Return)
        assert page.view.detail.tab == CHANGES


async def test_a_server_that_is_connected_can_be_asked_restarted_and_ended(on_page: OnPage) -> None:
    async with on_page() as page:
        detail = page.view.detail
        for button, kind in (
            (detail.ping, "ping"),
            (detail.restart, "restart"),
            (detail.disconnect_button, "disconnect"),
        ):
            button.click()
            await page.rest()
            assert page.servers.of(kind) == [("github",)]
        assert page.notice == "github answered in 6 ms"
        assert not detail.connect_button.isVisible()


async def test_what_cannot_be_done_is_said(on_page: OnPage, servers: FakeServers) -> None:
    servers.fails = {"ping"}

    async with on_page() as page:
        page.view.detail.ping.click()
        await page.rest()
        assert page.notice == "Ping is not possible today"


async def test_trouble_says_what_happened_where_how_long_the_last_words_and_what_to_do(
    on_page: OnPage, servers: FakeServers
) -> None:
    servers.details["staging"] = ServerDetail(ServerHeader("staging", trouble=TROUBLE, remedy=ServerRemedyKey.RESTART))

    async with on_page() as page:
        page.view.table.setCurrentIndex(page.view.table.model().index(1, 0))
        await page.rest()
        shown = words(page.view.detail.trouble)
        assert TROUBLE.fact in shown
        assert "\n".join(TROUBLE.details) in shown
        assert TROUBLE.advice in shown
        page.view.detail.trouble.remedy.click()
        await page.rest()
        assert page.servers.of("restart") == [("staging",)]


async def test_lines_come_in_while_the_page_is_looked_at(on_page: OnPage) -> None:
    async with on_page() as page:
        assert page.models.log.total == len(LINES)
        page.servers.lines.append(LogRow(5, "14:31:00.000", "info", Direction.STDERR, "more"))
        page.presenter.look_again()
        await page.rest()
        assert page.models.log.total == len(LINES) + 1
        page.view.table.setCurrentIndex(page.view.table.model().index(1, 0))
        await page.rest()
        assert page.models.log.total == 0


async def test_the_log_is_copied_and_written_to_a_file(on_page: OnPage, tmp_path: Path) -> None:
    async with on_page() as page:
        page.view.show_log()
        card = page.view.detail.log
        card.lines.setCurrentIndex(card.lines.model().index(2, 0))
        assert '"result": {}' in dialog_body(card)
        QTest.keyClick(card.lines, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
        assert '{"result": {}}' in QGuiApplication.clipboard().text()
        page.view.detail.log_save_chosen.emit(str(tmp_path / "github.log"))
        await page.rest()
        assert page.view.detail.tab == LOG
    written = (tmp_path / "github.log").read_text("utf-8")
    assert [line.split()[1] for line in written.splitlines()] == ["info", "info", "warning", "error"]


def dialog_body(card: QWidget) -> str:
    (body,) = card.findChildren(QPlainTextEdit)
    return body.toPlainText()


async def test_a_change_is_shown_beside_what_was_approved_and_decided(on_page: OnPage) -> None:
    async with on_page() as page:
        view = page.view.detail.changes
        assert "2 definitions changed since you approved them on 12 May." in words(view)
        assert "push_files and get_file are paused until you review them." in words(view)
        assert view.text.difference is not None
        assert any("replacing its history" in view.text.row_text(row) for row in range(view.text.row_count))
        view.shape.select(1)
        view.block.click()
        await page.rest()
        assert page.servers.of("block") == [("github", "push_files")]
        next(button for button in view.findChildren(IconButton) if button.accessibleName() == "Next change").click()
        await page.rest()
        assert view.current == CHANGE_ROWS[1]
        view.approve.click()
        view.warning.approve.click()
        await page.rest()
        assert page.servers.of("approve") == [("github", ("get_file",)), ("github", ("push_files", "get_file"))]


async def test_a_change_that_is_decided_goes_and_the_next_one_stays_in_sight(on_page: OnPage) -> None:
    async with on_page() as page:
        page.servers.details["github"] = DETAIL._replace(changes=CHANGE_ROWS[1:])
        page.presenter.look_again()
        await page.rest()
        view = page.view.detail.changes
        assert "1 definition changed since you approved it on 12 May." in words(view)
        assert view.warning.approve.text() == "Approve"
        page.servers.details["github"] = DETAIL._replace(changes=())
        page.presenter.look_again()
        await page.rest()
        assert "No definition changed" in words(view)


async def test_tools_are_opened_switched_approved_and_blocked(on_page: OnPage) -> None:
    async with on_page() as page:
        page.view.detail.show_tab(TOOLS)
        view = page.view.detail.tools
        view.table.setCurrentIndex(view.table.model().index(2, 0))
        assert "It asks for a secret, in the description: … your API key …" in words(view)
        view.approve.click()
        view.switch.click()
        view.block.click()
        await page.rest()
        assert page.servers.of("approve") == [("github", ("star",))]
        assert page.servers.of("switch") == [("github", "star", True)]
        assert page.servers.of("block") == [("github", "star")]
        view.table.setCurrentIndex(view.table.model().index(1, 0))
        QTest.keyClick(view.table, Qt.Key.Key_Return)
        assert page.opened.at(0) == ["github.get_me"]
        view.table.setCurrentIndex(view.table.model().index(0, 0))
        view.approve.click()
        assert page.view.detail.tab == CHANGES


async def test_resources_are_read_and_followed_templates_filled_in(on_page: OnPage) -> None:
    async with on_page() as page:
        page.view.detail.show_tab(TABS.index("Resources"))
        view = page.view.detail.resources
        view.read.click()
        view.follow.click()
        await page.rest()
        assert page.servers.of("read") == [("github", "file:///readme.md", {})]
        assert page.servers.of("follow") == [("github", "file:///readme.md", True)]
        assert "Read in 3 ms" in words(view)
        assert view.content.isVisible()
        view.table.setCurrentIndex(view.table.model().index(1, 0))
        view.form.set_value({"path": "a.txt"})
        view.read.click()
        await page.rest()
        assert page.servers.of("read")[-1] == ("github", "file:///{path}", {"path": "a.txt"})


async def test_what_a_server_proposes_is_asked_for_after_a_pause_and_chosen(on_page: OnPage) -> None:
    async with on_page() as page:
        page.view.detail.show_tab(TABS.index("Resources"))
        view = page.view.detail.resources
        page.view.activateWindow()
        view.table.setCurrentIndex(view.table.model().index(1, 0))
        view.form.focus_field(("path",))
        editor = view.form.editor(("path",))
        assert isinstance(editor, TextEditor)
        QTest.keyClicks(editor.line, "src/")
        await until(lambda: page.servers.of("complete"))
        await page.rest()
        assert page.servers.of("complete") == [("github", TemplateArgumentDraft("file:///{path}", "path", "src/", {}))]
        (completer,) = view.completions.findChildren(QCompleter)
        assert completer.completionCount() == 2
        completer.activated.emit("src/tools.py")
        popup = completer.popup()
        assert popup is not None
        popup.hide()
        assert view.form.value() == {"path": "src/tools.py"}


async def test_nothing_is_proposed_for_a_field_that_was_taken_away_meanwhile(on_page: OnPage) -> None:
    async with on_page() as page:
        page.view.detail.show_tab(TABS.index("Resources"))
        view = page.view.detail.resources
        view.table.setCurrentIndex(view.table.model().index(1, 0))
        editor = view.form.editor(("path",))
        assert isinstance(editor, TextEditor)
        QTest.keyClicks(editor.line, "src/")
        (pause,) = view.completions.findChildren(QTimer)
        assert pause.isActive()
        view.form.set_schema({})
        await until(lambda: not isValid(editor.line) and not pause.isActive())
        await page.rest()
        assert page.servers.of("complete") == []


async def test_a_resource_that_cannot_be_read_says_why_there(on_page: OnPage, servers: FakeServers) -> None:
    servers.fails = {"read"}

    async with on_page() as page:
        page.view.detail.show_tab(TABS.index("Resources"))
        page.view.detail.resources.read.click()
        await page.rest()
        assert "Read is not possible today" in words(page.view.detail.resources)
        assert page.view.detail.resources.read.isEnabled()


async def test_prompts_of_the_server_are_made_as_all_others_are(on_page: OnPage) -> None:
    async with on_page() as page:
        page.view.detail.show_tab(TABS.index("Prompts"))
        view = page.view.detail.prompts
        assert [row.label for row in page.models.prompts.rows] == ["review", "hello"]
        view.form.set_value({"code": "x = 1"})
        view.get.click()
        await page.rest()
        view.copy.click()
        assert QGuiApplication.clipboard().text() == "github.review with {'code': 'x = 1'}"


async def test_settings_are_changed_where_the_server_stands(on_page: OnPage) -> None:
    async with on_page() as page:
        page.view.detail.show_tab(SETTINGS)
        await page.rest()
        view = page.view.detail.settings
        assert not view.save.isEnabled()
        view.form.editor.document.set(("Program",), "uvx")
        # What would run is shown before it can be kept.
        assert not view.save.isEnabled()
        await page.until(view.save.isEnabled)
        view.trial.click()
        await page.rest()
        assert "Connected: everything 2.0, 11 tools, in 84 ms" in words(view)
        view.save.click()
        await page.rest()
        (saved,) = page.servers.of("save")
        assert saved[0] == "github"
        assert {"name": "github", "command": "uvx", "transport": "stdio"}.items() <= saved[1].items()
        view.remove.click()
        assert [page.removals.at(place) for place in range(page.removals.count())] == [["github"]]
        view.export.click()
        await page.rest()
        assert len(page.servers.of("exported")) == 1
        assert QGuiApplication.clipboard().text() == '{"mcpServers": {}}'


async def test_a_server_is_tested_before_it_is_added_and_shows_what_runs(on_page: OnPage) -> None:
    async with on_page() as page:
        page.view.add.click()
        await page.rest()
        dialog = dialog_of(page.view, ConfigDialog)
        assert not dialog.save.isEnabled()
        dialog.form.editor.set_value({"Name": "docs", "Program": "npx", "Arguments": ["-y"]})
        dialog.form.start_wanted.emit(dialog.form.value())
        await page.rest()
        assert "npx -y" in words(dialog)
        assert "Installs without asking" in words(dialog)
        dialog.trial.click()
        await page.rest()
        assert page.servers.of("add") == []
        assert "Connected: everything 2.0, 11 tools, in 84 ms" in words(dialog)
        dialog.save.click()
        await page.rest()
        (added,) = page.servers.of("add")
        assert added == ({"transport": "stdio", "name": "docs", "command": "npx", "args": ["-y"]},)
        assert page.notice == "Added docs"


async def test_what_cannot_be_added_says_why_and_the_dialog_stays(on_page: OnPage, servers: FakeServers) -> None:
    servers.fails = {"add"}

    async with on_page() as page:
        page.view.add.click()
        dialog = dialog_of(page.view, ConfigDialog)
        dialog.form.editor.set_value({"Name": "docs", "Program": "npx"})
        dialog.form.start_wanted.emit(dialog.form.value())
        await page.rest()
        dialog.save.click()
        await page.rest()
        assert dialog.isVisible()
        assert "Add is not possible today" in words(dialog)
        dialog.reject()


async def test_the_other_transport_keeps_what_was_written(on_page: OnPage) -> None:
    async with on_page() as page:
        page.view.add.click()
        dialog = dialog_of(page.view, ConfigDialog)
        dialog.form.editor.set_value({"Name": "docs", "Program": "npx"})
        dialog.form.ways.select(1)
        assert dialog.form.value()["name"] == "docs"
        assert "command" not in dialog.form.value()
        dialog.form.ways.select(0)
        assert dialog.form.value()["command"] == "npx"
        dialog.reject()


async def test_what_few_servers_need_is_folded_away_and_not_lost(on_page: OnPage) -> None:
    async with on_page() as page:
        page.view.add.click()
        dialog = dialog_of(page.view, ConfigDialog)
        form = dialog.form
        assert form.editor.form.editor(("Time limit",)) is None
        form.more.setChecked(True)
        form.editor.set_value({"Name": "docs", "Program": "npx", "Folder": "/data", "Time limit": 5})
        form.more.setChecked(False)
        assert form.editor.form.editor(("Time limit",)) is None
        assert form.value() == {
            "transport": "stdio", "name": "docs", "command": "npx", "cwd": "/data", "timeout_s": 5,
        }  # fmt: skip
        form.show_value({"transport": "http", "name": "far", "url": "https://example.org", "protocol": "older"})
        assert form.more.isChecked()
        dialog.reject()


NOTES = PastedServer(
    {"transport": "stdio", "name": "notes", "command": "npx", "args": ["notes-mcp"], "answers": {"env/KEY": ""}},
    (MissingValue("env/KEY", "KEY", "Kept in the keyring", is_secret=True, is_needed=True),),
    StartRow((StartPartRow("npx"), StartPartRow("notes-mcp")), missing=("KEY",)),
)
CLOCK = PastedServer({"transport": "stdio", "name": "clock", "command": "uvx"}, (), StartRow((StartPartRow("uvx"),)))


async def test_a_paste_is_filled_in_asked_for_and_added_by_keys_alone(on_page: OnPage, servers: FakeServers) -> None:
    servers.meanings["npx notes-mcp"] = PasteResult("A command that starts notes", servers=(NOTES,))

    async with on_page() as page:
        QGuiApplication.clipboard().setText("npx notes-mcp")
        page.view.activateWindow()
        await page.until(page.view.isActiveWindow)
        page.view.table.setFocus()
        QTest.keyClick(page.view.table, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
        await page.rest()
        dialog = dialog_of(page.view, ConfigDialog)
        assert dialog.paste.toPlainText() == "npx notes-mcp"
        assert "A command that starts notes" in words(dialog)
        assert dialog.form.value()["name"] == "notes"
        assert not dialog.save.isEnabled()
        QTest.keyClick(dialog.paste, Qt.Key.Key_Return)
        await page.until(lambda: isinstance(dialog.focusWidget(), QLineEdit))
        secret = dialog.focusWidget()
        assert isinstance(secret, QLineEdit)
        assert secret.accessibleName() == "KEY"
        assert secret.echoMode() is QLineEdit.EchoMode.Password
        QTest.keyClicks(secret, "s3cret")
        await page.until(dialog.save.isEnabled)
        QTest.keyClick(dialog.paste, Qt.Key.Key_Return)
        await page.until(lambda: dialog.focusWidget() is dialog.save)
        assert page.servers.of("add") == []
        QTest.keyClick(dialog.save, Qt.Key.Key_Return)
        await page.rest()
        ((added,),) = page.servers.of("add")
        assert added["answers"] == {"env/KEY": "s3cret"}


async def test_a_text_that_is_read_again_leaves_what_was_filled_in(on_page: OnPage, servers: FakeServers) -> None:
    found = servers.meanings["npx notes-mcp"] = PasteResult("A command that starts notes", servers=(NOTES,))

    async with on_page() as page:
        page.view.add.click()
        dialog = dialog_of(page.view, ConfigDialog)
        dialog.paste.setPlainText("npx notes-mcp")
        QTest.keyClick(dialog.paste, Qt.Key.Key_Return)
        await page.until(lambda: isinstance(dialog.focusWidget(), QLineEdit))
        secret = dialog.focusWidget()
        assert isinstance(secret, QLineEdit)
        QTest.keyClicks(secret, "s3cret")
        dialog.show_understood("npx notes-mcp", found)
        assert dialog.form.value()["answers"] == {"env/KEY": "s3cret"}


async def test_the_first_enter_after_a_paste_never_starts_anything(on_page: OnPage, servers: FakeServers) -> None:
    servers.meanings["uvx"] = PasteResult("A command that starts clock", servers=(CLOCK,))

    async with on_page() as page:
        page.view.add.click()
        dialog = dialog_of(page.view, ConfigDialog)
        QTest.keyClicks(dialog.paste, "uvx")
        QTest.keyClick(dialog.paste, Qt.Key.Key_Return)
        QTest.keyClick(dialog.paste, Qt.Key.Key_Return)
        assert page.servers.of("add") == []
        await page.until(dialog.save.hasFocus)
        assert page.servers.of("add") == []
        QTest.keyClick(dialog.paste, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        await page.rest()
        assert len(page.servers.of("add")) == 1


async def test_a_paste_that_means_nothing_says_so_and_changes_nothing(on_page: OnPage) -> None:
    async with on_page() as page:
        page.view.add.click()
        dialog = dialog_of(page.view, ConfigDialog)
        dialog.form.editor.set_value({"Name": "docs", "Program": "npx"})
        dialog.paste.setPlainText("What a day")
        await page.until(lambda: "It is no server" in words(dialog))
        assert dialog.paste.toPlainText() == "What a day"
        assert dialog.form.value()["name"] == "docs"
        dialog.reject()


async def test_several_servers_of_a_block_are_shown_whole_marked_and_added_at_once(
    on_page: OnPage, servers: FakeServers
) -> None:
    servers.meanings["block"] = PasteResult("Settings of notes, clock", servers=(NOTES, CLOCK))

    async with on_page() as page:
        page.view.add.click()
        dialog = dialog_of(page.view, ConfigDialog)
        dialog.paste.setPlainText("block")
        await page.until(lambda: len(dialog.several.cards) == 2)
        assert {"npx notes-mcp", "uvx"} <= words(dialog)
        notes, clock = dialog.several.cards
        assert not dialog.save.isEnabled()
        notes.mark.click()
        assert (dialog.save.isEnabled(), dialog.save.text()) == (True, "Add and connect 1")
        notes.mark.click()
        QTest.keyClick(dialog.paste, Qt.Key.Key_Return)
        QTest.keyClicks(dialog.focusWidget(), "s3cret")
        assert dialog.save.text() == "Add and connect 2"
        dialog.save.click()
        await page.rest()
        (added,) = page.servers.of("add")
        assert [value["name"] for value in added] == ["notes", "clock"]
        assert added[0]["answers"] == {"env/KEY": "s3cret"}
        assert page.notice == "Added notes, clock"
        assert clock.server is CLOCK


async def test_what_a_former_paste_named_is_not_added_in_the_place_of_the_next(
    on_page: OnPage, servers: FakeServers
) -> None:
    servers.meanings["uvx"] = PasteResult("A command that starts clock", servers=(CLOCK,))
    servers.meanings["block"] = PasteResult("Settings of clock, clock", servers=(CLOCK, CLOCK))

    async with on_page() as page:
        page.view.add.click()
        dialog = dialog_of(page.view, ConfigDialog)
        for text in ("uvx", "block"):
            dialog.paste.setPlainText(text)
            await page.until(dialog.save.isEnabled)
            dialog.paste.setPlainText("something else")
            assert not dialog.save.isEnabled()
            QTest.keyClick(dialog.paste, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
            await page.until(lambda: "It is no server" in words(dialog))
        assert not dialog.save.isEnabled()
        assert page.servers.of("add") == []
        dialog.reject()


async def test_all_new_tools_are_approved_with_their_definitions_in_view(on_page: OnPage, servers: FakeServers) -> None:
    new = [
        OfferedTool(f"tool{number}", f"github.tool{number}", "", f"Does {number}.",
                    "destroys nothing", "says little.", "new", "New", (),
                    f'{{"name": "tool{number}"}}', True, digest=f"digest {number}")
        for number in range(3)
    ]  # fmt: skip
    trick = new[1]._replace(findings=(FindingRow("It asks for a secret, in the description", "… your API key …"),))
    unread = new[2]._replace(name="unread", is_examined=False)
    servers.details["github"] = DETAIL._replace(tools=(*DETAIL.tools[:2], new[0], trick, new[2], unread))

    async with on_page() as page:
        page.view.detail.show_tab(TOOLS)
        await page.rest()
        page.view.detail.tools.approve_all.click()
        dialog = dialog_of(page.view, ApproveDialog)
        # What looks like a trick stands first, and is approved only by a mark of its own.
        assert dialog.text.text.startswith("tool1\nDoes 1.\nThe server says little.\nLook closer: It asks for a")
        assert all(row.definition in dialog.text.text for row in (trick, new[0], new[2]))
        assert "unread" not in dialog.text.text
        assert dialog.approve.text() == "Approve 2 of 3"
        QTest.keyClick(dialog.list, Qt.Key.Key_Return)
        assert dialog.isVisible()
        # The server lists other definitions meanwhile: what was in view is what is approved.
        servers.details["github"] = DETAIL._replace(tools=(new[0]._replace(digest="another"),))
        page.presenter.look_again()
        await page.rest()
        QTest.keyClick(dialog.list, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        await page.rest()
        assert page.servers.of("approve") == [("github", ("tool0", "tool2"))]
        assert page.servers.digests == {"tool0": "digest 0", "tool2": "digest 2"}


async def test_the_tools_of_a_server_that_was_just_added_are_shown_for_approval(
    on_page: OnPage, servers: FakeServers
) -> None:
    servers.rows = (*SERVERS, GITHUB._replace(name="clock"))
    servers.details["clock"] = DETAIL._replace(
        head=DETAIL.head._replace(name="clock"), changes=(), tools=(TOOL_ROWS[1]._replace(verdict="new"),)
    )
    servers.meanings["uvx"] = PasteResult("A command that starts clock", servers=(CLOCK,))

    async with on_page() as page:
        page.view.add.click()
        dialog = dialog_of(page.view, ConfigDialog)
        dialog.paste.setPlainText("uvx")
        await page.until(dialog.save.isEnabled)
        dialog.save.click()
        await page.rest()
        await page.until(lambda: any(one.isVisible() for one in page.view.findChildren(ApproveDialog)))
        asking = dialog_of(page.view, ApproveDialog)
        QTest.keyClick(asking.list, Qt.Key.Key_Escape)
        await page.rest()
        assert page.servers.of("approve") == []
        QTest.keyClick(page.view.detail.tools.table, Qt.Key.Key_Return)
        assert page.opened.at(0) == ["github.get_me"]


async def test_a_start_is_allowed_only_by_its_button(on_page: OnPage) -> None:
    async with on_page() as page:
        page.presenter.configs.ask_to_start("shared")
        await page.rest()
        dialog = dialog_of(page.view, ConsentDialog)
        assert "npx -y" in words(dialog)
        QTest.keyClick(dialog, Qt.Key.Key_Return)
        await page.rest()
        assert page.servers.of("allow") == []
        page.presenter.configs.ask_to_start("shared")
        await page.rest()
        dialog_of(page.view, ConsentDialog).allow.click()
        await page.rest()
        assert page.servers.of("allow") == [("shared", False)]


async def test_a_server_is_switched_off_and_on_from_its_menu(on_page: OnPage) -> None:
    async with on_page() as page:
        for is_on in (False, True):
            menu = page.view.detail.more.menu()
            next(action for action in menu.actions() if action.data() == "switch").trigger()
            await page.rest()
            assert page.servers.of("switch_server")[-1] == ("github", is_on)
            page.servers.details["github"] = DETAIL._replace(head=DETAIL.head._replace(is_on=is_on, is_running=False))
            page.presenter.look_again()
            await page.rest()
            assert page.view.detail.connect_button.isVisible() is is_on


async def test_what_is_on_becomes_a_profile_that_is_chosen_and_removed(on_page: OnPage) -> None:
    async with on_page() as page:
        assert choose(page, "keep") == ["All servers", "Save what is on as a profile…"]
        dialog = dialog_of(page.view, NameDialog)
        assert not dialog.save.isEnabled()
        QTest.keyClicks(dialog.name, "Writing")
        QTest.keyClick(dialog.name, Qt.Key.Key_Return)
        await page.rest()
        assert page.servers.of("keep_profile") == [("Writing", ("github", "staging", "figma", "shared"))]
        assert page.view.profiles.text() == "Writing"
        choose(page, "choose")
        await page.rest()
        assert page.servers.of("choose_profile") == [("Writing",), ("",)]
        await page.servers.choose_profile("Writing")
        page.presenter.look_again()
        await page.rest()
        choose(page, "remove")
        await page.rest()
        assert page.servers.of("remove_profile") == [("Writing",)]


def choose(page: Page, key: str) -> list[str]:
    """Choose from the menu of profiles; return what it offered."""
    page.view.profiles.click()
    menu = next(menu for menu in page.view.findChildren(Menu) if menu.accessibleName() == "Profiles")
    offered = [action for action in menu.actions() if not action.isSeparator()]
    next(action for action in offered if action.data()[0] == key).trigger()
    menu.close()
    return [action.text() for action in offered]


async def test_servers_of_other_programs_are_chosen_and_taken_over(on_page: OnPage) -> None:
    async with on_page() as page:
        page.view.imports.click()
        await page.rest()
        dialog = dialog_of(page.view, ImportDialog)
        assert dialog.take.text() == "Import 1 server"
        assert dialog.model.chosen == ("b",)
        known = dialog.model.index(0, 0)
        assert dialog.model.setData(known, Qt.CheckState.Checked, Qt.ItemDataRole.CheckStateRole)
        broken = dialog.model.index(2, 0)
        assert not dialog.model.setData(broken, Qt.CheckState.Checked, Qt.ItemDataRole.CheckStateRole)
        dialog.file_chosen.emit("/project/mcp.json")
        await page.rest()
        assert dialog.take.text() == "Import 3 servers"
        dialog.take.click()
        await page.rest()
        assert page.servers.of("take") == [(("a", "b", "d"),)]
        assert page.notice == "Imported 3 servers"


def test_the_list_of_other_programs_is_a_model(qtmodeltester: ModelTester) -> None:
    model = ImportModel()
    model.add_rows(IMPORTS)
    qtmodeltester.check(model)


async def test_every_tab_is_reached_by_its_name(on_page: OnPage) -> None:
    async with on_page() as page:
        for tab in range(len(TABS)):
            page.view.detail.show_tab(tab)
            assert page.view.detail.tabs.tabText(tab) == TABS[tab]
        assert page.view.detail.tabs.accessibleTabName(TOOLS) == "Tools, 3"
        page.view.show_servers(SERVERS, ServerCounts(4, 1, 5))
        page.view.resize(1_180, 700)
        assert not page.view.grab().isNull()
