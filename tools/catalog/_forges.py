"""What the tools for forges have in common: their arguments, who is asked, and when a person is."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from annotated_types import Ge, Le
from pydantic import StringConstraints

from tools.catalog._bounds import readable_size
from tools.catalog._dry_runs import telling_failures
from tools.catalog._forge_addresses import ForgeKind, RepositoryAddress, forge_address, repository_address
from tools.catalog._forge_api import Forge
from tools.catalog._forge_github import GitHub
from tools.catalog._forge_gitlab import GitLab
from tools.catalog._services import WebServices
from tools.errors import ToolFailure
from tools.spec import Concern, Count, DryRun, Param
from tools.web.addresses import private_host_concerns

if TYPE_CHECKING:
    from tools.context import ToolContext

LONGEST_TEXT: Final = 20_000
_SHOWN_LINES: Final = 100

RepositoryName = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=500),
    Param("owner/name, or the address of the repository such as https://gitlab.com/group/name"),
]
Kind = Annotated[
    ForgeKind, Param("What runs where the repository is, unless its address is one of github.com or gitlab.com")
]
Number = Annotated[int, Ge(1), Le(2**53), Param("Its number in the repository")]


def forge_of(ctx: ToolContext, services: WebServices, address: RepositoryAddress) -> Forge:
    """Return the forge that is asked about a repository."""
    return (GitHub if address.kind == "github" else GitLab)(ctx, services, address)


def host_concerns(arguments: Mapping[str, Any], _project_dir: Path) -> list[Concern]:
    """Return the reason to ask when the forge is on a private network."""
    try:
        if "repository" in arguments:
            address = repository_address(arguments["repository"], arguments["forge"])
        else:
            address = forge_address(arguments["forge"], arguments["host"])
    except ToolFailure:
        # The call says so itself.
        return []
    return private_host_concerns(address.service.address)


def writing_concerns(arguments: Mapping[str, Any], project_dir: Path) -> list[Concern]:
    """Return the reasons to ask before something is written."""
    where = f"{arguments['repository']} in your name"
    return [
        *host_concerns(arguments, project_dir),
        Concern("sends_data", "Sends data", f"Writes {len(arguments['text']):,} characters to {where}"),
    ]


def _writing_dry_run(what: str, arguments: Mapping[str, Any], title: str) -> DryRun:
    """Return what a call would write.

    Raises:
        ToolFailure: The repository is none.
    """
    address = repository_address(arguments["repository"], arguments["forge"])
    lines = [*([title] if title else []), *arguments["text"].splitlines()]
    size = readable_size(len(arguments["text"].encode()))
    return DryRun(
        f"{what} at {address.url}, for everybody to read who may read there.",
        (Count("hosts", 1, "1 host"), Count("bytes", len(arguments["text"].encode()), f"{size} sent")),
        tuple(lines[:_SHOWN_LINES]),
        max(0, len(lines) - _SHOWN_LINES),
    )


@telling_failures
def issue_dry_run(arguments: Mapping[str, Any], _project_dir: Path) -> DryRun:
    """Say what issue would be opened."""
    return _writing_dry_run("Open an issue", arguments, arguments["title"])


@telling_failures
def comment_dry_run(arguments: Mapping[str, Any], _project_dir: Path) -> DryRun:
    """Say what comment would be written."""
    return _writing_dry_run(f"Comment on number {arguments['number']}", arguments, "")
