"""The middle of a question: it scrolls what has no room, and knows how much of it has been on show."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from console.widgets import set_surface

_PADDING: Final = 20


class BodyView(QScrollArea):
    """Scroll what has no room, and wish to be as high as everything in it.

    Args:
        in_page: Whether it stands in a page, which has less room for the same than a dialog of its own.
        parent: Its owner.

    Signals:
        resized(): What is in it needs more or less room than before.
        seen(): More of it has been on show, or other parts of it are.
    """

    resized = Signal()
    seen = Signal()

    def __init__(self, *, in_page: bool, parent: QWidget) -> None:
        super().__init__(parent)
        self._seen_to = 0
        # Not while it is painted: what is shown below it may change its size.
        self._seen_timer = QTimer(self)
        self._seen_timer.setSingleShot(True)
        self._seen_timer.setInterval(0)
        self._seen_timer.timeout.connect(self.seen)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._content = QWidget()
        set_surface(self._content, "surface" if in_page else "raised")
        self.gap = 12 if in_page else 16
        self.column = QVBoxLayout(self._content)
        self.column.setContentsMargins(_PADDING, 4 if in_page else 16, _PADDING, 4 if in_page else 16)
        self.column.setSpacing(0)
        self.setWidget(self._content)
        self._content.installEventFilter(self)
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        self.verticalScrollBar().rangeChanged.connect(self._on_scrolled)

    def wanted_height(self, width: int) -> int:
        """Return the height that shows everything at a width."""
        layout = self.column
        return layout.totalHeightForWidth(width) if layout.hasHeightForWidth() else layout.totalSizeHint().height()

    def has_shown(self, widget: QWidget) -> bool:
        """Return whether a widget in it has been on show down to its end, at one time or another."""
        end = widget.mapTo(self._content, QPoint(0, widget.height())).y()
        return self._seen_to >= min(end, self._content.height())

    def show_more(self) -> None:
        """Scroll on by what is in sight."""
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + bar.pageStep())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take note of what is in sight now."""
        super().resizeEvent(event)
        self._on_scrolled()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the height of the content, and what of it is painted, wherever the scroll bar was moved to."""
        if watched is self._content and event.type() is QEvent.Type.LayoutRequest:
            self.resized.emit()
        elif watched is self._content and event.type() is QEvent.Type.Paint and self._note_seen():
            self._seen_timer.start()
        return super().eventFilter(watched, event)

    def _note_seen(self) -> bool:
        """Return whether more has been on show than before."""
        seen_to = self.verticalScrollBar().value() + self.viewport().height()
        is_more = seen_to > self._seen_to
        self._seen_to = max(seen_to, self._seen_to)
        return is_more

    def _on_scrolled(self) -> None:
        self._note_seen()
        self.seen.emit()
