"""Change text files in place: encoding and line ends stay, a stale edit is refused, the change is told as a diff."""

from __future__ import annotations

import codecs
import difflib
import hashlib
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Annotated, Final, NamedTuple

from pydantic import Field

from tools.catalog._bounds import counted, readable_size, say_cut
from tools.catalog._documents import MAX_DOCUMENT_BYTES, decode, need_encoding
from tools.catalog._paths import need_file, refusals, shown
from tools.catalog._tree import replacing
from tools.context import ToolContext
from tools.errors import ToolFailure
from tools.spec import Count, DryRun

MAX_DIFF_CHARS: Final = 50_000
"""Most characters of a diff in a result."""

_WRITABLE: Final = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
_MOST_SHOWN: Final = 200
_LONGEST_DIFFED: Final = 20_000
_LONGEST_LINE: Final = 300
_QUOTED_CHARS: Final = 80


@dataclass(frozen=True, slots=True)
class EditedFile:
    """A file that was changed in place."""

    path: Annotated[str, Field(description="Path within the project folder, absolute when outside it.")]
    changes: Annotated[int, Field(description="How many places changed.")]
    added_lines: Annotated[int, Field(description="Lines that are new or different now.")]
    removed_lines: Annotated[int, Field(description="Lines that are gone or different now.")]
    diff: Annotated[str, Field(description="The change as a unified diff.")]
    diff_truncated: Annotated[bool, Field(description="Whether the diff goes on.")]
    sha256: Annotated[str, Field(description="Checksum of the file now; give it as expected_sha256 of the next edit.")]
    size_bytes: Annotated[int, Field(description="Size of the file now, in bytes.")]
    encoding: Annotated[str, Field(description="The encoding, which is kept.")]
    line_ending: Annotated[str, Field(description="lf or crlf, as most lines have it; it is kept.")]


class EditableText(NamedTuple):
    """A text file that can be written back byte by byte as it was.

    Attributes:
        name: What it is called in messages.
        text: Its characters, line ends as they are.
        content: Its bytes.
        newline: The end that most of its lines have.
    """

    path: Path
    name: str
    text: str
    encoding: str
    content: bytes
    newline: str

    @property
    def sha256(self) -> str:
        """The checksum of the bytes."""
        return hashlib.sha256(self.content).hexdigest()

    @property
    def lines(self) -> list[str]:
        return split_lines(self.text)

    def fitted(self, text: str) -> str:
        """Return a text with the line ends of this file."""
        plain = text.replace("\r\n", "\n")
        return plain if self.newline == "\n" else plain.replace("\n", self.newline)

    def encoded(self, text: str) -> bytes:
        """Return another text as bytes of the same encoding, announced as this file's is.

        Raises:
            ToolFailure: The encoding has no room for one of the signs.
        """
        # Python's utf-16 and utf-32 write the byte order of this computer, not the one of the file.
        for mark, encoding in ((codecs.BOM_UTF32_BE, "utf-32-be"), (codecs.BOM_UTF16_BE, "utf-16-be")):
            if self.encoding in {"utf-16", "utf-32"} and self.content.startswith(mark):
                return mark + text.encode(encoding)
        try:
            return text.encode(self.encoding)
        except UnicodeEncodeError as error:
            sign = text[error.start]
            raise ToolFailure(
                f"{sign!r} (U+{ord(sign):04X}) cannot be written in {self.encoding}, which {self.name!r} is in;"
                " leave it out, or convert the file to utf-8 first"
            ) from error


def split_lines(text: str) -> list[str]:
    """Return the lines of a text with their ends; as in `read_file`, only LF ends one, with or without a CR before."""
    *whole, last = text.split("\n")
    lines = [line + "\n" for line in whole]
    return [*lines, last] if last else lines


def editable(path: Path, project_dir: Path, *, encoding: str | None = None) -> EditableText:
    """Return a text file that can be changed.

    Args:
        path: The file; a link is followed.
        project_dir: The project folder, for names.
        encoding: What it is in; None finds out.

    Raises:
        ToolFailure: It is missing, too large, no text, or could not be written back as it was.
    """
    name = shown(path, project_dir)
    size_bytes = need_file(path, project_dir).st_size
    if size_bytes > MAX_DOCUMENT_BYTES:
        most = readable_size(MAX_DOCUMENT_BYTES)
        raise ToolFailure(f"{name!r} has {readable_size(size_bytes)}; files of at most {most} can be edited")
    with refusals(f"read {name!r}"):
        content = path.read_bytes()
    found = decode(content, need_encoding(encoding) if encoding else None)
    if found is None:
        raise ToolFailure(f"expected a text file, but {name!r} is binary; file_info says what it is")
    file = EditableText(path, name, found.text, found.encoding, content, _newline_of(found.text))
    if not found.exact or file.encoded(found.text) != content:
        raise ToolFailure(f"some bytes of {name!r} are not {found.encoding}; pass the encoding that the file is in")
    return file


def _newline_of(text: str) -> str:
    crlf = text.count("\r\n")
    return "\r\n" if crlf > text.count("\n") - crlf else "\n"


