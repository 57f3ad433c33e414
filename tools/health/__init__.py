"""How the tools do: up, degraded or down, by what their newest runs came to."""

from tools.health.exporting import as_json, as_prometheus, document
from tools.health.indicator import Health, HealthStatus, ToolHealthIndicator, worst
from tools.health.limits import HealthLimits
from tools.health.monitor import HealthChange, HealthMonitor
from tools.health.recall import recall
from tools.health.registry import ToolHealthRegistry
from tools.health.series import SPANS, HealthSeries, Slot, Span

__all__ = [
    "SPANS",
    "Health",
    "HealthChange",
    "HealthLimits",
    "HealthMonitor",
    "HealthSeries",
    "HealthStatus",
    "Slot",
    "Span",
    "ToolHealthIndicator",
    "ToolHealthRegistry",
    "as_json",
    "as_prometheus",
    "document",
    "recall",
    "worst",
]
