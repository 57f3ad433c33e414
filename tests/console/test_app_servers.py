"""Servers behind the window: the real program over servers that really run, good ones and bad ones."""

from __future__ import annotations

import asyncio
import json
import os
import ssl
import subprocess
import sys
from collections.abc import Coroutine, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any, TypeVar

import httpx
import psutil
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from PySide6.QtCore import QAbstractItemModel, QRect
from PySide6.QtWidgets import QWidget

from console.app.console import Console
from console.browser.model import ToolTreeModel
from console.definition.schema_view import SchemaView
from console.definition.wire_view import WireView
from console.preferences import Preferences
from console.servers.config_dialog import ConfigDialog, ConsentDialog
from console.servers.detail_view import LOG
from console.servers.log_view import MOST_LINES, LogModel
from console.servers.model import ToolModel
from console.servers.question_dialog import FormDialog
from console.servers.view import ServersView
from console.theme import ThemeController
from console.tool_page.header_view import ToolHeaderView
from console.tool_page.view import ExecutionView
from console.widgets import CELL_ROLE, TableView
from tests.console.program import Program
from tests.mcp_servers.misbehaving import ICONS
from tests.mcp_servers.over_tls import BAD
from tools import Continue
from tools.calls import CallStatus, record_of
from tools.discovery import PluginList
from tools.mcp.consent import CONSENTS_FILE, Consents
from tools.mcp.servers_file import ServersFile
from tools.workbench import Workbench

Kind = TypeVar("Kind", bound=QWidget)
ROOT = Path(__file__).parents[2]
MISBEHAVING = ROOT / "tests" / "mcp_servers" / "misbehaving.py"


def entry(fault: str = "good", **more: Any) -> dict[str, Any]:
    return {"command": sys.executable, "args": ["-S", "-E", str(MISBEHAVING), fault], "protocol": "older", **more}


