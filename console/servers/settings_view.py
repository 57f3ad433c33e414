"""The settings of the chosen server: changed here, tried, saved, handed on, taken away."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from console.servers.config_form import ConfigForm
from console.widgets import BarFrame, Button, ElidedLabel


class SettingsView(QWidget):
    """Edit a server where it stands.

    Args:
        parent: Its owner.

    Signals:
        start_wanted(dict): What runs with these settings is to be shown.
        trial_requested(dict): The server shall be tried with these settings.
        save_requested(dict): These settings shall hold.
        remove_requested: The server shall be forgotten.
        export_requested: Its entry shall be put on the clipboard, as other programs read it.
    """

    start_wanted = Signal(dict)
    trial_requested = Signal(dict)
    save_requested = Signal(dict)
    remove_requested = Signal()
    export_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        body = QWidget(self)
        self.form = ConfigForm(body)
        self.remove = Button("Remove…", kind="danger", icon="trash-2")
        self.export = Button("Copy for other programs", icon="copy")
        self.trial = Button("Test connection", icon="activity")
        self.save = Button("Save", kind="primary", icon="check")
        self._note = ElidedLabel("", "small", "text3")
        inside = QVBoxLayout(body)
        inside.setContentsMargins(20, 12, 20, 12)
        inside.addWidget(self.form)
        foot = BarFrame(48, surface="surface", edge="top", margins=(20, 20))
        foot.row.addWidget(self.remove)
        foot.row.addWidget(self.export)
        foot.row.addWidget(self._note, 1)
        foot.row.addWidget(self.trial)
        foot.row.addWidget(self.save)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(body, 1)
        column.addWidget(foot)
        self.form.start_wanted.connect(self.start_wanted)
        self.form.changed.connect(self._follow)
        self.remove.clicked.connect(self.remove_requested)
        self.export.clicked.connect(self.export_requested)
        self.trial.clicked.connect(self._on_trial_clicked)
        self.save.clicked.connect(self._on_save_clicked)

    def show_value(self, value: Mapping[str, Any], note: str) -> None:
        """Show the settings of a server.

        Args:
            value: As `ConfigForm` takes them.
            note: Which file they stand in.
        """
        self.form.show_value(value)
        self._note.set_text(note)
        self._follow()

    def _follow(self) -> None:
        can_save = self.form.can_save
        self.trial.setEnabled(can_save)
        self.save.setEnabled(can_save and self.form.is_changed)

    def _on_trial_clicked(self) -> None:
        self.trial_requested.emit(self.form.value())

    def _on_save_clicked(self) -> None:
        self.save_requested.emit(self.form.value())
