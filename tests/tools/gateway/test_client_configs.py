"""Programs of agents are connected by an entry in their files, and disconnected byte for byte."""

from __future__ import annotations

import json
import os
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.errors import GatewayError
from tools.gateway.agents import AGENTS_FILE, Agents
from tools.gateway.client_configs import (
    NEXT_STEPS,
    ClientFile,
    Connections,
    GatewayTransport,
    Undone,
    client_file,
    client_files,
    own_command,
    planned,
    snippet,
    words_of,
)
from tools.gateway.profiles import AgentProfile
from tools.mcp.exports import export_into, exported
from tools.mcp.imports import OWN_NAME, PROGRAM_WORDS, Program, read_import
from tools.mcp.program_files import with_entry, without_entry

ADDRESS = "http://127.0.0.1:8620/mcp"
CLIENTS = tuple(NEXT_STEPS)
JSONC = """// mine
{
\t"theme": "dark", // at night
\t"mcpServers": {
\t\t/* the docs */
\t\t"docs": { "url": "https://docs.example.org/mcp" },
\t},
}
"""
TOML = """# mine
model = "o5"

[mcp_servers.docs]   # the docs
command = "docs"
args = [ "-y" ]

[profiles.fast]
note = \"\"\"
[mcp_servers.x]
\"\"\"
"""


@pytest.fixture
def agents(tmp_path: Path) -> Agents:
    return Agents(tmp_path / "data" / AGENTS_FILE)


@pytest.fixture
def connections(tmp_path: Path, agents: Agents) -> Connections:
    return Connections(tmp_path / "data", agents)


def file_of(program: Program, folder: Path, text: str | None = None) -> ClientFile:
    path = folder / ("config.toml" if program is Program.CODEX else "config.json")
    if text is not None:
        path.write_bytes(text.encode())
    return client_file(program, path)


def server_in(path: Path, program: Program) -> dict[str, Any]:
    text = path.read_text("utf-8")
    document = tomllib.loads(text) if program is Program.CODEX else json.loads(text)
    keys = {Program.VS_CODE: "servers", Program.ZED: "context_servers", Program.CODEX: "mcp_servers"}
    entry: dict[str, Any] = document[keys.get(program, "mcpServers")][OWN_NAME]
    return entry


@pytest.mark.parametrize(
    ("platform", "places"),
    [
        ("linux", (".config/Claude/claude_desktop_config.json", ".config/zed/settings.json")),
        (
            "darwin",
            ("Library/Application Support/Claude/claude_desktop_config.json", ".config/zed/settings.json"),
        ),
        ("win32", ("AppData/Roaming/Claude/claude_desktop_config.json", "AppData/Roaming/Zed/settings.json")),
    ],
)
def test_the_files_of_all_programs_are_known_on_each_system(
    tmp_path: Path, platform: str, places: tuple[str, ...]
) -> None:
    (tmp_path / ".codex").mkdir()
    files = client_files(tmp_path, {}, tmp_path / "project", platform)
    assert {file.program for file in files} == set(CLIENTS)
    found = [file.path.relative_to(tmp_path).as_posix() for file in files]
    assert found[0] == ".codex/config.toml"
    assert set(places) < set(found)
    assert {".claude.json", ".cursor/mcp.json", ".codeium/windsurf/mcp_config.json"} < set(found)
    shared = [file.path.relative_to(tmp_path).as_posix() for file in files if file.in_project]
    assert shared == ["project/.mcp.json", "project/.cursor/mcp.json", "project/.vscode/mcp.json"]
    assert [file.program for file in files if file.is_found] == [Program.CODEX]


