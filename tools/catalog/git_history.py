"""Look closer at the history of git repositories: one commit, old files, who wrote a line, branches compared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Annotated, Final

from annotated_types import Ge, Le

from tools.catalog._documents import decode
from tools.catalog._git import COMMIT_FORMAT, MAX_OUTPUT_BYTES, Commit, FileCounts, Repository, parse_commits
from tools.catalog._git_writing import counts_of
from tools.context import ToolContext
from tools.declare import tool
from tools.errors import ToolFailure
from tools.spec import Latency, Param, PathRole, ToolExample

AskedFolder = Annotated[Path, PathRole(), Param("A folder inside the repository")]
AskedFile = Annotated[Path, PathRole(), Param("The file; it may be one that is deleted by now")]

_HERE: Final = Path()
_MOST_FILES: Final = 5000
_REF_FIELDS: Final = 7
_REF_FORMAT: Final = (
    "%(refname)%00%(objectname)%00%(*objectname)%00%(creatordate:unix)%00%(upstream:short)"
    "%00%(upstream:track,nobracket)%00%(contents:subject)%00"
)


@dataclass(frozen=True)
class CommitShown:
    """One commit and what it changed.

    Attributes:
        repository: The repository's top folder.
        commit: The commit.
        parents: The hashes of the commits before it; a merge has several.
        files: The files that differ from its first parent.
        patch: The changes as a unified diff.
        truncated: Whether files or patch go on.
    """

    repository: str
    commit: Commit
    parents: tuple[str, ...]
    files: tuple[FileCounts, ...]
    patch: str
    truncated: bool


@dataclass(frozen=True)
class OldFile:
    """A file as a commit has it.

    Attributes:
        path: The file, from the repository's top folder.
        commit: The hash of the commit.
        text: Its text.
        size_bytes: Its size.
        truncated: Whether it goes on.
    """

    path: str
    commit: str
    text: str
    size_bytes: int
    truncated: bool


@dataclass(frozen=True)
class BlamedLines:
    """Lines that follow each other and were written by one commit.

    Attributes:
        first_line: Number of the first line, from 1.
        lines: The lines.
        commit: The hash; None for lines that are not committed.
        author: Who wrote them.
        date: When; None for lines that are not committed.
        subject: The first line of the commit's message.
    """

    first_line: int
    lines: tuple[str, ...]
    commit: str | None
    author: str
    date: datetime | None
    subject: str


@dataclass(frozen=True)
class Blame:
    """Who wrote the lines of a file.

    Attributes:
        path: The file, from the repository's top folder.
        blocks: The lines, in order.
        truncated: Whether the file goes on.
    """

    path: str
    blocks: tuple[BlamedLines, ...]
    truncated: bool


@dataclass(frozen=True)
class GitRef:
    """A branch, a tag or a stash.

    Attributes:
        name: Its short name, such as `main`, `origin/main`, `v1.0` or `stash@{0}`.
        commit: The hash of the commit it names.
        date: When that was made, or an annotated tag was.
        subject: The first line of the message.
        upstream: The branch it follows; None when it follows none.
        distance: How it differs from there, such as `ahead 2, behind 1`; None when it does not, or follows none.
        is_current: Whether it is checked out.
    """

    name: str
    commit: str
    date: datetime | None
    subject: str
    upstream: str | None = None
    distance: str | None = None
    is_current: bool = False


@dataclass(frozen=True)
class GitRefs:
    """What a repository has names for.

    Attributes:
        repository: The repository's top folder.
        branches: Its branches, the newest first.
        remote_branches: The branches of remotes, as they were last fetched.
        tags: Its tags, the newest first.
        stashes: Changes that were put aside, the newest first.
        worktrees: The folders that its branches are checked out in.
        truncated: Whether a list goes on.
    """

    repository: str
    branches: tuple[GitRef, ...]
    remote_branches: tuple[GitRef, ...]
    tags: tuple[GitRef, ...]
    stashes: tuple[GitRef, ...]
    worktrees: tuple[str, ...]
    truncated: bool


@dataclass(frozen=True)
class BranchesCompared:
    """How two branches differ.

    Attributes:
        repository: The repository's top folder.
        merge_base: The hash of their newest common commit; None when they have none.
        ahead: How many commits only the target has.
        behind: How many commits only the base has.
        ahead_commits: The first of those that only the target has, newest first.
        behind_commits: The first of those that only the base has, newest first.
        files: What the target changed since the common commit.
        truncated: Whether a list goes on.
    """

    repository: str
    merge_base: str | None
    ahead: int
    behind: int
    ahead_commits: tuple[Commit, ...]
    behind_commits: tuple[Commit, ...]
    files: tuple[FileCounts, ...]
    truncated: bool


class GitHistory:
    """The tools that look closer at a repository's history."""

    @tool(
        keywords=("version control", "commit", "patch", "details"),
        latency=Latency.MEDIUM,
        read_only=True,
        open_world=False,
        timeout_s=120,
        examples=(
            ToolExample(input={}, description="The newest commit"),
            ToolExample(
                input={"ref": "v1.0", "max_characters": 0}, description="A version's commit, without its patch"
            ),
        ),
    )
    async def git_show(
        self,
        ref: Annotated[str, Param("The commit, tag or branch")] = "HEAD",
        *,
        folder: AskedFolder = _HERE,
        context_lines: Annotated[int, Ge(0), Le(100), Param("Unchanged lines around each change", unit="lines")] = 3,
        max_characters: Annotated[
            int, Ge(0), Le(1_000_000), Param("The most of the patch to return", unit="characters")
        ] = 50_000,
    ) -> CommitShown:
        """Show one commit of a git repository: its message, its files and its patch."""
        repository = await Repository.open(folder)
        sha = await repository.need_commit(ref)
        # A merge differs from its first parent by what it brought in.
        one = ("log", "--max-count=1", "--first-parent", "-m", "--no-ext-diff", "--no-textconv", "--find-renames")
        text = await repository.ask(*one, "-z", f"--format={COMMIT_FORMAT}", "--numstat", sha, "--")
        commit, files = next(parse_commits(text))
        parents = (await repository.ask("log", "--max-count=1", "--format=%P", sha, "--")).split()
        patch, cut = await repository.ask_much(
            *one,
            "--no-color",
            "--format=",
            "--patch",
            f"--unified={context_lines}",
            sha,
            "--",
            max_bytes=4 * max_characters + 1,
        )
        truncated = cut or len(patch) > max_characters or len(files) > _MOST_FILES
        root = str(repository.root)
        return CommitShown(root, commit, tuple(parents), files[:_MOST_FILES], patch[:max_characters], truncated)

    @tool(
        keywords=("version control", "old version", "revision", "cat-file"),
        latency=Latency.MEDIUM,
        read_only=True,
        open_world=False,
        timeout_s=120,
        examples=(
            ToolExample(input={"file": "libs/parser/x", "ref": "v1.0"}, description="A file as a version has it"),
            ToolExample(
                input={"file": "libs/parser/none", "ref": "v1.0"},
                description="A file that the version does not have",
                negative=True,
                why_bad="git_file_history tells in which commits a file is.",
            ),
        ),
    )
    async def git_file_at(
        self,
        file: AskedFile,
        ref: Annotated[str, Param("The commit, tag or branch")] = "HEAD",
        *,
        max_characters: Annotated[
            int, Ge(1), Le(1_000_000), Param("The most of the text to return", unit="characters")
        ] = 100_000,
        ctx: ToolContext,
    ) -> OldFile:
        """Read a text file as a commit of its git repository has it, without changing anything."""
        repository, path = await _placed(file)
        sha = await repository.need_commit(ref)
        name = f"{sha}:{path}"
        if not await repository.succeeds("cat-file", "-e", name):
            raise ToolFailure(f"{path!r} is not in {ref}; git_file_history tells in which commits it is")
        size_bytes = int(await repository.ask("cat-file", "-s", name))
        if (await repository.ask("cat-file", "-t", name)).strip() != "blob":
            raise ToolFailure(f"{path!r} is a folder in {ref}; name a file in it")
        content, cut = await repository.ask_bytes("cat-file", "blob", name, max_bytes=4 * max_characters + 1)
        found = decode(content)
        if found is None:
            raise ToolFailure(f"{path!r} is no text file in {ref}")
        if not found.exact:
            ctx.log("warning", f"some bytes are not {found.encoding}; they are shown as \ufffd")
        truncated = cut or len(found.text) > max_characters
        return OldFile(path, sha, found.text[:max_characters], size_bytes, truncated)

    @tool(
        keywords=("version control", "annotate", "author", "who wrote", "lines"),
        latency=Latency.MEDIUM,
        read_only=True,
        open_world=False,
        timeout_s=120,
        examples=(
            ToolExample(input={"file": "README.md"}, description="Who wrote each line of a file"),
            ToolExample(
                input={"file": "README.md", "first_line": 1, "last_line": 2}, description="Who wrote two lines"
            ),
        ),
    )
    async def git_blame(
        self,
        file: AskedFile,
        *,
        first_line: Annotated[int, Ge(1), Param("Number of the first line, from 1")] = 1,
        last_line: Annotated[int | None, Ge(1), Param("Number of the last line; none goes to the end")] = None,
        ref: Annotated[str, Param("As of this commit; empty is the working tree")] = "",
        ignore_blanks: Annotated[bool, Param("Leave out of account who changed only blanks")] = False,
        max_lines: Annotated[int, Ge(1), Le(10_000), Param("The most lines to return", unit="lines")] = 1000,
    ) -> Blame:
        """Tell which commit wrote each line of a file, with author, date and message, in blocks of the same commit."""
        repository, path = await _placed(file)
        if last_line is not None and last_line < first_line:
            raise ToolFailure(f"expected last_line to be at least first_line ({first_line}), got {last_line}")
        end = first_line + max_lines if last_line is None else min(last_line, first_line + max_lines)
        sha = [await repository.need_commit(ref)] if ref else []
        blanks = ["-w"] if ignore_blanks else []
        text, cut = await repository.at_root().ask_much(
            "blame", "--line-porcelain", *blanks, f"-L{first_line},{end}", *sha, "--", path, max_bytes=MAX_OUTPUT_BYTES
        )
        lines = list(islice(_blamed(text), max_lines + 1))
        return Blame(path, tuple(_blocks(lines[:max_lines])), cut or len(lines) > max_lines)

    @tool(
        keywords=("version control", "branches", "tags", "stashes", "worktrees", "remotes"),
        latency=Latency.MEDIUM,
        read_only=True,
        open_world=False,
        timeout_s=120,
        examples=(
            ToolExample(input={}, description="All branches, tags and stashes"),
            ToolExample(input={"containing": "HEAD", "limit": 5}, description="Which hold the current commit"),
        ),
    )
    async def git_refs(
        self,
        *,
        folder: AskedFolder = _HERE,
        containing: Annotated[str, Param("Only branches and tags that hold this commit")] = "",
        limit: Annotated[int, Ge(1), Le(5000), Param("The most entries of each list")] = 100,
    ) -> GitRefs:
        """List the branches, tags, stashes and working trees of a git repository, with what branches follow."""
        repository = await Repository.open(folder)
        held = [f"--contains={await repository.need_commit(containing)}"] if containing else []
        lists: list[list[GitRef]] = []
        current = (await repository.ask("symbolic-ref", "--quiet", "HEAD", codes=(0, 1))).strip()
        for kind in ("refs/heads", "refs/remotes", "refs/tags"):
            wanted = ("--sort=-creatordate", f"--count={limit + 1}", f"--format={_REF_FORMAT}", *held)
            text = await repository.ask("for-each-ref", *wanted, kind)
            lists.append(list(_refs(text, kind, current)))
        stashed = await repository.ask(
            "stash", "list", "-z", f"--max-count={limit + 1}", "--format=%gd%x00%H%x00%ct%x00%s%x00"
        )
        stashes = list(_stashes(stashed))
        # Only git 2.36 and newer separate them by anything but the end of a line.
        trees = await repository.ask("worktree", "list", "--porcelain")
        folders = [line.removeprefix("worktree ") for line in trees.splitlines() if line.startswith("worktree ")]
        branches, remotes, tags = (tuple(found[:limit]) for found in lists)
        truncated = any(len(found) > limit for found in (*lists, stashes))
        return GitRefs(
            str(repository.root), branches, remotes, tags, tuple(stashes[:limit]), tuple(folders[:limit]), truncated
        )

    @tool(
        keywords=("version control", "compare", "merge base", "ahead", "behind", "divergence"),
        latency=Latency.MEDIUM,
        read_only=True,
        open_world=False,
        timeout_s=120,
        examples=(
            ToolExample(input={"base": "v1.0"}, description="What came since a version"),
            ToolExample(input={"base": "v1.0", "target": "main", "limit": 3}, description="The first three commits"),
        ),
    )
    async def git_compare_branches(
        self,
        base: Annotated[str, Param("The branch, tag or commit to compare with, such as main")],
        target: Annotated[str, Param("The branch, tag or commit that is compared")] = "HEAD",
        *,
        folder: AskedFolder = _HERE,
        limit: Annotated[int, Ge(1), Le(1000), Param("The most commits of each side to return")] = 50,
    ) -> BranchesCompared:
        """Compare two branches of a git repository: what each has alone, and what the target changed since."""
        repository = await Repository.open(folder)
        ours, theirs = await repository.need_commit(base), await repository.need_commit(target)
        counts = await repository.ask("rev-list", "--left-right", "--count", f"{ours}...{theirs}", "--")
        behind, ahead = map(int, counts.split())
        common = (await repository.ask("merge-base", ours, theirs, codes=(0, 1))).strip() or None
        sides = [
            await _commits(repository, f"{first}..{second}", limit)
            for first, second in ((ours, theirs), (theirs, ours))
        ]
        files = await counts_of(repository, common or ours, theirs)
        truncated = max(ahead, behind) > limit or len(files) >= _MOST_FILES
        return BranchesCompared(
            str(repository.root), common, ahead, behind, sides[0], sides[1], tuple(files), truncated
        )


