"""Keys of a shortcut, as they look on a keyboard."""

from typing import Final

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from console.theme import Theme, theme_of
from console.widgets.painting import paint_box, paint_text

_FIXED: Final = QSizePolicy.Policy.Fixed
_CENTER: Final = Qt.AlignmentFlag.AlignCenter


class KeyCap(QWidget):
    """One key, as on a keyboard, 18 px high."""

    def __init__(self, key: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._key = key
        self.setSizePolicy(_FIXED, _FIXED)
        self.setAccessibleName(key)

    def sizeHint(self) -> QSize:
        return QSize(key_cap_width(self._key, theme_of(self)), 18)

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_key_cap(QPainter(self), self.rect(), self._key, theme_of(self))


def key_cap_width(key: str, theme: Theme) -> int:
    """Give the width of a key cap in logical pixels."""
    return max(18, QFontMetrics(theme.font("caption")).horizontalAdvance(key) + 12)


def paint_key_cap(painter: QPainter, rect: QRect, key: str, theme: Theme) -> None:
    """Paint a key cap 18 px high in the middle of a rectangle."""
    box = QRect(rect.x(), rect.y() + (rect.height() - 18) // 2, rect.width(), 18)
    paint_box(painter, box, theme.radius.small, fill=theme.color.panel, border=theme.color.border_strong)
    paint_text(painter, box, key, theme.font("caption"), theme.color.text2, align=_CENTER)


class KeyCaps(QWidget):
    """A shortcut as a row of keys.

    Args:
        shortcut: `Ctrl+K`.
        parent: Its owner.
    """

    def __init__(self, shortcut: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(shortcut)
        self.setSizePolicy(_FIXED, _FIXED)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(3)
        for key in shortcut.split("+"):
            layout.addWidget(KeyCap(key, self))
