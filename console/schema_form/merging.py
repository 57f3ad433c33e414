"""Put two schemas that both hold into one that says the same, as far as a form needs it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final

from console.schema_form.normalising import Schema
from console.schema_form.paths import equal, same

_LISTED: Final = frozenset({"const", "enum"})
IMPOSSIBLE: Final[Schema] = {"not": {}}
"""The schema that nothing fits."""


def merged(first: Schema, second: Schema) -> Schema:
    """Return a schema that asks for both; what only describes comes from the first where both say it.

    Args:
        first: A schema without references, conditions and unions at its top.
        second: Likewise.
    """
    if not second:
        return first
    if not first:
        return second
    made = {**second, **first}
    for key in first.keys() & second.keys():
        join = _JOINS.get(key)
        if join is not None:
            made[key] = join(first[key], second[key])
    if made.get("type") == [] or not _has_value(first, second) or is_impossible(first) or is_impossible(second):
        return IMPOSSIBLE
    properties = _properties(first, second)
    if properties:
        made["properties"] = properties
    return made


def is_impossible(schema: Schema) -> bool:
    """Tell whether nothing fits a schema, as far as its top says."""
    return schema.get("not") in ({}, True)


def types_of(schema: Schema) -> tuple[str, ...]:
    """Return the types a schema names; empty for any."""
    kind = schema.get("type")
    return (kind,) if isinstance(kind, str) else tuple(kind) if isinstance(kind, list) else ()


def _has_value(first: Schema, second: Schema) -> bool:
    """Tell whether a listed value is left that both list, as far as they list any."""
    listed = [[part["const"]] if "const" in part else part["enum"] for part in (first, second) if part.keys() & _LISTED]
    return len(listed) < 2 or any(equal(one, other) for one in listed[0] for other in listed[1])


def _both(one: Any, other: Any) -> Any:
    """Ask a part to fit two schemas."""
    if one is other or other in ({}, True):
        return one
    if one in ({}, True):
        return other
    if one is False or other is False:
        return False
    return {"allOf": [one, other]}


def _types(one: Any, other: Any) -> Any:
    first, second = types_of({"type": one}), types_of({"type": other})
    kept = [kind for kind in first if kind in second or (kind == "integer" and "number" in second)]
    kept += [kind for kind in second if kind == "integer" and "number" in first and kind not in kept]
    return kept[0] if len(kept) == 1 else kept


def _named(one: Any, other: Any) -> Any:
    return {name: _both(one.get(name, True), other.get(name, True)) for name in {**one, **other}}


def _properties(first: Schema, second: Schema) -> dict[str, Any]:
    one, other = first.get("properties", {}), second.get("properties", {})
    names = dict.fromkeys([*one, *other])
    return {
        name: _both(one.get(name, True), other.get(name, True))
        for name in names
        if (name in one or _lets_in(first)) and (name in other or _lets_in(second))
    }


def _lets_in(schema: Schema) -> bool:
    """Tell whether an object may hold names that its schema does not list; patterns get the benefit of the doubt."""
    return schema.get("additionalProperties") is not False or bool(schema.get("patternProperties"))


def _either(one: Any, other: Any) -> bool:
    return one is True or other is True


def _common(one: Any, other: Any) -> Any:
    return [value for value in one if any(same(value, allowed) for allowed in other)]


def _names(one: Any, other: Any) -> Any:
    return list(dict.fromkeys([*one, *other]))


def _dependents(one: Any, other: Any) -> Any:
    return {name: _names(one.get(name, ()), other.get(name, ())) for name in {**one, **other}}


def _prefix(one: Any, other: Any) -> Any:
    longest = max(len(one), len(other))
    return [_both(_place(one, place), _place(other, place)) for place in range(longest)]


def _place(parts: Any, place: int) -> Any:
    return parts[place] if place < len(parts) else True


def _multiple(one: Any, other: Any) -> Any:
    """Return the smallest step that is one of both."""
    first, second = Fraction(repr(one)), Fraction(repr(other))
    scale = math.lcm(first.denominator, second.denominator)
    common = Fraction(math.lcm(int(first * scale), int(second * scale)), scale)
    return common.numerator if common.denominator == 1 else float(common)


_JOINS: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "type": _types,
    "enum": _common,
    "required": _names,
    "dependentRequired": _dependents,
    "patternProperties": _named,
    "additionalProperties": _both,
    "propertyNames": _both,
    "items": _both,
    "prefixItems": _prefix,
    "uniqueItems": _either,
    "deprecated": _either,
    "readOnly": _either,
    "writeOnly": _either,
    "multipleOf": _multiple,
    **dict.fromkeys(("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains"), max),
    **dict.fromkeys(("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains"), min),
}
