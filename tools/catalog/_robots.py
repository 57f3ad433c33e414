"""What a site's robots.txt lets a program fetch. Source: RFC 9309; the library's parser knows no wildcards."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple
from urllib.parse import quote, unquote

MOST_BYTES: Final = 500 * 1024
"""How much of a file is read at least. Source: RFC 9309, 2.5."""
_LONGEST_PATTERN: Final = 2000


class RobotsRule(NamedTuple):
    """One rule.

    Attributes:
        pattern: The path it is about, with `*` for anything and `$` for the end.
    """

    allow: bool
    pattern: str

    def matches(self, path: str) -> bool:
        return _matches(self.pattern, path)


class RobotsGroup(NamedTuple):
    """The rules for one program.

    Attributes:
        agent: The program they are for; `*` for all that have no rules of their own.
        delay_s: Seconds wanted between two requests; None when nothing is said.
    """

    agent: str
    rules: tuple[RobotsRule, ...]
    delay_s: float | None

    def rule_for(self, path: str) -> RobotsRule | None:
        """Return the rule that decides about a path: the longest, of equals the one that allows; None for none."""
        normal = _normal(path)
        if normal.partition("?")[0] == "/robots.txt":
            return None
        found = [rule for rule in self.rules if rule.matches(normal)]
        return max(found, key=lambda rule: (len(rule.pattern), rule.allow), default=None)

    def allows(self, path: str) -> bool:
        """Return whether a path may be fetched."""
        rule = self.rule_for(path)
        return rule is None or rule.allow


class Robots(NamedTuple):
    """A robots.txt that was read.

    Attributes:
        groups: The rules by program, as they are written.
    """

    groups: tuple[RobotsGroup, ...] = ()
    sitemaps: tuple[str, ...] = ()

    def group_for(self, agent: str) -> RobotsGroup:
        """Return the rules for a program; those for all when it has none of its own."""
        own = [group for group in self.groups if group.agent == agent.lower()]
        chosen = own or [group for group in self.groups if group.agent == "*"]
        delays = [group.delay_s for group in chosen if group.delay_s is not None]
        rules = tuple(rule for group in chosen for rule in group.rules)
        return RobotsGroup(agent.lower() if own else "*", rules, max(delays, default=None))


FORBIDDEN: Final = Robots((RobotsGroup("*", (RobotsRule(allow=False, pattern="/"),), None),))
"""What holds while a site's file cannot be had because of the site's own fault. Source: RFC 9309, 2.3.1.4."""


def parse_robots(text: str) -> Robots:
    """Return what a robots.txt says; lines that mean nothing are passed over."""
    groups: list[RobotsGroup] = []
    sitemaps: list[str] = []
    agents: list[str] = []
    rules: list[RobotsRule] = []
    delay: float | None = None
    naming = False

    def end_group() -> None:
        groups.extend(RobotsGroup(agent, tuple(rules), delay) for agent in agents)

    for key, value in _lines(text):
        if key == "sitemap":
            sitemaps.append(value)
        elif key == "user-agent":
            if not naming:
                end_group()
                agents, rules, delay = [], [], None
            agents.append(value.lower())
            naming = True
        elif key in {"allow", "disallow"}:
            naming = False
            # An empty rule says nothing.
            if value and len(value) <= _LONGEST_PATTERN:
                rules.append(RobotsRule(key == "allow", _normal(value)))
        elif key == "crawl-delay":
            naming = False
            delay = _seconds(value)
    end_group()
    return Robots(tuple(groups), tuple(sitemaps))


def _lines(text: str) -> Iterator[tuple[str, str]]:
    for line in text.removeprefix("\ufeff").splitlines():
        key, found, value = line.partition("#")[0].partition(":")
        if found:
            yield key.strip().lower(), value.strip()


def _seconds(text: str) -> float | None:
    return float(text) if re.fullmatch(r"\d{1,5}(\.\d{1,3})?", text) else None


def _normal(path: str) -> str:
    """Return a path with its escapes written in one way."""
    return quote(unquote(path), safe="/?&=*$%:@!~;,+'()[]-._")


def _matches(pattern: str, path: str) -> bool:
    """Return whether a pattern stands at the beginning of a path, in time that grows with both lengths only."""
    ends = pattern.endswith("$")
    first, *others = pattern.removesuffix("$").split("*")
    if not path.startswith(first):
        return False
    place = len(first)
    for part in others[:-1]:
        found = path.find(part, place)
        if found < 0:
            return False
        place = found + len(part)
    if not others:
        return not ends or place == len(path)
    last = others[-1]
    if ends:
        return path.endswith(last) and len(path) - len(last) >= place
    return path.find(last, place) >= 0
