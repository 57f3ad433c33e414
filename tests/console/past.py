"""Past calls for tests: rows, whole records, and a history that answers from memory."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tools.calls import Attempt, CallRecord, CallStatus, Decision, LogEntry, StepKind, ToolRef, TraceStep
from tools.history import HistoryPage, HistoryQuery, HistoryRow
from tools.history.exporting import document_of, write_export
from tools.spec import Concern

NOW = datetime(2026, 11, 22, 14, 32, 5, tzinfo=UTC)


def clock() -> datetime:
    return NOW


def row(number: int, **facts: Any) -> HistoryRow:
    """Return a call: the higher the number, the newer it is."""
    made = HistoryRow(
        id=f"run-{number}",
        tool="search_files",
        caller="you",
        status=CallStatus.EXECUTED,
        proposed_at=NOW - timedelta(minutes=1000 - number),
        elapsed_s=0.038,
        waited_s=0.0,
        review_s=0.0,
        arguments_text=f'pattern="word {number}"',
        asked_text="",
        summary="5 matches",
        from_cache=False,
        attempts=1,
        edited=False,
    )
    return made._replace(**facts)


def decision(**facts: Any) -> Decision:
    made = Decision(
        question="Delete the folder tmp.",
        timing="before_execution",
        concerns=(Concern("destructive", "Destructive", "The tool deletes files and keeps no copy."),),
        shown={"path": "exports", "recursive": True},
        asked_at=NOW - timedelta(minutes=2),
        decided_at=NOW - timedelta(minutes=1, seconds=48),
        answer="edit",
        by="you",
        reason="only the old ones",
        revised={"path": "exports/2023", "recursive": True},
        timed_out=False,
    )
    return made._replace(**facts)


def record(number: int = 1, **facts: Any) -> CallRecord:
    made = CallRecord(
        id=f"run-{number}",
        tool=ToolRef("search_files", "1.0.0", "d", "Built-in", known=True),
        caller="you",
        proposed_s=(NOW - timedelta(minutes=1000 - number)).timestamp(),
        status=CallStatus.EXECUTED,
        arguments={"pattern": f"word {number}", "limit": 5},
        elapsed_s=0.038,
        attempts=(Attempt(1, 0.001, 0.03),),
        steps=(TraceStep(StepKind.VALIDATION, 0.0, 0.0004), TraceStep(StepKind.ATTEMPT, 0.001, 0.03)),
        result={"matches": [number]},
        logs=(LogEntry(0.01, "info", "looked"),),
    )
    return made._replace(**facts)


class FakeHistory:
    """Answer like the history, from a list; newest first."""

    def __init__(self, rows: Sequence[HistoryRow] = (), records: Sequence[CallRecord] = ()) -> None:
        self.rows = list(rows)
        self.records = {record.id: record for record in records}
        self.problem = ""
        self.is_open = True
        self.error: Exception | None = None
        self.queries: list[HistoryQuery] = []
        self.forgotten: list[str] = []
        self.gate: asyncio.Event | None = None

    async def search(self, query: HistoryQuery) -> HistoryPage:
        self.queries.append(query)
        if self.gate is not None:
            await self.gate.wait()
        if self.error is not None:
            raise self.error
        fitting = self._fitting(query)
        first = query.before or 0
        rows = tuple(fitting[first : first + query.limit])
        more = first + query.limit < len(fitting)
        return HistoryPage(rows, len(fitting), total_exact=True, next_before=first + query.limit if more else None)

    def _fitting(self, query: HistoryQuery) -> list[HistoryRow]:
        return [
            row
            for row in self.rows
            if query.text.casefold() in f"{row.tool} {row.arguments_text} {row.summary}".casefold()
            and (not query.ids or row.id in query.ids)
            and (not query.tools or row.tool in query.tools)
            and (not query.callers or row.caller in query.callers)
            and row.caller not in query.without_callers
            and (not query.statuses or row.status in query.statuses)
            and (query.since is None or row.proposed_at >= query.since)
            and (query.until is None or row.proposed_at < query.until)
        ]

    async def get(self, record_id: str) -> CallRecord | None:
        await asyncio.sleep(0)
        return self.records.get(record_id)

    async def names(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return tuple(sorted({row.tool for row in self.rows})), tuple(sorted({row.caller for row in self.rows}))

    async def forget(self, ids: Collection[str]) -> None:
        self.forgotten += ids
        self.rows = [row for row in self.rows if row.id not in ids]

    async def export(self, query: HistoryQuery, path: Path) -> int:
        return write_export([self.records[row.id] for row in self._fitting(query)[: query.limit]], path)

    async def document_of(self, records: Sequence[CallRecord]) -> str:
        return document_of(records)
