"""The text that bytes of the web are."""

from __future__ import annotations

import codecs
import re
from typing import Final

_META_CHARSET: Final = re.compile(rb"<meta[^>]+charset=[\"']?\s*([A-Za-z0-9_.:-]+)", re.IGNORECASE)
_PROLOGUE_BYTES: Final = 2048
_BOMS: Final = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def decode_text(body: bytes, charset: str | None) -> str:
    """Return the text of a body; bytes that fit no encoding become replacement characters.

    Args:
        body: The bytes, possibly cut in the middle of a character.
        charset: What the server says; None when it says nothing.
    """
    said = [name for mark, name in _BOMS if body.startswith(mark)]
    said += [charset] if charset else []
    if found := _META_CHARSET.search(body[:_PROLOGUE_BYTES]):
        said.append(found[1].decode("ascii"))
    for name in (*said, "utf-8"):
        try:
            decoder = codecs.getincrementaldecoder(name)()
            return decoder.decode(body)
        except (LookupError, UnicodeError):
            continue
    import charset_normalizer  # noqa: PLC0415 -- few pages do not say what they are

    guess = charset_normalizer.from_bytes(body).best()
    return str(guess) if guess is not None else body.decode("utf-8", errors="replace")
