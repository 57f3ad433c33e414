"""The git tools on real repositories."""

from __future__ import annotations

import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.tools.catalog.calling import Reviewer, failure_of, result_of
from tools.catalog.git import Git

DAY = "2026-03-0{}T12:00:00+01:00"


class Repo:
    """A repository made by hand, with days instead of the clock."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._day = 0
        folder.mkdir(exist_ok=True)
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *arguments: str) -> str:
        date = DAY.format(self._day)
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.folder,
            env=os.environ | {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.strip()

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def commit(self, message: str, **files: str) -> str:
        self._day += 1
        for name, text in files.items():
            self.write(name, text)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)
        return self.git("rev-parse", "HEAD")


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path / "project")


def run(repo: Repo, name: str, **arguments: Any) -> Any:
    return result_of(Git(), name, arguments, repo.folder)


def test_a_repository_without_commits_has_a_status_and_an_empty_log(repo: Repo) -> None:
    repo.write("new.txt", "x")

    status = run(repo, "git_status")

    assert (status.branch, status.commit, status.untracked, status.clean) == ("main", None, ("new.txt",), False)
    assert run(repo, "git_log").commits == ()


def test_the_status_sorts_changes(repo: Repo) -> None:
    repo.write("sub/kept.txt", "kept\n")
    head = repo.commit("One", a="1\n" * 20, b="2\n", c="3\n", d="4\n")
    assert run(repo, "git_status").clean

    repo.git("mv", "a", "ä new name")
    repo.write("b", "changed\n")
    repo.git("add", "b")
    repo.write("b", "changed again\n")
    (repo.folder / "c").unlink()
    repo.write("sub/new.txt", "x")

    status = run(repo, "git_status")

    assert status.commit == head
    assert {(file.path, file.change, file.old_path) for file in status.staged} == {
        ("ä new name", "renamed", "a"),
        ("b", "modified", None),
    }
    assert {(file.path, file.change) for file in status.unstaged} == {("b", "modified"), ("c", "deleted")}
    assert status.untracked == ("sub/new.txt",)
    assert not status.clean
    assert run(repo, "git_status", untracked=False).untracked == ()
    assert run(repo, "git_status", limit=1).truncated


def test_a_status_can_be_of_one_folder(repo: Repo) -> None:
    repo.write("sub/x", "1")
    repo.commit("One", a="1")
    repo.write("sub/x", "2")
    repo.write("a", "2")

    assert [file.path for file in run(repo, "git_status", folder="sub").unstaged] == ["sub/x"]


def test_the_status_tells_the_distance_from_the_upstream(repo: Repo, tmp_path: Path) -> None:
    repo.commit("One", a="1")
    repo.git("clone", "--quiet", "--bare", str(repo.folder), str(tmp_path / "up.git"))
    repo.git("remote", "add", "origin", str(tmp_path / "up.git"))
    repo.git("fetch", "--quiet", "origin")
    repo.git("branch", "--quiet", "--set-upstream-to=origin/main")
    repo.commit("Two", a="2")
    repo.commit("Three", a="3")

    status = run(repo, "git_status")

    assert (status.upstream, status.ahead, status.behind) == ("origin/main", 2, 0)
    repo.git("checkout", "--quiet", "--detach", "HEAD~1")
    assert run(repo, "git_status").branch is None


def test_a_merge_that_is_not_settled_is_shown(repo: Repo) -> None:
    repo.commit("One", a="1\n")
    repo.git("checkout", "--quiet", "-b", "other")
    repo.commit("Theirs", a="2\n")
    repo.git("checkout", "--quiet", "main")
    repo.commit("Ours", a="3\n")
    with pytest.raises(subprocess.CalledProcessError):
        repo.git("merge", "--quiet", "other")

    assert run(repo, "git_status").conflicted == ("a",)


def test_the_log_has_the_newest_commit_first(repo: Repo) -> None:
    first = repo.commit("First\n\nWith a body\nof two lines.", a="1")
    second = repo.commit("Second", a="2")
    repo.git("tag", "v1", first)

    log = run(repo, "git_log")

    assert [commit.hash for commit in log.commits] == [second, first]
    older = log.commits[1]
    assert (older.subject, older.body, older.refs) == ("First", "With a body\nof two lines.", ("tag: v1",))
    assert (older.author, older.email) == ("Tester", "tester@example.org")
    assert older.date == datetime(2026, 3, 1, 11, tzinfo=UTC)
    assert not log.truncated
    assert run(repo, "git_log", limit=1).truncated


def test_the_log_is_narrowed(repo: Repo) -> None:
    repo.commit("Fix [a] thing", a="1")
    repo.commit("Add more", b="1")
    repo.git("checkout", "--quiet", "-b", "side", "HEAD~1")
    repo.commit("On the side", **{"sub/c": "1"})

    def subjects(**more: Any) -> list[str]:
        return [commit.subject for commit in run(repo, "git_log", **more).commits]

    assert subjects(ref="main") == ["Add more", "Fix [a] thing"]
    assert subjects(ref="side~1") == ["Fix [a] thing"]
    assert subjects(containing="fix [A]") == ["Fix [a] thing"]
    assert subjects(author="nobody") == []
    assert subjects(author="TESTER@", since="2026-03-02T00:00:00Z") == ["On the side"]
    assert subjects(until="2026-03-02T00:00:00+00:00") == ["Fix [a] thing"]
    assert subjects(folder="sub") == ["On the side"]


@pytest.mark.parametrize("ref", ["--output=stolen", "-n1", "no-such-branch", "HEAD..main", "a\nb", "", " "])
def test_what_names_no_commit_is_refused(repo: Repo, ref: str) -> None:
    repo.commit("One", a="1")

    message = failure_of(Git(), "git_log", {"ref": ref}, repo.folder)

    assert "names no commit" in message or "expected a branch, tag or commit" in message
    assert not (repo.folder / "stolen").exists()


def test_diffs_of_the_working_tree_the_index_and_commits(repo: Repo) -> None:
    first = repo.commit("One", a="1\n2\n3\n", b="x\n")
    repo.write("a", "1\nzwei\n3\n")
    repo.git("add", "a")
    repo.write("b", "x\ny\n")
    (repo.folder / "binary").write_bytes(b"\0\1\2")
    repo.git("add", "binary")

    unstaged = run(repo, "git_diff")
    assert [(file.path, file.added, file.deleted) for file in unstaged.files] == [("b", 1, 0)]
    assert "+y" in unstaged.patch
    assert unstaged.compared == "the index → the working tree"

    staged = run(repo, "git_diff", staged=True, context_lines=0)
    assert [(file.path, file.added, file.deleted) for file in staged.files] == [("a", 1, 1), ("binary", None, None)]
    assert "@@ -2 +2 @@\n-2\n+zwei\n" in staged.patch

    second = repo.commit("Two")
    between = run(repo, "git_diff", base=first, target="main", paths=["b"])
    assert [file.path for file in between.files] == ["b"]
    assert second != first
    assert run(repo, "git_diff", base="HEAD").files == ()


def test_a_long_diff_is_cut_and_says_so(repo: Repo) -> None:
    repo.commit("One", a="")
    repo.write("a", "ä\n" * 1000)

    diff = run(repo, "git_diff", max_characters=100)

    assert (len(diff.patch), diff.truncated) == (100, True)
    assert diff.files[0].added == 1000


def test_a_diff_never_reads_outside_the_repository(repo: Repo, tmp_path: Path) -> None:
    repo.commit("One", a="1")
    for name in ("secret", "other"):
        (tmp_path / name).write_text(name)

    arguments = {"paths": ["../secret", "../other"]}
    assert "expected paths inside" in failure_of(Git(), "git_diff", arguments, repo.folder)
    arguments = {"paths": [str(tmp_path / "secret"), str(tmp_path / "other")]}
    assert "expected paths inside" in failure_of(Git(), "git_diff", arguments, repo.folder)


def test_a_diff_needs_two_ends(repo: Repo) -> None:
    repo.commit("One", a="1")

    assert "expected base beside target" in failure_of(Git(), "git_diff", {"target": "main"}, repo.folder)


def test_a_file_is_followed_through_renames(repo: Repo) -> None:
    repo.commit("Begin", **{"old name": "1\n2\n3\n4\n5\n"})
    repo.commit("Elsewhere", other="x")
    repo.write("sub/x", "")
    repo.git("mv", "old name", "sub/new name")
    repo.commit("Move")
    repo.commit("Change", **{"sub/new name": "1\n2\n3\n4\n5\n6\n"})

    history = run(repo, "git_file_history", file="sub/new name")

    assert history.path == "sub/new name"
    assert [
        (revision.commit.subject, revision.path, revision.old_path, revision.added) for revision in history.revisions
    ] == [
        ("Change", "sub/new name", None, 1),
        ("Move", "sub/new name", "old name", 0),
        ("Begin", "old name", None, 5),
    ]
    assert run(repo, "git_file_history", file="sub/new name", limit=2).truncated


def test_a_deleted_file_has_a_history(repo: Repo) -> None:
    repo.commit("Begin", **{"gone/deep/x": "1\n"})
    repo.git("rm", "--quiet", "-r", "gone")
    repo.commit("Delete")

    history = run(repo, "git_file_history", file="gone/deep/x")

    assert [revision.commit.subject for revision in history.revisions] == ["Delete", "Begin"]


def test_a_file_that_was_never_committed_has_none(repo: Repo) -> None:
    repo.commit("One", a="1")
    repo.write("new", "x")

    assert "'new' is in no commit" in failure_of(Git(), "git_file_history", {"file": "new"}, repo.folder)


def test_a_folder_without_a_repository_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", str(tmp_path))

    assert "lies in no git repository" in failure_of(Git(), "git_status", {}, tmp_path)
    assert "is none" in failure_of(Git(), "git_status", {"folder": "missing"}, tmp_path)


def test_a_folder_outside_the_project_asks_first(repo: Repo, tmp_path: Path) -> None:
    outside = Repo(tmp_path / "outside")
    outside.commit("One", a="1")
    reviewer = Reviewer()

    result_of(Git(), "git_status", {"folder": str(outside.folder)}, repo.folder, reviewer)

    assert reviewer.kinds == ["outside_project"]


def test_without_git_the_failure_says_so(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    assert "no program 'git' can be run" in failure_of(Git(), "git_status", {}, repo.folder)


def test_programs_named_by_the_repository_never_start(repo: Repo) -> None:
    repo.write(".gitattributes", "* filter=evil diff=evil\n*.x filter=a=b\n")
    repo.commit("One", a="1\n", **{"b.x": "1\n"})
    trap = f"touch '{repo.folder.parent}/started'; cat"
    for key in (
        "core.fsmonitor",
        "core.pager",
        "core.sshCommand",
        "diff.external",
        "diff.evil.textconv",
        "diff.evil.command",
        "filter.evil.clean",
        "filter.evil.smudge",
        "filter.evil.process",
        "filter.a=b.clean",
        "gpg.program",
    ):
        repo.git("config", key, trap)
    repo.git("config", "filter.evil.required", "true")
    repo.git("config", "log.showSignature", "true")
    repo.write("a", "2\n")
    repo.write("b.x", "2\n")

    assert {file.path for file in run(repo, "git_status").unstaged} == {"a", "b.x"}
    assert {file.path for file in run(repo, "git_diff").files} == {"a", "b.x"}
    assert run(repo, "git_log").commits
    assert run(repo, "git_file_history", file="a").revisions
    assert not (repo.folder.parent / "started").exists()
    # The traps are real: git as a person runs it does start them.
    subprocess.run(["git", "status"], cwd=repo.folder, capture_output=True, check=False)
    assert (repo.folder.parent / "started").exists()


def test_looking_changes_nothing(repo: Repo) -> None:
    repo.commit("One", a="1")
    os.utime(repo.folder / "a", (0, 0))
    index = (repo.folder / ".git" / "index").read_bytes()

    run(repo, "git_status")
    assert run(repo, "git_diff").files == ()

    assert (repo.folder / ".git" / "index").read_bytes() == index
