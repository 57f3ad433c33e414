"""`batch`: run a plan, go on with one that was interrupted, look at it, hand it to other programs."""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import shlex
import signal
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tools.batch import Approve, BatchExecutor, BatchListener, BatchPlan, StepState, ToolDependencyGraph
from tools.batch.checking import checked, filled_parameters
from tools.batch.cluster import PREFIXES, why_here
from tools.batch.exporting import WRITERS, lines_of
from tools.batch.files import PlanFile
from tools.batch.plan_approval import PlanContext, preview_approval
from tools.batch.runs import project_of, run_id
from tools.batch.step_previews import preview
from tools.batch.steps import caller_of, given_shown, hidden_parameters
from tools.cli.call import add_review_options, executing
from tools.cli.command import CliCommand
from tools.cli.exits import Exit
from tools.cli.recording import CallRecorders, recording
from tools.cli.runs import journal_of, prune_runs, runs_folder
from tools.cli.streams import say
from tools.errors import PlanError, PlanProblem, ToolConfigurationError, VaultError
from tools.masking import MASK, Scrubber
from tools.masking.scrubbing import texts_in
from tools.paths import data_folder
from tools.review.plain_text import asked_words, calls_words
from tools.schema import json_text

if TYPE_CHECKING:
    from tools.batch import BatchResult, BatchRun
    from tools.batch.steps import ReadyStep
    from tools.workbench import Workbench

_FORMATS: Final = tuple(WRITERS)
_LOOKED: Final = 1000
"""After how many calls that were looked at it is told how far the look is."""
_EXIT_BY_STATE: Final = {StepState.DENIED: Exit.DENIED, StepState.TIMED_OUT: Exit.TIMED_OUT}
"""The exit code of a run in which nothing else failed; of any other failure it is `FAILED`."""
_BACKEND: Final = re.compile(rf"({'|'.join(map(re.escape, PREFIXES))}).+:[0-9]+")
_ACTIONS: Final = ("run", "resume", "status", "export", "forget", "schema")


def add_batch(commands: argparse._SubParsersAction[argparse.ArgumentParser], common: argparse.ArgumentParser) -> None:
    """Add the command and what it takes."""
    batch = commands.add_parser("batch", help="run many tools in the right order, from a plan")
    actions = batch.add_subparsers(dest="action", required=True, metavar=" | ".join(_ACTIONS))
    run = actions.add_parser("run", parents=[common], help="run a plan")
    run.add_argument("plan", type=Path, metavar="PLAN", help="a YAML or JSON file")
    run.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="give a parameter; := gives JSON")
    run.add_argument(
        "--approve",
        choices=[choice.value for choice in Approve],
        help="ask once about the whole plan, or about each call that asks (default: as the plan says, else step)",
    )
    run.add_argument("--check", action="store_true", help="say what is wrong and what would ask, and run nothing")
    run.add_argument("--no-journal", action="store_true", help="keep the run in memory; it cannot be gone on with")
    resume = actions.add_parser("resume", parents=[common], help="go on with a run that was interrupted")
    resume.add_argument("run", metavar="RUN", help="its id, or the path of its journal")
    resume.add_argument("--retry-failed", action="store_true", help="run again what failed")
    resume.add_argument(
        "--unsure",
        choices=("hold", "run", "skip"),
        default="hold",
        help="what becomes of steps that may have run and must not run twice (default: hold)",
    )
    for action in (run, resume):
        add_review_options(action)
        action.add_argument(
            "--backend", default="", metavar="ADDRESS", help="run the tools on a Dask cluster: dask://host:port"
        )
        action.add_argument(
            "--format",
            choices=_FORMATS,
            help="write the result in this form to standard output (--output json stands for json)",
        )
        action.add_argument("--no-history", action="store_true", help="record nothing, in history and audit log alike")
        action.add_argument("--project", type=Path, metavar="DIR", help="the project folder (default: the current one)")
    status = actions.add_parser("status", help="list the runs, or show one")
    status.add_argument("run", nargs="?", metavar="RUN")
    status.add_argument("--output", choices=("text", "json"), default="text", help="how it is written")
    export = actions.add_parser("export", help="write a plan's graph, or the result of a run")
    export.add_argument("what", metavar="PLAN or RUN")
    export.add_argument("--format", choices=("dot", *_FORMATS), default="dot")
    forget = actions.add_parser("forget", help="delete what is written down of runs")
    forget.add_argument("runs", nargs="+", metavar="RUN")
    forget.add_argument("--interrupted", action="store_true", help="also those that could be gone on with")
    actions.add_parser("schema", help="write the JSON Schema of a plan")


