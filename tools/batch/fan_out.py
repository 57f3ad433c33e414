"""`FanOut`: the rows of one step while it runs; which comes next, which are under way, how they ended."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tools.batch.expressions import worked_out
from tools.batch.result import StepState
from tools.batch.rows import RowError, open_rows

if TYPE_CHECKING:
    from tools.batch.result import RowCounts, StepResult
    from tools.batch.result_store import RowStates
    from tools.batch.rows import RowSource
    from tools.batch.steps import ReadyStep

CANCELLED: Final = "somebody cancelled it"
_CHANGED: Final = (
    "is not the one that ended in an earlier part of the run: the rows have changed. "
    "Put them back as they were, or run the step from its beginning"
)
_AHEAD: Final = 256
"""Rows that are read at a time; the rows that are read and not begun are all that is held of them."""
_DIGEST_BYTES: Final = 7


def row_digest(row: Any) -> int:
    """Return a number by which a row is recognised; never 0."""
    text = json.dumps(row, ensure_ascii=False, sort_keys=True, default=str)
    return 1 + int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_DIGEST_BYTES).digest())


class FanOutRow(NamedTuple):
    """A row that is to run.

    Attributes:
        number: Its number, from 0 on.
        value: The row.
        digest: The number by which it is recognised.
    """

    number: int
    value: Any
    digest: int


class FanOut:
    """Hand out the rows of a step, and count them.

    Rows are known by their numbers. Where some ended before, all are compared before any is handed out: if the file
    had changed, some rows would be done twice, and some never.

    Args:
        source: The rows.
        states: How rows ended before, which are not handed out again; it is kept up to date.
        known_by: The field that tells a row from others; empty compares the whole row.

    Attributes:
        states: How the rows ended.
        running: The rows that are under way.
        total: How many there are; None while that is unknown.
        is_stopped: Whether some were not to run to their end.
        broken: Why the rest of the rows could not be read; empty when they could.
    """

    def __init__(self, source: RowSource, states: RowStates, known_by: str = "") -> None:
        self.states = states
        self.running: set[int] = set()
        self.total = source.total
        self.is_stopped = False
        self.broken = ""
        self._known_by = known_by
        self._rows = enumerate(self._read(source))
        self._ahead: deque[tuple[int, Any]] = deque()
        self._seen = 0
        self._is_read = False

    @property
    def is_over(self) -> bool:
        return self._is_read and not self._ahead and not self.running

    @property
    def counts(self) -> RowCounts:
        """How the rows ended so far, those of an earlier part of the run too."""
        return self.states.counts(self.total, len(self.running))

    def _read(self, source: RowSource) -> Iterator[Any]:
        last = len(self.states.results) - 1
        if last >= 0:
            self._compare(source, last)
        yield from source.read()

    def _compare(self, source: RowSource, last: int) -> None:
        """Compare the rows with those that ended, up to the last of these.

        Raises:
            RowError: When one has changed, or is gone.
        """
        number = -1
        for number, row in enumerate(islice(source.read(), last + 1)):
            if self.states.has_ended(number) and self.states.has_changed(number, self._digest(row)):
                raise RowError(f"row {number + 1} {_CHANGED}")
        gone = next(filter(self.states.has_ended, range(number + 1, last + 1)), None)
        if gone is not None:
            raise RowError(f"row {gone + 1} {_CHANGED}")

    def _digest(self, row: Any) -> int:
        return row_digest(row[self._known_by] if self._known_by else row)

    async def next_row(self) -> FanOutRow | None:
        while True:
            while self._ahead:
                number, row = self._ahead.popleft()
                if not self.states.has_ended(number):
                    self.running.add(number)
                    digest = self._digest(row)
                    self.states.recognise(number, digest)
                    return FanOutRow(number, row, digest)
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

    def end(self, number: int, ended: StepResult, place: int) -> None:
        """Record how a row ended, and the place of its result."""
        self.running.discard(number)
        self.states.end(number, ended.state, ended.error, place)

    def ended(self) -> tuple[StepState, str | None]:
        """Return how the step ended, once every row has, and why not well."""
        failed = self.states.failed
        if self.is_stopped:
            return StepState.CANCELLED, CANCELLED
        if self.broken:
            return StepState.FAILED, self.broken
        if not failed:
            return StepState.DONE, None
        states = {state for state, _ in failed.values()}
        first = min(failed)
        why = f"{len(failed)} of {self.total} rows did not succeed; row {first + 1}: {failed[first][1]}"
        return states.pop() if len(states) == 1 else StepState.FAILED, why

    def stop(self) -> None:
        """Hand out no more."""
        # Stopped twice it stays stopped: rows that are still being read count as read from the first time on.
        self.is_stopped = self.is_stopped or not self._is_read or bool(self._ahead or self.running)
        self._is_read = True
        self._ahead.clear()


def fan_out_of(ready: ReadyStep, variables: Mapping[str, Any], folder: Path, states: RowStates) -> FanOut:
    """Return the rows of a step, read from their beginning.

    Raises:
        RowError: When there are none to be read.
        ExpressionError: When they cannot be worked out.
    """
    rows = ready.step.rows
    assert rows is not None  # noqa: S101 -- the caller has looked
    source = open_rows(rows, folder, worked_out(ready.rows, variables))
    # The contents of a file may change while the tool works at it; its path does not.
    return FanOut(source, states, known_by="" if rows.files is None else "path")
