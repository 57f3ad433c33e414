"""The drawer of the limits, filled in and saved, over limits that are kept in memory."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from console.health.limits_view import LimitsView
from console.health.presenter import LimitsPresenter
from console.health.snapshot import LimitsForm, form_of, limits_of, sheet_of
from console.tasks import TaskScope
from tests.console.health_rows import SOURCE, FakeLimits
from tests.tools.running import until
from tools.health import HealthLimits, HealthStatus, LimitsScope, StatusChange

OWN = LimitsScope("download_file")


class Drawer:
    """The drawer, as somebody looks at it."""

    def __init__(self, qtbot: QtBot, scope: TaskScope) -> None:
        self.limits = FakeLimits()
        self.view = LimitsView()
        self.presenter = LimitsPresenter(self.view, self.limits, scope)
        self.changed = QSignalSpy(self.presenter.changed)
        qtbot.addWidget(self.view)
        self.view.resize(304, 760)

    until = staticmethod(until)

    def words(self) -> list[str]:
        return [label.text() for label in self.view.findChildren(QLabel) if label.isVisible()]


@asynccontextmanager
async def opened(qtbot: QtBot, tool: str = "download_file", **kept: HealthLimits) -> AsyncIterator[Drawer]:
    scope = TaskScope("drawer")
    drawer = Drawer(qtbot, scope)
    drawer.limits.kept = {LimitsScope(name): limits for name, limits in kept.items()}
    drawer.view.show()
    drawer.presenter.show_tool(tool)
    try:
        await drawer.until(lambda: drawer.limits.previewed and not scope.busy)
        yield drawer
    finally:
        drawer.presenter.close()
        await scope.close()


def test_fields_and_limits_say_the_same() -> None:
    limits = HealthLimits(p95_ms=0.5, success_up=0.905, success_down=0.7, window_s=77, least_calls=20, notify=False)
    form = form_of(limits)
    assert form == LimitsForm(0.5, 90.5, 70.0, 3, 77.0, 20, notify=False)
    assert limits_of(form, limits) == limits
    assert limits_of(form, limits.model_copy(update={"window_calls": 10})) == limits.model_copy(
        update={"window_calls": 10}
    )


def test_limits_that_contradict_each_other_are_none() -> None:
    said = limits_of(LimitsForm(degraded_percent=80.0, down_percent=80.1), HealthLimits())
    assert said == (
        "A tool is down below 80.1% but degraded only below 80%. Set the share for down to the same or less."
    )
    assert limits_of(LimitsForm(degraded_percent=80.0, down_percent=80.0), HealthLimits()) != said


def test_what_limits_would_come_to_is_told_in_words() -> None:
    preview = FakeLimits().preview_of
    limits = HealthLimits(p95_ms=2500)
    assert sheet_of(preview, limits).words == ("381 runs in the last hour, 49 above 2.50 s. The tool stays degraded.")
    up = StatusChange("download_file", HealthStatus.DEGRADED, HealthStatus.UP)
    assert sheet_of(preview._replace(calls=1, above=0, changes=(up,)), limits).words == (
        "1 run in the last hour, 0 above 2.50 s. The tool is up instead of degraded."
    )
    many = preview._replace(tools=("a", "b", "c"), over_s=7200.0)
    assert sheet_of(many, limits).words == "381 runs in the last 2 h, 49 above 2.50 s. No status changes."
    one = sheet_of(many._replace(changes=(up,)), limits).words
    assert one.endswith("download_file is up instead of degraded; no other status changes.")
    assert sheet_of(many._replace(changes=(up, up)), limits).words.endswith("; 1 other status changes.")
    assert sheet_of(many._replace(changes=(up,) * 3), limits).words.endswith("; 2 other statuses change.")
    assert sheet_of(preview._replace(calls=0), limits).words.startswith("No run in the last hour.")
    assert sheet_of(preview, limits)[1:] == ((1, 4, 9, 2), 4000.0, 2500.0)


async def test_the_drawer_shows_what_holds_and_for_whom(qtbot: QtBot) -> None:
    own = HealthLimits(p95_ms=2500, success_up=0.9, window_s=77.0, least_calls=2000)
    async with opened(qtbot, download_file=own) as drawer:
        view = drawer.view
        assert view.form == form_of(own)
        assert view.p95.text() == "2500 ms"
        assert view.degraded.text() == "90.0 %"
        assert view.window_s.currentText() == "77 s"
        assert [view.scope.itemText(place) for place in range(view.scope.count())] == [
            "download_file",
            "All tools of Built-in",
            "All tools",
        ]
        assert not view.save.isEnabled()
        assert view.defaults.isEnabled()
        assert "381 runs in the last hour, 49 above 2.50 s. The tool stays degraded." in drawer.words()
        view.scope.activated.emit(1)
        assert view.form == form_of(HealthLimits())
        assert not view.defaults.isEnabled()


async def test_a_limit_is_previewed_saved_and_taken_back(qtbot: QtBot) -> None:
    async with opened(qtbot) as drawer:
        view = drawer.view
        view.p95.selectAll()
        QTest.keyClicks(view.p95, "2500")
        assert view.save.isEnabled()
        assert drawer.presenter.is_changed
        await drawer.until(lambda: drawer.limits.previewed[-1] == (HealthLimits(p95_ms=2500), OWN))
        QTest.keyClick(view.p95, Qt.Key.Key_Return)
        await drawer.until(lambda: "Saved" in drawer.words())
        assert drawer.limits.kept == {OWN: HealthLimits(p95_ms=2500)}
        assert drawer.changed.count() == 1
        assert not view.save.isEnabled()
        view.undo.click()
        await drawer.until(lambda: "Taken back" in drawer.words())
        assert drawer.limits.kept == {}
        assert view.form == form_of(HealthLimits())
        assert not view.undo.isVisible()


async def test_own_limits_are_given_up_for_those_of_the_wider_scope(qtbot: QtBot) -> None:
    own = HealthLimits(p95_ms=100)
    async with opened(qtbot, download_file=own) as drawer:
        drawer.limits.kept[LimitsScope(source=SOURCE)] = HealthLimits(p95_ms=700)
        drawer.view.defaults.click()
        assert drawer.view.form.p95_ms == 700
        assert not drawer.view.defaults.isEnabled()
        drawer.view.save.click()
        await drawer.until(lambda: OWN not in drawer.limits.kept)
        await drawer.until(drawer.view.undo.isVisible)
        drawer.view.undo.click()
        await drawer.until(lambda: drawer.limits.kept.get(OWN) == own)


async def test_what_cannot_be_is_not_saved(qtbot: QtBot) -> None:
    async with opened(qtbot) as drawer:
        drawer.view.down.setValue(96.0)
        assert not drawer.view.save.isEnabled()
        assert any(word.startswith("A tool is down below 96%") for word in drawer.words())
        assert not drawer.view.histogram.isVisible()
        QTest.keyClick(drawer.view.down, Qt.Key.Key_Return)
        drawer.view.down.setValue(70.0)
        assert drawer.view.save.isEnabled()
        await drawer.until(drawer.view.histogram.isVisible)
        drawer.limits.error = PermissionError(13, "Permission denied")
        drawer.view.save.click()
        await drawer.until(lambda: "Not saved: Permission denied" in drawer.words())
        assert drawer.view.form.down_percent == 70.0
        assert drawer.limits.kept == {}


async def test_what_is_being_changed_stays_when_another_tool_is_chosen(qtbot: QtBot) -> None:
    async with opened(qtbot) as drawer:
        drawer.view.least.setValue(7)
        drawer.presenter.show_tool("other")
        assert drawer.view.scope.currentText() == "download_file"
        drawer.presenter.show_tool("other", begin=True)
        assert drawer.view.scope.currentText() == "other"
        assert drawer.view.form.least_calls == 20
        drawer.presenter.show_tool("")
        assert drawer.view.scope.currentText() == "All tools"
        drawer.view.hide()
        drawer.presenter.show_tool("third")
        assert drawer.view.scope.currentText() == "All tools"


async def test_the_preview_follows_what_runs_where_that_is_cheap(qtbot: QtBot) -> None:
    async with opened(qtbot) as drawer:
        before = len(drawer.limits.previewed)
        drawer.presenter.look_again()
        await drawer.until(lambda: len(drawer.limits.previewed) == before + 1)
        drawer.view.scope.activated.emit(2)
        await drawer.until(lambda: drawer.limits.previewed[-1][1] == LimitsScope())
        before = len(drawer.limits.previewed)
        await drawer.until(lambda: not drawer.presenter._previewing.is_running)
        drawer.presenter.look_again()
        assert not drawer.presenter._previewing.is_running
        assert len(drawer.limits.previewed) == before


async def test_limits_that_were_kept_and_cannot_be_read_are_told(qtbot: QtBot) -> None:
    async with opened(qtbot) as drawer:
        drawer.limits.problem = "health.toml cannot be read (line 3); correct it, or save limits to begin a new one"
        drawer.view.scope.activated.emit(0)
        assert drawer.limits.problem in drawer.words()


@pytest.mark.parametrize("key", [Qt.Key.Key_Escape])
async def test_escape_closes_the_drawer(qtbot: QtBot, key: Qt.Key) -> None:
    async with opened(qtbot) as drawer:
        closed = QSignalSpy(drawer.view.closed)
        QTest.keyClick(drawer.view.checks, key)
        drawer.view.cancel.click()
        assert closed.count() == 2
