"""`servers.json`: what an entry means, and what stays of a file that is changed."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest

from tools.errors import ServerConfigError
from tools.mcp.config import ConfigScope, Origin, ProtocolChoice, ServerConfig, Transport
from tools.mcp.entries import config_of, entry_of
from tools.mcp.servers_file import FileServers, ServerFiles, ServersFile, user_servers_file

TEXT = """\
{
  // kept by hand
  "theme": "dark",
  "mcpServers": {
    "files": {
      "command": "npx", // pinned
      "args": ["-y", "files@1.2.3"],
      "env": { "PORT": 8080, "DEBUG": true, "UNSET": null },
      "autoApprove": ["read"]
    },
    "docs": { "type": "http", "url": "https://docs.example.org/mcp", "headers": { "X-Team": "a" } }
  }
}
"""


@pytest.fixture
def file(tmp_path: Path) -> ServersFile:
    path = tmp_path / "servers.json"
    path.write_text(TEXT, encoding="utf-8")
    return ServersFile(path)


def stdio(name: str = "x", **more: Any) -> ServerConfig:
    return ServerConfig(name=name, transport=Transport.STDIO, **{"command": "npx", **more})


def test_an_entry_means_a_server(file: ServersFile) -> None:
    files, docs = file.read().servers
    assert files == ServerConfig(
        name="files",
        transport=Transport.STDIO,
        command="npx",
        args=("-y", "files@1.2.3"),
        env={"PORT": "8080", "DEBUG": "true"},
        origin=Origin(place=ConfigScope.USER, path=file.path),
        unknown={"autoApprove": ["read"]},
    )
    assert (docs.transport, docs.url, docs.headers) == (
        Transport.HTTP,
        "https://docs.example.org/mcp",
        {"X-Team": "a"},
    )
    assert (docs.enabled, docs.trusted, docs.protocol, docs.timeout_s) == (True, False, ProtocolChoice.AUTO, 60)


@pytest.mark.parametrize(
    ("entry", "transport"),
    [
        ({"command": "npx"}, Transport.STDIO),
        ({"type": "stdio", "command": "npx", "url": "https://x"}, Transport.STDIO),
        ({"url": "https://x"}, Transport.HTTP),
        ({"type": "streamable-http", "url": "https://x"}, Transport.HTTP),
        ({"type": "streamableHttp", "url": "https://x"}, Transport.HTTP),
        ({"transport": "sse", "url": "https://x"}, Transport.SSE),
        ({"serverUrl": "https://x"}, Transport.HTTP),
        ({"httpUrl": "https://x"}, Transport.HTTP),
    ],
)
def test_transports_are_spelled_as_programs_spell_them(entry: Any, transport: Transport) -> None:
    config = config_of("x", entry)
    assert config.transport is transport
    assert config.unknown == {}
    assert config_of("x", entry_of(config)) == config


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ("npx", "expected an object in braces, got 'npx'"),
        ({}, "a stdio server needs a command"),
        ({"type": "http"}, "a server that is reached over HTTP needs a url"),
        ({"type": "carrier pigeon", "url": "x"}, "expected the type stdio, http or sse, got 'carrier pigeon'"),
        ({"command": "npx", "url": "https://x"}, "expected a command or a url, got both"),
        ({"command": "npx", "args": "-y"}, "args: Input should be a valid tuple, got '-y'"),
        ({"command": "npx", "args": [["-y"]]}, "args.0: Input should be a valid string"),
        ({"command": ["npx"]}, "command: Input should be a valid string"),
        (
            {"command": "npx", "protocol": "bronze"},
            "protocol: Input should be 'auto', 'newer' or 'older', got 'bronze'",
        ),
        ({"command": "npx", "timeoutSeconds": -1}, "timeout_s: Input should be greater than 0, got '-1'"),
    ],
)
def test_what_means_nothing_is_told(entry: Any, problem: str) -> None:
    with pytest.raises(ServerConfigError) as caught:
        config_of("x", entry)
    assert str(caught.value).startswith("the server 'x': ")
    assert problem in str(caught.value)


def test_one_broken_entry_stops_no_other(tmp_path: Path) -> None:
    path = tmp_path / "servers.json"
    path.write_text('{"mcpServers": {"a": {}, "\\u0000": {"command": "x"}, "b": {"command": "x"}}}', encoding="utf-8")
    found = ServersFile(path).read()
    assert [config.name for config in found.servers] == ["b"]
    assert [problem.count(str(path)) for problem in found.problems] == [1, 1]


def test_a_change_leaves_everything_else_as_it_was(file: ServersFile) -> None:
    files, docs = file.read().servers
    file.replace(files.model_copy(update={"enabled": False, "command": "uvx"}))
    assert file.path.read_text("utf-8") == TEXT.replace('"npx"', '"uvx"').replace(
        '"autoApprove": ["read"]\n', '"autoApprove": ["read"],\n      "disabled": true\n'
    )
    file.replace(files)
    file.remove(docs.name)
    assert '"docs"' not in file.path.read_text("utf-8")
    assert file.read().servers == (files,)
    assert '"command": "npx", // pinned' in file.path.read_text("utf-8")


def test_servers_are_added_renamed_and_removed(tmp_path: Path) -> None:
    file = ServersFile(tmp_path / "new" / "servers.json")
    assert file.read() == FileServers()
    config = stdio(
        "a",
        args=("x",),
        protocol=ProtocolChoice.OLDER,
        timeout_s=5,
        disabled_tools=("t",),
        trusted=True,
        description="d",
    )
    kept = file.add(config)
    assert kept.origin == file.origin
    assert file.read().servers == (kept,)
    with pytest.raises(ServerConfigError, match="has a server 'a' already"):
        file.add(config)
    file.add(stdio("b"))
    file.replace(kept.model_copy(update={"name": "c"}), former="a")
    assert [config.name for config in file.read().servers] == ["b", "c"]
    with pytest.raises(ServerConfigError, match="has a server 'b' already"):
        file.replace(kept.model_copy(update={"name": "b"}), former="c")
    with pytest.raises(ServerConfigError, match="no server 'a' any more"):
        file.replace(kept)
    file.remove("c")
    with pytest.raises(ServerConfigError, match="has no server 'c'"):
        file.remove("c")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"mcpServers": {', "line 1, column 17: expected a name"),
        ("[]", 'expected an object such as {"mcpServers": {}}'),
        ('{"mcpServers": []}', "expected mcpServers to be an object"),
        (json.dumps({"mcpServers": {str(n): {"command": "x"} for n in range(501)}}), "at most 500 servers, got 501"),
        (" " * 1_000_001, "expected a file of at most 1,000,000 bytes"),
    ],
)
def test_a_file_that_cannot_be_read_is_never_written_over(tmp_path: Path, text: str, problem: str) -> None:
    file = ServersFile(tmp_path / "servers.json")
    file.path.write_text(text, encoding="utf-8")
    found = file.read()
    assert found.servers == ()
    assert problem in found.problems[0]
    with pytest.raises(ServerConfigError, match="cannot be read"):
        file.add(stdio())
    assert file.path.read_text("utf-8") == text


def test_writers_at_a_time_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "servers.json"
    threads = [
        threading.Thread(target=ServersFile(path).add, args=(stdio(f"server-{number}"),)) for number in range(20)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {config.name for config in ServersFile(path).read().servers} == {f"server-{n}" for n in range(20)}


def test_a_project_adds_servers_but_takes_no_name_and_claims_no_trust(tmp_path: Path) -> None:
    user = tmp_path / "servers.json"
    ServersFile(user).add(stdio("mine", trusted=True))
    project = tmp_path / "project"
    (project / ".tool-console").mkdir(parents=True)
    entries = {"mine": {"command": "evil"}, "theirs": {"command": "npx", "trusted": True}}
    (project / ".tool-console" / "servers.json").write_text(json.dumps({"mcpServers": entries}), encoding="utf-8")

    files = ServerFiles(user, project)

    assert [(config.name, config.command, config.trusted) for config in files.servers] == [
        ("mine", "npx", True),
        ("theirs", "npx", False),
    ]
    assert files.find("theirs").key == f"project:{project}/theirs"
    assert files.find("mine").key == "user/mine"
    assert files.file_of(files.find("theirs")) is files.project
    assert files.file_of(files.find("mine")) is files.user
    assert [problem.split(": ")[-1] for problem in files.problems] == [
        "a project cannot say that 'theirs' is trusted; only you can",
        "the project's server 'mine' has the name of one of yours; rename yours or it",
    ]
    with pytest.raises(ServerConfigError, match="no server is called 'x'; there are mine, theirs"):
        files.find("x")


def test_changes_on_the_disk_are_seen_once(tmp_path: Path) -> None:
    files = ServerFiles(tmp_path / "servers.json", tmp_path)
    assert not files.refresh()
    ServersFile(tmp_path / "servers.json").add(stdio("a"))
    assert files.refresh()
    assert [config.name for config in files.servers] == ["a"]
    assert not files.refresh()
    # Whoever writes the file by hand ends no server in the middle of it.
    (tmp_path / "servers.json").write_text("{", encoding="utf-8")
    assert files.refresh()
    assert ([config.name for config in files.servers], len(files.problems)) == (["a"], 1)
    assert "so its servers stay as they were: line 1, column 2" in files.problems[0]
    (tmp_path / "servers.json").write_text("{}", encoding="utf-8")
    assert files.refresh()
    assert (files.servers, files.problems) == ((), ())
    (tmp_path / "servers.json").write_text("{", encoding="utf-8")
    assert ServerFiles(tmp_path / "servers.json").servers == ()


def test_the_settings_folder_can_be_moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOL_CONSOLE_CONFIG", str(tmp_path))
    assert user_servers_file() == tmp_path / "servers.json"
