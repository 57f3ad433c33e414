"""Facts about a tool that a person weighs before running it, in two or three words each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from console.language import in_sentence, number, tr, tr_count, translated
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
            return f"{number(span_s / unit_s, 'g')} {unit}"
    return f"{number(span_s, 'g')} s" if span_s >= 1 else f"{number(span_s * 1000, 'g')} ms"


def limit_text(limit: RateLimit) -> str:
    """Write how many calls a tool admits: `10 calls in 1 min`."""
    if limit.requests is None:
        return tr("{calls} calls in {span}", calls=format_count(limit.burst_size), span=span_text(limit.timeout_s))
    if limit.requests == 1:
        return tr("1 call in {span}", span=span_text(limit.per_s))
    return tr("{calls} calls in {span}", calls=number(limit.requests, "g"), span=span_text(limit.per_s))


def retry_text(retry: Retry) -> str:
    """Write how often and after which wait an attempt is repeated: `Once, after 250 ms`."""
    again = retry.max_attempts - 1
    if again <= 0:
        return tr("Never")
    times = {1: tr("Once"), 2: tr("Twice")}.get(again, tr("{count} times", count=again))
    return tr("{times}, after {wait}", times=times, wait=format_duration_ms(retry.initial_delay_s * 1000))


def badges_of(tool: ToolCard) -> tuple[ToolBadge, ...]:
    """Name the facts about a tool, the weightiest first."""
    spec, policies = tool.spec, tool.policies
    badges = _risk_badges(tool.hints, asks_first=tool.asks_first)
    if tool.replaces:
        tip = tr("It has the name of a built-in tool, which can be called as {replaces}.", replaces=tool.replaces)
        badges.append(ToolBadge(tr("Replaces a built-in tool"), "layers", tip))
    if tool.replaced_by:
        tip = tr(
            "A tool of {replaced_by} has the name {own_name}, and calls of that name go there.",
            replaced_by=tool.replaced_by,
            own_name=tool.own_name,
        )
        badges.append(ToolBadge(tr("Replaced"), "layers", tip))
    if spec.idempotent:
        badges.append(ToolBadge(tr("Idempotent"), "repeat", tr("A second identical call does no further harm.")))
    if spec.latency is not None:
        text, tip = {
            Latency.FAST: (tr("Fast"), tr("A call usually takes less than 100 ms.")),
            Latency.MEDIUM: (tr("Medium", "speed"), tr("A call usually takes from 100 ms to 2 s.")),
            Latency.SLOW: (tr("Slow"), tr("A call usually takes more than 2 s.")),
        }[spec.latency]
        badges.append(ToolBadge(text, "gauge", tip))
    if spec.untried:
        badges.append(ToolBadge(tr("Not tried live"), "cloud", spec.needs_words))
    declared = {field: value for field, value in policies if value is not None}
    made = [make(declared[field]) for field, make in _BADGE_BY_FIELD.items() if field in declared]
    badges += filter(None, made)
    further = declared.keys() - _BADGE_BY_FIELD.keys() - _SHOWN_ELSEWHERE
    badges += (_plain_badge(field, declared[field]) for field in sorted(further))
    if tool.isolation is Isolation.PROCESS:
        tip = tr(
            "It runs in a worker process of its own: it can be stopped at any time, and its crash harms nothing else."
        )
        badges.append(ToolBadge(tr("Own process"), "box", tip))
    return tuple(badges)


def _risk_badges(hints: RiskHints, *, asks_first: bool) -> list[ToolBadge]:
    badges = []
    if hints.read_only:
        badges.append(ToolBadge(tr("Read-only"), "eye", tr("It says that it changes nothing.")))
    if hints.destructive:
        tip = tr("It may destroy something that cannot be brought back.")
        badges.append(ToolBadge(tr("Destructive"), "triangle-alert", tip, "warn"))
    taken = taken_words(hints)
    if taken or hints.says_nothing:
        words = hint_words(hints, translated)
        text = tr("Risk not said") if hints.says_nothing else tr("Risk said in part")
        tip = (
            tr("It {words}.", words=words)
            if taken
            else tr("It {words}, so nobody can tell whether it changes something.", words=words)
        )
        badges.append(ToolBadge(text, "circle-question-mark", tip, "warn" if hints.may_destroy else "neutral"))
    if asks_first:
        badges.append(ToolBadge(tr("Asks first"), "shield", tr("A person is asked before each call.")))
    if hints.open_world:
        badges.append(ToolBadge(tr("Network"), "globe", tr("It reaches beyond this computer.")))
    return badges


def _plain_badge(field: str, policy: ToolPolicy) -> ToolBadge:
    """Return the badge of a policy that has no words of its own yet: its name, and what its declaration sets."""
    facts = []
    for name in sorted(policy.model_fields_set):
        value = getattr(policy, name)
        words = span_text(value) if name.endswith("_s") else str(value)
        facts.append(f"{name.removesuffix('_s').replace('_', ' ')} {words}")
    title = field.replace("_", " ").capitalize()
    return ToolBadge(title, "shield", f"{title}: {', '.join(facts) or tr('as usual')}.")


def _cache_badge(policy: CachePolicy) -> ToolBadge:
    span = span_text(policy.ttl_s)
    tip = tr("The result of an identical call is used again for {span}.", span=span)
    if policy.per_caller:
        tip = f"{tip} {tr('Each caller sees only results of its own calls.')}"
    return ToolBadge(tr("Cached {span}", span=span), "zap", tip)


def _retry_badge(policy: Retry) -> ToolBadge | None:
    if policy.max_attempts == 1:
        return None
    attempts, again = policy.max_attempts, retry_text(policy)
    tip = tr(
        "A failed call is tried {attempts} times in all. Repeated: {again}.",
        attempts=attempts,
        again=in_sentence(again),
    )
    return ToolBadge(tr("Up to {attempts} attempts", attempts=attempts), "rotate-ccw", tip)


def _hedge_badge(policy: Hedge) -> ToolBadge:
    span = span_text(policy.delay_s)
    tip = tr("When it has not answered after {span}, it is started a second time; the first result counts.", span=span)
    return ToolBadge(tr("Hedged after {span}", span=span), "copy", tip)


def _timeout_badge(limit_s: float) -> ToolBadge:
    return ToolBadge(
        tr("Limit {span}", span=span_text(limit_s)),
        "timer",
        tr("An attempt may take {span}.", span=span_text(limit_s)),
    )


def _total_badge(limit_s: float) -> ToolBadge:
    span = span_text(limit_s)
    tip = tr("All attempts and the waits between them may take {span} together.", span=span)
    return ToolBadge(tr("Limit {span} in all", span=span), "timer", tip)


def _rate_badge(limit: RateLimit) -> ToolBadge:
    tip = tr("At most {limit}.", limit=limit_text(limit))
    if limit.key:
        tip = f"{tip} {tr('All tools with the key {key!r} share it.', key=limit.key)}"
    return ToolBadge(tr("Rate limited"), "gauge", tip)


def _bulkhead_badge(most: int) -> ToolBadge:
    tip = (
        tr("One call runs at a time, the others wait.")
        if most == 1
        else tr("{most} calls run at a time, others wait.", most=most)
    )
    return ToolBadge(tr("{most} at a time", most=most), "layers", tip)


def _breaker_badge(policy: CircuitBreaker) -> ToolBadge:
    tip = tr_count(
        policy.failure_threshold,
        "After 1 failure within {window} it is not started for {pause}.",
        "After {count} failures within {window} it is not started for {pause}.",
        window=span_text(policy.window_s),
        pause=span_text(policy.cooldown_s),
    )
    return ToolBadge(tr("Breaker"), "unplug", tip)


def _fallback_badge(name: str) -> ToolBadge:
    return ToolBadge(
        tr("Fallback"), "skip-forward", tr("When it does not succeed, {name} answers in its place.", name=name)
    )


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
