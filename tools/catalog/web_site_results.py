"""What the tools that visit sites return."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CrawledPage:
    """One page of a site.

    Attributes:
        url: Its address, after redirects.
        title: Its title; empty when it has none.
        text: The beginning of its text.
        characters: How long its text is.
        depth: How many links it is away from the first page.
        links: How many links it has.
        truncated: Whether text is missing here.
    """

    url: str
    title: str
    text: str
    characters: int
    depth: int
    links: int
    truncated: bool


@dataclass(frozen=True)
class BrokenLink:
    """One link that leads nowhere.

    Attributes:
        url: Where it should lead.
        text: The words it stands under; empty when there are none.
        reason: Why it leads nowhere.
    """

    url: str
    text: str
    reason: str = ""


@dataclass(frozen=True)
class CrawledSite:
    """The pages of a site.

    Attributes:
        pages: The pages, the nearest first.
        failed: Pages that could not be fetched, the first hundred.
        forbidden: How many addresses robots.txt keeps programs from.
        waiting: How many addresses were found and not fetched.
        truncated: Whether there is more.
    """

    pages: tuple[CrawledPage, ...]
    failed: tuple[BrokenLink, ...]
    forbidden: int
    waiting: int
    truncated: bool


@dataclass(frozen=True)
class RobotsAnswer:
    """What a site's robots.txt says of an address.

    Attributes:
        allowed: Whether the program may fetch it.
        rule: The rule that decides; empty when none speaks of it.
        group: The program that the rules are written for, `*` for all; empty when there are none.
        delay_s: Seconds that are wanted between two requests; None when nothing is said.
        sitemaps: The addresses of the site's sitemaps.
        unavailable: Whether the file cannot be had because of the site's own fault, so that nothing is allowed.
    """

    allowed: bool
    rule: str
    group: str
    delay_s: float | None
    sitemaps: tuple[str, ...]
    unavailable: bool


@dataclass(frozen=True)
class SitemapEntry:
    """One page that a sitemap names.

    Attributes:
        url: Its address.
        changed: When it last changed, as the sitemap says it; empty when it does not.
    """

    url: str
    changed: str


@dataclass(frozen=True)
class SitemapPages:
    """The pages that a sitemap names.

    Attributes:
        pages: The first that match.
        found: How many match in the sitemaps that were read.
        sitemaps: How many sitemaps were read.
        truncated: Whether some are missing here.
    """

    pages: tuple[SitemapEntry, ...]
    found: int
    sitemaps: int
    truncated: bool


@dataclass(frozen=True)
class LinkReport:
    """The links that lead nowhere.

    Attributes:
        checked: How many links were looked at.
        broken: Those that lead nowhere, in their order.
        left_out: How many were not looked at: other hosts, private addresses, mail and the like.
        truncated: Whether there were more links than the limit.
    """

    checked: int
    broken: tuple[BrokenLink, ...]
    left_out: int
    truncated: bool
