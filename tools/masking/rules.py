"""What is hidden, as rules: a graph that is walked beside the values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tools.masking.addresses import address_secrets, masked_address
from tools.masking.paths import MASK, same_name
from tools.masking.scrubbing import texts_in


class MaskingRule:
    """What holds for one value and for those inside it.

    Attributes:
        hidden: Whether the value is hidden as a whole.
        address: Whether it is an address, of which only password and secret parameters are.
        declared: Whether a policy's path leads through here; then a value in which the path cannot go on is hidden as a
            whole, for the secret may be anywhere in it.
        names: The rules of named values inside it.
        each_name: Those of every named value.
        places: The rules of items by their place.
        each_item: Those of every item.
        known: The only names that values inside it can have; None when any will do.
    """

    __slots__ = ("address", "declared", "each_item", "each_name", "hidden", "known", "names", "places")

    def __init__(self, *, declared: bool = False) -> None:
        self.hidden = False
        self.address = False
        self.declared = declared
        self.names: dict[str, list[MaskingRule]] = {}
        self.each_name: list[MaskingRule] = []
        self.places: dict[int, list[MaskingRule]] = {}
        self.each_item: list[MaskingRule] = []
        self.known: set[str] | None = None

    @property
    def takes_names(self) -> bool:
        """Whether it says something of named values inside."""
        return bool(self.names or self.each_name)

    @property
    def takes_items(self) -> bool:
        return bool(self.places or self.each_item)

    def inner(self) -> list[MaskingRule]:
        named = [rule for rules in self.names.values() for rule in rules]
        placed = [rule for rules in self.places.values() for rule in rules]
        return [*named, *self.each_name, *placed, *self.each_item]

    def prune(self, useful: set[MaskingRule]) -> None:
        """Leave out what leads to nothing hidden."""
        self.names = {name: kept for name, rules in self.names.items() if (kept := _kept(rules, useful))}
        self.places = {place: kept for place, rules in self.places.items() if (kept := _kept(rules, useful))}
        self.each_name = _kept(self.each_name, useful)
        self.each_item = _kept(self.each_item, useful)


Rules = tuple[MaskingRule, ...]


def _kept(rules: list[MaskingRule], useful: set[MaskingRule]) -> list[MaskingRule]:
    return [rule for rule in rules if rule in useful]


def named(rules: Iterable[MaskingRule], name: str) -> Rules:
    """Return the rules of the value with a name."""
    plain = same_name(name)
    return tuple(inner for rule in rules for inner in (*rule.names.get(plain, ()), *rule.each_name))


def is_misspelled(rules: Iterable[MaskingRule], name: str) -> bool:
    """Return whether a name beside secret ones is none there is, so that it may be one of theirs, misspelled."""
    plain = same_name(name)
    return any(rule.known is not None and plain not in rule.known for rule in rules)


def placed(rules: Iterable[MaskingRule], place: int) -> Rules:
    """Return the rules of the item at a place."""
    return tuple(inner for rule in rules for inner in (*rule.places.get(place, ()), *rule.each_item))


def hides_whole(value: Any, rules: Rules, *, fit: bool) -> bool:
    """Return whether a value is replaced by bullets altogether."""
    for rule in rules:
        if rule.hidden:
            return True
        if value is None or (fit and not rule.declared):
            continue
        if isinstance(value, Mapping):
            astray = rule.takes_items and not rule.takes_names
        elif isinstance(value, list):
            astray = rule.takes_names and not rule.takes_items
        else:
            astray = rule.takes_names or rule.takes_items
        if astray or (rule.address and not fit and isinstance(value, list | Mapping)):
            return True
    return False


def masked(value: Any, rules: Rules, *, fit: bool) -> Any:
    """Return a value with what the rules hide replaced by bullets."""
    if not rules:
        return value
    if hides_whole(value, rules, fit=fit):
        return MASK
    if isinstance(value, str):
        return masked_address(value) if any(rule.address for rule in rules) else value
    if isinstance(value, Mapping):
        return {
            name: MASK if not fit and is_misspelled(rules, name) else masked(part, named(rules, name), fit=fit)
            for name, part in value.items()
        }
    if isinstance(value, list):
        return [masked(part, placed(rules, place), fit=fit) for place, part in enumerate(value)]
    return value


def collect(value: Any, rules: Rules, found: set[str], *, fit: bool) -> None:
    """Add the texts and numbers that `masked` hides in a value."""
    if not rules:
        return
    if hides_whole(value, rules, fit=fit):
        found.update(texts_in(value))
    elif isinstance(value, str):
        if any(rule.address for rule in rules):
            found.update(address_secrets(value))
    elif isinstance(value, Mapping):
        for name, part in value.items():
            if not fit and is_misspelled(rules, name):
                found.update(texts_in(part))
            else:
                collect(part, named(rules, name), found, fit=fit)
    elif isinstance(value, list):
        for place, part in enumerate(value):
            collect(part, placed(rules, place), found, fit=fit)
