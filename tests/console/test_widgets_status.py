from collections.abc import Iterator
from typing import get_args

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from console.theme import load_theme
from console.widgets import (
    STATUS,
    StatusGlyph,
    StatusName,
    motion_ms,
    paint_latency_bars,
    paint_status,
    set_reduced_motion,
    spinner_clock,
    status_color,
)
from tests.console.shipped_icons import icon_names

THEME = load_theme("light")


@pytest.fixture
def still() -> Iterator[None]:
    set_reduced_motion(reduced=True)
    yield
    set_reduced_motion(reduced=False)


def _painted(status: str, turn: float = 0.0) -> QImage:
    image = QImage(32, 32, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    paint_status(painter, QRect(0, 0, 32, 32), status, THEME, turn=turn)
    painter.end()
    return image


def test_the_table_is_whole() -> None:
    assert set(STATUS) == set(get_args(StatusName))
    drawn = {"circle", "hollow circle", "triangle", "cross square", "ring"}
    assert {status.shape for status in STATUS.values()} <= drawn | icon_names()


def test_words_are_unique_and_sentence_case() -> None:
    words = [status.word for status in STATUS.values()]
    assert len(set(words)) == len(words)
    assert all(word == word.capitalize() for word in words)


def test_grey_still_tells_endings_apart(qapp: QApplication) -> None:
    endings = ("success", "failed", "denied", "cancelled", "timed_out", "aborted", "rejected", "running", "waiting")
    shapes = {status: STATUS[status].shape for status in endings}
    assert len(set(shapes.values())) == len(endings)


def test_each_status_is_painted_in_its_tone(qapp: QApplication) -> None:
    for status in STATUS.values():
        image = _painted(status.name)
        colors = {image.pixelColor(x, y).name() for x in range(32) for y in range(32) if image.pixelColor(x, y).alpha()}
        assert THEME.tone(status.tone).fill.name() in colors, status.name
        assert status_color(status.name, THEME) == THEME.tone(status.tone).text


def test_the_ring_turns(qapp: QApplication) -> None:
    assert _painted("running", 0.0) != _painted("running", 0.25)
    assert _painted("running", 0.0) == _painted("running", 1.0)


def test_a_glyph_says_its_word(qtbot: QtBot) -> None:
    glyph = StatusGlyph("up", 10)
    qtbot.addWidget(glyph)
    assert (glyph.accessibleName(), glyph.toolTip()) == ("Up", "Up")
    glyph.set_status("down", "no answer since 14:02")
    assert glyph.status == "down"
    assert glyph.toolTip() == "Down: no answer since 14:02"
    assert glyph.sizeHint().width() == 10


def _runs() -> bool:
    return spinner_clock().is_active


def test_the_clock_runs_only_while_a_ring_is_seen(qtbot: QtBot) -> None:
    clock = spinner_clock()
    glyph = StatusGlyph("running", 14)
    qtbot.addWidget(glyph)
    assert not _runs()
    glyph.show()
    assert _runs()
    assert spinner_clock() is clock
    with qtbot.waitSignal(clock.ticked):
        pass
    glyph.set_status("success")
    assert not _runs()
    glyph.set_status("running")
    assert _runs()
    glyph.hide()
    assert not _runs()


def test_a_widget_that_ends_while_it_turns_is_forgotten(qapp: QApplication) -> None:
    clock = spinner_clock()
    parent = QWidget()
    view = QWidget(parent)
    clock.set_turning(view, turning=True)
    clock.set_turning(view, turning=True)
    assert _runs()
    parent.deleteLater()
    qapp.sendPostedEvents(None, 52)  # QEvent.DeferredDelete
    assert not _runs()


def test_nothing_moves_when_less_motion_is_wanted(qtbot: QtBot, still: None) -> None:
    glyph = StatusGlyph("running", 14)
    qtbot.addWidget(glyph)
    glyph.show()
    assert not spinner_clock().is_active
    assert spinner_clock().turn == 0.0
    assert motion_ms(120) == 0


def test_latency_is_three_bars_in_grey(qapp: QApplication) -> None:
    image = QImage(16, 16, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.white)
    blank = image.copy()
    painter = QPainter(image)
    paint_latency_bars(painter, image.rect(), None, THEME)
    assert image == blank
    paint_latency_bars(painter, image.rect(), "medium", THEME)
    painter.end()
    bottom = [image.pixelColor(x, 13).name() for x in (4, 9, 14)]
    assert bottom == [THEME.color.text3.name()] * 2 + [THEME.color.border_strong.name()]
