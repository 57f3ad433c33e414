"""What changing a git repository would do, and the states in which it is better left alone."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from tools.catalog._bounds import counted
from tools.catalog._dry_runs import telling_failures
from tools.catalog._git import MAX_OUTPUT_BYTES, FileCounts, GitStatus, Repository, parse_counts, parse_status
from tools.catalog._protected_files import DecidingFiles
from tools.context import ToolContext
from tools.errors import ToolFailure
from tools.spec import Count, DryRun
from tools.tool import DryRunOf

StashAction = Literal["push", "apply", "pop", "drop"]
WorktreeAction = Literal["add", "remove"]
PatchTarget = Literal["working_tree", "index", "both"]

MAX_PATCH_CHARS: Final = 5_000_000
_MOST_ITEMS: Final = 200
_LISTED: Final = 5000
_NAMED: Final = 5
_LOOKED_FOR_MARKERS_BYTES: Final = 2_000_000
_MARKERS: Final = (b"<<<<<<< ", b">>>>>>> ")
_UNDER_WAY: Final = (
    ("rebase-merge", "a rebase", "git rebase"),
    ("rebase-apply", "a rebase", "git rebase"),
    ("CHERRY_PICK_HEAD", "a cherry-pick", "git cherry-pick"),
    ("REVERT_HEAD", "a revert", "git revert"),
    ("MERGE_HEAD", "a merge", "git merge"),
)
_COMMIT_HOOKS: Final = ("pre-commit", "prepare-commit-msg", "commit-msg", "post-commit")


class GitPlan(NamedTuple):
    """A change of a repository that is looked at, not made yet.

    Attributes:
        said: What would happen.
        stdin: What git reads; None gives it nothing.
    """

    repository: Repository
    said: DryRun
    command: tuple[str, ...]
    stdin: bytes | None = None

    async def carry_out(self, ctx: ToolContext) -> None:
        """Make the change; what git and its hooks say is logged.

        Raises:
            ToolFailure: Git or one of its hooks says no.
        """
        for warning in self.said.warnings:
            ctx.log("warning", warning)
        said = await self.repository.ask(*self.command, stdin=self.stdin)
        for line in said.splitlines():
            ctx.log("info", line)


def git_dry_run(plan: Callable[..., Awaitable[GitPlan]]) -> DryRunOf:
    """Return a dry run that makes a plan and says what it would do.

    Args:
        plan: Makes a plan from the arguments of the tool.
    """

    @telling_failures
    def look(arguments: Mapping[str, Any], _project_dir: Path) -> DryRun:
        async def looked() -> GitPlan:
            return await plan(**arguments)

        # Dry runs are asked in a thread, which has no loop of its own.
        return asyncio.run(looked()).said

    return look


async def status_of_repository(repository: Repository, limit: int = _LISTED) -> GitStatus:
    """Return the state of the whole working tree."""
    text, cut = await repository.ask_much(
        "status",
        "--porcelain=v2",
        "--branch",
        "-z",
        "--ignore-submodules=dirty",
        "--untracked-files=all",
        max_bytes=MAX_OUTPUT_BYTES,
    )
    return parse_status(text, str(repository.root), limit, cut=cut)


async def _opened(folder: Path) -> Repository:
    return (await Repository.open(folder)).writing()


def _need_top(repository: Repository, doing: str) -> None:
    """Refuse to change a whole repository from a folder in it, which is all that a person would be asked about.

    Raises:
        ToolFailure: The folder is not the top one.
    """
    if repository.prefix:
        raise ToolFailure(
            f"refused to {doing} from {repository.folder}, as that changes files of the whole repository; give its top"
            f" folder {repository.root}"
        )


async def _under_way(repository: Repository) -> tuple[str, str] | None:
    """Return what was begun and not ended, with the command that ends it; None for nothing."""
    git_dir = Path((await repository.ask("rev-parse", "--absolute-git-dir")).rstrip("\n"))
    for name, what, command in _UNDER_WAY:
        if (git_dir / name).exists():
            return what, command
    return None


async def _need_calm(repository: Repository, doing: str, *, merge_may_end: bool = False) -> str:
    """Refuse a change in the middle of another one, or with files in conflict.

    Args:
        doing: What is wanted, such as `commit`.
        merge_may_end: Whether a merge that is under way is no reason.

    Returns:
        What is under way nevertheless; empty for nothing.

    Raises:
        ToolFailure: The state is one of these.
    """
    conflicted = (await status_of_repository(repository)).conflicted
    if conflicted:
        raise ToolFailure(
            f"refused to {doing}: {_some(conflicted)} {'is' if len(conflicted) == 1 else 'are'} in conflict;"
            " edit the files, then git_add them"
        )
    begun = await _under_way(repository)
    if begun is None:
        return ""
    what, command = begun
    if merge_may_end and command == "git merge":
        return what
    raise ToolFailure(
        f"refused to {doing} while {what} is under way; end it first: `{command} --continue` goes on,"
        f" `{command} --abort` gives it up (run_command)"
    )


def _some(names: Sequence[str]) -> str:
    said = ", ".join(repr(name) for name in names[:_NAMED])
    return said + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")


def _files(text: str, items: Sequence[str], warnings: Iterable[str] = (), more_counts: Sequence[Count] = ()) -> DryRun:
    many = len(items)
    counts = (Count("files", many, counted(many, "file")), *more_counts) if many else tuple(more_counts)
    return DryRun(text, counts, tuple(items[:_MOST_ITEMS]), max(0, many - _MOST_ITEMS), tuple(warnings))


def _with_counts(files: Sequence[FileCounts]) -> list[str]:
    return [
        f"{file.path} (binary)" if file.added is None else f"{file.path} +{file.added} -{file.deleted}"
        for file in files
    ]


async def counts_of(repository: Repository, *arguments: str) -> list[FileCounts]:
    """Return the files that a diff names with their line counts.

    Args:
        *arguments: What `git diff` compares.
    """
    text, _ = await repository.ask_much(
        "diff",
        "--no-ext-diff",
        "--no-textconv",
        "--find-renames",
        "--numstat",
        "-z",
        *arguments,
        max_bytes=MAX_OUTPUT_BYTES,
    )
    return list(islice(parse_counts(text.split("\0")), _LISTED))


async def plan_add(*, folder: Path, paths: list[str], unstage: bool) -> GitPlan:
    """Look at what would be put into the next commit, or taken out of it."""
    repository = await _opened(folder)
    specs = repository.pathspecs(paths)
    if not specs:
        specs = (".",)
    if unstage:
        listed = await repository.ask("diff", "--cached", "--name-only", "-z", "--", *specs)
        names = [name for name in listed.split("\0") if name]
        nothing = DryRun(f"Nothing: no change of {_some(paths)} is staged.")
        said = (
            _files("Take files out of the next commit; they stay as they are on the disk.", names) if names else nothing
        )
        return GitPlan(repository, said, ("reset", "--quiet", "--", *specs))
    listed = await repository.ask("add", "--dry-run", "--all", "--", *specs)
    names = listed.splitlines()
    for name in (await status_of_repository(repository)).conflicted:
        if f"add '{name}'" in names:
            _refuse_markers(repository.root / name, name)
    nothing = DryRun(f"Nothing: {_some(paths)} did not change since the last commit or git_add.")
    said = _files("Put files into the next commit.", names) if names else nothing
    return GitPlan(repository, said, ("add", "--all", "--", *specs))


def _refuse_markers(path: Path, name: str) -> None:
    """Refuse to call a conflict settled whose marks still stand in the file.

    Raises:
        ToolFailure: They do.
    """
    if not path.is_file() or path.stat().st_size > _LOOKED_FOR_MARKERS_BYTES:
        return
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        if line.startswith(_MARKERS):
            raise ToolFailure(f"{name!r} still has the mark of a conflict in line {number}; settle it first")


async def plan_commit(
    *, folder: Path, message: str, all_changed: bool, amend: bool, allow_detached: bool, run_hooks: bool
) -> GitPlan:
    """Look at what a commit would hold."""
    repository = await _opened(folder)
    if not message.strip():
        raise ToolFailure("expected a message, got only blanks; say what the commit changes and why")
    merging = await _need_calm(repository, "commit", merge_may_end=not amend)
    status = await status_of_repository(repository)
    if status.branch is None and not allow_detached:
        raise ToolFailure(
            "refused to commit, as no branch is checked out (detached HEAD) and nothing would keep the commit:"
            " git_switch_branch with create makes a branch here, or set allow_detached"
        )
    await repository.need_identity()
    if amend:
        _need_unpublished(status)
    files = [
        *([] if status.commit is None else await counts_of(repository, "HEAD" if all_changed else "--cached")),
        *([FileCounts(change.path, None, 0, 0) for change in status.staged] if status.commit is None else []),
    ]
    if not (files or amend or merging):
        rest = len(status.unstaged) + len(status.untracked)
        hint = f"; {counted(rest, 'file')} changed without being staged: git_add them" if rest else ""
        raise ToolFailure(f"nothing to commit: no file is staged{hint}")
    hooks = await _hooks(repository) if run_hooks else []
    warnings = [f"Runs the hooks {', '.join(hooks)} of the repository."] if hooks else []
    warnings += ["No branch is checked out, so nothing keeps the commit."] if status.branch is None else []
    warnings += [f"Ends {merging}."] if merging else []
    where = status.branch or "no branch"
    verb = "Replace the newest commit of" if amend else "Commit to"
    said = _files(f"{verb} {where}: {message.strip().splitlines()[0]}", _with_counts(files), warnings)
    command = ["commit", "--quiet", f"--message={message}"]
    command += ["--all"] if all_changed else []
    command += ["--amend"] if amend else []
    command += [] if run_hooks else ["--no-verify"]
    return GitPlan(repository, said, tuple(command))


def _need_unpublished(status: GitStatus) -> None:
    """Refuse to replace a commit that others may have.

    Raises:
        ToolFailure: There is no commit, or the upstream has it.
    """
    if status.commit is None:
        raise ToolFailure("there is no commit yet that could be amended; commit without amend")
    if status.upstream is not None and status.ahead == 0:
        raise ToolFailure(
            f"refused to amend: {status.upstream} has the newest commit already, so others may have it;"
            " make a new commit instead"
        )


async def _hooks(repository: Repository) -> list[str]:
    """Return the names of the hooks that a commit would run."""
    folder = Path((await repository.ask("rev-parse", "--git-path", "hooks")).rstrip("\n"))
    folder = folder if folder.is_absolute() else repository.folder / folder
    return [name for name in _COMMIT_HOOKS if (folder / name).is_file() and (folder / name).stat().st_mode & 0o111]


async def plan_switch(*, folder: Path, branch: str, create: bool, start: str) -> GitPlan:
    """Look at what switching to a branch would change."""
    repository = await _opened(folder)
    _need_top(repository, "switch branches")
    await _need_branch_name(repository, branch)
    await _need_calm(repository, "switch branches")
    status = await status_of_repository(repository)
    exists = await repository.has_ref(f"refs/heads/{branch}")
    if create and exists:
        raise ToolFailure(f"the branch {branch!r} exists already; leave create out, or choose another name")
    if not (create or exists):
        raise ToolFailure(f"there is no branch {branch!r}; git_refs lists them, create=true makes it")
    if start and not create:
        raise ToolFailure("start belongs to a new branch; set create, or leave it out")
    if branch == status.branch:
        raise ToolFailure(f"{branch!r} is checked out already")
    target = await repository.need_commit(start) if start else None if create else await repository.need_commit(branch)
    names: list[str] = []
    if target is not None and status.commit is not None:
        listed = await repository.ask("diff", "--name-only", "--no-renames", "-z", status.commit, target)
        names = [name for name in listed.split("\0") if name]
        mine = {change.path for change in (*status.staged, *status.unstaged)} | set(status.untracked)
        lost = sorted(mine.intersection(names))
        if lost:
            raise ToolFailure(
                f"refused to switch, as your changes of {_some(lost)} would be overwritten;"
                " commit them, or git_stash them first"
            )
    kept = len(status.staged) + len(status.unstaged)
    warnings = [f"Your changes of {counted(kept, 'file')} come along."] if kept else []
    if status.branch is None and status.commit is not None:
        warnings.append(f"No branch is checked out now; note {status.commit[:12]} to find its commits again.")
    verb = "Make the branch" if create else "Switch to the branch"
    said = _files(f"{verb} {branch}.", names, warnings)
    command = (
        "switch",
        "--quiet",
        "--no-guess",
        *(["--create", branch] if create else [branch]),
        *([start] if start else []),
    )
    return GitPlan(repository, said, command)


async def _need_branch_name(repository: Repository, name: str) -> None:
    if not await repository.is_ref_name("heads", name):
        raise ToolFailure(f"{name!r} is no name for a branch; use letters, digits, '-', '_', '.' and '/'")


async def plan_stash(
    *, folder: Path, action: StashAction, stash: int, message: str, include_untracked: bool
) -> GitPlan:
    """Look at what putting changes aside, or taking them back, would change."""
    repository = await _opened(folder)
    _need_top(repository, "stash")
    if action == "push":
        await _need_calm(repository, "put changes aside")
        status = await status_of_repository(repository)
        if status.commit is None:
            raise ToolFailure("there is no commit yet, so nothing can be put aside; make the first commit")
        changed = list(dict.fromkeys(change.path for change in (*status.staged, *status.unstaged)))
        changed += status.untracked if include_untracked else ()
        if not changed:
            rest = f" but {counted(len(status.untracked), 'file')} that git does not know" if status.untracked else ""
            hint = "; set include_untracked" if rest else ""
            raise ToolFailure(f"no file has changed{rest}, so there is nothing to put aside{hint}")
        command = ["stash", "push", "--quiet"]
        command += ["--include-untracked"] if include_untracked else []
        command += [f"--message={message}"] if message else []
        return GitPlan(
            repository, _files("Put changes aside; the files are as committed then.", changed), tuple(command)
        )
    name = f"stash@{{{stash}}}"
    if await repository.commit_of(name) is None:
        raise ToolFailure(f"there is no {name}; git_refs lists the stashes")
    files = await _stashed(repository, name)
    if action == "drop":
        said = _files(f"Drop {name} for good.", files, ["What it holds cannot be found again without its hash."])
    else:
        await _need_calm(repository, "take changes back")
        verb = "Take back" if action == "pop" else "Apply"
        said = _files(f"{verb} the changes of {name}.", files)
    return GitPlan(repository, said, ("stash", action, "--quiet", name))


async def _stashed(repository: Repository, name: str) -> list[str]:
    listed = await repository.ask("stash", "show", "--include-untracked", "--name-only", "-z", name)
    return [file for file in listed.split("\0") if file]


async def plan_tag(*, folder: Path, name: str, ref: str, message: str, delete: bool) -> GitPlan:
    """Look at the tag that would be made or deleted."""
    repository = await _opened(folder)
    if not await repository.is_ref_name("tags", name):
        raise ToolFailure(f"{name!r} is no name for a tag; use letters, digits, '-', '_', '.' and '/'")
    exists = await repository.has_ref(f"refs/tags/{name}")
    if delete:
        if not exists:
            raise ToolFailure(f"there is no tag {name!r}; git_refs lists them")
        commit = await repository.need_commit(f"refs/tags/{name}")
        warning = "Remotes that have the tag keep it."
        return GitPlan(
            repository,
            DryRun(f"Delete the tag {name} of {commit[:12]}.", warnings=(warning,)),
            ("tag", "--delete", name),
        )
    if exists:
        raise ToolFailure(f"the tag {name!r} exists already, and tags are not moved; choose another name")
    commit = await repository.need_commit(ref)
    if message:
        await repository.need_identity()
    kind = "annotated tag" if message else "tag"
    command = ("tag", *([f"--message={message}"] if message else []), "--", name, commit)
    return GitPlan(repository, DryRun(f"Make the {kind} {name} of {commit[:12]}."), command)


async def plan_restore(*, folder: Path, paths: list[str], source: str, staged: bool) -> GitPlan:
    """Look at the changes that would be thrown away."""
    repository = await _opened(folder)
    specs = repository.pathspecs(paths)
    commit = await repository.need_commit(source) if source else ""
    status = await status_of_repository(repository)
    if status.commit is None:
        raise ToolFailure(
            "there is no commit yet that files could be restored from; git_add with unstage empties the index"
        )
    if status.conflicted:
        await _need_calm(repository, "restore files")
    # The index is compared when nothing else is named: what is staged stays then.
    compared = [commit] if commit else ["HEAD"] if staged else []
    files = await counts_of(repository, *compared, "--", *specs)
    if not files:
        raise ToolFailure(f"{_some(paths)} did not change, so there is nothing to restore; git_status shows what did")
    if repository.prefix:
        deciding = DecidingFiles(repository.root)
        for file in files:
            if reason := deciding.reason(repository.root / file.path):
                raise ToolFailure(f"refused to restore {file.path!r} from {repository.folder}: {reason}")
    origin = f"as they are in {source}" if source else "as they are committed" if staged else "as they are staged"
    said = _files(f"Put files back {origin}.", _with_counts(files), ["The changes since then are lost for good."])
    command = ["restore", "--quiet", "--worktree"]
    command += ["--staged"] if staged else []
    command += [f"--source={commit}"] if commit else []
    return GitPlan(repository, said, (*command, "--", *specs))


async def plan_worktree(*, folder: Path, action: WorktreeAction, path: Path, branch: str, create: bool) -> GitPlan:
    """Look at a further working tree that would be made or removed."""
    repository = await _opened(folder)
    if action == "remove":
        status = await status_of_repository(await _opened(path)) if _is_filled(path) else None
        if status is not None and Path(status.repository) == repository.root:
            raise ToolFailure(f"{path} is the working tree this call is about; start from the repository's main one")
        if status is not None and not status.clean:
            raise ToolFailure(f"{path} has changes that are not committed; commit them there, or throw them away first")
        return GitPlan(
            repository,
            DryRun(f"Remove the working tree {path}.", items=(str(path),)),
            ("worktree", "remove", "--", str(path)),
        )
    if not branch:
        raise ToolFailure("expected the branch to check out in the new working tree; give branch")
    await _need_branch_name(repository, branch)
    exists = await repository.has_ref(f"refs/heads/{branch}")
    if create == exists:
        what = "exists already; leave create out" if exists else "does not exist; set create to make it"
        raise ToolFailure(f"the branch {branch!r} {what}")
    if _is_filled(path):
        raise ToolFailure(f"{path} exists already; choose a folder that is new or empty")
    await repository.need_commit("HEAD" if create else branch)
    command = (
        "worktree",
        "add",
        "--quiet",
        *(["-b", branch] if create else []),
        "--",
        str(path),
        *([] if create else [branch]),
    )
    return GitPlan(
        repository, DryRun(f"Check out the branch {branch} into {path} as well.", items=(str(path),)), command
    )


def _is_filled(path: Path) -> bool:
    """Return whether a path is anything but missing or an empty folder."""
    return path.exists() and (not path.is_dir() or any(path.iterdir()))


async def plan_patch(*, folder: Path, patch: str, target: PatchTarget, reverse: bool) -> GitPlan:
    """Look at what a patch of several files would change."""
    repository = await _opened(folder)
    _need_top(repository, "apply a patch")
    how = {"working_tree": [], "index": ["--cached"], "both": ["--index"]}[target]
    how += ["--reverse"] if reverse else []
    content = patch.encode("utf-8", "surrogateescape")
    content += b"" if content.endswith(b"\n") else b"\n"
    counts, _ = await repository.ask_much("apply", "--numstat", "-z", "-", stdin=content, max_bytes=MAX_OUTPUT_BYTES)
    await repository.ask("apply", "--check", *how, "-", stdin=content)
    files = list(islice(parse_counts(counts.split("\0")), _LISTED))
    where = {"working_tree": "the working tree", "index": "the index", "both": "the working tree and the index"}[target]
    verb = "Undo" if reverse else "Apply"
    return GitPlan(
        repository, _files(f"{verb} a patch in {where}.", _with_counts(files)), ("apply", *how, "-"), content
    )
