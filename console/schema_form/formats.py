"""Tell whether a text is what its `format` says."""

from __future__ import annotations

import base64
import binascii
import ipaddress
import re
import uuid
from collections.abc import Callable, Mapping
from datetime import date, datetime, time
from functools import partial
from typing import Any, Final

import regex
from jsonschema import FormatChecker

ISO_DURATION: Final = re.compile(
    r"P(?=.)(?:(\d+)W|(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:[.,]\d+)?)S)?)?)",
    re.ASCII,
)
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
# RFC 3339 wants an offset; tools written in Python often take a time without one.
_CLOCK: Final = re.compile(r"\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:z|[+-]\d\d:[0-5]\d)?", re.ASCII | re.IGNORECASE)
_HOST_PART: Final = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)", re.ASCII | re.IGNORECASE)
_WORD_PART: Final = re.compile(r"(?!-)[\w-]{1,63}(?<!-)")
_URI_LETTERS: Final = re.compile(r"(?:[a-z0-9._~:/?#\[\]@!$&'()*+,;=-]|%[0-9a-f]{2})*", re.ASCII | re.IGNORECASE)
_IRI_LETTERS: Final = re.compile(r"[^\s<>\"{}|\\^`]*")
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:.+", re.ASCII | re.IGNORECASE)
_UUID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII | re.IGNORECASE)
_POINTER: Final = re.compile(r"(?:/(?:[^~/]|~[01])*)*")
_RELATIVE_POINTER: Final = re.compile(r"(?:0|[1-9][0-9]*)(?:#|(?:/(?:[^~/]|~[01])*)*)", re.ASCII)
_TEMPLATE: Final = re.compile(r"(?:[^{}]|\{[^{}]+\})*")
_LONGEST_HOST: Final = 253


def is_base64(text: str, encoding: str = "base64") -> bool:
    """Tell whether a text is what `contentEncoding` says, line breaks apart; an unknown encoding is taken on trust."""
    letters = b"-_" if encoding == "base64url" else None
    if encoding not in {"base64", "base64url"}:
        return True
    packed = "".join(text.split())
    try:
        base64.b64decode(packed + "=" * (-len(packed) % 4) if letters else packed, letters, validate=True)
    except (binascii.Error, ValueError):
        return False
    return True


def _matching(pattern: re.Pattern[str]) -> Callable[[str], None]:
    def read(text: str) -> None:
        if pattern.fullmatch(text) is None:
            raise ValueError(text)

    return read


def _day(text: str) -> None:
    _matching(_DAY)(text)
    date.fromisoformat(text)


def _clock(text: str) -> None:
    _matching(_CLOCK)(text)
    time.fromisoformat(_without_leap(text))


def _date_time(text: str) -> None:
    day, separator, rest = text[:10], text[10:11], text[11:]
    if separator not in {"T", "t", " "}:
        raise ValueError(text)
    _day(day)
    _matching(_CLOCK)(rest)
    datetime.fromisoformat(f"{day}T{_without_leap(rest)}")


def _without_leap(text: str) -> str:
    """Return a time of day with its leap second, which Python does not know, as the second before."""
    return re.sub(r"^(\d\d:\d\d):60", r"\1:59", text.upper(), flags=re.ASCII)


def _email(text: str) -> None:
    name, at, host = text.rpartition("@")
    is_quoted = len(name) > 1 and name.startswith('"') and name.endswith('"')
    is_bad = name.startswith(".") or name.endswith(".") or ".." in name or "@" in name or " " in name
    if not (name and at and host) or " " in host or (is_bad and not is_quoted):
        raise ValueError(text)
    if not host.startswith("["):
        _host(host, _WORD_PART)


def _host(text: str, part: re.Pattern[str]) -> None:
    if len(text) > _LONGEST_HOST or not all(part.fullmatch(word) for word in text.removesuffix(".").split(".")):
        raise ValueError(text)


def _address(letters: re.Pattern[str], *, relative: bool) -> Callable[[str], None]:
    def read(text: str) -> None:
        if letters.fullmatch(text) is None or not (relative or _SCHEME.fullmatch(text)):
            raise ValueError(text)
        _, slashes, rest = text.partition("://")
        host = re.split("[/?#]", rest, maxsplit=1)[0].rpartition("@")[2] if slashes else ""
        if "[" in host:
            ipaddress.IPv6Address(host[1:].partition("]")[0])

    return read


def _uuid(text: str) -> None:
    _matching(_UUID)(text)
    uuid.UUID(text)


def _ipv6(text: str) -> None:
    if "%" in text:
        raise ValueError(text)
    ipaddress.IPv6Address(text)


def _base64(encoding: str) -> Callable[[str], None]:
    def read(text: str) -> None:
        if not is_base64(text, encoding):
            raise ValueError(text)

    return read


_READERS: Final[Mapping[str, Callable[[str], Any]]] = {
    "base64": _base64("base64"),
    "base64url": _base64("base64url"),
    "date": _day,
    "date-time": _date_time,
    "duration": _matching(ISO_DURATION),
    "email": _email,
    "hostname": partial(_host, part=_HOST_PART),
    "idn-email": _email,
    "idn-hostname": partial(_host, part=_WORD_PART),
    "ipv4": ipaddress.IPv4Address,
    "ipv6": _ipv6,
    "iri": _address(_IRI_LETTERS, relative=False),
    "iri-reference": _address(_IRI_LETTERS, relative=True),
    "json-pointer": _matching(_POINTER),
    "regex": regex.compile,
    "relative-json-pointer": _matching(_RELATIVE_POINTER),
    "time": _clock,
    "uri": _address(_URI_LETTERS, relative=False),
    "uri-reference": _address(_URI_LETTERS, relative=True),
    "uri-template": _matching(_TEMPLATE),
    "uuid": _uuid,
}


def _format_checker() -> FormatChecker:
    checker = FormatChecker(formats=())
    for name, read in _READERS.items():
        checker.checks(name, raises=(ValueError, regex.error))(_reading(read))
    return checker


def _reading(read: Callable[[str], Any]) -> Callable[[object], bool]:
    def fits(value: object) -> bool:
        if isinstance(value, str):
            read(value)
        return True

    return fits


FORMAT_CHECKER: Final = _format_checker()
