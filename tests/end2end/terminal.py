"""A program in a terminal of its own, that a test reads and answers."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import time
from collections.abc import Sequence

from tests.end2end.conftest import ROOT

PATIENCE_S = 60.0


class Terminal:
    """A terminal with a program in it.

    Args:
        command: The program and its arguments.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._screen, inside = pty.openpty()
        self.process = subprocess.Popen(command, stdin=inside, stdout=inside, stderr=inside, cwd=ROOT)
        os.close(inside)
        self.shown = ""

    def read_until(self, text: str) -> str:
        """Return what was shown once the text is in what came since the last call."""
        since = len(self.shown)
        deadline = time.monotonic() + PATIENCE_S
        while text not in self.shown[since:]:
            ready, _, _ = select.select([self._screen], [], [], max(0.0, deadline - time.monotonic()))
            assert ready, f"expected {text!r} within {PATIENCE_S:g} s, got:\n{self.shown}"
            self._read()
        return self.shown

    def _read(self) -> bool:
        try:
            data = os.read(self._screen, 65536)
        except OSError:  # the other end is closed
            return False
        self.shown += data.decode("utf-8", errors="replace")
        return bool(data)

    def write(self, text: str) -> None:
        os.write(self._screen, f"{text}\n".encode())

    def wait(self) -> int:
        """Return the exit code, after everything was shown."""
        while self._read():
            pass
        return self.process.wait(PATIENCE_S)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self._screen)
