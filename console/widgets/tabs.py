"""The two kinds of tab bars: documents above a page, views inside it."""

from typing import Final

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QStyle, QTabBar

from console.assets import paint_icon
from console.language import tr
from console.theme import Theme, mirrored, theme_of
from console.widgets.motion import spinner_clock
from console.widgets.painting import paint_box, paint_pill, paint_text, pill_size
from console.widgets.status import STATUS, StatusName, paint_status

_PADDING: Final = 12
_GAP: Final = 8
_CLOSE_SIZE: Final = 12
_MAX_TAB_WIDTH: Final = 260
_LEAST_NAME: Final = 32


class InnerTabBar(QTabBar):
    """Tabs of a panel: 36 px high, the current one bold and underlined in the accent, counts as pills.

    Names are shortened where there is no room for all of them.

    Args:
        margin: Space before the first word in logical pixels, 10 at least.
    """

    def __init__(self, name: str, *, margin: int = 20) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setUsesScrollButtons(False)
        self.setElideMode(Qt.TextElideMode.ElideRight)
        self.setMouseTracking(True)
        self._margin = margin - 10

    def add_tab(self, text: str, *, count: str = "") -> int:
        """Add a view.

        Args:
            count: What its pill says; "" for no pill.

        Returns:
            The index of the tab.
        """
        index = self.addTab(text)
        self.set_count(index, count)
        return index

    def set_count(self, index: int, count: str) -> None:
        """Change what the pill of a tab says; "" takes it away."""
        if self.tabData(index) == count:
            return
        self.setTabData(index, count)
        self.setAccessibleTabName(index, f"{self.tabText(index)}, {count}" if count else self.tabText(index))
        # Qt lays tabs out anew only when a text changes.
        self.setTabText(index, self.tabText(index))
        self.updateGeometry()
        self.update()

    def tabSizeHint(self, index: int) -> QSize:
        """Return the size of one tab; the width is that of the bold text, so that nothing moves on a change."""
        theme = theme_of(self)
        extra = self._margin if index == 0 else 0
        return QSize(self._content_width(index, theme) + 20 + extra, theme.size.tab_bar)

    def minimumTabSizeHint(self, index: int) -> QSize:
        """Return the size at which a few letters of a long name are left."""
        hint = self.tabSizeHint(index)
        name = QFontMetrics(theme_of(self).font("heading")).horizontalAdvance(self.tabText(index))
        return QSize(hint.width() - max(0, name - _LEAST_NAME), hint.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = QPainter(self)
        for index in range(self.count()):
            if self.isTabVisible(index):
                with mirrored(painter, self.tabRect(index)):
                    self._paint_tab(painter, index, theme)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self.update()

    def _content_width(self, index: int, theme: Theme) -> int:
        width = QFontMetrics(theme.font("heading")).horizontalAdvance(self.tabText(index))
        count = self.tabData(index)
        return width + (7 + pill_size(count, theme)[0] if count else 0)

    def _paint_tab(self, painter: QPainter, index: int, theme: Theme) -> None:
        rect = self.tabRect(index)
        if index == 0:
            rect.setLeft(rect.left() + self._margin)
        rect.adjust(10, 0, -10, 0)
        current = index == self.currentIndex()
        over = rect.contains(self.mapFromGlobal(self.cursor().pos())) and self.underMouse()
        font = theme.font("heading" if current else "body")
        ink = theme.color.text if current or over else theme.color.text2
        if not self.isTabEnabled(index):
            ink = theme.color.text_disabled
        count = self.tabData(index)
        room = rect.width() - (7 + pill_size(count, theme)[0] if count else 0)
        text = self.tabText(index)
        width = min(QFontMetrics(font).horizontalAdvance(text), room)
        paint_text(painter, QRect(rect.x(), 0, width + 1, rect.height()), text, font, ink)
        if count:
            pill_width, pill_height = pill_size(count, theme)
            box = QRect(rect.x() + width + 7, (rect.height() - pill_height) // 2, pill_width, pill_height)
            paint_pill(painter, box, count, theme)
        if current:
            painter.fillRect(rect.x(), rect.bottom() - 1, rect.width(), 2, theme.color.accent)


def _document_font(theme: Theme, *, current: bool) -> QFont:
    font = theme.font("small")
    if current:
        font.setWeight(QFont.Weight.Medium)
    return font


class _Tab:
    """What a document's tab shows besides its name."""

    def __init__(self, key: str, status: StatusName) -> None:
        self.key = key
        self.status: StatusName = status


class DocumentTabBar(QTabBar):
    """Tabs of open documents: a status glyph, the name, a cross or the dot of something unsaved.

    A click on the cross or with the middle button asks for it to be closed. Qt's own
    `currentChanged` and `tabMoved` tell the rest. `key(index)` tells documents apart, whatever their names are.

    Signals:
        close_requested(str): The user wants to close the document with this key.
    """

    close_requested = Signal(str)

    def __init__(self, name: str = tr("Open tools")) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setDrawBase(False)
        self.setDocumentMode(True)
        self.setMovable(True)
        self.setExpanding(False)
        self.setMouseTracking(True)
        self.setElideMode(Qt.TextElideMode.ElideMiddle)
        self._pressed_close = -1

    def add_document(self, key: str, text: str, status: StatusName = "unknown") -> int:
        """Add a document's tab.

        Args:
            status: A name of `STATUS`.

        Returns:
            The index of the tab.
        """
        index = self.addTab(text)
        self.setTabData(index, _Tab(key, status))
        self._describe(index)
        # The first layout was made before the status was known.
        self.setTabText(index, text)
        return index

    def key(self, index: int) -> str:
        return self._tab(index).key

    def index_of(self, key: str) -> int:
        """Give the index of a document, -1 if it is not open."""
        return next((index for index in range(self.count()) if self.key(index) == key), -1)

    def keys(self) -> tuple[str, ...]:
        """Give the keys of all documents, left to right."""
        return tuple(self.key(index) for index in range(self.count()))

    def set_status(self, key: str, status: StatusName) -> None:
        """Show another status of a document; an unknown key is ignored, as the tab may be closed by then."""
        index = self.index_of(key)
        if index >= 0:
            self._tab(index).status = status
            self._describe(index)
            self.update()

    def set_document_text(self, key: str, text: str) -> None:
        """Give a document another name; an unknown key is ignored."""
        index = self.index_of(key)
        if index >= 0 and self.tabText(index) != text:
            self.setTabText(index, text)
            self._describe(index)

    def tabSizeHint(self, index: int) -> QSize:
        theme = theme_of(self)
        text = QFontMetrics(_document_font(theme, current=True)).horizontalAdvance(self.tabText(index)) + 1
        around = _PADDING * 2 + theme.size.status_glyph + _GAP * 2 + _CLOSE_SIZE
        return QSize(min(_MAX_TAB_WIDTH, text + around), theme.size.tab_bar)

    def minimumTabSizeHint(self, index: int) -> QSize:
        return QSize(min(120, self.tabSizeHint(index).width()), theme_of(self).size.tab_bar)

    def close_rect(self, index: int) -> QRect:
        """Give where the cross of a tab is, in the bar's coordinates."""
        return QStyle.visualRect(self.layoutDirection(), self.tabRect(index), self._close_rect(index))

    def _close_rect(self, index: int) -> QRect:
        """Give where the cross is painted, before the tab is mirrored."""
        rect = self.tabRect(index)
        left = rect.right() + 1 - _PADDING - _CLOSE_SIZE
        return QRect(left, rect.y() + (rect.height() - _CLOSE_SIZE) // 2, _CLOSE_SIZE, _CLOSE_SIZE)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remember a press on a cross; otherwise choose and move tabs as Qt does."""
        index = self._close_at(event.position().toPoint())
        if event.button() is Qt.MouseButton.LeftButton and index >= 0:
            self._pressed_close = index
            return
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        pressed, self._pressed_close = self._pressed_close, -1
        if event.button() is Qt.MouseButton.MiddleButton and self.tabAt(point) >= 0:
            self.close_requested.emit(self.key(self.tabAt(point)))
            return
        if pressed >= 0:
            if self._close_at(point) == pressed:
                self.close_requested.emit(self.key(pressed))
            return
        super().mouseReleaseEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color.window)
        painter.fillRect(0, self.height() - 1, self.width(), 1, theme.color.border)
        turning = False
        for index in range(self.count()):
            with mirrored(painter, self.tabRect(index)):
                self._paint_tab(painter, index, theme)
            turning = turning or self._tab(index).status == "running"
        spinner_clock().set_turning(self, turning=turning)

    def _tab(self, index: int) -> _Tab:
        tab = self.tabData(index)
        # Qt asks for sizes while a tab is inserted, before its data is set.
        return tab if isinstance(tab, _Tab) else _Tab("", "unknown")

    def _describe(self, index: int) -> None:
        tab = self._tab(index)
        words = f"{self.tabText(index)}, {STATUS[tab.status].word}"
        self.setAccessibleTabName(index, words)
        self.setTabToolTip(index, words)

    def _close_at(self, point: QPoint) -> int:
        index = self.tabAt(point)
        return index if index >= 0 and self.close_rect(index).adjusted(-4, -4, 4, 4).contains(point) else -1

    def _paint_tab(self, painter: QPainter, index: int, theme: Theme) -> None:
        color, rect, tab = theme.color, self.tabRect(index), self._tab(index)
        current = index == self.currentIndex()
        pointer = self.mapFromGlobal(self.cursor().pos())
        over = self.underMouse() and rect.contains(pointer)
        if current:
            painter.fillRect(rect, color.surface)
            painter.fillRect(rect.x(), rect.y(), rect.width(), 2, color.accent)
        elif over:
            painter.fillRect(rect.adjusted(0, 0, 0, -1), color.hover)
        painter.fillRect(rect.right(), rect.y(), 1, rect.height(), color.border)
        glyph = theme.size.status_glyph
        left = rect.x() + _PADDING
        box = QRect(left, rect.y() + (rect.height() - glyph) // 2, glyph, glyph)
        paint_status(painter, box, tab.status, theme, turn=spinner_clock().turn)
        close = self._close_rect(index)
        words = QRect(left + glyph + _GAP, rect.y(), close.x() - left - glyph - _GAP * 2 + 1, rect.height())
        ink = color.text if current or over else color.text2
        paint_text(
            painter, words, self.tabText(index), _document_font(theme, current=current), ink, elide=self.elideMode()
        )
        over_close = over and self.close_rect(index).adjusted(-4, -4, 4, 4).contains(pointer)
        if over_close:
            paint_box(painter, close.adjusted(-3, -3, 3, 3), theme.radius.small, fill=color.pressed)
        paint_icon(painter, close, "x", color.text2, theme)
