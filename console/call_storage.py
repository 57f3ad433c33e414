"""What is kept of calls: the history and the audit log, opened beside the window, fed by the executor, closed last."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, ParamSpec, TypeVar

from PySide6.QtCore import QObject, Qt, Signal, Slot

from console.language import tr
from tools.calls import LogEntry
from tools.errors import HistoryError, VaultError
from tools.execution.executor import Executor
from tools.workbench import AUDIT_FOLDER, HISTORY_FOLDER

if TYPE_CHECKING:
    from console.responsiveness.heartbeat import UiHeartbeat
    from tools.audit import AuditLog
    from tools.calls import CallRecord
    from tools.health import HealthChecks
    from tools.history import (
        CallerUse,
        DecisionPage,
        History,
        HistoryChange,
        HistoryPage,
        HistoryQuery,
        OpenReport,
        Retention,
    )
    from tools.metrics import ToolMetrics


Given = ParamSpec("Given")
Result = TypeVar("Result")

_log = logging.getLogger(__name__)
_FLUSH_S: Final = 3.0
_CLOSE_S: Final = 6.0
_THREADS: Final = 2


class CallStorage(QObject):
    """Own the history and the audit log, and answer the window's questions about them.

    Args:
        folder: Where both live.
        executor: Feeds both.
        heartbeat: Tells when the window goes first.

    Attributes:
        is_closed: Whether `close` wrote everything and ended in time.

    Signals:
        opened(OpenReport): The history can be asked; what was found on opening it.
        changed(HistoryChange): Calls were written or left.
        changed_anywhere(HistoryChange): The same, from the thread that wrote; internal.
        problem_changed: Something cannot be kept, or can be again.
    """

    opened = Signal(object)
    changed = Signal(object)
    changed_anywhere = Signal(object)
    problem_changed = Signal()

    def __init__(self, folder: Path, executor: Executor, heartbeat: UiHeartbeat, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.folder = folder
        self._executor = executor
        self._heartbeat = heartbeat
        self._history: History | None = None
        self._retention: Retention | None = None
        self._audit: AuditLog | None = None
        self._tried = asyncio.Event()
        # Qt's own threads, which the window's loop would take, leave a trace in Python for ever when they start others.
        self._threads = ThreadPoolExecutor(_THREADS, "records")
        self.is_closed = False
        self._failure = ""
        self._told: tuple[str, str] = ("", "")
        self.changed_anywhere.connect(self._on_changed_anywhere, Qt.ConnectionType.QueuedConnection)

    @property
    def problem(self) -> str:
        """Why the history keeps nothing at the moment, as a sentence with what to do; empty when all is well."""
        return self._failure or (self._history.problem if self._history is not None else "")

    @property
    def audit_problem(self) -> str:
        """Why the audit log cannot be written; empty when all is well."""
        return self._audit.problem if self._audit is not None else ""

    @property
    def audit_folder(self) -> Path | None:
        """Where the audit log lives; None while there is none."""
        return self._audit.folder if self._audit is not None else None

    @property
    def is_open(self) -> bool:
        return self._history is not None

    async def open(self) -> None:
        """Open both, away from the window's thread; what fails is told, and the program goes on without it."""
        self._audit = await self.compute(self._open_audit)
        self._executor.add_listener(self._audit)
        await self.open_history()

    def _open_audit(self) -> AuditLog:
        from tools.audit import AuditLog  # noqa: PLC0415 -- the window is shown without it

        audit = AuditLog(self.folder / AUDIT_FOLDER, yield_to_ui=self._heartbeat.yield_to_ui)
        audit.open()
        return audit

    async def open_history(self) -> None:
        """Open the history, also once more after it could not be opened."""
        if self._history is not None:
            return
        try:
            history, report, self._retention = await self.compute(self._open_history)
        except HistoryError as error:
            self._failure = error.why
            _log.warning("the history cannot be opened: %s", error)
        else:
            self._failure = ""
            self._history = history
            if self._audit is not None:
                # A call has the same name in both, so that its entries are found from its record.
                self._audit.run = history.run
            self._executor.add_listener(history.receive)
            self.opened.emit(report)
        finally:
            self._tried.set()
        self.look_for_problems()

    def _open_history(self) -> tuple[History, OpenReport, Retention]:
        from tools.history import History  # noqa: PLC0415 -- the window is shown without a database
        from tools.vault import KeyringVault  # noqa: PLC0415 -- as above

        history = History(self.folder / HISTORY_FOLDER, vault=KeyringVault(), yield_to_ui=self._heartbeat.yield_to_ui)
        report = history.open()
        history.watch(self._receive_change)
        return history, report, history.retention

    @property
    def retention(self) -> Retention:
        """How much of the past is kept, as it was read last; the usual as long as the history is not open."""
        from tools.history import Retention  # noqa: PLC0415 -- the window is shown without a database

        return self._retention or Retention()

    async def keep(self, **limits: float | None) -> None:
        """Give limits of what is kept other values; the others stay, as any program set them.

        Args:
            limits: Fields of `Retention`.

        Raises:
            HistoryError: When that cannot be written down, or the history is not open.
        """
        if self._history is None:
            raise HistoryError(self.problem or tr("the history is not open"))
        self._retention = await self.compute(_keep, self._history, limits)

    async def close(self) -> None:
        """Write what is left, within seconds, and close both; `is_closed` says whether that was enough."""
        closing = self._threads.submit(self._close)
        try:
            await asyncio.wait_for(asyncio.wrap_future(closing), _CLOSE_S)
        except TimeoutError:
            _log.warning("history and audit log did not take the newest calls within %g s", _CLOSE_S)
        self.is_closed = closing.done() and not closing.cancelled()
        self._threads.shutdown(wait=self.is_closed, cancel_futures=True)

    def _close(self) -> None:
        if self._history is not None:
            try:
                self._history.flush(_FLUSH_S)
            except HistoryError as error:
                _log.warning("the newest calls may be missing in the history: %s", error)
            self._history.close()
        if self._audit is not None:
            self._audit.close()

    def look_for_problems(self) -> None:
        """Tell when something cannot be kept any more, or can be again."""
        problems = self.problem, self.audit_problem
        if problems != self._told:
            self._told = problems
            self.problem_changed.emit()

    def _receive_change(self, change: HistoryChange) -> None:
        self.changed_anywhere.emit(change)

    @Slot(object)
    def _on_changed_anywhere(self, change: HistoryChange) -> None:
        self.changed.emit(change)
        self.look_for_problems()

    async def compute(self, function: Callable[Given, Result], /, *args: Given.args, **kwargs: Given.kwargs) -> Result:
        """Run a function that takes more than a frame away from the window's thread."""
        with self._heartbeat.held():
            return await asyncio.wrap_future(self._threads.submit(function, *args, **kwargs))

    async def _ready(self) -> History:
        await self._tried.wait()
        if self._history is None:
            raise HistoryError(self._failure or tr("the history is closed"))
        return self._history

    async def search(self, query: HistoryQuery) -> HistoryPage:
        history = await self._ready()
        return await self.compute(history.search, query)

    async def decisions(self, query: HistoryQuery) -> DecisionPage:
        """Return the decisions about one page of the calls that a query chooses."""
        history = await self._ready()
        return await self.compute(history.decisions, query)

    async def get(self, record_id: str) -> CallRecord | None:
        """Return a whole call; None when it is gone."""
        history = await self._ready()
        return await self.compute(history.get, record_id)

    async def timings(self, tool: str) -> tuple[CallRecord, ...]:
        """Return the newest calls of a tool that ended, newest first, without what is large of them."""
        history = await self._ready()
        return await self.compute(history.timings, tool)

    async def recall_health(self, metrics: ToolMetrics, settings: Path) -> int:
        """Give the numbers the runs that limits look back at, by whatever program; return how many."""
        if self._history is None:
            return 0
        try:
            return await self.compute(_recall, self._history, metrics, settings)
        except HistoryError as error:
            _log.warning("how the tools did before the start is not known: %s", error)
            return 0

    async def recall_checks(self, checks: HealthChecks) -> None:
        """Let the probes of the last time be known, by whatever program they were made."""
        if self._history is None:
            return
        try:
            await self.compute(checks.recall, self._history)
        except HistoryError as error:
            _log.warning("what probes said before the start is not known: %s", error)

    async def caller_uses(self, callers: str, since: datetime) -> tuple[CallerUse, ...]:
        """Return what callers whose names begin so used since a moment."""
        history = await self._ready()
        return await self.compute(history.caller_uses, callers, since)

    async def names(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the tools and the callers that occur, each sorted."""
        history = await self._ready()
        return await self.compute(history.names)

    async def forget(self, ids: Collection[str]) -> None:
        history = await self._ready()
        await self.compute(history.forget, tuple(ids))

    async def export(self, query: HistoryQuery, path: Path) -> int:
        """Write the calls that a query chooses into a file, and say how many."""
        history = await self._ready()
        return await self.compute(history.export, query, path)

    async def document_of(self, records: Sequence[CallRecord]) -> str:
        from tools.history.exporting import document_of  # noqa: PLC0415 -- see above

        return await self.compute(document_of, records)

    async def whole(self, record: CallRecord) -> CallRecord:
        """Return a call of the history with the bytes of its attachments; the log says which are not there."""
        history = await self._ready()
        return await self.compute(with_attachments, record, history.attachment)

    def is_of_this_run(self, record_id: str) -> bool:
        """Return whether a call was made since the program started."""
        return self._history is not None and record_id.startswith(f"{self._history.run}-")

    async def record_of(self, call_id: str) -> CallRecord | None:
        """Return what is kept of a call that the activity list shows; None when it is gone."""
        history = await self._ready()
        # The list has calls of this run by their own number, and those of earlier runs by their record's id.
        if not call_id.isdecimal():
            return await self.compute(history.get, call_id)
        await history.settled(call_id)
        return await self.compute(history.get, f"{history.run}-{call_id}")


def _keep(history: History, limits: Mapping[str, Any]) -> Retention:
    retention = history.retention._replace(**limits)
    history.keep(retention)
    return retention


def _recall(history: History, metrics: ToolMetrics, settings: Path) -> int:
    from tools.health import LimitsFile, recall  # noqa: PLC0415 -- see above

    return recall(history, metrics, LimitsFile(settings).look_back_s)


def with_attachments(record: CallRecord, read: Callable[[str, int], bytes]) -> CallRecord:
    """Return a call of the history with the bytes of its attachments.

    Args:
        read: Reads the bytes of an attachment, by record and number; raises `HistoryError` or `VaultError`.
    """
    logs, attachments = list(record.logs), []
    for number, file in enumerate(record.attachments):
        try:
            attachments.append(file._replace(data=read(record.id, number)))
        except (HistoryError, VaultError) as error:
            logs.append(
                LogEntry(
                    record.elapsed_s,
                    "warning",
                    tr("the attachment {name} is not here: {error}", name=file.name, error=error),
                )
            )
    return record._replace(logs=tuple(logs), attachments=tuple(attachments))
