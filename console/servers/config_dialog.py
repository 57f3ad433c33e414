"""A server that is added: its settings, what would run, and a test before it is kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from console.servers.config_form import ConfigForm
from console.widgets import Button, TextLabel, WindowDialog

__all__ = ["ConfigDialog"]

_SIZE: Final = QSize(820, 720)
_MARGIN: Final = 64


class ConfigDialog(WindowDialog):
    """Ask for the settings of a new server. Nothing runs before it is tested or added.

    Args:
        value: The settings at first.
        parent: The window it stands over.

    Signals:
        start_wanted(dict): What runs with these settings is to be shown.
        trial_requested(dict): The server shall be tried with these settings.
        save_requested(dict): The server shall be kept with these settings, and started.
    """

    start_wanted = Signal(dict)
    trial_requested = Signal(dict)
    save_requested = Signal(dict)

    def __init__(self, value: Mapping[str, Any], parent: QWidget) -> None:
        super().__init__("Connect a server", parent)
        self.form = ConfigForm()
        self.problem = TextLabel("", "small", "error", wrap=True)
        self.problem.hide()
        self.trial = Button("Test connection", icon="activity", large=True)
        self.save = Button("Add and connect", kind="primary", large=True)
        cancel = Button("Cancel", large=True, shortcut_hint="Esc")
        row = QHBoxLayout()
        row.addWidget(self.trial)
        row.addStretch(1)
        row.addWidget(cancel)
        row.addWidget(self.save)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 20, 20, 16)
        column.setSpacing(12)
        column.addWidget(TextLabel("Connect a server", "title"))
        hint = "Its tools become tools here. What you add runs with your rights: look at what starts."
        column.addWidget(TextLabel(hint, "small", "text2", wrap=True))
        column.addWidget(self.form, 1)
        column.addWidget(self.problem)
        column.addLayout(row)
        self.resize(_SIZE.boundedTo(parent.window().size() - QSize(_MARGIN, _MARGIN)))
        self.form.start_wanted.connect(self.start_wanted)
        self.form.changed.connect(self._follow)
        self.trial.clicked.connect(self._on_trial_clicked)
        self.save.clicked.connect(self._on_save_clicked)
        cancel.clicked.connect(self.reject)
        self._value = value

    def begin(self) -> None:
        """Show the settings; whoever listens is connected by then."""
        self.form.show_value(self._value)
        self._follow()
        self.form.editor.focus_first()

    def show_busy(self, *, busy: bool) -> None:
        """Show that the server is being tried or kept."""
        self.trial.setEnabled(not busy)
        self.save.setEnabled(not busy and self.form.can_save)

    def show_problem(self, problem: str) -> None:
        """Say why it cannot be kept; empty when it can."""
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))

    def _follow(self) -> None:
        can_save = self.form.can_save
        self.trial.setEnabled(can_save)
        self.save.setEnabled(can_save)

    def _on_trial_clicked(self) -> None:
        if not self.form.editor.reveal_problems():
            self.trial_requested.emit(self.form.value())

    def _on_save_clicked(self) -> None:
        if not self.form.editor.reveal_problems():
            self.save_requested.emit(self.form.value())
