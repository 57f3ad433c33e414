"""JSON Schema documents without references, and in the dialect of OpenAPI 3.0."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

_Node = dict[str, Any]
_DEFS: Final = "$defs"
_PREFIX: Final = "#/$defs/"
_MAPS: Final = frozenset({"properties", "patternProperties", "dependentSchemas", _DEFS})
_VALUES: Final = frozenset({"const", "default", "enum", "example", "examples"})
_UNKNOWN_TO_OPENAPI: Final = frozenset(
    {
        "$anchor", "$comment", "$dynamicAnchor", "$dynamicRef", "$id", "$schema", _DEFS, "contains", "contentMediaType",
        "dependentRequired", "dependentSchemas", "else", "if", "maxContains", "minContains", "patternProperties",
        "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties",
    }
)  # fmt: skip


def inlined(document: Mapping[str, Any]) -> _Node:
    """Return the document with every reference replaced by what it leads to, in one pass.

    A type that contains itself is cut where it would begin again, by a node that says so. Words beside a reference are
    joined with those of its target.

    Args:
        document: A schema whose references all lead into its own `$defs`.
    """
    definitions = document.get(_DEFS, {})
    top = {key: value for key, value in document.items() if key != _DEFS}
    whole: _Node = _inlined(top, definitions, ())
    return whole


def _inlined(node: Any, definitions: Mapping[str, Any], trail: tuple[str, ...]) -> Any:
    if not isinstance(node, Mapping):
        return node
    reference = node.get("$ref")
    if isinstance(reference, str) and reference.startswith(_PREFIX):
        name = reference.removeprefix(_PREFIX).replace("~1", "/").replace("~0", "~")
        beside = {key: value for key, value in node.items() if key != "$ref"}
        target = definitions[name]
        if name in trail:
            return {**_cut(name, target), **beside}
        return _inlined(_joined(target, beside), definitions, (*trail, name))
    written = each_schema(node, lambda inner: _inlined(inner, definitions, trail))
    if isinstance(discriminator := written.get("discriminator"), Mapping) and "propertyName" in discriminator:
        written["discriminator"] = {"propertyName": discriminator["propertyName"]}
    return written


def _cut(name: str, target: Mapping[str, Any]) -> _Node:
    title = target.get("title", name)
    cut: _Node = {"title": title, "description": f"Recursive reference to {title}, which is described above."}
    if "type" in target:
        cut["type"] = target["type"]
    return cut


def _joined(target: Mapping[str, Any], beside: Mapping[str, Any]) -> _Node:
    joined = {**target, **beside}
    if "title" in target:
        joined["title"] = target["title"]
    words = [text for text in (beside.get("description"), target.get("description")) if text]
    if len(words) > 1 and words[0] != words[1]:
        joined["description"] = "\n\n".join(words)
    return joined


def each_schema(node: Mapping[str, Any], visit: Callable[[Any], Any]) -> _Node:
    """Return a schema with every schema directly inside it visited; values such as defaults are left alone.

    Args:
        node: A schema.
        visit: Gives what stands in an inner schema's place.
    """
    written: _Node = {}
    for key, value in node.items():
        if key in _VALUES:
            written[key] = value
        elif key in _MAPS and isinstance(value, Mapping):
            written[key] = {name: visit(inner) for name, inner in value.items()}
        elif isinstance(value, list):
            written[key] = [visit(inner) if isinstance(inner, Mapping) else inner for inner in value]
        elif isinstance(value, Mapping) and key != "discriminator":
            written[key] = visit(value)
        else:
            written[key] = value
    return written


def for_openapi(node: Any) -> Any:
    """Return an inlined schema in the words OpenAPI 3.0 knows: `nullable`, no `const`, `prefixItems` or null type."""
    if isinstance(node, bool):
        return {} if node else {"not": {}}
    if not isinstance(node, Mapping):
        return node
    kept = {key: value for key, value in node.items() if key not in _UNKNOWN_TO_OPENAPI}
    written = each_schema(kept, for_openapi)
    for step in (_single_type, _nullable, _constants, _tuples, _limits, _encodings):
        written = step(written)
    return written


def _single_type(node: _Node) -> _Node:
    kinds = node.get("type")
    if not isinstance(kinds, list):
        return node
    rest = {key: value for key, value in node.items() if key != "type"}
    real = [kind for kind in kinds if kind != "null"]
    if "null" in kinds:
        rest["nullable"] = True
    if len(real) == 1:
        return {"type": real[0], **rest}
    return {**rest, "anyOf": [{"type": kind} for kind in real]}


def _nullable(node: _Node) -> _Node:
    if node.get("type") == "null":
        rest = {key: value for key, value in node.items() if key != "type"}
        return {**rest, "nullable": True, "enum": [None]}
    for key in ("anyOf", "oneOf"):
        members = node.get(key)
        if not members:
            continue
        real = [member for member in members if not _is_null(member)]
        if len(real) == len(members):
            continue
        rest = {name: value for name, value in node.items() if name != key}
        if len(real) == 1:
            return {**real[0], **rest, "nullable": True}
        return {**rest, key: real, "nullable": True}
    return node


def _is_null(member: Any) -> bool:
    return isinstance(member, Mapping) and member.get("enum") == [None] and member.get("nullable") is True


def _constants(node: _Node) -> _Node:
    if "const" not in node:
        return node
    rest = {key: value for key, value in node.items() if key != "const"}
    return {**rest, "enum": [node["const"]]}


def _tuples(node: _Node) -> _Node:
    if "prefixItems" not in node:
        if node.get("type") == "array" and "items" not in node:
            return {**node, "items": {}}
        return node
    members = [*node["prefixItems"]]
    rest = {key: value for key, value in node.items() if key not in {"prefixItems", "items"}}
    more = node.get("items")
    if isinstance(more, Mapping) and more and more != {"not": {}}:
        members.append(more)
    unique = [member for index, member in enumerate(members) if member not in members[:index]]
    return {**rest, "items": unique[0] if len(unique) == 1 else {"anyOf": unique}}


def _limits(node: _Node) -> _Node:
    written = dict(node)
    for exclusive, inclusive in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        limit = written.get(exclusive)
        if isinstance(limit, (int, float)) and not isinstance(limit, bool):
            written[inclusive] = limit
            written[exclusive] = True
    return written


def _encodings(node: _Node) -> _Node:
    written = dict(node)
    if written.pop("contentEncoding", None) == "base64":
        written["format"] = "byte"
    examples = written.pop("examples", None)
    if isinstance(examples, list) and examples:
        written.setdefault("example", examples[0])
    return written
