"""JSON Schema in words: what a value should be, said so that a person or a model can mend it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

ANYTHING: Final = "any value"
"""What is said of a schema that asks for nothing."""

_FORMATS: Final = {
    "base64": "base64 text",
    "date": "a date such as 2026-03-31",
    "date-time": "a date and time such as 2026-03-31T09:30:00Z",
    "decimal": "a decimal number as text",
    "duration": "a duration such as PT1H30M",
    "email": "an e-mail address",
    "ipv4": "an IPv4 address",
    "ipv6": "an IPv6 address",
    "multi-host-uri": "a URL",
    "path": "a path",
    "regex": "a regular expression",
    "time": "a time such as 09:30:00",
    "uri": "a URL such as https://example.org/page",
    "uuid": "a UUID",
    "uuid4": "a UUID",
}
_PLURALS: Final = {
    "integer": "whole numbers",
    "number": "numbers",
    "string": "texts",
    "boolean": "true or false values",
    "object": "objects",
    "array": "lists",
}
_MOST_NAMES: Final = 8


def words(schema: Any, root: Mapping[str, Any]) -> str:
    """Say what a JSON Schema asks for.

    Args:
        schema: The schema of one value.
        root: The whole document, where references lead.
    """
    node = resolved(schema, root)
    if "const" in node:
        return f"exactly {node['const']!r}"
    if "enum" in node:
        return _one_of(node["enum"])
    for key in ("anyOf", "oneOf"):
        if key in node:
            return alternatives(node[key], root)
    kind = node.get("type")
    if isinstance(kind, list):
        return alternatives([{**node, "type": single} for single in kind], root)
    if kind in _FIXED:
        return _FIXED[kind]
    said = _SAID.get(str(kind))
    return said(node, root) if said is not None else ANYTHING


def resolved(schema: Any, root: Mapping[str, Any]) -> Mapping[str, Any]:
    """Follow `$ref` inside the document until something else stands there."""
    node = schema if isinstance(schema, Mapping) else {}
    seen = 0
    while isinstance(reference := node.get("$ref"), str) and reference.startswith("#/") and seen < _MOST_NAMES:
        target: Any = root
        for part in reference[2:].split("/"):
            name = part.replace("~1", "/").replace("~0", "~")
            target = target.get(name, {}) if isinstance(target, Mapping) else {}
        node = target if isinstance(target, Mapping) else {}
        seen += 1
    return node


def _one_of(values: Sequence[Any]) -> str:
    shown = ", ".join(repr(value) for value in values[:_MOST_NAMES])
    rest = f" or {len(values) - _MOST_NAMES} more" if len(values) > _MOST_NAMES else ""
    return f"one of {shown}{rest}" if len(values) > 1 else f"exactly {shown}"


def alternatives(members: Sequence[Any], root: Mapping[str, Any]) -> str:
    """Say that one of several JSON Schemas is asked for.

    Args:
        members: The schemas.
        root: The whole document, where references lead.
    """
    said = dict.fromkeys(words(member, root) for member in members)
    if "a number" in said:
        said.pop("a whole number", None)
    return " or ".join(said) if said else ANYTHING


def _integer(node: Mapping[str, Any], root: Mapping[str, Any]) -> str:
    del root
    return f"a whole number{_bounds(node)}"


def _number(node: Mapping[str, Any], root: Mapping[str, Any]) -> str:
    del root
    return f"a number{_bounds(node)}"


def _bounds(node: Mapping[str, Any]) -> str:
    low, high = node.get("minimum"), node.get("maximum")
    above, below = node.get("exclusiveMinimum"), node.get("exclusiveMaximum")
    said: list[str] = []
    if low is not None and high is not None:
        said.append(f"from {low} to {high}")
    elif low is not None:
        said.append(f"of at least {low}")
    elif high is not None:
        said.append(f"of at most {high}")
    if above is not None:
        said.append(f"above {above}")
    if below is not None:
        said.append(f"below {below}")
    if (step := node.get("multipleOf")) is not None:
        said.append(f"that is a multiple of {step}")
    return f" {' and '.join(said)}" if said else ""


def _counted(node: Mapping[str, Any], low_key: str, high_key: str, unit: str) -> str:
    low, high = node.get(low_key), node.get(high_key)
    if low is not None and high is not None:
        return f" of {low} {unit}s" if low == high else f" of {low} to {high} {unit}s"
    if low is not None:
        return f" of at least {low} {unit}{'' if low == 1 else 's'}"
    return f" of at most {high} {unit}{'' if high == 1 else 's'}" if high is not None else ""


def _string(node: Mapping[str, Any], root: Mapping[str, Any]) -> str:
    del root
    if (base := _FORMATS.get(str(node.get("contentEncoding") or node.get("format")))) is not None:
        return base
    length = _counted(node, "minLength", "maxLength", "character")
    pattern = f" that matches {node['pattern']!r}" if "pattern" in node else ""
    return f"text{length}{pattern}"


def _array(node: Mapping[str, Any], root: Mapping[str, Any]) -> str:
    if "prefixItems" in node:
        inner = ", then ".join(words(item, root) for item in node["prefixItems"])
        return f"a list of {inner}"
    item = resolved(node.get("items"), root)
    kind = item.get("type")
    of = f" of {_PLURALS[kind]}" if isinstance(kind, str) and kind in _PLURALS else ""
    count = _counted(node, "minItems", "maxItems", "item").replace(" of ", " with ", 1)
    unique = ", none twice" if node.get("uniqueItems") else ""
    return f"a list{of}{count}{unique}"


def _object(node: Mapping[str, Any], root: Mapping[str, Any]) -> str:
    del root
    names = list(node.get("properties", ()))
    if not names:
        return "an object"
    rest = ", ..." if len(names) > _MOST_NAMES else ""
    return f"an object with {', '.join(names[:_MOST_NAMES])}{rest}"


_SAID: Final[dict[str, Callable[[Mapping[str, Any], Mapping[str, Any]], str]]] = {
    "integer": _integer,
    "number": _number,
    "string": _string,
    "array": _array,
    "object": _object,
}
_FIXED: Final = {"boolean": "true or false", "null": "null"}
