"""Probes of built-in tools that work with a program of this computer."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Final

from tools.errors import ToolFailure
from tools.programs import Captured, run_program

_TIMEOUT_S: Final = 5.0
_MOST_BYTES: Final = 4_000


async def need_running(program: str, argument: str) -> None:
    """Run a program with an argument that only makes it say its version.

    Raises:
        ToolFailure: It is not installed, or does not run.
    """
    place = shutil.which(program)
    if place is None:
        raise ToolFailure(f"the program {program!r} is not installed")
    stdout, stderr = Captured(_MOST_BYTES), Captured(_MOST_BYTES)
    end = await run_program(
        [place, argument], cwd=Path.home(), env=dict(os.environ), stdout=stdout, stderr=stderr, timeout_s=_TIMEOUT_S
    )
    if end.timed_out or end.exit_code:
        why = "it took too long" if end.timed_out else f"it ended with code {end.exit_code}"
        raise ToolFailure(f"the program {program!r} does not run: {why}")
