"""Tools as classes: `AbstractTool` to derive from, `AgentTool` to look like, LangChain's to be told apart."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, ClassVar, Final, Protocol, TypeGuard, runtime_checkable

from pydantic_core import to_json

from tools.context import require_api_key
from tools.errors import ToolFailure
from tools.http import new_blocking_client

if TYPE_CHECKING:
    import httpx
    from langchain_core.tools import BaseTool
    from pydantic import JsonValue

    from tools.card import ToolSource
    from tools.context import PendingReview, ToolContext
    from tools.tool import Tool, ToolResult

_context: Final[ContextVar[ToolContext]] = ContextVar("tool_context")
"""The context of the call that runs in this thread or task; a class tool has no parameter to receive it through."""


@contextmanager
def running_in(context: ToolContext) -> Iterator[None]:
    """Make a call's context the one that `AbstractTool.context` returns, for the length of a `with` block."""
    token = _context.set(context)
    try:
        yield
    finally:
        _context.reset(token)


@runtime_checkable
class AgentTool(Protocol):
    """Be any object with a name, a description and `execute(input)`; it needs no base class.

    Source: seed 3, "AgentTool".
    """

    @property
    def name(self) -> str:
        """The unique name callers use."""

    @property
    def description(self) -> str:
        """What it does."""

    def execute(self, input: str, /) -> ToolResult | str | None:  # noqa: A002 -- the reference's word
        """Run with one text."""


def is_langchain_tool(target: object) -> TypeGuard[BaseTool]:
    """Return whether an object is a `BaseTool` of LangChain, whose package somebody else imported then."""
    base = getattr(sys.modules.get("langchain_core.tools"), "BaseTool", None)
    return base is not None and isinstance(target, base)


class ToolMaker:
    """Be the base of what is no tool itself and makes one, such as `ToolPipeline`."""

    def as_tool(self, *, source: ToolSource) -> Tool:
        raise NotImplementedError


class AbstractTool:
    """Be the base of a tool written as a class: override `do_execute`, and the framework does the rest.

    `do_execute(self, query)` takes what its own signature says. Override `build_schema` as well to describe several
    arguments by JSON Schema; `do_execute` then receives all of them in its one parameter, as JSON text if that is
    annotated `str`, else as a mapping. The card comes from `@tool(...)` on the class; the policy decorators may stand
    there too.

    Source: seed 0, "Creating Custom Tools".
    """

    name: ClassVar[str] = ""
    description: ClassVar[str] = ""

    def do_execute(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ARG002 -- overrides name their own
        """Do the work.

        Raises:
            ToolFailure: To fail with a message.
        """
        msg = f"{type(self).__name__} does not override do_execute"
        raise ToolFailure(msg)

    def build_schema(self) -> Mapping[str, JsonValue] | None:
        """Return a JSON Schema of the arguments, or None to take them from `do_execute`'s signature."""
        return None

    @property
    def context(self) -> ToolContext | None:
        """The running call's context; None when `do_execute` is called by hand, as in a unit test."""
        return _context.get(None)

    def request_approval(self, description: str) -> PendingReview:
        """Ask a person in the middle of the work; see `ToolContext.request_approval`.

        Raises:
            ToolFailure: When no call is running.
        """
        if self.context is None:
            msg = f"{type(self).__name__} can ask for approval only while an Executor runs it"
            raise ToolFailure(msg)
        return self.context.request_approval(description)

    def http_get(self, url: str) -> str:
        """Return the body of a GET as text.

        Raises:
            ToolFailure: When the server answers 400 or above.
        """
        return self._send("GET", url)

    def http_post_json(self, url: str, body: Any) -> str:
        """Post a value as JSON and return the body as text.

        Raises:
            ToolFailure: When the server answers 400 or above.
        """
        return self._send("POST", url, content=to_json(body), headers={"content-type": "application/json"})

    def http_post_form(self, url: str, fields: Mapping[str, str]) -> str:
        """Post form fields and return the body as text.

        Raises:
            ToolFailure: When the server answers 400 or above.
        """
        return self._send("POST", url, data=dict(fields))

    def _send(self, method: str, url: str, **content: Any) -> str:
        if self.context is not None:
            response = self.context.blocking_http.request(method, url, **content)
        else:
            with new_blocking_client() as client:
                response = client.request(method, url, **content)
        return self._text(response)

    @staticmethod
    def _text(response: httpx.Response) -> str:
        if response.is_error:
            request = response.request
            msg = f"{request.method} {request.url} answered {response.status_code} {response.reason_phrase}"
            raise ToolFailure(msg)
        return response.text

    @staticmethod
    def parse_json(text: str) -> Any:
        """Return the value a JSON text means.

        Raises:
            ToolFailure: When it is not JSON; the message says where.
        """
        try:
            return json.loads(text)
        except json.JSONDecodeError as error:
            msg = f"not valid JSON at line {error.lineno}, column {error.colno}: {error.msg}"
            raise ToolFailure(msg) from error

    @staticmethod
    def to_json(value: Any) -> str:
        """Return a value as JSON text; dates, models and dataclasses are written too."""
        return to_json(value).decode()

    @staticmethod
    def require_api_key(name: str) -> str:
        """Return a secret from the environment or the keyring.

        Raises:
            ToolFailure: When neither has it; the message names the variable.
        """
        return require_api_key(name)

    @staticmethod
    def require_non_empty(value: str | None, name: str) -> str:
        """Return a text that says something.

        Raises:
            ToolFailure: When it is None, empty or blank; the message names the field.
        """
        if value is None or not value.strip():
            msg = f"{name} must not be empty"
            raise ToolFailure(msg)
        return value

    @staticmethod
    def clean_html(html: str) -> str:
        """Return the readable text of an HTML page or fragment, without tags, scripts and styles."""
        from selectolax.lexbor import LexborHTMLParser  # noqa: PLC0415 -- few tools read HTML

        tree = LexborHTMLParser(html)
        tree.strip_tags(["script", "style", "noscript", "template"], recursive=True)
        root = tree.body or tree.root
        return " ".join(root.text(separator=" ").split()) if root is not None else ""

    @staticmethod
    def truncate(text: str, max_length: int) -> str:
        """Return a text cut to so many characters, the last of them an ellipsis when something is missing.

        Raises:
            ValueError: When the length is below 1.
        """
        if max_length < 1:
            msg = f"max_length must be at least 1; it is {max_length}"
            raise ValueError(msg)
        return text if len(text) <= max_length else text[: max_length - 1] + "…"
