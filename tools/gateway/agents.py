"""The agents that may call tools: each has a name and a token, of which only a hash is kept."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

from annotated_types import MaxLen
from pydantic import BaseModel, ConfigDict, Field, PlainSerializer, model_validator

from tools.errors import GatewayError
from tools.gateway.profiles import AgentProfile
from tools.shared_file import SharedFile

AGENTS_FILE: Final = "agents.json"
"""Where agents stand, in the data folder."""

CONNECTIONS_FOLDER: Final = "connections"
"""Where it stands what was written into the files of programs, and what they held before, in the data folder."""

MOST_PROGRAMS: Final = 20
"""Of how many programs of an agent it is known how long they wait, at most; the oldest are forgotten."""

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
_TOKEN_BYTES: Final = 32
_HINT: Final = 4


def caller_of(name: str) -> str:
    """Return the caller of an agent's calls."""
    return f"agent:{name}"


class KeptToken(BaseModel):
    """What is kept of a token.

    Attributes:
        token_digest: Its SHA-256. The token has 256 random bits, so a plain hash cannot be guessed back.
        token_hint: Its last characters, by which a person tells it from another.
        expires_at: When it ends; None for never.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    token_digest: str
    token_hint: str
    created_at: datetime
    expires_at: datetime | None = None

    def is_good(self, digest: str, now: datetime) -> bool:
        """Return whether a token with this digest is this one, and has not ended."""
        return self.token_digest == digest and (self.expires_at is None or self.expires_at > now)


class Agent(KeptToken):
    """One agent, as it is kept, with its token.

    Attributes:
        name: What the person calls it; its calls have the caller `agent:<name>`.
        former: The token that it had before, which is good as well until the new one is where it belongs.
        is_blocked: Whether its requests are refused for now.
        hold_s: How long a request is held while a person is asked, in seconds, by the name of the program that hung up
            sooner once.
    """

    name: str
    former: KeptToken | None = None
    profile: Annotated[AgentProfile, PlainSerializer(attrgetter("name"), return_type=str)] = AgentProfile()
    is_blocked: bool = False
    hold_s: Annotated[dict[str, float], MaxLen(MOST_PROGRAMS)] = Field(default_factory=dict)

    @property
    def token(self) -> KeptToken:
        return KeptToken(**self.model_dump(include=set(KeptToken.model_fields)))

    @property
    def caller(self) -> str:
        return caller_of(self.name)

    def sees(self, name: str) -> bool:
        """Return whether it is told of a tool or a prompt, and may call or read it."""
        return self.profile.sees(name)


class AddedAgent(NamedTuple):
    """A new agent, with the only look at its token.

    Attributes:
        token: What it sends with each request; kept nowhere.
    """

    agent: Agent
    token: str


class Paused(BaseModel):
    """A person holds the calls of all agents."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    since: datetime
    stops_running: bool = False


class _Document(BaseModel):
    """What the file holds: agents name their profiles there."""

    model_config = ConfigDict(extra="forbid", defer_build=True)

    paused: Paused | None = None
    agents: Annotated[dict[str, Agent], MaxLen(1_000)] = Field(default_factory=dict)
    profiles: Annotated[dict[str, AgentProfile], MaxLen(1_000)] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _with_profiles(cls, written: Any) -> Any:
        if not isinstance(written, dict) or not isinstance(written.get("agents"), dict):
            return written
        profiles = written.get("profiles", {})
        agents = {name: _with_profile(agent, profiles) for name, agent in written["agents"].items()}
        return {**written, "agents": agents}


