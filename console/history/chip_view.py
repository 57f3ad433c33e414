"""A chip that narrows a list to one ending of calls."""

from typing import Final

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from console.history.rows import StatusChoice
from console.theme import theme_of
from console.widgets import paint_box, paint_focus_ring, paint_status, paint_text, status_color

_GLYPH: Final = 12
_LEFT: Final = 8
_GAP: Final = 5
_RIGHT: Final = 9


class StatusChip(QAbstractButton):
    """Switch one ending on or off; Space toggles it.

    Args:
        choice: The ending.
        parent: Its owner.
    """

    def __init__(self, choice: StatusChoice, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.choice = choice
        self._is_compact = False
        self.setText(choice.word)
        self.setToolTip(f"Show only calls that ended so: {choice.word.lower()}")
        self.setAccessibleName(f"Only {choice.word.lower()}")
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def set_compact(self, *, compact: bool) -> None:
        """Show the glyph alone, where there is no room for the words of all chips."""
        if compact != self._is_compact:
            self._is_compact = compact
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        """Return the size of glyph and word."""
        if self._is_compact:
            return QSize(_LEFT + _GLYPH + _LEFT, 24)
        advance = QFontMetrics(theme_of(self).font("small")).horizontalAdvance(self.text())
        return QSize(_LEFT + _GLYPH + _GAP + advance + 1 + _RIGHT, 24)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        color = theme.color
        painter = QPainter(self)
        if self.isChecked():
            paint_box(painter, self.rect(), theme.radius.large, fill=color.accent_soft, border=color.accent_border)
        else:
            fill = color.hover if self.underMouse() else None
            paint_box(painter, self.rect(), theme.radius.large, fill=fill, border=color.border_strong)
        glyph = QRect(_LEFT, (self.height() - _GLYPH) // 2, _GLYPH, _GLYPH)
        paint_status(painter, glyph, self.choice.status, theme, color=status_color(self.choice.status, theme))
        left = self.width() if self._is_compact else _LEFT + _GLYPH + _GAP
        words = QRect(left, 0, self.width() - left - _RIGHT + 1, self.height())
        ink = color.accent_text if self.isChecked() else color.text2
        paint_text(painter, words, self.text(), theme.font("small"), ink)
        if self.hasFocus() and self.window().isActiveWindow():
            paint_focus_ring(painter, self.rect(), theme.radius.large, theme)
