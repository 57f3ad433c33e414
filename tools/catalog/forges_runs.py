"""Runs of continuous integration, and why they failed."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Annotated, Final

from annotated_types import Ge, Le

from tools.catalog._bounds import stop_if_cancelled
from tools.catalog._forge_addresses import repository_address
from tools.catalog._forges import Kind, RepositoryName, forge_of, host_concerns
from tools.catalog._services import WebServices
from tools.catalog.forges_results import CiRunDetails, CiRuns
from tools.context import ToolContext
from tools.declare import tool
from tools.declare.decorators import retry
from tools.errors import ToolFailure, TransientError
from tools.spec import Param, ToolExample

_FAILED: Final = frozenset({"failure", "failed", "timed_out", "startup_failure"})
_STAMP: Final = re.compile(r"^\ufeff?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z (?:\d\d[OE][ +]?)?")
_COLOUR: Final = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|section_(?:start|end):\d+:\S*")
_ERROR: Final = re.compile(r"error|\bfailed\b|\bfailure\b|traceback|exception|\bpanic", re.IGNORECASE)
_MOST_ERRORS: Final = 30
_LONGEST_LINE: Final = 500


class ForgeRuns:
    """Look at runs of continuous integration."""

    _services: WebServices

    @tool(
        keywords=("github", "gitlab", "ci", "actions", "pipeline", "workflow", "runs", "build"),
        latency="medium",
        read_only=True,
        open_world=True,
        timeout_s=60,
        concerns=host_concerns,
        examples=(
            ToolExample(
                input={"repository": "pallets/flask", "branch": "main", "failed_only": True},
                description="What failed on a branch",
            ),
            ToolExample(
                input={"repository": "gitlab-org/cli", "forge": "gitlab", "limit": 3},
                description="The newest pipelines",
            ),
        ),
    )
    @retry(max_attempts=2, retry_on=(TransientError,))
    async def list_ci_runs(
        self,
        repository: RepositoryName,
        *,
        forge: Kind = "github",
        branch: Annotated[str, Param("Only runs for this branch")] = "",
        failed_only: Annotated[bool, Param("Whether only runs that failed are wanted")] = False,
        limit: Annotated[int, Ge(1), Le(99), Param("The most runs to return")] = 10,
        ctx: ToolContext,
    ) -> CiRuns:
        """List the newest runs of GitHub Actions or of GitLab's pipelines of a repository."""
        asked = forge_of(ctx, self._services, repository_address(repository, forge))
        found = await asked.runs(branch, failed_only=failed_only, limit=limit)
        return CiRuns(tuple(found[:limit]), len(found) > limit)

    @tool(
        keywords=("github", "gitlab", "ci", "actions", "pipeline", "log", "failed", "why"),
        latency="slow",
        read_only=True,
        open_world=True,
        timeout_s=180,
        concerns=host_concerns,
        examples=(
            ToolExample(
                input={"repository": "octocat/hello-world", "run": 123456789, "log_lines": 100},
                description="Why a run failed",
            ),
            ToolExample(
                input={"repository": "gitlab-org/cli", "run": 987, "forge": "gitlab", "most_logs": 1},
                description="One log of a pipeline",
            ),
        ),
    )
    @retry(max_attempts=2, retry_on=(TransientError,))
    async def read_ci_run(
        self,
        repository: RepositoryName,
        run: Annotated[int, Ge(1), Le(2**53), Param("The run's number")],
        *,
        forge: Kind = "github",
        log_lines: Annotated[
            int, Ge(0), Le(2000), Param("How many lines of the end of a failed job's log to return", unit="lines")
        ] = 60,
        most_logs: Annotated[int, Ge(0), Le(20), Param("Of how many failed jobs the log is read")] = 3,
        ctx: ToolContext,
    ) -> CiRunDetails:
        """Read a run of GitHub Actions or a pipeline of GitLab: its jobs, where they failed, and the end of the log.

        GitHub gives logs only to those who send a token.
        """
        asked = forge_of(ctx, self._services, repository_address(repository, forge))
        found, jobs, cut = await asked.run(run)
        failed = [place for place, job in enumerate(jobs) if job.status in _FAILED]
        for done, place in enumerate(failed[:most_logs] if log_lines else ()):
            stop_if_cancelled(ctx)
            ctx.progress(done, min(len(failed), most_logs), jobs[place].name)
            try:
                log = log_excerpt(await asked.log(jobs[place].id), log_lines)
            except TransientError:
                raise
            except ToolFailure as error:
                # What the jobs are is worth more than a log that has expired or needs a token.
                log = f"the log cannot be read: {error}"
            jobs[place] = replace(jobs[place], log=log)
        return CiRunDetails(found, tuple(jobs), cut or len(failed) > most_logs)


def log_excerpt(log: str, lines: int) -> str:
    """Return the lines with errors before the end of a log, and its end; without times and colours.

    Args:
        log: The log.
        lines: How many lines the end has.
    """
    rows = [_plain(row) for row in log.split("\n")]
    while rows and not rows[-1].strip():
        rows.pop()
    before, end = rows[:-lines], rows[-lines:]
    errors = [f"line {number:,}: {row}" for number, row in enumerate(before, 1) if _ERROR.search(row)]
    left_out = len(before) - len(errors[-_MOST_ERRORS:])
    parted = [f"… {left_out:,} lines are left out …"] if left_out else []
    return "\n".join([*errors[-_MOST_ERRORS:], *parted, *end])


def _plain(row: str) -> str:
    # A progress bar overwrites its own line; what it came to stands behind the last carriage return.
    row = _COLOUR.sub("", _STAMP.sub("", row)).rstrip("\r").rpartition("\r")[2]
    return row if len(row) <= _LONGEST_LINE else f"{row[:_LONGEST_LINE]}…"
