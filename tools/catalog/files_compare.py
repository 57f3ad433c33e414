"""Compare files with each other and with lists: folders, duplicates, checksums."""

from __future__ import annotations

import hashlib
import os
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal, NamedTuple

from pydantic import Field

from tools.catalog._bounds import MAX_ENTRIES, ProgressThrottle, Skipped, counted, readable_size, say_cut
from tools.catalog._documents import file_text
from tools.catalog._paths import need_folder, shown
from tools.catalog._walking import PathKind, walk
from tools.context import ToolContext
from tools.declare import tool
from tools.errors import ToolFailure
from tools.spec import Latency, Param, PathRole, ToolExample

_CHUNK_BYTES: Final = 1024 * 1024
_HEAD_BYTES: Final = 64 * 1024
_ALGORITHMS: Final = {32: "md5", 40: "sha1", 64: "sha256", 128: "sha512"}
_GNU: Final = re.compile(r"(\\?)([0-9a-fA-F]{32,128}) [ *](.+)")
_BSD: Final = re.compile(r"(\\?)[A-Za-z0-9-]+ ?\((.+)\) = ([0-9a-fA-F]{32,128})")

CompareBy = Literal["content", "size_and_time", "size"]


@dataclass(frozen=True, slots=True)
class FoldersCompared:
    """How two folders differ; paths are those within the folders."""

    only_left: Annotated[list[str], Field(description="Files that only the first folder has.")]
    only_right: Annotated[list[str], Field(description="Files that only the second folder has.")]
    different: Annotated[list[str], Field(description="Files that differ, or are of another kind.")]
    identical: Annotated[int, Field(description="How many files are the same.")]
    only_left_count: Annotated[int, Field(description="How many only the first folder has.")]
    only_right_count: Annotated[int, Field(description="How many only the second folder has.")]
    different_count: Annotated[int, Field(description="How many differ.")]
    truncated: Annotated[bool, Field(description="Whether a list is longer than this result.")]


@dataclass(frozen=True, slots=True)
class Duplicates:
    """Files with the same content."""

    size_bytes: Annotated[int, Field(description="Size of each, in bytes.")]
    sha256: Annotated[str, Field(description="Checksum of each.")]
    paths: Annotated[list[str], Field(description="Where they are.")]
    wasted_bytes: Annotated[int, Field(description="What all but one of them take, in bytes.")]


@dataclass(frozen=True, slots=True)
class FoundDuplicates:
    """The files below a folder that are there more than once."""

    groups: Annotated[list[Duplicates], Field(description="Those that waste most first.")]
    files_seen: Annotated[int, Field(description="How many files were looked at.")]
    wasted_bytes: Annotated[int, Field(description="What all duplicates take, in bytes.")]
    wasted: Annotated[str, Field(description="The same for people.")]
    truncated: Annotated[bool, Field(description="Whether there are more groups.")]


@dataclass(frozen=True, slots=True)
class BadChecksum:
    """A file of a list that is not as the list says."""

    path: Annotated[str, Field(description="The path, as the list says.")]
    problem: Annotated[
        Literal["missing", "different", "unreadable", "outside"],
        Field(description="What is wrong; outside is a path that leaves the folder, which is not read."),
    ]
    expected: Annotated[str, Field(description="The checksum in the list.")]
    actual: Annotated[str | None, Field(description="The checksum of the file; null when it was not read.")]


@dataclass(frozen=True, slots=True)
class ChecksumsVerified:
    """How files compare with a list of checksums."""

    listed: Annotated[int, Field(description="How many files the list names.")]
    good: Annotated[int, Field(description="How many are as it says.")]
    bad: Annotated[list[BadChecksum], Field(description="The first that are not.")]
    bad_count: Annotated[int, Field(description="How many are not.")]
    truncated: Annotated[bool, Field(description="Whether bad goes on.")]


class _Listed(NamedTuple):
    digest: str
    name: str

    @property
    def algorithm(self) -> str:
        return _ALGORITHMS[len(self.digest)]


