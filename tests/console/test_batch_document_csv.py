"""Tests for plans made from tables: `console.batch.document_text` and its dialog."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from console.batch.document import PlanEditError
from console.batch.document_csv_view import CsvDialog
from console.batch.document_text import guessed_columns, mapping_schema, plan_of_csv, read_table
from tools import tool
from tools.batch import BatchExecutor, BatchResult
from tools.declare import resolve_tools
from tools.execution.executor import Executor
from tools.registry import ToolRegistry

SCHEMA: dict[str, Any] = {
    "properties": {
        "path": {"type": "string", "description": "Which"},
        "max_lines": {"type": "integer"},
        "strict": {"type": "boolean"},
    },
    "required": ["path"],
}


def _table(folder: Path, text: str) -> Path:
    path = folder / "rows.csv"
    path.write_text(text, "utf-8")
    return path


def test_a_table_tells_its_columns_and_first_rows(tmp_path: Path) -> None:
    table = read_table(_table(tmp_path, "path,Max lines\na.txt,3\nb.txt,4\n"))

    assert table.columns == ("path", "Max lines")
    assert table.samples == (("a.txt", "3"), ("b.txt", "4"))
    assert guessed_columns(SCHEMA, table.columns) == {"path": "path", "max_lines": "Max lines"}


@pytest.mark.parametrize(
    ("text", "words"), [("", "is empty"), ("a,a\n", "names differ"), ('a\n"x', "cannot be read as CSV")]
)
def test_what_is_no_table_is_refused(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(PlanEditError, match=words):
        read_table(_table(tmp_path, text))
    with pytest.raises(PlanEditError, match=r"gone\.csv cannot be read"):
        read_table(tmp_path / "gone.csv")


def test_columns_are_offered_for_each_argument() -> None:
    schema = mapping_schema(SCHEMA, ["a", "b"])

    assert schema["required"] == ["path"]
    assert schema["properties"]["path"]["oneOf"] == [{"const": "a", "title": "a"}, {"const": "b", "title": "b"}]


def test_each_row_becomes_a_call_with_values_of_the_right_type(tmp_path: Path) -> None:
    heard: list[tuple[str, int, bool]] = []

    @tool
    def note(text: str, count: int, sure: bool) -> str:
        """Take note.

        Args:
            text: What.
            count: How often.
            sure: Whether.
        """
        heard.append((text, count, sure))
        return text

    registry = ToolRegistry(resolve_tools([note]))
    table = read_table(_table(tmp_path, "the text,n,sure\na,1,yes\nb,2,no\n"))
    schema = registry.get("note").input_schema
    plan = plan_of_csv(table, "note", schema, {"text": "the text", "count": "n", "sure": "sure"})

    async def run() -> BatchResult:
        executor = Executor(registry)
        try:
            return await BatchExecutor(executor=executor).run(plan)
        finally:
            await executor.aclose()

    result = asyncio.run(run())

    assert plan.name == "rows: note"
    assert result.success_rate == 1.0
    assert sorted(heard) == [("a", 1, True), ("b", 2, False)]


def test_the_dialog_asks_for_tool_and_columns(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    dialog = CsvDialog("rows.csv", ("path", "n"), (("a", "1"),), ("read_file",), window)
    asked: list[str] = []
    chosen: list[tuple[str, dict[str, str]]] = []
    dialog.tool_changed.connect(asked.append)
    dialog.chosen.connect(_listener(chosen))
    dialog.open()
    assert not dialog.make.isEnabled()
    qtbot.keyClicks(dialog.tool, "read_file")
    qtbot.waitUntil(lambda: asked == ["read_file"])
    dialog.show_tool(mapping_schema(SCHEMA, ("path", "n")), {}, "Read", name="read_file")
    qtbot.mouseClick(dialog.make, Qt.MouseButton.LeftButton)
    assert chosen == []
    dialog.show_tool(mapping_schema(SCHEMA, ("path", "n")), {"path": "path"}, "Read", name="read_file")
    qtbot.mouseClick(dialog.make, Qt.MouseButton.LeftButton)

    assert chosen == [("read_file", {"path": "path"})]


def _listener(found: list[tuple[str, dict[str, str]]]) -> Any:
    """Return a listener that keeps what it hears."""

    def hear(name: str, mapping: dict[str, str]) -> None:
        found.append((name, mapping))

    return hear
