"""The agents that may call tools: each has a name and a token, of which only a hash is kept."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from fnmatch import fnmatchcase
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Final, NamedTuple

from annotated_types import MaxLen
from pydantic import BaseModel, ConfigDict, Field

from tools.errors import GatewayError
from tools.shared_file import SharedFile

AGENTS_FILE: Final = "agents.json"
"""Where agents stand, in the data folder."""

CONNECTIONS_FOLDER: Final = "connections"
"""Where it stands what was written into the files of programs, and what they held before, in the data folder."""

ALL_TOOLS: Final = ("*",)
"""The patterns of an agent that sees every tool."""

MOST_PROGRAMS: Final = 20
"""Of how many programs of an agent it is known how long they wait, at most; the oldest are forgotten."""

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
_TOKEN_BYTES: Final = 32
_HINT: Final = 4


class Agent(BaseModel):
    """One agent, as it is kept.

    Attributes:
        name: What the person calls it; its calls have the caller `agent:<name>`.
        token_digest: The SHA-256 of its token. The token has 256 random bits, so a plain hash cannot be guessed back.
        token_hint: The last characters of the token, by which a person tells it from another.
        tools: Patterns of the names of the tools that it sees, such as `search_*` or `github.*`.
        created_at: When it was added, or its token renewed.
        expires_at: When its token ends; None for never.
        is_blocked: Whether its requests are refused for now.
        hold_s: How long a request is held while a person is asked, in seconds, by the name of the program that hung up
            sooner once.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    token_digest: str
    token_hint: str
    tools: tuple[str, ...] = ALL_TOOLS
    created_at: datetime
    expires_at: datetime | None = None
    is_blocked: bool = False
    hold_s: Annotated[dict[str, float], MaxLen(MOST_PROGRAMS)] = Field(default_factory=dict)

    @property
    def caller(self) -> str:
        """The caller of its calls."""
        return f"agent:{self.name}"

    def sees(self, tool: str) -> bool:
        """Return whether it is told of a tool, and may call it."""
        return any(fnmatchcase(tool, pattern) for pattern in self.tools)


class AddedAgent(NamedTuple):
    """A new agent, with the only look at its token.

    Attributes:
        agent: The agent.
        token: What it sends with each request; kept nowhere.
    """

    agent: Agent
    token: str


