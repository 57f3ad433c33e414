"""Describe each place of a document as the field that edits it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, cast

from console.schema_form.effective_schema import EffectiveSchema, EffectiveSchemas
from console.schema_form.flat_schema import Schema, is_impossible
from console.schema_form.kinds import Choice, FieldKind, choices_of, is_secret, kind_of, list_kind, type_named
from console.schema_form.messages import given
from console.schema_form.paths import ABSENT, Path, label, value_at
from console.schema_form.variants import Variant

_MOST_KNOWN: Final = 20_000


class Field(NamedTuple):
    """One argument, or one part of one, as the form shows it.

    Attributes:
        path: Where its value stands.
        kind: The kind of field.
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
        return label(self.path) if self.in_words else f"argument {label(self.path)}"

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

    def at(self, path: Path, value: Any, chosen: Mapping[Path, int] | None = None, *, branch: bool = False) -> Field:
        """Describe the field of one place.

        Args:
            path: Where.
            value: The whole document as it is now.
            chosen: The variants people picked, by path.
            branch: Whether to describe the field of the variant that the value is, in the place of the choice.
        """
        required = False
        if path:
            owner = self._shapes.at(path[:-1], value, chosen).schema
            required = path[-1] in owner.get("required", ())
        shape = self._shapes.at(path, value, chosen)
        if branch and shape.variants:
            return self._made(path, EffectiveSchema(shape.schema, shape.schema, note=shape.note), required=required)
        return self._field(path, shape, required=required)

    def inside(self, path: Path, value: Any, chosen: Mapping[Path, int] | None = None) -> tuple[Field, ...]:
        """Describe the fields inside an object in the order of its schema, or those of a list.

        Args:
            path: Where the object stands; `()` is the document.
            value: The whole document as it is now.
            chosen: The variants people picked, by path.
        """
        owner = self._shapes.at(path, value, chosen).schema
        known = self._inside.get(path)
        if known is not None and known[0] is owner:
            return known[1]
        held = value_at(value, path)
        is_list = type_named(owner) == "array"
        names = _places(owner, held) if is_list else dict.fromkeys([*owner.get("properties", ()), *_required(owner)])
        required = frozenset(() if is_list else _required(owner))
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


def field_at(schema: Any, path: Path, value: Any = ABSENT) -> Field:
    """Describe the field of one place; with a document at hand, ask that.

    Args:
        schema: JSON Schema of the whole document, of any draft.
        path: Where.
        value: The whole document as it is now; `ABSENT` for nothing.
    """
    return Fields(EffectiveSchemas(schema)).at(path, value)


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


def _places(owner: Schema, held: Any) -> range:
    count = len(held) if isinstance(held, list | tuple) else 0
    return range(max(count, len(owner.get("prefixItems", ()))))


def _required(owner: Schema) -> Sequence[str]:
    return cast("Sequence[str]", owner.get("required", ()))
