"""What an answer can be remembered as: the rules that would answer the same question next time, the narrowest first."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tools.network_hosts import host_of
from tools.policy.digest import canonical
from tools.policy.matching import pattern_of
from tools.policy.rules import Effect, Predicate, Rule
from tools.policy.wording import RISK_WORDS
from tools.spec import RiskClass, RiskLevel
from tools.tool import Tool

if TYPE_CHECKING:
    from tools.policy.verdicts import Facts

LONGEST_ARGUMENTS: Final = 10_000
"""The most letters of arguments that a rule repeats; nobody reads more of them in a file."""


class RuleScope(StrEnum):
    """What a remembered answer is about, the narrowest first."""

    ARGUMENTS = "arguments"
    PATTERN = "pattern"
    TOOL = "tool"
    SOURCE = "source"


class RuleOffer(NamedTuple):
    """One way to remember an answer.

    Attributes:
        rule: The rule that would be stored, without an end; `rule_words` says all of it.
        words: Which calls it is about, to stand behind `for`: `this tool with these arguments`.
        breadth: What kind of calls these are.
    """

    rule: Rule
    words: str
    breadth: RuleScope


class _Scope(NamedTuple):
    words: str
    breadth: RuleScope
    said: Mapping[str, Any]


def possible_offers(
    facts: Facts, risk: RiskClass, effect: Effect, make: Callable[[Mapping[str, Any]], Rule]
) -> Iterator[RuleOffer]:
    """Yield the ways to remember an answer, whether or not other rules let them count.

    Args:
        facts: The call, with the arguments that the answer is about and the reasons that were shown.
        risk: What kind of harm the call can do.
    """
    tool = facts.tool
    common: dict[str, Any] = {"effect": effect, "caller": pattern_of(facts.caller)}
    if effect is Effect.ALLOW:
        common["answers"] = tuple(sorted({concern.kind for concern in facts.concerns}))
    for scope in _scopes(facts, risk, narrow=effect is Effect.ALLOW):
        pinned = {} if scope.breadth is RuleScope.SOURCE or effect is not Effect.ALLOW else {"definition": tool.digest}
        yield RuleOffer(make({**common, **pinned, **scope.said}), scope.words, scope.breadth)


def _scopes(facts: Facts, risk: RiskClass, *, narrow: bool) -> Iterator[_Scope]:
    """Yield what an answer can be about.

    Args:
        risk: What kind of harm it can do.
        narrow: Whether what destroys, and commands that nobody can judge, are remembered for like calls only.
    """
    tool = facts.tool
    source = {"source": pattern_of(tool.source.name)}
    this_tool = {**source, "tool": pattern_of(tool.own_name)}
    unjudged = risk.level is RiskLevel.HIGH and bool(tool.shell_commands)
    if not tool.sensitive:
        if not _hidden(facts) and len(canonical(facts.arguments)) <= LONGEST_ARGUMENTS:
            exact = Predicate(path="", equals=dict(facts.arguments))
            yield _Scope("this tool with these arguments", RuleScope.ARGUMENTS, {**this_tool, "where": (exact,)})
        for words, where in () if unjudged and narrow else _patterns(facts):
            said = {**this_tool, "where": where, "risk": (risk,)}
            yield _Scope(f"this tool {words}", RuleScope.PATTERN, said)
    if narrow and (unjudged or risk is RiskClass.DESTRUCTIVE):
        return
    limit = f" when it {RISK_WORDS[risk]}"
    yield _Scope(f"this tool{limit}", RuleScope.TOOL, {**this_tool, "risk": (risk,)})
    yield _Scope(f"every tool of {tool.source.name}{limit}", RuleScope.SOURCE, {**source, "risk": (risk,)})


def _patterns(facts: Facts) -> Iterator[tuple[str, tuple[Predicate, ...]]]:
    """Yield what such arguments have in common: the folders that their paths lie in, the hosts of their addresses."""
    hosts = _hosts(facts)
    paths = _paths(facts)
    if hosts is None or paths is None or not (hosts or paths) or any('"' in name for name in facts.arguments):
        return
    at = " and ".join(f"at {predicate.host_in[0]}" for predicate in hosts if predicate.host_in)
    if not paths:
        yield at, hosts
        return
    for folder in _folders(paths, facts.project_dir):
        where = tuple(
            Predicate(path=name, inside=str(folder)) if found else Predicate(path=name.removesuffix("[]"), equals=None)
            for name, found in paths.items()
        )
        yield f"inside {_folder_words(folder, facts.project_dir)} {at}".rstrip(), (*where, *hosts)


def _hidden(facts: Facts) -> frozenset[str]:
    """Return the arguments that hold something which nobody is shown, so that no rule may repeat them."""
    masking = facts.tool.masking
    if masking is None:
        return frozenset()
    shown = masking.arguments(facts.arguments)
    return frozenset(name for name, value in facts.arguments.items() if shown.get(name) != value)


def _hosts(facts: Facts) -> tuple[Predicate, ...] | None:
    """Return what holds of the addresses among the arguments; None when one of them is hidden or no clear address."""
    hidden = _hidden(facts)
    predicates: list[Predicate] = []
    for name, value in facts.arguments.items():
        if not isinstance(value, str) or not value.lower().startswith(("http://", "https://")):
            continue
        host = host_of(value)
        if not host or name in hidden:
            return None
        predicates.append(Predicate(path=_path_of(name), host_in=(host,)))
    return tuple(predicates)


def _paths(facts: Facts) -> dict[str, list[Path]] | None:
    """Return the paths among the arguments, by the place that names them; None when one of them is hidden or odd."""
    hidden = _hidden(facts)
    found: dict[str, list[Path]] = {}
    for name in path_arguments(facts.tool):
        if name not in facts.arguments:
            continue
        if name in hidden:
            return None
        value = facts.arguments[name]
        texts = value if isinstance(value, list) else [value]
        if value is not None and not all(isinstance(text, str) for text in texts):
            return None
        place = _path_of(name) + ("[]" if isinstance(value, list) else "")
        found[place] = [Path(str(text)) for text in texts if text is not None]
    return found if any(found.values()) else {}


def path_arguments(tool: Tool) -> Iterator[str]:
    """Yield the names that callers use for the arguments which name files or folders."""
    for python_name, _ in tool.path_roles:
        try:
            yield from tool.arguments.dump({python_name: Path("x")})
        except (TypeError, ValueError):
            yield python_name


def _folders(paths: Mapping[str, list[Path]], project_dir: Path) -> list[Path]:
    """Return the folders that all paths lie in and that are worth a rule, the narrowest first."""
    every = [path for group in paths.values() for path in group]
    try:
        nearest = Path(os.path.commonpath([path if path == project_dir else path.parent for path in every]))
    except ValueError:
        # Windows has several drives.
        return []
    folders = [nearest]
    if nearest.is_relative_to(project_dir) and nearest != project_dir:
        folders.append(project_dir)
    broad = {Path(nearest.anchor), Path.home(), *Path.home().parents}
    return [folder for folder in folders if folder not in broad and folder not in project_dir.parents]


def _folder_words(folder: Path, project_dir: Path) -> str:
    if folder == project_dir:
        return "the project folder"
    if folder.is_relative_to(project_dir):
        return f"{folder.relative_to(project_dir)} of the project folder"
    return str(folder)


def _path_of(name: str) -> str:
    return name if not set(name) & set('.[]*"') else f'["{name}"]'
