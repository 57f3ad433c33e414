"""Describe each place of a document as the field that edits it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from console.schema_form.kinds import Choice, FieldKind, choices_of, is_secret, kind_of, list_kind, type_named
from console.schema_form.merging import is_impossible
from console.schema_form.messages import given
from console.schema_form.paths import ABSENT, Path, label, value_at
from console.schema_form.shapes import Schema, Shape, Shapes
from console.schema_form.variants import Variant

__all__ = ["Choice", "Field", "FieldKind", "Variant", "choices_of", "field_at", "fields_of", "range_hint"]


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
    def format(self) -> str:
        """Return the format of a text; empty for none."""
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
        """Return whether it should not be used any more."""
        return self.schema.get("deprecated") is True

    @property
    def read_only(self) -> bool:
        """Return whether the tool sets it and nobody else should."""
        return self.schema.get("readOnly") is True

    @property
    def secret(self) -> bool:
        """Return whether nobody is to read it over a shoulder, or from a picture of the window."""
        return is_secret(self.schema)


def field_at(schema: Any, path: Path, value: Any = ABSENT) -> Field:
    """Describe the field of one place; with a document at hand, ask that.

    Args:
        schema: JSON Schema of the whole document, of any draft.
        path: Where.
        value: The whole document as it is now; `ABSENT` for nothing.
    """
    return field_in(Shapes(schema), path, value)


def fields_of(schema: Any, path: Path = (), value: Any = ABSENT) -> tuple[Field, ...]:
    """Describe the fields inside an object or a list; with a document at hand, ask that.

    Args:
        schema: JSON Schema of the whole document, of any draft.
        path: Where the object stands; `()` is the document.
        value: The whole document as it is now; `ABSENT` for nothing.
    """
    return fields_in(Shapes(schema), path, value)


def field_in(
    shapes: Shapes, path: Path, value: Any, chosen: Mapping[Path, int] | None = None, *, branch: bool = False
) -> Field:
    """Describe the field of one place.

    Args:
        shapes: The schema.
        path: Where.
        value: The whole document as it is now.
        chosen: The variants people picked, by path.
        branch: Whether to describe the field of the variant that the value is, in the place of the choice.
    """
    required = False
    if path:
        owner = shapes.at(path[:-1], value, chosen).schema
        required = path[-1] in owner.get("required", ())
    shape = shapes.at(path, value, chosen)
    if branch and shape.variants:
        shape = Shape(shape.schema, shape.schema, note=shape.note)
    return _field(shapes, path, shape, required=required)


def fields_in(shapes: Shapes, path: Path, value: Any, chosen: Mapping[Path, int] | None = None) -> tuple[Field, ...]:
    """Describe the fields inside an object in the order of its schema, or those of a list.

    Args:
        shapes: The schema.
        path: Where the object stands; `()` is the document.
        value: The whole document as it is now.
        chosen: The variants people picked, by path.
    """
    owner = shapes.at(path, value, chosen).schema
    held = value_at(value, path)
    names: list[Any]
    if type_named(owner) == "array":
        count = len(held) if isinstance(held, list | tuple) else 0
        names = list(range(max(count, len(owner.get("prefixItems", ())))))
    else:
        names = list(dict.fromkeys([*owner.get("properties", {}), *owner.get("required", ())]))
    required = frozenset(owner.get("required", ()))
    made = []
    for name in names:
        inner = (*path, name)
        shape = shapes.shape(shapes.part(owner, name), inner, value_at(held, (name,)), chosen)
        if not is_impossible(shape.schema):
            made.append(_field(shapes, inner, shape, required=name in required))
    return tuple(made)


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


def _field(shapes: Shapes, path: Path, shape: Shape, *, required: bool) -> Field:
    name = path[-1] if path and isinstance(path[-1], str) else ""
    kind = kind_of(shape, name)
    item: Schema | None = None
    if kind is FieldKind.ROWS:
        inner = shapes.shape(shapes.part(shape.schema, 0))
        kind, item = list_kind(inner), inner.common
    return Field(path, kind, shape.common, required, shape.nullable, shape.variants, item, shape.note)
