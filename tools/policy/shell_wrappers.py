"""Programs that run another one: what they run is what counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, Protocol

from tools.policy import shell_programs
from tools.policy.findings import Finding
from tools.policy.shell_commands import BUILD, READ, UNKNOWN, destroys, judge_command, unclear
from tools.policy.shell_options import Form, fit, forms_of
from tools.policy.shell_variables import is_harmless
from tools.policy.shell_words import ANYTHING, Known, Word

Words = Sequence[Word]


class Reader(Protocol):
    """Reads what a program runs, and says what it finds."""

    def command(self, words: Words) -> Iterator[Finding]:
        """Read a command."""

    def line(self, text: str, *, bash: bool) -> Iterator[Finding]:
        """Read a line of shell."""


def seen_through(name: str, words: Words, shown: str, reader: Reader) -> Iterator[Finding] | None:
    """Return what a program that runs another one comes to; None when this is no such program."""
    if name in _OWN_WAYS:
        return _OWN_WAYS[name](name, words, shown, reader)
    if words and f"{name} {words[0].text}" in _WRAPPERS:
        name, words = f"{name} {words[0].text}", words[1:]
    return _wrapped(name, words, shown, reader) if name in _WRAPPERS else None


def _lost(words: Words, shown: str) -> Iterator[Finding]:
    """Yield that a command is unknown, and what is bad enough in it all the same."""
    yield unclear(shown, "What it runs is known only when it runs")
    for at, word in enumerate(words):
        name = word.text.rpartition("/")[2]
        if word.known is Known.WHOLE and (name in _ALONE_BAD or destroys(name, words[at + 1 :])):
            yield from judge_command(name, words[at + 1 :], shown)
            return


def _wrapped(name: str, words: Words, shown: str, reader: Reader) -> Iterator[Finding]:
    form = _WRAPPERS[name]
    fitted = fit(form, words, wraps=True)
    own = len(form.operands)
    if fitted is None or any(word.known is not Known.WHOLE for word in words[fitted.end : fitted.end + own]):
        yield from _lost(words, shown)
        return
    inner = list(words[fitted.end + own :])
    if name == "command" and not inner:
        return
    if not inner:
        yield Finding(READ, f"It runs nothing: {shown}")
        return
    yield from reader.command(inner)


def _command(name: str, words: Words, shown: str, reader: Reader) -> Iterator[Finding]:
    if words and words[0] in {Word("-v"), Word("-V")}:
        yield Finding(READ, f"command only looks for a program: {shown}")
    else:
        yield from _wrapped(name, words, shown, reader)


def _xargs(name: str, words: Words, shown: str, reader: Reader) -> Iterator[Finding]:
    fitted = fit(_WRAPPERS[name], words, wraps=True)
    if fitted is None:
        yield from _lost(words, shown)
        return
    inner = list(words[fitted.end :]) or [Word("echo")]
    marks = [word.text for kind, word in fitted.values if kind == "mark"]
    if marks:
        inner = [ANYTHING if any(mark in word.text for mark in marks) else word for word in inner]
    else:
        inner.append(ANYTHING)
    yield from reader.command(inner)


def _env(name: str, words: Words, shown: str, reader: Reader) -> Iterator[Finding]:
    rest = list(words[1:] if words[:1] == [Word("-")] else words)
    fitted = fit(_WRAPPERS[name], rest, wraps=True)
    if fitted is None:
        yield from _lost(words, shown)
        return
    at = fitted.end
    while at < len(rest) and (rest[at].known is not Known.WHOLE or "=" in rest[at].text):
        variable, equals, value = rest[at].text.partition("=")
        if not equals:
            yield from _lost(rest[at:], shown)
            return
        if rest[at].known is not Known.WHOLE or not is_harmless(variable, value):
            yield unclear(shown, f"It sets {variable}, which may change what programs do")
        at += 1
    if at < len(rest):
        yield from reader.command(rest[at:])
    else:
        yield Finding(READ, f"env only shows variables: {shown}")


def _shell(name: str, words: Words, shown: str, reader: Reader) -> Iterator[Finding]:
    at, given = 0, False
    while at < len(words) and words[at].text[:1] in {"-", "+"} and words[at].known is Known.WHOLE:
        text = words[at].text
        at += 1
        if text in _LONG_OF_SHELLS or text == "--":
            continue
        if text.startswith("--") or set(text[1:]) - set("abcefhilmnopuvxCEHT"):
            yield from _lost(words, shown)
            return
        given = given or "c" in text
        at += text.count("o")
    if not given:
        yield unclear(shown, "It runs a script, or what it reads, which is not read here")
    elif at >= len(words) or words[at].known is not Known.WHOLE:
        yield from _lost(words, shown)
    else:
        yield from reader.line(words[at].text, bash=name == "bash")


def _eval(_: str, words: Words, shown: str, reader: Reader) -> Iterator[Finding]:
    if any(word.known is not Known.WHOLE for word in words):
        yield from _lost(words, shown)
    else:
        yield from reader.line(" ".join(word.text for word in words), bash=False)


def _trap(_: str, words: Words, shown: str, reader: Reader) -> Iterator[Finding]:
    if words and words[0].known is Known.WHOLE and (not words[0].text.startswith("-") or words[0].text == "-"):
        yield from reader.line("" if words[0].text == "-" else words[0].text, bash=False)
    else:
        yield unclear(shown)


def _watch(name: str, words: Words, shown: str, reader: Reader) -> Iterator[Finding]:
    fitted = fit(_WRAPPERS[name], words, wraps=True)
    if fitted is None:
        yield from _lost(words, shown)
    else:
        yield from _eval(name, words[fitted.end :], shown, reader)


def _find(name: str, words: Words, shown: str, reader: Reader) -> Iterator[Finding]:
    own: list[Word] = []
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word.known is not Known.WHOLE or word.text not in {"-exec", "-execdir", "-ok", "-okdir"}:
            own.append(word)
            continue
        end = next((place for place in range(at, len(words)) if words[place].text in {";", "+"}), len(words))
        # What is found begins with a start path, which is no option.
        found = Word("./", Known.BEGINNING)
        yield from reader.command(
            [found if item == Word("{}") else ANYTHING if "{}" in item.text else item for item in words[at:end]]
        )
        at = end + 1
    yield from judge_command(name, own, shown)


def _fd(name: str, words: Words, shown: str, reader: Reader) -> Iterator[Finding]:
    runs = next((at for at, word in enumerate(words) if word.text in _RUN_BY_FD), None)
    if runs is None:
        yield from judge_command(name, words, shown)
    else:
        yield from _lost(words, shown)
        yield from reader.command([*words[runs + 1 :], ANYTHING])


def _python(_: str, words: Words, shown: str, reader: Reader) -> Iterator[Finding]:
    if len(words) == 1 and words[0] in _TOLD_BY_PYTHON:
        yield Finding(READ, f"python only tells about itself: {shown}")
        return
    rest = list(words)
    while rest and rest[0] in _HARMLESS_FOR_PYTHON:
        rest = rest[1:]
    if len(rest) < len("-m") or rest[0] != Word("-m") or rest[1].known is not Known.WHOLE:
        yield unclear(shown, "python runs code that is not read here")
        return
    # The folder it runs in is searched first, so whatever is run may be the project's own code.
    yield Finding(BUILD, f"python builds or tests: {shown}")
    if rest[1].text in _MODULES:
        yield from reader.command(rest[1:])
    elif rest[1].text not in _BUILT_IN_MODULES or any(word.may_be_option for word in rest[2:]):
        yield unclear(shown, "python runs code that is not read here")


_OWN_WAYS: Final[Mapping[str, Callable[[str, Words, str, Reader], Iterator[Finding]]]] = {
    **dict.fromkeys(["sh", "bash", "dash", "ash", "rbash"], _shell),
    **dict.fromkeys(["python", "python3"], _python),
    **dict.fromkeys(["fd", "fdfind"], _fd),
    "command": _command,
    "env": _env,
    "eval": _eval,
    "find": _find,
    "trap": _trap,
    "watch": _watch,
    "xargs": _xargs,
}
_WRAPPERS: Final[Mapping[str, Form]] = dict(forms_of(shell_programs.WRAPPERS, UNKNOWN))
_ALONE_BAD: Final = frozenset(shell_programs.ESCALATES.replace(",", " ").split())
_LONG_OF_SHELLS: Final = frozenset({"--norc", "--noprofile", "--posix", "--login"})
_RUN_BY_FD: Final = frozenset({"-x", "-X", "--exec", "--exec-batch"})
_TOLD_BY_PYTHON: Final = frozenset(map(Word, ["-V", "-VV", "--version", "--help"]))
_HARMLESS_FOR_PYTHON: Final = frozenset(map(Word, ["-u", "-B", "-I", "-s", "-E"]))
_MODULES: Final = frozenset(
    {"pytest", "mypy", "ruff", "black", "isort", "flake8", "pylint", "pip", "tox", "nox", "coverage"}
)
_BUILT_IN_MODULES: Final = frozenset(["unittest", "build", "compileall", "doctest"])
