"""The lint over definitions of servers that we did not write: all of them are honest."""

from __future__ import annotations

import asyncio
import subprocess
from pathlib import Path

import pytest

from tests.tools.mcp import real_servers
from tests.tools.mcp.serving import serving
from tools.mcp.poisoning import suspicions

pytestmark = pytest.mark.expects_log("tools.calls")


def test_no_definition_of_a_real_server_is_a_finding(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    configs = [
        real_servers.everything(),
        real_servers.filesystem(tmp_path),
        real_servers.memory(tmp_path / "memory.json"),
        real_servers.time(),
        real_servers.git(tmp_path),
        real_servers.sqlite(tmp_path / "a.sqlite"),
    ]

    async def found() -> dict[str, int]:
        async with serving(*configs) as served:
            definitions = {
                config.name: [item.definition for item in served.servers.judgements(config.name)] for config in configs
            }
        names = {server: [item.name for item in tools] for server, tools in definitions.items()}
        for server, tools in definitions.items():
            others = {other: known for other, known in names.items() if other != server}
            for definition in tools:
                assert suspicions(definition, others) == (), f"{server}.{definition.name}"
        return {server: len(tools) for server, tools in definitions.items()}

    counts = asyncio.run(found())
    assert all(counts.values()), counts
    assert sum(counts.values()) >= 50