@pytest.mark.parametrize("program", CLIENTS)
@pytest.mark.parametrize("is_there", [True, False])
def test_a_program_is_connected_and_disconnected_byte_for_byte(
    tmp_path: Path, agents: Agents, connections: Connections, program: Program, is_there: bool
) -> None:
    before = (TOML if program is Program.CODEX else JSONC).replace("\n", "\r\n") if is_there else None
    file = file_of(program, tmp_path, before)
    change = planned(file)
    assert not agents.all()
    assert "tc_…" in change.diff
    assert [line for line in change.diff.splitlines() if line.startswith("-") and not line.startswith("---")] in (
        [],
        ["-\t},"],
    )
    name = connections.name_for(file)
    done = connections.connect(change, name)
    text = file.path.read_bytes().decode()
    assert text == change.after.replace("tc_…", done.agent.token)
    if before is not None:
        assert all(line in text for line in before.splitlines(keepends=True))
    else:
        entry = server_in(file.path, program)
        address = entry.get("url") or entry.get("serverUrl")
        assert address == ADDRESS or entry["args"][-1] == "bridge"
    assert client_file(program, file.path).is_connected
    assert agents.with_token(done.agent.token) == done.agent.agent

    assert connections.undo(file.path) == Undone(removed=name)
    assert not file.path.exists() if before is None else file.path.read_bytes() == before.encode()
    assert not agents.all()
    assert [path.name for path in (tmp_path / "data" / "connections").iterdir() if path.name[0] != "."] == [
        "connections.json"
    ]


@pytest.mark.skipif(os.name == "nt", reason="rights are others there")
def test_only_the_person_can_read_a_file_with_a_token_and_undoing_gives_the_former_rights(
    tmp_path: Path, connections: Connections
) -> None:
    file = file_of(Program.CURSOR, tmp_path, "{}")
    file.path.chmod(0o644)
    connections.connect(planned(file), "cursor")
    assert file.path.stat().st_mode & 0o777 == 0o600
    connections.undo(file.path)
    assert file.path.stat().st_mode & 0o777 == 0o644
    new = client_file(Program.CURSOR, tmp_path / "new.json")
    connections.connect(planned(new), "cursor")
    assert new.path.stat().st_mode & 0o777 == 0o600


def test_a_file_of_the_project_gets_no_token_but_a_variable_where_the_program_knows_some(
    tmp_path: Path, connections: Connections
) -> None:
    expected = {
        ".mcp.json": "Bearer ${TOOL_CONSOLE_TOKEN}",
        ".cursor/mcp.json": "Bearer ${env:TOOL_CONSOLE_TOKEN}",
        ".vscode/mcp.json": "Bearer ${input:tool-console-tool-console-token}",
    }
    for name, spelled in expected.items():
        (file,) = (file for file in client_files(tmp_path / "home", {}, tmp_path) if file.path == tmp_path / Path(name))
        assert words_of(file).endswith(", this project")
        done = connections.connect(planned(file), file.program.value)
        assert done.needs_variable
        assert done.agent.token not in file.path.read_text("utf-8")
        assert server_in(file.path, file.program)["headers"] == {"Authorization": spelled}
    inputs = json.loads((tmp_path / ".vscode/mcp.json").read_text("utf-8"))["inputs"]
    assert [(asked["type"], asked["password"]) for asked in inputs] == [("promptString", True)]


def test_a_file_that_changed_since_is_left_alone_and_only_the_entry_taken_out(
    tmp_path: Path, agents: Agents, connections: Connections
) -> None:
    file = file_of(Program.CURSOR, tmp_path, JSONC)
    connections.connect(planned(file), "cursor")
    changed = file.path.read_text("utf-8").replace("dark", "light")
    file.path.write_text(changed, "utf-8")
    with pytest.raises(GatewayError, match="changed since it was written, so it is left alone"):
        connections.undo(file.path)
    assert file.path.read_text("utf-8") == changed
    assert [agent.name for agent in agents.all()] == ["cursor"]
    assert connections.undo(file.path, entry_only=True) == Undone(removed="cursor")
    assert file.path.read_text("utf-8") == JSONC.replace("dark", "light")
    with pytest.raises(GatewayError, match="nothing was written into"):
        connections.undo(file.path)


def test_connecting_again_gives_another_token_and_is_undone_as_a_whole(
    tmp_path: Path, agents: Agents, connections: Connections
) -> None:
    file = file_of(Program.CODEX, tmp_path, TOML)
    first = connections.connect(planned(file), "codex")
    again = connections.connect(planned(file), "codex")
    assert agents.with_token(first.agent.token) is None
    assert agents.with_token(again.agent.token) is not None
    connections.undo(file.path)
    assert file.path.read_text("utf-8") == TOML
    assert not agents.all()


