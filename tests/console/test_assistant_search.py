"""Search over the words of messages, in many conversations and in long ones."""

from __future__ import annotations

import asyncio
import os
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from console.assistant.conversation_index import ConversationIndex
from console.assistant.model import CONVERSATION_ROLE
from tests.console.assistant_desk import AssistantDesk
from tests.console.kept_talks import keep_talk
from tests.console.test_assistant_messages import messages
from tests.tools.models.servers import ModelServer, says
from tests.tools.running import until

if TYPE_CHECKING:
    from pathlib import Path

    from console.theme import ThemeController

MOMENT = datetime(2024, 5, 12, 14, 26, 5).astimezone()
LONG = [(f"Question {number}", f"Answer {number} with some words.") for number in range(60)]


def titles(desk: AssistantDesk) -> list[str]:
    return [row.title for row in desk.rows()]


async def test_a_conversation_is_found_by_the_words_of_a_message_and_opened_there(
    theme: ThemeController, tmp_path: Path
) -> None:
    folder = tmp_path / "conversations"
    refund = "The bank rejected it, since the **card** had expired in May."
    filler = [(f"Filler {number}", "word " * 80) for number in range(8)]
    keep_talk(folder, "20240512-1", [("Where is my order?", refund), *filler], MOMENT)
    keep_talk(folder, "20240512-2", [("What is an expired card?", "One that is too old.")], MOMENT - timedelta(days=1))
    keep_talk(folder, "20240512-3", [("Hello", "Good morning.")], MOMENT - timedelta(days=2))
    async with AssistantDesk(tmp_path) as desk:
        view = desk.view
        await until(lambda: len(desk.rows()) == 3)
        QTest.keyClicks(view.conversations.search, "Expired REJECTED")
        await until(lambda: titles(desk) == ["Where is my order?"])
        (row,) = desk.rows()
        assert row.found == "The bank rejected it, since the **card** had expired in May."
        index = view.conversations.list.model().index(1, 0)
        assert index.data(CONVERSATION_ROLE) == row
        assert index.data(Qt.ItemDataRole.AccessibleTextRole) == f"Where is my order?, {row.found}"

        await desk.open("Where is my order?")
        await until(lambda: any(one.selected() for one in messages(desk)))
        answer = next(one for one in messages(desk) if one.selected())
        assert answer.selected() == "expired"
        assert answer.hasFocus()
        assert 0 <= answer.mapTo(view.messages, QPoint()).y() < view.messages.height()

        view.conversations.search.clear()
        assert len(desk.rows()) == 3
        assert all(not row.found for row in desk.rows())


async def test_what_no_title_and_no_message_has_is_said_to_match_nothing(
    theme: ThemeController, tmp_path: Path
) -> None:
    keep_talk(tmp_path / "conversations", "20240512-1", [("Hello", "Good morning.")], MOMENT)
    async with AssistantDesk(tmp_path) as desk:
        await until(lambda: len(desk.rows()) == 1)
        conversations = desk.view.conversations
        QTest.keyClicks(conversations.search, "evening")
        await until(lambda: not conversations.list.isVisible())
        conversations.search.clear()
        QTest.keyClicks(conversations.search, "morn")
        await until(lambda: [row.found for row in desk.rows()] == ["Good morning."])


def test_only_files_that_changed_are_read_again(tmp_path: Path) -> None:
    first = keep_talk(tmp_path, "20240512-1", [("One", "First answer.")], MOMENT)
    keep_talk(tmp_path, "20240512-2", [("Two", "Second answer.")], MOMENT)
    index = ConversationIndex(tmp_path)
    assert sorted(row.title for row in index.rows()) == ["One", "Two"]
    assert [one.excerpt for one in index.search(["first"])] == ["First answer."]

    # The same length and the same time: nothing tells that it is another file.
    text = first.path.read_text(encoding="utf-8")
    first.path.write_text(text.replace("First", "Final"), encoding="utf-8")
    os.utime(first.path, (MOMENT.timestamp(), MOMENT.timestamp()))
    assert [one.name for one in index.search(["first"])] == ["20240512-1"]
    os.utime(first.path, (MOMENT.timestamp() + 1, MOMENT.timestamp() + 1))
    assert index.search(["first"]) == []
    assert [one.name for one in index.search(["final"])] == ["20240512-1"]

    first.path.unlink()
    assert [row.title for row in index.rows()] == ["Two"]


