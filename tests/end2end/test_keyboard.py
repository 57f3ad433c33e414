"""The main job without a mouse."""

from __future__ import annotations

import pytest

from tests.end2end.person import Person

pytestmark = pytest.mark.xvfb


def tab_to(console: Person, name: str, key: str = "Tab") -> None:
    """Press Tab until the keyboard goes to a widget, as often as there are widgets to pass."""
    passed: list[str] = []
    for _ in range(40):
        widget = console.screen.focus()
        if widget is not None and widget.name == name:
            return
        passed.append(widget.name if widget is not None else "nothing")
        console.press(key)
    raise AssertionError(f"Tab did not come to {name!r}; it passed {passed}")


def test_the_main_job_by_keyboard_alone(console: Person) -> None:
    console.press("ctrl+l")
    console.focus_on("Tools filter")
    console.write("search_f")
    console.row("Tools tree", "^search_files")
    console.press("Down")
    console.press("ctrl+l", "Return")
    console.focus_on("argument pattern")
    console.write("TODO")
    tab_to(console, "argument path")
    console.write(".")
    console.press("ctrl+Return")
    console.see("^Success · ")
    tab_to(console, "Result")
    console.press("Down", "Down", "Right")
    console.press("alt+2")
    console.find("Logs", "filler")
    console.press("alt+4")
    assert any(row.startswith("Execute") for row in console.rows("Timing"))
    console.press("alt+1")
    console.press("ctrl+w")
    console.see("^Welcome to Tool Console$")


def test_a_question_is_answered_by_keyboard_alone(console: Person) -> None:
    console.press("ctrl+l")
    console.write("make_folder")
    console.row("Tools tree", "^make_folder")
    console.press("Return")
    console.focus_on("argument path")
    console.write("new")
    console.press("ctrl+Return")
    console.focus_on("Deny")
    console.see_enabled("Allow once")
    console.press("a")
    console.focus_on("Allow once")
    console.press("Return")

    console.see("^Success · ")


def test_f6_goes_round_the_regions(console: Person) -> None:
    console.press("ctrl+l")
    console.focus_on("Tools filter")
    seen = set()
    for _ in range(4):
        console.press("F6")
        widget = console.screen.focus()
        seen.add(widget.name if widget is not None else "")

    assert len(seen) >= 3
