"""What a journal holds: when steps began, and what becomes of it where programs and disks go wrong."""

from __future__ import annotations

import asyncio
import errno
import json
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterable
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from tools import Executor, ToolRegistry, resolve_tools, tool
from tools.batch import BatchExecutor, BatchPlan, BatchResult, BatchRun, OnFailure, RowCounts, Rows, Step, StepState
from tools.batch.journal import Journal, WrittenJournal, has_begun, summed
from tools.batch.plan import title_of
from tools.batch.runs import forget, is_over, is_run_of, is_under_way, past_run, run_id
from tools.errors import CallStateError, HistoryError
from tools.file_lock import claim

FAILING: set[str] = set()
BEGUN: list[str] = []
DONE: list[str] = []


@tool(read_only=True, idempotent=True)
async def work(name: str) -> str:
    """Do a piece of work that takes a while."""
    await asyncio.sleep(0.01)
    if name in FAILING:
        raise ValueError(name)
    DONE.append(name)
    return name


@tool(idempotent=False)
async def once(name: str) -> str:
    """Do what must not be done twice, and never end."""
    BEGUN.append(name)
    await asyncio.Event().wait()
    return name


PLAN = BatchPlan(
    name="times",
    steps=(
        Step(id="a", tool="work", arguments={"name": "a"}),
        Step(id="b", tool="work", arguments={"name": "b"}, depends_on=("a",)),
        Step(id="fan", tool="work", rows=Rows(values=["x", "y"]), arguments={"name": "${row}"}, depends_on=("b",)),
        Step(id="never", tool="work", condition="`false`", arguments={"name": "never"}, depends_on=("fan",)),
    ),
)


def going(act: Callable[[BatchExecutor], Awaitable[Any]]) -> Any:
    async def body() -> Any:
        registry = ToolRegistry(resolve_tools([work, once]))
        async with aclosing(Executor(registry)) as executor:
            return await act(BatchExecutor(executor=executor))

    return asyncio.run(body())


def chained(objects: Iterable[dict[str, Any]]) -> bytes:
    """Return what a journal is that says these, each line with its checksum."""
    written, last = b"", 0
    for facts in objects:
        plain = {name: value for name, value in facts.items() if name != "sum"}
        line, last = summed(json.dumps(plain, separators=(",", ":")).encode(), last)
        written += line
    return written


def test_a_plan_is_written_down_as_one_object_with_all_that_it_says(tmp_path: Path) -> None:
    steps = tuple(
        Step(id=f"s{number}", tool="note", arguments={"text": 'a "b"\n\udce9', "n": [number]}, depends_on=needs)
        for number, needs in enumerate(((), ("s0",), ("s0", "s1")))
    )
    plan = BatchPlan(name='"steps":[]', parameters={"steps": {"default": []}}, steps=steps)  # type: ignore[dict-item]
    with Journal(tmp_path / "run.jsonl") as journal:
        journal.start(plan, {"plan": "mine"}, tmp_path)
    line = (tmp_path / "run.jsonl").read_bytes()
    facts = json.loads(line.decode("utf-8", "surrogatepass"))
    assert facts["plan"] == plan.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    assert facts["parameters"] == {"plan": "mine"}
    again = json.dumps(facts, ensure_ascii=False, separators=(",", ":"))
    assert line == again.encode("utf-8", "surrogatepass") + b"\n"
    assert past_run(tmp_path / "run.jsonl").plan == plan


