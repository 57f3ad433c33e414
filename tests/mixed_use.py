"""A working day with the real console: a person, agents, batches, and servers that die, in quarters of an hour.

The day passes as fast as the program takes its events. `tests.benchmarks.bench_mixed_use` lets eight hours pass, a
test some minutes of it; both look at what is left behind.
"""

from __future__ import annotations

import asyncio
import gc
import json
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from itertools import cycle
from pathlib import Path
from typing import Any, Final, NamedTuple

import httpx2
import psutil
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from PySide6.QtWidgets import QApplication

from console.app.console import Console
from console.batch.view import BatchView
from console.gateway.agent_dialog import AgentDialog
from console.preferences import Preferences
from console.theme import ThemeController
from console.tool_page.view import ExecutionView
from tools import Continue, ExitEarly, ReviewDecision, resolve_tools, tool
from tools.calls import CallStatus
from tools.discovery import PluginList
from tools.mcp.consent import CONSENTS_FILE, Consents
from tools.mcp.servers_file import ServersFile
from tools.workbench import Workbench

SERVER: Final = Path(__file__).parent / "mcp_servers" / "misbehaving.py"
PATIENCE_S: Final = 60.0
TRIES: Final = 10
"""Calls of a dead server after which the person restarts it."""
PAGES: Final = ("health", "batch", "approvals", "servers", "assistant", "history", "prompts", "agents", "settings")
TABS: Final = ("calculate", "count_text", "convert_units", "hash_text", "list_files", "diff_texts")
PLAN: Final = """name: day
steps:
  - id: first
    tool: calculate
    arguments: {expression: "6 * 7"}
  - id: each
    tool: calculate
    depends_on: [first]
    rows: {values: ["1 + 1", "1 / 0", "2 + 2", "3 * 3", "4 - 4", "5 ** 2", "6 / 4", "7 % 3"]}
    arguments: {expression: "${row}"}
  - id: after
    tool: count_text
    depends_on: [first]
    arguments: {text: "one two ${steps.first.result.result}"}
"""


@tool(destructive=True)
async def erase_note(text: str) -> str:
    """Erase a note, which a person is asked about."""
    return f"erased {text}"


class Quarter(NamedTuple):
    """What happens in a quarter of an hour.

    Attributes:
        agent_calls: Calls of each of the two agents, in one session each.
        questions: Calls that a person is asked about.
        runs: Calls that the person makes on pages of tools.
        tabs: Pages of tools that are opened and closed again.
        visits: Pages of the window that are looked at.
        batches: Runs of a plan.
        deaths: How often the server dies.
    """

    agent_calls: int = 120
    questions: int = 8
    runs: int = 15
    tabs: int = 6
    visits: int = 30
    batches: int = 1
    deaths: int = 1

    @property
    def events(self) -> int:
        return 2 * self.agent_calls + self.questions + self.runs + self.tabs + self.visits + self.batches + self.deaths


class Mark(NamedTuple):
    """Where things stand.

    Attributes:
        rss_bytes: Memory of the process.
        widgets: Widgets that there are.
        objects: Python objects by the name of their type.
        processes: Processes that were started and live.
    """

    rss_bytes: int
    widgets: int
    objects: Counter[str]
    processes: int

    def grown(self, before: Mark, least: int) -> list[tuple[str, int]]:
        """Return the types that have at least so many more objects, those that grew most first."""
        more = self.objects - before.objects
        return [(name, count) for name, count in more.most_common() if count >= least]


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not holds():  # noqa: ASYNC110 -- there is no one event for all that is waited for
            await asyncio.sleep(0.01)


