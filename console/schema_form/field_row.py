"""The row a field stands in: label with marks, editor, and below it what is wrong."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QEnterEvent,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from console.assets import paint_icon
from console.language import tr
from console.schema_form.editor import STATE_WORDS, FieldEditor, FieldState
from console.schema_form.fields import Field, FieldKind
from console.theme import Theme, painter_of, theme_of
from console.widgets import IconButton, TextLabel, hbox, paint_box, paint_text, set_margins, set_surface
from tools.sentences import begin_sentence

_ICON: Final = 12
_DOT: Final = 5
_RING: Final = 7
_SIGNS: Final = {FieldState.ABSENT: "circle-dashed", FieldState.NULL: "circle-slash"}


def paint_state(painter: QPainter, room: QRect, state: FieldState, ink: QColor, theme: Theme) -> None:
    """Paint the mark of a state into the middle of its room."""
    sign = _SIGNS.get(state)
    size = _ICON - 2 if sign else _RING if state is FieldState.DEFAULT else _DOT
    box = QRect(room.x() + (room.width() - size) // 2, room.y() + (room.height() - size) // 2, size, size)
    if sign is not None:
        paint_icon(painter, box, sign, ink, theme)
    elif state is FieldState.DEFAULT:
        paint_box(painter, box, _RING / 2, border=ink)
    else:
        paint_box(painter, box, _DOT / 2, fill=ink)


MARK_WIDTH: Final = 12
"""Logical pixels between label and editor, in which the mark of the state stands."""

_TITLED_HEIGHT: Final = 32
_TITLE_HEIGHT: Final = 16
_NOTE_LINE: Final = 16
_NOTE_GAP: Final = 2
NOTE_HEIGHT: Final = _NOTE_GAP + _NOTE_LINE
"""How high the line below a field is, in logical pixels."""
_GAP: Final = 12
_STAR: Final = 12
_WORDS: Final = re.compile(r"[^0-9a-z]+")


def shown_title(field: Field) -> str:
    """Return the title of a field if it says more than the name does; "" otherwise.

    Args:
        field: `max_results` titled `Max Results` needs no title, nor is the name of a type one.
    """
    title = field.title
    is_type = "." in title and " " not in title
    return "" if is_type or _WORDS.sub("", title.lower()) == _WORDS.sub("", field.name.lower()) else title


class FieldLabel(QWidget):
    """The argument's name, below its title if it has one; a click enters the field.

    A name that a program knows is in the code face, one that was written for people is not.

    An asterisk says that it is required, a line through the name that it is deprecated, a lock that the tool sets it.
    """

    def __init__(self, field: Field, width: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._editor: FieldEditor | None = None
        self._field = field
        self._width = width
        self.show_field(field)

    def set_editor(self, editor: FieldEditor) -> None:
        self._editor = editor

    def show_field(self, field: Field) -> None:
        self._field = field
        self._title = shown_title(field)
        facts = [
            word
            for word, holds in ((tr("deprecated"), field.deprecated), (tr("set by the tool"), field.read_only))
            if holds
        ]
        about = "\n".join(part for part in (self._title, ", ".join(facts), field.description) if part)
        self.setToolTip(f"{field.name}\n{about}" if about else field.name)
        height = _TITLED_HEIGHT if self._title else theme_of(self).size.control
        self.setFixedSize(self._width, height)
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._editor is not None and event.button() is Qt.MouseButton.LeftButton:
            self._editor.target.setFocus(Qt.FocusReason.MouseFocusReason)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self._editor is not None and self._editor.has_states:
            self._editor.open_state_menu(event.globalPos())

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = painter_of(self)
        name_top = 0
        ink = theme.color.text2 if self.isEnabled() else theme.color.text_disabled
        if self._title:
            title = QRect(0, 0, self.width(), _TITLE_HEIGHT)
            paint_text(painter, title, self._title, theme.font("small"), theme.color.text if self.isEnabled() else ink)
            name_top = _TITLE_HEIGHT
        font = theme.font("body" if self._field.in_words else "code")
        if self._field.deprecated:
            font.setStrikeOut(True)
        marks = self._field.required or self._field.read_only
        room = self.width() - (_STAR if marks else 0)
        paint_text(painter, QRect(0, name_top, room, self.height() - name_top), self._field.name, font, ink)
        if not marks:
            return
        end = min(room, QFontMetrics(font).horizontalAdvance(self._field.name) + 3)
        mark = QRect(end, name_top, _STAR, self.height() - name_top)
        if self._field.read_only:
            paint_icon(painter, mark, "lock", theme.color.text3, theme)
        else:
            paint_text(painter, mark, "*", font, theme.status.error.text)


class StateMark(QAbstractButton):
    """Say what a field that may do without a value holds: see `paint_state` for the marks.

    A click offers what may be done with the whole value. The keyboard has the same menu in the field itself, so that
    Tab goes from field to field.
    """

    def __init__(self, editor: FieldEditor, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._editor = editor
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFixedSize(MARK_WIDTH, theme_of(self).size.control)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self._on_clicked)
        editor.state_changed.connect(self._show_state)
        self._show_state(editor.state)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = painter_of(self)
        middle = QRect(0, (self.height() - _ICON) // 2, self.width(), _ICON)
        if self.underMouse() and self.isEnabled():
            paint_box(painter, middle.adjusted(0, -4, 0, 4), theme.radius.small, fill=theme.color.hover)
        ink = self._ink()
        paint_state(painter, middle.adjusted(0, 0, -2, 0), self._editor.state, ink, theme)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.update()

    def _ink(self) -> QColor:
        theme = theme_of(self)
        if not self.isEnabled():
            return theme.color.text_disabled
        return theme.color.text2 if self.underMouse() else theme.color.text3

    def _show_state(self, state: str) -> None:
        words = STATE_WORDS[FieldState(state)]
        self.setAccessibleName(tr("State of {name}: {state}", name=self._editor.field.accessible_name, state=words))
        self.setToolTip(
            tr(
                "{state}. Click, or press the menu key in the field, to change that.",
                state=begin_sentence(words),
            )
        )
        self.update()

    def _on_clicked(self) -> None:
        self._editor.open_state_menu(self.mapToGlobal(QPoint(0, self.height())))


def note_of(field: Field) -> str:
    """Return what is said below a field; its editor may say it already."""
    said = "" if field.kind is FieldKind.BOOLEAN else " ".join(field.description.split())
    words = (tr("Deprecated"), field.deprecated), (tr("Set by the tool"), field.read_only)
    return ". ".join([word for word, holds in words if holds] + ([said] if said else []))


class FieldNote(QWidget):
    """One line below a field: what it means at the left, and at the right what is said of its value."""

    def __init__(self, editor: FieldEditor, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._editor = editor
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        editor.hint_changed.connect(self.show_field)
        self.show_field()

    @property
    def text(self) -> str:
        return note_of(self._editor.field)

    def show_field(self) -> None:
        if self._editor.field.description != self.toolTip():
            self.setToolTip(self._editor.field.description)
        self.setVisible(bool(self.text or self._editor.hint))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(0, NOTE_HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = painter_of(self)
        font = theme.font("small")
        ink = theme.color.text3 if self.isEnabled() else theme.color.text_disabled
        box = QRect(0, _NOTE_GAP, self.width(), _NOTE_LINE)
        hint = self._editor.hint
        if hint:
            room = QFontMetrics(font).horizontalAdvance(hint) + 1
            paint_text(painter, box.adjusted(max(0, self.width() - room), 0, 0, 0), hint, font, ink)
            box.adjust(0, 0, -room - _GAP, 0)
        if box.width() > 0:
            paint_text(painter, box, self.text, font, ink)


_MEANINGS: Final = {
    FieldState.VALUE: (tr("Set"), tr("The tool gets the value in the field.")),
    FieldState.DEFAULT: (tr("Default"), tr("The field shows the tool's own default, and nobody changed it.")),
    FieldState.ABSENT: (tr("Not set"), tr("The argument is left out. Grey words are a hint, never sent.")),
    FieldState.NULL: (tr("Null"), tr("The tool gets null: no value, on purpose.")),
}
_CLOSING: Final = {Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space}


class _Sign(QWidget):
    """One mark, as it stands before fields."""

    def __init__(self, state: FieldState, parent: QWidget) -> None:
        super().__init__(parent)
        self._state = state
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(16, theme_of(self).line_height("small"))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        paint_state(painter_of(self), QRect(0, 0, self.width(), self.height()), self._state, theme.color.text2, theme)


class _Legend(QFrame):
    """All marks with their meanings; any click beside it and Esc close it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        set_surface(self, "raised")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        grid = QGridLayout(self)
        set_margins(grid, 12, 10, 16, 12)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        for row, (state, (word, meaning)) in enumerate(_MEANINGS.items()):
            grid.addWidget(_Sign(state, self), row, 0)
            grid.addWidget(TextLabel(word, "small", parent=self), row, 1)
            grid.addWidget(TextLabel(meaning, "small", "text2", parent=self), row, 2)
        hint = tr("A click on a mark, or the menu key in the field, changes it. * is required.")
        grid.addWidget(TextLabel(hint, "small", "text3", parent=self), len(_MEANINGS), 1, 1, 2)
        said = " ".join(f"{word}: {meaning}" for word, meaning in _MEANINGS.values())
        self.setAccessibleName(tr("What the marks before fields mean"))
        self.setAccessibleDescription(f"{said} {hint}")

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        color = theme.color
        paint_box(painter_of(self), self.rect(), theme.radius.small, fill=color.raised, border=color.border_strong)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _CLOSING:
            self.close()
        else:
            super().keyPressEvent(event)


