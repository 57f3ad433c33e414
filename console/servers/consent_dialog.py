"""What runs when a server starts, before it does for the first time."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QVBoxLayout, QWidget

from console.servers.rows import StartRow
from console.servers.start_view import StartView
from console.widgets import Button, TextLabel, WindowDialog

_WIDTH: Final = 640


class ConsentDialog(WindowDialog):
    """Show a start untruncated, and let a person agree. Enter and Esc start nothing.

    Args:
        name: The server.
        start: What runs.
        parent: The window it stands over.
        asks_trust: Whether it may be said here that the server's word about risk is believed.

    Signals:
        allowed(str, str, bool): The server of this name may start from now on, as the start with this digest; whether
            what it says of the risk of its tools is believed.
    """

    allowed = Signal(str, str, bool)

    def __init__(self, name: str, start: StartRow, parent: QWidget, *, asks_trust: bool = False) -> None:
        super().__init__(f"Start {name}?", parent)
        self._name = name
        self._digest = start.digest
        self.setMinimumWidth(_WIDTH)
        self.start = StartView("This runs with your rights", "This is reached, and is sent what its tools are given")
        self.start.show_start(start)
        self.trust = QCheckBox("Believe what it says of the risk of its tools")
        self.trust.setVisible(asks_trust)
        self.allow = Button("Allow and start", icon="play", large=True)
        self.allow.setEnabled(not start.problem)
        keep = Button("Do not start", large=True, shortcut_hint="Esc")
        keep.setDefault(True)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.allow)
        row.addWidget(keep)
        words = (
            "Nobody has allowed this start yet. You are asked again when the command, its folder, its variables or the"
            " address change."
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 20, 20, 16)
        column.setSpacing(10)
        column.addWidget(TextLabel(f"Start {name}?", "title", wrap=True))
        column.addWidget(TextLabel(words, "body", "text2", wrap=True))
        column.addWidget(self.start)
        column.addWidget(self.trust)
        column.addSpacing(8)
        column.addLayout(row)
        self.allow.clicked.connect(self._on_allow_clicked)
        keep.clicked.connect(self.reject)
        keep.setFocus()

    def _on_allow_clicked(self) -> None:
        self.allowed.emit(self._name, self._digest, self.trust.isChecked())
        self.accept()
