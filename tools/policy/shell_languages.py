"""Programs whose operands are a small language of their own, read as far as it is harmless."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from tools.policy.findings import Finding
from tools.policy.shell_options import BUILD, DESTROY, ESCALATE, READ, UNKNOWN, WRITE, Places
from tools.policy.shell_programs import written_places
from tools.policy.shell_variables import is_harmless
from tools.policy.shell_words import Known, Word

Words = Sequence[Word]

_ADDRESS: Final = r"(?:(?:\d+|\$|/(?:[^/\\\n]|\\.)*/)(?:,(?:\d+|\$|\+\d+|/(?:[^/\\\n]|\\.)*/))?!?)?"
_SUBSTITUTE: Final = "|".join(
    rf"s{mark}(?:[^{mark}\\\n]|\\.)*{mark}(?:[^{mark}\\\n]|\\.)*{mark}[gIip0-9]*"
    for mark in ("/", r"\|", "#", ",", "@")
)
_SED: Final = re.compile(rf"(?:\s*+{_ADDRESS}\s*+(?:[pdqQ=]|{_SUBSTITUTE})?[ \t]*+(?:;|\n|$))*")
"""What prints, leaves out and replaces text: none of sed's commands that write, read or run something."""

_AWK_ORDERS: Final = re.compile(r"[|>@]|system|getline|close|fflush|\\\n")
_SETS_ID: Final = re.compile(r"(.*,)?[ugoa]*([-+=][rwxXt]*)*[+=][rwxXt]*s.*|0*[2-7]\d{3}")
_LONGEST_MODE: Final = 60
_GOALS: Final = frozenset(
    ["all", "build", "test", "tests", "check", "lint", "typecheck", "compile", "docs", "bench", "coverage", "help"]
)


def language_of(name: str, words: Words, shown: str) -> Iterator[Finding] | None:
    """Return what such a program comes to; None when this is none."""
    reads = _LANGUAGES.get(name)
    return None if reads is None else reads(words, shown)


def _sed(words: Words, shown: str) -> Iterator[Finding]:
    scripts, operands, at, sandbox, in_place = [], [], 0, False, False
    unclear = Finding(UNKNOWN, f"sed may write or run what its script says: {shown}")
    while at < len(words):
        word = words[at]
        at += 1
        if word.known is not Known.WHOLE:
            if word.may_be_option:
                yield unclear
            operands.append(word)
        elif word.text in {"-e", "--expression"} and at < len(words):
            scripts.append(words[at])
            at += 1
        elif word.text.startswith("-i") or word.text.startswith("--in-place"):
            in_place = True
        elif word.text == "--sandbox":
            sandbox = True
        elif re.fullmatch(r"-[nErsuz]+|--quiet|--silent|--regexp-extended|--separate", word.text):
            continue
        elif word.text.startswith("-") and word.text != "-":
            yield unclear
        else:
            operands.append(word)
    if not scripts:
        scripts, operands = operands[:1], operands[1:]
    if in_place:
        yield Finding(WRITE, f"sed changes files in place: {shown}")
        yield from written_places(operands, shown)
    plain = all(word.known is Known.WHOLE and (sandbox or _SED.fullmatch(word.text)) for word in scripts)
    yield Finding(READ, f"sed only reads: {shown}") if plain else unclear


def _awk(words: Words, shown: str) -> Iterator[Finding]:
    at = 0
    unclear = Finding(UNKNOWN, f"awk may write or run what its program says: {shown}")
    while at < len(words) and words[at].may_be_option:
        text = words[at].text
        if words[at].known is not Known.WHOLE or not re.fullmatch(r"-[Fv].*|--", text):
            yield unclear
            return
        at += 2 if text in {"-F", "-v"} else 1
        if text == "--":
            break
    script = words[at] if at < len(words) else Word("", Known.NOTHING)
    plain = script.known is Known.WHOLE and not _AWK_ORDERS.search(script.text.replace("||", ""))
    # gawk takes options after the program as well.
    later = any(word.may_be_option for word in words[at + 1 :])
    yield Finding(READ, f"awk only reads: {shown}") if plain and not later else unclear


