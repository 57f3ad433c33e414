"""The field of a list of texts or numbers: chips, and room to type the next one."""

from __future__ import annotations

import re
from typing import Any, Final

from PySide6.QtCore import QEvent, QMimeData, QObject, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetrics, QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent, QPaintEvent
from PySide6.QtWidgets import QApplication, QFrame, QLineEdit, QSizePolicy, QWidget

from console.assets import paint_icon
from console.language import in_sentence, tr
from console.schema_form.document import Document
from console.schema_form.editor import RETURN_KEYS, FieldEditor
from console.schema_form.expectations import must_be
from console.schema_form.fields import Field, FieldKind
from console.schema_form.json_text import parse_value
from console.schema_form.layouts import FlowLayout
from console.schema_form.messages import given, items_count, items_rule
from console.schema_form.numbers import number_from_text
from console.schema_form.pasting import pasted_values
from console.theme import painter_of, place_in, theme_of
from console.widgets import paint_box, paint_focus_ring, paint_text, vbox

_CHIP_HEIGHT: Final = 20
_LONGEST: Final = 260
_CROSS: Final = 20
_CHIP_PADDING: Final = 6
_REMOVING: Final = {Qt.Key.Key_Backspace, Qt.Key.Key_Delete}
_MODIFIERS: Final = {Qt.Key.Key_Alt, Qt.Key.Key_AltGr, Qt.Key.Key_Meta, Qt.Key.Key_Shift}
_BETWEEN_NUMBERS: Final = re.compile(r"[\s,;]+")
_KINDS: Final = {"integer": FieldKind.INTEGER, "number": FieldKind.NUMBER}
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
            paint_focus_ring(painter_of(self), self.rect(), theme.radius.medium, theme)


