"""The lists of the Servers page: one look, one way to choose and act for all of them."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFont,
    QFontMetrics,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from console.assets import paint_icon, paint_picture
from console.servers.cells import CELL_ROLE, Cell, RowModel
from console.theme import Theme, theme_of
from console.widgets import (
    RowTable,
    TableHead,
    paint_row,
    paint_status,
    paint_text,
    set_surface,
    spinner_clock,
    tone_color,
)

_PAGE_LEFT: Final = 20
_LEFT: Final = 12
_GLYPH: Final = 10
_ICON: Final = 14
_GAP: Final = 6
_LEAST_REST: Final = 200
_TO_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_TO_LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
Index = QModelIndex | QPersistentModelIndex


def _font(cell: Cell, theme: Theme, *, is_number: bool) -> QFont:
    font = theme.font(cell.font, tabular=is_number)
    if cell.font == "code":
        font.setPixelSize(theme.font("small").pixelSize())
    if cell.is_link or cell.is_strong:
        font.setWeight(QFont.Weight.Medium)
    return font


def _words_rect(rect: QRect, cell: Cell, *, is_first: bool, is_last: bool, is_number: bool) -> QRect:
    """Give where the words of a cell stand, without the glyph before them."""
    right = _PAGE_LEFT if is_last else _LEFT
    words = rect.adjusted(_PAGE_LEFT if is_first else 4 if is_number else _LEFT, 0, -right if is_number else -8, -1)
    if cell.status is not None:
        words.setLeft(words.left() + _GLYPH + _GAP)
    elif cell.icon:
        words.setLeft(words.left() + _ICON + _GAP)
    return words


class _Head(TableHead):
    """Name the columns as the rows say."""

    def __init__(self, model: RowModel[Any], parent: QWidget) -> None:
        super().__init__(parent)
        self._rows = model
        self.setHighlightSections(False)

    def paint_name(self, painter: QPainter, rect: QRect, column: int) -> None:
        theme, shape = theme_of(self), self._rows.columns[column]
        last = column == len(self._rows.columns) - 1
        words = _words_rect(rect, Cell(""), is_first=not column, is_last=last, is_number=shape.is_number)
        align = _TO_RIGHT if shape.is_number else _TO_LEFT
        paint_text(painter, words, shape.head, theme.font("caption"), theme.color.text3, align=align)


class _CellDelegate(QStyledItemDelegate):
    """Paint cells as their values say."""

    def __init__(self, model: RowModel[Any], parent: QObject) -> None:
        super().__init__(parent)
        self._rows = model

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(80, theme_of().size.row_table)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, column = theme_of(), self._rows.columns[index.column()]
        cell: Cell = index.data(CELL_ROLE)
        painter.save()
        paint_row(painter, option, theme, divider=True)
        last = index.column() == len(self._rows.columns) - 1
        words = _words_rect(option.rect, cell, is_first=not index.column(), is_last=last, is_number=column.is_number)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        tone = "text2" if selected and cell.tone == "text3" else cell.tone
        ink = theme.color.accent_text if cell.is_link else tone_color(theme, tone)
        if cell.status is not None:
            glyph = QRect(words.left() - _GLYPH - _GAP, words.y() + (words.height() - _GLYPH) // 2, _GLYPH, _GLYPH)
            paint_status(painter, glyph, cell.status, theme, turn=spinner_clock().turn)
        elif cell.icon:
            place = QRect(words.left() - _ICON - _GAP, words.y() + (words.height() - _ICON) // 2, _ICON, _ICON)
            if cell.picture is not None:
                paint_picture(painter, place, cell.picture, theme)
            else:
                paint_icon(painter, place, cell.icon, ink, theme)
        align = _TO_RIGHT if column.is_number else _TO_LEFT
        elide = Qt.TextElideMode.ElideMiddle if cell.font == "code" else Qt.TextElideMode.ElideRight
        paint_text(
            painter, words, cell.text, _font(cell, theme, is_number=column.is_number), ink, align=align, elide=elide
        )
        painter.restore()


class ListView(RowTable):
    """Show rows of 28 px, one of them chosen.

    Args:
        model: The rows.
        name: Accessible name.
        parent: Its owner.

    Signals:
        chosen(str): The row with this key is chosen now.
        opened(str): Enter, or a double click: what belongs to this row first shall be done.
        link_clicked(str): The words of this row that are a link were clicked.
        menu_requested(QPoint): The menu of the chosen row is wanted, at a place on the screen.
    """

    chosen = Signal(str)
    opened = Signal(str)
    link_clicked = Signal(str)
    menu_requested = Signal(QPoint)

    def __init__(self, model: RowModel[Any], name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = model
        self._chosen = ""
        self._is_showing = False
        self.setModel(model)
        self.setItemDelegate(_CellDelegate(model, self))
        self.setHorizontalHeader(_Head(model, self))
        self.setAccessibleName(name)
        set_surface(self, "surface")
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self._size_sections()
        self.selectionModel().currentRowChanged.connect(self._on_current_row_changed)
        model.modelReset.connect(self._on_model_reset)
        model.dataChanged.connect(self._follow_clock)

    def _size_sections(self) -> None:
        for place, column in enumerate(self._rows.columns):
            if column.width:
                self.setColumnWidth(place, column.width)
            else:
                self.horizontalHeader().setSectionResizeMode(place, QHeaderView.ResizeMode.Stretch)

    @property
    def chosen_key(self) -> str:
        """Give the key of the chosen row; empty for none."""
        return self._rows.key_at(self.currentIndex().row()) if self.currentIndex().isValid() else ""

    @property
    def rows_height(self) -> int:
        """Give the height that shows head and all rows, in logical pixels."""
        size = theme_of(self).size
        return size.table_header + self._rows.rowCount() * size.row_table

    def choose(self, key: str) -> None:
        """Choose a row, if it is there; tells nobody."""
        self._chosen = key
        place = self._rows.place_of(key)
        self._is_showing = True
        if place >= 0:
            self.setCurrentIndex(self._rows.index(place, 0))
        else:
            self.clearSelection()
        self._is_showing = False

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out columns where there is too little room for all."""
        columns = self._rows.columns
        needed = sum(column.width or _LEAST_REST for column in columns)
        for place, column in sorted(enumerate(columns), key=_sooner):
            hides = column.priority > 0 and needed > self.viewport().width()
            self.setColumnHidden(place, hides)
            needed -= column.width if hides else 0
        super().resizeEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        """Turn the rings of rows that are under way."""
        super().showEvent(event)
        self._follow_clock()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._follow_clock()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open the chosen row with Enter."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self.chosen_key:
            self.opened.emit(self.chosen_key)
        else:
            super().keyPressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show that a link can be clicked."""
        super().mouseMoveEvent(event)
        over = self._link_at(event.position().toPoint())
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        key = self._link_at(event.position().toPoint())
        if event.button() is Qt.MouseButton.LeftButton and key and key == self.chosen_key:
            self.link_clicked.emit(key)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open the row that is clicked twice; a link did its own on the first click."""
        super().mouseDoubleClickEvent(event)
        place = event.position().toPoint()
        if self.indexAt(place).isValid() and not self._link_at(place):
            self.opened.emit(self._rows.key_at(self.indexAt(place).row()))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of the row under the pointer, or of the chosen one."""
        by_mouse = event.reason() is QContextMenuEvent.Reason.Mouse
        index = self.indexAt(event.pos()) if by_mouse else self.currentIndex()
        if index.isValid():
            self.setCurrentIndex(index)
            below = self.viewport().mapToGlobal(self.visualRect(index).bottomLeft())
            self.menu_requested.emit(event.globalPos() if by_mouse else below)

    def _link_at(self, place: QPoint) -> str:
        """Give the key of the row whose link stands at a place; empty for none."""
        index = self.indexAt(place)
        if not index.isValid():
            return ""
        cell, column = self._rows.cell(index.row(), index.column()), self._rows.columns[index.column()]
        if not cell.is_link or not cell.text:
            return ""
        last = index.column() == len(self._rows.columns) - 1
        words = _words_rect(
            self.visualRect(index), cell, is_first=not index.column(), is_last=last, is_number=column.is_number
        )
        width = QFontMetrics(_font(cell, theme_of(self), is_number=column.is_number)).horizontalAdvance(cell.text)
        if column.is_number:
            words.setLeft(max(words.left(), words.right() - width))
        else:
            words.setRight(min(words.right(), words.left() + width))
        return self._rows.key_at(index.row()) if words.contains(place) else ""

    def _follow_clock(self) -> None:
        cells = [
            self._rows.cell(row, column)
            for row in range(self._rows.rowCount())
            for column in range(min(2, self._rows.columnCount()))
        ]
        spinner_clock().set_turning(
            self.viewport(), turning=self.isVisible() and any(cell.status == "running" for cell in cells)
        )

    def _on_current_row_changed(self, current: QModelIndex) -> None:
        if current.isValid() and not self._is_showing:
            self._chosen = self._rows.key_at(current.row())
            self.chosen.emit(self._chosen)

    def _on_model_reset(self) -> None:
        self.choose(self._chosen)
        self._follow_clock()


def _sooner(numbered: tuple[int, Any]) -> int:
    return -int(numbered[1].priority)
