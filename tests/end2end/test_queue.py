"""A hundred calls of other callers wait, and a person clears them by keyboard alone."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.end2end.accessibility import Screen
from tests.end2end.asking import KINDS
from tests.end2end.conftest import keep_evidence
from tests.end2end.desktop import Program
from tests.end2end.person import Person

pytestmark = pytest.mark.xvfb
COUNT = 100
PATIENCE_S = 60.0
SETTLE_S = 0.5
NONE = -1
MOST_HIDDEN = 20


class _Queue:
    """What the callers were told so far."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def ended(self) -> int:
        told = self._folder / "ended"
        return int(told.read_text(encoding="utf-8")) if told.exists() else 0

    @property
    def shown(self) -> dict[str, Any]:
        told = self._folder / "shown"
        shown: dict[str, Any] = json.loads(told.read_text(encoding="utf-8")) if told.exists() else {}
        return shown

    @property
    def call(self) -> int:
        """The number of the call that is shown whole."""
        return int(self.shown.get("call", NONE))

    def shows(self, number: int, what: str) -> bool:
        """Say whether something is so of the call that is shown."""
        shown = self.shown
        return shown.get("call") == number and bool(shown[what])

    def wait_for(self, name: str) -> str:
        _until(f"the file {name}", (self._folder / name).exists)
        return (self._folder / name).read_text(encoding="utf-8")


def _holds(look: Callable[[], bool], timeout_s: float) -> bool:
    deadline = time.monotonic() + timeout_s
    while not look():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def _until(what: str, look: Callable[[], bool]) -> None:
    assert _holds(look, PATIENCE_S), f"waited {PATIENCE_S:g} s for {what}"


def _answer(person: Person, queue: _Queue, *keys: str) -> None:
    """Press keys that answer the current question, and wait until its caller was told."""
    before = queue.ended
    person.press(*keys)
    _until("the answer", lambda: queue.ended > before)


def _allow(person: Person, queue: _Queue, number: int) -> None:
    """Allow what stands there once that is possible; of what can do much harm everything has to be seen first."""
    for _ in range(MOST_HIDDEN):
        _until(f"call {number} to be allowed", lambda: queue.shows(number, "armed") or queue.shows(number, "hides"))
        if queue.shows(number, "armed"):
            break
        person.press("a", "Return")
        _holds(lambda: queue.shows(number, "armed"), SETTLE_S)
    _answer(person, queue, "a", "Return")


@pytest.mark.reference("D29", "D39")
def test_a_hundred_questions_are_cleared_by_keyboard_alone(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    project, folder = tmp_path / "project", tmp_path / "own"
    (project / "queue").mkdir(parents=True)
    folder.mkdir()
    for number in range(COUNT):
        (project / "queue" / f"{number}.txt").write_text("old", encoding="utf-8")
    words = [sys.executable, "-m", "tests.end2end.asking", str(COUNT), str(project), str(folder)]
    with Program(words, tmp_path) as program:
        program.wait_for_window()
        with Screen(program.process.pid) as screen:
            person, queue = Person(program, screen), _Queue(folder)
            try:
                taken_s = _clear(person, queue)
            except BaseException:
                keep_evidence("queue", program)
                raise
        told = json.loads(queue.wait_for("answers"))
        assert program.complaints() == []
    record_property("seconds", round(taken_s, 1))
    print(f"\n{COUNT} questions cleared by keyboard in {taken_s:.1f} s")

    statuses = {kind: Counter(one["status"] for one in told[place :: len(KINDS)]) for place, kind in enumerate(KINDS)}
    each = COUNT // len(KINDS)
    assert statuses == {
        "delete_file": {"denied": each},
        "human_input": {"executed": each},
        "run_command": {"denied": each},
        "move_file": {"executed": each},
        "write_file": {"executed": each},
    }
    for number in range(COUNT):
        kind, name = KINDS[number % len(KINDS)], project / "queue" / f"{number}.txt"
        assert name.exists() is (kind != "move_file")
        if kind == "write_file":
            assert (project / "queue" / f"{number}.new").read_text(encoding="utf-8") == f"new {number}"
            assert name.read_text(encoding="utf-8") == "old"
        if kind == "human_input":
            assert f"file-{number}" in told[number]["text"]


def _clear(person: Person, queue: _Queue) -> float:
    queue.wait_for("ready")
    # The dialog of the first question stands over the window; whoever has many goes to the page.
    person.find("Deny")
    person.press("ctrl+shift+p")
    began = time.monotonic()
    deletions = 0
    handled = {NONE}
    while queue.ended + deletions < COUNT:
        _until("another question", lambda: queue.call not in handled)
        number = queue.call
        handled.add(number)
        match KINDS[number % len(KINDS)]:
            case "delete_file":
                person.press("j")
                deletions += 1
            case "human_input":
                person.press("e")
                person.write(f"file-{number}")
                _until("the answer to be sent", lambda: queue.shows(queue.call, "armed"))
                _answer(person, queue, "ctrl+Return")
            case "run_command":
                _answer(person, queue, "d", "Return")
            case "move_file":
                _allow(person, queue, number)
            case _:
                person.press("e", "ctrl+a")
                person.write(f"queue/{number}.new")
                _until("the path to be typed", lambda: queue.shown.get("path") == f"queue/{queue.call}.new")
                # The first one may close a completion.
                while not queue.shows(number, "in_list"):
                    person.press("Escape")
                    _holds(lambda: queue.shows(queue.call, "in_list"), SETTLE_S)
                _allow(person, queue, number)
    person.press(*["k"] * deletions)
    person.press(*["x", "j"] * deletions)
    _until("all in one table", lambda: queue.shown == {"picked": deletions, "together": True})
    person.press("d", "Return")
    _until("the last answer", lambda: queue.ended == COUNT)
    return time.monotonic() - began
