"""Schemas that a server may send to hang or end whoever reads them, each with arguments that lead into the trap."""

from __future__ import annotations

from typing import Any, NamedTuple

Raw = dict[str, Any]


class Trap(NamedTuple):
    """One hostile schema.

    Attributes:
        schema: Of the arguments.
        arguments: What is called with.
        words: What the refusal must say; empty when the arguments are simply checked.
    """

    schema: Any
    arguments: Raw
    words: str = ""


def of(name: str, part: Any, **rest: Any) -> Raw:
    return {"type": "object", "properties": {name: part}, **rest}


def nested(levels: int, keyword: str = "items") -> Any:
    part: Any = {"type": "string"}
    for _ in range(levels):
        part = {"properties": {"a": part}} if keyword == "properties" else {keyword: part}
    return part


def doubling(keyword: str, levels: int = 30, **rest: Any) -> Raw:
    """Return a schema in which each of many parts refers to the next one twice."""
    parts: Raw = {f"a{at}": {keyword: [{"$ref": f"#/$defs/a{at + 1}"}] * 2, **rest} for at in range(levels)}
    return of("a", {"$ref": "#/$defs/a0"}, **{"$defs": {**parts, f"a{levels}": {"type": "string"}}})


def doubling_names(levels: int = 30) -> Raw:
    parts = {f"a{at}": {"properties": {name: {"$ref": f"#/$defs/a{at + 1}"} for name in "xy"}} for at in range(levels)}
    secret = {"type": "string", "writeOnly": True}
    return of("a", {"$ref": "#/$defs/a0"}, **{"$defs": {**parts, f"a{levels}": secret}})


def chained(links: int) -> Raw:
    parts: Raw = {f"a{at}": {"$ref": f"#/$defs/a{at + 1}"} for at in range(links)}
    return of("a", {"$ref": "#/$defs/a0"}, **{"$defs": {**parts, f"a{links}": {"type": "string"}}})


def self_containing() -> Any:
    part: Raw = {}
    part["items"] = part
    return part


LONG = "a" * 50_000 + "!"
TOO_LONG = "takes too long: the pattern"
CIRCLE = "leads back to itself"
DEEP = "nested deeper than 100 levels"
HALF = "half a letter"

