"""What the timeline of a run shows: what ran when, and what is planned."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from console.widgets.status import StatusName


class Grouping(StrEnum):
    """By what the lanes of a timeline are told apart."""

    WORKER = "worker"
    STEP = "step"


class Bar(NamedTuple):
    """One stretch of time in which a step ran, or is expected to run.

    Attributes:
        step: The step's name in the plan.
        number: Its place in the plan, from 1 on.
        worker: The lane it stands in when lanes are workers, from 0 on.
        began_s: Seconds from the start of the run.
        ended_s: The same; what runs ends now.
        status: A name of the status vocabulary.
        note: What is said behind the step's name: `61%`; empty for nothing.
        is_planned: Whether it is only expected; with a note, it is the rest of what runs already.
        is_critical: Whether it is on the chain of steps that takes longest.
        review_s: The part of it in which the step only waited for a person.
    """

    step: str
    number: int
    worker: int
    began_s: float
    ended_s: float
    status: StatusName
    note: str = ""
    is_planned: bool = False
    is_critical: bool = False
    review_s: float = 0.0


class Timeline(NamedTuple):
    """All bars of a run.

    Attributes:
        bars: In the order in which they began; those that are planned come last.
        steps: The steps' names in the plan's order.
        workers: The names of the lanes, when lanes are workers.
        now_s: Seconds from the start of the run until now; None when nothing runs.
        note: How to read it: `dashed: planned from each tool's usual P50`; empty when nothing is planned.
    """

    bars: tuple[Bar, ...] = ()
    steps: tuple[str, ...] = ()
    workers: tuple[str, ...] = ()
    now_s: float | None = None
    note: str = ""
