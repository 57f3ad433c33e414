"""What came of a batch and of each of its steps, and where results are kept while it runs."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final, NamedTuple, Protocol, Self, overload

from tools.spec import MISSING


class StepState(StrEnum):
    """Say where a step, or one of its rows, stands.

    A step whose start is on record and whose end is not, because the program died meanwhile, `may_have_run`.

    Attributes:
        ended: Whether nothing happens any more unless somebody asks for it.
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
    """What came of a batch. Source: seed 0, "Batch Execution"."""

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


SKIPPED_BY_SOMEBODY: Final = "somebody skipped it"
_NOWHERE: Final = -1


class Values(Protocol):
    """Results by the place where they are kept."""

    def value_at(self, place: int, *, shown: bool = False) -> Any:
        """Return a result, as it is or as people may see it."""


class ResultStore:
    """Keep results in memory as long as the run lasts; such a run is not resumed."""

    def __init__(self) -> None:
        self._ended: list[StepResult] = []

    def end(self, step: str, row: int | None, ended: StepResult) -> int:
        """Keep how a call ended, of a step or of its row from 0 on; return the place of its result."""
        del step, row
        self._ended.append(ended)
        return len(self._ended) - 1

    def value_at(self, place: int, *, shown: bool = False) -> Any:
        """Return a result, as it is or as people may see it."""
        found = self._ended[place]
        return found.display if shown else found.result


class RowResults(Sequence[Any]):
    """The results of a step's rows, read when they are asked for; None for a row that did not succeed."""

    def __init__(self, store: Values) -> None:
        self._store = store
        self._is_shown = False
        self._places = array("q")
        self.done = 0

    @property
    def shown(self) -> RowResults:
        """The same results as people may see them."""
        shown = RowResults(self._store)
        shown._places, shown._is_shown = self._places, True
        return shown

    def put(self, row: int, place: int | None) -> None:
        """Set the place of a row's result; None when there is none."""
        self.done += (place is not None) - self.has(row)
        while len(self._places) <= row:
            self._places.append(_NOWHERE)
        self._places[row] = _NOWHERE if place is None else place

    def has(self, row: int) -> bool:
        return row < len(self._places) and self._places[row] != _NOWHERE

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...
    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [self[row] for row in range(*index.indices(len(self)))]
        place = self._places[index]
        return None if place == _NOWHERE else self._store.value_at(place, shown=self._is_shown)


class RowStates:
    """How the rows of a step ended.

    Attributes:
        failed: How those ended that did not, and why.
        skipped: Those of which a person said that the step is to go on without them.
    """

    def __init__(self, store: Values) -> None:
        self.results = RowResults(store)
        self.failed: dict[int, tuple[StepState, str]] = {}
        self.skipped: set[int] = set()
        self._digests = array("Q")

    def recognise(self, row: int, digest: int) -> None:
        """Set the number by which a row is recognised; 0 when none was written down."""
        while len(self._digests) <= row:
            self._digests.append(0)
        self._digests[row] = digest

    def end(self, row: int, state: StepState, why: str | None, place: int) -> None:
        """Take note how a row ended, and of the place of its result."""
        self.results.put(row, place if state.succeeded else None)
        if not state.succeeded:
            self.failed[row] = state, why or ""

    def skip(self, rows: Iterable[int]) -> None:
        for row in rows:
            self.results.put(row, None)
            self.failed.pop(row, None)
            self.skipped.add(row)

    def has_ended(self, row: int) -> bool:
        """Return whether a row ended, be it well or badly."""
        return row in self.failed or row in self.skipped or self.results.has(row)

    def has_changed(self, row: int, digest: int) -> bool:
        """Return whether a row is known to be another one than when it began."""
        return row < len(self._digests) and self._digests[row] not in {0, digest}

    @property
    def not_done(self) -> dict[int, tuple[StepState, str]]:
        """How all those ended that did not succeed, skipped ones too, and why."""
        return {**self.failed, **dict.fromkeys(self.skipped, (StepState.SKIPPED, SKIPPED_BY_SOMEBODY))}

    def result(self, ended: StepResult, counts: RowCounts) -> StepResult:
        return ended._replace(result=self.results, rows=counts, failed_rows=self.not_done)

    def skipped_step(self) -> StepResult:
        """Return the result of their step when somebody skipped it: what they came to stays."""
        return self.result(StepResult(StepState.SKIPPED, None, SKIPPED_BY_SOMEBODY), self.counts())

    def counts(self, total: int | None = None, running: int = 0) -> RowCounts:
        return RowCounts(total, self.results.done, len(self.failed), running, len(self.skipped))
