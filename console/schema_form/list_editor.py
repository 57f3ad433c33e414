"""The field of a list of texts or numbers: chips, and room to type the next one."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import QEvent, QMimeData, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QFrame, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from console.assets import paint_icon
from console.schema_form.document import Document
from console.schema_form.editor import FieldEditor
from console.schema_form.fields import Field
from console.schema_form.layouts import FlowLayout
from console.schema_form.messages import given
from console.schema_form.numbers import number_from_text
from console.theme import theme_of
from console.widgets import paint_box, paint_focus_ring, paint_text

__all__ = ["ListEditor"]

_CHIP_HEIGHT: Final = 20
_LONGEST: Final = 260
_CROSS: Final = 20
_CHIP_PADDING: Final = 6
_BY_KEYBOARD: Final = {
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
}


class _ChipsFrame(QFrame):
    """The field around the chips, which takes the mark of the focus from the input inside."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("field", "true")
        self._is_marked = False

    def mark(self, *, marked: bool) -> None:
        self._is_marked = marked
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._is_marked:
            theme = theme_of(self)
            paint_focus_ring(QPainter(self), self.rect(), theme.radius.medium, theme)


class _Chip(QWidget):
    """One item of a list, with a cross that takes it away."""

    remove_requested = Signal(object)

    def __init__(self, text: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.text = text
        self.is_selected = False
        self.is_wrong = False
        self.setAccessibleName(text)
        self.setToolTip(text)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        advance = QFontMetrics(theme_of(self).font("code")).horizontalAdvance(self.text)
        return QSize(min(_LONGEST, advance + _CHIP_PADDING + _CROSS), _CHIP_HEIGHT)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.isEnabled() and event.position().x() >= self.width() - _CROSS - 2:
            self.remove_requested.emit(self)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = QPainter(self)
        fill = theme.color.accent_soft if self.is_selected else theme.status.idle.soft
        border = theme.status.error.fill if self.is_wrong else theme.color.accent_border if self.is_selected else None
        paint_box(painter, self.rect(), theme.radius.small, fill=fill, border=border)
        ink = theme.color.text if self.isEnabled() else theme.color.text_disabled
        paint_text(painter, self.rect().adjusted(_CHIP_PADDING, 0, -_CROSS + 2, 0), self.text, theme.font("code"), ink)
        cross = QRect(self.width() - _CROSS + 4, (self.height() - 12) // 2, 12, 12)
        paint_icon(painter, cross, "x", theme.color.text2 if self.isEnabled() else theme.color.text_disabled, theme)


class ListEditor(FieldEditor):
    """Chips inside a field. Enter or comma adds, Backspace at the empty end selects the last chip, then deletes it.

    What stands in the input counts as the last item already, so that nothing typed is lost when the tool runs.

    Args:
        field: What is edited.
        document: Where it stands.
        parent: Its owner.
    """

    def __init__(self, field: Field, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(field, document, parent)
        item = field.item or {}
        self._item_type = str(item.get("type"))
        self._chips: list[_Chip] = []
        self._pending = ""
        self._frame = _ChipsFrame(self)
        self._flow = FlowLayout(4, 4, self._frame)
        self._flow.setContentsMargins(4, 3, 4, 3)
        self.line = QLineEdit(self._frame)
        self.line.setProperty("flat", "true")
        self.line.setProperty("focusRing", "none")
        self.line.setMinimumWidth(96)
        self.line.setFixedHeight(_CHIP_HEIGHT)
        self._word = str(item.get("title") or _singular(field.name)).lower()
        self._flow.addWidget(self.line)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._frame)
        self.adopt(self.line, self._frame)
        self.line.textEdited.connect(self._on_line_text_edited)
        self.line.textChanged.connect(self._on_line_text_changed)
        self._on_line_text_changed("")
        self.refresh()

    def show_value(self, value: Any) -> None:
        """Show the items as chips, but the one being typed."""
        items = list(value) if isinstance(value, list) else []
        if self._pending and items and self._text_of(items[-1]) == self._pending:
            items.pop()
        elif self._pending and self.document.draft(self.field.path) is None:
            self._pending = ""
            self.line.clear()
        texts = [self._text_of(item) for item in items]
        if texts != [chip.text for chip in self._chips]:
            self._show_chips(texts)
        wrong = {error.path[len(self.field.path)] for error in self.document.errors() if self._is_item(error.path)}
        for index, chip in enumerate(self._chips):
            chip.is_wrong = index in wrong
            chip.update()
        self.line.setPlaceholderText("null" if value is None else f"Add {_article(self._word)} {self._word}")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Turn Enter, comma, Backspace and pasted lines in the input into chips."""
        if watched is self.line and event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._take_key(event) or super().eventFilter(watched, event)
        if watched is self.line and isinstance(event, QFocusEvent):
            self._frame.mark(marked=event.gotFocus() and event.reason() in _BY_KEYBOARD)
            if event.lostFocus():
                self._add_pending()
        return super().eventFilter(watched, event)

    def _take_key(self, event: QKeyEvent) -> bool:
        key, modifiers = event.key(), event.modifiers()
        if event.matches(QKeySequence.StandardKey.Paste):
            return self._paste(QGuiApplication.clipboard().mimeData())
        is_return = key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}
        if modifiers & Qt.KeyboardModifier.ControlModifier:
            return False
        if is_return or event.text() == ",":
            self._add_pending()
            return True
        if key == Qt.Key.Key_Backspace and not self.line.text() and self._chips:
            last = self._chips[-1]
            if last.is_selected:
                self._remove(len(self._chips) - 1)
            else:
                last.is_selected = True
                last.update()
            return True
        if self._chips and self._chips[-1].is_selected:
            self._chips[-1].is_selected = False
            self._chips[-1].update()
        return False

    def _paste(self, clipboard: QMimeData) -> bool:
        texts = [line.strip() for line in clipboard.text().splitlines() if line.strip()]
        if len(texts) < 2:
            return False
        self._pending = ""
        self.line.clear()
        items = [self._item_of(text) for text in texts]
        if None in items:
            self.line.setText(" ".join(texts))
            self._on_line_text_edited(self.line.text())
        else:
            self.write([*self._shown_items(), *items])
        return True

    def _on_line_text_edited(self, text: str) -> None:
        stripped = text.strip()
        kept = self._shown_items()
        self._pending = stripped
        item = self._item_of(stripped)
        if stripped and item is None:
            kind = "a whole number" if self._item_type == "integer" else "a number"
            self.reject(text, f"{self._word} must be {kind}; it is {given(stripped)}")
        elif stripped:
            self._pending = self._text_of(item)
            self.write([*kept, item])
        elif kept or self.field.required:
            self.write(kept)
        else:
            self.clear()

    def _on_line_text_changed(self, text: str) -> None:
        # The invitation is a sentence, what is typed is code.
        self.line.setFont(theme_of(self).font("code" if text else "small"))

    def _add_pending(self) -> None:
        if not self._pending or self._item_of(self._pending) is None:
            return
        self._pending = ""
        self.line.clear()
        self.refresh()

    def _remove(self, index: int) -> None:
        items = self._shown_items()
        del items[index]
        pending = [self._item_of(self._pending)] if self._pending else []
        if items or pending or self.field.required:
            self.write([*items, *(item for item in pending if item is not None)])
        else:
            self.clear()

    def _on_chip_remove_requested(self, chip: _Chip) -> None:
        self._remove(self._chips.index(chip))
        self.line.setFocus(Qt.FocusReason.OtherFocusReason)

    def _shown_items(self) -> list[Any]:
        value = self.document.get(self.field.path)
        return list(value[: len(self._chips)]) if isinstance(value, list) else []

    def _show_chips(self, texts: list[str]) -> None:
        for chip in self._chips:
            self._flow.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self._flow.removeWidget(self.line)
        self._chips = [_Chip(text, self._frame) for text in texts]
        for chip in self._chips:
            chip.remove_requested.connect(self._on_chip_remove_requested)
            self._flow.addWidget(chip)
            chip.show()
        self._flow.addWidget(self.line)
        self._flow.invalidate()
        self.updateGeometry()

    def _is_item(self, path: tuple[str | int, ...]) -> bool:
        depth = len(self.field.path)
        return path[:depth] == self.field.path and len(path) > depth

    def _item_of(self, text: str) -> Any:
        if self._item_type == "string":
            return text
        return number_from_text(text, whole=self._item_type == "integer")

    @staticmethod
    def _text_of(item: Any) -> str:
        return item if isinstance(item, str) else given(item)


def _singular(name: str) -> str:
    """Return what one of `paths` or `to_zones` is called; "item" where that cannot be told."""
    word = name.rsplit("_", 1)[-1]
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else "item"


def _article(word: str) -> str:
    return "an" if word[:1] in "aeiou" else "a"
