"""A person at the running program: eyes that find widgets by their accessible names, a keyboard and a mouse."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Final, TypeVar

from tests.end2end.accessibility import Screen, State, Widget
from tests.end2end.desktop import Program

WAIT_S: Final = 25.0
LOOK_S: Final = 0.05
KEY_MS: Final = 4

Found = TypeVar("Found")


class Person:
    """Use the program as a person would.

    Args:
        program: The program; it runs.
        screen: Its widgets.
    """

    def __init__(self, program: Program, screen: Screen) -> None:
        self.program = program
        self.screen = screen

    def wait_until(self, what: str, look: Callable[[], Found | None], timeout_s: float = WAIT_S) -> Found:
        """Look again and again, until there is something to be seen.

        Args:
            what: What is waited for, for the message.
            look: Returns what was seen; None or False for nothing.
            timeout_s: The longest wait in seconds.
        """
        deadline = time.monotonic() + timeout_s
        while True:
            found = look()
            if found is not None and found is not False:
                return found
            assert self.program.process.poll() is None, f"the program ended early:\n{self.program.log()}"
            if time.monotonic() > deadline:
                shown = "\n".join(self.screen.names())
                raise AssertionError(f"waited {timeout_s:g} s for {what}, which did not come. What shows:\n{shown}")
            time.sleep(LOOK_S)

    def find(self, name: str, role: str = "", timeout_s: float = WAIT_S) -> Widget:
        return self.wait_until(f"{role} {name!r}".strip(), lambda: self.screen.find(name, role), timeout_s)

    def sees(self, pattern: str) -> bool:
        """Say whether something shows now whose name has the pattern in it."""
        return bool(self.screen.matching(pattern))

    def see(self, pattern: str, timeout_s: float = WAIT_S) -> Widget:
        """Return the last widget whose name has the pattern in it, once one shows."""

        def look() -> Widget | None:
            found = self.screen.matching(pattern)
            return found[-1] if found else None

        return self.wait_until(f"words like {pattern!r}", look, timeout_s)

    def no_longer_see(self, pattern: str) -> None:
        """Wait until nothing shows whose name has the pattern in it."""
        self.wait_until(f"{pattern!r} to go", lambda: not self.screen.matching(pattern))

    def see_enabled(self, name: str, *, enabled: bool = True) -> Widget:
        """Return a widget once it can be used, or can no more."""

        def look() -> Widget | None:
            widget = self.screen.find(name)
            return widget if widget is not None and widget.enabled is enabled else None

        return self.wait_until(f"{name!r} to be {'enabled' if enabled else 'disabled'}", look)

    def row(self, view: str, pattern: str) -> Widget:
        """Return the row of a tree or table that has the pattern in it, once it shows."""

        def look() -> Widget | None:
            widget = self.screen.find(view)
            rows = self.screen.rows(widget) if widget is not None else []
            return next((row for row in rows if re.search(pattern, row.name)), None)

        return self.wait_until(f"a row like {pattern!r} in {view!r}", look)

    def rows(self, view: str) -> list[str]:
        return [row.name for row in self.screen.rows(self.find(view))]

    def text(self, name: str) -> str:
        return self.screen.text(self.find(name))

    def see_text(self, name: str, pattern: str) -> str:
        """Return what stands in a field once the pattern is in it."""

        def look() -> str | None:
            widget = self.screen.find(name)
            text = self.screen.text(widget) if widget is not None else ""
            return text if re.search(pattern, text) else None

        return self.wait_until(f"{pattern!r} in {name!r}", look)

    def see_description(self, name: str, pattern: str) -> str:
        """Return what a widget says of itself once the pattern is in it."""

        def look() -> str | None:
            widget = self.screen.find(name)
            text = self.screen.description(widget) if widget is not None else ""
            return text if re.search(pattern, text) else None

        return self.wait_until(f"{pattern!r} in the description of {name!r}", look)

    def focus_on(self, name: str) -> None:
        def look() -> bool:
            widget = self.screen.focus()
            return widget is not None and widget.name == name

        self.wait_until(f"the focus on {name!r}", look)

    def press(self, *keys: str) -> None:
        """Press keys one after the other, as in `ctrl+Return` or `Tab`."""
        subprocess.run(
            ["xdotool", "key", "--clearmodifiers", "--delay", str(KEY_MS), *keys], check=True, timeout=WAIT_S
        )

    def write(self, text: str) -> None:
        subprocess.run(["xdotool", "type", "--delay", str(KEY_MS), "--", text], check=True, timeout=WAIT_S)

    def click_on(self, widget: Widget, button: int = 1, times: int = 1) -> None:
        x, y = self.screen.rectangle(widget).centre
        clicks = ["click", "--repeat", str(times), "--delay", "20", str(button)]
        subprocess.run(["xdotool", "mousemove", str(x), str(y), *clicks], check=True, timeout=WAIT_S)

    def click(self, name: str, role: str = "") -> None:
        """Click the widget of this name once it shows and can be used."""

        def look() -> Widget | None:
            widget = self.screen.find(name, role)
            return widget if widget is not None and widget.enabled else None

        self.click_on(self.wait_until(f"{name!r} to click", look))

    def fill(self, name: str, text: str) -> None:
        """Put text in the place of what a field holds."""
        self.click(name)
        self.press("ctrl+a", "Delete")
        self.write(text)

    def resize(self, width: int, height: int) -> None:
        window = self.program.wait_for_window()
        subprocess.run(["xdotool", "windowsize", window, str(width), str(height)], check=True, timeout=WAIT_S)
        self.wait_until(f"a window of {width} by {height}", lambda: self.size() == (width, height))

    def size(self) -> tuple[int, int]:
        window = self.program.wait_for_window()
        words = ["xdotool", "getwindowgeometry", "--shell", window]
        told = subprocess.run(words, check=True, timeout=WAIT_S, capture_output=True, text=True).stdout
        values = dict(line.split("=") for line in told.splitlines())
        return int(values["WIDTH"]), int(values["HEIGHT"])

    def brightness(self) -> int:
        """Return how bright the middle of the window is, from 0 for black to 255 for white."""
        width, height = self.size()
        words = [sys.executable, "-m", "tests.end2end.picture", "--brightness", f"{width // 2},{height // 2}"]
        return int(subprocess.run(words, check=True, timeout=WAIT_S, capture_output=True, text=True).stdout)

    def open_tool(self, name: str) -> None:
        """Open a tool through the filter, by keyboard."""
        self.press("ctrl+l")
        self.focus_on("Tools filter")
        self.press("ctrl+a", "Delete")
        self.write(name)
        self.row("Tools tree", rf"^{name}\b")
        self.press("Return")
        self.wait_until(f"the page of {name!r}", lambda: self._page(name))

    def show_tab(self, name: str) -> None:
        """Bring a view of the page in front to its own front."""
        self.click_on(self.wait_until(f"the tab {name!r}", lambda: self._tab(name)))

    def _tab(self, name: str) -> Widget | None:
        tabs = [tab for tab in self.screen.matching(f"^{name}(,|$)") if tab.role == "page tab"]
        return tabs[-1] if tabs else None

    def _page(self, name: str) -> Widget | None:
        """Return the tool's page, once the keyboard goes to something in it."""
        widget = self.screen.focus()
        if widget is None or not (widget.name.startswith("argument ") or widget.name in {"Run", "Arguments as JSON"}):
            return None
        tabs = self.screen.matching(f"^{name}, ")
        return next((tab for tab in tabs if tab.role == "page tab" and State.SELECTED in tab.states), None)

    def fill_form(self, **arguments: str) -> None:
        for name, text in arguments.items():
            self.fill(f"argument {name}", text)

    def run_tool(self, name: str, **arguments: str) -> None:
        """Open a tool, fill its form and run it: by keyboard from its last field, by mouse when it has none."""
        self.open_tool(name)
        self.fill_form(**arguments)
        if arguments:
            self.press("ctrl+Return")
        else:
            self.click("Run")
