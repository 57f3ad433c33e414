"""Start `tool-console serve` without a window and without a terminal, in the background."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from time import monotonic, sleep
from typing import Final

from tools.errors import GatewayError
from tools.gateway.defaults import TOKEN_VARIABLE
from tools.gateway.owner_note import OwnerNote, served_note
from tools.paths import DATA_VARIABLE

LOG_FILE: Final = "serve.log"
"""What the program in the background says, in the data folder."""

if sys.platform == "win32":
    _DETACHED: Final = subprocess.DETACHED_PROCESS
else:
    _DETACHED: Final = 0

_LARGEST_LOG: Final = 1_000_000
_START_S: Final = 60.0
_OTHER_S: Final = 10.0
_PAUSE_S: Final = 0.1
_CODE: Final = (
    "import json, sys; sys.path[:] = json.loads(sys.argv.pop(1)); from tools.cli import main; sys.exit(main())"
)


def start_in_background(
    data: Path,
    *,
    port: int | None = None,
    project: Path | None = None,
    plugins: Iterable[Path] = (),
    calls_a_minute: int | None = None,
    takes_over: bool = False,
) -> subprocess.Popen[bytes]:
    """Start a program that serves agents, outlives this one, and ends by itself when no agent is there for long.

    Args:
        data: The data folder, which gets its log.
        port: Where it listens; None leaves it the usual one.
        project: The project folder; None is none, so that nothing counts as inside of it.
        plugins: The plugin files that it loads beside those of the settings.
        calls_a_minute: How many calls an agent may make in a minute; None leaves it the usual number.
        takes_over: Whether it takes over from the program that serves now.

    Raises:
        GatewayError: It cannot be started.
    """
    words = ["serve", "--background", "--servers"]
    words += [] if port is None else [f"--port={port}"]
    words += [] if project is None else [f"--project={project}"]
    words += [f"--plugin={plugin}" for plugin in plugins]
    words += [] if calls_a_minute is None else [f"--calls-a-minute={calls_a_minute}"]
    words += ["--take-over"] if takes_over else []
    if getattr(sys, "frozen", False):
        start = [sys.executable]
    else:
        # "" means the current folder, which is another one there: its modules must not become importable.
        start = [sys.executable, "-P", "-c", _CODE, json.dumps([str(Path(entry).absolute()) for entry in sys.path])]
    # What starts it may be an agent's program, whose token is nobody else's.
    environment = {name: value for name, value in os.environ.items() if name != TOKEN_VARIABLE}
    environment[DATA_VARIABLE] = str(data)
    home = Path.home()
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
                cwd=home if home.is_dir() else data,
                start_new_session=True,
                creationflags=_DETACHED,
            )
    except OSError as error:
        raise GatewayError(f"no program can be started that serves agents in the background ({error})") from error


def let_go(program: subprocess.Popen[bytes]) -> None:
    """Let a program go on after this one: nobody waits for its end."""
    program.returncode = program.poll() or 0


def serving_program(data: Path, project: Path | None = None, plugins: Iterable[Path] = ()) -> OwnerNote:
    """Return the note of the program that serves agents, which is started in the background when there is none.

    Args:
        project: The project folder of that program; None for none.
        plugins: The plugin files that it loads beside those of the settings.

    Raises:
        GatewayError: It does not serve.
    """
    if (note := served_note(data)) is not None:
        return note
    program = start_in_background(data, project=project, plugins=plugins)
    deadline = monotonic() + _START_S
    while (note := served_note(data)) is None:
        if program.poll() is not None:
            # Another bridge may have started one a moment before.
            deadline = min(deadline, monotonic() + _OTHER_S)
        if monotonic() > deadline:
            let_go(program)
            raise GatewayError(f"no program serves agents, and none could be started; see {data / LOG_FILE}")
        sleep(_PAUSE_S)
    let_go(program)
    return note
