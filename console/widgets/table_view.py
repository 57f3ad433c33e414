"""The one view of all tables: it paints whole rows itself, and knows how they are chosen, opened, sorted and copied."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import Any, Final, Literal

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QMetaMethod,
    QModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
    SignalInstance,
)
from PySide6.QtGui import (
    QColor,
    QFont,
    QGuiApplication,
    QHideEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionButton,
    QStyleOptionViewItem,
    QWidget,
)

from console.assets import paint_icon, paint_picture
from console.theme import FontRole, Theme, ThemeName, load_theme, mirrored, place_in, theme_of, upright
from console.widgets.labels import Surface, set_surface, tone_color
from console.widgets.motion import spinner_clock
from console.widgets.painted_table import PaintedTable, SeenRow, Stripe
from console.widgets.painting import TextFace, text_face
from console.widgets.status import paint_status, status_color
from console.widgets.table_head import TableHead
from console.widgets.table_model import Cell, Column, Index, TableModel

_TIGHT: Final = 4
_ICON: Final = 14
_GLYPH_GAP: Final = 6
_ACTION_GAP: Final = 16
_ROOMY: Final = 360
"""From this width on a cell shows its quiet action always; below it where the pointer or the selection is."""
_LEAST: Final = 56
_OPENING: Final = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})
_REMOVING: Final = frozenset({Qt.Key.Key_Delete, Qt.Key.Key_Backspace})


class TableView(PaintedTable):
    """Show rows as the cells of their model say.

    What is chosen stays chosen by its key: when rows move, leave and come back, or are all replaced.

    Args:
        name: What a screen reader calls the table.
        surface: What is behind the rows.
        head: Names the columns; None for the names as the model has them.
        fill: What is behind these names.
        edge: Space before the words of the first column and behind those of the last, in logical pixels.
        left: Space before the words of others.
        glyph: How large the sign of a status is; an icon has 14.
        dense: Whether rows are low and without lines between them.
        left_out: Columns that are never shown.
        many: Whether several rows can be selected.
        scrolls_sideways: Whether columns may need more room than there is.

    Signals:
        chosen(str): The row with this key is the current one now, as the person wanted.
        selected(list): The rows with these keys are selected now, in the order of the list.
        opened(str): Enter, or a double click: what belongs to this row first shall be done.
        action_clicked(str): The words of this row that do something were clicked.
        remove_requested: Delete was pressed on a row.
    """

    chosen = Signal(str)
    selected = Signal(list)
    opened = Signal(str)
    action_clicked = Signal(str)
    remove_requested = Signal()

    def __init__(
        self,
        model: TableModel[Any],
        name: str,
        parent: QWidget | None = None,
        *,
        surface: Surface = "surface",
        head: TableHead | None = None,
        fill: Literal["inset", "panel"] = "inset",
        edge: int = 12,
        left: int = 12,
        glyph: int = 14,
        dense: bool = False,
        left_out: Collection[int] = (),
        many: bool = False,
        scrolls_sideways: bool = False,
    ) -> None:
        super().__init__(lines=not dense, parent=parent, scrolls_sideways=scrolls_sideways)
        self._rows = model
        self._edge = edge
        self._left = left
        self._glyph = glyph
        self._left_out = left_out
        self._kept: list[str] = []
        self._wanted = ""
        self._is_showing = False
        self._rings: set[tuple[int, int]] = set()
        self.setModel(model)
        self._delegate = _EditDelegate(self)
        self.setItemDelegate(self._delegate)
        modes = QAbstractItemView.SelectionMode
        self.setSelectionMode(modes.ExtendedSelection if many else modes.SingleSelection)
        self.setAccessibleName(name)
        set_surface(self, surface)
        sizes = theme_of(self).size
        self.set_row_height(sizes.row_table_dense if dense else sizes.row_table)
        self._set_up_head(head, fill)
        self.selectionModel().currentRowChanged.connect(self._on_current_row_changed)
        self.selectionModel().selectionChanged.connect(self._on_selection_changed)
        model.modelAboutToBeReset.connect(self._on_model_about_to_be_reset)
        for changed in (model.modelReset, model.rowsInserted):
            changed.connect(self._choose_again)
        model.headerDataChanged.connect(self._show_order)

    def _set_up_head(self, head: TableHead | None, fill: Literal["inset", "panel"]) -> None:
        columns = self._rows.columns
        numbers = {place for place, column in enumerate(columns) if column.is_number}
        head = head or TableHead(self, numbers=numbers, first=self._edge, cell=self._left, last=self._edge, fill=fill)
        # A head without an owner would go with the last name that Python has for it.
        head.setParent(self)
        self.setHorizontalHeader(head)
        head.setMinimumSectionSize(_LEAST)
        for place in range(len(columns)):
            self.setColumnHidden(place, place in self._left_out)
        head.setSectionsClickable(any(column.sort for column in columns))
        self._needed = tuple(max(head.width_of_name(place), self._sampled(place)) for place in range(len(columns)))
        for place, column in enumerate(columns):
            if column.width:
                self.setColumnWidth(place, self._first_width(place))
        self._stretch()
        if head.sectionsClickable():
            # Before sorting is switched on, or Qt sorts by the column that its head names then.
            self._show_order()
            self.setSortingEnabled(True)
            self._show_order()

    def _sampled(self, place: int) -> int:
        """Return what the widest sample of a column needs, in logical pixels."""
        column, name = self._rows.columns[place], theme_of(self).name
        begins, ends = self._margins(place, column)
        widest = 0
        for cell in column.samples:
            has_glyph = cell.status is not None or bool(cell.icon)
            width = ((self._glyph if cell.status is not None else _ICON) + _GLYPH_GAP) * has_glyph
            width += _cell_face(name, cell, column).advance(cell.text) + 1 if cell.text else 0
            if cell.action:
                ending = (self._edge if place == len(self._rows.columns) - 1 else self._left) - ends
                width += _face(name, "small", is_strong=True).advance(cell.action) + 2 + max(0, ending)
            widest = max(widest, width)
        return begins + widest + ends if widest else 0

    def _first_width(self, place: int) -> int:
        """Return how wide a column with a width of its own is at first."""
        return max(self._rows.columns[place].width, self._needed[place])

    @property
    def chosen_key(self) -> str:
        """Give the key of the current row; empty for none."""
        return self._rows.key_at(self.currentIndex().row()) if self.currentIndex().isValid() else ""

    @property
    def chosen_keys(self) -> list[str]:
        """Give the keys of the selected rows, in the order of the list."""
        return [self._rows.key_at(place) for place in self._selected_places()]

    @property
    def chosen_row(self) -> Any:
        """Give the current row; None for none."""
        return self._rows.rows[self.currentIndex().row()] if self.currentIndex().isValid() else None

    @property
    def columns_width(self) -> int:
        """Give the width that shows all columns, in logical pixels."""
        return sum(map(self._width_of, range(len(self._rows.columns))))

    @property
    def rows_height(self) -> int:
        """Give the height that shows head and all rows, in logical pixels."""
        size = theme_of(self).size
        return size.table_header + self._rows.rowCount() * size.row_table

    @property
    def widths(self) -> tuple[int, ...]:
        """Give the widths of the columns that have one of their own, 0 for the one that a column has at first."""
        places = [place for place, column in enumerate(self._rows.columns) if column.width]
        widths = [self._width_of(place) for place in places]
        # What fits the words of one language need not fit those of the next.
        firsts = [max(self.horizontalHeader().minimumSectionSize(), self._first_width(place)) for place in places]
        return tuple(0 if width == first else width for width, first in zip(widths, firsts, strict=True))

    def set_widths(self, widths: tuple[int, ...]) -> None:
        """Make the columns as wide as they were; a number of them that is not ours changes nothing."""
        places = [place for place, column in enumerate(self._rows.columns) if column.width]
        if len(widths) == len(places):
            for place, width in zip(places, widths, strict=True):
                least = self.horizontalHeader().minimumSectionSize()
                self.setColumnWidth(place, max(least, width or self._first_width(place)))

    def reset_widths(self) -> None:
        """Make the columns as wide as on a first start."""
        self.set_widths((0,) * len(self.widths))
        self._leave_out()

    def choose(self, key: str) -> bool:
        """Choose a row, now or when it comes, and say whether it is there; tells nobody."""
        self._wanted = key
        place = self._rows.place_of(key)
        is_chosen = place >= 0 and self.chosen_key == key and self.selectionModel().hasSelection()
        self._is_showing = True
        if place < 0:
            self.clearSelection()
        elif not is_chosen:
            self.setCurrentIndex(self._rows.index(place, self._first_column))
        self._is_showing = False
        return place >= 0

    def choose_first(self) -> None:
        """Choose the first row, unless one is selected."""
        # A table that gets the focus has a current row, which is not yet selected.
        if self._rows.rowCount() and not self.selectionModel().hasSelection():
            self.setCurrentIndex(self._rows.index(0, self._first_column))

    def copy(self) -> None:
        """Put the selected rows on the clipboard."""
        places = self._selected_places()
        if places:
            QGuiApplication.clipboard().setText(self._rows.text_of(places))

    def paint_rows(self, painter: QPainter, theme: Theme, stripes: Sequence[Stripe], rows: Iterable[SeenRow]) -> None:
        """Paint rows, a call of the model each, and note where rings turn."""
        last, is_reversed = len(self._rows.columns) - 1, self.isRightToLeft()
        for row in rows:
            cells = self._rows.cells_at(row.place)
            for place, left, width in stripes:
                if self._rings:
                    self._rings.discard((row.place, place))
                if place >= len(cells):
                    continue
                begin, end = left, left + width
                if place == len(cells) - 1 < last:
                    begin, end = (0, end) if is_reversed else (left, self.viewport().width())
                rect = QRect(begin, row.top, end - begin, row.height)
                if is_reversed:
                    with mirrored(painter, rect):
                        self.paint_cell(painter, theme, rect, cells[place], place, row)
                else:
                    self.paint_cell(painter, theme, rect, cells[place], place, row)
        spinner_clock().set_turning(self.viewport(), turning=bool(self._rings), repaint=self._repaint_rings)

    def paint_cell(  # noqa: PLR0917 -- a value made for each cell would cost as much as its words
        self, painter: QPainter, theme: Theme, rect: QRect, cell: Cell, place: int, row: SeenRow
    ) -> None:
        """Paint what stands in a cell; a subclass may paint something else there."""
        column = self._rows.columns[place]
        is_meant = row.is_selected or row.is_hovered
        ink = _ink(theme, cell, is_selected=row.is_selected, is_meant=is_meant)
        left, right = self._span(rect, place, column)
        if cell.is_checked is not None:
            left = self._paint_box(painter, rect, cell, place, row)
        if cell.status is not None:
            glyph = QRect(left, rect.y() + (rect.height() - self._glyph) // 2, self._glyph, self._glyph)
            turn = 0.0
            if cell.status == "running":
                self._rings.add((row.place, place))
                turn = spinner_clock().turn
            # Small shapes have the colour of their tone, the signs of calls that of their words.
            color = ink if cell.tone == "status" and self._glyph == _ICON else None
            paint_status(painter, glyph, cell.status, theme, turn=turn, color=color)
            left += self._glyph + _GLYPH_GAP
        elif cell.icon:
            glyph = QRect(left, rect.y() + (rect.height() - _ICON) // 2, _ICON, _ICON)
            if cell.picture is not None:
                paint_picture(painter, glyph, cell.picture, theme)
            else:
                paint_icon(painter, glyph, cell.icon, ink, theme)
            left += _ICON + _GLYPH_GAP
        if cell.action:
            is_shown = is_meant or not cell.text or not (cell.is_quiet or rect.width() < _ROOMY)
            link = self._action_rect(rect, place, cell)
            if is_shown and link.isValid():
                face = _face(theme.name, "small", is_strong=True)
                face.paint(painter, theme.color.accent_text, cell.action, *link.getRect())  # type: ignore[misc]
                right = link.x() - _ACTION_GAP
        _cell_face(theme.name, cell, column).paint(
            painter,
            ink,
            cell.text,
            left,
            rect.y(),
            right - left,
            rect.height(),
            at_right=column.is_number,
            elide=column.elide,
        )

    def _paint_box(self, painter: QPainter, rect: QRect, cell: Cell, place: int, row: SeenRow) -> int:
        """Paint the box before the words, where Qt takes clicks on it, and return where the words begin."""
        option = QStyleOptionViewItem()
        self.initViewItemOption(option)
        self._delegate.initStyleOption(option, self._rows.index(row.place, place))
        option.rect = rect
        # What is painted is mirrored already.
        option.direction = Qt.LayoutDirection.LeftToRight
        box = QStyleOptionButton()
        box.rect = self.style().subElementRect(QStyle.SubElement.SE_ItemViewItemCheckIndicator, option, self)
        box.state = QStyle.StateFlag.State_Enabled
        box.state |= QStyle.StateFlag.State_On if cell.is_checked else QStyle.StateFlag.State_Off
        with upright(painter, box.rect.x(), box.rect.width()):
            self.style().drawPrimitive(QStyle.PrimitiveElement.PE_IndicatorItemViewItemCheck, box, painter, self)
        return box.rect.right() + 1 + _GLYPH_GAP

    def _span(self, rect: QRect, place: int, column: Column) -> tuple[int, int]:
        """Give where the words of a cell begin and end."""
        begins, ends = self._margins(place, column)
        return rect.x() + begins, rect.x() + rect.width() - ends

    def _margins(self, place: int, column: Column) -> tuple[int, int]:
        """Give the space before and behind the words of a cell."""
        is_last = place == len(self._rows.columns) - 1
        begins = _TIGHT if column.is_number else self._left if place else self._edge
        return begins, (self._edge if is_last else self._left) if column.is_number else _TIGHT

    def _action_rect(self, rect: QRect, place: int, cell: Cell) -> QRect:
        """Give where the words at the right of a cell stand; not valid where there is no room."""
        is_last = place == len(self._rows.columns) - 1
        width = _face(theme_of(self).name, "small", is_strong=True).advance(cell.action) + 1
        left = rect.x() + rect.width() - (self._edge if is_last else self._left) - width
        return QRect(left, rect.y(), width, rect.height()) if left > rect.x() else QRect()

    def _action_at(self, place: QPoint) -> str:
        """Give the key of the row whose action stands at a place; empty for none."""
        index = self.indexAt(place)
        if not index.isValid():
            return ""
        cell = self._rows.cell(index.row(), index.column())
        rect = self.visualRect(index)
        shown = place_in(self, place, rect)
        if not cell.action or not self._action_rect(rect, index.column(), cell).contains(shown):
            return ""
        return self._rows.key_at(index.row())

    def _repaint_rings(self) -> None:
        """Have the running rings in sight painted anew, and nothing else; those that are gone turn no longer."""
        rings, self._rings = self._rings, set()
        if not rings:
            spinner_clock().set_turning(self.viewport(), turning=False, repaint=self._repaint_rings)
        for row, column in rings:
            begins = self._left if column else self._edge
            self.repaint_cells([row], column, begins, self._glyph)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._leave_out()
        super().resizeEvent(event)

    def _leave_out(self) -> None:
        """Leave out columns where there is too little room for all."""
        columns = self._rows.columns
        widths = [self._width_of(place) for place in range(len(columns))]
        needed = sum(widths)
        for place in sorted(range(len(columns)), key=self._precedence):
            if columns[place].priority and place not in self._left_out:
                hides = needed > self.viewport().width()
                self.setColumnHidden(place, hides)
                needed -= widths[place] if hides else 0
        self._stretch()

    def _width_of(self, place: int) -> int:
        """Give what a column takes when it is shown, as wide as the person made it."""
        column = self._rows.columns[place]
        if place in self._left_out or not column.width:
            return 0 if place in self._left_out else max(column.least, self._needed[place])
        is_own = self.horizontalHeader().sectionResizeMode(place) is QHeaderView.ResizeMode.Interactive
        return (self.columnWidth(place) if is_own else 0) or self._first_width(place)

    def _precedence(self, place: int) -> int:
        return -self._rows.columns[place].priority

    def _stretch(self) -> None:
        """Let the column without a width take what the others leave; if it is left out, the last one of words."""
        columns, head = self._rows.columns, self.horizontalHeader()
        shown = [place for place in range(len(columns)) if not self.isColumnHidden(place)]
        free = [place for place in shown if not columns[place].width]
        taking = free or [place for place in shown if not columns[place].is_number][-1:]
        for place, column in enumerate(columns):
            mode = QHeaderView.ResizeMode.Stretch if place in taking else QHeaderView.ResizeMode.Interactive
            if head.sectionResizeMode(place) is not mode:
                head.setSectionResizeMode(place, mode)
                if column.width and place not in taking:
                    self.setColumnWidth(place, self._first_width(place))

    @property
    def _first_column(self) -> int:
        return next((place for place in range(len(self._rows.columns)) if not self.isColumnHidden(place)), 0)

    def _selected_places(self) -> list[int]:
        return sorted(index.row() for index in self.selectionModel().selectedRows(self._first_column))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open with Enter, remove with Delete, copy with Ctrl+C."""
        if self.state() is QAbstractItemView.State.EditingState:
            # Enter, which ends the edit, comes here as well.
            super().keyPressEvent(event)
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.key() in _OPENING and self.chosen_key and self._is_heard(self.opened):
            self.opened.emit(self.chosen_key)
        elif event.key() in _REMOVING and self.chosen_key and self._is_heard(self.remove_requested):
            self.remove_requested.emit()
        else:
            super().keyPressEvent(event)

    def _is_heard(self, signal: SignalInstance) -> bool:
        """Say whether a key is for the table; a dialog around it may want one that is not."""
        return self.isSignalConnected(QMetaMethod.fromSignal(signal))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        over = self._action_at(event.position().toPoint())
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        key = self._action_at(event.position().toPoint())
        if event.button() is Qt.MouseButton.LeftButton and key and key == self.chosen_key:
            self.action_clicked.emit(key)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open the row that is clicked twice; an action did its own on the first click."""
        super().mouseDoubleClickEvent(event)
        place = event.position().toPoint()
        if self.indexAt(place).isValid() and not self._action_at(place):
            self.opened.emit(self._rows.key_at(self.indexAt(place).row()))

    def hideEvent(self, event: QHideEvent) -> None:
        """Let rings rest while nobody sees them."""
        super().hideEvent(event)
        self._rings.clear()
        spinner_clock().set_turning(self.viewport(), turning=False, repaint=self._repaint_rings)

    def _show_order(self) -> None:
        order, head = self._rows.order, self.horizontalHeader()
        if order is None:
            head.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        else:
            down = Qt.SortOrder.DescendingOrder
            head.setSortIndicator(order.column, down if order.descending else Qt.SortOrder.AscendingOrder)

    def _on_current_row_changed(self, current: QModelIndex) -> None:
        if current.isValid() and not self._is_showing:
            self._wanted = self._rows.key_at(current.row())
            self.chosen.emit(self._wanted)

    def _on_selection_changed(self) -> None:
        if self._is_heard(self.selected):
            self.selected.emit(self.chosen_keys)

    def _on_model_about_to_be_reset(self) -> None:
        self._kept = self.chosen_keys

    def _choose_again(self) -> None:
        """Choose what was chosen, as far as it is listed, after all rows were replaced or some came."""
        if self._wanted and not self.chosen_key:
            self.choose(self._wanted)
        kept, self._kept = self._kept, []
        places = [place for key in kept if (place := self._rows.place_of(key)) >= 0] if len(kept) > 1 else []
        if places:
            selection = QItemSelection()
            for place in places:
                selection.select(self._rows.index(place, 0), self._rows.index(place, len(self._rows.columns) - 1))
            self.selectionModel().select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)


class _EditDelegate(QStyledItemDelegate):
    """Give rows their height and take edits and marks; what is painted is painted by the table."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(80, theme_of().size.row_table)


