"""List, read and describe files."""

from __future__ import annotations

import hashlib
import heapq
import mimetypes
import os
import stat
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal, NamedTuple, TextIO

from pydantic import Field

from tools.catalog._bounds import (
    MAX_CHARS,
    MAX_COUNTED_BYTES,
    MAX_ENTRIES,
    ProgressThrottle,
    Skipped,
    counted,
    readable_size,
    say_cut,
)
from tools.catalog._documents import file_encoding, need_encoding
from tools.catalog._paths import need_file, need_folder, refusals, shown, status_of
from tools.catalog._walking import Found, PathKind, is_matched, kind_of, matcher, walk
from tools.catalog.files_results import Digest, Entry, FileText, FoundPaths, LargeFile, LargeFiles, Listing, PathFacts
from tools.context import ToolContext
from tools.declare import tool
from tools.errors import ToolFailure
from tools.spec import Latency, Param, PathRole, ToolExample

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

CHUNK_BYTES: Final = 1024 * 1024
_PIECE_CHARS: Final = 64 * 1024

SkipIgnored = Annotated[bool, Param("Leave out .git and whatever .gitignore files name")]


class ReadingFiles:
    """The tools that look at files and change nothing."""

    @tool(
        keywords=("ls", "dir", "directory", "folder", "browse"),
        latency=Latency.FAST,
        read_only=True,
        open_world=False,
        timeout_s=60,
        examples=(
            ToolExample(input={"path": "."}, description="What lies in the project folder"),
            ToolExample(input={"path": "src", "recursive": True}, description="Everything below src"),
        ),
    )
    def list_files(
        self,
        path: Annotated[Path, Param("The folder"), PathRole()] = Path(),
        *,
        recursive: Annotated[bool, Param("Include what lies in folders below")] = False,
        skip_ignored: SkipIgnored = True,
        max_entries: Annotated[int, Param("Most entries returned"), Field(ge=1, le=MAX_ENTRIES)] = 500,
        ctx: ToolContext,
    ) -> Listing:
        """List the files and folders in a folder with their sizes and times."""
        need_folder(path, ctx.project_dir)
        skipped = Skipped(ctx)
        everything = walk(path, ctx, skip_ignored=skip_ignored, skipped=skipped, depth=None if recursive else 1)
        entries, truncated = _entries(everything, max_entries, ctx, skipped)
        return Listing(shown(path, ctx.project_dir), entries, truncated)

    @tool(
        keywords=("cat", "open", "view", "text", "lines"),
        latency=Latency.FAST,
        read_only=True,
        open_world=False,
        timeout_s=60,
        examples=(
            ToolExample(input={"path": "README.md"}, description="A whole file"),
            ToolExample(
                input={"path": "README.md", "first_line": 1, "last_line": 3}, description="Its first three lines"
            ),
        ),
    )
    def read_file(
        self,
        path: Annotated[Path, Param("The text file"), PathRole()],
        *,
        first_line: Annotated[int, Param("Number of the first line wanted, from 1"), Field(ge=1)] = 1,
        last_line: Annotated[
            int | None, Param("Number of the last line wanted; none reads to the end"), Field(ge=1)
        ] = None,
        encoding: Annotated[str | None, Param("Text encoding such as utf-8 or cp1252; none finds out")] = None,
        max_chars: Annotated[int, Param("Most characters returned"), Field(ge=1, le=MAX_CHARS)] = 100_000,
        ctx: ToolContext,
    ) -> FileText:
        """Read a text file, or some of its lines. The encoding is detected unless given."""
        size_bytes = need_file(path, ctx.project_dir).st_size
        name = shown(path, ctx.project_dir)
        if last_line is not None and last_line < first_line:
            raise ToolFailure(f"expected last_line to be at least first_line ({first_line}), got {last_line}")
        with refusals(f"read {name!r}"):
            used = need_encoding(encoding) if encoding else file_encoding(path)
            if used is None:
                raise ToolFailure(f"{name!r} is no text file; file_info and hash_file say what it is")
            part = _read_lines(path, used, _Wanted(first_line, last_line, max_chars), size_bytes, ctx)
        if part.total is not None and first_line > max(part.total, 1):
            raise ToolFailure(f"{name!r} has {counted(part.total, 'line')}, but first_line is {first_line}")
        if part.truncated:
            say_cut(ctx, f"max_chars is {max_chars:,}; go on with first_line={part.last + 1}")
        if "\ufffd" in part.text:
            ctx.log("warning", f"some bytes are not {used}; they are shown as \ufffd")
        return FileText(name, part.text, used, first_line, part.last, part.total, size_bytes, part.truncated)

    @tool(
        keywords=("glob", "locate", "name", "pattern"),
        latency=Latency.MEDIUM,
        read_only=True,
        open_world=False,
        timeout_s=120,
        examples=(
            ToolExample(input={"pattern": "*.py"}, description="All Python files at any depth"),
            ToolExample(input={"pattern": "docs/**/*.md", "kind": "file"}, description="Markdown files below docs"),
            ToolExample(
                input={"pattern": "*", "kind": "file", "modified_before": "2020-01-01T00:00:00Z"},
                description="Files that are old",
            ),
        ),
    )
    def find_files(
        self,
        pattern: Annotated[str, Param("Pattern such as *.py (any depth) or docs/**/*.md"), Field(min_length=1)],
        *,
        path: Annotated[Path, Param("The folder to look in"), PathRole()] = Path(),
        kind: Annotated[Literal["any", "file", "folder", "link"], Param("What to return")] = "any",
        modified_since: Annotated[datetime | None, Param("Only what changed at this time or later")] = None,
        modified_before: Annotated[datetime | None, Param("Only what did not change since this time")] = None,
        skip_ignored: SkipIgnored = True,
        max_results: Annotated[int, Param("Most paths returned"), Field(ge=1, le=MAX_ENTRIES)] = 500,
        ctx: ToolContext,
    ) -> FoundPaths:
        """Find files and folders whose path fits a pattern. Patterns are read as in .gitignore files."""
        need_folder(path, ctx.project_dir)
        fits = matcher([pattern])
        skipped = Skipped(ctx)
        everything = walk(path, ctx, skip_ignored=skip_ignored, skipped=skipped)
        fitting = (
            found
            for found in everything
            if kind in {"any", found.kind.value}
            and is_matched(found, fits)
            and _is_of_time(found.path, modified_since, modified_before, skipped)
        )
        entries, truncated = _entries(fitting, max_results, ctx, skipped)
        return FoundPaths(pattern, entries, truncated)

    @tool(
        keywords=("stat", "size", "modified", "type", "permissions"),
        latency=Latency.FAST,
        read_only=True,
        open_world=False,
        timeout_s=60,
        examples=(
            ToolExample(input={"path": "README.md"}, description="Size, times, type and encoding of a file"),
            ToolExample(input={"path": "src"}, description="How many entries a folder has"),
        ),
    )
    def file_info(
        self, path: Annotated[Path, Param("The file, folder or link"), PathRole()], *, ctx: ToolContext
    ) -> PathFacts:
        """Say what a file, folder or link is: size, time, permissions, type, encoding and number of lines."""
        status = status_of(path, ctx.project_dir)
        kind = kind_of(path)
        encoding: str | None = None
        lines: int | None = None
        entries: int | None = None
        with refusals(f"look into {shown(path, ctx.project_dir)!r}"):
            if kind is PathKind.FILE:
                encoding = file_encoding(path)
                lines = _count_lines(path, encoding, ctx) if encoding and status.st_size <= MAX_COUNTED_BYTES else None
            elif kind is PathKind.FOLDER:
                with os.scandir(path) as listing:
                    entries = sum(1 for _ in listing)
        return PathFacts(
            path=shown(path, ctx.project_dir),
            kind=kind,
            size_bytes=status.st_size,
            modified=_time(status),
            permissions=stat.filemode(status.st_mode),
            mime_type=mimetypes.guess_type(path.name)[0] if kind is PathKind.FILE else None,
            encoding=encoding,
            lines=lines,
            link_target=shown(path.readlink(), ctx.project_dir) if kind is PathKind.LINK else None,
            entries=entries,
        )

    @tool(
        keywords=("checksum", "sha256", "md5", "digest", "verify"),
        latency=Latency.MEDIUM,
        read_only=True,
        open_world=False,
        timeout_s=600,
        examples=(
            ToolExample(input={"path": "README.md"}, description="The SHA-256 checksum of a file"),
            ToolExample(
                input={"path": "README.md", "algorithm": "md5"}, description="The MD5 checksum, as older lists have it"
            ),
        ),
    )
    def hash_file(
        self,
        path: Annotated[Path, Param("The file"), PathRole()],
        *,
        algorithm: Annotated[
            Literal["sha256", "sha512", "sha1", "md5", "blake2b"], Param("How it is computed")
        ] = "sha256",
        ctx: ToolContext,
    ) -> Digest:
        """Compute the checksum of a file."""
        size_bytes = need_file(path, ctx.project_dir).st_size
        name = shown(path, ctx.project_dir)
        digest = hashlib.new(algorithm, usedforsecurity=False)
        pace = ProgressThrottle(ctx, size_bytes)
        with refusals(f"read {name!r}"), path.open("rb") as stream:
            while chunk := stream.read(CHUNK_BYTES):
                digest.update(chunk)
                pace.step(len(chunk), name)
        return Digest(name, algorithm, digest.hexdigest(), size_bytes)

    @tool(
        keywords=("disk", "space", "biggest", "size", "clean"),
        latency=Latency.MEDIUM,
        read_only=True,
        open_world=False,
        timeout_s=300,
        examples=(
            ToolExample(input={"path": "."}, description="The ten largest files of the project"),
            ToolExample(
                input={"path": ".", "count": 3, "min_size_bytes": 1000}, description="The three largest over 1 kB"
            ),
        ),
    )
    def find_large_files(
        self,
        path: Annotated[Path, Param("The folder to look in"), PathRole()] = Path(),
        *,
        count: Annotated[int, Param("How many to return"), Field(ge=1, le=1000)] = 10,
        min_size_bytes: Annotated[int, Param("Leave out smaller files", unit="bytes"), Field(ge=0)] = 0,
        skip_ignored: SkipIgnored = False,
        ctx: ToolContext,
    ) -> LargeFiles:
        """Find the largest files below a folder."""
        need_folder(path, ctx.project_dir)
        skipped = Skipped(ctx)
        pace = ProgressThrottle(ctx)
        total_bytes = 0
        largest: list[tuple[int, str]] = []
        for found in walk(path, ctx, skip_ignored=skip_ignored, skipped=skipped):
            if found.kind is not PathKind.FILE:
                continue
            try:
                size_bytes = found.path.lstat().st_size
            except OSError as error:
                skipped.add(found.path, error.strerror or str(error))
                continue
            pace.step(1, found.inside)
            total_bytes += size_bytes
            if size_bytes >= min_size_bytes:
                item = (size_bytes, shown(found.path, ctx.project_dir))
                (heapq.heappush if len(largest) < count else heapq.heappushpop)(largest, item)
        skipped.summarise()
        files = [LargeFile(name, size, readable_size(size)) for size, name in sorted(largest, reverse=True)]
        return LargeFiles(shown(path, ctx.project_dir), files, int(pace.done), total_bytes)


