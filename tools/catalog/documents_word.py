"""Read, write and change Word documents."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import Field

from tools.catalog._bounds import MAX_CHARS, counted, cut_text, readable_size, stop_if_cancelled
from tools.catalog._docx import docx_of, markdown_blocks, paragraphs_of, reading_docx, replaced_in
from tools.catalog._outputs import CreateFolders, Overwrite, Target, change_dry_run, made_file, target_dry_run
from tools.catalog._packages import need_writable
from tools.catalog._paths import shown
from tools.catalog.files_results import MadeFile
from tools.catalog.files_write import overwrite_concerns
from tools.context import ToolContext
from tools.declare import tool
from tools.errors import ToolFailure
from tools.spec import Concern, Latency, Param, PathRole, ToolExample

MAX_MARKDOWN_CHARS: Final = 2_000_000
_SHOWN_WORDS: Final = 60

DocxPath = Annotated[Path, Param("The DOCX file"), PathRole()]


@dataclass(frozen=True, slots=True)
class DocumentText:
    """The text of a document as Markdown."""

    path: Annotated[str, Field(description="The file.")]
    title: Annotated[str, Field(description="Its title; empty when it has none.")]
    markdown: Annotated[str, Field(description="Its text as Markdown.")]
    truncated: Annotated[bool, Field(description="Whether max_chars cut it.")]


@dataclass(frozen=True, slots=True)
class ReplacedWords:
    """What was replaced in a document."""

    path: Annotated[str, Field(description="The file.")]
    replacements: Annotated[int, Field(description="How many places were changed.")]
    paragraphs: Annotated[list[str], Field(description="The first changed paragraphs, as they are now.")]


def change_concerns(arguments: Mapping[str, Any], project_dir: Path) -> Iterator[Concern]:
    """Name the document that is changed in place."""
    path = project_dir / arguments["path"]
    if path.is_file():
        size = readable_size(path.stat().st_size)
        yield Concern("changes", "Changes a file", f"Changes {shown(path, project_dir)}, {size}, in place")


class WordDocuments:
    """The tools for DOCX documents."""

    @tool(
        extra="documents",
        keywords=("docx", "word", "text", "markdown", "document"),
        latency=Latency.MEDIUM,
        read_only=True,
        open_world=False,
        timeout_s=120,
        examples=(
            ToolExample(input={"path": "docs/letter.docx"}, description="A whole document"),
            ToolExample(input={"path": "docs/letter.docx", "max_chars": 200}, description="Its beginning"),
        ),
    )
    def read_docx(
        self,
        path: DocxPath,
        *,
        max_chars: Annotated[int, Param("Most characters returned"), Field(ge=1, le=MAX_CHARS)] = 100_000,
        ctx: ToolContext,
    ) -> DocumentText:
        """Read a Word document as Markdown: headings, lists, tables, links, bold and italic words."""
        with reading_docx(path, ctx) as document:
            markdown = "\n\n".join(markdown_blocks(document, partial(stop_if_cancelled, ctx)))
            title = str(document.core_properties.title or "")
        kept, truncated = cut_text(f"{markdown}\n" if markdown else "", max_chars, ctx)
        return DocumentText(shown(path, ctx.project_dir), title, kept, truncated)

    @tool(
        extra="documents",
        keywords=("docx", "word", "create", "markdown", "save"),
        latency=Latency.MEDIUM,
        read_only=False,
        destructive=True,
        open_world=False,
        timeout_s=120,
        concerns=overwrite_concerns,
        dry_run=target_dry_run,
        examples=(
            ToolExample(
                input={"target": "docs/new.docx", "markdown": "# Plan\n\n- **First** step\n- Second step\n"},
                description="A heading and a list",
            ),
            ToolExample(
                input={"target": "docs/minutes.docx", "title": "Minutes", "markdown": "Jo was there.\n"},
                description="A document with a title",
            ),
        ),
    )
    def write_docx(
        self,
        target: Target,
        markdown: Annotated[str, Param("The text, in Markdown"), Field(max_length=MAX_MARKDOWN_CHARS)],
        *,
        title: Annotated[str, Param("The title among its properties"), Field(max_length=500)] = "",
        overwrite: Overwrite = False,
        create_folders: CreateFolders = False,
        ctx: ToolContext,
    ) -> MadeFile:
        """Write a Word document from Markdown: headings, lists, tables, quotes, code, links, bold and italic words."""
        content = docx_of(markdown, title)
        return made_file(target, content, ctx, overwrite=overwrite, create_folders=create_folders)

    @tool(
        extra="documents",
        keywords=("docx", "word", "replace", "template", "edit", "substitute"),
        latency=Latency.MEDIUM,
        idempotent=False,
        read_only=False,
        destructive=True,
        open_world=False,
        timeout_s=120,
        concerns=change_concerns,
        dry_run=change_dry_run,
        examples=(
            ToolExample(
                input={"path": "docs/letter.docx", "find": "Mira", "replacement": "Jo"},
                description="A name everywhere in a letter",
            ),
            ToolExample(
                input={"path": "docs/letter.docx", "find": "mira", "replacement": "Jo", "case_sensitive": False},
                description="In any spelling",
            ),
        ),
    )
    def replace_in_docx(
        self,
        path: Annotated[Path, Param("The DOCX file, changed in place"), PathRole(writes=True)],
        find: Annotated[str, Param("The words to look for, exactly"), Field(min_length=1, max_length=10_000)],
        replacement: Annotated[str, Param("What takes their place; may be empty"), Field(max_length=10_000)],
        *,
        case_sensitive: Annotated[bool, Param("Match upper and lower case exactly")] = True,
        whole_words: Annotated[bool, Param("Match whole words only")] = False,
        ctx: ToolContext,
    ) -> ReplacedWords:
        """Replace words in a Word document, with their formatting: in text, tables, headers and footers."""
        need_writable(replacement)
        bound = r"\b" if whole_words else ""
        pattern = re.compile(f"{bound}{re.escape(find)}{bound}", 0 if case_sensitive else re.IGNORECASE)
        shown_now: list[str] = []
        count = 0
        with reading_docx(path, ctx) as document:
            for paragraph in paragraphs_of(document):
                stop_if_cancelled(ctx)
                changed = replaced_in(
                    paragraph, lambda text: [(*match.span(), replacement) for match in pattern.finditer(text)]
                )
                count += changed
                if changed and len(shown_now) < _SHOWN_WORDS:
                    shown_now.append(paragraph.text[:500])
            if not count:
                raise ToolFailure(f"{shown(path, ctx.project_dir)!r} has no {find!r}; read_docx shows its text")
            stream = io.BytesIO()
            document.save(stream)
        made_file(path, stream.getvalue(), ctx, overwrite=True, create_folders=False)
        ctx.log("info", f"{counted(count, 'place')} changed")
        return ReplacedWords(shown(path, ctx.project_dir), count, shown_now)
