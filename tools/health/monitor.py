"""Notice when a tool's health changes, without ever announcing the same thing back and forth."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping
from datetime import datetime
from typing import Final, NamedTuple

from tools.health.indicator import Health, HealthStatus
from tools.health.registry import ToolHealthRegistry
from tools.metrics import ToolMetrics

HOLD_S: Final = 30.0
"""How long a tool must do better before that is announced."""
RECHECK_S: Final = 5.0
"""How soon a tool without new calls is judged again, because its old ones leave the window."""
MOST_CHANGES: Final = 1000
"""How many changes are remembered."""
_BADNESS: Final = {HealthStatus.UNKNOWN: -1, HealthStatus.UP: 0, HealthStatus.DEGRADED: 1, HealthStatus.DOWN: 2}


class HealthChange(NamedTuple):
    """One tool's change from one status to another.

    Attributes:
        reason: Why, in one sentence without a full stop; None when it is up.
    """

    tool_name: str
    before: HealthStatus
    after: HealthStatus
    reason: str | None
    at: datetime


class _Watched:
    """What was announced of one tool, and since when it does better than that."""

    __slots__ = ("announced", "better_since_s", "judged_s", "since")

    def __init__(self, announced: Health, judged_s: float, since: datetime) -> None:
        self.announced = announced
        self.judged_s = judged_s
        self.better_since_s: float | None = None
        self.since = since


class HealthMonitor:
    """Keep what is announced of each registered tool: bad news at once, good news when it has lasted.

    Judging 2,000 tools takes tenths of a second, so that `look` judges those that ran since it last looked, and each of
    the others once in `RECHECK_S`. For one thread.

    Args:
        known: The newest changes by tool, as `Transitions.latest` returns them: what is still so is no change, however
            often the program starts.
    """

    def __init__(
        self, registry: ToolHealthRegistry, metrics: ToolMetrics, known: Mapping[str, HealthChange] | None = None
    ) -> None:
        self._registry = registry
        self._metrics = metrics
        self._watched: dict[str, _Watched] = {}
        self._known = dict(known or {})
        self.changes: deque[HealthChange] = deque(maxlen=MOST_CHANGES)

    def look(self, *, at_all: bool = False) -> tuple[HealthChange, ...]:
        """Judge the tools that may have changed.

        Args:
            at_all: Whether to judge every tool, such as after limits were changed.

        Returns:
            What changed, which `changes` remembers.
        """
        now_s = self._metrics.clock()
        names = self._registry.names
        for gone in self._watched.keys() - set(names):
            watched = self._watched.pop(gone)
            status = watched.announced.status
            # A tool that is loaded anew is the same as before.
            self._known[gone] = HealthChange(gone, status, status, watched.announced.reason, watched.since)
        found = (self._judge(name, now_s) for name in names if at_all or self._is_due(name, now_s))
        changes = tuple(change for change in found if change is not None)
        self.changes.extend(changes)
        return changes

    def health(self, name: str) -> Health:
        """Return what is announced of a tool; its numbers are those of the last look."""
        watched = self._watched.get(name)
        return self._registry.check(name) if watched is None else watched.announced

    def since(self, name: str) -> datetime | None:
        """Return since when the tool has its status; None when nobody has looked yet."""
        watched = self._watched.get(name)
        return None if watched is None else watched.since

    def _is_due(self, name: str, now_s: float) -> bool:
        watched = self._watched.get(name)
        return watched is None or now_s - watched.judged_s >= RECHECK_S or self._has_news(name)

    def _has_news(self, name: str) -> bool:
        return self._metrics.has_new_runs(name) or self._registry.has_new_check(name)

    def _first(self, health: Health, now_s: float) -> _Watched:
        known = self._known.pop(health.tool_name, None)
        if known is None or health.status is HealthStatus.UNKNOWN:
            return _Watched(health._replace(status=HealthStatus.UNKNOWN), now_s, self._metrics.wall())
        watched = _Watched(health._replace(status=known.after), now_s, known.at)
        # Nobody looked meanwhile: what is better now has been so for nobody knows how long.
        watched.better_since_s = -math.inf
        return watched

    def _judge(self, name: str, now_s: float) -> HealthChange | None:
        health, watched = self._registry.check(name), self._watched.get(name)
        if watched is None:
            watched = self._watched[name] = self._first(health, now_s)
        watched.judged_s = now_s
        before = watched.announced
        if health.status is before.status:
            watched.better_since_s = None
            watched.announced = health
            return None
        if health.status is HealthStatus.UNKNOWN and before.status is HealthStatus.UP and health.stats.failures:
            # The first of few runs that failed: neither better nor a change to tell of, but no longer up either.
            watched.better_since_s = None
            watched.announced, watched.since = health, self._metrics.wall()
            return None
        if _BADNESS[health.status] < _BADNESS[before.status]:
            if watched.better_since_s is None:
                watched.better_since_s = now_s
            left_s = watched.better_since_s + HOLD_S - now_s
            if left_s > 0:
                reason = f"it does better again, which counts in {math.ceil(left_s)} s"
                watched.announced = health._replace(status=before.status, reason=reason)
                return None
        watched.better_since_s = None
        watched.announced, watched.since = health, self._metrics.wall()
        return HealthChange(name, before.status, health.status, health.reason, watched.since)
