from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from console.activity.model import ActivityModel, Show
from console.activity.rows import ActivityRow, WrittenArguments, arguments_json, one_line, shown_arguments
from console.call_table import CallColumn
from console.widgets import StatusName

NOON = datetime(2026, 5, 12, 12, 0, 0, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


def call(number: int, status: StatusName = "success", **more: object) -> ActivityRow:
    elapsed_s = None if status in {"queued", "running", "waiting"} else 0.038
    row = ActivityRow(str(number), NOON, f"tool_{number}", "you", status=status, elapsed_s=elapsed_s)
    return row._replace(**more)  # type: ignore[arg-type]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def model(qtbot: QtBot, clock: Clock) -> Iterator[ActivityModel]:
    model = ActivityModel(clock, limit=10)
    # It warns when the model breaks a rule, and a warning fails the test.
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    yield model
    tester.deleteLater()
    model.deleteLater()


def listed(model: ActivityModel) -> list[str]:
    return [model.rows[row].call_id for row in range(model.rowCount())]


def shown(model: ActivityModel, row: int) -> list[str]:
    return [model.index(row, column).data() for column in CallColumn][CallColumn.TOOL :]


class Changes:
    def __init__(self, model: ActivityModel) -> None:
        self.told: list[str] = []
        model.modelReset.connect(self._on_reset)
        model.rowsInserted.connect(self._on_inserted)
        model.rowsRemoved.connect(self._on_removed)
        model.dataChanged.connect(self._on_changed)

    def _on_reset(self) -> None:
        self.told.append("reset")

    def _on_inserted(self, parent: QModelIndex, first: int, last: int) -> None:
        self.told.append(f"inserted {first}-{last}")

    def _on_removed(self, parent: QModelIndex, first: int, last: int) -> None:
        self.told.append(f"removed {first}-{last}")

    def _on_changed(self, first: QModelIndex, last: QModelIndex) -> None:
        self.told.append(f"changed {first.row()}-{last.row()} from column {first.column()}")


def test_the_newest_call_stands_first(model: ActivityModel) -> None:
    model.upsert([call(1), call(2)])
    changes = Changes(model)
    model.upsert([call(3), call(4)])

    assert listed(model) == ["4", "3", "2", "1"]
    assert changes.told == ["inserted 0-1"]


def test_a_known_call_is_changed_where_it_stands(model: ActivityModel) -> None:
    model.upsert([call(1, "running"), call(2)])
    changes = Changes(model)
    model.upsert([call(1, "failed", reason="no such file", elapsed_s=2.694)])

    assert changes.told == ["changed 1-1 from column 0"]
    assert shown(model, 1) == ["tool_1", "you", "", "Failed: no such file", "2.69 s"]


def test_the_oldest_leave_beyond_the_bound(model: ActivityModel) -> None:
    model.upsert([call(number, "running") for number in range(8)])
    model.upsert([call(number) for number in range(8, 13)])

    assert listed(model) == [str(number) for number in range(12, 2, -1)]
    assert (model.total, model.running) == (10, 5)

    model.upsert([call(number) for number in range(100, 150)])
    assert listed(model) == [str(number) for number in range(149, 139, -1)]
    assert not model.live


def test_each_status_has_its_words(model: ActivityModel) -> None:
    statuses: list[StatusName] = ["success", "cached", "denied", "cancelled", "timed_out", "rejected", "aborted"]
    model.upsert([call(number, status) for number, status in enumerate(statuses)])
    model.upsert([call(7, "queued"), call(8, "running"), call(9, "waiting")])

    assert [model.index(row, CallColumn.STATUS).data() for row in reversed(range(10))] == [
        "Success",
        "From cache",
        "Denied",
        "Cancelled",
        "Timed out",
        "Rejected",
        "Aborted",
        "Queued",
        "Running",
        "Waiting for approval",
    ]


def test_what_runs_and_what_waits_follow_the_clock(model: ActivityModel, clock: Clock) -> None:
    model.upsert([call(1, "running"), call(2), call(3, "waiting", expires_at=NOON + timedelta(seconds=300))])
    changes = Changes(model)

    clock.now = NOON + timedelta(seconds=28)
    model.tick()
    assert changes.told == ["changed 0-0 from column 5", "changed 2-2 from column 5"]
    assert [model.index(row, CallColumn.DURATION).data() for row in range(3)] == ["4:32 left", "38 ms", "28.0 s"]

    clock.now = NOON + timedelta(seconds=102)
    assert model.index(2, CallColumn.DURATION).data() == "1:42"


def test_neighbours_that_run_are_told_together(model: ActivityModel) -> None:
    model.upsert([call(number, "running") for number in range(6)])
    changes = Changes(model)
    model.tick()

    assert changes.told == ["changed 0-5 from column 5"]


def test_a_question_without_end_shows_how_long_it_waits(model: ActivityModel, clock: Clock) -> None:
    model.upsert([call(1, "waiting"), call(2, "queued")])
    clock.now = NOON + timedelta(seconds=5)

    assert [model.index(row, CallColumn.DURATION).data() for row in range(2)] == ["", "5.0 s"]


@pytest.mark.parametrize(
    ("show", "expected"),
    [("all", ["5", "4", "3", "2", "1"]), ("running", ["2"]), ("failed", ["4", "3"]), ("waiting", ["5"])],
)
def test_calls_of_one_kind(model: ActivityModel, show: Show, expected: list[str]) -> None:
    model.upsert([call(1), call(2, "running"), call(3, "failed"), call(4, "timed_out"), call(5, "waiting")])
    model.set_show(show)

    assert listed(model) == expected


def test_a_call_leaves_and_enters_what_is_listed(model: ActivityModel) -> None:
    model.set_show("running")
    model.upsert([call(1, "running"), call(2, "queued"), call(3), call(4, "running")])
    assert listed(model) == ["4", "2", "1"]

    model.upsert([call(2, "failed"), call(5)])
    assert listed(model) == ["4", "1"]
    model.upsert([call(3, "running")])
    assert listed(model) == ["4", "3", "1"]
    model.set_show("all")
    assert listed(model) == ["5", "4", "3", "2", "1"]


def test_words_narrow_the_list(model: ActivityModel) -> None:
    model.upsert(
        [
            call(1, given=WrittenArguments('path="src"')),
            call(2, caller="agent:claude"),
            call(3, "failed", reason="Disk full"),
        ]
    )

    model.set_filter("AGENT tool")
    assert listed(model) == ["2"]
    model.set_filter("src")
    assert listed(model) == ["1"]
    model.set_filter("disk")
    assert listed(model) == ["3"]
    model.set_filter("")
    assert listed(model) == ["3", "2", "1"]


def test_new_calls_wait_while_the_list_is_held(qtbot: QtBot, model: ActivityModel) -> None:
    model.upsert([call(1), call(2, "running")])
    model.set_held(held=True)
    waiting: list[int] = []
    model.held_changed.connect(waiting.append)

    model.upsert([call(3), call(4, "running")])
    model.upsert([call(5), call(2)])
    assert listed(model) == ["2", "1"]
    model.upsert([call(4)])
    assert listed(model) == ["2", "1"]
    model.set_filter("tool")
    assert listed(model) == ["2", "1"]

    model.set_held(held=False)
    assert listed(model) == ["5", "4", "3", "2", "1"]
    assert waiting == [2, 3, 0]


def test_the_time_is_told_in_full_in_the_tooltip(model: ActivityModel) -> None:
    model.upsert([call(1, "timed_out", reason="no answer within 5 s")])

    assert model.index(0, CallColumn.TIME).data(Qt.ItemDataRole.ToolTipRole).startswith("2026-05-12 ")
    assert model.index(0, CallColumn.STATUS).data(Qt.ItemDataRole.ToolTipRole) == "Timed out: no answer within 5 s"
    assert model.index(0, CallColumn.TOOL).data(Qt.ItemDataRole.ToolTipRole) == "tool_1"
    assert [model.headerData(column, Qt.Orientation.Horizontal) for column in CallColumn] == [
        "Time",
        "Tool",
        "Caller",
        "Arguments",
        "Status",
        "Duration",
    ]


def test_a_row_as_text_has_one_tab_between_columns(model: ActivityModel) -> None:
    row = call(1, given=WrittenArguments('a="x\ty"'))
    model.upsert([row])

    assert model.line_of(row).count("\t") == 5
    assert model.line_of(row).endswith('tool_1\tyou\ta="x y"\tSuccess\t38 ms')


_STATUSES: tuple[StatusName, ...] = ("queued", "running", "waiting", "success", "failed")
_STEPS = st.lists(
    st.tuples(
        st.lists(st.tuples(st.integers(0, 14), st.sampled_from(_STATUSES)), max_size=6),
        st.sampled_from(("all", "running", "failed", "waiting")),
        st.booleans(),
    ),
    max_size=8,
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(_STEPS)
def test_the_list_is_what_a_fresh_one_would_be(
    clock: Clock, steps: list[tuple[list[tuple[int, StatusName]], Show, bool]]
) -> None:
    model = ActivityModel(clock, limit=8)
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    there: dict[str, ActivityRow] = {}
    show: Show = "all"
    for calls, show, held in steps:
        model.set_show(show)
        model.set_held(held=held)
        rows = {row.call_id: row for row in (call(number, status) for number, status in calls)}
        model.upsert(list(rows.values()))
        there |= rows
        there = dict(list(there.items())[-8:])
    model.set_held(held=False)

    fresh = ActivityModel(clock, limit=8)
    fresh.set_show(show)
    fresh.upsert(list(there.values()))
    assert listed(model) == listed(fresh)
    assert (model.total, model.running, model.live) == (fresh.total, fresh.running, fresh.live)
    for made in (tester, model, fresh):
        made.deleteLater()


def test_arguments_as_one_line() -> None:
    assert one_line({"path": "src", "limit": 5, "deep": True, "none": None}) == 'path="src" limit=5 deep=true none=null'
    assert (
        one_line({"include": ["*.py", "*.md"], "around": {"before": 2}})
        == 'include=["*.py", "*.md"] around={before: 2}'
    )
    assert one_line({"rows": [{"a": 1}], "one": {"a": [1]}, "many": list(range(1_204))}) == (
        "rows=[1 item] one={1 key} many=[1,204 items]"
    )
    assert one_line({"text": "line\nline “ü”"}) == 'text="line\\nline “ü”"'
    assert one_line({}) == ""


def test_long_arguments_are_cut_and_say_so() -> None:
    assert one_line({"text": "x" * 50_000_000}) == 'text="' + "x" * 120 + '…"'
    line = one_line({f"argument_{number}": "y" * 100 for number in range(100)})
    assert len(line) == 401
    assert line.endswith("…")


def test_arguments_are_shown_as_they_were_whenever_they_are_read() -> None:
    values: dict[str, Any] = {"path": "src", "limit": 5, "kinds": ["py"]}
    properties = {"limit": {"default": 5}, "path": {"default": "."}}
    few, many = shown_arguments({"path": "src", "limit": 5}, properties), shown_arguments(values, properties)
    values["kinds"].append("md")

    for _ in range(2):
        assert few.line == 'path="src"'
        assert few.json == '{"path": "src", "limit": 5}'
    assert many.line == 'path="src" kinds=["py"]'
    assert many.json == '{"path": "src", "limit": 5, "kinds": ["py"]}'
    assert shown_arguments({"a": 1}, None).line == "a=1"


def test_what_is_large_is_not_kept_with_a_row() -> None:
    large: dict[str, Any] = {"text": "x" * 1_000_000}
    shown = shown_arguments(large, {})

    assert shown == WrittenArguments('text="' + "x" * 120 + '…"', "")
    assert shown_arguments({"number": 1 << 64}, {}) == WrittenArguments(f"number={1 << 64}", f'{{"number": {1 << 64}}}')


def test_arguments_too_long_to_keep_are_not_kept() -> None:
    assert arguments_json({"a": "ü"}) == '{"a": "ü"}'
    assert arguments_json({"a": "x" * 100_000}) == ""


def test_calls_from_before_the_start_stand_under_those_since(model: ActivityModel) -> None:
    model.upsert([call(1), call(2, "running")])

    model.restore([call(-2), call(-1, "failed", reason="no such file"), call(1)])

    assert listed(model) == ["2", "1", "-1", "-2"]
    model.upsert([call(2), call(3)])
    assert listed(model) == ["3", "2", "1", "-1", "-2"]
    model.set_show("failed")
    assert listed(model) == ["-1"]


def test_calls_from_before_leave_first_when_there_are_too_many(model: ActivityModel) -> None:
    model.upsert([call(number) for number in range(1, 9)])

    model.restore([call(-number) for number in range(12, 0, -1)])
    model.upsert([call(9)])

    assert listed(model) == ["9", "8", "7", "6", "5", "4", "3", "2", "1", "-1"]
