"""How far a step of a batch is, and how it ended."""

from __future__ import annotations

from enum import StrEnum


class StepState(StrEnum):
    """Say where a step, or one of its rows, stands.

    A step whose start is on record and whose end is not, because the program died meanwhile, `may_have_run`.
    """

    QUEUED = "queued"
    RUNNING = "running"
    WAITING = "waiting"
    DONE = "done"
    CACHED = "cached"
    FAILED = "failed"
    DENIED = "denied"
    TIMED_OUT = "timed_out"
    CANCELLED = "cancelled"
    SKIPPED = "skipped"
    MAY_HAVE_RUN = "may_have_run"

    @property
    def ended(self) -> bool:
        """Whether nothing happens any more unless somebody asks for it."""
        return self not in _OPEN

    @property
    def succeeded(self) -> bool:
        """Whether the step did what it was to do."""
        return self in _GOOD

    @property
    def failed(self) -> bool:
        """Whether somebody has to look at it; what was skipped because of it is not."""
        return self in _BAD


_OPEN = frozenset({StepState.QUEUED, StepState.RUNNING, StepState.WAITING})
_GOOD = frozenset({StepState.DONE, StepState.CACHED})
_BAD = frozenset({StepState.FAILED, StepState.DENIED, StepState.TIMED_OUT, StepState.MAY_HAVE_RUN})
