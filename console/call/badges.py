"""Facts about a tool that a person weighs before running it, in two or three words each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from console.widgets.formats import format_count, format_duration_ms
from tools.card import ToolCard
from tools.policy import hint_words, taken_words
from tools.spec import CachePolicy, CircuitBreaker, Hedge, Isolation, Latency, RateLimit, Retry, RiskHints, ToolPolicy

_MINUTE_S: Final = 60.0
_HOUR_S: Final = 3600.0
_DAY_S: Final = 86400.0


class ToolBadge(NamedTuple):
    """One fact about a tool, in two or three words.

    Attributes:
        text: The words.
        icon: The name of its icon.
        tip: The fact as a sentence.
        tone: `neutral` for what is so by declaration, else the tone of what is so just now.
    """

    text: str
    icon: str
    tip: str
    tone: str = "neutral"


def span_text(span_s: float) -> str:
    """Write a declared span in its largest whole unit: 1 h, 5 min, 90 s, 250 ms."""
    for unit_s, unit in ((_DAY_S, "d"), (_HOUR_S, "h"), (_MINUTE_S, "min")):
        if span_s >= unit_s and span_s % unit_s == 0:
            return f"{span_s / unit_s:g} {unit}"
    return f"{span_s:g} s" if span_s >= 1 else f"{span_s * 1000:g} ms"


def limit_text(limit: RateLimit) -> str:
    """Write how many calls a tool admits: `10 calls in 1 min`."""
    if limit.requests is None:
        return f"{format_count(limit.burst_size)} calls in {span_text(limit.timeout_s)}"
    return f"{limit.requests:g} {'call' if limit.requests == 1 else 'calls'} in {span_text(limit.per_s)}"


def retry_text(retry: Retry) -> str:
    """Write how often and after which wait an attempt is repeated: `Once, after 250 ms`."""
    again = retry.max_attempts - 1
    if again <= 0:
        return "Never"
    times = {1: "Once", 2: "Twice"}.get(again, f"{again} times")
    return f"{times}, after {format_duration_ms(retry.initial_delay_s * 1000)}"


def badges_of(tool: ToolCard) -> tuple[ToolBadge, ...]:
    """Name the facts about a tool, the weightiest first."""
    spec, policies = tool.spec, tool.policies
    badges = _risk_badges(tool.hints, asks_first=tool.asks_first)
    if tool.replaces:
        tip = f"It has the name of a built-in tool, which can be called as {tool.replaces}."
        badges.append(ToolBadge("Replaces a built-in tool", "layers", tip))
    if tool.replaced_by:
        tip = f"A tool of {tool.replaced_by} has the name {tool.own_name}, and calls of that name go there."
        badges.append(ToolBadge("Replaced", "layers", tip))
    if spec.idempotent:
        badges.append(ToolBadge("Idempotent", "repeat", "A second identical call does no further harm."))
    if spec.latency is not None:
        tip = {
            Latency.FAST: "A call usually takes less than 100 ms.",
            Latency.MEDIUM: "A call usually takes from 100 ms to 2 s.",
            Latency.SLOW: "A call usually takes more than 2 s.",
        }[spec.latency]
        badges.append(ToolBadge(spec.latency.value.capitalize(), "gauge", tip))
    if spec.untried:
        badges.append(ToolBadge("Not tried live", "cloud", spec.needs_words))
    declared = {field: value for field, value in policies if value is not None}
    made = [make(declared[field]) for field, make in _BADGE_BY_FIELD.items() if field in declared]
    badges += filter(None, made)
    further = declared.keys() - _BADGE_BY_FIELD.keys() - _SHOWN_ELSEWHERE
    badges += (_plain_badge(field, declared[field]) for field in sorted(further))
    if tool.isolation is Isolation.PROCESS:
        tip = "It runs in a worker process of its own: it can be stopped at any time, and its crash harms nothing else."
        badges.append(ToolBadge("Own process", "box", tip))
    return tuple(badges)


def _risk_badges(hints: RiskHints, *, asks_first: bool) -> list[ToolBadge]:
    badges = []
    if hints.read_only:
        badges.append(ToolBadge("Read-only", "eye", "It says that it changes nothing."))
    if hints.destructive:
        tip = "It may destroy something that cannot be brought back."
        badges.append(ToolBadge("Destructive", "triangle-alert", tip, "warn"))
    taken = taken_words(hints)
    if taken or hints.says_nothing:
        words = hint_words(hints)
        text = "Risk not said" if hints.says_nothing else "Risk said in part"
        tip = f"It {words}." if taken else f"It {words}, so nobody can tell whether it changes something."
        badges.append(ToolBadge(text, "circle-question-mark", tip, "warn" if hints.may_destroy else "neutral"))
    if asks_first:
        badges.append(ToolBadge("Asks first", "shield", "A person is asked before each call."))
    if hints.open_world:
        badges.append(ToolBadge("Network", "globe", "It reaches beyond this computer."))
    return badges


def _plain_badge(field: str, policy: ToolPolicy) -> ToolBadge:
    """Return the badge of a policy that has no words of its own yet: its name, and what its declaration sets."""
    facts = []
    for name in sorted(policy.model_fields_set):
        value = getattr(policy, name)
        words = span_text(value) if name.endswith("_s") else str(value)
        facts.append(f"{name.removesuffix('_s').replace('_', ' ')} {words}")
    title = field.replace("_", " ").capitalize()
    return ToolBadge(title, "shield", f"{title}: {', '.join(facts) or 'as usual'}.")


def _cache_badge(policy: CachePolicy) -> ToolBadge:
    span = span_text(policy.ttl_s)
    tip = f"The result of an identical call is used again for {span}."
    if policy.per_caller:
        tip += " Each caller sees only results of its own calls."
    return ToolBadge(f"Cached {span}", "zap", tip)


def _retry_badge(policy: Retry) -> ToolBadge | None:
    if policy.max_attempts == 1:
        return None
    attempts, again = policy.max_attempts, retry_text(policy)
    tip = f"A failed call is tried {attempts} times in all. Repeated: {again[0].lower()}{again[1:]}."
    return ToolBadge(f"Up to {attempts} attempts", "rotate-ccw", tip)


def _hedge_badge(policy: Hedge) -> ToolBadge:
    span = span_text(policy.delay_s)
    tip = f"When it has not answered after {span}, it is started a second time; the first result counts."
    return ToolBadge(f"Hedged after {span}", "copy", tip)


def _timeout_badge(limit_s: float) -> ToolBadge:
    return ToolBadge(f"Limit {span_text(limit_s)}", "timer", f"An attempt may take {span_text(limit_s)}.")


def _total_badge(limit_s: float) -> ToolBadge:
    span = span_text(limit_s)
    tip = f"All attempts and the waits between them may take {span} together."
    return ToolBadge(f"Limit {span} in all", "timer", tip)


def _rate_badge(limit: RateLimit) -> ToolBadge:
    tip = f"At most {limit_text(limit)}."
    if limit.key:
        tip += f" All tools with the key {limit.key!r} share it."
    return ToolBadge("Rate limited", "gauge", tip)


def _bulkhead_badge(most: int) -> ToolBadge:
    tip = "One call runs at a time, the others wait." if most == 1 else f"{most} calls run at a time, others wait."
    return ToolBadge(f"{most} at a time", "layers", tip)


def _breaker_badge(policy: CircuitBreaker) -> ToolBadge:
    failures = "1 failure" if policy.failure_threshold == 1 else f"{policy.failure_threshold} failures"
    tip = f"After {failures} within {span_text(policy.window_s)} it is not started for {span_text(policy.cooldown_s)}."
    return ToolBadge("Breaker", "unplug", tip)


def _fallback_badge(name: str) -> ToolBadge:
    return ToolBadge("Fallback", "skip-forward", f"When it does not succeed, {name} answers in its place.")


_BADGE_BY_FIELD: Final[Mapping[str, Callable[[Any], ToolBadge | None]]] = MappingProxyType(
    {
        "cache": _cache_badge,
        "retry": _retry_badge,
        "hedge": _hedge_badge,
        "timeout_s": _timeout_badge,
        "total_timeout_s": _total_badge,
        "rate_limit": _rate_badge,
        "max_concurrent": _bulkhead_badge,
        "circuit_breaker": _breaker_badge,
        "fallback": _fallback_badge,
    }
)
"""The words of policies, in the order of their badges; another policy is shown by its name and fields."""

_SHOWN_ELSEWHERE: Final = frozenset({"security", "contract", "failure_block", "isolation"})
