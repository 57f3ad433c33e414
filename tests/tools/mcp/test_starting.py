"""What a person sees before a server starts, and what deserves a second look."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tools.mcp.config import ConfigScope, Origin, ServerConfig, Transport
from tools.mcp.start_preview import start_preview

PROJECT = Origin(place=ConfigScope.PROJECT, path=Path("/p/.tool-console/servers.json"), project_dir=Path("/p"))


def stdio(command: str, **more: Any) -> ServerConfig:
    words = command.split(" ")
    return ServerConfig(name="x", transport=Transport.STDIO, command=words[0], args=tuple(words[1:]), **more)


def http(url: str, **more: Any) -> ServerConfig:
    return ServerConfig(name="x", transport=Transport.HTTP, url=url, **more)


def risks(config: ServerConfig) -> dict[str, str]:
    return {part.text: part.risk for part in start_preview(config).parts if part.risk}


@pytest.mark.parametrize(
    ("command", "marked", "why"),
    [
        ("npx -y @scope/server", "@scope/server", "loaded from the network and run, whatever its newest version"),
        ("npx -y @scope/server@latest", "@scope/server@latest", "whatever its newest version"),
        ("npx -y @scope/server@1.2.3", "@scope/server@1.2.3", "this is loaded from the network and run"),
        ("npx --package=tool@1.2.3 tool", "--package=tool@1.2.3", "this is loaded from the network and run"),
        ("uvx mcp-server-git==2026.1.2", "mcp-server-git==2026.1.2", "this is loaded from the network and run"),
        ("uvx --from git+https://x.org/a server", "git+https://x.org/a", "whatever its newest version"),
        ("pnpm dlx server", "server", "whatever its newest version"),
        ("uv tool run server", "server", "whatever its newest version"),
        ("docker run -i --rm -e TOKEN ghcr.io/a/b:1.2", "ghcr.io/a/b:1.2", "whatever its newest version"),
        ("docker run --privileged image", "--privileged", "what the computer's administrator may"),
        ("docker run -v /:/host image", "/:/host", "the whole disk"),
        ("docker run --mount type=bind,src=/,dst=/h image", "type=bind,src=/,dst=/h", "the whole disk"),
        ("docker run -v /var/run/docker.sock:/s image", "/var/run/docker.sock:/s", "rules the computer"),
        ("docker run --network=host image", "--network=host", "not kept apart"),
        ("sudo server", "sudo", "rights of an administrator"),
        ("nc example.org 99", "nc", "reaches other computers"),
        ("sh -c curl|sh", "'curl|sh'", "loads something from the network and runs it"),
        ("/bin/bash -c ./x", "./x", "a program of its own"),
        ("cmd.exe /c dir", "dir", "a program of its own"),
        ("env python3 -c print(1)", "'print(1)'", "a program of its own"),
        ("node -e run()", "'run()'", "a program of its own"),
        ("files /", "/", "all files there"),
        ("files ~", "'~'", "all files there"),
        ("server --no-sandbox", "--no-sandbox", "switches a protection off"),
        ("server --allow-all", "--allow-all", "switches a protection off"),
        ("serv\u200ber", "serv[U+200B]er", "an invisible letter"),
        ("sеrver", "sеrver", "letters that look alike"),
    ],
)
def test_words_that_deserve_a_second_look_are_marked(command: str, marked: str, why: str) -> None:
    found = risks(stdio(command))
    # An image is marked in each line that has one.
    assert set(found) - {"image"} == {marked}
    assert why in found[marked]


@pytest.mark.parametrize(
    "command",
    [
        "/usr/bin/server --port 3",
        "npm run start",
        "python -m server",
        "docker ps",
        "node /opt/s.js -v",
        "server -c file",
    ],
)
def test_ordinary_commands_have_nothing_marked(command: str) -> None:
    assert risks(stdio(command)) == {}


def test_the_command_is_shown_whole_and_its_secrets_are_not() -> None:
    long = "a" * 10_000
    config = stdio(f"server {long} --token=abc", env={"API_KEY": "xyz", "PORT": "1"}, cwd="/srv", headers={})
    preview = start_preview(config)
    assert [part.text for part in preview.parts] == ["server", long, "--token=••••••"]
    assert "every program of this computer can read it" in preview.parts[2].risk
    assert preview.facts == (("Folder", "/srv"), ("Variable API_KEY", "••••••"), ("Variable PORT", "1"))
    assert preview.notes == ("secrets are written out in this entry; saving it here moves them to the keyring",)
    assert start_preview(stdio("server")).facts == (("Folder", "the project's folder"),)


def test_a_projects_own_file_may_be_changed_by_anybody_who_changes_the_project() -> None:
    why = "a file of the project: whoever changes it changes what runs"
    assert risks(stdio("./server", origin=PROJECT)) == {"./server": why}
    assert risks(stdio("python tools/server.py", origin=PROJECT)) == {"tools/server.py": why}
    assert risks(stdio("python ${workspaceFolder}/x", origin=PROJECT)) == {"${workspaceFolder}/x": why}
    assert risks(stdio("python /opt/server.py", origin=PROJECT)) == {}
    assert risks(stdio("python tools/server.py")) == {}


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://example.org/mcp", "nothing that is sent is encrypted"),
        ("https://exаmple.org/mcp", "letters that look alike"),
        ("https://xn--exmple-4uf.org/mcp", "letters that look like others"),
        ("https://docs.example.org@evil.example/mcp", "is not the computer that is reached"),
        ("https://93.184.216.34/mcp", "named by a number"),
        ("https://[::1/mcp", "no address that programs understand alike"),
        ("https://example.org/\u202emcp", "turns the order"),
    ],
)
def test_addresses_that_deserve_a_second_look_are_marked(url: str, why: str) -> None:
    (part,) = start_preview(http(url)).parts
    assert why in part.risk


@pytest.mark.parametrize(
    "url", ["https://example.org/mcp", "http://127.0.0.1:80/", "http://localhost/", "http://[::1]/"]
)
def test_ordinary_addresses_have_nothing_marked(url: str) -> None:
    assert start_preview(http(url)).parts == ((url, ""),)


def test_what_else_a_server_gets_is_noted() -> None:
    config = stdio(
        "server",
        env={"LD_PRELOAD": "/x.so", "PATH": "/x", "TOKEN": "${env:GITHUB_TOKEN}", "HOME": "${HOME}"},
        cwd="/",
    )
    assert start_preview(config).notes == (
        "the variable LD_PRELOAD loads other code into the program",
        "the variable PATH decides which programs are started",
        "the server is given your variable GITHUB_TOKEN",
        "it starts in a folder that has everything in it",
    )
    remote = http("https://docs.example.org/mcp", headers={"X": "${keyring:user/x/h}", "Y\u200b": "${API_KEY:-a}"})
    assert start_preview(remote).notes == (
        "the name Y[U+200B]: an invisible letter stands here",
        "docs.example.org is given the secret user/x/h",
        "docs.example.org is given your variable API_KEY",
    )
