"""The gateway of the program, and the panel about it beside the servers."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from console.engine import Engine
from console.gateway.agent_dialog import AgentDialog
from console.gateway.engine_gateway import EngineGateway
from console.gateway.presenter import GatewayPresenter
from console.gateway.view import BesideServers, GatewayPanel
from console.preferences import Preferences
from console.tasks import TaskScope
from tools.execution import Executor
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
        widget: The servers, and the panel beside them.

    Signals:
        noticed(str): A sentence for the person.
        switched(str): Agents are served at this host and port now; "" when they are not.
    """

    noticed = Signal(str)
    switched = Signal(str)

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
        self._gateway = EngineGateway(engine, executor, workbench, data)
        self.panel = GatewayPanel()
        self.widget = BesideServers(servers, self.panel)
        self._presenter = GatewayPresenter(
            self.panel, self._gateway, self._dialog, preferences=preferences, scope=scope, parent=self
        )
        self._presenter.noticed.connect(self.noticed)
        self._presenter.switched.connect(self.switched)

    def start(self) -> None:
        """Serve agents again if they were served when the program ended."""
        self._presenter.start()

    def _dialog(self, renewed: str = "") -> AgentDialog:
        return AgentDialog(self._window, renewed)

    async def end(self) -> None:
        """Serve agents no longer."""
        await self._gateway.close()

    def close(self) -> None:
        """Close the dialog, if it is open."""
        self._presenter.close()
