"""What a server lets one read: resources and templates of them, read here, and followed while they change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QWidget

from console.schema_form import SchemaForm
from console.servers.completion_view import Completions
from console.servers.list_detail_view import ListDetailView
from console.servers.model import ResourceModel
from console.servers.rows import PromptArgumentDraft, ResourceRow
from console.viewers import Content, ContentView
from console.widgets import Button, ElidedLabel, EmptyState, Switch, TextLabel

_WAITING: Final = "Choose a resource and read it: what it says is shown here."


class ResourcesView(ListDetailView[ResourceRow]):
    """List resources, and show what was read.

    Args:
        model: The resources.
        parent: Its owner.

    Signals:
        read_requested(str, dict): This resource is to be read; a template with these values in it.
        follow_requested(str, bool): Changes of this resource shall be told, or no longer.
        completion_wanted(HalfWritten): Proposals for this are wanted.
    """

    read_requested = Signal(str, dict)
    follow_requested = Signal(str, bool)
    completion_wanted = Signal(object)

    def __init__(self, model: ResourceModel, parent: QWidget | None = None) -> None:
        empty = EmptyState("file-text", "No resources", "What the server lets one read stands here.")
        super().__init__(model, "Resources of the server", empty, parent=parent)
        self._is_showing = False
        self._form_of = ""
        self._name = ElidedLabel("", "heading")
        self._note = TextLabel("", "small", "text2", wrap=True)
        self.form = SchemaForm(parent=self._detail)
        self.read = Button("Read", icon="file-text")
        self.follow = Switch("Whether changes of the resource are told")
        self._follow_words = TextLabel("Follow", "small", "text2")
        self._result = QStackedWidget(self._detail)
        self.content = ContentView("Resource", self._result)
        self._waiting = EmptyState("file-text", "Nothing was read yet", _WAITING)
        self.completions = Completions(self.form, self)
        self._build()
        self.completions.wanted.connect(self._on_completions_wanted)
        self.table.opened.connect(self._on_read_clicked)
        self.read.clicked.connect(self._on_read_clicked)
        self.follow.toggled.connect(self._on_follow_toggled)
        model.dataChanged.connect(self._show_current)
        self._follow_rows()

    def _build(self) -> None:
        column = self._column
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self._name, 1)
        head.addWidget(self._follow_words)
        head.addWidget(self.follow)
        head.addSpacing(8)
        head.addWidget(self.read)
        column.addLayout(head)
        column.addWidget(self._note)
        column.addWidget(self.form)
        self._result.addWidget(self._waiting)
        self._result.addWidget(self.content)
        column.addWidget(self._result, 1)

    def show_following(self, *, possible: bool) -> None:
        """Say whether the server tells changes at all."""
        self.follow.setVisible(possible)
        self._follow_words.setVisible(possible)

    def show_content(self, content: Content | None, note: str) -> None:
        """Show what was read, and how that went."""
        self._note.setText(note)
        self._note.set_tone("text2")
        self.content.show_content(content)
        self._result.setCurrentIndex(1 if content is not None else 0)

    def show_problem(self, problem: str) -> None:
        """Say why nothing could be read."""
        self._note.setText(problem)
        self._note.set_tone("error")

    def show_reading(self, *, reading: bool) -> None:
        """Show that something is being read."""
        self.read.setEnabled(not reading)
        self.read.setText("Reading" if reading else "Read")
        self.read.updateGeometry()

    def _show_current(self) -> None:
        row = self.current
        if row is None:
            return
        self._is_showing = True
        self._name.set_text(row.name)
        self.follow.setChecked(row.is_followed)
        self.follow.setEnabled(not row.parameters)
        if row.uri != self._form_of:
            self._form_of = row.uri
            self._note.setText(row.description)
            self._note.set_tone("text2")
            self.form.set_schema(_schema_of(row))
            self.completions.follow(row.parameters)
            self._result.setCurrentIndex(0)
        self.form.setVisible(bool(row.parameters))
        self._is_showing = False

    def _on_completions_wanted(self, argument: str, written: str) -> None:
        row = self.current
        if row is not None:
            others = {name: text for name, text in self.form.value().items() if name != argument}
            self.completion_wanted.emit(PromptArgumentDraft(row.uri, False, argument, written, others))

    def _on_read_clicked(self) -> None:
        row = self.current
        if row is not None:
            values: dict[str, Any] = self.form.value() if row.parameters else {}
            self.read_requested.emit(row.uri, values)

    def _on_follow_toggled(self, checked: bool) -> None:
        row = self.current
        if row is not None and not self._is_showing:
            self.follow_requested.emit(row.uri, checked)


def _schema_of(row: ResourceRow) -> Mapping[str, Any]:
    return {
        "type": "object",
        "properties": {name: {"type": "string"} for name in row.parameters},
        "required": list(row.parameters),
    }
