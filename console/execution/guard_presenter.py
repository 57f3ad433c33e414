"""What stands behind the notices about a tool's guards: follows how they stand, resets them, clears the cache."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QObject, QTimer, Slot

from console.call.rows import guard_badge, guard_notice
from console.call_events import CallBegun, CallEnded, WindowEvent
from console.execution.ports import GuardPort
from console.execution.view import ExecutionView
from console.tasks import OwnTasks, TaskScope
from tools.calls import GuardChanged, GuardKind
from tools.card import ToolCard

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
        self._looker = QTimer(self)
        self._looker.setInterval(_LOOK_EVERY_MS)
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
        said = f"{name} runs again as usual." if count else f"Nothing held {name} back any more."
        self._view.notice.show_text(said)
        await self._show()

    async def _clear_cache(self) -> None:
        name = self._tool.name
        count = await self._guards.clear_cache(name)
        said = "1 kept result was forgotten" if count == 1 else f"{count:,} kept results were forgotten"
        self._view.notice.show_text(
            f"{said}: the next call runs {name} anew." if count else f"No result of {name} was kept."
        )

    def _on_view_guard_reset_requested(self) -> None:
        self._tasks.start(self._reset(), f"reset the guards of {self._tool.name}")

    def _on_view_cache_clear_requested(self) -> None:
        self._tasks.start(self._clear_cache(), f"clear the cache of {self._tool.name}")


def _has_queue(tool: ToolCard) -> bool:
    return tool.policies.rate_limit is not None or tool.policies.max_concurrent is not None
