"""Run the examples of built-in tools in a process of its own, and write down what each one does to the computer.

`python -m tests.tools.catalog.watched PROJECT` writes one line of JSON for each example.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.tools.catalog.calling import Reviewer
from tests.tools.catalog.sample_project import snapshot
from tools import Executor, ToolRegistry
from tools.catalog import builtin_tools

if TYPE_CHECKING:
    from tools import Tool, ToolExample

CHANGES = {
    *("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.truncate", "os.chmod", "os.chown"),
    *("shutil.rmtree", "shutil.move", "shutil.copyfile", "shutil.copytree", "os.utime"),
}
SOCKETS = {
    *("socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo"),
    *("socket.gethostbyname", "socket.gethostbyaddr"),
}
STARTS = {"subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "pty.spawn"}
NEED_PROGRAMS = {"media_info": "ffprobe", "recognize_text": "tesseract"}
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class Seen(NamedTuple):
    """What one example did.

    Attributes:
        tool: Its tool.
        example: Its number among the tool's examples.
        status: How the call ended.
        text: The beginning of what a model is told.
        size: How long that is in all.
        result: The result as JSON.
        traceback: Where it failed without saying so on purpose; empty otherwise.
        changed: Whether the project is another one now.
        events: What was written, which sockets were used and which programs were started.
        stopped: How a second call ended that was cancelled at once; empty when there was none.
    """

    tool: str
    example: int
    status: str
    text: str
    size: int
    result: Any
    traceback: str
    changed: bool
    events: list[list[str]]
    stopped: str


_events: list[list[str]] = []
# Looked up before the hook is there: it would wait for itself.
_ASIDE = (tempfile.gettempdir() + os.sep, os.devnull)


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    if event in SOCKETS:
        _events.append(["socket", event])
    elif event in STARTS:
        _events.append(["program", Path(os.fsdecode(arguments[0] or arguments[1][0])).name])
    elif event in CHANGES or (event == "open" and _writes(*arguments)):
        path = os.fsdecode(arguments[0]) if isinstance(arguments[0], str | bytes | os.PathLike) else ""
        # What a tool puts aside for the time of a call changes nothing for anybody.
        if path and not path.startswith(_ASIDE):
            _events.append(["write", f"{event} {path}"])


def _writes(_: object, mode: str | None, flags: int) -> bool:
    return bool(set(mode or "") & set("wax+")) if mode else bool(flags & WRITING)


def reason_not_to_run(tool: Tool) -> str:
    """Return why the examples of a tool are only checked, not run; empty when they are run."""
    if tool.name in NEED_PROGRAMS:
        return f"it needs the program {NEED_PROGRAMS[tool.name]}, which not every computer has"
    return "it reaches beyond this computer; a test of its own has a local server" if tool.hints.reaches_out else ""


async def _run(tool: Tool, number: int, example: ToolExample, executor: Executor, project: Path) -> Seen:
    before = snapshot(project)
    _events.clear()
    response = await executor.execute(executor.create_call(tool.name, dict(example.input)))
    events = sorted({tuple(event) for event in _events})
    return Seen(
        tool.name,
        number,
        response.status,
        response.text[:400],
        len(response.text),
        response.json_result,
        (response.error.traceback if response.error is not None else "") or "",
        snapshot(project) != before,
        [list(event) for event in events],
        await _stopped(tool, example, executor),
    )


async def _stopped(tool: Tool, example: ToolExample, executor: Executor) -> str:
    """Stop a call of a tool that changes nothing when it has just begun, and return how it ended."""
    if not tool.spec.read_only_hint:
        return ""
    call = executor.create_call(tool.name, dict(example.input))
    running = asyncio.ensure_future(executor.execute(call))
    await asyncio.sleep(0)
    call.cancel()
    return (await running).status


async def main(sample: Path) -> None:
    """Run every example, each that changes something in a copy of its own."""
    sys.addaudithook(_watch)
    used = sample.with_name("used")
    tools = [tool for tool in builtin_tools() if not reason_not_to_run(tool)]
    executor = Executor(ToolRegistry(tools), project_dir=used, review_handler=Reviewer())
    is_fresh = False
    for tool in tools:
        for number, example in enumerate(tool.spec.examples):
            if not is_fresh:
                shutil.rmtree(used, ignore_errors=True)
                shutil.copytree(sample, used, symlinks=True)
            seen = await _run(tool, number, example, executor, used)
            is_fresh = not seen.changed
            sys.stdout.write(json.dumps(seen._asdict(), default=repr) + "\n")
    await executor.aclose()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