def _ink(theme: Theme, cell: Cell, *, is_selected: bool, is_meant: bool) -> QColor:
    tone = cell.tone
    if tone == "status":
        return status_color(cell.status or "unknown", theme)
    if tone == "disabled":
        return theme.color.text_disabled
    if cell.is_quiet and not is_meant:
        tone = "text3"
    elif is_selected and tone == "text3":
        # On the colour of the selection it would be too faint.
        tone = "text2"
    elif is_selected and tone == "text" and cell.is_strong:
        return theme.color.selected_text
    return tone_color(theme, tone)


def _cell_face(theme: ThemeName, cell: Cell, column: Column) -> TextFace:
    is_tabular = column.is_number or column.is_tabular
    return _face(theme, cell.font, is_code=cell.is_code, is_strong=cell.is_strong, tabular=is_tabular)


@lru_cache(maxsize=64)
def _face(
    theme: ThemeName, role: FontRole, *, is_code: bool = False, is_strong: bool = False, tabular: bool = False
) -> TextFace:
    style = load_theme(theme)
    font = style.font("code" if is_code else role, tabular=tabular and not is_code)
    if is_code:
        font.setPixelSize(style.type_scale[role].size)
    if is_strong:
        font.setWeight(QFont.Weight.Medium)
    return text_face(font)
