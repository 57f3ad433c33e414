"""The field of an object: its parts in a frame, with a switch when it may be left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QFrame, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from console.assets import paint_icon
from console.schema_form.document import Document, initial_value
from console.schema_form.editor import FieldEditor
from console.schema_form.fields import Field, FieldKind, fields_of
from console.schema_form.layouts import ColumnsLayout, FlowLayout
from console.schema_form.paths import ABSENT
from console.theme import theme_of
from console.widgets import Switch, TextLabel, paint_text

__all__ = ["MakeEditor", "MakeRow", "ObjectEditor"]

MakeRow = Callable[[Field, Document, QWidget], QWidget]
MakeEditor = Callable[[Field, Document, QWidget], FieldEditor]

_INLINE_KINDS: Final = frozenset({FieldKind.INTEGER, FieldKind.NUMBER, FieldKind.BOOLEAN})
_MOST_INLINE: Final = 4
_PADDING: Final = 12


class _Head(QAbstractButton):
    """The chevron and the name; a click, Space, Left and Right open and close."""

    def __init__(self, name: str, parent: QWidget, *, required: bool) -> None:
        super().__init__(parent)
        self._required = required
        self.setText(name)
        self.setAccessibleName(f"Fields of {name}")
        self.setCheckable(True)
        self.setChecked(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(112, 28)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        wanted = {Qt.Key.Key_Left: False, Qt.Key.Key_Right: True}.get(Qt.Key(event.key()))
        if wanted is None:
            super().keyPressEvent(event)
        else:
            self.setChecked(wanted)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = QPainter(self)
        chevron = "chevron-down" if self.isChecked() else "chevron-right"
        box = self.rect()
        box.setWidth(16)
        paint_icon(painter, box.adjusted(0, 6, 0, -6), chevron, theme.color.text2, theme)
        words = self.rect().adjusted(23, 0, 0, 0)
        font = theme.font("code")
        paint_text(painter, words, self.text(), font, theme.color.text2)
        if self._required:
            star = words.adjusted(QFontMetrics(font).horizontalAdvance(self.text()) + 3, 0, 12, 0)
            paint_text(painter, star, "*", font, theme.status.error.text)


class ObjectEditor(FieldEditor):
    """An object: few numbers and ticks stand in its line, other parts below it in the form's columns.

    Off means that the argument is left out; what was in it comes back when it is switched on again.

    Args:
        field: What is edited.
        document: Where it stands.
        make_editor: Makes a part that stands in the line.
        make_row: Makes a part with its label, for the columns below.
        parent: Its owner.
    """

    def __init__(
        self,
        field: Field,
        document: Document,
        make_editor: MakeEditor,
        make_row: MakeRow,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(field, document, parent)
        self._kept: Any = ABSENT
        self._is_showing = False
        self.fields = fields_of(document.schema, field.path)
        self.is_inline = len(self.fields) <= _MOST_INLINE and all(part.kind in _INLINE_KINDS for part in self.fields)
        frame = QFrame(self)
        frame.setProperty("card", "inset")
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(frame)
        column = QVBoxLayout(frame)
        # The frame's own line is one pixel of the padding.
        column.setContentsMargins(_PADDING - 1, 5, _PADDING - 1, 5)
        column.setSpacing(8)
        self.head = _Head(field.name, frame, required=field.required)
        self.switch = self._make_switch(frame)
        self.parts = QWidget(frame)
        self.rows: list[QWidget] = []
        self._lay_out(column, frame)
        self._fill(make_editor, make_row)
        # What is wrong inside is outlined at its own field.
        self.adopt(self.head if self.switch is None else self.switch, self)
        # Tab comes to the head first; a proxy would put the switch before it.
        self.setFocusProxy(None)  # type: ignore[arg-type]
        self.head.toggled.connect(self._on_head_toggled)
        self.refresh()

    def show_value(self, value: Any) -> None:
        """Switch on or off as the document says; the parts follow by themselves."""
        is_on = isinstance(value, Mapping)
        if is_on:
            self._kept = value
        if self.switch is not None:
            self._is_showing = True
            self.switch.setChecked(is_on)
            self._is_showing = False
            self.parts.setEnabled(is_on)

    def reveal_missing(self) -> None:
        """Show what is missing here and in the parts."""
        for row in self.rows:
            row.reveal_missing()  # type: ignore[attr-defined]
        super().reveal_missing()

    def detach(self) -> None:
        """Follow the document no more, nor do the parts."""
        for row in self.rows:
            row.detach()  # type: ignore[attr-defined]
        super().detach()

    def _lay_out(self, column: QVBoxLayout, frame: QFrame) -> None:
        line = QHBoxLayout()
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(0)
        line.addWidget(self.head, 0, Qt.AlignmentFlag.AlignTop)
        words = TextLabel("object", "small", "text3", parent=frame)
        if self.switch is not None:
            words.setText("optional object")
            line.addWidget(self.switch, 0, Qt.AlignmentFlag.AlignTop)
            line.addSpacing(_PADDING)
        words.setFixedHeight(28)
        line.addWidget(words, 0, Qt.AlignmentFlag.AlignTop)
        column.addLayout(line)
        if self.is_inline:
            line.addSpacing(24)
            line.addWidget(self.parts, 1)
        else:
            line.addStretch(1)
            column.addWidget(self.parts)

    def _make_switch(self, frame: QFrame) -> Switch | None:
        if self.field.required:
            return None
        switch = Switch(self.field.accessible_name, parent=frame)
        switch.setFixedHeight(28)
        switch.toggled.connect(self._on_switch_toggled)
        return switch

    def _fill(self, make_editor: MakeEditor, make_row: MakeRow) -> None:
        if not self.is_inline:
            columns = ColumnsLayout(self.parts)
            columns.setContentsMargins(23, 0, 0, 5)
            for field in self.fields:
                row = make_row(field, self.document, self.parts)
                self.rows.append(row)
                columns.addWidget(row)
            return
        flow = FlowLayout(20, 4, self.parts)
        for field in self.fields:
            editor = make_editor(field, self.document, self.parts)
            self.rows.append(editor)
            flow.addWidget(editor if field.kind is FieldKind.BOOLEAN else self._labelled(field, editor))

    def _labelled(self, field: Field, editor: FieldEditor) -> QWidget:
        pair = QWidget(self.parts)
        row = QHBoxLayout(pair)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(_PADDING)
        name = TextLabel(field.name, "code", "text2", parent=pair)
        name.setToolTip(field.description)
        row.addWidget(name)
        if field.required:
            star = QLabel("*", pair)
            star.setProperty("tone", "error")
            row.addWidget(star)
        row.addWidget(editor)
        pair.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        return pair

    def _is_mine(self, path: tuple[str | int, ...]) -> bool:
        depth = len(self.field.path)
        known = {part.name for part in self.fields}
        return self.is_inline or len(path) == depth or path[depth] not in known

    def _on_head_toggled(self, is_open: bool) -> None:
        self.parts.setVisible(is_open)
        self.updateGeometry()

    def _on_switch_toggled(self, is_on: bool) -> None:
        if self._is_showing:
            return
        if not is_on:
            self.clear()
        elif isinstance(self._kept, Mapping):
            self.write(self._kept)
        else:
            self.write(initial_value(self.field.schema, self.document.schema))
