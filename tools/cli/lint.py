"""`lint`: say what is wrong with how tools are described to models, and what they cost in tokens."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tools.cli.command import CliCommand
from tools.cli.exits import Exit
from tools.cli.listing import did_you_mean
from tools.cli.streams import say
from tools.lint import Finding, Severity, TokenCosts, lint_registry, token_costs

if TYPE_CHECKING:
    import asyncio

    from tools.tool import Tool
    from tools.workbench import Workbench


class _ProfileCost(NamedTuple):
    """What the tools of a profile's servers cost in each request.

    Attributes:
        total: In estimated tokens.
        missing: The servers whose tools are not there, such as those that cannot be reached.
    """

    total: int
    missing: tuple[str, ...]


def add_lint(commands: argparse._SubParsersAction[argparse.ArgumentParser], common: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    lint = commands.add_parser(
        "lint",
        parents=[common],
        help="say what is wrong with how tools are described to models",
        epilog="The exit code is 1 when there is an error or a warning; hints alone leave it 0. With --output json:"
        " `findings` (rule, severity, tool, where as a JSON pointer into the definition, message, fix), `counts` by"
        " severity, and with --tokens `tokens` (estimated: total, by toolkit, and by tool its definition and each"
        " example; with --servers by profile as well, which means the chosen one, or all when none is).",
    )
    lint.add_argument(
        "names", nargs="*", metavar="NAME|FILE", help="tools, or plugin files for all of their tools (default: all)"
    )
    lint.add_argument("--tokens", action="store_true", help="say about how many tokens each tool costs in a request")


def plugin_files(options: argparse.Namespace) -> list[Path]:
    """Return those of the words that are plugin files."""
    return [Path(name) for name in options.names if name.endswith(".py")]


def obey_lint(options: argparse.Namespace, bench: Workbench, _runner: asyncio.Runner) -> Exit:
    """Print the findings."""
    tools = _wanted(options, bench)
    if tools is None:
        return Exit.USAGE
    names = {tool.name for tool in tools}
    # Names are compared with those of all tools: a model is sent them together.
    findings = [finding for finding in lint_registry(bench.registry) if finding.tool in names]
    costs = {tool.name: token_costs(tool) for tool in tools} if options.tokens else {}
    profiles = _profile_costs(options, bench) if options.tokens and options.servers else {}
    if options.output == "json":
        print(json.dumps(_document(tools, findings, costs, profiles), indent=2, ensure_ascii=False))
    else:
        _print_findings(tools, findings, costs, profiles)
    is_clean = all(finding.severity is Severity.HINT for finding in findings)
    return Exit.OK if is_clean else Exit.FINDINGS


def _wanted(options: argparse.Namespace, bench: Workbench) -> list[Tool] | None:
    """Return the tools that are asked for, in the order in which they are listed; None when one cannot be had."""
    files = {path.absolute() for path in plugin_files(options)}
    broken = {report.source.path for report in bench.reports if report.error}
    if any(path in broken or not path.is_file() for path in files):
        return None  # The reason was told when the file was loaded.
    wanted = {tool.name for tool in bench.registry if tool.source.path in files}
    for name in (name for name in options.names if not name.endswith(".py")):
        tool = bench.registry.find(name)
        if tool is None:
            say(f"no tool is called {name!r}{did_you_mean(bench, name)}")
            return None
        wanted.add(tool.name)
    return [tool for tool in bench.registry if tool.name in wanted or not options.names]


def _profile_costs(options: argparse.Namespace, bench: Workbench) -> dict[str, _ProfileCost]:
    """Return what the servers of each profile cost whose tools are there: of the chosen one, or of all."""
    from tools.cli.mcp import open_servers  # noqa: PLC0415 -- only a few commands need servers
    from tools.mcp.profiles import with_profile  # noqa: PLC0415 -- as above
    from tools.mcp.remote_tool import RemoteTool  # noqa: PLC0415 -- as above

    store = open_servers(options)
    remote = [(tool, tool.origin.definition.name) for tool in bench.registry if isinstance(tool.origin, RemoteTool)]
    there = {tool.source.name for tool, _ in remote}
    found = {}
    for profile in store.profiles if store.profile is None else (store.profile,):
        wanted = {config.name: config for config in with_profile(store.configs, profile) if config.enabled}
        total = sum(
            token_costs(tool).total
            for tool, name in remote
            if tool.source.name in wanted and name not in wanted[tool.source.name].disabled_tools
        )
        found[profile.name] = _ProfileCost(total, tuple(name for name in wanted if name not in there))
    return found


def _print_findings(
    tools: Sequence[Tool],
    findings: Iterable[Finding],
    costs: dict[str, TokenCosts],
    profiles: dict[str, _ProfileCost],
) -> None:
    told = {name: list(those) for name, those in groupby(findings, key=lambda finding: finding.tool)}
    for kit, members in groupby(tools, key=_kit):
        shown = [tool for tool in members if tool.name in told or tool.name in costs]
        if shown:
            total = sum(costs[tool.name].total for tool in shown) if costs else 0
            print(kit + (f"  ≈ {total:,} tokens, estimated" if costs else ""))
        for tool in shown:
            print(f"  {tool.name}" + (f"  ≈ {_cost_words(costs[tool.name])}" if costs else ""))
            for finding in told.get(tool.name, ()):
                print(f"    {finding.severity:<8}{finding.message} [{finding.rule}, {finding.where}]")
                print(f"            {finding.fix}")
    for name, profile in profiles.items():
        without = f", without those of {', '.join(profile.missing)}" if profile.missing else ""
        print(f"Profile {name}  ≈ {profile.total:,} tokens, estimated{without}")
    counts = _counts(finding for those in told.values() for finding in those)
    cost = f"; ≈ {sum(cost.total for cost in costs.values()):,} tokens, estimated" if costs else ""
    print(f"{_counted(len(tools), 'tool')}: {', '.join(counts) or 'nothing found'}{cost}")


def _kit(tool: Tool) -> str:
    return f"{tool.source.name} › {tool.toolkit or tool.spec.category}"


def _cost_words(costs: TokenCosts) -> str:
    if not costs.examples:
        return f"{costs.total:,} tokens"
    return f"{costs.total:,} tokens (definition {costs.definition:,}, examples {', '.join(map(str, costs.examples))})"


def _counts(findings: Iterable[Finding]) -> list[str]:
    number = Counter(finding.severity for finding in findings)
    return [_counted(number[severity], severity.value) for severity in Severity if number[severity]]


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def _document(
    tools: Sequence[Tool],
    findings: Sequence[Finding],
    costs: dict[str, TokenCosts],
    profiles: dict[str, _ProfileCost],
) -> dict[str, Any]:
    number = Counter(finding.severity for finding in findings)
    document: dict[str, Any] = {
        "tools": len(tools),
        "counts": {severity.value: number[severity] for severity in Severity},
        "findings": [
            {
                "rule": finding.rule,
                "severity": finding.severity,
                "tool": finding.tool,
                "where": finding.where,
                "message": finding.message,
                "fix": finding.fix,
            }
            for finding in findings
        ],
    }
    if costs:
        by_kit: Counter[str] = Counter()
        for tool in tools:
            by_kit[_kit(tool)] += costs[tool.name].total
        document["tokens"] = {
            "estimated": True,
            "total": by_kit.total(),
            "toolkits": dict(by_kit),
            "tools": {
                name: {"total": cost.total, "definition": cost.definition, "examples": list(cost.examples)}
                for name, cost in costs.items()
            },
        }
        if profiles:
            document["tokens"]["profiles"] = {name: profile._asdict() for name, profile in profiles.items()}
    return document


COMMANDS: Final = {"lint": CliCommand(add_lint, with_tools=obey_lint)}
