"""Presets of a tool's page: drafts, the last run, saved requests, what is pasted, what is copied, what is wrong."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QMenu, QTableView
from pytestqt.qtbot import QtBot

from console.schema_form import FieldError, FieldErrorKind
from console.tool_page.arguments_view import SavedButton, problems_summary
from console.tool_page.copy_as import as_curl, copy_kinds_of
from console.tool_page.request_files import REQUESTS_FOLDER
from console.tool_page.requests_dialog import RequestsDialog, SaveRequestDialog
from tests.console.opened_page import Drafts, Page, opened_page
from tools import security, tool
from tools.calls import MASK

CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


@tool
async def refund(order: str, *, amount: int, reason: str = "lost") -> str:
    """Pay an order back."""
    return f"{order} {amount} {reason}"


@tool
@security(mask_fields=("token",))
async def login(user: str, token: str) -> str:
    """Log in."""
    return user


@tool
async def invest(share: float) -> float:
    """Put a share of what there is elsewhere."""
    return share


Open = Callable[..., AbstractAsyncContextManager[Page]]


@pytest.fixture
def open_page(qtbot: QtBot, tmp_path: Path, monkeypatch: Any) -> Open:
    """Return a function that opens a page of a tool in an empty project for a block."""
    monkeypatch.chdir(tmp_path)

    def opened(name: str, drafts: Drafts | None = None) -> AbstractAsyncContextManager[Page]:
        return opened_page(qtbot, (refund, login, invest), name, drafts=drafts)

    return opened


def _dialog(page: Page, kind: type[Any]) -> Any:
    return next((dialog for dialog in page.view.window().findChildren(kind) if dialog.isVisible()), None)


async def _asked(page: Page) -> SaveRequestDialog:
    page.view.activateWindow()
    await page.until(page.view.isActiveWindow)
    page.qtbot.keyClick(page.view, Qt.Key.Key_S, CONTROL)
    await page.until(lambda: _dialog(page, SaveRequestDialog))
    found = _dialog(page, SaveRequestDialog)
    assert isinstance(found, SaveRequestDialog)
    return found


async def _save(page: Page, name: str) -> None:
    dialog = await _asked(page)
    dialog.line.clear()
    page.qtbot.keyClicks(dialog.line, name)
    page.qtbot.keyClick(dialog.line, Qt.Key.Key_Return)


async def _saved(page: Page, name: str) -> None:
    await _save(page, name)
    await page.until(lambda: page.notice == f"Saved as {name!r}.")
    await page.until(lambda: name in [request.place for request in page.view.arguments.saved.requests])


def _fill(page: Page, **arguments: Any) -> None:
    page.view.document.replace(arguments)


def _stored(place: str) -> Any:
    return json.loads((REQUESTS_FOLDER / f"{place}.json").read_text("utf-8"))


def _texts(menu: QMenu) -> list[str]:
    return [action.text() for action in menu.actions() if not action.isSeparator()]


async def test_arguments_are_saved_under_a_name_and_opened_again(open_page: Open) -> None:
    async with open_page("refund") as page:
        _fill(page, order="A-1", amount=3)
        await _saved(page, "billing/lost order")
        assert _stored("billing/lost order") == {"tool": "refund", "arguments": {"order": "A-1", "amount": 3}}

        _fill(page, order="other")
        menu = page.view.arguments.saved.menu()
        folder = next(action for action in menu.actions() if action.text() == "billing").menu()
        assert isinstance(folder, QMenu)
        folder.actions()[0].trigger()
        assert page.view.document.value() == {"order": "A-1", "amount": 3}
        assert page.notice == "'billing/lost order' filled the arguments."

        page.qtbot.mouseClick(page.button("Undo"), Qt.MouseButton.LeftButton)
        assert page.view.document.value() == {"order": "other"}


async def test_a_name_that_is_taken_is_replaced_on_purpose(open_page: Open) -> None:
    async with open_page("refund") as page:
        _fill(page, order="A-1")
        await _saved(page, "one")
        _fill(page, order="A-2")
        dialog = await _asked(page)
        assert dialog.line.text() == "one"
        assert dialog.agree.text() == "Replace"
        page.qtbot.keyClicks(dialog.line, "two")
        assert dialog.agree.text() == "Save"
        dialog.line.setText("a//b")
        assert not dialog.agree.isEnabled()
        assert "slash" in dialog.line.accessibleDescription()
        dialog.line.setText("one")
        page.qtbot.mouseClick(dialog.agree, Qt.MouseButton.LeftButton)
        await page.until(lambda: page.notice == "Saved as 'one'.")
        assert _stored("one")["arguments"] == {"order": "A-2"}


async def test_a_file_that_came_meanwhile_is_not_lost(open_page: Open) -> None:
    async with open_page("refund") as page:
        dialog = await _asked(page)
        dialog.line.setText("one")
        REQUESTS_FOLDER.mkdir(parents=True)
        (REQUESTS_FOLDER / "one.json").write_text('{"tool": "refund", "arguments": {"order": "theirs"}}')
        page.qtbot.keyClick(dialog.line, Qt.Key.Key_Return)

        await page.until(dialog.line.accessibleDescription)
        assert dialog.line.accessibleDescription() == "A request 'one' is there already"
        assert _stored("one")["arguments"] == {"order": "theirs"}
        dialog.reject()


async def test_requests_are_renamed_deleted_and_brought_back(open_page: Open) -> None:
    async with open_page("refund") as page:
        saved: SavedButton = page.view.arguments.saved
        _fill(page, order="A-1")
        await _saved(page, "one")
        await _saved(page, "two")
        saved.manage()
        dialog: RequestsDialog = _dialog(page, RequestsDialog)
        table = dialog.findChild(QTableView)
        assert table is not None
        assert dialog.model.data(dialog.model.index(0, 1)) == 'order="A-1"'

        page.qtbot.mouseClick(dialog.rename_button, Qt.MouseButton.LeftButton)
        editor = table.findChild(QLineEdit)
        assert editor is not None
        editor.setText("billing/first")
        page.qtbot.keyClick(editor, Qt.Key.Key_Return)
        await page.until(lambda: dialog.notice.text == "'one' is called 'billing/first' now.")
        await page.until(lambda: dialog.model.place_of("billing/first") == 0)
        assert table.currentIndex().row() == 0

        page.qtbot.keyClick(table, Qt.Key.Key_Delete)
        await page.until(lambda: dialog.notice.text == "'billing/first' was deleted.")
        await page.until(lambda: dialog.model.rowCount() == 1)
        assert not (REQUESTS_FOLDER / "billing").exists()

        dialog.notice.undo_requested.emit()
        await page.until(lambda: dialog.model.rowCount() == 2)
        assert _stored("billing/first")["arguments"] == {"order": "A-1"}

        _fill(page)
        page.qtbot.keyClick(table, Qt.Key.Key_Return)
        assert page.view.document.value() == {"order": "A-1"}
        assert not dialog.isVisible()


async def test_files_nobody_can_read_are_listed_and_not_opened(open_page: Open) -> None:
    async with open_page("refund") as page:
        REQUESTS_FOLDER.mkdir(parents=True)
        (REQUESTS_FOLDER / "bad.json").write_text("{")
        (REQUESTS_FOLDER / "foreign.json").write_text('{"tool": "other", "arguments": {}}')
        saved: SavedButton = page.view.arguments.saved
        saved.menu().aboutToShow.emit()
        await page.until(lambda: saved.requests)
        assert _texts(saved.menu()) == ["Save…", "All saved requests…", "bad"]
        action = saved.menu().actions()[-1]
        assert not action.isEnabled()
        assert action.toolTip().startswith("the file is no JSON object")
        saved.manage()
        dialog: RequestsDialog = _dialog(page, RequestsDialog)
        assert not dialog.open_button.isEnabled()
        assert dialog.open_button.toolTip().startswith("the file is no JSON object")
        dialog.reject()


async def test_secrets_are_in_no_request_draft_or_copy(open_page: Open) -> None:
    drafts = Drafts()

    async with open_page("login", drafts) as page:
        _fill(page, user="mira", token="t0p-s3cret")
        dialog = await _asked(page)
        labels = [label.text() for label in dialog.findChildren(QLabel)]
        assert "token is secret and not saved: the file may be shared." in labels
        page.qtbot.keyClicks(dialog.line, "x")
        page.qtbot.keyClick(dialog.line, Qt.Key.Key_Return)
        await page.until(lambda: page.notice)
        assert _stored("x")["arguments"] == {"user": "mira"}

        for kind in ("python", "command", "json"):
            page.view.arguments.copy_requested.emit(kind)
            copied = QGuiApplication.clipboard().text()
            assert MASK in copied
            assert "t0p" not in copied
        await page.run()
        assert "t0p" not in drafts.typed["login"] + str(drafts.known)


async def test_what_is_no_value_yet_is_there_again_after_a_restart(open_page: Open) -> None:
    drafts = Drafts()

    async with open_page("refund", drafts) as page:
        page.type_argument("order", "A-1")
        page.view.document.reject(("amount",), "12x", "amount must be a whole number")
    async with open_page("refund", drafts) as page:
        assert page.named("argument amount").lineEdit().text() == "12x"
        assert page.view.document.get(("order",)) == "A-1"
        page.view.document.set_text('{"order": ')
    async with open_page("refund", drafts) as page:
        assert page.view.document.text == '{"order": '
        assert page.view.document.text_problem is not None


async def test_a_cleared_default_stays_cleared(open_page: Open) -> None:
    drafts = Drafts()

    async with open_page("refund", drafts) as page:
        assert page.view.document.value() == {"reason": "lost"}
        line = page.named("argument reason")
        line.selectAll()
        page.qtbot.keyClick(line, Qt.Key.Key_Delete)
        assert page.view.document.value() == {}
        assert line.placeholderText() == 'default "lost"'
    async with open_page("refund", drafts) as page:
        assert page.view.document.value() == {}


async def test_no_digit_is_lost_on_the_way(open_page: Open) -> None:
    drafts = Drafts()
    digits = "0.12345678901234567890123456789"

    async with open_page("invest", drafts) as page:
        page.view.document.set_text(f'{{"share": {digits}}}')
        await _saved(page, "one")
        for kind in ("json", "python", "command"):
            page.view.arguments.copy_requested.emit(kind)
            assert digits in QGuiApplication.clipboard().text()
        await page.run()
    assert digits in drafts.known["invest"]
    assert digits in (REQUESTS_FOLDER / "one.json").read_text("utf-8")
    async with open_page("invest", drafts) as page:
        assert digits in page.view.document.text
        assert digits in page.named("argument share").text()
    drafts.typed.clear()
    async with open_page("invest", drafts) as page:
        assert digits in page.view.document.text
        assert digits in page.named("argument share").text()


async def test_the_arguments_of_the_last_run_come_back(open_page: Open) -> None:
    async with open_page("refund") as page:
        last: QAction = page.view.arguments._last_run
        assert not last.isEnabled()
        _fill(page, order="A-1", amount=3)
        await page.run()
        _fill(page, order="A-2", amount=4)
        last.trigger()
        assert page.view.document.value() == {"order": "A-1", "amount": 3}


@pytest.mark.parametrize(
    "text", ['{"order": "A-9", "amount": 1}', '{"name": "refund", "arguments": {"order": "A-9", "amount": 1}}']
)
async def test_a_whole_object_is_pasted_onto_the_form(open_page: Open, text: str) -> None:
    async with open_page("refund") as page:
        page.type_argument("order", "A-1")
        QGuiApplication.clipboard().setText(text)
        page.qtbot.keyClick(page.named("argument order"), Qt.Key.Key_V, CONTROL)
        assert page.view.document.value() == {"order": "A-9", "amount": 1}
        assert page.notice == "The pasted JSON replaced the arguments: 2 arguments."

        page.qtbot.mouseClick(page.button("Undo"), Qt.MouseButton.LeftButton)
        assert page.view.document.value() == {"order": "A-1", "reason": "lost"}


async def test_other_text_is_pasted_into_the_field(open_page: Open) -> None:
    async with open_page("refund") as page:
        for text in ('{"x": 1}', "{order}"):
            QGuiApplication.clipboard().setText(text)
            line = page.named("argument order")
            line.clear()
            page.qtbot.keyClick(line, Qt.Key.Key_V, CONTROL)
            assert line.text() == text


async def test_paste_arguments_says_what_it_needs(open_page: Open) -> None:
    async with open_page("refund") as page:
        QGuiApplication.clipboard().setText("[1]")
        page.qtbot.keyClick(page.view, Qt.Key.Key_V, CONTROL | SHIFT)
        assert page.notice.startswith("The clipboard holds no JSON object: line 1, column 1")
        QGuiApplication.clipboard().setText('{"order": 1, "more": 2}')
        page.view.arguments._paste.trigger()
        assert page.view.document.value() == {"order": 1, "more": 2}


async def test_the_summary_counts_and_goes_to_each(open_page: Open, qtbot: QtBot) -> None:
    async with open_page("refund") as page:
        problems = page.view.arguments.problems
        assert problems.text() == "2 missing"
        _fill(page, order=7)
        assert problems.text() == "1 missing, 1 wrong"
        menu = problems.menu()
        menu.popup(page.view.mapToGlobal(QPoint()))
        assert _texts(menu) == ["order must be text; it is 7", "amount is required"]
        menu.actions()[1].trigger()
        menu.close()
        assert page.named("argument amount").hasFocus()
        _fill(page, order="A-1", amount=1)
        assert not problems.isVisible()


async def test_f8_goes_from_problem_to_problem_and_round(open_page: Open) -> None:
    async with open_page("refund") as page:
        order, amount = page.named("argument order"), page.named("argument amount")
        page.named("argument reason").setFocus()
        for step in (order, amount, order):
            page.qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_F8)
            assert step.hasFocus()
        page.qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_F8, SHIFT)
        assert amount.hasFocus()

        page.view.editor.set_mode("json")
        page.view.document.set_text('{\n  "order": "A-1",\n  "amount": "x"\n}')
        page.qtbot.keyClick(page.view.editor.json.edit, Qt.Key.Key_F8)
        cursor = page.view.editor.json.edit.textCursor()
        assert (cursor.blockNumber(), cursor.positionInBlock()) == (2, 12)


def test_problems_are_counted_by_kind() -> None:
    missing, wrong = FieldError(("a",), "", FieldErrorKind.MISSING), FieldError(("b",), "")
    assert [problems_summary(some) for some in ([], [missing], [wrong] * 2, [missing, wrong])] == [
        "",
        "1 missing",
        "2 wrong",
        "1 missing, 1 wrong",
    ]


def test_only_a_web_request_is_copied_as_curl() -> None:
    web = {"properties": {"url": {"type": "string", "format": "uri"}}}
    assert copy_kinds_of(web) == ("python", "command", "curl", "json")
    assert copy_kinds_of({"properties": {"url": {"type": "string"}}}) == ("python", "command", "json")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"url": "https://a.b/"}, "--location https://a.b/"),
        ({"url": "https://a.b/", "method": "HEAD", "follow_redirects": False}, "--head https://a.b/"),
        (
            {"url": "https://a.b/?q=1&r=2", "query": {"q": "ä b"}, "timeout_s": 2.5},
            "--location --max-time 2.5 'https://a.b/?r=2&q=%C3%A4+b'",
        ),
        (
            {"url": "u", "method": "POST", "json": {"a": "it's"}, "headers": {"X-A": "1"}},
            "--request POST --location --header 'X-A: 1' --header 'Content-Type: application/json' "
            + shlex.join(["--data-raw", '{"a": "it\'s"}', "u"]),
        ),
        ({"url": "u", "method": "PUT", "text": "@x"}, "--request PUT --location --data-raw @x u"),
        ({"url": "http://[", "query": {"a": "1"}}, "--location 'http://['"),
    ],
)
def test_a_web_request_is_written_as_curl_sends_it(arguments: dict[str, Any], words: str) -> None:
    assert shlex.split(as_curl(arguments).replace("\\\n", "")) == ["curl", *shlex.split(words)]
