"""ZIP packages that documents come in, looked at before a library unpacks them."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tools.catalog._bounds import readable_size
from tools.catalog._paths import need_file, refusals, shown
from tools.context import ToolContext
from tools.errors import ToolFailure

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

MAX_FILE_BYTES: Final = 100_000_000
"""The largest document that is opened."""

_MOST_UNPACKED_BYTES: Final = 300_000_000
_MOST_PART_BYTES: Final = 150_000_000
_MOST_PARTS: Final = 20_000
_MOST_RATIO: Final = 500
_RATIO_FROM_BYTES: Final = 10_000_000
_PROLOGUE_BYTES: Final = 4096
_NOT_IN_XML: Final = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Source: XML 1.0, section 2.2."""


def need_size(path: Path, ctx: ToolContext) -> int:
    """Return the size of a document.

    Raises:
        ToolFailure: It is missing or too large.
    """
    size_bytes = need_file(path, ctx.project_dir).st_size
    if size_bytes > MAX_FILE_BYTES:
        name, most = shown(path, ctx.project_dir), readable_size(MAX_FILE_BYTES)
        raise ToolFailure(f"{name!r} has {readable_size(size_bytes)}; documents of at most {most} are opened")
    return size_bytes


@contextmanager
def opened_package(path: Path, kind: str, needed: str, ctx: ToolContext) -> Iterator[zipfile.ZipFile]:
    """Open a package whose parts, unpacked, have a size that can be handled.

    The sizes are those that the package claims; reading stops at them, so a claim too small gains nothing.

    Args:
        kind: What it should be, such as `DOCX document`.
        needed: A part that every such package has.
        ctx: The running call.

    Raises:
        ToolFailure: It is no such package, is damaged, encrypted or unpacks to too much.
    """
    need_size(path, ctx)
    name = shown(path, ctx.project_dir)
    try:
        with refusals(f"read {name!r}"), zipfile.ZipFile(path) as package:
            _need_sound(package, name, kind, needed)
            yield package
    except (zipfile.BadZipFile, NotImplementedError, EOFError) as error:
        raise ToolFailure(f"{name!r} is no {kind}: {error}") from error


def _need_sound(package: zipfile.ZipFile, name: str, kind: str, needed: str) -> None:
    parts = package.infolist()
    unpacked = sum(part.file_size for part in parts)
    largest = max((part.file_size for part in parts), default=0)
    packed = sum(part.compress_size for part in parts)
    if len(parts) > _MOST_PARTS or unpacked > _MOST_UNPACKED_BYTES or largest > _MOST_PART_BYTES:
        said = f"{len(parts):,} parts of {readable_size(unpacked)} together"
        raise ToolFailure(f"{name!r} unpacks to {said}, which is too much; it may be a ZIP bomb")
    if unpacked > _RATIO_FROM_BYTES and unpacked > packed * _MOST_RATIO:
        raise ToolFailure(f"{name!r} unpacks to {unpacked // max(packed, 1):,} times its size; it may be a ZIP bomb")
    if any(part.flag_bits & 1 for part in parts):
        raise ToolFailure(f"{name!r} is encrypted; save it without a password first")
    if needed not in package.namelist():
        raise ToolFailure(f"{name!r} is no {kind}: it has no {needed}")


def need_no_entities(package: zipfile.ZipFile, name: str) -> None:
    """Check that no XML part declares entities, which office documents never do.

    Raises:
        ToolFailure: One does.
    """
    for part in package.namelist():
        if part.endswith((".xml", ".rels")):
            with package.open(part) as stream:
                head = stream.read(_PROLOGUE_BYTES).replace(b"\0", b"")
            if b"<!DOCTYPE" in head or b"<!ENTITY" in head:
                raise ToolFailure(f"{name!r} declares entities in {part}, which no office program does; it is not read")


def xml_part(package: zipfile.ZipFile, part: str, name: str) -> Element:
    """Return the root of an XML part.

    Raises:
        ToolFailure: It is missing, no XML, or declares entities.
    """
    import defusedxml  # noqa: PLC0415 -- only documents need it
    import defusedxml.ElementTree  # noqa: PLC0415 -- as above

    try:
        root: Element = defusedxml.ElementTree.fromstring(package.read(part), forbid_dtd=False)
    except KeyError as error:
        raise ToolFailure(f"{name!r} names the part {part!r}, which it does not have") from error
    except (defusedxml.DefusedXmlException, SyntaxError, ValueError) as error:
        raise ToolFailure(f"{name!r} is damaged: {part} is no XML ({type(error).__name__})") from error
    return root


def need_writable(*texts: str) -> None:
    """Check that texts can stand in a document, which is XML inside.

    Raises:
        ToolFailure: One has a sign that XML has no way to write.
    """
    for text in texts:
        if found := _NOT_IN_XML.search(text):
            raise ToolFailure(f"the sign U+{ord(found[0]):04X} cannot stand in a document; take it out")