def run_batch(options: argparse.Namespace, bench: Workbench, runner: asyncio.Runner) -> int:
    """Run a plan, or go on with one, and return the exit code."""
    again = _given_again(options)
    if options.action == "resume" and options.project is None:
        # What a tool did to files there goes on there, wherever somebody stands now.
        options.project = project_of(journal_of(options.run))
    if misuse := _misuse(options):
        say(misuse)
        return Exit.USAGE
    try:
        if options.action == "run":
            plan = _plan(options)
            given = _parameters(options.set, plan)
            if options.check:
                return runner.run(_check(bench, options, plan, given))
            checked(plan, bench.registry, given, options.plan.absolute().parent)
        with nullcontext(CallRecorders()) if options.no_history else recording(data_folder()) as records:
            code = runner.run(_run(bench, options, records, again))
        prune_runs()
    except PlanError as error:
        for problem in error.problems:
            say(str(problem))
        return Exit.INVALID_ARGUMENTS
    except VaultError as error:
        say(f"a tool of the plan hides something, so what is written down of the run is sealed: {error}")
        say("--no-journal runs it without writing anything down")
        return Exit.FAILED
    except ToolConfigurationError as error:
        say(str(error))
        return Exit.FAILED
    return code


def _misuse(options: argparse.Namespace) -> str:
    """Return what is wrong with the words of a command, whatever the plan is; empty when nothing is."""
    if options.project is not None and not options.project.is_dir():
        return f"--project: {options.project} is no folder; name the project folder"
    if options.backend and _BACKEND.fullmatch(options.backend) is None:
        return f"--backend: expected an address such as dask://host:8786, got {options.backend!r}"
    if options.action == "run" and options.check and options.format is not None:
        return f"--check runs nothing, so --format {options.format} has no result to write; --output json fits"
    return ""


async def _run(bench: Workbench, options: argparse.Namespace, records: CallRecorders, again: Sequence[str]) -> int:
    async with executing(bench, options, records) as executor:
        batches = BatchExecutor(executor=executor, backend=options.backend)
        listener = _Narrator()
        if options.action == "run":
            plan = _plan(options)
            journal = None if options.no_journal else runs_folder() / f"{run_id(plan, options.plan)}.jsonl"
            given = _parameters(options.set, plan)
            folder = options.plan.absolute().parent
            run = batches.prepare(
                plan, listener=listener, parameters=given, folder=folder, journal=journal, file=options.plan
            )
        else:
            journal = journal_of(options.run)
            run = batches.resume(journal, listener)
            _settle(run, options)
        name = options.run if options.action == "resume" else "" if journal is None else journal.stem
        if name:
            say(f"run {name}")
        try:
            result, is_interrupted = await _to_the_end(run)
            _print(run.plan, result, options.format or ("json" if options.output == "json" else None))
            if name and (way_on := _way_on(run, result, [name, *again])):
                say(way_on)
            return _exit_code(result, is_interrupted=is_interrupted)
        finally:
            run.close()


def _plan(options: argparse.Namespace) -> BatchPlan:
    plan = PlanFile(options.plan).load()
    return plan if options.approve is None else plan.model_copy(update={"approve": Approve(options.approve)})


async def _to_the_end(run: BatchRun) -> tuple[BatchResult, bool]:
    """Run, and let an interruption end it in good order; return what came of it, and whether there was one."""
    is_interrupted = False

    def interrupt() -> None:
        nonlocal is_interrupted
        is_interrupted = True
        run.cancel("interrupted")

    loop = asyncio.get_running_loop()
    handles = hasattr(signal, "SIGINT") and sys.platform != "win32"
    if handles:
        loop.add_signal_handler(signal.SIGINT, interrupt)
    try:
        return await run.go(), is_interrupted
    finally:
        if handles:
            loop.remove_signal_handler(signal.SIGINT)


