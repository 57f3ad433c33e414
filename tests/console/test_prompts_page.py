"""The Prompts page: what is listed, filled in, shown as it would be sent, copied, and said when it goes wrong."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtGui import QGuiApplication

from console.prompts.model import PromptModel
from console.prompts.presenter import PromptsPresenter
from console.prompts.rows import prompt_row, reading_of
from console.prompts.view import PromptsView
from console.tasks import TaskScope
from console.widgets import EmptyState
from tests.console.prompt_port import FakePrompts
from tools.card import PromptCard, PromptText, SourceKind, ToolSource
from tools.errors import ArgumentProblem, ArgumentsError, ToolFailure
from tools.spec import Role

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

SCHEMA: dict[str, Any] = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
LETTER = PromptCard(
    "apology", "", "Ask for pardon.", Role.USER, SCHEMA, "Letters", ToolSource(SourceKind.PLUGIN, "a.py")
)
REMOTE = PromptCard(
    "git.review",
    "Review a change",
    "",
    None,
    {"type": "object", "properties": {}},
    "",
    ToolSource(SourceKind.SERVER, "git"),
)


async def computed(function: Callable[..., Any], /, *args: Any) -> Any:
    return function(*args)


class Page:
    def __init__(self) -> None:
        self.port = FakePrompts()
        self.failures: list[BaseException] = []
        self.scope = TaskScope("test", self.failures.append)
        self.model = PromptModel(with_source=True)
        self.view = PromptsView(self.model, EmptyState("message-square-text", "No prompts yet", "They stand here."))
        self.view.resize(1_200, 700)
        self.presenter = PromptsPresenter(self.view, self.port, scope=self.scope, compute=computed)
        self.model.show_rows((prompt_row(LETTER), prompt_row(REMOTE)))

    async def rest(self) -> None:
        while self.scope.busy:  # noqa: ASYNC110 -- a scope sets no event
            await asyncio.sleep(0.005)

    @property
    def words(self) -> str:
        from PySide6.QtWidgets import QLabel  # noqa: PLC0415 -- the views' own words

        return "\n".join(label.text() for label in self.view.findChildren(QLabel) if not label.isHidden())


OnPage = Callable[[], AbstractAsyncContextManager[Page]]


@pytest.fixture
def on_page(qtbot: QtBot) -> OnPage:
    @asynccontextmanager
    async def shown() -> AsyncIterator[Page]:
        page = Page()
        qtbot.addWidget(page.view)
        page.view.show()
        try:
            yield page
        finally:
            page.presenter.close()
            await page.scope.close()
        assert page.failures == []

    return shown


def test_prompts_of_plugins_and_servers_stand_in_one_list(qtmodeltester: Any) -> None:
    model = PromptModel(with_source=True)
    qtmodeltester.check(model)
    model.show_rows((prompt_row(LETTER), prompt_row(REMOTE)))

    assert [(row.label, row.source, row.arguments) for row in model.rows] == [
        ("apology", "Letters", "name"),
        ("review", "git", ""),
    ]
    assert model.rows[0].origin == "Speaks as the user · from Letters in a.py"
    assert model.rows[1].origin == "Its messages say who speaks · from the server git"


async def test_a_text_is_made_from_the_form_and_copied_with_one_click(on_page: OnPage) -> None:
    async with on_page() as page:
        view = page.view
        view.get.click()
        assert page.port.asked == []
        view.form.set_value({"name": "Mira"})
        view.get.click()
        await page.rest()
        assert page.port.asked == [("apology", {"name": "Mira"})]
        assert view.text.text == "User\napology with {'name': 'Mira'}"
        assert "1 message, 29 letters, in" in page.words
        view.copy.click()
        assert QGuiApplication.clipboard().text() == "apology with {'name': 'Mira'}"
        view.form_of_text.select(1)
        message = {"role": "user", "content": {"type": "text", "text": "apology with {'name': 'Mira'}"}}
        assert json.loads(view.text.text) == [message]
        view.copy.click()
        assert json.loads(QGuiApplication.clipboard().text()) == [message]


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ToolFailure("the prompt 'apology' failed: ValueError: no"), "The prompt 'apology' failed: ValueError: no"),
        (ArgumentsError((ArgumentProblem("name", "text", "nothing", "missing"),)), "name is required: expected text"),
    ],
)
async def test_what_goes_wrong_is_said_where_the_text_would_stand(on_page: OnPage, error: Any, words: str) -> None:
    async with on_page() as page:
        page.port.answers["apology"] = error
        page.view.form.set_value({"name": "Mira"})
        page.view.get.click()
        await page.rest()
        assert words in page.words
        assert page.view.text.text == ""
        assert page.view.get.isEnabled()
        assert not page.view.copy.isEnabled()


async def test_nobody_waits_for_a_text_once_another_prompt_is_chosen(on_page: OnPage) -> None:
    async with on_page() as page:
        page.port.gate.clear()
        page.view.form.set_value({"name": "Mira"})
        page.view.get.click()
        await asyncio.sleep(0)
        assert not page.view.get.isEnabled()
        page.view.show_prompt("git.review")
        assert page.view.get.isEnabled()
        await page.rest()
        page.port.gate.set()
        page.view.get.click()
        await page.rest()
        assert page.view.text.text == "User\ngit.review with {}"
        assert page.port.asked[-1] == ("git.review", {})


async def test_a_text_that_takes_a_while_is_announced(on_page: OnPage) -> None:
    async with on_page() as page:
        page.port.gate.clear()
        page.view.form.set_value({"name": "Mira"})
        page.view.get.click()
        async with asyncio.timeout(10):
            while "Getting the text" not in page.words:  # noqa: ASYNC110 -- a label sets no event
                await asyncio.sleep(0.01)
        page.port.gate.set()
        await page.rest()
        assert "Getting the text" not in page.words


def test_every_message_stands_below_its_role() -> None:
    said = PromptText(
        "",
        (
            {"role": "user", "content": {"type": "text", "text": "Look:\nx = 1"}},
            {"role": "assistant", "content": [{"type": "image", "mimeType": "image/png", "data": "AA=="}]},
        ),
    )
    reading = reading_of(said, 12)
    assert reading.shown == "User\nLook:\nx = 1\n\nAssistant\n[image: image/png]"
    assert [place for place, spans in enumerate(reading.spans) if spans] == [0, 4]
    assert reading.text == "user:\nLook:\nx = 1\n\nassistant:\n[image: image/png]"
    assert reading.note == "2 messages, 29 letters, in 12 ms"


def test_a_text_of_a_million_lines_is_shown() -> None:
    said = PromptText("", ({"role": "user", "content": {"type": "text", "text": "line\n" * 1_000_000}},))
    reading = reading_of(said, 1)
    assert reading.shown.count("\n") == 1_000_001
    assert len(reading.document) > len(reading.text)
