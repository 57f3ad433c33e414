"""`Finding`: one thing that is wrong with how a tool is described, as a value; and its words."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple


class Severity(StrEnum):
    """How much a finding matters: a model is told something false, is told badly, or could be told more."""

    ERROR = "error"
    WARNING = "warning"
    HINT = "hint"


class LintRule(StrEnum):
    """What can be wrong with a tool's description."""

    DESCRIPTION_MISSING = "description-missing"
    DESCRIPTION_SHORT = "description-short"
    DESCRIPTION_EMPTY_WORDS = "description-empty-words"
    PARAMETER_UNDESCRIBED = "parameter-undescribed"
    EXAMPLE_INVALID = "example-invalid"
    EXAMPLES_MANY = "examples-many"
    EXAMPLES_FEW = "examples-few"
    EXAMPLE_UNREALISTIC = "example-unrealistic"
    NEGATIVE_WITHOUT_REASON = "negative-without-reason"
    NEGATIVE_OBVIOUS = "negative-obvious"
    REASON_WITHOUT_NEGATIVE = "reason-without-negative"
    NAME_TOO_LONG = "name-too-long"
    NAME_COLLISION = "name-collision"


class FindingWords(NamedTuple):
    """What is said of a rule: how much it matters, what is wrong (`{detail}` stands for what came), and what to do."""

    severity: Severity
    message: str
    fix: str


FINDING_WORDS: Final[Mapping[LintRule, FindingWords]] = MappingProxyType(
    {
        LintRule.DESCRIPTION_MISSING: FindingWords(
            Severity.WARNING,
            "It has no description, so a model has nothing but its name to go by.",
            "Write a sentence that says what it does, and when to use it.",
        ),
        LintRule.DESCRIPTION_SHORT: FindingWords(
            Severity.WARNING,
            "Its description {detail} says less than its name.",
            "Write a sentence that says what it does, and when to use it.",
        ),
        LintRule.DESCRIPTION_EMPTY_WORDS: FindingWords(
            Severity.WARNING,
            "Its description begins with {detail}, which tells nothing.",
            "Begin with what it does: 'Count the words of a text'.",
        ),
        LintRule.PARAMETER_UNDESCRIBED: FindingWords(
            Severity.WARNING,
            "The parameter {detail} has no description.",
            "Say what it means, in which unit and form: Param('…') or a line under Args.",
        ),
        LintRule.EXAMPLE_INVALID: FindingWords(
            Severity.ERROR,
            "The example does not fit the arguments: {detail}.",
            "Correct its input: a model copies what it sees.",
        ),
        LintRule.EXAMPLES_MANY: FindingWords(
            Severity.WARNING,
            "It has {detail} examples, and each is sent with every request.",
            "Keep two or three: the usual call and one at the edge.",
        ),
        LintRule.EXAMPLES_FEW: FindingWords(
            Severity.HINT,
            "It takes several arguments and has {detail}.",
            "Give two: the usual call and one at the edge. A tool whose arguments explain themselves needs none.",
        ),
        LintRule.EXAMPLE_UNREALISTIC: FindingWords(
            Severity.WARNING,
            "The example has {detail}, which nobody would send.",
            "Use a value as it occurs at work: a model imitates it.",
        ),
        LintRule.NEGATIVE_WITHOUT_REASON: FindingWords(
            Severity.WARNING,
            "The example shows what not to do, but not why.",
            "Name the rule that it breaks in why_bad.",
        ),
        LintRule.NEGATIVE_OBVIOUS: FindingWords(
            Severity.WARNING,
            "The example warns of something obvious: {detail}.",
            "Leave it out; keep such examples for calls that fit the schema and still go wrong.",
        ),
        LintRule.REASON_WITHOUT_NEGATIVE: FindingWords(
            Severity.WARNING,
            "The example has a reason why it is bad, but is shown as a good one.",
            "Set negative=True, or remove why_bad.",
        ),
        LintRule.NAME_TOO_LONG: FindingWords(
            Severity.WARNING,
            "Its name is too long for model providers; a model is shown {detail}.",
            "Shorten the name of the tool, or of the server before it.",
        ),
        LintRule.NAME_COLLISION: FindingWords(
            Severity.WARNING,
            "Its name differs from {detail} in case and separators only.",
            "Rename one of the two: a model takes them for each other.",
        ),
    }
)


class Finding(NamedTuple):
    """One thing that is wrong with how a tool is described.

    Attributes:
        tool: The tool's name.
        where: The place in the tool's definition as a JSON pointer, such as `/examples/0/input`.
        detail: What came, in a few words; empty where the rule says it all.
    """

    rule: LintRule
    tool: str
    where: str
    detail: str = ""

    @property
    def severity(self) -> Severity:
        return FINDING_WORDS[self.rule].severity

    @property
    def message(self) -> str:
        """What is wrong, as a sentence."""
        return FINDING_WORDS[self.rule].message.format(detail=self.detail)

    @property
    def fix(self) -> str:
        return FINDING_WORDS[self.rule].fix
