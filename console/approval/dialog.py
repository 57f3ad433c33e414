"""`ApprovalDialog`: one question over the window, answered by mouse or keyboard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QKeyEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QRegion,
    QResizeEvent,
)
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from console.approval.model import ApprovalModel, Countdown, Ending, Estimate, OfferRow, Remembering, TrialRow
from console.approval.review_view import ReviewView
from console.theme import theme_of
from console.widgets import let_through, paint_box
from tools.calls import Advice

_TOP: Final = 92
_LEAST_MARGIN: Final = 24
_SHOW_ALL: Final = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


class ApprovalDialog(QDialog):
    """Hold a `ReviewView` over the window. Open it with `open()`; nothing is allowed before `set_armed`.

    Args:
        model: The question.
        parent: The window it stands over.
        base: The folder that relative paths start from; None for the home folder.

    Signals:
        denied(str, bool): The call shall not run, in the person's words; whether everything it belongs to shall stop.
        allowed(): The call shall run as asked.
        edit_allowed(object): The call shall run with these arguments instead.
        answered(str): The tool's question has this answer.
        arguments_edited(object): The arguments fit their schema and are these now; for whoever knows more about them.
        remember_changed(object): The answer shall be remembered so, a `Remembering`.
        dismissed(): The person has read that the question needs no answer any more.
        more_time_requested(): The question shall stay open for longer.
        all_requested(): All open questions shall be shown, rather than this one alone.
    """

    denied = Signal(str, bool)
    allowed = Signal()
    edit_allowed = Signal(object)
    answered = Signal(str)
    arguments_edited = Signal(object)
    remember_changed = Signal(object)
    dismissed = Signal()
    more_time_requested = Signal()
    all_requested = Signal()

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
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        column.addWidget(self.review)
        self._connect()
        if parent is not None:
            parent.installEventFilter(self)
        self.review.focus_deny()

    def set_armed(self, *, armed: bool) -> None:
        """Let the call be allowed, or not yet."""
        self.review.set_armed(armed=armed)

    def show_countdown(self, countdown: Countdown) -> None:
        """Show how long the question stays open."""
        self.review.show_countdown(countdown)

    def show_position(self, number: int, total: int) -> None:
        """Show how many questions wait."""
        self.review.show_position(number, total)

    def show_objections(self, objections: Mapping[str, str]) -> None:
        """Show what the tool itself finds wrong with the edit.

        Args:
            objections: Sentences by argument; "" stands for all of them together.
        """
        self.review.show_objections(objections)

    @property
    def advice(self) -> Advice:
        """What the caller is told to do if the call is denied."""
        return self.review.advice

    @property
    def whatever(self) -> tuple[str, ...]:
        """The steps of a plan that are agreed to with whatever arguments."""
        return self.review.whatever

    @property
    def remembering(self) -> Remembering:
        """What shall be remembered of the answer."""
        return self.review.remembering

    def show_offers(self, offers: Sequence[OfferRow]) -> None:
        """Show what can be remembered of the answer, narrowest first; nothing offers nothing."""
        self.review.show_offers(offers)

    def show_tested(self, tested: TrialRow | None) -> None:
        """Show what the rule that would be remembered would have done so far; None while nobody knows."""
        self.review.show_tested(tested)

    def show_estimate(self, estimate: Estimate | None) -> None:
        """Show what the call would do, as it is now; None when a dry run found out nothing."""
        self.review.show_estimate(estimate)

    def show_ending(self, ending: Ending) -> None:
        """Say that the question needs no answer any more, and why."""
        self.review.show_ending(ending)

    def activate(self) -> None:
        """Come to the front."""
        self.raise_()
        self.activateWindow()

    def close_now(self) -> None:
        """Close without an answer."""
        self._done = True
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
        """Deny with Esc, show all questions with Ctrl+Shift+P; no key presses an answer that has not the focus."""
        if event.isAutoRepeat():
            return
        if event.key() == Qt.Key.Key_Escape:
            self.reject()
        elif event.key() == Qt.Key.Key_P and event.modifiers() == _SHOW_ALL and self.review.header.position.isVisible():
            self.all_requested.emit()

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
        paint_box(QPainter(self), self.rect(), radius, fill=color.raised, border=color.border_strong)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.parent() and event.type() in {QEvent.Type.Resize, QEvent.Type.Move}:
            self._fit()
        return super().eventFilter(watched, event)

    def _connect(self) -> None:
        review = self.review
        review.denied.connect(self.denied)
        review.allowed.connect(self.allowed)
        review.edit_allowed.connect(self.edit_allowed)
        review.answered.connect(self.answered)
        review.arguments_edited.connect(self.arguments_edited)
        review.remember_changed.connect(self.remember_changed)
        review.dismissed.connect(self.dismissed)
        review.more_time_requested.connect(self.more_time_requested)
        review.all_requested.connect(self.all_requested)
        review.height_changed.connect(self._fit)

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
