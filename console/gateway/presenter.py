"""What the panel of the gateway shows, and what becomes of what a person does there."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Protocol
from urllib.parse import urlsplit

from PySide6.QtCore import QObject, Signal, Slot

from console.gateway.engine_clients import Clients
from console.gateway.engine_gateway import Gateway
from console.gateway.rows import GatewayState, NewAgent
from console.gateway.view import GatewayPanel
from console.language import tr, tr_count, translated
from console.preferences import Preferences
from console.tasks import TaskScope
from tools.errors import GatewayError
from tools.gateway.defaults import LAST_PORT, PORT, GatewayLimits, address_of

if TYPE_CHECKING:
    from console.gateway.agent_dialog import AgentDialog

_LOOK_EVERY_S: Final = 1.0
_FLAG: Final = "gateway_on"


class DialogMaker(Protocol):
    """Makes the dialog over the window."""

    def __call__(self, renewed: str = "", profiles: Sequence[str] = ()) -> AgentDialog:
        """Return a dialog for a new agent, which can have one of some profiles, or for another token of one."""
        ...


class GatewayPresenter(QObject):
    """Keep the panel true, and do what is asked for there.

    Args:
        clients: The programs of agents.

    Signals:
        noticed(str): A sentence for the person.
        switched(str): Agents are served at this host and port now; "" when they are not.
        paused(bool): The calls of agents wait until the person resumes, or go on.
        removal_asked(str): This agent shall be removed, if the person agrees.
    """

    noticed = Signal(str)
    switched = Signal(str)
    paused = Signal(bool)
    removal_asked = Signal(str)

    def __init__(
        self,
        view: GatewayPanel,
        gateway: Gateway,
        dialog: DialogMaker,
        *,
        clients: Clients,
        preferences: Preferences,
        scope: TaskScope,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._view = view
        self._gateway = gateway
        self._make_dialog = dialog
        self._clients = clients
        self._preferences = preferences
        self._scope = scope
        self._dialog: AgentDialog | None = None
        self._address = ""
        self._state: GatewayState | None = None
        self._switching = asyncio.Lock()
        self._stirred = asyncio.Event()
        view.appeared.connect(self._stirred.set)
        view.port.setRange(0, LAST_PORT)
        view.port.setValue(preferences.gateway_port)
        view.rules.show_limits(preferences.gateway_limits)
        view.switched.connect(self._on_view_switched)
        view.pause_requested.connect(self._on_view_pause_requested)
        view.stop_requested.connect(self._on_view_stop_requested)
        view.add_requested.connect(self._on_view_add_requested)
        view.renew_requested.connect(self._on_view_renew_requested)
        view.block_requested.connect(self._on_view_block_requested)
        view.remove_requested.connect(self._on_view_remove_requested)
        view.rules.limited.connect(self.set_limits)
        view.noticed.connect(self.noticed)

    def start(self) -> None:
        """Switch it on if it was on when the program ended, or another one serves; and begin to look after it."""
        self._scope.start(self._keep_fresh(), "look after the gateway")  # type: ignore[unused-awaitable]

    async def _keep_fresh(self) -> None:
        async with self._switching:
            # Who connects an agent at once has switched it on by now, and is no other program to take over from.
            if not self._address:
                await self._take_up()
        while True:
            self._stirred.clear()
            if not (self._view.isVisible() or self._address):
                await self._stirred.wait()
            # Another program may pause agents.
            self._show(await self._gateway.state())
            await asyncio.sleep(_LOOK_EVERY_S)

    async def _take_up(self) -> None:
        if self._preferences.flag(_FLAG, default=False):
            await self._switch(on=True)
        elif await self._gateway.is_served_elsewhere():
            # It is taken over for as long as the window is there.
            await self._switch(on=True, keeps=False)

    def _show(self, state: GatewayState) -> None:
        if state != self._state:
            if self._state is None or state.is_paused != self._state.is_paused:
                self.paused.emit(state.is_paused)
            self._state = state
            self._view.show_state(state)
        if state.address != self._address:
            self._address = state.address
            self._stirred.set()
            self.switched.emit(urlsplit(state.address).netloc)
            if state.is_on:
                self._scope.start(self._show_texts(), "write settings of programs")  # type: ignore[unused-awaitable]

    async def _show_texts(self) -> None:
        self._view.snippet.show_texts(await self._clients.snippets(self.address))

    @property
    def address(self) -> str:
        """Where agents reach the gateway, or will once it is on."""
        return self._address or address_of(self._view.port.value() or PORT)

    async def serve(self) -> GatewayState:
        """Switch the gateway on unless it is, at a port that stays; return how it stands."""
        async with self._switching:
            if not self._address:
                self._view.port.setValue(self._view.port.value() or PORT)
                await self._switch(on=True)
        return await self._gateway.state()

    @Slot()
    def refresh(self) -> None:
        self._scope.start(self._refresh(), "look after the gateway")  # type: ignore[unused-awaitable]

    async def _refresh(self) -> None:
        self._show(await self._gateway.state())

    async def _switch(self, *, on: bool, keeps: bool = True, tells: bool = True) -> None:
        self._view.show_switching(on=on)
        self._state = None
        await self._gateway.limit(self._preferences.gateway_limits)
        state = await self._gateway.switch(on=on, port=self._view.port.value())
        if keeps:
            self._preferences.set_flag(_FLAG, value=state.is_on)
            self._preferences.gateway_port = self._view.port.value()
        self._show(state)
        if state.came:
            self.noticed.emit(tr("{came}; agents are served here now.", came=state.came))
        if state.problem and tells:
            self.noticed.emit(tr("The gateway is off: {problem}.", problem=state.problem))

    async def set_port(self, port: int) -> None:
        """Serve agents at this port; a gateway that is on starts again there, and goes on where it was if it cannot.

        Raises:
            ValueError: Why it cannot be served there.
        """
        async with self._switching:
            before = self._preferences.gateway_port
            if not self.is_on or port == before:
                self._take_port(port)
                return
            await self._switch(on=False, keeps=False)
            self._take_port(port)
            await self._switch(on=True, tells=False)
            problem = "" if self._state is None else self._state.problem
            if problem:
                self._take_port(before)
                await self._switch(on=True)
                raise ValueError(problem)

    def _take_port(self, port: int) -> None:
        self._preferences.gateway_port = port
        self._view.port.setValue(port)

    @Slot(object)
    def set_limits(self, limits: GatewayLimits) -> None:
        self._preferences.gateway_limits = limits
        self._view.rules.show_limits(limits)
        self._scope.start(self._gateway.limit(limits), "limit agents")  # type: ignore[unused-awaitable]

    @Slot()
    def toggle_pause(self) -> None:
        """Hold the calls of all agents, or let them go on when they are held."""
        self._on_view_pause_requested(self._state is None or not self._state.is_paused)

    @Slot(bool)
    def _on_view_pause_requested(self, on: bool) -> None:
        self._scope.start(self._pause(on=on), "pause agents")  # type: ignore[unused-awaitable]

    async def _pause(self, *, on: bool) -> None:
        try:
            await self._gateway.pause(on=on)
        except GatewayError as error:
            self.noticed.emit(translated(error))
            return
        state = await self._gateway.state()
        self._show(state)
        if not on:
            self.noticed.emit(tr("Calls of agents go on."))
        elif state.running:
            self.noticed.emit(
                tr_count(
                    state.running,
                    "Calls of agents are held until you resume. {count} call runs on.",
                    "Calls of agents are held until you resume. {count} calls run on.",
                )
            )
        else:
            self.noticed.emit(tr("Calls of agents are held until you resume."))

    @Slot()
    def _on_view_stop_requested(self) -> None:
        self._scope.start(self._stop_running(), "stop calls of agents")  # type: ignore[unused-awaitable]

    async def _stop_running(self) -> None:
        await self._gateway.stop_running()
        self._show(await self._gateway.state())

    @Slot(bool)
    def _on_view_switched(self, on: bool) -> None:
        self._scope.start(self.switch(on=on), "switch the gateway")  # type: ignore[unused-awaitable]

    @property
    def is_on(self) -> bool:
        return self._state is not None and self._state.is_on

    async def switch(self, *, on: bool) -> str:
        """Serve agents, or no longer; return why that cannot be, empty when it can."""
        async with self._switching:
            await self._switch(on=on)
        return "" if self._state is None else self._state.problem

    @Slot()
    def _on_view_add_requested(self) -> None:
        profiles = () if self._state is None else self._state.profiles
        dialog = self._dialog = self._make_dialog(profiles=profiles)
        dialog.submitted.connect(self._on_dialog_submitted)
        dialog.finished.connect(self._on_dialog_finished)
        dialog.open()

    @Slot(object)
    def _on_dialog_submitted(self, agent: NewAgent) -> None:
        self._scope.start(self._add(agent), "let an agent in")  # type: ignore[unused-awaitable]

    @Slot()
    def _on_dialog_finished(self) -> None:
        self._dialog = None

    async def _add(self, agent: NewAgent) -> None:
        try:
            token = await self._gateway.add(agent)
        except GatewayError as error:
            if self._dialog is not None:
                self._dialog.show_problem(translated(error))
            return
        await self._show_token(token)
        self._show(await self._gateway.state())

    async def _show_token(self, token: str) -> None:
        texts = await self._clients.snippets(self.address, token)
        if self._dialog is not None:
            self._dialog.show_token(token, texts)

    @Slot(str)
    def _on_view_renew_requested(self, name: str) -> None:
        self._scope.start(self._renew(name), "renew a token")  # type: ignore[unused-awaitable]

    async def _renew(self, name: str) -> None:
        try:
            token = await self._gateway.renew(name)
        except GatewayError as error:
            self.noticed.emit(translated(error))
            return
        dialog = self._dialog = self._make_dialog(name)
        dialog.finished.connect(self._on_dialog_finished)
        await self._show_token(token)
        dialog.open()
        self._show(await self._gateway.state())

    @Slot(str, bool)
    def _on_view_block_requested(self, name: str, blocked: bool) -> None:
        self._scope.start(self._block(name, blocked=blocked), "block an agent")  # type: ignore[unused-awaitable]

    async def _block(self, name: str, *, blocked: bool) -> None:
        try:
            await self._gateway.block(name, blocked=blocked)
        except GatewayError as error:
            self.noticed.emit(translated(error))
        self._show(await self._gateway.state())

    @Slot(str)
    def _on_view_remove_requested(self, name: str) -> None:
        self.removal_asked.emit(name)

    def remove(self, name: str) -> None:
        """Forget an agent and its token; the person agreed."""
        self._scope.start(self._remove(name), "remove an agent")  # type: ignore[unused-awaitable]

    async def _remove(self, name: str) -> None:
        try:
            await self._gateway.remove(name)
            self.noticed.emit(tr("{name} is removed; its token is good for nothing any more.", name=name))
        except GatewayError as error:
            self.noticed.emit(translated(error))
        self._show(await self._gateway.state())

    def close(self) -> None:
        """Close the dialog, if it is open."""
        if self._dialog is not None:
            self._dialog.close()
