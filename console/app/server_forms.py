"""The settings of servers as the form shows and gives them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pydantic import ValidationError

from tools.errors import ServerConfigError
from tools.mcp.config import EraPin, ServerConfig, Transport
from tools.mcp.secrets import masked

__all__ = ["config_from", "form_value"]

_FORM_KEYS: Final = (
    *("name", "command", "args", "env", "cwd", "url", "headers"),
    *("description", "timeout_s", "era", "trusted"),
)


def form_value(config: ServerConfig) -> dict[str, Any]:
    """Give the settings of a server as the form takes them; what is empty is left out, secrets are bullets."""
    said = masked(config).model_dump(mode="json")
    value = {key: said[key] for key in _FORM_KEYS if said[key] not in ("", [], {})}
    return {"transport": config.transport.value, **value}


def config_from(value: Mapping[str, Any], former: ServerConfig | None = None) -> ServerConfig:
    """Return what settings of the form mean.

    Args:
        value: As the form gives them.
        former: The server that is changed: what the form does not have stays as it is.

    Raises:
        ServerConfigError: When they mean nothing; it says why.
    """
    transport = Transport(value["transport"])
    said: dict[str, Any] = {key: value[key] for key in _FORM_KEYS if key in value}
    if transport is Transport.STDIO:
        said = {key: entry for key, entry in said.items() if key not in {"url", "headers"}}
    else:
        said = {key: entry for key, entry in said.items() if key not in {"command", "args", "env", "cwd"}}
    said |= {"transport": transport, "era": EraPin(said.get("era", "auto"))}
    if former is not None:
        kept = ("enabled", "disabled_tools", "signs_in", "client", "origin", "unknown")
        said |= {key: getattr(former, key) for key in kept}
        _put_secrets_back(said, former)
    try:
        return ServerConfig.model_validate(said)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        message = str(first["msg"]).removeprefix("Value error, ")
        raise ServerConfigError(f"{where}: {message}" if where else message) from error


def _put_secrets_back(said: dict[str, Any], former: ServerConfig) -> None:
    """Put what was shown as bullets back where nobody changed it."""
    shown = masked(former)
    for key in ("env", "headers"):
        if key in said:
            before, bullets = getattr(former, key), getattr(shown, key)
            said[key] = {
                name: before[name] if name in before and text == bullets[name] else text
                for name, text in said[key].items()
            }
    if "args" in said:
        written = dict(zip(shown.args, former.args, strict=True))
        said["args"] = [written.get(text, text) for text in said["args"]]
    if said.get("url") == shown.url:
        said["url"] = former.url
