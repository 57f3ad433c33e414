"""Pictures of a tool's page while its author works on it, of a new tool, and of files that are dropped."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QDragLeaveEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from console.browser.new_tool_dialog import NewToolDialog
from console.keymap import keymap
from console.settings.plugin_trust_view import PluginTrustView
from console.settings.preference import SettingsSection
from console.settings.service_keys_view import KeysView
from console.settings.shortcuts_view import ShortcutDialog, ShortcutsView
from console.settings.tool_values_view import ToolValuesView
from console.settings.view import AllSettingsView
from console.tool_page.header_view import FindingsDialog
from console.tool_page.view import ExecutionView
from tests.dragging import drag_enter

if TYPE_CHECKING:
    from tests.shots import Stage

__all__ = ["authoring", "findings", "settings"]

PLUGIN: Final = '''"""Tools of the author."""

from typing import Annotated

from tools import Param, tool


@tool(read_only=True)
def count_words(
    sentence: Annotated[str, Param("The text to look at")],
    longer_than: Annotated[int, Param("Count only words with more letters")] = 0,
) -> int:
    """Count the words of a text."""
    return sum(len(word) > longer_than for word in sentence.split())
'''


async def authoring(stage: Stage) -> None:
    """Save the file of an open page anew, break it, begin a new tool and drag files over the window."""
    plugin = stage.home / "author" / "my_first_tool.py"
    plugin.parent.mkdir(exist_ok=True)
    plugin.write_text(PLUGIN, "utf-8")
    await stage.open(first_time=False, plugins=[plugin])
    await stage.run("count_words", {"sentence": "one two three"})
    page = stage.console.documents.page("count_words")
    assert isinstance(page, ExecutionView)
    more = PLUGIN.replace("= 0,\n", '= 0,\n    unique: Annotated[bool, Param("Count each word once")] = False,\n')
    plugin.write_text(more, "utf-8")
    await stage.until(lambda: "unique" in page.document.schema["properties"])
    await stage.until(lambda: "loaded again" in page.notice.text)
    await stage.take("reloaded")
    presenter = stage.console.open_tools.current
    assert presenter is not None
    presenter.run()
    await stage.until(lambda: not presenter.is_running)
    await stage.take("reloaded-and-run")
    plugin.write_text(more.replace("sentence.split())", "sentence.split()"), "utf-8")
    await stage.until(page.source.isVisible)
    await stage.take("syntax-error")
    stage.console.window.resize(900, 600)
    await stage.take("syntax-error-small")
    stage.console.window.resize(1440, 900)
    stage.console.authoring.ask_for_tool()
    dialog = next(one for one in stage.console.window.findChildren(NewToolDialog) if one.isVisible())
    QTest.keyClicks(dialog.name, "first word")
    await stage.take("new-tool-wrong")
    dialog.name.setText("first_word")
    await stage.take("new-tool")
    dialog.reject()
    data = QMimeData()
    dragged: tuple[Path, ...] = (plugin, stage.project, plugin.with_name("notes.txt"))
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in dragged])
    QApplication.sendEvent(stage.console.window, drag_enter(data))
    await stage.take("drop")
    QApplication.sendEvent(stage.console.window, QDragLeaveEvent())
    await stage.close()


TOLD_BADLY: Final = '''"""Tools that models are told badly of."""

from tools import ToolExample, tool


@tool(read_only=True, examples=[ToolExample(input={"citty": "Oslo"}), ToolExample(input={"city": "foo", "days": 2})])
def forecast(city: str, days: int = 1) -> str:
    """This tool tells the weather."""
    return f"{city}: rain for {days} days"


@tool(read_only=True)
def tides(harbour: str) -> str:
    """Tides."""
    return f"{harbour}: high at noon"
'''


async def findings(stage: Stage) -> None:
    """Show what is wrong with how tools are described, in the tree, on the page and as a list."""
    plugin = stage.home / "author" / "weather.py"
    plugin.parent.mkdir(exist_ok=True)
    plugin.write_text(TOLD_BADLY, "utf-8")
    await stage.open(first_time=False, plugins=[plugin])
    stage.console.open_tools.open("forecast")
    header = stage.page("forecast").header
    await stage.until(header.findings.isVisible)
    await stage.take("findings")
    QTest.mouseClick(header.findings, Qt.MouseButton.LeftButton)
    await stage.take("findings-listed")
    next(one for one in stage.console.window.findChildren(FindingsDialog) if one.isVisible()).close()
    stage.console.window.resize(900, 600)
    await stage.take("findings-small")
    await stage.close()


async def settings(stage: Stage) -> None:
    """All settings: a section, what a search finds, and the values that tools are given."""
    await stage.open(first_time=False)
    window = stage.console.window
    window.settings_requested.emit()
    view = stage.console.settings.view
    assert view is not None
    await stage.take("settings-look")
    view.show_section(SettingsSection.HISTORY)
    days = view.row_by_key["history_days"]
    days.changed.emit("history_days", 30)
    await stage.until(lambda: not days.reset.isHidden())
    await stage.take("settings-history")
    view.show_section(SettingsSection.AGENTS)
    await stage.take("settings-agents")
    for section in (SettingsSection.NETWORK, SettingsSection.PROJECT, SettingsSection.ADVANCED):
        view.show_section(section)
        await stage.take(f"settings-{section.name.lower()}")
    for scene in (_plugins, _shortcuts, _keys):
        await scene(stage, view)
    view.search.setText("appro")
    await stage.take("settings-found")
    view.search.setText("teapot")
    await stage.take("settings-nothing")
    view.show_section(SettingsSection.TOOLS)
    view.row_by_key["batch_backend"].changed.emit("batch_backend", "nowhere")
    table = window.findChild(ToolValuesView)
    assert table is not None
    await stage.take("settings-tools-empty")
    for name, value in (("report.folder", "reports"), ("retries", "3"), ("disabled_toolkits", "git")):
        table.name.setText(name)
        table.value.setText(value)
        table.set_button.click()
        await stage.until(lambda: not table.name.text())
    table.name.setText("enabled_tools")
    table.value.setText("read (")
    table.set_button.click()
    await stage.settle()
    await stage.take("settings-tools")
    window.rail.choose("tools")
    stage.console.open_tools.open("git_status")
    await stage.take("settings-disabled")
    await stage.close()


async def _plugins(stage: Stage, view: AllSettingsView) -> None:
    """The plugin files, of which one may not run for a moment."""
    view.show_section(SettingsSection.PLUGINS)
    trust = stage.console.window.findChild(PluginTrustView)
    assert trust is not None
    path = stage.project / "my_tools.py"
    await stage.until(lambda: path in trust.row_by_path)
    trust.row_by_path[path].switch.click()
    await stage.until(lambda: "may not run" in trust.row_by_path[path].state.text())
    await stage.take("settings-plugins")
    trust.row_by_path[path].switch.click()
    await stage.until(lambda: "1 tool" in trust.row_by_path[path].state.text())


async def _shortcuts(stage: Stage, view: AllSettingsView) -> None:
    """The list of shortcuts, and keys that another command has."""
    view.show_section(SettingsSection.SHORTCUTS)
    shortcuts = stage.console.window.findChildren(ShortcutsView)[0]
    keymap().assign("help", "F1")
    shortcuts.table.choose("new_tool")
    await stage.take("settings-shortcuts")
    shortcuts.change.click()
    dialog = stage.console.window.findChildren(ShortcutDialog)[0]
    QTest.keyClick(dialog.field, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    await stage.take("settings-shortcut")
    dialog.reject()


async def _keys(stage: Stage, view: AllSettingsView) -> None:
    """The list of keys."""
    view.show_section(SettingsSection.KEYS)
    keys = stage.console.window.findChildren(KeysView)[0]
    await stage.until(keys.model.rowCount)
    keys.table.choose("OPENAI_API_KEY")
    await stage.take("settings-keys")
