"""What the list of decisions on the Approvals page asks of the history and of the policy."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from console.approval.decision_rows import HEADS, decided_row
from console.records import Records
from tools.policy import PlacedRule, RuleLocation

if TYPE_CHECKING:
    from tools.history import DecidedCall, DecisionPage


_GONE: Final = "Not any more"


def span_of_rules(rules: Callable[[], Iterable[PlacedRule]]) -> Callable[[str], str]:
    """Return what says for how long the rule with an id holds."""

    def span_of(rule_id: str) -> str:
        for placed in rules():
            if placed.rule.id == rule_id:
                if placed.rule.expires_at is not None:
                    return f"Until {placed.rule.expires_at.astimezone():%d %b %H:%M}"
                return "This session" if placed.place is RuleLocation.SESSION else "Always"
        return _GONE

    return span_of


class DecidedCalls:
    """Ask the history about decisions.

    Args:
        records: Have them.
        span_of: Says for how long the rule with an id holds.
    """

    def __init__(self, records: Records, span_of: Callable[[str], str]) -> None:
        self._records = records
        self._span_of = span_of

    async def decisions(
        self, text: str, *, since: datetime | None = None, limit: int = 100, before: int | None = None
    ) -> DecisionPage:
        """Return one page of the decisions about the calls that have words in them.

        Args:
            text: The words; empty admits all.
            since: The earliest moment of a call's proposal; None sets none.
            limit: The most calls of a page.
            before: Where the page begins; None begins with the newest.

        Raises:
            HistoryError: When the history cannot be read.
        """
        from tools.history import HistoryQuery  # noqa: PLC0415 -- no window is shown later for a database

        return await self._records.decisions(
            HistoryQuery(text=text, decided=True, since=since, limit=limit, before=before)
        )

    async def export_decisions(self, text: str, path: Path) -> int:
        """Write the decisions about the calls that have words in them as a table, and return how many there are.

        Raises:
            HistoryError: When the history cannot be read.
            OSError: When the file cannot be written.
        """
        from tools.history import NO_LIMIT  # noqa: PLC0415 -- see above

        page = await self.decisions(text, limit=NO_LIMIT)
        return await self._records.compute(self._write, page.rows, path)

    def _write(self, rows: tuple[DecidedCall, ...], path: Path) -> int:
        from tools.history.exporting import harmless  # noqa: PLC0415 -- see above

        with path.open("w", encoding="utf-8", newline="") as file:
            table = csv.writer(file)
            table.writerow(("Call", *HEADS))
            for decided in rows:
                row = decided_row(decided, self._span_of)
                cells = (row.tool, row.caller, row.outcome, row.note, row.remembered, row.by, row.taken)
                table.writerow((row.call_id, row.decided_at.isoformat(), *map(harmless, cells)))
        return len(rows)
