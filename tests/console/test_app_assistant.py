"""The Assistant page in the running program, with a server of models on this computer."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from typing import TYPE_CHECKING, TypeVar

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QDialog,
    QFileDialog,
    QLabel,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QWidget,
)

from console.approval.dialog import ApprovalDialog
from console.approval.page_view import ApprovalsView
from console.assistant.answer_view import ProseView
from console.assistant.model import CONVERSATION_ROLE
from console.assistant.rows import ModelRef
from console.widgets import ElidedLabel
from tests.console.program import PATIENCE_S
from tests.console.test_app_console import started
from tests.tools.models.servers import ModelServer, Reply, calls, says

if TYPE_CHECKING:
    from pathlib import Path

    from console.assistant.call_card_view import CallCard
    from console.assistant.view import AssistantView
    from console.theme import ThemeController
    from tests.console.program import Program

_Widget = TypeVar("_Widget", bound=QWidget)

TOOLS = '''
from tools import tool

@tool(read_only=True)
def add_up(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b

@tool(requires_confirmation=True)
def publish_text(text: str) -> str:
    """Publish a text."""
    return f"published {text}"
'''


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    path = tmp_path / "models_tools.py"
    path.write_text(TOOLS, encoding="utf-8")
    return path


def named(window: QWidget, kind: type[_Widget], name: str) -> _Widget:
    return next(one for one in window.findChildren(kind) if one.isVisible() and one.accessibleName() == name)


def press(window: QWidget, text: str) -> None:
    shown = [one for one in shown_buttons(window) if one.isEnabled()]
    button = next(one for one in shown if text in {one.text(), one.accessibleName()})
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def shown_buttons(window: QWidget) -> list[QAbstractButton]:
    return [one for one in window.findChildren(QAbstractButton) if one.isVisible()]


def type_and_send(window: QWidget, words: str) -> None:
    prompt = named(window, QPlainTextEdit, "Message")
    prompt.selectAll()
    QTest.keyClicks(prompt, words)
    QTest.keyClick(prompt, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)


async def opened(start: Program, server: ModelServer) -> AssistantView:
    """Open the page and choose a model of the server, as the dialog does."""
    console = start.console
    await start.until(lambda: console.tools.lookup("publish_text") is not None)
    # In a smaller window a question is scrolled before it can be allowed.
    console.window.resize(1440, 900)
    console.window.rail.choose("assistant")
    view = console.assistant.view
    assert view is not None
    await start.until(view.isVisible)
    assert not view.composer.send.isEnabled()
    view.model_chosen.emit(ModelRef("compatible", "m-1", server.address))
    return view


def names(view: AssistantView) -> list[str]:
    return [one.accessibleName() for one in shown_buttons(view)]


def names_enabled(window: QWidget) -> list[str]:
    return [one.text() for one in shown_buttons(window) if one.isEnabled()]


def tips(view: AssistantView) -> list[str]:
    return [one.toolTip() for one in shown_buttons(view.context)]


def part_words(view: AssistantView) -> str:
    return "\n".join(one.text for one in view.context.findChildren(ElidedLabel) if one.isVisible())


def listed(view: AssistantView) -> list[str]:
    model = view.conversations.list.model()
    rows = [model.index(at, 0).data(CONVERSATION_ROLE) for at in range(model.rowCount())]
    return [row.title for row in rows if row is not None]


def asks(view: AssistantView) -> bool:
    card = view.messages.card(1)
    return card is not None and card.question is not None


async def answered(start: Program, view: AssistantView) -> None:
    await start.until(lambda: not view.composer.stop.isVisibleTo(view))


async def test_a_call_runs_once_it_is_allowed_in_its_card_and_the_answer_follows(
    theme: ThemeController, tmp_path: Path, plugin: Path
) -> None:
    asked = calls(("publish_text", json.dumps({"text": "hello"})), text="I publish it.")
    with ModelServer(asked, says("It is **published**.")) as server:
        async with started(theme, tmp_path, plugin) as start:
            console = start.console
            view = await opened(start, server)
            type_and_send(console.window, "Publish hello.")
            await start.until(lambda: console.desk.open_requests)
            await start.until(lambda: asks(view))
            assert [dialog for dialog in console.window.findChildren(QDialog) if dialog.isVisible()] == []
            buttons = view.findChildren(QAbstractButton)
            allow = next(one for one in buttons if one.text() == "Allow once")
            await start.until(lambda: allow.isVisible() and allow.isEnabled())
            QTest.mouseClick(allow, Qt.MouseButton.LeftButton)
            await answered(start, view)

            card = view.messages.card(1)
            assert card is not None
            assert card.question is None
            assert card.head.accessibleName() == "publish_text, Success"
            QTest.keyClick(card.head, Qt.Key.Key_Return)
            await start.until(lambda: card.content is not None and card.content.isVisible())
            assert card.call.text == "published hello"
            await start.until(lambda: listed(view) == ["Publish hello."])
            assert len(server.requests) == 2


async def test_what_keeps_the_model_from_an_answer_is_told_and_asked_again(
    theme: ThemeController, tmp_path: Path, plugin: Path
) -> None:
    refused = Reply(status=401, pieces=[b'{"error": {"message": "the key is wrong"}}'])
    with ModelServer(refused, says("Here I am.")) as server:
        async with started(theme, tmp_path, plugin) as start:
            view = await opened(start, server)
            type_and_send(start.console.window, "Are you there?")
            await start.until(view.messages.problem.isVisible)
            assert "the key is wrong" in view.messages.problem.accessibleName()
            press(view, "Retry")
            await start.until(lambda: not view.messages.problem.isVisible())
            await answered(start, view)
            await start.until(lambda: len(server.requests) == 2)


async def test_an_answer_is_stopped_and_what_came_is_kept(theme: ThemeController, tmp_path: Path, plugin: Path) -> None:
    hangs = says("Once upon a time")
    hangs.pieces, hangs.ends = hangs.pieces[:8], "hangs"
    with ModelServer(hangs) as server:
        async with started(theme, tmp_path, plugin) as start:
            view = await opened(start, server)
            type_and_send(start.console.window, "Tell a tale.")
            await start.until(lambda: server.requests and view.composer.stop.isVisible())
            QTest.keyClick(view.composer.prompt, Qt.Key.Key_Escape)
            await start.until(view.messages.problem.isVisible)
            assert view.messages.problem.accessibleName().startswith("Stopped.")
            await answered(start, view)


async def test_whoever_quits_while_an_answer_comes_is_asked_and_what_came_is_kept(
    theme: ThemeController, tmp_path: Path, plugin: Path
) -> None:
    hangs = says("Once upon a time")
    hangs.pieces, hangs.ends = hangs.pieces[:8], "hangs"
    with ModelServer(hangs) as server:
        async with started(theme, tmp_path, plugin) as start:
            view = await opened(start, server)
            type_and_send(start.console.window, "Tell a tale.")
            await start.until(lambda: [one for one in view.findChildren(ProseView) if "Once" in one.toPlainText()])
            start.console.window.close()
            (box,) = start.questions()
            said = "\n".join(one.text() for one in box.findChildren(QLabel))
            assert "A model is still at work. What came until now is kept" in said
            press(box, "Cancel")
            assert view.composer.stop.isVisible()
            start.console.window.close()
            (box,) = start.questions()
            press(box, "Stop and quit")
            await asyncio.wait_for(start.over.wait(), PATIENCE_S)
            assert start.console.stopped_cleanly
    [kept] = (tmp_path / "data" / "conversations").iterdir()
    answer = json.loads(kept.read_text("utf-8").splitlines()[-1])
    assert (answer["text"], answer["stop"]) == ("Once", "cut_off")


async def test_a_conversation_becomes_a_test_that_pytest_runs(
    theme: ThemeController, tmp_path: Path, plugin: Path
) -> None:
    with ModelServer(calls(("add_up", json.dumps({"a": 1, "b": 2}))), says("Three.")) as server:
        async with started(theme, tmp_path, plugin) as start:
            view = await opened(start, server)
            type_and_send(start.console.window, "Add.")
            await start.until(lambda: len(server.requests) == 2)
            await answered(start, view)
            menu = view.more.menu()
            assert menu is not None
            next(action for action in menu.actions() if action.text() == "Make this a test…").trigger()
            dialog = next(one for one in view.findChildren(QFileDialog) if one.isVisible())
            dialog.fileSelected.emit(str(tmp_path / "made" / "test_adding.py"))
            dialog.reject()
            await start.until((tmp_path / "made" / "test_adding.jsonl").exists)
    words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "test_adding.py"]
    done = await asyncio.to_thread(
        subprocess.run, [sys.executable, *words], cwd=tmp_path / "made", capture_output=True, text=True, check=False
    )
    assert "1 passed" in done.stdout, done.stdout
    assert "('add_up', {'a': 1, 'b': 2}, 'executed')" in (tmp_path / "made" / "test_adding.py").read_text("utf-8")


async def test_conversations_are_kept_renamed_filtered_deleted_and_brought_back(
    theme: ThemeController, tmp_path: Path, plugin: Path
) -> None:
    with ModelServer(says("One."), says("Two.")) as server:
        async with started(theme, tmp_path, plugin) as start:
            window = start.console.window
            view = await opened(start, server)
            for words in ("The first", "The second"):
                press(view, "New conversation")
                type_and_send(window, words)
                await start.until(lambda words=words: words in listed(view))  # type: ignore[misc]
                await answered(start, view)
            assert sorted(listed(view)) == ["The first", "The second"]
            QTest.keyClick(view.conversations.list, Qt.Key.Key_F2)
            title = named(window, QLineEdit, "Title")
            title.selectAll()
            QTest.keyClicks(title, "Renamed")
            press(window, "Rename")
            await start.until(lambda: sorted(listed(view)) == ["Renamed", "The first"])
            field = named(view, QLineEdit, "Filter conversations")
            QTest.keyClicks(field, "first")
            assert listed(view) == ["The first"]
            field.clear()
            QTest.keyClick(view.conversations.list, Qt.Key.Key_Delete)
            await start.until(lambda: listed(view) == ["The first"])
            press(view, "Undo the deletion")
            await start.until(lambda: sorted(listed(view)) == ["Renamed", "The first"])


async def test_an_edited_message_is_sent_in_a_branch(theme: ThemeController, tmp_path: Path, plugin: Path) -> None:
    with ModelServer(says("Blue."), says("Green.")) as server:
        async with started(theme, tmp_path, plugin) as start:
            view = await opened(start, server)
            type_and_send(start.console.window, "Which colour?")
            await start.until(lambda: listed(view) == ["Which colour?"])
            await answered(start, view)
            press(view, "Edit and send again")
            type_and_send(start.console.window, "Which other colour?")
            await start.until(lambda: len(listed(view)) == 2)
            await answered(start, view)

            said = [message["content"] for message in server.requests[1].body["messages"] if message["role"] == "user"]
            assert said == ["Which other colour?"]
            assert len(list((tmp_path / "data" / "conversations").glob("*.jsonl"))) == 2


async def test_nothing_is_sent_or_kept_before_the_person_sends(
    theme: ThemeController, tmp_path: Path, plugin: Path
) -> None:
    with ModelServer(says("Good morning.")) as server:
        async with started(theme, tmp_path, plugin) as start:
            view = await opened(start, server)
            QTest.keyClicks(named(view, QPlainTextEdit, "Message"), "Hello")
            await start.until(view.composer.tokens.text)
            assert server.requests == []
            assert not list((tmp_path / "data" / "conversations").glob("*"))
            press(view, "Send")
            await start.until(lambda: server.requests)
            await answered(start, view)
            assert view.composer.prompt.toPlainText() == ""


async def test_a_call_that_is_denied_in_its_card_does_not_run(
    theme: ThemeController, tmp_path: Path, plugin: Path
) -> None:
    asked = calls(("publish_text", json.dumps({"text": "hello"})))
    with ModelServer(asked, says("As you like.")) as server:
        async with started(theme, tmp_path, plugin) as start:
            view = await opened(start, server)
            type_and_send(start.console.window, "Publish hello.")
            await start.until(lambda: "Deny" in [one.text() for one in shown_buttons(view)])
            press(view, "Deny")
            await answered(start, view)
            card = view.messages.card(1)
            assert card is not None
            assert card.call.status == "denied"
            results = [one["content"] for one in server.requests[1].body["messages"] if one["role"] == "tool"]
            assert "published hello" not in results[0]


async def test_what_the_other_model_did_is_asked_about_on_the_approvals_page_as_well(
    theme: ThemeController, tmp_path: Path, plugin: Path
) -> None:
    asked = calls(("publish_text", json.dumps({"text": "hello"})))
    with ModelServer(asked, says("Done.")) as first, ModelServer(asked, says("As you like.")) as second:
        async with started(theme, tmp_path, plugin) as start:
            console = start.console
            view = await opened(start, first)
            view.second_chosen.emit(ModelRef("compatible", "m-2", second.address))

            def cards() -> list[CallCard | None]:
                return [column.messages.card(1) for column in view.compare.columns]

            type_and_send(console.window, "Publish hello.")
            # One call waits until it is known what became of the other. The columns have no room for a question.
            dialogs = console.window.findChildren
            await start.until(lambda: [one for one in dialogs(ApprovalDialog) if one.isVisible()])
            assert len(console.desk.open_requests) == 1
            console.window.resize(2200, 900)
            await start.until(lambda: "Allow once" in names_enabled(console.window))
            press(console.window, "Allow once")
            await start.until(lambda: [one.concerns[0].kind for one in console.desk.open_requests] == ["repeated"])
            await start.until(lambda: [card for card in cards() if card is not None and card.question is not None])
            console.window.rail.choose("approvals")
            page = console.window.findChild(ApprovalsView)
            assert page is not None
            await start.until(lambda: "Deny" in names_enabled(page))
            reasons = [one.accessibleName() for one in page.findChildren(QWidget) if one.isVisible()]
            assert "Done already by the other model" in reasons
            press(page, "Deny")
            await start.until(lambda: not console.desk.open_requests)
            console.window.rail.choose("assistant")
            await answered(start, view)
            await start.until(lambda: sorted(card.call.status for card in cards() if card) == ["denied", "executed"])


@pytest.mark.reference("B21", "E36", "E37")
async def test_the_context_is_seen_and_shaped_before_it_is_sent(
    theme: ThemeController, tmp_path: Path, plugin: Path
) -> None:
    added = calls(("add_up", json.dumps({"a": 1, "b": 2})))
    kept = calls(("set_turns_to_keep", json.dumps({"part_id": 1, "turns": 7})))
    with ModelServer(added, says("Three."), kept, says("Kept.")) as server:
        async with started(theme, tmp_path, plugin) as start:
            window = start.console.window
            view = await opened(start, server)
            view.context_bar.turns.setValue(1)
            view.context.instructions_requested.emit()
            for name, words in (("Instructions", "Be short."), ("Must always", "Say why"), ("Must never", "Guess")):
                QTest.keyClicks(named(window, QPlainTextEdit, name), words)
            press(window, "Use these")
            await start.until(lambda: "Instructions, Be short" in part_words(view))
            type_and_send(window, "Add.")
            await start.until(lambda: server.requests)
            await answered(start, view)
            system = server.requests[0].body["messages"][0]["content"]
            rules = "You must always:\n- Say why\n\nYou must never:\n- Guess"
            assert (system[:9], system[-len(rules) :]) == ("Be short.", rules)

            await start.until(lambda: "Sent for 0 more turns" in tips(view) or "Gone next turn" in tips(view))
            press(view, next(one for one in names(view) if one.startswith("Pin add_up")))
            await start.until(lambda: "Pinned: sent until it is unpinned" in tips(view))
            press(view, next(one for one in names(view) if one.startswith("Unpin add_up")))
            type_and_send(window, "Keep it.")
            await start.until(lambda: "Sent for 4 more turns" in tips(view))
            press(view, next(one for one in names(view) if one.startswith("Drop add_up")))
            await start.until(lambda: "Not sent any more" in tips(view))


async def test_older_turns_are_summed_up_the_summary_is_edited_and_undone(
    theme: ThemeController, tmp_path: Path, plugin: Path
) -> None:
    with ModelServer(says("Three."), says("Kept."), says("They added."), says("Well.")) as server:
        async with started(theme, tmp_path, plugin) as start:
            window = start.console.window
            view = await opened(start, server)
            view.context_bar.turns.setValue(1)
            for number, words in enumerate(("Add.", "Keep it."), 1):
                type_and_send(window, words)
                await start.until(lambda number=number: len(server.requests) == number)  # type: ignore[misc]
                await answered(start, view)
            press(view, "Summarise older turns now")
            await start.until(lambda: "Summary of turn 1" in part_words(view))
            press(view, "Change summary of turn 1")
            text = named(window, QPlainTextEdit, "Summary")
            assert text.toPlainText() == "They added."
            QTest.keyClicks(text, "Briefly: ")
            press(window, "Send this summary")
            await start.until(lambda: not text.isVisible())
            type_and_send(window, "And?")
            await start.until(lambda: len(server.requests) == 4)
            await answered(start, view)
            said = [one["content"] for one in server.requests[3].body["messages"] if one["role"] == "user"]
            assert said == ["(summary of the conversation until here)\nBriefly: They added.\n\nKeep it.", "And?"]
            await start.until(lambda: "Change summary of turn 1" in names(view))
            press(view, "Change summary of turn 1")
            press(window, "Send the turns again")
            await start.until(lambda: "Change summary of turn 1" not in names(view))


async def test_calls_of_a_conversation_become_an_unsaved_batch(
    theme: ThemeController, tmp_path: Path, plugin: Path
) -> None:
    first, again = calls(("add_up", json.dumps({"a": 800, "b": 42}))), calls(("add_up", '{"a": 842, "b": 1}'))
    with ModelServer(first, again, calls(("add_up", '{"a": 1, "b": 1}')), says("Well.")) as server:
        async with started(theme, tmp_path, plugin) as start:
            window = start.console.window
            view = await opened(start, server)
            type_and_send(window, "Add 800 and 42, then one more.")
            await start.until(lambda: len(server.requests) == 4)
            await answered(start, view)
            view.batch_requested.emit()
            await start.until(lambda: [one for one in window.findChildren(QListWidget) if one.isVisible()])
            listed_calls = named(window, QListWidget, "Calls")
            assert listed_calls.item(1).text() == "add_up  a=842  b=1"
            listed_calls.setCurrentRow(2)
            QTest.keyClick(listed_calls, Qt.Key.Key_Space)
            press(window, "Open on the Batch page")
            await start.until(lambda: start.console.batches.opened is not None)
            plan = start.console.batches.opened
            assert plan is not None
            assert plan.path is None
            steps = [(step.id, dict(step.arguments)) for step in plan.plan.steps]
            assert steps == [
                ("add_up", {"a": 800, "b": 42}),
                ("add_up_2", {"a": "${steps.add_up.result}", "b": 1}),
            ]


async def test_a_page_that_closes_searches_for_nothing_that_was_just_typed(
    theme: ThemeController, tmp_path: Path, plugin: Path
) -> None:
    with ModelServer(says("Blue.")) as server:
        async with started(theme, tmp_path, plugin) as start:
            view = await opened(start, server)
            timers = [one for one in start.console.assistant.findChildren(QTimer) if one.isSingleShot()]
            QTest.keyClicks(named(view, QLineEdit, "Filter conversations"), "colour")
            assert any(one.isActive() for one in timers)
            start.console.assistant.close()
            assert not any(one.isActive() for one in timers)


async def test_an_earlier_conversation_goes_on_with_all_that_was_said(
    theme: ThemeController, tmp_path: Path, plugin: Path
) -> None:
    with ModelServer(says("Blue."), says("Loud."), says("Still blue.")) as server:
        async with started(theme, tmp_path, plugin) as start:
            view = await opened(start, server)
            for words in ("Which colour?", "Which sound?"):
                press(view, "New conversation")
                type_and_send(start.console.window, words)
                await start.until(lambda words=words: words in listed(view))  # type: ignore[misc]
                await answered(start, view)
            QTest.keyClicks(named(view, QLineEdit, "Filter conversations"), "colour")
            rows = view.conversations.list
            indexes = [rows.model().index(at, 0) for at in range(rows.model().rowCount())]
            index = next(one for one in indexes if one.data(CONVERSATION_ROLE) is not None)
            QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=rows.visualRect(index).center())
            await start.until(lambda: view.title.text == "Which colour?")
            type_and_send(start.console.window, "And now?")
            await start.until(lambda: len(server.requests) == 3)
            await answered(start, view)
            said = [one["content"] for one in server.requests[2].body["messages"] if one["role"] == "user"]
            assert said == ["Which colour?", "And now?"]
