"""`policy`: list, explain, make, try and remove rules, and set how much runs without a question."""

from __future__ import annotations

import argparse
import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pydantic import ValidationError

from tools.cli.call import arguments_of
from tools.cli.command import CliCommand
from tools.cli.exits import Exit
from tools.cli.listing import did_you_mean
from tools.cli.policy_rules import add_rule_words, rule_of
from tools.cli.streams import say
from tools.errors import ArgumentsError
from tools.paths import data_folder
from tools.policy import AUTONOMY_WORDS, RISK_WORDS, Autonomy, RuleLocation, rule_words
from tools.policy.wording import visible
from tools.workbench import HISTORY_FOLDER, open_policy, protected_places

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tools.policy import PastCall, PlacedRule, Policy, Verdict
    from tools.spec import Concern
    from tools.tool import Tool
    from tools.workbench import Workbench

_LAST: Final = 50
_NEEDS_TOOLS: Final = frozenset({"explain", "test"})
_HEADS: Final = {
    RuleLocation.SESSION: "Rules of this session",
    RuleLocation.USER: "Your rules",
    RuleLocation.PROJECT: "Rules of the project, which only tighten",
}


def add_policy(commands: argparse._SubParsersAction[argparse.ArgumentParser], _common: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    # Suppressed defaults: an option may stand before or behind the second word, and must not undo the other.
    common = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    common.add_argument("--output", choices=("text", "json"), help="how results are written")
    common.add_argument("--project", type=Path, metavar="DIR", help="the project folder (default: the current one)")
    parser = commands.add_parser(
        "policy",
        parents=[common],
        help="say which calls run, which are asked about, which are refused",
        epilog="The narrowest rule counts; of equally narrow ones, deny counts before ask, and ask before allow.",
    )
    parts = parser.add_subparsers(dest="part", metavar="list | explain | allow | ask | deny | remove | test | autonomy")
    parts.add_parser("list", parents=[common], help="list the rules, what counts first standing first")
    explain = parts.add_parser("explain", parents=[common], help="say what would become of a call, and why")
    explain.add_argument("name", metavar="TOOL")
    explain.add_argument("arguments", nargs="*", metavar="key=value")
    explain.add_argument("--json", default=None, metavar="ARGS", help="the arguments as one JSON object; - reads it")
    explain.add_argument("--caller", default="you", metavar="NAME", help="who would call (default: you)")
    add_rule_words(parts, common)
    remove = parts.add_parser("remove", parents=[common], help="take a rule out")
    remove.add_argument("id", metavar="ID")
    test = parts.add_parser("test", parents=[common], help="say what a rule would have done with recorded calls")
    test.add_argument("id", metavar="ID")
    test.add_argument("--last", type=int, default=_LAST, metavar="N", help=f"of how many calls (default: {_LAST})")
    autonomy = parts.add_parser("autonomy", parents=[common], help="show or set what is asked about without a rule")
    autonomy.add_argument("level", nargs="?", choices=[level.value for level in Autonomy], metavar="LEVEL")
    for part in (explain, test):
        part.add_argument(
            "--plugin", type=Path, action="append", default=[], metavar="FILE", help="load this plugin file as well"
        )


def obey_policy(
    options: argparse.Namespace, bench: Workbench | None = None, runner: asyncio.Runner | None = None
) -> Exit:
    """Do what `policy` says.

    Raises:
        PolicyError: When a rule cannot be kept, or a file not be read or written.
    """
    given = vars(options)
    folder = Path(given.get("project") or Path.cwd()).absolute()
    policy = open_policy(folder)
    as_json = given.get("output") == "json"
    _complain(policy)
    match options.part:
        case "explain" if bench is not None and runner is not None:
            return _explain(policy, options, bench, runner, as_json=as_json)
        case "test" if bench is not None:
            return _test(policy, options, bench, as_json=as_json)
        case "allow" | "ask" | "deny":
            return _add(policy, options, as_json=as_json)
        case "remove":
            words = policy.find(options.id).words
            policy.remove(options.id)
            say(f"removed: {words}")
            return Exit.OK
        case "autonomy":
            return _autonomy(policy, options.level, as_json=as_json)
        case _:
            return _list(policy, as_json=as_json)


def _complain(policy: Policy) -> None:
    for problem in policy.problems:
        say(problem)


def _list(policy: Policy, *, as_json: bool) -> Exit:
    if as_json:
        _print({"autonomy": policy.autonomy.value, "rules": [_document(placed) for placed in policy.rules]})
        return Exit.OK
    print(AUTONOMY_WORDS[policy.autonomy])
    for place, head in _HEADS.items():
        here = [placed for placed in policy.rules if placed.place is place]
        if here:
            print(f"\n{head}")
        for placed in here:
            used = f", used {placed.uses:,} times" if placed.uses > 1 else ", used once" if placed.uses else ""
            state = f" ({placed.suspended})" if placed.suspended else ""
            print(f"  {placed.rule.id}{used}{state}\n    {placed.words}")
            if placed.rule.reason:
                print(f"    {visible(placed.rule.reason)}")
    return Exit.OK


def _document(placed: PlacedRule) -> dict[str, Any]:
    return {
        "place": placed.place.value,
        "words": placed.words,
        "suspended": placed.suspended,
        "uses": placed.uses,
        "last_used": None if placed.last_used is None else placed.last_used.isoformat(),
        "rule": placed.rule.model_dump(mode="json", exclude_unset=True),
    }


def _add(policy: Policy, options: argparse.Namespace, *, as_json: bool) -> Exit:
    try:
        rule = rule_of(options)
    except ValidationError as error:
        for problem in error.errors():
            say(f"{'.'.join(map(str, problem['loc'])) or 'rule'}: {problem['msg']}")
        return Exit.USAGE
    place = RuleLocation.PROJECT if options.in_project else RuleLocation.USER
    policy.add(rule, place)
    if policy.problems and place is RuleLocation.PROJECT:
        _complain(policy)
    if as_json:
        _print(_document(policy.find(rule.id)))
    else:
        print(f"{rule.id}\n  {rule_words(rule)}")
    return Exit.OK


def _autonomy(policy: Policy, level: str | None, *, as_json: bool) -> Exit:
    if level is not None:
        policy.keep_autonomy(Autonomy(level))
    if as_json:
        _print({"autonomy": policy.autonomy.value})
    else:
        print(f"{policy.autonomy.value}\n  {AUTONOMY_WORDS[policy.autonomy]}")
    return Exit.OK


def _explain(
    policy: Policy, options: argparse.Namespace, bench: Workbench, runner: asyncio.Runner, *, as_json: bool
) -> Exit:
    tool = bench.registry.find(options.name)
    if tool is None:
        say(f"no tool is called {options.name!r}{did_you_mean(bench, options.name)}")
        return Exit.USAGE
    try:
        given = arguments_of(options, tool.input_schema)
        values = given if isinstance(given, dict) else tool.arguments.dump(tool.arguments.validate_json(given))
        concerns = runner.run(_concerns(bench, tool, values, options, policy.project_dir))
        verdict = policy.explain(tool, values, options.caller, concerns)
    except ArgumentsError as error:
        say(str(error))
        return Exit.INVALID_ARGUMENTS
    if as_json:
        _print(_verdict_document(tool, verdict))
    else:
        _print_verdict(tool, options.caller, verdict, concerns)
    return Exit.OK


async def _concerns(
    bench: Workbench, tool: Tool, values: dict[str, Any], options: argparse.Namespace, folder: Path | None
) -> tuple[Concern, ...]:
    """Return what the tool itself gives as reasons to ask."""
    from tools.execution.executor import Executor  # noqa: PLC0415 -- other parts of the command run nothing

    executor = Executor(bench.registry, project_dir=folder, workers=bench.workers, protected=protected_places())
    try:
        return await executor.proposals.concerns(executor.create_call(tool.name, values, caller=options.caller))
    finally:
        await executor.aclose()


def _verdict_document(tool: Tool, verdict: Verdict) -> dict[str, Any]:
    return {
        "tool": tool.name,
        "effect": verdict.effect.value,
        "rule": None if verdict.rule is None else verdict.rule.rule.id,
        "place": None if verdict.rule is None else verdict.rule.place.value,
        "why": verdict.why,
        "risk": verdict.risk.value,
        "degree": verdict.degree.value,
        "risk_why": verdict.risk_why,
        "answered": sorted(verdict.answered),
        "required_role": verdict.required_role,
        "considered": list(verdict.trail),
    }


def _print_verdict(tool: Tool, caller: str, verdict: Verdict, concerns: tuple[Concern, ...]) -> None:
    words = {"allow": "runs without a question", "ask": "is asked about", "deny": "is refused"}[verdict.effect.value]
    print(f"{tool.name}, called by {caller}, {words}")
    by = "" if verdict.rule is None else f" ({verdict.rule.rule.id})"
    left = [concern for concern in concerns if concern.kind not in verdict.answered]
    own = "The tool itself asks" if left and verdict.effect.value == "ask" else "Nothing speaks against it"
    print(f"  Why: {verdict.why or own}{by}")
    print(f"  Risk: {verdict.degree.value}. {verdict.risk_why}")
    print(f"  For rules and levels: {verdict.risk.value}, it {RISK_WORDS[verdict.risk]}")
    for concern in left:
        print(f"  The tool says: {concern.title}{f': {concern.detail}' if concern.detail else ''}")
    further = verdict.trail[1:]
    if further:
        print("  Also considered:")
    for line in further:
        print(f"    {line}")


def _test(policy: Policy, options: argparse.Namespace, bench: Workbench, *, as_json: bool) -> Exit:
    from tools.policy import would_have  # noqa: PLC0415 -- other parts of the command need no past

    rule = policy.find(options.id).rule
    past = list(_past(bench, policy.project_dir or Path.cwd(), options.last))
    tested = would_have(rule, past, bench.registry.lookup)
    if as_json:
        _print({"allowed": tested.allowed, "total": tested.total, "matched": list(tested.matched)})
        return Exit.OK
    verb = {"allow": "allowed", "ask": "asked about", "deny": "denied"}[rule.effect.value]
    print(f"{rule_words(rule)}\n  would have {verb} {tested.allowed} of the last {tested.total} calls")
    for record in tested.matched:
        print(f"    {record}")
    return Exit.OK


def _past(bench: Workbench, folder: Path, count: int) -> Iterator[PastCall]:
    """Yield the newest recorded calls of tools that there still are."""
    from tools.history import History, HistoryQuery  # noqa: PLC0415 -- as in `_test`
    from tools.policy import PastCall  # noqa: PLC0415 -- as in `_test`
    from tools.vault import KeyringVault  # noqa: PLC0415 -- as in `_test`

    history = History(data_folder() / HISTORY_FOLDER, vault=KeyringVault())
    history.open()
    try:
        for row in history.search(HistoryQuery(limit=count)).rows:
            record, tool = history.get(row.id), bench.registry.find(row.tool)
            if record is not None and tool is not None:
                yield PastCall(record.id, tool.name, record.final_arguments or {}, record.caller, folder)
    finally:
        history.close()


def _print(document: dict[str, Any]) -> None:
    print(json.dumps(document, indent=2, ensure_ascii=False))


def _obey_alone(options: argparse.Namespace) -> int | None:
    return None if options.part in _NEEDS_TOOLS else obey_policy(options)


COMMANDS: Final = {"policy": CliCommand(add_policy, _obey_alone, obey_policy)}
