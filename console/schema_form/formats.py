"""Tell whether a text is what its `format` says."""

from __future__ import annotations

import ipaddress
import uuid
from collections.abc import Callable, Mapping
from datetime import date, datetime, time
from typing import Any, Final

import regex
from jsonschema import FormatChecker

__all__ = ["FORMAT_CHECKER"]


def _email(text: str) -> None:
    name, at, host = text.rpartition("@")
    if not (name and at and host) or " " in text:
        raise ValueError(text)


def _uri(text: str) -> None:
    scheme, colon, rest = text.partition(":")
    if not (colon and rest and scheme[:1].isalpha()) or " " in text:
        raise ValueError(text)


def _date_time(text: str) -> None:
    if len(text) <= len("2026-03-31"):
        raise ValueError(text)
    datetime.fromisoformat(text)


_READERS: Final[Mapping[str, Callable[[str], Any]]] = {
    "date": date.fromisoformat,
    "time": time.fromisoformat,
    "date-time": _date_time,
    "uuid": uuid.UUID,
    "ipv4": ipaddress.IPv4Address,
    "ipv6": ipaddress.IPv6Address,
    "email": _email,
    "uri": _uri,
    "regex": regex.compile,
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
