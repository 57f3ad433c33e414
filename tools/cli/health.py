"""`health`: say how the tools did lately, by what the history knows of every program's calls."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pydantic import ValidationError

from tools.cli.exits import Exit
from tools.cli.times import age
from tools.workbench import data_folder

if TYPE_CHECKING:
    from tools.health import Health, HealthLimits, ToolHealthRegistry

_WATCH_S: Final = 2.0
_HOME_AND_CLEAR: Final = "\x1b[H\x1b[J"
_SECOND_MS: Final = 1000
_WORDS: Final = 2
_ORDER: Final = ("down", "degraded", "unknown", "up")


def add_health(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "health",
        help="say which tools work, by the calls that were recorded",
        epilog="A tool is down when less than 80% of its runs succeeded, and degraded when less than 95% did or 95% of"
        " them took longer than 5 s.",
    )
    parser.add_argument(
        "--output", choices=("text", "json", "prometheus"), default="text", help="how results are written"
    )
    parser.add_argument("--folder", type=Path, metavar="DIR", help="the history's folder (default: this person's own)")
    parser.add_argument("--tool", action="append", default=[], metavar="NAME", help="only this tool; may be repeated")
    parser.add_argument("--window", type=age, metavar="AGE", help="how far back runs count (default: 15m)")
    parser.add_argument("--up", type=float, metavar="SHARE", help="the share of successes to be up (default: 0.95)")
    parser.add_argument("--down", type=float, metavar="SHARE", help="the share below which it is down (default: 0.80)")
    parser.add_argument("--p95", type=float, metavar="MS", help="what 95%% of the runs may take (default: 5000)")
    parser.add_argument(
        "--watch",
        type=float,
        nargs="?",
        const=_WATCH_S,
        metavar="SECONDS",
        help="show it again every so many seconds (default: 2), until Ctrl+C",
    )


def obey_health(options: argparse.Namespace) -> int:
    """Do what `health` says.

    Raises:
        HistoryError: When the history cannot be read.
    """
    try:
        limits = _limits(options)
    except ValidationError as error:
        for problem in error.errors():
            print(f"tool-console: {'.'.join(map(str, problem['loc'])) or 'limits'}: {problem['msg']}", file=sys.stderr)
        return Exit.USAGE
    if options.watch is not None and not options.watch > 0:
        print(f"tool-console: expected --watch with more than 0 seconds, got {options.watch:g}", file=sys.stderr)
        return Exit.USAGE
    while True:
        shown = _report(options, limits)
        if options.watch is None:
            print(shown)
            return Exit.OK
        clear = _HOME_AND_CLEAR if sys.stdout.isatty() else ""
        print(f"{clear}{shown}", flush=True)
        time.sleep(options.watch)


def _limits(options: argparse.Namespace) -> HealthLimits:
    from tools.health import HealthLimits  # noqa: PLC0415 -- other commands need none of it

    given = {"success_up": options.up, "success_down": options.down, "p95_ms": options.p95}
    if options.window is not None:
        given["window_s"] = options.window.total_seconds()
    return HealthLimits.model_validate({name: value for name, value in given.items() if value is not None})


def _report(options: argparse.Namespace, limits: HealthLimits) -> str:
    from tools.health import as_json, as_prometheus  # noqa: PLC0415 -- as in `_limits`

    registry = _registry(options, limits)
    healths = list(registry.check_all().values())
    if options.output == "json":
        return as_json(healths, registry.overall)
    if options.output == "prometheus":
        return as_prometheus(healths).rstrip()
    return _table(healths)


def _registry(options: argparse.Namespace, limits: HealthLimits) -> ToolHealthRegistry:
    from tools.health import ToolHealthRegistry, recall  # noqa: PLC0415 -- as in `_limits`
    from tools.history import History  # noqa: PLC0415 -- as in `_limits`
    from tools.metrics import ToolMetrics  # noqa: PLC0415 -- as in `_limits`
    from tools.vault import KeyringVault  # noqa: PLC0415 -- as in `_limits`

    metrics = ToolMetrics()
    recall(
        History(options.folder or data_folder() / "history", vault=KeyringVault()), metrics, limits, (*options.tool,)
    )
    registry = ToolHealthRegistry(metrics, limits)
    registry.register_all(options.tool or sorted(metrics.names()))
    return registry


def _table(healths: list[Health]) -> str:
    if not healths:
        return "No tool ran lately"
    rows: list[tuple[str, ...]] = [("TOOL", "STATUS", "SUCCESS", "P50", "P95", "P99", "RUNS", "")]
    for health in sorted(healths, key=_worst_first):
        stats, rate = health.stats, health.stats.success_rate
        times = (_time(ms) for ms in (stats.p50_ms, stats.p95_ms, stats.p99_ms))
        success = "n/a" if rate is None else f"{rate:.1%}"
        rows.append((health.tool_name, health.status.value, success, *times, f"{stats.count:,}", health.reason or ""))
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]) - 1)]
    return "\n".join(_line(row, widths) for row in rows)


def _worst_first(health: Health) -> tuple[int, str]:
    return _ORDER.index(health.status.value), health.tool_name


def _line(row: tuple[str, ...], widths: list[int]) -> str:
    name, status, *numbers = (
        text.ljust(width) if place < _WORDS else text.rjust(width)
        for place, (text, width) in enumerate(zip(row, widths, strict=False))
    )
    return "  ".join((name, status, *numbers, row[-1])).rstrip()


def _time(ms: float | None) -> str:
    if ms is None:
        return "n/a"
    return f"{ms:.3g} ms" if ms < _SECOND_MS else f"{ms / _SECOND_MS:.2f} s"
