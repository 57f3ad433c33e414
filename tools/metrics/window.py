"""The newest runs of one tool, by number and by age.

Recording is one append to a queue, which needs no lock; whoever reads moves what is new into arrays first. Runs come in
the order of their ends, so that a span of time is a slice.
"""

from __future__ import annotations

import math
import threading
from collections import Counter, deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tools.calls import ErrorKind

if TYPE_CHECKING:
    import numpy as np

MOST_CALLS: Final = 1000
"""How many runs of a tool are kept unless somebody asks for more."""
_LEAST_ROOM: Final = 16
_SUCCESS: Final = 0
_KINDS: Final = tuple(ErrorKind)
_CODE_BY_KIND: Final = {kind: code for code, kind in enumerate(_KINDS, 1)}


class WaitTimes(NamedTuple):
    """What a run took beside one turn in the tool.

    Attributes:
        retries: How often the tool was started again.
        review_s: Seconds of waiting for a person.
        queued_s: Seconds of waiting for permits and places.
    """

    retries: int = 0
    review_s: float = 0.0
    queued_s: float = 0.0


_NO_WAITS: Final = WaitTimes()


@dataclass(frozen=True, slots=True)
class Runs:
    """Runs side by side, in the order of their ends, one array for each fact.

    Attributes:
        ended_s: When each ended, by the clock of who recorded it.
        elapsed_s: Seconds in the tool, without waiting for people and permits.
        failures: 0 for success, else which kind of failure.
        waits: What they took beside, together.
    """

    ended_s: np.ndarray[Any, Any]
    elapsed_s: np.ndarray[Any, Any]
    failures: np.ndarray[Any, Any]
    waits: WaitTimes

    @property
    def count(self) -> int:
        """Return how many they are."""
        return len(self.ended_s)

    def failures_by_kind(self) -> dict[ErrorKind, int]:
        """Return how many failed, by kind, the most frequent first."""
        failed = self.failures[self.failures != _SUCCESS]
        return dict(Counter(_KINDS[int(code) - 1] for code in failed).most_common())


class CallWindow:
    """Keep the newest runs of one tool. Written and read from any thread, and writing waits for nobody.

    Args:
        most_calls: How many runs are kept.
    """

    __slots__ = ("_count", "_ends", "_facts", "_lock", "_most", "_new", "_total", "_waits")

    def __init__(self, most_calls: int = MOST_CALLS) -> None:
        self._most = max(1, most_calls)
        self._new: deque[tuple[float, float, int, WaitTimes | None]] = deque(maxlen=self._most)
        # What follows belongs to the readers, who move the new runs there: the newest stand at the end of what is used.
        self._lock = threading.Lock()
        self._facts: np.ndarray[Any, Any] | None = None
        self._ends = 0
        self._count = 0
        self._total = 0
        self._waits: deque[tuple[int, WaitTimes]] = deque(maxlen=self._most)

    @property
    def has_new(self) -> bool:
        """Return whether a run was added since somebody last looked."""
        return bool(self._new)

    @property
    def newest_s(self) -> float | None:
        """Return when the newest run ended that somebody looked at; None for never."""
        return None if self._facts is None or not self._ends else float(self._facts[0, self._ends - 1])

    def add(
        self, ended_s: float, elapsed_s: float, failure: ErrorKind | None = None, waits: WaitTimes | None = None
    ) -> None:
        """Add one run; the oldest one goes when there is no more room.

        Args:
            ended_s: When it ended, by a clock that only grows.
            elapsed_s: Seconds in the tool, without waiting for people and permits.
            failure: What kind of failure it was; None when it succeeded.
            waits: What it took beside; None for nothing.
        """
        self._new.append((ended_s, elapsed_s, _SUCCESS if failure is None else _CODE_BY_KIND[failure], waits))

    def runs(self, since_s: float = 0.0, most_calls: int | None = None) -> Runs:
        """Return the runs of the window.

        Args:
            since_s: Only runs that ended at this reading of the clock or later.
            most_calls: Only that many of the newest; None for all that are kept.
        """
        with self._lock:
            facts = self._taken()
            count = self._count if most_calls is None else min(self._count, max(0, most_calls))
            first = self._ends - count
            first += int(facts[0, first : self._ends].searchsorted(since_s))
            ended_s, elapsed_s, failures = facts[:, first : self._ends].copy()
            oldest = self._total - (self._ends - first)
            waits = [wait for number, wait in self._waits if number >= oldest]
        return Runs(ended_s, elapsed_s, failures, _together(waits))

    def _taken(self) -> np.ndarray[Any, Any]:
        """Move what is new to the readers' side, and return all."""
        # Who never looks at numbers does not wait for the import.
        import numpy as np  # noqa: PLC0415

        new = [self._new.popleft() for _ in range(len(self._new))]
        if self._facts is None or self._ends + len(new) > self._facts.shape[1]:
            room = np.empty((3, max(_LEAST_ROOM, 2 * min(self._most, self._count + len(new))) + len(new)))
            if self._facts is not None:
                room[:, : self._count] = self._facts[:, self._ends - self._count : self._ends]
            self._facts, self._ends = room, self._count
        if new:
            end = self._ends + len(new)
            self._facts[:, self._ends : end] = np.array([run[:3] for run in new]).T
            numbered = enumerate(new, self._total)
            self._waits.extend((number, run[3]) for number, run in numbered if run[3] is not None)
            self._total += len(new)
            self._ends, self._count = end, min(self._count + len(new), self._most)
        return self._facts


def _together(waits: list[WaitTimes]) -> WaitTimes:
    if not waits:
        return _NO_WAITS
    retries, review_s, queued_s = zip(*waits, strict=True)
    return WaitTimes(sum(retries), math.fsum(review_s), math.fsum(queued_s))
