"""`call`: run one tool from a terminal or a script."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tools.calls import Attachment, CallProposed, ErrorKind, Event, Logged, Progressed, ToolCall, ToolResponse
from tools.cli.command import CliCommand
from tools.cli.dry_run import print_dry_run
from tools.cli.exits import EXIT_BY_STATUS, Exit
from tools.cli.listing import did_you_mean, kinds_of
from tools.cli.recording import CallRecorders, recording
from tools.cli.streams import UsageError, read_input, say
from tools.errors import ExitEarlyError, ToolConfigurationError
from tools.execution.executor import Executor
from tools.lint import estimated_tokens
from tools.paths import NO_PROJECT, data_folder
from tools.policy import Autonomy
from tools.remedies import remedy_of
from tools.review import AutoApproveHandler, ReviewHandler
from tools.review.terminal import TerminalReviewHandler
from tools.review.webhook import WebhookReviewHandler
from tools.schema import json_text
from tools.spec import MISSING
from tools.workbench import open_policy, protected_places

if TYPE_CHECKING:
    from tools.execution.services import Listener
    from tools.policy import Policy
    from tools.workbench import Workbench

WEBHOOK_SECRET: Final = "TOOL_CONSOLE_WEBHOOK_SECRET"  # noqa: S105 -- the variable that holds one


def _add_call(commands: argparse._SubParsersAction[argparse.ArgumentParser], common: argparse.ArgumentParser) -> None:
    call = commands.add_parser(
        "call",
        parents=[common],
        help="run a tool",
        epilog="key=value gives text, which is converted to the argument's type; key:=value gives JSON.",
    )
    call.add_argument("name", metavar="NAME")
    call.add_argument("arguments", nargs="*", metavar="key=value")
    call.add_argument("--json", metavar="ARGS", help="the arguments as one JSON object; - reads it from standard input")
    call.add_argument("--dry-run", action="store_true", help="only say what it would do, where the tool can tell")
    add_review_options(call)
    call.add_argument("--project", type=Path, metavar="DIR", help="the project folder (default: the current one)")
    call.add_argument("--no-history", action="store_true", help="record nothing, in history and audit log alike")
    call.add_argument("--save", type=Path, metavar="DIR", help="save attachments into this folder")


def _call_tool(options: argparse.Namespace, bench: Workbench, runner: asyncio.Runner) -> int:
    """Run one tool in a runner's loop, print its result, and return the exit code."""
    tool = bench.registry.find(options.name)
    if tool is None:
        say(f"no tool is called {options.name!r}{did_you_mean(bench, options.name)}")
        return Exit.USAGE
    arguments = arguments_of(options, tool.input_schema)
    if options.project is not None and not options.project.is_dir():
        say(f"--project: {options.project} is no folder")
        return Exit.USAGE
    if options.dry_run:
        return print_dry_run(bench, options, runner, (tool.name, arguments))
    narrator = _Narrator()
    try:
        with nullcontext(CallRecorders()) if options.no_history else recording(data_folder()) as records:
            response = runner.run(_run(bench, options, narrator, records, (tool.name, arguments)))
    except ExitEarlyError as error:
        say(str(error))
        return Exit.DENIED
    except ToolConfigurationError as error:
        say(str(error))
        return Exit.FAILED
    if options.save is not None:
        _save(response.attachments, options.save)
    if narrator.call is not None:
        _print(narrator.call, options.output)
    return EXIT_BY_STATUS.get(response.status, Exit.FAILED)


async def _run(
    bench: Workbench,
    options: argparse.Namespace,
    narrator: _Narrator,
    records: CallRecorders,
    asked: tuple[str, dict[str, Any] | str],
) -> ToolResponse:
    async with executing(bench, options, records, [narrator], one_call=True) as executor:
        return await executor.execute(await executor.propose(*asked))


