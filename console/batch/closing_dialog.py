"""A run and the window: what becomes of it when the window is closed, and how somebody hears of its end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, Slot

from console.batch.page import BatchPage, end_words
from console.language import tr
from console.notices import DesktopPresence
from console.widgets.formats import format_duration_ms

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from console.batch.progress_view import ClosingBox
    from console.batch.rows import RunFacts


_KEY: Final = "the end of a batch"
_SHOW: Final = "show"
_QUIT: Final = "quit"


class BatchClosing(QObject):
    """Let a run finish without the window, and tell of its end whoever looks elsewhere.

    Args:
        batches: Has the run.
        presence: Has the icon beside the desktop's clock, and the notices.
        window: The window.
        parent: Its owner.

    Signals:
        end_requested(): The program is to end, whatever runs; what becomes of all was said.
        quit_requested(): The program is to end, when nothing speaks against it.
        page_requested(str): This page is to come to the front.
    """

    end_requested = Signal()
    quit_requested = Signal()
    page_requested = Signal(str)

    def __init__(
        self, batches: BatchPage, presence: DesktopPresence, window: QWidget, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._batches = batches
        self._presence = presence
        self._window = window
        self._box: ClosingBox | None = None
        self._went_on = False
        batches.updated.connect(self._on_batches_updated)
        presence.notices.chosen.connect(self._on_notices_chosen)

    def ask(self, further: Sequence[str]) -> bool:
        """Ask what becomes of the run that goes on; say whether there is one.

        Args:
            further: What else becomes of what is open when the program ends.
        """
        if not self._batches.goes_on:
            return False
        if self._box is not None:
            return True
        from console.batch.progress_view import ClosingBox  # noqa: PLC0415 -- few people close a window while it runs

        if not self._window.isVisible():
            self._presence.come_to_front()
        where = (
            tr(
                "Finished in the background, an icon beside the clock shows how far it is, and questions come as"
                " notices."
            )
            if self._presence.has_tray
            else tr("Finished in the background, the window is made small, and questions come as notices.")
        )
        self._box = ClosingBox(self._batches.progress.sentence, where, self._window, further)
        self._box.background_chosen.connect(self._on_box_background_chosen)
        self._box.stop_chosen.connect(self.end_requested)
        self._box.finished.connect(self._on_box_finished)
        self._box.open()
        return True

    @Slot()
    def _on_box_background_chosen(self) -> None:
        if self._presence.has_tray:
            self._window.hide()
        else:
            self._window.showMinimized()
        self._show_progress()

    @Slot()
    def _on_box_finished(self) -> None:
        self._box = None

    @Slot(object)
    def _on_batches_updated(self, facts: RunFacts) -> None:
        goes_on = facts.phase.goes_on
        if goes_on and self._box is not None:
            self._box.show_text(self._batches.progress.sentence)
        if goes_on:
            self._went_on = True
            self._show_progress()
        elif self._went_on:
            self._went_on = False
            self._tell_end(facts)

    def _show_progress(self) -> None:
        self._presence.show_job(self._batches.progress.words)

    def _tell_end(self, facts: RunFacts) -> None:
        from console.batch.rows import Phase  # noqa: PLC0415 -- see console.startup.loading

        progress = self._batches.progress
        self._presence.show_job("" if self._window.isVisible() else progress.words)
        if self._box is not None:
            self._box.reject()
        if self._presence.is_in_front() or facts.phase is Phase.READY:
            # One that did not begin after all is told of on its page.
            return
        took = format_duration_ms(facts.elapsed_s * 1000)
        text = tr(
            "{done:,} of {steps:,} steps are done, after {took}.",
            done=progress.done,
            steps=progress.steps,
            took=took,
        )
        if progress.troubles:
            text += f" {progress.troubles}"
        actions = ((_SHOW, tr("Show")),) if self._window.isVisible() else ((_SHOW, tr("Show")), (_QUIT, tr("Quit")))
        self._presence.notices.post(_KEY, end_words(progress), text, actions, urgent=bool(progress.troubles))

    @Slot(str, str)
    def _on_notices_chosen(self, key: str, action: str) -> None:
        if key != _KEY:
            return
        self._presence.notices.withdraw(_KEY)
        if action == _QUIT:
            self.quit_requested.emit()
            return
        self._presence.come_to_front()
        self.page_requested.emit("batch")
