"""The question which tool is called for each row of a table, and which column each argument is taken from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from PySide6.QtCore import QStringListModel, Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from console.batch.side_view import complete_names, scrolled
from console.language import tr
from console.schema_form import SchemaForm
from console.widgets import Button, ElidedLabel, TextLabel, WindowDialog, vbox

_SIZE: Final = (600, 560)
_LABEL: Final = 112
_PAUSE_MS: Final = 200


class CsvDialog(WindowDialog):
    """Ask how the rows of a table become calls.

    Signals:
        tool_changed(str): Another tool is written; answer with `show_tool`.
        chosen(str, dict): Call this tool, with each argument from the column it has here.
    """

    tool_changed = Signal(str)
    chosen = Signal(str, dict)

    def __init__(
        self,
        title: str,
        columns: Sequence[str],
        samples: Sequence[Sequence[str]],
        tools: Sequence[str],
        parent: QWidget,
    ) -> None:
        super().__init__(tr("New plan from a CSV file"), parent)
        self._tool = ""
        self._make_fields(tools)
        column = vbox(self, margins=(20, 20, 20, 16), spacing=8)
        column.addWidget(TextLabel(tr("One call for each row of {title}", title=title), "title"))
        column.addWidget(ElidedLabel(tr("Columns: {columns}", columns=", ".join(columns)), "small", "text2"))
        for row in samples[:1]:
            column.addWidget(ElidedLabel(tr("First row: {row}", row=", ".join(row)), "small", "text3"))
        column.addSpacing(4)
        line = QHBoxLayout()
        label = TextLabel(tr("Tool"), "body", "text2")
        label.setFixedWidth(_LABEL)
        line.addWidget(label)
        line.addWidget(self.tool, 1)
        column.addLayout(line)
        self._note = TextLabel("", "small", "text2", wrap=True)
        column.addWidget(self._note)
        self._head = TextLabel(tr("Take each argument from a column"), "heading")
        column.addWidget(self._head)
        scroll = scrolled(self.columns, (0, 0), "raised")
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column.addWidget(scroll, 1)
        self._said = TextLabel("", "small", "error")
        self.make = Button(tr("Make plan"), kind="primary", large=True)
        self.make.clicked.connect(self._on_make_clicked)
        self.make.setDefault(True)
        column.addLayout(self.make_ends(self.make, before=[self._said]))
        self.resize(*_SIZE)
        self.show_tool({"type": "object", "properties": {}}, {}, "")
        self.tool.setFocus()

    def _make_fields(self, tools: Sequence[str]) -> None:
        self._typing = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._typing.timeout.connect(self._on_typing_timeout)
        self.tool = QLineEdit()
        self.tool.setAccessibleName(tr("Tool for each row"))
        self.tool.setPlaceholderText(tr("Type a part of its name"))
        complete_names(self.tool, QStringListModel(list(tools), self))
        self.tool.textChanged.connect(self._on_tool_text_changed)
        self.columns = SchemaForm()
        self.columns.submit_requested.connect(self._on_make_clicked)

    def show_tool(self, schema: Mapping[str, Any], mapping: Mapping[str, str], note: str, *, name: str = "") -> None:
        """Offer the columns for each argument of a tool."""
        self._tool = name
        self._note.setText(note)
        self._note.setVisible(bool(note))
        self._head.setVisible(bool(schema["properties"]))
        self.columns.set_schema(schema, value=mapping)
        self.make.setEnabled(bool(name))
        self._said.setText("")

    def _on_tool_text_changed(self) -> None:
        self.make.setEnabled(False)
        self._typing.start()

    def _on_typing_timeout(self) -> None:
        self.tool_changed.emit(self.tool.text().strip())

    def _on_make_clicked(self) -> None:
        if not self._tool:
            return
        errors = self.columns.errors()
        if errors:
            self.columns.reveal_missing()
            name = errors[0].path[0] if errors[0].path else ""
            self._said.setText(
                tr("{name} has no column yet", name=name) if name else tr("An argument has no column yet")
            )
            return
        self.chosen.emit(self._tool, self.columns.value())
        self.accept()
