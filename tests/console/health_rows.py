"""Tools as the Health page shows them, and what answers the page, for tests."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from console.health.ports import CheckTimes
from console.health.rows import HealthRemedy, HealthRemedyKey, HealthRow, worst_first
from console.health.snapshot import HealthRequest, HealthSnapshot
from tools.card import SourceKind, ToolSource
from tools.errors import HistoryError
from tools.health import Check, HealthChange, HealthLimits, LimitsPreview, LimitsScope, Slot
from tools.health.indicator import HealthStatus

NOW = datetime(2026, 11, 22, 14, 32, 5, tzinfo=UTC)
SOURCE = ToolSource(SourceKind.BUILT_IN, "Built-in")

DOWN = HealthRow(
    tool="push_files",
    source="Plugins › github.py",
    status="down",
    calls=14,
    success_rate=0.0,
    p50_ms=12.0,
    p95_ms=40.0,
    p99_ms=41.0,
    limit_ms=5000.0,
    note="14 of 14 runs failed since 14:02: the token lacks a scope",
    remedy=HealthRemedy(HealthRemedyKey.OPEN_CALL, "Open the failed call"),
    since=NOW - timedelta(minutes=30),
)
SLOW = HealthRow(
    tool="download_file",
    source="Built-in › Web",
    status="degraded",
    calls=381,
    success_rate=0.97,
    p50_ms=702.0,
    p95_ms=3120.0,
    p99_ms=3610.0,
    limit_ms=2500.0,
    note="P95 above 2.50 s since 14:18",
    remedy=HealthRemedy(HealthRemedyKey.LIMITS, "Raise limit…"),
    since=NOW - timedelta(minutes=14),
)
HELD = HealthRow(
    tool="send_digest",
    source="Plugins › mail.py",
    status="degraded",
    calls=9,
    success_rate=0.9,
    p50_ms=5.0,
    p95_ms=7.0,
    p99_ms=7.0,
    limit_ms=5000.0,
    note="Paused until 14:40:00 after 5 failures",
    remedy=HealthRemedy(HealthRemedyKey.RESET, "Reset breaker"),
)
UP = HealthRow("query_database", "Built-in › Databases", "up", 640, 1.0, 4.0, 38.0, 61.0, 5000.0)
IDLE = HealthRow(
    "zip_files",
    "Built-in › Files",
    note="No run in the last 15 min",
    remedy=HealthRemedy(HealthRemedyKey.OPEN_TOOL, "Open tool"),
    limit_ms=5000.0,
)
ROWS = (IDLE, UP, SLOW, DOWN, HELD)


def up(number: int, **facts: Any) -> HealthRow:
    """Return a tool that works."""
    name = f"tool_{number:04}"
    made = HealthRow(name, "Built-in › Data", "up", number + 1, 1.0, 4.0, 38.0, 61.0, 5000.0)
    return replace(made, **facts)


def slot(minutes_ago: int, **facts: Any) -> Slot:
    """Return a minute in which an agent called a tool twice."""
    made = Slot(
        begins_at=NOW.replace(second=0) - timedelta(minutes=minutes_ago),
        length_s=60,
        calls={"agent": 2},
        runs=2,
        failures=0,
        failed={},
        p50_ms=20.0,
        p95_ms=40.0,
        p99_ms=50.0,
    )
    return made._replace(**facts)


class FakeHealth:
    """Answer the page from rows."""

    def __init__(self, rows: Sequence[HealthRow] = ROWS) -> None:
        self.rows = rows
        self.times = CheckTimes(NOW - timedelta(seconds=4), NOW + timedelta(seconds=29))
        self.questions: list[HealthRequest] = []
        self.error: Exception | None = None
        self.gate: asyncio.Event | None = None
        self.known_changes: Sequence[HealthChange] = ()
        self.checked: list[tuple[str, ...] | None] = []
        self.checks: tuple[Check, ...] = ()
        self.reset_tools: list[str] = []
        self.held = 1
        self.found: list[tuple[str, datetime | None, bool]] = []
        self.record_id = "run-7"
        self.history_error: HistoryError | None = None

    async def survey(self, question: HealthRequest) -> HealthSnapshot:
        self.questions.append(question)
        if self.gate is not None:
            await self.gate.wait()
        if self.error is not None:
            raise self.error
        rows = tuple(sorted(self.rows, key=worst_first))
        tool = question.tool or next((row.tool for row in rows if row.has_run), "")
        slots = [slot(minutes) for minutes in (9, 5, 2)] if tool else []
        lines = {row.tool: (None, 1.0, 3.0, row.p95_ms) for row in rows if row.has_run}
        return HealthSnapshot(question, NOW, rows, tool, slots, slots, lines, HealthLimits())

    async def changes(self) -> Sequence[HealthChange]:
        return self.known_changes

    async def check_now(self, names: Collection[str] | None = None) -> Sequence[Check]:
        self.checked.append(None if names is None else tuple(names))
        if self.gate is not None:
            await self.gate.wait()
        return self.checks

    async def reset(self, tool: str) -> int:
        self.reset_tools.append(tool)
        return self.held

    async def find_call(self, tool: str, *, before: datetime | None = None, failed: bool = False) -> str:
        self.found.append((tool, before, failed))
        if self.history_error is not None:
            raise self.history_error
        return self.record_id

    async def text(self, kind: str) -> str:
        return f"all tools as {kind}\n"


class FakeLimits:
    """Keep limits in memory."""

    def __init__(self) -> None:
        self.kept: dict[LimitsScope, HealthLimits] = {}
        self.problem = ""
        self.previewed: list[tuple[HealthLimits, LimitsScope]] = []
        self.error: OSError | None = None
        self.preview_of = LimitsPreview(
            tools=("download_file",),
            over_s=3600.0,
            calls=381,
            above=49,
            before=HealthStatus.DEGRADED,
            after=HealthStatus.DEGRADED,
            changes=(),
            counts=(1, 4, 9, 2),
            bin_ms=1000.0,
        )

    def scopes(self, tool: str) -> Sequence[LimitsScope]:
        return [LimitsScope(tool), LimitsScope(source=SOURCE), LimitsScope()] if tool else [LimitsScope()]

    def own(self, scope: LimitsScope) -> HealthLimits | None:
        return self.kept.get(scope)

    def inherited(self, scope: LimitsScope) -> HealthLimits:
        wider = self.scopes("x")[1:] if scope.tool else [LimitsScope()] if scope.source is not None else []
        return next((self.kept[known] for known in wider if known in self.kept), HealthLimits())

    async def preview(self, limits: HealthLimits, scope: LimitsScope) -> LimitsPreview:
        self.previewed.append((limits, scope))
        return self.preview_of

    async def save(self, scope: LimitsScope, limits: HealthLimits | None) -> HealthLimits | None:
        if self.error is not None:
            raise self.error
        before = self.kept.pop(scope, None)
        if limits is not None:
            self.kept[scope] = limits
        return before
