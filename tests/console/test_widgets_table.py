"""The table by itself: what it leaves out where there is little room, its keys, its mouse and its words."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QObject, QPersistentModelIndex, QPoint, QRect, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QPaintEvent
from PySide6.QtTest import QAbstractItemModelTester, QSignalSpy, QTest
from PySide6.QtWidgets import QAbstractItemView, QApplication
from pytestqt.qtbot import QtBot

from console.theme import ThemeController, load_theme
from console.widgets import (
    CELL_ROLE,
    Cell,
    Column,
    RowOrder,
    StatusName,
    TableModel,
    TableView,
    runs_of,
    spinner_clock,
    status_of_call,
    text_face,
)
from console.widgets import STATUS as STATUS_WORDS
from tools.calls import CallStatus

STATUSES: tuple[StatusName, ...] = ("running", "waiting", "success")
TIME, TOOL, CALLER, ARGUMENTS, STATUS, DURATION = range(6)
COLUMNS = (
    Column("Time", 80),
    Column("Tool", 100),
    Column("Caller", 100, priority=2),
    Column("Arguments", least=100, priority=1),
    Column("Status", 100),
    Column("Duration", 80, is_number=True),
)


def cells_of(row: int) -> tuple[Cell, ...]:
    return tuple(
        Cell(
            f"{column.title.lower()} {row}",
            tip=f"more of {column.title.lower()} {row}",
            status=STATUSES[row] if place == STATUS else None,
        )
        for place, column in enumerate(COLUMNS)
    )


def calls() -> TableModel[int]:
    """List three calls that never change."""
    model = TableModel(COLUMNS, cells_of, "call-{}".format)
    model.show_rows(range(3))
    return model


def shown(qtbot: QtBot, width: int = 800, **shape: Any) -> TableView:
    view = TableView(calls(), "Calls", **shape)
    qtbot.addWidget(view)
    view.model().setParent(view)
    view.resize(width, 200)
    with qtbot.waitExposed(view):
        view.show()
    return view


def columns(view: TableView) -> list[int]:
    return [column for column in range(6) if not view.isColumnHidden(column)]


@given(st.sets(st.integers(0, 40)))
def test_places_that_stand_together_are_joined(places: set[int]) -> None:
    runs = runs_of(sorted(places))

    assert [place for first, last in runs for place in range(first, last + 1)] == sorted(places)
    assert all(end + 1 < start for (_, end), (start, _) in pairwise(runs))


def test_a_run_of_changed_rows_is_told_once(qapp: QApplication) -> None:
    model = calls()
    told = QSignalSpy(model.dataChanged)

    model.tell_changed([0, 1], STATUS)
    model.tell_changed([0, 2])

    corners = [(told.at(place)[0], told.at(place)[1]) for place in range(told.count())]
    assert [(first.row(), first.column(), last.row(), last.column()) for first, last in corners] == [
        (0, STATUS, 1, DURATION),
        (0, TIME, 0, DURATION),
        (2, TIME, 2, DURATION),
    ]


def test_a_model_gives_words_more_words_and_the_status(qapp: QApplication) -> None:
    model = calls()
    cell = model.index(1, TOOL)

    assert (cell.data(), cell.data(Qt.ItemDataRole.ToolTipRole)) == ("tool 1", "more of tool 1")
    assert model.index(1, STATUS).data(CELL_ROLE).status == "waiting"
    assert cell.data(Qt.ItemDataRole.DecorationRole) is None
    assert model.data(QModelIndex()) is None
    assert (model.columnCount(), model.columnCount(cell)) == (6, 0)
    heads = [model.headerData(column, Qt.Orientation.Horizontal) for column in range(6)]
    assert heads == ["Time", "Tool", "Caller", "Arguments", "Status", "Duration"]
    assert model.headerData(0, Qt.Orientation.Vertical) is None


def test_columns_give_way_one_after_the_other(qtbot: QtBot, theme: ThemeController) -> None:
    view = shown(qtbot)
    assert columns(view) == list(range(6))

    view.resize(500, 200)
    assert columns(view) == [TIME, TOOL, ARGUMENTS, STATUS, DURATION]
    view.resize(400, 200)
    assert columns(view) == [TIME, TOOL, STATUS, DURATION]
    # Nothing is left empty at the right.
    assert view.columnViewportPosition(DURATION) + 80 == view.viewport().width()

    view.resize(800, 200)
    assert columns(view) == list(range(6))
    assert (view.columnWidth(STATUS), view.columnWidth(CALLER)) == (100, 100)
    assert view.columnViewportPosition(DURATION) + 80 == view.viewport().width()


def test_a_column_that_is_left_out_is_never_shown(qtbot: QtBot, theme: ThemeController) -> None:
    view = shown(qtbot, left_out={TOOL})

    for width in (800, 400, 800):
        view.resize(width, 200)
        assert TOOL not in columns(view)


def test_dense_rows_are_lower(qtbot: QtBot, theme: ThemeController) -> None:
    roomy, dense = shown(qtbot), shown(qtbot, dense=True)

    assert (roomy.rowHeight(0), dense.rowHeight(0)) == (28, 24)


def test_enter_and_a_double_click_open(qtbot: QtBot, theme: ThemeController) -> None:
    view = shown(qtbot)
    opened = QSignalSpy(view.opened)

    view.setCurrentIndex(QModelIndex())
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert opened.count() == 0
    view.selectRow(1)
    qtbot.keyClick(view, Qt.Key.Key_Return)
    place = view.visualRect(view.model().index(2, STATUS)).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)

    assert [opened.at(number)[0] for number in range(opened.count())] == ["call-1", "call-2"]


def test_the_menu_takes_its_row_into_the_selection_and_keeps_a_larger_one(qtbot: QtBot, theme: ThemeController) -> None:
    view = shown(qtbot)
    view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
    asked = QSignalSpy(view.menu_requested)

    def ask(row: int) -> list[int]:
        place = view.visualRect(view.model().index(row, TOOL)).center()
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
    view = shown(qtbot)
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
    assert all(status_of_call(status) in STATUS_WORDS for status in CallStatus)
    assert status_of_call(CallStatus.EXECUTED, from_cache=True) == "cached"
    assert status_of_call(CallStatus.FAILED, from_cache=True) == "failed"


def pixels(view: TableView, place: int) -> set[str]:
    """Return the colours of a row as it is painted."""
    image = (
        view.viewport()
        .grab(QRect(0, view.rowViewportPosition(place), view.viewport().width(), view.rowHeight(place)))
        .toImage()
    )
    return {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}


def test_rows_are_painted_in_the_colours_of_their_state(qtbot: QtBot, theme: ThemeController) -> None:
    view = shown(qtbot, many=True)
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
    view = shown(qtbot, width=600)
    wide = pixels(view, 2)
    assert len(wide) > 3
    assert view.rowAt(view.viewport().height() - 1) == -1

    view.resize(60, 200)
    assert len(pixels(view, 2)) > 1


def test_only_the_rings_of_running_calls_turn(qtbot: QtBot, theme: ThemeController) -> None:
    view = shown(qtbot)
    painted: list[QRect] = []

    class Watcher(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 -- overrides Qt
            if isinstance(event, QPaintEvent):
                painted.append(event.rect())
            return False

    watcher = Watcher(view)
    view.viewport().installEventFilter(watcher)
    spinner_clock().ticked.emit()
    left = view.columnViewportPosition(STATUS) + 12
    ring = QRect(left, view.rowViewportPosition(STATUSES.index("running")), 14, view.rowHeight(0))
    qtbot.waitUntil(lambda: painted[-1:] == [ring])
    view.hide()
    assert not spinner_clock().is_active


class Rows:
    """Rows that come, go, change and move, by their numbers."""

    def __init__(self) -> None:
        columns = (Column("Number", sort=lambda row: row[0]), Column("Value", 80, sort=lambda row: row[1]))
        self.model: TableModel[tuple[int, int | None]] = TableModel(columns, self._cells_of, self._key_of)

    def _cells_of(self, row: tuple[int, int | None]) -> tuple[Cell, ...]:
        return Cell(str(row[0])), Cell(str(row[1]))

    def _key_of(self, row: tuple[int, int | None]) -> str:
        return str(row[0])


@given(
    steps=st.lists(st.dictionaries(st.integers(0, 12), st.none() | st.integers(0, 3)), max_size=6),
    order=st.none() | st.builds(RowOrder, st.integers(0, 1), st.booleans()),
)
def test_an_index_follows_its_row_through_every_change(
    qapp: QApplication, steps: list[dict[int, int | None]], order: RowOrder | None
) -> None:
    model = Rows().model
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, model)
    if order is not None:
        model.set_order(order)
    kept: dict[str, QPersistentModelIndex] = {}
    for values in steps:
        model.show_rows(values.items())
        assert model.rows == model.listed(values.items())
        shown_keys = {model.key_at(place) for place in range(model.rowCount())}
        for key, index in kept.items():
            if index.isValid():
                assert index.data() == key
                assert key in shown_keys
        kept = {model.key_at(at): QPersistentModelIndex(model.index(at, 0)) for at in range(model.rowCount())}


def test_what_is_not_known_stands_last_either_way(qapp: QApplication) -> None:
    model = Rows().model
    model.show_rows([(1, None), (2, 5), (3, 7)])
    for descending, numbers in ((False, [2, 3, 1]), (True, [3, 2, 1])):
        model.set_order(RowOrder(1, descending))
        assert [row[0] for row in model.rows] == numbers
    model.narrow(lambda row: row[1] is not None)
    assert [row[0] for row in model.rows] == [3, 2]


def test_a_click_on_the_name_of_a_column_sorts_and_again_the_other_way(qtbot: QtBot, theme: ThemeController) -> None:
    model = Rows().model
    model.show_rows([(1, 5), (2, 7), (3, 6)])
    view = TableView(model, "Rows")
    model.setParent(view)
    qtbot.addWidget(view)
    with qtbot.waitExposed(view):
        view.show()
    assert [row[0] for row in model.rows] == [1, 2, 3]
    head = view.horizontalHeader()
    place = QPoint(head.sectionViewportPosition(1) + 20, head.height() // 2)
    for numbers in ([1, 3, 2], [2, 3, 1]):
        qtbot.mouseClick(head.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert [row[0] for row in model.rows] == numbers
    assert model.headerData(1, Qt.Orientation.Horizontal, Qt.ItemDataRole.AccessibleDescriptionRole) == (
        "sorted, largest first"
    )


def test_selected_rows_are_copied_as_lines(qtbot: QtBot, theme: ThemeController) -> None:
    view = shown(qtbot, many=True)
    view.selectAll()
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QGuiApplication.clipboard().text().split("\n")
    assert len(lines) == 3
    assert lines[1] == "time 1\ttool 1\tcaller 1\targuments 1\tstatus 1\tduration 1"


def test_several_selected_rows_stay_selected_when_all_rows_are_replaced(qtbot: QtBot, theme: ThemeController) -> None:
    model: TableModel[int] = TableModel((Column("Number"),), lambda row: (Cell(str(row)),), str)
    model.show_rows(range(200))
    view = TableView(model, "Numbers", many=True)
    model.setParent(view)
    qtbot.addWidget(view)
    view.choose("3")
    view.selectionModel().select(model.index(5, 0), QItemSelectionModel.SelectionFlag.Select)
    resets = QSignalSpy(model.modelReset)
    model.show_rows(reversed(range(400)))
    model.show_rows([5, *range(0, 400, 3)])
    assert (resets.count(), view.chosen_keys) == (1, ["5", "3"])


def test_a_hundred_thousand_rows_make_only_the_cells_in_sight(qtbot: QtBot, theme: ThemeController) -> None:
    made: list[int] = []

    def cells_of(row: int) -> tuple[Cell, ...]:
        made.append(row)
        return (Cell(str(row)),)

    model: TableModel[int] = TableModel((Column("Number"),), cells_of, str)
    model.show_rows(range(100_000))
    view = TableView(model, "Numbers")
    model.setParent(view)
    qtbot.addWidget(view)
    view.resize(300, 200)
    view.show()
    view.grab()
    assert set(made) <= set(range(20))
    view.choose("99999")
    assert view.chosen_key == "99999"


LONG = "Zeitüberschreitung"


def table_of(*of_columns: Column) -> TableView:
    view = TableView(TableModel(of_columns, lambda _: (), str), "Words")
    view.model().setParent(view)
    return view


def test_a_column_is_as_wide_as_its_name_and_as_each_of_its_samples(theme: ThemeController, qtbot: QtBot) -> None:
    sample = Cell(LONG, "status", status="timed_out")
    view = table_of(Column(LONG, 20), Column("", 20, samples=(sample,)), Column("", 20, is_number=True), Column("Rest"))
    qtbot.addWidget(view)
    room = text_face(load_theme("light").font("small")).advance(LONG)
    assert view.columnWidth(0) > text_face(load_theme("light").font("caption")).advance(LONG)
    assert view.columnWidth(1) > room + 14
    assert view.columnWidth(2) < room


def test_a_column_that_nobody_made_wider_is_kept_as_such(theme: ThemeController, qtbot: QtBot) -> None:
    one, other = (
        table_of(Column("Step", 20), Column("Tool", 90), Column("")),
        table_of(Column(LONG, 20), Column("Tool", 90), Column("")),
    )
    for view in (one, other):
        qtbot.addWidget(view)
    first = other.columnWidth(0)
    one.setColumnWidth(1, 120)
    assert one.widths == (0, 120)
    other.set_widths(one.widths)
    assert (other.columnWidth(0), other.columnWidth(1)) == (first, 120)
