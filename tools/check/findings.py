"""`CheckFinding`: one call that shows a fault of a tool, as a value; and its words."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple

from pydantic import JsonValue

from tools.lint import Finding, Severity


class CheckFault(StrEnum):
    """What a call can show to be wrong with a tool."""

    CRASH = "crash"
    UNDECLARED_ERROR = "undeclared-error"
    WRONG_RESULT = "wrong-result"
    HANG = "hang"
    SECRET_TOLD = "secret-told"  # noqa: S105 -- a kind of fault
    READ_ONLY_WRITES = "read-only-writes"
    EXAMPLE_FAILS = "example-fails"
    NONSENSE_ACCEPTED = "nonsense-accepted"
    CHECK_FAILS = "argument-check-fails"


class SkipReason(StrEnum):
    """Why a tool was not run, or not to the end."""

    DISABLED = "disabled"
    NEEDS_SCRATCH = "needs-scratch"
    CHANGES_ELSEWHERE = "changes-elsewhere"
    RUNS_PROGRAMS = "runs-programs"
    REACHES_OUT = "reaches-out"
    REFUSED = "refused"
    NOTHING_FITS = "nothing-fits"
    KEEPS_FAILING = "keeps-failing"
    OUT_OF_TIME = "out-of-time"
    STOPPED = "stopped"


class FaultText(NamedTuple):
    """What is said of a kind of fault.

    Attributes:
        message: What is wrong, as a sentence with a place for `{detail}`.
    """

    severity: Severity
    message: str
    fix: str


FAULT_TEXTS: Final[Mapping[CheckFault, FaultText]] = MappingProxyType(
    {
        CheckFault.CRASH: FaultText(
            Severity.ERROR,
            "The call ends the program that the tool runs in: {detail}",
            "Raise ToolFailure instead of leaving, and check the arguments before native code sees them.",
        ),
        CheckFault.UNDECLARED_ERROR: FaultText(
            Severity.ERROR,
            "The call raises an error that the tool does not turn into an answer: {detail}",
            "Check the argument, or catch the error and raise ToolFailure that says what was expected and what came.",
        ),
        CheckFault.WRONG_RESULT: FaultText(
            Severity.ERROR,
            "The result is not what the tool promises: {detail}",
            "Return what the schema of the result says, or correct the annotation.",
        ),
        CheckFault.HANG: FaultText(
            Severity.ERROR,
            "The call does not end: {detail}",
            "Bound the work, or give the tool a time limit that it keeps by itself.",
        ),
        CheckFault.SECRET_TOLD: FaultText(
            Severity.ERROR,
            "An error or a log line tells a secret: {detail}",
            "Leave the secret out of the message; name an argument in mask_fields so that it is hidden everywhere.",
        ),
        CheckFault.READ_ONLY_WRITES: FaultText(
            Severity.ERROR,
            "The tool says that it only reads, and it changed {detail}",
            "Say read_only=False, or write nothing.",
        ),
        CheckFault.EXAMPLE_FAILS: FaultText(
            Severity.WARNING,
            "An example of the tool does not work: {detail}",
            "Correct its input: a model copies what it sees.",
        ),
        CheckFault.NONSENSE_ACCEPTED: FaultText(
            Severity.WARNING,
            "Arguments are accepted that the schema forbids: {detail}",
            "Let the check of the arguments refuse what the schema forbids.",
        ),
        CheckFault.CHECK_FAILS: FaultText(
            Severity.ERROR,
            "The check of the arguments fails instead of refusing them: {detail}",
            "Let a validator raise ValueError with what was expected and what came.",
        ),
    }
)
"""What is said of each kind of fault."""

SKIP_WORDS: Final[Mapping[SkipReason, str]] = MappingProxyType(
    {
        SkipReason.DISABLED: "it is disabled",
        SkipReason.NEEDS_SCRATCH: "it does not say that it only reads, so it runs in a scratch folder only",
        SkipReason.CHANGES_ELSEWHERE: "it may change something that no scratch folder holds",
        SkipReason.RUNS_PROGRAMS: "it runs programs, which no scratch folder holds",
        SkipReason.REACHES_OUT: "it reaches beyond this computer, where generated arguments are sent on request only",
        SkipReason.REFUSED: "a check asks nobody, and its calls were refused",
        SkipReason.NOTHING_FITS: "no arguments were found that fit its schema; give it an example",
        SkipReason.KEEPS_FAILING: "call after call crashed or did not end",
        SkipReason.OUT_OF_TIME: "the time was over",
        SkipReason.STOPPED: "it was stopped",
    }
)
"""Why a tool was not run, as the end of a sentence."""


class CheckFinding(NamedTuple):
    """One call that shows a fault.

    Attributes:
        tool: The tool's name.
        arguments: The smallest arguments that were found to show it.
        detail: What came, on one line.
        error: The class of the exception, where there was one; faults of another class are told apart by it.
    """

    fault: CheckFault
    tool: str
    arguments: Mapping[str, JsonValue]
    detail: str
    error: str = ""

    @property
    def severity(self) -> Severity:
        return FAULT_TEXTS[self.fault].severity

    @property
    def message(self) -> str:
        """What is wrong, as a sentence."""
        return FAULT_TEXTS[self.fault].message.format(detail=self.detail)

    @property
    def fix(self) -> str:
        return FAULT_TEXTS[self.fault].fix


class CheckSkip(NamedTuple):
    """Why a tool was not run, or not to the end.

    Attributes:
        detail: What was said, on one line; empty for nothing more.
    """

    reason: SkipReason
    detail: str = ""

    @property
    def words(self) -> str:
        said = SKIP_WORDS[self.reason]
        return f"{said} ({self.detail})" if self.detail else said


class CheckReport(NamedTuple):
    """What a check of one tool came to.

    Attributes:
        tool: The tool's name.
        seed: What the arguments were drawn by; the same seed gives the same arguments.
        findings: What its calls show to be wrong.
        lints: What is wrong with how it is described.
        calls: How many calls ran.
        refused: How many calls were refused because of their arguments, as they should be.
        skip: Why it was not run, or not to the end; None when it was.
        in_scratch: Whether it ran in a scratch folder because it changes things.
    """

    tool: str
    seed: int
    findings: tuple[CheckFinding, ...] = ()
    lints: tuple[Finding, ...] = ()
    calls: int = 0
    refused: int = 0
    skip: CheckSkip | None = None
    in_scratch: bool = False

    @property
    def is_clean(self) -> bool:
        """Whether nothing is wrong; a hint is no fault."""
        return not self.findings and all(finding.severity is Severity.HINT for finding in self.lints)

    @property
    def how_it_went(self) -> str:
        """How many calls there were, and why no more."""
        if self.skip is not None and not self.calls:
            return f"not run, because {self.skip.words}"
        calls = "1 call" if self.calls == 1 else f"{self.calls:,} calls"
        ended = f"; not finished, because {self.skip.words}" if self.skip is not None else ""
        return f"{calls}, {self.refused:,} refused because of their arguments{ended}"


class CheckProgress(NamedTuple):
    """How far a check is.

    Attributes:
        tool: The tool's name.
        done: How many calls were made.
        total: How many there will be at most.
        refused: How many calls were refused because of their arguments.
        findings: What was found so far; smaller arguments may still be found.
    """

    tool: str
    done: int
    total: int
    refused: int
    findings: tuple[CheckFinding, ...]
