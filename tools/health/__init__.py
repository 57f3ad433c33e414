"""How the tools do: up, degraded or down, by what their newest runs came to."""

from tools.health.indicator import Health, HealthStatus, ToolHealthIndicator, worst
from tools.health.limits import HealthLimits
from tools.health.registry import ToolHealthRegistry

__all__ = ["Health", "HealthLimits", "HealthStatus", "ToolHealthIndicator", "ToolHealthRegistry", "worst"]
