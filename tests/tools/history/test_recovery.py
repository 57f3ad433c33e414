"""What a killed program leaves behind, and what two programs at a time leave each other."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.tools.history.dying import ROOT, kill_often
from tests.tools.history.recording import executor_for, found, record_calls
from tests.tools.running import run
from tools import CallStatus, tool
from tools.calls import ErrorKind
from tools.history import History, HistoryQuery
from tools.history.ledger import is_alive

if TYPE_CHECKING:
    from tests.tools.history.recording import HistoryOf

KILLS = int(os.environ.get("HISTORY_KILLS", "20"))


@pytest.mark.reference("E40")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_killed_program_loses_no_call_that_it_was_told_is_safe(tmp_path: Path) -> None:
    told, wrong = kill_often(tmp_path / "history", KILLS, seed=1)

    assert wrong == []
    assert told > KILLS


@pytest.mark.reference("E40")
def test_calls_that_run_when_a_history_is_closed_are_given_up(history_of: HistoryOf) -> None:
    history = history_of()

    @tool
    async def wait() -> str:
        """Wait for ever."""
        await asyncio.Event().wait()
        return ""

    executor = executor_for(history, wait)

    async def work() -> None:
        task = asyncio.ensure_future(executor.execute(executor.create_call("wait", {})))
        await asyncio.sleep(0)
        history.close()
        task.cancel()
        await asyncio.wait([task])

    run(work())
    again = History(history_path(history))
    report = again.open()
    [row] = again.search().rows
    again.close()

    assert report.aborted == ()
    assert (row.status, row.summary) == (CallStatus.ABORTED, "the program ended while it ran")


def history_path(history: History) -> Path:
    """Return the folder of a history."""
    return history._ledger.path.parent


def start_program(folder: Path) -> tuple[subprocess.Popen[str], str]:
    """Start the program that never ends; return it with the id of its running call."""
    command = [sys.executable, "-m", "tests.tools.history.dying_program", str(folder)]
    program = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert program.stdout is not None
    return program, program.stdout.readline().split()[1]


@pytest.mark.reference("E40")
def test_two_programs_share_a_history_and_leave_each_other_s_calls_alone(tmp_path: Path) -> None:
    folder = tmp_path / "history"
    first = History(folder)
    assert first.open() == ((), None, "")
    program, running = start_program(folder)
    try:
        second = History(folder)
        report = second.open()
        record_calls(first, ("search_files", {"pattern": "from the first"}))
        record_calls(second, ("search_files", {"pattern": "from the second"}))

        assert report.aborted == ()
        assert first.get(running) == second.get(running)
        record = first.get(running)
        assert record is not None
        assert record.status is CallStatus.EXECUTING
        assert is_alive(folder / "runs", running.partition("-")[0])
        first.prune()
        assert first.search(HistoryQuery(tools=("search_files",))).total == 2
        assert [row.arguments_text for row in second.search(HistoryQuery(text="from the first")).rows] == [
            'pattern="from the first" folder="."'
        ]
        assert (first.problem, second.problem) == ("", "")
    finally:
        program.kill()
        program.communicate()
    second.close()

    # The first one is still there when the program dies, and its upkeep finds out.
    first._writer.order(first._ledger.upkeep(first.retention)).result()
    record = first.get(running)
    first.close()

    assert record is not None
    assert record.status is CallStatus.ABORTED
    assert record.error is not None
    assert (record.error.kind, record.error.message) == (ErrorKind.ABORTED, "the program ended while it ran")
    assert list((folder / "runs").iterdir()) == []


def test_a_process_of_the_same_number_is_no_sign_of_life(tmp_path: Path) -> None:
    folder = tmp_path / "history"
    program, running = start_program(folder)
    program.kill()
    program.communicate()
    run_name = running.partition("-")[0]
    assert (folder / "runs" / f"{run_name}.lock").exists()

    assert not is_alive(folder / "runs", run_name)
    history = History(folder)
    report = history.open()
    history.close()

    assert report.aborted == (running,)


async def test_many_calls_at_a_time_are_all_there(history_of: HistoryOf) -> None:
    history = history_of()
    executor = executor_for(history)
    calls = [executor.create_call("echo", {"text": str(number)}) for number in range(500)]
    await asyncio.gather(*(executor.execute(call) for call in calls))
    await asyncio.gather(*(history.settled(call) for call in calls))
    assert history.search().total == 500
    assert found(history, "499") == ["500"]
