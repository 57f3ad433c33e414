"""The end of the program as a person asks for it: what would be lost by it is asked about first."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from console.app.approvals import Approvals
from console.app.batch_closing import BatchClosing
from console.app.batches import Batches
from console.app.dialogs import QuestionBox
from console.window import MainWindow
from tools.execution import Executor

__all__ = ["Quitting"]


class Quitting(QObject):
    """Ask about calls that run and about changes that are not saved, when the window is closed.

    Args:
        window: The window.
        executor: Has the calls.
        batches: Have the plan.
        batch_closing: Asks what becomes of a batch that goes on.
        approvals: Bring the window to the front.
        parent: Its owner.

    Signals:
        agreed(): The program is to end, whatever runs.
    """

    agreed = Signal()

    def __init__(
        self,
        window: MainWindow,
        executor: Executor,
        *,
        batches: Batches,
        batch_closing: BatchClosing,
        approvals: Approvals,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._executor = executor
        self._batches = batches
        self._batch_closing = batch_closing
        self._approvals = approvals
        window.closing.connect(self._on_window_closing)
        batch_closing.end_requested.connect(self._on_batch_closing_end_requested)

    @Slot()
    def _on_window_closing(self) -> None:
        if not self._batch_closing.ask():
            self._quit(len(self._executor.open_calls))

    @Slot()
    def _on_batch_closing_end_requested(self) -> None:
        # That what runs is stopped was said already.
        self._quit(0)

    def _quit(self, running: int) -> None:
        unsaved = self._batches.unsaved()
        if not running and not unsaved:
            self.agreed.emit()
            return
        words = []
        if running:
            words.append("1 call still runs." if running == 1 else f"{running} calls still run.")
            words.append(f"Quitting stops {'it' if running == 1 else 'them'}; what is done so far is not undone.")
        if unsaved:
            words.append(f"The plan {unsaved} has changes that are not saved; quitting loses them.")
        box = QuestionBox(
            "Quit Tool Console?",
            " ".join(words),
            "Stop and quit" if running else "Lose them and quit",
            self._window,
            save="Save and quit" if unsaved else "",
            saving_is_safe=not running,
        )
        box.agreed.connect(self.agreed)
        box.save_requested.connect(self._on_box_save_requested)
        if not self._window.isVisible():
            # A run went on without it, and its end was told with *Quit* beside it.
            self._approvals.come_to_front()
        box.open()

    @Slot()
    def _on_box_save_requested(self) -> None:
        if self._batches.editing is not None:
            self._batches.editing.save_first(self.agreed.emit)