@asynccontextmanager
async def executing(
    bench: Workbench,
    options: argparse.Namespace,
    records: CallRecorders,
    listeners: Iterable[Listener] = (),
    *,
    one_call: bool = False,
    review_handler: ReviewHandler | None = None,
) -> AsyncIterator[Executor]:
    """Run calls as the options of a command say: who is asked, by which rules, in which folder, recorded where.

    Args:
        listeners: Who is told about events.
        one_call: Whether the command is one call, so that `--yes` is a person's word for exactly that.
        review_handler: Who is asked; None asks at the terminal.
    """
    policy = policy_for(options, bench.settings.denylist)
    says_yes = options.yes and not policy.is_closed
    if options.yes and not says_yes:
        say("--yes answers nothing, because rules that cannot be read may refuse what it would allow; mend their file")
    # What is said of one call is said of all that it does; what is said of a plan leaves the rules as they are.
    says = AutoApproveHandler(by_person=one_call) if says_yes else None
    asked = says or review_handler or reviewer_of(options)
    executor = Executor(
        bench.registry,
        review_handler=asked,
        listeners=listeners,
        config=bench.settings.config,
        project_dir=options.project,
        policy=policy,
        protected=protected_places(),
        history=records.history,
        audit=records.audit,
        workers=bench.workers,
    )
    if isinstance(asked, WebhookReviewHandler):
        executor.questions.watch(asked.follow)
    try:
        yield executor
    finally:
        await executor.aclose()
        policy.flush()


def reviewer_of(options: argparse.Namespace) -> ReviewHandler:
    """Return who is asked: the webhook that a command names, else the person at the terminal.

    Raises:
        UsageError: The webhook has no secret.
        ToolConfigurationError: Its address or its secret protects nothing.
    """
    if options.webhook is None:
        return TerminalReviewHandler()
    secret = os.environ.get(WEBHOOK_SECRET, "")
    if not secret:
        raise UsageError(f"--webhook: expected its secret in {WEBHOOK_SECRET}, 16 bytes or more")
    return WebhookReviewHandler(options.webhook, secret)


def policy_for(options: argparse.Namespace, denylist: Path | None = None) -> Policy:
    """Return the rules that judge the calls of a command: the person's, and those of the project it works in.

    What is wrong with their files is told on standard error.
    """
    autonomy = None if options.autonomy is None else Autonomy(options.autonomy)
    project = None if options.project == NO_PROJECT else (options.project or Path.cwd()).absolute()
    policy = open_policy(project, autonomy, denylist)
    for problem in policy.problems:
        say(problem)
    return policy


def add_review_options(parser: argparse.ArgumentParser) -> None:
    """Add what says who is asked before a call runs."""
    who = parser.add_mutually_exclusive_group()
    add_webhook(who)
    who.add_argument(
        "--yes",
        action="store_true",
        help="allow what would be asked about; rules still refuse, and no plan changes them",
    )
    parser.add_argument(
        "--autonomy",
        choices=[level.value for level in Autonomy],
        metavar="LEVEL",
        help=f"what is asked about: {', '.join(Autonomy)} (default: as your policy says, else {Autonomy.SUPERVISED})",
    )


def add_webhook(parser: argparse._ActionsContainer) -> None:
    """Add what has questions go to another program."""
    parser.add_argument(
        "--webhook",
        metavar="URL",
        help=f"ask a program of yours at this address, signed with the secret in {WEBHOOK_SECRET}, not the terminal",
    )


class _Narrator:
    """Write what a tool says while it runs to standard error, and remember its call.

    Attributes:
        call: The first call that was made; None before.
    """

    wants = (CallProposed, Logged, Progressed)

    def __init__(self) -> None:
        self.call: ToolCall | None = None

    def __call__(self, event: Event) -> None:
        if isinstance(event, CallProposed):
            self.call = self.call or event.call
        elif isinstance(event, Logged):
            print(f"{event.entry.level}: {event.entry.text}", file=sys.stderr)
        elif isinstance(event, Progressed) and sys.stderr.isatty():
            done, total, text = event.progress
            amount = f"{done:g}" if total is None else f"{done:g} of {total:g}"
            print(f"\r{amount} {text}\x1b[K", end="", file=sys.stderr, flush=True)


def _save(attachments: Iterable[Attachment], folder: Path) -> None:
    """Write attachments into a folder; a name is only a name there, and no file is overwritten."""
    for attachment in attachments:
        folder.mkdir(parents=True, exist_ok=True)
        name = Path(attachment.name).name or "attachment"
        target = folder / name
        number = 1
        while target.exists():
            number += 1
            target = folder / f"{Path(name).stem}-{number}{Path(name).suffix}"
        target.write_bytes(attachment.data)
        say(f"saved {target}")


