"""Settings of tools in the window: seen, set, taken out, and what they disable."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QLineEdit

from console.settings.preference import SettingsSection
from console.settings.tool_values_view import ToolValuesView
from console.theme import ThemeController
from tests.console.test_app_console import Start, started
from tools import CallStatus

TOOL = '''
from tools import Configurator, tool, toolkit

@tool
def where(config: Configurator) -> str:
    """Say where reports go."""
    return config.get("report.folder", "nowhere")

@toolkit("Ships", description="Look after ships")
class Ships:
    @tool
    def sail(self) -> str:
        """Sail away."""
        return "sailed"
'''


pytestmark = pytest.mark.expects_log("tools.calls")


@pytest.fixture(autouse=True)
def own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOL_CONSOLE_CONFIG", str(tmp_path / "config"))


def opened(start: Start) -> ToolValuesView:
    start.console.window.settings_requested.emit()
    settings = start.console.settings.view
    assert settings is not None
    settings.show_section(SettingsSection.TOOLS)
    table = start.console.window.findChild(ToolValuesView)
    assert table is not None
    return table


def cells(dialog: ToolValuesView) -> list[tuple[str, ...]]:
    return [tuple(cell.text for cell in dialog.model.cells_at(place)) for place in range(dialog.model.rowCount())]


def problem(dialog: ToolValuesView) -> str:
    return dialog._problem.text()


@pytest.mark.reference("C22")
async def test_a_value_that_is_set_is_what_a_tool_is_given_next(theme: ThemeController, tmp_path: Path) -> None:
    plugin = tmp_path / "mine.py"
    plugin.write_text(TOOL, "utf-8")
    async with started(theme, tmp_path, plugin) as start:
        dialog = opened(start)
        assert cells(dialog) == []
        dialog.name.setText("report.folder")
        dialog.value.setText("out")
        dialog.set_button.click()
        await start.until(lambda: cells(dialog))
        assert cells(dialog) == [("report.folder", "out", "Your file")]
        assert dialog.name.text() == ""
        await start.run("where")
        presenter = start.console.open_tools.current
        assert presenter is not None
        assert presenter.record is not None
        assert presenter.record.result == "out"
        dialog.table.choose_first()
        dialog.remove.click()
        await start.until(lambda: not cells(dialog))


@pytest.mark.reference("E18")
async def test_a_disabled_toolkit_is_dimmed_in_the_tree_with_its_reason(theme: ThemeController, tmp_path: Path) -> None:
    plugin = tmp_path / "mine.py"
    plugin.write_text(TOOL, "utf-8")
    async with started(theme, tmp_path, plugin) as start:
        dialog = opened(start)
        dialog.name.setText("disabled_toolkits")
        dialog.value.setText("Ships")
        dialog.set_button.click()
        await start.until(lambda: start.console.tools.refusal("sail") is not None)
        row = start.console.browser.row_of("sail")
        assert row is not None
        assert "disabled_toolkits" in row.disabled
        assert await start.run("sail") is CallStatus.REJECTED


async def test_a_pattern_that_means_nothing_is_told_in_the_dialog_and_stays_there_to_be_mended(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with started(theme, tmp_path) as start:
        dialog = opened(start)
        dialog.name.setText("enabled_tools")
        dialog.value.setText("(")
        dialog.set_button.click()
        await start.until(lambda: problem(dialog))
        assert "is no regular expression" in problem(dialog)
        assert (dialog.name.text(), dialog.value.text(), cells(dialog)) == ("enabled_tools", "(", [])


async def test_a_secret_is_typed_unseen(theme: ThemeController, tmp_path: Path) -> None:
    async with started(theme, tmp_path) as start:
        dialog = opened(start)
        dialog.name.setText("api_token")
        assert dialog.value.echoMode() is QLineEdit.EchoMode.Password
        dialog.name.setText("report.folder")
        assert dialog.value.echoMode() is QLineEdit.EchoMode.Normal


async def test_a_file_that_changes_is_read_again(theme: ThemeController, tmp_path: Path) -> None:
    async with started(theme, tmp_path) as start:
        assert start.console.tool_values.content.values == {}
        file = tmp_path / "config" / "settings.properties"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("a=1\n", "utf-8")
        await start.until(lambda: start.console.tool_values.content.values == {"a": "1"})
