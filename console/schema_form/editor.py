"""What every field has in common: it shows one place of a document and writes to it."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from operator import is_not
from typing import Any, Final, NamedTuple

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QContextMenuEvent, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QMenu, QPlainTextEdit, QWidget

from console.language import tr
from console.schema_form.document import Document
from console.schema_form.fields import Field, FieldKind
from console.schema_form.messages import given
from console.schema_form.pasting import whole_arguments
from console.schema_form.paths import ABSENT, Path, same
from console.schema_form.validation import FieldErrorKind
from console.widgets import Menu

_LISTS: Final = frozenset({FieldKind.LIST, FieldKind.SELECTION, FieldKind.TABLE, FieldKind.ROWS, FieldKind.TUPLE})
_OBJECTS: Final = frozenset({FieldKind.OBJECT, FieldKind.MAP})
_TEXTS: Final = frozenset({FieldKind.TEXT, FieldKind.LINES, FieldKind.SECRET, FieldKind.FILE, FieldKind.PATH})


def first_value(document: Document, path: Path) -> Any:
    """Return the value of a new place: its default, nothing of its kind, or null where its kind has no such value."""
    value = document.initial_value(path)
    if value is not ABSENT:
        return value
    kind = document.branch(path).kind
    if kind is FieldKind.TUPLE:
        return [first_value(document, field.path) for field in document.fields(path)]
    return False if kind is FieldKind.BOOLEAN else empty_value(kind)


def empty_value(kind: FieldKind) -> Any:
    """Return what a field leaves behind that was emptied and cannot be left out."""
    if kind in _TEXTS:
        return ""
    if kind in _LISTS:
        return []
    return {} if kind in _OBJECTS else None


_TEXT_KINDS: Final = frozenset({FieldKind.TEXT, FieldKind.LINES, FieldKind.PATH, FieldKind.SECRET})
_BOTH: Final = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


class FieldState(StrEnum):
    """What a field holds."""

    ABSENT = "absent"
    NULL = "null"
    DEFAULT = "default"
    VALUE = "value"


STATE_WORDS: Final = {
    FieldState.ABSENT: tr("not set"),
    FieldState.NULL: "null",
    FieldState.DEFAULT: tr("default"),
    FieldState.VALUE: tr("set"),
}


class StateAction(NamedTuple):
    """One thing that may be done with a whole value."""

    text: str
    keys: str
    carry_out: Callable[[], None]


RETURN_KEYS: Final = {Qt.Key.Key_Return, Qt.Key.Key_Enter}


def is_run(event: QKeyEvent) -> bool:
    """Tell whether a key press is Ctrl+Enter, which runs the tool."""
    return event.key() in RETURN_KEYS and bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)


class ItemKey(StrEnum):
    """What is done with the current item of a list, and how the keys are called."""

    UP = "Alt+Up"
    DOWN = "Alt+Down"
    ADD = "Alt+Insert"
    REMOVE = "Alt+Delete"
    DUPLICATE = "Alt+Shift+Down"


_ALT: Final = Qt.KeyboardModifier.AltModifier
_ITEM_KEYS: Final = {
    (Qt.Key.Key_Up, _ALT): ItemKey.UP,
    (Qt.Key.Key_Down, _ALT): ItemKey.DOWN,
    (Qt.Key.Key_Insert, _ALT): ItemKey.ADD,
    (Qt.Key.Key_Delete, _ALT): ItemKey.REMOVE,
    (Qt.Key.Key_Down, _ALT | Qt.KeyboardModifier.ShiftModifier): ItemKey.DUPLICATE,
}


def item_key(event: QEvent) -> ItemKey | None:
    """Return what a key press means for the item it happens in; None when it means nothing.

    Fields ignore these keys, so that they come to the list around the field.
    """
    if not isinstance(event, QKeyEvent) or event.type() is not QEvent.Type.KeyPress:
        return None
    # The arrow keys of some keyboards count as those of the number pad.
    modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    return _ITEM_KEYS.get((Qt.Key(event.key()), modifiers))


def mark(widget: QWidget, name: str, value: object) -> None:
    """Set a property that the style sheet asks for."""
    widget.setProperty(name, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)


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

    Attributes:
        stays: Whether the place cannot be left out, as that of an item of a list.

    Signals:
        problem_changed(str): Another message is to be shown below; "" for none.
        state_changed(str): It holds another of the `FieldState`s.
        hint_changed(str): Something else is to be said beside the description; "" for nothing.
    """

    problem_changed = Signal(str)
    state_changed = Signal(str)
    hint_changed = Signal(str)

    def __init__(self, field: Field, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = field
        self.document = document
        self._target: QWidget = self
        self._outlined: QWidget = self
        self._problem = ""
        self._hint = ""
        self._state: FieldState | None = None
        self._touched = False
        self._is_detached = False
        self.stays = bool(field.path) and isinstance(field.path[-1], int)
        self._seen: tuple[object, ...] = ()
        self._unsubscribe = document.subscribe(self.follow)
        self.destroyed.connect(self._unsubscribe)

    @property
    def target(self) -> QWidget:
        """Return the widget that takes the focus and carries the accessible name."""
        return self._target

    @property
    def problem(self) -> str:
        return self._problem

    @property
    def hint(self) -> str:
        """Return what is said beside the description, such as how long a text is; "" for nothing."""
        return self._hint

    @property
    def state(self) -> FieldState:
        """Return what the field holds: nothing, null, its default, or a value; what is no value yet counts as one."""
        if self.document.draft(self.field.path) is not None:
            return FieldState.VALUE
        value = self.document.get(self.field.path)
        if value is ABSENT or value is None:
            return FieldState.ABSENT if value is ABSENT else FieldState.NULL
        return FieldState.DEFAULT if same(value, self.field.default) else FieldState.VALUE

    @property
    def has_states(self) -> bool:
        """Return whether it may hold nothing or null, as well as a value."""
        may_be_absent = not self.field.required and not self.stays
        return (may_be_absent or self.field.nullable) and not self.field.read_only

    def show_value(self, value: Any) -> None:
        """Show a value, or that there is none (`ABSENT`); it must write nothing."""
        raise NotImplementedError

    def adopt(self, target: QWidget, outlined: QWidget | None = None) -> None:
        """Take a widget as the one with the focus, the accessible name and, unless another has it, the outline."""
        self._target = target
        self._outlined = target if outlined is None else outlined
        target.setAccessibleName(self.field.accessible_name)
        target.setToolTip(self.field.description)
        target.installEventFilter(self)
        if self.field.read_only:
            self._forbid_edits(target)
        self._describe()

    def show_hint(self, text: str) -> None:
        if text != self._hint:
            self._hint = text
            self.hint_changed.emit(text)

    def follow(self) -> None:
        """Show what stands in the document now, if that is not what stood there before."""
        if self._is_detached:
            # The document was just telling of a change when this was taken away.
            return
        seen = self._looked_up()
        # Among hundreds of fields one key press changes one or two.
        if len(seen) != len(self._seen) or any(map(is_not, seen, self._seen)):
            self.refresh()

    def refresh(self) -> None:
        self._seen = self._looked_up()
        self.show_value(self.document.get(self.field.path))
        self._show_problem(self._wanted_problem())
        state = self.state
        if state is not self._state:
            self._state = state
            self._describe()
            self.state_changed.emit(state)

    def take_field(self, field: Field) -> None:
        """Edit the place of another field, or the same one as it is described now."""
        self.field = field
        self._target.setAccessibleName(field.accessible_name)
        self.refresh()

    def detach(self) -> None:
        """Follow the document no more, before it is taken away."""
        self._is_detached = True
        self._unsubscribe()

    def reveal_missing(self) -> None:
        """Show from now on that a required value is missing; before the first edit that would only be noise."""
        self._touched = True
        self.refresh()

    def write(self, value: Any) -> None:
        self._touched = True
        self.document.set(self.field.path, value)

    def clear(self) -> None:
        """Leave the argument out; what stays where it is becomes empty, or null where its kind has nothing empty."""
        self._touched = True
        if self.stays:
            self.document.set(self.field.path, None if self.field.nullable else empty_value(self.field.kind))
        else:
            self.document.unset(self.field.path)

    def reject(self, text: str, message: str) -> None:
        """Keep what was typed although it is no value."""
        self._touched = True
        self.document.reject(self.field.path, text, message)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Offer null, the default and leaving out, by menu and by key; leave undo to the whole document."""
        if is_undo_or_redo(event) or item_key(event) is not None or self._is_whole_paste(watched, event):
            event.ignore()
            return True
        if event.type() is QEvent.Type.ContextMenu and isinstance(event, QContextMenuEvent):
            self._open_menu(watched, event.globalPos())
            return True
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress and event.modifiers() & _BOTH == _BOTH:
            pressed = QKeySequence(event.keyCombination())
            for action in self.whole_actions():
                if pressed == QKeySequence(action.keys):
                    action.carry_out()
                    return True
        return super().eventFilter(watched, event)

    def open_state_menu(self, place: QPoint) -> None:
        """Offer what may be done with the whole value."""
        self._open_menu(self, place)

    def text_of(self, value: Any) -> str:
        """Return the text of a field: as typed while that is no value, "" for what is absent or null."""
        draft = self.document.draft(self.field.path)
        if draft is not None:
            return draft.text
        return "" if value is ABSENT or value is None else str(value)

    def take_text(self, text: str) -> None:
        """Write the text that was typed; without any, leave the argument out."""
        if text:
            self.write(text)
        else:
            self.clear()

    def move_to_end(self) -> None:
        """Put the caret behind the text, where there is one."""

    def state_actions(self) -> list[QAction]:
        """Return what may be done with the whole value; the actions belong to the editor."""
        made = []
        for choice in self.whole_actions():
            action = QAction(choice.text, self)
            # Only shown: the editor itself takes the keys, and only while it has the focus.
            action.setShortcut(QKeySequence(choice.keys))
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            action.triggered.connect(choice.carry_out)
            made.append(action)
        return made

    def placeholder(self, value: Any) -> str:
        """Return what an empty field says: that it is null or empty on purpose, its default, or an example."""
        if value is None:
            return "null"
        if value == "":
            return tr("empty text")
        default = self.field.default
        if default is not ABSENT and default is not None:
            return tr("default") if self.field.secret else tr("default {default}", default=given(default))
        return self.field.example

    def whole_actions(self) -> list[StateAction]:
        """Return what may be done with the whole value, with the keys for it."""
        field, value = self.field, self.document.get(self.field.path)
        if field.read_only:
            return []
        actions: list[StateAction] = []
        if field.default is not ABSENT and field.default is not None:
            words = (
                tr("Restore default")
                if field.secret
                else tr("Restore default: {default}", default=given(field.default))
            )
            actions.append(StateAction(words, "Ctrl+Shift+D", self._on_restore_triggered))
        if field.kind in _TEXT_KINDS:
            actions.append(StateAction(tr("Set to empty text"), "Ctrl+Shift+E", self._on_empty_triggered))
        if field.nullable:
            actions.append(StateAction(tr("Set to null"), "Ctrl+Shift+N", self._on_null_triggered))
        if not self.stays and (value is not ABSENT or self.document.draft(field.path) is not None):
            actions.append(StateAction(tr("Leave out"), "Ctrl+Shift+Backspace", self._on_leave_out_triggered))
        return actions

    def _is_whole_paste(self, watched: QObject, event: QEvent) -> bool:
        """Tell whether a whole set of arguments is pasted into a line, and so onto the form around it."""
        if not isinstance(watched, QLineEdit) or not isinstance(event, QKeyEvent):
            return False
        if event.type() is not QEvent.Type.KeyPress or not event.matches(QKeySequence.StandardKey.Paste):
            return False
        names = {field.name for field in self.document.fields()}
        return whole_arguments(QGuiApplication.clipboard().text(), names) is not None

    def _looked_up(self) -> tuple[object, ...]:
        document, path = self.document, self.field.path
        return document.get(path), document.draft(path), document.errors()

    def _forbid_edits(self, target: QWidget) -> None:
        """Let what the tool sets be read and copied, not written."""
        if isinstance(target, QLineEdit | QPlainTextEdit):
            target.setReadOnly(True)
        else:
            self.setEnabled(False)

    def _open_menu(self, watched: QObject, place: QPoint) -> None:
        menu: QMenu
        if isinstance(watched, QLineEdit | QPlainTextEdit):
            menu = watched.createStandardContextMenu()
            menu.addSeparator()
        else:
            menu = Menu(self.field.name, self)
        for action in self.state_actions():
            action.setParent(menu)
            menu.addAction(action)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(place)

    def _wanted_problem(self) -> str:
        depth = len(self.field.path)
        for error in self.document.errors():
            if error.path[:depth] != self.field.path or not error.path:
                continue
            if self._is_mine(error.path) and (self._touched or error.kind is FieldErrorKind.INVALID):
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
            mark(self._outlined, "error", "true" if message else "false")
        self._describe()
        self.problem_changed.emit(message)

    def _describe(self) -> None:
        facts = ((tr("required"), self.field.required), (tr("deprecated"), self.field.deprecated))
        parts = [word for word, holds in (*facts, (tr("set by the tool"), self.field.read_only)) if holds]
        if self.state is FieldState.NULL or (self.state is FieldState.ABSENT and not self.field.required):
            parts.append(STATE_WORDS[self.state])
        parts += [self.field.description, self._problem]
        self._target.setAccessibleDescription(". ".join(part for part in parts if part))

    def _on_restore_triggered(self) -> None:
        self.write(self.field.default)

    def _on_empty_triggered(self) -> None:
        self.write("")

    def _on_null_triggered(self) -> None:
        self.write(None)

    def _on_leave_out_triggered(self) -> None:
        self.clear()
