"""All tools are written into a file from the main menu, for programs or for people."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QFileDialog

from tests.console.test_app_console import started

if TYPE_CHECKING:
    from pathlib import Path

    from console.theme import ThemeController


@pytest.mark.parametrize(("name", "begins"), [("tools.json", "{"), ("tools.md", "# Tools\n")])
async def test_all_tools_are_written_as_the_file_says(
    theme: ThemeController, tmp_path: Path, name: str, begins: str
) -> None:
    path = tmp_path / name

    async with started(theme, tmp_path) as start:
        start.console.window.export_requested.emit()
        (dialog,) = start.console.window.findChildren(QFileDialog)
        assert dialog.isVisible()
        dialog.fileSelected.emit(str(path))
        dialog.close()
        await start.until(lambda: start.console.window.status_bar.notice.endswith(f"tools are in {path}."))
        text = path.read_text(encoding="utf-8")
        assert text.startswith(begins)
        names = sorted(start.console.tools.names)
        if name.endswith(".json"):
            assert [tool["name"] for tool in json.loads(text)["tools"]] == names
        else:
            assert all(f"### {tool.replace('_', chr(92) + '_')}\n" in text for tool in names)


async def test_a_file_that_cannot_be_written_is_told(theme: ThemeController, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")

    async with started(theme, tmp_path) as start:
        start.console.window.export_requested.emit()
        (dialog,) = start.console.window.findChildren(QFileDialog)
        dialog.fileSelected.emit(str(tmp_path / "file" / "tools.json"))
        dialog.close()
        await start.until(
            lambda: start.console.window.status_bar.notice.startswith("tools.json could not be written: ")
        )


async def test_the_ending_follows_the_kind_of_file(theme: ThemeController, tmp_path: Path) -> None:
    async with started(theme, tmp_path) as start:
        start.console.window.export_requested.emit()
        (dialog,) = start.console.window.findChildren(QFileDialog)
        for kind, ending in (("Page for people (*.md)", ".md"), ("Manifest for programs (*.json)", ".json")):
            dialog.filterSelected.emit(kind)
            assert dialog.selectedFiles()[0].endswith(f"tools{ending}")
        dialog.close()
