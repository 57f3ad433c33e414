"""`evaluate`: ask models the prompts of a file, and tell whether they called the tools that they should."""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tools.cli.call import add_review_options, executing, reviewer_of
from tools.cli.command import CliCommand
from tools.cli.exits import Exit
from tools.cli.model_choice import add_provider_options, number_from, prices_of, reached
from tools.cli.recording import CallRecorders, recording
from tools.cli.streams import UsageError, say, wants_json
from tools.errors import ToolConfigurationError
from tools.models import Conversation, ConversationLimits, ToolOffer
from tools.models.evaluation import (
    EvaluationReviewer,
    PromptFile,
    PromptOutcome,
    evaluate,
    only_reading,
    read_prompts,
    with_descriptions,
)
from tools.models.messages import Usage
from tools.paths import data_folder

if TYPE_CHECKING:
    from tools.execution.executor import Executor
    from tools.models.events import ConversationEvent
    from tools.models.port import ModelProvider
    from tools.workbench import Workbench

MOST_CALLS: Final = 10
_ROW: Final = "{:<24} {:<12} {:>9} {:>6} {:>9} {:>9} {:>8}"
_LONGEST_PROMPT: Final = 60


def add_evaluate(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], common: argparse.ArgumentParser
) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "evaluate",
        parents=[common],
        help="test which tools models choose for the prompts of a file",
        epilog="Calls of tools that only read are made; of all others the model is told that they were not made.",
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="the prompts in YAML, with the calls that are expected")
    parser.add_argument(
        "--model",
        action="append",
        default=[],
        metavar="NAME",
        help="a model, as its provider names it; may be repeated",
    )
    add_provider_options(parser)
    parser.add_argument("--tools", action="append", metavar="NAME", help="a tool that it may call (default: all)")
    parser.add_argument(
        "--times", type=number_from(1), default=1, metavar="N", help="ask each prompt so often (default: 1)"
    )
    parser.add_argument(
        "--max-calls",
        type=number_from(0),
        default=MOST_CALLS,
        metavar="N",
        help=f"most calls for a prompt (default: {MOST_CALLS})",
    )
    parser.add_argument("--max-tokens", type=number_from(1), metavar="N", help="most tokens of one answer")
    add_review_options(parser)
    parser.add_argument("--project", type=Path, metavar="DIR", help="the project folder (default: the current one)")
    parser.add_argument("--no-history", action="store_true", help="do not keep the calls")


class _Row(NamedTuple):
    """A model with one set of descriptions."""

    model: str
    descriptions: str
    outcomes: Sequence[PromptOutcome]

    @property
    def reached(self) -> int:
        return sum(outcome.is_reached for outcome in self.outcomes)

    @property
    def usage(self) -> Usage:
        return sum((outcome.usage for outcome in self.outcomes), Usage())

    @property
    def cost(self) -> float | None:
        costs = [outcome.cost for outcome in self.outcomes if outcome.cost is not None]
        return sum(costs) if costs else None


def obey_evaluate(options: argparse.Namespace, bench: Workbench, runner: asyncio.Runner) -> int:
    """Ask all prompts of all models, print a table, and return the exit code.

    Raises:
        UsageError: The file or an option means nothing.
    """
    if options.project is not None and not options.project.is_dir():
        raise UsageError(f"--project: {options.project} is no folder")
    try:
        file = read_prompts(options.file)
        file.check_tools(bench.registry)
    except ToolConfigurationError as error:
        raise UsageError(str(error)) from error
    for name in options.tools or ():
        if bench.registry.find(name) is None:
            raise UsageError(f"--tools: no tool is called {name!r}")
    records = nullcontext(CallRecorders()) if options.no_history else recording(data_folder())
    with records as recorders:
        rows = runner.run(_rows(options, bench, recorders, file))
    return _print_rows(rows, options)


async def _rows(options: argparse.Namespace, bench: Workbench, records: CallRecorders, file: PromptFile) -> list[_Row]:
    rows = []
    reviewer = EvaluationReviewer(reviewer_of(options))
    async with executing(bench, options, records, review_handler=reviewer) as executor:
        executor.add_step(only_reading, name="evaluation")
        for name in options.model or [None]:
            async with reached(options, name) as found:
                if found is None:
                    continue
                provider, model = found
                for kind, descriptions in {"own": {}, "changed": file.descriptions}.items():
                    if kind == "own" or descriptions:
                        with with_descriptions(bench.registry, descriptions):
                            converse = _converse(options, executor, provider, model, file.instructions)
                            tell = _teller(model, kind, quiet=wants_json(options))
                            outcomes = await evaluate(file.prompts * options.times, converse, tell)
                        rows.append(_Row(model, kind, outcomes))
    return rows


