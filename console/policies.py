"""The policy of the program: made before the executor, kept fresh beside the window; its changes can be undone."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QObject, Qt, Signal, Slot

from console.file_poller import FilePoller
from console.language import sentence_of, tr
from console.tasks import Compute, TaskScope
from tools.card import ToolFacts
from tools.errors import PolicyError
from tools.policy import (
    DENYLIST_NAME,
    Autonomy,
    PastCall,
    PlacedRule,
    Policy,
    Risk,
    Rule,
    RuleLocation,
    RuleUses,
    Tested,
    Undo,
    risk_of,
    rule_words,
    user_policy_file,
    would_have,
)
from tools.registry import ToolRegistry
from tools.workbench import RULE_USES_FILE

MakeChange = Callable[[], tuple[Undo, str]]
"""Changes the rules, in a thread that is not the window's; returns the undo, and what was done in words."""


def make_policy(file: Path | None, data: Path, lookup: Callable[[str], ToolFacts | None] | None = None) -> Policy:
    """Return the person's policy.

    Args:
        file: Their rules; None for the user's own file.
        data: The folder that keeps how often rules were used.
        lookup: Finds a tool by its name, so that the list of rules knows which a changed definition suspends.
    """
    file = file or user_policy_file()
    return Policy(
        user_file=file,
        denylist=file.with_name(DENYLIST_NAME),
        uses=RuleUses(data / RULE_USES_FILE),
        lookup=lookup,
    )


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
    """Keep the policy in step with its files, and make changes of it that can be undone.

    Args:
        registry: Has the tools that rules are judged by.
        file: The person's rules, as they were given to `make_policy`.
        compute: Runs what waits for a disk away from the window's thread.

    Attributes:
        policy: The rules; for threads that are not the window's.
        snapshot: The policy after its last change.
        file: The file with the person's rules; it may not be there yet.
        compute: Runs what waits for a disk away from the window's thread.

    Signals:
        changed(): The rules, the level or the problems of the files are others now.
        changed_anywhere(PolicySnapshot): The same, from the thread that saw it; internal.
        noticed(str): A sentence for the person.
        undo_offered(str): What was done, which `undo` takes back.
    """

    changed = Signal()
    changed_anywhere = Signal(object)
    noticed = Signal(str)
    undo_offered = Signal(str)

    def __init__(
        self,
        policy: Policy,
        registry: ToolRegistry,
        *,
        file: Path | None = None,
        compute: Compute,
        scope: TaskScope,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.policy = policy
        self.file = file or user_policy_file()
        self._registry = registry
        self.compute = compute
        self._scope = scope
        self._undo: Undo | None = None
        self.snapshot = snapshot_of(policy)
        self._telling = threading.Lock()
        self._one_at_a_time = asyncio.Lock()
        self._unwatch = policy.watch(self._tell)
        self.changed_anywhere.connect(self._on_changed_anywhere, Qt.ConnectionType.QueuedConnection)

    def start(self, files: FilePoller) -> None:
        """Follow the files, and have it written down now and then how often rules were used."""
        # The policy tells of changes itself. What is wrong with a file, or cannot be written, is among its problems.
        files.watch("the policy files", self.policy.refresh)

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
                self._undo, words = await self.compute(make)
        except PolicyError as error:
            self.noticed.emit(sentence_of(error))
            return False
        self.undo_offered.emit(words)
        return True

    def begin_change(self, make: MakeChange) -> None:
        """Do what `change` does, soon."""
        self._scope.start(self.change(make), "change the rules")  # type: ignore[unused-awaitable]

    async def keep(self, rule: Rule, place: RuleLocation) -> bool:
        """Add a rule; return whether it was done, as `change` does."""

        def make() -> tuple[Undo, str]:
            return self.policy.add(rule, place), tr("Remembered: {rule}", rule=rule_words(rule))

        return await self.change(make)

    async def risks(self) -> Mapping[str, Risk]:
        """Return how much harm calls of each tool can do, by name."""
        risks: Mapping[str, Risk] = await self.compute(self._risks)
        return risks

    def _risks(self) -> dict[str, Risk]:
        return {tool.name: risk_of(tool, {}, ()) for tool in self._registry}

    async def tested(self, rule: Rule, past: Sequence[PastCall]) -> Tested:
        tested: Tested = await self.compute(would_have, rule, past, self._registry.lookup)
        return tested

    @Slot(object)
    def _on_changed_anywhere(self, snapshot: PolicySnapshot) -> None:
        self.snapshot = snapshot
        self.changed.emit()

    @Slot()
    def undo(self) -> None:
        """Take the last change back."""
        undo, self._undo = self._undo, None
        if undo is not None:
            self._scope.start(self._take_back(undo), "undo a change of the rules")  # type: ignore[unused-awaitable]

    async def _take_back(self, undo: Undo) -> None:
        try:
            async with self._one_at_a_time:
                await self.compute(undo)
        except PolicyError as error:
            self.noticed.emit(sentence_of(error))
        else:
            self.noticed.emit(tr("Undone"))
