"""Kill a program again and again while it writes the audit log."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.tools.audit.logs import bodies_in
from tools.audit import AuditLog, verify

KILLS = int(os.environ.get("AUDIT_KILLS", "20"))

# One program that forks the writers: to start Python anew for each of them would take most of the time.
PROGRAM = textwrap.dedent(
    """
    import json, os, signal, sys
    from pathlib import Path
    from tools import Executor, ToolRegistry, resolve_tools, security, tool
    from tools.audit import AuditLog, verify

    folder, kills = Path(sys.argv[1]), int(sys.argv[2])

    @tool(isolation="inline")
    @security(audit="full")
    def echo(text: str) -> str:
        "Say it again."
        return text

    def write_for_ever(acknowledge):
        audit = AuditLog(folder, segment_bytes=1_000_000)
        audit.open()
        executor = Executor(ToolRegistry(resolve_tools([echo])), listeners=[audit])
        while True:
            for _ in range(3):
                executor.run("echo", {"text": "x" * 20_000})
            if not audit.flush(30):
                os._exit(1)
            os.write(acknowledge, b".")

    for number in range(kills):
        heard, acknowledge = os.pipe()
        child = os.fork()
        if not child:
            os.close(heard)
            write_for_ever(acknowledge)
        os.close(acknowledge)
        count = 0
        for _ in range(1 + number % 4):
            count += len(os.read(heard, 1))
        # Wherever the writer is now: between two calls, in a line, between line and anchor.
        for _ in range(number * 700):
            pass
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        while piece := os.read(heard, 100):
            count += len(piece)
        os.close(heard)
        report = verify(folder)
        print(json.dumps([count, report.entries, [str(item) for item in report.problems], report.notes]), flush=True)
    """
)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_no_acknowledged_entry_is_lost_and_a_kill_is_no_tampering(tmp_path: Path) -> None:
    folder = tmp_path / "audit"
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(folder), str(KILLS)],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[3],
    )
    assert done.stderr == ""
    rounds = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rounds) == KILLS
    assert [problems for _, _, problems, _ in rounds] == [[]] * KILLS
    acknowledged = 0
    for count, entries, _, _ in rounds:
        assert count
        acknowledged += count * 9
        assert entries >= acknowledged
    # The last writer may have been killed within a line: the next one cuts that off, and so every line can be read.
    audit = AuditLog(folder)
    audit.open()
    audit.close()
    assert verify(folder).intact
    proposed = [body["run"] for body in bodies_in(folder) if body["kind"] == "proposed"]
    assert len(set(proposed)) == KILLS
