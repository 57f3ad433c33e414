"""A form and a text editor over one document, one of them shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path as FilePath
from typing import Any, Final, Literal

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QFrame,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QWidget,
)

from console.language import tr
from console.schema_form.document import Document
from console.schema_form.editor import FieldEditor, is_redo, is_run, is_undo
from console.schema_form.flat_schema import Schema
from console.schema_form.form import SchemaForm
from console.schema_form.json_editor import JsonEditor
from console.schema_form.json_text import TextProblem, parse_object, place_of
from console.schema_form.pasting import arguments_of, whole_arguments
from console.schema_form.paths import Path
from console.schema_form.validation import FieldError
from console.theme import theme_of
from console.widgets import vbox

ArgumentsMode = Literal["form", "json"]

_FEWEST_LINES: Final = 6
_MOST_LINES: Final = 16
_CHECKING_MS: Final = 10


class _FormScroll(QScrollArea):
    """Scroll a form, and wish to be as high as the form is at this width."""

    def __init__(self, document: Document, base: FilePath | None, parent: QWidget, *, in_slices: bool) -> None:
        super().__init__(parent)
        self.form = form = SchemaForm(document, base=base, in_slices=in_slices, parent=self.viewport())
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(form)
        # It stands on pages and in dialogs, whose background is not the same.
        form.setAutoFillBackground(False)
        form.installEventFilter(self)

    def sizeHint(self) -> QSize:
        width = self.width() if self.width() > 100 else 1000
        return QSize(width, self.form.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)


class ArgumentsEditor(QWidget):
    """The arguments of a tool, as a form or as JSON; both edit one document, and neither loses what the other wrote.

    It scrolls by itself, and its size hint is the height that shows everything at its width.

    Args:
        base: The folder that relative paths start from; None for the home folder.
        in_slices: Whether the form makes most of its rows between events, so that what it stands on opens sooner.

    Signals:
        changed: The arguments changed.
        validity_changed(bool, int, int): Whether all is well, how many arguments are, and how many there are.
        mode_changed(str): "form" or "json" is shown. Also sent when a change was refused, so that the control that
            asked for it can show the truth again.
        submit_requested: Ctrl+Enter was pressed in a field and nothing else took it.
        pasted(int): So many arguments from the clipboard took the place of all.
    """

    changed = Signal()
    validity_changed = Signal(bool, int, int)
    mode_changed = Signal(str)
    submit_requested = Signal()
    pasted = Signal(int)

    def __init__(self, *, base: FilePath | None = None, in_slices: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.document = Document()
        self._stack = QStackedWidget(self)
        self._scroll = _FormScroll(self.document, base, self._stack, in_slices=in_slices)
        self.form = self._scroll.form
        self._stack.addWidget(self._scroll)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        vbox(self).addWidget(self._stack)
        self._checking = QTimer(self)
        self._checking.setInterval(_CHECKING_MS)
        self._checking.timeout.connect(self._on_checking_timeout)
        self.form.changed.connect(self._on_form_changed)
        self.form.validity_changed.connect(self.validity_changed)
        self.form.submit_requested.connect(self.submit_requested)

    @cached_property
    def json(self) -> JsonEditor:
        """Give the editor of the text, made when somebody wants to see the arguments as JSON."""
        editor = JsonEditor(self.document, self._stack)
        self._stack.addWidget(editor)
        return editor

    @property
    def mode(self) -> ArgumentsMode:
        return "form" if self._stack.currentWidget() is self._scroll else "json"

    def set_mode(self, mode: ArgumentsMode) -> bool:
        """Show the form or the text. Text that is no JSON keeps the person where it is.

        Returns:
            Whether that is shown now.
        """
        self._flush()
        problem = self.document.text_problem
        if mode == "form" and problem is not None:
            self.json.edit.go_to(problem)
        elif mode != self.mode:
            self.document.hide_secrets()
            self.json.follow(follows=mode == "json")
            self._stack.setCurrentWidget(self.json if mode == "json" else self._scroll)
            self.updateGeometry()
        self.mode_changed.emit(self.mode)
        return self.mode == mode

    def set_base(self, base: FilePath) -> None:
        self.form.set_base(base)

    def set_schema(
        self,
        schema: Schema,
        *,
        value: Mapping[str, Any] | None = None,
        examples: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        """Edit the arguments of another schema; see `SchemaForm.set_schema`."""
        self.form.set_schema(schema, value=value, examples=examples)
        self.updateGeometry()

    def change_schema(self, schema: Schema, examples: Sequence[Mapping[str, Any]] = ()) -> None:
        """Edit the arguments of another schema of the same tool: values, typed text, focus and caret stay."""
        self._flush()
        # The window may be behind the editor that saved the file, and then nothing has the application's focus.
        focus = self.window().focusWidget()
        path = self._path_around(focus) if self.form.isAncestorOf(focus) else ()
        caret = _caret_of(focus)
        scrolled = self._scroll.verticalScrollBar().value()
        self.form.change_schema(schema, examples)
        self.updateGeometry()
        if path and self._path_around(self.window().focusWidget()) != path:
            self.form.focus_field(path)
        if path and self.window().focusWidget() is not focus:
            _put_caret(self.window().focusWidget(), caret)
        self._scroll.verticalScrollBar().setValue(scrolled)

    def set_value(self, value: Mapping[str, Any]) -> None:
        self.document.replace(value)

    def value(self) -> dict[str, Any]:
        self._flush()
        return self.document.value()

    def errors(self) -> list[FieldError]:
        self._settle()
        return list(self.document.errors())

    def can_run(self) -> bool:
        """Tell whether the arguments fit; arguments that do not, and text that is no JSON, must not run."""
        self._settle()
        return not self.document.errors()

    def reveal_problems(self) -> bool:
        """Say what is missing, and put the focus on the first thing that is wrong; tell whether something is."""
        errors = self._revealed()
        if errors:
            self.reveal_problem(errors[0].path)
        return bool(errors)

    def reveal_problem(self, path: Path) -> None:
        """Say what is missing, and go to the argument of a path, in the form or in the text."""
        self._revealed()
        problem = self.document.text_problem
        if problem is not None:
            self.json.edit.go_to(problem)
        elif self.mode == "form":
            self.focus_field(path)
        else:
            place = place_of(self.document.text, path)
            self.json.edit.go_to(TextProblem(place.line, place.column, ""))

    def step_problem(self, step: int) -> None:
        """Go to the next thing that is missing or wrong, or to the one before; after the last comes the first."""
        paths = [error.path for error in self._revealed()]
        if not paths:
            return
        here = self._path_around(QApplication.focusWidget())
        at = next((index for index, path in enumerate(paths) if here and path[: len(here)] == here), None)
        # Before the first one stands what is before it; with no place to go on from, either end will do.
        self.reveal_problem(paths[(at + step if at is not None else min(step, 0)) % len(paths)])

    def paste(self) -> str:
        """Put the arguments on the clipboard in the place of all.

        Returns:
            Why that cannot be, for people; "" when it was done.
        """
        text = QGuiApplication.clipboard().text()
        if not text.strip():
            return tr("The clipboard holds no text: copy a JSON object with the arguments first.")
        value, problem = parse_object(text)
        if value is None:
            return tr("The clipboard holds no JSON object: {problem}.", problem=problem)
        self._replace(arguments_of(value, self._names()))
        return ""

    def focus_field(self, path: Path) -> bool:
        """Put the focus into the field of an argument and scroll it into view; tell whether there is one."""
        editor = self.form.editor(path)
        if editor is None:
            return False
        self.form.focus_field(path)
        self._scroll.ensureWidgetVisible(editor, 0, 12)
        return True

    def focus_first(self) -> bool:
        """Put the focus into the first field, or into the JSON; tell whether there is anything to fill in."""
        if self.mode == "json":
            self.json.edit.setFocus(Qt.FocusReason.OtherFocusReason)
            return True
        first = next(iter(self.document.schema.get("properties", {})), None)
        return first is not None and self.focus_field((first,))

    def undo(self) -> bool:
        self._flush()
        return self._go_to_change(self.document.undo())

    def redo(self) -> bool:
        self._flush()
        return self._go_to_change(self.document.redo())

    def _go_to_change(self, path: Path | None) -> bool:
        if path and self.mode == "form":
            self.focus_field(path)
        return path is not None

    def sizeHint(self) -> QSize:
        if self.mode == "form":
            width = self.width() if self.width() > 100 else 1000
            return QSize(width, self.form.heightForWidth(width))
        lines = min(_MOST_LINES, max(_FEWEST_LINES, self.json.edit.blockCount() + 1))
        return QSize(600, lines * theme_of(self).line_height("code") + 16)

    def minimumSizeHint(self) -> QSize:
        return QSize(200, 60)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ask to run with Ctrl+Enter; take changes back and make them again with Ctrl+Z and Ctrl+Shift+Z."""
        if is_undo(event):
            self.undo()
            return
        if is_redo(event):
            self.redo()
            return
        if is_run(event):
            self.submit_requested.emit()
            return
        if self.mode == "form" and event.matches(QKeySequence.StandardKey.Paste):
            # A field lets this through when it is a whole object, and what is no text field always does.
            arguments = whole_arguments(QGuiApplication.clipboard().text(), self._names())
            if arguments is not None:
                self._replace(arguments)
                return
        super().keyPressEvent(event)

    def _names(self) -> frozenset[str]:
        return frozenset(field.name for field in self.document.fields())

    def _replace(self, arguments: Mapping[str, Any]) -> None:
        self.document.replace(arguments)
        self.pasted.emit(len(arguments))

    def _revealed(self) -> Sequence[FieldError]:
        """Say in the form what is missing, and return everything that is wrong."""
        self._settle()
        self.form.reveal_missing()
        return self.document.errors()

    def _settle(self) -> None:
        """Take over what is being typed, and check all of it."""
        self._flush()
        self.document.finish_checking()

    def _flush(self) -> None:
        """Take over text that waits for a pause in the typing."""
        if "json" in vars(self):
            self.json.flush()

    def _path_around(self, widget: QWidget | None) -> Path:
        while widget is not None and not isinstance(widget, FieldEditor):
            widget = widget.parentWidget()
        return () if widget is None else widget.field.path

    def _on_checking_timeout(self) -> None:
        if self.document.check_more():
            self._checking.stop()

    def _on_form_changed(self) -> None:
        self.updateGeometry()
        if self.document.is_checked:
            self._checking.stop()
        else:
            # A large document is checked in a thread, so that typing goes on meanwhile.
            self._checking.start()
        self.changed.emit()


