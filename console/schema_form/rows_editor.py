"""Lists: items that are added, taken away, moved, doubled and pasted, each in a row of fields."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QWidget

from console.language import tr, tr_count
from console.schema_form.document import Document
from console.schema_form.editor import FieldEditor, ItemKey, first_value, item_key
from console.schema_form.field_row import STRUCTURES, FieldRow
from console.schema_form.field_rows import PartFields
from console.schema_form.fields import Field, FieldKind
from console.schema_form.layouts import bring_into_view
from console.schema_form.messages import items_count, items_rule
from console.schema_form.pasting import pasted_values
from console.schema_form.paths import label
from console.schema_form.structure_editor import BODY_MARGINS, StructureEditor
from console.widgets import IconButton, Menu

if TYPE_CHECKING:
    from console.schema_form.rows import RowMaker


class ItemsEditor(StructureEditor):
    """A list whose items have fields of their own.

    The keys of `ItemKey` work on the current item. Ctrl+V pastes items wherever no field takes the text.
    """

    holds = (list, tuple)

    @property
    def items(self) -> list[Any]:
        """Return the items; none while the value is no list."""
        held = self.document.get(self.field.path)
        return list(held) if isinstance(held, list | tuple) else []

    @property
    def fixed(self) -> int:
        return 0

    def current(self) -> int | None:
        raise NotImplementedError

    def go_to_item(self, place: int) -> None:
        """Make an item the current one and put the focus into it."""
        raise NotImplementedError

    def read_items(self, text: str) -> list[Any]:
        raise NotImplementedError

    def words_for(self, value: Any) -> str:
        rule = items_rule(self.field.schema)
        if not self.fits(value):
            return "null" if value is None else rule or (tr("list") if self.field.required else tr("optional list"))
        count = items_count(len(value))
        return f"{count}, {rule}" if rule else count

    def add_item(self, place: int | None = None) -> None:
        """Add an item before another one, or at the end."""
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
            self.words.setText(tr("nothing to paste: expected JSON, or one item a line"))
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
        """Do what a key stands for with an item; None for no certain one.

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
        self.make_add_buttons(tr("Add an item ({key})", key=ItemKey.ADD), self.paste_words())
        self.add_button.clicked.connect(self._on_add_button_clicked)
        self.paste_button.clicked.connect(self.paste)
        self.line.addStretch(1)
        self.add_tools()
        self.line.addWidget(self.paste_button)
        self.line.addWidget(self.add_button)
        super().begin()

    def add_tools(self) -> None:
        """Add more buttons to the line of the head, before those that all lists have."""

    def paste_words(self) -> str:
        return tr("Paste items: a JSON list, or one item a line")

    def _on_add_button_clicked(self) -> None:
        self.add_item()


ITEM_WORDS: Final = {
    ItemKey.UP: tr("Move up"),
    ItemKey.DOWN: tr("Move down"),
    ItemKey.DUPLICATE: tr("Duplicate"),
    ItemKey.ADD: tr("Add below"),
    ItemKey.REMOVE: tr("Remove"),
}


class ItemRow(FieldRow):
    """One item of a list; one that is fixed has to stay, as the first items of a tuple.

    Signals:
        asked(ItemKey, int): This is to be done with the item at this place.
    """

    asked = Signal(object, int)

    def __init__(
        self,
        field: Field,
        make_editor: Callable[[QWidget], FieldEditor],
        label_width: int,
        *,
        fixed: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(field, make_editor, 0 if field.kind in STRUCTURES else label_width, parent)
        if fixed:
            return
        name = label(field.path)
        self._more = IconButton("ellipsis", tr("More for {name}", name=name), parent=self)
        self._more.clicked.connect(self._on_more_clicked)
        self._remove = IconButton("x", tr("Remove {name}", name=name), parent=self)
        self._remove.setToolTip(tr("Remove ({key})", key=ItemKey.REMOVE))
        self._remove.clicked.connect(self._on_remove_clicked)
        self.line.setSpacing(4)
        for button in (self._more, self._remove):
            self.line.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)

    def make_menu(self) -> Menu:
        """Return what may be done with the item; the menu goes when it closes."""
        menu = Menu(tr("Item {name}", name=self.field.name), self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for key, words in ITEM_WORDS.items():
            action = menu.addAction(words)
            action.setData(key)
            # Only shown: the list itself takes the keys.
            action.setShortcut(QKeySequence(key))
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        menu.triggered.connect(self._on_menu_triggered)
        return menu

    def _on_more_clicked(self) -> None:
        self.make_menu().popup(self._more.mapToGlobal(QPoint(0, self._more.height())))

    def _on_menu_triggered(self, action: QAction) -> None:
        self.asked.emit(ItemKey(action.data()), self.field.path[-1])

    def _on_remove_clicked(self) -> None:
        self.asked.emit(ItemKey.REMOVE, self.field.path[-1])


class RowsEditor(ItemsEditor):
    """A list with a row for each item."""

    label_width = 40

    def __init__(self, field: Field, document: Document, maker: RowMaker, parent: QWidget | None = None) -> None:
        self._parts = PartFields(document, field.path)
        super().__init__(field, document, maker, parent)
        self.begin()

    def make_body(self) -> QWidget:
        return self.make_rows(self.wanted, self.frame, make_row=self.make_row, margins=BODY_MARGINS, single=True)

    def wanted(self) -> Sequence[Field]:
        return self._parts.of(self._places)

    def make_row(self, field: Field, parent: QWidget) -> FieldRow:
        place = field.path[-1]
        is_fixed = isinstance(place, int) and place < self.fixed
        make_editor = partial(self.maker.editor, field, self.document)
        row = ItemRow(field, make_editor, self.label_width, fixed=is_fixed, parent=parent)
        row.asked.connect(self.do)
        return row

    def current(self) -> int | None:
        row = next((row for row in self.inner_rows() if row.holds_focus()), None)
        place = None if row is None else row.field.path[-1]
        return place if isinstance(place, int) else None

    def go_to_item(self, place: int) -> None:
        row = self.reach((*self.field.path, place))
        if row is not None:
            bring_into_view(row)
            row.editor.target.setFocus(Qt.FocusReason.OtherFocusReason)

    def read_items(self, text: str) -> list[Any]:
        place = len(self.items)
        return pasted_values(text, self.document.branch((*self.field.path, place)).kind if text else FieldKind.TEXT)

    def _places(self) -> range:
        return range(max(self.fixed, len(self.items)))


class TupleEditor(RowsEditor):
    """A list whose first places have schemas of their own; only what follows them can be added, moved or taken away."""

    label_width = 112

    @property
    def fixed(self) -> int:
        return len(self.field.schema.get("prefixItems", ()))

    def words_for(self, value: Any) -> str:
        if not self.fits(value):
            return super().words_for(value)
        if self.takes_more():
            return super().words_for(value)
        return (
            tr("{count} of {total}", count=len(value), total=self.fixed)
            if len(value) < self.fixed
            else tr_count(self.fixed, "1 item", "{count} items")
        )

    def takes_more(self) -> bool:
        """Tell whether items may follow the places that have schemas of their own."""
        schema = self.field.schema
        rest = schema.get("items", schema.get("unevaluatedItems", True))
        most = schema.get("maxItems")
        return rest is not False and (most is None or most > self.fixed)

    def begin(self) -> None:
        super().begin()
        for button in (self.add_button, self.paste_button):
            button.setVisible(self.takes_more())
