"""The list of open questions: its head with order and filter, and how a question is painted."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QFont, QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from console.approval.model import URGENT_S
from console.approval.queue_rows import ORDER_WORDS, PendingRow, QueueOrder, QueueShape
from console.approval.queue_table_model import QueueModel
from console.assets import paint_icon
from console.language import tr
from console.theme import Theme, mirror, theme_of
from console.widgets import (
    CELL_ROLE,
    ROW_ROLE,
    BarFrame,
    ElidedLabel,
    EmptyState,
    IconButton,
    Menu,
    PanelHeader,
    SearchField,
    format_countdown,
    paint_box,
    paint_row,
    paint_text,
    set_surface,
    vbox,
)
from console.widgets.dialogs import paint_countdown
from tools.sentences import begin_sentence

ROW_HEIGHT: Final = 76
"""Height of a row in logical pixels."""

_SIDE: Final = 12
_LINE: Final = 20
_TOP: Final = 8
_RING: Final = 14
_ICON: Final = 14
_GAP: Final = 6
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class QueueDelegate(QStyledItemDelegate):
    """Paint open questions.

    Args:
        model: The questions, for the time.
    """

    def __init__(self, model: QueueModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(120, ROW_HEIGHT)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row: PendingRow = index.data(ROW_ROLE)
        theme = theme_of()
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        mirror(painter, option.rect)
        # What is current here is what the page shows beside it, wherever the keys go.
        shown = QStyleOptionViewItem(option)
        shown.state |= QStyle.StateFlag.State_Active
        paint_row(painter, shown, theme)
        area: QRect = option.rect
        painter.fillRect(area.x(), area.bottom(), area.width(), 1, theme.color.border)
        lines = [
            QRect(area.x() + _SIDE, area.y() + _TOP + _LINE * number, area.width() - 2 * _SIDE, _LINE)
            for number in range(3)
        ]
        name = lines[0].adjusted(0, 0, -self._paint_clock(painter, lines[0], row, theme), 0)
        if index.data(CELL_ROLE).is_checked:
            name.setLeft(name.left() + _paint_pick(painter, name, theme))
        paint_text(
            painter, name, row.tool, _name_font(theme), theme.color.selected_text if selected else theme.color.text
        )
        font = theme.font("code") if row.is_code else theme.font("small")
        font.setPixelSize(theme.type_scale["small"].size)
        paint_text(painter, lines[1], row.summary, font, theme.color.text2)
        _paint_foot(painter, lines[2], row, theme)
        painter.restore()

    def _paint_clock(self, painter: QPainter, line: QRect, row: PendingRow, theme: Theme) -> int:
        """Paint ring and clock at the right end, and return how much room they take."""
        left_s = row.left_s(self._model.now)
        if left_s is None:
            return 0
        urgent = left_s <= URGENT_S
        soon = left_s <= 2 * URGENT_S
        font = theme.font("small", tabular=True)
        font.setWeight(QFont.Weight.Bold if urgent else QFont.Weight.DemiBold)
        tone = theme.status.error if urgent else theme.status.warn
        text = format_countdown(left_s)
        width = QFontMetrics(font).horizontalAdvance(text)
        paint_text(painter, line, text, font, tone.text if soon else theme.color.text2, align=_RIGHT)
        box = QRectF(
            line.right() - width - _GAP - _RING + 2.5, line.y() + (_LINE - _RING) / 2 + 1.5, _RING - 3, _RING - 3
        )
        total_s = row.request.timeout_s
        paint_countdown(painter, box, min(1.0, left_s / total_s) if total_s else 0.0, tone)
        return width + 2 * _GAP + _RING


def _name_font(theme: Theme) -> QFont:
    font = theme.font("code")
    font.setPixelSize(theme.type_scale["small"].size)
    font.setWeight(QFont.Weight.DemiBold)
    return font


def _paint_pick(painter: QPainter, line: QRect, theme: Theme) -> int:
    """Paint the mark of a picked question, and return how much room it takes."""
    box = QRect(line.x(), line.y() + (_LINE - _ICON) // 2, _ICON, _ICON)
    paint_box(painter, box, theme.radius.small, fill=theme.color.accent)
    paint_icon(painter, box.adjusted(1, 1, -1, -1), "check", theme.color.on_accent, theme, stroke_width=2.6)
    return _ICON + _GAP


def _paint_foot(painter: QPainter, line: QRect, row: PendingRow, theme: Theme) -> None:
    """Paint who asks and why; the reason is never left out."""
    font = theme.font("caption")
    metrics = QFontMetrics(font)
    tag_width = _ICON + _GAP + metrics.horizontalAdvance(row.tag) + 1
    room = max(60, line.width() - tag_width - 2 * _GAP)
    caller_width = min(_ICON + _GAP + metrics.horizontalAdvance(row.caller) + 1, room)
    left = line.x()
    tag_ink = theme.color.text2 if row.is_tag_calm else theme.status.warn.text
    for icon, words, width, ink in (
        (row.caller_icon, row.caller, caller_width, theme.color.text2),
        (row.tag_icon, row.tag, line.width() - caller_width - 2 * _GAP, tag_ink),
    ):
        glyph = QRect(left, line.y() + (_LINE - 12) // 2, 12, 12)
        paint_icon(painter, glyph, icon, ink, theme)
        box = QRect(left + 12 + _GAP, line.y(), width - 12 - _GAP, _LINE)
        paint_text(painter, box, words, font, ink)
        left += width + 2 * _GAP


_RETURN_KEYS: Final = {Qt.Key.Key_Return, Qt.Key.Key_Enter}
_LEAST_TO_FILTER: Final = 8
"""From so many open questions on the filter stands there without being asked for."""


class _List(QListView):
    """The rows; letters are keys of the page, not the beginning of a name."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_letter = bool(event.text()) and event.text().isprintable()
        if event.key() in _RETURN_KEYS or (is_letter and not event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier):
            event.ignore()
        else:
            super().keyPressEvent(event)


