"""Names of mail folders and answers of IMAP servers, as they are written on the wire. Source: RFC 3501."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

_SHIFTED: Final = re.compile(r"&([^-]*)-")
_UNPRINTABLE: Final = re.compile(r"[^\x20-\x7e]+")
_LISTED: Final = re.compile(rb'\((?P<flags>[^)]*)\) (?:"(?P<parted>\\?.)"|NIL) (?P<name>.+)', re.DOTALL)
_FLAGS: Final = re.compile(rb"FLAGS \(([^)]*)\)")
_UID: Final = re.compile(rb"\bUID (\d+)")
_SIZE: Final = re.compile(rb"RFC822\.SIZE (\d+)")
_COUNT: Final = re.compile(rb"(MESSAGES|UNSEEN) (\d+)")


class ListedFolder(NamedTuple):
    """One folder as a server lists it.

    Attributes:
        wire_name: Its name as the server writes it.
        attributes: What the server says of it, without backslashes.
    """

    name: str
    wire_name: str
    attributes: tuple[str, ...]


class FetchedPart(NamedTuple):
    """What a server told of one message.

    Attributes:
        uid: Its number in the folder.
        flags: Its flags, without backslashes.
        content: The bytes that came with it.
    """

    uid: int
    flags: tuple[str, ...]
    size_bytes: int
    content: bytes


def encoded_name(name: str) -> str:
    """Return a folder's name in the modified UTF-7 of IMAP."""
    return _UNPRINTABLE.sub(lambda found: f"&{_base64(found[0])}-", name.replace("&", "&-"))


def _base64(text: str) -> str:
    return base64.b64encode(text.encode("utf-16-be")).decode().rstrip("=").replace("/", ",")


def decoded_name(name: str) -> str:
    """Return a folder's name for people; one that is written wrongly stays as it is."""

    def plain(found: re.Match[str]) -> str:
        if not found[1]:
            return "&"
        text = found[1].replace(",", "/")
        try:
            return base64.b64decode(text + "=" * (-len(text) % 4), validate=True).decode("utf-16-be")
        except (ValueError, binascii.Error):
            return found[0]

    return _SHIFTED.sub(plain, name)


def quoted(text: str) -> str:
    """Return a text as a quoted string; it has no control characters and only ASCII letters."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def listed_folders(answer: Iterable[object]) -> Iterator[ListedFolder]:
    """Yield the folders that an answer to LIST names."""
    for line in answer:
        # A name that is a literal comes in a pair with what stands before it.
        whole = line[0].rpartition(b"{")[0] + line[1] if isinstance(line, tuple) else line
        found = _LISTED.fullmatch(whole) if isinstance(whole, bytes) else None
        if found is None:
            continue
        name = found["name"].decode("utf-8", errors="replace").strip()
        if name.startswith('"') and name.endswith('"'):
            name = re.sub(r"\\(.)", r"\1", name[1:-1])
        attributes = tuple(word.lstrip("\\") for word in found["flags"].decode("ascii", "replace").split())
        yield ListedFolder(decoded_name(name), name, attributes)


def counts(answer: Iterable[object]) -> tuple[int | None, int | None]:
    """Return how many messages an answer to STATUS counts, and how many of them nobody has read."""
    said = b" ".join(line for line in answer if isinstance(line, bytes))
    found = {key: int(value) for key, value in _COUNT.findall(said)}
    return found.get(b"MESSAGES"), found.get(b"UNSEEN")


def fetched_parts(answer: Iterable[object]) -> Iterator[FetchedPart]:
    """Yield what an answer to FETCH tells of each message."""
    about, content = b"", b""
    for line in answer:
        if isinstance(line, tuple):
            about, content = about + bytes(line[0]) + b" ", bytes(line[1])
            continue
        about += bytes(line) if isinstance(line, bytes) else b""
        # A message ends with the line that closes its bracket.
        if uid := _UID.search(about):
            flags, size = _FLAGS.search(about), _SIZE.search(about)
            words = flags[1].decode("ascii", "replace").split() if flags else []
            yield FetchedPart(
                int(uid[1]), tuple(word.lstrip("\\") for word in words), int(size[1]) if size else 0, content
            )
        about, content = b"", b""
