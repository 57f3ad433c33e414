"""Fields: keys, search, completion, and numbers that leave the wheel to the page."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QCompleter,
    QDoubleSpinBox,
    QHBoxLayout,
    QLineEdit,
    QSizePolicy,
    QSpinBox,
    QStyle,
    QWidget,
)

from console.assets import paint_icon
from console.keymap import caps_of, keymap
from console.language import tr
from console.theme import Theme, painter_of, place_in, theme_of
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
        paint_key_cap(painter_of(self), self.rect(), self._key, theme_of(self))


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
    """

    def __init__(self, shortcut: str) -> None:
        super().__init__()
        self.setAccessibleName(shortcut)
        self.setSizePolicy(_FIXED, _FIXED)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(3)
        for key in caps_of(shortcut):
            layout.addWidget(KeyCap(key, self))


_RETURN: Final = {Qt.Key.Key_Return, Qt.Key.Key_Enter}


class Completer(QCompleter):
    """Complete a text. Ctrl+Enter closes the proposals, takes none of them, and does what it does in the field.

    Qt hands keys to the field behind the back of its event filters, keeps shortcuts from a window below a list, and
    takes the chosen proposal with any Enter: what was typed would be replaced, and the run asked for would not begin.
    """

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Close the list with Ctrl+Enter, and give the key to the field."""
        popup = self.popup()
        is_key = isinstance(event, QKeyEvent) and event.type() in {QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride}
        if not is_key or watched is not popup or not isinstance(event, QKeyEvent) or popup is None:
            return super().eventFilter(watched, event)
        by_chord = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if event.key() not in _RETURN or not by_chord:
            return super().eventFilter(watched, event)
        if event.type() is QEvent.Type.KeyPress:
            field = self.widget()
            popup.hide()
            if field is not None:
                again = QKeyEvent(event.type(), event.key(), event.modifiers(), event.text())
                QApplication.sendEvent(field, again)
        event.accept()
        return True


_TEXT_MARGIN = 7


def _prepare(box: QAbstractSpinBox) -> None:
    # WORKAROUND Qt 6.11: a style sheet's padding moves the buttons of a spin box, but not its text.
    box.lineEdit().setTextMargins(_TEXT_MARGIN, 0, 0, 0)
    # Numbers are read from left to right by everybody.
    box.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)


class SpinBox(QSpinBox):
    """A field for whole numbers. The wheel changes it only while it has the focus, so that scrolling a form is safe."""

    def __init__(self) -> None:
        super().__init__()
        _prepare(self)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to what scrolls, unless the field has the focus."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class DoubleSpinBox(QDoubleSpinBox):
    """A field for numbers with decimals. The wheel changes it only while it has the focus."""

    def __init__(self) -> None:
        super().__init__()
        _prepare(self)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to what scrolls, unless the field has the focus."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


_CAP_GAP: Final = 3


class _Trailing(QWidget):
    """What stands at the field's right end: key caps while it is empty, otherwise match count and a cross."""

    clear_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.keys: tuple[str, ...] = ()
        self.count_text = ""
        self.has_text = False
        self.setCursor(Qt.CursorShape.ArrowCursor)

    def wanted_width(self) -> int:
        theme = theme_of(self)
        if not self.has_text:
            return sum(key_cap_width(key, theme) for key in self.keys) + _CAP_GAP * max(0, len(self.keys) - 1)
        count = QFontMetrics(theme.font("caption", tabular=True)).horizontalAdvance(self.count_text)
        return (count + 8 if self.count_text else 0) + 16

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.has_text and place_in(self, event.position().toPoint()).x() >= self.width() - 20:
            self.clear_requested.emit()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ToolTip:
            self.setToolTip(tr("Clear") if self.has_text else "")
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = painter_of(self)
        if not self.has_text:
            left = 0
            for key in self.keys:
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
        command: Brings the focus here; its keys are shown as key caps while the field is empty.

    Signals:
        down_requested: Down was pressed: the results want the focus.
    """

    down_requested = Signal()

    def __init__(self, placeholder: str, *, command: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPlaceholderText(placeholder)
        self.setAccessibleName(placeholder)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._trailing = _Trailing(self)
        self._trailing.clear_requested.connect(self.clear)
        self._extra: list[QWidget] = []
        self.textChanged.connect(self._on_self_text_changed)
        self._command = command
        if command:
            keymap().changed.connect(self._follow_keys)
        self._follow_keys()

    @Slot()
    def _follow_keys(self) -> None:
        self._trailing.keys = caps_of(keymap().shown(self._command))
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
        paint_icon(painter_of(self), QRect(9, (self.height() - 14) // 2, 14, 14), "search", theme.color.text2, theme)

    def _on_self_text_changed(self, text: str) -> None:
        self._trailing.has_text = bool(text)
        self._arrange()

    def _arrange(self) -> None:
        extra = [widget for widget in self._extra if not widget.isHidden()]
        right = self.width() - (2 if extra else 6)
        for widget in reversed(extra):
            size = widget.sizeHint()
            right -= size.width()
            self._place(widget, QRect(right, (self.height() - size.height()) // 2, size.width(), size.height()))
        right -= 2 if extra else 0
        width = self._trailing.wanted_width()
        self._place(self._trailing, QRect(right - width, 1, width, self.height() - 2))
        self._trailing.update()
        # Qt's middle of 13 px text is one pixel too low; see `paint_text`.
        before, after = 19, self.width() - right + width
        if self.isRightToLeft():
            before, after = after, before
        self.setTextMargins(before, 0, after, 2)

    def _place(self, widget: QWidget, rect: QRect) -> None:
        widget.setGeometry(QStyle.visualRect(self.layoutDirection(), self.rect(), rect))
