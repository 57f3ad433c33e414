"""What the page of a tool says, as plain values: badges, facts about a call, why it did not succeed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from operator import itemgetter
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from console.call_result.badges import ToolBadge, badges_of, limit_text, span_text
from console.call_table import EXPIRED, approved_until
from console.language import number, tr, tr_count, translated
from console.tool_list import SOURCE_WORDS, toolkit_words
from console.widgets.formats import format_duration_ms, format_review, format_time
from console.widgets.status import STATUS, StatusName, status_of_call
from tools.calls import CacheUse, CallError, CallRecord, CallStatus, ErrorKind, GuardKind, GuardState, StepKind
from tools.card import SourceKind, ToolCard
from tools.errors import ArgumentProblem
from tools.remedies import remedy_for_person
from tools.sentences import full_sentence
from tools.spec import MISSING, Isolation, Policies

_PATH_PART: Final = re.compile(r"\[\d+\]|[^.\[\]]+")
_LEAST_S: Final = 0.00005
_MINUTE_S: Final = 60.0

_WHAT_BY_STATUS: Final[Mapping[CallStatus, str]] = MappingProxyType(
    {
        CallStatus.FAILED: tr("{name} failed"),
        CallStatus.DENIED: tr("{name} was not allowed to run"),
        CallStatus.CANCELLED: tr("{name} was stopped"),
        CallStatus.TIMED_OUT: tr("{name} ran out of time"),
        CallStatus.NOT_FOUND: tr("There is no tool {name}"),
        CallStatus.REJECTED: tr("{name} was not started"),
        CallStatus.ABORTED: tr("{name} was broken off"),
    }
)

_WHAT_BY_KIND: Final[Mapping[ErrorKind, str]] = MappingProxyType(
    {
        ErrorKind.CRASHED: tr("The worker process of {name} died"),
        ErrorKind.UNAVAILABLE: tr("{name} was not available"),
        ErrorKind.EXPIRED: tr("{name} was allowed and never ran"),
    }
)

_WAITED_FOR: Final[Mapping[StepKind, str]] = MappingProxyType(
    {
        StepKind.RATE_LIMIT: tr("waited {span} for a permit"),
        StepKind.BULKHEAD: tr("waited {span} for its turn"),
        StepKind.BACKOFF: tr("waited {span} between attempts"),
        StepKind.CALLER_WAIT: tr("waited {span} for the caller"),
        StepKind.SECURITY_CHECK: tr("waited {span} for approval"),
        StepKind.EARLY_REVIEW: tr("waited {span} for approval"),
    }
)
_LEAST_WAIT_S: Final = 0.05
_NEARLY_ALL: Final = 0.9


class ExampleChoice(NamedTuple):
    """One example that can fill the form."""

    title: str
    arguments: Mapping[str, Any]


class ToolHeading(NamedTuple):
    """Everything the page shows of a tool before it runs.

    Attributes:
        name: The name callers use.
        breadcrumb: Where it belongs, such as `Built-in › Files`.
        badges: Facts about it.
        examples: Arguments to start from.
        is_cached: Whether its results are kept for identical calls.
    """

    name: str
    title: str
    breadcrumb: str
    description: str
    badges: tuple[ToolBadge, ...]
    examples: tuple[ExampleChoice, ...]
    version: str
    is_cached: bool = False


class CallFacts(NamedTuple):
    """What the result header says about a call.

    Attributes:
        status: A name of the status vocabulary, for its glyph and tone.
        word: How it stands, such as `Success after 1 retry`.
        parts: Further facts in order, such as `38 ms`, `4 steps`, `cache miss`.
        note: What else a person must know, such as that a thread still runs; empty for nothing.
        remark: What must not be missed, as a fact and its reason; empty texts for nothing.
    """

    status: StatusName
    word: str
    parts: tuple[str, ...] = ()
    note: str = ""
    remark: tuple[str, str] = ("", "")


class CallFailure(NamedTuple):
    """Why a call did not succeed, in the order a person asks.

    Attributes:
        type_name: The error's class; empty when there is none.
        why: Why, in the error's own words.
        problems: The arguments that do not fit; empty otherwise.
        traceback: Where it was raised; empty when the words are the whole story.
        partial: What came before the end, as text; empty for nothing.
        stopped_after: Such as `Stopped after 3.1 s`; empty when the call was not cut short.
        output: What a worker process wrote before it died, in place of a traceback; empty for nothing.
    """

    status: StatusName
    type_name: str
    what: str
    why: str
    problems: tuple[ArgumentProblem, ...]
    remedy: str
    traceback: str = ""
    partial: str = ""
    stopped_after: str = ""
    has_log: bool = False
    output: str = ""


def duration_text(elapsed_s: float | None) -> str:
    """Write seconds as the design says: 0.4 ms, 38 ms, 2.69 s, 1:42; what is too short to count is `< 0.1 ms`."""
    if elapsed_s is not None and 0 < elapsed_s < _LEAST_S:
        return tr("< 0.1 ms")
    return format_duration_ms(None if elapsed_s is None else elapsed_s * 1000)


def breadcrumb(*parts: str) -> str:
    """Join where a tool belongs: source, then category or toolkit; repetitions are left out."""
    shown: list[str] = []
    for part in parts:
        if part and part.casefold() not in {known.casefold() for known in shown}:
            shown.append(part[0].upper() + part[1:] if part.islower() and "." not in part else part)
    return " › ".join(shown)


def heading_of(tool: ToolCard) -> ToolHeading:
    """Put together what the page shows of a tool."""
    spec, kind = tool.spec, tool.source.kind
    source, toolkit = translated(tool.source.name), toolkit_words(tool)
    if kind in {SourceKind.API, SourceKind.SERVER}:
        # The name of such a source alone would not say what it is.
        source, toolkit = SOURCE_WORDS[kind.value].begin, tool.source.name
    examples = [
        ExampleChoice(example.description or tr("Example {number}", number=number), dict(example.input))
        for number, example in enumerate(spec.good_examples, start=1)
    ]
    return ToolHeading(
        name=spec.name,
        title=spec.title or spec.name,
        breadcrumb=breadcrumb(source, toolkit),
        description=spec.description,
        badges=badges_of(tool),
        examples=tuple(examples),
        version=spec.version,
        is_cached=tool.policies.cache is not None,
    )


def argument_path(text: str) -> tuple[str | int, ...]:
    """Read a path as people read it, such as `context.before` or `include[1]`, as names and positions."""
    return tuple(int(part[1:-1]) if part.startswith("[") else part for part in _PATH_PART.findall(text))


def _cache_part(record: CallRecord) -> tuple[str, ...]:
    if record.from_cache:
        return (tr("cache hit"),)
    if record.cache_use is CacheUse.NONE:
        return ()
    return (tr("cache miss"),) if record.cache_use is CacheUse.MISS else (tr("cache passed over"),)


def _retries(record: CallRecord) -> int:
    return max(0, len(record.attempts) - 1)


def _waiting_part(record: CallRecord) -> tuple[str, ...]:
    """Say how long a call waited, and for what if it was for one thing only."""
    waited_s: dict[str, float] = {}
    anything = tr("waited {span}")
    for step in record.steps:
        if record.review_s and (step.kind.asks or step.kind.in_tool):
            # That is told with the time it took.
            continue
        if step.waiting_s > 0:
            reason = _WAITED_FOR.get(step.kind, tr("waited {span} for an answer") if step.kind.in_tool else anything)
            waited_s[reason] = waited_s.get(reason, 0.0) + step.waiting_s
    total_s = sum(waited_s.values())
    if total_s < _LEAST_WAIT_S:
        return ()
    reason, longest_s = max(waited_s.items(), key=itemgetter(1))
    words = reason if longest_s > _NEARLY_ALL * total_s else anything
    return (words.format(span=duration_text(total_s)),)


def _took(record: CallRecord) -> str:
    """Say how long a call took, and apart from that how long a person was waited for."""
    took, waited = duration_text(record.own_s), format_review(record.review_s)
    return tr("{took}, and {waited}", took=took, waited=waited) if waited else took


def _place_part(record: CallRecord) -> tuple[str, ...]:
    """Say in which worker process a call ran; whatever ran inside the program goes without saying."""
    if record.isolation is not Isolation.PROCESS or record.worker_pid is None:
        return ()
    words = tr("process {pid} ended") if record.worker_killed else tr("process {pid}")
    return (words.format(pid=record.worker_pid),)


def _remark(record: CallRecord) -> tuple[str, str]:
    """Say what is shown in place of a result: the text so far, or what answered in the tool's place, and why."""
    if record.partial_text and not record.succeeded and record.result is MISSING:
        return tr("Not all of the text came."), tr("This is what the tool had written by then.")
    if not record.fallback:
        return "", ""
    reason, name = record.fallback_reason, record.tool.name
    fact = tr("Answered by fallback {fallback}.", fallback=record.fallback)
    if reason is None:
        return fact, ""
    if not reason.message:
        return fact, tr("{name} did not succeed.", name=name)
    return fact, tr("{name} did not succeed ({reason}).", name=name, reason=reason.message)


