"""Whatever agents, people and programs do: a call runs once for each yes, for somebody who is there, and unpaused."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory

import hypothesis.strategies as st
from hypothesis import example, given

from tests.tools.gateway.serving import Reviewer
from tools import CallStatus, Executor, ExitEarly, tool
from tools.calls import ToolCall
from tools.declare import resolve_tools
from tools.errors import GatewayError, UnavailableError
from tools.gateway.agents import Agent, Paused
from tools.gateway.held_calls import HeldCalls, HeldRequest, Outcome, Waiting
from tools.gateway.start_marks import StartedCalls
from tools.registry import ToolRegistry

NOW = datetime(2026, 3, 1, tzinfo=UTC)
AGENT = Agent(name="claude", token_digest="", token_hint="", created_at=NOW)
HOLD_S = 0.003


class World:
    """A gateway that may be restarted, the requests of an agent, and a person."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.ran = 0
        self.allowed = 0
        self.wrongs: list[str] = []
        self.seen: list[str] = []
        self.paused: Paused | None = None
        self.requests: list[tuple[asyncio.Task[Outcome | Waiting], HeldRequest]] = []
        self.breaks = False
        self.lost: Outcome | None = None
        self._received: Outcome | None = None
        self.begin()

    def begin(self) -> None:
        """Start the gateway, anew after `end`."""

        @tool(destructive=True)
        async def erase() -> str:
            """Erase something."""
            attended = [not one.is_gone for held in self.held._held.values() for one in held._requests]
            self.wrongs += [] if any(attended) else ["it ran for nobody"]
            self.wrongs += [] if self.paused is None else ["it ran while agents were paused"]
            self.ran += 1
            return "erased"

        registry = ToolRegistry()
        registry.register_all(resolve_tools([erase]))
        self.reviewer = Reviewer()
        self.executor = Executor(registry, review_handler=self.reviewer)
        self._started = StartedCalls(self._folder)
        self.held = HeldCalls(self.executor, self._started, keep_s=30, tick_s=0.001, paused=lambda: self.paused)
        self._started.look()

    async def end(self) -> None:
        await self.held.aclose()
        self._started.close()
        await self.executor.aclose()

    def ask(self, held_id: str = "", *, is_task: bool = False) -> None:
        gone = asyncio.get_running_loop().create_future()
        written = None if is_task else asyncio.get_running_loop().create_future()
        request = HeldRequest(lambda _: None, inf if is_task else HOLD_S, gone, stops=not is_task, written=written)
        self.requests.append((asyncio.create_task(self._outcome(held_id, request)), request))

    async def _outcome(self, held_id: str, request: HeldRequest) -> Outcome | Waiting:
        try:
            held = self.held.attach(AGENT, "erase", {}, held_id)
            if self.lost is not None and (not held.task.done() or held.task.result() is not self.lost):
                self.wrongs.append("what was lost on its way was not found")
            outcome = await self.held.outcome(held, request)
        finally:
            is_written, self.breaks = not self.breaks, False
            if request.written is not None:
                request.written.set_result(is_written)
        if isinstance(outcome, Waiting):
            self.seen.append(outcome.held_id)
        elif is_written or not isinstance(outcome, ToolCall) or outcome.response.status is CallStatus.CANCELLED:
            self.lost, self._received = None, outcome
        elif request.written is None:
            self._note_lost(outcome)
        else:
            # The gateway hears of it in the next turn of the loop. Until then the same request is another call.
            self.lost = None
            request.written.add_done_callback(lambda _: self._note_lost(outcome))
        return outcome

    def _note_lost(self, outcome: Outcome) -> None:
        # Of several requests of one call, another may have got it already.
        if outcome is not self._received:
            self.lost = outcome

    def break_off(self) -> None:
        """Lose the next answer on its way."""
        self.breaks = True

    def come_back(self) -> None:
        """Ask with the newest state that was given, whatever became of its call; without one, just ask."""
        self.ask(self.seen[-1] if self.seen else "")

    def hang_up(self) -> None:
        if self.requests:
            gone = self.requests[-1][1].gone
            if gone is not None and not gone.done():
                gone.set_result(None)

    def cancel(self) -> None:
        if self.requests:
            self.requests[-1][0].cancel()

    def allow(self) -> None:
        if self.reviewer.asked.is_set():
            self.allowed += 1
            self.reviewer.answer()

    def refuse(self) -> None:
        if self.reviewer.asked.is_set():
            self.reviewer.answer(ExitEarly("no"))

    def pause(self) -> None:
        self.paused = Paused(since=NOW)

    def resume(self) -> None:
        self.paused = None


MOVES: dict[str, Callable[[World], None]] = {
    "ask": World.ask,
    "ask for a task": lambda world: world.ask(is_task=True),
    "come back": World.come_back,
    "hang up": World.hang_up,
    "cancel": World.cancel,
    "break off": World.break_off,
    "allow": World.allow,
    "refuse": World.refuse,
    "pause": World.pause,
    "resume": World.resume,
}


# A request, and a person who says yes at last, are in each story, so that most of them come to a run.
_STORIES = st.lists(st.sampled_from([*MOVES, "let time pass", "restart"]), max_size=10).flatmap(
    lambda moves: st.permutations([*moves, "ask", "allow"])
)


@given(_STORIES)
@example(["ask", "hang up", "allow"])
@example(["ask", "let time pass", "allow"])
@example(["ask", "let time pass", "allow", "come back", "come back"])
@example(["break off", "ask", "allow", "ask"])
@example(["break off", "ask", "allow", "ask", "break off", "ask", "ask"])
@example(["ask", "pause", "allow", "resume", "come back"])
@example(["ask for a task", "hang up", "allow", "come back"])
@example(["ask", "let time pass", "restart", "come back", "ask", "allow"])
def test_a_call_runs_once_for_each_yes_and_never_for_nobody(moves: list[str]) -> None:
    with TemporaryDirectory() as folder:
        asyncio.run(_play(moves, Path(folder)))


async def _play(moves: list[str], folder: Path) -> None:
    world = World(folder)
    async with asyncio.timeout(20):
        for move in moves:
            match move:
                case "let time pass":
                    await asyncio.sleep(2 * HOLD_S)
                case "restart":
                    await world.end()
                    world.lost = None
                    world.begin()
                case _:
                    MOVES[move](world)
            for _ in range(20):
                await asyncio.sleep(0)
        await world.end()
        ends = await asyncio.gather(*(task for task, _ in world.requests), return_exceptions=True)
    expected = (asyncio.CancelledError, GatewayError, UnavailableError)
    assert [end for end in ends if isinstance(end, BaseException) and not isinstance(end, expected)] == []
    assert world.wrongs == []
    assert world.ran <= world.allowed
