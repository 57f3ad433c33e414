"""Reports of tests and coverage."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from pydantic import Field

from tools.catalog._bounds import say_cut
from tools.catalog._build_targets import BuildTarget, targets_of
from tools.catalog._coverage import CoveredFile, ranges, read_coverage
from tools.catalog._documents import file_text
from tools.catalog._paths import need_folder, shown
from tools.catalog._test_reports import FailedTest, read_jest, read_junit
from tools.context import ToolContext
from tools.declare import tool
from tools.errors import ToolFailure
from tools.spec import Latency, Param, PathRole, ToolExample

_MOST_RANGES: Final = 100


@dataclass(frozen=True, slots=True)
class TestReport:
    """What a report says of tests."""

    path: Annotated[str, Field(description="The report.")]
    passed: Annotated[int, Field(description="How many passed.")]
    failed: Annotated[int, Field(description="How many failed, or broke.")]
    skipped: Annotated[int, Field(description="How many were skipped.")]
    failures: Annotated[list[FailedTest], Field(description="The first that did not pass.")]
    truncated: Annotated[bool, Field(description="Whether more did not pass.")]


@dataclass(frozen=True, slots=True)
class FileCoverage:
    """How much of a file ran."""

    file: Annotated[str, Field(description="The file, as the report names it.")]
    percent: Annotated[float, Field(description="The share of its lines that ran.")]
    covered: Annotated[int, Field(description="How many lines ran.")]
    lines: Annotated[int, Field(description="How many lines could run.")]
    missing: Annotated[list[str], Field(description="The lines that did not, such as 3-5.")]


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of a project ran."""

    path: Annotated[str, Field(description="The report.")]
    format: Annotated[str, Field(description="coverage.py, cobertura, lcov or go.")]
    percent: Annotated[float, Field(description="The share of all lines that ran.")]
    covered: Annotated[int, Field(description="How many lines ran.")]
    lines: Annotated[int, Field(description="How many lines could run.")]
    files: Annotated[list[FileCoverage], Field(description="Those with most missing lines first.")]
    truncated: Annotated[bool, Field(description="Whether there are more files.")]


@dataclass(frozen=True, slots=True)
class BuildTargets:
    """What a project can be told to do."""

    targets: Annotated[list[BuildTarget], Field(description="Targets of Make and just, and scripts of npm.")]


class ReadingReports:
    """The tools that read what builds leave behind, and run nothing."""

    @tool(
        keywords=("junit", "test results", "ci", "failures", "report"),
        latency=Latency.FAST,
        read_only=True,
        open_world=False,
        timeout_s=60,
        examples=(
            ToolExample(input={"path": "build/junit.xml"}, description="The report of a test run"),
            ToolExample(
                input={"path": "README.md"},
                description="A file that is no report",
                negative=True,
                why_bad="JUnit XML is read, and the JSON of jest and vitest.",
            ),
        ),
    )
    def read_test_report(
        self,
        path: Annotated[Path, Param("The report: JUnit XML, or the JSON of jest or vitest"), PathRole()],
        *,
        max_failures: Annotated[int, Param("Most failures returned"), Field(ge=1, le=1000)] = 50,
        ctx: ToolContext,
    ) -> TestReport:
        """Read a report of tests, such as CI keeps: how many passed, and why each of the others did not."""
        text, name = file_text(path, ctx), shown(path, ctx.project_dir)
        found = read_jest(text, name) if text.lstrip().startswith("{") else read_junit(text, name)
        failures = list(found.failures[:max_failures])
        if found.failed > max_failures:
            say_cut(ctx, f"{max_failures} of {found.failed:,} failures are returned")
        return TestReport(name, found.passed, found.failed, found.skipped, failures, found.failed > max_failures)

    @tool(
        keywords=("coverage", "lcov", "cobertura", "untested", "missing lines"),
        latency=Latency.FAST,
        read_only=True,
        open_world=False,
        timeout_s=60,
        examples=(
            ToolExample(input={"path": "build/lcov.info"}, description="What no test ran"),
            ToolExample(input={"path": "build/lcov.info", "below_percent": 80}, description="Files under 80 percent"),
        ),
    )
    def read_coverage(
        self,
        path: Annotated[
            Path, Param("The report: JSON of coverage.py, Cobertura XML, LCOV or a Go profile"), PathRole()
        ],
        *,
        below_percent: Annotated[float, Param("Only files of which less ran", unit="%"), Field(ge=0, le=100.1)] = 100.1,
        max_files: Annotated[int, Param("Most files returned"), Field(ge=1, le=5000)] = 100,
        ctx: ToolContext,
    ) -> Coverage:
        """Read a report of coverage: how much of a project its tests ran, and which lines they did not."""
        name = shown(path, ctx.project_dir)
        form, found = read_coverage(file_text(path, ctx), name)
        files = [_of_file(file) for file in found]
        kept = [file for file in files if file.percent < below_percent]
        kept.sort(key=lambda file: (file.covered - file.lines, file.file))
        covered, lines = sum(file.covered for file in files), sum(file.lines for file in files)
        if len(kept) > max_files:
            say_cut(ctx, f"{max_files:,} of {len(kept):,} files are returned")
        return Coverage(name, form, _percent(covered, lines), covered, lines, kept[:max_files], len(kept) > max_files)

    @tool(
        keywords=("make", "npm", "just", "scripts", "targets", "tasks"),
        latency=Latency.FAST,
        read_only=True,
        open_world=False,
        timeout_s=30,
        examples=(
            ToolExample(input={}, description="What a project can be told to do"),
            ToolExample(
                input={"folder": "src"},
                description="A folder without any",
                negative=True,
                why_bad="A Makefile, package.json or justfile must be in it.",
            ),
        ),
    )
    def list_build_targets(
        self, folder: Annotated[Path, Param("The project folder"), PathRole()] = Path(), *, ctx: ToolContext
    ) -> BuildTargets:
        """List the targets of Make and just and the scripts of npm of a project, with the commands that they run."""
        need_folder(folder, ctx.project_dir)
        targets = targets_of(folder, ctx)
        if not targets:
            raise ToolFailure(
                f"{shown(folder, ctx.project_dir)!r} has no Makefile, package.json or justfile with targets"
            )
        return BuildTargets(targets)


def _of_file(file: CoveredFile) -> FileCoverage:
    lines = file.covered + len(file.missing)
    return FileCoverage(
        file.name, _percent(file.covered, lines), file.covered, lines, ranges(sorted(file.missing))[:_MOST_RANGES]
    )


def _percent(covered: int, lines: int) -> float:
    return round(100 * covered / lines, 2) if lines else 100.0
