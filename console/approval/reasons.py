"""Why a person is asked: what the tool itself gives as reasons, the rule that asks, the risk, and the tool's word."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from console.approval.deceptive_text import disguises, lookalikes
from console.widgets import DEGREE_STYLES, BadgeTone
from tools.calls import ReviewRequest
from tools.card import SourceKind, ToolCard
from tools.policy import hint_words
from tools.protected import PROTECTED
from tools.spec import Concern, RiskDegree, RiskLevel

_ICONS: Final[Mapping[str, str]] = {
    PROTECTED: "shield-alert",
    "destructive": "triangle-alert",
    "confirmation": "shield-question-mark",
    "outside_project": "folder-output",
    "private_host": "network",
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
        icon: Name of a shipped icon.
        title: The reason in a few words.
        details: What exactly, a sentence each; none when the title says it all.
        is_effect: Whether the details say what the call will do, rather than why that needs a person.
        is_warning: Whether it speaks against the call; a rule and the tool's own words speak neither way.
    """

    kind: str
    icon: str
    title: str
    details: tuple[str, ...]
    is_effect: bool = False
    is_warning: bool = True


class RiskSummary(NamedTuple):
    """How much harm the call can do.

    Attributes:
        title: In two words.
        icon: Name of a shipped icon, by its degree.
        tone: By its degree.
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
    return RiskSummary(title, icon, tone, request.risk_why, degree.weight >= RiskDegree.UNKNOWN.weight)


def needs_care(request: ReviewRequest) -> bool:
    """Return whether all of a call must be seen before it is allowed, and nothing else be allowed with it.

    That follows from its class, the tool at its worst, and not from the degree of this very call.
    """
    is_protected = any(concern.kind == PROTECTED for concern in request.concerns)
    return is_protected or (request.risk is not None and request.risk.level >= RiskLevel.HIGH)


def reasons_of(request: ReviewRequest, values: Mapping[str, Any]) -> tuple[Reason, ...]:
    """Say why a person is asked.

    Args:
        request: The question.
        values: The arguments as JSON, secrets masked.
    """
    given = {step.name: list(step.arguments) for step in request.plan} if request.plan else values
    return (*_concerned(request.concerns), *_disguise(given), *_ruled(request), *_told(request.tool))


def _concerned(concerns: tuple[Concern, ...]) -> tuple[Reason, ...]:
    details: dict[tuple[str, str], list[str]] = {}
    for concern in concerns:
        said = details.setdefault((concern.kind, concern.title), [])
        if concern.detail and concern.detail not in said:
            said.append(concern.detail)
    return tuple(
        Reason(kind, _ICONS.get(kind, _NEUTRAL_ICON), title, tuple(said), kind in _EFFECTS)
        for (kind, title), said in details.items()
    )


def _disguise(values: Mapping[str, Any]) -> tuple[Reason, ...]:
    told = (("Letters that do not show", disguises(values)), ("Letters that look like others", lookalikes(values)))
    return tuple(Reason("disguise", "triangle-alert", title, found) for title, found in told if found)


def _ruled(request: ReviewRequest) -> tuple[Reason, ...]:
    if not request.why:
        return ()
    title = "One answer counts for all" if request.plan else "A rule asks" if request.rule else "Your policy asks"
    return (Reason("rule", "scroll-text", title, (request.why,), is_warning=False),)


def _told(tool: ToolCard | None) -> tuple[Reason, ...]:
    """Tell what somebody else's tool says of its risk, as its own words, apart from what it is taken as."""
    if tool is None or tool.source.kind in _KNOWN or tool.hints.says_nothing:
        # That a server's tool says nothing is a concern already.
        return ()
    words = hint_words(tool.hints)
    title = f"What {tool.source.name} says of its risk"
    said = f"{words[:1].upper()}{words[1:]}. Nobody checked that."
    return (Reason("hints", "info", title, (said,), is_warning=False),)
