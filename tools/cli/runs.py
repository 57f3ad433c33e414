"""Runs of plans on this computer: list them, look at one, hand what came of it to other programs."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from tools.batch import BatchPlan, BatchResult, StepState, ToolDependencyGraph, plan_schema
from tools.batch.exporting import WRITERS, as_json
from tools.batch.expressions import ExpressionError, needs_of
from tools.batch.files import PlanFile
from tools.batch.journal import is_journal
from tools.batch.runs import PastRun, forget, is_over, is_under_way, journals_in, past_run, prune
from tools.cli.exits import Exit
from tools.cli.streams import say
from tools.errors import CallStateError, HistoryError, PlanError, PlanProblem, VaultError
from tools.paths import data_folder
from tools.workbench import RUNS_FOLDER

_PLANS: Final = frozenset({".yaml", ".yml", ".json"})


def runs_folder() -> Path:
    """Return where the journals of runs live."""
    return data_folder() / RUNS_FOLDER


def journal_of(run: str) -> Path:
    """Return the journal of a run.

    Args:
        run: Its id, or the path of its journal.

    Raises:
        HistoryError: When there is none.
    """
    named = Path(run)
    path = named if named.suffix == ".jsonl" else runs_folder() / f"{run}.jsonl"
    if not path.is_file():
        msg = f"there is no run {run!r}; `tool-console batch status` lists them"
        raise HistoryError(msg)
    return path


def obey_runs(options: argparse.Namespace) -> int:
    """Do what needs no tools, and return the exit code."""
    try:
        if options.action == "schema":
            print(json.dumps(plan_schema(), indent=2))
        elif options.action == "export":
            return _export(options)
        elif options.action == "forget":
            return _forget(options)
        elif options.run is None:
            _list(options)
        else:
            _show(options)
    except PlanError as error:
        for problem in error.problems:
            say(f"{problem}")
        return Exit.INVALID_ARGUMENTS
    return Exit.OK


def prune_runs() -> None:
    """Delete the journals of runs that are over and that nobody will ask for any more."""
    for path in prune(runs_folder(), datetime.now(UTC)):
        say(f"the run {path.stem} was old and is forgotten")


def _read(journal: Path) -> tuple[PastRun, bool]:
    """Return what a journal says, and whether its run is under way."""
    # Who asks first does not call a run interrupted that ends meanwhile.
    is_held = is_under_way(journal)
    try:
        past = past_run(journal)
    except HistoryError as error:
        # What is sealed, or cannot be opened, may be whole, and whoever has it may be about to write its first line.
        if is_held or isinstance(error.__cause__, VaultError | OSError):
            raise
        msg = f"{error}{_to_do(journal)}"
        raise HistoryError(msg) from error
    return past, is_held and not past.is_over


def _to_do(journal: Path) -> str:
    """Return what to do about a file that is no journal, or a damaged one, as the end of a sentence."""
    if journal.absolute().parent == runs_folder().absolute():
        return "; delete the file to be rid of it"
    return "; name a run that `tool-console batch status` lists"


def _result(run: str) -> tuple[BatchPlan, BatchResult]:
    """Return the plan of a run, and what came of it so far."""
    past, runs_now = _read(journal_of(run))
    return past.plan, past.result_so_far(is_under_way=runs_now)


def _forget(options: argparse.Namespace) -> int:
    journals = [journal_of(run) for run in options.runs]
    for journal in journals:
        if is_under_way(journal) and not is_over(journal):
            said = f"{journal.stem} is under way in another program; wait until it ends, or end it there"
            say(f"{said}")
            return Exit.FAILED
        try:
            forget(journal, interrupted_too=options.interrupted)
        except CallStateError as error:
            # What is no journal is never deleted from here.
            say(f"{error}{'' if is_journal(journal) else _to_do(journal)}")
            return Exit.FAILED if is_under_way(journal) else Exit.USAGE
    return Exit.OK


def _list(options: argparse.Namespace) -> None:
    documents = []
    for path in journals_in(runs_folder()):
        try:
            past, runs_now = _read(path)
        except HistoryError as error:
            say(f"{error}")
            continue
        counts = Counter(item.state for item in past.result_so_far(is_under_way=runs_now).results.values())
        done = counts[StepState.DONE] + counts[StepState.CACHED]
        failed = sum(number for state, number in counts.items() if state.failed)
        facts = {"run": path.stem, "plan": past.plan.name, "is_over": past.is_over, "steps": len(past.plan.steps)}
        facts["is_under_way"] = runs_now
        facts["file"] = None if past.file is None else str(past.file)
        documents.append({**facts, "done": done, "failed": failed, "started_at": past.started_at.isoformat()})
    if options.output == "json":
        print(json.dumps(documents, indent=2))
        return
    for item in documents:
        state = "over" if item["is_over"] else "running" if item["is_under_way"] else "interrupted"
        print(f"{item['run']}  {state}  {item['done']} of {item['steps']} done, {item['failed']} failed")


def _show(options: argparse.Namespace) -> None:
    plan, result = _result(options.run)
    if options.output == "json":
        sys.stdout.writelines(as_json(plan, result))
        print()
        return
    for name, item in result.results.items():
        why = f": {item.error}" if item.error else ""
        print(f"{name}: {item.state.value.replace('_', ' ')}{why}")


def _export(options: argparse.Namespace) -> int:
    is_plan = Path(options.what).suffix in _PLANS
    if options.format != "dot":
        if is_plan:
            say("a plan has a graph and no result; name a run, or take --format dot")
            return Exit.USAGE
        sys.stdout.writelines(WRITERS[options.format](*_result(options.what)))
        return Exit.OK
    if is_plan:
        plan, states = PlanFile(Path(options.what)).load(), None
    else:
        plan, result = _result(options.what)
        states = {name: item.state for name, item in result.results.items()}
    graph = ToolDependencyGraph()
    needs: dict[str, tuple[str, ...]] = {}
    for place, step in enumerate(plan.steps):
        try:
            needs[step.id] = needs_of(step)
        except ExpressionError as error:
            raise PlanError([PlanProblem(f"steps[{place}]", str(error), step.id)]) from error
    graph.add_all(needs)
    print(graph.to_dot(states), end="")
    return Exit.OK
