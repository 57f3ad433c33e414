"""The list of decisions with its head: what was decided today, a filter, and a file of it."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFileDialog,
    QHeaderView,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from console.approval.decision_model import DECIDED_ROLE, DecisionColumn, DecisionModel
from console.approval.decision_rows import DecidedRow
from console.approval.queue_rows import caller_icon
from console.assets import paint_icon
from console.theme import Theme, theme_of
from console.widgets import (
    Button,
    ElidedLabel,
    EmptyState,
    PanelHeader,
    RowTable,
    SearchField,
    TableHead,
    paint_row,
    paint_text,
    set_surface,
)

_CELL: Final = 12
_ICON: Final = 14
_GAP: Final = 6
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_NONE: Final = ("No decisions yet", "Every answer is kept here, whoever or whatever gave it.")
_WIDTHS: Final = {
    DecisionColumn.TIME: 80,
    DecisionColumn.TOOL: 176,
    DecisionColumn.CALLER: 184,
    DecisionColumn.OUTCOME: 176,
    DecisionColumn.REMEMBERED: 136,
    DecisionColumn.BY: 104,
    DecisionColumn.TAKEN: 84,
}
_LEAST_NOTE: Final = 160
_GIVING_WAY: Final = (DecisionColumn.REMEMBERED, DecisionColumn.BY, DecisionColumn.TAKEN, DecisionColumn.CALLER)


class _Delegate(QStyledItemDelegate):
    """Paint one cell."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row: DecidedRow = index.data(DECIDED_ROLE)
        theme = theme_of()
        painter.save()
        paint_row(painter, option, theme, divider=True)
        cell: QRect = option.rect.adjusted(0, 0, 0, -1)
        words = cell.adjusted(_CELL, 0, -4, 0)
        column = DecisionColumn(index.column())
        glyph = QRect(words.x(), cell.y() + (cell.height() - _ICON) // 2, _ICON, _ICON)
        ink = theme.color.text2
        if column is DecisionColumn.CALLER:
            paint_icon(painter, glyph, caller_icon(row.caller), ink, theme)
            words.setLeft(glyph.right() + 1 + _GAP)
        elif column is DecisionColumn.OUTCOME:
            ink = theme.tone(row.tone).text
            paint_icon(painter, glyph, row.icon, ink, theme)
            words.setLeft(glyph.right() + 1 + _GAP)
        elif column is DecisionColumn.TOOL:
            ink = theme.color.selected_text if option.state & QStyle.StateFlag.State_Selected else theme.color.text
        elif column is DecisionColumn.TAKEN:
            words = cell.adjusted(4, 0, -_CELL, 0)
        text = str(index.data())
        if column is DecisionColumn.TAKEN:
            paint_text(painter, words, text, _font(column, theme), ink, align=_RIGHT)
        else:
            paint_text(painter, words, text, _font(column, theme), ink)
        painter.restore()


def _font(column: DecisionColumn, theme: Theme) -> QFont:
    font = theme.font("small", tabular=column in {DecisionColumn.TIME, DecisionColumn.TAKEN})
    if column is DecisionColumn.TOOL:
        font.setWeight(QFont.Weight.Medium)
    return font


class _Table(RowTable):
    """The rows; columns give way where there is too little room."""

    opened = Signal(object)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and index.isValid():
            self.opened.emit(index.data(DECIDED_ROLE))
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        needed = sum(_WIDTHS.values()) + _LEAST_NOTE
        for column in _GIVING_WAY:
            is_too_much = needed > self.viewport().width()
            self.setColumnHidden(column, is_too_much)
            needed -= _WIDTHS[column] if is_too_much else 0
        super().resizeEvent(event)


class DecisionsView(QWidget):
    """Show decisions.

    Args:
        model: The list.
        parent: Its owner.

    Attributes:
        model: The list.

    Signals:
        filter_changed(str): Only decisions with these words are to be listed.
        opened(str): The call with this id is to be shown.
        export_chosen(str): Write what is listed to this file.
    """

    filter_changed = Signal(str)
    opened = Signal(str)
    export_chosen = Signal(str)

    def __init__(self, model: DecisionModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = model
        set_surface(self, "panel")
        header = PanelHeader("History", height=40)
        self._summary = ElidedLabel("", "caption", "text3")
        header.add_label(self._summary)
        self.search = SearchField("Filter")
        self.search.setAccessibleName("Filter the decisions")
        self.search.setFixedWidth(200)
        self.export = Button("Export", kind="ghost", icon="download")
        header.add_button(self.search)
        header.add_button(self.export)
        self.table = _Table()
        self._set_up_table()
        self._empty = EmptyState("history", *_NONE)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self.table)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(header)
        column.addWidget(self._pages, 1)
        self.search.textChanged.connect(self.filter_changed)
        self.search.down_requested.connect(self.focus_list)
        self.export.clicked.connect(self._on_export_clicked)
        self.table.opened.connect(self._on_table_opened)
        self.table.doubleClicked.connect(self._on_table_double_clicked)
        for changed in (model.rowsInserted, model.modelReset):
            changed.connect(self._choose_page)
        self._choose_page()

    def _set_up_table(self) -> None:
        table = self.table
        table.setAccessibleName("Decisions")
        table.setObjectName("decisionsTable")
        set_surface(table, "panel")
        table.setModel(self.model)
        table.setItemDelegate(_Delegate(table))
        head = TableHead(table, numbers={DecisionColumn.TAKEN}, fill="panel")
        table.setHorizontalHeader(head)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        for column, width in _WIDTHS.items():
            table.setColumnWidth(column, width)
        head.setSectionResizeMode(DecisionColumn.NOTE, QHeaderView.ResizeMode.Stretch)

    def show_summary(self, words: str) -> None:
        """Say what was decided today."""
        self._summary.set_text(words)

    def show_problem(self, sentence: str) -> None:
        """Say why there is no list; empty when there is."""
        self._empty.show_text(*(("The history cannot be read", sentence) if sentence else _NONE))
        self._choose_page()

    def focus_list(self) -> None:
        """Let the keys move in the list."""
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def _choose_page(self) -> None:
        has_rows = self.model.rowCount() > 0
        text = self.search.text().strip()
        if not has_rows and text:
            self._empty.show_text(f"Nothing matches “{text}”", "Fewer words admit more decisions.")
        self._pages.setCurrentWidget(self.table if has_rows else self._empty)
        self.export.setEnabled(has_rows)

    def _on_table_opened(self, row: DecidedRow) -> None:
        self.opened.emit(row.call_id)

    def _on_table_double_clicked(self, index: QModelIndex) -> None:
        self.opened.emit(index.data(DECIDED_ROLE).call_id)

    def _on_export_clicked(self) -> None:
        dialog = QFileDialog(self, "Export decisions as")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilters(["Table (*.csv)"])
        dialog.setDefaultSuffix("csv")
        dialog.selectFile("decisions.csv")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.export_chosen)
        dialog.open()
