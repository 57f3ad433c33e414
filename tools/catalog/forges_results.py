"""What the tools for GitHub and GitLab return."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class RepositorySummary:
    """One repository.

    Attributes:
        repository: Its path, which the other tools take.
        url: Its address.
        description: What it is for.
        stars: How many people marked it.
        language: What most of it is written in; empty when the forge does not say.
        license: The identifier of its licence; empty when the forge does not say.
        topics: What it is about.
        updated_at: When somebody last pushed to it.
        archived: Whether it is kept for reading only.
    """

    repository: str
    url: str
    description: str
    stars: int
    language: str
    license: str
    topics: tuple[str, ...]
    updated_at: str
    archived: bool


@dataclass(frozen=True)
class Repositories:
    """The repositories that a search found.

    Attributes:
        repositories: The first of them.
        found: How many there are in all; None when the forge does not say.
        truncated: Whether some are missing here.
    """

    repositories: tuple[RepositorySummary, ...]
    found: int | None
    truncated: bool


@dataclass(frozen=True)
class RepositoryContent:
    """A file of a repository, or what a folder of it holds.

    Attributes:
        path: Where it is; empty for the top folder.
        kind: Whether it is a file or a folder.
        text: The file's text from `start_line` on; empty for a folder.
        start_line: The first line's number, from 1.
        lines: How many lines the file has.
        entries: What the folder holds; folders end with a slash.
        url: Its page.
        truncated: Whether text or entries are missing here.
    """

    path: str
    kind: Literal["file", "folder"]
    text: str
    start_line: int
    lines: int
    entries: tuple[str, ...]
    url: str
    truncated: bool


@dataclass(frozen=True)
class IssueSummary:
    """One issue, pull request or merge request.

    Attributes:
        number: Its number in the repository.
        title: Its title.
        state: open, closed or merged.
        author: Who opened it.
        labels: Its labels.
        comments: How many comments it has; None when the forge does not say.
        branch: What would be merged; empty for an issue.
        created_at: When it was opened.
        updated_at: When it last changed.
        url: Its page.
    """

    number: int
    title: str
    state: str
    author: str
    labels: tuple[str, ...]
    comments: int | None
    branch: str
    created_at: str
    updated_at: str
    url: str


@dataclass(frozen=True)
class Issues:
    """The issues, pull requests or merge requests that match.

    Attributes:
        items: The first of them, those that changed last first.
        truncated: Whether there may be more.
    """

    items: tuple[IssueSummary, ...]
    truncated: bool


@dataclass(frozen=True)
class Comment:
    """One comment.

    Attributes:
        author: Who wrote it.
        created_at: When.
        text: What it says, as Markdown.
    """

    author: str
    created_at: str
    text: str


@dataclass(frozen=True)
class IssueDetails:
    """An issue with its comments.

    Attributes:
        issue: The issue.
        text: What it says, as Markdown.
        assignees: Who is to see to it.
        comments: Its first comments, the oldest first.
        truncated: Whether comments are missing here, or a text was cut.
    """

    issue: IssueSummary
    text: str
    assignees: tuple[str, ...]
    comments: tuple[Comment, ...]
    truncated: bool


@dataclass(frozen=True)
class ChangedFile:
    """One file that a pull or merge request changes.

    Attributes:
        path: Where it is.
        change: added, modified, renamed or removed.
        added: How many lines come.
        removed: How many lines go.
    """

    path: str
    change: str
    added: int
    removed: int


@dataclass(frozen=True)
class ChangeDetails:
    """A pull or merge request.

    Attributes:
        change: The request.
        text: What it says, as Markdown.
        into: The branch that it goes into.
        mergeable: Whether it can be merged as it is, in the forge's own words.
        files: What it changes.
        diff: The change as a unified diff; empty unless asked for.
        comments: Its first comments, the oldest first.
        truncated: Whether files, comments or parts of texts are missing here.
    """

    change: IssueSummary
    text: str
    into: str
    mergeable: str
    files: tuple[ChangedFile, ...]
    diff: str
    comments: tuple[Comment, ...]
    truncated: bool


@dataclass(frozen=True)
class Posted:
    """What was written.

    Attributes:
        number: The number of the issue.
        url: Its page, or that of the comment.
    """

    number: int
    url: str


@dataclass(frozen=True)
class Release:
    """One release.

    Attributes:
        tag: Its tag.
        name: Its name.
        published_at: When it came.
        prerelease: Whether it is not meant for everybody yet.
        notes: What it brings, as Markdown, shortened.
        assets: The addresses of its files.
        url: Its page.
    """

    tag: str
    name: str
    published_at: str
    prerelease: bool
    notes: str
    assets: tuple[str, ...]
    url: str


@dataclass(frozen=True)
class Releases:
    """The releases of a repository.

    Attributes:
        releases: The newest of them.
        truncated: Whether there may be more.
    """

    releases: tuple[Release, ...]
    truncated: bool


@dataclass(frozen=True)
class CiRun:
    """One run of continuous integration: of a workflow or a pipeline.

    Attributes:
        id: Its number, which read_ci_run takes.
        name: What ran.
        branch: For which branch.
        commit: For which commit.
        status: What it is or came to, in the forge's own words, such as success, failure or running.
        event: What started it.
        created_at: When it was asked for.
        url: Its page.
    """

    id: int
    name: str
    branch: str
    commit: str
    status: str
    event: str
    created_at: str
    url: str


@dataclass(frozen=True)
class CiRuns:
    """Runs of continuous integration.

    Attributes:
        runs: The newest of them.
        truncated: Whether there may be more.
    """

    runs: tuple[CiRun, ...]
    truncated: bool


@dataclass(frozen=True)
class CiJob:
    """One job of a run.

    Attributes:
        id: Its number.
        name: What it is called.
        status: What it is or came to, in the forge's own words.
        failed_steps: The steps of it that failed.
        log: The end of its log and the lines with errors; only of jobs that failed.
        url: Its page.
    """

    id: int
    name: str
    status: str
    failed_steps: tuple[str, ...]
    log: str
    url: str


@dataclass(frozen=True)
class CiRunDetails:
    """A run with its jobs.

    Attributes:
        run: The run.
        jobs: Its jobs.
        truncated: Whether jobs or parts of logs are missing here.
    """

    run: CiRun
    jobs: tuple[CiJob, ...]
    truncated: bool
