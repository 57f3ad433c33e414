"""The sheet beside the plan where all of one step is written: name, tool, arguments as a form, when and how it runs."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from PySide6.QtCore import QSignalBlocker, QStringListModel, Qt, QTimer, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout

from console.batch.side_view import Sheet, complete_names
from console.language import tr
from console.schema_form import ArgumentsEditor, ArgumentsMode, SchemaForm
from console.widgets import Button, Divider, ElidedLabel, Menu, SegmentedControl, TextLabel, vbox

Schema = Mapping[str, Any]
NO_SCHEMA: Final[Schema] = MappingProxyType({})
_EXPRESSION: Final[Schema] = {
    "description": tr("A value of an earlier step, the row or a parameter, as in ${steps.load.result}"),
    "type": "string",
    "pattern": r"\$\{",
}
_MOST_CHOICES: Final = 200
"""How many steps are offered to be picked; the names of more are written."""
_MOST_SOURCES: Final = 30
"""How many things an argument can be taken from by a menu; others are written."""
_PATH: Final[Schema] = {"type": "string", "format": "file-path"}
_ROWS: Final[Schema] = {
    "title": tr("Repeat over"),
    "description": tr("Once for each row; the arguments take parts of it, as in ${row.name}"),
    "oneOf": [
        {
            "title": tr("CSV file"),
            "type": "object",
            "properties": {
                "csv": {**_PATH, "title": "csv", "description": tr("A file whose first line names the columns")}
            },
            "required": ["csv"],
            "additionalProperties": False,
        },
        {
            "title": tr("JSON file"),
            "type": "object",
            "properties": {"json": {**_PATH, "description": tr("A list, or one value a line")}},
            "required": ["json"],
            "additionalProperties": False,
        },
        {
            "title": tr("Files by name"),
            "type": "object",
            "properties": {
                "files": {"type": "string", "description": tr("A pattern of names"), "examples": ["data/*.csv"]}
            },
            "required": ["files"],
            "additionalProperties": False,
        },
        {
            "title": tr("Earlier result"),
            "type": "object",
            "properties": {"values": {**_EXPRESSION, "examples": ["${steps.load.result}"]}},
            "required": ["values"],
            "additionalProperties": False,
        },
        {
            "title": tr("Listed here"),
            "type": "object",
            "properties": {"values": {"type": "array", "items": {}}},
            "required": ["values"],
            "additionalProperties": False,
        },
    ],
}


class StepValues(NamedTuple):
    """What a step says.

    Attributes:
        options: The rest, by the names that the plan's file has; what is left out has its default.
    """

    name: str
    tool: str
    arguments: Mapping[str, Any]
    options: Mapping[str, Any]


class StepCard(NamedTuple):
    """What the sheet of a step shows.

    Attributes:
        place: Its place in the plan, from 0 on.
        arguments_schema: JSON Schema of the arguments; an empty one for a tool that is not here.
        examples: Arguments that its tool gives as examples.
        note: What there is to say of the tool: what it is for, or that there is none of this name.
        sources: Returns what an argument can be taken from: words, and the expression.
    """

    place: int
    values: StepValues
    tools: Sequence[str] = ()
    arguments_schema: Schema = NO_SCHEMA
    examples: Sequence[Mapping[str, Any]] = ()
    options_schema: Schema = NO_SCHEMA
    note: str = ""
    sources: Callable[[], Sequence[tuple[str, str]]] = tuple
    problems: Sequence[str] = ()


def fields_of_step(values: StepValues) -> dict[str, Any]:
    """Return the fields that a step's sheet sets, each with its default where nothing is said."""
    defaults = {
        "description": "",
        "condition": "",
        "rows": None,
        "timeout_s": None,
        "retries": 0,
        "continue_on_failure": False,
    }
    options = {name: value for name, value in values.options.items() if name in defaults}
    return {"tool": values.tool, "arguments": dict(values.arguments), **defaults, **options}


def options_schema(others: Sequence[str], *, is_repeatable: bool) -> Schema:
    """Return the JSON Schema of what a step says besides its name, tool and arguments."""
    is_short = 0 < len(others) <= _MOST_CHOICES
    waits = {
        "title": tr("Runs after"),
        "description": tr("Steps whose results the arguments use need not be named"),
        "type": "array",
        "uniqueItems": True,
        "items": {"oneOf": [{"const": name, "title": name} for name in others]} if is_short else {"type": "string"},
    }
    retries = {
        "title": tr("Retries"),
        "description": tr("How often a call that failed is made again")
        if is_repeatable
        else tr("The tool is not idempotent, so a failed call is not made again"),
        "type": "integer",
        "minimum": 0,
        "maximum": 100 if is_repeatable else 0,
    }
    return {
        "type": "object",
        "properties": {
            "depends_on": waits,
            "condition": {
                "title": tr("Only if"),
                "description": tr("An expression that must hold, or the step is skipped"),
                "type": "string",
                "examples": ["length(steps.load.result) > `0`"],
            },
            "rows": _ROWS,
            "timeout_s": {
                "title": tr("Timeout in s"),
                "description": tr("Seconds that one call may take"),
                "type": "number",
                "exclusiveMinimum": 0,
            },
            "retries": retries,
            "continue_on_failure": {
                "title": tr("Go on without it"),
                "description": tr("Those that wait for it run although it failed; its result is null then"),
                "type": "boolean",
            },
            "description": {"title": tr("Note"), "description": tr("What the step is for"), "type": "string"},
        },
        "additionalProperties": False,
    }


