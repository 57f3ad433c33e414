"""HTML as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final
from urllib.parse import urljoin

from tools.errors import ToolFailure

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_SPACE: Final = re.compile(r"\s+")
_SPECIAL: Final = re.compile(r"([\\`*_\[\]<])")
_LINE_START: Final = re.compile(r"^(#{1,6}\s|[-+]\s|\d+\.\s|>)")
_MARKS: Final = {"strong": "**", "b": "**", "em": "*", "i": "*", "del": "~~", "s": "~~"}
_SILENT: Final = frozenset({"head", "script", "style", "noscript", "template", "svg", "iframe", "object", "canvas"})
_BLOCKS: Final = frozenset(
    {"address", "article", "aside", "blockquote", "body", "center", "dd", "details", "div", "dl", "dt", "fieldset"}
    | {"figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html", "li"}
    | {"main", "nav", "ol", "p", "pre", "section", "summary", "table", "ul"}
)
_HEADING: Final = re.compile(r"h[1-6]")
_DEEPEST: Final = 150


def markdown_of(html: str, base_url: str = "") -> str:
    """Return the Markdown of an HTML text.

    Args:
        base_url: What relative links are relative to; empty leaves them as they are.

    Raises:
        ToolFailure: It is nested too deeply.
    """
    from selectolax.lexbor import LexborHTMLParser  # noqa: PLC0415 -- few tools need it

    root = LexborHTMLParser(html).body
    if root is None:
        return ""
    text = "\n\n".join(_Writer(base_url).blocks(root, 0))
    return f"{text}\n" if text else ""


class _Writer:
    def __init__(self, base_url: str) -> None:
        self._base_url = base_url

    def blocks(self, node: LexborNode, depth: int) -> Iterator[str]:
        """Yield what is in a node, block by block."""
        if depth > _DEEPEST:
            raise ToolFailure(f"the HTML is nested more than {_DEEPEST} levels deep")
        run: list[str] = []
        for child in node.iter(include_text=True):
            tag = child.tag or ""
            if tag in _SILENT:
                continue
            if tag in _BLOCKS:
                yield from _paragraph(run)
                run = []
                yield from self._block(child, tag, depth + 1)
            else:
                run.append(self._inline(child, depth + 1))
        yield from _paragraph(run)

    def _block(self, node: LexborNode, tag: str, depth: int) -> Iterator[str]:
        if _HEADING.fullmatch(tag):
            words = _SPACE.sub(" ", self._children(node, depth)).strip()
            if words:
                yield f"{'#' * int(tag[1])} {words}"
        elif tag == "hr":
            yield "---"
        elif tag == "pre":
            yield _fenced(node.text(deep=True), _language(node))
        elif tag in {"ul", "ol"}:
            yield from self._list(node, depth, numbered=tag == "ol")
        elif tag == "blockquote":
            inner = "\n\n".join(self.blocks(node, depth))
            if inner:
                yield "\n".join(f"> {line}".rstrip() for line in inner.split("\n"))
        elif tag == "table":
            yield from self._table(node, depth)
        elif tag == "dt":
            yield from (f"**{words}**" for words in [self._children(node, depth).strip()] if words)
        else:
            yield from self.blocks(node, depth)

    def _list(self, node: LexborNode, depth: int, *, numbered: bool) -> Iterator[str]:
        items: list[str] = []
        for child in node.iter():
            inner = list(self.blocks(child, depth + 1))
            if not inner:
                continue
            mark = f"{len(items) + 1}. " if numbered else "- "
            # A list in an item follows its words without an empty line.
            text = "\n".join(inner) if len(inner) > 1 and inner[1].startswith(("- ", "1. ")) else "\n\n".join(inner)
            items.append(mark + text.replace("\n", "\n" + " " * len(mark)))
        if items:
            yield "\n".join(items)

    def _table(self, node: LexborNode, depth: int) -> Iterator[str]:
        rows = [
            [
                _SPACE.sub(" ", self._children(cell, depth + 1)).strip().replace("|", "\\|")
                for cell in row.iter()
                if cell.tag in {"td", "th"}
            ]
            for row in node.css("tr")
        ]
        yield from table_lines([row for row in rows if row])

    def _inline(self, node: LexborNode, depth: int) -> str:
        tag = node.tag or ""
        if depth > _DEEPEST:
            raise ToolFailure(f"the HTML is nested more than {_DEEPEST} levels deep")
        if tag == "-text":
            return escaped(_SPACE.sub(" ", node.text(deep=False)))
        if tag in _SILENT or tag.startswith(("-", "!")):
            return ""
        if tag == "br":
            return "  \n"
        if tag == "img":
            source = self._address(node.attributes.get("src"))
            return f"![{escaped(node.attributes.get('alt') or '')}]({source})" if source else ""
        if tag == "code":
            return code_span(node.text(deep=True))
        inner = self._children(node, depth)
        if tag == "a":
            target = self._address(node.attributes.get("href"))
            return f"[{inner.strip()}]({target})" if target and inner.strip() else inner
        return marked(inner, _MARKS[tag]) if tag in _MARKS else inner

    def _children(self, node: LexborNode, depth: int) -> str:
        return "".join(self._inline(child, depth + 1) for child in node.iter(include_text=True))

    def _address(self, text: str | None) -> str:
        address = (text or "").strip()
        if not address or address.lower().startswith(("javascript:", "data:")):
            return ""
        whole = urljoin(self._base_url, address) if self._base_url else address
        return f"<{whole}>" if re.search(r"[\s()]", whole) else whole


def escaped(text: str) -> str:
    """Return a text whose signs mean nothing in Markdown."""
    return _SPECIAL.sub(r"\\\1", text)


def marked(text: str, mark: str) -> str:
    """Return a text between marks, which stand at its words and not at the spaces around them."""
    words = text.strip()
    if not words:
        return text
    before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    return f"{before}{mark}{words}{mark}{after}"


def code_span(text: str) -> str:
    """Return a text as code within a line."""
    fence = "``" if "`" in text else "`"
    return f"{fence}{text}{fence}" if text else ""


def table_lines(rows: list[list[str]]) -> Iterator[str]:
    """Yield a table of Markdown, whose first row is its head; nothing when there are no rows."""
    if not rows:
        return
    width = max(map(len, rows))
    lines = ["| " + " | ".join(row + [""] * (width - len(row))) + " |" for row in rows]
    lines.insert(1, "|" + " --- |" * width)
    yield "\n".join(lines)


def _paragraph(run: list[str]) -> Iterator[str]:
    lines = [line.strip() for line in "".join(run).strip().split("  \n")]
    text = "  \n".join(_SPACE.sub(" ", line) for line in lines).strip()
    if text:
        yield _LINE_START.sub(r"\\\1", text)


def _fenced(text: str, language: str) -> str:
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}{language}\n{text.strip(chr(10))}\n{fence}"


def _language(node: LexborNode) -> str:
    code = node.css_first("code")
    names = (code.attributes.get("class") if code is not None else None) or ""
    return next((name.removeprefix("language-") for name in names.split() if name.startswith("language-")), "")
