"""What a server says and what is said to it: lines in a card, and the chosen one whole below."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from PySide6.QtCore import QModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QGuiApplication, QKeyEvent, QKeySequence, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QPlainTextEdit,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from console.assets import paint_icon
from console.language import tr
from console.servers.rows import Direction, LogRow
from console.theme import Theme, mirror, theme_of
from console.widgets import (
    ROW_ROLE,
    BarFrame,
    Cell,
    Column,
    EmptyState,
    IconButton,
    Index,
    SearchField,
    SegmentedControl,
    TableModel,
    TextLabel,
    TextTone,
    ThinSplitter,
    paint_row,
    paint_text,
    set_surface,
    tone_color,
    vbox,
)

LOG_KINDS: Final = (tr("All"), tr("Warnings"), tr("Wire"), tr("Output"))
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
"""Where a line comes from, as it is written to a file."""

_SPOKEN: Final[Mapping[Direction, str]] = MappingProxyType(
    {
        Direction.SENT: tr("sent"),
        Direction.RECEIVED: tr("received"),
        Direction.STDERR: tr("output"),
        Direction.HTTP: "http",
        Direction.LOG: tr("log"),
        Direction.NOTE: "",
    }
)


class LogModel(TableModel[LogRow]):
    """List the lines of one server's log, the newest first."""

    def __init__(self) -> None:
        super().__init__((Column(tr("Line")),), _line_cells, _number_of)
        self.kind = _ALL
        self._needle = ""
        self.narrow(self._fits)

    @property
    def total(self) -> int:
        """How many lines are kept."""
        return len(self._all)

    def place_of_call(self, call_id: str) -> int:
        """Give the place of the request that was sent for a call of a tool; -1 when none is shown."""
        rows = enumerate(self.rows)
        return next((place for place, row in rows if row.call_id == call_id and row.direction is Direction.SENT), -1)

    def add(self, rows: Sequence[LogRow]) -> None:
        """Add what came since, the oldest line first."""
        self.show_rows([*reversed(rows), *self._all][:MOST_LINES])

    def set_kind(self, kind: int) -> None:
        """Narrow it to a place of `LOG_KINDS`."""
        self.kind = kind
        self.narrow(self._fits)

    def set_words(self, words: str) -> None:
        """Narrow it to lines with this text in them."""
        self._needle = words.strip().casefold()
        self.narrow(self._fits)

    def text(self) -> str:
        """Give all lines that are kept, the oldest first, as they are written to a file."""
        return "".join(f"{line_text(row)}\n" for row in reversed(self._all))

    def _fits(self, row: LogRow) -> bool:
        if self.kind == _WARNINGS and row.level not in {"warning", "error"}:
            return False
        if self.kind == _WIRE and row.direction not in _WIRES:
            return False
        if self.kind == _OUTPUT and row.direction not in _OUTPUTS:
            return False
        # Bodies are long: without words to look for none is read.
        return not self._needle or self._needle in row.text.casefold() or self._needle in row.body.casefold()


def _number_of(row: LogRow) -> str:
    return str(row.number)


def _line_cells(row: LogRow) -> tuple[Cell, ...]:
    return (Cell(row.text, spoken=f"{row.time}, {row.level}, {_SPOKEN[row.direction]} {row.text}"),)


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
    start = f"{row.time}  {row.level:<7}  {_SIGNS[row.direction]:<8}  "
    return f"{start}{row.body or row.text}"


_ROW: Final = 20
_LEFT: Final = 12
_LEVEL: Final = 44
_ICON: Final = 12
_TONES: Final[Mapping[str, TextTone]] = MappingProxyType(
    {"debug": "text3", "info": "accent", "warning": "warn", "error": "error"}
)
_ICONS: Final[Mapping[Direction, str]] = MappingProxyType(
    {
        Direction.SENT: "arrow-right",
        Direction.RECEIVED: "arrow-left",
        Direction.STDERR: "terminal",
        Direction.HTTP: "globe",
        Direction.LOG: "message-square",
    }
)
_WORDS: Final[Mapping[str, str]] = MappingProxyType({"warning": "warn"})
_SEARCH_WIDTH: Final = 200


def _small_code(theme: Theme) -> QFont:
    font = theme.font("code")
    font.setPixelSize(theme.font("small").pixelSize())
    return font


