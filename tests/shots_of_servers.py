"""Scenes for the pictures: servers that really run, what they offer, what changed, what they ask."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from PySide6.QtCore import QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QPushButton

from console.gateway.agent_dialog import AgentDialog
from console.gateway.connect_dialog import ConnectDialog
from console.servers.config_dialog import ConfigDialog
from console.servers.detail_view import CHANGES, LOG, SETTINGS, TABS, TOOLS
from console.servers.question_dialog import FoldersDialog, QuestionDialog
from console.servers.view import ServersView
from console.widgets import IconButton
from tools import ExitEarly
from tools.mcp.consent import CONSENTS_FILE, Consents
from tools.mcp.servers_file import ServersFile

if TYPE_CHECKING:
    from tests.shots import Stage

__all__ = ["SceneSkippedError", "gateway", "put_servers_on_path", "servers_page", "until_dialog"]

_SERVERS: Final = Path("build") / "mcp-servers"
_REPOSITORY: Final = Path(__file__).parent / "mcp_servers" / "repository.py"
_SMALL: Final = QSize(1180, 760)
_ALLOWED: Final = ("repository", "everything", "clock", "staging", "docs-search")

_PASTES: Final[Mapping[str, str]] = {
    "command": "$ NOTES_TOKEN=<YOUR_TOKEN> npx -y @acme/mcp-server-notes@1.4.2 --folder '/srv/my notes'",
    "address": "mcp.acme.dev/mcp",
    "missing": "uvx --from git+https://example.org/acme/clock.git clock-mcp --zone Europe/Lisbon",
    "several": json.dumps(
        {
            "mcpServers": {
                "tickets": {"url": "https://tickets.example.org/mcp", "headers": {"Authorization": "Bearer ${TOKEN}"}},
                "clock": {"command": "mcp-server-time", "args": ["--local-timezone", "<your timezone>"]},
                "everything": {"command": "mcp-server-everything", "args": ["stdio"]},
            }
        },
        indent=2,
    ),
    "nothing": "Our tools are the best, have a look at the guide",
}


_CURSOR: Final = """{
  // what I use every day
  "mcpServers": {
    "docs": { "url": "https://docs.example.org/mcp" },
    "clock": { "command": "uvx", "args": ["mcp-server-time"] }
  }
}
"""


class SceneSkippedError(Exception):
    """A scene needs what this machine does not have."""


def put_servers_on_path(folder: Path) -> None:
    """Put the servers on the path, so that the pictures show commands as people write them."""
    folder.mkdir()
    (folder / "mcp-server-repository").write_text(f'#!/bin/sh\nexec "{sys.executable}" -S -E "{_REPOSITORY}" "$@"\n')
    (folder / "mcp-server-postgres").write_text(
        '#!/bin/sh\necho "connecting to staging.db" >&2\necho "FATAL: no such database: staging" >&2\nexit 1\n'
    )
    for name in ("mcp-server-repository", "mcp-server-postgres"):
        (folder / name).chmod(0o755)
    found = (_SERVERS.resolve() / "node_modules" / ".bin", _SERVERS.resolve() / "python" / "bin")
    os.environ["PATH"] = os.pathsep.join((str(folder), *map(str, found), os.environ["PATH"]))


def _entries(edition: str) -> Mapping[str, Any]:
    return {
        "repository": {"command": "mcp-server-repository", "args": [edition], "protocol": "older"},
        "everything": {"command": "mcp-server-everything", "args": ["stdio"]},
        "clock": {"command": "mcp-server-time", "args": ["--local-timezone=Europe/Lisbon"]},
        "staging": {"command": "mcp-server-postgres", "args": ["--read-only"]},
        "docs-search": {"type": "http", "url": "http://127.0.0.1:9/mcp", "headers": {"Accept-Language": "en"}},
        "figma": {"type": "sse", "url": "http://127.0.0.1:3845/sse"},
        "github": {
            "command": "npx",
            "args": ["-y", "@mcp/server-github"],
            "env": {"GITHUB_TOKEN": "${env:GITHUB_TOKEN}"},
        },
    }


async def servers_page(stage: Stage) -> None:
    """The Servers page: none, some, one that changed, one in trouble, and what they ask."""
    await stage.open(first_time=False, data=stage.home / f"none-{stage.theme.mode}")
    stage.console.window.rail.choose("servers")
    await stage.until(lambda: stage.console.window.findChildren(ServersView))
    await stage.take("servers-empty")
    await stage.close()
    if not shutil.which("node") or not _SERVERS.exists():
        raise SceneSkippedError("needs packaging/bootstrap servers")
    path = os.environ["PATH"]
    put_servers_on_path(stage.home / f"bin-{stage.theme.mode}")
    try:
        await _with_servers(stage)
    finally:
        os.environ["PATH"] = path


async def _with_servers(stage: Stage) -> None:
    data = stage.home / f"servers-{stage.theme.mode}"
    data.mkdir()
    file = _write(stage, data, "1")
    view = await _open(stage, data, file)
    await stage.until(lambda: _words(view, "repository") == "Connected")
    await _share_folders(stage)
    view.detail.tools.approve_requested.emit(("get_file_contents", "list_issues", "push_files", "create_branch"))
    await stage.until(lambda: "Approved" in _shown_verdicts(view))
    await stage.until(lambda: _words(view, "everything") == "Connected" and _words(view, "clock") == "Connected")
    await stage.close()
    _write(stage, data, "2")
    view = await _open(stage, data, file)
    await stage.until(lambda: _words(view, "repository") == "Connected, 2 changed")
    for name in ("everything", "clock"):
        await stage.until(lambda: _words(view, name) == "Off, starts with a call")  # noqa: B023 -- asked at once
        view.remedy_requested.emit(name)
    await stage.until(lambda: _words(view, "everything") == "Connected" and _words(view, "clock") == "Connected")
    await stage.until(lambda: _words(view, "staging").startswith(("Attempt", "Stopped")))
    view.detail.ping.click()
    changes = view.detail.changes
    view.detail.show_tab(CHANGES)
    await stage.until(lambda: view.detail.tabs.accessibleTabName(CHANGES) == "Changes, 2")
    stage.find("Next change", IconButton).click()
    await stage.until(lambda: changes.text.difference is not None)
    await stage.take("servers")
    await _tabs(stage, view)
    await _dialogs(stage, view)
    await _questions(stage)
    await stage.close()


async def _share_folders(stage: Stage) -> None:
    """Answer what everything asks as soon as it is connected."""
    await stage.until(lambda: _asked(stage))
    await stage.take("servers-folders")
    (dialog,) = _asked(stage)
    assert isinstance(dialog, FoldersDialog)
    dialog.share.click()
    await stage.until(lambda: not _asked(stage))


def _write(stage: Stage, data: Path, edition: str) -> Path:
    file = stage.home / f"servers-{stage.theme.mode}.json"
    file.write_text(json.dumps({"mcpServers": _entries(edition)}, indent=2), "utf-8")
    consents = Consents(data / CONSENTS_FILE)
    for config in ServersFile(file).read().servers:
        if config.name in _ALLOWED:
            consents.give(config)
    return file


async def _open(stage: Stage, data: Path, file: Path) -> ServersView:
    """Start the program with the page in sight, which a server's first question may stand before already."""
    await stage.open(first_time=False, data=data, servers=file)
    window = stage.console.window
    window.rail.choose("servers")
    await stage.until(lambda: any(view.isVisible() for view in window.findChildren(ServersView)))
    (view,) = window.findChildren(ServersView)
    return view


