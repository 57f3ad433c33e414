"""Which parts of a value have been looked at by a schema, for the rules about all the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from console.schema_form.normalising import Schema
from console.schema_form.patterns import pattern_found

__all__ = ["evaluated_names", "evaluated_places"]


def evaluated_names(validator: Any, value: Mapping[str, Any], schema: Schema) -> set[str]:
    """Return the names of an object that other rules have looked at.

    Args:
        validator: Of the library, for the whole schema.
        value: The object.
        schema: The schema whose `unevaluatedProperties` asks.
    """
    found: set[str] = set()
    for part, is_own in _applied(validator, value, schema):
        if "additionalProperties" in part or (not is_own and "unevaluatedProperties" in part):
            return set(value)
        found.update(name for name in part.get("properties", ()) if name in value)
        for pattern in part.get("patternProperties", ()):
            found.update(name for name in value if pattern_found(pattern, name))
    return found


def evaluated_places(validator: Any, value: list[Any], schema: Schema) -> set[int]:
    """Return the places of a list that other rules have looked at.

    Args:
        validator: Of the library, for the whole schema.
        value: The list.
        schema: The schema whose `unevaluatedItems` asks.
    """
    found: set[int] = set()
    for part, is_own in _applied(validator, value, schema):
        if "items" in part or (not is_own and "unevaluatedItems" in part):
            return set(range(len(value)))
        found.update(range(len(part.get("prefixItems", ()))))
        if "contains" in part:
            inner = validator.evolve(schema=part["contains"])
            found.update(place for place, item in enumerate(value) if inner.is_valid(item))
    return found


def _applied(validator: Any, value: Any, schema: Any, *, is_own: bool = True) -> Iterator[tuple[Schema, bool]]:
    """Go through the schemas that look at the same value and that it fits, and say which is the one that asks."""
    if not isinstance(schema, Mapping):
        return
    yield schema, is_own
    for part in _beside(validator, value, schema):
        yield from _applied(validator, value, part, is_own=False)


def _beside(validator: Any, value: Any, schema: Schema) -> Iterator[Any]:
    def fits(part: Any) -> bool:
        return bool(validator.evolve(schema=part).is_valid(value))

    if "$ref" in schema:
        yield validator._resolver.lookup(schema["$ref"]).contents  # noqa: SLF001 -- the library's own rules ask so too
    for keyword in ("allOf", "anyOf", "oneOf"):
        yield from filter(fits, schema.get(keyword, ()))
    if "if" in schema:
        if fits(schema["if"]):
            yield from (schema["if"], schema.get("then", True))
        else:
            yield schema.get("else", True)
    if isinstance(value, Mapping):
        yield from (part for name, part in schema.get("dependentSchemas", {}).items() if name in value)
