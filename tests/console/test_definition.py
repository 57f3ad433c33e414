"""The Wire and Schema tabs on a tool's page: what each provider is sent, what that loses, and the schemas."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLabel
from pytestqt.qtbot import QtBot

from console.definition.schema_presenter import SchemaPresenter
from console.definition.schema_view import SchemaView
from console.definition.wire_rows import PROVIDER, WireChoice, provider_titles, wire_rows
from console.definition.wire_view import WireView
from console.tasks import TaskScope
from console.theme import ThemeController
from console.viewers import Representation
from console.widgets import EmptyState
from tests.console.test_app_console import Start, plugin_file, started
from tests.tools.running import until
from tools import make_tool, resolve_tools
from tools.catalog import builtin_tools
from tools.errors import ToolCrashError
from tools.schema import SchemaPart, SchemaStyle
from tools.wire import PROVIDERS, Fix
from tools.wire.words import fix_words

PLUGIN = '''
from pydantic import BaseModel
from tools import ToolContext, tool

class Branch(BaseModel):
    name: str
    twigs: list["Branch"] = []

@tool
def climb(start: Branch, ctx: ToolContext, depth: int | None = None) -> Branch:
    """Climb a tree."""
    return start

@tool
def rest() -> None:
    """Rest."""
'''
CHANGED = PLUGIN.replace("depth: int | None", "height: int | None")


def shown(view: WireView | SchemaView) -> Any:
    content = view.shown.content
    return None if content is None else content.value


def said(view: SchemaView) -> str:
    """Return what is said in the place of a schema; empty while there is one."""
    (state,) = view.findChildren(EmptyState)
    return state.accessibleName() if state.isVisible() else ""


def choose(view: WireView, provider: str) -> None:
    view.provider.setCurrentIndex(view.provider.findData(provider))


async def wire_tab(start: Start, tool: str) -> WireView:
    start.console.open_tools.open(tool)
    page = start.page(tool)
    page.results.setFocus()
    QTest.keyClick(page, Qt.Key.Key_5, Qt.KeyboardModifier.AltModifier)
    await start.until(lambda: page.findChildren(WireView))
    (view,) = page.findChildren(WireView)
    await start.until(lambda: shown(view) is not None)
    return view


async def schema_tab(start: Start, tool: str) -> SchemaView:
    start.console.open_tools.open(tool)
    page = start.page(tool)
    page.results.setFocus()
    QTest.keyClick(page, Qt.Key.Key_7, Qt.KeyboardModifier.AltModifier)
    await start.until(lambda: page.findChildren(SchemaView))
    (view,) = page.findChildren(SchemaView)
    await start.until(lambda: shown(view) is not None)
    return view


@pytest.mark.reference("E42", "E44")
async def test_what_each_provider_is_sent_is_shown_and_one_click_rewrites_it(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with started(theme, tmp_path, plugin_file(tmp_path / "trees.py", PLUGIN)) as start:
        view = await wire_tab(start, "climb")
        assert view.provider.count() == len(PROVIDERS)
        assert view.provider.currentData() == "openai"
        assert shown(view)[0]["name"] == "climb"
        assert view.tokens.text.startswith("≈ ")
        assert view.tokens.text.endswith(" tokens, estimated")

        choose(view, "gemini")
        await start.until(lambda: view.headline.text() == "Gemini refuses it")
        assert not view.strict.isVisible()
        declared = shown(view)[0]["functionDeclarations"][0]["parameters"]
        assert "$defs" in declared
        assert "$ref" in [label.text() for label in view.findChildren(QLabel)]

        view.rewrite.click()
        await start.until(lambda: view.headline.text() == "Rewritten, and taken")
        assert "$ref" not in json.dumps(shown(view))
        view.rewrite.click()
        await start.until(lambda: view.headline.text() == "Gemini refuses it")
        assert shown(view)[0]["functionDeclarations"][0]["parameters"] == declared

        choose(view, "anthropic")
        await start.until(lambda: "input_schema" in shown(view)[0])
        assert view.strict.isVisible()
        view.strict.setChecked(True)
        await start.until(lambda: view.headline.text() == "Anthropic refuses it")
        choose(view, "mcp")
        await start.until(lambda: view.headline.text() == "Taken as it stands")
        assert not view.rewrite.isVisible()
        choose(view, "groq")
        await start.until(lambda: "function" in shown(view)[0])
        assert start.preferences.choice(PROVIDER, PROVIDERS, "openai") == "groq"
        again = await wire_tab(start, "rest")
        assert again.provider.currentData() == "groq"


async def test_a_definition_is_found_in_copied_and_saved_like_a_result(theme: ThemeController, tmp_path: Path) -> None:
    async with started(theme, tmp_path, plugin_file(tmp_path / "trees.py", PLUGIN)) as start:
        view = await wire_tab(start, "climb")
        results = start.page("climb").results
        assert view.shown.form is Representation.TEXT
        results.result_header.copy_requested.emit()
        await start.until(lambda: "on the clipboard" in start.page("climb").notice.text)
        assert start.page("climb").notice.text.startswith("The definition is on the clipboard")
        assert json.loads(QGuiApplication.clipboard().text()) == shown(view)
        results.result_header.save_requested.emit()
        (dialog,) = results.findChildren(QFileDialog)
        assert dialog.selectedFiles()[0].endswith("climb-openai.json")
        file = tmp_path / "sent.json"
        dialog.fileSelected.emit(str(file))
        dialog.close()
        await start.until(lambda: "Saved as" in start.page("climb").notice.text)
        assert json.loads(file.read_text()) == shown(view)
        results.result_header.find_requested.emit()
        assert results.find_bar.field.placeholderText() == "Find in the definition"
        results.find_bar.field.setText("Climb a tree")
        results.find_bar.find_requested.emit("Climb a tree", False)
        assert view.shown.text.selected_text == "Climb a tree"
        results.find_bar.close_bar()
        results.show_tab(0)
        assert not results.result_header.copy.isEnabled()


@pytest.mark.reference("E7", "E8", "E9", "E10", "E12", "E42")
async def test_input_output_and_envelope_are_shown_in_every_form_also_of_a_plugins_types(
    theme: ThemeController, tmp_path: Path
) -> None:
    plugin = plugin_file(tmp_path / "trees.py", PLUGIN)
    async with started(theme, tmp_path, plugin) as start:
        view = await schema_tab(start, "climb")
        assert "$ref" in json.dumps(shown(view))
        assert view.shown.forms == (Representation.TREE, Representation.TEXT)
        view.style_box.setCurrentIndex(list(SchemaStyle).index(SchemaStyle.INLINED))
        await start.until(lambda: "$ref" not in json.dumps(shown(view)))
        assert "Recursive reference" in json.dumps(shown(view))
        view.style_box.setCurrentIndex(list(SchemaStyle).index(SchemaStyle.OPENAPI))
        await start.until(lambda: "Branch" in str(shown(view)["properties"]["start"].get("title")))
        assert shown(view)["properties"]["depth"]["nullable"] is True
        assert not view.envelope.isVisible()
        view.part.select(1)
        await start.until(lambda: str(shown(view).get("title")).endswith(".Branch"))
        view.envelope.setChecked(True)
        await start.until(lambda: "status" in shown(view)["properties"])
        assert shown(view)["properties"]["result"]["title"].endswith(".Branch")

        plugin_file(plugin, CHANGED)
        start.console.browser_view.reload_requested.emit()
        view.part.select(0)
        await start.until(lambda: "height" in shown(view)["properties"])

        quiet = await schema_tab(start, "rest")
        quiet.part.select(1)
        await start.until(lambda: said(quiet).startswith("No output is described"))
        assert not start.page("rest").results.result_header.copy.isEnabled()
        quiet.envelope.setChecked(True)
        await start.until(lambda: shown(quiet) is not None and "status" in shown(quiet)["properties"])
        assert "result" not in shown(quiet)["properties"]


async def test_tabs_are_made_when_they_are_wanted(theme: ThemeController, tmp_path: Path) -> None:
    async with started(theme, tmp_path) as start:
        start.console.open_tools.open("echo")
        page = start.page("echo")
        assert [page.results.result_header.tabs.tabText(tab) for tab in (4, 5, 6)] == ["Wire", "History", "Schema"]
        assert not page.findChildren(WireView)
        assert not page.findChildren(SchemaView)


async def test_what_cannot_be_fetched_is_told_where_the_schema_would_stand(
    qtbot: QtBot, theme: ThemeController
) -> None:
    view = SchemaView("climb")
    qtbot.addWidget(view)
    view.show()
    held = asyncio.Event()

    async def schema_of(name: str, part: SchemaPart, style: SchemaStyle) -> dict[str, Any] | None:
        if style is SchemaStyle.DECLARED:
            return {"type": "object"}
        if style is SchemaStyle.INLINED:
            await held.wait()
        raise ToolCrashError(f"the worker of {name} died")

    scope = TaskScope("test")
    presenter = SchemaPresenter("climb", view, schema_of, scope)
    await until(lambda: shown(view) is not None)
    view.style_box.setCurrentIndex(1)
    (patience,) = view.findChildren(QTimer, options=Qt.FindChildOption.FindDirectChildrenOnly)
    await until(lambda: not patience.isActive())
    assert shown(view) == {"type": "object"}, "what is shown stays until something else is there"
    view.style_box.setCurrentIndex(2)
    await until(lambda: said(view).startswith("The schema cannot be shown. the worker of climb died"))
    assert shown(view) is None
    view.style_box.setCurrentIndex(1)
    await until(lambda: said(view).startswith("Reading the schema"))
    presenter.close()
    await scope.close()


@pytest.mark.parametrize("provider", sorted(PROVIDERS))
def test_every_tool_of_the_catalogue_has_a_report_for_every_provider(provider: str) -> None:
    for made in builtin_tools():
        for strict in (False, True):
            rows = wire_rows(made.card, WireChoice(provider, strict=strict))
            rewritten = wire_rows(made.card, WireChoice(provider, strict=strict, rewrite=True))
            assert made.card.name.split("_")[0] in json.dumps(rows.document)
            assert rewritten.tone == "ok", (made.card.name, rewritten.headline)
            assert rows.can_rewrite or rows.document == rewritten.document
            assert all(row.places for row in rows.rows)


def test_the_report_tells_each_keyword_once_with_its_places_and_what_nobody_can_rewrite() -> None:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {f"p{n}": {"type": "array", "items": {"type": "string"}, "uniqueItems": True} for n in range(20)},
    }
    schema["properties"]["two words"] = {"type": "string"}
    (made,) = resolve_tools([make_tool("take_things", "Take things.", lambda **given: str(given), schema)])
    rows = wire_rows(made.card, WireChoice("gemini", rewrite=True))
    assert (rows.headline, rows.tone) == ("Gemini refuses it", "error")
    told = {row.keyword: row for row in rows.rows}
    assert (told["uniqueItems"].times, len(told["uniqueItems"].places)) == (20, 12)
    assert told["uniqueItems"].word == "Rewritten"
    by_hand = told["two words"]
    assert (by_hand.word, by_hand.tone, by_hand.fix) == ("Refused", "error", fix_words(Fix.BY_HAND))
    assert rows.rows[0].word != "Rewritten", "what is left to do stands first"


def test_a_provider_that_is_not_known_any_more_is_forgotten(qtbot: QtBot, theme: ThemeController) -> None:
    view = WireView("climb", provider_titles(), WireChoice("gone"))
    qtbot.addWidget(view)
    assert view.provider.currentIndex() == 0
