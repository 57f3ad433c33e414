"""Beside the tree: the chosen value, as an excerpt of a file, as text or as JSON."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QFontMetrics, QGuiApplication, QPaintEvent
from PySide6.QtWidgets import QWidget

from console.assets import paint_icon
from console.json_view.pretty import bounded_json, plain_text
from console.json_view.text_lines import code_spans, json_spans
from console.json_view.text_view import TextView
from console.language import tr
from console.theme import painter_of, theme_of
from console.widgets import BarFrame, ElidedLabel, IconButton, elide_middle, paint_text, set_surface, vbox

_WORD: Final = re.compile(r"\w+|\S")


class Excerpt(NamedTuple):
    """Some lines of a file.

    Attributes:
        line: The line that is meant, from 1.
        column: Where in it, from 1; None if the result does not say.
        first: Number of the first line that is there.
        lines: The lines.
        mark: First letter of what is meant in its line and the one past its last; None for the whole line.
    """

    file: str
    line: int
    column: int | None
    first: int
    lines: tuple[str, ...]
    mark: tuple[int, int] | None


def excerpt_of(value: Any) -> Excerpt | None:
    """Return the excerpt that an object describes; None if it describes none.

    What counts: `file` (or `path`), `line`, and a `text` of that line; lines before and after it from `before` and
    `after`, also inside `context`. No file is opened.
    """
    if not isinstance(value, Mapping):
        return None
    file, line, text = value.get("file", value.get("path")), value.get("line"), value.get("text")
    if not isinstance(file, str) or not isinstance(line, int) or isinstance(line, bool) or not isinstance(text, str):
        return None
    context = value.get("context")
    around = context if isinstance(context, Mapping) else value
    before, after = _texts(around.get("before")), _texts(around.get("after"))
    column = value.get("column")
    column = column if isinstance(column, int) and not isinstance(column, bool) else None
    return Excerpt(file, line, column, line - len(before), (*before, text, *after), _mark(text, column))


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(line, str) for line in value):
        return ()
    return tuple(value)


def _mark(text: str, column: int | None) -> tuple[int, int] | None:
    found = _WORD.match(text, column - 1) if column is not None and column >= 1 else None
    return found.span() if found is not None else None


class _Place(QWidget):
    """Which file, line and column an excerpt shows."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._file = ""
        self._where = ""
        self.setFixedHeight(28)

    def show_place(self, excerpt: Excerpt) -> None:
        self._file = excerpt.file
        self._where = (
            tr("line {line:,}", line=excerpt.line)
            if excerpt.column is None
            else tr("line {line:,}, column {column}", line=excerpt.line, column=excerpt.column)
        )
        self.setAccessibleName(f"{self._file} {self._where}")
        self.setToolTip(self._file)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = painter_of(self)
        paint_icon(painter, QRect(12, 7, 14, 14), "file-code", theme.color.text2, theme)
        font = theme.font("small")
        metrics = QFontMetrics(font)
        width = metrics.horizontalAdvance(self._where)
        room = max(0, self.width() - 34 - width - 8 - 12)
        file = elide_middle(self._file, metrics, room)
        paint_text(painter, QRect(34, 0, room + 1, self.height()), file, font, theme.color.text2)
        left = 34 + metrics.horizontalAdvance(file) + 8
        paint_text(painter, QRect(left, 0, width + 1, self.height()), self._where, font, theme.color.text3)


class PreviewPane(QWidget):
    """Show one value in full: where it stands above, itself below.

    Args:
        can_open: Whether there is a button that asks to open the value elsewhere.

    Signals:
        open_requested(str, object): Open a value elsewhere: its JSONPath and itself.
    """

    open_requested = Signal(str, object)

    def __init__(self, *, can_open: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.path = ""
        self._value: Any = None
        set_surface(self, "panel")
        self.setAccessibleName(tr("Preview"))
        head = BarFrame(32, surface="panel", margins=(12, 6), spacing=4, parent=self)
        self._path_label = ElidedLabel("", "code", "text2", elide=Qt.TextElideMode.ElideLeft, parent=head)
        self.copy_button = IconButton("copy", tr("Copy value"), parent=head)
        self.open_button = IconButton("external-link", tr("Open value"), parent=head)
        self.open_button.setVisible(can_open)
        head.row.addWidget(self._path_label, 1)
        head.row.addWidget(self.copy_button)
        head.row.addWidget(self.open_button)
        self._place = _Place(self)
        self.text = TextView(self)
        self.text.setAccessibleName(tr("Preview text"))
        column = vbox(self)
        column.addWidget(head)
        column.addWidget(self._place)
        column.addWidget(self.text, 1)
        self.copy_button.clicked.connect(self._on_copy_button_clicked)
        self.open_button.clicked.connect(self._on_open_button_clicked)
        self.clear()

    def show_value(self, path: str, value: Any) -> None:
        """Show a value.

        Args:
            path: Where it stands, as JSONPath.
            value: Any JSON value. An object with `file`, `line` and `text` shows as an excerpt of that file.
        """
        self.path, self._value = path, value
        self._path_label.set_text(path)
        self.copy_button.setEnabled(True)
        self.open_button.setEnabled(True)
        excerpt = excerpt_of(value)
        self._place.setVisible(excerpt is not None)
        if excerpt is not None:
            self._show_excerpt(excerpt)
        elif isinstance(value, str):
            self.text.set_wrapped(wrapped=True)
            self.text.set_text(value)
        else:
            self._show_json(value)

    def clear(self) -> None:
        """Show nothing, and let the value go."""
        self.path, self._value = "", None
        self._path_label.set_text("")
        self.copy_button.setEnabled(False)
        self.open_button.setEnabled(False)
        self._place.hide()
        self.text.clear()

    def _show_excerpt(self, excerpt: Excerpt) -> None:
        self._place.show_place(excerpt)
        self.text.set_wrapped(wrapped=False)
        self.text.set_text(
            "\n".join(excerpt.lines),
            first_number=excerpt.first,
            marked_line=excerpt.line,
            mark=excerpt.mark,
            spans=code_spans(excerpt.lines, excerpt.file),
        )

    def _show_json(self, value: Any) -> None:
        try:
            text, is_whole = bounded_json(value)
        except RecursionError:
            self.text.set_wrapped(wrapped=True)
            self.text.set_text(
                tr("Too many values inside each other to be written as text. The tree shows them one by one.")
            )
            return
        lines = text.split("\n")
        spans = [json_spans(line) for line in lines]
        if not is_whole:
            lines.append(tr("… copy the value to read the rest"))
        self.text.set_wrapped(wrapped=False)
        self.text.set_text("\n".join(lines), spans=spans)

    def _on_copy_button_clicked(self) -> None:
        QGuiApplication.clipboard().setText(plain_text(self._value))

    def _on_open_button_clicked(self) -> None:
        self.open_requested.emit(self.path, self._value)
