"""Where the lines of a large text begin, found little by little, and how they break to a width."""

from __future__ import annotations

import re
import unicodedata
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from typing import Any, Final, Literal, NamedTuple

SpanKind = Literal[
    "text", "key", "string", "number", "boolean", "null", "punctuation", "comment", "keyword", "function"
]

_JSON: Final = re.compile(
    r'(?P<key>"(?:[^"\\]|\\.)*"(?=\s*:))'
    r'|(?P<string>"(?:[^"\\]|\\.)*"?)'
    r"|(?P<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)"
    r"|(?P<boolean>\b(?:true|false)\b)"
    r"|(?P<null>\bnull\b)"
    r"|(?P<punctuation>[{}\[\],:]+)"
)
_LONGEST_CODE: Final = 200_000
_COMMON: Final = ("a.py", "a.md", "a.js", "a.html", "a.toml", "a.yaml")


class TextSpan(NamedTuple):
    """A part of a line.

    Attributes:
        start: Its first letter.
        end: The one past its last.
    """

    start: int
    end: int
    kind: SpanKind


def json_spans(line: str) -> list[TextSpan]:
    """Find the coloured parts of one line of JSON; values never go over lines.

    Args:
        line: Without its line break; it may be wrong JSON.
    """
    return [TextSpan(found.start(), found.end(), found.lastgroup) for found in _JSON.finditer(line)]  # type: ignore[arg-type]


def code_spans(lines: Sequence[str], file_name: str) -> list[list[TextSpan]]:
    """Find the coloured parts of source code.

    Returns:
        The parts of each line; empty ones for a language nobody knows.
    """
    empty: list[list[TextSpan]] = [[] for _ in lines]
    text = "\n".join(lines)
    if len(text) > _LONGEST_CODE:
        return empty
    lexer = _lexer_for(file_name)
    if lexer is None:
        return empty
    spans, row, column = empty, 0, 0
    for token, piece in lexer.get_tokens(text):
        kind = _kind_of(token)
        for index, part in enumerate(piece.split("\n")):
            if index:
                row, column = row + 1, 0
            if kind != "text" and part.strip() and row < len(spans):
                spans[row].append(TextSpan(column, column + len(part), kind))
            column += len(part)
    return spans


def load_languages() -> None:
    """Load what the colours of the commonest languages need, which takes half a second; from any thread."""
    for file_name in _COMMON:
        code_spans([" "], file_name)


