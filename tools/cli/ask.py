"""`ask`: have a model answer, and call tools for it; the person at the terminal agrees to calls."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, nullcontext
from itertools import zip_longest
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tools.card import BUILT_IN
from tools.cli.call import add_review_options, executing
from tools.cli.command import CliCommand
from tools.cli.exits import Exit
from tools.cli.model_choice import ModelChoice, add_provider_options, number_from, prices_of, reached
from tools.cli.recording import CallRecorders, recording
from tools.cli.streams import UsageError, agrees, read_input, say, wants_json
from tools.cli.wire import own_tools
from tools.declare import resolve_tools
from tools.errors import CallStateError, ConversationError
from tools.mcp.reference_properties import provider_tools
from tools.models import Conversation, ConversationLimits, StandingRules, TextDelta, ToolOffer, events
from tools.models.attachments import images_in, read_file, with_files
from tools.models.budget import Budget
from tools.models.journal import ConversationFile, file_of, kept_files, new_file
from tools.models.messages import UserMessage
from tools.models.replay import RecordedCalls, RecordedProvider, recorded_calls, said_in, write_test
from tools.models.scripted import NO_MODEL
from tools.paths import data_folder
from tools.retention import RetentionMark
from tools.session.context_window import ContextWindow
from tools.workbench import CONVERSATIONS_FOLDER

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.execution.executor import Executor
    from tools.models.budget import BudgetQuestion
    from tools.models.context import ContextPart
    from tools.models.events import ConversationEvent, TaskEnded
    from tools.models.journal import KeptConversation
    from tools.models.port import ModelProvider
    from tools.models.side_by_side import ProposedCalls
    from tools.workbench import Workbench

_ROW: Final = "{:<13}{:>9}  {:<11}{}"
_LONGEST_RESULT: Final = 200


def add_ask(commands: argparse._SubParsersAction[argparse.ArgumentParser], common: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "ask",
        parents=[common],
        help="have a model answer with the tools",
        epilog="The answer goes to standard output, calls and questions to standard error. Nothing is sent anywhere"
        " before a model is chosen. A key comes from the environment or the keyring, and goes to its provider alone.",
    )
    parser.add_argument("words", nargs="*", metavar="WORDS", help="what to ask (default: standard input; - as well)")
    parser.add_argument("--model", metavar="NAME", help="the model, as its provider names it")
    add_provider_options(parser)
    parser.add_argument("--models", action="store_true", help="only list the models that can be chosen")
    parser.add_argument("--tools", action="append", metavar="NAME", help="a tool that it may call (default: all)")
    parser.add_argument(
        "--attach", action="append", type=Path, default=[], metavar="FILE", help="send a picture or a text along"
    )
    parser.add_argument("--instructions", default="", metavar="TEXT", help="what holds for all answers")
    parser.add_argument("--always", action="append", default=[], metavar="RULE", help="what it must always do")
    parser.add_argument("--never", action="append", default=[], metavar="RULE", help="what it must never do")
    parser.add_argument("--budget", metavar="AMOUNT", help="tokens, or money such as $0.50; you are asked before more")
    parser.add_argument("--max-calls", type=number_from(0), metavar="N", help="most calls (default: 50)")
    parser.add_argument("--max-tokens", type=number_from(1), metavar="N", help="most tokens of one answer")
    parser.add_argument("--resume", metavar="NAME", help="go on with this conversation; last is the newest")
    parser.add_argument("--preview", action="store_true", help="only say what would be sent, with tokens")
    parser.add_argument("--pin", action="append", type=int, default=[], metavar="ID", help="go on sending this result")
    parser.add_argument("--drop", action="append", type=int, default=[], metavar="ID", help="send this result no more")
    parser.add_argument("--summarise", action="append", default=[], metavar="ID=TEXT", help="send this instead of it")
    parser.add_argument(
        "--keep", action="append", default=[], metavar="ID=TURNS", help="go on sending this result for so many turns"
    )
    parser.add_argument(
        "--keep-turns", type=int, metavar="N", help="how many turns to keep where a tool does not say (default: 5)"
    )
    parser.add_argument(
        "--context", type=number_from(1), metavar="TOKENS", help="sum up older turns when this is nearly full"
    )
    parser.add_argument("--sum-up", action="store_true", help="first have the model sum up the older turns")
    parser.add_argument("--properties", type=Path, metavar="FILE", help="web search and servers that OpenAI runs")
    parser.add_argument("--replay", metavar="NAME", help="make the calls of this conversation again, without its model")
    parser.add_argument(
        "--recorded-results", action="store_true", help="hand out the results of the record; no tool runs"
    )
    parser.add_argument("--as-test", type=Path, metavar="FILE", help="write a file for pytest that replays it")
    parser.add_argument("--list", action="store_true", help="only list the conversations")
    add_review_options(parser)
    parser.add_argument("--project", type=Path, metavar="DIR", help="the project folder (default: the current one)")
    parser.add_argument("--no-history", action="store_true", help="keep neither the calls nor the conversation")


def _alone(options: argparse.Namespace) -> int | None:
    return _list(options) if options.list else None


class _Chosen(NamedTuple):
    """What is asked: the provider, the model, and what was said before."""

    provider: ModelProvider
    model: str
    kept: KeptConversation | None
    file: ConversationFile | None


def obey_ask(options: argparse.Namespace, bench: Workbench, runner: asyncio.Runner) -> int:
    """Have a model answer, print what it writes, and return the exit code.

    Raises:
        UsageError: When no model is chosen, or an option means nothing.
    """
    if options.project is not None and not options.project.is_dir():
        raise UsageError(f"--project: {options.project} is no folder")
    for name in ("as_test", "recorded_results"):
        if getattr(options, name) and options.replay is None:
            raise UsageError(f"--{name.replace('_', '-')}: expected --replay NAME as well, got none")
    is_silent = options.models or options.preview or options.replay
    files = () if is_silent else tuple(map(read_file, options.attach))
    words = "" if is_silent else with_files(_text(options), files)
    said = UserMessage(text=words, images=images_in(files)) if words or files else None
    records = nullcontext(CallRecorders()) if options.no_history or options.models else recording(data_folder())
    with records as recorders:
        return runner.run(_ask(options, bench, recorders, said))


def _text(options: argparse.Namespace) -> str:
    words = " ".join(options.words)
    if words == "-" or not (words or options.resume or options.attach):
        words = read_input()
        if not words.strip():
            raise UsageError("expected what to ask, got nothing")
    return words


async def _ask(options: argparse.Namespace, bench: Workbench, records: CallRecorders, said: UserMessage | None) -> int:
    if options.replay is not None:
        return await _replay(options, bench, records)
    async with _chosen(options) as chosen:
        if chosen is None:
            return Exit.OK
        narrator = _Narrator(quiet=wants_json(options))
        async with executing(bench, options, records) as executor:
            conversation = _conversation(options, bench, executor, chosen, narrator)
            try:
                _change_parts(options, conversation)
                if options.sum_up:
                    say((await conversation.summarise()).text)
                if options.preview:
                    return _print_context(conversation.context(), options)
                answer = conversation.go_on() if said is None else conversation.say(said.text, said.images)
                ended = await answer
            except asyncio.CancelledError:
                narrator.finish()
                if chosen.file is not None and not options.no_history:
                    say(f"what came until now is kept; go on with --resume {chosen.file.name}")
                raise
            finally:
                conversation.close()
    return _print_end(ended, conversation, chosen, options, narrator)


@asynccontextmanager
async def _chosen(options: argparse.Namespace) -> AsyncIterator[_Chosen | None]:
    """Yield the provider and the model that are meant; None when the models were only listed."""
    file, kept = _kept(options)
    begun = None if kept is None else kept.begun
    former = None if begun is None else ModelChoice(begun.provider, begun.model, begun.address)
    async with reached(options, options.model, former, only_list=options.models) as found:
        yield None if found is None else _Chosen(*found, kept, file)


def _kept(options: argparse.Namespace) -> tuple[ConversationFile | None, KeptConversation | None]:
    if options.resume is None:
        folder = data_folder() / CONVERSATIONS_FOLDER
        return (None if options.no_history or options.preview else new_file(folder)), None
    file = _file(options.resume)
    return file, file.read()


def _file(name: str) -> ConversationFile:
    """Return the file of a conversation: by its name, by its path, or of the newest."""
    folder = data_folder() / CONVERSATIONS_FOLDER
    if name.endswith(".jsonl"):
        return ConversationFile(Path(name))
    if name != "last":
        return file_of(folder, name)
    files = kept_files(folder)
    if not files:
        raise ConversationError("no conversation was kept until now")
    return files[0]


def _conversation(
    options: argparse.Namespace,
    bench: Workbench,
    executor: Executor,
    chosen: _Chosen,
    narrator: _Narrator,
    *,
    admit: Callable[[ProposedCalls], Awaitable[None]] | None = None,
) -> Conversation:
    for name in options.tools or ():
        if bench.registry.find(name) is None:
            raise UsageError(f"--tools: no tool is called {name!r}")
    if options.properties is not None and chosen.provider.name != "openai":
        raise UsageError(f"--properties: expected the provider openai, got {chosen.provider.name}")
    beside = () if options.tools else resolve_tools([ContextWindow()], source=BUILT_IN)
    own = _own_tools(options, bench) if chosen.provider.name == "openai" else []
    prices = prices_of(options)
    budget = _budget(options.budget)
    if budget is not None and budget.cost is not None and prices is None and options.provider != "openrouter":
        raise UsageError("--budget: money can only be counted with --prices, since the provider names none")
    limits = ConversationLimits(answer_tokens=options.max_tokens)
    if options.max_calls is not None:
        limits = limits._replace(calls=options.max_calls)
    begun = None if chosen.kept is None else chosen.kept.begun
    writes = chosen.file is not None and not options.no_history and not options.preview
    return Conversation(
        executor,
        chosen.provider,
        chosen.model,
        ToolOffer(bench.registry, chosen.provider.wire, names=options.tools, own=own, beside=beside),
        tell=narrator,
        write=chosen.file.write if writes and chosen.file is not None else None,
        kept=chosen.kept,
        instructions=options.instructions or ("" if begun is None else begun.instructions),
        rules=StandingRules(
            tuple(options.always) or (() if begun is None else begun.always),
            tuple(options.never) or (() if begun is None else begun.never),
        ),
        limits=limits,
        prices=prices,
        budget=budget,
        ask_budget=_ask_budget,
        admit=admit,
    )


def _own_tools(options: argparse.Namespace, bench: Workbench) -> list[dict[str, JsonValue]]:
    """Return what OpenAI runs itself: as a file says that is named, else as the person's settings do."""
    if options.properties is not None:
        return own_tools(options.properties)
    return provider_tools(bench.settings.own_values)


