"""GitHub and GitLab: repositories, issues, pull and merge requests, releases, runs."""

from __future__ import annotations

from tools.catalog._services import WebServices
from tools.catalog.forges_issues import ForgeIssues
from tools.catalog.forges_repositories import ForgeRepositories
from tools.catalog.forges_runs import ForgeRuns
from tools.declare import toolkit


@toolkit(
    "Forges",
    category="forges",
    description="Work with repositories at GitHub and GitLab.",
    needs=("GitHub", "GitLab"),
    untried=True,
)
class Forges(ForgeRepositories, ForgeIssues, ForgeRuns):
    """Work with repositories at GitHub and GitLab.

    Args:
        services: Asks the forges.
    """

    def __init__(self, services: WebServices | None = None) -> None:
        self._services = services or WebServices()
