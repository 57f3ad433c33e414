"""List, read and write issues; list and read pull and merge requests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Final, Literal

from annotated_types import Ge, Le
from pydantic import StringConstraints

from tools.catalog._bounds import cut_text, say_cut
from tools.catalog._forge_addresses import repository_address
from tools.catalog._forge_api import IssueFilter, State
from tools.catalog._forges import (
    LONGEST_TEXT,
    Kind,
    Number,
    RepositoryName,
    comment_dry_run,
    forge_of,
    host_concerns,
    issue_dry_run,
    writing_concerns,
)
from tools.catalog._services import WebServices
from tools.catalog.forges_results import ChangeDetails, Comment, IssueDetails, Issues, Posted
from tools.context import ToolContext
from tools.declare import tool
from tools.declare.decorators import retry
from tools.errors import TransientError
from tools.spec import Param, ToolExample

if TYPE_CHECKING:
    from tools.catalog.forges_results import IssueSummary

_LONGEST_BODY: Final = 60_000

Words = Annotated[str, StringConstraints(strip_whitespace=True, max_length=200), Param("Words that it must have")]
Labels = Annotated[tuple[str, ...], Param("Labels that it must all have")]
Limit = Annotated[int, Ge(1), Le(99), Param("The most to return")]
Comments = Annotated[int, Ge(0), Le(99), Param("How many comments to return, the oldest first")]
Text = Annotated[str, StringConstraints(min_length=1, max_length=_LONGEST_BODY), Param("What is written, as Markdown")]


class ForgeIssues:
    """Work with issues, look at pull and merge requests."""

    _services: WebServices

    @tool(
        keywords=("github", "gitlab", "issues", "bugs", "tickets", "search"),
        latency="medium",
        read_only=True,
        open_world=True,
        timeout_s=90,
        concerns=host_concerns,
        examples=(
            ToolExample(
                input={"repository": "encode/httpx", "query": "proxy", "state": "all", "limit": 5},
                description="Issues with a word",
            ),
            ToolExample(
                input={"repository": "https://gitlab.com/gitlab-org/cli", "labels": ["type::bug"]},
                description="Open ones with a label",
            ),
        ),
    )
    @retry(max_attempts=2, retry_on=(TransientError,))
    async def list_issues(
        self,
        repository: RepositoryName,
        *,
        forge: Kind = "github",
        query: Words = "",
        state: Annotated[Literal["open", "closed", "all"], Param("Which ones")] = "open",
        labels: Labels = (),
        limit: Limit = 20,
        ctx: ToolContext,
    ) -> Issues:
        """List or search the issues of a repository at GitHub or GitLab, those that changed last first."""
        address = repository_address(repository, forge)
        found = await forge_of(ctx, self._services, address).issues(IssueFilter(state, query, labels, limit))
        return _first(found, limit)

    @tool(
        keywords=("github", "gitlab", "issue", "bug", "ticket", "comments", "read"),
        latency="medium",
        read_only=True,
        open_world=True,
        timeout_s=60,
        concerns=host_concerns,
        examples=(
            ToolExample(input={"repository": "encode/httpx", "number": 1}, description="An issue"),
            ToolExample(
                input={"repository": "gitlab-org/cli", "number": 7, "forge": "gitlab", "comments": 0},
                description="Without its comments",
            ),
        ),
    )
    @retry(max_attempts=2, retry_on=(TransientError,))
    async def read_issue(
        self,
        repository: RepositoryName,
        number: Number,
        *,
        forge: Kind = "github",
        comments: Comments = 30,
        ctx: ToolContext,
    ) -> IssueDetails:
        """Read an issue at GitHub or GitLab with its comments."""
        asked = forge_of(ctx, self._services, repository_address(repository, forge))
        issue = await asked.issue(number)
        said = await asked.comments(number, comments, of_request=False) if comments else []
        text, cut = cut_text(issue.text, LONGEST_TEXT, ctx)
        kept, shortened = _kept(said, comments, ctx)
        return IssueDetails(issue.summary, text, issue.assignees, kept, cut or shortened)

    @tool(
        keywords=("github", "gitlab", "issue", "bug", "report", "open", "ticket"),
        latency="medium",
        idempotent=False,
        read_only=False,
        destructive=False,
        open_world=True,
        requires_confirmation=True,
        timeout_s=60,
        concerns=writing_concerns,
        dry_run=issue_dry_run,
        examples=(
            ToolExample(
                input={
                    "repository": "octocat/hello-world",
                    "title": "Lamp stays dark",
                    "text": "1. Press the switch.\n2. Nothing.",
                    "labels": ["bug"],
                },
                description="Report a fault, which asks first",
            ),
            ToolExample(
                input={"repository": "ada/lamp", "title": "Add a switch", "text": "By the door.", "forge": "gitlab"},
                description="On GitLab",
            ),
        ),
    )
    async def create_issue(
        self,
        repository: RepositoryName,
        title: Annotated[
            str, StringConstraints(strip_whitespace=True, min_length=1, max_length=255), Param("Its title, in one line")
        ],
        text: Text,
        *,
        forge: Kind = "github",
        labels: Annotated[tuple[str, ...], Param("Labels it gets")] = (),
        ctx: ToolContext,
    ) -> Posted:
        """Open an issue at GitHub or GitLab in the name of the token's owner; a person is asked first."""
        asked = forge_of(ctx, self._services, repository_address(repository, forge))
        number, url = await asked.create_issue(title, text, labels)
        return Posted(number, url)

    @tool(
        keywords=("github", "gitlab", "comment", "answer", "issue", "pull request", "merge request"),
        latency="medium",
        idempotent=False,
        read_only=False,
        destructive=False,
        open_world=True,
        requires_confirmation=True,
        timeout_s=60,
        concerns=writing_concerns,
        dry_run=comment_dry_run,
        examples=(
            ToolExample(
                input={"repository": "octocat/hello-world", "number": 7, "text": "Fixed on main."},
                description="Answer an issue, which asks first",
            ),
            ToolExample(
                input={"repository": "octocat/hello-world", "number": 8, "text": "Looks right.", "on": "request"},
                description="On a pull request",
            ),
        ),
    )
    async def add_comment(
        self,
        repository: RepositoryName,
        number: Number,
        text: Text,
        *,
        forge: Kind = "github",
        on: Annotated[
            Literal["issue", "request"], Param("Whether it is an issue, or a pull or merge request")
        ] = "issue",
        ctx: ToolContext,
    ) -> Posted:
        """Comment on an issue, a pull or a merge request in the name of the token's owner; a person is asked first."""
        asked = forge_of(ctx, self._services, repository_address(repository, forge))
        return Posted(number, await asked.comment(number, text, of_request=on == "request"))

    @tool(
        keywords=("github", "gitlab", "pull requests", "merge requests", "review", "changes"),
        latency="medium",
        read_only=True,
        open_world=True,
        timeout_s=60,
        concerns=host_concerns,
        examples=(
            ToolExample(input={"repository": "pallets/flask", "limit": 5}, description="Open pull requests"),
            ToolExample(
                input={"repository": "https://gitlab.com/gitlab-org/cli", "state": "merged", "into": "main"},
                description="Merged merge requests",
            ),
        ),
    )
    @retry(max_attempts=2, retry_on=(TransientError,))
    async def list_pull_requests(
        self,
        repository: RepositoryName,
        *,
        forge: Kind = "github",
        query: Words = "",
        state: Annotated[State, Param("Which ones")] = "open",
        labels: Labels = (),
        into: Annotated[str, Param("Only those that go into this branch")] = "",
        limit: Limit = 20,
        ctx: ToolContext,
    ) -> Issues:
        """List or search the pull requests at GitHub or merge requests at GitLab, those that changed last first."""
        address = repository_address(repository, forge)
        wanted = IssueFilter(state, query, labels, limit)
        return _first(await forge_of(ctx, self._services, address).requests(wanted, into), limit)

    @tool(
        keywords=("github", "gitlab", "pull request", "merge request", "diff", "review", "read"),
        latency="medium",
        read_only=True,
        open_world=True,
        timeout_s=90,
        concerns=host_concerns,
        examples=(
            ToolExample(
                input={"repository": "pallets/flask", "number": 5000, "diff": True}, description="One with its diff"
            ),
            ToolExample(
                input={"repository": "gitlab-org/cli", "number": 12, "forge": "gitlab"},
                description="A merge request without its diff",
            ),
        ),
    )
    @retry(max_attempts=2, retry_on=(TransientError,))
    async def read_pull_request(
        self,
        repository: RepositoryName,
        number: Number,
        *,
        forge: Kind = "github",
        diff: Annotated[bool, Param("Whether the change itself is wanted")] = False,
        max_diff_characters: Annotated[
            int, Ge(1), Le(500_000), Param("The most of the diff to return", unit="characters")
        ] = 60_000,
        comments: Comments = 30,
        ctx: ToolContext,
    ) -> ChangeDetails:
        """Read a pull request at GitHub or a merge request at GitLab: its files, comments and diff."""
        asked = forge_of(ctx, self._services, repository_address(repository, forge))
        request = await asked.request(number)
        files, more_files = await asked.changed_files(number)
        said = await asked.comments(number, comments, of_request=True) if comments else []
        whole, more_diff = await asked.diff(number) if diff else ("", False)
        text, cut = cut_text(request.text, LONGEST_TEXT, ctx)
        shown, less_diff = cut_text(whole, max_diff_characters, ctx)
        kept, shortened = _kept(said, comments, ctx)
        return ChangeDetails(
            change=request.summary,
            text=text,
            into=request.into,
            mergeable=request.mergeable,
            files=tuple(files),
            diff=shown,
            comments=kept,
            truncated=any((cut, shortened, more_files, more_diff, less_diff)),
        )


def _first(found: Sequence[IssueSummary], limit: int) -> Issues:
    return Issues(tuple(found[:limit]), len(found) > limit)


def _kept(said: Sequence[Comment], limit: int, ctx: ToolContext) -> tuple[tuple[Comment, ...], bool]:
    """Return the first comments, none of them too long, and whether something is missing."""
    cut = len(said) > limit
    if cut:
        say_cut(ctx, f"{limit} comments are kept, there are more")
    kept = []
    for comment in said[:limit]:
        text, shortened = cut_text(comment.text, LONGEST_TEXT, ctx)
        cut = cut or shortened
        kept.append(Comment(comment.author, comment.created_at, text))
    return tuple(kept), cut