class Workday:
    """Drive a console that is open, as a person and two agents do.

    Args:
        console: The program, with the server `notes` and the tool `erase_note`.
        folder: Where the plan is written.
    """

    def __init__(self, console: Console, folder: Path) -> None:
        self._console = console
        self._plan = folder / "day.plan.yaml"
        self._tokens: list[str] = []
        answers: tuple[ReviewDecision, ...] = (Continue(), Continue(), Continue(), ExitEarly("not today"))
        self._answers = cycle(answers)
        self._tabs = cycle(TABS)
        self._pages = cycle(PAGES)
        self.answered = 0
        # A thread of Python's own: those of Qt's loop would be left behind.
        self._threads = ThreadPoolExecutor(2, thread_name_prefix="agent")

    async def begin(self) -> None:
        """Switch the gateway on, let two agents in, and open the plan."""
        window, panel = self._console.window, self._console.gateway.panel
        await until(lambda: self._console.executor.registry.find("notes.echo") is not None)
        window.rail.choose("servers")
        panel.port.setValue(0)
        panel.switch.click()
        await until(panel.address.isVisible)
        self._address = panel.address.text()
        for name in ("claude", "codex"):
            panel.add.click()
            dialog = next(one for one in window.findChildren(AgentDialog) if one.isVisible())
            dialog.name.setText(name)
            dialog.add.click()
            await until(dialog.token.text)
            self._tokens.append(dialog.token.text())
            dialog.done_button.click()
        self._plan.write_text(PLAN, "utf-8")
        window.rail.choose("batch")
        self._console.batches.open(self._plan)
        await until(lambda: window.findChildren(BatchView))
        (self._batch,) = window.findChildren(BatchView)
        await until(self._batch.header.run.isEnabled)

    def close(self) -> None:
        self._threads.shutdown()

    async def live(self, quarter: Quarter) -> None:
        """Let a quarter of an hour pass."""
        loop = asyncio.get_running_loop()
        over = asyncio.Event()
        answering = asyncio.create_task(self._answer(over))
        agents = [
            loop.run_in_executor(self._threads, self._work_as_agent, token, quarter.agent_calls, quarter.questions // 2)
            for token in self._tokens
        ]
        try:
            await self._work_as_person(quarter)
            await asyncio.gather(*agents)
            for _ in range(quarter.deaths):
                await self._let_the_server_die()
        finally:
            over.set()
            await answering

    async def mark(self) -> Mark:
        """Return where things stand once everything is taken in."""
        await until(lambda: not self._console.executor.open_calls)
        self._console.window.show_page("tools")
        # What Python frees can be the last holder of something of Qt's, and the other way round.
        for _ in range(3):
            gc.collect()
            await asyncio.sleep(0.2)
        own = psutil.Process()
        # Only what outlived a collection: a thread may be in the middle of making something, which Python then could
        # not finish, as it has two holders.
        living = gc.get_objects(generation=2)
        objects = Counter(f"{type(one).__module__}.{type(one).__qualname__}" for one in living)
        del living
        return Mark(own.memory_info().rss, len(QApplication.allWidgets()), objects, len(own.children(recursive=True)))

    async def _answer(self, over: asyncio.Event) -> None:
        desk = self._console.desk
        while not over.is_set():
            for request in desk.open_requests:
                self.answered += desk.answer(request.id, next(self._answers))
            with suppress(TimeoutError):
                await asyncio.wait_for(over.wait(), 0.02)

    def _work_as_agent(self, token: str, calls: int, questions: int) -> None:
        async def work() -> None:
            async with (
                httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=PATIENCE_S) as http,
                Client(streamable_http_client(self._address, http_client=http)) as client,
            ):
                await client.list_tools()
                for number in range(calls):
                    await client.call_tool("calculate", {"expression": f"{number} + 1"})
                for number in range(questions):
                    await client.call_tool("erase_note", {"text": f"note {number}"})

        asyncio.run(work())

    async def _work_as_person(self, quarter: Quarter) -> None:
        tools, window = self._console.open_tools, self._console.window
        opened: list[str] = []
        for number in range(max(quarter.runs, quarter.tabs, quarter.visits, quarter.batches)):
            if number < quarter.batches:
                await self._run_batch()
            if number < quarter.tabs:
                name = next(self._tabs)
                window.show_page("tools")
                tools.open(name)
                opened.append(name)
            if number < quarter.runs:
                window.show_page("tools")
                tools.open("calculate")
                await self._run(f"{number} * 2")
            if number < quarter.visits:
                window.show_page(next(self._pages))
                await asyncio.sleep(0.02)
        for name in {*opened, "calculate"}:
            tools.close(name)

    async def _run(self, expression: str) -> None:
        presenter = self._console.open_tools.current
        page = self._console.documents.page("calculate")
        assert presenter is not None
        assert isinstance(page, ExecutionView)
        page.document.replace({**page.document.initial_value(), "expression": expression})
        presenter.run()
        await until(lambda: presenter.record is not None and not presenter.is_running)

    async def _run_batch(self) -> None:
        self._console.window.show_page("batch")
        await until(self._batch.header.run.isEnabled)
        self._batch.header.run.click()
        await until(lambda: self._console.batches.goes_on)
        await until(lambda: not self._console.batches.goes_on)

    async def _let_the_server_die(self) -> None:
        """End the server's process, and call it until it is back."""
        for child in psutil.Process().children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                if str(SERVER) in child.cmdline():
                    child.kill()
        async with asyncio.timeout(PATIENCE_S):
            tried = 0
            while not await self._server_answers():
                tried += 1
                if tried % TRIES == 0:
                    # One that dies often waits longer and longer, which no person does.
                    self._console.servers.restart("notes")
                await asyncio.sleep(0.2)

    async def _server_answers(self) -> bool:
        executor = self._console.executor
        call = executor.create_call("notes.echo", {"text": "still there?"})
        response = await self._console.engine.call(executor.execute, call)
        return response.status is CallStatus.EXECUTED


@asynccontextmanager
async def workday(theme: ThemeController, home: Path) -> AsyncIterator[Workday]:
    """Open the real console with a server and a tool that asks, let a day begin, and end the console.

    Args:
        theme: The look.
        home: A folder for all files.
    """
    data, servers = home / "data", home / "servers.json"
    data.mkdir()
    entry: dict[str, Any] = {"command": sys.executable, "args": ["-S", "-E", str(SERVER), "good"], "protocol": "older"}
    servers.write_text(json.dumps({"mcpServers": {"notes": entry}}), "utf-8")
    consents = Consents(data / CONSENTS_FILE)
    for config in ServersFile(servers).read().servers:
        consents.give(config)
    workbench = Workbench(PluginList(home / "settings"), application=Console, installed=())
    workbench.registry.register_all(resolve_tools([erase_note]))
    preferences = Preferences(home / "window.ini")
    preferences.gateway_limits = preferences.gateway_limits._replace(calls_a_minute=10_000)
    console = Console(
        theme, preferences, workbench, home, data=data, policy_file=home / "policy.toml", servers_file=servers
    )
    loaded, ended = asyncio.Event(), asyncio.Event()
    console.loaded.connect(loaded.set)
    console.ended.connect(ended.set)
    console.start()
    await asyncio.wait_for(loaded.wait(), PATIENCE_S)
    day = Workday(console, home)
    try:
        await day.begin()
        yield day
    finally:
        console.end()
        await asyncio.wait_for(ended.wait(), PATIENCE_S)
        day.close()
        console.window.deleteLater()
        console.deleteLater()