def _budget(text: str | None) -> Budget | None:
    if text is None:
        return None
    plain = text.replace("_", "").replace(",", "")
    try:
        budget = Budget(cost=float(plain[1:])) if plain.startswith("$") else Budget(tokens=int(plain))
        if not 0 < (budget.cost or budget.tokens or 0) < inf:
            raise ValueError
        return budget
    except ValueError:
        raise UsageError(f"--budget: expected tokens such as 50000, or money such as $0.50, got {text!r}") from None


async def _ask_budget(question: BudgetQuestion) -> Budget | None:
    budget = question.budget
    if budget.cost is not None:
        expected = (question.cost or 0.0) + (question.expected_cost or 0.0)
        more = budget._replace(cost=max(2 * budget.cost, expected))
        words = f"${question.cost or 0.0:.4f} of ${budget.cost:.4f} are spent; go on up to ${more.cost:.4f}?"
    else:
        expected_tokens = question.used + question.expected
        more = budget._replace(tokens=max(2 * (budget.tokens or 0), expected_tokens))
        words = (
            f"The next request takes about {question.expected:,} tokens, which passes the budget:"
            f" {question.used:,} of {budget.tokens:,} are used. Go on up to {more.tokens:,}?"
        )
    return more if await asyncio.to_thread(agrees, words) else None


