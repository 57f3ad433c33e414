"""Settings of servers behind the page: tried, kept with their secrets elsewhere, taken over, handed on."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from console.engine import Engine
from console.servers.config_adapter import ServerConfigAdapter
from console.servers.elicitation import SharedFolders
from tests.tools.mcp.kept_secrets import KeptSecrets
from tools.errors import ServerConfigError
from tools.mcp.config import ServerConfig, Target
from tools.mcp.store import ServerStore
from tools.mcp.variables import resolve
from tools.workbench import FOLDERS_FILE

MISBEHAVING = Path(__file__).parents[1] / "mcp_servers" / "misbehaving.py"
TOKEN = "ghp_" + "a" * 36


class House:
    """The port over a disk of its own; what would run is only written down, but what is tried really runs."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.secrets = KeptSecrets()
        self.store = ServerStore(home / "data", home / "servers.json", self.secrets)
        self.engine = Engine()
        self.connected: list[str] = []
        self.applied = 0
        self.desk = ServerConfigAdapter(
            self.store,
            resolve=self.resolve,
            apply=self.apply,
            connect=self.connect,
            engine=self.engine,
            compute=self.engine.compute,
            folders=SharedFolders(home / "data" / FOLDERS_FILE),
        )

    def resolve(self, config: ServerConfig) -> Target:
        return resolve(config, os.environ, self.secrets, self.home)

    async def apply(self) -> None:
        self.applied += 1

    async def connect(self, name: str) -> None:
        self.connected.append(name)