def facts_of(record: CallRecord) -> CallFacts:
    """Say how an ended call ended, for the result header."""
    status = status_of_call(record.status, error_kind=record.error_kind)
    word = EXPIRED if status == "expired" else STATUS[status].word
    retries = _retries(record)
    if record.fallback:
        status, word = "warning", tr("Answered by {fallback}", fallback=record.fallback)
    elif retries:
        word = tr_count(retries, "{word} after {count} retry", "{word} after {count} retries", word=word)
    parts = [_took(record)]
    if record.status is CallStatus.CANCELLED:
        parts = [tr("Stopped after {took}", took=_took(record))]
    if record.steps:
        parts.append(tr_count(len(record.steps), "1 step", "{count:,} steps"))
    parts.extend(_cache_part(record))
    if record.edited_arguments is not None:
        parts.append(tr("arguments edited"))
    parts.extend(_place_part(record))
    parts.extend(_waiting_part(record))
    return CallFacts(status, word, tuple(parts), remark=_remark(record))


def running_facts(status: CallStatus, elapsed_s: float, *, stopping: bool, until: datetime | None = None) -> CallFacts:
    """Say how a call stands that has not ended.

    Args:
        until: When an allowed call whose caller is gone is given up; None for any other one.
    """
    name = status_of_call(status)
    if name == "queued":
        name = "running"
    word = tr("Stopping…") if stopping else STATUS[name].word if until is None else approved_until(until)
    elapsed = f"{number(elapsed_s, '.1f')} s" if elapsed_s < _MINUTE_S else duration_text(elapsed_s)
    return CallFacts("running" if stopping else name, word, (elapsed,))


