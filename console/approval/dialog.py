"""`ApprovalDialog`: one question over the window, answered by mouse or keyboard."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QKeyEvent, QPainterPath, QPaintEvent, QRegion, QResizeEvent
from PySide6.QtWidgets import QDialog, QWidget

from console.approval.model import ApprovalModel
from console.approval.review_view import ReviewView
from console.theme import painter_of, theme_of
from console.widgets import let_through, paint_box, vbox

_TOP: Final = 92
_LEAST_MARGIN: Final = 24
_SHOW_ALL: Final = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


class ApprovalDialog(QDialog):
    """Hold a `ReviewView` over the window. Open it with `open_soon()`; nothing is allowed before `set_armed`.

    Args:
        base: The folder that relative paths start from; None for the home folder.

    Attributes:
        review: The question, and the signals of what a person wants of it.
    """

    def __init__(self, model: ApprovalModel, parent: QWidget | None = None, *, base: Path | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Dialog | Qt.WindowType.FramelessWindowHint)
        self._done = False
        self.setObjectName("approvalDialog")
        self.setWindowTitle(f"{model.tool_name} {model.title}")
        self.setAccessibleName(f"{model.tool_name} {model.title}")
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._is_round = let_through(self)
        self.review = ReviewView(model, base, parent=self)
        column = vbox(self, margins=(1, 1, 1, 1))
        column.addWidget(self.review)
        self.review.height_changed.connect(self._fit)
        if parent is not None:
            parent.installEventFilter(self)
        self.review.focus_deny()
        self._opening = QTimer(self, singleShot=True, interval=0)
        self._opening.timeout.connect(self.open)

    def open_soon(self) -> None:
        """Open in the next turn of the event loop: to be made and shown at once would hold the window up."""
        self._opening.start()

    def activate(self) -> None:
        self.raise_()
        self.activateWindow()

    def close_now(self) -> None:
        self._done = True
        self._opening.stop()
        self.close()

    def reject(self) -> None:
        """Deny; once the question needs no answer any more, only close."""
        self.review.deny()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Deny if somebody closes the window from outside."""
        if self._done:
            event.accept()
            return
        event.ignore()
        self.reject()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Deny with Esc, decide later with Ctrl+Shift+P; no key presses an answer that has not the focus."""
        if event.isAutoRepeat():
            return
        if event.key() == Qt.Key.Key_Escape:
            self.reject()
        elif event.key() == Qt.Key.Key_P and event.modifiers() == _SHOW_ALL and self.review.header.position.isVisible():
            self.review.all_requested.emit()

    def sizeHint(self) -> QSize:
        """Return the design's width, and the height that shows everything."""
        width = theme_of(self).size.dialog_width
        # Two for the frame; one more, for at 150% a window is cut to whole pixels of the screen.
        return QSize(width, self.review.height_for(width - 2) + 3)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cut the corners round where the desktop blends nothing."""
        super().resizeEvent(event)
        outline = QPainterPath()
        radius = theme_of(self).radius.large
        outline.addRoundedRect(QRectF(self.rect()), radius, radius)
        self.setMask(QRegion(outline.toFillPolygon().toPolygon()))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        color = theme.color
        radius = theme.radius.large if self._is_round else 0
        paint_box(painter_of(self), self.rect(), radius, fill=color.raised, border=color.border_strong)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.parent() and event.type() in {QEvent.Type.Resize, QEvent.Type.Move}:
            self._fit()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        """Take the height that shows everything, as far as the window below has room, and stand over it."""
        hint = self.sizeHint()
        parent = self.parentWidget()
        area = self.screen().availableGeometry() if parent is None else QRect(_origin(parent), parent.size())
        height = min(hint.height(), area.height() - 2 * _LEAST_MARGIN)
        top = max(_LEAST_MARGIN, min(_TOP, (area.height() - height) // 2))
        left = (area.width() - hint.width()) // 2
        self.setFixedWidth(hint.width())
        self.setGeometry(area.x() + left, area.y() + top, hint.width(), height)


def _origin(window: QWidget) -> QPoint:
    return window.mapToGlobal(QPoint(0, 0))
