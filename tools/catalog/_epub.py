"""EPUB books, chapter by chapter."""

from __future__ import annotations

import posixpath
import zipfile
from dataclasses import dataclass
from urllib.parse import unquote

from tools.catalog._html_markdown import markdown_of
from tools.catalog._packages import xml_part
from tools.errors import ToolFailure
from tools.web.text import decode_text

CONTAINER = "META-INF/container.xml"
_DC = "{http://purl.org/dc/elements/1.1/}"


@dataclass(frozen=True, slots=True)
class Book:
    """What an EPUB says of itself.

    Attributes:
        language: Its language; empty when it does not say.
        chapters: The parts of the package with its text, in reading order.
    """

    title: str
    authors: tuple[str, ...]
    language: str
    chapters: tuple[str, ...]


def book_of(package: zipfile.ZipFile, name: str) -> Book:
    """Return what a package says of itself.

    Raises:
        ToolFailure: It is damaged.
    """
    container = xml_part(package, CONTAINER, name)
    place = next((item.get("full-path") for item in container.iter() if item.tag.endswith("}rootfile")), None)
    if not place:
        raise ToolFailure(f"{name!r} is no EPUB book: its container names no package")
    root = xml_part(package, place, name)
    hrefs = {
        item.get("id"): item.get("href") or ""
        for item in root.iter()
        if item.tag.endswith("}item") and "html" in (item.get("media-type") or "")
    }
    folder = posixpath.dirname(place)
    spine = [item.get("idref") for item in root.iter() if item.tag.endswith("}itemref")]
    parts = tuple(
        posixpath.normpath(posixpath.join(folder, unquote(hrefs[number]))) for number in spine if number in hrefs
    )

    def words(tag: str) -> list[str]:
        return [(item.text or "").strip() for item in root.iter(f"{_DC}{tag}") if (item.text or "").strip()]

    return Book(next(iter(words("title")), ""), tuple(words("creator")), next(iter(words("language")), ""), parts)


def chapter_markdown(package: zipfile.ZipFile, part: str, name: str) -> str:
    """Return a chapter as Markdown.

    Raises:
        ToolFailure: The package does not have it.
    """
    try:
        content = package.read(part)
    except KeyError as error:
        raise ToolFailure(f"{name!r} names the chapter {part!r}, which it does not have") from error
    return markdown_of(decode_text(content, None))
