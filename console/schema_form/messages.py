"""The words for types, formats, values and how many there may be."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from console.language import tr, tr_count

FORMATS: Final[Mapping[str, str]] = {
    "base64": tr("text in base64"),
    "date": tr("a date such as 2026-03-31"),
    "date-time": tr("a date and time such as 2026-03-31T09:30:00"),
    "duration": tr("a duration such as PT1H30M"),
    "email": tr("an e-mail address"),
    "hostname": tr("the name of a computer such as www.example.org"),
    "idn-email": tr("an e-mail address"),
    "idn-hostname": tr("the name of a computer such as www.example.org"),
    "ipv4": tr("an IPv4 address such as 192.0.2.1"),
    "ipv6": tr("an IPv6 address such as 2001:db8::1"),
    "iri": tr("an address such as https://example.org/page"),
    "iri-reference": tr("an address such as https://example.org/page or /page"),
    "json-pointer": tr("a JSON pointer such as /people/0/name"),
    "path": tr("a path"),
    "regex": tr("a regular expression"),
    "relative-json-pointer": tr("a relative JSON pointer such as 1/name"),
    "time": tr("a time such as 09:30:00"),
    "uri": tr("an address such as https://example.org/page"),
    "uri-reference": tr("an address such as https://example.org/page or /page"),
    "uri-template": tr("an address with places to fill in, such as https://example.org/{name}"),
    "uuid": tr("a UUID"),
}
TYPE_WORDS: Final[Mapping[str, str]] = {
    "string": tr("text"),
    "integer": tr("a whole number"),
    "number": tr("a number"),
    "boolean": tr("true or false"),
    "array": tr("a list"),
    "object": tr("an object"),
    "null": "null",
}
_LONGEST_TEXT: Final = 48


def given(value: Any) -> str:
    """Say what a value is, shortened: `"abc"`, `9000`, `a list of 3`."""
    if isinstance(value, str):
        shown = value if len(value) <= _LONGEST_TEXT else f"{value[: _LONGEST_TEXT - 1]}…"
        return json.dumps(shown, ensure_ascii=False)
    if isinstance(value, list | tuple):
        return tr("a list of {count}", count=len(value))
    if isinstance(value, Mapping):
        return tr("an object")
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 200:
        return tr("a very long number")
    return repr(value) if isinstance(value, float) else json.dumps(value)


def first_of(messages: Sequence[str]) -> str:
    """Return the first message, and how many more there are; "" for none."""
    if len(messages) > 1:
        return tr("{problem}, and {count} more", problem=messages[0], count=len(messages) - 1)
    return messages[0] if messages else ""


def items_count(count: int) -> str:
    """Count items: `1 item`, `1,204 items`."""
    return tr_count(count, "1 item", "{count:,} items")


def items_rule(schema: Mapping[str, Any]) -> str:
    """Say how many items a list may have, and that none may come twice; "" when all is allowed."""
    bounds = bounds_rule(schema.get("minItems"), schema.get("maxItems"))
    parts = [bounds, tr("each once") if schema.get("uniqueItems") is True else ""]
    return ", ".join(part for part in parts if part)


def bounds_rule(low: int | None, high: int | None) -> str:
    """Say between which counts something has to be: `at least 1, at most 5`, `exactly 2`; "" for no limit."""
    low = low or 0
    if low and low == high:
        return tr("exactly {limit}", limit=low)
    parts = [
        tr("at least {limit}", limit=low) if low else "",
        tr("at most {limit}", limit=high) if high is not None else "",
    ]
    return ", ".join(part for part in parts if part)
