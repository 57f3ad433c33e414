"""The Health page, clicked and typed into, over tools that answer from memory."""

from __future__ import annotations

import asyncio
import csv
import sqlite3
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QGuiApplication, QImage
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QFileDialog, QLabel, QWidget
from pytestqt.qtbot import QtBot

from console.health.model import HealthChangesModel, HealthModel, TileModel
from console.health.ports import CheckTimes
from console.health.presenter import HealthPresenter
from console.health.rows import HealthColumn, HealthRemedy, HealthRemedyKey, HealthRow
from console.health.view import HealthView
from console.preferences import Preferences
from console.tasks import TaskScope
from console.widgets import RowOrder
from tests.console.health_rows import NOW, ROWS, SLOW, UP, FakeHealth, FakeLimits, up
from tests.tools.running import until
from tools.errors import HistoryError
from tools.health import SPANS, Check, CheckOutcome, HealthChange, HealthStatus

RunInQt = Callable[[Coroutine[Any, Any, None]], None]


class Page:
    """The page, as somebody looks at it."""

    def __init__(self, qtbot: QtBot, health: FakeHealth, scope: TaskScope, memory: Preferences) -> None:
        self.qtbot = qtbot
        self.health = health
        self.scope = scope
        self.limits = FakeLimits()
        self.memory = memory
        self.now = NOW
        self.model = HealthModel()
        self.tiles = TileModel()
        self.changes = HealthChangesModel(self.clock)
        self.view = HealthView(self.model, self.tiles, self.changes, tuple(SPANS))
        self.presenter = HealthPresenter(
            self.model,
            self.changes,
            self.view,
            health=health,
            limits=self.limits,
            memory=self.memory,
            scope=scope,
            compute=self.compute,
            clock=self.clock,
        )
        self.opened = QSignalSpy(self.presenter.tool_opened)
        self.history = QSignalSpy(self.presenter.history_opened)
        self.calls = QSignalSpy(self.presenter.call_opened)
        self.noticed = QSignalSpy(self.presenter.noticed)
        qtbot.addWidget(self.view)
        self.view.resize(1392, 820)

    async def compute(self, function: Callable[..., Any], /, *args: Any) -> Any:
        await asyncio.sleep(0)
        return function(*args)

    def clock(self) -> Any:
        return self.now

    until = staticmethod(until)

    async def told(self, words: str) -> None:
        await self.until(lambda: words in taken(self.noticed))

    @property
    def tools(self) -> list[str]:
        return [row.tool for row in self.model.rows]

    def button(self, text: str) -> QAbstractButton:
        buttons = self.view.findChildren(QAbstractButton)
        return next(found for found in buttons if found.text() == text and found.isVisible())

    def words(self) -> list[str]:
        return [label.text() for label in self.view.findChildren(QLabel) if label.isVisible()]

    def click_cell(self, tool: str, column: HealthColumn, *, at_end: bool = False) -> None:
        place = self.view.table.visualRect(self.model.index(self.model.place_of(tool), column))
        point = QPoint(place.right() - 30, place.center().y()) if at_end else place.center()
        QTest.mouseClick(self.view.table.viewport(), Qt.MouseButton.LeftButton, pos=point)

    def choose_from_menu(self, words: str) -> None:
        found = [action for action in self.view.findChildren(QAction) if action.text() == words]
        assert found, words
        found[0].trigger()


def taken(spy: QSignalSpy) -> list[str]:
    return [spy.at(place)[0] for place in range(spy.count())]


@asynccontextmanager
async def looking_at(
    qtbot: QtBot, health: FakeHealth | None = None, memory: Preferences | None = None
) -> AsyncIterator[Page]:
    scope = TaskScope("page")
    health = health or FakeHealth()
    with TemporaryDirectory() as home:
        page = Page(qtbot, health, scope, memory or Preferences(Path(home) / "window.ini"))
        page.view.show()
        page.view.activateWindow()
        try:
            await page.until(lambda: page.view.plots._shown is not None)
            yield page
        finally:
            page.presenter.close()
            await scope.close()
            page.view.hide()


