"""This program is killed: no server of its outlives it, however it went."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.tools.mcp.serving import MISBEHAVING

PROGRAM = """
import asyncio, sys
from pathlib import Path
from tools.mcp.process import start

async def main():
    said = asyncio.Queue()
    argv = (sys.executable, "-S", "-E", sys.argv[1], sys.argv[2])
    process = await start(argv, {}, Path.cwd(), said.put_nowait)
    print(process.pid, (await said.get()).split()[1], flush=True)
    await asyncio.sleep(600)

asyncio.run(main())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no process groups; servers end when their input does")
@pytest.mark.parametrize("fault", ["children", "stubborn"])
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_server_ends_with_the_program_that_started_it(fault: str, number: int) -> None:
    root = Path(__file__).parents[3]
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(MISBEHAVING), fault], stdout=subprocess.PIPE, text=True, cwd=root
    ) as program:
        assert program.stdout is not None
        # The server, and a child of its that ignores what is polite.
        started = [psutil.Process(int(pid)) for pid in program.stdout.readline().split()]
        os.kill(program.pid, number)
        _, alive = psutil.wait_procs(started, timeout=10)
        for process in alive:
            if process.status() != psutil.STATUS_ZOMBIE:
                process.kill()
        assert [process for process in alive if process.status() != psutil.STATUS_ZOMBIE] == []