def expressions_in(arguments: Mapping[str, Any]) -> frozenset[str]:
    """Return the arguments that are an expression and nothing else."""
    return frozenset(name for name, value in arguments.items() if isinstance(value, str) and "${" in value)


def with_expressions(schema: Schema, names: Collection[str]) -> Schema:
    """Return the JSON Schema of a tool's arguments when some are expressions instead of values."""
    properties = schema.get("properties")
    if not isinstance(properties, Mapping):
        return schema
    parts = {name: _expression_for(part) if name in names else part for name, part in properties.items()}
    return {**schema, "properties": parts}


def _expression_for(part: Any) -> Schema:
    words = part.get("description", "") if isinstance(part, Mapping) else ""
    return {**_EXPRESSION, "description": words or _EXPRESSION["description"]}


def sources_for(steps: Sequence[str], parameters: Sequence[str], *, has_rows: bool) -> list[tuple[str, str]]:
    """Return what an argument can be taken from: words, and the expression; the likeliest steps come first."""
    own = [(tr("This row"), "${row}"), (tr("The row's number"), "${index}")] if has_rows else []
    given = [(tr("Parameter {name}", name=name), f"${{parameters.{_quoted(name)}}}") for name in parameters]
    results = ((tr("Result of {name}", name=name), f"${{steps.{_quoted(name)}.result}}") for name in steps)
    return [*own, *given, *results][:_MOST_SOURCES]


def _quoted(name: str) -> str:
    return name if name.replace("_", "a").isalnum() and name.isascii() else json.dumps(name)


_WIDTH: Final = 480
_LABEL: Final = 56
_PAUSE_MS: Final = 250
_MODES: Final[tuple[ArgumentsMode, ArgumentsMode]] = ("form", "json")


