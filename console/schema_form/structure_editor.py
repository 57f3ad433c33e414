"""Fields that hold other fields: a frame with a head that opens and closes it; the field of an object."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QMargins, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QFrame, QLabel, QSizePolicy, QStyle, QWidget

from console.assets import paint_icon
from console.language import tr
from console.schema_form.choice_editors import BooleanEditor
from console.schema_form.document import Document
from console.schema_form.editor import FieldEditor, StateAction, first_value
from console.schema_form.field_row import FieldLabel, FieldNote, FieldRow, shown_title
from console.schema_form.field_rows import FieldRows, MakeRow
from console.schema_form.fields import Field, FieldKind
from console.schema_form.layouts import FlowLayout
from console.schema_form.messages import given
from console.schema_form.number_editor import NumberEditor
from console.schema_form.paths import ABSENT, Path
from console.theme import painter_of, theme_of
from console.widgets import Button, IconButton, Switch, TextLabel, hbox, order_focus, paint_focus_ring, vbox

if TYPE_CHECKING:
    from console.schema_form.rows import RowMaker

PADDING: Final = 12
INDENT: Final = 23
BODY_MARGINS: Final = (INDENT, 0, 0, 5)
_HEAD_WIDTH: Final = 112
_WIDEST_NAME: Final = 240
_MARK: Final = 16
_CHEVRON: Final = 16
_OPEN_LEVELS: Final = 1
_MOST_OPEN_LEVELS: Final = 3


class _Head(QAbstractButton):
    """The chevron and the name; a click, Space, Left and Right open and close."""

    def __init__(self, field: Field, parent: QWidget, *, is_open: bool) -> None:
        super().__init__(parent)
        theme = theme_of(self)
        name = QFontMetrics(theme.font("code")).horizontalAdvance(field.name) + _MARK
        title = QFontMetrics(theme.font("small")).horizontalAdvance(shown_title(field))
        width = max(_HEAD_WIDTH - INDENT, min(_WIDEST_NAME, max(name, title) + 1))
        self._label = FieldLabel(field, width, self)
        self._label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setText(field.name)
        self.setAccessibleName(tr("Fields of {name}", name=field.name))
        self.setCheckable(True)
        self.setChecked(is_open)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.show_field(field)

    def show_field(self, field: Field) -> None:
        self._label.show_field(field)
        self.setToolTip(self._label.toolTip())

    def sizeHint(self) -> QSize:
        return QSize(INDENT + self._label.width(), self._label.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        place = QRect(QPoint(INDENT, 0), self._label.size())
        self._label.setGeometry(QStyle.visualRect(self.layoutDirection(), self.rect(), place))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        wanted = {Qt.Key.Key_Left: False, Qt.Key.Key_Right: True}.get(Qt.Key(event.key()))
        if wanted is None:
            super().keyPressEvent(event)
        else:
            self.setChecked(wanted)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = painter_of(self)
        chevron = "chevron-down" if self.isChecked() else "chevron-right"
        box = QRect(0, (self.height() - _CHEVRON) // 2, _CHEVRON, _CHEVRON)
        paint_icon(painter, box, chevron, theme.color.text2, theme)
        if self.hasFocus():
            paint_focus_ring(painter, self.rect(), theme.radius.small, theme)


class StructureEditor(FieldEditor):
    """A framed field with a head; what is inside is made when it is opened for the first time.

    A field that may be left out has a switch. Off means left out; what was there comes back when it is switched on
    again. A kind of structure overrides what is not implemented here and ends its constructor with `begin`.

    Attributes:
        inner: The rows inside, as far as what is inside is made.
        alone: The editors inside that stand in no row.
        row_depth: How many levels below the field its rows stand.
    """

    holds: tuple[type, ...] = (Mapping,)
    row_depth = 1

    def __init__(self, field: Field, document: Document, maker: RowMaker, parent: QWidget | None = None) -> None:
        super().__init__(field, document, parent)
        self.maker = maker
        self.inner: list[FieldRows] = []
        self.alone: list[FieldEditor] = []
        self.body: QWidget | None = None
        self._kept: Any = ABSENT
        self._is_showing = False
        self._reveals = False
        self.frame = QFrame(self)
        self.frame.setProperty("card", "inset")
        vbox(self).addWidget(self.frame)
        # The frame's own line is one pixel of the padding.
        self.column = vbox(self.frame, margins=(PADDING - 1, 5, PADDING - 1, 5), spacing=8)
        self.head = _Head(field, self.frame, is_open=self.starts_open())
        self.switch = self._make_switch()
        self.words = TextLabel("", "small", "text3", parent=self.frame)
        self.words.setFixedHeight(28)
        self.line = hbox()
        self.line.addWidget(self.head, 0, Qt.AlignmentFlag.AlignTop)
        if self.switch is not None:
            self.line.addWidget(self.switch, 0, Qt.AlignmentFlag.AlignTop)
            self.line.addSpacing(PADDING)
        self.line.addWidget(self.words, 0, Qt.AlignmentFlag.AlignTop)
        self.column.addLayout(self.line)
        self._note = FieldNote(self, self.frame)
        below = hbox(margins=(INDENT, 0, 0, 0))
        below.addWidget(self._note)
        self.column.addLayout(below)

    @property
    def is_open(self) -> bool:
        return self.head.isChecked()

    def make_body(self) -> QWidget:
        """Make what is inside, a child of `frame`."""
        raise NotImplementedError

    def place_body(self, body: QWidget) -> None:
        """Put what is inside where it belongs."""
        self.column.addWidget(body)

    def lose_head(self) -> None:
        """Stand inside another frame that names it already: without a frame, a name and a switch of its own."""
        self.frame.setProperty("card", "none")
        self.column.setContentsMargins(0, 0, 0, 0)
        self.head.hide()
        self._note.setFixedHeight(0)
        if self.switch is not None:
            self.switch.hide()
        self.open()

    def drop_body(self) -> None:
        """Take away what is inside; it is made anew the next time it is shown."""
        self._detach_inside()
        self.alone.clear()
        self.inner.clear()
        if self.body is not None:
            self.body.hide()
            self.body.deleteLater()
            self.body = None

    def fits(self, value: Any) -> bool:
        return isinstance(value, self.holds)

    def first_value(self) -> Any:
        """Return what stands there when it is switched on for the first time."""
        return first_value(self.document, self.field.path)

    def words_for(self, value: Any) -> str:
        raise NotImplementedError

    def make_rows(
        self,
        wanted: Callable[[], Sequence[Field]],
        parent: QWidget,
        *,
        make_row: MakeRow | None = None,
        margins: tuple[int, int, int, int] = (0, 0, 0, 0),
        single: bool = False,
    ) -> FieldRows:
        """Make rows for the fields that a function names; see `FieldRows`."""
        make_row = self._make_row if make_row is None else make_row
        rows = FieldRows(
            self.document,
            wanted,
            make_row,
            self.maker.slices,
            margins=QMargins(*margins),
            single=single,
            parent=parent,
        )
        rows.rows_changed.connect(self.refresh)
        self.inner.append(rows)
        return rows

    def inner_fields(self) -> tuple[Field, ...]:
        return self.document.fields(self.field.path)

    def inner_rows(self) -> list[FieldRow]:
        return [row for rows in self.inner for row in rows.rows()]

    def part(self, path: Path) -> FieldEditor:
        """Return the editor of a place inside, or of the nearest one around it; what is closed on the way is opened."""
        if len(path) == len(self.field.path):
            return self
        self.open()
        found = next((editor for editor in self.alone if editor.field.path == path[: len(editor.field.path)]), None)
        if found is None:
            row = self.reach(path)
            found = self if row is None else row.editor
        return found.part(path) if isinstance(found, StructureEditor) and found is not self else found

    def reach(self, path: Path) -> FieldRow | None:
        """Return the row inside that a place is in, made and shown now if it was not; None when there is none."""
        own = path[: len(self.field.path) + self.row_depth]
        return next((row for rows in self.inner if (row := rows.row(own)) is not None), None)

    def make_add_buttons(self, add_words: str, paste_words: str) -> None:
        """Make the buttons that add to what is inside, in the order in which Tab visits them."""
        self.paste_button = IconButton("file-input", tr("Paste into {name}", name=self.field.name), parent=self.frame)
        self.paste_button.setToolTip(paste_words)
        self.add_button = Button(tr("Add"), kind="ghost", icon="plus", parent=self.frame)
        self.add_button.setAccessibleName(tr("Add to {name}", name=self.field.name))
        self.add_button.setToolTip(add_words)
        for button in (self.paste_button, self.add_button):
            button.setEnabled(not self.field.read_only)

    def starts_open(self) -> bool:
        """Tell whether it is open at first: near the top, or if something stands in it that is not too deep."""
        depth = len(self.field.path)
        is_used = self.field.required or self.document.get(self.field.path) is not ABSENT
        return depth <= _OPEN_LEVELS or (is_used and depth <= _MOST_OPEN_LEVELS)

    def begin(self) -> None:
        """Show the value, and what is inside if it starts open."""
        # What is wrong inside is outlined at its own field.
        self.adopt(self.head if self.switch is None else self.switch, self.frame)
        self.head.toggled.connect(self._on_head_toggled)
        if self.is_open:
            self._show_body()
        self.refresh()

    def open(self) -> None:
        self.head.setChecked(True)

    def take_field(self, field: Field) -> None:
        """Edit the place of another field, or the same one as it is described now."""
        super().take_field(field)
        self.head.show_field(field)
        self._note.show_field()

    def follow(self) -> None:
        """Show what stands in the document now; what is inside may have other fields although the value is the same."""
        if not self._is_detached:
            self.refresh()

    def show_value(self, value: Any) -> None:
        """Switch on or off as the document says; what is inside follows by itself."""
        is_on = self.fits(value)
        if is_on:
            self._kept = value
        is_other = not is_on and value is not ABSENT and value is not None
        self.words.setText(tr("holds {value}", value=given(value)) if is_other else self.words_for(value))
        if self.switch is not None:
            self._is_showing = True
            self.switch.setChecked(value is not ABSENT)
            self._is_showing = False
        if self.body is not None:
            self.body.setEnabled(self.is_usable(value) and not self.field.read_only)

    def is_usable(self, value: Any) -> bool:
        """Tell whether what is inside may be used while this value is there."""
        return self.fits(value) or (self.switch is None and (value is ABSENT or value is None))

    def whole_actions(self) -> list[StateAction]:
        """Offer to begin anew as well, which helps where something else stands that cannot be shown inside."""
        anew = StateAction(tr("Begin anew"), "Ctrl+Shift+E", self._on_anew_triggered)
        return super().whole_actions() if self.field.read_only else [anew, *super().whole_actions()]

    def reveal_missing(self) -> None:
        """Show what is missing here and inside, also in what is opened later."""
        self._reveals = True
        for part in self._parts_inside():
            part.reveal_missing()
        super().reveal_missing()

    def detach(self) -> None:
        self._detach_inside()
        super().detach()

    def _parts_inside(self) -> list[FieldEditor | FieldRows]:
        return [*self.alone, *self.inner]

    def _detach_inside(self) -> None:
        for part in self._parts_inside():
            part.detach()

    def _forbid_edits(self, target: QWidget) -> None:
        """Let what the tool sets be opened and read."""
        if self.switch is not None:
            self.switch.setEnabled(False)

    def _make_switch(self) -> Switch | None:
        if self.field.required:
            return None
        switch = Switch(self.field.accessible_name, parent=self.frame)
        switch.setFixedHeight(28)
        switch.toggled.connect(self._on_switch_toggled)
        return switch

    def _show_body(self) -> None:
        if self.body is None:
            self.body = self.make_body()
            self.place_body(self.body)
            if self._reveals:
                self.reveal_missing()
            order_focus(self.head, self)
        self.body.setVisible(self.is_open)

    def _is_mine(self, path: Path) -> bool:
        """Tell whether an error at or inside this field has no better place to be said."""
        if len(path) == len(self.field.path) or not self.is_open or self.body is None:
            return True
        return not self.says_inside(path)

    def says_inside(self, path: Path) -> bool:
        """Tell whether a field inside says an error, when this one is open; what stands alone has no room for it."""
        own = path[: len(self.field.path) + self.row_depth]
        return any(row.field.path == own for row in self.inner_rows()) or any(
            isinstance(editor, StructureEditor) and editor.says_inside(path) for editor in self.alone
        )

    def _make_row(self, field: Field, parent: QWidget) -> FieldRow:
        return self.maker.row(field, self.document, parent)

    def _on_head_toggled(self, is_open: bool) -> None:
        if is_open or self.body is not None:
            self._show_body()
        # An error inside is now said there, or here again.
        self.refresh()
        self.updateGeometry()

    def _on_anew_triggered(self) -> None:
        self.write(self.first_value())
        self.open()

    def _on_switch_toggled(self, is_on: bool) -> None:
        if self._is_showing:
            return
        if not is_on:
            self.clear()
            return
        self.write(self.first_value() if self._kept is ABSENT else self._kept)
        self.open()


_INLINE_KINDS: Final = frozenset({FieldKind.INTEGER, FieldKind.NUMBER, FieldKind.BOOLEAN})
_MOST_INLINE: Final = 4


class ObjectEditor(StructureEditor):
    """An object: few numbers and ticks stand in its line, other parts below it in the form's columns.

    Off means that the argument is left out; what was in it comes back when it is switched on again.
    """

    def __init__(self, field: Field, document: Document, maker: RowMaker, parent: QWidget | None = None) -> None:
        self._inline_fields = _inline(document.fields(field.path))
        super().__init__(field, document, maker, parent)
        if not self.is_inline:
            self.line.addStretch(1)
        self.begin()

    @property
    def is_inline(self) -> bool:
        return bool(self._inline_fields)

    def starts_open(self) -> bool:
        return self.is_inline or super().starts_open()

    def words_for(self, value: Any) -> str:
        if value is None:
            return "null"
        return tr("object") if self.field.required else tr("optional object")

    def make_body(self) -> QWidget:
        if self.is_inline:
            return self._make_inline()
        return self.make_rows(self.inner_fields, self.frame, margins=BODY_MARGINS)

    def place_body(self, body: QWidget) -> None:
        if self.is_inline:
            self.line.addSpacing(2 * PADDING)
            self.line.addWidget(body, 1)
        else:
            super().place_body(body)

    def refresh(self) -> None:
        fields = _inline(self.document.fields(self.field.path))
        if self.body is not None and self.is_inline and not _same_parts(fields, self._inline_fields):
            self._leave_line()
        super().refresh()

    def _make_inline(self) -> QWidget:
        body = QWidget(self.frame)
        flow = FlowLayout(20, body)
        for field in self._inline_fields:
            if field.kind is FieldKind.BOOLEAN:
                self.alone.append(BooleanEditor(field, self.document, words="name", parent=body))
                flow.addWidget(self.alone[-1])
            else:
                flow.addWidget(self._labelled(field, body))
        return body

    def _labelled(self, field: Field, body: QWidget) -> QWidget:
        pair = QWidget(body)
        row = hbox(pair, spacing=PADDING)
        name = TextLabel(field.name, "code", "text2", parent=pair)
        name.setToolTip(field.description)
        row.addWidget(name)
        if field.required:
            star = QLabel("*", pair)
            star.setProperty("tone", "error")
            row.addWidget(star)
        self.alone.append(NumberEditor(field, self.document, narrow=True, parent=pair))
        row.addWidget(self.alone[-1])
        pair.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        return pair

    def _leave_line(self) -> None:
        """Put the parts below the head: others have joined them."""
        self._inline_fields = ()
        self.drop_body()
        self.line.addStretch(1)
        self._show_body()


def _inline(fields: tuple[Field, ...]) -> tuple[Field, ...]:
    """Return the fields if they stand in one line; none otherwise."""
    is_short = 0 < len(fields) <= _MOST_INLINE and all(field.kind in _INLINE_KINDS for field in fields)
    return fields if is_short else ()


def _same_parts(some: tuple[Field, ...], others: tuple[Field, ...]) -> bool:
    return [(field.path, field.kind) for field in some] == [(field.path, field.kind) for field in others]
