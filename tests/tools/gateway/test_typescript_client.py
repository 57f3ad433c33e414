"""The official TypeScript SDK as a client: its calls wait for a person as tasks, and as calls that it repeats."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from tests.tools.gateway.serving import desk_at
from tests.tools.mcp.real_servers import typescript_sdk

SCRIPT = Path(__file__).with_name("typescript_client.mjs")


async def test_its_calls_run_once_when_the_person_allows_them(tmp_path: Path) -> None:
    node, sdk = typescript_sdk()
    async with desk_at(tmp_path, hold_s=0.2) as (desk, at):
        words = (node, str(SCRIPT), str(sdk), at.endpoint.address, at.token)
        program = await asyncio.create_subprocess_exec(*words, stdout=asyncio.subprocess.PIPE)
        assert program.stdout is not None
        said = [json.loads(await program.stdout.readline()) for _ in range(3)]
        desk.reviewer.answer()
        while (line := await program.stdout.readline()) and said[-1] != "Pending":
            said.append(json.loads(line))
        desk.reviewer.answer()
        rest = (line + await program.stdout.read()).decode().splitlines()
        assert await program.wait() == 0
        said.extend(json.loads(line) for line in rest)
        assert said[:3] == [["count", "erase"], "taskCreated", "taskStatus"]
        assert [word for word in said[3:] if word not in {"taskStatus", "Pending"}] == [
            "result",
            "erased as a task",
            "erased as a call",
        ]
        assert said.count("Pending") > 0
        assert desk.ran == ["as a task", "as a call"]
