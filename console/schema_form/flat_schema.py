"""Schemas in the words of 2020-12, their references followed and their parts put together."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from operator import or_
from typing import Any, Final
from urllib.parse import unquote, urldefrag, urljoin

from console.language import tr
from console.schema_form.paths import ABSENT, equal, same
from tools.schema.soundness import MANY_PARTS, NAMED_PARTS, ONE_PART, SOUND, pointed_at

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


def normalised(schema: Any) -> Schema:
    """Return a schema of draft-04 to 2020-12 in the words of 2020-12; it means the same.

    What is larger than any form could show is left out, and `CUT_NOTE` stands in its place; so are keywords that are
    wrong, which the tool judges. `true`, or anything that is no schema, counts as the empty one.
    """
    return _Normaliser(schema).whole()


def target_of(reference: str, root: Schema) -> Schema | bool | None:
    """Return what a reference of a normalised schema leads to; None when that is nothing inside it."""
    found = _pointed_at(root, reference[1:]) if reference.startswith("#") else None
    return found if isinstance(found, Mapping | bool) else None


def _pointed_at(document: Any, pointer: str) -> Any:
    try:
        return pointed_at(document, pointer)
    except LookupError:
        return None


class _Normaliser:
    def __init__(self, schema: Any) -> None:
        self._raw: Any = schema if isinstance(schema, Mapping) else {"not": {}} if schema is False else {}
        dialect = str(self._raw.get("$schema") or "")
        self._is_old = any(draft in dialect for draft in _OLD_DRAFTS)
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
            return {CUT_NOTE: tr("this part of the schema is too large to show as fields")}
        made: dict[str, Any] = {}
        self._made.setdefault(id(raw), made)
        base = self._enter(raw, base)
        source = _modern(raw)
        if self._is_old and isinstance(raw.get("$ref"), str):
            source = {key: value for key, value in source.items() if key in _BESIDE_OLD_REFERENCES or key == "$ref"}
        for key, value in source.items():
            if key in _IDENTITY or key in _REFERENCES or (key in SOUND and not SOUND[key].fits(value)):
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
        address, raw_fragment = _address(base, reference)
        fragment = unquote(raw_fragment)
        resource = self._resources.get(address)
        if resource is None:
            return
        is_pointer = not fragment or fragment.startswith("/")
        target = _pointed_at(resource, raw_fragment) if is_pointer else self._anchors.get((address, fragment))
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


_LISTED: Final = frozenset({"const", "enum"})
IMPOSSIBLE: Final[Schema] = {"not": {}}
"""The schema that nothing fits."""


def merged(first: Schema, second: Schema) -> Schema:
    """Return a schema that asks for both; what only describes comes from the first where both say it.

    Args:
        first: A schema without references, conditions and unions at its top.
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
    "enum": lambda one, other: [value for value in one if any(same(value, allowed) for allowed in other)],
    "required": _names,
    "dependentRequired": _dependents,
    "patternProperties": lambda one, other: {
        name: _both(one.get(name, True), other.get(name, True)) for name in {**one, **other}
    },
    "additionalProperties": _both,
    "propertyNames": _both,
    "items": _both,
    "prefixItems": _prefix,
    **dict.fromkeys(("uniqueItems", "deprecated", "readOnly", "writeOnly"), or_),
    "multipleOf": _multiple,
    **dict.fromkeys(("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains"), max),
    **dict.fromkeys(("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains"), min),
}


_MOST_CONDITIONS: Final = 200
_MOST_REFERENCES: Final = 64
_MOST_DECIDED: Final = 2_000
_NEW_OBJECT: Final[dict[str, Any]] = {}
_STRUCTURE: Final = frozenset(
    {
        *("$defs", "$ref", "allOf", "anyOf", "definitions", "dependentRequired", "dependentSchemas", "else", "if"),
        *("oneOf", "then", CUT_NOTE),
    }
)
_CIRCLE_NOTE: Final = tr("edited as JSON: its schema refers to itself without end")
_NOWHERE_NOTE: Final = tr("edited as JSON: its schema refers to something outside it, and nothing is fetched")


@dataclass(frozen=True, eq=False)
class Condition:
    """Something that holds only for some values.

    Attributes:
        test: The schema the value must fit; not looked at when there is a name.
        then: What holds if it does.
        otherwise: What holds if not.
        name: The name that must be given; None when `test` decides.
    """

    test: Any
    then: Any
    otherwise: Any = True
    name: str | None = None