async def _placed(file: Path) -> tuple[Repository, str]:
    """Return the repository of a file, which may be gone, and its path from the top folder."""
    folder = next((parent for parent in file.parents if parent.is_dir()), file.parent)
    repository = await Repository.open(folder)
    return repository, f"{repository.prefix}{file.relative_to(folder).as_posix()}"


async def _commits(repository: Repository, span: str, limit: int) -> tuple[Commit, ...]:
    text = await repository.ask("log", "-z", f"--format={COMMIT_FORMAT}", f"--max-count={limit}", span, "--")
    return tuple(commit for commit, _ in parse_commits(text))


def _blamed(text: str) -> Iterator[tuple[int, str, BlamedLines]]:
    """Yield number and text of each line of `git blame --line-porcelain`, with its commit."""
    head: dict[str, str] = {}
    sha, number = "", 0
    for line in text.split("\n"):
        if line.startswith("\t"):
            committed = bool(sha.strip("0"))
            date = datetime.fromtimestamp(int(head.get("author-time", "0")), UTC) if committed else None
            author = head.get("author", "") if committed else "not committed"
            block = BlamedLines(number, (), sha if committed else None, author, date, head.get("summary", ""))
            yield number, line[1:].removesuffix("\r"), block
            head = {}
        elif not head:
            sha, _, numbers = line.partition(" ")
            number = int(numbers.split()[1]) if numbers else 0
            head = {"": ""}
        else:
            name, _, value = line.partition(" ")
            head[name] = value


