"""Find secrets in texts: keys, tokens and private keys, by the rules of gitleaks.

The rules stand in `resources/secrets/gitleaks.toml` as its authors keep them, and are read when the first text is
looked at. What a rule finds is a secret unless it is too regular or known to be an example. Rules about the names of
files say nothing here: a text has none. Source: gitleaks, `config/gitleaks.toml` and `detect/detect.go`.
"""

from __future__ import annotations

import math
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import filterfalse
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    import regex

SCAN_TIMEOUT_S: Final = 0.5
"""How long all texts of one call are looked at, in seconds; a call is judged on the event loop."""

_IDENTIFIER: Final = r"[\w.-]{0,50}?"
_LETTERS_BEFORE: Final = 50


class FoundSecret(NamedTuple):
    """One secret in a text.

    Attributes:
        kind: The rule that found it, such as `github-pat`.
    """

    kind: str
    start: int
    end: int


class ScanTimeoutError(Exception):
    """Report that a text could not be looked through in time."""


class SecretScan:
    """Look through the texts of one call within a time limit for all of them.

    Args:
        timeout_s: The limit, in seconds.
    """

    def __init__(self, timeout_s: float = SCAN_TIMEOUT_S) -> None:
        self._left_s = timeout_s

    def found(self, text: str) -> Iterator[FoundSecret]:
        """Yield the secrets in a text, rule by rule; several rules may find one.

        Raises:
            ScanTimeoutError: When time ran out; what was yielded until then is found all the same.
        """
        folded = text.lower()
        for rule in _rules():
            if rule.keywords and not any(word in folded for word in rule.keywords):
                continue
            # The first use of a rule takes longer, since it is compiled then; that is nothing of the text.
            pattern, began = rule.pattern(), perf_counter()
            if self._left_s <= 0:
                raise ScanTimeoutError
            try:
                yield from rule.found(pattern, text, self._left_s)
            except TimeoutError as error:
                raise ScanTimeoutError from error
            finally:
                self._left_s -= perf_counter() - began

    def holds_secret(self, value: Any) -> bool:
        """Return whether a JSON value has a secret in any of its texts.

        Raises:
            ScanTimeoutError: When time ran out before one was found.
        """
        return any(True for entry in _entries(value) for _ in self.found(entry.text))

    def secrets_in(self, value: Any) -> frozenset[str]:
        """Return the secrets in the texts of a JSON value; a text that took too long counts as one."""
        secrets: set[str] = set()
        for entry in _entries(value):
            try:
                secrets.update(entry.text[found.start : found.end] for found in self.found(entry.text))
            except ScanTimeoutError:
                secrets.add(entry.value)
        return frozenset(secrets)


class _Entry(NamedTuple):
    """One text of a JSON value.

    Attributes:
        text: What is looked through: many rules know a secret by the name before it, as in `name=value`.
        value: The text itself.
    """

    text: str
    value: str


def _entries(value: Any, name: str = "") -> Iterator[_Entry]:
    if isinstance(value, str):
        yield _Entry(f"{name}={value}" if name else value, value)
    elif isinstance(value, list):
        for item in value:
            yield from _entries(item, name)
    elif isinstance(value, Mapping):
        for key, part in value.items():
            yield from _entries(part, key)


@dataclass(frozen=True)
class _ScanRule:
    """One rule.

    Attributes:
        keywords: One of these stands in each text with such a secret, in small letters; none means any may have one.
        entropy: The least entropy of a secret, in bits a letter; what is more regular is none.
        group: The group that is the secret; 0 takes the first one that matched, else all of it.
        allowed: Tells of a match that is no secret: the match, the secret and its line.
    """

    kind: str
    keywords: tuple[str, ...]
    pattern: Callable[[], regex.Pattern[str]]
    entropy: float
    group: int
    allowed: Callable[[str, str, str], bool]

    def found(self, pattern: regex.Pattern[str], text: str, timeout_s: float) -> Iterator[FoundSecret]:
        # Other threads, such as a window's, go on meanwhile.
        for match in pattern.finditer(text, concurrent=True, timeout=timeout_s):
            group = self.group or next((place for place, part in enumerate(match.groups(), 1) if part), 0)
            secret = match.group(group)
            if _entropy(secret) < self.entropy:
                continue
            start, end = match.span()
            line = text[text.rfind("\n", 0, start) + 1 : (text.find("\n", end) + 1 or len(text) + 1) - 1]
            if not self.allowed(_with_identifier(text, start) + match.group(), secret, line):
                yield FoundSecret(self.kind, *match.span(group))


def _with_identifier(text: str, end: int) -> str:
    """Return the part of a name that stands before a place."""
    start = end
    while start > max(0, end - _LETTERS_BEFORE) and (text[start - 1].isalnum() or text[start - 1] in "_.-"):
        start -= 1
    return text[start:end]


def _entropy(text: str) -> float:
    """Return Shannon's entropy of the letters of a text, in bits a letter."""
    shares = [number / len(text) for number in Counter(text).values()]
    return -sum(share * math.log2(share) for share in shares)


@cache
def _rules() -> tuple[_ScanRule, ...]:
    text = files("resources").joinpath("secrets", "gitleaks.toml").read_text(encoding="utf-8")
    document = tomllib.loads(text)
    for_all = document["allowlist"]
    return tuple(
        _ScanRule(
            rule["id"],
            tuple(word.lower() for word in rule.get("keywords", ())),
            _lazily_compiled(rule["regex"]),
            rule.get("entropy", 0.0),
            rule.get("secretGroup", 0),
            _any_of(map(_allowance, filterfalse(_needs_path, (for_all, *rule.get("allowlists", ()))))),
        )
        for rule in document["rules"]
        if "path" not in rule
    )


def _needs_path(listed: Mapping[str, Any]) -> bool:
    return listed.get("condition") == "AND" and "paths" in listed


def _allowance(listed: Mapping[str, Any]) -> Callable[[str, str, str], bool]:
    patterns = [_lazily_compiled(pattern) for pattern in listed.get("regexes", ())]
    stop_words = [word.lower() for word in listed.get("stopwords", ())]
    target = {"match": 0, "secret": 1, "line": 2}[listed.get("regexTarget", "secret")]

    def allows(*texts: str) -> bool:
        folded = texts[1].lower()
        return any(word in folded for word in stop_words) or any(made().search(texts[target]) for made in patterns)

    return allows


def _any_of(allowances: Iterable[Callable[[str, str, str], bool]]) -> Callable[[str, str, str], bool]:
    allowances = tuple(allowances)
    return lambda match, secret, line: any(allows(match, secret, line) for allows in allowances)


def _lazily_compiled(pattern: str) -> Callable[[], regex.Pattern[str]]:
    # All of them take half a second; few texts have the words of more than ten.
    @cache
    def compiled() -> regex.Pattern[str]:
        import regex  # noqa: PLC0415 -- see above

        # The rules are written for Go: flags count from where they stand, and \z is the end. The name before a keyword
        # is looked up afterwards: tried at each letter, it takes a hundred times as long.
        return regex.compile(pattern.replace(r"\z", r"\Z").replace(_IDENTIFIER, ""), regex.V1)

    return compiled
