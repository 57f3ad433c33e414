"""How long requests of clients are held while a person is asked, learnt from those that hung up."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

from tools.errors import GatewayError

if TYPE_CHECKING:
    from tools.gateway.agents import Agent, Agents

SHORTEST_HOLD_S: Final = 10.0
"""The least that a request is held. No client gives up sooner; a person who stops the agent does."""

_SHARE: Final = 0.9
_LONGEST_NAME: Final = 100

_log = logging.getLogger(__name__)


class HoldTimes:
    """Know how long the requests of a client are held; on one event loop.

    A client is the program of an agent: the agent's token, and the name that the program gives itself. Programs that
    give none are one. One that hung up after some time while a person was asked is held nine tenths of it from then on.

    Args:
        agents: Keep what is learnt.
        longest_s: How long a request is held whose client is not known to hang up sooner.
    """

    def __init__(self, agents: Agents, longest_s: float) -> None:
        self._agents = agents
        self._longest_s = longest_s
        self._noting: set[asyncio.Task[None]] = set()

    def of(self, agent: Agent, client: str) -> float:
        """Return how long a request is held, in seconds."""
        return min(self._longest_s, agent.hold_s.get(_key(client), self._longest_s))

    def note_left(self, agent: Agent, client: str, waited_s: float) -> None:
        """Hold requests of a client shorter than the time after which it hung up."""
        hold_s = round(max(SHORTEST_HOLD_S, _SHARE * waited_s), 1)
        if waited_s >= SHORTEST_HOLD_S and hold_s < self.of(agent, client):
            task = asyncio.create_task(
                self._note(agent.name, _key(client), hold_s), name="note how long a client waits"
            )
            self._noting.add(task)
            task.add_done_callback(self._noting.discard)

    async def _note(self, agent: str, client: str, hold_s: float) -> None:
        try:
            await asyncio.to_thread(self._agents.note_hold, agent, client, hold_s)
        except GatewayError as error:
            _log.warning("how long %s waits is not kept: %s", agent, error)

    async def aclose(self) -> None:
        """Finish writing what was learnt."""
        await asyncio.gather(*self._noting)


def _key(client: str) -> str:
    return client[:_LONGEST_NAME]
