"""`BatchExecutor`: run many tools at once, in the right order, and say what came of each."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypedDict, TypeVar, Unpack

from tools.batch.checking import checked, filled_parameters
from tools.batch.cluster import check_backend
from tools.batch.expressions import literal
from tools.batch.journal import Journal
from tools.batch.plan import DEFAULT_PARALLELISM, DEFAULT_TIMEOUT_S, BatchPlan, Limits, Step
from tools.batch.run import BatchRun
from tools.batch.runs import read_journal
from tools.declare import resolve_tools
from tools.errors import ToolNotFoundError, VaultError
from tools.execution.executor import Executor
from tools.registry import ToolRegistry
from tools.tool import Tool

if TYPE_CHECKING:
    from tools.batch.graph import ToolDependencyGraph
    from tools.batch.listener import BatchListener
    from tools.batch.result import BatchResult
    from tools.vault import Vault

Answer = TypeVar("Answer")
Requests = Mapping[Any, Mapping[str, Any] | str]
"""Tools, or their names, and what each is given: arguments by name, or a text."""


class RunOptions(TypedDict, total=False):
    """How a batch is run.

    Attributes:
        folder: What relative paths in the plan start from; None is the current folder.
        journal: Where the run is written down, so that it can be resumed; None keeps it in memory.
        file: The file of the plan, by which runs of a plan without a name are told apart; None for no file.
    """

    parameters: Mapping[str, Any] | None
    folder: Path | None
    journal: Path | None
    file: Path | None


class BatchExecutor:
    """Run batches. It may be used again and again, and closed when it is needed no more.

    Args:
        parallelism: How many calls run at a time; a plan says so itself.
        timeout_s: Seconds until what is unfinished is timed out; None never is, and a plan says so itself.
        executor: Runs the calls, on its own event loop; None makes one for the tools of each batch.
        vault: Seals what journals hold of plans with tools that hide something; None takes the key from the keyring.
        backend: A Dask cluster that tools run on, as `dask://host:port`; empty runs them here. Calls are judged, asked
            about and recorded here in any case, and tools that hide something stay here.

    Raises:
        ToolConfigurationError: When the backend is no such address, or the package for it is not installed.

    Source: seed 0, "Batch Execution".
    """

    def __init__(
        self,
        parallelism: int = DEFAULT_PARALLELISM,
        timeout_s: float | None = DEFAULT_TIMEOUT_S,
        *,
        executor: Executor | None = None,
        vault: Vault | None = None,
        backend: str = "",
    ) -> None:
        self._limits = Limits(parallelism=parallelism, timeout_s=timeout_s)
        self._executor = executor
        self._vault = vault
        self._backend = backend
        if backend:
            check_backend(backend)
        self._owns_executor = executor is None
        self._runner: asyncio.Runner | None = None
        self._registry = ToolRegistry() if executor is None else executor.registry

    def execute(
        self,
        requests: Requests | BatchPlan,
        graph: ToolDependencyGraph | None = None,
        listener: BatchListener | None = None,
        **options: Unpack[RunOptions],
    ) -> BatchResult:
        """Run a batch and block until it is over; for programs without an event loop.

        Args:
            requests: Tools, or their names, each with its arguments; or a plan.
            graph: Which of them wait for which; None lets none wait, besides what a plan says.
            listener: Told how the batch goes on.
            options: See `RunOptions`.

        Raises:
            PlanError: When the plan does not fit the tools; nothing has run then.
            DependencyCycleError: When steps wait for each other in a circle.
            VaultError: When a tool hides something, the run is written down, and there is no key to seal it with.
            RuntimeError: Inside a running event loop; await `run` there.
        """
        return self._blocking(self.run(requests, graph, listener, **options))

    async def run(
        self,
        requests: Requests | BatchPlan,
        graph: ToolDependencyGraph | None = None,
        listener: BatchListener | None = None,
        **options: Unpack[RunOptions],
    ) -> BatchResult:
        """Run a batch on the running event loop, with the arguments and errors of `execute`."""
        begun = self.prepare(requests, graph, listener, **options)
        try:
            return await begun.go()
        finally:
            begun.close()

    def prepare(
        self,
        requests: Requests | BatchPlan,
        graph: ToolDependencyGraph | None = None,
        listener: BatchListener | None = None,
        **options: Unpack[RunOptions],
    ) -> BatchRun:
        """Check a batch, and return the run that `go` begins; with the arguments and errors of `execute`.

        It may be called on any thread; for thousands of steps better not on that of an event loop.
        """
        plan = requests if isinstance(requests, BatchPlan) else self._plan_of(requests)
        plan = plan if graph is None else _waiting_as(plan, graph)
        executor = self._executor_for()
        home = (options.get("folder") or Path.cwd()).absolute()
        file, path, parameters = options.get("file"), options.get("journal"), options.get("parameters") or {}
        steps = checked(plan, executor.registry, parameters, home)
        given = filled_parameters(plan, parameters)
        journal = None if path is None else Journal(path, self._vault)
        try:
            if journal is not None:
                journal.is_sealed = any(step.hides for step in steps.values())
                journal.start(plan, given, home, file=file, project=executor.project_dir)
            return BatchRun(
                plan,
                steps,
                executor,
                listener,
                folder=home,
                parameters=given,
                file=file,
                journal=journal,
                backend=self._backend,
            )
        except BaseException as error:
            if journal is not None:
                journal.close()
                if isinstance(error, VaultError):
                    journal.path.unlink()
            raise

    def resume(self, journal: Path, listener: BatchListener | None = None) -> BatchRun:
        """Return the rest of a run that was written down; `go` begins it. As `prepare`, on any thread.

        What ended is not run again, be it well or badly. A call that had begun is made again if its tool may run twice,
        and otherwise waits as `may_have_run` until a person retries or skips it.

        Raises:
            HistoryError: When there is no such journal, or it is sealed and does not open.
            PlanError: When the plan does not fit the tools any more.
            VaultError: When a tool hides something, and there is no key to seal it with.
        """
        kept = Journal(journal, self._vault, is_new=False)
        executor = self._executor_for()
        try:
            kept.claim()
            past = read_journal(kept)
            given = filled_parameters(past.plan, past.parameters)
            steps = checked(past.plan, executor.registry, given)
            # A tool may hide more by now than when the run began.
            if any(step.hides for step in steps.values()):
                kept.seal()
            kept.mend()
            return BatchRun(
                past.plan,
                steps,
                executor,
                listener,
                folder=past.folder,
                parameters=given,
                file=past.file,
                journal=kept,
                past=past,
                backend=self._backend,
            )
        except BaseException:
            kept.close()
            raise

    def close(self) -> None:
        if self._owns_executor and self._executor is not None:
            self._blocking(self._executor.aclose())
        self._executor = None if self._owns_executor else self._executor
        runner, self._runner = self._runner, None
        if runner is not None:
            runner.close()

    async def aclose(self) -> None:
        if self._owns_executor and self._executor is not None:
            executor, self._executor = self._executor, None
            await executor.aclose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def _executor_for(self) -> Executor:
        if self._executor is None:
            self._executor = Executor(self._registry)
        return self._executor

    def _blocking(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        if asyncio._get_running_loop() is not None:  # noqa: SLF001 -- the public one raises instead of answering
            work.close()
            raise RuntimeError("execute() would block the running event loop; await run(...) there")
        if self._runner is None:
            self._runner = asyncio.Runner()
        return self._runner.run(work)

    def _plan_of(self, requests: Requests) -> BatchPlan:
        steps = []
        for asked, given in requests.items():
            tool = self._tool(asked)
            arguments = _from_text(tool, given) if isinstance(given, str) else dict(given)
            steps.append(Step(id=tool.name, tool=tool.name, arguments=literal(arguments)))
        return BatchPlan(limits=self._limits, steps=tuple(steps))

    def _tool(self, asked: object) -> Tool:
        if not isinstance(asked, str):
            (tool,) = resolve_tools([asked])
            known = self._registry.lookup(tool.name)
            if known is None:
                self._registry.register(tool)
            return known or tool
        found = self._registry.find(asked)
        if found is None:
            close = self._registry.closest(asked)
            raise ToolNotFoundError(f"no tool is called {asked!r}" + (f"; did you mean {close!r}?" if close else ""))
        return found


def _waiting_as(plan: BatchPlan, graph: ToolDependencyGraph) -> BatchPlan:
    """Return a plan whose steps also wait for what a graph says, as far as the plan has it."""
    ids = {step.id for step in plan.steps}
    steps = []
    for step in plan.steps:
        needs = [name for name in graph.get_dependencies(step.id) if name in ids] if step.id in graph else []
        steps.append(step.model_copy(update={"depends_on": tuple(dict.fromkeys((*step.depends_on, *needs)))}))
    return plan.model_copy(update={"steps": tuple(steps)})


def _from_text(tool: Tool, text: str) -> Mapping[str, Any]:
    """Return the arguments that a text means: those in it, if it is a JSON object, else it is the first of them."""
    try:
        given = json.loads(text)
    except ValueError:
        given = text
    if isinstance(given, Mapping):
        return given
    schema: dict[str, Any] = tool.arguments.input_schema
    names = schema.get("required") or list(schema.get("properties") or ())
    return {tool.raw_input or names[0]: text} if tool.raw_input is not None or names else {}
