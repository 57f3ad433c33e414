"""The gateway is switched by one at a time, whoever wants it on first."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from console.gateway.presenter import GatewayPresenter
from console.gateway.rows import GatewayState
from console.gateway.view import GatewayPanel
from console.preferences import Preferences
from console.tasks import TaskScope
from tools.gateway.defaults import GatewayLimits

if TYPE_CHECKING:
    from pathlib import Path

    from console.theme import ThemeController


class SlowGateway:
    """Look for another program until somebody switched this one on, and find the port that is served then."""

    def __init__(self) -> None:
        self.switched: list[bool] = []
        self.looks, self.found = asyncio.Event(), asyncio.Event()

    async def is_served_elsewhere(self) -> bool:
        self.looks.set()
        await self.found.wait()
        return bool(self.switched)

    async def switch(self, *, on: bool, port: int = 0) -> GatewayState:
        self.switched.append(on)
        return await self.state()

    async def limit(self, limits: GatewayLimits) -> None:
        self.limits = limits

    async def state(self) -> GatewayState:
        return GatewayState(address="http://127.0.0.1:8620/mcp" if self.switched and self.switched[-1] else "")


class NoClients:
    """Know no program of an agent."""

    async def snippets(self, address: str) -> dict[str, str]:
        return {}


async def test_a_gateway_that_an_agent_was_connected_to_is_not_taken_over_from_itself(
    theme: ThemeController, tmp_path: Path
) -> None:
    gateway: Any = SlowGateway()
    clients: Any = NoClients()
    panel = GatewayPanel()
    scope = TaskScope("test")
    presenter = GatewayPresenter(
        panel,
        gateway,
        lambda **_: None,  # type: ignore[arg-type]  # no agent is added here
        clients=clients,
        preferences=Preferences(tmp_path / "window.ini"),
        scope=scope,
    )
    presenter.start()
    await gateway.looks.wait()
    serving = asyncio.create_task(presenter.serve())
    await asyncio.sleep(0)
    gateway.found.set()

    state = await serving
    for _ in range(10):
        await asyncio.sleep(0)

    assert state.is_on
    assert gateway.switched == [True]
    await scope.close()
    panel.deleteLater()
