"""Numbers about calls: how many, how they ended, how long they took, in total and over a window that moves along.

Recording a call appends to a queue; the reader pays for the statistics.
"""

from tools.metrics.metrics import EndedCall, Measure, ToolMetrics, ended_of
from tools.metrics.stats import MOST_CALLS, CallWindow, ToolRun, ToolStats, WaitTimes, percentile, stats_of

__all__ = [
    "MOST_CALLS",
    "CallWindow",
    "EndedCall",
    "Measure",
    "ToolMetrics",
    "ToolRun",
    "ToolStats",
    "WaitTimes",
    "ended_of",
    "percentile",
    "stats_of",
]
