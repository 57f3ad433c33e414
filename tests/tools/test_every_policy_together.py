"""One tool with every policy, hundreds of calls at once, faults of all kinds: what must hold whatever happens."""

from __future__ import annotations

import asyncio
import random
import re
import threading
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from tests.tools.running import Recorder
from tools import (
    CallStatus,
    CircuitBreaker,
    Continue,
    Edit,
    ExitEarly,
    FailureBlock,
    Isolation,
    ToolConfigurationError,
    ToolFailure,
    ToolResult,
    TransientError,
    cached,
    contract,
    make_tool,
    rate_limit,
    resilience,
    retry,
    security,
)
from tools.audit import AuditLog, verify
from tools.calls import (
    CallFinished,
    CallProposed,
    CallStarted,
    GuardKind,
    ReviewAsked,
    ReviewDecided,
    StepFinished,
    StepOutcome,
)
from tools.history import History
from tools.trace_words import step_title

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.tools.running import ExecutorOf
    from tools import Executor, ReviewDecision, ReviewRequest, Tool, ToolCall

CALLS = 200
MOST_AT_ONCE = 7
MOST_ATTEMPTS = 3
SECRET = "s3cr3t-value"

# The eleven steps, and where the parts of the sixth stand among them.
RANKS = {
    "Validate arguments": 1.0,
    "Preconditions": 2.0,
    "Cache lookup": 3.0,
    "Rate limit": 4.0,
    "Security check": 5.0,
    "Bulkhead": 6.0,
    "Execute": 6.2,
    "Backoff": 6.2,
    "Postconditions": 7.0,
    "Fallback": 7.1,
    "Audit": 8.0,
    "Cache store": 9.0,
    "Metrics": 10.0,
    "Listeners": 11.0,
}


def rank(step: str, before: float) -> float:
    name = re.split(r",| \(", step, maxsplit=1)[0]
    if name in {"Circuit breaker", "Failure block"}:
        # Asked before a permit is spent, and again as the last thing before the tool starts.
        return 3.1 if before < 4 else 6.1
    return RANKS[name]


class Faults:
    """Be a tool that does what its number says, and count what is going on."""

    def __init__(self) -> None:
        self.starts = 0
        self.running = 0
        self.most_running = 0
        self.tried: Counter[int] = Counter()
        self.let_go = threading.Event()
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        with self._lock:
            self.starts += 1
            self.running += 1
            self.most_running = max(self.most_running, self.running)

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self.running -= 1

    def outcome(self, number: int) -> Any:
        self.tried[number] += 1
        match number % 11:
            case 0:
                raise ToolFailure("it never works")
            case 1 if self.tried[number] % MOST_ATTEMPTS:
                raise TransientError("it works in a moment")
            case 2:
                raise KeyError(f"a bug with {SECRET}")
            case 3:
                return ToolResult.failure("it says no")
            case 4:
                return -1  # breaks the postcondition
            case 5 if number % 2:
                return None
            case 6:
                raise SystemExit(3)
            case _:
                return number

    async def asynchronous(self, number: int, key: str) -> int:
        with self:
            await asyncio.sleep(0)
            value = self.outcome(number)
            if value is None:
                await asyncio.Event().wait()
            return int(value) if isinstance(value, int) else value

    def synchronous(self, number: int, key: str) -> int:
        with self:
            value = self.outcome(number)
            if value is None:
                self.let_go.wait(10)
                return 0
            return int(value) if isinstance(value, int) else value


class Reviewer:
    """Decide at random, after a random while."""

    name = "chance"

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    async def review(self, request: ReviewRequest, /) -> ReviewDecision:
        for _ in range(self._chance.randrange(4)):
            await asyncio.sleep(0)
        arguments = dict(request.arguments or {})
        drawn = self._chance.random()
        if drawn < 0.08:
            return ExitEarly("not this one")
        if drawn < 0.16:
            return Edit({**arguments, "number": 10 + 11 * self._chance.randrange(50)}, "better so")
        if drawn < 0.2:
            raise RuntimeError("the reviewer broke")
        return Continue("fine")


def everything(faults: Faults, storm: Storm) -> Tool:
    in_thread = storm.in_thread
    function = faults.synchronous if in_thread else faults.asynchronous

    def work(number: int, key: str = SECRET) -> Any:
        return function(number, key)

    async def work_async(number: int, key: str = SECRET) -> Any:
        return await faults.asynchronous(number, key)

    declared = work if in_thread else work_async
    for decorate in (
        retry(
            max_attempts=MOST_ATTEMPTS, initial_delay_s=0.001, no_retry_on=(KeyError,), retry_on_response=("says no",)
        ),
        rate_limit(requests=10, per_s=0.01, timeout_s=60),
        cached(ttl_s=60, max_size=20, cache_errors=True, per_caller=True),
        security(audit="full", approval_required=True, allowed_callers=("agent:a", "agent:b"), mask_fields=("key",)),
        contract(pre=("number >= 0",), post=("result >= 0",), invariants=("number < 1000",)),
        resilience(
            timeout_s=0.15,
            total_timeout_s=5.0,
            circuit_breaker=CircuitBreaker(
                failure_threshold=storm.breaks_after, cooldown_s=0.002, cooldown_multiplier=1
            ),
            failure_block=FailureBlock(failures=storm.blocks_after, blocked_s=0.003),
            fallback="stand_in",
            max_concurrent=MOST_AT_ONCE,
        ),
    ):
        declared = decorate(declared)
    return make_tool("everything", "Do everything.", declared, isolation=Isolation.THREAD)


