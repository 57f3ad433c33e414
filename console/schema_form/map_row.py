"""The row of a value with a name that people choose: its name, its editor, and what takes it away."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from console.schema_form.editor import FieldEditor, is_undo_or_redo
from console.schema_form.field_row import FieldRow
from console.schema_form.fields import Field
from console.schema_form.item_keys import ItemKey, item_key
from console.schema_form.paths import label
from console.theme import theme_of
from console.widgets import IconButton

NAME_WIDTH: Final = 168


class MapRow(FieldRow):
    """One value of an object with free names.

    Args:
        field: What is edited.
        make_editor: Makes its editor inside the row.
        parent: Its owner.

    Signals:
        renamed(MapRow, str): A person typed another name.
        remove_requested(MapRow): The value is to be taken away.
    """

    renamed = Signal(object, str)
    remove_requested = Signal(object)

    def __init__(
        self, field: Field, make_editor: Callable[[QWidget], FieldEditor], parent: QWidget | None = None
    ) -> None:
        def make_both(owner: QWidget) -> FieldEditor:
            # Tab comes to the name first.
            self.name_line = QLineEdit(field.name, owner)
            return make_editor(owner)

        super().__init__(field, make_both, 0, parent)
        self.editor.stays = True
        self._name_problem = ""
        self.line.setSpacing(4)
        self.name_line.setFont(theme_of(self).font("code"))
        self.name_line.setFixedWidth(NAME_WIDTH)
        self.name_line.textEdited.connect(self._on_name_line_text_edited)
        self.name_line.installEventFilter(self)
        self.line.insertWidget(0, self.name_line, 0, Qt.AlignmentFlag.AlignTop)
        self.remove_button = IconButton("x", "", parent=self)
        self.remove_button.clicked.connect(self._on_remove_button_clicked)
        self.line.addWidget(self.remove_button, 0, Qt.AlignmentFlag.AlignTop)
        self._describe()

    def take_field(self, field: Field) -> None:
        """Edit the field as it is now, under the name it has now."""
        super().take_field(field)
        self._describe()

    def show_name(self, text: str, problem: str) -> None:
        """Show the name, or what was typed although it cannot be one.

        Args:
            text: As typed.
            problem: Why it cannot be the name; "" when it is.
        """
        if self.name_line.text() != text:
            self.name_line.setText(text)
        if problem == self._name_problem:
            return
        self._name_problem = problem
        self.name_line.setProperty("error", "true" if problem else "false")
        self.name_line.style().unpolish(self.name_line)
        self.name_line.style().polish(self.name_line)
        self.show_message(problem or self.editor.problem)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leave undo and the keys of items to what is around the name."""
        if watched is self.name_line and (is_undo_or_redo(event) or item_key(event) is not None):
            event.ignore()
            return True
        return super().eventFilter(watched, event)

    def _describe(self) -> None:
        name = label(self.field.path)
        self.name_line.setAccessibleName(f"name of {name}")
        self.remove_button.set_name(f"Remove {name}", ItemKey.REMOVE)

    def _on_name_line_text_edited(self, text: str) -> None:
        self.renamed.emit(self, text)

    def _on_remove_button_clicked(self) -> None:
        self.remove_requested.emit(self)
