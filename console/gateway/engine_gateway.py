"""The gateway on the engine's loop: switched, asked and changed from the window, which gets values only."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import subprocess
from collections.abc import Iterable, Iterator
from datetime import timedelta
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from console.engine import Engine
from console.gateway.rows import AgentRow, AgentRuleRow, GatewayState, NewAgent
from console.language import tr, tr_count, translated
from tools.errors import GatewayError
from tools.execution.executor import Executor
from tools.gateway.agents import AGENTS_FILE, Agents, caller_of
from tools.gateway.background_program import let_go, start_in_background
from tools.gateway.defaults import GatewayLimits
from tools.gateway.owner_note import served_port
from tools.policy.matching import fits_name
from tools.policy.rules import ANYTHING
from tools.workbench import Workbench

if TYPE_CHECKING:
    from tools.gateway.agent_server import AgentUse
    from tools.gateway.agents import Agent
    from tools.gateway.endpoint import GatewayEndpoint
    from tools.gateway.handover import Handover
    from tools.policy import PlacedRule

_log = logging.getLogger(__name__)

_GIVE_BACK_S: Final = 30.0
_FINISH_S: Final = 5.0
_LOOK_S: Final = 0.2


class Gateway(Protocol):
    """What the window needs of the gateway."""

    @property
    def is_on(self) -> bool:
        """Whether agents are served here, or were until another program took over."""
        ...

    async def is_served_elsewhere(self) -> bool:
        """Return whether another program serves agents now."""
        ...

    async def connected(self) -> tuple[str, ...]: ...

    async def state(self) -> GatewayState: ...

    async def switch(self, *, on: bool, port: int = 0) -> GatewayState:
        """Serve agents on a port, or no longer; what keeps it from that is the problem of the state.

        Another program that serves them hands over what it holds, and its port.
        """
        ...

    async def limit(self, limits: GatewayLimits) -> None:
        """Allow each agent that much from now on."""
        ...

    async def pause(self, *, on: bool) -> None:
        """Hold the calls of all agents, or let them go on.

        Raises:
            GatewayError: The file of agents cannot be written.
        """
        ...

    async def stop_running(self) -> None: ...

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
        data: The data folder, which has the agents.
    """

    def __init__(self, engine: Engine, executor: Executor, workbench: Workbench, data: Path) -> None:
        self._engine = engine
        self._workbench = workbench
        self._executor = executor
        self._data = data
        self._agents = Agents(data / AGENTS_FILE)
        self._endpoint: GatewayEndpoint | None = None
        self._limits = GatewayLimits()
        self._problem = ""
        self._came = ""

    @property
    def is_on(self) -> bool:
        return self._endpoint is not None

    async def is_served_elsewhere(self) -> bool:
        return self._endpoint is None and await self._engine.compute(served_port, self._data) is not None

    async def connected(self) -> tuple[str, ...]:
        return () if self._endpoint is None else await self._engine.call(_connected, self._endpoint)

    async def state(self) -> GatewayState:
        state = await self._engine.compute(self._kept)
        return state if self._endpoint is None else await self._engine.call(_live, state, self._endpoint)

    async def switch(self, *, on: bool, port: int = 0) -> GatewayState:
        await self.close()
        self._problem = self._came = ""
        if on:
            endpoint = await self._engine.compute(self._made, port)
            try:
                handed = await self._engine.call(endpoint.start, takes_over=True)
                self._endpoint = endpoint
                self._came = "" if handed is None else _words_of(handed)
            except GatewayError as error:
                self._problem = translated(error)
        return await self.state()

    async def limit(self, limits: GatewayLimits) -> None:
        self._limits = limits
        if self._endpoint is not None:
            await self._engine.call(_limit, self._endpoint, limits)

    async def pause(self, *, on: bool) -> None:
        await self._engine.compute(self._agents.pause if on else self._agents.resume)

    async def stop_running(self) -> None:
        if self._endpoint is not None:
            await self._engine.call(_stop_running, self._endpoint)

    async def add(self, agent: NewAgent) -> str:
        valid_for = None if agent.days is None else timedelta(days=agent.days)
        added = await self._engine.compute(
            self._agents.add, agent.name, agent.tools, profile=agent.profile, valid_for=valid_for
        )
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

    async def give_back(self, project: Path | None) -> bool:
        """Have a program in the background serve agents on, with all that is held; return whether it does.

        Args:
            project: The project folder; None for none.
        """
        if self._endpoint is None:
            return False
        try:
            program = await self._engine.compute(
                start_in_background,
                self._data,
                project=project,
                calls_a_minute=self._limits.calls_a_minute,
                takes_over=True,
            )
        except GatewayError:
            _log.exception("agents are served no longer")
            return False
        return await self._engine.call(_given_back, self._endpoint, program)

    def _made(self, port: int) -> GatewayEndpoint:
        # The libraries of a server take a while to import, so a thread does it when somebody switches it on.
        from tools.gateway.endpoint import GatewayEndpoint  # noqa: PLC0415 -- see above

        return GatewayEndpoint(
            self._executor,
            self._agents,
            self._data,
            render_prompt=self._workbench.render_prompt,
            port=port,
            calls_a_minute=self._limits.calls_a_minute,
            answer_within_s=self._limits.answer_within_s,
            version=version("tool-console"),
            name="the window",
            is_behind=self._engine.heartbeat.is_late,
        )

    def _kept(self) -> GatewayState:
        try:
            rows, is_paused = tuple(map(_row, self._agents.all())), self._agents.paused is not None
            profiles = tuple(profile.name for profile in self._agents.profiles())
            policy = self._executor.policy
            rules = () if policy is None else tuple(_rules_for(rows, policy.rules))
            return GatewayState("", rows, self._problem, is_paused, came=self._came, profiles=profiles, rules=rules)
        except GatewayError as error:
            return GatewayState("", (), str(error))


