"""What becomes of what a person does while they connect the program of an agent."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, Protocol

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QGuiApplication

from console.gateway.client_model import ConnectedClient
from console.gateway.engine_clients import Clients
from console.gateway.rows import GatewayState
from console.language import tr, translated
from console.tasks import TaskScope
from tools.errors import GatewayError

if TYPE_CHECKING:
    from console.gateway.connect_dialog import ConnectDialog

_LOOK_EVERY_S: Final = 0.5
_PATIENCE_S: Final = 60.0
_PATIENCE_OVER: Final = tr(
    "Nothing came within a minute. End the program wholly and start it again; look whether it asks you to allow the"
    " server, and whether it reads this file. The gateway listens at {address}."
)


class GatewayUse(Protocol):
    """What connecting needs of the gateway."""

    async def state(self) -> GatewayState: ...


class ConnectPresenter(QObject):
    """Open the dialog, and do what is asked for there.

    Args:
        clients: The programs of agents.
        make_dialog: Makes the dialog over the window.
        address: Gives where the gateway is, or will be.
        serve: Switches the gateway on unless it is, and returns how it stands.
        patience_s: How long the first request may take before something seems wrong, in seconds.

    Signals:
        noticed(str): A sentence for the person.
        changed(): Agents were let in, or taken out.
        connected(): The program of an agent was connected.
    """

    noticed = Signal(str)
    changed = Signal()
    connected = Signal()

    def __init__(
        self,
        clients: Clients,
        gateway: GatewayUse,
        make_dialog: Callable[[], ConnectDialog],
        *,
        address: Callable[[], str],
        serve: Callable[[], Awaitable[GatewayState]],
        scope: TaskScope,
        patience_s: float = _PATIENCE_S,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._clients = clients
        self._gateway = gateway
        self._make_dialog = make_dialog
        self._address = address
        self._serve = serve
        self._scope = scope
        self._patience_s = patience_s
        self._dialog: ConnectDialog | None = None
        self._shown_address = ""
        self._waiting: asyncio.Task[None] | None = None

    @Slot()
    def open(self) -> None:
        dialog = self._dialog = self._make_dialog()
        dialog.preview_requested.connect(self._on_dialog_preview_requested)
        dialog.transport_chosen.connect(self._on_dialog_transport_chosen)
        dialog.connect_requested.connect(self._on_dialog_connect_requested)
        dialog.undo_requested.connect(self._on_dialog_undo_requested)
        dialog.copy_requested.connect(self._on_dialog_copy_requested)
        dialog.finished.connect(self._on_dialog_finished)
        dialog.open()
        self._scope.start(self._list(), "look for programs of agents")  # type: ignore[unused-awaitable]

    def close(self) -> None:
        """Close the dialog, if it is open."""
        if self._dialog is not None:
            self._dialog.close()

    async def _list(self) -> None:
        rows = await self._clients.rows()
        if self._dialog is not None:
            self._dialog.show_clients(rows)

    async def _preview(self, key: str, *, over_bridge: bool | None = None) -> None:
        self._shown_address = self._address()
        preview = await self._clients.preview(key, self._shown_address, over_bridge=over_bridge)
        if self._dialog is not None:
            self._dialog.show_preview(preview)

    async def _connect(self, key: str, name: str, profile: str) -> None:
        state = await self._serve()
        if state.address != self._shown_address:
            await self._preview(key, over_bridge=None if self._dialog is None else self._dialog.over_bridge)
            self._show_problem(
                tr("The gateway listens at {address} now; look at the change again.", address=state.address)
                if state.is_on
                else tr("The gateway cannot be switched on: {problem}. Nothing was written.", problem=state.problem)
            )
            return
        began = datetime.now(UTC)
        try:
            connection = await self._clients.connect(key, name, profile)
        except GatewayError as error:
            self._show_problem(translated(error))
            return
        self.changed.emit()
        self.connected.emit()
        await self._list()
        if self._dialog is not None:
            self._dialog.show_waiting(connection)
            self._waiting = self._scope.start(self._wait(connection, began), "wait for the first request")

    async def _wait(self, connection: ConnectedClient, began: datetime) -> None:
        """Look whether the agent asked for something since."""
        loop = asyncio.get_running_loop()
        until = loop.time() + self._patience_s
        while (dialog := self._dialog) is not None:
            state = await self._gateway.state()
            last = next((row.last_at for row in state.agents if row.name == connection.agent), None)
            if last is not None and last >= began:
                dialog.show_called(connection.agent, last)
                return
            if loop.time() >= until:
                dialog.show_silence(_PATIENCE_OVER.format(address=state.address or tr("no address, as it is off")))
            await asyncio.sleep(_LOOK_EVERY_S)

    async def _undo(self, key: str, *, entry_only: bool) -> None:
        self._stop_waiting()
        try:
            undone = await self._clients.undo(key, entry_only=entry_only)
        except GatewayError as error:
            self._show_problem(translated(error), can_take_out=not entry_only)
            return
        self.changed.emit()
        self.noticed.emit(undone.words)
        await self._list()
        await self._preview(key)

    async def _copy(self, program: str) -> None:
        over_bridge = self._dialog is not None and self._dialog.over_bridge
        texts = await self._clients.snippets(self._address(), over_bridge=over_bridge)
        QGuiApplication.clipboard().setText(texts[program])
        self.noticed.emit(
            tr("The entry for {program} is on the clipboard; put the agent's token into it.", program=program)
        )

    def _show_problem(self, problem: str, *, can_take_out: bool = False) -> None:
        if self._dialog is not None:
            self._dialog.show_problem(problem, can_take_out=can_take_out)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    @Slot(str)
    def _on_dialog_preview_requested(self, key: str) -> None:
        self._stop_waiting()
        self._scope.start(self._preview(key), "look at a program's file")  # type: ignore[unused-awaitable]

    @Slot(str, bool)
    def _on_dialog_transport_chosen(self, key: str, over_bridge: bool) -> None:
        self._scope.start(self._preview(key, over_bridge=over_bridge), "look at a program's file")  # type: ignore[unused-awaitable]

    @Slot(str, str, str)
    def _on_dialog_connect_requested(self, key: str, name: str, profile: str) -> None:
        self._scope.start(self._connect(key, name, profile), "connect a program")  # type: ignore[unused-awaitable]

    @Slot(str, bool)
    def _on_dialog_undo_requested(self, key: str, entry_only: bool) -> None:
        self._scope.start(self._undo(key, entry_only=entry_only), "undo")  # type: ignore[unused-awaitable]

    @Slot(str)
    def _on_dialog_copy_requested(self, program: str) -> None:
        self._scope.start(self._copy(program), "copy an entry")  # type: ignore[unused-awaitable]

    @Slot()
    def _on_dialog_finished(self) -> None:
        self._stop_waiting()
        self._dialog = None
