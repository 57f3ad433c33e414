"""Tests for what holds for a plan as a whole: `console.batch.parameters_*`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QScrollArea, QSplitter, QWidget
from pytestqt.qtbot import QtBot

from console.batch.document import PlanDocument
from console.batch.editors_step_view import StepSheet
from console.batch.parameters_presenter import (
    PlanSettings,
    SettingsError,
    plan_fields,
    settings_of,
    settings_schema,
    values_schema,
    values_to_keep,
)
from console.batch.parameters_view import SettingsSheet, ValuesDialog, ValuesDialogText
from console.batch.side_view import SidePanel
from console.schema_form import Document
from tools.batch import BatchPlan

PLAN = BatchPlan.model_validate(
    {
        "name": "nightly",
        "parameters": {
            "day": {"type": "string", "description": "Which day"},
            "least": {"type": "integer", "default": 3},
            "tags": {"type": "array", "default": ["a"]},
            "title": {"type": "string", "default": "true"},
        },
        "limits": {"parallelism": 8, "timeout_s": 60, "tools": {"fetch": 2}},
        "on_failure": "stop",
        "steps": [{"id": "a", "tool": "fetch"}],
    }
)


def test_what_a_form_says_of_a_plan_makes_the_same_plan() -> None:
    settings = settings_of(PLAN)

    assert not Document(settings_schema(["fetch"], ["Built-in"]), settings).errors()
    assert BatchPlan.model_validate({**plan_fields(settings), "steps": PLAN.steps}) == PLAN
    assert plan_fields(settings_of(BatchPlan(name="x"))) == {
        "name": "x",
        "description": "",
        "parameters": {},
        "limits": {"parallelism": 4},
        "on_failure": "continue",
        "approve": "step",
    }


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"parameters": [{"name": "a", "type": "string"}, {"name": "a", "type": "string"}]}, "a stands twice"),
        ({"parameters": [{"type": "string"}]}, "One of the parameters has no name"),
        ({"parameters": [{"name": "n", "type": "integer", "default": "x"}]}, "The default of n is no integer"),
        ({"parameters": [{"name": "n", "type": "integer", "default": "true"}]}, "expected an integer as JSON"),
        ({"tools": [{"name": "t", "at_a_time": 1}, {"name": "t", "at_a_time": 2}]}, "t stands twice among the tools"),
    ],
)
def test_what_cannot_hold_is_refused(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        plan_fields({"name": "x", **settings})


def test_values_are_asked_for_by_type_and_kept_while_they_fit() -> None:
    schema = values_schema(PLAN)

    assert schema["required"] == ["day"]
    assert schema["properties"]["least"] == {"type": "integer", "default": 3}
    assert values_to_keep(PLAN, {"day": "x", "least": True, "tags": ["b"], "gone": 1}) == {"day": "x", "tags": ["b"]}


@pytest.fixture
def shown(qtbot: QtBot) -> Iterator[tuple[PlanDocument, SettingsSheet, PlanSettings]]:
    document, sheet = PlanDocument(PLAN), SettingsSheet()
    settings = PlanSettings(document, sheet, sources=lambda _: ["Built-in"])
    qtbot.addWidget(sheet)
    settings.open_sheet()
    yield document, sheet, settings
    settings.close_sheet()
    settings.close()


Shown = tuple[PlanDocument, SettingsSheet, PlanSettings]


def test_limits_are_changed_in_the_sheet(shown: Shown, qtbot: QtBot) -> None:
    document, sheet, _ = shown
    sheet.form.set_value({**sheet.values, "parallelism": 2, "on_failure": "continue"})
    qtbot.keyClick(sheet, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)

    assert document.plan.limits.parallelism == 2
    assert document.plan.steps == PLAN.steps
    document.undo()
    assert document.plan == PLAN
    assert sheet.values["parallelism"] == 8


class Page:
    """A sheet beside something that has the focus before."""

    def __init__(self, qtbot: QtBot) -> None:
        self.document, self.sheet = PlanDocument(PLAN), SettingsSheet()
        self.settings = PlanSettings(self.document, self.sheet, sources=lambda _: ["Built-in"])
        self.page, self.before = QWidget(), QLineEdit()
        row = QHBoxLayout(self.page)
        row.addWidget(self.before)
        row.addWidget(self.sheet)
        self.sheet.hide()
        qtbot.addWidget(self.page)
        self.page.resize(900, 300)
        self.page.show()
        self.page.activateWindow()
        self.before.setFocus()
        qtbot.waitUntil(self.before.hasFocus)

    def has_focus(self, name: str) -> bool:
        editor = self.sheet.form.editor((name,))
        return editor is not None and editor.target.hasFocus()


@pytest.fixture
def page(qtbot: QtBot) -> Iterator[Page]:
    page = Page(qtbot)
    yield page
    page.settings.close_sheet()
    page.settings.close()


def test_an_opened_sheet_takes_the_keys_and_gives_them_back_with_esc(page: Page, qtbot: QtBot) -> None:
    page.settings.open_sheet()
    assert page.has_focus("name")
    field = page.page.focusWidget()
    assert field is not None
    qtbot.keyClicks(field, "x")
    assert page.sheet.is_dirty
    qtbot.keyClick(field, Qt.Key.Key_Escape)

    assert page.sheet.isHidden()
    assert page.before.hasFocus()
    page.settings.open_sheet()
    assert page.sheet.values["name"] == "nightly"


def test_what_was_applied_keeps_the_focus_and_the_place(page: Page, qtbot: QtBot) -> None:
    page.settings.open_sheet()
    page.sheet.form.focus_field(("on_failure",))
    scroll = page.sheet.findChild(QScrollArea)
    assert scroll is not None
    editor = page.sheet.form.editor(("timeout_s",))
    assert editor is not None
    scroll.ensureWidgetVisible(editor.target)
    editor.target.setFocus()
    place = scroll.verticalScrollBar().value()
    assert place
    page.sheet.form.set_value({**page.sheet.values, "timeout_s": 90, "description": ""})
    qtbot.keyClick(editor.target, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)

    assert page.document.plan.limits.timeout_s == 90
    assert not page.sheet.is_dirty
    assert page.has_focus("timeout_s")
    assert scroll.verticalScrollBar().value() == place


@pytest.mark.parametrize("kind", ["step", "settings"])
def test_a_sheet_fits_beside_the_plan_and_is_as_wide_as_it_likes_where_there_is_room(kind: str, qtbot: QtBot) -> None:
    splitter, plan, side = QSplitter(), QWidget(), SidePanel()
    plan.setMinimumWidth(420)
    sheet = StepSheet() if kind == "step" else SettingsSheet()
    for part in (plan, side):
        splitter.addWidget(part)
    side.set_graph(QWidget())
    side.add_sheet(sheet)
    qtbot.addWidget(splitter)
    splitter.resize(851, 400)
    splitter.show()
    splitter.setSizes([600, 251])
    sheet.show()

    assert splitter.width() == 851
    assert sheet.width() + plan.width() + splitter.handleWidth() == 851
    for button in (sheet.cancel, sheet.apply):
        assert sheet.rect().contains(QRect(button.mapTo(sheet, QPoint()), button.size()))
    sheet.hide()
    splitter.resize(1400, 400)
    splitter.setSizes([1200, 200])
    sheet.show()
    assert sheet.width() == sheet.wanted
    splitter.resize(700, 400)
    assert sheet.width() < sheet.wanted
    assert splitter.width() == 700


def test_what_cannot_hold_stays_in_the_sheet(shown: Shown, qtbot: QtBot) -> None:
    document, sheet, _ = shown
    sheet.form.set_value({"name": "x", "parameters": [{"name": "a", "type": "integer", "default": "no"}]})
    qtbot.mouseClick(sheet.apply, Qt.MouseButton.LeftButton)

    assert document.plan == PLAN
    assert sheet.is_dirty


def test_while_it_runs_limits_are_only_read(shown: Shown, qtbot: QtBot) -> None:
    document, sheet, settings = shown
    settings.set_running(running=True)
    sheet.form.set_value({**sheet.values, "parallelism": 2})
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
        qtbot.keyClick(sheet, key, Qt.KeyboardModifier.ControlModifier)

    assert document.plan == PLAN
    assert not sheet.apply.isEnabled()


WORDS = ValuesDialogText("Run nightly", "The plan takes these values.", "Run", "play")


@pytest.fixture
def ask(qtbot: QtBot) -> Iterator[Callable[[dict[str, Any]], ValuesDialog]]:
    window = QWidget()
    qtbot.addWidget(window)
    window.show()

    def open_dialog(values: dict[str, Any]) -> ValuesDialog:
        dialog = ValuesDialog(WORDS, values_schema(PLAN), values, base=Path.cwd(), parent=window)
        dialog.open()
        return dialog

    yield open_dialog
    window.close()


def test_a_run_begins_with_the_values_it_is_given(ask: Callable[[dict[str, Any]], ValuesDialog], qtbot: QtBot) -> None:
    dialog = ask({"day": "monday"})
    given: list[dict[str, Any]] = []
    dialog.given.connect(given.append)
    qtbot.mouseClick(dialog.go, Qt.MouseButton.LeftButton)

    assert given == [{"day": "monday", "least": 3, "tags": ["a"], "title": "true"}]


def test_a_run_waits_for_values_that_are_missing(ask: Callable[[dict[str, Any]], ValuesDialog], qtbot: QtBot) -> None:
    dialog = ask({})
    given: list[dict[str, Any]] = []
    dialog.given.connect(given.append)
    qtbot.mouseClick(dialog.go, Qt.MouseButton.LeftButton)

    assert given == []
    assert dialog.isVisible()
    dialog.reject()
