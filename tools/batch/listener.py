"""`BatchListener`: what is told of a batch while it runs."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tools.batch.result import StepState
    from tools.calls import Progress

_log = logging.getLogger(__name__)


class BatchListener:
    """Be told how a batch gets on; override what you want to know.

    All of it comes from the thread that runs the batch, one at a time. What a listener raises is logged and harms
    nobody.

    Source: seed 0, "Progress Tracking"; all but the first four are ours.
    """

    def on_batch_start(self, total: int) -> None:
        """Take note that so many steps begin."""

    def on_tool_start(self, name: str) -> None:
        """Take note that a step begins."""

    def on_tool_complete(self, name: str, success: bool, completed: int, total: int) -> None:  # noqa: FBT001 -- the reference's signature
        """Take note that a step ended, and how many have by now."""

    def on_batch_complete(self, successes: int, failures: int, duration: float) -> None:
        """Take note that all is over, after so many seconds; what was skipped or cancelled is neither of both."""

    def on_step_progress(self, name: str, progress: Progress) -> None:
        """Take note how far a step says it is."""

    def on_step_review(self, name: str, waits: bool) -> None:  # noqa: FBT001 -- told by place
        """Take note that a call of a step waits for a person, or does no more."""

    def on_row_complete(self, name: str, row: int, state: StepState, done: int, total: int | None) -> None:
        """Take note that a row of a step ended; None while nobody knows how many there are."""

    def on_approval_progress(self, looked: int, total: int, waits: bool) -> None:  # noqa: FBT001 -- told by place
        """Take note that so many calls of the plan were looked at, and whether it is asked about as a whole."""

    def on_approval_end(self) -> None:
        """Take note that nobody is asked about the whole plan any more, whatever was answered."""

    def on_state_change(self, name: str, state: StepState, reason: str) -> None:
        """Take note that a step stands elsewhere now; the reason is empty when it says itself."""

    def is_behind(self) -> bool:
        """Return whether calls should begin later, since what was told already is not dealt with; asked before each.

        They wait for a second at most, and those that run go on.
        """
        return False


class SafeListener:
    """Tell a listener, whatever it does."""

    def __init__(self, listener: BatchListener | None) -> None:
        self._listener = listener
        self.is_heard = listener is not None

    def __call__(self, what: Callable[..., None], *facts: Any) -> None:
        """Call one of the listener's methods, named by the base's."""
        if self._listener is None:
            return
        try:
            getattr(self._listener, what.__name__)(*facts)
        except Exception:  # noqa: BLE001 -- a listener is foreign code
            _log.exception("a batch listener failed in %s; the batch goes on", what.__name__)

    def is_behind(self) -> bool:
        try:
            return self._listener is not None and self._listener.is_behind()
        except Exception:  # noqa: BLE001 -- as above
            _log.exception("a batch listener failed in is_behind; the batch goes on")
            return False
