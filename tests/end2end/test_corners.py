"""What shines through a window's corners is black where nothing mixes windows: there they are square."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.end2end.person import WAIT_S, Person

pytestmark = pytest.mark.xvfb
DARKEST = 20
"""No colour of a menu is darker, in either theme."""


def told(*words: str) -> str:
    return subprocess.run(words, check=False, timeout=WAIT_S, capture_output=True, text=True).stdout


def windows(person: Person) -> set[str]:
    return set(told("xdotool", "search", "--onlyvisible", "--pid", str(person.program.process.pid)).split())


def brightness(x: int, y: int) -> int:
    """Return how bright the screen is at a place, from 0 for black to 255 for white."""
    return int(told(sys.executable, "-m", "tests.end2end.picture", "--brightness", f"{x},{y}"))


def test_a_menu_has_no_black_corners_without_a_compositor(console: Person) -> None:
    before = windows(console)
    console.click("Main menu")
    (menu,) = console.wait_until("the menu", lambda: (windows(console) - before) or None)
    values = dict(line.split("=") for line in told("xdotool", "getwindowgeometry", "--shell", menu).splitlines())
    left, top = int(values["X"]), int(values["Y"])
    right, bottom = left + int(values["WIDTH"]) - 1, top + int(values["HEIGHT"]) - 1
    corners = [brightness(x, y) for x in (left, right) for y in (top, bottom)]
    console.press("Escape")
    assert all(corner > DARKEST for corner in corners), corners
