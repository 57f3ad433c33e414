"""One server: its life, its tools in the registry, and what it announces."""

from __future__ import annotations

import asyncio
import shlex
from typing import TYPE_CHECKING, Final

from tools.errors import ServerConfigError, ToolError
from tools.mcp.config import Transport
from tools.mcp.secrets import masked
from tools.mcp.state import LogExtended, PromptsChanged, ResourcesChanged, ResourceUpdated, ServerStatus, StateChanged
from tools.mcp.supervisor import ServerSupervisor
from tools.mcp.tool_sync import ToolSync
from tools.tool import Probe

if TYPE_CHECKING:
    from tools.mcp.config import ServerConfig
    from tools.mcp.connection import Connection
    from tools.mcp.definitions import Definition
    from tools.mcp.servers import Servers

SETTLE_S: Final = 0.2
"""Seconds in which announcements of changes are taken as one."""

_TOOLS: Final = "notifications/tools/list_changed"
_RESOURCES: Final = "notifications/resources/list_changed"
_PROMPTS: Final = "notifications/prompts/list_changed"
_UPDATED: Final = "notifications/resources/updated"


class Server:
    """Be one server: its life, its tools, and what it announces.

    Args:
        config: Its entry.
        around: What all servers share.

    Attributes:
        config: As given.
        life: Starts and ends it.
        listing: Its tools.
    """

    def __init__(self, config: ServerConfig, around: Servers) -> None:
        self.config = config
        self._around = around
        self.life = ServerSupervisor(
            config,
            resolve=around.resolve,
            questions=around.questions,
            now=around.now,
            address=address_of(config),
            on_state=lambda state: around.tell(StateChanged(state)),
            on_connected=self._on_connected,
            on_notified=self._on_notified,
            on_growth=lambda: around.tell(LogExtended(config.name)),
            back_off_s=around.back_off_s,
        )
        self.listing = ToolSync(
            config,
            around.registry,
            self,
            Probe(function=self._answers),
            pins=around.pins,
            consents=around.consents,
            remembered=around.remembered,
            on_change=around.tell,
        )
        self._refreshing: set[asyncio.Task[None]] = set()
        self._is_due = False

    async def connected(self) -> Connection:
        """Return the open connection for a call; start the server if it was not wanted yet."""
        connection = await self.life.connected()
        self.life.called()
        return connection

    async def ping(self) -> float:
        """Return how many seconds it takes to answer."""
        return await (await self.life.connected()).ping()

    async def _answers(self) -> None:
        """Find out for all its tools whether it answers; one that sleeps is not woken for that."""
        if self.life.state.status is not ServerStatus.OFF:
            await self.ping()

    async def approved(self, definition: Definition) -> None:
        """Take note that a person let a definition run that was new."""
        await asyncio.to_thread(self.listing.approved, definition)
        await self.listing.look_again()

    async def _on_connected(self, connection: Connection) -> None:
        await self.listing.refresh(connection)
        self.life.changed(tool_count=len(self.listing.judgements))

    def _on_notified(self, method: str, uri: str) -> None:
        name, tell = self.config.name, self._around.tell
        if method == _TOOLS:
            if not self._is_due:
                self._is_due = True
                task = asyncio.create_task(self._refresh(), name=f"tools of {name}")
                self._refreshing.add(task)
                task.add_done_callback(self._refreshing.discard)
        elif method == _RESOURCES:
            tell(ResourcesChanged(name))
        elif method == _PROMPTS:
            tell(PromptsChanged(name))
        elif method == _UPDATED:
            tell(ResourceUpdated(name, uri))

    async def _refresh(self) -> None:
        """List the tools anew, once for all announcements of a moment."""
        await asyncio.sleep(SETTLE_S)
        # What is announced from here on is not in the answer: it needs another look.
        self._is_due = False
        connection = self.life.connection
        if connection is None:
            return
        try:
            await self._on_connected(connection)
        except ToolError as error:
            self.life.log.note(f"its tools could not be listed again: {error}", "error")

    def becomes(self, config: ServerConfig) -> bool:
        """Take over another entry if nothing of it concerns what runs, and tell whether that was so."""
        alike = {"disabled_tools": config.disabled_tools, "description": config.description}
        if self.config.model_copy(update=alike) != config:
            return False
        self.config = config
        self.listing.become(config)
        return True

    async def recall(self) -> None:
        """Show the tools that it listed last."""
        try:
            await self.listing.recall()
        except ServerConfigError as error:
            # It is as if nothing were remembered: its start lists them.
            self.life.log.note(f"its tools of last time are not known: {error}", "warning")
        if self.listing.judgements:
            self.life.changed(tool_count=len(self.listing.judgements))

    async def end(self, status: ServerStatus) -> None:
        """End it; it has this status afterwards."""
        refreshing = tuple(self._refreshing)
        for task in refreshing:
            task.cancel()
        await asyncio.gather(*refreshing, return_exceptions=True)
        self._is_due = False
        await self.life.stop(status)


def address_of(config: ServerConfig) -> str:
    """Return the command line or the address of a server, whole, with secrets hidden."""
    shown = masked(config)
    return shlex.join((shown.command, *shown.args)) if config.transport is Transport.STDIO else shown.url
