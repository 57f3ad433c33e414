"""Edit JSON as text: line numbers, colours, and the place where it stops being JSON."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, QTimer
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QSyntaxHighlighter,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QTextEdit, QWidget

from console.assets import paint_icon
from console.json_view.text_lines import json_spans
from console.language import tr
from console.schema_form.document import Document
from console.schema_form.editor import RETURN_KEYS, FieldEditor, is_run, is_undo_or_redo
from console.schema_form.fields import Field
from console.schema_form.json_text import TextProblem, parse_value, write_json
from console.schema_form.messages import first_of
from console.schema_form.paths import ABSENT, label, same
from console.schema_form.text_editors import CodeEdit
from console.theme import ThemeName, painter_of, theme_of
from console.widgets import IconLabel, paint_text, vbox

_OPENING: Final = ("{", "[")
_LARGE_TEXT: Final = 100_000
_SETTLE_MS: Final = 200


class _JsonHighlighter(QSyntaxHighlighter):
    """Colour JSON with the theme that is shown."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._formats: dict[str, QTextCharFormat] = {}
        self.read_theme()

    def read_theme(self) -> None:
        theme = theme_of()
        for kind in ("key", "string", "number", "boolean", "null", "punctuation"):
            color: QColor = getattr(theme.syntax, kind)
            form = QTextCharFormat()
            form.setForeground(color)
            self._formats[kind] = form

    def highlightBlock(self, text: str) -> None:
        if len(text) > _LARGE_TEXT:
            return
        for span in json_spans(text):
            self.setFormat(span.start, span.end - span.start, self._formats[span.kind])


class _Numbers(QWidget):
    """The line numbers at the left of an editor."""

    def __init__(self, editor: JsonTextEdit) -> None:
        super().__init__(editor)
        self._editor = editor

    def paintEvent(self, event: QPaintEvent) -> None:
        self._editor.paint_numbers(painter_of(self), event.rect())