async def test_the_server_of_a_tool_is_restarted_from_its_row(qtbot: QtBot) -> None:
    async with looking_at(qtbot) as page:
        remedy = HealthRemedy(HealthRemedyKey.RESTART, "Restart server")
        page.health.rows = [
            replace(row, remedy=remedy) if row.tool == "push_files" else row for row in page.health.rows
        ]
        page.presenter.look_again()
        row = page.model.place_of("push_files")
        await page.until(lambda: page.model.rows[row].remedy == remedy)
        wanted = QSignalSpy(page.presenter.restart_requested)
        page.view.table.opened.emit("push_files")
        assert taken(wanted) == ["push_files"]


async def test_the_page_tells_the_worst_first(qtbot: QtBot) -> None:
    async with looking_at(qtbot) as page:
        assert page.tools == ["push_files", "send_digest", "download_file", "query_database", "zip_files"]
        assert [row.tool for row in page.tiles.rows] == page.tools[:4]
        assert {"Down.", "1 tool is down and 2 tools are degraded.", "Health"} <= set(page.words())
        assert f"Checked {(NOW - timedelta(seconds=4)).astimezone():%H:%M:%S}, next in 29 s" in page.words()
        for words in ("All 5", "Up 1", "Degraded 2", "Down 1"):
            assert page.button(words).isVisible()
        assert page.health.questions[0].span == "1 h"
        assert page.view.table.chosen_row is not None
        assert page.view.table.chosen_row.tool == "push_files"
        page.now += timedelta(seconds=9)
        page.presenter._on_ticker_timeout()
        assert any(word.endswith("next in 20 s") for word in page.words())
        page.health.times = CheckTimes(None, None)
        page.presenter._on_ticker_timeout()
        assert not any("Checked" in word for word in page.words())


