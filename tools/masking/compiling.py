"""Compile rules from the paths that a policy names and from what schemas call secret."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from tools.masking.paths import Part, PathWildcard, parse_path, same_name
from tools.masking.rules import MaskingRule, Rules, named

RESULT: Final = "result"
"""The first name of paths that lead into the result."""
_ADDRESSES: Final = frozenset({"iri", "uri", "uri-reference", "url"})
_ALTERNATIVES: Final = ("allOf", "anyOf", "oneOf")
_SAME_VALUE: Final = ("if", "then", "else")
_EVERY_NAME: Final = ("additionalProperties", "unevaluatedProperties")
_MOST_STEPS: Final = 300_000
"""How many nodes are read, each as often as it speaks of another value."""
_MOST_DIGITS: Final = 10
_EVERY_ITEM: Final = ("items", "contains", "unevaluatedItems", "additionalItems")


def rules_of_paths(fields: Iterable[str], input_schema: Mapping[str, Any]) -> tuple[Rules, Rules]:
    """Return the rules of the arguments and those of the result that paths stand for.

    Raises:
        ValueError: When a field is no path.
    """
    takes_result = any(same_name(name) == RESULT for name in _mapping(input_schema.get("properties")))
    arguments, result = MaskingRule(declared=True), MaskingRule(declared=True)
    for field in fields:
        parts = parse_path(field)
        if parts[0] == RESULT:
            _lead(result, parts[1:])
        if parts[0] != RESULT or takes_result:
            _lead(arguments, parts)
    return useful((arguments,)), useful((result,))


def rules_of_schema(document: Mapping[str, Any]) -> Rules:
    """Return the rules of a JSON Schema: `writeOnly` and `format: password` hide, `format: uri` marks an address.

    References inside the document are followed, also into themselves.
    """
    return useful((_Reader(document).root,))


def marked(document: Mapping[str, Any], rules: Rules) -> dict[str, Any]:
    """Return a schema in which `writeOnly` stands at everything that rules hide, so that no form shows it either."""
    whole: dict[str, Any] = _Marker(document).marked(document, rules, frozenset())
    return whole


class _Marker:
    """Write `writeOnly` into a copy of a schema, where rules hide something; references there are written out."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = document
        self._left = _MOST_STEPS

    def marked(self, node: Any, rules: Rules, above: frozenset[int]) -> Any:
        if not rules or not isinstance(node, Mapping):
            return node
        self._left -= 1
        if any(rule.hidden for rule in rules):
            return {**node, "writeOnly": True}
        if self._left < 0:
            # References can make a small schema endless written out; what is not looked at is hidden.
            return {"writeOnly": True}
        reference = node.get("$ref")
        if isinstance(reference, str):
            target = _target(self._document, reference)
            if not isinstance(target, Mapping) or id(target) in above:
                return node
            beside = {key: value for key, value in node.items() if key != "$ref"}
            return self.marked({**target, **beside}, rules, above | {id(target)})
        new = dict(node)
        if properties := _mapping(node.get("properties")):
            new["properties"] = {
                name: self.marked(inner, named(rules, name), above) for name, inner in properties.items()
            }
        for word in _ALTERNATIVES:
            if members := _list(node.get(word)):
                new[word] = [self.marked(member, rules, above) for member in members]
        if isinstance(node.get("items"), Mapping):
            every = tuple(inner for rule in rules for inner in rule.each_item)
            new["items"] = self.marked(node["items"], every, above)
        return new


def _lead(rule: MaskingRule, parts: Iterable[Part]) -> None:
    for part in parts:
        inner = MaskingRule(declared=True)
        if isinstance(part, str):
            rule.names.setdefault(part, []).append(inner)
        elif isinstance(part, int):
            rule.places.setdefault(part, []).append(inner)
        elif part is PathWildcard.NAME:
            rule.each_name.append(inner)
        else:
            rule.each_item.append(inner)
        rule = inner
    rule.hidden = True


