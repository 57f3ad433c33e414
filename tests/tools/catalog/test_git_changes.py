"""The git tools that change repositories, on real ones in good and bad states."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.tools.catalog.calling import Reviewer, executor_for, failure_of, result_of
from tests.tools.catalog.test_git import Repo
from tools import DryRun
from tools.catalog.git import Git


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path / "project")


def run(repo: Repo, tool: str, /, **arguments: Any) -> Any:
    return result_of(Git(), tool, arguments, repo.folder, Reviewer())


def fail(repo: Repo, tool: str, /, **arguments: Any) -> str:
    """Return why a call fails, after checking that its dry run says the same and that nothing changed."""
    before = repo.git("status", "--porcelain=v2", "--branch")
    message = failure_of(Git(), tool, arguments, repo.folder, Reviewer())
    warnings = look(repo, tool, **arguments).warnings
    assert warnings == (f"{message[0].upper()}{message[1:]}.",)
    assert repo.git("status", "--porcelain=v2", "--branch") == before
    return message


def look(repo: Repo, tool: str, /, **arguments: Any) -> DryRun:
    executor = executor_for(Git(), repo.folder)
    try:
        found = asyncio.run(executor.preview(tool, arguments))
    finally:
        executor.close()
    assert found is not None
    return found


def conflict(repo: Repo) -> None:
    """Stop a merge at a conflict."""
    repo.commit("One", a="1\n")
    repo.git("switch", "--quiet", "--create", "other")
    repo.commit("Two", a="2\n")
    repo.git("switch", "--quiet", "main")
    repo.commit("Three", a="3\n")
    repo.git("config", "merge.conflictStyle", "merge")
    with pytest.raises(Exception, match="merge"):
        repo.git("merge", "other")


def test_files_are_staged_committed_and_unstaged(repo: Repo) -> None:
    repo.write("a", "1\n")
    repo.write("b", "1\n")

    assert look(repo, "git_add", paths=["a"]).items == ("add 'a'",)
    assert [file.path for file in run(repo, "git_add", paths=["a", "b"]).staged] == ["a", "b"]
    assert run(repo, "git_add", paths=["b"], unstage=True).untracked == ("b",)
    found = look(repo, "git_commit", message="First\n\nWhy")
    assert (found.text, [item.split()[0] for item in found.items]) == ("Commit to main: First", ["a"])
    made = run(repo, "git_commit", message="First\n\nWhy")

    assert (made.commit.subject, made.commit.body, made.branch, made.clean) == ("First", "Why", "main", False)
    assert repo.git("show", "--name-only", "--format=", "HEAD") == "a"
    amended = run(repo, "git_commit", message="Better", amend=True)
    assert repo.git("log", "--format=%s") == amended.commit.subject == "Better"


def test_nothing_is_committed_that_nobody_would_find_again(repo: Repo) -> None:
    head = repo.commit("One", a="1\n")
    repo.write("a", "2\n")
    assert "no file is staged; 1 file changed without being staged" in fail(repo, "git_commit", message="x")
    repo.git("checkout", "--quiet", "--detach")
    repo.git("add", "a")

    assert "no branch is checked out" in fail(repo, "git_commit", message="x")
    assert run(repo, "git_commit", message="x", allow_detached=True).branch is None
    switched = run(repo, "git_switch_branch", branch="main")

    assert (switched.previous, switched.commit) == (None, head)


def test_a_commit_needs_a_name_to_commit_under(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(repo.folder / "none"))
    for variable in ("AUTHOR_NAME", "AUTHOR_EMAIL", "COMMITTER_NAME", "COMMITTER_EMAIL"):
        monkeypatch.delenv(f"GIT_{variable}", raising=False)
    repo.write("a", "1\n")
    repo.git("add", "a")

    assert "`git config user.name`" in fail(repo, "git_commit", message="x")


def test_a_hook_that_fails_stops_the_commit_with_its_words(repo: Repo) -> None:
    repo.write("a", "1\n")
    repo.git("add", "a")
    hook = repo.folder / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho checking >&2\necho 'a is not tidy' >&2\nexit 1\n")
    hook.chmod(0o755)

    assert look(repo, "git_commit", message="x").warnings == ("Runs the hooks pre-commit of the repository.",)
    assert "a is not tidy" in failure_of(Git(), "git_commit", {"message": "x"}, repo.folder, Reviewer())
    assert run(repo, "git_commit", message="x", run_hooks=False).clean


def test_what_others_may_have_is_not_amended(repo: Repo, tmp_path: Path) -> None:
    repo.commit("One", a="1")
    repo.git("clone", "--quiet", "--bare", str(repo.folder), str(tmp_path / "up.git"))
    repo.git("remote", "add", "origin", str(tmp_path / "up.git"))
    repo.git("fetch", "--quiet", "origin")
    repo.git("branch", "--quiet", "--set-upstream-to=origin/main")

    assert "origin/main has the newest commit already" in fail(repo, "git_commit", message="x", amend=True)


def test_a_conflict_is_settled_before_anything_else(repo: Repo) -> None:
    conflict(repo)

    assert "'a' is in conflict" in fail(repo, "git_commit", message="x")
    assert "'a' is in conflict" in fail(repo, "git_switch_branch", branch="other")
    assert "mark of a conflict in line 1" in fail(repo, "git_add", paths=["a"])
    repo.write("a", "both\n")
    run(repo, "git_add", paths=["a"])
    assert "while a merge is under way" in fail(repo, "git_switch_branch", branch="other")
    assert look(repo, "git_commit", message="x").warnings == ("Ends a merge.",)
    run(repo, "git_commit", message="Merge other")

    assert len(repo.git("log", "--max-count=1", "--format=%P").split()) == 2


def test_branches_are_made_and_switched_to(repo: Repo) -> None:
    head = repo.commit("One", a="1\n", b="1\n")
    made = run(repo, "git_switch_branch", branch="side", create=True)
    repo.commit("Two", a="2\n")
    repo.write("b", "mine\n")

    assert (made.created, made.previous, made.commit) == (True, "main", head)
    found = look(repo, "git_switch_branch", branch="main")
    assert (found.items, found.warnings) == (("a",), ("Your changes of 1 file come along.",))
    repo.write("a", "mine\n")
    assert "your changes of 'a' would be overwritten" in fail(repo, "git_switch_branch", branch="main")
    assert "exists already" in fail(repo, "git_switch_branch", branch="main", create=True)
    assert "no branch 'none'" in fail(repo, "git_switch_branch", branch="none")
    assert "no name for a branch" in fail(repo, "git_switch_branch", branch="--orphan", create=True)


def test_changes_are_put_aside_and_taken_back(repo: Repo) -> None:
    assert "no commit yet" in fail(repo, "git_stash", action="push")
    repo.commit("One", a="1\n")
    repo.write("new", "1\n")
    assert "set include_untracked" in fail(repo, "git_stash", action="push")
    repo.write("a", "2\n")

    put = run(repo, "git_stash", action="push", message="half", include_untracked=True)
    assert put.status.clean
    assert [stash.subject for stash in run(repo, "git_refs").stashes] == ["On main: half"]
    assert set(look(repo, "git_stash", action="pop").items) == {"a", "new"}
    back = run(repo, "git_stash", action="pop")

    assert (back.commit, (repo.folder / "a").read_text()) == (put.commit, "2\n")
    assert "there is no stash@{0}" in fail(repo, "git_stash", action="drop")


def test_tags_are_made_and_deleted_and_never_moved(repo: Repo) -> None:
    assert "names no commit" in fail(repo, "git_tag", name="v1")
    head = repo.commit("One", a="1\n")

    assert run(repo, "git_tag", name="v1", message="Version 1").commit == head
    assert repo.git("cat-file", "-t", "v1") == "tag"
    assert "tags are not moved" in fail(repo, "git_tag", name="v1")
    assert run(repo, "git_tag", name="v1", delete=True).deleted
    assert repo.git("tag") == ""


def test_files_are_put_back(repo: Repo) -> None:
    repo.commit("One", a="1\n", b="1\n")
    repo.commit("Two", a="2\n")
    repo.write("a", "mine\n")
    repo.git("add", "a")
    repo.write("a", "mine too\n")

    assert look(repo, "git_restore", paths=["a"]).items == ("a +1 -1",)
    run(repo, "git_restore", paths=["a"])
    assert (repo.folder / "a").read_text() == "mine\n"
    run(repo, "git_restore", paths=["a"], staged=True)
    assert repo.git("status", "--porcelain") == ""
    run(repo, "git_restore", paths=["a"], source="HEAD~1")
    assert (repo.folder / "a").read_text() == "1\n"
    assert "nothing to restore" in fail(repo, "git_restore", paths=["b"])
    assert "paths inside" in fail(repo, "git_restore", paths=["../x"])


def test_a_second_working_tree_comes_and_goes(repo: Repo) -> None:
    repo.commit("One", a="1\n")
    run(repo, "git_worktree", action="add", path="../tree", branch="side", create=True)
    tree = repo.folder.parent / "tree"
    assert (tree / "a").read_text() == "1\n"
    (tree / "a").write_text("2\n")
    assert "not committed" in fail(repo, "git_worktree", action="remove", path="../tree")
    (tree / "a").write_text("1\n")

    assert run(repo, "git_worktree", action="remove", path="../tree").removed
    assert not tree.exists()


def test_a_patch_of_several_files_is_applied_whole(repo: Repo) -> None:
    repo.commit("One", **{"a": "1\n", "sub/b": "1\n"})
    patch = "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+2\n--- a/sub/b\n+++ b/sub/b\n@@ -1 +1 @@\n-1\n+2\n"

    assert look(repo, "git_apply_patch", patch=patch).items == ("a +1 -1", "sub/b +1 -1")
    assert "files of the whole repository" in fail(repo, "git_apply_patch", patch=patch, folder="sub")
    run(repo, "git_apply_patch", patch=patch)
    assert repo.git("diff", "--name-only").split() == ["a", "sub/b"]
    assert "patch failed: a:1" in fail(repo, "git_apply_patch", patch=patch)
    run(repo, "git_apply_patch", patch=patch, reverse=True)
    outside = patch.replace("/a\n", "/../../x\n")

    assert repo.git("diff") == ""
    assert "git apply failed" in fail(repo, "git_apply_patch", patch=outside)


def test_history_is_looked_at_closely(repo: Repo) -> None:
    first = repo.commit("One", **{"sub/a": "1\n2\n3\n"})
    repo.git("tag", "v1")
    second = repo.commit("Two\n\nWhy", **{"sub/a": "1\nB\n3\n"})
    repo.write("sub/a", "1\nB\nmine\n")

    shown = run(repo, "git_show")
    assert (shown.commit.hash, shown.parents, [file.path for file in shown.files]) == (second, (first,), ["sub/a"])
    assert "-2\n+B\n" in shown.patch
    assert [file.added for file in run(repo, "git_show", ref="v1").files] == [3]
    assert run(repo, "git_file_at", file="sub/a", ref="v1").text == "1\n2\n3\n"
    blamed = run(repo, "git_blame", file="sub/a").blocks
    assert [(block.first_line, block.lines, block.commit) for block in blamed] == [
        (1, ("1",), first),
        (2, ("B",), second),
        (3, ("mine",), None),
    ]
    assert run(repo, "git_blame", file="sub/a", first_line=2, last_line=2).blocks[0].subject == "Two"
    refs = run(repo, "git_refs")
    assert [(ref.name, ref.is_current, ref.commit) for ref in refs.branches] == [("main", True, second)]
    assert ([ref.name for ref in refs.tags], refs.worktrees) == (["v1"], (str(repo.folder),))


def test_branches_are_compared_from_where_they_parted(repo: Repo) -> None:
    base = repo.commit("One", a="1\n")
    repo.git("switch", "--quiet", "--create", "side")
    repo.commit("Two", b="2\n")
    repo.git("switch", "--quiet", "main")
    repo.commit("Three", c="3\n")

    found = run(repo, "git_compare_branches", base="main", target="side")

    assert (found.merge_base, found.ahead, found.behind) == (base, 1, 1)
    assert [commit.subject for commit in (*found.ahead_commits, *found.behind_commits)] == ["Two", "Three"]
    assert [file.path for file in found.files] == ["b"]