def _settle(run: BatchRun, options: argparse.Namespace) -> None:
    """Decide what becomes of steps and rows that may have run, and of those that failed."""
    for name in run.unsure:
        if options.unsure == "run":
            run.retry(name)
        elif options.unsure == "skip" and run.schedule.states[name] is StepState.MAY_HAVE_RUN:
            run.skip(name)
        elif options.unsure == "skip":
            run.skip_rows(name)
    if options.retry_failed:
        run.retry_failed()


async def _check(bench: Workbench, options: argparse.Namespace, plan: BatchPlan, given: Mapping[str, Any]) -> int:
    steps = checked(plan, bench.registry, given, options.plan.absolute().parent)
    parameters = filled_parameters(plan, given)
    hidden = hidden_parameters(plan, steps.values())
    shown = {name: MASK if name in hidden else value for name, value in parameters.items()}
    secrets = Scrubber(text for name in hidden for text in texts_in(parameters.get(name)))
    async with executing(bench, options, CallRecorders()) as executor:
        around = PlanContext(executor, caller_of(plan, options.plan), options.plan.absolute().parent, parameters)
        looks = _looks(plan, steps, around, secrets, options.backend)
        if options.output == "json":
            document: dict[str, Any] = {
                "plan": plan.name,
                "asks_once": plan.approve is Approve.PLAN,
                "parameters": shown,
                "steps": [look._asdict() async for look in looks],
            }
            # As the text, it has values that are no JSON, such as dates of a YAML file, in the words of `json_text`.
            print(json.dumps(json.loads(json_text(document)), indent=2, ensure_ascii=False))
            return Exit.OK
        async for look in looks:
            _print_look(look)
    if plan.approve is Approve.PLAN:
        print("one question for all of it before it runs")
    if shown:
        print("with " + ", ".join(f"{name}={MASK if name in hidden else repr(shown[name])}" for name in shown))
    return Exit.OK


class _Look(NamedTuple):
    """What is known of a step before it runs, without what its tool hides.

    Attributes:
        needs: The steps it waits for.
        calls: How many calls it makes; None when nobody knows yet.
        asks: What would be asked, in words; empty when nothing would be.
        runs_here: Why it does not run on the cluster; empty when it does, or there is none.
        arguments: What its tool is given, as far as that is known.
    """

    name: str
    tool: str
    needs: Sequence[str]
    calls: int | None
    calls_words: str
    asks: str
    runs_here: str
    arguments: Mapping[str, Any]


async def _looks(
    plan: BatchPlan, steps: Mapping[str, ReadyStep], around: PlanContext, secrets: Scrubber, backend: str
) -> AsyncIterator[_Look]:
    """Go through the steps, none before those it waits for."""
    graph = ToolDependencyGraph()
    graph.add_all({name: step.needs for name, step in steps.items()})
    async for step, _ in preview_approval([steps[name] for name in graph.topological_order()], around):
        ready = steps[step.name]
        known = preview(plan, ready.step, parameters=around.parameters, folder=around.folder)
        # What is secret of a call stays hidden, before it is made as well.
        given_now = around.executor.create_call(step.tool, known.arguments).display_arguments()
        yield _Look(
            step.name,
            step.tool,
            ready.needs,
            step.calls,
            calls_words(step),
            secrets(asked_words(step)),
            why_here(ready.tool) if backend and ready.tool is not None else "",
            {name: secrets.value(value) for name, value in given_shown(ready.tool, given_now).items()},
        )


def _print_look(look: _Look) -> None:
    after = f" after {', '.join(look.needs)}" if look.needs else ""
    calls = "" if look.calls == 1 else f", {look.calls_words}"
    asks = f"; {look.asks}" if look.asks else ""
    here = f"; runs here: {look.runs_here}" if look.runs_here else ""
    print(f"{look.name}: {look.tool}{after}{calls}{asks}{here}")
    for name, value in look.arguments.items():
        print(f"    {name} = {json_text(value)}")


