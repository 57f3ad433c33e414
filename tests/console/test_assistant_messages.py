"""Messages of the Assistant page: who said them and when, and how they are reached, copied, edited and branched."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from console.assistant.answer_view import CodeBlockView, ProseView
from console.assistant.message_view import MessageMenu, MessageView, SaidLabel
from tests.console.assistant_desk import AssistantDesk
from tests.console.kept_talks import keep_talk
from tests.tools.models.servers import ModelServer, says
from tests.tools.running import until

if TYPE_CHECKING:
    from pathlib import Path

    from console.theme import ThemeController

ANSWER = "It has **three** files.\n\n```python\nprint(3)\n```\n\nThat is all."
TURNS = [("Which files are there?", ANSWER), ("And now?", "Still *three*.")]
MOMENT = datetime(2024, 5, 12, 14, 26, 5).astimezone()


def messages(desk: AssistantDesk) -> list[MessageView]:
    """Return the messages in sight, from top to bottom."""
    found = [one for one in desk.view.messages.findChildren(MessageView) if one.isVisible()]
    return sorted(found, key=lambda one: one.mapTo(desk.view, QPoint()).y())


async def opened(desk: AssistantDesk, title: str, count: int) -> list[MessageView]:
    await desk.open(title)
    await until(lambda: len(messages(desk)) == count)
    return messages(desk)


def copied_with(key_target: QWidget) -> str:
    QGuiApplication.clipboard().setText("nothing")
    QTest.keyClick(key_target, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    return QGuiApplication.clipboard().text()


def menu_at(desk: AssistantDesk, widget: QWidget) -> MessageMenu:
    """Ask for the menu where a widget stands, with the right button."""
    place = widget.rect().center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, widget.mapToGlobal(place))
    QApplication.sendEvent(widget, event)
    menu = desk.view.messages.findChild(MessageMenu)
    assert menu is not None
    assert menu.isVisible()
    return menu


def choose(menu: MessageMenu, text: str) -> None:
    action = next(one for one in menu.actions() if one.text() == text)
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())


async def test_a_kept_message_says_who_spoke_and_on_which_day(theme: ThemeController, tmp_path: Path) -> None:
    keep_talk(tmp_path / "conversations", "20240512-142605", TURNS, MOMENT)
    async with AssistantDesk(tmp_path) as desk:
        shown = await opened(desk, "Which files are there?", 4)
        assert [one.accessibleName() for one in shown] == [
            "You, 12 May 2024, 14:26",
            "m-1, 12 May 2024, 14:26",
            "You, 12 May 2024, 14:26",
            "m-1, 12 May 2024, 14:26",
        ]
        assert shown[0].time.text() == "12 May 2024, 14:26"
        assert shown[0].time.toolTip().startswith("2024-05-12 14:26:05")


async def test_a_message_of_today_says_the_time_alone(theme: ThemeController, tmp_path: Path) -> None:
    with ModelServer(says("Blue.")) as server:
        async with AssistantDesk(tmp_path) as desk:
            desk.choose(server, "m-7")
            await desk.ask("Which colour?")
            await until(lambda: len(messages(desk)) == 2)
            you, model = (one.accessibleName() for one in messages(desk))
            assert re.fullmatch(r"You, \d\d:\d\d", you)
            assert re.fullmatch(r"m-7, \d\d:\d\d", model)


async def test_messages_are_reached_by_arrows_and_copied_as_markdown(theme: ThemeController, tmp_path: Path) -> None:
    keep_talk(tmp_path / "conversations", "20240512-142605", TURNS, MOMENT)
    async with AssistantDesk(tmp_path) as desk:
        shown = await opened(desk, "Which files are there?", 4)
        desk.view.messages.setFocus()
        QTest.keyClick(desk.view.messages, Qt.Key.Key_Up)
        for place in (3, 2, 1):
            assert shown[place].hasFocus()
            QTest.keyClick(shown[place], Qt.Key.Key_Up)
        QTest.keyClick(shown[0], Qt.Key.Key_Down)
        assert shown[1].hasFocus()
        assert copied_with(shown[1]) == ANSWER
        assert shown[1].accessibleDescription() == ANSWER
        QTest.keyClick(shown[1], Qt.Key.Key_Down)
        assert shown[2].hasFocus()
        assert copied_with(shown[2]) == "And now?"


async def test_a_selection_is_copied_alone(theme: ThemeController, tmp_path: Path) -> None:
    keep_talk(tmp_path / "conversations", "20240512-142605", TURNS, MOMENT)
    async with AssistantDesk(tmp_path) as desk:
        shown = await opened(desk, "Which files are there?", 4)
        prose = shown[1].findChildren(ProseView)[0]
        assert copied_with(prose) == ANSWER
        prose.find("three")
        assert copied_with(prose) == "three"
        assert copied_with(shown[1]) == "three"


async def test_the_menu_of_an_answer_copies_it_its_markdown_or_its_code(theme: ThemeController, tmp_path: Path) -> None:
    keep_talk(tmp_path / "conversations", "20240512-142605", TURNS, MOMENT)
    async with AssistantDesk(tmp_path) as desk:
        shown = await opened(desk, "Which files are there?", 4)
        clipboard = QGuiApplication.clipboard()
        menu = menu_at(desk, shown[1].findChildren(ProseView)[0].viewport())
        assert [one.text() for one in menu.actions() if not one.isSeparator()] == [
            "Copy",
            "Copy as Markdown",
            "Copy the code block",
            "Branch from here",
        ]
        choose(menu, "Copy")
        assert clipboard.text() == "It has three files.\n\nprint(3)\n\nThat is all."
        choose(menu_at(desk, shown[1]), "Copy as Markdown")
        assert clipboard.text() == ANSWER
        choose(menu_at(desk, shown[1].findChildren(CodeBlockView)[0].code.viewport()), "Copy the code block")
        assert clipboard.text() == "print(3)"


async def test_the_menu_of_a_message_edits_it_and_branches_from_it(theme: ThemeController, tmp_path: Path) -> None:
    keep_talk(tmp_path / "conversations", "20240512-142605", TURNS, MOMENT)
    async with AssistantDesk(tmp_path) as desk:
        shown = await opened(desk, "Which files are there?", 4)
        choose(menu_at(desk, shown[2].findChildren(SaidLabel)[0]), "Edit and send again")
        assert desk.view.composer.prompt.toPlainText() == "And now?"
        choose(menu_at(desk, shown[2]), "Branch from here")
        await until(lambda: len(messages(desk)) == 2)
        assert messages(desk)[1].markdown == ANSWER
