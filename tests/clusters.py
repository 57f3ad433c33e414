"""A real Dask cluster on this machine, for tests."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep

__all__ = ["PATIENCE_S", "Cluster", "soon"]

_ROOT = Path(__file__).parents[1]
PATIENCE_S = 90.0


def soon(holds: Callable[[], bool]) -> None:
    """Wait until other processes did something."""
    until = monotonic() + PATIENCE_S
    while not holds():
        assert monotonic() < until
        sleep(0.01)


class Cluster:
    """A scheduler and workers, each a process of its own that is ended by its id."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file = folder / "scheduler.json"
        self._processes: list[subprocess.Popen[bytes]] = []
        self._start("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(self._file))
        soon(self._file.exists)
        soon(lambda: "address" in self._file.read_text())
        self.backend = json.loads(self._file.read_text())["address"].replace("tcp://", "dask://")
        self.workers: list[subprocess.Popen[bytes]] = []

    def _start(self, kind: str, *words: str) -> subprocess.Popen[bytes]:
        log = self._folder / f"{kind}-{len(self._processes)}.log"
        environment = {**os.environ, "PYTHONPATH": str(_ROOT)}
        command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", "--no-dashboard", *words]
        with log.open("wb") as file:
            process = subprocess.Popen(command, stdout=file, stderr=file, cwd=self._folder, env=environment)
        self._processes.append(process)
        return process

    def add_workers(self, count: int) -> None:
        names = [f"worker-{len(self._processes) + number}" for number in range(count)]
        for name in names:
            words = ("--scheduler-file", str(self._file), "--nthreads", "2", "--no-nanny", "--name", name)
            self.workers.append(self._start("worker", *words, "--local-directory", str(self._folder)))
        logs = [self._folder / f"worker-{len(self._processes) - count + number}.log" for number in range(count)]
        soon(lambda: all("Registered to" in log.read_text() for log in logs))

    def kill(self, pid: int) -> None:
        (victim,) = [worker for worker in self.workers if worker.pid == pid]
        self.workers.remove(victim)
        victim.send_signal(signal.SIGKILL)
        victim.wait()

    def close(self) -> None:
        """End everything, workers first."""
        for process in reversed(self._processes):
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            process.wait()
