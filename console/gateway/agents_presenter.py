"""What stands behind the Agents page: it looks at agents while the page is seen, and changes what they see."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot

from console.gateway.agents_model import AgentsState
from console.gateway.agents_view import AgentsView
from console.gateway.engine_agents import AgentsPort
from console.language import tr, tr_count, translated
from console.preferences import Preferences
from console.tasks import TaskScope
from tools.errors import GatewayError

_LOOK_EVERY_S: Final = 1.0
_SPLITTER: Final = "agentsSplitter"


class AgentsPresenter(QObject):
    """Keep the page true, and change what agents see.

    Args:
        agents: Knows and changes agents.
        memory: Keeps how wide columns and parts are.

    Signals:
        noticed(str): A sentence for the person.
        changed(): What an agent sees is another now.
    """

    noticed = Signal(str)
    changed = Signal()

    def __init__(
        self,
        view: AgentsView,
        agents: AgentsPort,
        *,
        memory: Preferences,
        scope: TaskScope,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._view = view
        self._agents = agents
        self._memory = memory
        self._scope = scope
        self._state: AgentsState | None = None
        self._appeared = asyncio.Event()
        view.appeared.connect(self._appeared.set)
        view.profile_chosen.connect(self._on_view_profile_chosen)
        view.narrow_requested.connect(self._on_view_narrow_requested)
        view.hold_reset_requested.connect(self._on_view_hold_reset_requested)
        if sizes := memory.sizes(_SPLITTER):
            view.splitter.setSizes(sizes)
        for table in (view.table, view.tool_table):
            table.set_widths(memory.sizes(table.objectName()))

    def start(self) -> None:
        self._scope.start(self._keep_fresh(), "look at the agents")  # type: ignore[unused-awaitable]

    def remember(self) -> None:
        """Keep how wide columns and parts are."""
        self._memory.set_sizes(_SPLITTER, tuple(self._view.splitter.sizes()))
        for table in (self._view.table, self._view.tool_table):
            self._memory.set_sizes(table.objectName(), table.widths)

    @Slot()
    def refresh(self) -> None:
        """Look at once."""
        self._scope.start(self._look(), "look at the agents once")  # type: ignore[unused-awaitable]

    async def _keep_fresh(self) -> None:
        while True:
            self._appeared.clear()
            if not self._view.isVisible():
                await self._appeared.wait()
            await self._look()
            await asyncio.sleep(_LOOK_EVERY_S)

    async def _look(self) -> None:
        state = await self._agents.state()
        if state != self._state:
            self._state = state
            self._view.show_state(state)

    @Slot(str, str)
    def _on_view_profile_chosen(self, agent: str, profile: str) -> None:
        done = (
            tr("{agent} sees the tools of the profile {profile}.", agent=agent, profile=profile)
            if profile
            else tr("{agent} sees all tools.", agent=agent)
        )
        self._begin(lambda: self._agents.give(agent, profile), done)

    @Slot(str, tuple)
    def _on_view_narrow_requested(self, agent: str, tools: tuple[str, ...]) -> None:
        self._begin(
            lambda: self._agents.narrow(agent, tools),
            tr_count(len(tools), "{agent} sees {count:,} tool now.", "{agent} sees {count:,} tools now.", agent=agent),
        )

    @Slot(str)
    def _on_view_hold_reset_requested(self, agent: str) -> None:
        self._begin(
            lambda: self._agents.forget_holds(agent),
            tr("Requests of {agent} are held as long as others again.", agent=agent),
        )

    def _begin(self, change: Callable[[], Awaitable[object]], done: str) -> None:
        self._scope.start(self._change(change, done), "change what an agent sees")  # type: ignore[unused-awaitable]

    async def _change(self, change: Callable[[], Awaitable[object]], done: str) -> None:
        try:
            await change()
            self.noticed.emit(done)
        except GatewayError as error:
            self.noticed.emit(translated(error))
        self.changed.emit()
        self._state = None
        await self._look()
