"""The gateway in the window: switched, agents let in and taken out, a call that waits for the person."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx2
import psutil
import pytest
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp_types import TextContent
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QTableView, QWidget

from console.activity.model import ActivityModel
from console.gateway.agent_dialog import AgentDialog
from console.gateway.closing_dialog import LeavingDialog
from console.gateway.view import GatewayPanel
from console.notices import TrayIcon
from console.servers.question_dialog import FormDialog
from console.widgets import IconLabel
from console.widgets.dialogs import QuestionBox
from tests.console.program import Program
from tests.console.test_app_console import Start, plugin_file, started
from tests.console.test_app_servers import Start as StartWithServers
from tools import Continue
from tools.file_lock import claim
from tools.gateway import handover
from tools.gateway.agents import AGENTS_FILE, Agents
from tools.gateway.background_program import LOG_FILE
from tools.gateway.defaults import OWNER_FILE, GatewayLimits, address_of
from tools.gateway.handover import LOCK_FILE
from tools.gateway.owner_note import served_port
from tools.policy import Effect, Rule

if TYPE_CHECKING:
    from console.theme import ThemeController

pytestmark = pytest.mark.expects_log("tools.calls")

ASKS = """
from tools import tool

@tool(destructive=True)
def erase_note(text: str) -> str:
    "Erase a note."
    return f"erased {text}"
"""


async def panel_of(start: Program) -> GatewayPanel:
    start.console.window.rail.choose("servers")
    panel = start.console.gateway.panel
    panel.port.setValue(0)
    await start.until(panel.isVisible)
    return panel


async def switched_on(start: Program) -> GatewayPanel:
    panel = await panel_of(start)
    panel.switch.click()
    await start.until(lambda: panel.status.text() == "On")
    return panel


@asynccontextmanager
async def gateway_panel(theme: ThemeController, home: Path) -> AsyncIterator[tuple[Start, GatewayPanel]]:
    """Start the program and switch its gateway on."""
    async with started(theme, home) as start:
        yield start, await switched_on(start)


async def added(start: Program, panel: GatewayPanel, name: str = "claude", tools: str = "") -> str:
    panel.add.click()
    dialog = start.console.window.findChild(AgentDialog)
    assert dialog is not None
    dialog.name.setText(name)
    if tools:
        dialog.sees.setCurrentText("Only tools named here")
        dialog.tools.setText(tools)
    dialog.add.click()
    await start.until(dialog.token.text)
    token = dialog.token.text()
    dialog.done_button.click()
    return token


def cells(panel: GatewayPanel) -> list[tuple[str, ...]]:
    return [tuple(cell.text for cell in panel.model.cells_at(row)) for row in range(panel.model.rowCount())]


async def call(address: str, token: str, tool: str, arguments: dict[str, Any]) -> str:
    """Call as an agent does, in a loop of its own."""

    def work() -> str:
        async def asked() -> str:
            async with (
                httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=60) as http,
                Client(streamable_http_client(address, http_client=http)) as client,
            ):
                result = await client.call_tool(tool, arguments)
                return "\n".join(part.text for part in result.content if isinstance(part, TextContent))

        return asyncio.run(asked())

    # A thread of Python's own: those of Qt's loop would be left behind.
    with ThreadPoolExecutor(1) as threads:
        return await asyncio.get_running_loop().run_in_executor(threads, work)


async def test_what_a_server_asks_for_an_agent_that_cannot_answer_is_asked_in_the_window(
    theme: ThemeController, tmp_path: Path
) -> None:
    program = Path(__file__).parents[1] / "mcp_servers" / "both_eras.py"
    entry = {"command": sys.executable, "args": [str(program), "stdio"]}
    async with StartWithServers(theme, tmp_path, {"shop": entry}) as start:
        await start.until(lambda: "shop.greet" in start.names)
        panel = await switched_on(start)
        token = await added(start, panel)
        call_made = call(panel.address.text(), token, "shop__greet", {})
        asked = asyncio.create_task(start.allowed(call_made))
        await start.until(lambda: start.shown(FormDialog))
        (dialog,) = start.shown(FormDialog)
        said = {label.text for label in dialog.findChildren(IconLabel)}
        assert "Asked by the server shop, during greet, for the agent claude" in said
        dialog.editor.set_value({"name": "Ada", "age": 36})
        dialog.send.click()
        assert json.loads(await asked) == {"action": "accept", "data": {"name": "Ada", "age": 36}}


async def test_the_gateway_is_off_until_it_is_switched_on(theme: ThemeController, tmp_path: Path) -> None:
    async with started(theme, tmp_path) as start:
        panel = await panel_of(start)
        assert (panel.status.text(), panel.address.isVisible(), panel.port.isVisible()) == ("Off", False, True)
        panel.switch.click()
        await start.until(lambda: panel.status.text() == "On")
        assert panel.address.text().startswith("http://127.0.0.1:")
        assert panel.address.isVisible()
        panel.switch.click()
        await start.until(lambda: panel.status.text() == "Off")


async def test_an_agent_s_call_is_asked_about_in_the_window_and_listed_as_its_own(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with gateway_panel(theme, tmp_path) as (start, panel):
        token = await added(start, panel)
        calling = asyncio.create_task(call(panel.address.text(), token, "erase", {}))
        await start.until(lambda: start.console.desk.open_requests)
        await start.until(lambda: cells(panel)[0][3] == "Waiting")
        (request,) = start.console.desk.open_requests
        assert request.call.caller == "agent:claude"
        start.console.desk.answer(request.id, Continue())
        assert await calling
        await start.until(lambda: cells(panel)[0][2:] == ("1", "Let in"))


def texts_of(widget: QWidget) -> set[str]:
    return {str(part.property("text")) for part in widget.findChildren(QWidget) if part.isVisible()}


@contextmanager
def agent_that_leaves(address: str, token: str, tool: str) -> Iterator[subprocess.Popen[bytes]]:
    """Be a program of an agent, which calls a tool and is ended while a person is asked."""
    code = f"""
