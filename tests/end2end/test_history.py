"""The past outlives the program: its calls are listed, found, looked at and run again, also after a crash."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.end2end.conftest import PLUGINS, copy_of_sample, open_console

pytestmark = pytest.mark.xvfb
ENDING_S = 15.0


def test_calls_of_the_last_start_are_listed_found_and_run_again(tmp_path: Path) -> None:
    project = copy_of_sample(tmp_path)
    with open_console(tmp_path, project) as person:
        person.run_tool("search_files", path=".", pattern="refund")
        person.see("^Success · ")
        person.run_tool("hash_file", path="README.md")
        person.see("^Success · ")
        person.press("Tab")  # away from the field and its list of paths
        person.program.close_window()
        assert person.program.wait(ENDING_S) == 0
        assert person.program.complaints() == []

    with open_console(tmp_path, project) as person:
        person.row("Activity", "^hash_file$")
        person.row("Activity", "^search_files$")
        person.click("History", "check box")
        person.row("Calls", "^hash_file$")
        person.press("ctrl+f")
        person.focus_on("Search the history")
        person.write("refund")
        person.wait_until("the other call to go", lambda: "hash_file" not in person.rows("Calls"))
        person.row("Calls", "^search_files$")
        person.press("Down", "Return")
        person.see("^From history, ")
        assert person.text("argument pattern") == "refund"
        person.see("^Success · ")
        person.click("History", "check box")
        person.row("Calls", "^search_files$")
        person.click("Run again")
        person.wait_until("the new call in the list", lambda: person.rows("Activity").count("search_files") == 2)
        person.no_longer_see("^From history, ")
        person.see("^Success · ")
        assert person.program.complaints() == []


def test_a_call_that_ran_when_the_program_was_killed_comes_back_as_aborted(tmp_path: Path) -> None:
    project = copy_of_sample(tmp_path)
    with open_console(tmp_path, project, PLUGINS / "trouble.py") as person:
        person.run_tool("wait_politely", seconds="600")
        person.see("^Running · ")
        person.click("History", "check box")
        person.row("Calls", "^Running$")
        person.program.process.send_signal(signal.SIGKILL)
        assert person.program.wait(ENDING_S) == -signal.SIGKILL

    with open_console(tmp_path, project, PLUGINS / "trouble.py") as person:
        person.row("Activity", "^Aborted")
        person.click("History", "check box")
        person.row("Calls", "^Aborted$")
        person.see("^Aborted · ")
        assert person.program.complaints() == []
