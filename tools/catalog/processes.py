"""Look at one process, end one, see the environment, and find out what programs and command lines are."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, NoReturn

from annotated_types import Ge, Le, MaxLen, MinLen

from tools.catalog._dry_runs import telling_failures
from tools.declare import tool
from tools.errors import ToolFailure
from tools.masking import MASK, masked_address
from tools.spec import DryRun, Param, ToolExample

if TYPE_CHECKING:
    import psutil

_MOST_LISTED: Final = 100
_VALUE_CHARS: Final = 2000
_NO_PROCESS: Final = "there is no process {pid}; list_processes shows those that run"


@dataclass(frozen=True)
class ProcessDetails:
    """What is known of one process.

    Attributes:
        pid: Its number.
        name: Its program.
        command: Its command line; values that look like secrets are hidden.
        folder: The folder it runs in; None when the system does not say.
        user: Who runs it.
        status: Such as `running` or `sleeping`.
        started_at: When it began.
        cpu_s: The time it computed, in seconds.
        memory_bytes: The memory it holds.
        threads: How many threads it has.
        parents: The processes that started it, the nearest first, each as `pid name`.
        children: The processes that it started, and those they started, each as `pid name`.
        open_files: Some of the files that it has open; None when the system does not say.
    """

    pid: int
    name: str
    command: tuple[str, ...]
    folder: str | None
    user: str | None
    status: str
    started_at: datetime
    cpu_s: float
    memory_bytes: int
    threads: int
    parents: tuple[str, ...]
    children: tuple[str, ...]
    open_files: tuple[str, ...] | None


@dataclass(frozen=True)
class ProcessEnded:
    """How a process was ended.

    Attributes:
        pid: Its number.
        name: Its program.
        killed: Whether it had to be killed, as it did not end when it was asked to.
        children_ended: How many processes that it had started were ended with it.
    """

    pid: int
    name: str
    killed: bool
    children_ended: int


@dataclass(frozen=True)
class EnvironmentVariables:
    """The environment variables that programs are started with.

    Attributes:
        variables: Their values by name; those that look like secrets are hidden.
        hidden: The names of those.
        path: The folders that programs are looked for in, in order.
        truncated: Whether values were cut.
    """

    variables: dict[str, str]
    hidden: tuple[str, ...]
    path: tuple[str, ...]
    truncated: bool


@dataclass(frozen=True)
class FoundProgram:
    """Where a program is.

    Attributes:
        name: Its name, as it was asked for.
        path: Where it is; None when it is not on PATH.
        others: Further places on PATH, which the first one hides.
    """

    name: str
    path: str | None
    others: tuple[str, ...]


@dataclass(frozen=True)
class CommandStep:
    """One command of a line.

    Attributes:
        risk: low only looks, medium changes or sends, high destroys or is unknown, critical takes other rights.
        why: The reason.
    """

    risk: str
    why: str


@dataclass(frozen=True)
class CommandExplained:
    """What a command line would run.

    Attributes:
        risk: The worst of its steps.
        steps: The commands, each with its risk.
        programs: The programs that it starts, as far as they are known without running it.
    """

    risk: str
    steps: tuple[CommandStep, ...]
    programs: tuple[str, ...]


def _process(pid: int) -> psutil.Process:
    import psutil  # noqa: PLC0415 -- few tools need it

    try:
        return psutil.Process(pid)
    except (psutil.NoSuchProcess, OverflowError, ValueError) as error:
        raise ToolFailure(_NO_PROCESS.format(pid=pid)) from error


def _refused(error: Exception, pid: int, doing: str) -> NoReturn:
    import psutil  # noqa: PLC0415 -- as above

    if isinstance(error, psutil.NoSuchProcess):
        raise ToolFailure(_NO_PROCESS.format(pid=pid)) from error
    raise ToolFailure(
        f"the system does not let this program {doing} process {pid}; its owner or an administrator may"
    ) from error


def _vital(process: psutil.Process) -> str:
    """Return why a process is not ended; empty for one that may be."""
    import psutil  # noqa: PLC0415 -- as above

    if process.pid in {0, 1}:
        return "it keeps the system running"
    own = psutil.Process()
    if process.pid == own.pid or process.pid in {parent.pid for parent in own.parents()}:
        return "this program runs in it"
    return ""


def _ending(arguments: Mapping[str, Any]) -> tuple[psutil.Process, str, list[psutil.Process]]:
    """Return a process that may be ended, its name, and what it started.

    Raises:
        ToolFailure: There is none, it is another one than was meant, or it is not to be ended.
    """
    import psutil  # noqa: PLC0415 -- as above

    pid: int = arguments["pid"]
    process = _process(pid)
    try:
        name = process.name()
        children = process.children(recursive=True) if arguments["children"] else []
    except psutil.Error as error:
        _refused(error, pid, "look at")
    wanted: str = arguments["expected_name"]
    if wanted.casefold() not in name.casefold():
        raise ToolFailure(
            f"process {pid} is {name!r}, not {wanted!r}, as the number belongs to another one by now; list_processes"
            " shows them"
        )
    reason = _vital(process)
    if reason:
        raise ToolFailure(f"refused to end process {pid} ({name}): {reason}")
    return process, name, children


@telling_failures
def end_dry_run(arguments: Mapping[str, Any], _project_dir: Path) -> DryRun:
    """Say which processes would be ended."""
    process, name, children = _ending(arguments)
    items = [f"{process.pid} {name}", *(f"{child.pid} {_name(child)}" for child in children)]
    force = " They are killed at once." if arguments["force"] else ""
    return DryRun(
        f"End process {process.pid} ({name}) and {len(children)} that it started.{force}",
        items=tuple(items[:_MOST_LISTED]),
        more=max(0, len(items) - _MOST_LISTED),
        warnings=("What it has not saved is lost.",),
    )


def _lives(process: psutil.Process) -> bool:
    """Return whether a process still runs; one that has ended stays listed until its parent looks at it."""
    import psutil  # noqa: PLC0415 -- as above

    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _name(process: psutil.Process) -> str:
    import psutil  # noqa: PLC0415 -- as above

    try:
        return process.name()
    except psutil.Error:
        return "?"


class ProcessTools:
    """The tools that look at processes and at what they are started with."""

    @tool(
        keywords=("process", "pid", "children", "open files", "details"),
        latency="fast",
        read_only=True,
        open_world=False,
        timeout_s=30,
        examples=(
            ToolExample(
                input={"pid": 999_999_999},
                description="A process that is not there",
                negative=True,
                why_bad="list_processes shows the numbers of those that run.",
            ),
        ),
    )
    def process_info(self, pid: Annotated[int, Ge(0), Param("The number of the process")]) -> ProcessDetails:
        """Tell all that is known of one process: command line, folder, memory, parents, children and open files."""
        import psutil  # noqa: PLC0415 -- few tools need it

        process = _process(pid)
        try:
            with process.oneshot():
                return ProcessDetails(
                    pid=pid,
                    name=process.name(),
                    command=tuple(_hidden_words(process.cmdline())),
                    folder=_or_none(process.cwd),
                    user=_or_none(process.username),
                    status=str(process.status()),
                    started_at=datetime.fromtimestamp(process.create_time(), UTC),
                    cpu_s=round(sum(process.cpu_times()[:2]), 3),
                    memory_bytes=process.memory_info().rss,
                    threads=process.num_threads(),
                    parents=tuple(f"{parent.pid} {_name(parent)}" for parent in process.parents())[:_MOST_LISTED],
                    children=tuple(f"{child.pid} {_name(child)}" for child in process.children(recursive=True))[
                        :_MOST_LISTED
                    ],
                    open_files=_open_files(process),
                )
        except psutil.Error as error:
            _refused(error, pid, "look at")

    @tool(
        keywords=("kill", "terminate", "stop", "process", "signal"),
        latency="medium",
        idempotent=False,
        read_only=False,
        destructive=True,
        open_world=False,
        timeout_s=60,
        dry_run=end_dry_run,
        examples=(
            ToolExample(
                input={"pid": 1, "expected_name": ""},
                description="The first process of the system",
                negative=True,
                why_bad="It keeps the system running, and is never ended.",
            ),
            ToolExample(
                input={"pid": 4_194_305, "expected_name": "python3", "force": True},
                description="A process that is not there",
                negative=True,
                why_bad="Numbers of processes end before it; list_processes tells those that there are.",
            ),
        ),
    )
    def end_process(
        self,
        pid: Annotated[int, Ge(0), Param("The number of the process")],
        expected_name: Annotated[
            str, MaxLen(200), Param("A part of its name, so that no other one is hit that got its number")
        ],
        *,
        children: Annotated[bool, Param("End what it started, too")] = True,
        force: Annotated[bool, Param("Kill it at once, without asking it to end")] = False,
        wait_s: Annotated[
            float, Ge(0), Le(30), Param("How long it may take to end before it is killed", unit="s")
        ] = 5.0,
    ) -> ProcessEnded:
        """End a process: it is asked to end first, and killed when it does not in time."""
        import psutil  # noqa: PLC0415 -- few tools need it

        process, name, below = _ending({"pid": pid, "expected_name": expected_name, "children": children})
        everyone = [process, *below]
        for one in everyone:
            try:
                one.kill() if force else one.terminate()
            except psutil.NoSuchProcess:
                continue
            except psutil.AccessDenied as error:
                _refused(error, one.pid, "end")
        _, alive = psutil.wait_procs(everyone, timeout=wait_s)
        alive = [one for one in alive if _lives(one)]
        killed = force or process in alive
        for one in alive:
            try:
                one.kill()
            except psutil.Error:
                continue
        _, alive = psutil.wait_procs(alive, timeout=wait_s)
        left = [one for one in alive if _lives(one)]
        if left:
            raise ToolFailure(f"process {left[0].pid} does not end even when it is killed; it waits for the system")
        return ProcessEnded(pid, name, killed, len(below))

    @tool(
        keywords=("environment", "variables", "env", "path", "printenv"),
        latency="fast",
        read_only=True,
        open_world=False,
        timeout_s=30,
        examples=(
            ToolExample(input={}, description="All variables"),
            ToolExample(input={"name": "python"}, description="Those about Python"),
        ),
    )
    def environment_variables(
        self,
        name: Annotated[str, MaxLen(200), Param("Only variables whose name contains this, in any case")] = "",
    ) -> EnvironmentVariables:
        """List the environment variables that programs are started with. Values that look like secrets are hidden."""
        variables: dict[str, str] = {}
        hidden: list[str] = []
        truncated = False
        for variable, value in sorted(os.environ.items()):
            if name.casefold() not in variable.casefold():
                continue
            shown_value = _without_secret(variable, value)
            if shown_value != value:
                hidden.append(variable)
            truncated = truncated or len(shown_value) > _VALUE_CHARS
            variables[variable] = shown_value[:_VALUE_CHARS]
        folders = tuple(folder for folder in os.environ.get("PATH", "").split(os.pathsep) if folder)
        return EnvironmentVariables(variables, tuple(hidden), folders, truncated)

    @tool(
        keywords=("which", "where", "installed", "path", "program"),
        latency="fast",
        read_only=True,
        open_world=False,
        timeout_s=30,
        examples=(ToolExample(input={"names": ["git", "node", "cargo"]}, description="Which of three are there"),),
    )
    def find_programs(
        self, names: Annotated[list[str], MinLen(1), MaxLen(50), Param("Names of programs, without a folder")]
    ) -> tuple[FoundProgram, ...]:
        """Find out whether programs are installed, and where on PATH. None of them is started."""
        for name in names:
            if not name or Path(name).name != name:
                raise ToolFailure(f"expected names of programs such as git, got {name!r}; file_info looks at paths")
        return tuple(_found_program(name) for name in names)

    @tool(
        keywords=("shell", "risk", "bash", "explain", "safe", "command line"),
        latency="fast",
        read_only=True,
        open_world=False,
        timeout_s=30,
        examples=(
            ToolExample(input={"command": "git log --oneline | head -5"}, description="A line that only looks"),
            ToolExample(input={"command": "rm -rf build && make"}, description="A line that deletes"),
        ),
    )
    def explain_command(
        self, command: Annotated[str, MinLen(1), MaxLen(50_000), Param("The command line, as a shell reads it")]
    ) -> CommandExplained:
        """Tell what a shell command line would do and how risky each step is, without running it.

        It is judged as the rules for calls judge it: what is not known to be harmless counts as a risk.
        """
        from tools.policy.shell import read_line  # noqa: PLC0415 -- few who list the tools look at a command

        line = read_line(command)
        steps = tuple(CommandStep(finding.risk.level.name.lower(), finding.why) for finding in line.findings)
        programs = tuple(dict.fromkeys(found.name for found in line.commands))
        return CommandExplained(line.worst.risk.level.name.lower(), steps, programs)


def _found_program(name: str) -> FoundProgram:
    places = [
        str(Path(folder, name))
        for folder in os.environ.get("PATH", "").split(os.pathsep)
        if folder and shutil.which(name, path=folder)
    ]
    return FoundProgram(name, shutil.which(name), tuple(dict.fromkeys(places[1:])))


def _or_none(ask: Callable[[], str]) -> str | None:
    import psutil  # noqa: PLC0415 -- few tools need it

    try:
        return ask()
    except (psutil.AccessDenied, psutil.ZombieProcess):
        return None


def _open_files(process: psutil.Process) -> tuple[str, ...] | None:
    import psutil  # noqa: PLC0415 -- as above

    try:
        return tuple(file.path for file in process.open_files()[:_MOST_LISTED])
    except (psutil.AccessDenied, psutil.ZombieProcess):
        return None


def _without_secret(name: str, value: str) -> str:
    """Return the value of a variable or option, hidden when it is or holds a secret."""
    from tools.mcp.secrets import is_secret_name, looks_secret  # noqa: PLC0415 -- the tools are listed without it

    if value and (is_secret_name(name) or looks_secret(value)):
        return MASK
    return masked_address(value) if "://" in value else value


def _hidden_words(words: Sequence[str]) -> Iterator[str]:
    """Yield the words of a command line, values of options that look like secrets hidden."""
    before = ""
    for word in words:
        name, equals, value = word.partition("=")
        if equals and name:
            yield f"{name}={_without_secret(name, value)}"
        else:
            yield _without_secret(before if before.startswith("-") else "", word)
        before = word
