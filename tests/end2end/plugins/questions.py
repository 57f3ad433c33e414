"""Tools that ask."""

from __future__ import annotations

import time

from tools import ToolContext, tool


@tool
async def ask_briefly(ctx: ToolContext) -> str:
    """Ask, and take silence for five seconds as a no."""
    decision = await ctx.request_approval("Shall the report be sent?", timeout_s=5.0)
    return f"answered with {type(decision).__name__}"


@tool(requires_confirmation=True)
def first_asker() -> str:
    """Ask before it runs."""
    return "the first ran"


@tool
def second_asker(ctx: ToolContext) -> str:
    """Ask as soon as the project has a file `ask-now`."""
    while not (ctx.project_dir / "ask-now").exists():
        time.sleep(0.02)
    decision = ctx.request_approval("Shall the second run?").wait()
    return f"answered with {type(decision).__name__}"
