"""Sign in at a server in the browser: OAuth as the SDK speaks it, with the tokens in the keyring.

Signing in is a thing of its own: nobody's call and no start waits for a person who types a password elsewhere. A
connection only uses what was kept, and renews it; where that does not do any more, it says so.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from html import escape
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx2
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider, OAuthFlowError
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from pydantic import AnyUrl, ValidationError

from tools.errors import SignInError
from tools.mcp.elicitation import Accepted, UrlElicitation
from tools.mcp.secrets import sign_in_names
from tools.network import NetworkTransport

if TYPE_CHECKING:
    from tools.keyring_secrets import Secrets
    from tools.mcp.config import ServerConfig, SignInClient, Target
    from tools.mcp.elicitation import Questions
    from tools.mcp.servers import Servers
    from tools.mcp.store import ServerStore

SIGN_IN_S: Final = 300.0
"""Seconds a person has for signing in."""

_PATH: Final = "/callback"
_REQUEST_S: Final = 30.0
_LONGEST_REQUEST: Final = 16_384
_MARGIN_S: Final = 30.0
"""Seconds before its end from which a token counts as ended."""


class KeptTokens:
    """Keep what signing in gave, in the keyring under the server's name; the SDK's storage.

    Args:
        clock: Tells the time in seconds since 1970.

    Attributes:
        ends_at: When the access token ends, by the clock; None when nobody knows.
    """

    def __init__(self, config: ServerConfig, secrets: Secrets, clock: Callable[[], float]) -> None:
        self._names = sign_in_names(config)
        self._known = config.client
        self._secrets = secrets
        self._clock = clock
        self.ends_at: float | None = None

    async def get_tokens(self) -> OAuthToken | None:
        """Return the tokens; None when nobody signed in."""
        kept = await asyncio.to_thread(self._secrets.get, self._names.tokens)
        if kept is None:
            return None
        try:
            document = json.loads(kept)
            self.ends_at = document["ends_at"]
            return OAuthToken.model_validate(document["tokens"])
        except (ValueError, KeyError, TypeError):
            # Whatever else stands there is of no use: signing in again replaces it.
            return None

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.ends_at = None if tokens.expires_in is None else self._clock() + tokens.expires_in
        document = {"ends_at": self.ends_at, "tokens": tokens.model_dump(mode="json", exclude_none=True)}
        await asyncio.to_thread(self._secrets.put, self._names.tokens, json.dumps(document))

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        """Return how this program is known to the server; None when it is not."""
        if self._known is not None:
            return _told_by_hand(self._known)
        kept = await asyncio.to_thread(self._secrets.get, self._names.client)
        if kept is None:
            return None
        try:
            return OAuthClientInformationFull.model_validate_json(kept)
        except ValidationError:
            return None

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        """Keep how this program is known to the server."""
        await asyncio.to_thread(self._secrets.put, self._names.client, client_info.model_dump_json(exclude_none=True))

    async def wanted_scope(self) -> str:
        """Return the rights that the server asked for since somebody signed in; empty when it asked for none."""
        return await asyncio.to_thread(self._secrets.get, self._names.scope) or ""

    async def want_scope(self, scope: str) -> None:
        """Remember the rights that the server asks for; the empty ones forget them."""
        if scope:
            await asyncio.to_thread(self._secrets.put, self._names.scope, scope)
        else:
            await asyncio.to_thread(self._secrets.remove, self._names.scope)


class _Provider(OAuthClientProvider):
    """Use what was kept: the SDK itself forgets when a token ends."""

    def __init__(
        self,
        tokens: KeptTokens,
        url: str,
        metadata: OAuthClientMetadata,
        ask: Callable[[str], Awaitable[None]],
        answered: Callable[[], Awaitable[AuthorizationCodeResult]],
    ) -> None:
        super().__init__(url, metadata, tokens, redirect_handler=ask, callback_handler=answered)
        self._kept = tokens

    async def _initialize(self) -> None:
        # WORKAROUND mcp 2.3: a token that was loaded never ends for it, so it would sign in anew instead of renewing.
        await super()._initialize()
        if self._kept.ends_at is not None:
            self.context.token_expiry_time = self._kept.ends_at - _MARGIN_S


class _Anew(_Provider):
    """Sign in although there are tokens, as where they do not give enough rights."""

    async def _initialize(self) -> None:
        await super()._initialize()
        self.context.clear_tokens()


def kept_auth(config: ServerConfig, url: str, secrets: Secrets, clock: Callable[[], float]) -> httpx2.Auth:
    """Return what signs the requests of a connection with what was kept, and never asks anybody.

    Raises in a request:
        SignInError: When the person has to sign in, again or for the first time.
    """
    tokens = KeptTokens(config, secrets, clock)

    async def ask(address: str) -> None:
        scope = _scope_of(address)
        if await tokens.get_tokens() is None or not scope:
            raise SignInError(f"nobody is signed in at {config.name!r}; sign in")
        await tokens.want_scope(scope)
        raise SignInError(
            f"{config.name!r} does not accept what signing in gave, or wants more ({scope}); sign in again"
        )

    async def answered() -> AuthorizationCodeResult:
        raise SignInError(f"nobody is signed in at {config.name!r}; sign in")

    return _Provider(tokens, url, _metadata("http://127.0.0.1/callback"), ask, answered)


async def sign_in_at(name: str, servers: Servers, store: ServerStore, clock: Callable[[], float] = time.time) -> None:
    """Let the person sign in at a server, remember that it is one of those, and start it.

    Raises:
        SignInError: When nobody signed in; the message says why.
        UnavailableError: When it does not come up all the same; its state says why.
        ServerConfigError: When something of its entry is missing.
        VaultError: When the keyring does not answer.
    """
    config = store.find(name)
    target = await asyncio.to_thread(servers.resolve, config)
    await sign_in(config, target, store.secrets, servers.questions, clock=clock)
    await asyncio.to_thread(store.sign, name, True)
    await servers.apply(store.wanted)
    await servers.restart(name)


async def sign_in(
    config: ServerConfig,
    target: Target,
    secrets: Secrets,
    questions: Questions,
    *,
    clock: Callable[[], float],
    timeout_s: float = SIGN_IN_S,
) -> None:
    """Let the person sign in at a server in their browser, and keep what that gives.

    Args:
        target: The same, filled in.
        secrets: Keeps the tokens.
        questions: Shows the person the address, and opens it when they agree.
        clock: Tells the time in seconds since 1970.

    Raises:
        SignInError: When nobody signed in; the message says why.
        VaultError: When the keyring does not answer.
    """
    tokens = KeptTokens(config.model_copy(update={"client": target.client}), secrets, clock)
    known, wanted = await tokens.get_client_info(), await tokens.wanted_scope()
    async with _listening(_port_of(known)) as page:

        async def ask(address: str) -> None:
            whole = _with_scope(address, wanted)
            answer = await questions.visit(UrlElicitation(config.name, "", "Sign in at this server.", whole))
            if not isinstance(answer, Accepted):
                raise SignInError(f"nobody signed in at {config.name!r}: the address was not opened")

        kind = _Anew if wanted else _Provider
        provider = kind(tokens, target.url, _metadata(page.address), ask, page.answered)
        headers = {name: text for name, text in target.headers.items() if name.casefold() != "authorization"}
        carrier: Any = NetworkTransport(httpx2)
        try:
            async with (
                asyncio.timeout(timeout_s),
                httpx2.AsyncClient(auth=provider, timeout=_REQUEST_S, headers=headers, transport=carrier) as client,
            ):
                await _knock(client, target.url, config.name)
        except TimeoutError as error:
            raise SignInError(f"nobody signed in at {config.name!r} within {timeout_s:g} s; try again") from error
        except (OAuthFlowError, httpx2.HTTPError) as error:
            why = str(error) or type(error).__name__
            raise SignInError(f"signing in at {config.name!r} failed: {why}") from error
    await tokens.want_scope("")
    if await tokens.get_tokens() is None:
        raise SignInError(f"{config.name!r} wants nobody to sign in; start it")


async def _knock(client: httpx2.AsyncClient, url: str, name: str) -> None:
    """Send what a server refuses to somebody whom it does not know; some answer simpler questions to anybody."""
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    accepted = {"Accept": "application/json, text/event-stream"}
    async with client.stream("POST", url, json=message, headers=accepted) as answer:
        if answer.status_code in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
            raise SignInError(f"{name!r} does not accept what signing in gave (HTTP {answer.status_code})")


def _metadata(address: str) -> OAuthClientMetadata:
    return OAuthClientMetadata(
        client_name="Tool Console",
        redirect_uris=[AnyUrl(address)],
        grant_types=["authorization_code", "refresh_token"],
        response_types=["code"],
    )


def _told_by_hand(client: SignInClient) -> OAuthClientInformationFull:
    return OAuthClientInformationFull(
        client_id=client.id,
        client_secret=client.secret or None,
        token_endpoint_auth_method="client_secret_basic" if client.secret else "none",
        redirect_uris=[AnyUrl(f"http://127.0.0.1:{client.port}{_PATH}")] if client.port else None,
    )


def _scope_of(address: str) -> str:
    return " ".join(parse_qs(urlsplit(address).query).get("scope", []))


def _with_scope(address: str, scope: str) -> str:
    """Return an address that asks for these rights as well."""
    if not scope:
        return address
    parts = urlsplit(address)
    said = {key: values[0] for key, values in parse_qs(parts.query).items()}
    said["scope"] = " ".join(dict.fromkeys([*said.get("scope", "").split(), *scope.split()]))
    return parts._replace(query=urlencode(said)).geturl()


def _port_of(known: OAuthClientInformationFull | None) -> int:
    """Return the port that the server knows this program by; 0 is any."""
    for address in (known.redirect_uris or []) if known is not None else []:
        if address.port:
            return address.port
    return 0


class _Page:
    """Wait for the browser to come back.

    Attributes:
        address: Where it comes back to.
    """

    def __init__(self, port: int) -> None:
        self.address = f"http://127.0.0.1:{port}{_PATH}"
        self._answer: asyncio.Future[AuthorizationCodeResult] = asyncio.get_running_loop().create_future()

    async def answered(self) -> AuthorizationCodeResult:
        return await self._answer

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one request of the browser."""
        status, words = HTTPStatus.NOT_FOUND, "There is nothing here."
        try:
            line = await reader.readuntil(b"\r\n")
            method, where, _ = line.decode("latin-1").split(" ", 2)
            parts = urlsplit(where)
            if method == "GET" and parts.path == _PATH:
                status, words = (
                    HTTPStatus.OK,
                    self._take({key: found[0] for key, found in parse_qs(parts.query).items()}),
                )
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
            status, words = HTTPStatus.BAD_REQUEST, "This is no request."
        with contextlib.suppress(ConnectionError):
            writer.write(_page(status, words))
            await writer.drain()
        writer.close()

    def _take(self, said: dict[str, str]) -> str:
        if self._answer.done():
            return "This was answered already. You can close this page."
        if "error" in said:
            why = said.get("error_description") or said["error"]
            self._answer.set_exception(SignInError(f"signing in was refused: {why}"))
            return f"Signing in was refused: {why}. You can close this page."
        if "code" not in said or "state" not in said:
            return "Something is missing here; the address should have a code and a state."
        self._answer.set_result(AuthorizationCodeResult(code=said["code"], state=said["state"], iss=said.get("iss")))
        return "You are signed in. You can close this page."


def _page(status: HTTPStatus, words: str) -> bytes:
    body = f"<!doctype html><meta charset=utf-8><title>Tool Console</title><p>{escape(words)}</p>".encode()
    head = (
        f"HTTP/1.1 {status.value} {status.phrase}\r\nContent-Type: text/html; charset=utf-8\r\n"
        f"Content-Length: {len(body)}\r\nCache-Control: no-store\r\nContent-Security-Policy: default-src 'none'\r\n"
        "Referrer-Policy: no-referrer\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + body


@contextlib.asynccontextmanager
async def _listening(port: int) -> AsyncIterator[_Page]:
    """Listen for the browser on this computer alone."""
    with contextlib.closing(socket.socket(socket.AF_INET, socket.SOCK_STREAM)) as listener:
        if sys.platform != "win32":
            # The port may rest for a while after it was used. On Windows this would share it with other programs.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", port))
        except OSError as error:
            raise SignInError(
                f"signing in needs the port {port} of this computer, which another program has; end that one, or sign"
                " out first"
            ) from error
        page = _Page(listener.getsockname()[1])
        server = await asyncio.start_server(page.serve, sock=listener, limit=_LONGEST_REQUEST)
        try:
            yield page
        finally:
            server.close()
