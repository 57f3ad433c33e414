"""How long the window works on 1,000 kept conversations and on one of 500 messages.

Run with `python -m tests.benchmarks.bench_assistant_kept`. Conversations are listed, searched for a word that one of
them has, and opened. The goal is no event above 50 ms; what a search takes is mostly the wait for the next letter.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import perf_counter
from typing import Final

from console.assistant.message_view import MessageView
from console.assistant.thread_view import ThreadView
from console.theme import ThemeController
from tests.benchmarks.bench_assistant import RECORDED
from tests.benchmarks.window import GapTimer, end_process, run_in_window
from tests.console.assistant_desk import AssistantDesk
from tests.console.kept_talks import keep_talk
from tests.tools.running import until

CONVERSATIONS: Final = 1_000
TURNS: Final = 10
LONG_TURNS: Final = 250
GOAL_MS: Final = 50
_ANSWER: Final = "".join(RECORDED)


async def _measure(what: str, begin: Callable[[], object], is_over: Callable[[], bool]) -> None:
    beat = GapTimer()
    began = perf_counter()
    beat.begin()
    begin()
    # Looking costs the window time as well.
    while not is_over():  # noqa: ASYNC110 -- widgets set no event
        await asyncio.sleep(0.05)
    took_s = perf_counter() - began
    beat.end()
    longest_ms = max(gap.worked_s for gap in beat.gaps) * 1000
    print(f"{what:<42} {took_s * 1000:>7.0f} ms, longest event {longest_ms:>5.1f} ms of processor (goal {GOAL_MS} ms)")


async def work(_: ThemeController) -> None:
    """Print the longest events."""
    with tempfile.TemporaryDirectory() as folder:
        home, now = Path(folder), datetime.now(UTC)
        for number in range(CONVERSATIONS):
            turns = [(f"Question {turn} of {number}", f"{_ANSWER} needle{number}") for turn in range(TURNS)]
            keep_talk(home / "conversations", f"20260101-{number}", turns, now - timedelta(hours=1 + 5 * number))
        turns = [(f"Question {turn}", f"{_ANSWER if turn % 2 else 'Words. ' * 90}") for turn in range(LONG_TURNS)]
        keep_talk(home / "conversations", "20270101-1", turns, now)
        async with AssistantDesk(home) as desk:
            view = desk.view
            page, search = view.conversations, view.conversations.search
            await _measure("list 1,001 conversations", desk.page.widget.show, lambda: len(desk.rows()) > CONVERSATIONS)
            await _measure("search", lambda: search.setText("needle777"), lambda: len(desk.rows()) == 1)
            await _measure("list all again", search.clear, lambda: len(desk.rows()) > CONVERSATIONS)
            thread = view.messages
            await _measure("open 500 messages", lambda: page.chosen.emit("20270101-1"), lambda: _shown(thread) == 100)
            await _measure("show earlier ones", thread.earlier.click, lambda: _shown(thread) == 200)
            await _measure("open 20 messages", lambda: page.chosen.emit("20260101-7"), lambda: _shown(thread) == 20)
            page.chosen.emit("20270101-1")
            await until(lambda: _shown(thread) == 100)
            words = ["question 3"]
            await _measure(
                "go to the seventh", lambda: thread.seek(words, can_leave=True), lambda: _shown(thread) == 56
            )


def _shown(thread: ThreadView) -> int:
    return sum(one.isVisible() for one in thread.findChildren(MessageView))


if __name__ == "__main__":
    run_in_window(work)
    end_process()
