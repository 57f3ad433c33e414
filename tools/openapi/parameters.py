"""How parameters are written into paths, queries, headers and cookies.

Source: OpenAPI 3.1.1, "Parameter Object", "Style Values" and "Style Examples"; RFC 6570.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any, Final
from urllib.parse import quote

_RESERVED: Final = ":/?@!$'()*,;"
"""What `allowReserved` leaves as it is; `#[]&=+` would mean something else in a query."""


class Style(StrEnum):
    """How a value that is a list or an object becomes text."""

    MATRIX = "matrix"
    LABEL = "label"
    SIMPLE = "simple"
    FORM = "form"
    SPACE_DELIMITED = "spaceDelimited"
    PIPE_DELIMITED = "pipeDelimited"
    DEEP_OBJECT = "deepObject"


STYLES_BY_PLACE: Final = {
    "path": (Style.SIMPLE, Style.LABEL, Style.MATRIX),
    "query": (Style.FORM, Style.SPACE_DELIMITED, Style.PIPE_DELIMITED, Style.DEEP_OBJECT),
    "header": (Style.SIMPLE,),
    "cookie": (Style.FORM,),
}
"""The styles of each place, the usual one first."""


def path_text(style: Style, name: str, value: Any, *, explode: bool) -> str:
    """Return what stands in a path in the place of `{name}`."""
    match style:
        case Style.LABEL:
            return _label(value, explode=explode)
        case Style.MATRIX:
            return _matrix(name, value, explode=explode)
        case _:
            return _simple(value, _encoded, explode=explode)


def header_text(value: Any, *, explode: bool) -> str:
    """Return the value of a header; headers know no percent-encoding."""
    return _simple(value, plain_text, explode=explode)


def query_text(style: Style, name: str, value: Any, *, explode: bool, allow_reserved: bool = False) -> str:
    """Return the part of a query, a cookie or a form, such as `a=1&a=2`; empty when a list or an object is."""

    def encoded(part: Any) -> str:
        return _encoded(part, _RESERVED if allow_reserved else "")

    key = _encoded(name)
    if style is Style.DEEP_OBJECT and isinstance(value, Mapping | list):
        return "&".join(f"{_encoded(path)}={encoded(item)}" for path, item in _deep(name, value))
    if isinstance(value, Mapping):
        if explode:
            return "&".join(f"{_encoded(inner)}={encoded(item)}" for inner, item in value.items())
        parts = [part for pair in value.items() for part in pair]
        return f"{key}={_delimiter(style).join(map(encoded, parts))}" if parts else ""
    if isinstance(value, list):
        if explode:
            return "&".join(f"{key}={encoded(item)}" for item in value)
        return f"{key}={_delimiter(style).join(map(encoded, value))}" if value else ""
    return f"{key}={encoded(value)}"


def plain_text(value: Any) -> str:
    """Return one value as text; what has parts is written as JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _encoded(value: Any, safe: str = "") -> str:
    # Half a letter, which JSON can say, has no bytes.
    return quote(plain_text(value), safe=safe, errors="replace")


def _delimiter(style: Style) -> str:
    return {Style.SPACE_DELIMITED: "%20", Style.PIPE_DELIMITED: "%7C"}.get(style, ",")


def _deep(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for name, item in value.items():
            yield from _deep(f"{path}[{name}]", item)
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from _deep(f"{path}[{place}]", item)
    else:
        yield path, value


def _simple(value: Any, encoded: Any, *, explode: bool) -> str:
    if isinstance(value, Mapping):
        return ",".join(f"{encoded(name)}{'=' if explode else ','}{encoded(item)}" for name, item in value.items())
    return ",".join(map(encoded, value)) if isinstance(value, list) else str(encoded(value))


def _label(value: Any, *, explode: bool) -> str:
    if isinstance(value, Mapping) and explode:
        return "".join(f".{_encoded(name)}={_encoded(item)}" for name, item in value.items())
    if isinstance(value, list) and explode:
        return "".join(f".{_encoded(item)}" for item in value)
    return f".{_simple(value, _encoded, explode=False)}"


def _matrix(name: str, value: Any, *, explode: bool) -> str:
    key = _encoded(name)
    if isinstance(value, Mapping) and explode:
        return "".join(f";{_pair(_encoded(inner), _encoded(item))}" for inner, item in value.items())
    if isinstance(value, list) and explode:
        return "".join(f";{_pair(key, _encoded(item))}" for item in value)
    return f";{_pair(key, _simple(value, _encoded, explode=False))}"


def _pair(key: str, text: str) -> str:
    return f"{key}={text}" if text else key