class StepSheet(Sheet):
    """Let a person write a step.

    Signals:
        tool_changed(str): Another tool is written; answer with `show_tool`.
    """

    tool_changed = Signal(str)

    def __init__(self) -> None:
        super().__init__(tr("Step"), tr("Close the step"), _WIDTH)
        self.setObjectName("stepSheet")
        self.card = StepCard(0, StepValues("", "", {}, {}))
        self._shown = self.card.values
        self._schema: Schema = NO_SCHEMA
        self._examples: Sequence[Mapping[str, Any]] = ()
        self._taken: frozenset[str] = frozenset()
        self._typing = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._typing.timeout.connect(self._on_typing_timeout)
        self._title = ElidedLabel("", "small", "text2")
        self.head.row.insertWidget(1, self._title, 1)
        self._make_fields()
        self.fill(self._arranged())

    def _make_fields(self) -> None:
        self.name = QLineEdit()
        self.name.setAccessibleName(tr("Name of the step"))
        self.name.textEdited.connect(self._on_edited)
        self.tool = QLineEdit()
        self.tool.setAccessibleName(tr("Tool of the step"))
        self.tool.setPlaceholderText(tr("Type a part of its name"))
        self._tools = QStringListModel(self.tool)
        complete_names(self.tool, self._tools)
        self.tool.textChanged.connect(self._on_tool_text_changed)
        self._note = TextLabel("", "small", "text2", wrap=True)
        self._problems = TextLabel("", "small", "error", wrap=True)
        self._problems.setAccessibleName(tr("What is wrong with the step"))
        self.mode = SegmentedControl((tr("Form"), "JSON"), tr("Edit the arguments as"), height=24)
        self.mode.selected.connect(self._on_mode_selected)
        self.take = Button(tr("Take from"), kind="ghost", icon="link", chevron=True)
        self.take.setToolTip(tr("Take an argument from an earlier step, the row or a parameter"))
        self._sources = Menu(tr("Take from"), self.take)
        self._sources.aboutToShow.connect(self._on_sources_about_to_show)
        self._sources.triggered.connect(self._on_sources_triggered)
        self.take.setMenu(self._sources)
        self.arguments = ArgumentsEditor()
        self.arguments.mode_changed.connect(self._on_arguments_mode_changed)
        self.arguments.changed.connect(self._on_edited)
        self.arguments.submit_requested.connect(self._on_apply_clicked)
        self.options = SchemaForm()
        self.options.changed.connect(self._on_edited)
        self.options.submit_requested.connect(self._on_apply_clicked)

    def _arranged(self) -> QVBoxLayout:
        column = vbox(spacing=8)
        column.addWidget(self._problems)
        for words, field in ((tr("Name"), self.name), (tr("Tool"), self.tool)):
            row = QHBoxLayout()
            label = TextLabel(words, "body", "text2")
            label.setFixedWidth(_LABEL)
            row.addWidget(label)
            row.addWidget(field, 1)
            column.addLayout(row)
        column.addWidget(self._note)
        column.addWidget(Divider())
        head = QHBoxLayout()
        head.addWidget(TextLabel(tr("Arguments"), "heading"))
        head.addStretch(1)
        head.addWidget(self.take)
        head.addWidget(self.mode)
        column.addLayout(head)
        column.addWidget(self.arguments)
        column.addWidget(Divider())
        column.addWidget(TextLabel(tr("When and how"), "heading"))
        column.addWidget(self.options)
        return column

    @property
    def values(self) -> StepValues:
        return StepValues(
            self.name.text().strip(), self.tool.text().strip(), self.arguments.value(), self.options.value()
        )

    @property
    def is_dirty(self) -> bool:
        return not self.is_sound or self.values != self._shown

    @property
    def is_sound(self) -> bool:
        return self.arguments.document.text_problem is None

    def set_base(self, folder: Path) -> None:
        self.arguments.set_base(folder)
        self.options.set_base(folder)

    def show_step(self, card: StepCard) -> None:
        """Show a step; fields that stay as they are keep the focus."""
        before, self.card = self.card, card
        is_same = bool(before.tools) and before.place == card.place
        values = card.values
        self._title.set_text(f"{card.place + 1} · {values.name}")
        blockers = [QSignalBlocker(field) for field in (self.name, self.tool)]
        self.name.setText(values.name)
        self.tool.setText(values.tool)
        for blocker in blockers:
            blocker.unblock()
        if list(card.tools) != self._tools.stringList():
            self._tools.setStringList(list(card.tools))
        self.show_problems(card.problems)
        if not (is_same and self._schema is card.arguments_schema and self.arguments.value() == values.arguments):
            self._schema, self._examples = card.arguments_schema, card.examples
            self._show_arguments(values.arguments)
        if not (is_same and before.options_schema == card.options_schema and self.options.value() == values.options):
            self.options.set_schema(card.options_schema, value=values.options)
        self._show_note(card.note)
        # The form may write a value in another way than it was given.
        self._shown = self.values
        self.refuse("")
        self._follow()

    def show_tool(self, schema: Schema, examples: Sequence[Mapping[str, Any]], note: str) -> None:
        """Show the arguments of another tool, with what was written where they have the same names."""
        known = schema.get("properties", {})
        kept = {name: value for name, value in self.arguments.value().items() if name in known or not known}
        self._schema, self._examples = schema, examples
        self._show_arguments(kept or None)
        self._show_note(note)
        self._follow()

    def show_problems(self, problems: Sequence[str]) -> None:
        self._problems.setText("\n".join(problems))
        self._problems.setVisible(bool(problems))

    def focus_arguments(self) -> None:
        if not self.arguments.focus_first():
            self.name.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_arguments(self, arguments: Mapping[str, Any] | None) -> None:
        """Show arguments; one that is an expression is a line of text, whatever its tool takes."""
        self._taken = expressions_in(arguments or {})
        self.arguments.set_schema(with_expressions(self._schema, self._taken), value=arguments, examples=self._examples)

    def _show_note(self, note: str) -> None:
        self._note.setText(note)
        self._note.setVisible(bool(note))

    def _on_edited(self) -> None:
        self.refuse("")
        self._follow()

    def _follow(self) -> None:
        self.apply.setEnabled(self.is_sound)

    def _on_tool_text_changed(self) -> None:
        self._typing.start()
        self._on_edited()

    def _on_typing_timeout(self) -> None:
        self.tool_changed.emit(self.tool.text().strip())

    def _on_mode_selected(self, index: int) -> None:
        self.arguments.set_mode(_MODES[index])

    def _on_arguments_mode_changed(self, mode: ArgumentsMode) -> None:
        self.mode.select(_MODES.index(mode))

    def _on_sources_about_to_show(self) -> None:
        """Offer each argument, and what it can be taken from; one that is taken can be written as a value again."""
        self._sources.clear()
        for menu in self._sources.findChildren(Menu):
            menu.setParent(None)
            menu.deleteLater()
        sources = self.card.sources()
        for name in self._schema.get("properties", {}):
            menu = Menu(name, self._sources)
            for words, expression in sources:
                menu.addAction(words.replace("&", "&&")).setData((name, expression))
            if name in self._taken:
                menu.addSeparator()
                menu.addAction(tr("Write a value")).setData((name, None))
            self._sources.addMenu(menu)
        if self._sources.isEmpty():
            self._sources.addAction(tr("The tool takes no arguments")).setEnabled(False)

    def _on_sources_triggered(self, action: QAction) -> None:
        name, expression = action.data()
        given = self.arguments.value()
        given.pop(name, None)
        self._show_arguments(given if expression is None else {**given, name: expression})
        self._on_edited()
        self.arguments.focus_field((name,))

    def hide_sheet(self) -> None:
        """Show nothing more; what is being typed is given up."""
        self._typing.stop()
        self.hide()
