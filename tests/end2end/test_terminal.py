"""The command line in a terminal: a dangerous call asks there, and does what the answer says."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.end2end.conftest import ROOT

PATIENCE_S = 60.0


class Terminal:
    """A program in a terminal of its own."""

    def __init__(self, *words: str) -> None:
        self._screen, inside = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "console", *words], stdin=inside, stdout=inside, stderr=inside, cwd=ROOT
        )
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


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    for name in ("one.txt", "two.txt"):
        (tmp_path / name).write_text("keep me", encoding="utf-8")
    return tmp_path / "one.txt", tmp_path / "two.txt"


@pytest.fixture
def terminal(files: tuple[Path, Path]) -> Iterator[Terminal]:
    terminal = Terminal("call", "delete_file", "path=one.txt", "--project", str(files[0].parent))
    yield terminal
    terminal.close()


def test_c_continues(terminal: Terminal, files: tuple[Path, Path]) -> None:
    assert "one.txt" in terminal.read_until("[c]ontinue")
    terminal.write("c")

    assert terminal.wait() == 0
    assert not files[0].exists()


def test_e_edits(terminal: Terminal, files: tuple[Path, Path]) -> None:
    terminal.read_until("[c]ontinue")
    terminal.write("e")
    terminal.write('{"path": "two.txt"}')

    assert terminal.wait() == 0, terminal.shown
    assert files[0].exists()
    assert not files[1].exists()


def test_x_stops(terminal: Terminal, files: tuple[Path, Path]) -> None:
    terminal.read_until("[c]ontinue")
    terminal.write("x")

    assert terminal.wait() == 3, terminal.shown
    assert files[0].exists()


def test_the_end_of_input_denies(terminal: Terminal, files: tuple[Path, Path]) -> None:
    terminal.read_until("[c]ontinue")
    terminal.write("\x04")

    assert terminal.wait() == 3, terminal.shown
    assert files[0].exists()
