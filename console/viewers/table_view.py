"""A list of objects as a table: sort, filter, choose columns, take rows elsewhere."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QAction, QFont, QFontMetrics, QFontMetricsF, QKeyEvent, QKeySequence, QPainter, QResizeEvent
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from console.json_view import is_container, plain_text
from console.language import tr, tr_count
from console.theme import Theme, draw_words, mirrored, theme_of
from console.viewers.preparing import Arrangement, TableContent, cell_text
from console.widgets import BarFrame, Button, Menu, RowTable, SearchField, TextLabel, ask_save_path, paint_row, vbox
from tools.spec import MISSING

_Index = QModelIndex | QPersistentModelIndex
_NOWHERE: Final = QModelIndex()
_RIGHT: Final = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_EMPTY: Final = TableContent((), (), ())
_LONGEST_TIP: Final = 2000


class RowsModel(QAbstractTableModel):
    """Show some rows of a table, in some order. The rows must not change while they are shown."""

    VALUE_ROLE: Final = Qt.ItemDataRole.UserRole + 1

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.table = _EMPTY
        self.order: Sequence[int] = ()
        self._sorted_by: tuple[int, bool] | None = None

    def show_table(self, table: TableContent) -> None:
        self.beginResetModel()
        self.table = table
        self.order = range(len(table.rows))
        self._sorted_by = None
        self.endResetModel()

    def show_order(self, order: Sequence[int], sorted_by: tuple[int, bool] | None = None) -> None:
        """Show some of the rows, in this order.

        Args:
            sorted_by: The column they are sorted by, and whether the largest comes first; None for none.
        """
        # To tell Qt of each row that comes or goes takes a hundred times as long.
        self.beginResetModel()
        self.order = order
        self._sorted_by = sorted_by
        self.endResetModel()

    def clear(self) -> None:
        """Show nothing, and let the table go."""
        self.show_table(_EMPTY)

    def row_at(self, index: _Index) -> int:
        return self.order[index.row()]

    def value_at(self, index: _Index) -> Any:
        """Return the value of a cell; `MISSING` when its row has none there."""
        return self.table.cell(self.order[index.row()], index.column())

    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.order)

    def columnCount(self, parent: _Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.table.names)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return what a cell shows, its value, or where it stands."""
        if not index.isValid() or index.row() >= len(self.order):
            return None
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            return cell_text(self.value_at(index))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            value = self.value_at(index)
            return _RIGHT if isinstance(value, int | float) and not isinstance(value, bool) else None
        if role == self.VALUE_ROLE:
            return self.value_at(index)
        if role == Qt.ItemDataRole.ToolTipRole:
            value = self.value_at(index)
            return None if value is MISSING or not isinstance(value, str) else plain_text(value)[:_LONGEST_TIP]
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(self.table.names):
            return None
        if role == Qt.ItemDataRole.ToolTipRole:
            return self.table.names[section]
        if role == Qt.ItemDataRole.DisplayRole:
            # Qt paints its own arrow over names that stand at the right.
            arrow = {(section, False): " ↑", (section, True): " ↓"}.get(self._sorted_by or (-1, False), "")
            return f"{self.table.names[section]}{arrow}"
        if role == Qt.ItemDataRole.TextAlignmentRole and self.table.rows:
            value = self.table.cell(0, section)
            return _RIGHT if isinstance(value, int | float) and not isinstance(value, bool) else None
        return None


_PADDING: Final = 8
_MOST_KNOWN: Final = 10_000


def cell_font(theme: Theme) -> QFont:
    """Return the font of a cell, whose digits are all as wide."""
    return theme.font("small", tabular=True)


class _Letters(NamedTuple):
    """What is the same for all cells: to find it out for each takes longer than to paint it."""

    theme: Theme
    font: QFont
    metrics: QFontMetrics
    baseline: int


class CellDelegate(QStyledItemDelegate):
    """Paint the cells of a `RowsModel`: numbers at the right, what says something about a value rather than it pale."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._known: _Letters | None = None
        self._width_by_text: dict[str, int] = {}

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(80, theme_of().size.row_table)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        letters = self._letters()
        theme = letters.theme
        model = index.model()
        paint_row(painter, option, theme, divider=True)
        value = model.value_at(index) if isinstance(model, RowsModel) else MISSING
        if value is MISSING:
            return
        ink = theme.color.text
        if option.state & QStyle.StateFlag.State_Selected:
            ink = theme.color.selected_text
        elif value is None or is_container(value):
            ink = theme.color.text3
        cell: QRect = option.rect
        room, text = cell.width() - 2 * _PADDING, cell_text(value)
        width = self._width(text, letters.metrics)
        if width > room:
            text, width = letters.metrics.elidedText(text, Qt.TextElideMode.ElideRight, room), room
        spare = room - width if isinstance(value, int | float) and not isinstance(value, bool) else 0
        painter.setFont(letters.font)
        painter.setPen(ink)
        left, baseline = cell.x() + _PADDING + spare, cell.y() + letters.baseline
        if painter.layoutDirection() is Qt.LayoutDirection.RightToLeft:
            with mirrored(painter, cell):
                draw_words(painter, left, baseline, text, width)
        else:
            painter.drawText(left, baseline, text)

    def _letters(self) -> _Letters:
        theme, known = theme_of(), self._known
        if known is None or known.theme is not theme:
            font = cell_font(theme)
            exact, height = QFontMetricsF(font), theme.size.row_table - 1
            baseline = math.floor((height - exact.ascent() - exact.descent()) / 2 + exact.ascent())
            known = self._known = _Letters(theme, font, QFontMetrics(font), baseline)
            self._width_by_text.clear()
        return known

    def _width(self, text: str, metrics: QFontMetrics) -> int:
        width = self._width_by_text.get(text)
        if width is None:
            if len(self._width_by_text) >= _MOST_KNOWN:
                self._width_by_text.clear()
            width = self._width_by_text[text] = metrics.horizontalAdvance(text)
        return width


EXPORTS: Final = ("csv", "json")
"""What the shown rows can be written as."""

_WAIT_MS: Final = 120
_LOOKED_AT: Final = 60
_LEAST_COLUMN: Final = 56
_MOST_COLUMN: Final = 320
_WIDTH_AROUND: Final = 28
_ARROW: Final = 16
_LEAST_WIDTH_WITH_COUNT: Final = 460
_MOST_COPIED: Final = 20_000


class RowsView(RowTable):
    """The rows themselves. Enter opens a row; S sorts by the current column; Ctrl+C copies the selected rows.

    Signals:
        row_opened(int): A row was asked for in full: its number in the whole table.
        sort_requested(int): The rows are to be sorted by a column, or the other way round.
        copy_requested: The selected rows are to be copied.
    """

    row_opened = Signal(int)
    sort_requested = Signal(int)
    copy_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, scrolls_sideways=True)
        self.setObjectName("rows")
        self.setItemDelegate(CellDelegate(self))
        self.setSelectionMode(RowTable.SelectionMode.ExtendedSelection)
        header = self.horizontalHeader()
        header.setFixedHeight(theme_of(self).size.table_header)
        header.setSectionsClickable(True)
        header.setStretchLastSection(True)
        header.setSectionsMovable(True)
        header.setMinimumSectionSize(_LEAST_COLUMN)
        header.sectionClicked.connect(self.sort_requested)
        self.doubleClicked.connect(self._on_double_clicked)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open, sort and copy by key."""
        current = self.currentIndex()
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_requested.emit()
        elif not current.isValid():
            super().keyPressEvent(event)
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and not event.modifiers():
            self._on_double_clicked(current)
        elif event.key() == Qt.Key.Key_S and not event.modifiers():
            self.sort_requested.emit(current.column())
        else:
            super().keyPressEvent(event)

    def _on_double_clicked(self, index: QModelIndex) -> None:
        model = self.model()
        if isinstance(model, RowsModel):
            self.row_opened.emit(model.row_at(index))


