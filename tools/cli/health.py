"""`health`: say how the tools do, by what the history knows of every program's calls, and by asking them."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import sqlite3
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pydantic import ValidationError

from tools.cli.command import CliCommand
from tools.cli.exits import Exit
from tools.cli.recording import recording
from tools.cli.streams import say
from tools.cli.times import age, local
from tools.paths import data_folder
from tools.policy import Autonomy
from tools.workbench import HISTORY_FOLDER, open_policy, protected_places

if TYPE_CHECKING:
    from tools.execution.executor import Executor
    from tools.health import Health, HealthChange, HealthLimits, ToolHealthRegistry
    from tools.tool import Tool
    from tools.workbench import Workbench

_WATCH_S: Final = 2.0
_HOME_AND_CLEAR: Final = "\x1b[H\x1b[J"
_SECOND_MS: Final = 1000
_ORDER: Final = ("down", "degraded", "unknown", "up")
_HEAD: Final = ("TOOL", "STATUS", "SUCCESS", "P50", "P95", "P99", "RUNS", "")
_CHANGES_HEAD: Final = ("WHEN", "TOOL", "CHANGE", "")


def add_health(commands: argparse._SubParsersAction[argparse.ArgumentParser], _common: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "health",
        help="say which tools work, by the calls that were recorded",
        epilog="Unless other limits were saved, a tool is down when less than 80% of its runs succeeded, and degraded"
        " when less than 95% did or 95% of them took longer than 5 s. That counts from 20 runs on, or after 3"
        " failures in a row at different arguments; of fewer runs it only says how many failed. With --check or"
        " --probe, the exit code is 5 when a tool is down.",
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
        "--least", type=int, metavar="RUNS", help="how many runs it takes to judge (default: 20, see below)"
    )
    parser.add_argument("--check", action="store_true", help="ask the tools that have a probe first")
    parser.add_argument(
        "--probe",
        action="store_true",
        help="ask also those that call services of others, once: named with --tool, or used lately",
    )
    parser.add_argument(
        "--plugin", type=Path, action="append", default=[], metavar="FILE", help="load this plugin file as well"
    )
    parser.add_argument("--changes", action="store_true", help="list what changed instead, newest first")
    parser.add_argument(
        "--watch",
        type=float,
        nargs="?",
        const=_WATCH_S,
        metavar="SECONDS",
        help="show it again every so many seconds (default: 2), until Ctrl+C",
    )


def _needs_tools(options: argparse.Namespace) -> bool:
    """Return whether the tools must be loaded: to ask them, or because limits of their sources were saved."""
    from tools.health import LimitsFile  # noqa: PLC0415 -- other commands need none of it

    return options.check or options.probe or (not options.changes and LimitsFile().has_sources)


def obey_health(
    options: argparse.Namespace, bench: Workbench | None = None, runner: asyncio.Runner | None = None
) -> int:
    """Do what `health` says.

    Args:
        options: The words of the command line.
        bench: The tools; None when they need not be known.
        runner: The loop that they were loaded in; None likewise.

    Raises:
        HistoryError: When the history cannot be read.
    """
    try:
        limits = _limits(options)
    except ValidationError as error:
        for problem in error.errors():
            say(f"{'.'.join(map(str, problem['loc'])) or 'limits'}: {problem['msg']}")
        return Exit.USAGE
    if options.watch is not None and not options.watch > 0:
        say(f"expected --watch with more than 0 seconds, got {options.watch:g}")
        return Exit.USAGE
    reporter = _Reporter(options, limits, bench)
    asks = options.check or options.probe
    with reporter.asking(runner) if asks and runner is not None else contextlib.nullcontext():
        while True:
            shown, code = reporter.report()
            if options.watch is None:
                print(shown)
                return code
            clear = _HOME_AND_CLEAR if sys.stdout.isatty() else ""
            print(f"{clear}{shown}", flush=True)
            time.sleep(options.watch)


def _limits(options: argparse.Namespace) -> HealthLimits | None:
    """Return the limits of the command line, which hold for every tool; None when it says nothing."""
    from tools.health import HealthLimits  # noqa: PLC0415 -- other commands need none of it

    given = {
        "success_up": options.up,
        "success_down": options.down,
        "p95_ms": options.p95,
        "least_calls": options.least,
    }
    if options.window is not None:
        given["window_s"] = options.window.total_seconds()
    said = {name: value for name, value in given.items() if value is not None}
    return HealthLimits.model_validate(said) if said else None


class _Reporter:
    """Make what is shown, each time from what all programs recorded by then.

    Args:
        options: The words of the command line.
        limits: What holds for every tool; None for what was saved.
        bench: The tools; None when they need not be known.
    """

    def __init__(self, options: argparse.Namespace, limits: HealthLimits | None, bench: Workbench | None) -> None:
        from tools.health import LimitsFile, Transitions  # noqa: PLC0415 -- see `_limits`
        from tools.history import History  # noqa: PLC0415 -- see `_limits`
        from tools.vault import KeyringVault  # noqa: PLC0415 -- see `_limits`

        self._options = options
        self._limits = limits
        self._bench = bench
        self._folder: Path = options.folder or data_folder() / HISTORY_FOLDER
        self._history = History(self._folder, vault=KeyringVault())
        self._saved = LimitsFile()
        if self._saved.problem:
            say(self._saved.problem)
        self._transitions = Transitions(self._folder.parent)
        self._runner: asyncio.Runner | None = None
        self._executor: Executor | None = None
        self._before: ToolHealthRegistry | None = None

    @contextlib.contextmanager
    def asking(self, runner: asyncio.Runner) -> Iterator[None]:
        """Let each report ask the tools first, in a runner's loop; probes are recorded like other calls."""
        from tools.execution.executor import Executor  # noqa: PLC0415 -- see `_limits`

        if self._bench is None:
            yield
            return
        with recording(self._folder.parent) as records:
            # Whoever asks for probes agrees to what their tools call harmless; what a rule refuses stays refused.
            self._executor = Executor(
                self._bench.registry,
                config=self._bench.settings.config,
                policy=open_policy(Path.cwd(), Autonomy.FULL_AUTO),
                protected=protected_places(),
                history=records.history,
                audit=records.audit,
                workers=self._bench.workers,
            )
            self._runner = runner
            try:
                yield
            finally:
                runner.run(self._executor.aclose())

    def report(self) -> tuple[str, Exit]:
        """Return what is shown, and the exit code."""
        output = self._options.output
        changes = self._changes()
        if self._options.changes:
            return _listed(changes, output), Exit.OK
        registry = self._registry()
        code = Exit.OK
        if self._runner is not None and self._executor is not None:
            self._runner.run(self._ask(self._executor, registry))
            if registry.overall.value == "down":
                code = Exit.FAILED
        return _written(registry, changes, output), code

    def _changes(self) -> list[HealthChange]:
        try:
            changes = self._transitions.newest()
        except sqlite3.Error as error:
            say(f"what changed before cannot be read: {error}")
            return []
        wanted = self._options.tool
        return [change for change in changes if not wanted or change.tool_name in wanted]

    def _registry(self) -> ToolHealthRegistry:
        from tools.health import ToolHealthRegistry, recall  # noqa: PLC0415 -- see `_limits`
        from tools.metrics import ToolMetrics  # noqa: PLC0415 -- see `_limits`

        metrics = ToolMetrics()
        limits, wanted = self._limits, (*self._options.tool,)
        look_back_s = self._saved.look_back_s if limits is None else limits.window_s
        recall(self._history, metrics, look_back_s, wanted)
        registry = ToolHealthRegistry(metrics, limits)
        registry.register_all(self._known(wanted or sorted(metrics.names())))
        if limits is None:
            self._saved.apply(registry)
        return registry

    def _known(self, names: Iterable[str]) -> list[Tool | str]:
        """Return the tools of some names, or the name where no such tool is loaded."""
        return [name if self._bench is None else self._bench.registry.lookup(name) or name for name in names]

    def _is_on_request(self, name: str) -> bool:
        tool = self._bench.registry.lookup(name) if self._bench is not None else None
        return tool is not None and tool.card.probes_on_request

    async def _ask(self, executor: Executor, registry: ToolHealthRegistry) -> None:
        from tools.health import CheckOutcome, HealthChecks  # noqa: PLC0415 -- see `_limits`

        checks = HealthChecks(executor, registry)
        on_request = self._options.probe and self._before is None
        if self._before is None:
            checks.recall(self._history)
        else:
            registry.take_checks_of(self._before)
        self._before = registry
        wanted = self._options.tool or checks.checkable(on_request=on_request)
        if not on_request:
            held = [name for name in wanted if self._is_on_request(name)]
            wanted = [name for name in wanted if name not in held]
            if held and not self._options.probe:
                say(f"{', '.join(held)}: asked with --probe only")
        registry.register_all(self._known(name for name in wanted if name not in registry.names))
        if self._limits is None:
            self._saved.apply(registry)
        for check in await checks.check_now(wanted):
            if check.outcome is CheckOutcome.REFUSED:
                say(f"{check.tool_name} could not be asked: {check.message}")