def _converse(
    options: argparse.Namespace, executor: Executor, provider: ModelProvider, model: str, instructions: str
) -> Callable[[Callable[[ConversationEvent], None]], Conversation]:
    def converse(tell: Callable[[ConversationEvent], None]) -> Conversation:
        return Conversation(
            executor,
            provider,
            model,
            ToolOffer(executor.registry, provider.wire, names=options.tools),
            tell=tell,
            instructions=instructions,
            limits=ConversationLimits(calls=options.max_calls, answer_tokens=options.max_tokens),
            prices=prices_of(options),
        )

    return converse


def _teller(model: str, kind: str, *, quiet: bool) -> Callable[[PromptOutcome], None]:
    """Return what says why a prompt was not reached, as soon as that is known."""

    def tell(outcome: PromptOutcome) -> None:
        if not quiet and not outcome.is_reached:
            asked = " ".join(outcome.prompt.ask.split())
            shown = asked if len(asked) <= _LONGEST_PROMPT else f"{asked[:_LONGEST_PROMPT]}…"
            say(f"{model}, {kind} descriptions: {shown!r}: {'; '.join(_reasons(outcome))}")

    return tell


def _reasons(outcome: PromptOutcome) -> list[str]:
    reasons = [outcome.why] if outcome.why else []
    for missing in outcome.missing:
        given = [call.arguments for call in outcome.calls if call.tool == missing.tool]
        wanted = f" with {_json(missing.arguments)}" if missing.arguments else ""
        instead = f", but with {_json(given[-1])}" if given else _instead(outcome)
        reasons.append(f"{missing.tool} was not called{wanted}{instead}")
    return reasons + [f"{name} was called" for name in outcome.forbidden]


def _instead(outcome: PromptOutcome) -> str:
    names = dict.fromkeys(call.tool for call in outcome.calls)
    return f", but {', '.join(names)}" if names else ", nor any other tool"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _print_rows(rows: Sequence[_Row], options: argparse.Namespace) -> Exit:
    if wants_json(options):
        print(json.dumps({"rows": [_document(row) for row in rows]}, indent=2, ensure_ascii=False))
    else:
        print(_ROW.format("MODEL", "DESCRIPTIONS", "REACHED", "CALLS", "TOKENS", "COST", "SECONDS"))
        for row in rows:
            calls = sum(len(outcome.calls) for outcome in row.outcomes)
            cost = "" if row.cost is None else f"${row.cost:.4f}"
            tokens = f"{'~' if row.usage.estimated else ''}{row.usage.tokens:,}"
            seconds = f"{sum(outcome.elapsed_s for outcome in row.outcomes):.1f}"
            share = f"{row.reached}/{len(row.outcomes)}"
            print(_ROW.format(row.model, row.descriptions, share, calls, tokens, cost, seconds))
        for own, changed in pairwise(rows):
            if changed.descriptions == "changed":
                say(_difference(own, changed))
    is_whole = bool(rows) and all(row.reached == len(row.outcomes) for row in rows)
    return Exit.OK if is_whole else Exit.FINDINGS


def _difference(own: _Row, changed: _Row) -> str:
    reached, tokens = changed.reached - own.reached, changed.usage.tokens - own.usage.tokens
    return f"{own.model}: the changed descriptions reach {reached:+d} prompts and take {tokens:+,d} tokens"


def _document(row: _Row) -> dict[str, Any]:
    return {
        "model": row.model,
        "descriptions": row.descriptions,
        "reached": row.reached,
        "usage": row.usage.model_dump(mode="json"),
        "cost": row.cost,
        "prompts": [
            {
                "ask": outcome.prompt.ask,
                "reached": outcome.is_reached,
                "calls": [call._asdict() for call in outcome.calls],
                "missing": [one.model_dump(mode="json") for one in outcome.missing],
                "forbidden": list(outcome.forbidden),
                "why": outcome.why,
                "tokens": outcome.usage.tokens,
                "elapsed_s": round(outcome.elapsed_s, 3),
            }
            for outcome in row.outcomes
        ],
    }


COMMANDS: Final = {"evaluate": CliCommand(add_evaluate, with_tools=obey_evaluate)}
