"""Call an operation of an API that an OpenAPI document describes."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from annotated_types import Gt, Le
from pydantic import JsonValue, StringConstraints

from tools.catalog._bounds import readable_size
from tools.catalog._dry_runs import telling_failures
from tools.catalog._web_fetching import SECRET_HEADERS, Fetching
from tools.context import ToolContext
from tools.declare import tool
from tools.declare.decorators import security
from tools.errors import ApiError, ArgumentsError, DeclarationError, ToolFailure
from tools.network_hosts import is_this_computer
from tools.openapi.document import LARGEST_BYTES, parsed_document
from tools.openapi.fetching import read_file
from tools.openapi.operation_tool import prepared, sent
from tools.openapi.operations import Operation, contents_of
from tools.openapi.security import RequestSignature
from tools.schema import SchemaArguments
from tools.spec import Concern, Count, DryRun, Param, PathRole, ToolExample
from tools.web.addresses import host_of, parse_url, private_host_concerns
from tools.web.requests import WebRequest, checked_headers

Method = Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
_READING: Final = frozenset({"GET", "HEAD"})
_MOST_NAMED: Final = 20
_SECRET_LENGTH: Final = 8


@dataclass(frozen=True)
class ApiAnswer:
    """What an API answered.

    Attributes:
        operation: The method and path that were called.
        data: Its answer as JSON; None when that is no JSON.
        text: Its answer as text, or what it was instead; empty when it is in data.
    """

    operation: str
    data: JsonValue
    text: str


def _api_concerns(arguments: Mapping[str, Any], _project_dir: Path) -> list[Concern]:
    concerns = [concern for name in ("document_url", "base_url") for concern in private_host_concerns(arguments[name])]
    if arguments["method"] not in _READING:
        what = f"{arguments['method']} for {arguments['operation']} to {arguments['base_url']}"
        concerns.append(Concern("sends_data", "Sends data", what))
    return list(dict.fromkeys(concerns))


@telling_failures
def _api_dry_run(arguments: Mapping[str, Any], _project_dir: Path) -> DryRun:
    """Say what would be sent; an address is not fetched for that, as nothing may be sent."""
    _check_one_document(arguments["document"], arguments["document_url"])
    given = arguments["arguments"] or {}
    if arguments["document"] is None:
        host = host_of(parse_url(arguments["document_url"]))
        text = f"Fetch the document from {host}, then send {arguments['method']} for {arguments['operation']}."
        return DryRun(text, (), tuple(f"{name}: {value!r}" for name, value in given.items()))
    data = _file_content(arguments["document"])
    operation = _found(data, str(arguments["document"]), "", arguments["base_url"], arguments["operation"])
    _check_call(operation, arguments["method"], arguments["base_url"])
    request = prepared(operation, _checked(operation, given))
    url = parse_url(request.address())
    lines = [f"{operation.method} {request.address()}", *(f"{name}: {text}" for name, text in request.headers.items())]
    body = b"" if request.body is None else request.body.content
    if request.body is not None:
        lines += [f"content-type: {request.body.media_type}", *body.decode(errors="replace").split("\n")]
    size = len(body)
    counts = (Count("hosts", 1, "1 host"), Count("bytes", size, f"{readable_size(size)} sent"))
    warnings = ("What is sent is not encrypted.",) if url.scheme == "http" else ()
    return DryRun(f"Send {operation.method} to {host_of(url)}.", counts, tuple(lines), 0, warnings)


def _check_one_document(document: Path | None, document_url: str) -> None:
    if (document is None) == (not document_url):
        raise ToolFailure("expected the document of the API: its file in document, or its address in document_url")


def _check_call(operation: Operation, method: str, base_url: str) -> None:
    if operation.method != method:
        asks = "" if operation.method in _READING else ", and a person is asked first"
        raise ToolFailure(f"{operation.key} is no {method}; pass method={operation.method!r}{asks}")
    if method not in _READING and not base_url:
        # A person agrees to what is sent to where it goes, and not to whatever a document names.
        raise ToolFailure(f"{operation.key} goes to {operation.server}; pass that as base_url, which a person is shown")


def _file_content(path: Path) -> bytes:
    try:
        return read_file(path)
    except ApiError as error:
        raise ToolFailure(str(error)) from error


def _found(data: bytes, name: str, address: str, base: str, wanted: str) -> Operation:
    """Return the operation of a document that is meant by its id, or by method and path.

    Raises:
        ToolFailure: The document cannot be read, or has no such operation.
    """
    try:
        contents = contents_of(parsed_document(data, name), address=address, base=base)
    except ApiError as error:
        raise ToolFailure(str(error)) from error
    method, _, path = wanted.strip().partition(" ")
    key = f"{method.upper()} {path.strip()}"
    for operation in contents.operations:
        if wanted.strip() == operation.name or key == operation.key:
            if "://" not in operation.server:
                raise ToolFailure(f"{name} names no address of its server; give it in base_url")
            return operation
    known = ", ".join(one.name for one in contents.operations[:_MOST_NAMED])
    more = f" and {len(contents.operations) - _MOST_NAMED:,} more" if len(contents.operations) > _MOST_NAMED else ""
    broken = f"; {len(contents.problems)} could not be read" if contents.problems else ""
    raise ToolFailure(f"{name} has no operation {wanted!r}; there are {known or 'none'}{more}{broken}")


def _host(url: str) -> str:
    return host_of(parse_url(url))


def _checked(operation: Operation, given: Mapping[str, Any]) -> dict[str, Any]:
    try:
        return SchemaArguments(operation.input_schema, owner=operation.key).validate(given)
    except (ArgumentsError, DeclarationError) as error:
        raise ToolFailure(f"the arguments do not fit {operation.key}: {error}") from error


class ApiCalling(Fetching):
    """Call operations of APIs."""

    @tool(
        keywords=("openapi", "swagger", "rest", "api", "operation", "endpoint"),
        latency="medium",
        idempotent=False,
        read_only=False,
        destructive=False,
        open_world=True,
        timeout_s=150,
        concerns=_api_concerns,
        dry_run=_api_dry_run,
        examples=(
            ToolExample(
                input={
                    "document_url": "https://api.example.org/openapi.json",
                    "operation": "listPets",
                    "arguments": {"limit": 5},
                },
                description="An operation by its id",
            ),
            ToolExample(
                input={
                    "document": "docs/openapi.yaml",
                    "operation": "POST /pets",
                    "method": "POST",
                    "arguments": {"name": "Rex"},
                    "base_url": "https://staging.example.org/v1",
                },
                description="One that changes something, by method and path, at another server",
            ),
        ),
    )
    @security(mask_fields=tuple(f"headers.{name}" for name in SECRET_HEADERS))
    async def call_api(
        self,
        operation: Annotated[
            str, StringConstraints(min_length=1, max_length=500), Param("Its operationId, or as in `GET /pets/{id}`")
        ],
        *,
        document: Annotated[Path | None, PathRole(), Param("The file of the OpenAPI 3 document, JSON or YAML")] = None,
        document_url: Annotated[str, Param("Its address instead, starting with https://")] = "",
        method: Annotated[Method, Param("The operation's method; a person is asked unless it is GET or HEAD")] = "GET",
        arguments: Annotated[
            dict[str, JsonValue] | None, Param("What the operation takes, by name; a body is called `body`")
        ] = None,
        base_url: Annotated[str, Param("The server to call, where it is not the one that the document names")] = "",
        headers: Annotated[dict[str, str] | None, Param("Further request headers, such as Authorization")] = None,
        timeout_s: Annotated[float, Gt(0), Le(60), Param("Time for fetching, and for the call", unit="s")] = 30.0,
        ctx: ToolContext,
    ) -> ApiAnswer:
        """Call one operation of a web API as its OpenAPI document describes it, with arguments checked before.

        No key is taken from the keyring: the document decides where it would go. An API that is called often is better
        added as one of your APIs, whose operations are tools. Without a fitting operation the failure names some.
        """
        _check_one_document(document, document_url)
        if document is not None:
            data = await asyncio.to_thread(_file_content, document)
        else:
            data = await self._document(document_url, timeout_s, ctx)
        name = document_url or str(document)
        found = await asyncio.to_thread(_found, data, name, document_url, base_url, operation)
        _check_call(found, method, base_url)
        if headers and not base_url and not (document_url and _host(document_url) == _host(found.server)):
            raise ToolFailure(f"the headers would go to {found.server}, as the document says; pass it as base_url")
        request = prepared(found, _checked(found, arguments or {}))
        secrets = tuple(value for value in (headers or {}).values() if len(value) >= _SECRET_LENGTH)
        signature = RequestSignature(checked_headers(headers or {}), secrets=secrets)
        answer = await sent(found, self._client, request, signature, ctx, timeout_s=timeout_s)
        if answer.structured is not None:
            return ApiAnswer(found.key, answer.structured, "")
        return ApiAnswer(found.key, None, answer.output)

    async def _document(self, url: str, timeout_s: float, ctx: ToolContext) -> bytes:
        if parse_url(url).scheme != "https" and not is_this_computer(_host(url)):
            raise ToolFailure(f"expected document_url to start with https://, got {url!r}: others could change it")
        accept = {"accept": "application/json, application/yaml, */*"}
        request = WebRequest(parse_url(url), headers=accept, grants=ctx.grants, refusal_at=ctx.refusal_at)
        async with self._client.open(request, timeout_s) as reply:
            if reply.response.is_error:
                raise ToolFailure(f"{url} answered {reply.status_line}; check the address of the document")
            data, is_cut = await reply.read(LARGEST_BYTES)
        if is_cut:
            raise ToolFailure(f"{url} is larger than {readable_size(LARGEST_BYTES)}; save the needed part as a file")
        return data
