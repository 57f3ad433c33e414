"""Read, take apart and put together PDF files."""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from pydantic import Field

from tools.catalog._bounds import MAX_CHARS, ProgressThrottle, counted, say_cut, stop_if_cancelled
from tools.catalog._dry_runs import telling_failures
from tools.catalog._extras import optional
from tools.catalog._outputs import CreateFolders, Overwrite, Target, made_file, target_dry_run
from tools.catalog._packages import need_size
from tools.catalog._paths import need_file, refusals, shown
from tools.catalog.files_results import MadeFile
from tools.catalog.files_write import overwrite_concerns
from tools.context import ToolContext
from tools.declare import tool
from tools.declare.decorators import security
from tools.errors import ToolFailure
from tools.spec import Count, DryRun, Latency, Param, PathRole, ToolExample

if TYPE_CHECKING:
    from pypdf import PdfReader

PdfPath = Annotated[Path, Param("The PDF file"), PathRole()]
Password = Annotated[str | None, Param("The password of an encrypted file"), Field(max_length=1000)]
Pages = Annotated[
    str, Param("Pages, such as 1-3,7 or 5-; -1 is the last; empty means all"), Field(pattern=r"^[0-9,\s-]*$")
]
_SECRETS: Final = ("password",)
_MOST_PAGES: Final = 10_000
_MOST_OUTLINE: Final = 1000
_MOST_FIELDS: Final = 1000
_RANGE: Final = re.compile(r"(\d+)\s*-\s*(\d*)")


@dataclass(frozen=True, slots=True)
class PdfPage:
    """The text of one page."""

    page: Annotated[int, Field(description="Its number, from 1.")]
    text: Annotated[str, Field(description="Its text; empty for a page that is only a picture.")]


@dataclass(frozen=True, slots=True)
class PdfText:
    """The text of a PDF, page by page."""

    path: Annotated[str, Field(description="The file.")]
    page_count: Annotated[int, Field(description="How many pages it has.")]
    pages: Annotated[list[PdfPage], Field(description="The wanted pages, in order.")]
    empty_pages: Annotated[list[int], Field(description="Pages without text, probably scanned pictures.")]
    truncated: Annotated[bool, Field(description="Whether max_chars cut the wanted pages.")]


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """One entry of a table of contents."""

    level: Annotated[int, Field(description="How deep it lies, from 1.")]
    title: Annotated[str, Field(description="Its words.")]
    page: Annotated[int | None, Field(description="The page that it leads to; null for none.")]


@dataclass(frozen=True, slots=True)
class FormField:
    """One field of a form."""

    name: Annotated[str, Field(description="Its full name.")]
    kind: Annotated[str, Field(description="text, button, choice or signature.")]
    value: Annotated[str | None, Field(description="What stands in it; null when it is empty.")]
    options: Annotated[list[str], Field(description="What a choice or a button offers.")]


@dataclass(frozen=True, slots=True)
class PdfFacts:
    """What a PDF file is."""

    path: Annotated[str, Field(description="The file.")]
    page_count: Annotated[int, Field(description="How many pages it has.")]
    page_width_pt: Annotated[float | None, Field(description="Width of the first page in points of 1/72 inch.")]
    page_height_pt: Annotated[float | None, Field(description="Height of the first page in points.")]
    encrypted: Annotated[bool, Field(description="Whether it is encrypted.")]
    metadata: Annotated[dict[str, str], Field(description="Title, author, dates and so on, as the file names them.")]
    outline: Annotated[list[OutlineEntry], Field(description="Its table of contents.")]
    fields: Annotated[list[FormField], Field(description="The fields of its form.")]
    attachments: Annotated[list[str], Field(description="Names of the files inside it.")]
    truncated: Annotated[bool, Field(description="Whether there is more outline or there are more fields.")]


@dataclass(frozen=True, slots=True)
class PdfParts:
    """The files that a PDF was split into."""

    folder: Annotated[str, Field(description="The folder that they lie in.")]
    files: Annotated[list[MadeFile], Field(description="The files, in order.")]


@contextmanager
def reading_pdf(path: Path, password: str | None, ctx: ToolContext) -> Iterator[PdfReader]:
    """Open a PDF file.

    Raises:
        ToolFailure: It is no PDF, damaged, too large, or encrypted with another password.
    """
    library = optional("pypdf", "documents")
    errors = optional("pypdf.errors", "documents")
    # Each fault of a file that the library gets over would be a line of the program's own log.
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    need_size(path, ctx)
    name = shown(path, ctx.project_dir)
    # A damaged file makes the library stumble in many ways; none of them is our own fault.
    broken = (errors.PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError)
    with refusals(f"read {name!r}"), path.open("rb") as stream:
        try:
            reader = library.PdfReader(stream)
            if reader.is_encrypted and not reader.decrypt(password or ""):
                missing = "pass its password" if password is None else "the password is wrong"
                raise ToolFailure(f"{name!r} is encrypted; {missing}")
            if len(reader.pages) > _MOST_PAGES:
                raise ToolFailure(f"{name!r} has {len(reader.pages):,} pages; at most {_MOST_PAGES:,} are handled")
            yield reader
        except broken as error:
            words = str(error).split("\n", 1)[0] or type(error).__name__
            raise ToolFailure(f"{name!r} is no PDF that can be read: {words}") from error


