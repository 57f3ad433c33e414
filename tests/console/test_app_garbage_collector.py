"""Garbage is collected on the window's thread, and only there."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject, QTimer

from console.responsiveness.garbage_collector import GarbageCollector


@pytest.fixture
def collector(qapp: QObject) -> Iterator[GarbageCollector]:
    collector = GarbageCollector()
    was_enabled = gc.isenabled()
    collector.start()
    yield collector
    collector.stop()
    if not was_enabled:
        gc.disable()


class Cycle:
    """Garbage that only the collector finds, and that notes where it ends."""

    def __init__(self, ends: list[threading.Thread]) -> None:
        self.me = self
        self.ends = ends

    def __del__(self) -> None:
        self.ends.append(threading.current_thread())


def _allocate(count: int) -> None:
    kept = [[] for _ in range(count)]  # type: ignore[var-annotated]
    del kept


def test_a_tools_thread_never_collects(collector: GarbageCollector) -> None:
    ends: list[threading.Thread] = []
    Cycle(ends)
    thread = threading.Thread(target=_allocate, args=(200_000,))
    thread.start()
    thread.join()
    assert ends == []

    kept = [[] for _ in range(20_000)]  # type: ignore[var-annotated]
    assert collector.collect_due() is not None

    assert ends == [threading.main_thread()]
    del kept


def test_a_flood_of_new_objects_is_never_walked(collector: GarbageCollector) -> None:
    gc.collect()
    before = gc.get_freeze_count()
    flood = [[] for _ in range(600_000)]  # type: ignore[var-annotated]

    assert collector.collect_due() is None
    assert gc.get_freeze_count() - before >= len(flood)
    assert gc.get_count()[0] < 10_000
    del flood
    gc.unfreeze()


def test_little_garbage_waits(collector: GarbageCollector) -> None:
    gc.collect()

    assert collector.collect_due() is None


def test_what_outlives_a_walk_is_not_walked_again_soon(collector: GarbageCollector) -> None:
    gc.collect()
    kept = [[] for _ in range(11_000)]  # type: ignore[var-annotated]
    assert collector.collect_due() == 1
    oldest = {id(item) for item in gc.get_objects(generation=2)}
    assert all(id(item) in oldest for item in kept)
    assert collector.collect_due() is None


def test_while_much_is_made_it_is_walked_in_smaller_portions(collector: GarbageCollector) -> None:
    gc.collect()
    timer = collector.findChild(QTimer)
    assert timer is not None
    usual = timer.interval()
    kept = [[] for _ in range(11_000)]  # type: ignore[var-annotated]
    collector.collect_due()
    assert timer.isActive()
    assert timer.interval() < usual
    collector.collect_due()
    assert timer.interval() == usual
    del kept


def test_an_idle_window_is_woken_seldom_until_much_is_made(collector: GarbageCollector) -> None:
    gc.collect()
    timer = collector.findChild(QTimer)
    assert timer is not None
    usual = timer.interval()
    for _ in range(61):
        collector.collect_due()
    resting = timer.interval()
    assert resting > usual
    for _ in range(61):
        collector.collect_due()
    assert timer.interval() > resting

    kept = [[] for _ in range(11_000)]  # type: ignore[var-annotated]
    assert collector.collect_due() == 1

    assert timer.interval() < usual
    del kept


def test_the_oldest_generation_is_collected_when_nothing_happens(collector: GarbageCollector) -> None:
    gc.collect()
    for _ in range(60):
        gc.collect(1)
    busy = []
    for _ in range(40):
        kept = [[] for _ in range(11_000)]  # type: ignore[var-annotated]
        busy.append(collector.collect_due())
        del kept
    assert 2 not in busy

    quiet = [collector.collect_due() for _ in range(60)]

    assert quiet == [*[None] * 59, 2]


def test_the_oldest_generation_is_collected_at_last_however_much_happens(collector: GarbageCollector) -> None:
    gc.collect()
    for _ in range(12_000):
        gc.collect(1)
    kept = [[] for _ in range(11_000)]  # type: ignore[var-annotated]

    assert collector.collect_due() == 2
    del kept


def test_the_end_gives_the_collection_back(qapp: QObject) -> None:
    collector = GarbageCollector()
    was_enabled = gc.isenabled()
    collector.start()
    assert not gc.isenabled()
    collector.stop()

    assert gc.isenabled()
    if not was_enabled:
        gc.disable()
