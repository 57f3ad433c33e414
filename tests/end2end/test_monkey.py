"""The window used at random, for a short while; `make monkey` does it for long."""

from __future__ import annotations

import subprocess
import sys


def test_a_program_used_at_random_stays_whole() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.monkey", "--events", "600", "--seed", "22"],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "seed 22: 600 events in " in done.stdout
    assert "0 findings" in done.stdout