def wanted_pages(pages: str, total: int) -> list[int]:
    """Return the numbers of pages, from 1, in the order they are written.

    Raises:
        ToolFailure: One is not there.
    """
    if not pages.strip():
        return list(range(1, total + 1))
    found: list[int] = []
    for part in pages.split(","):
        word = part.strip()
        span = _RANGE.fullmatch(word)
        if span:
            first, last = int(span[1]), int(span[2]) if span[2] else total
        elif re.fullmatch(r"-?\d+", word):
            first = last = int(word) if not word.startswith("-") else total + 1 + int(word)
        else:
            raise ToolFailure(f"{part!r} is no page; write such as 1-3,7 or 5-")
        if not (1 <= first <= total and 1 <= last <= total):
            raise ToolFailure(f"there is no page {word}; the file has {counted(total, 'page')}")
        found.extend(range(first, last + 1) if first <= last else range(first, last - 1, -1))
        if len(found) > _MOST_PAGES:
            raise ToolFailure(f"more than {_MOST_PAGES:,} pages are asked for")
    return found


def _part_paths(path: Path, folder: Path, count: int) -> list[Path]:
    return [folder / f"{path.stem}-{number:03d}.pdf" for number in range(1, count + 1)]


@telling_failures
def _split_dry_run(arguments: Mapping[str, Any], project_dir: Path) -> DryRun:
    """Say where the parts would be put; how many there are is not known before the file is read."""
    path: Path = arguments["path"]
    need_file(path, project_dir)
    each = counted(arguments["pages_each"], "page")
    first = shown(_part_paths(path, arguments["folder"], 1)[0], project_dir)
    return DryRun(
        f"Split {shown(path, project_dir)} into files of {each}.", (Count("files", 1, "1 file or more"),), (first,)
    )


