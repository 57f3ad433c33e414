"""The session of a call, as the tool knows it."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from tests.tools.gateway.serving import agent, served, text_of
from tests.tools.running import ExecutorOf, execute
from tools import Executor, ToolContext, ToolRegistry, resolve_tools, tool
from tools.calls import CallOrigin
from tools.discovery import load_plugin


@tool(read_only=True)
def told_session(mcp_client_session_id: str) -> str:
    """Tell the session by the parameter."""
    return f"<{mcp_client_session_id}>"


@tool(read_only=True)
async def known_session(ctx: ToolContext) -> str:
    """Tell the session by the context, of a call and of one inside it."""
    inner = await ctx.run_tool("told_session", {})
    return f"<{ctx.session}> {inner.output}"


@pytest.mark.reference("C8")
async def test_a_parameter_of_that_name_and_the_context_receive_the_session(executor_of: ExecutorOf) -> None:
    executor = executor_of(told_session, known_session)
    call = executor.create_call("known_session", {}, origin=CallOrigin(session="s1"))

    await executor.execute(call)

    assert call.response.text == "<s1> <s1>"
    assert executor.registry.get("told_session").input_schema["properties"] == {}


async def test_outside_of_sessions_it_is_empty(executor_of: ExecutorOf) -> None:
    assert (await execute(executor_of(told_session), "told_session")).text == "<>"


async def test_a_worker_process_is_told_it(tmp_path: Path) -> None:
    plugin = tmp_path / "sessions.py"
    plugin.write_text(
        dedent(
            '''
            from tools import ToolContext, tool

            @tool(isolation="process")
            def told_elsewhere(mcp_client_session_id: str, ctx: ToolContext) -> str:
                """Tell the session."""
                return mcp_client_session_id + ctx.session
            '''
        )
    )
    executor = Executor(ToolRegistry(load_plugin(plugin).tools), project_dir=tmp_path)
    call = executor.create_call("told_elsewhere", {}, origin=CallOrigin(session="s2"))
    try:
        await executor.execute(call)
    finally:
        await executor.aclose()

    assert call.response.text == "s2s2"


@pytest.mark.reference("C8")
@pytest.mark.parametrize(("era", "has_session"), [("legacy", True), ("auto", False)])
async def test_the_session_of_an_agent_is_known_to_a_tool(tmp_path: Path, era: str, *, has_session: bool) -> None:
    async with served(tmp_path) as at:
        at.registry.register_all(resolve_tools([told_session]))
        async with agent(at, era) as client:
            first = text_of(await client.call_tool("told_session", {}))
    assert (len(first) > len("<>")) is has_session
