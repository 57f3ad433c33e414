"""The limits of the gateway unless a person chooses others; light, since every command line and window reads them."""

from __future__ import annotations

from typing import Final, NamedTuple

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
"""What marks a result, in its `_meta`, whose request a bridge sends again at the program that serves now."""

CANCELLED: Final = "notifications/cancelled"
"""The message of MCP that a request is given up."""

LARGEST_REQUEST_BYTES: Final = 4 * 1024 * 1024
"""The size of the largest request that is read."""

MOST_REQUESTS: Final = 1_280
"""How many requests are open at once: 50 agents may have 20 calls each that wait for a person."""

OWNER_FILE: Final = "gateway-owner.json"
"""Where it stands which program serves agents, in the data folder."""

STARTED_FOLDER: Final = "gateway-calls"
"""Where the marks of calls are that were started, in the data folder."""

IDLE_S: Final = 600.0
"""How long a program in the background serves on without any agent, in seconds."""

CALLS_A_MINUTE: Final = 60
"""How many calls an agent may make in a minute."""

WAIT_MIN: Final = 5
"""How long a person may take to allow a call of an agent, in minutes, unless its tool says otherwise."""

LARGEST_RESULT_BYTES: Final = 1_000_000
"""The size of the largest result that is handed to an agent, as JSON."""


MOST_CALLS_A_MINUTE: Final = 10_000
"""The most calls in a minute that an agent can be allowed."""

MOST_WAIT_MIN: Final = 1_440
"""The longest time that a person can be given, in minutes."""


class GatewayLimits(NamedTuple):
    """What a person allows each agent.

    Attributes:
        calls_a_minute: How many calls it may make in a minute.
        wait_min: How long a call waits for a person, in minutes.
    """

    calls_a_minute: int = CALLS_A_MINUTE
    wait_min: int = WAIT_MIN

    @property
    def answer_within_s(self) -> float | None:
        """How long a person may take, in seconds; None where nothing else was chosen than tools say."""
        return None if self.wait_min == WAIT_MIN else self.wait_min * 60.0


def address_of(port: int = PORT) -> str:
    """Return the address of a gateway that listens on a port."""
    return f"http://{HOST}:{port}{PATH}"
