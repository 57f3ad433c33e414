"""A text of which nothing may be missing: what a person has to see before they agree to it."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Final, Literal

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFont, QTextCharFormat, QTextCursor, QTextOption
from PySide6.QtWidgets import QSizePolicy, QTextEdit, QWidget

from console.theme import ThemeName, theme_of

Mark = Literal["", "host", "risk", "quiet"]
"""How a part of the text stands out: not at all, as the host of an address, as something to look at twice, or less."""

_MOST_LINES: Final = 12
_USUAL_WIDTH: Final = 560


class WholeText(QTextEdit):
    """Show a text in lines that break wherever they are full; one that is very long scrolls, and is all there.

    A label would give the rest of a word away that is longer than a line.

    Args:
        parent: Its owner.
    """

    _parts: Sequence[tuple[str, Mark]] = ()
    _theme: ThemeName | None = None

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("flat", True)
        self.setReadOnly(True)
        self.setAcceptRichText(False)
        self.setFont(theme_of(self).font("code"))
        self.document().setDocumentMargin(0)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.viewport().setAutoFillBackground(False)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_parts(self, parts: Sequence[tuple[str, Mark]]) -> None:
        """Show other text.

        Args:
            parts: Each part and how it stands out.
        """
        self._parts, self._theme = parts, theme_of(self).name
        self.clear()
        cursor = QTextCursor(self.document())
        for text, mark in parts:
            cursor.insertText(text, self._format(mark))
        self.moveCursor(QTextCursor.MoveOperation.Start)
        self.updateGeometry()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._theme not in {None, theme_of(self).name}:
            self.show_parts(self._parts)

    def _format(self, mark: Mark) -> QTextCharFormat:
        theme, form = theme_of(self), QTextCharFormat()
        if mark == "host":
            form.setForeground(theme.color.text)
            form.setBackground(theme.color.match_bg)
            form.setFontWeight(QFont.Weight.Bold)
        elif mark == "risk":
            form.setForeground(theme.status.warn.text)
            form.setBackground(theme.status.warn.soft)
        elif mark == "quiet":
            form.setForeground(theme.color.text2)
        return form

    def heightForWidth(self, width: int) -> int:
        """Return how high the text is at a width, in logical pixels, up to what then scrolls."""
        document = self.document().clone()
        document.setTextWidth(width)
        return min(ceil(document.size().height()), _MOST_LINES * theme_of(self).line_height("code")) + 2

    def hasHeightForWidth(self) -> bool:
        """Return that a narrower text is higher."""
        return True

    def sizeHint(self) -> QSize:
        """Return the size at a usual width."""
        return QSize(_USUAL_WIDTH, self.heightForWidth(_USUAL_WIDTH))

    def minimumSizeHint(self) -> QSize:
        """Return that it can be narrow."""
        return QSize(80, theme_of(self).line_height("code"))
