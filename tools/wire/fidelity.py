"""What a provider would do to a schema, keyword by keyword, and the schema as the provider takes it.

One pass gives both, so that a report never tells of other changes than were made. A change may let a model write more
than the tool takes, never less where that can be helped: the tool checks its arguments anyway.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final, NamedTuple

from tools.schema import json_beginning, referenced
from tools.wire.dialects import Dialect, WireEffect

_Node = dict[str, Any]

MOST_NODES: Final = 5_000
"""Schemas inside one definition that are written; a few references can unfold to any number of them."""
DEEPEST: Final = 60
"""How deep they may stand in each other."""
_LONGEST_VALUE: Final = 200

_ONE: Final = frozenset(
    {
        "additionalItems", "additionalProperties", "contains", "contentSchema", "else", "if", "items", "not",
        "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties",
    }
)  # fmt: skip
_MANY: Final = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
_NAMED: Final = frozenset({"$defs", "definitions", "dependentSchemas", "patternProperties", "properties"})
_DEFINITIONS: Final = ("$defs", "definitions")
_UNIONS: Final = ("anyOf", "oneOf")
_ROOT_UNIONS: Final = ("allOf", "anyOf", "oneOf", "enum", "not")
_TOLD: Final = frozenset(
    {
        "const", "default", "enum", "example", "examples", "exclusiveMaximum", "exclusiveMinimum", "format", "maxItems",
        "maxLength", "maxProperties", "maximum", "minItems", "minLength", "minProperties", "minimum", "multipleOf",
        "pattern", "uniqueItems",
    }
)  # fmt: skip
_OF_OBJECTS: Final = frozenset(
    {"additionalProperties", "maxProperties", "minProperties", "properties", "propertyOrdering", "required"}
)
_OF_ARRAYS: Final = frozenset({"items", "maxItems", "minItems", "prefixItems", "uniqueItems"})
_OF_TEXTS: Final = frozenset({"format", "maxLength", "minLength", "pattern"})
_OF_NUMBERS: Final = frozenset(
    {"exclusiveMaximum", "exclusiveMinimum", "format", "maximum", "minimum", "multipleOf"}
)  # fmt: skip
_OF_TYPE: Final = {
    "object": _OF_OBJECTS,
    "array": _OF_ARRAYS,
    "string": _OF_TEXTS,
    "integer": _OF_NUMBERS,
    "number": _OF_NUMBERS,
}
_OF_SOME_TYPE: Final = frozenset().union(*_OF_TYPE.values())
_SCALARS: Final = ("string", "number", "boolean")
_AS_TEXT: Final = "A JSON object, written as text."


class Fix(StrEnum):
    """The smallest change that a provider takes."""

    INLINE = "inline"
    CUT = "cut"
    MERGE = "merge"
    ANY_OF = "any_of"
    NULLABLE = "nullable"
    DESCRIBE = "describe"
    REMOVE = "remove"
    ADD_TYPE = "add_type"
    ADD_ITEMS = "add_items"
    WIDEN = "widen"
    SCALARS = "scalars"
    MOVE_INSIDE = "move_inside"
    CLOSE = "close"
    REQUIRE = "require"
    REQUIRE_ONE = "require_one"
    AS_TEXT = "as_text"
    RENAME = "rename"
    FOLD = "fold"
    BY_HAND = "by_hand"


class FidelityFinding(NamedTuple):
    """One thing that does not reach a model as it stands.

    Attributes:
        pointer: Where it stands, as a JSON pointer into the parameters, or into the definition where it is no schema.
        fix: The smallest change; `BY_HAND` when only the tool's author can make it.
    """

    pointer: str
    keyword: str
    effect: WireEffect
    fix: Fix


class FittedSchema(NamedTuple):
    """A schema as a provider takes it.

    Attributes:
        findings: What was changed, or has to be changed by hand.
    """

    schema: _Node
    findings: tuple[FidelityFinding, ...]

    @property
    def refused(self) -> tuple[FidelityFinding, ...]:
        """What a provider still refuses, because only the tool's author can change it."""
        return refused_of(self.findings)


