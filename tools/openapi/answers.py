"""What came of a request, as the result of a tool: JSON and text, bytes as attachments, errors with what to do."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from tools.errors import DeclarationError, ToolFailure, TransientError
from tools.masking.scrubbing import Scrubber
from tools.openapi.operations import is_json
from tools.schema import MismatchFinder, json_text
from tools.tool import ToolResult
from tools.web.text import decode_text

if TYPE_CHECKING:
    from tools.context import ToolContext
    from tools.openapi.operations import Operation
    from tools.web.requests import WebReply

MOST_BYTES: Final = 10_000_000
"""The most of an answer that is read."""

_LONGEST_REASON: Final = 500
_TEXT: Final = re.compile(r"text/.*|application/([\w.+-]+\+)?(xml|yaml|x-yaml|javascript|csv|x-ndjson|graphql)")
_FILE_NAME: Final = re.compile(r'filename="?([^";\\/]+)"?', re.IGNORECASE)
_WORTH_TRYING_AGAIN: Final = frozenset({408, 425, 429})
_SERVER_STATUSES: Final = range(500, 600)
_REASONS: Final = ("title", "detail", "message", "msg", "error_description", "error", "errors", "reason", "fault")
_TO_DO: Final = {
    400: "check the arguments against what it says",
    401: "the key is missing, wrong or expired; keep the right one",
    403: "the key does not allow this; use one that does",
    404: "check the arguments that name what is asked for",
    405: "the document is out of date; refresh the API",
    409: "it clashes with how things stand; look at them first",
    410: "it is gone for good",
    422: "check the arguments against what it says",
    429: "wait, then try again",
}


async def answered(
    operation: Operation,
    reply: WebReply,
    context: ToolContext,
    scrub: Scrubber,
    find: Callable[[], MismatchFinder | None],
) -> ToolResult:
    """Return what came of a request.

    Args:
        reply: The answer, whose body is still to be read.
        context: Takes attachments and logs.
        scrub: Takes secrets out of what is kept.
        find: Gives what compares a value with what the document says of it; None where it says nothing.

    Raises:
        ToolFailure: The server answered with an error, or with more than is read.
    """
    body, is_cut = await reply.read(MOST_BYTES)
    status = reply.response.status_code
    said = f"{operation.key} answered {reply.status_line}"
    if status >= 400:  # noqa: PLR2004 -- HTTP's errors begin there
        raise _failure(said, status, reply, scrub(_reason(reply, body)))
    if is_cut:
        raise ToolFailure(f"{said} with more than {MOST_BYTES:,} bytes; ask for less, for example page by page")
    if more := reply.response.headers.get("link"):
        context.log("info", scrub(f"link: {more}"))
    if operation.method == "HEAD":
        headers = "\n".join(f"{name}: {value}" for name, value in reply.response.headers.items())
        return ToolResult.ok(scrub(f"{reply.status_line}\n{headers}"))
    if not body:
        return ToolResult.ok(reply.status_line)
    kind = reply.content_type
    if is_json(kind) or (not kind and operation.output_schema is not None):
        text = decode_text(body, reply.response.charset_encoding)
        text, value = await asyncio.to_thread(_read_json, said, text, scrub)
        if mismatch := await asyncio.to_thread(_mismatch, value, find):
            context.log("warning", f"the answer is not what the document says: {mismatch}")
        return ToolResult.ok(text, structured=value)
    if _TEXT.fullmatch(kind):
        return ToolResult.ok(scrub(decode_text(body, reply.response.charset_encoding)))
    context.attach(body, kind or None, _file_name(reply))
    return ToolResult.ok(f"{len(body):,} bytes of {kind or 'an unnamed type'}, which are attached.")


def _read_json(said: str, text: str, scrub: Scrubber) -> tuple[str, Any]:
    """Return an answer as text and as value, both without secrets.

    Raises:
        ToolFailure: It is no JSON.
    """
    try:
        value = json.loads(text)
        clean = scrub.value(value) if scrub else value
    except (ValueError, RecursionError) as error:
        raise ToolFailure(f"{said}, but what it says is JSON is none: {str(error).splitlines()[0]}") from error
    return (text if clean is value or clean == value else json_text(clean)), clean


def _mismatch(value: Any, find: Callable[[], MismatchFinder | None]) -> str:
    """Return where an answer is not what the document says; many servers take that lightly, so it is no failure."""
    try:
        finder = find()
        found = None if finder is None else finder.find(value, most=3)
    except DeclarationError as error:
        return str(error)
    return (
        "; ".join(f"{'.'.join(map(str, one.keys)) or 'the top'}: {one.message}" for one in found.found) if found else ""
    )


def _failure(said: str, status: int, reply: WebReply, reason: str) -> ToolFailure:
    is_passing = status in _WORTH_TRYING_AGAIN or status in _SERVER_STATUSES
    to_do = _TO_DO.get(status, "try again later" if is_passing else "check the arguments")
    if wait := reply.response.headers.get("retry-after"):
        to_do = f"{to_do}, after {wait[:40]}{' s' if wait.isdecimal() else ''}"
    message = f"{said}{f': {reason}' if reason else ''}; {to_do}"
    return TransientError(message) if is_passing else ToolFailure(message)


def _reason(reply: WebReply, body: bytes) -> str:
    """Return what a server says of an error, in a line.

    Source: RFC 9457 (`title`, `detail`, `errors`), and what most APIs do in its place.
    """
    text = decode_text(body, reply.response.charset_encoding)
    if is_json(reply.content_type):
        with suppress(ValueError, RecursionError):
            text = _told(json.loads(text), 0) or text
    elif reply.content_type == "text/html":
        text = ""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_REASON else f"{line[:_LONGEST_REASON]}…"


def _told(value: Any, depth: int) -> str:
    if isinstance(value, str):
        return value
    if depth > 3:  # noqa: PLR2004 -- what lies deeper is no sentence for anybody
        return ""
    if isinstance(value, list):
        return "; ".join(filter(None, (_told(item, depth + 1) for item in value[:5])))
    if not isinstance(value, Mapping):
        return ""
    known = [_told(value[name], depth + 1) for name in _REASONS if name in value]
    where = next((value[name] for name in ("pointer", "field", "loc", "path", "name") if name in value), None)
    words = ": ".join(dict.fromkeys(filter(None, known)))
    place = ".".join(map(str, where)) if isinstance(where, list) else where if isinstance(where, str) else ""
    return f"{place}: {words}" if place and words else words


def _file_name(reply: WebReply) -> str | None:
    found = _FILE_NAME.search(reply.response.headers.get("content-disposition", ""))
    return found[1].strip() if found else reply.url.path.rpartition("/")[2] or None
