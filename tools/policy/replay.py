"""What a rule would have said of calls that were made before it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tools.errors import ArgumentsError
from tools.policy.judging import IndexedRule
from tools.policy.matching import Subject, fits_name
from tools.policy.risk import risk_of
from tools.policy.rules import Effect, Rule, RuleLocation
from tools.policy.verdicts import Facts
from tools.protected import PROTECTED
from tools.spec import Concern
from tools.tool import Tool

if TYPE_CHECKING:
    from pydantic import JsonValue


class PastCall(NamedTuple):
    """One call of the past.

    Attributes:
        arguments: The arguments that ran, as JSON by the names callers use; secrets may be bullets.
        project_dir: The folder that relative paths meant.
        kinds: The kinds of the concerns that were raised.
    """

    id: str
    tool: str
    arguments: Mapping[str, JsonValue]
    caller: str
    project_dir: Path
    kinds: frozenset[str] = frozenset()


class Tested(NamedTuple):
    """What a rule would have done.

    Attributes:
        allowed: How many calls it would have allowed without a question; for a rule that asks or denies, how many it
            would have asked about or denied.
        matched: The ids of those calls.
    """

    allowed: int
    total: int
    matched: tuple[str, ...]


def would_have(rule: Rule, past: Iterable[PastCall], lookup: Callable[[str], Tool | None]) -> Tested:
    """Return what a rule would have done, whatever other rules say and however often it was used.

    Args:
        lookup: Returns a tool as it is now; a rule decides nothing about one that is gone.
    """
    calls = tuple(past)
    entry = IndexedRule(rule.model_copy(update={"enabled": True, "definition": ""}), RuleLocation.SESSION)
    matched = tuple(call.id for call in calls if _decides(entry, call, lookup(call.tool)))
    return Tested(len(matched), len(calls), matched)


def _decides(entry: IndexedRule, call: PastCall, tool: Tool | None) -> bool:
    if tool is None or not entry.concerns(tool):
        return False
    try:
        concerns = tuple(Concern(kind, kind) for kind in sorted(call.kinds))
        facts = Facts.of(tool, call.arguments, call.caller, call.project_dir, concerns)
    except (ArgumentsError, TypeError):
        # The tool takes other arguments by now, so this call would be another one.
        return False
    risk = risk_of(tool, facts.arguments, facts.concerns).risk
    if not entry.fits(facts.caller, risk, Subject(facts.arguments, facts.project_dir)):
        return False
    rule = entry.rule
    return rule.effect is not Effect.ALLOW or all(
        kind != PROTECTED and any(fits_name(word, kind) for word in rule.answers) for kind in call.kinds
    )