def refused_of(findings: Iterable[FidelityFinding]) -> tuple[FidelityFinding, ...]:
    """Return those findings that no rewrite takes away."""
    return tuple(item for item in findings if item.fix is Fix.BY_HAND and item.effect is WireEffect.REFUSED)


def fit(schema: Mapping[str, Any], dialect: Dialect) -> FittedSchema:
    """Return the schema of a tool's arguments as a provider takes it."""
    fitting = _Fitting(schema, dialect)
    written = fitting.root()
    fitting.count(written)
    return FittedSchema(written, tuple(fitting.findings))


class _Fitting:
    """One schema on its way into a dialect.

    Args:
        document: The schema, in which references are looked up.
        dialect: What the provider takes.
    """

    def __init__(self, document: Mapping[str, Any], dialect: Dialect) -> None:
        self.findings: dict[FidelityFinding, None] = {}
        self._document = document
        self._dialect = dialect
        self._left = MOST_NODES

    def root(self) -> _Node:
        node, at, trail = self._followed(dict(self._document), "", ())
        if not self._dialect.root_unions:
            node = self._opened(node, at, trail)
        kind = node.get("type")
        if kind != "object" and not self._dialect.root_unions:
            told = kind is not None and not (isinstance(kind, list) and "object" in kind)
            self._find(at, "type", WireEffect.REFUSED, Fix.BY_HAND if told else Fix.ADD_TYPE)
            node = {"type": "object", **{key: value for key, value in node.items() if key != "type"}}
        written = self._written(node, at, trail, 0)
        return written if self._dialect.root is None else self._topped(written, self._dialect.root)

    def count(self, written: _Node) -> None:
        """Tell when a whole definition is larger than the provider takes."""
        dialect = self._dialect
        properties, values, depth = _size(written)
        for limit, found, keyword in (
            (dialect.most_properties, properties, "properties"),
            (dialect.most_enum_values, values, "enum"),
            (dialect.deepest, depth, "type"),
        ):
            if limit is not None and found > limit:
                self._find("", keyword, WireEffect.REFUSED, Fix.BY_HAND)

    def _find(self, at: str, keyword: str, effect: WireEffect, fix: Fix) -> None:
        self.findings[FidelityFinding(at, keyword, effect, fix)] = None

    def _topped(self, node: _Node, allowed: frozenset[str]) -> _Node:
        """Return a top without the keywords that may not stand there."""
        extra = [key for key in node if key not in allowed]
        for key in extra:
            self._find("", key, self._dialect.unknown, Fix.REMOVE)
        return {key: value for key, value in node.items() if key not in extra}

    def _node(self, node: Any, at: str, trail: tuple[str, ...], depth: int) -> Any:
        """Return a schema, with what it holds, as the dialect has it."""
        if isinstance(node, bool) and self._dialect.known is None:
            return node
        if not isinstance(node, Mapping):
            node = {}
        self._left -= 1
        if self._left < 0 or depth > DEEPEST:
            self._find(at, "type", WireEffect.REFUSED, Fix.CUT)
            return self._shaped({"description": "Too deep to be described."}, at, depth)
        node, at, trail = self._followed(dict(node), at, trail)
        return self._written(node, at, trail, depth)

    def _written(self, node: _Node, at: str, trail: tuple[str, ...], depth: int) -> _Node:
        for step in (self._united, self._listed, self._constant, self._null, self._separate, self._enumerated):
            node = step(node, at)
        node = self._limited(node, at)
        return self._shaped(self._inside(node, at, trail, depth), at, depth)

    # References and intersections, which need other parts of the document.

    def _followed(self, node: _Node, at: str, trail: tuple[str, ...]) -> tuple[_Node, str, tuple[str, ...]]:
        """Return what a reference leads to, and intersections as one schema."""
        while isinstance(reference := node.get("$ref"), str):
            target = referenced(reference, self._document)
            if self._dialect.references and target is not None:
                return node, at, trail
            beside = {key: value for key, value in node.items() if key != "$ref"}
            if target is None:
                self._find(at, "$ref", WireEffect.REFUSED, Fix.REMOVE)
                return beside, at, trail
            if reference in trail:
                self._find(at, "$ref", self._dialect.unresolved, Fix.CUT)
                return {**_cut(reference, target), **beside}, at, trail
            self._find(at, "$ref", self._dialect.unresolved, Fix.INLINE)
            node, at, trail = {**target, **beside}, reference.removeprefix("#"), (*trail, reference)
        if "allOf" in node and self._dialect.known is not None and "allOf" not in self._dialect.known:
            node = self._merged(node, at, trail)
        return node, at, trail

    def _merged(self, node: _Node, at: str, trail: tuple[str, ...]) -> _Node:
        """Return one schema in the place of an intersection; of what its members say twice, the first counts."""
        self._find(at, "allOf", self._dialect.unknown, Fix.MERGE)
        merged = {key: value for key, value in node.items() if key != "allOf"}
        for member in self._members(node["allOf"], f"{at}/allOf", trail):
            properties = {**_mapping(member.get("properties")), **_mapping(merged.get("properties"))}
            required = list(dict.fromkeys((*_names(merged), *_names(member))))
            merged = {**member, **merged}
            merged |= {"properties": properties} if properties else {}
            merged |= {"required": required} if required else {}
        return merged

    def _members(self, members: Any, at: str, trail: tuple[str, ...]) -> Iterator[_Node]:
        for number, member in enumerate(members if isinstance(members, list) else ()):
            self._left -= 1
            if isinstance(member, Mapping) and self._left > 0 and len(trail) < DEEPEST:
                # An intersection may hold itself by way of references only; the trail ends that.
                yield self._followed(dict(member), f"{at}/{number}", (*trail, f"{at}/{number}"))[0]

    def _opened(self, node: _Node, at: str, trail: tuple[str, ...]) -> _Node:
        """Return a top without unions: with the properties of all members, requiring what each of them requires."""
        for key in _ROOT_UNIONS:
            if key not in node:
                continue
            members = list(self._members(node[key], f"{at}/{key}", trail)) if key in {"allOf", *_UNIONS} else []
            self._find(at, key, WireEffect.REFUSED, Fix.MERGE if members else Fix.REMOVE)
            node = {name: value for name, value in node.items() if name != key}
            properties = dict(_mapping(node.get("properties")))
            for member in members:
                for name, value in _mapping(member.get("properties")).items():
                    known = properties.setdefault(name, value)
                    if known != value and key != "allOf":
                        properties[name] = _either(known, value)
            demands = [frozenset(_names(member)) for member in members]
            common = (
                frozenset().union(*demands) if key == "allOf" else frozenset.intersection(*demands or [frozenset()])
            )
            required = [*_names(node), *(name for name in properties if name in common)]
            node |= {"properties": properties} if properties else {}
            node |= {"required": list(dict.fromkeys(required))} if required else {}
        return node

    # What one schema says, in other words.

    def _knows(self, keyword: str) -> bool:
        return self._dialect.known is None or keyword in self._dialect.known

    def _united(self, node: _Node, at: str) -> _Node:
        if "oneOf" not in node or self._knows("oneOf"):
            return node
        self._find(at, "oneOf", self._dialect.unknown, Fix.ANY_OF)
        rest = {key: value for key, value in node.items() if key != "oneOf"}
        return {"anyOf": node["oneOf"], **rest}

    def _listed(self, node: _Node, at: str) -> _Node:
        """Return an array whose places have one schema."""
        places = node.get("prefixItems", node.get("items") if isinstance(node.get("items"), list) else None)
        if not isinstance(places, list) or (self._knows("prefixItems") and isinstance(node.get("items"), Mapping)):
            return node
        if self._knows("prefixItems"):
            if self._dialect.needs_items:
                self._find(at, "items", WireEffect.REFUSED, Fix.ADD_ITEMS)
                return {**node, "items": _union_of(places)}
            return node
        self._find(at, "prefixItems", self._dialect.unknown, Fix.WIDEN)
        more = [node["items"]] if isinstance(node.get("items"), Mapping) else []
        rest = {key: value for key, value in node.items() if key not in {"prefixItems", "items"}}
        return {**rest, "items": _union_of([*places, *more])}

    def _constant(self, node: _Node, at: str) -> _Node:
        if "const" not in node or self._knows("const"):
            return node
        self._find(at, "const", self._dialect.unknown, Fix.WIDEN if node["const"] is None else Fix.DESCRIBE)
        rest = {key: value for key, value in node.items() if key != "const"}
        return {**rest, "enum": [node["const"]]}

    def _null(self, node: _Node, at: str) -> _Node:
        """Return a schema that says `nullable` where it takes null among other things."""
        if not self._dialect.nullable:
            return node if self._knows("anyOf") else self._only(node, at)
        kinds = node.get("type")
        if isinstance(kinds, list) and "null" in kinds:
            self._find(at, "type", WireEffect.REFUSED, Fix.NULLABLE)
            kinds = [kind for kind in kinds if kind != "null"]
            node = {**node, "type": kinds if len(kinds) > 1 else kinds[0] if kinds else "string", "nullable": True}
        values = node.get("enum")
        if isinstance(values, list) and None in values:
            self._find(at, "enum", WireEffect.REFUSED, Fix.NULLABLE)
            node = {**node, "enum": [value for value in values if value is not None], "nullable": True}
        members = node.get("anyOf")
        if not isinstance(members, list) or not any(map(_is_null, members)):
            return node
        self._find(at, "anyOf", WireEffect.REFUSED, Fix.NULLABLE)
        rest = {key: value for key, value in node.items() if key != "anyOf"}
        real = [member for member in members if not _is_null(member)]
        if len(real) == 1 and isinstance(real[0], Mapping) and "$ref" not in real[0]:
            return self._null({**real[0], **rest, "nullable": True}, at)
        return {**rest, "anyOf": real, "nullable": True} if real else {**rest, "type": "string", "nullable": True}

    def _only(self, node: _Node, at: str) -> _Node:
        """Return the one schema of a union that takes it or null, which a model may leave out as well."""
        members = node.get("anyOf")
        real = [member for member in members if not _is_null(member)] if isinstance(members, list) else []
        if len(real) != 1 or not isinstance(real[0], Mapping) or "$ref" in real[0]:
            return node
        self._find(at, "anyOf", self._dialect.unknown, Fix.NULLABLE)
        return self._only({**real[0], **{key: value for key, value in node.items() if key != "anyOf"}}, at)

    def _separate(self, node: _Node, at: str) -> _Node:
        """Return a union in the place of a list of types."""
        kinds = node.get("type")
        if not isinstance(kinds, list) or self._dialect.type_lists:
            return node
        if len(kinds) == 1:
            return {**node, "type": kinds[0]}
        self._find(at, "type", WireEffect.REFUSED, Fix.ANY_OF if self._knows("anyOf") else Fix.WIDEN)
        if not self._knows("anyOf"):
            real = [kind for kind in kinds if kind != "null"]
            return {**node, "type": real[0] if len(real) == 1 else "string"}
        shared = {key: value for key, value in node.items() if key not in _OF_SOME_TYPE | {"type", "enum", "anyOf"}}
        return {**shared, "anyOf": [_as_type(node, kind) for kind in kinds]}

    def _enumerated(self, node: _Node, at: str) -> _Node:
        values = node.get("enum")
        if not self._dialect.string_enums or not isinstance(values, list):
            return node
        rest = {key: value for key, value in node.items() if key != "enum"}
        if not values:
            return rest
        if all(isinstance(value, str) and value for value in values) and node.get("type", "string") == "string":
            return {**node, "type": "string"}
        self._find(at, "enum", WireEffect.REFUSED, Fix.DESCRIBE)
        kinds = list(dict.fromkeys(map(kind_of, values)))
        if "type" not in rest and "anyOf" not in rest:
            rest |= {"type": kinds[0]} if len(kinds) == 1 else {"anyOf": [{"type": kind} for kind in kinds]}
        return _told(rest, {"enum": values})

    def _limited(self, node: _Node, at: str) -> _Node:
        """Return a schema without the keywords that the dialect lacks; what they say of values is told in words."""
        dialect = self._dialect
        told: _Node = {}
        written: _Node = {}
        for key, value in node.items():
            if not self._knows(key):
                if key in _DEFINITIONS and not dialect.references:
                    self._find(at, key, dialect.unknown, Fix.INLINE)
                elif key in _TOLD:
                    told[key] = value
                    self._find(at, key, dialect.unknown, Fix.DESCRIBE)
                elif not (dialect.closed and key == "patternProperties"):
                    self._find(at, key, dialect.unknown, Fix.REMOVE)
            elif (key == "format" and not self._takes_format(node)) or (
                key == "minItems"
                and dialect.most_min_items is not None
                and value not in range(dialect.most_min_items + 1)
            ):
                told[key] = value
                self._find(at, key, dialect.unknown, Fix.DESCRIBE)
            elif not (key in _DEFINITIONS and not dialect.references):
                written[key] = value
        return _told(written, told)

    def _takes_format(self, node: _Node) -> bool:
        formats = self._dialect.formats
        kinds = [kind for kind in _types(node) if kind != "null"]
        return formats is None or (len(kinds) == 1 and node["format"] in (*formats.get(kinds[0], ()),))

    # What a schema holds.

    def _inside(self, node: _Node, at: str, trail: tuple[str, ...], depth: int) -> _Node:
        written: _Node = {}
        for key, value in node.items():
            place = f"{at}/{_escaped(key)}"
            if (
                key in _ONE
                and isinstance(value, Mapping | bool)
                and not (key.startswith("additional") and value is False)
            ):
                written[key] = self._node(value, place, trail, depth + 1)
            elif key in _MANY and isinstance(value, list):
                members = enumerate(value)
                written[key] = [self._node(member, f"{place}/{n}", trail, depth + 1) for n, member in members]
            elif key in _NAMED and isinstance(value, Mapping):
                written[key] = {
                    name: self._node(inner, f"{place}/{_escaped(name)}", trail, depth + 1)
                    for name, inner in value.items()
                }
            else:
                written[key] = value
        return written

    # What the whole of a schema has to look like.

    def _shaped(self, node: _Node, at: str, depth: int) -> _Node:
        if self._dialect.typed:
            node = self._typed(node, at)
        if "array" in _types(node) and self._dialect.needs_items and "items" not in node:
            self._find(at, "items", WireEffect.REFUSED, Fix.ADD_ITEMS)
            node = {**node, "items": self._any() if self._dialect.typed else {}}
        if "object" in _types(node):
            node = self._object(node, at, depth)
        elif self._dialect.typed:
            for key in [key for key in node if key in _OF_OBJECTS]:
                self._find(at, key, WireEffect.REFUSED, Fix.REMOVE)
                node = {name: value for name, value in node.items() if name != key}
        return self._alone(node, at) if self._dialect.lone_unions else node

    def _any(self) -> _Node:
        return {"anyOf": [{"type": kind} for kind in _SCALARS]} if self._knows("anyOf") else {"type": "string"}

    def _typed(self, node: _Node, at: str) -> _Node:
        kind = node.get("type")
        if kind == "null" and self._dialect.nullable:
            return {**node, "type": "string", "nullable": True}
        if kind is not None or node.get("anyOf"):
            return node
        if "enum" in node or "const" in node:
            values = node.get("enum", [node.get("const")])
            kinds = list(dict.fromkeys(map(kind_of, values if isinstance(values, list) else [values])))
            self._find(at, "type", WireEffect.REFUSED, Fix.ADD_TYPE)
            if len(kinds) > 1 and not self._dialect.type_lists:
                return _told(
                    {key: value for key, value in node.items() if key != "enum"} | self._any(), {"enum": values}
                )
            return {"type": kinds[0] if len(kinds) == 1 else kinds, **node}
        for guess, keywords in (("object", _OF_OBJECTS), ("array", _OF_ARRAYS), ("string", _OF_TEXTS)):
            if keywords.intersection(node):
                self._find(at, "type", WireEffect.REFUSED, Fix.ADD_TYPE)
                return {"type": guess, **node}
        self._find(at, "type", WireEffect.REFUSED, Fix.SCALARS)
        return {**{key: value for key, value in node.items() if key != "anyOf"}, **self._any()}

    def _object(self, node: _Node, at: str, depth: int) -> _Node:
        dialect = self._dialect
        properties = _mapping(node.get("properties"))
        if dialect.property_name is not None:
            for name in properties:
                if not dialect.property_name.fullmatch(name):
                    self._find(f"{at}/properties/{_escaped(name)}", name, WireEffect.REFUSED, Fix.BY_HAND)
        if not dialect.free_objects and depth and not properties and node.get("additionalProperties") is not False:
            self._find(at, "properties", WireEffect.REFUSED, Fix.AS_TEXT)
            rest = {key: value for key, value in node.items() if key not in _OF_OBJECTS}
            kinds = ["string" if kind == "object" else kind for kind in _types(node)]
            words = f"{rest.get('description', '')} {_AS_TEXT}".strip()
            return {**rest, "type": kinds[0] if len(kinds) == 1 else kinds, "description": words}
        required = _names(node)
        if (dialect.typed or dialect.closed) and any(name not in properties for name in required):
            self._find(at, "required", WireEffect.REFUSED, Fix.REMOVE)
            node = {**node, "required": [name for name in required if name in properties]}
        if dialect.closed and node.get("additionalProperties") is not False:
            self._find(at, "additionalProperties", WireEffect.REFUSED, Fix.CLOSE)
            node = {**node, "properties": properties, "additionalProperties": False}
        if dialect.some_required and not depth and not _names(node):
            self._find(at, "required", WireEffect.REFUSED, Fix.REQUIRE_ONE if properties else Fix.BY_HAND)
            node = {**node, "required": [next(iter(properties))]} if properties else node
        return self._demanding(node, at, properties) if dialect.all_required else node

    def _demanding(self, node: _Node, at: str, properties: Mapping[str, Any]) -> _Node:
        """Return an object that requires all its properties; what may be left out may be null instead."""
        if not properties:
            return node
        given = _names(node)
        written = dict(properties)
        for name in (name for name in properties if name not in given):
            self._find(f"{at}/properties/{_escaped(name)}", "required", WireEffect.REFUSED, Fix.REQUIRE)
            written[name] = _or_null(properties[name])
        return {**node, "properties": written, "required": list(properties)}

    def _alone(self, node: _Node, at: str) -> _Node:
        """Return a union with nothing beside it; each member has what stood there."""
        members = node.get("anyOf")
        if not isinstance(members, list) or len(node) == 1:
            return node
        beside = {key: value for key, value in node.items() if key != "anyOf"}
        self._find(at, "anyOf", WireEffect.REFUSED, Fix.MOVE_INSIDE)
        if "type" in beside and "properties" not in beside and "items" not in beside:
            beside.pop("type")
        elif "type" in beside:
            # Members that only say more of an object, such as what it requires: the object itself says enough.
            return beside
        # A member that is a union has its members taken out, or these words would stand beside that union.
        flat = [inner for member in members for inner in member.get("anyOf", [member])]
        return {"anyOf": [{**beside, **member} for member in flat]}


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _names(node: Mapping[str, Any]) -> list[str]:
    found = node.get("required")
    return [name for name in found if isinstance(name, str)] if isinstance(found, list) else []