class PdfDocuments:
    """The tools for PDF files."""

    @tool(
        extra="documents",
        keywords=("pdf", "text", "pages", "extract", "document"),
        latency=Latency.MEDIUM,
        read_only=True,
        open_world=False,
        timeout_s=300,
        examples=(
            ToolExample(input={"path": "docs/report.pdf"}, description="All pages"),
            ToolExample(input={"path": "docs/report.pdf", "pages": "2-"}, description="From the second page on"),
        ),
    )
    @security(mask_fields=_SECRETS)
    def read_pdf(
        self,
        path: PdfPath,
        *,
        pages: Pages = "",
        layout: Annotated[bool, Param("Keep columns and gaps with spaces, as for tables")] = False,
        password: Password = None,
        max_chars: Annotated[int, Param("Most characters returned"), Field(ge=1, le=MAX_CHARS)] = 100_000,
        ctx: ToolContext,
    ) -> PdfText:
        """Read the text of a PDF file page by page. A scanned page has none."""
        with reading_pdf(path, password, ctx) as reader:
            total = len(reader.pages)
            found, truncated = _texts(reader, wanted_pages(pages, total), max_chars, ctx, layout=layout)
        empty = [page.page for page in found if not page.text.strip()]
        if truncated:
            say_cut(ctx, f"{max_chars:,} characters are kept; go on with page {found[-1].page}")
        return PdfText(shown(path, ctx.project_dir), total, found, empty, truncated)

    @tool(
        extra="documents",
        keywords=("pdf", "metadata", "outline", "table of contents", "form", "info"),
        latency=Latency.FAST,
        read_only=True,
        open_world=False,
        timeout_s=120,
        examples=(
            ToolExample(input={"path": "docs/report.pdf"}, description="What a PDF file is"),
            ToolExample(
                input={"path": "README.md"},
                description="A file that is no PDF",
                negative=True,
                why_bad="It is a text; read_file reads it.",
            ),
        ),
    )
    @security(mask_fields=_SECRETS)
    def inspect_pdf(self, path: PdfPath, *, password: Password = None, ctx: ToolContext) -> PdfFacts:
        """Say what a PDF file is: pages, metadata, table of contents, form fields and attached files."""
        with reading_pdf(path, password, ctx) as reader:
            first = reader.pages[0].mediabox if reader.pages else None
            outline = list(outline_of(reader))
            fields = [_field(name, field) for name, field in (reader.get_fields() or {}).items()]
            return PdfFacts(
                path=shown(path, ctx.project_dir),
                page_count=len(reader.pages),
                page_width_pt=float(first.width) if first is not None else None,
                page_height_pt=float(first.height) if first is not None else None,
                encrypted=reader.is_encrypted,
                metadata={str(key).lstrip("/"): str(value)[:1000] for key, value in (reader.metadata or {}).items()},
                outline=outline[:_MOST_OUTLINE],
                fields=fields[:_MOST_FIELDS],
                attachments=sorted(str(name) for name in reader.attachments),
                truncated=len(outline) > _MOST_OUTLINE or len(fields) > _MOST_FIELDS,
            )

    @tool(
        extra="documents",
        keywords=("pdf", "merge", "join", "combine", "concatenate"),
        latency=Latency.MEDIUM,
        read_only=False,
        destructive=True,
        open_world=False,
        timeout_s=300,
        concerns=overwrite_concerns,
        dry_run=target_dry_run,
        examples=(
            ToolExample(
                input={"paths": ["docs/report.pdf", "docs/form.pdf"], "target": "docs/both.pdf"},
                description="Two files one after the other",
            ),
            ToolExample(
                input={"paths": ["docs/form.pdf", "docs/report.pdf"], "target": "out/all.pdf", "create_folders": True},
                description="The form first, into a new folder",
            ),
        ),
    )
    def merge_pdfs(
        self,
        paths: Annotated[
            list[Annotated[Path, PathRole()]], Param("The PDF files, in order"), Field(min_length=1, max_length=200)
        ],
        target: Target,
        *,
        overwrite: Overwrite = False,
        create_folders: CreateFolders = False,
        ctx: ToolContext,
    ) -> MadeFile:
        """Put PDF files together, one after the other, into a new one."""
        writer = optional("pypdf", "documents").PdfWriter()
        pace = ProgressThrottle(ctx, len(paths))
        for path in paths:
            pace.step(1, shown(path, ctx.project_dir))
            with reading_pdf(path, None, ctx) as reader:
                writer.append(reader)
        return made_file(target, _bytes(writer), ctx, overwrite=overwrite, create_folders=create_folders)

    @tool(
        extra="documents",
        keywords=("pdf", "extract", "rotate", "reorder", "delete pages"),
        latency=Latency.MEDIUM,
        read_only=False,
        destructive=True,
        open_world=False,
        timeout_s=300,
        concerns=overwrite_concerns,
        dry_run=target_dry_run,
        examples=(
            ToolExample(
                input={"path": "docs/report.pdf", "pages": "2,1", "target": "docs/turned.pdf"},
                description="Two pages in another order",
            ),
            ToolExample(
                input={"path": "docs/report.pdf", "rotate_degrees": 90, "target": "docs/rotated.pdf"},
                description="All pages, turned to the right",
            ),
        ),
    )
    @security(mask_fields=_SECRETS)
    def extract_pdf_pages(
        self,
        path: PdfPath,
        target: Target,
        *,
        pages: Pages = "",
        rotate_degrees: Annotated[Literal[0, 90, 180, 270], Param("Turn them clockwise", unit="degrees")] = 0,
        password: Password = None,
        overwrite: Overwrite = False,
        create_folders: CreateFolders = False,
        ctx: ToolContext,
    ) -> MadeFile:
        """Copy pages of a PDF file into a new one: some of them, in another order, or rotated."""
        with reading_pdf(path, password, ctx) as reader:
            content = _copied(reader, wanted_pages(pages, len(reader.pages)), rotate_degrees, ctx)
        return made_file(target, content, ctx, overwrite=overwrite, create_folders=create_folders)

    @tool(
        extra="documents",
        keywords=("pdf", "split", "divide", "pages", "separate"),
        latency=Latency.MEDIUM,
        read_only=False,
        destructive=True,
        open_world=False,
        timeout_s=300,
        dry_run=_split_dry_run,
        examples=(
            ToolExample(
                input={"path": "docs/report.pdf", "folder": "docs", "pages_each": 1},
                description="Each page as a file of its own",
            ),
            ToolExample(
                input={"path": "docs/report.pdf", "folder": "docs", "pages_each": 2}, description="Two pages a file"
            ),
        ),
    )
    @security(mask_fields=_SECRETS)
    def split_pdf(
        self,
        path: PdfPath,
        folder: Annotated[Path, Param("The folder for the parts, which exists"), PathRole(writes=True)],
        *,
        pages_each: Annotated[int, Param("Pages of each part", unit="pages"), Field(ge=1, le=_MOST_PAGES)] = 1,
        password: Password = None,
        ctx: ToolContext,
    ) -> PdfParts:
        """Split a PDF file into parts of so many pages, called name-001.pdf and so on. Nothing is replaced."""
        made: list[MadeFile] = []
        with reading_pdf(path, password, ctx) as reader:
            total = len(reader.pages)
            targets = _part_paths(path, folder, -(-total // pages_each))
            for number, target in enumerate(targets):
                first = number * pages_each + 1
                wanted = list(range(first, min(first + pages_each, total + 1)))
                content = _copied(reader, wanted, 0, ctx)
                made.append(made_file(target, content, ctx, overwrite=False, create_folders=False))
        return PdfParts(shown(folder, ctx.project_dir), made)

    @tool(
        extra="documents",
        keywords=("pdf", "form", "fill", "fields", "acroform"),
        latency=Latency.MEDIUM,
        read_only=False,
        destructive=True,
        open_world=False,
        timeout_s=120,
        concerns=overwrite_concerns,
        dry_run=target_dry_run,
        examples=(
            ToolExample(
                input={"path": "docs/form.pdf", "values": {"name": "Mira"}, "target": "docs/filled.pdf"},
                description="One field of a form",
            ),
            ToolExample(
                input={"path": "docs/form.pdf", "values": {"name": "Jo"}, "target": "docs/final.pdf", "flatten": True},
                description="Filled so that nobody changes it",
            ),
        ),
    )
    @security(mask_fields=_SECRETS)
    def fill_pdf_form(
        self,
        path: PdfPath,
        values: Annotated[dict[str, str], Param("Values by the name of the field"), Field(min_length=1)],
        target: Target,
        *,
        flatten: Annotated[bool, Param("Make the values a part of the page, so that nobody can change them")] = False,
        password: Password = None,
        overwrite: Overwrite = False,
        create_folders: CreateFolders = False,
        ctx: ToolContext,
    ) -> MadeFile:
        """Fill the form of a PDF file into a copy of it; inspect_pdf names the fields."""
        with reading_pdf(path, password, ctx) as reader:
            names = sorted(reader.get_fields() or {})
            unknown = [name for name in values if name not in names]
            if unknown:
                known = ", ".join(names) or "none at all"
                raise ToolFailure(f"the form has no field {unknown[0]!r}; its fields are: {known}")
            writer = optional("pypdf", "documents").PdfWriter(clone_from=reader)
            writer.update_page_form_field_values(None, values, auto_regenerate=False, flatten=flatten)
            content = _bytes(writer)
        return made_file(target, content, ctx, overwrite=overwrite, create_folders=create_folders)


def _texts(
    reader: PdfReader, numbers: Sequence[int], most: int, ctx: ToolContext, *, layout: bool
) -> tuple[list[PdfPage], bool]:
    found: list[PdfPage] = []
    pace = ProgressThrottle(ctx, len(numbers))
    room = most
    for number in numbers:
        pace.step(1, f"page {number}")
        text = reader.pages[number - 1].extract_text(extraction_mode="layout" if layout else "plain")
        found.append(PdfPage(number, text[:room]))
        room -= len(text)
        if room <= 0:
            return found, room < 0 or number != numbers[-1]
    return found, False


def _copied(reader: PdfReader, numbers: Sequence[int], degrees: int, ctx: ToolContext) -> bytes:
    writer = optional("pypdf", "documents").PdfWriter()
    for number in numbers:
        stop_if_cancelled(ctx)
        page = writer.add_page(reader.pages[number - 1])
        if degrees:
            page.rotate(degrees)
    return _bytes(writer)


def _bytes(writer: Any) -> bytes:
    stream = io.BytesIO()
    writer.write(stream)
    return stream.getvalue()


def outline_of(reader: PdfReader) -> Iterator[OutlineEntry]:
    """Yield the table of contents of a PDF file."""
    yield from _outline(reader, reader.outline, 1)


def _outline(reader: PdfReader, entries: Any, level: int) -> Iterator[OutlineEntry]:
    for entry in entries:
        if isinstance(entry, list):
            yield from _outline(reader, entry, level + 1)
            continue
        number = reader.get_destination_page_number(entry)
        yield OutlineEntry(level, str(entry.title)[:1000], None if number is None or number < 0 else number + 1)


_KINDS: Final = {"/Tx": "text", "/Btn": "button", "/Ch": "choice", "/Sig": "signature"}


def _field(name: str, field: Any) -> FormField:
    value = field.get("/V")
    options = field.get("/_States_") or field.get("/Opt") or []
    words = [str(option[-1] if isinstance(option, list) else option) for option in options]
    kind = _KINDS.get(str(field.get("/FT")), "text")
    return FormField(str(name), kind, None if value is None else str(value)[:1000], words[:100])
