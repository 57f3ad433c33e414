"""What a request carries: JSON, forms, files, text or bytes, as the document says."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from tools.errors import ToolFailure
from tools.openapi.operations import Body
from tools.openapi.parameters import Style, plain_text, query_text
from tools.schema import referenced

_FORM: Final = "application/x-www-form-urlencoded"
_MULTIPART: Final = "multipart/form-data"
_BYTES: Final = "application/octet-stream"
_MOST_HOPS: Final = 20


class EncodedBody(NamedTuple):
    """What is sent.

    Attributes:
        content: The bytes.
    """

    content: bytes
    media_type: str


def encoded_body(body: Body, value: Any, document: Mapping[str, Any]) -> EncodedBody:
    """Return what is sent for the argument of a body.

    Args:
        document: The schema of all arguments, into which references lead.

    Raises:
        ToolFailure: It should be bytes in base64, and is none.
    """
    kind = body.media_type.partition(";")[0].strip().lower()
    if body.is_json:
        media_type = "application/json" if kind == "*/*" else body.media_type
        return EncodedBody(plain_text(value).encode() if not isinstance(value, str) else _quoted(value), media_type)
    if kind == _FORM:
        return EncodedBody(_form(body, value).encode(), body.media_type)
    if kind == _MULTIPART:
        return _multipart(body, value, document)
    if body.schema.get("contentEncoding") == "base64":
        return EncodedBody(_from_base64(value, body.argument), _BYTES if "*" in kind else body.media_type)
    named = body.media_type if "charset" in body.media_type else f"{body.media_type}; charset=utf-8"
    return EncodedBody(plain_text(value).encode(), named)


def _quoted(text: str) -> bytes:
    # A text that is the whole body stands in quotation marks, in a parameter it does not.
    return plain_text([text])[1:-1].encode()


def _form(body: Body, value: Any) -> str:
    parts = []
    for name, item in value.items() if isinstance(value, Mapping) else ():
        encoding = body.encodings.get(name, {})
        if encoding.keys() & {"style", "explode", "allowReserved"}:
            said = encoding.get("style", Style.FORM)
            style = Style(said) if said in set(Style) else Style.FORM
            explode = encoding.get("explode", style in {Style.FORM, Style.DEEP_OBJECT})
            reserved = encoding.get("allowReserved") is True
            parts.append(query_text(style, name, item, explode=explode is True, allow_reserved=reserved))
        else:
            # What has parts is written as JSON where the document says nothing of it.
            texts = item if isinstance(item, list) else [plain_text(item)]
            parts.append(query_text(Style.FORM, name, texts, explode=True))
    return "&".join(filter(None, parts))


def _multipart(body: Body, value: Any, document: Mapping[str, Any]) -> EncodedBody:
    import httpx  # noqa: PLC0415 -- takes a tenth of a second, which only calls need

    files = []
    for name, item in value.items() if isinstance(value, Mapping) else ():
        said = body.encodings.get(name, {}).get("contentType")
        media_type = said.partition(",")[0].strip() if isinstance(said, str) and "*" not in said else ""
        schema = _property(body.schema, name, document)
        for one in item if isinstance(item, list) else [item]:
            part = _property(schema, "", document) if isinstance(item, list) else schema
            files.append((name, _part(f"{body.argument}.{name}", name, one, part, media_type)))
    request = httpx.Request("POST", "http://localhost", files=files)
    return EncodedBody(request.read(), request.headers["content-type"])


def _part(
    where: str, name: str, value: Any, schema: Mapping[str, Any], media_type: str
) -> tuple[str | None, bytes, str | None]:
    """Return file name, bytes and media type of one part."""
    if schema.get("contentEncoding") == "base64" or "contentMediaType" in schema:
        said = schema.get("contentMediaType")
        return name, _from_base64(value, where), media_type or (said if isinstance(said, str) else _BYTES)
    if isinstance(value, Mapping | list):
        return None, plain_text(value).encode(), media_type or "application/json"
    return None, plain_text(value).encode(), media_type or None


def _property(schema: Mapping[str, Any], name: str, document: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the schema of a property, or that of the items for the empty name; an empty one when it is not said."""
    for part in _parts(schema, document):
        properties = part.get("properties")
        found = part.get("items") if not name else properties.get(name) if isinstance(properties, Mapping) else None
        if isinstance(found, Mapping):
            return next(_parts(found, document))
    return {}


def _parts(schema: Mapping[str, Any], document: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Go through a schema and what it is joined of, references followed."""
    waiting: list[Any] = [schema]
    left = _MOST_HOPS
    while waiting and left:
        left -= 1
        node = waiting.pop(0)
        reference = node.get("$ref") if isinstance(node, Mapping) else None
        if isinstance(reference, str):
            waiting.insert(0, referenced(reference, document) or {})
        elif isinstance(node, Mapping):
            yield node
            waiting += [inner for key in ("allOf", "anyOf", "oneOf") for inner in node.get(key, ())]


def _from_base64(value: Any, where: str) -> bytes:
    try:
        return base64.b64decode(str(value), validate=True)
    except (binascii.Error, ValueError) as error:
        raise ToolFailure(f"{where}: expected bytes in base64, got {str(value)[:40]!r}") from error
