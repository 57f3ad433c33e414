"""What a person puts into the settings of an agent's program so that it reaches the gateway."""

from __future__ import annotations

import json
from typing import Final

CLIENTS: Final = ("Claude Code", "Claude Desktop", "VS Code", "Cursor")
"""The programs whose settings are known; most others take what Cursor does."""

_TOKEN: Final = "tc_…"  # noqa: S105 -- stands for one


def config_for(client: str, address: str, token: str = "") -> str:
    """Return what goes into the settings of a program, as JSON or as a command.

    Args:
        client: One of `CLIENTS`.
        address: Where the gateway is reached.
        token: The agent's token; empty puts a mark in its place.
    """
    authorization = f"Bearer {token or _TOKEN}"
    if client == "Claude Code":
        return f'claude mcp add --transport http tool-console {address} --header "Authorization: {authorization}"'
    if client == "Claude Desktop":
        own = {"command": "tool-console", "args": ["bridge", "--address", address]}
        return _json({"mcpServers": {"tool-console": {**own, "env": {"TOOL_CONSOLE_TOKEN": token or _TOKEN}}}})
    entry = {"url": address, "headers": {"Authorization": authorization}}
    if client == "VS Code":
        return _json({"servers": {"tool-console": {"type": "http", **entry}}})
    return _json({"mcpServers": {"tool-console": entry}})


def _json(document: object) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False)
