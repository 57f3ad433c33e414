"""Tell the risk of one command: a program with its words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from tools.policy import shell_programs
from tools.policy.findings import Finding, worst
from tools.policy.shell_options import WRITTEN, Fitted, Form, fit, forms_of
from tools.policy.shell_places import judge_place
from tools.policy.shell_words import Known, Word
from tools.spec import RiskClass

READ: Final = RiskClass.READ_ONLY
BUILD: Final = RiskClass.BUILD_TEST
WRITE: Final = RiskClass.WRITE
NET: Final = RiskClass.NETWORK
UNKNOWN: Final = RiskClass.UNKNOWN
DESTROY: Final = RiskClass.DESTRUCTIVE
ESCALATE: Final = RiskClass.ESCALATION


def unclear(shown: str, what: str = "What it runs is known only when it runs") -> Finding:
    """Return that nobody can tell what a command does.

    Args:
        shown: The whole command, for the reason.
        what: Why it is unknown.
    """
    return Finding(UNKNOWN, f"{what}: {shown}")


def judge_command(name: str, words: Sequence[Word], shown: str) -> Iterator[Finding]:
    """Yield what a program does with these words.

    Args:
        name: The program, without a folder.
        words: What follows it.
        shown: The whole command, for the reason.
    """
    if name in _ESCALATES:
        yield Finding(ESCALATE, f"{name} takes another user's rights: {shown}")
        return
    if len(words) == 1 and words[0] in _SAYS_ONLY and name in _TELLING:
        yield Finding(READ, f"{name} only tells about itself: {shown}")
        return
    key, rest = _chosen(name, _dashed(words) if name in _TARS else words)
    for form in _FORMS.get(key, ()):
        fitted = fit(form, rest)
        if fitted is not None:
            yield _known(name, form, fitted, shown)
            return
    risk = DESTROY if destroys(name, words) else UNKNOWN
    what = (
        f"{name} {_WORDS[risk]}" if risk is DESTROY or name in KNOWN_NAMES else f"{name!r} is no program that is known"
    )
    yield Finding(risk, f"{what}: {shown}")
    if name == "chmod" and any(_sets_id(word.text) for word in words[:_MODE_WITHIN]):
        yield Finding(ESCALATE, f"chmod lets a program run with another user's rights: {shown}")
    if any(form.risk in {WRITE, DESTROY} for form in _FORMS.get(key, ())):
        # How it is called is not known, but where its words point is bad enough.
        for word in rest:
            found = judge_place(path_in(word), shown)
            if found.risk in {DESTROY, ESCALATE} and word.known is Known.WHOLE:
                yield found


def _dashed(words: Sequence[Word]) -> Sequence[Word]:
    """Return the words of tar, whose first ones need no dash."""
    bare = words and words[0].known is Known.WHOLE and _BARE_OPTIONS.fullmatch(words[0].text)
    return [Word(f"-{words[0].text}"), *words[1:]] if bare else words


def _known(name: str, form: Form, fitted: Fitted, shown: str) -> Finding:
    itself = Finding(form.risk, f"{name} {_WORDS[form.risk]}: {shown}")
    return worst([itself, *(judge_place(word, shown) for kind, word in fitted.values if kind in WRITTEN)], itself)


def destroys(name: str, words: Sequence[Word]) -> bool:
    """Return whether a program deletes or overwrites, as far as its name and options tell in any spelling."""
    if name.startswith("mkfs."):
        return True
    plain = [place for place, word in enumerate(words) if not word.text.startswith("-")]
    # The first word behind options may be the value of one of them.
    places = plain[:1] if plain[:1] == [0] else plain[:2]
    keys = [name, *(" ".join([name, *_texts(words[at : at + many])]) for at in places for many in (1, 2))]
    return any(
        not _DESTROYS[key] or any(_spells(word, option) for word in words for option in _DESTROYS[key])
        for key in keys
        if key in _DESTROYS
    )


def named_by(name: str, words: Sequence[Word]) -> tuple[frozenset[str], tuple[str, ...]] | None:
    """Return the options of a program and the paths that it writes, moves or deletes; None when a word is not known."""
    for form in _FORMS.get(name, ()):
        fitted = fit(form, words)
        if fitted is not None:
            return fitted.options, tuple(word.text for kind, word in fitted.values if kind in WRITTEN)
    return None


def path_in(word: Word) -> Word:
    """Return the path in a word, which may stand behind an option."""
    if not word.text.startswith("-"):
        return word
    return Word(word.text.partition("=")[2] if word.text.startswith("--") else word.text[2:], word.known)


def _spells(word: Word, option: str) -> bool:
    """Return whether a word may be an option: abbreviated, joined with others or with a value."""
    text = word.text
    if not option.startswith("-"):
        return text.startswith(option)
    if option.startswith("--"):
        name = text.partition("=")[0]
        return name.startswith("--") and len(name) > len("--") and (option.startswith(name) or name.startswith(option))
    if len(option) > len("-x"):
        return text == option
    return text.startswith("-") and not text.startswith("--") and option[1] in text


def _sets_id(mode: str) -> bool:
    octal = mode.lstrip("0")
    if octal.isdigit():
        return len(octal) == len("4755") and octal[0] in "234567"
    return not mode.startswith("-") and "s" in mode and bool({"+", "="} & set(mode)) and set(mode) <= _MODE_LETTERS


def _chosen(name: str, words: Sequence[Word]) -> tuple[str, Sequence[Word]]:
    """Return the entry that holds for a program or its command, and the words behind it."""
    if name not in _WITH_COMMANDS:
        return name, words
    opening = _FORMS[name][0] if name in _FORMS else _BARE
    fitted = fit(opening, words, wraps=True)
    if fitted is not None:
        for many in (2, 1):
            key = " ".join([name, *_texts(words[fitted.end : fitted.end + many])])
            if key in _FORMS or key in _DESTROYS:
                return key, words[fitted.end + many :]
    return name, words


def _texts(words: Sequence[Word]) -> list[str]:
    return [word.text if word.known is Known.WHOLE else "" for word in words]


def _names_in(table: str) -> list[str]:
    return table.strip().replace("\n", ", ").split(", ")


def _gathered() -> dict[str, list[Form]]:
    found: dict[str, list[Form]] = {}
    for table, risk in (
        (shell_programs.READS, READ),
        (shell_programs.BUILDS, BUILD),
        (shell_programs.WRITES, WRITE),
        (shell_programs.REACHES, NET),
        (shell_programs.DELETES, DESTROY),
    ):
        for name, form in forms_of(table, risk):
            found.setdefault(name, []).append(form)
    return found


_FORMS: Final[Mapping[str, Sequence[Form]]] = _gathered()
_DESTROYS: Final[Mapping[str, tuple[str, ...]]] = {
    name: tuple(line.partition(" | ")[2].split())
    for line in shell_programs.DESTROYS.strip().split("\n")
    for name in line.partition(" | ")[0].split(", ")
}
_ESCALATES: Final = frozenset(_names_in(shell_programs.ESCALATES))
_BARE: Final = Form(READ, {}, frozenset(), ())
_WITH_COMMANDS: Final = frozenset(key.partition(" ")[0] for key in (*_FORMS, *_DESTROYS) if " " in key)
_ALWAYS: Final = frozenset(key for key, options in _DESTROYS.items() if not options)
_TELLING: Final = (
    frozenset(key.partition(" ")[0] for key in _FORMS) | frozenset(_names_in(shell_programs.RUNS_CODE))
) - _ALWAYS
_TARS: Final = frozenset({"tar", "bsdtar"})
_BARE_OPTIONS: Final = re.compile(r"[vzjJkp]*[ctx][vzjJkp]*f?")
KNOWN_NAMES: Final = _TELLING | _ALWAYS | _ESCALATES
"""Programs that are known to do something, harmless or not."""

_SAYS_ONLY: Final = frozenset({Word("--version"), Word("--help")})
_MODE_WITHIN: Final = 4
_MODE_LETTERS: Final = frozenset("ugoa+-=rwxXst,0123456789")
_WORDS: Final = {
    READ: "only reads",
    BUILD: "builds or tests",
    WRITE: "changes something",
    NET: "reaches beyond this computer",
    UNKNOWN: "is used in a way that is not known to be harmless",
    DESTROY: "deletes or overwrites",
}
