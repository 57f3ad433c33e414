"""Make of a result what a form shows. All of it takes time, so it runs away from the window's thread."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import sys
import wave
import zlib
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QSize, Qt
from PySide6.QtGui import QImage, QImageReader

from console.json_view import SchemaHints, TextSpan, code_spans, is_container, json_text, scalar_text, summary
from console.language import number, tr
from console.viewers.representations import Content, ContentKind, Representation, delimiter_of, language_of, table_place
from console.widgets.formats import format_countdown, format_size
from tools.errors import DeclarationError
from tools.schema import MismatchFinder
from tools.spec import MISSING

LONGEST_CELL: Final = 300
_PLAIN_NUMBER: Final = 10**18
_BREAKS: Final = str.maketrans({"\n": " ", "\r": " ", "\t": " "})

Field = str | int


class TableContent(NamedTuple):
    """Rows that have the same kind of cells.

    Attributes:
        fields: Under what each column's cells are found in a row.
        rows: Objects or lists.
        place: Names and positions from the whole to the list of rows; None when the rows stand in no value.
    """

    names: tuple[str, ...]
    fields: tuple[Field, ...]
    rows: Sequence[Mapping[str, Any] | Sequence[str]]
    place: tuple[str | int, ...] | None = None

    def cell(self, row: int, column: int) -> Any:
        """Return the value of a cell; `MISSING` when the row has none there."""
        return _cell(self.rows[row], self.fields[column])


class Arrangement(NamedTuple):
    """Which rows are shown, in which order.

    Attributes:
        needle: A text that one of the cells must hold; upper and lower case are the same; "" for all rows.
        column: The column by which they are sorted; None leaves them as they come.
        descending: Whether the largest comes first.
    """

    needle: str = ""
    column: int | None = None
    descending: bool = False
    searched: tuple[int, ...] = ()


def table_of(rows: Sequence[Any], place: tuple[str | int, ...] = ()) -> TableContent:
    """Return a list of objects as a table, its columns in the order they come up; what is no object has no cells."""
    names: dict[str, None] = {}
    last: Any = None
    for row in rows:
        if isinstance(row, Mapping):
            # Rows are alike as a rule, and to compare two sets of names costs less than to join them.
            keys = row.keys()
            if last is None or keys != last:
                names.update(dict.fromkeys(keys))
                last = keys
    return TableContent(tuple(names), tuple(names), rows, place)


def table_of_csv(text: str, delimiter: str) -> TableContent:
    """Return CSV text as a table; the first row names the columns when all of its cells are different words.

    Raises:
        ValueError: The text is no table.

    Source: RFC 4180.
    """
    try:
        rows = [row for row in csv.reader(io.StringIO(text), delimiter=delimiter) if row]
    except csv.Error as error:
        msg = tr("The text is no table: {error}.", error=error)
        raise ValueError(msg) from error
    width = max(map(len, rows), default=0)
    if not width:
        msg = tr("The text is no table: it has no rows.")
        raise ValueError(msg)
    first = [name.strip() for name in rows[0]]
    has_names = len(set(first)) == len(first) and all(name and _number(name) is None for name in first)
    names = first if has_names else []
    names += [str(column + 1) for column in range(len(names), width)]
    return TableContent(tuple(names), tuple(range(width)), rows[1:] if has_names else rows)


def cell_text(value: Any) -> str:
    """Write the value of a cell on one line; of what is long its head."""
    if value is MISSING:
        return ""
    if isinstance(value, str):
        text = value[:LONGEST_CELL].translate(_BREAKS)
        return f"{text}…" if len(value) > LONGEST_CELL else text
    return summary(value) if is_container(value) else scalar_text(value)


def arranged(table: TableContent, arrangement: Arrangement) -> Sequence[int]:
    """Return the numbers of the rows that are shown, in their order."""
    chosen: Sequence[int] = range(len(table.rows))
    needle = arrangement.needle.casefold()
    if needle:
        fields = [table.fields[column] for column in arrangement.searched]
        rows = table.rows
        chosen = array("q", (row for row in chosen if _holds(rows[row], fields, needle)))
    if arrangement.column is None:
        return chosen
    field = table.fields[arrangement.column]
    keys = {row: _rank(_cell(table.rows[row], field)) for row in chosen}
    # Rows without a value come last either way, so they take no part in turning the order round.
    with_value = sorted((row for row in chosen if keys[row][0] >= 0), key=keys.__getitem__)
    if arrangement.descending:
        with_value.reverse()
    return array("q", [*with_value, *(row for row in chosen if keys[row][0] < 0)])


def csv_of(table: TableContent, rows: Iterable[int], columns: Sequence[int], delimiter: str = ",") -> str:
    """Write rows as CSV with a line of names; objects and lists are written as JSON."""
    written = io.StringIO()
    writer = csv.writer(written, delimiter=delimiter, lineterminator="\n")
    writer.writerow([table.names[column] for column in columns])
    writer.writerows([[_plain(table.cell(row, column)) for column in columns] for row in rows])
    return written.getvalue()


def json_of(table: TableContent, rows: Iterable[int], columns: Sequence[int]) -> str:
    """Write rows as a JSON list of objects; see `csv_of`."""
    objects = []
    for row in rows:
        cells = ((table.names[column], table.cell(row, column)) for column in columns)
        objects.append({name: value for name, value in cells if value is not MISSING})
    return json.dumps(objects, indent=2, ensure_ascii=False)


def _cell(row: Any, field: Field) -> Any:
    # A long table asks this half a million times, and `Mapping` takes as long as all else.
    if isinstance(row, (dict, Mapping)):
        return row.get(field, MISSING)
    return row[field] if isinstance(field, int) and isinstance(row, list) and field < len(row) else MISSING


def _holds(row: Any, fields: Sequence[Field], needle: str) -> bool:
    for field in fields:
        value = _cell(row, field)
        kind = type(value)
        if kind is str:
            text = value.casefold()
        elif kind is int:
            text = str(value) if abs(value) < _PLAIN_NUMBER else scalar_text(value)
        else:
            text = cell_text(value).casefold()
        if needle in text:
            return True
    return False


def _rank(value: Any) -> tuple[int, Any]:
    """Return what a cell is sorted by: booleans, numbers, text, the rest by size; below 0 for no value."""
    if value is MISSING or value is None or value == "":
        return -1, 0
    if isinstance(value, bool):
        return 0, value
    if isinstance(value, str):
        number = _number(value)
        return (2, value.casefold()) if number is None else (1, number)
    if isinstance(value, int | float):
        return (-1, 0) if isinstance(value, float) and math.isnan(value) else (1, value)
    return 3, len(value)


def _number(text: str) -> float | None:
    """Return the number that a text is; the cells of CSV are text, whatever they mean."""
    if not text or text[0] not in "+-.0123456789 ":
        return None
    try:
        number = float(text)
    except ValueError:
        return None
    return None if math.isnan(number) else number


def _plain(value: Any) -> Any:
    if value is MISSING or value is None:
        return ""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


_AT_ONCE: Final = 200_000
_DEEPEST: Final = 4
_SPACE: Final = re.compile(r"[ \t\n\r]*")


def read_json(text: str) -> Any:
    """Return the value of a JSON text.

    Of a large text the outer levels are read part by part, so that the window's thread gets its turn between them.

    Raises:
        ValueError: The text is no JSON.
        RecursionError: Too many values are inside each other.

    Source: RFC 8259.
    """
    if len(text) <= _AT_ONCE:
        return json.loads(text)
    reader = _Reader(text)
    value, end = reader.value(reader.after_space(0), 0)
    if reader.after_space(end) != len(text):
        raise json.JSONDecodeError("Extra data", text, end)
    return value


class _Reader:
    """Read one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._inner = json.JSONDecoder().raw_decode
        self._space = _SPACE.match

    def after_space(self, at: int) -> int:
        found = self._space(self._text, at)
        return found.end() if found is not None else at

    def value(self, at: int, depth: int) -> tuple[Any, int]:
        """Return the value that begins here, and where it ends."""
        first = self._text[at : at + 1]
        if depth < _DEEPEST and first == "[":
            return self._list(at + 1, depth + 1)
        if depth < _DEEPEST and first == "{":
            return self._object(at + 1, depth + 1)
        return self._inner(self._text, at)

    def _list(self, at: int, depth: int) -> tuple[list[Any], int]:
        values: list[Any] = []
        at = self.after_space(at)
        if self._text[at : at + 1] == "]":
            return values, at + 1
        while True:
            value, at = self.value(at, depth)
            values.append(value)
            at, is_last = self._after_part(at, "]")
            if is_last:
                return values, at

    def _object(self, at: int, depth: int) -> tuple[dict[str, Any], int]:
        values: dict[str, Any] = {}
        at = self.after_space(at)
        if self._text[at : at + 1] == "}":
            return values, at + 1
        while True:
            if self._text[at : at + 1] != '"':
                raise json.JSONDecodeError("Expecting property name enclosed in double quotes", self._text, at)
            name, at = self._inner(self._text, at)
            at = self.after_space(at)
            if self._text[at : at + 1] != ":":
                raise json.JSONDecodeError("Expecting ':' delimiter", self._text, at)
            values[sys.intern(name)], at = self.value(self.after_space(at + 1), depth)
            at, is_last = self._after_part(at, "}")
            if is_last:
                return values, at

    def _after_part(self, at: int, closing: str) -> tuple[int, bool]:
        """Return where the next part begins, or where all of them end."""
        at = self.after_space(at)
        mark = self._text[at : at + 1]
        if mark == closing:
            return at + 1, True
        if mark != ",":
            raise json.JSONDecodeError("Expecting ',' delimiter", self._text, at)
        return self.after_space(at + 1), False


