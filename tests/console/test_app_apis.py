"""APIs in the window: the real program, a real server that has the document and answers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QAbstractItemModel, QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QMenu, QPushButton

from console.apis.dialog import ApiDialog
from console.app.console import Console
from console.app.file_drops import read_drop
from console.browser.model import ITEM_ROLE, ToolTreeModel
from console.preferences import Preferences
from console.servers.view import ServersView
from console.theme import ThemeController
from console.widgets import CommandAction
from console.widgets.dialogs import QuestionBox
from tests.console.program import Program
from tests.memory_keyring import MemoryKeyring, memory_keyring
from tests.tools.catalog.web_server import LocalServer, Page, local_server
from tests.tools.openapi.documents import PETSTORE, document, operation
from tools import Continue
from tools.calls import CallStatus
from tools.discovery import PluginList
from tools.workbench import Workbench


class Start(Program):
    """One start of the program with APIs of its own."""

    def __init__(self, theme: ThemeController, home: Path, project: Path | None = None) -> None:
        self.file = home / "apis.json"
        data = home / "data"
        data.mkdir(exist_ok=True)
        workbench = Workbench(PluginList(home / "settings"), application=Console, installed=())
        preferences = Preferences(home / "window.ini")
        servers = home / "servers.json"
        super().__init__(Console(theme, preferences, workbench, project, data=data, servers_file=servers))
        self.notices: list[str] = []
        self.console.apis.noticed.connect(self.notices.append)

    @property
    def names(self) -> list[str]:
        return [tool.name for tool in self.console.tools if "." in tool.name]

    async def call(self, name: str, **arguments: Any) -> Any:
        """Call a tool, and allow it when a person is asked."""
        executor, desk = self.console.executor, self.console.desk
        call = executor.create_call(name, arguments)
        work = asyncio.create_task(self.console.engine.call(executor.execute, call))
        await self.until(lambda: desk.open_requests or work.done())
        for request in desk.open_requests:
            desk.answer(request.id, Continue())
        return await work

    @property
    def dialogs(self) -> list[ApiDialog]:
        return [dialog for dialog in self.console.window.findChildren(ApiDialog) if dialog.isVisible()]

    async def dialog(self) -> ApiDialog:
        await self.until(lambda: self.dialogs)
        (dialog,) = self.dialogs
        return dialog

    def command(self, text: str) -> CommandAction:
        (found,) = [one for one in self.console.window.findChildren(CommandAction) if one.text() == text]
        return found

    def groups(self) -> dict[str, Any]:
        """Return the rows of the tree below `APIs`, by what they say."""
        (model,) = self.console.browser_view.findChildren(ToolTreeModel)
        tops = [model.index(row, 0) for row in range(model.rowCount())]
        found = [top for top in tops if model.data(top, ITEM_ROLE).key == "api"]
        return {} if not found else {child.text: child for child in _children(model, found[0])}


def _children(model: QAbstractItemModel, top: Any) -> list[Any]:
    return [model.data(model.index(row, 0, top), ITEM_ROLE) for row in range(model.rowCount(top))]


@pytest.fixture
def server() -> Iterator[LocalServer]:
    with local_server() as local:
        yield local


@pytest.fixture(autouse=True)
def ring() -> Iterator[MemoryKeyring]:
    with memory_keyring() as made:
        yield made


def typed(field: QLineEdit, text: str) -> None:
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)


def rows_of(dialog: ApiDialog) -> list[list[str]]:
    model = dialog.table.model()
    return [[str(model.index(row, column).data()) for column in range(3)] for row in range(model.rowCount())]


async def test_an_api_is_added_with_its_key_and_its_tools_run(
    theme: ThemeController, tmp_path: Path, server: LocalServer, ring: MemoryKeyring
) -> None:
    server.pages["/openapi.yaml"] = Page(PETSTORE.encode(), "application/yaml")
    server.pages["/v1/pets/7"] = Page(b'{"id": 7, "name": "Rex"}', "application/json")

    async with Start(theme, tmp_path) as start:
        start.command("Add an API…").trigger()
        dialog = await start.dialog()
        assert not dialog.save.isEnabled()
        typed(dialog.source, server.url("/openapi.yaml"))
        await start.until(lambda: rows_of(dialog))

        assert rows_of(dialog)[:4] == [
            ["/pets", "GET", "reads"],
            ["/pets", "POST", "changes"],
            ["/pets/{petId}", "GET", "reads"],
            ["/pets/{petId}", "DELETE", "deletes"],
        ]
        assert dialog.meaning.text == ("Pet Store API: 6 operations, 3 of which change something and ask first.")
        assert (dialog.name.text(), dialog.base.text()) == ("pet-store", "https://pets.example.org/v1")
        assert dialog.keys["api_key"].echoMode() is QLineEdit.EchoMode.Password
        QTest.mouseClick(dialog.reading, Qt.MouseButton.LeftButton)
        assert dialog.meaning.text.endswith(". 3 chosen.")
        typed(dialog.base, server.url("/v1"))
        await start.until(dialog.save.isEnabled)
        QTest.mouseClick(dialog.reading, Qt.MouseButton.LeftButton)
        typed(dialog.name, "pets")
        typed(dialog.keys["api_key"], "open sesame")
        QTest.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
        await start.until(lambda: not start.dialogs)

        assert start.notices == ["pets has 3 tools now"]
        assert start.names == ["pets.listPets", "pets.getPet", "pets.get_pets_petId_photo"]
        assert ring.secrets == {"user/pets/api_key": "open sesame"}
        kept = start.file.read_text("utf-8")
        assert "sesame" not in kept
        assert json.loads(kept)["apis"]["pets"]["baseUrl"] == server.url("/v1")
        await start.until(lambda: "pets" in start.groups())
        assert start.groups()["pets"].count == "3"
        response = await start.call("pets.getPet", petId=7)
        assert response.status is CallStatus.EXECUTED, response.text
        assert server.seen[-1].headers["x-api-key"] == "open sesame"
    # And at the next start, from the copy of the document.
    server.pages.clear()
    async with Start(theme, tmp_path) as start:
        await start.until(lambda: start.names == ["pets.listPets", "pets.getPet", "pets.get_pets_petId_photo"])


async def test_what_is_wrong_is_said_in_the_dialog(theme: ThemeController, tmp_path: Path, server: LocalServer) -> None:
    content = document({"/a": {"get": operation()}, "/b": {"get": 1}})
    server.pages["/old.json"] = Page(b'{"swagger": "2.0"}', "application/json")

    async with Start(theme, tmp_path) as start:
        path = tmp_path / "things.json"
        path.write_text(json.dumps(content), encoding="utf-8")
        start.console.window.rail.choose("servers")
        await start.until(lambda: start.console.window.findChildren(ServersView))
        (page,) = start.console.window.findChildren(ServersView)
        page.api.click()
        dialog = await start.dialog()
        typed(dialog.source, server.url("/old.json"))
        await start.until(lambda: "is Swagger 2.0; expected OpenAPI 3.0 or 3.1" in dialog.problem.text())
        assert rows_of(dialog) == []
        typed(dialog.source, str(path))
        await start.until(lambda: rows_of(dialog))
        left_out = [
            label.text() for label in dialog.findChildren(type(dialog.problem)) if "Cannot be used" in label.text()
        ]
        assert left_out == ["Cannot be used: GET /b: expected the operation to be an object, got 1"]
        assert not dialog.problem.isVisible()
        QTest.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
        await start.until(dialog.problem.isVisible)
        assert "names no address of its server" in dialog.problem.text()
        assert not start.file.exists()
        typed(dialog.base, "https://things.example")
        await start.until(dialog.save.isEnabled)
        QTest.keyClick(dialog, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        await start.until(lambda: not start.dialogs)
        assert start.names == ["things.get_a"]


def put_things(path: Path, *names: str) -> None:
    paths = {f"/{name}": {"get": operation()} for name in names}
    servers = [{"url": "https://things.example"}]
    scheme = {"main": {"type": "http", "scheme": "bearer"}}
    content = document(paths, servers=servers, security=[{"main": []}], components={"securitySchemes": scheme})
    path.write_text(json.dumps(content), encoding="utf-8")


async def choose_in_menu(start: Start, text: str) -> None:
    view = start.console.browser_view
    await start.until(lambda: "things" in start.groups())
    view._on_tree_menu_requested(start.groups()["things"], QPoint())
    menus = [menu for menu in view.findChildren(QMenu) if menu.isVisible()]
    (action,) = [one for menu in menus for one in menu.actions() if one.text() == text]
    assert isinstance(action, QAction)
    action.trigger()
    for menu in menus:
        menu.close()


async def test_an_api_is_changed_refreshed_and_removed_from_the_tree(
    theme: ThemeController, tmp_path: Path, ring: MemoryKeyring
) -> None:
    path = tmp_path / "things.json"

    put_things(path, "a", "b")
    async with Start(theme, tmp_path) as start:
        start.console.drops.take(read_drop([url_of(path)]))
        dialog = await start.dialog()
        await start.until(dialog.save.isEnabled)
        typed(dialog.keys["main"], "a key")
        QTest.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
        await start.until(lambda: start.names == ["things.get_a", "things.get_b"])

        put_things(path, "a", "c")
        await choose_in_menu(start, "Read its document again")
        await start.until(lambda: start.names == ["things.get_a", "things.get_c"])
        await start.until(lambda: start.notices[-1] == "Operations of things: 1 added, 1 removed")

        await choose_in_menu(start, "Show what it can do…")
        dialog = await start.dialog()
        await start.until(lambda: rows_of(dialog))
        assert dialog.source.isReadOnly()
        assert dialog.keys["main"].placeholderText() == "There already; empty leaves it"
        dialog.model.choose(["GET /c"])
        QTest.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
        await start.until(lambda: start.names == ["things.get_c"])
        await start.until(lambda: not start.dialogs)
        assert ring.secrets == {"user/things/main": "a key"}

        await choose_in_menu(start, "Remove…")
        await start.until(lambda: [box for box in boxes(start) if box.isVisible()])
        (box,) = boxes(start)
        (agree,) = [one for one in box.findChildren(QPushButton) if one.text() == "Remove things"]
        QTest.mouseClick(agree, Qt.MouseButton.LeftButton)
        await start.until(lambda: not start.names)
        assert ring.secrets == {}
        assert json.loads(start.file.read_text("utf-8")) == {"apis": {}}


def boxes(start: Start) -> list[QuestionBox]:
    return [box for box in start.console.window.findChildren(QuestionBox) if box.isVisible()]


def url_of(path: Path) -> Any:
    from PySide6.QtCore import QUrl  # noqa: PLC0415 -- for this one test

    return QUrl.fromLocalFile(str(path))


async def test_the_api_of_a_project_is_allowed_in_the_tree(theme: ThemeController, tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / ".tool-console").mkdir(parents=True)
    content = document({"/a": {"get": operation()}}, servers=[{"url": "https://things.example"}])
    (project / "api.json").write_text(json.dumps(content), encoding="utf-8")
    entries = {"apis": {"ours": {"source": "api.json"}}}
    (project / ".tool-console" / "apis.json").write_text(json.dumps(entries), encoding="utf-8")

    async with Start(theme, tmp_path, project) as start:
        await start.until(lambda: "ours" in start.groups())
        failure = start.groups()["ours"].failure
        assert "has no tools, as nobody allowed it yet" in failure.error
        assert start.names == []
        start.console.browser_view._on_tree_opened(start.groups()["ours"])
        dialog = await start.dialog()
        await start.until(lambda: rows_of(dialog) == [["/a", "GET", "reads"]])
        assert dialog.save.text() == "Allow"
        assert dialog.base.text() == "https://things.example"
        QTest.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
        await start.until(lambda: start.names == ["ours.get_a"])
        await start.until(lambda: start.groups()["ours"].failure is None)


async def test_a_base_address_stays_and_a_taken_name_changes_no_key(
    theme: ThemeController, tmp_path: Path, ring: MemoryKeyring
) -> None:
    path = tmp_path / "things.json"
    put_things(path, "a", "b")

    async with Start(theme, tmp_path) as start:
        start.console.apis.add_file(path)
        dialog = await start.dialog()
        await start.until(dialog.save.isEnabled)
        typed(dialog.base, "http://127.0.0.1:9")
        await start.until(dialog.save.isEnabled)
        typed(dialog.keys["main"], "a key")
        QTest.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
        await start.until(lambda: not start.dialogs)
        start.console.apis.do("show", "things")
        dialog = await start.dialog()
        await start.until(lambda: rows_of(dialog))
        assert dialog.base.text() == "http://127.0.0.1:9"
        dialog.model.choose(["GET /a"])
        QTest.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
        await start.until(lambda: not start.dialogs)
        kept = {"source": str(path), "baseUrl": "http://127.0.0.1:9", "operations": ["GET /a"]}
        assert json.loads(start.file.read_text("utf-8"))["apis"]["things"] == kept

        start.console.apis.add_file(path)
        dialog = await start.dialog()
        await start.until(dialog.save.isEnabled)
        typed(dialog.keys["main"], "another key")
        QTest.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
        await start.until(dialog.problem.isVisible)
        assert "There is an API 'things' already" in dialog.problem.text()
        assert ring.secrets == {"user/things/main": "a key"}
        dialog.reject()


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('{"openapi": "3.1.0", "paths": {}}', "api"),
        ('{"info": {"title": "x"},"openapi":"3.0.3"}', "api"),
        ("# A comment\nopenapi: 3.0.3\n", "api"),
        ('swagger: "2.0"\n', "api"),
        ("name: plan\nsteps: []\n", "plan"),
        ('{"steps": [{"tool": "openapi"}]}', "plan"),
        ("", "plan"),
    ],
)
def test_a_dropped_document_is_told_from_a_plan(tmp_path: Path, text: str, kind: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(text, encoding="utf-8")

    drop = read_drop([url_of(path)])

    assert (drop.api, drop.plan) == ((path, None) if kind == "api" else (None, path))
    assert drop.is_taken
    assert len(drop.lines) == 1
