"""Refuse a schema that cannot be used before anything walks through it, whoever wrote it.

One pass without recursion: afterwards a schema is no deeper and no larger than everything that reads schemas can bear,
its keywords mean something, and its references stay inside and lead somewhere.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from enum import Enum, auto
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    import regex

ONE_PART: Final = frozenset(
    {
        *("additionalProperties", "contains", "contentSchema", "else", "if", "items", "not", "propertyNames", "then"),
        *("unevaluatedItems", "unevaluatedProperties"),
    }
)
"""Keywords behind which one schema stands."""

MANY_PARTS: Final = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
"""Keywords behind which a list of schemas stands."""

NAMED_PARTS: Final = frozenset({"$defs", "definitions", "dependentSchemas", "patternProperties", "properties"})
"""Keywords behind which schemas stand by their names."""

_DEFINITION: Final = "#/$defs/"
_LEVEL_OF_DEFINITIONS: Final = 2
"""How deep in a schema its definitions stand."""

_TYPES: Final = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})


def _is_type(value: Any) -> bool:
    if isinstance(value, str):
        return value in _TYPES
    return isinstance(value, list) and bool(value) and all(isinstance(kind, str) and kind in _TYPES for kind in value)


def _is_a(*kinds: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, kinds)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_step(value: Any) -> bool:
    return _is_number(value) and value > 0


def _is_count(value: Any) -> bool:
    return _is_number(value) and value >= 0 and value == value // 1


def _is_names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def _is_dependents(value: Any) -> bool:
    return isinstance(value, Mapping) and all(map(_is_names, value.values()))


_is_part: Final = _is_a(Mapping, bool)


def _is_parts(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_part, value))


def _is_named_parts(value: Any) -> bool:
    return isinstance(value, Mapping) and all(map(_is_part, value.values()))


def _is_address(value: Any) -> bool:
    try:
        return isinstance(value, str) and urlsplit(value) is not None
    except ValueError:
        return False


def _is_dependencies(value: Any) -> bool:
    return isinstance(value, Mapping) and all(
        isinstance(part, Mapping | bool | str) or _is_names(part) for part in value.values()
    )


def _is_items(value: Any) -> bool:
    return all(map(_is_part, value)) if isinstance(value, list) else _is_part(value)


class KeywordRule(NamedTuple):
    """What may stand behind a keyword.

    Attributes:
        fits: Tells whether a value can mean it.
        words: How such a value is called.
    """

    fits: Callable[[Any], bool]
    words: str


_LIST: Final = KeywordRule(_is_a(list), "a list")
_NUMBER: Final = KeywordRule(_is_number, "a number")
_COUNT: Final = KeywordRule(_is_count, "a whole number from 0 on")
_TRUTH: Final = KeywordRule(_is_a(bool), "true or false")
_TEXT: Final = KeywordRule(_is_a(str), "text")
_ADDRESS: Final = KeywordRule(_is_address, "text")
SOUND: Final[Mapping[str, KeywordRule]] = {
    "type": KeywordRule(_is_type, "array, boolean, integer, null, number, object, string or a list of these"),
    "enum": _LIST,
    "examples": _LIST,
    "required": KeywordRule(_is_names, "a list of names"),
    "dependentRequired": KeywordRule(_is_dependents, "lists of names by a name"),
    "multipleOf": KeywordRule(_is_step, "a number above 0"),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _NUMBER),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minContains", "maxContains"), _COUNT),
    **dict.fromkeys(("minProperties", "maxProperties"), _COUNT),
    **dict.fromkeys(("uniqueItems", "deprecated", "readOnly", "writeOnly"), _TRUTH),
    **dict.fromkeys(("$comment", "contentEncoding", "contentMediaType", "description", "format"), _TEXT),
    **dict.fromkeys(("pattern", "title", "$ref", "$dynamicRef", "$recursiveRef"), _TEXT),
    **dict.fromkeys(("$anchor", "$dynamicAnchor"), _TEXT),
    **dict.fromkeys(("$id", "$schema"), _ADDRESS),
    **dict.fromkeys(ONE_PART, KeywordRule(_is_part, "a schema")),
    **dict.fromkeys(MANY_PARTS, KeywordRule(_is_parts, "a list of schemas")),
    **dict.fromkeys(NAMED_PARTS, KeywordRule(_is_named_parts, "schemas by their names")),
}
"""What each keyword that means something here is followed by."""

_OLD_SOUND: Final[Mapping[str, KeywordRule]] = {
    "id": _ADDRESS,
    "additionalItems": KeywordRule(_is_part, "a schema"),
    "dependencies": KeywordRule(_is_dependencies, "schemas by their names"),
    **dict.fromkeys(("exclusiveMaximum", "exclusiveMinimum"), KeywordRule(_is_a(int, float), "a number")),
    "items": KeywordRule(_is_items, "a schema"),
}


MAX_PATTERN_LETTERS: Final = 5_000
"""How long a pattern may be; reading one takes the longer the longer it is."""


class UnreadablePatternError(Exception):
    """A pattern is of another dialect, too long, or none at all."""


@lru_cache(maxsize=256)
def compiled_pattern(pattern: str) -> regex.Pattern[str]:
    """Return a pattern ready to search.

    Raises:
        UnreadablePatternError: It cannot be read here.
    """
    import regex  # noqa: PLC0415 -- few schemas have patterns

    if len(pattern) > MAX_PATTERN_LETTERS:
        raise UnreadablePatternError(f"is longer than {MAX_PATTERN_LETTERS:,} letters")
    try:
        return regex.compile(pattern)
    except (regex.error, RecursionError, OverflowError, MemoryError) as error:
        raise UnreadablePatternError(f"is no regular expression ({error})") from None


MAX_LEVELS: Final = 100
"""How deep a schema may be nested."""

MAX_PARTS: Final = 100_000
"""How many values a schema may have."""

MAX_LETTERS: Final = 8_000_000
"""How much text a schema may have."""

_MAX_NUMBER_BITS: Final = 4_096
_ANCHORS: Final = frozenset({"$anchor", "$dynamicAnchor"})
_REFERENCES: Final = frozenset({"$ref", "$dynamicRef", "$recursiveRef"})
_OLD_DRAFTS: Final = ("draft-03", "draft-04", "draft-06", "draft-07", "2019-09")
_MOST_DIGITS: Final = 10
_SHOWN_LETTERS: Final = 60


class SchemaFault(NamedTuple):
    """What is wrong with a schema.

    Attributes:
        place: Where, as a JSON pointer; empty for the whole.
    """

    place: str
    words: str

    def __str__(self) -> str:
        return f"at {self.place}: {self.words}" if self.place else self.words


_Way = tuple[Any, Any] | None
"""The last key to a part, and the way to what it stands in."""


class _Role(Enum):
    """What a part of a schema is: a schema, many by name or in a list, or any other value."""

    SCHEMA = auto()
    NAMED = auto()
    LISTED = auto()
    VALUE = auto()


class _Part(NamedTuple):
    value: Any
    way: _Way = None
    level: int = 0
    role: _Role = _Role.SCHEMA


class References:
    """What the references of one document lead to."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = document
        self._anchors: dict[str, Any] | None = None
        self._known: dict[str, Any] = {}

    def target(self, reference: str) -> Any:
        """Return what a reference leads to.

        Raises:
            LookupError: It leads nowhere.
        """
        if reference not in self._known:
            self._known[reference] = self._found(reference)
        return self._known[reference]

    def _found(self, reference: str) -> Any:
        if reference == "#" or reference.startswith("#/"):
            return pointed_at(self._document, reference[1:])
        if self._anchors is None:
            self._anchors = {}
            for part in _walk(self._document):
                if part.role is _Role.SCHEMA and isinstance(part.value, Mapping):
                    for key in _ANCHORS & part.value.keys():
                        self._anchors.setdefault(part.value[key], part.value)
        return self._anchors[reference[1:]]