TRAPS: dict[str, Trap] = {
    # Patterns
    "pattern of nested repetitions": Trap(of("a", {"pattern": "^(a+)+$"}), {"a": LONG}, TOO_LONG),
    "pattern of alternatives": Trap(of("a", {"pattern": "^(a|aa)+$"}), {"a": LONG}, TOO_LONG),
    "pattern of many stars": Trap(of("a", {"pattern": "^" + "a*" * 60 + "$"}), {"a": LONG}, TOO_LONG),
    "pattern that refers back": Trap(of("a", {"pattern": r"^(.*)\1*(.*)\2*$x"}), {"a": LONG}, "a: expected"),
    "pattern of names": Trap(
        {"type": "object", "patternProperties": {"^(a+)+$": {"type": "integer"}}}, {LONG: 1}, TOO_LONG
    ),
    "pattern of names that are allowed": Trap(
        {"type": "object", "propertyNames": {"pattern": "^(a+)+$"}}, {LONG: 1}, TOO_LONG
    ),
    "pattern beside nothing else": Trap(
        {"type": "object", "patternProperties": {"^(a+)+$": True}, "additionalProperties": False}, {LONG: 1}, TOO_LONG
    ),
    "pattern of unevaluated names": Trap(
        {"type": "object", "allOf": [{"patternProperties": {"^(a+)+$": True}}], "unevaluatedProperties": False},
        {LONG: 1},
        TOO_LONG,
    ),
    "pattern below another draft": Trap(
        of("a", {"$schema": "http://json-schema.org/draft-07/schema#", "pattern": "^(a+)+$"}), {"a": LONG}, TOO_LONG
    ),
    "circle below another draft": Trap(
        of("a", {"$schema": "http://json-schema.org/draft-06/schema#", "$ref": "#/properties/a"}), {"a": 1}, CIRCLE
    ),
    "pattern that is enormous": Trap(of("a", {"pattern": "a?" * 1_000_000}), {"a": "x"}, "is too long"),
    "pattern of enormous counts": Trap(of("a", {"pattern": "((a{1,9999}){1,9999}){1,9999}b"}), {"a": LONG}, TOO_LONG),
    "pattern without an end": Trap(of("a", {"pattern": "((("}), {"a": "x"}),
    "pattern of another dialect": Trap(of("a", {"pattern": r"^\p{Lu}\cJ[^]\u{1F600}(?<year>\d)$"}), {"a": "x"}),
    "pattern of many brackets": Trap(of("a", {"pattern": "(" * 2_000 + ")" * 2_000}), {"a": "x"}),
    "pattern with a null byte": Trap(of("a", {"pattern": "^\0$"}), {"a": "x"}, "does not match"),
    # References
    "circle": Trap(of("a", {"$ref": "#/properties/a"}), {"a": 1}, CIRCLE),
    "circle of two": Trap(
        of("a", {"$ref": "#/$defs/b"}, **{"$defs": {"b": {"$ref": "#/$defs/c"}, "c": {"$ref": "#/$defs/b"}}}),
        {"a": 1},
        CIRCLE,
    ),
    "circle of the whole": Trap({"type": "object", "allOf": [{"$ref": "#"}]}, {}, CIRCLE),
    "circle through alternatives": Trap(of("a", {"anyOf": [{"$ref": "#/properties/a"}] * 2}), {"a": 1}, CIRCLE),
    "circle through not": Trap(of("a", {"not": {"$ref": "#/properties/a"}}), {"a": 1}, CIRCLE),
    "circle through if": Trap(of("a", {"if": {"$ref": "#/properties/a"}}), {"a": 1}, CIRCLE),
    "circle of dynamic references": Trap(
        of("a", {"$dynamicRef": "#n"}, **{"$defs": {"n": {"$dynamicAnchor": "n", "$dynamicRef": "#n"}}}),
        {"a": 1},
        CIRCLE,
    ),
    "circle of recursive references": Trap(
        {"$schema": "https://json-schema.org/draft/2019-09/schema", "type": "object", "allOf": [{"$recursiveRef": "#"}]},  # noqa: E501 -- one line a trap
        {},
        CIRCLE,
    ),
    "circle below unevaluated": Trap(
        {"type": "object", "$ref": "#/$defs/a", "unevaluatedProperties": False, "$defs": {"a": {"$ref": "#/$defs/a"}}},
        {"a": 1},
        CIRCLE,
    ),
    "tree of itself": Trap(
        {"type": "object", "properties": {"a": {"$ref": "#"}}, "additionalProperties": False},
        {"a": {"a": {"b": 1}}},
        "a.a.b: expected no argument of this name",
    ),
    "doubling allOf": Trap(doubling("allOf"), {"a": 1}, "expected"),
    "doubling anyOf": Trap(doubling("anyOf"), {"a": 1}, "expected"),
    "doubling oneOf": Trap(doubling("oneOf"), {"a": 1}, "expected"),
    "doubling and unevaluated": Trap(doubling("allOf", unevaluatedProperties=False), {"a": {"b": 1}}, "expected"),
    "doubling names of a secret": Trap(doubling_names(), {"a": {"x": {"y": {}}}}),
    "doubling everything": Trap(doubling("anyOf", 60, **{"not": {"$ref": "#/$defs/a1"}}), {"a": 1}, "a"),
    "chain of references": Trap(chained(5_000), {"a": 1}, "nested too deeply"),
    "reference to a list": Trap(of("a", {"$ref": "#/required"}, required=["a"]), {"a": 1}, "which is no schema"),
    "reference to a broken default": Trap(
        of("a", {"$ref": "#/default"}, default={"type": 5}), {"a": 1}, "expected array"
    ),
    "reference to nowhere": Trap(of("a", {"$ref": f"#/{'9' * 5_000}"}), {"a": 1}, "leads nowhere"),
    "reference to elsewhere": Trap(of("a", {"$ref": "file:///etc/passwd"}), {"a": 1}, "nothing is fetched"),
    "reference that is none": Trap(of("a", {"$ref": ["#"]}), {"a": 1}, "expected text"),
    "address that is none": Trap({"$id": "http://[::", "type": "object"}, {}, "expected text"),
    "draft that is none": Trap({"$schema": "http://[", "type": "object"}, {}, "expected text"),
    "draft that is too old": Trap(
        {"$schema": "http://json-schema.org/draft-03/schema#", "type": "object"}, {}, "draft 3 is not read"
    ),
    # Size
    "deep items": Trap(of("a", nested(100_000)), {"a": 1}, DEEP),
    "deep properties": Trap(of("a", nested(100_000, "properties")), {"a": 1}, DEEP),
    "deep not": Trap(of("a", nested(100_000, "not")), {"a": 1}, DEEP),
    "deep default": Trap(of("a", {"default": nested(100_000)}), {"a": 1}, DEEP),
    "deep as allowed": Trap(of("a", nested(90)), {"a": [[["x"]]]}),
    "contains itself": Trap(of("a", self_containing()), {"a": 1}, DEEP),
    "ten thousand branches": Trap(
        of("a", {"anyOf": [{"type": "string", "const": f"x{at}"} for at in range(10_000)]}), {"a": "y"}, "or 9992 more"
    ),
    "ten thousand branches of objects": Trap(
        of("a", {"oneOf": [of(f"x{at}", {"const": at}, required=[f"x{at}"]) for at in range(10_000)]}),
        {"a": {}},
        "a.x0 is required",
    ),
    "ten thousand branches that all fit": Trap(
        of("a", {"oneOf": [{"type": "string"}] * 10_000}), {"a": "x"}, "expected a text"
    ),
    "ten thousand patterns": Trap(
        {"type": "object", "patternProperties": {f"^a{at}.*b$": {"minimum": 1} for at in range(10_000)}},
        {f"a{at}": 1 for at in range(500)},
        "takes too long",
    ),
    "many required names": Trap({"type": "object", "required": [f"a{at}" for at in range(20_000)]}, {}, "is required"),
    "many names": Trap(
        {"type": "object", "properties": {f"a{at}": {} for at in range(10_000)}, "additionalProperties": False},
        {"b": 1},
        "no argument of this name",
    ),
    "too many parts": Trap({"type": "object", "enum": list(range(200_000))}, {}, "more than 100,000 parts"),
    "too much text": Trap(of("a", {"description": "x" * 10_000_000}), {"a": 1}, "letters"),
    "many long errors": Trap(
        of("a", {"allOf": [{"const": at} for at in range(2_000)]}), {"a": "x" * 100_000}, "expected"
    ),
    "many equal items": Trap(
        of("a", {"uniqueItems": True}), {"a": [[{"b": at}] for at in range(50_000)] * 2}, "the same value twice"
    ),
    # Numbers, text and what is no schema
    "infinite minimum": Trap(of("a", {"minimum": float("1e400")}), {"a": 1}, "a number that JSON can write"),
    "minimum that is no number": Trap(of("a", {"minimum": float("nan")}), {"a": 1}, "a number that JSON can write"),
    "infinite default": Trap(of("a", {"default": float("-inf")}), {}, "a number that JSON can write"),
    "enormous minimum": Trap(of("a", {"minimum": 10**20_000}), {"a": 1}, "more digits"),
    "enormous value": Trap(of("a", {"type": "string"}), {"a": 10**20_000}, "expected a text"),
    "step of nearly nothing": Trap(of("a", {"multipleOf": 5e-324}), {"a": 1e308}),
    "step of nothing": Trap(of("a", {"multipleOf": 0}), {"a": 1}, "expected a number above 0"),
    "count of a float": Trap(of("a", {"type": "string", "minLength": 1e308}), {"a": "x"}, "a text of at least"),
    "half a letter": Trap(of("a", {"description": "\ud800"}), {"a": 1}, HALF),
    "half a letter in a name": Trap(of("\udfff", {}), {"a": 1}, HALF),
    "half a letter in a pattern": Trap(of("a", {"pattern": "\ud800"}), {"a": 1}, HALF),
    "null byte in a name": Trap(of("\0context", {"type": "integer"}), {"\0context": "x"}, "expected a whole number"),
    "null byte in a text": Trap(of("a", {"enum": ["\0"], "description": "\0\x1b[2J"}), {"a": "x"}, "expected exactly"),
    "true": Trap(of("a", True), {"a": 1}),
    "false": Trap(of("a", False), {"a": 1}, "a: expected"),
    "false for everything": Trap({"type": "object", "properties": False}, {"a": 1}, "expected schemas by their names"),
    "a list": Trap(of("a", [{"type": "string"}]), {"a": 1}, "expected schemas by their names"),
    "a number": Trap(of("a", 5), {"a": 1}, "expected schemas by their names"),
    "nothing": Trap(of("a", None), {"a": 1}, "expected schemas by their names"),
    "type of another kind": Trap(of("a", {"type": {"type": "string"}}), {"a": 1}, "expected array, boolean"),
    "many types": Trap(of("a", {"type": ["string"] * 10_000}), {"a": 1}, "expected a text"),
    "words of another kind": Trap(of("a", {"title": 5, "description": []}), {"a": 1}, "expected text"),
    "required of another kind": Trap({"type": "object", "required": "a"}, {}, "expected a list of names"),
    "old items in a new draft": Trap(of("a", {"items": [{}]}), {"a": [1]}, "expected a schema"),
    "dependencies of an old draft": Trap(
        {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "dependencies": {"a": 5}},
        {"a": 1},
        "expected schemas by their names",
    ),
    "everything unevaluated": Trap(
        {"type": "object", "unevaluatedProperties": {"unevaluatedItems": {"unevaluatedProperties": False}}},
        {"a": [{"b": 1}]},
        "a[0].b: expected no argument of this name",
    ),
}  # fmt: skip
"""All traps by their names."""

_NEVER_SENT = {"contains itself", "enormous minimum", "enormous value"}

OVER_JSON = {
    name: trap
    for name, trap in TRAPS.items()
    if name not in _NEVER_SENT and (name == "deep as allowed" or trap.words not in {DEEP, HALF})
}
"""Those that a server can send: what reads lines refuses deeper ones and half letters before."""
