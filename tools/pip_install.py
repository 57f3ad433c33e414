"""Install the libraries of an extra with pip, in the Python that this program runs in."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from tools.errors import ToolConfigurationError, ToolFailure
from tools.extras import NOT_IN_A_BUILD, look_again, missing_libraries
from tools.programs import Captured, run_program

_KEPT_BYTES: Final = 100_000
_GRACE_S: Final = 3.0
_LAST_LINES: Final = 40
_OPTIONS: Final = ("--no-input", "--disable-pip-version-check", "--progress-bar", "off", "--no-color")


async def install_extra(extra: str, say: Callable[[str], object]) -> None:
    """Install what is missing of an extra; its tools work from then on. Cancelling it ends pip.

    Args:
        say: Told each line of pip.

    Raises:
        ToolConfigurationError: It cannot be installed; the message says why.
    """
    libraries = missing_libraries(extra)
    if not libraries:
        return
    if getattr(sys, "frozen", False):
        raise ToolConfigurationError(NOT_IN_A_BUILD)
    if find_spec("pip") is None:
        msg = f"the Python of Tool Console has no pip; have it with: {sys.executable} -m ensurepip"
        raise ToolConfigurationError(msg)
    last: deque[str] = deque(maxlen=_LAST_LINES)

    def take(line: str) -> None:
        if line.strip():
            last.append(line.strip())
            say(line.strip())

    wanted = [library.requirement for library in libraries]
    out, err = (Captured(_KEPT_BYTES, keep_end=True, on_line=take) for _ in range(2))
    env = {**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8"}
    words = [sys.executable, "-m", "pip", "install", *_OPTIONS, *wanted]
    try:
        end = await run_program(
            words, cwd=Path.home(), env=env, stdout=out, stderr=err, timeout_s=None, grace_s=_GRACE_S
        )
    except ToolFailure as error:
        raise ToolConfigurationError(f"pip could not be started: {error}") from error
    finally:
        look_again()
    if end.exit_code:
        raise ToolConfigurationError(_reason(last, end.exit_code))
    still = ", ".join(library.module for library in missing_libraries(extra))
    if still:
        msg = f"pip installed it where this program does not look for {still}; start Tool Console again"
        raise ToolConfigurationError(msg)


def _reason(lines: deque[str], exit_code: int) -> str:
    """Return why pip failed: the last line that it calls an error, else the last one."""
    said = [line for line in lines if line.startswith("ERROR:")] or list(lines)
    why = said[-1].removeprefix("ERROR:").strip() if said else "it said nothing"
    return f"pip ended with code {exit_code}: {why}"
