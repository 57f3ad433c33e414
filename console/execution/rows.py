"""What the page of a tool says, as plain values: badges, facts about a call, why it did not succeed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from console.widgets.formats import format_count, format_duration_ms
from console.widgets.status import STATUS, StatusName
from tools.calls import CallStatus, ErrorKind, ToolResponse
from tools.errors import ArgumentProblem
from tools.spec import CachePolicy, Latency, Policies, RateLimit, ToolSpec

__all__ = [
    "Badge",
    "CallFacts",
    "ExampleChoice",
    "Failure",
    "ToolCard",
    "argument_path",
    "badges_of",
    "breadcrumb",
    "card_of",
    "duration_text",
    "facts_of",
    "failure_of",
    "running_facts",
    "status_name",
]

_PATH_PART: Final = re.compile(r"\[\d+\]|[^.\[\]]+")
_LEAST_S: Final = 0.00005
_MINUTE_S: Final = 60.0
_HOUR_S: Final = 3600.0
_DAY_S: Final = 86400.0

_STATUS_BY_CALL: Final[Mapping[CallStatus, StatusName]] = MappingProxyType(
    {
        CallStatus.PENDING: "queued",
        CallStatus.WAITING_FOR_REVIEW: "waiting",
        CallStatus.EXECUTING: "running",
        CallStatus.EXECUTED: "success",
        CallStatus.FAILED: "failed",
        CallStatus.DENIED: "denied",
        CallStatus.CANCELLED: "cancelled",
        CallStatus.TIMED_OUT: "timed_out",
        CallStatus.NOT_FOUND: "rejected",
        CallStatus.REJECTED: "rejected",
        CallStatus.ABORTED: "aborted",
    }
)

_WHAT_BY_STATUS: Final[Mapping[CallStatus, str]] = MappingProxyType(
    {
        CallStatus.FAILED: "{name} failed",
        CallStatus.DENIED: "{name} was not allowed to run",
        CallStatus.CANCELLED: "{name} was stopped",
        CallStatus.TIMED_OUT: "{name} ran out of time",
        CallStatus.NOT_FOUND: "There is no tool {name}",
        CallStatus.REJECTED: "{name} was not started",
        CallStatus.ABORTED: "{name} was broken off",
    }
)

_TRY_BY_KIND: Final[Mapping[ErrorKind, str]] = MappingProxyType(
    {
        ErrorKind.ARGUMENTS: "Correct the arguments named above, then run it again.",
        ErrorKind.NOT_FOUND: "Pick the tool in the list again; its plugin may have been removed or renamed.",
        ErrorKind.DISABLED: "Enable the tool, then run it again.",
        ErrorKind.DENIED: "Run it again and allow it, or change the arguments so that nobody need be asked.",
        ErrorKind.CALLER: "Ask whoever declared the tool to add this caller to those that are allowed.",
        ErrorKind.CONTRACT: "Change the arguments so that the condition holds, then run it again.",
        ErrorKind.RATE_LIMIT: "Wait until the next call is admitted, then run it again.",
        ErrorKind.UNAVAILABLE: "Wait until the tool is started again, or reset what holds it back.",
        ErrorKind.TIMEOUT: "Give it less to do, or raise the limit it is declared with.",
        ErrorKind.CANCELLED: "Run it again when you want the whole result.",
        ErrorKind.TOOL: "Check the arguments, then run it again.",
        ErrorKind.CONFIGURATION: "Correct how the tool is declared or set up, then reload it.",
        ErrorKind.GUIDED: "Do what the message says instead.",
        ErrorKind.CRASHED: "Run it again: the next call gets a new worker process.",
        ErrorKind.MAX_ITERATIONS: "Start a new turn, or allow more rounds in one.",
        ErrorKind.ABORTED: "Run it again.",
    }
)


class Badge(NamedTuple):
    """One fact about a tool, in two or three words.

    Attributes:
        text: The words.
        icon: The name of its icon.
        tip: The fact as a sentence.
    """

    text: str
    icon: str
    tip: str


class ExampleChoice(NamedTuple):
    """One example that can fill the form.

    Attributes:
        title: What it shows.
        arguments: The arguments it sets.
    """

    title: str
    arguments: Mapping[str, Any]


class ToolCard(NamedTuple):
    """Everything the page shows of a tool before it runs.

    Attributes:
        name: The name callers use.
        title: The name shown.
        breadcrumb: Where it belongs, such as `Built-in › Files`.
        description: What it does.
        badges: Facts about it.
        examples: Arguments to start from.
        version: The tool's own version.
    """

    name: str
    title: str
    breadcrumb: str
    description: str
    badges: tuple[Badge, ...]
    examples: tuple[ExampleChoice, ...]
    version: str


class CallFacts(NamedTuple):
    """What the result header says about a call.

    Attributes:
        status: A name of the status vocabulary, for its glyph and tone.
        word: How it stands, such as `Success after 1 retry`.
        parts: Further facts in order, such as `38 ms`, `4 steps`, `cache miss`.
        note: What else a person must know, such as that a thread still runs; empty for nothing.
    """

    status: StatusName
    word: str
    parts: tuple[str, ...] = ()
    note: str = ""


class Failure(NamedTuple):
    """Why a call did not succeed, in the order a person asks.

    Attributes:
        status: A name of the status vocabulary.
        type_name: The error's class; empty when there is none.
        what: What failed.
        why: Why, in the error's own words.
        problems: The arguments that do not fit; empty otherwise.
        remedy: What to do next.
        traceback: Where it was raised; empty when the words are the whole story.
        partial: What came before the end, as text; empty for nothing.
        stopped_after: Such as `Stopped after 3.1 s`; empty when the call was not cut short.
        has_log: Whether there is a log to read.
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


