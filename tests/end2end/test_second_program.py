"""A second program on the same data: the window of the first comes to the front, whatever became of others before."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from console.startup.first_window import FirstWindow, Opening, Openings

PROBE = """
import sys
from console.app import console, start

shown = console.Console.take_opening

def take_opening(self, opening):
    shown(self, opening)
    window = self.window
    given = (opening.project, *opening.plugins, opening.plan)
    print("opened", *given, window.isVisible(), window.isMinimized(), flush=True)

console.Console.take_opening = take_opening
begun = console.Console.start

def start_console(self):
    begun(self)
    self.window.showMinimized()
    print("started", flush=True)

console.Console.start = start_console
from console.__main__ import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture
def programs(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Start programs that share their data; what is left of them is killed."""
    running: list[subprocess.Popen[str]] = []
    places = {f"XDG_{name}_HOME": str(tmp_path / name.lower()) for name in ("CONFIG", "DATA", "CACHE", "STATE")}
    repository = str(Path(__file__).parents[2])
    environment = {**os.environ, **places, "PYTHONPATH": repository, "QT_QPA_PLATFORM": "offscreen"}
    environment.pop("TOOL_CONSOLE_DATA", None)

    def start(*words: str) -> subprocess.Popen[str]:
        program = subprocess.Popen(
            [sys.executable, "-c", PROBE, *words],
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        running.append(program)
        return program

    yield start
    for program in running:
        if program.poll() is None:
            program.kill()
        program.communicate()


def line_of(program: subprocess.Popen[str]) -> str:
    assert program.stdout is not None
    return program.stdout.readline().strip()


def test_the_first_window_comes_to_the_front_with_what_the_second_was_given(
    programs: Callable[..., subprocess.Popen[str]], tmp_path: Path
) -> None:
    first = programs()
    assert line_of(first) == "started"
    (tmp_path / "work").mkdir()
    second = programs("--project", "work", "--plugin", "more.py", "--plan", "some.plan.yaml")
    given = (tmp_path / "work", tmp_path / "more.py", tmp_path / "some.plan.yaml")
    assert line_of(first) == f"opened {' '.join(map(str, given))} True False"
    _, said = second.communicate(timeout=60)
    assert second.returncode == 0
    assert "the window is open already; it comes to the front" in said
    assert first.poll() is None
    first.send_signal(signal.SIGTERM)
    assert first.wait(60) == 0


def test_of_two_that_start_at_once_one_wins_and_the_other_ends_well(
    programs: Callable[..., subprocess.Popen[str]],
) -> None:
    one, other = programs(), programs()
    deadline = time.monotonic() + 60
    while one.poll() is None and other.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    over, left = (one, other) if one.poll() is not None else (other, one)
    assert over.returncode == 0
    assert line_of(left) == "started"
    assert line_of(left).startswith("opened None")


@pytest.mark.skipif(sys.platform == "win32", reason="no kill -9 there")
def test_a_program_that_was_killed_keeps_nobody_out(programs: Callable[..., subprocess.Popen[str]]) -> None:
    first = programs()
    assert line_of(first) == "started"
    first.kill()
    first.wait(60)
    assert line_of(programs()) == "started"


def test_one_that_does_not_answer_is_told_and_no_second_window_opens(tmp_path: Path) -> None:
    first, second = FirstWindow(tmp_path), FirstWindow(tmp_path)
    assert first.claim()
    assert not second.claim()
    with pytest.raises(TimeoutError, match="does not answer; end it"):
        second.hand_over(Opening(), patience_s=0.1)
    assert list(tmp_path.glob("window/*.json")) == []
    first.close()
    assert second.claim()
    second.close()


def test_one_that_ends_while_it_is_asked_leaves_the_window_to_the_other(tmp_path: Path) -> None:
    first, second = FirstWindow(tmp_path), FirstWindow(tmp_path)
    assert first.claim()

    taken: list[bool] = []
    waiting = threading.Thread(target=lambda: taken.append(second.hand_over(Opening(), 60)))
    waiting.start()
    while not list(tmp_path.glob("window/*.json")):
        time.sleep(0.01)
    first.close()
    waiting.join()
    assert taken == [False]
    second.close()


@pytest.mark.skipif(sys.platform == "win32", reason="rights are told otherwise there")
def test_what_is_handed_over_is_for_its_owner_alone(tmp_path: Path) -> None:
    with FirstWindow(tmp_path) as first:
        assert first.claim()
        assert first.folder.stat().st_mode & 0o077 == 0
        assert (first.folder / "window.lock").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"project": 3, "plugins": [], "plan": null, "token": ""}',
        '{"project": null, "plugins": "x", "plan": null, "token": ""}',
        '{"project": null, "plugins": [3], "plan": null, "token": ""}',
        '{"project": null, "plugins": [], "plan": null, "token": {}}',
        '{"project": null, "plugins": [], "plan": 3, "token": ""}',
        "\xff",
    ],
)
def test_what_is_no_opening_is_dropped(tmp_path: Path, qapp: object, text: str) -> None:
    came: list[Opening] = []
    (tmp_path / "1.json").write_bytes(text.encode("latin-1"))
    (tmp_path / "2.json").write_text(
        json.dumps({"project": None, "plugins": ["/a.py"], "plan": "/a.plan.yaml", "token": ""}), "utf-8"
    )
    (tmp_path / "3.json").write_text(json.dumps({"project": "/old", "plugins": [], "plan": None, "token": ""}), "utf-8")
    os.utime(tmp_path / "3.json", (1, 1))
    openings = Openings(tmp_path)
    openings.came.connect(came.append)
    openings.start()
    assert came == [Opening(None, (Path("/a.py"),), Path("/a.plan.yaml"))]
    assert list(tmp_path.iterdir()) == []
    openings.deleteLater()
