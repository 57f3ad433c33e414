"""The schemas of a document as JSON Schema 2020-12, each component written once and shared by all that refer to it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from tools.schema.inlining import each_schema

if TYPE_CHECKING:
    from tools.openapi.document import ApiDocument

_LEFT_OUT: Final = frozenset(
    {"$anchor", "$id", "$schema", "discriminator", "example", "externalDocs", "nullable", "xml"}
)
_BINARY: Final = frozenset({"binary", "byte"})
_MOST_DEFINITIONS: Final = 2_000
_NOT_IN_NAMES: Final = re.compile(r"[^A-Za-z0-9_.-]")


class ComponentSchemas:
    """Write schemas of a document for one direction.

    What only the server says (`readOnly`) is no part of what it is sent, and what it is only sent (`writeOnly`) no part
    of its answers.

    Args:
        for_request: Whether they describe what is sent.
    """

    def __init__(self, document: ApiDocument, *, for_request: bool) -> None:
        self._document = document
        self._hidden = "readOnly" if for_request else "writeOnly"
        self._names: dict[str, str] = {}
        self._written: dict[str, Any] = {}
        self._referred: dict[str, tuple[str, ...]] = {}

    def written(self, node: Any) -> Any:
        """Return a schema; what it refers to is among `definitions_of` it.

        Raises:
            ApiError: It refers to nothing, or to another document.
        """
        waiting: list[str] = []
        found = self._converted(node, waiting)
        while waiting:
            reference = waiting.pop()
            name = self._names[reference]
            if name not in self._written:
                self._written[name] = self._converted(self._document.target(reference), waiting)
        return found

    def definitions_of(self, *nodes: Any) -> dict[str, Any]:
        """Return what written schemas refer to, by name."""
        found: dict[str, Any] = {}
        waiting = [name for node in nodes for name in _referred(node)]
        while waiting and len(found) < _MOST_DEFINITIONS:
            name = waiting.pop()
            # A value that only looks like a reference leads nowhere.
            if name not in found and name in self._written:
                found[name] = self._written[name]
                if name not in self._referred:
                    self._referred[name] = tuple(dict.fromkeys(_referred(found[name])))
                waiting += self._referred[name]
        return found

    def _converted(self, node: Any, waiting: list[str]) -> Any:
        if not isinstance(node, Mapping):
            return node
        kept = {key: value for key, value in node.items() if key not in _LEFT_OUT and not key.startswith("x-")}
        reference = kept.pop("$ref", None)
        if reference is not None and self._document.is_3_0:
            # Before 3.1 nothing beside a reference counts.
            kept = {}
        kept = self._directed(kept)
        _with_examples(kept, node)
        converted = each_schema(kept, lambda inner: self._converted(inner, waiting))
        if reference is not None:
            converted["$ref"] = f"#/$defs/{self._name_of(reference)}"
            waiting.append(reference)
        if converted.get("format") in _BINARY:
            # A call is JSON, which holds no bytes.
            del converted["format"]
            converted["contentEncoding"] = "base64"
        return _of_3_0(converted, node) if self._document.is_3_0 and reference is None else converted

    def _directed(self, node: dict[str, Any]) -> dict[str, Any]:
        """Return an object without what goes the other way."""
        properties, required = node.get("properties"), node.get("required")
        if isinstance(properties, Mapping):
            gone = {name for name, inner in properties.items() if self._is_hidden(inner)}
            node["properties"] = {name: inner for name, inner in properties.items() if name not in gone}
            if isinstance(required, list):
                node["required"] = [name for name in required if name not in gone]
        if not isinstance(required, list):
            # `required: true` at a property is a common mistake, and means nothing there.
            node.pop("required", None)
        return node

    def _is_hidden(self, node: Any) -> bool:
        return isinstance(node, Mapping) and node.get(self._hidden) is True

    def _name_of(self, reference: Any) -> str:
        self._document.target(reference)
        known = self._names.get(reference)
        if known is None:
            plain = known = _NOT_IN_NAMES.sub("_", str(reference).rpartition("/")[2]) or "Document"
            number, taken = 1, set(self._names.values())
            while known in taken:
                number += 1
                known = f"{plain}_{number}"
            self._names[reference] = known
        return known


def _with_examples(kept: dict[str, Any], node: Mapping[str, Any]) -> None:
    if not isinstance(kept.get("examples"), list):
        kept.pop("examples", None)
        if "example" in node:
            kept["examples"] = [node["example"]]


def _of_3_0(converted: dict[str, Any], node: Mapping[str, Any]) -> dict[str, Any]:
    """Return a schema of OpenAPI 3.0 in the words of JSON Schema."""
    for limit, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
        if isinstance(is_exclusive := converted.get(exclusive), bool):
            del converted[exclusive]
            if is_exclusive and limit in converted:
                converted[exclusive] = converted.pop(limit)
    if node.get("nullable") is not True:
        return converted
    if isinstance(enum := converted.get("enum"), list) and None not in enum:
        converted["enum"] = [*enum, None]
    if isinstance(kind := converted.get("type"), str):
        return {**converted, "type": [kind, "null"]}
    return {"anyOf": [converted, {"type": "null"}]} if converted else {}


def _referred(node: Any) -> Iterator[str]:
    waiting = [node]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Mapping):
            reference = part.get("$ref")
            if isinstance(reference, str) and reference.startswith("#/$defs/"):
                yield reference.removeprefix("#/$defs/")
            waiting.extend(part.values())
        elif isinstance(part, list):
            waiting.extend(part)