def test_a_journal_tells_when_its_steps_began(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"

    async def act(batches: BatchExecutor) -> float:
        return (await batches.run(PLAN, journal=path)).total_duration

    took_s = going(act)
    past = past_run(path)
    assert list(past.began_s) == ["a", "b", "fan"]
    ends_s = {name: at_s + past.ended[name].elapsed_s for name, at_s in past.began_s.items()}
    assert 0 <= past.began_s["a"] < ends_s["a"] <= past.began_s["b"] < ends_s["b"] <= past.began_s["fan"]
    assert ends_s["fan"] <= past.elapsed_s <= took_s
    assert past.result.total_duration == past.elapsed_s


def test_a_plan_without_a_name_has_the_runs_of_its_file(tmp_path: Path) -> None:
    path, file = tmp_path / "run.jsonl", tmp_path / "sub" / ".." / "nightly tidy.yaml"
    (tmp_path / "sub").mkdir()

    async def act(batches: BatchExecutor) -> None:
        run = batches.prepare(BatchPlan(steps=PLAN.steps), journal=path, file=file)
        await run.go()
        run.close()

    going(act)
    past = past_run(path)
    assert past.file == (tmp_path / "nightly tidy.yaml").resolve()
    mine = past.plan.name, past.file
    assert title_of(*mine) == "nightly tidy"
    assert run_id(past.plan, past.file).endswith("-nightly-tidy")
    assert is_run_of(mine, mine)
    assert not is_run_of(mine, (past.plan.name, tmp_path / "other.yaml"))
    assert not is_run_of(mine, (past.plan.name, None))
    assert is_run_of(("named", tmp_path / "old.yaml"), ("named", tmp_path / "new.yaml"))
    assert run_id(PLAN, past.file).endswith("-times")


def test_the_time_in_which_nobody_goes_on_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    FAILING.add("b")

    async def first(batches: BatchExecutor) -> float:
        return (await batches.run(PLAN, journal=path)).total_duration

    async def second(batches: BatchExecutor) -> BatchRun:
        run = batches.resume(path)
        assert run.began_before_s == past_run(path).began_s
        run.retry_failed()
        await asyncio.sleep(0.05)
        at_s = run.clock()
        assert at_s == past_run(path).elapsed_s
        await run.go()
        run.close()
        return run

    took_s = going(first)
    FAILING.clear()
    before = past_run(path)
    run = going(second)
    past = past_run(path)
    assert past.began_s["a"] == before.began_s["a"]
    assert before.elapsed_s <= past.began_s["b"] < before.elapsed_s + run.clock() - before.elapsed_s
    assert run.clock() >= past.elapsed_s > before.elapsed_s
    assert before.elapsed_s <= took_s


def test_of_what_may_have_run_is_told_when_it_began_and_no_duration_that_nobody_knows(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    begun = BatchPlan(
        name="held",
        steps=(
            Step(id="once", tool="once", arguments={"name": "once"}),
            Step(id="a", tool="work", arguments={"name": "a"}),
        ),
    )

    async def act(batches: BatchExecutor) -> None:
        run = batches.prepare(begun, journal=path)
        going_on = asyncio.create_task(run.go())
        while not (BEGUN and run.schedule.states["a"].ended):  # noqa: ASYNC110 -- a step's end sets no event
            await asyncio.sleep(0)
        going_on.cancel()
        await asyncio.wait([going_on])
        run.close()

    BEGUN.clear()
    going(act)
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join(line for line in lines if '"end":"once"' not in line), "utf-8")
    past = past_run(path)
    unsure = past.result.results["once"]
    assert (unsure.state, unsure.elapsed_s) == (StepState.MAY_HAVE_RUN, 0.0)
    assert 0 <= past.began_s["once"] <= past.elapsed_s


@pytest.mark.parametrize("text", ['{"a":1}\n{"b":2}', '{"all":"my data"}', "a note", "[1]\n", "\n"])
def test_a_file_that_is_no_journal_is_left_as_it_is(tmp_path: Path, text: str) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text(text, "utf-8")

    async def act(batches: BatchExecutor) -> None:
        with pytest.raises(HistoryError, match="no journal of a batch"):
            batches.resume(path)
        with pytest.raises(HistoryError, match="holds something else than a run; name another file"):
            batches.prepare(PLAN, journal=path)
        with pytest.raises(CallStateError, match="is no run of a batch, so it is left as it is"):
            forget(path, interrupted_too=True)

    going(act)
    assert path.read_text("utf-8") == text


def test_a_journal_whose_plan_was_cut_off_is_begun_anew_and_one_with_a_long_plan_is_not(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    long = BatchPlan(name="long", steps=tuple(PLAN.steps[0].model_copy(update={"id": f"s{at}"}) for at in range(5000)))

    async def act(batches: BatchExecutor) -> None:
        batches.prepare(long, journal=path).close()
        whole = path.read_bytes()
        with pytest.raises(HistoryError, match="holds another run already"):
            batches.prepare(PLAN, journal=path)
        assert path.read_bytes() == whole
        path.write_bytes(whole[:-1])
        batches.prepare(PLAN, journal=path).close()
        assert past_run(path).plan == PLAN

    going(act)


@pytest.mark.parametrize(
    "line",
    [
        {"begin": "nobody", "row": 1, "at": 0.1},
        {"end": "nobody", "state": "done", "s": 0.1},
        {"again": "nobody"},
        {"passed": "nobody"},
        {"end": "a", "state": "running", "s": 0.1},
        {"end": "a", "state": "done", "s": "long"},
    ],
)
def test_a_line_that_no_run_writes_is_damage_and_leaves_the_journal_free(tmp_path: Path, line: dict[str, Any]) -> None:
    path = tmp_path / "run.jsonl"

    async def act(batches: BatchExecutor) -> None:
        batches.prepare(PLAN, journal=path).close()
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        with pytest.raises(HistoryError, match="is damaged"):
            batches.resume(path)
        assert not is_under_way(path)

    going(act)


def test_what_was_cancelled_is_told_so_and_held_all_the_same_by_a_run_that_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    plan = BatchPlan(
        name="stopped",
        steps=(
            Step(id="alone", tool="once", arguments={"name": "alone"}),
            Step(id="fan", tool="once", rows=Rows(values=["x", "y"]), arguments={"name": "${row}"}),
            Step(id="behind", tool="work", arguments={"name": "behind"}, depends_on=("alone",)),
        ),
    )

    async def act(batches: BatchExecutor) -> list[str]:
        run = batches.prepare(plan, journal=path)
        going_on = asyncio.create_task(run.go())
        while len(BEGUN) < 3:  # noqa: ASYNC110 -- a start sets no event
            await asyncio.sleep(0.01)
        under_way = past_run(path).result_so_far(is_under_way=True)
        assert [item.state.value for item in under_way.results.values()] == ["running", "running", "queued"]
        assert (under_way.failures, under_way.results["fan"].rows) == (0, RowCounts(running=2))
        run.cancel()
        await going_on
        run.close()
        again = batches.resume(path)
        again.close()
        return again.unsure

    BEGUN.clear()
    unsure = going(act)
    result = past_run(path).result
    assert [item.state.value for item in result.results.values()] == ["cancelled"] * 3
    assert result.results["behind"].error == "the batch was cancelled"
    assert result.results["alone"].elapsed_s > 0
    assert all(item.error and "may have run" not in item.error for item in result.results.values())
    assert result.failures == 0
    assert unsure == ["alone", "fan"]


def test_the_begin_of_a_lone_long_call_is_in_the_journal_while_it_runs(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    may_end = asyncio.Event()

    @tool(read_only=True, idempotent=True)
    async def long() -> str:
        """Do a piece of work that may be done twice, until it is told to end."""
        await may_end.wait()
        return "done"

    async def body() -> BatchResult:
        plan = BatchPlan(name="lone", steps=(Step(id="a", tool="long"),))
        async with aclosing(Executor(ToolRegistry(resolve_tools([long])))) as executor:
            run = asyncio.create_task(BatchExecutor(executor=executor).run(plan, journal=path))
            while not path.exists() or '"begin"' not in path.read_text("utf-8"):  # noqa: ASYNC110 -- a file tells nobody
                await asyncio.sleep(0.01)
            may_end.set()
            return await run

    assert asyncio.run(body()).successes == 1
    kinds = [next(iter(json.loads(line))) for line in path.read_text("utf-8").splitlines()]
    assert kinds == ["journal", "begin", "end", "over"]


@pytest.mark.expects_log("tools.batch.journal")
@pytest.mark.parametrize("error", [RuntimeError("the history broke"), HistoryError("the disk is full")], ids=repr)
def test_begins_that_could_not_be_written_are_written_later(
    tmp_path: Path, error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "run.jsonl"
    tries: list[int] = []

    async def recorded() -> None:
        tries.append(1)
        if len(tries) < 3:
            raise error

    async def body(journal: Journal) -> None:
        writing = asyncio.create_task(journal.write_begins(recorded))
        await asyncio.sleep(0)
        journal.begin("a", None)
        while b'"begin"' not in path.read_bytes() and not writing.done():  # noqa: ASYNC110 -- a file tells nobody
            await asyncio.sleep(0.01)
        writing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await writing

    with Journal(path) as journal:
        journal.start(PLAN, {}, tmp_path)
        asyncio.run(body(journal))
    assert len(tries) == 3
    assert [record.getMessage() for record in caplog.records] == [
        f"the begins of running calls cannot be written down yet: {error}"
    ]


def test_begins_are_written_on_whatever_loop_the_run_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"

    async def recorded() -> None:
        """Have every call at once."""

    async def body(journal: Journal, step: str) -> None:
        writing = asyncio.create_task(journal.write_begins(recorded))
        await asyncio.sleep(0)
        journal.begin(step, None)
        while f'"begin":"{step}"' not in path.read_text("utf-8") and not writing.done():  # noqa: ASYNC110 -- as above
            await asyncio.sleep(0.01)
        writing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await writing

    with Journal(path) as journal:
        journal.start(PLAN, {}, tmp_path)
        for step in ("a", "b"):
            asyncio.run(body(journal, step))


def test_what_was_stopped_before_it_began_is_told_so_and_runs_when_the_run_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.jsonl"
    plan = BatchPlan(
        name="stopped",
        on_failure=OnFailure.STOP,
        steps=(
            Step(id="fails", tool="work", arguments={"name": "fails"}),
            Step(id="skipped", tool="work", arguments={"name": "skipped"}, depends_on=("fails",)),
            Step(id="alone", tool="once", arguments={"name": "alone"}),
            Step(id="fan", tool="once", rows=Rows(values=["x", "y"]), arguments={"name": "${row}"}),
            Step(id="behind", tool="work", arguments={"name": "behind"}, depends_on=("fan",)),
        ),
    )
    FAILING.add("fails")
    BEGUN.clear()

    async def act(batches: BatchExecutor) -> tuple[BatchResult, list[str], list[str]]:
        ended = asyncio.Event()
        settle = Journal.settle

        async def settled_late(journal: Journal) -> None:
            # The disk is so slow that the run is stopped before it has what begins.
            await ended.wait()
            await settle(journal)

        monkeypatch.setattr(Journal, "settle", settled_late)
        run = batches.prepare(plan, journal=path)
        going_on = asyncio.create_task(run.go())
        while not run.schedule.states["fails"].ended:  # noqa: ASYNC110 -- an end sets no event here
            await asyncio.sleep(0.01)
        ended.set()
        live = await going_on
        run.close()
        again = batches.resume(path)
        to_do = [name for name, state in again.schedule.states.items() if state is StepState.QUEUED]
        again.close()
        return live, again.unsure, to_do

    live, unsure, to_do = going(act)
    assert BEGUN == []
    result = past_run(path).result
    assert [item.state.value for item in live.results.values()] == ["failed", "skipped", *["cancelled"] * 3]
    told = "step 'fails' failed, and the plan stops then"
    for name in ("alone", "fan", "behind"):
        assert (result.results[name].state, result.results[name].error) == (StepState.CANCELLED, told), name
    assert [item.state for item in result.results.values()] == [item.state for item in live.results.values()]
    assert (result.failures, is_over(path)) == (live.failures, True)
    for told_of in (live, result):
        assert {name: item.held_by for name, item in told_of.results.items() if item.held_by} == {"skipped": "fails"}
    assert (unsure, to_do) == ([], ["alone", "fan", "behind"])


def rows_plan(tool_name: str, rows: Rows, argument: str) -> BatchPlan:
    return BatchPlan(name="rows", steps=(Step(id="fan", tool=tool_name, rows=rows, arguments={"name": argument}),))


@pytest.mark.parametrize("is_resumed", [False, True])
@pytest.mark.parametrize(
    ("now", "is_told"),
    [
        ("n\na\nB\nc\n", ""),
        ("n\na\nb\nc\nd\n", ""),
        ("n\nnew\na\nb\nc\n", "row 1 is not the one that ended"),
        ("n\na\nb\n", "row 3 is not the one that ended"),
        ("n\na\nb\nC\n", "row 3 is not the one that ended"),
        ("n\n", "row 1 is not the one that ended"),
    ],
)
def test_rows_that_ended_are_known_by_what_stands_in_them(
    tmp_path: Path, now: str, is_told: str, *, is_resumed: bool
) -> None:
    """The row that failed may be mended and some may come behind; none that ended may be another, or gone."""
    journal, file = tmp_path / "run.jsonl", tmp_path / "rows.csv"
    file.write_text("n\na\nb\nc\n", "utf-8")
    DONE.clear()
    FAILING.add("b")

    async def act(batches: BatchExecutor) -> BatchResult:
        plan = rows_plan("work", Rows(csv="rows.csv"), "${row.n}")
        run = batches.prepare(plan, journal=journal, folder=tmp_path)
        await run.go()
        FAILING.clear()
        assert sorted(DONE) == ["a", "c"]
        file.write_text(now, "utf-8")
        if is_resumed:
            run.close()
            run = batches.resume(journal)
        run.retry_failed()
        result = await run.go()
        run.close()
        return result

    (result,) = going(act).results.values()
    new = sorted(DONE)
    if is_told:
        assert (result.state, new) == (StepState.FAILED, ["a", "c"])
        assert result.error.startswith(is_told)
        assert result.error.endswith("run the step from its beginning")
    else:
        assert result.state is StepState.DONE
        assert [*result.result] == now.split()[1:]
        assert len(new) == len(set(new))


def test_a_row_that_ended_is_missed_although_the_last_one_is_to_run_again(tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    file.write_text("n\na\nb\nc\n", "utf-8")
    FAILING.add("c")

    async def act(batches: BatchExecutor) -> BatchResult:
        run = batches.prepare(rows_plan("work", Rows(csv="rows.csv"), "${row.n}"), folder=tmp_path)
        await run.go()
        FAILING.clear()
        file.write_text("n\na\n", "utf-8")
        run.retry_failed()
        return await run.go()

    (result,) = going(act).results.values()
    assert result.state is StepState.FAILED
    assert (result.error or "").startswith("row 2 is not the one that ended")


def test_a_file_that_its_tool_changed_is_still_the_same_row(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.txt").write_text("x", "utf-8")
    FAILING.add("b.txt")

    async def act(batches: BatchExecutor) -> BatchResult:
        run = batches.prepare(rows_plan("work", Rows(files="*.txt"), "${row.name}"), folder=tmp_path)
        await run.go()
        FAILING.clear()
        (tmp_path / "a.txt").write_text("longer", "utf-8")
        run.retry_failed()
        return await run.go()

    (result,) = going(act).results.values()
    assert (result.state, [*result.result]) == (StepState.DONE, ["a.txt", "b.txt"])


CLAIMING = """
import sys, time
from pathlib import Path
from tools.batch.journal import Journal
from tools.errors import HistoryError

journal = Journal(Path(sys.argv[1]))
print("ready", flush=True)
sys.stdin.readline()
try:
    journal.claim()
except HistoryError:
    print("refused", flush=True)
else:
    print("claimed", flush=True)
sys.stdin.readline()
"""


def claiming(path: Path) -> subprocess.Popen[str]:
    """Start a program that is about to claim a journal, and claims it after a line, and keeps it until the next."""
    words = [sys.executable, "-c", CLAIMING, str(path)]
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert said_by(process) == "ready"
    return process


def said_by(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def say_to(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


def end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.communicate()


def begun(path: Path) -> bytes:
    """Write a journal as far as a run that has begun nothing, and return what stands there."""
    with Journal(path) as journal:
        journal.start(PLAN, {}, path.parent)
    return path.read_bytes()


def test_a_killed_program_holds_no_journal(tmp_path: Path) -> None:
    """No number of a process is written down that another one could get."""
    path = tmp_path / "run.jsonl"
    whole = begun(path)
    process = claiming(path)
    try:
        say_to(process)
        assert said_by(process) == "claimed"
        assert is_under_way(path)
        with Journal(path) as journal, pytest.raises(HistoryError, match="under way in another program"):
            journal.claim()
    finally:
        end(process)
    assert not is_under_way(path)
    with Journal(path) as journal:
        journal.claim()
    assert path.read_bytes() == whole


def test_of_programs_that_claim_a_journal_at_once_one_gets_it(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    begun(path)
    processes = [claiming(path) for _ in range(3)]
    try:
        for process in processes:
            say_to(process)
        assert sorted(said_by(process) for process in processes) == ["claimed", "refused", "refused"]
    finally:
        for process in processes:
            end(process)


def test_who_only_looks_whether_a_run_is_under_way_keeps_nobody_from_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.jsonl"
    begun(path)
    looking = WrittenJournal(path)
    assert not looking.is_held
    monkeypatch.setattr("tools.batch.journal.sleep", lambda _: looking.close())
    with Journal(path) as journal:
        journal.claim()
        assert is_under_way(path)


@pytest.mark.parametrize("part", [0, 1, 40, -1])
def test_a_journal_that_ends_in_its_first_line_holds_no_run_and_may_be_begun_again(tmp_path: Path, part: int) -> None:
    path = tmp_path / "run.jsonl"
    whole = begun(path)
    torn = whole[:part]
    path.write_bytes(torn)
    assert not has_begun(path)
    assert not is_over(path)
    assert not is_under_way(path)
    with pytest.raises(HistoryError, match="is empty: the run ended before its plan was written"):
        past_run(path)
    assert path.read_bytes() == torn

    async def resume(batches: BatchExecutor) -> None:
        with pytest.raises(HistoryError, match="is empty"):
            batches.resume(path)

    going(resume)
    begun(path)
    assert past_run(path).plan == PLAN
    assert has_begun(path)


def test_whoever_reads_a_run_makes_nothing_where_there_is_none(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "run.jsonl"
    for ask in (past_run, is_under_way):
        with pytest.raises(HistoryError, match="there is no run in"):
            ask(path)

    async def resume(batches: BatchExecutor) -> None:
        with pytest.raises(HistoryError, match="there is no run in"):
            batches.resume(path)

    going(resume)
    assert not list(tmp_path.iterdir())


def test_a_run_is_read_where_nothing_may_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "run.jsonl"

    async def act(batches: BatchExecutor) -> None:
        await batches.run(PLAN, journal=path)

    going(act)

    def refuse(*_: Any) -> int:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr("tools.batch.journal.os.open", refuse)
    past = past_run(path)
    assert list(past.result.results["fan"].result) == ["x", "y"]
    assert not is_under_way(path)
    with pytest.raises(HistoryError, match=r"cannot be written down in .*: Read-only file system; name another folder"):
        Journal(path)


def test_a_disk_without_locks_is_refused_for_writing_and_read_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.jsonl"
    begun(path)

    def refuse(_: int) -> bool:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("tools.batch.journal.claim", refuse)
    assert not is_under_way(path)
    with Journal(path) as journal, pytest.raises(HistoryError, match="No locks available; name another folder"):
        journal.claim()


def test_where_only_those_may_lock_who_may_write_it_is_still_seen_that_a_run_is_under_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.jsonl"
    begun(path)
    asked: list[int] = []

    def choosy(descriptor: int) -> bool:
        asked.append(descriptor)
        if len(asked) == 1:
            raise OSError(errno.EBADF, "Bad file descriptor")
        return claim(descriptor)

    with Journal(path) as journal:
        journal.claim()
        monkeypatch.setattr("tools.batch.journal.claim", choosy)
        assert is_under_way(path)
    asked.clear()
    assert not is_under_way(path)


@pytest.mark.skipif(sys.platform == "win32", reason="what is open is not deleted there")
def test_nobody_goes_on_with_a_journal_that_was_deleted_meanwhile(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    begun(path)
    with Journal(path) as journal:
        path.unlink()
        with pytest.raises(HistoryError, match="it was deleted"):
            journal.claim()


@pytest.mark.parametrize(
    "line",
    [
        '{"begin":["a"]}',
        '{"begin":"a","at":"noon"}',
        '{"end":"a"}',
        '{"end":"a","state":"gone","s":1}',
        '{"end":"fan","state":"done","s":1,"row":"first"}',
        '{"end":"fan","state":"done","s":1,"row":-9}',
        '{"steps":[{"id":7}]}',
        '{"passed":"fan","rows":5}',
        "{" + '"a":[' * 100_000 + "",
        "\x00\x00",
    ],
)
def test_a_damaged_line_is_told_and_breaks_nothing(tmp_path: Path, line: str) -> None:
    path = tmp_path / "run.jsonl"
    begun(path)
    with path.open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")
    with pytest.raises(HistoryError, match="is no journal of a batch, or is damaged"):
        past_run(path)