def pointed_at(document: Any, pointer: str) -> Any:
    """Return what a JSON pointer, written for an address, leads to.

    Raises:
        LookupError: It leads nowhere.

    Source: RFC 6901, section 6.
    """
    target = document
    for step in unquote(pointer).split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(target, list) and name.isdecimal() and len(name) < _MOST_DIGITS:
            target = target[int(name)]
        elif isinstance(target, Mapping):
            target = target[name]
        else:
            raise LookupError(pointer)
    return target


class _SoundPart(NamedTuple):
    """What an inspection counted of a part that is sound by itself; it is kept, so that no other gets its identity."""

    part: Any
    parts: int
    letters: int
    seen: frozenset[int]
    ways: Mapping[str, _Way]


class SharedParts:
    """Remember what many schemas have in common under `$defs`, so that each part is looked through once.

    The parts are told by identity; nobody may change them afterwards.
    """

    def __init__(self) -> None:
        self.sound: dict[int, _SoundPart] = {}


def fault_of(schema: Mapping[str, Any], shared: SharedParts | None = None) -> SchemaFault | None:
    """Return what is wrong with a schema, the first thing that is; None when it is sound.

    Args:
        shared: What it has in common with others; None for nothing.
    """
    is_old = _is_old(schema)
    return _Inspection(schema, is_old=is_old, shared=None if is_old else shared).fault()


