"""A day with known faults, two restarts and a dropped probe: everything told of it is what a plain recount says."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from tools import CallStatus, ToolCall, ToolMetrics
from tools.calls import Attempt, CallError, CallFinished, ErrorKind, record_of
from tools.health import (
    SPANS,
    Check,
    CheckOutcome,
    HealthChange,
    HealthLimits,
    HealthMonitor,
    HealthSeries,
    HealthStatus,
    Slot,
    ToolHealthRegistry,
    Transitions,
)
from tools.health.monitor import HOLD_S
from tools.metrics import EndedCall, ended_of

UP, DEGRADED, DOWN, UNKNOWN = HealthStatus
ORDER = (UNKNOWN, UP, DEGRADED, DOWN)
MIDNIGHT = datetime(2026, 3, 31, tzinfo=UTC)
STEP_S = 30
DAY_S = 24 * 3600
WINDOW_S = 900
PROBE_EVERY_S = 300
EXACT_EVERY_S = 150
RESTARTS_H = (11.0, 14.25)
TOOLS = ("steady", "slow", "broken", "flaky", "quiet")


class Ran(NamedTuple):
    """One call: when it ended, how, how long it took and who asked."""

    at_s: float
    kind: ErrorKind | None
    elapsed_s: float
    caller: str


class Told(NamedTuple):
    hour: float
    tool: str
    before: HealthStatus
    after: HealthStatus


def day() -> Iterator[tuple[float, str, Ran | None, bool | None]]:
    """Tell what happens, moment by moment: each tool with the call that ended, and what its probe said."""
    chance = Random(11)
    for moment_s in range(0, DAY_S, STEP_S):
        hour = moment_s / 3600
        for tool in TOOLS:
            calls = chance.random() < (0.002 if tool == "quiet" else 0.5)
            elapsed_s = chance.uniform(6, 9) if tool == "slow" and 9 <= hour < 10 else chance.lognormvariate(-1, 0.5)
            fails = (tool == "broken" and 14 <= hour < 14.5) or (
                tool == "flaky" and 18 <= hour < 19 and chance.random() < 0.12
            )
            kind = chance.choice([ErrorKind.TIMEOUT, ErrorKind.TOOL]) if fails else None
            ran = Ran(float(moment_s), kind, elapsed_s, chance.choice(["you", "agent:a", "agent:b", "batch: x"]))
            passes = not (3 <= hour < 3.3 or hour == 12) if tool == "quiet" and moment_s % PROBE_EVERY_S == 0 else None
            yield float(moment_s), tool, ran if calls else None, passes


class Program:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.now_s = 0.0
        self.series = HealthSeries(folder)
        self.start()

    def wall(self) -> datetime:
        return MIDNIGHT + timedelta(seconds=self.now_s)

    def start(self, past: dict[str, list[Ran]] | None = None) -> None:
        """Begin anew with what is kept: the changes, and the runs of the last minutes."""
        self.metrics = ToolMetrics(lambda: self.now_s, wall=self.wall)
        self.registry = ToolHealthRegistry(self.metrics, HealthLimits(least_calls=1))
        self.registry.register_all(TOOLS)
        self.transitions = Transitions(self.folder)
        self.monitor = HealthMonitor(self.registry, self.metrics, self.transitions.latest())
        for tool, runs in (past or {}).items():
            for ran in runs:
                if ran.at_s >= self.now_s - WINDOW_S:
                    self.metrics.recall(
                        EndedCall(tool, CallStatus.EXECUTED, ran.elapsed_s, failure=ran.kind), self.now_s - ran.at_s
                    )

    def take(self, tool: str, ran: Ran) -> None:
        call = ToolCall("1", None, tool, {}, ran.caller, 0.0)
        response = call.response
        call.proposed_s = MIDNIGHT.timestamp() + ran.at_s - ran.elapsed_s
        response.elapsed_s, response.attempts = ran.elapsed_s, [Attempt(1, 0.0)]
        statuses = {
            None: CallStatus.EXECUTED,
            ErrorKind.TIMEOUT: CallStatus.TIMED_OUT,
            ErrorKind.TOOL: CallStatus.FAILED,
        }
        response.status = statuses[ran.kind]
        if ran.kind is not None:
            response.error = CallError(ran.kind, "no answer")
        ended = ended_of(call, ran.elapsed_s)
        assert ended.failure is ran.kind
        self.metrics.record(ended)
        self.series(CallFinished(call, record_of(call)))

    def look(self) -> tuple[HealthChange, ...]:
        changes = self.monitor.look()
        self.transitions.take(changes, self.wall())
        if changes:
            self.transitions.flush(self.wall())
        return changes


@dataclass
class Recount:
    """The same, by plain lists and the words of the decisions alone."""

    runs: dict[str, list[Ran]] = field(default_factory=lambda: {tool: [] for tool in TOOLS})
    probes: dict[str, list[tuple[float, bool]]] = field(default_factory=lambda: {tool: [] for tool in TOOLS})
    announced: dict[str, HealthStatus] = field(default_factory=lambda: dict.fromkeys(TOOLS, UNKNOWN))
    better_since_s: dict[str, float] = field(default_factory=dict)
    told: list[Told] = field(default_factory=list)
    starting: set[str] = field(default_factory=set)

    def status(self, tool: str, now_s: float) -> HealthStatus:
        runs = [ran for ran in self.runs[tool][-60:] if ran.at_s >= now_s - WINDOW_S]
        probes = [probe for probe in self.probes[tool] if probe[0] >= now_s - WINDOW_S]
        if probes and runs and runs[-1].kind is None and runs[-1].at_s > probes[-1][0]:
            probes = []
        if len(probes) >= 3 and not any(passed for _, passed in self.probes[tool][-3:]):
            return DOWN
        if not runs:
            # Three rounds are as long as the window.
            lately = self.probes[tool][-4:] if probes else []
            return UP if any(passed for _, passed in lately) else UNKNOWN
        good = sum(ran.kind is None for ran in runs) / len(runs)
        p95_s = sorted(ran.elapsed_s for ran in runs)[math.ceil(0.95 * len(runs) - 1e-9) - 1]
        return DOWN if good < 0.80 else DEGRADED if good < 0.95 or p95_s > 5 else UP

    def look(self, tool: str, now_s: float) -> None:
        status = self.status(tool, now_s)
        if tool in self.starting:
            # What is kept counts as it stands; nothing is told of what there is nothing to say of.
            self.starting.remove(tool)
            self.better_since_s[tool] = -math.inf
            if status is UNKNOWN:
                self.announced[tool] = UNKNOWN
        announced = self.announced[tool]
        if ORDER.index(status) >= ORDER.index(announced):
            self.better_since_s.pop(tool, None)
            is_told = status is not announced
        else:
            is_told = now_s - self.better_since_s.setdefault(tool, now_s) >= HOLD_S
        if is_told:
            self.better_since_s.pop(tool, None)
            self.told.append(Told(now_s / 3600, tool, announced, status))
            self.announced[tool] = status

    def restart(self) -> None:
        """Forget the probes; the runs of the last minutes are known from the history."""
        self.probes = {tool: [] for tool in TOOLS}
        self.starting = set(TOOLS)


def slots_of(runs: list[tuple[str, Ran]], span: str, now_s: float) -> dict[datetime, list[Ran]]:
    length_s, slot_s = SPANS[span]
    first = (MIDNIGHT.timestamp() + now_s - length_s) // slot_s + 1
    found: dict[datetime, list[Ran]] = {}
    for _, ran in runs:
        slot = (MIDNIGHT.timestamp() + ran.at_s) // slot_s
        if slot >= first:
            found.setdefault(datetime.fromtimestamp(slot * slot_s, UTC), []).append(ran)
    return found


def assert_same(slot: Slot, runs: list[Ran]) -> None:
    assert slot.calls == Counter(ran.caller.split(":")[0] for ran in runs)
    assert slot.failed == Counter(ran.caller.split(":")[0] for ran in runs if ran.kind is not None)
    assert (slot.runs, slot.failures) == (len(runs), sum(ran.kind is not None for ran in runs))
    elapsed_s = sorted(ran.elapsed_s for ran in runs)
    for percent, found_ms in ((50, slot.p50_ms), (95, slot.p95_ms), (99, slot.p99_ms)):
        exact_ms = elapsed_s[math.ceil(percent / 100 * len(runs) - 1e-9) - 1] * 1000
        assert found_ms == pytest.approx(exact_ms, rel=0.025)


@pytest.mark.reference("A63", "A64", "A65", "A66", "A73")
def test_statuses_changes_and_curves_are_as_a_plain_recount_tells_them(tmp_path: Path) -> None:
    program, recount = Program(tmp_path), Recount()
    noticed: list[HealthChange] = []
    for moment_s, tool, ran, passes in day():
        program.now_s = moment_s
        if tool == TOOLS[0] and moment_s / 3600 in RESTARTS_H:
            program.start(recount.runs)
            recount.restart()
        if ran is not None:
            program.take(tool, ran)
            recount.runs[tool].append(ran)
        if passes is not None:
            outcome = CheckOutcome.PASSED if passes else CheckOutcome.FAILED
            program.registry.take_check(Check(tool, program.wall(), outcome, 1.0, "" if passes else "no route"))
            recount.probes[tool].append((moment_s, passes))
        if tool == TOOLS[-1]:
            noticed += program.look()
            for each in TOOLS:
                recount.look(each, moment_s)
                assert program.monitor.health(each).status is recount.announced[each]
                if moment_s % EXACT_EVERY_S == 0:
                    assert program.registry.check(each).status is recount.status(each, moment_s)
            if moment_s % 3600 == 0:
                program.series.flush(program.wall())
    program.series.flush(program.wall())
    told = [
        Told((item.at - MIDNIGHT).total_seconds() / 3600, item.tool_name, item.before, item.after) for item in noticed
    ]
    assert sorted(told) == sorted(recount.told)
    assert program.transitions.newest() == sorted(noticed, key=lambda item: (item.at, item.tool_name), reverse=True)
    assert_curves(program, recount)
    assert_story(told)


def assert_curves(program: Program, recount: Recount) -> None:
    for tool in (None, *TOOLS):
        runs = [(name, ran) for name in TOOLS if tool in {None, name} for ran in recount.runs[name]]
        for span in SPANS:
            slots = program.series.slots(SPANS[span], program.wall(), tool)
            expected = slots_of(runs, span, program.now_s)
            assert [slot.begins_at for slot in slots] == sorted(expected)
            for slot in slots:
                assert_same(slot, expected[slot.begins_at])


def assert_story(told: list[Told]) -> None:
    """Say what a person remembers of the day."""
    by_tool = {tool: [item for item in told if item.tool == tool] for tool in TOOLS}
    assert [item[2:] for item in by_tool["steady"]] == [(UNKNOWN, UP)]
    _, slow, mended = by_tool["slow"]
    assert (slow.after, mended.after) == (DEGRADED, UP)
    assert 9 <= slow.hour < 9.05
    assert 10 < mended.hour < 10.3
    broken = by_tool["broken"]
    assert [item.after for item in broken] == [UP, DEGRADED, DOWN, DEGRADED, UP]
    assert 14 <= broken[1].hour <= broken[2].hour < 14.1
    assert 14.5 < broken[3].hour < broken[4].hour < 14.8
    flaky = by_tool["flaky"]
    assert {item.after for item in flaky[1:]} <= {UP, DEGRADED, DOWN}
    assert all(18 <= item.hour < 19.3 for item in flaky[1:])
    assert len(flaky) < 12
    (down,) = (item for item in by_tool["quiet"] if item.after is DOWN)
    assert down.hour == pytest.approx(3 + 2 * PROBE_EVERY_S / 3600)
    assert not [item for item in by_tool["quiet"] if 11.9 < item.hour < 13]
