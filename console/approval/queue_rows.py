"""The tables of open questions: one a row, several of one tool with their arguments, the steps of a plan."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, NamedTuple

from console.approval.reasons import Reason, disguises, needs_care, reasons_of, risk_of_question
from console.call_table import caller_icon, caller_words
from console.language import in_sentence, tr
from tools.calls import MASK, PlannedStep, ReviewRequest, ReviewTiming
from tools.execution.call_log import one_line
from tools.review.plain_text import asked_words, visible

LONGEST_VALUE: Final = 200
"""The most letters of a value that can be judged in a table's cell."""

_LONGEST_FITTING: Final = 160
_MOST_FITTING: Final = 4


class QuestionGroup(NamedTuple):
    """Questions to decide together.

    Attributes:
        heads: What stands above each column: the caller, then the arguments.
        cells: One row of texts for each call.
        why_not: Why the calls cannot be allowed together; empty when they can. They can be denied in any case.
    """

    tool: str
    description: str
    heads: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    why_not: str


def batch_of(rows: Sequence[PendingRow]) -> QuestionGroup:
    """Put questions about one tool into a table.

    Args:
        rows: One at least, all of one tool.
    """
    names = list(dict.fromkeys(name for row in rows for name in row.request.arguments or {}))
    cells = []
    for row in rows:
        given = row.request.arguments or {}
        cells.append((row.caller, *(_text(given[name]) if name in given else "" for name in names)))
    return QuestionGroup(
        rows[0].tool,
        rows[0].request.tool.description.split("\n\n", 1)[0] if rows[0].request.tool is not None else "",
        (tr("Caller"), *names),
        tuple(cells),
        _why_not(rows, cells),
    )


def fitting_arguments(row: PendingRow) -> str:
    """Return all arguments of a call, one a line, if it may be allowed where only they are seen, as in a notice.

    Returns:
        Empty where they do not fit or hide something, where the call can do much harm, or nobody can tell.
    """
    given = row.request.arguments
    if not given or row.request.degree is None or row.is_high_risk or batch_of([row]).why_not:
        return ""
    text = "\n".join(one_line({name: value}, _LONGEST_FITTING + 1) for name, value in given.items())
    hides = MASK in text or text.count("\n") >= _MOST_FITTING
    return "" if hides or len(text) > _LONGEST_FITTING else text


def _text(value: object) -> str:
    return value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False)


def _why_not(rows: Sequence[PendingRow], cells: Sequence[tuple[str, ...]]) -> str:
    if any(row.request.timing is not ReviewTiming.BEFORE_EXECUTION for row in rows):
        return tr("Questions of running tools and results are answered one by one")
    if any(row.request.plan for row in rows):
        return tr("A plan is decided by itself: look at its steps first")
    if any(row.request.required_role for row in rows):
        return tr("A call that takes a role is allowed by itself")
    if any(row.needs_care for row in rows):
        return tr("They may destroy something, or nobody can tell: each is allowed by itself")
    if any(len(text) > LONGEST_VALUE or "\n" in text for one in cells for text in one):
        return tr("A value is too long to be judged here")
    if any(disguises(row.request.arguments or {}) for row in rows):
        return tr("A value has letters that do not show")
    return ""


_FOR_EVER: Final = float("inf")
_TAGS: Final = {
    "sends_data": tr("leaves this computer"),
    "command": tr("runs a program"),
    "outside_project": tr("outside the project"),
    "repeated": tr("done already"),
    "writes_database": tr("changes a database"),
}
"""What a tag says where the reason's own does not say it in two or three words."""

_BLAND: Final = frozenset({"confirmation", "destructive"})
"""Reasons that a tool gives of all its calls alike; how much harm this one can do says more."""


class QueueOrder(StrEnum):
    """In which order open questions stand."""

    EXPIRY = "expiry"
    AGE = "age"
    RISK = "risk"
    TOOL = "tool"
    CALLER = "caller"


ORDER_WORDS: Final = {
    QueueOrder.EXPIRY: tr("soonest to expire first"),
    QueueOrder.AGE: tr("oldest first"),
    QueueOrder.RISK: tr("highest risk first"),
    QueueOrder.TOOL: tr("by tool"),
    QueueOrder.CALLER: tr("by caller"),
}


