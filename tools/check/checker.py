"""`ToolChecker`: make calls of tools, and tell which of them show a fault."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path, PurePosixPath, PureWindowsPath
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

from tools.calls import CallStatus, Continue, ErrorKind, ExitEarly, ReviewRequest, ReviewTiming, StepKind, StepOutcome
from tools.card import SourceKind
from tools.check.arguments import ArgumentMaker
from tools.check.findings import CheckFault, CheckFinding, CheckProgress, CheckReport, CheckSkip, SkipReason
from tools.check.scratch_folder import ScratchFolder
from tools.check.shrinking import shrunk
from tools.declare.process import ProgramRun
from tools.errors import DeclarationError, ExitEarlyError, ReviewTimeoutError, ToolConfigurationError
from tools.execution.executor import Executor
from tools.execution.workers import WorkerPool
from tools.execution.workers.references import reference_of
from tools.lint import lint_tool
from tools.masking import same_name
from tools.masking.addresses import is_secret_parameter
from tools.mcp.remote_tool import NEW_TOOL
from tools.protected import PROTECTED
from tools.registry import ToolRegistry
from tools.schema import MismatchFinder
from tools.spec import Isolation, Policies
from tools.tool import Tool

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.calls import ReviewDecision, ToolCall, ToolResponse
    from tools.policy import Policy

CALLER: Final = "check"
"""Who asks for the calls, as rules of the policy name the caller."""

_CANARY: Final = "hush-J7qXw2Lm9RtV4kZp8BnC"
"""What stands in secret arguments, and may stand nowhere else."""
_PIECE: Final = 10
"""How much of it tells it: a message that quotes a part of a secret tells it as well."""
_NOT_SO_SECRET: Final = frozenset({"key", "session", "sid", "sig", "pass"})
"""Names that often mean something else."""
_MOST_SMALLER: Final = 60
"""How many calls are made to make the arguments of one finding smaller; each that hangs costs its time."""
_MOST_SMALLER_BY_FAULT: Final = {CheckFault.CRASH: 12, CheckFault.HANG: 6}
_COSTLY: Final = frozenset({CheckFault.CRASH, CheckFault.HANG})
"""What costs a worker process, or the time of a whole call."""
_MOST_COSTLY: Final = 3
"""How often that is seen again before the check leaves it at that."""
_MOST_DETAIL: Final = 240
_MOST_FILES: Final = 3

Told = Callable[[CheckProgress], None]


class CheckOptions(NamedTuple):
    """How a tool is checked.

    Attributes:
        seed: What arguments are drawn by; the same seed gives the same arguments.
        calls: How many calls of one tool are made at most; those that make the arguments of a finding smaller come on
            top.
        within_s: Seconds that the check of one tool may take, besides the last call.
        call_s: Seconds after which a call counts as one that does not end.
        reaches_out: Whether tools that reach beyond this computer are called.
    """

    seed: int = 0
    calls: int = 60
    within_s: float = 30.0
    call_s: float = 5.0
    reaches_out: bool = False


class _Shown(NamedTuple):
    """One fault that a call shows."""

    fault: CheckFault
    detail: str
    error: str = ""

    @property
    def kind(self) -> tuple[CheckFault, str]:
        """What tells faults apart: of each kind, one finding is enough."""
        return self.fault, self.error


class _NotAskedHandler:
    """Let calls go on where nothing but the risk of the tool asks, and refuse what a person has to decide.

    Args:
        in_scratch: Whether a person confirmed a folder for tools that change things.

    Attributes:
        refusal: What was refused last; empty for nothing.
    """

    name = "the check"

    def __init__(self, *, in_scratch: bool) -> None:
        self._in_scratch = in_scratch
        self.refusal = ""

    async def review(self, request: ReviewRequest, /) -> ReviewDecision:
        by_person = any(
            concern.grants or concern.kind in {PROTECTED, NEW_TOOL} or not self._settles(concern.kind)
            for concern in request.concerns
        )
        if request.timing is not ReviewTiming.BEFORE_EXECUTION or request.rule or by_person:
            reasons = "; ".join(concern.detail or concern.title for concern in request.concerns)
            self.refusal = _one_line(reasons or request.description)
            return ExitEarly(self.refusal)
        return Continue()

    def _settles(self, kind: str) -> bool:
        return self._in_scratch or kind == "confirmation" or kind.startswith("the policy")


class ToolChecker:
    """Check tools, one after the other; an asynchronous context manager.

    Args:
        scratch: An empty folder in which tools that change things may run, as a person confirmed; None runs none of
            them. The others run in a folder of their own all the same.
        policy: The rules of the person and the project; None has none.
        clock: Seconds that only grow.
    """

    def __init__(
        self,
        registry: ToolRegistry,
        options: CheckOptions = CheckOptions(),  # noqa: B008 -- it never changes
        *,
        scratch: Path | None = None,
        policy: Policy | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._registry = registry
        self._options = options
        self._scratch = scratch
        self._policy = policy
        self._clock = clock
        self._opened = AsyncExitStack()
        self._is_stopped = False
        self._current: _Checking | None = None

    async def __aenter__(self) -> Self:
        """Make the folder, and what runs the calls.

        Raises:
            OSError: The folder cannot be used, or is not empty.
        """
        if self._scratch is None:
            top = Path(tempfile.mkdtemp(prefix="tool-console-check-"))
            self._opened.callback(shutil.rmtree, top, ignore_errors=True)
        else:
            top = self._scratch.absolute()
        self._folder = ScratchFolder(top)
        self._opened.callback(self._folder.clear)
        pool = WorkerPool(size=1, folder=self._folder.work)
        self._opened.callback(pool.close)
        registry = ToolRegistry()
        registry.register_all([self._adapted(tool) for tool in self._registry if self._registry.is_enabled(tool.name)])
        self._reviewer = _NotAskedHandler(in_scratch=self._scratch is not None)
        self._executor = Executor(
            registry,
            review_handler=self._reviewer,
            project_dir=self._folder.work,
            policy=self._policy,
            workers=pool,
        )
        self._opened.push_async_callback(self._executor.aclose)
        return self

    async def __aexit__(self, *_: object) -> None:
        """End what runs the calls, and remove what the check made."""
        await self._opened.aclose()

    def _adapted(self, tool: Tool) -> Tool:
        """Return the tool as it is checked: each call starts it once, within the time, where it can do least harm."""
        said = tool.policies
        isolation = tool.isolation
        if isolation is not Isolation.PROCESS:
            try:
                reference_of(tool)
                isolation = Isolation.PROCESS
            except ToolConfigurationError:
                pass
        policies = Policies(
            security=said.security,
            contract=said.contract,
            timeout_s=min(said.timeout_s or self._options.call_s, self._options.call_s),
            isolation=isolation,
        )
        return replace(tool, policies=policies)

    async def check(self, name: str, told: Told | None = None) -> CheckReport:
        """Check one tool: its description, its examples, and calls with arguments that are made of its schema.

        Args:
            name: The tool's.

        Raises:
            ToolNotFoundError: When no tool has that name.
        """
        tool = self._registry.get(name)
        report = CheckReport(tool.name, self._options.seed, lints=lint_tool(tool))
        skip = CheckSkip(SkipReason.STOPPED) if self._is_stopped else self.skip(name)
        if skip is not None:
            return report._replace(skip=skip)
        self._current = self._checking(tool, told)
        try:
            return await self._current.run(report)
        finally:
            self._current = None

    def stop(self) -> None:
        """End the check that runs, and begin no other; its report has what was found so far."""
        self._is_stopped = True
        if self._current is not None:
            self._current.stop()

    async def replay(self, name: str, arguments: Mapping[str, JsonValue]) -> CheckReport:
        """Make one call, and tell the faults that it shows.

        Raises:
            ToolNotFoundError: When no tool has that name.
        """
        tool = self._registry.get(name)
        report = CheckReport(tool.name, self._options.seed)
        skip = self.skip(name)
        return report._replace(skip=skip) if skip is not None else await self._checking(tool, None).once(arguments)

    def _checking(self, tool: Tool, told: Told | None) -> _Checking:
        until = self._clock() + self._options.within_s
        return _Checking(
            tool,
            self._executor,
            self._reviewer,
            self._folder,
            options=self._options,
            told=told,
            is_late=lambda: self._clock() >= until,
        )

    def skip(self, name: str) -> CheckSkip | None:
        """Return why a tool must not run; None when it may. It can be asked before anything is made.

        Raises:
            ToolNotFoundError: When no tool has that name.
        """
        tool = self._registry.get(name)
        if not self._registry.is_enabled(tool.name):
            return CheckSkip(SkipReason.DISABLED)
        if self._policy is not None and self._policy.is_closed:
            return CheckSkip(SkipReason.REFUSED, "the rules cannot be read")
        return skip_by_risk(tool, in_scratch=self._scratch is not None, reaches_out=self._options.reaches_out)


def is_changing(tool: Tool) -> bool:
    """Return whether a tool may change something: it does not say that it only reads."""
    return not tool.hints.read_only or tool.hints.may_destroy


def skip_by_risk(tool: Tool, *, in_scratch: bool, reaches_out: bool) -> CheckSkip | None:
    """Return why what a tool says of its risk keeps it from being checked; None when nothing does."""
    if not is_changing(tool):
        return CheckSkip(SkipReason.REACHES_OUT) if tool.hints.reaches_out and not reaches_out else None
    if tool.source.kind is SourceKind.SERVER or tool.hints.reaches_out:
        return CheckSkip(SkipReason.CHANGES_ELSEWHERE)
    if tool.shell_commands or isinstance(tool.function, ProgramRun):
        return CheckSkip(SkipReason.RUNS_PROGRAMS)
    if tool.hints.may_destroy and not tool.path_roles:
        # No scratch folder holds what it destroys: with drawn arguments it may end any process of the computer.
        return CheckSkip(SkipReason.CHANGES_ELSEWHERE)
    return None if in_scratch else CheckSkip(SkipReason.NEEDS_SCRATCH)


class _Checking:
    """The check of one tool."""

    def __init__(
        self,
        tool: Tool,
        executor: Executor,
        reviewer: _NotAskedHandler,
        folder: ScratchFolder,
        *,
        options: CheckOptions,
        told: Told | None,
        is_late: Callable[[], bool],
    ) -> None:
        self._tool = tool
        self._executor = executor
        self._reviewer = reviewer
        self._folder = folder
        self._options = options
        self._told = told
        self._is_late = is_late
        self._is_stopped = False
        self._call: ToolCall | None = None
        self._changes = is_changing(tool)
        self._output = _finder_of(tool)
        properties = tool.input_schema.get("properties")
        names = list(properties) if isinstance(properties, dict) else []
        self._secrets = [name for name in names if tool.hides(name) or _seems_secret(name)]
        shown_names = getattr(tool.arguments, "python_names", {})
        by_python_name = {python: name for name, python in shown_names.items()}
        self._maker = ArgumentMaker(
            tool.input_schema,
            seed=f"{options.seed}:{tool.name}",
            examples=[example.input for example in tool.spec.good_examples],
            paths=[by_python_name.get(name, name) for name, _ in tool.path_roles],
            secrets=dict.fromkeys(self._secrets, _CANARY),
        )
        self._calls = self._refused = self._denied = 0
        self._denial = ""
        self._costly = 0
        self._findings: dict[tuple[CheckFault, str], CheckFinding] = {}

    def stop(self) -> None:
        """Make no further call, and cancel the one that runs."""
        self._is_stopped = True
        if self._call is not None:
            self._call.cancel()

    def _is_over(self) -> bool:
        return self._is_stopped or self._is_late()

    async def once(self, arguments: Mapping[str, JsonValue]) -> CheckReport:
        shown = await (self._shown_by_call if self._maker.fits(arguments) else self._shown_by_nonsense)(arguments)
        for item in shown:
            self._findings[item.kind] = self._finding(item, arguments)
        return self._report(CheckReport(self._tool.name, self._options.seed), self._refusal())

    async def run(self, report: CheckReport) -> CheckReport:
        for example in self._tool.spec.good_examples:
            if self._is_over():
                break
            await self._try_example(example.input)
        skip: CheckSkip | None = None
        for arguments in self._allowed():
            if self._is_over() or self._calls >= self._options.calls:
                break
            if self._costly >= _MOST_COSTLY:
                skip = CheckSkip(SkipReason.KEEPS_FAILING)
                break
            await self._try(arguments, self._shown_by_call, fits=True)
        if not self._calls and not self._is_over():
            skip = CheckSkip(SkipReason.NOTHING_FITS)
        for number, arguments in enumerate(self._maker.unfitting()):
            if self._is_over() or number >= self._options.calls:
                break
            await self._try(arguments, self._shown_by_nonsense, fits=False)
        if self._is_over():
            skip = CheckSkip(SkipReason.STOPPED if self._is_stopped else SkipReason.OUT_OF_TIME)
        return self._report(report, self._refusal() or skip)

    def _report(self, report: CheckReport, skip: CheckSkip | None) -> CheckReport:
        return report._replace(
            findings=tuple(self._findings.values()),
            calls=self._calls - self._denied,
            refused=self._refused,
            skip=skip,
            in_scratch=self._changes,
        )

    def _refusal(self) -> CheckSkip | None:
        all_denied = self._calls and self._denied == self._calls
        return CheckSkip(SkipReason.REFUSED, self._denial) if all_denied else None

    def _allowed(self) -> Iterator[dict[str, JsonValue]]:
        """Yield arguments that fit; what changes things is given no path that leads out of the folder."""
        for arguments in self._maker.fitting():
            if not self._changes or _stays(arguments):
                yield arguments

    async def _try_example(self, arguments: Mapping[str, JsonValue]) -> None:
        """Run an example; that one fails where its files are not there is no fault of it."""
        if not self._maker.fits(arguments) or (self._changes and not _stays(arguments)):
            return  # What does not fit is a finding of the lints.
        shown = await self._try(arguments, self._shown_by_call, fits=True)
        failed = self._last_failure
        tool = self._tool
        if failed and not shown and not (tool.path_roles or tool.takes_folder or tool.hints.reaches_out):
            item = _Shown(CheckFault.EXAMPLE_FAILS, failed)
            self._findings.setdefault(item.kind, self._finding(item, arguments))

    async def _try(
        self,
        arguments: Mapping[str, JsonValue],
        shown_by: Callable[[Mapping[str, JsonValue]], Awaitable[Sequence[_Shown]]],
        *,
        fits: bool,
    ) -> bool:
        """Make a call, and look for the smallest arguments of each fault that is new.

        Returns:
            Whether it shows a fault.
        """
        shown = await shown_by(arguments)
        for item in shown:
            if item.kind in self._findings:
                self._costly += item.fault in _COSTLY
                continue
            # What is found already counts while smaller arguments are looked for.
            self._findings[item.kind] = self._finding(item, arguments)
            smallest = await self._smallest(item, arguments, shown_by, fits=fits)
            again = next((other for other in await shown_by(smallest) if other.kind == item.kind), None)
            if again is not None:
                self._findings[item.kind] = self._finding(again, smallest)
        self._tell()
        return bool(shown)

    async def _smallest(
        self,
        item: _Shown,
        arguments: Mapping[str, JsonValue],
        shown_by: Callable[[Mapping[str, JsonValue]], Awaitable[Sequence[_Shown]]],
        *,
        fits: bool,
    ) -> dict[str, JsonValue]:
        leaves = not _stays(arguments)

        async def shows(candidate: dict[str, JsonValue]) -> bool:
            if self._is_over() or self._maker.fits(candidate) is not fits or not (leaves or _stays(candidate)):
                return False
            if any(name in candidate and candidate[name] != arguments.get(name) for name in self._secrets):
                return False  # A part of a secret is none.
            self._tell()
            return any(other.kind == item.kind for other in await shown_by(candidate))

        before = self._calls, self._refused, self._denied
        most = _MOST_SMALLER_BY_FAULT.get(item.fault, _MOST_SMALLER)
        smallest = await shrunk(arguments, shows, most=most)
        # Those calls come on top of the count.
        self._calls, self._refused, self._denied = before
        return smallest

    def _finding(self, item: _Shown, arguments: Mapping[str, JsonValue]) -> CheckFinding:
        return CheckFinding(item.fault, self._tool.name, dict(arguments), item.detail, item.error)

    def _tell(self) -> None:
        if self._told is not None:
            total = self._options.calls
            done, found = min(self._calls, total), tuple(self._findings.values())
            self._told(CheckProgress(self._tool.name, done, total, self._refused, found))

    async def _shown_by_nonsense(self, arguments: Mapping[str, JsonValue]) -> Sequence[_Shown]:
        """Propose a call that must be refused, and never start it."""
        call, failed = await self._proposed(arguments)
        if call is None:
            return failed
        if call.response.status is CallStatus.REJECTED:
            self._refused += 1
            return self._secrets_told(call.response, arguments)
        call.cancel()
        # What is converted to something that fits, such as the text of a number, is not accepted as it came.
        if self._maker.fits(self._tool.arguments.dump(call.arguments)):
            return ()
        return [_Shown(CheckFault.NONSENSE_ACCEPTED, "the check of the arguments lets them pass")]

    async def _proposed(self, arguments: Mapping[str, JsonValue]) -> tuple[ToolCall | None, Sequence[_Shown]]:
        try:
            return await self._executor.propose(self._tool.name, arguments, caller=CALLER, bypass_cache=True), ()
        except Exception as error:  # noqa: BLE001 -- a validator of the tool may raise anything
            detail = f"{type(error).__name__}: {error}"
            return None, [_Shown(CheckFault.CHECK_FAILS, _one_line(detail), type(error).__name__)]

    async def _shown_by_call(self, arguments: Mapping[str, JsonValue]) -> Sequence[_Shown]:
        """Run a call, and return the faults that it shows."""
        self._last_failure = ""
        self._calls += 1
        self._folder.reset()
        call, failed = await self._proposed(arguments)
        if call is None:
            return failed
        self._reviewer.refusal = ""
        self._call = call
        try:
            response = await self._executor.execute(call)
        except (ToolConfigurationError, ExitEarlyError, ReviewTimeoutError) as error:
            self._denied += 1
            self._denial = self._reviewer.refusal or _one_line(str(error))
            return ()
        finally:
            self._call = None
        shown = list(self._shown_in(response))
        shown += self._secrets_told(response, arguments)
        changed = [] if self._changes else self._folder.changes()
        if changed:
            more = f" and {len(changed) - _MOST_FILES} more" if len(changed) > _MOST_FILES else ""
            shown.append(_Shown(CheckFault.READ_ONLY_WRITES, ", ".join(changed[:_MOST_FILES]) + more))
        return shown

    def _shown_in(self, response: ToolResponse) -> Iterator[_Shown]:
        error = response.error
        if error is None:
            if (wrong := self._mismatch(response.json_result)) is not None:
                yield _Shown(CheckFault.WRONG_RESULT, wrong)
            return
        said = _one_line(f"{error.type_name}: {error.message}" if error.type_name else error.message)
        limit = self._options.call_s
        match response.status:
            case _ if self._reviewer.refusal or response.status is CallStatus.DENIED:
                self._denied += 1
                self._denial = self._reviewer.refusal or said
            case CallStatus.REJECTED:
                self._refused += 1
            case CallStatus.TIMED_OUT if response.attempts and response.attempts[-1].elapsed_s >= limit:
                yield _Shown(CheckFault.HANG, f"it was stopped after {limit:g} s")
            case CallStatus.FAILED if error.kind is ErrorKind.CRASHED or error.type_name == SystemExit.__name__:
                yield _Shown(CheckFault.CRASH, said)
            case CallStatus.FAILED if error.kind is ErrorKind.TOOL and error.traceback:
                yield _Shown(CheckFault.UNDECLARED_ERROR, said, error.type_name)
            case CallStatus.FAILED if error.type_name in {TypeError.__name__, "ServerAnswerError"} or _broke_promise(
                response
            ):
                yield _Shown(CheckFault.WRONG_RESULT, said)
            case CallStatus.FAILED:
                self._last_failure = said

    def _mismatch(self, result: Any) -> str | None:
        """Return where a result is not what the schema says; None when it is."""
        if self._output is None:
            return None
        found = self._output.find(result, most=1)
        if not found.found:
            return None
        [first] = found.found
        where = ".".join(map(str, first.keys))
        return _one_line(f"{where}: {first.message}" if where else first.message)

    def _secrets_told(self, response: ToolResponse, arguments: Mapping[str, JsonValue]) -> list[_Shown]:
        """Return that an error or a log line quotes a secret, if one does."""
        error = response.error
        texts = [entry.text for entry in response.logs]
        texts += [] if error is None else [error.message, error.traceback, error.remedy]
        for name in self._secrets:
            value = arguments.get(name)
            if isinstance(value, str) and any(_quotes(text, value) for text in texts):
                return [_Shown(CheckFault.SECRET_TOLD, f"it quotes {name}")]
        return []


def _finder_of(tool: Tool) -> MismatchFinder | None:
    if tool.output_schema is None:
        return None
    try:
        return MismatchFinder(tool.output_schema)
    except DeclarationError:
        return None


def _seems_secret(name: str) -> bool:
    return is_secret_parameter(name) and same_name(name) not in _NOT_SO_SECRET


def _quotes(text: str, secret: str) -> bool:
    """Return whether a text has a piece of the canary that a secret argument is, or is a part of."""
    if secret not in _CANARY or len(secret) < _PIECE:
        return False
    return any(secret[at : at + _PIECE] in text for at in range(len(secret) - _PIECE + 1))


def _broke_promise(response: ToolResponse) -> bool:
    return any(step.kind is StepKind.POSTCONDITIONS and step.outcome is StepOutcome.FAILED for step in response.steps)


def _one_line(text: str) -> str:
    line = " ".join(text.split()).replace(_CANARY, "•••")
    return line if len(line) <= _MOST_DETAIL else f"{line[:_MOST_DETAIL]}…"


def _stays(value: Any) -> bool:
    """Return whether no text in a value leads out of the folder, taken as a path; one level is the check's own."""
    match value:
        case str():
            plain = value.strip()
            ways = PurePosixPath(plain), PureWindowsPath(plain)
            leads_out = any(way.is_absolute() or way.drive or way.root or way.parts.count("..") > 1 for way in ways)
            return not leads_out and not plain.startswith(("~", "$", "%")) and "://" not in plain
        case Mapping():
            return all(_stays(inner) for inner in value.values())
        case list():
            return all(map(_stays, value))
        case _:
            return True
