"""The History page and a tool's History tab, over a history that answers from memory."""

from __future__ import annotations

import asyncio
import csv
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QAbstractButton, QFileDialog, QLabel, QWidget
from pytestqt.qtbot import QtBot

from console.history.actions import CallActions
from console.history.detail_view import CallSheet
from console.history.model import HistoryModel
from console.history.presenter import HistoryPresenter, ToolHistoryPresenter
from console.history.repeat_arguments import command_of, given_again
from console.history.rows import DecisionLine, TimeRange
from console.history.tool_view import ToolHistoryView
from console.history.view import HistoryView
from console.tasks import TaskScope
from tests.console.past import NOW, FakeHistory, clock, decision, record, row
from tests.tools.running import until
from tools.calls import MASK, PROBE_CALLER, CallRecord, CallStatus, ToolRef
from tools.errors import HistoryError


class ShownCalls:
    """Take down which calls are shown."""

    def __init__(self) -> None:
        self.shown: list[str] = []

    async def show(self, record: CallRecord) -> None:
        self.shown.append(record.id)

    def clear(self) -> None:
        self.shown.append("")


class Table:
    """What both kinds of lists have in common for a test."""

    def __init__(self, history: FakeHistory, scope: TaskScope) -> None:
        self.history = history
        self.model = HistoryModel(clock)
        self.actions = CallActions(history, scope)
        self.opened = QSignalSpy(self.actions.opened)
        self.rerun = QSignalSpy(self.actions.rerun)
        self.compared = QSignalSpy(self.actions.compared)
        self.asked = QSignalSpy(self.actions.deletion_asked)
        self.noticed = QSignalSpy(self.actions.noticed)

    @property
    def ids(self) -> list[str]:
        return [row.id for row in self.model.rows]

    until = staticmethod(until)

    def notices(self) -> list[str]:
        return [self.noticed.at(place)[0] for place in range(self.noticed.count())]


class Page(Table):
    """The page, as somebody looks at it."""

    def __init__(self, qtbot: QtBot, history: FakeHistory, scope: TaskScope) -> None:
        super().__init__(history, scope)
        self.qtbot = qtbot
        self.call = ShownCalls()
        self.view = HistoryView(self.model, QLabel("what came of it"), QLabel("how it ended"))
        self.presenter = HistoryPresenter(
            self.model, self.view, history, self.call, self.actions, scope=scope, knows=self.knows, clock=clock
        )
        qtbot.addWidget(self.view)
        self.view.resize(1340, 800)

    def knows(self, tool: str) -> bool:
        return tool != "gone"

    def named(self, name: str) -> Any:
        return next(widget for widget in self.view.findChildren(QWidget) if widget.accessibleName() == name)

    def words(self) -> list[str]:
        labels = self.view.findChildren(QLabel)
        return [label.text() for label in labels if label.isVisible()]

    def button(self, text: str) -> QAbstractButton:
        return next(found for found in self.view.findChildren(QAbstractButton) if found.text() == text)


@asynccontextmanager
async def looking_at(qtbot: QtBot, history: FakeHistory, rows: int) -> AsyncIterator[Page]:
    scope = TaskScope("page")
    page = Page(qtbot, history, scope)
    page.view.show()
    page.view.activateWindow()
    try:
        await page.until(lambda: len(page.ids) == rows and not scope.busy)
        yield page
    finally:
        page.presenter.close()
        await scope.close()


class Tab(Table):
    """A tool's tab, as somebody looks at it."""

    def __init__(self, qtbot: QtBot, history: FakeHistory, scope: TaskScope) -> None:
        super().__init__(history, scope)
        self.view = ToolHistoryView("search_files", self.model)
        self.presenter = ToolHistoryPresenter(self.model, self.view, history, self.actions, scope=scope)
        self.counts = QSignalSpy(self.presenter.count_changed)
        self.all_requested = QSignalSpy(self.presenter.all_requested)
        qtbot.addWidget(self.view)
        self.view.resize(1000, 400)


