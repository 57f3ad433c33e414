"""Tell whether the words behind a program are all known to be harmless."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from tools.policy.shell_syntax import Word
from tools.spec import RiskClass

_PATHS: Final = frozenset({"any", "read", "write"})
_OWN: Final = r"(?!.*proxy$|prompt$|\w*path$)[a-z][a-z0-9_]*|_"
"""Names of a script's own variables; what programs listen to has capitals, but for proxies and the paths of zsh."""

_HARMLESS: Final = re.compile(
    rf"{_OWN}|LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM|COLUMNS|LINES|NO_COLOR|FORCE_COLOR|COLORTERM|CI|DEBUG|VERBOSE|NODE_ENV"
    r"|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|PYTHONHASHSEED|PYTHONUTF8|RUST_BACKTRACE|RUST_LOG|QT_QPA_PLATFORM"
)
_PLAIN: Final = re.compile(r"[^$`\\/{}();|&<>\n]*")
"""A value in which no program that expands it, as make does, finds an order or a path."""

_ADDRESS: Final = r"(?:\d+|\$|/[^]/\\[\n]*/)"
_KINDS: Final[Mapping[str, re.Pattern[str]]] = {
    name: re.compile(pattern, re.DOTALL)
    for name, pattern in {
        "goal": "all|build|tests?|check|lint|typecheck|compile|docs|bench|coverage|help",
        "number": r"[-+]?\d+(\.\d+)?[a-zA-Z]*|auto",
        "own": _OWN,
        "stamp": r"\+.*",
        "mode": r"0?[0-7]{3}|[ugoa]*[-+=][rwxX]*(,[ugoa]*[-+=][rwxX]*)*",
        # None of sed's commands that write, read or run something; of awk's, only what prints columns.
        "sed": rf"(?:(?:^|; *)(?:(?:{_ADDRESS}(?:,{_ADDRESS})?)?[pdq=]"
        r"|s([/|#,@])(?:(?!\1)[^]\\[\n])*\1(?:(?!\1)[^]\\[\n])*\1[gIip0-9]*))*",
        "awk": r"(NR *[=<>]=? *\d+)? *(\{ *print( [$\w, ]*)?\})?",
        # No signature, which another program looks at, and none of the repository's settings.
        "format": r"(?!.*%[-+ ]?G|.*signature).*%.*|oneline|short|full|-?(refname|(author|committer|creator)date)",
        "inside": r"-|(?![-/~@]|(?:.*/)?\.\.(?:/|$)|(?:.*/)?\.git(?:/|$))[^:\n]+(?:::[^\n]*)?",
        "script": r"test|build|lint|check|typecheck|type-check|types|compile|docs|coverage",
        "ref": r"(?!.*::)[^-+:~].*",
        "package": r"(?![-/~]|(?:.*/)?\.\.(?:/|$)|.*://|.*::).+",
    }.items()
}


def sets_harmlessly(name: str, value: str | None = None, *, exported: bool = True) -> bool:
    """Return whether setting a variable changes nothing that known programs do.

    A value of None is known only when the command runs. What is not exported is a script's own.
    """
    if name in {"PAGER", "GIT_PAGER", "MANPAGER"}:
        return value in {"", "cat"}
    if value is None or not _PLAIN.fullmatch(value.replace("/", "") if name == "TZ" else value):
        return not exported and re.fullmatch(_OWN, name) is not None
    return _HARMLESS.fullmatch(name) is not None


class CommandForm(NamedTuple):
    """One way to call a program.

    Attributes:
        risk: What the program does then; unknown when it runs another one, whose words follow its own.
        options: Kinds of the values of its options, by option; empty for a flag, `?kind` when it may only be joined.
        operands: Kinds of its operands, in order.
    """

    risk: RiskClass
    options: Mapping[str, str]
    operands: tuple[str, ...]

    @property
    def whole(self) -> bool:
        """Whether a single dash begins a whole word."""
        return "WORDS" in self.options


class Fitted(NamedTuple):
    """Words that a form knows.

    Attributes:
        values: The values of options and the operands, each with its kind; what is `write` is changed with all below.
        end: Where the words of another program begin.
    """

    risk: RiskClass
    values: tuple[tuple[str, Word], ...]
    options: frozenset[str]
    end: int

    def written(self) -> list[Word]:
        """Return what is written, moved or deleted."""
        return [word for kind, word in self.values if kind == "write"]


def fit(form: CommandForm, words: Sequence[Word]) -> Fitted | None:
    """Return what a form knows of the words behind a program; None when it does not know all of them."""
    values: list[tuple[str, Word]] = []
    operands: list[Word] = []
    seen: set[str] = set()
    at, ended = 0, "*" in form.options
    # Where operands have places, an option behind one of them would be an operand for a program that stops there.
    moves = form.whole or (len(form.operands) <= 1 and all(kind.endswith("*") for kind in form.operands))
    while at < len(words):
        word = words[at]
        named = form.whole and word.is_known and word.text in form.options
        if word == Word("--") and not ended and not form.whole:
            ended, at = True, at + 1
        # A word of which nothing is known is left to the kind of operand that takes even that.
        elif ended or not (named or (word.text.startswith("-") and word.text != "-")):
            if form.risk is RiskClass.UNKNOWN and len(operands) == len(form.operands):
                break
            operands.append(word)
            at += 1
        elif (moves or not operands) and (taken := _option(form, word, words[at + 1 : at + 2])):
            named_options, value, many = taken
            seen.update(named_options)
            values += value
            at += many
        else:
            return None
    starred = [kind for kind in form.operands if kind.endswith("*")]
    many = len(operands) - len(form.operands) + len(starred)
    if many < 0 or (many and not starred):
        return None
    kinds = [one for kind in form.operands for one in ([kind[:-1]] * many if kind in starred else [kind])]
    given = list(zip(kinds, operands, strict=True))
    # An operand behind `--` that looks like an option may be one for another program.
    plain = all(kind in _PATHS or not word.text.startswith("-") or word.text == "-" for kind, word in given)
    known = plain and all(_accepts(kind, word) for kind, word in values + given)
    return Fitted(form.risk, (*values, *given), frozenset(seen), at) if known else None


def _option(
    form: CommandForm, word: Word, following: Sequence[Word]
) -> tuple[list[str], list[tuple[str, Word]], int] | None:
    """Return the options at the beginning of words, the value of the last one, and how many words they are."""
    text = word.text
    if word.is_known and text[1:].isdigit() and "-#" in form.options:
        return ["-#"], [], 1
    long = text.startswith("--") or form.whole
    name, equals, value = text.partition("=") if long else ("", "", "")
    seen = [name] if long else [f"-{letter}" for letter in text[1:]]
    for place, one in enumerate(seen, 1):
        kind = form.options.get(one)
        joined = equals if long else text[place + 1 :]
        if kind is None or (long and equals and not kind):
            return None
        if kind and joined:
            return seen[:place], [(kind.lstrip("?"), Word(value if long else joined, word.is_known))], 1
        if kind and not kind.startswith("?"):
            # An option in the place of a value is one for some programs, and the value for others.
            missing = not following or (not form.whole and re.match(r"-(?!\d|$)", following[0].text))
            return None if missing or not word.is_known else (seen[:place], [(kind, following[0])], 2)
    return (seen, [], 1) if word.is_known else None


def _accepts(kind: str, word: Word) -> bool:
    if kind not in _KINDS:
        return kind == "any" or word.is_known or word.text != ""
    return word.is_known and _KINDS[kind].fullmatch(word.text) is not None
