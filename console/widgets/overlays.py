"""What lies over a window: the dimmer and the mark of the focus."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtGui import QPaintEvent, QWindow
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QDialog,
    QLabel,
    QSplitter,
    QStackedWidget,
    QTabBar,
    QWidget,
)
from shiboken6 import isValid

from console.theme import painter_of, theme_of
from console.widgets.painting import paint_focus_ring

_OUTSIDE: Final = 3


class Scrim(QWidget):
    """Dim a window while a question stands over it; it takes clicks away from what it covers and follows the size.

    Args:
        over: The widget to cover, as a rule a window.

    Attributes:
        reasons: What it is there for, if it was laid by `lay`.
    """

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self.reasons: set[QObject] = set()
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.setGeometry(over.rect())
        over.installEventFilter(self)
        self.raise_()

    @classmethod
    def lay(cls, over: QWidget, reason: QObject) -> None:
        """Dim a widget for a reason; several of them dim it once."""
        scrim = cls._over(over) or cls(over)
        scrim.reasons.add(reason)
        scrim.show()

    @classmethod
    def lift(cls, over: QWidget, reason: QObject) -> None:
        """Let a widget be bright again, unless there is another reason."""
        scrim = cls._over(over)
        if scrim is None:
            return
        scrim.reasons.discard(reason)
        if not scrim.reasons:
            scrim.hide()
            scrim.deleteLater()

    @classmethod
    def _over(cls, over: QWidget) -> Scrim | None:
        found = over.findChildren(cls, options=Qt.FindChildOption.FindDirectChildrenOnly)
        return next((scrim for scrim in found if scrim.reasons), None)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize:
            parent = self.parentWidget()
            if parent is not None:
                self.setGeometry(parent.rect())
                self.raise_()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        painter_of(self).fillRect(self.rect(), theme_of(self).color.scrim)


class _Ring(QWidget):
    """The line itself: a child that takes no input and follows what it marks."""

    def __init__(self, target: QWidget, *, outside: bool, radius: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._target = target
        self._outside = outside
        self._radius = radius
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        target.installEventFilter(self)
        self._follow()
        self.show()
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in {QEvent.Type.Resize, QEvent.Type.Move}:
            self._follow()
        elif event.type() in {QEvent.Type.Hide, QEvent.Type.EnabledChange}:
            self.hide()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_focus_ring(painter_of(self), self.rect(), self._radius, theme_of(self))

    def _follow(self) -> None:
        rect = self._target.rect()
        if self._outside:
            rect = QRect(self._target.pos(), rect.size()).adjusted(-_OUTSIDE, -_OUTSIDE, _OUTSIDE, _OUTSIDE)
        self.setGeometry(rect)


class FocusRing(QObject):
    """Mark the widget with the focus, but only for people who move by keyboard.

    Buttons and labels get a 2 px ring outside, fields and views a 2 px inner line. Which of both devices was used last
    is seen at the native windows, where few events pass; watching each event of each widget from Python would cost far
    more.
    A dialog that opens shows its first focus always: what Enter will do must be seen.
    """

    def __init__(self, application: QApplication) -> None:
        super().__init__(application)
        self._by_keyboard = False
        self._ring: _Ring | None = None
        application.focusChanged.connect(self._on_application_focus_changed)

    @property
    def target(self) -> QWidget | None:
        """Give the widget that is marked, None if none is."""
        ring = self._ring
        return ring._target if ring is not None and isValid(ring) and not ring.isHidden() else None  # noqa: SLF001

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind is QEvent.Type.KeyPress:
            self._by_keyboard = True
        elif kind is QEvent.Type.MouseButtonPress:
            self._by_keyboard = False
            self._remove()
        return False

    def _on_application_focus_changed(self, old: QWidget | None, new: QWidget | None) -> None:
        self._remove()
        if new is None:
            return
        # Of a box that Qt made itself, Python forgets the native window together with the last name for the box.
        window = new.window()
        self._watch(window.windowHandle())
        entered_dialog = isinstance(window, QDialog) and (old is None or old.window() is not window)
        if self._by_keyboard or entered_dialog:
            self._mark(new)

    def _watch(self, window: QWindow | None) -> None:
        if window is not None and isValid(window) and not window.property("toolConsoleFocusRing"):
            window.setProperty("toolConsoleFocusRing", True)
            window.installEventFilter(self)

    def _mark(self, target: QWidget) -> None:
        parent = target.parentWidget()
        inline = parent is None or isinstance(parent, QSplitter | QStackedWidget | QAbstractScrollArea)
        # What has no room around its text inside of itself is marked outside.
        if isinstance(target, QAbstractButton | QLabel) and parent is not None and not inline:
            self._ring = _Ring(target, outside=True, radius=8, parent=parent)
        elif target.property("focusRing") != "none":
            square = isinstance(target, QAbstractScrollArea | QTabBar) and target.property("flat") is None
            self._ring = _Ring(target, outside=False, radius=0 if square else 6, parent=target)

    def _remove(self) -> None:
        ring, self._ring = self._ring, None
        if ring is not None and isValid(ring):
            ring.hide()
            ring.deleteLater()