class Agents:
    """Keep agents in a file; from any thread, beside other programs.

    Args:
        path: The file, which need not exist.
    """

    def __init__(self, path: Path) -> None:
        self._file = SharedFile(path, _Document, GatewayError)

    def profiles(self) -> tuple[AgentProfile, ...]:
        """Return the profiles, by name.

        Raises:
            GatewayError: The file cannot be read.
        """
        return tuple(sorted(self._file.read().profiles.values(), key=lambda profile: profile.name))

    def profile(self, name: str) -> AgentProfile:
        """Return a profile; the one without a name shows everything.

        Raises:
            GatewayError: There is none of that name, or the file cannot be read.
        """
        return _known_profile(self._file.read(), name)

    def keep_profile(self, profile: AgentProfile, *, is_new: bool = False) -> None:
        """Keep a profile in the place of the one of its name; agents that have it are told at once.

        Args:
            profile: With a name like that of an agent.
            is_new: Whether there may be none of its name.

        Raises:
            GatewayError: Its name is taken or cannot be one, or the file cannot be written.
        """
        _check_name(profile.name)
        with self._file.change() as document:
            if is_new and profile.name in document.profiles:
                raise GatewayError(f"there is a profile {profile.name!r} already; change it, or choose another name")
            document.profiles[profile.name] = profile

    def remove_profile(self, name: str) -> None:
        """Forget a profile that no agent has.

        Raises:
            GatewayError: There is none, an agent has it, or the file cannot be written.
        """
        with self._file.change() as document:
            if name not in document.profiles:
                raise _no_profile(document, name)
            users = ", ".join(sorted(agent.name for agent in document.agents.values() if agent.profile.name == name))
            if users:
                raise GatewayError(f"the profile {name!r} is that of {users}; give them another one first")
            del document.profiles[name]

    def give_profile(self, name: str, profile: str) -> Agent:
        """Tell an agent of what a profile shows from now on.

        Args:
            profile: The profile; empty for all tools.

        Raises:
            GatewayError: There is no such agent or profile, or the file cannot be written.
        """
        with self._file.change() as document:
            update = {"profile": _known_profile(document, profile)}
            agent = document.agents[name] = _known(document, name).model_copy(update=update)
        return agent

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
        digest, now = _digest(token), now or datetime.now(UTC)
        for agent in self._file.read().agents.values():
            # Hashes are compared, so the time that this takes says nothing about a token.
            if agent.is_good(digest, now) or (agent.former is not None and agent.former.is_good(digest, now)):
                return None if agent.is_blocked else agent
        return None

    def add(
        self,
        name: str,
        tools: Sequence[str] = (),
        *,
        profile: str = "",
        valid_for: timedelta | None = None,
        now: datetime | None = None,
    ) -> AddedAgent:
        """Let a new agent in.

        Args:
            name: Letters, digits, `_` and `-`, at most 40.
            tools: Patterns of the names of the tools that it sees, which become a profile of its name; none for the
                profile that is given.
            profile: The profile that it gets; empty for all tools.
            valid_for: How long its token is good; None for ever.
            now: When; None is this moment.

        Raises:
            GatewayError: The name is taken or cannot be one, there is no such profile, or the file cannot be written.
        """
        _check_name(name)
        if tools and profile:
            raise GatewayError("expected tools or a profile, got both; change the profile instead")
        with self._file.change() as document:
            if name in document.agents:
                raise GatewayError(f"there is an agent {name!r} already; remove it, or choose another name")
            if tools:
                if name in document.profiles:
                    raise GatewayError(f"there is a profile {name!r} already; let the agent have that, or remove it")
                document.profiles[name] = AgentProfile(name=name, tools=tuple(tools))
                profile = name
            given = _known_profile(document, profile)
            added = _made(name, given, valid_for, now or datetime.now(UTC))
            document.agents[name] = added.agent
        return added

    def renew(
        self,
        name: str,
        *,
        valid_for: timedelta | None = None,
        keeps_former: bool = False,
        now: datetime | None = None,
    ) -> AddedAgent:
        """Give an agent another token.

        Args:
            valid_for: How long the token is good; None for ever.
            keeps_former: Whether the former one is good as well until `end_former`; it ends at once otherwise.
            now: When; None is this moment.

        Raises:
            GatewayError: There is no such agent, or the file cannot be written.
        """
        with self._file.change() as document:
            agent = _known(document, name)
            made, token = _token(valid_for, now or datetime.now(UTC))
            former = agent.token if keeps_former else None
            document.agents[name] = agent.model_copy(update={**dict(made), "former": former})
            return AddedAgent(document.agents[name], token)

    def end_former(self, name: str) -> None:
        """End the token that an agent had before.

        Raises:
            GatewayError: There is no such agent, or the file cannot be written.
        """
        with self._file.change() as document:
            document.agents[name] = _known(document, name).model_copy(update={"former": None})

    def restore_token(self, name: str, token: KeptToken, *, instead_of: str, now: datetime | None = None) -> bool:
        """Give an agent a token back that it had; return whether that is good again.

        Args:
            name: The agent; nothing is done when there is none any more.
            instead_of: The digest of the one that it has meanwhile; nothing is done when it has yet another.
            now: When; None is this moment.

        Raises:
            GatewayError: The file cannot be written.
        """
        with self._file.change() as document:
            agent = document.agents.get(name)
            is_over = token.expires_at is not None and token.expires_at <= (now or datetime.now(UTC))
            if agent is None or agent.token_digest != instead_of or is_over:
                return False
            document.agents[name] = agent.model_copy(update={**dict(token), "former": None})
        return True

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
        """Let an agent in no longer, and forget it, with the profile of its name if no other agent has that.

        Raises:
            GatewayError: There is no such agent, or the file cannot be written.
        """
        with self._file.change() as document:
            del document.agents[_known(document, name).name]
            if all(agent.profile.name != name for agent in document.agents.values()):
                document.profiles.pop(name, None)


def _known(document: _Document, name: str) -> Agent:
    found = document.agents.get(name)
    if found is None:
        known = ", ".join(sorted(document.agents)) or "none"
        raise GatewayError(f"no agent is called {name!r}; there are: {known}")
    return found


def _known_profile(document: _Document, name: str) -> AgentProfile:
    if not name:
        return AgentProfile()
    found = document.profiles.get(name)
    if found is None:
        raise _no_profile(document, name)
    return found


def _no_profile(document: _Document, name: str) -> GatewayError:
    known = ", ".join(sorted(document.profiles)) or "none"
    return GatewayError(f"no profile is called {name!r}; there are: {known}")


def _with_profile(agent: Any, profiles: Any) -> Any:
    """Return an agent's entry with its whole profile; with one that is missing, it sees nothing."""
    name = agent.get("profile", "") if isinstance(agent, dict) else None
    if not isinstance(name, str) or not isinstance(profiles, dict):
        return agent
    missing = {"name": name, "tools": []} if name else {}
    return {**agent, "profile": profiles.get(name, missing)}


def _check_name(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise GatewayError(f"expected a name of letters, digits, - and _, at most 40, got {name!r}")


def _made(name: str, profile: AgentProfile, valid_for: timedelta | None, now: datetime) -> AddedAgent:
    kept, token = _token(valid_for, now)
    return AddedAgent(Agent(name=name, profile=profile, **dict(kept)), token)


def _token(valid_for: timedelta | None, now: datetime) -> tuple[KeptToken, str]:
    token = f"tc_{secrets.token_urlsafe(_TOKEN_BYTES)}"
    expires_at = None if valid_for is None else now + valid_for
    kept = KeptToken(token_digest=_digest(token), token_hint=token[-_HINT:], created_at=now, expires_at=expires_at)
    return kept, token


def _digest(token: str) -> str:
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
