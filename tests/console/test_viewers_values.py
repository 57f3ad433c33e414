"""What results are, which forms fit them, and what the forms show: without any widget."""

from __future__ import annotations

import io
import json
import wave
import zlib
from typing import Any

import pytest
from PySide6.QtCore import QBuffer, QByteArray, Qt
from PySide6.QtGui import QImage, QImageWriter

from console.viewers import Content, ContentKind, Representation, file_content, first_look, suffix_of
from console.viewers.preparing import (
    HEX_BYTES,
    Arrangement,
    NotShownError,
    arranged,
    cell_text,
    csv_of,
    details_of,
    hex_lines,
    hints_of,
    json_of,
    pdf_pages,
    prepared,
    read_json,
    table_of,
    table_of_csv,
)
from console.viewers.representations import delimiter_of, language_of, representations_of
from tools.spec import MISSING

TREE, TABLE, TEXT, SOURCE = Representation.TREE, Representation.TABLE, Representation.TEXT, Representation.SOURCE
CSV = "city,people\nOslo,700000\nRome,2800000\n"
MARKDOWN = "# Title\n\nSome **bold** words and [a link](https://example.org).\n"
PDF = (
    b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n"
    b"2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 7 >>\nendobj\n"
)


def text(value: str, name: str = "", mime_type: str = "") -> Content:
    return Content(ContentKind.TEXT, value, name, mime_type)


def value(of: Any) -> Content:
    return Content(ContentKind.JSON, of)


def png(width: int = 900, height: int = 40) -> bytes:
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.red)
    buffer = QBuffer()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    assert QImageWriter(buffer, QByteArray(b"PNG")).write(image)
    return bytes(buffer.data().data())


def wav(seconds: int) -> bytes:
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(1)
        sound.setframerate(8000)
        sound.writeframes(b"\0" * 8000 * seconds)
    return file.getvalue()


@pytest.mark.parametrize(
    ("content", "forms"),
    [
        (value({"a": 1}), (TREE, TEXT)),
        (value([{"a": 1}]), (TREE, TABLE, TEXT)),
        (value({"rows": [{"a": 1}]}), (TREE, TABLE, TEXT)),
        (value([1, 2]), (TREE, TEXT)),
        (text("plain words, and more"), (TEXT,)),
        (text(""), (TEXT,)),
        (text('  {"a": 1}\n'), (TREE, TABLE, TEXT)),
        (text("[1, 2]"), (TREE, TABLE, TEXT)),
        (text("[note] it works]"), (TREE, TABLE, TEXT)),
        (text("[see below] for more"), (TEXT,)),
        (text("{curly} words}"), (TEXT,)),
        (text(MARKDOWN), (Representation.RENDERED, SOURCE)),
        (text("# only a comment\nls -la\n"), (TEXT,)),
        (text("<!DOCTYPE html><p>x"), (SOURCE, TEXT)),
        (text("<?xml version='1.0'?><a/>"), (SOURCE,)),
        (text("diff --git a/x b/x\n"), (SOURCE,)),
        (text("import os\n"), (SOURCE,)),
        (text(CSV), (TABLE, TEXT)),
        (text("a;b\n1;2\n3;4\n"), (TABLE, TEXT)),
        (value({"path": "data/a.csv", "rows": [{"a": 1}]}), (TABLE, TREE, TEXT)),
        (value({"path": "data/a.json", "rows": [{"a": 1}]}), (TREE, TABLE, TEXT)),
        (text("a\n", "a.csv"), (TABLE, TEXT)),
        (text("x = 1", "x.py"), (SOURCE,)),
        (text("x", "notes.txt"), (TEXT,)),
        (text("x", mime_type="text/markdown"), (Representation.RENDERED, SOURCE)),
        (
            Content(ContentKind.BYTES, b"x", "a.png", "image/png"),
            (Representation.PICTURE, Representation.DETAILS, Representation.BYTES),
        ),
        (Content(ContentKind.BYTES, b"x", "a.svg", "image/svg+xml"), (Representation.PICTURE, SOURCE)),
        (Content(ContentKind.BYTES, b"x", "a.bin", ""), (Representation.DETAILS, Representation.BYTES)),
        (Content(ContentKind.NOTHING), ()),
    ],
)
def test_only_forms_that_fit_are_offered(content: Content, forms: tuple[Representation, ...]) -> None:
    assert representations_of(content) == forms