@pytest.fixture
def house(qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    house = House(tmp_path)
    house.engine.start()
    yield house
    house.engine.stop()


def started(fault: str) -> dict[str, Any]:
    words = ["-S", "-E", str(MISBEHAVING), fault]
    return {"transport": "stdio", "name": "shop", "command": sys.executable, "args": words, "protocol": "older"}


async def test_a_server_is_tried_and_nothing_of_it_is_kept(house: House) -> None:
    good = await house.desk.trial(started("good"))
    assert (good.success, good.words.startswith("Connected: Misbehaving 0.1, 3")) == (True, True)
    bad = await house.desk.trial(started("dies"))
    assert not bad.success
    assert bad.words
    assert bad.details
    assert house.store.configs == ()
    with pytest.raises(ServerConfigError, match="command"):
        await house.desk.trial({"transport": "stdio", "name": "shop"})


async def test_what_would_run_is_shown_with_what_to_look_at_twice(house: House) -> None:
    start = await house.desk.preview(
        {"transport": "stdio", "name": "a", "command": "npx", "args": ["-y", "@mcp/server-github"]}
    )
    assert [part.text for part in start.parts] == ["npx", "-y", "@mcp/server-github"]
    assert start.parts[2].risk.startswith("This is loaded from the network")
    assert (await house.desk.preview({"transport": "http", "name": "a"})).problem


async def test_a_server_is_added_changed_and_removed_with_its_secrets_in_the_keyring(house: House) -> None:
    value = {"transport": "stdio", "name": "github", "command": "npx", "env": {"GITHUB_TOKEN": TOKEN}}
    assert await house.desk.add([value]) == ["github"]
    assert TOKEN not in (house.home / "servers.json").read_text("utf-8")
    assert TOKEN in house.secrets.values()
    assert house.store.may_start() == {"github": True}
    settings = await house.desk.settings("github")
    assert settings.note == str(house.home / "servers.json")
    await house.desk.save("github", {**settings.value, "name": "code", "description": "Our code"})
    assert [config.name for config in house.store.configs] == ["code"]
    assert TOKEN not in await house.desk.exported("code")
    with pytest.raises(ServerConfigError, match="already"):
        await house.desk.add([{"transport": "stdio", "name": "code", "command": "npx"}])
    await house.desk.remove("code")
    assert house.store.configs == ()
    assert house.connected == ["github", "code"]


async def test_servers_of_other_programs_are_found_with_what_is_wrong_with_some(house: House) -> None:
    project = house.home / "project"
    (project / ".vscode").mkdir(parents=True)
    entries = {"docs": {"url": "https://example.org/mcp"}, "broken": {}}
    (project / ".mcp.json").write_text(json.dumps({"mcpServers": entries}), "utf-8")
    (project / ".vscode" / "mcp.json").write_text("{", "utf-8")
    house.store.set_project(project)
    rows = await house.desk.found()
    assert [(row.name, row.origin) for row in rows if not row.problem] == [("docs", ".mcp.json")]
    problems = sorted(row.problem for row in rows if row.problem)
    assert len(problems) == 2
    assert "cannot be read" in problems[0]
    assert "'broken'" in problems[1]
    (key,) = (row.key for row in rows if not row.problem)
    assert (await house.desk.take([key])).startswith("Imported docs.")
    assert house.store.may_start() == {"docs": False}
    assert [row.note for row in await house.desk.found() if row.name == "docs"] == ["takes the place of yours"]
    seen = await house.desk.start_of("docs")
    with pytest.raises(ServerConfigError, match="changed while you looked"):
        await house.desk.allow("docs", "another start", trusted=True)
    assert house.store.may_start() == {"docs": False}
    await house.desk.allow("docs", seen.digest, trusted=True)
    assert house.store.find("docs").trusted
    assert house.connected == ["docs"]


async def test_profiles_are_kept_chosen_and_removed(house: House) -> None:
    for name in ("docs", "code"):
        await house.desk.add([{"transport": "stdio", "name": name, "command": "npx"}])
    await house.desk.keep_profile("Writing", ["docs"])
    house.connected.clear()
    await house.desk.choose_profile("Writing")
    assert {config.name: config.enabled for config in house.store.wanted} == {"docs": True, "code": False}
    assert house.connected == ["docs"]
    await house.desk.switch_server("docs", is_on=False)
    assert not any(config.enabled for config in house.store.wanted)
    await house.desk.remove_profile("Writing")
    assert house.store.profiles == ()
    with pytest.raises(ServerConfigError, match="128"):
        await house.desk.keep_profile("x" * 200, [])


async def test_a_paste_is_understood_previewed_and_kept_as_it_was_shown(house: House) -> None:
    text = f"{sys.executable} -m notes_mcp --key <YOUR_KEY> --folder /path/to/notes"
    understood = await house.desk.understand(text)
    assert understood.words == "A command that starts notes"
    (server,) = understood.servers
    assert [(one.where, one.name, one.is_secret) for one in server.asked] == [
        ("args/3", "key", True),
        ("args/5", "folder", False),
    ]
    assert server.start.missing == ("key", "folder")
    assert ("Program", sys.executable) in server.start.facts
    answers = {"args/3": "s3cret", "args/5": "/notes"}
    start = await house.desk.preview({**server.value, "answers": answers})
    assert start.missing == ()
    assert [part.text for part in start.parts][3:] == [
        "--key",
        "${keyring:user/notes/args/3}",
        "--folder",
        "/notes",
    ]
    assert await house.desk.add([{**server.value, "answers": answers}]) == ["notes"]
    kept = house.store.find("notes")
    assert kept.args == ("-m", "notes_mcp", "--key", "${keyring:user/notes/args/3}", "--folder", "/notes")
    assert (await house.desk.start_of("notes")).digest == start.digest
    assert house.secrets == {"user/notes/args/3": "s3cret"}
    assert house.resolve(kept).argv[4] == "s3cret"
    (again,) = (await house.desk.understand(text)).servers
    assert again.value["name"] == "notes-2"
    assert again.note == "There is a server notes already; this one is called notes-2"


async def test_a_program_that_is_not_there_is_told_with_what_brings_it(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(house.home))

    (server,) = (await house.desk.understand("npx -y notes-mcp")).servers
    assert server.start.notes[0].startswith("No program 'npx' can be run")
    assert server.start.notes[0].endswith("Install Node.js (https://nodejs.org)")
    assert not any(name == "Program" for name, _ in server.start.facts)


async def test_all_servers_of_a_block_are_added_at_once(house: House) -> None:
    block = {"a": {"command": "npx"}, "b": {"url": "https://example.org/mcp"}, "c": {"type": "pigeon"}}
    understood = await house.desk.understand(json.dumps({"mcpServers": block}))
    assert understood.words == "Settings of a, b"
    assert "pigeon" in understood.problem
    assert await house.desk.add([server.value for server in understood.servers]) == ["a", "b"]
    assert sorted(house.connected) == ["a", "b"]
    assert house.store.may_start() == {"a": True, "b": True}
    assert (await house.desk.understand("What?")).problem.startswith("Expected a command")


async def test_how_one_is_known_at_a_server_comes_with_the_paste(house: House) -> None:
    text = "claude mcp add --transport http --client-id me far https://example.org/mcp"
    (server,) = (await house.desk.understand(text)).servers
    await house.desk.add([server.value])
    client = house.store.find("far").client
    assert client is not None
    assert client.id == "me"
