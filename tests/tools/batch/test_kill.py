"""Kill a program again and again while it runs a plan, and let it go on each time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

KILLS = int(os.environ.get("BATCH_KILLS", "12"))

# One program that forks those that are killed: to start Python anew for each of them would take most of the time.
PROGRAM = textwrap.dedent(
    """
    import asyncio, json, os, random, signal, sys, time
    from collections import Counter
    from pathlib import Path
    from tools import Executor, ToolRegistry, resolve_tools, tool
    from tools.batch import BatchExecutor, BatchPlan, Limits, Rows, Step, StepState
    from tools.batch.journal import Journal
    from tools.batch.runs import read_journal

    top, kills = Path(sys.argv[1]), int(sys.argv[2])
    chance = random.Random(kills)

    def step(name, tool, *needs, rows=0):
        # A name for each call: what is in the file of marks is what has run.
        if not rows:
            return Step(id=name, tool=tool, arguments={"name": name}, depends_on=needs)
        many = Rows(csv="rows.csv") if tool == "work" else Rows(values=[f"{number}" for number in range(rows)])
        row = "${row.number}" if tool == "work" else "${row}"
        return Step(id=name, tool=tool, arguments={"name": f"{name}.{row}"}, depends_on=needs, rows=many)

    STEPS = (
        step("first", "once"), step("second", "work", "first"), step("third", "once", "second"),
        step("each", "work", "first", rows=150), step("single", "once", "second", rows=40),
        step("last", "once", "each", "single", "third"),
    )
    PLAN = BatchPlan(steps=STEPS, limits=Limits(parallelism=4))

    def child(folder):
        file = os.open(folder / "marks", os.O_WRONLY | os.O_CREAT | os.O_APPEND)

        async def act(name):
            os.write(file, f"{name}\\n".encode())
            await asyncio.sleep(0.001)
            return name

        @tool
        async def work(name: str) -> str:
            "Do what may be done twice."
            return await act(name)

        @tool(idempotent=False)
        async def once(name: str) -> str:
            "Do what must not be done twice."
            return await act(name)

        async def go():
            executor = Executor(ToolRegistry(resolve_tools([work, once])))
            batches, path = BatchExecutor(executor=executor), folder / "journal.jsonl"
            is_begun = path.exists() and b"\\n" in path.read_bytes()
            run = batches.resume(path) if is_begun else batches.prepare(PLAN, folder=folder, journal=path)
            await run.go()
            while run.unsure:
                for name in run.unsure:
                    state = run.schedule.states[name]
                    run.skip_rows(name) if name in ("each", "single") else run.skip(name)
                await run.go()
            run.close()
            await executor.aclose()

        asyncio.run(go())
        os._exit(0)

    def calls(lines, kind):
        return {f"{line[kind]}.{line['row']}" if "row" in line else line[kind] for line in lines if kind in line}

    def whole_run(folder):
        global kills
        folder.mkdir()
        (folder / "rows.csv").write_text("number\\n" + "\\n".join(map(str, range(150))) + "\\n")
        ended, marked, killed, twice = set(), 0, 0, []
        while True:
            pid = os.fork()
            if not pid:
                child(folder)
            if kills > 0:
                time.sleep(chance.uniform(0.005, 0.12))
                os.kill(pid, signal.SIGKILL)
            status = os.waitpid(pid, 0)[1]
            marks = (folder / "marks").read_text().splitlines() if (folder / "marks").exists() else []
            twice += [name for name in marks[marked:] if name in ended]
            marked = len(marks)
            whole = (folder / "journal.jsonl").read_bytes() if (folder / "journal.jsonl").exists() else b""
            lines = [json.loads(line) for line in whole.split(b"\\n")[1:-1]]
            ended = calls(lines, "end")
            if os.WIFEXITED(status):
                assert os.WEXITSTATUS(status) == 0, status
                break
            kills, killed = kills - 1, killed + 1
        counts = Counter(marks)
        singles = [name for name in counts if name.partition(".")[0] in ("first", "third", "single", "last")]
        with Journal(folder / "journal.jsonl") as journal:
            past = read_journal(journal)
            result = past.result.results
            shown = {
                "killed": killed,
                "ran after they had ended": twice,
                "ran twice": [name for name in singles if counts[name] > 1],
                "missing": [f"each.{n}" for n in range(150) if not counts[f"each.{n}"]],
                "each": [index for index, name in enumerate(result["each"].result) if name != f"each.{index}"],
                "skipped": [name for name, item in result.items() if not item.success],
                "single": [result["single"].rows.done, result["single"].rows.skipped],
                "is over": past.is_over,
            }
        print(json.dumps(shown), flush=True)

    number = 0
    while kills > 0:
        number += 1
        whole_run(top / str(number))
    """
)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_no_finished_call_runs_again_and_what_may_have_run_is_held(tmp_path: Path) -> None:
    """Each run comes to its end, whenever the program died; only rows that may have run have no result."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path), str(KILLS)],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[3],
    )
    assert done.stderr == ""
    runs = [json.loads(line) for line in done.stdout.splitlines()]
    assert sum(run["killed"] for run in runs) == KILLS
    for run in runs:
        assert run["ran after they had ended"] == run["ran twice"] == run["missing"] == run["each"] == []
        assert set(run["skipped"]) <= {"first", "third", "last"}
        assert sum(run["single"]) == 40
        assert run["is over"]