@pytest.mark.parametrize(
    ("value", "keys"),
    [
        ({"query": "x", "matches": [{"a": 1}]}, ("matches", 0)),
        ({"names": ["a"]}, ()),
        ([{"a": 1}], (0,)),
        ([], ()),
        (3, ()),
    ],
)
def test_the_first_thing_found_is_looked_at_first(value: Any, keys: tuple[Any, ...]) -> None:
    assert first_look(value) == keys


@pytest.mark.parametrize(
    ("name", "mime_type", "data", "kind", "shown"),
    [
        ("a.txt", "text/plain", "größe".encode(), ContentKind.TEXT, "größe"),
        ("a.txt", "text/plain", "größe".encode("latin-1"), ContentKind.TEXT, "größe"),
        ("a.txt", "text/plain", "größe".encode("utf-16"), ContentKind.TEXT, "größe"),
        ("a", "application/octet-stream", b"only letters", ContentKind.TEXT, "only letters"),
        ("a", "application/octet-stream", ("é" * 4000).encode(), ContentKind.TEXT, "é" * 4000),
        ("a", "application/octet-stream", b"\0\1\2", ContentKind.BYTES, b"\0\1\2"),
        ("a.txt", "text/plain", b"\0\xff\2", ContentKind.BYTES, b"\0\xff\2"),
        ("a.svg", "image/svg+xml", b"<svg/>", ContentKind.BYTES, b"<svg/>"),
        ("a.pdf", "application/pdf", PDF, ContentKind.BYTES, PDF),
        ("a", "", b"", ContentKind.BYTES, b""),
    ],
)
def test_a_file_is_text_when_it_reads_as_text(
    name: str, mime_type: str, data: bytes, kind: ContentKind, shown: Any
) -> None:
    assert file_content(name, mime_type, data) == Content(kind, shown, name, mime_type)


def test_the_type_decides_about_the_language_before_the_name() -> None:
    assert language_of(text("x", "notes.txt", "application/json")) == "a.json"
    assert language_of(text("x", "folder/query.sql")) == "query.sql"
    assert language_of(text("#!/usr/bin/env python3\n")) == "a.py"


@pytest.mark.parametrize(
    ("words", "delimiter"),
    [
        (CSV, ","),
        ("a\tb\n1\t2\n3\t4\n", "\t"),
        ("a;b\n1;2\n3;4\n", ";"),
        ('a,b\n"x, y",2\n3,4\n', ","),
        ("one, two\nand three, four, five\nsix, seven\n", ""),
        ("a,b\n1,2\n", ""),
        ("no table at all", ""),
    ],
)
def test_a_table_has_the_same_number_of_cells_in_each_line(words: str, delimiter: str) -> None:
    assert delimiter_of(text(words)) == delimiter


ROWS = [
    {"name": "pear", "price": 3, "tags": ["a"]},
    {"name": "Apple", "price": 10},
    {"name": None, "price": 2.5, "sold": True},
    "no object",
    {"name": "fig", "price": "n/a", "tags": []},
]


def test_columns_come_up_in_the_order_of_the_rows() -> None:
    table = table_of(ROWS, ("rows",))

    assert table.names == ("name", "price", "tags", "sold")
    assert [table.cell(row, 1) for row in range(5)] == [3, 10, 2.5, MISSING, "n/a"]
    assert table.place == ("rows",)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (MISSING, ""),
        (None, "null"),
        (True, "true"),
        (1.5, "1.5"),
        ("two\nlines", "two lines"),
        ("x" * 500, "x" * 300 + "…"),
        ([1, 2], "2 items"),
        ({"a": 1}, "{ a: 1 }"),
    ],
)
def test_a_cell_is_one_line(value: Any, words: str) -> None:
    assert cell_text(value) == words


@pytest.mark.parametrize(
    ("arrangement", "rows"),
    [
        (Arrangement(), [0, 1, 2, 3, 4]),
        (Arrangement(column=0), [1, 4, 0, 2, 3]),
        (Arrangement(column=0, descending=True), [0, 4, 1, 2, 3]),
        (Arrangement(column=1), [2, 0, 1, 4, 3]),
        (Arrangement(column=2), [4, 0, 1, 2, 3]),
        (Arrangement("P", searched=(0, 1)), [0, 1]),
        (Arrangement("p", 1, descending=True, searched=(0,)), [1, 0]),
        (Arrangement("3", searched=(0,)), []),
        (Arrangement("item", searched=(2,)), [0]),
    ],
)
def test_rows_are_chosen_and_sorted(arrangement: Arrangement, rows: list[int]) -> None:
    assert list(arranged(table_of(ROWS), arrangement)) == rows


