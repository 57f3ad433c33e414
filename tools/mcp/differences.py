"""What changed between two definitions of a tool, in words that a person can judge."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any, Final, NamedTuple

from pydantic import JsonValue

from tools.mcp.definitions import HINT_DEFAULTS, Definition
from tools.policy.digest import canonical, same_form

DEEPEST: Final = 30
"""How deep inside a schema changes are told apart; below that only that something changed."""

MOST: Final = 500
"""The most changes that are told."""

_PIECE: Final = re.compile(r"\w+|\s+|[^\w\s]")
_LONGEST_WORDS: Final = 20_000
"""Letters of the longest text that is compared word by word."""


_HINT_WORDS: Final = {
    ("readOnlyHint", False): "it may change something now",
    ("readOnlyHint", True): "it says that it changes nothing now",
    ("destructiveHint", True): "it may destroy something now",
    ("destructiveHint", False): "it says that it destroys nothing now",
    ("idempotentHint", False): "calling it twice may do more than calling it once now",
    ("idempotentHint", True): "it says that calling it twice is no more than calling it once now",
    ("openWorldHint", True): "it may reach beyond its server now",
    ("openWorldHint", False): "it says that it stays within its server now",
}


_HINT_SUBJECTS: Final = {
    "readOnlyHint": "whether it changes something: taken as one that may",
    "destructiveHint": "whether it destroys something: taken as one that may",
    "idempotentHint": "whether calling it twice does more than once: taken as one where it may",
    "openWorldHint": "whether it reaches beyond its server: taken as one that may",
}


class ChangeKind(StrEnum):
    """What happened to a part of a definition."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


class DefinitionChange(NamedTuple):
    """One difference.

    Attributes:
        where: The part, such as `description`, `inputSchema.properties.force` or `annotations.destructiveHint`.
        words: The difference in one sentence.
        before: The former value as text; empty when there was none.
        after: The value as text; empty when there is none.
        is_riskier: Whether it calls for more care than before.
    """

    kind: ChangeKind
    where: str
    words: str
    before: str = ""
    after: str = ""
    is_riskier: bool = False


class DiffPiece(NamedTuple):
    """A part of two texts beside each other.

    Attributes:
        kind: None is in both.
    """

    kind: ChangeKind | None
    before: str
    after: str


def differences(before: Definition, after: Definition) -> tuple[DefinitionChange, ...]:
    """Return what changed of what an approval is about, the most worrying first."""
    changes: list[DefinitionChange] = []
    for key in ("name", "title", "description"):
        changes += _text_changes(key, before.raw.get(key), after.raw.get(key))
    for key in ("inputSchema", "outputSchema"):
        changes += _walk(key, before.raw.get(key), after.raw.get(key), 0)
        if len(changes) > MOST:
            break
    changes += _hint_changes(before, after)
    return tuple(sorted(changes[:MOST], key=lambda change: not change.is_riskier))


def word_pieces(before: str, after: str) -> tuple[DiffPiece, ...]:
    """Return two texts word by word: what stayed, what went, what came.

    Texts too long to be compared like that are one piece that changed.
    """
    if before == after:
        return (DiffPiece(None, before, after),) if before else ()
    if len(before) + len(after) > _LONGEST_WORDS:
        return (DiffPiece(ChangeKind.CHANGED, before, after),)
    olds, news = _PIECE.findall(before), _PIECE.findall(after)
    kinds = {"equal": None, "delete": ChangeKind.REMOVED, "insert": ChangeKind.ADDED, "replace": ChangeKind.CHANGED}
    matcher = difflib.SequenceMatcher(None, olds, news, autojunk=False)
    return tuple(
        DiffPiece(kinds[tag], "".join(olds[first:last]), "".join(news[start:end]))
        for tag, first, last, start, end in matcher.get_opcodes()
    )


def _text_changes(where: str, before: JsonValue, after: JsonValue) -> Iterator[DefinitionChange]:
    if before == after:
        return
    if before is None:
        yield DefinitionChange(ChangeKind.ADDED, where, f"it has a {where} now", after=_shown(after))
    elif after is None:
        yield DefinitionChange(ChangeKind.REMOVED, where, f"it has no {where} any more", before=_shown(before))
    else:
        pieces = word_pieces(_shown(before), _shown(after))
        came = "".join(piece.after for piece in pieces if piece.kind in {ChangeKind.ADDED, ChangeKind.CHANGED}).strip()
        went = "".join(piece.before for piece in pieces if piece.kind is ChangeKind.REMOVED).strip()
        said = f"says {_short(came)} now" if came else f"says {_short(went)} no more"
        yield DefinitionChange(ChangeKind.CHANGED, where, f"its {where} {said}", _shown(before), _shown(after))


