"""Find repositories, read what is in them, list their releases."""

from __future__ import annotations

from typing import Annotated, Final

from annotated_types import Ge, Le
from pydantic import StringConstraints

from tools.catalog._bounds import say_cut
from tools.catalog._forge_addresses import ForgeKind, forge_address, repository_address
from tools.catalog._forge_api import Order
from tools.catalog._forges import Kind, RepositoryName, forge_of, host_concerns
from tools.catalog._services import WebServices
from tools.catalog.forges_results import Releases, Repositories, RepositoryContent
from tools.context import ToolContext
from tools.declare import tool
from tools.declare.decorators import retry
from tools.errors import TransientError
from tools.spec import Param, ToolExample

_MOST_CHARS: Final = 200_000
_FULL_LISTS: Final = frozenset({100, 1000})
"""How many entries of a folder GitLab and GitHub give in one answer at most."""


class ForgeRepositories:
    """Look at repositories."""

    _services: WebServices

    @tool(
        keywords=("github", "gitlab", "repositories", "search", "open source", "project"),
        latency="medium",
        read_only=True,
        open_world=True,
        timeout_s=60,
        concerns=host_concerns,
        examples=(
            ToolExample(input={"query": "json schema language:python", "order": "stars"}, description="At GitHub"),
            ToolExample(input={"query": "inkscape", "forge": "gitlab", "limit": 5}, description="At GitLab"),
        ),
    )
    @retry(max_attempts=2, retry_on=(TransientError,))
    async def search_repositories(
        self,
        query: Annotated[
            str,
            StringConstraints(strip_whitespace=True, min_length=1, max_length=256),
            Param("The words to look for; GitHub also reads qualifiers such as language:python"),
        ],
        *,
        forge: Annotated[ForgeKind, Param("Where to look")] = "github",
        host: Annotated[
            str, Param("The host of a forge of one's own, such as git.example.org; empty for the public one")
        ] = "",
        order: Annotated[Order, Param("What comes first")] = "best",
        limit: Annotated[int, Ge(1), Le(100), Param("The most repositories to return")] = 10,
        ctx: ToolContext,
    ) -> Repositories:
        """Search the repositories of GitHub or GitLab by words, with stars, licence and when they last changed.

        GITHUB_TOKEN or GITLAB_TOKEN, from the environment or the keyring, is sent if there is one; a forge at another
        host has its own, such as GITLAB_TOKEN_GIT_EXAMPLE_ORG.
        """
        found, total = await forge_of(ctx, self._services, forge_address(forge, host)).search(query, order, limit)
        return Repositories(tuple(found[:limit]), total, len(found) > limit or (total or 0) > limit)

    @tool(
        keywords=("github", "gitlab", "file", "source", "read", "folder", "repository"),
        latency="medium",
        read_only=True,
        open_world=True,
        timeout_s=60,
        concerns=host_concerns,
        examples=(
            ToolExample(
                input={"repository": "python/cpython", "path": "README.rst", "lines": 40}, description="A file's start"
            ),
            ToolExample(
                input={"repository": "https://gitlab.com/gitlab-org/gitlab-runner", "path": "docs"},
                description="What a folder holds",
            ),
        ),
    )
    @retry(max_attempts=2, retry_on=(TransientError,))
    async def read_repository_file(
        self,
        repository: RepositoryName,
        path: Annotated[str, Param("The path inside the repository; empty for its top folder")] = "",
        *,
        forge: Kind = "github",
        ref: Annotated[str, Param("A branch, a tag or a commit; empty for the default branch")] = "",
        start_line: Annotated[int, Ge(1), Param("The first line wanted, from 1")] = 1,
        lines: Annotated[int, Ge(1), Le(20_000), Param("The most lines to return", unit="lines")] = 2000,
        ctx: ToolContext,
    ) -> RepositoryContent:
        """Read a file of a repository at GitHub or GitLab without cloning it, or list what a folder of it holds."""
        address = repository_address(repository, forge)
        content = await forge_of(ctx, self._services, address).content(path, ref)
        kind = "file" if isinstance(content, str) else "folder"
        middle = {("github", "file"): "/blob", ("github", "folder"): "/tree", ("gitlab", "file"): "/-/blob"}
        shown = middle.get((address.kind, kind), "/-/tree")
        url = f"{address.url}{shown}/{ref or 'HEAD'}/{path.strip('/')}"
        if not isinstance(content, str):
            cut = len(content) in _FULL_LISTS
            return RepositoryContent(path, "folder", "", 1, 0, tuple(content), url, truncated=cut)
        rows = content.splitlines(keepends=True)
        piece = "".join(rows[start_line - 1 : start_line - 1 + lines])
        cut = start_line - 1 + lines < len(rows) or len(piece) > _MOST_CHARS
        if cut:
            say_cut(ctx, f"{path} has {len(rows):,} lines; ask again with a larger start_line")
        return RepositoryContent(path, "file", piece[:_MOST_CHARS], start_line, len(rows), (), url, truncated=cut)

    @tool(
        keywords=("github", "gitlab", "release", "version", "changelog", "tag", "assets"),
        latency="medium",
        read_only=True,
        open_world=True,
        timeout_s=60,
        concerns=host_concerns,
        examples=(
            ToolExample(input={"repository": "astral-sh/ruff", "limit": 3}, description="The newest releases"),
            ToolExample(
                input={"repository": "gitlab-org/cli", "forge": "gitlab"}, description="Of a project on GitLab"
            ),
        ),
    )
    @retry(max_attempts=2, retry_on=(TransientError,))
    async def list_releases(
        self,
        repository: RepositoryName,
        *,
        forge: Kind = "github",
        limit: Annotated[int, Ge(1), Le(99), Param("The most releases to return")] = 10,
        ctx: ToolContext,
    ) -> Releases:
        """List the newest releases of a repository at GitHub or GitLab with their notes and files."""
        found = await forge_of(ctx, self._services, repository_address(repository, forge)).releases(limit)
        return Releases(tuple(found[:limit]), len(found) > limit)
