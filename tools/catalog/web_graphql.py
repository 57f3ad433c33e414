"""Ask GraphQL services."""

from __future__ import annotations

import json as json_text
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

from annotated_types import Gt, Le
from pydantic import JsonValue, StringConstraints
from pydantic_core import from_json

from tools.catalog._answers import objects_at, part, text_at, whole_at
from tools.catalog._bounds import readable_size
from tools.catalog._dry_runs import telling_failures
from tools.catalog._web_fetching import SECRET_HEADERS, Fetching, Url, text_of
from tools.context import ToolContext
from tools.declare import tool
from tools.declare.decorators import security
from tools.errors import ToolFailure, TransientError
from tools.spec import Concern, Count, DryRun, Param, ToolExample
from tools.web.addresses import host_of, parse_url, private_host_concerns
from tools.web.requests import WebRequest, checked_headers, with_body

_MOST_BYTES: Final = 2_000_000
_MOST_ERRORS: Final = 50
_NO_CODE: Final = re.compile(r'"""(?:\\"""|[^"]|"(?!""))*"""|"(?:\\.|[^"\\\n])*"|#[^\n]*')
_CHANGING: Final = re.compile(r"\b(?:mutation|subscription)\b")
_SHOWN_LINES: Final = 100


@dataclass(frozen=True)
class GraphqlError:
    """One error that a service names.

    Attributes:
        message: What is wrong.
        path: Which field it is about; empty for all of them.
        line: The line of the query; None when the service does not say.
    """

    message: str
    path: str
    line: int | None


@dataclass(frozen=True)
class GraphqlAnswer:
    """What a GraphQL service answered.

    Attributes:
        url: Where it came from.
        data: The data; None when there is none.
        errors: What went wrong; there may be data beside it.
        size_bytes: How large the answer was.
    """

    url: str
    data: JsonValue
    errors: tuple[GraphqlError, ...]
    size_bytes: int


def _may_change(query: str) -> bool:
    """Return whether a document may hold more than queries."""
    return bool(_CHANGING.search(_NO_CODE.sub(" ", query)))


def _query_concerns(arguments: Mapping[str, Any], _project_dir: Path) -> list[Concern]:
    verb = "Runs a mutation or subscription" if _may_change(arguments["query"]) else "Sends a query"
    size = len(arguments["query"]) + len(json_text.dumps(arguments["variables"] or {}))
    what = f"{verb} of {size:,} characters to {arguments['url']}"
    return [*private_host_concerns(arguments["url"]), Concern("sends_data", "Sends data", what)]


@telling_failures
def _query_dry_run(arguments: Mapping[str, Any], _project_dir: Path) -> DryRun:
    url = parse_url(arguments["url"])
    query = arguments["query"]
    lines = [*query.splitlines(), *json_text.dumps(arguments["variables"] or {}, ensure_ascii=False).splitlines()]
    size = len(query.encode())
    what = "a mutation or subscription" if _may_change(query) else "a query"
    return DryRun(
        f"Send {what} to {host_of(url)}.",
        (Count("hosts", 1, "1 host"), Count("bytes", size, f"{readable_size(size)} sent")),
        tuple(lines[:_SHOWN_LINES]),
        max(0, len(lines) - _SHOWN_LINES),
        ("What is sent is not encrypted.",) if url.scheme == "http" else (),
    )


class GraphqlAsking(Fetching):
    """Ask GraphQL services."""

    @tool(
        keywords=("graphql", "api", "query", "mutation", "post", "schema"),
        latency="medium",
        idempotent=False,
        read_only=False,
        destructive=False,
        open_world=True,
        timeout_s=300,
        concerns=_query_concerns,
        dry_run=_query_dry_run,
        examples=(
            ToolExample(
                input={
                    "url": "https://api.example.org/graphql",
                    "query": "query($id: ID!) { lamp(id: $id) { name } }",
                    "variables": {"id": "7"},
                },
                description="A query with a variable",
            ),
            ToolExample(
                input={
                    "url": "https://api.example.org/graphql",
                    "query": "{ __schema { queryType { fields { name description } } } }",
                },
                description="What can be asked for",
            ),
        ),
    )
    @security(mask_fields=tuple(f"headers.{name}" for name in SECRET_HEADERS))
    async def query_graphql(
        self,
        url: Url,
        query: Annotated[
            str, StringConstraints(min_length=1, max_length=100_000), Param("The document: a query or a mutation")
        ],
        *,
        variables: Annotated[dict[str, JsonValue] | None, Param("The values of its variables")] = None,
        operation: Annotated[str, Param("Which operation of the document runs, when it has several")] = "",
        headers: Annotated[dict[str, str] | None, Param("Further request headers, such as Authorization")] = None,
        timeout_s: Annotated[float, Gt(0), Le(280), Param("Time for the whole exchange", unit="s")] = 30.0,
        ctx: ToolContext,
    ) -> GraphqlAnswer:
        """Send a GraphQL query or mutation and return data and errors; a person is asked first, as it sends data.

        Errors that a service names are a result too. Introspection tells what can be asked for.
        """
        body: dict[str, JsonValue] = {"query": query, "variables": dict(variables or {})}
        if operation:
            body["operationName"] = operation
        accepted = {"accept": "application/graphql-response+json, application/json", **checked_headers(headers or {})}
        request = WebRequest(parse_url(url), "POST", accepted, grants=ctx.grants, refusal_at=ctx.refusal_at)
        async with self._client.open(with_body(request, body, None), timeout_s) as reply:
            content, cut = await reply.read(_MOST_BYTES)
        if cut:
            raise ToolFailure(f"{reply.url} answered with more than {readable_size(_MOST_BYTES)}; ask for fewer fields")
        try:
            answer = from_json(text_of(reply, content), allow_inf_nan=False)
        except ValueError as error:
            message = f"{reply.url} answered {reply.status_line} without JSON; check that it is a GraphQL address"
            raise (TransientError if reply.response.is_server_error else ToolFailure)(message) from error
        if not isinstance(answer, dict) or not {"data", "errors"} & answer.keys():
            raise ToolFailure(f"{reply.url} answered {reply.status_line} with JSON that is no answer of GraphQL")
        errors = tuple(
            GraphqlError(
                text_at(error, "message")[:2000],
                ".".join(str(step) for step in part(error, "path") or ()),
                whole_at(error, "locations", 0, "line"),
            )
            for error in objects_at(answer, "errors")[:_MOST_ERRORS]
        )
        return GraphqlAnswer(str(reply.url), answer.get("data"), errors, len(content))
