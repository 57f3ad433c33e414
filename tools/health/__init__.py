"""How the tools do: up, degraded or down, by what their newest runs came to."""

from tools.health.indicator import Health, HealthStatus, ToolHealthIndicator, worst
from tools.health.limits import HealthLimits
from tools.health.monitor import HealthChange, HealthMonitor
from tools.health.registry import ToolHealthRegistry

__all__ = [
    "Health",
    "HealthChange",
    "HealthLimits",
    "HealthMonitor",
    "HealthStatus",
    "ToolHealthIndicator",
    "ToolHealthRegistry",
    "worst",
]