class JsonTextEdit(CodeEdit):
    """JSON as text with line numbers; Enter keeps the indent."""

    _theme: ThemeName | None = None

    def __init__(self, *, numbered: bool = True, parent: QWidget | None = None) -> None:
        super().__init__(4, parent)
        self._problem: TextProblem | None = None
        self._numbered = numbered
        self.setLineWrapMode(CodeEdit.LineWrapMode.NoWrap)
        self._highlighter = _JsonHighlighter(self.document())
        self._numbers = _Numbers(self)
        self._numbers.setVisible(numbered)
        self.blockCountChanged.connect(self._on_block_count_changed)
        self.updateRequest.connect(self._on_update_request)
        self._fit_numbers()
        self._theme = theme_of(self).name

    def show_text(self, text: str) -> None:
        """Show a text without telling that it was edited; only what differs is replaced, and the caret goes there."""
        shown = self.toPlainText()
        if shown == text:
            return
        from rapidfuzz.distance import Postfix, Prefix  # noqa: PLC0415 -- only text that changes elsewhere needs it

        start = Prefix.similarity(shown, text)
        end = Postfix.similarity(shown[start:], text[start:])
        self.is_showing = True
        cursor = self.textCursor()
        # Qt counts in UTF-16 units.
        cursor.setPosition(_units(shown[:start]))
        cursor.setPosition(_units(shown[: len(shown) - end]), QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(text[start : len(text) - end])
        self.setTextCursor(cursor)
        self.is_showing = False

    def mark_problem(self, problem: TextProblem | None) -> None:
        """Mark the line where the text stops being JSON; None takes the mark away."""
        if problem == self._problem:
            return
        self._problem = problem
        selection = QTextEdit.ExtraSelection()
        if problem is None:
            self.setExtraSelections([])
        else:
            selection.format.setBackground(theme_of(self).status.error.soft)
            selection.format.setProperty(QTextCharFormat.Property.FullWidthSelection, True)
            selection.cursor = QTextCursor(self.document().findBlockByNumber(problem.line - 1))
            self.setExtraSelections([selection])
        self._numbers.update()

    def go_to(self, problem: TextProblem) -> None:
        block = self.document().findBlockByNumber(problem.line - 1)
        cursor = QTextCursor(block)
        cursor.setPosition(block.position() + min(problem.column - 1, max(0, block.length() - 1)))
        self.setTextCursor(cursor)
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keep the indent on Enter."""
        if event.key() in RETURN_KEYS and not is_run(event):
            self._break_line()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_numbers()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() != QEvent.Type.PaletteChange or self._theme in {None, theme_of(self).name}:
            return
        self._theme = theme_of(self).name
        self._highlighter.read_theme()
        problem, self._problem = self._problem, None
        self.mark_problem(problem)
        self.is_showing = True
        self._highlighter.rehighlight()
        self.is_showing = False

    def paint_numbers(self, painter: QPainter, area: QRect) -> None:
        """Paint the line numbers in a part of their column."""
        theme = theme_of(self)
        block: QTextBlock = self.firstVisibleBlock()
        offset = self.contentOffset()
        wrong = self._problem.line - 1 if self._problem is not None else -1
        while block.isValid():
            box = self.blockBoundingGeometry(block).translated(offset)
            if box.top() > area.bottom():
                break
            if block.isVisible() and box.bottom() >= area.top():
                number = block.blockNumber()
                # The last block is higher than its line.
                rect = QRect(0, round(box.top()), self._numbers.width() - 10, QFontMetrics(self.font()).lineSpacing())
                ink = theme.status.error.text if number == wrong else theme.color.text3
                paint_text(painter, rect, str(number + 1), self.font(), ink, align=_RIGHT)
                if number == wrong:
                    paint_icon(painter, QRect(2, rect.y(), 12, rect.height()), "circle-alert", ink, theme)
            block = block.next()

    def _break_line(self) -> None:
        cursor = self.textCursor()
        before = cursor.block().text()[: cursor.positionInBlock()]
        indent = before[: len(before) - len(before.lstrip())]
        deeper = "  " if before.rstrip().endswith(_OPENING) else ""
        cursor.insertText(f"\n{indent}{deeper}")
        self.setTextCursor(cursor)

    def _fit_numbers(self) -> None:
        if not self._numbered:
            return
        digits = max(2, len(str(self.blockCount())))
        width = QFontMetrics(self.font()).horizontalAdvance("0") * digits + 28
        self.setViewportMargins(width, 0, 0, 0)
        inner = self.contentsRect()
        self._numbers.setGeometry(QRect(inner.left(), inner.top(), width, inner.height()))

    def _on_block_count_changed(self, count: int) -> None:
        self._fit_numbers()
        self.updateGeometry()

    def _on_update_request(self, rect: QRect, dy: int) -> None:
        if dy:
            self._numbers.scroll(0, dy)
        else:
            self._numbers.update(0, rect.y(), self._numbers.width(), rect.height())


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class JsonEditor(QWidget):
    """The whole document as text."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._follows = True
        self.edit = JsonTextEdit(parent=self)
        self.edit.setAccessibleName(tr("Arguments as JSON"))
        self._message = IconLabel("circle-alert", "", "small", "error", parent=self)
        self._message.hide()
        self._settling = QTimer(self)
        self._settling.setSingleShot(True)
        self._settling.setInterval(_SETTLE_MS)
        self._settling.timeout.connect(self.commit)
        column = vbox(self, spacing=4)
        column.addWidget(self.edit, 1)
        column.addWidget(self._message)
        self.setFocusProxy(self.edit)
        self.edit.installEventFilter(self)
        self.edit.text_edited.connect(self._on_edit_text_edited)
        self.destroyed.connect(document.subscribe(self.refresh))
        self.refresh()

    @property
    def message(self) -> str:
        return "" if self._message.isHidden() else self._message.text

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leave undo to the whole document."""
        if is_undo_or_redo(event):
            event.ignore()
            return True
        return super().eventFilter(watched, event)

    def follow(self, *, follows: bool) -> None:
        """Follow the document, or let it be while nobody looks: writing a large one down takes long."""
        self._follows = follows
        self.refresh()

    def refresh(self) -> None:
        if not self._follows:
            return
        self.edit.show_text(self._document.text)
        problem = self._document.text_problem
        self.edit.mark_problem(problem)
        errors = self._document.errors()
        self._message.show_state("circle-alert", first_of([error.message for error in errors]), "error")
        self._message.setVisible(bool(errors))
        self.edit.setAccessibleDescription(self._message.text)

    def commit(self) -> None:
        """Take over what was typed at once, without waiting for a pause in the typing."""
        self._settling.stop()
        self._document.set_text(self.edit.toPlainText())

    def flush(self) -> None:
        """Take over large text that waits for a pause in the typing; nothing is done when none waits."""
        if self._settling.isActive():
            self.commit()

    def _on_edit_text_edited(self, text: str) -> None:
        # A large text is read when the typing pauses; a small one with each letter.
        if len(text) > _LARGE_TEXT:
            self._settling.start()
        else:
            self._document.set_text(text)


class JsonPartEditor(FieldEditor):
    """One argument as JSON text, for what no other field can show."""

    def __init__(self, field: Field, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(field, document, parent)
        self.edit = JsonTextEdit(numbered=False, parent=self)
        self.edit.setFixedHeight(3 * theme_of(self).line_height("code") + 16)
        vbox(self).addWidget(self.edit)
        self.adopt(self.edit)
        self.edit.text_edited.connect(self._on_edit_text_edited)
        self.refresh()

    def sizeHint(self) -> QSize:
        return self.edit.size()

    def show_value(self, value: Any) -> None:
        draft = self.document.draft(self.field.path)
        if draft is not None:
            self.edit.show_text(draft.text)
            return
        current, problem = parse_value(self.edit.toPlainText())
        if value is ABSENT:
            self.edit.show_text("")
        elif problem is not None or not same(current, value):
            self.edit.show_text(write_json(value))
        self._fit_height()
        self.edit.setPlaceholderText(
            self.placeholder(value) or tr("JSON: {wanted}", wanted=self.document.expectation(self.field.path))
        )

    def _on_edit_text_edited(self, text: str) -> None:
        if not text.strip():
            self.clear()
            return
        value, problem = parse_value(text)
        if problem is None:
            self.write(value)
        else:
            self.reject(text, tr("{name} must be JSON; {problem}", name=label(self.field.path), problem=problem))
        self._fit_height()

    def _fit_height(self) -> None:
        lines = min(12, max(3, self.edit.blockCount()))
        self.edit.setFixedHeight(lines * QFontMetrics(self.edit.font()).lineSpacing() + 18)
