"""What the plots show of a tool, and the words that go with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from console.charts.card import CardValue
from console.charts.lines import CALLERS, Caller, moment_of, moment_text, table_of
from console.health.snapshot import span_words
from console.widgets.formats import format_count
from tools.health import SPANS, HealthLimits, Slot, TimeSpan


class PlotData(NamedTuple):
    """What the plots show.

    Attributes:
        slots: The tool's, oldest first; a slot that is missing is a gap.
        all_slots: Those of all tools together.
        span: How far back the plots reach, one of `SPANS`.
        now: Where they end.
        limits: The tool's.
        tool: Its name; "" when there is none to show.
    """

    slots: Sequence[Slot]
    all_slots: Sequence[Slot]
    span: TimeSpan
    now: datetime
    limits: HealthLimits
    tool: str

    @property
    def is_empty(self) -> bool:
        """Whether nothing at all was called."""
        return not (self.slots or self.all_slots)

    @property
    def newest(self) -> float | None:
        """The moment of the tool's newest slot, in seconds since the epoch; None without any."""
        return moment_of(self.slots[-1]) if self.slots else None

    @property
    def calls_title(self) -> str:
        """What a bar counts."""
        return f"Calls per {'minute' if self.span.slot_s == 60 else span_words(self.span.slot_s)}"

    @property
    def notices(self) -> tuple[str, str, str]:
        """Why there is nothing to see in the plots of latency, success and calls; "" where there is something."""
        name = next(name for name, span in SPANS.items() if span == self.span)
        ago = "in the last hour" if name == "1 h" else f"in the last {name}"
        if not self.tool:
            mine = "No tool chosen"
        elif not self.slots:
            mine = f"No calls {ago}"
        else:
            # Calls that were denied or answered from the cache ran nowhere.
            mine = "" if any(slot.runs for slot in self.slots) else f"Nothing ran {ago}"
        return mine, mine, "" if self.all_slots else f"No calls {ago}"

    def time_of(self, moment: float) -> str:
        """Write the time of a moment as finely as slots are long."""
        return moment_text(moment, self.span.slot_s)

    def when(self, moment: float | None) -> str:
        """Say when the values are from that stand in the heads.

        Args:
            moment: The marked moment; None takes the newest slot, and the one that passes or the one before is now.
        """
        if moment is not None:
            return f"at {self.time_of(moment)}"
        if self.newest is None:
            return ""
        age_s = self.now.timestamp() - self.newest
        return "now" if age_s < 2 * self.span.slot_s else f"at {self.time_of(self.newest)}"

    def table(self, moment: float | None = None) -> str:
        """Return the tool's values as a table.

        Args:
            moment: Only those of this moment; None takes all.
        """
        return table_of(slot for slot in self.slots if moment is None or moment_of(slot) == moment)


def legend(callers: Sequence[Caller]) -> list[CardValue]:
    """Return the names of bars."""
    return [CardValue(caller, CALLERS[caller], "") for caller in callers]


def counts(by_caller: Mapping[Caller, int]) -> list[CardValue]:
    """Return the names of bars with how many calls there were of each, without those of which there were none."""
    readings = [CardValue(caller, CALLERS[caller], format_count(count)) for caller, count in by_caller.items() if count]
    return readings or [CardValue("", "", "no calls")]
