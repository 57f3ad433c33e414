"""What charts paint by themselves: sparklines, the histogram of the drawer, and the head of a card."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QTransform
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget
from pytestqt.qtbot import QtBot

from console.charts import Histogram, paint_sparkline
from console.charts.card import CardValue, ChartCard, Readout
from console.charts.time_plot import PlotFrame
from console.charts.tool_plots import Curves, LatencyPlot
from console.theme import ThemeController, load_theme
from console.widgets import TextLabel

Mask = NDArray[np.bool_]
INK = QColor("#c01840")
WIDE, HIGH = 84, 28
VALUES = [CardValue("p50", "P50", "661 ms"), CardValue("p95", "P95", "2.61 s"), CardValue("p99", "P99", "3.02 s")]


def inked(image: QImage, color: QColor, slack: int = 60) -> Mask:
    """Return which pixels have about this color, by row and column."""
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    found = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)[:, :, :3]
    wanted = np.array([color.blue(), color.green(), color.red()], dtype=int)
    close: Mask = (np.abs(found.astype(int) - wanted) <= slack).all(axis=2)
    return close


def columns_of(pixels: Mask) -> Mask:
    """Return which columns have any such pixel."""
    found: Mask = np.logical_or.reduce(pixels, axis=0)
    return found


def rows_of(pixels: Mask) -> Mask:
    """Return which rows have any such pixel."""
    found: Mask = np.logical_or.reduce(pixels, axis=1)
    return found


def sparkline(numbers: list[float | None]) -> Mask:
    image = QImage(WIDE, HIGH, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    paint_sparkline(painter, QRectF(0, 0, WIDE, HIGH), numbers, INK)
    painter.end()
    return inked(image, INK)


def of(widget: QWidget, color: QColor, slack: int = 0) -> Mask:
    return inked(widget.grab().toImage(), color, slack)


def test_a_sparkline_goes_from_the_left_to_the_right_and_ends_in_a_dot() -> None:
    found = sparkline([1, 2, 3, 2, 4])
    assert columns_of(found)[3:-3].all()
    assert found[:, -6:].sum() > 12
    assert found[:6, -6:].any()
    assert found[-6:, :6].any()


def test_nothing_known_paints_nothing_and_equal_numbers_stand_at_the_bottom() -> None:
    assert not sparkline([]).any()
    assert not sparkline([None, None]).any()
    rows = rows_of(sparkline([7.0] * 9))
    assert not rows[: HIGH // 2].any()
    assert rows[-6:].any()


def test_a_gap_stays_empty_and_a_number_between_gaps_is_a_dot() -> None:
    columns = columns_of(sparkline([1, 2, None, None, 3, None, None, 4, 5]))
    place = (WIDE - 4.5) / 8
    assert not columns[round(2.25 + place * 1.5) : round(2.25 + place * 3.5)].any()
    assert columns[round(2.25 + place * 4)]
    assert not columns[round(2.25 + place * 4.5) : round(2.25 + place * 6.5)].any()


def test_bars_above_the_limit_are_amber_and_the_others_grey(qtbot: QtBot) -> None:
    histogram = Histogram()
    qtbot.addWidget(histogram)
    histogram.resize(264, 72)
    theme = load_theme("light")
    amber, grey, red = theme.status.warn.fill, theme.color.border_strong, theme.plot_line["threshold"].color
    histogram.show_counts([0, 4, 8, 4, 2, 2, 1, 0], 4000, 2000)
    above = columns_of(of(histogram, amber))
    below = columns_of(of(histogram, grey))
    assert not above[:132].any()
    assert above[133:225].any()
    assert not below[132:].any()
    assert below[34:131].any()
    assert of(histogram, red)[:, 131:134].sum() > 10
    assert histogram.accessibleName() == "21 runs up to 4.00 s, the limit is 2.00 s"
    # The highest bar is as high as there is room for, half as many runs are half as high.
    heights = of(histogram, grey).sum(axis=0)
    assert heights[66 + 10] == pytest.approx(2 * heights[33 + 10], abs=1)
    histogram.show_counts([0, 4, 8, 4, 2, 2, 1, 0], 4000, 9000)
    assert not of(histogram, amber).any()
    histogram.show_counts([0, 4, 8, 4, 2, 2, 1, 0], 4000, None)
    assert not of(histogram, red).any()


def test_no_runs_are_said_to_be_none(qtbot: QtBot) -> None:
    histogram = Histogram()
    qtbot.addWidget(histogram)
    histogram.resize(264, 72)
    assert histogram.accessibleName() == "No runs"
    histogram.show_counts([0, 0, 0], 300, 100)
    assert histogram.accessibleName() == "No runs"
    assert of(histogram, load_theme("light").color.text3, 80).any()


def test_a_head_leaves_out_the_moment_first_then_the_samples_then_the_first_values(qtbot: QtBot) -> None:
    readout = Readout()
    qtbot.addWidget(readout)
    readout.show_readings("at 14:19", VALUES)
    curve, whole, least = load_theme("light").plot.s1, readout.sizeHint().width(), readout.least_width
    assert least < whole
    shown = {}
    for width in (whole, whole - 1, least, least - 1, 20):
        readout.resize(width, 20)
        shown[width] = (of(readout, curve, 60).sum() > 0, of(readout, load_theme("light").color.text, 60).sum())
        assert readout.toolTip() == ("" if width == whole else "at 14:19, P50 661 ms, P95 2.61 s, P99 3.02 s")
    assert [sample for sample, _ in shown.values()] == [True, True, False, False, False]
    inks = [ink for _, ink in shown.values()]
    assert inks[2] > inks[3] > inks[4] == 0


def test_a_card_says_whose_numbers_these_are_where_there_is_room(qtbot: QtBot) -> None:
    card = ChartCard("Latency", head=32)
    qtbot.addWidget(card)
    card.set_subject("download_file")
    card.show_readings("now", VALUES)
    subject = next(child for child in card.findChildren(QWidget) if child.accessibleName() == "download_file")
    card.resize(700, 240)
    card.show()
    assert subject.isVisible()
    card.resize(280, 240)
    assert not subject.isVisible()
    card.set_subject("a_tool_with_a_rather_long_name_of_its_own")
    card.resize(560, 240)
    assert subject.isVisible()
    assert card.readout.width() >= card.readout.sizeHint().width() > card.readout.least_width
    assert subject.toolTip() == "a_tool_with_a_rather_long_name_of_its_own"


def test_a_title_gives_way_to_the_values_and_is_told_of_as_a_tooltip(qtbot: QtBot) -> None:
    card = ChartCard("Calls")
    qtbot.addWidget(card)
    card.resize(500, 120)
    card.set_title("Calls per minute", "Calls")
    card.show_readings("", [CardValue(caller, caller, "") for caller in ("agent", "batch", "you", "failed")])
    (title,) = card.findChildren(TextLabel)
    assert (title.text(), title.toolTip(), card.title) == ("Calls per minute", "", "Calls per minute")
    card.resize(card.readout.least_width + 90, 120)
    card.show()
    assert (title.text(), title.toolTip(), card.title) == ("Calls", "Calls per minute", "Calls per minute")


def test_a_card_without_a_plot_says_why(qtbot: QtBot) -> None:
    card = ChartCard("Latency")
    qtbot.addWidget(card)
    card.resize(400, 200)
    ink = load_theme("light").color.text3
    before = of(card, ink, 60)[40:].sum()
    card.show_notice("Loading")
    assert of(card, ink, 60)[40:].sum() > before
    card.set_plot(QWidget())
    assert of(card, ink, 60)[40:].sum() == before


def test_curves_without_room_are_left_out(theme: ThemeController) -> None:
    # An error in what Qt paints would end the program, not be told.
    curves = Curves()
    curves.show_curves([[(0.0, 1.0), (1.0, 2.0)]])
    curves.fit(0.0, 1.0, 1)
    curves.setTransform(QTransform.fromScale(0, 1))
    image = QImage(WIDE, HIGH, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    curves.paint(painter, QStyleOptionGraphicsItem())
    painter.end()
    assert not inked(image, QColor(Qt.GlobalColor.black)).any()


def test_a_plot_without_room_tells_its_begin_of_any_place(theme: ThemeController) -> None:
    plot = LatencyPlot()
    plot.show_frame(PlotFrame(60.0, 120.0, 10))
    plot.resize(0, 0)
    assert plot.moment_at(plot.area.left()) in {None, 60.0}
    plot.deleteLater()
