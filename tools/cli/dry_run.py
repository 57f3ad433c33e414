"""`call --dry-run`: say what a call would do, and do nothing."""

from __future__ import annotations

import argparse
import asyncio
import json
from typing import TYPE_CHECKING, Any

from tools.cli.exits import EXIT_BY_STATUS, Exit
from tools.cli.streams import say
from tools.execution.executor import Executor
from tools.review.plain_text import preview_lines, visible

if TYPE_CHECKING:
    from tools.calls import ToolCall
    from tools.spec import DryRun
    from tools.workbench import Workbench


def print_dry_run(
    bench: Workbench, options: argparse.Namespace, runner: asyncio.Runner, asked: tuple[str, dict[str, Any] | str]
) -> int:
    """Print what a call would do, and return the exit code."""
    call, found = runner.run(_looked(bench, options, asked))
    if call.response.error is not None:
        say(f"{call.response.error.message}")
        return EXIT_BY_STATUS.get(call.response.status, Exit.FAILED)
    if found is None:
        say(f"{call.name} cannot say what it would do without doing it")
        return Exit.FAILED
    if options.output == "json":
        print(json.dumps(_as_json(found), indent=2, ensure_ascii=False))
    else:
        for line in preview_lines(found):
            print(visible(line))
    return Exit.OK


async def _looked(
    bench: Workbench, options: argparse.Namespace, asked: tuple[str, dict[str, Any] | str]
) -> tuple[ToolCall, DryRun | None]:
    config = bench.settings.config
    executor = Executor(bench.registry, config=config, project_dir=options.project, workers=bench.workers)
    try:
        call = executor.create_call(*asked)
        return call, await executor.preview(call) if call.pending else None
    finally:
        await executor.aclose()


def _as_json(found: DryRun) -> dict[str, Any]:
    return {**found._asdict(), "counts": [count._asdict() for count in found.counts]}
