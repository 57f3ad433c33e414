"""Two models side by side on one prompt."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.console.assistant_desk import AssistantDesk, model_of, press
from tests.tools.models.servers import ModelServer, calls, says
from tests.tools.running import Answers, until
from tools import ExitEarly, tool

if TYPE_CHECKING:
    from pathlib import Path

    from console.theme import ThemeController

PUBLISH = ("publish_text", json.dumps({"text": "hello"}))
published: list[str] = []


@tool
def publish_text(text: str) -> str:
    """Publish a text."""
    published.append(text)
    return f"published {text}"


@tool(read_only=True)
def look_up_text(key: str) -> str:
    """Look up a text."""
    return f"text of {key}"


async def test_both_models_answer_and_the_chosen_answer_goes_on(theme: ThemeController, tmp_path: Path) -> None:
    with ModelServer(says("Blue."), says("Still blue.")) as first, ModelServer(says("Green."), says("Yes.")) as second:
        async with AssistantDesk(tmp_path, look_up_text) as desk:
            view = desk.view
            desk.choose(first, "m-1")
            view.second_chosen.emit(model_of(second, "m-2"))
            assert view.second.text() == "with m-2"
            await desk.ask("Which colour?")
            columns = view.compare.columns
            await until(lambda: all(column.choose.isVisible() for column in columns))
            assert [column.model.text for column in columns] == ["m-1", "m-2"]
            assert all(" in · " in column.facts.text for column in columns)
            await until(lambda: len(desk.rows()) == 2)
            assert sorted(row.title for row in desk.rows()) == ["Which colour?", "Which colour? · m-2"]
        async with AssistantDesk(tmp_path, look_up_text) as desk:
            view = desk.view
            await desk.open("Which colour?")
            await until(view.compare.isVisible)
            assert [column.model.text for column in view.compare.columns] == ["m-1", "m-2"]
            press(view, "Continue with m-2")
            await until(view.messages.isVisible)
            assert view.model.text() == "m-2"
            await desk.ask("Are you sure?")
            said = [one["content"] for one in second.requests[1].body["messages"]]
            assert said[-3:] == ["Which colour?", "Green.", "Are you sure?"]
            await desk.open("Which colour?")
            await until(lambda: view.title.text == "Which colour?")
            assert view.messages.isVisible()
            assert len(first.requests) == 1


async def test_what_one_model_did_is_done_again_only_when_the_person_says_so(
    theme: ThemeController, tmp_path: Path
) -> None:
    published.clear()
    with (
        ModelServer(calls(PUBLISH), says("Done.")) as first,
        ModelServer(calls(PUBLISH), says("It is done already.")) as second,
    ):
        person = Answers(ExitEarly("Once is enough."))
        async with AssistantDesk(tmp_path, publish_text, reviewer=person) as desk:
            columns = desk.view.compare.columns
            desk.choose(first, "m-1")
            desk.view.second_chosen.emit(model_of(second, "m-2"))
            await desk.ask("Publish hello.")
            assert published == ["hello"]
            assert [[concern.title for concern in one.concerns] for one in person.requests] == [
                ["Done already by the other model"]
            ]

            def statuses() -> list[str]:
                return [card.call.status for column in columns if (card := column.messages.card(1)) is not None]

            await until(lambda: sorted(statuses()) == ["denied", "executed"])
            at = statuses().index("denied")
            results = [
                one["content"] for one in (first, second)[at].requests[1].body["messages"] if one["role"] == "tool"
            ]
            assert "Once is enough." in results[0]
            assert "published hello" in results[0]


async def test_a_tool_that_only_reads_runs_for_both(theme: ThemeController, tmp_path: Path) -> None:
    look = calls(("look_up_text", json.dumps({"key": "a"})))
    with ModelServer(look, says("One.")) as first, ModelServer(look, says("Two.")) as second:
        async with AssistantDesk(tmp_path, look_up_text) as desk:
            desk.choose(first, "m-1")
            desk.view.second_chosen.emit(model_of(second, "m-2"))
            await desk.ask("Look.")

            def statuses() -> list[str]:
                cards = [column.messages.card(1) for column in desk.view.compare.columns]
                return [card.call.status for card in cards if card is not None]

            await until(lambda: statuses() == ["executed", "executed"])


async def test_one_of_two_answers_is_stopped_alone(theme: ThemeController, tmp_path: Path) -> None:
    hangs = says("Once upon a time")
    hangs.pieces, hangs.ends = hangs.pieces[:8], "hangs"
    with ModelServer(hangs) as first, ModelServer(says("Short.")) as second:
        async with AssistantDesk(tmp_path, look_up_text) as desk:
            columns = desk.view.compare.columns
            desk.choose(first, "m-1")
            desk.view.second_chosen.emit(model_of(second, "m-2"))
            desk.send("Tell a tale.")
            await until(lambda: columns[1].choose.isVisible() and columns[0].stop.isVisible() and first.requests)
            press(columns[0], "Stop m-1")
            await until(columns[0].messages.problem.isVisible)
            assert columns[0].messages.problem.accessibleName().startswith("Stopped.")
            assert not columns[1].messages.problem.isVisible()
            await desk.answered()
