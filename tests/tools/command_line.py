"""The command line, run in this process."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable

import pytest

from tools.cli import main
from tools.workbench import Workbench

Command = Callable[..., tuple[int, str, str]]


def command_of(
    bench: Workbench | Callable[[], Workbench], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Command:
    """Return a function that runs one command, and returns the exit code and both outputs."""

    def call(*words: str, typed: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        code = main(words, workbench=bench if isinstance(bench, Workbench) else bench())
        return code, *capsys.readouterr()

    return call
