"""The window in a language of long words: neither names of columns nor words of statuses are cut."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QTreeView, QWidget

from console.theme import ThemeController, theme_of
from console.widgets import TableModel, TableView
from tests.console.screens import EVERYWHERE, opened
from tests.console.speaking import LANGUAGE
from tests.console.test_app_console import started
from tests.console.test_small_window import HEIGHT, WIDTH, once_calm

ROOT = Path(__file__).parents[2]
LONG = "de"
SIZES = ((1440, 900), (WIDTH, HEIGHT), (900, 560))
"""The window's usual size on a screen that has room for it, and a small one."""
TIGHT = 12
"""What stands beside the name of a column at least, in logical pixels."""
GLYPH = 16
"""What a sign takes with its gap at least."""


def heads_of(window: QWidget) -> list[tuple[QAbstractItemView, QHeaderView]]:
    """Return tables with their heads, also those that wait for their first row: their columns are as wide then."""
    found: list[tuple[QAbstractItemView, QHeaderView]] = [
        *((table, table.horizontalHeader()) for table in window.findChildren(QTableView)),
        *((tree, tree.header()) for tree in window.findChildren(QTreeView)),
    ]
    return [(table, head) for table, head in found if not head.isHidden() and table.model() is not None]


def cut_names(window: QWidget) -> list[str]:
    """Return the names of columns that have too little room."""
    found = []
    for table, head in heads_of(window):
        metrics = QFontMetrics(theme_of(head).font("caption"))
        for column in range(head.count()):
            name = str(table.model().headerData(column, Qt.Orientation.Horizontal) or "")
            needed, has = metrics.horizontalAdvance(name) + TIGHT, head.sectionSize(column)
            is_free = head.sectionResizeMode(column) is QHeaderView.ResizeMode.Stretch and not head.isVisible()
            if name and not is_free and not head.isSectionHidden(column) and has < needed:
                found.append(f"{table.accessibleName()}: {name!r} has {has} of {needed}")
    return found


def cut_samples(window: QWidget) -> list[str]:
    """Return the words of statuses that have too little room in a table."""
    found = []
    for table in window.findChildren(TableView):
        metrics, model = QFontMetrics(theme_of(table).font("small")), table.model()
        assert isinstance(model, TableModel)
        for place, column in enumerate(model.columns):
            for cell in column.samples:
                glyph = GLYPH if cell.icon or cell.status is not None else 0
                words, has = cell.text or cell.action, table.columnWidth(place)
                needed = metrics.horizontalAdvance(words) + glyph + TIGHT // 2
                if not table.isColumnHidden(place) and has < needed:
                    found.append(f"{table.accessibleName()}: {words!r} has {has} of {needed}")
    return found


def outside(window: QWidget) -> list[str]:
    """Return tables whose last column ends beyond their edge though they cannot be scrolled there."""
    fixed = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
    return [
        f"{table.accessibleName()}: {head.length()} of {head.viewport().width()}"
        for table, head in heads_of(window)
        if head.isVisible() and head.length() > head.viewport().width() and table.horizontalScrollBarPolicy() is fixed
    ]


@pytest.mark.skipif(os.environ.get(LANGUAGE) != LONG, reason="runs in the process that the test below starts")
@pytest.mark.parametrize("size", SIZES)
async def test_no_words_are_cut_where_words_are_long(
    size: tuple[int, int], theme: ThemeController, tmp_path: Path
) -> None:
    wrong = {}
    async with started(theme, tmp_path) as start:
        start.console.window.resize(*size)
        for name in EVERYWHERE:
            async with opened(start, name) as shown:
                cut = [*await once_calm(shown), *cut_names(shown), *cut_samples(shown), *outside(shown)]
                if cut:
                    wrong[name] = cut
    assert wrong == {}


@pytest.mark.skipif(LANGUAGE in os.environ, reason="this is the process that is started below")
def test_german_words_are_not_cut() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "tests.console.speaking", __file__],
        cwd=ROOT,
        env={**os.environ, LANGUAGE: LONG},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout
