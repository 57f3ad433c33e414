"""Two models side by side on one prompt."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.console.assistant_desk import AssistantDesk, model_of, press
from tests.tools.models.servers import ModelServer, calls, says
from tests.tools.running import until
from tools import tool

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
        ModelServer(calls(PUBLISH), says("Done."), calls(PUBLISH), says("Done again.")) as first,
        ModelServer(calls(PUBLISH), says("It is done already."), says("Nothing to do.")) as second,
    ):
        async with AssistantDesk(tmp_path, publish_text) as desk:
            columns = desk.view.compare.columns
            desk.choose(first, "m-1")
            desk.view.second_chosen.emit(model_of(second, "m-2"))
            desk.send("Publish hello.")

            def asking() -> list[int]:
                cards = [column.messages.card(1) for column in columns]
                return [at for at, card in enumerate(cards) if card is not None and card.repeat is not None]

            await until(asking)
            assert published == ["hello"]
            (at,) = asking()
            card = columns[at].messages.card(1)
            assert card is not None
            assert card.repeat is not None
            assert card.repeat.accessibleName() == "The other model made this call already: Success"
            press(card, "Do not run it")
            await desk.answered()
            assert published == ["hello"]
            await until(lambda: card.call.status == "denied")
            asked_again = (first, second)[at]
            results = [one["content"] for one in asked_again.requests[1].body["messages"] if one["role"] == "tool"]
            assert "published hello" in results[0]


async def test_a_tool_that_only_reads_runs_for_both(theme: ThemeController, tmp_path: Path) -> None:
    look = calls(("look_up_text", json.dumps({"key": "a"})))
    with ModelServer(look, says("One.")) as first, ModelServer(look, says("Two.")) as second:
        async with AssistantDesk(tmp_path, look_up_text) as desk:
            desk.choose(first, "m-1")
            desk.view.second_chosen.emit(model_of(second, "m-2"))
            await desk.ask("Look.")
            cards = [column.messages.card(1) for column in desk.view.compare.columns]
            await until(lambda: all(card is not None and card.call.status == "executed" for card in cards))


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
