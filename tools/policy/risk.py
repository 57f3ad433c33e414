"""Tell how much harm a call can do: from what the tool claims, what it would touch, and what it would run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from tools.spec import Concern, RiskClass
from tools.tool import SourceKind, Tool

if TYPE_CHECKING:
    from pydantic import JsonValue

_LOCAL: Final = frozenset({SourceKind.BUILT_IN, SourceKind.PLUGIN, SourceKind.PROGRAM})
"""Whose word may lower the risk: code that the person put on this computer. Anybody else's claims only raise it."""

_BY_CONCERN: Final = {
    "changes": RiskClass.WRITE,
    "sends_data": RiskClass.NETWORK,
    "private_host": RiskClass.NETWORK,
    "command": RiskClass.UNKNOWN,
    "deletes": RiskClass.DESTRUCTIVE,
    "destructive": RiskClass.DESTRUCTIVE,
    "overwrites": RiskClass.DESTRUCTIVE,
    "writes_database": RiskClass.DESTRUCTIVE,
}


class Finding(NamedTuple):
    """One thing that speaks for a risk class.

    Attributes:
        risk: The class.
        why: What was found, in one sentence.
    """

    risk: RiskClass
    why: str


def risk_of(tool: Tool, arguments: Mapping[str, JsonValue], concerns: Iterable[Concern]) -> tuple[RiskClass, str]:
    """Return the risk class of a call, and why it is that one, in one sentence.

    Args:
        tool: What would run.
        arguments: The arguments as JSON, by the names callers use.
        concerns: What the tool itself gives as reasons to ask.
    """
    del arguments
    worst = max((_claimed(tool), *_concerned(concerns)), key=_severity)
    return worst.risk, worst.why


def _severity(finding: Finding) -> int:
    return _ORDER[finding.risk]


_ORDER: Final = {risk: place for place, risk in enumerate(RiskClass)}


def _claimed(tool: Tool) -> Finding:
    """Return what a tool says of itself; of a stranger's tool only the bad is believed."""
    spec = tool.spec
    if spec.destructive_hint:
        return Finding(RiskClass.DESTRUCTIVE, "The tool says that it may delete or overwrite something.")
    if tool.source.kind not in _LOCAL:
        return Finding(RiskClass.UNKNOWN, f"What {tool.source.name} says of its tools cannot be checked.")
    writes = any(role.writes for _, role in tool.path_roles)
    if spec.read_only_hint and not writes:
        if spec.open_world_hint:
            return Finding(RiskClass.NETWORK, "The tool only reads, but reaches beyond this computer.")
        return Finding(RiskClass.READ_ONLY, "The tool says that it changes nothing.")
    if spec.destructive_hint is None and spec.read_only_hint is None and not writes:
        return Finding(RiskClass.UNKNOWN, "The tool does not say whether it changes something.")
    if spec.open_world_hint:
        return Finding(RiskClass.NETWORK, "The tool changes something, and reaches beyond this computer.")
    return Finding(RiskClass.WRITE, "The tool says that it changes something, but destroys nothing.")


def _concerned(concerns: Iterable[Concern]) -> Iterator[Finding]:
    for concern in concerns:
        risk = _BY_CONCERN.get(concern.kind)
        if risk is not None:
            yield Finding(risk, f"{concern.title}: {concern.detail}" if concern.detail else f"{concern.title}.")
