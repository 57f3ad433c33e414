"""Tell what went wrong with a server: which request, how long, its last words, and what to do."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Final, NamedTuple
from urllib.parse import urlsplit

import httpx2
from mcp import MCPError
from mcp_types import CONNECTION_CLOSED
from pydantic import ValidationError

from tools.errors import (
    ServerAnswerError,
    ServerRefusedError,
    SignInError,
    ToolConfigurationError,
    ToolFailure,
    VaultError,
)
from tools.mcp.state import REMEDY_BY_FAULT, FaultKind, ServerFault
from tools.mcp.stdio_framing import MalformedMessageError, MessageTooLargeError
from tools.programs import ending_of
from tools.sentences import full_sentence

_LONGEST: Final = 500
_SIGN_IN: Final = frozenset({401, 403, 407})
_NOT_FOUND: Final = 404
_NOT_THERE: Final = frozenset({404, 405, 410})


class FaultContext(NamedTuple):
    """What was known when something went wrong.

    Attributes:
        name: What the person calls the server.
        request: The request that was under way; empty when none was.
        elapsed_s: Seconds since it, or since the start.
        stderr: The end of what the server wrote there.
        exit_code: How its process ended by itself; None when it did not.
        status: The last HTTP status; 0 when there was none.
        url: The address; empty for a program on this computer.
        garbage: The last line that was no message; empty when there was none.
    """

    name: str
    request: str
    elapsed_s: float
    stderr: str
    exit_code: int | None
    has_process: bool
    status: int
    garbage: str
    at: datetime
    url: str = ""


def leaves(error: BaseException) -> Iterator[BaseException]:
    """Yield what is inside groups of exceptions, the most telling first: cancellations come last."""
    if isinstance(error, BaseExceptionGroup):
        found = [leaf for inner in error.exceptions for leaf in leaves(inner)]
        yield from sorted(found, key=lambda leaf: not isinstance(leaf, Exception))
    else:
        yield error


def fault_of(error: BaseException | None, scene: FaultContext) -> ServerFault:
    """Return what a person is told.

    Args:
        error: What was raised; None when the other side simply ended.
        scene: What is known besides.
    """
    found = None if error is None else next(leaves(error))
    kind, message = _told(found, scene)
    if scene.garbage and kind in {FaultKind.TIMED_OUT, FaultKind.EXITED}:
        message += f" It wrote what is no message: {scene.garbage!r}."
    return ServerFault(
        kind=kind,
        message=message,
        request=scene.request,
        elapsed_s=scene.elapsed_s,
        last_words=scene.stderr,
        remedy=REMEDY_BY_FAULT[kind],
        exit_code=scene.exit_code,
        at=scene.at,
    )


def _told(  # noqa: C901, PLR0911, PLR0912 -- one family of errors a line
    error: BaseException | None, scene: FaultContext
) -> tuple[FaultKind, str]:
    if scene.status in _SIGN_IN:
        return FaultKind.SIGN_IN, f"The server does not let this program in (HTTP {scene.status})."
    match error:
        case MessageTooLargeError():
            return FaultKind.TOO_LARGE, f"The connection was closed: {error}."
        case MalformedMessageError():
            return FaultKind.GARBAGE, f"It writes what is no message, such as {str(error)!r}."
        case TimeoutError():
            waited = f" to {scene.request}" if scene.request else ""
            return FaultKind.TIMED_OUT, f"There was no answer{waited} within {scene.elapsed_s:.1f} s."
        case SignInError():
            return FaultKind.SIGN_IN, full_sentence(str(error))
        case ToolConfigurationError() | VaultError():
            return FaultKind.CONFIGURATION, full_sentence(str(error))
        case ToolFailure():
            return FaultKind.COMMAND_MISSING, full_sentence(str(error))
        case httpx2.HTTPStatusError():
            status = error.response.status_code
            told = f"The address answered with HTTP {status}."
            return FaultKind.UNREACHABLE, _not_there(status, scene.url) if status == _NOT_FOUND else told
        case httpx2.HTTPError():
            return FaultKind.UNREACHABLE, f"It cannot be reached: {str(error) or type(error).__name__}."
        case OSError() if not scene.has_process and scene.status == 0:
            return FaultKind.NOT_STARTED, f"It cannot be started: {error.strerror or error}."
        case MCPError() if error.code != CONNECTION_CLOSED:
            if scene.status in _NOT_THERE:
                return FaultKind.UNREACHABLE, _not_there(scene.status, scene.url)
            return FaultKind.PROTOCOL, f"It answered with an error: {_short(error.message)} (code {error.code})."
        case ValidationError() | ServerAnswerError():
            return FaultKind.PROTOCOL, f"Its answer is not what the protocol asks for: {wrong_in(error)}."
        case RuntimeError() if "nsupported protocol version" in str(error):
            return FaultKind.PROTOCOL, f"It speaks none of our versions of the protocol: {_short(str(error))}."
    return _ended(error, scene)


def _not_there(status: int, url: str) -> str:
    """Say that an address is no server's; where many have theirs is told if that is another one."""
    where = urlsplit(url)
    usual = f"{where.scheme}://{where.netloc.rpartition('@')[2]}/mcp"
    if status != _NOT_FOUND or not url or where.path.rstrip("/").endswith("/mcp"):
        return f"There is no MCP server at that address (HTTP {status})."
    return f"There is no MCP server at that address (HTTP {status}); many answer at {usual}."


def _ended(error: BaseException | None, scene: FaultContext) -> tuple[FaultKind, str]:
    if scene.exit_code is not None:
        return FaultKind.EXITED, f"It ended with {ending_of(scene.exit_code)}."
    if scene.has_process:
        return FaultKind.EXITED, "It closed its output."
    said = "" if error is None or isinstance(error, MCPError) else f": {_short(str(error) or type(error).__name__)}"
    return FaultKind.UNREACHABLE, f"The connection was lost{said}."


def refused(method: str, server: str, error: MCPError) -> ServerRefusedError:
    """Return what a caller is told of a protocol error."""
    return ServerRefusedError(f"{server} refused {method}: {_short(error.message)} (code {error.code})", error.code)


def wrong_in(error: Exception) -> str:
    """Return what is wrong with an answer, in a few words."""
    if not isinstance(error, ValidationError):
        return _short(str(error))
    problems = error.errors(include_url=False, include_context=False, include_input=False)
    told = [f"{'.'.join(map(str, problem['loc']))}: {problem['msg']}" for problem in problems[:3]]
    more = f" and {len(problems) - 3} more" if len(problems) > len(told) else ""
    return _short("; ".join(told) + more)


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _LONGEST else f"{words[:_LONGEST]} …"
