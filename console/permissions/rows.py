"""What the lists of rules and permissions show: frozen values, worked out by whoever knows the policy."""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import NamedTuple


class Wish(StrEnum):
    """What a person wants of the calls of a tool or a source."""

    DEFAULT = "default"
    ASK = "ask"
    ALWAYS = "always"
    NEVER = "never"


class End(StrEnum):
    """When a rule ends."""

    AS_IT_IS = "as it is"
    NEVER = "never"
    HOUR = "hour"
    TODAY = "today"


class RuleRow(NamedTuple):
    """One rule.

    Attributes:
        id: Its id.
        effect: `allow`, `ask` or `deny`.
        words: The rule, word for word.
        lasts: Until when it counts, in words.
        place: Where it is kept, in words.
        uses: How many calls it let run.
        last_used: When last, in words; empty for never.
        reason: Why it exists, in the person's words; empty when nobody said.
        suspended: Why it says nothing at the moment; empty when it counts.
        is_on: Whether it is switched on.
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
        name: Its name.
        risk: How much harm its calls can do, in words.
        wish: What the person wants of it.
    """

    name: str
    risk: str
    wish: Wish


class PermissionSourceRow(NamedTuple):
    """One source and its tools."""

    name: str
    wish: Wish
    tools: tuple[PermissionRow, ...]


class ToolColumn(IntEnum):
    """The columns of tools and sources, left to right."""

    NAME = 0
    RISK = 1
    WISH = 2


class Meaning(NamedTuple):
    """What a text means.

    Attributes:
        words: The rule in words; empty when it is none.
        problem: Why it is none; empty when it is one.
    """

    words: str
    problem: str
