"""JSON text: exact reading, writing, and positions of its parts."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from typing import Any, Final, NamedTuple, NoReturn

from console.language import tr
from console.schema_form.numbers import ExactNumber, decimal_number
from console.schema_form.paths import Path

_WORDS: Final = {
    "Expecting value": tr("expected a value"),
    "Expecting ',' delimiter": tr("expected a comma"),
    "Expecting ':' delimiter": tr("expected a colon"),
    "Expecting property name enclosed in double quotes": tr("expected a name in double quotes"),
    "Illegal trailing comma before end of object": tr("expected no comma before the closing brace"),
    "Illegal trailing comma before end of array": tr("expected no comma before the closing bracket"),
    "Unterminated string starting at": tr("this text has no closing quote"),
    "Invalid control character at": tr("a line break or tab inside quotes is written as \\n or \\t"),
    "Invalid \\escape": tr("expected an escape such as \\n or \\\\ after the backslash"),
    "Invalid \\uXXXX escape": tr("expected four hexadecimal digits after \\u"),
    "Extra data": tr("expected nothing after the closing brace"),
}
_NOT_EXPECTED: Final = ("Unterminated string starting at", "Invalid control character at")
"""Messages that say what is wrong, and not what was expected."""
_MARK: Final = "\ue000"
_LONGEST_NUMBER: Final = 4300
_HALF: Final = re.compile(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")


class TextProblem(NamedTuple):
    """Why a text is no JSON.

    Attributes:
        line: Counted from 1.
        column: Counted from 1.
    """

    line: int
    column: int
    message: str

    def __str__(self) -> str:
        return tr("line {line}, column {column}: {message}", line=self.line, column=self.column, message=self.message)


class _NotJsonError(Exception):
    """Something Python's parser lets pass and JSON does not."""

    def __init__(self, message: str, needle: str) -> None:
        super().__init__(message)
        self.message = message
        self.needle = needle


def parse_object(text: str) -> tuple[dict[str, Any] | None, TextProblem | None]:
    """Read a text that must be one JSON object.

    Returns:
        The object and None, or None and the problem.
    """
    value, problem = parse_value(text)
    if problem is not None:
        return None, problem
    if not isinstance(value, dict):
        start = len(text) - len(text.lstrip())
        return None, _problem_at(text, start, tr("expected an object in braces, such as {}"))
    return value, None


def parse_value(text: str) -> tuple[Any, TextProblem | None]:
    """Read a text that must be one JSON value.

    Returns:
        The value and None, or None and the problem.
    """
    try:
        value = json.loads(
            text,
            parse_constant=_refuse_constant,
            parse_float=_number,
            parse_int=_whole_number,
            object_pairs_hook=_object_of_pairs,
        )
        _refuse_half_letters(text, value)
    except json.JSONDecodeError as error:
        return None, _problem_at(text, error.pos, _words_for(error))
    except _NotJsonError as error:
        return None, _problem_at(text, max(0, text.rfind(error.needle)), error.message)
    except RecursionError:
        return None, TextProblem(1, 1, tr("expected fewer values inside each other"))
    return value, None


def write_json(value: Any, indent: int | None = 2) -> str:
    """Write a value as the editor first shows it: two spaces a level, all letters and digits as they are."""
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    if not _holds_exact(value):
        return text
    # The library rounds such numbers, so they are written as texts that occur nowhere else, and put in afterwards.
    mark = _MARK
    while mark in text:
        mark += _MARK
    marked = json.dumps(_marked(value, mark), indent=indent, ensure_ascii=False)
    return re.sub(f'"{mark}([^"]+)"', r"\1", marked)


def _holds_exact(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_holds_exact, value.values()))
    return any(map(_holds_exact, value)) if isinstance(value, list | tuple) else isinstance(value, ExactNumber)


def _marked(value: Any, mark: str) -> Any:
    if isinstance(value, dict):
        return {name: _marked(part, mark) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_marked(part, mark) for part in value]
    return f"{mark}{value.text}" if isinstance(value, ExactNumber) else value


def _words_for(error: json.JSONDecodeError) -> str:
    known = next((said for start, said in _WORDS.items() if error.msg.startswith(start)), tr("expected JSON"))
    if error.pos >= len(error.doc.rstrip()) and not error.msg.startswith(_NOT_EXPECTED):
        return tr("{problem}, but the text ends here", problem=known)
    return known


def _problem_at(text: str, position: int, message: str) -> TextProblem:
    line_start = text.rfind("\n", 0, position) + 1
    return TextProblem(text.count("\n", 0, position) + 1, position - line_start + 1, message)


def _refuse_constant(name: str) -> NoReturn:
    raise _NotJsonError(tr("expected a number, got {name}, which JSON does not know", name=name), name)


def _whole_number(digits: str) -> int:
    if len(digits) > _LONGEST_NUMBER:
        raise _NotJsonError(
            tr("expected a number of at most {most} digits, got {count}", most=_LONGEST_NUMBER, count=len(digits)),
            digits,
        )
    return int(digits)


def _number(text: str) -> float:
    try:
        return decimal_number(text)
    except ValueError:
        pass
    if math.isinf(float(text)):
        raise _NotJsonError(tr("expected a number below 1.8e308, got {text}", text=text), text)
    if len(text) > _LONGEST_NUMBER:
        raise _NotJsonError(
            tr("expected a number of at most {most} digits, got {count}", most=_LONGEST_NUMBER, count=len(text)),
            text,
        )
    raise _NotJsonError(tr("expected 0 or a number further from it, got {text}", text=text), text)


def _refuse_half_letters(text: str, value: Any) -> None:
    """Refuse half of an escaped surrogate pair: Python keeps it, and no text can be written with it."""
    escape = _HALF.search(text)
    if escape is None:
        return
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise _NotJsonError(
            tr("expected both halves of the character that {escape} begins", escape=escape[0]), escape[0]
        ) from None


def _object_of_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise _NotJsonError(
            tr("expected each name once, got {name!r} twice", name=twice), json.dumps(twice, ensure_ascii=False)
        )
    return value


_TOKEN: Final = re.compile(r'("(?:[^"\\]|\\.)*")|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)


class TextPosition(NamedTuple):
    """A place in a text, as people count.

    Attributes:
        line: Counted from 1.
        column: Counted from 1.
    """

    line: int
    column: int


def place_of(text: str, path: Path) -> TextPosition:
    """Return where a value begins, or the nearest one around it that is there."""
    start = _start_of(text, path)
    line_start = text.rfind("\n", 0, start) + 1
    return TextPosition(text.count("\n", 0, start) + 1, start - line_start + 1)


def _start_of(text: str, path: Path) -> int:
    """Walk the tokens; `here` is the path of the value that comes next, or of the one that is open."""
    here: list[str | int] = []
    best, depth = 0, -1
    awaits_name = False
    for token in _TOKEN.finditer(text):
        mark = token[0]
        if mark in "]}":
            here.pop()
            awaits_name = False
        elif mark == ",":
            last = here.pop()
            awaits_name = isinstance(last, str)
            here.append(last + 1 if isinstance(last, int) else "")
        elif mark == ":":
            awaits_name = False
        elif awaits_name:
            here[-1] = json.loads(mark)
        else:
            if depth < len(here) <= len(path) and tuple(here) == path[: len(here)]:
                best, depth = token.start(), len(here)
            if mark in "[{":
                here.append(0 if mark == "[" else "")
                awaits_name = mark == "{"
    return best
