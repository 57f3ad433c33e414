"""What came of a batch, and of each of its steps."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple, Self

from tools.spec import MISSING


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


class RowCounts(NamedTuple):
    """How the rows of a step ended.

    Attributes:
        total: How many there are; None while nobody knows.
        done: How many succeeded.
        failed: How many did not.
        running: How many run now.
        skipped: How many did not succeed and somebody skipped.
    """

    total: int | None = None
    done: int = 0
    failed: int = 0
    running: int = 0
    skipped: int = 0


class StepResult(NamedTuple):
    """What came of one step, or of one call of it.

    Attributes:
        state: How it ended.
        result: Its result as JSON, a list with one for each row if it has rows; None when there is none.
        error: Why it did not do what it was to do; None on success.
        elapsed_s: Seconds from its start to its end.
        attempts: How many calls it took; not counted for a step with rows.
        call: The id of the last call; empty when none was made.
        shown: The result as people may see it; `MISSING` when they may see it as it is, or row by row.
        review_s: The part of the time in which nothing of it ran because a person was asked.
        rows: How its rows ended; None when it has none.
        failed_rows: How those of its rows ended that did not succeed, and why, by their numbers from 0 on; those that
            somebody skipped are among them.
        held_by: The step because of whose end it did not run; empty when it ran, or was left out for its own sake.
    """

    state: StepState = StepState.QUEUED
    result: Any = None
    error: str | None = None
    elapsed_s: float = 0.0
    attempts: int = 0
    call: str = ""
    shown: Any = MISSING
    review_s: float = 0.0
    rows: RowCounts | None = None
    failed_rows: Mapping[int, tuple[StepState, str]] = {}
    held_by: str = ""

    @property
    def success(self) -> bool:
        return self.state.succeeded

    @property
    def own_s(self) -> float:
        """Seconds it took without waiting for a person."""
        return max(0.0, self.elapsed_s - self.review_s)

    @property
    def plain_result(self) -> Any:
        """The result as plain JSON: those of rows are read from where they are kept."""
        return self.result if self.rows is None else list(self.result)

    @property
    def display(self) -> Any:
        """The result as people may see it: what its tool hides is hidden. For whoever shows or keeps it."""
        if self.shown is not MISSING:
            return self.shown
        return getattr(self.result, "shown", self.result) if self.rows is not None else self.result


class BatchResult(NamedTuple):
    """What came of a batch. Source: seed 0, "Batch Execution".

    Attributes:
        results: By step, in the plan's order.
        total_duration: Seconds from its start to its end.
    """

    results: Mapping[str, StepResult]
    total_duration: float

    @property
    def success_rate(self) -> float:
        """The part of the steps that succeeded, from 0 to 1; 1 when there are none."""
        return self.successes / len(self.results) if self.results else 1.0

    @property
    def successes(self) -> int:
        return sum(item.success for item in self.results.values())

    @property
    def failures(self) -> int:
        """How many steps failed; those that were skipped or cancelled are not among them."""
        return sum(item.state.failed for item in self.results.values())
