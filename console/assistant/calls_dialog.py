"""The dialog that asks which calls of a conversation become a batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from console.assistant.rows import CallChoice, arguments_line
from console.language import tr
from console.widgets import Button, CentredDialog, TextLabel, vbox

_WIDTH: Final = 560
_EXPLAINED: Final = tr(
    "What an argument visibly took from an earlier result is taken from there again. Nothing runs yet."
)


class CallsDialog(CentredDialog):
    """Choose calls of a conversation.

    Signals:
        submitted(list): The numbers of those that become steps.
    """

    submitted = Signal(list)

    def __init__(self, calls: Sequence[CallChoice], parent: QWidget) -> None:
        super().__init__(tr("Make this a batch"), parent)
        self.setObjectName("callsDialog")
        self.calls = QListWidget()
        self.calls.setAccessibleName(tr("Calls"))
        for call in calls:
            item = QListWidgetItem(f"{call.name}  {arguments_line(call.arguments)}", self.calls)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked)
        self.open_batch = Button(tr("Open on the Batch page"), kind="primary", large=True)
        self.open_batch.setDefault(True)
        column = vbox(self, margins=(20, 20, 20, 16), spacing=12)
        column.addWidget(TextLabel(tr("Make this a batch"), "title"))
        column.addWidget(TextLabel(_EXPLAINED, "small", "text2", wrap=True))
        column.addWidget(self.calls)
        column.addLayout(self.make_ends(self.open_batch))
        self.setMinimumWidth(_WIDTH)
        self.calls.itemChanged.connect(self._follow)
        self.open_batch.clicked.connect(self._on_open_batch_clicked)

    @property
    def _chosen(self) -> list[int]:
        checked = Qt.CheckState.Checked
        return [at for at in range(self.calls.count()) if self.calls.item(at).checkState() is checked]

    @Slot()
    def _follow(self) -> None:
        self.open_batch.setEnabled(bool(self._chosen))

    @Slot()
    def _on_open_batch_clicked(self) -> None:
        self.submitted.emit(self._chosen)
        self.accept()
