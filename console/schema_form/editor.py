"""What every field has in common: it shows one place of a document and writes to it."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QAction, QContextMenuEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QMenu, QPlainTextEdit, QWidget

from console.schema_form.document import Document
from console.schema_form.fields import Field, FieldKind
from console.schema_form.messages import given
from console.schema_form.paths import ABSENT
from console.schema_form.validation import ErrorKind
from console.widgets import Menu

__all__ = ["FieldEditor", "is_redo", "is_undo", "is_undo_or_redo"]

_TEXT_KINDS = frozenset({FieldKind.TEXT, FieldKind.LINES, FieldKind.PATH})


def is_undo(event: QEvent) -> bool:
    """Tell whether an event is the key press that takes the last change back."""
    return (
        isinstance(event, QKeyEvent)
        and event.type() is QEvent.Type.KeyPress
        and event.matches(QKeySequence.StandardKey.Undo)
    )


def is_redo(event: QEvent) -> bool:
    """Tell whether an event is the key press that makes the last change again: Ctrl+Shift+Z, and Ctrl+Y everywhere."""
    if not isinstance(event, QKeyEvent) or event.type() is not QEvent.Type.KeyPress:
        return False
    is_ctrl_y = event.key() == Qt.Key.Key_Y and event.modifiers() == Qt.KeyboardModifier.ControlModifier
    return is_ctrl_y or event.matches(QKeySequence.StandardKey.Redo)


def is_undo_or_redo(event: QEvent) -> bool:
    """Tell whether an event is the key press of either."""
    return is_undo(event) or is_redo(event)


class FieldEditor(QWidget):
    """Show what stands at one place of a document, write what a person enters there, and mark what is wrong.

    A kind of field overrides `show_value`, calls `adopt` for its main widget, and writes with `write`, `clear` and
    `reject`. Changes from elsewhere arrive by themselves.

    Args:
        field: What is edited.
        document: Where it stands.
        parent: Its owner.

    Signals:
        problem_changed(str): Another message is to be shown below; "" for none.
    """

    problem_changed = Signal(str)

    def __init__(self, field: Field, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = field
        self.document = document
        self._target: QWidget = self
        self._outlined: QWidget = self
        self._problem = ""
        self._touched = False
        self._unsubscribe = document.subscribe(self.refresh)
        self.destroyed.connect(self._unsubscribe)

    @property
    def target(self) -> QWidget:
        """Return the widget that takes the focus and carries the accessible name."""
        return self._target

    @property
    def problem(self) -> str:
        """Return the message that is shown; "" for none."""
        return self._problem

    @property
    def hint(self) -> str:
        """Return what stands to the right of the field; "" for nothing."""
        return ""

    def show_value(self, value: Any) -> None:
        """Show a value, or that there is none; it must write nothing.

        Args:
            value: What stands in the document; `ABSENT` for nothing.
        """
        raise NotImplementedError

    def adopt(self, target: QWidget, outlined: QWidget | None = None) -> None:
        """Take a widget as the one that has the focus, the accessible name and the outline.

        Args:
            target: The main widget.
            outlined: What shows the error outline; None for the target.
        """
        self._target = target
        self._outlined = target if outlined is None else outlined
        target.setAccessibleName(self.field.accessible_name)
        target.setToolTip(self.field.description)
        target.installEventFilter(self)
        if target is not self:
            self.setFocusProxy(target)
        self._describe()

    def refresh(self) -> None:
        """Show what stands in the document now."""
        self.show_value(self.document.get(self.field.path))
        self._show_problem(self._wanted_problem())

    def detach(self) -> None:
        """Follow the document no more, before it is taken away."""
        self._unsubscribe()

    def reveal_missing(self) -> None:
        """Show from now on that a required value is missing; before the first edit that would only be noise."""
        self._touched = True
        self.refresh()

    def write(self, value: Any) -> None:
        """Put a value into the document."""
        self._touched = True
        self.document.set(self.field.path, value)

    def clear(self) -> None:
        """Leave the argument out."""
        self._touched = True
        self.document.unset(self.field.path)

    def reject(self, text: str, message: str) -> None:
        """Keep what was typed although it is no value."""
        self._touched = True
        self.document.reject(self.field.path, text, message)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Offer null, the default and leaving out in the context menu; leave undo to the whole document."""
        if is_undo_or_redo(event):
            event.ignore()
            return True
        if event.type() is QEvent.Type.ContextMenu and isinstance(event, QContextMenuEvent):
            self._open_menu(watched, event)
            return True
        return super().eventFilter(watched, event)

    def move_to_end(self) -> None:
        """Put the caret behind the text, where there is one."""

    def state_actions(self) -> list[QAction]:
        """Return what may be done with the whole value; the actions belong to the editor."""
        value, default = self.document.get(self.field.path), self.field.default
        actions: list[QAction] = []
        if default is not ABSENT and default is not None:
            actions.append(self._action(f"Restore default: {given(default)}", self._on_restore_triggered))
        if self.field.kind in _TEXT_KINDS:
            actions.append(self._action("Set to empty text", self._on_empty_triggered))
        if self.field.nullable:
            actions.append(self._action("Set to null", self._on_null_triggered))
        if value is not ABSENT:
            actions.append(self._action("Leave out", self._on_leave_out_triggered))
        return actions

    def placeholder(self, value: Any) -> str:
        """Return what an empty field says: that it is null or empty on purpose, its default, or an example."""
        if value is None:
            return "null"
        if value == "":
            return "empty text"
        default = self.field.default
        if default is not ABSENT and default is not None:
            return f"default {given(default)}"
        return self.field.example

    def _action(self, text: str, slot: Any) -> QAction:
        action = QAction(text, self)
        action.triggered.connect(slot)
        return action

    def _open_menu(self, watched: QObject, event: QContextMenuEvent) -> None:
        actions = self.state_actions()
        menu: QMenu
        if isinstance(watched, QLineEdit | QPlainTextEdit):
            menu = watched.createStandardContextMenu()
            menu.addSeparator()
        else:
            menu = Menu(self.field.name, self)
        for action in actions:
            action.setParent(menu)
            menu.addAction(action)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def _wanted_problem(self) -> str:
        depth = len(self.field.path)
        for error in self.document.errors():
            if error.path[:depth] != self.field.path or not error.path:
                continue
            if self._is_mine(error.path) and (self._touched or error.kind is ErrorKind.INVALID):
                return error.message
        return ""

    def _is_mine(self, path: tuple[str | int, ...]) -> bool:
        """Tell whether an error at or below this field is shown here and not by a field inside."""
        return True

    def _show_problem(self, message: str) -> None:
        if message == self._problem:
            return
        had, self._problem = bool(self._problem), message
        if had != bool(message):
            self._outlined.setProperty("error", "true" if message else "false")
            self._outlined.style().unpolish(self._outlined)
            self._outlined.style().polish(self._outlined)
        self._describe()
        self.problem_changed.emit(message)

    def _describe(self) -> None:
        parts = ["required" if self.field.required else "", self.field.description, self._problem]
        self._target.setAccessibleDescription(". ".join(part for part in parts if part))

    def _on_restore_triggered(self) -> None:
        self.write(self.field.default)

    def _on_empty_triggered(self) -> None:
        self.write("")

    def _on_null_triggered(self) -> None:
        self.write(None)

    def _on_leave_out_triggered(self) -> None:
        self.clear()