def entry_of(path: Path, kind: PathKind, project_dir: Path) -> Entry:
    """Return what a listing says of one path.

    Raises:
        OSError: It vanished or may not be looked at.
    """
    status = path.lstat()
    size_bytes = None if kind is PathKind.FOLDER else status.st_size
    return Entry(shown(path, project_dir), kind, size_bytes, _time(status))


def _entries(everything: Iterable[Found], most: int, ctx: ToolContext, skipped: Skipped) -> tuple[list[Entry], bool]:
    entries: list[Entry] = []
    pace = ProgressThrottle(ctx)
    for found in everything:
        if len(entries) == most:
            say_cut(ctx, f"there are more than {most:,}; narrow the folder or allow more")
            return entries, True
        try:
            entries.append(entry_of(found.path, found.kind, ctx.project_dir))
        except OSError as error:
            skipped.add(found.path, error.strerror or str(error))
        pace.step(1, found.inside)
    return entries, False


def _is_of_time(path: Path, since: datetime | None, before: datetime | None, skipped: Skipped) -> bool:
    """Return whether a path last changed within a time; times without a zone are this computer's."""
    if since is None and before is None:
        return True
    try:
        changed_s = path.lstat().st_mtime
    except OSError as error:
        skipped.add(path, error.strerror or str(error))
        return False
    return (since is None or changed_s >= since.timestamp()) and (before is None or changed_s < before.timestamp())


