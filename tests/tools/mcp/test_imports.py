"""Servers come from other programs' files and go back to them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.tools.mcp.kept_secrets import KeptSecrets
from tools.errors import ServerConfigError
from tools.mcp.config import ProtocolChoice, ServerConfig, Transport
from tools.mcp.exports import export_into, exported
from tools.mcp.imports import Program, known_files, read_import
from tools.mcp.secrets import move_secrets, written_secrets

CLAUDE_DESKTOP = """{
  "globalShortcut": "Ctrl+Space",
  "mcpServers": {
    "github": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-github"],
      "env": { "GITHUB_PERSONAL_ACCESS_TOKEN": "ghp_abcdefghijklmnopqrstuvwxyz0123456789" }
    }
  }
}
"""
CURSOR = """{
  "mcpServers": {
    "docs": { "url": "https://docs.example.org/mcp", "headers": { "Authorization": "Bearer ${env:DOCS_TOKEN}" } },
    "py": { "command": "python", "args": ["${workspaceFolder}/server.py"], "envFile": "${workspaceFolder}/.env" },
  }
}
"""
VS_CODE = """{
  // asks once
  "inputs": [
    { "type": "promptString", "id": "key", "description": "Perplexity API key", "password": true },
    { "type": "promptString", "id": "port", "description": "Port", "default": "80" }
  ],
  "servers": {
    "perplexity": {
      "type": "stdio", "command": "npx", "args": ["-y", "server-perplexity", "${input:port}"],
      "env": { "PERPLEXITY_API_KEY": "${input:key}" }, "dev": { "watch": "src/**" }
    },
    "fetch": { "type": "sse", "url": "http://127.0.0.1:3000/sse" }
  }
}
"""


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def names(found: Any) -> list[str]:
    return [item.config.name for item in found.servers]


def test_claude_desktops_servers_come_with_their_secrets_pointed_out(tmp_path: Path) -> None:
    found = read_import(written(tmp_path, "claude_desktop_config.json", CLAUDE_DESKTOP))
    config = found.servers[0].config
    assert (config.command, config.args) == ("npx", ("-y", "@modelcontextprotocol/server-github"))
    assert [place.where for place in written_secrets(config)] == ["env/GITHUB_PERSONAL_ACCESS_TOKEN"]
    assert config.origin is None


def test_cursors_servers_come_with_variables_and_what_was_not_read_is_told(tmp_path: Path) -> None:
    docs, py = read_import(written(tmp_path, "mcp.json", CURSOR)).servers
    assert docs.config.transport is Transport.HTTP
    assert docs.config.headers == {"Authorization": "Bearer ${env:DOCS_TOKEN}"}
    assert written_secrets(docs.config) == ()
    assert py.notes == ("its envFile is not read: put what it needs into its environment",)
    assert py.config.unknown == {"envFile": "${workspaceFolder}/.env"}


def test_what_vs_code_asks_for_becomes_a_secret_to_enter_or_its_default(tmp_path: Path) -> None:
    perplexity, fetch = read_import(written(tmp_path, "mcp.json", VS_CODE)).servers
    assert perplexity.config.env == {"PERPLEXITY_API_KEY": "${keyring:user/perplexity/input/key}"}
    assert perplexity.config.args[-1] == "80"
    assert perplexity.notes == ("enter Perplexity API key: it was never in the file",)
    assert perplexity.config.unknown == {"dev": {"watch": "src/**"}}
    assert (fetch.config.transport, fetch.notes) == (Transport.SSE, ())


def test_settings_of_vs_code_and_projects_of_claude_code_are_found(tmp_path: Path) -> None:
    inside = {"mcp": {"servers": {"a": {"command": "x"}}}, "editor.fontSize": 12}
    assert names(read_import(written(tmp_path, "settings.json", json.dumps(inside)))) == ["a"]
    claude = {
        "mcpServers": {"all": {"command": "x"}, "both": {"command": "x"}},
        "projects": {
            str(tmp_path): {"mcpServers": {"both": {"command": "mine"}}},
            "/elsewhere": {"mcpServers": {"no": {"command": "x"}}},
        },
    }
    path = written(tmp_path, ".claude.json", json.dumps(claude))
    assert names(read_import(path)) == ["all", "both"]
    found = read_import(path, tmp_path)
    assert [(item.config.name, item.config.command) for item in found.servers] == [("all", "x"), ("both", "mine")]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "line 1, column 2"),
        ("{}", "has no servers: expected mcpServers"),
        ('{"mcpServers": 3}', "has no servers: expected mcpServers"),
        ("a = b", "has no servers: expected MCP.name and MCP.url, or JSON with mcpServers"),
    ],
)
def test_a_file_without_servers_says_what_was_expected(tmp_path: Path, text: str, problem: str) -> None:
    path = written(tmp_path, "mcp.json", text)
    with pytest.raises(ServerConfigError) as caught:
        read_import(path)
    assert problem in str(caught.value)
    assert str(path) in str(caught.value)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ServerConfigError, match="cannot be read"):
        read_import(tmp_path / "none.json")


def test_one_broken_server_stops_no_other(tmp_path: Path) -> None:
    found = read_import(written(tmp_path, "mcp.json", '{"mcpServers": {"a": {}, "b": {"command": "x"}}}'))
    assert (names(found), len(found.problems)) == (["b"], 1)


def test_a_file_of_others_is_given_no_secret_of_this_program(tmp_path: Path) -> None:
    text = '{"mcpServers": {"a": {"url": "https://x/${keyring:user/github/env/TOKEN}"}}}'
    found = read_import(written(tmp_path, "mcp.json", text))
    assert found.servers == ()
    assert "'a' asks for a secret that this program keeps" in found.problems[0]


@pytest.mark.parametrize(
    ("platform", "environment", "settings"),
    [
        ("linux", {}, ".config"),
        ("linux", {"XDG_CONFIG_HOME": "/x"}, "/x"),
        ("darwin", {}, "Library/Application Support"),
        ("win32", {"APPDATA": "/roaming"}, "/roaming"),
    ],
)
def test_where_programs_keep_their_servers(platform: str, environment: dict[str, str], settings: str) -> None:
    home, project = Path("/home/me"), Path("/somewhere/p")
    found = [known[:2] for known in known_files(home, environment, project, platform)]
    assert (Program.CLAUDE_DESKTOP, home / settings / "Claude" / "claude_desktop_config.json") in found
    assert (Program.VS_CODE, home / settings / "Code" / "User" / "mcp.json") in found
    assert (Program.CURSOR, home / ".cursor" / "mcp.json") in found
    assert (Program.MCP_JSON, project / ".mcp.json") in found
    assert (Program.VS_CODE, project / ".vscode" / "mcp.json") in found


@pytest.fixture
def servers() -> tuple[ServerConfig, ...]:
    return (
        ServerConfig(
            name="git hub",
            transport=Transport.STDIO,
            command="npx",
            args=("-y", "x", "${workspaceFolder}", "--key=${keyring:user/git hub/args/3}"),
            env={"TOKEN": "${keyring:user/git hub/env/TOKEN}", "HOST": "${env:HOST:-a}", "PASSWORD": "written"},
            protocol=ProtocolChoice.OLDER,
            unknown={"autoApprove": ["a"]},
        ),
        ServerConfig(
            name="docs",
            transport=Transport.SSE,
            url="https://docs.example.org/sse",
            headers={"Authorization": "Bearer ${TOKEN}", "X-Team": "a"},
            enabled=False,
        ),
    )


def test_nothing_secret_leaves_and_each_program_gets_its_own_spelling(servers: tuple[ServerConfig, ...]) -> None:
    desktop = exported(servers, Program.CLAUDE_DESKTOP)
    assert desktop.entries == {
        "git hub": {
            "command": "npx",
            "args": ["-y", "x", "<workspaceFolder>", "--key=<ARGS_3>"],
            "env": {"TOKEN": "<TOKEN>", "HOST": "<HOST>", "PASSWORD": "••••••"},
            "autoApprove": ["a"],
        }
    }
    assert "docs is left out: Claude Desktop starts only programs; add its address there by hand" in desktop.notes
    assert "git hub: enter the secret of env/PASSWORD there; it was not written" in desktop.notes

    plain = exported(servers, Program.MCP_JSON).entries
    assert plain["git hub"]["env"]["HOST"] == "${HOST:-a}"  # type: ignore[index,call-overload]
    assert plain["docs"] == {
        "type": "sse",
        "url": "https://docs.example.org/sse",
        "headers": {"Authorization": "Bearer ${TOKEN}", "X-Team": "a"},
    }
    cursor = exported(servers, Program.CURSOR)
    assert cursor.entries["docs"] == {
        "url": "https://docs.example.org/sse",
        "headers": {"Authorization": "Bearer ${env:TOKEN}", "X-Team": "a"},
    }
    assert "docs is disabled here, and enabled there" in cursor.notes


def test_vs_code_asks_for_what_the_keyring_keeps_here(servers: tuple[ServerConfig, ...], tmp_path: Path) -> None:
    export = exported(servers, Program.VS_CODE)
    assert export.inputs == (
        {"type": "promptString", "id": "git-hub-args-3", "description": "args_3 of git hub", "password": True},
        {"type": "promptString", "id": "git-hub-token", "description": "TOKEN of git hub", "password": True},
    )
    again = read_import(written(tmp_path, "mcp.json", export.text)).servers
    assert again[0].config.env["TOKEN"] == "${keyring:user/git hub/input/git-hub-token}"
    assert [item.config.name for item in again] == ["git hub", "docs"]


def test_an_export_changes_nothing_else_of_a_file(servers: tuple[ServerConfig, ...], tmp_path: Path) -> None:
    path = written(tmp_path, "mcp.json", VS_CODE)
    export_into(path, servers, Program.VS_CODE)
    text = path.read_text("utf-8")
    assert text.startswith('{\n  // asks once\n  "inputs": [')
    assert '"dev": { "watch": "src/**" }' in text
    assert names(read_import(path)) == ["perplexity", "fetch", "git hub", "docs"]
    export_into(path, servers, Program.VS_CODE)
    assert path.read_text("utf-8") == text
    with pytest.raises(ServerConfigError, match="cannot be written: line 1"):
        export_into(written(tmp_path, "broken.json", "{"), servers, Program.CURSOR)
    assert (tmp_path / "broken.json").read_text("utf-8") == "{"


def test_properties_name_what_has_an_address(servers: tuple[ServerConfig, ...], tmp_path: Path) -> None:
    path = tmp_path / "gw.properties"
    export = export_into(path, servers, Program.PROPERTIES)
    assert path.read_text("utf-8") == (
        "MCP.url=https://docs.example.org/sse\nMCP.name=docs\nMCP.authorization=Bearer <TOKEN>\n"
    )
    assert "docs: only Authorization is kept, not X-Team" in export.notes
    with pytest.raises(ServerConfigError, match="choose a new file"):
        export_into(path, servers, Program.PROPERTIES)


def test_what_was_imported_goes_back_as_it_came(tmp_path: Path) -> None:
    path = written(tmp_path, "mcp.json", CURSOR)
    configs = [item.config for item in read_import(path).servers]
    assert exported(configs, Program.CURSOR).entries == {
        "docs": {
            "url": "https://docs.example.org/mcp",
            "headers": {"Authorization": "Bearer ${env:DOCS_TOKEN}"},
        },
        "py": {
            "command": "python",
            "args": ["${workspaceFolder}/server.py"],
            "envFile": "${workspaceFolder}/.env",
        },
    }


def test_a_secret_moves_to_the_keyring_and_never_into_a_file(tmp_path: Path) -> None:
    secrets = KeptSecrets()
    config = read_import(written(tmp_path, "claude.json", CLAUDE_DESKTOP)).servers[0].config
    moved = move_secrets(config, secrets)
    assert moved.env == {"GITHUB_PERSONAL_ACCESS_TOKEN": "${keyring:user/github/env/GITHUB_PERSONAL_ACCESS_TOKEN}"}
    assert secrets == {"user/github/env/GITHUB_PERSONAL_ACCESS_TOKEN": "ghp_abcdefghijklmnopqrstuvwxyz0123456789"}
    for program in Program:
        assert "ghp_" not in exported([config, moved], program).text
