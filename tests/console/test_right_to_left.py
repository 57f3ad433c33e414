"""A window laid out from right to left: its places are mirrored, words and code are not."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QImage, qGray
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from console.json_view import JsonTreeView, TextView
from console.schema_form.field_row import FieldMessage
from console.theme import ThemeController, text_direction
from console.widgets import Badge, DocumentTabBar, ElidedLabel, IconLabel, SearchField, TextLabel
from console.window import MainWindow
from tests.console.screens import PAGES, TOOLS, show_page, show_tool
from tests.console.test_app_console import Start, started

RIGHT_TO_LEFT = Qt.LayoutDirection.RightToLeft
PATIENCE = 25
MARGIN = 48
"""Room for icons is mirrored when a bar is made, not later."""
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


def places(window: QWidget) -> dict[tuple[str, str], QRect]:
    """Return where the fixed parts of a window stand, by kind and name; what stands in code is left out."""
    found: dict[tuple[str, str], QRect] = {}
    twice = set()
    for widget in window.findChildren(QWidget):
        is_fixed = isinstance(widget, Badge | IconLabel | QTabBar | QAbstractButton)
        if not widget.isVisible() or not is_fixed or widget.width() < 1:
            continue
        words = widget.text() if isinstance(widget, QAbstractButton) else ""
        name = (type(widget).__name__, widget.accessibleName() or words)
        twice |= {name} & found.keys()
        found[name] = QRect(widget.mapTo(window, QPoint()), widget.size())
    return {name: place for name, place in found.items() if name not in twice}


def parts(window: MainWindow) -> tuple[QWidget, ...]:
    """Return what is mirrored when the direction changes; a window puts its rail and its panels when it is made."""
    return window.top_bar, window.pages, window.status_bar


async def calm_places(window: MainWindow) -> list[dict[tuple[str, str], QRect]]:
    """Return where things stand once they stay there for two looks."""
    last: list[dict[tuple[str, str], QRect]] = []
    while True:
        await asyncio.sleep(0.05)
        now = [places(part) for part in parts(window)]
        if now == last:
            return now
        last = now


def not_mirrored(window: QWidget, before: dict[tuple[str, str], QRect]) -> list[str]:
    after = places(window)
    width = window.width()
    return [
        f"{name}: {before[name].getRect()} {place.getRect()}"
        for name, place in after.items()
        if name in before and abs(width - before[name].right() - 1 - place.x()) > MARGIN
    ]


async def shown(start: Start, name: str) -> QWidget:
    kind, _, which = name.partition(" ")
    return await (show_page(start, which) if kind == "page" else show_tool(start, which))


async def test_every_page_is_the_mirror_of_itself_and_code_is_not(
    qapp: QApplication, theme: ThemeController, tmp_path: Path
) -> None:
    screens = (*(f"page {key}" for key in PAGES), *(f"tool {name}" for name in TOOLS))
    async with started(theme, tmp_path) as start:
        window = start.console.window
        window.resize(1280, 800)
        before = {}
        for name in TOOLS:
            await show_tool(start, name)
        for name in screens:
            await shown(start, name)
            before[name] = await calm_places(window)
        qapp.setLayoutDirection(RIGHT_TO_LEFT)
        try:
            wrong = {}
            for name in screens:
                await shown(start, name)
                assert sum(map(len, before[name])) > 10
                for _ in range(PATIENCE):
                    odd = [not_mirrored(*pair) for pair in zip(parts(window), before[name], strict=True)]
                    if not any(odd):
                        break
                    await asyncio.sleep(0.05)
                else:
                    wrong[name] = [place for part in odd for place in part]
                window.grab()
            code = [view for kind in (JsonTreeView, TextView) for view in window.findChildren(kind)]
            assert [view for view in code if view.isRightToLeft()] == []
            assert wrong == {}
        finally:
            qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
