"""JSON Schema documents without references, and in the dialect of OpenAPI 3.0."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from tools.schema.soundness import pointed_at

_Node = dict[str, Any]
_DEFINITIONS: Final = frozenset({"$defs", "definitions"})
_MAPS: Final = frozenset({"properties", "patternProperties", "dependentSchemas"}) | _DEFINITIONS
_VALUES: Final = frozenset({"const", "default", "enum", "example", "examples"})
_KNOWN_TO_OPENAPI: Final = frozenset(
    {
        "additionalProperties", "allOf", "anyOf", "default", "deprecated", "description", "discriminator", "enum",
        "example", "exclusiveMaximum", "exclusiveMinimum", "format", "items", "maxItems", "maxLength", "maxProperties",
        "maximum", "minItems", "minLength", "minProperties", "minimum", "multipleOf", "not", "nullable", "oneOf",
        "pattern", "properties", "readOnly", "required", "title", "type", "uniqueItems", "writeOnly",
    }
)  # fmt: skip
"""Source: OpenAPI 3.0.4, "Schema Object"."""
_REWRITTEN: Final = frozenset({"const", "contentEncoding", "examples", "prefixItems"})
"""What OpenAPI 3.0 says in other words."""
MOST_SCHEMAS: Final = 5_000
"""Schemas inside one document that are written out; a few references can unfold to any number of them."""
_LETTERS_EACH: Final = 400
"""How many letters count as a further schema: a long description can be referred to a thousand times."""
DEEPEST: Final = 60
"""How deep they may stand in each other."""


def inlined(document: Mapping[str, Any]) -> _Node:
    """Return a document, which may be somebody else's, with every reference replaced by what it leads to, in one pass.

    A type that contains itself is cut where it would begin again, by a node that says so; so is a reference that leads
    nowhere, and whatever is too large or too deep to be written out. Words beside a reference are joined with those of
    its target.
    """
    return _Inlining(document).whole()


class _Inlining:
    """One document whose references are replaced."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = document
        self._left = MOST_SCHEMAS

    def whole(self) -> _Node:
        top = {key: value for key, value in self._document.items() if key not in _DEFINITIONS}
        written: _Node = self._node(top, ("#",), 0)
        return written

    def _node(self, node: Any, trail: tuple[str, ...], depth: int) -> Any:
        if not isinstance(node, Mapping):
            return node
        self._left -= 1 + _letters(node) // _LETTERS_EACH
        if self._left < 0 or depth > DEEPEST:
            return {"description": "Left out: too large to be written without references."}
        reference = node.get("$ref")
        if isinstance(reference, str):
            beside = {key: value for key, value in node.items() if key != "$ref"}
            target = referenced(reference, self._document)
            if target is None:
                return {"description": f"Left out: {reference!r} leads to nothing in this schema.", **beside}
            if reference in trail:
                return {**_cut(reference, target), **beside}
            target = {key: value for key, value in target.items() if key not in _DEFINITIONS}
            return self._node(_joined(target, beside), (*trail, reference), depth + 1)
        kept = {key: value for key, value in node.items() if key not in _DEFINITIONS}
        written = each_schema(kept, lambda inner: self._node(inner, trail, depth + 1))
        if isinstance(discriminator := written.get("discriminator"), Mapping) and "propertyName" in discriminator:
            written["discriminator"] = {"propertyName": discriminator["propertyName"]}
        return written


def _letters(node: Mapping[str, Any]) -> int:
    """Return about how long a schema is without those inside it."""
    values = (value for key, value in node.items() if key in _VALUES or isinstance(value, str))
    return sum(len(value) if isinstance(value, str) else len(json.dumps(value, default=str)) for value in values)


