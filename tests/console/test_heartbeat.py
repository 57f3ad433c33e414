"""The window goes first: what works beside it waits while it is late, and not for ever."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QObject
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from console.responsiveness.heartbeat import BEGIN_MS, LATE_S, LINGER_MS, MOST_S, UiHeartbeat, yielding


class Time:
    """A clock that goes on when somebody waits."""

    def __init__(self) -> None:
        self.now_s = 100.0
        self.waits = 0

    def __call__(self) -> float:
        return self.now_s

    def pause(self, seconds: float) -> None:
        self.waits += 1
        self.now_s += seconds


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def heartbeat(qapp: QObject, time: Time) -> Iterator[UiHeartbeat]:
    del qapp
    made = UiHeartbeat(clock=time, pause=time.pause)
    yield made
    made.stop()


@pytest.fixture
def beating(heartbeat: UiHeartbeat, time: Time, qtbot: QtBot) -> UiHeartbeat:
    heartbeat.hold()
    qtbot.waitUntil(lambda: late_after_a_while(heartbeat, time))
    qtbot.waitUntil(lambda: not heartbeat.is_late())
    return heartbeat


def late_after_a_while(heartbeat: UiHeartbeat, time: Time) -> bool:
    time.now_s += LATE_S * 1.5
    return heartbeat.is_late()


def beside(work: Callable[[], object]) -> None:
    """Do something in another thread, and wait until it is done."""
    thread = threading.Thread(target=work)
    thread.start()
    thread.join(10)
    assert not thread.is_alive()


def test_nobody_waits_for_a_window_at_rest(heartbeat: UiHeartbeat, time: Time) -> None:
    assert not heartbeat.is_late()
    assert not late_after_a_while(heartbeat, time)
    beside(heartbeat.yield_to_ui)
    assert not time.waits


def test_others_wait_while_the_window_is_late_until_it_came_round(
    beating: UiHeartbeat, time: Time, qtbot: QtBot
) -> None:
    beside(beating.yield_to_ui)
    assert not time.waits
    assert late_after_a_while(beating, time)
    qtbot.waitUntil(lambda: not beating.is_late())


def test_nobody_waits_for_ever_for_a_window_that_hangs(beating: UiHeartbeat, time: Time) -> None:
    began_s = time.now_s
    assert late_after_a_while(beating, time)
    beside(beating.yield_to_ui)
    assert time.waits
    assert time.now_s == pytest.approx(began_s + MOST_S, abs=0.002)
    waits = time.waits
    beside(beating.yield_to_ui)
    assert time.waits == waits


def test_the_window_never_waits_for_itself(beating: UiHeartbeat, time: Time) -> None:
    assert late_after_a_while(beating, time)
    beating.yield_to_ui()
    assert not time.waits


def test_it_beats_on_for_a_while_after_the_last_release(beating: UiHeartbeat, time: Time, qtbot: QtBot) -> None:
    with beating.held():
        beating.release()
    QTest.qWait(BEGIN_MS)
    assert late_after_a_while(beating, time)
    qtbot.waitUntil(lambda: not late_after_a_while(beating, time), timeout=LINGER_MS + 5000)


def test_what_is_over_at_once_keeps_nothing_going(beating: UiHeartbeat, time: Time, qtbot: QtBot) -> None:
    def look() -> bool:
        with beating.held():
            return not late_after_a_while(beating, time)

    beating.release()
    qtbot.waitUntil(look, timeout=LINGER_MS + 5000)


def test_what_is_over_at_once_starts_nothing(heartbeat: UiHeartbeat, time: Time) -> None:
    for _ in range(3):
        with heartbeat.held():
            pass
        QTest.qWait(BEGIN_MS * 2)
        assert not late_after_a_while(heartbeat, time)


def test_a_hold_that_fails_is_released(beating: UiHeartbeat, time: Time, qtbot: QtBot) -> None:
    with pytest.raises(ZeroDivisionError), beating.held():
        raise ZeroDivisionError
    beating.release()
    qtbot.waitUntil(lambda: not late_after_a_while(beating, time), timeout=LINGER_MS + 5000)


def test_whoever_goes_through_items_gives_way_before_each() -> None:
    told: list[str] = []
    turns = yielding("ab", lambda: told.append("way"))
    assert next(turns) == "a"
    assert told == ["way"]
    assert next(turns) == "b"
    assert told == ["way", "way"]
    assert list(yielding("ab", None)) == ["a", "b"]
