"""Programs that run another one: what they run is what counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, Protocol

from tools.policy.findings import Finding
from tools.policy.shell_options import BUILD, DESTROY, READ, UNKNOWN, WRITE
from tools.policy.shell_variables import is_harmless
from tools.policy.shell_words import ANYTHING, Known, Word

Words = Sequence[Word]


class Reader(Protocol):
    """Reads what a program runs, and says what it finds."""

    def command(self, words: Words) -> Iterator[Finding]:
        """Read a command."""

    def line(self, text: str, *, bash: bool) -> Iterator[Finding]:
        """Read a line of shell."""


class _Wrapper(NamedTuple):
    """How a program's own options end and the other command begins.

    Attributes:
        flags: Letters of options that stand alone.
        valued: Letters of options that take the next word or the rest of theirs.
        long_flags: Long options that stand alone, or take what follows `=`.
        long_valued: Long options that take the next word.
        operands: How many words of its own stand before the command.
        appended: Whether words that nobody knows are added to the command.
    """

    flags: str = ""
    valued: str = ""
    long_flags: frozenset[str] = frozenset()
    long_valued: frozenset[str] = frozenset()
    operands: int = 0
    appended: bool = False


def _names(names: str) -> frozenset[str]:
    return frozenset(names.split())


_WRAPPERS: Final[Mapping[str, _Wrapper]] = {
    "nohup": _Wrapper(),
    "setsid": _Wrapper("cfw", long_flags=_names("--ctty --fork --wait")),
    "nice": _Wrapper("0123456789", "n", _names("--adjustment"), _names("--adjustment")),
    "ionice": _Wrapper("t", "cn", _names("--ignore --class --classdata")),
    "time": _Wrapper("pv", "f"),
    "timeout": _Wrapper(
        "v", "ks", _names("--foreground --preserve-status --verbose --signal --kill-after"), operands=1
    ),
    "stdbuf": _Wrapper("", "ioe", _names("--input --output --error")),
    "chronic": _Wrapper("ve"),
    "caffeinate": _Wrapper("dimsu", "tw"),
    "exec": _Wrapper("cl", "a"),
    "command": _Wrapper("p"),
    "builtin": _Wrapper(),
    "busybox": _Wrapper(),
    "toybox": _Wrapper(),
    "env": _Wrapper("iv", "u", _names("--ignore-environment --debug --unset")),
    "xargs": _Wrapper(
        "0rtpxo",
        "nPLdEsaI",
        _names("--null --no-run-if-empty --verbose --interactive --exit --open-tty --max-args --max-procs --max-lines")
        | _names("--delimiter --eof --max-chars --arg-file"),
        _names("--max-args --max-procs --delimiter --max-chars --arg-file"),
        appended=True,
    ),
}
_SHELLS: Final = frozenset({"sh", "bash", "dash", "ash", "rbash"})
_PYTHON_MODULES: Final = _names(
    "pytest unittest mypy ruff black isort flake8 pylint pip tox nox build compileall doctest coverage pyright"
)
_BUILT_IN_MODULES: Final = {
    "unittest": Finding(BUILD, "python runs the tests"),
    "doctest": Finding(BUILD, "python runs the tests"),
    "build": Finding(BUILD, "python builds the package"),
    "compileall": Finding(WRITE, "python compiles files"),
}


def seen_through(name: str, words: Words, shown: str, reader: Reader) -> Iterable[Finding] | None:
    """Return what a program that runs another one comes to; None when this is no such program."""
    if name in _SHELLS:
        return _shell(name, words, shown, reader)
    if name in _OWN_WAYS:
        return _OWN_WAYS[name](words, shown, reader)
    if name == "env":
        return _env(words, shown, reader)
    wrapper = _WRAPPERS.get(name)
    if wrapper is None:
        return None
    if name == "command" and words and words[0] in {Word("-v"), Word("-V")}:
        return [Finding(READ, f"command only looks for a program: {shown}")]
    return _wrapped(wrapper, words, shown, reader)


def _unclear(shown: str, what: str = "What it runs is known only when it runs") -> Finding:
    return Finding(UNKNOWN, f"{what}: {shown}")


def _after_options(wrapper: _Wrapper, words: Words) -> int | None:
    """Return where a program's own options end; None when that is not known."""
    at = 0
    while at < len(words) and words[at].may_be_option:
        text = words[at].text
        if words[at].known is not Known.WHOLE:
            return None
        at += 1
        if text == "--":
            break
        if text.startswith("--"):
            name, equals, _ = text.partition("=")
            if name not in wrapper.long_flags | wrapper.long_valued:
                return None
            at += not equals and name in wrapper.long_valued
            continue
        for place, letter in enumerate(text[1:], 2):
            if letter in wrapper.valued:
                at += place == len(text)
                break
            if letter not in wrapper.flags:
                return None
    return at