def arguments_of(options: argparse.Namespace, schema: Mapping[str, Any]) -> dict[str, Any] | str:
    """Return the arguments that the words of a command make: values by name, or JSON text as it came.

    Raises:
        UsageError: When they make none.
    """
    given = _pairs(options.arguments, schema.get("properties", {}))
    if options.json is None:
        return given
    text = read_input() if options.json == "-" else options.json
    if not given:
        return text
    try:
        whole = json.loads(text)
    except ValueError as error:
        raise UsageError(f"--json: not JSON ({error})") from error
    if not isinstance(whole, dict):
        raise UsageError(f"--json: expected an object with the arguments, got {text!r}")
    return {**whole, **given}


def _pairs(words: Iterable[str], properties: Mapping[str, Any]) -> dict[str, Any]:
    given: dict[str, Any] = {}
    for word in words:
        key, separator, text = word.partition("=")
        if not separator or not key:
            raise UsageError(f"expected key=value or key:=JSON, got {word!r}")
        if key.endswith(":"):
            key = key[:-1]
            try:
                value = json.loads(text)
            except ValueError as error:
                raise UsageError(f"{key}: {text!r} is not JSON ({error}); use key=value for text") from error
        else:
            value = _guess(text, properties.get(key, {}))
        if key in given:
            value = [*_as_list(given[key]), *_as_list(value)]
        given[key] = value
    return given


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _guess(text: str, node: object) -> Any:
    """Return text as it is, but a list or object as the JSON it looks like when the argument is one."""
    kinds = set(kinds_of(node))
    if text[:1] in {"[", "{"} and "string" not in kinds:
        try:
            return json.loads(text)
        except ValueError:
            return text
    if "array" in kinds and not kinds & {"string"}:
        return [text]
    return text


def _print(call: ToolCall, output: str) -> None:
    """Write what came of a call; a terminal and its scrollback are no place for secrets, so they stay hidden."""
    response = call.response
    shown = call.display_result()
    result = None if shown is MISSING else shown
    if output == "json":
        print(json.dumps(envelope_of(call), indent=2, ensure_ascii=False))
        return
    if response.error is not None:
        say(f"{response.status.value.replace('_', ' ')}: {response.error.message}")
        # What a process wrote before it died was told line by line.
        if response.error.traceback and response.error.kind is not ErrorKind.CRASHED:
            print(response.error.traceback.rstrip("\n"), file=sys.stderr)
        if remedy := remedy_of(response.error):
            say(remedy)
        return
    if isinstance(result, str):
        print(result)
    elif result is not None:
        print(json.dumps(result, indent=2, ensure_ascii=False))
    for attachment in response.attachments:
        say(f"attachment {attachment.name}, {len(attachment.data):,} bytes; --save DIR keeps it")


def envelope_of(call: ToolCall) -> dict[str, Any]:
    """Return the response of a call as JSON, secrets hidden; `tools.schema.response_envelope` describes it."""
    response, shown = call.response, call.display_result()
    error = response.error
    # What returns something may return nothing at times, which is its result then.
    may_return = response.succeeded and call.tool is not None and not call.tool.output.returns_nothing
    result = {} if shown is MISSING and not may_return else {"result": None if shown is MISSING else shown}
    return {
        "status": response.status.value,
        **result,
        "error": None
        if error is None
        else {"kind": error.kind.value, "message": error.message, "remedy": remedy_of(error)},
        "problems": [problem._asdict() for problem in error.problems] if error else [],
        "logs": [entry._asdict() for entry in response.logs],
        "attachments": [
            {"name": item.name, "mime_type": item.mime_type, "size_bytes": len(item.data)}
            for item in response.attachments
        ],
        "elapsed_s": round(response.elapsed_s, 6),
        "feedback": response.feedback,
        "modified_arguments": response.modified_arguments,
        "turns_to_keep": response.turns_to_keep,
        "from_cache": response.from_cache,
        "fallback": response.fallback,
        "attempts": len(response.attempts),
        "tokens": {
            "estimated": True,
            "arguments": estimated_tokens(json_text(call.display_arguments())),
            "result": estimated_tokens(call.display_text()),
        },
    }


COMMANDS: Final = {"call": CliCommand(_add_call, with_tools=_call_tool)}
