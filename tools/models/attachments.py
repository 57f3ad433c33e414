"""Files that a person sends along with words: pictures as they are, everything else as text."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from tools.errors import ConversationError
from tools.wire import Image

MOST_LETTERS: Final = 200_000
"""The most letters of a text that is sent along."""

MOST_IMAGE_BYTES: Final = 5 * 1024 * 1024
"""The largest picture. Source: Anthropic's limit, the smallest of the providers'."""

_SIGNATURES: Final = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
)


class Attached(NamedTuple):
    """What is said with files.

    Attributes:
        text: The words, then the text files, each with its name.
        images: The pictures, in order.
    """

    text: str = ""
    images: tuple[Image, ...] = ()


def attached(text: str, paths: Iterable[Path]) -> Attached:
    """Return words together with files.

    Args:
        text: The words.
        paths: Pictures in PNG, JPEG, GIF or WebP, and texts in UTF-8.

    Raises:
        ConversationError: A file cannot be read, is too large, or is neither.
    """
    parts, images = [text] if text else [], []
    for path in paths:
        try:
            content = path.read_bytes()
        except OSError as error:
            raise ConversationError(f"{path} cannot be read: {error.strerror}") from error
        kind = _image_type(content)
        if kind is None:
            parts.append(_text_of(path, content))
        elif len(content) > MOST_IMAGE_BYTES:
            raise ConversationError(f"{path}: expected a picture of at most 5 MB, got {len(content) / 2**20:.1f} MB")
        else:
            images.append(Image(kind, content))
    return Attached("\n\n".join(parts), tuple(images))


def _image_type(content: bytes) -> str | None:
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for signature, kind in _SIGNATURES if content.startswith(signature)), None)


def _text_of(path: Path, content: bytes) -> str:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise ConversationError(
            f"{path}: expected a picture (PNG, JPEG, GIF, WebP) or a text in UTF-8, got other bytes"
        )
    if len(text) > MOST_LETTERS:
        raise ConversationError(
            f"{path}: expected a text of at most {MOST_LETTERS:,} letters, got {len(text):,}; say its path instead, so"
            " that the model reads what it needs with the tools"
        )
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{path.name}:\n{fence}\n{text.rstrip()}\n{fence}"
