"""How far a run is, in a few words: for whoever does not see its page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from console.widgets.formats import format_count

_LEFT: Final = ("queued", "running", "waiting for you", "blocked")


class RunProgress(NamedTuple):
    """How far a run is.

    Attributes:
        plan: What people call the plan.
        steps: How many steps it has.
        over: How many of them are over, however they ended.
        done: How many of these did what they were to do.
        failed: How many failed.
        waiting: How many wait for an answer of the person.
        asks: Whether the person is asked about the whole plan.
        looking: How far the look is at what would be asked, in words; empty when nobody looks.
        unsure: How many may have run, so that somebody has to look.
    """

    plan: str = ""
    steps: int = 0
    over: int = 0
    done: int = 0
    failed: int = 0
    waiting: int = 0
    asks: bool = False
    looking: str = ""
    unsure: int = 0

    @property
    def words(self) -> str:
        if self.asks or self.looking:
            return f"{self.plan}: {'waits for your answer' if self.asks else _begun_small(self.looking)}"
        words = [f"{self.plan}: {format_count(self.over)} of {format_count(self.steps)} steps", *self._bad]
        return ", ".join(words)

    @property
    def troubles(self) -> str:
        """What somebody has to look at, in sentences; empty when there is nothing."""
        return " ".join(f"{words}." for words in self._bad)

    @property
    def _bad(self) -> list[str]:
        counts = (self.failed, "failed"), (self.unsure, "may have run")
        return [f"{format_count(count)} {what}" for count, what in counts if count]

    @property
    def sentence(self) -> str:
        """How far it is, for people who are asked what becomes of it."""
        steps = "step is" if self.steps == 1 else "steps are"
        words = [f"{self.plan}: {format_count(self.over)} of {format_count(self.steps)} {steps} over."]
        if self.looking:
            words.append(f"{self.looking}.")
        if self.troubles:
            words.append(self.troubles)
        if self.asks:
            words.append("It waits for your answer about the whole plan.")
        if self.waiting:
            waits = "1 waits" if self.waiting == 1 else f"{format_count(self.waiting)} wait"
            words.append(f"{waits} for your answer.")
        return " ".join(words)


def end_words(progress: RunProgress) -> str:
    """Say how a run ended."""
    if progress.failed:
        return f"{progress.plan} failed"
    if progress.unsure:
        return f"{progress.plan} ended, and needs you to look"
    return f"{progress.plan} is done" if progress.done == progress.steps else f"{progress.plan} ended"


def progress_of(plan: str, counts: Mapping[str, int], *, asks: bool = False, looking: str = "") -> RunProgress:
    """Return how far a run is.

    Args:
        plan: What people call the plan.
        counts: How many steps stand how, by the words of the groups.
        asks: Whether the person is asked about the whole plan.
        looking: How far the look is at what would be asked, in words; empty when nobody looks.
    """
    steps = sum(counts.values())
    left = sum(counts.get(group, 0) for group in _LEFT)
    over, done, failed = steps - left, counts.get("done", 0), counts.get("failed", 0)
    waiting, unsure = counts.get("waiting for you", 0), counts.get("unsure", 0)
    return RunProgress(plan, steps, over, done, failed, waiting, asks, looking, unsure)


def _begun_small(words: str) -> str:
    return words[:1].lower() + words[1:]
