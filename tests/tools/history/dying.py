"""Kill a program that records at a random moment, and look at what it left."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

from tests.tools.history import dying_program
from tools import CallStatus
from tools.history import History
from tools.spec import MISSING

ROOT = Path(__file__).parents[3]


def killed_after(folder: Path, delay_s: float) -> tuple[set[str], set[str]]:
    """Let a process of its own record calls, kill it so long after its first safe one, and return what it was told.

    Returns:
        The ids of ended calls that are safe, and of running ones.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        os.dup2(writing, 1)
        try:
            dying_program.main(folder)
        finally:
            os._exit(1)
    os.close(writing)
    with os.fdopen(reading, encoding="ascii") as told_by_child:
        first = told_by_child.readline()
        time.sleep(delay_s)
        os.kill(child, signal.SIGKILL)
        # What was on its way through the pipe was told as well.
        lines = [first, *told_by_child]
    _, status = os.waitpid(child, 0)
    assert os.WTERMSIG(status) == signal.SIGKILL, "it ended by itself"
    told: dict[str, set[str]] = {"ended": set(), "running": set()}
    for line in lines:
        word, _, record = line.strip().partition(" ")
        if line.endswith("\n"):
            told[word].add(record)
    return told["ended"], told["running"]


def losses(folder: Path, ended: set[str], running: set[str]) -> list[str]:
    """Return what is wrong with a history whose program was killed; empty when nothing is."""
    found = []
    history = History(folder)
    report = history.open()
    try:
        history.flush()
        if report.kept_aside is not None or not running <= set(report.aborted):
            found.append(f"{report}")
        for record in ended | running:
            kept = history.get(record)
            expected = CallStatus.ABORTED if record in running else CallStatus.EXECUTED
            if kept is None:
                found.append(f"{record} is lost")
            elif kept.status is not expected or (record in ended and kept.result is MISSING):
                found.append(f"{record} is {kept}")
    finally:
        history.close()
    with closing(sqlite3.connect(folder / "history.sqlite")) as connection:
        whole = connection.execute("PRAGMA integrity_check").fetchall()
        connection.execute("INSERT INTO words (words) VALUES ('integrity-check')")
    if whole != [("ok",)]:
        found.append(f"the file is damaged: {whole}")
    return found


def kill_often(folder: Path, times: int, seed: int) -> tuple[int, list[str]]:
    """Kill so many programs over one history.

    Args:
        folder: The history's.
        times: How many.
        seed: Decides about the moments.

    Returns:
        How many calls they were told were safe, and what is wrong.
    """
    # From a process that has no threads and has imported everything: starting Python anew each time takes longest.
    command = [sys.executable, "-m", "tests.tools.history.dying", str(folder), str(times), str(seed)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        return 0, [done.stderr]
    told, wrong = json.loads(done.stdout)
    return told, wrong


def main(folder: Path, times: int, seed: int) -> None:
    """Kill so many programs, and print what came of it."""
    moments = random.Random(seed)
    told = 0
    wrong: list[str] = []
    for _ in range(times):
        ended, running = killed_after(folder, moments.uniform(0, 0.1))
        told += len(ended) + len(running)
        wrong += losses(folder, ended, running)
    sys.stdout.write(json.dumps([told, wrong]))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
