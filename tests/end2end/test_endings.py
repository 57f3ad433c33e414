"""How calls end that do not simply succeed, and what a person can do about those that do not end."""

from __future__ import annotations

import pytest

from tests.end2end.conftest import project_of
from tests.end2end.person import Person

pytestmark = pytest.mark.xvfb
MODULE_PLUGINS = ("trouble.py",)


def test_a_tool_that_raises_says_why_and_shows_where(console: Person) -> None:
    console.run_tool("raise_error", word="carrot")

    console.see("^Failed · ")
    console.see("RuntimeError")
    console.see("the word was carrot")
    console.row("Activity", "Failed")


@pytest.mark.parametrize("tool", ["raise_exit", "raise_interrupt"])
def test_a_tool_that_raises_what_ends_programs_ends_only_itself(console: Person, tool: str) -> None:
    console.run_tool(tool)
    console.see("^Failed · ")

    console.run_tool("wait_politely", seconds="0")
    console.see("^Success · ")


def test_a_running_tool_stops_by_the_stop_button(console: Person) -> None:
    console.run_tool("wait_politely", seconds="600")
    console.see("^Running · ")
    console.click("Stop")

    console.see("^Cancelled · Stopped after ")
    console.see_enabled("Run")


def test_a_running_tool_stops_by_esc(console: Person) -> None:
    console.open_tool("wait_politely")
    console.fill_form(seconds="600")
    console.press("ctrl+Return")
    console.see("^Running · ")
    console.press("Escape")

    console.see("^Cancelled · Stopped after ")


def test_a_flood_of_log_lines_is_all_there(console: Person) -> None:
    console.run_tool("flood_log")

    console.see("^Success · ")
    console.show_tab("Logs")
    console.see_description("Logs", r"^10,000 entries\. .*line 9999$")


def test_fifty_megabytes_are_shown_at_once(console: Person) -> None:
    console.run_tool("return_much")

    console.see("^Success · ")
    console.row("Result", r"^\[ \] 52,428 items")
    console.row("Result", "^0: .0 xxx")


def test_nothing_is_shown_as_nothing(console: Person) -> None:
    console.run_tool("return_nothing")

    console.see("^Success · ")
    console.see("returned nothing")


def test_the_window_answers_while_a_tool_burns_a_core(console: Person) -> None:
    console.run_tool("burn_core", until="enough.txt")
    console.see("^Running · ")
    console.press("ctrl+l")
    console.write("hash_f")
    console.row("Tools tree", "^hash_file")
    assert console.sees("^Running · ")

    (project_of(console) / "enough.txt").touch()
    console.see("^Success · ")


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [("touch_bad_memory", {}, "SIGSEGV"), ("exit_process", {"code": "7"}, "exit code 7")],
)
def test_a_tool_that_kills_its_process_is_one_failed_call(
    console: Person, tool: str, arguments: dict[str, str], words: str
) -> None:
    console.run_tool(tool, **arguments)
    console.see("^Failed · ")
    console.see(words)

    console.run_tool("wait_politely", seconds="0")
    console.see("^Success · ")


def test_what_hangs_in_c_code_stops(console: Person) -> None:
    console.run_tool("hold_interpreter")
    console.see("^Running · ")
    console.click("Stop")

    console.see("^Cancelled · Stopped after ")
    console.run_tool("wait_politely", seconds="0")
    console.see("^Success · ")


def test_a_thread_that_cannot_be_stopped_is_given_up_and_said_so(console: Person) -> None:
    console.run_tool("block_thread")
    console.see("^Running · ")
    console.click("Stop")

    console.see("thread")
    console.see_enabled("Run")
