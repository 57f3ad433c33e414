"""Run the tests and the builds of a project with its own programs. Every tool here asks first."""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple

from pydantic import Field

from tools.catalog._bounds import Unwatched, Watcher
from tools.catalog._build_targets import Builder, BuildTarget, targets_of
from tools.catalog._diagnostics import CodeProblem, problems_in
from tools.catalog._dry_runs import telling_failures
from tools.catalog._paths import need_folder, shown
from tools.catalog._test_reports import (
    FailedTest,
    TestCounts,
    read_cargo,
    read_go,
    read_jest,
    read_junit,
    read_unittest,
)
from tools.catalog._toolchains import (
    OUTPUT_BYTES,
    ToolchainRun,
    need_program,
    need_python,
    project_program,
    run_in_project,
)
from tools.context import ToolContext
from tools.declare import tool
from tools.errors import ToolFailure
from tools.programs import Captured
from tools.spec import DryRun, Latency, Param, PathRole, ToolExample

TestFramework = Literal["auto", "pytest", "unittest", "cargo", "go", "jest", "vitest"]

_REPORT: Final = "{report}"
_SHOWN_CHARS: Final = 8000
_MOST_PROBLEMS: Final = 500

ProjectFolder = Annotated[Path, Param("The project folder"), PathRole()]
RunTime = Annotated[float, Param("Time until it is killed with all it started", unit="s"), Field(gt=0, le=7200)]


@dataclass(frozen=True, slots=True)
class TestRun:
    """How tests ended; tests that fail are a result too."""

    framework: Annotated[str, Field(description="What ran them.")]
    command: Annotated[str, Field(description="The command.")]
    passed: Annotated[int, Field(description="How many passed.")]
    failed: Annotated[int, Field(description="How many failed, or broke.")]
    skipped: Annotated[int, Field(description="How many were skipped.")]
    failures: Annotated[list[FailedTest], Field(description="The first that did not pass.")]
    exit_code: Annotated[int, Field(description="Exit code of the command.")]
    elapsed_s: Annotated[float, Field(description="How long it ran, in seconds.")]
    output: Annotated[str, Field(description="The end of its output, when something did not pass.")]
    truncated: Annotated[bool, Field(description="Whether there are more failures.")]


@dataclass(frozen=True, slots=True)
class BuildRun:
    """How a build ended; one that fails is a result too."""

    command: Annotated[str, Field(description="The command.")]
    succeeded: Annotated[bool, Field(description="Whether its exit code is 0.")]
    exit_code: Annotated[int, Field(description="Exit code of the command.")]
    problems: Annotated[list[CodeProblem], Field(description="What it reports with file and line.")]
    elapsed_s: Annotated[float, Field(description="How long it ran, in seconds.")]
    output: Annotated[str, Field(description="The end of its output.")]
    truncated: Annotated[bool, Field(description="Whether there were more problems, or the output began before.")]


class _TestPlan(NamedTuple):
    framework: str
    command: tuple[str, ...]
    report: str = ""


def _framework(folder: Path) -> str:
    """Return what a project is tested with, told by its files."""
    for name in ("vitest", "jest"):
        if any((folder / "node_modules/.bin").glob(f"{name}*")):
            return name
    if (folder / "Cargo.toml").is_file():
        return "cargo"
    if (folder / "go.mod").is_file():
        return "go"
    configured = any((folder / name).is_file() for name in ("pytest.ini", "conftest.py", "tests/conftest.py"))
    for name in ("pyproject.toml", "setup.cfg", "tox.ini"):
        if (folder / name).is_file() and "pytest" in (folder / name).read_text(encoding="utf-8", errors="replace"):
            configured = True
    return "pytest" if configured or project_program("pytest", folder) else "unittest"


