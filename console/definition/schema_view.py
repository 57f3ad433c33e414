"""The Schema tab: what the tool takes and returns, as a tree and as text, in each of its forms."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QComboBox, QStackedWidget, QVBoxLayout, QWidget

from console.language import tr
from console.viewers import Content, ContentKind, ContentView, Representation
from console.widgets import BarFrame, EmptyState, SegmentedControl, Switch, TextLabel, lead_focus
from tools.schema import SchemaPart, SchemaStyle

_FORMS: Final = {
    SchemaStyle.DECLARED: tr("JSON Schema 2020-12"),
    SchemaStyle.INLINED: tr("Inlined"),
    SchemaStyle.TITLED: tr("With type names"),
    SchemaStyle.OPENAPI: tr("OpenAPI 3.0"),
}
_TIPS: Final = {
    SchemaStyle.DECLARED: tr("As the tool declares it"),
    SchemaStyle.INLINED: tr("Every reference replaced by what it leads to"),
    SchemaStyle.TITLED: tr("Inlined, and every title the qualified name of a type"),
    SchemaStyle.OPENAPI: tr("Inlined, with type names, in the words of OpenAPI 3.0"),
}
_COMBO_WIDTH: Final = 204
_PATIENCE_MS: Final = 200
"""How long nothing is said of what is under way."""


class SchemaView(QWidget):
    """Show the schemas of one tool.

    Args:
        name: The tool, for the names of files.

    Signals:
        chosen(SchemaPart, SchemaStyle): Another schema, or another form of it, is to be shown.
    """

    chosen = Signal(object, object)

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        self.setAccessibleName(tr("Schema of {name}", name=name))
        self.part = SegmentedControl((tr("Input"), tr("Output")), tr("Part of the schema"))
        self.envelope = Switch(tr("Response envelope"))
        self.envelope.setToolTip(tr("The whole response around the output: status, error, log, attachments"))
        self.style_box = QComboBox()
        self.style_box.setAccessibleName(tr("Form of the schema"))
        self.style_box.setFixedWidth(_COMBO_WIDTH)
        for number, (form, words) in enumerate(_FORMS.items()):
            self.style_box.addItem(words)
            self.style_box.setItemData(number, _TIPS[form], Qt.ItemDataRole.ToolTipRole)
        self.shown = ContentView(tr("Schema"), forms=(Representation.TREE, Representation.TEXT))
        self._state = EmptyState("braces", "", "")
        self._pages = QStackedWidget(self)
        self._pages.addWidget(self.shown)
        self._pages.addWidget(self._state)
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(_PATIENCE_MS)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._make_bar())
        column.addWidget(self._pages, 1)
        lead_focus(self, self.part)
        self._patience.timeout.connect(self._on_patience_timeout)
        self.part.selected.connect(self._on_choice_changed)
        self.envelope.toggled.connect(self._on_choice_changed)
        self.style_box.currentIndexChanged.connect(self._on_choice_changed)
        self._show_switch()

    def _make_bar(self) -> BarFrame:
        bar = BarFrame(44, surface="surface", edge="bottom", margins=(20, 20), spacing=8)
        self._envelope_label = TextLabel(tr("Envelope"), "body", "text2")
        bar.row.addWidget(self.part)
        bar.row.addSpacing(8)
        bar.row.addWidget(self.envelope)
        bar.row.addWidget(self._envelope_label)
        bar.row.addStretch(1)
        bar.row.addWidget(self.style_box)
        return bar

    @property
    def choice(self) -> tuple[SchemaPart, SchemaStyle]:
        output = SchemaPart.RESPONSE if self.envelope.isChecked() else SchemaPart.RESULT
        return SchemaPart.INPUT if self.part.index == 0 else output, self._style

    @property
    def _style(self) -> SchemaStyle:
        # Qt gives the text of an enumeration of texts back, not the member.
        return tuple(_FORMS)[self.style_box.currentIndex()]

    def show_waiting(self) -> None:
        """Say, if it takes long, that the schema is under way; what is shown already stays."""
        self._patience.start()

    def show_schema(self, schema: dict[str, Any]) -> None:
        self._patience.stop()
        part, form = self.choice
        self.shown.show_content(Content(ContentKind.JSON, schema, f"{self._name}-{part.value}-{form.value}"))
        self._pages.setCurrentWidget(self.shown)

    def show_nothing(self, fact: str, sentence: str) -> None:
        self._patience.stop()
        self.shown.show_content(None)
        self._state.show_text(fact, sentence)
        self._pages.setCurrentWidget(self._state)

    def _show_switch(self) -> None:
        is_output = self.part.index == 1
        self.envelope.setVisible(is_output)
        self._envelope_label.setVisible(is_output)
        self.style_box.setToolTip(_TIPS[self._style])

    def _on_choice_changed(self) -> None:
        self._show_switch()
        self.chosen.emit(*self.choice)

    def _on_patience_timeout(self) -> None:
        if self.shown.content is None:
            self._state.show_text(tr("Reading the schema"), tr("A plugin's types are asked for in its own process."))
            self._pages.setCurrentWidget(self._state)
