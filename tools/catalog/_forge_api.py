"""What GitHub and GitLab are asked for, whatever their own words for it."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from typing import Any, Final, Literal, NamedTuple, Protocol
from urllib.parse import quote

from tools.catalog._answers import text_at
from tools.catalog.forges_results import ChangedFile, CiJob, CiRun, Comment, IssueSummary, Release, RepositorySummary
from tools.errors import ToolFailure
from tools.web.text import decode_text

State = Literal["open", "closed", "merged", "all"]
Order = Literal["best", "stars", "updated"]

MOST_DIFF_BYTES: Final = 3_000_000
MOST_LOG_BYTES: Final = 20_000_000
LONGEST_NOTES: Final = 4_000


class IssueFilter(NamedTuple):
    """Which issues are wanted.

    Attributes:
        state: Open, closed, merged (requests only) or all.
        words: Words in title or text; empty for any.
        labels: Labels that they must all have.
        limit: The most wanted.
    """

    state: State
    words: str
    labels: Sequence[str]
    limit: int


class ForgeBody(NamedTuple):
    """What an issue or a request says.

    Attributes:
        into: The branch that a request goes into; empty for an issue.
        mergeable: Whether a request can be merged, in the forge's own words.
    """

    summary: IssueSummary
    text: str
    assignees: tuple[str, ...] = ()
    into: str = ""
    mergeable: str = ""


class Forge(Protocol):
    """One forge, asked about one repository, or about all of them."""

    async def search(self, words: str, order: Order, limit: int) -> tuple[list[RepositorySummary], int | None]: ...

    async def content(self, path: str, ref: str) -> str | list[str]:
        """Return the text of a file, or the names in a folder; folders end with a slash."""
        ...

    async def issues(self, wanted: IssueFilter) -> list[IssueSummary]:
        """Return issues, those that changed last first."""
        ...

    async def issue(self, number: int) -> ForgeBody: ...

    async def comments(self, number: int, limit: int, *, of_request: bool) -> list[Comment]:
        """Return the first comments, the oldest first."""
        ...

    async def create_issue(self, title: str, text: str, labels: Sequence[str]) -> tuple[int, str]:
        """Open an issue and return its number and its page."""
        ...

    async def comment(self, number: int, text: str, *, of_request: bool) -> str: ...

    async def requests(self, wanted: IssueFilter, into: str) -> list[IssueSummary]:
        """Return pull or merge requests, those that changed last first."""
        ...

    async def request(self, number: int) -> ForgeBody: ...

    async def changed_files(self, number: int) -> tuple[list[ChangedFile], bool]:
        """Return the files that a request changes and whether there may be more."""
        ...

    async def diff(self, number: int) -> tuple[str, bool]:
        """Return the unified diff of a request and whether it was cut."""
        ...

    async def releases(self, limit: int) -> list[Release]:
        """Return the newest releases."""
        ...

    async def runs(self, branch: str, *, failed_only: bool, limit: int) -> list[CiRun]:
        """Return the newest runs."""
        ...

    async def run(self, number: int) -> tuple[CiRun, list[CiJob], bool]:
        """Return a run, its jobs without logs, and whether there may be more jobs."""
        ...

    async def log(self, job: int) -> str:
        """Return the log of a job, or the end of a long one."""
        ...


def in_path(path: str) -> str:
    """Return a path inside a repository as an address has it.

    Raises:
        ToolFailure: It leads out of the repository.
    """
    parts = [part for part in path.split("/") if part]
    if ".." in parts or "." in parts:
        raise ToolFailure(f"expected a path inside the repository, such as src/app.py, got {path!r}")
    return "/".join(quote(part, safe="") for part in parts)


def decoded_content(answer: Any, path: str) -> str:
    """Return the text of a file that came in base64.

    Raises:
        ToolFailure: It is no text.
    """
    try:
        content = base64.b64decode(text_at(answer, "content"))
    except (ValueError, binascii.Error) as error:
        raise ToolFailure(f"{path} did not come whole; try again") from error
    return text_of(content, path)


def text_of(content: bytes, path: str) -> str:
    """Return the text that bytes of a file are.

    Raises:
        ToolFailure: They are none.
    """
    if b"\0" in content[:8000]:
        raise ToolFailure(f"{path} is no text, but {len(content):,} bytes of something else; use download_file")
    return decode_text(content, None)
