"""Change git repositories: stage, commit, switch, put aside, tag, restore, patch. Every tool here asks first."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from annotated_types import Ge, Le, MaxLen, MinLen

from tools.catalog._git import COMMIT_FORMAT, Commit, FileCounts, GitStatus, parse_commits
from tools.catalog._git_writing import (
    MAX_PATCH_CHARS,
    GitPlan,
    PatchTarget,
    StashAction,
    WorktreeAction,
    counts_of,
    git_dry_run,
    plan_add,
    plan_commit,
    plan_patch,
    plan_restore,
    plan_stash,
    plan_switch,
    plan_tag,
    plan_worktree,
    status_of_repository,
)
from tools.context import ToolContext
from tools.declare import tool
from tools.spec import Latency, Param, PathRole, ToolExample

ChangedFolder = Annotated[
    Path, PathRole(writes=True), Param("A folder inside the repository; paths are taken from there")
]
TopFolder = Annotated[Path, PathRole(writes=True), Param("The top folder of the repository, all of which may change")]
KnownFolder = Annotated[Path, PathRole(), Param("A folder inside the repository; paths are taken from there")]
GivenPaths = Annotated[list[str], MinLen(1), MaxLen(1000), Param("Files and folders, from the folder; no patterns")]

_HERE: Final = Path()
_LISTED: Final = 200


@dataclass(frozen=True)
class CommitMade:
    """A commit that was made.

    Attributes:
        repository: The repository's top folder.
        branch: The branch it is on; None for none.
        commit: The commit.
        files: What it changed.
        clean: Whether nothing is left to commit.
    """

    repository: str
    branch: str | None
    commit: Commit
    files: tuple[FileCounts, ...]
    clean: bool


@dataclass(frozen=True)
class BranchSwitched:
    """The branch that is checked out now.

    Attributes:
        repository: The repository's top folder.
        branch: The branch.
        commit: The hash of its newest commit; None before the first.
        previous: The branch checked out before; None when none was.
        previous_commit: The hash that was checked out before.
        created: Whether the branch is new.
    """

    repository: str
    branch: str
    commit: str | None
    previous: str | None
    previous_commit: str | None
    created: bool


@dataclass(frozen=True)
class StashChanged:
    """What was put aside or taken back.

    Attributes:
        action: What was done.
        commit: The hash of the stash; `git stash apply` takes it back by that, even when it was dropped.
        status: The working tree afterwards.
    """

    action: StashAction
    commit: str
    status: GitStatus


@dataclass(frozen=True)
class TagChanged:
    """A tag that was made or deleted.

    Attributes:
        name: The tag.
        commit: The hash of the commit it names, or named.
        deleted: Whether it is gone.
    """

    name: str
    commit: str
    deleted: bool


@dataclass(frozen=True)
class FilesRestored:
    """Files that were put back.

    Attributes:
        repository: The repository's top folder.
        files: The files, with the lines that came and went.
    """

    repository: str
    files: tuple[str, ...]


@dataclass(frozen=True)
class WorktreeChanged:
    """A working tree that was made or removed.

    Attributes:
        path: Its folder.
        branch: The branch checked out in it; empty when it was removed.
        removed: Whether it is gone.
    """

    path: str
    branch: str
    removed: bool


@dataclass(frozen=True)
class PatchApplied:
    """What a patch changed.

    Attributes:
        repository: The repository's top folder.
        files: The changed files, with the lines that came and went.
    """

    repository: str
    files: tuple[str, ...]


class ChangingGit:
    """The tools that change a repository."""

    @tool(
        keywords=("version control", "stage", "unstage", "index", "reset"),
        latency=Latency.MEDIUM,
        read_only=False,
        destructive=False,
        requires_confirmation=True,
        open_world=False,
        timeout_s=900,
        dry_run=git_dry_run(plan_add),
        examples=(
            ToolExample(input={"paths": ["src"]}, description="Everything that changed in one folder"),
            ToolExample(input={"paths": ["libs/new"], "unstage": True}, description="Take a file out again"),
        ),
    )
    async def git_add(
        self,
        paths: GivenPaths,
        *,
        folder: KnownFolder = _HERE,
        unstage: Annotated[bool, Param("Take them out of the next commit instead")] = False,
        ctx: ToolContext,
    ) -> GitStatus:
        """Stage changed, new and deleted files for the next git commit, or unstage them.

        A file with the marks of a conflict is refused.
        """
        plan = await plan_add(folder=folder, paths=paths, unstage=unstage)
        await plan.carry_out(ctx)
        return await status_of_repository(plan.repository, _LISTED)

    @tool(
        keywords=("version control", "save", "message", "amend"),
        latency=Latency.MEDIUM,
        idempotent=False,
        read_only=False,
        destructive=False,
        requires_confirmation=True,
        open_world=False,
        timeout_s=900,
        dry_run=git_dry_run(plan_commit),
        examples=(
            ToolExample(
                input={"message": "Add the parser\n\nIt reads what the old one refused."},
                description="What is staged, with a subject and the reason",
            ),
            ToolExample(
                input={"message": " "},
                description="No message",
                negative=True,
                why_bad="A commit says what it changes.",
            ),
        ),
    )
    async def git_commit(
        self,
        message: Annotated[str, MinLen(1), MaxLen(50_000), Param("A subject line, then a blank line and the reason")],
        *,
        folder: KnownFolder = _HERE,
        all_changed: Annotated[bool, Param("Stage every changed file that git knows before")] = False,
        amend: Annotated[bool, Param("Replace the newest commit, as long as no upstream has it")] = False,
        allow_detached: Annotated[bool, Param("Commit even when no branch is checked out")] = False,
        run_hooks: Annotated[bool, Param("Run the repository's hooks; one that fails stops the commit")] = True,
        ctx: ToolContext,
    ) -> CommitMade:
        """Commit what is staged in a git repository. The repository's hooks run, and what they say is logged.

        Refused with files in conflict, in the middle of a rebase, without a branch and without a name to commit under.
        """
        plan = await plan_commit(
            folder=folder,
            message=message,
            all_changed=all_changed,
            amend=amend,
            allow_detached=allow_detached,
            run_hooks=run_hooks,
        )
        await plan.carry_out(ctx)
        repository = plan.repository
        text = await repository.ask("log", "-z", "--max-count=1", f"--format={COMMIT_FORMAT}", "HEAD", "--")
        commit, _ = next(parse_commits(text))
        first = await repository.commit_of("HEAD~1") is None
        files = () if first else tuple((await counts_of(repository, "HEAD~1", "HEAD"))[:_LISTED])
        status = await status_of_repository(repository, 1)
        return CommitMade(str(repository.root), status.branch, commit, files, status.clean)

    @tool(
        keywords=("version control", "checkout", "create branch", "branch"),
        latency=Latency.MEDIUM,
        read_only=False,
        destructive=False,
        requires_confirmation=True,
        open_world=False,
        timeout_s=900,
        dry_run=git_dry_run(plan_switch),
        examples=(
            ToolExample(input={"branch": "parser", "create": True}, description="A new branch from here"),
            ToolExample(
                input={"branch": "hotfix", "create": True, "start": "v1.0"}, description="A new branch from a tag"
            ),
        ),
    )
    async def git_switch_branch(
        self,
        branch: Annotated[str, MinLen(1), MaxLen(200), Param("The branch")],
        *,
        folder: TopFolder = _HERE,
        create: Annotated[bool, Param("Make the branch")] = False,
        start: Annotated[str, Param("The commit, tag or branch a new one begins at; empty is the current commit")] = "",
        ctx: ToolContext,
    ) -> BranchSwitched:
        """Check out another branch of a git repository, or make one. Changes that are not committed come along.

        Refused when they would be overwritten, and in the middle of a merge or rebase.
        """
        plan = await plan_switch(folder=folder, branch=branch, create=create, start=start)
        before = await status_of_repository(plan.repository, 1)
        await plan.carry_out(ctx)
        commit = await plan.repository.commit_of("HEAD")
        root = str(plan.repository.root)
        return BranchSwitched(root, branch, commit, before.branch, before.commit, create)

    @tool(
        keywords=("version control", "put aside", "pop", "shelve"),
        latency=Latency.MEDIUM,
        idempotent=False,
        read_only=False,
        destructive=True,
        open_world=False,
        timeout_s=900,
        dry_run=git_dry_run(plan_stash),
        examples=(
            ToolExample(input={"action": "push", "message": "half a parser"}, description="Put changes aside"),
            ToolExample(
                input={"action": "pop", "stash": 7},
                description="A stash that is not there",
                negative=True,
                why_bad="git_refs lists the stashes with their numbers.",
            ),
        ),
    )
    async def git_stash(
        self,
        action: Annotated[
            StashAction, Param("push puts changes aside, pop and apply take them back, drop forgets them")
        ],
        *,
        folder: TopFolder = _HERE,
        stash: Annotated[int, Ge(0), Le(10_000), Param("Which one to take back or drop; 0 is the newest")] = 0,
        message: Annotated[str, MaxLen(500), Param("What the changes are, for push")] = "",
        include_untracked: Annotated[bool, Param("Put aside files that git does not know, too")] = False,
        ctx: ToolContext,
    ) -> StashChanged:
        """Put the uncommitted changes of a git repository aside, or take them back."""
        plan = await plan_stash(
            folder=folder, action=action, stash=stash, message=message, include_untracked=include_untracked
        )
        name = f"stash@{{{stash}}}"
        commit = "" if action == "push" else await plan.repository.need_commit(name)
        await plan.carry_out(ctx)
        commit = commit or await plan.repository.need_commit("stash@{0}")
        return StashChanged(action, commit, await status_of_repository(plan.repository, _LISTED))

    @tool(
        keywords=("version control", "release", "version", "label"),
        latency=Latency.FAST,
        read_only=False,
        destructive=True,
        open_world=False,
        timeout_s=900,
        dry_run=git_dry_run(plan_tag),
        examples=(
            ToolExample(input={"name": "v1.1", "message": "Version 1.1"}, description="An annotated tag here"),
            ToolExample(input={"name": "v1.0", "delete": True}, description="A tag deleted"),
        ),
    )
    async def git_tag(
        self,
        name: Annotated[str, MinLen(1), MaxLen(200), Param("The tag")],
        *,
        folder: KnownFolder = _HERE,
        ref: Annotated[str, Param("The commit it names")] = "HEAD",
        message: Annotated[str, MaxLen(50_000), Param("What it stands for; empty makes a plain tag")] = "",
        delete: Annotated[bool, Param("Delete the tag instead")] = False,
        ctx: ToolContext,
    ) -> TagChanged:
        """Make or delete a tag of a git repository. A tag that is there is never moved."""
        plan = await plan_tag(folder=folder, name=name, ref=ref, message=message, delete=delete)
        commit = await plan.repository.need_commit(f"refs/tags/{name}" if delete else ref)
        await plan.carry_out(ctx)
        return TagChanged(name, commit, delete)

    @tool(
        keywords=("version control", "discard", "undo", "revert", "checkout file"),
        latency=Latency.MEDIUM,
        read_only=False,
        destructive=True,
        open_world=False,
        timeout_s=900,
        dry_run=git_dry_run(plan_restore),
        examples=(
            ToolExample(
                input={"paths": ["libs/parser/x"], "source": "v1.0"}, description="A file as it was in a version"
            ),
            ToolExample(
                input={"paths": ["README.md"]},
                description="A file that did not change",
                negative=True,
                why_bad="There is nothing to restore; git_status shows what changed.",
            ),
        ),
    )
    async def git_restore(
        self,
        paths: GivenPaths,
        *,
        folder: ChangedFolder = _HERE,
        source: Annotated[str, Param("The commit to take them from; empty takes what is staged")] = "",
        staged: Annotated[bool, Param("Throw away what is staged of them, too")] = False,
        ctx: ToolContext,
    ) -> FilesRestored:
        """Throw away the changes of files of a git repository, or put back an older version. This cannot be undone.

        Files that git does not know are never touched.
        """
        plan = await plan_restore(folder=folder, paths=paths, source=source, staged=staged)
        await plan.carry_out(ctx)
        return FilesRestored(str(plan.repository.root), plan.said.items)

    @tool(
        keywords=("version control", "checkout", "second working tree", "parallel"),
        latency=Latency.MEDIUM,
        idempotent=False,
        read_only=False,
        destructive=True,
        open_world=False,
        timeout_s=900,
        dry_run=git_dry_run(plan_worktree),
        examples=(
            ToolExample(
                input={"action": "add", "path": "trees/parser", "branch": "parser", "create": True},
                description="A new branch in a folder of its own",
            ),
            ToolExample(
                input={"action": "add", "path": "trees/none"},
                description="No branch",
                negative=True,
                why_bad="A working tree has a branch of its own.",
            ),
        ),
    )
    async def git_worktree(
        self,
        action: Annotated[WorktreeAction, Param("Whether to make or remove it")],
        path: Annotated[Path, PathRole(writes=True), Param("The folder of the working tree")],
        *,
        folder: KnownFolder = _HERE,
        branch: Annotated[str, MaxLen(200), Param("The branch to check out there")] = "",
        create: Annotated[bool, Param("Make the branch")] = False,
        ctx: ToolContext,
    ) -> WorktreeChanged:
        """Check out a branch of a git repository into a second folder, or remove one that is clean."""
        plan = await plan_worktree(folder=folder, action=action, path=path, branch=branch, create=create)
        await plan.carry_out(ctx)
        return WorktreeChanged(str(path), branch if action == "add" else "", action == "remove")

    @tool(
        keywords=("version control", "diff", "patch", "unified"),
        latency=Latency.MEDIUM,
        idempotent=False,
        read_only=False,
        destructive=True,
        open_world=False,
        timeout_s=900,
        dry_run=git_dry_run(plan_patch),
        examples=(
            ToolExample(
                input={"patch": "--- a/libs/parser/x\n+++ b/libs/parser/x\n@@ -1 +1 @@\n-2\n+3\n"},
                description="A diff as git_diff returns it",
            ),
            ToolExample(
                input={"patch": "--- a/libs/parser/x\n+++ b/libs/parser/x\n@@ -1 +1 @@\n-9\n+3\n"},
                description="A diff of another version",
                negative=True,
                why_bad="Git names the place where it does not fit, and nothing is changed.",
            ),
        ),
    )
    async def git_apply_patch(
        self,
        patch: Annotated[str, MinLen(1), MaxLen(MAX_PATCH_CHARS), Param("A diff of files, named from the top folder")],
        *,
        folder: TopFolder = _HERE,
        target: Annotated[PatchTarget, Param("What is changed: the files, what is staged, or both")] = "working_tree",
        reverse: Annotated[bool, Param("Undo the patch instead")] = False,
        ctx: ToolContext,
    ) -> PatchApplied:
        """Apply a patch of one or more files to a git repository: all of it, or nothing."""
        plan: GitPlan = await plan_patch(folder=folder, patch=patch, target=target, reverse=reverse)
        await plan.carry_out(ctx)
        return PatchApplied(str(plan.repository.root), plan.said.items)
