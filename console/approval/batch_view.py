"""Several questions about one tool with their arguments in one table, and one decision about all of them."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLineEdit, QWidget

from console.approval.parts_view import ALLOW_KEYS, DENY_KEYS, LABEL_WIDTH, AnswerHints, CellsTable, small_heading
from console.approval.queue_rows import QuestionGroup
from console.language import tr
from console.widgets import Button, IconLabel, TextLabel, hbox, set_surface, vbox

_PADDING: Final = 20
_RETURN_KEYS: Final = {Qt.Key.Key_Return, Qt.Key.Key_Enter}


class GroupReviewView(QWidget):
    """Ask about several calls of one tool at once; nothing is allowed before `set_armed`.

    Signals:
        denied(str, bool): None of the calls shall run, in the person's words; whether their runs shall stop.
        dropped(): They shall be decided one by one after all.
    """

    denied = Signal(str, bool)
    dropped = Signal()

    def __init__(self, batch: QuestionGroup, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._batch = batch
        count = len(batch.cells)
        self.setAccessibleName(tr("{count} calls of {tool}", count=count, tool=batch.tool))
        set_surface(self, "surface")
        column = vbox(self, margins=(_PADDING, 16, _PADDING, 16))
        head = QHBoxLayout()
        title = TextLabel(tr("{count} calls of {tool}", count=count, tool=batch.tool), "title")
        one_by_one = Button(tr("Decide one by one"), kind="ghost", shortcut_hint="Esc")
        one_by_one.clicked.connect(self.dropped)
        head.addWidget(title)
        head.addStretch(1)
        head.addWidget(one_by_one)
        column.addLayout(head)
        column.addWidget(TextLabel(batch.description, "small", "text2", wrap=True))
        column.addSpacing(12)
        self.table = CellsTable(batch.heads, batch.cells, tr("Arguments"), code=range(1, len(batch.heads)))
        self.table.setObjectName("batchArguments")
        column.addWidget(self.table, 1)
        column.addSpacing(16)
        self.reason = QLineEdit()
        self.reason.setAccessibleName(tr("Reason"))
        self.reason.setPlaceholderText(tr("Optional. Sent to every caller if you deny"))
        row = hbox()
        label = small_heading(tr("Reason"))
        label.setFixedWidth(LABEL_WIDTH)
        row.addWidget(label)
        row.addWidget(self.reason, 1)
        column.addLayout(row)
        column.addSpacing(16)
        column.addLayout(self._make_answers(count))
        self.set_armed(armed=False)

    def _make_answers(self, count: int) -> QHBoxLayout:
        row = hbox(spacing=8)
        self.deny = Button(tr("Deny all {count}", count=count), icon="x", shortcut_hint=DENY_KEYS, large=True)
        self.stop = Button(tr("Deny all && stop the runs"), kind="danger", icon="circle-x", large=True)
        self.allow = Button(
            tr("Allow all {count}", count=count), kind="primary", icon="check", shortcut_hint=ALLOW_KEYS, large=True
        )
        self._hints = AnswerHints(self, self.deny, self.allow)
        self.deny.clicked.connect(self._on_deny_clicked)
        self.stop.clicked.connect(self._on_stop_clicked)
        row.addWidget(self.deny)
        row.addWidget(self.stop)
        row.addStretch(1)
        if self._batch.why_not:
            row.addWidget(IconLabel("info", self._batch.why_not, "small", "text2"))
        row.addWidget(self.allow)
        return row

    def set_armed(self, *, armed: bool) -> None:
        """Let the calls be allowed, or not yet."""
        self.allow.setEnabled(armed and not self._batch.why_not)
        self.allow.setToolTip(self._batch.why_not)

    def choose_deny(self) -> None:
        """Move to the answer that allows nothing; Enter then presses it."""
        self.deny.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._hints.choose(self.deny)

    def focus_allow(self) -> None:
        """Move to the answer that allows all; Enter then presses it."""
        if self.allow.isEnabled():
            self.allow.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self._hints.choose(self.allow)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Press the focused answer with Enter."""
        focused = QApplication.focusWidget()
        if event.key() in _RETURN_KEYS and focused is self.reason:
            self.choose_deny()
        elif event.key() in _RETURN_KEYS and isinstance(focused, Button) and self.isAncestorOf(focused):
            focused.click()
        else:
            super().keyPressEvent(event)

    def _on_deny_clicked(self) -> None:
        self.denied.emit(self.reason.text().strip(), False)

    def _on_stop_clicked(self) -> None:
        self.denied.emit(self.reason.text().strip(), True)