HEX_BYTES: Final = 64 * 1024
"""How many bytes are written as hexadecimal numbers."""

_IN_A_ROW: Final = 16
_OBJECT_STREAM: Final = re.compile(rb"/ObjStm\b[^>]*?>>\s*stream\r?\n", re.DOTALL)
_PAGES: Final = re.compile(
    rb"/Type\s*/Pages\b(?:(?!endobj|/Type).)*?/Count\s+(\d+)|/Count\s+(\d+)(?:(?!endobj|/Count).)*?/Type\s*/Pages\b",
    re.DOTALL,
)
_MOST_STREAMS: Final = 2000
_LARGEST_STREAM: Final = 4 * 1024 * 1024
_LONGEST_PDF: Final = 256 * 1024 * 1024


def details_of(name: str, mime_type: str, data: bytes) -> list[tuple[str, str]]:
    """Return what is known of a file, as words and their values."""
    facts = [(tr("Name"), name), (tr("Type"), mime_type or tr("not said")), (tr("Size"), format_size(len(data)))]
    if mime_type == "application/pdf" or data.startswith(b"%PDF-"):
        pages = pdf_pages(data)
        facts.append((tr("Pages"), number(pages) if pages else tr("not known")))
    if mime_type.startswith("audio/"):
        length_s = _wave_length_s(data)
        facts.append((tr("Length"), tr("not known") if length_s is None else format_countdown(length_s)))
    return [(word, value) for word, value in facts if value]


