"""A tool that leaves a mark wherever it runs, for tests that look for a way round the policy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tools import (
    AbstractTool,
    Executor,
    Isolation,
    Probe,
    ToolContext,
    ToolFailure,
    cached,
    resilience,
    retry,
    tool,
    toolkit,
)


def leave(mark: str) -> str:
    path = Path(mark)
    path.write_text("it ran", "utf-8")
    return "it ran"


def _target(**options: Any) -> Any:
    @tool(name="target", read_only=True, **options)
    def target(mark: str) -> str:
        """Leave a mark."""
        return leave(mark)

    return target


target = _target()
in_loop = _target(isolation=Isolation.INLINE)
slow_to_fail = _target(timeout_s=30.0)
known = cached(ttl_s=60)(_target())


@tool(name="target", read_only=True, isolation=Isolation.PROCESS)
def isolated(mark: str) -> str:
    """Leave a mark, in a process of its own."""
    return leave(mark)


@tool(name="target", read_only=True)
class Written(AbstractTool):
    """Leave a mark, as a class."""

    def do_execute(self, mark: str) -> str:
        return leave(mark)


@toolkit("Marks")
class Marks:
    """Tools that leave marks."""

    @tool(read_only=True)
    async def target(self, mark: str) -> str:
        """Leave a mark, as a method."""
        return leave(mark)


@tool(name="target", read_only=True)
@resilience(fallback="beside")
def with_fallback(mark: str) -> str:
    """Fail, so that what stands beside leaves the mark."""
    raise ToolFailure(f"no {mark}")


def beside(mark: str) -> str:
    return leave(mark)


@tool(name="target", read_only=True)
@retry(max_attempts=3, initial_delay_s=0.0, jitter=False)
def tried(mark: str) -> str:
    """Leave a mark, and fail."""
    leave(mark)
    raise ToolFailure("again")


def looks_well() -> bool:
    leave("probed.mark")
    return True


probed = _target(probe=Probe(function=looks_well))


@tool(name="calling", read_only=True)
async def calling(mark: str, executor: Executor, ctx: ToolContext) -> str:
    """Call the other tool from within."""
    call = executor.create_call("target", {"mark": mark}, caller=ctx.caller)
    return (await executor.execute(call)).text


@tool(name="failing", read_only=True)
@resilience(fallback="target")
def failing(mark: str) -> str:
    """Fail, so that another tool answers."""
    raise ToolFailure(f"no {mark}")
