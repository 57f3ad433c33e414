"""Every page in a small window, also where the screen shows everything larger: no words are cut off."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtWidgets import QAbstractButton, QLabel, QScrollArea, QSplitter, QTabBar, QWidget

from console.theme import ThemeController
from console.widgets import Badge, Button, IconLabel
from tests.console.screens import EVERYWHERE, opened
from tests.console.test_app_console import started

WIDTH, HEIGHT = 1024, 640
SCREEN = QSize(960, 540)
"""What a screen of 1920 × 1080 pixels has where everything is twice as large."""
FRAME = QSize(8, 44)
"""What a window manager and a panel of the desktop take of it."""
ROUNDING = 2


def is_cut(widget: QWidget) -> bool:
    if isinstance(widget, QLabel):
        return not widget.wordWrap() and bool(widget.text()) and widget.width() < widget.sizeHint().width() - ROUNDING
    if isinstance(widget, Badge | IconLabel):
        return widget.width() < widget.sizeHint().width() - ROUNDING
    if isinstance(widget, Button) or (isinstance(widget, QAbstractButton) and widget.text()):
        return widget.width() < widget.minimumSizeHint().width() - ROUNDING
    return False


def can_be_brought_in(widget: QWidget) -> bool:
    """Say whether a widget can be scrolled to, or stands in a panel that waits at the edge of a splitter."""
    inside, parent = widget, widget.parentWidget()
    while parent is not None:
        if isinstance(parent, QScrollArea):
            return True
        if isinstance(parent, QSplitter) and parent.indexOf(inside) >= 0 and not parent.sizes()[parent.indexOf(inside)]:
            return True
        inside, parent = parent, parent.parentWidget()
    return False


def cut_off(window: QWidget) -> list[str]:
    """Return whose words are cut off, and what stands outside of what holds it and cannot be scrolled to."""
    found = []
    for widget in window.findChildren(QWidget):
        if not widget.isVisible() or widget.window() is not window:
            continue
        words = widget.accessibleName() or (widget.text() if isinstance(widget, QLabel | QAbstractButton) else "")
        if is_cut(widget):
            found.append(f"{type(widget).__name__} {words[:40]!r} has {widget.width()} of {widget.sizeHint().width()}")
        is_control = isinstance(widget, QAbstractButton | QTabBar)
        place = QRect(widget.mapTo(window, QPoint()), widget.size())
        if is_control and not can_be_brought_in(widget) and not window.rect().contains(place):
            found.append(f"{type(widget).__name__} {words[:40]!r} stands at {place.getRect()}")
    return found


async def once_calm(window: QWidget) -> list[str]:
    """Return what is cut off once two looks, with a while between, find the same."""
    last = cut_off(window)
    while True:
        await asyncio.sleep(0.05)
        now = cut_off(window)
        if now == last:
            return now
        last = now


# In the usual size `test_screen_reader` looks.
@pytest.mark.skipif("QT_SCALE_FACTOR" not in os.environ, reason="runs in the process that the test below starts")
async def test_nothing_is_cut_off_in_a_small_window(theme: ThemeController, tmp_path: Path) -> None:
    wrong = {}
    async with started(theme, tmp_path) as start:
        start.console.window.resize(SCREEN - FRAME if os.environ["QT_SCALE_FACTOR"] == "2" else QSize(WIDTH, HEIGHT))
        for name in EVERYWHERE:
            async with opened(start, name) as shown:
                if cut := await once_calm(shown):
                    wrong[name] = cut
        assert start.console.window.minimumSizeHint().height() <= (SCREEN - FRAME).height()
    assert wrong == {}


@pytest.mark.skipif("QT_SCALE_FACTOR" in os.environ, reason="this is the process that is started below")
@pytest.mark.parametrize("factor", ["1.5", "2"])
def test_nothing_is_cut_off_where_everything_is_larger(factor: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__],
        env={**os.environ, "QT_SCALE_FACTOR": factor},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout
