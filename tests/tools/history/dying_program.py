"""A program that records calls, says which ones it was told are safe, and never ends by itself."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from tests.tools.history.recording import TOOLS
from tools import Executor, ToolRegistry, resolve_tools, tool
from tools.history import History


@tool
async def hang() -> str:
    """Never end."""
    await asyncio.Event().wait()
    return ""


async def work(history: History) -> None:
    """Run calls for ever, and print the ids of those that are safe: `ended ID` or `running ID`."""
    executor = Executor(ToolRegistry(resolve_tools((*TOOLS, hang))), history=history)
    running = executor.create_call("hang", {})
    task = asyncio.ensure_future(executor.execute(running))
    await asyncio.sleep(0)
    await asyncio.to_thread(history.flush)
    tell(f"running {history.run}-{running.id}\n")
    number = 0
    while not task.done():
        calls = []
        for _ in range(20):
            number += 1
            call = executor.create_call("echo", {"text": f"call {number} ", "times": 1 + number % 7})
            await executor.execute(call)
            calls.append(call)
        large = executor.create_call("echo", {"text": f"large {number} ", "times": 9_000})
        await executor.execute(large)
        await history.settled(large)
        tell("".join(f"ended {history.run}-{call.id}\n" for call in (*calls, large)))


def tell(text: str) -> None:
    """Say something to whoever is going to kill this process."""
    sys.stdout.write(text)
    sys.stdout.flush()


def main(folder: Path) -> None:
    """Work until somebody kills the process."""
    history = History(folder)
    history.open()
    asyncio.run(work(history))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
