"""What stands behind the exports of a conversation: Markdown, JSON, a test, and a batch of its calls."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, Slot

from console.assistant.calls_dialog import CallsDialog
from console.language import tr

if TYPE_CHECKING:
    from console.assistant.engine_assistant import EngineAssistant
    from console.assistant.open_conversations import OpenConversations
    from console.assistant.view import AssistantView


class ExportPresenter(QObject):
    """Make files and batches of the conversation that is shown.

    Args:
        start: Starts some work under a name; what keeps it from being done is told.

    Signals:
        batch_requested(object): This `PlanOfCalls` is to be opened.
    """

    noticed = Signal(str)
    batch_requested = Signal(object)

    def __init__(
        self,
        view: AssistantView,
        talks: OpenConversations,
        port: EngineAssistant,
        *,
        start: Callable[[Coroutine[Any, Any, None], str], None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._view = view
        self._talks = talks
        self._port = port
        self._start = start
        self._batched = ""
        view.batch_requested.connect(self._on_view_batch_requested)
        view.export_chosen.connect(self._on_view_export_chosen)

    @Slot()
    def _on_view_batch_requested(self) -> None:
        if self._talks.current is not None:
            self._start(self._ask_for_calls(self._talks.current.name), "list calls")

    async def _ask_for_calls(self, name: str) -> None:
        calls = await self._port.calls_of(name)
        if not calls:
            self.noticed.emit(tr("No call of this conversation ran, so there is nothing to make a batch of"))
            return
        self._batched = name
        self._view.ask(CallsDialog, calls).submitted.connect(self._on_dialog_calls_submitted)

    @Slot(list)
    def _on_dialog_calls_submitted(self, chosen: list[int]) -> None:
        self._start(self._make_batch(self._batched, chosen), "make a batch")

    async def _make_batch(self, name: str, chosen: list[int]) -> None:
        self.batch_requested.emit(await self._port.plan_of(name, chosen))

    @Slot(str)
    def _on_view_export_chosen(self, path: str) -> None:
        if self._talks.current is not None:
            self._start(self._export(self._talks.current.name, path), "export a conversation")

    async def _export(self, name: str, path: str) -> None:
        self.noticed.emit(await self._port.export(name, Path(path)))
