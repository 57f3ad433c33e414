"""Results of servers as results of ours: texts, pictures, sounds, links and files, and structured values."""

from __future__ import annotations

import base64
import binascii
import mimetypes
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final
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
    parts = [_part(block, context) for block in blocks]
    text = "\n\n".join(said for said in map(_told, parts) if said)
    if raw.get("isError") is True:
        return ToolResult.failure(text or "The server says that its tool failed, and gives no reason.")
    if mismatch:
        context.log("warning", f"{MISMATCH}: {mismatch}")
        text = f"{MISMATCH}: {mismatch}\n\n{text}".rstrip()
    if "structuredContent" in raw:
        return ToolResult.ok(text, raw["structuredContent"])
    if all(_is_plain(block) for block in blocks):
        return ToolResult.ok(text)
    return ToolResult.ok(text, {"content": parts})


def parts_of(contents: Sequence[Mapping[str, JsonValue]], context: ToolContext) -> list[dict[str, Any]]:
    """Return contents with the names of attachments in the place of their bytes."""
    return [_part(block, context) for block in contents]


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


def _part(block: Mapping[str, Any], context: ToolContext) -> dict[str, Any]:
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
