"""What the page says of a tool and of a call, as values."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from console.call_result.badges import badges_of
from console.call_result.rows import (
    argument_path,
    breadcrumb,
    duration_text,
    facts_of,
    failure_of,
    heading_of,
    running_facts,
)
from console.tool_page.copy_as import as_command_line, as_json, as_python, copy_of, summary_of
from console.widgets import status_of_call
from tests.console.tool_cards import card_for
from tools.calls import (
    Attempt,
    CacheUse,
    CallError,
    CallRecord,
    CallStatus,
    ErrorKind,
    LogEntry,
    StepKind,
    StepNote,
    StepOutcome,
    ToolRef,
    TraceStep,
)
from tools.card import PROGRAM, PolicyCard, SourceKind, ToolSource
from tools.catalog import builtin_tools
from tools.declare import make_tool
from tools.errors import ArgumentProblem
from tools.registry import ToolRegistry
from tools.spec import (
    CachePolicy,
    Isolation,
    Latency,
    Policies,
    RateLimit,
    Retry,
    RiskHints,
    Security,
    ToolExample,
    ToolPolicy,
    ToolSpec,
)


def _texts(spec: ToolSpec, policies: Policies | None = None) -> list[str]:
    return [badge.text for badge in badges_of(card_for(spec, policies))]


def _ended(
    status: CallStatus = CallStatus.EXECUTED, *, name: str = "fetch", attempts: int = 1, **facts: Any
) -> CallRecord:
    numbered = tuple(Attempt(number, 0.0) for number in range(1, attempts + 1))
    return CallRecord(
        "1", ToolRef(name), "you", 0.0, **{"status": status, "attempts": numbered, "elapsed_s": 0.038, **facts}
    )


def test_the_badges_of_the_mock_up() -> None:
    spec = ToolSpec(name="search_files", read_only_hint=True, latency=Latency.FAST)

    assert _texts(spec, Policies(cache=CachePolicy(ttl_s=300))) == [
        "Read-only",
        "Idempotent",
        "Fast",
        "Cached 5 min",
    ]


def test_risks_come_first() -> None:
    spec = ToolSpec(
        name="delete_file", destructive_hint=True, open_world_hint=True, idempotent=False, latency=Latency.SLOW
    )

    assert _texts(spec) == ["Destructive", "Asks first", "Network", "Slow"]


@pytest.mark.parametrize(
    ("policies", "text"),
    [
        (Policies(security=Security(approval_required=True)), "Asks first"),
        (Policies(cache=CachePolicy(ttl_s=3600)), "Cached 1 h"),
        (Policies(cache=CachePolicy(ttl_s=90)), "Cached 90 s"),
        (Policies(retry=Retry(max_attempts=3)), "Up to 3 attempts"),
        (Policies(timeout_s=1.5), "Limit 1.5 s"),
        (Policies(rate_limit=RateLimit(requests=10)), "Rate limited"),
    ],
)
def test_policies_have_badges(policies: Policies, text: str) -> None:
    assert text in _texts(ToolSpec(name="x", idempotent=False), policies)


def test_a_policy_without_words_of_its_own_is_shown_by_its_name_and_what_it_sets() -> None:
    class Quota(ToolPolicy):
        calls: int
        window_s: float = 60.0

    class MorePolicies(PolicyCard):
        daily_quota: Quota | None = None

    card = replace(card_for(ToolSpec(name="work")), policies=MorePolicies(daily_quota=Quota(calls=9, window_s=90)))
    (badge,) = (badge for badge in badges_of(card) if badge.text == "Daily quota")
    assert badge.tip == "Daily quota: calls 9, window 90 s."


@pytest.mark.parametrize(
    ("hints", "texts", "tip"),
    [
        (
            RiskHints(assumes_worst=True),
            ["Risk not said", "Asks first"],
            (
                "It says nothing of its risk; taken as one that may change or destroy something and reaches beyond this"
                " computer."
            ),
        ),
        (
            RiskHints(read_only=True, assumes_worst=True),
            ["Read-only", "Risk said in part"],
            "It says that it changes nothing; of the rest nothing, taken as one that reaches beyond this computer.",
        ),
        (
            RiskHints(),
            ["Risk not said"],
            "It says nothing of its risk, so nobody can tell whether it changes something.",
        ),
        (RiskHints(read_only=False, destructive=True), ["Destructive", "Asks first"], ""),
    ],
)
def test_what_a_tool_does_not_say_of_its_risk_is_no_word_of_its(hints: RiskHints, texts: list[str], tip: str) -> None:
    spec = ToolSpec(
        name="x",
        idempotent=False,
        read_only_hint=hints.read_only,
        destructive_hint=hints.destructive,
        open_world_hint=hints.open_world,
    )
    source = ToolSource(SourceKind.SERVER, "a server") if hints.assumes_worst else PROGRAM
    found = badges_of(card_for(spec, source=source))
    assert [badge.text for badge in found] == texts
    assert not tip or tip in [badge.tip for badge in found]


def test_run_command_says_that_it_may_do_anything_and_asks() -> None:
    tool = next(tool for tool in builtin_tools() if tool.name == "run_command")
    texts = [badge.text for badge in badges_of(tool.card)]
    assert texts[:3] == ["Destructive", "Asks first", "Network"]


def test_a_rate_limit_is_told_in_numbers() -> None:
    spec = ToolSpec(name="x", idempotent=False, read_only_hint=False)
    refilled = badges_of(card_for(spec, Policies(rate_limit=RateLimit(requests=10, per_s=60))))
    burst = badges_of(card_for(spec, Policies(rate_limit=RateLimit(burst_size=1200, timeout_s=60))))

    assert refilled[0].tip == "At most 10 calls in 1 min."
    assert burst[0].tip == "At most 1,200 calls in 1 min."


def test_one_attempt_is_no_retry() -> None:
    assert (
        _texts(ToolSpec(name="x", idempotent=False, read_only_hint=False), Policies(retry=Retry(max_attempts=1))) == []
    )


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        (("Built-in", "files"), "Built-in › Files"),
        (("my_tools.py", "Files"), "my_tools.py › Files"),
        (("Files", "files"), "Files"),
        (("Built-in", ""), "Built-in"),
    ],
)
def test_breadcrumbs(parts: tuple[str, ...], text: str) -> None:
    assert breadcrumb(*parts) == text


def test_the_heading_leaves_negative_examples_out() -> None:
    good = ToolExample(input={"path": "src"}, description="Everything below src")
    unnamed = ToolExample(input={"path": "docs"})
    bad = ToolExample(input={"path": "/"}, negative=True, why_bad="reads the whole disk")
    spec = ToolSpec(name="list_files", title="List files", category="files", examples=(good, bad, unnamed))

    heading = heading_of(card_for(spec, source=ToolSource(SourceKind.BUILT_IN, "Built-in")))

    assert (heading.title, heading.name, heading.breadcrumb) == ("List files", "list_files", "Built-in › Files")
    assert [(example.title, example.arguments) for example in heading.examples] == [
        ("Everything below src", {"path": "src"}),
        ("Example 2", {"path": "docs"}),
    ]


def test_badges_tell_of_a_built_in_tool_that_gave_way() -> None:
    mine = make_tool("make_uuid", "Make one.", lambda: "1").with_source(ToolSource(SourceKind.PLUGIN, "mine.py"))
    registry = ToolRegistry([*builtin_tools(), mine])

    taken, aside = (badges_of(registry.get(name).card) for name in ("make_uuid", "Utility.make_uuid"))

    assert "Utility.make_uuid" in next(badge.tip for badge in taken if badge.text == "Replaces a built-in tool")
    assert "mine.py" in next(badge.tip for badge in aside if badge.text == "Replaced")


@pytest.mark.parametrize(
    ("elapsed_s", "text"),
    [(None, "n/a"), (0, "0.0 ms"), (0.00001, "< 0.1 ms"), (0.0004, "0.4 ms"), (0.038, "38 ms"), (2.69, "2.69 s")],
)
def test_durations(elapsed_s: float | None, text: str) -> None:
    assert duration_text(elapsed_s) == text


def test_the_header_of_the_mock_ups() -> None:
    steps = [TraceStep(StepKind.AUDIT, 0, 0) for _ in range(12)]
    miss = TraceStep(StepKind.CACHE_LOOKUP, 0, 0, StepOutcome.SKIPPED, note=StepNote.MISS)

    facts = facts_of(_ended(steps=(miss, *steps), cache_use=CacheUse.MISS, attempts=2, elapsed_s=2.69))

    assert (facts.status, facts.word) == ("success", "Success after 1 retry")
    assert facts.parts == ("2.69 s", "13 steps", "cache miss")


@pytest.mark.parametrize(
    ("use", "part"),
    [(CacheUse.MISS, "cache miss"), (CacheUse.HIT, "cache hit"), (CacheUse.BYPASSED, "cache passed over")],
)
def test_what_the_cache_did(use: CacheUse, part: str) -> None:
    step = TraceStep(StepKind.CACHE_LOOKUP, 0, 0, StepOutcome.SKIPPED)

    assert facts_of(_ended(steps=(step,), cache_use=use)).parts == ("38 ms", "1 step", part)


def test_a_tool_without_a_cache_says_nothing_of_it() -> None:
    assert facts_of(_ended(steps=(TraceStep(StepKind.ATTEMPT, 0, 1),))).parts == ("38 ms", "1 step")


def test_more_than_one_retry_and_edited_arguments() -> None:
    facts = facts_of(_ended(CallStatus.FAILED, attempts=3, edited_arguments={"path": "src"}))

    assert facts.word == "Failed after 2 retries"
    assert facts.parts[-1] == "arguments edited"


@pytest.mark.parametrize(
    ("steps", "part"),
    [
        ([TraceStep(StepKind.RATE_LIMIT, 0, 0.2, StepOutcome.WAITED, waiting_s=0.2)], "waited 200 ms for a permit"),
        ([TraceStep(StepKind.BULKHEAD, 0, 2, StepOutcome.WAITED, waiting_s=2)], "waited 2.00 s for its turn"),
        (
            [TraceStep(StepKind.SECURITY_CHECK, 0, 5, note=StepNote.APPROVED, waiting_s=4.99)],
            "waited 4.99 s for approval",
        ),
        ([TraceStep(StepKind.ATTEMPT, 0, 5, StepOutcome.OK, waiting_s=4)], "waited 4.00 s for an answer"),
        (
            [
                TraceStep(StepKind.RATE_LIMIT, 0, 0.2, StepOutcome.WAITED, waiting_s=0.184),
                TraceStep(StepKind.BACKOFF, 1, 0.25, StepOutcome.WAITED, waiting_s=0.25),
            ],
            "waited 434 ms",
        ),
        ([TraceStep(StepKind.BACKOFF, 0, 0.04, StepOutcome.WAITED, waiting_s=0.04)], "1 step"),
    ],
)
def test_long_waits_are_told_with_their_reason(steps: list[TraceStep], part: str) -> None:
    assert facts_of(_ended(steps=tuple(steps))).parts[-1] == part


@pytest.mark.parametrize(("killed", "part"), [(False, "process 4711"), (True, "process 4711 ended")])
def test_a_worker_process_is_named(killed: bool, part: str) -> None:
    record = _ended(isolation=Isolation.PROCESS, worker_pid=4711, worker_killed=killed)

    assert facts_of(record).parts[-1] == part


def test_a_fallback_is_told_with_its_reason() -> None:
    reason = CallError(ErrorKind.TOOL, "the server is down")

    facts = facts_of(_ended(fallback="old_page", fallback_reason=reason))

    assert (facts.status, facts.word) == ("warning", "Answered by old_page")
    assert facts.remark == ("Answered by fallback old_page.", "fetch did not succeed (the server is down).")
    assert facts_of(_ended(fallback="old_page")).remark[1] == ""


def test_a_crash_shows_what_the_process_wrote() -> None:
    error = CallError(
        ErrorKind.CRASHED, "its worker process was ended by SIGSEGV", "ToolCrashError", "libplot: no rows"
    )

    failure = failure_of(_ended(CallStatus.FAILED, name="render", error=error))

    assert failure is not None
    assert (failure.what, failure.output, failure.traceback) == (
        "The worker process of render died",
        "libplot: no rows",
        "",
    )


@pytest.mark.parametrize("kind", list(ErrorKind))
def test_every_kind_of_error_has_something_to_try(kind: ErrorKind) -> None:
    failure = failure_of(_ended(CallStatus.FAILED, name="render", error=CallError(kind, "it went wrong")))

    assert failure is not None
    assert failure.remedy.endswith(".")


def test_a_stopped_call_says_when() -> None:
    assert facts_of(_ended(CallStatus.CANCELLED, elapsed_s=3.1)).parts == ("Stopped after 3.10 s",)


def test_every_status_has_a_shape() -> None:
    assert len({status_of_call(status) for status in CallStatus if status.final}) == 7


@pytest.mark.parametrize(
    ("status", "stopping", "word", "name"),
    [
        (CallStatus.EXECUTING, False, "Running", "running"),
        (CallStatus.PENDING, False, "Running", "running"),
        (CallStatus.WAITING_FOR_REVIEW, False, "Waiting for approval", "waiting"),
        (CallStatus.WAITING_FOR_REVIEW, True, "Stopping…", "running"),
    ],
)
def test_a_running_call(status: CallStatus, stopping: bool, word: str, name: str) -> None:
    facts = running_facts(status, 9.14, stopping=stopping)

    assert (facts.word, facts.status, facts.parts) == (word, name, ("9.1 s",))


def test_an_allowed_call_says_until_when_it_waits_for_its_caller() -> None:
    until = datetime(2026, 5, 12, 14, 32, tzinfo=UTC)
    facts = running_facts(CallStatus.WAITING_FOR_CALLER, 9.14, stopping=False, until=until)

    assert facts.word.startswith("Approved, waiting for the caller until ")
    assert facts.status == "approved"
    assert running_facts(CallStatus.WAITING_FOR_CALLER, 1, stopping=False).word == "Approved, waiting for the caller"


def test_an_allowed_call_whose_caller_stayed_away_expired_and_was_not_stopped() -> None:
    error = CallError(ErrorKind.EXPIRED, "the agent left", remedy="The agent may call the tool again.")
    record = _ended(CallStatus.TIMED_OUT, name="render", error=error, elapsed_s=600)
    failure = failure_of(record)

    assert (facts_of(record).word, facts_of(record).status) == ("Expired, never run", "expired")
    assert failure is not None
    assert (failure.status, failure.what) == ("expired", "render was allowed and never ran")
    assert (failure.why, failure.stopped_after) == ("the agent left", "")


def test_a_long_run_is_counted_in_minutes() -> None:
    assert running_facts(CallStatus.EXECUTING, 102, stopping=False).parts == ("1:42",)


def test_success_needs_no_explanation() -> None:
    assert failure_of(_ended(name="read_file")) is None


def test_a_failure_says_what_why_and_what_to_try() -> None:
    error = CallError(ErrorKind.TOOL, "no such file: 'a'", "FileNotFoundError", "Traceback\n  line")

    failure = failure_of(_ended(CallStatus.FAILED, name="read_file", error=error, attempts=2))

    assert failure is not None
    assert failure.what == "read_file failed in all of 2 attempts"
    assert (failure.type_name, failure.why) == ("FileNotFoundError", "no such file: 'a'")
    assert failure.remedy == "Check the arguments, then run it again."
    assert failure.traceback == "Traceback\n  line"
    assert failure.stopped_after == ""


def test_the_log_is_recommended_when_there_is_one() -> None:
    error = CallError(ErrorKind.TOOL, "no")
    failure = failure_of(_ended(CallStatus.FAILED, name="x", error=error, logs=(LogEntry(0, "info", "began"),)))

    assert failure is not None
    assert failure.has_log
    assert failure.remedy == "Check the arguments, and read the log for what led to it."


def test_the_errors_own_remedy_wins() -> None:
    error = CallError(ErrorKind.TIMEOUT, "it took longer than 2 s", remedy="Ask for less")
    failure = failure_of(_ended(CallStatus.TIMED_OUT, name="x", error=error, elapsed_s=2.0))

    assert failure is not None
    assert (failure.what, failure.remedy) == ("x ran out of time", "Ask for less")
    assert failure.stopped_after == "Stopped after 2.00 s"


@pytest.mark.parametrize("kind", list(ErrorKind))
def test_every_kind_of_error_has_a_remedy(kind: ErrorKind) -> None:
    failure = failure_of(_ended(CallStatus.FAILED, name="x", error=CallError(kind, "no")))

    assert failure is not None
    assert failure.remedy.endswith(".")


@pytest.mark.parametrize("status", [status for status in CallStatus if status.final])
def test_every_ending_has_words(status: CallStatus) -> None:
    failure = failure_of(_ended(status, name="x"))

    assert (failure is None) == (status is CallStatus.EXECUTED)
    if failure is not None:
        assert "x" in failure.what


def test_the_reviewers_words_are_told_once() -> None:
    error = CallError(ErrorKind.DENIED, "Rejected by reviewer: path='a'. Not today")
    told = failure_of(_ended(CallStatus.DENIED, name="x", error=error, feedback="Not today"))
    untold = failure_of(_ended(CallStatus.DENIED, name="x", error=error, feedback="Ask Mira"))

    assert told is not None
    assert untold is not None
    assert told.why == "Rejected by reviewer: path='a'. Not today"
    assert untold.why.endswith("The reviewer said: Ask Mira")


def test_bad_arguments_are_listed() -> None:
    problem = ArgumentProblem("context.before", "an integer", "'two'", "int_parsing")
    error = CallError(ErrorKind.ARGUMENTS, "context.before: ...", problems=(problem,))
    failure = failure_of(_ended(CallStatus.REJECTED, name="x", error=error))

    assert failure is not None
    assert (failure.what, failure.problems) == ("x was not started", (problem,))


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("path", ("path",)),
        ("context.before", ("context", "before")),
        ("include[2]", ("include", 2)),
        ("plan[0].steps[1].tool", ("plan", 0, "steps", 1, "tool")),
        ("", ()),
    ],
)
def test_paths_are_read_back(text: str, path: tuple[str | int, ...]) -> None:
    assert argument_path(text) == path


ARGUMENTS: dict[str, Any] = {
    "pattern": 'it\'s "here"',
    "limit": 3,
    "deep": {"on": True, "off": None},
    "many": ["ä"] * 40,
}


def test_a_copied_python_call_runs() -> None:
    received: list[tuple[str, Any]] = []

    class Recorder:
        def run(self, name: str, arguments: dict[str, Any]) -> None:
            received.append((name, arguments))

    for arguments in (ARGUMENTS, {}):
        code = as_python("search_files", arguments)
        compile(code, "copied", "exec")
        exec(code, {"executor": Recorder()})

    assert received == [("search_files", ARGUMENTS), ("search_files", {})]


def test_a_copied_command_line_survives_the_shell() -> None:
    words = shlex.split(as_command_line("search_files", ARGUMENTS))

    assert words[:4] == ["tool-console", "call", "search_files", "--json"]
    assert json.loads(words[4]) == ARGUMENTS
    assert as_command_line("now", {}) == "tool-console call now"


def test_copied_json_is_the_arguments() -> None:
    assert json.loads(as_json(ARGUMENTS)) == ARGUMENTS
    assert copy_of("json", "x", {"a": "ä"}) == '{\n  "a": "ä"\n}'
    assert copy_of("command", "x", {}) == as_command_line("x", {})
    assert copy_of("python", "x", {}) == as_python("x", {})


def test_the_summary_is_one_short_line() -> None:
    assert summary_of({"url": "https://a", "retries": 1}) == 'url="https://a"  retries=1'
    long = summary_of({"text": "x" * 500, "many": list(range(500))})
    assert len(long) < 150
    assert "\n" not in summary_of({"text": "a\nb"})


def test_the_head_tells_the_tools_time_and_apart_from_that_how_long_you_were_waited_for() -> None:
    steps = TraceStep(StepKind.SECURITY_CHECK, 0.0, 34.0, waiting_s=34.0), TraceStep(StepKind.ATTEMPT, 34.0, 2.1)
    facts = facts_of(_ended(elapsed_s=36.1, review_s=34.0, steps=steps))
    assert facts.parts == (
        "2.10 s, and 34 s waiting for you",
        "2 steps",
    )


@pytest.mark.parametrize("status", [CallStatus.PENDING, CallStatus.WAITING_FOR_REVIEW, CallStatus.EXECUTING])
def test_a_call_that_has_not_ended_has_no_failure_to_explain(status: CallStatus) -> None:
    assert failure_of(_ended(status, name="read_file")) is None
