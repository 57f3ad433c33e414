"""What fields of lists have in common: items are added, taken away, moved, doubled and pasted."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence

from console.schema_form.editor import first_value
from console.schema_form.item_keys import ItemKey, item_key, items_count, items_rule
from console.schema_form.structure_editor import StructureEditor
from console.widgets import Button, IconButton


class ItemsEditor(StructureEditor):
    """A list whose items have fields of their own.

    The keys of `ItemKey` work on the current item. Ctrl+V pastes items wherever no field takes the text.
    """

    @property
    def items(self) -> list[Any]:
        """Return the items; none while the value is no list."""
        held = self.document.get(self.field.path)
        return list(held) if isinstance(held, list | tuple) else []

    @property
    def fixed(self) -> int:
        return 0

    def fits(self, value: Any) -> bool:
        return isinstance(value, list | tuple)

    def first_value(self) -> Any:
        return first_value(self.document, self.field.path)

    def current(self) -> int | None:
        raise NotImplementedError

    def go_to_item(self, place: int) -> None:
        """Make an item the current one and put the focus into it."""
        raise NotImplementedError

    def read_items(self, text: str) -> list[Any]:
        """Return the items that a pasted text means."""
        raise NotImplementedError

    def words_for(self, value: Any) -> str:
        rule = items_rule(self.field.schema)
        if not self.fits(value):
            return "null" if value is None else rule or ("list" if self.field.required else "optional list")
        count = items_count(len(value))
        return f"{count}, {rule}" if rule else count

    def add_item(self, place: int | None = None) -> None:
        """Add an item.

        Args:
            place: Before which one; None adds it at the end.
        """
        items = self.items
        at = len(items) if place is None else max(self.fixed, min(place, len(items)))
        self.insert_items(at, [first_value(self.document, (*self.field.path, at))])

    def insert_items(self, place: int, new: Sequence[Any]) -> None:
        """Put items before another one and go to the first of them."""
        count = len(self.items)
        self.open()
        self.document.rearrange(self.field.path, [*range(place), *([None] * len(new)), *range(place, count)], new)
        self.go_to_item(place)

    def remove_item(self, place: int) -> None:
        """Take an item away."""
        count = len(self.items)
        if not self.fixed <= place < count:
            return
        self.document.rearrange(self.field.path, [old for old in range(count) if old != place])
        if count > 1:
            self.go_to_item(min(place, count - 2))
        else:
            self.add_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def duplicate_item(self, place: int) -> None:
        """Put a copy of an item below it."""
        if self.fixed <= place < len(self.items):
            self.insert_items(place + 1, [deepcopy(self.items[place])])

    def move_item(self, place: int, steps: int) -> None:
        """Move an item up, if the steps are negative, or down; at the ends it stays."""
        count = len(self.items)
        target = place + steps
        if not (self.fixed <= place < count and self.fixed <= target < count):
            return
        order = list(range(count))
        order.insert(target, order.pop(place))
        self.document.rearrange(self.field.path, order)
        self.go_to_item(target)

    def paste(self) -> bool:
        """Add what is on the clipboard behind the current item; tell whether there was something."""
        new = self.read_items(QGuiApplication.clipboard().text())
        if not new:
            self.words.setText("nothing to paste: expected JSON, or one item a line")
            return False
        current = self.current()
        self.insert_items(len(self.items) if current is None else current + 1, new)
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move, double, add or take away the current item; paste."""
        if self.field.read_only:
            super().keyPressEvent(event)
            return
        if event.matches(QKeySequence.StandardKey.Paste):
            self.paste()
            return
        key = item_key(event)
        if key is None or not self.do(key, self.current()):
            super().keyPressEvent(event)

    def do(self, key: ItemKey, place: int | None) -> bool:
        """Do what a key stands for.

        Args:
            key: What is to be done.
            place: The item; None for no certain one.

        Returns:
            Whether there was an item to do it with.
        """
        if key is ItemKey.ADD:
            self.add_item(None if place is None else place + 1)
        elif place is None:
            return False
        elif key is ItemKey.REMOVE:
            self.remove_item(place)
        elif key is ItemKey.DUPLICATE:
            self.duplicate_item(place)
        else:
            self.move_item(place, -1 if key is ItemKey.UP else 1)
        return True

    def begin(self) -> None:
        self.add_button = Button("Add", kind="ghost", icon="plus", parent=self.frame)
        self.add_button.setAccessibleName(f"Add to {self.field.name}")
        self.add_button.setToolTip(f"Add an item ({ItemKey.ADD})")
        self.add_button.clicked.connect(self._on_add_button_clicked)
        self.paste_button = IconButton("file-input", f"Paste into {self.field.name}", parent=self.frame)
        self.paste_button.setToolTip(self.paste_words())
        self.paste_button.clicked.connect(self.paste)
        self.line.addStretch(1)
        self.add_tools()
        self.line.addWidget(self.paste_button)
        self.line.addWidget(self.add_button)
        for button in (self.paste_button, self.add_button):
            button.setEnabled(not self.field.read_only)
        super().begin()

    def add_tools(self) -> None:
        """Add more buttons to the line of the head, before those that all lists have."""

    def paste_words(self) -> str:
        return "Paste items: a JSON list, or one item a line"

    def _on_add_button_clicked(self) -> None:
        self.add_item()
