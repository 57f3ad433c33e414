"""Decide which kind of field each part of a schema gets, and what stands on it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final, NamedTuple

from console.schema_form.messages import given
from console.schema_form.paths import ABSENT, Path, label
from console.schema_form.resolving import Schema, resolved, schema_at

__all__ = ["Choice", "Field", "FieldKind", "choices_of", "field_at", "field_kind", "fields_of", "range_hint"]


class FieldKind(StrEnum):
    """The kinds of field a form can show."""

    TEXT = "text"
    LINES = "lines"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    CHOICE = "choice"
    PATH = "path"
    DATE = "date"
    TIME = "time"
    DATE_TIME = "date-time"
    LIST = "list"
    SELECTION = "selection"
    OBJECT = "object"
    JSON = "json"


class Choice(NamedTuple):
    """One value that may be chosen.

    Attributes:
        value: What goes into the document.
        title: What people read.
        titled: Whether the schema gave the title; without one it is the value itself.
        description: The tooltip; empty for none.
    """

    value: Any
    title: str
    titled: bool = False
    description: str = ""


class Field(NamedTuple):
    """One argument, or one part of one, as the form shows it.

    Attributes:
        path: Where its value stands.
        kind: The kind of field.
        schema: Its schema, references and `or null` folded away.
        required: Whether the object around it must have it.
        nullable: Whether null is a value of it.
    """

    path: Path
    kind: FieldKind
    schema: Schema
    required: bool
    nullable: bool

    @property
    def name(self) -> str:
        """Return its own name, without the objects around it."""
        return str(self.path[-1]) if self.path else ""

    @property
    def accessible_name(self) -> str:
        """Return what assistive programs call it: `argument context.before`."""
        return f"argument {label(self.path)}"

    @property
    def title(self) -> str:
        """Return the schema's title; empty when it has none."""
        return str(self.schema.get("title") or "")

    @property
    def description(self) -> str:
        """Return what it means; empty when the schema does not say."""
        return str(self.schema.get("description") or "")

    @property
    def unit(self) -> str:
        """Return the unit behind a number; empty for none."""
        return str(self.schema.get("x-unit") or "")

    @property
    def default(self) -> Any:
        """Return the declared default; `ABSENT` when there is none."""
        return self.schema.get("default", ABSENT)

    @property
    def example(self) -> str:
        """Return an example to show while the field is empty; empty for none."""
        examples = self.schema.get("examples")
        if isinstance(examples, list) and examples:
            first = examples[0]
            return first if isinstance(first, str) else given(first)
        return ""


_MOST_LEVELS: Final = 4
_SCALARS: Final = frozenset({"string", "integer", "number", "boolean", "null"})
_PATH_FORMATS: Final = frozenset({"path", "file-path", "directory-path", "new-path"})
_TIME_FORMATS: Final[Mapping[str, FieldKind]] = {
    "date": FieldKind.DATE,
    "time": FieldKind.TIME,
    "date-time": FieldKind.DATE_TIME,
}
# What such an argument holds is seldom one line, and no keyword of JSON Schema says so.
_LONG_NAMES: Final = frozenset(
    {
        *("body", "code", "content", "contents", "diff", "html", "javascript", "json", "lines", "markdown", "message"),
        *("patch", "prompt", "query", "script", "source", "sql", "stdin", "template", "text", "toml", "xml", "yaml"),
    }
)
_SHORT_TEXT: Final = 120
_SNAKE: Final = re.compile(r"[a-z]+(_[a-z]+)*")
_NUMBER_KINDS: Final[Mapping[str, FieldKind]] = {
    "integer": FieldKind.INTEGER,
    "number": FieldKind.NUMBER,
    "boolean": FieldKind.BOOLEAN,
}


def field_kind(schema: Schema, root: Schema, name: str = "", depth: int = 0) -> FieldKind:
    """Decide how a value is edited; what no field fits is edited as JSON in its place.

    Args:
        schema: The schema of the value.
        root: The document its references lead into.
        name: The argument's own name: `content` hints at many lines.
        depth: How many objects it lies in; deeper than four levels is edited as JSON.
    """
    node, _ = _without_null(resolved(schema, root), root)
    if choices_of(node, root):
        return FieldKind.CHOICE
    if any(node.get(key) for key in ("anyOf", "oneOf", "allOf", "not", "if", "$ref")):
        return FieldKind.JSON
    kind = node.get("type")
    if kind == "string":
        return _text_kind(node, name)
    if kind == "array":
        return _list_kind(node, root)
    if kind == "object" and depth < _MOST_LEVELS and _is_plain_object(node):
        return FieldKind.OBJECT
    return _NUMBER_KINDS.get(str(kind), FieldKind.JSON)


def field_at(root: Schema, path: Path) -> Field:
    """Describe the field of one place in the document.

    Args:
        root: The schema of the whole document.
        path: Where.
    """
    around = schema_at(root, path[:-1])
    owner, _ = _without_null(around, root)
    names = owner.get("required", ())
    return _field(path, schema_at(root, path), root, required=bool(path) and path[-1] in names)