def refuse_stale(file: EditableText, expected_sha256: str | None) -> None:
    """Refuse an edit of a file that is not the one that was read.

    Raises:
        ToolFailure: The checksum differs.
    """
    if expected_sha256 is not None and file.sha256 != expected_sha256.strip().lower():
        raise ToolFailure(
            f"{file.name!r} has changed: expected the checksum {expected_sha256}, got {file.sha256};"
            " read it again and repeat the edit"
        )


def save_edit(file: EditableText, text: str, changes: int, ctx: ToolContext) -> EditedFile:
    """Write a changed text to the file it came from.

    Args:
        changes: How many places changed.
        ctx: The running call.

    Raises:
        ToolFailure: Somebody changed the file meanwhile, or the system refused; the file is as it was.
    """
    content = file.encoded(text)
    write_checked(file, content)
    removed, added = changed_lines(file.text, text)
    diff, truncated = whole_diff(file.text, text, file.name)
    if truncated:
        say_cut(ctx, f"the diff is longer than {MAX_DIFF_CHARS:,} characters")
    return EditedFile(
        path=file.name,
        changes=changes,
        added_lines=added,
        removed_lines=removed,
        diff=diff,
        diff_truncated=truncated,
        sha256=hashlib.sha256(content).hexdigest(),
        size_bytes=len(content),
        encoding=file.encoding,
        line_ending="crlf" if file.newline == "\r\n" else "lf",
    )


def write_checked(file: EditableText, content: bytes) -> None:
    """Put new content in the place of a file, unless it is not what was read any more.

    Raises:
        ToolFailure: It changed meanwhile, or the system refused; the file is as it was.
    """
    with refusals(f"write {file.name!r}"):
        # Replacing needs no right to write the file itself, so its protection would be passed over.
        if not file.path.stat().st_mode & _WRITABLE:
            raise ToolFailure(f"{file.name!r} is write-protected; allow writing it first")
        with replacing(file.path) as stream:
            stream.write(content)
            if file.path.read_bytes() != file.content:
                raise ToolFailure(f"{file.name!r} was changed meanwhile; nothing was written: read it again and repeat")


def changed_lines(before: str, after: str) -> tuple[int, int]:
    """Return how many lines of a text are gone and how many are new."""
    removed = added = 0
    for line in _diff(before, after, "", context=0):
        removed += line.startswith("-") and not line.startswith("---")
        added += line.startswith("+") and not line.startswith("+++")
    return removed, added


def whole_diff(before: str, after: str, name: str) -> tuple[str, bool]:
    """Return a change as a unified diff, and whether it goes on."""
    kept: list[str] = []
    room = MAX_DIFF_CHARS
    for line in _diff(before, after, name):
        room -= len(line) + 1
        if room < 0:
            return "\n".join(kept) + "\n", True
        kept.append(line)
    return "\n".join(kept) + "\n" if kept else "", False


def _diff(before: str, after: str, name: str, context: int = 3) -> Iterator[str]:
    old, new = split_lines(before), split_lines(after)
    if max(len(old), len(new)) > _LONGEST_DIFFED:
        yield from _diff_of_middle(old, new, name)
        return
    for line in difflib.unified_diff(old, new, f"a/{name}", f"b/{name}", n=context):
        yield from _shown_line(line)


def _diff_of_middle(old: list[str], new: list[str], name: str) -> Iterator[str]:
    """Yield what lies between the first and the last line that differ: a real diff of so many lines takes minutes."""
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    gone, come = old[start : len(old) - end], new[start : len(new) - end]
    if not gone and not come:
        return
    yield f"--- a/{name}"
    yield f"+++ b/{name}"
    yield f"@@ -{start + 1},{len(gone)} +{start + 1},{len(come)} @@"
    for sign, lines in (("-", gone), ("+", come)):
        for line in lines:
            yield from _shown_line(sign + line)


def _shown_line(line: str) -> Iterator[str]:
    text = line.rstrip("\r\n")
    yield text if len(text) <= _LONGEST_LINE else text[:_LONGEST_LINE] + "…"
    if not line.endswith("\n"):
        yield "\\ No newline at end of file"


def diff_dry_run(text: str, changes: Sequence[tuple[EditableText, str]], warnings: tuple[str, ...] = ()) -> DryRun:
    """Say how files would change.

    Args:
        text: What would happen, in one sentence.
        changes: The files, each with its new text.
        warnings: What a person should know besides.
    """
    removed = added = 0
    for file, after in changes:
        gone, new = changed_lines(file.text, after)
        removed, added = removed + gone, added + new
    lines = (line for file, after in changes for line in _diff(file.text, after, file.name))
    items = tuple(islice(lines, _MOST_SHOWN))
    counts = (
        Count("files", len(changes), counted(len(changes), "file")),
        Count("lines", added, f"{counted(added, 'line')} added"),
        Count("lines", removed, f"{counted(removed, 'line')} removed"),
    )
    return DryRun(text, counts, items, sum(1 for _ in lines), warnings)


def quoted(text: str) -> str:
    """Return the beginning of a text for a message."""
    return repr(text if len(text) <= _QUOTED_CHARS else text[:_QUOTED_CHARS] + "…")
