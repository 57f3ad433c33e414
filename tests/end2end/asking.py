"""The program with many calls of other callers that ask the person at the window; started as a module by a test.

It writes into files what the page shows, how many calls have ended, and at the end what came of each: to look through
the accessibility tree takes seconds once so many questions are listed.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from pathlib import Path
from typing import Any, Final

from qasync import QEventLoop

from console.app.console import Console
from console.app.start import make_application
from console.approval.page_view import ApprovalsView
from console.preferences import Preferences
from console.theme import ThemeController
from console.widgets import FocusRing
from tools.calls import ToolResponse
from tools.discovery import PluginList
from tools.errors import ExitEarlyError
from tools.workbench import Workbench

CALLERS: Final = ("agent:claude-desktop", "batch: nightly-digest", "agent:codex", "batch: cleanup")
KINDS: Final = ("delete_file", "human_input", "run_command", "move_file", "write_file")


def call_of(number: int) -> tuple[str, dict[str, Any], str]:
    """Return the tool, the arguments and the caller of one of the calls."""
    tool, caller = KINDS[number % len(KINDS)], CALLERS[number % len(CALLERS)]
    name = f"queue/{number}.txt"
    match tool:
        case "delete_file":
            arguments: dict[str, Any] = {"path": name}
        case "human_input":
            arguments = {"question": f"Which name shall file {number} have?"}
        case "run_command":
            arguments = {"command": f"echo {number}"}
        case "move_file":
            arguments = {"source": name, "target": f"queue/{number}.moved"}
        case _:
            arguments = {"path": name, "text": f"new {number}", "overwrite": True}
    return tool, arguments, caller


class _Callers:
    """Make the calls, each once the one before it waits for an answer, and keep what came of them."""

    def __init__(self, console: Console, folder: Path) -> None:
        self._console = console
        self._folder = folder

    async def run(self, count: int) -> None:
        calls: list[asyncio.Task[ToolResponse]] = []
        for number in range(count):
            calls.append(asyncio.ensure_future(self._console.engine.call(self._call, number)))
            async with asyncio.timeout(60):
                while len(self._console.desk.open_requests) <= number:  # noqa: ASYNC110 -- the desk has no event for it
                    await asyncio.sleep(0.005)
        self._write("ready", str(count))
        for ended, next_one in enumerate(asyncio.as_completed(calls), start=1):
            await next_one
            self._write("ended", str(ended))
        told = [{"status": call.result().status, "text": call.result().text} for call in calls]
        self._write("answers", json.dumps(told))

    async def tell_shown(self) -> None:
        """Write what the page shows, whenever that changes."""
        told = ""
        while True:
            await asyncio.sleep(0.01)
            text = json.dumps(self._shown())
            if text != told:
                told = text
                self._write("shown", text)

    def _shown(self) -> dict[str, object]:
        view = self._console.window.findChild(ApprovalsView)
        if view is None or not view.isVisible():
            return {}
        request = self._console.desk.request(view.queue.current_id)
        if view.review is None or request is None:
            return {"picked": len(view.queue.model.picked), "together": view.batch is not None}
        footer = view.review.footer
        armed = any(button.isVisible() and button.isEnabled() for button in (footer.allow, footer.edited))
        return {
            "call": int(request.call.id) - 1,
            "hides": footer.reveal.isVisible(),
            "armed": armed,
            "in_list": view.queue.list.hasFocus(),
            "path": None if view.review.arguments is None else view.review.arguments.values().get("path"),
        }

    async def _call(self, number: int) -> ToolResponse:
        executor = self._console.executor
        tool, arguments, caller = call_of(number)
        call = executor.create_call(tool, arguments, caller=caller)
        with contextlib.suppress(ExitEarlyError):
            await executor.execute(call)
        return call.response

    def _write(self, name: str, text: str) -> None:
        new = self._folder / f"{name}.new"
        new.write_text(text, encoding="utf-8")
        new.replace(self._folder / name)


async def _live(theme: ThemeController, count: int, project: Path, folder: Path) -> None:
    workbench = Workbench(PluginList(folder / "settings"), application=Console)
    console = Console(theme, Preferences(folder / "window.ini"), workbench, project, data=folder / "data")
    over, loaded = asyncio.Event(), asyncio.Event()
    console.ended.connect(over.set)
    console.loaded.connect(loaded.set)
    console.start()
    await loaded.wait()
    callers = _Callers(console, folder)
    tasks = [asyncio.ensure_future(callers.run(count)), asyncio.ensure_future(callers.tell_shown())]
    await over.wait()
    for task in tasks:
        task.cancel()


def main() -> None:
    """Show the window, have the calls made, and end when the window is closed."""
    count, project, folder = sys.argv[1:]
    application = make_application()
    theme = ThemeController(application, "light")
    ring = FocusRing(application)
    with asyncio.Runner(loop_factory=lambda: QEventLoop(application)) as runner:
        runner.run(_live(theme, int(count), Path(project), Path(folder)))
    del ring


if __name__ == "__main__":
    main()
