"""Whether a call fits a rule: globs over names, predicates over arguments.

A rule that allows is read narrowly, a rule that asks or denies widely. `tests/tools/policy/test_order.py` compares
the order of rules with a slow model of it.
"""

from __future__ import annotations

import fnmatch
import os
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tools.masking import parse_path, same_name
from tools.masking.paths import Part, PathWildcard
from tools.network_hosts import address_of, forms, host_of, readings
from tools.paths import at_home, is_remote, spellings
from tools.policy.digest import canonical
from tools.policy.rules import ANYTHING, Comparison, Predicate
from tools.protected import folded
from tools.secret_scan import ScanTimeoutError, SecretScan

if TYPE_CHECKING:
    from pydantic import JsonValue


class _Location(NamedTuple):
    """Where a path is.

    Attributes:
        written: The path, absolute.
        itself: The path in the real folder that it lies in: whoever changes a link changes that place.
    """

    written: str
    real: str
    itself: str


class Subject:
    """The arguments that predicates are about.

    Args:
        arguments: By the names callers use, as JSON.
        project_dir: The folder that relative paths mean.
        addresses: What the hosts among the arguments lead to at the moment, as far as somebody looked.

    Attributes:
        left_s: How long regular expressions may still try, in seconds.
    """

    def __init__(
        self,
        arguments: Mapping[str, JsonValue],
        project_dir: Path,
        addresses: Mapping[str, tuple[str, ...]] | None = None,
    ) -> None:
        self.arguments = arguments
        self.project_dir = project_dir
        self.addresses = addresses or {}
        self.left_s = PATTERNS_TIMEOUT_S
        self._locations: dict[str, tuple[_Location, ...]] = {}

    @cached_property
    def secret_scan(self) -> SecretScan:
        """What looks for secrets, for however many rules ask."""
        return SecretScan()

    @cached_property
    def text(self) -> str:
        """The canonical text of all arguments, for however many rules that are about exactly these."""
        return canonical(self.arguments)

    def locations(self, text: str) -> tuple[_Location, ...]:
        """Return where a path is, by every way in which programs may read it, for however many rules ask.

        Raises:
            OSError: When the system cannot tell.
            RuntimeError: When it is in the home folder of somebody who does not exist.
            ValueError: When no file system takes it.
        """
        found = self._locations.get(text)
        if found is None:
            _ = Path(text).expanduser()
            found = tuple(_location(os.path.normpath(path)) for path in spellings(text, self.project_dir))
            self._locations[text] = found
        if not found:
            raise ValueError("no file system takes it")
        return found


def _location(written: str) -> _Location:
    itself = Path(os.path.realpath(Path(written).parent), Path(written).name)
    return _Location(written, os.path.realpath(written), str(itself))


Fits = Callable[[Subject], bool]
"""Whether arguments fit."""

_FitsValue = Callable[[Any, Subject], bool]

PATTERNS_TIMEOUT_S: Final = 0.1
"""How long all regular expressions of all rules may try one call, in seconds; it is judged on the event loop."""

_SPECIAL: Final = re.compile(r"[*?\[]")
_QUOTED: Final = re.compile(r"\[([*?\[])\]")


def exact_name(pattern: str) -> str | None:
    """Return the only name that a pattern fits; None when it fits several."""
    return None if _SPECIAL.search(_QUOTED.sub("", pattern)) else _QUOTED.sub(r"\1", pattern)


def pattern_of(name: str) -> str:
    """Return the pattern that fits this name alone."""
    return _SPECIAL.sub(r"[\g<0>]", name)


@cache
def _compiled_glob(pattern: str) -> re.Pattern[str]:
    return re.compile(fnmatch.translate(pattern))


def fits_name(pattern: str, name: str) -> bool:
    """Return whether a name fits a pattern with `*`, `?` and `[...]`; upper and lower case differ."""
    return pattern == ANYTHING or _compiled_glob(pattern).match(name) is not None


