"""Where the results of a run are kept, and how its calls ended."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple, Protocol, overload

from tools.batch.result import RowCounts, StepResult
from tools.batch.states import StepState
from tools.spec import MISSING

_NOWHERE: Final = -1


class Ended(NamedTuple):
    """How a call of a step ended.

    Attributes:
        state: How.
        value: The result as JSON; None when there is none.
        error: Why it did not succeed; empty when it did.
        elapsed_s: Seconds it took.
        attempts: How many calls it took.
        call: The id of the last call; empty when none was made.
        shown: The result as people may see it; `MISSING` when they may see it as it is.
        review_s: The part of the time in which nothing of it ran because a person was asked.
    """

    state: StepState
    value: Any = None
    error: str = ""
    elapsed_s: float = 0.0
    attempts: int = 0
    call: str = ""
    shown: Any = MISSING
    review_s: float = 0.0

    def result(self) -> StepResult:
        """Return the result of a step without rows that ended so."""
        state, error = self.state, self.error or None
        return StepResult(
            state.succeeded,
            self.value,
            error,
            state,
            self.elapsed_s,
            self.attempts,
            shown=self.shown,
            review_s=self.review_s,
        )

    def result_of(self, rows: RowStates, counts: RowCounts) -> StepResult:
        """Return the result of a step with rows that ended so."""
        return self.result()._replace(result=rows.results, rows=counts, failed_rows=dict(rows.failed))


class Values(Protocol):
    """Results by the place where they are kept."""

    def value_at(self, place: int, *, shown: bool = False) -> Any:
        """Return a result, as it is or as people may see it."""


class ResultStore(Values, Protocol):
    """Keep the begin and the end of each call.

    Attributes:
        outlives_program: Whether the results can be read after the program died.
    """

    outlives_program: bool

    def begin(self, step: str, row: int | None, digest: int = 0, waited_s: float = 0.0, *, once: bool = False) -> None:
        """Write down that a call begins.

        Args:
            step: The step.
            row: The number of its row, from 0 on; None when it has none.
            digest: The number by which the row is recognised.
            waited_s: For how many seconds the call waited before.
            once: Whether it must not be made twice.
        """

    def end(self, step: str, row: int | None, ended: Ended) -> int:
        """Write down how a call ended; return the place of its result."""

    @property
    def waiting_begins(self) -> Sequence[tuple[str, int | None]]:
        """The calls, each a step and the number of its row, whose begin is not written yet."""

    def write_begins(self, calls: Iterable[tuple[str, int | None]]) -> None:
        """Write down that calls have begun; those that ended meanwhile stand there already."""

    async def settle(self) -> None:
        """Return when the lines so far survive a power cut."""


class MemoryResultStore:
    """Keep results as long as the run lasts, and nothing else."""

    outlives_program = False
    waiting_begins = ()

    def write_begins(self, calls: Iterable[tuple[str, int | None]]) -> None:
        """Write nothing: no begin waits."""

    def __init__(self) -> None:
        self._ended: list[Ended] = []

    def begin(self, step: str, row: int | None, digest: int = 0, waited_s: float = 0.0, *, once: bool = False) -> None:
        """Keep nothing: a run in memory is not resumed."""

    def end(self, step: str, row: int | None, ended: Ended) -> int:
        """Keep the result."""
        del step, row
        self._ended.append(ended)
        return len(self._ended) - 1

    def value_at(self, place: int, *, shown: bool = False) -> Any:
        """Return a result, as it is or as people may see it."""
        ended = self._ended[place]
        return ended.shown if shown and ended.shown is not MISSING else ended.value

    async def settle(self) -> None:
        """Return at once."""


class RowResults(Sequence[Any]):
    """The results of a step's rows, read when they are asked for; None for a row that did not succeed."""

    def __init__(self, store: Values) -> None:
        self._store = store
        self._is_shown = False
        self._places = array("q")

    @property
    def shown(self) -> RowResults:
        """The same results as people may see them."""
        shown = RowResults(self._store)
        shown._places, shown._is_shown = self._places, True
        return shown

    def put(self, row: int, place: int | None) -> None:
        """Set the place of a row's result; None when there is none."""
        while len(self._places) <= row:
            self._places.append(_NOWHERE)
        self._places[row] = _NOWHERE if place is None else place

    def has(self, row: int) -> bool:
        return row < len(self._places) and self._places[row] != _NOWHERE

    def __len__(self) -> int:
        """Return how many rows there are so far."""
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
        results: The results of those that succeeded.
        failed: The others, and why; those that a person skipped are among them.
    """

    def __init__(self, store: Values) -> None:
        self.results = RowResults(store)
        self.failed: dict[int, tuple[StepState, str]] = {}
        self._digests = array("Q")

    def recognise(self, row: int, digest: int) -> None:
        """Set the number by which a row is recognised; 0 when none was written down."""
        while len(self._digests) <= row:
            self._digests.append(0)
        self._digests[row] = digest

    def has_ended(self, row: int) -> bool:
        """Return whether a row ended, be it well or badly."""
        return row in self.failed or self.results.has(row)

    def has_changed(self, row: int, digest: int) -> bool:
        """Return whether a row is known to be another one than when it began."""
        return row < len(self._digests) and self._digests[row] not in {0, digest}

    @property
    def counts(self) -> RowCounts:
        """How many there are of each."""
        done = sum(self.results.has(row) for row in range(len(self.results)))
        skipped = sum(state is StepState.SKIPPED for state, _ in self.failed.values())
        return RowCounts(None, done, len(self.failed) - skipped, 0, skipped)
