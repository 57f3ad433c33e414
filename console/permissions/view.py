"""What calls may do without a question: the rules, and the permissions of tools and sources."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from console.permissions.model import PermissionModel, RuleModel
from console.permissions.rules_view import RulesView
from console.permissions.tools_view import PermissionsTree
from console.widgets import Banner, BarFrame, Button, EmptyState, SearchField, SegmentedControl, TextLabel, set_surface

__all__ = ["PermissionsView"]

_RULES, _TOOLS = range(2)
_NONE: Final = (
    "Nothing is remembered",
    "Choose “This session” or “Always” when you answer a question, and its rule stands here.",
)
_FILTER_WIDTH: Final = 240


class PermissionsView(QWidget):
    """Show rules and permissions, and take changes of them.

    Args:
        rules: The rules.
        tools: The tools and sources.
        parent: Its owner.

    Signals:
        shown(): It came into sight.
        hidden(): It is not in sight any more.
        file_requested(): The person wants to see the file with their rules.
    """

    shown = Signal()
    hidden = Signal()
    file_requested = Signal()

    def __init__(self, rules: RuleModel, tools: PermissionModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Remembered")
        set_surface(self, "surface")
        self._rules = rules
        self._tools = tools
        self.choice = SegmentedControl(("Rules", "Tools and sources"), "What is shown")
        self._level = TextLabel("", "small", "text2")
        self.filter = SearchField("Filter tools")
        self.filter.setFixedWidth(_FILTER_WIDTH)
        self.filter.hide()
        self.file = Button("Open the file", icon="file-text")
        self._problem = Banner("error", "The rules cannot be read.", "")
        self._problem.hide()
        self.rules = RulesView(rules)
        self.tools = PermissionsTree(tools)
        self._pages = QStackedWidget()
        for page in (self.rules, self.tools, EmptyState("shield-check", *_NONE)):
            self._pages.addWidget(page)
        head = BarFrame(44, margins=(20, 20))
        head.row.addWidget(self.choice)
        head.row.addSpacing(4)
        head.row.addWidget(self._level)
        head.row.addStretch(1)
        head.row.addWidget(self.filter)
        head.row.addWidget(self.file)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(self._problem)
        column.addWidget(self._pages, 1)
        self.choice.selected.connect(self._on_choice_selected)
        self.filter.textChanged.connect(tools.set_filter)
        self.file.clicked.connect(self.file_requested)
        rules.modelReset.connect(self._choose_page)
        self._choose_page()

    def show_level(self, words: str) -> None:
        """Say what becomes of calls that no rule speaks of."""
        self._level.setText(f"Where no rule speaks, {words}")

    def show_problem(self, problem: str) -> None:
        """Say why a file cannot be read, and what that means; empty when all is well."""
        self._problem.show_text("The rules cannot be read.", f"{problem} Until then every call is asked about.")
        self._problem.setVisible(bool(problem))

    def showEvent(self, event: QShowEvent) -> None:
        """Say that it came into sight."""
        super().showEvent(event)
        self.shown.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        """Say that it is not in sight any more."""
        super().hideEvent(event)
        self.hidden.emit()

    def _choose_page(self) -> None:
        shows_tools = self.choice.index == _TOOLS
        self.filter.setVisible(shows_tools)
        rules = _RULES if self._rules.rows else self._pages.count() - 1
        self._pages.setCurrentIndex(_TOOLS if shows_tools else rules)

    def _on_choice_selected(self, _index: int) -> None:
        self._choose_page()