class LegendButton(IconButton):
    """Open the explanation of the marks before fields."""

    def __init__(self) -> None:
        super().__init__("circle-question-mark", tr("What the marks before fields mean"))
        self.clicked.connect(self._on_clicked)

    def _on_clicked(self) -> None:
        legend = _Legend(self)
        legend.move(self.mapToGlobal(QPoint(0, self.height() + 4)))
        legend.show()
        legend.setFocus(Qt.FocusReason.PopupFocusReason)


LABEL_WIDTH: Final = 112
STRUCTURES: Final = frozenset(
    {FieldKind.OBJECT, FieldKind.TABLE, FieldKind.ROWS, FieldKind.TUPLE, FieldKind.MAP, FieldKind.VARIANT}
)
"""Kinds of field that hold others and carry their own label."""
WIDE_KINDS: Final = frozenset({FieldKind.LINES, FieldKind.JSON}) | STRUCTURES
"""Kinds of field that take the whole width of a form."""


class FieldMessage(QWidget):
    """What is wrong with a field: an icon and a sentence below it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = TextLabel("", "small", "error", wrap=True, parent=self)
        row = hbox(self, margins=(20, 4, 0, 0))
        row.addWidget(self._words)
        self.hide()

    @property
    def text(self) -> str:
        return self._words.text()

    def show_text(self, text: str) -> None:
        self._words.setText(text)
        self.setVisible(bool(text))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        paint_icon(painter_of(self), QRect(0, 5, 14, 14), "circle-alert", theme.status.error.text, theme)


class FieldRow(QWidget):
    """One field of a form: label, field, and below it what is wrong."""

    def __init__(
        self,
        field: Field,
        make_editor: Callable[[QWidget], FieldEditor],
        label_width: int,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.field = field
        # Made inside the row: the style of one that moves there would be looked up twice.
        self.editor = editor = make_editor(self)
        wide = field.kind in WIDE_KINDS
        across = QSizePolicy.Policy.MinimumExpanding if wide else QSizePolicy.Policy.Preferred
        # Not fixed: that would hold it at its size hint, which knows nothing of how the message wraps at this width.
        policy = QSizePolicy(across, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.line = line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(0)
        self._label: FieldLabel | None = None
        self._note: FieldNote | None = None
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(editor)
        self._column = column
        if label_width:
            self._add_words(label_width)
        line.addLayout(column, 1)
        self._message: FieldMessage | None = None
        self.show_message(editor.problem)
        editor.problem_changed.connect(self.show_message)

    def _add_words(self, label_width: int) -> None:
        """Put name and state before the editor, and what it means below."""
        self._label = FieldLabel(self.field, label_width, self)
        self._label.set_editor(self.editor)
        self.editor.setMinimumHeight(theme_of(self).size.control)
        lead = QHBoxLayout()
        lead.setSpacing(0)
        lead.addWidget(self._label, 0, Qt.AlignmentFlag.AlignTop)
        if self.editor.has_states:
            lead.addWidget(StateMark(self.editor, self), 0, Qt.AlignmentFlag.AlignTop)
        else:
            lead.addSpacing(MARK_WIDTH)
        self.line.addLayout(lead)
        # What an item of a list means is said once, above the list.
        if self.field.path and isinstance(self.field.path[-1], str):
            self.editor.hint_changed.connect(self._show_note)
            self._show_note()

    @property
    def message(self) -> str:
        return "" if self._message is None else self._message.text

    def _show_note(self) -> None:
        """Say below the field what it means. Each widget takes time to make, and many fields have nothing to say."""
        if self._note is None and (note_of(self.field) or self.editor.hint):
            self._note = FieldNote(self.editor, self)
            self._column.insertWidget(1, self._note)

    def show_message(self, text: str) -> None:
        """Say below the field what is wrong; "" for nothing. Most fields never need the room for it."""
        if self._message is None and text:
            self._message = FieldMessage(self)
            self._column.addWidget(self._message)
        if self._message is not None:
            self._message.show_text(text)

    def take_field(self, field: Field) -> None:
        self.field = field
        self.editor.take_field(field)
        if self._label is not None:
            self._label.show_field(field)
        if self._note is not None:
            self._note.show_field()
        elif self._label is not None:
            self._show_note()

    def holds_focus(self) -> bool:
        focused = QApplication.focusWidget()
        return focused is not None and self.isAncestorOf(focused)
