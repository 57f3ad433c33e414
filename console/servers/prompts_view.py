"""The texts a server makes from arguments: fill them in, read what comes, copy it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QWidget

from console.json_view import TextView
from console.schema_form import ArgumentsEditor
from console.servers.completion_view import Completions
from console.servers.list_detail_view import ListDetailView
from console.servers.model import PromptModel
from console.servers.rows import PromptArgumentDraft, PromptRow
from console.widgets import Button, ElidedLabel, EmptyState, TextLabel


class PromptsView(ListDetailView[PromptRow]):
    """List prompts, and show what the chosen one says.

    Args:
        model: The prompts.
        parent: Its owner.

    Signals:
        get_requested(str, dict): The text of this prompt is wanted, made from these arguments.
        completion_wanted(HalfWritten): Proposals for this are wanted.
    """

    get_requested = Signal(str, dict)
    completion_wanted = Signal(object)

    def __init__(self, model: PromptModel, parent: QWidget | None = None) -> None:
        empty = EmptyState("message-square-text", "No prompts", "The texts that the server makes stand here.")
        super().__init__(model, "Prompts of the server", empty, parent=parent)
        self._form_of = ""
        self._name = ElidedLabel("", "heading")
        self._note = TextLabel("", "small", "text2", wrap=True)
        self.form = ArgumentsEditor(parent=self._detail)
        self.get = Button("Get the text", icon="message-square-text")
        self.copy = Button("Copy", icon="copy")
        self.text = TextView(self._detail)
        self.text.set_wrapped(wrapped=True)
        self.text.setAccessibleName("Text of the prompt")
        self.completions = Completions(self.form.form, self)
        self._build()
        self.completions.wanted.connect(self._on_completions_wanted)
        self.table.opened.connect(self._on_get_clicked)
        self.get.clicked.connect(self._on_get_clicked)
        self.form.submit_requested.connect(self._on_get_clicked)
        self.copy.clicked.connect(self._on_copy_clicked)
        self._follow_rows()

    def _build(self) -> None:
        column = self._column
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self._name, 1)
        head.addWidget(self.copy)
        head.addWidget(self.get)
        column.addLayout(head)
        column.addWidget(self._note)
        column.addWidget(self.form)
        column.addWidget(self.text, 1)

    def show_text(self, text: str, note: str) -> None:
        """Show what a prompt says, and how that went."""
        self.text.set_text(text)
        self.copy.setEnabled(bool(text))
        self._note.setText(note)
        self._note.set_tone("text2")

    def show_problem(self, problem: str) -> None:
        """Say why there is no text."""
        self._note.setText(problem)
        self._note.set_tone("error")

    def show_getting(self, *, getting: bool) -> None:
        """Show that a text is being made."""
        self.get.setEnabled(not getting)

    def _show_current(self) -> None:
        row = self.current
        if row is None or row.name == self._form_of:
            return
        self._form_of = row.name
        self._name.set_text(row.title or row.name)
        self._note.setText(row.description)
        self._note.set_tone("text2")
        self.form.set_schema(row.schema)
        self.completions.follow(tuple(row.schema.get("properties", ())))
        self.form.setVisible(bool(row.schema.get("properties")))
        self.text.set_text("")
        self.copy.setEnabled(False)

    def _on_completions_wanted(self, argument: str, written: str) -> None:
        row = self.current
        if row is not None:
            others = {name: text for name, text in self.form.value().items() if name != argument}
            self.completion_wanted.emit(PromptArgumentDraft(row.name, True, argument, written, others))

    def _on_get_clicked(self) -> None:
        row = self.current
        if row is not None and (not row.schema.get("properties") or self.form.reveal_problems() is False):
            self.get_requested.emit(row.name, self.form.value())

    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText(self.text.text)
