"""What is missing or wrong among the arguments: counted on a button, listed in its menu."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QColor
from PySide6.QtWidgets import QWidget

from console.schema_form import FieldError, FieldErrorKind
from console.theme import Theme
from console.widgets import Button, Menu

_MOST: Final = 50


class ProblemsButton(Button):
    """Say how much is missing and how much is wrong; its menu goes to each.

    Signals:
        chosen(object): Go to the argument of this path.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", kind="ghost", icon="circle-alert", chevron=True, parent=parent)
        self._problems: tuple[FieldError, ...] = ()
        self._menu = Menu("What is missing or wrong", self)
        self._menu.triggered.connect(self._on_menu_triggered)
        self._menu.aboutToShow.connect(self._on_menu_about_to_show)
        self.setMenu(self._menu)
        self.setToolTip("Everything that is missing or wrong (F8 goes to the next, Shift+F8 to the one before)")

    def show_problems(self, problems: Sequence[FieldError]) -> None:
        """Count other problems."""
        self._problems = tuple(problems)
        words = problems_summary(problems)
        if words != self.text():
            self.setText(words)
            self.setAccessibleDescription(problems[0].message if problems else "")

    def _ink(self, theme: Theme) -> tuple[QColor, QColor, QColor]:
        text, icon, hint = super()._ink(theme)
        return text, theme.status.error.text if self.isEnabled() else icon, hint

    def _on_menu_about_to_show(self) -> None:
        self._menu.clear()
        for problem in self._problems[:_MOST]:
            action = QAction(problem.message.replace("&", "&&"), self._menu)
            action.setData(problem.path)
            self._menu.addAction(action)
        more = len(self._problems) - _MOST
        if more > 0:
            rest = QAction(f"{more:,} more", self._menu)
            rest.setEnabled(False)
            self._menu.addAction(rest)

    def _on_menu_triggered(self, action: QAction) -> None:
        self.chosen.emit(tuple(action.data()))


def problems_summary(problems: Sequence[FieldError]) -> str:
    """Say how much is missing and how much is wrong: `2 missing, 1 wrong`; "" for nothing."""
    missing = sum(problem.kind is FieldErrorKind.MISSING for problem in problems)
    counts = ((missing, "missing"), (len(problems) - missing, "wrong"))
    return ", ".join(f"{count:,} {word}" for count, word in counts if count)
