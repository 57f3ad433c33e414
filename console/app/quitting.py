"""The end or restart of the program as a person asks for it: what would be lost by it is asked about first."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal, Slot

from console.app.status_summary import StatusSummary
from console.assistant.page import AssistantPage
from console.batch.closing_dialog import BatchClosing
from console.batch.page import BatchPage
from console.language import tr, tr_count
from console.notices import DesktopPresence
from console.widgets.dialogs import QuestionBox
from console.window import MainWindow


class Quitting(QObject):
    """Ask about calls that run, answers that come and changes that are not saved, before the program ends.

    Args:
        window: The window.
        status_summary: Knows how many calls run.
        assistant: Knows how many models are at work.
        batches: Have the plan.
        batch_closing: Asks what becomes of a batch that goes on.
        presence: Brings the window to the front.
        parent: Its owner.

    Attributes:
        restarts: Whether the program is to start again after the end that was asked for last.

    Signals:
        agreed(): The program is to end, whatever runs.
    """

    agreed = Signal()

    def __init__(
        self,
        window: MainWindow,
        status_summary: StatusSummary,
        *,
        assistant: AssistantPage,
        batches: BatchPage,
        batch_closing: BatchClosing,
        presence: DesktopPresence,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.restarts = False
        self._window = window
        self._status_summary = status_summary
        self._assistant = assistant
        self._batches = batches
        self._batch_closing = batch_closing
        self._presence = presence
        window.closing.connect(self._on_window_closing)
        # What is stopped and kept by it was said already.
        batch_closing.end_requested.connect(self.agreed)
        batch_closing.quit_requested.connect(self._on_window_closing)

    @Slot()
    def restart(self) -> None:
        """Ask for the end of the program, and for another start after it."""
        self._begin(restarts=True)

    @Slot()
    def _on_window_closing(self) -> None:
        self._begin(restarts=False)

    def _begin(self, *, restarts: bool) -> None:
        self.restarts = restarts
        unsaved = self._batches.unsaved()
        plan = _plan_words(unsaved, is_unfinished=self._batches.is_unfinished)
        if not self._batch_closing.ask(plan):
            self._quit(self._status_summary.running, unsaved, plan)

    def _quit(self, running: int, unsaved: str, plan: Sequence[str]) -> None:
        answering = self._assistant.answering
        if not (running or answering or unsaved):
            self.agreed.emit()
            return
        words = []
        if answering:
            words.append(tr_count(answering, "A model is still at work.", "{count} models are still at work."))
            words.append(tr("What came until now is kept, and Retry goes on with it after the next start."))
        if running:
            words.append(
                tr_count(
                    running,
                    "1 call still runs. It is stopped; what is done so far is not undone.",
                    "{count} calls still run. They are stopped; what is done so far is not undone.",
                )
            )
        title, quits, stops, saves = (
            (tr("Restart Tool Console?"), tr("Restart"), tr("Stop and restart"), tr("Save and restart"))
            if self.restarts
            else (tr("Quit Tool Console?"), tr("Quit"), tr("Stop and quit"), tr("Save and quit"))
        )
        box = QuestionBox(
            title,
            " ".join((*words, *plan)),
            stops if running or answering else quits,
            self._window,
            save=saves if unsaved else "",
            saving_is_safe=not running,
            loses=bool(running) or self._batches.is_unfinished,
        )
        box.agreed.connect(self.agreed)
        box.save_requested.connect(self._on_box_save_requested)
        if not self._window.isVisible():
            # A run went on without it, and its end was told with *Quit* beside it.
            self._presence.come_to_front()
        box.open()

    @Slot()
    def _on_box_save_requested(self) -> None:
        self._batches.save_first(self.agreed.emit)


def _plan_words(unsaved: str, *, is_unfinished: bool) -> list[str]:
    """Return what becomes of a plan that is not saved, one paragraph each."""
    if not unsaved:
        return []
    kept = tr(
        "The plan {name} has changes that are not saved; they are kept as a draft for the next start.",
        name=unsaved,
    )
    return [kept, tr("What is being written in it now is not finished, and is lost.")] if is_unfinished else [kept]
