"""What stands behind the context: its parts, how long they are kept, the summary, instructions and rules."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, Signal, Slot

from console.assistant.context_dialogs import InstructionsDialog, SummaryDialog
from console.assistant.rows import ContextSettings, ContextShown, settings_of

if TYPE_CHECKING:
    from console.assistant.engine_assistant import EngineAssistant
    from console.assistant.rows import ModelRef
    from console.assistant.view import AssistantView
    from console.preferences import Preferences

_NOTHING: Final = ContextShown(())


class ContextPresenter(QObject):
    """Show what is sent next, and have it changed.

    Args:
        start: Starts some work under a name; what keeps it from being done is told.

    Signals:
        refreshed(): What is shown is as it is now.
    """

    refreshed = Signal()

    def __init__(
        self,
        view: AssistantView,
        port: EngineAssistant,
        *,
        preferences: Preferences,
        start: Callable[[Coroutine[Any, Any, None], str], None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._view = view
        self._port = port
        self._preferences = preferences
        self._start = start
        self._name = ""
        self._ref: ModelRef | None = None
        self._shown = _NOTHING
        known = settings_of(preferences.assistant_settings)
        if known is not None:
            port.begin_with(known)
        panel, bar = view.context, view.context_bar
        panel.part_changed.connect(self._on_context_part_changed)
        panel.turns_changed.connect(self._on_context_turns_changed)
        panel.limit_changed.connect(self._on_context_limit_changed)
        panel.instructions_requested.connect(self.ask_for_instructions)
        panel.summary_requested.connect(self._on_context_summary_requested)
        bar.turns_changed.connect(self._on_bar_turns_changed)
        bar.summarises_changed.connect(self._on_bar_summarises_changed)
        view.instructions_requested.connect(self.ask_for_instructions)
        view.tools.instructions_requested.connect(self.ask_for_instructions)
        view.tools.left_out.connect(self._on_tools_left_out)
        view.tools.on_demand_changed.connect(self._on_tools_on_demand_changed)

    @property
    def name(self) -> str:
        """The conversation that is shown; empty for a new one."""
        return self._name

    @property
    def ref(self) -> ModelRef | None:
        """The model that answers; None while none is chosen."""
        return self._ref

    def follow(self, name: str, ref: ModelRef | None) -> None:
        """Show what is sent next of a conversation, "" of a new one."""
        self._name, self._ref = name, ref
        self._start(self.refresh(), "look what is sent next")

    async def refresh(self) -> None:
        """Show what is sent next, as it is now."""
        name = self._name
        shown = await self._port.context(name, self._ref)
        if name == self._name:
            self._shown = shown
            self._view.show_context(shown.rows, shown.settings)
            self._view.context_bar.set_open(is_open=bool(name) and self._ref is not None)
            self.refreshed.emit()

    def _change(self, work: Callable[[ModelRef], Awaitable[None]]) -> None:
        if self._name and self._ref is not None:
            self._start(self._changed(work, self._ref), "change what is sent")

    async def _changed(self, work: Callable[[ModelRef], Awaitable[None]], ref: ModelRef) -> None:
        try:
            await work(ref)
        finally:
            # What was not changed is shown as it was.
            await self.refresh()

    @Slot(int, str)
    def _on_context_part_changed(self, part: int, state: str) -> None:
        name = self._name
        self._change(lambda ref: self._port.change_part(name, ref, part, state))

    @Slot(int, object)
    def _on_context_turns_changed(self, part: int, turns: int | None) -> None:
        name = self._name
        self._change(lambda ref: self._port.keep_part(name, ref, part, turns))

    @Slot(int)
    def _on_context_limit_changed(self, tokens: int) -> None:
        self._set(tokens=tokens)

    @Slot(object)
    def _on_tools_left_out(self, names: tuple[str, ...]) -> None:
        self._set(without=names)

    @Slot(bool)
    def _on_tools_on_demand_changed(self, on_demand: bool) -> None:
        self._set(on_demand=on_demand)

    @Slot(int)
    def _on_bar_turns_changed(self, turns: int) -> None:
        self._set(turns_to_keep=turns)

    @Slot(bool)
    def _on_bar_summarises_changed(self, summarises: bool) -> None:
        self._set(summarises=summarises)

    def _set(self, **changes: Any) -> None:
        settings = self._shown.settings._replace(**changes)
        self._shown = self._shown._replace(settings=settings)
        name = self._name
        if name:
            self._change(lambda ref: self._port.change_settings(name, ref, settings))
        else:
            self._keep(settings)
            self._start(self.refresh(), "look what is sent next")

    def _keep(self, settings: ContextSettings) -> None:
        """Have new conversations begin with this, also after a restart."""
        self._port.begin_with(settings)
        self._preferences.assistant_settings = settings.written

    @Slot()
    def ask_for_instructions(self) -> None:
        dialog = self._view.ask(InstructionsDialog, self._shown.settings)
        dialog.submitted.connect(self._on_dialog_instructions_submitted)

    @Slot(str, list, list)
    def _on_dialog_instructions_submitted(self, instructions: str, always: list[str], never: list[str]) -> None:
        self._set(instructions=instructions, always=tuple(always), never=tuple(never))

    @Slot()
    def _on_context_summary_requested(self) -> None:
        turns = next((row.label for row in self._shown.rows if row.kind == "summary"), "")
        dialog = self._view.ask(SummaryDialog, turns, self._shown.summary)
        dialog.submitted.connect(self._on_dialog_summary_submitted)

    @Slot(str)
    def _on_dialog_summary_submitted(self, text: str) -> None:
        name = self._name
        self._change(lambda ref: self._port.change_summary(name, ref, text))
