"""What the file tools return."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from pydantic import Field

from tools.catalog._walking import PathKind

ShownPath = Annotated[str, Field(description="Path within the project folder, absolute when outside it.")]
SizeBytes = Annotated[int, Field(description="Size in bytes.")]
Truncated = Annotated[bool, Field(description="Whether there was more than this result holds.")]


@dataclass(frozen=True, slots=True)
class Entry:
    """One file, folder or link."""

    path: ShownPath
    kind: Annotated[PathKind, Field(description="What it is; links are not followed.")]
    size_bytes: Annotated[int | None, Field(description="Size in bytes; null for folders.")]
    modified: Annotated[datetime, Field(description="When its content last changed, UTC.")]


@dataclass(frozen=True, slots=True)
class Listing:
    """What lies in a folder."""

    path: ShownPath
    entries: Annotated[list[Entry], Field(description="Folder by folder, in order of name.")]
    truncated: Truncated


@dataclass(frozen=True, slots=True)
class FileText:
    """Part or all of a text file."""

    path: ShownPath
    text: Annotated[str, Field(description="The lines, ends of lines included.")]
    encoding: Annotated[str, Field(description="The encoding it was read with.")]
    first_line: Annotated[int, Field(description="Number of the first line in text, from 1.")]
    last_line: Annotated[int, Field(description="Number of the last line in text; 0 for an empty file.")]
    total_lines: Annotated[int | None, Field(description="Lines in the file; null when it is too large to count.")]
    size_bytes: SizeBytes
    truncated: Annotated[bool, Field(description="Whether max_chars cut the wanted lines; go on with last_line + 1.")]


@dataclass(frozen=True, slots=True)
class FoundPaths:
    """The paths that fit a pattern."""

    pattern: Annotated[str, Field(description="The pattern that was looked for.")]
    entries: Annotated[list[Entry], Field(description="What fits, folder by folder, in order of name.")]
    truncated: Truncated


@dataclass(frozen=True, slots=True)
class PathFacts:
    """What is known of a path without changing it."""

    path: ShownPath
    kind: Annotated[PathKind, Field(description="What it is; the link itself for a link.")]
    size_bytes: SizeBytes
    modified: Annotated[datetime, Field(description="When its content last changed, UTC.")]
    permissions: Annotated[str, Field(description="As ls writes them, such as -rw-r--r--.")]
    mime_type: Annotated[str | None, Field(description="Guessed from the name; null when unknown.")]
    encoding: Annotated[str | None, Field(description="Text encoding; null when it is no text.")]
    lines: Annotated[int | None, Field(description="Lines of a text file; null for others and very large ones.")]
    link_target: Annotated[str | None, Field(description="What a link says it leads to; null when it is none.")]
    entries: Annotated[int | None, Field(description="How many entries a folder has; null when it is none.")]


@dataclass(frozen=True, slots=True)
class Digest:
    """A file's checksum."""

    path: ShownPath
    algorithm: Annotated[str, Field(description="The algorithm.")]
    digest: Annotated[str, Field(description="The checksum in hexadecimal digits.")]
    size_bytes: SizeBytes


@dataclass(frozen=True, slots=True)
class LargeFile:
    """A file and its size."""

    path: ShownPath
    size_bytes: SizeBytes
    size: Annotated[str, Field(description="The same for people.")]


@dataclass(frozen=True, slots=True)
class LargeFiles:
    """The largest files below a folder."""

    path: ShownPath
    files: Annotated[list[LargeFile], Field(description="The largest first.")]
    files_seen: Annotated[int, Field(description="How many files were looked at.")]
    total_bytes: Annotated[int, Field(description="What all of them take together, in bytes.")]


@dataclass(frozen=True, slots=True)
class Written:
    """What was written."""

    path: ShownPath
    created: Annotated[bool, Field(description="Whether the file is new.")]
    written_bytes: Annotated[int, Field(description="How many bytes this call wrote.")]
    size_bytes: Annotated[int, Field(description="Size of the file now, in bytes.")]
    encoding: Annotated[str, Field(description="The encoding of the text.")]


@dataclass(frozen=True, slots=True)
class Moved:
    """What was copied or moved."""

    source: Annotated[str, Field(description="Where it was.")]
    target: Annotated[str, Field(description="Where it is now.")]
    files: Annotated[int, Field(description="How many files that is.")]
    folders: Annotated[int, Field(description="How many folders that is.")]
    size_bytes: Annotated[int, Field(description="Their size together, in bytes.")]
    replaced: Annotated[bool, Field(description="Whether a file had to give way.")]


@dataclass(frozen=True, slots=True)
class Deleted:
    """What was deleted."""

    message: Annotated[str, Field(description="Deleted: and the path, or that there was nothing.")]
    path: ShownPath
    files: Annotated[int, Field(description="How many files and links are gone.")]
    folders: Annotated[int, Field(description="How many folders are gone.")]
    size_bytes: Annotated[int, Field(description="What they took together, in bytes.")]


@dataclass(frozen=True, slots=True)
class MadeFolder:
    """A folder that exists now."""

    path: ShownPath
    created: Annotated[bool, Field(description="Whether it is new.")]


@dataclass(frozen=True, slots=True)
class MadeFile:
    """A file that was made out of something else."""

    path: ShownPath
    created: Annotated[bool, Field(description="Whether it is new; false when it replaced another.")]
    size_bytes: SizeBytes
