"""Run commands, and look at what runs and what fills the disk."""

from __future__ import annotations

import os
import shlex
import signal
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

from annotated_types import Ge, Gt, Le

from tools.catalog._bounds import counted
from tools.catalog._deletions import deletions
from tools.catalog._disk import DiskUsage, measure_folder
from tools.catalog._dry_runs import about, telling_failures
from tools.catalog._git import guarded
from tools.catalog._paths import shown
from tools.catalog._processes import ProcessList, SortBy, read_processes
from tools.catalog._system_load import SystemLoad, read_load
from tools.catalog.processes import ProcessTools
from tools.context import LogLevel, ToolContext
from tools.declare import tool, toolkit
from tools.errors import ToolFailure, ToolTimeoutError
from tools.programs import Captured, run_program
from tools.spec import Concern, Count, DryRun, Param, PathRole, RiskClass, RiskLevel, ShellCommand, ToolExample

_HERE: Final = Path()
_SHELL_WORDS: Final = frozenset("|&;<>") | {"&&", "||", ">>", "<<", "|&"}


@dataclass(frozen=True)
class CommandResult:
    """How a command ended; an exit code that is not 0 is a result too.

    Attributes:
        command: The program and its arguments.
        exit_code: Its exit code; negative when a signal killed it.
        signal: The signal's name; None when none killed it.
        stdout: The end of its output.
        stderr: The end of its error output.
        stdout_bytes: How much it wrote in all.
        stderr_bytes: How much it wrote to its error output in all.
        truncated: Whether the beginning of either is missing.
        elapsed_s: How long it ran.
    """

    command: tuple[str, ...]
    exit_code: int
    signal: str | None
    stdout: str
    stderr: str
    stdout_bytes: int
    stderr_bytes: int
    truncated: bool
    elapsed_s: float


def _command_concerns(arguments: Mapping[str, Any], project_dir: Path) -> list[Concern]:
    try:
        argv = command_line(arguments["command"], arguments["arguments"], shell=arguments["shell"])
    except ToolFailure:
        return []
    shown = arguments["command"] if arguments["shell"] else shlex.join(argv)
    folder = project_dir / arguments["folder"]
    through = " through the shell" if arguments["shell"] else ""
    added = "".join(f" {name}={value}" for name, value in (arguments["env"] or {}).items())
    with_env = f" with{added}" if added else ""
    return [Concern("command", "Runs a command", f"Runs{through} in {folder}{with_env}: {shown}")]


@telling_failures
def command_dry_run(arguments: Mapping[str, Any], project_dir: Path) -> DryRun:
    """Say what a command would run, and which files it plainly deletes or moves; nothing is started."""
    from tools.policy.shell import read_line  # noqa: PLC0415 -- few who list the tools look at a command

    command_line(arguments["command"], arguments["arguments"], shell=arguments["shell"])
    line = read_line(
        arguments["command"],
        arguments=arguments["arguments"] or (),
        shell=arguments["shell"],
        env=arguments["env"],
    )
    found = line.findings
    counts = [(level, sum(item.risk.level is level for item in found)) for level in reversed(RiskLevel)]
    folder = shown(arguments["folder"], project_dir)
    where = "in the project folder" if folder == "." else f"in {folder}"
    changes = any(item.risk.level > RiskLevel.LOW for item in found)
    gone = deletions(line.commands, arguments["folder"], project_dir)
    for_good = ["What it changes cannot be undone."] if changes else []
    text = " ".join([f"Run a command {where}.", *gone.sentences, *for_good])
    steps = tuple(Count("steps", many, counted(many, *_STEPS[level])) for level, many in counts if many)
    reasons = tuple(item.why for item in found)
    if not gone.paths:
        return DryRun(text, steps, reasons, warnings=gone.warnings)
    seen = about(text, gone.paths, project_dir, warnings=gone.warnings, more=steps)
    return seen._replace(items=(*reasons, *seen.items))


_STEPS: Final = {
    RiskLevel.LOW: ("harmless step",),
    RiskLevel.MEDIUM: ("step that changes or sends", "steps that change or send"),
    RiskLevel.HIGH: ("destructive or unknown step",),
    RiskLevel.CRITICAL: ("step with another user's rights", "steps with another user's rights"),
}


