"""Ask tools whether they work, by the probes that they or their sources declare."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from datetime import datetime, timedelta
from time import perf_counter
from typing import Final
from weakref import WeakSet

from tools.calls import PROBE_CALLER, CallOrigin, ErrorKind, ToolCall, ToolResponse
from tools.errors import ToolError
from tools.execution.executor import Executor
from tools.health.from_history import RAN
from tools.health.limits import LOOK_BACK_S
from tools.health.probe_outcome import Check, CheckOutcome
from tools.health.registry import ToolHealthRegistry
from tools.history import History, HistoryQuery
from tools.metrics import ended_of
from tools.tool import Probe

AT_A_TIME: Final = 4
"""How many probes run at a time."""
_MOST_RECALLED: Final = 1000
"""How many of the newest probes are looked at."""
MOST_S: Final = 30.0
"""How long a probe may take; one that takes longer has failed."""


class HealthChecks:
    """Probe tools, now and every so often, through the executor; for the event loop that the executor runs in.

    Probes are calls of their own, found in the history with the caller `probe`. They count for health and for the
    tool's breaker, and for no numbers of its use. A probe that would have to ask a person is refused instead.

    Args:
        executor: Runs the probes.
        registry: Learns what came of them.
        wall: The time of day.
        sleep: Waits some seconds.

    Attributes:
        next_at: When the next round begins; None when none is planned.
    """

    def __init__(
        self,
        executor: Executor,
        registry: ToolHealthRegistry,
        *,
        wall: Callable[[], datetime] | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._executor = executor
        self._registry = registry
        self._wall = wall or executor.metrics.wall
        self._sleep = sleep
        # Those of files that were loaded anew go by themselves.
        self._unwelcome: WeakSet[Probe] = WeakSet()
        self._places = asyncio.Semaphore(AT_A_TIME)
        self.next_at: datetime | None = None

    def has_probe(self, name: str) -> bool:
        """Return whether there is a way to ask a tool."""
        return self._probe_of(name) is not None

    def checkable(self, *, on_request: bool = False) -> tuple[str, ...]:
        """Return the tools that can be asked.

        Args:
            on_request: Whether a person asks: then the probes count as well that are made only on request, those of
                tools that ran lately.
        """
        ran = self._registry.ran if on_request else frozenset()
        # A built-in tool whose probe is looked at is imported, so that comes last.
        return tuple(
            tool.name
            for tool in self._executor.registry
            if (not tool.card.probes_on_request or tool.name in ran) and self.has_probe(tool.name)
        )

    def recall(self, history: History) -> int:
        """Let the registry know what probes came to lately, so that those that fail in a row may do so over restarts.

        Args:
            history: What was recorded, by this program or another.

        Returns:
            How many probes count; each counts for all tools that share it.

        Raises:
            HistoryError: When the history cannot be read.
        """
        since = self._wall() - timedelta(seconds=LOOK_BACK_S)
        rows = history.search(
            HistoryQuery(callers=(PROBE_CALLER,), statuses=RAN, since=since, limit=_MOST_RECALLED)
        ).rows
        ran = [row for row in reversed(rows) if row.attempts]
        for row in ran:
            outcome = CheckOutcome.PASSED if row.error_kind is None else CheckOutcome.FAILED
            message = "" if row.error_kind is None else row.summary
            at = row.proposed_at + timedelta(seconds=row.elapsed_s)
            check = Check(row.tool, at, outcome, row.elapsed_s * 1000, message)
            for name in self._sharing(row.tool):
                self._registry.take_check(check._replace(tool_name=name))
        return len(ran)

    def _sharing(self, name: str) -> list[str]:
        """Return the tools that one probe answers for, of which one has the name."""
        probe, tools = self._probe_of(name), self._executor.registry
        asked = tools.lookup(name)
        kit = asked.toolkit if asked is not None and asked.card.probes_on_request else None
        # The others on request need not be imported to know that they share none with this one.
        names = (tool.name for tool in tools if not tool.card.probes_on_request or tool.toolkit == kit)
        return [name] if probe is None else [other for other in names if self._probe_of(other) is probe]

    async def check_now(self, names: Iterable[str] | None = None) -> tuple[Check, ...]:
        """Probe tools, a few at a time, and let the registry know.

        Args:
            names: The tools; None for all that a person's wish can mean, see `checkable`. Those without a probe are
                left out.

        Returns:
            What came of each, in the same order.
        """
        names_by_probe: dict[Probe, list[str]] = {}
        for name in self.checkable(on_request=True) if names is None else names:
            probe = self._probe_of(name)
            if probe is not None:
                names_by_probe.setdefault(probe, []).append(name)
        asked = (self._ask(shared[0], probe) for probe, shared in names_by_probe.items())
        came = await asyncio.gather(*asked)
        checks = [
            check._replace(tool_name=name)
            for check, shared in zip(came, names_by_probe.values(), strict=True)
            for name in shared
        ]
        for check in checks:
            self._registry.take_check(check)
        return tuple(checks)

    async def keep_checking(self, interval_s: float) -> None:
        """Probe all tools that can be asked every so often, until this is cancelled; the first time after one interval.

        Probes that are made on request only are left out.

        What a policy or a schema refused is left out until somebody lets the tool be asked with `check_now`.

        Args:
            interval_s: Seconds from the end of one round to the next.
        """
        try:
            while True:
                self.next_at = self._wall() + timedelta(seconds=interval_s)
                await self._sleep(interval_s)
                await self.check_now(name for name in self.checkable() if self._probe_of(name) not in self._unwelcome)
        finally:
            self.next_at = None

    def _probe_of(self, name: str) -> Probe | None:
        tool = self._executor.registry.lookup(name)
        return None if tool is None or not self._executor.registry.is_enabled(name) else tool.probe

    async def _ask(self, name: str, probe: Probe) -> Check:
        async with self._places:
            call = await self._executor.propose(
                name,
                probe.arguments or {},
                caller=PROBE_CALLER,
                bypass_cache=True,
                origin=CallOrigin(probe=probe),
            )
            began_s = perf_counter()
            task = asyncio.ensure_future(self._executor.execute(call))
            try:
                done, _ = await asyncio.wait([task], timeout=MOST_S)
            except asyncio.CancelledError:
                call.cancel()
                await asyncio.wait([task])
                raise
            if not done:
                call.cancel()
                await asyncio.wait([task])
            outcome, message = _outcome(call, task, in_time=bool(done))
            if outcome is CheckOutcome.REFUSED and not _may_pass_later(call):
                self._unwelcome.add(probe)
            else:
                self._unwelcome.discard(probe)
            elapsed_ms = (perf_counter() - began_s) * 1000
        return Check(name, self._wall(), outcome, elapsed_ms, message, call.id)


def _may_pass_later(call: ToolCall) -> bool:
    """Return whether it was only for now that something refused a call, such as an open breaker."""
    error = call.response.error
    return error is not None and error.kind in {ErrorKind.UNAVAILABLE, ErrorKind.RATE_LIMIT}


def _outcome(call: ToolCall, task: asyncio.Task[ToolResponse], *, in_time: bool) -> tuple[CheckOutcome, str]:
    if not in_time:
        return CheckOutcome.FAILED, f"it did not answer within {MOST_S:g} s"
    error = None if task.cancelled() else task.exception()
    if error is not None and not isinstance(error, ToolError):
        raise error
    response = call.response
    ended = ended_of(call, response.elapsed_s)
    if not ended.ran:
        said = response.error.message if response.error is not None else response.status.value
        return CheckOutcome.REFUSED, str(error or said)
    if ended.failure is not None:
        return CheckOutcome.FAILED, ended.message
    return CheckOutcome.PASSED, ""
