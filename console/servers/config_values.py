"""The settings of servers as the form shows and gives them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from pydantic import ValidationError

from console.servers.rows import MissingValue
from tools.errors import ServerConfigError
from tools.mcp.config import ProtocolChoice, ServerConfig, Transport
from tools.mcp.pasted import PasteKind
from tools.mcp.placeholders import Placeholder
from tools.mcp.secrets import masked

_MOST_NAMES: Final = 4

_FORM_KEYS: Final = (
    *("name", "command", "args", "env", "cwd", "url", "headers"),
    *("description", "timeout_s", "era", "trusted"),
)


def form_value(config: ServerConfig) -> dict[str, Any]:
    """Give the settings of a server as the form takes them; what is empty is left out, secrets are bullets."""
    said = masked(config).model_dump(mode="json")
    value = {key: said[key] for key in _FORM_KEYS if said[key] not in ("", [], {})}
    return {"transport": config.transport.value, **value}


def pasted_value(config: ServerConfig) -> dict[str, Any]:
    """Give the settings of a pasted server as the form takes them, secrets as they were written."""
    said = config.model_dump(mode="json")
    value = {key: said[key] for key in (*_FORM_KEYS, "client") if said[key] not in ("", [], {}, None)}
    return {"transport": config.transport.value, **value}


def asked_of(blank: Placeholder) -> MissingValue:
    """Give what a pasted server leaves to be filled in, as the form asks for it."""
    kept = "Kept in the keyring" if blank.is_secret else f"In the place of {blank.written}"
    note = f"{kept}. Empty takes the variable {blank.variable} of this computer" if blank.variable else kept
    return MissingValue(blank.where, blank.name, note, blank.is_secret, blank.is_needed)


def paste_words(kind: PasteKind, names: Sequence[str], notes: Sequence[str]) -> str:
    """Say what a pasted text was taken for.

    Args:
        kind: What it is.
        names: The servers that it names.
        notes: What was read into it.
    """
    shown = ", ".join(names) if len(names) <= _MOST_NAMES else f"{len(names):,} servers"
    words = {
        PasteKind.COMMAND: f"A command that starts {shown}",
        PasteKind.ADDRESS: "An address",
        PasteKind.BLOCK: f"Settings of {shown}",
        PasteKind.ADD_COMMAND: f"A command that adds {shown} to another program",
        PasteKind.LINK: f"A link that installs {shown}",
    }.get(kind, "")
    return ", ".join((words, *notes))


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
    client = value.get("client")
    said |= {"client": client} if client and transport is not Transport.STDIO else {}
    said |= {"transport": transport, "era": ProtocolChoice(said.get("era", "auto"))}
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
