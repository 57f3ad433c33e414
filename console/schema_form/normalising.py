"""Write a schema of any draft in the words of 2020-12, each reference as a pointer inside it; nothing is fetched."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import unquote, urldefrag, urljoin

from console.schema_form.messages import given
from tools.schema.keywords import DESCRIBING, MANY_PARTS, NAMED_PARTS, ONE_PART, SOUND

Schema = Mapping[str, Any]

CUT_NOTE: Final = "x-console-cut"
"""Stands in a part that was left out because the schema is too large, and says so."""

_MOST_NODES: Final = 100_000
_MOST_LEVELS: Final = 64
_IDENTITY: Final = frozenset({"$schema", "$id", "id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$vocabulary"})
_REFERENCES: Final = ("$ref", "$dynamicRef", "$recursiveRef")
# Older drafts ignore what stands beside a reference, but people write there what the argument means.
_BESIDE_OLD_REFERENCES: Final = frozenset(
    {"$defs", "default", "definitions", "deprecated", "description", "examples", "readOnly", "title", "writeOnly"}
)
_OLD_DRAFTS: Final = ("draft-03", "draft-04", "draft-05", "draft-06", "draft-07")
_OLD_WORDS: Final = frozenset({"additionalItems", "dependencies", "exclusiveMaximum", "exclusiveMinimum", "items"})
_PLAIN_POINTER_PARTS: Final = 3


class Normalised(NamedTuple):
    """A schema in the words of 2020-12.

    Attributes:
        root: The schema. What is larger than any form could show is left out, and `CUT_NOTE` stands in its place; so
            are keywords that are wrong.
        problem: What is wrong with the first of those; "" when all is in order.
    """

    root: Schema
    problem: str


def normalised(schema: Any) -> Normalised:
    """Return a schema in the words of 2020-12; it means the same.

    Args:
        schema: A schema of draft-04 to 2020-12; `true`, or anything that is none, counts as the empty one.
    """
    normaliser = _Normaliser(schema)
    return Normalised(normaliser.whole(), normaliser.problem)


def target_of(reference: str, root: Schema) -> Schema | bool | None:
    """Return what a reference of a normalised schema leads to; None when that is nothing inside it.

    Args:
        reference: Such as `#/$defs/Person`.
        root: The normalised schema.
    """
    found = _follow(root, unquote(reference[1:])) if reference.startswith("#") else None
    return found if isinstance(found, Mapping | bool) else None


class _Normaliser:
    def __init__(self, schema: Any) -> None:
        self._raw: Any = schema if isinstance(schema, Mapping) else {"not": {}} if schema is False else {}
        dialect = str(self._raw.get("$schema") or "")
        self._is_old = any(draft in dialect for draft in _OLD_DRAFTS)
        self.problem = ""
        self._nodes = 0
        self._made: dict[int, Any] = {}
        self._pending: list[tuple[dict[str, Any], str, str, str]] = []
        self._resources: dict[str, Any] = {}
        self._anchors: dict[tuple[str, str], Any] = {}
        self._hoisted: dict[str, Any] = {}

    def whole(self) -> Schema:
        self._resources[""] = self._raw
        root: dict[str, Any] = self._schema(self._raw, "", 0)
        # Resolving one reference may lead to parts that hold others.
        while self._pending:
            self._resolve(*self._pending.pop())
        if self._hoisted:
            root["$defs"] = {**root.get("$defs", {}), **self._hoisted}
        return root

    def _schema(self, raw: Any, base: str, depth: int) -> Any:
        self._nodes += 1
        if isinstance(raw, bool):
            return raw
        if depth > _MOST_LEVELS or self._nodes > _MOST_NODES:
            return {CUT_NOTE: "this part of the schema is too large to show as fields"}
        made: dict[str, Any] = {}
        self._made.setdefault(id(raw), made)
        base = self._enter(raw, base)
        source = _modern(raw)
        if self._is_old and isinstance(raw.get("$ref"), str):
            source = {key: value for key, value in source.items() if key in _BESIDE_OLD_REFERENCES or key == "$ref"}
        for key, value in source.items():
            if key in _IDENTITY or key in _REFERENCES or not self._is_sound(key, value):
                continue
            if key in ONE_PART:
                made[key] = self._schema(value, base, depth + 1)
            elif key in MANY_PARTS:
                made[key] = [self._schema(part, base, depth + 1) for part in value]
            elif key in NAMED_PARTS:
                made[key] = {name: self._schema(part, base, depth + 1) for name, part in value.items()}
            else:
                made[key] = value
        self._note_references(source, made, base)
        return made

    def _is_sound(self, key: str, value: Any) -> bool:
        sound = SOUND.get(key)
        if sound is None or sound(value):
            return True
        if key not in DESCRIBING and not self.problem:
            self.problem = f"{key} cannot be {given(value)}"
        return False

    def _enter(self, raw: Schema, base: str) -> str:
        """Remember under which address and names a part can be referred to."""
        own = raw.get("$id", raw.get("id") if self._is_old else None)
        if isinstance(own, str) and not (self._is_old and isinstance(raw.get("$ref"), str)):
            address, fragment = _address(base, own)
            if fragment:
                self._anchors.setdefault((base, fragment), raw)
            else:
                base = address
                self._resources.setdefault(base, raw)
        for key in ("$anchor", "$dynamicAnchor"):
            name = raw.get(key)
            if isinstance(name, str):
                self._anchors.setdefault((base, name), raw)
        return base

    def _note_references(self, source: Schema, made: dict[str, Any], base: str) -> None:
        found = [key for key in _REFERENCES if isinstance(source.get(key), str)]
        for place, key in enumerate(found):
            node = made
            if place:
                node = {}
                made["allOf"] = [*made.get("allOf", ()), node]
            node["$ref"] = source[key]
            self._pending.append((node, base, key, source[key]))

    def _resolve(self, node: dict[str, Any], base: str, key: str, reference: str) -> None:
        address, fragment = _address(base, reference)
        fragment = unquote(fragment)
        resource = self._resources.get(address)
        if resource is None:
            return
        is_pointer = not fragment or fragment.startswith("/")
        target = _follow(resource, fragment) if is_pointer else self._anchors.get((address, fragment))
        target = self._outermost(key, fragment, target)
        if not isinstance(target, Mapping | bool):
            return
        if target is self._raw:
            node["$ref"] = "#"
        elif resource is self._raw and is_pointer and _is_plain(fragment):
            node["$ref"] = f"#{fragment}"
        else:
            name = f"{address}#{fragment}"
            known = self._made.get(id(target))
            self._hoisted.setdefault(name, self._schema(target, address, 1) if known is None else known)
            node["$ref"] = f"#/$defs/{name.replace('~', '~0').replace('/', '~1').replace('%', '%25')}"

    def _outermost(self, key: str, name: str, target: Any) -> Any:
        """Return what a dynamic reference means when the whole schema is asked: the root's own, where it has one."""
        if key == "$recursiveRef":
            is_open = isinstance(target, Mapping) and target.get("$recursiveAnchor") is True
            return self._raw if is_open and self._raw.get("$recursiveAnchor") is True else target
        if key != "$dynamicRef" or not isinstance(target, Mapping) or target.get("$dynamicAnchor") != name:
            return target
        whole, _ = _address("", str(self._raw.get("$id", "")))
        outer = self._anchors.get((whole, name))
        return outer if isinstance(outer, Mapping) and outer.get("$dynamicAnchor") == name else target


