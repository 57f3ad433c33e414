"""Build, test, check and format projects with their own programs, and read the reports of others."""

from __future__ import annotations

from tools.catalog.build_checks import CheckingCode
from tools.catalog.build_reports import ReadingReports
from tools.catalog.build_runs import RunningBuilds
from tools.declare import toolkit


@toolkit("Build", category="build", description="Run tests, builds, linters and formatters; read reports.")
class Build(RunningBuilds, CheckingCode, ReadingReports):
    """Build, test, check and format projects."""
