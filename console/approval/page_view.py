"""The Approvals page: what waits, the question that is current, and what was decided before."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget

from console.approval.approval_queue import SILENCES, TimeoutPolicy
from console.approval.batch_view import GroupReviewView
from console.approval.decisions_view import DecisionsView
from console.approval.model import ApprovalModel
from console.approval.queue_rows import QuestionGroup
from console.approval.queue_table_model import QueueModel
from console.approval.queue_view import QueueView
from console.approval.review_view import ReviewView
from console.language import tr
from console.widgets import (
    BarFrame,
    Button,
    EmptyState,
    InnerTabBar,
    Menu,
    TextLabel,
    ThinSplitter,
    lead_focus,
    set_surface,
    vbox,
)

_HEAD: Final = 52
_QUEUE_WIDTH: Final = 344
_UPPER_SHARE: Final = 0.67
_NONE: Final = (tr("Nothing waits for you"), tr("Calls that need your approval appear here, whoever makes them."))
PENDING, HISTORY, REMEMBERED = range(3)


class _HeadTabs(InnerTabBar):
    """Tabs as high as the page's head, so that the accent line stands on its edge."""

    def tabSizeHint(self, index: int) -> QSize:
        return QSize(super().tabSizeHint(index).width(), _HEAD)


class ApprovalsView(QWidget):
    """Show open questions, one of them whole, and the decisions of the past.

    Signals:
        stepped(): The person moved to another question, rather than that it moved there by itself.
        pick_requested(str): Pick the question with this id for a decision about several, or let it go.
        unpick_requested(): Let all picked questions go.
        more_time_requested(): Leave the current question open for longer.
        silence_chosen(object): What silence means from now on, a `TimeoutPolicy`.
    """

    shown = Signal()
    hidden = Signal()
    stepped = Signal()
    pick_requested = Signal(str)
    unpick_requested = Signal()
    more_time_requested = Signal()
    silence_chosen = Signal(object)

    def __init__(self, queue: QueueModel, decisions: DecisionsView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("approvals")
        self.setAccessibleName(tr("Approvals"))
        set_surface(self, "surface")
        self._model = queue
        self._base: Path | None = None
        self.review: ReviewView | None = None
        self.batch: GroupReviewView | None = None
        self.queue = QueueView(queue)
        self.decisions = decisions
        self.tabs = _HeadTabs(tr("Approvals"), margin=10)
        self.deny_all = Button(tr("Deny all"), icon="x")
        self.silence = Button("", icon="timer")
        self._silence_menu = Menu(tr("When nobody answers"), self.silence)
        self._silence_actions: dict[TimeoutPolicy, QAction] = {}
        self._build()
        self.show_waiting(0)
        self.show_silence(TimeoutPolicy())
        self.tabs.currentChanged.connect(self._on_tabs_current_changed)
        lead_focus(self, self.queue.list)

    def _build(self) -> None:
        self._splitter = ThinSplitter(Qt.Orientation.Vertical)
        self._splitter.addWidget(self._build_upper())
        self._splitter.addWidget(self.decisions)
        self._splitter.setStretchFactor(0, 2)
        self._splitter.setStretchFactor(1, 1)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._splitter)
        column = vbox(self)
        column.addWidget(self._build_head())
        column.addWidget(self._pages, 1)
        self._is_sized = False

    def _build_head(self) -> BarFrame:
        head = BarFrame(_HEAD, margins=(20, 20))
        head.row.addWidget(TextLabel(tr("Approvals"), "title"))
        head.row.addSpacing(4)
        for text in (tr("Pending"), tr("History")):
            self.tabs.add_tab(text)
        head.row.addWidget(self.tabs)
        head.row.addStretch(1)
        group = QActionGroup(self._silence_menu)
        for silence in SILENCES:
            action = self._silence_menu.addAction(silence.words)
            action.setCheckable(True)
            action.setData(silence)
            group.addAction(action)
            self._silence_actions[silence] = action
        group.triggered.connect(self._on_silence_triggered)
        self.silence.setMenu(self._silence_menu)
        self.silence.setToolTip(tr("What happens to a question that nobody answers, from the next one on"))
        head.row.addWidget(self.deny_all)
        head.row.addWidget(self.silence)
        return head

    def _build_upper(self) -> QWidget:
        self._upper = QStackedWidget()
        self._empty = EmptyState("shield-check", *_NONE)
        across = ThinSplitter(Qt.Orientation.Horizontal)
        across.addWidget(self.queue)
        self.queue.setMinimumWidth(260)
        self._detail = QStackedWidget()
        set_surface(self._detail, "surface")
        self._no_question = EmptyState(
            "shield-question-mark", tr("No question chosen"), tr("J and K move in the list.")
        )
        self._detail.addWidget(self._no_question)
        across.addWidget(self._detail)
        across.setStretchFactor(0, 0)
        across.setStretchFactor(1, 1)
        across.setSizes([_QUEUE_WIDTH, 2 * _QUEUE_WIDTH])
        self._upper.addWidget(self._empty)
        self._upper.addWidget(across)
        self._across = across
        return self._upper

    def set_base(self, base: Path) -> None:
        """Set the folder that relative paths start from."""
        self._base = base

    def set_remembered(self, page: QWidget) -> None:
        """Put the list of remembered choices behind its tab."""
        self._pages.addWidget(page)
        self.tabs.add_tab(tr("Remembered"))

    def show_waiting(self, count: int) -> None:
        """Say how many questions are open."""
        self.tabs.set_count(PENDING, str(count) if count else "")
        self.deny_all.setEnabled(count > 0)
        self._choose_upper(has_questions=count > 0)

    def show_remembered(self, count: int) -> None:
        self.tabs.set_count(REMEMBERED, str(count) if count else "")

    def show_rules(self) -> None:
        """Show the list of remembered choices."""
        self.tabs.setCurrentIndex(REMEMBERED)

    def show_silence(self, silence: TimeoutPolicy) -> None:
        self.silence.setText(silence.words)
        self.silence.updateGeometry()
        action = self._silence_actions.get(silence)
        if action is not None:
            action.setChecked(True)

    def show_review(self, model: ApprovalModel) -> ReviewView:
        self._clear_detail()
        self.review = ReviewView(model, self._base, in_page=True, parent=self._detail)
        self._show_detail(self.review)
        return self.review

    def show_batch(self, batch: QuestionGroup) -> GroupReviewView:
        self._clear_detail()
        self.batch = GroupReviewView(batch, self._detail)
        self._show_detail(self.batch)
        return self.batch

    def show_nothing(self) -> None:
        self._clear_detail()
        self._detail.setCurrentWidget(self._no_question)
        self._choose_upper(has_questions=self._model.total > 0)

    def show_pending(self, request_id: str = "") -> None:
        """Bring the open questions to the front, and make one of them current."""
        self.tabs.setCurrentIndex(PENDING)
        if request_id:
            self.queue.choose(request_id)
        self.queue.focus_list()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if event.spontaneous():  # the window was only covered or small
            return
        if not self._is_sized:
            self._is_sized = True
            upper = round((self.height() - _HEAD) * _UPPER_SHARE)
            self._splitter.setSizes([upper, self.height() - _HEAD - upper])
            self._across.setSizes([_QUEUE_WIDTH, self.width() - _QUEUE_WIDTH])
        self.shown.emit()
        self.queue.focus_list()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous():
            self.hidden.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move with J and K, go to the answers with A and D, edit with E, pick with X; Esc goes back to the list."""
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if self.tabs.currentIndex() != PENDING:
            super().keyPressEvent(event)
            return
        if modifiers == Qt.KeyboardModifier.ControlModifier and event.key() == Qt.Key.Key_F:
            self.queue.focus_filter()
        elif event.key() == Qt.Key.Key_Escape:
            self._leave()
        elif modifiers or not self._obey(event.key()):
            super().keyPressEvent(event)

    def _obey(self, key: int) -> bool:
        """Do what a letter means, and say whether it means anything."""
        answers = self.batch or self.review
        match key:
            case Qt.Key.Key_J:
                self._step(1)
            case Qt.Key.Key_K:
                self._step(-1)
            case Qt.Key.Key_X:
                if self.queue.current_id:
                    self.pick_requested.emit(self.queue.current_id)
            case Qt.Key.Key_P:
                self.more_time_requested.emit()
            case Qt.Key.Key_Slash:
                self.queue.focus_filter()
            case Qt.Key.Key_E if self.review is not None:
                self.review.focus_edit()
            case Qt.Key.Key_A if answers is not None:
                answers.focus_allow()
            case Qt.Key.Key_D if answers is not None:
                answers.choose_deny()
            case Qt.Key.Key_M if self.review is not None:
                self.review.unfold()
            case _:
                return False
        return True

    def _step(self, by: int) -> None:
        self.stepped.emit()
        self.queue.step(by)
        self.queue.focus_list()

    def _leave(self) -> None:
        """Close what is innermost: a field that has the focus, then the decision about several."""
        if QApplication.focusWidget() is not self.queue.list:
            self.queue.focus_list()
        elif self.batch is not None:
            self.unpick_requested.emit()

    def _choose_upper(self, *, has_questions: bool) -> None:
        """Show the questions, or that there are none; what became of the last one is read first."""
        self._upper.setCurrentWidget(self._across if has_questions or self.review is not None else self._empty)

    def _show_detail(self, detail: QWidget) -> None:
        self._detail.addWidget(detail)
        self._detail.setCurrentWidget(detail)

    def _clear_detail(self) -> None:
        """Let what is shown go, and keep the focus on the page."""
        detail = self.review or self.batch
        self.review = self.batch = None
        if detail is None:
            return
        focused = QApplication.focusWidget()
        if focused is not None and detail.isAncestorOf(focused):
            self.queue.focus_list()
        self._detail.removeWidget(detail)
        detail.hide()
        detail.deleteLater()

    def _on_tabs_current_changed(self, index: int) -> None:
        if index == REMEMBERED:
            self._pages.setCurrentIndex(1)
            return
        self._pages.setCurrentWidget(self._splitter)
        self._upper.setVisible(index == PENDING)
        if index == HISTORY:
            self.decisions.focus_list()
        else:
            self.queue.focus_list()

    def _on_silence_triggered(self, action: QAction) -> None:
        self.silence_chosen.emit(action.data())
