"""Steps that begin elsewhere in the window: on a tool's page, and with calls of the past and of conversations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, Slot

from console.app.open_tools import OpenTools
from console.assistant.page import AssistantPage
from console.batch.page import BatchPage
from console.browser.view import BrowserView
from console.history.page import HistoryPane
from console.history.repeat_arguments import given_again
from console.language import tr, tr_count

if TYPE_CHECKING:
    from tools.batch.past_calls import PlanOfCalls
    from tools.calls import CallRecord


Calls = Sequence[tuple[str, Mapping[str, Any]]]


class StepsFromCalls(QObject):
    """Bring calls onto the Batch page.

    Args:
        batches: The Batch page.
        browser: The tree of tools.
        open_tools: The pages of tools.
        histories: The lists of past calls.
        assistant: The conversations with models.
        parent: Its owner.

    Signals:
        noticed(str): A sentence for the person.
        page_requested(str): This page is to come to the front.
    """

    noticed = Signal(str)
    page_requested = Signal(str)

    def __init__(
        self,
        batches: BatchPage,
        browser: BrowserView,
        open_tools: OpenTools,
        histories: HistoryPane,
        *,
        assistant: AssistantPage,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._batches = batches
        browser.batch_requested.connect(self._on_browser_batch_requested)
        open_tools.batch_requested.connect(self._on_open_tools_batch_requested)
        histories.batched.connect(self._on_histories_batched)
        assistant.batch_requested.connect(self._on_assistant_batch_requested)

    @Slot(str)
    def _on_browser_batch_requested(self, name: str) -> None:
        self._add([(name, {})])

    @Slot(str, dict)
    def _on_open_tools_batch_requested(self, name: str, arguments: dict[str, Any]) -> None:
        self._add([(name, arguments)])

    @Slot(list)
    def _on_histories_batched(self, records: Sequence[CallRecord]) -> None:
        given = [given_again(record) for record in records]
        calls = [(record.tool.name, item.arguments) for record, item in zip(records, given, strict=True)]
        if len(calls) == 1:
            if not self._add(calls):
                return
        else:
            self._batches.begin_calls(tr("past calls"), calls)
            self.page_requested.emit("batch")
        self._tell_missing(sum(bool(item.missing) for item in given))

    @Slot(object)
    def _on_assistant_batch_requested(self, made: PlanOfCalls) -> None:
        self._batches.begin(made.plan)
        self.page_requested.emit("batch")
        self._tell_missing(made.missing)

    def _tell_missing(self, missing: int) -> None:
        if missing:
            self.noticed.emit(
                tr_count(
                    missing,
                    "1 step lacks arguments that were hidden when the calls were kept; fill them in",
                    "{count} steps lack arguments that were hidden when the calls were kept; fill them in",
                )
            )

    def _add(self, calls: Calls) -> bool:
        """Add calls to the open plan, and return whether that was possible."""
        title = self._batches.add_calls(calls)
        if title:
            self.noticed.emit(
                tr("{tool} is a step of {plan} now; the Batch page shows it", tool=calls[0][0], plan=title)
            )
        return bool(title)