FULL = textwrap.dedent(
    """
    import asyncio, json, resource, sys
    from pathlib import Path
    from tools import Executor, ToolRegistry, resolve_tools, tool
    from tools.batch import BatchExecutor, BatchPlan, Rows, Step
    from tools.errors import HistoryError

    path, ran = Path(sys.argv[1]) / "journal.jsonl", []

    @tool
    async def work(name: str) -> str:
        "Work."
        ran.append(name)
        return name * 50

    async def main():
        executor = Executor(ToolRegistry(resolve_tools([work])))
        rows = Rows(values=[f"{number}" for number in range(200)])
        plan = BatchPlan(steps=(Step(id="each", tool="work", arguments={"name": "${row}"}, rows=rows),))
        run = BatchExecutor(executor=executor).prepare(plan, journal=path)
        most = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, most[1]))
        try:
            await run.go()
        except HistoryError as error:
            print(str(error).replace(str(path), "JOURNAL"))
        run.close()
        resource.setrlimit(resource.RLIMIT_FSIZE, most)
        print(all(line.endswith(b"}") for line in path.read_bytes().splitlines()))
        ended = [json.loads(line)["row"] for line in path.read_bytes().splitlines() if b'"end"' in line]
        ran.clear()
        run = BatchExecutor(executor=executor).resume(path)
        result = await run.go()
        print(result.success_rate, sorted(map(int, ran)) == sorted(set(range(200)) - set(ended)))
        run.close()
        await executor.aclose()

    asyncio.run(main())
    """
)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on the size of files")
def test_a_full_disk_stops_a_run_that_can_go_on_once_there_is_room(tmp_path: Path) -> None:
    """The journal ends with a whole line, and says what was done."""
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[3],
    )
    assert done.stderr == ""
    said, whole, rest = done.stdout.splitlines()
    assert said == "the run cannot be written down in JOURNAL: File too large; make room, then resume it"
    assert (whole, rest) == ("True", "1.0 True")