class _Narrator(BatchListener):
    """Write to standard error how a batch gets on."""

    _state = StepState.QUEUED

    def on_state_change(self, name: str, state: StepState, reason: str) -> None:
        """Keep how the step ended that is told of next."""
        del name, reason
        self._state = state

    def on_tool_complete(self, name: str, success: bool, completed: int, total: int) -> None:  # noqa: FBT001 -- as the base
        said = "ok" if success else self._state.value.replace("_", " ")
        print(f"{completed} of {total}  {name}: {said}", file=sys.stderr)

    def on_approval_progress(self, looked: int, total: int, waits: bool) -> None:  # noqa: FBT001 -- as the base
        """Write a line now and then, where it takes a while to find out what is to be asked."""
        del waits
        if looked and looked % _LOOKED == 0:
            print(f"looked at {looked:,} of {total:,} calls that may ask", file=sys.stderr)


def _print(plan: BatchPlan, result: BatchResult, form: str | None) -> None:
    if form is not None:
        last = ""
        for piece in WRITERS[form](plan, result):
            sys.stdout.write(piece)
            last = piece
        # Some forms end their last line, and some have none.
        sys.stdout.write("" if last.endswith("\n") else "\n")
    for line in lines_of(result):
        say(line)
    say(f"{result.successes} of {len(result.results)} steps done in {result.total_duration:.1f} s")


def _way_on(run: BatchRun, result: BatchResult, named: Sequence[str]) -> str:
    """Return what to say of how a run goes on, by its name and the words behind it; empty when nothing is left."""
    unsure, states = set(run.unsure), {step: item.state for step, item in result.results.items()}
    if not any(state.failed or state is StepState.CANCELLED for state in states.values()):
        return ""
    words = [f"tool-console batch resume {shlex.join(named)}"]
    if any(state.failed for step, state in states.items() if step not in unsure):
        words.append("--retry-failed")
    if unsure:
        words.append("--unsure run")
    rest = "; --unsure skip leaves out what may have run" if unsure else ""
    return f"{' '.join(words)} goes on{rest}"


def _given_again(options: argparse.Namespace) -> list[str]:
    """Return the words without which a run would not find its tools, its rules or its cluster when it goes on."""
    words = [word for file in options.plugin for word in ("--plugin", str(file))]
    if options.servers:
        words.append("--servers")
    if options.project is not None:
        words += ["--project", str(options.project)]
    if options.backend:
        words += ["--backend", options.backend]
    return words


def _exit_code(result: BatchResult, *, is_interrupted: bool) -> Exit:
    """Return what scripts are told: the cause of the failures where they share one.

    What is left out, by its condition or by somebody, is no failure; nor is it one that others wait for it.
    """
    states = {item.state for item in result.results.values()}
    if all(state.succeeded or state is StepState.SKIPPED for state in states):
        return Exit.OK
    if is_interrupted:
        return Exit.INTERRUPTED
    failures = {state for state in states if state.failed}
    if not failures and StepState.CANCELLED in states:
        # A reviewer stopped it at a call whose step says no more than that, as one with rows does.
        return Exit.DENIED
    return _EXIT_BY_STATE.get(failures.pop(), Exit.FAILED) if len(failures) == 1 else Exit.FAILED


def _parameters(words: Sequence[str], plan: BatchPlan) -> dict[str, Any]:
    given: dict[str, Any] = {}
    for word in words:
        name, separator, text = word.partition("=")
        if not separator or not name:
            raise PlanError([PlanProblem("", f"--set: expected NAME=VALUE or NAME:=JSON, got {word!r}")])
        is_json = name.endswith(":")
        name = name.removesuffix(":")
        kind = plan.parameters[name].type if name in plan.parameters else "string"
        try:
            given[name] = text if kind == "string" and not is_json else json.loads(text)
        except ValueError as error:
            raise PlanError(
                [PlanProblem("", f"--set {name}: expected a JSON {kind}, got {text!r}: {error}")]
            ) from error
    return given


def _obey_alone(options: argparse.Namespace) -> int | None:
    if options.action in {"run", "resume"}:
        return None
    from tools.cli.runs import obey_runs  # noqa: PLC0415 -- what runs plans needs none of it

    return obey_runs(options)


COMMANDS: Final = {"batch": CliCommand(add_batch, _obey_alone, run_batch)}