class Start(Program):
    """One start of the program with servers of its own."""

    def __init__(self, theme: ThemeController, home: Path, entries: Mapping[str, Any], *, allowed: bool = True) -> None:
        self.home = home
        self.file = home / "servers.json"
        self.file.write_text(json.dumps({"mcpServers": entries}), "utf-8")
        data = home / "data"
        data.mkdir(exist_ok=True)
        if allowed:
            consents = Consents(data / CONSENTS_FILE)
            for config in ServersFile(self.file).read().servers:
                consents.give(config)
        workbench = Workbench(PluginList(home / "settings"), application=Console, installed=())
        preferences = Preferences(home / "window.ini")
        super().__init__(Console(theme, preferences, workbench, None, data=data, servers_file=self.file))
        self.notices: list[str] = []
        self.console.servers.noticed.connect(self.notices.append)

    @property
    def names(self) -> list[str]:
        """The tools that the window knows of."""
        return self.console.tools.names

    def shown(self, kind: type[Kind]) -> list[Kind]:
        return [widget for widget in self.console.window.findChildren(kind) if widget.isVisible()]

    async def servers_page(self) -> ServersView:
        self.console.window.rail.choose("servers")
        await self.until(lambda: self.shown(ServersView))
        (view,) = self.shown(ServersView)
        return view

    def words_of(self, view: ServersView, name: str) -> str:
        model = view.table.model()
        rows = {model.index(row, 0).data(): model.index(row, 1).data() for row in range(model.rowCount())}
        return str(rows.get(name, ""))

    def log_of(self, view: ServersView) -> LogModel:
        model = view.detail.log.lines.model()
        assert isinstance(model, LogModel)
        return model

    async def answers(self, view: ServersView) -> bool:
        """Ask the chosen server again and again whether it is there, as a person who waits for it does."""
        while not any("answered in" in notice for notice in self.notices):
            known = len(self.notices)
            view.detail.ping.click()
            await self.until(lambda: len(self.notices) > known)  # noqa: B023 -- it is looked at at once
        return True

    async def call(self, name: str, **arguments: Any) -> Any:
        executor = self.console.executor
        return await self.console.engine.call(executor.execute, executor.create_call(name, arguments))

    async def allowed(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Wait for a call, and allow it when a person is asked."""
        call, desk = asyncio.create_task(work), self.console.desk
        await self.until(lambda: desk.open_requests or call.done())
        for request in desk.open_requests:
            desk.answer(request.id, Continue())
        return await call

    async def end(self) -> None:
        await super().end()
        left = [child for child in psutil.Process().children(recursive=True) if str(MISBEHAVING) in child.cmdline()]
        assert left == []


async def test_the_tab_of_a_servers_tool_is_there_again_at_the_next_start(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with Start(theme, tmp_path, {"clock": entry()}) as start:
        await start.until(lambda: "clock.echo" in start.names)
        start.console.open_tools.open("clock.echo")
    # It is not forgotten where its server does not start.
    async with Start(theme, tmp_path, {"clock": entry()}, allowed=False) as start:
        assert Preferences(tmp_path / "window.ini").open_tabs == ("clock.echo",)
    async with Start(theme, tmp_path, {"clock": entry()}) as start:
        await start.until(lambda: start.console.open_tools.names == ("clock.echo",))


async def test_the_tools_of_a_server_stand_in_the_tree_and_run_like_any_other(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with Start(theme, tmp_path, {"clock": entry()}) as start:
        await start.until(lambda: "clock.echo" in start.names)
        (model,) = start.console.browser_view.findChildren(ToolTreeModel)
        await start.until(lambda: model.index_of("clock.echo").isValid())
        assert model.item(model.index_of("clock.echo").parent()).server == "clock"
        start.console.open_tools.open("clock.echo")
        assert start.console.open_tools.current is not None
        view = await start.servers_page()
        await start.until(lambda: start.words_of(view, "clock") == "Connected")
        assert view.table.chosen_key == "clock"
        await start.until(lambda: view.detail.log.lines.model().rowCount())
        view.detail.ping.click()
        await start.until(lambda: any("clock answered in" in notice for notice in start.notices))


@pytest.mark.reference("E42")
async def test_what_providers_are_sent_of_a_servers_tool_and_its_schemas_are_shown(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with Start(theme, tmp_path, {"clock": entry()}) as start:
        await start.until(lambda: "clock.echo" in start.names)
        start.console.open_tools.open("clock.echo")
        (page,) = start.shown(ExecutionView)
        page.results.show_tab(4)
        await start.until(lambda: start.shown(WireView) and start.shown(WireView)[0].shown.content is not None)
        content = start.shown(WireView)[0].shown.content
        assert content is not None
        assert content.value[0]["name"] == "clock__echo"
        page.results.show_tab(6)
        await start.until(lambda: start.shown(SchemaView) and start.shown(SchemaView)[0].shown.content is not None)
        (view,) = start.shown(SchemaView)
        view.style_box.setCurrentIndex(3)
        await start.until(lambda: view.shown.content is not None and "openapi" in view.shown.content.name)
        assert view.shown.content is not None
        assert view.shown.content.value["properties"]["text"]["title"]


async def test_the_messages_of_a_call_are_one_click_from_its_result(theme: ThemeController, tmp_path: Path) -> None:
    async with Start(theme, tmp_path, {"clock": entry()}) as start:
        await start.until(lambda: "clock.echo" in start.names)
        for text in ("first", "second"):
            await start.allowed(start.call("clock.echo", text=text))
        start.console.open_tools.open("clock.echo")
        presenter = start.console.open_tools.current
        assert presenter is not None
        call = start.console.executor.create_call("clock.echo", {"text": "mine"})
        await start.allowed(start.console.engine.call(start.console.executor.execute, call))
        await start.allowed(start.call("clock.echo", text="last"))
        presenter.show_call(record_of(call))
        (page,) = start.shown(ExecutionView)
        assert page.results.result_header.messages.isVisible()
        page.results.result_header.messages.click()
        await start.until(lambda: start.shown(ServersView))
        (view,) = start.shown(ServersView)
        await start.until(lambda: view.detail.log.lines.currentIndex().isValid())
        assert (view.table.chosen_key, view.detail.tab) == ("clock", LOG)
        row = start.log_of(view).rows[view.detail.log.lines.currentIndex().row()]
        assert row.call_id == call.id
        assert json.loads(row.body)["params"]["arguments"] == {"text": "mine"}
        start.console.open_tools.open("clock.echo")
        start.console.servers.show_messages("clock", "a call of long ago")
        await start.until(lambda: any("keeps no message of this call" in notice for notice in start.notices))


async def test_the_health_page_restarts_the_server_of_a_tool(theme: ThemeController, tmp_path: Path) -> None:
    async with Start(theme, tmp_path, {"clock": entry()}) as start:
        await start.until(lambda: "clock.echo" in start.names)
        servers = [child for child in psutil.Process().children(recursive=True) if str(MISBEHAVING) in child.cmdline()]
        start.console.health_page.restart_requested.emit("clock.echo")
        await start.until(lambda: "clock is connected again" in start.notices)
        await start.until(lambda: not any(server.is_running() for server in servers))

        start.file.write_text(json.dumps({"mcpServers": {"clock": entry("dies")}}), "utf-8")
        Consents(tmp_path / "data" / CONSENTS_FILE).give(ServersFile(start.file).read().servers[0])
        start.console.health_page.restart_requested.emit("clock.echo")
        await start.until(lambda: any(notice.startswith("clock is not connected: ") for notice in start.notices))


@pytest.mark.parametrize(("entries", "is_asked"), [({}, True), ({"off": entry(disabled=True)}, False)])
async def test_the_start_page_leads_to_the_first_server_and_to_the_page_when_there_are_some(
    theme: ThemeController, tmp_path: Path, entries: dict[str, Any], is_asked: bool
) -> None:
    async with Start(theme, tmp_path, entries) as start:
        start.console.welcome.connection_requested.emit()
        await start.until(lambda: start.shown(ServersView))
        # The page is there at once or after a moment; what it asks comes with it.
        await start.until(lambda: not start.console.servers._is_adding)
        assert len(start.shown(ConfigDialog)) == is_asked
        for dialog in start.shown(ConfigDialog):
            dialog.reject()


async def test_the_result_of_the_call_that_approved_a_tool_stays_in_sight(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with Start(theme, tmp_path, {"clock": entry()}) as start:
        await start.until(lambda: "clock.empty" in start.names)
        tools, desk = start.console.open_tools, start.console.desk
        tools.open("clock.empty")
        presenter, new = tools.current, start.console.executor.registry.lookup("clock.empty")
        assert presenter is not None
        presenter.run(bypass_cache=False)
        await start.until(lambda: desk.open_requests)
        desk.answer(desk.open_requests[0].id, Continue())
        await start.until(lambda: presenter.record is not None and not presenter.is_running)
        await start.until(lambda: start.console.executor.registry.lookup("clock.empty") is not new)
        tools.refresh()
        assert tools.current is presenter
        assert presenter.tool is start.console.tools.lookup("clock.empty")


async def test_what_is_known_of_the_last_time_is_started_by_its_first_call(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with Start(theme, tmp_path, {"clock": entry()}) as start:
        await start.until(lambda: "clock.echo" in start.names)
    async with Start(theme, tmp_path, {"clock": entry()}) as start:
        await start.until(lambda: "clock.echo" in start.names)
        view = await start.servers_page()
        await start.until(lambda: start.words_of(view, "clock") == "Off, starts with a call")
        response = await start.allowed(start.call("clock.echo", text="hello"))
        assert response.status is CallStatus.EXECUTED
        await start.until(lambda: start.words_of(view, "clock") == "Connected")


async def test_a_server_that_nobody_allowed_starts_only_after_its_command_was_seen(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with Start(theme, tmp_path, {"clock": entry()}, allowed=False) as start:
        view = await start.servers_page()
        await start.until(lambda: start.words_of(view, "clock") == "Off, not allowed yet")
        assert "clock.echo" not in start.names
        view.remedy_requested.emit("clock")
        await start.until(lambda: start.shown(ConsentDialog))
        (dialog,) = start.shown(ConsentDialog)
        command = " ".join(part.text for part in dialog.start.start.parts)
        assert command == f"{sys.executable} -S -E {MISBEHAVING} good"
        dialog.allow.click()
        await start.until(lambda: "clock.echo" in start.names)


async def test_icons_are_shown_and_those_that_are_refused_are_ours_and_told_in_the_log(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with Start(theme, tmp_path, {"bad": entry("icons"), "clock": entry()}) as start:
        view = await start.servers_page()
        await start.until(lambda: _pictured(view.table.model()) == {"bad": True, "clock": False})
        await start.until(lambda: "bad.echo" in start.names)
        tools = view.detail.tools.table.model()
        await start.until(lambda: [name for name, has in _pictured(tools).items() if has] == ["echo"])
        # Ours stand beside those of others, in one line.
        assert {tools.index(row, 0).data(CELL_ROLE).icon for row in range(tools.rowCount())} == {"wrench"}
        assert _colors(view.table, 0, 20) >= {"#ff0000", "#0000ff"}
        assert "#ff0000" not in _colors(view.table, 1, 20)
        (model,) = start.console.browser_view.findChildren(ToolTreeModel)
        await start.until(lambda: all(model.index_of(name).isValid() for name in ("bad.echo", "clock.fail")))
        await start.until(lambda: (at := model.index_of("bad.echo")).isValid() and model.item(at).picture)
        assert model.item(model.index_of("bad.fail")).icon == "wrench"
        assert model.item(model.index_of("clock.fail")).icon == ""
        await start.until(lambda: model.item(model.index_of("bad.echo").parent()).picture is not None)
        assert model.item(model.index_of("clock.fail").parent()).icon == "server"
        start.console.open_tools.open("bad.echo")
        start.console.open_tools.open("bad.fail")
        headers = start.console.window.findChildren(ToolHeaderView)
        assert [header.picture is not None for header in headers] == [True, False]
        log = view.detail.log.lines.model()
        await start.until(lambda: len(_refusals(log)) == len(ICONS))
        said = "\n".join(_refusals(log))
        for words in ("none of PNG", "no address", "must begin with https:", "SVG", "20,000", "broken", "256 kB"):
            assert words in said
        assert "it says that it is image/gif, but its bytes are image/png" in said


@pytest.fixture
def over_tls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Run a server over HTTPS that this process trusts; give its address."""
    pem = tmp_path / "server.pem"
    pem.write_bytes(_certificate())
    monkeypatch.setenv("SSL_CERT_FILE", str(pem))
    words = [sys.executable, "-m", "tests.mcp_servers.over_tls", str(pem)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=ROOT) as program:
        try:
            assert program.stdout is not None
            yield f"https://localhost:{program.stdout.readline().strip()}"
        finally:
            program.kill()


def _certificate() -> bytes:
    """Give a new key and a certificate of it for this computer."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    day, now = timedelta(days=1), datetime.now(UTC)
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), now - day, now + day)
    names = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))])
    certificate = builder.add_extension(names, critical=False).sign(key, hashes.SHA256())
    pem = serialization.Encoding.PEM
    secret = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return secret + certificate.public_bytes(pem)


async def test_icons_come_from_the_servers_own_origin_alone_and_carry_no_credentials(
    theme: ThemeController, tmp_path: Path, over_tls: str
) -> None:
    server = {"type": "http", "url": f"{over_tls}/mcp", "headers": {"Authorization": "Bearer word", "X-Own": "1"}}
    async with Start(theme, tmp_path, {"far": server}) as start:
        view = await start.servers_page()
        await start.until(lambda: _pictured(view.table.model()) == {"far": True})
        log = view.detail.log.lines.model()
        await start.until(lambda: len(_refusals(log)) == len(BAD))
        tools = _pictured(view.detail.tools.table.model())
        assert [name for name, has in tools.items() if has] == ["good"]
        assert _colors(view.table, 0, 20) >= {"#ff0000", "#0000ff"}
        said = "\n".join(_refusals(log))
        for words in ("own origin", "leads to another", "answered with 404", "SVG or another text", "256 kB"):
            assert words in said
        async with httpx.AsyncClient(verify=ssl.create_default_context(cafile=str(tmp_path / "server.pem"))) as client:
            asked = (await client.get(f"{over_tls}/seen")).json()
        assert {name for name, *_ in asked} == {"good", *BAD} - {"elsewhere"}
        headers = {header for _, *headers in asked for header in headers}
        assert headers == {"accept", "accept-encoding", "connection", "host", "user-agent"}


def _pictured(model: QAbstractItemModel) -> dict[str, bool]:
    cells = [model.index(row, 0).data(CELL_ROLE) for row in range(model.rowCount())]
    return {cell.text: cell.picture is not None for cell in cells}


def _colors(table: TableView, row: int, left: int) -> set[str]:
    """Give the colours of the first 14 pixels of a row, from where its icon stands."""
    place = table.visualRect(table.model().index(row, 0))
    image = table.viewport().grab(QRect(left, place.y(), 14, place.height())).toImage()
    return {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}


def _refusals(model: QAbstractItemModel) -> list[str]:
    lines = [str(model.index(row, 0).data()) for row in range(model.rowCount())]
    return [line for line in lines if "is not shown" in line]


@pytest.mark.parametrize("fault", ["dies", "garbage"])
async def test_a_server_that_does_not_come_up_says_why_on_the_page_and_in_the_tree(
    theme: ThemeController, tmp_path: Path, fault: str
) -> None:
    async with Start(theme, tmp_path, {"bad": entry(fault)}) as start:
        view = await start.servers_page()
        await start.until(view.detail.trouble.isVisible)
        (model,) = start.console.browser_view.findChildren(ToolTreeModel)

        def failed() -> bool:
            items = [model.item(index) for index in _all(model)]
            return any(item.server == "bad" and item.failure is not None for item in items)

        await start.until(failed)
        assert view.detail.trouble.fact.text()
        assert view.detail.trouble.advice.text()


def _all(model: ToolTreeModel) -> list[Any]:
    roots = [model.index(row, 0) for row in range(model.rowCount())]
    return [model.index(row, 0, root) for root in roots for row in range(model.rowCount(root))]


@pytest.mark.expects_log("tools.calls")
async def test_a_change_of_a_definition_pauses_the_tool_until_it_is_approved(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with Start(theme, tmp_path, {"clock": entry()}) as start:
        await start.until(lambda: "clock.echo" in start.names)
        view = await start.servers_page()
        await start.until(lambda: view.detail.tools.table.model().rowCount())
        model = view.detail.tools.table.model()
        assert isinstance(model, ToolModel)
        shown = model.rows
        # What is in sight is not what the server says by now.
        model.show_rows([row._replace(digest="another") for row in shown if row.name == "echo"])
        view.detail.tools.approve_requested.emit(("echo",))
        await start.until(lambda: "Not approved, as it is not what was shown any more: echo" in start.notices)
        model.show_rows(shown)
        view.detail.tools.approve_requested.emit(("echo",))
        await start.until(lambda: any(notice == "Approved echo of clock" for notice in start.notices))
        await start.allowed(start.call("clock.change"))
        await start.until(lambda: start.words_of(view, "clock") == "Connected, 1 changed")
        await start.until(lambda: start.console.window.rail.count("servers") == 1)
        refused = await start.call("clock.echo", text="hello")
        assert refused.status is CallStatus.FAILED
        changes = view.detail.changes
        await start.until(lambda: changes.current is not None and changes.text.difference is not None)
        changes.approve.click()
        await start.until(lambda: start.words_of(view, "clock") == "Connected")


async def test_a_tool_that_is_switched_off_is_grey_in_the_tree_and_refused(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with Start(theme, tmp_path, {"clock": entry()}) as start:
        await start.until(lambda: "clock.echo" in start.names)
        view = await start.servers_page()
        (model,) = start.console.browser_view.findChildren(ToolTreeModel)
        await start.until(lambda: model.index_of("clock.echo").isValid())
        await start.until(lambda: start.words_of(view, "clock") == "Connected")
        for is_on in (False, True):
            view.detail.tools.switched.emit("echo", is_on)
            await start.until(lambda: model.item(model.index_of("clock.echo")).dimmed is not is_on)  # noqa: B023
        assert json.loads(start.file.read_text("utf-8"))["mcpServers"]["clock"].get("disabledTools", []) == []


async def test_what_a_server_asks_is_answered_in_a_dialog_that_names_it(theme: ThemeController, tmp_path: Path) -> None:
    async with Start(theme, tmp_path, {"clock": entry()}) as start:
        await start.until(lambda: "clock.ask_once" in start.names)
        call = asyncio.create_task(start.allowed(start.call("clock.ask_once")))
        await start.until(lambda: start.shown(FormDialog))
        (dialog,) = start.shown(FormDialog)
        assert "clock" in dialog.windowTitle()
        dialog.editor.set_value({"name": "Ada"})
        dialog.send.click()
        response = await call
        assert response.status is CallStatus.EXECUTED
        assert "Ada" in str(response.result)


@pytest.mark.expects_log("tools.calls")
@pytest.mark.parametrize("tool", ["flood_stderr", "flood_log", "large", "nonsense", "die", "hang_up"])
async def test_a_server_that_misbehaves_in_a_call_leaves_the_window_as_it_is(
    theme: ThemeController, tmp_path: Path, tool: str
) -> None:
    async with Start(theme, tmp_path, {"clock": entry()}) as start:
        await start.until(lambda: f"clock.{tool}" in start.names)
        view = await start.servers_page()
        await start.until(lambda: start.words_of(view, "clock") == "Connected")
        view.show_log()
        await start.allowed(start.call(f"clock.{tool}"))
        model = view.detail.log.lines.model()
        await start.until(lambda: model.rowCount() > 4)
        # One that died is started again by itself.
        await start.until(lambda: not view.detail.trouble.isVisible() and view.detail.ping.isVisible())
        assert await start.answers(view)
        assert model.rowCount() <= MOST_LINES


async def test_the_file_is_followed_while_the_program_runs(theme: ThemeController, tmp_path: Path) -> None:
    async with Start(theme, tmp_path, {}) as start:
        view = await start.servers_page()
        start.file.write_text(json.dumps({"mcpServers": {"clock": entry()}}), "utf-8")
        os.utime(start.file, ns=(1, 1))
        await start.until(lambda: start.words_of(view, "clock") == "Off, not allowed yet")
        start.file.write_text("{", "utf-8")
        await start.until(view.problem.isVisible)