class ComparingFiles:
    """The tools that compare files."""

    @tool(
        keywords=("diff", "compare", "folders", "sync", "backup"),
        latency=Latency.MEDIUM,
        read_only=True,
        open_world=False,
        timeout_s=600,
        examples=(
            ToolExample(input={"left": "src", "right": "docs"}, description="What two folders do not share"),
            ToolExample(
                input={"left": "src", "right": "docs", "by": "size_and_time"}, description="Without reading the files"
            ),
        ),
    )
    def compare_folders(
        self,
        left: Annotated[Path, Param("The first folder"), PathRole()],
        right: Annotated[Path, Param("The second folder"), PathRole()],
        *,
        by: Annotated[CompareBy, Param("What makes two files the same")] = "content",
        skip_ignored: Annotated[bool, Param("Leave out .git and whatever .gitignore files name")] = True,
        max_entries: Annotated[int, Param("Most paths of each list"), Field(ge=1, le=MAX_ENTRIES)] = 200,
        ctx: ToolContext,
    ) -> FoldersCompared:
        """Compare two folders file by file: what only one has, and what differs. Links are compared by their target."""
        skipped = Skipped(ctx)
        sides: list[dict[str, tuple[Path, PathKind]]] = []
        for folder in (left, right):
            need_folder(folder, ctx.project_dir)
            found = walk(folder, ctx, skip_ignored=skip_ignored, skipped=skipped)
            sides.append({item.inside: (item.path, item.kind) for item in found if item.kind is not PathKind.FOLDER})
        first, second = sides
        shared = sorted(first.keys() & second.keys())
        pace = ProgressThrottle(ctx, len(shared))
        different: list[str] = []
        for name in shared:
            pace.step(1, name)
            try:
                if not _is_same(first[name], second[name], by):
                    different.append(name)
            except OSError as error:
                skipped.add(first[name][0], error.strerror or str(error))
                different.append(name)
        only_left, only_right = sorted(first.keys() - second.keys()), sorted(second.keys() - first.keys())
        truncated = max(map(len, (only_left, only_right, different))) > max_entries
        if truncated:
            say_cut(ctx, f"lists are cut after {max_entries:,} paths; compare folders below, or allow more")
        return FoldersCompared(
            only_left=only_left[:max_entries],
            only_right=only_right[:max_entries],
            different=different[:max_entries],
            identical=len(shared) - len(different),
            only_left_count=len(only_left),
            only_right_count=len(only_right),
            different_count=len(different),
            truncated=truncated,
        )

    @tool(
        keywords=("duplicates", "same", "copies", "space", "clean"),
        latency=Latency.SLOW,
        read_only=True,
        open_world=False,
        timeout_s=1800,
        examples=(
            ToolExample(input={"path": "."}, description="Files of the project that are there twice"),
            ToolExample(
                input={"path": ".", "min_size_bytes": 1_000_000, "skip_ignored": False}, description="Large ones only"
            ),
        ),
    )
    def find_duplicate_files(
        self,
        path: Annotated[Path, Param("The folder to look in"), PathRole()] = Path(),
        *,
        min_size_bytes: Annotated[int, Param("Leave out smaller files", unit="bytes"), Field(ge=1)] = 1,
        skip_ignored: Annotated[bool, Param("Leave out .git and whatever .gitignore files name")] = True,
        max_groups: Annotated[int, Param("Most groups returned"), Field(ge=1, le=1000)] = 50,
        ctx: ToolContext,
    ) -> FoundDuplicates:
        """Find files with the same content below a folder, whatever they are called. Empty files do not count.

        Several names of one file (hard links) count once, as they take no further space.
        """
        need_folder(path, ctx.project_dir)
        skipped = Skipped(ctx)
        by_size, seen = _by_size(path, min_size_bytes, ctx, skipped, skip_ignored=skip_ignored)
        alike = {size: paths for size, paths in by_size.items() if len(paths) > 1}
        pace = ProgressThrottle(ctx, sum(len(paths) for paths in alike.values()))
        groups: list[Duplicates] = []
        for size, paths in alike.items():
            for digest, same in _same_content(paths, pace, skipped):
                names = [shown(found, ctx.project_dir) for found in same]
                groups.append(Duplicates(size, digest, names, size * (len(same) - 1)))
        skipped.summarise()
        groups.sort(key=lambda group: (-group.wasted_bytes, group.paths))
        wasted = sum(group.wasted_bytes for group in groups)
        if len(groups) > max_groups:
            say_cut(ctx, f"{max_groups:,} of {counted(len(groups), 'group')} are returned")
        return FoundDuplicates(groups[:max_groups], seen, wasted, readable_size(wasted), len(groups) > max_groups)

    @tool(
        keywords=("checksum", "sha256sum", "verify", "integrity", "hash"),
        latency=Latency.MEDIUM,
        read_only=True,
        open_world=False,
        timeout_s=1800,
        examples=(
            ToolExample(input={"list_file": "data/SHA256SUMS"}, description="The files that a list beside them names"),
            ToolExample(
                input={"list_file": "README.md"},
                description="A file that is no list of checksums",
                negative=True,
                why_bad="A list has lines such as sha256sum writes them.",
            ),
        ),
    )
    def verify_checksums(
        self,
        list_file: Annotated[Path, Param("The list, as sha256sum, md5sum or shasum writes it"), PathRole()],
        *,
        folder: Annotated[
            Path | None, Param("The folder its paths are in; none is that of the list"), PathRole()
        ] = None,
        max_entries: Annotated[int, Param("Most bad files returned"), Field(ge=1, le=MAX_ENTRIES)] = 200,
        ctx: ToolContext,
    ) -> ChecksumsVerified:
        """Check files against a list of checksums (MD5, SHA-1, SHA-256 or SHA-512, told by their length)."""
        listed = _listed(file_text(list_file, ctx), shown(list_file, ctx.project_dir))
        base = folder or list_file.parent
        need_folder(base, ctx.project_dir)
        pace = ProgressThrottle(ctx, len(listed))
        bad: list[BadChecksum] = []
        for item in listed:
            pace.step(1, item.name)
            found = _checked(item, base)
            if found is not None:
                bad.append(found)
        if len(bad) > max_entries:
            say_cut(ctx, f"{max_entries:,} of {len(bad):,} bad files are returned")
        return ChecksumsVerified(
            len(listed), len(listed) - len(bad), bad[:max_entries], len(bad), len(bad) > max_entries
        )


