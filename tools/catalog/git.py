"""Look at git repositories and change them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Annotated, Final

from annotated_types import Ge, Le

from tools.catalog._git import (
    COMMIT_FORMAT,
    MAX_OUTPUT_BYTES,
    Commit,
    FileCounts,
    GitStatus,
    Repository,
    parse_commits,
    parse_counts,
    parse_status,
)
from tools.catalog._probes import need_running
from tools.catalog.git_history import GitHistory
from tools.catalog.git_write import ChangingGit
from tools.declare import tool, toolkit
from tools.errors import ToolFailure
from tools.spec import Param, PathRole, ToolExample

Folder = Annotated[Path, PathRole(), Param("A folder inside the repository; only what lies in it is looked at")]

_HERE: Final = Path()
_TIMEOUT_S: Final = 120.0


@dataclass(frozen=True)
class GitLog:
    """Commits, newest first.

    Attributes:
        repository: The repository's top folder.
        commits: The commits.
        truncated: Whether older ones follow.
    """

    repository: str
    commits: tuple[Commit, ...]
    truncated: bool


@dataclass(frozen=True)
class GitDiff:
    """What changed.

    Attributes:
        repository: The repository's top folder.
        compared: What was compared with what, in words.
        files: The changed files with their line counts.
        patch: The changes as a unified diff.
        truncated: Whether files or patch go on.
    """

    repository: str
    compared: str
    files: tuple[FileCounts, ...]
    patch: str
    truncated: bool


@dataclass(frozen=True)
class FileRevision:
    """One commit that changed a file.

    Attributes:
        commit: The commit.
        path: What the file was called then.
        old_path: What it was called before that commit; None when the commit did not rename it.
        added: Lines added; None for a binary file.
        deleted: Lines deleted; None for a binary file.
    """

    commit: Commit
    path: str
    old_path: str | None
    added: int | None
    deleted: int | None


@dataclass(frozen=True)
class FileHistory:
    """The commits that changed one file, newest first, renames followed.

    Attributes:
        repository: The repository's top folder.
        path: The file, from there.
        revisions: The commits.
        truncated: Whether older ones follow.
    """

    repository: str
    path: str
    revisions: tuple[FileRevision, ...]
    truncated: bool


@toolkit("Git", category="git", needs=("git",), probe="find_git", probe_on_request=True)
class Git(GitHistory, ChangingGit):
    """Look at the state and the history of git repositories, and change them."""

    @tool(
        keywords=("version control", "changes", "branch", "staged", "untracked"),
        latency="medium",
        read_only=True,
        open_world=False,
        timeout_s=_TIMEOUT_S,
        examples=(
            ToolExample(input={}, description="The project folder's repository"),
            ToolExample(input={"folder": "libs/parser", "limit": 50}, description="Only what lies in one folder"),
        ),
    )
    async def git_status(
        self,
        folder: Folder = _HERE,
        *,
        untracked: Annotated[bool, Param("Whether to list files that git does not know")] = True,
        limit: Annotated[int, Ge(1), Le(5000), Param("The most entries of each list")] = 200,
    ) -> GitStatus:
        """Show a git working tree's branch, its distance from its upstream, and its changed and untracked files."""
        repository = await Repository.open(folder)
        text, cut = await repository.ask_much(
            "status",
            "--porcelain=v2",
            "--branch",
            "-z",
            "--ignore-submodules=dirty",
            f"--untracked-files={'all' if untracked else 'no'}",
            "--",
            *repository.here,
            max_bytes=MAX_OUTPUT_BYTES,
        )
        return parse_status(text, str(repository.root), limit, cut=cut)

    @tool(
        keywords=("version control", "commits", "history", "author"),
        latency="medium",
        read_only=True,
        open_world=False,
        timeout_s=_TIMEOUT_S,
        examples=(
            ToolExample(input={"limit": 5}, description="The five newest commits"),
            ToolExample(
                input={"ref": "main", "author": "Mira", "since": "2026-01-01T00:00:00Z"},
                description="What Mira wrote on main this year",
            ),
        ),
    )
    async def git_log(
        self,
        folder: Folder = _HERE,
        *,
        ref: Annotated[str, Param("The branch, tag or commit to start from")] = "HEAD",
        limit: Annotated[int, Ge(1), Le(1000), Param("The most commits to return")] = 20,
        author: Annotated[str, Param("Only commits whose author's name or address contains this")] = "",
        containing: Annotated[str, Param("Only commits whose message contains this text, in any case")] = "",
        since: Annotated[datetime | None, Param("Only commits from this time on")] = None,
        until: Annotated[datetime | None, Param("Only commits up to this time")] = None,
    ) -> GitLog:
        """List a git repository's commits, newest first, with author, date, message, branches and tags."""
        repository = await Repository.open(folder)
        start = await repository.commit_of(ref)
        if start is None and ref == "HEAD":
            return GitLog(str(repository.root), (), truncated=False)
        wanted = [f"--author={author}"] if author else []
        wanted += [f"--grep={containing}"] if containing else []
        wanted += [f"--since={since.isoformat()}"] if since else []
        wanted += [f"--until={until.isoformat()}"] if until else []
        text, cut = await repository.ask_much(
            "log",
            "-z",
            f"--format={COMMIT_FORMAT}",
            f"--max-count={limit + 1}",
            "--fixed-strings",
            "--regexp-ignore-case",
            *wanted,
            start or await repository.need_commit(ref),
            "--",
            *repository.here,
            max_bytes=MAX_OUTPUT_BYTES,
        )
        commits = [commit for commit, _ in islice(parse_commits(text), limit + 1)]
        return GitLog(str(repository.root), tuple(commits[:limit]), truncated=cut or len(commits) > limit)

    @tool(
        keywords=("version control", "changes", "patch", "compare", "staged"),
        latency="medium",
        read_only=True,
        open_world=False,
        timeout_s=_TIMEOUT_S,
        examples=(
            ToolExample(input={"staged": True}, description="What the next commit will hold"),
            ToolExample(
                input={"base": "v1.0", "target": "main", "paths": ["README.md"]},
                description="How one file changed between two versions",
            ),
        ),
    )
    async def git_diff(
        self,
        folder: Folder = _HERE,
        *,
        base: Annotated[str, Param("The commit to compare from; empty compares the working tree with the index")] = "",
        target: Annotated[str, Param("The commit to compare to; empty is the working tree")] = "",
        staged: Annotated[bool, Param("Whether to compare the index instead of the working tree")] = False,
        paths: Annotated[list[str] | None, Param("Only these files and folders, from the folder")] = None,
        context_lines: Annotated[int, Ge(0), Le(100), Param("Unchanged lines around each change", unit="lines")] = 3,
        max_characters: Annotated[
            int, Ge(0), Le(1_000_000), Param("The most of the patch to return", unit="characters")
        ] = 50_000,
    ) -> GitDiff:
        """Show what changed in a git repository: in the working tree, in the index, or between two commits.

        Without arguments these are the changes that are not staged yet.
        """
        if target and (staged or not base):
            raise ToolFailure("expected base beside target, and not staged: two commits are compared with each other")
        repository = await Repository.open(folder)
        commits = [await repository.need_commit(ref) for ref in (base, target) if ref]
        compared = [
            "diff",
            "--no-ext-diff",
            "--no-textconv",
            "--no-color",
            "--find-renames",
            "--ignore-submodules=dirty",
        ]
        compared += ["--cached"] if staged else []
        narrowed = [*commits, "--", *repository.pathspecs(paths or [])]
        counts, counts_cut = await repository.ask_much(
            *compared, "--numstat", "-z", *narrowed, max_bytes=MAX_OUTPUT_BYTES
        )
        # A character takes four bytes at most.
        patch, cut = await repository.ask_much(
            *compared, "--patch", f"--unified={context_lines}", *narrowed, max_bytes=4 * max_characters + 1
        )
        before = base or ("HEAD" if staged else "the index")
        after = target or ("the index" if staged else "the working tree")
        return GitDiff(
            repository=str(repository.root),
            compared=f"{before} → {after}",
            files=tuple(islice(parse_counts(counts.split("\0")), 5000)),
            patch=patch[:max_characters],
            truncated=counts_cut or cut or len(patch) > max_characters,
        )

    @tool(
        keywords=("version control", "log", "renames", "revisions", "blame"),
        latency="medium",
        read_only=True,
        open_world=False,
        timeout_s=_TIMEOUT_S,
        examples=(
            ToolExample(input={"file": "README.md", "limit": 10}, description="The last ten changes of a file"),
            ToolExample(input={"file": "README.md", "limit": 1}, description="Who changed it last, and when"),
        ),
    )
    async def git_file_history(
        self,
        file: Annotated[Path, PathRole(), Param("The file; it may be one that is deleted by now")],
        *,
        limit: Annotated[int, Ge(1), Le(1000), Param("The most commits to return")] = 20,
    ) -> FileHistory:
        """List the commits that changed one file, newest first, followed through renames, with its line counts."""
        folder = next((parent for parent in file.parents if parent.is_dir()), file.parent)
        repository = await Repository.open(folder)
        text, cut = await repository.ask_much(
            "log",
            "-z",
            "--follow",
            "--numstat",
            "--no-ext-diff",
            "--no-textconv",
            f"--format={COMMIT_FORMAT}",
            f"--max-count={limit + 1}",
            "--",
            *repository.pathspecs([str(file.relative_to(folder))]),
            max_bytes=MAX_OUTPUT_BYTES,
        )
        revisions = [
            FileRevision(commit, counts.path, counts.old_path, counts.added, counts.deleted)
            for commit, files in parse_commits(text)
            for counts in files[:1]
        ]
        path = f"{repository.prefix}{file.relative_to(folder).as_posix()}"
        if not revisions:
            raise ToolFailure(
                f"{path!r} is in no commit of {repository.root}; git_status shows files that are not committed"
            )
        return FileHistory(str(repository.root), path, tuple(revisions[:limit]), cut or len(revisions) > limit)

    async def find_git(self) -> None:
        """Let git say its version."""
        await need_running("git", "--version")
