"""What a provider is sent of a tool, in the words of the Wire tab; worked out away from the window's thread."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Final, NamedTuple

from pydantic import JsonValue

from console.language import tr, translated
from console.widgets.formats import format_count
from console.widgets.labels import BadgeTone, TextTone
from tools.card import ToolCard
from tools.lint import estimated_tokens
from tools.schema import json_text
from tools.wire import OPENAI, PROVIDERS, FidelityFinding, Fix, Provider, WireEffect, definition_of
from tools.wire.words import fix_words

_TONES: Final[dict[WireEffect, BadgeTone]] = {
    WireEffect.REFUSED: "error",
    WireEffect.CHANGED: "warn",
    WireEffect.DROPPED: "neutral",
}
_EFFECT_WORDS: Final = {
    WireEffect.REFUSED: tr("Refused"),
    WireEffect.CHANGED: tr("Changed"),
    WireEffect.DROPPED: tr("Dropped"),
}
_DONE: Final[BadgeTone] = "ok"
_ALWAYS: Final = {Fix.FOLD, Fix.RENAME}
"""Names and examples are written as the provider has them, whether the schema is rewritten or not."""
_MOST_PLACES: Final = 12
PROVIDER: Final = "wire provider"
"""What the chosen provider is kept as."""


class WireChoice(NamedTuple):
    """What a person wants to see.

    Attributes:
        provider: The provider's name.
        strict: Whether the provider shall hold its model to the schema.
        rewrite: Whether what it does not take is rewritten.
    """

    provider: str = OPENAI.name
    strict: bool = False
    rewrite: bool = False


class FidelityRow(NamedTuple):
    """What becomes of one keyword.

    Attributes:
        word: What the provider does with it, or that it is rewritten.
        keyword: The keyword, or another part of the definition.
        fix: The smallest change that the provider takes.
        places: Where it stands, as JSON pointers; the first of them.
        times: How often it stands there.
    """

    word: str
    tone: BadgeTone
    keyword: str
    fix: str
    places: tuple[str, ...]
    times: int


class WireRows(NamedTuple):
    """All that the tab shows of one choice.

    Attributes:
        document: The value of `tools` in a request with this tool alone.
        rows: What becomes of what the provider does not take, the worst first.
        headline: How the provider takes the tool, in a few words.
        can_rewrite: Whether there is a rewrite that the provider takes.
    """

    choice: WireChoice
    document: list[JsonValue]
    tokens: str
    rows: tuple[FidelityRow, ...]
    headline: str
    tone: TextTone
    can_rewrite: bool


def provider_titles() -> tuple[tuple[str, str], ...]:
    """Return the names of all providers, each with what people call it."""
    return tuple((name, provider.title) for name, provider in PROVIDERS.items())


def can_be_strict(provider: str) -> bool:
    """Return whether a provider can hold its model to a schema."""
    return PROVIDERS[provider].strict is not None


def wire_rows(tool: ToolCard, choice: WireChoice) -> WireRows:
    """Work out what a provider is sent of a tool, and what that loses."""
    provider = PROVIDERS[choice.provider]
    written = provider.write(definition_of(tool), strict=choice.strict, rewrite=choice.rewrite)
    document: list[JsonValue] = [*provider.request([dict(written.document)])]
    rewritten = [item for item in written.findings if item.fix not in _ALWAYS | {Fix.BY_HAND}]
    headline, tone = _headline(provider, written.findings, refused=bool(written.refused), choice=choice)
    return WireRows(
        choice,
        document,
        tr("≈ {tokens} tokens, estimated", tokens=format_count(estimated_tokens(json_text(document)))),
        _rows(written.findings, is_rewritten=choice.rewrite),
        headline,
        tone,
        bool(rewritten),
    )


def _headline(
    provider: Provider, findings: tuple[FidelityFinding, ...], *, refused: bool, choice: WireChoice
) -> tuple[str, TextTone]:
    waiting = () if choice.rewrite else [item for item in findings if item.fix not in _ALWAYS]
    if refused or any(item.effect is WireEffect.REFUSED for item in waiting):
        return tr("{provider} refuses it", provider=provider.title), "error"
    if waiting:
        return tr("Sent, but not all of it counts"), "warn"
    return (tr("Rewritten, and taken"), "ok") if findings else (tr("Taken as it stands"), "ok")


def _rows(findings: Iterable[FidelityFinding], *, is_rewritten: bool) -> tuple[FidelityRow, ...]:
    """Return a row for each keyword and fix: what is left to do stands first, then the worst."""
    order = list(_TONES)

    def is_done(finding: FidelityFinding) -> bool:
        return finding.fix in _ALWAYS or (is_rewritten and finding.fix is not Fix.BY_HAND)

    def key(finding: FidelityFinding) -> tuple[bool, int, str, str]:
        return is_done(finding), order.index(finding.effect), finding.keyword, finding.fix.value

    rows = []
    for (done, *_), group in groupby(sorted(findings, key=key), key=key):
        same = list(group)
        first = same[0]
        places = tuple(finding.pointer or "/" for finding in same[:_MOST_PLACES])
        word, tone = (tr("Rewritten"), _DONE) if done else (_EFFECT_WORDS[first.effect], _TONES[first.effect])
        rows.append(FidelityRow(word, tone, first.keyword, translated(fix_words(first.fix)), places, len(same)))
    return tuple(rows)
