"""What can be done with past calls, from the History page and from a tool's History tab alike."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, SignalInstance
from PySide6.QtGui import QGuiApplication

from console.call_table import now_utc
from console.history.history_feed import HistoryPort, query_of
from console.history.repeat_arguments import command_of
from console.history.rows import Filters
from console.language import tr, tr_count, translated
from console.tasks import OwnTasks, TaskScope
from tools.errors import HistoryError

if TYPE_CHECKING:
    from tools.calls import CallRecord


class CallActions(QObject):
    """Read whole calls and do with them what a person asked for.

    Signals:
        opened(CallRecord): The call is to be shown on its tool's page.
        rerun(CallRecord): The tool is to run again with this call's arguments.
        batched(list): These calls are to be steps of a plan, the oldest first.
        piped(list): These calls are to be steps of a pipeline, the oldest first.
        compared(CallRecord, CallRecord): The two are to be shown beside each other.
        noticed(str): A sentence about what was done, or why it was not.
        deletion_asked(list, str): These calls are to be deleted once the person agrees to this sentence.
        deleted(list): The calls with these ids are gone.
    """

    opened = Signal(object)
    rerun = Signal(object)
    batched = Signal(list)
    piped = Signal(list)
    compared = Signal(object, object)
    noticed = Signal(str)
    deletion_asked = Signal(list, str)
    deleted = Signal(list)

    def __init__(self, history: HistoryPort, scope: TaskScope, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._history = history
        self._tasks = OwnTasks(scope)

    def open(self, record_id: str) -> None:
        """Have a call shown on its tool's page."""
        self._tasks.start(self._open(record_id), "open a past call")

    def run_again(self, record_id: str) -> None:
        """Have a tool run again with a call's arguments."""
        self._tasks.start(self._run_again(record_id), "run a past call again")

    def do(self, key: str, ids: Sequence[str]) -> None:
        """Do with calls what an action of a list says.

        Args:
            key: `batch` or `pipeline` makes them steps of a plan or of a pipeline; `compare` shows two beside each
                other, the older one at the left; `json` and `command` copy them; `delete` asks first.
        """
        match key:
            case "batch":
                self._tasks.start(self._tell_in_order(tuple(ids), self.batched), "make a plan of past calls")
            case "pipeline":
                self._tasks.start(self._tell_in_order(tuple(ids), self.piped), "make a pipeline of past calls")
            case "compare" if len(ids) == 2:
                self._tasks.start(self._compare(ids[0], ids[1]), "compare past calls")
            case "delete":
                self._ask_to_delete(ids)
            case "json" | "command":
                self._tasks.start(self._copy(key, tuple(ids)), "copy past calls")

    def _ask_to_delete(self, ids: Sequence[str]) -> None:
        text = tr_count(
            len(ids),
            "Delete this call from the history, with arguments, results, logs and attachments. This cannot be undone. "
            "The audit log keeps its entries.",
            "Delete these {count:,} calls from the history, with arguments, results, logs and attachments. This cannot "
            "be undone. The audit log keeps its entries.",
        )
        self.deletion_asked.emit(list(ids), text)

    def delete(self, ids: Sequence[str]) -> None:
        """Delete calls; the person agreed."""
        self._tasks.start(self._delete(tuple(ids)), "delete past calls")

    def export(self, filters: Filters, ids: Sequence[str], path: str) -> None:
        """Write calls into a file.

        Args:
            ids: Instead: exactly these; empty for what the filters admit.
            path: The file; a name that ends in `.csv` makes a table.
        """
        self._tasks.start(self._export(filters, tuple(ids), Path(path)), "export past calls")

    def close(self) -> None:
        self._tasks.cancel()

    async def _record(self, record_id: str) -> CallRecord | None:
        try:
            record = await self._history.get(record_id)
        except HistoryError as error:
            self.noticed.emit(translated(error))
            return None
        if record is None:
            self.noticed.emit(tr("This call is no longer in the history"))
        return record

    async def _open(self, record_id: str) -> None:
        record = await self._record(record_id)
        if record is not None:
            self.opened.emit(record)

    async def _run_again(self, record_id: str) -> None:
        record = await self._record(record_id)
        if record is not None:
            self.rerun.emit(record)

    async def _tell_in_order(self, ids: tuple[str, ...], wanted: SignalInstance) -> None:
        records = [await self._record(record_id) for record_id in ids]
        found = sorted((record for record in records if record is not None), key=_moment)
        if found:
            wanted.emit(found)

    async def _compare(self, one: str, other: str) -> None:
        records = [await self._record(record_id) for record_id in (one, other)]
        found = sorted((record for record in records if record is not None), key=_moment)
        if len(found) == 2:
            self.compared.emit(*found)

    async def _copy(self, key: str, ids: tuple[str, ...]) -> None:
        records = [await self._record(record_id) for record_id in ids]
        found = [record for record in records if record is not None]
        if not found:
            return
        if key == "command":
            QGuiApplication.clipboard().setText("\n".join(command_of(record) for record in found))
            self.noticed.emit(tr("The command is on the clipboard"))
            return
        QGuiApplication.clipboard().setText(await self._history.document_of(found))
        self.noticed.emit(
            tr_count(len(found), "The call is on the clipboard as JSON", "{count:,} calls are on the clipboard as JSON")
        )

    async def _delete(self, ids: tuple[str, ...]) -> None:
        try:
            await self._history.forget(ids)
        except HistoryError as error:
            self.noticed.emit(translated(error))
            return
        self.deleted.emit(list(ids))
        self.noticed.emit(tr_count(len(ids), "Deleted 1 call", "Deleted {count:,} calls"))

    async def _export(self, filters: Filters, ids: tuple[str, ...], path: Path) -> None:
        from tools.history import NO_LIMIT, HistoryQuery  # noqa: PLC0415 -- no window is shown later for a database

        query = HistoryQuery(ids=ids, limit=NO_LIMIT) if ids else query_of(filters, now_utc(), limit=NO_LIMIT)
        try:
            count = await self._history.export(query, path)
        except HistoryError as error:
            self.noticed.emit(translated(error))
        else:
            self.noticed.emit(tr_count(count, "Wrote 1 call to {path}", "Wrote {count:,} calls to {path}", path=path))


def _moment(record: CallRecord) -> float:
    return record.proposed_at.timestamp()