def _test_plan(arguments: Mapping[str, Any], project_dir: Path) -> _TestPlan:
    """Return what would be run.

    Raises:
        ToolFailure: The program is missing, or an argument could be taken for an option.
    """
    folder: Path = arguments["folder"]
    need_folder(folder, project_dir)
    targets: Sequence[str] = arguments["targets"]
    wanted: str = arguments["name_filter"]
    for given in (*targets, wanted):
        if given.startswith("-"):
            raise ToolFailure(f"expected names of tests, got {given!r}, which is an option; run_command takes options")
    framework = _framework(folder) if arguments["framework"] == "auto" else arguments["framework"]
    stop: bool = arguments["stop_at_first"]
    if framework == "pytest":
        options = ["-q", "--no-header", f"--junitxml={_REPORT}", "-o", "junit_family=xunit2"]
        options += [f"-k={wanted}"] if wanted else []
        options += ["--exitfirst"] if stop else []
        return _TestPlan(framework, (need_python(folder), "-m", "pytest", *options, *targets), "junit.xml")
    if framework == "unittest":
        options = [*(["-k", wanted] if wanted else []), *(["--failfast"] if stop else [])]
        return _TestPlan(framework, (need_python(folder), "-m", "unittest", "-v", *options, *targets))
    if framework == "cargo":
        cargo = need_program("cargo", folder, "install Rust from rustup.rs")
        filters = [*targets, *([wanted] if wanted else [])]
        return _TestPlan(framework, (cargo, "test", *([] if stop else ["--no-fail-fast"]), *filters))
    if framework == "go":
        go = need_program("go", folder, "install Go from go.dev")
        options = [*(["-run", wanted] if wanted else []), *(["-failfast"] if stop else [])]
        return _TestPlan(framework, (go, "test", "-json", *options, *(targets or ["./..."])))
    program = need_program(framework, folder, f"run `npm install` in the project, or add {framework} to it")
    begin = ["run", "--reporter=json"] if framework == "vitest" else ["--json"]
    stopping = ["--bail=1"] if stop else []
    named = ["-t", wanted] if wanted else []
    return _TestPlan(
        framework, (program, *begin, f"--outputFile={_REPORT}", *stopping, *named, *targets), "report.json"
    )


def _counts(plan: _TestPlan, run: ToolchainRun, report: Path) -> TestCounts | None:
    if plan.report:
        if not report.is_file():
            return None
        text = report.read_text(encoding="utf-8", errors="replace")
        return read_junit(text, "the report") if plan.framework == "pytest" else read_jest(text, "the report")
    said = f"{run.stdout}\n{run.stderr}"
    return {"unittest": read_unittest, "cargo": read_cargo, "go": read_go}[plan.framework](said)


@telling_failures
def tests_dry_run(arguments: Mapping[str, Any], project_dir: Path) -> DryRun:
    """Say which command would run the tests; nothing is started."""
    plan = _test_plan(arguments, project_dir)
    command = shlex.join(part.replace(_REPORT, plan.report) for part in plan.command)
    warning = "What the tests themselves do is not known beforehand."
    return DryRun(
        f"Run the tests of {_where(arguments, project_dir)} with {plan.framework}.",
        items=(command,),
        warnings=(warning,),
    )


def _where(arguments: Mapping[str, Any], project_dir: Path) -> str:
    name = shown(arguments["folder"], project_dir)
    return "the project" if name == "." else name


def _build_command(arguments: Mapping[str, Any], watcher: Watcher) -> tuple[tuple[str, ...], BuildTarget]:
    """Return the command of a target, and the target.

    Raises:
        ToolFailure: There is none of that name, or its program is missing.
    """
    folder: Path = arguments["folder"]
    need_folder(folder, watcher.project_dir)
    name: str = arguments["target"]
    wanted: Builder | None = arguments["builder"]
    known = targets_of(folder, watcher)
    fitting = [target for target in known if target.name == name and wanted in {None, target.builder}]
    if not fitting:
        names = ", ".join(dict.fromkeys(target.name for target in known[:20])) or "no targets"
        raise ToolFailure(f"there is no target {name!r} in {shown(folder, watcher.project_dir)!r}; there are {names}")
    builder = fitting[0].builder
    program = need_program(builder, folder, f"install {builder}")
    return ((program, "run", name) if builder == "npm" else (program, name)), fitting[0]


@telling_failures
def build_dry_run(arguments: Mapping[str, Any], project_dir: Path) -> DryRun:
    """Say which commands a target would run; nothing is started."""
    command, target = _build_command(arguments, Unwatched(project_dir))
    return DryRun(
        f"Run {shlex.join([Path(command[0]).name, *command[1:]])} in {_where(arguments, project_dir)}.",
        items=tuple(target.commands),
        warnings=("What it needs is built before.",) if target.builder == "make" else (),
    )


