"""What the Check tab shows, in words: what a check will do, how far it is, and what it found."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from pydantic import JsonValue

from console.language import tr, tr_count, translated
from console.widgets.formats import home_short
from console.widgets.labels import BadgeTone
from console.widgets.status import StatusName
from tools.check import CheckFault, CheckFinding, CheckOptions, CheckProgress, CheckReport, CheckSkip, SkipReason
from tools.check.findings import FAULT_TEXTS, SKIP_WORDS
from tools.lint import Severity

if TYPE_CHECKING:
    from tools.lint import Finding

_MOST_SHOWN: Final = 600
_SEVERITIES: Final[Mapping[Severity, tuple[str, BadgeTone]]] = MappingProxyType(
    {
        Severity.ERROR: (tr("Error"), "error"),
        Severity.WARNING: (tr("Warning"), "warn"),
        Severity.HINT: (tr("Hint"), "neutral"),
    }
)

FAULT_WORDS: Final[Mapping[CheckFault, str]] = MappingProxyType(
    {
        CheckFault.CRASH: tr("Crash"),
        CheckFault.UNDECLARED_ERROR: tr("Undeclared error"),
        CheckFault.WRONG_RESULT: tr("Wrong result"),
        CheckFault.HANG: tr("Does not end"),
        CheckFault.SECRET_TOLD: tr("Secret told"),
        CheckFault.READ_ONLY_WRITES: tr("Read-only tool writes"),
        CheckFault.EXAMPLE_FAILS: tr("Example fails"),
        CheckFault.NONSENSE_ACCEPTED: tr("Nonsense accepted"),
        CheckFault.CHECK_FAILS: tr("Check of arguments fails"),
    }
)
"""What each fault is called."""


class CheckPlan(NamedTuple):
    """What a check will do, before it begins.

    Attributes:
        obstacle: Why it cannot begin; empty when it can.
        folder: The folder for a tool that changes things, in words; empty for none.
        wants_folder: Whether the tool changes things, so that a person has to choose a folder.
        asks_outside: Whether a person has to allow that generated arguments leave this computer.
    """

    sentences: tuple[str, ...]
    obstacle: str
    folder: str
    wants_folder: bool
    asks_outside: bool


class FaultRow(NamedTuple):
    """One thing that is wrong.

    Attributes:
        message: What is wrong, as a sentence.
        shown: The smallest arguments that show it, shortened; empty where no call shows it.
    """

    word: str
    tone: BadgeTone
    fault: str
    message: str
    fix: str
    shown: str = ""
    arguments: str = ""
    given: Mapping[str, JsonValue] = MappingProxyType({})


class CheckState(NamedTuple):
    """How a check stands.

    Attributes:
        headline: That in a few words.
        rows: What is wrong, the worst first.
        fact: What is said in the place of rows when there are none.
    """

    status: StatusName
    headline: str
    rows: tuple[FaultRow, ...]
    fact: str
    sentence: str
    can_save: bool = False


DEFAULT: Final = CheckOptions()
NOT_CHECKED: Final = CheckState(
    "unknown", "", (), tr("Not checked yet"), tr("What the calls of a check show to be wrong.")
)
STOPPED_EARLY: Final = CheckState("cancelled", tr("Stopped"), (), tr("Stopped"), tr("No call was made."))


def plan_of(options: CheckOptions, skip: CheckSkip | None, folder: Path | None) -> CheckPlan:
    """Say what a check will do.

    Args:
        skip: Why it would not be checked; None when it would.
        folder: The folder that a person confirmed; None for none.
    """
    reason = None if skip is None else skip.reason
    calls = tr_count(options.calls, "1 call", "{count:,} calls")
    sentences = [
        (
            tr(
                "Up to {calls}, in at most {within_s:g} s: the examples, arguments at the edges of the schema, and"
                " others drawn by the seed. The same seed gives the same arguments.",
                calls=calls,
                within_s=options.within_s,
            )
        ),
        (
            tr(
                "As many proposals of nonsense, which have to be refused. A few calls more make the arguments of a"
                " finding smaller. A call that takes {call_s:g} s counts as one that does not end.",
                call_s=options.call_s,
            )
        ),
    ]
    wants_folder = reason is SkipReason.NEEDS_SCRATCH or folder is not None
    if wants_folder:
        sentences.append(
            tr(
                "It may change things, so it runs only in an empty folder that you choose, never in the project."
                " Everything that the calls leave there is removed."
            )
        )
    elif reason is not SkipReason.CHANGES_ELSEWHERE:
        sentences.append(
            tr("It says that it only reads: it runs in a folder made for the check, where a write is seen.")
        )
    sentences.append(tr("Nobody is asked anything, and the calls do not stand in the history."))
    obstacle = ""
    if reason is SkipReason.NEEDS_SCRATCH:
        obstacle = tr("Choose a folder first.")
    elif reason is SkipReason.REACHES_OUT:
        obstacle = tr("Allow first that generated arguments leave this computer.")
    elif skip is not None:
        obstacle = tr("It cannot be checked, because {reason}.", reason=_skip_words(skip))
    return CheckPlan(
        tuple(sentences),
        obstacle,
        "" if folder is None else home_short(folder),
        wants_folder,
        options.reaches_out or reason is SkipReason.REACHES_OUT,
    )


def begun() -> CheckState:
    """Say that a check begins."""
    return CheckState("running", tr("Begins"), (), tr("Nothing found so far"), tr("The check begins."))


def going_on(progress: CheckProgress, *, is_stopping: bool) -> CheckState:
    """Say how far a check is."""
    found = len(progress.findings)
    counts = tr(
        "{done:,} of {total:,} calls, {refused:,} refused, {found} found",
        done=progress.done,
        total=progress.total,
        refused=progress.refused,
        found=found,
    )
    return CheckState(
        "running",
        tr("Stopping, {counts}", counts=counts) if is_stopping else counts,
        tuple(map(_finding_row, progress.findings)),
        tr("Nothing found so far"),
        tr("What is found stands here at once."),
    )


def ended(report: CheckReport) -> CheckState:
    """Say what a check came to."""
    rows = (*map(_finding_row, report.findings), *map(_lint_row, report.lints))
    is_stopped = report.skip is not None and report.skip.reason is SkipReason.STOPPED
    fact = tr("Stopped") if is_stopped else tr("Nothing found") if report.skip is None else tr("Not finished")
    status: StatusName = "success" if report.skip is None else "warning"
    if is_stopped:
        status = "cancelled"
    if rows:
        status = "failed" if _has_error(rows) else "warning"
    return CheckState(status, _how_it_went(report), rows, fact, _after(report), can_save=bool(report.findings))


def _how_it_went(report: CheckReport) -> str:
    if report.skip is not None and not report.calls:
        return tr("Not run, because {reason}", reason=_skip_words(report.skip))
    calls = tr_count(report.calls, "1 call", "{count:,} calls")
    words = tr("{calls}, {refused:,} refused because of their arguments", calls=calls, refused=report.refused)
    if report.skip is None:
        return words
    return tr("{calls}; not finished, because {reason}", calls=words, reason=_skip_words(report.skip))


def _skip_words(skip: CheckSkip) -> str:
    words = translated(SKIP_WORDS[skip.reason])
    return f"{words} ({translated(skip.detail)})" if skip.detail else words


def failed(problem: str) -> CheckState:
    """Say that a check did not begin, or broke off."""
    return CheckState("failed", tr("Failed"), (), tr("The check failed"), problem)


def _after(report: CheckReport) -> str:
    if report.skip is not None:
        return tr("Nothing was found until then.") if report.calls else tr("No call was made.")
    return tr("Each call ended as the tool promises. Another seed tries other arguments.")


def _has_error(rows: Iterable[FaultRow]) -> bool:
    return any(row.tone == "error" for row in rows)


def _finding_row(finding: CheckFinding) -> FaultRow:
    word, tone = _SEVERITIES[finding.severity]
    text = json.dumps(dict(finding.arguments), sort_keys=True, ensure_ascii=False)
    shown = (
        text
        if len(text) <= _MOST_SHOWN
        else tr("{text}… ({length:,} characters)", text=text[:_MOST_SHOWN], length=len(text))
    )
    said = FAULT_TEXTS[finding.fault]
    message = translated(said.message).format(detail=translated(finding.detail))
    fix = translated(said.fix)
    return FaultRow(word, tone, FAULT_WORDS[finding.fault], message, fix, shown, text, finding.arguments)


def _lint_row(lint: Finding) -> FaultRow:
    word, tone = _SEVERITIES[lint.severity]
    return FaultRow(word, tone, tr("Description"), lint.message, lint.fix)
