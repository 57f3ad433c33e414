"""The table of a plan paints its rows itself: what is seen, what is selected or under the pointer, what turns."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QCursor, QImage, QPaintEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from console.batch.model import PlanModel
from console.batch.rows import PlanColumn, StepFacts, WrittenStep
from console.batch.table_view import PlanTableView
from console.theme import Theme, theme_of
from console.widgets import spinner_clock
from tools.batch import RowCounts, StepState

COUNT = 200


class Paints(QObject):
    """Note which parts of a widget are painted."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[QRect] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 -- Qt's name
        del watched
        if isinstance(event, QPaintEvent):
            self.parts.append(event.rect())
        return False


@pytest.fixture
def table(qtbot: QtBot) -> Iterator[PlanTableView]:
    model = PlanModel()
    model.show_plan([WrittenStep(number, f"step_{number}", "fetch", "url=1") for number in range(1, COUNT + 1)])
    table = PlanTableView(model)
    qtbot.addWidget(table)
    table.resize(1000, 400)
    table.show()
    qtbot.waitExposed(table)
    yield table
    spinner_clock().set_turning(table.viewport(), turning=False, repaint=table._repaint_rings)


def steps(table: PlanTableView) -> PlanModel:
    model = table.model()
    assert isinstance(model, PlanModel)
    return model


def theme(table: PlanTableView) -> Theme:
    return theme_of(table)


def picture(table: PlanTableView) -> QImage:
    return table.viewport().grab().toImage().convertToFormat(QImage.Format.Format_RGB32)


def rect(table: PlanTableView, row: int, column: PlanColumn) -> QRect:
    return table.visualRect(steps(table).index(row, column))


def colors(image: QImage, part: QRect) -> set[int]:
    return {
        image.pixel(x, y) for x in range(part.left(), part.right() + 1) for y in range(part.top(), part.bottom() + 1)
    }


def ground(table: PlanTableView, row: int) -> str:
    corner = rect(table, row, PlanColumn.STEP).topLeft() + QPoint(2, 2)
    return picture(table).pixelColor(corner).name()


def test_a_row_shows_how_it_ended_and_what_is_wrong_with_it(table: PlanTableView) -> None:
    before = picture(table)
    failed = StepFacts("step_2", StepState.FAILED, elapsed_s=1.0, error="no", rows=RowCounts(3, 1, 2))
    steps(table).take({"step_2": failed, "step_3": StepFacts("step_3", StepState.DONE)}, None)
    after = picture(table)
    status = theme(table).status
    bar = rect(table, 1, PlanColumn.PROGRESS)
    assert status.error.fill.rgb() in colors(after, bar)
    assert status.ok.fill.rgb() in colors(after, rect(table, 2, PlanColumn.PROGRESS))
    assert after.copy(rect(table, 0, PlanColumn.RESULT)) == before.copy(rect(table, 0, PlanColumn.RESULT))
    tool = rect(table, 4, PlanColumn.TOOL)
    assert status.error.fill.rgb() not in colors(picture(table), tool)
    steps(table).show_cell_problems({4: {PlanColumn.TOOL: "no tool is called so"}})
    assert status.error.fill.rgb() in colors(picture(table), tool)


def test_the_selected_row_and_the_one_under_the_pointer_stand_out_whole(table: PlanTableView) -> None:
    color = theme(table).color
    table.choose("step_3")
    active = color.selected if table.isActiveWindow() else color.selected_inactive
    assert ground(table, 2) == active.name()
    QTest.mouseMove(table.viewport(), rect(table, 5, PlanColumn.RESULT).center())
    assert ground(table, 5) == color.hover.name()
    QTest.mouseMove(table.viewport(), rect(table, 6, PlanColumn.NUMBER).center())
    assert ground(table, 5) != color.hover.name()
    QCursor.setPos(table.viewport().mapToGlobal(rect(table, 6, PlanColumn.NUMBER).center()))
    table.verticalScrollBar().setValue(2 * table.rowHeight(0))
    assert ground(table, 8) == color.hover.name()
    assert ground(table, 6) != color.hover.name()
    table.verticalScrollBar().setValue(0)
    QApplication.sendEvent(table.viewport(), QEvent(QEvent.Type.Leave))
    assert ground(table, 6) != color.hover.name()


def test_rows_out_of_sight_cost_no_painting_and_a_ring_only_its_own_place(qtbot: QtBot, table: PlanTableView) -> None:
    model = steps(table)
    model.take({"step_180": StepFacts("step_180", StepState.RUNNING)}, 0.0)
    paints = Paints()
    # What is still to be painted of the window as it came up is painted now.
    table.repaint()
    table.viewport().installEventFilter(paints)
    model.take({"step_150": StepFacts("step_150", StepState.DONE)}, None)
    table._repaint_rings()
    model.take({"step_4": StepFacts("step_4", StepState.RUNNING)}, 0.0)
    row = (rect(table, 3, PlanColumn.STATUS) | rect(table, 3, PlanColumn.RESULT)).adjusted(-1, -1, 1, 1)
    qtbot.waitUntil(lambda: bool(paints.parts))
    assert all(row.contains(part) for part in paints.parts)
    paints.parts.clear()
    table._repaint_rings()
    qtbot.waitUntil(lambda: bool(paints.parts))
    status = rect(table, 3, PlanColumn.STATUS)
    assert all(status.contains(part) for part in paints.parts)


def test_a_part_looks_as_in_the_whole(table: PlanTableView) -> None:
    table.verticalScrollBar().setValue(333)
    whole = picture(table)
    part = QRect(200, 90, 300, 60)
    seen = table.viewport().grab(part).toImage().convertToFormat(QImage.Format.Format_RGB32)
    assert seen == whole.copy(part)


def test_only_what_is_there_is_painted(qtbot: QtBot) -> None:
    table = PlanTableView(PlanModel())
    qtbot.addWidget(table)
    table.resize(600, 200)
    assert len(colors(picture(table), QRect(0, 0, 400, 100))) == 1
    table.setFocus(Qt.FocusReason.OtherFocusReason)
    steps(table).show_plan([WrittenStep(1, "only", "fetch")])
    assert len(colors(picture(table), QRect(0, 0, 400, 28))) > 1
    assert len(colors(picture(table), QRect(0, 60, 400, 40))) == 1