def names_compared(predicate: Predicate, arguments: Mapping[str, JsonValue]) -> frozenset[str]:
    """Return the names of hosts that a predicate about addresses would compare with those they lead to."""
    if not any(address_of(host) is not None for host in predicate.host_in or ()):
        return frozenset()
    values = (value for value in _values_at(arguments, parse_path(predicate.path)) if isinstance(value, str))
    return frozenset(host for value in values for host in readings(value) if address_of(host) is None)


def compiled_predicate(predicate: Predicate, *, wide: bool) -> Fits:
    """Return what tells whether arguments fit a predicate.

    Args:
        predicate: What must hold.
        wide: Whether it is read widely, as asking and denying rules are.
    """
    if predicate.is_exact:
        wanted = canonical(predicate.equals)
        return lambda subject: subject.text == wanted
    parts = parse_path(predicate.path) if predicate.path else ()
    fits_value = _fits_value(predicate, wide=wide)
    every = any if wide else all

    def fits(subject: Subject) -> bool:
        values = list(_values_at(subject.arguments, parts))
        return bool(values) and every(fits_value(value, subject) for value in values)

    return fits


def _values_at(value: Any, parts: tuple[Part, ...]) -> Iterator[Any]:
    """Yield the values that a path names."""
    if not parts:
        yield value
        return
    part, rest = parts[0], parts[1:]
    inner: list[Any] = []
    if isinstance(value, Mapping) and not isinstance(part, int) and part is not PathWildcard.ITEM:
        inner = [item for name, item in value.items() if part is PathWildcard.NAME or same_name(name) == part]
    elif isinstance(value, list):
        if part is PathWildcard.ITEM:
            inner = value
        elif isinstance(part, int):
            inner = value[part : part + 1]
    for item in inner:
        yield from _values_at(item, rest)


def _fits_value(predicate: Predicate, *, wide: bool) -> _FitsValue:
    comparison, operand = predicate.comparison, predicate.operand
    match comparison:
        case Comparison.EQUALS:
            return _one_of([operand], wide=wide)
        case Comparison.IN:
            return _one_of(operand, wide=wide)
        case Comparison.INSIDE:
            folder = str(operand)
            return lambda value, subject: isinstance(value, str) and _lies_in(value, folder, subject, wide=wide)
        case Comparison.HOST_IN:
            hosts = _Hosts.of(predicate.host_in or (), wide=wide)
            return lambda value, subject: isinstance(value, str) and _host_fits(value, hosts, subject, wide=wide)
        case Comparison.MATCHES:
            return _pattern(str(operand), wide=wide)
        case Comparison.HOLDS_SECRET:
            return _secret(expected=bool(operand), wide=wide)
        case Comparison.PREFIX:
            start = str(operand)
            return lambda value, _: (
                isinstance(value, str) and any(form.startswith(start) for form in _forms(value, wide=wide))
            )
        case _:
            return _number(comparison, float(str(operand)), wide=wide)


def _forms(text: str, *, wide: bool) -> tuple[str, ...]:
    """Return a text, and when read widely the other form of its letters too."""
    return (text, unicodedata.normalize("NFKC", text)) if wide and not text.isascii() else (text,)


def _one_of(operands: Any, *, wide: bool) -> _FitsValue:
    known = {canonical(operand) for operand in operands}
    if wide:
        known |= {canonical(_composed(operand)) for operand in operands}
    return lambda value, _: canonical(value) in known or (wide and canonical(_composed(value)) in known)


def _composed(value: Any) -> Any:
    return unicodedata.normalize("NFKC", value) if isinstance(value, str) else value


