"""A plugin that does not load says why, harms no other, and loads once it is mended."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.end2end.conftest import PLUGINS, copy_of_sample, open_console
from tests.end2end.person import Person

pytestmark = pytest.mark.xvfb

MENDED = '''"""A plugin that a person mends while the program runs."""

from tools import tool


@tool
def shout(text: str) -> str:
    """Say it loudly.

    Args:
        text: What to say.
    """
    return text.upper()
'''
BROKEN = MENDED.replace("(text: str)", "(text: str")
OTHER = MENDED.replace("def shout", "def shout_back")


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    path = tmp_path / "shouting.py"
    path.write_text(BROKEN, encoding="utf-8")
    return path


@pytest.fixture
def person(tmp_path: Path, plugin: Path) -> Iterator[Person]:
    with open_console(tmp_path, copy_of_sample(tmp_path), PLUGINS / "questions.py", plugin) as person:
        yield person


def _click_last(person: Person, pattern: str) -> None:
    """Click a row that stands below the built-in toolkits, which fill the tree."""
    person.row("Tools tree", pattern)
    wheel_down = 5
    person.click_on(person.find("Tools tree"), wheel_down, times=40)
    person.click_on(person.row("Tools tree", pattern))


def test_a_plugin_with_a_syntax_error_is_shown_with_its_reason_and_reloaded_when_mended(
    person: Person, plugin: Path
) -> None:
    person.see("^1 plugin did not load$")
    _click_last(person, r"^shouting\.py")
    person.see("SyntaxError")
    person.see("shouting.py")
    person.press("Escape")
    person.wait_until("the dialog to close", lambda: len(person.screen.windows()) == 1)
    person.focus_on("Tools tree")
    person.open_tool("first_asker")

    plugin.write_text(MENDED, encoding="utf-8")
    person.press("F5")
    person.no_longer_see("^1 plugin did not load$")
    person.run_tool("shout", text="carrots")
    person.see_description("Result text", "CARROTS")

    plugin.write_text(OTHER, encoding="utf-8")
    person.press("F5")
    person.run_tool("shout_back", text="peas")
    person.see_description("Result text", "PEAS")
    person.wait_until("the old tab to go", lambda: not person.screen.matching("^shout, "))
    assert person.program.complaints() == []


def test_a_plugin_that_ends_its_process_is_shown_with_the_reason_and_harms_no_other(tmp_path: Path) -> None:
    falling = tmp_path / "falling.py"
    falling.write_text("import ctypes\n\nctypes.string_at(0)\n", encoding="utf-8")
    with open_console(tmp_path, copy_of_sample(tmp_path), falling, PLUGINS / "questions.py") as person:
        person.see("^1 plugin did not load$")
        _click_last(person, r"^falling\.py")
        person.see("the file ended its process: SIGSEGV")
        person.press("Escape")
        person.wait_until("the dialog to close", lambda: len(person.screen.windows()) == 1)
        person.focus_on("Tools tree")
        person.open_tool("first_asker")

        falling.write_text(MENDED, encoding="utf-8")
        person.press("F5")
        person.no_longer_see("^1 plugin did not load$")
        person.run_tool("shout", text="carrots")
        person.see_description("Result text", "CARROTS")
        assert person.program.complaints() == []
