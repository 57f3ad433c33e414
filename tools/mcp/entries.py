"""An entry of a `servers.json` in the shape that programs share, and the frozen value it means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pydantic import JsonValue, ValidationError

from tools.errors import ServerConfigError
from tools.mcp.config import TIMEOUT_S, ConfigScope, Origin, ProtocolChoice, ServerConfig, Transport

KNOWN_KEYS: Final = (
    *("type", "command", "args", "env", "cwd", "url", "headers"),
    *("disabled", "disabledTools", "protocol", "timeoutSeconds", "trusted", "signIn", "oauth", "description"),
)
"""The keys of an entry that mean something here; all others are other programs' and are kept."""

_TRANSPORTS: Final = {
    "stdio": Transport.STDIO,
    "local": Transport.STDIO,
    "http": Transport.HTTP,
    "streamablehttp": Transport.HTTP,
    "remote": Transport.HTTP,
    "sse": Transport.SSE,
}
_ADDRESSES: Final = ("url", "serverUrl", "httpUrl")
"""What programs call the address, the usual name first."""

_HEADERS: Final = ("headers", "http_headers")
"""What programs call the headers, the usual name first."""

_TYPES: Final = ("type", "transport")
"""What programs call how messages travel."""


def config_of(name: str, entry: JsonValue, origin: Origin | None = None) -> ServerConfig:
    """Return what an entry means.

    Args:
        name: The server's name.
        entry: The entry as it stands in the file.

    Raises:
        ServerConfigError: When it means nothing; every problem is named.
    """
    if not isinstance(entry, dict):
        raise ServerConfigError(f"the server {name!r}: expected an object in braces, got {str(entry)[:40]!r}")
    address = next((key for key in _ADDRESSES if entry.get(key)), "url")
    headers = next((key for key in _HEADERS if entry.get(key)), "headers")
    transport = _transport(name, entry, address)
    if transport is Transport.STDIO:
        reached: dict[str, Any] = {
            "command": entry.get("command") or "",
            "args": _texts(entry.get("args")),
            "env": _named_texts(entry.get("env")),
            "cwd": entry.get("cwd") or "",
        }
    else:
        reached = {"url": entry.get(address) or "", "headers": _named_texts(entry.get(headers))}
    said: dict[str, Any] = {
        "name": name,
        "transport": transport,
        **reached,
        "enabled": not entry.get("disabled", False),
        "disabled_tools": entry.get("disabledTools") or (),
        "protocol": entry.get("protocol") or ProtocolChoice.AUTO,
        "timeout_s": entry.get("timeoutSeconds") or TIMEOUT_S,
        # A project's file may be anybody's: only the person says whom they trust.
        "trusted": entry.get("trusted", False) and (origin is None or origin.place is ConfigScope.USER),
        "signs_in": entry.get("signIn", False),
        "client": _client(entry.get("oauth")),
        "description": entry.get("description") or "",
        "origin": origin,
        "unknown": {key: value for key, value in entry.items() if key not in {*KNOWN_KEYS, *_TYPES, address, headers}},
    }
    try:
        return ServerConfig.model_validate(said)
    except ValidationError as error:
        problems = "; ".join(_words(problem) for problem in error.errors(include_url=False))
        raise ServerConfigError(f"the server {name!r}: {problems}") from error


def entry_of(config: ServerConfig) -> dict[str, JsonValue]:
    """Return the entry that means a server, unknown keys last; what is as usual is left out."""
    entry: dict[str, JsonValue] = {}
    if config.transport is Transport.STDIO:
        entry |= {"command": config.command, "args": list(config.args)}
        entry |= {"env": dict(config.env)} if config.env else {}
        entry |= {"cwd": config.cwd} if config.cwd else {}
    else:
        entry |= {"type": config.transport.value, "url": config.url}
        entry |= {"headers": dict(config.headers)} if config.headers else {}
    entry |= {"disabled": True} if not config.enabled else {}
    entry |= {"disabledTools": list(config.disabled_tools)} if config.disabled_tools else {}
    entry |= {"protocol": config.protocol.value} if config.protocol is not ProtocolChoice.AUTO else {}
    entry |= {"timeoutSeconds": config.timeout_s} if config.timeout_s != TIMEOUT_S else {}
    entry |= {"trusted": True} if config.trusted else {}
    entry |= {"signIn": True} if config.signs_in else {}
    if config.client is not None:
        client: dict[str, JsonValue] = {"clientId": config.client.id}
        client |= {"clientSecret": config.client.secret} if config.client.secret else {}
        client |= {"callbackPort": config.client.port} if config.client.port else {}
        entry["oauth"] = client
    entry |= {"description": config.description} if config.description else {}
    return entry | config.unknown


def _client(value: JsonValue) -> Any:
    if not isinstance(value, dict):
        return value
    # Some programs have a place for it in which nothing stands.
    if not value.get("clientId"):
        return None
    return {"id": value["clientId"], "secret": value.get("clientSecret") or "", "port": value.get("callbackPort") or 0}


def _transport(name: str, entry: Mapping[str, JsonValue], address: str) -> Transport:
    said = next((entry[key] for key in _TYPES if entry.get(key)), None)
    if said is not None:
        known = _TRANSPORTS.get(str(said).casefold().replace("-", "").replace("_", ""))
        if known is None:
            raise ServerConfigError(f"the server {name!r}: expected the type stdio, http or sse, got {said!r}")
        return known
    if entry.get("command") and entry.get(address):
        raise ServerConfigError(
            f"the server {name!r}: expected a command or a url, got both; say its type, or take one"
        )
    if entry.get(address):
        return Transport.HTTP
    return Transport.STDIO


def _texts(value: JsonValue) -> Any:
    return [_text(part) for part in value] if isinstance(value, list) else value or ()


def _named_texts(value: JsonValue) -> Any:
    if isinstance(value, dict):
        # Some programs write null for a variable that is not to be set.
        return {name: _text(part) for name, part in value.items() if part is not None}
    return value or {}


def _text(value: JsonValue) -> Any:
    """Return a number or a truth value as the text that people mean by it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int | float) else value


def _words(problem: Any) -> str:
    where = ".".join(map(str, problem["loc"]))
    message = str(problem["msg"]).removeprefix("Value error, ")
    return f"{where}: {message}, got {str(problem['input'])[:40]!r}" if where else message
