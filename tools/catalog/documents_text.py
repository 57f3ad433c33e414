"""Markdown, HTML and EPUB, and what works on every kind of document: convert, outline, search."""

from __future__ import annotations

import html as html_escapes
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from pydantic import Field

from tools.catalog._bounds import MAX_CHARS, ProgressThrottle, Skipped, counted, cut_text, say_cut
from tools.catalog._documents import document
from tools.catalog._docx import docx_of
from tools.catalog._epub import CONTAINER, book_of, chapter_markdown
from tools.catalog._html_markdown import markdown_of
from tools.catalog._outputs import CreateFolders, Overwrite, made_file, target_dry_run
from tools.catalog._packages import opened_package
from tools.catalog._paths import need_folder, shown
from tools.catalog._readable import KINDS, DocumentKind, kind_of_document, sections_of
from tools.catalog.documents_pdf import outline_of, reading_pdf
from tools.catalog.documents_word import MAX_MARKDOWN_CHARS
from tools.catalog.files_results import MadeFile
from tools.catalog.files_write import overwrite_concerns
from tools.context import ToolContext
from tools.declare import tool
from tools.errors import ToolFailure
from tools.spec import Latency, Param, PathRole, ToolExample

_MOST_ENTRIES: Final = 2000
_FENCE: Final = re.compile(r" {0,3}(```+|~~~+)")
_ATX: Final = re.compile(r" {0,3}(#{1,6})[ \t]+(.+?)[ \t]*#*[ \t]*$")
_CONTEXT_CHARS: Final = 80

GivenMarkdown = Annotated[
    str | None, Param("The Markdown; or name a file in path"), Field(max_length=MAX_MARKDOWN_CHARS)
]
GivenHtml = Annotated[str | None, Param("The HTML; or name a file in path"), Field(max_length=MAX_MARKDOWN_CHARS)]
MaxChars = Annotated[int, Param("Most characters returned"), Field(ge=1, le=MAX_CHARS)]


@dataclass(frozen=True, slots=True)
class MarkupText:
    """A text in another markup."""

    text: Annotated[str, Field(description="The text.")]
    truncated: Annotated[bool, Field(description="Whether max_chars cut it.")]


@dataclass(frozen=True, slots=True)
class BookChapter:
    """One chapter of a book."""

    chapter: Annotated[int, Field(description="Its number, from 1.")]
    markdown: Annotated[str, Field(description="Its text as Markdown.")]


