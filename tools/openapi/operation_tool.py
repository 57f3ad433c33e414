"""An operation as a tool like any other, so that policy, time limits, history and health hold for it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tools import schema
from tools.card import SourceKind, ToolSource
from tools.errors import ToolFailure
from tools.masking.scrubbing import Scrubber
from tools.network_hosts import is_this_computer
from tools.openapi.answers import answered
from tools.openapi.bodies import EncodedBody, encoded_body
from tools.openapi.operations import Operation, OperationParameter
from tools.openapi.parameters import header_text, path_text, plain_text, query_text
from tools.openapi.security import ApiKeys, RequestSignature, Scheme, signature_of
from tools.spec import Concern, Latency, Policies, ToolSpec
from tools.tool import Injected, Injection, Tool, ToolResult
from tools.web.addresses import parse_url, private_host_concerns
from tools.web.requests import WebClient, WebRequest, checked_headers

if TYPE_CHECKING:
    import httpx

    from tools.context import ToolContext

TIMEOUT_S: Final = 60.0
"""Seconds that a call may take."""

_CONTEXT: Final = "\0context"
"""The parameter that receives the context; no JSON Schema of sense has a property of that name."""

_LONGEST_CATEGORY: Final = 40
_CATEGORY: Final = re.compile(r"[^a-z0-9]+")


class Prepared(NamedTuple):
    """A request as the arguments make it, before it is signed.

    Attributes:
        url: Where it goes, without a query.
        headers: Its header lines.
        cookies: The parts of its cookie line.
        body: What it carries; None for nothing.
    """

    url: str
    query: tuple[str, ...]
    headers: Mapping[str, str]
    cookies: tuple[str, ...]
    body: EncodedBody | None

    def address(self, signature: RequestSignature | None = None) -> str:
        """Return where it goes, with its query."""
        parts = (*self.query, *(() if signature is None else signature.query))
        return f"{self.url}?{'&'.join(parts)}" if parts else self.url


class OperationTool:
    """Be what stands behind the tool of an operation.

    Args:
        keys: Have the secrets that sign it.
        client: Sends requests.
    """

    def __init__(self, operation: Operation, keys: ApiKeys, client: WebClient) -> None:
        self.operation = operation
        self._keys = keys
        self._client = client

    async def __call__(self, **arguments: Any) -> ToolResult:
        """Send the request that the arguments make.

        Raises:
            ToolFailure: It cannot be made, signed or sent, or the server answered with an error.
        """
        context: ToolContext = arguments.pop(_CONTEXT)
        request = prepared(self.operation, arguments)
        signature = await asyncio.to_thread(self._signature)
        return await sent(self.operation, self._client, request, signature, context, check=lambda: self._check)

    def _signature(self) -> RequestSignature:
        """Return the secrets of the first way of signing of which all are there; it may wait for a keyring."""
        missing: list[Scheme] = []
        for group in self.operation.security:
            found = {scheme: self._keys.get(scheme) for scheme in group}
            if all(found.values()):
                return signature_of(found)
            missing += [scheme for scheme, secret in found.items() if not secret]
        if not missing:
            return signature_of({})
        remedy = self._keys.remedy(missing[0])
        raise ToolFailure(f"{self.operation.key} needs the key {missing[0].name!r}, which is missing; {remedy}")

    @cached_property
    def _check(self) -> schema.MismatchFinder | None:
        found = self.operation.output_schema
        return None if found is None else schema.MismatchFinder(found)

    def concerns(self, arguments: Mapping[str, Any], _: Path) -> Iterable[Concern]:
        """Name what to know before a call: a private address, and what a method that changes something sends."""
        operation = self.operation
        yield from private_host_concerns(operation.server)
        if operation.only_reads:
            return
        given = {name: value for name, value in arguments.items() if name != _CONTEXT}
        try:
            request = prepared(operation, given)
        except ToolFailure:
            # The call says so itself.
            address, body = f"{operation.server}{operation.path}", None
        else:
            address, body = request.address(), request.body
        size = f" with {len(body.content):,} bytes" if body is not None and body.content else ""
        yield Concern("sends_data", "Sends data", f"{operation.method} to {address}{size}")


def prepared(operation: Operation, arguments: Mapping[str, Any]) -> Prepared:
    """Return the request that arguments make.

    Raises:
        ToolFailure: A value cannot stand where it belongs.
    """
    path = operation.path
    query: list[str] = []
    cookies: list[str] = []
    headers: dict[str, str] = {"accept": ", ".join(dict.fromkeys((*operation.accepts, "*/*;q=0.5")))}
    for parameter in operation.parameters:
        if parameter.argument not in arguments:
            continue
        value = arguments[parameter.argument]
        if parameter.is_json:
            value = plain_text(value) if not isinstance(value, str) else schema.json_text(value)
        match parameter.place:
            case "path":
                path = path.replace(f"{{{parameter.name}}}", _in_path(parameter, value))
            case "header":
                headers[parameter.name.lower()] = _in_header(parameter, value)
            case place:
                part = query_text(
                    parameter.style,
                    parameter.name,
                    value,
                    explode=parameter.explode,
                    allow_reserved=parameter.allow_reserved,
                )
                (query if place == "query" else cookies).append(part)
    body = operation.body
    sent = None
    if body is not None and body.argument in arguments:
        sent = encoded_body(body, arguments[body.argument], operation.input_schema)
    url = f"{operation.server.rstrip('/')}{path}"
    # Cookies that are lists stand side by side as in a query; browsers part them otherwise.
    parted = [part for text in filter(None, cookies) for part in text.split("&")]
    return Prepared(url, tuple(filter(None, query)), headers, tuple(parted), sent)


async def sent(
    operation: Operation,
    client: WebClient,
    request: Prepared,
    signature: RequestSignature,
    context: ToolContext,
    *,
    timeout_s: float = TIMEOUT_S,
    check: Callable[[], schema.MismatchFinder | None] = lambda: None,
) -> ToolResult:
    """Send the request of an operation, and return what came of it.

    Args:
        request: What the arguments made.
        context: The call's.
        timeout_s: Seconds that the whole exchange may take.
        check: Gives what compares the answer with what the document says of it.

    Raises:
        ToolFailure: It cannot be sent, or the server answered with an error.
    """
    scrub = Scrubber(signature.secrets)
    try:
        async with client.open(_web_request(operation, request, signature, context), timeout_s) as reply:
            return await answered(operation, reply, context, scrub, check)
    except ToolFailure as error:
        message = str(error)
        if (clean := scrub(message)) != message:
            # A redirect may have quoted the key.
            raise type(error)(clean) from None
        raise


def _web_request(
    operation: Operation, request: Prepared, signature: RequestSignature, context: ToolContext
) -> WebRequest:
    url = parse_url(request.address(signature))
    _keep_secret(url, signature)
    headers = checked_headers({**request.headers, **signature.headers})
    if cookies := (*request.cookies, *signature.cookies):
        headers["cookie"] = "; ".join(cookies)
    body = request.body
    if body is not None:
        headers["content-type"] = body.media_type
    return WebRequest(
        url,
        operation.method,
        headers,
        None if body is None else body.content,
        grants=context.grants,
        refusal_at=context.refusal_at,
    )


def tool_of(api: str, operation: Operation, keys: ApiKeys, client: WebClient) -> Tool:
    """Return the tool of an operation.

    Args:
        keys: Have the secrets that sign it.
        client: Sends its requests.
    """
    name = f"{api}.{operation.name}"
    owner = f"the API {api!r}"
    behind = OperationTool(operation, keys, client)
    return Tool(
        spec=_spec(name, operation),
        arguments=schema.SchemaArguments(
            operation.input_schema, owner=f"{name!r} of {owner}", within_s=TIMEOUT_S, shared=operation.shared
        ),
        output=schema.PlainOutput(operation.output_schema),
        function=behind,
        is_async=True,
        policies=Policies(timeout_s=TIMEOUT_S),
        injected=(Injected(_CONTEXT, Injection.CONTEXT),),
        concerns_of=behind.concerns,
        source=source_of(api),
        owner=owner,
        origin=behind,
    )


def source_of(api: str) -> ToolSource:
    """Return the source that an API's tools are listed under; what they say of risk is what HTTP's methods mean."""
    return ToolSource(SourceKind.API, api, is_trusted=True)


def _spec(name: str, operation: Operation) -> ToolSpec:
    reads = operation.only_reads
    summary, description = operation.summary, operation.description
    lead = f"{summary.rstrip('.')}. " if summary and not description.startswith(summary.rstrip(".")) else ""
    words = f"{lead}{description}" if description else summary
    return ToolSpec(
        name=name,
        description=words or operation.key,
        category=_CATEGORY.sub("_", operation.tag.casefold())[:_LONGEST_CATEGORY].strip("_") or "web",
        keywords=(operation.method.lower(), operation.path),
        latency=Latency.MEDIUM,
        idempotent=reads or operation.method in {"PUT", "DELETE"},
        read_only_hint=reads,
        destructive_hint=operation.method == "DELETE",
        open_world_hint=True,
    )


def _in_path(parameter: OperationParameter, value: Any) -> str:
    text = path_text(parameter.style, parameter.name, value, explode=parameter.explode)
    if text in {"", ".", ".."}:
        # Each would name another resource than the operation's.
        raise ToolFailure(f"{parameter.argument}: expected something that can stand in a path, got {value!r}")
    return text


def _in_header(parameter: OperationParameter, value: Any) -> str:
    text = header_text(value, explode=parameter.explode)
    if not text.isascii():
        raise ToolFailure(f"{parameter.argument}: expected ASCII letters, as it is sent in a header, got {text[:40]!r}")
    return text


def _keep_secret(url: httpx.URL, signature: RequestSignature) -> None:
    """Refuse to send a key where everybody on the way can read it.

    Raises:
        ToolFailure: The address is neither encrypted nor this computer.
    """
    if signature.secrets and url.scheme != "https" and not is_this_computer(url.host):
        raise ToolFailure(
            f"{url.host} is reached without encryption, so the key is not sent; give a base address with https://"
        )
    if any(not value.isascii() for value in signature.headers.values()):
        raise ToolFailure("the key has letters that a header cannot have; keep the right one")
