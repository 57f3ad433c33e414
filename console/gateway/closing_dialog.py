"""The question when the window is closed while agents are there."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QCheckBox, QVBoxLayout, QWidget

from console.language import tr
from console.widgets import Button, TextLabel, WindowDialog

_TITLE = tr("Keep serving your agents?")
_EXPLAINED = tr(
    "A program in the background can serve on: what your rules allow runs, and questions wait until you open the"
    " window again. It ends when no agent was there for 10 minutes."
)
_WIDTH = 420


class LeavingDialog(WindowDialog):
    """Ask whether agents are served on without the window; Esc keeps the window open.

    Args:
        parent: The window it stands over.

    Signals:
        chosen(bool, bool): Whether agents are served on, and whether that is to be remembered.
    """

    chosen = Signal(bool, bool)

    def __init__(self, agents: Sequence[str], parent: QWidget) -> None:
        super().__init__(_TITLE, parent)
        *others, last = agents
        there = (
            tr("{agents} and {last} are connected.", agents=", ".join(others), last=last)
            if others
            else tr("{agent} is connected.", agent=last)
        )
        label = TextLabel(f"{there} {_EXPLAINED}", "body", "text2", wrap=True)
        label.setMinimumWidth(_WIDTH)
        self.remember = QCheckBox(tr("Remember my answer"))
        self.stop = Button(tr("Stop serving"), large=True)
        self.stop.clicked.connect(self._on_stop_clicked)
        self.keep = Button(tr("Keep serving"), kind="primary", large=True)
        self.keep.clicked.connect(self._on_keep_clicked)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 20, 20, 16)
        column.setSpacing(8)
        column.addWidget(TextLabel(_TITLE, "title"))
        column.addWidget(label)
        column.addWidget(self.remember)
        column.addSpacing(12)
        column.addLayout(self.make_ends(self.keep, before=(self.stop,)))
        self.keep.setDefault(True)
        self.keep.setFocus()

    @Slot()
    def _on_stop_clicked(self) -> None:
        self._choose(goes_on=False)

    @Slot()
    def _on_keep_clicked(self) -> None:
        self._choose(goes_on=True)

    def _choose(self, *, goes_on: bool) -> None:
        remembered = self.remember.isChecked()
        self.accept()
        self.chosen.emit(goes_on, remembered)
