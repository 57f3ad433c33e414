"""What came of a batch, and of each of its steps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from tools.batch.states import StepState
from tools.spec import MISSING


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
    """What came of one step.

    Attributes:
        success: Whether it did what it was to do.
        result: Its result as JSON, a list with one for each row if it has rows; None when there is none.
        error: Why not; None on success.
        state: How it ended.
        elapsed_s: Seconds from its start to its end.
        attempts: How many calls it took; not counted for a step with rows.
        rows: How its rows ended; None when it has none.
        shown: The result as people may see it; `MISSING` when they may see it as it is, or row by row.
        failed_rows: How those of its rows ended that did not succeed, and why, by their numbers from 0 on; those that
            somebody skipped are among them.
        held_by: The step because of whose end it did not run; empty when it ran, or was left out for its own sake.
        review_s: The part of the time in which nothing of it ran because a person was asked.
    """

    success: bool
    result: Any = None
    error: str | None = None
    state: StepState = StepState.QUEUED
    elapsed_s: float = 0.0
    attempts: int = 0
    rows: RowCounts | None = None
    shown: Any = MISSING
    failed_rows: Mapping[int, tuple[StepState, str]] = {}
    held_by: str = ""
    review_s: float = 0.0

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
        """How many steps succeeded."""
        return sum(item.success for item in self.results.values())

    @property
    def failures(self) -> int:
        """How many steps failed; those that were skipped or cancelled are not among them."""
        return sum(item.state.failed for item in self.results.values())