def _words_of(handed: Handover) -> str:
    """Return which program handed over, and what came along."""
    asked = tr_count(
        handed.questions,
        "{name} handed over {count} question",
        "{name} handed over {count} questions",
        name=handed.name,
    )
    runs = tr_count(handed.running, ", {count} call that still runs there", ", {count} calls that still run there")
    return f"{asked}{runs}" if handed.running else asked


def _rules_for(agents: Iterable[AgentRow], rules: Iterable[PlacedRule]) -> Iterator[AgentRuleRow]:
    """Yield the rules that say something of a call of some agent now."""
    callers = {caller_of(agent.name): agent.name for agent in agents}
    for placed in rules:
        rule = placed.rule
        names = [name for caller, name in callers.items() if fits_name(rule.caller, caller)]
        if rule.enabled and not placed.suspended and (names or rule.caller == ANYTHING):
            yield AgentRuleRow(
                rule.id, placed.words, "" if rule.caller == ANYTHING else ", ".join(names), rule.effect.value
            )


def _row(agent: Agent) -> AgentRow:
    return AgentRow(
        agent.name,
        agent.profile.name,
        agent.token_hint,
        agent.created_at,
        agent.expires_at,
        agent.is_blocked,
        holds=tuple(agent.hold_s.items()),
    )


async def _connected(endpoint: GatewayEndpoint) -> tuple[str, ...]:
    return endpoint.connected()


async def _given_back(endpoint: GatewayEndpoint, program: subprocess.Popen[bytes]) -> bool:
    """Wait until a program has taken over, and a moment for the calls that still run here."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_GIVE_BACK_S):
            while not endpoint.handed_over.is_set() and program.poll() is None:
                # Nobody tells of the end of the program.
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(endpoint.handed_over.wait(), _LOOK_S)
    let_go(program)
    if not endpoint.handed_over.is_set():
        _log.warning("no program in the background took over the agents; its log says why")
        return False
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(endpoint.finished(), _FINISH_S)
    return True


def _used(row: AgentRow, used: AgentUse) -> AgentRow:
    return row._replace(
        calls=used.calls,
        lists=used.lists,
        tokens=used.tokens,
        last_at=used.last_at,
        unseen=tuple(used.unseen.items()),
    )


async def _live(state: GatewayState, endpoint: GatewayEndpoint) -> GatewayState:
    """Add what agents do; on the engine's loop, where that changes."""
    agents = []
    for row in state.agents:
        used = endpoint.use(row.name)
        allowed = endpoint.allowed(row.name)
        live = row._replace(waiting=endpoint.waiting(row.name) - allowed, allowed=allowed)
        agents.append(live if used is None else _used(live, used))
    problem = state.problem if endpoint.address else tr("another program took over, and serves the agents now")
    return state._replace(address=endpoint.address, agents=tuple(agents), running=endpoint.running, problem=problem)


async def _limit(endpoint: GatewayEndpoint, limits: GatewayLimits) -> None:
    endpoint.limit(limits.calls_a_minute, limits.answer_within_s)


async def _stop_running(endpoint: GatewayEndpoint) -> None:
    endpoint.stop_running()