class QueueShape(NamedTuple):
    """Which open questions are listed, and in which order.

    Attributes:
        text: Letters that must occur in a row; empty for any.
        high_risk_only: Whether only calls that can do much harm are listed.
    """

    order: QueueOrder = QueueOrder.EXPIRY
    text: str = ""
    high_risk_only: bool = False

    @property
    def narrows(self) -> bool:
        """Whether some questions may be left out."""
        return bool(self.text.strip()) or self.high_risk_only


class PendingRow(NamedTuple):
    """One open question.

    Attributes:
        summary: What will happen, on one line.
        is_code: Whether the summary is code: a command line, or only the arguments.
        caller: Who asks, and how many identical calls wait for the answer.
        tag: Why it is asked, in two or three words.
        is_tag_calm: Whether that speaks for the call, as a low risk does.
        is_high_risk: Whether the call can do much harm, or nobody can tell.
        needs_care: Whether it is allowed by itself only.
    """

    request: ReviewRequest
    tool: str
    summary: str
    is_code: bool
    caller_icon: str
    caller: str
    tag_icon: str
    tag: str
    is_tag_calm: bool
    is_high_risk: bool
    needs_care: bool

    @property
    def id(self) -> str:
        return self.request.id

    def left_s(self, now: datetime) -> float | None:
        """Return the seconds until silence counts; None when it never does."""
        expires_at = self.request.expires_at
        return None if expires_at is None else max(0.0, (expires_at - now).total_seconds())

    @property
    def words(self) -> str:
        """All that a filter looks through, and a screen reader says."""
        return f"{self.tool}, {self.summary}, {self.caller}, {self.tag}"


def _who_waits(request: ReviewRequest) -> str:
    """Write who calls, and how often, when one answer counts for several identical calls."""
    who = caller_words(request.call.caller)
    if request.caller_back_within_s is not None:
        who = tr("{who}, gone", who=who)
    return who if request.attached == 1 else tr("{who}, {count} identical calls", who=who, count=request.attached)


def pending_row(request: ReviewRequest) -> PendingRow:
    """Work out what is shown of an open question."""
    call = request.call
    reasons = reasons_of(request, request.arguments or {})
    summary, is_code = _summary(request, reasons)
    warnings = [reason for reason in reasons if reason.is_warning]
    first = min(warnings, key=_blandness, default=None)
    risk = risk_of_question(request)
    is_risk = first is not None and first.kind in _BLAND
    if is_risk and risk is not None:
        icon, tag = risk.icon, in_sentence(risk.title)
    elif first is not None:
        icon, tag = first.icon, _TAGS.get(first.kind, first.tag)
    elif request.timing is ReviewTiming.DURING_EXECUTION:
        icon, tag = "message-square-text", tr("asks you something")
    else:
        icon, tag = "scroll-text", tr("asks first") if risk is None else in_sentence(risk.title)
    return PendingRow(
        request,
        call.tool.name,
        summary,
        is_code,
        caller_icon(call.caller),
        _who_waits(request),
        icon,
        tag,
        is_risk and risk is not None and risk.tone == "neutral",
        risk is not None and risk.is_high,
        needs_care(request),
    )


def _degree_weight(row: PendingRow) -> int:
    degree = row.request.degree
    return -1 if degree is None else degree.weight


def arranged(rows: Iterable[PendingRow], shape: QueueShape) -> list[PendingRow]:
    """Return the rows that a shape admits, in its order; the oldest first where the order leaves it open."""
    words = shape.text.casefold().split()
    admitted = [
        row
        for row in rows
        if (row.is_high_risk or not shape.high_risk_only) and all(word in row.words.casefold() for word in words)
    ]
    admitted.sort(key=lambda row: row.request.asked_at)
    match shape.order:
        case QueueOrder.EXPIRY:
            admitted.sort(key=_expiry)
        case QueueOrder.RISK:
            admitted.sort(key=_degree_weight, reverse=True)
        case QueueOrder.TOOL:
            admitted.sort(key=lambda row: row.tool)
        case QueueOrder.CALLER:
            admitted.sort(key=lambda row: row.caller)
        case QueueOrder.AGE:
            pass
    return admitted


def _expiry(row: PendingRow) -> float:
    expires_at = row.request.expires_at
    return _FOR_EVER if expires_at is None else expires_at.timestamp()


