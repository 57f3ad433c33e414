"""Zip and tar archives: list, unpack, pack."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Final

from pydantic import Field

from tools.catalog._archives import (
    CHUNK_BYTES,
    MAX_MEMBERS,
    MAX_UNPACKED_BYTES,
    ArchiveFormat,
    ArchiveMember,
    OpenMember,
    format_of,
    need_archive,
    opened,
    pack,
    to_pack,
)
from tools.catalog._bounds import (
    MAX_ENTRIES,
    ProgressThrottle,
    Skipped,
    Unwatched,
    Watcher,
    counted,
    readable_size,
    say_cut,
)
from tools.catalog._dry_runs import refuse_target, telling_failures
from tools.catalog._paths import need_parent, refusals, shown
from tools.catalog._protected_files import DecidingFiles
from tools.catalog._tree import replacing
from tools.catalog._walking import PathKind, matcher
from tools.context import ToolContext
from tools.declare import tool, toolkit
from tools.errors import ToolFailure
from tools.spec import Count, DryRun, Latency, Param, PathRole, ToolExample

_MOST_ITEMS: Final = 200

ArchivePath = Annotated[Path, Param("The archive"), PathRole()]


@dataclass(frozen=True, slots=True)
class ArchiveListing:
    """What is in an archive."""

    path: Annotated[str, Field(description="The archive.")]
    format: Annotated[ArchiveFormat, Field(description="Its format, found by its content.")]
    members: Annotated[list[ArchiveMember], Field(description="Its entries, in their order.")]
    total: Annotated[int, Field(description="How many entries it has.")]
    unpacked_bytes: Annotated[int, Field(description="What they take unpacked, as the archive says, in bytes.")]
    packed_bytes: Annotated[int, Field(description="Size of the archive, in bytes.")]
    truncated: Annotated[bool, Field(description="Whether some entries are missing here.")]


@dataclass(frozen=True, slots=True)
class Unpacked:
    """What was unpacked."""

    target: Annotated[str, Field(description="The folder it is in.")]
    files: Annotated[int, Field(description="How many files that is.")]
    size_bytes: Annotated[int, Field(description="Their size together, in bytes.")]
    refused: Annotated[list[str], Field(description="The first entries that were left out, each with the reason.")]
    refused_count: Annotated[int, Field(description="How many were left out.")]


@dataclass(frozen=True, slots=True)
class PackedArchive:
    """An archive that was written."""

    path: Annotated[str, Field(description="The archive.")]
    format: Annotated[ArchiveFormat, Field(description="Its format, from its name.")]
    files: Annotated[int, Field(description="How many files are in it.")]
    skipped: Annotated[int, Field(description="How many links and others were left out; see the log.")]
    unpacked_bytes: Annotated[int, Field(description="What they take unpacked, in bytes.")]
    packed_bytes: Annotated[int, Field(description="Size of the archive, in bytes.")]


class _Unpacking:
    """Unpack an archive into a folder beside its target, and put it in place when all of it is there."""

    def __init__(self, arguments: Mapping[str, Any], watcher: Watcher) -> None:
        self.archive: Path = arguments["archive"]
        self.target: Path = arguments["target"]
        self._overwrite: bool = arguments["overwrite"]
        self.limit: int = arguments["max_size_bytes"]
        self._wanted = matcher(arguments["include"]) if arguments["include"] else None
        self._watcher = watcher
        self._deciding = DecidingFiles(watcher.project_dir)
        self.files: dict[str, int] = {}
        self.refused: list[str] = []
        self.refused_count = 0

    @property
    def name(self) -> str:
        return shown(self.target, self._watcher.project_dir)

    def check(self) -> None:
        """Check what can be known before the archive is read.

        Raises:
            ToolFailure: It is no archive, or the target is no folder.
        """
        need_archive(self.archive, self._watcher.project_dir)
        if os.path.lexists(self.target) and not self.target.is_dir():
            raise ToolFailure(f"expected a folder to unpack into, but {self.name!r} is a file; choose another target")
        need_parent(self.target, self._watcher.project_dir, create=False)

    def wants(self, found: OpenMember) -> str | None:
        """Return the path of an entry that is unpacked; None for folders and what is left out, which is counted."""
        member = found.member
        name = PurePosixPath(member.name.replace("\\", "/")).as_posix()
        if member.kind is PathKind.FOLDER or (self._wanted is not None and not self._wanted.match_file(name)):
            return None
        reason = member.refused
        if reason is None and name.casefold() in self.files:
            reason = "another entry has the same path"
        reason = reason or self._deciding.reason(self.target / name) or None
        if reason is not None:
            self.refused_count += 1
            if len(self.refused) < _MOST_ITEMS:
                self.refused.append(f"{member.name}: {reason}")
            return None
        if len(self.files) >= MAX_MEMBERS:
            raise ToolFailure(f"the archive holds more than {counted(MAX_MEMBERS, 'file')}; name some with include")
        return name

    def conflicts(self, names: list[str]) -> list[str]:
        """Return the files that would be replaced.

        Raises:
            ToolFailure: A folder of the target is a link that leads out of it, or something else has a file's place.
        """
        real = self.target.resolve()
        found = []
        for name in names:
            path = self.target / name
            if not path.parent.resolve().is_relative_to(real):
                raise ToolFailure(
                    f"refused to unpack {name!r}, as a folder above it is a link that leaves {self.name!r}"
                )
            if path.is_dir() or any(folder.is_file() for folder in path.parents if folder.is_relative_to(self.target)):
                raise ToolFailure(
                    f"cannot unpack {name!r}: a file and a folder would have the same name; choose another target"
                )
            if os.path.lexists(path):
                found.append(name)
        return found

    def run(self, pace: ProgressThrottle) -> int:
        """Unpack, and return how many bytes that is.

        Raises:
            ToolFailure: It cannot be; the target is as it was.
        """
        self.check()
        staged = self.target.with_name(f".{self.target.name[:100]}.{secrets.token_hex(4)}.part")
        names: list[str] = []
        try:
            with refusals(f"unpack to {self.name!r}"):
                staged.mkdir()
                with opened(self.archive, self.limit, self._watcher) as members:
                    for found in islice(members, MAX_MEMBERS * 2):
                        name = self.wants(found)
                        if name is not None and found.content is not None:
                            self._write(staged / name, found, pace)
                            self.files[name.casefold()] = 1
                            names.append(name)
                self._put_in_place(staged, names)
        finally:
            shutil.rmtree(staged, ignore_errors=True)
        return int(pace.done)

    def _write(self, path: Path, found: OpenMember, pace: ProgressThrottle) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as stream:
            while found.content is not None and (chunk := found.content.read(CHUNK_BYTES)):
                stream.write(chunk)
                pace.step(len(chunk), found.member.name)
                if pace.done > self.limit:
                    raise ToolFailure(
                        f"the archive unpacks to more than {readable_size(self.limit)}, so nothing was unpacked;"
                        " set max_size_bytes higher if that is meant"
                    )
        if found.executable:
            path.chmod(path.stat().st_mode | 0o111)

    def _put_in_place(self, staged: Path, names: list[str]) -> None:
        if not names:
            raise ToolFailure("nothing was unpacked: the archive holds no file that is wanted and harmless")
        if not self.target.exists():
            staged.rename(self.target)
            return
        self.refuse_conflicts(self.conflicts(names))
        for name in names:
            path = self.target / name
            path.parent.mkdir(parents=True, exist_ok=True)
            (staged / name).replace(path)

    def refuse_conflicts(self, names: list[str]) -> None:
        """Refuse to replace files unasked.

        Raises:
            ToolFailure: There are some, and that was not asked for.
        """
        if names and not self._overwrite:
            raise ToolFailure(
                f"{self.name!r} has {names[0]!r} already, and {len(names) - 1} more; set overwrite to replace them, or"
                " choose another target"
            )


@telling_failures
def unpack_dry_run(arguments: Mapping[str, Any], project_dir: Path) -> DryRun:
    """Say what unpacking would write."""
    unpacking = _Unpacking(arguments, Unwatched(project_dir))
    unpacking.check()
    names: list[str] = []
    size_bytes = 0
    with opened(unpacking.archive, MAX_UNPACKED_BYTES, Unwatched(project_dir)) as members:
        for found in members:
            name = unpacking.wants(found)
            if name is not None:
                names.append(name)
                unpacking.files[name.casefold()] = 1
                size_bytes += found.member.size_bytes
    replaced = unpacking.conflicts(names) if unpacking.target.exists() else []
    unpacking.refuse_conflicts(replaced)
    if size_bytes > arguments["max_size_bytes"]:
        raise ToolFailure(
            f"the archive says it unpacks to {readable_size(size_bytes)}; set max_size_bytes higher if that is meant"
        )
    warnings = [f"{counted(len(replaced), 'file')} in {unpacking.name} will be replaced."] if replaced else []
    if unpacking.refused_count:
        warnings.append(
            f"{counted(unpacking.refused_count, 'entry', 'entries')} left out, such as {unpacking.refused[0]}."
        )
    counts = (
        Count("files", len(names), counted(len(names), "file")),
        Count("bytes", size_bytes, f"{readable_size(size_bytes)}, as the archive says"),
    )
    text = f"Unpack {shown(unpacking.archive, project_dir)} into {unpacking.name}."
    return DryRun(text, counts, tuple(names[:_MOST_ITEMS]), max(0, len(names) - _MOST_ITEMS), tuple(warnings))


@telling_failures
def pack_dry_run(arguments: Mapping[str, Any], project_dir: Path) -> DryRun:
    """Say what would be packed."""
    target: Path = arguments["target"]
    form = format_of(target)
    replaced = refuse_target(target, project_dir, overwrite=arguments["overwrite"])
    need_parent(target, project_dir, create=False)
    watcher = Unwatched(project_dir)
    skipped = Skipped(watcher)
    files = to_pack(arguments["sources"], target, watcher, skipped, skip_ignored=arguments["skip_ignored"])
    size_bytes = sum(file.path.stat().st_size for file in files)
    warnings = [f"What is in {target.name} now is lost."] if replaced else []
    warnings += (
        [f"{counted(skipped.count, 'link or other thing', 'links and other things')} left out."]
        if skipped.count
        else []
    )
    return DryRun(
        f"Pack {counted(len(files), 'file')} into {shown(target, project_dir)} ({form}).",
        (
            Count("files", len(files), counted(len(files), "file")),
            Count("bytes", size_bytes, readable_size(size_bytes)),
        ),
        tuple(file.name for file in files[:_MOST_ITEMS]),
        max(0, len(files) - _MOST_ITEMS),
        tuple(warnings),
    )


@toolkit("Archives", category="archives", description="Look into zip and tar archives, unpack them and make them.")
class Archives:
    """Look into archives, unpack them and make them."""

    @tool(
        keywords=("zip", "tar", "unzip", "contents"),
        latency=Latency.MEDIUM,
        read_only=True,
        open_world=False,
        timeout_s=300,
        examples=(
            ToolExample(input={"archive": "data/old.zip"}, description="What is in an archive"),
            ToolExample(
                input={"archive": "README.md"},
                description="A file that is no archive",
                negative=True,
                why_bad="The format is found by the content; file_info says what the file is.",
            ),
        ),
    )
    def list_archive(
        self,
        archive: ArchivePath,
        *,
        include: Annotated[
            tuple[Annotated[str, Field(title="Pattern")], ...],
            Param("Only entries that fit one of these, such as *.py"),
        ] = (),
        max_entries: Annotated[int, Param("Most entries returned"), Field(ge=1, le=MAX_ENTRIES)] = 500,
        ctx: ToolContext,
    ) -> ArchiveListing:
        """List what is in a zip or tar archive without unpacking it, and what of it would be refused."""
        form = need_archive(archive, ctx.project_dir)
        wanted = matcher(include) if include else None
        members: list[ArchiveMember] = []
        total = size_bytes = 0
        with opened(archive, MAX_UNPACKED_BYTES, ctx) as found:
            for member, _, _ in found:
                if wanted is not None and not wanted.match_file(member.name.lstrip("/")):
                    continue
                total += 1
                size_bytes += member.size_bytes
                if len(members) < max_entries:
                    members.append(member)
        if total > len(members):
            say_cut(ctx, f"{len(members):,} of {total:,} entries are returned")
        return ArchiveListing(
            path=shown(archive, ctx.project_dir),
            format=form,
            members=members,
            total=total,
            unpacked_bytes=size_bytes,
            packed_bytes=archive.stat().st_size,
            truncated=total > len(members),
        )

    @tool(
        keywords=("zip", "tar", "unzip", "unpack", "decompress"),
        latency=Latency.SLOW,
        read_only=False,
        destructive=True,
        open_world=False,
        timeout_s=3600,
        dry_run=unpack_dry_run,
        examples=(
            ToolExample(
                input={"archive": "data/old.zip", "target": "old"}, description="Everything, into a new folder"
            ),
            ToolExample(
                input={"archive": "data/old.zip", "target": "old", "include": ["*.md"], "overwrite": True},
                description="Some of its files, over those that are there",
            ),
        ),
    )
    def extract_archive(
        self,
        archive: ArchivePath,
        target: Annotated[Path, Param("The folder to unpack into; made when it is missing"), PathRole(writes=True)],
        *,
        include: Annotated[
            tuple[Annotated[str, Field(title="Pattern")], ...],
            Param("Only entries that fit one of these, such as *.py"),
        ] = (),
        overwrite: Annotated[bool, Param("Replace files that are there")] = False,
        max_size_bytes: Annotated[
            int, Param("Refuse an archive that unpacks to more", unit="bytes"), Field(ge=1, le=MAX_UNPACKED_BYTES)
        ] = 1_000_000_000,
        ctx: ToolContext,
    ) -> Unpacked:
        """Unpack a zip or tar archive into a folder: all of it, or nothing.

        Links, devices and paths that lead out are left out and named. Sizes are counted, not believed.
        """
        unpacking = _Unpacking(
            {
                "archive": archive,
                "target": target,
                "include": include,
                "overwrite": overwrite,
                "max_size_bytes": max_size_bytes,
            },
            ctx,
        )
        size_bytes = unpacking.run(ProgressThrottle(ctx))
        for line in unpacking.refused:
            ctx.log("warning", f"left out {line}")
        return Unpacked(unpacking.name, len(unpacking.files), size_bytes, unpacking.refused, unpacking.refused_count)

    @tool(
        keywords=("zip", "tar", "compress", "pack", "backup"),
        latency=Latency.SLOW,
        read_only=False,
        destructive=True,
        open_world=False,
        timeout_s=3600,
        dry_run=pack_dry_run,
        examples=(
            ToolExample(
                input={"sources": ["src", "README.md"], "target": "source.tar.gz"}, description="Some of a project"
            ),
            ToolExample(
                input={"sources": ["docs"], "target": "docs.rar"},
                description="A format that cannot be written",
                negative=True,
                why_bad="The name says the format: .zip, .tar, .tar.gz, .tar.bz2 or .tar.xz.",
            ),
        ),
    )
    def create_archive(
        self,
        sources: Annotated[
            list[Annotated[Path, PathRole()]], Param("Files and folders to pack"), Field(min_length=1, max_length=1000)
        ],
        target: Annotated[Path, Param("The archive; its name says the format"), PathRole(writes=True)],
        *,
        skip_ignored: Annotated[bool, Param("Leave out .git and whatever .gitignore files name")] = True,
        overwrite: Annotated[bool, Param("Replace a file that already has this path")] = False,
        ctx: ToolContext,
    ) -> PackedArchive:
        """Pack files and folders into a zip or tar archive. Links are left out; owners are not written down."""
        form = format_of(target)
        refuse_target(target, ctx.project_dir, overwrite=overwrite)
        need_parent(target, ctx.project_dir, create=False)
        skipped = Skipped(ctx)
        files = to_pack(sources, target, ctx, skipped, skip_ignored=skip_ignored)
        name = shown(target, ctx.project_dir)
        with refusals(f"pack {name!r}"):
            pace = ProgressThrottle(ctx, sum(file.path.stat().st_size for file in files))
            with replacing(target) as stream:
                pack(files, form, stream, pace)
        skipped.summarise()
        return PackedArchive(name, form, len(files), skipped.count, int(pace.done), target.stat().st_size)
