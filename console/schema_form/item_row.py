"""The row of an item in a list: its place, its editor, and what may be done with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from console.schema_form.editor import FieldEditor
from console.schema_form.field_row import STRUCTURES, FieldRow
from console.schema_form.fields import Field
from console.schema_form.item_keys import ItemKey
from console.schema_form.paths import label
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
