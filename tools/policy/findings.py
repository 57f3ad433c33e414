"""What speaks for a risk class, and how several such things come to one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from tools.spec import RiskClass

_ORDER: Final = {risk: place for place, risk in enumerate(RiskClass)}


class RiskFinding(NamedTuple):
    """One thing that speaks for a risk class.

    Attributes:
        why: What was found, in one sentence.
    """

    risk: RiskClass
    why: str


def worst(findings: Iterable[RiskFinding], otherwise: RiskFinding) -> RiskFinding:
    """Return the finding that weighs most, the first of several; `otherwise` when there is none."""
    return max(findings, key=lambda finding: _ORDER[finding.risk], default=otherwise)


def worse(first: RiskClass, second: RiskClass) -> RiskClass:
    """Return the class of two that weighs more."""
    return max(first, second, key=_ORDER.__getitem__)
