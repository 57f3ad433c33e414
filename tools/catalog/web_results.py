"""What the web tools return."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import JsonValue

from tools.catalog.web_pages import Link


@dataclass(frozen=True)
class PageText:
    """A page's text, or a piece of it.

    Attributes:
        url: Where it came from, after redirects.
        title: The page's title; empty when it has none.
        text: The text from `start` on.
        start: The first character's position in the whole text.
        characters: How long the whole text is.
        truncated: Whether text follows that is not here; ask again with a larger `start`.
        content_type: What the server called it.
        links: Its links, when asked for.
    """

    url: str
    title: str
    text: str
    start: int
    characters: int
    truncated: bool
    content_type: str
    links: tuple[Link, ...] = ()


@dataclass(frozen=True)
class PageLinks:
    """The links of a page.

    Attributes:
        url: Where the page came from, after redirects.
        links: The links that match, in the page's order.
        found: How many match in all.
        truncated: Whether some of them are missing here.
    """

    url: str
    links: tuple[Link, ...]
    found: int
    truncated: bool


@dataclass(frozen=True)
class HttpAnswer:
    """What a server answered; an error status is an answer too.

    Attributes:
        url: Where it came from, after redirects.
        status: The status code.
        reason: The status in words.
        headers: The answer's headers in small letters; repeated ones are joined by commas.
        body: The body as text; empty when it is none, or is attached.
        json: The body as a value when it is JSON; None otherwise.
        size_bytes: How many bytes of it were read.
        truncated: Whether the body goes on.
        attached: Whether the body is no text and came as an attachment.
        redirects: The addresses passed on the way.
        elapsed_s: Seconds from sending to the last byte read.
    """

    url: str
    status: int
    reason: str
    headers: dict[str, str]
    body: str
    json: JsonValue
    size_bytes: int
    truncated: bool
    attached: bool
    redirects: tuple[str, ...]
    elapsed_s: float


@dataclass(frozen=True)
class Download:
    """A file that was downloaded.

    Attributes:
        path: Where it is now.
        size_bytes: Its size.
        sha256: Its hash.
        content_type: What the server called it.
        url: Where it came from, after redirects.
        resumed_at: How many bytes an earlier call had fetched.
    """

    path: str
    size_bytes: int
    sha256: str
    content_type: str
    url: str
    resumed_at: int = 0
