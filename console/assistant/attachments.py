"""Files that go with a message: text stands in it, pictures beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

from tools.errors import ToolFailure
from tools.wire import Image

_MOST_TEXT: Final = 200_000
_MOST_PICTURE: Final = 5_000_000
_PICTURES: Final = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
}


class AttachedFile(NamedTuple):
    """A file as a model is sent it.

    Attributes:
        name: Its name.
        text: Its text; empty for a picture.
        image: The picture; None for text.
    """

    name: str
    text: str = ""
    image: Image | None = None


def read_file(path: Path) -> AttachedFile:
    """Return a file as a model is sent it; it reads the disk.

    Raises:
        ToolFailure: When it cannot be read, is too large, or is neither text nor a picture.
    """
    kind = _PICTURES.get(path.suffix.lower())
    most = _MOST_TEXT if kind is None else _MOST_PICTURE
    try:
        size = path.stat().st_size
        if size > most:
            raise ToolFailure(f"{path.name} has {size:,} bytes; at most {most:,} are sent. Attach a smaller file.")
        data = path.read_bytes()
    except OSError as error:
        raise ToolFailure(f"{path.name} cannot be read: {error.strerror}") from error
    if kind is not None:
        return AttachedFile(path.name, image=Image(kind, data))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise ToolFailure(f"{path.name} is neither UTF-8 text nor a picture (PNG, JPEG, GIF, WebP)") from None
    return AttachedFile(path.name, text)


def with_files(text: str, files: list[AttachedFile]) -> str:
    """Return a message with the text files that go with it, each in a block of code that ends where the file does."""
    parts = [text]
    for file in files:
        if file.image is None:
            fence = "```"
            while fence in file.text:
                fence += "`"
            parts.append(f"{file.name}:\n{fence}\n{file.text}\n{fence}")
    return "\n\n".join(parts)
