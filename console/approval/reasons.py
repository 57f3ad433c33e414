"""Why a person is asked: what the tool itself gives as reasons, the rule that asks, the risk, and the tool's word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

from console.language import tr, translated
from console.widgets import DEGREE_STYLES, BadgeTone
from tools.calls import ReviewRequest
from tools.card import SourceKind, ToolCard
from tools.policy import hint_words
from tools.protected import PROTECTED
from tools.sentences import begin_sentence
from tools.spec import Concern, RiskDegree, RiskLevel

# Letters that do not show, that turn others around, or that look like others: text that reads differently.
# Source: Unicode Technical Report 36, "Unicode Security Considerations", on bidirectional text and invisible
# characters, and on words of mixed scripts.
_HIDDEN: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f"
    "\u2028-\u202e\u2060-\u2069\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e007f\U000e0100-\U000e01ef]"
)
_WORD: Final = re.compile(r"\w+")
_LATIN: Final = re.compile(r"[A-Za-z\u00c0-\u024f]")
# Scripts with letters that look like Latin ones; a word of one of them alone is a word of that language.
_ALIKE: Final = {
    tr("Cyrillic"): re.compile(r"[\u0400-\u052f]"),
    tr("Greek"): re.compile(r"[\u0370-\u03ff]"),
    tr("Armenian"): re.compile(r"[\u0530-\u058f]"),
}
_LONGEST_SEARCHED: Final = 100_000
_BEFORE: Final = 40
_AFTER: Final = 40
_MOST: Final = 3


def disguises(values: Mapping[str, Any]) -> tuple[str, ...]:
    """Say of arguments what their text really is, where some of its letters do not show.

    Args:
        values: The arguments as JSON.

    Returns:
        A sentence for each text, for a few of them at most.
    """
    found: list[str] = []
    for name, value in values.items():
        for text in _texts(value):
            hidden = _HIDDEN.search(text)
            if hidden is not None and len(found) < _MOST:
                found.append(tr("{name} is really {text}", name=name, text=_spelled_out(text, hidden.start())))
    return tuple(found)


def lookalikes(values: Mapping[str, Any]) -> tuple[str, ...]:
    """Say of arguments which of their words mix Latin letters with others that look like them.

    Args:
        values: The arguments as JSON.

    Returns:
        A sentence for each word, for a few of them at most.
    """
    found: list[str] = []
    for name, value in values.items():
        for text in _texts(value):
            found += [
                tr("{name} has {words}", name=name, words=words)
                for words in islice(_mixed(text[:_LONGEST_SEARCHED]), _MOST)
            ]
    return tuple(found[:_MOST])


def _mixed(text: str) -> Iterator[str]:
    if text.isascii():
        return
    for word in _WORD.findall(text):
        for script, letters in _ALIKE.items():
            if letters.search(word) is not None and _LATIN.search(word) is not None:
                yield _taken_apart(word, script)


def _taken_apart(word: str, script: str) -> str:
    """Return a word with its foreign letters spelled out."""
    shown = _ALIKE[script].sub(lambda match: f"{match[0]}<U+{ord(match[0]):04X}>", word[:_BEFORE])
    return tr("{shown}, which mixes Latin and {script} letters", shown=shown, script=script)


def _texts(value: Any) -> Iterator[str]:
    waiting = [value]
    while waiting:
        now = waiting.pop()
        if isinstance(now, str):
            yield now
        elif isinstance(now, Mapping):
            waiting += reversed([*now, *now.values()])
        elif isinstance(now, Sequence):
            waiting += reversed(now)


def _spelled_out(text: str, place: int) -> str:
    start, end = max(0, place - _BEFORE), place + _AFTER
    part = text[start:end].replace("\n", " ")
    shown = _HIDDEN.sub(lambda match: f"<U+{ord(match[0]):04X}>", part)
    return f"{'…' if start else ''}{shown}{'…' if end < len(text) else ''}"


_ICONS: Final[Mapping[str, str]] = {
    PROTECTED: "shield-alert",
    "destructive": "triangle-alert",
    "confirmation": "shield-question-mark",
    "outside_project": "folder-output",
    "private_host": "network",
    "repeated": "repeat",
    "sends_data": "globe",
    "command": "square-terminal",
    "deletes": "trash-2",
    "overwrites": "file-diff",
    "writes_database": "database",
    "changes": "square-pen",
    "many_files": "files",
}
_NEUTRAL_ICON: Final = "info"
_EFFECTS: Final = frozenset({"sends_data", "command", "deletes", "overwrites", "changes", "many_files"})


class Reason(NamedTuple):
    """Why a person is asked; several of one kind and title stand together.

    Attributes:
        kind: The concern's kind; `rule` for a rule, `hints` for what a tool says of itself.
        title: The reason in a few words.
        tag: The same within a line.
        details: What exactly, a sentence each; none when the title says it all.
        is_effect: Whether the details say what the call will do, rather than why that needs a person.
        is_warning: Whether it speaks against the call; a rule and the tool's own words speak neither way.
    """

    kind: str
    icon: str
    title: str
    tag: str
    details: tuple[str, ...]
    is_effect: bool = False
    is_warning: bool = True


class RiskSummary(NamedTuple):
    """How much harm the call can do.

    Attributes:
        title: In two words.
        icon: Name of a shipped icon, by its degree.
        detail: Why, in one sentence.
        is_high: Whether it is of the highest degree, or nobody can tell.
    """

    title: str
    icon: str
    tone: BadgeTone
    detail: str
    is_high: bool


_KNOWN: Final = frozenset({SourceKind.API, SourceKind.BUILT_IN, SourceKind.PROGRAM})
"""Whose word is the program's own: what an operation of an API does is told by its method."""