class TabularView(QWidget):
    """Show a table of any length; whoever owns it arranges the rows and writes them down, away from the window.

    Signals:
        arrangement_wanted(Table, Arrangement): The rows are to be chosen and sorted; `show_order` takes them.
        row_selected(int): A row was chosen: its number in the whole table.
        row_opened(int): A row was asked for in full: its number in the whole table.
        export_chosen(str, str): The shown rows are to be written as one of `EXPORTS` into a file.
        copy_requested(object): These rows, by their numbers, are to be copied.
    """

    arrangement_wanted = Signal(object, object)
    row_selected = Signal(int)
    row_opened = Signal(int)
    export_chosen = Signal(str, str)
    copy_requested = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.arrangement = Arrangement()
        self._kind = EXPORTS[0]
        self._name = "table"
        self._place = ""
        self.model = RowsModel(self)
        self.bar = BarFrame(36, surface="surface", margins=(12, 8), parent=self)
        self.filter = SearchField(tr("Filter rows"))
        self.filter.setMinimumWidth(140)
        self.filter.setMaximumWidth(320)
        self.place = TextLabel("", "small", "text3")
        self.columns = Button(tr("Columns"), kind="ghost", icon="columns-2")
        self.export = Button(tr("Export"), kind="ghost", icon="download")
        self.bar.row.addWidget(self.filter, 1)
        self.bar.row.addWidget(self.place)
        self.bar.row.addStretch(1)
        self.bar.row.addWidget(self.columns)
        self.bar.row.addWidget(self.export)
        self.rows = RowsView(self)
        self.rows.setModel(self.model)
        column = vbox(self)
        column.addWidget(self.bar)
        column.addWidget(self.rows, 1)
        # Each letter would begin another search through a long table.
        self._typing = QTimer(self, singleShot=True, interval=_WAIT_MS)
        self._typing.timeout.connect(self._want_arrangement)
        self.filter.textChanged.connect(self._on_filter_text_changed)
        self.filter.down_requested.connect(self._on_filter_down_requested)
        self.columns.clicked.connect(self._on_columns_clicked)
        self.export.clicked.connect(self._on_export_clicked)
        self.rows.sort_requested.connect(self.sort_by)
        self.rows.row_opened.connect(self.row_opened)
        self.rows.copy_requested.connect(self._on_rows_copy_requested)
        self.rows.selectionModel().currentRowChanged.connect(self._on_selection_current_row_changed)

    def show_table(self, table: TableContent, place: str = "", name: str = "table") -> None:
        self._typing.stop()
        self.arrangement = Arrangement()
        self._name = name
        self.filter.blockSignals(True)
        self.filter.clear()
        self.filter.blockSignals(False)
        self.model.show_table(table)
        for column in range(len(table.names)):
            self.rows.setColumnHidden(column, False)
            self.rows.setColumnWidth(column, self._width_of(column))
        self._place = place
        self._say_count()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the number of rows out where there is no room for it."""
        super().resizeEvent(event)
        self.place.setVisible(self.width() >= _LEAST_WIDTH_WITH_COUNT)

    def clear(self) -> None:
        """Show nothing, and let the table go."""
        self._typing.stop()
        self.model.clear()

    def sort_by(self, column: int) -> None:
        """Sort by a column; again the other way round, and again as the rows came."""
        old = self.arrangement
        if old.column != column:
            new = old._replace(column=column, descending=False)
        elif not old.descending:
            new = old._replace(descending=True)
        else:
            new = old._replace(column=None, descending=False)
        self.arrangement = new
        self._want_arrangement()

    def show_order(self, table: TableContent, arrangement: Arrangement, order: Sequence[int]) -> None:
        """Show the rows as they were wanted, unless something else is wanted by now."""
        if table is not self.model.table or arrangement != self.arrangement:
            return
        current = self.rows.currentIndex()
        column = current.column() if current.isValid() else 0
        by = arrangement.column
        self.model.show_order(order, None if by is None else (by, arrangement.descending))
        self._say_count()
        if order:
            self.rows.setCurrentIndex(self.model.index(0, column))

    def shown_columns(self) -> list[int]:
        """Return the numbers of the columns that are shown, from left to right."""
        header = self.rows.horizontalHeader()
        order = (header.logicalIndex(place) for place in range(header.count()))
        return [column for column in order if not self.rows.isColumnHidden(column)]

    def selected_rows(self) -> list[int]:
        """Return the numbers of the selected rows in the whole table, from the top down."""
        selection = self.rows.selectionModel().selection()
        ranges = sorted((one.top(), one.bottom()) for one in (selection.at(at) for at in range(selection.count())))
        chosen = (row for top, bottom in ranges for row in range(top, bottom + 1))
        return [self.model.order[row] for row in islice(chosen, _MOST_COPIED)]

    def _width_of(self, column: int) -> int:
        metrics = QFontMetrics(cell_font(theme_of(self)))
        table = self.model.table
        texts = [cell_text(table.cell(row, column))[:80] for row in range(min(_LOOKED_AT, len(table.rows)))]
        widest = max(map(metrics.horizontalAdvance, texts), default=0)
        widest = max(widest, metrics.horizontalAdvance(table.names[column][:80]) + _ARROW)
        return min(_MOST_COLUMN, max(_LEAST_COLUMN, widest + _WIDTH_AROUND))

    def _say_count(self) -> None:
        rows, shown = len(self.model.table.rows), len(self.model.order)
        self.place.setText(
            tr_count(rows, "1 row of {place}", "{count:,} rows of {place}", place=self._place)
            if self._place
            else tr_count(rows, "1 row", "{count:,} rows")
        )
        self.filter.set_match_count(tr("{found:,} of {count:,}", found=shown, count=rows) if shown != rows else "")

    def _want_arrangement(self) -> None:
        self._typing.stop()
        searched = tuple(sorted(self.shown_columns())) if self.arrangement.needle else ()
        self.arrangement = self.arrangement._replace(searched=searched)
        self.arrangement_wanted.emit(self.model.table, self.arrangement)

    def _on_filter_text_changed(self, text: str) -> None:
        self.arrangement = self.arrangement._replace(needle=text)
        self._typing.start()

    def _on_filter_down_requested(self) -> None:
        self.rows.setFocus(Qt.FocusReason.OtherFocusReason)
        if not self.rows.currentIndex().isValid() and self.model.order:
            self.rows.setCurrentIndex(self.model.index(0, 0))

    def _on_columns_clicked(self) -> None:
        menu = Menu(tr("Columns"), self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        shown = set(self.shown_columns())
        for column, name in enumerate(self.model.table.names):
            action = QAction(name.replace("&", "&&"), menu)
            action.setCheckable(True)
            action.setChecked(column in shown)
            # The last column stays: a table without columns could not be told from an empty one.
            action.setEnabled(shown != {column})
            action.setData(column)
            menu.addAction(action)
        menu.triggered.connect(self._on_columns_triggered)
        menu.popup(self.columns.mapToGlobal(QPoint(0, self.columns.height())))

    def _on_columns_triggered(self, action: QAction) -> None:
        self.rows.setColumnHidden(action.data(), not action.isChecked())
        if self.arrangement.needle:
            self._want_arrangement()

    def _on_export_clicked(self) -> None:
        menu = Menu(tr("Export"), self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for kind in EXPORTS:
            menu.add_entry(kind, tr("Shown rows as {kind}…", kind=kind.upper()))
        menu.triggered.connect(self._on_export_triggered)
        menu.popup(self.export.mapToGlobal(QPoint(0, self.export.height())))

    def _on_export_triggered(self, action: QAction) -> None:
        self._kind = action.data()
        title = tr("Export the rows as {kind}", kind=self._kind.upper())
        ask_save_path(self, title, f"{self._name}.{self._kind}", self._on_dialog_file_selected)

    def _on_dialog_file_selected(self, path: str) -> None:
        self.export_chosen.emit(self._kind, path)

    def _on_rows_copy_requested(self) -> None:
        self.copy_requested.emit(self.selected_rows())

    def _on_selection_current_row_changed(self, current: QModelIndex) -> None:
        if current.isValid():
            self.row_selected.emit(self.model.row_at(current))