# Kills each program at a moment: when the journal has its first line of a call, as the tool's first act, or by chance.
CUT_OFF = textwrap.dedent(
    """
    import asyncio, json, os, random, signal, sys, time
    from pathlib import Path
    from tools import Executor, ToolRegistry, resolve_tools, tool
    from tools.batch import BatchExecutor, BatchPlan, Limits, Rows, Step
    from tools.history import History, HistoryQuery

    top, kills = Path(sys.argv[1]), int(sys.argv[2])
    chance = random.Random(kills)
    ROWS = [f"{number}" for number in range(300)]
    PLAN = BatchPlan(
        steps=(
            Step(id="each", tool="once", arguments={"name": "each.${row}"}, rows=Rows(values=ROWS)),
            Step(id="alone", tool="once", arguments={"name": "alone"}),
        ),
        limits=Limits(parallelism=4),
    )
    REPEATED = BatchPlan(
        steps=(Step(id="each", tool="again", arguments={"name": "each.${row}"}, rows=Rows(values=ROWS)),),
        limits=Limits(parallelism=4),
    )

    def die(*_):
        os.kill(os.getpid(), signal.SIGKILL)

    def child(folder, moment):
        if moment == "line":
            # The line is with the operating system by then, and nothing that comes after it happens.
            os.fsync = die

        @tool(idempotent=False, isolation="inline")
        async def once(name: str) -> str:
            "Do what must not be done twice."
            if moment == "tool":
                die()
            await asyncio.sleep(0.001)
            return name

        @tool(idempotent=True, isolation="inline")
        async def again(name: str) -> str:
            "Do what may be done twice, each third time for longer than a begin waits to be written."
            await asyncio.sleep(0.4 if name.endswith("3") else 0.002)
            return name

        async def go():
            history = History(folder / "history")
            history.open()
            executor = Executor(ToolRegistry(resolve_tools([once, again])), listeners=[history.receive])
            plan = REPEATED if moment == "repeated" else PLAN
            await BatchExecutor(executor=executor).prepare(plan, journal=folder / "journal.jsonl").go()

        asyncio.run(go())
        os._exit(1)

    def has_begun(path):
        return path.exists() and b'"begin"' in path.read_bytes()

    for number, moment in enumerate(["line", "tool", *["chance"] * kills, *["repeated"] * kills]):
        folder = top / str(number)
        folder.mkdir()
        path = folder / "journal.jsonl"
        pid = os.fork()
        if not pid:
            child(folder, moment)
        if moment in {"chance", "repeated"}:
            while not has_begun(path):
                time.sleep(0.001)
            time.sleep(chance.uniform(0, 0.05 if moment == "chance" else 0.6))
            os.kill(pid, signal.SIGKILL)
        status = os.waitpid(pid, 0)[1]
        assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL, status
        lines = [json.loads(line) for line in path.read_bytes().split(b"\\n")[1:-1]]
        begun = {f"each.{line['row']}" if "row" in line else line["begin"] for line in lines if "begin" in line}
        if moment == "repeated":
            # Of what came to its end the newest may be missing: it may run again, and the journal has its result.
            begun -= {f"each.{line['row']}" for line in lines if "end" in line and "row" in line}
        history = History(folder / "history")
        history.open()
        rows = history.search(HistoryQuery(limit=1000)).rows
        history.close()
        status_by_name = {row.arguments_text.split('"')[1]: row.status.value for row in rows}
        print(
            json.dumps(
                {
                    "moment": moment,
                    "begun": len(begun),
                    "missing": sorted(begun - status_by_name.keys()),
                    "statuses": sorted({status_by_name[name] for name in begun & status_by_name.keys()}),
                }
            ),
            flush=True,
        )
    """
)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_each_call_that_began_by_the_journal_is_in_the_history_whenever_the_program_died(tmp_path: Path) -> None:
    done = subprocess.run(
        # Python 3.12 warns of a fork beside threads; here the child runs on only until it is killed.
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", CUT_OFF, str(tmp_path), str(KILLS)],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[3],
    )
    assert done.stderr == ""
    runs = [json.loads(line) for line in done.stdout.splitlines()]
    assert [run["moment"] for run in runs] == ["line", "tool", *["chance"] * KILLS, *["repeated"] * KILLS]
    assert [run["missing"] for run in runs] == [[] for _ in runs]
    assert all(run["begun"] for run in runs if run["moment"] != "repeated")
    assert any(run["begun"] for run in runs if run["moment"] == "repeated")
    assert runs[0]["statuses"] == runs[1]["statuses"] == ["aborted"]
