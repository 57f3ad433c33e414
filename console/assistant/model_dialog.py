"""The dialogs of the page: which model answers, and what a conversation is called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QComboBox, QGridLayout, QLineEdit, QWidget

from console.assistant.rows import ModelRef, ProviderRow
from console.language import tr
from console.widgets import Button, CentredDialog, TextLabel, hbox, vbox

_WIDTH: Final = 480
_EXPLAINED: Final = tr(
    "Keys are taken from the environment or the system's keyring, and never shown. Nothing is sent before you send."
)


class ModelDialog(CentredDialog):
    """Name a model of a provider.

    Signals:
        key_given(str, str): Keep the key with this name in the keyring.
        models_wanted(object): The provider of this `ModelRef` is to be asked for its models.
        model_chosen(object): This `ModelRef` is to answer.
    """

    key_given = Signal(str, str)
    models_wanted = Signal(object)
    model_chosen = Signal(object)

    def __init__(self, providers: Sequence[ProviderRow], parent: QWidget) -> None:
        super().__init__(tr("Choose a model"), parent)
        self.setObjectName("modelDialog")
        self._providers: dict[str, ProviderRow] = {}
        self.provider = QComboBox()
        self.provider.setAccessibleName(tr("Provider"))
        self.address = QLineEdit()
        self.address.setAccessibleName(tr("Address"))
        self.address.setPlaceholderText("http://127.0.0.1:8000/v1")
        self.key = QLineEdit()
        self.key.setAccessibleName(tr("Variable with the key"))
        self.key.setPlaceholderText(tr("None"))
        self.secret = QLineEdit()
        self.secret.setAccessibleName(tr("Key"))
        self.secret.setEchoMode(QLineEdit.EchoMode.Password)
        self.keep = Button(tr("Keep in the keyring"))
        self.keep.setAutoDefault(False)
        self.model = QComboBox()
        line = QLineEdit()
        self.model.setLineEdit(line)
        for field in (self.model, line):
            field.setAccessibleName(tr("Model"))
        self.look = Button(tr("List its models"))
        self.look.setToolTip(tr("Ask the provider for the names of its models"))
        self.problem = TextLabel("", "small", "error", wrap=True)
        self.problem.hide()
        self.choose = Button(tr("Use this model"), kind="primary", large=True)
        self.choose.setDefault(True)
        self._own: list[QWidget] = []
        self._with_key: list[QWidget] = []
        self._lay_out()
        self.setMinimumWidth(_WIDTH)
        self.provider.currentIndexChanged.connect(self._follow_provider)
        self.model.editTextChanged.connect(self._follow)
        self.address.textChanged.connect(self._follow)
        self.secret.textChanged.connect(self._follow)
        self.secret.returnPressed.connect(self.keep.click)
        self.keep.clicked.connect(self._on_keep_clicked)
        self.look.clicked.connect(self._on_look_clicked)
        self.choose.clicked.connect(self._on_choose_clicked)
        self.show_providers(providers)

    def _lay_out(self) -> None:
        fields = QGridLayout()
        fields.setHorizontalSpacing(12)
        fields.setVerticalSpacing(8)
        fields.setColumnStretch(1, 1)
        named = (
            (tr("Provider"), self.provider),
            (tr("Key"), self.secret),
            (tr("Address"), self.address),
            (tr("Key from"), self.key),
            (tr("Model"), self.model),
        )
        for at, (name, field) in enumerate(named):
            label = TextLabel(name, "heading")
            fields.addWidget(label, at, 0)
            fields.addWidget(field, at, 1)
            if field in {self.address, self.key}:
                self._own += [label, field]
            elif field is self.secret:
                self._with_key += [label, field, self.keep]
        fields.addWidget(self.keep, 1, 2)
        fields.addWidget(self.look, 4, 2)
        column = vbox(self, margins=(20, 20, 20, 16), spacing=12)
        column.addWidget(TextLabel(tr("Choose a model"), "title"))
        column.addWidget(TextLabel(_EXPLAINED, "small", "text2", wrap=True))
        column.addLayout(fields)
        column.addWidget(self.problem)
        column.addLayout(self.make_ends(self.choose))

    @property
    def ref(self) -> ModelRef:
        row = self._row
        own = row is not None and row.needs_address
        address, key = (self.address.text().strip(), self.key.text().strip()) if own else ("", "")
        return ModelRef("" if row is None else row.name, self.model.currentText().strip(), address, key)

    @property
    def _row(self) -> ProviderRow | None:
        return self._providers.get(self.provider.currentData())

    def show_models(self, models: Sequence[str]) -> None:
        written = self.model.currentText()
        self.model.clear()
        self.model.addItems(list(models))
        self.model.setEditText(written or (models[0] if models else ""))
        self.show_problem("" if models else tr("The provider names no models; write the name of one."))

    def show_providers(self, providers: Sequence[ProviderRow]) -> None:
        """Offer these providers; the current one stays, and so does what was written of its model."""
        current, model = self.provider.currentData(), self.model.currentText()
        self._providers = {row.name: row for row in providers}
        with QSignalBlocker(self.provider):
            self.provider.clear()
            for row in providers:
                self.provider.addItem(row.title, row.name)
            self.provider.setCurrentIndex(max(self.provider.findData(current), 0))
        self._follow_provider()
        if model and self.provider.currentData() == current:
            self.model.setEditText(model)

    def show_problem(self, problem: str) -> None:
        """Say why something cannot be done; what was written stays."""
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        self._follow()

    @Slot()
    def _follow_provider(self) -> None:
        row = self._row
        for widget in self._own:
            widget.setVisible(row is not None and row.needs_address)
        for widget in self._with_key:
            widget.setVisible(row is not None and bool(row.key_name))
        is_kept = row is not None and row.has_key
        self.secret.setPlaceholderText(tr("Known; write another one to replace it") if is_kept else tr("Paste the key"))
        self.model.clear()
        self.model.addItems([] if row is None else list(row.models))
        self.show_problem("")
        self._follow()

    @Slot()
    def _follow(self) -> None:
        row = self._row
        reachable = row is not None and row.has_key and (not row.needs_address or bool(self.address.text().strip()))
        self.keep.setEnabled(bool(self.secret.text().strip()))
        self.look.setEnabled(reachable)
        self.choose.setEnabled(reachable and bool(self.model.currentText().strip()))

    @Slot()
    def _on_keep_clicked(self) -> None:
        row = self._row
        if row is not None and (key := self.secret.text().strip()):
            self.show_problem("")
            self.key_given.emit(row.key_name, key)

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
        super().__init__(tr("Rename the conversation"), parent)
        self.setObjectName("titleDialog")
        self.title = QLineEdit(title)
        self.title.setAccessibleName(tr("Title"))
        self.title.selectAll()
        self.rename = Button(tr("Rename"), kind="primary", large=True)
        self.rename.setDefault(True)
        row = hbox(spacing=12)
        row.addWidget(TextLabel(tr("Title"), "heading"))
        row.addWidget(self.title, 1)
        column = vbox(self, margins=(20, 20, 20, 16), spacing=12)
        column.addWidget(TextLabel(tr("Rename the conversation"), "title"))
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
