"""The strip that tells of a failed step, where there is room and where there is little."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from console.batch.progress_view import FailureStrip
from console.batch.rows import StepFailure

TOLD = StepFailure(
    "read", "failed", "Step 9, read.", "There is no column 'refunded_at'.", "Step 12 waits for this one."
)


@pytest.fixture
def page(qtbot: QtBot) -> QWidget:
    """Return a strip below something else."""
    page = QWidget()
    qtbot.addWidget(page)
    column = QVBoxLayout(page)
    column.setContentsMargins(0, 0, 0, 0)
    column.addWidget(QWidget(), 1)
    strip = FailureStrip()
    column.addWidget(strip)
    strip.show_failure(TOLD)
    page.resize(900, 400)
    page.show()
    return page


def is_beside(strip: FailureStrip) -> bool:
    return strip.buttons["edit"].geometry().top() < strip._why.geometry().bottom()


def settled(strip: FailureStrip, *, beside: bool) -> bool:
    return is_beside(strip) is beside and strip.height() == strip.sizeHint().height()


def test_every_button_is_whole_however_narrow_the_plan_is(qtbot: QtBot, page: QWidget) -> None:
    strip = page.findChild(FailureStrip)
    assert strip is not None
    heights = []
    for width, beside in ((900, True), (420, False), (900, True)):
        page.resize(width, 400)
        qtbot.waitUntil(partial(settled, strip, beside=beside))
        for button in strip.buttons.values():
            assert button.width() >= button.sizeHint().width()
            assert strip.rect().contains(button.geometry())
            assert not button.geometry().intersects(strip._why.geometry())
        heights.append(strip.height())
    assert heights[1] > heights[0] == heights[2]
