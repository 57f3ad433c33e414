"""How the tools do: up, degraded or down, by what their newest runs came to.

`tools.metrics` keeps the newest runs; this package only judges them: `ToolHealthRegistry` exactly and at any moment,
`HealthMonitor` with patience, so that no status flickers on the screen. `HealthChecks` probes tools through the
`Executor`. A probe is a call whose `CallOrigin` says so: no number counts it, nobody is asked, no fallback answers.
"""

from tools.health.exporting import as_json, as_prometheus, document, plain_changes
from tools.health.from_history import recall
from tools.health.indicator import Health, HealthStatus, ToolHealthIndicator, failed_words, worst
from tools.health.limits import HealthLimits, LimitsScope
from tools.health.limits_file import LimitsFile
from tools.health.monitor import HealthChange, HealthMonitor
from tools.health.preview import LimitsPreview, StatusChange, preview
from tools.health.probe_outcome import Check, CheckOutcome, ProbeSummary
from tools.health.probing import HealthChecks
from tools.health.registry import ToolHealthRegistry
from tools.health.series import HealthSeries
from tools.health.telemetry import Telemetry
from tools.health.time_slots import SPANS, Slot, TimeSpan
from tools.health.transitions import Transitions

__all__ = [
    "SPANS",
    "Check",
    "CheckOutcome",
    "Health",
    "HealthChange",
    "HealthChecks",
    "HealthLimits",
    "HealthMonitor",
    "HealthSeries",
    "HealthStatus",
    "LimitsFile",
    "LimitsPreview",
    "LimitsScope",
    "ProbeSummary",
    "Slot",
    "StatusChange",
    "Telemetry",
    "TimeSpan",
    "ToolHealthIndicator",
    "ToolHealthRegistry",
    "Transitions",
    "as_json",
    "as_prometheus",
    "document",
    "failed_words",
    "plain_changes",
    "preview",
    "recall",
    "worst",
]
