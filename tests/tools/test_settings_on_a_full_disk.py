"""Every file of settings, on a disk that is full for a while and in a folder that is none: told, and nothing lost."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tools.discovery import PluginList
from tools.errors import ToolError
from tools.gateway.agents import AGENTS_FILE, Agents
from tools.health import HealthLimits, LimitsFile, LimitsScope
from tools.history import Retention
from tools.history.retention import write_retention
from tools.mcp.config import ServerConfig, Transport
from tools.mcp.servers_file import ServersFile
from tools.openapi.apis_file import ApisFile
from tools.openapi.config import ApiConfig, ApiEntry
from tools.policy import Effect, Rule
from tools.policy.file import PolicyFile
from tools.settings import ToolSettings

if sys.platform == "win32":
    pytest.skip("Windows has no limit of sizes", allow_module_level=True)

from tests.full_disk import full_disk


def server(name: str) -> ServerConfig:
    return ServerConfig(name=name, transport=Transport.STDIO, command="npx")


def api(name: str) -> ApiConfig:
    return ApiConfig(name=name, entry=ApiEntry(source="https://example.org/openapi.json"))


Write = Callable[[Path, str], object]
"""Writes one more thing of a name into a file of settings in a folder."""
WRITERS: dict[str, Write] = {
    AGENTS_FILE: lambda folder, name: Agents(folder / AGENTS_FILE).add(name),
    "plugins.json": lambda folder, name: PluginList(folder).add(folder / f"{name}.py"),
    "policy.toml": lambda folder, name: PolicyFile(folder / "policy.toml").add(
        Rule(id=name, effect=Effect.ASK, tool=name)
    ),
    "servers.json": lambda folder, name: ServersFile(folder / "servers.json").add(server(name)),
    "apis.json": lambda folder, name: ApisFile(folder / "apis.json").put(api(name)),
    "settings.properties": lambda folder, name: ToolSettings(folder / "settings.properties").set(name, "a value"),
    "health.toml": lambda folder, name: LimitsFile(folder).set(LimitsScope(), HealthLimits(p95_ms=1000 + len(name))),
    "retention.json": lambda folder, name: write_retention(folder, Retention(max_age_days=len(name))),
}


@pytest.mark.parametrize("file", WRITERS)
def test_on_a_full_disk_a_change_is_refused_and_nothing_is_lost(tmp_path: Path, file: str) -> None:
    write, path = WRITERS[file], tmp_path / file
    write(tmp_path, "first")
    before = path.read_bytes()
    assert before
    with full_disk(), pytest.raises((ToolError, OSError), match=r"[Ff]ile too large"):
        write(tmp_path, "second-one")
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir() if one.name not in {file, f".{file}.lock"}] == []
    write(tmp_path, "second-one")
    assert path.read_bytes() != before


@pytest.mark.expects_log("tools.health.limits_file")
@pytest.mark.parametrize("file", WRITERS)
def test_a_folder_that_cannot_be_used_is_told(tmp_path: Path, file: str) -> None:
    # Links in a circle are refused to everybody, also to root, whom no rights stop.
    folder = tmp_path / "folder"
    folder.symlink_to(folder)
    with pytest.raises((ToolError, OSError), match=r"[Tt]oo many levels|[Ss]ymlink loop|File exists|Not a directory"):
        WRITERS[file](folder, "first")
    assert list(tmp_path.iterdir()) == [folder]
