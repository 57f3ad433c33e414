"""HTML as people read it: text with its line structure, the title, the links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import urldefrag, urljoin

from selectolax.lexbor import LexborHTMLParser, LexborNode

from tools.errors import ToolFailure

_SILENT: Final = frozenset(
    {"head", "script", "style", "noscript", "template", "svg", "iframe", "object", "canvas", "audio", "video", "select"}
)
_FRAME: Final = frozenset({"nav", "aside", "footer"})
_LINES: Final = frozenset(
    {
        "address",
        "blockquote",
        "caption",
        "dd",
        "details",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
    }
    | {"form", "header", "hr", "html", "legend", "li", "main", "nav", "section", "summary", "tr", "body"}
)
_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_PARAGRAPHS: Final = _HEADINGS | {"article", "p", "pre", "table", "ul", "ol"}
_SPACE: Final = re.compile(r"\s+")
_LONGEST_LABEL: Final = 200
_DEEPEST: Final = 5000
_TAG: Final = re.compile(r"<(/?)([a-z][a-z0-9-]*)", re.IGNORECASE)
# These end by themselves, so a page may open thousands without closing one.
_SELF_ENDING: Final = frozenset(
    {
        "area",
        "base",
        "br",
        "col",
        "dd",
        "dt",
        "embed",
        "hr",
        "img",
        "input",
        "li",
        "link",
        "meta",
        "option",
        "p",
        "param",
    }
    | {"source", "tbody", "td", "tfoot", "th", "thead", "tr", "track", "wbr"}
)


@dataclass(frozen=True, slots=True)
class Link:
    """One link of a page.

    Attributes:
        url: Where it leads, absolute.
        text: The words it stands under, shortened.
    """

    url: str
    text: str


@dataclass(frozen=True, slots=True)
class ReadPage:
    """A page's words.

    Attributes:
        title: The page's title; empty when it has none.
        text: What stands on it, one line a block.
        links: Its links to http and https addresses, each once, in order.
    """

    title: str
    text: str
    links: tuple[Link, ...]


def _is_too_deep(html: str) -> bool:
    """Return whether tags nest deeper than any page needs; the parser's time grows with the square of the depth."""
    depth = 0
    for tag in _TAG.finditer(html):
        if tag[2].lower() not in _SELF_ENDING:
            depth += -1 if tag[1] else 1
            if depth > _DEEPEST:
                return True
    return False


def read_page(html: str, url: str) -> ReadPage:
    """Return the words and links of a page.

    Args:
        html: The page.
        url: Where it came from, which relative links start from.

    Raises:
        ToolFailure: When its tags nest absurdly deep.
    """
    if _is_too_deep(html):
        raise ToolFailure(
            f"the page at {url} nests more than {_DEEPEST:,} tags in each other; get it with http_request instead"
        )
    tree = LexborHTMLParser(html)
    title = tree.css_first("title")
    root = tree.css_first("main") or tree.css_first("[role=main]") or tree.css_first("article")
    text = _text_of(root, frozenset()) if root is not None else ""
    if not text and tree.body is not None:
        text = _text_of(tree.body, _FRAME) or _text_of(tree.body, frozenset())
    return ReadPage(_one_line(title.text()) if title is not None else "", text, tuple(_links(tree, url)))


def _one_line(text: str) -> str:
    return _SPACE.sub(" ", text).strip()


def _links(tree: LexborHTMLParser, url: str) -> Iterator[Link]:
    base = tree.css_first("base[href]")
    start = urljoin(url, (base.attributes.get("href") or "").strip()) if base is not None else url
    seen: set[str] = set()
    for node in tree.css("a[href]"):
        try:
            target = urldefrag(urljoin(start, (node.attributes.get("href") or "").strip())).url
        except ValueError:
            continue
        if target.startswith(("http://", "https://")) and target not in seen:
            seen.add(target)
            yield Link(target, _one_line(node.text(separator=" "))[:_LONGEST_LABEL])


def _walk(root: LexborNode) -> Iterator[tuple[LexborNode, bool]]:
    """Yield each node before its children (False) and again after them (True); deep pages need no deep stack."""
    stack = [(root, False)]
    while stack:
        node, closing = stack.pop()
        if closing:
            yield node, True
            continue
        yield node, False
        stack.append((node, True))
        children = list(node.iter(include_text=True))
        stack += [(child, False) for child in reversed(children)]


class _Writer:
    """Collect text with one space between words and one or two line ends between blocks."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._space = False
        self._line_ends = 0
        self._after_bullet = False

    @property
    def line_is_empty(self) -> bool:
        return not self._parts or self._line_ends > 0 or self._after_bullet

    def write(self, text: str) -> None:
        words = _SPACE.sub(" ", text)
        bare = words.strip()
        if bare:
            spaced = self._space or words.startswith(" ")
            self.write_exactly(f" {bare}" if spaced and not self.line_is_empty else bare)
        self._space = words.endswith(" ") if bare else self._space or bool(words)

    def write_exactly(self, text: str) -> None:
        if self._parts:
            self._parts.append("\n" * self._line_ends)
        self._parts.append(text)
        self._space = self._after_bullet = False
        self._line_ends = 0

    def write_bullet(self) -> None:
        self.write_exactly("- ")
        self._after_bullet = True

    def end_line(self, count: int) -> None:
        """Ask for so many line ends before the next text; what several blocks ask for does not add up."""
        if not self._after_bullet:
            self._line_ends = max(self._line_ends, count)

    def text(self) -> str:
        return "\n".join(line.rstrip() for line in "".join(self._parts).split("\n")).strip("\n")


def _text_of(root: LexborNode, left_out: frozenset[str]) -> str:
    writer = _Writer()
    skipping: list[LexborNode] = []
    preformatted = 0
    for node, closing in _walk(root):
        tag = node.tag or ""
        if skipping:
            if closing and skipping[-1].mem_id == node.mem_id:
                skipping.pop()
            continue
        if tag == "-text":
            if not closing:
                content = node.text_content or ""
                writer.write_exactly(content) if preformatted else writer.write(content)
            continue
        if not closing and (tag in _SILENT or tag in left_out or "hidden" in node.attributes):
            skipping.append(node)
            continue
        preformatted += {"pre": -1 if closing else 1}.get(tag, 0)
        _write_tag(writer, tag, closing=closing)
    return writer.text()


def _write_tag(writer: _Writer, tag: str, *, closing: bool) -> None:
    if tag in _PARAGRAPHS:
        writer.end_line(2)
    elif tag in _LINES or (tag == "br" and not closing):
        writer.end_line(1)
    if closing:
        return
    if tag == "li":
        writer.write_bullet()
    elif tag in {"td", "th"} and not writer.line_is_empty:
        writer.write_exactly(" | ")
    elif tag in _HEADINGS:
        writer.write_exactly("#" * int(tag[1]) + " ")
