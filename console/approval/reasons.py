"""Why a person is asked: what the tool itself gives as reasons, the rule that asks, the risk, and mere claims."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from console.approval.disguises import disguises, lookalikes
from tools.calls import ReviewRequest
from tools.spec import Concern, RiskClass, RiskLevel
from tools.tool import SourceKind, Tool

__all__ = ["Reason", "Risk", "reasons_of", "risk_of_question"]

_ICONS: Final[Mapping[str, str]] = {
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
_RISKS: Final[Mapping[RiskClass, str]] = {
    RiskClass.READ_ONLY: "It only reads",
    RiskClass.BUILD_TEST: "It builds or tests",
    RiskClass.WRITE: "It changes something",
    RiskClass.NETWORK: "It reaches beyond this computer",
    RiskClass.UNKNOWN: "Nobody can tell what it does",
    RiskClass.DESTRUCTIVE: "It can destroy something",
    RiskClass.ESCALATION: "It asks for the rights of somebody else",
}
_LEVELS: Final[Mapping[RiskLevel, str]] = {
    RiskLevel.LOW: "Low risk",
    RiskLevel.MEDIUM: "Medium risk",
    RiskLevel.HIGH: "High risk",
    RiskLevel.CRITICAL: "Critical risk",
}


class Reason(NamedTuple):
    """Why a person is asked; several of one kind and title stand together.

    Attributes:
        kind: The concern's kind; `rule` for a rule, `claims` for what nobody checked.
        icon: Name of a shipped icon.
        title: The reason in a few words.
        details: What exactly, a sentence each; none when the title says it all.
        is_effect: Whether the details say what the call will do, rather than why that needs a person.
        is_warning: Whether it speaks against the call; a rule and a claim speak neither way.
    """

    kind: str
    icon: str
    title: str
    details: tuple[str, ...]
    is_effect: bool = False
    is_warning: bool = True


class Risk(NamedTuple):
    """How much harm the call can do.

    Attributes:
        title: In two words.
        detail: In one sentence.
        is_high: Whether everything must have been seen before the call can be allowed.
    """

    title: str
    detail: str
    is_high: bool


def risk_of_question(request: ReviewRequest) -> Risk | None:
    """Say how much harm a call can do; None when nobody judged it."""
    risk = request.risk
    if risk is None:
        return None
    return Risk(_LEVELS[risk.level], _RISKS[risk], risk.level >= RiskLevel.HIGH)


def reasons_of(request: ReviewRequest, values: Mapping[str, Any]) -> tuple[Reason, ...]:
    """Say why a person is asked.

    Args:
        request: The question.
        values: The arguments as JSON, secrets masked.
    """
    given = {step.name: list(step.arguments) for step in request.plan} if request.plan else values
    return (*_concerned(request.concerns), *_disguise(given), *_ruled(request), *_claimed(request.call.tool))


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


def _claimed(tool: Tool | None) -> tuple[Reason, ...]:
    """Tell what a stranger's tool says of itself, as what it is: its own words."""
    if tool is None or tool.source.kind in {SourceKind.BUILT_IN, SourceKind.PROGRAM}:
        return ()
    spec = tool.spec
    claims = (
        (spec.read_only_hint, "it changes nothing", "it changes something"),
        (spec.destructive_hint, "it may destroy something", "it destroys nothing"),
        (spec.open_world_hint, "it reaches beyond this computer", "it stays on this computer"),
    )
    said = [yes if hint else no for hint, yes, no in claims if hint is not None]
    if not said:
        return ()
    words = f"{', '.join(said)}. Its own words; nobody checked them."
    title = f"What {tool.source.name} claims"
    return (Reason("claims", "info", title, (words[:1].upper() + words[1:],), is_warning=False),)
