"""Read and write archives: what is in one is never trusted, neither its names nor its sizes nor its links."""

from __future__ import annotations

import bz2
import gzip
import lzma
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import IO, TYPE_CHECKING, Annotated, Any, Final, Literal, NamedTuple

from pydantic import Field

from tools.catalog._bounds import ProgressThrottle, Skipped, Watcher, counted, readable_size, stop_if_cancelled
from tools.catalog._paths import need_file, refusals, shown, status_of
from tools.catalog._walking import PathKind, kind_of, walk
from tools.errors import ToolFailure

if TYPE_CHECKING:
    from typing import BinaryIO

ArchiveFormat = Literal["zip", "tar", "tar.gz", "tar.bz2", "tar.xz"]

MAX_MEMBERS: Final = 100_000
"""Most entries of an archive that is read or written."""

MAX_UNPACKED_BYTES: Final = 50_000_000_000
"""How much is unpacked at most to list an archive."""

CHUNK_BYTES: Final = 1024 * 1024
_SUFFIXES: Final[tuple[tuple[str, ArchiveFormat], ...]] = (
    (".zip", "zip"),
    (".whl", "zip"),
    (".jar", "zip"),
    (".tar", "tar"),
    (".tar.gz", "tar.gz"),
    (".tgz", "tar.gz"),
    (".tar.bz2", "tar.bz2"),
    (".tbz2", "tar.bz2"),
    (".tar.xz", "tar.xz"),
    (".txz", "tar.xz"),
)
_MAGIC: Final[tuple[tuple[bytes, ArchiveFormat], ...]] = (
    (b"PK\x03\x04", "zip"),
    (b"PK\x05\x06", "zip"),
    (b"\x1f\x8b", "tar.gz"),
    (b"BZh", "tar.bz2"),
    (b"\xfd7zXZ\0", "tar.xz"),
)
_TAR_MAGIC_AT: Final = 257
_BROKEN: Final = (
    gzip.BadGzipFile,
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    NotImplementedError,
)
_ENCRYPTED: Final = 0x1
_EXECUTABLE: Final = 0o111


@dataclass(frozen=True, slots=True)
class ArchiveMember:
    """One entry of an archive."""

    name: Annotated[str, Field(description="Its path, as the archive says.")]
    kind: Annotated[PathKind, Field(description="What it is.")]
    size_bytes: Annotated[int, Field(description="Its size unpacked, as the archive says, in bytes.")]
    modified: Annotated[datetime | None, Field(description="When it last changed, as the archive says.")]
    link_target: Annotated[str | None, Field(description="Where a link leads; null when it is none, or not said.")]
    refused: Annotated[str | None, Field(description="Why it is not unpacked; null when it is.")]


class OpenMember(NamedTuple):
    """One entry of an archive that is read.

    Attributes:
        content: Reads its bytes; None when it is no file.
    """

    member: ArchiveMember
    executable: bool
    content: IO[bytes] | None


def format_of(path: Path) -> ArchiveFormat:
    """Return the format that the name of a new archive asks for.

    Raises:
        ToolFailure: The name ends in none.
    """
    for suffix, form in _SUFFIXES:
        if path.name.lower().endswith(suffix):
            return form
    raise ToolFailure(f"expected a name that ends in .zip, .tar, .tar.gz, .tar.bz2 or .tar.xz, got {path.name!r}")


def need_archive(path: Path, project_dir: Path) -> ArchiveFormat:
    """Return the format of an archive, found by its first bytes.

    Raises:
        ToolFailure: It is missing or no archive.
    """
    need_file(path, project_dir)
    name = shown(path, project_dir)
    with refusals(f"read {name!r}"), path.open("rb") as stream:
        head = stream.read(512)
    for magic, form in _MAGIC:
        if head.startswith(magic):
            return form
    if head[_TAR_MAGIC_AT:].startswith(b"ustar"):
        return "tar"
    raise ToolFailure(f"{name!r} is no zip or tar archive; file_info says what it is")


