"""How the words behind a program's name change what it does."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Final, NamedTuple

from tools.policy.findings import worse
from tools.policy.shell_words import Known, Word
from tools.spec import RiskClass

READ: Final = RiskClass.READ_ONLY
BUILD: Final = RiskClass.BUILD_TEST
WRITE: Final = RiskClass.WRITE
NET: Final = RiskClass.NETWORK
UNKNOWN: Final = RiskClass.UNKNOWN
DESTROY: Final = RiskClass.DESTRUCTIVE
ESCALATE: Final = RiskClass.ESCALATION


class Places(Enum):
    """Which words of a program name what it writes: none, every operand, the last one, or some that options choose."""

    NONE = "none"
    ALL = "all"
    LAST = "last"
    SOME = "some"


class Program(NamedTuple):
    """What is known of a program, or of one of its commands.

    Attributes:
        risk: What it does as such.
        raised: Options that make it worse: `-x` in a cluster too, `--long` abbreviated too, `-word` only whole.
        lowered: Options that make it this instead, when they stand alone and whole.
        commands: What its first operand chooses; None when it chooses nothing, `*` is any other.
        before: Options that may stand before that operand, with how many words they take.
        most_operands: More operands than these make it a write; None for any number.
        places: Which of its operands are files that it writes.
        refused: Operands of its commands with which it is unknown; None for none.
    """

    risk: RiskClass
    raised: Mapping[str, RiskClass] = {}
    lowered: Mapping[str, RiskClass] = {}
    commands: Mapping[str, Program] | None = None
    before: Mapping[str, int] = {}
    most_operands: int | None = None
    places: Places = Places.NONE
    refused: re.Pattern[str] | None = None


def judge_options(program: Program, words: list[Word]) -> RiskClass:
    """Return what a program does with these words, at worst."""
    if program.commands is not None:
        at = _skipped(program, words)
        if at is None:
            return UNKNOWN
        if at < len(words):
            return _chosen(program, program.commands, words[at], words[at + 1 :])
    risk = program.risk
    for word in words:
        if word.known is Known.WHOLE and word.text in program.lowered:
            risk = program.lowered[word.text]
    operands = 0
    for place, word in enumerate(words):
        if word == Word("--"):
            operands += len(words) - place - 1
            break
        if word.may_be_option and program.raised:
            risk = worse(risk, _raised(program.raised, word))
        operands += not word.may_be_option or word.known is Known.NOTHING
    if program.most_operands is not None and operands > program.most_operands:
        risk = worse(risk, WRITE)
    return risk


def _skipped(program: Program, words: Sequence[Word]) -> int | None:
    """Return where the operand stands that chooses a command; None when what stands before it is not known."""
    at = 0
    while at < len(words) and words[at].may_be_option:
        word = words[at]
        if word.known is not Known.WHOLE:
            return None
        if word.text in program.lowered:
            at += 1
        elif word.text in program.before:
            at += 1 + program.before[word.text]
        else:
            return None
    return at


def _chosen(program: Program, commands: Mapping[str, Program], word: Word, rest: list[Word]) -> RiskClass:
    if word.known is not Known.WHOLE:
        return UNKNOWN
    chosen = commands.get(word.text) or commands.get("*")
    if program.refused is not None and any(program.refused.fullmatch(item.text) for item in rest):
        return UNKNOWN
    return UNKNOWN if chosen is None else judge_options(chosen, rest)


def _raised(options: Mapping[str, RiskClass], word: Word) -> RiskClass:
    """Return what an option makes of a program, at worst."""
    if word.known is Known.NOTHING:
        return UNKNOWN
    risk = READ
    name = word.text.partition("=")[0]
    whole = word.known is Known.WHOLE or "=" in word.text
    for option, worse_risk in options.items():
        if option.startswith("--"):
            fits = name.startswith("--") and (option.startswith(name) or (not whole and name.startswith(option)))
        elif len(option) == 2:  # noqa: PLR2004 -- a dash and a letter
            fits = not name.startswith("--") and option[1] in word.text[1:]
        else:
            fits = name == option or name.startswith(option + "=")
        if fits:
            risk = worse(risk, worse_risk)
    return worse(risk, UNKNOWN) if not whole and not name.startswith("--") else risk