def _lexer_for(file_name: str) -> Any:
    # Not loaded with the program: it costs time that its start has not.
    from pygments.lexers import get_lexer_for_filename  # noqa: PLC0415 -- only source needs it
    from pygments.util import ClassNotFound  # noqa: PLC0415 -- likewise

    try:
        return get_lexer_for_filename(file_name, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


def _kind_of(token: Any) -> SpanKind:
    path = tuple(token)
    if path[:1] == ("Comment",):
        return "comment"
    if path[:2] == ("Keyword", "Constant"):
        return "boolean"
    if path[:1] == ("Keyword",) or path == ("Operator", "Word"):
        return "keyword"
    if path[:2] == ("Name", "Function"):
        return "function"
    if path[:2] == ("Name", "Tag"):
        return "key"
    if path[:2] == ("Literal", "String"):
        return "string"
    return "number" if path[:2] == ("Literal", "Number") else "text"


_TAB_CELLS: Final = 4
_LONG_LINE: Final = 4096
# Looking at each letter of such a line would take longer than a frame.
_HUGE_LINE: Final = 200_000
_FIRST_WIDE: Final = "\u1100"


class TextRow(NamedTuple):
    """One row on the screen.

    Attributes:
        line: Index of the line it belongs to, from 0.
        start: Offset of its first letter in the text.
        end: Offset past its last letter, without the line break.
    """

    line: int
    start: int
    end: int


class TextRows:
    """Break a text into rows. Lines are found by `extend`, so that opening takes no time however large the text is.

    Rows end between words; those of lines of more than 4,096 letters end anywhere, so that each row is found at once.

    Args:
        columns: Letters in a row; None leaves each line on one row.
    """

    def __init__(self, text: str, columns: int | None = None) -> None:
        self.text = text
        self.longest = 0
        self.is_complete = False
        self._starts = array("q", [0])
        self.columns = columns
        self._steps: dict[int, int] = {}
        self._last_breaks: tuple[tuple[int, int], list[int]] = ((-1, -1), [])
        # Rows above each line; as long as `_starts`, unless lines and rows are the same.
        self._above = array("q", [0])

    @property
    def line_count(self) -> int:
        return len(self._starts) if self.is_complete else len(self._starts) - 1

    @property
    def row_count(self) -> int:
        """Return how many rows the lines found so far make."""
        return self.line_count if self.columns is None else self._above[self.line_count]

    def extend(self, lines: int) -> None:
        text, starts, above, find = self.text, self._starts, self._above, self.text.find
        start, longest, columns = starts[-1], self.longest, self.columns
        for _ in range(lines):
            if self.is_complete:
                break
            end = find("\n", start)
            last = end < 0
            end = len(text) if last else end
            longest = max(longest, end - start)
            if columns is not None:
                above.append(above[-1] + self._rows_in(start, end))
            if last:
                self.is_complete = True
            else:
                start = end + 1
                starts.append(start)
        self.longest = longest

    def grow(self, more: str) -> None:
        """Put more text at the end; its lines are found by `extend`."""
        self.text += more
        if self.is_complete:
            # The last line goes on, so it has to be found again.
            self.is_complete = False
            self._steps.pop(self._starts[-1], None)
            if self.columns is not None:
                self._above.pop()

    def row(self, index: int) -> TextRow:
        """Return a row by its index, which must be below `row_count`."""
        if self.columns is None:
            start, end = self._line_bounds(index)
            return TextRow(index, start, end)
        line = bisect_right(self._above, index, hi=self.line_count + 1) - 1
        start, end = self._line_bounds(line)
        inside = index - self._above[line]
        if end - start > _LONG_LINE:
            step = self._letters_in_row(start, end)
            first = start + inside * step
            return TextRow(line, first, min(end, first + step))
        breaks = self._breaks(start, end)
        return TextRow(line, breaks[inside], breaks[inside + 1])

    def line_start(self, line: int) -> int:
        """Return the offset of a line's first letter."""
        return self._starts[line]

    def line_end(self, line: int) -> int:
        """Return the offset past a line's last letter, without the line break."""
        return self._line_bounds(line)[1]

    def covers(self, offset: int) -> bool:
        """Tell whether the line of a letter was found already."""
        return self.is_complete or offset < self._starts[-1]

    def row_of(self, offset: int) -> int:
        """Return the index of the row that a letter stands in, of the rows found so far."""
        line = min(bisect_right(self._starts, offset) - 1, max(0, self.line_count - 1))
        if self.columns is None:
            return line
        start, end = self._line_bounds(line)
        offset = max(start, min(offset, end))
        rows = self._above[line + 1] - self._above[line]
        if end - start > _LONG_LINE:
            inside = (offset - start) // self._letters_in_row(start, end)
        else:
            inside = bisect_right(self._breaks(start, end), offset) - 1
        return self._above[line] + min(rows - 1, inside)

    def _line_bounds(self, line: int) -> tuple[int, int]:
        start = self._starts[line]
        end = self._starts[line + 1] - 1 if line + 1 < len(self._starts) else len(self.text)
        if end > start and self.text[end - 1] == "\r":
            end -= 1
        return start, end

    def _rows_in(self, start: int, end: int) -> int:
        if self.columns is None or end - start <= self.columns // _TAB_CELLS:
            return 1
        if self.text[end - 1] == "\r":
            end -= 1
        if end - start > _LONG_LINE:
            return -(-(end - start) // self._letters_in_row(start, end))
        return len(self._breaks(start, end)) - 1

    def _breaks(self, start: int, end: int) -> list[int]:
        """Return where the rows of a line begin, and its end. Words stay whole where a row is at least half full."""
        key = (start, end)
        if self._last_breaks[0] == key:
            return self._last_breaks[1]
        step = self._letters_in_row(start, end)
        breaks, first = [start], start
        while end - first > step:
            # The space behind the last word may stand past the edge.
            space = self.text.rfind(" ", first + step // 2, first + step + 1)
            first = first + step if space < 0 else space + 1
            if first < end:
                breaks.append(first)
        breaks.append(end)
        self._last_breaks = (key, breaks)
        return breaks

    def _letters_in_row(self, start: int, end: int) -> int:
        """Return how many letters of a line surely fit; wide letters take two cells, a tab four."""
        columns = self.columns or 1
        if end - start <= columns // _TAB_CELLS:
            return columns
        known = self._steps.get(start)
        if known is not None:
            return known
        if self.text.find("\t", start, end) >= 0:
            letters = max(1, columns // _TAB_CELLS)
        elif self.text.isascii() or (end - start <= _HUGE_LINE and max(self.text[start:end]) < _FIRST_WIDE):
            letters = columns
        else:
            letters = max(1, columns // 2)
        if end - start > _LONG_LINE:
            self._steps[start] = letters
        return letters


def cell_width(letter: str) -> int:
    """Return how many cells of the code face a letter takes: 0, 1, 2, or 4 for a tab."""
    if letter < "\x7f":
        return _TAB_CELLS if letter == "\t" else 1
    if unicodedata.east_asian_width(letter) in "WF":
        return 2
    return 0 if unicodedata.category(letter) in {"Mn", "Me", "Cf"} else 1


def cells_before(text: str) -> list[int]:
    """Return the cells before each letter of a short text, and at the end those of all."""
    if text.isascii() and "\t" not in text:
        return list(range(len(text) + 1))
    cells = [0]
    for letter in text:
        cells.append(cells[-1] + cell_width(letter))
    return cells
