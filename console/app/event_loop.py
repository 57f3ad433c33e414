"""The event loop of the program, once its window is painted: what stands behind it is loaded, lives and ends."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from console import crash_handler
from console.responsiveness.garbage_collector import GarbageCollector
from console.responsiveness.heap import return_large_blocks
from console.startup.early_window import EarlyWindow
from console.startup.first_window import FirstWindow, Openings, WindowEnd
from console.startup.loading import load_program

if TYPE_CHECKING:
    from console.app.console import Console


def run_loop(
    application: QApplication, early: EarlyWindow, first: FirstWindow, make: Callable[[], Console]
) -> WindowEnd:
    """Load the program behind the window, and run it to its end.

    Args:
        application: The Qt application.
        early: The window, which is painted.
        first: Keeps other programs from opening one.
        make: Makes the program.

    Returns:
        How it ended.
    """
    with asyncio.Runner(loop_factory=lambda: QEventLoop(application)) as runner:
        return runner.run(_live(early, first, make))


async def _live(early: EarlyWindow, first: FirstWindow, make: Callable[[], Console]) -> WindowEnd:
    over = asyncio.Event()
    console: Console | None = None

    def end() -> None:
        if console is None:
            early.close()
        else:
            console.end()

    with _ended_by_signals(end):
        loading = asyncio.create_task(load_program(early))
        early.closed.connect(loading.cancel)
        await asyncio.wait([loading])
        if early.is_closed:
            return WindowEnd()
        loading.result()
        return_large_blocks()
        console = make()
        collector = GarbageCollector(early)
        collector.start()
        crash_handler.catch_crashes(console.crashed.emit)
        openings = Openings(first.folder, console)
        openings.came.connect(console.take_opening)
        console.ended.connect(over.set)
        console.start()
        openings.start()
        await over.wait()
    return WindowEnd(0, console.stopped_cleanly, console.restarts)


@contextlib.contextmanager
def _ended_by_signals(end: Callable[[], None]) -> Iterator[None]:
    """Let SIGINT and SIGTERM end the program; from inside the running event loop."""
    loop = asyncio.get_running_loop()
    numbers = (signal.SIGINT, signal.SIGTERM)
    former = [signal.signal(number, lambda *_: loop.call_soon_threadsafe(end)) for number in numbers]
    try:
        # Windows wakes a program for a signal by itself.
        with contextlib.nullcontext() if sys.platform == "win32" else _woken_by_signals(loop):
            yield
    finally:
        for number, handler in zip(numbers, former, strict=True):
            signal.signal(number, handler)


@contextlib.contextmanager
def _woken_by_signals(loop: asyncio.AbstractEventLoop) -> Iterator[None]:
    # Python runs signal handlers between its own instructions, and a window that waits for the next event runs none:
    # a byte on this socket wakes it.
    reader, writer = socket.socketpair()
    with reader, writer:
        reader.setblocking(False)
        writer.setblocking(False)
        loop.add_reader(reader, reader.recv, 64)
        before = signal.set_wakeup_fd(writer.fileno())
        try:
            yield
        finally:
            signal.set_wakeup_fd(before)
            loop.remove_reader(reader)
