"""The field that filters a list while one types."""

from typing import Final

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QWidget

from console.assets import paint_icon
from console.theme import theme_of
from console.widgets.keys import key_cap_width, paint_key_cap
from console.widgets.painting import paint_text

_CAP_GAP: Final = 3


class _Trailing(QWidget):
    """What stands at the field's right end: key caps while it is empty, otherwise match count and a cross."""

    clear_requested = Signal()

    def __init__(self, keys: tuple[str, ...], parent: QWidget) -> None:
        super().__init__(parent)
        self._keys = keys
        self.count_text = ""
        self.has_text = False
        self.setCursor(Qt.CursorShape.ArrowCursor)

    def wanted_width(self) -> int:
        theme = theme_of(self)
        if not self.has_text:
            return sum(key_cap_width(key, theme) for key in self._keys) + _CAP_GAP * max(0, len(self._keys) - 1)
        count = QFontMetrics(theme.font("caption", tabular=True)).horizontalAdvance(self.count_text)
        return (count + 8 if self.count_text else 0) + 16

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.has_text and event.position().x() >= self.width() - 20:
            self.clear_requested.emit()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ToolTip:
            self.setToolTip("Clear" if self.has_text else "")
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = QPainter(self)
        if not self.has_text:
            left = 0
            for key in self._keys:
                width = key_cap_width(key, theme)
                paint_key_cap(painter, QRect(left, 0, width, self.height()), key, theme)
                left += width + _CAP_GAP
            return
        right = self.width() - 16
        words = QRect(0, 0, right - 6, self.height())
        align = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        paint_text(painter, words, self.count_text, theme.font("caption", tabular=True), theme.color.text3, align=align)
        cross = QRect(right + 1, (self.height() - 14) // 2, 14, 14)
        paint_icon(painter, cross, "x", theme.color.text2, theme)


class SearchField(QLineEdit):
    """A line of text with a magnifier, the number of matches, a cross that clears it, and its shortcut while empty.

    Esc clears the text; with no text it is passed on, so that what surrounds the field can close. Listen to
    `textChanged`.

    Args:
        placeholder: What it searches, "Filter tools".
        shortcut_hint: Its shortcut, shown as key caps while the field is empty.
        parent: Its owner.

    Signals:
        down_requested: Down was pressed: the results want the focus.
    """

    down_requested = Signal()

    def __init__(self, placeholder: str, *, shortcut_hint: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPlaceholderText(placeholder)
        self.setAccessibleName(placeholder)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._trailing = _Trailing(tuple(shortcut_hint.split("+")) if shortcut_hint else (), self)
        self._trailing.clear_requested.connect(self.clear)
        self._extra: list[QWidget] = []
        self.textChanged.connect(self._on_self_text_changed)
        self._arrange()

    def set_match_count(self, words: str) -> None:
        """Say how much matches, "18 of 44"; shown while there is text."""
        self._trailing.count_text = words
        self.setAccessibleDescription(words)
        self._arrange()

    def add_trailing(self, widget: QWidget) -> None:
        """Put a small widget, as a filter button of 24 px, at the right end.

        While it is hidden it takes no room, from the next change of the text or of the count on.
        """
        hidden = widget.isHidden() and widget.testAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide)
        widget.setParent(self)
        widget.setHidden(hidden)
        self._extra.append(widget)
        self._arrange()

    def sizeHint(self) -> QSize:
        return QSize(200, theme_of(self).size.control)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Clear with Esc, leave for the results with Down."""
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
            return
        if event.key() == Qt.Key.Key_Down:
            self.down_requested.emit()
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        theme = theme_of(self)
        paint_icon(QPainter(self), QRect(9, (self.height() - 14) // 2, 14, 14), "search", theme.color.text2, theme)

    def _on_self_text_changed(self, text: str) -> None:
        self._trailing.has_text = bool(text)
        self._arrange()

    def _arrange(self) -> None:
        extra = [widget for widget in self._extra if not widget.isHidden()]
        right = self.width() - (2 if extra else 6)
        for widget in reversed(extra):
            size = widget.sizeHint()
            right -= size.width()
            widget.setGeometry(right, (self.height() - size.height()) // 2, size.width(), size.height())
        right -= 2 if extra else 0
        width = self._trailing.wanted_width()
        self._trailing.setGeometry(right - width, 1, width, self.height() - 2)
        self._trailing.update()
        # Qt's middle of 13 px text is one pixel too low; see `paint_text`.
        self.setTextMargins(19, 0, self.width() - right + width, 2)
