"""What is shown of prompts and of their texts, as plain values."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from console.assets import Picture
from console.json_view import TextSpan
from console.language import tr, tr_count, translated
from console.widgets.formats import format_duration_ms
from tools.card import PromptCard, PromptText, SourceKind
from tools.sentences import begin_sentence
from tools.spec import Role

_ROLES: Final = {Role.USER: tr("Speaks as the user"), Role.ASSISTANT: tr("Speaks as the assistant")}
_ROLE_NAMES: Final = {str(Role.USER): tr("User"), str(Role.ASSISTANT): tr("Assistant")}


class PromptRow(NamedTuple):
    """A text that is made from arguments.

    Attributes:
        label: What it is called where its source is known: the own name of a server's prompt.
        title: A name for people; empty for none.
        origin: Who speaks, and where it comes from, in words.
        schema: JSON Schema of its arguments.
        arguments: Their names, in words.
        is_of_server: Whether an MCP server makes the text.
        picture: Its own icon in place of ours; None while there is none.
    """

    name: str
    label: str
    title: str
    description: str
    origin: str
    source: str
    schema: Mapping[str, Any]
    arguments: str
    is_of_server: bool = False
    picture: Picture | None = None

    @property
    def searched(self) -> str:
        """What a filter looks through."""
        return f"{self.name}\n{self.title}\n{self.description}\n{self.origin}".casefold()


def prompt_row(card: PromptCard) -> PromptRow:
    """Give the row of a prompt."""
    is_of_server = card.source.kind is SourceKind.SERVER
    place = (
        tr("the server {name}", name=card.source.name)
        if is_of_server
        else tr("{toolkit} in {source}", toolkit=translated(card.toolkit), source=translated(card.source.name))
        if card.toolkit and card.source.name
        else translated(card.toolkit or card.source.name)
    )
    speaks = tr("Its messages say who speaks") if card.role is None else _ROLES[card.role]
    names = card.input_schema.get("properties")
    return PromptRow(
        name=card.name,
        # A server's prompts are registered under its name and a dot.
        label=card.name.partition(".")[2] if is_of_server else card.name,
        title=card.title,
        description=card.description,
        origin=tr("{speaks} · from {place}", speaks=speaks, place=place),
        source=translated(card.source.name if is_of_server or not card.toolkit else card.toolkit),
        schema=card.input_schema,
        arguments=", ".join(names) if isinstance(names, Mapping) else "",
        is_of_server=is_of_server,
    )


class PromptReading(NamedTuple):
    """What a prompt says, as it is shown.

    Attributes:
        shown: All messages, each below its role.
        spans: The coloured parts of the lines of that, as far as any has some.
        text: What is copied of it: the text of the one message, else those of all below their roles.
        document: The same as the JSON that is sent.
        note: How long it is, and took.
    """

    shown: str
    spans: Sequence[Sequence[TextSpan]]
    text: str
    document: str
    note: str


def reading_of(said: PromptText, elapsed_ms: float) -> PromptReading:
    """Give what a prompt says as it is shown; it looks through all of it, so it belongs into a thread."""
    lines: list[str] = []
    spans: list[tuple[TextSpan, ...]] = []
    for role, text in said.parts:
        heading = _ROLE_NAMES.get(role) or begin_sentence(role) or tr("No role")
        body = text.split("\n")
        lines += [heading, *body, ""]
        spans += [(TextSpan(0, len(heading), "keyword"),), *[()] * (len(body) + 1)]
    letters = sum(len(text) for _, text in said.parts)
    return PromptReading(
        shown="\n".join(lines[:-1]),
        spans=spans[:-1],
        text=said.text,
        document=json.dumps(list(said.messages), indent=2, ensure_ascii=False),
        note=tr_count(
            len(said.messages),
            "1 message, {letters:,} letters, in {time}",
            "{count:,} messages, {letters:,} letters, in {time}",
            letters=letters,
            time=format_duration_ms(elapsed_ms),
        ),
    )
