"""The real program in a process of its own on the screen that `.ci/screen` provides."""

from __future__ import annotations

import os
import subprocess
import time
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

TITLE = "Tool Console"
# Generous: a loaded machine is slow, and a program that shows nothing by then never will.
PATIENCE_S = 60.0


class Program:
    """A running console.

    Args:
        command: The program and its arguments.
        home: A folder of its own for settings and state.
    """

    def __init__(self, command: list[str], home: Path) -> None:
        self._command = command
        self._home = home
        self._process: subprocess.Popen[bytes] | None = None
        self._log = home / "program.log"

    def __enter__(self) -> Self:
        folders = {f"XDG_{name}_HOME": str(self._home / name.lower()) for name in ("CONFIG", "DATA", "CACHE", "STATE")}
        environment = os.environ | folders | {"QT_QPA_PLATFORM": "xcb", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1"}
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                self._command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT
            )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        assert self._process is not None
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()

    def log(self) -> str:
        """Return everything the program wrote so far."""
        return self._log.read_text(encoding="utf-8", errors="replace")

    def complaints(self) -> list[str]:
        """Return the lines that look like trouble."""
        signs = ("Traceback", "Error", "CRITICAL", "QObject", "QThread", "qt.", "Segmentation")
        return [line for line in self.log().splitlines() if any(sign in line for sign in signs)]

    def wait_for_window(self, title: str = TITLE) -> str:
        """Return the X window whose title contains `title`, once it is shown."""
        assert self._process is not None
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            assert self._process.poll() is None, f"the program ended early:\n{self.log()}"
            found = subprocess.run(
                ["xdotool", "search", "--onlyvisible", "--pid", str(self._process.pid), "--name", title],
                capture_output=True,
                text=True,
                check=False,
            )
            if found.stdout.strip():
                return found.stdout.split()[-1]
            time.sleep(0.1)
        raise AssertionError(f"no window called {title!r} within {PATIENCE_S:g} s:\n{self.log()}")

    def close_window(self, title: str = TITLE) -> None:
        """Close the window as a person does, through the window manager."""
        window = self.wait_for_window(title)
        subprocess.run(["xdotool", "windowactivate", "--sync", window], check=True)
        subprocess.run(["xdotool", "key", "alt+F4"], check=True)

    def wait(self) -> int:
        """Return the program's exit code once it has ended."""
        assert self._process is not None
        try:
            return self._process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"the program did not end within {PATIENCE_S:g} s:\n{self.log()}") from None
