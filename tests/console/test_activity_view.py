from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QLineEdit, QMenu, QTableView, QWidget
from pytestqt.qtbot import QtBot

from console.activity.model import ActivityModel
from console.activity.rows import ActivityRow, WrittenArguments
from console.activity.view import ActivityView
from console.call_table import CallColumn
from console.theme import ThemeController, load_theme
from console.theme.tokens import ThemeName
from console.widgets import CountPill, EmptyState, SegmentedControl, StatusName

NOON = datetime(2026, 5, 12, 12, 0, 0, tzinfo=UTC)
Found = TypeVar("Found", bound=QWidget)


def clock() -> datetime:
    return NOON + timedelta(seconds=28)


def call(number: int, status: StatusName = "success", **more: Any) -> ActivityRow:
    facts: dict[str, Any] = {
        "given": WrittenArguments(f"limit={number}", f'{{"limit": {number}}}'),
        "status": status,
        "elapsed_s": None if status in {"running", "waiting"} else 0.112,
    }
    return ActivityRow(str(number), NOON, f"tool_{number}", "agent:claude", **(facts | more))


def named(root: QWidget, kind: type[Found], name: str) -> Found:
    found = [widget for widget in root.findChildren(kind) if widget.accessibleName() == name]
    assert len(found) == 1, f"{len(found)} widgets are called {name!r}"
    return found[0]


class Screen:
    def __init__(self, model: ActivityModel, view: ActivityView) -> None:
        self.model = model
        self.view = view
        self.table = named(view, QTableView, "Activity")
        self.shows = named(view, SegmentedControl, "Calls shown")
        self.asked: list[tuple[object, ...]] = []
        for name in ("call_opened", "tool_opened", "stop_requested", "compare_requested", "collapsed"):
            getattr(view, name).connect(self._note(name))

    def _note(self, name: str) -> Callable[..., None]:
        def note(*arguments: object) -> None:
            self.asked.append((name, *arguments))

        return note

    def place(self, row: int, column: CallColumn = CallColumn.TOOL) -> QPoint:
        return self.table.visualRect(self.model.index(row, column)).center()

    def listed(self) -> list[str]:
        return [self.model.index(row, CallColumn.TOOL).data() for row in range(self.model.rowCount())]

    def menu(self, row: int) -> dict[str, QAction]:
        place = self.place(row)
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, self.table.viewport().mapToGlobal(place))
        QApplication.sendEvent(self.table.viewport(), event)
        menu = named(self.view, QMenu, "Call")
        actions = {action.text(): action for action in menu.actions() if not action.isSeparator()}
        menu.close()
        return actions

    def in_sight(self, text: str) -> bool:
        return any(label.text() == text and label.isVisible() for label in self.view.findChildren(QLabel))


@pytest.fixture
def screen(qtbot: QtBot, theme: ThemeController) -> Screen:
    model = ActivityModel(clock)
    view = ActivityView(model)
    qtbot.addWidget(view)
    view.resize(900, 160)
    with qtbot.waitExposed(view):
        view.show()
    return Screen(model, view)


def test_before_the_first_call_it_says_what_will_stand_there(screen: Screen) -> None:
    assert screen.in_sight("No calls yet")
    assert screen.in_sight("Every call shows here, whoever made it: you, an agent or a batch.")
    assert not screen.table.isVisible()
    assert not screen.shows.isVisible()

    screen.model.upsert([call(1)])
    assert screen.table.isVisible()
    assert screen.shows.isVisible()
    assert not screen.in_sight("No calls yet")


def test_the_header_counts(screen: Screen) -> None:
    screen.model.upsert([call(1, "running")])
    screen.view.set_counts(3, 1751)

    assert named(screen.view, CountPill, "3 running").isVisible()
    assert screen.in_sight("1,751 calls in the last hour")
    screen.view.set_counts(0, 1)
    assert screen.in_sight("1 call in the last hour")
    assert not [pill for pill in screen.view.findChildren(CountPill) if pill.isVisible()]


def test_rows_and_head_have_the_heights_of_the_design(screen: Screen) -> None:
    screen.model.upsert([call(1), call(2)])
    size = load_theme("light").size

    assert screen.table.rowHeight(0) == size.row_table_dense
    assert screen.table.horizontalHeader().height() == size.table_header
    assert screen.table.mapTo(screen.view, QPoint(0, 0)).y() == 32