def _blandness(reason: Reason) -> bool:
    """Put a reason that says something of this call before what a tool says of all its calls."""
    return reason.kind in _BLAND


def _summary(request: ReviewRequest, reasons: Iterable[Reason]) -> tuple[str, bool]:
    """Return the most telling line there is, and whether it is code."""
    effects = [reason for reason in reasons if reason.is_effect and reason.details]
    for reason in effects:
        if command := _command(request, reason):
            return command, True
    found = request.preview
    if found is not None and found.text:
        # That a call does nothing says little without the reason.
        return _one_line(" ".join((found.text, *(() if found.counts else found.warnings[:1])))), False
    if effects:
        return _one_line(effects[0].details[0]), False
    if request.timing is ReviewTiming.BEFORE_EXECUTION and request.arguments:
        return one_line(request.arguments), True
    return _one_line(request.description), False


def _command(request: ReviewRequest, reason: Reason) -> str:
    """Return the command line that a call runs, without the folder that stands before it in every other place."""
    if reason.kind != "command":
        return ""
    texts = [value for value in (request.arguments or {}).values() if isinstance(value, str)]
    return next((_one_line(text) for text in texts if text and text in reason.details[0]), "")


def _one_line(text: str) -> str:
    return " ".join(text.replace("`", "").split())


_MOST_CALLS: Final = 5
"""Of how many calls of a step the arguments stand in the table."""


_MOST_NAMED: Final = 12


class PlanTable(NamedTuple):
    """The steps of a plan that a person is asked about, line by line.

    Attributes:
        heads: What stands above each column.
        cells: One line of texts for each call that is shown; what its step is stands in the first.
        texts: The arguments of each line in full, as JSON text.
        open_steps: The steps whose arguments are known later.
        quiet: A sentence about the steps that nobody is asked about; empty when there are none.
    """

    heads: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    texts: tuple[str, ...]
    open_steps: tuple[str, ...]
    quiet: str


def plan_table(plan: Sequence[PlannedStep]) -> PlanTable:
    """Put a plan into a table."""
    cells: list[tuple[str, ...]] = []
    texts: list[str] = []
    for step in plan:
        if not asked_words(step):
            continue
        facts = step.name, step.tool, _asking(step)
        shown = step.arguments[:_MOST_CALLS]
        for number, arguments in enumerate(shown):
            first = not number
            cells.append((*(facts if first else ("", "", "")), _line(arguments)))
            texts.append(json.dumps(dict(arguments), ensure_ascii=False, indent=2))
        more = max(step.looked_at, step.calls or 0) - len(shown)
        if more > 0:
            cells.append(("", "", "", tr("and {more:,} more", more=more)))
            texts.append(_listed(step))
    return PlanTable(
        (tr("Step"), tr("Tool"), tr("Asks"), tr("Arguments")),
        tuple(cells),
        tuple(texts),
        tuple(step.name for step in plan if step.is_open),
        _quiet([step.name for step in plan if not asked_words(step)]),
    )


def _asking(step: PlannedStep) -> str:
    words = []
    if step.refusal:
        words.append(tr("refused by a rule"))
    if step.asking:
        words.append(
            tr("1 call")
            if step.asking == step.looked_at == 1
            else tr("{asking:,} of {looked_at:,} calls", asking=step.asking, looked_at=step.looked_at)
        )
    if step.is_open:
        words.append(tr("more later") if step.asking else tr("when its turn comes"))
    return ", ".join(words)


def _line(arguments: Mapping[str, Any]) -> str:
    return visible(one_line(arguments)) if arguments else tr("none")


def _listed(step: PlannedStep) -> str:
    """Return the arguments of all calls of a step that are known here, one call a line."""
    lines = [json.dumps(dict(arguments), ensure_ascii=False) for arguments in step.arguments]
    unseen = max(step.looked_at, step.calls or 0) - len(lines)
    return "\n".join([*lines, *([tr("and {unseen:,} more like these", unseen=unseen)] if unseen > 0 else [])])


def _quiet(names: Sequence[str]) -> str:
    if not names:
        return ""
    named, more = ", ".join(names[:_MOST_NAMED]), len(names) - _MOST_NAMED
    if more > 0:
        return tr("Nobody is asked about {names} and {more:,} more.", names=named, more=more)
    return tr("Nobody is asked about {names}.", names=named)
