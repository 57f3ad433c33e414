"""Agents as rows of a table."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from operator import attrgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from console.language import dated, tr, tr_count
from console.widgets import Cell, Column, TableModel, TextTone, format_count, format_time

if TYPE_CHECKING:
    from PySide6.QtCore import QObject


def now_cell(*, is_blocked: bool, waiting: int, allowed: int) -> Cell:
    """Return what an agent may do or waits for right now, or what waits for it."""
    if is_blocked:
        return Cell(tr("Blocked", "agent"), "error", icon="ban")
    if waiting:
        return Cell(
            tr_count(waiting, "Waiting", "{count} waiting"),
            "warn",
            icon="shield-question-mark",
        )
    if allowed:
        return Cell(
            tr_count(allowed, "Approved", "{count} approved"),
            "text2",
            icon="shield-check",
            tip=tr_count(
                allowed,
                "A call was approved after the agent had given up waiting. It runs when the agent asks again.",
                "{count} calls were approved after the agent had given up waiting. They run when the agent asks again.",
            ),
        )
    return Cell(tr("Let in"), "text3")


NOW_SAMPLES: Final = (
    now_cell(is_blocked=True, waiting=0, allowed=0),
    now_cell(is_blocked=False, waiting=99, allowed=0),
    now_cell(is_blocked=False, waiting=0, allowed=99),
    now_cell(is_blocked=False, waiting=0, allowed=0),
)
_COLUMNS: Final = (
    Column(tr("Agent"), least=110),
    Column(tr("Last call"), 84, priority=1),
    Column(tr("Calls"), 56, is_number=True),
    Column(tr("Now"), 92, samples=NOW_SAMPLES),
)
_ANY_AGENT: Final = tr("any agent")
_EFFECTS: Final[Mapping[str, tuple[str, str, TextTone]]] = {
    "allow": (tr("Allow"), "circle-check", "ok"),
    "ask": (tr("Ask"), "shield-question-mark", "warn"),
    "deny": (tr("Deny"), "circle-x", "error"),
}
_RULE_COLUMNS: Final = (
    Column(tr("Rule"), least=160),
    Column(tr("From"), 96, samples=(Cell(_ANY_AGENT),)),
    Column(tr("Then"), 84, samples=tuple(Cell(words, icon=icon) for words, icon, _ in _EFFECTS.values())),
)


class AgentRow(NamedTuple):
    """One agent.

    Attributes:
        profile: The profile that says which tools it sees; empty for all.
        token_hint: The last characters of its token.
        expires_at: When its token ends; None for never.
        is_blocked: Whether its requests are refused.
        calls: How many calls it made since the gateway is on.
        lists: How often it was told of its tools since then.
        tokens: About how many tokens their definitions had, all times together.
        last_at: When it asked for something last; None for never.
        waiting: How many of its calls wait for an answer.
        allowed: How many of its calls are allowed and wait until it asks again.
        unseen: How often it called tools that it does not see since the gateway is on, by the names of the tools.
        holds: How long its requests are held while a person is asked, in seconds, by each program that hung up sooner.
    """

    name: str
    profile: str
    token_hint: str
    created_at: datetime
    expires_at: datetime | None = None
    is_blocked: bool = False
    calls: int = 0
    lists: int = 0
    tokens: int = 0
    last_at: datetime | None = None
    waiting: int = 0
    allowed: int = 0
    unseen: tuple[tuple[str, int], ...] = ()
    holds: tuple[tuple[str, float], ...] = ()

    @property
    def token_words(self) -> str:
        """Which token it has, and for how long."""
        created_at = _day(self.created_at)
        if self.expires_at is None:
            return tr("Token …{token_hint} of {created_at}", token_hint=self.token_hint, created_at=created_at)
        return tr(
            "Token …{token_hint} of {created_at}, good until {expires_at}",
            token_hint=self.token_hint,
            created_at=created_at,
            expires_at=_day(self.expires_at),
        )


class AgentRuleRow(NamedTuple):
    """One rule that counts for calls of agents.

    Attributes:
        caller: Whose calls it is about; empty for any.
        effect: `allow`, `ask` or `deny`.
    """

    id: str
    words: str
    caller: str
    effect: str


class GatewayState(NamedTuple):
    """How the gateway stands.

    Attributes:
        address: Where agents reach it; empty while it is off.
        agents: Who may call, by name.
        problem: Why it cannot be switched on, or nobody is let in; empty for nothing.
        is_paused: Whether the calls of agents wait until the person resumes.
        running: How many calls of agents run.
        profiles: The names of the profiles that agents can have.
        came: What another program handed over when it was switched on; empty when none did.
        rules: What the person's rules say of calls of agents, what counts first standing first.
    """

    address: str = ""
    agents: tuple[AgentRow, ...] = ()
    problem: str = ""
    is_paused: bool = False
    running: int = 0
    came: str = ""
    profiles: tuple[str, ...] = ()
    rules: tuple[AgentRuleRow, ...] = ()

    @property
    def is_on(self) -> bool:
        return bool(self.address)


class NewAgent(NamedTuple):
    """What a person says of an agent that is to be let in.

    Attributes:
        tools: Patterns of the names of the tools that it sees; empty for those of its profile.
        profile: The profile that it gets; empty for all tools.
        days: How many days its token is good; None for ever.
    """

    name: str
    tools: tuple[str, ...] = ()
    profile: str = ""
    days: int | None = None


class AgentModel(TableModel[AgentRow]):
    """List agents by name."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(_COLUMNS, _cells, _key, parent)


class AgentRuleModel(TableModel[AgentRuleRow]):
    """List the rules that count for calls of agents."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(_RULE_COLUMNS, _rule_cells, attrgetter("id"), parent)


def _rule_cells(row: AgentRuleRow) -> tuple[Cell, ...]:
    words, icon, tone = _EFFECTS[row.effect]
    return (
        Cell(row.words, "text", tip=row.words),
        Cell(row.caller or _ANY_AGENT, "text2"),
        Cell(words, tone, icon=icon),
    )


def _key(row: AgentRow) -> str:
    return row.name


def _cells(row: AgentRow) -> tuple[Cell, ...]:
    tip = (
        tr("Sees the tools of the profile {profile}. {token_words}.", profile=row.profile, token_words=row.token_words)
        if row.profile
        else tr("Sees all tools. {token_words}.", token_words=row.token_words)
    )
    return (
        Cell(row.name, "text", is_strong=True, tip=tip),
        Cell(tr("never") if row.last_at is None else format_time(row.last_at), "text3"),
        Cell(format_count(row.calls)),
        now_cell(is_blocked=row.is_blocked, waiting=row.waiting, allowed=row.allowed),
    )


def _day(moment: datetime) -> str:
    return dated(moment.astimezone(), "%d %b %Y")