def _words(view: ServersView, name: str) -> str:
    model = view.table.model()
    rows = {model.index(row, 0).data(): model.index(row, 1).data() for row in range(model.rowCount())}
    return str(rows.get(name, ""))


def _shown_verdicts(view: ServersView) -> set[str]:
    model = view.detail.tools.table.model()
    return {str(model.index(row, 1).data()) for row in range(model.rowCount())}


def _choose(view: ServersView, name: str) -> None:
    model = view.table.model()
    view.table.setCurrentIndex(
        next(model.index(row, 0) for row in range(model.rowCount()) if model.index(row, 0).data() == name)
    )


async def _tabs(stage: Stage, view: ServersView) -> None:
    detail = view.detail
    detail.show_tab(TOOLS)
    await stage.take("servers-tools")
    detail.show_tab(TABS.index("Resources"))
    await stage.until(lambda: detail.resources.table.model().rowCount())
    detail.resources.read.click()
    await stage.until(detail.resources.content.isVisible)
    await stage.take("servers-resources")
    detail.show_tab(TABS.index("Prompts"))
    detail.prompts.form.set_value({"change": "218"})
    detail.prompts.get.click()
    await stage.until(lambda: detail.prompts.text.text)
    await stage.take("servers-prompts")
    detail.show_tab(LOG)
    detail.log.lines.setCurrentIndex(detail.log.lines.model().index(1, 0))
    await stage.take("servers-log")
    detail.show_tab(SETTINGS)
    await stage.settle()
    await stage.take("servers-settings")
    _choose(view, "staging")
    detail.show_tab(LOG)
    await stage.until(detail.trouble.isVisible)
    await stage.take("servers-trouble")
    stage.console.window.resize(_SMALL)
    await stage.take("servers-small")
    stage.console.window.resize(QSize(1440, 900))