class _LineDelegate(QStyledItemDelegate):
    """Paint time, level, where it comes from, and the line."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(80, _ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, row = theme_of(), index.data(ROW_ROLE)
        painter.save()
        mirror(painter, option.rect)
        paint_row(painter, option, theme)
        font = _small_code(theme)
        cell: QRect = option.rect.adjusted(_LEFT, 0, -_LEFT, 0)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        width = QFontMetrics(font).horizontalAdvance("00:00:00.000")
        quiet = theme.color.text2 if selected else theme.color.text3
        paint_text(painter, cell, row.time, font, quiet)
        cell.setLeft(cell.left() + width + 16)
        paint_text(painter, cell, _WORDS.get(row.level, row.level), font, tone_color(theme, _TONES[row.level]))
        cell.setLeft(cell.left() + _LEVEL)
        icon = _ICONS.get(row.direction)
        if icon is not None:
            place = QRect(cell.x(), cell.y() + (cell.height() - _ICON) // 2, _ICON, _ICON)
            paint_icon(painter, place, icon, quiet, theme)
        cell.setLeft(cell.left() + _ICON + 8)
        ink = theme.color.text if row.level in {"warning", "error"} else theme.color.text2
        paint_text(painter, cell, row.text, font, ink)
        painter.restore()


class _Lines(QListView):
    """The lines; Ctrl+C copies the chosen ones."""

    def __init__(self, model: LogModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._lines = model
        self.setModel(model)
        self.setItemDelegate(_LineDelegate(self))
        self.setAccessibleName(tr("Log lines"))
        self.setUniformItemSizes(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        set_surface(self, "surface")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        else:
            super().keyPressEvent(event)

    def copy(self) -> None:
        """Put the chosen lines on the clipboard, the oldest first; all that are shown when none is chosen."""
        places = sorted((index.row() for index in self.selectionModel().selectedRows()), reverse=True)
        rows = places or range(self._lines.rowCount() - 1, -1, -1)
        QGuiApplication.clipboard().setText("\n".join(line_text(self._lines.rows[place]) for place in rows))


class LogCard(QFrame):
    """Show the log of a server.

    Args:
        model: Its lines.
        brief: Whether it stands below something else, with less room.

    Signals:
        save_requested: All lines shall be written to a file.
    """

    save_requested = Signal()

    def __init__(self, model: LogModel, *, brief: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", "true")
        self.setAccessibleName(tr("Log of the server"))
        self._model = model
        self.kinds = SegmentedControl(LOG_KINDS, tr("Lines of the log"), height=24)
        self.search = SearchField(tr("Find in the log"))
        self.search.setFixedWidth(_SEARCH_WIDTH)
        self._pages = QStackedWidget(self)
        self._split = ThinSplitter(Qt.Orientation.Vertical, self._pages)
        self.lines = _Lines(model, self._split)
        self._body = QPlainTextEdit(self._split)
        self._body.setReadOnly(True)
        self._body.setFont(_small_code(theme_of(self)))
        self._body.setAccessibleName(tr("Chosen line"))
        self._body.setProperty("flat", "true")
        self._body.hide()
        self._copy = IconButton("copy", tr("Copy the chosen lines, or all"), shortcut_hint="Ctrl+C")
        self._save = IconButton("arrow-down-to-line", tr("Save the log…"))
        self.search.setVisible(not brief)
        self._build()
        self.kinds.selected.connect(self._on_kinds_selected)
        self.search.textChanged.connect(model.set_words)
        self._copy.clicked.connect(self.lines.copy)
        self._save.clicked.connect(self.save_requested)
        self.lines.selectionModel().currentChanged.connect(self._on_lines_current_changed)
        model.rows_changed.connect(self._follow_rows)
        self._follow_rows()

    def _build(self) -> None:
        head = BarFrame(34, surface="inset", margins=(12, 6))
        head.row.addWidget(TextLabel(tr("Log"), "heading"))
        head.row.addStretch(1)
        head.row.addWidget(self.search)
        head.row.addWidget(self.kinds)
        head.row.addWidget(self._copy)
        head.row.addWidget(self._save)
        self._empty = EmptyState(
            "scroll-text", tr("Nothing was said yet"), tr("What the server writes, and what is said to it.")
        )
        split = self._split
        split.addWidget(self.lines)
        split.addWidget(self._body)
        split.setStretchFactor(0, 2)
        split.setStretchFactor(1, 1)
        self._pages.addWidget(split)
        self._pages.addWidget(self._empty)
        column = vbox(self, margins=(1, 1, 1, 1))
        column.addWidget(head)
        column.addWidget(self._pages, 1)

    def show_call(self, call_id: str) -> bool:
        """Choose the request of a call, whatever the lines were narrowed to; say whether it is there."""
        self.search.clear()
        self._model.set_words("")
        self._model.set_kind(0)
        place = self._model.place_of_call(call_id)
        if place < 0:
            return False
        index = self._model.index(place, 0)
        self.lines.setCurrentIndex(index)
        self.lines.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)
        self.lines.setFocus(Qt.FocusReason.OtherFocusReason)
        return True

    def _follow_rows(self) -> None:
        if self.kinds.index != self._model.kind:
            self.kinds.select(self._model.kind)
        if self._model.rowCount():
            self._pages.setCurrentIndex(0)
            return
        self._body.hide()
        if self._model.total:
            self._empty.show_text(tr("No such line"), tr("Every other line is one click away."))
        else:
            self._empty.show_text(tr("Nothing was said yet"), tr("What the server writes, and what is said to it."))
        self._pages.setCurrentIndex(1)

    def _on_kinds_selected(self, index: int) -> None:
        if index != self._model.kind:
            self._model.set_kind(index)

    def _on_lines_current_changed(self, current: QModelIndex) -> None:
        row: LogRow | None = self._model.rows[current.row()] if current.isValid() else None
        body = body_text(row) if row is not None else ""
        self._body.setPlainText(body)
        self._body.setVisible(bool(body))
