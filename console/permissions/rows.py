"""What the lists of rules and permissions show: frozen values, worked out by whoever knows the policy."""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import Final, NamedTuple, Protocol

from console.language import tr

PLACES: Final = {"session": tr("This session"), "user": tr("Your file"), "project": tr("The project")}
"""Where a rule is kept, in words, by the value of its `RuleLocation`."""

UNTIL_EXIT: Final = tr("Until the program ends")
UNTIL_REMOVED: Final = tr("Until it is removed")


class PolicyState(NamedTuple):
    """All that is shown of the policy at one moment.

    Attributes:
        rules: The rules, what counts first standing first.
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

    def remove(self, rule_id: str, /) -> None: ...

    def set_effect(self, rule_id: str, effect: str, /) -> None:
        """Let a rule answer something else."""
        ...

    def set_on(self, rule_id: str, /, *, is_on: bool) -> None:
        """Let a rule count, or not."""
        ...

    def set_end(self, rule_id: str, end: RuleExpiry, /) -> None:
        """Let a rule end at another time."""
        ...

    def set_wish(self, source: str, tool: str, wish: PermissionMode, /) -> None:
        """Say what the person wants of a tool, or with an empty name of all tools of a source."""
        ...

    def text_of(self, rule_id: str, /) -> str: ...

    def meaning_of(self, text: str, /) -> ParsedRule: ...

    def write(self, rule_id: str, text: str, /) -> None:
        """Let a rule be what a text says; with an empty id, add it."""
        ...

    def open_file(self) -> None:
        """Show the file with the person's rules in the program that is for it."""
        ...


class PermissionMode(StrEnum):
    """What a person wants of the calls of a tool or a source."""

    DEFAULT = "default"
    ASK = "ask"
    ALWAYS = "always"
    NEVER = "never"


class RuleExpiry(StrEnum):
    """When a rule ends."""

    AS_IT_IS = "as it is"
    NEVER = "never"
    HOUR = "hour"
    TODAY = "today"


class RuleRow(NamedTuple):
    """One rule.

    Attributes:
        effect: `allow`, `ask` or `deny`.
        lasts: Until when it counts, in words.
        place: Where it is kept, in words.
        uses: How many calls it let run.
        last_used: When last, in words; empty for never.
        reason: Why it exists, in the person's words; empty when nobody said.
        suspended: Why it says nothing at the moment; empty when it counts.
        fixed: Why it cannot be changed here; empty when it can.
    """

    id: str
    effect: str
    words: str
    lasts: str
    place: str
    uses: int
    last_used: str
    reason: str
    suspended: str
    is_on: bool
    fixed: str


class PermissionRow(NamedTuple):
    """One tool.

    Attributes:
        risk: How much harm its calls can do, in words.
    """

    name: str
    risk: str
    wish: PermissionMode


class PermissionSourceRow(NamedTuple):
    """One source and its tools."""

    name: str
    wish: PermissionMode
    tools: tuple[PermissionRow, ...]


class ToolColumn(IntEnum):
    """The columns of tools and sources, left to right."""

    NAME = 0
    RISK = 1
    WISH = 2


class ParsedRule(NamedTuple):
    """What a text means.

    Attributes:
        words: The rule in words; empty when it is none.
        problem: Why it is none; empty when it is one.
    """

    words: str
    problem: str
