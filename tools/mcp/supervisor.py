"""The life of one server: started when it is wanted, started again when it ended by itself, and ended for good."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from tools.errors import ServerConfigError, ToolConfigurationError, UnavailableError, VaultError
from tools.mcp.message_log import MessageLog
from tools.mcp.state import REMEDY_BY_FAULT, FaultKind, ProtocolEra, ServerFault, ServerState, ServerStatus

if TYPE_CHECKING:
    from tools.mcp.config import ServerConfig, Target
    from tools.mcp.connection import Connection
    from tools.mcp.elicitation import Questions

Resolve = Callable[["ServerConfig"], "Target"]
"""Fills an entry in, or says with a `ServerConfigError` or `VaultError` what is missing; called in a thread."""

BACK_OFF_S: Final = (1.0, 2.0, 5.0, 10.0, 30.0)
"""Seconds before each further attempt to connect; after the last one it is given up."""

STEADY_S: Final = 60.0
"""Seconds after which a connection counts as one that holds, so that attempts are counted anew."""

_FINAL: Final = frozenset(
    {
        FaultKind.COMMAND_MISSING,
        FaultKind.CONFIGURATION,
        FaultKind.GARBAGE,
        FaultKind.NO_CONSENT,
        FaultKind.NOT_STARTED,
        FaultKind.PROTOCOL,
        FaultKind.SIGN_IN,
    }
)
"""What another attempt would not change."""


class NoConsentError(ServerConfigError):
    """Report a server that no person let start."""


class ServerSupervisor:
    """Keep one server connected while it is wanted; from one event loop.

    Args:
        resolve: Fills the entry in.
        questions: Who answers what it asks.
        address: How people are shown what is started or reached.
        on_state: Is told of each change.
        on_connected: Is awaited after each start, before anybody may call; what it raises ends the connection.
        on_notified: Is told of a change that the server announces: the method, and the resource if any.
        on_growth: Is told that the log grew.
        back_off_s: Seconds before each further attempt.

    Attributes:
        log: What went over the wire, and what it said.
    """

    def __init__(
        self,
        config: ServerConfig,
        *,
        resolve: Resolve,
        questions: Questions,
        now: Callable[[], datetime],
        address: str,
        on_state: Callable[[ServerState], None],
        on_connected: Callable[[Connection], Awaitable[None]],
        on_notified: Callable[[str, str], None],
        on_growth: Callable[[], None],
        back_off_s: Sequence[float] = BACK_OFF_S,
    ) -> None:
        self.config = config
        self.log = MessageLog(now, on_growth)
        self._resolve = resolve
        self._questions = questions
        self._now = now
        self._on_state = on_state
        self._on_connected = on_connected
        self._on_notified = on_notified
        self._back_off_s = tuple(back_off_s)
        self._state = ServerState(name=config.name, transport=config.transport, address=address, since=now())
        self._connection: Connection | None = None
        self._living: asyncio.Task[None] | None = None
        self._settled = asyncio.Event()
        self._era: ProtocolEra | None = None
        self._called_s: float | None = None

    @property
    def state(self) -> ServerState:
        return self._state.model_copy(update=self._live_facts())

    @property
    def connection(self) -> Connection | None:
        """The open connection; None without one."""
        return self._connection

    def changed(self, **facts: Any) -> None:
        """Take note of facts about it, and tell."""
        if "status" in facts and facts["status"] is not self._state.status:
            facts["since"] = self._now()
        self._state = self._state.model_copy(update={**self._live_facts(), **facts})
        self._on_state(self._state)

    def _live_facts(self) -> dict[str, Any]:
        """Return what changes with each call, of which nobody is told each time."""
        latency_s = None if self._connection is None else self._connection.latency_s
        called_at = None
        if self._called_s is not None:
            called_at = self._now() - timedelta(seconds=perf_counter() - self._called_s)
        return {"latency_s": latency_s or self._state.latency_s, "last_call_at": called_at}

    def called(self) -> None:
        """Take note that a tool is called; nobody is told of each."""
        self._called_s = perf_counter()

    async def connected(self) -> Connection:
        """Return the open connection, and start the server if it was not wanted yet.

        Raises:
            UnavailableError: It does not come up, or a person stopped it.
        """
        connection = self._connection
        if connection is not None and connection.is_open:
            return connection
        status = self._state.status
        if status is ServerStatus.STOPPED:
            raise UnavailableError(f"the server {self.config.name!r} is stopped", remedy="Start it, then call again.")
        if status is ServerStatus.FAILED or self._state.next_attempt_at is not None:
            raise self._failed()
        return await self._coming()

    async def start(self) -> Connection:
        """Connect now, if it is not connected, and return the connection.

        Raises:
            UnavailableError: The first attempt did not succeed; others may follow.
        """
        if self._state.next_attempt_at is not None:
            await self._end()
        return await self._coming()

    async def _coming(self) -> Connection:
        """Wait for the connection that is being made; make one if none is."""
        if self._living is None or self._living.done():
            self._settled = asyncio.Event()
            self.changed(status=ServerStatus.STARTING, attempt=1, fault=None, next_attempt_at=None)
            self._living = asyncio.create_task(self._live(), name=f"life of {self.config.name}")
        await self._settled.wait()
        if self._connection is None:
            raise self._failed()
        return self._connection

    async def stop(self, status: ServerStatus = ServerStatus.STOPPED) -> None:
        """End it, and what it started."""
        await self._end()
        self.changed(status=status, pid=None, attempt=0, next_attempt_at=None)

    async def _end(self) -> None:
        living, self._living = self._living, None
        if living is not None and not living.done():
            living.cancel()
            await asyncio.wait({living})
        self._settled.set()

    async def _live(self) -> None:
        """Connect, and connect again whenever the server ends by itself, until there is no sense in it."""
        attempt = 1
        while True:
            fault, held = await self._one_connection()
            attempt = 1 if held else attempt
            if fault.kind in _FINAL or attempt > len(self._back_off_s):
                self._settle(ServerStatus.FAILED, fault, attempt=0)
                return
            delay_s = self._back_off_s[attempt - 1]
            attempt += 1
            due = self._now() + timedelta(seconds=delay_s)
            self._settle(ServerStatus.RECONNECTING, fault, attempt=attempt, next_attempt_at=due)
            await asyncio.sleep(delay_s)
            self._unsettle()
            self.changed(next_attempt_at=None)

    def _settle(self, status: ServerStatus, fault: ServerFault, **facts: Any) -> None:
        self.log.note(str(fault), "error")
        self.changed(status=status, fault=fault, pid=None, **facts)
        self._settled.set()

    def _unsettle(self) -> None:
        """Let whoever calls from now on wait until it is known what comes."""
        if self._settled.is_set():
            self._settled = asyncio.Event()

    async def _one_connection(self) -> tuple[ServerFault, bool]:
        """Connect once; return why it ended or did not come up, and whether it held for a while."""
        connection: Connection | None = None
        try:
            connection = await self._open()
            await self._on_connected(connection)
            since = self._now()
            self._connection = connection
            self.changed(**self._facts(connection))
            self._settled.set()
            await connection.lost()
            held = (self._now() - since).total_seconds() >= STEADY_S
            self._connection = None
            self._unsettle()
            self.changed(status=ServerStatus.RECONNECTING)
            await connection.close()
            return connection.fault, held
        except Exception as error:  # noqa: BLE001 -- whatever a server makes us stumble over is told as its fault
            fault = self._fault_of(error)
            if fault.kind is FaultKind.EXITED:
                # Some old servers end at the first question of the newest era, so that the next attempt asks none.
                self._era = ProtocolEra.OLDER if self._era is None else None
            return fault, False
        finally:
            self._connection = None
            if connection is not None:
                await connection.close()

    async def _open(self) -> Connection:
        # The SDK takes a second to import, which must not stop the loop that all tools run on.
        module = await asyncio.to_thread(importlib.import_module, "tools.mcp.connection")
        target = await asyncio.to_thread(self._resolve, self.config)
        self.log.hide(target.secrets)
        connection: Connection = module.Connection(self.config, target, self.log, self._questions, self._on_notified)
        await connection.open(era=self._era)
        self._era = connection.era
        return connection

    def _facts(self, connection: Connection) -> dict[str, Any]:
        return {
            "status": ServerStatus.CONNECTED,
            "protocol": connection.era,
            "protocol_version": connection.protocol_version,
            "identity": connection.identity,
            "offers": connection.offers,
            "pid": connection.pid,
            "attempt": 0,
            "next_attempt_at": None,
            "fault": None,
        }

    def _fault_of(self, error: Exception) -> ServerFault:
        fault = getattr(error, "fault", None)
        if isinstance(fault, ServerFault):
            return fault
        kind = FaultKind.PROTOCOL
        if isinstance(error, NoConsentError):
            kind = FaultKind.NO_CONSENT
        elif isinstance(error, ToolConfigurationError | VaultError):
            kind = FaultKind.CONFIGURATION
        elif isinstance(error, UnavailableError):
            kind = FaultKind.TIMED_OUT
        message = self.log.scrubbed(str(error) or type(error).__name__)
        remedy = getattr(error, "remedy", "") or REMEDY_BY_FAULT[kind]
        return ServerFault(kind=kind, message=message, remedy=remedy, at=self._now())

    def _failed(self) -> UnavailableError:
        fault = self._state.fault
        if fault is None:
            return UnavailableError(f"the server {self.config.name!r} was stopped", remedy="Start it, then call again.")
        return UnavailableError(f"the server {self.config.name!r} failed: {fault}", remedy=fault.remedy)
