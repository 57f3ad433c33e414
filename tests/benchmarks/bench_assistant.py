"""How long an answer of 10,000 tokens a second holds the window up while it is shown.

Run with `python -m tests.benchmarks.bench_assistant`. The recorded stream is prose, lists, tables and code of 50,000
tokens, told in 30 pieces a second as the engine does. The goal of issue 20 is no block over 50 ms.
"""

from __future__ import annotations

import asyncio
from itertools import cycle, islice
from typing import Final

from console.assistant.rows import Said
from console.assistant.thread_view import ThreadView
from console.theme import ThemeController
from tests.benchmarks.window import GapTimer, run_in_window

TOKENS_A_SECOND: Final = 10_000
SECONDS: Final = 5
LETTERS_A_TOKEN: Final = 4
FRAME_S: Final = 0.033
GOAL_MS: Final = 50
RECORDED: Final = (
    "The refund was made **once** on 3 June, and the bank rejected it: the card had `expired`.\n\n",
    "1. Look at the order.\n2. Look at the [payment](https://example.org/payments).\n3. Send it again.\n\n",
    "| id | state | amount |\n| --- | --- | ---: |\n| 5512 | rejected | 48.20 |\n| 5513 | sent | 12.00 |\n\n",
    "```python\nfor order in orders:\n    if order.state == 'rejected':\n        refund(order, order.amount)\n```\n\n",
    "## What follows\n\nA paragraph that goes on for a while, since models like to explain what they did and why.\n\n",
)


async def work(_: ThemeController) -> None:
    """Print the longest block while the stream comes."""
    view = ThreadView()
    view.resize(800, 700)
    view.show()
    view.add_said(Said(0, "Tell me everything.", 0))
    letters = TOKENS_A_SECOND * LETTERS_A_TOKEN * SECONDS
    text = "".join(islice(cycle(RECORDED), letters // (sum(map(len, RECORDED)) // len(RECORDED)) + 1))[:letters]
    step = round(TOKENS_A_SECOND * LETTERS_A_TOKEN * FRAME_S)
    beat = GapTimer()
    await asyncio.sleep(0.3)
    beat.begin()
    for at in range(0, len(text), step):
        view.add_text(text[at : at + step])
        await asyncio.sleep(FRAME_S)
    beat.end()
    gaps = sorted(gap.wall_s * 1000 for gap in beat.gaps)
    print(
        f"{letters // LETTERS_A_TOKEN:,} tokens: longest block {gaps[-1]:.0f} ms (goal {GOAL_MS} ms),"
        f" 99 % under {gaps[len(gaps) * 99 // 100]:.0f} ms;"
        f" of the longest the window worked {max(gap.worked_s for gap in beat.gaps) * 1000:.0f} ms"
    )


if __name__ == "__main__":
    run_in_window(work)
