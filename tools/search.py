"""Find tools by words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from rapidfuzz import fuzz

from tools.tool import Tool

CUTOFF: Final = 50.0


class ToolMatch(NamedTuple):
    """One tool that fits.

    Attributes:
        tool: The tool.
        score: 0 to 100, higher fits better.
    """

    tool: Tool
    score: float


def search(tools: Iterable[Tool], words: str, *, limit: int = 20) -> list[ToolMatch]:
    """Return the tools that fit some words best, best first; typing errors are forgiven.

    The name counts most, then keywords and category, then the description. Equal scores go by priority, then name.

    Args:
        tools: Where to look.
        words: What to look for.
        limit: The most matches.
    """
    wanted = words.casefold().split()
    if not wanted:
        return []
    matches = [ToolMatch(tool, _score(tool, wanted)) for tool in tools]
    matches = [match for match in matches if match.score >= CUTOFF]
    matches.sort(key=lambda match: (-match.score, -match.tool.spec.priority, match.tool.name))
    return matches[:limit]


def _score(tool: Tool, wanted: list[str]) -> float:
    name = tool.name.casefold().replace("_", " ")
    labels = [word.casefold() for word in (*tool.spec.keywords, tool.spec.category, tool.toolkit) if word]
    description = tool.description.casefold()
    total = 0.0
    for word in wanted:
        in_name = 100.0 if word in name.split() else 0.9 * fuzz.partial_ratio(word, name, score_cutoff=70)
        in_labels = max((0.9 * fuzz.ratio(word, label, score_cutoff=75) for label in labels), default=0.0)
        in_description = 65.0 if word in description else 0.0
        total += max(in_name, in_labels, in_description)
    return total / len(wanted)