def _change_parts(options: argparse.Namespace, conversation: Conversation) -> None:
    try:
        for part in options.pin:
            conversation.change_part(part, mark=RetentionMark.PINNED)
        for part in options.drop:
            conversation.change_part(part, mark=RetentionMark.PRUNED)
        for said in options.summarise:
            part, _, text = said.partition("=")
            if not part.isdigit() or not text:
                raise UsageError(f"--summarise: expected ID=TEXT, got {said!r}")
            conversation.change_part(int(part), summary=text)
        for said in options.keep:
            part, _, turns = said.partition("=")
            if not part.isdigit() or not turns.removeprefix("-").isdigit():
                raise UsageError(f"--keep: expected ID=TURNS, got {said!r}")
            conversation.set_turns_to_keep(int(part), int(turns))
    except CallStateError as error:
        raise UsageError(f"{error}; --preview lists them") from error
    rules = conversation.context_rules
    conversation.change_context(
        rules.model_copy(
            update={
                "turns_to_keep": rules.turns_to_keep if options.keep_turns is None else options.keep_turns,
                "tokens": options.context or rules.tokens,
            }
        )
    )


async def _replay(options: argparse.Namespace, bench: Workbench, records: CallRecorders) -> Exit:
    """Make the calls of a conversation again, and tell which of them end otherwise."""
    file = _file(options.replay)
    if options.as_test is not None:
        record = write_test(options.as_test, file, bench.registry)
        say(f"wrote {options.as_test} and {record}")
        return Exit.OK
    kept = file.read()
    wanted = recorded_calls(kept)
    narrator, provider = _Narrator(quiet=wants_json(options)), RecordedProvider(kept)
    async with executing(bench, options, records) as executor:
        calls = RecordedCalls(kept, executor, runs=not options.recorded_results)
        chosen = _Chosen(provider, kept.begun.model, None, None)
        conversation = _conversation(options, bench, executor, chosen, narrator, admit=calls.admit)
        for message in said_in(kept):
            await conversation.say(message.text, message.images)
        conversation.close()
    narrator.finish()
    ended = [call["status"] for call in sorted(narrator.calls, key=lambda call: call["part"])]
    rows = [
        {"name": call.name, "arguments": call.arguments, "recorded": call.status, "status": status}
        for call, status in zip_longest(wanted, ended, fillvalue=None)
        if call is not None
    ]
    differing = [row for row in rows if row["recorded"] != row["status"]]
    if wants_json(options):
        print(json.dumps({"calls": rows, "differences": len(differing)}, indent=2, ensure_ascii=False))
    else:
        for row in differing:
            say(f"{row['name']} {json.dumps(row['arguments'])} was {row['recorded']}, and is {row['status']} now")
        say(f"{len(rows)} calls, {len(differing)} of them end otherwise than in {file.name}")
    return Exit.FINDINGS if differing else Exit.OK