def command_line(command: str, arguments: list[str] | None, *, shell: bool) -> list[str]:
    """Return the program and its arguments.

    Args:
        command: The line as people type it, quotes and all.
        arguments: Further arguments, taken exactly as they are.
        shell: Whether a shell reads the line.

    Raises:
        ToolFailure: When the line is empty, a quote is open, or it needs a shell that it does not get.
    """
    if "\0" in command or not command.strip():
        raise ToolFailure(f"expected a program and its arguments, got {command!r}")
    if shell:
        interpreter = ["cmd.exe", "/d", "/s", "/c"] if os.name == "nt" else ["/bin/sh", "-c"]
        return [*interpreter, command, *(["sh", *arguments] if arguments else [])]
    try:
        words = shlex.split(command, posix=os.name != "nt")
        lexer = shlex.shlex(command, posix=False, punctuation_chars=True)
        bare = set(lexer) & _SHELL_WORDS
    except ValueError as error:
        raise ToolFailure(f"the command {command!r} cannot be split into words: {error}") from error
    if bare:
        raise ToolFailure(
            f"{min(bare)!r} in {command!r} means something to a shell only, and no shell reads it: quote it to pass"
            " it on, or set shell"
        )
    return [*words, *(arguments or [])]


@toolkit("System", category="system")
class System(ProcessTools):
    """Run commands, list processes, measure folders.

    Args:
        grace_s: How long a command may take to end by itself when its time is over, before it is killed.
    """

    def __init__(self, grace_s: float = 2.0) -> None:
        self._grace_s = grace_s

    @tool(
        keywords=("shell", "terminal", "execute", "program", "process", "script"),
        latency="slow",
        idempotent=False,
        requires_confirmation=True,
        read_only=False,
        destructive=True,
        open_world=True,
        concerns=_command_concerns,
        dry_run=command_dry_run,
        examples=(
            ToolExample(input={"command": "git --version"}, description="A program with one argument"),
            ToolExample(
                input={"command": "git commit", "arguments": ["-m", "Say 'why'"], "folder": "libs", "timeout_s": 20},
                description="An argument with blanks and quotes, given exactly",
            ),
        ),
    )
    async def run_command(
        self,
        command: Annotated[
            str,
            ShellCommand(arguments="arguments", shell="shell", env="env"),  # noqa: S604 -- names an argument
            Param("The program and its arguments in one line, quoted as in a terminal"),
        ],
        *,
        arguments: Annotated[list[str] | None, Param("Further arguments, passed exactly as they are")] = None,
        folder: Annotated[Path, PathRole(), Param("The folder to run in")] = _HERE,
        env: Annotated[dict[str, str] | None, Param("Environment variables to add or replace")] = None,
        stdin: Annotated[str | None, Param("What the command reads from its standard input")] = None,
        shell: Annotated[bool, Param("Whether a shell reads the command line, for pipes and redirections")] = False,
        timeout_s: Annotated[float, Gt(0), Le(3600), Param("Time until it is killed", unit="s")] = 60.0,
        max_bytes: Annotated[
            int, Ge(1), Le(5_000_000), Param("How much of the end of each output to return", unit="bytes")
        ] = 100_000,
        ctx: ToolContext,
    ) -> CommandResult:
        """Run a command and return its exit code and output; a person is asked first and sees the exact command.

        No shell reads it unless asked for. When the time is over, it is killed with everything it started. Each line
        of output is logged while it runs.
        """
        argv = command_line(command, arguments, shell=shell)
        variables = os.environ | _checked(env or {})
        if _git_only_reads(command, arguments or [], env or {}, shell=shell):
            variables = await guarded(folder, variables)
        stdout, stderr = _output(max_bytes, ctx, "info"), _output(max_bytes, ctx, "warning")
        ended = await run_program(
            argv,
            cwd=folder,
            env=variables,
            stdin=stdin.encode() if stdin is not None else None,
            stdout=stdout,
            stderr=stderr,
            timeout_s=timeout_s,
            grace_s=self._grace_s,
        )
        if ended.timed_out:
            last = (stderr.text or stdout.text).strip()[-500:]
            said = f"; the end of its output: {last!r}" if last else " and had printed nothing"
            raise ToolTimeoutError(
                f"{argv[0]!r} did not end within {timeout_s:g} s and was killed with all it started{said}"
            )
        if ended.left_running:
            ctx.log("warning", "what the command left running in the background was killed")
        killed_by = signal.Signals(-ended.exit_code).name if ended.exit_code < 0 else None
        return CommandResult(
            command=tuple(argv),
            exit_code=ended.exit_code,
            signal=killed_by,
            stdout=stdout.text,
            stderr=stderr.text,
            stdout_bytes=stdout.total_bytes,
            stderr_bytes=stderr.total_bytes,
            truncated=stdout.truncated or stderr.truncated,
            elapsed_s=round(ended.elapsed_s, 4),
        )

    @tool(
        keywords=("ps", "top", "cpu", "memory", "running", "programs"),
        latency="medium",
        read_only=True,
        open_world=False,
        timeout_s=60,
        examples=(
            ToolExample(input={"sort_by": "memory", "limit": 10}, description="What takes the most memory"),
            ToolExample(
                input={"name": "python", "command_lines": True}, description="Every Python with its command line"
            ),
        ),
    )
    def list_processes(
        self,
        name: Annotated[str, Param("Only processes whose name contains this, in any case")] = "",
        *,
        user: Annotated[str, Param("Only processes of this user; empty is everybody's")] = "",
        sort_by: Annotated[SortBy, Param("What the list is ordered by; cpu and memory put the largest first")] = "cpu",
        limit: Annotated[int, Ge(1), Le(2000), Param("The most processes to return")] = 30,
        command_lines: Annotated[bool, Param("Whether to show command lines, which may hold secrets")] = False,
    ) -> ProcessList:
        """List the processes that run on this computer with their CPU share, memory, age and user."""
        return read_processes(name, user, sort_by, limit, command_lines=command_lines)

    @tool(
        keywords=("cpu", "memory", "ram", "swap", "disk space", "load average", "uptime", "busy"),
        latency="medium",
        read_only=True,
        open_world=False,
        examples=(
            ToolExample(input={}, description="Is the computer busy, and is there memory and space left?"),
            ToolExample(input={"seconds": 3}, description="Watched for longer, which evens out peaks"),
        ),
    )
    def system_load(
        self,
        seconds: Annotated[float, Ge(0.1), Le(30), Param("How long the processors are watched", unit="s")] = 0.5,
    ) -> SystemLoad:
        """Tell how busy this computer is: processors, load, memory, swap, and how full its disks are.

        list_processes names what takes it; disk_usage finds what fills a folder.
        """
        return read_load(seconds)

    @tool(
        keywords=("size", "space", "folders", "du", "storage", "large"),
        latency="slow",
        read_only=True,
        open_world=False,
        timeout_s=600,
        examples=(
            ToolExample(input={}, description="What fills the project folder"),
            ToolExample(input={"folder": "build", "limit": 5}, description="The five largest things in one folder"),
        ),
    )
    def disk_usage(
        self,
        folder: Annotated[Path, PathRole(), Param("The folder to measure")] = _HERE,
        *,
        limit: Annotated[int, Ge(1), Le(1000), Param("The most entries to return")] = 30,
        max_files: Annotated[int, Ge(1), Le(10_000_000), Param("Stop after so many files")] = 1_000_000,
        ctx: ToolContext,
    ) -> DiskUsage:
        """Measure a folder: what each file and folder in it takes with all it holds, largest first, and the free space.

        Symbolic links are not followed, a file with several names counts once.
        """
        return measure_folder(folder, limit, max_files, ctx)


def _git_only_reads(command: str, arguments: list[str], env: Mapping[str, str], *, shell: bool) -> bool:
    """Return whether a command may run unasked because its git only reads, whatever the repository's settings say."""
    if "git" not in " ".join([command, *arguments]):
        return False
    from tools.policy.shell import read_line  # noqa: PLC0415 -- as above

    found = read_line(command, arguments=arguments, shell=shell, env=env).worst
    return found.risk is RiskClass.READ_ONLY


def _output(max_bytes: int, ctx: ToolContext, level: LogLevel) -> Captured:
    def log(line: str) -> None:
        ctx.log(level, line)

    return Captured(max_bytes, keep_end=True, on_line=log)


def _checked(env: Mapping[str, str]) -> dict[str, str]:
    for name, value in env.items():
        if not name or "=" in name or "\0" in name + value:
            raise ToolFailure(f"expected a variable's name without '=', got {name!r}")
    return dict(env)
