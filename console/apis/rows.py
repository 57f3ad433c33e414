"""What the dialog about an API shows, as plain values."""

from __future__ import annotations

from enum import Enum, auto
from typing import Final, NamedTuple

from console.language import tr
from console.widgets import TextTone

LOOK_BY_EFFECT: Final[dict[str, tuple[str, TextTone]]] = {
    "reads": ("eye", "text2"),
    "changes": ("square-pen", "warn"),
    "deletes": ("trash-2", "error"),
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
        method: In capitals.
        path: Its path.
        effect: `reads`, `changes` or `deletes`.
        tool: What its tool is called, without the API's name.
        summary: What it is for.
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
        words: What it is, and how it is sent.
        variable: The variable of the environment that holds it in the keyring's place; empty for none.
        is_kept: Whether it is there already.
    """

    scheme: str
    words: str
    variable: str
    is_kept: bool


class ApiPreview(NamedTuple):
    """What a document offers.

    Attributes:
        source: Where it is.
        title: What it is called.
        name: What the API may be called, or is called.
        base: The address that requests go to; empty when the document names none.
        given_base: The address that a person gave in the place of the document's; empty for none.
        hosts: Other addresses that some operations go to.
        operations: What it offers.
        keys: What they ask for.
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
        source: Where its document is.
        name: What it is called.
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
    noun = "operation" if count == 1 else "operations"
    changing = sum(row.effect != "reads" for row in preview.operations)
    words = f"{preview.title or 'This document'}: {count:,} {noun}"
    if changing:
        words += f", {changing:,} of which {'changes' if changing == 1 else 'change'} something and ask first"
    return words if chosen == count else tr("{words}. {chosen:,} chosen", words=words, chosen=chosen)


def warnings(preview: ApiPreview) -> tuple[str, ...]:
    """Say what to know before it is kept: where else requests go, and what cannot be used."""
    said = []
    if preview.hosts:
        said.append(tr("Some operations go to {hosts}, with the same keys.", hosts=", ".join(preview.hosts)))
    for lead, sentences in (
        (tr("Look at the words of"), preview.suspicions),
        (tr("Cannot be used:"), preview.problems),
    ):
        if sentences:
            more = tr(" (and {sentences:,} more)", sentences=len(sentences) - 1) if len(sentences) > 1 else ""
            said.append(f"{lead} {sentences[0]}{more}")
    return tuple(said)