def _line_of(widget: QWidget | None) -> QWidget | None:
    return widget.findChild(QLineEdit) if isinstance(widget, QAbstractSpinBox) else widget


def _caret_of(widget: QWidget | None) -> tuple[int, int] | None:
    """Return where a selection begins and where the caret stands; None for what has no text."""
    widget = _line_of(widget)
    if isinstance(widget, QLineEdit):
        caret = widget.cursorPosition()
        begins, length = widget.selectionStart(), widget.selectionLength()
        return (caret if begins < 0 else begins + length if caret == begins else begins), caret
    if isinstance(widget, QPlainTextEdit):
        return widget.textCursor().anchor(), widget.textCursor().position()
    return None


def _put_caret(widget: QWidget | None, caret: tuple[int, int] | None) -> None:
    if caret is None:
        return
    anchor, position = caret
    widget = _line_of(widget)
    if isinstance(widget, QLineEdit):
        widget.setSelection(anchor, position - anchor)
        if anchor == position:
            widget.setCursorPosition(position)
    elif isinstance(widget, QPlainTextEdit):
        end = len(widget.toPlainText())
        cursor = widget.textCursor()
        cursor.setPosition(min(anchor, end))
        cursor.setPosition(min(position, end), cursor.MoveMode.KeepAnchor)
        widget.setTextCursor(cursor)
