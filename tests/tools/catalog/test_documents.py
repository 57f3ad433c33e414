"""The document tools on real documents, and on files that are none."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import openpyxl
import pytest

from tests.tools.catalog.calling import Reviewer, failure_of, result_of
from tests.tools.catalog.sample_documents import add_documents, docx_bytes, epub_bytes, pdf_of, xlsx_bytes
from tools.catalog.documents import DocumentTools


@pytest.fixture
def project(project: Path) -> Path:
    return add_documents(project)


@pytest.fixture
def run(project: Path) -> Callable[..., Any]:
    return lambda tool, **more: result_of(DocumentTools, tool, more, project, Reviewer())


@pytest.fixture
def fail(project: Path) -> Callable[..., str]:
    return lambda tool, **more: failure_of(DocumentTools, tool, more, project, Reviewer())


@pytest.mark.reference("C49")
class TestPdf:
    def test_text_comes_page_by_page(self, run: Callable[..., Any]) -> None:
        found = run("read_pdf", path="docs/report.pdf", pages="3,1-2")
        assert [(page.page, page.text) for page in found.pages] == [
            (3, "The last page"),
            (1, "The first page"),
            (2, "The licence of Mira"),
        ]
        cut = run("read_pdf", path="docs/report.pdf", max_chars=20)
        assert (len(cut.pages), cut.truncated, cut.page_count) == (2, True, 3)

    def test_facts_outline_and_fields(self, run: Callable[..., Any]) -> None:
        report, form = run("inspect_pdf", path="docs/report.pdf"), run("inspect_pdf", path="docs/form.pdf")
        assert (report.page_count, report.page_width_pt, report.metadata["Title"]) == (3, 612.0, "A report")
        assert [(entry.title, entry.page) for entry in report.outline] == [("Part 1", 1), ("Part 2", 2), ("Part 3", 3)]
        assert [(field.name, field.kind, field.value) for field in form.fields] == [
            ("name", "text", None),
            ("town", "text", None),
        ]

    def test_files_are_merged_taken_apart_and_turned(self, run: Callable[..., Any]) -> None:
        run("merge_pdfs", paths=["docs/report.pdf", "docs/form.pdf"], target="out/all.pdf", create_folders=True)
        run("extract_pdf_pages", path="out/all.pdf", pages="-1,2", rotate_degrees=90, target="out/two.pdf")
        parts = run("split_pdf", path="out/all.pdf", folder="out", pages_each=3)
        pages = run("read_pdf", path="out/two.pdf").pages
        assert [page.text for page in pages] == ["A form", "The licence of Mira"]
        assert [part.path for part in parts.files] == ["out/all-001.pdf", "out/all-002.pdf"]
        assert run("inspect_pdf", path="out/all-002.pdf").page_count == 1

    def test_a_form_is_filled(self, run: Callable[..., Any], fail: Callable[..., str]) -> None:
        run("fill_pdf_form", path="docs/form.pdf", values={"name": "Jörg"}, target="docs/filled.pdf")
        fields = run("inspect_pdf", path="docs/filled.pdf").fields
        assert [field.value for field in fields] == ["Jörg", None]
        message = fail("fill_pdf_form", path="docs/form.pdf", values={"x": "y"}, target="docs/other.pdf")
        assert "no field 'x'; its fields are: name, town" in message

    def test_an_encrypted_file_needs_its_password(
        self, project: Path, run: Callable[..., Any], fail: Callable[..., str]
    ) -> None:
        (project / "locked.pdf").write_bytes(pdf_of("secret words", password="opensesame"))
        assert "pass its password" in fail("read_pdf", path="locked.pdf")
        assert "the password is wrong" in fail("read_pdf", path="locked.pdf", password="x")
        assert run("read_pdf", path="locked.pdf", password="opensesame").pages[0].text == "secret words"

    @pytest.mark.parametrize(
        "content",
        [b"", b"%PDF-1.7\n", b"hello", pdf_of("x")[:200], b"%PDF-1.7\n" + b"\xff" * 5000, pdf_of("x")[::-1]],
    )
    def test_a_broken_file_is_told(self, project: Path, fail: Callable[..., str], content: bytes) -> None:
        (project / "broken.pdf").write_bytes(content)
        for tool in ("read_pdf", "inspect_pdf"):
            assert "'broken.pdf' is no PDF that can be read" in fail(tool, path="broken.pdf")

    @pytest.mark.parametrize(
        ("pages", "word"), [("4", "no page 4"), ("0", "no page 0"), ("2-9", "no page 2-9"), ("-", "no page")]
    )
    def test_pages_that_are_not_there_are_told(self, fail: Callable[..., str], pages: str, word: str) -> None:
        assert word in fail("read_pdf", path="docs/report.pdf", pages=pages)


class TestWord:
    def test_a_document_is_markdown(self, run: Callable[..., Any]) -> None:
        found = run("read_docx", path="docs/letter.docx")
        assert found.markdown == (
            "# Dear Mira\n\nThis is **very** good, Mi*ra.*\n\n- First\n- Second\n\n"
            "| Name | Age |\n| --- | --- |\n| Mira | 41 |\n"
        )
        assert found.title == "A letter"

    def test_what_is_written_reads_the_same(self, run: Callable[..., Any]) -> None:
        markdown = (
            "# One\n\nSome *slanted*, **bold** and `code` words with a [link](https://example.org/x).\n\n"
            "1. First\n1. Second\n\n> Quoted\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n"
        )
        run("write_docx", target="new.docx", markdown=markdown, title="New")
        assert run("read_docx", path="new.docx").markdown == markdown

    def test_words_are_replaced_across_runs_and_everywhere(
        self, run: Callable[..., Any], fail: Callable[..., str]
    ) -> None:
        done = run("replace_in_docx", path="docs/letter.docx", find="Mira", replacement="Jo & Co")
        assert done.replacements == 4
        text = run("read_docx", path="docs/letter.docx").markdown
        assert "Mira" not in text
        assert "**very** good, Jo & Co*.*" in text
        assert "has no 'Mira'" in fail("replace_in_docx", path="docs/letter.docx", find="Mira", replacement="x")


class TestExcel:
    def test_sheets_and_rows(self, run: Callable[..., Any]) -> None:
        sheets = run("list_sheets", path="data/budget.xlsx").sheets
        assert [(sheet.name, sheet.hidden) for sheet in sheets] == [("Costs", False), ("Notes", True)]
        found = run("read_xlsx", path="data/budget.xlsx", formulas=True)
        assert found.rows == [
            {"what": "Rent", "amount": 900, "double": "=B2*2"},
            {"what": "Food", "amount": 450.5, "double": None},
            {"what": "Fun", "amount": 75, "double": True},
        ]
        part = run("read_xlsx", path="data/budget.xlsx", cells="A2:B3", has_header=False)
        assert part.rows == [{"A": "Rent", "B": 900}, {"A": "Food", "B": 450.5}]
        assert run("read_xlsx", path="data/budget.xlsx", max_rows=1).truncated

    def test_a_workbook_is_written_and_changed(self, project: Path, run: Callable[..., Any]) -> None:
        run("write_xlsx", target="new.xlsx", sheets={"People": [["name", "age"], ["=1+1", 41]], "Empty": []})
        done = run("update_xlsx", path="new.xlsx", cells={"b2": 42}, add_rows=[["Jo", None]])
        assert (done.changed, done.before) == (3, {"b2": 41})
        sheet = openpyxl.load_workbook(project / "new.xlsx")["People"]
        assert [[cell.value for cell in row] for row in sheet.iter_rows()] == [
            ["name", "age"],
            ["=1+1", 42],
            ["Jo", None],
        ]
        assert sheet["A2"].data_type == "s"

    @pytest.mark.parametrize(
        ("more", "words"),
        [
            ({"sheet": "No"}, "its sheets are: Costs, Notes"),
            ({"cells": "1:2"}, "expected cells such as A1:D20"),
            ({"cells": "C1:A9"}, "ends before it begins"),
        ],
    )
    def test_what_is_not_there_is_told(self, fail: Callable[..., str], more: dict[str, Any], words: str) -> None:
        assert words in fail("read_xlsx", path="data/budget.xlsx", **more)


class TestText:
    def test_markdown_and_html(self, run: Callable[..., Any]) -> None:
        html = run("markdown_to_html", text="# A\n\n<script>x</script> **b**\n").text
        assert html == "<h1>A</h1>\n<p>&lt;script&gt;x&lt;/script&gt; <strong>b</strong></p>\n"
        page = (
            "<h1>A</h1><script>x</script><ul><li>one<ul><li>in</li></ul></li></ul>"
            "<pre><code class='language-py'>x = 1\n</code></pre>"
        )
        assert run("html_to_markdown", text=page).text == "# A\n\n- one\n  - in\n\n```py\nx = 1\n```\n"
        links = run("html_to_markdown", path="docs/page.html", base_url="https://example.org/a/").text
        assert links == "# Page\n\nRead [more](https://example.org/more).\n"

    def test_html_that_is_too_deep_is_told(self, fail: Callable[..., str]) -> None:
        assert "nested more than" in fail("html_to_markdown", text="<div>" * 300 + "x")

    def test_a_book_comes_chapter_by_chapter(self, run: Callable[..., Any]) -> None:
        book = run("read_epub", path="docs/book.epub", first_chapter=2)
        assert (book.title, book.authors, book.chapter_count) == ("A book", ["Jo"], 2)
        assert [(item.chapter, item.markdown) for item in book.chapters] == [(2, "# Two\n\nIt is **2**.\n")]

    @pytest.mark.parametrize(
        ("path", "part"),
        [
            ("docs/report.pdf", "The licence of Mira"),
            ("docs/letter.docx", "Dear Mira"),
            ("docs/book.epub", "It is"),
            ("data/budget.xlsx", "Rent"),
            ("docs/page.html", "Read"),
            ("README.md", "The licence is free."),
        ],
    )
    @pytest.mark.parametrize("suffix", [".md", ".html", ".txt", ".docx"])
    def test_every_kind_is_converted(
        self, project: Path, run: Callable[..., Any], path: str, part: str, suffix: str
    ) -> None:
        run("convert_document", path=path, target=f"out{suffix}")
        text = (
            run("read_docx", path="out.docx").markdown if suffix == ".docx" else (project / f"out{suffix}").read_text()
        )
        assert part in text

    @pytest.mark.parametrize(
        ("path", "headings"),
        [
            ("README.md", [(1, "Sample", "line 1")]),
            ("docs/letter.docx", [(1, "Dear Mira", "line 1")]),
            ("docs/book.epub", [(1, "One", "chapter 1"), (1, "Two", "chapter 2")]),
            ("docs/report.pdf", [(1, "Part 1", "page 1"), (1, "Part 2", "page 2"), (1, "Part 3", "page 3")]),
        ],
    )
    def test_headings_are_listed(self, run: Callable[..., Any], path: str, headings: list[Any]) -> None:
        found = run("outline_document", path=path).headings
        assert [(item.level, item.title, item.place) for item in found] == headings

    def test_documents_are_searched(self, project: Path, run: Callable[..., Any]) -> None:
        (project / "docs/broken.pdf").write_bytes(b"no")
        found = run("search_documents", words="LICENCE of", folder=".")
        assert [(item.path, item.place) for item in found.matches] == [("docs/report.pdf", "page 2")]
        assert found.unreadable == 1


def _bomb(part: str, needed: dict[str, bytes]) -> bytes:
    """Return a package of a few kilobytes with a part of 20 million bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in needed.items():
            package.writestr(name, content)
        with package.open(part, "w", force_zip64=True) as stream:
            for _ in range(2):
                stream.write(b"\0" * 10_000_000)
    return out.getvalue()