def duration_text(elapsed_s: float | None) -> str:
    """Write seconds as the design says: 0.4 ms, 38 ms, 2.69 s, 1:42; what is too short to count is `< 0.1 ms`."""
    if elapsed_s is not None and 0 < elapsed_s < _LEAST_S:
        return "< 0.1 ms"
    return format_duration_ms(None if elapsed_s is None else elapsed_s * 1000)


def _span_text(span_s: float) -> str:
    """Write a declared span in its largest whole unit: 1 h, 5 min, 90 s."""
    for unit_s, unit in ((_DAY_S, "d"), (_HOUR_S, "h"), (_MINUTE_S, "min")):
        if span_s >= unit_s and span_s % unit_s == 0:
            return f"{span_s / unit_s:g} {unit}"
    return f"{span_s:g} s"


def breadcrumb(*parts: str) -> str:
    """Join where a tool belongs: source, then category or toolkit; repetitions are left out."""
    shown: list[str] = []
    for part in parts:
        if part and part.casefold() not in {known.casefold() for known in shown}:
            shown.append(part[0].upper() + part[1:] if part.islower() and "." not in part else part)
    return " › ".join(shown)


def _risk_badges(spec: ToolSpec, *, asks_first: bool) -> list[Badge]:
    badges = []
    if spec.read_only_hint:
        badges.append(Badge("Read-only", "eye", "It says that it changes nothing."))
    if spec.destructive_hint:
        badges.append(Badge("Destructive", "triangle-alert", "It may destroy something that cannot be brought back."))
    if asks_first:
        badges.append(Badge("Asks first", "shield", "A person is asked before each call."))
    if spec.open_world_hint:
        badges.append(Badge("Network", "globe", "It reaches beyond this computer."))
    return badges


def _cache_badge(policy: CachePolicy) -> Badge:
    span = _span_text(policy.ttl_s)
    return Badge(f"Cached {span}", "zap", f"The result of an identical call is used again for {span}.")


def _limit_badge(limit: RateLimit) -> Badge:
    if limit.requests is None:
        words = f"{format_count(limit.burst_size)} calls in {_span_text(limit.timeout_s)}"
    else:
        words = f"{limit.requests:g} calls in {_span_text(limit.per_s)}"
    return Badge("Rate limited", "gauge", f"At most {words}.")


def badges_of(spec: ToolSpec, policies: Policies) -> tuple[Badge, ...]:
    """Name the facts about a tool that a person weighs before running it, the weightiest first.

    Args:
        spec: The tool's card.
        policies: Its policies.
    """
    security = policies.security
    asks_first = spec.requires_confirmation or bool(security and security.approval_required)
    badges = _risk_badges(spec, asks_first=asks_first or bool(spec.destructive_hint))
    if spec.idempotent:
        badges.append(Badge("Idempotent", "repeat", "A second identical call does no further harm."))
    if spec.latency is not None:
        tip = {
            Latency.FAST: "A call usually takes less than 100 ms.",
            Latency.MEDIUM: "A call usually takes from 100 ms to 2 s.",
            Latency.SLOW: "A call usually takes more than 2 s.",
        }[spec.latency]
        badges.append(Badge(spec.latency.value.capitalize(), "gauge", tip))
    if policies.cache is not None:
        badges.append(_cache_badge(policies.cache))
    if policies.retry is not None and policies.retry.max_attempts > 1:
        attempts = policies.retry.max_attempts
        badges.append(
            Badge(f"Up to {attempts} attempts", "rotate-ccw", f"A failed call is tried {attempts} times in all.")
        )
    if policies.timeout_s is not None:
        span = _span_text(policies.timeout_s)
        badges.append(Badge(f"Limit {span}", "timer", f"An attempt may take {span}."))
    if policies.rate_limit is not None:
        badges.append(_limit_badge(policies.rate_limit))
    return tuple(badges)


