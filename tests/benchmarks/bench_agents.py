"""How long the window stands still while 50 agents have 20 calls each that wait for an answer.

Run with `python -m tests.benchmarks.bench_agents`. The real console runs without a display, and each page that shows
agents or questions is in front once. The design allows no gap above 50 ms.
"""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Final

from console.app.console import Console
from console.theme import ThemeController
from tests.benchmarks.bench_window import REST_S, TARGET_MS, Stage
from tests.benchmarks.window import end_process, open_console, run_in_window
from tools import ExitEarly, resolve_tools, tool
from tools.gateway.agents import AGENTS_FILE, Agent, Agents

AGENTS: Final = 50
QUESTIONS: Final = 20
PAGES: Final = ("approvals", "agents", "servers", "tools")


@tool(destructive=True)
def erase(name: str) -> str:
    """Erase something."""
    return f"erased {name}"


async def _ask(console: Console, agents: list[Agent], waiting: list[asyncio.Task[object]]) -> None:
    """Have each agent make its calls at once; on the engine's loop."""
    for agent in agents:
        for number in range(QUESTIONS):
            call = await console.executor.propose("erase", {"name": f"file {number}"}, caller=agent.caller)
            waiting.append(asyncio.create_task(console.executor.execute(call)))


async def _live(theme: ThemeController, home: Path) -> bool:
    data = home / "data"
    data.mkdir()
    file = Agents(data / AGENTS_FILE)
    agents = [file.add(f"agent-{number:02}").agent for number in range(AGENTS)]
    async with open_console(theme, home, *resolve_tools([erase])) as console:
        stage = Stage(console)
        waiting: list[asyncio.Task[object]] = []

        async def arrive() -> None:
            await console.engine.call(_ask, console, agents, waiting)
            while len(console.desk.open_requests) < AGENTS * QUESTIONS:  # noqa: ASYNC110 -- widgets set no event
                await asyncio.sleep(REST_S)

        await stage.measure(f"{AGENTS * QUESTIONS:,} questions arrive", arrive, repeats=False)
        for page in PAGES:

            async def show(page: str = page) -> None:
                console.window.rail.choose(page)
                await asyncio.sleep(3)

            await stage.measure(f"the page {page} in front, 3 s", show)

        async def answer() -> None:
            for request in list(console.desk.open_requests):
                console.desk.answer(request.id, ExitEarly("no"))
                await asyncio.sleep(0)
            while console.desk.open_requests:  # noqa: ASYNC110 -- as above
                await asyncio.sleep(REST_S)

        await stage.measure("all are answered", answer, repeats=False)
        return stage.kept


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        kept = run_in_window(lambda theme: _live(theme, Path(folder)))
    print("every gap within the target" if kept else f"some gaps above {TARGET_MS:.0f} ms")
    end_process()
