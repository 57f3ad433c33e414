"""Search the text of files."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple

from pydantic import Field

from tools.catalog._bounds import (
    MAX_CHARS,
    ProgressThrottle,
    Skipped,
    counted,
    readable_size,
    say_cut,
    stop_if_cancelled,
)
from tools.catalog._documents import SAMPLE_BYTES, decode, encoding_of
from tools.catalog._paths import need_file, shown, status_of
from tools.catalog._patterns import PATTERN_TIMEOUT_S, MatchKind, compiled, time_limited
from tools.catalog._walking import PathKind, is_matched, matcher, walk
from tools.context import ToolContext
from tools.declare import tool
from tools.spec import Latency, Param, PathRole, ToolExample

if TYPE_CHECKING:
    from collections.abc import Iterator

    import regex

MAX_SEARCHED_BYTES: Final = 20_000_000
"""Larger files are skipped."""

MAX_LINE_CHARS: Final = 500
"""Longer lines are cut around their match."""

_LOOK_EVERY_LINES: Final = 5000
_SPLIT_CHARS: Final = 200_000


@dataclass(frozen=True, slots=True)
class ContextLines:
    """Which lines around a match come with it."""

    before: Annotated[int, Field(description="Lines before", ge=0, le=20, json_schema_extra={"x-unit": "lines"})] = 2
    after: Annotated[int, Field(description="Lines after", ge=0, le=20, json_schema_extra={"x-unit": "lines"})] = 2
    merge_overlaps: Annotated[bool, Field(description="Give each line once when matches lie close together")] = True


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The lines around a match."""

    before: Annotated[list[str], Field(description="The lines before it, the nearest last.")]
    after: Annotated[list[str], Field(description="The lines after it, the nearest first.")]


@dataclass(frozen=True, slots=True)
class Match:
    """One place where the pattern matches."""

    file: Annotated[str, Field(description="Path within the project folder, absolute when outside it.")]
    line: Annotated[int, Field(description="Number of the line, from 1.")]
    column: Annotated[int, Field(description="Number of the match's first character in its line, from 1.")]
    text: Annotated[str, Field(description="The line; a very long one is cut around the match, shown by …")]
    context: Annotated[Surroundings | None, Field(description="The lines around it; null when none were asked for.")]


@dataclass(frozen=True, slots=True)
class Matches:
    """What a search found."""

    query: Annotated[str, Field(description="The pattern that was looked for.")]
    matches: Annotated[list[Match], Field(description="Folder by folder, in order of file name and line.")]
    files_searched: Annotated[int, Field(description="How many text files were searched.")]
    files_skipped: Annotated[
        int, Field(description="How many binary, too large or unreadable ones were not; see the log.")
    ]
    truncated: Annotated[bool, Field(description="Whether the search ended early because it found enough.")]


class SearchingFiles:
    """The tool that looks into many files."""

    @tool(
        keywords=("grep", "find", "text", "regex", "regular expression", "code"),
        priority=70,
        latency=Latency.FAST,
        read_only=True,
        open_world=False,
        timeout_s=120,
        examples=(
            ToolExample(
                input={"pattern": r"def \w+", "path": ".", "include": ["*.py"], "context": {"before": 2, "after": 4}},
                description="Every Python function with the lines around its first line",
            ),
            ToolExample(
                input={"pattern": "license", "path": ".", "match": "whole_word", "max_results": 50},
                description="The word license in any spelling of upper and lower case",
            ),
        ),
    )
    def search_files(
        self,
        pattern: Annotated[str, Param("What to look for, line by line"), Field(min_length=1, max_length=10_000)],
        path: Annotated[Path, Param("The folder to look in, or one file"), PathRole()],
        *,
        match: Annotated[MatchKind, Param("How the pattern is read")] = MatchKind.REGULAR_EXPRESSION,
        max_results: Annotated[int, Param("Most matches returned"), Field(ge=1, le=5000)] = 200,
        include: Annotated[
            tuple[Annotated[str, Field(title="Pattern")], ...],
            Param("Only files that fit one of these, such as *.py or docs/**"),
            Field(max_length=100),
        ] = (),
        case_sensitive: Annotated[bool, Param("Match upper and lower case exactly")] = False,
        context: Annotated[ContextLines | None, Param("Return the lines around each match too")] = None,
        skip_ignored: Annotated[bool, Param("Leave out .git and whatever .gitignore files name")] = True,
        ctx: ToolContext,
    ) -> Matches:
        """Search the text files under a folder for a word or a regular expression.

        Returns each match with its line and, when asked for, the lines around it.
        """
        finder = _Finder(pattern, compiled(pattern, match, case_sensitive=case_sensitive), match, max_results, ctx)
        skipped = Skipped(ctx)
        files = _files(path, include, ctx, skip_ignored=skip_ignored, skipped=skipped)
        pace = ProgressThrottle(ctx, len(files))
        matches: list[Match] = []
        searched = 0
        room = MAX_CHARS
        for file in files:
            name = shown(file, ctx.project_dir)
            lines = _lines(file, skipped)
            pace.step(1, name)
            if lines is None:
                continue
            searched += 1
            for found in _with_context(name, lines, finder.hits(lines, name), context):
                matches.append(found)
                room -= _size(found)
                if room < 0:
                    break
            if finder.full or room < 0:
                break
        skipped.summarise()
        ctx.log("info", f"{counted(len(matches), 'match', 'matches')} in {counted(searched, 'file')}")
        truncated = finder.full or room < 0
        if truncated:
            say_cut(ctx, f"the search ended after {counted(len(matches), 'match', 'matches')}; narrow it or allow more")
        return Matches(pattern, matches, searched, skipped.count, truncated)


