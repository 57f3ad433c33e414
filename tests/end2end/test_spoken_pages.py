"""Every page read over AT-SPI, as a screen reader does from outside: whatever can be used is called something."""

from __future__ import annotations

import re
from typing import Final

import pytest

from console.keymap import COMMANDS
from console.settings.preference import SettingsSection
from tests.end2end.accessibility import LARGE, State
from tests.end2end.person import Person

pytestmark = pytest.mark.xvfb
SILENT: Final = frozenset(
    {
        "filler",
        "grip",
        "label",
        "layered pane",
        "panel",
        "scroll bar",
        "separator",
        "splitter",
        "status bar",
        "tool bar",
    }
)
"""What only holds other things or says what stands in it; all else is used, and needs a name."""
PAGE_KEYS: Final = {
    command.text: command.keys.lower().replace(",", "comma")
    for key, command in COMMANDS.items()
    if key.startswith("page.") or key == "settings"
}
SECTIONS: Final = "Sections of the settings"
TABS: Final = ("Result", "Logs", "Attachments", "Timing", "Wire", "History", "Schema", "Check")


def unnamed(console: Person, where: str) -> list[str]:
    """Return what shows without a name, and trees, tables and lists whose first rows say nothing."""
    found = []
    for widget in console.screen.widgets():
        if not widget.name.strip() and widget.role not in SILENT:
            found.append(f"{where}: {widget.role}")
        if widget.role in LARGE:
            rows = console.screen.rows(widget)
            if rows and not any(row.name.strip() for row in rows):
                found.append(f"{where}: rows of {widget.name!r}")
    return found


def go_to(console: Person, page: str) -> None:
    """Bring a page to the front and wait until more than bars shows."""
    console.press(PAGE_KEYS[page])

    def is_there() -> bool:
        shown = list(console.screen.widgets())
        chosen = [widget.name for widget in shown if widget.role == "check box" and State.CHECKED in widget.states]
        return page in chosen and sum(widget.name == page for widget in shown) > 1

    console.wait_until(f"the page {page!r}", is_there)


def test_every_page_names_whatever_can_be_used(console: Person) -> None:
    found = []
    for page in PAGE_KEYS:
        go_to(console, page)
        found += unnamed(console, page)
    assert found == []


def test_every_section_of_the_settings_names_whatever_can_be_used(console: Person) -> None:
    go_to(console, "Settings")
    found = []
    for section in SettingsSection:
        console.click_on(console.row(SECTIONS, f"^{section.title}$"))
        console.see(f"^{re.escape(section.sentence)}$")
        found += unnamed(console, section.title)
    assert found == []


def test_every_part_of_a_tool_s_page_names_whatever_can_be_used(console: Person) -> None:
    go_to(console, "Tools")
    console.run_tool("search_files", pattern="TODO", path=".")
    console.see("^Success · ")
    found = unnamed(console, "search_files")
    for tab in TABS:
        console.show_tab(tab)
        found += unnamed(console, tab)
    console.press("ctrl+shift+j")
    console.find("Arguments as JSON")
    found += unnamed(console, "arguments as JSON")
    assert found == []


def test_what_stands_over_the_window_names_whatever_can_be_used(console: Person) -> None:
    found = []
    for keys in ("ctrl+slash", "ctrl+n"):
        console.press(keys)
        console.wait_until(f"what {keys} opens", lambda: len(console.screen.windows()) > 1)
        found += unnamed(console, keys)
        console.press("Escape")
        console.wait_until(f"what {keys} opened to go", lambda: len(console.screen.windows()) == 1)
    console.press("ctrl+k")
    console.find("Command palette")
    found += unnamed(console, "palette")
    console.press("Escape")
    assert found == []