def test_enter_and_a_double_click_open_the_call(qtbot: QtBot, screen: Screen) -> None:
    screen.model.upsert([call(1), call(2)])

    qtbot.mouseClick(screen.table.viewport(), Qt.MouseButton.LeftButton, pos=screen.place(1))
    assert screen.asked == []
    qtbot.mouseDClick(screen.table.viewport(), Qt.MouseButton.LeftButton, pos=screen.place(1))
    qtbot.keyClick(screen.table, Qt.Key.Key_Up)
    qtbot.keyClick(screen.table, Qt.Key.Key_Return)

    assert screen.asked == [("call_opened", "1"), ("call_opened", "2")]


def test_only_calls_of_one_kind_are_shown(qtbot: QtBot, screen: Screen) -> None:
    screen.model.upsert([call(1), call(2, "running"), call(3, "failed")])
    buttons = {button.text(): button for button in screen.shows.findChildren(QAbstractButton)}

    qtbot.mouseClick(buttons["Failed"], Qt.MouseButton.LeftButton)
    assert screen.listed() == ["tool_3"]
    qtbot.mouseClick(buttons["Waiting"], Qt.MouseButton.LeftButton)
    assert screen.in_sight("No call waits for approval")
    assert not screen.table.isVisible()
    qtbot.mouseClick(buttons["All"], Qt.MouseButton.LeftButton)
    assert screen.listed() == ["tool_3", "tool_2", "tool_1"]


def test_words_narrow_the_list_and_closing_the_filter_takes_them_back(qtbot: QtBot, screen: Screen) -> None:
    screen.model.upsert([call(1), call(2)])
    field = named(screen.view, QLineEdit, "Activity filter")
    button = named(screen.view, QAbstractButton, "Filter calls")
    assert not field.isVisible()

    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    qtbot.keyClicks(field, "tool_2")
    assert screen.listed() == ["tool_2"]
    assert field.accessibleDescription() == "1 of 2"
    qtbot.keyClick(field, Qt.Key.Key_Down)
    assert screen.table.currentIndex().row() == 0
    qtbot.keyClicks(field, "x")
    assert screen.in_sight("Nothing matches “tool_2x”")

    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert not field.isVisible()
    assert screen.listed() == ["tool_2", "tool_1"]


def test_new_calls_wait_while_one_reads_further_down(qtbot: QtBot, screen: Screen) -> None:
    screen.model.upsert([call(number) for number in range(50)])
    screen.table.verticalScrollBar().setValue(100)
    top = screen.table.indexAt(QPoint(5, 5)).data(Qt.ItemDataRole.DisplayRole)
    screen.model.upsert([call(number) for number in range(50, 53)])

    assert screen.listed()[0] == "tool_49"
    assert screen.table.verticalScrollBar().value() == 100
    assert screen.table.indexAt(QPoint(5, 5)).data(Qt.ItemDataRole.DisplayRole) == top
    waiting = named(screen.view, QAbstractButton, "Show 3 new calls")
    assert waiting.isVisible()
    assert waiting.text() == "3 new"

    qtbot.mouseClick(waiting, Qt.MouseButton.LeftButton)
    assert screen.listed()[0] == "tool_52"
    assert screen.table.verticalScrollBar().value() == 0
    assert not waiting.isVisible()


def test_scrolling_back_to_the_top_lets_new_calls_in(screen: Screen) -> None:
    screen.model.upsert([call(number) for number in range(50)])
    screen.table.verticalScrollBar().setValue(100)
    screen.model.upsert([call(50)])
    screen.table.verticalScrollBar().setValue(0)

    assert screen.listed()[0] == "tool_50"


def test_the_menu_of_a_call_that_ended(screen: Screen) -> None:
    screen.model.upsert([call(1)])
    actions = screen.menu(0)
    assert list(actions) == ["Open call", "Open tool", "Copy arguments", "Copy row"]

    actions["Open call"].trigger()
    actions["Open tool"].trigger()
    actions["Copy arguments"].trigger()
    assert QGuiApplication.clipboard().text() == '{\n  "limit": 1\n}'
    actions["Copy row"].trigger()
    assert QGuiApplication.clipboard().text().endswith("tool_1\tagent: claude\tlimit=1\tSuccess\t112 ms")
    assert screen.asked == [("call_opened", "1"), ("tool_opened", "tool_1")]


def test_a_call_that_runs_or_waits_can_be_stopped(screen: Screen) -> None:
    screen.model.upsert([call(1, "running"), call(2, "waiting", given=WrittenArguments("limit=2"))])

    screen.menu(1)["Stop"].trigger()
    actions = screen.menu(0)
    actions["Stop"].trigger()

    assert screen.asked == [("stop_requested", "1"), ("stop_requested", "2")]
    assert not actions["Copy arguments"].isEnabled()
    assert "are not kept in this list" in actions["Copy arguments"].toolTip()


