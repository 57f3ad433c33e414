"""What a person wants of a tool or a source in one word, and the rule that says the same."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from tools.card import ToolFacts, ToolSource
from tools.policy.judging import IndexedRule
from tools.policy.matching import pattern_of
from tools.policy.rules import ANYTHING, Effect, Permission, Rule, RuleLocation

_EFFECTS: Final = {
    Permission.ASK: Effect.ASK,
    Permission.ALWAYS: Effect.ALLOW,
    Permission.NEVER: Effect.DENY,
}


def permission_rule(entries: Iterable[IndexedRule], of: ToolFacts | ToolSource) -> Rule | None:
    """Return the person's rule that is about all calls of a tool or source and about nothing else; None without one."""
    source, tool = _names(of)
    for entry in entries:
        rule = entry.rule
        if (rule.source, rule.tool) != (source, tool):
            continue
        plain = Rule(id=rule.id, effect=rule.effect, source=source, tool=tool)
        same = rule.model_copy(update={"definition": "", "created_at": None, "reason": ""})
        if entry.placed.place is RuleLocation.USER and same == plain:
            return rule
    return None


def permission_in(rule: Rule | None) -> Permission:
    """Return what a permission's rule says; no rule is the default."""
    if rule is None:
        return Permission.DEFAULT
    return next(permission for permission, effect in _EFFECTS.items() if effect is rule.effect)


def rule_of_permission(of: ToolFacts | ToolSource, permission: Permission, rule_id: str, now: datetime) -> Rule:
    """Return the rule that says what a person wants; `DEFAULT` is none.

    A tool that is always allowed is so as long as its definition stays what it is.
    """
    source, tool = _names(of)
    pinned = isinstance(of, ToolFacts) and permission is Permission.ALWAYS
    return Rule(
        id=rule_id,
        effect=_EFFECTS[permission],
        source=source,
        tool=tool,
        definition=of.digest if pinned and isinstance(of, ToolFacts) else "",
        created_at=now,
    )


def _names(of: ToolFacts | ToolSource) -> tuple[str, str]:
    if isinstance(of, ToolFacts):
        return pattern_of(of.source.name), pattern_of(of.own_name)
    return pattern_of(of.name), ANYTHING