def card_of(spec: ToolSpec, policies: Policies, *, source: str, toolkit: str = "") -> ToolCard:
    """Put together what the page shows of a tool.

    Args:
        spec: The tool's card.
        policies: Its policies.
        source: The name of where it comes from.
        toolkit: The title of its toolkit; empty when it stands alone.
    """
    examples = [
        ExampleChoice(example.description or f"Example {number}", dict(example.input))
        for number, example in enumerate((one for one in spec.examples if not one.negative), start=1)
    ]
    return ToolCard(
        name=spec.name,
        title=spec.title or spec.name,
        breadcrumb=breadcrumb(source, toolkit or spec.category),
        description=spec.description,
        badges=badges_of(spec, policies),
        examples=tuple(examples),
        version=spec.version,
    )


def argument_path(text: str) -> tuple[str | int, ...]:
    """Read a path as people read it, such as `context.before` or `include[1]`, as names and positions."""
    return tuple(int(part[1:-1]) if part.startswith("[") else part for part in _PATH_PART.findall(text))


def status_name(status: CallStatus) -> StatusName:
    """Give the word of the status vocabulary for how a call stands."""
    return _STATUS_BY_CALL[status]


def _cache_part(response: ToolResponse) -> tuple[str, ...]:
    if response.from_cache:
        return ("cache hit",)
    # The chain holds a cache step only if the tool has a cache policy, and it looks nothing up when it is passed over.
    looked_up = [step for step in response.steps if step.name.casefold().startswith("cache lookup")]
    if not looked_up:
        return ()
    return ("cache miss",) if looked_up[0].detail == "miss" else ("cache passed over",)


def _retries(response: ToolResponse) -> int:
    return max(0, response.attempts - 1)


def facts_of(response: ToolResponse) -> CallFacts:
    """Say how an ended call ended, for the result header.

    Args:
        response: A final response.
    """
    status = status_name(response.status)
    word = STATUS[status].word
    retries = _retries(response)
    if retries:
        word += f" after {retries} {'retry' if retries == 1 else 'retries'}"
    parts = [duration_text(response.elapsed_s)]
    if response.status is CallStatus.CANCELLED:
        parts = [f"Stopped after {duration_text(response.elapsed_s)}"]
    if response.steps:
        count = len(response.steps)
        parts.append(f"{format_count(count)} {'step' if count == 1 else 'steps'}")
    parts.extend(_cache_part(response))
    if response.modified_arguments is not None:
        parts.append("arguments edited")
    return CallFacts(status, word, tuple(parts))


def running_facts(status: CallStatus, elapsed_s: float, *, stopping: bool) -> CallFacts:
    """Say how a call stands that has not ended.

    Args:
        status: Where it is.
        elapsed_s: Seconds since it was proposed.
        stopping: Whether somebody asked to stop it.
    """
    name: StatusName = "waiting" if status is CallStatus.WAITING_FOR_REVIEW else "running"
    word = "Stopping…" if stopping else STATUS[name].word
    elapsed = f"{elapsed_s:.1f} s" if elapsed_s < _MINUTE_S else duration_text(elapsed_s)
    return CallFacts("running" if stopping else name, word, (elapsed,))


def failure_of(name: str, response: ToolResponse) -> Failure | None:
    """Explain why a call did not succeed; None when it did.

    Args:
        name: The tool.
        response: A final response.
    """
    if response.status is CallStatus.EXECUTED:
        return None
    error = response.error
    cut_short = response.status in {CallStatus.CANCELLED, CallStatus.TIMED_OUT, CallStatus.ABORTED}
    default_kind = ErrorKind.CANCELLED if response.status is CallStatus.CANCELLED else ErrorKind.TOOL
    what = _WHAT_BY_STATUS[response.status].format(name=name)
    attempts = response.attempts
    if response.status is CallStatus.FAILED and attempts > 1:
        what += f" in all of {attempts} attempts"
    why = error.message if error is not None else response.text
    if response.feedback and response.feedback not in why:
        why = f"{why} The reviewer said: {response.feedback}" if why else f"The reviewer said: {response.feedback}"
    return Failure(
        status=status_name(response.status),
        type_name=error.type_name if error is not None else "",
        what=what,
        why=why,
        problems=error.problems if error is not None else (),
        remedy=(error.remedy if error is not None else "")
        or _try_what(error.kind if error is not None else default_kind, has_log=bool(response.logs)),
        traceback=error.traceback if error is not None else "",
        partial=_partial(response, why),
        stopped_after=f"Stopped after {duration_text(response.elapsed_s)}" if cut_short else "",
        has_log=bool(response.logs),
    )


def _try_what(kind: ErrorKind, *, has_log: bool) -> str:
    if kind is ErrorKind.TOOL and has_log:
        return "Check the arguments, and read the log for what led to it."
    return _TRY_BY_KIND[kind]


def _partial(response: ToolResponse, why: str) -> str:
    """Return what a call that did not succeed had brought by then."""
    text = response.text
    if text in {"", why, f"Error: {why}"} or text.startswith("Error: "):
        return ""
    return text
