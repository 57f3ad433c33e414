"""The command line, run in this process."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable

import pytest

from tools.cli import main
from tools.workbench import Workbench


class Command:
    """Run commands, each from its words; `call` returns the exit code and both outputs."""

    def __init__(self, call: Callable[..., tuple[int, str, str]]) -> None:
        self._call = call

    def __call__(self, *words: str, typed: str = "") -> tuple[int, str, str]:
        return self._call(*words, typed=typed)

    def printed(self, *words: str, typed: str = "") -> str:
        """Return what a command prints that succeeds and has nothing to warn of."""
        code, out, err = self._call(*words, typed=typed)
        assert (code, err) == (0, "")
        return out

    def said(self, expected: int, *words: str, typed: str = "") -> str:
        """Return what a command says that ends with a code and prints nothing."""
        code, out, err = self._call(*words, typed=typed)
        assert (code, out) == (expected, "")
        return err


def command_of(
    bench: Workbench | Callable[[], Workbench] | None,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Command:
    """Return what runs commands over a workbench; None for the one that the program makes itself."""

    def call(*words: str, typed: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        code = main(words, workbench=bench() if callable(bench) else bench)
        return code, *capsys.readouterr()

    return Command(call)