class _Narrator:
    """Write what a conversation tells: the answer to standard output, all else to standard error.

    Args:
        quiet: Whether the answer is written at the end, as a part of a document.

    Attributes:
        calls: The calls that ended.
    """

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._is_open = False
        self.calls: list[dict[str, Any]] = []

    def __call__(self, event: ConversationEvent) -> None:
        if isinstance(event, TextDelta):
            if not self._quiet:
                print(event.text, end="", flush=True)
                self._is_open = not event.text.endswith("\n")
            return
        if isinstance(event, events.AskedFor):
            self._line(f"→ {event.part} {event.name} {event.arguments}")
        elif isinstance(event, events.CallAnswered):
            line = " ".join(event.text.split())
            cut = f"{line[:_LONGEST_RESULT]}…" if len(line) > _LONGEST_RESULT else line
            self._line(f"← {event.part} {event.name} {event.status} {event.elapsed_s:.2f} s: {cut}")
            self.calls.append(event._asdict())
        elif isinstance(event, events.TurnsSummarised):
            self._line(f"summed up older turns, {event.turns} in all; the originals are kept")
        elif isinstance(event, events.RequestRetried):
            self._line(f"asked again in {event.wait_s:g} s: {event.why}")

    def _line(self, text: str) -> None:
        self.finish()
        print(text, file=sys.stderr, flush=True)

    def finish(self) -> None:
        """End the line of the answer."""
        if self._is_open:
            print(flush=True)
            self._is_open = False