class QueueView(QWidget):
    """Show open questions.

    Attributes:
        order_actions: The orders of the menu.

    Signals:
        chosen(str): The question with this id is current now; empty for none.
        shape_changed(object): Other questions are to be listed, or in another order.
    """

    chosen = Signal(str)
    shape_changed = Signal(object)

    def __init__(self, model: QueueModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = model
        self._shape = model.shape
        self._wants_filter = False
        set_surface(self, "panel")
        self._header = PanelHeader(tr("Pending"), edge="bottom")
        self._order = ElidedLabel(ORDER_WORDS[self._shape.order], "caption", "text3")
        self._header.add_label(self._order)
        self._sort = IconButton("arrow-down-narrow-wide", tr("Order and filter"))
        self._menu = Menu(tr("Order and filter"), self._sort)
        self._fill_menu()
        self._sort.setMenu(self._menu)
        self._header.add_button(self._sort)
        self._search_bar = BarFrame(44, surface="panel", margins=(12, 12))
        self.search = SearchField(tr("Filter the open questions"))
        self.search.textChanged.connect(self._on_search_text_changed)
        self.search.down_requested.connect(self.focus_list)
        self._search_bar.row.addWidget(self.search)
        self._search_bar.hide()
        self.list = _List(self)
        self._set_up_list()
        self._nothing = EmptyState(
            "list-filter", tr("Nothing matches"), tr("Fewer filters admit more calls."), action=tr("Clear")
        )
        self._nothing.action_requested.connect(self.clear_filter)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.list)
        self._pages.addWidget(self._nothing)
        column = vbox(self)
        column.addWidget(self._header)
        column.addWidget(self._search_bar)
        column.addWidget(self._pages, 1)
        model.rows_changed.connect(self._on_model_rows_changed)

    def _set_up_list(self) -> None:
        view = self.list
        set_surface(view, "panel")
        view.setAccessibleName(tr("Open questions"))
        view.setObjectName("pendingList")
        view.setFrameShape(QFrame.Shape.NoFrame)
        view.setModel(self.model)
        view.setItemDelegate(QueueDelegate(self.model, view))
        view.setUniformItemSizes(True)
        view.setMouseTracking(True)
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.selectionModel().currentChanged.connect(self._on_current_changed)

    def _fill_menu(self) -> None:
        group = QActionGroup(self._menu)
        self.order_actions: list[QAction] = []
        for order in QueueOrder:
            words = ORDER_WORDS[order]
            action = self._menu.addAction(begin_sentence(words))
            action.setCheckable(True)
            action.setChecked(order is self._shape.order)
            action.setData(order.value)
            group.addAction(action)
            self.order_actions.append(action)
        group.triggered.connect(self._on_order_triggered)
        self._menu.addSeparator()
        self._only_high = self._menu.addAction(tr("Only high risk"))
        self._only_high.setCheckable(True)
        self._only_high.toggled.connect(self._on_only_high_toggled)
        filter_action = self._menu.addAction(tr("Filter…"))
        filter_action.triggered.connect(self.focus_filter)

    @property
    def current_id(self) -> str:
        """The id of the current question; empty for none."""
        row = self.list.currentIndex().data(ROW_ROLE)
        return "" if row is None else row.id

    def choose(self, request_id: str) -> bool:
        """Make a question current, and say whether it is listed."""
        place = self.model.place_of(request_id)
        if place < 0:
            return False
        self.list.setCurrentIndex(self.model.index(place, 0))
        return True

    def choose_first(self) -> None:
        """Make the first question current, unless one is."""
        if self.model.rowCount() and not self.list.currentIndex().isValid():
            self.list.setCurrentIndex(self.model.index(0, 0))

    def step(self, by: int) -> None:
        """Make the next question current, or the one before."""
        place = self.list.currentIndex().row() + by
        self.list.setCurrentIndex(self.model.index(max(0, min(place, self.model.rowCount() - 1)), 0))

    def focus_list(self) -> None:
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def focus_filter(self) -> None:
        self._wants_filter = True
        self._show_filter()
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def clear_filter(self) -> None:
        """List all open questions again."""
        self._wants_filter = False
        self.search.clear()
        self._only_high.setChecked(False)
        self._show_filter()
        self.focus_list()

    def show_shape(self, shape: QueueShape) -> None:
        """Say which questions are listed, and how."""
        self._shape = shape
        self._order.set_text(ORDER_WORDS[shape.order])
        self._on_model_rows_changed()

    def _show_filter(self) -> None:
        many = self.model.total >= _LEAST_TO_FILTER
        self._search_bar.setVisible(many or self._wants_filter or bool(self.search.text()))

    def _on_model_rows_changed(self) -> None:
        listed = self.model.rowCount()
        self._pages.setCurrentWidget(self.list if listed or not self.model.total else self._nothing)
        count = tr("{listed} of {total}", listed=listed, total=self.model.total) if self._shape.narrows else ""
        self.search.set_match_count(count)
        self._show_filter()

    def _on_current_changed(self, current: QModelIndex, _before: QModelIndex) -> None:
        row = current.data(ROW_ROLE)
        self.chosen.emit("" if row is None else row.id)

    def _on_search_text_changed(self, text: str) -> None:
        self.shape_changed.emit(self._shape._replace(text=text))

    def _on_order_triggered(self, action: QAction) -> None:
        self.shape_changed.emit(self._shape._replace(order=QueueOrder(action.data())))

    def _on_only_high_toggled(self, only: bool) -> None:
        self.shape_changed.emit(self._shape._replace(high_risk_only=only))
