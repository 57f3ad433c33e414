"""The gateway of the program, and the panel about it beside the servers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from console.call_storage import CallStorage
from console.engine import Engine
from console.gateway.agent_dialog import AgentDialog
from console.gateway.agents_presenter import AgentsPresenter
from console.gateway.agents_view import AgentsView
from console.gateway.closing_dialog import LeavingDialog
from console.gateway.connect_presenter import ConnectPresenter
from console.gateway.engine_agents import EngineAgents
from console.gateway.engine_clients import EngineClients
from console.gateway.engine_gateway import EngineGateway
from console.gateway.engine_profiles import EngineProfiles
from console.gateway.presenter import GatewayPresenter
from console.gateway.profile_dialog import ProfileDialog
from console.gateway.profile_presenter import ProfilePresenter
from console.gateway.view import BesideServers, GatewayPanel
from console.gateway.window_closing import Leaving
from console.language import tr
from console.lazy_page import LazyPage
from console.preferences import Preferences
from console.tasks import TaskScope
from console.widgets import ConfirmLoss
from tools.execution.executor import Executor
from tools.paths import NO_PROJECT
from tools.workbench import Workbench

if TYPE_CHECKING:
    from console.gateway.connect_dialog import ConnectDialog


class GatewayPane(QObject):
    """Own the gateway and its panel.

    Args:
        window: What its dialog stands over.
        servers: The page of the servers, which it stands beside.
        engine: Has the loop that serves agents.
        executor: Runs their calls.
        data: The data folder, which has the agents.
        records: The calls of the past.
        ask: Asks before an agent is removed.

    Attributes:
        presenter: Switches the gateway, and knows what agents are allowed.
        panel: The panel.
        leaving: Asks what becomes of agents when the window is closed.
        widget: The servers, and the panel beside them.
        agents: The Agents page, made when somebody wants to see it.

    Signals:
        page_requested(str): This page is to come to the front.
        calls_requested(str): The calls of this caller are to be shown.
        noticed(str): A sentence for the person.
        switched(str): Agents are served at this host and port now; "" when they are not.
        paused(bool): The calls of agents wait until the person resumes, or go on.
        rules_requested(): All rules are to be shown.
        agent_connected(): The program of an agent was connected.
    """

    page_requested = Signal(str)
    calls_requested = Signal(str)
    noticed = Signal(str)
    switched = Signal(str)
    paused = Signal(bool)
    rules_requested = Signal()
    agent_connected = Signal()

    def __init__(
        self,
        window: QWidget,
        servers: QWidget,
        engine: Engine,
        executor: Executor,
        *,
        workbench: Workbench,
        data: Path,
        records: CallStorage,
        preferences: Preferences,
        ask: ConfirmLoss,
        scope: TaskScope,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._ask = ask
        self._removed = ""
        self._preferences = preferences
        self._scope = scope
        self._executor = executor
        self._gateway = EngineGateway(engine, executor, workbench, data)
        clients = EngineClients(engine, data, self._project)
        self.panel = GatewayPanel()
        self.widget = BesideServers(servers, self.panel)
        self.presenter = GatewayPresenter(
            self.panel,
            self._gateway,
            self._dialog,
            clients=clients,
            preferences=preferences,
            scope=scope,
            parent=self,
        )
        self._connecting = ConnectPresenter(
            clients,
            self._gateway,
            self._connect_dialog,
            address=self._address,
            serve=self.presenter.serve,
            scope=scope,
            parent=self,
        )
        self.leaving = Leaving(self._gateway, self._leaving_dialog, preferences=preferences, scope=scope, parent=self)
        self._connecting.noticed.connect(self.noticed)
        self._connecting.changed.connect(self.presenter.refresh)
        self._connecting.connected.connect(self.agent_connected)
        self.panel.connect_requested.connect(self.connect_agent)
        self._engine_agents = EngineAgents(engine, self._gateway, executor.registry, records, data=data)
        self._profiles = ProfilePresenter(
            EngineProfiles(engine, executor.registry, data, self._project),
            self._profile_dialog,
            scope=scope,
            parent=self,
        )
        self._profiles.noticed.connect(self.noticed)
        self.agents = LazyPage(tr("Agents"))
        self._agents_view: AgentsView | None = None
        self._agents_presenter: AgentsPresenter | None = None
        self.agents.wanted.connect(self._on_agents_wanted)
        self.panel.agents_requested.connect(self.show_agents)
        self.panel.rules.rules_requested.connect(self.rules_requested)
        self.presenter.removal_asked.connect(self._on_presenter_removal_asked)
        self.presenter.noticed.connect(self.noticed)
        self.presenter.switched.connect(self.switched)
        self.presenter.paused.connect(self.paused)

    def start(self) -> None:
        """Serve agents again if they were served when the program ended."""
        self.presenter.start()

    @Slot()
    def toggle_pause(self) -> None:
        """Hold the calls of all agents, or let them go on when they are held."""
        self.presenter.toggle_pause()

    @Slot()
    def show_panel(self) -> None:
        self.page_requested.emit("servers")
        self.widget.reveal_panel()

    @Slot()
    def connect_agent(self) -> None:
        self._connecting.open()

    @Slot(str)
    def show_agents(self, agent: str) -> None:
        """Bring the Agents page to the front, with an agent chosen; "" for any."""
        self.page_requested.emit("agents")
        if agent and self._agents_view is not None:
            self._agents_view.show_agent(agent)

    @Slot()
    def _on_agents_wanted(self) -> None:
        view = self._agents_view = AgentsView()
        presenter = AgentsPresenter(view, self._engine_agents, memory=self._preferences, scope=self._scope, parent=self)
        self._agents_presenter = presenter
        view.switched.connect(self.panel.switched)
        view.connect_requested.connect(self.connect_agent)
        view.panel_requested.connect(self.show_panel)
        view.add_requested.connect(self.panel.add_requested)
        view.renew_requested.connect(self.panel.renew_requested)
        view.block_requested.connect(self.panel.block_requested)
        view.remove_requested.connect(self.panel.remove_requested)
        view.profiles_requested.connect(self._on_view_profiles_requested)
        self._profiles.changed.connect(presenter.refresh)
        view.calls_requested.connect(self._on_view_calls_requested)
        presenter.noticed.connect(self.noticed)
        presenter.changed.connect(self.presenter.refresh)
        self.agents.fill(view)
        presenter.start()

    @Slot(str)
    def _on_presenter_removal_asked(self, agent: str) -> None:
        self._removed = agent
        self._ask(
            tr("Remove {name}?", name=agent),
            tr("Its token lets nobody in any more, and what it waits for is withdrawn. This cannot be undone."),
            tr("Remove"),
            self._remove,
        )

    def _remove(self) -> None:
        self.presenter.remove(self._removed)

    @Slot(str)
    def _on_view_profiles_requested(self, name: str) -> None:
        self._profiles.open(name)

    @Slot(str)
    def _on_view_calls_requested(self, agent: str) -> None:
        self.calls_requested.emit(f"agent:{agent}")

    def _address(self) -> str:
        return self.presenter.address

    def _project(self) -> Path | None:
        folder = self._executor.project_dir
        return None if folder == NO_PROJECT else folder

    def _connect_dialog(self) -> ConnectDialog:
        from console.gateway.connect_dialog import ConnectDialog  # noqa: PLC0415 -- the start needs no differences

        return ConnectDialog(self._window)

    def _profile_dialog(self) -> ProfileDialog:
        return ProfileDialog(self._window)

    def _dialog(self, renewed: str = "", profiles: Sequence[str] = ()) -> AgentDialog:
        return AgentDialog(self._window, renewed, profiles)

    def _leaving_dialog(self, agents: Sequence[str]) -> LeavingDialog:
        return LeavingDialog(agents, self._window)

    def remember(self) -> None:
        """Keep how wide columns and parts of the Agents page are."""
        if self._agents_presenter is not None:
            self._agents_presenter.remember()

    async def give_back(self) -> None:
        """Have agents served on in the background, if that was chosen."""
        if self.leaving.goes_on:
            self._window.hide()
            await self._gateway.give_back(self._project())

    async def end(self) -> None:
        """Serve agents no longer."""
        await self._gateway.close()

    def close(self) -> None:
        self.presenter.close()
        self._connecting.close()
        self.leaving.close()
        self._profiles.close()
