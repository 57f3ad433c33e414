"""Files that a person sends along with words: pictures beside them, everything else as text in them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from tools.errors import ConversationError
from tools.wire import Image

MOST_TEXT_BYTES: Final = 200_000
"""The longest text that is sent along."""

MOST_IMAGE_BYTES: Final = 5 * 1024 * 1024
"""The largest picture. Source: Anthropic's limit, the smallest of the providers'."""

_SIGNATURES: Final = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
)


class AttachedFile(NamedTuple):
    """A file as a model is sent it.

    Attributes:
        text: Its text; empty for a picture.
        image: The picture; None for text.
    """

    name: str
    text: str = ""
    image: Image | None = None


def read_file(path: Path) -> AttachedFile:
    """Return a file as a model is sent it; it reads the disk.

    Args:
        path: A picture in PNG, JPEG, GIF or WebP, or a text in UTF-8.

    Raises:
        ConversationError: It cannot be read, is too large, or is neither.
    """
    try:
        with path.open("rb") as file:
            size, content = path.stat().st_size, file.read(MOST_IMAGE_BYTES + 1)
    except OSError as error:
        raise ConversationError(f"{path.name} cannot be read: {error.strerror}") from error
    kind = _image_type(content)
    if kind is not None:
        if size > MOST_IMAGE_BYTES:
            raise ConversationError(f"{path.name}: expected a picture of at most 5 MB, got {size / 2**20:.1f} MB")
        return AttachedFile(path.name, image=Image(kind, content))
    if size > MOST_TEXT_BYTES:
        raise ConversationError(
            f"{path.name}: expected a text of at most {MOST_TEXT_BYTES:,} bytes, got {size:,}; say its path instead, so"
            " that the model reads what it needs with the tools"
        )
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise ConversationError(
            f"{path.name}: expected a picture (PNG, JPEG, GIF, WebP) or a text in UTF-8, got neither"
        )
    return AttachedFile(path.name, text)


def with_files(text: str, files: Iterable[AttachedFile]) -> str:
    """Return words with the text files that go with them, each in a block of code that ends where the file does."""
    parts = [text] if text else []
    for file in files:
        if file.image is None:
            fence = "```"
            while fence in file.text:
                fence += "`"
            parts.append(f"{file.name}:\n{fence}\n{file.text.rstrip()}\n{fence}")
    return "\n\n".join(parts)


def images_in(files: Iterable[AttachedFile]) -> tuple[Image, ...]:
    """Return the pictures among files, in order."""
    return tuple(file.image for file in files if file.image is not None)


def _image_type(content: bytes) -> str | None:
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for signature, kind in _SIGNATURES if content.startswith(signature)), None)