def fields_of(root: Schema, path: Path = ()) -> tuple[Field, ...]:
    """Describe the fields of an object in the order of its schema.

    Args:
        root: The schema of the whole document.
        path: Where the object stands; `()` is the document.
    """
    owner, _ = _without_null(schema_at(root, path), root)
    required = owner.get("required", ())
    return tuple(
        _field((*path, name), resolved(part, root), root, required=name in required)
        for name, part in owner.get("properties", {}).items()
    )


def choices_of(schema: Schema, root: Schema) -> tuple[Choice, ...]:
    """Return the values to choose from; empty when the schema does not list them.

    Args:
        schema: A schema without a reference at its top.
        root: The document its references lead into.
    """
    if "const" in schema:
        return (_choice(schema["const"], schema),)
    if isinstance(schema.get("enum"), list):
        return _plain_choices(schema["enum"])
    for key in ("oneOf", "anyOf"):
        branches = [resolved(branch, root) for branch in schema.get(key, ())]
        if branches and all("const" in branch for branch in branches):
            return tuple(_choice(branch["const"], branch) for branch in branches)
    return ()


def range_hint(schema: Schema) -> str:
    """Say which numbers are allowed, for the right of the field: `1 to 5000`, `at least 0`; empty for all."""
    low, high = schema.get("minimum"), schema.get("maximum")
    above, below = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    if low is not None and high is not None:
        return f"{low} to {high}"
    words = [
        f"{word} {limit}"
        for word, limit in (("at least", low), ("more than", above), ("at most", high), ("less than", below))
        if limit is not None
    ]
    return ", ".join(words)


def _field(path: Path, schema: Schema, root: Schema, *, required: bool) -> Field:
    node, nullable = _without_null(schema, root)
    name = path[-1] if path and isinstance(path[-1], str) else ""
    kind = field_kind(schema, root, name, depth=len(path) - 1)
    return Field(path, kind, node, required, nullable)


def _without_null(node: Schema, root: Schema) -> tuple[Schema, bool]:
    """Split "this or null" into this, and whether null was there."""
    kinds = node.get("type")
    if isinstance(kinds, list):
        rest = [kind for kind in kinds if kind != "null"]
        nullable = len(rest) < len(kinds)
        return {**node, "type": rest[0] if len(rest) == 1 else rest}, nullable
    if isinstance(node.get("enum"), list) and None in node["enum"] and len(node["enum"]) > 1:
        return {**node, "enum": [value for value in node["enum"] if value is not None]}, True
    for key in ("anyOf", "oneOf"):
        branches = [resolved(branch, root) for branch in node.get(key, ())]
        rest = [branch for branch in branches if branch.get("type") != "null"]
        if len(rest) < len(branches):
            outer = {name: value for name, value in node.items() if name != key}
            if len(rest) == 1:
                inner, _ = _without_null(rest[0], root)
                return {**inner, **outer}, True
            return {**outer, key: rest}, True
    return node, False


def _plain_choices(values: list[Any]) -> tuple[Choice, ...]:
    """Return listed values as choices; names in snake case are put into words, their tooltip is the value itself."""
    texts = [value for value in values if isinstance(value, str)]
    are_names = len(texts) == len(values) and all(_SNAKE.fullmatch(text) for text in texts)
    if not are_names or not any("_" in text for text in texts):
        return tuple(_choice(value, {}) for value in values)
    return tuple(Choice(text, text.replace("_", " ").capitalize(), titled=True, description=text) for text in texts)


def _choice(value: Any, schema: Schema) -> Choice:
    title = schema.get("title")
    shown = str(title) if title else (value if isinstance(value, str) else given(value))
    return Choice(value, shown, bool(title), str(schema.get("description") or ""))


def is_secret(node: Schema) -> bool:
    """Return whether nobody is to read a value over a shoulder, or from a picture of the window."""
    return node.get("writeOnly") is True or node.get("format") == "password"


def _text_kind(node: Schema, name: str) -> FieldKind:
    form = str(node.get("format") or "")
    if form in _PATH_FORMATS or "x-writes" in node:
        return FieldKind.PATH
    if form in _TIME_FORMATS:
        return _TIME_FORMATS[form]
    longest = node.get("maxLength")
    if form in {"multiline", "textarea"} or str(node.get("contentMediaType", "")).startswith("text/"):
        return FieldKind.LINES
    is_short = bool(form) or is_secret(node) or "pattern" in node or (longest is not None and longest <= _SHORT_TEXT)
    return FieldKind.LINES if name.lower() in _LONG_NAMES and not is_short else FieldKind.TEXT


def _list_kind(node: Schema, root: Schema) -> FieldKind:
    items = node.get("items")
    if "prefixItems" in node or not isinstance(items, Mapping):
        return FieldKind.JSON
    item = resolved(items, root)
    choices = choices_of(item, root)
    if choices:
        return FieldKind.SELECTION if node.get("uniqueItems") or len(choices) > 1 else FieldKind.JSON
    kind = item.get("type")
    return FieldKind.LIST if isinstance(kind, str) and kind in _SCALARS - {"null", "boolean"} else FieldKind.JSON


def _is_plain_object(node: Schema) -> bool:
    """Tell whether its properties are all there is to it; free names need a field of their own."""
    return (
        bool(node.get("properties"))
        and not node.get("patternProperties")
        and not (isinstance(node.get("additionalProperties"), Mapping))
    )
