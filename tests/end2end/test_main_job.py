"""The main job: find a tool, fill its form, run it, read what came of it."""

from __future__ import annotations

import pytest

from tests.end2end.person import Person

pytestmark = pytest.mark.xvfb


def test_filter_open_fill_run_and_read(console: Person) -> None:
    console.press("ctrl+l")
    console.focus_on("Tools filter")
    console.write("search f")
    console.row("Tools tree", "^search_files")
    assert not [row for row in console.rows("Tools tree") if row.startswith("list_files")]
    console.press("Return")

    console.fill("argument pattern", "TODO|FIXME")
    console.fill("argument path", ".")
    console.press("ctrl+Return")

    console.see("^Success · ")
    console.row("Result", r"handover\.md")
    console.show_tab("Logs")
    console.see_description("Logs", "^1 entries?")
    console.show_tab("Timing")
    assert any(row.startswith("Execute") for row in console.rows("Timing"))
    console.row("Activity", "search_files")


def test_a_click_beside_the_list_of_paths_does_what_it_was_meant_for(console: Person) -> None:
    console.open_tool("file_info")
    console.fill_form(path="READM")
    console.wait_until("the list of paths", lambda: len(console.program.windows()) > 1)
    console.click("Run")

    console.see("^Failed · ")
    console.see("READM")