def _types(node: Mapping[str, Any]) -> Sequence[str]:
    kind = node.get("type")
    return kind if isinstance(kind, list) else [kind] if isinstance(kind, str) else []


def kind_of(value: Any) -> str:
    """Return the JSON Schema type of a value."""
    for kind, name in ((bool, "boolean"), (int, "integer"), (float, "number"), (str, "string"), (list, "array")):
        if isinstance(value, kind):
            return name
    return "null" if value is None else "object"


def _is_null(member: Any) -> bool:
    return isinstance(member, Mapping) and (
        member.get("type") == "null" or member.get("enum") == [None] or ("const" in member and member["const"] is None)
    )


def _as_type(node: _Node, kind: str) -> _Node:
    values = node.get("enum")
    kept = {key: value for key, value in node.items() if key in _OF_TYPE.get(kind, ())}
    listed = [value for value in values if kind_of(value) == kind] if isinstance(values, list) else []
    return {"type": kind, **kept, **({"enum": listed} if listed else {})}


def _union_of(members: Sequence[Any]) -> _Node:
    unique = [member for number, member in enumerate(members) if member not in members[:number]]
    if len(unique) == 1 and isinstance(unique[0], Mapping):
        return dict(unique[0])
    return {"anyOf": unique} if unique else {}


