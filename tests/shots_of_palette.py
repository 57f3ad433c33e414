"""Pictures of the command palette."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QListView

if TYPE_CHECKING:
    from tests.shots import Stage

_TYPED: Final = {
    "sea": "palette",
    "delte fil": "palette-misspelt",
    "> page": "palette-commands",
    "# search": "palette-calls",
    "@": "palette-no-servers",
    "theme": "palette-settings",
    "qqqxj": "palette-nothing",
}


async def palette(stage: Stage) -> None:
    """The command palette: empty, with tools, commands, calls, and with nothing found."""
    await stage.open(first_time=False)
    console = stage.console
    await stage.run("search_files", {"pattern": "TODO|FIXME", "path": "."})
    await stage.run("search_files", {"pattern": "def retry", "path": "."})
    await stage.run("read_file", {"path": "src/agents/router.py"})
    console.open_tools.open("search_files")
    await stage.settle()
    QTest.keyClick(console.window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    field = stage.find("Search tools and commands", QLineEdit)
    found = stage.find("Found", QListView)
    await stage.until(lambda: found.model().rowCount())
    await stage.take("palette-empty")
    for typed, name in _TYPED.items():
        field.selectAll()
        QTest.keyClicks(field, typed)
        await stage.take(name)
    QTest.keyClick(field, Qt.Key.Key_Escape)
    tools = stage.find("Tools filter", QLineEdit)
    tools.setText("remove fiel")
    await stage.take("tools-filter-close")
    tools.setText("qqqxj")
    await stage.take("tools-filter-nothing")
    tools.clear()
    await stage.close()