class _Hit(NamedTuple):
    """A match before its context is known: index of the line, index of the first character, text."""

    line: int
    column: int
    text: str


class _Finder:
    """Find hits until there are enough.

    Attributes:
        full: Whether the most results, or the most characters, are reached and something more was there.
    """

    def __init__(
        self, source: str, pattern: regex.Pattern[str], kind: MatchKind, max_results: int, ctx: ToolContext
    ) -> None:
        self.full = False
        self._source = source
        self._pattern = pattern
        self._literal = kind is not MatchKind.REGULAR_EXPRESSION
        self._left = max_results
        self._ctx = ctx

    def hits(self, lines: list[str], name: str) -> list[_Hit]:
        """Return the hits in the lines of one file.

        Raises:
            ToolFailure: The pattern tries for too long, or the call was cancelled.
        """
        found: list[_Hit] = []
        with time_limited(self._source, name):
            # A literal has no anchors, so a text without it has no line with it.
            if self._literal and self._pattern.search("\n".join(lines), timeout=PATTERN_TIMEOUT_S) is None:
                return found
            for index, line in enumerate(lines):
                if index % _LOOK_EVERY_LINES == 0:
                    stop_if_cancelled(self._ctx)
                for match in self._in_line(line):
                    if not self._left:
                        self.full = True
                        return found
                    self._left -= 1
                    found.append(_Hit(index, match.start(), _window(line, match.start())))
        return found

    def _in_line(self, line: str) -> Iterator[regex.Match[str]]:
        first = self._pattern.search(line, timeout=PATTERN_TIMEOUT_S)
        if first is None:
            return
        yield first
        for match in self._pattern.finditer(line, pos=first.end(), timeout=PATTERN_TIMEOUT_S):
            # What matches nothing at all is told once a line, not at each character.
            if match.end() > match.start():
                yield match


def _files(
    path: Path, include: tuple[str, ...], ctx: ToolContext, *, skip_ignored: bool, skipped: Skipped
) -> list[Path]:
    """Return the files to search, which exist at this moment."""
    status_of(path, ctx.project_dir)
    if not path.is_dir():
        need_file(path, ctx.project_dir)
        return [path]
    wanted = matcher(include) if include else None
    files: list[Path] = []
    for found in walk(path, ctx, skip_ignored=skip_ignored, skipped=skipped):
        if wanted is not None and not is_matched(found, wanted):
            continue
        if found.kind is PathKind.FILE:
            files.append(found.path)
        elif found.kind is PathKind.LINK:
            inside = found.path.resolve().is_relative_to(ctx.project_dir.resolve())
            skipped.add(found.path, "a link" if inside else "a link that leaves the project folder")
    return files


def _lines(path: Path, skipped: Skipped) -> list[str] | None:
    """Return the lines of a text file, or None when it is skipped."""
    try:
        size_bytes = path.stat().st_size
        if size_bytes > MAX_SEARCHED_BYTES:
            skipped.add(path, f"{readable_size(size_bytes)} is more than {readable_size(MAX_SEARCHED_BYTES)}")
            return None
        with path.open("rb") as stream:
            head = stream.read(SAMPLE_BYTES)
            encoding = encoding_of(head, whole=len(head) < SAMPLE_BYTES)
            content = head + stream.read(MAX_SEARCHED_BYTES) if encoding else b""
    except OSError as error:
        skipped.add(path, error.strerror or str(error))
        return None
    text = decode(content, encoding) if encoding else None
    if text is None:
        skipped.add(path, "no text")
        return None
    return _split(text.text)


def _split(text: str) -> list[str]:
    """Return the lines of a text, split in pieces because one long split would stop every other thread meanwhile."""
    if not text:
        return []
    text = text.removesuffix("\n")
    lines: list[str] = []
    start = 0
    while start <= len(text):
        end = text.find("\n", start + _SPLIT_CHARS)
        end = len(text) if end < 0 else end
        lines += [line.removesuffix("\r") for line in text[start:end].split("\n")]
        start = end + 1
    return lines


def _window(line: str, column: int) -> str:
    """Return a line, or the part of a very long one around a match."""
    if len(line) <= MAX_LINE_CHARS:
        return line
    start = max(0, min(column - MAX_LINE_CHARS // 4, len(line) - MAX_LINE_CHARS))
    end = start + MAX_LINE_CHARS
    return ("…" if start else "") + line[start:end] + ("…" if end < len(line) else "")


def _with_context(name: str, lines: list[str], hits: list[_Hit], wanted: ContextLines | None) -> Iterator[Match]:
    given = -1
    for hit, following in zip_longest(hits, hits[1:]):
        context: Surroundings | None = None
        if wanted is not None:
            start, end = hit.line - wanted.before, hit.line + 1 + wanted.after
            if wanted.merge_overlaps:
                start = max(start, given + 1)
                end = min(end, following.line) if following is not None else end
                given = max(hit.line, end - 1)
            context = Surroundings(
                before=[_window(line, 0) for line in lines[max(0, start) : hit.line]],
                after=[_window(line, 0) for line in lines[hit.line + 1 : end]],
            )
        yield Match(name, hit.line + 1, hit.column + 1, hit.text, context)


def _size(match: Match) -> int:
    around = match.context
    return len(match.text) + (sum(map(len, (*around.before, *around.after))) if around is not None else 0)