def _either(first: Any, second: Any) -> _Node:
    members = first["anyOf"] if isinstance(first, Mapping) and set(first) == {"anyOf"} else [first]
    return _union_of([*members, second])


def _or_null(node: Any) -> Any:
    if not isinstance(node, Mapping):
        return node
    kinds = _types(node)
    written = dict(node)
    if kinds and "null" not in kinds:
        written["type"] = [*kinds, "null"]
        if "const" in written:
            written["enum"] = [written.pop("const")]
        if isinstance(written.get("enum"), list) and None not in written["enum"]:
            written["enum"] = [*written["enum"], None]
    elif isinstance(node.get("anyOf"), list) and not any(map(_is_null, node["anyOf"])):
        written["anyOf"] = [*node["anyOf"], {"type": "null"}]
    return written


def _cut(reference: str, target: Mapping[str, Any]) -> _Node:
    title = target.get("title", reference.rsplit("/", 1)[-1] or "the whole")
    cut: _Node = {"description": f"Again like {title}, which is described above."}
    return cut | ({"type": target["type"]} if "type" in target else {})


def _told(node: _Node, values: Mapping[str, Any]) -> _Node:
    """Return a schema whose description also says some keywords that were taken from it."""
    said = []
    for key, value in values.items():
        if value is None:
            # A default of null says no more than that the argument may be left out.
            continue
        text = json_beginning(value, _LONGEST_VALUE + 1)
        if len(text) <= _LONGEST_VALUE:
            said.append(f"{key}: {text}")
    if not said:
        return node
    words = f"({', '.join(said)})"
    return {**node, "description": f"{node['description']} {words}" if node.get("description") else words}


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


def _size(node: Any) -> tuple[int, int, int]:
    """Return how many properties and values of `enum` a schema has in all, and how deep its objects stand."""
    properties = values = deepest = 0
    waiting: list[tuple[Any, int]] = [(node, 0)]
    while waiting:
        schema, depth = waiting.pop()
        if not isinstance(schema, Mapping):
            continue
        depth += "properties" in schema
        deepest = max(deepest, depth)
        properties += len(_mapping(schema.get("properties")))
        values += len(schema["enum"]) if isinstance(schema.get("enum"), list) else 0
        for key, value in schema.items():
            if key in _ONE:
                waiting.append((value, depth))
            elif key in _MANY and isinstance(value, list):
                waiting += [(member, depth) for member in value]
            elif key in _NAMED:
                waiting += [(inner, depth) for inner in _mapping(value).values()]
    return properties, values, deepest
