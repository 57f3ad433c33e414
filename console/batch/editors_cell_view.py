"""The field in which a cell of the plan is written, over the cell, with what is wrong below it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QStringListModel, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLineEdit, QTableView, QWidget

from console.theme import theme_of
from console.widgets import Completer, TextLabel, paint_box

_ENOUGH: Final = 280
"""Logical pixels that a field is wide at least: a cell may be narrower than what is written into it."""

_MOST_SHOWN: Final = 10
_NO_END: Final = {Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason}
"""Why the focus goes without the person having done with the field."""


class _Said(QWidget):
    """What is wrong, on a small card below the field."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.label = TextLabel("", "small", "error", wrap=True, parent=self)
        self.hide()

    def show_words(self, words: str, place: QPoint, width: int) -> None:
        self.label.setText(words)
        self.label.setGeometry(8, 4, width - 16, self.label.heightForWidth(width - 16))
        self.setGeometry(place.x(), place.y(), width, self.label.height() + 8)
        self.setVisible(bool(words))
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = QPainter(self)
        paint_box(painter, self.rect(), 6, fill=theme.color.raised, border=theme.status.error.border)


class CellEditor(QLineEdit):
    """Let the person write one cell of a table; it stays open while what is written is refused.

    Args:
        table: The table.
        index: The cell.
        name: What the cell is called for people who hear it.
        text: What stands there.
        choices: What can be chosen there; empty where anything can be written.
        code: Whether the code face is used.

    Signals:
        committed(str): Let this stand in the cell.
        left(int): The person goes to the next cell that can be written (1), or to the one before (-1).
        cancelled: Nothing shall change.
    """

    committed = Signal(str)
    left = Signal(int)
    cancelled = Signal()

    def __init__(
        self,
        table: QTableView,
        index: QModelIndex,
        *,
        name: str,
        text: str,
        choices: Sequence[str] = (),
        code: bool = False,
    ) -> None:
        super().__init__(table.viewport())
        self._table = table
        self._index = QPersistentModelIndex(index)
        self._said = _Said(table.viewport())
        self._before = text
        self._is_over = False
        self.setAccessibleName(name)
        self.setObjectName("cellEditor")
        self.setText(text)
        if code:
            self.setFont(theme_of(self).font("code"))
        if choices:
            self._complete(choices)
        self.textEdited.connect(self._on_text_edited)
        self.follow()
        self.show()
        self.selectAll()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _complete(self, choices: Sequence[str]) -> None:
        completer = Completer(QStringListModel(list(choices), self), self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setMaxVisibleItems(_MOST_SHOWN)
        popup = completer.popup()
        if popup is not None:
            popup.setProperty("popup", True)
        self.setCompleter(completer)

    @property
    def index(self) -> QPersistentModelIndex:
        """The cell; no valid one when it is gone."""
        return self._index

    def follow(self) -> None:
        """Stand over the cell."""
        cell = self._table.visualRect(self._index)
        room = self._table.viewport().width()
        width = min(max(cell.width(), _ENOUGH), room)
        self.setGeometry(min(cell.x(), room - width), cell.y() - 1, width, cell.height() + 1)
        if not self._said.isHidden():
            self.refuse(self._said.label.text())

    def refuse(self, words: str) -> None:
        """Say why what is written cannot stand there; the person goes on writing."""
        self.setProperty("error", bool(words))
        self.style().polish(self)
        self.setAccessibleDescription(words)
        below = self.geometry().bottomLeft() + QPoint(0, 2)
        self._said.show_words(words, below, self.width())
        if words and self._said.geometry().bottom() > self._table.viewport().height():
            self._said.move(self.x(), self.y() - self._said.height() - 2)

    def finish(self) -> None:
        """Leave."""
        self._is_over = True
        self._said.hide()
        self._said.deleteLater()
        had_focus = self.hasFocus()
        self.hide()
        self.deleteLater()
        if had_focus:
            self._table.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def is_changed(self) -> bool:
        """Whether something else stands in the field than at first."""
        return self.text() != self._before

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Commit with Enter, go on with Tab, give up with Esc."""
        match event.key():
            case Qt.Key.Key_Escape:
                self.cancelled.emit()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self.committed.emit(self.text())
            case Qt.Key.Key_Up | Qt.Key.Key_Down:
                event.accept()
            case _:
                super().keyPressEvent(event)

    def focusNextPrevChild(self, next_one: bool) -> bool:
        """Go to the next cell, not to the next widget."""
        self.left.emit(1 if next_one else -1)
        return True

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Commit when the person goes elsewhere."""
        super().focusOutEvent(event)
        if self._is_over or event.reason() in _NO_END:
            return
        if self.is_changed:
            self.committed.emit(self.text())
        else:
            self.cancelled.emit()

    def _on_text_edited(self) -> None:
        self.refuse("")
