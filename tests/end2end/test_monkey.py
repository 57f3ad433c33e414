"""The window used at random, for a short while; `make monkey` does it for long."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import islice

import pytest

from tests.monkey import PAGES, WEIGHTS, events


def use_at_random(platform: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.monkey", "--events", "600", "--seed", "22"],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={**os.environ, "QT_QPA_PLATFORM": platform},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "seed 22: 600 events in " in done.stdout
    assert "0 findings" in done.stdout


def test_a_program_used_at_random_stays_whole() -> None:
    use_at_random("offscreen")


@pytest.mark.xvfb
def test_a_program_used_at_random_on_a_screen_stays_whole() -> None:
    use_at_random("xcb")


def test_a_seed_draws_the_same_events_again() -> None:
    drawn = list(islice(events(22), 2_000))
    assert list(islice(events(22), 2_000)) == drawn
    assert list(islice(events(23), 2_000)) != drawn
    assert {event.kind for event in drawn} == set(WEIGHTS)
    assert {event.page for event in drawn} == set(PAGES)