def _is_old(schema: Mapping[str, Any]) -> bool:
    """Tell whether a schema says that it is of a draft before 2020-12."""
    draft = schema.get("$schema")
    return isinstance(draft, str) and any(name in draft for name in _OLD_DRAFTS)


def is_sound(schema: Mapping[str, Any] | None, shared: SharedParts | None = None) -> bool:
    """Tell whether a schema can be used; that there is none is in order as well."""
    return schema is None or fault_of(schema, shared) is None


def place_of(document: Any, node: Any, keyword: str = "") -> str:
    """Return where a part of a document stands, as a JSON pointer; empty for the whole, or for what is not in it."""
    for part in _walk(document):
        if part.value is node:
            return _pointer((keyword, part.way) if keyword else part.way)
    return f"/{keyword}" if keyword else ""


def _walk(schema: Any, way: _Way = None, level: int = 0) -> Iterator[_Part]:
    """Yield a schema and everything in it, the outer before the inner, in the order of the text."""
    waiting = [_Part(schema, way, level)]
    while waiting:
        part = waiting.pop()
        yield part
        waiting.extend(reversed(_inside(part)))


def _inside(part: _Part) -> list[_Part]:
    value, way, level, role = part
    if isinstance(value, list):
        role_inside = _Role.SCHEMA if role is _Role.LISTED else _Role.VALUE
        return [_Part(inner, (at, way), level + 1, role_inside) for at, inner in enumerate(value)]
    if not isinstance(value, Mapping):
        return []
    if role is _Role.SCHEMA:
        return [_Part(inner, (key, way), level + 1, _role_of(key, inner)) for key, inner in value.items()]
    role_inside = _Role.SCHEMA if role is _Role.NAMED else _Role.VALUE
    return [_Part(inner, (key, way), level + 1, role_inside) for key, inner in value.items()]


def _role_of(key: str, value: Any) -> _Role:
    if isinstance(value, list):
        return _Role.LISTED if key in MANY_PARTS or key == "items" else _Role.VALUE
    if key in NAMED_PARTS or key == "dependencies":
        return _Role.NAMED
    return _Role.SCHEMA if key in ONE_PART or key == "additionalItems" else _Role.VALUE


class _Inspection:
    """Look through one schema and everything that its references lead to."""

    def __init__(self, schema: Any, *, is_old: bool, shared: SharedParts | None = None) -> None:
        self._schema = schema
        self._is_old = is_old
        self._shared = shared
        self._parts = 0
        self._letters = 0
        self._seen: set[int] = set()
        self._ways: dict[str, _Way] = {}

    def fault(self) -> SchemaFault | None:
        definitions = None if self._shared is None else self._schema.get("$defs")
        told: set[str] = set()
        if self._shared is None or not isinstance(definitions, Mapping):
            if fault := self._fault_below(self._schema, None):
                return fault
        else:
            if fault := self._fault_with_shared(definitions, self._shared):
                return fault
            told.update(f"{_DEFINITION}{name}" for name, part in definitions.items() if id(part) in self._seen)
        references = References(self._schema)
        # What a reference leads to may stand where no schema is looked for, and have references of its own.
        while new := self._ways.keys() - told:
            for reference in sorted(new):
                told.add(reference)
                if fault := self._fault_of_reference(reference, references):
                    return fault
        return None

    def _fault_with_shared(self, definitions: Mapping[str, Any], shared: SharedParts) -> SchemaFault | None:
        """Look through a schema, but only once through each definition that it shares with others."""
        place: _Way = ("$defs", None)
        if fault := self._fault_below({**self._schema, "$defs": {}}, None) or _fault_of_names(
            _Part(definitions, place)
        ):
            return fault
        self._seen.add(id(self._schema))
        self._letters += sum(map(len, definitions))
        for name, part in definitions.items():
            if fault := self._fault_of_shared(part, (name, place), shared):
                return fault
        return None

    def _fault_of_shared(self, part: Any, way: _Way, shared: SharedParts) -> SchemaFault | None:
        known = shared.sound.get(id(part))
        if known is None:
            inside = _Inspection(part, is_old=self._is_old)
            if fault := inside._fault_below(part, way, level=_LEVEL_OF_DEFINITIONS):
                return fault
            known = _SoundPart(part, inside._parts, inside._letters, frozenset(inside._seen), inside._ways)
            shared.sound[id(part)] = known
        self._parts += known.parts
        self._letters += known.letters
        self._seen |= known.seen
        for reference, to_it in known.ways.items():
            self._ways.setdefault(reference, to_it)
        return self._fault_of_size(_Part(None))

    def _fault_of_reference(self, reference: str, references: References) -> SchemaFault | None:
        place, shown = _pointer(self._ways[reference]), _short(reference)
        if not reference.startswith("#"):
            words = f"expected references inside the schema, got {shown}; nothing is fetched, copy it into $defs"
            return SchemaFault(place, words)
        try:
            target = references.target(reference)
        except LookupError:
            kind = "target" if reference == "#" or reference.startswith("#/") else "anchor"
            return SchemaFault(place, f"the reference {shown} leads nowhere; add its {kind} to the schema")
        if not isinstance(target, Mapping | bool):
            return SchemaFault(place, f"the reference {shown} leads to {_short(target)}, which is no schema")
        return None if id(target) in self._seen else self._fault_below(target, (reference, None))

    def _fault_below(self, schema: Any, way: _Way, *, level: int = 0) -> SchemaFault | None:
        for part in _walk(schema, way, level):
            self._parts += 1
            if isinstance(part.value, str):
                self._letters += len(part.value)
            if fault := self._fault_of_size(part) or _fault_of_scalar(part):
                return fault
            if isinstance(part.value, Mapping):
                if fault := _fault_of_names(part):
                    return fault
                self._letters += sum(map(len, part.value))
                if part.role is _Role.SCHEMA:
                    if fault := _fault_of_keywords(part, is_old=self._is_old):
                        return fault
                    self._seen.add(id(part.value))
                    for key in _REFERENCES & part.value.keys():
                        self._ways.setdefault(part.value[key], (key, part.way))
        return None

    def _fault_of_size(self, part: _Part) -> SchemaFault | None:
        if self._parts > MAX_PARTS:
            return SchemaFault("", f"it has more than {MAX_PARTS:,} parts; describe less")
        if self._letters > MAX_LETTERS:
            return SchemaFault("", f"it has more than {MAX_LETTERS:,} letters; describe less")
        if part.level > MAX_LEVELS:
            return SchemaFault("", f"it is nested deeper than {MAX_LEVELS} levels; make it flatter, or refer to $defs")
        return None


