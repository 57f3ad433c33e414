"""Programs of agents are connected in the window: the change is looked at, written, waited on and undone."""

from __future__ import annotations

import json
import re
import socket
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from console.comparison.lines import compare_texts
from console.gateway.client_model import ClientRow, ConnectedClient, ConnectionPreview, UndoneConnection
from console.gateway.connect_dialog import ConnectDialog
from console.gateway.connect_presenter import ConnectPresenter
from console.gateway.rows import AgentRow, GatewayState
from console.tasks import TaskScope
from tests.console.test_app_batches import until
from tests.console.test_app_console import Start, started
from tests.console.test_app_gateway import call, cells, gateway_panel, panel_of, switched_on
from tools.gateway.agents import AGENTS_FILE, Agents
from tools.gateway.profiles import AgentProfile

if TYPE_CHECKING:
    from console.theme import ThemeController

pytestmark = pytest.mark.expects_log("tools.calls")

CURSOR = '{\n  // mine\n  "mcpServers": { "docs": { "url": "https://docs.example.org/mcp" } }\n}\n'


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a home in which Cursor is."""
    home = tmp_path / "agents-home"
    (home / ".cursor").mkdir(parents=True)
    (home / ".cursor" / "mcp.json").write_text(CURSOR, "utf-8")
    monkeypatch.setattr(Path, "home", lambda: home)
    for variable in ("CODEX_HOME", "APPDATA"):
        monkeypatch.delenv(variable, raising=False)
    return home


async def opened(start: Start) -> ConnectDialog:
    start.console.gateway.panel.connect_agent.click()
    (dialog,) = start.console.window.findChildren(ConnectDialog)
    await start.until(dialog.write.isEnabled)
    return dialog


async def chosen(start: Start, dialog: ConnectDialog, words: str) -> None:
    place = [row.title for row in dialog.model.rows].index(words)
    dialog.table.setCurrentIndex(dialog.model.index(place, 0))
    await start.until(lambda: dialog.problem.isVisible() or dialog.write.isEnabled())


def diff(dialog: ConnectDialog) -> list[str]:
    return [dialog.text.row_text(place) for place in range(dialog.text.row_count)]


async def test_a_program_is_connected_waited_for_and_undone_byte_for_byte(
    theme: ThemeController, tmp_path: Path, home: Path
) -> None:
    path = home / ".cursor" / "mcp.json"
    async with gateway_panel(theme, tmp_path) as (start, panel):
        dialog = await opened(start)
        assert dialog.model.rows[0].words == "Cursor"
        assert [row.words for row in dialog.model.rows if row.is_found] == ["Cursor"]
        assert dialog.name.text() == "cursor"
        assert any(panel.address.text() in line for line in diff(dialog))
        assert any("Bearer tc_…" in line for line in diff(dialog))
        assert path.read_text("utf-8") == CURSOR
        assert not cells(panel)

        QTest.keyClick(dialog, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        await start.until(lambda: dialog.is_waiting)
        assert dialog.waiting.text() == "Waiting for the first call of cursor"
        assert dialog.hint.text() == "Switch tool-console on in the MCP settings of Cursor."
        assert not dialog.token.isVisible()
        assert dialog.model.rows[0].is_connected
        (token,) = re.findall(r"Bearer (tc_[^\"]+)", path.read_text("utf-8"))
        assert "// mine" in path.read_text("utf-8")

        await call(panel.address.text(), token, "current_time", {})
        await start.until(lambda: dialog.waiting.text() == "cursor is connected")
        dialog.undo.click()
        await start.until(lambda: not dialog.is_waiting and dialog.write.isEnabled())
        assert path.read_bytes() == CURSOR.encode()
        await start.until(lambda: not cells(panel))
        dialog.reject()


async def test_a_program_reaches_the_gateway_by_the_bridge_where_that_is_chosen(
    theme: ThemeController, tmp_path: Path, home: Path
) -> None:
    path = home / ".cursor" / "mcp.json"
    async with started(theme, tmp_path) as start:
        await switched_on(start)
        dialog = await opened(start)
        dialog.name.setText("mine")
        dialog.transport.setCurrentIndex(1)
        dialog.transport.activated.emit(1)
        await start.until(lambda: any('"bridge"' in line for line in diff(dialog)))
        assert dialog.name.text() == "mine"
        dialog.copy.click()
        await start.until(lambda: '"bridge"' in QGuiApplication.clipboard().text())
        dialog.write.click()
        await start.until(lambda: dialog.is_waiting)
        entry = json.loads(path.read_text("utf-8").replace("// mine", ""))["mcpServers"]["tool-console"]
        assert "bridge" in entry["args"]
        await chosen(start, dialog, "Claude Desktop")
        assert not dialog.transport.isEnabled()
        await chosen(start, dialog, "Cursor")
        await start.until(lambda: dialog.over_bridge and dialog.transport.isEnabled())
        dialog.reject()


def test_what_undoing_did_to_tokens_is_told() -> None:
    assert UndoneConnection().words == "Taken back."
    assert UndoneConnection("cursor").words == "cursor is let in no longer."
    assert "is good again" in UndoneConnection(restored="cursor").words
    assert "has ended; give it a new one" in UndoneConnection(ended="cursor").words


async def test_connecting_switches_the_gateway_on_at_a_port_that_stays(
    theme: ThemeController, tmp_path: Path, home: Path
) -> None:
    async with started(theme, tmp_path) as start:
        panel = await panel_of(start)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            panel.port.setValue(free.getsockname()[1])
        Agents(tmp_path / "data" / AGENTS_FILE).keep_profile(AgentProfile(name="readers", tools=("read_*",)))
        dialog = await opened(start)
        dialog.profile.setCurrentText("readers")
        dialog.write.click()
        await start.until(lambda: dialog.is_waiting)
        assert panel.address.text() == f"http://127.0.0.1:{panel.port.value()}/mcp"
        assert panel.address.text() in (home / ".cursor" / "mcp.json").read_text("utf-8")
        await start.until(lambda: [row.profile for row in panel.model.rows] == ["readers"])
        dialog.reject()


async def test_nothing_is_written_when_the_gateway_cannot_be_switched_on(
    theme: ThemeController, tmp_path: Path, home: Path
) -> None:
    async with started(theme, tmp_path) as start:
        panel = await panel_of(start)
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            panel.port.setValue(taken.getsockname()[1])
            dialog = await opened(start)
            dialog.write.click()
            await start.until(dialog.problem.isVisible)
        assert "The gateway cannot be switched on: port " in dialog.problem.text()
        assert (home / ".cursor" / "mcp.json").read_text("utf-8") == CURSOR
        dialog.reject()


async def test_a_file_that_makes_no_sense_is_told_of_and_left_alone(
    theme: ThemeController, tmp_path: Path, home: Path
) -> None:
    (home / ".claude.json").write_text("{", "utf-8")
    async with started(theme, tmp_path) as start:
        await switched_on(start)
        dialog = await opened(start)
        assert dialog.table.chosen_row.words == "Cursor"
        await chosen(start, dialog, "Claude Code")
        assert "cannot be understood: line 1, column 2" in dialog.problem.text()
        assert not dialog.write.isEnabled()
        assert (home / ".claude.json").read_text("utf-8") == "{"
        dialog.copy.click()
        await start.until(lambda: '"type": "http"' in QGuiApplication.clipboard().text())
        dialog.reject()


async def test_of_a_file_that_changed_since_only_the_entry_is_taken_out(
    theme: ThemeController, tmp_path: Path, home: Path
) -> None:
    path = home / ".cursor" / "mcp.json"
    async with started(theme, tmp_path) as start:
        await switched_on(start)
        dialog = await opened(start)
        dialog.write.click()
        await start.until(lambda: dialog.is_waiting)
        path.write_text(path.read_text("utf-8").replace("mine", "yours"), "utf-8")
        dialog.undo.click()
        await start.until(dialog.problem.isVisible)
        assert "changed since it was written, so it is left alone" in dialog.problem.text()
        assert dialog.undo.text() == "Take the entry out"
        dialog.undo.click()
        await start.until(lambda: "tool-console" not in path.read_text("utf-8"))
        assert "// yours" in path.read_text("utf-8")
        await start.until(lambda: not dialog.undo.isVisible())
        dialog.reject()


async def test_the_token_of_a_file_of_the_project_is_shown_once(
    theme: ThemeController, tmp_path: Path, home: Path
) -> None:
    project = tmp_path / "project"
    (project / ".cursor").mkdir(parents=True)
    async with started(theme, tmp_path) as start:
        start.console.executor.project_dir = project
        await switched_on(start)
        dialog = await opened(start)
        await chosen(start, dialog, "Cursor, this project")
        dialog.write.click()
        await start.until(dialog.token.isVisible)
        dialog.copy_token.click()
        assert QGuiApplication.clipboard().text() == dialog.token.text() != ""
        entry = json.loads((project / ".cursor" / "mcp.json").read_text("utf-8"))["mcpServers"]["tool-console"]
        assert entry["headers"] == {"Authorization": "Bearer ${env:TOOL_CONSOLE_TOKEN}"}
        dialog.reject()


class _Clients:
    """One program that is connected at once."""

    async def rows(self) -> tuple[ClientRow, ...]:
        return (ClientRow("a", "Some program", "~/some.json", is_found=True),)

    async def snippets(self, address: str, token: str = "", *, over_bridge: bool = False) -> dict[str, str]:
        return {}

    async def preview(self, key: str, address: str, *, over_bridge: bool | None = None) -> ConnectionPreview:
        return ConnectionPreview(key, "some", compare_texts("{}", "{ }"))

    async def connect(self, key: str, name: str, profile: str) -> ConnectedClient:
        return ConnectedClient(name, "~/some.json", "Start it again.")

    async def undo(self, key: str, *, entry_only: bool) -> UndoneConnection:
        return UndoneConnection()


class _Gateway:
    """A gateway that is on, and whose only agent asks when it is told to."""

    def __init__(self) -> None:
        self.last_at: datetime | None = None

    async def state(self) -> GatewayState:
        agent = AgentRow("some", "", "abcd", datetime.now(UTC), last_at=self.last_at)
        return GatewayState("http://127.0.0.1:8620/mcp", (agent,))


async def test_silence_is_explained_and_a_request_is_still_waited_for(theme: ThemeController) -> None:
    window, gateway, scope = QWidget(), _Gateway(), TaskScope("test")
    window.resize(1200, 800)
    dialog = ConnectDialog(window)

    presenter = ConnectPresenter(
        _Clients(),
        gateway,
        lambda: dialog,
        address=lambda: "http://127.0.0.1:8620/mcp",
        serve=gateway.state,
        scope=scope,
        patience_s=0,
    )
    presenter.open()
    await until(dialog.write.isEnabled)
    dialog.write.click()
    await until(lambda: dialog.hint.text().startswith("Nothing came within a minute."))
    assert "The gateway listens at http://127.0.0.1:8620/mcp." in dialog.hint.text()
    gateway.last_at = datetime.now(UTC)
    await until(lambda: dialog.waiting.text() == "some is connected")
    presenter.close()
    await scope.close()
    window.deleteLater()