def _address(base: str, reference: str) -> tuple[str, str]:
    """Return where a reference leads: the address of a schema, and the place in it."""
    try:
        # Addresses such as urn:… have no folders, so that nothing can be joined to them.
        address, fragment = urldefrag(f"{base}{reference}" if reference.startswith("#") else urljoin(base, reference))
    except ValueError:
        # It is no address at all, so it leads nowhere.
        return reference, ""
    return address, fragment


def _modern(raw: Schema) -> Schema:
    """Return one level of a schema with the words of older drafts replaced."""
    if _OLD_WORDS.isdisjoint(raw):
        return raw
    made = dict(raw)
    if isinstance(raw.get("items"), list):
        made["prefixItems"] = made.pop("items")
        if "additionalItems" in raw:
            made["items"] = raw["additionalItems"]
    made.pop("additionalItems", None)
    for strict, limit in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        if isinstance(raw.get(strict), bool):
            is_strict = made.pop(strict)
            if is_strict and limit in made:
                made[strict] = made.pop(limit)
    dependencies = made.pop("dependencies", None)
    if isinstance(dependencies, Mapping):
        names = {name: rule for name, rule in dependencies.items() if isinstance(rule, list)}
        schemas = {name: rule for name, rule in dependencies.items() if not isinstance(rule, list)}
        if names:
            made["dependentRequired"] = {**names, **made.get("dependentRequired", {})}
        if schemas:
            made["dependentSchemas"] = {**schemas, **made.get("dependentSchemas", {})}
    return made


def _is_plain(pointer: str) -> bool:
    """Tell whether a pointer leads to the same place in the normalised schema."""
    parts = pointer.split("/")
    return len(parts) == _PLAIN_POINTER_PARTS and parts[1] in NAMED_PARTS and "%" not in pointer


def _follow(node: Any, pointer: str) -> Any:
    for part in _parts(pointer):
        if isinstance(node, list) and part.isdecimal() and int(part) < len(node):
            node = node[int(part)]
        elif isinstance(node, Mapping) and part in node:
            node = node[part]
        else:
            return None
    return node


def _parts(pointer: str) -> Iterator[str]:
    return (part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:])