class Paused(BaseModel):
    """A person holds the calls of all agents.

    Attributes:
        since: From when on.
        stops_running: Whether the calls that run then are stopped.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    since: datetime
    stops_running: bool = False


class _Document(BaseModel):
    model_config = ConfigDict(extra="forbid")

    paused: Paused | None = None
    agents: Annotated[dict[str, Agent], MaxLen(1_000)] = Field(default_factory=dict)


class Agents:
    """Keep agents in a file; from any thread, beside other programs.

    Args:
        path: The file, which need not exist.
    """

    def __init__(self, path: Path) -> None:
        self._file = SharedFile(path, _Document, GatewayError)

    def all(self) -> tuple[Agent, ...]:
        """Return the agents, by name.

        Raises:
            GatewayError: The file cannot be read.
        """
        return tuple(sorted(self._file.read().agents.values(), key=lambda agent: agent.name))

    @property
    def paused(self) -> Paused | None:
        """Since when a person holds the calls of all agents; None when nobody does.

        Raises:
            GatewayError: The file cannot be read.
        """
        return self._file.read().paused

    def pause(self, *, stops_running: bool = False, now: datetime | None = None) -> None:
        """Hold the calls of all agents, until `resume`; also after a restart.

        Args:
            stops_running: Whether calls that run are stopped.
            now: When; None is this moment.

        Raises:
            GatewayError: The file cannot be written.
        """
        with self._file.change() as document:
            since = now or datetime.now(UTC) if document.paused is None else document.paused.since
            document.paused = Paused(since=since, stops_running=stops_running)

    def resume(self) -> None:
        """Let the calls of agents go on.

        Raises:
            GatewayError: The file cannot be written.
        """
        with self._file.change() as document:
            document.paused = None

    def with_token(self, token: str, now: datetime | None = None) -> Agent | None:
        """Return the agent that a token belongs to; None when it is nobody's, expired, or its agent is blocked.

        Raises:
            GatewayError: The file cannot be read.
        """
        digest = _digest(token)
        # Hashes are compared, so the time that this takes says nothing about a token.
        found = next((agent for agent in self._file.read().agents.values() if agent.token_digest == digest), None)
        if found is None or found.is_blocked:
            return None
        return None if found.expires_at is not None and found.expires_at <= (now or datetime.now(UTC)) else found

    def add(
        self,
        name: str,
        tools: Sequence[str] = ALL_TOOLS,
        *,
        valid_for: timedelta | None = None,
        now: datetime | None = None,
    ) -> AddedAgent:
        """Let a new agent in.

        Args:
            name: Letters, digits, `_` and `-`, at most 40.
            tools: Patterns of the names of the tools that it sees.
            valid_for: How long its token is good; None for ever.
            now: When; None is this moment.

        Raises:
            GatewayError: The name is taken or cannot be one, or the file cannot be written.
        """
        if not _NAME.fullmatch(name):
            raise GatewayError(f"expected a name of letters, digits, - and _, at most 40, got {name!r}")
        with self._file.change() as document:
            if name in document.agents:
                raise GatewayError(f"there is an agent {name!r} already; remove it, or choose another name")
            added = _made(name, tuple(tools) or ALL_TOOLS, valid_for, now or datetime.now(UTC))
            document.agents[name] = added.agent
        return added

    def renew(self, name: str, *, valid_for: timedelta | None = None, now: datetime | None = None) -> AddedAgent:
        """Give an agent another token; the former one ends at once.

        Raises:
            GatewayError: There is no such agent, or the file cannot be written.
        """
        with self._file.change() as document:
            former = _known(document, name)
            added = _made(name, former.tools, valid_for, now or datetime.now(UTC))
            document.agents[name] = added.agent
        return added

    def block(self, name: str, *, blocked: bool = True) -> Agent:
        """Refuse the requests of an agent from now on, or no longer.

        Raises:
            GatewayError: There is no such agent, or the file cannot be written.
        """
        with self._file.change() as document:
            agent = document.agents[name] = _known(document, name).model_copy(update={"is_blocked": blocked})
        return agent

    def note_hold(self, name: str, client: str, hold_s: float) -> None:
        """Hold requests of an agent's program that long from now on.

        Raises:
            GatewayError: There is no such agent, or the file cannot be written.
        """
        with self._file.change() as document:
            agent = _known(document, name)
            holds = {**{known: kept for known, kept in agent.hold_s.items() if known != client}, client: hold_s}
            newest = dict(list(holds.items())[-MOST_PROGRAMS:])
            document.agents[name] = agent.model_copy(update={"hold_s": newest})

    def forget_holds(self, name: str) -> None:
        """Hold requests of an agent as long as anybody's again.

        Raises:
            GatewayError: There is no such agent, or the file cannot be written.
        """
        with self._file.change() as document:
            document.agents[name] = _known(document, name).model_copy(update={"hold_s": {}})

    def remove(self, name: str) -> None:
        """Let an agent in no longer, and forget it.

        Raises:
            GatewayError: There is no such agent, or the file cannot be written.
        """
        with self._file.change() as document:
            del document.agents[_known(document, name).name]


def _known(document: _Document, name: str) -> Agent:
    found = document.agents.get(name)
    if found is None:
        known = ", ".join(sorted(document.agents)) or "none"
        raise GatewayError(f"no agent is called {name!r}; there are: {known}")
    return found


def _made(name: str, tools: tuple[str, ...], valid_for: timedelta | None, now: datetime) -> AddedAgent:
    token = f"tc_{secrets.token_urlsafe(_TOKEN_BYTES)}"
    agent = Agent(
        name=name,
        token_digest=_digest(token),
        token_hint=token[-_HINT:],
        tools=tools,
        created_at=now,
        expires_at=None if valid_for is None else now + valid_for,
    )
    return AddedAgent(agent, token)


def _digest(token: str) -> str:
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
