"""The rows of all steps of a run: those that are under way, and those that an earlier part of it came to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tools.batch.expressions import worked_out
from tools.batch.journal import PastRows
from tools.batch.rowing import Rowing
from tools.batch.rows import open_rows
from tools.batch.states import StepState

if TYPE_CHECKING:
    from pathlib import Path

    from tools.batch.journal import Keeper
    from tools.batch.performing import ReadyStep


class StepRows:
    """Keep how far the rows of each step are.

    Args:
        keeper: Keeps their results.
        folder: What relative paths start from.
        past: How rows ended in an earlier part of the run, by step.

    Attributes:
        begun: How far they are, by step; of those steps that began in this part of the run.
    """

    def __init__(self, keeper: Keeper, folder: Path, past: Mapping[str, PastRows]) -> None:
        self.begun: dict[str, Rowing] = {}
        self._past = dict(past)
        self._keeper = keeper
        self._folder = folder

    def open(self, ready: ReadyStep, scope: Mapping[str, Any]) -> Rowing:
        """Return the rows of a step that runs, read from their beginning when it is the first time.

        Raises:
            RowError: When there are none to be read.
            ExpressionError: When they cannot be worked out.
        """
        name = ready.name
        rowing = self.begun.get(name)
        if rowing is None:
            rows = ready.step.rows
            assert rows is not None  # noqa: S101 -- who calls has looked
            source = open_rows(rows, self._folder, worked_out(ready.rows, scope))
            past = self._past.pop(name, None) or PastRows(self._keeper)
            # What is in a file may change while the tool works at it.
            rowing = self.begun[name] = Rowing(source, past, known_by="" if rows.files is None else "path")
        return rowing

    def of(self, name: str) -> PastRows | None:
        """Return how rows of a step ended; None when none has begun."""
        return self.begun[name].past if name in self.begun else self._past.get(name)

    def are_over(self, name: str) -> bool:
        """Return whether every row of a step ended in this part of the run."""
        rowing = self.begun.get(name)
        return rowing is not None and rowing.is_over and not rowing.is_stopped and not rowing.broken

    def forget(self, name: str) -> None:
        """Let a step begin with its first row."""
        self.begun.pop(name, None)
        self._past.pop(name, None)

    def put_back(self, name: str) -> list[int]:
        """Let the rows of a step run again that did not succeed and that nobody skipped; return which these are."""
        past = self.of(name)
        self.forget(name)
        if past is None:
            return []
        self._past[name] = past
        rows = [row for row, (state, _) in past.failed.items() if state is not StepState.SKIPPED]
        for row in rows:
            del past.failed[row]
        return rows

    def stop(self) -> None:
        """Hand out none any more."""
        for rowing in self.begun.values():
            rowing.stop()

    @property
    def unsure(self) -> list[str]:
        """The steps with rows that may have run, and that nobody has decided about."""
        some = dict.fromkeys((*self._past, *self.begun))
        return [name for name in some if any(state is StepState.MAY_HAVE_RUN for state, _ in self._failed(name))]

    def _failed(self, name: str) -> list[tuple[StepState, str]]:
        rows = self.of(name)
        return [] if rows is None else list(rows.failed.values())
