"""Every kind of document as Markdown, section by section."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from tools.catalog._bounds import stop_if_cancelled
from tools.catalog._documents import file_text
from tools.catalog._docx import markdown_blocks, reading_docx
from tools.catalog._epub import CONTAINER, book_of, chapter_markdown
from tools.catalog._html_markdown import escaped, markdown_of, table_lines
from tools.catalog._packages import opened_package
from tools.catalog._paths import shown
from tools.catalog.documents_excel import reading_xlsx, sheet_rows
from tools.catalog.documents_pdf import reading_pdf
from tools.context import ToolContext
from tools.errors import ToolFailure

_MOST_TABLE_ROWS: Final = 20_000


class DocumentKind(StrEnum):
    """What a document is."""

    PDF = "pdf"
    DOCX = "docx"
    XLSX = "xlsx"
    EPUB = "epub"
    HTML = "html"
    MARKDOWN = "markdown"
    TEXT = "text"


KINDS: Final = {
    ".pdf": DocumentKind.PDF,
    ".docx": DocumentKind.DOCX,
    ".xlsx": DocumentKind.XLSX,
    ".xlsm": DocumentKind.XLSX,
    ".epub": DocumentKind.EPUB,
    ".html": DocumentKind.HTML,
    ".htm": DocumentKind.HTML,
    ".xhtml": DocumentKind.HTML,
    ".md": DocumentKind.MARKDOWN,
    ".markdown": DocumentKind.MARKDOWN,
    ".txt": DocumentKind.TEXT,
}


class Section(NamedTuple):
    """A piece of a document.

    Attributes:
        place: Where it is: `page 3`, `chapter 2`, `sheet Costs`; empty for a document without such pieces.
    """

    place: str
    markdown: str


def kind_of_document(path: Path, ctx: ToolContext) -> DocumentKind:
    """Return what a document is, by its name.

    Raises:
        ToolFailure: The name does not say, or says something that is not read here.
    """
    kind = KINDS.get(path.suffix.lower())
    if kind is None:
        known = ", ".join(KINDS)
        raise ToolFailure(f"expected a document ({known}), got {shown(path, ctx.project_dir)!r}")
    return kind


def sections_of(path: Path, kind: DocumentKind, ctx: ToolContext) -> Iterator[Section]:
    """Yield a document piece by piece.

    Raises:
        ToolFailure: It cannot be read, or the call was cancelled.
    """
    for section in _READERS[kind](path, ctx):
        stop_if_cancelled(ctx)
        yield section


def _pdf(path: Path, ctx: ToolContext) -> Iterator[Section]:
    with reading_pdf(path, None, ctx) as reader:
        for number, page in enumerate(reader.pages, 1):
            yield Section(f"page {number}", page.extract_text())


def _docx(path: Path, ctx: ToolContext) -> Iterator[Section]:
    with reading_docx(path, ctx) as document:
        yield Section("", "\n\n".join(markdown_blocks(document, partial(stop_if_cancelled, ctx))))


def _xlsx(path: Path, ctx: ToolContext) -> Iterator[Section]:
    with reading_xlsx(path, ctx, read_only=True, data_only=True) as workbook:
        for sheet in workbook.worksheets:
            columns, rows = sheet_rows(sheet, {}, ctx, has_header=True)
            lines = [columns, *([_word(value) for value in row] for row in islice(rows, _MOST_TABLE_ROWS))]
            heading = f"## {escaped(sheet.title)}"
            yield Section(f"sheet {sheet.title}", "\n\n".join([heading, *table_lines(lines if columns else [])]))


def _word(value: object) -> str:
    return "" if value is None else escaped(str(value)).replace("|", "\\|").replace("\n", " ")


def _epub(path: Path, ctx: ToolContext) -> Iterator[Section]:
    name = shown(path, ctx.project_dir)
    with opened_package(path, "EPUB book", CONTAINER, ctx) as package:
        for number, part in enumerate(book_of(package, name).chapters, 1):
            yield Section(f"chapter {number}", chapter_markdown(package, part, name))


def _html(path: Path, ctx: ToolContext) -> Iterator[Section]:
    yield Section("", markdown_of(file_text(path, ctx)))


def _plain(path: Path, ctx: ToolContext) -> Iterator[Section]:
    yield Section("", file_text(path, ctx))


_READERS: Final[dict[DocumentKind, Callable[[Path, ToolContext], Iterator[Section]]]] = {
    DocumentKind.PDF: _pdf,
    DocumentKind.DOCX: _docx,
    DocumentKind.XLSX: _xlsx,
    DocumentKind.EPUB: _epub,
    DocumentKind.HTML: _html,
    DocumentKind.MARKDOWN: _plain,
    DocumentKind.TEXT: _plain,
}