def test_numbers_in_csv_are_sorted_as_numbers() -> None:
    table = table_of_csv("n,x\n10,a\n9,b\n-1,c\nnan,d\n,e\n", ",")

    assert table.names == ("n", "x")
    assert [table.cell(row, 1) for row in arranged(table, Arrangement(column=0))] == ["c", "b", "a", "d", "e"]


def test_csv_without_names_and_with_short_rows_is_read() -> None:
    table = table_of_csv('1,2\n3\n"a,b",4,5\n', ",")

    assert table.names == ("1", "2", "3")
    assert len(table.rows) == 3
    assert table.cell(2, 0) == "a,b"
    assert table.cell(1, 2) is MISSING


@pytest.mark.parametrize("words", ["", "\n\n", f'"{"x" * 140_000}"'])
def test_what_is_no_table_is_refused(words: str) -> None:
    with pytest.raises(ValueError, match=r"The text is no table: .*\."):
        table_of_csv(words, ",")


def test_rows_are_written_as_csv_and_json() -> None:
    table = table_of(ROWS)

    assert csv_of(table, [4, 0], [0, 2]) == 'name,tags\nfig,[]\npear,"[""a""]"\n'
    assert csv_of(table, [2], [0, 3], "\t") == "name\tsold\n\ttrue\n"
    assert json.loads(json_of(table, [2, 1], [1, 3, 0])) == [
        {"price": 2.5, "sold": True, "name": None},
        {"price": 10, "name": "Apple"},
    ]


@pytest.mark.parametrize(
    ("content", "form", "shown"),
    [
        (value({"a": 1}), TEXT, '{\n  "a": 1\n}'),
        (text('{"a": 12345678901234567890}'), TREE, {"a": 12345678901234567890}),
        (text("<html><style>p {}</style><p>One<script>x()</script></p><p>Two</p>"), TEXT, "One\nTwo"),
        (text(MARKDOWN), Representation.RENDERED, MARKDOWN),
        (Content(ContentKind.BYTES, b"AB\0"), Representation.BYTES, f"00000000  41 42 00{' ' * 39}  AB."),
    ],
)
def test_a_form_shows_what_is_made_for_it(content: Content, form: Representation, shown: Any) -> None:
    assert prepared(content, form) == shown


def test_source_is_coloured() -> None:
    made = prepared(text("def run():\n    return 1\n", "a.py"), SOURCE)

    assert made.text == "def run():\n    return 1\n"
    assert [span.kind for span in made.spans[0]] == ["keyword", "function"]
    svg = prepared(Content(ContentKind.BYTES, b"<svg></svg>", "a.svg", "image/svg+xml"), SOURCE)
    assert (svg.text, svg.spans[0][0].kind) == ("<svg></svg>", "key")


def test_a_table_is_made_of_values_json_text_and_csv() -> None:
    assert prepared(value({"n": 1, "rows": [{"a": 1}]}), TABLE).place == ("rows",)
    assert prepared(value({"rows": [{"a": 1}], "more": [{"b": 2}]})._replace(place=("more",)), TABLE).names == ("b",)
    assert prepared(text('[{"a": 1}]'), TABLE).names == ("a",)
    assert prepared(text(CSV), TABLE).names == ("city", "people")


@pytest.mark.parametrize(
    ("content", "form", "message"),
    [
        (text("[note] it works]"), TREE, "The text is no JSON: "),
        (text("[1, 2]"), TABLE, "There is no list of objects to be shown as a table."),
        (text("", "a.csv"), TABLE, "The text is no table: it has no rows."),
        (Content(ContentKind.BYTES, b"no picture"), Representation.PICTURE, "The picture cannot be shown: "),
    ],
)
def test_what_does_not_fit_a_form_is_said(content: Content, form: Representation, message: str) -> None:
    with pytest.raises(NotShownError, match=message):
        prepared(content, form)


def test_a_value_too_deep_for_text_is_said() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]

    with pytest.raises(NotShownError, match="The tree shows them one by one"):
        prepared(value(deep), TEXT)
    with pytest.raises(NotShownError, match="no JSON"):
        prepared(text("[" * 100_000 + "]" * 100_000), TREE)


