"""What can be told of bytes without a program that plays or shows them: pages, length, the first bytes."""

from __future__ import annotations

import io
import re
import wave
import zlib
from typing import Final

from console.widgets.formats import format_countdown, format_size

HEX_BYTES: Final = 64 * 1024
"""How many bytes are written as hexadecimal numbers."""

_IN_A_ROW: Final = 16
_OBJECT_STREAM: Final = re.compile(rb"/ObjStm\b[^>]*?>>\s*stream\r?\n", re.DOTALL)
_PAGES: Final = re.compile(
    rb"/Type\s*/Pages\b(?:(?!endobj|/Type).)*?/Count\s+(\d+)|/Count\s+(\d+)(?:(?!endobj|/Count).)*?/Type\s*/Pages\b",
    re.DOTALL,
)
_MOST_STREAMS: Final = 2000
_LARGEST_STREAM: Final = 4 * 1024 * 1024
_LONGEST_PDF: Final = 256 * 1024 * 1024


def details_of(name: str, mime_type: str, data: bytes) -> list[tuple[str, str]]:
    """Return what is known of a file, as words and their values.

    Args:
        name: Its name.
        mime_type: What its maker says it is.
        data: What is in it.
    """
    facts = [("Name", name), ("Type", mime_type or "not said"), ("Size", format_size(len(data)))]
    if mime_type == "application/pdf" or data.startswith(b"%PDF-"):
        pages = pdf_pages(data)
        facts.append(("Pages", f"{pages:,}" if pages else "not known"))
    if mime_type.startswith("audio/"):
        length_s = _wave_length_s(data)
        facts.append(("Length", "not known" if length_s is None else format_countdown(length_s)))
    return [(word, value) for word, value in facts if value]


def pdf_pages(data: bytes) -> int | None:
    """Return how many pages a PDF has; None when it does not tell.

    The root of the page tree counts them all, and stands in plain sight or in a compressed stream of objects.

    Source: ISO 32000-1, 7.7.3.2 and 7.5.7.
    """
    if len(data) > _LONGEST_PDF:
        return None
    counts = _counts(data)
    for number, found in enumerate(_OBJECT_STREAM.finditer(data)):
        if number >= _MOST_STREAMS:
            break
        try:
            counts += _counts(zlib.decompressobj().decompress(data[found.end() :], _LARGEST_STREAM))
        except zlib.error:
            continue
    return max(counts, default=None)


def hex_lines(data: bytes) -> str:
    """Write the first bytes as hexadecimal numbers, sixteen a line, and beside them the letters they may be."""
    lines = []
    for offset in range(0, min(len(data), HEX_BYTES), _IN_A_ROW):
        part = data[offset : offset + _IN_A_ROW]
        letters = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in part)
        lines.append(f"{offset:08x}  {part.hex(' '):<{_IN_A_ROW * 3 - 1}}  {letters}")
    if len(data) > HEX_BYTES:
        lines.append(f"… {len(data) - HEX_BYTES:,} more bytes: save the file to have them all")
    return "\n".join(lines)


def _counts(data: bytes) -> list[int]:
    return [int(found[1] or found[2]) for found in _PAGES.finditer(data)]


def _wave_length_s(data: bytes) -> float | None:
    try:
        with wave.open(io.BytesIO(data)) as sound:
            return float(sound.getnframes() / sound.getframerate())
    except (wave.Error, EOFError, ZeroDivisionError):
        return None