def pdf_pages(data: bytes) -> int | None:
    """Return how many pages a PDF has; None when it does not tell.

    The root of the page tree counts them all, and stands in plain sight or in a compressed stream of objects.

    Source: ISO 32000-1, 7.7.3.2 and 7.5.7.
    """
    if len(data) > _LONGEST_PDF:
        return None
    counts = _counts(data)
    for at, found in enumerate(_OBJECT_STREAM.finditer(data)):
        if at >= _MOST_STREAMS:
            break
        try:
            counts += _counts(zlib.decompressobj().decompress(data[found.end() :], _LARGEST_STREAM))
        except zlib.error:
            continue
    return max(counts, default=None)


def hex_lines(data: bytes) -> str:
    """Write the first bytes as hexadecimal numbers, sixteen a line, and beside them the letters they may be."""
    lines = []
    for offset in range(0, min(len(data), HEX_BYTES), _IN_A_ROW):
        part = data[offset : offset + _IN_A_ROW]
        letters = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in part)
        lines.append(f"{offset:08x}  {part.hex(' '):<{_IN_A_ROW * 3 - 1}}  {letters}")
    if len(data) > HEX_BYTES:
        lines.append(tr("… {more:,} more bytes: save the file to have them all", more=len(data) - HEX_BYTES))
    return "\n".join(lines)


def _counts(data: bytes) -> list[int]:
    return [int(found[1] or found[2]) for found in _PAGES.finditer(data)]