def _print_end(
    ended: TaskEnded, conversation: Conversation, chosen: _Chosen, options: argparse.Namespace, narrator: _Narrator
) -> Exit:
    narrator.finish()
    usage, cost = conversation.usage, conversation.cost
    name = "" if chosen.file is None or options.no_history else chosen.file.name
    code = _EXIT_BY_END.get(ended.end.value, Exit.FAILED)
    if chosen.provider.name == NO_MODEL and any(call["status"] != "executed" for call in narrator.calls):
        # No model made anything of it: what the person asked for was not done.
        code = Exit.FAILED
    if wants_json(options):
        document = {
            "end": ended.end.value,
            "text": ended.text,
            "why": ended.why,
            "calls": narrator.calls,
            "usage": usage.model_dump(mode="json"),
            "cost": cost,
            "conversation": name,
            "provider": chosen.provider.name,
            "model": chosen.model,
        }
        print(json.dumps(document, indent=2, ensure_ascii=False))
        return code
    if ended.why:
        say(f"{ended.end.value.replace('_', ' ')}: {ended.why}")
    about = "about " if usage.estimated else ""
    paid = "" if cost is None else f", ${cost:.4f}"
    kept = f"; go on with --resume {name}" if name else ""
    say(f"{about}{usage.input_tokens:,} tokens read, {usage.output_tokens:,} written{paid}{kept}")
    return code


_EXIT_BY_END: Final = {
    "answered": Exit.OK,
    "refused": Exit.DENIED,
    "budget": Exit.DENIED,
    "stopped": Exit.INTERRUPTED,
}


def _print_context(parts: tuple[ContextPart, ...], options: argparse.Namespace) -> Exit:
    total = sum(part.tokens for part in parts)
    if wants_json(options):
        rows = [{**part._asdict(), "state": part.state.value} for part in parts]
        print(json.dumps({"parts": rows, "tokens": total}, indent=2, ensure_ascii=False))
        return Exit.OK
    print(_ROW.format("PART", "TOKENS", "STATE", "WHAT"))
    for part in parts:
        named = f"{part.kind} {part.part}" if part.part else part.kind
        print(_ROW.format(named, f"{part.tokens:,}", part.state.value.replace("_", " "), part.label))
    print(_ROW.format("", f"{total:,}", "", "about, as the provider counts otherwise"))
    return Exit.OK


def _list(options: argparse.Namespace) -> Exit:
    rows = []
    for file in kept_files(data_folder() / CONVERSATIONS_FOLDER):
        try:
            kept = file.read()
        except ConversationError as error:
            say(str(error))
            continue
        first = next((message.text for message in kept.messages if isinstance(message, UserMessage)), "")
        rows.append({"name": file.name, "provider": kept.begun.provider, "model": kept.begun.model, "begins": first})
    if wants_json(options):
        print(json.dumps(rows, indent=2, ensure_ascii=False))
    for row in () if wants_json(options) else rows:
        begins = " ".join(row["begins"].split())[:_LONGEST_RESULT]
        print(f"{row['name']}  {row['model']}  {begins}")
    return Exit.OK


COMMANDS: Final = {"ask": CliCommand(add_ask, alone=_alone, with_tools=obey_ask)}
