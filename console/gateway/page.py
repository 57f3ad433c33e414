"""The gateway of the program, and the panel about it beside the servers."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from console.engine import Engine
from console.gateway.agent_dialog import AgentDialog
from console.gateway.connect_dialog import ConnectDialog
from console.gateway.connect_presenter import ConnectPresenter
from console.gateway.engine_clients import EngineClients
from console.gateway.engine_gateway import EngineGateway
from console.gateway.leaving import Leaving
from console.gateway.leaving_dialog import LeavingDialog
from console.gateway.presenter import GatewayPresenter
from console.gateway.view import BesideServers, GatewayPanel
from console.preferences import Preferences
from console.tasks import TaskScope
from tools.execution import Executor
from tools.paths import NO_PROJECT
from tools.workbench import Workbench


class GatewayPane(QObject):
    """Own the gateway and its panel.

    Args:
        window: What its dialog stands over.
        servers: The page of the servers, which it stands beside.
        engine: Has the loop that serves agents.
        executor: Runs their calls.
        workbench: Has the prompts.
        data: The data folder, which has the agents.
        preferences: Remember whether it is on.
        scope: Owns the tasks.
        parent: Its owner.

    Attributes:
        panel: The panel.
        leaving: Asks what becomes of agents when the window is closed.
        widget: The servers, and the panel beside them.

    Signals:
        noticed(str): A sentence for the person.
        switched(str): Agents are served at this host and port now; "" when they are not.
        paused(bool): The calls of agents wait until the person resumes, or go on.
    """

    noticed = Signal(str)
    switched = Signal(str)
    paused = Signal(bool)

    def __init__(
        self,
        window: QWidget,
        servers: QWidget,
        engine: Engine,
        executor: Executor,
        *,
        workbench: Workbench,
        data: Path,
        preferences: Preferences,
        scope: TaskScope,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._executor = executor
        self._gateway = EngineGateway(engine, executor, workbench, data)
        clients = EngineClients(engine, data, self._project)
        self.panel = GatewayPanel()
        self.widget = BesideServers(servers, self.panel)
        self._presenter = GatewayPresenter(
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
            serve=self._presenter.serve,
            scope=scope,
            parent=self,
        )
        self.leaving = Leaving(self._gateway, self._leaving_dialog, preferences=preferences, scope=scope, parent=self)
        self._connecting.noticed.connect(self.noticed)
        self._connecting.changed.connect(self._presenter.refresh)
        self.panel.connect_requested.connect(self.connect_agent)
        self._presenter.noticed.connect(self.noticed)
        self._presenter.switched.connect(self.switched)
        self._presenter.paused.connect(self.paused)

    def start(self) -> None:
        """Serve agents again if they were served when the program ended."""
        self._presenter.start()

    @Slot()
    def toggle_pause(self) -> None:
        """Hold the calls of all agents, or let them go on when they are held."""
        self._presenter.toggle_pause()

    @Slot()
    def connect_agent(self) -> None:
        """Let the person connect the program of an agent."""
        self._connecting.open()

    def _address(self) -> str:
        return self._presenter.address

    def _project(self) -> Path | None:
        folder = self._executor.project_dir
        return None if folder == NO_PROJECT else folder

    def _connect_dialog(self) -> ConnectDialog:
        return ConnectDialog(self._window)

    def _dialog(self, renewed: str = "") -> AgentDialog:
        return AgentDialog(self._window, renewed)

    def _leaving_dialog(self, agents: str) -> LeavingDialog:
        return LeavingDialog(agents, self._window)

    async def give_back(self) -> None:
        """Have agents served on in the background, if that was chosen."""
        if self.leaving.goes_on:
            await self._gateway.give_back(self._project())

    async def end(self) -> None:
        """Serve agents no longer."""
        await self._gateway.close()

    def close(self) -> None:
        """Close the dialogs that are open."""
        self._presenter.close()
        self._connecting.close()
        self.leaving.close()
