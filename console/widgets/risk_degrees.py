"""How a degree of risk looks: words, shape and tone, the same wherever a call is judged."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from console.widgets.labels import BadgeTone
from tools.spec import RiskDegree


class DegreeStyle(NamedTuple):
    """How a degree of risk is shown; never by colour alone.

    Attributes:
        title: In two words.
        icon: Name of a shipped icon, of a shape of its own.
        tone: Its tone.
    """

    title: str
    icon: str
    tone: BadgeTone


DEGREE_STYLES: Final[Mapping[RiskDegree, DegreeStyle]] = MappingProxyType(
    {
        RiskDegree.LOW: DegreeStyle("Low risk", "circle-check", "neutral"),
        RiskDegree.MEDIUM: DegreeStyle("Medium risk", "triangle-alert", "warn"),
        RiskDegree.HIGH: DegreeStyle("High risk", "octagon-alert", "error"),
        RiskDegree.UNKNOWN: DegreeStyle("Unknown risk", "circle-question-mark", "warn"),
    }
)
