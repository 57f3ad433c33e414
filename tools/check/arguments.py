"""Make arguments from a JSON Schema: at its boundaries first, then drawn at random, and nonsense that it forbids.

Source: property-based testing as Schemathesis does it for web services. `hypothesis-jsonschema` is not used: it ends at
draft 7, and with the hypothesis of today it raises for objects. Hypothesis itself draws constants of the modules that
happen to be imported, so one seed would mean other arguments in the window than on the command line; it also leaves a
folder behind, and needs more calls to come upon a boundary than a tool should be called.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, Final

from pydantic import JsonValue

from tools.errors import DeclarationError
from tools.schema import MismatchFinder
from tools.schema.words import resolved

_DEEPEST: Final = 4
_MOST_VALUES: Final = 16
_MOST_DRAWS: Final = 30
_LONGEST: Final = 5_000
_REPLACED: Final = 0.5
_KEPT: Final = 0.9
"""Of random arguments half have another value, and a tenth is left out."""
_WITHIN_S: Final = 0.5

_TEXTS: Final = (
    "a", "", "two words", "naïve ünïcödé 😀", "line\nbreak\ttab", " ", "0", "-1", "null", "a" * 300, "../x",
    "%s {0} ${NAME}", "'; DROP TABLE x; --", "<b>&amp;</b>", "\x00", "\u202e",
)  # fmt: skip
_TEXTS_BY_FORMAT: Final[Mapping[str, Sequence[str]]] = {
    "date": ("2024-02-29", "1970-01-01", "0001-01-01", "9999-12-31"),
    "date-time": ("2024-02-29T23:59:59Z", "1970-01-01T00:00:00+14:00", "9999-12-31T23:59:59.999999Z"),
    "time": ("00:00:00Z", "23:59:59.999999+00:00"),
    "duration": ("P1D", "PT0S", "P9999Y"),
    "email": ("ada@example.org", "a.b+c@sub.example.org"),
    "hostname": ("example.org", "localhost"),
    "ipv4": ("127.0.0.1", "255.255.255.255"),
    "ipv6": ("::1", "2001:db8::1"),
    "uri": ("https://example.org/", "https://example.org/a?b=c&d=%20#e"),
    "uuid": ("00000000-0000-0000-0000-000000000000", "6f1e4c1e-6b0c-4a3d-9f5e-0d5b6f1e4c1e"),
    "regex": (".*", "(a|b)+", "[^x]"),
}
_PATHS: Final = (
    "notes.txt", "table.csv", "data.json", "folder", ".", "folder/program.py", "missing.txt", "empty.txt",
    "bytes.bin", "naïve ü.txt", "", "\x00", "a" * 300, "missing/deeper.txt",
)  # fmt: skip
_FORMATS_OF_PATHS: Final = frozenset({"path", "file-path", "directory-path"})
_OF_PATTERNS: Final = (
    "a", "A", "0", "1", "abc", "ABC", "a1", "A1", "ab-cd", "ab_cd", "a.b", "a/b", "/a", "en", "en-US", "USD", "1.0.0",
    "v1.0.0", "2024-02-29", "2024-02", "12:30", "12:30:00", "#a0b1c2", "a0b1c2d3", "1h", "10", "100", "2024", "C-1042",
    "AB-12", "ABC-123", "12345", "+4512345678", "ada@example.org", "https://example.org/", "example.org", "10.0.0.1",
    "6f1e4c1e-6b0c-4a3d-9f5e-0d5b6f1e4c1e", "P1D", "-1", "0.5", "$a", "a=b", "a:b", "@a", "[a]",
)  # fmt: skip
"""Texts of shapes that patterns ask for; those that fit are taken."""
_WHOLE: Final = (0, 1, -1, 2, 100, -100, 2**31, 2**53, -(2**63), 10**18)
_NUMBERS: Final = (0.5, 0, 1, -1, 1e-9, 1e308, -0.0, 123456.789)
_NONSENSE: Final[Sequence[JsonValue]] = (
    None, True, -1, 0.5, 10**400, "nonsense", "", "\ud800", [], [None], {}, {"a": {"b": None}}, [[[[[[]]]]]],
)  # fmt: skip
_STRUCTURE: Final = (
    ("properties", "object"), ("required", "object"), ("additionalProperties", "object"), ("items", "array"),
    ("prefixItems", "array"), ("minLength", "string"), ("maxLength", "string"), ("pattern", "string"),
    ("format", "string"), ("minimum", "number"), ("maximum", "number"), ("exclusiveMinimum", "number"),
    ("exclusiveMaximum", "number"), ("multipleOf", "number"),
)  # fmt: skip
_ANY_KIND: Final = ("string", "integer", "object", "array", "boolean", "null")

Arguments = dict[str, JsonValue]


class ArgumentMaker:
    """Make arguments of one tool, the same ones for the same seed.

    Args:
        examples: Arguments that are known to be meant; they come first.
        secrets: Texts for the arguments of these names.
    """

    def __init__(
        self,
        schema: Mapping[str, Any],
        *,
        seed: str,
        examples: Iterable[Mapping[str, JsonValue]] = (),
        paths: Iterable[str] = (),
        secrets: Mapping[str, str] | None = None,
    ) -> None:
        self._schema = schema
        self._random = random.Random(seed)  # noqa: S311 -- arguments are to be drawn again, not to be secret
        self._paths = frozenset(paths)
        self._secrets = secrets or {}
        try:
            self._finder: MismatchFinder | None = MismatchFinder(schema)
        except DeclarationError:
            self._finder = None
        top = self._node(schema)
        properties = top.get("properties")
        self._fields: dict[str, list[JsonValue]] = {
            name: self._of_field(name, node) for name, node in (properties or {}).items()
        }
        required = top.get("required")
        self._required = [name for name in (required or ()) if isinstance(name, str)]
        self._is_closed = top.get("additionalProperties") is False or top.get("unevaluatedProperties") is False
        self._examples = [dict(example) for example in examples]

    def fits(self, arguments: Mapping[str, Any]) -> bool:
        if self._finder is None:
            return True
        found = self._finder.find(dict(arguments), most=1, within_s=_WITHIN_S)
        return found.is_complete and not found.found

    def fitting(self) -> Iterator[Arguments]:
        """Yield arguments that fit, each once: examples, the least, one value after the other at its edges, any."""
        yield from self._chosen(self._likely(), fit=True)

    def unfitting(self) -> Iterator[Arguments]:
        """Yield arguments that the schema forbids, each once."""
        if self._finder is not None:
            yield from self._chosen(self._nonsense(), fit=False)

    def _chosen(self, made: Iterable[Arguments], *, fit: bool) -> Iterator[Arguments]:
        known: set[str] = set()
        for arguments in made:
            key = json.dumps(arguments, sort_keys=True)
            if key not in known:
                known.add(key)
                if self.fits(arguments) is fit:
                    yield arguments

    def _bases(self) -> list[Arguments]:
        least = {name: self._fields.get(name, ["a"])[0] for name in self._required}
        full = {name: values[0] for name, values in self._fields.items() if values}
        made = [*self._examples, least, full]
        return [arguments for arguments in made if self.fits(arguments)] or [least]

    def _likely(self) -> Iterator[Arguments]:
        bases = self._bases()
        yield from bases
        for turn, row in enumerate(zip_longest(*self._fields.values(), fillvalue=_NOTHING)):
            for name, value in zip(self._fields, row, strict=True):
                if value is not _NOTHING:
                    yield {**bases[turn % len(bases)], name: value}
        for _ in range(_MOST_DRAWS * _MOST_VALUES):
            made = dict(self._random.choice(bases))
            for name, values in self._fields.items():
                draw = self._random.random()
                if draw < _REPLACED and values:
                    made[name] = self._random.choice(values)
                elif draw > _KEPT:
                    made.pop(name, None)
            yield made

    def _nonsense(self) -> Iterator[Arguments]:
        base = self._bases()[0]
        for name in self._required:
            yield {other: value for other, value in base.items() if other != name}
        if self._is_closed:
            yield {**base, "no_such_argument": "a"}
        fields = self._node(self._schema).get("properties") or {}
        beyond = [_beyond(self._node(fields[name])) for name in self._fields]
        for row in zip_longest(*beyond, fillvalue=_NOTHING):
            for name, value in zip(self._fields, row, strict=True):
                if value is not _NOTHING:
                    yield {**base, name: value}

    def _of_field(self, name: str, node: Any) -> list[JsonValue]:
        whole = self._node(node)
        kinds = _kinds(whole)
        if name in self._secrets and "string" in kinds:
            return [self._secrets[name], *self._values(node, 0)]
        if name in self._paths and "string" in kinds:
            return list(_PATHS)
        if name in self._paths and kinds == ["array"]:
            return [[path] for path in _PATHS]
        return self._values(node, 0)

    def _node(self, schema: Any) -> Mapping[str, Any]:
        """Return a part of the schema with its references followed and what all of it must be put together."""
        node = dict(resolved(schema, self._schema))
        for part in node.pop("allOf", None) or ():
            inner = self._node(part)
            properties = {**(node.get("properties") or {}), **(inner.get("properties") or {})}
            required = [*(node.get("required") or ()), *(inner.get("required") or ())]
            node = {**inner, **node}
            if properties:
                node["properties"] = properties
            if required:
                node["required"] = required
        return node

    def _values(self, schema: Any, depth: int) -> list[JsonValue]:
        """Return values at the edges of a part of the schema, the plainest first; some of them may not fit."""
        node = self._node(schema)
        if "const" in node:
            return [node["const"]]
        if isinstance(node.get("enum"), list):
            return list(node["enum"][:_MOST_VALUES])
        said = [node["default"]] if "default" in node else []
        said += node["examples"] if isinstance(node.get("examples"), list) else []
        members = [*(node.pop("anyOf", None) or ()), *(node.pop("oneOf", None) or ())]  # type: ignore[attr-defined]
        if members and depth < _DEEPEST:
            found = [self._values({**node, **resolved(member, self._schema)}, depth + 1) for member in members]
        else:
            found = [list(self._of_kind(kind, node, depth)) for kind in _kinds(node)]
        mixed = [value for row in zip_longest(*found, fillvalue=_NOTHING) for value in row if value is not _NOTHING]
        return _distinct([*said, *mixed])[:_MOST_VALUES]

    def _of_kind(self, kind: str, node: Mapping[str, Any], depth: int) -> Iterable[JsonValue]:
        match kind:
            case "string":
                return _texts(node)
            case "integer" | "number":
                return _numbers(node, whole=kind == "integer")
            case "boolean":
                return (True, False)
            case "array":
                return self._arrays(node, depth)
            case "object":
                return self._objects(node, depth)
            case _:
                return (None,)

    def _arrays(self, node: Mapping[str, Any], depth: int) -> Iterator[JsonValue]:
        first = [self._values(part, depth + 1) for part in node.get("prefixItems") or ()]
        items = node.get("items")
        further = [] if items is False or depth >= _DEEPEST else self._values(items or {}, depth + 1)
        least, most = int(node.get("minItems") or 0), int(node.get("maxItems") or 50)
        begin: list[JsonValue] = [values[0] for values in first if values]
        for count in (max(least, 1), least, min(most, 3), min(most, 50)):
            more = max(0, count - len(begin))
            if further or not more:
                yield [*begin, *(further[at % len(further)] for at in range(more))]
        for value in further:
            yield [*begin, *([value] * max(1, least - len(begin)))]

    def _objects(self, node: Mapping[str, Any], depth: int) -> Iterator[JsonValue]:
        properties = node.get("properties") or {}
        required = [name for name in node.get("required") or () if isinstance(name, str)]
        wanted = properties if depth < _DEEPEST else [name for name in properties if name in required]
        if depth > _DEEPEST + 2:  # what requires itself cannot be made
            return
        values = {name: self._values(properties[name], depth + 1) for name in wanted}
        least: Arguments = {name: (values.get(name) or ["a"])[0] for name in required}
        yield least
        yield {**least, **{name: found[0] for name, found in values.items() if found}}
        further = node.get("additionalProperties")
        if further is not False and not properties:
            for value in self._values(further if isinstance(further, Mapping) else {"type": "string"}, depth + 1)[:4]:
                yield {"key": value}
        for name, found in values.items():
            for value in found[1:]:
                yield {**least, name: value}


class _Nothing:
    """Stand where a shorter list has no value."""


_NOTHING: Final[Any] = _Nothing()


def _kinds(node: Mapping[str, Any]) -> list[str]:
    said = node.get("type")
    if isinstance(said, str):
        return [said]
    if isinstance(said, list):
        return [kind for kind in said if isinstance(kind, str)]
    guessed = list(dict.fromkeys(kind for word, kind in _STRUCTURE if word in node))
    members = [*(node.get("anyOf") or ()), *(node.get("oneOf") or ())]
    inner = [kind for member in members if isinstance(member, Mapping) for kind in _kinds(member)]
    return guessed or list(dict.fromkeys(inner)) or list(_ANY_KIND)


def _distinct(values: Iterable[JsonValue]) -> list[JsonValue]:
    return list({json.dumps(value, sort_keys=True, default=str): value for value in values}.values())


def _texts(node: Mapping[str, Any]) -> list[str]:
    least, most = int(node.get("minLength") or 0), int(node.get("maxLength") or _LONGEST)
    kind = node.get("format")
    if kind in _FORMATS_OF_PATHS:
        return list(_PATHS)
    found: list[str] = list(_TEXTS_BY_FORMAT.get(str(kind), ()))
    if "pattern" in node:
        found += [*_OF_PATTERNS, *(text.ljust(least, text[-1]) for text in ("a", "A", "0"))]
        # Which of them fit is seen later; all of them are more than are kept.
        finder = MismatchFinder({"pattern": node["pattern"], "minLength": least, "maxLength": most})
        return [text for text in found if not finder.find(text, most=1, within_s=_WITHIN_S).found]
    if not found:
        found = [text if len(text) >= least else text.ljust(least, "a") for text in _TEXTS]
        found = [text[:most] for text in found]
        found[2:2] = [] if "maxLength" not in node else ["a" * min(most, _LONGEST)]
    return found


def _numbers(node: Mapping[str, Any], *, whole: bool) -> list[JsonValue]:
    step = node.get("multipleOf")
    least = _limit(node, "minimum", "exclusiveMinimum", step or (1 if whole else 0.001))
    most = _limit(node, "maximum", "exclusiveMaximum", -(step or (1 if whole else 0.001)))
    edges = [edge for edge in (least, most) if edge is not None]
    values: list[Any] = [*edges, *(_WHOLE if whole else (*_NUMBERS, *_WHOLE))]
    if step:
        values += [step * times for times in (0, 1, -1, 10)]
    if least is not None and most is not None:
        values.append((least + most) // 2 if whole else (least + most) / 2)
    if whole:
        values = [int(value) for value in values]
    return [
        value for value in values if (least is None or value >= least) and (most is None or value <= most)
    ] or values[:2]


def _limit(node: Mapping[str, Any], inside: str, outside: str, step: float) -> float | None:
    for word, more in ((inside, 0), (outside, step)):
        value = node.get(word)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return value + more
    return None


def _beyond(node: Mapping[str, Any]) -> list[JsonValue]:
    """Return values that lie outside of a part of the schema, or may."""
    found: list[JsonValue] = []
    for word, step in (("minimum", -1), ("exclusiveMinimum", 0), ("maximum", 1), ("exclusiveMaximum", 0)):
        value = node.get(word)
        if isinstance(value, int | float) and not isinstance(value, bool):
            found.append(value + step)
    for word, step in (("minLength", -1), ("maxLength", 1)):
        value = node.get(word)
        if isinstance(value, int) and 0 <= value + step <= 100 * _LONGEST:
            found.append("a" * (value + step))
    for word, step in (("minItems", -1), ("maxItems", 1)):
        value = node.get(word)
        if isinstance(value, int) and 0 <= value + step <= _LONGEST:
            found.append(["a"] * (value + step))
    return [*found, *_NONSENSE]
