"""What a call would do, as a dry run found out, in the shape in which it is shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from console.widgets.formats import format_count
from tools.spec import DryRun

_ICONS: Final[Mapping[str, str]] = {
    "files": "files",
    "folders": "folder",
    "bytes": "hard-drive",
    "rows": "table",
    "tables": "table",
    "hosts": "globe",
    "commits": "git-branch",
    "branches": "git-branch",
}
_NEUTRAL_ICON: Final = "hash"


class Estimate(NamedTuple):
    """What a call would do.

    Attributes:
        text: The same in one sentence; empty when the description says it.
        counts: How much it would touch: name of a shipped icon, and words.
        listed: What it would touch, one a line, and how many more there are; empty for nothing.
        warnings: What a person should know besides.
    """

    text: str
    counts: tuple[tuple[str, str], ...]
    listed: str
    warnings: tuple[str, ...]

    @property
    def short(self) -> str:
        """The counts in words, or the sentence when nothing was counted."""
        return ", ".join(words for _, words in self.counts) or self.text.rstrip(".")


def estimate_of(found: DryRun) -> Estimate:
    """Work out what is shown of a dry run."""
    lines = [*found.items, *([f"and {format_count(found.more)} more"] if found.more else [])]
    return Estimate(
        text=found.text,
        counts=tuple((_ICONS.get(count.kind, _NEUTRAL_ICON), count.words) for count in found.counts),
        listed="\n".join(lines),
        warnings=found.warnings,
    )
