"""Whatever becomes of a call, the audit log has the entries that tell it, and no others."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.tools import falling_back
from tests.tools.audit.logs import bodies_in
from tests.tools.running import Answers, ExecutorOf, Silence, execute, run, start
from tools import (
    CircuitBreaker,
    Continue,
    Edit,
    ExitEarly,
    ToolContext,
    ToolFailure,
    cached,
    contract,
    rate_limit,
    resilience,
    retry,
    security,
    tool,
)
from tools.audit import AuditLog, verify
from tools.execution.filters import Block, CallAction

pytestmark = [
    pytest.mark.expects_log("tools.execution.executor", "tools.execution.workers"),
    pytest.mark.reference("A28", "A37"),
]


@tool(isolation="inline")
@cached()
@security()
def known(word: str) -> str:
    """Be known."""
    return word


@tool(isolation="inline")
@retry(max_attempts=3, initial_delay_s=0, retry_on=(ToolFailure,))
def flaky(word: str, ctx: ToolContext) -> str:
    """Fail twice."""
    attempts = ctx.config
    raise ToolFailure(f"{word} {len(attempts)}")


@tool(timeout_s=0.01)
async def slow() -> None:
    """Take for ever."""
    await asyncio.Event().wait()


@tool(requires_confirmation=True, isolation="inline")
def guarded(word: str) -> str:
    """Ask first."""
    return word


@tool(isolation="inline")
@contract(pre=["len(word) > 3"])
def strict(word: str) -> str:
    """Take long words."""
    return word


@tool(isolation="inline")
@rate_limit(requests=1, per_s=3600, burst_size=1, throw_on_limit=True)
def rare(word: str) -> str:
    """Run once."""
    return word


@tool(isolation="inline")
@security(allowed_callers=["agent:trusted"])
def private(word: str) -> str:
    """Serve one caller."""
    return word


@tool(isolation="inline")
@resilience(fallback="plain", circuit_breaker=CircuitBreaker(failure_threshold=1))
def breaking(word: str) -> str:
    """Break."""
    raise ToolFailure(word)


def plain(word: str) -> str:
    return word


@tool(isolation="process")
def isolated(word: str) -> str:
    """Run elsewhere."""
    return word


@tool
async def asking(ctx: ToolContext) -> str:
    """Ask while it runs."""
    return str(await ctx.request_approval("which colour?"))


class Told:
    """Run calls under an audit log, and tell in short words what its entries say."""

    def __init__(self, folder: Path, executor_of: ExecutorOf) -> None:
        self._folder = folder
        self._executor_of = executor_of

    def __call__(
        self, target: Any, *arguments: dict[str, Any] | str, name: str = "", caller: str = "you", **options: Any
    ) -> list[list[str]]:
        with AuditLog(self._folder) as audit:
            executor = self._executor_of(target, audit=audit, **options)

            async def call_all() -> None:
                for given in arguments:
                    await execute(executor, name or target.__name__, given, caller=caller)

            run(call_all())
        return self.calls()

    def calls(self) -> list[list[str]]:
        """Return the entries of each call, in order."""
        report = verify(self._folder)
        assert report.intact
        by_call: dict[str, list[str]] = {}
        for body in bodies_in(self._folder):
            by_call.setdefault(body["call"], []).append(_short(body))
        return list(by_call.values())


def _short(body: dict[str, Any]) -> str:
    match body["kind"]:
        case "executed":
            return f"executed {body['step']} {body['attempt']}: {body['outcome']} {body['isolation']}"
        case "decided":
            return f"decided {body['decision']} by {body['by']}"
        case "returned":
            extra = [word for word in (body.get("error_kind"), body.get("fallback")) if word]
            cache = ["from cache"] if body["from_cache"] else []
            return " ".join(["returned", body["status"], *extra, *cache])
        case kind:
            return str(kind)


@pytest.fixture
def told(tmp_path: Path, executor_of: ExecutorOf) -> Told:
    return Told(tmp_path / "audit", executor_of)


def test_a_cached_hit_was_not_executed(told: Told) -> None:
    assert told(known, {"word": "a"}, {"word": "a"}) == [
        ["proposed", "executed attempt 1: ok inline", "returned executed"],
        ["proposed", "returned executed from cache"],
    ]


def test_each_attempt_is_an_entry(told: Told) -> None:
    assert told(flaky, {"word": "a"}) == [
        [
            "proposed",
            "executed attempt 1: failed inline",
            "executed attempt 2: failed inline",
            "executed attempt 3: failed inline",
            "returned failed tool",
        ]
    ]


def test_a_passed_limit_is_an_entry(told: Told) -> None:
    assert told(slow, {}) == [["proposed", "executed attempt 1: timed_out inline", "returned timed_out timeout"]]


@pytest.mark.parametrize(
    ("decision", "entries"),
    [
        (Continue(), ["decided continue by Answers", "executed attempt 1: ok inline", "returned executed"]),
        (Edit({"word": "b"}), ["decided edit by Answers", "executed attempt 1: ok inline", "returned executed"]),
        (ExitEarly("no"), ["decided exit_early by Answers", "returned denied denied"]),
    ],
)
def test_questions_and_answers_are_entries(told: Told, decision: Any, entries: list[str]) -> None:
    assert told(guarded, {"word": "a"}, review_handler=Answers(decision)) == [["proposed", "shown", *entries]]


def test_silence_decides_in_its_own_name(told: Told) -> None:
    @tool(isolation="inline", requires_confirmation=True)
    @security(review_timeout_s=0.01)
    def unanswered() -> None:
        """Wait for an answer."""

    ((proposed, shown, decided, returned),) = told(unanswered, {}, review_handler=Silence())
    assert (proposed, shown, decided) == ("proposed", "shown", "decided exit_early by time limit")
    assert returned == "returned denied denied"


def test_a_question_while_the_tool_runs_stands_before_its_end(told: Told) -> None:
    assert told(asking, {}, review_handler=Answers(Edit("blue"))) == [
        [
            "proposed",
            "shown",
            "decided edit by Answers",
            "executed attempt 1: ok inline",
            "returned executed",
        ]
    ]


@pytest.mark.parametrize(
    ("target", "arguments", "entries"),
    [
        (strict, {"word": "abc"}, "returned failed contract"),
        (private, {"word": "a"}, "returned denied caller"),
        (strict, {"word": ["a"]}, "returned rejected arguments"),
        (strict, "no JSON", "returned rejected arguments"),
    ],
    ids=["contract", "caller", "arguments", "text"],
)
def test_what_was_refused_was_not_executed(told: Told, target: Any, arguments: Any, entries: str) -> None:
    assert told(target, arguments) == [["proposed", entries]]


def test_a_tool_that_does_not_exist_is_an_entry(told: Told) -> None:
    assert told(strict, {}, name="stricter") == [["proposed", "returned not_found not_found"]]


def test_a_limit_on_the_rate_is_an_entry(told: Told) -> None:
    assert told(rare, {"word": "a"}, {"word": "b"})[1] == ["proposed", "returned failed rate_limit"]


def test_what_the_filter_blocks_was_not_executed(told: Told) -> None:
    def block(call: object, /) -> CallAction:
        return Block("no")

    assert told(known, {"word": "a"}, call_filter=block) == [["proposed", "returned denied denied"]]


def test_a_fallback_is_executed_too_and_an_open_breaker_is_told(told: Told) -> None:
    first, second = told(breaking, {"word": "a"}, {"word": "b"})
    assert first == [
        "proposed",
        "executed attempt 1: failed inline",
        "executed fallback_function 1: ok inline",
        "returned executed plain",
    ]
    assert second == ["proposed", "executed fallback_function 1: ok inline", "returned executed plain"]


def test_a_worker_process_is_named(told: Told) -> None:
    assert told(isolated, {"word": "a"}) == [["proposed", "executed attempt 1: ok process", "returned executed"]]


@pytest.mark.expects_log("tools.execution.workers.pool")
def test_a_worker_that_dies_leaves_the_entries_as_well(told: Told) -> None:
    ((proposed, executed, fallback, returned),) = told(falling_back.fragile, {"how": "die"})
    assert (proposed, executed) == ("proposed", "executed attempt 1: failed process")
    assert fallback.startswith("executed fallback_function 1: ok")
    assert returned == "returned executed here"


@pytest.mark.parametrize(
    ("by_the_program", "ending"), [(False, "returned cancelled cancelled"), (True, "returned aborted aborted")]
)
async def test_a_call_that_is_stopped_says_so(
    tmp_path: Path, executor_of: ExecutorOf, told: Told, by_the_program: bool, ending: str
) -> None:
    begun = asyncio.Event()

    @tool
    async def endless() -> None:
        """Run for ever."""
        begun.set()
        await asyncio.Event().wait()

    with AuditLog(tmp_path / "audit") as audit:
        executor = executor_of(endless, audit=audit)
        call, running = start(executor, "endless")
        await begun.wait()
        if by_the_program:
            await executor.aclose()
        else:
            call.cancel()
        await running
    assert told.calls() == [["proposed", "executed attempt 1: cancelled inline", ending]]


def test_callers_and_definitions_are_in_every_entry(told: Told, tmp_path: Path) -> None:
    told(known, {"word": "a"}, caller="agent:scout")
    bodies = list(bodies_in(tmp_path / "audit"))
    assert {body["caller"] for body in bodies} == {"agent:scout"}
    assert len({body["digest"] for body in bodies}) == 1
