"""Start `tool-console serve` without a window and without a terminal, in the background."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

from tools.errors import GatewayError
from tools.gateway.defaults import TOKEN_VARIABLE

LOG_FILE: Final = "serve.log"
"""What the program in the background says, in the data folder."""

if sys.platform == "win32":
    _DETACHED: Final = subprocess.DETACHED_PROCESS
else:
    _DETACHED: Final = 0

_LARGEST_LOG: Final = 1_000_000
_CODE: Final = (
    "import json, sys; sys.path[:] = json.loads(sys.argv.pop(1)); from tools.cli import main; sys.exit(main())"
)


def start_in_background(
    data: Path, *, port: int | None = None, project: Path | None = None, takes_over: bool = False
) -> subprocess.Popen[bytes]:
    """Start a program that serves agents, outlives this one, and ends by itself when no agent is there for long.

    Args:
        data: The data folder, which gets its log.
        port: Where it listens; None leaves it the usual one.
        project: The project folder; None is none, so that nothing counts as inside of it.
        takes_over: Whether it takes over from the program that serves now.

    Raises:
        GatewayError: It cannot be started.
    """
    words = ["serve", "--background", "--servers"]
    words += [] if port is None else [f"--port={port}"]
    words += [] if project is None else [f"--project={project}"]
    words += ["--take-over"] if takes_over else []
    if getattr(sys, "frozen", False):
        start = [sys.executable]
    else:
        # "" means the current folder, which is another one there: its modules must not become importable.
        start = [sys.executable, "-P", "-c", _CODE, json.dumps([str(Path(entry).absolute()) for entry in sys.path])]
    # What starts it may be an agent's program, whose token is nobody else's.
    environment = {name: value for name, value in os.environ.items() if name != TOKEN_VARIABLE}
    environment["TOOL_CONSOLE_DATA"] = str(data)
    try:
        data.mkdir(parents=True, exist_ok=True)
        file = data / LOG_FILE
        is_full = file.exists() and file.stat().st_size > _LARGEST_LOG
        with file.open("wb" if is_full else "ab") as log:
            return subprocess.Popen(
                [*start, *words],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=environment,
                cwd=Path.home(),
                start_new_session=True,
                creationflags=_DETACHED,
            )
    except OSError as error:
        raise GatewayError(f"no program can be started that serves agents in the background ({error})") from error


def let_go(program: subprocess.Popen[bytes]) -> None:
    """Let a program go on after this one: nobody waits for its end."""
    program.returncode = program.poll() or 0
