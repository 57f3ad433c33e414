"""Which of several rules counts: the narrowest one, and of equally narrow ones the strictest."""

from __future__ import annotations

from typing import Final, NamedTuple

from tools.policy.matching import exact_name
from tools.policy.rules import ANYTHING, Rule

_EXACT: Final = 2


class RuleSpecificity(NamedTuple):
    """How narrow a rule is; compared part by part, and the larger is the narrower.

    One pattern is as narrow as another: nobody can see by their letters which of `git_*` and `*_log` means less, so
    between them the stricter effect counts.

    Attributes:
        exact_arguments: 1 when it is about these arguments and no others.
        predicates: How many things it says of arguments.
        tool: 2 for one tool, 1 for a pattern, 0 for any.
        source: 2 for one source, 1 for a pattern, 0 for any.
        risk: 1 when it is about some risk classes only.
        caller: 2 for one caller, 1 for a pattern, 0 for any.
    """

    exact_arguments: int
    predicates: int
    tool: int
    source: int
    risk: int
    caller: int

    def names_as_exactly(self, other: RuleSpecificity) -> bool:
        """Return whether tool, source and caller are each named at least as exactly as by another rule.

        Whoever names one tool has named its source as well.
        """
        names_source = self.tool == _EXACT or self.source >= other.source
        return self.tool >= other.tool and names_source and self.caller >= other.caller


def specificity_of(rule: Rule) -> RuleSpecificity:
    """Return how narrow a rule is."""
    exact = any(predicate.is_exact for predicate in rule.where)
    return RuleSpecificity(
        exact_arguments=int(exact),
        predicates=len(rule.where) - int(exact),
        tool=_narrowness(rule.tool),
        source=_narrowness(rule.source),
        risk=int(bool(rule.risk)),
        caller=_narrowness(rule.caller),
    )


def rank(rule: Rule) -> tuple[tuple[int, ...], int, str]:
    """Return what rules are sorted by, so that the one that counts comes first; the id only keeps the order steady."""
    return tuple(-part for part in specificity_of(rule)), -rule.effect.strictness, rule.id


def _narrowness(pattern: str) -> int:
    if pattern == ANYTHING:
        return 0
    return 1 if exact_name(pattern) is None else _EXACT
