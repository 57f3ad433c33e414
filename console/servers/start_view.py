"""What runs when a server starts: every letter of it, with what one should look at twice marked."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from console.servers.rows import StartRow
from console.servers.whole_text_view import Mark, WholeText
from console.widgets import IconLabel, TextLabel


class StartView(QFrame):
    """Show a start untruncated.

    Args:
        title: What is said above a program that is started.
        reached: What is said above an address.
        parent: Its owner.
    """

    def __init__(self, title: str, reached: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", "inset")
        self._start = StartRow()
        self._words = {True: title, False: reached}
        self._title = TextLabel(title, "small", "text3")
        self._command = WholeText()
        self._facts = WholeText()
        self._risks = QVBoxLayout()
        self._risks.setSpacing(2)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 10)
        column.setSpacing(6)
        for part in (self._title, self._command, self._facts):
            column.addWidget(part)
        column.addLayout(self._risks)
        self.show_start(StartRow())

    @property
    def start(self) -> StartRow:
        """Give what is shown."""
        return self._start

    def show_start(self, start: StartRow) -> None:
        """Show another start."""
        self._start = start
        self._title.setText(self._words[start.is_program])
        self.setAccessibleName(self._title.text())
        words: list[tuple[str, Mark]] = []
        for part in start.parts:
            words += [(part.text, "risk" if part.risk else ""), (" ", "")]
        self._command.show_parts(words[:-1])
        self._command.setAccessibleName(" ".join(part.text for part in start.parts) or "nothing")
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
