"""GitHub and GitLab: repositories, issues, pull and merge requests, releases, runs."""

from __future__ import annotations

from tools.catalog._forge_addresses import repository_address
from tools.catalog._forges import forge_of
from tools.catalog._services import WebServices
from tools.catalog.forges_issues import ForgeIssues
from tools.catalog.forges_repositories import ForgeRepositories
from tools.catalog.forges_runs import ForgeRuns
from tools.context import ToolContext
from tools.declare import toolkit


@toolkit(
    "Forges",
    category="forges",
    description="Work with repositories at GitHub and GitLab.",
    needs=("GitHub", "GitLab"),
    untried=True,
    probe="reach_github",
    probe_on_request=True,
)
class Forges(ForgeRepositories, ForgeIssues, ForgeRuns):
    """Work with repositories at GitHub and GitLab.

    Args:
        services: Asks the forges.
    """

    def __init__(self, services: WebServices | None = None) -> None:
        self._services = services or WebServices()

    async def reach_github(self, ctx: ToolContext) -> None:
        """Ask GitHub for a repository; who works with GitLab only learns nothing from it."""
        asked = forge_of(ctx, self._services, repository_address("python/cpython", "github"))
        await asked.search("python", "best", 1)
