"""What may stand behind each keyword of a schema, so that one that is wrong can be passed over."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

ONE_PART: Final = frozenset(
    {
        *("additionalProperties", "contains", "contentSchema", "else", "if", "items", "not", "propertyNames", "then"),
        *("unevaluatedItems", "unevaluatedProperties"),
    }
)
"""Keywords behind which one schema stands."""

MANY_PARTS: Final = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
"""Keywords behind which a list of schemas stands."""

NAMED_PARTS: Final = frozenset({"$defs", "definitions", "dependentSchemas", "patternProperties", "properties"})
"""Keywords behind which schemas stand by their names."""

DESCRIBING: Final = frozenset(
    {"$comment", "deprecated", "description", "examples", "format", "readOnly", "title", "writeOnly"}
)
"""Keywords that refuse nothing, or nothing that a tool must refuse; a wrong one is worth no word."""

_TYPES: Final = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})


def _is_type(value: Any) -> bool:
    if isinstance(value, str):
        return value in _TYPES
    return isinstance(value, list) and bool(value) and all(isinstance(kind, str) and kind in _TYPES for kind in value)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_truth(value: Any) -> bool:
    return isinstance(value, bool)


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_step(value: Any) -> bool:
    return _is_number(value) and value > 0


def _is_count(value: Any) -> bool:
    return _is_number(value) and value >= 0 and value == value // 1


def _is_names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def _is_dependents(value: Any) -> bool:
    return isinstance(value, Mapping) and all(map(_is_names, value.values()))


def _is_part(value: Any) -> bool:
    return isinstance(value, Mapping | bool)


def _is_parts(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_part, value))


def _is_named_parts(value: Any) -> bool:
    return isinstance(value, Mapping) and all(map(_is_part, value.values()))


SOUND: Final[Mapping[str, Callable[[Any], bool]]] = {
    "type": _is_type,
    "enum": _is_list,
    "examples": _is_list,
    "required": _is_names,
    "dependentRequired": _is_dependents,
    "multipleOf": _is_step,
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _is_number),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minContains", "maxContains"), _is_count),
    **dict.fromkeys(("minProperties", "maxProperties"), _is_count),
    **dict.fromkeys(("uniqueItems", "deprecated", "readOnly", "writeOnly"), _is_truth),
    **dict.fromkeys(("$comment", "contentEncoding", "contentMediaType", "description", "format"), _is_text),
    **dict.fromkeys(("pattern", "title", "$ref", "$dynamicRef", "$recursiveRef"), _is_text),
    **dict.fromkeys(ONE_PART, _is_part),
    **dict.fromkeys(MANY_PARTS, _is_parts),
    **dict.fromkeys(NAMED_PARTS, _is_named_parts),
}
"""Tells of each keyword that means something here whether what stands behind it can mean it."""
