"""The dialogs about what is sent: instructions with rules, and the summary of older turns."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from console.assistant.rows import ContextSettings
from console.language import tr
from console.widgets import Button, CentredDialog, TextLabel, vbox

_WIDTH: Final = 560
_RULES: Final = tr("One rule a line. All of them are sent with every request, whatever tool the model uses.")


def _field(name: str, text: str, height: int) -> QPlainTextEdit:
    field = QPlainTextEdit(text)
    field.setAccessibleName(name)
    field.setTabChangesFocus(True)
    field.setMinimumHeight(height)
    return field


class InstructionsDialog(CentredDialog):
    """Say what holds for all answers.

    Signals:
        submitted(str, list, list): The instructions, what the model must always do, and what it must never do.
    """

    submitted = Signal(str, list, list)

    def __init__(self, settings: ContextSettings, parent: QWidget) -> None:
        super().__init__(tr("Instructions and rules"), parent)
        self.setObjectName("instructionsDialog")
        self.instructions = _field(tr("Instructions"), settings.instructions, 96)
        self.always = _field(tr("Must always"), "\n".join(settings.always), 72)
        self.never = _field(tr("Must never"), "\n".join(settings.never), 72)
        self.save = Button(tr("Use these"), kind="primary", large=True)
        column = vbox(self, margins=(20, 20, 20, 16), spacing=8)
        column.addWidget(TextLabel(tr("Instructions and rules"), "title"))
        column.addWidget(TextLabel(_RULES, "small", "text2", wrap=True))
        for field in (self.instructions, self.always, self.never):
            column.addWidget(TextLabel(field.accessibleName(), "heading"))
            column.addWidget(field)
        column.addLayout(self.make_ends(self.save))
        self.setMinimumWidth(_WIDTH)
        self.save.clicked.connect(self._on_save_clicked)

    @Slot()
    def _on_save_clicked(self) -> None:
        always, never = (
            [line.strip() for line in field.toPlainText().splitlines() if line.strip()]
            for field in (self.always, self.never)
        )
        self.submitted.emit(self.instructions.toPlainText().strip(), always, never)
        self.accept()


class SummaryDialog(CentredDialog):
    """Read and change the summary of older turns.

    Signals:
        submitted(str): These words are sent in the place of the turns; "" sends the turns again.
    """

    submitted = Signal(str)

    def __init__(self, turns: str, text: str, parent: QWidget) -> None:
        super().__init__(tr("Summary of older turns"), parent)
        self.setObjectName("summaryDialog")
        self.text = _field(tr("Summary"), text, 240)
        self.save = Button(tr("Send this summary"), kind="primary", large=True)
        self.bring_back = Button(tr("Send the turns again"))
        column = vbox(self, margins=(20, 20, 20, 16), spacing=12)
        column.addWidget(TextLabel(tr("Summary of {turns}", turns=turns), "title"))
        explained = tr(
            "This is sent in the place of the {turns}. The turns stay in the file, and can be sent again.", turns=turns
        )
        column.addWidget(TextLabel(explained, "small", "text2", wrap=True))
        column.addWidget(self.text)
        ends = self.make_ends(self.save)
        ends.insertWidget(0, self.bring_back)
        column.addLayout(ends)
        self.setMinimumWidth(_WIDTH)
        self.text.textChanged.connect(self._on_text_changed)
        self.save.clicked.connect(self._on_save_clicked)
        self.bring_back.clicked.connect(self._on_bring_back_clicked)

    @Slot()
    def _on_text_changed(self) -> None:
        self.save.setEnabled(bool(self.text.toPlainText().strip()))

    @Slot()
    def _on_save_clicked(self) -> None:
        self.submitted.emit(self.text.toPlainText().strip())
        self.accept()

    @Slot()
    def _on_bring_back_clicked(self) -> None:
        self.submitted.emit("")
        self.accept()