def test_a_huge_picture_is_read_smaller() -> None:
    image = prepared(Content(ContentKind.BYTES, png(5000, 20)), Representation.PICTURE)

    assert (image.width(), image.height()) == (4096, 16)


def test_hints_tell_the_first_thing_wrong_with_a_value() -> None:
    hints = hints_of({"properties": {"a": {"type": "string", "minLength": 2}}}, {"a": 1})
    assert hints.problem_by_keys == {("a",): "expected a text of at least 2 characters"}
    assert hints_of({"type": "nonsense"}, 1).problem_by_keys == {}


def test_the_pages_of_a_pdf_are_counted() -> None:
    hidden = zlib.compress(b"<< /Count 12 /Kids [1 0 R] /Type /Pages >>")
    packed = b"%PDF-1.5\n5 0 obj\n<< /Type /ObjStm /Length 9 >>\nstream\r\n" + hidden + b"\nendstream\nendobj\n"

    assert pdf_pages(PDF) == 7
    assert pdf_pages(packed) == 12
    assert pdf_pages(b"%PDF-1.5\n<< /Type /ObjStm >>\nstream\nbroken") is None


@pytest.mark.parametrize(
    ("name", "mime_type", "data", "facts"),
    [
        ("a.wav", "audio/wav", wav(65), {"Name": "a.wav", "Type": "audio/wav", "Size": "508 KB", "Length": "1:05"}),
        ("a.mp3", "audio/mpeg", b"ID3", {"Name": "a.mp3", "Type": "audio/mpeg", "Size": "3 B", "Length": "not known"}),
        ("a.pdf", "application/pdf", PDF, {"Name": "a.pdf", "Type": "application/pdf", "Size": "115 B", "Pages": "7"}),
        ("", "", b"x", {"Type": "not said", "Size": "1 B"}),
    ],
)
def test_what_is_known_of_a_file_is_told(name: str, mime_type: str, data: bytes, facts: dict[str, str]) -> None:
    assert dict(details_of(name, mime_type, data)) == facts


def test_only_the_first_bytes_are_written() -> None:
    lines = hex_lines(b"\xff" * (HEX_BYTES + 5)).splitlines()

    assert len(lines) == HEX_BYTES // 16 + 1
    assert lines[1].startswith("00000010  ff ff")
    assert lines[-1] == "… 5 more bytes: save the file to have them all"


LARGE: Any = {
    "names": ['ä"\\n', "", "x" * 50] * 1500,
    "deep": [[[[[{"a": [1, [2, {}]]}]]]]] * 10,
    "rows": [{"n": number, "f": number / 7, "b": True, "z": None, "s": {}} for number in range(4000)],
    "big": 12345678901234567890123,
    "empty": [{}, [], ""],
}


@pytest.mark.parametrize("indent", [None, 1])
def test_large_json_is_read_as_pythons_own_reader_does(indent: int | None) -> None:
    written = json.dumps(LARGE, indent=indent) + "\n"

    assert len(written) > 200_000
    assert read_json(written) == json.loads(written) == LARGE
    assert read_json("[1]") == [1]


@pytest.mark.parametrize(
    "broken",
    [
        "[%s",
        "[%s,]",
        "[%s}",
        "[%s] 1",
        "{%s}",
        '{"a" %s}',
        '{"a": %s',
        '{"a": %s "b": 1}',
        '{"a": %s, 1}',
        '{"a": [%s}',
    ],
)
def test_large_json_that_is_broken_is_refused_where_pythons_own_reader_does(broken: str) -> None:
    written = broken % json.dumps(["x" * 100] * 3000)

    with pytest.raises(json.JSONDecodeError) as own:
        json.loads(written)
    with pytest.raises(json.JSONDecodeError) as ours:
        read_json(written)
    assert ours.value.msg == own.value.msg
    assert abs(ours.value.pos - own.value.pos) <= 2


@pytest.mark.parametrize(
    ("content", "suffix"),
    [(value(1), ".json"), (text("plain"), ".txt"), (text(MARKDOWN), ".md"), (text("<html></html>"), ".html")],
)
def test_the_name_of_a_saved_result_says_what_it_is(content: Content, suffix: str) -> None:
    assert suffix_of(content) == suffix
