"""The command line in a terminal: a dangerous call asks there, and does what the answer says."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.end2end.terminal import Terminal


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    for name in ("one.txt", "two.txt"):
        (tmp_path / name).write_text("keep me", encoding="utf-8")
    return tmp_path / "one.txt", tmp_path / "two.txt"


@pytest.fixture
def terminal(files: tuple[Path, Path]) -> Iterator[Terminal]:
    words = ["call", "delete_file", "path=one.txt", "--project", str(files[0].parent)]
    terminal = Terminal([sys.executable, "-m", "console", *words])
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
