"""What is wrong with how tools are described is shown in the tree, on the page, and as a list to copy."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTreeView

from console.browser.model import ITEM_ROLE, TreeItem
from console.theme import ThemeController
from console.tool_page.header_view import FindingsDialog
from console.tool_page.lint_rows import lint_rows
from tests.console.test_app_console import Start, click, plugin_file, started
from tools.lint import Finding, LintRule, TokenCosts, ToolLint

TOLD_BADLY = '''
from tools import ToolExample, tool

@tool(examples=[ToolExample(input={"citty": "Oslo"})])
def forecast(city: str) -> str:
    """This tool tells the weather."""
    return city
'''
TOLD_WELL = '''
from typing import Annotated
from tools import Param, ToolExample, tool

@tool(examples=[ToolExample(input={"city": "Oslo"})])
def forecast(city: Annotated[str, Param("Where, as on a map")]) -> str:
    """Tell the weather of tomorrow."""
    return city
'''


def items_in(tree: QTreeView, above: QModelIndex | None = None) -> Iterator[tuple[QModelIndex, TreeItem]]:
    model, parent = tree.model(), above or QModelIndex()
    for row in range(model.rowCount(parent)):
        index = model.index(row, 0, parent)
        yield index, index.data(ITEM_ROLE)
        yield from items_in(tree, index)


def tooltip_of(start: Start, name: str) -> str:
    (tree,) = start.console.browser_view.findChildren(QTreeView)
    found = (index for index, item in items_in(tree) if item.tool is not None and item.tool.name == name)
    return str(next(found).data(Qt.ItemDataRole.ToolTipRole))


@pytest.mark.reference("B19", "E44")
async def test_a_tool_that_is_described_badly_says_so_until_its_file_is_mended(
    theme: ThemeController, tmp_path: Path
) -> None:
    plugin = plugin_file(tmp_path / "weather.py", TOLD_BADLY)
    async with started(theme, tmp_path, plugin) as start:
        start.console.open_tools.open("forecast")
        header = start.page("forecast").header
        await start.until(header.findings.isVisible)
        assert header.findings.text() == "3 findings"
        assert header.tokens.text().startswith("≈ ")
        assert header.tokens.text().endswith(" tokens")
        assert "estimated" in header.tokens.toolTip()
        told = tooltip_of(start, "forecast")
        assert f"{header.tokens.text()} in each request, estimated" in told
        assert "3 findings in its description" in told
        assert "Its description begins with 'This tool'" in told
        assert "finding" not in tooltip_of(start, "hold")

        QTest.mouseClick(header.findings, Qt.MouseButton.LeftButton)
        (dialog,) = (one for one in start.console.window.findChildren(FindingsDialog) if one.isVisible())
        click(dialog, "Copy")
        copied = QGuiApplication.clipboard().text()
        assert "forecast/examples/0/input: error [example-invalid]" in copied
        assert "Correct its input" in copied
        dialog.close()

        plugin_file(plugin, TOLD_WELL)
        start.console.browser_view.reload_requested.emit()
        await start.until(lambda: not header.findings.isVisible())
        assert "finding" not in tooltip_of(start, "forecast")


async def test_a_page_that_is_opened_later_says_what_was_found_before(theme: ThemeController, tmp_path: Path) -> None:
    plugin = plugin_file(tmp_path / "weather.py", TOLD_BADLY)
    async with started(theme, tmp_path, plugin) as start:
        await start.until(lambda: "3 findings" in tooltip_of(start, "forecast"))
        start.console.open_tools.open("forecast")
        assert start.page("forecast").header.findings.text() == "3 findings"


def test_findings_are_copied_with_their_place_and_what_to_do() -> None:
    finding = Finding(LintRule.NEGATIVE_WITHOUT_REASON, "forecast", "/examples/1/why_bad")
    rows = lint_rows(ToolLint((finding,), TokenCosts(1200, (20, 30))))
    assert (rows.tokens, rows.heading) == ("≈ 1,250 tokens", "1 finding")
    assert "its definition 1,200 tokens, its examples 20, 30." in rows.tokens_tip
    assert rows.text == (
        "forecast/examples/1/why_bad: warning [negative-without-reason]\n"
        "  The example shows what not to do, but not why.\n"
        "  Name the rule that it breaks in why_bad.\n"
    )
