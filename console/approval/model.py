"""All that is shown of a question, as values: arguments, countdown, estimate, ways to remember the answer."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import deepcopy
from datetime import datetime, time, timedelta
from enum import StrEnum
from typing import Any, Final, NamedTuple

from console.approval.reasons import Reason, RiskSummary, needs_care, reasons_of, risk_of_question
from console.language import tr, tr_count, translated
from console.widgets.formats import format_countdown, format_time
from tools.calls import MASK, OnTimeout, PlannedStep, ReviewRequest, ReviewTiming
from tools.card import ToolCard
from tools.errors import ArgumentsError, DeclarationError
from tools.sentences import begin_sentence
from tools.spec import DryRun


class AnswerSpan(StrEnum):
    """For how long an answer counts."""

    ONCE = "once"
    SESSION = "session"
    HOUR = "hour"
    TODAY = "today"
    DATE = "date"
    ALWAYS = "always"


class OfferRow(NamedTuple):
    """One way to remember an answer.

    Attributes:
        key: Tells it from the others of its question.
        words: Which calls it is about, to stand behind `for`: `this tool with these arguments`.
        rule: The rule that allows these calls, word for word.
    """

    key: str
    words: str
    rule: str


class Remembering(NamedTuple):
    """What the person wants remembered.

    Attributes:
        offer: The key of the chosen offer; empty for this call only.
        until: When it ends; None when no date was chosen.
    """

    span: AnswerSpan
    offer: str = ""
    until: datetime | None = None


ONLY_THIS_CALL: Final = Remembering(AnswerSpan.ONCE)


class TrialRow(NamedTuple):
    """What a rule would have done to calls of the past.

    Attributes:
        matched: How many of them it would have allowed.
        listed: Those that it would have allowed, one a line.
    """

    matched: int
    total: int
    listed: str


def expiry_of(choice: Remembering, now: datetime) -> datetime | None:
    """Return when a remembered answer ends; None when it does not by itself.

    Args:
        now: The aware time that counts as now.
    """
    if choice.span is AnswerSpan.HOUR:
        return now + timedelta(hours=1)
    if choice.span is AnswerSpan.TODAY:
        local = now.astimezone()
        return datetime.combine(local.date() + timedelta(days=1), time(), local.tzinfo)
    return choice.until if choice.span is AnswerSpan.DATE else None


def span_words(span: AnswerSpan) -> str:
    """Say for how long, as the beginning of a sentence."""
    return _WORDS[span]


_WORDS: Final = {
    AnswerSpan.ONCE: tr("Only this call"),
    AnswerSpan.SESSION: tr("This session"),
    AnswerSpan.HOUR: tr("For 1 hour"),
    AnswerSpan.TODAY: tr("Until the end of today"),
    AnswerSpan.DATE: tr("Until a date"),
    AnswerSpan.ALWAYS: tr("Always"),
}


_QUOTED: Final = r"`([^`\n]+)`"
_PATH: Final = r"(?<![\w/])((?:~|\.{1,2})?/[^\s,;:'\"]*[^\s,;:.'\")])"
_WINDOWS_PATH: Final = r"\b([A-Za-z]:\\[^\s,;'\"]+)"
_CODE: Final = re.compile(f"{_QUOTED}|{_PATH}|{_WINDOWS_PATH}")
_MOST_LETTERS: Final = 20_000
_SHORTEST_VALUE: Final = 3


class SentencePart(NamedTuple):
    """A part of a sentence.

    Attributes:
        strong: Whether it is shown in the semibold weight.
    """

    text: str
    code: bool = False
    strong: bool = False
    muted: bool = False


def pieces(text: str, values: Iterable[str] = ()) -> tuple[SentencePart, ...]:
    """Split a sentence into words and code.

    Args:
        text: The sentence; back quotes around code are taken away.
        values: Values of arguments; where one stands in the sentence, it is code.
    """
    if len(text) > _MOST_LETTERS:
        return (SentencePart(text),)
    known = sorted({value for value in values if len(value) >= _SHORTEST_VALUE and value in text}, key=len)
    named = [rf"(?<![\w/]){re.escape(value)}(?![\w/])" for value in reversed(known)]
    found = re.compile("|".join((*named, _CODE.pattern)))
    parts: list[SentencePart] = []
    end = 0
    for match in found.finditer(text):
        if match.start() > end:
            parts.append(SentencePart(text[end : match.start()]))
        parts.append(SentencePart(next(filter(None, match.groups()), match.group()), code=True))
        end = match.end()
    if end < len(text) or not parts:
        parts.append(SentencePart(text[end:]))
    return tuple(parts)


def plain(parts: Iterable[SentencePart]) -> str:
    """Return the letters of all pieces, as a screen reader says them."""
    return "".join(part.text for part in parts)


_ICONS: Final[Mapping[str, str]] = {
    "files": "files",
    "folders": "folder",
    "bytes": "hard-drive",
    "rows": "table",
    "tables": "table",
    "hosts": "globe",
    "commits": "git-branch",
    "branches": "git-branch",
}
_NEUTRAL_ICON: Final = "hash"


class Estimate(NamedTuple):
    """What a call would do.

    Attributes:
        text: The same in one sentence; empty when the description says it.
        counts: How much it would touch: name of a shipped icon, and words.
        listed: What it would touch, one a line, and how many more there are; empty for nothing.
        warnings: What a person should know besides.
    """

    text: str
    counts: tuple[tuple[str, str], ...]
    listed: str
    warnings: tuple[str, ...]

    @property
    def short(self) -> str:
        """The counts in words, or the sentence when nothing was counted."""
        return ", ".join(words for _, words in self.counts) or self.text.rstrip(".")


def estimate_of(found: DryRun) -> Estimate:
    """Work out what is shown of a dry run, in the language of the window."""
    lines = [*found.items, *([tr("and {more:,} more", more=found.more)] if found.more else [])]
    return Estimate(
        text=translated(found.text),
        counts=tuple((_ICONS.get(count.kind, _NEUTRAL_ICON), translated(count.words)) for count in found.counts),
        listed="\n".join(lines),
        warnings=tuple(map(translated, found.warnings)),
    )


_MINUTE_S: Final = 60
LAST_MINUTE_S: Final = 60
"""How long before the end more time is offered."""

URGENT_S: Final = 30
"""The last seconds of the countdown, which are shown in the error tone."""

_LEAST_FOLDED: Final = 2
_LONGEST_FOLDED: Final = 52

_LEADS: Final = {
    OnTimeout.EXIT_EARLY: tr("Denied automatically in"),
    OnTimeout.CONTINUE: tr("Continues automatically in"),
    OnTimeout.FAIL: tr("Fails automatically in"),
}
_ENDS: Final = {
    OnTimeout.EXIT_EARLY: tr("The call was denied."),
    OnTimeout.CONTINUE: tr("The call goes on as asked."),
    OnTimeout.FAIL: tr("The call failed."),
}
_ENDS_IN_TOOL: Final = {
    OnTimeout.EXIT_EARLY: tr("The tool was told no."),
    OnTimeout.CONTINUE: tr("The tool goes on."),
    OnTimeout.FAIL: tr("The call failed."),
}


class ArgumentRow(NamedTuple):
    """One argument of the call.

    Attributes:
        name: As callers spell it.
        required: Whether the tool needs it.
        value: As asked, as JSON; `ABSENT` when it was not given.
        hidden: Whether it is a secret: shown as bullets, and not to be edited.
        folds: Whether it says nothing new: it was left at its default, and nothing of why a person is asked lies in it.
    """

    name: str
    required: bool
    value: Any
    hidden: bool
    folds: bool = False


class Countdown(NamedTuple):
    """How long the question stays open.

    Attributes:
        lead: What happens then, such as `Denied automatically in`.
        left_s: Seconds left; None when it waits for ever.
        total_s: Seconds it had at first; 0 when it waits for ever.
    """

    lead: str
    left_s: float | None
    total_s: float

    @property
    def clock(self) -> str:
        """The time left as a clock; empty when it waits for ever."""
        return "" if self.left_s is None else format_countdown(self.left_s)

    @property
    def part(self) -> float:
        """How much is left, from 0 to 1."""
        return 1.0 if self.left_s is None or not self.total_s else self.left_s / self.total_s

    @property
    def is_last_minute(self) -> bool:
        """Whether it is time to ask for more of it."""
        return self.left_s is not None and self.left_s <= LAST_MINUTE_S

    @property
    def urgent(self) -> bool:
        """Whether these are the last seconds."""
        return self.left_s is not None and self.left_s <= URGENT_S


class Ending(NamedTuple):
    """Why a question closed without an answer.

    Attributes:
        detail: Why, and what it means.
    """

    title: str
    detail: str
    icon: str = "timer-off"


class ApprovalModel(NamedTuple):
    """Everything the dialog shows of one question.

    Attributes:
        is_question: Whether a running tool asks something, rather than a call asking to run.
        title: What follows the tool's name in the title.
        note: Which call, and since when.
        description: What will happen, or the tool's own question.
        prompt: A hint for the answer; empty for none.
        arguments: One row for each argument, in the order of the schema.
        schema: JSON Schema of the arguments; a hidden one may only be what it is.
        values: The arguments as asked, secrets masked.
        reason_hint: What the empty field of the reason says.
        estimate: What the call would do, as a dry run found out; None when nobody can tell without doing it.
        risk: How much harm the call can do; None when nobody judged it.
        locked: Why this person may not allow it, only refuse; empty when they may.
        result: The result that waits to be handed on, as text; None when the call has not run.
        plan: The steps of a plan that is asked about as a whole; empty when it is about one call.
        needs_care: Whether all of it must be seen before it can be allowed.
        caller_gone: That the caller has given up waiting, and what follows; empty texts while it waits.
    """

    tool_name: str
    is_question: bool
    title: str
    caller_icon: str
    caller: tuple[SentencePart, ...]
    note: str
    description: str
    prompt: str
    reasons: tuple[Reason, ...]
    arguments: tuple[ArgumentRow, ...]
    schema: Mapping[str, Any]
    values: Mapping[str, Any]
    reason_hint: str
    estimate: Estimate | None = None
    risk: RiskSummary | None = None
    locked: str = ""
    result: str | None = None
    plan: tuple[PlannedStep, ...] = ()
    needs_care: bool = False
    caller_gone: tuple[str, str] = ("", "")

    @property
    def effects(self) -> tuple[Reason, ...]:
        return tuple(reason for reason in self.reasons if reason.is_effect and reason.details)

    @property
    def words(self) -> tuple[str, ...]:
        """The arguments that are text, which sentences about the call show as code."""
        return tuple(row.value for row in self.arguments if isinstance(row.value, str) and not row.hidden)


def approval_model(request: ReviewRequest, now: datetime, roles: Collection[str] = ()) -> ApprovalModel:
    """Work out what is shown of a question.

    Args:
        now: The aware time that counts as now.
    """
    call, tool = request.call, request.tool
    is_after = request.timing is ReviewTiming.AFTER_EXECUTION
    is_question = request.arguments is None and not is_after and not request.plan
    values: Mapping[str, Any] = {} if request.arguments is None else request.arguments
    hidden = _hidden(request)
    given: Mapping[str, Any] = {} if tool is None or is_question else tool.input_schema
    schema = _shown_schema(given, values, hidden, tool)
    icon, caller, reason_hint = _caller(call.caller)
    reasons = reasons_of(request, values)
    said = " ".join(f"{reason.title} {' '.join(reason.details)}" for reason in reasons)
    return ApprovalModel(
        tool_name=call.tool.name,
        is_question=is_question,
        title=tr("asks") if is_question else tr("wants to hand on its result") if is_after else tr("wants to run"),
        caller_icon=icon,
        caller=caller,
        note=tr(" · call {id} · {time}", id=call.id, time=format_time(request.asked_at, now)),
        description=request.description,
        prompt=request.prompt,
        reasons=reasons,
        arguments=_folding(_rows(schema, values, hidden, given.get("required", ())), given, said, tool),
        schema=schema,
        values=values,
        reason_hint=reason_hint,
        estimate=None if request.preview is None else estimate_of(request.preview),
        risk=risk_of_question(request),
        needs_care=needs_care(request),
        locked=_locked(request.required_role, roles),
        result=_written(request.result) if is_after else None,
        plan=request.plan,
        caller_gone=caller_gone(request),
    )


def caller_gone(request: ReviewRequest) -> tuple[str, str]:
    """Say that the caller has given up waiting, and what that means for an answer; empty texts while it waits."""
    left_s = request.caller_back_within_s
    if left_s is None:
        return "", ""
    fact = tr("The agent has given up waiting.")
    if request.timing is not ReviewTiming.BEFORE_EXECUTION:
        return fact, tr("It gets the outcome when it asks again.")
    if left_s < _MINUTE_S:
        seconds = round(left_s)
        within = tr_count(seconds, "1 second", "{count} seconds")
    else:
        minutes = round(left_s / _MINUTE_S)
        within = tr_count(minutes, "1 minute", "{count} minutes")
    return fact, tr(
        "If you allow the call, it runs when the agent asks again within {time} of your answer, else never.",
        time=within,
    )


def _locked(role: str, roles: Collection[str]) -> str:
    if not role or role in roles:
        return ""
    if not roles:
        return tr("Only somebody with the role {role!r} may allow it. You have no role.", role=role)
    own = ", ".join(sorted(roles))
    return tr("Only somebody with the role {role!r} may allow it. Your roles: {own}.", role=role, own=own)


def _written(result: Any) -> str:
    return result if isinstance(result, str) else json.dumps(result, ensure_ascii=False, indent=2)


def changed_names(asked: Mapping[str, Any], now: Mapping[str, Any]) -> tuple[str, ...]:
    """Name the arguments that are not what was asked for; their order alone is no change."""
    # The form's room is loaded when a question is shown; the window comes up without it.
    from console.schema_form import ABSENT  # noqa: PLC0415 -- see above
    from console.schema_form.paths import same  # noqa: PLC0415 -- see above

    names = dict.fromkeys((*asked, *now))
    return tuple(name for name in names if not same(asked.get(name, ABSENT), now.get(name, ABSENT)))


def countdown(request: ReviewRequest, left_s: float | None) -> Countdown:
    """Say how long a question stays open.

    Args:
        left_s: Seconds left; None when it waits for ever.
    """
    if left_s is None:
        return Countdown(tr("Waits until you answer"), None, 0.0)
    return Countdown(_LEADS[request.on_timeout], max(0.0, left_s), request.timeout_s)


def ending(request: ReviewRequest, *, timed_out: bool) -> Ending:
    """Say why a question closed without an answer.

    Args:
        timed_out: Whether its time was up; otherwise its call ended.
    """
    if timed_out:
        # A running tool decides itself what it makes of a no.
        ends = _ENDS_IN_TOOL if request.timing is ReviewTiming.DURING_EXECUTION else _ENDS
        return Ending(
            tr("Time is up."),
            tr(
                "Nobody answered within {time}. {end}",
                time=_waited(request.timeout_s),
                end=ends[request.on_timeout],
            ),
        )
    return Ending(tr("The call was stopped."), tr("It needs no answer any more. Nothing was allowed."), "ban")


def voided(why: str) -> Ending:
    """Say that a question counts no more although nobody answered it.

    Args:
        why: What changed, as a clause.
    """
    return Ending(
        tr("The request is void."),
        tr("{why}. Nothing was allowed by it.", why=begin_sentence(why).rstrip(".")),
        "ban",
    )


def _waited(timeout_s: float) -> str:
    minutes, seconds = divmod(timeout_s, 60)
    if not minutes:
        return f"{timeout_s:g} s"
    return format_countdown(timeout_s) if seconds else tr("{minutes:g} min", minutes=minutes)


def _hidden(request: ReviewRequest) -> frozenset[str]:
    tool, given = request.tool, request.arguments or {}
    return frozenset(name for name, value in given.items() if value == MASK and tool is not None and tool.hides(name))


def _has_bullets(value: object) -> bool:
    if isinstance(value, Mapping):
        return any(map(_has_bullets, value.values()))
    if isinstance(value, list):
        return any(map(_has_bullets, value))
    return isinstance(value, str) and MASK in value


def _shown_schema(
    schema: Mapping[str, Any], values: Mapping[str, Any], hidden: frozenset[str], tool: ToolCard | None
) -> Mapping[str, Any]:
    misfits = _misfits(schema, values, tool) - hidden if tool is not None and tool.masking is not None else frozenset()
    if not hidden and not misfits:
        return schema
    shown = deepcopy(dict(schema))
    properties = shown.setdefault("properties", {})
    for name in hidden:
        properties[name] = {"const": MASK}
    for name in misfits:
        # The tool itself judges it, as soon as the secrets are back in their places.
        words = ("title", "description")
        properties[name] = {word: properties[name][word] for word in words if word in properties.get(name, {})}
    shown["required"] = list(dict.fromkeys((*shown.get("required", ()), *sorted(hidden))))
    return shown


def _misfits(schema: Mapping[str, Any], values: Mapping[str, Any], tool: ToolCard) -> frozenset[str]:
    """Name the arguments that do not fit any more because there are bullets in them."""
    from tools.schema import SchemaArguments  # noqa: PLC0415 -- loads what checks schemas, for secrets only

    partly = {name: value for name, value in values.items() if _has_bullets(value)}
    try:
        SchemaArguments({**schema, "required": []}, owner=tool.owner).validate(partly)
    except ArgumentsError as error:
        return frozenset(re.split(r"[.\[]", problem.path, maxsplit=1)[0] for problem in error.problems) & set(partly)
    except DeclarationError:
        return frozenset(partly)
    return frozenset()


def _rows(
    schema: Mapping[str, Any], values: Mapping[str, Any], hidden: frozenset[str], required: Sequence[str]
) -> tuple[ArgumentRow, ...]:
    from console.schema_form import ABSENT  # noqa: PLC0415 -- see changed_names

    names = dict.fromkeys((*schema.get("properties", {}), *values))
    return tuple(ArgumentRow(name, name in required, values.get(name, ABSENT), name in hidden) for name in names)


def _folding(
    rows: tuple[ArgumentRow, ...], schema: Mapping[str, Any], said: str, tool: ToolCard | None
) -> tuple[ArgumentRow, ...]:
    """Mark the arguments that say nothing new; one alone takes no more room than the line it would fold into.

    Args:
        schema: JSON Schema of the arguments, with their defaults.
        said: Why a person is asked: what that speaks of stays in sight.
        tool: The tool; its paths and command lines stay in sight as well.
    """
    if tool is None:
        return rows
    kept = {name for name, _ in (*tool.path_roles, *tool.shell_commands)}
    words = set(re.findall(r"\w+", said))
    properties = schema.get("properties", {})
    folding = [
        row
        for row in rows
        if not (row.required or row.hidden or row.name in kept or row.name in words)
        and _is_plain_default(row.value, properties.get(row.name), said)
    ]
    if len(folding) < _LEAST_FOLDED:
        return rows
    return tuple(row._replace(folds=row in folding) for row in rows)


def _is_plain_default(value: Any, field: object, said: str) -> bool:
    from console.schema_form import ABSENT  # noqa: PLC0415 -- see changed_names
    from console.schema_form.paths import same  # noqa: PLC0415 -- as above

    if not isinstance(field, Mapping):
        return False
    if value is ABSENT:
        return True
    if value is True or "default" not in field or not same(value, field["default"]):
        return False  # what is switched on by default may be the very danger
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    is_named = isinstance(value, str) and bool(value) and value in said
    return len(text) <= _LONGEST_FOLDED and "\n" not in text and not is_named


def _caller(caller: str) -> tuple[str, tuple[SentencePart, ...], str]:
    """Return icon, words, and what the empty field of a reason says."""
    kind, _, name = caller.partition(":")
    who = name.strip()
    icon, asked, hint = "unplug", tr("Asked by "), tr("Optional. Sent to the caller if you deny")
    if caller == "you":
        icon, who, hint = "user", tr("you", "asked by"), tr("Optional. Shown with the call if you deny")
    elif kind == "agent" and who:
        icon, asked, hint = "bot", tr("Asked by agent "), tr("Optional. Sent to the agent if you deny")
    elif kind == "batch" and who:
        icon, asked, hint = "workflow", tr("Asked by batch "), tr("Optional. Shown with the batch if you deny")
    else:
        who = caller
    return icon, (SentencePart(asked), SentencePart(who, strong=True)), hint
