"""The tree of two compared values: plus and minus signs, soft line fill, stronger fill for what changed."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from PySide6.QtCore import QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QContextMenuEvent, QFontMetricsF, QGuiApplication, QKeyEvent, QKeySequence, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyleOptionViewItem, QWidget

from console.comparison.lines import LineDifference, difference
from console.comparison.model import DifferenceModel, RowSide, TreeRow
from console.comparison.structure import ComparedNode, ValueChange
from console.json_view.model import Index
from console.json_view.pretty import is_container, line_of, plain_text, scalar_text
from console.json_view.tree_view import LineDelegate, LineTreeView, paint_pieces, piece_ink
from console.language import tr
from console.theme import Theme, theme_of
from console.widgets import Menu, paint_row, paint_text

_SIGN_LEFT: Final = 12
_CHEVRON_LEFT: Final = 32
_END_GAP: Final = 9
_WORDS_GAP: Final = 12
_ROWS_OPENED: Final = 40
_SIGN_BY_CHANGE: Final = {ValueChange.ADDED: "+", ValueChange.REMOVED: "-"}


class DifferenceTree(LineTreeView):
    """Show two compared values as one tree. Set its accessible name where it is used.

    Signals:
        row_selected(object): Another row was chosen; a `TreeRow`.
    """

    row_selected = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        model = DifferenceModel()
        super().__init__(model, LineDelegate(), chevron_left=_CHEVRON_LEFT, parent=parent)
        self.differences = model

    def show_comparison(self, root: ComparedNode | None, *, only_differences: bool) -> None:
        """Show two compared values, open as far as they differ and as that stays short; see `DifferenceModel.show`."""
        self.differences.show(root, only_differences=only_differences)
        self._open_first_rows()

    def select_place(self, place: tuple[int, ...]) -> bool:
        """Choose a difference, opening what it lies in; tell whether there is such a row."""
        index = self.differences.index_at(place)
        if not index.isValid():
            return False
        self.setCurrentIndex(index)
        self.scrollTo(index, QAbstractItemView.ScrollHint.EnsureVisible)
        return True

    def current_place(self) -> tuple[int, ...] | None:
        """Return where the chosen row stands; None without one."""
        index = self.currentIndex()
        return self.differences.place_of(index) if index.isValid() else None

    def current_path(self) -> str:
        """Return the chosen row's path; "" without one."""
        index = self.currentIndex()
        return self.differences.path_of(index) if index.isValid() else ""

    def copy_value(self) -> None:
        """Copy the chosen value: a text as it is, anything else as JSON."""
        QGuiApplication.clipboard().setText(plain_text(self.differences.row_at(self.currentIndex()).value))

    def copy_path(self) -> None:
        """Copy where the chosen value stands."""
        QGuiApplication.clipboard().setText(self.current_path())

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        if current.isValid():
            self.row_selected.emit(self.differences.row_at(current))

    def paint_line(self, painter: QPainter, rect: QRect, index: Index) -> None:
        """Paint a whole row: fill, sign, guides, chevron, line."""
        theme = theme_of(self)
        row = self.differences.row_at(index)
        option = self.row_option(rect, index)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        self._paint_fill(painter, option, row, theme, selected=selected)
        sign = "~" if row.node.moved and row.change is ValueChange.SAME else _SIGN_BY_CHANGE.get(row.change, "")
        if sign:
            paint_pieces(painter, rect, _SIGN_LEFT, _CHEVRON_LEFT, [(sign, _ink(row, theme))])
        self.paint_guides(painter, rect, index)
        self._paint_words(
            painter, rect, self.line_left(index), row, theme, is_open=self.isExpanded(index), selected=selected
        )

    def opens_anywhere(self, index: Index) -> bool:
        return self.differences.row_at(index).side is RowSide.FOLD

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy with Ctrl+C, open a fold with Enter; N and P are left to the whole view."""
        index = self.currentIndex()
        if event.matches(QKeySequence.StandardKey.Copy) and index.isValid():
            self.copy_value()
        elif event.key() in {Qt.Key.Key_N, Qt.Key.Key_P}:
            event.ignore()
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and index.isValid():
            self.setExpanded(index, not self.isExpanded(index))
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if not self.currentIndex().isValid():
            return
        menu = Menu(tr("Value"), self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for text, slot in ((tr("Copy value"), self.copy_value), (tr("Copy path"), self.copy_path)):
            menu.addAction(text).triggered.connect(slot)
        menu.popup(self.menu_place(event))

    def _paint_fill(
        self, painter: QPainter, option: QStyleOptionViewItem, row: TreeRow, theme: Theme, *, selected: bool
    ) -> None:
        rect: QRect = option.rect
        fill = {ValueChange.ADDED: theme.syntax.added_bg, ValueChange.REMOVED: theme.syntax.removed_bg}.get(row.change)
        if row.node.moved and fill is None and row.side is not RowSide.FOLD:
            fill = theme.status.run.soft
        if fill is not None:
            painter.fillRect(rect, fill)
        else:
            paint_row(painter, option, theme)
        if selected and fill is not None:
            # The fills say what became of the value, so the choice is told by an edge.
            edge = theme.color.accent if self.hasFocus() else theme.color.border_field
            painter.fillRect(0, rect.y(), 3, rect.height(), edge)
            painter.fillRect(0, rect.y(), rect.width(), 1, edge)
            painter.fillRect(0, rect.bottom(), rect.width(), 1, edge)

    def _paint_words(
        self, painter: QPainter, rect: QRect, left: int, row: TreeRow, theme: Theme, *, is_open: bool, selected: bool
    ) -> None:
        quiet = theme.color.text2 if selected else theme.color.text3
        if row.side is RowSide.FOLD:
            room = QRect(left, rect.y(), rect.width() - left, rect.height())
            words = f"{row.fold_text}   {row.words}" if row.words else row.fold_text
            paint_text(painter, room, words, theme.font("small"), quiet)
            return
        key = [] if row.key is None else [(f"{row.key}", _key_ink(row, theme)), (": ", theme.syntax.punctuation)]
        node = row.node
        if node.change is ValueChange.CHANGED and not is_container(node.left) and not is_container(node.right):
            end = paint_pieces(painter, rect, left, rect.width() - _END_GAP, key)
            end = _paint_parts(painter, rect, end, row, theme)
        else:
            pieces = line_of(row.key, row.value, is_open=is_open)
            ink = _ink(row, theme)
            plain = row.change in {ValueChange.SAME, ValueChange.INSIDE}
            inked = [
                (piece.text, piece_ink(piece.kind, theme, selected=selected) if plain else ink) for piece in pieces
            ]
            end = paint_pieces(painter, rect, left, rect.width() - _END_GAP, inked)
        if (row.words and node.change is not ValueChange.CHANGED) or node.moved:
            room = QRect(round(end) + _WORDS_GAP, rect.y(), rect.width() - round(end) - _WORDS_GAP - 8, rect.height())
            paint_text(painter, room, row.words, theme.font("caption"), quiet)

    def _open_first_rows(self) -> None:
        """Open what differs, from the top, until the rows are too many to be read at once."""
        model, opened = self.differences, 0
        waiting = [model.index(number, 0) for number in range(model.rowCount())]
        while waiting and opened < _ROWS_OPENED:
            index = waiting.pop(0)
            row = model.row_at(index)
            if row.node.change is ValueChange.INSIDE or not index.parent().isValid():
                if row.side is RowSide.FOLD or not row.has_parts:
                    continue
                model.fetchMore(index)
                self.expand(index)
                opened += model.rowCount(index)
                waiting += [model.index(number, 0, index) for number in range(min(model.rowCount(index), _ROWS_OPENED))]


def _ink(row: TreeRow, theme: Theme) -> QColor:
    if row.change is ValueChange.ADDED:
        return theme.syntax.added
    if row.change is ValueChange.REMOVED:
        return theme.syntax.removed
    return theme.status.run.text if row.node.moved else theme.color.text3


def _key_ink(row: TreeRow, theme: Theme) -> QColor:
    return _ink(row, theme) if row.change in {ValueChange.ADDED, ValueChange.REMOVED} else theme.syntax.key


def _paint_parts(painter: QPainter, rect: QRect, left: float, row: TreeRow, theme: Theme) -> float:
    """Paint one side of a changed value, with a stronger fill behind what the other side lacks."""
    node, is_left = row.node, row.side is RowSide.LEFT
    found = _difference(scalar_text(node.left), scalar_text(node.right))
    strong = theme.syntax.removed_strong if is_left else theme.syntax.added_strong
    metrics = QFontMetricsF(theme.font("code"))
    for part in found.old if is_left else found.new:
        width = min(metrics.horizontalAdvance(part.text), max(0.0, rect.width() - _END_GAP - left))
        if part.changed:
            painter.fillRect(QRectF(left, rect.y() + 2, width, rect.height() - 4), strong)
        left = paint_pieces(painter, rect, left, rect.width() - _END_GAP, [(part.text, _ink(row, theme))])
    return left


@lru_cache(maxsize=512)
def _difference(old: str, new: str) -> LineDifference:
    return difference(old, new)
