"""The oldest calls leave, in small slices, and their room is given back."""

from __future__ import annotations

import asyncio
import itertools
import math
import time
from typing import TYPE_CHECKING, Any

import pytest

from tests.tools.history.recording import executor_for, found, record_calls
from tests.tools.running import run
from tools import tool
from tools.history import History, HistoryQuery, Retention
from tools.history.retention import SLICE_ROWS, SPARE_PAGES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.tools.history.recording import HistoryOf

DAY_S = 86_400.0


class Clock:
    """Tell a time that a test moves."""

    def __init__(self) -> None:
        self.ahead_s = 0.0

    def __call__(self) -> float:
        return time.time() + self.ahead_s


def record_many(history: History, count: int, text: str = "many") -> None:
    executor = executor_for(history)

    async def work() -> None:
        for number in range(count):
            await executor.execute(executor.create_call("echo", {"text": f"{text} {number} "}))

    run(work())
    history.flush()


def pages_of(history: History) -> tuple[int, int]:
    """Return all pages of the file, and the free ones."""
    connection = history._ledger.connection
    return tuple(connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count"))


def test_calls_leave_at_their_age_with_their_words(history_of: HistoryOf) -> None:
    clock = Clock()
    history = history_of(retention=Retention(max_age_days=30), clock=clock)
    history._writer._next_upkeep = math.inf
    record_many(history, 3 * SLICE_ROWS + 7)

    clock.ahead_s = 29 * DAY_S
    assert history.prune() == 0
    clock.ahead_s = 31 * DAY_S
    assert history.prune() == 3 * SLICE_ROWS + 7
    assert history.search().total == 0
    assert found(history, "many") == []
    record_calls(history, ("echo", {"text": "later"}))
    assert found(history, "later") == ["1"]


def test_a_number_of_calls_is_kept_at_most(history_of: HistoryOf) -> None:
    history = history_of(retention=Retention(max_calls=250))
    history._writer._next_upkeep = math.inf
    record_many(history, 600)

    assert history.prune() == 350
    assert history.search(HistoryQuery(limit=1)).total == 250
    assert found(history, "350", limit=1) == ["351"]
    assert found(history, "349 ") == []


def test_a_size_is_kept_and_the_room_given_back(history_of: HistoryOf) -> None:
    history = history_of(retention=Retention(max_size_bytes=600_000))
    history._writer._next_upkeep = math.inf
    record_many(history, 4_000, text="filling the file with words " * 5)
    before, _ = pages_of(history)

    gone = history.prune()
    after, free = pages_of(history)

    assert 0 < gone < 4_000
    assert history._ledger.pruning.size_bytes() <= 600_000
    assert after < before
    assert free <= SPARE_PAGES
    assert history.prune() == 0


def test_large_contents_count(history_of: HistoryOf) -> None:
    history = history_of(retention=Retention(max_size_bytes=1_000_000))

    @tool
    async def noise(seed: int) -> str:
        """Make a text that does not pack."""
        return "".join(chr(33 + (seed * 7919 + n * n * 31 + n * 17) % 9_000) for n in range(100_000))

    executor = executor_for(history, noise)
    for seed in range(12):
        run(executor.execute(executor.create_call("noise", {"seed": seed})))
    history.flush()
    assert history._ledger.pruning.size_bytes() > 1_000_000

    history.prune()

    assert history._ledger.pruning.size_bytes() <= 1_000_000


async def test_running_calls_stay(history_of: HistoryOf) -> None:
    clock = Clock()
    history = history_of(retention=Retention(max_age_days=1), clock=clock)
    go = asyncio.Event()

    @tool
    async def wait() -> str:
        """Wait for the test."""
        await go.wait()
        return "at last"

    executor = executor_for(history, wait)
    task = asyncio.ensure_future(executor.execute(executor.create_call("wait", {})))
    await asyncio.sleep(0)
    history.flush()
    [row] = history.search().rows
    clock.ahead_s = 2 * DAY_S
    assert history.prune() == 0
    assert history.forget([row.id]) == 0
    go.set()
    await task
    history.flush()
    assert found(history, "last") == ["1"]
    assert history.prune() == 1


def test_new_calls_are_committed_between_the_slices(history_of: HistoryOf, monkeypatch: pytest.MonkeyPatch) -> None:
    history = history_of(retention=Retention(max_calls=0))
    history._writer._next_upkeep = math.inf
    record_many(history, 20 * SLICE_ROWS)
    executor = executor_for(history)
    order: list[str] = []
    slices = history._ledger.pruning.prune
    write = history._ledger.write

    def one_by_one(retention: Retention) -> Iterator[int]:
        for gone in slices(retention):
            order.append("slice")
            # A call comes in while the slice runs, as it does on another thread.
            executor.create_call("nobody", {"number": len(order)})
            yield gone

    def note(rows: Any) -> list[int]:
        order.append("write")
        return write(rows)

    monkeypatch.setattr(history._ledger.pruning, "prune", one_by_one)
    monkeypatch.setattr(history._ledger, "write", note)

    assert history.prune() == 20 * SLICE_ROWS
    history.flush()

    assert order.count("slice") >= 20
    pairs = list(itertools.pairwise(order))
    assert ("slice", "slice") not in pairs


def test_what_a_person_wants_kept_counts_in_every_program_and_until_it_is_changed(history_of: HistoryOf) -> None:
    history = history_of()
    usual = history.retention
    history.keep(Retention(max_age_days=None, max_calls=3))
    record_many(history, 10)

    assert history.prune() == 7
    assert History(history.path.parent).retention == Retention(max_age_days=None, max_calls=3)
    history.keep(usual)
    assert History(history.path.parent).retention == Retention()


@pytest.mark.expects_log("tools.history.retention")
@pytest.mark.parametrize("text", ["{", "[]", '{"max_calls": -1}', '{"max_calls": true}', '{"for_ever": 1}'])
def test_a_file_that_says_nothing_of_use_leaves_the_usual(tmp_path: Path, text: str) -> None:
    (tmp_path / "retention.json").write_text(text, "utf-8")

    assert History(tmp_path).retention == Retention()


def test_upkeep_prunes_by_itself(history_of: HistoryOf) -> None:
    history = history_of(retention=Retention(max_calls=3))
    told: list[bool] = []
    history.watch(lambda change: told.append(change.forgotten))
    record_many(history, 10)

    history._writer._next_upkeep = 0.0
    record_many(history, 1)
    history._writer.order(history._ledger.upkeep(history.retention)).result()

    assert history.search().total == 3
    assert any(told)
