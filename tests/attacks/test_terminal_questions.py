"""One terminal shows one question at a time, over all handlers, threads and loops, and an answer is that one's."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from typing import TextIO

import pytest

from tools import Continue, ExitEarly, ReviewDecision, ReviewRequest, TerminalReviewHandler
from tools.calls import ToolCall, record_of

pytestmark = pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals are there elsewhere only")


def request(name: str) -> ReviewRequest:
    return ReviewRequest(
        id=name,
        call=record_of(ToolCall(name, None, f"tool_{name}", {}, "agent:a", 0.0)),
        description="Do it.",
        arguments={},
        asked_at=datetime.now(UTC),
    )


class Pty:
    """A terminal, and the person before it who sees what is written and types."""

    def __init__(self) -> None:
        self._near, self._far = os.openpty()
        self._streams: list[TextIO] = []
        self.seen = ""
        self._grew = threading.Condition()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        with contextlib.suppress(OSError):
            while data := os.read(self._near, 65536):
                with self._grew:
                    self.seen += data.decode()
                    self._grew.notify_all()

    def handler(self) -> TerminalReviewHandler:
        answers = os.fdopen(os.dup(self._far), encoding="utf-8")
        questions = os.fdopen(os.dup(self._far), "w", encoding="utf-8")
        self._streams += (answers, questions)
        return TerminalReviewHandler(answers, questions)

    def asked(self) -> list[str]:
        return re.findall(r"tool_(\S+) asks", self.seen)

    def awaits(self, count: int) -> bool:
        """Tell whether so many questions were shown, and the last one waits for its answer."""
        return len(self.asked()) == count and self.seen.endswith(": ")

    def wait_until(self, holds: Callable[[], bool]) -> None:
        with self._grew:
            assert self._grew.wait_for(holds, timeout=60), self.seen

    def type(self, text: str) -> None:
        os.write(self._near, text.encode())

    def close(self) -> None:
        # The end of input lets the thread that reads lines end.
        os.write(self._near, b"\x04")
        for thread in threading.enumerate():
            if thread.name == "terminal":
                thread.join(60)
        for stream in self._streams:
            stream.close()
        os.close(self._far)
        self._reader.join(60)
        os.close(self._near)


@pytest.fixture
def pty() -> Iterator[Pty]:
    made = Pty()
    yield made
    made.close()


@pytest.mark.parametrize("handlers", [1, 4])
def test_each_answer_belongs_to_the_question_that_is_shown(pty: Pty, handlers: int) -> None:
    made = [pty.handler() for _ in range(handlers)]
    decisions: dict[str, ReviewDecision] = {}

    async def ask(thread: int, at: int) -> None:
        name = f"{thread}_{at}"
        decisions[name] = await made[thread % handlers].review(request(name))

    async def both(thread: int) -> None:
        await asyncio.gather(ask(thread, 0), ask(thread, 1))

    threads = [threading.Thread(target=asyncio.run, args=(both(at),)) for at in range(4)]
    for thread in threads:
        thread.start()
    for at in range(8):
        pty.wait_until(partial(pty.awaits, at + 1))
        assert len(pty.asked()) == at + 1
        pty.type(f"c answer {pty.asked()[at]}\n")
    for thread in threads:
        thread.join(60)

    assert decisions == {name: Continue(f"answer {name}") for name in pty.asked()}
    assert len(decisions) == 8


async def test_what_was_typed_before_a_question_was_shown_answers_nothing(pty: Pty) -> None:
    pty.type("c too early\nx half a li")
    pty.wait_until(lambda: "half a li" in pty.seen)
    asked = asyncio.create_task(pty.handler().review(request("first")))
    await asyncio.to_thread(pty.wait_until, lambda: "[s]top the run" in pty.seen)
    pty.type("x now\n")
    assert (await asked) == ExitEarly("now")


async def test_a_question_that_is_cancelled_gives_the_terminal_back(pty: Pty) -> None:
    shown = asyncio.create_task(pty.handler().review(request("shown")))
    await asyncio.to_thread(pty.wait_until, lambda: pty.asked() == ["shown"])
    waiting = asyncio.create_task(pty.handler().review(request("waiting")))
    last = asyncio.create_task(pty.handler().review(request("last")))
    await asyncio.sleep(0)
    waiting.cancel()
    shown.cancel()
    await asyncio.wait([shown, waiting])
    await asyncio.to_thread(pty.wait_until, lambda: pty.asked() == ["shown", "last"])
    await asyncio.to_thread(pty.wait_until, lambda: pty.seen.count("[s]top the run") == 2)
    pty.type("c\n")
    assert (await last) == Continue()


def test_a_loop_that_was_closed_in_the_middle_of_a_question_holds_nobody_up(pty: Pty) -> None:
    handler = pty.handler()
    loop = asyncio.new_event_loop()
    asked = loop.create_task(handler.review(request("left")))
    loop.run_until_complete(asyncio.sleep(0))
    asked.cancel()
    loop.run_until_complete(asyncio.wait([asked]))
    loop.close()

    async def work() -> ReviewDecision:
        again = asyncio.create_task(handler.review(request("next")))
        await asyncio.to_thread(pty.wait_until, lambda: pty.asked()[-1:] == ["next"] and pty.seen.endswith(": "))
        pty.type("c\n")
        return await again

    assert asyncio.run(work()) == Continue()
