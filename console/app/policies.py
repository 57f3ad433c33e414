"""The policy of the program: made before the executor, kept fresh beside the window, its level and changes shown."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Qt, Signal, Slot

from console.tasks import Compute, TaskScope
from console.window.status_bar import AutonomyLevel, StatusBar
from tools.card import ToolFacts
from tools.errors import PolicyError
from tools.policy import (
    AUTONOMY_WORDS,
    Autonomy,
    Policy,
    Rule,
    RuleLocation,
    RuleUses,
    Undo,
    rule_words,
    user_policy_file,
)
from tools.workbench import RULE_USES_FILE

_LOOK_EVERY_S: Final = 1.0


def make_policy(file: Path | None, data: Path, lookup: Callable[[str], ToolFacts | None] | None = None) -> Policy:
    """Return the person's policy.

    Args:
        file: Their rules; None for the user's own file.
        data: The folder that keeps how often rules were used.
        lookup: Finds a tool by its name, so that the list of rules knows which a changed definition suspends.
    """
    return Policy(user_file=file or user_policy_file(), uses=RuleUses(data / RULE_USES_FILE), lookup=lookup)


class PolicyController(QObject):
    """Keep the policy in step with its files and the status bar, and make changes of it that can be undone.

    Args:
        policy: The rules.
        status_bar: Shows the level of autonomy, and offers the undo.
        file: The person's rules, as they were given to `make_policy`.
        compute: Runs what waits for a disk away from the window's thread.
        scope: Owns the tasks.
        parent: Its owner.

    Attributes:
        policy: The rules.
        file: The file with the person's rules; it may not be there yet.

    Signals:
        changed(): The rules, the level or the problems of the files are others now.
        changed_anywhere(): The same, from the thread that saw it; internal.
        noticed(str): A sentence for the person.
    """

    changed = Signal()
    changed_anywhere = Signal()
    noticed = Signal(str)

    def __init__(
        self,
        policy: Policy,
        status_bar: StatusBar,
        *,
        file: Path | None = None,
        compute: Compute,
        scope: TaskScope,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.policy = policy
        self.file = file or user_policy_file()
        self._status_bar = status_bar
        self._compute = compute
        self._scope = scope
        self._undo: Undo | None = None
        self._unwatch = policy.watch(self.changed_anywhere.emit)
        self.changed_anywhere.connect(self._on_changed_anywhere, Qt.ConnectionType.QueuedConnection)
        self.noticed.connect(status_bar.show_notice)
        status_bar.level_chosen.connect(self._on_status_bar_level_chosen)
        status_bar.undo_requested.connect(self._on_status_bar_undo_requested)
        self._show()

    def start(self) -> None:
        """Begin to look at the files; from inside the running event loop."""
        self._scope.start(self._keep_fresh(), "watch the policy files")  # type: ignore[unused-awaitable]

    def close(self) -> None:
        """Follow nothing any more, and write down how often rules were used."""
        self._unwatch()
        self.policy.flush()

    @Slot(object)
    def follow_project(self, folder: Path) -> None:
        """Let the rules of another project count."""
        self.policy.project_dir = folder

    def change(self, make: Callable[[], Undo], words: str) -> bool:
        """Change the rules, and offer to take it back.

        Args:
            make: Makes the change and returns the undo.
            words: Says what was done.

        Returns:
            Whether it was done; if not, the person was told why.
        """
        try:
            self._undo = make()
        except PolicyError as error:
            self.noticed.emit(_sentence(error))
            return False
        self._status_bar.show_undo(words)
        return True

    def keep(self, rule: Rule, place: RuleLocation) -> bool:
        """Add a rule; return whether it was done, as `change` does."""

        def make() -> Undo:
            return self.policy.add(rule, place)

        return self.change(make, f"Remembered: {rule_words(rule)}")

    async def _keep_fresh(self) -> None:
        while True:
            await asyncio.sleep(_LOOK_EVERY_S)
            # What is wrong with a file, or cannot be written down, is among the policy's problems then.
            await self._compute(self.policy.refresh)

    def _show(self) -> None:
        levels = [AutonomyLevel(level, *_title_and_detail(level), level is Autonomy.FULL_AUTO) for level in Autonomy]
        self._status_bar.show_level(self.policy.autonomy, levels, " ".join(self.policy.problems))

    @Slot()
    def _on_changed_anywhere(self) -> None:
        self._show()
        self.changed.emit()

    @Slot(str)
    def _on_status_bar_level_chosen(self, key: str) -> None:
        former, level = self.policy.autonomy, Autonomy(key)
        if level is former:
            self._show()
            return

        def make() -> Undo:
            self.policy.keep_autonomy(level)
            return undo

        def undo() -> None:
            self.policy.keep_autonomy(former)

        self.change(make, AUTONOMY_WORDS[level])
        self._show()

    @Slot()
    def _on_status_bar_undo_requested(self) -> None:
        undo, self._undo = self._undo, None
        if undo is None:
            return
        try:
            undo()
        except PolicyError as error:
            self.noticed.emit(_sentence(error))
        else:
            self.noticed.emit("Undone")


def _title_and_detail(level: Autonomy) -> tuple[str, str]:
    title, _, detail = AUTONOMY_WORDS[level].partition(": ")
    return title, detail


def _sentence(error: Exception) -> str:
    text = str(error)
    return text[:1].upper() + text[1:]
