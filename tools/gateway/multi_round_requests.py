"""Requests for prompts and resources, over as many rounds as it takes until their servers know enough."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Coroutine
from typing import Any

import mcp_types as types
from mcp import MCPError

from tools.gateway.client_questions import ClientQuestions, ClientRequest
from tools.gateway.held_calls import KEEP_S
from tools.gateway.request_states import RequestState
from tools.gateway.verbatim_results import is_older
from tools.mcp.running_calls import calling_client


class _Open:
    """What is being read for a client."""

    def __init__(self, work: Callable[[], Coroutine[Any, Any, dict[str, Any]]]) -> None:
        self.id = secrets.token_urlsafe()
        self.client = ClientQuestions(KEEP_S)
        self.task = asyncio.create_task(self._run(work), name="read for an agent")

    async def _run(self, work: Callable[[], Coroutine[Any, Any, dict[str, Any]]]) -> dict[str, Any]:
        calling_client.set(self.client)
        return await work()

    async def wait(self, *, comes_back: bool) -> None:
        """Wait until it is read, or its client is to come back with answers if it is one that does so."""
        ends: set[asyncio.Future[Any]] = {self.task}
        if comes_back:
            ends.add(self.client.handed_out)
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            self.task.cancel()
            raise


class MultiRoundRequests:
    """Read for agents, and ask their clients what servers want to know meanwhile; on one event loop."""

    def __init__(self) -> None:
        self._open: dict[str, _Open] = {}

    async def result(
        self, asking: ClientRequest, state: str | None, work: Callable[[], Coroutine[Any, Any, dict[str, Any]]]
    ) -> dict[str, Any] | types.InputRequiredResult:
        """Return what is read, or what the client is to answer first.

        Args:
            state: What it came back with; None when it did not.

        Raises:
            MCPError: It came back too late.
        """
        rounds = 0
        if state is None:
            reading = _Open(work)
            self._open[reading.id] = reading
            reading.task.add_done_callback(lambda _: self._open.pop(reading.id, None))
        else:
            read = RequestState.read(state)
            found, rounds = self._open.get(read.held_id), read.round
            if found is None:
                raise MCPError(
                    types.INVALID_PARAMS,
                    "expected the requestState of a request that waits, but that one ended; ask again without it",
                )
            reading = found
        await reading.client.attended(asking, reading.wait(comes_back=not is_older(asking.context)))
        if reading.task.done():
            return reading.task.result()
        return types.InputRequiredResult(
            input_requests=dict(reading.client.requests),
            request_state=RequestState(reading.id, rounds + 1).written(),
        )

    async def aclose(self) -> None:
        tasks = [reading.task for reading in self._open.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