def _blocks(lines: list[tuple[int, str, BlamedLines]]) -> Iterator[BlamedLines]:
    start = 0
    for place in range(1, len(lines) + 1):
        if place == len(lines) or lines[place][2].commit != lines[start][2].commit:
            first = lines[start][2]
            texts = tuple(text for _, text, _ in lines[start:place])
            yield BlamedLines(first.first_line, texts, first.commit, first.author, first.date, first.subject)
            start = place


def _refs(text: str, kind: str, current: str) -> Iterator[GitRef]:
    fields = [field.lstrip("\n") for field in text.split("\0")]
    for place in range(0, len(fields) - _REF_FIELDS, _REF_FIELDS):
        name, sha, peeled, date, upstream, distance, subject = fields[place : place + _REF_FIELDS]
        yield GitRef(
            name.removeprefix(kind + "/"),
            peeled or sha,
            datetime.fromtimestamp(int(date), UTC) if date.isdecimal() else None,
            subject,
            upstream or None,
            distance or None,
            is_current=name == current,
        )


def _stashes(text: str) -> Iterator[GitRef]:
    fields = [field for field in text.split("\0") if field]
    for name, sha, date, subject in zip(*[iter(fields)] * 4, strict=False):
        yield GitRef(name, sha, datetime.fromtimestamp(int(date), UTC), subject)
