"""Decide which kind of field a value gets."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final, NamedTuple

from console.schema_form.effective_schema import EffectiveSchema
from console.schema_form.flat_schema import Schema, types_of
from console.schema_form.messages import given


class FieldKind(StrEnum):
    """The kinds of field a form can show."""

    TEXT = "text"
    LINES = "lines"
    SECRET = "secret"  # noqa: S105 -- the name of a kind
    FILE = "file"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    CHOICE = "choice"
    PATH = "path"
    DATE = "date"
    TIME = "time"
    DATE_TIME = "date-time"
    DURATION = "duration"
    LIST = "list"
    SELECTION = "selection"
    TABLE = "table"
    ROWS = "rows"
    TUPLE = "tuple"
    OBJECT = "object"
    MAP = "map"
    VARIANT = "variant"
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


_PATH_FORMATS: Final = frozenset({"path", "file-path", "directory-path", "new-path"})
_FORMAT_KINDS: Final[Mapping[str, FieldKind]] = {
    "date": FieldKind.DATE,
    "time": FieldKind.TIME,
    "date-time": FieldKind.DATE_TIME,
    "duration": FieldKind.DURATION,
    **dict.fromkeys(_PATH_FORMATS, FieldKind.PATH),
}
_BASE64: Final = frozenset({"base64", "base64url"})
_FILE_FORMATS: Final = frozenset({"base64", "binary", "byte"})
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
_CHIPS: Final = frozenset({FieldKind.TEXT, FieldKind.LINES, FieldKind.INTEGER, FieldKind.NUMBER, FieldKind.PATH})
_DATES: Final = frozenset({FieldKind.DATE, FieldKind.TIME, FieldKind.DATE_TIME, FieldKind.DURATION})
_OBJECT_WORDS: Final = frozenset(
    {
        *("additionalProperties", "maxProperties", "minProperties", "patternProperties", "properties"),
        *("propertyNames", "required", "unevaluatedProperties"),
    }
)
_LIST_WORDS: Final = frozenset(
    {"contains", "items", "maxItems", "minItems", "prefixItems", "unevaluatedItems", "uniqueItems"}
)
_NUMBER_WORDS: Final = frozenset({"exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum", "multipleOf"})
_TEXT_WORDS: Final = frozenset({"contentEncoding", "format", "maxLength", "minLength", "pattern"})


def kind_of(shape: EffectiveSchema, name: str = "") -> FieldKind:
    """Decide how a value is edited; what no field fits is edited as JSON in its place.

    Args:
        shape: What is asked of it.
        name: The argument's own name: `content` hints at many lines.

    Returns:
        The kind. All lists that are no tuples are `ROWS` here; `list_kind` tells them apart by what they hold.
    """
    if shape.note:
        return FieldKind.JSON
    if shape.variants:
        return FieldKind.VARIANT
    schema = shape.schema
    if choices_of(schema):
        return FieldKind.CHOICE
    kind = type_named(schema)
    match kind:
        case "string":
            return _text_kind(schema, name)
        case "array":
            return FieldKind.TUPLE if schema.get("prefixItems") else FieldKind.ROWS
        case "object":
            return FieldKind.MAP if has_free_names(schema) else FieldKind.OBJECT
        case _:
            return _NUMBER_KINDS.get(kind, FieldKind.JSON)


def list_kind(item: EffectiveSchema) -> FieldKind:
    """Decide how a list is edited.

    Args:
        item: What is asked of each of its values.
    """
    kind = kind_of(item)
    if kind is FieldKind.CHOICE and not item.nullable:
        return FieldKind.SELECTION
    if kind is FieldKind.OBJECT and item.schema.get("properties"):
        return FieldKind.TABLE
    is_chip = kind in _CHIPS or kind in _DATES
    return FieldKind.LIST if is_chip and not item.nullable else FieldKind.ROWS


def type_named(schema: Schema) -> str:
    """Return the type of a value; without the word for it, what its rules are about; "" when that is open."""
    types = types_of(schema)
    if types:
        return types[0]
    if schema.keys() & _OBJECT_WORDS:
        return "object"
    if schema.keys() & _LIST_WORDS:
        return "array"
    if schema.keys() & _NUMBER_WORDS:
        return "number"
    return "string" if schema.keys() & _TEXT_WORDS else ""


def choices_of(schema: Schema) -> tuple[Choice, ...]:
    """Return the values to choose from; empty when the schema does not list them."""
    if "const" in schema:
        return (_choice(schema["const"], schema),)
    if isinstance(schema.get("enum"), list):
        return _plain_choices(schema["enum"])
    branches = schema.get("oneOf", ())
    if branches and all("const" in branch for branch in branches):
        return tuple(_choice(branch["const"], branch) for branch in branches)
    return ()


def is_secret(schema: Schema) -> bool:
    """Return whether nobody is to read a value over a shoulder, or from a picture of the window."""
    return schema.get("writeOnly") is True or schema.get("format") == "password"


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


def _text_kind(schema: Schema, name: str) -> FieldKind:
    form = str(schema.get("format") or "")
    if form in _FORMAT_KINDS:
        return _FORMAT_KINDS[form]
    if "x-writes" in schema:
        return FieldKind.PATH
    if is_secret(schema):
        return FieldKind.SECRET
    if schema.get("contentEncoding") in _BASE64 or form in _FILE_FORMATS:
        return FieldKind.FILE
    longest = schema.get("maxLength")
    if form in {"multiline", "textarea"} or str(schema.get("contentMediaType", "")).startswith("text/"):
        return FieldKind.LINES
    is_short = bool(form) or "pattern" in schema or (longest is not None and longest <= _SHORT_TEXT)
    return FieldKind.LINES if name.lower() in _LONG_NAMES and not is_short else FieldKind.TEXT


def has_free_names(schema: Schema) -> bool:
    """Tell whether people are to choose names themselves; that others are merely let through does not say so."""
    rest = schema.get("additionalProperties", schema.get("unevaluatedProperties"))
    if isinstance(rest, Mapping) or rest is True or schema.get("patternProperties"):
        return True
    return not schema.get("properties") and rest is not False
