"""What runs when a server starts: every letter of it, with what one should look at twice marked."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from console.servers.rows import Start
from console.theme import theme_of
from console.widgets import IconLabel, TextLabel

__all__ = ["StartView"]


class StartView(QFrame):
    """Show a start untruncated.

    Args:
        title: What is said above it.
        parent: Its owner.
    """

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", "inset")
        self.setAccessibleName(title)
        self._start = Start()
        self._title = TextLabel(title, "small", "text3")
        self._command = QLabel()
        self._command.setTextFormat(Qt.TextFormat.RichText)
        self._command.setWordWrap(True)
        self._command.setFont(theme_of(self).font("code"))
        self._command.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._facts = TextLabel("", "code", "text2", wrap=True, selectable=True)
        self._risks = QVBoxLayout()
        self._risks.setSpacing(2)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 10)
        column.setSpacing(6)
        for part in (self._title, self._command, self._facts):
            column.addWidget(part)
        column.addLayout(self._risks)
        self.show_start(Start())

    @property
    def start(self) -> Start:
        """Give what is shown."""
        return self._start

    def show_start(self, start: Start) -> None:
        """Show another start."""
        self._start = start
        tone = theme_of(self).status.warn
        marked = f"color:{tone.text.name()};background-color:{tone.soft.name()};"
        words = []
        for part in start.parts:
            text = escape(part.text).replace(" ", "&nbsp;")
            words.append(f'<span style="{marked}">{text}</span>' if part.risk else text)
        self._command.setText(" ".join(words))
        self._command.setAccessibleName(" ".join(part.text for part in start.parts) or "nothing")
        self._command.setVisible(bool(start.parts))
        self._facts.setText("\n".join(f"{name}: {value}" for name, value in start.facts))
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
