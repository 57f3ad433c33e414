"""Markdown as a page: nothing is fetched or run, and a link opens only when somebody clicks it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, QUrl, Signal
from PySide6.QtGui import (
    QFont,
    QImage,
    QPainter,
    QPaintEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextLength,
    QTextTable,
)
from PySide6.QtWidgets import QFrame, QGridLayout, QStackedWidget, QTextBrowser, QWidget

from console.language import tr
from console.theme import FontRole, Theme, ThemeName, painter_of, theme_of
from console.widgets import Button, TextLabel, vbox

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

    Args:
        margin: Room around the text in logical pixels.

    Signals:
        link_opened(QUrl): A link to the web or to somebody's mail was clicked.
    """

    link_opened = Signal(QUrl)

    def __init__(self, parent: QWidget | None = None, *, margin: int = _MARGIN) -> None:
        super().__init__(parent)
        self._margin = margin
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
        # Each of both lays out again what is there.
        if document.defaultFont() != theme.font("body"):
            document.setDefaultFont(theme.font("body"))
        if document.documentMargin() != self._margin:
            document.setDocumentMargin(self._margin)
        shown = text[:MOST_RENDERED]
        document.setMarkdown(shown, _FEATURES)
        format_page(document, theme)
        if len(shown) < len(text):
            cursor = QTextCursor(document)
            cursor.movePosition(QTextCursor.MoveOperation.End)
            cursor.insertBlock()
            cursor.insertText(tr("… {more:,} more characters: Source shows them all.", more=len(text) - len(shown)))
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
    whole = QTextCursor(document)
    # Otherwise Qt lays the page out after each block.
    whole.beginEditBlock()
    code_font = _font_format("code", theme)
    block = document.begin()
    while block.isValid():
        level = block.blockFormat().headingLevel()
        cursor = QTextCursor(block)
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
        if level:
            cursor.mergeCharFormat(_font_format("display" if level == 1 else "title", theme))
        else:
            _merge(block, code_font, QTextCharFormat.fontFixedPitch)
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
            table.setTopMargin(4)
            table.setBottomMargin(4)
            table.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
            frame.setFormat(table)
            _format_names(frame)
    whole.endEditBlock()


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
        # WORKAROUND Qt 6.11: how a column is aligned reaches all of its cells but the name.
        below = table.cellAt(min(1, table.rows() - 1), column).firstCursorPosition().blockFormat()
        aligned = QTextBlockFormat()
        aligned.setAlignment(below.alignment())
        cursor.mergeBlockFormat(aligned)


def _is_code(block: QTextBlock) -> bool:
    return block.isValid() and block.blockFormat().hasProperty(_CODE_FENCE)


def _merge(block: QTextBlock, style: QTextCharFormat, concerns: Callable[[QTextCharFormat], bool]) -> None:
    """Give the parts of a block that a format concerns further properties."""
    start = block.position()
    parts = block.textFormats()
    places = [(start + one.start, start + one.start + one.length) for one in parts if concerns(one.format)]
    for start, end in places:
        cursor = QTextCursor(block.document())
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        cursor.mergeCharFormat(style)


def _font_format(role: FontRole, theme: Theme) -> QTextCharFormat:
    style = QTextCharFormat()
    style.setFont(theme.font(role))
    return style


class PictureView(QWidget):
    """Show a picture."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._image = QImage()
        self.setAccessibleName(tr("Picture"))

    def show_image(self, image: QImage) -> None:
        """Show another picture; a null one shows nothing."""
        self._image = image
        size = "" if image.isNull() else tr("{width} by {height} pixels", width=image.width(), height=image.height())
        self.setAccessibleDescription(size)
        self.setToolTip(size)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(360, 200)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._image.isNull():
            return
        room = self.rect().adjusted(12, 12, -12, -12)
        size = self._image.size()
        if size.width() > room.width() or size.height() > room.height():
            size = size.scaled(room.size(), Qt.AspectRatioMode.KeepAspectRatio)
        painter = painter_of(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        left = room.x() + (room.width() - size.width()) // 2
        top = room.y() + (room.height() - size.height()) // 2
        painter.drawImage(QRect(QPoint(left, top), size), self._image)


class DetailsView(QWidget):
    """Show facts about a file.

    Signals:
        open_requested: The file is to be opened with the program that the system has for it.
    """

    open_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Details"))
        column = vbox(self, margins=(20, 16, 20, 16), spacing=12)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(1, 1)
        self.open_button = Button(tr("Open with another program"), icon="external-link")
        column.addLayout(self._grid)
        column.addWidget(self.open_button, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)
        self.open_button.clicked.connect(self.open_requested)

    def show_details(self, facts: Sequence[tuple[str, str]], *, can_open: bool) -> None:
        """Show other facts.

        Args:
            facts: Words and their values.
            can_open: Whether the file is of a kind that only shows or plays something.
        """
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        for row, (word, value) in enumerate(facts):
            self._grid.addWidget(TextLabel(word, "small", "text3"), row, 0)
            label = TextLabel(value, "small", wrap=True, selectable=True)
            self._grid.addWidget(label, row, 1)
        self.setAccessibleDescription("; ".join(f"{word}: {value}" for word, value in facts))
        self.open_button.setVisible(can_open)


class RarePages(QObject):
    """Hold a page of Markdown, a picture and the details of a file."""

    link_opened = Signal(QUrl)
    open_requested = Signal()

    def __init__(self, stack: QStackedWidget, name: str) -> None:
        super().__init__(stack)
        self._stack = stack
        self._name = name
        self._rendered: RenderedView | None = None
        self._picture: PictureView | None = None
        self._details: DetailsView | None = None

    @property
    def rendered(self) -> RenderedView:
        if self._rendered is None:
            self._rendered = RenderedView(self._stack)
            self._rendered.setAccessibleName(tr("{name} as a page", name=self._name))
            self._rendered.link_opened.connect(self.link_opened)
            self._stack.addWidget(self._rendered)
        return self._rendered

    @property
    def picture(self) -> PictureView:
        if self._picture is None:
            self._picture = PictureView(self._stack)
            self._stack.addWidget(self._picture)
        return self._picture

    @property
    def details(self) -> DetailsView:
        if self._details is None:
            self._details = DetailsView(self._stack)
            self._details.open_requested.connect(self.open_requested)
            self._stack.addWidget(self._details)
        return self._details

    def clear(self) -> None:
        if self._rendered is not None:
            self._rendered.clear_page()
        if self._picture is not None:
            self._picture.show_image(QImage())
