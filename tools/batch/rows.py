"""The rows that a step is repeated over: read one at a time, handed out, and recognised when a run goes on."""

from __future__ import annotations

import asyncio
import csv
import json
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tools.batch.clock import ReviewClock
from tools.batch.expressions import worked_out
from tools.batch.plan import Rows
from tools.batch.result import StepState
from tools.spec import MISSING

if TYPE_CHECKING:
    from tools.batch.result import RowCounts, RowStates, StepResult
    from tools.batch.steps import ReadyStep

_PIECE: Final = 1 << 16
_LARGEST_LOOKED_INTO_BYTES: Final = 4_000_000
"""A list in a JSON file has to be read whole before its first item is known."""
Reader = Callable[[], Iterator[Any]]


class RowSource(NamedTuple):
    """Rows that can be read from the beginning as often as needed.

    Attributes:
        total: How many there are; None when only reading tells.
    """

    read: Reader
    total: int | None = None


class RowError(Exception):
    """Report rows that cannot be read; the message says which and why."""


def open_rows(rows: Rows, folder: Path, values: Any = None) -> RowSource:
    """Return the rows of a step.

    Raises:
        RowError: When there is no such file, or what should be a list is none.
    """
    if rows.csv is not None:
        path = _existing(folder, rows.csv)
        return RowSource(lambda: _csv_rows(path))
    if rows.json_file is not None:
        path = _existing(folder, rows.json_file)
        return RowSource(lambda: _json_rows(path))
    if rows.files is not None:
        return _file_rows(folder, rows.files)
    if not isinstance(values, list):
        came = "nothing" if values is None else f"a {type(values).__name__}"
        raise RowError(f"expected a list of rows from {rows.values!r:.80}, got {came}")
    found = list(values)
    return RowSource(lambda: iter(found), len(found))


def first_row(rows: Rows, folder: Path) -> Any:
    """Return the first row of a file, or the first file; MISSING when there is none, or finding out takes long.

    Raises:
        RowError: When there is no such file, or it cannot be read.
    """
    if rows.json_file is not None and (folder / rows.json_file).is_file():
        path = folder / rows.json_file
        if path.stat().st_size > _LARGEST_LOOKED_INTO_BYTES:
            return MISSING
    return next(open_rows(rows, folder).read(), MISSING)


def missing_file(rows: Rows, folder: Path) -> str:
    """Return the file that rows are to come from, as the plan calls it; empty when it is there, or there is none."""
    name = rows.csv or rows.json_file
    return name if name and not (folder / name).is_file() else ""


def _existing(folder: Path, name: str) -> Path:
    path = folder / name
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "is not there"
        raise RowError(f"{name} {what}; expected a file with rows at {path}")
    return path


def _why(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "it is no text in UTF-8; save it as such"
    if isinstance(error, csv.Error) and "field limit" in str(error):
        # The whole process shares that limit, and others rely on it.
        return f"a cell has more than {csv.field_size_limit():,} letters; put long texts into files of their own"
    return "it is nested too deeply" if isinstance(error, RecursionError) else str(error)


def _csv_rows(path: Path) -> Iterator[dict[str, str]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, strict=True)
            names = next(filter(None, reader), None)
            if names is None:
                raise RowError(f"{path}: expected a heading with the names of the columns, got an empty file")
            if len(set(names)) != len(names):
                raise RowError(f"{path}: expected a heading whose names differ, got {', '.join(names)}")
            for cells in reader:
                if not cells:
                    continue
                if len(cells) != len(names):
                    raise RowError(f"{path}, line {reader.line_num}: expected {len(names)} cells, got {len(cells)}")
                yield dict(zip(names, cells, strict=True))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise RowError(f"{path} cannot be read as CSV: {_why(error)}") from error


def _json_rows(path: Path) -> Iterator[Any]:
    try:
        with path.open(encoding="utf-8-sig") as file:
            beginning = file.read(_PIECE).lstrip()
            file.seek(0)
            if beginning.startswith("["):
                yield from json.load(file)
                return
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield _json_line(line, path, number)
    except (OSError, ValueError, RecursionError) as error:
        raise RowError(f"{path} cannot be read as JSON: {_why(error)}") from error


def _json_line(line: str, path: Path, number: int) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise RowError(
            f"{path}, line {number}: expected a list of rows, or one JSON value a line: {_why(error)}"
        ) from error


def _file_rows(folder: Path, pattern: str) -> RowSource:
    anchor = Path(pattern).anchor
    begin = Path(anchor) if anchor else folder
    try:
        found = sorted(path for path in begin.glob(pattern.removeprefix(anchor)) if path.is_file())
    except (ValueError, OSError) as error:
        raise RowError(f"{pattern!r} is no pattern of file names: {error}") from error

    def read() -> Iterator[dict[str, Any]]:
        for path in found:
            try:
                size_bytes = path.stat().st_size
            except OSError as error:
                raise RowError(
                    f"{path} was there when the step began, and cannot be read any more: {error.strerror or error}"
                ) from error
            yield {"path": str(path), "name": path.name, "size_bytes": size_bytes}

    return RowSource(read, len(found))


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
        digest: The number by which it is recognised.
        clock: Counts for how long its step waits for a person.
    """

    number: int
    value: Any
    digest: int
    clock: ReviewClock


class FanOut:
    """Hand out the rows of a step, and count them.

    Rows are known by their numbers. Where some ended before, all are compared before any is handed out: if the file
    had changed, some rows would be done twice, and some never.

    Args:
        states: How rows ended before, which are not handed out again; it is kept up to date.
        known_by: The field that tells a row from others; empty compares the whole row.

    Attributes:
        total: How many there are; None while that is unknown.
        clock: Counts for how long none of them ran because a person was asked.
        is_stopped: Whether some were not to run to their end.
        broken: Why the rest of the rows could not be read; empty when they could.
    """

    def __init__(self, source: RowSource, states: RowStates, known_by: str = "") -> None:
        self.states = states
        self.running: set[int] = set()
        self.total = source.total
        self.clock = ReviewClock()
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
                    return FanOutRow(number, row, digest, self.clock)
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
