"""What the lists of rules and permissions need of the policy."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from console.permissions.rows import End, Meaning, PermissionSourceRow, RuleRow, Wish


class PolicyState(NamedTuple):
    """All that is shown of the policy at one moment.

    Attributes:
        rules: The rules, what counts first standing first.
        sources: The sources with their tools.
        level: What becomes of calls that no rule speaks of, in words.
        problem: Why a file cannot be read; empty when all is well.
    """

    rules: tuple[RuleRow, ...]
    sources: tuple[PermissionSourceRow, ...]
    level: str
    problem: str


class PolicyPort(Protocol):
    """Look at the policy and change it; what was done or refused the person is told."""

    async def state(self) -> PolicyState: ...

    def remove(self, rule_id: str, /) -> None:
        """Take a rule out."""
        ...

    def set_effect(self, rule_id: str, effect: str, /) -> None:
        """Let a rule answer something else."""
        ...

    def set_on(self, rule_id: str, /, *, is_on: bool) -> None:
        """Let a rule count, or not."""
        ...

    def set_end(self, rule_id: str, end: End, /) -> None:
        """Let a rule end at another time."""
        ...

    def set_wish(self, source: str, tool: str, wish: Wish, /) -> None:
        """Say what the person wants of a tool, or with an empty name of all tools of a source."""
        ...

    def text_of(self, rule_id: str, /) -> str:
        """Return a rule as its file has it; with an empty id, what a new one may begin with."""
        ...

    def meaning_of(self, text: str, /) -> Meaning: ...

    def write(self, rule_id: str, text: str, /) -> None:
        """Let a rule be what a text says; with an empty id, add it."""
        ...

    def open_file(self) -> None:
        """Show the file with the person's rules in the program that is for it."""
        ...