def _dd(words: Words, shown: str) -> Iterator[Finding]:
    if any(word.known is not Known.WHOLE for word in words):
        yield Finding(UNKNOWN, f"What dd writes is known only when it runs: {shown}")
    if any(word.text.startswith("of=") for word in words):
        yield Finding(DESTROY, f"dd overwrites its target: {shown}")
    yield Finding(READ, f"dd only reads: {shown}")


def _chmod(words: Words, shown: str) -> Iterator[Finding]:
    mode = next((word for word in words if not word.may_be_option), None)
    if mode is None or mode.known is not Known.WHOLE or any(word.text.startswith("--ref") for word in words):
        yield Finding(UNKNOWN, f"Which rights chmod gives is known only when it runs: {shown}")
    elif len(mode.text) > _LONGEST_MODE:
        yield Finding(UNKNOWN, f"Nobody writes rights at such length: {shown}")
    elif _SETS_ID.fullmatch(mode.text):
        yield Finding(ESCALATE, f"chmod lets a program run with another user's rights: {shown}")
    yield from written_places([word for word in words if not word.text.startswith("-")], shown)
    yield Finding(WRITE, f"chmod changes who may do what with files: {shown}")


def _tar(words: Words, shown: str) -> Iterator[Finding]:
    first = words[0].text.lstrip("-") if words and words[0].known is Known.WHOLE else ""
    asked = {"--list": "t", "--extract": "x", "--create": "c"}.get(words[0].text, first) if words else ""
    strange = re.compile(r"-[^-]*[IF].*|--(to-command|checkpoint-action|use-compress|rsh|rmt|info-script|new-volume).*")
    if any(word.known is Known.NOTHING or strange.fullmatch(word.text) for word in words) or set("IF") & set(first):
        yield Finding(UNKNOWN, f"tar may run another program: {shown}")
    if any(word.text.startswith(("--remove", "--overwrite", "--unlink", "--recursive-unlink")) for word in words):
        yield Finding(DESTROY, f"tar deletes or overwrites files: {shown}")
    listing = "t" in asked and not set("cxruA") & set(asked)
    outside = any(re.fullmatch(r"-P|--absolute-names|-C.*|--directory.*", word.text) for word in words)
    if listing:
        yield Finding(READ, f"tar only lists: {shown}")
    elif outside:
        yield Finding(UNKNOWN, f"tar writes somewhere else: {shown}")
    else:
        yield Finding(WRITE, f"tar writes files: {shown}")
        yield from written_places(words, shown, Places.SOME)


def _make(words: Words, shown: str) -> Iterator[Finding]:
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word.known is not Known.WHOLE:
            yield Finding(UNKNOWN, f"What make makes is known only when it runs: {shown}")
        elif word.text in {"-j", "-C", "-l", "--jobs", "--directory"}:
            at += at < len(words) and (word.text in {"-C", "--directory"} or words[at].text.isdigit())
        elif word.text.startswith("-"):
            if not re.fullmatch(
                r"-[knsBiqw]+|-j\d+|-C.+|--(keep-going|silent|dry-run|always-make|jobs=\d+)", word.text
            ):
                yield Finding(UNKNOWN, f"make is given an order that is not read here: {shown}")
        elif "=" in word.text:
            name, _, value = word.text.partition("=")
            if not is_harmless(name, value):
                yield Finding(UNKNOWN, f"make is given {name}, which may be a command: {shown}")
        elif word.text not in _GOALS:
            yield Finding(UNKNOWN, f"What the goal {word.text!r} does is not known: {shown}")
    yield Finding(BUILD, f"make builds or tests: {shown}")


def _read(words: Words, shown: str) -> Iterator[Finding]:
    for word in words:
        if word.known is not Known.WHOLE or not (word.text.startswith("-") or is_harmless(word.text)):
            yield Finding(UNKNOWN, f"It sets a variable that may change what programs do: {shown}")
    yield Finding(READ, f"read only reads: {shown}")


_LANGUAGES: Final[Mapping[str, Callable[[Words, str], Iterator[Finding]]]] = {
    "sed": _sed,
    "gsed": _sed,
    "awk": _awk,
    "gawk": _awk,
    "mawk": _awk,
    "nawk": _awk,
    "dd": _dd,
    "chmod": _chmod,
    "tar": _tar,
    "bsdtar": _tar,
    "make": _make,
    "gmake": _make,
    "read": _read,
}
