"""What is wrong with how the tools are described, looked for in a thread and told to the tree and the pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from console.engine import Engine
from console.responsiveness.heartbeat import yielding
from console.tasks import OwnTasks, TaskScope
from tools.lint import ToolLint, lint_tool, name_collisions, token_costs
from tools.registry import ToolRegistry
from tools.tool import Tool

_PAUSE_MS: Final = 400
"""How long after a change the tools are looked at: a plugin that is loaded again changes them twice."""


class ToolLints(QObject):
    """Keep what the lints say of each tool; those that did not change are not looked at again.

    Args:
        registry: The tools.
        engine: Has the threads.
        scope: Owns the tasks.
        parent: Its owner.

    Signals:
        changed(dict): What is said of the tools where that changed, as `ToolLint` by name.
    """

    changed = Signal(dict)

    def __init__(self, registry: ToolRegistry, engine: Engine, scope: TaskScope, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._registry = registry
        self._engine = engine
        self._tasks = OwnTasks(scope)
        self._known: dict[str, tuple[Tool, ToolLint]] = {}
        self._told: Mapping[str, ToolLint] = {}
        self._is_looking = False
        self._timer = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._timer.timeout.connect(self._on_timer_timeout)

    @Slot()
    def look_again(self) -> None:
        """Look at the tools soon: some came, went or changed."""
        self._timer.start()

    def stop(self) -> None:
        """Look no more."""
        self._timer.stop()
        self._tasks.cancel()

    @Slot()
    def _on_timer_timeout(self) -> None:
        if self._is_looking:
            self._timer.start()
            return
        self._is_looking = True
        self._tasks.start(self._look(), "lint the tools")

    async def _look(self) -> None:
        try:
            told = await self._engine.compute(self._lint_all)
        finally:
            self._is_looking = False
        changed = {name: lint for name, lint in told.items() if self._told.get(name) != lint}
        self._told = told
        if changed:
            self.changed.emit(changed)

    def _lint_all(self) -> dict[str, ToolLint]:
        tools = tuple(self._registry)
        collisions = name_collisions(tool.name for tool in tools)
        known: dict[str, tuple[Tool, ToolLint]] = {}
        for tool in yielding(tools, self._engine.heartbeat.yield_to_ui):
            before = self._known.get(tool.name)
            if before is None or before[0] is not tool:
                before = tool, ToolLint(lint_tool(tool), token_costs(tool))
            known[tool.name] = before
        self._known = known
        return {
            name: lint._replace(findings=(*lint.findings, *collisions.get(name, ())))
            for name, (_, lint) in known.items()
        }
