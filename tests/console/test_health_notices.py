"""Changes of health that are told on the desktop: only to whoever looks elsewhere, and many as one."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from PySide6.QtTest import QSignalSpy
from pytestqt.qtbot import QtBot

from console.health.controller import HealthNotices
from console.notices import DesktopNotice, Notices
from tools.health import HealthChange, HealthStatus

NOW = datetime(2026, 1, 1, tzinfo=UTC)


class Desktop:
    """Keep what is shown."""

    def __init__(self) -> None:
        self.shown: list[DesktopNotice] = []

    def show(self, notice: DesktopNotice) -> None:
        self.shown.append(notice)

    def withdraw(self, key: str) -> None:
        self.shown = [notice for notice in self.shown if notice.key != key]

    def close(self) -> None:
        self.shown.clear()


def change(
    tool: str, after: HealthStatus = HealthStatus.DOWN, reason: str | None = "5 of 5 runs failed"
) -> HealthChange:
    return HealthChange(tool, HealthStatus.UP, after, reason, NOW)


@pytest.fixture
def desktop() -> Desktop:
    return Desktop()


@pytest.fixture
def notices(desktop: Desktop, qtbot: QtBot) -> Notices:
    made = Notices()
    made.set_desktop(desktop)
    return made


def test_a_change_is_told_to_whoever_looks_elsewhere_and_leads_to_the_page(
    notices: Notices, desktop: Desktop, qtbot: QtBot
) -> None:
    told = HealthNotices(notices, lambda: False)
    asked = QSignalSpy(told.page_requested)

    told.take(change("fetch"))
    told.take(change("send", HealthStatus.UP, None))
    qtbot.waitUntil(lambda: len(desktop.shown) == 2)

    assert [(item.title, item.text) for item in desktop.shown] == [
        ("fetch is down", "5 of 5 runs failed"),
        ("send is up again", ""),
    ]
    notices.chosen.emit(desktop.shown[0].key, "default")
    assert asked.count() == 1
    notices.chosen.emit("review-1", "default")
    assert asked.count() == 1


def test_nothing_is_told_to_whoever_sees_the_window(notices: Notices, desktop: Desktop, qtbot: QtBot) -> None:
    told = HealthNotices(notices, lambda: True)

    told.take(change("fetch"))
    qtbot.waitUntil(lambda: not told._changes)

    assert not desktop.shown


def test_many_changes_at_a_time_are_one_notice(notices: Notices, desktop: Desktop, qtbot: QtBot) -> None:
    told = HealthNotices(notices, lambda: False)

    for number in range(40):
        told.take(change(f"tool_{number}", HealthStatus.DOWN if number % 2 else HealthStatus.DEGRADED))
    qtbot.waitUntil(lambda: bool(desktop.shown))

    assert [(item.title, item.text) for item in desktop.shown] == [
        ("The health of 40 tools changed", "20 of them are down.")
    ]
