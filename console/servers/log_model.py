"""The log of a server as a list: the newest line on top, narrowed by kind and words, bounded."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from console.servers.rows import Direction, LogRow

LOG_KINDS: Final = ("All", "Warnings", "Wire", "Output")
"""What the log can be narrowed to, left to right."""

MOST_LINES: Final = 5_000
"""The lines that are kept; those before them are let go."""

_ALL, _WARNINGS, _WIRE, _OUTPUT = range(len(LOG_KINDS))
_WIRES: Final = frozenset({Direction.SENT, Direction.RECEIVED, Direction.HTTP})
_OUTPUTS: Final = frozenset({Direction.STDERR, Direction.LOG})
_SIGNS: Final[Mapping[Direction, str]] = MappingProxyType(
    {
        Direction.SENT: "sent",
        Direction.RECEIVED: "received",
        Direction.STDERR: "output",
        Direction.HTTP: "http",
        Direction.LOG: "log",
        Direction.NOTE: "",
    }
)
_ROOT: Final = QModelIndex()
Index = QModelIndex | QPersistentModelIndex


class LogModel(QAbstractListModel):
    """List the lines of one server's log.

    Args:
        parent: Its owner.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: deque[LogRow] = deque(maxlen=MOST_LINES)
        self._shown: deque[LogRow] = deque(maxlen=MOST_LINES)
        self._kind = _ALL
        self._needle = ""

    @property
    def kind(self) -> int:
        """Give what it is narrowed to, a place of `LOG_KINDS`."""
        return self._kind

    @property
    def total(self) -> int:
        """Give how many lines are kept."""
        return len(self._all)

    def row(self, place: int) -> LogRow:
        """Give a line that is shown, the newest being 0."""
        return self._shown[place]

    def place_of_call(self, call_id: str) -> int:
        """Give the place of the request that was sent for a call of a tool; -1 when none is shown."""
        rows = enumerate(self._shown)
        return next((place for place, row in rows if row.call_id == call_id and row.direction is Direction.SENT), -1)

    def show_rows(self, rows: Iterable[LogRow]) -> None:
        """Show another log, the oldest line first."""
        self._all = deque(rows, maxlen=MOST_LINES)
        self._narrow()

    def append(self, rows: Sequence[LogRow]) -> None:
        """Add what came since, the oldest line first."""
        rows = rows[-MOST_LINES:]
        self._all.extend(rows)
        fitting = [row for row in rows if self._fits(row)]
        if not fitting:
            return
        spare = len(self._shown) + len(fitting) - MOST_LINES
        if spare > 0:
            last = len(self._shown) - 1
            self.beginRemoveRows(_ROOT, last - spare + 1, last)
            for _ in range(spare):
                self._shown.pop()
            self.endRemoveRows()
        self.beginInsertRows(_ROOT, 0, len(fitting) - 1)
        self._shown.extendleft(fitting)
        self.endInsertRows()

    def set_kind(self, kind: int) -> None:
        """Narrow it to a place of `LOG_KINDS`."""
        self._kind = kind
        self._narrow()

    def set_words(self, words: str) -> None:
        """Narrow it to lines with this text in them."""
        self._needle = words.strip().casefold()
        self._narrow()

    def text(self) -> str:
        """Give all lines that are kept, the oldest first, as they are written to a file."""
        return "".join(f"{line_text(row)}\n" for row in self._all)

    def rowCount(self, parent: Index = _ROOT) -> int:
        """Return how many lines are shown."""
        return 0 if parent.isValid() else len(self._shown)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self._shown[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return row.text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{row.time}, {row.level}, {direction_words(row)} {row.text}"
        return None

    def _narrow(self) -> None:
        self.beginResetModel()
        self._shown = deque((row for row in reversed(self._all) if self._fits(row)), maxlen=MOST_LINES)
        self.endResetModel()

    def _fits(self, row: LogRow) -> bool:
        if self._kind == _WARNINGS and row.level not in {"warning", "error"}:
            return False
        if self._kind == _WIRE and row.direction not in _WIRES:
            return False
        if self._kind == _OUTPUT and row.direction not in _OUTPUTS:
            return False
        return self._needle in row.text.casefold() or self._needle in row.body.casefold()


def direction_words(row: LogRow) -> str:
    """Say where a line comes from; empty for what the console itself notes."""
    return _SIGNS[row.direction]


def body_text(row: LogRow) -> str:
    """Write all of a line as people read it: a message of the protocol with one name a line."""
    if row.direction not in {Direction.SENT, Direction.RECEIVED}:
        return row.body
    try:
        return json.dumps(json.loads(row.body), indent=2, ensure_ascii=False)
    except (ValueError, RecursionError):
        return row.body


def line_text(row: LogRow) -> str:
    """Write a line for people and files: when, how bad, where from, what."""
    start = f"{row.time}  {row.level:<7}  {direction_words(row):<8}  "
    return f"{start}{row.body or row.text}"
