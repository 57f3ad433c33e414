"""Every answer is kept, whoever or whatever gave it, and can be listed without looking at each call."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.tools.history.recording import record_of
from tests.tools.running import Answers, Silence, run, start
from tools import (
    Advice,
    CallStatus,
    Continue,
    Edit,
    Executor,
    ExitEarly,
    ReviewDecision,
    ToolRegistry,
    resolve_tools,
    security,
    tool,
)
from tools.errors import ExitEarlyError
from tools.history import DecidedCall, HistoryQuery
from tools.policy import Autonomy, Effect, Policy, Rule, RuleLocation

if TYPE_CHECKING:
    from pathlib import Path

    from tests.tools.history.recording import HistoryOf
    from tools.history import History

AGENT = "agent:mira"


@tool(destructive=True)
def wipe(what: str) -> str:
    """Wipe something."""
    return f"wiped {what}"


@tool(read_only=True)
def look(what: str) -> str:
    """Look at something."""
    return what


@tool(requires_confirmation=True)
@security(encrypt=True)
def sealed(what: str) -> str:
    """Do something that is kept sealed, or not at all without a key."""
    return what


def executor_for(history: History, folder: Path, policy: Policy, *decisions: ReviewDecision) -> Executor:
    registry = ToolRegistry(resolve_tools([wipe, look, sealed]))
    return Executor(registry, history=history, project_dir=folder, policy=policy, review_handler=Answers(*decisions))


def listed(history: History, query: HistoryQuery | None = None) -> list[tuple[str, str, str]]:
    history.flush()
    return [(row.tool, row.decision.answer, row.decision.by) for row in history.decisions(query).rows]


def test_an_answer_that_stopped_the_run_is_told_from_one_that_refused_a_call(
    history_of: HistoryOf, tmp_path: Path
) -> None:
    history, policy = history_of(), Policy(autonomy=Autonomy.SUPERVISED)
    executor = executor_for(history, tmp_path, policy, ExitEarly("enough", stop_run=True), ExitEarly("no"))
    with pytest.raises(ExitEarlyError):
        executor.run("wipe", {"what": "a"}, caller=AGENT)
    executor.run("wipe", {"what": "b"}, caller=AGENT)
    history.flush()

    stopped = [row.decision.stopped_run for row in history.decisions().rows]

    assert stopped == [False, True]
    executor.close()


def test_what_was_judged_comes_back_with_the_answer(history_of: HistoryOf, tmp_path: Path) -> None:
    history, policy = history_of(), Policy(autonomy=Autonomy.SUPERVISED)
    policy.add(Rule(id="asks", effect=Effect.ASK, tool="wipe"), RuleLocation.SESSION)
    refusal = ExitEarly("not now", advice=Advice.CHANGE, remembered="rule-7")
    executor = executor_for(history, tmp_path, policy, refusal)

    call = executor.create_call("wipe", {"what": "a"}, caller=AGENT)
    run(executor.execute(call))
    history.flush()
    record = record_of(history, call)
    [decision] = record.decisions

    assert (decision.risk, decision.rule, decision.advice) == ("destructive", "asks", "change")
    assert (decision.remembered, decision.void, decision.attached_to) == ("rule-7", "", "")
    assert "wipe" in decision.why
    assert len(decision.digest) == 64
    assert decision.taken_s >= 0
    assert record.text == call.response.text
    assert "change the call" in record.text
    executor.close()


def test_decisions_are_listed_newest_first_with_those_that_nobody_made(history_of: HistoryOf, tmp_path: Path) -> None:
    history, policy = history_of(), Policy(autonomy=Autonomy.SUPERVISED)
    executor = executor_for(history, tmp_path, policy, Continue(), Edit({"what": "b"}), ExitEarly("no"))
    for number in range(3):
        executor.run("wipe", {"what": f"{number}"}, caller=AGENT)
        executor.run("look", {"what": "a"})
    policy.add(Rule(id="never", effect=Effect.DENY, tool="look"), RuleLocation.SESSION)
    executor.run("look", {"what": "a"})

    assert listed(history) == [
        ("look", "exit_early", "rule never"),
        ("wipe", "exit_early", "Answers"),
        ("wipe", "edit", "Answers"),
        ("wipe", "continue", "Answers"),
    ]
    assert listed(history, HistoryQuery(tools=("look",))) == [("look", "exit_early", "rule never")]
    assert listed(history, HistoryQuery(callers=(AGENT,), statuses=(CallStatus.DENIED,)))[0][1] == "exit_early"
    assert listed(history, HistoryQuery(text="denied by rule")) == [("look", "exit_early", "rule never")]
    executor.close()


def test_pages_follow_one_another(history_of: HistoryOf, tmp_path: Path) -> None:
    history = history_of()
    executor = executor_for(history, tmp_path, Policy(autonomy=Autonomy.SUPERVISED))
    for number in range(5):
        executor.run("wipe", {"what": f"{number}"}, caller=AGENT)
        executor.run("look", {"what": "a"})
    history.flush()

    found: list[DecidedCall] = []
    before: int | None = None
    while True:
        page = history.decisions(HistoryQuery(limit=2, before=before))
        found += page.rows
        before = page.next_before
        if before is None:
            break
    whole = history.decisions().rows
    assert tuple(found) == whole
    assert [row.decision.shown for row in whole] == [{"what": f"{number}"} for number in (4, 3, 2, 1, 0)]
    executor.close()


def test_a_question_that_waits_is_no_decision_and_one_whose_call_runs_on_is(
    history_of: HistoryOf, tmp_path: Path
) -> None:
    history = history_of()

    async def work() -> tuple[list[tuple[str, str, str]], list[tuple[str, str, str]]]:
        silence = Silence()
        policy = Policy(autonomy=Autonomy.SUPERVISED)
        registry = ToolRegistry(resolve_tools([wipe]))
        executor = Executor(registry, history=history, project_dir=tmp_path, policy=policy, review_handler=silence)
        call, task = start(executor, "wipe", {"what": "a"})
        await silence.asked.wait()
        waiting = listed(history)
        call.cancel()
        await task
        await executor.aclose()
        return waiting, listed(history)

    waiting, ended = run(work())
    assert waiting == []
    assert ended == [("wipe", "exit_early", "")]


def test_what_is_not_kept_is_not_listed(history_of: HistoryOf, tmp_path: Path) -> None:
    history = history_of()
    executor = executor_for(history, tmp_path, Policy(autonomy=Autonomy.SUPERVISED))
    executor.run("sealed", {"what": "a"}, caller=AGENT)
    assert listed(history) == []
    executor.close()


def test_decisions_leave_with_their_calls(history_of: HistoryOf, tmp_path: Path) -> None:
    history = history_of()
    executor = executor_for(history, tmp_path, Policy(autonomy=Autonomy.SUPERVISED))
    executor.run("wipe", {"what": "a"}, caller=AGENT)
    history.flush()
    [row] = history.decisions().rows
    assert history.forget([row.id]) == 1
    assert history.decisions().rows == ()
    executor.close()
