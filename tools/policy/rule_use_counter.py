"""How rules fare: how often each was used, and why one says nothing at the moment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Final

from tools.card import ToolFacts
from tools.errors import PolicyError
from tools.policy.judging import Clock, IndexedRule
from tools.policy.matching import exact_name
from tools.policy.rule_uses import RuleUses, Used
from tools.policy.rules import RuleLocation
from tools.policy.verdicts import PlacedRule, Verdict

SPENT: Final = "all its uses are spent"
UNCOUNTED: Final = "nobody knows how many of its uses are left"


class RuleUseCounter:
    """Count what rules let run, the session's in memory and the others as they are kept.

    Args:
        clock: The time in seconds since the epoch.
        lookup: Finds a tool by its name; None finds none.

    Attributes:
        unwritten: Why uses could not be written down; empty when they could.
    """

    def __init__(self, uses: RuleUses, clock: Clock, lookup: Callable[[str], ToolFacts | None] | None) -> None:
        self._kept = uses
        self._in_session = RuleUses()
        self._clock = clock
        self._lookup = lookup
        self.unwritten = ""

    def of(self, entries: Iterable[IndexedRule]) -> tuple[PlacedRule, ...]:
        known = {place: self._counted(place) for place in RuleLocation}
        return tuple(self._faring(entry, known[entry.placed.place]) for entry in entries)

    def use_left(self, entry: IndexedRule) -> str:
        """Return why no use of a rule is left; empty when one is."""
        return _left(entry, self._counted(entry.placed.place)) if entry.rule.max_uses is not None else ""

    def claim(self, verdict: Verdict) -> bool:
        """Take a use of every rule that a verdict rests on; False means that one of them had none left.

        Raises:
            PolicyError: When a use cannot be written down.
        """
        now_s = self._clock()
        return all(
            self._at(placed.place).claim(placed.rule.id, now_s, placed.rule.max_uses) for placed in verdict.spends
        )

    def flush(self) -> None:
        """Write down the uses that were only collected."""
        try:
            self._kept.flush()
            self.unwritten = ""
        except PolicyError as error:
            self.unwritten = str(error)

    def _at(self, place: RuleLocation) -> RuleUses:
        return self._in_session if place is RuleLocation.SESSION else self._kept

    def _counted(self, place: RuleLocation) -> Mapping[str, Used] | None:
        """Return how often the rules of a place were used; None when nobody knows."""
        try:
            return self._at(place).all()
        except PolicyError as error:
            self.unwritten = str(error)
            return None

    def _faring(self, entry: IndexedRule, uses: Mapping[str, Used] | None) -> PlacedRule:
        name = exact_name(entry.rule.tool)
        tool = None if self._lookup is None or name is None else self._lookup(name)
        used = Used() if uses is None else uses.get(entry.rule.id, Used())
        return entry.placed._replace(
            suspended=entry.rests(tool, self._clock()) or _left(entry, uses),
            last_used=datetime.fromtimestamp(used.last_s, UTC) if used.uses else None,
            uses=used.uses,
        )


def _left(entry: IndexedRule, uses: Mapping[str, Used] | None) -> str:
    limit = entry.rule.max_uses
    if limit is None:
        return ""
    if uses is None:
        return UNCOUNTED
    return SPENT if uses.get(entry.rule.id, Used()).uses >= limit else ""