async def stand_in(number: int, key: str = "") -> int:
    """Answer in the tool's place, sometimes."""
    if number % 11 == 3:
        raise ToolFailure("no stand-in either")
    return -number


class Storm(NamedTuple):
    """What one run of the test is like."""

    seed: int
    in_thread: bool = False
    breaks_after: int = 100
    blocks_after: int = 100


STORMS = [Storm(1, breaks_after=6), Storm(2, blocks_after=3), Storm(3), Storm(4, True, breaks_after=6), Storm(5, True)]


@pytest.fixture
def history(tmp_path: Path) -> Iterator[History]:
    history = History(tmp_path / "history")
    history.open()
    yield history
    history.close()


@pytest.fixture
def audit(tmp_path: Path) -> Iterator[AuditLog]:
    audit = AuditLog(tmp_path / "audit")
    audit.open()
    yield audit
    audit.close()


async def one_call(executor: Executor, chance: random.Random, calls: list[ToolCall]) -> None:
    """Make a call of any kind; sometimes somebody stops it, or gives up waiting for it."""
    drawn = chance.random()
    number = chance.choice([-1, 5000]) if drawn < 0.07 else chance.randrange(33 if drawn < 0.5 else 330)
    given: Any = {"number": number, "key": SECRET} if chance.random() < 0.95 else {"number": "x"}
    caller = chance.choices(["agent:a", "agent:b", "agent:stranger"], [10, 4, 1])[0]
    call = executor.create_call("everything", given, caller=caller, bypass_cache=chance.random() < 0.2)
    calls.append(call)
    running = asyncio.ensure_future(executor.execute(call))
    drawn = chance.random()
    if drawn < 0.15:
        for _ in range(chance.randrange(30)):
            await asyncio.sleep(0)
        _ = call.cancel() if drawn < 0.1 else running.cancel()
    outcome = (await asyncio.gather(running, return_exceptions=True))[0]
    given_up = running.cancelled() and call.response.status in {CallStatus.ABORTED, CallStatus.PENDING}
    broken = isinstance(outcome, ToolConfigurationError) and call.response.status is CallStatus.FAILED
    assert outcome is call.response or given_up or broken, (outcome, call)


@pytest.mark.reference("A33", "A40", "D52")
@pytest.mark.parametrize("storm", STORMS, ids=lambda storm: f"seed-{storm.seed}")
async def test_whatever_happens_each_call_ends_once_and_every_guard_is_left_as_it_was(
    executor_of: ExecutorOf, tmp_path: Path, history: History, audit: AuditLog, storm: Storm
) -> None:
    chance = random.Random(storm.seed)
    faults, recorder = Faults(), Recorder()
    executor = executor_of(
        everything(faults, storm),
        make_tool("stand_in", "Stand in.", security(mask_fields=("key",))(stand_in)),
        listeners=[recorder],
        review_handler=Reviewer(chance),
        history=history,
        audit=audit,
    )
    calls: list[ToolCall] = []
    await asyncio.gather(*(one_call(executor, chance, calls) for _ in range(CALLS)))
    assert executor.open_calls == ()
    faults.let_go.set()
    await executor.aclose()
    # Cancelled before its task ever ran: nobody executed it.
    never_run = {call for call in calls if call.response.status is CallStatus.PENDING}
    assert len(never_run) < CALLS / 10
    ended = _outcomes(recorder, never_run)
    assert ended.keys() >= {call.id for call in calls if call not in never_run}
    for call in ended.values():
        _check_response(call)
        _check_trace(call)
    _check_metrics(executor.metrics, ended)
    _check_starts(faults, [call for call in ended.values() if call.name == "everything"], storm)
    _check_guards(executor)
    history.flush(60)
    assert audit.flush(60)
    _check_records(history, ended, tmp_path)


def _check_starts(faults: Faults, ours: list[ToolCall], storm: Storm) -> None:
    """The tool was started as often as the calls say, and never more at a time than there are places."""
    attempts = sum(len(call.response.attempts) for call in ours)
    if storm.in_thread:
        # A thread may be given up on before it began, and goes on while its place is taken by the next.
        assert 0 < faults.starts <= attempts
    else:
        assert faults.starts == attempts
        assert faults.most_running <= MOST_AT_ONCE
    statuses = {call.response.status for call in ours}
    assert statuses >= {CallStatus.EXECUTED, CallStatus.FAILED, CallStatus.DENIED, CallStatus.REJECTED}