def test_the_chevron_closes_it_up_to_the_header(qtbot: QtBot, screen: Screen) -> None:
    screen.model.upsert([call(1, "running")])
    qtbot.waitUntil(lambda: bool(screen.table.viewport().property("toolConsoleTurning")))

    qtbot.mouseClick(named(screen.view, QAbstractButton, "Close Activity"), Qt.MouseButton.LeftButton)
    assert screen.view.is_collapsed
    assert not screen.table.isVisible()
    assert not screen.table.viewport().property("toolConsoleTurning")
    qtbot.mouseClick(named(screen.view, QAbstractButton, "Open Activity"), Qt.MouseButton.LeftButton)
    assert screen.table.isVisible()
    screen.view.set_collapsed(collapsed=False)

    assert screen.asked == [("collapsed", True), ("collapsed", False)]


def test_rings_rest_when_nothing_runs(qtbot: QtBot, screen: Screen) -> None:
    screen.model.upsert([call(1, "running")])
    qtbot.waitUntil(lambda: bool(screen.table.viewport().property("toolConsoleTurning")))

    screen.model.upsert([call(1)])
    qtbot.waitUntil(lambda: not screen.table.viewport().property("toolConsoleTurning"))


@pytest.mark.parametrize("name", ["light", "dark"])
def test_every_status_is_painted_in_its_tone(theme: ThemeController, screen: Screen, name: ThemeName) -> None:
    theme.set_mode(name)
    tokens = load_theme(name)
    screen.view.resize(900, 400)
    tones = {
        "success": "ok",
        "cached": "ok",
        "failed": "error",
        "cancelled": "idle",
        "waiting": "warn",
        "running": "run",
    }
    screen.model.upsert([call(number, status) for number, status in enumerate(tones)])  # type: ignore[arg-type]

    for row, tone in enumerate(reversed(tones.values())):
        cell = screen.table.visualRect(screen.model.index(row, CallColumn.STATUS))
        image = screen.table.viewport().grab(cell).toImage()
        wanted = tokens.tone(tone).text  # type: ignore[arg-type]
        inks = [image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())]
        nearest = min(
            abs(ink.red() - wanted.red()) + abs(ink.green() - wanted.green()) + abs(ink.blue() - wanted.blue())
            for ink in inks
        )
        assert nearest < 40, f"row {row} has no ink of the tone {tone}"


def test_the_empty_state_is_one_of_the_design(screen: Screen) -> None:
    empty = named(
        screen.view, EmptyState, "No calls yet. Every call shows here, whoever made it: you, an agent or a batch."
    )

    assert empty.isVisible()


def test_how_a_call_ended_stays_in_sight_at_every_width(screen: Screen, qtbot: QtBot) -> None:
    screen.model.upsert([call(1)])
    head = screen.table.horizontalHeader()
    for width in (1400, 700, 600, 1400):
        screen.view.resize(width, 200)
        qtbot.waitUntil(lambda: head.length() <= screen.table.viewport().width())

        shown = {column for column in CallColumn if not screen.table.isColumnHidden(column)}
        assert {CallColumn.TOOL, CallColumn.ARGUMENTS, CallColumn.STATUS, CallColumn.DURATION} <= shown
    assert shown == set(CallColumn)


@pytest.mark.parametrize("how", ["click", "menu"])
def test_two_chosen_calls_can_be_compared_the_older_one_first(qtbot: QtBot, screen: Screen, how: str) -> None:
    times = [NOON, NOON + timedelta(seconds=1), NOON + timedelta(seconds=2)]
    screen.model.upsert([call(number)._replace(proposed_at=at) for number, at in enumerate(times, start=1)])
    button = next(found for found in screen.view.findChildren(QAbstractButton) if found.text() == "Compare")
    qtbot.mouseClick(screen.table.viewport(), Qt.MouseButton.LeftButton, pos=screen.place(0))
    assert not button.isVisible()

    qtbot.keyClick(screen.table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert button.isVisible()
    if how == "click":
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    else:
        screen.menu(1)["Compare the two"].trigger()
    assert screen.asked == [("compare_requested", "2", "3")]

    qtbot.keyClick(screen.table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert not button.isVisible()


def test_a_call_that_runs_cannot_be_compared_until_it_ended(qtbot: QtBot, screen: Screen) -> None:
    screen.model.upsert([call(1), call(2, "running")])
    button = next(found for found in screen.view.findChildren(QAbstractButton) if found.text() == "Compare")
    screen.table.selectAll()
    assert not button.isVisible()

    screen.model.upsert([call(2)])
    screen.view.set_counts(0, 2)
    assert button.isVisible()
