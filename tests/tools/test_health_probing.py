"""Active checks: what probes are, that they ask the tool and nobody else, and what they say of its health."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any

import pytest

from tests.tools.probed import probed
from tests.tools.running import Answers, Recorder, until
from tools import (
    CircuitBreaker,
    DeclarationError,
    Executor,
    Isolation,
    PathRole,
    Probe,
    Tool,
    ToolContext,
    ToolFailure,
    ToolMetrics,
    ToolRegistry,
    ToolResult,
    cached,
    make_tool,
    resilience,
    resolve_tools,
    security,
    tool,
    toolkit,
)
from tools.calls import PROBE_CALLER, CallOrigin, CallStatus, Event
from tools.health import (
    SPANS,
    CheckOutcome,
    HealthChecks,
    HealthLimits,
    HealthMonitor,
    HealthSeries,
    HealthStatus,
    ToolHealthRegistry,
)
from tools.health.probing import MOST_S
from tools.history import History, HistoryQuery

UP, DEGRADED, DOWN, UNKNOWN = HealthStatus
PASSED, FAILED, REFUSED = CheckOutcome
MORNING = datetime(2026, 3, 31, 6, 0, tzinfo=UTC)


class Line:
    """A line to somewhere, which can be cut."""

    def __init__(self) -> None:
        self.is_cut = False
        self.asked: list[str] = []

    def ask(self, word: str) -> str:
        self.asked.append(word)
        if self.is_cut:
            raise ToolFailure("the line is cut")
        return word


class Bench:
    """An executor, a health registry and checks, at a time that a test sets."""

    def __init__(self, *targets: object, **settings: Any) -> None:
        self.now_s = 1000.0
        self.metrics = ToolMetrics(lambda: self.now_s, wall=self.wall)
        self.executor = Executor(ToolRegistry(resolve_tools(targets)), metrics=self.metrics, **settings)
        self.health = ToolHealthRegistry(self.metrics)
        self.health.register_all(self.executor.registry)
        self.checks = HealthChecks(self.executor, self.health)

    def wall(self) -> datetime:
        return MORNING + timedelta(seconds=self.now_s - 1000)

    async def outcomes(self, *names: str) -> list[tuple[str, CheckOutcome, str]]:
        checks = await self.checks.check_now(names or None)
        return [(check.tool_name, check.outcome, check.message) for check in checks]

    async def call(self, name: str, **arguments: Any) -> None:
        await self.executor.execute(self.executor.create_call(name, arguments))

    def status(self, name: str) -> tuple[HealthStatus, str | None]:
        health = self.health.check(name)
        return health.status, health.reason


BenchOf = Callable[..., Bench]


@pytest.fixture
def bench_of() -> Iterator[BenchOf]:
    """Make benches of tools, and close their executors after the test."""
    made: list[Bench] = []

    def make(*targets: object, **settings: Any) -> Bench:
        made.append(Bench(*targets, **settings))
        return made[-1]

    yield make
    for bench in made:
        bench.executor.close()


def search_on(line: Line, **declared: Any) -> Tool:
    """Return a tool that is probed by a call of itself."""

    def search(word: str) -> str:
        return line.ask(word)

    return make_tool("search", "Search.", search, probe={"word": "probe"}, **declared)


class TestDeclaring:
    def test_a_probe_is_arguments_a_function_or_the_name_of_one_beside_the_tool(self) -> None:
        class Kit:
            @tool(probe="ping")
            def fetch(self) -> None: ...

            @tool(probe=beside)
            def send(self) -> None: ...

            @tool(probe={"word": "a"})
            def find(self, word: str) -> None: ...

            @tool
            def rest(self) -> None: ...

            def ping(self) -> None: ...

        kit = Kit()
        fetch, send, find, rest = resolve_tools([kit])
        assert fetch.probe is not None
        assert send.probe is not None
        assert find.probe is not None
        assert (fetch.probe.function, send.probe.function) == (kit.ping, beside)
        assert (find.probe.arguments, rest.probe) == ({"word": "a"}, None)

    def test_a_function_of_the_module_is_found_by_its_name(self) -> None:
        (made,) = resolve_tools([named])
        assert made.probe is not None
        assert made.probe.function is beside

    def test_the_probe_of_a_toolkit_is_that_of_each_tool_without_its_own(self) -> None:
        one, own, other = resolve_tools([Numbers()])
        assert one.probe is not None
        assert one.probe is other.probe
        assert own.probe is not None
        assert own.probe.arguments == {}

    def test_tools_of_every_make_may_have_one(self) -> None:
        by_hand = make_tool("a", "A.", lambda **given: given, {"properties": {"x": {"type": "number"}}}, probe={"x": 1})
        assert by_hand.probe is not None
        with pytest.raises(DeclarationError, match=r"the arguments of its probe do not fit"):
            make_tool("a", "A.", lambda **given: given, {"properties": {"x": {"type": "number"}}}, probe={"x": "one"})

    @pytest.mark.parametrize(
        ("declared", "words"),
        [
            ({"probe": 5}, "probe= takes a function, the name of one beside the tool, or a dictionary"),
            ({"probe": "nowhere"}, "it is 'nowhere'"),
            ({"probe": lambda word: word}, "is called without arguments, but takes 'word'"),
            ({"probe": {"word": 1}}, "the arguments of its probe do not fit: word: expected a text"),
            ({"probe": {}}, "word is required"),
            ({"probe": {"word": "a"}, "destructive": True}, "asks a person before each call, which a probe cannot"),
        ],
    )
    def test_a_probe_that_cannot_be_made_is_refused_at_once(self, declared: dict[str, Any], words: str) -> None:
        @tool(**declared)
        def search(word: str) -> str:
            return word

        with pytest.raises(DeclarationError) as refused:
            resolve_tools([search])
        assert words in str(refused.value)

    def test_a_toolkit_has_no_arguments(self) -> None:
        @toolkit(probe={"word": "a"})  # type: ignore[arg-type]
        class Kit:
            @tool
            def one(self, word: str) -> str:
                return word

        with pytest.raises(DeclarationError, match="arguments are those of one tool"):
            resolve_tools([Kit()])

    def test_a_probe_says_one_thing(self) -> None:
        for arguments, function in ((None, None), ({}, beside)):
            with pytest.raises(ValueError, match="either arguments for the tool itself, or a function"):
                Probe(arguments, function)


def beside() -> None:
    """Be beside a tool."""


@tool(probe="beside")
def named() -> None:
    "Be probed by what stands beside it."


@toolkit(probe="ping")
class Numbers:
    """Have one probe for several tools."""

    def __init__(self) -> None:
        self.pinged = 0

    @tool
    def one(self) -> int:
        return 1

    @tool(probe={})
    def own(self) -> int:
        return 2

    @tool
    def other(self) -> int:
        return 3

    def ping(self) -> None:
        self.pinged += 1


class TestOutcomes:
    async def test_what_a_probe_comes_to_is_told_with_its_call(self, bench_of: BenchOf) -> None:
        line, numbers = Line(), Numbers()
        bench = bench_of(search_on(line), numbers, named)
        assert bench.checks.checkable() == ("search", "one", "own", "other", "named")
        checks = await bench.checks.check_now()
        assert [check.tool_name for check in checks] == ["search", "one", "other", "own", "named"]
        assert {check.outcome for check in checks} == {PASSED}
        assert (numbers.pinged, line.asked) == (1, ["probe"])
        one, other = checks[1:3]
        assert one == other._replace(tool_name="one")
        assert (one.at, one.message) == (MORNING, "")
        assert one.elapsed_ms > 0

    @pytest.mark.parametrize(
        ("probe", "message"),
        [
            (lambda: False, "its probe returned False"),
            (lambda: ToolResult.failure("nobody there"), "nobody there"),
            (lambda: 1 / 0, "division by zero"),
        ],
    )
    async def test_a_function_fails_in_each_of_its_ways(
        self, bench_of: BenchOf, probe: Callable[[], Any], message: str
    ) -> None:
        bench = bench_of(make_tool("search", "Search.", lambda: None, (), probe=probe))
        assert await bench.outcomes() == [("search", FAILED, message)]

    @pytest.mark.parametrize("probe", [lambda: None, lambda: True, lambda: ToolResult.ok("fine"), lambda: 0])
    async def test_everything_else_it_returns_is_fine(self, bench_of: BenchOf, probe: Callable[[], Any]) -> None:
        bench = bench_of(make_tool("search", "Search.", lambda: None, (), probe=probe))
        assert await bench.outcomes() == [("search", PASSED, "")]

    async def test_a_function_may_be_asynchronous_and_have_a_context(self, bench_of: BenchOf) -> None:
        async def ping(ctx: ToolContext) -> None:
            ctx.log("info", f"asked by {ctx.call.caller}")

        heard = Recorder()
        bench = bench_of(make_tool("search", "Search.", lambda: None, (), probe=ping), listeners=[heard])
        assert await bench.outcomes() == [("search", PASSED, "")]
        (logged,) = (event for event in heard.events if type(event).__name__ == "Logged")
        assert logged.entry.text == "asked by probe"  # type: ignore[union-attr]

    async def test_false_of_the_tool_itself_is_an_answer(self, bench_of: BenchOf) -> None:
        bench = bench_of(make_tool("is_open", "Tell.", lambda: False, (), probe={}))
        assert await bench.outcomes() == [("is_open", PASSED, "")]

    async def test_a_probe_that_takes_for_ever_has_failed(
        self, bench_of: BenchOf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def stuck() -> None:
            await asyncio.Event().wait()

        monkeypatch.setattr("tools.health.probing.MOST_S", 0.01)
        bench = bench_of(make_tool("stuck", "Hang.", stuck, (), probe={}))
        assert await bench.outcomes() == [("stuck", FAILED, "it did not answer within 0.01 s")]
        assert not bench.executor.open_calls
        assert MOST_S == 30

    async def test_a_probe_past_its_own_limit_has_failed(self, bench_of: BenchOf) -> None:
        async def slow() -> None:
            await asyncio.Event().wait()

        made = make_tool("slow", "Dawdle.", resilience(timeout_s=0.01)(slow), (), probe={})
        bench = bench_of(made)
        assert await bench.outcomes() == [("slow", FAILED, "it took longer than 0.01 s")]

    async def test_who_stops_a_round_stops_its_calls(self, bench_of: BenchOf) -> None:
        begun = asyncio.Event()

        async def stuck() -> None:
            begun.set()
            await asyncio.Event().wait()

        bench = bench_of(make_tool("stuck", "Hang.", stuck, (), probe={}))
        round_ = asyncio.ensure_future(bench.checks.check_now())
        await begun.wait()
        round_.cancel()
        with pytest.raises(asyncio.CancelledError):
            await round_
        assert not bench.executor.open_calls
        assert bench.health.checked("stuck") is None

    async def test_tools_without_a_probe_and_disabled_ones_are_left_out(self, bench_of: BenchOf) -> None:
        bench = bench_of(search_on(Line()), make_tool("other", "Do.", lambda: None, ()))
        assert not bench.checks.has_probe("other")
        assert not bench.checks.has_probe("nobody")
        bench.executor.registry.disable("search")
        assert await bench.outcomes("search", "other", "nobody") == []

    async def test_only_the_tools_wanted_are_asked(self, bench_of: BenchOf) -> None:
        numbers = Numbers()
        bench = bench_of(numbers)
        assert await bench.outcomes("other") == [("other", PASSED, "")]
        assert numbers.pinged == 1

    async def test_a_few_are_asked_at_a_time(self, bench_of: BenchOf) -> None:
        running, most = 0, 0

        async def ask() -> None:
            nonlocal running, most
            running += 1
            most = max(most, running)
            await asyncio.sleep(0)
            running -= 1

        bench = bench_of(*(make_tool(f"tool_{number}", "Do.", ask, (), probe={}) for number in range(20)))
        assert len(await bench.outcomes()) == 20
        assert 1 < most <= 4


class TestNobodyElse:
    """A probe is a call, but no use of the tool, and troubles nobody."""

    async def test_it_is_counted_nowhere_and_found_in_the_history(self, bench_of: BenchOf, tmp_path: Path) -> None:
        history = History(tmp_path / "history")
        history.open()
        series = HealthSeries(tmp_path)
        bench = bench_of(search_on(Line()), history=history, listeners=[series])
        await bench.call("search", word="a")
        (check,) = await bench.checks.check_now()
        assert bench.metrics.numbers("search").total == bench.metrics.stats("search").count == 1
        assert bench.metrics.callers("search") == ("you",)
        now = datetime.now(UTC)
        series.flush(now)
        assert [slot.calls for slot in series.slots(SPANS["1 h"], now)] == [{"you": 1}]
        history.flush()
        (found,) = history.search(HistoryQuery(callers=(PROBE_CALLER,))).rows
        assert (found.tool, found.status, found.arguments_text) == ("search", CallStatus.EXECUTED, 'word="probe"')
        assert found.id.endswith(f"-{check.call_id}")
        history.close()

    async def test_a_known_result_is_no_answer(self, bench_of: BenchOf) -> None:
        line = Line()

        def search(word: str) -> str:
            return line.ask(word)

        bench = bench_of(make_tool("search", "Search.", cached()(search), probe={"word": "probe"}))
        await bench.call("search", word="probe")
        assert await bench.outcomes() == [("search", PASSED, "")]
        assert line.asked == ["probe", "probe"]

    async def test_nothing_answers_in_its_place(self, bench_of: BenchOf) -> None:
        def spare(word: str) -> str:
            return word

        def search(word: str) -> str:
            raise ToolFailure("broken")

        made = make_tool("search", "Search.", resilience(fallback="spare")(search), probe={"word": "a"})
        bench = bench_of(make_tool("spare", "Be spare.", spare), made)
        assert await bench.outcomes() == [("search", FAILED, "broken")]
        assert bench.metrics.stats("spare").count == 0

    async def test_nobody_is_asked(self, bench_of: BenchOf) -> None:
        async def ask(ctx: ToolContext) -> str:
            return type(await ctx.request_approval("Really?")).__name__

        reviewer = Answers()
        careful = make_tool("careful", "Ask.", ask, probe={})
        outside = make_tool("outside", "Read.", reads, probe={"path": "/etc/hostname"})
        bench = bench_of(careful, outside, review_handler=reviewer)
        outcomes = {name: (outcome, words) for name, outcome, words in (await bench.outcomes())}
        assert outcomes["outside"][0] is REFUSED
        assert "ask a person, which a probe does not" in outcomes["outside"][1]
        assert "ask a person, which a probe does not" in outcomes["careful"][1]
        assert reviewer.requests == []
        assert bench.status("outside")[0] is UNKNOWN

    async def test_a_refused_caller_says_nothing_of_the_tool(self, bench_of: BenchOf) -> None:
        def search(word: str) -> str:
            return word

        made = make_tool("search", "Search.", security(allowed_callers=("agent:a",))(search), probe={"word": "a"})
        bench = bench_of(made)
        ((_, outcome, message),) = await bench.outcomes()
        assert outcome is REFUSED
        assert "probe" in message
        assert bench.health.checked("search") is None

    async def test_the_breaker_learns_from_probes_of_the_tool_itself(self, bench_of: BenchOf) -> None:
        line = Line()

        def search(word: str) -> str:
            return line.ask(word)

        breaker = CircuitBreaker(failure_threshold=2)
        made = make_tool("search", "Search.", resilience(circuit_breaker=breaker)(search), probe={"word": "a"})
        bench = bench_of(made)
        line.is_cut = True
        for _ in range(2):
            assert await bench.outcomes() == [("search", FAILED, "the line is cut")]
        ((_, outcome, _),) = await bench.outcomes()
        assert outcome is REFUSED
        assert len(line.asked) == 2
        checked = bench.health.checked("search")
        assert checked is not None
        assert checked.failed_in_a_row == 2

    async def test_what_a_sensitive_tool_s_probe_says_stays_out_of_the_history(
        self, bench_of: BenchOf, tmp_path: Path
    ) -> None:
        history = History(tmp_path)
        history.open()

        def ping() -> str:
            raise ToolFailure("the key is 1234")

        def search(word: str) -> str:
            return word

        made = make_tool("search", "Search.", security(sensitive=True)(search), probe=ping)
        bench = bench_of(made, history=history)
        assert (await bench.outcomes())[0][1] is FAILED
        history.flush()
        (found,) = history.search(HistoryQuery()).rows
        assert "1234" not in found.summary
        history.close()

    async def test_the_call_of_a_probe_knows_that_it_is_one(self, bench_of: BenchOf) -> None:
        heard: list[tuple[bool, str]] = []

        def note(event: Event) -> None:
            if type(event).__name__ == "CallFinished":
                heard.append((event.call.is_probe, event.call.caller))  # type: ignore[union-attr]

        bench = bench_of(search_on(Line()), listeners=[note])
        await bench.call("search", word="a")
        await bench.checks.check_now()
        assert heard == [(False, "you"), (True, PROBE_CALLER)]


def reads(path: Annotated[str, PathRole()]) -> str:
    """Stand for a tool with a path."""
    return path


class TestHealth:
    async def test_one_dropped_probe_is_not_downtime_but_some_in_a_row_are(self, bench_of: BenchOf) -> None:
        line = Line()
        bench = bench_of(search_on(line))
        assert bench.status("search") == (UNKNOWN, "it has not run lately")
        await bench.outcomes()
        assert bench.status("search") == (UP, None)
        line.is_cut = True
        statuses = []
        for _ in range(4):
            await bench.outcomes()
            statuses.append(bench.status("search"))
        assert statuses == [
            (UP, None),
            (UP, None),
            (DOWN, "its last 3 probes failed: the line is cut"),
            (DOWN, "its last 4 probes failed: the line is cut"),
        ]
        line.is_cut = False
        await bench.outcomes()
        assert bench.status("search") == (UP, None)

    async def test_until_enough_failed_nothing_is_known_of_a_tool_that_never_passed(self, bench_of: BenchOf) -> None:
        line = Line()
        line.is_cut = True
        bench = bench_of(search_on(line))
        cut = "of the 3 in a row that count: the line is cut"
        for words in ("once", "twice"):
            await bench.outcomes()
            assert bench.status("search") == (UNKNOWN, f"its probe failed {words}, {cut}")

    async def test_a_probe_that_passed_long_ago_says_nothing(self, bench_of: BenchOf) -> None:
        line = Line()
        bench = bench_of(search_on(line))
        await bench.outcomes()
        line.is_cut = True
        bench.now_s += 900
        await bench.outcomes()
        assert bench.status("search") == (UP, None)
        bench.now_s += 0.5
        await bench.outcomes()
        assert bench.status("search")[0] is UNKNOWN

    async def test_the_limit_of_failed_probes_is_settable(self, bench_of: BenchOf) -> None:
        line = Line()
        line.is_cut = True
        bench = bench_of(search_on(line))
        bench.health.set_limits("search", HealthLimits(failed_checks=1))
        await bench.outcomes()
        assert bench.status("search") == (DOWN, "its probe failed: the line is cut")

    async def test_probes_do_not_better_what_the_runs_say(self, bench_of: BenchOf) -> None:
        line = Line()
        bench = bench_of(search_on(line))
        line.is_cut = True
        for word in "abc":
            await bench.call("search", word=word)
        line.is_cut = False
        bench.now_s += 1
        await bench.outcomes()
        assert bench.status("search") == (DOWN, "success is 0%, below 80%; failed 3 times")

    async def test_failed_probes_count_more_than_older_runs_and_less_than_newer_ones(self, bench_of: BenchOf) -> None:
        line = Line()
        bench = bench_of(search_on(line))
        for _ in range(100):
            await bench.call("search", word="a")
        bench.now_s += 10
        line.is_cut = True
        for _ in range(3):
            await bench.outcomes()
        assert bench.status("search")[0] is DOWN
        bench.now_s += 10
        line.is_cut = False
        await bench.call("search", word="a")
        assert bench.status("search") == (UP, None)

    async def test_what_a_probe_said_is_forgotten_with_the_window(self, bench_of: BenchOf) -> None:
        bench = bench_of(search_on(Line()))
        await bench.outcomes()
        bench.now_s += 900
        assert bench.status("search") == (UP, None)
        bench.now_s += 0.1
        assert bench.status("search") == (UNKNOWN, "it has not run lately")
        assert bench.health.check("search").checked is None
        assert bench.health.checked("search") is not None

    async def test_the_monitor_sees_a_probe_at_its_next_look(self, bench_of: BenchOf) -> None:
        line = Line()
        line.is_cut = True
        bench = bench_of(search_on(line))
        bench.health.set_limits("search", HealthLimits(failed_checks=2))
        monitor = HealthMonitor(bench.health, bench.metrics)
        monitor.look()
        await bench.outcomes()
        assert monitor.look() == ()
        await bench.outcomes()
        (change,) = monitor.look()
        assert change[:4] == ("search", UNKNOWN, DOWN, "its last 2 probes failed: the line is cut")
        assert monitor.health("search").checked is not None


class TestInterval:
    async def test_what_is_refused_for_good_is_asked_again_only_by_a_person(self, bench_of: BenchOf) -> None:
        asked: list[str] = []
        line = Line()
        waits = iter([True, True, False])

        async def sleep(_: float) -> None:
            if not next(waits):
                await asyncio.Event().wait()

        def note(event: Event) -> None:
            if type(event).__name__ == "CallFinished":
                asked.append(event.call.name)  # type: ignore[union-attr]

        def closed() -> None: ...

        def guarded(word: str) -> str:
            return line.ask(word)

        breaker = CircuitBreaker(failure_threshold=1)
        line.is_cut = True
        bench = bench_of(
            make_tool("closed", "Be closed.", security(allowed_callers=("nobody",))(closed), (), probe={}),
            make_tool("guarded", "Be guarded.", resilience(circuit_breaker=breaker)(guarded), probe={"word": "a"}),
            listeners=[note],
        )
        bench.checks = HealthChecks(bench.executor, bench.health, sleep=sleep)
        rounds = asyncio.ensure_future(bench.checks.keep_checking(30))
        await until(lambda: asked.count("guarded") == 2)
        assert asked.count("closed") == 1
        rounds.cancel()
        await asyncio.wait([rounds])
        await bench.checks.check_now()
        assert asked.count("closed") == 2

    async def test_rounds_follow_each_other_until_somebody_stops_them(self, bench_of: BenchOf) -> None:
        line = Line()
        waited: list[float] = []
        go_on = asyncio.Event()

        async def sleep(seconds: float) -> None:
            waited.append(seconds)
            await go_on.wait()
            go_on.clear()

        bench = bench_of(search_on(line))
        bench.checks = HealthChecks(bench.executor, bench.health, sleep=sleep)
        assert bench.checks.next_at is None
        rounds = asyncio.ensure_future(bench.checks.keep_checking(30))
        await until(lambda: len(waited) == 1)
        assert bench.checks.next_at == MORNING + timedelta(seconds=30)
        assert line.asked == []
        bench.now_s += 30
        go_on.set()
        await until(lambda: len(waited) == 2)
        assert (line.asked, waited) == (["probe"], [30, 30])
        assert bench.checks.next_at == MORNING + timedelta(seconds=60)
        rounds.cancel()
        with pytest.raises(asyncio.CancelledError):
            await rounds
        assert bench.checks.next_at is None


async def test_a_probe_of_nothing_is_refused_like_any_call(bench_of: BenchOf) -> None:
    bench = bench_of(search_on(Line()))
    call = bench.executor.create_call("nobody", {}, origin=CallOrigin(probe=Probe(arguments={})))
    assert call.response.status is CallStatus.NOT_FOUND
    assert bench.metrics.names() == ()


async def test_a_probe_function_runs_where_its_tool_does(bench_of: BenchOf) -> None:
    where: list[str] = []

    def ping() -> None:
        import threading  # noqa: PLC0415 -- only this test asks

        where.append(threading.current_thread().name)

    threaded = make_tool("threaded", "Do.", lambda: None, (), probe=ping)
    inline = make_tool("inline", "Do.", lambda: None, (), probe=ping, isolation=Isolation.INLINE)
    bench = bench_of(threaded, inline)
    await bench.outcomes()
    assert where.count("MainThread") == 1


async def test_so_it_does_in_a_worker_process(bench_of: BenchOf) -> None:
    bench = bench_of(probed)
    ((_, outcome, message),) = await bench.outcomes()
    assert outcome is FAILED
    assert message.startswith("asked in ")
    assert message != f"asked in {os.getpid()}"


async def test_what_probes_said_is_known_after_a_restart(tmp_path: Path) -> None:
    history = History(tmp_path)
    history.open()
    line, numbers = Line(), Numbers()
    line.is_cut = True
    metrics = ToolMetrics()
    registry = ToolRegistry(resolve_tools([search_on(line), numbers]))
    executor = Executor(registry, metrics=metrics, history=history)
    checks = HealthChecks(executor, ToolHealthRegistry(metrics))
    for _ in range(3):
        await checks.check_now()
    await executor.execute(executor.create_call("search", {"word": "a"}))
    await executor.aclose()
    history.flush()
    later = ToolMetrics()
    health = ToolHealthRegistry(later)
    health.register_all(registry)
    assert HealthChecks(Executor(registry, metrics=later), health).recall(history) == 9
    assert health.check("search")[:2] == (DOWN, "search")
    assert health.check("search").reason == "its last 3 probes failed: the line is cut"
    assert [health.check(name).status for name in ("one", "own", "other")] == [UP, UP, UP]
    tomorrow = ToolMetrics(wall=lambda: datetime.now(UTC) + timedelta(days=1))
    late = ToolHealthRegistry(tomorrow)
    assert HealthChecks(Executor(registry, metrics=tomorrow), late).recall(history) == 0
    history.close()


async def test_a_probe_on_request_is_made_only_when_a_person_asks(bench_of: BenchOf) -> None:
    line, waited, go_on = Line(), [0], asyncio.Event()

    async def sleep(_: float) -> None:
        waited[0] += 1
        await go_on.wait()
        go_on.clear()

    far = make_tool("far", "Ask far away.", lambda: None, (), probe=lambda: line.ask("far"), probe_on_request=True)
    near = make_tool("near", "Ask nearby.", lambda: None, (), probe=lambda: line.ask("near"))
    bench = bench_of(far, near)
    assert (far.card.has_probe, far.card.probes_on_request, near.card.probes_on_request) == (True, True, False)
    bench.checks = HealthChecks(bench.executor, bench.health, sleep=sleep)
    rounds = asyncio.ensure_future(bench.checks.keep_checking(30))
    go_on.set()
    await until(lambda: waited[0] == 2)
    rounds.cancel()
    await asyncio.wait([rounds])
    assert line.asked == ["near"]

    await bench.outcomes()
    assert line.asked == ["near", "near"]
    await bench.outcomes("far")
    assert line.asked[2:] == ["far"]
    await bench.call("far")
    await bench.outcomes()
    assert sorted(line.asked[3:]) == ["far", "near"]


def test_a_toolkit_says_of_its_probe_that_it_is_made_on_request() -> None:
    @toolkit(probe="ping", probe_on_request=True)
    class Kit:
        @tool
        def one(self) -> None: ...

        def ping(self) -> None: ...

    (one,) = resolve_tools([Kit()])
    assert one.probe is not None
    assert one.probe.on_request
