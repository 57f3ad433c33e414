"""Tell whether the words behind a program are all known to be harmless."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from tools.policy.shell_syntax import Known, Word
from tools.spec import RiskClass

_UNSPECIFIC: Final = frozenset({"any", "text", "read", "write"})
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
_SUBSTITUTE: Final = "|".join(
    rf"s{mark}(?:[^]{mark}\\[\n]*{mark}){{2}}[gIip0-9]*" for mark in ("/", r"\|", "#", ",", "@")
)
_FUNCTIONS: Final = "if|for|print|printf|length|substr|index|split|sub|gsub|match|sprintf|tolower|toupper|int|in|return"
_KINDS: Final[Mapping[str, re.Pattern[str]]] = {
    name: re.compile(pattern, re.DOTALL)
    for name, pattern in {
        "number": r"[-+]?\d+(\.\d+)?[a-zA-Z]*|auto",
        "own": _OWN,
        "stamp": r"\+.*",
        "suffix": r"[\w.~-]+",
        "mode": r"0?[0-7]{3}|[ugoa]*[-+=][rwxX]*(,[ugoa]*[-+=][rwxX]*)*",
        # What prints, leaves out and replaces text: none of sed's commands that write, read or run something.
        "sed": rf"(?:\s*+(?:{_ADDRESS}(?:,(?:{_ADDRESS}|\+\d+))?!?)?\s*+(?:[pdqQ=]|{_SUBSTITUTE})?[ \t]*+(?:;|\n|$))*",
        # No redirection, pipe, extension or order in any place, not even in a text; and functions that only calculate.
        "awk": rf"(?!.*(?:[>@`]|\\\n|(?<!\|)\|(?!\|)|\|\|\||system|getline|close|fflush))"
        rf"(?:[^a-zA-Z_]++|(?:{_FUNCTIONS})\b(?:\s*+\()?|(?!\w+\s*\()[a-zA-Z_]\w*+)*+",
        # What names a format, not one of the repository's settings, and has no signature looked at by another program.
        "format": r"(?!.*%[-+ ]?G|.*signature)(?:.*%.*|t?format:.*|oneline|short|medium|full|fuller|reference|email|raw"
        r"|-?(?:refname|(?:author|committer|creator|tagger)date))",
        "inside": r"-|(?![-/~@]|(?:.*/)?\.\.(?:/|$)|(?:.*/)?\.git(?:/|$))[^:\n]+(?:::[^\n]*)?",
        "script": r"test|build|lint|check|typecheck|type-check|types|compile|docs|coverage",
        "ref": r"(?!.*::)[^-+:~].*",
        "package": r"(?![-/~]|(?:.*/)?\.\.(?:/|$)|.*://|.*::).+",
    }.items()
}
_GOALS: Final = re.compile(
    r"all|build|tests?|check|lint|typecheck|compile|docs|bench|coverage|help|\d+|([A-Za-z_]\w*)=([\w.,/-]*)"
)


def sets_harmlessly(name: str, value: str | None = None, *, exported: bool = True) -> bool:
    """Return whether a variable can be set without changing what a known program does.

    Args:
        name: The variable.
        value: Its new value; None when it is known only when the command runs.
        exported: Whether programs get it; if not, it is a script's own.
    """
    if name in {"PAGER", "GIT_PAGER", "MANPAGER"}:
        return value in {"", "cat"}
    if value is None or not _PLAIN.fullmatch(value.replace("/", "") if name == "TZ" else value):
        return not exported and re.fullmatch(_OWN, name) is not None
    return _HARMLESS.fullmatch(name) is not None


class Form(NamedTuple):
    """One way to call a program.

    Attributes:
        risk: What the program does then.
        options: Kinds of the values of its options, by option; empty for a flag.
        joined: Options whose value may only be joined, or missing.
        operands: Kinds of its operands, in order.
        needed: Options of which one has to be there; empty for none.
        whole: Whether a single dash begins a whole word.
    """

    risk: RiskClass
    options: Mapping[str, str]
    joined: frozenset[str]
    operands: tuple[str, ...]
    needed: frozenset[str]
    whole: bool


class Fitted(NamedTuple):
    """Words that a form knows.

    Attributes:
        values: The values of options and the operands, each with its kind.
        options: The options that are there.
        end: Where the operands begin, when only what stands before them was read.
    """

    values: tuple[tuple[str, Word], ...]
    options: frozenset[str]
    end: int

    def of(self, kind: str) -> list[Word]:
        """Return the words of a kind; what is `write` is written, moved or deleted with all below it."""
        return [word for each, word in self.values if each == kind]


def fit(form: Form, words: Sequence[Word], *, wraps: bool = False) -> Fitted | None:
    """Return what a form knows of the words behind a program; None when it does not know all of them.

    Args:
        form: The form.
        words: The words.
        wraps: Whether what follows the options is left alone: the words of another command.
    """
    values: list[tuple[str, Word]] = []
    operands: list[Word] = []
    seen: set[str] = set()
    at, ended = 0, "*" in form.options
    # Where operands have places, an option behind one of them would be an operand for a program that stops there.
    moves = form.whole or (len(form.operands) <= 1 and all(kind.endswith("*") for kind in form.operands))
    while at < len(words):
        word = words[at]
        named = form.whole and word.known is Known.WHOLE and word.text in form.options
        if word == Word("--") and not ended and not form.whole:
            ended, at = True, at + 1
        # A word of which nothing is known is left to the kind of operand that takes even that.
        elif ended or not (named or (word.text.startswith("-") and word.text != "-")):
            if wraps:
                break
            operands.append(word)
            at += 1
        elif (moves or not operands) and (taken := _option(form, word, words[at + 1 : at + 2])):
            seen |= taken.options
            values += taken.values
            at += taken.end
        else:
            return None
    kinds = [] if wraps else _kinds_of(form.operands, len(operands))
    if kinds is None or (form.needed and form.needed.isdisjoint(seen)):
        return None
    given = list(zip(kinds, operands, strict=not wraps))
    # An operand behind `--` that looks like an option may be one for another program.
    plain = all(kind in _PATHS or not word.text.startswith("-") or word.text == "-" for kind, word in given)
    known = plain and all(_accepts(kind, word) for kind, word in values + given)
    return Fitted((*values, *given), frozenset(seen), at) if known else None


def _option(form: Form, word: Word, following: Sequence[Word]) -> Fitted | None:
    """Return what one word, or two, with options hold."""
    text, is_whole = word.text, word.known is Known.WHOLE
    if is_whole and text[1:].isdigit() and "-#" in form.options:
        return Fitted((), frozenset(["-#"]), 1)
    long = text.startswith("--") or form.whole
    name, equals, value = text.partition("=") if long else ("", "", "")
    seen = [name] if long else [f"-{letter}" for letter in text[1:]]
    for place, one in enumerate(seen, 2):
        kind = form.options.get(one)
        joined = equals if long else text[place:]
        if kind is None or (long and equals and not kind):
            return None
        found = frozenset(seen[: place - 1])
        if kind and joined:
            return Fitted(((kind, Word(value if long else joined, word.known)),), found, 1)
        if kind and one not in form.joined:
            # An option in the place of a value is one for some programs, and the value for others.
            missing = not following or (not form.whole and re.match(r"-(?!\d|$)", following[0].text))
            return None if missing or not is_whole else Fitted(((kind, following[0]),), found, 2)
    return Fitted((), frozenset(seen), 1) if is_whole else None


def _kinds_of(kinds: Sequence[str], count: int) -> list[str] | None:
    """Return the kind of each operand; None when there are too few or too many of them."""
    star = next((place for place, kind in enumerate(kinds) if kind.endswith("*")), None)
    if star is None:
        needed = sum(not kind.endswith("?") for kind in kinds)
        return [kind.rstrip("?") for kind in kinds[:count]] if needed <= count <= len(kinds) else None
    many = count - len(kinds) + 1
    return None if many < 0 else [*kinds[:star], *[kinds[star].rstrip("*")] * many, *kinds[star + 1 :]]


def _accepts(kind: str, word: Word) -> bool:
    if word.known is not Known.WHOLE and not word.text:
        return kind == "any"
    if kind == "goal" and word.known is Known.WHOLE:
        goal = _GOALS.fullmatch(word.text)
        return goal is not None and (goal[1] is None or sets_harmlessly(goal[1], goal[2]))
    return kind in _UNSPECIFIC or (word.known is Known.WHOLE and _KINDS[kind].fullmatch(word.text) is not None)