class _Chip(QWidget):
    """One item of a list, with a cross that takes it away; it can be drawn to another place."""

    remove_requested = Signal(object)
    select_requested = Signal(object)
    dragged = Signal(object, QPoint)
    dropped = Signal()

    def __init__(self, text: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.text = text
        self.is_selected = False
        self._pressed_at: QPoint | None = None
        self._is_dragged = False
        self.is_wrong = False
        self.setAccessibleName(text)
        self.setToolTip(text)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        advance = QFontMetrics(theme_of(self).font("code")).horizontalAdvance(self.text)
        return QSize(min(_LONGEST, advance + _CHIP_PADDING + _CROSS), _CHIP_HEIGHT)

    def show_selected(self, *, selected: bool) -> None:
        if selected != self.is_selected:
            self.is_selected = selected
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._pressed_at, self._is_dragged = event.position().toPoint(), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        start, place = self._pressed_at, event.position().toPoint()
        if start is None:
            return
        self._is_dragged |= (place - start).manhattanLength() >= QApplication.startDragDistance()
        if self._is_dragged:
            self.dragged.emit(self, self.mapToParent(place))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        was_dragged, self._pressed_at, self._is_dragged = self._is_dragged, None, False
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        if was_dragged:
            self.dropped.emit()
        elif place_in(self, event.position().toPoint()).x() >= self.width() - _CROSS - 2:
            self.remove_requested.emit(self)
        else:
            self.select_requested.emit(self)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = painter_of(self)
        fill = theme.color.accent_soft if self.is_selected else theme.status.idle.soft
        border = theme.status.error.fill if self.is_wrong else theme.color.accent_border if self.is_selected else None
        paint_box(painter, self.rect(), theme.radius.small, fill=fill, border=border)
        ink = theme.color.text if self.isEnabled() else theme.color.text_disabled
        paint_text(painter, self.rect().adjusted(_CHIP_PADDING, 0, -_CROSS + 2, 0), self.text, theme.font("code"), ink)
        cross = QRect(self.width() - _CROSS + 4, (self.height() - 12) // 2, 12, 12)
        paint_icon(painter, cross, "x", theme.color.text2 if self.isEnabled() else theme.color.text_disabled, theme)


class ListEditor(FieldEditor):
    """Chips inside a field. Enter or comma adds, Backspace at the empty end selects the last chip, then deletes it.

    Left and Right go from chip to chip, Alt with them moves the one that is selected, as the mouse does. What stands in
    the input counts as the last item already, so that nothing typed is lost when the tool runs.
    """

    def __init__(self, field: Field, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(field, document, parent)
        item = field.item or {}
        self._item_type = str(item.get("type"))
        self._chips: list[_Chip] = []
        self._pending = ""
        self._selected: int | None = None
        self._dragged_from: int | None = None
        self._dragged_to = 0
        self._frame = _ChipsFrame(self)
        self._flow = FlowLayout(4, self._frame)
        self._flow.setContentsMargins(4, 3, 4, 3)
        self.line = QLineEdit(self._frame)
        self.line.setProperty("flat", "true")
        self.line.setProperty("focusRing", "none")
        self.line.setMinimumWidth(96)
        self.line.setFixedHeight(_CHIP_HEIGHT)
        self._word = in_sentence(str(item.get("title") or _singular(field.name)))
        self._flow.addWidget(self.line)
        vbox(self).addWidget(self._frame)
        self.adopt(self.line, self._frame)
        self.line.textEdited.connect(self._on_line_text_edited)
        self.line.textChanged.connect(self._on_line_text_changed)
        self._on_line_text_changed("")
        self.refresh()

    def show_value(self, value: Any) -> None:
        items = list(value) if isinstance(value, list) else []
        if self._pending and items and self._text_of(items[-1]) == self._pending:
            items.pop()
        elif self._pending and self.document.draft(self.field.path) is None:
            self._pending = ""
            self.line.clear()
        texts = [self._text_of(item) for item in items]
        if texts != [chip.text for chip in self._chips]:
            self._show_chips(texts)
            self._select(self._selected if self._selected is not None and self._selected < len(texts) else None)
        rule = items_rule(self.field.schema)
        self.show_hint(f"{items_count(len(value))}, {rule}" if rule and isinstance(value, list) else rule)
        wrong = {error.path[len(self.field.path)] for error in self.document.errors() if self._is_item(error.path)}
        for index, chip in enumerate(self._chips):
            chip.is_wrong = index in wrong
            chip.update()
        self.line.setPlaceholderText(
            "null"
            if value is None
            else tr("Add an {item}", item=self._word)
            if self._word[:1] in "aeiou"
            else tr("Add a {item}", item=self._word)
        )

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
        if modifiers & Qt.KeyboardModifier.ControlModifier or key in _MODIFIERS:
            return False
        if self._selected is not None and self._take_chip_key(key, modifiers, self._selected):
            return True
        if key in RETURN_KEYS or event.text() == ",":
            self._add_pending()
            return True
        is_back = key == Qt.Key.Key_Backspace and not self.line.text()
        is_left = key == Qt.Key.Key_Left and self.line.cursorPosition() == 0 and not self.line.hasSelectedText()
        if (is_back or is_left) and self._selected is None and self._chips:
            self._select(len(self._chips) - 1)
            return True
        self._select(None)
        return False

    def _take_chip_key(self, key: int, modifiers: Qt.KeyboardModifier, place: int) -> bool:
        """Work on the selected chip; tell whether the key meant something for it."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(key))
        if step is not None and modifiers & Qt.KeyboardModifier.AltModifier:
            self._move(place, place + step)
        elif step is not None:
            self._select(max(0, place + step) if place + step < len(self._chips) else None)
        elif key == Qt.Key.Key_Home:
            self._select(0)
        elif key in _REMOVING:
            self._remove(place)
        else:
            return False
        return True

    def _select(self, place: int | None) -> None:
        self._selected = place
        for index, chip in enumerate(self._chips):
            chip.show_selected(selected=index == place)

    def _move(self, place: int, target: int) -> None:
        """Put a chip into another place; the ones between make room."""
        count = len(self._items())
        if not 0 <= target < len(self._chips):
            return
        order = list(range(count))
        order.insert(target, order.pop(place))
        self._selected = target
        self.document.rearrange(self.field.path, order)
        self._select(target)

    def _paste(self, clipboard: QMimeData) -> bool:
        text = clipboard.text()
        parted = _BETWEEN_NUMBERS.sub("\n", text) if self._item_type != "string" else text.replace("\t", "\n")
        new = pasted_values(parted, _KINDS.get(self._item_type, FieldKind.TEXT))
        is_json = text.lstrip().startswith("[") and parse_value(text)[1] is None
        if len(new) < 2 and not is_json:
            return False
        self._pending = ""
        self.line.clear()
        self.write([*self._shown_items(), *new])
        return True

    def _on_line_text_edited(self, text: str) -> None:
        stripped = text.strip()
        kept = self._shown_items()
        self._pending = stripped
        item = self._item_of(stripped)
        if stripped and item is None:
            kind = tr("a whole number") if self._item_type == "integer" else tr("a number")
            self.reject(text, str(must_be(self._word, kind, stripped)))
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
        self._selected = min(index, len(items) - 1) if self._selected is not None and items else None
        pending = [self._item_of(self._pending)] if self._pending else []
        if items or pending or self.field.required:
            self.write([*items, *(item for item in pending if item is not None)])
        else:
            self.clear()

    def _on_chip_remove_requested(self, chip: _Chip) -> None:
        self._select(None)
        self._remove(self._chips.index(chip))
        self.line.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_chip_select_requested(self, chip: _Chip) -> None:
        self._select(self._chips.index(chip))
        self.line.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_chip_dragged(self, chip: _Chip, place: QPoint) -> None:
        """Let the chips make room while one is drawn over them."""
        over = next((other for other in self._chips if other is not chip and other.geometry().contains(place)), None)
        if over is None:
            return
        order = [*self._chips]
        order.insert(order.index(over), order.pop(order.index(chip)))
        self._dragged_from = self._chips.index(chip) if self._dragged_from is None else self._dragged_from
        self._chips = order
        self._flow.set_widgets([*order, self.line])
        self._dragged_to = order.index(chip)

    def _on_chip_dropped(self) -> None:
        source, target = self._dragged_from, self._dragged_to
        self._dragged_from = None
        if source is not None:
            self._move(source, target)
        self.line.setFocus(Qt.FocusReason.OtherFocusReason)

    def _items(self) -> list[Any]:
        value = self.document.get(self.field.path)
        return list(value) if isinstance(value, list) else []

    def _shown_items(self) -> list[Any]:
        return self._items()[: len(self._chips)]

    def _show_chips(self, texts: list[str]) -> None:
        # A list mostly grows or shrinks at its end.
        same = next(
            (place for place, (chip, text) in enumerate(zip(self._chips, texts, strict=False)) if chip.text != text), -1
        )
        kept = self._chips[: min(len(self._chips), len(texts)) if same < 0 else same]
        gone = self._chips[len(kept) :]
        self._chips = [*kept, *map(self._chip, texts[len(kept) :])]
        self._flow.set_widgets([*self._chips, self.line])
        for chip in gone:
            chip.hide()
            chip.deleteLater()
        self.updateGeometry()

    def _chip(self, text: str) -> _Chip:
        chip = _Chip(text, self._frame)
        chip.remove_requested.connect(self._on_chip_remove_requested)
        chip.select_requested.connect(self._on_chip_select_requested)
        chip.dragged.connect(self._on_chip_dragged)
        chip.dropped.connect(self._on_chip_dropped)
        return chip

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
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else tr("item")
