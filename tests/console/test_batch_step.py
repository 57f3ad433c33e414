"""The panel that shows one step."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from console.batch.rows import StepFacts, StepRow, WrittenStep
from console.batch.step_view import RESULT, ROWS, FailedRowsModel, StepView
from tools.batch import StepState


def row(name: str, *, has_rows: bool) -> StepRow:
    return StepRow(WrittenStep(1, name, "calculate", has_rows=has_rows), StepFacts(name, StepState.DONE))


def test_the_tab_of_the_rows_stands_beside_the_others_however_often_it_is_told(qtbot: QtBot) -> None:
    panel = StepView(FailedRowsModel())
    qtbot.addWidget(panel)
    panel.resize(500, 400)
    panel.show_row(row("alone", has_rows=False))
    panel.show()
    panel.tabs.tabRect(RESULT)
    assert not panel.tabs.isTabVisible(ROWS)
    panel.show_row(row("each", has_rows=True))
    panel.show_row(row("each", has_rows=True))
    assert panel.tabs.tabRect(ROWS).left() >= panel.tabs.tabRect(RESULT).right()
