"""Scenes for the pictures: results in every form."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTableView

from console.call_result.result_header_view import FindWay
from console.viewers import Representation

if TYPE_CHECKING:
    from console.tool_page.view import ExecutionView
    from tests.shots import Stage

__all__ = ["results"]

TELLING_TOOLS: Final = Path(__file__).parent / "telling_tools.py"
ATTACHMENTS_TAB: Final = 2


async def results(stage: Stage) -> None:
    """A tree with what is wrong in it, a table, what JMESPath picks, a page, and files."""
    await stage.open(first_time=False, plugins=[TELLING_TOOLS])
    await stage.run("list_orders", {})
    page = stage.page("list_orders")
    shown = page.results.result.shown
    shown.tree.select(("orders", 1))
    shown.tree.expand(shown.tree.currentIndex())
    await stage.take("result-tree")
    await _choose(stage, page, Representation.TABLE)
    table = stage.find("Result table", QTableView)
    table.setCurrentIndex(table.model().index(2, 2))
    QTest.keyClick(table, Qt.Key.Key_S)
    await stage.take("result-table")
    await _choose(stage, page, Representation.TEXT)
    await stage.take("result-text")
    await _choose(stage, page, Representation.TREE)
    page.results.open_find()
    page.results.find_bar.ways.select(FindWay.JMESPATH)
    page.results.find_bar.field.setText("orders[?city == 'Oslo' && total > `100`].{id: id, total: total}")
    QTest.keyClick(page.results.find_bar.field, Qt.Key.Key_Return)
    await stage.until(shown.picked.isVisible)
    await stage.take("result-picked")
    await stage.run("release_notes", {})
    await stage.take("result-rendered")
    await _choose(stage, stage.page("release_notes"), Representation.SOURCE)
    await stage.take("result-source")
    await _files(stage)
    await _arriving(stage)
    await stage.close()


async def _arriving(stage: Stage) -> None:
    await stage.run("summarise_tickets", {}, wait=False)
    page = stage.page("summarise_tickets")
    await stage.until(lambda: "SUP-20440" in page.results.result.arriving.text)
    await stage.take("result-arriving")
    presenter = stage.console.open_tools.current
    if presenter is None:
        raise RuntimeError("summarise_tickets is not open")
    presenter.stop()
    await stage.until(lambda: not presenter.is_running)
    await stage.take("result-stopped")


async def _files(stage: Stage) -> None:
    await stage.run("monthly_report", {})
    stage.page("monthly_report").results.show_tab(ATTACHMENTS_TAB)
    files = stage.find("Attachments", QTableView)
    for row, name in enumerate(("picture", "table", "page", "pdf")):
        files.setCurrentIndex(files.model().index(row, 0))
        await stage.take(f"attachment-{name}")


async def _choose(stage: Stage, page: ExecutionView, form: Representation) -> None:
    shown = page.results.result.shown
    page.results.result_header.forms.select(shown.forms.index(form))
    await stage.settle()