class RunningBuilds:
    """The tools that run what a project is built and tested with."""

    @tool(
        keywords=("test", "pytest", "unittest", "cargo test", "jest", "vitest", "failures"),
        priority=70,
        latency=Latency.SLOW,
        idempotent=False,
        requires_confirmation=True,
        read_only=False,
        destructive=True,
        open_world=True,
        dry_run=tests_dry_run,
        examples=(
            ToolExample(
                input={"framework": "unittest", "folder": "src", "timeout_s": 60}, description="The tests of a folder"
            ),
            ToolExample(
                input={"framework": "pytest", "targets": ["--help"]},
                description="An option",
                negative=True,
                why_bad="Targets are files and names of tests; run_command takes options.",
            ),
        ),
    )
    async def run_tests(
        self,
        *,
        folder: ProjectFolder = Path(),
        framework: Annotated[TestFramework, Param("What runs them; auto is told by the project's files")] = "auto",
        targets: Annotated[
            tuple[Annotated[str, Field(title="Target")], ...],
            Param("Only these: files or tests of pytest, modules of unittest, packages of Go, files of jest"),
            Field(max_length=200),
        ] = (),
        name_filter: Annotated[
            str, Param("Only tests whose name fits, as the runner reads it"), Field(max_length=500)
        ] = "",
        stop_at_first: Annotated[bool, Param("Stop at the first that fails")] = False,
        max_failures: Annotated[int, Param("Most failures returned"), Field(ge=1, le=500)] = 30,
        timeout_s: RunTime = 600.0,
        ctx: ToolContext,
    ) -> TestRun:
        """Run the tests of a project with pytest, unittest, cargo, go, jest or vitest; say which failed, where and why.

        The project's own environment is used. Each line of output is logged while they run.
        """
        plan = _test_plan(
            {
                "folder": folder,
                "framework": framework,
                "targets": targets,
                "name_filter": name_filter,
                "stop_at_first": stop_at_first,
            },
            ctx.project_dir,
        )
        with tempfile.TemporaryDirectory(prefix="tests-") as kept:
            report = Path(kept, plan.report or "none")
            command = [part.replace(_REPORT, str(report)) for part in plan.command]
            run = await run_in_project(command, folder, timeout_s, on_line=_logged(ctx))
            counts = _counts(plan, run, report)
        if counts is None:
            raise ToolFailure(f"{run.command} ran no test that could be told (exit code {run.exit_code}): {run.told}")
        output = "" if not counts.failed and not run.exit_code else (run.stdout + run.stderr)[-_SHOWN_CHARS:]
        return TestRun(
            framework=plan.framework,
            command=run.command,
            passed=counts.passed,
            failed=counts.failed,
            skipped=counts.skipped,
            failures=list(counts.failures[:max_failures]),
            exit_code=run.exit_code,
            elapsed_s=run.elapsed_s,
            output=output,
            truncated=counts.failed > max_failures,
        )

    @tool(
        keywords=("build", "make", "npm run", "just", "compile", "task"),
        latency=Latency.SLOW,
        idempotent=False,
        requires_confirmation=True,
        read_only=False,
        destructive=True,
        open_world=True,
        dry_run=build_dry_run,
        examples=(
            ToolExample(input={"target": "hello"}, description="A target of the Makefile"),
            ToolExample(
                input={"target": "none"},
                description="A target that is not there",
                negative=True,
                why_bad="list_build_targets tells which there are.",
            ),
        ),
    )
    async def run_build_target(
        self,
        target: Annotated[
            str, Param("The target or script, as list_build_targets names it"), Field(min_length=1, max_length=200)
        ],
        *,
        folder: ProjectFolder = Path(),
        builder: Annotated[Builder | None, Param("What runs it, when several have one of that name")] = None,
        timeout_s: RunTime = 600.0,
        ctx: ToolContext,
    ) -> BuildRun:
        """Run a target of Make or just, or a script of npm, and return the errors it reports with file and line."""
        command, _ = _build_command({"target": target, "folder": folder, "builder": builder}, ctx)
        run = await run_in_project(command, folder, timeout_s, on_line=_logged(ctx))
        said = "\n".join(part for part in (run.stdout, run.stderr) if part)
        problems = list(dict.fromkeys(problems_in(said)))
        cut = run.truncated or len(problems) > _MOST_PROBLEMS or len(said) > _SHOWN_CHARS
        return BuildRun(
            run.command,
            run.exit_code == 0,
            run.exit_code,
            problems[:_MOST_PROBLEMS],
            run.elapsed_s,
            said[-_SHOWN_CHARS:],
            cut,
        )


def _logged(ctx: ToolContext) -> Captured:
    def log(line: str) -> None:
        ctx.log("info", line)

    return Captured(OUTPUT_BYTES, keep_end=True, on_line=log)
