"""The gateway on the engine's loop: switched, asked and changed from the window, which gets values only."""

from __future__ import annotations

from datetime import timedelta
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from console.engine import Engine
from console.gateway.rows import AgentRow, GatewayState, NewAgent
from tools.errors import GatewayError
from tools.execution import Executor
from tools.gateway.agents import AGENTS_FILE, Agents
from tools.workbench import Workbench

if TYPE_CHECKING:
    from tools.gateway.agents import Agent
    from tools.gateway.endpoint import GatewayEndpoint


class Gateway(Protocol):
    """What the window needs of the gateway."""

    async def state(self) -> GatewayState:
        """Return how it stands."""
        ...

    async def switch(self, *, on: bool, port: int = 0) -> GatewayState:
        """Serve agents on a port, or no longer; what keeps it from that is the problem of the state."""
        ...

    async def pause(self, *, on: bool) -> None:
        """Hold the calls of all agents, or let them go on.

        Raises:
            GatewayError: The file of agents cannot be written.
        """
        ...

    async def stop_running(self) -> None:
        """Stop the calls of agents that run."""
        ...

    async def add(self, agent: NewAgent) -> str:
        """Let an agent in, and return its token.

        Raises:
            GatewayError: It cannot be let in.
        """
        ...

    async def renew(self, name: str) -> str:
        """Give an agent another token, and return it.

        Raises:
            GatewayError: There is no such agent.
        """
        ...

    async def block(self, name: str, *, blocked: bool) -> None:
        """Refuse the requests of an agent, or no longer.

        Raises:
            GatewayError: There is no such agent.
        """
        ...

    async def remove(self, name: str) -> None:
        """Forget an agent and its token.

        Raises:
            GatewayError: There is no such agent.
        """
        ...


class EngineGateway:
    """Be the gateway of this program.

    Args:
        engine: Has the loop and the threads.
        executor: Runs the calls of agents.
        workbench: Has the prompts.
        data: The data folder, which has the agents.
    """

    def __init__(self, engine: Engine, executor: Executor, workbench: Workbench, data: Path) -> None:
        self._engine = engine
        self._workbench = workbench
        self._executor = executor
        self._data = data
        self._agents = Agents(data / AGENTS_FILE)
        self._endpoint: GatewayEndpoint | None = None
        self._problem = ""

    async def state(self) -> GatewayState:
        state = await self._engine.compute(self._kept)
        return state if self._endpoint is None else await self._engine.call(_live, state, self._endpoint)

    async def switch(self, *, on: bool, port: int = 0) -> GatewayState:
        await self.close()
        self._problem = ""
        if on:
            endpoint = await self._engine.compute(self._made, port)
            try:
                await self._engine.call(endpoint.start)
                self._endpoint = endpoint
            except GatewayError as error:
                self._problem = str(error)
        return await self.state()

    async def pause(self, *, on: bool) -> None:
        await self._engine.compute(self._agents.pause if on else self._agents.resume)

    async def stop_running(self) -> None:
        if self._endpoint is not None:
            await self._engine.call(_stop_running, self._endpoint)

    async def add(self, agent: NewAgent) -> str:
        valid_for = None if agent.days is None else timedelta(days=agent.days)
        added = await self._engine.compute(self._agents.add, agent.name, agent.tools, valid_for=valid_for)
        return added.token

    async def renew(self, name: str) -> str:
        return (await self._engine.compute(self._agents.renew, name)).token

    async def block(self, name: str, *, blocked: bool) -> None:
        await self._engine.compute(self._agents.block, name, blocked=blocked)

    async def remove(self, name: str) -> None:
        await self._engine.compute(self._agents.remove, name)

    async def close(self) -> None:
        """Serve agents no longer."""
        if self._endpoint is not None:
            endpoint, self._endpoint = self._endpoint, None
            await self._engine.call(endpoint.aclose)

    def _made(self, port: int) -> GatewayEndpoint:
        # The libraries of a server take a while to import, so a thread does it when somebody switches it on.
        from tools.gateway.endpoint import GatewayEndpoint  # noqa: PLC0415 -- see above

        return GatewayEndpoint(
            self._executor,
            self._agents,
            self._data,
            render_prompt=self._workbench.render_prompt,
            port=port,
            version=version("tool-console"),
        )

    def _kept(self) -> GatewayState:
        """Return the state as the file of agents has it."""
        try:
            rows, is_paused = tuple(map(_row, self._agents.all())), self._agents.paused is not None
            return GatewayState("", rows, self._problem, is_paused)
        except GatewayError as error:
            return GatewayState("", (), str(error))


def _row(agent: Agent) -> AgentRow:
    return AgentRow(
        agent.name, agent.profile.name, agent.token_hint, agent.created_at, agent.expires_at, agent.is_blocked
    )


async def _live(state: GatewayState, endpoint: GatewayEndpoint) -> GatewayState:
    """Add what agents do; on the engine's loop, where that changes."""
    agents = []
    for row in state.agents:
        used = endpoint.use(row.name)
        live = row._replace(waiting=endpoint.waiting(row.name))
        agents.append(live if used is None else live._replace(calls=used.calls, last_at=used.last_at))
    return state._replace(address=endpoint.address, agents=tuple(agents), running=endpoint.running)


async def _stop_running(endpoint: GatewayEndpoint) -> None:
    endpoint.stop_running()
