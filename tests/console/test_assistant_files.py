"""What is kept of a conversation: its file, however the answer ends, and the files that are made of it."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QFileDialog

from tests.console.assistant_desk import AssistantDesk, press
from tests.tools.models.servers import ModelServer, Reply, calls, says
from tests.tools.running import until
from tools import tool
from tools.errors import ConversationError

if TYPE_CHECKING:
    from pathlib import Path

    from console.theme import ThemeController

LOOK = ("look_up_place", json.dumps({"name": "Mira"}))


@tool(read_only=True)
def look_up_place(name: str) -> dict[str, str]:
    """Look up a place."""
    return {"name": name, "place": "Prague"}


def hanging() -> Reply:
    """Return the beginning of an answer that does not go on."""
    reply = says("Once upon a time")
    reply.pieces, reply.ends = reply.pieces[:8], "hangs"
    return reply


def export(desk: AssistantDesk, entry: str, path: Path) -> None:
    """Choose an entry of the menu, and a file in its dialog."""
    menu = desk.view.more.menu()
    assert menu is not None
    next(action for action in menu.actions() if action.text() == entry).trigger()
    dialog = next(one for one in desk.view.findChildren(QFileDialog) if one.isVisible())
    dialog.fileSelected.emit(str(path))
    dialog.reject()


async def test_a_conversation_is_exported_as_markdown_and_json(theme: ThemeController, tmp_path: Path) -> None:
    with ModelServer(calls(LOOK, text="I look."), says("In **Prague**.")) as server:
        async with AssistantDesk(tmp_path, look_up_place) as desk:
            desk.choose(server)
            await desk.ask("Where is Mira?")
            export(desk, "Export as Markdown…", tmp_path / "talk.md")
            export(desk, "Export as JSON…", tmp_path / "talk.json")
            await until(lambda: len(desk.noticed) == 2)
            assert sorted(desk.noticed) == ["Wrote talk.json", "Wrote talk.md"]
    text = (tmp_path / "talk.md").read_text("utf-8")
    assert text.startswith(
        "# Where is Mira?\n\nWith m-1 of compatible.\n\n## You\n\nWhere is Mira?\n\n## Assistant\n\nI look."
    )
    assert '### look_up_place: executed\n\n```json\n{"name": "Mira"}\n```' in text
    assert text.endswith("## Assistant\n\nIn **Prague**.\n")
    document = json.loads((tmp_path / "talk.json").read_text("utf-8"))
    assert [message["kind"] for message in document["messages"]] == ["user", "answer", "results", "answer"]
    assert document["messages"][2]["results"][0]["structured"] == {"name": "Mira", "place": "Prague"}


async def test_a_folder_that_cannot_be_written_is_told_and_nothing_is_lost(
    theme: ThemeController, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    with ModelServer(says("Blue.")) as server:
        async with AssistantDesk(tmp_path, look_up_place) as desk:
            desk.choose(server)
            await desk.ask("Which colour?")
            for entry, name in (("Export as Markdown…", "talk.md"), ("Make this a test…", "test_talk.py")):
                desk.noticed.clear()
                export(desk, entry, tmp_path / "file" / name)
                await until(lambda: desk.noticed)
                assert desk.noticed == [f"{tmp_path / 'file' / name} cannot be written: Not a directory"]
            assert [row.title for row in desk.rows()] == ["Which colour?"]


async def test_an_answer_that_the_end_of_the_program_cut_off_goes_on_after_the_next_start(
    theme: ThemeController, tmp_path: Path
) -> None:
    with ModelServer(hanging(), says("a princess.")) as server:
        async with AssistantDesk(tmp_path, look_up_place) as desk:
            desk.choose(server)
            desk.send("Tell a tale.")
            await until(lambda: "Once" in desk.shown_words)
            assert desk.page.answering == 1
        async with AssistantDesk(tmp_path, look_up_place) as desk:
            desk.choose(server)
            await desk.open("Tell a tale.")
            await until(lambda: desk.view.messages.problem.isVisible() and "Once" in desk.shown_words)
            press(desk.view, "Retry")
            await until(lambda: "a princess." in desk.shown_words)
            await desk.answered()
            assert not desk.view.messages.problem.isVisible()
    assert [one["content"] for one in server.requests[1].body["messages"]] == ["Tell a tale."]


async def test_a_conversation_that_is_deleted_while_it_is_answered_leaves_nothing_behind(
    theme: ThemeController, tmp_path: Path
) -> None:
    with ModelServer(hanging()) as server:
        async with AssistantDesk(tmp_path, look_up_place) as desk:
            desk.choose(server)
            desk.send("Tell a tale.")
            await until(lambda: "Once" in desk.shown_words and desk.view.conversations.current)
            desk.view.conversations.delete_requested.emit(desk.view.conversations.current)
            await until(lambda: not desk.rows())
            press(desk.view, "Undo the deletion")
            await until(lambda: [row.title for row in desk.rows()] == ["Tell a tale."])
            await until(lambda: "Once" in desk.shown_words and desk.view.conversations.current)
            desk.view.conversations.delete_requested.emit(desk.view.conversations.current)
            await until(lambda: not desk.rows())
    assert list(desk.folder.iterdir()) == []


async def test_a_conversation_that_was_deleted_before_it_is_asked_says_so(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with AssistantDesk(tmp_path, look_up_place) as desk:
        assistant = desk.page._port
        assert assistant is not None
        for ask in (partial(assistant.say, text="Which colour?", images=()), assistant.go_on):
            with pytest.raises(ConversationError, match="deleted meanwhile"):
                await ask("20261128-203500")


async def test_the_budget_is_asked_about_before_it_is_passed(theme: ThemeController, tmp_path: Path) -> None:
    with ModelServer(says("Here I am.")) as server:
        async with AssistantDesk(tmp_path, look_up_place) as desk:
            thread = desk.view.messages
            desk.choose(server)
            desk.view.context.budget.setValue(500)
            desk.send("Are you there?")
            await until(thread.budget.isVisible)
            assert "0 of 500 tokens are used" in thread.budget.accessibleName()
            press(thread, "Stop here")
            await until(thread.problem.isVisible)
            assert thread.problem.accessibleName().startswith("The budget is reached.")
            assert server.requests == []
            press(thread, "Retry")
            await until(thread.budget.isVisible)
            press(thread, "Go on")
            await until(lambda: "Here I am." in desk.shown_words)
            await desk.answered()
            assert desk.view.context.budget.value() > 500
            assert len(server.requests) == 1
