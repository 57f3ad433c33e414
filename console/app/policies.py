"""The policy of the program: made before the executor, kept fresh beside the window, its level and changes shown."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from PySide6.QtCore import QObject, Qt, Signal, Slot

from console.tasks import Compute, TaskScope
from console.window.status_bar import AutonomyLevel, StatusBar
from tools.card import ToolFacts
from tools.errors import PolicyError
from tools.policy import (
    AUTONOMY_WORDS,
    Autonomy,
    PlacedRule,
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

MakeChange = Callable[[], tuple[Undo, str]]
"""Changes the rules, in a thread that is not the window's; returns the undo, and what was done in words."""


def make_policy(file: Path | None, data: Path, lookup: Callable[[str], ToolFacts | None] | None = None) -> Policy:
    """Return the person's policy.

    Args:
        file: Their rules; None for the user's own file.
        data: The folder that keeps how often rules were used.
        lookup: Finds a tool by its name, so that the list of rules knows which a changed definition suspends.
    """
    return Policy(user_file=file or user_policy_file(), uses=RuleUses(data / RULE_USES_FILE), lookup=lookup)


class PolicySnapshot(NamedTuple):
    """The policy as it was after a change.

    Attributes:
        autonomy: What is asked about when no rule speaks.
        problems: What is wrong with the files, one sentence each.
        rules: Every rule, with its uses until then.
    """

    autonomy: Autonomy
    problems: tuple[str, ...]
    rules: tuple[PlacedRule, ...]


def snapshot_of(policy: Policy) -> PolicySnapshot:
    """Return the policy as it is; it may read a file."""
    return PolicySnapshot(policy.autonomy, policy.problems, policy.rules)


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
        policy: The rules; for threads that are not the window's.
        snapshot: The policy after its last change.
        file: The file with the person's rules; it may not be there yet.

    Signals:
        changed(): The rules, the level or the problems of the files are others now.
        changed_anywhere(PolicySnapshot): The same, from the thread that saw it; internal.
        noticed(str): A sentence for the person.
    """

    changed = Signal()
    changed_anywhere = Signal(object)
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
        self.snapshot = snapshot_of(policy)
        self._telling = threading.Lock()
        self._one_at_a_time = asyncio.Lock()
        self._unwatch = policy.watch(self._tell)
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

    def _tell(self) -> None:
        # Under the lock, or the thread that looked first may tell last.
        with self._telling, suppress(RuntimeError):  # the Qt side is gone: the program ends
            self.changed_anywhere.emit(snapshot_of(self.policy))

    async def change(self, make: MakeChange) -> bool:
        """Change the rules, one change after the other, and offer to take it back.

        Returns:
            Whether it was done; if not, the person was told why.
        """
        try:
            async with self._one_at_a_time:
                self._undo, words = await self._compute(make)
        except PolicyError as error:
            self.noticed.emit(_sentence(error))
            return False
        self._status_bar.show_undo(words)
        return True

    def begin_change(self, make: MakeChange) -> None:
        """Do what `change` does, soon."""
        self._scope.start(self.change(make), "change the rules")  # type: ignore[unused-awaitable]

    async def keep(self, rule: Rule, place: RuleLocation) -> bool:
        """Add a rule; return whether it was done, as `change` does."""

        def make() -> tuple[Undo, str]:
            return self.policy.add(rule, place), f"Remembered: {rule_words(rule)}"

        return await self.change(make)

    async def _keep_fresh(self) -> None:
        while True:
            await asyncio.sleep(_LOOK_EVERY_S)
            # What is wrong with a file, or cannot be written down, is among the policy's problems then.
            await self._compute(self.policy.refresh)

    def _show(self) -> None:
        levels = [AutonomyLevel(level, *_title_and_detail(level), level is Autonomy.FULL_AUTO) for level in Autonomy]
        self._status_bar.show_level(self.snapshot.autonomy, levels, " ".join(self.snapshot.problems))

    @Slot(object)
    def _on_changed_anywhere(self, snapshot: PolicySnapshot) -> None:
        self.snapshot = snapshot
        self._show()
        self.changed.emit()

    @Slot(str)
    def _on_status_bar_level_chosen(self, key: str) -> None:
        former, level = self.snapshot.autonomy, Autonomy(key)
        if level is former:
            self._show()
            return

        def make() -> tuple[Undo, str]:
            self.policy.keep_autonomy(level)
            return undo, AUTONOMY_WORDS[level]

        def undo() -> None:
            self.policy.keep_autonomy(former)

        self._scope.start(self._choose_level(make), "change the level")  # type: ignore[unused-awaitable]

    async def _choose_level(self, make: MakeChange) -> None:
        await self.change(make)
        # One that could not be kept is not the chosen one in the list either.
        self._show()

    @Slot()
    def _on_status_bar_undo_requested(self) -> None:
        undo, self._undo = self._undo, None
        if undo is not None:
            self._scope.start(self._take_back(undo), "undo a change of the rules")  # type: ignore[unused-awaitable]

    async def _take_back(self, undo: Undo) -> None:
        try:
            async with self._one_at_a_time:
                await self._compute(undo)
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
