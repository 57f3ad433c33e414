"""What stands in a form before anybody has typed anything."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Final

from console.schema_form.effective_schema import EffectiveSchemas
from console.schema_form.fields import has_free_names, type_named
from console.schema_form.flat_schema import Schema
from console.schema_form.paths import ABSENT

_MOST_LEVELS: Final = 16
_DEFAULT_WORDS: Final = ("default", "$ref", "allOf", "anyOf", "oneOf", "if", "dependentSchemas")


def starting_value(shapes: EffectiveSchemas, node: Any, trail: tuple[int, ...] = ()) -> Any:
    """Return the value with which a part of the schema starts, or `ABSENT` when people have to give one."""
    shape = shapes.shape(node)
    schema = shape.schema
    if schema.get("default") is not None:
        return deepcopy(schema["default"])
    if "const" in schema and not shape.nullable:
        return deepcopy(schema["const"])
    if type_named(schema) != "object":
        return ABSENT
    names = id(schema.get("properties"))
    # No finite value satisfies an object that must hold itself: that is left to the person.
    if len(trail) > _MOST_LEVELS or names in trail:
        return ABSENT
    return starting_object(shapes, schema, (*trail, names))


def starting_object(shapes: EffectiveSchemas, owner: Schema, trail: tuple[int, ...] = ()) -> dict[str, Any]:
    """Return the object with which an effective schema starts: defaults that are not null, and required objects."""
    required = frozenset(owner.get("required", ()))
    made: dict[str, Any] = {}
    for name in owner.get("properties", {}):
        node = shapes.part(owner, name)
        if name in required:
            value = starting_value(shapes, node, trail)
        elif not _may_have_default(node):
            continue
        else:
            value = shapes.shape(node).schema.get("default")
            value = ABSENT if value is None else deepcopy(value)
        if value is not ABSENT:
            made[name] = value
    return made


def _may_have_default(node: Any) -> bool:
    return isinstance(node, Mapping) and any(node.get(key) is not None for key in _DEFAULT_WORDS)


def carried_over(shapes: EffectiveSchemas, schema: Schema, old: Any) -> Any:
    """Return what a value becomes under another branch: names it knows stay, the others are left out."""
    kind = type_named(schema)
    if kind == "object":
        made = starting_object(shapes, schema)
        if not isinstance(old, Mapping):
            return made
        known, is_open = schema.get("properties", {}), has_free_names(schema)
        for name, value in old.items():
            if (name in known or is_open) and shapes.check.fits(value, shapes.part(schema, name)):
                made[name] = value
        return made
    if old is not ABSENT and shapes.check.fits(old, schema):
        return old
    if "const" in schema:
        return deepcopy(schema["const"])
    if schema.get("default") is not None:
        return deepcopy(schema["default"])
    return [] if kind == "array" else ABSENT
