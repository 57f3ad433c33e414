"""JSON as people keep it in settings: with comments and trailing commas, edited in place so that both stay."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from json.decoder import scanstring  # type: ignore[attr-defined] # typeshed leaves it out
from typing import Final, NamedTuple, NoReturn

from pydantic import JsonValue

DEEPEST: Final = 100
"""How many lists and objects may stand inside each other."""

_TRIVIA: Final = re.compile(r"(?:[ \t\r\n\ufeff]+|//[^\r\n]*|/\*.*?\*/)+", re.DOTALL)
_REST_OF_LINE: Final = re.compile(r"[ \t]*(,?)[ \t]*(?://[^\r\n]*|/\*[^\r\n]*?\*/[ \t]*)?(?=\r?\n)")
_NUMBER: Final = re.compile(r"(-?(?:0|[1-9]\d*))(\.\d+)?([eE][-+]?\d+)?")
_WORDS: Final[dict[str, JsonValue]] = {"true": True, "false": False, "null": None}


class JsonMember(NamedTuple):
    """One name of an object, and where it stands.

    Attributes:
        start: Where the name's quote is.
    """

    name: str
    start: int
    node: JsonNode


@dataclass(frozen=True, slots=True)
class JsonNode:
    """One value, and where it stands.

    Attributes:
        start: Its first letter.
        end: Behind its last letter.
        members: The names of an object, in order; of a name that comes twice the last counts.
    """

    value: JsonValue
    start: int
    end: int
    members: tuple[JsonMember, ...] = field(default=())

    def member(self, name: str) -> JsonMember | None:
        """Return the member of that name; None when there is none."""
        return next((member for member in reversed(self.members) if member.name == name), None)


def parsed(text: str) -> JsonNode:
    """Return what a text says.

    Raises:
        ValueError: When it is no JSON; line and column are named.
    """
    reading = _Reading(text)
    node = reading.value(reading.after_trivia(0), 0)
    end = reading.after_trivia(node.end)
    if end < len(text):
        reading.refuse(end, "the end of the file")
    return node


def first_value(text: str, start: int) -> JsonNode:
    """Return the value that begins at a place of a text, whatever stands behind it.

    Raises:
        ValueError: When none begins there; line and column are named.
    """
    return _Reading(text).value(start, 0)


def with_value(text: str, path: Sequence[str], value: JsonValue) -> str:
    """Return a text in which the place of an object has a value; objects on the way are made.

    Args:
        text: What `parsed` takes.
        path: The names on the way, at least one.

    Raises:
        ValueError: When the text is no JSON, or something on the way is no object.
    """
    node = parsed(text)
    for depth, name in enumerate(path):
        if not isinstance(node.value, dict):
            where = ".".join(path[:depth]) or "the file"
            raise ValueError(  # noqa: TRY004 -- it is the file's content that is wrong
                f"expected {where} to be an object in braces, got {json.dumps(node.value)[:40]}"
            )
        found = node.member(name)
        if found is None:
            for part in reversed(path[depth + 1 :]):
                value = {part: value}
            return _inserted(text, node, name, value)
        node = found.node
    return text[: node.start] + _dumped(value, _indent_at(text, node.start), text) + text[node.end :]


def without_value(text: str, path: Sequence[str]) -> str:
    """Return a text without a member of an object, and without the comment directly above it.

    Raises:
        ValueError: When the text is no JSON.
    """
    # A name that stands there twice goes as a whole, or else the former value would count from now on.
    while (node := _at(parsed(text), path[:-1])) is not None and node.member(path[-1]) is not None:
        place = max(place for place, item in enumerate(node.members) if item.name == path[-1])
        text = _removed(text, node.members, place)
    return text


def _at(node: JsonNode, path: Sequence[str]) -> JsonNode | None:
    for name in path:
        found = node.member(name)
        if found is None:
            return None
        node = found.node
    return node


def _removed(text: str, members: tuple[JsonMember, ...], place: int) -> str:
    member = members[place]
    start, end = member.start, member.node.end
    comma = _after_trivia(text, end)
    before = -1
    if text[comma : comma + 1] == ",":
        end = comma + 1
    elif place:
        # The last one takes the comma before it along.
        before = _after_trivia(text, members[place - 1].node.end)
    line = text.rfind("\n", 0, start) + 1
    rest = _REST_OF_LINE.match(text, end)
    if rest and not text[line:start].strip():
        # It has its lines for itself: they go, and the comment above them.
        while (above := text.rfind("\n", 0, max(line - 1, 0)) + 1) < line and text[above:line].lstrip().startswith(
            "//"
        ):
            line = above
        start, end = line, text.index("\n", rest.end()) + 1
    elif before >= 0:
        start = before
    if 0 <= before < start:
        return text[:before] + text[before + 1 : start] + text[end:]
    return text[:start] + text[end:]


def _inserted(text: str, node: JsonNode, name: str, value: JsonValue) -> str:
    newline = _newline(text)
    if not node.members:
        indent = _indent_at(text, node.start)
        inner = indent + _unit(text)
        written = f"{json.dumps(name, ensure_ascii=False)}: {_dumped(value, inner, text)}"
        kept = text[node.start + 1 : node.end - 1].strip()
        kept = f"{inner}{kept}{newline}" if kept else ""
        return f"{text[: node.start]}{{{newline}{kept}{inner}{written}{newline}{indent}}}{text[node.end :]}"
    last = node.members[-1]
    if "\n" not in text[node.start : node.end]:
        written = f"{json.dumps(name, ensure_ascii=False)}: {json.dumps(value, ensure_ascii=False)}"
        comma = _after_trivia(text, last.node.end)
        end = comma + 1 if text[comma] == "," else last.node.end
        return f"{text[: last.node.end]}, {written}{text[end:]}"
    inner = _indent_at(text, last.start)
    written = f"{json.dumps(name, ensure_ascii=False)}: {_dumped(value, inner, text)}"
    rest = _REST_OF_LINE.match(text, last.node.end)
    end = rest.end() if rest else last.node.end
    has_comma = rest is not None and bool(rest[1])
    kept = text[last.node.end : end]
    tail = f",{kept}{newline}{inner}{written}" if not has_comma else f"{kept}{newline}{inner}{written},"
    return f"{text[: last.node.end]}{tail}{text[end:]}"


def _dumped(value: JsonValue, indent: str, text: str) -> str:
    lines = json.dumps(value, indent=_unit(text), ensure_ascii=False)
    return lines.replace("\n", f"{_newline(text)}{indent}")


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _indent_at(text: str, place: int) -> str:
    line = text[text.rfind("\n", 0, place) + 1 : place]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str) -> str:
    found = re.search(r"\n([ \t]+)\S", text)
    return found[1] if found else "  "


def _after_trivia(text: str, place: int) -> int:
    found = _TRIVIA.match(text, place)
    return found.end() if found else place


class _Reading:
    """Read one text from its beginning."""

    def __init__(self, text: str) -> None:
        self._text = text

    def after_trivia(self, place: int) -> int:
        return _after_trivia(self._text, place)

    def refuse(self, place: int, expected: str) -> NoReturn:
        line = self._text.count("\n", 0, place) + 1
        column = place - self._text.rfind("\n", 0, place)
        got = repr(self._text[place]) if place < len(self._text) else "the end"
        raise ValueError(f"line {line}, column {column}: expected {expected}, got {got}")

    def value(self, place: int, depth: int) -> JsonNode:
        if depth > DEEPEST:
            self.refuse(place, f"at most {DEEPEST} lists and objects inside each other")
        first = self._text[place : place + 1]
        if first == "{":
            return self._object(place, depth)
        if first == "[":
            return self._list(place, depth)
        if first == '"':
            text, end = self._string(place)
            return JsonNode(text, place, end)
        for word, value in _WORDS.items():
            if self._text.startswith(word, place):
                return JsonNode(value, place, place + len(word))
        number = _NUMBER.match(self._text, place)
        if number is None:
            self.refuse(place, "a value")
        try:
            plain = float(number[0]) if number[2] or number[3] else int(number[0])
        except ValueError:
            # Python refuses integers of thousands of digits.
            self.refuse(place, "a number of a sensible size")
        return JsonNode(plain, place, number.end())

    def _string(self, place: int) -> tuple[str, int]:
        try:
            text, end = scanstring(self._text, place + 1, True)
        except json.JSONDecodeError as error:
            self.refuse(error.pos, f"a text in quotes ({error.msg})")
        return str(text), int(end)

    def _object(self, place: int, depth: int) -> JsonNode:
        start, members = place, list[JsonMember]()
        place = self.after_trivia(place + 1)
        while self._text[place : place + 1] != "}":
            if self._text[place : place + 1] != '"':
                self.refuse(place, "a name in quotes or a closing brace")
            name, end = self._string(place)
            colon = self.after_trivia(end)
            if self._text[colon : colon + 1] != ":":
                self.refuse(colon, "a colon")
            node = self.value(self.after_trivia(colon + 1), depth + 1)
            members.append(JsonMember(name, place, node))
            place = self._next(node.end, "}")
        value: dict[str, JsonValue] = {member.name: member.node.value for member in members}
        return JsonNode(value, start, place + 1, tuple(members))

    def _list(self, place: int, depth: int) -> JsonNode:
        start, values = place, list[JsonValue]()
        place = self.after_trivia(place + 1)
        while self._text[place : place + 1] != "]":
            node = self.value(place, depth + 1)
            values.append(node.value)
            place = self._next(node.end, "]")
        return JsonNode(values, start, place + 1)

    def _next(self, place: int, closing: str) -> int:
        """Return where the next part of a list or object stands, or its end."""
        place = self.after_trivia(place)
        if self._text[place : place + 1] == ",":
            return self.after_trivia(place + 1)
        if self._text[place : place + 1] != closing:
            self.refuse(place, f"a comma or {closing}")
        return place
