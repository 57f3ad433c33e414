"""The dialogs of the page: which model answers, and what a conversation is called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QComboBox, QGridLayout, QLineEdit, QWidget

from console.assistant.rows import ModelRef, ProviderRow
from console.widgets import Button, CentredDialog, TextLabel, hbox, vbox

_WIDTH: Final = 480
_EXPLAINED: Final = (
    "Only providers are listed whose key is in the environment or the keyring. Nothing is sent before you send."
)


class ModelDialog(CentredDialog):
    """Name a model of a provider.

    Signals:
        models_wanted(object): The provider of this `ModelRef` is to be asked for its models.
        model_chosen(object): This `ModelRef` is to answer.
    """

    models_wanted = Signal(object)
    model_chosen = Signal(object)

    def __init__(self, providers: Sequence[ProviderRow], parent: QWidget) -> None:
        super().__init__("Choose a model", parent)
        self.setObjectName("modelDialog")
        self._providers = {row.name: row for row in providers}
        self.provider = QComboBox()
        self.provider.setAccessibleName("Provider")
        for row in providers:
            self.provider.addItem(row.title, row.name)
        self.address = QLineEdit()
        self.address.setAccessibleName("Address")
        self.address.setPlaceholderText("http://127.0.0.1:8000/v1")
        self.key = QLineEdit()
        self.key.setAccessibleName("Variable with the key")
        self.key.setPlaceholderText("None")
        self.model = QComboBox()
        self.model.setEditable(True)
        self.model.setAccessibleName("Model")
        self.look = Button("List its models")
        self.look.setToolTip("Ask the provider for the names of its models")
        self.problem = TextLabel("", "small", "error", wrap=True)
        self.problem.hide()
        self.choose = Button("Use this model", kind="primary", large=True)
        self.choose.setDefault(True)
        self._own: list[QWidget] = []
        self._lay_out()
        self.setMinimumWidth(_WIDTH)
        self.provider.currentIndexChanged.connect(self._follow_provider)
        self.model.editTextChanged.connect(self._follow)
        self.address.textChanged.connect(self._follow)
        self.look.clicked.connect(self._on_look_clicked)
        self.choose.clicked.connect(self._on_choose_clicked)
        self._follow_provider()

    def _lay_out(self) -> None:
        fields = QGridLayout()
        fields.setHorizontalSpacing(12)
        fields.setVerticalSpacing(8)
        fields.setColumnStretch(1, 1)
        named = (("Provider", self.provider), ("Address", self.address), ("Key from", self.key), ("Model", self.model))
        for at, (name, field) in enumerate(named):
            label = TextLabel(name, "heading")
            fields.addWidget(label, at, 0)
            fields.addWidget(field, at, 1)
            if field in {self.address, self.key}:
                self._own += [label, field]
        fields.addWidget(self.look, 3, 2)
        column = vbox(self, margins=(20, 20, 20, 16), spacing=12)
        column.addWidget(TextLabel("Choose a model", "title"))
        column.addWidget(TextLabel(_EXPLAINED, "small", "text2", wrap=True))
        column.addLayout(fields)
        column.addWidget(self.problem)
        column.addLayout(self.make_ends(self.choose))

    @property
    def ref(self) -> ModelRef:
        """The model that is named."""
        row = self._row
        own = row is not None and row.needs_address
        address, key = (self.address.text().strip(), self.key.text().strip()) if own else ("", "")
        return ModelRef("" if row is None else row.name, self.model.currentText().strip(), address, key)

    @property
    def _row(self) -> ProviderRow | None:
        return self._providers.get(self.provider.currentData())

    def show_models(self, models: Sequence[str]) -> None:
        """Offer the models of the provider."""
        written = self.model.currentText()
        self.model.clear()
        self.model.addItems(list(models))
        self.model.setEditText(written or (models[0] if models else ""))
        self.show_problem("" if models else "The provider names no models; write the name of one.")

    def show_problem(self, problem: str) -> None:
        """Say why something cannot be done; what was written stays."""
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        self.look.setEnabled(True)

    @Slot()
    def _follow_provider(self) -> None:
        row = self._row
        for widget in self._own:
            widget.setVisible(row is not None and row.needs_address)
        self.model.clear()
        self.model.addItems([] if row is None else list(row.models))
        self.show_problem("")
        self._follow()

    @Slot()
    def _follow(self) -> None:
        row = self._row
        reachable = row is not None and (not row.needs_address or bool(self.address.text().strip()))
        self.look.setEnabled(reachable)
        self.choose.setEnabled(reachable and bool(self.model.currentText().strip()))

    @Slot()
    def _on_look_clicked(self) -> None:
        self.look.setEnabled(False)
        self.models_wanted.emit(self.ref)

    @Slot()
    def _on_choose_clicked(self) -> None:
        self.model_chosen.emit(self.ref)
        self.accept()


class TitleDialog(CentredDialog):
    """Call a conversation otherwise.

    Signals:
        submitted(str): It is called this.
    """

    submitted = Signal(str)

    def __init__(self, title: str, parent: QWidget) -> None:
        super().__init__("Rename the conversation", parent)
        self.setObjectName("titleDialog")
        self.title = QLineEdit(title)
        self.title.setAccessibleName("Title")
        self.title.selectAll()
        self.rename = Button("Rename", kind="primary", large=True)
        self.rename.setDefault(True)
        row = hbox(spacing=12)
        row.addWidget(TextLabel("Title", "heading"))
        row.addWidget(self.title, 1)
        column = vbox(self, margins=(20, 20, 20, 16), spacing=12)
        column.addWidget(TextLabel("Rename the conversation", "title"))
        column.addLayout(row)
        column.addLayout(self.make_ends(self.rename))
        self.setMinimumWidth(_WIDTH)
        self.title.textChanged.connect(self._on_title_text_changed)
        self.rename.clicked.connect(self._on_rename_clicked)

    @Slot(str)
    def _on_title_text_changed(self, text: str) -> None:
        self.rename.setEnabled(bool(text.strip()))

    @Slot()
    def _on_rename_clicked(self) -> None:
        self.submitted.emit(self.title.text().strip())
        self.accept()
