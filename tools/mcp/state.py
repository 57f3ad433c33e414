"""How servers stand, and the events that tell of changes."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple

from pydantic import BaseModel, ConfigDict

from tools.mcp.config import Transport
from tools.mcp.icons import IconSource


class ProtocolEra(StrEnum):
    """Which generation of the protocol a connection speaks.

    Source: MCP 2026-07-28, which has no `initialize`, no sessions and no requests from server to client.
    """

    NEWER = "newer"
    OLDER = "older"


class ServerStatus(StrEnum):
    """What a server is doing.

    `OFF` is one that was not wanted yet: its first use starts it. `STOPPED` was ended by a person, `FAILED` by itself.
    """

    OFF = "off"
    STARTING = "starting"
    CONNECTED = "connected"
    RECONNECTING = "reconnecting"
    FAILED = "failed"
    STOPPED = "stopped"


class FaultKind(StrEnum):
    """What went wrong with a server, for whoever chooses the action to offer."""

    COMMAND_MISSING = "command_missing"
    NOT_STARTED = "not_started"
    EXITED = "exited"
    UNREACHABLE = "unreachable"
    SIGN_IN = "sign_in"
    TIMED_OUT = "timed_out"
    GARBAGE = "garbage"
    TOO_LARGE = "too_large"
    PROTOCOL = "protocol"
    CONFIGURATION = "configuration"
    NO_CONSENT = "no_consent"


REMEDY_BY_FAULT: Final[Mapping[FaultKind, str]] = MappingProxyType(
    {
        FaultKind.COMMAND_MISSING: "Install the program, or correct the command.",
        FaultKind.NOT_STARTED: "Correct the command and the folder it starts in.",
        FaultKind.EXITED: "Read its log for the reason, then restart it.",
        FaultKind.UNREACHABLE: "Look whether the server runs and the address is right, then restart it.",
        FaultKind.SIGN_IN: "Sign in, or correct the headers of this server.",
        FaultKind.TIMED_OUT: "Read its log; a first start may need a longer time limit while it is being downloaded.",
        FaultKind.GARBAGE: "Look whether the command is that of an MCP server: its output must be messages alone.",
        FaultKind.TOO_LARGE: "Ask for less at a time, then restart it.",
        FaultKind.PROTOCOL: "Try the other version of the protocol in its settings, or tell those who make the server.",
        FaultKind.CONFIGURATION: "Correct its entry.",
        FaultKind.NO_CONSENT: "Look at what would be started, and let it start.",
    }
)
"""What to do about each kind of fault, where the error itself says nothing better."""


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class ServerFault(_Value):
    """Say what went wrong with a server, as a person needs it.

    Attributes:
        message: What happened, in one sentence.
        request: The request that was under way, such as `tools/list`; empty when none was.
        elapsed_s: Seconds from the request's start, or from the server's.
        last_words: The end of what it wrote on stderr; empty when it wrote nothing, or has no stderr.
        exit_code: How its process ended, negative for a signal; None when it did not.
    """

    kind: FaultKind
    message: str
    request: str = ""
    elapsed_s: float = 0.0
    last_words: str = ""
    remedy: str = ""
    exit_code: int | None = None
    at: datetime

    def __str__(self) -> str:
        """Return it in one line, for messages."""
        during = f" during {self.request}" if self.request else ""
        said = f"; its last words: {self.last_words.strip().splitlines()[-1]}" if self.last_words.strip() else ""
        return f"{self.message.rstrip('.')}{during} (after {self.elapsed_s:.1f} s){said}"


class ServerIdentity(_Value):
    """Say who a server says it is; its own words.

    Attributes:
        title: Its name for people; empty when it has none.
        instructions: How it wants to be used; empty when it does not say.
    """

    name: str = ""
    title: str = ""
    version: str = ""
    instructions: str = ""
    icons: tuple[IconSource, ...] = ()


class ServerCapabilities(_Value):
    """Say what a server can do besides tools.

    Attributes:
        subscriptions: Whether one can be told when a resource changes.
        completions: Whether it completes arguments of prompts and templates.
        logging: Whether it sends log messages.
    """

    tools: bool = False
    resources: bool = False
    subscriptions: bool = False
    prompts: bool = False
    completions: bool = False
    logging: bool = False


class ServerState(_Value):
    """How one server stands at one moment.

    Attributes:
        transport: How messages travel.
        address: The command line or the address, whole, with secrets hidden.
        protocol: Which generation of the protocol it speaks; None before that is known.
        protocol_version: The agreed version, such as `2025-11-25`; empty before.
        identity: Who it says it is; None before it said so.
        offers: What it can do besides tools.
        tool_count: How many tools it listed last.
        pid: Its process; None when it has none.
        since: When it took this status.
        attempt: Which attempt to connect is under way or comes next, from 1; 0 when it is connected or off.
        next_attempt_at: When the next attempt begins; None when none is planned.
        fault: What went wrong last; None once it is connected again.
        latency_s: How long its last answer took; None before the first.
        last_call_at: When a tool of it was called last; None before.
    """

    name: str
    status: ServerStatus = ServerStatus.OFF
    transport: Transport
    address: str = ""
    protocol: ProtocolEra | None = None
    protocol_version: str = ""
    identity: ServerIdentity | None = None
    offers: ServerCapabilities = ServerCapabilities()
    tool_count: int = 0
    pid: int | None = None
    since: datetime
    attempt: int = 0
    next_attempt_at: datetime | None = None
    fault: ServerFault | None = None
    latency_s: float | None = None
    last_call_at: datetime | None = None


class StateChanged(NamedTuple):
    """A server stands otherwise than before."""

    state: ServerState


class ServerRemoved(NamedTuple):
    """A server is wanted no more."""

    name: str


class ToolsChanged(NamedTuple):
    """A server lists other tools than before, or they stand otherwise to what was approved.

    Attributes:
        added: Names, by the server, of tools that are new.
        removed: Names of tools that are gone.
        changed: Names of tools with another definition, or another judgement of it.
    """

    name: str
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


class LogExtended(NamedTuple):
    """A server's log has more lines."""

    name: str


class ResourcesChanged(NamedTuple):
    """A server says that it has other resources than before."""

    name: str


class ResourceUpdated(NamedTuple):
    """A resource that was subscribed to has another content."""

    name: str
    uri: str


class PromptsChanged(NamedTuple):
    """A server says that it has other prompts than before."""

    name: str


ServerEvent = (
    StateChanged | ServerRemoved | ToolsChanged | LogExtended | ResourcesChanged | ResourceUpdated | PromptsChanged
)
