"""An OpenAPI document as plain values: bounded in size and depth, of a version that is read, references followed."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

from pydantic_core import from_json

from tools.errors import ApiError, ToolFailure
from tools.schema import referenced

LARGEST_BYTES: Final = 20_000_000
"""The size of the largest document; the description of GitHub has twelve million bytes."""

MOST_VALUES: Final = 2_000_000
DEEPEST: Final = 100
YAML_S: Final = 60.0
"""Seconds that the reading of YAML may take, which is a hundred times slower than that of JSON."""

_VERSION: Final = re.compile(r"3\.([01])(\.\d+)?(-.*)?")
_MOST_HOPS: Final = 20


class ApiDocument:
    """One document whose version is read here.

    Args:
        content: Its plain values.
        name: What messages call it.

    Raises:
        ApiError: It is no OpenAPI 3.0 or 3.1 document.
    """

    def __init__(self, content: Mapping[str, Any], name: str) -> None:
        self.content = content
        self.name = name
        self.is_3_0 = _minor_version(content, name) == "0"
        info = content.get("info")
        about: Mapping[str, Any] = info if isinstance(info, Mapping) else {}
        self.title = str(about.get("title") or "").strip()
        self.version = str(about.get("version") or "").strip()

    def part(self, key: str) -> Mapping[str, Any]:
        """Return an object at the top of the document; an empty one when it is missing or none."""
        found = self.content.get(key)
        return found if isinstance(found, Mapping) else {}

    def resolved(self, node: Any, what: str) -> Mapping[str, Any]:
        """Return what a node is, or what its reference leads to.

        Args:
            what: What it should be, for messages.

        Raises:
            ApiError: It is no object, or the reference leads nowhere, into another document or back to itself.
        """
        words: dict[str, Any] = {}
        for _ in range(_MOST_HOPS):
            if not isinstance(node, Mapping):
                raise ApiError(f"expected {what} to be an object, got {_kind(node)}")
            reference = node.get("$ref")
            if reference is None:
                return {**node, **words}
            # From 3.1 on words beside a reference stand for those of its target.
            words = {**{key: node[key] for key in ("summary", "description") if key in node}, **words}
            node = self.target(reference)
        raise ApiError(f"{what} refers to itself in a circle")

    def target(self, reference: Any) -> Mapping[str, Any]:
        """Return what a reference leads to.

        Raises:
            ApiError: It leads nowhere, or into another document.
        """
        if not isinstance(reference, str):
            raise ApiError(f"expected $ref to be a text, got {_kind(reference)}")
        if not reference.startswith("#"):
            raise ApiError(f"refers to another document, {reference!r}; put everything into one document")
        found = referenced(reference, self.content)
        if found is None:
            raise ApiError(f"refers to {reference!r}, which is not in the document")
        return found


def parsed_document(data: bytes, name: str) -> ApiDocument:
    """Return the document that a file or an answer holds, JSON or YAML.

    Args:
        data: The bytes.
        name: What messages call it.

    Raises:
        ApiError: It is too large, too deep, no JSON or YAML, or no OpenAPI 3.0 or 3.1 document.
    """
    if len(data) > LARGEST_BYTES:
        raise ApiError(f"{name} is larger than {LARGEST_BYTES:,} bytes; take out what is not needed")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ApiError(f"{name} is no UTF-8 text; expected an OpenAPI document in JSON or YAML") from error
    if text.lstrip().startswith("{"):
        try:
            value = from_json(text, allow_inf_nan=False)
        except ValueError as error:
            raise ApiError(f"{name} is no JSON: {str(error).splitlines()[0]}") from error
    else:
        value = _yaml(text, name)
    if not isinstance(value, Mapping):
        raise ApiError(f"{name} is no OpenAPI document: expected an object at the top, got {_kind(value)}")
    content: dict[str, Any] = _Plain(name).value(value, 0)
    return ApiDocument(content, name)


def _yaml(text: str, name: str) -> Any:
    from tools.exact_yaml import parse  # noqa: PLC0415 -- few documents need it

    end = time.monotonic() + YAML_S

    def look() -> None:
        if time.monotonic() > end:
            raise ApiError(f"{name} takes more than {YAML_S:g} s to read; YAML is slow, give its JSON form")

    try:
        return parse(text, name, look)
    except ToolFailure as error:
        raise ApiError(str(error)) from error
    except RecursionError as error:
        raise ApiError(f"{name} is nested deeper than {DEEPEST} levels") from error


class _Plain:
    """Copies values, so that aliases of YAML cannot make a small text endless, and every key is a text."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._left = MOST_VALUES

    def value(self, node: Any, depth: int) -> Any:
        self._left -= 1
        if self._left < 0:
            raise ApiError(f"{self._name} has more than {MOST_VALUES:,} values; take out what is not needed")
        if depth > DEEPEST:
            raise ApiError(f"{self._name} is nested deeper than {DEEPEST} levels")
        if isinstance(node, Mapping):
            return {_key(key): self.value(item, depth + 1) for key, item in node.items()}
        if isinstance(node, list | tuple | set):
            return [self.value(item, depth + 1) for item in node]
        if isinstance(node, Decimal):
            return int(node) if node == node.to_integral_value() and abs(node) < Decimal(10) ** 18 else float(node)
        if node is None or isinstance(node, str | bool | int | float):
            return node
        # YAML knows dates.
        return str(node)


def _key(key: Any) -> str:
    # The codes of responses are numbers to YAML, as is `no` to nobody any more.
    return str(key).lower() if isinstance(key, bool) else str(key)


def _minor_version(content: Mapping[str, Any], name: str) -> str:
    if "swagger" in content:
        raise ApiError(
            f"{name} is Swagger {content['swagger']}; expected OpenAPI 3.0 or 3.1, so convert it first"
            ", for example with converter.swagger.io"
        )
    said = content.get("openapi")
    if said is None:
        raise ApiError(f"{name} is no OpenAPI document: expected `openapi` with its version at the top")
    found = _VERSION.fullmatch(str(said))
    if found is None:
        raise ApiError(f"{name} is of OpenAPI {str(said)[:40]!r}; expected 3.0 or 3.1")
    return found[1]


def _kind(value: Any) -> str:
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, list):
        return "a list"
    return "nothing" if value is None else "a text" if isinstance(value, str) else f"{value!r}"[:60]
