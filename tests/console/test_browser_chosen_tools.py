"""Which built-in tools the dock shows in a project, and that it is remembered."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from PySide6.QtWidgets import QTreeView
from pytestqt.qtbot import QtBot

from console.browser.chosen_tools import ChosenTools, show_first_choice
from console.browser.model import ToolTreeModel
from console.browser.presenter import tool_row
from console.browser.view import BrowserView
from console.preferences import Preferences
from console.tasks import TaskScope
from console.theme import ThemeController
from tests.tools.running import until
from tools.catalog import builtin_tools


@pytest.fixture
def view(qtbot: QtBot, theme: ThemeController) -> BrowserView:
    view = BrowserView()
    qtbot.addWidget(view)
    view.set_rows([tool_row(tool.card) for tool in builtin_tools()])
    return view


class Project:
    """A folder that can be changed for another one."""

    folder: Path | None = None

    def __call__(self) -> Path | None:
        return self.folder


async def choose(view: BrowserView, project: Project, preferences: Preferences) -> ChosenTools:
    scope = TaskScope("test")
    chosen = ChosenTools(view, project, preferences=preferences, compute=asyncio.to_thread, scope=scope, parent=view)
    chosen.look_again()
    await until(lambda: not scope.busy)
    return chosen


def shown(view: BrowserView) -> set[str]:
    tree = view.findChild(QTreeView)
    assert tree is not None
    model = tree.model()
    assert isinstance(model, ToolTreeModel)
    return {tool.name for tool in builtin_tools() if model.index_of(tool.name).isValid()}


def test_a_project_shows_its_own_tools_and_all_when_wanted_at_the_next_start_as_well(
    view: BrowserView, tmp_path: Path
) -> None:
    tables, bare, project = tmp_path / "tables", tmp_path / "bare", Project()
    tables.mkdir()
    bare.mkdir()
    (tables / "orders.csv").touch()
    preferences = Preferences(tmp_path / "window.ini")
    project.folder = tables
    asyncio.run(choose(view, project, preferences))
    assert "profile_table" in shown(view)
    assert 20 <= len(shown(view)) <= 40

    view.all_requested.emit(True)
    assert len(shown(view)) == len(builtin_tools())

    project.folder = bare
    asyncio.run(choose(view, project, preferences))
    assert "profile_table" not in shown(view)
    preferences.save()
    project.folder = tables
    asyncio.run(choose(view, project, Preferences(tmp_path / "window.ini")))
    assert len(shown(view)) == len(builtin_tools())


def test_the_next_start_shows_the_tools_of_its_project_before_anybody_looks(view: BrowserView, tmp_path: Path) -> None:
    (tmp_path / "orders.csv").touch()
    preferences, project = Preferences(tmp_path / "window.ini"), Project()
    show_first_choice(view, preferences, tmp_path)
    assert "profile_table" not in shown(view)
    project.folder = tmp_path
    asyncio.run(choose(view, project, preferences))
    chosen = shown(view)
    preferences.save()

    again = Preferences(tmp_path / "window.ini")
    show_first_choice(view, again, None)
    assert "profile_table" not in shown(view)
    show_first_choice(view, again, tmp_path)
    assert shown(view) == chosen


def test_a_star_is_remembered_and_shows_a_tool_in_every_project(view: BrowserView, tmp_path: Path) -> None:
    preferences = Preferences(tmp_path / "window.ini")
    asyncio.run(choose(view, Project(), preferences))
    assert "draw_chart" not in shown(view)

    view.star_requested.emit("draw_chart", True)

    assert "draw_chart" in shown(view)
    assert preferences.starred_tools == ("draw_chart",)
    view.star_requested.emit("draw_chart", False)
    assert "draw_chart" not in shown(view)
    assert len(preferences.starred_tools) == 0