def test_two_files_of_a_program_have_agents_of_their_own(
    tmp_path: Path, agents: Agents, connections: Connections
) -> None:
    one, two = (client_file(Program.CURSOR, tmp_path / name) for name in ("one.json", "two.json"))
    tokens = [connections.connect(planned(file), connections.name_for(file)).agent for file in (one, two)]
    assert [added.agent.name for added in tokens] == ["cursor", "cursor-2"]
    assert all(agents.with_token(added.token) for added in tokens)
    assert connections.name_for(one) == "cursor"
    connections.undo(one.path)
    assert [agent.name for agent in agents.all()] == ["cursor-2"]


def test_an_agent_that_was_let_in_before_stays_when_the_file_is_undone(
    tmp_path: Path, agents: Agents, connections: Connections
) -> None:
    agents.add("cursor", ("read_*",))
    file = file_of(Program.CURSOR, tmp_path, "{}")
    assert connections.connect(planned(file), "cursor").agent.agent.profile.tools == ("read_*",)
    agents.keep_profile(AgentProfile(name="writers", tools=("write_*",)))
    assert connections.connect(planned(file), "cursor", profile="writers").agent.agent.profile.name == "writers"
    assert connections.undo(file.path) == Undone(restored="cursor")
    assert [agent.name for agent in agents.all()] == ["cursor"]


def test_the_former_token_is_good_again_when_the_file_is_undone(
    tmp_path: Path, agents: Agents, connections: Connections
) -> None:
    former = agents.add("cursor").token
    agents.note_hold("cursor", "Cursor", 30.0)
    file = file_of(Program.CURSOR, tmp_path, "{}")
    connected = connections.connect(planned(file), "cursor")
    assert agents.with_token(former) is None
    assert connected.agent.agent.hold_s == {"Cursor": 30.0}
    again = connections.connect(planned(file), "cursor")
    assert agents.with_token(connected.agent.token) is None

    assert connections.undo(file.path) == Undone(restored="cursor")
    assert agents.with_token(again.agent.token) is None
    assert agents.with_token(former) is not None


def test_a_token_that_another_one_took_the_place_of_is_not_restored(
    tmp_path: Path, agents: Agents, connections: Connections
) -> None:
    former = agents.add("cursor").token
    file = file_of(Program.CURSOR, tmp_path, "{}")
    connections.connect(planned(file), "cursor")
    newest = agents.renew("cursor").token
    assert connections.undo(file.path) == Undone(ended="cursor")
    assert agents.with_token(former) is None
    assert agents.with_token(newest) is not None


@pytest.mark.parametrize(
    ("program", "text", "why"),
    [
        (Program.CURSOR, '{"mcpServers": {', "line 1, column 17"),
        (Program.CURSOR, '{"mcpServers": []}', "expected mcpServers to be an object"),
        (Program.CURSOR, "[1]", "expected the file to be an object"),
        (Program.CODEX, "model = \n", "line 1"),
        (Program.CODEX, "mcp_servers = 1", "expected mcp_servers to be a table"),
        (Program.CODEX, "mcp_servers = {}", "in tables of their own"),
    ],
)
def test_a_file_that_makes_no_sense_is_told_of_and_never_written(
    tmp_path: Path, agents: Agents, program: Program, text: str, why: str
) -> None:
    file = file_of(program, tmp_path, text)
    with pytest.raises(GatewayError, match="nothing was written") as error:
        planned(file)
    assert why in str(error.value)
    assert file.path.read_text("utf-8") == text
    assert not agents.all()


def test_a_file_that_is_no_text_is_told_of(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    path.write_bytes(b"{\xff}")
    assert "cannot be read" in client_file(Program.CURSOR, path).problem


def test_a_file_that_changed_while_it_was_looked_at_is_not_written(
    tmp_path: Path, agents: Agents, connections: Connections
) -> None:
    file = file_of(Program.CURSOR, tmp_path, "{}")
    change = planned(file)
    file.path.write_text('{"a": 1}', "utf-8")
    with pytest.raises(GatewayError, match="changed meanwhile; look at the change again"):
        connections.connect(change, "cursor")
    assert not agents.all()


def test_agents_stay_as_they_are_when_it_cannot_be_written_down(
    tmp_path: Path, agents: Agents, connections: Connections
) -> None:
    file = file_of(Program.CURSOR, tmp_path, "{}")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "connections").write_text("in the transport", "utf-8")
    with pytest.raises(GatewayError, match="cannot be written"):
        connections.connect(planned(file), "cursor")
    assert file.path.read_text("utf-8") == "{}"
    assert not agents.all()
    former = agents.add("cursor", ("read_*",)).token
    with pytest.raises(GatewayError, match="cannot be written"):
        connections.connect(planned(file), "cursor", profile="")
    (agent,) = agents.all()
    assert (agents.with_token(former), agent.profile.tools) == (agent, ("read_*",))


