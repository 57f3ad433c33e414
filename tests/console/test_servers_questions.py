"""What servers ask: three outcomes that are never the same, addresses that cannot mislead, one answer to each."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from console.notices import DesktopNotice, DesktopPresence
from console.preferences import Preferences
from console.servers.elicitation import MOST_WAITING, ServerQuestions, SharedFolders
from console.servers.question_dialog import (
    AddressDialog,
    Asked,
    FoldersDialog,
    FoldersRequest,
    FormDialog,
    QuestionDialog,
    SharedPaths,
    TextDialog,
    address_parts,
    question_dialog,
    shortened,
)
from console.servers.start_view import WholeText
from console.widgets import Button
from tests.tools.running import until
from tools.mcp.elicitation import (
    Accepted,
    Answer,
    Cancelled,
    Declined,
    FormElicitation,
    RootsRequest,
    Sampled,
    SamplingRequest,
    UrlElicitation,
)
from tools.workbench import FOLDERS_FILE

Kind = TypeVar("Kind", bound=QuestionDialog)
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "size": {"type": "string", "enum": ["S", "M"], "default": "M"}},
    "required": ["name"],
}
FORM = FormElicitation("shop", "order", "What is your name?", SCHEMA)


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(1_200, 800)
    window.show()
    return window


def words(dialog: QWidget) -> set[str]:
    return {label.text() for label in dialog.findChildren(QLabel)} | {
        widget.accessibleName() for widget in dialog.findChildren(QWidget)
    }


def button(dialog: QuestionDialog, text: str) -> Button:
    return next(found for found in dialog.findChildren(Button) if found.text() == text)


def test_a_form_names_who_asks_has_the_defaults_and_needs_what_is_needed(window: QWidget) -> None:
    dialog = FormDialog(FORM, window)
    spy = QSignalSpy(dialog.answered)
    dialog.open()
    assert {"shop needs an answer", "Asked by the server shop, during order", "What is your name?"} <= words(dialog)
    dialog.send.click()
    assert (spy.count(), dialog.isVisible()) == (0, True)
    dialog.editor.document.set(("name",), "Ada")
    dialog.send.click()
    assert [spy.at(number)[0] for number in range(spy.count())] == [Accepted({"name": "Ada", "size": "M"})]


@pytest.mark.parametrize(("end", "outcome"), [("Decline", Declined()), ("Cancel", Cancelled()), ("", Cancelled())])
def test_to_decline_is_not_to_cancel_and_to_close_is_to_cancel(window: QWidget, end: str, outcome: Answer) -> None:
    dialog = FormDialog(FORM, window)
    spy = QSignalSpy(dialog.answered)
    dialog.open()
    if end:
        button(dialog, end).click()
    else:
        dialog.close()
    assert [spy.at(number)[0] for number in range(spy.count())] == [outcome]


def test_a_question_that_is_withdrawn_has_no_answer(window: QWidget) -> None:
    dialog = FormDialog(FORM, window)
    spy = QSignalSpy(dialog.answered)
    dialog.open()
    dialog.withdraw()
    assert spy.count() == 0


def test_a_long_message_is_cut_and_says_so() -> None:
    assert shortened("a" * 10) == "a" * 10
    assert shortened("a" * 5_000).endswith("… (3,000 more letters)")
    assert shortened("a" * 2_001).endswith("… (1 more letter)")


def _marked(text: WholeText) -> str:
    """Give what of a text stands out."""
    found, block = "", text.document().begin()
    while block.isValid():
        place = block.begin()
        while not place.atEnd():
            fragment = place.fragment()
            is_plain = fragment.charFormat().background().style() is Qt.BrushStyle.NoBrush
            found += "" if is_plain else fragment.text()
            place += 1
        block = block.next()
    return found


@pytest.mark.parametrize("length", [10, 400, 3_000])
def test_no_letter_of_a_long_word_is_out_of_sight(window: QWidget, length: int) -> None:
    url = f"https://example.org/{'x' * length}"
    dialog = AddressDialog(UrlElicitation("shop", "", "Sign in", url), window)
    dialog.open()
    text = dialog.address
    wanted = text.document().size().height()
    assert text.document().size().width() <= text.viewport().width()
    assert wanted <= text.viewport().height() or text.verticalScrollBar().maximum() > 0
    assert (wanted <= text.viewport().height()) == (length < 1_000)
    dialog.reject()


def test_an_address_is_shown_whole_and_opened_only_by_its_button(window: QWidget) -> None:
    url = "https://example.org:8443/sign-in?state=%3Cb%3E#top"
    dialog = AddressDialog(UrlElicitation("shop", "", "Sign in", url), window)
    opened, answered = QSignalSpy(dialog.open_requested), QSignalSpy(dialog.answered)
    dialog.open()
    assert f"Address: {url}" in words(dialog)
    assert dialog.address.toPlainText() == url
    assert _marked(dialog.address) == "example.org"
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert opened.count() == 0
    assert answered.at(0)[0] == Declined()
    dialog = AddressDialog(UrlElicitation("shop", "", "Sign in", url), window)
    opened, answered = QSignalSpy(dialog.open_requested), QSignalSpy(dialog.answered)
    dialog.open()
    dialog.open_button.click()
    assert (opened.at(0), answered.at(0)[0]) == ([url], Accepted())


@pytest.mark.parametrize(
    ("url", "host", "warning"),
    [
        ("https://example.org/a", "example.org", ""),
        ("http://localhost:3000/a", "localhost", ""),
        ("http://example.org/", "example.org", "The connection is not encrypted."),
        ("https://example.org@evil.test/a", "evil.test", "which can mislead"),
        ("https://еxample.org/", "xn--xample-2of.org", "look like others"),
        ("javascript:alert(1)", "", "Only addresses that begin with"),
        ("file:///etc/passwd", "", "Only addresses that begin with"),
        ("https://[::1/", "", "no address"),
    ],
)
def test_an_address_says_where_it_really_leads(window: QWidget, url: str, host: str, warning: str) -> None:
    before, plain, after, said = address_parts(url)
    assert plain == host
    assert (warning in said) if warning else not said
    dialog = AddressDialog(UrlElicitation("shop", "", "", url), window)
    assert dialog.open_button.isEnabled() is bool(host)
    assert before or after == url
    dialog.deleteLater()


@given(st.text(max_size=60))
def test_no_text_is_too_strange_to_be_taken_apart(text: str) -> None:
    before, host, _after, warning = address_parts(text)
    assert isinstance(warning, str)
    assert not before or host


def test_what_a_model_would_be_asked_is_shown_and_a_person_answers(window: QWidget) -> None:
    asked = SamplingRequest("shop", "", ({"role": "user", "content": "Name a fruit."},), "Be brief.", 100, {})
    dialog = TextDialog(asked, window)
    spy = QSignalSpy(dialog.answered)
    dialog.open()
    assert dialog.conversation.text == "system: Be brief.\n\nuser: Name a fruit."
    assert not dialog.send.isEnabled()
    dialog.text.setPlainText("Apple")
    dialog.send.click()
    assert spy.at(0)[0] == Sampled("Apple")


def test_only_the_folders_that_are_marked_are_shared(window: QWidget) -> None:
    folders = ("/project", "/other")
    dialog = FoldersDialog(FoldersRequest("shop", folders), window)
    spy = QSignalSpy(dialog.answered)
    dialog.open()
    dialog.folders.item(1).setCheckState(Qt.CheckState.Unchecked)
    dialog.share.click()
    assert spy.at(0)[0] == SharedPaths(folders[:1])


class _Desktop:
    """A desktop that keeps the titles of what it shows."""

    def __init__(self) -> None:
        self.titles: dict[str, str] = {}

    def show(self, notice: DesktopNotice) -> None:
        self.titles[notice.key] = notice.title

    def withdraw(self, key: str) -> None:
        del self.titles[key]

    def close(self) -> None:
        self.titles.clear()


class Asking:
    """Questions over a window, asked from this very loop."""

    def __init__(self, window: QWidget, folders: Path = Path("nowhere"), *, is_looked_at: bool = True) -> None:
        self.window = window
        self.folders = SharedFolders(folders / FOLDERS_FILE)

        def dialog_of(asked: Asked) -> QuestionDialog:
            return question_dialog(asked, window)

        self.desktop = _Desktop()
        self.presence = DesktopPresence(
            window, Preferences(folders / "window.ini"), is_active=lambda: is_looked_at, parent=window
        )
        self.presence.notices.set_desktop(self.desktop)
        self.questions = ServerQuestions(dialog_of, lambda: Path("/project"), self.folders, self.presence)
        self.notices = QSignalSpy(self.questions.noticed)

    def shown(self, kind: type[Kind]) -> list[Kind]:
        return [one for one in self.window.findChildren(kind) if one.isVisible()]

    async def dialog(self, kind: type[Kind]) -> Kind:
        await until(lambda: self.shown(kind))
        return self.shown(kind)[0]


def form(server: str = "shop") -> FormElicitation:
    return FormElicitation(server, "order", "What is your name?", SCHEMA)


async def test_answers_reach_the_server_as_they_were_given(window: QWidget) -> None:
    asking = Asking(window)
    for press, expected in (
        ("Send answer", Accepted({"name": "Ada", "size": "M"})),
        ("Decline", Declined()),
        ("Cancel", Cancelled()),
    ):
        answer = asyncio.create_task(asking.questions.fill_form(form()))
        dialog = await asking.dialog(FormDialog)
        dialog.editor.document.set(("name",), "Ada")
        button(dialog, press).click()
        assert await answer == expected


async def test_whoever_looks_elsewhere_has_a_notice_until_the_question_is_answered(window: QWidget) -> None:
    asking = Asking(window, is_looked_at=False)
    asked = asyncio.create_task(asking.questions.fill_form(form()))
    dialog = await asking.dialog(FormDialog)
    assert list(asking.desktop.titles.values()) == ["shop asks you something"]
    button(dialog, "Decline").click()
    assert await asked == Declined()
    assert asking.desktop.titles == {}


async def test_questions_stand_in_line_and_one_that_is_withdrawn_leaves(window: QWidget) -> None:
    asking = Asking(window)
    first = asyncio.create_task(asking.questions.fill_form(form("first")))
    dialog = await asking.dialog(FormDialog)
    second = asyncio.create_task(asking.questions.fill_form(form("second")))
    await asyncio.sleep(0.02)
    assert len(asking.shown(FormDialog)) == 1
    assert dialog.windowTitle() == "first needs an answer"
    first.cancel()
    titles = ["second needs an answer"]
    await until(lambda: [one.windowTitle() for one in asking.shown(FormDialog)] == titles)
    assert asking.notices.at(0) == ["first does not need the answer any more"]
    (await asking.dialog(FormDialog)).decline.click()
    assert await second == Declined()


async def test_whoever_asks_without_end_is_declined(window: QWidget) -> None:
    asking = Asking(window)
    asked = [asyncio.create_task(asking.questions.fill_form(form())) for _ in range(MOST_WAITING + 5)]
    await asking.dialog(FormDialog)
    await until(lambda: sum(task.done() for task in asked) >= 4)
    assert {task.result() for task in asked if task.done()} == {Declined()}
    asking.questions.close()
    answers = await asyncio.gather(*asked)
    assert set(map(type, answers)) == {Declined, Cancelled}


async def test_folders_are_asked_for_once_and_a_model_is_a_person(window: QWidget, tmp_path: Path) -> None:
    asking = Asking(window, tmp_path)
    roots = asyncio.create_task(asking.questions.roots(RootsRequest("shop")))
    (await asking.dialog(FoldersDialog)).share.click()
    assert [root.uri for root in await roots] == ["file:///project"]
    again = Asking(window, tmp_path)
    assert [root.name for root in await again.questions.roots(RootsRequest("shop"))] == ["project"]
    again.folders.forget("shop")
    roots = asyncio.create_task(asking.questions.roots(RootsRequest("shop")))
    (await asking.dialog(FoldersDialog)).decline.click()
    assert await roots == ()
    assert await again.questions.roots(RootsRequest("shop")) == ()
    said: tuple[dict[str, Any], ...] = (
        {"role": "user", "content": [{"type": "text", "text": "Hi"}, {"type": "image", "data": ""}]},
    )
    sampled = asyncio.create_task(asking.questions.sample(SamplingRequest("shop", "", said, "", 10, {})))
    dialog = await asking.dialog(TextDialog)
    assert dialog.conversation.text == "user: Hi\n[image]"
    dialog.text.setPlainText("Hello")
    dialog.send.click()
    assert await sampled == Sampled("Hello")


async def test_nothing_is_asked_after_the_end(window: QWidget) -> None:
    asking = Asking(window)
    asking.questions.close()
    assert await asking.questions.fill_form(form()) == Cancelled()
