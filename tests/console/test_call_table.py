"""The table of calls by itself: what it leaves out where there is little room, its keys, its mouse and its words."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QContextMenuEvent, QPaintEvent
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QAbstractItemView, QApplication
from pytestqt.qtbot import QtBot

from console.call_table.model import ROOT, STATUS_ROLE, CallColumn, CallTableModel, Index, runs_of
from console.call_table.painting import CELL_LEFT, GLYPH
from console.call_table.view import CallTableView, TableShape
from console.theme import ThemeController
from console.widgets import STATUS, StatusName, status_of_call
from tools.calls import CallStatus

WIDTHS = {
    CallColumn.TIME: 80,
    CallColumn.TOOL: 100,
    CallColumn.CALLER: 100,
    CallColumn.ARGUMENTS: 200,
    CallColumn.STATUS: 100,
    CallColumn.DURATION: 80,
}
SHAPE = TableShape(WIDTHS, 100, (CallColumn.CALLER, CallColumn.ARGUMENTS), dense=False)
STATUSES: tuple[StatusName, ...] = ("running", "waiting", "success")


class Calls(CallTableModel):
    """Three calls that never change."""

    def rowCount(self, parent: Index = ROOT) -> int:  # noqa: N802 -- overrides Qt
        return 0 if parent.isValid() else len(STATUSES)

    def id_at(self, index: Index) -> str:
        return f"call-{index.row()}"

    def status_at(self, index: Index) -> StatusName:
        return STATUSES[index.row()]

    def words_at(self, index: Index) -> str:
        return f"{CallColumn(index.column()).name.lower()} {index.row()}"

    def tooltip_at(self, index: Index) -> str:
        return f"more of {self.words_at(index)}"


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[ThemeController]:
    controller = ThemeController(qapp, "light")
    yield controller
    qapp.setStyleSheet("")
    controller.deleteLater()


def shown(qtbot: QtBot, shape: TableShape, width: int = 800) -> CallTableView:
    view = CallTableView(Calls(), shape)
    qtbot.addWidget(view)
    view.model().setParent(view)
    view.resize(width, 200)
    with qtbot.waitExposed(view):
        view.show()
    return view


def columns(view: CallTableView) -> list[CallColumn]:
    return [column for column in CallColumn if not view.isColumnHidden(column)]


@given(st.sets(st.integers(0, 40)))
def test_places_that_stand_together_are_joined(places: set[int]) -> None:
    runs = runs_of(sorted(places))

    assert [place for first, last in runs for place in range(first, last + 1)] == sorted(places)
    assert all(end + 1 < start for (_, end), (start, _) in pairwise(runs))


def test_a_run_of_changed_rows_is_told_once(qapp: QApplication) -> None:
    model = Calls()
    told = QSignalSpy(model.dataChanged)

    model.tell_changed([0, 1], CallColumn.STATUS)
    model.tell_changed([0, 2])

    corners = [(told.at(place)[0], told.at(place)[1]) for place in range(told.count())]
    assert [(first.row(), first.column(), last.row(), last.column()) for first, last in corners] == [
        (0, CallColumn.STATUS, 1, CallColumn.DURATION),
        (0, CallColumn.TIME, 0, CallColumn.DURATION),
        (2, CallColumn.TIME, 2, CallColumn.DURATION),
    ]


def test_a_model_gives_words_more_words_and_the_status(qapp: QApplication) -> None:
    model = Calls()
    cell = model.index(1, CallColumn.TOOL)

    assert (cell.data(), cell.data(Qt.ItemDataRole.ToolTipRole)) == ("tool 1", "more of tool 1")
    assert cell.data(STATUS_ROLE) == "waiting"
    assert cell.data(Qt.ItemDataRole.DecorationRole) is None
    assert model.data(QModelIndex()) is None
    assert (model.columnCount(), model.columnCount(cell)) == (6, 0)
    heads = [model.headerData(column, Qt.Orientation.Horizontal) for column in CallColumn]
    assert heads == ["Time", "Tool", "Caller", "Arguments", "Status", "Duration"]
    assert model.headerData(0, Qt.Orientation.Vertical) is None


def test_columns_give_way_one_after_the_other(qtbot: QtBot, theme: ThemeController) -> None:
    view = shown(qtbot, SHAPE)
    assert columns(view) == list(CallColumn)

    view.resize(500, 200)
    assert columns(view) == [column for column in CallColumn if column is not CallColumn.CALLER]
    view.resize(400, 200)
    assert columns(view) == [CallColumn.TIME, CallColumn.TOOL, CallColumn.STATUS, CallColumn.DURATION]
    # Nothing is left empty at the right.
    assert view.columnViewportPosition(CallColumn.DURATION) + 80 == view.viewport().width()

    view.resize(800, 200)
    assert columns(view) == list(CallColumn)
    assert (view.columnWidth(CallColumn.STATUS), view.columnWidth(CallColumn.CALLER)) == (100, 100)
    assert view.columnViewportPosition(CallColumn.DURATION) + 80 == view.viewport().width()


def test_a_column_without_a_width_is_never_shown(qtbot: QtBot, theme: ThemeController) -> None:
    widths: dict[CallColumn, int] = {column: width for column, width in WIDTHS.items() if column is not CallColumn.TOOL}
    view = shown(qtbot, SHAPE._replace(widths=widths))

    for width in (800, 400, 800):
        view.resize(width, 200)
        assert CallColumn.TOOL not in columns(view)


def test_dense_rows_are_lower(qtbot: QtBot, theme: ThemeController) -> None:
    roomy, dense = shown(qtbot, SHAPE), shown(qtbot, SHAPE._replace(dense=True))

    assert (roomy.rowHeight(0), dense.rowHeight(0)) == (28, 24)


def test_enter_and_a_double_click_open(qtbot: QtBot, theme: ThemeController) -> None:
    view = shown(qtbot, SHAPE)
    opened = QSignalSpy(view.opened)

    view.setCurrentIndex(QModelIndex())
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert opened.count() == 0
    view.selectRow(1)
    qtbot.keyClick(view, Qt.Key.Key_Return)
    place = view.visualRect(view.model().index(2, CallColumn.STATUS)).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)

    assert [opened.at(number)[0] for number in range(opened.count())] == ["call-1", "call-2"]


def test_the_menu_takes_its_row_into_the_selection_and_keeps_a_larger_one(qtbot: QtBot, theme: ThemeController) -> None:
    view = shown(qtbot, SHAPE)
    view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
    asked = QSignalSpy(view.menu_requested)

    def ask(row: int) -> list[int]:
        place = view.visualRect(view.model().index(row, CallColumn.TOOL)).center()
        on_screen = view.viewport().mapToGlobal(place)
        QApplication.sendEvent(view.viewport(), QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, on_screen))
        told, index = asked.at(asked.count() - 1)
        assert (index.row(), told) == (row, on_screen)
        return sorted(index.row() for index in view.selectionModel().selectedRows())

    assert ask(1) == [1]
    view.selectAll()
    assert ask(2) == [0, 1, 2]

    nowhere = view.viewport().rect().bottomLeft()
    QApplication.sendEvent(view.viewport(), QContextMenuEvent(QContextMenuEvent.Reason.Mouse, nowhere, nowhere))
    assert asked.count() == 2


def test_the_key_for_menus_asks_at_the_current_row(qtbot: QtBot, theme: ThemeController) -> None:
    view = shown(qtbot, SHAPE)
    asked = QSignalSpy(view.menu_requested)
    here = view.viewport().rect().center()

    view.setCurrentIndex(QModelIndex())
    QApplication.sendEvent(view.viewport(), QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, here, here))
    assert asked.count() == 0
    view.selectRow(1)
    QApplication.sendEvent(view.viewport(), QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, here, here))

    place, index = asked.at(0)
    assert index.row() == 1
    assert view.visualRect(index).contains(view.viewport().mapFromGlobal(place))


def test_every_call_has_a_word_of_the_vocabulary() -> None:
    assert all(status_of_call(status) in STATUS for status in CallStatus)
    assert status_of_call(CallStatus.EXECUTED, from_cache=True) == "cached"
    assert status_of_call(CallStatus.FAILED, from_cache=True) == "failed"


def pixels(view: CallTableView, place: int) -> set[str]:
    """Return the colours of a row as it is painted."""
    image = (
        view.viewport()
        .grab(QRect(0, view.rowViewportPosition(place), view.viewport().width(), view.rowHeight(place)))
        .toImage()
    )
    return {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}


def test_rows_are_painted_in_the_colours_of_their_state(qtbot: QtBot, theme: ThemeController) -> None:
    view = shown(qtbot, SHAPE)
    color = theme.theme.color
    selected = {color.selected.name(), color.selected_inactive.name()}

    assert color.divider.name() in pixels(view, 0)
    assert not (selected | {color.hover.name()}) & pixels(view, 0)

    view.selectRow(0)
    assert selected & pixels(view, 0)
    assert not selected & pixels(view, 1)

    QTest.mouseMove(view.viewport(), QPoint(40, view.rowViewportPosition(1) + 5))
    qtbot.waitUntil(lambda: color.hover.name() in pixels(view, 1))
    QApplication.sendEvent(view.viewport(), QEvent(QEvent.Type.Leave))
    assert color.hover.name() not in pixels(view, 1)


def test_nothing_is_painted_below_the_last_row_and_words_are_shortened(qtbot: QtBot, theme: ThemeController) -> None:
    view = shown(qtbot, SHAPE, width=600)
    wide = pixels(view, 2)
    assert len(wide) > 3
    assert view.rowAt(view.viewport().height() - 1) == -1

    view.resize(60, 200)
    assert len(pixels(view, 2)) > 1


def test_only_the_rings_of_running_calls_turn(qtbot: QtBot, theme: ThemeController) -> None:
    view = shown(qtbot, SHAPE)
    painted: list[QRect] = []

    class Watcher(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 -- overrides Qt
            if isinstance(event, QPaintEvent):
                painted.append(event.rect())
            return False

    watcher = Watcher(view)
    view.viewport().installEventFilter(watcher)
    view.repaint_rings()
    left = view.columnViewportPosition(CallColumn.STATUS) + CELL_LEFT
    ring = QRect(left, view.rowViewportPosition(STATUSES.index("running")), GLYPH, view.rowHeight(0))
    qtbot.waitUntil(lambda: painted[-1:] == [ring])
