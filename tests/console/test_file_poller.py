"""Files are looked at in one thread, and only a change wakes the window."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from PySide6.QtCore import QObject

from console.file_poller import FilePoller
from console.tasks import TaskScope
from tests.tools.running import until


@asynccontextmanager
async def polling(parent: QObject) -> AsyncIterator[FilePoller]:
    scope = TaskScope("test")
    poller = FilePoller(scope, every_s=0.005, parent=parent)
    poller.start()
    try:
        yield poller
    finally:
        poller.end()
        await scope.close()


async def test_a_change_is_taken_in_on_the_windows_thread_and_not_looked_for_meanwhile(qapp: QObject) -> None:
    looks: list[threading.Thread] = []
    taken: list[threading.Thread] = []
    may_end = asyncio.Event()

    def look() -> bool:
        looks.append(threading.current_thread())
        return True

    async def take() -> None:
        taken.append(threading.current_thread())
        await may_end.wait()

    async with polling(qapp) as poller:
        others: list[None] = []
        poller.watch("a file", look, take)
        poller.watch("another", lambda: others.append(None))
        await until(lambda: taken)
        seen = len(others)
        await until(lambda: len(others) > seen + 3)
        assert len(looks) == 1
        may_end.set()
        await until(lambda: len(taken) > 1)

    assert {thread.name for thread in looks} == {"file poller"}
    assert set(taken) == {threading.main_thread()}


@pytest.mark.expects_log("console.file_poller")
async def test_what_cannot_be_looked_at_keeps_nothing_else_from_being_seen(qapp: QObject) -> None:
    failures: list[None] = []
    others: list[None] = []

    def fail() -> bool:
        failures.append(None)
        raise ValueError

    async with polling(qapp) as poller:
        poller.watch("a broken file", fail)
        poller.watch("another", lambda: others.append(None))
        await until(lambda: len(others) > 3)

    assert len(failures) == 1


async def test_nothing_is_taken_in_after_the_end(qapp: QObject) -> None:
    looks: list[None] = []
    taken: list[None] = []

    def look() -> bool:
        looks.append(None)
        return True

    async def take() -> None:
        taken.append(None)

    async with polling(qapp) as poller:
        poller.watch("a file", look, take)
        while not looks:  # the window's loop is not let go: what was found waits
            pass
        poller.end()
        count = len(taken)

    assert len(taken) == count