def referenced(reference: str, document: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return what a reference leads to inside a document; None when it leads elsewhere, or nowhere."""
    if not reference.startswith("#") or reference[1:2] not in {"", "/"}:
        return None
    try:
        found = pointed_at(document, reference[1:])
    except LookupError:
        return None
    return found if isinstance(found, Mapping) else None


def _cut(reference: str, target: Mapping[str, Any]) -> _Node:
    title = target.get("title", reference.rsplit("/", 1)[-1].replace("#", "the whole"))
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
    """Return a schema with every schema directly inside it visited; values such as defaults are left alone."""
    written: _Node = {}
    for key, value in node.items():
        if key in _VALUES:
            written[key] = value
        elif key in _MAPS and isinstance(value, Mapping):
            written[key] = {name: visit(inner) for name, inner in value.items()}
        elif isinstance(value, list):
            written[key] = [visit(inner) if isinstance(inner, Mapping) else inner for inner in value]
        elif isinstance(value, Mapping) and key != "discriminator" and not key.startswith("x-"):
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
    known = _KNOWN_TO_OPENAPI | _REWRITTEN
    kept = {key: _spelled_out(key, value) for key, value in node.items() if key in known or key.startswith("x-")}
    written = each_schema(kept, for_openapi)
    for step in (_constants, _tuples, _single_type, _nullable, _limits, _encodings, _tidy):
        written = step(written)
    return written


def _spelled_out(key: str, value: Any) -> Any:
    """Return schemas that are just true or false as objects, where OpenAPI 3.0 wants them."""
    if key in {"items", "not"} and isinstance(value, bool):
        return for_openapi(value)
    if key in {"allOf", "anyOf", "items", "oneOf", "prefixItems"} and isinstance(value, list):
        return [for_openapi(member) if isinstance(member, bool) else member for member in value]
    return value


def _constants(node: _Node) -> _Node:
    if "const" not in node:
        return node
    rest = {key: value for key, value in node.items() if key != "const"}
    return {**rest, "enum": [node["const"]]}


def _tuples(node: _Node) -> _Node:
    """Return an array with one schema for all its places; before 2020-12 `items` could list them as well."""
    places = node.get("prefixItems", node["items"] if isinstance(node.get("items"), list) else None)
    if places is None:
        return node
    members = [*places]
    rest = {key: value for key, value in node.items() if key not in {"prefixItems", "items"}}
    more = node.get("items")
    if isinstance(more, Mapping) and more and more != {"not": {}}:
        members.append(more)
    unique = [member for index, member in enumerate(members) if member not in members[:index]]
    return {**rest, "items": unique[0] if len(unique) == 1 else {"anyOf": unique} if unique else {}}


def _single_type(node: _Node) -> _Node:
    kinds = node.get("type")
    if kinds == "array":
        return {"items": {}, **node}
    if not isinstance(kinds, list):
        return node
    rest = {key: value for key, value in node.items() if key != "type"}
    real = [kind for kind in kinds if kind != "null"]
    if "null" in kinds:
        rest["nullable"] = True
    if len(real) <= 1:
        return _single_type({"type": real[0] if real else "null", **rest})
    items = rest.pop("items", {})
    union = [{"type": kind, "items": items} if kind == "array" else {"type": kind} for kind in real]
    if "anyOf" in rest:
        return {**rest, "allOf": [*rest.get("allOf", ()), {"anyOf": union}]}
    return {**rest, "anyOf": union}


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
        return {**rest, key: real, "nullable": True} if real else {**rest, "nullable": True, "enum": [None]}
    return {**node, "nullable": True} if None in node.get("enum", ()) else node


def _is_null(member: Any) -> bool:
    return isinstance(member, Mapping) and member.get("enum") == [None] and member.get("nullable") is True


def _limits(node: _Node) -> _Node:
    written = dict(node)
    for exclusive, inclusive, stricter in (
        ("exclusiveMinimum", "minimum", max),
        ("exclusiveMaximum", "maximum", min),
    ):
        limit = written.pop(exclusive, None)
        if isinstance(limit, bool):
            written[exclusive] = limit
        elif limit is not None and stricter(limit, written.get(inclusive, limit)) == limit:
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


def _tidy(node: _Node) -> _Node:
    """Return a schema without lists that OpenAPI 3.0 does not want empty, and without a discriminator of others."""
    names = isinstance(node.get("discriminator"), Mapping) and "propertyName" in node["discriminator"]
    return {
        key: value
        for key, value in node.items()
        if not (key in {"allOf", "anyOf", "enum", "oneOf", "required"} and not value)
        and (key != "discriminator" or names)
    }
