"""A call goes in, and all that was about it comes out again."""

from __future__ import annotations

import asyncio
import gc
import json
from datetime import UTC, datetime, timedelta
from threading import current_thread
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tools.history.recording import executor_for, found, record_calls, record_of
from tests.tools.running import Answers, run, until
from tools import CallStatus, Continue, Edit, ExitEarly, ReviewTiming, ToolContext, ToolResult, cached, calls, tool
from tools.calls import CallFinished, CallOrigin, ErrorKind, LogEntry, StepOutcome
from tools.errors import HistoryError
from tools.history import History, HistoryChange
from tools.history.json_text import is_large, json_of
from tools.spec import MISSING, Concern
from tools.trace_words import step_detail, step_title

if TYPE_CHECKING:
    from pathlib import Path

    from tests.tools.history.recording import HistoryOf
    from tools import ToolCall


def test_a_call_comes_back_whole(history_of: HistoryOf) -> None:
    history = history_of()
    before = datetime.now(UTC)

    [call] = record_calls(history, ("echo", {"text": "ha", "times": 3}), caller="agent:mira")
    record = record_of(history, call)

    tool = record.tool
    assert (tool.name, tool.version, tool.digest) == ("echo", "1.0.0", call.tool.digest if call.tool else "")
    assert (tool.source, record.isolation, record.caller) == ("Program", "inline", "agent:mira")
    assert (record.status, record.error, len(record.attempts)) == (CallStatus.EXECUTED, None, 1)
    assert (record.arguments, record.result, record.text) == ({"text": "ha", "times": 3}, "hahaha", "hahaha")
    assert before - timedelta(seconds=1) < record.proposed_at < datetime.now(UTC)
    assert record.elapsed_s == call.response.elapsed_s
    assert [step_title(step) for step in record.steps][:2] == ["Validate arguments", "Execute"]
    assert record.steps == tuple(call.response.steps[: len(record.steps)])
    assert 0 < record.running_s <= record.elapsed_s
    assert (record.edited, record.hidden, record.sealed, record.from_cache) == (False, "", False, False)


def test_the_model_that_asked_is_kept(history_of: HistoryOf) -> None:
    history = history_of()
    executor = executor_for(history)

    async def work() -> ToolCall:
        call = executor.create_call("echo", {"text": "ha"}, caller="agent:mira", origin=CallOrigin(model="large-3"))
        await executor.execute(call)
        return call

    call = run(work())
    history.flush()
    assert record_of(history, call).model == "large-3"


def test_a_row_tells_a_call_in_short(history_of: HistoryOf) -> None:
    history = history_of()

    record_calls(history, ("search_files", {"pattern": "two\nlines"}), ("fail", {"message": "no such\nplace"}))
    failed, worked = history.search().rows

    assert (worked.tool, worked.status, worked.attempts, worked.edited) == (
        "search_files",
        CallStatus.EXECUTED,
        1,
        False,
    )
    assert worked.arguments_text == 'pattern="two\\nlines" folder="."'
    assert worked.summary == '[{"path":"./main_window.py","line":12,"text":"two\\nlines"}]'
    assert (failed.status, failed.summary) == (CallStatus.FAILED, "no such place")
    assert failed.proposed_at > worked.proposed_at


def test_refused_calls_are_recorded_as_they_were_asked(history_of: HistoryOf) -> None:
    history = history_of()
    executor = executor_for(history)

    calls = [
        executor.create_call("ecko", {"text": "a"}),
        executor.create_call("echo", {"text": 3.5, "more": [1]}),
        executor.create_call("echo", '{"text": '),
    ]
    history.flush()
    unknown, unfit, broken = (record_of(history, call) for call in calls)

    assert (unknown.status, unknown.tool.name, unknown.tool.digest) == (CallStatus.NOT_FOUND, "ecko", "")
    assert unknown.error is not None
    assert unknown.error.remedy == "Did you mean 'echo'?"
    assert unknown.arguments == {"text": "a"}
    assert (unfit.status, unfit.arguments) == (CallStatus.REJECTED, {"text": 3.5, "more": [1]})
    assert unfit.error is not None
    assert [problem.path for problem in unfit.error.problems] == ["text", "more"]
    assert broken.arguments == {"input": '{"text": '}
    assert broken.text == f"Error: {broken.error.message if broken.error else ''}"