import anyio, httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

async def main():
    async with httpx2.AsyncClient(headers={{"Authorization": "Bearer {token}"}}, timeout=60) as http:
        async with Client(streamable_http_client({address!r}, http_client=http)) as client:
            await client.call_tool({tool!r}, {{}})

anyio.run(main)
"""
    program = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.DEVNULL)
    try:
        yield program
    finally:
        program.kill()
        program.wait()


async def test_a_call_that_is_allowed_after_its_agent_left_waits_for_it_in_sight_and_runs_when_it_is_back(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with gateway_panel(theme, tmp_path) as (start, panel):
        token = await added(start, panel)
        desk, bar = start.console.desk, start.console.window.status_bar
        shown = start.console.activity_view.findChildren(QTableView)[0].model()
        assert isinstance(shown, ActivityModel)
        rows = shown.rows
        with agent_that_leaves(panel.address.text(), token, "erase"):
            await start.until(lambda: desk.open_requests)
            await start.until(lambda: "Running 1" in texts_of(bar))
            assert desk.open_requests[0].caller_back_within_s is None
        await start.until(lambda: desk.open_requests[0].caller_back_within_s)
        desk.answer(desk.open_requests[0].id, Continue())
        await start.until(lambda: rows[0].status == "approved")
        await start.until(lambda: cells(panel)[0][3] == "Approved")
        # Nothing waits for the person any more, so the icon beside the clock counts nothing.
        assert not desk.open_requests
        await start.until(lambda: "Running 1" not in texts_of(bar))
        assert await call(panel.address.text(), token, "erase", {})
        await start.until(lambda: rows[0].status == "success")
        await start.until(lambda: cells(panel)[0][3] == "Let in")
        assert len(rows) == 1


async def test_the_token_is_shown_once_with_the_settings_of_the_agent_s_program(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with gateway_panel(theme, tmp_path) as (start, panel):
        panel.add.click()
        dialog = start.console.window.findChild(AgentDialog)
        assert dialog is not None
        dialog.name.setText("claude")
        dialog.add.click()
        await start.until(dialog.token.text)
        token = dialog.token.text()
        dialog.copy_token.click()
        assert QGuiApplication.clipboard().text() == token
        assert token in dialog.snippet.text.toPlainText()
        dialog.snippet.clients.setCurrentText("Codex")
        assert dialog.snippet.text.toPlainText().startswith("[mcp_servers.tool-console]")
        dialog.done_button.click()
        assert token not in panel.snippet.text.toPlainText()
        panel.snippet.clients.setCurrentText("Cursor")
        panel.snippet.copy.click()
        assert "Bearer tc_…" in QGuiApplication.clipboard().text()


async def test_a_name_that_cannot_be_one_is_told_in_the_dialog_and_stays(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with started(theme, tmp_path) as start:
        panel = await panel_of(start)
        panel.add.click()
        dialog = start.console.window.findChild(AgentDialog)
        assert dialog is not None
        dialog.name.setText("two words")
        dialog.add.click()
        await start.until(lambda: "expected a name of letters" in dialog.problem.text())
        assert (dialog.name.text(), dialog.add.isEnabled()) == ("two words", True)
        dialog.reject()


async def test_an_agent_is_blocked_unblocked_and_removed(theme: ThemeController, tmp_path: Path) -> None:
    async with gateway_panel(theme, tmp_path) as (start, panel):
        await added(start, panel)
        await start.until(lambda: cells(panel))
        panel.table.choose_first()
        panel.block.click()
        await start.until(lambda: cells(panel)[0][3] == "Blocked")
        panel.table.choose_first()
        assert panel.block.text() == "Unblock"
        panel.block.click()
        await start.until(lambda: cells(panel)[0][3] == "Let in")
        panel.table.choose_first()
        panel.remove.click()
        await start.until(lambda: start.console.window.findChildren(QuestionBox))
        (box,) = start.console.window.findChildren(QuestionBox)
        box.reject()
        await start.until(lambda: not start.console.window.findChildren(QuestionBox))
        assert cells(panel)
        panel.remove.click()
        await start.until(lambda: start.console.window.findChildren(QuestionBox))
        (box,) = start.console.window.findChildren(QuestionBox)
        box.agreed.emit()
        box.close()
        await start.until(lambda: not cells(panel))


async def test_a_new_token_ends_the_former_one(theme: ThemeController, tmp_path: Path) -> None:
    async with gateway_panel(theme, tmp_path) as (start, panel):
        former = await added(start, panel)
        await start.until(lambda: cells(panel))
        panel.table.choose_first()
        panel.renew.click()
        dialogs = start.console.window.findChildren
        await start.until(lambda: [one for one in dialogs(AgentDialog) if one.token.text() not in {"", former}])
        dialog = next(one for one in dialogs(AgentDialog) if one.token.text() not in {"", former})
        assert dialog.windowTitle() == "New token for claude"
        dialog.done_button.click()


@pytest.mark.skipif(os.name == "nt", reason="locks of this process count for itself there")
async def test_why_it_cannot_be_switched_on_is_told(
    theme: ThemeController, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handover, "PATIENCE_S", 0.5)
    async with started(theme, tmp_path) as start:
        panel = await panel_of(start)
        lock = os.open(tmp_path / "data" / LOCK_FILE, os.O_RDWR | os.O_CREAT)
        try:
            assert claim(lock)
            panel.switch.click()
            await start.until(panel.problem.isVisible)
            assert "the program that serves agents does not hand over" in panel.problem.text()
            assert not panel.switch.isChecked()
        finally:
            os.close(lock)


async def test_what_is_wrong_with_the_file_of_agents_is_told_while_they_are_served(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with gateway_panel(theme, tmp_path) as (start, panel):
        (tmp_path / "data" / AGENTS_FILE).write_text("{", encoding="utf-8")
        await start.until(panel.problem.isVisible)
        assert AGENTS_FILE in panel.problem.text()


async def test_it_is_on_again_at_the_next_start(theme: ThemeController, tmp_path: Path) -> None:
    async with started(theme, tmp_path) as start:
        await switched_on(start)
    async with started(theme, tmp_path) as start:
        panel = start.console.gateway.panel
        await start.until(lambda: panel.status.text() == "On")


async def test_the_panel_waits_at_the_edge_of_a_narrow_window(theme: ThemeController, tmp_path: Path) -> None:
    async with started(theme, tmp_path) as start:
        panel = await panel_of(start)
        start.console.window.resize(1440, 900)
        await start.until(lambda: panel.width() >= 400)
        for button in (panel.add, panel.connect_agent):
            assert button.width() >= button.sizeHint().width()
        start.console.window.resize(980, 700)
        await start.until(lambda: start.console.gateway.widget.sizes()[1] == 0)


async def test_a_narrow_window_shows_the_panel_in_the_place_of_the_servers_when_it_is_asked_for(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with started(theme, tmp_path) as start:
        pane, window = start.console.gateway, start.console.window
        window.resize(900, 600)
        window.status_bar.gateway_clicked.emit()
        await start.until(lambda: pane.panel.width() == pane.widget.width() and pane.panel.isVisible())
        window.rail.choose("tools")
        window.rail.choose("servers")
        await start.until(lambda: pane.widget.sizes()[1] == 0)


async def test_all_agents_are_paused_by_a_shortcut_and_go_on_afterwards(theme: ThemeController, tmp_path: Path) -> None:
    async with gateway_panel(theme, tmp_path) as (start, panel):
        token = await added(start, panel)
        link = start.console.window.status_bar.findChild(QWidget, "gatewayState")
        assert panel.pause.isVisible()
        start.console.window.pause_requested.emit()
        await start.until(panel.paused.isVisible)
        assert (panel.status.text(), panel.pause.isVisible()) == ("Paused", False)
        assert link is not None
        assert link.accessibleName() == "Agents paused"
        calling = asyncio.create_task(call(panel.address.text(), token, "erase", {}))
        await start.until(lambda: cells(panel)[0][3] == "Waiting")
        assert not start.console.desk.open_requests
        panel.paused.buttons["resume"].click()
        await start.until(lambda: start.console.desk.open_requests)
        await start.until(lambda: panel.status.text() == "On")
        assert link.accessibleName().startswith("Gateway on 127.0.0.1:")
        (request,) = start.console.desk.open_requests
        start.console.desk.answer(request.id, Continue())
        assert await calling


def running(start: Start) -> int:
    state = start.console.gateway.presenter._state
    return 0 if state is None else state.running


async def test_calls_that_run_can_be_stopped_while_agents_are_paused(theme: ThemeController, tmp_path: Path) -> None:
    async with gateway_panel(theme, tmp_path) as (start, panel):
        token = await added(start, panel)
        calling = asyncio.create_task(call(panel.address.text(), token, "hold", {}))
        await start.until(lambda: running(start) == 1)
        panel.pause.click()
        await start.until(panel.paused.buttons["stop"].isVisible)
        panel.paused.buttons["stop"].click()
        assert "A person stopped it" in await calling
        await start.until(lambda: not panel.paused.buttons["stop"].isVisible())


async def test_agents_are_paused_and_go_on_from_the_icon_beside_the_clock(
    theme: ThemeController, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # There is no desktop whose clock it could stand beside.
    monkeypatch.setattr(TrayIcon, "is_available", staticmethod(_yes))
    monkeypatch.setattr(TrayIcon, "show", _stay_away)
    async with gateway_panel(theme, tmp_path) as (start, panel):
        tray = start.console.presence._tray
        assert tray is not None
        for words, status in (("Hold the calls of agents", "Paused"), ("Let the calls of agents go on", "On")):
            (action,) = [one for one in tray.menu.actions() if one.text() == words and one.isVisible()]
            action.trigger()
            await start.until(lambda status=status: panel.status.text() == status)  # type: ignore[misc]


def _yes() -> bool:
    return True


def _stay_away(_tray: TrayIcon) -> None:
    return None


async def test_a_pause_of_another_program_shows_wherever_the_person_is(theme: ThemeController, tmp_path: Path) -> None:
    async with gateway_panel(theme, tmp_path) as (start, panel):
        start.console.window.rail.choose("tools")
        await start.until(lambda: not panel.isVisible())
        Agents(tmp_path / "data" / AGENTS_FILE).pause()
        link = start.console.window.status_bar.findChild(QWidget, "gatewayState")
        assert link is not None
        await start.until(lambda: link.accessibleName() == "Agents paused")


@contextmanager
def serving(home: Path, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    """Serve agents in a program of its own, on the data folder of the window."""
    words = [sys.executable, "-m", "console", "serve", "--port", "0", *options]
    environment = {**os.environ, "TOOL_CONSOLE_DATA": str(home / "data")}
    with subprocess.Popen(words, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment) as program:
        try:
            yield program
        finally:
            program.terminate()
            program.wait(30)


def port_of(data: Path) -> int:
    """Return where agents reach a program that is being started."""
    deadline = time.monotonic() + 30
    while (port := served_port(data)) is None:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return port


async def kept_calling(address: str, token: str, tool: str, arguments: dict[str, Any]) -> str:
    """Call as an agent does that calls again when it gets no answer, or is told to."""
    while True:
        with contextlib.suppress(MCPError, httpx2.HTTPError, ExceptionGroup):
            if not (said := await call(address, token, tool, arguments)).startswith("Pending:"):
                return said
        await asyncio.sleep(0.1)


@pytest.mark.skipif(os.name == "nt", reason="signals end the program")
async def test_a_window_that_is_opened_takes_over_from_serve_and_asks_what_waited_there(
    theme: ThemeController, tmp_path: Path
) -> None:
    plugin = plugin_file(tmp_path / "asking.py", ASKS)
    token = Agents(tmp_path / "data" / AGENTS_FILE).add("claude").token
    with serving(tmp_path, "--background", "--plugin", str(plugin)) as program:
        address = address_of(await asyncio.to_thread(port_of, tmp_path / "data"))
        calling = asyncio.create_task(kept_calling(address, token, "erase_note", {"text": "x"}))
        async with started(theme, tmp_path, plugin) as start:
            panel = await panel_of(start)
            await start.until(lambda: panel.status.text() == "On")
            assert panel.address.text() == address
            await start.until(lambda: start.console.desk.open_requests)
            (request,) = start.console.desk.open_requests
            assert (request.call.caller, request.arguments) == ("agent:claude", {"text": "x"})
            start.console.desk.answer(request.id, Continue())
            assert await calling == "erased x"
            assert await asyncio.to_thread(program.wait, 20) == 0


@pytest.mark.skipif(os.name == "nt", reason="signals end the program")
@pytest.mark.parametrize("goes_on", [True, False])
async def test_closing_the_window_asks_once_what_becomes_of_agents_that_are_there(
    theme: ThemeController, tmp_path: Path, goes_on: bool
) -> None:
    data = tmp_path / "data"
    async with gateway_panel(theme, tmp_path) as (start, panel):
        token = await added(start, panel)
        address = panel.address.text()
        await call(address, token, "echo", {})
        start.console.window.close()
        await start.until(lambda: start.console.window.findChild(LeavingDialog))
        dialog = start.console.window.findChild(LeavingDialog)
        assert dialog is not None
        dialog.remember.setChecked(True)
        (dialog.keep if goes_on else dialog.stop).click()
        async with asyncio.timeout(60):
            await start.over.wait()
        choice = start.preferences.choice("gateway_without_window", ("keep", "stop"), "")
        assert choice == ("keep" if goes_on else "stop")
        port = await asyncio.to_thread(served_port, data)
        assert (None if port is None else address_of(port)) == (address if goes_on else None)
    if goes_on:
        note = json.loads((data / OWNER_FILE).read_text())
        assert "taken over from the window: 0 questions" in (data / LOG_FILE).read_text()
        process = psutil.Process(note["pid"])
        process.terminate()
        await asyncio.to_thread(psutil.wait_procs, [process], 30)


async def test_each_agent_is_allowed_as_much_as_the_panel_says_and_the_program_remembers_it(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with gateway_panel(theme, tmp_path) as (start, panel):
        assert (panel.rules.wait.value(), panel.rules.calls_a_minute.value()) == (5, 60)
        token = await added(start, panel)
        panel.rules.wait.setValue(2)
        panel.rules.calls_a_minute.setValue(1)
        assert await call(panel.address.text(), token, "make_uuid", {})
        assert "1 call" in await call(panel.address.text(), token, "make_uuid", {})
        limits = GatewayLimits(calls_a_minute=1, wait_min=2)
        assert start.preferences.gateway_limits == limits
        assert limits.answer_within_s == 120


async def test_the_panel_shows_the_rules_for_agents_and_leads_to_all_of_them(
    theme: ThemeController, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The rules stand in a file of the person, which other tests must not find.
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    async with gateway_panel(theme, tmp_path) as (start, panel):
        await added(start, panel)
        policy = start.console.executor.policy
        assert policy is not None
        policy.add(Rule(id="own", effect=Effect.DENY, tool="make_uuid", caller="agent:claude"))
        policy.add(Rule(id="any", effect=Effect.ASK, tool="read_file"))
        policy.add(Rule(id="other", effect=Effect.ALLOW, tool="read_file", caller="agent:cursor"))
        await start.until(lambda: panel.rules.model.rowCount() == 2)
        shown = [
            tuple(cell.text for cell in panel.rules.model.cells_at(row))[1:]
            for row in range(panel.rules.model.rowCount())
        ]
        assert sorted(shown) == [("any agent", "Ask"), ("claude", "Deny")]
        panel.table.choose("claude")
        assert panel.token.text().startswith("Token …")
        panel.rules.show_all.click()
        await start.until(start.console.permissions.widget.isVisible)
