"""The plan that is open: its file, read and written away from the window's thread, and everything wrong with it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QFileSystemWatcher, QObject, Signal, Slot

from console.batch.document import PlanDocument
from console.language import tr, translated
from console.tasks import Compute, OwnTasks, Repeated, TaskScope
from tools.batch import BatchPlan
from tools.batch.files import PlanFile
from tools.batch.plan import title_of
from tools.errors import PlanError, PlanProblem

_SOON_S: Final = 0.1
_YAML: Final = frozenset({".yaml", ".yml"})
Check = Callable[[BatchPlan], Sequence[PlanProblem]]


class OpenPlan(QObject):
    """Own the document, its file, and the look at what is wrong with it.

    Args:
        check: Returns everything that is wrong with a plan; called in a thread of its own.

    Attributes:
        text: What stood in its file when that was read or saved last; empty without a file.
        errors: Why the file that was to be opened holds no plan; empty when it does.

    Signals:
        changed: The plan, whether it is saved, or its file changed.
        problems_changed: What is wrong with the plan is known anew.
        replaced: Another plan takes the place of the one that was open.
        opened(Path): A plan was read from this file, or saved there.
        refused(str): The plan of this file cannot be read; `errors` says why.
        disk_changed: Somebody else changed the file while changes of the plan are not saved, or no longer so.
        reloaded(str): Another program changed the file of this name, and the plan is what it says now.
    """

    changed = Signal()
    problems_changed = Signal()
    replaced = Signal()
    opened = Signal(object)
    refused = Signal(str)
    disk_changed = Signal()
    reloaded = Signal(str)
    noticed = Signal(str)

    def __init__(self, check: Check, *, compute: Compute, scope: TaskScope, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = PlanDocument()
        self._check = check
        self._compute = compute
        self._tasks = OwnTasks(scope)
        # One at a time: what one writes is no change of another program to the next.
        self._touching = asyncio.Lock()
        self._writers: list[Callable[[], bool]] = []
        self._file: PlanFile | None = None
        self.text = ""
        self.problems: tuple[PlanProblem, ...] = ()
        self.errors: tuple[PlanProblem, ...] = ()
        self._is_elsewhere = False
        self._is_gone = False
        self._checking = Repeated(scope, self._check_plan, "check a plan")
        self._is_stale = False
        self._is_looking = False
        self._is_chosen = False
        self._checked: BatchPlan | None = None
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(self._on_watcher_changed)
        self._watcher.directoryChanged.connect(self._on_watcher_changed)
        self._unsubscribe = self.document.subscribe(self._on_document_changed)

    @property
    def plan(self) -> BatchPlan:
        return self.document.plan

    @property
    def path(self) -> Path | None:
        """Its file; None before it is saved for the first time."""
        return None if self._file is None else self._file.path

    @property
    def title(self) -> str:
        """What people call it: its own name, else that of its file."""
        is_new = self.path is None and self.plan.name == BatchPlan().name
        return tr("New plan") if is_new else title_of(self.plan.name, self.path)

    @property
    def is_in_use(self) -> bool:
        """Whether somebody has opened, begun or changed a plan since the start, also while that is still being read."""
        return self._is_chosen or self.document.is_dirty or self.path is not None

    @property
    def is_checked(self) -> bool:
        """Whether `problems` are those of the plan as it stands."""
        return self._checked is self.plan and not self._is_stale

    @property
    def is_changed_elsewhere(self) -> bool:
        """Whether the file says something else than what was read, and changes here are not saved."""
        return self._is_elsewhere

    def add_writer(self, take_over: Callable[[], bool]) -> None:
        """Have what somebody is writing taken over before the plan is saved, run or left.

        Args:
            take_over: Does so, and returns whether nothing is left that is not in the plan; tells the person otherwise.
        """
        self._writers.append(take_over)

    def settle(self) -> bool:
        """Have everything taken over that is being written; return whether nothing is left that is not in the plan."""
        return all(take_over() for take_over in self._writers)

    def would_lose(self) -> bool:
        """Have everything taken over that is being written, and return whether something would be lost all the same."""
        return not self.settle() or self.document.is_dirty

    def start_new(self, plan: BatchPlan | None = None) -> None:
        """Begin a plan that has no file yet; one that is given counts as not saved."""
        self._is_chosen = True
        self._follow(None, "")
        self._reset(BatchPlan())
        if plan is not None:
            with self.document.as_one(tr("Begin the plan")):
                self.document.change_plan(**plan.model_dump(mode="json", by_alias=True, exclude={"steps"}))
                self.document.insert(plan.steps)

    def show(self, plan: BatchPlan) -> None:
        """Show a plan that has no file here, but is kept with its run: nothing of it would be lost."""
        self._is_chosen = True
        self._follow(None, "")
        self._reset(plan)

    def open(self, path: Path) -> None:
        """Read a plan, and let it take the place of what is open."""
        self._is_chosen = True
        self._tasks.start(self._in_turn(self._open, path), "open a plan")

    def reopen(self, path: Path) -> None:
        """Read the plan that was open at the last start, unless there is another one by then."""
        self._tasks.start(self._in_turn(self._reopen, path), "reopen a plan")

    async def restore(self, plan: BatchPlan, path: Path | None, text: str) -> bool:
        """Show a plan whose changes were not saved, as a draft kept it, unless there is another one by then.

        Args:
            path: Its file; None when it has none yet.
            text: What stood in that file then: whoever wrote something else since is not written over unasked.

        Returns:
            Whether it shows.
        """
        async with self._touching:
            file, now, saved = None, "", BatchPlan()
            if path is not None:
                try:
                    file, now, saved = await self._compute(_read, path)
                except PlanError:
                    file, now = PlanFile(path), await self._compute(_text_of, path) or ""
            if self.is_in_use:
                return False
            self._follow(file, text)
            self._reset(saved)
            self.document.bring_back(plan)
            if now not in {text, ""}:
                self._set_elsewhere(is_so=True)
            return True

    def save(self, path: Path | None = None) -> None:
        """Write the plan.

        Args:
            path: Where, over whatever is there; None where it came from, unless somebody else changed it meanwhile.
        """
        target = path or self.path
        if target is not None and self.settle():
            self._tasks.start(self._in_turn(self._save, target, anyway=path is not None), "save a plan")

    def take_over(self) -> None:
        """Take what somebody else wrote into the file; it can be taken back."""
        if self.path is not None:
            self._tasks.start(self._in_turn(self._look, self.path, takes=True), "take over a plan's file")

    def keep_mine(self) -> None:
        """Go on with the plan as it is; the next time it is saved, it takes the place of what somebody else wrote."""
        if self.path is not None:
            self._tasks.start(self._in_turn(self._acknowledge, self.path), "keep a plan as it is")

    def close(self) -> None:
        self._unsubscribe()
        self._watch(None)
        self._checking.cancel()
        self._tasks.cancel()

    async def _in_turn(self, action: Callable[..., Coroutine[Any, Any, None]], *given: Any, **named: Any) -> None:
        async with self._touching:
            await action(*given, **named)

    async def _open(self, path: Path) -> None:
        try:
            file, text, plan = await self._compute(_read, path)
        except PlanError as error:
            self.errors = error.problems
            self.refused.emit(str(path))
            return
        self._follow(file, text)
        self._reset(plan)
        self.opened.emit(path)

    async def _reopen(self, path: Path) -> None:
        if not self.is_in_use:
            await self._open(path)

    async def _save(self, path: Path, *, anyway: bool) -> None:
        if not anyway and path != self.path:
            return  # another plan took its place while this waited
        plan, file, before = self.plan, self._file, self.path
        try:
            if file is None or file.path != path:
                file = await self._compute(_copied, file, path, plan)
            if not anyway and await self._compute(_text_of, path) not in {self.text, None}:
                self._set_elsewhere(is_so=True)
                self.noticed.emit(
                    tr("{name} was changed by another program: take that over, or keep yours", name=path.name)
                )
                return
            text = await self._compute(_written, file, plan)
        except PlanError as error:
            self.noticed.emit(translated(error))
            return
        if self.path != before:
            return  # it is written, and another plan took its place meanwhile
        self._follow(file, text)
        self.document.mark_saved(plan)
        self.opened.emit(path)

    async def _look(self, path: Path, *, takes: bool) -> None:
        """See whether somebody else changed the file."""
        if path != self.path:
            return
        text = None if takes else await self._compute(_text_of, path)
        if not takes and text in {self.text, None}:
            # Whoever replaces a file takes it away for a moment; one that is gone is written anew.
            self._watch(self._file)
            self._tell_gone(path, is_gone=text is None)
            return
        self._is_gone = False
        if not takes and self.document.is_dirty:
            self._set_elsewhere(is_so=True)
            self._watch(self._file)
            return
        try:
            file, text, plan = await self._compute(_read, path)
        except PlanError as error:
            self.noticed.emit(
                tr(
                    "{name} was changed by another program and is no plan now: {problem}",
                    name=path.name,
                    problem=error.problems[0],
                )
            )
            return
        if self._file is None or self._file.path != path:
            return
        self._follow(file, text)
        self.document.reload(plan)
        self.reloaded.emit(path.name)

    def _tell_gone(self, path: Path, *, is_gone: bool) -> None:
        if is_gone and not self._is_gone:
            self.noticed.emit(
                tr("{name} was deleted or moved by another program; Save writes it again", name=path.name)
            )
        self._is_gone = is_gone

    async def _acknowledge(self, path: Path) -> None:
        self.text = await self._compute(_text_of, path) or ""
        self._set_elsewhere(is_so=False)

    def _reset(self, plan: BatchPlan) -> None:
        """Let another plan be open, of which nothing is known to be wrong yet."""
        self.problems = ()
        self.replaced.emit()
        self.document.reset(plan)

    def _follow(self, file: PlanFile | None, text: str) -> None:
        self._file, self.text = file, text
        self.errors = ()
        self._is_gone = False
        self._watch(file)
        self._set_elsewhere(is_so=False)

    def _watch(self, file: PlanFile | None) -> None:
        wanted = set() if file is None else {str(file.path), str(file.path.parent)}
        now = {*self._watcher.files(), *self._watcher.directories()}
        if now - wanted:
            self._watcher.removePaths(sorted(now - wanted))
        # A file that was replaced is watched no more, whatever its name.
        if there := sorted(path for path in wanted - now if Path(path).exists()):
            self._watcher.addPaths(there)

    def _set_elsewhere(self, *, is_so: bool) -> None:
        if is_so is not self._is_elsewhere:
            self._is_elsewhere = is_so
            self.disk_changed.emit()

    @Slot()
    def _on_watcher_changed(self) -> None:
        if self.path is not None and not self._is_looking:
            self._is_looking = True
            self._tasks.start(self._look_soon(self.path), "look at a plan's file")

    async def _look_soon(self, path: Path) -> None:
        """Look once, however often the folder changes meanwhile: what runs may write many files beside the plan."""
        try:
            await asyncio.sleep(_SOON_S)
        finally:
            self._is_looking = False
        await self._in_turn(self._look, path, takes=False)

    def _on_document_changed(self) -> None:
        self.changed.emit()
        self._plan_check()

    def check_again(self) -> None:
        """Look again at what is wrong: something that the plan needs came or went."""
        self._is_stale = True
        self._plan_check()

    def _plan_check(self) -> None:
        if not self.is_checked:
            self._checking.ask()

    async def _check_plan(self) -> None:
        """Find what is wrong with the plan as it stands: many changes at a time cost one look."""
        plan, self._is_stale = self.plan, False
        problems = tuple(await self._compute(self._check, plan))
        self._checked = plan
        if self.plan is plan:
            self.problems = problems
            self.problems_changed.emit()


def _read(path: Path) -> tuple[PlanFile, str, BatchPlan]:
    """Return the file, which knows its comments, what stands there now, and what that means."""
    file = PlanFile(path)
    plan = file.load()
    return file, _text_of(path) or "", plan


def _copied(file: PlanFile | None, path: Path, plan: BatchPlan) -> PlanFile:
    """Return a further file of a plan, written as the one it comes from: with its comments, if both are YAML."""
    made = PlanFile(path)
    if file is not None and {file.path.suffix, path.suffix} <= _YAML:
        with contextlib.suppress(PlanError):
            made.read(file.text_of(plan))
    return made


def _written(file: PlanFile, plan: BatchPlan) -> str:
    file.save(plan)
    return _text_of(file.path) or ""


def _text_of(path: Path) -> str | None:
    """Return what stands in a file; None when it is gone or cannot be read."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return None