async def test_range_and_status_narrow_what_is_shown_and_are_remembered(qtbot: QtBot, tmp_path: Path) -> None:
    memory = Preferences(tmp_path / "window.ini")

    async with looking_at(qtbot, memory=memory) as page:
        page.button("24 h").click()
        page.button("Degraded 2").click()
        assert page.tools == ["send_digest", "download_file"]
        assert [row.tool for row in page.tiles.rows] == ["send_digest", "download_file"]
        await page.until(lambda: page.health.questions[-1][::2] == ("24 h", ("degraded",)))
        head = page.view.table.horizontalHeader()
        place = QPoint(head.sectionViewportPosition(HealthColumn.TOOL) + 40, head.height() // 2)
        QTest.mouseClick(head.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert page.tools == ["download_file", "send_digest"]
        page.presenter.remember()
    async with looking_at(qtbot, memory=memory) as page:
        assert page.tools == ["download_file", "send_digest"]
        assert page.health.questions[0][::2] == ("24 h", ("degraded",))
        assert page.model.order == RowOrder(HealthColumn.TOOL, descending=False)
        assert page.button("24 h").isChecked()
        assert page.button("Degraded 2").isChecked()


async def test_the_banner_leads_to_the_tools_it_means(qtbot: QtBot, tmp_path: Path) -> None:
    memory = Preferences(tmp_path / "window.ini")

    async with looking_at(qtbot, memory=memory) as page:
        page.button("Show the 3 tools").click()
        assert page.tools == ["push_files", "send_digest", "download_file"]
        page.presenter.remember()
    async with looking_at(qtbot, FakeHealth([UP]), memory) as page:
        # With nothing in trouble the remembered choice leaves nothing to list, and the page says so.
        assert "No tool: degraded or down" in page.words()
        page.button("Show all tools").click()
        assert page.tools == ["query_database"]


async def test_the_chosen_tool_is_drawn_whether_tile_or_row(qtbot: QtBot) -> None:
    async with looking_at(qtbot) as page:
        tiles = page.view.tiles
        place = tiles.visualRect(page.tiles.index(2, 0)).center()
        QTest.mouseClick(tiles.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert page.view.table.chosen_row == SLOW
        await page.until(lambda: page.health.questions[-1].tool == "download_file")
        page.click_cell("query_database", HealthColumn.SOURCE)
        assert tiles.currentIndex().data() == "query_database"
        await page.until(lambda: page.health.questions[-1].tool == "query_database")
        QTest.keyClick(page.view.table, Qt.Key.Key_Down)
        await page.until(lambda: page.health.questions[-1].tool == "zip_files")
        assert not tiles.selectionModel().hasSelection()


async def test_the_changes_of_health_are_listed(qtbot: QtBot) -> None:
    async with looking_at(qtbot) as page:
        page.button("Changes").click()
        assert "No change yet" in page.words()
        up_again = HealthChange("query_database", HealthStatus.DOWN, HealthStatus.UP, None, NOW - timedelta(days=1))
        slow = HealthChange("download_file", HealthStatus.UP, HealthStatus.DEGRADED, "P95 is 3 s, above 2 s", NOW)
        for known in ([up_again], [slow, up_again]):
            page.health.known_changes = known
            page.presenter.look_again()
            await page.until(lambda: page.changes.rowCount() == len(page.health.known_changes))
        assert [page.changes.index(0, column).data() for column in range(4)] == [
            f"{NOW.astimezone():%H:%M:%S}",
            "download_file",
            "Up → Degraded",
            "P95 is 3 s, above 2 s",
        ]
        assert page.changes.index(1, 0).data() == f"yesterday, {NOW.astimezone():%H:%M}"
        QTest.keyClick(page.view.changes.table, Qt.Key.Key_Down)
        await page.until(lambda: page.health.questions[-1].tool in {"download_file", "query_database"})
        QTest.keyClick(page.view.changes.table, Qt.Key.Key_Escape)
        await page.until(page.view.table.isVisible)
        page.health.known_changes = []
        page.button("Changes").click()
        await page.until(lambda: not page.changes.rowCount())
        page.button("Show the 3 tools").click()
        await page.until(page.view.table.isVisible)
        assert len(page.tools) == 3


async def test_each_row_that_is_not_up_offers_what_helps(qtbot: QtBot) -> None:
    async with looking_at(qtbot) as page:
        page.click_cell("push_files", HealthColumn.NOTE, at_end=True)
        await page.until(lambda: taken(page.calls) == ["run-7"])
        assert page.health.found == [("push_files", None, True)]
        page.click_cell("send_digest", HealthColumn.NOTE, at_end=True)
        await page.told("send_digest runs again as usual")
        page.health.held = 0
        page.click_cell("send_digest", HealthColumn.NOTE, at_end=True)
        await page.told("Nothing held send_digest back any more")
        assert page.health.reset_tools == ["send_digest", "send_digest"]
        page.click_cell("zip_files", HealthColumn.TOOL)
        QTest.keyClick(page.view.table, Qt.Key.Key_Return)
        assert taken(page.opened) == ["zip_files"]
        place = page.view.table.visualRect(page.model.index(page.model.place_of("query_database"), HealthColumn.CALLS))
        QTest.mouseDClick(page.view.table.viewport(), Qt.MouseButton.LeftButton, pos=place.center())
        assert taken(page.opened) == ["zip_files", "query_database"]
        page.click_cell("download_file", HealthColumn.NOTE, at_end=True)
        assert page.view.is_limits_open
        assert page.view.limits.scope.currentText() == "download_file"


async def test_what_the_history_cannot_tell_is_said(qtbot: QtBot) -> None:
    async with looking_at(qtbot) as page:
        page.health.record_id = ""
        page.click_cell("push_files", HealthColumn.NOTE, at_end=True)
        await page.told("No failed call of push_files is in the history any more")
        page.view.plots.moment_chosen.emit(NOW)
        await page.told(f"No call of push_files before {NOW.astimezone():%H:%M:%S} is in the history")
        assert taken(page.history) == ["push_files"]
        page.health.history_error = HistoryError("the disk is full")
        page.click_cell("push_files", HealthColumn.NOTE, at_end=True)
        await page.told("The history cannot be asked: the disk is full")


async def test_a_moment_of_a_plot_leads_to_the_calls_of_then(qtbot: QtBot) -> None:
    async with looking_at(qtbot) as page:
        page.view.plots.moment_chosen.emit(NOW - timedelta(minutes=5))
        await page.until(lambda: taken(page.calls) == ["run-7"])
        assert page.health.found == [("push_files", NOW - timedelta(minutes=5), False)]
        assert taken(page.history) == ["push_files"]


async def test_the_menu_of_a_row_offers_the_rest(qtbot: QtBot) -> None:
    async with looking_at(qtbot) as page:
        page.click_cell("push_files", HealthColumn.TOOL)
        page.view.table.menu_requested.emit(QPoint(0, 0), page.view.table.currentIndex())
        page.choose_from_menu("Open tool")
        assert taken(page.opened) == ["push_files"]
        page.choose_from_menu("Show its calls in the history")
        assert taken(page.history) == ["push_files"]
        page.choose_from_menu("Copy")
        assert QGuiApplication.clipboard().text().startswith("push_files\tPlugins › github.py\tDown\t0.0%")
        page.choose_from_menu("Check now")
        await page.told("push_files declares no probe: it was judged anew by its runs")
        assert page.health.checked == [("push_files",)]
        page.choose_from_menu("Set thresholds…")
        assert page.view.is_limits_open
        page.view._menu.close()


async def test_rows_are_copied_with_the_keyboard(qtbot: QtBot) -> None:
    async with looking_at(qtbot) as page:
        QTest.keyClick(page.view.table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
        QTest.keyClick(page.view.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
        lines = QGuiApplication.clipboard().text().splitlines()
        assert [line.split("\t")[0] for line in lines] == ["push_files", "send_digest"]


def check(tool: str, outcome: CheckOutcome, message: str = "") -> Check:
    return Check(tool, NOW, outcome, 12.0, message)


@pytest.mark.parametrize(
    ("checks", "said"),
    [
        ((), "No tool declares a probe: all were judged anew by their runs"),
        ((check("a", CheckOutcome.PASSED),), "The probe of a passed"),
        ((check("a", CheckOutcome.FAILED, "no route"),), "The probe of a failed: no route"),
        (
            (check("a", CheckOutcome.PASSED), check("b", CheckOutcome.FAILED), check("c", CheckOutcome.REFUSED)),
            "1 of 3 probes passed, 1 failed: b, 1 could not be made",
        ),
        (
            tuple(check(letter, CheckOutcome.FAILED) for letter in "abcd"),
            "0 of 4 probes passed, 4 failed: a, b, c…",
        ),
    ],
)
async def test_all_tools_are_checked_at_once(qtbot: QtBot, checks: tuple[Check, ...], said: str) -> None:
    async with looking_at(qtbot) as page:
        page.health.checks = checks
        page.health.gate = asyncio.Event()
        page.button("Check now").click()
        await page.until(lambda: page.health.checked == [None])
        assert not page.button("Checking").isEnabled()
        page.health.gate.set()
        await page.told(said)
        assert page.button("Check now").isEnabled()


async def test_the_page_is_exported_in_four_ways(qtbot: QtBot, tmp_path: Path) -> None:
    async with looking_at(qtbot) as page:
        for kind, name in (("png", "a.png"), ("csv", "a.csv"), ("json", "a.json"), ("prometheus", "a.prom")):
            page.view.export_chosen.emit(kind, str(tmp_path / name))
            await page.told(f"{name} is written")
        assert QImage(str(tmp_path / "a.png")).width() > 400
        rows = list(csv.DictReader((tmp_path / "a.csv").read_text("utf-8").splitlines()))
        assert [row["tool"] for row in rows] == page.tools
        assert (tmp_path / "a.json").read_text("utf-8") == "all tools as json\n"
        assert (tmp_path / "a.prom").read_text("utf-8") == "all tools as prometheus\n"
        page.view.export_chosen.emit("csv", str(tmp_path / "none" / "a.csv"))
        await page.told("a.csv cannot be written (No such file or directory); choose another place")


async def test_a_file_is_asked_for(qtbot: QtBot, tmp_path: Path) -> None:
    async with looking_at(qtbot) as page:
        page.choose_from_menu("Table…")
        (dialog,) = page.view.findChildren(QFileDialog)
        assert dialog.nameFilters() == ["Table (*.csv)"]
        dialog.fileSelected.emit(str(tmp_path / "health.csv"))
        await page.told("health.csv is written")
        dialog.close()


async def test_a_hidden_page_costs_nothing_and_catches_up(qtbot: QtBot) -> None:
    async with looking_at(qtbot) as page:
        page.view.hide()
        await page.until(lambda: not page.scope.busy)
        assert not page.presenter._ticker.isActive()
        asked = len(page.health.questions)
        page.presenter.look_again()
        assert not page.scope.busy
        assert len(page.health.questions) == asked
        page.health.rows = (UP,)
        page.view.show()
        await page.until(lambda: page.tools == ["query_database"])
        assert page.presenter._ticker.isActive()


async def test_looks_never_overlap_and_the_newest_question_is_answered(qtbot: QtBot) -> None:
    async with looking_at(qtbot) as page:
        await page.until(lambda: not page.presenter._looking.is_running)
        page.health.gate = asyncio.Event()
        asked = len(page.health.questions)
        for _ in range(20):
            page.presenter.look_again()
        page.button("7 d").click()
        await page.until(lambda: len(page.health.questions) == asked + 1)
        page.health.gate.set()
        await page.until(lambda: not page.presenter._looking.is_running)
        assert [question.span for question in page.health.questions[asked:]] in (
            ["7 d"],
            ["1 h", "7 d"],
            ["7 d", "7 d"],
        )


async def test_the_curves_move_on_although_nothing_runs(qtbot: QtBot) -> None:
    async with looking_at(qtbot) as page:
        await page.until(lambda: not page.presenter._looking.is_running)
        asked = len(page.health.questions)
        page.now += timedelta(seconds=20)
        page.presenter._on_ticker_timeout()
        assert not page.presenter._looking.is_running
        page.now += timedelta(seconds=60)
        page.presenter._on_ticker_timeout()
        await page.until(lambda: len(page.health.questions) == asked + 1)


@pytest.mark.expects_log("console.health.presenter")
async def test_curves_that_cannot_be_read_are_told_once(qtbot: QtBot, caplog: pytest.LogCaptureFixture) -> None:
    async with looking_at(qtbot) as page:
        page.health.error = sqlite3.OperationalError("disk I/O error")
        for _ in range(2):
            await page.until(lambda: not page.presenter._looking.is_running)
            page.presenter.look_again()
        await page.until(lambda: not page.presenter._looking.is_running)
        assert taken(page.noticed) == ["How the tools did cannot be read: disk I/O error"]
        assert page.tools
    assert len(caplog.records) == 1


async def test_nothing_to_tell_is_said_with_what_to_do(qtbot: QtBot) -> None:
    idle = [up(number, status="unknown", calls=0, success_rate=None, p95_ms=None) for number in range(3)]
    async with looking_at(qtbot, FakeHealth(idle)) as page:
        assert "No calls in the last hour" in page.words()
        assert not page.view.tiles.isVisible()
        assert not page.view.banner.isVisible()
        assert page.view.table.isVisible()
        wanted = QSignalSpy(page.presenter.tools_requested)
        page.button("Show the tools").click()
        assert wanted.count() == 1


async def test_two_thousand_tools_are_listed_at_once(qtbot: QtBot) -> None:
    rows: list[HealthRow] = [*ROWS, *(up(number) for number in range(1995))]
    async with looking_at(qtbot, FakeHealth(rows)) as page:
        assert page.model.rowCount() == 2000
        assert page.tiles.rowCount() <= 12
        assert page.button("All 2,000").isVisible()
        page.health.rows = [replace(row, calls=row.calls + 1) for row in rows]
        page.presenter.look_again()
        await page.until(lambda: page.model.rows[0].calls == 15)


async def test_what_there_is_no_room_for_gives_way(qtbot: QtBot) -> None:
    async with looking_at(qtbot) as page:
        view = page.view
        page.button("Thresholds").click()
        await page.until(lambda: view.is_limits_open)
        view.resize(1050, 600)
        await page.until(lambda: not view.is_limits_open)
        await page.until(lambda: [row.tool for row in page.tiles.rows] == page.tools[:4])
        assert view.header.status.choices[1] == "Up"
        assert page.button("2").toolTip() == "Degraded 2"
        view.resize(1400, 820)
        await page.until(lambda: view.is_limits_open)
        QTest.keyClick(view, Qt.Key.Key_Escape)
        await page.until(lambda: not view.is_limits_open)
        view.resize(852, 560)
        assert view.width() == 852
        assert view.header.check.is_compact
        assert view.header.check.toolTip() == "Check now"
        view.table.resize(500, 200)
        assert view.table.isColumnHidden(HealthColumn.P99)
        assert not view.table.isColumnHidden(HealthColumn.STATUS)


async def test_every_control_has_a_name(qtbot: QtBot) -> None:
    async with looking_at(qtbot) as page:
        page.button("Thresholds").click()
        for widget in page.view.findChildren(QWidget):
            is_inside = isinstance(widget.parentWidget(), QAbstractSpinBox)
            if widget.isVisible() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus and not is_inside:
                named = widget.accessibleName() or (widget.text() if isinstance(widget, QAbstractButton) else "")
                assert named, widget
