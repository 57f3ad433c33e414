"""What is wrong with how a tool is described, in the language of the window."""

from __future__ import annotations

from typing import NamedTuple

from console.language import translated
from tools.lint import FINDING_WORDS, Finding


class LintWords(NamedTuple):
    """What is said of a finding.

    Attributes:
        message: What is wrong.
        fix: What to do about it.
    """

    message: str
    fix: str


def lint_words(finding: Finding) -> LintWords:
    """Return what is said of a finding."""
    words = FINDING_WORDS[finding.rule]
    return LintWords(translated(words.message).format(detail=translated(finding.detail)), translated(words.fix))