def _pattern(pattern: str, *, wide: bool) -> _FitsValue:
    import regex  # noqa: PLC0415 -- few rules have a pattern

    compiled = regex.compile(pattern)

    def fits(value: Any, subject: Subject) -> bool:
        if not isinstance(value, str):
            return False
        if subject.left_s <= 0:
            return wide
        began = perf_counter()
        try:
            if not wide:
                return compiled.fullmatch(value, timeout=subject.left_s) is not None
            return any(compiled.search(form, timeout=subject.left_s) for form in _forms(value, wide=True))
        except TimeoutError:
            return wide
        finally:
            subject.left_s -= perf_counter() - began

    return fits


def _secret(*, expected: bool, wide: bool) -> _FitsValue:
    def fits(value: Any, subject: Subject) -> bool:
        try:
            return subject.secret_scan.holds_secret(value) is expected
        except ScanTimeoutError:
            return wide

    return fits


def _number(comparison: Comparison, limit: float, *, wide: bool) -> _FitsValue:
    compare: Callable[[float], bool] = {
        Comparison.ABOVE: lambda number: number > limit,
        Comparison.BELOW: lambda number: number < limit,
        Comparison.AT_LEAST: lambda number: number >= limit,
        Comparison.AT_MOST: lambda number: number <= limit,
    }[comparison]

    def fits(value: Any, _: Subject) -> bool:
        if isinstance(value, str) and wide:
            try:
                value = float(value)
            except ValueError:
                return False
        return isinstance(value, int | float) and not isinstance(value, bool) and compare(value)

    return fits


def _lies_in(text: str, folder: str, subject: Subject, *, wide: bool) -> bool:
    """Return whether a path lies in a folder.

    Read narrowly, both what the path leads to and what it is lie there, in whatever way it is read; read widely, it is
    enough that it does so in one way, as it is written or as it is meant, in capitals or not.
    """
    try:
        paths, place = subject.locations(text), _location(_folder_of(folder, subject.project_dir))
    except (OSError, RuntimeError, ValueError):
        # A home folder of nobody, or what no file system takes.
        return wide
    if wide:
        return any(_lies_widely(path, place) for path in paths)
    return not is_remote(text) and all(
        _is_below(path.real, place.real) and _is_below(path.itself, place.real) for path in paths
    )


def _folder_of(folder: str, project_dir: Path) -> str:
    return os.path.normpath(project_dir / at_home(folder))


def _lies_widely(path: _Location, place: _Location) -> bool:
    pairs = ((path.written, place.written), (path.written, place.real), (path.real, place.real))
    return any(_is_below(folded(inner), folded(outer), "/") for inner, outer in pairs)


def _is_below(path: str, folder: str, sep: str = os.sep) -> bool:
    return path == folder or path.startswith(folder.rstrip(sep) + sep)


class _Hosts(NamedTuple):
    """The hosts of a rule.

    Attributes:
        exact: Those that are meant themselves, in every form.
        below: The ends of the names of those that lie below one.
    """

    exact: frozenset[str]
    below: tuple[str, ...]

    @classmethod
    def of(cls, wanted: Iterable[str], *, wide: bool) -> _Hosts:
        exact: set[str] = set()
        below: set[str] = set()
        for host in wanted:
            star, bare = host.startswith("*."), host.removeprefix("*.")
            written = f"[{bare}]" if _is_version_6(bare) else bare
            found = forms(bare) if wide else {host_of(written)} - {""}
            if star:
                below |= {f".{form}" for form in found}
            else:
                exact |= found
        return cls(frozenset(exact), tuple(below))

    def have(self, host: str) -> bool:
        """Return whether a host, in one form, is among them."""
        return host in self.exact or host.endswith(self.below)


def _is_version_6(host: str) -> bool:
    return ":" in host and not host.startswith("[")


def _host_fits(text: str, hosts: _Hosts, subject: Subject, *, wide: bool) -> bool:
    if not wide:
        host = host_of(text)
        return bool(host) and hosts.have(host)
    found = readings(text)
    # A name is every address that it leads to as well.
    addresses = (form for host in found for text in subject.addresses.get(host, ()) for form in forms(text))
    return not found or any(map(hosts.have, found)) or any(map(hosts.have, addresses))
