"""What a test of the Qt application runs under besides: no screen, no widget and no timer left behind."""

from __future__ import annotations

import asyncio
import gc
import inspect
import os
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import qasync
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTimer
from PySide6.QtGui import QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from console import language
from console.keymap import Keymap, use_keymap
from console.theme import ThemeController
from console.theme.current import set_application_theme

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator

    from pytestqt.qtbot import QtBot

_T = TypeVar("_T")


@pytest.fixture(scope="session", autouse=True)
def no_desktop(strange_home: object) -> Iterator[None]:
    """Keep the person's desktop free of a test's notices."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
        yield


def _top_levels() -> dict[int, QWidget]:
    # The tool tip is one hidden label that Qt keeps for the application.
    return {
        shiboken6.getCppPointer(widget)[0]: widget
        for widget in QApplication.topLevelWidgets()
        if shiboken6.isValid(widget) and widget.objectName() != "qtooltip_label"
    }


def _running_timers() -> dict[int, QTimer]:
    return {
        shiboken6.getCppPointer(found)[0]: found
        for found in gc.get_objects()
        if isinstance(found, QTimer) and shiboken6.isValid(found) and found.isActive()
    }


def _new_ones(widgets: set[int]) -> dict[int, str]:
    """Return the widgets not in this set and the running timers, but those that `gc.freeze` has put out of sight."""
    new = {key: f"widget {widget!r}" for key, widget in _top_levels().items() if key not in widgets}
    new |= {key: f"running timer {timer!r} of {timer.parent()!r}" for key, timer in _running_timers().items()}
    return new


@pytest.fixture(autouse=True)
def collect_here_only() -> Iterator[None]:
    """Keep Python from collecting garbage in another thread: a widget that a tool's thread destroys ends the run."""
    gc.disable()
    yield
    gc.enable()


@pytest.fixture(autouse=True)
def no_qt_leaks(request: pytest.FixtureRequest, qapp: QApplication, no_leaks: None) -> Iterator[None]:
    """Fail a test that leaves a top-level widget or a running timer behind."""
    # Where the last widget of a test is closed, the application must not end the next test's loop.
    qapp.setQuitOnLastWindowClosed(False)
    widgets = set(_top_levels())
    # To look through all objects of the run after each test takes longer than the tests.
    gc.freeze()
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    leaks = _new_ones(widgets)
    gc.unfreeze()
    if leaks:
        gc.collect()  # what only a reference cycle kept alive is no leak
        still_there = _new_ones(widgets)
        leaks = {key: leak for key, leak in leaks.items() if key in still_there}
    if leaks:
        pytest.fail(f"{request.node.name} leaked {', '.join(sorted(leaks.values()))}", pytrace=False)


@pytest.fixture
def german() -> Iterator[None]:
    """Let the window speak German for one test: what is said from then on, not the words of modules."""
    before = language._catalogue
    language.use("de")
    yield
    language._catalogue = before


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[ThemeController]:
    """Give the application the light theme for one test."""
    controller = ThemeController(qapp, "light")
    yield controller
    controller.deleteLater()
    qapp.styleHints().unsetColorScheme()
    qapp.setPalette(QPalette())
    qapp.setStyleSheet("")
    set_application_theme(qapp, None)
    use_keymap(Keymap())


@pytest.fixture(autouse=True)
def no_keys_held(qapp: QApplication) -> Iterator[None]:
    """Let go of Shift and Ctrl, which stay pressed after a test typed a chord, so that the next one chooses a range."""
    yield
    if QApplication.keyboardModifiers() != Qt.KeyboardModifier.NoModifier:
        QTest.keyRelease(QWidget(), Qt.Key.Key_Shift)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Give a test that is a coroutine function Qt's event loop to run in."""
    if isinstance(item, pytest.Function) and inspect.iscoroutinefunction(item.obj):
        item.fixturenames.append("run_in_qt")


@pytest.fixture
def run_in_qt(qapp: QApplication) -> Iterator[Callable[[Coroutine[Any, Any, _T]], _T]]:
    """Return a function that runs a coroutine on Qt's event loop, the loop that presenters run on."""
    with asyncio.Runner(loop_factory=lambda: qasync.QEventLoop(qapp)) as runner:
        yield runner.run


@pytest.fixture
def show(qtbot: QtBot) -> Iterator[Callable[..., QWidget]]:
    """Return a function that shows widgets below each other in a window of their own."""
    kept: list[QWidget] = []

    def show_all(*widgets: QWidget) -> QWidget:
        window = QWidget()
        qtbot.addWidget(window)
        kept.append(window)
        column = QVBoxLayout(window)
        for widget in widgets:
            column.addWidget(widget)
        window.show()
        return window

    yield show_all
    kept.clear()
