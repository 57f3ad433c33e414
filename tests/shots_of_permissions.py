"""Scenes for the pictures: an answer that is remembered, the rules that came of answers, and permissions of tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QPushButton, QRadioButton, QTabBar, QTreeView, QWidget

from console.approval.page_view import REMEMBERED
from console.permissions.view import PermissionsView

if TYPE_CHECKING:
    from tests.shots import Stage

__all__ = ["remembered"]


async def remembered(stage: Stage) -> None:
    """Answers become rules; tools and sources get permissions."""
    await stage.open(first_time=False, data=stage.home / f"remembered-{stage.theme.mode}")
    console = stage.console
    for text in ("first", "second", "third"):
        lines = {"path": "docs/notes.md", "text": f"{text}\n"}
        await _answer(stage, "append_file", lines, "Only this call", "Allow once")
    console.window.status_bar.level_chosen.emit("cautious")
    await _answer(stage, "append_file", {"path": "docs/notes.md", "text": "fourth\n"}, "This session", "Allow")
    await _answer(stage, "append_file", {"path": "docs/notes.md", "text": "fifth\n"}, "Always", "Allow")
    await _answer(stage, "delete_file", {"path": "src", "recursive": True}, "Always", "Deny")
    console.window.rail.choose("approvals")
    await stage.settle()
    stage.find("Approvals", QTabBar).setCurrentIndex(REMEMBERED)
    table = await stage.table("Rules")
    await stage.until(lambda: table.model().rowCount())
    table.selectRow(0)
    await stage.take("remembered-rules")
    stage.find("Remembered", PermissionsView).rules.edit.click()
    await stage.take("remembered-edit")
    for dialog in console.window.findChildren(QDialog):
        dialog.reject()
    stage.find("What is shown", QWidget).setFocus()
    QTest.keyClick(stage.find("What is shown", QWidget), Qt.Key.Key_Right)
    tree = stage.find("Permissions of sources and tools", QTreeView)
    for tool, key in (("run_command", Qt.Key.Key_N), ("read_file", Qt.Key.Key_W), ("move_file", Qt.Key.Key_A)):
        model = tree.model()
        place = model.match(model.index(0, 0), Qt.ItemDataRole.DisplayRole, tool, 1, Qt.MatchFlag.MatchRecursive)
        tree.setCurrentIndex(place[0])
        QTest.keyClick(tree, key)
        await stage.settle()
    await stage.take("remembered-permissions")
    await stage.close()


async def _answer(stage: Stage, tool: str, arguments: dict[str, Any], remember: str, answer: str) -> None:
    """Run a tool, and remember the answer to its question."""
    console = stage.console
    await stage.run(tool, arguments, wait=False)
    await stage.until(lambda: any(dialog.isVisible() for dialog in console.window.findChildren(QDialog)))

    def offers() -> list[QRadioButton]:
        radios = [radio for radio in console.window.findChildren(QRadioButton) if radio.isVisible()]
        return [radio for radio in radios if radio.text().startswith(remember)]

    await stage.until(offers)
    offers()[0].click()
    button = stage.find(answer, QPushButton)
    await stage.until(button.isEnabled)
    if remember == "Always" and answer == "Allow":
        await stage.take("remember")
    button.click()
    presenter = console.open_tools.current
    await stage.until(lambda: presenter is not None and not presenter.is_running)
