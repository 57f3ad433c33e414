"""Steps taken further: what one looks at is gathered, whether it is to run is seen, its call or next row is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, Protocol

from tools.batch.expressions import ExpressionError
from tools.batch.journal import Ended
from tools.batch.listener import BatchListener
from tools.batch.rows import RowError
from tools.batch.states import StepState

if TYPE_CHECKING:
    from tools.batch.listener import Telling
    from tools.batch.performing import Performer, ReadyStep
    from tools.batch.rowing import Rowing
    from tools.batch.schedule import Schedule
    from tools.batch.scopes import Scopes
    from tools.batch.step_rows import StepRows

CANCELLED: Final = "somebody cancelled it"
_NOTHING: Final[Mapping[str, Any]] = {}


class _EndsSteps(Protocol):
    def __call__(self, name: str, ended: Ended, *, is_written: bool = False) -> None:
        """Take note how a step ended, and whether that is on record already."""


class Stepper:
    """Advance steps: each call of `advance` makes one call of a step, or of its next row, and ends the step after it.

    Args:
        steps: All steps, by name.
        schedule: Knows how far they are.
        scopes: Gather what they look at.
        rows: Their rows.
        performer: Makes the calls.
        tell: Tells who listens.
        end: Told how a step ended.
        wake: Called when there is more to do.
    """

    def __init__(
        self,
        steps: Mapping[str, ReadyStep],
        schedule: Schedule,
        scopes: Scopes,
        rows: StepRows,
        performer: Performer,
        *,
        tell: Telling,
        end: _EndsSteps,
        wake: Callable[[], None],
    ) -> None:
        self._steps = steps
        self._schedule = schedule
        self._scopes = scopes
        self._rows = rows
        self._performer = performer
        self._tell = tell
        self._end = end
        self._wake = wake
        self._began_s: dict[str, float] = {}

    async def advance(self, name: str) -> None:
        """Make the call of a step, or of its next row."""
        ready = self._steps[name]
        if ready.is_plain:
            self._tell_start(name)
            ended, _ = await self._performer.perform(ready, None, _NOTHING)
            self._end(name, ended, is_written=True)
            return
        try:
            if name not in self._scopes and not await self._begin(ready):
                return
            scope = self._scopes[name]
            if ready.step.rows is not None:
                await self._advance_row(ready, scope)
                return
        except (ExpressionError, RowError) as error:
            self._end(name, Ended(StepState.FAILED, None, str(error)))
            return
        ended, _ = await self._performer.perform(ready, None, scope)
        self._end(name, ended, is_written=True)

    async def _begin(self, ready: ReadyStep) -> bool:
        """Gather what a step looks at; return whether it is to run."""
        name = ready.name
        self._began_s[name] = perf_counter()
        if not await self._scopes.gather(ready):
            self._end(name, Ended(StepState.CANCELLED, None, CANCELLED))
            return False
        if ready.condition is not None and not ready.condition.value(self._scopes[name]):
            why = f"its condition does not hold: {ready.step.condition}"
            self._end(name, Ended(StepState.SKIPPED, None, why))
            return False
        self._tell_start(name)
        return True

    def _tell_start(self, name: str) -> None:
        if self._tell.is_heard:
            self._tell(BatchListener.on_state_change, name, StepState.RUNNING, "")
            self._tell(BatchListener.on_tool_start, name)

    async def _advance_row(self, ready: ReadyStep, scope: Mapping[str, Any]) -> None:
        name = ready.name
        rowing = self._rows.open(ready, scope)
        taken = await rowing.take()
        if taken is not None:
            number, row, mark = taken
            self._schedule.share(name)
            self._wake()
            ended, place = await self._performer.perform(ready, number, {**scope, "row": row, "index": number}, mark)
            rowing.end(number, ended, place)
            if self._tell.is_heard:
                counts = rowing.counts
                done = counts.done + counts.failed + counts.skipped
                self._tell(BatchListener.on_row_complete, name, number, ended.state, done, counts.total)
        self._end_rows(name, rowing)

    def stop_rows(self, name: str) -> None:
        """Begin no further row of a step that runs; it ends with those that are under way."""
        rowing = self._rows.begun.get(name)
        if rowing is not None:
            rowing.stop()
            self._end_rows(name, rowing)

    def _end_rows(self, name: str, rowing: Rowing) -> None:
        """End a step if its last row has; once, whoever comes last."""
        if rowing.is_over and self._rows.begun.get(name) is rowing and not self._schedule.states[name].ended:
            ended = rowing.ended(perf_counter() - self._began_s[name])
            self._end(name, ended._replace(review_s=self._performer.review_s(name)))
