"""The rows of one step while it runs: which comes next, which are under way, how they ended."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Iterator
from hashlib import blake2b
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tools.batch.journal import Ended
from tools.batch.result import RowCounts
from tools.batch.rows import RowError
from tools.batch.states import StepState

if TYPE_CHECKING:
    from tools.batch.journal import PastRows
    from tools.batch.rows import RowSource

_CHANGED: Final = (
    "is not the one that ended in an earlier part of the run: the rows have changed. "
    "Put them back as they were, or run the step from its beginning"
)
_AHEAD: Final = 256
"""Rows that are read at a time; what is read and not begun is all that is held of them."""
_MARK_BYTES: Final = 7


def mark_of(row: Any) -> int:
    """Return a number by which a row is known again; never 0."""
    text = json.dumps(row, ensure_ascii=False, sort_keys=True, default=str)
    return 1 + int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_MARK_BYTES).digest())


class Taken(NamedTuple):
    """A row that is to run.

    Attributes:
        number: Its number, from 0 on.
        row: The row.
        mark: By what it is known again.
    """

    number: int
    row: Any
    mark: int


class Rowing:
    """Hand out the rows of a step, and count them.

    Rows are known by their numbers. Where some ended before, all are looked at before any is handed out: were they
    others by now, some would be done twice, and some never.

    Args:
        source: The rows.
        past: Rows that ended before, which are not handed out again; it is kept up to date.
        known_by: What of a row tells it from others; empty when all of it does.

    Attributes:
        past: How the rows ended.
        running: The rows that are under way.
        total: How many there are; None while nobody knows.
        is_stopped: Whether some were not to run to their end.
        broken: Why the rest of the rows could not be read; empty when they could.
    """

    def __init__(self, source: RowSource, past: PastRows, known_by: str = "") -> None:
        self.past = past
        self._known_by = known_by
        self.running: set[int] = set()
        self.total = source.total
        self.is_stopped = False
        self.broken = ""
        self._done = 0
        self._failed = 0
        self._skipped = 0
        self._rows = enumerate(self._read(source))
        self._ahead: deque[tuple[int, Any]] = deque()
        self._seen = 0
        self._is_read = False

    @property
    def is_over(self) -> bool:
        """Whether every row has ended."""
        return self._is_read and not self._ahead and not self.running

    @property
    def counts(self) -> RowCounts:
        """How the rows ended so far."""
        return RowCounts(self.total, self._done, self._failed, len(self.running), self._skipped)

    def _read(self, source: RowSource) -> Iterator[Any]:
        last = max((*self.past.failed, len(self.past.results) - 1), default=-1)
        if last >= 0:
            self._compare(source, last)
        yield from source.read()

    def _compare(self, source: RowSource, last: int) -> None:
        """Compare the rows with those that ended, up to the last of these.

        Raises:
            RowError: When one is another by now, or gone.
        """
        number = -1
        for number, row in enumerate(islice(source.read(), last + 1)):
            if self.past.has_ended(number) and self.past.is_another(number, self._mark(row)):
                msg = f"row {number + 1} {_CHANGED}"
                raise RowError(msg)
        gone = next(filter(self.past.has_ended, range(number + 1, last + 1)), None)
        if gone is not None:
            msg = f"row {gone + 1} {_CHANGED}"
            raise RowError(msg)

    def _mark(self, row: Any) -> int:
        return mark_of(row[self._known_by] if self._known_by else row)

    async def take(self) -> Taken | None:
        """Return the next row that is to run; None when there is none left."""
        while True:
            while self._ahead:
                number, row = self._ahead.popleft()
                ended = self.past.failed.get(number)
                if ended is not None:
                    self.past.results.put(number, None)
                    self._count(ended[0])
                elif self.past.results.has(number):
                    self._done += 1
                else:
                    self.running.add(number)
                    mark = self._mark(row)
                    self.past.mark(number, mark)
                    return Taken(number, row, mark)
            if self._is_read:
                return None
            try:
                piece = await asyncio.to_thread(lambda: list(islice(self._rows, _AHEAD)))
            except RowError as error:
                self.broken = str(error)
                self._is_read = True
                return None
            if self.is_stopped:
                return None
            self._ahead.extend(piece)
            self._seen += len(piece)
            if len(piece) < _AHEAD:
                self._is_read = True
                self.total = self._seen

    def end(self, number: int, ended: Ended, place: int) -> None:
        """Take note how a row ended, and where its result is."""
        self.running.discard(number)
        if ended.state.succeeded:
            self._done += 1
            self.past.results.put(number, place)
        else:
            self._count(ended.state)
            self.past.results.put(number, None)
            self.past.failed[number] = ended.state, ended.error

    def count_again(self) -> None:
        """Count the rows as they stand now that somebody decided about those that did not succeed."""
        self._failed = self._skipped = 0
        for state, _ in self.past.failed.values():
            self._count(state)

    def ended(self, elapsed_s: float) -> Ended:
        """Return how the step ended, after so many seconds, once every row has."""
        failed = {row: why for row, why in self.past.failed.items() if why[0] is not StepState.SKIPPED}
        if self.is_stopped:
            return Ended(StepState.CANCELLED, None, "somebody cancelled it", elapsed_s)
        if self.broken:
            return Ended(StepState.FAILED, None, self.broken, elapsed_s)
        if not failed:
            return Ended(StepState.DONE, None, "", elapsed_s)
        first = min(failed)
        states = {state for state, _ in failed.values()}
        state = states.pop() if len(states) == 1 else StepState.FAILED
        said = f"{len(failed)} of {self.total} rows did not succeed; row {first + 1}: {failed[first][1]}"
        return Ended(state, None, said, elapsed_s)

    def stop(self) -> None:
        """Hand out no more."""
        # Stopped twice it stays stopped: what is still being read counts as read from the first time on.
        self.is_stopped = self.is_stopped or not self._is_read or bool(self._ahead or self.running)
        self._is_read = True
        self._ahead.clear()

    def _count(self, state: StepState) -> None:
        if state is StepState.SKIPPED:
            self._skipped += 1
        else:
            self._failed += 1
