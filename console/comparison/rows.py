"""What is compared and what came of it, as plain values."""

from __future__ import annotations

from typing import Any, NamedTuple

from console.comparison.lines import TextDifference
from console.comparison.structure import DifferenceCounts, Tree
from console.language import tr, tr_count
from console.schema_form import ABSENT

ARGUMENTS, RESULT = range(2)
"""The two parts of a call that are compared."""


class ComparedSide(NamedTuple):
    """One of two calls.

    Attributes:
        title: What it is called, such as the tool's name.
        subtitle: What tells it from the other, such as when it was made and by whom.
        arguments: Its arguments as JSON; `ABSENT` for none.
        result: Its result as JSON, or text; `ABSENT` for none.
    """

    title: str
    subtitle: str = ""
    arguments: Any = ABSENT
    result: Any = ABSENT

    def part(self, part: int) -> Any:
        return self.arguments if part == ARGUMENTS else self.result


class ComparedTree(NamedTuple):
    """Two values, compared as trees.

    Attributes:
        places: Where each difference stands, from the top down.
    """

    tree: Tree
    places: tuple[tuple[int, ...], ...]


def difference_words(count: int) -> str:
    """Say how many differences there are."""
    if not count:
        return tr("No differences")
    return tr_count(count, "{count:,} difference", "{count:,} differences")


def counts_words(counts: DifferenceCounts) -> str:
    """Say how many differences of each kind there are; empty for none."""
    words = (
        tr("{count:,} changed", count=counts.changed) if counts.changed else "",
        tr("{count:,} added", count=counts.added) if counts.added else "",
        tr("{count:,} removed", count=counts.removed) if counts.removed else "",
        tr("{count:,} moved", count=counts.moved) if counts.moved else "",
    )
    return " · ".join(filter(None, words))


def text_words(difference: TextDifference) -> str:
    """Say how many lines were removed and added; empty for none."""
    removed = sum(hunk.left_lines for hunk in difference.hunks if not hunk.same)
    added = sum(hunk.right_lines for hunk in difference.hunks if not hunk.same)
    words = (
        tr_count(removed, "1 line before", "{count:,} lines before") if removed else "",
        tr_count(added, "1 line now", "{count:,} lines now") if added else "",
    )
    return " · ".join(filter(None, words))
