"""Read the tables of known programs, and tell whether the words behind a program are all known."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from tools.policy.shell_variables import is_harmless
from tools.policy.shell_words import Known, Word
from tools.spec import RiskClass

ANY: Final = "any"
"""Whatever may stand there, unknown words too: no option of such a program does harm."""

WRITTEN: Final = frozenset({"write", "new_archive"})
"""Kinds of words that name what is written, moved or deleted, with all below it."""

_UNSPECIFIC: Final = frozenset({ANY, "text", "read", "write", "mark"})
_PATHS: Final = frozenset({ANY, "read", "write"})
_BRACKETS: Final = r"\[\^?(?:[^]\\/|#,@\n]|\\[a-zA-Z.*$^-])*\]"
_ADDRESS: Final = rf"(?:\d+|\$|/(?:{_BRACKETS}|[^/\\[\n]|\\.)*/)"
_SUBSTITUTE: Final = "|".join(
    rf"s{mark}(?:{_BRACKETS}|[^{mark}\\[\n]|\\.)*{mark}(?:[^{mark}\\\n]|\\.)*{mark}[gIip0-9]*"
    for mark in ("/", r"\|", "#", ",", "@")
)
_FUNCTIONS: Final = (
    "if|while|for|print|printf|length|substr|index|split|sub|gsub|gensub|match|sprintf|tolower|toupper|int|sqrt|exp|log"
    "|sin|cos|rand|srand|strftime|systime|in|return|and|or"
)
_KINDS: Final[Mapping[str, re.Pattern[str]]] = {
    name: re.compile(pattern, re.DOTALL)
    for name, pattern in {
        "number": r"[-+]?\d+(\.\d+)?[a-zA-Z]*|auto",
        "own": r"(?!.*proxy$|prompt$|\w*path$)[a-z][a-z0-9_]*|_",
        "stamp": r"\+.*",
        "page": r"[\w.+][\w.+-]*",
        "source": r"(if|bs|ibs|cbs|count|skip|iseek|conv|iflag|status)=.*",
        "archive": r"-|[^-:][^:]*",
        "new_archive": r"[^-:][^:]*",
        "suffix": r"[\w.~-]+",
        "mode": r"0?[0-7]{3}|[ugoa]*[-+=][rwxX]*(,[ugoa]*[-+=][rwxX]*)*",
        # What prints, leaves out and replaces text: none of sed's commands that write, read or run something.
        "sed": rf"(?:\s*+(?:{_ADDRESS}(?:,(?:{_ADDRESS}|\+\d+))?!?)?\s*+(?:[pdqQ=]|{_SUBSTITUTE})?[ \t]*+(?:;|\n|$))*",
        # No redirection, pipe, extension or order in any place, not even in a text; and functions that only calculate.
        "awk": rf"(?!.*(?:[>@`]|\\\n|(?<!\|)\|(?!\|)|\|\|\||system|getline|close|fflush))"
        rf"(?:[^a-zA-Z_]++|(?:{_FUNCTIONS})\b(?:\s*+\()?|(?!\w+\s*\()[a-zA-Z_]\w*+)*+",
        # What names a format, not one of the repository's settings, and has no signature looked at by another program.
        "format": r"(?!.*%[-+ ]?G|.*signature)(?:.*%.*|t?format:.*|oneline|short|medium|full|fuller|reference|email|raw"
        r"|-?(?:(?:version|v):)?(?:refname|objectname|objectsize|(?:author|committer|creator|tagger)date))",
        "report": r"(?!.*%output)[^@].*",
        "inside": r"-|(?![-/~@]|(?:.*/)?\.\.(?:/|$)|(?:.*/)?\.git(?:/|$))[^:\n]+(?:::[^\n]*)?",
        "source_file": r"(?![-/~@]|(?:.*/)?\.\.(?:/|$))[^:\n]+\.\w+",
        "output": r"(?![-/]|(?:.*/)?\.git/)(?:[\w-]+/)*[\w-]+(?:\.(?:o|so|a|out|exe|test|class))?",
        "script": r"test|build|lint|check|typecheck|type-check|types|compile|docs|coverage",
        "standard": r"[a-z]+[+]*\d+",
        "phase": r"test|compile|package|verify|test-compile|validate|build|check|assemble|classes|tasks",
        "ref": r"(?!.*::)[^-+:~].*",
        "package": r"(?![-/~]|(?:.*/)?\.\.(?:/|$)|.*://|.*::).+",
    }.items()
}
_TOKEN: Final = re.compile(r"(:|[^:=?]+)([:=?])?(.*)")
_UNVALUED: Final = re.compile(r"-(?!\d|$)")
_GOALS: Final = re.compile(
    r"all|build|tests?|check|lint|typecheck|compile|docs|bench|coverage|help|\d+|([A-Za-z_]\w*)=([\w.,/-]*)"
)


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
    needed: frozenset[str] = frozenset()
    whole: bool = False


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


def forms_of(table: str, risk: RiskClass) -> Iterator[tuple[str, Form]]:
    """Yield the programs of a table with what is known of them; a line that begins with a blank goes on."""
    before: dict[str, Form] = {}
    for line in re.sub(r"\n +", " ", table).strip().split("\n"):
        names, options, operands, needed = [part.strip() for part in f"{line} | | | ".split(" |")[:4]]
        tokens = options.split()
        for name in names.split(", "):
            known, joined = _options(tokens)
            if "&" in tokens:
                known, joined = {**before[name].options, **known}, before[name].joined | joined
            form = Form(
                risk,
                known,
                joined,
                tuple(operands.split()),
                frozenset(needed.split()),
                "WORDS" in tokens,
            )
            before[name] = form
            yield name, form


def _options(tokens: Sequence[str]) -> tuple[dict[str, str], frozenset[str]]:
    known: dict[str, str] = {}
    joined: set[str] = set()
    whole = "WORDS" in tokens
    for token in tokens:
        if token in {"&", "WORDS"}:
            continue
        found = _TOKEN.fullmatch(token)
        if found is None:
            raise ValueError(f"expected an option in the table of programs, got {token!r}")
        name, sign, kind = found.groups("")
        is_cluster = not (sign or whole or name.startswith("--")) and name.startswith("-") and name != "-#"
        names = [f"-{letter}" for letter in name[1:]] if is_cluster else [name]
        for one in names:
            known[one] = (kind or "text") if sign else ""
            if sign == "?":
                joined.add(one)
    return known, frozenset(joined)


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
        if word == Word("--") and not ended and not form.whole:
            ended, at = True, at + 1
        elif ended or not _is_option(form, word):
            if wraps:
                break
            operands.append(word)
            at += 1
        else:
            taken = _option(form, word, words[at + 1 : at + 2]) if moves or not operands else None
            if taken is None:
                return None
            seen.update(taken.options)
            values += taken.values
            at += taken.end
    kinds = _kinds_of(form.operands, len(operands)) if not wraps else []
    if kinds is None or (form.needed and form.needed.isdisjoint(seen)):
        return None
    given = list(zip(kinds, operands, strict=True)) if not wraps else []
    if not all(_accepts(kind, word) for kind, word in values + given) or not all(map(_is_operand, given)):
        return None
    return Fitted((*values, *given), frozenset(seen), at)


def _is_option(form: Form, word: Word) -> bool:
    if form.whole and word.known is Known.WHOLE and word.text in form.options:
        return True
    # A word of which nothing is known is left to the kind of operand that takes even that.
    return word.text.startswith("-") and word.text != "-"


def _is_operand(given: tuple[str, Word]) -> bool:
    """Return whether an operand behind `--` that looks like an option is sure to be none for another program."""
    kind, word = given
    return kind in _PATHS or not word.text.startswith("-") or word.text == "-"


def _option(form: Form, word: Word, following: Sequence[Word]) -> Fitted | None:
    """Return what one word, or two, with options hold."""
    text, is_whole = word.text, word.known is Known.WHOLE
    if text.startswith("--") or form.whole:
        name, equals, value = text.partition("=")
        kind = form.options.get(name)
        if kind is None or not (is_whole or (kind and equals)):
            return None
        if equals:
            return Fitted(((kind, Word(value, word.known)),), frozenset([name]), 1) if kind else None
        return _valued(form, name, frozenset([name]), following)
    if is_whole and text[1:].isdigit() and "-#" in form.options:
        return Fitted((), frozenset(["-#"]), 1)
    seen: set[str] = set()
    for place, letter in enumerate(text[1:], 2):
        name = f"-{letter}"
        kind = form.options.get(name)
        if kind is None:
            return None
        seen.add(name)
        if kind and text[place:]:
            return Fitted(((kind, Word(text[place:], word.known)),), frozenset(seen), 1)
        if kind:
            return _valued(form, name, frozenset(seen), following) if is_whole else None
    return Fitted((), frozenset(seen), 1) if is_whole else None


def _valued(form: Form, name: str, seen: frozenset[str], following: Sequence[Word]) -> Fitted | None:
    kind = form.options[name]
    if not kind or name in form.joined:
        return Fitted((), seen, 1)
    # An option in the place of a value is one for some programs, and the value for others.
    if not following or (not form.whole and _UNVALUED.match(following[0].text)):
        return None
    return Fitted(((kind, following[0]),), seen, 2)


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
        return kind == ANY
    if kind in _UNSPECIFIC:
        return True
    if kind == "goal":
        goal = _GOALS.fullmatch(word.text) if word.known is Known.WHOLE else None
        return goal is not None and (goal[1] is None or is_harmless(goal[1], goal[2]))
    return word.known is Known.WHOLE and _KINDS[kind].fullmatch(word.text) is not None
