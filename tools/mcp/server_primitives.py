"""What servers have besides tools: resources, templates of them, and prompts; as values with the raw form beside."""

from __future__ import annotations

import base64
import binascii
import mimetypes
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import unquote, urlsplit

from tools.tool import ToolResult

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.context import ToolContext

MISMATCH: Final = "The server's structured result is not what the tool's output schema says"
_BINARY: Final = frozenset({"image", "audio"})


def result_of(raw: Mapping[str, Any], context: ToolContext, mismatch: str = "") -> ToolResult:
    """Return what a call of a server's tool gave; files are attached to the call.

    A plain text stays one. Anything more becomes a text for whoever reads, and beside it the structured value, or else
    the parts as the server wrote them with the names of attachments in the place of their bytes.

    Args:
        raw: The result as the server wrote it.
        context: The call's line to the outside.
        mismatch: Where the structured value is not what its schema says; empty when it is.
    """
    blocks = [block for block in _list(raw.get("content")) if isinstance(block, Mapping)]
    parts = [_block(block, context) for block in blocks]
    text = "\n\n".join(said for said in map(_told, parts) if said)
    if raw.get("isError") is True:
        error = text or "The server says that its tool failed, and gives no reason."
        return ToolResult(success=False, error=error, written=raw)
    if mismatch:
        context.log("warning", f"{MISMATCH}: {mismatch}")
        text = f"{MISMATCH}: {mismatch}\n\n{text}".rstrip()
    structured = raw.get("structuredContent")
    if "structuredContent" not in raw and not all(_is_plain(block) for block in blocks):
        structured = {"content": parts}
    return ToolResult(success=True, output=text, structured=structured, written=raw)


def parts_of(contents: Sequence[Mapping[str, JsonValue]], context: ToolContext) -> list[dict[str, Any]]:
    """Return contents with the names of attachments in the place of their bytes."""
    return [_block(block, context) for block in contents]


def bytes_in(content: Mapping[str, JsonValue]) -> bytes | None:
    """Return the bytes of a picture, a sound or a file; None when it has none, or they are no base64."""
    data = content.get("blob", content.get("data"))
    if not isinstance(data, str):
        return None
    try:
        return base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        return None


def name_in(address: str, mime_type: str) -> str:
    """Return a file name for what stands at an address; empty when the address gives none."""
    name = unquote(urlsplit(address).path.rsplit("/", 1)[-1])
    if name and "." not in name:
        name += mimetypes.guess_extension(mime_type) or ""
    return name


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _is_plain(block: Mapping[str, Any]) -> bool:
    return block.get("type") == "text" and "annotations" not in block and "_meta" not in block


def _block(block: Mapping[str, Any], context: ToolContext) -> dict[str, Any]:
    """Return a part without bytes, which are attached."""
    kind = block.get("type")
    if kind in _BINARY:
        return _without_bytes(block, "data", context, f"{kind}-{len(context.call.response.attachments) + 1}")
    inner = block.get("resource")
    if kind == "resource" and isinstance(inner, Mapping) and "blob" in inner:
        name = name_in(str(inner.get("uri", "")), str(inner.get("mimeType", "")))
        return {**block, "resource": _without_bytes(inner, "blob", context, name)}
    return dict(block)


def _without_bytes(holder: Mapping[str, Any], key: str, context: ToolContext, name: str) -> dict[str, Any]:
    data = bytes_in(holder)
    if data is None:
        return {**holder, "problem": f"expected base64 in {key!r}; what came is none"}
    mime_type = str(holder.get("mimeType") or "application/octet-stream")
    if name and "." not in name:
        name += mimetypes.guess_extension(mime_type) or ""
    context.attach(data, mime_type, name or None)
    attached = context.call.response.attachments[-1].name
    return {k: v for k, v in holder.items() if k != key} | {"attachment": attached, "size_bytes": len(data)}


def _told(part: Mapping[str, Any]) -> str:
    """Return a part as whoever reads text is told of it."""
    kind = part.get("type")
    if kind == "text":
        return str(part.get("text", ""))
    if kind in _BINARY:
        return f"[{kind}: {_named(part)}]"
    if kind == "resource_link":
        title = part.get("title") or part.get("name") or "resource"
        description = part.get("description")
        return f"[{title}: {part.get('uri', '')}]" + (f" {description}" if description else "")
    if kind == "resource":
        inner = part.get("resource")
        if isinstance(inner, Mapping):
            uri = inner.get("uri", "")
            return str(inner["text"]) if "text" in inner else f"[resource {uri}: {_named(inner)}]"
    return f"[{kind}]"


def _named(part: Mapping[str, Any]) -> str:
    return str(part.get("attachment") or part.get("problem") or "nothing")


class Resource(NamedTuple):
    """Something that a server lets people read.

    Attributes:
        title: Its name for people; its name when it has none.
        description: What it is; empty when nothing is said.
        mime_type: Of what kind; empty when nothing is said.
        size_bytes: How long; None when nothing is said.
        raw: As the server wrote it.
    """

    uri: str
    name: str
    title: str
    description: str
    mime_type: str
    size_bytes: int | None
    raw: Mapping[str, JsonValue]


