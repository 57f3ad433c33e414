"""The list of keys, with the fields that set one; no key is ever shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QGridLayout, QLineEdit

from console.language import tr
from console.settings.service_keys import KeyRow, KeysModel
from console.settings.view import SectionPart
from console.widgets import Button, TableView, TextLabel, hbox, vbox

_MOST_HEIGHT: Final = 400
_LEAST_HEIGHT: Final = 120


class KeysView(SectionPart):
    """List keys, and let a person set, remove and try one.

    Signals:
        keep_requested(str, str): The keyring shall have this key under this name.
        remove_requested(str): The keyring shall have none of this name.
        try_requested(str): The service shall be asked whether it takes this key.
        shown(): The list comes into sight.
    """

    keep_requested = Signal(str, str)
    remove_requested = Signal(str)
    try_requested = Signal(str)
    shown = Signal()

    def __init__(self, model: KeysModel) -> None:
        super().__init__()
        self.model = model
        model.setParent(self)
        self._count = 0
        self._can_keep = True
        self.table = TableView(model, tr("Keys of services"))
        self.name = QLineEdit()
        self.name.setAccessibleName(tr("Name of the key"))
        self.name.setPlaceholderText(tr("Choose one above, or write the name that a tool of yours asks for"))
        self.key = QLineEdit()
        self.key.setAccessibleName(tr("Key"))
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.keep = Button(tr("Keep in the keyring"), kind="primary")
        self.remove = Button(tr("Remove"), icon="trash-2")
        self.test = Button(tr("Test"), icon="zap")
        self.test.setToolTip(tr("Ask the service with a request that costs nothing"))
        self.answer = TextLabel("", "small", "text2", wrap=True)
        self.problem = TextLabel("", "small", "error", wrap=True)
        for label in (self.answer, self.problem):
            label.hide()
        self._lay_out()
        self.table.selected.connect(self._on_table_selected)
        self.table.remove_requested.connect(self._on_remove_clicked)
        model.rows_changed.connect(self._fit)
        for field in (self.name, self.key):
            field.textChanged.connect(self._show_buttons)
            field.returnPressed.connect(self._on_keep_clicked)
        self.keep.clicked.connect(self._on_keep_clicked)
        self.remove.clicked.connect(self._on_remove_clicked)
        self.test.clicked.connect(self._on_test_clicked)
        self._show_buttons()

    def _lay_out(self) -> None:
        fields = QGridLayout()
        fields.setHorizontalSpacing(12)
        fields.setVerticalSpacing(8)
        for row, (words, field) in enumerate(((tr("Name"), self.name), (tr("Key"), self.key))):
            fields.addWidget(TextLabel(words, "heading"), row, 0)
            fields.addWidget(field, row, 1)
        buttons = hbox(spacing=8)
        for button in (self.test, self.remove):
            buttons.addWidget(button)
        buttons.addStretch(1)
        buttons.addWidget(self.keep)
        column = vbox(self, spacing=8)
        column.addWidget(self.problem)
        column.addWidget(self.table)
        column.addLayout(fields)
        column.addWidget(self.answer)
        column.addLayout(buttons)

    def showEvent(self, event: QShowEvent) -> None:
        self.shown.emit()
        super().showEvent(event)

    def show_rows(self, rows: Sequence[KeyRow], problem: str) -> None:
        """List keys, and say why none can be kept; "" where they can."""
        self._count = len(rows)
        self._can_keep = not problem
        self.model.show_rows(rows)
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        self._show_buttons()

    def show_answer(self, words: str, *, is_good: bool) -> None:
        """Say what came of the last thing that was asked for."""
        self.answer.setProperty("tone", "text2" if is_good else "error")
        self.answer.style().unpolish(self.answer)
        self.answer.style().polish(self.answer)
        self.answer.setText(words)
        self.answer.setVisible(bool(words))

    def narrow(self, wanted: Sequence[str]) -> tuple[int, int]:
        """List only what is found by these words."""
        self.model.narrow((lambda row: row.matches(wanted)) if wanted else None)
        return self.model.rowCount(), self._count

    @property
    def _named(self) -> KeyRow | None:
        place = self.model.place_of(self.name.text().strip())
        return self.model.rows[place] if place >= 0 else None

    @Slot()
    def _fit(self) -> None:
        self.table.setFixedHeight(max(_LEAST_HEIGHT, min(_MOST_HEIGHT, self.table.rows_height + 2)))

    @Slot(list)
    def _on_table_selected(self, keys: Sequence[str]) -> None:
        row: KeyRow | None = self.table.chosen_row if keys else None
        if row is not None and row.name != self.name.text():
            self.name.setText(row.name)
            self.key.clear()
            self.show_answer("", is_good=True)

    @Slot()
    def _show_buttons(self) -> None:
        row = self._named
        self.key.setPlaceholderText(
            tr("Known; write another one to replace it") if row is not None and row.is_kept else ""
        )
        self.keep.setText(
            tr("Replace in the keyring") if row is not None and row.is_kept else tr("Keep in the keyring")
        )
        self.keep.setEnabled(self._can_keep and bool(self.name.text().strip()) and bool(self.key.text().strip()))
        self.remove.setEnabled(row is not None and row.is_kept)
        self.test.setEnabled(row is not None and row.can_try)

    @Slot()
    def _on_keep_clicked(self) -> None:
        if self.keep.isEnabled():
            self.keep_requested.emit(self.name.text().strip(), self.key.text().strip())

    @Slot()
    def _on_remove_clicked(self) -> None:
        row = self._named
        if row is not None and row.is_kept:
            self.remove_requested.emit(row.name)

    @Slot()
    def _on_test_clicked(self) -> None:
        row = self._named
        if row is not None and row.can_try:
            self.try_requested.emit(row.name)
