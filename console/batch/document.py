"""`PlanDocument`: a plan while a person writes it, with undo and redo. It knows no file and no widget."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from pydantic import ValidationError

from console.batch.rows import circle_of, known_needs
from console.language import tr, tr_count
from tools.batch import BatchPlan, Step
from tools.batch.expressions import literal
from tools.batch.files import problem_words
from tools.batch.renaming import renamed_steps, with_renamed_step
from tools.sentences import begin_sentence

_LONGEST_NAME: Final = 100


def steps_of_calls(calls: Iterable[tuple[str, Mapping[str, Any]]]) -> list[Step]:
    """Return steps that call tools with these arguments as they are; several of one tool have one name."""
    return [
        Step(id=free_name(tool.rpartition(".")[2] or "step", ()), tool=tool, arguments=literal(given))
        for tool, given in calls
    ]


def free_name(wanted: str, taken: Collection[str]) -> str:
    """Return a free name for a step that is like a wanted one; what no name may hold becomes `_`."""
    name = "".join(letter if letter.isascii() and (letter.isalnum() or letter in "_.-") else "_" for letter in wanted)
    name = name[:_LONGEST_NAME] or "step"
    if not (name[0].isalpha() or name[0] == "_"):
        name = f"_{name}"[:_LONGEST_NAME]
    if name not in taken:
        return name
    stem, _, last = name.rpartition("_")
    base = stem if stem and last.isdigit() else name
    number = int(last) + 1 if base is stem else 2
    while (found := f"{base[: _LONGEST_NAME - len(str(number)) - 1]}_{number}") in taken:
        number += 1
    return found


Unsubscribe = Callable[[], None]
_MOST_UNDONE: Final = 500


class PlanEditError(ValueError):
    """Refuse a change of a plan; the message is for the person who wanted it."""


class PlanDocument:
    """Hold a plan and every change of it.

    Steps are named by their place, from 0 on: a plan from a file may have two steps of one name, which somebody has to
    be able to mend.

    Args:
        plan: What it begins with; None is an empty plan.
    """

    def __init__(self, plan: BatchPlan | None = None) -> None:
        self._listeners: list[Callable[[], None]] = []
        self.reset(BatchPlan() if plan is None else plan)

    @property
    def undo_words(self) -> str:
        """What `undo` would take back: "Remove 2 steps"; empty when there is nothing."""
        return self._done[-1][1] if self._done else ""

    @property
    def redo_words(self) -> str:
        """What `redo` would do again; empty when there is nothing."""
        return self._undone[-1][1] if self._undone else ""

    def subscribe(self, listener: Callable[[], None]) -> Unsubscribe:
        """Tell somebody after each change, be it of the plan or of whether it is saved."""
        self._listeners.append(listener)

        def unsubscribe() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return unsubscribe

    def reset(self, plan: BatchPlan) -> None:
        """Take another plan, as it is saved; what was done before cannot be taken back."""
        self.plan = self._saved = plan
        self._done: list[tuple[BatchPlan, str]] = []
        self._undone: list[tuple[BatchPlan, str]] = []
        self.is_dirty = False
        self._tell()

    def reload(self, plan: BatchPlan) -> None:
        """Take the plan that somebody else has saved; it can be taken back."""
        self._saved = plan
        self._show(plan, tr("Take over the file"))

    def bring_back(self, plan: BatchPlan) -> None:
        """Take a draft of the plan, which is not saved; it can be taken back."""
        self._show(plan, tr("Bring the draft back"))

    def mark_saved(self, plan: BatchPlan) -> None:
        """Take note what the file says now."""
        self._saved = plan
        self.is_dirty = self.plan != plan
        self._tell()

    def undo(self) -> bool:
        """Take the last change back, and tell whether there was one."""
        return self._step(self._done, self._undone)

    def redo(self) -> bool:
        """Make the change again that was taken back last, and tell whether there was one."""
        return self._step(self._undone, self._done)

    def place_of(self, name: str) -> int:
        """Return the place of the first step of a name.

        Raises:
            PlanEditError: When there is none.
        """
        for place, step in enumerate(self.plan.steps):
            if step.id == name:
                return place
        raise PlanEditError(tr("The plan has no step {name!r} any more", name=name))

    def waiting_for(self, name: str) -> frozenset[str]:
        """Return the steps that wait for one, over any steps between."""
        behind: dict[str, list[str]] = {}
        for step in self.plan.steps:
            for needed in known_needs(step):
                behind.setdefault(needed, []).append(step.id)
        found: set[str] = set()
        queue = [name]
        for needed in queue:
            fresh = [waiting for waiting in behind.get(needed, ()) if waiting not in found]
            found.update(fresh)
            queue += fresh
        return frozenset(found)

    @contextmanager
    def as_one(self, words: str) -> Iterator[None]:
        """Make one change of many, taken back at once by these words; when one of them is refused, none is made."""
        before, listeners, done, undone = self.plan, self._listeners, list(self._done), list(self._undone)
        self._listeners = []
        try:
            yield
        except BaseException:
            self.plan, self._done, self._undone = before, done, undone
            self.is_dirty = before != self._saved
            raise
        else:
            after, self.plan, self._done, self._undone = self.plan, before, done, undone
        finally:
            self._listeners = listeners
        self._show(after, words)

    def add_step(self, before: int | None = None) -> int:
        """Add an empty step, and return its place.

        Args:
            before: The place it takes; None puts it last.
        """
        step = Step(id=free_name("step", {step.id for step in self.plan.steps}), tool="")
        (place,) = self.insert([step], before=before, words=tr("Add {id}", id=step.id))
        return place

    def insert(self, steps: Sequence[Step], *, before: int | None = None, words: str = "") -> list[int]:
        """Add steps, and return their places; one whose name is taken gets another, in what the others say of it too.

        Args:
            before: The place of the first of them; None puts them last.
            words: What it is called when it can be taken back.
        """
        taken = {step.id for step in self.plan.steps}
        names: list[str] = []
        for step in steps:
            names.append(free_name(step.id, taken))
            taken.add(names[-1])
        # Of two steps of one name the others mean the first.
        new_by_old = {step.id: name for step, name in reversed(list(zip(steps, names, strict=True)))}
        followed = renamed_steps(tuple(steps), new_by_old)
        fresh = tuple(step.model_copy(update={"id": name}) for step, name in zip(followed, names, strict=True))
        at = len(self.plan.steps) if before is None else before
        now = self.plan.steps
        self._set_steps(
            (*now[:at], *fresh, *now[at:]), words or tr_count(len(fresh), "Add 1 step", "Add {count:,} steps")
        )
        return list(range(at, at + len(fresh)))

    def remove(self, places: Collection[int]) -> None:
        """Take steps out; what waited for them only because it said so waits no more."""
        gone = {self.plan.steps[place].id for place in places}
        kept = [step for place, step in enumerate(self.plan.steps) if place not in places]
        gone -= {step.id for step in kept}
        rest = tuple(
            step.model_copy(update={"depends_on": tuple(name for name in step.depends_on if name not in gone)})
            if gone.intersection(step.depends_on)
            else step
            for step in kept
        )
        words = (
            tr("Remove {id}", id=next(iter(gone)))
            if len(places) == 1 and gone
            else tr_count(len(places), "Remove 1 step", "Remove {count:,} steps")
        )
        self._set_steps(rest, words)

    def duplicate(self, places: Collection[int]) -> list[int]:
        """Copy steps, put the copies behind the last of them, and return their places.

        Copies take results from each other where the originals do.
        """
        chosen = [self.plan.steps[place] for place in sorted(places)]
        return self.insert(
            chosen, before=max(places) + 1, words=tr_count(len(chosen), "Duplicate 1 step", "Duplicate {count:,} steps")
        )

    def move(self, places: Collection[int], before: int) -> list[int]:
        """Put steps elsewhere in the list, and return their places; what waits for what stays the same.

        Args:
            before: Before which of the places as they are now; the number of steps puts them last.
        """
        steps = self.plan.steps
        chosen = [steps[place] for place in sorted(places)]
        above = [step for place, step in enumerate(steps[:before]) if place not in places]
        below = [step for place, step in enumerate(steps[before:], before) if place not in places]
        words = tr("Move {id}", id=chosen[0].id) if len(chosen) == 1 else tr("Move {count:,} steps", count=len(chosen))
        self._set_steps((*above, *chosen, *below), words)
        return list(range(len(above), len(above) + len(chosen)))

    def rename(self, place: int, name: str) -> None:
        """Give a step another name, in what others say of it too.

        Raises:
            PlanEditError: When the name is taken, or is none.
        """
        step = self.plan.steps[place]
        if name == step.id:
            return
        if any(other.id == name for other in self.plan.steps):
            raise PlanEditError(tr("Another step is called {name!r}; give this one a name of its own", name=name))
        _validated({"id": name, "tool": step.tool})
        if sum(other.id == step.id for other in self.plan.steps) > 1:
            # Nobody knows which of the two the others mean: they stay with the one that keeps the name.
            self._replace(place, step.model_copy(update={"id": name}), tr("Rename {id}", id=step.id))
        else:
            self._show(with_renamed_step(self.plan, step.id, name), tr("Rename {id}", id=step.id))

    def change(self, place: int, **fields: Any) -> None:
        """Change what a step says, by the names that the file has, but for its name and what it waits for.

        Raises:
            PlanEditError: When a value is none that the file may have, or when the step would wait for itself, over any
                steps between.
        """
        step = self.plan.steps[place]
        written = step.model_dump(mode="json", by_alias=True, exclude_defaults=True)
        changed = _validated({**written, **fields})
        # A circle that is there already hinders nobody: something else may be mended first.
        before = set(known_needs(step))
        self._refuse_circle(changed, [name for name in known_needs(changed) if name not in before])
        self._replace(place, changed, tr("Change {id}", id=step.id))

    def set_after(self, place: int, names: Collection[str]) -> None:
        """Let a step wait for these and no others.

        Raises:
            PlanEditError: When it would wait for itself, over any steps between, or when it uses the result of a step
                that is not among them.
        """
        step = self.plan.steps[place]
        bare = step.model_copy(update={"depends_on": ()})
        used = known_needs(bare)
        for name in used:
            if name not in names:
                raise PlanEditError(
                    tr("{id} uses the result of {name}; change its arguments to wait no more", id=step.id, name=name)
                )
        said = tuple(name for name in names if name not in used or name in step.depends_on)
        self._connect(place, step.model_copy(update={"depends_on": said}))

    def say_after(self, place: int, names: Iterable[str]) -> None:
        """Let a step say that it waits for these, besides those whose results it uses.

        Raises:
            PlanEditError: When it would wait for itself, over any steps between.
        """
        step = self.plan.steps[place]
        if tuple(names) != step.depends_on:
            self._connect(place, step.model_copy(update={"depends_on": tuple(names)}))

    def add_dependency(self, waiting: str, needed: str) -> None:
        """Let a step wait for another one.

        Raises:
            PlanEditError: When that would close a circle, or one of both is gone.
        """
        place, _ = self.place_of(waiting), self.place_of(needed)
        step = self.plan.steps[place]
        if needed not in known_needs(step):
            self._connect(place, step.model_copy(update={"depends_on": (*step.depends_on, needed)}))

    def change_plan(self, **fields: Any) -> None:
        """Change name, description, parameters, limits or what a failed step means.

        Raises:
            PlanEditError: When a value is none that the file may have.
        """
        plan = self.plan
        written = plan.model_dump(mode="json", by_alias=True, exclude_defaults=True, exclude={"steps"})
        try:
            changed = BatchPlan.model_validate({**written, **fields})
        except ValidationError as error:
            raise PlanEditError(_sentence(error)) from error
        words = (
            tr("Change {id}", id=next(iter(fields)).replace("_", " ")) if len(fields) == 1 else tr("Change the plan")
        )
        self._show(changed.model_copy(update={"steps": plan.steps}), words)

    def _connect(self, place: int, step: Step) -> None:
        self._refuse_circle(step, known_needs(step))
        self._replace(place, step, tr("Change what {id} waits for", id=step.id))

    def _refuse_circle(self, step: Step, needs: Sequence[str]) -> None:
        by_name = {other.id: other for other in reversed(self.plan.steps)} if needs else {}
        circle = circle_of(step.id, needs, lambda name: known_needs(by_name[name]) if name in by_name else ())
        if circle:
            raise PlanEditError(tr("{circle} would be a circle, each waiting for the next", circle=" → ".join(circle)))

    def _replace(self, place: int, step: Step, words: str) -> None:
        steps = self.plan.steps
        if step != steps[place]:
            self._set_steps((*steps[:place], step, *steps[place + 1 :]), words)

    def _set_steps(self, steps: tuple[Step, ...], words: str) -> None:
        self._show(self.plan.model_copy(update={"steps": steps}), words)

    def _show(self, plan: BatchPlan, words: str) -> None:
        if plan == self.plan:
            return
        self._done.append((self.plan, words))
        del self._done[:-_MOST_UNDONE]
        self._undone.clear()
        self._take(plan)

    def _step(self, source: list[tuple[BatchPlan, str]], target: list[tuple[BatchPlan, str]]) -> bool:
        if not source:
            return False
        plan, words = source.pop()
        target.append((self.plan, words))
        self._take(plan)
        return True

    def _take(self, plan: BatchPlan) -> None:
        self.plan = plan
        self.is_dirty = plan != self._saved
        self._tell()

    def _tell(self) -> None:
        for listener in tuple(self._listeners):
            listener()


def _validated(fields: Mapping[str, Any]) -> Step:
    try:
        return Step.model_validate(fields)
    except ValidationError as error:
        raise PlanEditError(_sentence(error)) from error


def _sentence(error: ValidationError) -> str:
    detail = error.errors(include_url=False)[0]
    words = problem_words(detail)
    return begin_sentence(words)
