"""What takes long has the window one after the other, and nobody waits for ever."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QObject

from console.responsiveness.ui_throttle import BREATH_S, MOST_WAITS, UiThrottle, ui_throttle


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr("console.responsiveness.ui_throttle.perf_counter", lambda: now[0])
    return now


def test_whoever_comes_right_behind_something_long_waits_a_breath(now: list[float]) -> None:
    paced = UiThrottle()
    assert not paced.has_to_wait("garbage")
    paced.note()
    assert paced.has_to_wait("garbage")
    assert paced.has_to_wait("events")
    now[0] += BREATH_S * 2
    assert not paced.has_to_wait("garbage")
    assert not paced.has_to_wait("events")


def test_nobody_waits_for_ever_while_there_is_always_something_long(now: list[float]) -> None:
    del now
    paced = UiThrottle()
    asked = []
    for _ in range(3 * (MOST_WAITS + 1)):
        paced.note()
        asked.append(paced.has_to_wait("garbage"))
    assert asked == [*[True] * MOST_WAITS, False] * 3


def test_the_application_has_one(qapp: QObject) -> None:
    assert ui_throttle() is ui_throttle()
    assert ui_throttle().parent() is qapp
