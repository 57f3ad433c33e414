"""A dangerous call asks first, and does what the answer says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.end2end.conftest import project_of
from tests.end2end.person import Person

pytestmark = pytest.mark.xvfb
MODULE_PLUGINS = ("questions.py",)


@pytest.fixture
def notes(console: Person) -> Iterator[tuple[Path, Path]]:
    """Give two files of the project that may be deleted."""
    files = project_of(console) / "one.txt", project_of(console) / "two.txt"
    for file in files:
        file.write_text("keep me", encoding="utf-8")
    yield files
    for file in files:
        file.unlink(missing_ok=True)


def ask_to_delete(console: Person, name: str) -> None:
    console.run_tool("delete_file", path=name)
    console.find("Deny")
    console.focus_on("Deny")


def test_deny_with_a_reason_leaves_the_file(console: Person, notes: tuple[Path, Path]) -> None:
    ask_to_delete(console, "one.txt")
    console.fill("Reason", "it is still needed")
    console.click("Deny")

    console.see("^Denied · ")
    console.see("it is still needed")
    assert notes[0].exists()


def test_allow_once_deletes_the_file(console: Person, notes: tuple[Path, Path]) -> None:
    ask_to_delete(console, "one.txt")
    console.click("Allow once")

    console.see("^Success · ")
    assert not notes[0].exists()
    assert notes[1].exists()


def test_an_edited_path_deletes_the_other_file(console: Person, notes: tuple[Path, Path]) -> None:
    ask_to_delete(console, "one.txt")
    console.fill("argument path", "two.txt")
    console.see("^was .*one.txt.*is now .*two.txt")
    console.click("Allow edited")

    console.see("^Success · .*arguments edited")
    assert notes[0].exists()
    assert not notes[1].exists()


def test_esc_denies(console: Person, notes: tuple[Path, Path]) -> None:
    ask_to_delete(console, "one.txt")
    console.press("Escape")

    console.see("^Denied · ")
    assert notes[0].exists()


def test_hammering_the_key_that_runs_the_tool_allows_nothing(console: Person, notes: tuple[Path, Path]) -> None:
    console.open_tool("delete_file")
    console.fill_form(path="one.txt")
    console.press("ctrl+Return", "ctrl+Return", "ctrl+Return", "Return")

    console.find("Deny")
    assert notes[0].exists()
    console.press("Escape")
    console.see("^Denied · ")
    assert notes[0].exists()


def test_closing_the_dialog_by_the_window_manager_denies(console: Person, notes: tuple[Path, Path]) -> None:
    ask_to_delete(console, "one.txt")
    console.press("alt+F4")

    console.see("^Denied · ")
    assert notes[0].exists()
    assert console.program.windows()


def test_silence_denies_and_says_so(console: Person) -> None:
    console.run_tool("ask_briefly")
    console.see("Shall the report be sent")

    console.see("^Time is up")
    console.no_longer_see("^Time is up")
    console.see_description("Result text", "answered with ExitEarly")


def test_two_questions_queue(console: Person) -> None:
    console.run_tool("second_asker")
    console.run_tool("first_asker")
    console.find("Deny")
    # Only now, since the first question stands over the window.
    (project_of(console) / "ask-now").touch()

    console.see("^1 of 2, show all$")
    console.find("Deny")
    console.press("Escape")
    console.no_longer_see("^1 of 2, show all$")
    console.find("Deny")
    console.press("Escape")
    console.no_longer_see("^Waiting for approval")


@pytest.mark.reference("A19")
def test_a_screen_reader_reads_all_of_a_question(console: Person, notes: tuple[Path, Path]) -> None:
    ask_to_delete(console, "one.txt")
    console.see("^Always, for this tool")
    told = (
        "delete_file wants to run",
        "What it will do",
        "Show list of what it will touch",
        "Why you are asked",
        "Destructive",
        "Your policy asks",
        "Arguments",
        "Show arguments as",
        "argument path",
        "argument recursive",
        "Remember",
        "Only this call",
        "This session",
        "Reason",
        "Ready-made reasons",
        "Deny",
        "Deny and stop the run",
        "Allow once",
    )
    assert [name for name in told if console.screen.find(name) is None] == []
    for pattern in (
        "^Asked by you · call ",
        "^Denied automatically in ",
        "^High risk. Deletes a file: one.txt",
        "^Delete .*one.txt",
        "^1 file$",
        "bytes$",
    ):
        assert console.sees(pattern), pattern
    console.press("Escape")
    console.see("^Denied · ")


@pytest.mark.reference("E26")
def test_what_is_remembered_for_the_session_asks_no_more(console: Person, notes: tuple[Path, Path]) -> None:
    ask_to_delete(console, "one.txt")
    console.click("This session")
    console.see("^Rule: Allow delete_file")
    console.click("Allow")
    console.see("^Success · ")
    assert not notes[0].exists()

    notes[0].write_text("keep me", encoding="utf-8")
    console.run_tool("delete_file", path="one.txt")
    console.wait_until("the second call to run without a question", lambda: not notes[0].exists())