def _time(status: os.stat_result) -> datetime:
    return datetime.fromtimestamp(status.st_mtime, UTC)


class _Wanted(NamedTuple):
    first: int
    last: int | None
    max_chars: int


class _Lines(NamedTuple):
    text: str
    last: int
    total: int | None
    truncated: bool


def _read_lines(path: Path, encoding: str, wanted: _Wanted, size_bytes: int, ctx: ToolContext) -> _Lines:
    """Read some lines; the file is never held as a whole, and the rest is only counted when that is quick."""
    kept: list[str] = []
    room = wanted.max_chars
    last, total, truncated = wanted.first - 1, 0, False
    with path.open(encoding=encoding, errors="replace", newline="\n") as stream:
        for number, piece in _numbered(stream, ctx):
            total = number
            if number < wanted.first:
                continue
            if truncated or (wanted.last is not None and number > wanted.last):
                if size_bytes > MAX_COUNTED_BYTES:
                    return _Lines("".join(kept), last, None, truncated)
            elif len(piece) <= room:
                kept.append(piece)
                room -= len(piece)
                last = number
            else:
                truncated = True
                # A line is kept whole or not at all, unless it alone is too long.
                if not kept or not kept[-1].endswith("\n"):
                    kept.append(piece[:room])
                    last = number
    return _Lines("".join(kept), last, total, truncated)


def _numbered(stream: TextIO, ctx: ToolContext) -> Iterator[tuple[int, str]]:
    """Yield the lines with their numbers; a very long one comes in several pieces."""
    pace = ProgressThrottle(ctx)
    number = 1
    while piece := stream.readline(_PIECE_CHARS):
        yield number, piece
        number += piece.endswith("\n")
        pace.step(len(piece))


def _count_lines(path: Path, encoding: str, ctx: ToolContext) -> int:
    total = 0
    with path.open(encoding=encoding, errors="replace", newline="\n") as stream:
        for number, _ in _numbered(stream, ctx):
            total = number
    return total
