"""Say in one line what an argument should be and what it is instead."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from console.schema_form.paths import same
from console.schema_form.resolving import Schema, resolved

__all__ = ["FORMATS", "TYPE_WORDS", "expectation", "given", "sentence"]

FORMATS: Final[Mapping[str, str]] = {
    "date": "a date such as 2026-03-31",
    "date-time": "a date and time such as 2026-03-31T09:30:00",
    "time": "a time such as 09:30:00",
    "duration": "a duration such as PT1H30M",
    "email": "an e-mail address",
    "uuid": "a UUID",
    "ipv4": "an IPv4 address such as 192.0.2.1",
    "ipv6": "an IPv6 address such as 2001:db8::1",
    "regex": "a regular expression",
    "uri": "an address such as https://example.org/page",
    "path": "a path",
}
TYPE_WORDS: Final[Mapping[str, str]] = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}
_LONGEST_TEXT: Final = 48
_MOST_CHOICES: Final = 8


def given(value: Any) -> str:
    """Say what a value is, shortened: `"abc"`, `9000`, `a list of 3`."""
    if isinstance(value, str):
        shown = value if len(value) <= _LONGEST_TEXT else f"{value[: _LONGEST_TEXT - 1]}…"
        return json.dumps(shown, ensure_ascii=False)
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}"
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 200:
        return "a very long number"
    return json.dumps(value)


def expectation(schema: Any, root: Schema) -> str:
    """Say what a schema asks for: `a whole number from 1 to 50`, `text or null`.

    Args:
        schema: The schema of one value.
        root: The document its references lead into.
    """
    node = resolved(schema, root)
    if "const" in node:
        return given(node["const"])
    if "enum" in node:
        return _one_of(node["enum"])
    for key in ("anyOf", "oneOf"):
        if node.get(key):
            return " or ".join(dict.fromkeys(expectation(branch, root) for branch in node[key][:_MOST_CHOICES]))
    kind = node.get("type")
    if isinstance(kind, list):
        return " or ".join(TYPE_WORDS.get(str(single), str(single)) for single in kind) or "something else"
    if kind == "string" and node.get("format") in FORMATS:
        return FORMATS[node["format"]]
    bounds = _bounds(node)
    return f"{TYPE_WORDS.get(str(kind), 'a value of another kind')}{f' {bounds}' if bounds else ''}"


def sentence(name: str, keyword: str, schema: Schema, value: Any, root: Schema) -> str:
    """Say how a value breaks one keyword of its schema.

    Args:
        name: The argument, as people read it.
        keyword: Of JSON Schema.
        schema: Where the keyword stands.
        value: What was given.
        root: The document its references lead into.

    Returns:
        What was expected and what came, without a full stop.
    """
    write = _SENTENCES.get(keyword)
    if write is not None:
        return write(name, schema, value)
    if keyword in {"type", "anyOf", "oneOf", "enum", "const"}:
        return f"{name} must be {expectation(schema, root)}; it is {given(value)}"
    return f"{name} does not fit the rule {keyword!r} of its schema; it is {given(value)}"


def _one_of(values: list[Any]) -> str:
    shown = [given(value) for value in values[:_MOST_CHOICES]]
    if len(values) == 1:
        return shown[0]
    if len(values) > _MOST_CHOICES:
        return f"one of {', '.join(shown)} or {len(values) - _MOST_CHOICES} more"
    return f"{', '.join(shown[:-1])} or {shown[-1]}"


def _bounds(schema: Schema) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    above, below = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    if low is not None and high is not None:
        return f"from {low} to {high}"
    said = [
        f"{word} {limit}"
        for word, limit in (("at least", low), ("more than", above), ("at most", high), ("less than", below))
        if limit is not None
    ]
    return " and ".join(said)


def _counted(schema: Schema, low_key: str, high_key: str, unit: str) -> str:
    low, high = schema.get(low_key), schema.get(high_key)
    if low is not None and high is not None and low != high:
        return f"{low} to {high} {unit}s"
    exact = low if low == high else None
    limit = next(number for number in (exact, low, high) if number is not None)
    words = "" if exact is not None else ("at least " if low is not None else "at most ")
    return f"{words}{limit} {unit}{'' if limit == 1 else 's'}"


def _out_of_bounds(name: str, schema: Schema, value: Any) -> str:
    return f"{name} must be {_bounds(schema)}; it is {given(value)}"


def _wrong_length(name: str, schema: Schema, value: Any) -> str:
    return f"{name} must have {_counted(schema, 'minLength', 'maxLength', 'character')}; it has {len(value)}"


def _wrong_count(name: str, schema: Schema, value: Any) -> str:
    return f"{name} must have {_counted(schema, 'minItems', 'maxItems', 'item')}; it has {len(value)}"


def _wrong_size(name: str, schema: Schema, value: Any) -> str:
    wanted = _counted(schema, "minProperties", "maxProperties", "field")
    return f"{name} must have {wanted}; it has {len(value)}"


def _repeated(name: str, _: Schema, value: Any) -> str:
    seen: list[Any] = []
    for item in value:
        if any(same(item, earlier) for earlier in seen):
            return f"{name} must hold each item once; it holds {given(item)} twice"
        seen.append(item)
    return f"{name} must hold each item once"


def _no_multiple(name: str, schema: Schema, value: Any) -> str:
    return f"{name} must be a multiple of {schema['multipleOf']}; it is {given(value)}"


def _no_match(name: str, schema: Schema, value: Any) -> str:
    return f"{name} must match {schema['pattern']}; it is {given(value)}"


def _wrong_format(name: str, schema: Schema, value: Any) -> str:
    kind = schema["format"]
    return f"{name} must be {FORMATS.get(kind, kind)}; it is {given(value)}"


def _not_contained(name: str, _: Schema, value: Any) -> str:
    return f"{name} must hold an item that fits; none of its {len(value)} does"


def _forbidden(name: str, _: Schema, value: Any) -> str:
    return f"{name} is a value the schema rules out; it is {given(value)}"


_SENTENCES: Final[Mapping[str, Callable[[str, Schema, Any], str]]] = {
    "minimum": _out_of_bounds,
    "maximum": _out_of_bounds,
    "exclusiveMinimum": _out_of_bounds,
    "exclusiveMaximum": _out_of_bounds,
    "minLength": _wrong_length,
    "maxLength": _wrong_length,
    "minItems": _wrong_count,
    "maxItems": _wrong_count,
    "minProperties": _wrong_size,
    "maxProperties": _wrong_size,
    "uniqueItems": _repeated,
    "multipleOf": _no_multiple,
    "pattern": _no_match,
    "format": _wrong_format,
    "contains": _not_contained,
    "not": _forbidden,
}