@dataclass(frozen=True, eq=False)
class FlatSchema:
    """A schema taken apart.

    Attributes:
        schema: What always holds, in one level; the parts inside may hold references.
        conditions: What holds for some values.
        unions: The branches of each `oneOf` and `anyOf`.
        note: Why no field can show it; "" when one can.
    """

    schema: Schema
    conditions: tuple[Condition, ...] = ()
    unions: tuple[tuple[Any, ...], ...] = ()
    note: str = ""

    def with_(self, other: FlatSchema) -> FlatSchema:
        """Return what holds when both do; descriptions are taken from this one first."""
        return FlatSchema(
            merged(self.schema, other.schema),
            (*self.conditions, *other.conditions),
            (*self.unions, *other.unions),
            self.note or other.note,
        )


class FlatSchemas:
    """Take parts of one schema apart, each only once, so that the same part gives the same object."""

    def __init__(self, root: Schema, fits: Callable[[Any, Any], bool]) -> None:
        self._root = root
        self._fits = fits
        # What is known by its id is held here as well: the id of a thing that is gone may be given to another.
        self._plans: dict[int, tuple[Any, FlatSchema]] = {}
        self._joined: dict[tuple[int, int], tuple[FlatSchema, FlatSchema, FlatSchema]] = {}
        self._settled: dict[int, tuple[FlatSchema, FlatSchema]] = {}
        self._decided: dict[tuple[int, int], tuple[FlatSchema, Any, FlatSchema]] = {}

    def of(self, node: Any) -> FlatSchema:
        known = self._plans.get(id(node))
        if known is None:
            known = self._plans[id(node)] = (node, self._taken_apart(node, frozenset(), set()))
        return known[1]

    def decided(self, plan: FlatSchema, value: Any) -> FlatSchema:
        """Return a plan with what its conditions ask of a value, and none left. The value must not change in place."""
        if not plan.conditions:
            return plan
        if value is ABSENT and ("properties" in plan.schema or types_of(plan.schema) == ("object",)):
            # What is not there yet is judged as it will be when it is put there.
            value = _NEW_OBJECT
        key = (id(plan), id(value))
        if key not in self._decided:
            if len(self._decided) > _MOST_DECIDED:
                self._decided.clear()
            self._decided[key] = (plan, value, self._decide(plan, value))
        return self._decided[key][2]

    def _decide(self, plan: FlatSchema, value: Any) -> FlatSchema:
        seen = 0
        while seen < min(len(plan.conditions), _MOST_CONDITIONS):
            condition = plan.conditions[seen]
            seen += 1
            added = condition.then if self._holds(condition, value) else condition.otherwise
            if added is not True:
                plan = self._together(plan, self.of(added))
        if id(plan) not in self._settled:
            self._settled[id(plan)] = (plan, replace(plan, conditions=()))
        return self._settled[id(plan)][1]

    def _holds(self, condition: Condition, value: Any) -> bool:
        if condition.name is not None:
            return isinstance(value, Mapping) and condition.name in value
        return value is not ABSENT and self._fits(value, condition.test)

    def _together(self, first: FlatSchema, second: FlatSchema) -> FlatSchema:
        key = (id(first), id(second))
        if key not in self._joined:
            self._joined[key] = (first, second, first.with_(second))
        return self._joined[key][2]

    def _taken_apart(self, node: Any, trail: frozenset[int], seen: set[int]) -> FlatSchema:
        if node is False:
            return FlatSchema(IMPOSSIBLE)
        if not isinstance(node, Mapping):
            return FlatSchema({})
        if id(node) in trail or len(trail) > _MOST_REFERENCES:
            return FlatSchema({}, note=_CIRCLE_NOTE)
        if id(node) in seen:
            # It holds already; two references to each of many parts would double the work with each of them.
            return FlatSchema({})
        seen.add(id(node))
        if not trail and _STRUCTURE.isdisjoint(node):
            return FlatSchema(node)
        trail |= {id(node)}
        own = {key: value for key, value in node.items() if key not in _STRUCTURE}
        cut = node.get(CUT_NOTE)
        unions = tuple(tuple(node[key]) for key in ("oneOf", "anyOf") if isinstance(node.get(key), list) and node[key])
        plan = FlatSchema(own, _conditions(node), unions, tr("edited as JSON: {cut}", cut=cut) if cut else "")
        reference = node.get("$ref")
        if isinstance(reference, str):
            target = target_of(reference, self._root)
            plan = (
                replace(plan, note=_NOWHERE_NOTE)
                if target is None
                else plan.with_(self._taken_apart(target, trail, seen))
            )
        for part in node.get("allOf", ()):
            plan = plan.with_(self._taken_apart(part, trail, seen))
        return plan


def _conditions(node: Schema) -> tuple[Condition, ...]:
    found = []
    if "if" in node and ("then" in node or "else" in node):
        found.append(Condition(node["if"], node.get("then", True), node.get("else", True)))
    found += [Condition(True, then, name=name) for name, then in node.get("dependentSchemas", {}).items()]
    for name, needed in node.get("dependentRequired", {}).items():
        found.append(Condition(True, {"required": needed}, name=name))
    return tuple(found)
