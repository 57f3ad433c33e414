"""Tell on the desktop that a tool's health changed, while the person looks at something else."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from tools.health import HealthStatus

if TYPE_CHECKING:
    from console.notices import Notices
    from tools.health import HealthChange


_KEY: Final = "health "
_TOGETHER: Final = "health of several"
_EACH: Final = 3
"""More changes than these at a time are told as one: a server that ends takes all its tools along."""


class HealthNotices(QObject):
    """Tell changes of health that somebody wants to know of; nothing to whoever sees the window anyway.

    Args:
        notices: Tells them.
        is_looked_at: Whether the person looks at the window.
        parent: Its owner.

    Signals:
        page_requested(): The person wants to see what happened.
    """

    page_requested = Signal()

    def __init__(self, notices: Notices, is_looked_at: Callable[[], bool], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._notices = notices
        self._is_looked_at = is_looked_at
        self._changes: list[HealthChange] = []
        # One look at the tools tells its changes one after the other.
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._on_timer_timeout)
        notices.chosen.connect(self._on_notices_chosen)

    @Slot(object)
    def take(self, change: HealthChange) -> None:
        self._changes.append(change)
        self._timer.start()

    @Slot()
    def _on_timer_timeout(self) -> None:
        changes, self._changes = self._changes, []
        if self._is_looked_at():
            return
        if len(changes) > _EACH:
            down = sum(change.after is HealthStatus.DOWN for change in changes)
            title = f"The health of {len(changes)} tools changed"
            self._notices.post(_TOGETHER, title, f"{down} of them are down." if down else "None of them is down.")
            return
        for change in changes:
            state = f"is {change.after.value}" if change.reason else f"is {change.after.value} again"
            self._notices.post(f"{_KEY}{change.tool_name}", f"{change.tool_name} {state}", change.reason or "")

    @Slot(str, str)
    def _on_notices_chosen(self, key: str, _action: str) -> None:
        if key == _TOGETHER or key.startswith(_KEY):
            self.page_requested.emit()
