"""The links of a page or a Markdown file, sorted into those to ask about and those that are looked up in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import unquote, urldefrag, urljoin

from selectolax.lexbor import LexborHTMLParser

from tools.catalog.web_site_results import BrokenLink
from tools.errors import ToolFailure
from tools.web.addresses import parse_url

_MOST_BYTES: Final = 5_000_000
_SLUG_OUT: Final = re.compile(r"[^\w\- ]")
_HTML_ID: Final = re.compile(r"""<[a-z][^<>]*?\s(?:id|name)\s*=\s*["']?([^"'\s>]+)""", re.IGNORECASE)
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_LONGEST_LABEL: Final = 200


class LinkSource(NamedTuple):
    """The links of one text.

    Attributes:
        addresses: Links to web addresses, each once, which are still to be asked about.
        broken: Links that lead nowhere, found without asking anybody.
        checked: How many were looked at without asking anybody.
        left_out: How many cannot be looked at, such as mail addresses.
    """

    addresses: tuple[BrokenLink, ...]
    broken: tuple[BrokenLink, ...]
    checked: int
    left_out: int


def page_link_source(html: str, url: str) -> LinkSource:
    """Return the links and pictures of a page; those into the page itself are looked up."""
    tree = LexborHTMLParser(html)
    base = tree.css_first("base[href]")
    start = urljoin(url, base.attributes.get("href") or "") if base is not None else url
    names = {value for node in tree.css("[id], a[name]") for value in (node.id, node.attributes.get("name")) if value}
    found = [
        (node.attributes.get(name) or "", node.text(separator=" ").strip()[:_LONGEST_LABEL])
        for tag, name in (("a[href]", "href"), ("img[src]", "src"), ("script[src]", "src"), ("link[href]", "href"))
        for node in tree.css(tag)
    ]
    return _sorted(found, start, names, None, None)


def markdown_links(path: Path, project_dir: Path) -> LinkSource:
    """Return the links and pictures of a Markdown file; those to files and into the text are looked up.

    Raises:
        ToolFailure: The file cannot be read.
    """
    from markdown_it import MarkdownIt  # noqa: PLC0415 -- few calls need it

    text = _text_of(path)
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    found: list[tuple[str, str]] = []
    headings: list[str] = []
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            headings.append("".join(part.content for part in tokens[place + 1].children or ()))
        children = token.children or ()
        for number, child in enumerate(children):
            if child.type == "link_open":
                label = children[number + 1].content if number + 1 < len(children) else ""
                found.append((str(child.attrs.get("href", "")), label[:_LONGEST_LABEL]))
            elif child.type == "image":
                found.append((str(child.attrs.get("src", "")), child.content[:_LONGEST_LABEL]))
    names = set(_slugs(headings)) | set(_HTML_ID.findall(text))
    return _sorted(found, "", names, path, project_dir)


def _text_of(path: Path) -> str:
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise ToolFailure(f"{path} is larger than {_MOST_BYTES:,} bytes; check a smaller file")
        return path.read_text("utf-8-sig")
    except OSError as error:
        raise ToolFailure(f"{path} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise ToolFailure(f"{path} is no UTF-8 text; expected a Markdown file") from error


def _slugs(headings: list[str]) -> Iterator[str]:
    """Yield the anchors that GitHub gives to headings; equal ones are numbered."""
    given: dict[str, int] = {}
    for heading in headings:
        slug = _SLUG_OUT.sub("", heading.strip().lower()).replace(" ", "-")
        count = given.get(slug, 0)
        given[slug] = count + 1
        yield f"{slug}-{count}" if count else slug


def _sorted(
    found: list[tuple[str, str]], start: str, names: set[str], path: Path | None, project_dir: Path | None
) -> LinkSource:
    addresses: dict[str, BrokenLink] = {}
    broken: list[BrokenLink] = []
    checked = left_out = 0
    for target, label in dict(found).items():
        fault: str | None = None
        if target.startswith("#") or (path is None and urldefrag(urljoin(start, target)).url == urldefrag(start).url):
            fault = _anchor_fault(target.partition("#")[2], names)
        elif _SCHEME.match(target) or target.startswith("//") or path is None:
            address = _address(urljoin(start or "https:", target))
            if address:
                addresses.setdefault(address, BrokenLink(address, label))
            else:
                left_out += 1
            continue
        elif project_dir is not None:
            place = path.parent / unquote(target.partition("#")[0].partition("?")[0])
            if not place.resolve().is_relative_to(project_dir.resolve()):
                left_out += 1
                continue
            fault = "" if place.exists() else "there is no such file"
        checked += 1
        if fault:
            broken.append(BrokenLink(target, label, fault))
    return LinkSource(tuple(addresses.values()), tuple(broken), checked, left_out)


def _address(url: str) -> str:
    """Return an address that can be asked about, without its anchor; empty for any other."""
    try:
        parse_url(url)
    except ToolFailure:
        return ""
    return urldefrag(url).url


def _anchor_fault(anchor: str, names: set[str]) -> str:
    if not anchor or anchor == "top" or anchor in names or unquote(anchor) in names:
        return ""
    return "the text has no such anchor"