class _Bounded:
    """Read a stream until a call is cancelled or too much came.

    Args:
        limit: The most bytes.
        watcher: The running call.
    """

    def __init__(self, stream: BinaryIO | IO[bytes], limit: int, watcher: Watcher) -> None:
        self._stream = stream
        self._limit = limit
        self._left = limit
        self._watcher = watcher

    def read(self, size: int = CHUNK_BYTES) -> bytes:
        stop_if_cancelled(self._watcher)
        chunk = self._stream.read(min(size, CHUNK_BYTES) if size >= 0 else CHUNK_BYTES)
        self._left -= len(chunk)
        if self._left < 0:
            raise ToolFailure(
                f"the archive unpacks to more than {readable_size(self._limit)}; if that is meant, allow more"
            )
        return chunk


@contextmanager
def opened(path: Path, limit: int, watcher: Watcher) -> Iterator[Iterator[OpenMember]]:
    """Open an archive and yield its entries, each to be read before the next one.

    Args:
        limit: How many bytes it may unpack to.
        watcher: The running call.

    Raises:
        ToolFailure: It is no archive, broken, or unpacks to more, or the call was cancelled.
    """
    form = need_archive(path, watcher.project_dir)
    name = shown(path, watcher.project_dir)
    with refusals(f"read {name!r}"):
        try:
            if form == "zip":
                with zipfile.ZipFile(path) as archive, closing(_zip_members(archive, limit, watcher)) as members:
                    yield members
            else:
                with _decompressed(path, form) as stream:
                    # The headers come on top of the content.
                    bounded: Any = _Bounded(stream, limit + MAX_MEMBERS * 1024, watcher)
                    with tarfile.open(fileobj=bounded, mode="r|") as tar:
                        yield _tar_members(tar, limit, watcher)
        except _BROKEN as error:
            raise ToolFailure(f"{name!r} is broken, or a kind that cannot be read: {error}") from error


@contextmanager
def _decompressed(path: Path, form: ArchiveFormat) -> Iterator[Any]:
    openers: dict[str, Any] = {"tar": open, "tar.gz": gzip.open, "tar.bz2": bz2.open, "tar.xz": lzma.open}
    with openers[form](path, "rb") as stream:
        yield stream


def _zip_members(archive: zipfile.ZipFile, limit: int, watcher: Watcher) -> Generator[OpenMember]:
    for info in archive.infolist():
        mode = info.external_attr >> 16
        kind = PathKind.FOLDER if info.is_dir() else PathKind.LINK if stat.S_ISLNK(mode) else PathKind.FILE
        refused = _refusal(info.filename, kind)
        if info.flag_bits & _ENCRYPTED:
            refused = refused or "it is encrypted"
        member = ArchiveMember(info.filename, kind, info.file_size, _zip_time(info), None, refused)
        if kind is not PathKind.FILE or refused is not None:
            yield OpenMember(member, executable=False, content=None)
            continue
        with archive.open(info) as stream:
            content: Any = _Bounded(stream, limit, watcher)
            yield OpenMember(member, bool(mode & _EXECUTABLE), content)


def _zip_time(info: zipfile.ZipInfo) -> datetime | None:
    try:
        # Zip archives say local times without their zone.
        return datetime(*info.date_time, tzinfo=datetime.now().astimezone().tzinfo).astimezone(UTC)
    except ValueError:
        return None


def _tar_members(archive: tarfile.TarFile, limit: int, watcher: Watcher) -> Iterator[OpenMember]:
    for info in archive:
        kind = _tar_kind(info)
        target = info.linkname if kind is PathKind.LINK else None
        try:
            modified = datetime.fromtimestamp(info.mtime, UTC)
        except (OverflowError, ValueError, OSError):
            modified = None
        member = ArchiveMember(info.name, kind, info.size, modified, target, _refusal(info.name, kind))
        stream = archive.extractfile(info) if kind is PathKind.FILE and member.refused is None else None
        content: Any = None if stream is None else _Bounded(stream, limit, watcher)
        yield OpenMember(member, bool(info.mode & _EXECUTABLE), content)