def _hint_changes(before: Definition, after: Definition) -> Iterator[DefinitionChange]:
    names = dict.fromkeys((*before.annotations, *after.annotations))
    for name in names:
        where, old, new = f"annotations.{name}", before.annotations.get(name), after.annotations.get(name)
        if same_form(old) == same_form(new) and (name in before.annotations) == (name in after.annotations):
            continue
        kind = _kind(name in before.annotations, name in after.annotations)
        if name not in HINT_DEFAULTS:
            yield DefinitionChange(kind, where, f"its {name} is another one", _shown_if(old), _shown_if(new))
            continue
        meant, means = before.hint(name), after.hint(name)
        if meant == means:
            words = f"{name} means the same as before"
        elif after.said(name) is None:
            words = f"it says no more {_HINT_SUBJECTS[name]}"
        else:
            words = _HINT_WORDS[name, means]
        # Where a hint is absent, the protocol takes what calls for more care.
        riskier = meant != means and means is HINT_DEFAULTS[name]
        yield DefinitionChange(kind, where, words, _shown_if(old), _shown_if(new), riskier)


def _walk(where: str, before: JsonValue, after: JsonValue, depth: int) -> Iterator[DefinitionChange]:
    if before is after or canonical(before) == canonical(after):
        return
    if isinstance(before, dict) and isinstance(after, dict) and depth < DEEPEST:
        for name in dict.fromkeys((*before, *after)):
            inside = f"{where}.{name}"
            if name not in before:
                yield _came(inside, after, name)
            elif name not in after:
                yield DefinitionChange(ChangeKind.REMOVED, inside, f"{_what(inside)} is gone", _shown(before[name]))
            else:
                yield from _walk(inside, before[name], after[name], depth + 1)
        return
    if isinstance(before, list) and isinstance(after, list) and _is_set(where, before, after):
        yield from _set_changes(where, before, after)
        return
    yield DefinitionChange(
        ChangeKind.ADDED if before is None else ChangeKind.REMOVED if after is None else ChangeKind.CHANGED,
        where,
        f"{_what(where)} was {_short(_shown(before))} and is {_short(_shown(after))}",
        _shown_if(before),
        _shown_if(after),
    )


def _came(where: str, inside: Mapping[str, JsonValue], name: str) -> DefinitionChange:
    value = inside[name]
    default = value.get("default") if isinstance(value, dict) else None
    means = f", {_short(_shown(default))} if nobody says" if default is not None else ""
    return DefinitionChange(ChangeKind.ADDED, where, f"{_what(where)} is new{means}", after=_shown(value))


def _set_changes(where: str, before: list[JsonValue], after: list[JsonValue]) -> Iterator[DefinitionChange]:
    olds, news = {canonical(item): item for item in before}, {canonical(item): item for item in after}
    is_required = where.rpartition(".")[2] == "required"
    for key, item in news.items():
        if key not in olds:
            named = _short(_shown(item))
            words = f"the argument {named} is required now" if is_required else f"{_what(where)} has {named} now"
            yield DefinitionChange(ChangeKind.ADDED, where, words, after=_shown(item))
    for key, item in olds.items():
        if key not in news:
            named = _short(_shown(item))
            words = f"the argument {named} is optional now" if is_required else f"{_what(where)} has {named} no more"
            yield DefinitionChange(ChangeKind.REMOVED, where, words, before=_shown(item))
    if olds.keys() == news.keys():
        yield DefinitionChange(
            ChangeKind.CHANGED, where, f"{_what(where)} is in another order", _shown(before), _shown(after)
        )


def _is_set(where: str, before: list[JsonValue], after: list[JsonValue]) -> bool:
    plain = all(not isinstance(item, dict | list) for item in (*before, *after))
    return plain and where.rpartition(".")[2] in {"required", "enum", "type"}


def _what(where: str) -> str:
    """Return a place of a schema as people say it."""
    path = where.split(".")
    if len(path) > 1 and path[-2] == "properties":
        return f"the {'argument' if path[0] == 'inputSchema' else 'field'} {path[-1]}"
    if "properties" in path[:-1]:
        place = len(path) - 1 - path[::-1].index("properties")
        if place + 1 < len(path) - 1:
            return f"{'.'.join(path[place + 2 :])} of {path[place + 1]}"
    return where


def _kind(was: object, is_now: object) -> ChangeKind:
    if not was:
        return ChangeKind.ADDED
    return ChangeKind.CHANGED if is_now else ChangeKind.REMOVED


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else canonical(value)


def _shown_if(value: Any) -> str:
    return "" if value is None else _shown(value)


def _short(text: str, letters: int = 160) -> str:
    plain = " ".join(text.split())
    if not plain:
        return "nothing"
    return f"“{plain[: letters - 1]}…”" if len(plain) > letters else f"“{plain}”"