@asynccontextmanager
async def looking_at_tab(qtbot: QtBot, history: FakeHistory, rows: int) -> AsyncIterator[Tab]:
    scope = TaskScope("tab")
    tab = Tab(qtbot, history, scope)
    tab.view.show()
    try:
        await tab.until(lambda: len(tab.ids) == rows and not scope.busy)
        yield tab
    finally:
        tab.presenter.close()
        await scope.close()


def kept(count: int, **facts: Any) -> FakeHistory:
    numbers = range(count, 0, -1)
    return FakeHistory([row(number, **facts) for number in numbers], [record(number) for number in numbers])


@contextmanager
def menu_of(view: QWidget) -> Iterator[dict[str, QAction]]:
    """Open the menu of a list and give its entries by their keys."""
    table = view.table  # type: ignore[attr-defined]
    table.menu_requested.emit(table.mapToGlobal(table.rect().center()), table.currentIndex())
    menu = view._menu  # type: ignore[attr-defined]
    try:
        yield {action.data(): action for action in menu.actions() if action.data()}
    finally:
        menu.close()


async def test_decisions_are_whole_or_left_out_where_there_is_no_room_for_them(qtbot: QtBot) -> None:
    async with looking_at(qtbot, kept(3), 3) as page:
        detail = page.view.detail
        line = DecisionLine("success", "Allowed by you", ("Asked once",), ())
        detail.show_sheet(CallSheet("search_files", "", {"a": 1}, None, "", (line,), can_open=True))
        panel = detail.arguments
        await page.until(panel.decisions.isVisible)
        panel.resize(panel.width(), 70)
        assert not panel.decisions.isVisible()
        panel.resize(panel.width(), 300)
        assert panel.decisions.isVisible()


async def test_what_came_of_a_call_stands_below_the_buttons_and_has_the_whole_width(
    qtbot: QtBot,
) -> None:
    async with looking_at(qtbot, kept(3), 3) as page:
        await page.until(lambda: "how it ended" in page.words())
        facts = next(label for label in page.view.findChildren(QLabel) if label.text() == "how it ended")
        run = page.named("Run again")
        assert facts.mapTo(page.view, QPoint()).y() >= run.mapTo(page.view, QPoint(0, run.height())).y()


async def test_a_call_that_was_asked_for_is_shown_before_and_behind_the_list(qtbot: QtBot) -> None:
    history = kept(3)
    history.gate = asyncio.Event()
    scope = TaskScope("page")
    page = Page(qtbot, history, scope)
    page.view.show()
    for record_id in ("run-2", "run-99"):
        history.records[record_id] = record(int(record_id[4:]))
        page.presenter.show_call(record_id)
        await page.until(lambda: page.call.shown and page.call.shown[-1] == record_id)  # noqa: B023
        history.gate.set()
        await page.until(lambda: page.ids and not scope.busy)
        assert page.call.shown[-1] == record_id
    page.view.table.choose("run-3")
    await page.until(lambda: page.call.shown[-1] == "run-3")
    page.presenter.close()
    await scope.close()


async def test_the_newest_call_is_chosen_and_shown_beside_the_list(qtbot: QtBot) -> None:
    async with looking_at(qtbot, kept(3), 3) as page:
        assert page.ids == ["run-3", "run-2", "run-1"]
        await page.until(lambda: page.call.shown == ["run-3"])
        assert "3 calls" in page.words()
        tree = page.named("Arguments of the call")
        assert tree.isVisible()
        qtbot.keyClick(page.view.table, Qt.Key.Key_Down)
        await page.until(lambda: page.call.shown == ["run-3", "run-2"])


async def test_a_page_that_nobody_has_seen_asks_nothing(qtbot: QtBot) -> None:
    scope = TaskScope("page")
    page = Page(qtbot, kept(3), scope)
    page.presenter.follow({"run-3"}, forgotten=False)
    await asyncio.sleep(0)
    assert page.history.queries == []
    page.presenter.close()
    await scope.close()


async def test_without_calls_the_page_says_what_will_be_there(qtbot: QtBot) -> None:
    async with looking_at(qtbot, FakeHistory(), 0) as page:
        assert "No calls yet" in page.words()
        assert not page.view.detail.isVisible()
        assert not page.button("Export…").isEnabled()


