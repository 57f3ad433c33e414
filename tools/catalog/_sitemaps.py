"""Sitemaps as XML, as text and compressed. Source: sitemaps.org protocol."""

from __future__ import annotations

import zlib
from typing import NamedTuple
from urllib.parse import urljoin

from tools.catalog.web_site_results import SitemapEntry
from tools.errors import ToolFailure


class Sitemap(NamedTuple):
    """One sitemap.

    Attributes:
        entries: The pages it names.
        sitemaps: The addresses of other sitemaps it names.
    """

    entries: tuple[SitemapEntry, ...] = ()
    sitemaps: tuple[str, ...] = ()


def read_sitemap_body(body: bytes, url: str, most_bytes: int) -> Sitemap:
    """Return what a sitemap names.

    Args:
        url: Where it came from, which relative addresses start from.
        most_bytes: The most that may be in it once it is unpacked.

    Raises:
        ToolFailure: It is no sitemap.
    """
    if body.startswith(b"\x1f\x8b"):
        body = _unpacked(body, url, most_bytes)
    start = body[:200].removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(b"<"):
        return _from_xml(body, url)
    lines = [line.strip() for line in body.decode("utf-8", errors="replace").removeprefix("\ufeff").splitlines()]
    entries = tuple(SitemapEntry(line, "") for line in lines if line.startswith(("http://", "https://")))
    if not entries and any(lines):
        raise ToolFailure(f"{url} is no sitemap: expected XML, or an address on each line")
    return Sitemap(entries)


def _unpacked(body: bytes, url: str, most_bytes: int) -> bytes:
    unpacking = zlib.decompressobj(wbits=31)
    try:
        content = unpacking.decompress(body, most_bytes)
    except zlib.error as error:
        raise ToolFailure(f"{url} cannot be unpacked: {error}") from error
    if unpacking.unconsumed_tail:
        raise ToolFailure(f"{url} holds more than {most_bytes:,} bytes once it is unpacked, more than a sitemap may")
    return content


def _from_xml(body: bytes, url: str) -> Sitemap:
    from xml.etree.ElementTree import ParseError  # noqa: PLC0415 -- only the class; defusedxml parses

    from defusedxml import DefusedXmlException  # noqa: PLC0415 -- few calls need it
    from defusedxml.ElementTree import fromstring  # noqa: PLC0415 -- as above

    try:
        root = fromstring(body, forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError) as error:
        raise ToolFailure(f"{url} is no sitemap: {error}") from error
    kind = root.tag.rpartition("}")[2]
    if kind not in {"urlset", "sitemapindex"}:
        raise ToolFailure(f"{url} is no sitemap, but XML with <{kind[:50]}> at its top; read_feed reads feeds")
    found: list[SitemapEntry] = []
    for item in root:
        said = {child.tag.rpartition("}")[2]: (child.text or "").strip() for child in item}
        if said.get("loc"):
            found.append(SitemapEntry(urljoin(url, said["loc"]), said.get("lastmod", "")))
    if kind == "urlset":
        return Sitemap(tuple(found))
    return Sitemap((), tuple(entry.url for entry in found))