@dataclass(frozen=True, slots=True)
class BookText:
    """Chapters of a book."""

    path: Annotated[str, Field(description="The file.")]
    title: Annotated[str, Field(description="Its title.")]
    authors: Annotated[list[str], Field(description="Who wrote it.")]
    language: Annotated[str, Field(description="Its language code; empty when it does not say.")]
    chapter_count: Annotated[int, Field(description="How many chapters it has.")]
    chapters: Annotated[list[BookChapter], Field(description="The wanted chapters.")]
    truncated: Annotated[bool, Field(description="Whether max_chars cut the wanted chapters.")]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a document."""

    level: Annotated[int, Field(description="How deep it lies, from 1.")]
    title: Annotated[str, Field(description="Its words.")]
    place: Annotated[str, Field(description="Where it stands, such as page 3, chapter 2 or line 40.")]


@dataclass(frozen=True, slots=True)
class DocumentOutline:
    """The headings of a document."""

    path: Annotated[str, Field(description="The file.")]
    kind: Annotated[DocumentKind, Field(description="What it is.")]
    headings: Annotated[list[Heading], Field(description="Its headings, in order.")]
    truncated: Annotated[bool, Field(description="Whether there are more.")]


@dataclass(frozen=True, slots=True)
class DocumentMatch:
    """A place where words were found."""

    path: Annotated[str, Field(description="The file.")]
    place: Annotated[str, Field(description="Where in it, such as page 3; empty when it has no such parts.")]
    text: Annotated[str, Field(description="The words with those around them.")]


@dataclass(frozen=True, slots=True)
class DocumentMatches:
    """Where words were found."""

    matches: Annotated[list[DocumentMatch], Field(description="The places, file by file.")]
    searched: Annotated[int, Field(description="How many documents were read.")]
    unreadable: Annotated[int, Field(description="How many could not be read; the log says why.")]
    truncated: Annotated[bool, Field(description="Whether there are more places than max_matches.")]


class TextDocuments:
    """The tools for markup and for every kind of document."""

    @tool(
        keywords=("markdown", "html", "render", "convert", "commonmark"),
        latency=Latency.FAST,
        read_only=True,
        open_world=False,
        timeout_s=60,
        examples=(
            ToolExample(input={"text": "# Hello\n\nIt is **here**.\n"}, description="A heading and bold words"),
            ToolExample(input={"path": "README.md", "whole_page": True}, description="A file as a whole page"),
        ),
    )
    def markdown_to_html(
        self,
        *,
        text: GivenMarkdown = None,
        path: Annotated[Path | None, Param("The Markdown file; or pass text"), PathRole()] = None,
        whole_page: Annotated[bool, Param("Make a page with head and body, not only its content")] = False,
        title: Annotated[str, Param("The title of the page"), Field(max_length=500)] = "",
        max_chars: MaxChars = 200_000,
        ctx: ToolContext,
    ) -> MarkupText:
        """Convert Markdown to HTML. HTML within it is shown as text, so that nothing of it runs."""
        body = html_of(document(text, path, ctx).text)
        kept, truncated = cut_text(page_of(body, title) if whole_page else body, max_chars, ctx)
        return MarkupText(kept, truncated)

    @tool(
        keywords=("html", "markdown", "convert", "clean", "text"),
        latency=Latency.FAST,
        read_only=True,
        open_world=False,
        timeout_s=60,
        examples=(
            ToolExample(input={"text": "<h1>Hello</h1><p>It is <b>here</b>.</p>"}, description="A short text"),
            ToolExample(
                input={"path": "docs/page.html", "base_url": "https://example.org/"},
                description="A file whose links are made absolute",
            ),
        ),
    )
    def html_to_markdown(
        self,
        *,
        text: GivenHtml = None,
        path: Annotated[Path | None, Param("The HTML file; or pass text"), PathRole()] = None,
        base_url: Annotated[str, Param("What relative links are relative to"), Field(max_length=2000)] = "",
        max_chars: MaxChars = 200_000,
        ctx: ToolContext,
    ) -> MarkupText:
        """Convert HTML to Markdown: headings, lists, tables, links, code. Scripts and styles are left out."""
        kept, truncated = cut_text(markdown_of(document(text, path, ctx).text, base_url), max_chars, ctx)
        return MarkupText(kept, truncated)

    @tool(
        keywords=("epub", "ebook", "book", "chapters", "read"),
        latency=Latency.MEDIUM,
        read_only=True,
        open_world=False,
        timeout_s=120,
        examples=(
            ToolExample(input={"path": "docs/book.epub"}, description="A book from its start"),
            ToolExample(input={"path": "docs/book.epub", "first_chapter": 2}, description="From the second chapter on"),
        ),
    )
    def read_epub(
        self,
        path: Annotated[Path, Param("The EPUB file"), PathRole()],
        *,
        first_chapter: Annotated[int, Param("Number of the first chapter wanted, from 1"), Field(ge=1)] = 1,
        max_chapters: Annotated[int, Param("Most chapters returned"), Field(ge=1, le=1000)] = 100,
        max_chars: MaxChars = 100_000,
        ctx: ToolContext,
    ) -> BookText:
        """Read an EPUB book chapter by chapter, as Markdown."""
        name = shown(path, ctx.project_dir)
        found: list[BookChapter] = []
        room = max_chars
        with opened_package(path, "EPUB book", CONTAINER, ctx) as package:
            book = book_of(package, name)
            wanted = list(enumerate(book.chapters, 1))[first_chapter - 1 :]
            pace = ProgressThrottle(ctx, len(wanted))
            for number, part in wanted[:max_chapters]:
                pace.step(1, f"chapter {number}")
                markdown = chapter_markdown(package, part, name)
                found.append(BookChapter(number, markdown[: max(room, 0)]))
                room -= len(markdown)
                if room <= 0:
                    break
        truncated = room < 0 or len(found) < len(wanted)
        if truncated:
            say_cut(ctx, f"{counted(len(found), 'chapter')} of {len(wanted):,} are kept")
        return BookText(name, book.title, list(book.authors), book.language, len(book.chapters), found, truncated)

    @tool(
        keywords=("convert", "pdf", "docx", "html", "markdown", "export", "document"),
        latency=Latency.MEDIUM,
        read_only=False,
        destructive=True,
        open_world=False,
        timeout_s=300,
        concerns=overwrite_concerns,
        dry_run=target_dry_run,
        examples=(
            ToolExample(input={"path": "docs/guide.md", "target": "docs/guide.html"}, description="Markdown to a page"),
            ToolExample(
                input={"path": "docs/guide.md", "target": "docs/guide.pdf"},
                description="A target that is not written",
                negative=True,
                why_bad="PDF is only read; the target ends in .md, .html, .txt or .docx.",
            ),
        ),
    )
    def convert_document(
        self,
        path: Annotated[Path, Param("The document: PDF, DOCX, XLSX, EPUB, HTML, Markdown or text"), PathRole()],
        target: Annotated[Path, Param("The file to make: .md, .html, .txt or .docx"), PathRole(writes=True)],
        *,
        overwrite: Overwrite = False,
        create_folders: CreateFolders = False,
        ctx: ToolContext,
    ) -> MadeFile:
        """Convert a document into Markdown, HTML, plain text or a Word document. Pictures are left out."""
        wanted = KINDS.get(target.suffix.lower())
        if wanted not in _WRITTEN:
            raise ToolFailure(f"expected a target that ends in .md, .html, .txt or .docx, got {target.suffix!r}")
        kind = kind_of_document(path, ctx)
        parts = [section.markdown.strip() for section in sections_of(path, kind, ctx)]
        markdown = "\n\n".join(part for part in parts if part) + "\n"
        if wanted is DocumentKind.DOCX:
            content = docx_of(markdown, path.stem)
        elif wanted is DocumentKind.HTML:
            content = page_of(html_of(markdown), path.stem).encode()
        else:
            content = (markdown if wanted is DocumentKind.MARKDOWN else plain_of(markdown)).encode()
        return made_file(target, content, ctx, overwrite=overwrite, create_folders=create_folders)

    @tool(
        keywords=("outline", "headings", "table of contents", "structure", "sections"),
        latency=Latency.MEDIUM,
        read_only=True,
        open_world=False,
        timeout_s=300,
        examples=(
            ToolExample(input={"path": "README.md"}, description="The headings of a Markdown file"),
            ToolExample(input={"path": "docs/letter.docx"}, description="Those of a Word document"),
        ),
    )
    def outline_document(
        self, path: Annotated[Path, Param("The document"), PathRole()], *, ctx: ToolContext
    ) -> DocumentOutline:
        """List the headings of a document: Markdown, HTML, DOCX, EPUB, bookmarks of PDF, sheets of XLSX."""
        kind = kind_of_document(path, ctx)
        found = list(_pdf_headings(path, ctx) if kind is DocumentKind.PDF else _headings(path, kind, ctx))
        if len(found) > _MOST_ENTRIES:
            say_cut(ctx, f"{_MOST_ENTRIES:,} of {len(found):,} headings are kept")
        name = shown(path, ctx.project_dir)
        return DocumentOutline(name, kind, found[:_MOST_ENTRIES], len(found) > _MOST_ENTRIES)

    @tool(
        keywords=("search", "find", "pdf", "docx", "grep", "full text"),
        latency=Latency.SLOW,
        read_only=True,
        open_world=False,
        timeout_s=600,
        examples=(
            ToolExample(input={"words": "licence", "folder": "docs"}, description="Words in all documents of a folder"),
            ToolExample(
                input={"words": "Mira", "folder": ".", "kinds": ["docx", "pdf"]}, description="Only in some kinds"
            ),
        ),
    )
    def search_documents(
        self,
        words: Annotated[str, Param("The words to look for, exactly"), Field(min_length=1, max_length=1000)],
        folder: Annotated[Path, Param("The folder to look in, with those in it"), PathRole()],
        *,
        kinds: Annotated[tuple[DocumentKind, ...], Param("Only these kinds of documents; none means all")] = (),
        case_sensitive: Annotated[bool, Param("Match upper and lower case exactly")] = False,
        max_matches: Annotated[int, Param("Most places returned"), Field(ge=1, le=1000)] = 100,
        ctx: ToolContext,
    ) -> DocumentMatches:
        """Search the text of all PDF, DOCX, XLSX, EPUB, HTML, Markdown and text files in a folder for words."""
        need_folder(folder, ctx.project_dir)
        pattern = re.compile(r"\s+".join(map(re.escape, words.split())), 0 if case_sensitive else re.IGNORECASE)
        found: list[DocumentMatch] = []
        skipped = Skipped(ctx)
        searched = 0
        pace = ProgressThrottle(ctx)
        for path in sorted(item for item in folder.rglob("*") if item.suffix.lower() in KINDS and item.is_file()):
            kind = KINDS[path.suffix.lower()]
            if kinds and kind not in kinds:
                continue
            name = shown(path, ctx.project_dir)
            pace.step(1, name)
            try:
                found.extend(_matches(path, kind, pattern, ctx))
                searched += 1
            except ToolFailure as failure:
                pace.step(0)
                skipped.add(path, str(failure))
            if len(found) > max_matches:
                break
        skipped.summarise()
        if len(found) > max_matches:
            say_cut(ctx, f"{max_matches:,} places are kept")
        return DocumentMatches(found[:max_matches], searched, skipped.count, len(found) > max_matches)


_WRITTEN: Final = frozenset({DocumentKind.MARKDOWN, DocumentKind.HTML, DocumentKind.TEXT, DocumentKind.DOCX})


def html_of(markdown: str) -> str:
    """Return the HTML of a Markdown text; HTML in it becomes text."""
    from markdown_it import MarkdownIt  # noqa: PLC0415 -- few tools need it

    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    return str(parser.render(markdown))


def page_of(body: str, title: str) -> str:
    """Return a whole page of HTML."""
    head = f'<meta charset="utf-8">\n<title>{html_escapes.escape(title)}</title>'
    return f"<!DOCTYPE html>\n<html>\n<head>\n{head}\n</head>\n<body>\n{body}</body>\n</html>\n"


def plain_of(markdown: str) -> str:
    """Return the words of a Markdown text without its marks."""
    from markdown_it import MarkdownIt  # noqa: PLC0415 -- few tools need it

    blocks: list[str] = []
    for token in MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).parse(markdown):
        if token.type == "inline":
            words = (
                "\n" if child.type in {"softbreak", "hardbreak"} else child.content for child in token.children or ()
            )
            blocks.append("".join(words))
        elif token.type in {"fence", "code_block"}:
            blocks.append(token.content.rstrip("\n"))
    return "\n\n".join(blocks) + "\n" if blocks else ""


def _headings(path: Path, kind: DocumentKind, ctx: ToolContext) -> Iterator[Heading]:
    for section in sections_of(path, kind, ctx):
        fence = ""
        for number, line in enumerate(section.markdown.split("\n"), 1):
            mark = _FENCE.match(line)
            if mark and (not fence or mark[1].startswith(fence)):
                fence = "" if fence else mark[1]
            found = None if fence else _ATX.match(line)
            if found:
                yield Heading(len(found[1]), found[2], section.place or f"line {number}")


def _pdf_headings(path: Path, ctx: ToolContext) -> Iterator[Heading]:
    with reading_pdf(path, None, ctx) as reader:
        for entry in outline_of(reader):
            yield Heading(entry.level, entry.title, "" if entry.page is None else f"page {entry.page}")


def _matches(path: Path, kind: DocumentKind, pattern: re.Pattern[str], ctx: ToolContext) -> Iterator[DocumentMatch]:
    for section in sections_of(path, kind, ctx):
        for match in pattern.finditer(section.markdown):
            start, end = max(match.start() - _CONTEXT_CHARS, 0), match.end() + _CONTEXT_CHARS
            around = " ".join(section.markdown[start:end].split())
            yield DocumentMatch(shown(path, ctx.project_dir), section.place, around)