def test_an_edit_keeps_what_was_proposed_shown_and_run(history_of: HistoryOf, tmp_path: Path) -> None:
    history = history_of()
    answers = Answers(Edit({"path": "b.txt"}, feedback="the other one"))
    executor = executor_for(history, folder=tmp_path, handler=answers)

    call = executor.create_call("erase", {"path": "a.txt"})
    run(executor.execute(call))
    history.flush()
    record = record_of(history, call)

    assert record.arguments == {"path": "a.txt"}
    assert record.edited_arguments == record.final_arguments == {"path": "b.txt"}
    assert record.feedback == "the other one"
    [decision] = record.decisions
    assert (decision.answer, decision.by, decision.reason) == ("edit", "Answers", "the other one")
    assert (decision.shown, decision.revised) == ({"path": "a.txt"}, {"path": "b.txt"})
    assert decision.timing == ReviewTiming.BEFORE_EXECUTION
    assert decision.concerns == (
        Concern("destructive", "Destructive", "The tool says that it may delete or overwrite something."),
    )
    assert decision.decided_at is not None
    assert decision.asked_at <= decision.decided_at
    assert history.search().rows[0].edited
    assert record.waited_s > 0


def test_a_refusal_keeps_who_refused_and_why(history_of: HistoryOf, tmp_path: Path) -> None:
    history = history_of()
    executor = executor_for(history, folder=tmp_path, handler=Answers(ExitEarly("not on a Friday")))

    call = executor.create_call("erase", {"path": "a.txt"})
    run(executor.execute(call))
    history.flush()
    record = record_of(history, call)

    assert (record.status, record.result, len(record.attempts)) == (CallStatus.DENIED, MISSING, 0)
    assert record.error is not None
    assert record.error.kind is ErrorKind.DENIED
    assert record.text == record.error.message
    [decision] = record.decisions
    assert (decision.answer, decision.reason, decision.timed_out) == ("exit_early", "not on a Friday", False)
    assert found(history, "friday") == ["1"]


def test_logs_attachments_and_retention_are_kept(history_of: HistoryOf) -> None:
    history = history_of()

    [call] = record_calls(history, ("draw", {"size": 100}))
    record = record_of(history, call)

    assert [(entry.level, entry.text) for entry in record.logs] == [("info", "drawing a turquoise square of 100")]
    assert record.logs == tuple(call.response.logs)
    [attachment] = record.attachments
    assert (attachment.name, attachment.mime_type, attachment.size_bytes) == ("square.png", "image/png", 108)
    assert history.attachment(record.id, 0) == call.response.attachments[0].data
    assert record.turns_to_keep == 3
    with pytest.raises(HistoryError, match="has no attachment 2"):
        history.attachment(record.id, 1)


async def test_what_a_cache_answered_and_repeated_attempts_say_so(history_of: HistoryOf) -> None:
    history = history_of()

    @tool
    @cached()
    async def known(n: int) -> int:
        """Double it."""
        return n * 2

    executor = executor_for(history, known)
    for _ in range(2):
        await executor.execute(executor.create_call("known", {"n": 4}))
    history.flush()
    hit, miss = history.search().rows

    assert (hit.from_cache, hit.attempts, hit.summary) == (True, 0, "8")
    assert (miss.from_cache, miss.attempts, miss.summary) == (False, 1, "8")
    record = history.get(hit.id)
    assert record is not None
    assert record.from_cache
    assert [step_detail(step) for step in record.steps if step_title(step) == "Cache lookup"] == ["hit"]


