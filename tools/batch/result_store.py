"""Where the results of a run are kept, and how its calls ended."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import Any, Final, Protocol, overload

from tools.batch.result import RowCounts, StepResult, StepState

SKIPPED_BY_SOMEBODY: Final = "somebody skipped it"
_NOWHERE: Final = -1


class Values(Protocol):
    """Results by the place where they are kept."""

    def value_at(self, place: int, *, shown: bool = False) -> Any:
        """Return a result, as it is or as people may see it."""


class ResultStore(Values, Protocol):
    """Keep the begin and the end of each call: of a step, and of its row from 0 on, None for a step without rows."""

    def begin(self, step: str, row: int | None, digest: int = 0) -> None:
        """Keep that a call begins that may be made again; the digest is the number by which its row is recognised."""

    async def begin_once(self, step: str, row: int | None, digest: int, waited_s: float) -> None:
        """Keep that a call begins that must not be made twice, and return when that survives a power cut.

        It waited for so many seconds before.
        """

    def end(self, step: str, row: int | None, ended: StepResult) -> int:
        """Keep how a call ended; return the place of its result."""

    async def settle(self) -> None:
        """Return when what was kept so far survives a power cut."""


class MemoryResultStore:
    """Keep results as long as the run lasts, and nothing else: a run in memory is not resumed."""

    def __init__(self) -> None:
        self._ended: list[StepResult] = []

    def begin(self, step: str, row: int | None, digest: int = 0) -> None:
        """Keep nothing."""

    async def begin_once(self, step: str, row: int | None, digest: int, waited_s: float) -> None:
        """Keep nothing."""

    def end(self, step: str, row: int | None, ended: StepResult) -> int:
        del step, row
        self._ended.append(ended)
        return len(self._ended) - 1

    def value_at(self, place: int, *, shown: bool = False) -> Any:
        found = self._ended[place]
        return found.display if shown else found.result

    async def settle(self) -> None:
        """Return at once."""


class RowResults(Sequence[Any]):
    """The results of a step's rows, read when they are asked for; None for a row that did not succeed.

    Attributes:
        done: How many succeeded.
    """

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
        results: The results of those that succeeded.
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
        """Let the step go on without rows that did not succeed."""
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
        """Return the result of their step, which ended so."""
        return ended._replace(result=self.results, rows=counts, failed_rows=self.not_done)

    def skipped_step(self) -> StepResult:
        """Return the result of their step when somebody skipped it: what they came to stays."""
        return self.result(StepResult(StepState.SKIPPED, None, SKIPPED_BY_SOMEBODY), self.counts())

    def counts(self, total: int | None = None, running: int = 0) -> RowCounts:
        """Return how many there are of each."""
        return RowCounts(total, self.results.done, len(self.failed), running, len(self.skipped))
