"""What the dialog about an API shows, as plain values."""

from __future__ import annotations

from enum import Enum, auto
from typing import Final, NamedTuple

from console.language import tr, tr_count
from console.widgets import TextTone

LOOK_BY_EFFECT: Final[dict[str, tuple[str, str, TextTone]]] = {
    "reads": (tr("reads"), "eye", "text2"),
    "changes": (tr("changes"), "square-pen", "warn"),
    "deletes": (tr("deletes"), "trash-2", "error"),
}
"""Icon and colour of what an operation does."""


class ApiTask(Enum):
    """What is done about an API."""

    ADD = auto()
    ALLOW = auto()
    CHANGE = auto()


class OperationRow(NamedTuple):
    """One operation.

    Attributes:
        key: Its method and path.
        effect: `reads`, `changes` or `deletes`.
        tool: What its tool is called, without the API's name.
        is_chosen: Whether it is a tool, or is about to be.
    """

    key: str
    method: str
    path: str
    effect: str
    tool: str
    summary: str
    is_chosen: bool = True


class ApiKeyRow(NamedTuple):
    """One key that operations ask for.

    Attributes:
        scheme: What the document calls it.
        variable: The variable of the environment that holds it in the keyring's place; empty for none.
    """

    scheme: str
    words: str
    variable: str
    is_kept: bool


class ApiPreview(NamedTuple):
    """What a document offers.

    Attributes:
        name: What the API may be called, or is called.
        base: The address that requests go to; empty when the document names none.
        given_base: The address that a person gave in the place of the document's; empty for none.
        hosts: Other addresses that some operations go to.
        problems: What of it cannot be used.
        suspicions: What in its words a person should look at.
    """

    source: str
    title: str
    name: str
    base: str
    given_base: str
    hosts: tuple[str, ...]
    operations: tuple[OperationRow, ...]
    keys: tuple[ApiKeyRow, ...]
    problems: tuple[str, ...]
    suspicions: tuple[str, ...] = ()


class ApiDraft(NamedTuple):
    """What a person decided about an API.

    Attributes:
        base: The address that requests go to; empty leaves it to the document.
        operations: The chosen ones.
        keys: Keys that were typed, by scheme.
    """

    source: str
    name: str
    base: str
    operations: tuple[str, ...]
    keys: dict[str, str]


def summary_words(preview: ApiPreview, chosen: int) -> str:
    """Say what a document offers, and how much of it is chosen."""
    count = len(preview.operations)
    changing = sum(row.effect != "reads" for row in preview.operations)
    title = preview.title or tr("This document")
    words = tr_count(count, "{title}: {count:,} operation", "{title}: {count:,} operations", title=title)
    if changing:
        words = tr_count(
            changing,
            "{operations}, {count:,} of which changes something and ask first",
            "{operations}, {count:,} of which change something and ask first",
            operations=words,
        )
    return words if chosen == count else tr("{words}. {chosen:,} chosen", words=words, chosen=chosen)


def warnings(preview: ApiPreview) -> tuple[str, ...]:
    """Say what to know before it is kept: where else requests go, and what cannot be used."""
    said = []
    if preview.hosts:
        said.append(tr("Some operations go to {hosts}, with the same keys.", hosts=", ".join(preview.hosts)))
    if preview.suspicions:
        said.append(tr("Look at the words of {operations}", operations=_first(preview.suspicions)))
    if preview.problems:
        said.append(tr("Cannot be used: {problem}", problem=_first(preview.problems)))
    return tuple(said)


def _first(sentences: tuple[str, ...]) -> str:
    first, more = sentences[0], len(sentences) - 1
    return tr("{first} (and {more:,} more)", first=first, more=more) if more else first
