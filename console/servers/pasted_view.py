"""Several servers that one text names: what each starts, whole, and which of them are added."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QFrame, QScrollArea, QVBoxLayout, QWidget

from console.schema_form import SchemaForm
from console.servers.config_form import asked_schema
from console.servers.rows import PastedServer
from console.servers.start_view import StartView
from console.widgets import TextLabel, set_surface


class _Card(QFrame):
    """One server: a mark, what runs, and what is still to be filled in."""

    changed = Signal()

    def __init__(self, server: PastedServer, parent: QWidget) -> None:
        super().__init__(parent)
        self.server = server
        name = str(server.value["name"])
        self.mark = QCheckBox(name, self)
        self.mark.setAccessibleName(f"Add {name}")
        self.mark.setChecked(not server.start.problem)
        self.start = StartView(f"Runs when {name} starts", f"{name} is reached at", self)
        self.start.show_start(server.start._replace(missing=()))
        self._fields = asked_schema(server.asked)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.mark)
        if server.note:
            column.addWidget(TextLabel(server.note, "small", "text2", wrap=True))
        self.form: SchemaForm | None = None
        if self._fields:
            self.form = SchemaForm(parent=self)
            self.form.set_schema({"type": "object", "properties": self._fields})
            self.form.changed.connect(self.changed)
            column.addWidget(self.form)
        column.addWidget(self.start)
        self.mark.toggled.connect(self.changed)

    @property
    def open_still(self) -> str:
        """Give the words of the first value without which the server cannot start; empty for none."""
        written = {} if self.form is None else self.form.value()
        needed = {one.where for one in self.server.asked if one.is_needed}
        fields = self._fields.items()
        return next((words for words, field in fields if field["x-where"] in needed and not written.get(words)), "")

    def value(self) -> dict[str, Any]:
        """Give the settings, with what was filled in."""
        written = {} if self.form is None else self.form.value()
        answers = {field["x-where"]: str(written.get(words) or "") for words, field in self._fields.items()}
        return {**self.server.value, **({"answers": answers} if answers else {})}


class PastedView(QScrollArea):
    """List servers, each with all that it starts, so that whoever adds them has seen it.

    Args:
        parent: Its owner.

    Signals:
        changed: Others are marked now, or something was filled in.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Servers of the pasted text")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.cards: tuple[_Card, ...] = ()
        set_surface(self, "raised")

    @property
    def can_save(self) -> bool:
        """Say whether some are marked, and nothing of those is still to be filled in."""
        marked = self._marked
        return bool(marked) and not any(card.open_still or card.server.start.problem for card in marked)

    def show_servers(self, servers: Sequence[PastedServer]) -> None:
        """List other servers, all of them marked."""
        body = QWidget()
        set_surface(body, "raised")
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 12, 0)
        column.setSpacing(16)
        self.cards = tuple(_Card(server, body) for server in servers)
        for card in self.cards:
            card.changed.connect(self.changed)
            column.addWidget(card)
        column.addStretch(1)
        # The former list goes with its widget.
        self.setWidget(body)

    def values(self) -> list[dict[str, Any]]:
        """Give the settings of those that are marked."""
        return [card.value() for card in self._marked]

    def focus_open(self) -> bool:
        """Put the focus on the first value that is still to be filled in; say whether there is one."""
        for card in self._marked:
            words = card.open_still
            if words and card.form is not None:
                return card.form.focus_field((words,))
        return False

    @property
    def _marked(self) -> list[_Card]:
        return [card for card in self.cards if card.mark.isChecked()]
