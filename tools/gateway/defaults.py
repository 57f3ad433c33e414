"""The limits of the gateway unless a person chooses others; light, since every command line and window reads them."""

from __future__ import annotations

from typing import Final

HOST: Final = "127.0.0.1"
"""The only address that is ever listened on."""

PORT: Final = 8620
"""The port that agents are told of."""

LAST_PORT: Final = 65_535
"""The highest port that there is."""

PATH: Final = "/mcp"
"""The path of the endpoint."""

HOLD_S: Final = 50.0
"""How long a request is held while a person is asked, in seconds: clients give up after 60."""

TOKEN_VARIABLE: Final = "TOOL_CONSOLE_TOKEN"  # noqa: S105 -- the variable that holds one
"""What tells the bridge the token of its agent, so that no list of processes shows it."""

MOVES_KEY: Final = "tool-console/moves"
"""What the bridge looks for in the `_meta` of a result: it calls again itself, at the program that serves now."""

OWNER_FILE: Final = "gateway-owner.json"
"""Where it stands which program serves agents, in the data folder."""

STARTED_FOLDER: Final = "gateway-calls"
"""Where the marks of calls are that were started, in the data folder."""

IDLE_S: Final = 600.0
"""How long a program in the background serves on without any agent, in seconds."""

CALLS_A_MINUTE: Final = 60
"""How many calls an agent may make in a minute."""

LARGEST_RESULT_BYTES: Final = 1_000_000
"""The size of the largest result that is handed to an agent, as JSON."""


def address_of(port: int = PORT) -> str:
    """Return the address of a gateway that listens on a port."""
    return f"http://{HOST}:{port}{PATH}"
