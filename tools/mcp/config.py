"""How a server is reached: one frozen value for each entry of a `servers.json`, in the shape that programs share."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Self

from annotated_types import Ge, Gt, Le, MaxLen, MinLen
from pydantic import BaseModel, ConfigDict, Field, JsonValue, field_validator, model_validator

if TYPE_CHECKING:
    import httpx2

TIMEOUT_S: Final = 60.0
"""Seconds a request of a server may take where nobody says otherwise."""

LONGEST_TIMEOUT_S: Final = 86_400.0
"""The longest limit that can be set, in seconds: a day."""

LONGEST_NAME: Final = 128
"""Letters of the longest name of a server."""

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")


class Transport(StrEnum):
    """How messages travel."""

    STDIO = "stdio"
    HTTP = "http"
    SSE = "sse"


class ProtocolChoice(StrEnum):
    """Which protocol is spoken: the newest that both sides know, or one that a person chose."""

    AUTO = "auto"
    NEWER = "newer"
    OLDER = "older"


class ConfigScope(StrEnum):
    """Whose file a server stands in."""

    USER = "user"
    PROJECT = "project"


class Origin(BaseModel):
    """Say where a server's entry stands.

    Attributes:
        place: Whose file it is.
        project_dir: The project's folder; None for the person's own file.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    place: ConfigScope
    path: Path
    project_dir: Path | None = None


class SignInClient(BaseModel):
    """Say how this program is known at a server, where its people gave that out by hand.

    Attributes:
        secret: Its secret; empty when it has none.
        port: The port of this computer that the browser comes back to, as it was told them; 0 is any.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    id: Annotated[str, MinLen(1)]
    secret: str = ""
    port: Annotated[int, Ge(0), Le(65_535)] = 0


class ServerConfig(BaseModel):
    """Be one server as its entry says, variables and references to secrets still in it.

    Attributes:
        transport: How messages travel.
        command: The program of a stdio server; empty for others.
        env: What is added to its environment.
        cwd: The folder it starts in; empty is the project's.
        url: The address of a server that is reached over HTTP; empty for stdio.
        headers: What is added to each HTTP request.
        timeout_s: Seconds a request may take.
        disabled_tools: Tools, by the server's own names, that are listed but refused.
        trusted: Whether its hints about its tools are believed. Never true for a project's entry by itself.
        signs_in: Whether a person signed in there in the browser, so that requests are signed with what that gave.
        client: How this program is known there; None lets the server itself say so when somebody signs in.
        description: What it is for, in the person's words.
        origin: Where the entry stands; None for one that is not kept yet.
        unknown: What else the entry has, as it is: other programs' settings.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    name: Annotated[str, MaxLen(LONGEST_NAME)]
    transport: Transport
    command: str = ""
    args: tuple[str, ...] = ()
    env: dict[str, str] = Field(default_factory=dict)
    cwd: str = ""
    url: str = ""
    headers: dict[str, str] = Field(default_factory=dict)
    protocol: ProtocolChoice = ProtocolChoice.AUTO
    timeout_s: Annotated[float, Gt(0), Le(LONGEST_TIMEOUT_S)] = TIMEOUT_S
    enabled: bool = True
    disabled_tools: tuple[str, ...] = ()
    trusted: bool = False
    signs_in: bool = False
    client: SignInClient | None = None
    description: str = ""
    origin: Origin | None = None
    unknown: dict[str, JsonValue] = Field(default_factory=dict)

    @field_validator("name")
    @classmethod
    def _names_something(cls, name: str) -> str:
        if not name.strip() or _CONTROL.search(name):
            raise ValueError("a server's name is some letters on one line")
        return name

    @model_validator(mode="after")
    def _reaches_something(self) -> Self:
        if self.transport is Transport.STDIO:
            if not self.command.strip():
                raise ValueError("a stdio server needs a command, such as npx or uvx")
        elif not self.url.strip():
            raise ValueError("a server that is reached over HTTP needs a url, such as https://example.org/mcp")
        return self

    def with_texts(self, change: Callable[[str, str], str]) -> ServerConfig:
        """Return the entry whose texts are what a function makes of each place (`args/2`, `env/TOKEN`) and text."""
        return self.model_copy(
            update={
                "command": change("command", self.command),
                "args": tuple(change(f"args/{place}", word) for place, word in enumerate(self.args)),
                "env": {name: change(f"env/{name}", text) for name, text in self.env.items()},
                "cwd": change("cwd", self.cwd),
                "url": change("url", self.url),
                "headers": {name: change(f"headers/{name}", text) for name, text in self.headers.items()},
            }
        )

    @property
    def key(self) -> str:
        """What consents, approvals and secrets are kept under: a project's server is another one than the person's."""
        if self.origin is None or self.origin.project_dir is None:
            return f"{ConfigScope.USER}/{self.name}"
        return f"{ConfigScope.PROJECT}:{self.origin.project_dir}/{self.name}"

    @property
    def place(self) -> ConfigScope:
        """Whose it is; one that is not kept yet is the person's."""
        return ConfigScope.USER if self.origin is None else self.origin.place


@dataclass(frozen=True, slots=True)
class Target:
    """Be what a connection starts or reaches; it is never written down, as it has real secrets.

    Attributes:
        transport: How messages travel.
        argv: The program and its arguments; empty for what is reached over HTTP.
        env: What is added to the few variables that every server inherits.
        cwd: The folder it starts in; None is the current one.
        url: The address; empty for stdio.
        headers: What is added to each HTTP request.
        auth: Signs HTTP requests, such as with OAuth; None when nothing does.
        client: How this program is known to the server; None where the server itself says so.
        secrets: The values that no log and no message may show.
    """

    transport: Transport
    argv: tuple[str, ...] = field(default=(), repr=False)
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    cwd: Path | None = None
    url: str = field(default="", repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    auth: httpx2.Auth | None = field(default=None, repr=False)
    client: SignInClient | None = field(default=None, repr=False)
    secrets: frozenset[str] = field(default=frozenset(), repr=False)
