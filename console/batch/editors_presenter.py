"""What stands behind the writing of a plan: its table and the sheet of a step, over one document."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QObject, Signal, Slot

from console.batch.document import PlanDocument, PlanEditError, steps_of_calls
from console.batch.document_text import (
    after_words,
    arguments_words,
    names_after,
    parsed_arguments,
    steps_from_yaml,
    steps_yaml,
)
from console.batch.editors_step_view import (
    NO_SCHEMA,
    StepCard,
    StepSheet,
    StepValues,
    fields_of_step,
    options_schema,
    sources_for,
)
from console.batch.editors_table_view import TableEditing
from console.batch.rows import PlanColumn, known_needs
from console.language import tr, tr_count, translated
from console.tool_list import ToolList
from tools.batch import Step
from tools.card import ToolCard
from tools.errors import PlanProblem

_TAKEN_OUT: Final = tr(
    "{name} is not in the plan any more; Ctrl+Z brings it back, Cancel gives up what is written here"
)


class PlanEditor(QObject):
    """Conduct the writing of a plan.

    Args:
        problems: Returns what is wrong with the plan, as far as is known.
        folder: Returns the folder that relative paths of the plan start from.

    Signals:
        applied(int): The step at this place was changed in its sheet.
    """

    noticed = Signal(str)
    applied = Signal(int)

    def __init__(
        self,
        document: PlanDocument,
        table: TableEditing,
        sheet: StepSheet,
        *,
        tools: ToolList,
        problems: Callable[[], Sequence[PlanProblem]],
        folder: Callable[[], Path],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._table = table
        self._sheet = sheet
        self._tools = tools
        self._problems = problems
        self._folder = folder
        self._is_running = False
        self._place: int | None = 0
        self._names: Sequence[str] = ()
        self._wanted: Sequence[int] = ()
        self._to_edit: PlanColumn | None = None
        self._is_free = True
        self._unsubscribe = document.subscribe(self._on_document_changed)
        self._connect_table()
        sheet.applied.connect(self._apply)
        sheet.tool_changed.connect(self._on_sheet_tool_changed)
        sheet.closed.connect(self._on_sheet_closed)
        self._on_document_changed()

    def _connect_table(self) -> None:
        table = self._table
        table.edit_requested.connect(self._on_table_edit_requested)
        table.committed.connect(self._on_table_committed)
        table.refused_late.connect(self.noticed)
        table.moved.connect(self._on_table_moved)
        table.requested.connect(self._on_table_requested)
        table.relisted.connect(self._on_table_relisted)

    def set_running(self, *, running: bool) -> None:
        """Let the plan be changed as a whole, or, while it runs, only what its steps do when they run again."""
        if running is not self._is_running:
            self._is_running = running
            self._table.set_editable(editable=not running)
            self._on_document_changed()

    @Slot()
    def add_step(self) -> None:
        """Add an empty step behind the others, and let its tool be written."""
        self._add_step(None)

    def add_calls(self, calls: Sequence[tuple[str, Mapping[str, Any]]]) -> None:
        """Add steps that call tools with these arguments, one after the other in the list, not in time."""
        self._expect(self._document.insert(steps_of_calls(calls)))

    def connect_steps(self, needed: str, waiting: str) -> str:
        """Let a step wait for another one, and return why it cannot; empty when it does now."""
        try:
            self._document.add_dependency(waiting, needed)
        except PlanEditError as error:
            return translated(error)
        return ""

    @Slot(int)
    def open_sheet(self, place: int) -> None:
        """Show all that a step says; what was written of another one is taken over before."""
        if place >= len(self._document.plan.steps):
            return
        is_other = self._sheet.isHidden() or place != self._place
        if is_other and not self.take_draft():
            return
        if is_other:
            self._show_step(place)
        self._sheet.show()
        self._sheet.focus_arguments()

    def take_draft(self) -> bool:
        """Take over what is written in the open sheet; return whether nothing of it is left there."""
        sheet = self._sheet
        if sheet.isHidden() or not sheet.is_dirty:
            return True
        if not sheet.is_sound:
            sheet.refuse(tr("The arguments cannot be read as they stand there; mend them, or press Cancel"))
        elif self._apply():
            return True
        self.noticed.emit(
            tr("What is written in the sheet of {name} could not be taken over", name=sheet.card.values.name)
        )
        return False

    @Slot()
    def close_sheet(self) -> None:
        self._sheet.hide_sheet()

    def follow_selection(self, place: int) -> None:
        """Show another step in the open sheet, unless something is being written there."""
        if not self._sheet.isHidden() and not self._sheet.is_dirty and place != self._place:
            self._show_step(place)

    def look_again(self) -> None:
        """Take note that other things are wrong with the plan than before."""
        if not self._sheet.isHidden() and self._place is not None:
            self._sheet.show_problems(self._problems_of(self._place))

    def close(self) -> None:
        self._unsubscribe()

    def _show_step(self, place: int) -> None:
        self._place, plan = place, self._document.plan
        step = plan.steps[place]
        written = step.model_dump(mode="json", by_alias=True, exclude_defaults=True)
        options = {name: item for name, item in written.items() if name not in {"id", "tool", "arguments"}}
        tool = self._tools.find(step.tool)
        others = [other.id for other in plan.steps if other.id != step.id]
        card = StepCard(
            place,
            StepValues(step.id, step.tool, written.get("arguments", {}), options),
            tools=self._tools.names,
            arguments_schema=NO_SCHEMA if tool is None else tool.input_schema,
            examples=_examples(tool),
            options_schema=options_schema(others, is_repeatable=tool is None or tool.spec.idempotent),
            note=note_of(step.tool, tool),
            sources=self._sources,
            problems=self._problems_of(place),
        )
        self._sheet.set_base(self._folder())
        self._sheet.show_step(card)

    def _sources(self) -> list[tuple[str, str]]:
        """Return what an argument of the step can be taken from; what waits for it is no choice."""
        place, plan = self._place, self._document.plan
        if place is None:
            return []
        step = plan.steps[place]
        waiting = {step.id, *self._document.waiting_for(step.id)}
        nearest = [other.id for other in (*reversed(plan.steps[:place]), *plan.steps[place + 1 :])]
        free = [name for name in nearest if name not in waiting]
        return sources_for(free, list(plan.parameters), has_rows=step.rows is not None)

    def _problems_of(self, place: int) -> list[str]:
        begin = f"steps[{place}]."
        step = self._document.plan.steps[place].id
        found = []
        for problem in self._problems():
            if problem.where.startswith(begin):
                found.append(f"{problem.where.removeprefix(begin)}: {translated(problem.message)}")
            elif problem.where == "steps" and problem.step == step:
                found.append(translated(problem.message))
        return found

    @Slot()
    def _on_sheet_closed(self) -> None:
        self.close_sheet()
        self._table.take_focus()

    def _apply(self) -> bool:
        place, values = self._place, self._sheet.values
        if place is None:
            self._sheet.refuse(_TAKEN_OUT.format(name=self._sheet.card.values.name))
            return False
        document, step = self._document, self._document.plan.steps[place]
        try:
            with document.as_one(tr("Change {id}", id=step.id)):
                document.change(place, **fields_of_step(values))
                document.say_after(place, values.options.get("depends_on", ()))
                if values.name != self._sheet.card.values.name:
                    # Otherwise another name that it got meanwhile stays.
                    document.rename(place, values.name)
                self._keep_what_runs(step, document.plan.steps[place])
        except PlanEditError as error:
            self._sheet.refuse(translated(error))
            return False
        self._show_step(place)
        if document.plan.steps[place].id != step.id:
            self._keep_selected(place)
        self.applied.emit(place)
        return True

    def _keep_what_runs(self, before: Step, after: Step) -> None:
        if self._is_running and (before.id != after.id or set(known_needs(before)) != set(known_needs(after))):
            raise PlanEditError(tr("While the plan runs, a step keeps its name and waits for the same steps"))

    @Slot(str)
    def _on_sheet_tool_changed(self, name: str) -> None:
        tool = self._tools.find(name)
        self._sheet.show_tool(NO_SCHEMA if tool is None else tool.input_schema, _examples(tool), note_of(name, tool))

    @Slot(int, int)
    def _on_table_edit_requested(self, place: int, column: int) -> None:
        if place >= len(self._document.plan.steps):
            return
        step = self._document.plan.steps[place]
        match column:
            case PlanColumn.STEP:
                self._table.edit(place, column, step.id)
            case PlanColumn.TOOL:
                self._table.edit(place, column, step.tool, self._tools.names)
            case PlanColumn.ARGUMENTS:
                self._table.edit(place, column, arguments_words(step.arguments))
            case PlanColumn.AFTER:
                self._table.edit(place, column, after_words(self._document.plan, place))

    @Slot(int, int, str)
    def _on_table_committed(self, place: int, column: int, text: str) -> None:
        document = self._document
        places = self._places_now([place])
        if not places:
            return  # the step is gone
        (place,) = places
        try:
            match column:
                case PlanColumn.STEP:
                    document.rename(place, text.strip())
                    self._keep_selected(place)
                case PlanColumn.TOOL:
                    document.change(place, tool=text.strip())
                case PlanColumn.ARGUMENTS:
                    document.change(place, arguments=parsed_arguments(text))
                case PlanColumn.AFTER:
                    document.set_after(place, names_after(document.plan, text))
        except PlanEditError as error:
            self._table.refuse(translated(error))

    @Slot(list, int)
    def _on_table_moved(self, places: list[int], before: int) -> None:
        if self._is_listed:
            self._expect(self._document.move(places, before))

    @Slot(str, list)
    def _on_table_requested(self, key: str, places: list[int]) -> None:
        document, places = self._document, self._places_now(places)
        behind = places[-1] + 1 if places else None
        match key:
            case "undo" | "redo":
                self._go_through_history(document.undo if key == "undo" else document.redo)
            case "add":
                self._add_step(behind)
            case "paste":
                self._paste(behind)
            case _ if not places:
                return
            case "sheet":
                self.open_sheet(places[0])
            case "up" if places[0] > 0:
                self._expect(document.move(places, places[0] - 1))
            case "down" if places[-1] + 1 < len(document.plan.steps):
                self._expect(document.move(places, places[-1] + 2))
            case "duplicate":
                self._expect(document.duplicate(places))
            case "copy":
                self._copy(places)
            case "cut":
                self._copy(places)
                self._take_out(places)
            case "remove":
                self._take_out(places)
                self.noticed.emit(
                    tr_count(
                        len(places),
                        "1 step is taken out; Ctrl+Z brings it back",
                        "{count} steps are taken out; Ctrl+Z brings them back",
                    )
                )

    @property
    def _is_listed(self) -> bool:
        """Whether the table lists the steps of the plan as they are by now."""
        return self._table.names == [step.id for step in self._document.plan.steps]

    def _places_now(self, places: list[int]) -> list[int]:
        """Return where the steps of these rows stand by now, without those that are gone.

        The table may be a moment behind: a key that is pressed twice means the step in the row, not the one that took
        its place.
        """
        if self._is_listed:
            return places
        shown, names = self._table.names, [step.id for step in self._document.plan.steps]
        return sorted(names.index(shown[place]) for place in places if shown[place] in names)

    def _copy(self, places: Sequence[int]) -> None:
        self._table.put_on_clipboard(steps_yaml(self._document.plan.steps[place] for place in places))
        self.noticed.emit(
            tr_count(len(places), "1 step is on the clipboard as YAML", "{count} steps are on the clipboard as YAML")
        )

    def _take_out(self, places: Sequence[int]) -> None:
        self._document.remove(places)
        if left := len(self._document.plan.steps):
            self._expect([min(places[0], left - 1)])

    def _paste(self, before: int | None) -> None:
        try:
            steps = steps_from_yaml(self._table.clipboard_text)
        except PlanEditError as error:
            self.noticed.emit(translated(error))
            return
        self._expect(self._document.insert(steps, before=before, words=tr("Paste")))

    def _add_step(self, before: int | None) -> None:
        self._expect([self._document.add_step(before=before)], then_edit=PlanColumn.TOOL)

    def _go_through_history(self, action: Callable[[], bool]) -> None:
        """Take a change back or make it again, and select the steps that came, or what stands where some went."""
        before = [step.id for step in self._document.plan.steps]
        action()
        after = [step.id for step in self._document.plan.steps]
        known, kept = set(before), set(after)
        came = [place for place, name in enumerate(after) if name not in known]
        went = [place for place, name in enumerate(before) if name not in kept]
        if came:
            self._expect(came)
        elif went and after:
            self._expect([min(went[0], len(after) - 1)])

    def _expect(self, places: Sequence[int], *, then_edit: PlanColumn | None = None) -> None:
        """Select rows as soon as the table knows them."""
        self._wanted, self._to_edit, self._is_free = places, then_edit, True
        self._on_table_relisted()

    def _keep_selected(self, place: int) -> None:
        """Select a step that has another name now as soon as the table knows it, unless another one is by then."""
        self._wanted, self._to_edit, self._is_free = [place], None, False
        self._on_table_relisted()

    @Slot()
    def _on_table_relisted(self) -> None:
        if not self._wanted or not self._is_listed:
            return
        wanted, self._wanted = self._wanted, ()
        column, self._to_edit = self._to_edit, None
        if self._is_free or not self._table.places:
            self._table.choose(wanted)
        if column is not None:
            self._on_table_edit_requested(wanted[0], column)

    def _on_document_changed(self) -> None:
        self._table.show_history(self._document.undo_words, self._document.redo_words)
        names = [step.id for step in self._document.plan.steps]
        before, self._names = self._names, names
        if self._sheet.isHidden():
            return
        was_out, self._place = self._place is None, self._place_in(names, before)
        if not self._sheet.is_dirty:
            if self._place is None:
                self.close_sheet()
            else:
                self._show_step(self._place)
        elif self._place is None:
            self._sheet.refuse(_TAKEN_OUT.format(name=self._sheet.card.values.name))
        elif was_out:
            self._sheet.refuse("")

    def _place_in(self, names: Sequence[str], before: Sequence[str]) -> int | None:
        """Return where the step of the sheet stands now; None when it was taken out."""
        place, name = self._place, self._sheet.card.values.name
        if place is not None and place < len(names):
            if names[place] == name:
                return place
            if len(names) == len(before) and [*names[:place], *names[place + 1 :]] == [
                *before[:place],
                *before[place + 1 :],
            ]:
                # It has another name now, and nothing else happened.
                return place
        return names.index(name) if name in names else None


def note_of(name: str, tool: ToolCard | None, *, without: str = tr("Choose the tool that the step calls")) -> str:
    """Say in a line what a tool is for, or that there is none of the name; without a name something else."""
    if tool is not None:
        return tool.description.strip().partition("\n")[0]
    return tr("There is no tool {name!r} here", name=name) if name else without


def _examples(tool: ToolCard | None) -> Sequence[Mapping[str, Any]]:
    return () if tool is None else [example.input for example in tool.spec.good_examples]
