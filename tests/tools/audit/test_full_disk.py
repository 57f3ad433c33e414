"""Let the system refuse to write any further, in the middle of a line, and allow it again."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.tools.audit.logs import bodies_in
from tools.audit import verify

# A limit on the size of files refuses as a full disk does: a part of a write is taken, the rest is an error.
PROGRAM = textwrap.dedent(
    """
    import json, resource, sys
    from pathlib import Path
    from tools import Executor, ToolRegistry, resolve_tools, tool
    from tools.audit import AuditLog, log

    log.RETRY_S = 0.01

    @tool(isolation="inline")
    def echo(text: str) -> str:
        "Say it again."
        return text

    told = []
    with AuditLog(Path(sys.argv[1])) as audit:
        executor = Executor(ToolRegistry(resolve_tools([echo])), audit=audit)
        hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, hard))
        for number in range(60):
            told.append([executor.run("echo", {"text": str(number)}).text, audit.flush(), audit.problem])
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
        while audit.problem:
            audit.flush()
        told.append([executor.run("echo", {"text": "at last"}).text, audit.flush(), audit.problem])
        executor.close()
    print(json.dumps(told))
    """
)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_a_disk_that_is_full_for_a_while_loses_nothing_and_stops_nobody(tmp_path: Path) -> None:
    folder = tmp_path / "audit"
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(folder)],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[3],
    )
    assert done.returncode == 0, done.stderr
    *told, last = json.loads(done.stdout)
    assert [text for text, _, _ in told] == [str(number) for number in range(60)]
    written = [flushed for _, flushed, _ in told]
    assert written == sorted(written, reverse=True)
    assert set(written) == {True, False}
    assert "File too large" in told[-1][2]
    assert last == ["at last", True, ""]
    report = verify(folder)
    assert report.intact
    assert report.notes == ()
    kinds = [body["kind"] for body in bodies_in(folder)]
    assert kinds == ["proposed", "executed", "returned"] * 61
