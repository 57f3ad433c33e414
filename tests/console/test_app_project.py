"""The project folder: which one counts, what branch it is on, and the sample in its stead."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from console.app.project import ProjectChooser, branch_of, sample_project
from console.preferences import Preferences
from console.window import MainWindow
from tools import Executor, ToolRegistry


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
        self.preferences = preferences
        self.executor = Executor(ToolRegistry())
        self.chooser = ProjectChooser(window, self.executor, preferences, folder)
        self.refused: list[str] = []
        self.chooser.refused.connect(self.refused.append)

    def close(self) -> None:
        asyncio.run(self.executor.aclose())


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


def test_the_sample_stands_in_until_a_folder_is_chosen(bench: Bench, strange_home: Path) -> None:
    assert bench.chooser.folder is None
    assert bench.executor.project_dir == sample_project()
    assert bench.executor.project_dir.is_relative_to(strange_home)


def test_a_chosen_folder_counts_at_once_and_is_remembered(bench: Bench, tmp_path: Path) -> None:
    folder = git_folder(tmp_path / "shop", "ref: refs/heads/main")
    bench.window.top_bar.project_chosen.emit(folder)

    assert bench.chooser.folder == folder
    assert bench.executor.project_dir == folder
    assert bench.preferences.recent_projects == (folder,)
    assert bench.refused == []


def test_a_folder_that_is_gone_is_refused_and_changes_nothing(bench: Bench, tmp_path: Path) -> None:
    bench.chooser.choose(tmp_path)
    bench.chooser.choose(tmp_path / "gone")

    assert bench.refused == [f"The folder {tmp_path / 'gone'} is gone"]
    assert bench.chooser.folder == tmp_path
    assert bench.executor.project_dir == tmp_path
    assert bench.preferences.recent_projects == (tmp_path,)


def test_the_next_start_takes_the_latest_folder_that_still_exists(
    window: MainWindow, preferences: Preferences, tmp_path: Path
) -> None:
    for name in ("oldest", "older", "latest"):
        (tmp_path / name).mkdir()
        preferences.add_recent_project(tmp_path / name)
    (tmp_path / "latest").rmdir()
    bench = Bench(window, preferences)

    assert bench.chooser.folder == tmp_path / "older"
    bench.close()


def test_a_folder_given_at_the_start_wins(window: MainWindow, preferences: Preferences, tmp_path: Path) -> None:
    (tmp_path / "used").mkdir()
    (tmp_path / "given").mkdir()
    preferences.add_recent_project(tmp_path / "used")
    bench = Bench(window, preferences, tmp_path / "given")

    assert bench.executor.project_dir == tmp_path / "given"
    bench.close()
