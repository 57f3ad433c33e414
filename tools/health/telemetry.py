"""Calls and health as metrics of OpenTelemetry, through its API alone: who sets up its SDK decides where they go."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

from tools.calls import CallFinished, Event
from tools.errors import ToolConfigurationError
from tools.health.indicator import Health, HealthStatus
from tools.health.monitor import HealthChange
from tools.health.series import kind_of_caller
from tools.metrics import ended_of

if TYPE_CHECKING:
    from opentelemetry.metrics import CallbackOptions, Meter, Observation

TOOL: Final = "gen_ai.tool.name"
"""The attribute that names the tool. Source: OpenTelemetry, "Semantic conventions for generative AI"."""
ERROR: Final = "error.type"
"""The attribute that says what kind of failure it was. Source: OpenTelemetry, "Semantic conventions", general."""
STATUS: Final = "tool.status"
CALLER: Final = "tool.caller"
BOUNDARIES_S: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
"""Where the bars of the run times meet, unless the SDK says otherwise."""


class Telemetry:
    """Feed OpenTelemetry with the calls of an executor, to which it listens, and with the health of the tools.

    There are the counters `tool.calls`, `tool.probes` and `tool.health.changes`, the histogram `tool.duration` of the
    runs, and `tool.health`, which is 1 for the status that a tool has and 0 for the others.

    Args:
        healths: Returns the health of the tools when it is collected; from the collector's thread. None tells of none.
        meter: Makes the instruments; None takes that of the program's meter provider.

    Raises:
        ToolConfigurationError: The API is not installed.
    """

    wants: Final = (CallFinished,)

    def __init__(self, healths: Callable[[], Iterable[Health]] | None = None, meter: Meter | None = None) -> None:
        api = _api()
        made = meter or api.get_meter("tool-console")
        self._observation: type[Observation] = api.Observation
        self._healths = healths
        self._calls = made.create_counter("tool.calls", "{call}", "Calls that ended, by how they ended")
        self._probes = made.create_counter("tool.probes", "{call}", "Probes of tools that ended, by how they ended")
        self._changes = made.create_counter("tool.health.changes", "{change}", "Changes of a tool's health")
        self._durations = made.create_histogram(
            "tool.duration",
            "s",
            "Seconds in the tool, without waiting for people and permits",
            explicit_bucket_boundaries_advisory=BOUNDARIES_S,
        )
        if healths is not None:
            made.create_observable_gauge(
                "tool.health", [self._observe], "1", "1 for the status that the tool has, 0 for the others"
            )

    def __call__(self, event: Event) -> None:
        if not isinstance(event, CallFinished):
            return
        call, response = event.call, event.call.response
        attributes = {TOOL: call.name, STATUS: response.status.value}
        if call.is_probe:
            self._probes.add(1, attributes)
            return
        self._calls.add(1, {**attributes, CALLER: kind_of_caller(call.caller)})
        ended = ended_of(call, response.elapsed_s)
        if ended.ran:
            failure = {} if ended.failure is None else {ERROR: ended.failure.value}
            self._durations.record(ended.elapsed_s, {TOOL: call.name, **failure})

    def take_change(self, change: HealthChange) -> None:
        self._changes.add(1, {TOOL: change.tool_name, STATUS: change.after.value})

    def _observe(self, _: CallbackOptions) -> Iterator[Observation]:
        for health in self._healths() if self._healths is not None else ():
            for status in HealthStatus:
                is_it = int(health.status is status)
                yield self._observation(is_it, {TOOL: health.tool_name, STATUS: status.value})


def _api() -> Any:
    try:
        from opentelemetry import metrics  # noqa: PLC0415 -- an extra that few programs have
    except ImportError as error:
        msg = "metrics for OpenTelemetry need its API; install tool-console[otel]"
        raise ToolConfigurationError(msg) from error
    return metrics