def failure_of(record: CallRecord) -> CallFailure | None:
    """Explain why a call did not succeed; None when it did, or has not ended: the history lists those as well."""
    if record.status not in _WHAT_BY_STATUS:
        return None
    error = record.error
    default_kind = ErrorKind.CANCELLED if record.status is CallStatus.CANCELLED else ErrorKind.TOOL
    name = record.tool.name
    what = _WHAT_BY_STATUS[record.status].format(name=name)
    attempts = len(record.attempts)
    kind = error.kind if error is not None else default_kind
    never_ran = kind is ErrorKind.EXPIRED
    cut_short = record.status in {CallStatus.CANCELLED, CallStatus.TIMED_OUT, CallStatus.ABORTED} and not never_ran
    if kind in _WHAT_BY_KIND:
        what = _WHAT_BY_KIND[kind].format(name=name)
    elif record.status is CallStatus.FAILED and attempts > 1:
        what = tr("{name} failed in all of {attempts} attempts", name=name, attempts=attempts)
    why = translated(error.message) if error is not None else record.text
    if record.feedback and record.feedback not in why:
        why = (
            tr("{why} The reviewer said: {feedback}", why=why, feedback=record.feedback)
            if why
            else tr("The reviewer said: {feedback}", feedback=record.feedback)
        )
    return CallFailure(
        status=status_of_call(record.status, error_kind=kind),
        type_name=error.type_name if error is not None else "",
        what=what,
        why=why,
        problems=error.problems if error is not None else (),
        remedy=translated(remedy_for_person(error or CallError(kind, why), has_log=bool(record.logs))),
        traceback=error.traceback if error is not None and kind is not ErrorKind.CRASHED else "",
        partial=_partial(record, why),
        stopped_after=tr("Stopped after {took}", took=duration_text(record.elapsed_s)) if cut_short else "",
        has_log=bool(record.logs),
        output=error.traceback if error is not None and kind is ErrorKind.CRASHED else "",
    )


