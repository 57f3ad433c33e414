"""The tree itself: what keys and clicks do in it, and what stays open over filtering and reloading."""

from __future__ import annotations

from collections import deque
from functools import lru_cache
from typing import Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QContextMenuEvent, QFont, QFontMetrics, QKeyEvent, QKeySequence, QMouseEvent, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTreeView

from console.assets import paint_icon, paint_picture
from console.browser.model import ITEM_ROLE, ItemKind, ToolTreeModel, TreeItem
from console.browser.tool_tree import FAMILIES
from console.language import tr
from console.theme import Theme, ThemeName, load_theme, mirror, place_in, theme_of
from console.widgets import (
    TextFace,
    paint_latency_bars,
    paint_marked,
    paint_row,
    paint_status,
    paint_text,
    set_surface,
    spinner_clock,
    text_face,
)

_LEFT: Final = 8
_RIGHT: Final = 12
_GAP: Final = 6
_CHEVRON: Final = 14
_SHIELD: Final = 14
_BARS_WIDTH: Final = 14
_LINE_PITCH: Final = 18
_FIRST_LINE: Final = 22
_NOTICE_LEFT: Final = 46
_DIMMED: Final = 0.4
_ALIGN_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def chevron_box(kind: ItemKind, row: QRect, theme: Theme) -> QRect:
    """Give where the chevron of a family or group stands in its row."""
    left = _LEFT + (theme.size.indent if kind is ItemKind.GROUP else 0)
    return QRect(row.x() + left, row.y() + (row.height() - _CHEVRON) // 2, _CHEVRON, _CHEVRON)


class ToolTreeDelegate(QStyledItemDelegate):
    """Paint chevron, glyph, name with its matches, and at the right the shield and latency bars, or the count."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._loading = False

    def set_loading(self, *, loading: bool) -> None:
        """Show rings in place of the families' counts, or the counts again."""
        self._loading = loading

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return the height of a row; the width follows the view."""
        return QSize(0, theme_of().size.row_tree)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        item: TreeItem = index.data(ITEM_ROLE)
        theme = theme_of()
        painter.save()
        mirror(painter, option.rect)
        if item.kind is not ItemKind.FACT:
            paint_row(painter, option, theme)
        if item.kind is ItemKind.LINK and not item.notice:
            _paint_offer(painter, _row(option), item, theme)
        elif item.notice:
            _paint_notice(painter, option, item, theme)
        elif item.tool is not None:
            _paint_tool(painter, option, item, theme)
        else:
            self._paint_branch(painter, option, item, theme)
        painter.restore()

    def _paint_branch(self, painter: QPainter, option: QStyleOptionViewItem, item: TreeItem, theme: Theme) -> None:
        row, state = _row(option), _state(option)
        color = theme.color
        selected = bool(state & QStyle.StateFlag.State_Selected)
        quiet = color.text2 if selected else color.text3
        ink = quiet if item.dimmed else color.text
        box = chevron_box(item.kind, row, theme)
        if item.failure is None or item.count:
            opened = bool(state & QStyle.StateFlag.State_Open) and not item.dimmed
            paint_icon(painter, box, "chevron-down" if opened else "chevron-right", color.text2, theme)
        left = box.right() + 1 + _GAP
        if item.icon:
            icon_box = QRect(left, row.y() + (row.height() - theme.size.icon) // 2, theme.size.icon, theme.size.icon)
            _paint_icon(painter, icon_box, item, quiet if item.dimmed else color.text2, theme)
            left += theme.size.icon + _GAP
        right = self._paint_end(painter, row, item, quiet, theme)
        font = theme.font("heading" if item.kind is ItemKind.FAMILY else "body")
        paint_text(painter, QRect(left, row.y(), right - left, row.height()), item.text, font, ink)

    def _paint_end(self, painter: QPainter, row: QRect, item: TreeItem, ink: QColor, theme: Theme) -> int:
        """Paint the count, or what stands in its place, and give where the name has to end."""
        right = row.right() + 1 - _RIGHT
        size = theme.size.icon_small
        glyph = QRect(right - size, row.y() + (row.height() - size) // 2, size, size)
        if self._loading and item.kind is ItemKind.FAMILY:
            paint_status(painter, glyph, "running", theme, turn=spinner_clock().turn)
            return glyph.x() - _GAP
        if item.failure is not None:
            paint_status(painter, glyph, "failed", theme)
            right = glyph.x() - _GAP
        if not item.count:
            return right
        font = theme.font("caption", tabular=True)
        font.setWeight(QFont.Weight.Normal)
        width = QFontMetrics(font).horizontalAdvance(item.count) + 1
        paint_text(
            painter, QRect(right - width, row.y(), width, row.height()), item.count, font, ink, align=_ALIGN_RIGHT
        )
        return right - width - _GAP


def _row(option: QStyleOptionViewItem) -> QRect:
    rect: QRect = option.rect
    return rect


def _state(option: QStyleOptionViewItem) -> QStyle.StateFlag:
    state: QStyle.StateFlag = option.state
    return state


def _paint_icon(painter: QPainter, box: QRect, item: TreeItem, ink: QColor, theme: Theme) -> None:
    if item.picture is None:
        paint_icon(painter, box, item.icon, ink, theme)
        return
    painter.setOpacity(_DIMMED if item.dimmed else 1.0)
    paint_picture(painter, box, item.picture, theme)
    painter.setOpacity(1.0)


def _paint_tool(painter: QPainter, option: QStyleOptionViewItem, item: TreeItem, theme: Theme) -> None:
    tool = item.tool
    if tool is None:
        return
    row = _row(option)
    left = row.x() + _LEFT + 2 * theme.size.indent + _GAP
    glyph = theme.size.status_glyph
    paint_status(painter, QRect(left, row.y() + (row.height() - glyph) // 2, glyph, glyph), tool.health, theme)
    left += glyph + _GAP + 1
    if item.icon:
        size = theme.size.icon_small
        ink = theme.color.text_disabled if item.dimmed else theme.color.text2
        _paint_icon(painter, QRect(left, row.y() + (row.height() - size) // 2, size, size), item, ink, theme)
        left += size + _GAP
    right = row.right() + 1 - _RIGHT - _BARS_WIDTH
    if tool.latency is not None:
        paint_latency_bars(painter, QRect(right, row.y(), _BARS_WIDTH - 1, row.height()), tool.latency, theme)
    if tool.asks_first:
        right -= _GAP + _SHIELD
        box = QRect(right, row.y() + (row.height() - _SHIELD) // 2, _SHIELD, _SHIELD)
        paint_status(painter, box, "needs_approval", theme, color=theme.status.warn.text)
    elif tool.latency is None:
        right += _BARS_WIDTH
    if tool.lacks:
        right -= _GAP + _SHIELD
        box = QRect(right, row.y() + (row.height() - _SHIELD) // 2, _SHIELD, _SHIELD)
        paint_icon(painter, box, "package", theme.color.text3, theme)
    if tool.findings:
        right -= _GAP + _SHIELD
        box = QRect(right, row.y() + (row.height() - _SHIELD) // 2, _SHIELD, _SHIELD)
        ink = theme.status.error.text if tool.is_misdescribed else theme.color.text3
        paint_icon(painter, box, "message-square-text", ink, theme)
    if item.starred:
        right -= _GAP + _SHIELD
        box = QRect(right, row.y() + (row.height() - _SHIELD) // 2, _SHIELD, _SHIELD)
        paint_icon(painter, box, "star", theme.color.text3, theme)
    words = QRect(left, row.y(), right - _GAP - left, row.height())
    ink = theme.color.text_disabled if item.dimmed else theme.color.text
    paint_marked(painter, words, item.text, item.spans, _face(theme.name), ink, theme)


@lru_cache(maxsize=2)
def _face(name: ThemeName) -> TextFace:
    return text_face(load_theme(name).font("body"))


def _paint_offer(painter: QPainter, row: QRect, item: TreeItem, theme: Theme) -> None:
    left = chevron_box(ItemKind.GROUP, row, theme).right() + 1 + _GAP
    font = theme.font("small")
    font.setWeight(QFont.Weight.Medium)
    words = QRect(left, row.y(), row.right() + 1 - _RIGHT - left, row.height())
    paint_text(painter, words, item.text, font, theme.color.accent_text)


def _paint_notice(painter: QPainter, option: QStyleOptionViewItem, item: TreeItem, theme: Theme) -> None:
    """Paint this row's share of a notice whose lines stand closer than rows do."""
    row = _row(option)
    at = item.notice.index(item.text)
    painter.setClipRect(row)
    block_top = row.y() - at * row.height() - theme.size.row_tree // 2 + _FIRST_LINE - _LINE_PITCH // 2
    for line, text in enumerate(item.notice):
        words = QRect(
            row.x() + _NOTICE_LEFT,
            block_top + line * _LINE_PITCH,
            row.width() - _NOTICE_LEFT - _RIGHT,
            _LINE_PITCH,
        )
        ink = theme.color.accent_text if line else theme.color.text3
        font = theme.font("small")
        if line:
            font.setWeight(QFont.Weight.Medium)
        paint_text(painter, words, text, font, ink)


_OPENED_AT_ONCE: Final = 120
_OPENED_LATER: Final = 300
_LARGEST_AT_ONCE: Final = 1_000
_BRANCHES: Final = (ItemKind.FAMILY, ItemKind.GROUP)


class ToolTreeView(QTreeView):
    """Show the tools tree.

    A click on a tool, a failed plugin or a link opens it, as Enter does; a click on a chevron, a double click on a
    family or group, Left and Right open and close; letters go to the next row that starts with them. While a filter is
    set, what it leaves is open; without one, what was open before is open again. Beyond the first few hundred rows,
    opening goes on between events.

    Signals:
        opened(TreeItem): A tool, a failed plugin or a link was clicked, or Enter was pressed on it.
        menu_requested(TreeItem, QPoint): The context menu of a row is wanted, at a place on the screen.
        name_wanted(TreeItem): Copy was pressed on a tool.
        toggled: Something was opened or closed by the person.
        left_upwards: Up was pressed on the first row.
    """

    opened = Signal(object)
    menu_requested = Signal(object, object)
    name_wanted = Signal(object)
    toggled = Signal()
    left_upwards = Signal()

    def __init__(self, model: ToolTreeModel) -> None:
        super().__init__()
        self._tree_model = model
        self._open_keys: set[str] = set(FAMILIES)
        self._current_key = ""
        self._restoring = False
        self._later: deque[QPersistentModelIndex] = deque()
        self._opening = QTimer(self, interval=0)
        self._opening.timeout.connect(self._on_opening_timeout)
        self._delegate = ToolTreeDelegate(self)
        self.setAccessibleName(tr("Tools tree"))
        self.setObjectName("toolsTree")
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setUniformRowHeights(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setItemDelegate(self._delegate)
        set_surface(self, "panel")
        self.setModel(model)
        model.modelReset.connect(self._restore)
        model.rowsInserted.connect(self._on_model_rows_inserted)
        model.rowsAboutToBeRemoved.connect(self._on_model_rows_about_to_be_removed)
        model.rowsRemoved.connect(self._on_model_rows_removed)
        self.clicked.connect(self._on_self_clicked)
        self.expanded.connect(self._on_self_expanded)
        self.collapsed.connect(self._on_self_collapsed)
        self._restore()

    def current_item(self) -> TreeItem | None:
        """Give the row that keys act on; None when there is none."""
        index = self.currentIndex()
        return index.data(ITEM_ROLE) if index.isValid() else None

    def any_group_open(self) -> bool:
        return any(self._is_open_group(index) for index in self._tree_model.parents())

    def set_groups_open(self, *, opened: bool) -> None:
        """Open or close all groups; families are opened with them, and stay open."""
        self._restoring = True
        for index in self._tree_model.parents():
            is_group = index.parent().isValid()
            if opened or is_group:
                self.setExpanded(index, opened)
                if not self._tree_model.filtered:
                    self._remember(index, opened=opened)
        self._restoring = False
        self.toggled.emit()

    def _remember(self, index: QModelIndex, *, opened: bool) -> None:
        key = self._tree_model.item(index).key
        if opened:
            self._open_keys.add(key)
        else:
            self._open_keys.discard(key)

    def select(self, name: str) -> None:
        """Mark a tool, and open what it stands in; an unknown name marks nothing."""
        self._current_key = name
        index = self._tree_model.index_of(name)
        self._restoring = True
        if index.isValid():
            for branch in (index.parent().parent(), index.parent()):
                self.expand(branch)
                # Or the next reset of the model would close it again.
                if branch.isValid() and not self._tree_model.filtered:
                    self._remember(branch, opened=True)
            self.setCurrentIndex(index)
            self.scrollTo(index)
        else:
            self.setCurrentIndex(QModelIndex())
        self._restoring = False

    def enter(self) -> None:
        """Take the focus: to the row that was current, else to the first tool in sight, else to the first row."""
        if not self.currentIndex().isValid():
            first = self._tree_model.first_tool()
            shown = first.isValid() and self.isExpanded(first.parent()) and self.isExpanded(first.parent().parent())
            self.setCurrentIndex(first if shown else self._tree_model.index(0, 0))
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def set_loading(self, *, loading: bool) -> None:
        self._delegate.set_loading(loading=loading)
        spinner_clock().set_turning(self, turning=loading, repaint=self._repaint)
        if self.isVisible():
            self._repaint()

    def _repaint(self) -> None:
        # Only families have rings. For the first `viewport()` PySide makes all widget classes: half a picture in time.
        for row in range(self._tree_model.rowCount()):
            self.update(self._tree_model.index(row, 0))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open with Enter; leave upwards from the first row; copy a name."""
        item = self.current_item()
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and item is not None:
            self._open(self.currentIndex())
        elif event.key() == Qt.Key.Key_Up and self.currentIndex() == self._tree_model.index(0, 0):
            self.left_upwards.emit()
        elif event.matches(QKeySequence.StandardKey.Copy) and item is not None and item.tool is not None:
            self.name_wanted.emit(item)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Open or close at a chevron, without changing what is marked."""
        if event.button() is Qt.MouseButton.LeftButton and self._toggle_at_chevron(event):
            return
        super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Let two quick clicks on a chevron be two clicks."""
        if event.button() is not Qt.MouseButton.LeftButton or not self._toggle_at_chevron(event):
            super().mouseDoubleClickEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of the row under the pointer, or of the current one."""
        by_mouse = event.reason() is QContextMenuEvent.Reason.Mouse
        index = self.indexAt(event.pos()) if by_mouse else self.currentIndex()
        if index.isValid():
            self.setCurrentIndex(index)
            place = event.globalPos() if by_mouse else self.viewport().mapToGlobal(self.visualRect(index).center())
            self.menu_requested.emit(index.data(ITEM_ROLE), place)

    def currentChanged(
        self, current: QModelIndex | QPersistentModelIndex, previous: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Keep in mind what a person marked, as filtering may hide it for a while."""
        super().currentChanged(current, previous)
        if current.isValid() and not self._restoring:
            item: TreeItem = current.data(ITEM_ROLE)
            self._current_key = item.key

    def _open(self, index: QModelIndex) -> None:
        item = self._tree_model.item(index)
        if item.kind in _BRANCHES and item.failure is None:
            self.setExpanded(index, not self.isExpanded(index))
        elif item.kind is not ItemKind.FACT:
            self.opened.emit(item)

    def _toggle_at_chevron(self, event: QMouseEvent) -> bool:
        point = event.position().toPoint()
        index = self.indexAt(point)
        item: TreeItem | None = index.data(ITEM_ROLE) if index.isValid() else None
        if item is None or item.kind not in _BRANCHES or not self._tree_model.rowCount(index):
            return False
        row = self.visualRect(index)
        box = chevron_box(item.kind, row, theme_of(self)).adjusted(-5, -5, 3, 5)
        if not box.contains(place_in(self, point, row)):
            return False
        self.setExpanded(index, not self.isExpanded(index))
        return True

    def _is_open_group(self, index: QModelIndex) -> bool:
        return index.parent().isValid() and self.isExpanded(index)

    def _restore(self) -> None:
        self._restoring = True
        self._later.clear()
        left = _OPENED_AT_ONCE
        for index in self._tree_model.parents():
            item = self._tree_model.item(index)
            if item.key == self._current_key:
                self.setCurrentIndex(index)
            if not self._tree_model.filtered and item.key not in self._open_keys:
                continue
            rows = self._tree_model.rowCount(index) if item.kind is ItemKind.GROUP else 0
            if left > 0 and rows <= _LARGEST_AT_ONCE:
                self.expand(index)
                left -= rows
            else:
                self._later.append(QPersistentModelIndex(index))
        self._mark_again()
        self._restoring = False
        if self._later:
            self._opening.start()
        else:
            self._opening.stop()

    def _on_opening_timeout(self) -> None:
        """Open some more of what shall be open; Qt asks the model about each row, which takes its time."""
        self._restoring = True
        left = _OPENED_LATER
        while self._later and left > 0:
            index = self._later.popleft()
            if index.isValid():
                self.expand(index)
                left -= self._tree_model.rowCount(index)
        self._restoring = False
        if not self._later:
            self._opening.stop()
            self.toggled.emit()

    def _mark_again(self) -> None:
        index = self._tree_model.index_of(self._current_key)
        if index.isValid():
            self.setCurrentIndex(index)

    def _on_self_clicked(self, index: QModelIndex) -> None:
        item = self._tree_model.item(index)
        if item.kind not in _BRANCHES or item.failure is not None:
            self._open(index)

    def _on_model_rows_inserted(self, parent: QModelIndex, first: int, last: int) -> None:
        self._restoring = True
        inserted = [self._tree_model.index(row, 0, parent) for row in range(first, last + 1)]
        for index in (parent, *inserted):
            if index.isValid() and self._tree_model.item(index).key in self._open_keys:
                self.expand(index)
        self._mark_again()
        self._restoring = False

    def _on_model_rows_about_to_be_removed(self) -> None:
        # Qt marks a neighbour in place of what goes; a plugin that is loaded again comes back.
        self._restoring = True

    def _on_model_rows_removed(self) -> None:
        self._restoring = False

    def _on_self_expanded(self, index: QModelIndex) -> None:
        self._note_toggled(index, opened=True)

    def _on_self_collapsed(self, index: QModelIndex) -> None:
        self._note_toggled(index, opened=False)

    def _note_toggled(self, index: QModelIndex, *, opened: bool) -> None:
        if self._restoring:
            return
        if not self._tree_model.filtered:
            self._remember(index, opened=opened)
        self.toggled.emit()
