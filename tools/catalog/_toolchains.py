"""Programs that projects are built, tested and checked with: found in the project first, run with bounded output."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from tools.errors import ToolFailure, ToolTimeoutError
from tools.programs import Captured, run_program

OUTPUT_BYTES: Final = 200_000
"""How much of the end of an output is kept."""

_ENVIRONMENTS: Final = (".venv", "venv", "env")
_BIN: Final = "Scripts" if sys.platform == "win32" else "bin"
_TOLD_CHARS: Final = 600
_GRACE_S: Final = 2.0


class ToolchainRun(NamedTuple):
    """How a program ended.

    Attributes:
        exit_code: Its exit code; negative when a signal killed it.
        stdout: The end of its output.
        stderr: The end of its error output.
        truncated: Whether the beginning of either is missing.
        elapsed_s: How long it ran, in seconds.
    """

    command: str
    exit_code: int
    stdout: str
    stderr: str
    truncated: bool
    elapsed_s: float

    @property
    def told(self) -> str:
        """The end of what it said, for a message."""
        said = (self.stderr.strip() or self.stdout.strip())[-_TOLD_CHARS:]
        return said or "it said nothing"


def project_program(name: str, folder: Path) -> str | None:
    """Return a program of the project's own environments, of PATH or beside this program; None when there is none."""
    active = os.environ.get("VIRTUAL_ENV")
    places = [folder / "node_modules" / ".bin", *(folder / name / _BIN for name in _ENVIRONMENTS)]
    places += [Path(active) / _BIN] if active else []
    own = str(Path(sys.executable).parent)
    return next(
        filter(None, (shutil.which(name, path=path) for path in (os.pathsep.join(map(str, places)), None, own))), None
    )


def need_program(name: str, folder: Path, hint: str) -> str:
    """Return a program.

    Raises:
        ToolFailure: It is not there; the message says how to get it.
    """
    found = project_program(name, folder)
    if found is None:
        raise ToolFailure(f"{name!r} is neither in the project's environments nor on PATH; {hint}")
    return found


def need_python(folder: Path) -> str:
    """Return the Python of a project.

    Raises:
        ToolFailure: There is none.
    """
    found = project_program("python", folder) or project_program("python3", folder)
    if found is None:
        raise ToolFailure("there is no Python in the project's environments or on PATH; make an environment in .venv")
    return found


async def run_in_project(
    command: Sequence[str],
    folder: Path,
    timeout_s: float,
    *,
    on_line: Captured | None = None,
    stdin: bytes | None = None,
    env: Mapping[str, str] | None = None,
) -> ToolchainRun:
    """Run a program in a project folder to its end.

    Args:
        command: The program and its arguments.
        timeout_s: How long it may run, in seconds.
        on_line: Takes its output; None keeps the end of it.
        env: Environment variables to add or replace.

    Raises:
        ToolFailure: It cannot be started.
        ToolTimeoutError: Its time was over; it was killed with all it started.
    """
    stdout = on_line or Captured(OUTPUT_BYTES, keep_end=True)
    stderr = Captured(OUTPUT_BYTES, keep_end=True)
    ended = await run_program(
        command,
        cwd=folder,
        env=os.environ | dict(env or {}),
        stdout=stdout,
        stderr=stderr,
        timeout_s=timeout_s,
        stdin=stdin,
        grace_s=_GRACE_S,
    )
    run = ToolchainRun(
        shlex.join([Path(command[0]).name, *command[1:]]),
        ended.exit_code,
        stdout.text,
        stderr.text,
        stdout.truncated or stderr.truncated,
        round(ended.elapsed_s, 3),
    )
    if ended.timed_out:
        raise ToolTimeoutError(f"{run.command} did not end within {timeout_s:g} s and was killed; {run.told}")
    return run
