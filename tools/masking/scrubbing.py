"""Find known secrets inside texts, in the forms they take there, and put bullets in their place."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, quote_plus

from tools.masking.paths import MASK

if TYPE_CHECKING:
    from pydantic import JsonValue

SHORTEST: Final = 4
"""Shorter secrets are not looked for: they would be found everywhere, and give nothing away."""
_PIECE: Final = 8
"""Letters that a part of a secret needs to be looked for by itself."""
_LONG: Final = 2 * _PIECE
"""From so many letters on, its beginning and its end are looked for as well: messages cut what is long."""
MOST_FORMS: Final = 1000
_SEPARATORS: Final = re.compile(r"[\s;=,]+")
_UNCHANGED: Final = re.compile(r"[A-Za-z0-9_.~-]+")
"""What JSON, Python and addresses write as it is, as most keys and tokens are."""
_CODED: Final = 6
"""Letters of base64 that stand for a secret whatever comes before and after it."""


class Scrubber:
    """Replace secrets in texts.

    They are found as they are, as JSON and Python write them, quoted for addresses and in base64, and the beginnings
    and ends of long ones too. With very many secrets no text is searched: it is hidden as a whole.

    Args:
        secrets: The values to hide; those with fewer than four letters are left out.
    """

    def __init__(self, secrets: Iterable[str]) -> None:
        self._secrets = frozenset(secrets)
        whole = dict.fromkeys(part for secret in self._secrets for part in _parts(secret))
        forms = dict.fromkeys(form for secret in whole for form in _forms(secret))
        self._hides_all = len(forms) > MOST_FORMS
        self._forms = tuple(sorted(forms, key=len, reverse=True))
        self._long = tuple(form for form in self._forms if len(form) >= _LONG)

    def __bool__(self) -> bool:
        return bool(self._forms)

    def joined(self, secrets: Iterable[str]) -> Scrubber:
        return Scrubber(self._secrets.union(secrets))

    def __call__(self, text: str) -> str:
        if self._hides_all:
            return MASK if text else text
        for form in self._forms:
            if form in text:
                text = text.replace(form, MASK)
        for form in self._long:
            if form[:_PIECE] in text:
                text = _without_beginnings(text, form)
            if form[-_PIECE:] in text:
                text = _without_beginnings(text[::-1], form[::-1])[::-1]
        return text

    def finds(self, text: str) -> bool:
        if self._hides_all or any(form in text for form in self._forms):
            return True
        return any(form[:_PIECE] in text or form[-_PIECE:] in text for form in self._long)

    def texts(self, value: Any) -> Any:
        """Return a value without the secrets in its texts; names and numbers stay, so that it keeps its form."""
        if isinstance(value, str):
            return self(value)
        if isinstance(value, dict):
            return {name: self.texts(part) for name, part in value.items()}
        return [self.texts(part) for part in value] if isinstance(value, list) else value

    def value(self, value: JsonValue) -> JsonValue:
        """Return a JSON value without the secrets: in its texts, its names and its numbers."""
        if isinstance(value, str):
            return self(value)
        if isinstance(value, dict):
            return {self(name): self.value(part) for name, part in value.items()}
        if isinstance(value, list):
            return [self.value(part) for part in value]
        if isinstance(value, bool) or value is None:
            return value
        written = str(value)
        return MASK if self.finds(written) else value


def _without_beginnings(text: str, form: str) -> str:
    """Return a text in which every run that starts like the form is bullets as far as it goes on like it."""
    pieces: list[str] = []
    position = 0
    while (start := text.find(form[:_PIECE], position)) >= 0:
        length = _PIECE
        while length < len(form) and text[start + length : start + length + 1] == form[length]:
            length += 1
        pieces += (text[position:start], MASK)
        position = start + length
    return "".join([*pieces, text[position:]])


def _parts(secret: str) -> Iterator[str]:
    """Yield a secret, and what of it may turn up alone: the lines of a key, the token behind `Bearer`, a cookie."""
    if len(secret) < SHORTEST:
        return
    yield secret
    stripped = secret.strip()
    if stripped != secret and len(stripped) >= SHORTEST:
        yield stripped
    pieces = [piece for piece in _SEPARATORS.split(stripped) if len(piece) >= _PIECE]
    if pieces != [secret]:
        yield from pieces
    scheme, _, coded = stripped.partition(" ")
    if scheme.casefold() == "basic":
        try:
            credentials = base64.b64decode(coded, validate=True).decode()
        except (binascii.Error, UnicodeDecodeError, ValueError):
            return
        yield from (text for text in (credentials, credentials.partition(":")[2]) if len(text) >= SHORTEST)


def _forms(secret: str) -> Iterator[str]:
    yield secret
    data = secret.encode(errors="surrogatepass")
    if not _UNCHANGED.fullmatch(secret):
        yield json.dumps(secret)[1:-1]
        yield json.dumps(secret, ensure_ascii=False)[1:-1]
        yield repr(secret)[1:-1]
        yield quote(data, safe="")
        yield quote(data)
        yield quote_plus(data)
    for shift in range(3):
        coded = _inner_base64(data, shift)
        if len(coded) >= _CODED:
            yield coded
            yield coded.translate(_URL_SAFE)


_URL_SAFE: Final = str.maketrans("+/", "-_")


def _inner_base64(data: bytes, shift: int) -> str:
    """Return the letters that base64 has for some bytes whatever stands around them, `shift` bytes into a group."""
    coded = base64.b64encode(bytes(shift) + data).decode("ascii")
    first = -(-shift * 8 // 6)
    whole = (shift + len(data)) * 8 // 6
    return coded[first:whole]


def texts_in(value: Any) -> Iterator[str]:
    """Yield every text and number inside a value, as text."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, bytes):
        yield value.decode(errors="replace")
    elif isinstance(value, dict):
        for part in value.values():
            yield from texts_in(part)
    elif isinstance(value, list | tuple | set | frozenset):
        for part in value:
            yield from texts_in(part)
    elif value is not None and not isinstance(value, bool):
        yield str(value)
