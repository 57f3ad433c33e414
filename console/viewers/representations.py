"""What a result is, and in which forms it can be shown: found from its beginning, in no time however large it is.

A new form is a member of the enumeration here, its preparation in `preparing.py` and a page of `ContentView`.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Mapping
from enum import Enum
from pathlib import PurePath
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from console.json_view import is_list_of_rows
from console.language import tr

_HEAD: Final = 4000
_LEAST_CSV_LINES: Final = 3
_DELIMITERS: Final = ",\t;|"
_MARKDOWN: Final = "a.md"
_JSON: Final = "a.json"
_HTML: Final = "a.html"

_HTML_START: Final = re.compile(r"\s*(?:<!doctype html|<html[\s>])", re.IGNORECASE)
_JSON_START: Final = re.compile(r'\s*(?:\{\s*["}]|\[\s*[\[\]{"\dtfn-])')
_LANGUAGE_BY_START: Final = MappingProxyType(
    {
        "a.xml": re.compile(r"\s*<(?:\?xml|svg)\b"),
        "a.diff": re.compile(r"(?:diff --git |--- .*\n\+\+\+ )"),
        "a.py": re.compile(r"#!.*\bpython|(?:from \S+ )?import \w|(?:async )?def \w+\(|class \w+.*:\n"),
        "a.sh": re.compile(r"#!.*\b(?:ba)?sh\b"),
    }
)
_MARKDOWN_SIGNS: Final = (
    re.compile(r"^#{1,6} \S", re.MULTILINE),
    re.compile(r"^(?:```|~~~)", re.MULTILINE),
    re.compile(r"\[[^\]\n]+\]\([^)\s]+\)"),
    re.compile(r"\*\*[^*\n]+\*\*"),
    re.compile(r"^\s*(?:[-*+]|\d+\.) \S", re.MULTILINE),
    re.compile(r"^\|.*\|\s*\n\|[-:| ]+\|", re.MULTILINE),
    re.compile(r"(?<!`)`[^`\n]+`(?!`)"),
)
_LEAST_SIGNS: Final = 2
_NAME_BY_MIME: Final = MappingProxyType(
    {
        "application/json": _JSON,
        "text/markdown": _MARKDOWN,
        "text/html": _HTML,
        "text/csv": "a.csv",
        "text/tab-separated-values": "a.tsv",
        "application/xml": "a.xml",
        "text/xml": "a.xml",
        "image/svg+xml": "a.xml",
        "application/yaml": "a.yaml",
        "application/toml": "a.toml",
        "application/sql": "a.sql",
        "application/javascript": "a.js",
        "text/javascript": "a.js",
        "text/x-python": "a.py",
    }
)
_TEXT_MIME: Final = re.compile(r"text/|.*\+(?:json|xml)$")
_NEVER_TEXT: Final = ("image/", "audio/", "video/", "font/", "application/pdf")
_TABLES: Final = frozenset({".csv", ".tsv"})
_PLAIN: Final = frozenset({"", ".txt", ".log", ".text"})


class ContentKind(Enum):
    """What a result is."""

    JSON = "json"
    TEXT = "text"
    BYTES = "bytes"
    NOTHING = "nothing"


class Content(NamedTuple):
    """A result as it is shown.

    Attributes:
        value: The plain value, the text, or the bytes.
        name: A file name that says more; "" for none.
        mime_type: Such as `text/markdown`; "" when nobody said.
        schema: The JSON Schema that the value was promised to fit; None when nobody promised anything.
        place: Where the list stands that is shown as a table; None takes the first one.
    """

    kind: ContentKind
    value: Any = None
    name: str = ""
    mime_type: str = ""
    schema: Mapping[str, Any] | None = None
    place: tuple[str | int, ...] | None = None


class Representation(Enum):
    """How a result can be shown."""

    TREE = "tree"
    TABLE = "table"
    RENDERED = "rendered"
    PICTURE = "picture"
    DETAILS = "details"
    TEXT = "text"
    SOURCE = "source"
    BYTES = "bytes"

    @property
    def title(self) -> str:
        """The word people choose it by."""
        return _TITLES[self]


_TITLES: Final = {
    Representation.TREE: tr("Tree"),
    Representation.TABLE: tr("Table"),
    Representation.RENDERED: tr("Rendered"),
    Representation.PICTURE: tr("Picture"),
    Representation.DETAILS: tr("Details"),
    Representation.TEXT: tr("Text"),
    Representation.SOURCE: tr("Source", "of a text"),
    Representation.BYTES: tr("Bytes"),
}


def table_place(value: Any) -> tuple[str | int, ...] | None:
    """Return where the first list of objects stands, in the whole or directly inside; None when there is none."""
    if is_list_of_rows(value):
        return ()
    if isinstance(value, Mapping):
        for name, part in value.items():
            if is_list_of_rows(part):
                return (name,)
    return None


def first_look(value: Any) -> tuple[str | int, ...]:
    """Return where the first of the things stands that a result lists; the whole when it lists none."""
    place = table_place(value)
    return () if place is None else (*place, 0)


def file_content(name: str, mime_type: str, data: bytes) -> Content:
    """Return a file as what it is: text, when its type says so or its beginning looks like it; else bytes."""
    is_text = mime_type in _NAME_BY_MIME or _TEXT_MIME.match(mime_type) is not None or _looks_like_text(data)
    if is_text and not mime_type.startswith(_NEVER_TEXT):
        text = _decoded(data)
        if text is not None:
            return Content(ContentKind.TEXT, text, name, mime_type)
    return Content(ContentKind.BYTES, data, name, mime_type)


def language_of(content: Content) -> str:
    """Return a file name whose ending says what a text is; "" for plain text."""
    named = _NAME_BY_MIME.get(content.mime_type, "")
    if named:
        return named
    if PurePath(content.name).suffix.lower() not in _PLAIN:
        return PurePath(content.name).name
    head = content.value[:_HEAD] if isinstance(content.value, str) else ""
    if _JSON_START.match(head) and content.value.rstrip()[-1] in "}]":
        return _JSON
    if _HTML_START.match(head):
        return _HTML
    for language, start in _LANGUAGE_BY_START.items():
        if start.match(head):
            return language
    return _MARKDOWN if sum(sign.search(head) is not None for sign in _MARKDOWN_SIGNS) >= _LEAST_SIGNS else ""


def suffix_of(content: Content) -> str:
    """Return how the name of a file ends that a value or a text is saved to."""
    if content.kind is ContentKind.JSON:
        return ".json"
    return PurePath(language_of(content)).suffix or ".txt"


def delimiter_of(content: Content) -> str:
    """Return what parts the cells of a text that is a table; "" when it is none."""
    if PurePath(content.name).suffix.lower() == ".tsv" or content.mime_type == "text/tab-separated-values":
        return "\t"
    head = content.value[:_HEAD]
    lines = head.splitlines()
    if len(content.value) > _HEAD:
        lines = lines[:-1]
    for delimiter in _DELIMITERS:
        try:
            widths = {len(row) for row in csv.reader(io.StringIO("\n".join(lines)), delimiter=delimiter) if row}
        except csv.Error:
            continue
        if len(widths) == 1 and widths != {1} and len(lines) >= _LEAST_CSV_LINES:
            return delimiter
    return "," if is_table_file(content) else ""


def is_table_file(content: Content) -> bool:
    """Tell whether the maker of a text says that it is a table."""
    return PurePath(content.name).suffix.lower() in _TABLES or content.mime_type == "text/csv"


def representations_of(content: Content) -> tuple[Representation, ...]:
    """Return the forms that fit a result, the best one first; a form may still turn out not to fit."""
    if content.kind is ContentKind.JSON:
        if table_place(content.value) is None:
            return (Representation.TREE, Representation.TEXT)
        rows_first = _is_read_table(content.value)
        return (
            (Representation.TABLE, Representation.TREE, Representation.TEXT)
            if rows_first
            else (Representation.TREE, Representation.TABLE, Representation.TEXT)
        )
    if content.kind is ContentKind.TEXT:
        return _forms_of_text(content)
    if content.kind is ContentKind.BYTES:
        if content.mime_type == "image/svg+xml":
            return (Representation.PICTURE, Representation.SOURCE)
        is_picture = content.mime_type.startswith("image/")
        return (
            (Representation.PICTURE, Representation.DETAILS, Representation.BYTES)
            if is_picture
            else (Representation.DETAILS, Representation.BYTES)
        )
    return ()


def _is_read_table(value: Any) -> bool:
    """Tell whether a result is what a tool read out of a table file: it names the file beside the rows."""
    if not isinstance(value, Mapping):
        return False
    names = (part for part in value.values() if isinstance(part, str))
    return any(PurePath(name).suffix.lower() in _TABLES for name in names)


def _forms_of_text(content: Content) -> tuple[Representation, ...]:
    if is_table_file(content):
        return (Representation.TABLE, Representation.TEXT)
    language = language_of(content)
    suffix = PurePath(language).suffix.lower()
    if suffix == ".json":
        return (Representation.TREE, Representation.TABLE, Representation.TEXT)
    if suffix in {".md", ".markdown"}:
        return (Representation.RENDERED, Representation.SOURCE)
    if suffix in {".html", ".htm"}:
        return (Representation.SOURCE, Representation.TEXT)
    if language:
        return (Representation.SOURCE,)
    return (Representation.TABLE, Representation.TEXT) if delimiter_of(content) else (Representation.TEXT,)


def _looks_like_text(data: bytes) -> bool:
    head = data[:_HEAD]
    if b"\0" in head:
        return False
    try:
        # A letter may be cut in two at the end of the head.
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return False
    return bool(head)


def _decoded(data: bytes) -> str | None:
    """Return bytes as text; None when they are none."""
    for mark, encoding in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if data.startswith(mark):
            return data.decode(encoding, errors="replace")
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None if b"\0" in data[:_HEAD] else data.decode("latin-1")
