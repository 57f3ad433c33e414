"""`check`: run tools with arguments made of their schemas, and tell which calls show a fault."""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tools.card import SourceKind
from tools.cli.command import CliCommand
from tools.cli.exits import Exit
from tools.cli.listing import did_you_mean
from tools.cli.streams import UsageError, say
from tools.lint import Severity
from tools.workbench import open_policy

if TYPE_CHECKING:
    from tools.check import CheckFinding, CheckOptions, CheckProgress, CheckReport
    from tools.tool import Tool
    from tools.workbench import Workbench

_MOST_SHOWN: Final = 300


def add_check(commands: argparse._SubParsersAction[argparse.ArgumentParser], common: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    check = commands.add_parser(
        "check",
        parents=[common],
        help="prove tools with arguments made of their schemas",
        epilog="Tools that change things run with --scratch only. The exit code is 1 when there is an error or a"
        " warning, hints alone leave it 0. With --output json: `reports`, one a tool (tool, seed, calls, refused, skip,"
        " findings with fault, severity, arguments, message, fix; lints as the command lint gives them).",
    )
    check.add_argument(
        "names",
        nargs="*",
        metavar="NAME|FILE|SERVER",
        help="tools, plugin files or MCP servers for all of their tools (default: all tools but those of servers)",
    )
    check.add_argument("--scratch", type=Path, metavar="DIR", help="an empty folder for tools that change things")
    check.add_argument(
        "--open-world", action="store_true", help="also call tools that only read, but reach beyond this computer"
    )
    check.add_argument("--seed", type=int, default=0, help="what arguments are drawn by (default: 0)")
    check.add_argument("--calls", type=_count, default=60, help="most calls of one tool (default: 60)")
    check.add_argument("--seconds", type=_seconds, default=30.0, help="most seconds for one tool (default: 30)")
    check.add_argument(
        "--call-seconds", type=_seconds, default=5.0, help="seconds after which a call does not end (default: 5)"
    )
    check.add_argument("--arguments", metavar="JSON", help="make only the call with these arguments, of one tool")
    check.add_argument("--save", type=Path, metavar="DIR", help="save the findings of each tool as a file for pytest")
    check.add_argument(
        "--project", type=Path, metavar="DIR", help="the project whose rules hold (default: this folder)"
    )


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected at least 1, got {text}")
    return number


def _seconds(text: str) -> float:
    number = float(text)
    if not (math.isfinite(number) and number > 0):
        raise argparse.ArgumentTypeError(f"expected more than 0 seconds, got {text}")
    return number


def obey_check(options: argparse.Namespace, bench: Workbench, runner: asyncio.Runner) -> Exit:
    """Check the tools, and print what was found."""
    from tools.check import CheckOptions  # noqa: PLC0415 -- other commands need none of it

    tools = _wanted(options, bench)
    if tools is None:
        return Exit.USAGE
    arguments = _arguments(options, tools)
    if options.scratch is not None and options.scratch.exists() and not options.scratch.is_dir():
        raise UsageError(f"--scratch: {options.scratch} is no folder")
    how = CheckOptions(options.seed, options.calls, options.seconds, options.call_seconds, options.open_world)
    try:
        reports = runner.run(_checked(options, bench, tools, how, arguments))
    except OSError as error:
        say(f"--scratch: {error.filename or options.scratch}: {error.strerror}; name an empty folder or a new one")
        return Exit.USAGE
    saved = _save(reports, bench, options) if options.save is not None else []
    if options.output == "json":
        print(json.dumps({"reports": [_document(report) for report in reports], "saved": saved}, indent=2))
    else:
        _print_reports(reports, replays=arguments is not None)
    return Exit.OK if all(report.is_clean for report in reports) else Exit.FINDINGS


async def _checked(
    options: argparse.Namespace,
    bench: Workbench,
    tools: Iterable[Tool],
    how: CheckOptions,
    arguments: dict[str, Any] | None,
) -> list[CheckReport]:
    from tools.check import ToolChecker  # noqa: PLC0415 -- as above

    policy = open_policy((options.project or Path.cwd()).absolute())
    for problem in policy.problems:
        say(problem)
    async with ToolChecker(bench.registry, how, scratch=options.scratch, policy=policy) as checker:
        if arguments is not None:
            return [await checker.replay(tool.name, arguments) for tool in tools]
        reports = []
        for tool in tools:
            reports.append(await checker.check(tool.name, _tell if sys.stderr.isatty() else None))
            if sys.stderr.isatty():
                print("\r\x1b[K", end="", file=sys.stderr, flush=True)
        return reports


def _tell(progress: CheckProgress) -> None:
    line = f"{progress.tool}: {progress.done} of {progress.total} calls, {len(progress.findings)} found"
    print(f"\r{line}\x1b[K", end="", file=sys.stderr, flush=True)


def _wanted(options: argparse.Namespace, bench: Workbench) -> list[Tool] | None:
    """Return the tools that are asked for, in the order in which they are listed; None when one cannot be had."""
    if not options.names:
        return [tool for tool in bench.registry if options.servers or tool.source.kind is not SourceKind.SERVER]
    wanted: set[str] = set()
    for name in options.names:
        path = Path(name).absolute() if name.endswith(".py") else None
        found = [tool for tool in bench.registry if _is_from(tool, name, path)]
        tool = bench.registry.find(name) if path is None else None
        if tool is not None:
            found = [tool]
        if not found:
            if path is None:
                say(f"no tool and no server with tools is called {name!r}{did_you_mean(bench, name)}")
            elif not any(report.error and report.source.path == path for report in bench.reports):
                say(f"{name} declares no tools")
            return None
        wanted |= {tool.name for tool in found}
    return [tool for tool in bench.registry if tool.name in wanted]


def _is_from(tool: Tool, name: str, path: Path | None) -> bool:
    if path is not None:
        return tool.source.path == path
    return tool.source.kind is SourceKind.SERVER and tool.source.name == name


def _arguments(options: argparse.Namespace, tools: Sequence[Tool]) -> dict[str, Any] | None:
    if options.arguments is None:
        return None
    if len(tools) != 1:
        raise UsageError(f"--arguments: expected the name of one tool, got {len(tools)} tools")
    try:
        given = json.loads(options.arguments)
    except ValueError as error:
        raise UsageError(f"--arguments: not JSON ({error})") from error
    if not isinstance(given, dict):
        raise UsageError(f"--arguments: expected an object with the arguments, got {options.arguments!r}")
    return given


def _save(reports: Iterable[CheckReport], bench: Workbench, options: argparse.Namespace) -> list[str]:
    from tools.check import pytest_file  # noqa: PLC0415 -- as above

    saved = []
    for report in reports:
        tool = bench.registry.find(report.tool)
        if tool is None or not report.findings:
            continue
        text = pytest_file(
            report.findings,
            plugin=tool.source.path,
            in_scratch=report.in_scratch,
            call_s=options.call_seconds,
            reaches_out=options.open_world,
        )
        options.save.mkdir(parents=True, exist_ok=True)
        letters = "".join(letter if letter.isalnum() else "_" for letter in report.tool)
        target = options.save / f"test_{letters}_check.py"
        target.write_text(text, encoding="utf-8")
        say(f"saved {target}")
        saved.append(str(target))
    return saved


def _print_reports(reports: Sequence[CheckReport], *, replays: bool) -> None:
    for report in reports:
        print(f"{report.tool}: {report.how_it_went}")
        for finding in report.findings:
            print(f"  {finding.severity:<8}{finding.message} [{finding.fault}]")
            print(f"          {finding.fix}")
            print(f"          arguments: {_shown(finding)}")
        for lint in report.lints:
            print(f"  {lint.severity:<8}{lint.message} [{lint.rule}, {lint.where}]")
    if replays:
        return
    skipped = sum(report.skip is not None and not report.calls for report in reports)
    found = sum(len(report.findings) for report in reports)
    lints = sum(lint.severity is not Severity.HINT for report in reports for lint in report.lints)
    seed = f"; seed {reports[0].seed}" if reports else ""
    print(
        f"{_counted(len(reports), 'tool')}: {_counted(found, 'fault')} in calls, {lints:,} in descriptions,"
        f" {skipped:,} not run{seed}"
    )


def _shown(finding: CheckFinding) -> str:
    text = json.dumps(dict(finding.arguments), sort_keys=True)
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}… ({len(text):,} characters)"


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def _document(report: CheckReport) -> dict[str, Any]:
    return {
        "tool": report.tool,
        "seed": report.seed,
        "calls": report.calls,
        "refused": report.refused,
        "skip": None if report.skip is None else {"reason": report.skip.reason, "words": report.skip.words},
        "in_scratch": report.in_scratch,
        "findings": [
            {
                "fault": finding.fault,
                "severity": finding.severity,
                "arguments": dict(finding.arguments),
                "message": finding.message,
                "fix": finding.fix,
            }
            for finding in report.findings
        ],
        "lints": [
            {
                "rule": lint.rule,
                "severity": lint.severity,
                "where": lint.where,
                "message": lint.message,
                "fix": lint.fix,
            }
            for lint in report.lints
        ],
    }


COMMANDS: Final = {"check": CliCommand(add_check, with_tools=obey_check)}
