"""What the marks before fields mean: a button at the head of a form, and the explanation that it opens."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QSizePolicy, QWidget

from console.schema_form.editor import FieldState
from console.schema_form.state_signs import paint_state
from console.theme import theme_of
from console.widgets import IconButton, TextLabel, paint_box, set_surface

_MEANINGS: Final = {
    FieldState.VALUE: ("Set", "The tool gets the value in the field."),
    FieldState.DEFAULT: ("Default", "The field shows the tool's own default, and nobody changed it."),
    FieldState.ABSENT: ("Not set", "The argument is left out. Grey words are a hint, never sent."),
    FieldState.NULL: ("Null", "The tool gets null: no value, on purpose."),
}
_CLOSING: Final = {Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space}


class _Sign(QWidget):
    """One mark, as it stands before fields."""

    def __init__(self, state: FieldState, parent: QWidget) -> None:
        super().__init__(parent)
        self._state = state
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Return the room of a mark."""
        return QSize(16, theme_of(self).line_height("small"))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        paint_state(QPainter(self), QRect(0, 0, self.width(), self.height()), self._state, theme.color.text2, theme)


class _Legend(QFrame):
    """All marks with their meanings; any click beside it and Esc close it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        set_surface(self, "raised")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        grid = QGridLayout(self)
        grid.setContentsMargins(12, 10, 16, 12)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        for row, (state, (word, meaning)) in enumerate(_MEANINGS.items()):
            grid.addWidget(_Sign(state, self), row, 0)
            grid.addWidget(TextLabel(word, "small", parent=self), row, 1)
            grid.addWidget(TextLabel(meaning, "small", "text2", parent=self), row, 2)
        hint = "A click on a mark, or the menu key in the field, changes it. * is required."
        grid.addWidget(TextLabel(hint, "small", "text3", parent=self), len(_MEANINGS), 1, 1, 2)
        said = " ".join(f"{word}: {meaning}" for word, meaning in _MEANINGS.values())
        self.setAccessibleName("What the marks before fields mean")
        self.setAccessibleDescription(f"{said} {hint}")

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        color = theme.color
        paint_box(QPainter(self), self.rect(), theme.radius.small, fill=color.raised, border=color.border_strong)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _CLOSING:
            self.close()
        else:
            super().keyPressEvent(event)


class LegendButton(IconButton):
    """Open the explanation of the marks before fields.

    Args:
        parent: Its owner.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("circle-question-mark", "What the marks before fields mean", parent=parent)
        self.clicked.connect(self._on_clicked)

    def _on_clicked(self) -> None:
        legend = _Legend(self)
        legend.move(self.mapToGlobal(QPoint(0, self.height() + 4)))
        legend.show()
        legend.setFocus(Qt.FocusReason.PopupFocusReason)