def _wrapped(wrapper: _Wrapper, words: Words, shown: str, reader: Reader) -> Iterator[Finding]:
    at = _after_options(wrapper, words)
    if at is None or any(word.known is Known.NOTHING for word in words[at : at + wrapper.operands]):
        yield _unclear(shown)
        return
    inner = list(words[at + wrapper.operands :])
    if not inner:
        yield Finding(READ, f"It runs nothing: {shown}")
        return
    replaced = _replaced(words[:at]) if wrapper.appended else None
    if replaced is not None:
        inner = [ANYTHING if replaced in word.text else word for word in inner]
    elif wrapper.appended:
        inner.append(ANYTHING)
    yield from reader.command(inner)


def _replaced(options: Words) -> str | None:
    """Return what xargs replaces in the words of its command; None when it adds words to them."""
    for at, word in enumerate(options):
        if word.text.startswith("-I"):
            return word.text[2:] or options[at + 1].text
    return None


def _env(words: Words, shown: str, reader: Reader) -> Iterator[Finding]:
    rest = list(words[1:] if words[:1] == [Word("-")] else words)
    at = _after_options(_WRAPPERS["env"], rest)
    if at is None:
        yield _unclear(shown)
        return
    while at < len(rest) and (rest[at].known is not Known.WHOLE or "=" in rest[at].text):
        name, equals, value = rest[at].text.partition("=")
        if not equals:
            yield _unclear(shown)
            return
        if not is_harmless(name, value if rest[at].known is Known.WHOLE else None):
            yield _unclear(shown, f"It sets {name}, which may change what programs do")
        at += 1
    if at < len(rest):
        yield from reader.command(rest[at:])
    else:
        yield Finding(READ, f"env only shows variables: {shown}")


def _shell(name: str, words: Words, shown: str, reader: Reader) -> Iterator[Finding]:
    at, given = 0, False
    while at < len(words) and (words[at].may_be_option or words[at].text.startswith("+")):
        text = words[at].text
        if words[at].known is not Known.WHOLE:
            yield _unclear(shown)
            return
        at += 1
        if text.startswith("--"):
            if text not in {"--", "--norc", "--noprofile", "--posix", "--login", "--version", "--help"}:
                yield _unclear(shown)
                return
            if text in {"--version", "--help"}:
                yield Finding(READ, f"{name} only tells about itself: {shown}")
                return
            continue
        if set(text[1:]) - set("abcefhilmnopuvxCEHT"):
            yield _unclear(shown)
            return
        given = given or "c" in text
        at += text.count("o")
    if not given:
        yield _unclear(shown, "It runs a script, or what it reads, which is not read here")
    elif at >= len(words) or words[at].known is not Known.WHOLE:
        yield _unclear(shown)
    else:
        yield from reader.line(words[at].text, bash=name == "bash")


def _eval(words: Words, shown: str, reader: Reader) -> Iterator[Finding]:
    if any(word.known is not Known.WHOLE for word in words):
        yield _unclear(shown)
    else:
        yield from reader.line(" ".join(word.text for word in words), bash=False)


