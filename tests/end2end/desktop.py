"""The real program in a process of its own on the screen that `.ci/screen` provides."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

TITLE = "Tool Console"
# Generous: a loaded machine is slow, and a program that shows nothing by then never will.
PATIENCE_S = 60.0


class Program:
    """A running console.

    Args:
        command: The program and its arguments.
        home: A folder of its own for settings and state.
        environment: Further environment variables.
    """

    def __init__(self, command: Sequence[str], home: Path, environment: dict[str, str] | None = None) -> None:
        self._command = command
        self.home = home
        self._environment = environment or {}
        self._process: subprocess.Popen[bytes] | None = None
        self._log = home / "program.log"

    def __enter__(self) -> Self:
        folders = {f"XDG_{name}_HOME": str(self.home / name.lower()) for name in ("CONFIG", "DATA", "CACHE", "STATE")}
        own = {"HOME": str(self.home), "QT_QPA_PLATFORM": "xcb", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1"}
        own["PYTHONFAULTHANDLER"] = "1"  # a crash says where
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command,
                env=os.environ | folders | own | self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    @property
    def process(self) -> subprocess.Popen[bytes]:
        assert self._process is not None
        return self._process

    def log(self) -> str:
        """Return what it wrote to the terminal, and where its threads stood if it ended otherwise than it should."""
        crashed = self.home.glob("**/crashes/running.txt")
        files = (self._log, *(crashed if self.process.poll() is not None else ()))
        return "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in files)

    def complaints(self) -> list[str]:
        """Return the lines that look like trouble; that a screen reader asked for what is gone is none."""
        signs = ("Traceback", "Error", "CRITICAL", "QObject", "QThread", "qt.", "Segmentation")
        lines = [line for line in self.log().splitlines() if not line.startswith("qt.accessibility.atspi")]
        return [line for line in lines if any(sign in line for sign in signs)]

    def windows(self, title: str = TITLE) -> list[str]:
        """Return the X windows that show and whose title contains `title`."""
        found = subprocess.run(
            ["xdotool", "search", "--onlyvisible", "--pid", str(self.process.pid), "--name", title],
            capture_output=True,
            text=True,
            check=False,
        )
        return found.stdout.split()

    def wait_for_window(self, title: str = TITLE) -> str:
        """Return the X window whose title contains `title`, once it is shown."""
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            assert self.process.poll() is None, f"the program ended early:\n{self.log()}"
            if found := self.windows(title):
                return found[-1]
            time.sleep(0.1)
        raise AssertionError(f"no window called {title!r} within {PATIENCE_S:g} s:\n{self.log()}")

    def close_window(self, title: str = TITLE) -> None:
        """Close the window as a person does, through the window manager."""
        window = self.wait_for_window(title)
        subprocess.run(["xdotool", "windowactivate", "--sync", window], check=True)
        subprocess.run(["xdotool", "key", "alt+F4"], check=True)

    def terminate(self) -> None:
        self.process.send_signal(signal.SIGTERM)

    def wait(self, timeout_s: float = PATIENCE_S) -> int:
        try:
            return self.process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            told = f"the program did not end within {timeout_s:g} s; its windows: {self.windows('')}"
            raise AssertionError(f"{told}\n{self.log()}") from None
