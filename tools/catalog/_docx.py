"""Word documents as Markdown and back."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tools.catalog._extras import optional
from tools.catalog._html_markdown import code_span, escaped, marked, table_lines
from tools.catalog._packages import need_no_entities, need_writable, opened_package
from tools.catalog._paths import shown
from tools.context import ToolContext
from tools.errors import ToolFailure

if TYPE_CHECKING:
    from docx.document import Document
    from docx.text.paragraph import Paragraph
    from markdown_it.token import Token

_HEADING: Final = re.compile(r"Heading ([1-9])")
_CODE_FONTS: Final = frozenset({"Consolas", "Courier", "Courier New", "Menlo", "Monaco"})
_DEEPEST_LIST: Final = 3


@contextmanager
def reading_docx(path: Path, ctx: ToolContext) -> Iterator[Document]:
    """Open a Word document.

    Raises:
        ToolFailure: It is none, damaged, or unpacks to too much.
    """
    library = optional("docx", "documents")
    name = shown(path, ctx.project_dir)
    with opened_package(path, "DOCX document", "word/document.xml", ctx) as package:
        need_no_entities(package, name)
    try:
        yield library.Document(str(path))
    except (KeyError, ValueError, AttributeError, TypeError, SyntaxError, OSError) as error:
        words = str(error).split("\n", 1)[0]
        raise ToolFailure(f"{name!r} is no DOCX document that can be read: {words}") from error


def markdown_blocks(document: Document, look: Callable[[], object]) -> Iterator[str]:
    """Yield a document as Markdown, block by block; consecutive items of a list are one block.

    Args:
        look: Called for each block; it raises to end the work.
    """
    items: list[str] = []
    for block in document.iter_inner_content():
        look()
        is_table = hasattr(block, "rows")
        item = None if is_table else _list_item(block)
        if item is not None:
            items.append(item)
            continue
        if items:
            yield "\n".join(items)
            items = []
        if is_table:
            yield from table_lines([[_cell(cell) for cell in row.cells] for row in block.rows])  # type: ignore[union-attr]
        else:
            yield from _paragraph(block)  # type: ignore[arg-type]
    if items:
        yield "\n".join(items)


def _style(paragraph: Any) -> str:
    return paragraph.style.name or "" if paragraph.style is not None else ""


def heading_level(paragraph: Any) -> int | None:
    """Return how deep a heading lies, from 1; None for what is no heading."""
    style = _style(paragraph)
    if style == "Title":
        return 1
    found = _HEADING.fullmatch(style)
    return int(found[1]) if found else None


def _list_item(paragraph: Any) -> str | None:
    style = _style(paragraph)
    properties = paragraph._p.pPr  # noqa: SLF001 -- the library has no other way to the numbering
    numbering = properties.numPr if properties is not None else None
    if not style.startswith("List") and (numbering is None or heading_level(paragraph) is not None):
        return None
    depth = int(style[-1]) - 1 if style[-1:].isdigit() else 0
    if numbering is not None and numbering.ilvl is not None:
        depth = max(depth, int(numbering.ilvl.val))
    mark = "1." if style.startswith("List Number") else "-"
    return f"{'    ' * depth}{mark} {_inline(paragraph).strip()}"


def _paragraph(paragraph: Paragraph) -> Iterator[str]:
    text = _inline(paragraph).strip()
    if not text:
        return
    level = heading_level(paragraph)
    if level is not None:
        yield f"{'#' * min(level, 6)} {text}"
    elif _style(paragraph) in {"Quote", "Intense Quote"}:
        yield "> " + text.replace("\n", "\n> ")
    else:
        yield text


def _inline(paragraph: Any) -> str:
    return "".join(_link(part) if hasattr(part, "address") else _run(part) for part in paragraph.iter_inner_content())


def _link(link: Any) -> str:
    return f"[{escaped(link.text)}]({link.address})" if link.address else escaped(link.text)


def _run(run: Any) -> str:
    if run.font.name in _CODE_FONTS:
        return code_span(run.text)
    text = escaped(run.text).replace("\n", "  \n")
    if run.bold:
        text = marked(text, "**")
    return marked(text, "*") if run.italic else text


def _cell(cell: Any) -> str:
    words = " ".join(_inline(paragraph).strip() for paragraph in cell.paragraphs)
    return " ".join(words.split()).replace("|", "\\|")


def docx_of(markdown: str, title: str = "") -> bytes:
    """Return a Word document with the content of a Markdown text.

    Args:
        title: The title among the document's properties; empty for none.

    Raises:
        ToolFailure: A sign cannot stand in a Word document.
    """
    need_writable(markdown, title)
    from markdown_it import MarkdownIt  # noqa: PLC0415 -- few tools need it

    document = optional("docx", "documents").Document()
    if title:
        document.core_properties.title = title
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    _Builder(document).add(parser.parse(markdown))
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


class _Builder:
    """Put the tokens of a Markdown text into a document."""

    def __init__(self, document: Any) -> None:
        self._document = document
        self._lists: list[str] = []
        self._quoted = 0
        self._heading = 0
        self._rows: list[list[Token]] | None = None

    def add(self, tokens: list[Token]) -> None:
        for token in tokens:
            kind = token.type
            if kind in {"bullet_list_open", "ordered_list_open"}:
                self._lists.append("List Bullet" if kind.startswith("bullet") else "List Number")
            elif kind in {"bullet_list_close", "ordered_list_close"}:
                self._lists.pop()
            elif kind in {"blockquote_open", "blockquote_close"}:
                self._quoted += 1 if kind.endswith("open") else -1
            elif kind in {"heading_open", "heading_close"}:
                self._heading = int(token.tag[1]) if kind.endswith("open") else 0
            elif kind in {"fence", "code_block"}:
                self._code(token.content)
            elif kind == "hr":
                self._document.add_paragraph("―" * 20)
            elif kind.startswith(("table", "tr", "inline")):
                self._table_or_words(token)

    def _table_or_words(self, token: Token) -> None:
        if token.type == "table_open":
            self._rows = []
        elif token.type == "table_close":
            self._table(self._rows or [])
            self._rows = None
        elif token.type == "tr_open" and self._rows is not None:
            self._rows.append([])
        elif token.type == "inline" and self._rows is not None:
            self._rows[-1].append(token)
        elif token.type == "inline":
            _fill(self._paragraph(), token.children or [])

    def _paragraph(self) -> Any:
        if self._heading:
            return self._document.add_heading("", self._heading)
        if self._lists:
            depth = min(len(self._lists), _DEEPEST_LIST)
            return self._document.add_paragraph(style=self._lists[-1] + (f" {depth}" if depth > 1 else ""))
        return self._document.add_paragraph(style="Quote" if self._quoted else None)

    def _code(self, text: str) -> None:
        run = self._document.add_paragraph().add_run(text.rstrip("\n"))
        run.font.name = "Courier New"

    def _table(self, rows: list[list[Token]]) -> None:
        width = max(map(len, rows), default=0)
        if not width:
            return
        table = self._document.add_table(rows=len(rows), cols=width, style="Table Grid")
        for row, cells in zip(table.rows, rows, strict=True):
            for cell, token in zip(row.cells, cells, strict=False):
                _fill(cell.paragraphs[0], token.children or [])


def _fill(paragraph: Any, tokens: list[Token]) -> None:
    bold = italic = 0
    target = ""
    for token in tokens:
        kind = token.type
        if kind in {"strong_open", "strong_close"}:
            bold += 1 if kind.endswith("open") else -1
        elif kind in {"em_open", "em_close"}:
            italic += 1 if kind.endswith("open") else -1
        elif kind == "link_open":
            target = str(token.attrGet("href") or "")
        elif kind == "link_close":
            target = ""
        elif kind in {"softbreak", "hardbreak"}:
            paragraph.add_run(" " if kind == "softbreak" else "\n")
        elif kind in {"text", "code_inline", "image"}:
            run = _linked(paragraph, target) if target else paragraph.add_run()
            run.text = token.content
            run.bold, run.italic = bool(bold) or None, bool(italic) or None
            if kind == "code_inline":
                run.font.name = "Courier New"


def _linked(paragraph: Any, target: str) -> Any:
    """Return a run within a new link, which the library reads and does not make."""
    oxml = optional("docx.oxml", "documents")
    names = optional("docx.oxml.ns", "documents")
    runs = optional("docx.text.run", "documents")
    kinds = optional("docx.opc.constants", "documents").RELATIONSHIP_TYPE
    number = paragraph.part.relate_to(target, kinds.HYPERLINK, is_external=True)
    link = oxml.OxmlElement("w:hyperlink")
    link.set(names.qn("r:id"), number)
    inner = oxml.OxmlElement("w:r")
    link.append(inner)
    paragraph._p.append(link)  # noqa: SLF001 -- see above
    return runs.Run(inner, paragraph)


def paragraphs_of(document: Any) -> Iterator[Any]:
    """Yield every paragraph: of the body, of tables in tables, of headers and footers."""
    yield from _paragraphs_in(document)
    for section in document.sections:
        for part in (section.header, section.footer):
            if not part.is_linked_to_previous:
                yield from _paragraphs_in(part)


def _paragraphs_in(container: Any) -> Iterator[Any]:
    yield from container.paragraphs
    for table in container.tables:
        seen: set[Any] = set()
        for row in table.rows:
            for cell in row.cells:
                # A merged cell stands in several places.
                if cell._tc not in seen:  # noqa: SLF001 -- the cell itself is made anew each time
                    seen.add(cell._tc)  # noqa: SLF001 -- as above
                    yield from _paragraphs_in(cell)


def replaced_in(paragraph: Any, find: Callable[[str], list[tuple[int, int, str]]]) -> int:
    """Replace parts of a paragraph and keep its formatting; return how many.

    Args:
        find: Returns what to replace in a text: start, end and the new words, in order.
    """
    runs = list(paragraph.runs)
    text = "".join(run.text for run in runs)
    changes = find(text) if text else []
    for start, end, words in reversed(changes):
        _replace(runs, start, end, words)
    return len(changes)


def _replace(runs: list[Any], start: int, end: int, words: str) -> None:
    place = 0
    for run in runs:
        text = run.text
        first, last = max(start - place, 0), min(end - place, len(text))
        place += len(text)
        if first < len(text) and last > first:
            # The new words take the look of the first of the old ones.
            run.text = text[:first] + words + text[last:]
            words = ""
