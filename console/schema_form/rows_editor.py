"""Lists whose items are rows of fields, of any number or of a fixed one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from console.schema_form.document import Document
from console.schema_form.editor import FieldEditor
from console.schema_form.field_row import STRUCTURES, FieldRow
from console.schema_form.field_rows import PartFields
from console.schema_form.fields import Field
from console.schema_form.item_keys import ItemKey
from console.schema_form.items_editor import ItemsEditor
from console.schema_form.kinds import FieldKind
from console.schema_form.layouts import bring_into_view
from console.schema_form.pasting import pasted_values
from console.schema_form.paths import label
from console.schema_form.structure_editor import BODY_MARGINS, EditorMaker
from console.widgets import IconButton, Menu

_WORDS: Final = {
    ItemKey.UP: ("Move up", "arrow-up"),
    ItemKey.DOWN: ("Move down", "arrow-down"),
    ItemKey.DUPLICATE: ("Duplicate", "copy"),
    ItemKey.ADD: ("Add below", "plus"),
    ItemKey.REMOVE: ("Remove", "x"),
}


class ItemRow(FieldRow):
    """One item of a list.

    Args:
        field: What is edited.
        make_editor: Makes its editor inside the row.
        label_width: Logical pixels; structures carry their own label.
        fixed: Whether it has to stay, as the first items of a tuple.
        parent: Its owner.

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
        self._more = IconButton("ellipsis", f"More for {name}", parent=self)
        self._more.clicked.connect(self._on_more_clicked)
        self._remove = IconButton("x", f"Remove {name}", parent=self)
        self._remove.setToolTip(f"Remove ({ItemKey.REMOVE})")
        self._remove.clicked.connect(self._on_remove_clicked)
        self.line.setSpacing(4)
        for button in (self._more, self._remove):
            self.line.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)

    def make_menu(self) -> Menu:
        """Return what may be done with the item; the menu goes when it closes."""
        menu = Menu(f"Item {self.field.name}", self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for key, (words, _) in _WORDS.items():
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


_LABEL_WIDTH: Final = 40


class RowsEditor(ItemsEditor):
    """A list with a row for each item."""

    def __init__(self, field: Field, document: Document, maker: EditorMaker, parent: QWidget | None = None) -> None:
        self._parts = PartFields(document, field.path)
        super().__init__(field, document, maker, parent)
        self.begin()

    def make_body(self) -> QWidget:
        return self.make_rows(self.wanted, self.frame, make_row=self.make_row, margins=BODY_MARGINS, single=True)

    def wanted(self) -> Sequence[Field]:
        return self._parts.of(self._places)

    def make_row(self, field: Field, parent: QWidget) -> FieldRow:

        def make_editor(owner: QWidget) -> FieldEditor:
            return self.maker.editor(field, self.document, owner)

        place = field.path[-1]
        is_fixed = isinstance(place, int) and place < self.fixed
        row = ItemRow(field, make_editor, self.label_width(), fixed=is_fixed, parent=parent)
        row.asked.connect(self.do)
        return row

    def label_width(self) -> int:
        return _LABEL_WIDTH

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


_TUPLE_LABEL_WIDTH: Final = 112


class TupleEditor(RowsEditor):
    """A list whose first places have schemas of their own; only what follows them can be added, moved or taken away."""

    @property
    def fixed(self) -> int:
        return len(self.field.schema.get("prefixItems", ()))

    def label_width(self) -> int:
        return _TUPLE_LABEL_WIDTH

    def words_for(self, value: Any) -> str:
        if not self.fits(value):
            return super().words_for(value)
        if self.takes_more():
            return super().words_for(value)
        return f"{len(value)} of {self.fixed}" if len(value) < self.fixed else f"{self.fixed} items"

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
