"""The Health page in the real program: calls show on it, its remedies lead on, its limits hold and last."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QGraphicsView, QTableView

from console.health.controller import SEEN_MS, UNSEEN_MS
from console.health.rows import HealthColumn, HealthRow
from console.health.view import HealthView
from console.theme import ThemeController
from tests.console.test_app_console import Start, started
from tools.calls import CallStatus

pytestmark = pytest.mark.expects_log("tools.calls")


async def page_of(start: Start) -> HealthView:
    """Open the page as a person does, and wait until its plots are drawn."""
    start.console.window.rail.choose("health")
    await start.until(lambda: any(page.isVisible() for page in start.console.window.findChildren(HealthView)))
    (page,) = start.console.window.findChildren(HealthView)
    await start.until(lambda: page.table.model().rowCount() > 5)
    return page


def row_of(page: HealthView, tool: str) -> HealthRow:
    (row,) = [row for row in page._rows if row.tool == tool]
    return row


async def until_status(start: Start, page: HealthView, tool: str, status: str) -> HealthRow:
    await start.until(lambda: row_of(page, tool).status == status)
    return row_of(page, tool)


def press(page: HealthView, text: str) -> None:
    (button,) = [found for found in page.findChildren(QAbstractButton) if found.text() == text and found.isVisible()]
    button.click()


@pytest.mark.reference("A65")
@pytest.mark.reference("A66")
@pytest.mark.reference("A71")
async def test_calls_show_on_the_page_and_the_remedy_leads_to_the_failed_one(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with started(theme, tmp_path) as start:
        page = await page_of(start)
        assert {row.status for row in page._rows} == {"unknown"}
        assert await start.run("stumble") is CallStatus.FAILED
        assert await start.run("echo") is CallStatus.EXECUTED
        start.console.window.rail.choose("health")
        await start.until(lambda: bool(row_of(page, "stumble").few))
        failed = row_of(page, "stumble")
        assert (failed.status, failed.few, failed.few_succeeded) == ("unknown", "failed once", "0 of 1")
        assert failed.note == "Failed once, too few runs to judge: a stone lay in the way"
        assert (await until_status(start, page, "echo", "up")).note == ""
        await start.until(lambda: "UP 1" in start.words())
        assert "DOWN 1" not in start.words()
        assert page.table.model().index(0, HealthColumn.TOOL).data() == "stumble"
        await start.until(lambda: page.plots.findChildren(QGraphicsView))
        page.table.setCurrentIndex(page.table.model().index(0, HealthColumn.TOOL))
        QTest.keyClick(page.table, Qt.Key.Key_Return)
        await start.until(start.console.histories.widget.isVisible)
        calls = start.console.histories.widget.findChild(QTableView, "historyTable")
        await start.until(lambda: calls is not None and calls.model().rowCount() == 2)
        assert calls is not None
        await start.until(lambda: calls.currentIndex().siblingAtColumn(1).data() == "stumble")


@pytest.mark.reference("A64")
@pytest.mark.reference("A67")
async def test_limits_set_on_the_page_hold_at_once_and_after_a_restart(theme: ThemeController, tmp_path: Path) -> None:
    async with started(theme, tmp_path) as start:
        page = await page_of(start)
        await start.run("echo")
        start.console.window.rail.choose("health")
        await until_status(start, page, "echo", "up")
        page.action_requested.emit("limits", "echo")
        page.limits.p95.setValue(0.001)
        page.limits.least.setValue(1)
        press(page, "Save")
        slow = await until_status(start, page, "echo", "degraded")
        assert slow.note.startswith("P95 above 0.0 ms since ")
        await start.until(lambda: "DEGRADED 1" in start.words())
        await start.until(lambda: any("echo is degraded: P95 is " in word for word in start.words()))
        press(page, "24 h")
    async with started(theme, tmp_path) as start:
        await start.until(lambda: "DEGRADED 1" in start.words())
        page = await page_of(start)
        assert page.header.span.index == 2
        await until_status(start, page, "echo", "degraded")
        page.action_requested.emit("limits", "echo")
        press(page, "Use defaults")
        press(page, "Save")
        await start.until(page.limits.undo.isVisible)
        assert "echo" not in (tmp_path / "settings" / "health.toml").read_text("utf-8")
        # What does better is said to do so when that has lasted.
        await start.until(lambda: row_of(page, "echo").note.startswith("It does better again"))
        press(page, "Undo")
        await start.until(lambda: row_of(page, "echo").note.startswith("P95 above"))
        press(page, "Changes")
        await start.until(lambda: page.changes.table.model().rowCount() == 2)
        assert page.changes.table.model().index(0, 2).data() == "Up → Degraded"


async def test_a_breaker_is_reset_from_the_page(theme: ThemeController, tmp_path: Path) -> None:
    async with started(theme, tmp_path) as start:
        page = await page_of(start)
        assert await start.run("fail") is CallStatus.FAILED
        start.console.window.rail.choose("health")
        held = await until_status(start, page, "fail", "degraded")
        await start.until(lambda: row_of(page, "fail").note.startswith("Paused until "))
        assert held.tool == "fail"
        start.console.window.rail.choose("tools")
        await start.until(lambda: "DEGRADED 1" in start.words())
        start.console.window.status_bar.health_clicked.emit()
        assert page.isVisible()
        page.remedy_requested.emit("fail")
        await start.until(lambda: "fail runs again as usual" in start.words())
        await start.until(lambda: row_of(page, "fail").note.startswith("Failed once"))


async def test_the_program_ends_while_the_page_is_made_and_looked_at(theme: ThemeController, tmp_path: Path) -> None:
    async with started(theme, tmp_path) as start:
        start.console.window.rail.choose("health")
    async with started(theme, tmp_path) as start:
        await page_of(start)
        start.console.window.rail.choose("tools")
        start.console.window.rail.choose("health")


async def test_tools_are_looked_at_more_often_while_somebody_sees_the_page(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with started(theme, tmp_path) as start:
        healths = start.console.healths
        assert healths.every_ms == UNSEEN_MS
        await page_of(start)
        await start.until(lambda: healths.every_ms == SEEN_MS)
        start.console.window.show_page("tools")
        await start.until(lambda: healths.every_ms == UNSEEN_MS)
