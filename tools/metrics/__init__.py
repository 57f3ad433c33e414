"""Numbers about calls: how many, how they ended, how long they took, in total and over a window that moves along.

Recording a call appends to a queue; the reader pays for the statistics.
"""

from tools.metrics.metrics import (
    MOST_CALLERS,
    MOST_NAMES,
    OTHER_CALLERS,
    UNKNOWN_TOOLS,
    EndedCall,
    Measure,
    ToolMetrics,
    ToolNumbers,
    ended_of,
)
from tools.metrics.stats import MOST_CALLS, CallWindow, ToolRun, ToolStats, WaitTimes, percentile, stats_of

__all__ = [
    "MOST_CALLERS",
    "MOST_CALLS",
    "MOST_NAMES",
    "OTHER_CALLERS",
    "UNKNOWN_TOOLS",
    "CallWindow",
    "EndedCall",
    "Measure",
    "ToolMetrics",
    "ToolNumbers",
    "ToolRun",
    "ToolStats",
    "WaitTimes",
    "ended_of",
    "percentile",
    "stats_of",
]
