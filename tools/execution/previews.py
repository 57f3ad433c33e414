"""Find out what a call would do, without doing it, for whoever decides about it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from pydantic import TypeAdapter, ValidationError

from tools.calls import ToolCall
from tools.execution.workers.asking import dry_run_told
from tools.paths import resolve_paths
from tools.spec import DryRun
from tools.tool import Elsewhere

if TYPE_CHECKING:
    from tools.execution.services import Services
    from tools.tool import DryRunOf, Tool

LONGEST_S: Final = 2.0
"""How long a dry run may take: somebody waits for it to decide."""

MOST_ITEMS: Final = 200
_NO_NUMBER: Final = "preview"
_DRY_RUN: Final = TypeAdapter(DryRun)


async def preview(call: ToolCall, services: Services) -> DryRun | None:
    """Return what a call would do with its arguments as they are, secrets hidden.

    A dry run that fails or takes too long says so instead; it never keeps anybody from deciding.

    Returns:
        None when the tool offers no dry run.
    """
    tool = call.tool
    if tool is None or tool.dry_run is None:
        return None
    limit = asyncio.timeout(LONGEST_S)
    try:
        async with limit:
            said = await _said(tool.dry_run, call, services)
        if said is None:
            return None
        return _shown(call, _DRY_RUN.validate_python(said))
    except ValidationError:
        return _unknown(f"the dry run of {call.name} answered with something that is no DryRun")
    except Exception as error:  # noqa: BLE001 -- a dry run is foreign code, and whoever decides must know that it failed
        if limit.expired():
            return _unknown(f"looking took longer than {LONGEST_S:g} s")
        return _unknown(call.scrubbed(f"{type(error).__name__}: {error}"))


def proposal(tool: Tool, arguments: Mapping[str, Any], *, like: ToolCall | None = None, caller: str = "") -> ToolCall:
    """Return a call that is never made, to find out what it would do.

    Args:
        tool: The tool.
        arguments: By name; bullets stand for the secrets of `like`.
        like: The call that they are to change; None when there is none.
        caller: Who would make it, when it is not to change another one.

    Raises:
        ArgumentsError: They do not fit.
    """
    given = arguments if like is None else like.unmasked(arguments)
    call = ToolCall(_NO_NUMBER, tool, tool.name, given, caller if like is None else like.caller, perf_counter())
    call.arguments = tool.arguments.validate(given)
    return call


async def _said(dry_run: DryRunOf, call: ToolCall, services: Services) -> Any:
    folder = services.project_dir
    arguments = resolve_paths(call.arguments, call.tool.path_roles if call.tool is not None else (), folder)
    if isinstance(dry_run, Elsewhere):
        return await dry_run_told(services.workers, call, arguments, folder)
    return await services.threads.run(_asked, {"dry_run": dry_run, "arguments": arguments, "folder": folder})


def _asked(dry_run: DryRunOf, arguments: Mapping[str, Any], folder: Path) -> DryRun | None:
    return dry_run(arguments, folder)


def _unknown(why: str) -> DryRun:
    return DryRun("What it would do could not be found out.", warnings=(f"The dry run failed: {why}.",))


def _shown(call: ToolCall, found: DryRun) -> DryRun:
    return DryRun(
        call.scrubbed(found.text),
        tuple(count._replace(words=call.scrubbed(count.words)) for count in found.counts),
        tuple(map(call.scrubbed, found.items[:MOST_ITEMS])),
        found.more + max(0, len(found.items) - MOST_ITEMS),
        tuple(map(call.scrubbed, found.warnings)),
    )
