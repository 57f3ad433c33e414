"""What a tool's guards say to a person: why it is paused or blocked, until when, and what can be done about it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from console.execution.badges import ToolBadge, limit_text, span_text
from console.widgets.formats import format_time
from tools.calls import GuardKind, GuardState
from tools.spec import Policies

_HELD: Final = {"open": 0, "blocked": 1, "half_open": 2}


class GuardNotice(NamedTuple):
    """What a banner says.

    Attributes:
        tone: `warn`, or `run` for what passes by itself.
        icon: The name of its icon.
        fact: The bold part.
        consequence: What follows from it.
        action: The word of its button; empty for none.
        details: Further lines, as label and value; empty for none.
        other: The word of its second button; empty for none.
    """

    tone: str
    icon: str
    fact: str
    consequence: str
    action: str = ""
    details: tuple[tuple[str, str], ...] = ()
    other: str = ""


def guard_notice(states: Iterable[GuardState], policies: Policies) -> GuardNotice | None:
    """Say how a tool's guards stand, the worst of them; None when nothing holds calls back."""
    known = list(states)
    held = sorted((state for state in known if state.state in _HELD), key=lambda state: _HELD[state.state])
    if held:
        return _held_notice(held[0], policies)
    waiting = max((state for state in known if state.waiting), key=lambda state: state.waiting, default=None)
    return _waiting_notice(waiting, policies) if waiting is not None else None


def guard_badge(states: Iterable[GuardState]) -> ToolBadge | None:
    """Say in a word that a tool is held back; None when it is not."""
    held = sorted((state for state in states if state.state in _HELD), key=lambda state: _HELD[state.state])
    if not held:
        return None
    state = held[0]
    tip = f"{state.description[:1].upper()}{state.description[1:]}."
    text, icon = {"open": ("Paused", "pause"), "blocked": ("Blocked", "ban")}.get(
        state.state, ("On trial", "hourglass")
    )
    return ToolBadge(text, icon, tip, "warn")


def _held_notice(state: GuardState, policies: Policies) -> GuardNotice:
    until = format_time(state.until)
    last = f" Last: {_sentence(state.last_failure)}" if state.last_failure else ""
    if state.state == "blocked":
        fact = f"Blocked until {until} after {_failures(state.failures)} in a row."
        consequence = last.strip() or "Calls of it are refused until then."
        return GuardNotice("warn", "ban", fact, consequence, "Unblock", _details(state, "Ends"))
    if state.state == "half_open":
        under_way = state.description.endswith("under way")
        fact = "A trial call is under way." if under_way else "Paused until a trial call succeeds."
        begin = "If it" if under_way else "The next call is the trial. If it"
        consequence = f"{begin} succeeds, the tool runs again as usual; if it fails, it is paused for longer."
        return GuardNotice("warn", "hourglass", fact, consequence, "Reset breaker", _details(state, "Trial since"))
    breaker = policies.circuit_breaker
    within = f" in {span_text(breaker.window_s)}" if breaker is not None and state.failures > 1 else ""
    fact = f"Paused after {_failures(state.failures)}{within}."
    return GuardNotice("warn", "pause", fact, f"Next try {until}.{last}", "Reset breaker", _details(state, "Next try"))


def _waiting_notice(state: GuardState, policies: Policies) -> GuardNotice:
    calls, verb = ("1 call", "waits") if state.waiting == 1 else (f"{state.waiting:,} calls", "wait")
    if state.kind is GuardKind.RATE_LIMIT:
        limit = policies.rate_limit
        most = f"It admits {limit_text(limit)} at most." if limit is not None else _sentence(state.description)
        return GuardNotice("run", "gauge", f"{calls} {verb} for a permit.", most)
    return GuardNotice(
        "run", "layers", f"{calls} {verb} for {'its' if state.waiting == 1 else 'their'} turn.", _places(policies)
    )


def _places(policies: Policies) -> str:
    most = policies.max_concurrent or 1
    return "One call runs at a time." if most == 1 else f"At most {most} calls run at a time."


def _details(state: GuardState, until: str) -> tuple[tuple[str, str], ...]:
    lines = (
        ("Since", format_time(state.since)),
        (until, format_time(state.until)),
        ("Failures", f"{state.failures:,}"),
        ("Last failure", state.last_failure or "not told"),
    )
    return tuple(line for line in lines if line[1])


def _failures(count: int) -> str:
    return "1 failure" if count == 1 else f"{count:,} failures"


def _sentence(text: str) -> str:
    """Write words as a sentence."""
    text = text.strip()
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."
