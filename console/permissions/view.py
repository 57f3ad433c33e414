"""What calls may do without a question: the rules, and the permissions of tools and sources."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QStackedWidget, QVBoxLayout, QWidget

from console.permissions.model import PermissionModel, RuleModel
from console.permissions.rows import Meaning
from console.permissions.rules_view import RulesView
from console.permissions.tools_view import PermissionsTree
from console.theme import theme_of
from console.widgets import (
    Banner,
    BarFrame,
    Button,
    EmptyState,
    SearchField,
    SegmentedControl,
    TextLabel,
    WindowDialog,
    set_surface,
)

_WIDTH: Final = 640
_HINT: Final = (
    "effect is allow, ask or deny. tool, source and caller are names or patterns; [[where]] says what must hold of the"
    " arguments: a path, and one of equals, in, prefix, inside, matches, above, below, at_least, at_most, host_in."
)


class RuleDialog(WindowDialog):
    """Show a rule's text, and what it means."""

    saved = Signal(str)

    def __init__(self, title: str, text: str, meaning_of: Callable[[str], Meaning], parent: QWidget) -> None:
        super().__init__(title, parent)
        self._meaning_of = meaning_of
        self.setMinimumWidth(_WIDTH)
        self.text = QPlainTextEdit(text)
        self.text.setAccessibleName("Rule")
        self.text.setFont(theme_of(self).font("code"))
        self.text.setTabChangesFocus(True)
        self.text.setMinimumHeight(180)
        self.meaning = TextLabel("", "body", "text", wrap=True, selectable=True)
        self.meaning.setAccessibleName("What the rule means")
        self.save = Button("Save", kind="primary", large=True, shortcut_hint="Ctrl ↵")
        self.save.setShortcut("Ctrl+Return")
        cancel = Button("Cancel", large=True, shortcut_hint="Esc")
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 20, 20, 16)
        column.setSpacing(8)
        column.addWidget(TextLabel(title, "title"))
        column.addWidget(TextLabel(_HINT, "small", "text2", wrap=True))
        column.addWidget(self.text, 1)
        column.addWidget(self.meaning)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(cancel)
        row.addWidget(self.save)
        column.addSpacing(8)
        column.addLayout(row)
        self.text.textChanged.connect(self._on_text_changed)
        self.save.clicked.connect(self._on_save_clicked)
        cancel.clicked.connect(self.reject)
        self._on_text_changed()
        self.text.setFocus()

    @Slot()
    def _on_text_changed(self) -> None:
        found = self._meaning_of(self.text.toPlainText())
        self.meaning.set_tone("error" if found.problem else "text")
        self.meaning.setText(found.problem or found.words)
        self.save.setEnabled(not found.problem)

    @Slot()
    def _on_save_clicked(self) -> None:
        self.saved.emit(self.text.toPlainText())
        self.accept()


_RULES, _TOOLS = range(2)
_NONE: Final = (
    "Nothing is remembered",
    "Choose “This session” or “Always” when you answer a question, and its rule stands here.",
)
_FILTER_WIDTH: Final = 240


class PermissionsView(QWidget):
    """Show rules and permissions, and take changes of them.

    Signals:
        shown(): It came into sight.
        hidden(): It is not in sight any more.
        file_requested(): The person wants to see the file with their rules.
        new_requested(): The person wants to write a rule.
        rule_written(str, str): The rule with this id shall be so; a new one without an id.
    """

    shown = Signal()
    hidden = Signal()
    file_requested = Signal()
    new_requested = Signal()
    rule_written = Signal(str, str)

    def __init__(self, rules: RuleModel, tools: PermissionModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Remembered")
        set_surface(self, "surface")
        self._rules = rules
        self.choice = SegmentedControl(("Rules", "Tools and sources"), "What is shown")
        self._level = TextLabel("", "small", "text2")
        self.filter = SearchField("Filter tools")
        self.filter.setFixedWidth(_FILTER_WIDTH)
        self.filter.hide()
        self.new = Button("New rule…", icon="plus")
        self.file = Button("Open the file", icon="file-text")
        self._edited = ""
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
        head.row.addWidget(self.new)
        head.row.addWidget(self.file)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(self._problem)
        column.addWidget(self._pages, 1)
        self.choice.selected.connect(self._choose_page)
        self.filter.textChanged.connect(tools.set_filter)
        self.file.clicked.connect(self.file_requested)
        self.new.clicked.connect(self.new_requested)
        rules.modelReset.connect(self._choose_page)
        self._choose_page()

    def edit(self, rule_id: str, text: str, meaning_of: Callable[[str], Meaning]) -> None:
        """Let the person edit the text of a rule, or write a new one.

        Args:
            rule_id: The rule; empty for a new one.
            text: What to begin with.
            meaning_of: Says what a text means.
        """
        self._edited = rule_id
        dialog = RuleDialog("Edit the rule" if rule_id else "New rule", text, meaning_of, self)
        dialog.saved.connect(self._on_dialog_saved)
        dialog.open()

    def _on_dialog_saved(self, text: str) -> None:
        self.rule_written.emit(self._edited, text)

    def show_level(self, words: str) -> None:
        """Say what becomes of calls that no rule speaks of."""
        self._level.setText(f"Where no rule speaks, {words}")

    def show_problem(self, problem: str) -> None:
        """Say why a file cannot be read, and what that means; empty when all is well."""
        self._problem.show_text("The rules cannot be read.", f"{problem} Until then every call is asked about.")
        self._problem.setVisible(bool(problem))

    def showEvent(self, event: QShowEvent) -> None:
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