async def _dialogs(stage: Stage, view: ServersView) -> None:
    _choose(view, "github")
    await stage.settle()
    view.remedy_requested.emit("github")
    await until_dialog(stage)
    await stage.take("servers-consent")
    _close_dialogs(stage)
    view.add.click()
    await until_dialog(stage)
    (dialog,) = (found for found in stage.console.window.findChildren(ConfigDialog) if found.isVisible())
    for name, text in _PASTES.items():
        dialog.paste.setPlainText(text)
        before = dialog.meaning.text
        await stage.until(lambda: dialog.meaning.text != before)  # noqa: B023 -- asked at once
        await stage.settle()
        await stage.take(f"servers-paste-{name}")
    dialog.paste.setPlainText("mcp-server-time --local-timezone=UTC")
    await stage.until(lambda: dialog.trial.isEnabled() and "mcp-server-time" in dialog.form.value().get("command", ""))
    dialog.trial.click()
    await stage.until(lambda: dialog.form.trial.text.startswith("Connected"))
    await stage.take("servers-add")
    _close_dialogs(stage)
    _choose(view, "everything")
    await stage.until(lambda: len(view.detail.tools.new) > 1)
    view.detail.show_tab(TOOLS)
    await stage.settle()
    await stage.take("servers-new-tools")
    view.detail.tools.approve_all.click()
    await until_dialog(stage)
    await stage.take("servers-approve-all")
    _close_dialogs(stage)
    known = {"github": _entries("1")["github"], "tickets": {"url": "https://tickets.example.org/mcp"}, "broken": {}}
    (stage.project / ".mcp.json").write_text(json.dumps({"mcpServers": known}), "utf-8")
    view.imports.click()
    await until_dialog(stage)
    await stage.take("servers-import")
    _close_dialogs(stage)


async def _questions(stage: Stage) -> None:
    console = stage.console
    console.window.rail.choose("tools")
    names = {tool.name for tool in console.executor.registry}
    name = next(name for name in sorted(names) if name.startswith("everything.") and "licitation" in name)
    await stage.run(name, {}, wait=False)
    await until_dialog(stage)
    await _allow(stage)
    await stage.until(lambda: _asked(stage))
    await stage.take("servers-question")
    (question,) = _asked(stage)
    QTest.keyClick(question, Qt.Key.Key_Escape)
    presenter = console.open_tools.current
    await stage.until(lambda: presenter is not None and not presenter.is_running)
    await stage.take("servers-tool")
    console.open_tools.open("repository.list_issues")
    await stage.settle()
    await stage.take("servers-icons")


async def _allow(stage: Stage) -> None:
    if _asked(stage):
        return
    button = stage.find("Allow once", QPushButton)
    await stage.until(button.isEnabled)
    button.click()


def _asked(stage: Stage) -> list[QuestionDialog]:
    return [dialog for dialog in stage.console.window.findChildren(QuestionDialog) if dialog.isVisible()]


async def until_dialog(stage: Stage) -> None:
    await stage.until(lambda: any(dialog.isVisible() for dialog in stage.console.window.findChildren(QDialog)))
    await asyncio.sleep(0.1)


def _close_dialogs(stage: Stage) -> None:
    for dialog in stage.console.window.findChildren(QDialog):
        if dialog.isVisible():
            dialog.reject()


