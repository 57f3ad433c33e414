"""`Executor`: runs calls through the eleven steps and tells everybody what happens."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterable, Mapping
from itertools import count
from pathlib import Path
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Any

from tools.calls import (
    CallError,
    CallFinished,
    CallOrigin,
    CallProposed,
    CallStarted,
    CallStatus,
    ErrorKind,
    GuardState,
    ReviewRequest,
    StepKind,
    StepOutcome,
    ToolCall,
    ToolResponse,
    TraceStep,
)
from tools.calls.outcome import EXECUTED, EXECUTING, LISTENERS, METRICS, OK, PENDING, VALIDATION, new_tuple
from tools.config import Configurator
from tools.declare.referenced_functions import ProbeOrigin, tool_of_probe
from tools.errors import ArgumentProblem, ArgumentsError, CallStateError, ExitEarlyError, ToolConfigurationError
from tools.execution import outcomes
from tools.execution.access import AccessProvider, check_provider
from tools.execution.attempts import compile_start
from tools.execution.cache import cache_key
from tools.execution.call_listeners import CallEvents, CallListener
from tools.execution.call_log import log_call, log_definition
from tools.execution.chain import Chain, compile_chain, probe_chain
from tools.execution.clocks import Clocks
from tools.execution.custom import CustomStep, Placed, placed
from tools.execution.fallback import compile_fallback
from tools.execution.filters import CallFilter, Filtering, check_filter
from tools.execution.guards import Guards
from tools.execution.open_questions import OpenQuestions, QuestionOutcome
from tools.execution.proposals import Proposals
from tools.execution.questions import PlanQuestions, preview, proposal, request_about
from tools.execution.run import Run
from tools.execution.services import Listener, Services
from tools.execution.workers import WorkerPool
from tools.http import HttpClients
from tools.metrics import ToolMetrics, ended_of
from tools.paths import resolve_paths
from tools.policy.judging import YOU
from tools.registry import Disabled, RegistryChange, ToolRegistry
from tools.review import ReviewHandler, check_handler
from tools.review.handlers import ReviewFunction
from tools.schema import is_quick
from tools.spec import DryRun, FailureBlock, Isolation
from tools.tool import Tool

if TYPE_CHECKING:
    from tools.audit import AuditLog
    from tools.execution.workers.start import WorkerProvider
    from tools.history import History
    from tools.policy import Policy
    from tools.protected import ProtectedPlace


class Executor:
    """Check and run calls of the tools in a registry.

    Each call goes through: validate, preconditions, cache lookup, rate limit, security check, execute with resilience,
    postconditions, audit, cache store, metrics, listeners. Steps that a tool does not declare do not exist for it.

    A failing tool is a response; a failing program (no reviewer where one is needed, a stopped run) is an exception.
    Use one executor from one event loop.

    Args:
        review_handler: Who answers questions; None when nobody does, and then guarded tools cannot run.
        listeners: Who is told about events. See `Services.add_listener`.
        project_dir: The folder that relative paths mean, and that tools in worker processes run in; None is the current
            folder. While it is `paths.NO_PROJECT`, calls that need one are refused.
        config: Settings that tools may read.
        app_objects: Objects that tools receive by type.
        http: The shared HTTP clients; None makes them.
        metrics: Where numbers are kept; None makes a place.
        workers: Where tools run that need a process of their own, ended by whoever made it; None makes one.
        failure_block: Blocks tools that declare no block of their own after failures in a row; None blocks none.
        access: Who knows the roles and permissions of callers; None when nobody does, and then tools that ask for some
            cannot run.
        call_filter: Decides about each call that is started, before anything of it happens; None lets all go on.
        policy: Judges calls and results by rules; None lets all of them run that nobody has a concern about.
        protected: Further places that no tool changes unless a person says yes to exactly that, besides the person's
            and the project's policy, the project's git folder and what shells start with.
        history: What keeps calls to be found again, opened and closed by whoever made it; None keeps none.
        audit: What proves that records of calls were not changed, opened and closed likewise; None writes none.
        clock: Seconds that only grow; guards and known results go by it.
        steps: The program's own steps at the first place; see `add_step`.

    Attributes:
        proposals: Calls that are made and not started, and what people decide about them.
        plan_questions: Questions about many calls of which none is made yet.

    Source: seed 0, "Tool Execution Flow"; seed 4, §2.4.
    """

    def __init__(
        self,
        registry: ToolRegistry,
        *,
        review_handler: ReviewHandler | ReviewFunction | None = None,
        listeners: Iterable[Listener] = (),
        project_dir: Path | None = None,
        config: Configurator | None = None,
        app_objects: Iterable[object] = (),
        http: HttpClients | None = None,
        metrics: ToolMetrics | None = None,
        workers: WorkerPool | None = None,
        failure_block: FailureBlock | None = None,
        access: AccessProvider | None = None,
        call_filter: CallFilter | None = None,
        policy: Policy | None = None,
        protected: Iterable[ProtectedPlace] = (),
        history: History | None = None,
        audit: AuditLog | None = None,
        clock: Callable[[], float] = monotonic,
        steps: Iterable[CustomStep] = (),
    ) -> None:
        self.registry = registry
        self._services = Services(
            review_handler=review_handler,
            project_dir=project_dir or Path.cwd(),
            config=config or Configurator(),
            app_objects=tuple(app_objects),
            http=http or HttpClients(),
            metrics=metrics or ToolMetrics(),
            workers=workers or WorkerPool(),
            access=access,
            policy=policy,
            protected=tuple(protected),
            tool_now=self._tool_now,
            calls=self,
        )
        self._owns_workers = workers is None
        recorders = (history.receive if history is not None else None, audit)
        for listener in (*listeners, *(recorder for recorder in recorders if recorder is not None)):
            self._services.add_listener(listener)
        self._chains: dict[str, Chain] = {}
        self._guards = Guards(self._services.emit, Clocks(clock), failure_block)
        self._numbers = count(1)
        self._open: set[ToolCall] = set()
        self._runner: asyncio.Runner | None = None
        self.proposals = Proposals(self._services, self._chain, self._finish, self._open)
        self.plan_questions = PlanQuestions(self._services, self._numbers, self._open)
        check_handler(review_handler)
        check_provider(access)
        check_filter(call_filter)
        filtering = None if call_filter is None else Filtering(call_filter, self)
        self._custom: tuple[Placed, ...] = (
            () if filtering is None else (Placed(filtering, StepKind.PRECONDITIONS, filtering.again),)
        )
        self._custom += tuple(placed(step, StepKind.PRECONDITIONS, "") for step in steps)
        self._on_registry_change(RegistryChange(added=tuple(registry)))
        self._unwatch = registry.watch(self._on_registry_change)
        self._unwatch_policy = None if policy is None else policy.watch(self._services.questions.look_again)

    @property
    def metrics(self) -> ToolMetrics:
        """The numbers about calls."""
        return self._services.metrics

    @property
    def project_dir(self) -> Path:
        """The folder that relative paths mean."""
        return self._services.project_dir

    @project_dir.setter
    def project_dir(self, folder: Path) -> None:
        self._services.move_to(folder)

    @property
    def config(self) -> Configurator:
        """What tools are given as their settings; another one holds from the next call on."""
        return self._services.config

    @config.setter
    def config(self, config: Configurator) -> None:
        self._services.config = config

    @property
    def policy(self) -> Policy | None:
        """What judges calls; None when nothing does."""
        return self._services.policy

    @property
    def questions(self) -> OpenQuestions:
        """The questions that are open; from the event loop."""
        return self._services.questions

    @property
    def workers(self) -> WorkerPool:
        """Where tools run that need a process of their own."""
        return self._services.workers

    def warm_up(self) -> None:
        """Start a worker process if any tool runs in one, and keep a spare one once they are used.

        So neither the first call nor the one after a crash waits for a start. A program that goes on for long may say
        so when its tools are registered; without it, the first call starts one.
        """
        self._services.workers.keeps_spare = True
        if any(tool.isolation is Isolation.PROCESS for tool in self.registry):
            self._services.workers.warm_up()

    @property
    def open_calls(self) -> tuple[ToolCall, ...]:
        """The calls that run or wait right now, oldest first."""
        return tuple(sorted(self._open, key=lambda call: int(call.id)))

    def live_call(self, call_id: str) -> ToolCall | None:
        """Return a call that runs or waits right now; None when no such call does. On the loop that runs the calls."""
        return next((call for call in self._open if call.id == call_id), None)

    @property
    def abandoned_threads(self) -> int:
        """How many threads still run a call that was given up on."""
        return self._services.threads.abandoned

    def add_listener(self, listener: Listener) -> Callable[[], None]:
        """Tell a function about events; its attribute `wants`, if any, names the event types.

        Returns:
            The undo.
        """
        return self._services.add_listener(listener)

    async def until_recorded(self) -> None:
        """Return when the histories among the listeners have on disk what happened until now.

        A history that cannot write holds nobody up.
        """
        await self._services.until_recorded()

    def add_call_listener(self, listener: CallListener) -> Callable[[], None]:
        """Tell an object when calls begin and end; what is secret of them stays hidden.

        Returns:
            The undo.
        """
        return self._services.add_listener(CallEvents(listener))

    def add_step(
        self, step: CustomStep, *, before: StepKind = StepKind.PRECONDITIONS, name: str = ""
    ) -> Callable[[], None]:
        """Put a step of the program's own into the chain of every tool, for the calls that begin from now on.

        ```python
        async def office_hours(run: Run, call_next: HandOn) -> object:
            if not is_office_open():
                raise DeniedError(f"{run.call.name} runs in office hours only")
            response = await call_next(run)
            count(response.status)
            return response


        remove = executor.add_step(office_hours, before=StepKind.SECURITY_CHECK)
        ```

        `run.call` is the call, `run.tool` its tool and `run.arguments` what it receives. An exception that the step
        raises refuses the call. What `call_next` returns is the final response, also of a call that failed or was
        stopped. A step that returns without it answers the call with what it returns, as if the tool had.

        Args:
            before: Which step it stands before, whether or not a tool has that one: `PRECONDITIONS` (the first place),
                `CACHE_LOOKUP`, `RATE_LIMIT`, `SECURITY_CHECK`, `BULKHEAD` or `ATTEMPT` (the last). Of several at one
                place the oldest is the first.
            name: What the trace calls it; empty takes the function's name.

        Returns:
            The undo.

        Raises:
            ToolConfigurationError: When it is no function, or cannot stand there.
        """
        added = placed(step, before, name)
        self._custom = (*self._custom, added)
        self._chains.clear()

        def remove() -> None:
            self._custom = tuple(other for other in self._custom if other is not added)
            self._chains.clear()

        return remove

    def create_call(
        self,
        name: str,
        arguments: Mapping[str, Any] | str | bytes,
        *,
        caller: str = YOU,
        bypass_cache: bool = False,
        origin: CallOrigin | None = None,
    ) -> ToolCall:
        """Check a call and convert its arguments at once; nothing runs yet.

        Args:
            arguments: By name, or as JSON text.
            bypass_cache: Whether a known result is passed over.
            origin: What it belongs to or repeats; None when it stands alone.

        Returns:
            A pending call; or one that is final already, because the tool is unknown or disabled or the arguments do
            not fit. Its response says why.
        """
        return self._create_call(name, arguments, caller, perf_counter(), bypass_cache=bypass_cache, origin=origin)

    async def propose(
        self,
        name: str,
        arguments: Mapping[str, Any] | str | bytes,
        *,
        caller: str = YOU,
        bypass_cache: bool = False,
        origin: CallOrigin | None = None,
    ) -> ToolCall:
        """Do what `create_call` does; a stranger's schema or a toolkit's import, which may take long, holds no loop."""
        began, tool, checked = perf_counter(), self.registry.find(name), None
        if tool is not None and not tool.is_loaded:
            # A toolkit may bring large libraries, and calls of other tools go on while they are imported.
            await asyncio.to_thread(getattr, tool, "arguments")
        if tool is not None and not is_quick(tool.arguments, arguments):
            checked = tool, await asyncio.to_thread(_checked, tool, arguments)
        return self._create_call(name, arguments, caller, began, checked, bypass_cache=bypass_cache, origin=origin)

    def _create_call(
        self,
        name: str,
        given: Mapping[str, Any] | str | bytes,
        caller: str,
        began: float,
        checked: tuple[Tool, dict[str, Any] | ArgumentsError] | None = None,
        *,
        bypass_cache: bool,
        origin: CallOrigin | None,
    ) -> ToolCall:
        own = None if origin is None else origin.tools.get(name)
        tool = self.registry.find(name) if own is None else own
        call = ToolCall(str(next(self._numbers)), tool, name if tool is None else tool.spec.name, given, caller, began)
        if bypass_cache:
            call.bypass_cache = True
        if origin is not None:
            call.origin = origin
            if origin.probe is not None and tool is not None:
                tool = call.tool = tool_of_probe(tool, origin.probe)
        refused: tuple[CallStatus, CallError] | None = None
        if tool is None or (own is None and not self.registry.is_enabled(call.name)):
            refused = self._refusal(call)
        else:
            try:
                # It may be another tool than the one that the arguments were checked for.
                known = _converted(tool, given) if checked is None or checked[0] is not tool else checked[1]
                if isinstance(known, ArgumentsError):
                    raise known
                call.arguments = known
                if self._services.lacks_project and tool.uses_project(call.arguments):
                    message = f"{call.name} needs a project folder, but no project is open"
                    refused = CallStatus.REJECTED, CallError(ErrorKind.NO_PROJECT, message)
            except ArgumentsError as error:
                refused = CallStatus.REJECTED, outcomes.arguments_error(error, call)
        outcome = OK if refused is None else StepOutcome.FAILED
        call.response.steps.append(_step(VALIDATION, 0.0, perf_counter() - began, outcome))
        if refused is not None:
            call.response.status, call.response.error = refused
        services = self._services
        if tell := services.tell[CallProposed]:
            tell(new_tuple(CallProposed, (call,)))
        if refused is not None:
            self._finish(call, None)
        return call

    def question_about(
        self, name: str, arguments: Mapping[str, Any], *, caller: str, description: str
    ) -> ReviewRequest:
        """Return a question about a call that another program runs.

        Raises:
            ToolNotFoundError: There is no such tool here.
            ArgumentsError: They do not fit.
        """
        call = proposal(self.registry.get(name), arguments, caller=caller)
        return request_about(call, self._services, call.display_arguments(), description)

    async def put_question(self, request: ReviewRequest) -> QuestionOutcome:
        """Ask the reviewer, and return what comes of it; it is recorded where the call is.

        Raises:
            ToolConfigurationError: When nobody is there to ask, or the handler breaks.
        """
        services = self._services
        if services.review_handler is None:
            raise ToolConfigurationError(
                "there is a question and nobody to ask; pass review_handler=... to the Executor"
            )
        return await services.questions.ask(request, services.review_handler, services.threads.run)

    async def execute(
        self,
        call: ToolCall,
        *,
        places: WorkerProvider | None = None,
        released: Callable[[Run], Awaitable[None]] | None = None,
        answer_within_s: float | None = None,
    ) -> ToolResponse:
        """Run a call that `create_call` made.

        Args:
            places: Where its tool runs; None means where it says. Everything else happens here all the same.
            released: Awaited with the run once nothing stands between the call and its tool any more, neither rule nor
                question; a failure of it is one of the call, whose tool is not started then.
            answer_within_s: How long a person may take to allow it, in seconds; None is as its tool says.

        Returns:
            Its final response. A call that was refused when it was made is returned as it is.

        Raises:
            CallStateError: When the call was started before.
            ToolConfigurationError: When the program cannot run the tool, such as without a reviewer.
            ExitEarlyError: When the reviewer stopped the whole run.
            ReviewTimeoutError: When nobody answered and the question says that this is an error.
        """
        response, services = call.response, self._services
        if response.status is not PENDING or call.tool is None:
            if response.status in {CallStatus.REJECTED, CallStatus.NOT_FOUND}:
                return response
            msg = f"call {call.id} of {call.name!r} was started before ({response.status.value}); make a new call"
            raise CallStateError(msg)
        try:
            if call.cancel_requested:
                # Somebody stopped it between its making and its start.
                raise asyncio.CancelledError
            chain = self._chain(call.tool)
            start = chain.start if places is None else compile_start(call.tool, call.tool.policies.timeout_s, places)
            run = Run(call, call.tool, services, start)
            if call.tool.path_roles:
                run.arguments = resolve_paths(call.arguments, call.tool.path_roles, services.project_dir)
        except (asyncio.CancelledError, ArgumentsError, ToolConfigurationError) as never:
            outcomes.accept_error(call, never)
            self._finish(call, None)
            if isinstance(never, ToolConfigurationError):
                raise
            return response
        if released is not None:
            run.released, run.recheck = released, chain.recheck
        if answer_within_s is not None:
            run.answer_within_s = answer_within_s
        self._open.add(call)
        call.task = asyncio.current_task()
        response.status = EXECUTING
        if tell := services.tell[CallStarted]:
            tell(new_tuple(CallStarted, (call,)))
        try:
            await outcomes.settled(run, chain.call)
        finally:
            call.task = None
            self._open.discard(call)
            self._finish(call, run)
            # It knows the run: else all of the call would wait for the collector of cycles.
            run.context = None
        if run.raises is not None:
            raise run.raises
        if run.stop_run:
            raise ExitEarlyError(response.error.message if response.error else "the reviewer stopped the run")
        return response

    def run(self, name: str, arguments: Mapping[str, Any] | str | None = None, *, caller: str = YOU) -> ToolResponse:
        """Check and run a call, and block until it ended; for programs without an event loop.

        Raises:
            RuntimeError: Inside a running event loop; await `execute` there.
            ToolConfigurationError: As `execute`.
            ExitEarlyError: As `execute`.
        """
        if asyncio._get_running_loop() is not None:  # noqa: SLF001 -- the public one raises instead of answering
            msg = "run() would block the running event loop; await execute(create_call(...)) there"
            raise RuntimeError(msg)
        if self._runner is None:
            self._runner = asyncio.Runner()
        return self._runner.run(self.execute(self.create_call(name, arguments or {}, caller=caller)))

    async def preview(self, call: ToolCall | str, arguments: Mapping[str, Any] | None = None) -> DryRun | None:
        """Return what a call would do, without doing it; None when its tool offers no dry run.

        Args:
            call: The call; or a tool's name, then with arguments.
            arguments: Others than the call's own, such as edited ones; bullets stand for its secrets.

        Raises:
            ToolNotFoundError: When no tool has that name.
            ArgumentsError: When the arguments do not fit.
        """
        if isinstance(call, str):
            call = proposal(self.registry.get(call), arguments or {})
        elif arguments is not None and call.tool is not None:
            call = proposal(call.tool, arguments, like=call)
        return await preview(call, self._services)

    def objections(self, request: ReviewRequest, values: Mapping[str, Any]) -> tuple[ArgumentProblem, ...]:
        """Return what would not fit of edited arguments, as people may see it.

        Args:
            request: An open question.
            values: The arguments that a reviewer would put in the place of those; bullets stand for secrets.
        """
        call = self.questions.call_of(request.id)
        return () if call is None else call.objections(values)

    def clear_cache(self, name: str | None = None, arguments: Mapping[str, Any] | None = None) -> int:
        """Forget the known results of one tool, or of all, or that of one call.

        Args:
            name: The tool; None means all.
            arguments: Those of the one call whose result is forgotten, whoever made it; None means all calls.

        Returns:
            How many were kept.

        Raises:
            ToolNotFoundError: When no tool has that name.
            ArgumentsError: When the arguments do not fit it.
        """
        if name is None:
            return sum(chain.cache.clear() for chain in self._chains.values() if chain.cache is not None)
        tool = self.registry.get(name)
        cache = self._chain(tool).cache
        if cache is None:
            return 0
        if arguments is None:
            return cache.clear()
        given = resolve_paths(tool.arguments.validate(arguments), tool.path_roles, self.project_dir)
        return cache.forget(cache_key(tool, given, self.project_dir))

    def guards(self, name: str) -> tuple[GuardState, ...]:
        """Return how the guards of a tool stand: breaker, block, bulkhead, rate limit, cache, of those that it has."""
        return self._guards.states(self._known_name(name))

    def reset_guards(self, name: str | None = None) -> int:
        """Close the circuit breaker and lift the block of one tool, or of all; whoever calls it mended the cause.

        Returns:
            How many of them refused calls.

        Raises:
            ToolNotFoundError: When no tool has, or had, that name.
        """
        if name is not None:
            name = self._known_name(name)
            if name not in self._guards:
                self.registry.get(name)
        return self._guards.reset(name)

    @property
    def failure_block(self) -> FailureBlock | None:
        """What blocks tools that declare no block of their own after failures in a row; None blocks none.

        Another policy holds from the next call on. Blocks of before are lifted, and known results forgotten.
        """
        return self._guards.default_block

    @failure_block.setter
    def failure_block(self, policy: FailureBlock | None) -> None:
        self._guards.change_default_block(policy)
        self._chains.clear()

    def _tool_now(self, name: str) -> Tool | None:
        """Return the tool that a new call of this name would run; None when none would."""
        return self.registry.lookup(name) if self.registry.is_enabled(name) else None

    def _known_name(self, name: str) -> str:
        tool = self.registry.find(name)
        return name if tool is None else tool.name

    async def aclose(self) -> None:
        """Give every open call up, and let threads and connections go."""
        tasks: list[asyncio.Task[Any]] = []
        for call in self.open_calls:
            task = call.task
            call.aborted = not call.cancel_requested
            if call.cancel() and task is not None and task is not asyncio.current_task():
                tasks.append(task)
        if tasks:
            await asyncio.wait(tasks, timeout=5.0)
        self._unwatch()
        if self._unwatch_policy is not None:
            self._unwatch_policy()
        self._services.threads.close()
        if self._owns_workers:
            self._services.workers.close()
        await self._services.http.aclose()

    def close(self) -> None:
        """Let go of what `run` used; for programs without an event loop."""
        runner = self._runner or asyncio.Runner()
        self._runner = None
        with runner:
            runner.run(self.aclose())

    def _refusal(self, call: ToolCall) -> tuple[CallStatus, CallError]:
        if call.tool is None:
            message = f"no tool is called {call.name!r}"
            close = self.registry.closest(call.name)
            remedy = f"Did you mean {close!r}?" if close else ""
            return CallStatus.NOT_FOUND, CallError(ErrorKind.NOT_FOUND, message, remedy=remedy)
        refusal = self.registry.refusal(call.name) or Disabled("was disabled until now")
        message = f"the tool {call.name!r} {refusal.why}"
        return CallStatus.REJECTED, CallError(ErrorKind.DISABLED, message, remedy=refusal.remedy)

    def _finish(self, call: ToolCall, run: Run | None) -> None:
        response, services = call.response, self._services
        if response.status is not EXECUTED and not response.status.final:
            outcomes.accept_error(call, asyncio.CancelledError())
        if response.error is not None or (response.written is None and type(response.json_result) is str):
            outcomes.write_text(call, run)
        now = perf_counter()
        at = now - call.started
        response.elapsed_s = at
        if call.origin is None or not call.is_probe:
            # To look at a tool is no use of it.
            services.metrics.record(ended_of(call, at))
        counted = perf_counter()
        steps = response.steps
        steps.append(_step(METRICS, at, counted - now))
        log_call(call)
        if tell := services.tell[CallFinished]:
            tell(new_tuple(CallFinished, (call, None)))
            at = counted - call.started
            listeners = services.listener_count
            steps.append(_step(LISTENERS, at, perf_counter() - counted, number=listeners))

    def _chain(self, tool: Tool) -> Chain:
        chain, policy = self._chains.get(tool.spec.name), self._services.policy
        version = "" if policy is None else policy.version
        if chain is None or chain.tool is not tool or chain.policy_version != version:
            if isinstance(tool.origin, ProbeOrigin):
                return probe_chain(tool, tool.origin.tool, policy)
            chain = compile_chain(tool, self._guards, compile_fallback(tool, self), policy, self._custom)
            self._chains[tool.name] = chain
            log_definition(tool)
        return chain

    def _on_registry_change(self, change: RegistryChange) -> None:
        for tool in change.removed:
            self._chains.pop(tool.name, None)
            self._guards.let_go(tool.name)
        self._services.questions.look_again()
        for tool in change.added:
            # The first call of a tool whose code is not there yet imports it; for all of them that takes two seconds.
            # A tool with a clause that means nothing is listed like any other; its first call says what is wrong.
            with contextlib.suppress(ToolConfigurationError):
                if tool.is_loaded:
                    self._chain(tool)


def _step(
    kind: StepKind, started_s: float, elapsed_s: float, outcome: StepOutcome = StepOutcome.OK, number: int = 0
) -> TraceStep:
    return new_tuple(TraceStep, (kind, started_s, elapsed_s, outcome, None, 0.0, number, "", "", ""))


def _checked(tool: Tool, given: Mapping[str, Any] | str | bytes) -> dict[str, Any] | ArgumentsError:
    try:
        return _converted(tool, given)
    except ArgumentsError as error:
        return error


def _converted(tool: Tool, given: Mapping[str, Any] | str | bytes) -> dict[str, Any]:
    # A tuple of types: a union would be made anew for each call.
    if not isinstance(given, (str, bytes)):
        return tool.arguments.validate(given)
    if tool.raw_input is None:
        return tool.arguments.validate_json(given)
    return _from_json_or_text(tool, tool.raw_input, given)


def _from_json_or_text(tool: Tool, argument: str, text: str | bytes) -> dict[str, Any]:
    try:
        return tool.arguments.validate_json(text)
    except ArgumentsError as error:
        if any(not problem.path or (problem.path, problem.kind) == (argument, "missing") for problem in error.problems):
            # No JSON object, or none with the text in it: the tool takes all of it. Source: seed 3, "Edge Cases".
            words = text.decode(errors="replace") if isinstance(text, bytes) else text
            return tool.arguments.validate({argument: words})
        raise
