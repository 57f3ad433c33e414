"""The project folder: which one counts, what branch it is on, the ones used before, and the sample."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QToolButton
from pytestqt.qtbot import QtBot

from console.preferences import Preferences, RecentProject
from console.welcome.view import WelcomeView
from console.window import MainWindow
from console.window.project import ProjectChooser, branch_of, folder_of, sample_project
from tools import Executor, ToolRegistry
from tools.paths import NO_PROJECT

NOW = datetime(2026, 11, 23, 12, 0, tzinfo=UTC)


def git_folder(folder: Path, head: str) -> Path:
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text(f"{head}\n", "utf-8")
    return folder


def test_the_branch_of_a_repository_is_read_in_each_of_its_folders(tmp_path: Path) -> None:
    repository = git_folder(tmp_path / "shop", "ref: refs/heads/feature/refunds")
    inside = repository / "src" / "shop"
    inside.mkdir(parents=True)

    assert branch_of(repository) == "feature/refunds"
    assert branch_of(inside) == "feature/refunds"


@pytest.mark.parametrize("is_relative", [False, True])
def test_the_branch_of_a_worktree_is_its_own(tmp_path: Path, is_relative: bool) -> None:
    repository = git_folder(tmp_path / "shop", "ref: refs/heads/main")
    own = repository / ".git" / "worktrees" / "hotfix"
    own.mkdir(parents=True)
    (own / "HEAD").write_text("ref: refs/heads/hotfix\n", "utf-8")
    worktree = tmp_path / "hotfix"
    worktree.mkdir()
    target = "../shop/.git/worktrees/hotfix" if is_relative else own
    (worktree / ".git").write_text(f"gitdir: {target}\n", "utf-8")

    assert branch_of(worktree) == "hotfix"


def test_a_detached_head_shows_the_beginning_of_its_commit(tmp_path: Path) -> None:
    assert branch_of(git_folder(tmp_path, "0123456789abcdef0123456789abcdef01234567")) == "012345678"


def test_a_folder_without_git_has_no_branch(tmp_path: Path) -> None:
    assert branch_of(tmp_path) == ""
    assert branch_of(tmp_path / "gone") == ""


@pytest.mark.parametrize("name", [".git", ".git/HEAD"])
def test_what_git_never_wrote_is_no_branch(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"\xff\xfe\x00garbage")

    assert branch_of(tmp_path) == ""


def test_the_sample_project_is_copied_once_and_then_the_persons_own(tmp_path: Path) -> None:
    sample = sample_project(tmp_path)
    readme = next(sample.glob("*.md"))
    assert not list(sample.rglob("__pycache__"))
    readme.write_text("mine", "utf-8")

    assert sample_project(tmp_path) == sample
    assert readme.read_text("utf-8") == "mine"


class Bench:
    """A chooser between a window, an executor and preferences."""

    def __init__(self, window: MainWindow, preferences: Preferences, folder: Path | None = None) -> None:
        self.window = window
        self.welcome = WelcomeView(window)
        self.preferences = preferences
        self.executor = Executor(ToolRegistry())
        self.chooser = ProjectChooser(window, self.welcome, self.executor, preferences, folder, now=lambda: NOW)
        self.refused: list[str] = []
        self.chooser.refused.connect(self.refused.append)

    def close(self) -> None:
        asyncio.run(self.executor.aclose())

    def menu(self) -> list[QAction]:
        """Return the entries of the project menu."""
        project = next(found for found in self.window.findChildren(QToolButton) if "roject" in found.accessibleName())
        menu = project.menu()
        assert menu is not None
        return [action for action in menu.actions() if not action.isSeparator()]

    def entry(self, begin: str) -> QAction:
        """Return the entry that begins so."""
        return next(action for action in self.menu() if action.text().startswith(begin))

    def row(self, begin: str) -> QAbstractButton:
        """Return what the first page lists or offers under a name that begins so."""
        buttons = self.welcome.findChildren(QAbstractButton)
        return next(found for found in buttons if (found.accessibleName() or found.text()).startswith(begin))

    def listed(self) -> list[str]:
        """Return the recent projects that the first page lists."""
        buttons = self.welcome.findChildren(QAbstractButton)
        names = [found.accessibleName() for found in buttons if found.isVisibleTo(self.welcome)]
        return [name for name in names if "opened" in name or "missing" in name]


@pytest.fixture
def window(qtbot: QtBot) -> MainWindow:
    window = MainWindow()
    qtbot.addWidget(window)
    return window


@pytest.fixture
def preferences(tmp_path: Path, qapp: object) -> Preferences:
    return Preferences(tmp_path / "window.ini")


@pytest.fixture
def bench(window: MainWindow, preferences: Preferences) -> Iterator[Bench]:
    bench = Bench(window, preferences)
    yield bench
    bench.close()


def test_nothing_stands_in_while_no_folder_is_chosen(bench: Bench) -> None:
    assert bench.chooser.folder is None
    assert bench.executor.project_dir == NO_PROJECT
    assert folder_of(bench.executor) == Path.home()
    assert bench.preferences.recent_projects == ()


@pytest.mark.parametrize("place", ["the first page", "the project menu"])
def test_the_sample_project_is_opened_when_somebody_wants_it(
    qtbot: QtBot, bench: Bench, strange_home: Path, place: str
) -> None:
    if place == "the first page":
        qtbot.mouseClick(bench.row("Open the sample project"), Qt.MouseButton.LeftButton)
    else:
        bench.entry("Try the sample project").trigger()

    assert bench.chooser.folder == bench.executor.project_dir == sample_project()
    assert sample_project().is_relative_to(strange_home)
    assert bench.row("Open the sample project").isHidden()


def test_the_projects_used_before_are_listed_with_path_and_moment(bench: Bench, tmp_path: Path) -> None:
    for name, days in (("older", 2), ("newer", 1), ("now", 0)):
        (tmp_path / name).mkdir()
        bench.preferences.add_recent_project(tmp_path / name, NOW - timedelta(days=days))
    bench.chooser.choose(tmp_path / "now")

    assert bench.listed() == ["newer, opened yesterday", "older, opened 2 days ago"]
    assert str(tmp_path / "newer") in bench.row("newer").toolTip()
    assert [action.text().split("\t")[0] for action in bench.menu()[2:]] == ["newer", "older"]
    assert bench.menu()[2].toolTip() == str(tmp_path / "newer")


@pytest.mark.parametrize("how", ["click", "Enter", "menu"])
def test_a_project_used_before_is_opened_by_click_and_key(qtbot: QtBot, bench: Bench, tmp_path: Path, how: str) -> None:
    for name in ("shop", "agent"):
        (tmp_path / name).mkdir()
        bench.chooser.choose(tmp_path / name)
    match how:
        case "click":
            qtbot.mouseClick(bench.row("shop"), Qt.MouseButton.LeftButton)
        case "Enter":
            qtbot.keyClick(bench.row("shop"), Qt.Key.Key_Return)
        case _:
            bench.entry("shop").trigger()

    assert bench.chooser.folder == tmp_path / "shop"
    assert [item.folder for item in bench.preferences.recent_projects] == [tmp_path / "shop", tmp_path / "agent"]


@pytest.mark.parametrize("how", ["button", "Delete", "menu"])
def test_a_project_whose_folder_is_gone_is_marked_and_can_be_removed(
    qtbot: QtBot, bench: Bench, tmp_path: Path, how: str
) -> None:
    bench.preferences.add_recent_project(tmp_path / "gone", NOW)
    bench.chooser.choose(tmp_path)
    assert bench.listed() == ["gone, the folder is missing"]
    match how:
        case "button":
            qtbot.mouseClick(bench.row("Remove gone"), Qt.MouseButton.LeftButton)
        case "Delete":
            qtbot.keyClick(bench.row("gone"), Qt.Key.Key_Delete)
        case _:
            bench.entry("Remove gone (missing)").trigger()

    assert bench.listed() == []
    assert bench.preferences.recent_projects == (RecentProject(tmp_path, NOW),)


def test_up_and_down_go_through_the_projects(qtbot: QtBot, bench: Bench, tmp_path: Path) -> None:
    for name in ("one", "two", "three"):
        (tmp_path / name).mkdir()
        bench.chooser.choose(tmp_path / name)
    bench.window.setCentralWidget(bench.welcome)
    with qtbot.waitActive(bench.window):
        bench.window.show()
    bench.row("two").setFocus()

    qtbot.keyClick(bench.row("two"), Qt.Key.Key_Down)
    assert bench.row("one").hasFocus()
    qtbot.keyClick(bench.row("one"), Qt.Key.Key_Down)
    assert bench.row("one").hasFocus()
    qtbot.keyClick(bench.row("one"), Qt.Key.Key_Up)
    assert bench.row("two").hasFocus()


def test_a_chosen_folder_counts_at_once_and_is_remembered(bench: Bench, tmp_path: Path) -> None:
    folder = git_folder(tmp_path / "shop", "ref: refs/heads/main")
    bench.window.top_bar.project_chosen.emit(folder)

    assert bench.chooser.folder == folder
    assert bench.executor.project_dir == folder
    assert bench.preferences.recent_projects == (RecentProject(folder, NOW),)
    assert bench.refused == []


def test_a_folder_that_is_gone_is_refused_and_changes_nothing(bench: Bench, tmp_path: Path) -> None:
    bench.chooser.choose(tmp_path)
    bench.chooser.choose(tmp_path / "gone")

    assert bench.refused == [f"The folder {tmp_path / 'gone'} is gone"]
    assert bench.chooser.folder == tmp_path
    assert bench.executor.project_dir == tmp_path
    assert bench.preferences.recent_projects == (RecentProject(tmp_path, NOW),)


def test_the_next_start_takes_the_latest_folder_that_still_exists(
    window: MainWindow, preferences: Preferences, tmp_path: Path
) -> None:
    for name in ("oldest", "older", "latest"):
        (tmp_path / name).mkdir()
        preferences.add_recent_project(tmp_path / name, NOW)
    (tmp_path / "latest").rmdir()
    bench = Bench(window, preferences)

    assert bench.chooser.folder == tmp_path / "older"
    bench.close()


def test_a_folder_given_at_the_start_wins(window: MainWindow, preferences: Preferences, tmp_path: Path) -> None:
    (tmp_path / "used").mkdir()
    (tmp_path / "given").mkdir()
    preferences.add_recent_project(tmp_path / "used", NOW)
    bench = Bench(window, preferences, tmp_path / "given")

    assert bench.executor.project_dir == tmp_path / "given"
    bench.close()
