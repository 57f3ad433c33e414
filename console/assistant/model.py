"""The list of conversations, the newest first, under headings of days."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import Any, Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from console.assistant.rows import ConversationRow, day_words

CONVERSATION_ROLE: Final = Qt.ItemDataRole.UserRole + 1
"""The `ConversationRow` of a row; None for a heading."""


class ConversationModel(QAbstractListModel):
    """List conversations; headings cannot be chosen."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[ConversationRow | str] = []
        self._searched: tuple[str, ...] = ()
        self._now = datetime.now().astimezone()

    def show_rows(self, conversations: Iterable[ConversationRow], now: datetime, searched: Sequence[str] = ()) -> None:
        """List other conversations.

        Args:
            conversations: The newest first.
            searched: The words by which they were found, case-folded; they are marked.
        """
        rows: list[ConversationRow | str] = []
        heading, today = "", now.date()
        words_by_day: dict[date, str] = {}
        for row in conversations:
            day = row.at.date()
            words = words_by_day.get(day)
            if words is None:
                words = words_by_day[day] = day_words(day, today)
            if words != heading:
                heading = words
                rows.append(words)
            rows.append(row)
        self._searched = tuple(searched)
        if len(rows) == len(self._rows) and rows != self._rows and _keys(rows) == _keys(self._rows):
            self._rows, self._now = rows, now
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, 0))
        elif rows != self._rows:
            self.beginResetModel()
            self._rows, self._now = rows, now
            self.endResetModel()

    def place_of(self, name: str) -> QModelIndex:
        """Return where a conversation stands; an invalid index when it is not listed."""
        for at, row in enumerate(self._rows):
            if isinstance(row, ConversationRow) and row.name == name:
                return self.index(at, 0)
        return QModelIndex()

    @property
    def searched(self) -> tuple[str, ...]:
        """The words by which the conversations were found, case-folded."""
        return self._searched

    @property
    def now(self) -> datetime:
        """When the words of the rows are true."""
        return self._now

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: B008 -- Qt's way
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == CONVERSATION_ROLE:
            return row if isinstance(row, ConversationRow) else None
        if role == Qt.ItemDataRole.DisplayRole:
            return row if isinstance(row, str) else row.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return row if isinstance(row, str) else f"{row.title}, {row.words(self._now)}"
        if role == Qt.ItemDataRole.ToolTipRole and isinstance(row, ConversationRow):
            return row.problem or row.title
        return None

    def flags(self, index: QModelIndex | QPersistentModelIndex) -> Qt.ItemFlag:
        if not index.isValid() or isinstance(self._rows[index.row()], str):
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren


def _keys(rows: list[ConversationRow | str]) -> list[str]:
    return [row if isinstance(row, str) else row.name for row in rows]
