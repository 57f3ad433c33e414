"""Ask git, and read its answers."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Final, Literal, Self

from tools.errors import ToolFailure, ToolTimeoutError
from tools.programs import Captured, run_program

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


MAX_OUTPUT_BYTES: Final = 16_000_000
_TIMEOUT_S: Final = 60.0
_ERROR_BYTES: Final = 10_000
_LONGEST_REF: Final = 250
_TOLD_LINES: Final = 5
_NO_IDENTITY: Final = (
    "git does not know whose name a commit gets; set it with `git config user.name` and `git config user.email`"
    " (run_command)"
)
_KEPT_VARIABLES: Final = frozenset(
    {
        "GIT_AUTHOR_EMAIL",
        "GIT_AUTHOR_NAME",
        "GIT_COMMITTER_EMAIL",
        "GIT_COMMITTER_NAME",
        "GIT_CONFIG_GLOBAL",
        "GIT_CONFIG_NOSYSTEM",
        "GIT_CONFIG_SYSTEM",
        "GIT_EXEC_PATH",
    }
)
# A repository's own settings may name programs that git starts while it only looks; none of them is wanted.
_SETTINGS: Final = (
    ("core.fsmonitor", "false"),
    ("core.hooksPath", os.devnull),
    ("core.pager", "cat"),
    ("core.quotePath", "false"),
    ("color.ui", "false"),
    ("diff.autoRefreshIndex", "false"),
    ("diff.external", ""),
    ("log.showSignature", "false"),
    ("i18n.logOutputEncoding", "UTF-8"),
    ("status.submoduleSummary", "false"),
)
# Who changes a repository wants its hooks and filters: a commit without them would hold other content.
_WRITING: Final = (
    *((name, value) for name, value in _SETTINGS if name != "core.hooksPath"),
    # Git would make a name and an address up from those of the computer.
    ("user.useConfigOnly", "true"),
)
_WRITING_TIMEOUT_S: Final = 900.0
_NO_FILTER: Final = (("clean", ""), ("smudge", ""), ("process", ""), ("required", "false"))
_FILTER: Final = re.compile(
    r"(?:local|worktree)\x00(filter\.[^\n\x00]+)\.(?:clean|smudge|process|required)\x00", re.IGNORECASE
)
_GUARDS: Final = (
    ("core.fsmonitor", "false"),
    ("core.hooksPath", os.devnull),
    ("core.pager", "cat"),
    ("log.showSignature", "false"),
    ("status.submoduleSummary", "false"),
    # A clone may hold a second repository without a working tree, settings and all, in any of its folders.
    ("safe.bareRepository", "explicit"),
)
_GUARDS_BY_NAME: Final = (
    (re.compile(r"filter\..*\.(clean|smudge|process)"), ""),
    (re.compile(r"filter\..*\.required"), "false"),
    (re.compile(r"diff\..*\.textconv"), "cat"),
    # An empty one fails: the difference would not be the one that the person sees.
    (re.compile(r"diff\.external|diff\..*\.command"), ""),
    (re.compile(r"gpg\.(.*\.)?program|pager\..*"), "false"),
)
_LISTED: Final = re.compile(r"(?:local|worktree)\x00([^\x00]*)\x00")


async def guarded(folder: Path, environment: Mapping[str, str]) -> dict[str, str]:
    """Return an environment in which a git that only reads starts no program that a repository's settings name.

    What the person's own settings name still runs. Submodules are looked into with the settings of their own.

    Args:
        folder: Where git starts.
        environment: What it would get otherwise.
    """
    stdout, stderr = Captured(MAX_OUTPUT_BYTES), Captured(_ERROR_BYTES)
    # Without git or the folder, the command itself says so better.
    with suppress(ToolFailure):
        await run_program(
            ("git", "config", "-z", "--includes", "--show-scope", "--name-only", "--list"),
            cwd=folder,
            env=environment,
            stdout=stdout,
            stderr=stderr,
            timeout_s=_TIMEOUT_S,
        )
    named = [
        (name, value)
        for name in sorted(set(_LISTED.findall(stdout.text)))
        for pattern, value in _GUARDS_BY_NAME
        if pattern.fullmatch(name)
    ]
    given = environment.get("GIT_CONFIG_COUNT", "")
    first = int(given) if given.isdecimal() else 0
    # No protocol: a repository that fetches what it lacks would do so by a program of its own choice.
    guards = {"GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none"}
    return {**environment, **guards, **_settings((*_GUARDS, *named), first)}


def _settings(settings: Sequence[tuple[str, str]], first: int = 0) -> dict[str, str]:
    """Return the variables that tell git to use some settings over those of its files."""
    told = {"GIT_CONFIG_COUNT": str(first + len(settings))}
    for number, (name, value) in enumerate(settings, first):
        told |= {f"GIT_CONFIG_KEY_{number}": name, f"GIT_CONFIG_VALUE_{number}": value}
    return told


@dataclass(frozen=True, slots=True)
class Repository:
    """Ask git about the repository a folder lies in.

    Attributes:
        folder: Where git starts.
        root: The working tree's top folder.
        prefix: The folder's place below the root, with a final `/`; empty for the root itself.
        settings: What git is told over the repository's own settings.
        timeout_s: How long git may take, in seconds.
    """

    folder: Path
    root: Path
    prefix: str
    settings: tuple[tuple[str, str], ...] = _SETTINGS
    timeout_s: float = _TIMEOUT_S

    @classmethod
    async def open(cls, folder: Path) -> Self:
        """Find the repository a folder lies in.

        Raises:
            ToolFailure: When it lies in none, or git is missing.
        """
        bare = cls(folder, folder, "")
        found = await bare.ask("rev-parse", "--show-toplevel", "--show-prefix")
        root, prefix = found.removesuffix("\n").split("\n", 1)
        listed = await bare.ask(
            "config", "-z", "--includes", "--show-scope", "--name-only", "--get-regexp", r"^filter\..*", codes=(0, 1)
        )
        names = sorted(set(_FILTER.findall(listed)))
        disabled = [(f"{name}.{key}", value) for name in names for key, value in _NO_FILTER]
        return cls(folder, Path(root), prefix.rstrip("\n"), (*_SETTINGS, *disabled))

    @property
    def here(self) -> tuple[str, ...]:
        """The pathspec of the folder; empty at the root, where nothing needs to be narrowed."""
        return (".",) if self.prefix else ()

    def writing(self) -> Repository:
        """Return the repository as it is changed: with its hooks and filters, and with time for them."""
        return replace(self, settings=_WRITING, timeout_s=_WRITING_TIMEOUT_S)

    def at_root(self) -> Repository:
        """Return the repository seen from its top folder."""
        return replace(self, folder=self.root, prefix="")

    async def ask(self, *arguments: str, codes: Sequence[int] = (0,), stdin: bytes | None = None) -> str:
        """Return what git prints.

        Args:
            *arguments: The subcommand and its arguments.
            codes: The exit codes that mean success.
            stdin: What git reads; None gives it nothing.

        Raises:
            ToolFailure: When git says no; its own words are passed on.
        """
        text, _ = await self.ask_much(*arguments, max_bytes=MAX_OUTPUT_BYTES, codes=codes, stdin=stdin)
        return text

    async def ask_much(
        self, *arguments: str, max_bytes: int, codes: Sequence[int] = (0,), stdin: bytes | None = None
    ) -> tuple[str, bool]:
        """Return the beginning of what git prints, and whether there was more.

        Raises:
            ToolFailure: When git says no; its own words are passed on.
        """
        content, cut = await self.ask_bytes(*arguments, max_bytes=max_bytes, codes=codes, stdin=stdin)
        return content.decode("utf-8", errors="replace"), cut

    async def ask_bytes(
        self, *arguments: str, max_bytes: int, codes: Sequence[int] = (0,), stdin: bytes | None = None
    ) -> tuple[bytes, bool]:
        """Return the beginning of what git prints as bytes, and whether there was more.

        Raises:
            ToolFailure: When git says no; its own words are passed on.
        """
        stdout, stderr = Captured(max_bytes), Captured(_ERROR_BYTES)
        ended = await run_program(
            ("git", "--no-pager", "--no-optional-locks", *arguments),
            cwd=self.folder,
            env=_environment(self.settings, literal=arguments[0] != "stash"),
            stdout=stdout,
            stderr=stderr,
            timeout_s=self.timeout_s,
            stdin=stdin,
        )
        if ended.timed_out:
            late = f"git {arguments[0]} did not end within {self.timeout_s:g} s and was stopped; ask for less"
            raise ToolTimeoutError(late)
        if ended.exit_code not in codes:
            raise ToolFailure(self._refusal(arguments[0], stderr.text))
        return stdout.content, stdout.truncated

    def _refusal(self, command: str, words: str) -> str:
        if "not a git repository" in words:
            return f"{self.folder} lies in no git repository; give a folder that does"
        if "dubious ownership" in words:
            return f"{self.folder} belongs to another user, so git refuses it; git's safe.directory setting allows it"
        if "auto-detection is disabled" in words or "empty ident name" in words:
            return _NO_IDENTITY
        lines = [line.strip() for line in words.splitlines() if line.strip()] or ["it gave no reason"]
        # The reason comes first, but what a hook says ends with it.
        told = [line for line in lines if line.startswith(("fatal: ", "error: "))][:1] or lines[-_TOLD_LINES:]
        return f"git {command} failed: {'; '.join(told).removeprefix('fatal: ').removeprefix('error: ')}"

    async def succeeds(self, *arguments: str) -> bool:
        stdout, stderr = Captured(_ERROR_BYTES), Captured(_ERROR_BYTES)
        ended = await run_program(
            ("git", "--no-optional-locks", *arguments),
            cwd=self.folder,
            env=_environment(self.settings),
            stdout=stdout,
            stderr=stderr,
            timeout_s=self.timeout_s,
        )
        return ended.exit_code == 0

    async def is_ref_name(self, kind: str, name: str) -> bool:
        """Return whether a branch (`heads`) or tag (`tags`) may have a name."""
        return not name.startswith("-") and await self.succeeds("check-ref-format", f"refs/{kind}/{name}")

    async def has_ref(self, ref: str) -> bool:
        """Return whether there is a reference of a full name, such as `refs/heads/main`."""
        return await self.succeeds("show-ref", "--verify", "--quiet", ref)

    async def need_identity(self) -> None:
        """Check that git knows whose name a commit gets.

        Raises:
            ToolFailure: It does not.
        """
        if not await self.succeeds("var", "GIT_COMMITTER_IDENT"):
            raise ToolFailure(_NO_IDENTITY)

    async def commit_of(self, ref: str) -> str | None:
        """Return the hash of the commit a branch, tag, hash or expression such as `HEAD~2` names; None for none.

        Raises:
            ToolFailure: When it is no name of anything.
        """
        if not ref or ref.startswith("-") or len(ref) > _LONGEST_REF or not ref.isprintable():
            raise ToolFailure(f"expected a branch, tag or commit such as main, v1.2 or HEAD~2, got {ref!r}")
        arguments = ("rev-parse", "--verify", "--quiet", "--end-of-options", ref + "^{commit}")
        found = (await self.ask(*arguments, codes=(0, 1, 128))).strip()
        return found if re.fullmatch(r"[0-9a-f]{40,64}", found) else None

    async def need_commit(self, ref: str) -> str:
        """Return the hash of a commit.

        Raises:
            ToolFailure: When there is none of that name.
        """
        found = await self.commit_of(ref)
        if found is None:
            raise ToolFailure(f"{ref!r} names no commit of {self.root}; git_log lists the commits")
        return found

    def pathspecs(self, paths: Sequence[str]) -> tuple[str, ...]:
        """Return paths, relative to the folder, as git takes them.

        Raises:
            ToolFailure: When one leads out of the repository, which git would read as two files to compare.
        """
        for path in paths:
            full = os.path.normpath(self.folder / path)
            if "\0" in path or not Path(full).is_relative_to(os.path.normpath(self.folder)):
                raise ToolFailure(f"expected paths inside {self.folder}, got {path!r}")
        return tuple(paths) or self.here


def _environment(settings: Sequence[tuple[str, str]], *, literal: bool = True) -> dict[str, str]:
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name in _KEPT_VARIABLES
    }
    environment |= {
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_PAGER": "cat",
        "LC_ALL": "C",
        "LANGUAGE": "",
    }
    if literal:
        # WORKAROUND git 2.39: `stash --include-untracked` leaves the files where they are when patterns are literal.
        environment["GIT_LITERAL_PATHSPECS"] = "1"
    return environment | _settings(settings)
