"""What the Batch page needs of the rest of the program, as small protocols."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from tools.batch.plan import title_of

if TYPE_CHECKING:
    from console.batch.run_estimate import Known
    from tools.batch import BatchPlan, StepState


class SavedRun(NamedTuple):
    """A run that was written down.

    Attributes:
        journal: Where.
        plan: The plan's name.
        started_at: When it began.
        steps: How many steps it has.
        done: How many of them succeeded, or were skipped on purpose.
        failed: How many did not.
        unsure: How many may have run when the program ended.
        unsure_steps: The names of the first of these.
        is_over: Whether it came to its end.
        file: Where the plan stood; None when that was in no file, or is not told.
    """

    journal: Path
    plan: str
    started_at: datetime
    steps: int
    done: int
    failed: int
    unsure: int
    unsure_steps: tuple[str, ...] = ()
    is_over: bool = False
    file: Path | None = None

    @property
    def title(self) -> str:
        return title_of(self.plan, self.file)


class FailedRow(NamedTuple):
    """A row of a step that did not succeed.

    Attributes:
        row: Its number from 0 on.
        state: How it ended.
        error: Why.
    """

    row: int
    state: StepState
    error: str


class RunsPort(Protocol):
    """Run plans somewhere else than on the window's thread."""

    @property
    def goes_on(self) -> bool:
        """Whether a run has not come to its end."""
        ...

    async def asking(self, plan: BatchPlan, folder: Path, file: Path | None) -> Mapping[str, str]:
        """Return whether steps of a sound plan will ask before they run, in words, by name; others are left out."""
        ...

    async def known(self, plan: BatchPlan) -> Known:
        """Return what is known of the plan's tools: what calls take, and how many run at a time."""
        ...

    async def begin(
        self, plan: BatchPlan, folder: Path, parameters: Mapping[str, Any], *, file: Path | None = None
    ) -> None:
        """Run a plan from its beginning.

        Args:
            plan: The plan.
            folder: What its relative paths start from.
            parameters: What it is given.
            file: Where it stands; None before it is saved for the first time.

        Raises:
            PlanError: It does not fit the tools.
            HistoryError: The run cannot be written down.
        """
        ...

    async def reopen(self, kept: SavedRun) -> tuple[BatchPlan, Path]:
        """Hold a run that was written down, and return its plan and folder; nothing goes on before somebody says so.

        Raises:
            PlanError: It does not fit the tools any more.
            HistoryError: There is no such run.
        """
        ...

    async def tell(self, plan: BatchPlan, file: Path | None) -> None:
        """Tell of every step once more, if the run that is held is of this plan; otherwise let it go.

        Args:
            plan: The plan.
            file: Where it stands; None before it is saved for the first time.
        """
        ...

    async def kept(self, *, interrupted: bool) -> Sequence[SavedRun]:
        """Return the runs that were written down, the newest first.

        Args:
            interrupted: Only those that did not come to their end.
        """
        ...

    async def dismiss(self, journal: Path) -> None:
        """Offer a run no more that was interrupted; what came of it stays."""
        ...

    async def revise(self, plan: BatchPlan) -> None:
        """Let what runs from now on run as a changed plan says.

        Raises:
            CallStateError: Other steps are in it, or they wait for others; it has to run from its beginning.
        """
        ...

    async def pause(self) -> None:
        """Begin nothing more; what runs goes on to its end."""
        ...

    async def resume(self) -> None: ...

    async def cancel(self) -> None: ...

    async def cancel_step(self, step: str) -> None:
        """Stop one step."""
        ...

    async def skip(self, step: str) -> None:
        """Let those go on that wait for a step which did not succeed."""
        ...

    async def skip_rows(self, step: str) -> None:
        """Let a step count as done without its rows that did not succeed."""
        ...

    async def retry(self, step: str) -> None:
        """Run a step again, and what waits for it."""
        ...

    async def retry_failed(self) -> None:
        """Run everything again that failed."""
        ...

    async def rerun_from(self, step: str) -> None:
        """Run a step and everything that waits for it again."""
        ...

    async def told(self, plan: BatchPlan, step: str, most: int) -> StepInspection:
        """Return what a step is given and what came of it, as far as that is known.

        Args:
            plan: The plan as it stands.
            step: One of its steps.
            most: How many of its rows are told of at most.
        """
        ...

    async def export(self, kind: str, path: Path) -> None:
        """Write what came of the run for other programs, `json`, `csv`, `junit` or `dot`; nothing when there is none.

        Raises:
            OSError: The file cannot be written.
            HistoryError: What came of it cannot be read.
        """
        ...


class StepInspection(NamedTuple):
    """What is known of one step.

    Attributes:
        arguments: What it is given; what is not known yet stands there as the plan has it.
        later: The arguments of which some part is known only later.
        problems: What of them cannot be worked out.
        has_result: Whether there is a result.
        result: The result as JSON; of a step with rows, those of the first rows.
        failed_rows: The first of its rows that did not succeed.
    """

    arguments: Mapping[str, Any]
    later: Sequence[str] = ()
    problems: Sequence[str] = ()
    has_result: bool = False
    result: Any = None
    failed_rows: Sequence[FailedRow] = ()


class BatchMemoryPort(Protocol):
    """Remember what a person chose, from one start to the next."""

    @property
    def recent_plans(self) -> tuple[Path, ...]:
        """The plans opened last, latest first."""
        ...

    def add_recent_plan(self, path: Path) -> None:
        """Put a plan first."""
        ...

    def sizes(self, view: str) -> tuple[int, ...]:
        """Return sizes in logical pixels; empty when none were kept."""
        ...

    def set_sizes(self, view: str, sizes: tuple[int, ...]) -> None:
        """Keep sizes."""
        ...
