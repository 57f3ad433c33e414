"""What runs when a server starts: every letter of it, with what one should look at twice marked."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Final, Literal

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFont, QTextCharFormat, QTextCursor, QTextOption
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextEdit, QWidget

from console.language import tr
from console.servers.rows import StartRow
from console.theme import ThemeName, theme_of
from console.widgets import IconLabel, TextLabel, vbox

Mark = Literal["", "host", "risk", "quiet"]
"""How a part of the text stands out: not at all, as the host of an address, as something to look at twice, or less."""

_MOST_LINES: Final = 12
_USUAL_WIDTH: Final = 560


class WholeText(QTextEdit):
    """Show a text in lines that break wherever they are full; one that is very long scrolls, and is all there.

    A label would give the rest of a word away that is longer than a line.
    """

    _parts: Sequence[tuple[str, Mark]] = ()
    _theme: ThemeName | None = None

    def __init__(self) -> None:
        super().__init__()
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
        return True

    def sizeHint(self) -> QSize:
        return QSize(_USUAL_WIDTH, self.heightForWidth(_USUAL_WIDTH))

    def minimumSizeHint(self) -> QSize:
        return QSize(80, theme_of(self).line_height("code"))


class StartView(QFrame):
    """Show a start untruncated.

    Args:
        title: What is said above a program that is started.
        reached: What is said above an address.
    """

    def __init__(self, title: str, reached: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", "inset")
        self._start = StartRow()
        self._words = {True: title, False: reached}
        self._title = TextLabel(title, "small", "text3")
        self._command = WholeText()
        self._facts = WholeText()
        self._risks = vbox(spacing=2)
        column = vbox(self, margins=(12, 10, 12, 10), spacing=6)
        for part in (self._title, self._command, self._facts):
            column.addWidget(part)
        column.addLayout(self._risks)
        self.show_start(StartRow())

    @property
    def start(self) -> StartRow:
        return self._start

    def show_start(self, start: StartRow) -> None:
        self._start = start
        self._title.setText(self._words[start.is_program])
        self.setAccessibleName(self._title.text())
        words: list[tuple[str, Mark]] = []
        for part in start.parts:
            words += [(part.text, "risk" if part.risk else ""), (" ", "")]
        self._command.show_parts(words[:-1])
        self._command.setAccessibleName(" ".join(part.text for part in start.parts) or tr("nothing"))
        self._command.setVisible(bool(start.parts))
        facts = "\n".join(f"{name}: {value}" for name, value in start.facts)
        self._facts.show_parts(((facts, "quiet"),))
        self._facts.setAccessibleName(facts)
        self._facts.setVisible(bool(start.facts))
        while (item := self._risks.takeAt(0)) is not None:
            gone = item.widget()
            if gone is not None:
                gone.deleteLater()
        risks = dict.fromkeys([part.risk for part in start.parts if part.risk] + list(start.notes))
        for risk in risks:
            self._risks.addWidget(_risk_line(risk, self))
        if start.problem:
            problem = TextLabel(start.problem, "small", "error", wrap=True, parent=self)
            self._risks.addWidget(problem)


def _risk_line(risk: str, parent: QWidget) -> IconLabel:
    return IconLabel("triangle-alert", risk, "small", "warn", parent=parent)
