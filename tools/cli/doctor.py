"""`doctor`: say what is wrong with the installation, and what to do."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tools.cli.command import CliCommand
from tools.cli.exits import Exit
from tools.doctor import Grade, Installation, as_text, examine, worst
from tools.gateway.defaults import PORT

if TYPE_CHECKING:
    import asyncio

    from tools.workbench import Workbench

_EXITS: Final = {Grade.OK: Exit.OK, Grade.WARNING: Exit.FINDINGS, Grade.PROBLEM: Exit.FAILED}


def _add(commands: argparse._SubParsersAction[argparse.ArgumentParser], common: argparse.ArgumentParser) -> None:
    doctor = commands.add_parser(
        "doctor",
        parents=[common],
        help="say what is wrong with the installation, and what to do",
        epilog="Nothing is changed. Exit codes: 0 all is well, 1 a warning, 5 a problem.",
    )
    doctor.add_argument("--project", type=Path, metavar="DIR", help="the project folder (default: the current one)")
    doctor.add_argument("--port", type=int, default=PORT, metavar="PORT", help="where agents are to be served")


def _examine(options: argparse.Namespace, bench: Workbench, _runner: asyncio.Runner) -> Exit:
    failures = tuple(
        (report.source.name, report.error) for report in bench.reports if report.error and not report.is_untrusted
    )
    project = (options.project or Path.cwd()).absolute()
    found = examine(Installation(tuple(bench.registry), failures, project, options.port))
    if options.output == "json":
        document = {"worst": worst(found), "checks": [one._asdict() for one in found]}
        print(json.dumps(document, indent=2, ensure_ascii=False))
    else:
        print(as_text(found))
    return _EXITS[worst(found)]


COMMANDS: Final = {"doctor": CliCommand(_add, with_tools=_examine)}
