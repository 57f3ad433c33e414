from __future__ import annotations

import asyncio
import gc
import logging
import tracemalloc
from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest

from tests.tools.running import ExecutorOf, run
from tests.tools.soaking import FAILURES, PERMITS, TOOLS, calls, sizes
from tools import CallStatus, ToolMetrics
from tools.audit import AuditLog
from tools.history import History

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.tools.soaking import Asked
    from tools import Executor

AT_A_TIME = 25


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Let the thousands of failures, which are all meant, leave no log record behind to be counted as growth."""
    log = logging.getLogger("tools.calls")
    before = log.level
    log.setLevel(logging.CRITICAL)
    yield
    log.setLevel(before)


async def make(executor: Executor, asked: list[Asked]) -> list[CallStatus]:
    async def one(what: Asked) -> CallStatus:
        call = executor.create_call(what.name, what.arguments, caller=what.caller, bypass_cache=what.bypass_cache)
        return (await executor.execute(call)).status

    statuses: list[CallStatus] = []
    for start in range(0, len(asked), AT_A_TIME):
        statuses += await asyncio.gather(*map(one, asked[start : start + AT_A_TIME]))
    return statuses


@pytest.mark.parametrize(("recorded", "calls_each"), [(False, 1800), (True, 700)])
def test_nothing_grows_with_the_number_of_calls(
    executor_of: ExecutorOf, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, recorded: bool, calls_each: int
) -> None:
    # The numbers of the newest calls are full after the first half, and so are the names that somebody invents.
    monkeypatch.setattr("tools.metrics.metrics.MOST_NAMES", 40)
    monkeypatch.setattr("tools.metrics.metrics.MOST_CALLERS", 20)
    monkeypatch.setattr("tools.history.ledger.MOST_REMEMBERED", 40)
    stream = calls()
    history = History(tmp_path / "history") if recorded else None
    audit = AuditLog(tmp_path / "audit") if recorded else None
    executor = executor_of(*TOOLS, history=history, audit=audit, metrics=ToolMetrics(most_calls=50))
    if history is not None and audit is not None:
        history.open()
        audit.open()

    def counted() -> tuple[dict[str, int], int]:
        if history is not None and audit is not None:
            history.flush(60)
            assert audit.flush(60)
        gc.collect()
        return {**sizes(executor), **sizes(history), **sizes(audit)}, len(gc.get_objects())

    async def soak() -> tuple[Any, ...]:
        statuses = await make(executor, list(islice(stream, calls_each)))
        before = counted()
        tracemalloc.start()
        try:
            statuses += await make(executor, list(islice(stream, calls_each)))
            after = counted()
            grown = [
                entry
                for entry in tracemalloc.take_snapshot().statistics("lineno")
                if "/tools/" in entry.traceback[0].filename and "/tests/" not in entry.traceback[0].filename
            ]
        finally:
            tracemalloc.stop()
        assert executor.open_calls == ()
        return statuses, before, after, grown

    statuses, before, after, grown = run(soak())
    if history is not None and audit is not None:
        assert (history.lost, history.problem, audit.problem) == (0, "", "")
        history.close()
        audit.close()
    assert len(statuses) == 2 * calls_each
    assert set(statuses) == {CallStatus.EXECUTED, CallStatus.FAILED, CallStatus.REJECTED, CallStatus.NOT_FOUND}
    assert _beyond_bounds(before[0], after[0]) == {}
    # A cached result or a kept duration replaces an older one, which is new memory; nothing beyond that may stay.
    assert after[1] - before[1] < calls_each / 3, [str(entry) for entry in grown[:10]]
    assert sum(entry.size for entry in grown) < 200_000, [str(entry) for entry in grown[:10]]


def _beyond_bounds(before: dict[str, int], after: dict[str, int]) -> dict[str, tuple[int, int]]:
    """Return the containers that grew, with their sizes, without those that may."""
    # These hold what happened lately, so how full they are is chance; what they can hold is not.
    bounds = {"_new": 50, "_given": PERMITS, "_failed_at": FAILURES, "failed_at": 100}
    bounds |= {"_threads": AT_A_TIME, "_names": 40}
    grew = {path: (before.get(path, 0), size) for path, size in after.items() if size > before.get(path, 0)}
    # What is in a container has its name, and its place behind it.
    names = {path: path.rsplit(".", maxsplit=1)[-1].partition("[")[0] for path in grew}
    return {path: held for path, held in grew.items() if held[1] > bounds.get(names[path], 0)}


def test_what_is_looked_at_would_show_growth(executor_of: ExecutorOf) -> None:
    executor = executor_of(*TOOLS)
    found = sizes(executor)
    for word in ("_chains", "_open", "_record_by_tool", "_entries", "_waiting", "_listeners", "_counters"):
        assert any(path.endswith(word) for path in found), word
