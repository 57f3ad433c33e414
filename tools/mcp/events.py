"""What is told about servers: frozen events, from the event loop's thread."""

from __future__ import annotations

from typing import NamedTuple

from tools.mcp.state import ServerState


class StateChanged(NamedTuple):
    """A server stands otherwise than before.

    Attributes:
        state: How it stands now.
    """

    state: ServerState


class ServerRemoved(NamedTuple):
    """A server is wanted no more.

    Attributes:
        name: Its name.
    """

    name: str


class ToolsChanged(NamedTuple):
    """A server lists other tools than before, or they stand otherwise to what was approved.

    Attributes:
        name: The server.
        added: Names, by the server, of tools that are new.
        removed: Names of tools that are gone.
        changed: Names of tools with another definition, or another judgement of it.
    """

    name: str
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


class LogGrew(NamedTuple):
    """A server's log has more lines.

    Attributes:
        name: The server.
    """

    name: str


class ResourcesChanged(NamedTuple):
    """A server says that it has other resources than before.

    Attributes:
        name: The server.
    """

    name: str


class ResourceUpdated(NamedTuple):
    """A resource that was subscribed to has another content.

    Attributes:
        name: The server.
        uri: The resource.
    """

    name: str
    uri: str


class PromptsChanged(NamedTuple):
    """A server says that it has other prompts than before.

    Attributes:
        name: The server.
    """

    name: str


ServerEvent = (
    StateChanged | ServerRemoved | ToolsChanged | LogGrew | ResourcesChanged | ResourceUpdated | PromptsChanged
)