def fill_agent(dialog: AgentDialog, name: str, tools: str) -> None:
    """Say who a new agent is, and which tools it sees; "" for all."""
    dialog.name.setText(name)
    dialog.sees.setCurrentIndex(dialog.sees.count() - 1 if tools else 0)
    dialog.tools.setText(tools)


async def gateway(stage: Stage) -> None:
    """Switch the gateway on, let agents in, and have one of them wait for an answer."""
    await stage.open(first_time=False)
    window, panel = stage.console.window, stage.console.gateway.panel
    window.rail.choose("servers")
    await stage.until(panel.isVisible)
    await stage.take("gateway-off")
    panel.port.setValue(0)
    panel.switch.click()
    await stage.until(panel.address.isVisible)
    token = ""
    for name, tools in (("claude-code", ""), ("cursor", "read_* search_*"), ("nightly", "git_*")):
        panel.add.click()
        dialog = window.findChildren(AgentDialog)[-1]
        fill_agent(dialog, name, tools)
        if not token:
            await stage.take("gateway-agent")
        dialog.add.click()
        await stage.until(dialog.token.text)
        if not token:
            token = dialog.token.text()
            await stage.take("gateway-token")
        dialog.done_button.click()
        await stage.settle()
    await _connect(stage)
    panel.pause.click()
    await stage.until(panel.paused.isVisible)
    await stage.take("gateway-paused")
    panel.paused.buttons["resume"].click()
    await stage.until(panel.pause.isVisible)
    with ThreadPoolExecutor(1) as threads:
        loop = asyncio.get_running_loop()
        calling = loop.run_in_executor(threads, _call_as_agent, panel.address.text(), token)
        await stage.until(lambda: stage.console.desk.open_requests)
        await stage.until(lambda: panel.model.rows and panel.model.rows[0].waiting)
        window.rail.choose("servers")
        await stage.take("gateway")
        (request,) = stage.console.desk.open_requests
        stage.console.desk.answer(request.id, ExitEarly("not now"))
        await calling
    await stage.close()


async def _connect(stage: Stage) -> None:
    """Connect two programs of an own home, whose files have something else in them."""
    window, panel, former = stage.console.window, stage.console.gateway.panel, dict(os.environ)
    home = stage.home / f"agents-home-{stage.theme.mode}"
    for name, text in ((".cursor/mcp.json", _CURSOR), (".codex/config.toml", 'model = "o5"\n'), (".claude.json", "{")):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text, "utf-8")
    os.environ |= {"HOME": str(home), "XDG_CONFIG_HOME": str(home / ".config")}
    try:
        panel.connect_agent.click()
        dialog = window.findChildren(ConnectDialog)[-1]
        await stage.until(lambda: dialog.model.rows)
        key = next(row.key for row in dialog.model.rows if row.words == "Cursor")
        dialog.table.choose(key)
        dialog.preview_requested.emit(key)
        await stage.until(lambda: dialog.write.isEnabled() and dialog.name.text() == "cursor-2")
        await stage.take("gateway-connect")
        dialog.write.click()
        await stage.until(lambda: dialog.is_waiting)
        await stage.take("gateway-waiting")
        (token,) = re.findall(r"Bearer ([^\"]+)", (home / ".cursor/mcp.json").read_text("utf-8"))
        with ThreadPoolExecutor(1) as threads:
            loop = asyncio.get_running_loop()
            await loop.run_in_executor(threads, _call_as_agent, panel.address.text(), token, "list_files", {})
        await stage.until(lambda: dialog.waiting.text().endswith("is connected"))
        await stage.take("gateway-connected")
        dialog.undo.click()
        await stage.until(lambda: not dialog.is_waiting)
        broken = next(row.key for row in dialog.model.rows if row.problem)
        dialog.table.choose(broken)
        dialog.preview_requested.emit(broken)
        await stage.until(dialog.problem.isVisible)
        await stage.take("gateway-unreadable")
        dialog.reject()
        await stage.settle()
    finally:
        os.environ.clear()
        os.environ |= former


def _call_as_agent(
    address: str, token: str, tool: str = "delete_file", arguments: dict[str, str] | None = None
) -> None:
    async def call() -> None:
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=60) as http,
            Client(streamable_http_client(address, http_client=http)) as client,
        ):
            await client.call_tool(tool, {"path": "README.md"} if arguments is None else arguments)

    asyncio.run(call())
