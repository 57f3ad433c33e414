"""The lines of a call's log: which are shown, in order, at any number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final, NamedTuple

from tools.calls import LogEntry

LEVELS: Final = ("debug", "info", "warning", "error")
"""The levels, the least first; a word that is none of them counts as `info`."""


class LogLine(NamedTuple):
    """One line as it is shown.

    Attributes:
        offset_s: Seconds since the call was proposed; None for the further lines of one entry.
        level: One of `LEVELS`.
        text: The line, without its line break.
    """

    offset_s: float | None
    level: str
    text: str


class LogLines:
    """Hold all lines of a log and know which of them have a level that is shown.

    Adding costs only what is added, whatever there is already: a flood of lines must not slow the window.
    """

    def __init__(self) -> None:
        self._lines: list[LogLine] = []
        self._shown: list[int] = []
        self.levels = frozenset(LEVELS)
        self._count_by_level: Counter[str] = Counter()
        self.entries = 0
        self.longest = 0

    def __len__(self) -> int:
        return len(self._shown)

    def __getitem__(self, row: int) -> LogLine:
        return self._lines[self._shown[row]]

    def count(self, level: str) -> int:
        return self._count_by_level[level]

    def clear(self) -> None:
        """Forget all lines; the chosen levels stay."""
        self._lines = []
        self._shown = []
        self._count_by_level.clear()
        self.entries = 0
        self.longest = 0

    def add(self, entries: Iterable[LogEntry]) -> None:
        """Append entries; one with line breaks becomes several lines."""
        for entry in entries:
            level = entry.level if entry.level in LEVELS else "info"
            self.entries += 1
            self._count_by_level[level] += 1
            offset_s: float | None = entry.offset_s
            for text in entry.text.splitlines() or [""]:
                if level in self.levels:
                    self._shown.append(len(self._lines))
                self._lines.append(LogLine(offset_s, level, text))
                self.longest = max(self.longest, len(text))
                offset_s = None

    def replace_last(self, entry: LogEntry) -> None:
        """Put another entry in the place of the last one, as when it counts what was not kept."""
        while self._lines:
            line = self._lines.pop()
            if self._shown and self._shown[-1] == len(self._lines):
                self._shown.pop()
            if line.offset_s is not None:
                self.entries -= 1
                self._count_by_level[line.level] -= 1
                break
        self.add((entry,))

    def show_levels(self, levels: Iterable[str]) -> None:
        self.levels = frozenset(levels)
        self._shown = [index for index, line in enumerate(self._lines) if line.level in self.levels]

    def text(self, first: int = 0, last: int | None = None) -> str:
        """Write shown lines as text.

        Args:
            first: The first row.
            last: The last row; None for the end.
        """
        end = len(self) if last is None else last + 1
        return "\n".join(_written(self[row]) for row in range(first, min(end, len(self))))

    def find(self, needle: str, start: int, *, backwards: bool = False) -> int | None:
        """Return the next shown row that holds a text, in any case; None when none does.

        Args:
            needle: What to look for; empty finds nothing.
            start: The row to begin with; the search goes round.
            backwards: Whether to look upwards.
        """
        count = len(self)
        folded = needle.casefold()
        if not folded or not count:
            return None
        step = -1 if backwards else 1
        for distance in range(count):
            row = (start + step * distance) % count
            if folded in self[row].text.casefold():
                return row
        return None


def _written(line: LogLine) -> str:
    if line.offset_s is None:
        return f"{'':18}{line.text}"
    return f"{line.offset_s:9.3f} {line.level:<7} {line.text}"
