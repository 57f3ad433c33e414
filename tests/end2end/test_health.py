"""The Health page: what ails a tool, since when, and the next click helps."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.end2end.conftest import PLUGINS, copy_of_sample, open_console
from tests.end2end.person import WAIT_S, Person

pytestmark = pytest.mark.xvfb
ENDING_S = 15.0
PLOT_RIGHT = 52
"""How far the right end of the latency's time axis is from the right edge of its plot, in pixels."""


@pytest.fixture
def person(tmp_path: Path) -> Iterator[Person]:
    with open_console(tmp_path, copy_of_sample(tmp_path), PLUGINS / "ailing.py") as found:
        yield found
        assert found.program.complaints() == []


def open_health(person: Person) -> None:
    person.click("Health", "check box")
    person.find("Check now")


def choose(person: Person, tool: str) -> None:
    def click() -> bool:
        # Rows are made anew as figures come, so one that was just seen may be gone.
        try:
            person.click_on(person.row("Tools by health", f"^{tool}$"))
        except LookupError:
            return False
        return True

    person.wait_until(f"the row of {tool!r} to click", click)


def at_newest_runs(person: Person) -> str:
    """Move the mouse over the latency plot, from now on backwards, until it stands on runs; return what is said there.

    A minute is some pixels wide, and a new one may have begun since the last run.
    """
    place = person.screen.rectangle(person.find("Latency over time"))

    def look() -> str | None:
        for left in range(3, place.width // 4, 4):
            spot = str(place.x + place.width - PLOT_RIGHT - left), str(place.y + place.height // 2)
            subprocess.run(["xdotool", "mousemove", "--sync", *spot], check=True, timeout=WAIT_S)
            said = person.see_description("Latency over time", r"^at \d\d:\d\d, ")
            if "P50" in said:
                return said
        return None

    return person.wait_until("runs in the latency plot", look)


@pytest.mark.reference("A73")
def test_what_ails_a_tool_is_seen_and_the_next_click_leads_there(person: Person) -> None:
    person.run_tool("answer", word="yes")
    person.see("^Success · ")
    person.run_tool("refuse", word="no")
    person.see("^Failed · ")
    open_health(person)
    person.row("Tools by health", "^Failed once$")
    person.row("Tools by health", "^0 of 1$")
    person.click("Tools", "check box")
    # Three failures in a row at different arguments say what one does not.
    for word in ("never", "not"):
        person.run_tool("refuse", word=word)
        person.see(f"the word was {word}")
    person.see("^DOWN 1$")
    open_health(person)
    person.see(r"^Down\. 1 tool is down")
    assert person.rows("Tools by health").index("refuse") < person.rows("Tools by health").index("answer")
    person.row("Tools by health", "^3 of 3 runs failed since .*: the word was not")
    # The page keeps the tool that was chosen while nothing was down.
    choose(person, "refuse")
    person.see_description("Success rate over time", "0.0%")
    choose(person, "answer")
    person.see_description("Success rate over time", "100%")
    person.see_description("Latency over time", "^now, P50 .*, P95 .*, P99 ")
    at_newest_runs(person)
    person.see_description("Calls per minute over time", r"^at \d\d:\d\d, you [1-4]\b")
    subprocess.run(["xdotool", "click", "1"], check=True, timeout=WAIT_S)
    person.row("Calls", "^answer$")
    person.see("^From history|^Success · ")
    open_health(person)
    choose(person, "refuse")
    person.press("Return")
    person.see("^Failed · ")
    person.click("Health", "check box")
    person.click("Show the tool")
    person.wait_until("the others to go", lambda: "answer" not in person.rows("Tools by health"))
    person.row("Tools by health", "^refuse$")


@pytest.mark.reference("A67")
def test_a_limit_is_lowered_for_one_tool_and_taken_back(person: Person) -> None:
    person.run_tool("answer", word="yes")
    person.see("^Success · ")
    open_health(person)
    choose(person, "answer")
    person.click("Thresholds", "push button")
    before = person.text("P95 is above")
    person.fill("P95 is above", "1")
    person.press("Tab")
    person.fill("Need at least", "1")
    person.press("Tab")
    person.click("Save")
    person.row("Tools by health", "^Degraded$")
    person.see("^DEGRADED 1$")
    person.click("Undo")
    person.see_text("P95 is above", f"^{before}$")


def test_a_probe_that_fails_three_times_is_told_of_and_never_counted_as_use(person: Person) -> None:
    person.run_tool("answer", word="yes")
    person.see("^Success · ")
    open_health(person)
    for _ in range(3):
        person.click("Check now")
        person.see_enabled("Check now")
    person.row("Tools by health", "there is no shelf")
    person.see("^DOWN 1$")
    cells = person.rows("Tools by health")
    assert cells[cells.index("reach_the_shelf") + 7] == "0", cells[:24]


def test_what_is_shown_goes_to_a_file_and_the_range_is_remembered(tmp_path: Path) -> None:
    project, file = copy_of_sample(tmp_path), tmp_path / "health.json"
    with open_console(tmp_path, project, PLUGINS / "ailing.py") as person:
        person.run_tool("answer", word="yes")
        person.see("^Success · ")
        open_health(person)
        person.click("24 h")
        person.see("^Calls per 15 min$")
        person.click("Export")
        # Qt tells a screen reader of a menu only what the keyboard is on: the third item.
        person.press("Down", "Down", "Down", "Return")
        person.see("^Export health as")
        person.focus_on("File name:")
        person.press("ctrl+a")
        person.write(str(file))
        person.press("Return")
        person.see("^health.json is written$")
        assert json.loads(file.read_text())["tools"]["answer"]["status"] == "up"
        person.program.close_window()
        assert person.program.wait(ENDING_S) == 0
        assert person.program.complaints() == []
    with open_console(tmp_path, project, PLUGINS / "ailing.py") as person:
        open_health(person)
        person.see("^Calls per 15 min$")
        person.row("Tools by health", "^answer$")
        assert person.program.complaints() == []
