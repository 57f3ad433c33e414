"""What the Servers page needs of the servers themselves, as small protocols.

Events of servers wake the page at most four times a second, and the page asks again. A new column of a list is one
more `Cell`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from console.servers.rows import (
    ConnectionTest,
    ImportRow,
    LogRow,
    PasteResult,
    ServerCounts,
    ServerDetail,
    ServerRow,
    StartRow,
    TemplateArgumentDraft,
)
from console.viewers import Content


class ServersSnapshot(NamedTuple):
    """How all servers stand at one moment.

    Attributes:
        problem: Why some cannot be read; empty when all is well.
        profiles: The names of sets of servers.
        profile: The set that counts; empty lets all servers.
    """

    rows: tuple[ServerRow, ...]
    summary: ServerCounts
    problem: str = ""
    profiles: tuple[str, ...] = ()
    profile: str = ""


class Settings(NamedTuple):
    """The settings of a server.

    Attributes:
        value: As the form takes them: `transport`, `name` and the rest.
        note: Which file they stand in.
    """

    value: Mapping[str, Any]
    note: str


class ResourceReading(NamedTuple):
    """What was read of a resource.

    Attributes:
        content: What it says; None when it is empty.
    """

    content: Content | None
    note: str


class ServerPort(Protocol):
    """Look at servers, start and end them; whatever goes wrong is raised as a `ToolError` with a sentence."""

    async def listing(self) -> ServersSnapshot: ...

    async def detail(self, name: str, /) -> ServerDetail:
        """Return all that is shown of a server but its log and settings."""
        ...

    async def log(self, name: str, /, after: int) -> Sequence[LogRow]:
        """Return the lines after a number, the oldest first; all that are kept after 0."""
        ...

    async def connect(self, name: str, /) -> None: ...

    async def disconnect(self, name: str, /) -> None: ...

    async def restart(self, name: str, /) -> None:
        """End a server and start it again."""
        ...

    async def ping(self, name: str, /) -> str:
        """Ask a server whether it is there; return what came of it."""
        ...

    async def sign_in(self, name: str, /) -> None:
        """Let the person sign in at a server, in their browser."""
        ...


class OfferPort(Protocol):
    """Decide about what servers offer, and use what is no tool."""

    async def approve(self, name: str, tools: Mapping[str, str], /) -> Collection[str]:
        """Let tools run whose definitions have these digests, as they were shown; return which, others stay paused."""
        ...

    async def block(self, name: str, tool: str, /) -> None: ...

    async def switch(self, name: str, tool: str, /, *, is_on: bool) -> None:
        """Let a tool be called, or not."""
        ...

    async def read(self, name: str, uri: str, values: Mapping[str, str], /) -> ResourceReading:
        """Read a resource; of a template the one with these values in it."""
        ...

    async def follow(self, name: str, uri: str, /, *, follows: bool) -> None:
        """Be told when a resource changes, or no longer."""
        ...

    async def complete(self, name: str, half: TemplateArgumentDraft, /) -> Sequence[str]:
        """Return what a half-written argument of a template may become."""
        ...


class ConfigPort(Protocol):
    """Look at the settings of servers and change them."""

    async def settings(self, name: str, /) -> Settings: ...

    async def start_of(self, name: str, /) -> StartRow: ...

    async def preview(self, value: Mapping[str, Any], /) -> StartRow:
        """Return what would run with these settings."""
        ...

    async def trial(self, value: Mapping[str, Any], /) -> ConnectionTest:
        """Try to reach a server with these settings, which are not kept."""
        ...

    async def understand(self, text: str, /) -> PasteResult:
        """Return what a text means that somebody pasted; nothing of it is kept or run."""
        ...

    async def add(self, values: Sequence[Mapping[str, Any]], /) -> Sequence[str]:
        """Keep the settings of new servers, and start them; return what they are called."""
        ...

    async def save(self, name: str, value: Mapping[str, Any], /) -> str:
        """Keep other settings of a server; return what it is called now."""
        ...

    async def allow(self, name: str, digest: str, /, *, trusted: bool) -> None:
        """Let a server start from now on, if that is still the start with this digest, which the person has seen."""
        ...

    async def remove(self, name: str, /) -> None: ...

    async def forget_folders(self, name: str, /) -> None:
        """Ask again which folders a server may know of, when it wants to know."""
        ...

    async def switch_server(self, name: str, /, *, is_on: bool) -> None:
        """Let a server be started, now and with the program, or not."""
        ...

    async def choose_profile(self, name: str, /) -> None:
        """Let a set of servers count; the empty name lets all of them."""
        ...

    async def keep_profile(self, name: str, servers: Collection[str], /) -> None: ...

    async def remove_profile(self, name: str, /) -> None:
        """Forget a set of servers; they stay."""
        ...

    async def exported(self, name: str, /) -> str:
        """Return the entry of a server as other programs read it."""
        ...

    async def found(self) -> Sequence[ImportRow]:
        """Return the servers that other programs know."""
        ...

    async def found_in(self, path: str, /) -> Sequence[ImportRow]: ...

    async def take(self, keys: Collection[str], /) -> str:
        """Take servers of other programs over; return what was done."""
        ...
