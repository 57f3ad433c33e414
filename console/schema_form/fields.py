"""Describe each place of a document as the field that edits it, and decide its kind."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, Final, NamedTuple

from console.language import tr
from console.schema_form.effective_schema import EffectiveSchema, EffectiveSchemas
from console.schema_form.flat_schema import Schema, is_impossible, types_of
from console.schema_form.messages import given
from console.schema_form.paths import ABSENT, Path, label, value_at
from console.schema_form.variants import Variant


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
    """Decide how a list is edited."""
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


_MOST_KNOWN: Final = 20_000


class Field(NamedTuple):
    """One argument, or one part of one, as the form shows it.

    Attributes:
        path: Where its value stands.
        schema: What holds there in one level: references, conditions and `or null` are folded away. For a `VARIANT`
            it is what holds for all of them.
        required: Whether the object around it must have it.
        nullable: Whether null is a value of it.
        variants: The kinds of value to choose from, of a `VARIANT`.
        item: The schema in one level of each value of a list; None for others, and where it depends on the value.
        note: Why it is edited as JSON; "" for no special reason.
    """

    path: Path
    kind: FieldKind
    schema: Schema
    required: bool
    nullable: bool
    variants: tuple[Variant, ...] = ()
    item: Schema | None = None
    note: str = ""

    @property
    def name(self) -> str:
        return str(self.path[-1]) if self.path else ""

    @property
    def accessible_name(self) -> str:
        """Return what assistive programs call it: `argument context.before`; a name in words stands for itself."""
        return label(self.path) if self.in_words else tr("argument {path}", path=label(self.path))

    @property
    def in_words(self) -> bool:
        """Return whether its name is written for people, and no name of a property that a program knows."""
        return self.schema.get("x-words") is True

    @property
    def title(self) -> str:
        return str(self.schema.get("title") or "")

    @property
    def description(self) -> str:
        return str(self.schema.get("description") or "")

    @property
    def unit(self) -> str:
        return str(self.schema.get("x-unit") or "")

    @property
    def format(self) -> str:
        return str(self.schema.get("format") or "")

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

    @property
    def choices(self) -> tuple[Choice, ...]:
        """Return the values to choose from: of a `CHOICE`, and for the items of a `SELECTION`."""
        return choices_of(self.schema if self.item is None else self.item)

    @property
    def deprecated(self) -> bool:
        return self.schema.get("deprecated") is True

    @property
    def read_only(self) -> bool:
        return self.schema.get("readOnly") is True

    @property
    def secret(self) -> bool:
        """Return whether nobody is to read it over a shoulder, or from a picture of the window."""
        return is_secret(self.schema)


class Fields:
    """The fields of one schema; the same shape at the same place gives the same field."""

    def __init__(self, shapes: EffectiveSchemas) -> None:
        self._shapes = shapes
        self._known: dict[tuple[Path, bool], tuple[EffectiveSchema, Field]] = {}
        self._inside: dict[Path, tuple[Schema, tuple[Field, ...]]] = {}

    def at(self, path: Path, value: Any, chosen: Mapping[Path, int] | None = None) -> Field:
        """Describe the field of one place; see `EffectiveSchemas.at`."""
        shape = self._shapes.at(path, value, chosen)
        return self._field(path, shape, required=self._is_required(path, value, chosen))

    def branch_at(self, path: Path, value: Any, chosen: Mapping[Path, int] | None = None) -> Field:
        """Describe the field of the variant that a value is, in the place of the choice; see `EffectiveSchemas.at`."""
        shape = self._shapes.at(path, value, chosen)
        if not shape.variants:
            return self.at(path, value, chosen)
        branch = EffectiveSchema(shape.schema, shape.schema, note=shape.note)
        return self._made(path, branch, required=self._is_required(path, value, chosen))

    def _is_required(self, path: Path, value: Any, chosen: Mapping[Path, int] | None) -> bool:
        return bool(path) and path[-1] in self._shapes.at(path[:-1], value, chosen).schema.get("required", ())

    def inside(self, path: Path, value: Any, chosen: Mapping[Path, int] | None = None) -> tuple[Field, ...]:
        """Describe the fields of an object in its schema's order, or those of a list; see `EffectiveSchemas.at`."""
        owner = self._shapes.at(path, value, chosen).schema
        known = self._inside.get(path)
        if known is not None and known[0] is owner:
            return known[1]
        held = value_at(value, path)
        is_list = type_named(owner) == "array"
        required = frozenset(() if is_list else owner.get("required", ()))
        names: Iterable[str | int] = dict.fromkeys([*owner.get("properties", ()), *owner.get("required", ())])
        if is_list:
            count = len(held) if isinstance(held, list | tuple) else 0
            names = range(max(count, len(owner.get("prefixItems", ()))))
        nodes = [(name, self._shapes.part(owner, name)) for name in names]
        shapes = [
            (name, self._shapes.shape(node, (*path, name), value_at(held, (name,)), chosen)) for name, node in nodes
        ]
        made = tuple(
            self._field((*path, name), shape, required=name in required)
            for name, shape in shapes
            if not is_impossible(shape.schema)
        )
        if not is_list and all(self._shapes.is_fixed(node) for _, node in nodes):
            self._inside[path] = (owner, made)
        return made

    def _field(self, path: Path, shape: EffectiveSchema, *, required: bool) -> Field:
        known = self._known.get((path, required))
        if known is not None and known[0].common is shape.common and known[0].variants is shape.variants:
            return known[1]
        if len(self._known) > _MOST_KNOWN:
            self._known.clear()
        made = self._made(path, shape, required=required)
        self._known[path, required] = (shape, made)
        return made

    def _made(self, path: Path, shape: EffectiveSchema, *, required: bool) -> Field:
        name = path[-1] if path and isinstance(path[-1], str) else ""
        kind = kind_of(shape, name)
        item: Schema | None = None
        if kind is FieldKind.ROWS:
            inner = self._shapes.shape(self._shapes.part(shape.schema, 0))
            kind, item = list_kind(inner), inner.common
        return Field(path, kind, shape.common, required, shape.nullable, shape.variants, item, shape.note)


def range_words(schema: Schema, *, joint: str = ", ") -> str:
    """Say which numbers are allowed: `1 to 5000`, `at least 0`; empty for all."""
    low, high = schema.get("minimum"), schema.get("maximum")
    above, below = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    if low is not None and high is not None:
        return tr("{low} to {high}", low=low, high=high)
    limits = (
        "" if low is None else tr("at least {limit}", limit=low),
        "" if above is None else tr("more than {limit}", limit=above),
        "" if high is None else tr("at most {limit}", limit=high),
        "" if below is None else tr("less than {limit}", limit=below),
    )
    return joint.join(filter(None, limits))
