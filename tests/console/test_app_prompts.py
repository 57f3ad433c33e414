"""Prompts in the running program: those of a plugin file, found by the palette, made by a worker, and reloaded."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QListView, QWidget

from tests.console.test_app_console import started
from tools.catalog.prompts import builtin_prompts

if TYPE_CHECKING:
    from pathlib import Path

    from console.theme import ThemeController

_Widget = TypeVar("_Widget", bound=QWidget)

PROMPTS = '''
from tools import prompt

@prompt(role="user")
def greet_customer(name: str) -> str:
    """Ask for a greeting."""
    return f"Greet {name}."

@prompt
def broken() -> str:
    """Fail."""
    return 1 / 0
'''


def named(window: QWidget, kind: type[_Widget], name: str) -> _Widget:
    return next(one for one in window.findChildren(kind) if one.isVisible() and one.accessibleName() == name)


async def test_prompts_are_found_filled_in_and_told_apart_from_what_fails(
    theme: ThemeController, tmp_path: Path
) -> None:
    plugin = tmp_path / "letters.py"
    plugin.write_text(PROMPTS, encoding="utf-8")

    async with started(theme, tmp_path, plugin) as start:
        console = start.console
        await start.until(lambda: len(console.tools.prompts) == 2 + len(builtin_prompts()))
        QTest.keyClick(console.window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
        field = named(console.window, QLineEdit, "Search tools and commands")
        QTest.keyClicks(field, "greet customer")
        found = named(console.window, QListView, "Found").model()
        await start.until(
            lambda: "greet_customer" in str([found.index(row, 0).data() for row in range(found.rowCount())])
        )
        QTest.keyClick(field, Qt.Key.Key_Return)
        await start.until(lambda: console.prompts.view is not None and console.prompts.widget.isVisible())
        assert console.prompts.view is not None
        view = console.prompts.view.prompts
        assert view.current is not None
        assert view.current.name == "greet_customer"
        view.form.set_value({"name": "Mira"})
        view.get.click()
        await start.until(lambda: view.text.text == "User\nGreet Mira.")
        assert view.ask.isEnabled()
        for _ in range(2):
            console.window.rail.choose("prompts")
            QTest.mouseClick(view.ask, Qt.MouseButton.LeftButton)
            assert console.assistant.view is not None
            await start.until(console.assistant.view.isVisible)
        # What stands there already is not lost, and nothing is sent.
        assert console.assistant.view is not None
        assert console.assistant.view.composer.prompt.toPlainText() == "Greet Mira.\n\nGreet Mira."
        console.window.rail.choose("prompts")
        view.show_prompt("broken")
        assert not view.ask.isEnabled()
        view.get.click()
        await start.until(view.get.isEnabled)
        assert view.note == "The prompt 'broken' failed: ZeroDivisionError: division by zero"
        console.prompts.view.filter.setText("nobody has this")
        assert console.prompts.view.prompts.current is None
        console.prompts.view.filter.clear()
        plugin.write_text(PROMPTS.replace("broken", "mended").replace("1 / 0", "str(1)"), encoding="utf-8")
        console.window.reload_requested.emit()
        page = console.prompts.view
        await start.until(lambda: {"greet_customer", "mended"} <= {row.name for row in page.rows})
