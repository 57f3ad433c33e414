"""A server that lets in whoever signed in at it, with an authorization server of its own that asks nobody.

Started as `python signing_in.py [seconds]`, which is how long a token lasts; it prints the port that it listens on.
What it was asked for stands under `/seen`; `/revoke` ends all tokens, those that renew others too.
"""

from __future__ import annotations

import base64
import hashlib
import itertools
import sys
import time
from urllib.parse import urlencode

from mcp.server.mcpserver import MCPServer
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from tests.mcp_servers.both_eras import serve

LASTS_S = float(sys.argv[1]) if len(sys.argv) > 1 else 3600.0
server = MCPServer("signing-in", log_level="ERROR")
_numbers = itertools.count(1)
_clients: dict[str, list[str]] = {}
_codes: dict[str, tuple[str, str]] = {}
_access: dict[str, float] = {}
_refresh: set[str] = set()
_seen: list[str] = []


@server.tool()
async def whoami() -> str:
    """Tell who is signed in."""
    return "Ada"


def base(request: Request) -> str:
    return f"http://{request.url.netloc}"


async def resource(request: Request) -> Response:
    where = base(request)
    return JSONResponse({"resource": f"{where}/mcp", "authorization_servers": [where]})


async def metadata(request: Request) -> Response:
    where = base(request)
    return JSONResponse(
        {
            "issuer": where,
            "authorization_endpoint": f"{where}/authorize",
            "token_endpoint": f"{where}/token",
            "registration_endpoint": f"{where}/register",
            "response_types_supported": ["code"],
            "grant_types_supported": ["authorization_code", "refresh_token"],
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["none"],
        }
    )


async def register(request: Request) -> Response:
    _seen.append("register")
    asked = await request.json()
    name = f"client-{next(_numbers)}"
    _clients[name] = asked["redirect_uris"]
    return JSONResponse({**asked, "client_id": name, "token_endpoint_auth_method": "none"}, status_code=201)


async def authorize(request: Request) -> Response:
    _seen.append("authorize")
    said = request.query_params
    if said["redirect_uri"] not in _clients.get(said["client_id"], []):
        return JSONResponse({"error": "invalid_client"}, status_code=400)
    code = f"code-{next(_numbers)}"
    _codes[code] = (said["code_challenge"], said["resource"])
    return RedirectResponse(f"{said['redirect_uri']}?{urlencode({'code': code, 'state': said['state']})}")


async def token(request: Request) -> Response:
    said = await request.form()
    _seen.append(str(said["grant_type"]))
    if said["grant_type"] == "refresh_token":
        if said["refresh_token"] not in _refresh:
            return JSONResponse({"error": "invalid_grant"}, status_code=400)
        _refresh.discard(str(said["refresh_token"]))
    else:
        challenge, asked_for = _codes.pop(str(said["code"]), ("", ""))
        digest = hashlib.sha256(str(said["code_verifier"]).encode()).digest()
        proved = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        if proved != challenge or said["resource"] != asked_for:
            return JSONResponse({"error": "invalid_grant"}, status_code=400)
    access, refresh = f"access-{next(_numbers)}", f"refresh-{next(_numbers)}"
    _access[access] = time.time() + LASTS_S
    _refresh.add(refresh)
    return JSONResponse(
        {"access_token": access, "refresh_token": refresh, "token_type": "Bearer", "expires_in": int(LASTS_S)}
    )


async def seen(_: Request) -> Response:
    return JSONResponse(_seen)


async def revoke(_: Request) -> Response:
    _access.clear()
    _refresh.clear()
    return JSONResponse({})


class Guarded:
    """Let nobody in who does not bring a token that still holds."""

    def __init__(self, inside: ASGIApp) -> None:
        self._inside = inside

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            request = Request(scope)
            brought = request.headers.get("authorization", "").removeprefix("Bearer ")
            if _access.get(brought, 0) < time.time():
                where = f'Bearer resource_metadata="{base(request)}/.well-known/oauth-protected-resource"'
                await Response(status_code=401, headers={"WWW-Authenticate": where})(scope, receive, send)
                return
        await self._inside(scope, receive, send)


def main() -> None:
    inside = server.streamable_http_app()
    routes = [
        Route("/.well-known/oauth-protected-resource", resource),
        Route("/.well-known/oauth-authorization-server", metadata),
        Route("/register", register, methods=["POST"]),
        Route("/authorize", authorize),
        Route("/token", token, methods=["POST"]),
        Route("/seen", seen),
        Route("/revoke", revoke, methods=["POST"]),
        Mount("/", Guarded(inside)),
    ]
    serve(Starlette(routes=routes, lifespan=inside.router.lifespan_context))


if __name__ == "__main__":
    main()
