"""How far a step of a batch is, and how it ended."""

from __future__ import annotations

from enum import StrEnum
from typing import Self


class StepState(StrEnum):
    """Say where a step, or one of its rows, stands.

    A step whose start is on record and whose end is not, because the program died meanwhile, `may_have_run`.

    Attributes:
        ended: Whether nothing happens any more unless somebody asks for it.
        succeeded: Whether the step did what it was to do.
        failed: Whether somebody has to look at it; what was skipped because of it is not.
    """

    # Plain attributes: a set of members takes longer to ask than the rest of a step's bookkeeping.
    ended: bool
    succeeded: bool
    failed: bool

    def __new__(cls, value: str, ends: str = "") -> Self:
        """Make one state out of its word, and of how it ends: well, badly, or otherwise."""
        state = str.__new__(cls, value)
        state._value_ = value
        state.ended = bool(ends)
        state.succeeded = ends == "well"
        state.failed = ends == "badly"
        return state

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done", "well"
    CACHED = "cached", "well"
    FAILED = "failed", "badly"
    DENIED = "denied", "badly"
    TIMED_OUT = "timed_out", "badly"
    MAY_HAVE_RUN = "may_have_run", "badly"
    CANCELLED = "cancelled", "otherwise"
    SKIPPED = "skipped", "otherwise"
