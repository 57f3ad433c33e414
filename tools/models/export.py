"""A conversation as a file for people or programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tools.models.messages import Answer, CallResults, UserMessage

if TYPE_CHECKING:
    from tools.models.journal import KeptConversation

_FENCE = "```"


def markdown_of(kept: KeptConversation, title: str) -> str:
    """Return a conversation as Markdown: what was said, the calls with their arguments, and what came of them."""
    return "\n\n".join((f"# {title}", f"With {kept.begun.model} of {kept.begun.provider}.", *_parts(kept))) + "\n"


def json_of(kept: KeptConversation) -> str:
    """Return a conversation as a JSON document; pictures are written in Base64."""
    return kept.model_dump_json(indent=2) + "\n"


def _parts(kept: KeptConversation) -> Iterator[str]:
    for message in kept.messages:
        if isinstance(message, UserMessage):
            pictures = f"\n\n({len(message.images)} pictures)" if message.images else ""
            yield f"## You\n\n{message.text}{pictures}"
        elif isinstance(message, Answer):
            if message.text.strip():
                yield f"## Assistant\n\n{message.text}"
        elif isinstance(message, CallResults):
            for result in message.results:
                arguments = _fenced(result.arguments, "json")
                yield f"### {result.name}: {result.status}\n\n{arguments}\n\n{_fenced(result.text)}"


def _fenced(text: str, language: str = "") -> str:
    """Return text as a block of code, whose fence is longer than any in it."""
    fence = _FENCE
    while fence in text:
        fence += "`"
    return f"{fence}{language}\n{text}\n{fence}"
