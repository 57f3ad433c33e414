"""What git prints for machines, as values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Final, Literal

from tools.errors import ToolFailure

ChangeKind = Literal["added", "modified", "deleted", "renamed", "copied", "type changed", "conflicted", "unknown"]

COMMIT_FORMAT: Final = "%x01%H%x00%an%x00%ae%x00%aI%x00%D%x00%s%x00%b%x00"
_COMMIT_FIELDS: Final = 7
_KINDS: Final[dict[str, ChangeKind]] = {
    "A": "added",
    "M": "modified",
    "D": "deleted",
    "R": "renamed",
    "C": "copied",
    "T": "type changed",
    "U": "conflicted",
}


@dataclass(frozen=True)
class FileChange:
    """One changed file.

    Attributes:
        path: The file, from the repository's top folder.
        change: What happened to it.
        old_path: What it was called before; None when it kept its name.
    """

    path: str
    change: ChangeKind
    old_path: str | None = None


@dataclass(frozen=True)
class GitStatus:
    """The state of a working tree.

    Attributes:
        repository: Its top folder.
        branch: The branch checked out; None when none is (a detached HEAD).
        commit: The hash of the newest commit; None before the first.
        upstream: The branch it follows; None when it follows none.
        ahead: Commits that the upstream lacks.
        behind: Commits that only the upstream has.
        staged: What the next commit will hold.
        unstaged: Further changes of known files.
        untracked: Files git does not know.
        conflicted: Files whose merge is not settled.
        clean: Whether there is none of these.
        truncated: Whether the lists go on.
    """

    repository: str
    branch: str | None
    commit: str | None
    upstream: str | None
    ahead: int
    behind: int
    staged: tuple[FileChange, ...]
    unstaged: tuple[FileChange, ...]
    untracked: tuple[str, ...]
    conflicted: tuple[str, ...]
    clean: bool
    truncated: bool


@dataclass(frozen=True)
class Commit:
    """One commit.

    Attributes:
        hash: Its full hash.
        author: Who wrote it.
        email: The author's address.
        date: When it was written.
        refs: The branches and tags that point at it.
        subject: The message's first line.
        body: The rest of the message.
    """

    hash: str
    author: str
    email: str
    date: datetime
    refs: tuple[str, ...]
    subject: str
    body: str


@dataclass(frozen=True)
class FileCounts:
    """How many lines of a file changed.

    Attributes:
        path: The file, from the repository's top folder.
        old_path: What it was called before; None when it kept its name.
        added: Lines added; None for a binary file.
        deleted: Lines deleted; None for a binary file.
    """

    path: str
    old_path: str | None
    added: int | None
    deleted: int | None


def parse_status(text: str, root: str, limit: int, *, cut: bool) -> GitStatus:
    """Return the values of `git status --porcelain=v2 --branch -z`.

    Args:
        text: What git printed.
        root: The repository's top folder.
        limit: The most entries of each list.
        cut: Whether git printed more than is here.
    """
    head: dict[str, str] = {}
    staged: list[FileChange] = []
    unstaged: list[FileChange] = []
    untracked: list[str] = []
    conflicted: list[str] = []
    tokens = iter(text.split("\0")[:-1])
    for token in tokens:
        kind, _, rest = token.partition(" ")
        if kind == "#":
            name, _, value = rest.partition(" ")
            head[name] = value
        elif kind == "?":
            untracked.append(rest)
        elif kind == "u":
            conflicted.append(rest.split(" ", 9)[9])
        elif kind in {"1", "2"}:
            fields = rest.split(" ", 8 if kind == "2" else 7)
            old_path = next(tokens, "") if kind == "2" else None
            for letter, changes in zip(fields[0], (staged, unstaged), strict=True):
                if letter != ".":
                    renamed = old_path if letter in "RC" else None
                    changes.append(FileChange(fields[-1], _KINDS.get(letter, "unknown"), renamed))
    ahead, behind = (abs(int(number)) for number in head.get("branch.ab", "+0 -0").split())
    lists = (staged, unstaged, untracked, conflicted)
    return GitStatus(
        repository=root,
        branch=None if head.get("branch.head") == "(detached)" else head.get("branch.head"),
        commit=None if head.get("branch.oid") == "(initial)" else head.get("branch.oid"),
        upstream=head.get("branch.upstream"),
        ahead=ahead,
        behind=behind,
        staged=tuple(staged[:limit]),
        unstaged=tuple(unstaged[:limit]),
        untracked=tuple(untracked[:limit]),
        conflicted=tuple(conflicted[:limit]),
        clean=not any(lists),
        truncated=cut or any(len(entries) > limit for entries in lists),
    )


def parse_commits(text: str) -> Iterator[tuple[Commit, tuple[FileCounts, ...]]]:
    """Yield the commits of `git log -z --format=COMMIT_FORMAT`, each with its files when `--numstat` was asked for."""
    tokens = iter(text.split("\0"))
    token = next(tokens, "")
    while token.startswith("\x01"):
        fields = [token[1:], *islice(tokens, _COMMIT_FIELDS - 1)]
        if len(fields) < _COMMIT_FIELDS:
            return
        stats: list[str] = []
        token = next(tokens, "")
        while not token.startswith("\x01"):
            stats.append(token)
            following = next(tokens, None)
            if following is None:
                break
            token = following
        yield _commit(fields), tuple(parse_counts(stats))


def _commit(fields: list[str]) -> Commit:
    sha, author, email, date, refs, subject, body = fields
    try:
        written = datetime.fromisoformat(date)
    except ValueError as error:
        raise ToolFailure(f"the commit {sha} has the date {date!r}, which is none") from error
    names = tuple(name for name in refs.split(", ") if name)
    return Commit(sha, author, email, written, names, subject, body.strip())


def parse_counts(tokens: list[str]) -> Iterator[FileCounts]:
    """Yield the files of `--numstat -z`."""
    rest = iter(tokens)
    for token in rest:
        added, tab, remaining = token.lstrip("\n").partition("\t")
        deleted, second_tab, path = remaining.partition("\t")
        if not (tab and second_tab):
            continue
        old_path = None
        if not path:
            old_path, path = next(rest, ""), next(rest, "")
        yield FileCounts(path, old_path, _count(added), _count(deleted))


def _count(text: str) -> int | None:
    return int(text) if text.isdecimal() else None
