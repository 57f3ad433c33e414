"""Closing the program: what runs is asked about, everything ends, and what a person set up is there again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.end2end.conftest import PLUGINS, copy_of_sample, open_console
from tests.end2end.person import Person

pytestmark = pytest.mark.xvfb
ENDING_S = 15.0


@pytest.fixture
def person(tmp_path: Path) -> Iterator[Person]:
    with open_console(tmp_path, copy_of_sample(tmp_path), PLUGINS / "trouble.py") as person:
        yield person


def children(person: Person) -> list[psutil.Process]:
    return psutil.Process(person.program.process.pid).children(recursive=True)


def test_cancel_keeps_running_and_stop_and_quit_ends_everything(person: Person) -> None:
    person.run_tool("run_command", command="sleep 600")
    person.find("Deny")
    person.wait_until("Allow once", lambda: person.screen.find("Allow once") and person.see_enabled("Allow once"))
    person.click("Allow once")
    person.see("^Running · ")
    started = person.wait_until("the command's process", lambda: children(person) or None)
    person.program.close_window()
    person.see("1 call still runs")
    person.click("Cancel")
    person.wait_until("the question to close", lambda: len(person.screen.windows()) == 1)
    assert person.sees("^Running · ")

    person.program.close_window()
    person.click("Stop and quit")

    assert person.program.wait(ENDING_S) == 0
    _gone, alive = psutil.wait_procs(started, timeout=5.0)
    assert alive == []
    assert person.program.complaints() == []


def test_esc_at_the_question_keeps_the_program(person: Person) -> None:
    person.run_tool("wait_politely", seconds="600")
    person.see("^Running · ")
    person.program.close_window()
    person.see("1 call still runs")
    person.press("Escape")
    person.wait_until("the question to close", lambda: len(person.screen.windows()) == 1)

    assert person.sees("^Running · ")
    assert person.program.process.poll() is None


@pytest.mark.parametrize("tool", ["block_thread", "block_loop"])
def test_a_tool_that_blocks_for_ever_does_not_keep_the_program(person: Person, tool: str) -> None:
    person.run_tool(tool)
    person.see("^Running · ")
    person.program.close_window()
    person.click("Stop and quit")

    assert person.program.wait(ENDING_S) == 0


def test_a_closed_question_is_a_no(tmp_path: Path) -> None:
    project = copy_of_sample(tmp_path)
    with open_console(tmp_path, project) as person:
        person.run_tool("delete_file", path="README.md")
        person.find("Deny")
        person.program.terminate()

        assert person.program.wait(ENDING_S) == 0
    assert (project / "README.md").exists()


def test_an_idle_program_closes_without_a_question(person: Person) -> None:
    person.program.close_window()

    assert person.program.wait(ENDING_S) == 0
    assert person.program.complaints() == []


def test_arguments_tabs_theme_and_size_are_there_after_a_restart(tmp_path: Path) -> None:
    project = copy_of_sample(tmp_path)
    with open_console(tmp_path, project) as person:
        person.run_tool("search_files", path=".", pattern="carrots")
        person.see("^Success · ")
        person.open_tool("hash_file")
        person.fill_form(path="README.md")
        person.press("Tab")  # away from the field and its list of paths
        assert person.brightness() > 200
        choose_theme(person, steps=1)
        person.wait_until("a dark window", lambda: person.brightness() < 100)
        person.resize(1100, 700)
        person.program.close_window()
        assert person.program.wait(ENDING_S) == 0

    with open_console(tmp_path, project) as person:
        person.find("argument path")
        assert person.text("argument path") == "README.md"
        assert person.brightness() < 100
        assert person.size() == (1100, 700)
        person.press("ctrl+Tab")
        person.find("argument pattern")
        assert person.text("argument pattern") == "carrots"


def choose_theme(person: Person, steps: int) -> None:
    """Choose a theme in the main menu; Qt tells a screen reader of a menu only what the keyboard is on."""
    person.press("F10", *["Down"] * 9, "Right", *["Down"] * steps, "Return")
