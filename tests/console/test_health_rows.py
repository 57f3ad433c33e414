"""The words and the order of the Health page, and its tables as Qt sees them."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPersistentModelIndex, Qt
from pytestqt.modeltest import ModelTester

from console.health.model import LINE_ROLE, HealthModel, TileModel
from console.health.presenter import csv_of
from console.health.rows import (
    STATUSES,
    HealthColumn,
    HealthRemedy,
    HealthRemedyKey,
    HealthRow,
    StatusCounts,
    counts_of,
    headline_of,
    share_words,
    words_of,
    worst_first,
)
from console.health.snapshot import HealthInputs, HealthRequest, row_of, source_words, span_words, survey
from console.widgets import RowOrder
from tests.console.health_rows import DOWN, HELD, IDLE, NOW, ROWS, SLOW, UP, up
from tools import resolve_tools, tool, toolkit
from tools.calls import Attempt, CallStatus, ErrorKind, GuardKind, GuardState, ToolCall, record_of
from tools.card import SourceKind, ToolCard, ToolSource
from tools.health import (
    SPANS,
    Check,
    CheckOutcome,
    Health,
    HealthLimits,
    HealthSeries,
    HealthStatus,
    ProbeSummary,
    ToolHealthIndicator,
)
from tools.metrics import ToolStats


def names(rows: list[HealthRow]) -> list[str]:
    return [row.tool for row in rows]


def test_the_worst_comes_first() -> None:
    assert names(sorted(ROWS, key=worst_first)) == [
        "push_files",
        "send_digest",
        "download_file",
        "query_database",
        "zip_files",
    ]
    asked = replace(IDLE, tool="zzz", calls=3)
    assert names(sorted([IDLE, asked], key=worst_first)) == ["zzz", "zip_files"]
    near, far = up(1, p95_ms=4900.0), up(2, p95_ms=900.0)
    assert names(sorted([far, near], key=worst_first)) == ["tool_0001", "tool_0002"]


@pytest.mark.parametrize("column", HealthColumn)
@pytest.mark.parametrize("descending", [True, False])
def test_every_column_sorts_and_what_is_not_known_stands_last(column: HealthColumn, descending: bool) -> None:
    rows = [*(up(number, p95_ms=float(number % 3)) for number in range(5)), *ROWS]
    model = HealthModel()
    model.set_order(RowOrder(column, descending))
    model.show_rows(rows)
    found = list(model.rows)
    assert sorted(names(found)) == sorted(names(rows))
    if column in {HealthColumn.SUCCESS, HealthColumn.P50, HealthColumn.P95, HealthColumn.P99}:
        assert found[-1].tool == "zip_files"
    if column is HealthColumn.CALLS:
        calls = [row.calls for row in found]
        assert calls == sorted(calls, reverse=descending)
    if column is HealthColumn.STATUS:
        assert names(found)[0] == ("push_files" if descending else "zip_files")


def test_rows_are_narrowed_by_status() -> None:
    model = HealthModel()
    model.show_rows(ROWS)
    model.set_statuses(("down",))
    assert names(list(model.rows)) == ["push_files"]
    model.set_statuses(("degraded", "down"))
    assert names(list(model.rows)) == ["push_files", "send_digest", "download_file"]
    assert counts_of(ROWS) == StatusCounts(up=1, degraded=2, down=1, unknown=1)
    assert counts_of(ROWS).total == 5


def test_cells_are_written_as_people_read_them() -> None:
    assert [words_of(SLOW, column) for column in HealthColumn] == [
        "download_file",
        "Built-in › Web",
        "Degraded",
        "97.0%",
        "702 ms",
        "3.12 s",
        "3.61 s",
        "381",
        "P95 above 2.50 s since 14:18",
    ]
    assert [words_of(IDLE, column) for column in (HealthColumn.STATUS, HealthColumn.SUCCESS, HealthColumn.P95)] == [
        "No run lately",
        "n/a",
        "n/a",
    ]
    assert share_words(1.0) == "100%"
    assert share_words(0.99999) == "99.9%"
    assert HealthModel().line_of(replace(UP, note="a\tb\nc")).split("\t")[-1] == "a b c"


def test_the_table_is_written_for_spreadsheets() -> None:
    rows = [replace(SLOW, note="=HYPERLINK(1)"), IDLE]
    head, slow, idle = csv.reader(io.StringIO(csv_of(rows)))
    assert dict(zip(head, slow, strict=True)) == {
        "tool": "download_file",
        "source": "Built-in › Web",
        "status": "degraded",
        "success_rate": "0.97",
        "p50_ms": "702.0",
        "p95_ms": "3120.0",
        "p99_ms": "3610.0",
        "calls": "381",
        "note": "'=HYPERLINK(1)",
        "since": "2026-11-22T14:18:05+00:00",
    }
    assert idle[2:8] == ["unknown", "", "", "", "", "0"]


CUT_OFF = replace(SLOW, remedy=HealthRemedy(HealthRemedyKey.RESTART, "Restart server"))


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([], "Nothing to tell. No tool ran lately."),
        ([IDLE], "Nothing to tell. No tool ran lately."),
        ([UP, IDLE], "Up. The tool that ran lately works."),
        ([UP, up(1)], "Up. All 2 tools that ran lately work."),
        ([SLOW, UP], "Degraded. 1 tool is slower than its limit."),
        ([SLOW, replace(SLOW, tool="b")], "Degraded. 2 tools are slower than their limits."),
        ([HELD], "Degraded. 1 tool is held back."),
        ([CUT_OFF], "Degraded. 1 tool has a server that is not connected."),
        ([CUT_OFF, replace(CUT_OFF, tool="b")], "Degraded. 2 tools have a server that is not connected."),
        ([HELD, SLOW], "Degraded. 2 tools are degraded."),
        ([DOWN, UP], "Down. 1 tool is down."),
        ([DOWN, SLOW, replace(SLOW, tool="b")], "Down. 1 tool is down and 2 tools are slower than their limits."),
    ],
)
def test_the_worst_is_said_in_one_sentence(rows: list[HealthRow], said: str) -> None:
    headline = headline_of(rows)
    assert f"{headline.fact} {headline.consequence}" == said
    assert headline.tone == {"Down.": "error", "Degraded.": "warn"}.get(headline.fact, "ok")
    troubled = sum(row.status in {"degraded", "down"} for row in rows)
    words = {0: "", 1: "Show the tool"}.get(troubled, f"Show the {troubled} tools")
    assert headline.action == words


def test_the_table_is_a_sound_model_that_tells_what_changed(qtmodeltester: ModelTester) -> None:
    model = HealthModel()
    qtmodeltester.check(model, force_py=True)
    model.show_rows(ROWS)
    model.show_rows([*ROWS, *(up(number) for number in range(3))])
    model.set_statuses(("up",))
    model.set_order(RowOrder(HealthColumn.CALLS, descending=False))
    assert [row.calls for row in model.rows] == [1, 2, 3, 640]
    model.set_statuses(())
    model.show_rows([up(number) for number in range(200)])
    assert model.rowCount() == 200
    model.show_rows(())
    assert model.rowCount() == 0


@given(steps=st.lists(st.sets(st.integers(0, 12)), max_size=6), order=st.sampled_from(list(HealthColumn)))
def test_an_index_follows_its_tool_through_every_change(steps: list[set[int]], order: HealthColumn) -> None:
    model = HealthModel()
    model.set_order(RowOrder(order, descending=False))
    kept: dict[str, QPersistentModelIndex] = {}
    for turn, numbers in enumerate(steps):
        rows = [up(number, calls=(number * 7 + turn * 5) % 11, success_rate=0.9 + number / 1000) for number in numbers]
        model.show_rows(rows)
        assert model.rows == model.listed(sorted(rows, key=worst_first))
        for tool_name, index in kept.items():
            if index.isValid():
                assert index.data() == tool_name
            else:
                assert model.place_of(tool_name) < 0 or turn
        kept = {row.tool: QPersistentModelIndex(model.index(place, 0)) for place, row in enumerate(model.rows)}


def test_a_change_of_one_row_is_told_as_one(qtbot: Any) -> None:
    model = HealthModel()
    model.show_rows(ROWS)
    changed: list[tuple[int, int]] = []

    def take(first: Any, last: Any) -> None:
        changed.append((first.row(), last.row()))

    model.dataChanged.connect(take)
    model.show_rows([replace(row, calls=row.calls + 1) if row is UP else row for row in ROWS])
    assert changed == [(3, 3)]
    model.show_rows(list(model.rows))
    assert changed == [(3, 3)]


def test_tiles_show_the_worst_that_ran_as_many_as_there_is_room_for(qtmodeltester: ModelTester) -> None:
    tiles = TileModel()
    qtmodeltester.check(tiles, force_py=True)
    rows = sorted(ROWS, key=worst_first)
    tiles.show(rows, {"push_files": (1.0, None)})
    assert tiles.rowCount() == 0
    tiles.set_room(3)
    assert names(list(tiles.rows)) == ["push_files", "send_digest", "download_file"]
    assert tiles.index(0, 0).data(LINE_ROLE) == (1.0, None)
    assert tiles.index(1, 0).data(LINE_ROLE) == ()
    tiles.set_room(8)
    assert tiles.place_of("zip_files") == -1
    tiles.set_statuses(("up",))
    assert names(list(tiles.rows)) == ["query_database"]
    words = tiles.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert words == "query_database: Up, success 100%, P95 38 ms"


@tool(category="web_pages")
def fetch() -> str:
    """Fetch."""
    return ""


@toolkit("Mail")
class Mail:
    """Send mail."""

    @tool
    def send(self) -> None:
        """Send."""


TOOLS: tuple[ToolCard, ...] = tuple(found.card for found in resolve_tools([fetch, Mail()]))
FETCH = TOOLS[0]


def judged(
    health: Health | None = None, held: GuardState | None = None, limits: HealthLimits | None = None
) -> HealthInputs:
    return HealthInputs(
        tools=TOOLS,
        healths={} if health is None else {"fetch": health},
        since={"fetch": NOW - timedelta(minutes=5)},
        held={} if held is None else {"fetch": held},
        limits=lambda _name: limits or HealthLimits(),
        troubles={},
    )


def note_of(health: Health | None, held: GuardState | None = None) -> tuple[str, HealthRemedy | None]:
    row = row_of(FETCH, judged(health, held), None, NOW)
    return row.note, row.remedy


def health_of(stats: ToolStats, checked: ProbeSummary | None = None) -> Health:
    return ToolHealthIndicator("fetch", HealthLimits()).judge(stats, checked)


SINCE = f"{(NOW - timedelta(minutes=5)).astimezone():%H:%M:%S}"
FAILING = ToolStats(
    count=20, successes=10, failures_by_kind={ErrorKind.TOOL: 10}, p95_ms=10.0, last_error="no route to the host"
)


def test_a_tool_that_is_up_needs_no_note() -> None:
    assert note_of(health_of(ToolStats(count=10, successes=10, p95_ms=10.0))) == ("", None)


def test_a_tool_whose_server_is_not_connected_says_so_and_offers_to_restart_it() -> None:
    remote = replace(FETCH, source=ToolSource(SourceKind.SERVER, "github"))
    troubles = {"github": "It ended with exit code 1.\nThe last words of stderr", "clock": "Other."}
    for health in (None, health_of(FAILING)):
        row = row_of(remote, judged(health)._replace(troubles=troubles), None, NOW)
        assert row.note == "github is not connected: It ended with exit code 1"
        assert row.remedy == HealthRemedy(HealthRemedyKey.RESTART, "Restart server")

    works = health_of(ToolStats(count=10, successes=10, p95_ms=10.0))
    assert row_of(remote, judged(works)._replace(troubles=troubles), None, NOW).remedy is None
    assert row_of(FETCH, judged()._replace(troubles=troubles), None, NOW).note == "No run in the last 15 min"


def test_each_trouble_has_one_sentence_and_one_action() -> None:
    assert note_of(None) == ("No run in the last 15 min", HealthRemedy(HealthRemedyKey.OPEN_TOOL, "Open tool"))
    assert note_of(health_of(ToolStats()))[0] == "No run in the last 15 min"
    assert note_of(health_of(FAILING)) == (
        f"10 of 20 runs failed since {SINCE}: no route to the host",
        HealthRemedy(HealthRemedyKey.OPEN_CALL, "Open the failed call"),
    )
    assert note_of(health_of(ToolStats(count=20, successes=20, p95_ms=5000.1))) == (
        f"P95 above 5.00 s since {SINCE}",
        HealthRemedy(HealthRemedyKey.LIMITS, "Raise limit…"),
    )
    checked = ProbeSummary(Check("fetch", NOW, CheckOutcome.FAILED, message="refused"), 3)
    assert note_of(health_of(ToolStats(), checked)) == (
        "Its last 3 probes failed: refused",
        HealthRemedy(HealthRemedyKey.CHECK, "Check again"),
    )
    better = health_of(ToolStats(count=9, successes=9, p95_ms=1.0))._replace(
        status=HealthStatus.DOWN, reason="it does better again, which counts in 9 s"
    )
    assert note_of(better)[0] == "It does better again, which counts in 9 s"


@pytest.mark.parametrize(
    ("state", "until", "said", "action"),
    [
        ("open", 60, "Paused until {until} after 5 failures: no paper", "Reset breaker"),
        ("open", -60, "Paused after 5 failures: no paper", "Reset breaker"),
        ("half_open", 60, "Paused until a trial call succeeds: no paper", "Reset breaker"),
        ("blocked", 60, "Blocked until {until} after 5 failures in a row: no paper", "Unblock"),
    ],
)
def test_a_tool_that_is_held_back_is_degraded_and_can_be_reset(state: str, until: int, said: str, action: str) -> None:
    end = NOW + timedelta(seconds=until)
    guard = GuardState(GuardKind.CIRCUIT_BREAKER, state, last_failure="no paper", failures=5, until=end)
    row = row_of(FETCH, judged(health_of(ToolStats(count=1, successes=1, p95_ms=1.0)), guard), None, NOW)
    assert (row.status, row.note) == ("degraded", said.format(until=f"{end.astimezone():%H:%M:%S}"))
    assert row.remedy == HealthRemedy(HealthRemedyKey.RESET, action)
    failing = health_of(replace(FAILING, successes=1))
    assert row_of(FETCH, judged(failing, guard), None, NOW).status == "down"


def test_sources_and_spans_are_said_as_elsewhere() -> None:
    assert [source_words(known) for known in TOOLS] == ["Program › Web pages", "Program › Mail"]
    assert [span_words(seconds) for seconds in (45, 60, 900, 5400, 7200)] == [
        "45 s",
        "1 min",
        "15 min",
        "90 min",
        "2 h",
    ]


def test_a_survey_reads_the_range_and_the_curves_of_the_worst(tmp_path: Path) -> None:
    series = HealthSeries(tmp_path)
    for minutes, elapsed_s in ((3, 0.1), (3, 0.2), (50, 0.4), (90, 9.0)):
        call = ToolCall("1", resolve_tools([fetch])[0], "fetch", {}, "agent:one", 0.0)
        call.proposed_s = (NOW - timedelta(minutes=minutes)).timestamp() - elapsed_s
        call.response.status, call.response.elapsed_s = CallStatus.EXECUTED, elapsed_s
        call.response.attempts = [Attempt(1, 0.0)]
        series.add(record_of(call))
    series.flush(NOW)
    found = survey(HealthRequest("1 h"), judged(health_of(FAILING)), series, NOW)
    assert found.tool == "fetch"
    assert found.span == SPANS["1 h"]
    assert [row.tool for row in found.rows] == ["fetch", "send"]
    assert (found.rows[0].calls, found.rows[0].success_rate) == (3, 1.0)
    assert found.rows[0].p95_ms == pytest.approx(400, rel=0.03)
    line = found.lines["fetch"]
    assert len(line) == 60
    known = {place: round(ms) for place, ms in enumerate(line) if ms is not None}
    assert list(known) == [9, 56]
    assert known[56] == pytest.approx(200, rel=0.03)
    assert [sum(slot.calls.values()) for slot in found.slots] == [1, 2]
    assert found.all_slots == found.slots
    assert survey(HealthRequest("5 min", "send"), judged(), series, NOW).tool == "send"
    assert survey(HealthRequest("5 min", "gone"), judged(), series, NOW).tool == "fetch"
    assert survey(HealthRequest("7 d", statuses=("up",)), judged(), series, NOW).tool == ""


def test_the_page_knows_every_status() -> None:
    assert set(STATUSES) == {status.value for status in HealthStatus}


@pytest.mark.parametrize(
    ("count", "failed", "word", "share"), [(1, 1, "Failed once", "0 of 1"), (3, 2, "Failed 2 of 3", "1 of 3")]
)
def test_of_a_handful_is_told_how_many_failed_and_no_share(count: int, failed: int, word: str, share: str) -> None:
    stats = ToolStats(
        count=count, successes=count - failed, failures_by_kind={ErrorKind.TOOL: failed}, p95_ms=1.0, last_error="no"
    )
    few = row_of(FETCH, judged(health_of(stats)), None, NOW)
    assert (few.status, words_of(few, HealthColumn.STATUS), words_of(few, HealthColumn.SUCCESS)) == (
        "unknown",
        word,
        share,
    )
    tiles = TileModel()
    tiles.set_room(1)
    tiles.show([replace(few, calls=count)], {})
    assert tiles.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole).startswith(f"fetch: {word}, success {share}, ")
    assert few.note == f"{word}, too few runs to judge: no"
    assert few.remedy == HealthRemedy(HealthRemedyKey.OPEN_CALL, "Open the failed call")
    headline = headline_of([few])
    assert (headline.tone, headline.fact) == ("ok", "Too early to tell.")
    assert headline.consequence == f"fetch {word.lower()}, too few runs to judge."
    assert headline_of([replace(few, status="up")]) == headline
    told = headline_of([few, up(1)]).consequence
    assert told == f"1 tool works. fetch {word.lower()}, too few runs to judge."
    assert headline_of([few, few, up(1), up(2)]).consequence == (
        "2 tools work. 2 tools failed at times, in too few runs to judge."
    )


@pytest.mark.parametrize(
    ("kind", "who"), [(SourceKind.SERVER, "The server answers"), (SourceKind.PLUGIN, "Its probe passed")]
)
def test_what_is_up_by_its_probe_alone_tells_what_came_of_its_few_runs(kind: SourceKind, who: str) -> None:
    stats = ToolStats(count=1, successes=0, failures_by_kind={ErrorKind.TOOL: 1}, p95_ms=1.0, last_error="no")
    passed = Check("fetch", NOW, CheckOutcome.PASSED)
    tool = replace(FETCH, source=ToolSource(kind, "github"))
    row = row_of(tool, judged(health_of(stats, ProbeSummary(passed, 0, passed))), None, NOW)
    assert words_of(row, HealthColumn.STATUS) == "Up"
    assert words_of(row, HealthColumn.SUCCESS) == "0 of 1"
    assert row.note == f"{who}; the tool failed once, too few runs to judge: no"
    assert row.remedy == HealthRemedy(HealthRemedyKey.OPEN_CALL, "Open the failed call")
