"""The settings of one server as a form: how it is reached, what it may, and what would run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from console.language import tr
from console.schema_form import ArgumentsEditor
from console.servers.rows import ConnectionTest, MissingValue, StartRow
from console.servers.start_view import StartView
from console.widgets import Button, IconLabel, SegmentedControl, TextLabel, vbox

TRANSPORTS: Final[Mapping[str, str]] = MappingProxyType(
    {"stdio": tr("Program"), "http": "HTTP", "sse": tr("SSE (older)")}
)
"""How a server is reached, and what people read."""

_KEYS: Final = tuple(TRANSPORTS)
_PAUSE_MS: Final = 120
_WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "name": tr("Name"),
        "command": tr("Program"),
        "args": tr("Arguments"),
        "env": tr("Variables"),
        "url": tr("Address"),
        "headers": tr("Headers"),
        "cwd": tr("Folder"),
        "description": tr("Description"),
        "timeout_s": tr("Time limit"),
        "protocol": tr("Protocol"),
        "trusted": tr("Trust"),
    }
)
"""What people read for each of the settings."""

_NAME: Final[Mapping[str, Any]] = {
    "type": "string",
    "minLength": 1,
    "description": tr("What it is called here. Its tools are named after it."),
    "examples": ["github"],
}
_STDIO: Final[Mapping[str, Any]] = {
    "command": {
        "type": "string",
        "minLength": 1,
        "description": tr("The program that is started."),
        "examples": ["npx"],
    },
    "args": {
        "type": "array",
        "items": {"type": "string"},
        "description": tr("One argument each; no shell reads them."),
    },
    "env": {
        "type": "object",
        "additionalProperties": {"type": "string"},
        "description": tr("${env:NAME} takes one of yours; secrets are moved to the keyring."),
    },
}
_HTTP: Final[Mapping[str, Any]] = {
    "url": {"type": "string", "minLength": 1, "format": "uri", "examples": ["https://example.org/mcp"]},
    "headers": {
        "type": "object",
        "additionalProperties": {"type": "string"},
        "description": tr("Sent with each request. Secrets are moved to the keyring."),
    },
}
_FOLDER: Final[Mapping[str, Any]] = {
    "cwd": {"type": "string", "description": tr("The folder it starts in; the project's if empty.")}
}
_REST: Final[Mapping[str, Any]] = {
    "description": {"type": "string", "description": tr("What it is for, in your words.")},
    "timeout_s": {
        "type": "number",
        "exclusiveMinimum": 0,
        "default": 60,
        "x-unit": "s",
        "description": tr("How long a request may take."),
    },
    "protocol": {
        "oneOf": [
            {"const": "auto", "title": tr("The newest that both sides know")},
            {"const": "newer", "title": tr("Newer, without sessions")},
            {"const": "older", "title": tr("Older, with sessions")},
        ],
        "default": "auto",
        "description": tr("Which revision of the protocol is spoken."),
    },
    "trusted": {
        "type": "boolean",
        "default": False,
        "description": tr("Believe what it says of the risk of its tools. Otherwise that can only raise the question."),
    },
}
_USUAL: Final[Mapping[str, Any]] = MappingProxyType(
    {"cwd": "", "description": "", "timeout_s": 60, "protocol": "auto", "trusted": False}
)
"""What few servers need, and what it is where nobody says otherwise."""


def asked_schema(asked: Sequence[MissingValue]) -> dict[str, dict[str, Any]]:
    """Give the fields that ask for what a pasted text leaves open, by the words that people read."""
    fields: dict[str, dict[str, Any]] = {}
    for one in asked:
        secret = {"writeOnly": True} if one.is_secret else {}
        words = one.name if one.name not in {*_WORDS.values(), *fields} else f"{one.name} ({one.where})"
        fields[words] = {"type": "string", "description": one.note, "x-words": True, "x-where": one.where, **secret}
    return fields


class ConfigForm(QWidget):
    """Edit the settings of a server.

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
        self._asked: dict[str, dict[str, Any]] = {}
        self._previewed: dict[str, Any] | None = None
        self.ways = SegmentedControl(tuple(TRANSPORTS.values()), tr("How the server is reached"))
        self.more = Button(tr("More"), kind="ghost", icon="chevron-right")
        self.more.setCheckable(True)
        self.more.setToolTip(tr("Folder, description, time limit, protocol and trust"))
        self.editor = ArgumentsEditor(parent=self)
        self.start = StartView(tr("What runs when it starts"), tr("What is reached"))
        self.trial = IconLabel("circle-check", "", "small", "ok")
        self.trial_details = TextLabel("", "code", "text2", wrap=True, selectable=True)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        way = QHBoxLayout()
        way.addWidget(self.ways)
        way.addStretch(1)
        way.addWidget(self.more)
        column = vbox(self, spacing=12)
        column.addLayout(way)
        column.addWidget(self.editor, 1)
        column.addWidget(self.start)
        column.addWidget(self.trial)
        column.addWidget(self.trial_details)
        self.ways.selected.connect(self._on_ways_selected)
        self.more.toggled.connect(self._on_more_toggled)
        self.editor.changed.connect(self._on_editor_changed)
        self._pause.timeout.connect(self._on_pause_timeout)
        self.show_trial(None)

    @property
    def transport(self) -> str:
        return _KEYS[self.ways.index]

    def value(self) -> dict[str, Any]:
        return {"transport": self.transport, **self._settings()}

    @property
    def is_changed(self) -> bool:
        return self.value() != self._before

    @property
    def can_save(self) -> bool:
        """Say whether all that is needed is there, and right, and what would run is in sight."""
        start = self.start.start
        is_shown = self._previewed == self.value()
        return is_shown and self.editor.can_run() and not start.problem and not start.missing

    def show_value(self, value: Mapping[str, Any], asked: Sequence[MissingValue] = ()) -> None:
        """Show the settings of a server.

        Args:
            value: `transport`, and what else the form has.
            asked: What is still to be filled in.
        """
        transport = str(value.get("transport", "stdio"))
        for control in (self.ways, self.more):
            control.blockSignals(True)
        self.ways.select(_KEYS.index(transport))
        self._kept = {key: entry for key, entry in value.items() if key != "transport"}
        self._asked = asked_schema(asked)
        is_unusual = any(self._kept.get(key, usual) != usual for key, usual in _USUAL.items())
        self.more.setChecked(is_unusual)
        self._show_more()
        for control in (self.ways, self.more):
            control.blockSignals(False)
        self._set_schema(transport)
        self._before = self.value()
        self._previewed = None
        self.show_trial(None)
        self._pause.stop()
        self.start_wanted.emit(self.value())

    def show_start(self, start: StartRow) -> None:
        """Show what would run with the settings as they are now."""
        self._previewed = self.value()
        self.start.show_start(start)
        self.changed.emit()

    def focus_open(self) -> bool:
        """Put the focus on the first value that is still to be filled in; say whether there is one."""
        written = self.editor.value()
        words = next((words for words in self._asked if not written.get(words)), "")
        return bool(words) and bool(self.start.start.missing) and self.editor.focus_field((words,))

    def show_trial(self, trial: ConnectionTest | None, *, trying: bool = False) -> None:
        """Show what came of trying to reach the server; None before anybody tried."""
        self.trial.setVisible(trial is not None or trying)
        self.trial_details.setVisible(trial is not None and bool(trial.details))
        if trying:
            self.trial.show_state("loader-circle", tr("Connecting"), "text2")
        elif trial is not None:
            icon, tone = ("circle-check", "ok") if trial.success else ("octagon-x", "error")
            self.trial.show_state(icon, trial.words, tone)  # type: ignore[arg-type]
            self.trial_details.setText("\n".join(trial.details))

    def _fields(self, transport: str) -> dict[str, Any]:
        """Give the settings that the form has for a way to reach a server."""
        is_program = transport == "stdio"
        way = _STDIO if is_program else _HTTP
        more = {**(_FOLDER if is_program else {}), **_REST} if self.more.isChecked() else {}
        return {"name": _NAME, **way, **more}

    def _settings(self) -> dict[str, Any]:
        """Give all settings, shown or folded away; what is as usual is left out."""
        written = self.editor.value()
        answers = {field["x-where"]: str(written.get(words) or "") for words, field in self._asked.items()}
        found = {key: written[words] for key, words in _WORDS.items() if words in written}
        if not self.more.isChecked():
            found |= {key: self._kept[key] for key in _USUAL if key in self._kept}
        found = {key: entry for key, entry in found.items() if key not in _USUAL or entry != _USUAL[key]}
        if "client" in self._kept and self.transport != "stdio":
            found["client"] = self._kept["client"]
        return {**found, "answers": answers} if answers else found

    def _set_schema(self, transport: str) -> None:
        fields = self._fields(transport)
        properties = {_WORDS[key]: {**field, "x-words": True} for key, field in fields.items()}
        needed = [_WORDS["name"], _WORDS["command" if transport == "stdio" else "url"]]
        schema = {"type": "object", "properties": {**self._asked, **properties}, "required": needed}
        value = {_WORDS[key]: entry for key, entry in self._kept.items() if key in fields and entry is not None}
        answers = self._kept.get("answers", {})
        value |= {
            words: answers[field["x-where"]] for words, field in self._asked.items() if answers.get(field["x-where"])
        }
        self.editor.set_schema(schema, value=value)

    def _show_more(self) -> None:
        self.more.set_icon("chevron-down" if self.more.isChecked() else "chevron-right")

    def _on_ways_selected(self, index: int) -> None:
        # What only the other way has comes back with it.
        self._set_schema(_KEYS[index])
        self._on_editor_changed()

    def _on_more_toggled(self, _checked: bool) -> None:
        self._show_more()
        self._set_schema(self.transport)
        self._on_editor_changed()

    def _on_editor_changed(self) -> None:
        shown = {_WORDS[key]: key for key in self._fields(self.transport)}
        written = self.editor.value()
        # What stands in a field comes back with it, when it is folded away or only the other way has it.
        self._kept |= {key: written.get(words, _USUAL.get(key)) for words, key in shown.items()}
        self._kept |= {"answers": self._settings().get("answers", {})}
        self.show_trial(None)
        self._pause.start()
        self.changed.emit()

    def _on_pause_timeout(self) -> None:
        self.start_wanted.emit(self.value())