def _check_guards(executor: Executor) -> None:
    """Nobody holds or waits for anything any more."""
    guards = {guard.kind: guard for guard in executor.guards("everything")}
    assert set(guards) == set(GuardKind)
    assert guards[GuardKind.BULKHEAD].state == "free"
    assert guards[GuardKind.BULKHEAD].description.startswith(f"0 of {MOST_AT_ONCE} places")
    assert [guard.waiting for guard in guards.values()] == [0] * len(guards)
    assert "under way" not in guards[GuardKind.CIRCUIT_BREAKER].description
    assert executor.reset_guards("everything") <= 2
    assert not any(guard.refuses for guard in executor.guards("everything"))


def _outcomes(recorder: Recorder, never_run: set[ToolCall]) -> dict[str, ToolCall]:
    """Return the calls that ended, after checking that each one's events make a life."""
    events_by_call: dict[str, list[Any]] = defaultdict(list)
    call_by_id: dict[str, ToolCall] = {}
    for event in recorder.events:
        call = getattr(event, "call", None)
        if call is not None:
            events_by_call[call.id].append(event)
            call_by_id[call.id] = call
    for id_, events in events_by_call.items():
        kinds = [type(event) for event in events]
        call = call_by_id[id_]
        assert kinds[0] is CallProposed
        assert kinds.count(CallProposed) == 1
        if call in never_run:
            assert kinds == [CallProposed]
            continue
        assert kinds.count(CallFinished) == 1
        assert kinds.count(CallStarted) <= 1
        assert kinds[-1] is CallFinished, kinds
        if CallStarted not in kinds:
            assert kinds == [CallProposed, CallFinished]
        else:
            assert kinds[1] is CallStarted
        asked = [event.request.id for event in events if isinstance(event, ReviewAsked)]
        decided = [event.request.id for event in events if isinstance(event, ReviewDecided)]
        assert sorted(asked) == sorted(decided)
        told = [event.step for event in events if isinstance(event, StepFinished)]
        # The first step is told by the proposal, the last two by the end.
        steps = call.response.steps
        assert told == steps[1 : len(told) + 1]
        assert [step_title(step).split(" (")[0] for step in steps[len(told) + 1 :]] == ["Metrics", "Listeners"]
        assert SECRET not in str([event for event in events if isinstance(event, StepFinished)])
    return {id_: call for id_, call in call_by_id.items() if call not in never_run}


def _check_response(call: ToolCall) -> None:
    response = call.response
    assert response.status.final
    assert (response.error is None) is (response.status is CallStatus.EXECUTED), call
    assert response.elapsed_s > 0
    executed = [step for step in response.steps if step_title(step).startswith("Execute")]
    assert len(executed) == len(response.attempts) <= MOST_ATTEMPTS
    if response.from_cache:
        assert len(response.attempts) == 0
    if response.error is not None:
        assert SECRET not in response.error.message
        assert SECRET not in response.error.traceback
    if call.name == "everything":
        assert SECRET not in str(call.display_arguments())
        if call.caller == "agent:stranger" and call.response.status is not CallStatus.REJECTED:
            assert response.status in {CallStatus.DENIED, CallStatus.CANCELLED, CallStatus.ABORTED}
            assert len(response.attempts) == 0


def _check_trace(call: ToolCall) -> None:
    before = 0.0
    for step in call.response.steps:
        now = rank(step_title(step), before)
        assert now >= before, [step_title(step) for step in call.response.steps]
        before = now
        assert step.elapsed_s >= 0
        assert step.waiting_s <= step.elapsed_s + 1e-3
    names = Counter(step_title(step) for step in call.response.steps)
    assert names["Metrics"] == 1
    assert all(count == 1 for name, count in names.items() if name not in {"Backoff", "Circuit breaker"}), names
    backoffs = [step for step in call.response.steps if step_title(step) == "Backoff"]
    assert all(step.outcome is StepOutcome.WAITED for step in backoffs)
    assert len(backoffs) <= max(0, len(call.response.attempts))


def _check_records(history: History, ended: dict[str, ToolCall], folder: Path) -> None:
    """What is kept says the same of each call, nothing was changed, and no secret is on the disk."""
    for call in ended.values():
        record = history.get(f"{history.run}-{call.id}")
        assert record is not None
        assert (record.status, len(record.attempts)) == (call.response.status, len(call.response.attempts))
        assert record.error == call.response.error
    assert history.lost == 0
    report = verify(folder / "audit")
    assert report.problems == ()
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert len(files) >= 3
    for path in files:
        assert SECRET.encode() not in path.read_bytes(), path


def _check_metrics(metrics: Any, ended: dict[str, ToolCall]) -> None:
    for name in ("everything", "stand_in"):
        mine = [call for call in ended.values() if call.name == name]
        numbers = metrics.numbers(name)
        assert numbers.total == len(mine)
        assert numbers.by_status == dict(Counter(call.response.status for call in mine))
        assert numbers.cache_hits == sum(call.response.from_cache for call in mine)
        for caller in metrics.callers(name):
            assert metrics.numbers(name, caller).total == sum(call.caller == caller for call in mine)
