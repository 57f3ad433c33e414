"""Markdown as a page: nothing is fetched or run, and a link opens only when somebody clicks it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from PySide6.QtCore import QEvent, QUrl, Signal
from PySide6.QtGui import (
    QFont,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextLength,
    QTextTable,
)
from PySide6.QtWidgets import QFrame, QTextBrowser, QWidget

from console.theme import FontRole, Theme, ThemeName, theme_of

MOST_RENDERED: Final = 30_000
"""Letters that are laid out; more of them would hold the window up."""

_MARGIN: Final = 20
_SCHEMES: Final = frozenset({"http", "https", "mailto"})
_CODE_FENCE: Final = QTextFormat.Property.BlockCodeFence
_FEATURES: Final = QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML


class MarkdownPage(QTextBrowser):
    """Page of Markdown whose links follow the theme: Qt gives links the colour that counts when they are read."""

    _theme: ThemeName | None = None

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme_of(self).name

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        theme = theme_of(self)
        if event.type() != QEvent.Type.PaletteChange or self._theme in {None, theme.name}:
            return
        self._theme = theme.name
        link = QTextCharFormat()
        link.setForeground(theme.color.accent_text)
        block = self.document().begin()
        while block.isValid():
            _merge(block, link, QTextCharFormat.isAnchor)
            block = block.next()


class RenderedView(MarkdownPage):
    """Show Markdown.

    Signals:
        link_opened(QUrl): A link to the web or to somebody's mail was clicked.
    """

    link_opened = Signal(QUrl)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setProperty("flat", True)
        self.setOpenLinks(False)
        self.anchorClicked.connect(self._on_anchor_clicked)

    def show_markdown(self, text: str) -> None:
        """Show a page; of a long one the beginning.

        Args:
            text: Markdown; HTML in it is shown as it is written.
        """
        theme = theme_of(self)
        document = self.document()
        document.setDefaultFont(theme.font("body"))
        document.setDocumentMargin(_MARGIN)
        shown = text[:MOST_RENDERED]
        document.setMarkdown(shown, _FEATURES)
        format_page(document, theme)
        if len(shown) < len(text):
            cursor = QTextCursor(document)
            cursor.movePosition(QTextCursor.MoveOperation.End)
            cursor.insertBlock()
            cursor.insertText(f"… {len(text) - len(shown):,} more characters: Source shows them all.")
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def find(self, needle: str, *, backwards: bool = False) -> bool:  # type: ignore[override]
        """Go to the next place where a text stands; behind the last one begin again; tell whether there is one."""
        flags = QTextDocument.FindFlag.FindBackward if backwards else QTextDocument.FindFlag(0)
        if super().find(needle, flags):
            return True
        cursor = self.textCursor()
        self.moveCursor(QTextCursor.MoveOperation.End if backwards else QTextCursor.MoveOperation.Start)
        if super().find(needle, flags):
            return True
        self.setTextCursor(cursor)
        return False

    def clear_page(self) -> None:
        """Show nothing, and let the text go."""
        self.document().clear()

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """Load nothing: a page must not tell anybody that it is read, nor show files that are here."""
        return None

    def _on_anchor_clicked(self, url: QUrl) -> None:
        if url.scheme().lower() in _SCHEMES:
            self.link_opened.emit(url)
        elif not url.scheme() and url.hasFragment():
            self.scrollToAnchor(url.fragment())


def format_page(document: QTextDocument, theme: Theme) -> None:
    """Give a page of Markdown the type scale of the window: Markdown knows only Qt's own sizes."""
    block = document.begin()
    while block.isValid():
        level = block.blockFormat().headingLevel()
        cursor = QTextCursor(block)
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
        if level:
            cursor.mergeCharFormat(_font_format("display" if level == 1 else "title", theme))
        else:
            _merge(block, _font_format("code", theme), QTextCharFormat.fontFixedPitch)
        spacing = QTextBlockFormat()
        code = _is_code(block) and cursor.currentTable() is None
        inside = cursor.currentTable() is not None or (code and _is_code(block.previous()))
        spacing.setTopMargin(16 if level > 1 else 0 if inside else 8 if code else 4)
        inside = cursor.currentTable() is not None or (code and _is_code(block.next()))
        spacing.setBottomMargin(8 if level else 0 if inside else 8 if code else 4)
        cursor.mergeBlockFormat(spacing)
        block = block.next()
    for frame in document.rootFrame().childFrames():
        if isinstance(frame, QTextTable):
            table = frame.format().toTableFormat()
            table.setBorder(0)
            table.setCellPadding(5)
            table.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
            frame.setFormat(table)
            _format_names(frame)


def _format_names(table: QTextTable) -> None:
    names = QTextCharFormat()
    names.setFontWeight(QFont.Weight.DemiBold)
    for column in range(table.columns()):
        cell = table.cellAt(0, column)
        cursor = cell.firstCursorPosition()
        if cursor.block().length() == 1 and cursor.block() != cell.lastCursorPosition().block():
            # WORKAROUND Qt 6.11: a table that follows code has an empty line of code in its first cell.
            cursor.deleteChar()
        cursor.setPosition(cell.lastCursorPosition().position(), QTextCursor.MoveMode.KeepAnchor)
        cursor.mergeCharFormat(names)


def _is_code(block: QTextBlock) -> bool:
    return block.isValid() and block.blockFormat().hasProperty(_CODE_FENCE)


def _merge(block: QTextBlock, style: QTextCharFormat, concerns: Callable[[QTextCharFormat], bool]) -> None:
    """Give the parts of a block that a format concerns further properties."""
    parts = block.begin()
    places: list[tuple[int, int]] = []
    while not parts.atEnd():
        part = parts.fragment()
        if concerns(part.charFormat()):
            places.append((part.position(), part.position() + part.length()))
        parts += 1
    for start, end in places:
        cursor = QTextCursor(block.document())
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        cursor.mergeCharFormat(style)


def _font_format(role: FontRole, theme: Theme) -> QTextCharFormat:
    style = QTextCharFormat()
    style.setFont(theme.font(role))
    return style
