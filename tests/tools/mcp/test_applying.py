"""Other entries while servers run: what concerns the process starts it anew, what does not leaves it alone."""

from __future__ import annotations

import asyncio

from tests.tools.mcp.serving import NAME, misbehaving, serving
from tools import CallStatus
from tools.mcp.state import ServerStatus


async def test_a_tool_is_switched_off_and_on_without_a_new_start() -> None:
    config = misbehaving()
    async with serving(config) as served:
        pid = served.state.pid
        await served.servers.apply([config.model_copy(update={"disabled_tools": ("echo",), "description": "Mine"})])
        registry = served.servers.registry
        assert (served.state.pid, served.state.status) == (pid, ServerStatus.CONNECTED)
        assert not registry.is_enabled(f"{NAME}.echo")
        assert served.servers.configs[0].description == "Mine"
        await served.servers.apply([config])
        assert registry.is_enabled(f"{NAME}.echo")
        assert (await served.call("echo", {"text": "hello"})).status is CallStatus.EXECUTED
        assert served.state.pid == pid


async def test_another_command_starts_the_server_anew() -> None:
    async with serving(misbehaving()) as served:
        pid = served.state.pid
        await served.servers.apply([misbehaving("banner")])
        assert served.state.status is ServerStatus.CONNECTED
        assert served.state.pid != pid


async def test_two_changes_at_once_do_not_take_away_what_the_other_needs() -> None:
    async with serving(misbehaving()) as served:
        await asyncio.gather(served.servers.apply([]), served.servers.apply([]))
        assert served.servers.states == ()
        await asyncio.gather(served.servers.apply([misbehaving()]), served.servers.aclose())
        assert served.servers.states == ()
