"""What the Batch page does with files: opens, begins and saves plans, and offers runs that were interrupted."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, Slot

from console.batch.document_presenter import OpenPlan
from console.batch.view import BatchView
from console.call_table import now_utc
from console.language import sentence_of, tr, tr_count, translated
from console.tasks import Compute, OwnTasks, TaskScope
from console.theme import Tone
from console.widgets.formats import format_when
from tools.batch import BatchPlan
from tools.batch.files import PlanFile
from tools.errors import PlanError, PlanProblem, ToolError

if TYPE_CHECKING:
    from console.batch.rows import SavedRun
    from console.batch.runs import BatchRuns
    from console.preferences import Preferences


_REFUSED: Final = "refused"
_ELSEWHERE: Final = "elsewhere"
_INTERRUPTED: Final = "interrupted"
_DRAFT: Final = "draft"
_NAMED: Final = 3


class PlanFilesPresenter(QObject):
    """Bring plans and interrupted runs onto the page.

    Args:
        tools_loaded: Waits until plugin files are loaded: what a run calls must be there before it can go on.

    Signals:
        leave_asked: Changes of the open plan would be lost; `leave` loses them, `save_and_leave` does not.
    """

    noticed = Signal(str)
    leave_asked = Signal()

    def __init__(
        self,
        view: BatchView,
        opened: OpenPlan,
        *,
        runs: BatchRuns,
        tools_loaded: Callable[[], Awaitable[object]],
        memory: Preferences,
        scope: TaskScope,
        compute: Compute,
        clock: Callable[[], datetime] = now_utc,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._view = view
        self._opened = opened
        self._runs = runs
        self._tools_loaded = tools_loaded
        self._memory = memory
        self._compute = compute
        self._clock = clock
        self._tasks = OwnTasks(scope)
        self._banner = ""
        self._interrupted: list[SavedRun] = []
        self._has_looked = False
        self._draft_at: datetime | None = None
        self._then: Callable[[], None] | None = None
        self._when_saved: Callable[[], None] | None = None
        self._last_open = memory.open_plan
        view.header.show_recent(memory.recent_plans)
        view.header.plan_chosen.connect(self._on_header_plan_chosen)
        view.file_chosen.connect(self._on_view_file_chosen)
        view.file_given_up.connect(self._give_saving_up)
        view.banner.action_requested.connect(self._on_banner_action_requested)
        view.shown.connect(self._on_view_shown)
        opened.opened.connect(self._on_opened_opened)
        opened.refused.connect(self._on_opened_refused)
        opened.disk_changed.connect(self._on_opened_disk_changed)
        opened.reloaded.connect(self._on_opened_reloaded)
        opened.changed.connect(self._on_opened_changed)
        opened.noticed.connect(self.noticed)
        opened.noticed.connect(self._give_saving_up)

    def open(self, path: Path) -> None:
        """Open the plan in a file, unless a run goes on."""
        self._leave_for(partial(self._opened.open, path))

    def reopen_last(self) -> None:
        """Open the plan of the last start; one whose file is gone is asked for only once."""
        if self._last_open is not None:
            self._memory.open_plan = None
            self._opened.reopen(self._last_open)

    def begin(self, plan: BatchPlan | None = None) -> None:
        """Begin a plan that has no file yet, unless a run goes on."""
        self._leave_for(partial(self._opened.start_new, plan))

    def reopen(self, run: SavedRun) -> None:
        """Show a run that was written down, unless another one goes on."""
        self._leave_for(partial(self._start_reopening, run))

    def _start_reopening(self, run: SavedRun) -> None:
        self._tasks.start(self._reopen(run), "show a run")

    def show_draft(self, at: datetime) -> None:
        """Say that the open plan is a draft, and when it was changed last."""
        self._draft_at = at
        if self._banner in {"", _INTERRUPTED}:
            self._tell_draft(at)

    def _tell_draft(self, at: datetime) -> None:
        further = tr("Its changes, the last of them {time}, were not saved.", time=format_when(at, self._clock()))
        self._show_banner(
            _DRAFT, tr("{title} is a draft.", title=self._opened.title), further, first=tr("Save"), second=tr("Discard")
        )

    def _discard_draft(self) -> None:
        """Go back to what the file says, or to no plan where there is none."""
        path = self._opened.path
        if path is None:
            self._opened.start_new()
        else:
            self._opened.open(path)

    @Slot()
    def _on_opened_changed(self) -> None:
        self._memory.open_plan = self._opened.path
        if self._draft_at is not None and not self._opened.document.is_dirty:
            self._draft_at = None
            if self._banner == _DRAFT:
                self._take_banner_away()

    @Slot()
    def leave(self) -> None:
        """Lose the changes of the open plan; the person agreed."""
        then, self._then = self._then, None
        if then is not None:
            then()

    @Slot()
    def save_and_leave(self) -> None:
        """Save the open plan before something else takes its place; it stays where that fails."""
        then, self._then = self._then, None
        if then is not None:
            self.save_first(partial(self._leave_for, then))

    def save_first(self, then: Callable[[], None]) -> None:
        """Save the open plan as Ctrl+S does, and go on only when nothing of it would be lost any more.

        Args:
            then: What is done after that; never, when the plan cannot be saved or the person chooses no file for it.
        """
        if self._opened.settle():
            self._when_saved = then
            self.save()

    @Slot()
    def save(self) -> None:
        """Save the open plan in its file, or in one that the person chooses."""
        if self._opened.path is not None:
            self._opened.save()
        elif self._opened.plan == BatchPlan():
            self.noticed.emit(tr("There is no plan to save yet: open one, or begin a new one and add a step"))
        else:
            self._view.ask_for_file("save as")

    @Slot()
    def _give_saving_up(self) -> None:
        # Whoever cannot save says so; what comes of a later attempt was not asked for.
        self._when_saved = None

    def _leave_for(self, then: Callable[[], None]) -> None:
        """Let something else take the place of the open plan."""
        self._when_saved = None
        if not self._may_leave():
            return
        self._then = then
        if self._opened.would_lose():
            self.leave_asked.emit()
        else:
            self.leave()

    def close(self) -> None:
        self._tasks.cancel()

    def _may_leave(self) -> bool:
        if self._runs.goes_on:
            self.noticed.emit(tr("A run goes on; let it end, or cancel it, before another plan takes its place"))
        return not self._runs.goes_on

    @Slot(object)
    def _on_opened_opened(self, path: Path) -> None:
        self._memory.add_recent_plan(path)
        self._view.header.show_recent(self._memory.recent_plans)
        if self._banner in {_REFUSED, _ELSEWHERE}:
            self._take_banner_away()
        then, self._when_saved = self._when_saved, None
        if then is not None and not self._opened.would_lose():
            then()

    @Slot(str)
    def _on_opened_refused(self, path: str) -> None:
        fact = tr("{name} cannot be opened.", name=Path(path).name)
        self._show_banner(_REFUSED, fact, _listed(self._opened.errors), first=tr("Open another…"))

    @Slot()
    def _on_opened_disk_changed(self) -> None:
        path = self._opened.path
        if self._opened.is_changed_elsewhere and path is not None:
            fact = tr("{name} was changed by another program.", name=path.name)
            further = tr("Your own changes are not saved.")
            self._show_banner(_ELSEWHERE, fact, further, first=tr("Take over theirs"), second=tr("Keep mine"))
        elif self._banner == _ELSEWHERE:
            self._take_banner_away()

    @Slot(str)
    def _on_opened_reloaded(self, name: str) -> None:
        self.noticed.emit(
            tr(
                "{name} was changed by another program, and is shown as it is now; what runs goes on as it began",
                name=name,
            )
            if self._runs.goes_on
            else tr("{name} was changed by another program, and is shown as it is now", name=name)
        )

    @Slot(str)
    def _on_header_plan_chosen(self, path: str) -> None:
        self.open(Path(path))

    @Slot(str, str)
    def _on_view_file_chosen(self, key: str, path: str) -> None:
        match key:
            case "open":
                self.open(Path(path))
            case "new":
                self.begin()
            case "save":
                self.save()
            case _:
                self._opened.save(Path(path))

    @Slot()
    def _on_view_shown(self) -> None:
        if not self._has_looked:
            self._has_looked = True
            self._tasks.start(self._look_for_interrupted(), "look for interrupted runs")

    async def _look_for_interrupted(self) -> None:
        await self._tools_loaded()
        self._interrupted = list(await self._runs.kept(interrupted=True))
        self._offer()

    def _offer(self) -> None:
        if self._banner == _DRAFT:
            return
        if not self._interrupted:
            if self._banner == _INTERRUPTED:
                self._take_banner_away()
            return
        run = self._interrupted[0]
        fact = tr("A run of {title} was interrupted.", title=run.title)
        self._show_banner(_INTERRUPTED, fact, self._sentences(run), first=tr("Show it"), second=tr("Leave it"))

    def _sentences(self, run: SavedRun) -> str:
        words = [
            tr(
                "It began {time}; {done} of {steps} steps are done.",
                time=format_when(run.started_at, self._clock()),
                done=run.done,
                steps=run.steps,
            )
        ]
        if run.unsure:
            named = ", ".join(run.unsure_steps[:_NAMED]) + (" …" if run.unsure > _NAMED else "")
            words.append(
                tr_count(
                    run.unsure,
                    "May have run: {named}. You will be asked before it runs.",
                    "May have run: {named}. You will be asked before they run.",
                    named=named,
                )
            )
        if len(self._interrupted) > 1:
            words.append(tr("{count} more after this one.", count=len(self._interrupted) - 1))
        return " ".join(words)

    async def _reopen(self, run: SavedRun) -> None:
        try:
            plan, folder = await self._runs.reopen(run)
        except ToolError as error:
            self.noticed.emit(tr("The run cannot go on: {error}", error=error))
            return
        recent = [path for path in self._memory.recent_plans if path.parent == folder]
        file = await self._compute(_file_of, plan, recent, run.file)
        if file is None:
            self._opened.show(plan)
        else:
            self._opened.open(file)
        self._interrupted = [other for other in self._interrupted if other.journal != run.journal]
        self._take_banner_away()

    async def _forget(self, run: SavedRun) -> None:
        try:
            await self._runs.dismiss(run.journal)
        except ToolError as error:
            self.noticed.emit(translated(error))
        self._interrupted = [other for other in self._interrupted if other.journal != run.journal]
        self._offer()

    @Slot(str)
    def _on_banner_action_requested(self, key: str) -> None:
        match self._banner, key:
            case "refused", _:
                self._view.ask_for_file("open")
            case "elsewhere", "first":
                self._opened.take_over()
            case "elsewhere", _:
                self._opened.keep_mine()
            case "draft", "first":
                self.save()
            case "draft", _:
                self._discard_draft()
            case "interrupted", "first":
                self.reopen(self._interrupted[0])
            case "interrupted", _:
                self._tasks.start(self._forget(self._interrupted[0]), "forget an interrupted run")

    def _show_banner(self, banner: str, fact: str, consequence: str, *, first: str, second: str = "") -> None:
        self._banner = banner
        tone: Tone = "error" if banner == _REFUSED else "warn"
        self._view.show_banner(fact, consequence, tone=tone, first=first, second=second)

    def _take_banner_away(self) -> None:
        self._banner = ""
        self._view.show_banner("")
        if self._draft_at is not None:
            self._tell_draft(self._draft_at)
        elif self._interrupted:
            self._offer()


def _listed(problems: Sequence[PlanProblem]) -> str:
    first, more = sentence_of(str(problems[0])), len(problems) - 1
    return tr("{first}; and {count} more.", first=first, count=more) if more else f"{first}."


def _file_of(plan: BatchPlan, recent: Sequence[Path], file: Path | None) -> Path | None:
    """Return the file that holds exactly the plan of a run; None when none does.

    Args:
        recent: Files that may hold it.
        file: The only one it can be, whatever it is called among these; None when nobody knows.
    """
    for path in recent if file is None else [*(path for path in recent if path.resolve() == file), file]:
        try:
            if PlanFile(path).load() == plan:
                return path
        except PlanError:
            continue
    return None
