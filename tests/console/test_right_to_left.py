"""A window laid out from right to left: its places are mirrored, words and code are not."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QImage, QPainter, QPixmap, qGray
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLabel,
    QPlainTextEdit,
    QStyle,
    QStyleFactory,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from console.json_view import JsonTreeView, TextView
from console.schema_form.field_row import FieldMessage
from console.theme import ThemeController, directed, text_direction
from console.theme.mirroring import MirroredStyle
from console.widgets import Badge, DocumentTabBar, ElidedLabel, IconLabel, Menu, SearchField, TextLabel
from tests.console.screens import EVERYWHERE, TOOLS, opened, show_tool
from tests.console.test_app_console import started
from tests.console.test_small_window import HEIGHT, ROUNDING, WIDTH, once_calm

PATIENCE = 200
RIGHT_TO_LEFT = Qt.LayoutDirection.RightToLeft
SENTENCE = "Nothing to read here. (really)"


@pytest.fixture
def right_to_left(qapp: QApplication, theme: ThemeController) -> Iterator[None]:
    qapp.setLayoutDirection(RIGHT_TO_LEFT)
    yield
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def inked(widget: QWidget) -> list[float]:
    """Return how much ink stands in each column of a widget, without what is empty around it."""
    image = widget.grab().toImage().convertToFormat(QImage.Format.Format_Grayscale8)
    ground = qGray(image.pixel(0, 0))
    rows = range(image.height())
    ink = [sum(abs(qGray(image.pixel(x, y)) - ground) for y in rows) / 255 for x in range(image.width())]
    across = [x for x, amount in enumerate(ink) if amount > 0]
    return ink[across[0] : across[-1] + 1]


def unlike(one: list[float], other: list[float]) -> float:
    """Return how far two words differ in ink, as a share; letters that begin between two pixels differ a little."""
    return sum(abs(a - b) for a, b in zip(accumulate(one), accumulate(other), strict=False)) / sum(accumulate(one))


def gap_at_left(widget: QWidget) -> int:
    image = widget.grab().toImage()
    ground = image.pixel(0, 0)
    columns = range(image.width())
    return next(x for x in columns if any(image.pixel(x, y) != ground for y in range(image.height())))


@pytest.mark.parametrize("kind", [TextLabel, ElidedLabel])
def test_words_stand_at_the_right_and_read_as_ever(
    qapp: QApplication, theme: ThemeController, qtbot: QtBot, kind: type[TextLabel | ElidedLabel]
) -> None:
    def label() -> QWidget:
        made = kind(SENTENCE)
        made.resize(400, 20)
        qtbot.addWidget(made)
        return made

    plain = label()
    wanted, left = inked(plain), gap_at_left(plain)
    qapp.setLayoutDirection(RIGHT_TO_LEFT)
    try:
        mirrored = label()
        assert unlike(wanted, inked(mirrored)) < 0.02 < unlike(wanted, inked(mirrored)[::-1])
        assert gap_at_left(mirrored) > left + 100
    finally:
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def test_a_text_is_read_as_its_first_letter_says() -> None:
    assert text_direction("3 tools") is Qt.LayoutDirection.LeftToRight
    assert text_direction("(3) שלום, world") is RIGHT_TO_LEFT
    assert text_direction("...") is Qt.LayoutDirection.LeftToRight


def test_signs_at_the_ends_of_words_stay_where_they_are(right_to_left: None) -> None:
    mark = "\u200e"
    assert [directed(words) for words in ("Open…", "Ctrl+,", "(3) tools")] == [
        f"{mark}{words}{mark}" for words in ("Open…", "Ctrl+,", "(3) tools")
    ]
    assert [directed(words) for words in ("Open", "שלום…", "")] == ["Open", "שלום…", ""]


def test_a_menu_paints_dots_behind_its_words_and_keys_as_they_are_pressed(
    qapp: QApplication, theme: ThemeController, qtbot: QtBot
) -> None:
    def row_of(word: str) -> list[float]:
        menu = Menu("Menu")
        qtbot.addWidget(menu)
        menu.addAction(word)
        menu.ensurePolished()
        menu.resize(menu.sizeHint())
        picture = menu.grab(menu.actionGeometry(menu.actions()[0]).adjusted(4, 4, -4, -4))
        label = QLabel()
        qtbot.addWidget(label)
        label.setPixmap(picture)
        return inked(label)

    wanted = row_of("Settings…")
    qapp.setLayoutDirection(RIGHT_TO_LEFT)
    try:
        assert unlike(wanted, row_of("Settings…")) < 0.02 < unlike(wanted, row_of("…Settings"))
    finally:
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def test_lists_and_boxes_paint_dots_behind_their_words(qapp: QApplication, qtbot: QtBot) -> None:
    def painted(style: QStyle) -> list[float]:
        label, picture = QLabel(), QPixmap(200, 24)
        qtbot.addWidget(label)
        picture.fill(Qt.GlobalColor.white)
        painter = QPainter(picture)
        painter.setLayoutDirection(qapp.layoutDirection())
        style.drawItemText(painter, picture.rect(), Qt.AlignmentFlag.AlignCenter, label.palette(), True, "Check…")
        painter.end()
        label.setPixmap(picture)
        return inked(label)

    fusion = QStyleFactory.create("Fusion")
    wanted = painted(fusion)
    qapp.setLayoutDirection(RIGHT_TO_LEFT)
    try:
        assert unlike(wanted, painted(MirroredStyle())) < 0.02 < unlike(wanted, painted(fusion))
    finally:
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def test_a_click_meets_what_is_painted(right_to_left: None, qtbot: QtBot) -> None:
    tabs = DocumentTabBar()
    qtbot.addWidget(tabs)
    tabs.add_document("one", "one")
    tabs.add_document("two", "two")
    tabs.resize(400, 36)
    tabs.show()
    cross = tabs.close_rect(1)
    assert cross.center().x() < tabs.tabRect(1).center().x()
    with qtbot.waitSignal(tabs.close_requested) as asked:
        QTest.mouseClick(tabs, Qt.MouseButton.LeftButton, pos=cross.center())
    assert asked.args == ["two"]

    field = SearchField("Find")
    qtbot.addWidget(field)
    field.resize(200, 28)
    field.setText("word")
    field.show()
    clear = field.childAt(QPoint(15, 14))
    assert clear is not None
    QTest.mouseClick(clear, Qt.MouseButton.LeftButton, pos=QPoint(8, 12))
    assert field.text() == ""


def test_what_is_wrong_with_a_field_stands_beside_its_icon(
    right_to_left: None, theme: ThemeController, qtbot: QtBot
) -> None:
    message = FieldMessage()
    qtbot.addWidget(message)
    message.show_text(SENTENCE)
    message.resize(400, 24)
    (words,) = message.findChildren(TextLabel)
    icon = QRect(message.width() - 14, 5, 14, 14)
    assert not words.geometry().intersects(icon)


def is_fixed(widget: QWidget, window: QWidget) -> bool:
    """Say whether a widget stands in what is read from left to right by everybody, such as code."""
    inside: QWidget | None = widget
    while inside is not None and inside is not window:
        if inside.testAttribute(Qt.WidgetAttribute.WA_SetLayoutDirection):
            return True
        inside = inside.parentWidget()
    return False


def places(window: QWidget) -> dict[tuple[str, str], QRect]:
    """Return where the parts of a window stand that have a name of their own."""
    found: dict[tuple[str, str], QRect] = {}
    twice = set()
    for widget in window.findChildren(QWidget):
        has_place = isinstance(widget, Badge | IconLabel | QTabBar | QAbstractButton)
        if not widget.isVisible() or not has_place or widget.width() < 1 or is_fixed(widget, window):
            continue
        place = QRect(widget.mapTo(window, QPoint()), widget.size())
        if not window.rect().intersects(place):
            # A panel that is folded waits somewhere outside.
            continue
        words = widget.text() if isinstance(widget, QAbstractButton) else ""
        name = (type(widget).__name__, widget.accessibleName() or words)
        twice |= {name} & found.keys()
        found[name] = place
    return {name: place for name, place in found.items() if name not in twice}


class Walk:
    """What all screens of a program look like that was started in one direction."""

    def __init__(self) -> None:
        self.widths: dict[str, int] = {}
        self.places: dict[str, dict[tuple[str, str], QRect]] = {}
        self.cut: dict[str, list[str]] = {}
        self.turned: set[str] = set()

    async def go(self, theme: ThemeController, home: Path, mirror_of: Walk | None = None) -> None:
        async with started(theme, home) as start:
            start.console.window.resize(WIDTH, HEIGHT)
            # All tools are counted then.
            await show_tool(start, TOOLS[0])
            for name in EVERYWHERE:
                async with opened(start, name) as shown:
                    cut = await once_calm(shown)
                    for _ in range(PATIENCE):
                        self.widths[name], self.places[name] = shown.width(), places(shown)
                        if mirror_of is None or not not_mirrored(mirror_of, self, name):
                            break
                        await asyncio.sleep(0.05)
                    if cut:
                        self.cut[name] = cut
                    code = [view for kind in (JsonTreeView, TextView) for view in shown.findChildren(kind)]
                    self.turned |= {type(view).__name__ for view in code if view.isRightToLeft()}
                    hints = {field: field.placeholderText() for field in shown.findChildren(QPlainTextEdit)}
                    self.turned |= {
                        hint for field, hint in hints.items() if field.isRightToLeft() and directed(hint) != hint
                    }
                    shown.grab()


def not_mirrored(one: Walk, other: Walk, name: str) -> list[str]:
    width, before = one.widths[name], one.places[name]
    return [
        f"{part}: {before[part].getRect()} of {width}, {place.getRect()} of {other.widths[name]}"
        for part, place in other.places[name].items()
        if part in before and abs(width - before[part].right() - 1 - place.x()) > ROUNDING
    ]


async def test_every_screen_is_the_mirror_of_itself_with_nothing_cut_and_code_is_not(
    qapp: QApplication, theme: ThemeController, tmp_path: Path
) -> None:
    plain, mirrored = Walk(), Walk()
    await plain.go(theme, tmp_path / "plain")
    qapp.setLayoutDirection(RIGHT_TO_LEFT)
    try:
        await mirrored.go(theme, tmp_path / "mirrored", plain)
    finally:
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    wrong = {name: not_mirrored(plain, mirrored, name) for name in EVERYWHERE}
    assert mirrored.cut == {}
    assert {name: parts for name, parts in wrong.items() if parts} == {}
    assert mirrored.turned == set()