def _written(registry: ToolHealthRegistry, changes: Sequence[HealthChange], output: str) -> str:
    from tools.health import as_json, as_prometheus  # noqa: PLC0415 -- see `_limits`

    healths = list(registry.check_all().values())
    if output == "json":
        return as_json(healths, registry.overall, changes)
    if output == "prometheus":
        return as_prometheus(healths, changes).rstrip()
    if not healths:
        return "No tool ran lately"
    return _table((_HEAD, *map(_row, sorted(healths, key=_worst_first))), numbers=range(2, 7))


def _listed(changes: Sequence[HealthChange], output: str) -> str:
    from tools.health import as_prometheus, plain_changes  # noqa: PLC0415 -- see `_limits`

    if output == "json":
        return json.dumps(plain_changes(changes), indent=2, ensure_ascii=False)
    if output == "prometheus":
        return as_prometheus((), changes).rstrip()
    if not changes:
        return "Nothing changed yet"
    rows = ((local(item.at), item.tool_name, f"{item.before} → {item.after}", item.reason or "") for item in changes)
    return _table((_CHANGES_HEAD, *rows))


def _row(health: Health) -> tuple[str, ...]:
    stats, rate = health.stats, health.stats.success_rate
    times = (_time(ms) for ms in (stats.p50_ms, stats.p95_ms, stats.p99_ms))
    success = "n/a" if rate is None else f"{rate:.1%}"
    if health.status.value == "unknown" and stats.count:
        # A share of a handful says nothing.
        success = f"{stats.successes} of {stats.count}"
    return (health.tool_name, health.status.value, success, *times, f"{stats.count:,}", health.reason or "")


def _worst_first(health: Health) -> tuple[int, str]:
    return _ORDER.index(health.status.value), health.tool_name


def _table(rows: Sequence[Sequence[str]], numbers: Sequence[int] = ()) -> str:
    """Return rows as lines of columns; the last one is not padded."""
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]) - 1)]
    lines = (
        "  ".join(
            [
                *(
                    text.rjust(width) if place in numbers else text.ljust(width)
                    for place, (text, width) in enumerate(zip(row, widths, strict=False))
                ),
                row[-1],
            ]
        )
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)


def _time(ms: float | None) -> str:
    if ms is None:
        return "n/a"
    return f"{ms:.3g} ms" if ms < _SECOND_MS else f"{ms / _SECOND_MS:.2f} s"


def _obey_alone(options: argparse.Namespace) -> int | None:
    return None if _needs_tools(options) else obey_health(options)


COMMANDS: Final = {"health": CliCommand(add_health, _obey_alone, obey_health)}