def useful(roots: Rules) -> Rules:
    """Return those rules that hide something, without the parts of them that do not; they may contain themselves."""
    every: list[MaskingRule] = list(dict.fromkeys(roots))
    known = set(every)
    for rule in every:
        for inner in rule.inner():
            if inner not in known:
                known.add(inner)
                every.append(inner)
    holders: dict[MaskingRule, list[MaskingRule]] = {}
    for rule in every:
        for inner in rule.inner():
            holders.setdefault(inner, []).append(rule)
    waiting = [rule for rule in every if rule.hidden or rule.address]
    kept = set(waiting)
    while waiting:
        for rule in holders.get(waiting.pop(), ()):
            if rule not in kept:
                kept.add(rule)
                waiting.append(rule)
    for rule in kept:
        rule.prune(kept)
    return tuple(rule for rule in roots if rule in kept)


class _Reader:
    """Read a JSON Schema into rules, each of its nodes once."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = document
        self._left = _MOST_STEPS
        self._rule_by_node: dict[int, MaskingRule] = {}
        self._waiting: list[tuple[MaskingRule, Mapping[str, Any]]] = []
        [self.root] = self._rules_of(document)
        # No recursion: references may lead on and on.
        while self._waiting:
            self._fill(*self._waiting.pop())

    def _rules_of(self, node: Any) -> list[MaskingRule]:
        if not isinstance(node, Mapping):
            return []
        rule = self._rule_by_node.get(id(node))
        if rule is None:
            rule = self._rule_by_node[id(node)] = MaskingRule()
            self._waiting.append((rule, node))
        return [rule]

    def _fill(self, rule: MaskingRule, whole: Mapping[str, Any]) -> None:
        """Add what a node says of its value, whichever of its alternatives holds."""
        seen: set[int] = set()
        waiting: list[Any] = [whole]
        while waiting:
            node = waiting.pop()
            if not isinstance(node, Mapping) or id(node) in seen:
                continue
            seen.add(id(node))
            self._left -= 1
            if self._left < 0:
                # So many nodes, each read for itself, are a schema made to take long.
                rule.hidden = True
                return
            waiting += self._add(rule, node)

    def _add(self, rule: MaskingRule, node: Mapping[str, Any]) -> list[Any]:
        """Add what one node says, and return those that speak of the same value."""
        rule.hidden |= node.get("writeOnly") is True or node.get("format") == "password"
        rule.address |= node.get("format") in _ADDRESSES
        if node.get("additionalProperties") is False:
            rule.known = (rule.known or set()).union(map(same_name, _mapping(node.get("properties"))))
        for name, inner in _mapping(node.get("properties")).items():
            rule.names.setdefault(same_name(name), []).extend(self._rules_of(inner))
        for inner in (*_mapping(node.get("patternProperties")).values(), *(node.get(word) for word in _EVERY_NAME)):
            rule.each_name.extend(self._rules_of(inner))
        for word in ("prefixItems", "items"):
            for place, inner in enumerate(_list(node.get(word))):
                rule.places.setdefault(place, []).extend(self._rules_of(inner))
        for word in _EVERY_ITEM:
            rule.each_item.extend(self._rules_of(node.get(word)))
        reference = node.get("$ref")
        same: list[Any] = [_target(self._document, reference)] if isinstance(reference, str) else []
        same += [member for word in _ALTERNATIVES for member in _list(node.get(word))]
        same += [node.get(word) for word in _SAME_VALUE]
        same += _mapping(node.get("dependentSchemas")).values()
        return same


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _target(document: Mapping[str, Any], reference: str) -> Any:
    """Return what a reference inside the document leads to; None when it leads nowhere."""
    if reference != "#" and not reference.startswith("#/"):
        return None
    node: Any = document
    for part in reference.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~").replace("%25", "%")
        if isinstance(node, list) and key.isdecimal() and len(key) < _MOST_DIGITS and int(key) < len(node):
            node = node[int(key)]
        else:
            node = _mapping(node).get(key)
    return node
