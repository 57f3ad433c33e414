"""The settings of one server as a form: how it is reached, what it may, and what would run."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from console.schema_form import ArgumentsEditor
from console.servers.rows import Start, Trial
from console.servers.start_view import StartView
from console.widgets import IconLabel, SegmentedControl, TextLabel

__all__ = ["TRANSPORTS", "ConfigForm", "transport_words"]

TRANSPORTS: Final[Mapping[str, str]] = MappingProxyType({"stdio": "Program", "http": "HTTP", "sse": "SSE (older)"})
"""How a server is reached, and what people read."""

_KEYS: Final = tuple(TRANSPORTS)
_PAUSE_MS: Final = 250
_NAME: Final[Mapping[str, Any]] = {
    "type": "string",
    "minLength": 1,
    "description": "What it is called here. Its tools are named after it.",
    "examples": ["github"],
}
_STDIO: Final[Mapping[str, Any]] = {
    "command": {
        "type": "string",
        "minLength": 1,
        "description": "The program that is started.",
        "examples": ["npx", "uvx"],
    },
    "args": {"type": "array", "items": {"type": "string"}, "description": "One argument each; no shell reads them."},
    "env": {
        "type": "object",
        "additionalProperties": {"type": "string"},
        "description": "Variables. ${env:NAME} takes one of yours; secrets are moved to the keyring.",
    },
    "cwd": {"type": "string", "description": "The folder it starts in; the project's if empty."},
}
_HTTP: Final[Mapping[str, Any]] = {
    "url": {"type": "string", "minLength": 1, "format": "uri", "examples": ["https://example.org/mcp"]},
    "headers": {
        "type": "object",
        "additionalProperties": {"type": "string"},
        "description": "Sent with each request. Secrets are moved to the keyring.",
    },
}
_REST: Final[Mapping[str, Any]] = {
    "description": {"type": "string", "description": "What it is for, in your words."},
    "timeout_s": {
        "type": "number",
        "exclusiveMinimum": 0,
        "default": 60,
        "description": "Seconds a request may take.",
    },
    "era": {
        "type": "string",
        "enum": ["auto", "modern", "legacy"],
        "default": "auto",
        "description": "Which protocol is spoken: the newest both sides know, or one that you choose.",
    },
    "trusted": {
        "type": "boolean",
        "default": False,
        "description": "Believe what it says of the risk of its tools. Otherwise that can only raise the question.",
    },
}


def transport_words(transport: str) -> str:
    """Give what people read for a way to reach a server."""
    return TRANSPORTS[transport]


def _schema_of(transport: str) -> dict[str, Any]:
    way = _STDIO if transport == "stdio" else _HTTP
    return {
        "type": "object",
        "properties": {"name": _NAME, **way, **_REST},
        "required": ["name", "command" if transport == "stdio" else "url"],
    }


class ConfigForm(QWidget):
    """Edit the settings of a server.

    Args:
        parent: Its owner.

    Signals:
        changed: Something in it is different.
        start_wanted(dict): What runs with these settings is to be shown; `show_start` takes it.
    """

    changed = Signal()
    start_wanted = Signal(dict)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._before: dict[str, Any] = {}
        self._kept: dict[str, Any] = {}
        self.ways = SegmentedControl(tuple(TRANSPORTS.values()), "How the server is reached")
        self.editor = ArgumentsEditor(parent=self)
        self.start = StartView("What runs when it starts", "What is reached")
        self.trial = IconLabel("circle-check", "", "small", "ok")
        self.trial_details = TextLabel("", "code", "text2", wrap=True, selectable=True)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        way = QHBoxLayout()
        way.addWidget(self.ways)
        way.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        column.addLayout(way)
        column.addWidget(self.editor, 1)
        column.addWidget(self.start)
        column.addWidget(self.trial)
        column.addWidget(self.trial_details)
        self.ways.selected.connect(self._on_ways_selected)
        self.editor.changed.connect(self._on_editor_changed)
        self._pause.timeout.connect(self._on_pause_timeout)
        self.show_trial(None)

    @property
    def transport(self) -> str:
        """Give how the server is reached."""
        return _KEYS[self.ways.index]

    def value(self) -> dict[str, Any]:
        """Give the settings as they are in the form."""
        return {"transport": self.transport, **self.editor.value()}

    @property
    def is_changed(self) -> bool:
        """Say whether anything is other than it was."""
        return self.value() != self._before

    @property
    def can_save(self) -> bool:
        """Say whether all that is needed is there, and right."""
        return self.editor.can_run() and not self.start.start.problem

    def show_value(self, value: Mapping[str, Any]) -> None:
        """Show the settings of a server.

        Args:
            value: `transport`, and what else the form has.
        """
        transport = str(value.get("transport", "stdio"))
        self.ways.blockSignals(True)
        self.ways.select(_KEYS.index(transport))
        self.ways.blockSignals(False)
        self._kept = {key: entry for key, entry in value.items() if key != "transport"}
        self._set_schema(transport)
        self._before = self.value()
        self.show_trial(None)
        self.start_wanted.emit(self.value())

    def show_start(self, start: Start) -> None:
        """Show what would run."""
        self.start.show_start(start)
        self.changed.emit()

    def show_trial(self, trial: Trial | None, *, trying: bool = False) -> None:
        """Show what came of trying to reach the server; None before anybody tried."""
        self.trial.setVisible(trial is not None or trying)
        self.trial_details.setVisible(trial is not None and bool(trial.details))
        if trying:
            self.trial.show_state("loader-circle", "Connecting", "text2")
        elif trial is not None:
            icon, tone = ("circle-check", "ok") if trial.success else ("octagon-x", "error")
            self.trial.show_state(icon, trial.words, tone)  # type: ignore[arg-type]
            self.trial_details.setText("\n".join(trial.details))

    def _set_schema(self, transport: str) -> None:
        schema = _schema_of(transport)
        names = schema["properties"]
        self.editor.set_schema(schema, value={key: entry for key, entry in self._kept.items() if key in names})

    def _on_ways_selected(self, index: int) -> None:
        # What only the other way has comes back with it.
        self._kept |= self.editor.value()
        self._set_schema(_KEYS[index])
        self._on_editor_changed()

    def _on_editor_changed(self) -> None:
        self.show_trial(None)
        self._pause.start()
        self.changed.emit()

    def _on_pause_timeout(self) -> None:
        self.start_wanted.emit(self.value())