def _with(package: bytes, part: str, content: bytes) -> bytes:
    """Return a package with another content of one part."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(package)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            new.writestr(name, content if name == part else old.read(name))
    return out.getvalue()


LAUGHS = (
    b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">'
    b'<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;">]><x>&d;</x>'
)


class Kind(NamedTuple):
    """A kind of package, and what reads it."""

    tool: str
    suffix: str
    part: str
    make: Callable[[], bytes]


KINDS = [
    Kind("read_docx", ".docx", "word/document.xml", docx_bytes),
    Kind("read_xlsx", ".xlsx", "xl/workbook.xml", xlsx_bytes),
    Kind("read_epub", ".epub", "META-INF/container.xml", epub_bytes),
]


@pytest.mark.parametrize("kind", KINDS, ids=[kind.tool for kind in KINDS])
class TestHostilePackages:
    def test_a_bomb_is_not_unpacked(self, project: Path, fail: Callable[..., str], kind: Kind) -> None:
        (project / f"bomb{kind.suffix}").write_bytes(_bomb("big.xml", {kind.part: b"<x/>"}))
        assert "it may be a ZIP bomb" in fail(kind.tool, path=f"bomb{kind.suffix}")

    def test_entities_are_not_expanded(self, project: Path, fail: Callable[..., str], kind: Kind) -> None:
        (project / f"laughs{kind.suffix}").write_bytes(_with(kind.make(), kind.part, LAUGHS))
        message = fail(kind.tool, path=f"laughs{kind.suffix}")
        assert "declares entities" in message or "is no XML (EntitiesForbidden)" in message

    @pytest.mark.parametrize("damage", ["empty", "cut", "other", "no xml", "part"])
    def test_damage_is_told(self, project: Path, fail: Callable[..., str], kind: Kind, damage: str) -> None:
        whole = kind.make()
        other = io.BytesIO()
        with zipfile.ZipFile(other, "w") as package:
            package.writestr("a", "b")
        broken = {
            "empty": b"",
            "cut": whole[: len(whole) // 2],
            "other": other.getvalue(),
            "no xml": _with(whole, kind.part, b"<a><b></a>"),
            "part": _with(whole, kind.part, b"<other/>"),
        }
        (project / f"broken{kind.suffix}").write_bytes(broken[damage])
        assert f"'broken{kind.suffix}'" in fail(kind.tool, path=f"broken{kind.suffix}")

    def test_a_huge_file_is_not_opened(self, project: Path, fail: Callable[..., str], kind: Kind) -> None:
        with (project / f"huge{kind.suffix}").open("wb") as stream:
            stream.truncate(2_000_000_000)
        assert "has 2.0 GB; documents of at most 100.0 MB" in fail(kind.tool, path=f"huge{kind.suffix}")


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("write_docx", {"target": "a.docx", "markdown": "a\x1fb"}),
        ("write_docx", {"target": "a.docx", "markdown": "a", "title": "\x1f"}),
        ("write_xlsx", {"target": "a.xlsx", "sheets": {"\x1f": []}}),
    ],
)
def test_a_sign_that_no_document_can_hold_is_named(tmp_path: Path, name: str, given: dict[str, Any]) -> None:
    message = failure_of(DocumentTools(), name, given, tmp_path, Reviewer())

    assert message == "the sign U+001F cannot stand in a document; take it out"
    assert list(tmp_path.iterdir()) == []