def _partial(record: CallRecord, why: str) -> str:
    """Return what a call that did not succeed had brought by then."""
    text = record.text
    if text in {"", why, f"Error: {why}"} or text.startswith("Error: "):
        return ""
    return text


_HELD: Final = {"open": 0, "blocked": 1, "half_open": 2}


class GuardNotice(NamedTuple):
    """What a banner says.

    Attributes:
        tone: `warn`, or `run` for what passes by itself.
        fact: The bold part.
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
    tip = full_sentence(state.description)
    text, icon = {"open": (tr("Paused"), "pause"), "blocked": (tr("Blocked"), "ban")}.get(
        state.state, (tr("On trial"), "hourglass")
    )
    return ToolBadge(text, icon, tip, "warn")


def _held_notice(state: GuardState, policies: Policies) -> GuardNotice:
    until = format_time(state.until)
    last = tr("Last: {last_failure}", last_failure=_sentence(state.last_failure)) if state.last_failure else ""
    if state.state == "blocked":
        fact = tr_count(
            state.failures,
            "Blocked until {until} after 1 failure in a row.",
            "Blocked until {until} after {count:,} failures in a row.",
            until=until,
        )
        consequence = last or tr("Calls of it are refused until then.")
        return GuardNotice("warn", "ban", fact, consequence, tr("Unblock"), _details(state, tr("Ends")))
    if state.state == "half_open":
        under_way = state.description.endswith("under way")
        fact = tr("A trial call is under way.") if under_way else tr("Paused until a trial call succeeds.")
        consequence = tr("If it succeeds, the tool runs again as usual; if it fails, it is paused for longer.")
        if not under_way:
            consequence = f"{tr('The next call is the trial.')} {consequence}"
        return GuardNotice(
            "warn", "hourglass", fact, consequence, tr("Reset breaker"), _details(state, tr("Trial since"))
        )
    breaker = policies.circuit_breaker
    if breaker is not None and state.failures > 1:
        span = span_text(breaker.window_s)
        fact = tr("Paused after {count:,} failures in {span}.", count=state.failures, span=span)
    else:
        fact = tr_count(state.failures, "Paused after 1 failure.", "Paused after {count:,} failures.")
    return GuardNotice(
        "warn",
        "pause",
        fact,
        " ".join(filter(None, (tr("Next try {until}.", until=until), last))),
        tr("Reset breaker"),
        _details(state, tr("Next try")),
    )


def _waiting_notice(state: GuardState, policies: Policies) -> GuardNotice:
    if state.kind is GuardKind.RATE_LIMIT:
        limit = policies.rate_limit
        most = (
            tr("It admits {limit} at most.", limit=limit_text(limit))
            if limit is not None
            else _sentence(state.description)
        )
        fact = tr_count(state.waiting, "1 call waits for a permit.", "{count:,} calls wait for a permit.")
        return GuardNotice("run", "gauge", fact, most)
    fact = tr_count(state.waiting, "1 call waits for its turn.", "{count:,} calls wait for their turn.")
    return GuardNotice("run", "layers", fact, _places(policies))


def _places(policies: Policies) -> str:
    most = policies.max_concurrent or 1
    return tr("One call runs at a time.") if most == 1 else tr("At most {most} calls run at a time.", most=most)


def _details(state: GuardState, until: str) -> tuple[tuple[str, str], ...]:
    lines = (
        (tr("Since"), format_time(state.since)),
        (until, format_time(state.until)),
        (tr("Failures"), number(state.failures)),
        (tr("Last failure"), state.last_failure or tr("not told")),
    )
    return tuple(line for line in lines if line[1])


def _sentence(text: str) -> str:
    text = text.strip()
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."
