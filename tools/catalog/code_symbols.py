"""What source code declares, and where names are used."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

from pydantic import Field

from tools.catalog._bounds import ProgressThrottle, Skipped, readable_size, say_cut
from tools.catalog._documents import decode, file_text
from tools.catalog._languages import language_of
from tools.catalog._outlines import CodeSymbol, SymbolKind, is_exact, outline, tokens
from tools.catalog._paths import need_file, shown, status_of
from tools.catalog._walking import PathKind, is_matched, matcher, walk
from tools.context import ToolContext
from tools.declare import tool
from tools.errors import ToolFailure
from tools.spec import Latency, Param, PathRole, ToolExample

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

MAX_SOURCE_BYTES: Final = 2_000_000
"""Larger files are skipped: nobody writes them by hand."""

_LONGEST_LINE: Final = 300
_NAME: Final = re.compile(r"[\w.$:~?!-]{1,200}")

UseKind = Literal["definition", "use", "comment", "text"]
CodeFolder = Annotated[Path, Param("The folder to look in, or one file"), PathRole()]
OnlyFiles = Annotated[
    tuple[Annotated[str, Field(title="Pattern")], ...],
    Param("Only files that fit one of these, such as *.py or src/**"),
    Field(max_length=100),
]


@dataclass(frozen=True, slots=True)
class FileOutline:
    """What a source file declares."""

    path: Annotated[str, Field(description="The file.")]
    language: Annotated[str, Field(description="Its language, told by its name; empty when that says none.")]
    exact: Annotated[bool, Field(description="Whether a parser of the language read it; else names may be missing.")]
    lines: Annotated[int, Field(description="How many lines it has.")]
    symbols: Annotated[list[CodeSymbol], Field(description="What it declares, in its order.")]
    truncated: Annotated[bool, Field(description="Whether there is more.")]


@dataclass(frozen=True, slots=True)
class FoundSymbol:
    """Something declared in one of many files."""

    path: Annotated[str, Field(description="The file.")]
    symbol: Annotated[CodeSymbol, Field(description="What it declares.")]
    exact: Annotated[bool, Field(description="Whether a parser of the language found it.")]


@dataclass(frozen=True, slots=True)
class FoundSymbols:
    """What source files declare under a name."""

    symbols: Annotated[list[FoundSymbol], Field(description="The same name first, then those that contain it.")]
    files_searched: Annotated[int, Field(description="How many source files were looked at.")]
    files_skipped: Annotated[int, Field(description="How many were too large, no text or not correct; see the log.")]
    truncated: Annotated[bool, Field(description="Whether there are more.")]


@dataclass(frozen=True, slots=True)
class NameUse:
    """One place where a name stands."""

    path: Annotated[str, Field(description="The file.")]
    line: Annotated[int, Field(description="Number of the line, from 1.")]
    column: Annotated[int, Field(description="Number of its first letter in the line, from 1.")]
    kind: Annotated[
        UseKind, Field(description="Whether it is declared or used there, or stands in a comment or a text.")
    ]
    text: Annotated[str, Field(description="The line.")]


@dataclass(frozen=True, slots=True)
class NameUses:
    """Where a name stands in source files.

    Places are found by the name alone: another thing of the same name is found as well.
    """

    name: Annotated[str, Field(description="The name.")]
    uses: Annotated[list[NameUse], Field(description="File by file, in order of line.")]
    count_by_kind: Annotated[dict[str, int], Field(description="How many of each kind.")]
    files_searched: Annotated[int, Field(description="How many source files were looked at.")]
    truncated: Annotated[bool, Field(description="Whether there are more.")]


class CodeSymbols:
    """The tools that look at what source code declares."""

    @tool(
        keywords=("outline", "symbols", "functions", "classes", "structure", "headings"),
        latency=Latency.FAST,
        read_only=True,
        open_world=False,
        timeout_s=60,
        examples=(
            ToolExample(input={"path": "src/router.py"}, description="The functions of a Python file"),
            ToolExample(input={"path": "docs/guide.md"}, description="The headings of a Markdown file"),
        ),
    )
    def outline_file(
        self,
        path: Annotated[Path, Param("The source file"), PathRole()],
        *,
        max_symbols: Annotated[int, Param("Most entries returned"), Field(ge=1, le=5000)] = 500,
        ctx: ToolContext,
    ) -> FileOutline:
        """List what a source file declares, with lines and signatures, without reading all of it.

        Python, shell scripts and Markdown are parsed. In other languages, names after words such as `function`, `class`
        or `struct` are taken.
        """
        name = shown(path, ctx.project_dir)
        size_bytes = need_file(path, ctx.project_dir).st_size
        if size_bytes > MAX_SOURCE_BYTES:
            most = readable_size(MAX_SOURCE_BYTES)
            raise ToolFailure(f"{name!r} has {readable_size(size_bytes)}; files of at most {most} are outlined")
        text = file_text(path, ctx)
        symbols = outline(path, text, name)
        if len(symbols) > max_symbols:
            say_cut(ctx, f"{max_symbols:,} of {len(symbols):,} entries are returned")
        language = language_of(path)
        return FileOutline(
            path=name,
            language=language.name if language else "",
            exact=is_exact(path),
            lines=text.count("\n") + (not text.endswith("\n") and bool(text)),
            symbols=symbols[:max_symbols],
            truncated=len(symbols) > max_symbols,
        )

    @tool(
        keywords=("symbols", "definition", "go to definition", "classes", "functions"),
        latency=Latency.MEDIUM,
        read_only=True,
        open_world=False,
        timeout_s=300,
        examples=(
            ToolExample(input={"name": "pick_model"}, description="Where a function is declared"),
            ToolExample(
                input={"name": "rout", "kind": "function", "path": "src", "include": ["*.py"]},
                description="Functions whose name has these letters",
            ),
        ),
    )
    def find_symbols(
        self,
        name: Annotated[str, Param("The name, or a part of it in any case"), Field(min_length=1, max_length=200)],
        *,
        path: CodeFolder = Path(),
        kind: Annotated[SymbolKind | None, Param("Only such; none takes all")] = None,
        include: OnlyFiles = (),
        max_results: Annotated[int, Param("Most entries returned"), Field(ge=1, le=2000)] = 100,
        ctx: ToolContext,
    ) -> FoundSymbols:
        """Find where functions, classes and other things are declared in the source files below a folder."""
        wanted = name.casefold()
        skipped = Skipped(ctx)
        found: list[FoundSymbol] = []
        searched = 0
        for file, text in _sources(path, include, ctx, skipped):
            searched += 1
            if wanted.rpartition(".")[2] not in text.casefold():
                continue
            try:
                symbols = outline(file, text, shown(file, ctx.project_dir))
            except ToolFailure as failure:
                skipped.add(file, str(failure))
                continue
            found += [
                FoundSymbol(shown(file, ctx.project_dir), symbol, is_exact(file))
                for symbol in symbols
                if wanted in symbol.name.casefold() and kind in {None, symbol.kind}
            ]
        skipped.summarise()
        found.sort(key=lambda item: _rank(item.symbol, name))
        if len(found) > max_results:
            say_cut(ctx, f"{max_results:,} of {len(found):,} entries are returned")
        return FoundSymbols(found[:max_results], searched, skipped.count, len(found) > max_results)

    @tool(
        keywords=("references", "usages", "callers", "who calls", "occurrences"),
        latency=Latency.MEDIUM,
        read_only=True,
        open_world=False,
        timeout_s=300,
        examples=(
            ToolExample(input={"name": "pick_model"}, description="Where a function is declared and called"),
            ToolExample(
                input={"name": "log", "path": "src", "in_text": False}, description="Without comments and texts"
            ),
        ),
    )
    def find_references(
        self,
        name: Annotated[str, Param("The name, as a whole word"), Field(min_length=1, max_length=200)],
        *,
        path: CodeFolder = Path(),
        include: OnlyFiles = (),
        in_text: Annotated[bool, Param("Also tell of comments and texts")] = True,
        max_results: Annotated[int, Param("Most places returned"), Field(ge=1, le=5000)] = 200,
        ctx: ToolContext,
    ) -> NameUses:
        """Find where a name stands in the source files below a folder: declared, used, in a comment or in a text.

        Names are compared letter by letter: another thing of the same name is found, a use under another name is not.
        """
        if not _NAME.fullmatch(name):
            raise ToolFailure(f"expected one name, got {name!r}; search_files finds other text")
        skipped = Skipped(ctx)
        uses: list[NameUse] = []
        counts: dict[str, int] = {}
        searched = 0
        for file, text in _sources(path, include, ctx, skipped):
            searched += 1
            if name not in text:
                continue
            for use in _uses(file, text, name, shown(file, ctx.project_dir)):
                if not in_text and use.kind in {"comment", "text"}:
                    continue
                counts[use.kind] = counts.get(use.kind, 0) + 1
                if len(uses) < max_results:
                    uses.append(use)
        total = sum(counts.values())
        if total > len(uses):
            say_cut(ctx, f"{len(uses):,} of {total:,} places are returned")
        return NameUses(name, uses, counts, searched, total > len(uses))


def _rank(symbol: CodeSymbol, name: str) -> tuple[bool, bool, int]:
    own = symbol.own_name
    return name not in {own, symbol.name}, own.casefold() != name.casefold(), len(symbol.name)


def _sources(path: Path, include: tuple[str, ...], ctx: ToolContext, skipped: Skipped) -> Iterator[tuple[Path, str]]:
    """Yield the source files at a path with their text; others are skipped."""
    pace = ProgressThrottle(ctx)
    for file in source_files(path, include, ctx, skipped):
        pace.step(1, file.name)
        text = source_text(file, skipped)
        if text is not None:
            yield file, text


def source_files(path: Path, include: tuple[str, ...], ctx: ToolContext, skipped: Skipped) -> Iterator[Path]:
    """Yield the files at a path whose name says a language; links and what `.gitignore` names are left out.

    Raises:
        ToolFailure: There is no such path, or the call was cancelled.
    """
    status_of(path, ctx.project_dir)
    if not path.is_dir():
        need_file(path, ctx.project_dir)
        yield path
        return
    wanted: GitIgnoreSpec | None = matcher(include) if include else None
    for found in walk(path, ctx, skip_ignored=True, skipped=skipped):
        if found.kind is PathKind.FILE and (
            language_of(found.path) is not None if wanted is None else is_matched(found, wanted)
        ):
            yield found.path


def source_text(path: Path, skipped: Skipped) -> str | None:
    """Return the text of a source file; None when it is skipped."""
    try:
        size_bytes = path.stat().st_size
        if size_bytes > MAX_SOURCE_BYTES:
            skipped.add(path, f"{readable_size(size_bytes)} is more than {readable_size(MAX_SOURCE_BYTES)}")
            return None
        found = decode(path.read_bytes())
    except OSError as error:
        skipped.add(path, error.strerror or str(error))
        return None
    if found is None:
        skipped.add(path, "no text")
        return None
    return found.text


def _uses(file: Path, text: str, name: str, shown_path: str) -> Iterator[NameUse]:
    """Yield the places of a name in one file, with what stands there."""
    from pygments.token import Comment, String  # noqa: PLC0415 -- the tools are listed without it

    # Pygments counts every end of a line as one sign.
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    pattern = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
    places = [match.start() for match in pattern.finditer(text)]
    if not places:
        return
    lines = text.split("\n")
    try:
        declared = {symbol.line for symbol in outline(file, text, shown_path) if name in {symbol.own_name, symbol.name}}
        parts = list(tokens(file, text, shown_path))
    except ToolFailure:
        declared, parts = set(), []
    kinds: dict[int, UseKind] = {}
    start, at = 0, 0
    for token, value in parts:
        end = start + len(value)
        while at < len(places) and places[at] < end:
            kinds[places[at]] = "comment" if token in Comment else "text" if token in String else "use"
            at += 1
        start = end
    for place in places:
        number = text.count("\n", 0, place) + 1
        column = place - (text.rfind("\n", 0, place) + 1) + 1
        kind = kinds.get(place, "use")
        if kind == "use" and number in declared:
            kind = "definition"
            declared.discard(number)
        yield NameUse(shown_path, number, column, kind, lines[number - 1][:_LONGEST_LINE])
