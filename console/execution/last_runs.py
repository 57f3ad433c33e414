"""The last two runs of a page, and what to compare a call of the past with."""

from __future__ import annotations

from tools.calls import CallRecord


class LastRuns:
    """Remember the last two calls that ended on a page; no more, for results may be large."""

    def __init__(self) -> None:
        self._earlier: CallRecord | None = None
        self._latest: CallRecord | None = None
        self._reloaded = self._is_new = False

    def note(self, call: CallRecord) -> None:
        if self._latest is None or call.id != self._latest.id:
            self._earlier, self._latest = self._latest, call
            self._is_new, self._reloaded = self._reloaded, False

    @property
    def has_reloaded_between(self) -> bool:
        """Whether the tool was loaded anew between the two."""
        return self._is_new and self._earlier is not None

    def note_reload(self) -> None:
        """Take note that the tool was loaded anew: the latest call is of the version before."""
        self._is_new = False
        self._reloaded = True

    def pair(self, past: CallRecord | None) -> tuple[CallRecord, CallRecord] | None:
        """Return two calls to compare, the older one first; None when there are not two.

        Args:
            past: A call of the past that is shown instead of the last run; None when that is shown.
        """
        other = self._earlier if past is None else past
        if other is None or self._latest is None:
            return None
        older, newer = sorted((other, self._latest), key=lambda call: call.proposed_s)
        return older, newer
