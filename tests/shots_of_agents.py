"""Pictures of the Agents page and of profiles, after calls of agents over the wire."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from PySide6.QtCore import QSize

from console.gateway.agent_dialog import AgentDialog
from console.gateway.agents_view import AgentsView
from console.gateway.profile_dialog import ProfileDialog
from tests.shots_of_servers import fill_agent

if TYPE_CHECKING:
    from tests.shots import Stage

__all__ = ["agents"]

_CALLS: Final = (
    *[("search_files", {"pattern": word, "path": "."}) for word in ("TODO", "queue", "ticket", "def", "import")] * 2,
    *[("read_file", {"path": path}) for path in ("src/agents/router.py", "none.txt", "my_tools.py", "data/x.csv")] * 2,
    ("profile_table", {"path": "data/tickets.csv"}),
    ("customer_profile", {"name": "Tanaka"}),
    ("read_file", {"file": "wrong"}),
)


async def agents(stage: Stage) -> None:
    """Let three agents in, have them call, and look at what they did."""
    await stage.open(first_time=False, data=stage.home / f"agents-{stage.theme.mode}")
    window, gateway = stage.console.window, stage.console.gateway
    window.rail.choose("agents")
    await stage.take("agents-none")
    window.rail.choose("servers")
    panel = gateway.panel
    panel.port.setValue(0)
    panel.switch.click()
    await stage.until(panel.address.isVisible)
    tokens = []
    for name, tools in (("claude-code", ""), ("cursor", "read_* search_*"), ("nightly-report", "git_*")):
        panel.add.click()
        dialog = window.findChildren(AgentDialog)[-1]
        fill_agent(dialog, name, tools)
        dialog.add.click()
        await stage.until(dialog.token.text)
        tokens.append(dialog.token.text())
        dialog.done_button.click()
        await stage.settle()
    await _called(stage, panel.address.text(), tokens)
    window.rail.choose("agents")
    (view,) = window.findChildren(AgentsView)
    await stage.until(lambda: view.model.rows and view.model.rows[0].refused)
    await stage.take("agents")
    window.resize(QSize(1180, 760))
    await stage.take("agents-small")
    window.resize(QSize(1440, 900))
    await _profile(stage, view)
    await stage.close()


async def _called(stage: Stage, address: str, tokens: list[str]) -> None:
    """Have two agents call, and refuse one call."""
    with ThreadPoolExecutor(2) as threads:
        loop = asyncio.get_running_loop()
        calls = [*_CALLS, ("delete_file", {"path": "exports/2026-10", "recursive": True})]
        made = loop.run_in_executor(threads, _call_as_agent, address, tokens[0], calls)
        await loop.run_in_executor(threads, _call_as_agent, address, tokens[1], _CALLS[:4])
        await stage.until(lambda: stage.console.desk.open_requests)
        await stage.press_soon("Deny")
        await made


async def _profile(stage: Stage, view: AgentsView) -> None:
    """Take the proposed profile, and edit it."""
    window = stage.console.window
    view.narrow.click()
    await stage.until(lambda: view.model.rows[0].profile == "claude-code")
    await stage.take("agents-narrowed")
    view.edit.click()
    await stage.until(lambda: window.findChildren(ProfileDialog))
    dialog = window.findChildren(ProfileDialog)[0]
    await stage.until(lambda: dialog.model.rows)
    dialog.show_tool("read_file")
    dialog.form.served_name.setText("see_file")
    dialog.form.description.setPlainText("Read a text file of the project.")
    await stage.until(lambda: "see_file" in dialog.form.definition.toPlainText())
    await stage.take("agents-profile")
    dialog.form.served_name.setText("customer_profile")
    await stage.until(dialog.problem.text)
    await stage.take("agents-profile-problem")
    dialog.reject()


def _call_as_agent(address: str, token: str, calls: Any) -> None:
    async def made() -> None:
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=60) as http,
            Client(streamable_http_client(address, http_client=http)) as client,
        ):
            await client.list_tools()
            for tool, arguments in calls:
                await client.call_tool(tool, arguments)

    asyncio.run(made())
