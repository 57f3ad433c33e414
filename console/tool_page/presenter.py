"""What stands behind the page of one tool: starts and stops its calls, turns events into what the page shows."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from console.call_events import (
    CallBegun,
    CallEnded,
    CallerMissing,
    CallOutput,
    QuestionAsked,
    QuestionDecided,
    WindowEvent,
)
from console.call_result.banner_view import SourceNotice
from console.call_result.presenter import CallPresenter
from console.call_result.result_header_view import RESULT_TAB
from console.call_result.rows import CallFailure, GuardNotice, guard_badge, guard_notice, heading_of, running_facts
from console.call_table import caller_words
from console.language import tr, tr_count, translated
from console.schema_form import Document
from console.tasks import OwnTasks, TaskScope
from console.tool_page.copy_as import copy_kinds_of, copy_of, summary_of
from console.tool_page.library_rows import ExtraInstall, libraries_notice
from console.tool_page.ports import ExecutionPorts, GuardPort
from console.tool_page.preset_presenter import PresetPresenter
from console.tool_page.view import ExecutionView
from console.widgets.formats import format_time, format_took
from tools.calls import CallRecord, CallStatus, GuardChanged, GuardKind
from tools.card import SourceKind, ToolCard

_LOOK_EVERY_MS: Final = 400


class GuardPresenter(QObject):
    """Tell on a tool's page what holds its calls back.

    Breakers and blocks tell when they change. How many calls wait nobody tells, so that is looked at while calls run.
    """

    def __init__(
        self, tool: ToolCard, view: ExecutionView, guards: GuardPort, scope: TaskScope, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._tool = tool
        self._view = view
        self._guards = guards
        self._is_closed = False
        self._running: set[str] = set()
        self._tasks = OwnTasks(scope)
        self._is_looking = self._look_again = False
        self._has_guards = True
        self._has_queue = _has_queue(tool)
        self._looker = QTimer(self, interval=_LOOK_EVERY_MS)
        self._looker.timeout.connect(self._look)
        view.guards.action_requested.connect(self._on_view_guard_reset_requested)
        view.header.menu_action("clear_cache").triggered.connect(self._on_view_cache_clear_requested)
        self._look()

    @Slot(list)
    def on_events(self, events: Sequence[WindowEvent]) -> None:
        """Take a batch of events; those about other tools are passed over."""
        if self._is_closed:
            return
        name = self._tool.name
        changed = False
        for event in events:
            if isinstance(event, GuardChanged):
                changed = changed or event.tool_name == name
            elif isinstance(event, CallBegun) and event.tool == name:
                self._running.add(event.call_id)
            elif isinstance(event, CallEnded) and event.record.tool.name == name:
                self._running.discard(event.record.id)
                changed = changed or self._has_guards
        if self._has_queue and self._running and not self._looker.isActive():
            self._looker.start()
        if not self._running:
            self._looker.stop()
        if changed:
            self._look()

    def adopt(self, tool: ToolCard) -> None:
        self._tool = tool
        self._has_queue = _has_queue(tool)
        self._has_guards = True
        self._look()

    def close(self) -> None:
        self._is_closed = True
        self._looker.stop()
        self._tasks.cancel()

    def _look(self) -> None:
        """Look at the guards, one time after the other: calls may end faster than the engine answers."""
        if self._is_looking:
            self._look_again = True
            return
        self._is_looking = True
        self._tasks.start(self._look_on(), f"look at the guards of {self._tool.name}")

    async def _look_on(self) -> None:
        try:
            await self._show()
            while self._look_again:
                self._look_again = False
                await self._show()
        finally:
            self._is_looking = False

    async def _show(self) -> None:
        states = await self._guards.states(self._tool.name)
        self._has_guards = any(state.kind is not GuardKind.CACHE for state in states)
        self._view.show_guards(guard_notice(states, self._tool.policies), guard_badge(states))

    async def _reset(self) -> None:
        name = self._tool.name
        count = await self._guards.reset(name)
        said = (
            tr("{name} runs again as usual.", name=name)
            if count
            else tr("Nothing held {name} back any more.", name=name)
        )
        self._view.notice.show_text(said)
        await self._show()

    async def _clear_cache(self) -> None:
        name = self._tool.name
        count = await self._guards.clear_cache(name)
        self._view.notice.show_text(
            tr_count(
                count,
                "1 kept result was forgotten: the next call runs {name} anew.",
                "{count:,} kept results were forgotten: the next call runs {name} anew.",
                name=name,
            )
            if count
            else tr("No result of {name} was kept.", name=name)
        )

    def _on_view_guard_reset_requested(self) -> None:
        self._tasks.start(self._reset(), f"reset the guards of {self._tool.name}")

    def _on_view_cache_clear_requested(self) -> None:
        self._tasks.start(self._clear_cache(), f"clear the cache of {self._tool.name}")


def _has_queue(tool: ToolCard) -> bool:
    return tool.policies.rate_limit is not None or tool.policies.max_concurrent is not None


class LastRuns:
    """Remember the last two calls that ended on a page; no more, for results may be large."""

    def __init__(self) -> None:
        self._earlier: CallRecord | None = None
        self._latest: CallRecord | None = None
        self._reloaded = self._is_new = False

    def note(self, call: CallRecord) -> None:
        if self._latest is None or call.id != self._latest.id:
            self._earlier, self._latest = self._latest, call
            self._is_new, self._reloaded = self._reloaded, False

    @property
    def has_reloaded_between(self) -> bool:
        """Whether the tool was loaded anew between the two."""
        return self._is_new and self._earlier is not None

    def note_reload(self) -> None:
        """Take note that the tool was loaded anew: the latest call is of the version before."""
        self._is_new = False
        self._reloaded = True

    def pair(self, past: CallRecord | None) -> tuple[CallRecord, CallRecord] | None:
        """Return two calls to compare, the older one first; None when there are not two.

        Args:
            past: A call of the past that is shown instead of the last run; None when that is shown.
        """
        other = self._earlier if past is None else past
        if other is None or self._latest is None:
            return None
        older, newer = sorted((other, self._latest), key=lambda call: call.proposed_s)
        return older, newer


_log = logging.getLogger(__name__)

_TICK_MS: Final = 100
_RUN_TIP: Final = tr("Run the tool with these arguments")
_NO_PROJECT: Final = GuardNotice(
    "run",
    "folder-open",
    tr("No project is open."),
    tr("This tool works on files, and finds them from a project folder."),
    tr("Open folder…"),
    other=tr("Try the sample project"),
)
_FORMER_TIP: Final = tr("Run the version before the one that does not load, with these arguments")


class ExecutionPresenter(QObject):
    """Run one open tool.

    Args:
        view: The page; it is filled with the tool's arguments here.
        ports: The rest of the program.

    Signals:
        running_changed(bool): A call of this page started or ended.
        ended(CallRecord): A call of this page ended.
        batch_requested(dict): Add a step with these arguments to the plan that is open.
        messages_requested(str, str): Show what this server was sent for the call with this id, and what it answered.
        install_requested(str): Install this extra, or stop installing it.
    """

    running_changed = Signal(bool)
    ended = Signal(object)
    batch_requested = Signal(dict)
    messages_requested = Signal(str, str)
    install_requested = Signal(str)

    def __init__(
        self,
        tool: ToolCard,
        view: ExecutionView,
        ports: ExecutionPorts,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.tool = tool
        self._view = view
        self._ports = ports
        self._shown = CallPresenter(
            view.results,
            scope=ports.scope,
            compute=ports.compute,
            recent=ports.recent,
            notify=view.notice.show_text,
            parent=self,
        )
        self.call: CallRecord | None = None
        self._status = CallStatus.PENDING
        self._caller_until: datetime | None = None
        self.record: CallRecord | None = None
        self._run_number = 0
        # The record of a call that this page began comes as the answer to its start, with the time that listeners took.
        self._awaits_end = False
        self._starting = False
        self._running = False
        self._stopping = False
        self._past: CallRecord | None = None
        self._past_arguments: dict[str, Any] | None = None
        self._before: dict[str, Any] = {}
        self._started_s = 0.0
        self._early: list[WindowEvent] = []
        self._runs = LastRuns()
        self._former = ""
        self._source: SourceNotice | None = None
        self._install: ExtraInstall | None = None
        self._tasks = OwnTasks(ports.scope)
        self._ticker = QTimer(self, interval=_TICK_MS)
        self._ticker.timeout.connect(self._on_ticker_timeout)
        view.set_schema(_marked_schema(tool), project_dir=ports.project_dir())
        self._guards = GuardPresenter(tool, view, ports.guards, ports.scope, parent=self)
        ports.events.connect(self.on_events)
        ports.events.connect(self._guards.on_events)
        self._presets = PresetPresenter(tool, view, ports, self._is_own, parent=self)
        self._presets.batch_requested.connect(self.batch_requested)
        self._document: Document = view.document
        self._unsubscribe = self._document.subscribe(self._show_arguments)
        self._connect_view()
        self.follow_project()
        self.show_install(None)

    def _connect_view(self) -> None:
        view = self._view
        view.run_requested.connect(self.run)
        view.bypass_requested.connect(self.run_past_cache)
        view.stop_requested.connect(self.stop)
        view.arguments.show_copies(copy_kinds_of(self.tool.input_schema))
        view.libraries.action_requested.connect(self._on_libraries_action_requested)
        view.back_requested.connect(self._on_view_back_requested)
        view.arguments.copy_requested.connect(self._on_view_call_copy_requested)
        view.results.result_header.compare_requested.connect(self._on_view_compare_requested)
        view.results.result_header.messages_requested.connect(self._on_view_messages_requested)

    def adopt(self, tool: ToolCard) -> None:
        """Go on with another version of the tool: arguments, focus and the result stay.

        The result of a version that ran otherwise is marked, and the next one can be compared with it at a click.
        """
        known, self.tool = self.tool, tool
        self._guards.adopt(tool)
        self._presets.adopt(tool)
        self._view.change_tool(heading_of(tool), _marked_schema(tool))
        self.follow_project()
        self.show_install(self._install)
        # The first call of a server's tool approves it, which changes nothing of what ran.
        same = (tool.spec, tool.policies, tool.input_schema) == (known.spec, known.policies, known.input_schema)
        if same and tool.source.kind is SourceKind.SERVER:
            return
        self._runs.note_reload()
        shown = self.record or self.call
        if shown is not None:
            self._former = shown.id
            if self._past is None and self.record is not None:
                self._shown.mark_former(self.record)
        self._show_compare()
        self._show_arguments()

    def show_install(self, install: ExtraInstall | None) -> None:
        """Say which libraries the tool lacks, and how the newest installation stands; None when there was none."""
        self._install = install
        self._view.show_libraries(libraries_notice(self.tool.spec.extra, install))

    @Slot()
    def _on_libraries_action_requested(self) -> None:
        self.install_requested.emit(self.tool.spec.extra)

    def show_source(self, notice: SourceNotice | None, said: str = "") -> None:
        """Say how the file of the tool stands.

        Args:
            notice: What is said; None when what is loaded is what the file says.
            said: A sentence about what was done just now; empty for none.
        """
        self._source = notice
        self._view.show_source(notice)
        self._show_arguments()
        if said:
            self._view.notice.show_text(said)

    @property
    def is_running(self) -> bool:
        return self._running

    def run(self, *, bypass_cache: bool = False) -> None:
        """Run the tool, or say why not."""
        if self._running:
            self._view.notice.show_text(
                tr("{name} runs already. Stop it first, or wait until it ends.", name=self.tool.name)
            )
            return
        if self._lacks_project():
            self._view.notice.show_text(self._project_reason())
            return
        if not self._view.editor.can_run():
            self._view.notice.show_text(self._invalid_reason())
            self._view.reveal_first_error()
            return
        self._begin()
        self._tasks.start(self._run(bypass_cache=bypass_cache), f"run {self.tool.name}")

    def run_past_cache(self) -> None:
        self.run(bypass_cache=True)

    def follow_project(self) -> None:
        """Find relative paths from the project folder that is open now, or say that the tool needs one."""
        self._view.set_base(self._ports.project_dir())
        self._view.show_project(_NO_PROJECT if self._lacks_project() else None)
        self._show_arguments()

    def _lacks_project(self) -> bool:
        return self.tool.needs_project and self._ports.project_dir() is None

    def _project_reason(self) -> str:
        return tr("{name} needs a project folder, and no project is open", name=self.tool.name)

    def stop(self) -> None:
        """Ask the running call to stop; until it did, the page says that it is stopping."""
        if not self._running or self._stopping:
            return
        self._stopping = True
        if self.call is not None:
            self._ports.calls.stop(self.call.id)
        self._show_running()

    def fill_example(self) -> None:
        """Fill the arguments with the tool's first example; without one nothing happens."""
        self._presets.fill_example()

    def fill_exactly(self, arguments: Mapping[str, Any], said: str) -> None:
        """Fill the arguments with exactly these, for the person to run.

        Args:
            arguments: They may leave something out that the tool needs, where that is the fault which a check found.
            said: A sentence about where they come from.
        """
        self._presets.fill_exactly(arguments, said)
        self._view.results.show_tab(RESULT_TAB)
        self._view.header.run_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_call(self, call: CallRecord) -> None:
        """Show another call of this tool, whoever made it; one that still runs is followed to its end.

        Args:
            call: A call of this tool, as far as it is known. The arguments of the page stay as they are.
        """
        if self._running:
            if self.call is None or call.id != self.call.id:
                self._view.notice.show_text(
                    tr("{name} runs here. The other call can be shown when it ended.", name=self.tool.name)
                )
            return
        self._forget_past()
        self.call, self.record, self._status, self._caller_until = call, None, call.status, _caller_until(call)
        self._running, self._awaits_end = True, False
        self._run_number += 1
        self._started_s = self._ports.clock() - (datetime.now(UTC) - call.proposed_at).total_seconds()
        self._shown.begin()
        self._view.notice.show_text(
            tr(
                "This is the call of {caller} at {time}.",
                caller=caller_words(call.caller),
                time=format_time(call.proposed_at),
            )
        )
        if call.status.final:
            self._end(call)
            return
        self._early = []
        self._starting = True
        self._tasks.start(self._follow(call.id), f"follow a call of {self.tool.name}")
        self._ticker.start()
        self._show_running()
        self._show_arguments()
        self.running_changed.emit(True)

    async def _follow(self, call_id: str) -> None:
        """Take up a call where it is: what was told since its record was made is in the record, or comes after it."""
        number, record = self._run_number, None
        try:
            record = await self._ports.calls.record(call_id)
        finally:
            if number == self._run_number and self._running:
                if record is not None:
                    self._status, self._caller_until = record.status, _caller_until(record)
                    self._shown.take_over(record)
                self._catch_up()

    def _catch_up(self) -> None:
        """Take the events that came while nobody knew which of them are of this page's call."""
        self._starting = False
        early, self._early = self._early, []
        self.on_events(early)

    @Slot(list)
    def on_events(self, events: Sequence[WindowEvent]) -> None:
        """Take a batch of events; those of other calls are passed over.

        Args:
            events: Oldest first.
        """
        if self._starting:
            # A quick tool has begun, or ended, before the window hears which call it is.
            self._early.extend(events)
            return
        own = "" if self.call is None else self.call.id
        for event in events:
            match event:
                case CallOutput(call_id) if call_id == own:
                    self._shown.take_output(event, self._elapsed_s())
                case CallBegun(call_id) | QuestionDecided(call_id) if call_id == own:
                    self._status = CallStatus.EXECUTING
                case CallerMissing(call_id, until) if call_id == own:
                    self._status = CallStatus.EXECUTING if until is None else CallStatus.WAITING_FOR_CALLER
                    self._caller_until = until
                case QuestionAsked(call_id) if call_id == own:
                    self._status = CallStatus.WAITING_FOR_REVIEW
                case CallEnded(record) if record.id == own and not self._awaits_end:
                    self._end(record)
                case _:
                    pass

    def close(self) -> None:
        """Stop what runs, keep the arguments and let go of the page; ask before, where `is_running` says so."""
        self._unsubscribe()
        self._ticker.stop()
        self._shown.close()
        self._guards.close()
        self._presets.close()
        if self._running and self.call is not None:
            self._ports.calls.stop(self.call.id)
        self._running = False
        self._tasks.cancel()

    def show_past(self, record: CallRecord, arguments: Mapping[str, Any], missing: Sequence[str] = ()) -> None:
        """Show a call of the past with its arguments, until the person goes back or runs the tool.

        Args:
            arguments: Those that ran; they stand in the form.
            missing: Arguments that were hidden when the call was kept.
        """
        if self._running:
            self._view.notice.show_text(
                tr("{name} runs here. The other call can be shown when it ended.", name=self.tool.name)
            )
            return
        if self._past is None:
            self._before = self._document.value()
        self._past = record
        self._fill(arguments)
        self._past_arguments = self._document.value()
        self._shown.begin()
        self._shown.show_final(record, self.tool)
        time, caller = _when(record.proposed_at), caller_words(record.caller)
        self._view.past.show_text(
            tr(
                "From history, {time}, called by {caller}. Not kept: {missing}",
                time=time,
                caller=caller,
                missing=", ".join(missing),
            )
            if missing
            else tr("From history, {time}, called by {caller}", time=time, caller=caller)
        )
        self._view.results.show_tab(RESULT_TAB)
        self._show_compare()
        self._view.results.result_header.messages.setVisible(self.tool.source.kind is SourceKind.SERVER)

    def run_with(self, arguments: Mapping[str, Any], missing: Sequence[str] = ()) -> None:
        """Run the tool with other arguments, or ask for what is missing of them.

        Args:
            arguments: They replace those in the form.
            missing: Arguments that are not known; the person has to fill them in.
        """
        if self._running:
            self._view.notice.show_text(
                tr("{name} runs already. Stop it first, or wait until it ends.", name=self.tool.name)
            )
            return
        self._forget_past()
        self._fill(arguments)
        if not missing:
            self.run()
            return
        self._view.notice.show_text(
            tr_count(
                len(missing),
                "{missing} is not kept in the history. Fill it in, then run.",
                "{missing} are not kept in the history. Fill them in, then run.",
                missing=", ".join(missing),
            )
        )
        self._view.reveal_first_error()

    def _fill(self, arguments: Mapping[str, Any]) -> None:
        self._document.replace({**self._document.initial_value(), **arguments})

    def _on_view_messages_requested(self) -> None:
        call = self._past or self.record or self.call
        if call is not None:
            self.messages_requested.emit(self.tool.source.name, call.id)

    def _show_compare(self) -> None:
        header = self._view.results.result_header
        header.show_compare(enabled=self._runs.pair(self._past) is not None)
        header.show_former(is_known=self._past is None and self._runs.has_reloaded_between)

    def _forget_past(self) -> None:
        self._past = None
        self._show_compare()
        self._past_arguments = None
        self._view.past.show_text("")

    def _on_view_back_requested(self) -> None:
        if self._past is None:
            return
        untouched = self._document.value() == self._past_arguments
        self._forget_past()
        if untouched:
            self._document.replace(self._before)
        if self.record is not None:
            self._shown.begin()
            self._shown.show_final(self.record, self.tool)
            self._mark_former()
        else:
            self._shown.clear()

    async def _run(self, *, bypass_cache: bool) -> None:
        calls, number = self._ports.calls, self._run_number
        record: CallRecord | None = None
        try:
            arguments = self._document.value()
            record = await calls.run(self.tool.name, arguments, self._on_call_begun, bypass_cache=bypass_cache)
        except Exception as error:  # noqa: BLE001 -- whatever it is, the page must not run for ever
            # A failing framework is an exception; the page says so, and the log has the trace.
            _log.exception("the call of %s could not be carried out", self.tool.name)
            self._break_off(error)
        finally:
            # The event of the end may have come first, and the person may have started the next run since.
            if number == self._run_number:
                if record is not None:
                    self._end(record)
                self._starting = False
                self._rest()

    def _on_call_begun(self, call: CallRecord) -> None:
        if self._running and self._starting:
            self.call = call
            # The engine works by now, so the window has the time to make what shows its result.
            self._view.results.result.shown.make_pages()
            self._catch_up()
            if self._stopping:
                self._ports.calls.stop(call.id)

    def _begin(self) -> None:
        self.call = self.record = None
        self._status, self._caller_until = CallStatus.PENDING, None
        self._run_number += 1
        self._awaits_end = True
        self._running = self._starting = True
        self._early = []
        self._stopping = False
        self._started_s = self._ports.clock()
        self._forget_past()
        self._presets.keep_run()
        self._view.notice.show_text("")
        self._shown.begin()
        self._ticker.start()
        self._show_running()
        self._show_arguments()
        self.running_changed.emit(True)

    def _end(self, record: CallRecord) -> None:
        """Show what came of a call, once."""
        if not self._running:
            return
        self.call, self.record = None, record
        self._shown.show_final(record, self.tool)
        self._runs.note(record)
        if record.id == self._former:
            self._runs.note_reload()
        self._mark_former()
        self._show_compare()
        self._view.results.result_header.messages.setVisible(self.tool.source.kind is SourceKind.SERVER)
        self._rest()
        self.ended.emit(record)

    def _mark_former(self) -> None:
        if self.record is not None and self.record.id == self._former:
            self._shown.mark_former(self.record)

    def _break_off(self, error: Exception) -> None:
        if not self._running:
            return
        failure = CallFailure(
            status="failed",
            type_name=type(error).__name__,
            what=tr("{name} could not be run", name=self.tool.name),
            why=translated(error),
            problems=(),
            remedy=tr("Correct how the tool or the program is set up, then run it again."),
        )
        facts = running_facts(CallStatus.EXECUTING, self._elapsed_s(), stopping=False)
        self._view.results.end(facts._replace(status="failed", word=tr("Failed")), None, failure, "")

    def _rest(self) -> None:
        """Be ready for the next call."""
        if not self._running:
            return
        self._running = self._stopping = False
        self._ticker.stop()
        self._view.header.show_stop(enabled=False, stopping=False)
        self._show_arguments()
        self.running_changed.emit(False)

    def _elapsed_s(self) -> float:
        return max(0.0, self._ports.clock() - self._started_s)

    def _show_running(self) -> None:
        facts = running_facts(self._status, self._elapsed_s(), stopping=self._stopping, until=self._caller_until)
        self._view.results.show_running(facts)
        self._view.header.show_stop(enabled=not self._stopping, stopping=self._stopping)

    def _invalid_reason(self) -> str:
        # A message begins with the argument's name, which is spelled as it is.
        errors = self._document.errors()
        return errors[0].message if errors else ""

    def _show_arguments(self) -> None:
        validity = self._document.validity()
        self._view.arguments.show_validity(validity, self._document.errors())
        self._view.arguments.show_summary(summary_of(self._shown_arguments()))
        if self._running:
            self._view.header.show_run(enabled=False, reason=tr("{name} runs already", name=self.tool.name))
        elif self._lacks_project():
            self._view.header.show_run(enabled=False, reason=self._project_reason())
        elif not validity.valid:
            self._view.header.show_run(enabled=False, reason=self._invalid_reason())
        else:
            is_former = self._source is not None and self._source.is_broken
            self._view.header.show_run(enabled=True, reason=_FORMER_TIP if is_former else _RUN_TIP)

    def _arguments(self) -> dict[str, Any]:
        """Return the arguments in the order the tool declares them."""
        value = self._document.value()
        order = {name: place for place, name in enumerate(self.tool.input_schema.get("properties", {}))}  # type: ignore[arg-type]
        return dict(sorted(value.items(), key=lambda item: order.get(item[0], len(order))))

    def _shown_arguments(self) -> dict[str, Any]:
        """Return the arguments as people may see them, and take them elsewhere."""
        masking, arguments = self.tool.masking, self._arguments()
        return arguments if masking is None else masking.arguments(arguments, fit=self._document.validity().valid)

    def _is_own(self) -> bool:
        return self._past is None or self._document.value() != self._past_arguments

    def _on_ticker_timeout(self) -> None:
        if self.record is None:
            self._show_running()

    def _on_view_compare_requested(self) -> None:
        from console.call_result.compared_calls import side_of_call  # noqa: PLC0415 -- as above
        from console.comparison import open_comparison  # noqa: PLC0415 -- few people compare

        pair = self._runs.pair(self._past)
        if pair is not None:
            now = datetime.now(UTC)
            sides = [
                side_of_call(
                    record,
                    f"{format_time(record.proposed_at, now)} · {caller_words(record.caller)}",
                    format_took(record.elapsed_s, record.review_s),
                )
                for record in pair
            ]
            open_comparison(self._view.window(), *sides, compute=self._ports.compute, scope=self._ports.scope)

    def _on_view_call_copy_requested(self, kind: str) -> None:
        self._view.results.put_on_clipboard(copy_of(kind, self.tool.name, self._shown_arguments()))


def _marked_schema(tool: ToolCard) -> Mapping[str, Any]:
    return tool.input_schema if tool.masking is None else tool.masking.marked(tool.input_schema)


def _caller_until(record: CallRecord) -> datetime | None:
    return datetime.fromtimestamp(record.caller_until_s, UTC) if record.caller_until_s else None


def _when(moment: datetime) -> str:
    """Say when a call was made: 14:32:05 today, else with the day in front."""
    words = format_time(moment)
    return words if ":" in words else f"{words}, {moment.astimezone():%H:%M}"
