"""The level of autonomy in the status bar: shown with what is wrong with the policy, chosen and undone there."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from console.language import translated
from console.policies import PolicyController
from console.tasks import TaskScope
from console.window.status_bar import AutonomyLevel, StatusBar
from tools.policy import AUTONOMY_WORDS, Autonomy, Undo


class AutonomyChooser(QObject):
    """Keep the status bar in step with the policy, and carry out what the person chooses there.

    Args:
        policies: Keep the policy.
        status_bar: Shows the level, and offers the undo of changes.
        scope: Owns the tasks.
        parent: Its owner.
    """

    def __init__(
        self, policies: PolicyController, status_bar: StatusBar, scope: TaskScope, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._policies = policies
        self._status_bar = status_bar
        self._scope = scope
        policies.changed.connect(self._show)
        policies.noticed.connect(status_bar.show_notice)
        policies.undo_offered.connect(status_bar.show_undo)
        status_bar.level_chosen.connect(self._on_status_bar_level_chosen)
        status_bar.undo_requested.connect(policies.undo)
        self._show()

    @Slot()
    def _show(self) -> None:
        snapshot, levels = self._policies.snapshot, []
        for level in Autonomy:
            title, _, detail = translated(AUTONOMY_WORDS[level]).partition(": ")
            levels.append(AutonomyLevel(level, title, detail, level is Autonomy.FULL_AUTO))
        self._status_bar.show_level(snapshot.autonomy, levels, " ".join(snapshot.problems))

    @property
    def level(self) -> Autonomy:
        """Give the level that counts."""
        return self._policies.snapshot.autonomy

    @Slot(str)
    def _on_status_bar_level_chosen(self, key: str) -> None:
        self._scope.start(self.choose(key), "change the level")  # type: ignore[unused-awaitable]

    async def choose(self, key: str) -> None:
        """Let another level count, and offer to take it back."""
        policy, former, level = self._policies.policy, self.level, Autonomy(key)
        if level is former:
            self._show()
            return

        def make() -> tuple[Undo, str]:
            policy.keep_autonomy(level)
            return undo, translated(AUTONOMY_WORDS[level])

        def undo() -> None:
            policy.keep_autonomy(former)

        await self._policies.change(make)
        # One that could not be kept is not the chosen one in the list either.
        self._show()
