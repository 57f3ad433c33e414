"""Scenes for the pictures: a tool is checked, from what the check will do to what it found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize

from console.check.view import CheckView

if TYPE_CHECKING:
    from tests.shots import Stage

__all__ = ["checks"]

CHECK_TAB: Final = 7
FAULTY: Final = '''"""Tools with a fault each, to show how a check tells of it."""

import os
import time
from pathlib import Path
from typing import Annotated

from tools import Param, tool


@tool(read_only=True)
def split_bill(
    amount: Annotated[float, Param("What was paid")],
    people: Annotated[int, Param("How many pay")] = 2,
    currency: Annotated[str, Param("Three letters")] = "EUR",
) -> dict[str, float]:
    """Split a bill evenly among people."""
    if len(currency) > 200:
        os._exit(3)
    if currency == "":
        return {currency: "nothing"}
    Path("bills.log").write_text(str(amount), "utf-8")
    return {currency: amount / people}


@tool(read_only=True)
def look_for(word: Annotated[str, Param("What to look for")]) -> str:
    """Look for a word, slowly."""
    time.sleep(0.2)
    return word


@tool
def keep_note(text: Annotated[str, Param("What to keep")]) -> str:
    """Keep a note in the current folder."""
    Path("note.txt").write_text(text, "utf-8")
    return text
'''


def _tab(stage: Stage, tool: str) -> CheckView:
    stage.console.open_tools.open(tool)
    page = stage.page(tool)
    page.results.show_tab(CHECK_TAB)
    return page.findChildren(CheckView)[0]


async def checks(stage: Stage) -> None:
    """The Check tab before, while and after a check, stopped, clean, and for a tool that changes things."""
    plugin = stage.home / "faulty.py"
    plugin.write_text(FAULTY, "utf-8")
    await stage.open(first_time=False, plugins=(plugin,))
    window = stage.console.window
    changing = _tab(stage, "keep_note")
    await stage.until(changing.choose.isVisible)
    await stage.take("check-changing")
    view = _tab(stage, "split_bill")
    await stage.until(view.start.isEnabled)
    await stage.take("check-before")
    view.calls.setValue(30)
    view.start.click()
    await stage.until(view.save.isVisible)
    await stage.take("check-findings")
    window.resize(QSize(900, 600))
    await stage.take("check-findings-small")
    window.resize(QSize(1440, 900))
    slow = _tab(stage, "look_for")
    slow.start.click()
    await stage.until(lambda: " of 60 calls" in slow.headline.text and not slow.headline.text.startswith("0"))
    await stage.take("check-running")
    slow.stop.click()
    await stage.until(slow.start.isVisible)
    await stage.take("check-stopped")
    slow.calls.setValue(4)
    slow.start.click()
    await stage.until(lambda: slow.glyph.status == "success")
    await stage.take("check-clean")
    await stage.close()