def risk_of_question(request: ReviewRequest) -> RiskSummary | None:
    """Say how much harm a call can do; None when nobody judged it."""
    degree = request.degree
    if degree is None:
        return None
    title, icon, tone = DEGREE_STYLES[degree]
    return RiskSummary(title, icon, tone, translated(request.risk_why), degree.weight >= RiskDegree.UNKNOWN.weight)


def needs_care(request: ReviewRequest) -> bool:
    """Return whether all of a call must be seen before it is allowed, and nothing else be allowed with it.

    That follows from its class, the tool at its worst, and not from the degree of this very call.
    """
    is_protected = any(concern.kind == PROTECTED for concern in request.concerns)
    return is_protected or (request.risk is not None and request.risk.level >= RiskLevel.HIGH)


def reasons_of(request: ReviewRequest, values: Mapping[str, Any]) -> tuple[Reason, ...]:
    """Say why a person is asked.

    Args:
        values: The arguments as JSON, secrets masked.
    """
    given = {step.name: list(step.arguments) for step in request.plan} if request.plan else values
    return (*_edited(request), *_concerned(request.concerns), *_disguise(given), *_ruled(request), *_told(request.tool))


def _concerned(concerns: tuple[Concern, ...]) -> tuple[Reason, ...]:
    details: dict[tuple[str, str], list[str]] = {}
    for concern in concerns:
        said = details.setdefault((concern.kind, concern.title), [])
        if concern.detail and translated(concern.detail) not in said:
            said.append(translated(concern.detail))
    return tuple(
        Reason(kind, _ICONS.get(kind, _NEUTRAL_ICON), *_titled(title), tuple(said), kind in _EFFECTS)
        for (kind, title), said in details.items()
    )


def _edited(request: ReviewRequest) -> tuple[Reason, ...]:
    """Say that the answer before was an edit, and what it changed."""
    if not request.new_reasons:
        return ()
    new = ", ".join(translated(title) for title in request.new_reasons)
    title, tag = tr("Your edit gives new reasons to ask"), tr("asked again after an edit")
    return (Reason("edited", "pencil", title, tag, (tr("New: {reasons}", reasons=new),), is_warning=False),)


def _titled(title: str) -> tuple[str, str]:
    """Return the title of a concern in the language of the window, alone and within a line; English writes it small."""
    words = translated(title)
    return words, title[:1].lower() + title[1:] if words == title else words


def _disguise(values: Mapping[str, Any]) -> tuple[Reason, ...]:
    told = (
        (tr("Letters that do not show"), tr("letters that do not show"), disguises(values)),
        (tr("Letters that look like others"), tr("letters that look like others"), lookalikes(values)),
    )
    return tuple(Reason("disguise", "triangle-alert", title, tag, found) for title, tag, found in told if found)


def _ruled(request: ReviewRequest) -> tuple[Reason, ...]:
    if not request.why:
        return ()
    title, tag = (
        (tr("One answer counts for all"), tr("one answer counts for all"))
        if request.plan
        else (tr("A rule asks"), tr("a rule asks"))
        if request.rule
        else (tr("Your policy asks"), tr("your policy asks"))
    )
    return (Reason("rule", "scroll-text", title, tag, (translated(request.why),), is_warning=False),)


def _told(tool: ToolCard | None) -> tuple[Reason, ...]:
    """Tell what somebody else's tool says of its risk, as its own words, apart from what it is taken as."""
    if tool is None or tool.source.kind in _KNOWN or tool.hints.says_nothing:
        # That a server's tool says nothing is a concern already.
        return ()
    words = hint_words(tool.hints, translated)
    name = tool.source.name
    title, tag = tr("What {name} says of its risk", name=name), tr("what {name} says of its risk", name=name)
    said = tr("{words}. Nobody checked that.", words=begin_sentence(words))
    return (Reason("hints", "info", title, tag, (said,), is_warning=False),)