async def test_words_filters_and_the_way_back_to_all(qtbot: QtBot) -> None:
    rows = [
        row(4, caller="agent:claude"),
        row(3, tool="read_file", status=CallStatus.FAILED, summary="no such file"),
        row(2, tool="read_file"),
        row(1, status=CallStatus.ABORTED),
    ]

    async with looking_at(qtbot, FakeHistory(rows, [record(number) for number in range(1, 5)]), 4) as page:
        qtbot.keyClick(page.view, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
        search = page.named("Search the history")
        assert search.hasFocus()
        qtbot.keyClicks(search, "no such")
        await page.until(lambda: page.ids == ["run-3"])
        search.clear()
        qtbot.mouseClick(page.named("Only aborted"), Qt.MouseButton.LeftButton)
        await page.until(lambda: page.ids == ["run-1"])
        qtbot.mouseClick(page.named("Only failed"), Qt.MouseButton.LeftButton)
        await page.until(lambda: page.ids == ["run-3", "run-1"])
        tool = page.named("Tool filter")
        await page.until(lambda: tool.findData("read_file") > 0)
        tool.setCurrentIndex(tool.findData("read_file"))
        await page.until(lambda: page.ids == ["run-3"])
        caller = page.named("Caller filter")
        caller.setCurrentIndex(caller.findData("agent:claude"))
        await page.until(lambda: page.ids == [])
        assert "No call matches" in page.words()
        qtbot.mouseClick(page.view._nothing.button, Qt.MouseButton.LeftButton)
        await page.until(lambda: len(page.ids) == 4)
        assert not page.button("Clear filters").isVisible()


async def test_probes_are_listed_only_when_they_are_chosen_as_the_caller(qtbot: QtBot) -> None:
    history = kept(3)
    history.rows.insert(1, row(9, caller=PROBE_CALLER))

    async with looking_at(qtbot, history, 3) as page:
        assert page.ids == ["run-3", "run-2", "run-1"]
        caller = page.named("Caller filter")
        await page.until(lambda: caller.findData(PROBE_CALLER) > 0)
        caller.setCurrentIndex(caller.findData(PROBE_CALLER))
        await page.until(lambda: page.ids == ["run-9"])


async def test_only_the_last_word_typed_is_asked_for(qtbot: QtBot) -> None:
    async with looking_at(qtbot, kept(3), 3) as page:
        page.history.gate = asyncio.Event()
        before = len(page.history.queries)
        for words in ("w", "wo", "wor", "word 2"):
            page.view.filters_bar.search.setText(words)
        await page.until(lambda: len(page.history.queries) > before)
        page.history.gate.set()
        await page.until(lambda: page.ids == ["run-2"])
        asked = [query.text for query in page.history.queries[before:]]
        assert asked in (["w", "word 2"], ["word 2"])


async def test_days_are_typed_and_what_is_no_day_is_marked(qtbot: QtBot) -> None:
    async with looking_at(qtbot, kept(2), 2) as page:
        bar = page.view.filters_bar
        bar.span.select(list(TimeRange).index(TimeRange.CUSTOM))
        assert bar.since.isVisible()
        qtbot.keyClicks(bar.since, "2026-11-2")
        assert bar.since.property("error")
        qtbot.keyClicks(bar.since, "3")
        assert not bar.since.property("error")
        await page.until(lambda: page.ids == [])
        bar.since.clear()
        bar.until.setText(NOW.astimezone().date().isoformat())
        await page.until(lambda: len(page.ids) == 2)


async def test_the_list_grows_page_by_page_while_somebody_scrolls(qtbot: QtBot) -> None:
    async with looking_at(qtbot, kept(250), 100) as page:
        page.view.table.scrollToBottom()
        await page.until(lambda: len(page.ids) == 200)
        page.view.table.scrollToBottom()
        await page.until(lambda: len(page.ids) == 250)
        assert page.ids[-1] == "run-1"
        assert len(page.history.queries) == 3


async def test_what_happens_meanwhile_comes_in_without_a_reset(qtbot: QtBot) -> None:
    history = kept(3)
    history.rows[0] = row(3, status=CallStatus.EXECUTING)
    async with looking_at(qtbot, history, 3) as page:
        resets = QSignalSpy(page.model.modelReset)
        page.view.table.choose("run-2")
        await page.until(lambda: page.call.shown[-1] == "run-2")
        history.rows[:1] = [row(4), row(3)]
        page.presenter.follow({"run-3", "run-4"}, forgotten=False)
        await page.until(lambda: page.ids[0] == "run-4")
        assert page.model.rows[1].status is CallStatus.EXECUTED
        assert resets.count() == 0
        assert page.view.table.chosen_keys == ["run-2"]
        assert "4 calls" in page.words()


async def test_the_chosen_call_is_shown_anew_when_it_ends(qtbot: QtBot) -> None:
    async with looking_at(qtbot, kept(1), 1) as page:
        await page.until(lambda: page.call.shown == ["run-1"])
        page.presenter.follow({"run-1"}, forgotten=False)
        await page.until(lambda: page.call.shown == ["run-1", "run-1"])


async def test_decisions_edits_and_why_arguments_are_missing_are_told(qtbot: QtBot) -> None:
    history = FakeHistory(
        [row(2, edited=True), row(1)],
        [
            record(
                2,
                arguments={"path": "exports"},
                edited_arguments={"path": "exports/2023"},
                decisions=(decision(),),
            ),
            record(1, arguments=None, hidden="The tool is sensitive: its arguments and results are not kept."),
        ],
    )

    async with looking_at(qtbot, history, 2) as page:
        await page.until(lambda: page.call.shown == ["run-2"])
        assert "Allowed with changes by you after 12.00 s" in page.words()
        assert 'path: "exports" → "exports/2023"' in page.words()
        panel = page.view.detail.arguments
        root = panel.tree.json_model.index(0, 0)
        assert panel.sides.isVisible()
        panel.sides.select(1)
        assert panel.tree.json_model.index(0, 0, root).isValid()
        page.view.table.choose("run-1")
        await page.until(lambda: page.call.shown[-1] == "run-1")
        assert "The tool is sensitive: its arguments and results are not kept." in page.words()
        assert not panel.sides.isVisible()
        assert not panel.decisions.isVisible()


async def test_a_call_of_a_tool_that_is_gone_can_be_looked_at_but_not_run(qtbot: QtBot) -> None:
    history = FakeHistory([row(1, tool="gone")], [record(1, tool=ToolRef("gone"))])
    async with looking_at(qtbot, history, 1) as page:
        await page.until(lambda: page.call.shown == ["run-1"])
        assert not page.named("Run again").isEnabled()
        assert page.named("Run again").toolTip() == "The tool is gone"


async def test_a_call_that_left_meanwhile_is_said_to_be_gone(qtbot: QtBot) -> None:
    history = FakeHistory([row(1)])
    async with looking_at(qtbot, history, 1) as page:
        await page.until(lambda: "This call is gone" in page.words())


async def test_enter_opens_and_ctrl_r_runs_again(qtbot: QtBot) -> None:
    async with looking_at(qtbot, kept(2), 2) as page:
        qtbot.keyClick(page.view.table, Qt.Key.Key_Return)
        await page.until(page.opened.count)
        assert page.opened.at(0)[0].id == "run-2"
        qtbot.keyClick(page.view.table, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
        await page.until(page.rerun.count)
        assert page.rerun.at(0)[0].id == "run-2"


@pytest.mark.parametrize("how", ["click", "key"])
async def test_two_chosen_calls_are_compared_the_older_one_first(qtbot: QtBot, how: str) -> None:
    async with looking_at(qtbot, kept(3), 3) as page:
        button = page.view.filters_bar.compare
        assert not button.isVisible()
        qtbot.keyClick(page.view.table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
        assert page.view.table.chosen_keys == ["run-3", "run-2"]
        if how == "click":
            qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        else:
            qtbot.keyClick(page.view, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
        await page.until(page.compared.count)
        assert [side.id for side in page.compared.at(0)] == ["run-2", "run-3"]


async def test_the_second_call_of_a_comparison_can_be_picked(qtbot: QtBot) -> None:
    async with looking_at(qtbot, kept(3), 3) as page:
        with menu_of(page.view) as menu:
            menu["compare"].trigger()
        assert any(words.startswith("Choose the call to compare with search_files") for words in _shown(page.view))
        qtbot.keyClick(page.view, Qt.Key.Key_Escape)
        assert not page.view._pick_bar.isVisible()
        with menu_of(page.view) as menu:
            menu["compare"].trigger()
        page.view.table.choose("run-1")
        await page.until(page.compared.count)
        assert [side.id for side in page.compared.at(0)] == ["run-1", "run-3"]
        await page.until(lambda: not page.view._pick_bar.isVisible())


def _shown(view: QWidget) -> list[str]:
    return [widget.accessibleName() for widget in view.findChildren(QWidget) if widget.isVisible()]


async def test_deleting_asks_first_and_takes_the_call_out(qtbot: QtBot) -> None:
    async with looking_at(qtbot, kept(3), 3) as page:
        await page.until(lambda: page.call.shown == ["run-3"])
        qtbot.keyClick(page.view.table, Qt.Key.Key_Delete)
        ids, text = page.asked.at(0)
        assert ids == ["run-3"]
        assert "cannot be undone" in text
        assert page.history.forgotten == []
        page.actions.delete(ids)
        await page.until(lambda: page.ids == ["run-2", "run-1"])
        assert page.notices() == ["Deleted 1 call"]
        await page.until(lambda: page.call.shown[-1] == "run-2")


async def test_calls_are_copied_as_json_and_as_a_command(qtbot: QtBot) -> None:
    async with looking_at(qtbot, kept(2), 2) as page:
        with menu_of(page.view) as menu:
            menu["command"].trigger()
        await page.until(lambda: page.noticed.count() == 1)
        expected = """tool-console call search_files --json '{"pattern": "word 2", "limit": 5}'"""
        assert QGuiApplication.clipboard().text() == expected
        page.view.table.selectAll()
        with menu_of(page.view) as menu:
            assert "command" not in menu
            menu["json"].trigger()
        await page.until(lambda: page.noticed.count() == 2)
        documents = json.loads(QGuiApplication.clipboard().text())
        assert [document["id"] for document in documents] == ["run-2", "run-1"]
        assert documents[0]["result"] == {"matches": [2]}


async def test_the_list_is_exported_and_what_fails_is_said(qtbot: QtBot, tmp_path: Path) -> None:
    async with looking_at(qtbot, kept(2), 2) as page:
        qtbot.mouseClick(page.button("Export…"), Qt.MouseButton.LeftButton)
        (dialog,) = page.view.findChildren(QFileDialog)
        dialog.fileSelected.emit(str(tmp_path / "calls.jsonl"))
        dialog.close()
        await page.until(lambda: page.noticed.count() == 1)
        lines = (tmp_path / "calls.jsonl").read_text("utf-8").splitlines()
        assert [json.loads(line)["id"] for line in lines] == ["run-2", "run-1"]
        page.view.export_chosen.emit(["run-1"], str(tmp_path / "one.csv"))
        await page.until(lambda: page.noticed.count() == 2)
        with (tmp_path / "one.csv").open(encoding="utf-8", newline="") as file:
            assert [line["id"] for line in csv.DictReader(file)] == ["run-1"]
        nowhere = tmp_path / "no" / "folder.jsonl"
        page.view.export_chosen.emit(["run-1"], str(nowhere))
        await page.until(lambda: page.noticed.count() == 3)
        assert page.notices() == [
            f"Wrote 2 calls to {tmp_path / 'calls.jsonl'}",
            f"Wrote 1 call to {tmp_path / 'one.csv'}",
            f"{nowhere} cannot be written (No such file or directory); choose another place",
        ]


async def test_a_history_that_cannot_keep_or_be_read_says_so(qtbot: QtBot) -> None:
    history = kept(1)
    history.problem = "the disk of /data is full; free some space, and recording goes on by itself"
    async with looking_at(qtbot, history, 1) as page:
        assert any("disk of /data is full" in words for words in page.words())
        history.problem = ""
        page.presenter.show_problem()
        assert not page.view.banner.isVisible()
        history.error = HistoryError("history.sqlite is damaged", "the history cannot be read")
        page.view.filters_bar.search.setText("x")
        await page.until(page.view.banner.isVisible)
        assert {"The history cannot be read.", "history.sqlite is damaged."} <= set(page.words())


async def test_a_narrow_page_puts_the_call_under_the_list(qtbot: QtBot) -> None:
    async with looking_at(qtbot, kept(2), 2) as page:
        beside = page.view.detail.mapTo(page.view, page.view.detail.rect().topLeft()).x()
        assert beside > 400
        page.view.resize(900, 800)
        assert page.view.detail.mapTo(page.view, page.view.detail.rect().topLeft()).x() == 0
        assert page.view.table.isVisible()


async def test_a_tab_lists_its_tool_counts_and_searches(qtbot: QtBot) -> None:
    history = kept(3)
    history.rows[:0] = row(9, tool="read_file"), row(8, caller=PROBE_CALLER)
    async with looking_at_tab(qtbot, history, 3) as tab:
        assert tab.ids == ["run-3", "run-2", "run-1"]
        assert tab.counts.at(tab.counts.count() - 1) == ["3"]
        tab.view.search.setText("word 2")
        await tab.until(lambda: tab.ids == ["run-2"])
        tab.view.search.setText("nothing like it")
        await tab.until(lambda: tab.ids == [])
        assert tab.counts.at(tab.counts.count() - 1) == ["3"]
        tab.view.all.click()
        assert tab.all_requested.at(0) == ["search_files"]


async def test_what_can_be_done_with_chosen_calls_of_a_tab(qtbot: QtBot) -> None:
    async with looking_at_tab(qtbot, kept(3), 3) as tab:
        view = tab.view
        assert not view.open.isEnabled()
        view.table.selectRow(1)
        assert (view.open.isEnabled(), view.run.isEnabled(), view.compare.isEnabled()) == (True, True, False)
        view.open.click()
        view.run.click()
        await tab.until(tab.rerun.count)
        assert (tab.opened.at(0)[0].id, tab.rerun.at(0)[0].id) == ("run-2", "run-2")
        qtbot.keyClick(view.table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
        assert (view.open.isEnabled(), view.compare.isEnabled()) == (False, True)
        view.compare.click()
        await tab.until(tab.compared.count)
        with menu_of(view) as menu:
            assert sorted(menu) == ["batch", "compare", "delete", "export", "json"]
            menu["delete"].trigger()
        assert tab.asked.at(0)[0] == ["run-2", "run-1"]


async def test_a_tab_behind_another_page_waits_until_it_is_in_front(qtbot: QtBot) -> None:
    history = kept(1)
    async with looking_at_tab(qtbot, history, 1) as tab:
        asked = len(history.queries)
        history.rows.insert(0, row(2))
        tab.presenter.follow({"run-2"}, at_once=False)
        assert len(history.queries) == asked
        tab.presenter.catch_up()
        await tab.until(lambda: tab.ids == ["run-2", "run-1"])
        history.rows.insert(0, row(3))
        tab.presenter.follow({"run-3"}, at_once=True)
        await tab.until(lambda: tab.ids == ["run-3", "run-2", "run-1"])


@pytest.mark.parametrize(
    ("arguments", "kept_arguments", "missing"),
    [
        ('{"a": 1, "key": "%s"}', {"a": 1}, ("key",)),
        ('{"auth": {"user": "u", "token": "%s"}}', {"auth": {"user": "u"}}, ("auth.token",)),
        ('{"keys": ["x", "%s"], "b": [1]}', {"b": [1]}, ("keys",)),
        ('{"url": "https://mira:%s@example.org/?page=2", "b": 1}', {"b": 1}, ("url",)),
        ('{"a": 1}', {"a": 1}, ()),
    ],
)
def test_hidden_arguments_are_asked_for_again(
    arguments: str, kept_arguments: dict[str, Any], missing: tuple[str, ...]
) -> None:
    past = record(1, arguments=json.loads(arguments.replace("%s", MASK)))

    assert given_again(past) == (kept_arguments, missing)
    assert MASK not in command_of(past)


def test_arguments_that_are_not_kept_are_no_arguments() -> None:
    assert given_again(record(1, arguments=None)) == ({}, ())


def test_what_ran_is_run_again_not_what_was_proposed() -> None:
    past = record(1, arguments={"path": "a"}, edited_arguments={"path": "b"})

    assert given_again(past).arguments == {"path": "b"}