def test_a_text_beside_the_value_is_kept(history_of: HistoryOf) -> None:
    history = history_of()

    @tool
    async def both() -> ToolResult:
        """Say and give."""
        return ToolResult.ok("three of them", structured=[1, 2, 3])

    call = (executor := executor_for(history, both)).create_call("both", {})
    run(executor.execute(call))
    history.flush()
    record = record_of(history, call)

    assert (record.result, record.text) == ([1, 2, 3], "three of them")


def test_numbers_stay_what_they_were(history_of: HistoryOf) -> None:
    history = history_of()
    huge = 2**70 + 1

    @tool
    async def big(n: int, ratio: float) -> dict[str, Any]:
        """Give them back."""
        return {"n": n, "ratio": ratio, "more": 0.1 + 0.2}

    executor = executor_for(history, big)
    call = executor.create_call("big", f'{{"n": {huge}, "ratio": 1e-7}}')
    run(executor.execute(call))
    history.flush()
    record = record_of(history, call)

    assert record.arguments == {"n": huge, "ratio": 1e-7}
    assert record.result == {"n": huge, "ratio": 1e-7, "more": 0.30000000000000004}
    again = executor.create_call("big", record.arguments or {})
    assert again.arguments == call.arguments


def test_the_arguments_are_those_before_the_tool_changed_them(history_of: HistoryOf) -> None:
    history = history_of()

    @tool
    async def greedy(words: list[str]) -> int:
        """Eat the words."""
        words.clear()
        return 0

    call = (executor := executor_for(history, greedy)).create_call("greedy", {"words": ["a", "b"]})
    run(executor.execute(call))
    history.flush()

    assert record_of(history, call).arguments == {"words": ["a", "b"]}


def test_a_running_call_is_on_disk_before_it_ends_and_short_ones_are_written_once(history_of: HistoryOf) -> None:
    history = history_of()
    go = asyncio.Event()
    written: list[str] = []

    def note(change: HistoryChange) -> None:
        written.extend(change.written)

    history.watch(note)

    @tool
    async def wait() -> str:
        """Wait for the test."""
        await go.wait()
        return "at last"

    executor = executor_for(history, wait)

    async def work() -> None:
        task = asyncio.ensure_future(executor.execute(executor.create_call("wait", {})))
        await until(lambda: bool(found(history)))
        row = history.search().rows[0]
        assert (row.status, row.elapsed_s, row.summary) == (CallStatus.EXECUTING, 0, "")
        await executor.execute(short := executor.create_call("echo", {"text": "a"}))
        await history.settled(short)
        go.set()
        await task

    run(work())
    history.flush()

    assert [row.status for row in history.search().rows] == [CallStatus.EXECUTED] * 2
    assert [record.partition("-")[2] for record in written] == ["1", "2", "1"]