def _tar_kind(info: tarfile.TarInfo) -> PathKind:
    if info.issym() or info.islnk():
        return PathKind.LINK
    if info.isdir():
        return PathKind.FOLDER
    return PathKind.FILE if info.isfile() else PathKind.OTHER


def _refusal(name: str, kind: PathKind) -> str | None:
    """Return why an entry is never unpacked; None when it may be."""
    if kind is PathKind.LINK:
        return "it is a link"
    if kind is PathKind.OTHER:
        return "it is a device or pipe"
    windows = PureWindowsPath(name)
    if name.startswith(("/", "\\")) or windows.drive or "\0" in name:
        return "its path is absolute"
    if ".." in (*PurePosixPath(name).parts, *windows.parts):
        return "its path leads out of the archive"
    return None if PurePosixPath(name).parts or kind is PathKind.FOLDER else "it has no name"


class Packed(NamedTuple):
    """One file that goes into an archive.

    Attributes:
        name: What it is called in the archive.
    """

    path: Path
    name: str


def to_pack(
    sources: Iterable[Path], target: Path, watcher: Watcher, skipped: Skipped, *, skip_ignored: bool
) -> list[Packed]:
    """Return the files below some paths, links left out.

    Args:
        sources: Files and folders; each is in the archive under its own name.
        target: The archive, which is never part of itself.
        watcher: The running call.
        skipped: Learns what was left out.
        skip_ignored: Whether what `.gitignore` files name is left out.

    Raises:
        ToolFailure: One is missing, there are too many, or two have the same name in the archive.
    """
    packed: dict[str, Packed] = {}
    for source in sources:
        status_of(source, watcher.project_dir)
        base = "" if source == watcher.project_dir else source.name
        found = (
            (
                (item.path, f"{base}/{item.inside}".lstrip("/"), item.kind)
                for item in walk(source, watcher, skip_ignored=skip_ignored, skipped=skipped)
            )
            if source.is_dir() and not source.is_symlink()
            else iter([(source, base, kind_of(source))])
        )
        for path, name, kind in found:
            if kind is PathKind.FOLDER or path == target:
                continue
            if kind is not PathKind.FILE:
                skipped.add(path, "a link" if kind is PathKind.LINK else "a device, pipe or socket")
                continue
            if name in packed:
                both = f"{shown(packed[name].path, watcher.project_dir)!r} and {shown(path, watcher.project_dir)!r}"
                raise ToolFailure(f"{both} would both be {name!r}; pack them one after the other")
            packed[name] = Packed(path, name)
            if len(packed) > MAX_MEMBERS:
                raise ToolFailure(f"more than {counted(MAX_MEMBERS, 'file')} would be packed; pack less at once")
    if not packed:
        raise ToolFailure("there is no file to pack; links and what .gitignore names are left out")
    return list(packed.values())


def pack(files: Iterable[Packed], form: ArchiveFormat, stream: IO[bytes], pace: ProgressThrottle) -> None:
    """Write an archive of some files.

    Raises:
        OSError: The system refused.
        ToolFailure: The call was cancelled.
    """
    if form == "zip":
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as archive:
            for file in files:
                info = zipfile.ZipInfo.from_file(file.path, file.name, strict_timestamps=False)
                info.compress_type = zipfile.ZIP_DEFLATED
                with file.path.open("rb") as reading, archive.open(info, "w") as writing:
                    while chunk := reading.read(CHUNK_BYTES):
                        writing.write(chunk)
                        pace.step(len(chunk), file.name)
        return
    mode: Any = {"tar": "w", "tar.gz": "w:gz", "tar.bz2": "w:bz2", "tar.xz": "w:xz"}[form]
    with tarfile.open(fileobj=stream, mode=mode) as tar:
        for file in files:
            header = tar.gettarinfo(file.path, file.name)
            # Who made an archive is nobody's business.
            header = header.replace(uid=0, gid=0, uname="", gname="", linkname="", deep=False)
            # A second name of a file that is packed already would become a link, which is not unpacked again.
            header.type, header.size = tarfile.REGTYPE, file.path.stat().st_size
            with file.path.open("rb") as reading:
                tar.addfile(header, reading)
            pace.step(header.size, file.name)