class ResourceTemplate(NamedTuple):
    """Addresses of resources with places to fill in.

    Attributes:
        uri_template: The addresses, as RFC 6570 writes them.
        title: Its name for people; its name when it has none.
        description: What it is; empty when nothing is said.
        mime_type: Of what kind; empty when nothing is said.
        variables: The places to fill in, in order.
        raw: As the server wrote it.
    """

    uri_template: str
    name: str
    title: str
    description: str
    mime_type: str
    variables: tuple[str, ...]
    raw: Mapping[str, JsonValue]

    def filled(self, values: Mapping[str, str]) -> str:
        """Return the address with these values.

        Raises:
            ValueError: The template is not one of RFC 6570.
        """
        from mcp.shared.uri_template import UriTemplate  # noqa: PLC0415 -- the SDK takes a second to import

        return UriTemplate.parse(self.uri_template).expand(dict(values))


class ResourceContent(NamedTuple):
    """One part of a resource's content.

    Attributes:
        mime_type: Of what kind; empty when nothing is said.
        text: The text; None when it is no text.
        data: The bytes; None when it is a text.
    """

    uri: str
    mime_type: str
    text: str | None
    data: bytes | None


class PromptArgument(NamedTuple):
    """A place of a prompt to fill in.

    Attributes:
        title: Its name for people; its name when it has none.
        description: What it means; empty when nothing is said.
        required: Whether it must be filled in.
    """

    name: str
    title: str
    description: str
    required: bool


class RemotePrompt(NamedTuple):
    """A text with parameters that a server has.

    Attributes:
        title: Its name for people; its name when it has none.
        description: What it is for; empty when nothing is said.
        arguments: The places to fill in.
        raw: As the server wrote it.
    """

    name: str
    title: str
    description: str
    arguments: tuple[PromptArgument, ...]
    raw: Mapping[str, JsonValue]

    @property
    def input_schema(self) -> dict[str, JsonValue]:
        """The JSON Schema of its arguments: they are texts, whatever they mean."""
        properties: dict[str, JsonValue] = {
            argument.name: {
                "type": "string",
                "title": argument.title,
                **({"description": argument.description} if argument.description else {}),
            }
            for argument in self.arguments
        }
        required: list[JsonValue] = [argument.name for argument in self.arguments if argument.required]
        return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


class Completion(NamedTuple):
    """What a half-written argument may become.

    Attributes:
        values: At most a hundred.
        total: How many there are; None when nothing is said.
    """

    values: tuple[str, ...]
    total: int | None
    has_more: bool


def resource_of(raw: Mapping[str, Any]) -> Resource:
    """Return a resource as the server wrote it."""
    size = raw.get("size")
    return Resource(
        uri=_text(raw, "uri"),
        name=_text(raw, "name"),
        title=_text(raw, "title") or _text(raw, "name"),
        description=_text(raw, "description"),
        mime_type=_text(raw, "mimeType"),
        size_bytes=size if isinstance(size, int) else None,
        raw=raw,
    )


def template_of(raw: Mapping[str, Any]) -> ResourceTemplate:
    """Return a template as the server wrote it; one that is not of RFC 6570 has no variables."""
    from mcp.shared.uri_template import InvalidUriTemplate, UriTemplate  # noqa: PLC0415 -- see `filled`

    uri_template = _text(raw, "uriTemplate")
    try:
        variables = tuple(UriTemplate.parse(uri_template).variable_names)
    except InvalidUriTemplate:
        variables = ()
    return ResourceTemplate(
        uri_template=uri_template,
        name=_text(raw, "name"),
        title=_text(raw, "title") or _text(raw, "name"),
        description=_text(raw, "description"),
        mime_type=_text(raw, "mimeType"),
        variables=variables,
        raw=raw,
    )


def content_of(raw: Mapping[str, Any]) -> ResourceContent:
    """Return a part of a content as the server wrote it."""
    text = raw.get("text")
    is_text = isinstance(text, str)
    return ResourceContent(
        uri=_text(raw, "uri"),
        mime_type=_text(raw, "mimeType"),
        text=text if is_text else None,
        data=None if is_text else bytes_in(raw) or b"",
    )


def prompt_of(raw: Mapping[str, Any]) -> RemotePrompt:
    """Return a prompt as the server wrote it."""
    arguments = raw.get("arguments")
    return RemotePrompt(
        name=_text(raw, "name"),
        title=_text(raw, "title") or _text(raw, "name"),
        description=_text(raw, "description"),
        arguments=tuple(
            PromptArgument(
                name=_text(item, "name"),
                title=_text(item, "title") or _text(item, "name"),
                description=_text(item, "description"),
                required=item.get("required") is True,
            )
            for item in (arguments if isinstance(arguments, list) else ())
            if isinstance(item, dict)
        ),
        raw=raw,
    )


def _text(raw: Mapping[str, Any], key: str) -> str:
    value = raw.get(key)
    return value if isinstance(value, str) else ""