def test_the_bridge_is_started_by_its_full_path_with_the_token_in_its_environment(
    tmp_path: Path, connections: Connections, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOOL_CONSOLE_DATA", str(tmp_path / "data"))
    for program in (Program.CLAUDE_DESKTOP, Program.ZED, Program.CODEX):
        file = file_of(program, tmp_path)
        transport = GatewayTransport("http://127.0.0.1:9000/mcp", over_bridge=True)
        done = connections.connect(planned(file, transport), program.value)
        entry = server_in(file.path, program)
        command, *words = own_command()
        assert Path(command).is_absolute()
        assert (entry["command"], entry["args"]) == (command, [*words, "bridge"])
        # It finds the program that serves there, whatever its address is.
        known = {"TOOL_CONSOLE_TOKEN": done.agent.token, "TOOL_CONSOLE_DATA": str(tmp_path / "data")}
        assert entry["env"] == known
        file.path.unlink()


@pytest.mark.parametrize("program", CLIENTS)
def test_the_snippet_of_a_program_can_be_read_back_as_its_servers(tmp_path: Path, program: Program) -> None:
    text = snippet(program, GatewayTransport(), "tc_secret")
    assert "tc_secret" in text
    assert "tc_…" in snippet(program, GatewayTransport())
    path = tmp_path / ("config.toml" if program is Program.CODEX else "mcp.json")
    path.write_text(text, "utf-8")
    (server,) = read_import(path).servers
    if program is Program.CLAUDE_DESKTOP:
        assert server.config.env == {"TOOL_CONSOLE_TOKEN": "tc_secret"}
    else:
        assert (server.config.url, server.config.headers) == (ADDRESS, {"Authorization": "Bearer tc_secret"})


@pytest.mark.parametrize("program", [Program.ZED, Program.WINDSURF, Program.CODEX])
def test_servers_go_into_the_files_of_editors_and_come_back(tmp_path: Path, program: Program) -> None:
    source = tmp_path / "source.json"
    source.write_text(JSONC, "utf-8")
    configs = [item.config for item in read_import(source).servers]
    target = file_of(program, tmp_path, TOML if program is Program.CODEX else "{}").path
    export_into(target, configs, program)
    assert "https://docs.example.org/mcp" in target.read_text("utf-8")
    assert read_import(target).servers[0].config.url == configs[0].url
    assert exported(configs, program).text
    assert PROGRAM_WORDS[program]


_NAMES = st.text("abc-", min_size=1, max_size=3)
_VALUES = st.one_of(st.integers(0, 9), st.booleans(), st.text('ab"[]#\n', max_size=6))


@given(
    servers=st.dictionaries(_NAMES, st.dictionaries(_NAMES, _VALUES, max_size=3), max_size=3),
    others=st.dictionaries(_NAMES, _VALUES, max_size=3),
)
def test_an_entry_of_toml_changes_no_other(servers: dict[str, dict[str, Any]], others: dict[str, Any]) -> None:
    import tomlkit  # noqa: PLC0415 -- another writer than the one that is tested

    document = {**others, "mcp_servers": servers} if servers else others
    text = tomlkit.dumps(document)
    connected = with_entry(text, Program.CODEX, OWN_NAME, {"url": ADDRESS, "http_headers": {"a": "b"}})
    assert connected.startswith(text)
    found = tomllib.loads(connected)
    assert found["mcp_servers"].pop(OWN_NAME) == {"url": ADDRESS, "http_headers": {"a": "b"}}
    assert {"mcp_servers": {}, **found} == {"mcp_servers": {}, **document}
    replaced = with_entry(connected, Program.CODEX, OWN_NAME, {"command": "x"})
    assert tomllib.loads(replaced)["mcp_servers"][OWN_NAME] == {"command": "x"}
    assert without_entry(replaced, Program.CODEX, OWN_NAME).strip() == text.strip()
