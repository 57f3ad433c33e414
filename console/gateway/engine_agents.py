"""What the Agents page and the profile dialog ask of the gateway, the agents' file, the tools and the history."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final, Protocol

from console.call_storage import CallStorage
from console.engine import Engine
from console.gateway.agents_model import LOOK_BACK_DAYS, AgentRecord, AgentsState, ToolUse
from console.gateway.engine_gateway import Gateway
from console.gateway.rows import AgentRow
from console.language import tr, translated
from tools.calls import CallStatus
from tools.errors import GatewayError, HistoryError
from tools.gateway.agents import AGENTS_FILE, Agents, caller_of
from tools.gateway.profiles import AgentProfile

if TYPE_CHECKING:
    from tools.gateway.served_tools import ServedTools, ShownTools
    from tools.history import CallerUse
    from tools.registry import ToolRegistry

_CALLER: Final = caller_of("")
_AGAIN_S: Final = 5.0
"""For how long what the history said is good, in seconds: a week of calls takes it a while to count."""

_FAILED: Final = frozenset({CallStatus.FAILED, CallStatus.TIMED_OUT, CallStatus.REJECTED, CallStatus.NOT_FOUND})

UsesByAgent = Mapping[str, "list[CallerUse]"]


class AgentsPort(Protocol):
    """What the Agents page needs."""

    async def state(self) -> AgentsState: ...

    async def give(self, agent: str, profile: str) -> None:
        """Have an agent see what a profile shows; "" for all tools.

        Raises:
            GatewayError: There is no such agent or profile.
        """
        ...

    async def narrow(self, agent: str, tools: tuple[str, ...]) -> str:
        """Have an agent see these tools only, by a profile of its own; return the profile's name.

        Raises:
            GatewayError: There is no such agent, or the profile cannot be kept.
        """
        ...

    async def forget_holds(self, agent: str) -> None:
        """Hold the requests of an agent as long as anybody's again.

        Raises:
            GatewayError: There is no such agent.
        """
        ...


class EngineAgents:
    """Be the `AgentsPort`.

    Args:
        clock: Seconds that only grow.
    """

    def __init__(
        self,
        engine: Engine,
        gateway: Gateway,
        registry: ToolRegistry,
        records: CallStorage,
        *,
        data: Path,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._engine = engine
        self._gateway = gateway
        self._registry = registry
        self._records = records
        self._agents = Agents(data / AGENTS_FILE)
        self._clock = clock
        self._served: ServedTools | None = None
        self._uses: UsesByAgent = {}
        self._problem = ""
        self._asked_at: float | None = None

    async def state(self) -> AgentsState:
        live = await self._gateway.state()
        if self._asked_at is None or self._clock() - self._asked_at >= _AGAIN_S:
            await self._ask()
        recent = await self._recent()
        state: AgentsState = await self._engine.compute(self._state, live.agents, recent)
        return state._replace(
            is_on=live.is_on, is_paused=live.is_paused, problem=live.problem or state.problem or self._problem
        )

    async def give(self, agent: str, profile: str) -> None:
        await self._engine.compute(self._agents.give_profile, agent, profile)

    async def narrow(self, agent: str, tools: tuple[str, ...]) -> str:
        name: str = await self._engine.compute(self._narrowed, agent, tools)
        return name

    async def forget_holds(self, agent: str) -> None:
        await self._engine.compute(self._agents.forget_holds, agent)

    async def _ask(self) -> None:
        self._asked_at = self._clock()
        since = datetime.now(UTC) - timedelta(days=LOOK_BACK_DAYS)
        try:
            self._uses, self._problem = by_agent(await self._records.caller_uses(_CALLER, since)), ""
        except HistoryError as error:
            self._problem = translated(error)

    async def _recent(self) -> UsesByAgent:
        try:
            return by_agent(await self._records.caller_uses(_CALLER, datetime.now(UTC) - timedelta(minutes=1)))
        except HistoryError:
            return {}  # Said already.

    def _state(self, rows: tuple[AgentRow, ...], recent: UsesByAgent) -> AgentsState:
        try:
            profiles = {agent.name: agent.profile for agent in self._agents.all()}
            names = tuple(profile.name for profile in self._agents.profiles())
        except GatewayError as error:
            return AgentsState(problem=translated(error))
        shown = {profile.name: self._shown(profile) for profile in profiles.values()}
        return AgentsState(
            tuple(
                record_of(
                    row,
                    shown[profiles[row.name].name],
                    self._uses.get(row.name, []),
                    calls_a_minute=sum(use.calls for use in recent.get(row.name, ())),
                )
                for row in rows
                if row.name in profiles
            ),
            names,
        )

    def _shown(self, profile: AgentProfile) -> ShownTools:
        if self._served is None:
            from tools.gateway.served_tools import ServedTools  # noqa: PLC0415 -- what knows of servers loads slowly

            self._served = ServedTools(self._registry)
        return self._served.shown(profile)

    def _narrowed(self, agent: str, tools: tuple[str, ...]) -> str:
        profiles = {each.name: each.profile for each in self._agents.all()}
        if agent not in profiles:
            raise GatewayError(tr("no agent is called {agent!r} any more; nothing was changed", agent=agent))
        # A profile that others have as well stays theirs.
        taken = {profile.name for profile in self._agents.profiles()} - {profiles[agent].name}
        taken |= {profile.name for name, profile in profiles.items() if name != agent}
        further = (f"{agent[:36]}-{number}" for number in count(2))
        name = agent if agent not in taken else next(other for other in further if other not in taken)
        self._agents.keep_profile(profiles[agent].model_copy(update={"name": name, "tools": tools, "without": ()}))
        self._agents.give_profile(agent, name)
        return name


def by_agent(uses: Iterable[CallerUse]) -> UsesByAgent:
    """Return what agents used by their names."""
    found: dict[str, list[CallerUse]] = defaultdict(list)
    for use in uses:
        found[use.caller.removeprefix(_CALLER)].append(use)
    return found


def record_of(row: AgentRow, shown: ShownTools, uses: Iterable[CallerUse], *, calls_a_minute: int = 0) -> AgentRecord:
    """Return an agent with what it sees and what it used."""
    tools = {tool.tool: ToolUse(tool.tool, tool.name, tool.tokens) for tool in shown.tools.values()}
    newest = row.last_at
    for use in uses:
        newest = use.newest_at if newest is None else max(newest, use.newest_at)
        former = tools.get(use.tool, ToolUse(use.tool))
        tools[use.tool] = former._replace(
            calls=former.calls + use.calls,
            failed=former.failed + use.calls * (use.status in _FAILED),
            refused=former.refused + use.calls * (use.status is CallStatus.DENIED),
        )
    for name, calls in row.unseen:
        former = tools.get(name, ToolUse(name))
        tools[name] = former._replace(
            calls=former.calls + calls, refused=former.refused + calls, unseen=former.unseen + calls
        )
    return AgentRecord(
        row.name,
        row.profile,
        row.token_words,
        row.is_blocked,
        row.waiting,
        row.allowed,
        newest,
        calls_a_minute,
        tuple(sorted(tools.values(), key=lambda tool: tool.tool)),
        row.lists,
        row.tokens,
        row.holds,
    )
