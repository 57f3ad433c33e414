"""What the Agents page shows: what each agent used in a week, what it costs, and what a smaller profile would save."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Final, NamedTuple

from console.gateway.rows import NOW_SAMPLES, now_cell
from console.language import tr
from console.widgets import Cell, Column, RowOrder, TableModel, format_count, format_full_time, format_time

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from console.widgets import TextTone

LOOK_BACK_DAYS: Final = 7
"""Over how many days calls are counted."""

_FEW_CALLS: Final = 20
"""With fewer calls nothing is known of what an agent needs."""

_MOST_USED: Final = 2 / 3
"""An agent that uses more of its tools than this share needs them."""

_WORTH_TOKENS: Final = 500
"""What a smaller profile has to save at least."""


class ToolUse(NamedTuple):
    """One tool, as an agent used it.

    Attributes:
        served_name: What the agent calls it; empty where the agent does not see it now.
        tokens: About how many tokens its definition has.
        calls: How many calls were made in the last days.
        failed: How many of them failed, timed out or had wrong arguments.
        refused: How many of them were refused: by a rule, by a person, or because the agent does not see the tool.
        unseen: How many of those were refused because the agent does not see it, since the gateway is on.
    """

    tool: str
    served_name: str = ""
    tokens: int = 0
    calls: int = 0
    failed: int = 0
    refused: int = 0
    unseen: int = 0


class AgentRecord(NamedTuple):
    """One agent, as its page shows it.

    Attributes:
        profile: The profile that says which tools it sees; empty for all.
        is_blocked: Whether its requests are refused.
        waiting: How many of its calls wait for an answer.
        allowed: How many of its calls are allowed and wait until it asks again.
        last_at: When it was seen last; None for never.
        calls_a_minute: How many calls it made in the last minute.
        tools: The tools that it sees or used, by name.
        lists: How often it was told of its tools since the gateway is on.
        listed_tokens: About how many tokens it was told all these times together.
        holds: How long its requests are held while a person is asked, in seconds, by each program that hung up sooner.
    """

    name: str
    profile: str = ""
    token_words: str = ""
    is_blocked: bool = False
    waiting: int = 0
    allowed: int = 0
    last_at: datetime | None = None
    calls_a_minute: int = 0
    tools: tuple[ToolUse, ...] = ()
    lists: int = 0
    listed_tokens: int = 0
    holds: tuple[tuple[str, float], ...] = ()

    @property
    def calls(self) -> int:
        """How many calls it made in the last days."""
        return sum(tool.calls for tool in self.tools)

    @property
    def refused(self) -> int:
        return sum(tool.refused for tool in self.tools)

    @property
    def unseen(self) -> int:
        """How many of those were refused because it does not see the tool."""
        return sum(tool.unseen for tool in self.tools)

    @property
    def error_rate(self) -> float | None:
        """Which share of those that were not refused failed; None without any."""
        made = self.calls - self.refused
        return sum(tool.failed for tool in self.tools) / made if made else None

    @property
    def seen(self) -> tuple[ToolUse, ...]:
        return tuple(tool for tool in self.tools if tool.served_name)

    @property
    def used(self) -> tuple[ToolUse, ...]:
        """Those of them that it called, and was not always refused."""
        return tuple(tool for tool in self.seen if tool.calls > tool.refused)

    @property
    def tokens(self) -> int:
        """About how many tokens it is told with each list."""
        return sum(tool.tokens for tool in self.seen)

    @property
    def saved_tokens(self) -> int:
        """About how many tokens a profile of the used tools would save; 0 where that is not worth it."""
        seen, used = self.seen, self.used
        if self.calls < _FEW_CALLS or not used or len(used) > _MOST_USED * len(seen):
            return 0
        saved = self.tokens - sum(tool.tokens for tool in used)
        return saved if saved >= _WORTH_TOKENS else 0


class AgentsState(NamedTuple):
    """What the Agents page knows.

    Attributes:
        is_paused: Whether the calls of agents wait until the person resumes.
        problem: Why something is not known; empty for nothing.
    """

    agents: tuple[AgentRecord, ...] = ()
    profiles: tuple[str, ...] = ()
    is_on: bool = False
    is_paused: bool = False
    problem: str = ""


def _most(number: int) -> int | None:
    return number or None


_ALL_TOOLS: Final = tr("all tools")
_AGENT_COLUMNS: Final = (
    Column(tr("Agent"), least=120, sort=lambda row: row.name),
    Column(tr("Profile"), 108, priority=3, sort=lambda row: row.profile, samples=(Cell(_ALL_TOOLS),)),
    Column(tr("Calls/min"), 76, is_number=True, priority=1, sort=lambda row: row.calls_a_minute, descends=True),
    Column(tr("7 days"), 64, is_number=True, sort=lambda row: row.calls, descends=True),
    Column(tr("Errors"), 62, is_number=True, sort=lambda row: row.error_rate, descends=True),
    Column(tr("Refused"), 66, is_number=True, priority=1, sort=lambda row: row.refused, descends=True),
    Column(tr("Tools used"), 84, is_number=True, priority=2, sort=lambda row: len(row.used), descends=True),
    Column(tr("Tokens"), 72, is_number=True, priority=2, sort=lambda row: row.tokens, descends=True),
    Column(tr("Last seen"), 88, priority=2, sort=lambda row: row.last_at and row.last_at.timestamp(), descends=True),
    Column(tr("Now"), 92, samples=NOW_SAMPLES),
)


class AgentsModel(TableModel[AgentRecord]):
    """List agents with what they did."""

    def __init__(self) -> None:
        super().__init__(_AGENT_COLUMNS, _agent_cells, _agent_key)


def _agent_key(row: AgentRecord) -> str:
    return row.name


def _agent_cells(row: AgentRecord) -> tuple[Cell, ...]:
    rate = row.error_rate
    share = tr("{used} of {seen}", used=len(row.used), seen=len(row.seen))
    return (
        Cell(row.name, "text", is_strong=True, tip=row.token_words),
        Cell(row.profile or _ALL_TOOLS, "text2" if row.profile else "text3"),
        _number(row.calls_a_minute, tip=tr("Calls in the last minute")),
        _number(row.calls),
        Cell("" if rate is None else format_share(rate), "error" if rate else "text2", tip=_ERRORS),
        _number(row.refused, "warn", tip=_REFUSED),
        Cell(
            share,
            "warn" if row.saved_tokens else "text2",
            tip=tr("Called {share} tools that it sees in 7 days", share=share),
        ),
        _number(row.tokens, tip=tr("Tokens of the definitions, each time that it is told of its tools, estimated")),
        Cell(
            tr("never") if row.last_at is None else format_time(row.last_at),
            "text3",
            tip="" if row.last_at is None else format_full_time(row.last_at),
        ),
        now_cell(is_blocked=row.is_blocked, waiting=row.waiting, allowed=row.allowed),
    )


_REFUSED: Final = tr("Calls in 7 days that a rule or a person refused, or whose tool is not in its profile")
_ERRORS: Final = tr("Calls in 7 days that failed, timed out or had wrong arguments; refused ones do not count")


def format_share(share: float) -> str:
    """Return a share in percent, of which a little is not nothing."""
    return "<1%" if 0 < share < 0.01 else f"{share:.0%}"


def _number(number: int, tone: TextTone = "text2", *, tip: str = "") -> Cell:
    return Cell(format_count(number) if number else "0", tone if number else "text3", tip=tip)


_TOOL_COLUMNS: Final = (
    Column(tr("Tool"), least=140, sort=lambda row: row.tool),
    Column(tr("Calls"), 56, is_number=True, sort=lambda row: _most(row.calls), descends=True),
    Column(tr("Failed"), 58, is_number=True, sort=lambda row: _most(row.failed), descends=True),
    Column(tr("Refused"), 66, is_number=True, sort=lambda row: _most(row.refused), descends=True),
    Column(tr("Tokens"), 62, is_number=True, priority=1, sort=lambda row: _most(row.tokens), descends=True),
)


MOST_CALLED: Final = RowOrder(1, descending=True)
"""The tools that are called most come first."""


class ToolUseModel(TableModel[ToolUse]):
    """List what an agent used of what it sees."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(_TOOL_COLUMNS, _tool_cells, _tool_key, parent)


def _tool_key(row: ToolUse) -> str:
    return row.tool


def _tool_cells(row: ToolUse) -> tuple[Cell, ...]:
    called = (
        ""
        if row.served_name in {"", row.tool}
        else tr("The agent calls it {served_name}. ", served_name=row.served_name)
    )
    tip = called if row.served_name else tr("The agent does not see it now.")
    unseen = (
        tr("{unseen} of them because the agent does not see the tool", unseen=format_count(row.unseen))
        if row.unseen
        else ""
    )
    return (
        Cell(row.tool, "text" if row.calls else "text3", tip=tip or row.tool),
        _number(row.calls),
        _number(row.failed, "error"),
        _number(row.refused, "warn", tip=unseen),
        Cell(format_count(row.tokens) if row.served_name else tr("not seen"), "text3"),
    )