def test_a_call_that_ends_while_it_is_written_as_a_running_one_is_there_once(
    history_of: HistoryOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = history_of()
    call = executor_for(history).create_call("echo", {"text": "a"})
    take = history.receive.take

    def end_and_take(most: int) -> Any:
        if call in history.receive.slots:
            call.response.status = CallStatus.CANCELLED
            history.receive(CallFinished(call, calls.record_of(call)))
        return take(most)

    monkeypatch.setattr(history.receive, "take", end_and_take)
    history.flush()

    assert [(row.id, row.status) for row in history.search().rows] == [
        (f"{history.run}-{call.id}", CallStatus.CANCELLED)
    ]


async def test_a_question_is_on_disk_while_it_is_open(history_of: HistoryOf, tmp_path: Path) -> None:
    history = history_of()
    answer = asyncio.Event()

    class Slow:
        async def review(self, request: Any, /) -> Continue:
            await answer.wait()
            return Continue()

    executor = executor_for(history, folder=tmp_path, handler=Slow())
    call = executor.create_call("erase", {"path": "a.txt"})
    task = asyncio.ensure_future(executor.execute(call))
    await until(lambda: bool(found(history, statuses=(CallStatus.WAITING_FOR_REVIEW,))))
    record = record_of(history, call)
    assert [(decision.answer, decision.decided_at) for decision in record.decisions] == [("", None)]
    answer.set()
    await task
    await history.settled(call)
    assert [decision.answer for decision in record_of(history, call).decisions] == ["continue"]


async def test_what_is_decided_before_the_start_is_kept(history_of: HistoryOf, tmp_path: Path) -> None:
    history = history_of()
    executor = executor_for(history, folder=tmp_path)
    call = executor.create_call("erase", {"path": "a.txt"})
    await until(lambda: bool(found(history, statuses=(CallStatus.PENDING,))))
    executor.proposals.revise(call, {"path": "c.txt"}, by="mira")
    executor.proposals.decline(call, "never mind", by="mira")
    await history.settled(call)
    record = record_of(history, call)
    assert (record.status, record.arguments, record.edited_arguments) == (
        CallStatus.DENIED,
        {"path": "a.txt"},
        {"path": "c.txt"},
    )
    assert [(one.answer, one.by, one.reason) for one in record.decisions] == [
        ("edit", "mira", ""),
        ("exit_early", "mira", "never mind"),
    ]


async def test_a_call_that_starts_late_is_followed(history_of: HistoryOf) -> None:
    history = history_of()
    go = asyncio.Event()

    @tool
    async def wait() -> str:
        """Wait for the test."""
        await go.wait()
        return "at last"

    executor = executor_for(history, wait)
    call = executor.create_call("wait", {})
    await until(lambda: bool(found(history, statuses=(CallStatus.PENDING,))))
    task = asyncio.ensure_future(executor.execute(call))
    await until(lambda: bool(found(history, statuses=(CallStatus.EXECUTING,))))
    go.set()
    await task
    await history.settled(call)
    assert record_of(history, call).status is CallStatus.EXECUTED
    assert history.search().total == 1


def test_a_call_that_nobody_starts_is_let_go(history_of: HistoryOf) -> None:
    history = history_of()
    executor = executor_for(history)

    executor.create_call("echo", {"text": "forgotten"})
    history.flush()

    assert found(history, statuses=(CallStatus.PENDING,)) == ["1"]
    gc.collect()
    assert not history.receive.changed
    assert not history.receive.slots
    history.close()
    history = history_of()
    record = history.get(history.search().rows[0].id)
    assert record is not None
    assert record.status is CallStatus.ABORTED
    assert record.error is not None
    assert record.error.message == "the call was made and never started"


def test_watchers_are_told_and_a_broken_one_harms_nobody(history_of: HistoryOf, caplog: Any) -> None:
    history = history_of()
    told: list[HistoryChange] = []

    def break_down(change: HistoryChange) -> None:
        raise RuntimeError("a broken watcher")

    undo = [history.watch(break_down), history.watch(told.append)]
    [call] = record_calls(history, ("echo", {"text": "a"}))

    assert [change.written for change in told] == [(f"{history.run}-{call.id}",)]
    assert "a broken watcher" in caplog.text
    for unwatch in undo:
        unwatch()
    record_calls(history, ("echo", {"text": "a"}))
    assert len(told) == 1


def test_a_call_that_cannot_be_written_down_is_recorded_as_one_that_was(
    history_of: HistoryOf, caplog: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = history_of()

    def give_up(*_: object) -> None:
        raise RuntimeError("no way")

    monkeypatch.setattr("tools.history.writer.row_of", give_up)
    record_calls(history, ("echo", {"text": "a"}))
    monkeypatch.undo()
    [row] = history.search().rows
    record = history.get(row.id)

    assert (row.tool, row.status) == ("echo", CallStatus.EXECUTED)
    assert record is not None
    assert record.hidden.startswith("The call could not be written down")
    assert "no way" in caplog.text


def test_texts_that_are_no_unicode_are_kept(history_of: HistoryOf) -> None:
    history = history_of()

    @tool
    async def list_names(ctx: ToolContext) -> list[str]:
        """List names that the file system gave."""
        ctx.log("info", "bad \udcff name")
        return ["caf\udce9"]

    executor = executor_for(history, list_names)
    calls = [executor.create_call("list_names", {}, caller="odd \udcff")]
    run(executor.execute(calls[0]))
    calls += record_calls(history, ("echo", {"text": "\udce9"}))
    records = [history.get(row.id) for row in reversed(history.search().rows)]

    assert [record.result for record in records if record] == [["caf\udce9"], "\udce9"]
    assert records[0] is not None
    assert records[0].logs[0].text == "bad \udcff name"
    assert records[0].caller == "odd \udcff"
    assert found(history, callers=("odd \udcff",)) == ["1"]


def test_two_executors_that_count_alike_lose_nothing(history_of: HistoryOf) -> None:
    history = history_of()

    record_calls(history, ("echo", {"text": "first"}))
    record_calls(history, ("echo", {"text": "second"}), ("echo", {"text": "third"}))

    assert sorted(found(history)) == ["1", "1.2", "2"]
    assert history.get(f"{history.run}-1.2") is not None


def test_a_running_call_that_counts_like_another_one_is_there_once(history_of: HistoryOf) -> None:
    history = history_of()
    go = asyncio.Event()

    @tool
    async def wait(word: str) -> str:
        """Wait for the test."""
        await go.wait()
        return word

    [first] = record_calls(history, ("echo", {"text": "first"}))
    executor = executor_for(history, wait)

    async def work() -> None:
        call = executor.create_call("wait", {"word": "second"})
        assert call.id == first.id
        task = asyncio.ensure_future(executor.execute(call))
        await until(lambda: len(found(history)) == 2)
        go.set()
        await task

    run(work())
    history.flush()

    assert [row.status for row in history.search().rows] == [CallStatus.EXECUTED] * 2
    assert len(found(history, "second")) == len(found(history, "first")) == 1


def test_times_of_a_tool(history_of: HistoryOf) -> None:
    history = history_of()

    record_calls(history, *[("echo", {"text": str(n)}) for n in range(5)], ("fail", {"message": "a"}))
    timings = history.timings("echo", limit=3)

    assert [timing.id.partition("-")[2] for timing in timings] == ["5", "4", "3"]
    assert all(timing.status is CallStatus.EXECUTED and len(timing.attempts) == 1 for timing in timings)
    assert step_title(timings[0].steps[1]) == "Execute"
    assert history.timings("fail")[0].steps[1].outcome is StepOutcome.FAILED
    assert history.timings("nobody") == ()


def test_the_names_there_are(history_of: HistoryOf) -> None:
    history = history_of()
    record_calls(history, ("fail", {"message": "a"}), ("echo", {"text": "a"}), caller="agent:mira")
    record_calls(history, ("echo", {"text": "a"}))

    assert history.names() == (("echo", "fail"), ("agent:mira", "you"))


def test_a_history_that_is_not_open_drops_and_says_so(tmp_path: Path) -> None:
    history = History(tmp_path / "history")
    executor = executor_for(history)

    run(executor.execute(executor.create_call("echo", {"text": "a"})))

    assert history.problem.startswith("the history is not open")
    assert history.lost == 1
    assert history.search() == ((), 0, True, None)
    assert history.get("a-1") is None
    with pytest.raises(HistoryError, match="not open"):
        history.flush()
    history.close()


async def test_settled_waits_for_a_running_call(history_of: HistoryOf) -> None:
    history = history_of()
    go = asyncio.Event()

    @tool
    async def wait() -> str:
        """Wait for the test."""
        await go.wait()
        return "at last"

    executor = executor_for(history, wait)
    call = executor.create_call("wait", {})
    task = asyncio.ensure_future(executor.execute(call))
    settled = asyncio.ensure_future(history.settled(call.id))
    await until(lambda: bool(found(history)))
    assert not settled.done()
    go.set()
    await task
    await settled
    assert record_of(history, call).status is CallStatus.EXECUTED
    await history.settled(call)


async def test_who_stops_waiting_for_a_call_does_not_stop_the_recording(history_of: HistoryOf) -> None:
    history = history_of()
    go = asyncio.Event()

    @tool
    async def wait() -> str:
        """Wait for the test."""
        await go.wait()
        return "at last"

    executor = executor_for(history, wait)
    call = executor.create_call("wait", {})
    task = asyncio.ensure_future(executor.execute(call))
    settled = asyncio.ensure_future(history.settled(call))
    await asyncio.sleep(0)
    settled.cancel()
    await asyncio.wait([settled])
    go.set()
    await task
    history.flush()

    assert [row.status for row in history.search().rows] == [CallStatus.EXECUTED]


async def test_whoever_waits_for_a_call_is_told_when_the_history_closes_before_its_end(history_of: HistoryOf) -> None:
    history = history_of()

    @tool
    async def wait() -> str:
        """Wait for ever."""
        await asyncio.Event().wait()
        return ""

    executor = executor_for(history, wait)
    call = executor.create_call("wait", {})
    task = asyncio.ensure_future(executor.execute(call))
    await until(lambda: bool(found(history)))
    settled = asyncio.ensure_future(history.settled(call))
    await asyncio.sleep(0)
    history.close()
    with pytest.raises(HistoryError, match="the history was closed before it was done"):
        await asyncio.wait_for(settled, 20)
    task.cancel()
    await asyncio.wait([task])


def test_whoever_comes_while_a_history_closes_is_told(history_of: HistoryOf) -> None:
    history = history_of()
    history.close()

    for done in (history._writer.order(iter([1])), history._writer.intake.settled("a")):
        with pytest.raises(HistoryError, match="the history was closed before it was done"):
            done.result(20)


def test_a_running_call_is_found_once_the_executor_says_that_it_is_recorded(history_of: HistoryOf) -> None:
    history = history_of()
    seen: list[str] = []

    @tool
    async def look() -> str:
        """Look at the history while it runs."""
        await executor.until_recorded()
        seen.extend(row.status.value for row in history.search().rows)
        return "done"

    executor = executor_for(history, look)
    run(executor.execute(executor.create_call("look", {})))

    assert seen == ["executing"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(JSON)
def test_json_comes_back_as_it_was(value: Any) -> None:
    assert json.loads(json_of(value)) == value


@pytest.mark.parametrize(
    "value",
    [
        list(range(5_000)),
        {f"k{n}": [n, "ü"] for n in range(3_000)},
        [[{"a": n}] * 400 for n in range(5)],
        '\\"ü\n' * 1_000_000,
        [{"text": "x" * 2_000_000}, None],
        [],
        {},
    ],
    ids=["numbers", "object", "nested", "text", "text inside", "nothing", "no names"],
)
def test_large_json_is_the_same_in_pieces(value: Any) -> None:
    assert json.loads(json_of(value)) == value


def test_many_log_lines_are_written_in_pieces_as_a_list() -> None:
    lines = [LogEntry(n / 8, "info", f"Line {n}.") for n in range(2_000)]
    assert is_large(tuple(lines))
    assert json_of(tuple(lines)) == json_of(lines)


def test_the_writing_thread_lets_whoever_goes_first_go_before_it_writes(history_of: HistoryOf) -> None:
    asked_by: list[str] = []
    history = history_of(yield_to_ui=lambda: asked_by.append(current_thread().name))
    [call] = record_calls(history, ("echo", {"text": "ha", "times": 3}))
    assert record_of(history, call).result == "hahaha"
    assert set(asked_by) == {"history-writer"}