def _fault_of_names(part: _Part) -> SchemaFault | None:
    for name in part.value:
        if not isinstance(name, str):
            return SchemaFault(_pointer(part.way), f"expected names that are text, got {_short(name)}")
        if not _is_text(name):
            return SchemaFault(
                _pointer(part.way), "a name in it has half a letter (a lone surrogate), which is no text"
            )
    return None


def _fault_of_keywords(part: _Part, *, is_old: bool) -> SchemaFault | None:
    for key, inner in part.value.items():
        meaning = (_OLD_SOUND.get(key) if is_old else None) or SOUND.get(key)
        if meaning is not None and not meaning.fits(inner):
            return SchemaFault(_pointer((key, part.way)), f"expected {meaning.words}, got {_short(inner)}")
        if key in {"pattern", "patternProperties"}:
            longest = max(map(len, [inner] if isinstance(inner, str) else inner), default=0)
            if longest > MAX_PATTERN_LETTERS:
                words = f"a pattern of {longest:,} letters is too long; at most {MAX_PATTERN_LETTERS:,} are read"
                return SchemaFault(_pointer((key, part.way)), words)
    return None


def _fault_of_scalar(part: _Part) -> SchemaFault | None:
    value = part.value
    if isinstance(value, str):
        if not _is_text(value):
            return SchemaFault(_pointer(part.way), "half a letter (a lone surrogate) stands there, which is no text")
    elif isinstance(value, float):
        if not math.isfinite(value):
            return SchemaFault(_pointer(part.way), f"expected a number that JSON can write, got {value}")
    elif isinstance(value, int) and value.bit_length() > _MAX_NUMBER_BITS:
        return SchemaFault(_pointer(part.way), "the number there has more digits than anything is compared with")
    return None


def _is_text(text: str) -> bool:
    return text.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in text)


def _pointer(way: _Way) -> str:
    steps: list[str] = []
    while way is not None:
        steps.append(str(way[0]).replace("~", "~0").replace("/", "~1")[:_SHOWN_LETTERS])
        way = way[1]
    return "".join(f"/{step}" for step in reversed(steps)).encode("utf-8", "backslashreplace").decode()


def _short(value: Any) -> str:
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > _MAX_NUMBER_BITS:
        return "a number with very many digits"
    shown = ascii(value) if isinstance(value, str) and not _is_text(value) else repr(value)
    return shown if len(shown) <= _SHOWN_LETTERS else f"{shown[: _SHOWN_LETTERS - 1]}…"
