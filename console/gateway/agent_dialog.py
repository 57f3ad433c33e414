"""The dialog that lets an agent in, and shows its token once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QComboBox, QGridLayout, QHBoxLayout, QLineEdit, QStackedWidget, QVBoxLayout, QWidget

from console.gateway.rows import NewAgent
from console.gateway.view import ConfigSnippet
from console.language import tr
from console.theme import theme_of
from console.widgets import Button, IconButton, IconLabel, TextLabel, WindowDialog

_WIDTH: Final = 560
_PATTERNS: Final = "*"
_EXPLAINED: Final = tr("It can call the tools that it sees and no others. Rules can name it as agent:NAME.")
_DAYS: Final = ((tr("30 days"), 30), (tr("90 days"), 90), (tr("A year"), 365), (tr("For ever"), None))


class AgentDialog(WindowDialog):
    """Ask for a new agent, then show its token with the settings for its program.

    Args:
        parent: The window it stands over.
        renewed: The agent that gets another token; empty for a new agent.
        profiles: The names of the profiles that a new agent can have.

    Signals:
        submitted(object): Let this agent in, a `NewAgent`.
        token_copied(): The token is on the clipboard.
    """

    submitted = Signal(object)
    token_copied = Signal()

    def __init__(self, parent: QWidget, renewed: str = "", profiles: Sequence[str] = ()) -> None:
        super().__init__(tr("New token for {renewed}", renewed=renewed) if renewed else tr("Add an agent"), parent)
        self.setObjectName("agentDialog")
        self.name = QLineEdit()
        self.name.setAccessibleName(tr("Name"))
        self.name.setPlaceholderText("claude-code")
        self.name.setMaxLength(40)
        profile_items = [(tr("Profile {profile}", profile=profile), profile) for profile in profiles]
        self.sees = _combo(
            tr("Sees"), ((tr("All tools"), ""), *profile_items, (tr("Only tools named here"), _PATTERNS))
        )
        self.tools = QLineEdit()
        self.tools.setAccessibleName(tr("Tools"))
        self.tools.setPlaceholderText(tr("Names such as read_* github.*"))
        self.tools.hide()
        self.days = _combo(tr("Token is good for"), _DAYS)
        self.problem = TextLabel("", "small", "error", wrap=True)
        self.problem.hide()
        self.add = Button(tr("Add agent"), kind="primary", large=True)
        self.add.setDefault(True)
        self.token = QLineEdit()
        self.token.setReadOnly(True)
        self.token.setAccessibleName(tr("Token"))
        self.copy_token = IconButton("copy", tr("Copy the token"), outlined=True)
        self.snippet = ConfigSnippet()
        self.done_button = Button(tr("Done"), kind="primary", large=True)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._made_form())
        self._pages.addWidget(self._made_token())
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 20, 20, 16)
        column.setSpacing(12)
        column.addWidget(TextLabel(self.windowTitle(), "title"))
        column.addWidget(self._pages)
        self.name.textChanged.connect(self._follow)
        self.tools.textChanged.connect(self._follow)
        self.sees.currentIndexChanged.connect(self._on_sees_current_index_changed)
        self.add.clicked.connect(self._on_add_clicked)
        self.copy_token.clicked.connect(self._on_copy_token_clicked)
        self.done_button.clicked.connect(self.accept)
        self._follow()
        self.setMinimumWidth(_WIDTH)
        self.name.setFocus()

    def _made_form(self) -> QWidget:
        fields = QGridLayout()
        fields.setHorizontalSpacing(12)
        fields.setVerticalSpacing(8)
        rows = (
            (tr("Name"), self.name),
            (tr("Sees"), self.sees),
            ("", self.tools),
            (tr("Token is good for"), self.days),
        )
        for row, (title, field) in enumerate(rows):
            if title:
                fields.addWidget(TextLabel(title, "heading"), row, 0)
            fields.addWidget(field, row, 1)
        cancel = Button(tr("Cancel"), large=True, shortcut_hint="Esc")
        cancel.clicked.connect(self.reject)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addStretch(1)
        buttons.addWidget(cancel)
        buttons.addWidget(self.add)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        column.addWidget(TextLabel(_EXPLAINED, "small", "text2", wrap=True))
        column.addLayout(fields)
        column.addWidget(self.problem)
        column.addStretch(1)
        column.addLayout(buttons)
        return page

    def _made_token(self) -> QWidget:
        line = QHBoxLayout()
        line.setSpacing(8)
        self.token.setFont(theme_of(self).font("code"))
        line.addWidget(self.token, 1)
        line.addWidget(self.copy_token)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.done_button)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        column.addWidget(IconLabel("key-round", tr("This token is shown once. Only a hash of it is kept.")))
        column.addLayout(line)
        column.addWidget(self.snippet)
        column.addStretch(1)
        column.addLayout(buttons)
        return page

    def show_problem(self, problem: str) -> None:
        """Say why the agent cannot be let in; what was typed stays."""
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        self.add.setEnabled(True)

    def show_token(self, token: str, texts: Mapping[str, str]) -> None:
        """Show the token, and the settings of each program that have it."""
        self.token.setText(token)
        self.snippet.show_texts(texts)
        self._pages.setCurrentIndex(1)
        self.done_button.setDefault(True)
        self.copy_token.setFocus()

    @property
    def _patterns(self) -> tuple[str, ...]:
        is_named = self.sees.currentData() == _PATTERNS
        return tuple(self.tools.text().replace(",", " ").split()) if is_named else ()

    @Slot()
    def _follow(self) -> None:
        needs_patterns = self.sees.currentData() == _PATTERNS and not self._patterns
        self.add.setEnabled(bool(self.name.text().strip()) and not needs_patterns)

    @Slot(int)
    def _on_sees_current_index_changed(self, _: int) -> None:
        self.tools.setVisible(self.sees.currentData() == _PATTERNS)
        self._follow()

    @Slot()
    def _on_add_clicked(self) -> None:
        self.add.setEnabled(False)
        patterns = self._patterns
        profile = "" if patterns else self.sees.currentData()
        self.submitted.emit(NewAgent(self.name.text().strip(), patterns, profile, self.days.currentData()))

    @Slot()
    def _on_copy_token_clicked(self) -> None:
        self.token.selectAll()
        self.token.copy()
        self.token_copied.emit()


def _combo(name: str, items: Iterable[tuple[str, object]]) -> QComboBox:
    combo = QComboBox()
    combo.setAccessibleName(name)
    for title, value in items:
        combo.addItem(title, value)
    return combo
