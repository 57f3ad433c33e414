"""Fill the list of decisions of the past from the history, and export it."""

from __future__ import annotations

import asyncio
import csv
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from console.approval.decision_model import HEADS, DecidedRow, DecisionModel, decided_row, summary_of
from console.approval.decisions_view import DecisionsView
from console.call_storage import CallStorage
from console.language import tr, tr_count, translated
from console.tasks import TaskScope
from tools.errors import HistoryError
from tools.policy import PlacedRule, RuleLocation

if TYPE_CHECKING:
    from tools.history import DecidedCall, DecisionPage

_GONE: Final = tr("Not any more")


def span_of_rules(rules: Callable[[], Iterable[PlacedRule]]) -> Callable[[str], str]:
    """Return what says for how long the rule with an id holds."""

    def span_of(rule_id: str) -> str:
        for placed in rules():
            if placed.rule.id == rule_id:
                if placed.rule.expires_at is not None:
                    return tr("Until {time:%d %b %H:%M}", time=placed.rule.expires_at.astimezone())
                return tr("This session") if placed.place is RuleLocation.SESSION else tr("Always")
        return _GONE

    return span_of


class DecidedCalls:
    """Be the `DecisionsPort`: ask the history about decisions.

    Args:
        span_of: Says for how long the rule with an id holds.
    """

    def __init__(self, records: CallStorage, span_of: Callable[[str], str]) -> None:
        self._records = records
        self._span_of = span_of

    async def decisions(
        self, text: str, *, since: datetime | None = None, limit: int = 100, before: int | None = None
    ) -> DecisionPage:
        from tools.history import HistoryQuery  # noqa: PLC0415 -- no window is shown later for a database

        return await self._records.decisions(
            HistoryQuery(text=text, decided=True, since=since, limit=limit, before=before)
        )

    async def export_decisions(self, text: str, path: Path) -> int:
        from tools.history import NO_LIMIT  # noqa: PLC0415 -- see above

        page = await self.decisions(text, limit=NO_LIMIT)
        return await self._records.compute(self._write, page.rows, path)

    def _write(self, rows: tuple[DecidedCall, ...], path: Path) -> int:
        from tools.history.exporting import harmless  # noqa: PLC0415 -- see above

        with path.open("w", encoding="utf-8", newline="") as file:
            table = csv.writer(file)
            table.writerow((tr("Call"), *HEADS))
            for decided in rows:
                row = decided_row(decided, self._span_of)
                cells = (row.tool, row.caller, row.outcome, row.note, row.remembered, row.by, row.taken)
                table.writerow((row.call_id, row.decided_at.isoformat(), *map(harmless, cells)))
        return len(rows)


PAGE: Final = 100
"""How many calls are asked for at a time."""

_REFRESH_MS: Final = 400


class DecisionsPort(Protocol):
    """Ask the history about decisions, somewhere else than on the window's thread. May raise `HistoryError`."""

    async def decisions(
        self, text: str, *, since: datetime | None = None, limit: int = PAGE, before: int | None = None
    ) -> DecisionPage:
        """Return one page of the decisions about the calls that have words in them.

        Args:
            text: The words; empty admits all.
            since: The earliest moment of a call's proposal; None sets none.
            limit: The most calls of a page.
            before: Where the page begins; None begins with the newest.
        """
        ...

    async def export_decisions(self, text: str, path: Path) -> int:
        """Write the decisions about the calls that have words in them as a table.

        Returns:
            How many were written.
        """
        ...


class DecisionsPresenter(QObject):
    """Fill the list of decisions.

    Args:
        span_of: Says for how long the rule with an id holds.
    """

    noticed = Signal(str)

    def __init__(
        self,
        model: DecisionModel,
        view: DecisionsView,
        history: DecisionsPort,
        *,
        scope: TaskScope,
        span_of: Callable[[str], str],
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._model = model
        self._view = view
        self._history = history
        self._scope = scope
        self._span_of = span_of
        self._now = now
        self._text = ""
        self._listed_text = ""
        self._before: int | None = None
        self._is_closed = False
        self._wants: list[str] = []
        self._task: asyncio.Task[Any] | None = None
        self._writing: asyncio.Task[Any] | None = None
        self._timer = QTimer(self, singleShot=True, interval=_REFRESH_MS)
        self._timer.timeout.connect(self._on_timer_timeout)
        model.more_wanted.connect(self._on_model_more_wanted)
        view.search.textChanged.connect(self._on_view_filter_changed)
        view.export_chosen.connect(self._on_view_export_chosen)

    @Slot()
    def refresh(self) -> None:
        """List the newest decisions."""
        self._ask("newest")

    @Slot()
    def refresh_soon(self) -> None:
        """Take in what changed, within half a second, if somebody looks."""
        if self._view.isVisible() and not self._timer.isActive() and not self._is_closed:
            self._timer.start()

    def close(self) -> None:
        self._is_closed = True
        self._timer.stop()
        for task in (self._task, self._writing):
            if task is not None:
                task.cancel()

    def _ask(self, what: str) -> None:
        if self._is_closed:
            return
        if what not in self._wants:
            self._wants.append(what)
        if self._task is None or self._task.done():
            self._task = self._scope.start(self._answer(), "list the decisions")

    async def _answer(self) -> None:
        """Answer what is asked: never two questions at a time, and none that nobody wants any more."""
        while self._wants:
            what, text = self._wants.pop(0), self._text
            before = self._before if what == "more" else None
            try:
                page = await self._history.decisions(text, before=before)
                today = await self._today() if what == "newest" else None
            except HistoryError as error:
                self._view.show_problem(translated(error))
                continue
            if text != self._text:
                continue
            self._take(what, page)
            if today is not None:
                self._view.show_summary(summary_of(today))

    async def _today(self) -> list[DecidedRow]:
        midnight = self._now().astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
        page = await self._history.decisions("", since=midnight, limit=10 * PAGE)
        return self._rows(page)

    def _rows(self, page: DecisionPage) -> list[DecidedRow]:
        return [decided_row(decided, self._span_of) for decided in page.rows]

    def _take(self, what: str, page: DecisionPage) -> None:
        rows, has_more = self._rows(page), page.next_before is not None
        if what == "more":
            self._before = page.next_before
            self._model.append(rows, has_more=has_more)
            self._view.show_problem("")
            return
        if self._text != self._listed_text or not self._model.merge(rows):
            self._model.show_rows(rows, has_more=has_more)
            self._before = page.next_before
        self._listed_text = self._text
        self._view.show_problem("")

    def _on_timer_timeout(self) -> None:
        self._ask("newest")

    def _on_model_more_wanted(self) -> None:
        self._ask("more")

    def _on_view_filter_changed(self, text: str) -> None:
        self._text = text.strip()
        self._wants = [what for what in self._wants if what != "more"]
        self._ask("newest")

    def _on_view_export_chosen(self, path: str) -> None:
        self._writing = self._scope.start(self._export(Path(path)), "export the decisions")

    async def _export(self, path: Path) -> None:
        try:
            count = await self._history.export_decisions(self._text, path)
        except (HistoryError, OSError) as error:
            self.noticed.emit(tr("The decisions could not be written: {error}", error=error))
        else:
            self.noticed.emit(
                tr_count(count, "1 decision written to {name}", "{count:,} decisions written to {name}", name=path.name)
            )
