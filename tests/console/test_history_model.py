"""The list of past calls: pages, changes, words."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from PySide6.QtCore import QModelIndex, Qt
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from console.call_table import CallColumn
from console.history.model import HistoryModel
from console.history.rows import (
    Filters,
    TimeRange,
    count_words,
    decision_lines,
    duration_words,
    since_of,
    status_words,
    subtitle_of,
)
from tests.console.past import NOW, clock, decision, record, row
from tools.calls import CallStatus


@pytest.fixture
def model(qtmodeltester: ModelTester) -> HistoryModel:
    model = HistoryModel(clock)
    qtmodeltester.check(model)
    return model


def _texts(model: HistoryModel, column: CallColumn) -> list[Any]:
    return [model.index(place, column).data() for place in range(model.rowCount())]


def _ids(model: HistoryModel) -> list[str]:
    return [row.id for row in model.rows]


class Changes:
    """Count what a model tells its views."""

    def __init__(self, model: HistoryModel) -> None:
        self.resets = 0
        self.inserted: list[tuple[int, int]] = []
        self.removed: list[tuple[int, int]] = []
        self.changed: list[tuple[int, int]] = []
        model.modelReset.connect(self._on_reset)
        model.rowsInserted.connect(self._on_inserted)
        model.rowsRemoved.connect(self._on_removed)
        model.dataChanged.connect(self._on_changed)

    def _on_reset(self) -> None:
        self.resets += 1

    def _on_inserted(self, _parent: QModelIndex, first: int, last: int) -> None:
        self.inserted.append((first, last))

    def _on_removed(self, _parent: QModelIndex, first: int, last: int) -> None:
        self.removed.append((first, last))

    def _on_changed(self, first: QModelIndex, last: QModelIndex) -> None:
        self.changed.append((first.row(), last.row()))


def test_a_row_says_when_what_who_how_it_ended_and_how_long_it_took(model: HistoryModel) -> None:
    model.show_rows([row(1, proposed_at=NOW - timedelta(seconds=5), caller="agent:claude")], has_more=False)

    words = [model.index(0, column).data() for column in CallColumn]

    assert words[1:] == ["search_files", "agent: claude", 'pattern="word 1"', "Success", "38 ms"]
    assert words[0] == (NOW - timedelta(seconds=5)).astimezone().strftime("%H:%M:%S")
    assert [model.headerData(column, Qt.Orientation.Horizontal) for column in CallColumn][-2:] == ["Status", "Duration"]
    assert model.key_at(0) == "run-1"


def test_a_call_of_another_day_says_how_many_days_ago_and_at_what_time(model: HistoryModel) -> None:
    model.show_rows([row(1, proposed_at=NOW - timedelta(days=3))], has_more=False)

    words, tip = (model.index(0, CallColumn.TIME).data(role) for role in (0, Qt.ItemDataRole.ToolTipRole))

    assert words == f"3 days ago, {(NOW - timedelta(days=3)).astimezone():%H:%M}"
    assert tip.startswith("2026-11-19")


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"status": CallStatus.FAILED, "summary": "no such file"}, "Failed: no such file"),
        ({"from_cache": True}, "From cache"),
        ({"attempts": 2}, "Success after 1 retry"),
        ({"attempts": 4}, "Success after 3 retries"),
        ({"edited": True}, "Success, edited"),
        ({"status": CallStatus.ABORTED}, "Aborted"),
        ({"status": CallStatus.EXECUTING}, "Running"),
    ],
)
def test_the_status_says_how_a_call_ended(facts: dict[str, Any], words: str) -> None:
    assert status_words(row(1, **facts)) == words


def test_the_next_page_is_asked_for_once_and_follows(qtbot: QtBot) -> None:
    model = HistoryModel(clock)  # the tester of models would ask for it at once
    changes = Changes(model)
    model.show_rows([row(9), row(8)], has_more=True)
    with qtbot.waitSignal(model.more_wanted):
        model.fetchMore(QModelIndex())

    assert not model.canFetchMore(QModelIndex())
    model.append([row(8), row(7)], has_more=False)
    assert _ids(model) == ["run-9", "run-8", "run-7"]
    assert changes.inserted == [(2, 2)]
    assert not model.canFetchMore(QModelIndex())


def test_new_calls_come_on_top_and_changed_ones_change_where_they_stand(model: HistoryModel) -> None:
    model.show_rows([row(3, status=CallStatus.EXECUTING), row(2), row(1)], has_more=False)
    changes = Changes(model)

    follows = model.merge([row(5), row(4), row(3), row(2)])

    assert follows
    assert _ids(model) == ["run-5", "run-4", "run-3", "run-2", "run-1"]
    assert _texts(model, CallColumn.STATUS)[2] == "Success"
    assert (changes.resets, changes.inserted, changes.changed, changes.removed) == (0, [(0, 1)], [(2, 2)], [])


def test_calls_that_left_the_newest_ones_leave_the_list(model: HistoryModel) -> None:
    model.show_rows([row(5), row(4), row(3), row(2), row(1)], has_more=False)
    changes = Changes(model)

    assert model.merge([row(6), row(5), row(2)])

    assert _ids(model) == ["run-6", "run-5", "run-2", "run-1"]
    assert (changes.resets, changes.removed, changes.inserted) == (0, [(1, 2)], [(0, 0)])


def test_newest_calls_that_do_not_follow_are_not_taken_in(model: HistoryModel) -> None:
    model.show_rows([row(1)], has_more=False)

    assert not model.merge([row(300), row(299)])
    assert _ids(model) == ["run-1"]


def test_deleted_calls_are_taken_out_run_by_run(model: HistoryModel) -> None:
    model.show_rows([row(number) for number in (6, 5, 4, 3, 2, 1)], has_more=False)
    changes = Changes(model)

    model.remove({"run-6", "run-4", "run-3", "gone"})

    assert _ids(model) == ["run-5", "run-2", "run-1"]
    assert changes.removed == [(2, 3), (0, 0)]
    assert model.place_of("run-2") == 1
    assert model.place_of("run-4") == -1


def test_a_call_can_be_copied_as_one_line_of_a_table() -> None:
    words = (
        HistoryModel()
        .line_of(row(1, arguments_text='a="x\ty"', status=CallStatus.FAILED, summary="two\nlines"))
        .split("\t")
    )

    assert words[1:] == ["search_files", "you", 'a="x y"', "Failed: two lines", "38 ms"]


def test_a_past_call_names_the_model_that_asked() -> None:
    asked = record(1, caller="agent:mira", model="large-3")
    assert subtitle_of(asked, NOW).endswith("agent: mira · large-3 · version 1.0.0")
    assert "large-3" not in subtitle_of(record(1), NOW)


def test_how_far_back_a_list_goes() -> None:
    day = NOW - timedelta(days=40)

    assert since_of(Filters(span=TimeRange.HOUR), NOW) == NOW - timedelta(hours=1)
    assert since_of(Filters(span=TimeRange.WEEK), NOW) == NOW - timedelta(days=7)
    assert since_of(Filters(span=TimeRange.CUSTOM, since=day), NOW) == day
    assert since_of(Filters(since=day), NOW) is None
    today = since_of(Filters(span=TimeRange.TODAY), NOW)
    assert today is not None
    assert today.astimezone().strftime("%H:%M:%S") == "00:00:00"
    assert today.astimezone().date() == NOW.astimezone().date()


def test_how_many_calls_fit() -> None:
    assert count_words(1, exact=True) == "1 call"
    assert count_words(1204, exact=True) == "1,204 calls"
    assert count_words(1000, exact=False) == "more than 1,000 calls"


def test_a_decision_tells_by_whom_after_how_long_why_and_what_was_changed() -> None:
    (line,) = decision_lines(record(decisions=(decision(),)))

    assert line.headline == "Allowed with changes by you after 12.00 s"
    assert line.lines == (
        "Delete the folder tmp.",
        "Destructive: The tool deletes files and keeps no copy.",
        "“only the old ones”",
    )
    assert line.edits == ('path: "exports" → "exports/2023"',)


@pytest.mark.parametrize(
    ("facts", "headline"),
    [
        ({"answer": "continue", "by": "rule: reads", "revised": None}, "Allowed by rule: reads after 12.00 s"),
        ({"answer": "exit_early", "revised": None}, "Denied by you after 12.00 s"),
        ({"answer": "exit_early", "by": "", "timed_out": True, "revised": None}, "Denied by time limit after 12.00 s"),
        ({"answer": "", "by": "", "decided_at": None, "revised": None}, "Not answered: the program ended first"),
    ],
)
def test_a_decision_is_named(facts: dict[str, Any], headline: str) -> None:
    (line,) = decision_lines(record(decisions=(decision(**facts),)))

    assert line.headline == headline
    assert line.edits == ()


def test_a_row_tells_how_long_the_tool_took_and_apart_from_that_how_long_a_person_was_waited_for() -> None:
    waited = row(1, elapsed_s=36.1, review_s=34.0, edited=True, asked_text='pattern="a"')
    assert duration_words(waited) == "2.10 s"
    assert status_words(waited) == "Success, edited, 34 s waiting for you"
    assert HistoryModel().line_of(waited).split("\t")[3:] == [
        'pattern="word 1"',
        "Success, edited, 34 s waiting for you",
        "2.10 s",
    ]
    model = HistoryModel()
    model.show_rows([waited], has_more=False)
    tips = [
        model.index(0, column).data(Qt.ItemDataRole.ToolTipRole)
        for column in (CallColumn.ARGUMENTS, CallColumn.DURATION)
    ]
    assert tips == ['Ran with pattern="word 1"\nAsked for pattern="a"', "2.10 s, and 34 s waiting for you"]


def test_what_is_shorter_than_a_blink_is_no_waiting() -> None:
    assert status_words(row(1, elapsed_s=0.2, review_s=0.05)) == "Success"