def test_an_excerpt_begins_with_a_word_shortly_before_what_was_found(tmp_path: Path) -> None:
    keep_talk(tmp_path, "20240512-1", [("One", f"{'before ' * 40}needle\n\n{'after ' * 60}")], MOMENT)
    (found,) = ConversationIndex(tmp_path).search(["needle"])
    assert found.excerpt.startswith("…before before before needle after after")
    assert found.excerpt.endswith("…")
    assert len(found.excerpt) < 170


async def test_what_is_read_stays_in_place_while_earlier_messages_come(theme: ThemeController, tmp_path: Path) -> None:
    keep_talk(tmp_path / "conversations", "20240512-1", LONG, MOMENT)
    async with AssistantDesk(tmp_path) as desk:
        thread = desk.view.messages
        await desk.open("Question 0")
        await until(lambda: len(messages(desk)) == 100)
        bar = thread.verticalScrollBar()
        await until(lambda: bar.value() == bar.maximum() > 0)
        assert messages(desk)[-1].markdown == "Answer 59 with some words."
        read = messages(desk)[50]

        async def once_laid_out() -> tuple[int, int]:
            """Messages that come into sight are laid out a few at a time, and move what stands below them."""
            while True:
                last = read.mapTo(thread, QPoint()).y(), bar.maximum()
                await asyncio.sleep(0.1)
                if last == (read.mapTo(thread, QPoint()).y(), bar.maximum()):
                    return last

        bar.setValue(bar.maximum() // 2)
        place, former = await once_laid_out()
        QTest.mouseClick(thread.earlier, Qt.MouseButton.LeftButton)
        await until(lambda: len(messages(desk)) == 120 and bar.maximum() > former + 20 * read.height())
        # The layout of the first ones may not have been over when their place was looked at.
        await until(lambda: abs(read.mapTo(thread, QPoint()).y() - place) < 2 * read.height())
        assert messages(desk)[0].markdown == "Question 0"


async def test_a_message_far_before_the_newest_is_gone_to_and_the_newest_come_back(
    theme: ThemeController, tmp_path: Path
) -> None:
    turns = [(f"Question {number}", f"Answer {number} with some words.") for number in range(120)]
    keep_talk(tmp_path / "conversations", "20240512-1", turns, MOMENT)
    async with AssistantDesk(tmp_path) as desk:
        thread = desk.view.messages
        await until(lambda: len(desk.rows()) == 1)
        QTest.keyClicks(desk.view.conversations.search, "answer 7 with")
        await until(lambda: [row.found for row in desk.rows()] == ["Answer 7 with some words."])
        await desk.open("Question 0")
        await until(lambda: any(one.hasFocus() for one in messages(desk)))
        found = next(one for one in messages(desk) if one.hasFocus())
        assert found.markdown == "Answer 7 with some words."
        assert found.selected() == "Answer"
        assert thread.later.isVisible()
        assert not any(one.markdown == "Question 119" for one in messages(desk))
        QTest.mouseClick(thread.later, Qt.MouseButton.LeftButton)
        await until(lambda: any(one.markdown == "Question 119" for one in messages(desk)))
        assert not thread.later.isVisible()


async def test_what_is_said_after_going_far_back_stands_under_the_newest(
    theme: ThemeController, tmp_path: Path
) -> None:
    turns = [(f"Question {number}", f"Answer {number} with some words.") for number in range(120)]
    keep_talk(tmp_path / "conversations", "20240512-1", turns, MOMENT)
    with ModelServer(says("Here I am.")) as server:
        async with AssistantDesk(tmp_path) as desk:
            thread = desk.view.messages
            await until(lambda: len(desk.rows()) == 1)
            QTest.keyClicks(desk.view.conversations.search, "answer 7 with")
            await until(lambda: [row.found for row in desk.rows()] == ["Answer 7 with some words."])
            await desk.open("Question 0")
            await until(thread.later.isVisible)
            desk.choose(server)
            await desk.ask("And now?")
            await until(lambda: len(messages(desk)) > 3)
            assert [one.markdown for one in messages(desk)[-3:]] == [turns[-1][1], "And now?", "Here I am."]