def _trap(words: Words, shown: str, reader: Reader) -> Iterator[Finding]:
    if words and words[0].known is Known.WHOLE and (not words[0].text.startswith("-") or words[0].text == "-"):
        yield from reader.line("" if words[0].text == "-" else words[0].text, bash=False)
    else:
        yield _unclear(shown)


def _watch(words: Words, shown: str, reader: Reader) -> Iterator[Finding]:
    at = _after_options(_Wrapper("bcdegptwx", "n", _names("--interval --differences --no-title --exec")), words)
    if at is None:
        yield _unclear(shown)
    else:
        yield from _eval(words[at:], shown, reader)


def _find(words: Words, shown: str, reader: Reader) -> Iterator[Finding]:
    yield Finding(READ, f"find only looks: {shown}")
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word.known is Known.NOTHING or (word.known is not Known.WHOLE and word.text.startswith("-")):
            yield _unclear(shown, "What it does with what it finds is known only when it runs")
        elif word.text == "-delete":
            yield Finding(DESTROY, f"find deletes what it finds: {shown}")
        elif word.text in {"-fprint", "-fprint0", "-fprintf", "-fls"}:
            yield _unclear(shown, "It writes a file")
        elif word.text in {"-exec", "-execdir", "-ok", "-okdir"}:
            inner: list[Word] = []
            while at < len(words) and words[at] not in {Word(";"), Word("+")}:
                # What is found begins with a start path, which is no option.
                held = "{}" in words[at].text
                inner.append(
                    Word("./", Known.BEGINNING) if words[at] == Word("{}") else ANYTHING if held else words[at]
                )
                at += 1
            yield from reader.command(inner)


def _fd(words: Words, shown: str, reader: Reader) -> Iterator[Finding]:
    yield Finding(READ, f"fd only looks: {shown}")
    for at, word in enumerate(words):
        if word.known is Known.NOTHING or (word.may_be_option and set(word.text[1:3]) & set("xX")):
            yield _unclear(shown)
        if word.text.startswith("--exec"):
            yield from reader.command([*words[at + 1 :], ANYTHING])
            yield _unclear(shown)


def _python(words: Words, shown: str, reader: Reader) -> Iterator[Finding]:
    if len(words) == 1 and words[0] in {Word("-V"), Word("-VV"), Word("--version"), Word("--help")}:
        yield Finding(READ, f"python only tells about itself: {shown}")
        return
    rest = list(words)
    while rest and rest[0] in {Word("-u"), Word("-B"), Word("-I"), Word("-s"), Word("-E")}:
        rest = rest[1:]
    if len(rest) > 1 and rest[0] == Word("-m") and rest[1].known is Known.WHOLE and rest[1].text in _PYTHON_MODULES:
        known = _BUILT_IN_MODULES.get(rest[1].text)
        if known is not None:
            yield known._replace(why=f"{known.why}: {shown}")
        else:
            yield from reader.command(rest[1:])
        return
    yield Finding(UNKNOWN, f"python runs code that is not read here: {shown}")


def _run_of(words: Words, shown: str, reader: Reader) -> Iterable[Finding] | None:
    """Read `uv run`, `poetry run` and the like."""
    if not words or words[0] != Word("run"):
        return None
    if len(words) > 1 and not words[1].may_be_option:
        return reader.command(words[1:])
    return [_unclear(shown)]


_OWN_WAYS: Final[Mapping[str, Callable[[Words, str, Reader], Iterable[Finding] | None]]] = {
    "eval": _eval,
    "trap": _trap,
    "watch": _watch,
    "find": _find,
    "fd": _fd,
    "fdfind": _fd,
    "python": _python,
    "python3": _python,
    "uv": _run_of,
    "poetry": _run_of,
    "pipenv": _run_of,
    "pdm": _run_of,
    "hatch": _run_of,
}
