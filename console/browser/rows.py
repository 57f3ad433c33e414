"""The frozen rows that the tools tree shows, and which of them a filter keeps."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

Family = Literal["built-in", "plugin", "server", "program"]
"""Which top row of the tree something belongs to."""

Health = Literal["up", "degraded", "down", "unknown"]
Latency = Literal["fast", "medium", "slow"]

FAMILIES: Final[tuple[Family, ...]] = ("built-in", "plugin", "server", "program")
"""All families, in the order they are shown."""


@dataclass(frozen=True, slots=True)
class ToolSourceRow:
    """Say where tools come from, or why none came.

    Attributes:
        family: The top row it is listed under.
        name: The name shown, such as a plugin file's or a server's.
        path: The plugin file; empty for anything else.
        error: Why it could not be loaded or reached; empty when it was.
        traceback: Where that happened; empty when it was loaded.
    """

    family: Family
    name: str
    path: str = ""
    error: str = ""
    traceback: str = ""

    @property
    def error_line(self) -> str:
        """The first line of the error that says something."""
        return next((line.strip() for line in self.error.splitlines() if line.strip()), "")


@dataclass(frozen=True, slots=True)
class ToolRow:
    """Be one tool as the tree shows it.

    Attributes:
        name: Its unique name.
        source: Where it comes from.
        group: The toolkit, category, plugin file or server it is listed under.
        label: What is shown of it there; empty for its whole name.
        title: A name for people; empty when it has none.
        description: What it does.
        keywords: Words it can be found by.
        asks_first: Whether a person is asked before each call.
        risks: What it says of its risk that a person should know, a few words each.
        latency: How long a call usually takes; None when nobody said.
        health: How it did lately.
        health_reason: Why it is not up; empty when it is.
        enabled: Whether its calls are accepted.
    """

    name: str
    source: ToolSourceRow
    group: str
    label: str = ""
    title: str = ""
    description: str = ""
    keywords: tuple[str, ...] = ()
    asks_first: bool = False
    risks: tuple[str, ...] = ()
    latency: Latency | None = None
    health: Health = "unknown"
    health_reason: str = ""
    enabled: bool = True
    names_text: str = field(init=False, repr=False, compare=False)
    all_text: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Keep what a filter looks at as one text each, as a keystroke looks at every tool there is."""
        names = "\n".join((self.name, self.title, *self.keywords)).casefold()
        object.__setattr__(self, "names_text", names)
        object.__setattr__(self, "all_text", f"{names}\n{self.description.casefold()}")


@dataclass(frozen=True, slots=True)
class Traits:
    """What tools shall have in common, besides words.

    Attributes:
        asks_first: Whether only those stay that ask before they run.
        latencies: Only those this fast stay; empty keeps all.
    """

    asks_first: bool = False
    latencies: frozenset[Latency] = frozenset()

    def __bool__(self) -> bool:
        """Return whether they leave anything out."""
        return self.asks_first or bool(self.latencies)

    def fit(self, row: ToolRow) -> bool:
        return (row.asks_first or not self.asks_first) and (not self.latencies or row.latency in self.latencies)


def filter_words(text: str) -> tuple[str, ...]:
    """Split what a person typed into the words that a tool must all contain."""
    return tuple(text.casefold().split())


def matching(rows: Sequence[ToolRow], words: tuple[str, ...]) -> list[ToolRow]:
    """Give the rows that contain every word in their name, title or keywords.

    If no row does, descriptions count as well, so that a person who does not know the name still gets there.

    Args:
        rows: What to look at.
        words: Of `filter_words`; none keeps every row.

    Returns:
        The rows that stay, in their order.
    """
    found = list(rows)
    for word in words:
        found = [row for row in found if word in row.names_text]
    if found or not words:
        return found
    found = list(rows)
    for word in words:
        found = [row for row in found if word in row.all_text]
    return found


def distance(name: str, words: Iterable[str]) -> tuple[int, int]:
    """Tell how far a tool's name is from the words of a filter that found it, to compare tools by.

    Args:
        name: The tool.
        words: As `filter_words` gives them.

    Returns:
        How many words are not in the name, then 0 for the very name, 1 when it begins with the first word, else 2.
    """
    low, words = name.casefold(), tuple(words)
    missing = sum(word not in low for word in words)
    if low == "_".join(words):
        return missing, 0
    return missing, 1 if words and low.startswith(words[0]) else 2


def match_spans(text: str, words: Iterable[str]) -> list[tuple[int, int]]:
    """Find every place in a text where one of the words stands; places that touch or overlap are one.

    Args:
        text: What is shown.
        words: Of `filter_words`.

    Returns:
        First letter and the one past the last of each place, in order.
    """
    folded = text.casefold()
    if len(folded) != len(text):  # a few letters fold to two; then positions in one text mean nothing in the other
        folded = text.lower() if len(text.lower()) == len(text) else text
    spans = []
    for word in words:
        start = folded.find(word)
        while start >= 0:
            spans.append((start, start + len(word)))
            start = folded.find(word, start + 1)
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