def _is_same(left: tuple[Path, PathKind], right: tuple[Path, PathKind], by: CompareBy) -> bool:
    (first, kind), (second, other_kind) = left, right
    if kind is not other_kind:
        return False
    if kind is PathKind.LINK:
        return first.readlink() == second.readlink()
    if kind is PathKind.OTHER:
        return True
    one, two = first.lstat(), second.lstat()
    if one.st_size != two.st_size:
        return False
    if by != "content":
        return by == "size" or int(one.st_mtime) == int(two.st_mtime)
    with first.open("rb") as reading, second.open("rb") as other:
        while chunk := reading.read(_CHUNK_BYTES):
            if chunk != other.read(_CHUNK_BYTES):
                return False
    return True


def _by_size(
    path: Path, least: int, ctx: ToolContext, skipped: Skipped, *, skip_ignored: bool
) -> tuple[dict[int, list[Path]], int]:
    """Return the files below a folder by their size, and how many there are."""
    by_size: dict[int, list[Path]] = defaultdict(list)
    linked: set[tuple[int, int]] = set()
    seen = 0
    for found in walk(path, ctx, skip_ignored=skip_ignored, skipped=skipped):
        if found.kind is not PathKind.FILE:
            continue
        try:
            status = found.path.lstat()
        except OSError as error:
            skipped.add(found.path, error.strerror or str(error))
            continue
        seen += 1
        if status.st_size < least or (status.st_nlink > 1 and (status.st_dev, status.st_ino) in linked):
            continue
        linked.add((status.st_dev, status.st_ino))
        by_size[status.st_size].append(found.path)
    return by_size, seen


def _same_content(paths: list[Path], pace: ProgressThrottle, skipped: Skipped) -> Iterator[tuple[str, list[Path]]]:
    """Yield groups of files with the same content, out of files of the same size, with their checksum."""
    for head in _grouped(paths, _HEAD_BYTES, pace, skipped).values():
        if len(head) > 1:
            for digest, same in _grouped(head, None, None, skipped).items():
                if len(same) > 1:
                    yield digest, same


def _grouped(
    paths: list[Path], most: int | None, pace: ProgressThrottle | None, skipped: Skipped
) -> dict[str, list[Path]]:
    groups: dict[str, list[Path]] = defaultdict(list)
    for path in paths:
        if pace is not None:
            pace.step(1, path.name)
        try:
            groups[_digest(path, "sha256", most)].append(path)
        except OSError as error:
            skipped.add(path, error.strerror or str(error))
    return groups


def _digest(path: Path, algorithm: str, most: int | None = None) -> str:
    digest = hashlib.new(algorithm, usedforsecurity=False)
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK_BYTES if most is None else most):
            digest.update(chunk)
            if most is not None:
                break
    return digest.hexdigest()


def _listed(text: str, name: str) -> list[_Listed]:
    """Return the files of a list of checksums.

    Raises:
        ToolFailure: It is none; the message names the line.
    """
    found: list[_Listed] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        gnu, bsd = _GNU.fullmatch(line), _BSD.fullmatch(line)
        match = (gnu[1], gnu[2], gnu[3]) if gnu else (bsd[1], bsd[3], bsd[2]) if bsd else None
        if match is None or len(match[1]) not in _ALGORITHMS:
            raise ToolFailure(
                f"line {number} of {name!r} is no checksum with a path; expected lines such as sha256sum writes them"
            )
        escaped, digest, path = match
        # A backslash before the checksum says that the name is written with escapes.
        path = path.replace("\\n", "\n").replace("\\\\", "\\") if escaped else path
        found.append(_Listed(digest.lower(), path))
    if not found:
        raise ToolFailure(f"{name!r} names no file; expected lines such as sha256sum writes them")
    return found


def _checked(item: _Listed, folder: Path) -> BadChecksum | None:
    """Return what is wrong with a file of a list; None for nothing."""
    path = Path(os.path.normpath(folder / item.name))
    if not path.resolve().is_relative_to(folder.resolve()):
        return BadChecksum(item.name, "outside", item.digest, None)
    if not path.is_file():
        return BadChecksum(item.name, "missing", item.digest, None)
    try:
        actual = _digest(path, item.algorithm)
    except OSError:
        return BadChecksum(item.name, "unreadable", item.digest, None)
    return None if actual == item.digest else BadChecksum(item.name, "different", item.digest, actual)
