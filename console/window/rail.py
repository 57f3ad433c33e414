"""The rail at the left: one button for each page that exists."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup, QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolBar, QToolButton, QVBoxLayout, QWidget

from console.assets import paint_icon
from console.theme import Theme, theme_of
from console.widgets import paint_focus_ring, paint_text

_COUNT: Final = 16
"""Height of the count in logical pixels."""

_MOST: Final = 99


class RailButton(QToolButton):
    """One page's button: an icon, the accent line when it is the current page, a count when something waits."""

    def __init__(self, icon: str, action: QAction, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon_name = icon
        self.count = 0
        self.setDefaultAction(action)
        self.setAccessibleName(action.text())
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        theme = theme_of(self)
        return QSize(theme.size.rail, theme.size.rail_button + 4)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        side = theme.size.rail_button
        box = QRect((self.width() - side) // 2, (self.height() - side) // 2, side, side)
        current = self.isChecked()
        if current or self.underMouse():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color.accent_soft if current else theme.color.hover)
            painter.drawRoundedRect(QRectF(box), theme.radius.medium, theme.radius.medium)
        size = theme.size.icon_large
        inner = QRect(0, 0, size, size)
        inner.moveCenter(box.center())
        paint_icon(painter, inner, self._icon_name, theme.color.accent_text if current else theme.color.text2, theme)
        if current:
            painter.fillRect(QRect(0, box.top() + 8, 2, side - 16), theme.color.accent)
        if self.count:
            self._paint_count(painter, box, theme)
        if self.hasFocus():
            paint_focus_ring(painter, box, theme.radius.medium, theme)

    def set_count(self, count: int) -> None:
        self.count = count
        text = self.defaultAction().text()
        self.setAccessibleName(f"{text}, {count} waiting" if count else text)
        self.update()

    def _paint_count(self, painter: QPainter, box: QRect, theme: Theme) -> None:
        text = str(self.count) if self.count <= _MOST else f"{_MOST}+"
        font = theme.font("caption", tabular=True)
        font.setPixelSize(10)
        font.setWeight(QFont.Weight.DemiBold)
        width = max(_COUNT, QFontMetrics(font).horizontalAdvance(text) + 8)
        badge = QRect(box.right() + 3 - width, box.top(), width, _COUNT)
        painter.setPen(Qt.PenStyle.NoPen)
        # A gap in the colour of the bar keeps the count apart from the icon.
        painter.setBrush(theme.color.window)
        painter.drawRoundedRect(QRectF(badge).adjusted(-2, -2, 2, 2), _COUNT / 2 + 2, _COUNT / 2 + 2)
        painter.setBrush(theme.color.accent)
        painter.drawRoundedRect(QRectF(badge), _COUNT / 2, _COUNT / 2)
        paint_text(painter, badge, text, font, theme.color.on_accent, align=Qt.AlignmentFlag.AlignCenter)


class Rail(QToolBar):
    """The vertical bar of pages."""

    page_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Pages", parent)
        self.setObjectName("rail")
        self.setProperty("edge", "right")
        self.setMovable(False)
        self.setOrientation(Qt.Orientation.Vertical)
        self.setFixedWidth(theme_of(self).size.rail + 1)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self._group = QActionGroup(self)
        self._group.setExclusive(True)
        self._buttons: dict[str, RailButton] = {}
        column = QWidget()
        self._layout = QVBoxLayout(column)
        self._layout.setContentsMargins(0, 4, 0, 4)
        self._layout.setSpacing(0)
        self._layout.addStretch(1)
        self.addWidget(column)
        column.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)

    def add_page(self, key: str, text: str, icon: str) -> None:
        """Add a page's button; the first one is current, and each has Ctrl and its number."""
        number = len(self._group.actions()) + 1
        action = QAction(text, self)
        action.setCheckable(True)
        action.setChecked(number == 1)
        action.setData(key)
        action.setShortcut(f"Ctrl+{number}")
        action.setToolTip(f"{text} (Ctrl+{number})")
        action.triggered.connect(self._on_action_triggered)
        self._group.addAction(action)
        button = self._buttons[key] = RailButton(icon, action)
        self._layout.insertWidget(self._layout.count() - 1, button)

    def set_count(self, key: str, count: int) -> None:
        """Show on a page's button how much waits there."""
        self._buttons[key].set_count(count)

    def count(self, key: str) -> int:
        """Give how much waits behind a page's button."""
        return self._buttons[key].count

    def choose(self, key: str) -> None:
        """Bring a page to the front."""
        for action in self._group.actions():
            if action.data() == key:
                action.setChecked(True)
                self.page_requested.emit(key)

    @Slot()
    def _on_action_triggered(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.page_requested.emit(action.data())
