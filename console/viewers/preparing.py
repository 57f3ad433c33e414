"""Make of a result what a form shows. All of it takes time, so it runs away from the window's thread."""

from __future__ import annotations

import io
import json
import re
import sys
import wave
import zlib
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QSize, Qt
from PySide6.QtGui import QImage, QImageReader

from console.json_view import SchemaHints, TextSpan, code_spans, json_text
from console.viewers.forms import Content, ContentKind, ResultForm, delimiter_of, language_of, table_place
from console.viewers.tabular import TableContent, table_of, table_of_csv
from console.widgets.formats import format_countdown, format_size
from tools.errors import DeclarationError
from tools.schema import mismatches

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
    facts = [("Name", name), ("Type", mime_type or "not said"), ("Size", format_size(len(data)))]
    if mime_type == "application/pdf" or data.startswith(b"%PDF-"):
        pages = pdf_pages(data)
        facts.append(("Pages", f"{pages:,}" if pages else "not known"))
    if mime_type.startswith("audio/"):
        length_s = _wave_length_s(data)
        facts.append(("Length", "not known" if length_s is None else format_countdown(length_s)))
    return [(word, value) for word, value in facts if value]


def pdf_pages(data: bytes) -> int | None:
    """Return how many pages a PDF has; None when it does not tell.

    The root of the page tree counts them all, and stands in plain sight or in a compressed stream of objects.

    Source: ISO 32000-1, 7.7.3.2 and 7.5.7.
    """
    if len(data) > _LONGEST_PDF:
        return None
    counts = _counts(data)
    for number, found in enumerate(_OBJECT_STREAM.finditer(data)):
        if number >= _MOST_STREAMS:
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
        lines.append(f"… {len(data) - HEX_BYTES:,} more bytes: save the file to have them all")
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


def prepared(content: Content, form: ResultForm) -> Any:
    """Return what a form shows of a result.

    Raises:
        NotShownError: It does not fit after all.
    """
    return _MAKERS[form](content)


def hints_of(schema: Mapping[str, Any], value: Any) -> SchemaHints:
    """Return what a schema says of a result; a schema that cannot be read says nothing."""
    try:
        found = mismatches(schema, value)
    except DeclarationError:
        return SchemaHints({})
    return SchemaHints(schema, {one.keys: one.message for one in reversed(found.found)})


def _tree(content: Content) -> Any:
    if content.kind is ContentKind.JSON:
        return content.value
    try:
        return read_json(content.value)
    except (ValueError, RecursionError) as error:
        msg = f"The text is no JSON: {error}."
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
        msg = "There is no list of objects to be shown as a table."
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
            msg = "Too many values inside each other to be written as text. The tree shows them one by one."
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
        msg = f"The picture cannot be shown: {reader.errorString().rstrip('.')}."
        raise NotShownError(msg)
    return image


def _details(content: Content) -> list[tuple[str, str]]:
    return details_of(content.name, content.mime_type, content.value)


def _bytes(content: Content) -> str:
    return hex_lines(content.value)


_MAKERS: Final[Mapping[ResultForm, Callable[[Content], Any]]] = MappingProxyType(
    {
        ResultForm.TREE: _tree,
        ResultForm.TABLE: _table,
        ResultForm.RENDERED: _rendered,
        ResultForm.PICTURE: _picture,
        ResultForm.DETAILS: _details,
        ResultForm.TEXT: _text,
        ResultForm.SOURCE: _source,
        ResultForm.BYTES: _bytes,
    }
)
