"""The Batch page: made when the person first wants to see it, with the run behind it, and how far that is in words."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from PySide6.QtCore import QObject, Signal, Slot

from console.call_storage import CallStorage
from console.engine import Engine
from console.language import in_sentence, tr, tr_count
from console.lazy_page import LazyPage
from console.preferences import Preferences
from console.tasks import TaskScope
from console.tool_list import ToolList
from console.widgets.formats import format_count
from tools.execution.executor import Executor

if TYPE_CHECKING:
    from console.batch.document_presenter import OpenPlan
    from console.batch.parts import BatchParts
    from console.batch.rows import RunUpdate
    from tools.batch import BatchPlan

_LEFT: Final = ("queued", "running", "waiting for you", "blocked")


class RunProgress(NamedTuple):
    """How far a run is.

    Attributes:
        over: How many of them are over, however they ended.
        asks: Whether the person is asked about the whole plan.
        looking: How far the look is at what would be asked, in words; empty when nobody looks.
        unsure: How many may have run, so that somebody has to look.
    """

    plan: str = ""
    steps: int = 0
    over: int = 0
    done: int = 0
    failed: int = 0
    waiting: int = 0
    asks: bool = False
    looking: str = ""
    unsure: int = 0

    @property
    def words(self) -> str:
        if self.asks:
            return tr("{plan}: waits for your answer", plan=self.plan)
        if self.looking:
            return f"{self.plan}: {in_sentence(self.looking)}"
        words = [
            tr(
                "{plan}: {over} of {steps} steps",
                plan=self.plan,
                over=format_count(self.over),
                steps=format_count(self.steps),
            ),
            *self._bad,
        ]
        return ", ".join(words)

    @property
    def troubles(self) -> str:
        """What somebody has to look at, in sentences; empty when there is nothing."""
        return " ".join(f"{words}." for words in self._bad)

    @property
    def _bad(self) -> list[str]:
        failed = [tr("{count:,} failed", count=self.failed)] if self.failed else []
        return [*failed, tr("{count:,} may have run", count=self.unsure)] if self.unsure else failed

    @property
    def sentence(self) -> str:
        """How far it is, for people who are asked what becomes of it."""
        words = [
            tr_count(
                self.steps,
                "{plan}: {over:,} of {count:,} step is over.",
                "{plan}: {over:,} of {count:,} steps are over.",
                plan=self.plan,
                over=self.over,
            )
        ]
        if self.looking:
            words.append(f"{self.looking}.")
        if self.troubles:
            words.append(self.troubles)
        if self.asks:
            words.append(tr("It waits for your answer about the whole plan."))
        if self.waiting:
            words.append(tr_count(self.waiting, "1 waits for your answer.", "{count:,} wait for your answer."))
        return " ".join(words)


def end_words(progress: RunProgress) -> str:
    """Say how a run ended."""
    if progress.failed:
        return tr("{plan} failed", plan=progress.plan)
    if progress.unsure:
        return tr("{plan} ended, and needs you to look", plan=progress.plan)
    return (
        tr("{plan} is done", plan=progress.plan)
        if progress.done == progress.steps
        else tr("{plan} ended", plan=progress.plan)
    )


def progress_of(plan: str, counts: Mapping[str, int], *, asks: bool = False, looking: str = "") -> RunProgress:
    """Return how far a run is, given how many steps stand how by the words of the groups."""
    steps = sum(counts.values())
    left = sum(counts.get(group, 0) for group in _LEFT)
    over, done, failed = steps - left, counts.get("done", 0), counts.get("failed", 0)
    waiting, unsure = counts.get("waiting for you", 0), counts.get("unsure", 0)
    return RunProgress(plan, steps, over, done, failed, waiting, asks, looking, unsure)


class BatchPage(QObject):
    """Own the Batch page and the run behind it.

    Args:
        project_dir: Gives the folder that plans without a file start from.
        tools_loaded: Waits until plugin files are loaded.

    Attributes:
        parts: What it is made of; None before somebody wants to see it.

    Signals:
        updated(RunFacts): Something of the run changed.
    """

    noticed = Signal(str)
    updated = Signal(object)

    def __init__(
        self,
        executor: Executor,
        tools: ToolList,
        engine: Engine,
        records: CallStorage,
        *,
        project_dir: Callable[[], Path],
        tools_loaded: Callable[[], Awaitable[object]],
        preferences: Preferences,
        scope: TaskScope,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._executor = executor
        self._tools = tools
        self._engine = engine
        self._records = records
        self._project_dir = project_dir
        self._tools_loaded = tools_loaded
        self._preferences = preferences
        self._scope = scope
        self.parts: BatchParts | None = None
        self.widget = LazyPage(tr("Batch"))
        self.widget.wanted.connect(self._on_widget_wanted)

    def set_backend(self, backend: str) -> None:
        """Let the tools of runs that begin from now on run there; empty is this computer.

        Raises:
            ToolConfigurationError: They cannot.
        """
        from tools.batch.cluster import check_backend  # noqa: PLC0415 -- no window is shown later for it

        if backend:
            check_backend(backend)
        self._preferences.batch_backend = backend
        if self.parts is not None:
            self.parts.take_backend(backend)

    @property
    def goes_on(self) -> bool:
        """Whether a run has not come to its end."""
        return self.parts is not None and self.parts.runs.goes_on

    @property
    def opened(self) -> OpenPlan | None:
        """The plan that is open; None before the page is made."""
        return None if self.parts is None else self.parts.opened

    @property
    def progress(self) -> RunProgress:
        if self.parts is None:
            return RunProgress()
        counts = {group.value: count for group, count in self.parts.presenter.counts.items()}
        facts = self.parts.presenter.facts
        return progress_of(self.parts.opened.title, counts, asks=facts.asks, looking=facts.looking)

    @property
    def is_unfinished(self) -> bool:
        """Whether something that is being written cannot be taken over into the plan, and so not be kept either."""
        return self.parts is not None and not self.parts.opened.settle()

    def unsaved(self) -> str:
        """Take over what is being written; return what people call a plan that is not saved, "" when there is none."""
        opened = self.opened
        return opened.title if opened is not None and opened.would_lose() else ""

    def save_first(self, then: Callable[[], None]) -> None:
        """Save the plan as Ctrl+S does, and then do something; nothing, when that fails or is given up."""
        if self.parts is not None:
            self.parts.files.save_first(then)

    def look_again(self) -> None:
        """Take in that tools came or went: what was wrong with a plan may be right now, and the other way round."""
        if self.opened is not None:
            self.opened.check_again()

    def open(self, path: Path) -> None:
        """Open a plan on the page, which is in front."""
        self._made().files.open(path)

    def open_table(self, path: Path) -> None:
        """Ask how the rows of a table become a plan."""
        self._made().menu.open_table(str(path))

    def add_calls(self, calls: Sequence[tuple[str, Mapping[str, Any]]]) -> str:
        """Add steps that call tools with these arguments; return what people call the plan, "" when that failed."""
        parts = self._made()
        return parts.opened.title if parts.add_calls(calls) else ""

    def begin(self, plan: BatchPlan) -> None:
        """Begin a plan; it is not saved yet."""
        self._made().files.begin(plan)

    def begin_calls(self, name: str, calls: Sequence[tuple[str, Mapping[str, Any]]]) -> None:
        """Begin a plan of this name whose steps call tools with these arguments."""
        from console.batch.document import steps_of_calls  # noqa: PLC0415 -- no window is shown later for it
        from tools.batch import BatchPlan  # noqa: PLC0415 -- as above

        self._made().files.begin(BatchPlan(name=name, steps=tuple(steps_of_calls(calls))))

    def remember(self) -> None:
        """Keep what the person chose for the next start."""
        if self.parts is not None:
            self.parts.remember()

    async def stop(self) -> None:
        """Stop the run where it is, so that it can go on another time, and keep the plan that is not saved."""
        if self.parts is not None:
            await self.parts.drafts.keep()
            await self.parts.runs.close()

    def close(self) -> None:
        """Let go of what is under way."""
        if self.parts is not None:
            self.parts.close()

    def _made(self) -> BatchParts:
        if self.parts is None:
            self._on_widget_wanted()
        assert self.parts is not None  # noqa: S101 -- made just now
        return self.parts

    @Slot()
    def _on_widget_wanted(self) -> None:
        if self.parts is not None:
            return
        from console.batch.parts import BatchParts  # noqa: PLC0415 -- no window is shown later for it

        self.parts = BatchParts(
            self._executor,
            self._tools,
            self._engine,
            folder=self._records.folder,
            project_dir=self._project_dir,
            tools_loaded=self._tools_loaded,
            preferences=self._preferences,
            scope=self._scope,
            compute=self._records.compute,
            parent=self,
        )
        self.parts.noticed.connect(self.noticed)
        self.parts.presenter.updated.connect(self._on_presenter_updated)
        self.widget.fill(self.parts.view)

    @Slot(object)
    def _on_presenter_updated(self, update: RunUpdate) -> None:
        self.updated.emit(update.facts)
