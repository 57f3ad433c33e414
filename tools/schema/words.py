"""JSON Schema in words: what a value should be, said so that a person or a model can mend it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from tools.schema.inlining import referenced

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
_MOST_DEPTH: Final = 3
_MOST_LETTERS: Final = 200


def words(schema: Any, root: Mapping[str, Any], depth: int = 0) -> str:
    """Say what a JSON Schema asks for.

    Args:
        root: The whole document, where references lead.
        depth: Inside how many others it stands that are said with it; of very deep ones nothing is said.
    """
    node = resolved(schema, root)
    if depth > _MOST_DEPTH:
        return ANYTHING
    if "const" in node:
        return f"exactly {_value(node['const'])}"
    if "enum" in node:
        return _one_of(node["enum"])
    for key in ("anyOf", "oneOf"):
        if key in node:
            return alternatives(node[key], root, depth + 1)
    kind = node.get("type")
    if isinstance(kind, list):
        return alternatives([{**node, "type": single} for single in kind], root, depth + 1)
    if kind == "array":
        return _array(node, root, depth)
    said = _SAID.get(str(kind))
    return said(node) if said is not None else ANYTHING


def resolved(schema: Any, root: Mapping[str, Any]) -> Mapping[str, Any]:
    """Follow `$ref` inside the document until something else stands there."""
    node = schema if isinstance(schema, Mapping) else {}
    seen = 0
    while isinstance(reference := node.get("$ref"), str) and f"{reference}/".startswith("#/") and seen < _MOST_NAMES:
        node = referenced(reference, root) or {}
        seen += 1
    return node


def _value(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= _MOST_LETTERS else f"{shown[: _MOST_LETTERS - 1]}…"


def _one_of(values: Sequence[Any]) -> str:
    shown = ", ".join(map(_value, values[:_MOST_NAMES]))
    rest = f" or {len(values) - _MOST_NAMES} more" if len(values) > _MOST_NAMES else ""
    return f"one of {shown}{rest}" if len(values) > 1 else f"exactly {shown}"


def alternatives(members: Sequence[Any], root: Mapping[str, Any], depth: int = 0) -> str:
    """Say that one of several JSON Schemas is asked for."""
    said: dict[str, None] = {}
    left = 0
    for at, member in enumerate(members):
        if len(said) == _MOST_NAMES:
            left = len(members) - at
            break
        said[words(member, root, depth)] = None
    if "a number" in said:
        said.pop("a whole number", None)
    text = " or ".join(said) if said else ANYTHING
    return f"{text} or {left} more" if left else text


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


def counted(count: Any, one: str) -> str:
    """Return a count with its noun, whose plural ends in an s."""
    # Not one text with values in it, which would be a sentence of its own to translate.
    return " ".join((str(count), one if count == 1 else f"{one}s"))


def _string(node: Mapping[str, Any]) -> str:
    if (base := _FORMATS.get(str(node.get("contentEncoding") or node.get("format")))) is not None:
        return base
    low, high = node.get("minLength"), node.get("maxLength")
    # Each written out: it is translated as a whole. So are those of a list.
    said = "a text"
    if low is not None and low == high:
        said = f"a text of {counted(low, 'character')}"
    elif low is not None and high is not None:
        said = f"a text of {low} to {counted(high, 'character')}"
    elif low is not None:
        said = f"a text of at least {counted(low, 'character')}"
    elif high is not None:
        said = f"a text of at most {counted(high, 'character')}"
    return f"{said} that matches {node['pattern']!r}" if "pattern" in node else said


def _array(node: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> str:
    if "prefixItems" in node:
        inner = ", then ".join(words(item, root, depth + 1) for item in node["prefixItems"][:_MOST_NAMES])
        return f"a list of {inner}"
    kind = resolved(node.get("items"), root).get("type")
    said = f"a list of {_PLURALS[kind]}" if isinstance(kind, str) and kind in _PLURALS else "a list"
    low, high = node.get("minItems"), node.get("maxItems")
    if low is not None and low == high:
        said = f"{said} with exactly {counted(low, 'item')}"
    elif low is not None and high is not None:
        said = f"{said} with {low} to {counted(high, 'item')}"
    elif low is not None:
        said = f"{said} with at least {counted(low, 'item')}"
    elif high is not None:
        said = f"{said} with at most {counted(high, 'item')}"
    return f"{said}, none twice" if node.get("uniqueItems") else said


def _object(node: Mapping[str, Any]) -> str:
    names = list(node.get("properties", ()))
    if not names:
        return "an object"
    rest = ", ..." if len(names) > _MOST_NAMES else ""
    return f"an object with {', '.join(names[:_MOST_NAMES])}{rest}"


_SAID: Final[dict[str, Callable[[Mapping[str, Any]], str]]] = {
    "boolean": lambda _: "true or false",
    "integer": lambda node: f"a whole number{_bounds(node)}",
    "null": lambda _: "null",
    "number": lambda node: f"a number{_bounds(node)}",
    "object": _object,
    "string": _string,
}