def _wave_length_s(data: bytes) -> float | None:
    try:
        with wave.open(io.BytesIO(data)) as sound:
            return float(sound.getnframes() / sound.getframerate())
    except (wave.Error, EOFError, ZeroDivisionError):
        return None


_LARGEST_SIDE: Final = 4096


class NotShownError(ValueError):
    """A result does not fit a form after all; the message is for a person."""


class Source(NamedTuple):
    """A text with its colours."""

    text: str
    spans: Sequence[Sequence[TextSpan]]


def prepared(content: Content, form: Representation) -> Any:
    """Return what a form shows of a result.

    Raises:
        NotShownError: It does not fit after all.
    """
    return _MAKERS[form](content)


def hints_of(schema: Mapping[str, Any], value: Any) -> SchemaHints:
    """Return what a schema says of a result; a schema that cannot be read says nothing."""
    try:
        found = MismatchFinder(schema).find(value)
    except DeclarationError:
        return SchemaHints({})
    return SchemaHints(schema, {one.keys: one.message for one in reversed(found.found)})


def _tree(content: Content) -> Any:
    if content.kind is ContentKind.JSON:
        return content.value
    try:
        return read_json(content.value)
    except (ValueError, RecursionError) as error:
        msg = tr("The text is no JSON: {error}.", error=error)
        raise NotShownError(msg) from error


def _table(content: Content) -> TableContent:
    if content.kind is ContentKind.TEXT and (delimiter := delimiter_of(content)) and not _is_json(content):
        try:
            return table_of_csv(content.value, delimiter)
        except ValueError as error:
            raise NotShownError(str(error)) from error
    value = _tree(content)
    place = content.place if content.place is not None else table_place(value)
    if place is None:
        msg = tr("There is no list of objects to be shown as a table.")
        raise NotShownError(msg)
    for key in place:
        value = value[key]
    return table_of(value, place)


def _is_json(content: Content) -> bool:
    return language_of(content).endswith(".json")


def _text(content: Content) -> str:
    if content.kind is ContentKind.JSON:
        try:
            return json_text(content.value)
        except RecursionError as error:
            msg = tr("Too many values inside each other to be written as text. The tree shows them one by one.")
            raise NotShownError(msg) from error
    if language_of(content).endswith((".html", ".htm")):
        return _text_of_page(content.value)
    return str(content.value)


def _text_of_page(page: str) -> str:
    """Return what a person would read of a page of HTML."""
    from selectolax.lexbor import LexborHTMLParser  # noqa: PLC0415 -- few results are pages

    body = LexborHTMLParser(page)
    body.strip_tags(["script", "style", "noscript", "template"], recursive=True)
    lines = (line.strip() for line in (body.body or body.root).text(separator="\n").splitlines())  # type: ignore[union-attr]
    return "\n".join(line for line in lines if line)


def _source(content: Content) -> Source:
    text = content.value.decode(errors="replace") if isinstance(content.value, bytes) else content.value
    return Source(text, code_spans(text.split("\n"), language_of(content)))


def _rendered(content: Content) -> str:
    return str(content.value)


def _picture(content: Content) -> QImage:
    buffer = QBuffer()
    buffer.setData(QByteArray(content.value))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer)
    reader.setAutoTransform(True)
    size = reader.size()
    if size.width() > _LARGEST_SIDE or size.height() > _LARGEST_SIDE:
        limit = QSize(_LARGEST_SIDE, _LARGEST_SIDE)
        reader.setScaledSize(size.scaled(limit, Qt.AspectRatioMode.KeepAspectRatio))
    image = reader.read()
    if image.isNull():
        msg = tr("The picture cannot be shown: {error}.", error=reader.errorString().rstrip("."))
        raise NotShownError(msg)
    return image


def _details(content: Content) -> list[tuple[str, str]]:
    return details_of(content.name, content.mime_type, content.value)


def _bytes(content: Content) -> str:
    return hex_lines(content.value)


_MAKERS: Final[Mapping[Representation, Callable[[Content], Any]]] = MappingProxyType(
    {
        Representation.TREE: _tree,
        Representation.TABLE: _table,
        Representation.RENDERED: _rendered,
        Representation.PICTURE: _picture,
        Representation.DETAILS: _details,
        Representation.TEXT: _text,
        Representation.SOURCE: _source,
        Representation.BYTES: _bytes,
    }
)
