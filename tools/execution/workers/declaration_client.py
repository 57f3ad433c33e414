"""Ask a worker process about a declaration that only worker processes have imported."""

from __future__ import annotations

import asyncio
import logging
from base64 import b64encode
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from tools.card import PromptText, spoken
from tools.errors import ToolConfigurationError, ToolError, ToolFailure
from tools.execution.workers.failures import without_json_form
from tools.execution.workers.protocol import WorkerResult
from tools.execution.workers.references import RemotePart, ToolReference
from tools.schema import json_bytes, titled_schemas
from tools.schema.remote_arguments import RemoteArguments
from tools.spec import Concern, Contract
from tools.tool import PluginFile, Prompt, RemoteFunction, ToolResult

if TYPE_CHECKING:
    from pathlib import Path

    from tools.calls import ToolCall
    from tools.execution.run import Run
    from tools.execution.workers.pool import WorkerPool
    from tools.tool import Tool

_log = logging.getLogger(__name__)


class DeclarationMessageHandler:
    """Hear what a plugin file says while nobody called a tool of it; only what it prints is worth a line.

    A question is not answered: there is no call that a person could be asked about.
    """

    listens: Final = False

    def begin(self) -> None:
        """Take no notice."""

    def take(self, method: str, words: list[Any]) -> None:
        if method == "log":
            _log.debug("a plugin file wrote (%s): %s", *words)


async def ask(pool: WorkerPool, reference: ToolReference, question: Mapping[str, Any]) -> Any:
    """Return what a worker answers.

    Raises:
        ToolCrashError: It died instead.
        BaseException: What the plugin file raised, told by `restored`.
    """
    worker = pool.take(reference) or await pool.wait_for_worker(reference)
    try:
        told = await worker.call(reference, json_bytes(question), DeclarationMessageHandler())
    finally:
        pool.release(worker)
    return told.value if isinstance(told, WorkerResult) else told


def _reference(tool: Tool, function: object, part: RemotePart) -> ToolReference:
    plugin = function.plugin if isinstance(function, RemoteFunction) else None
    return ToolReference(tool.name, plugin=plugin, part=part)


async def concerns_told(run: Run, tool: Tool) -> list[Concern]:
    """Return the further concerns of a call.

    Raises:
        ToolConfigurationError: What the worker names is no list of concerns.
    """
    question = {"arguments": _dumped(tool, run.arguments), "folder": str(run.services.project_dir)}
    told = await ask(run.services.workers, _reference(tool, tool.concerns_of, RemotePart.CONCERNS), question)
    concerns = [Concern(*map(str, fields)) for fields in told if len(fields) == len(Concern._fields)]
    if len(concerns) < len(told):
        msg = f"the concerns of {tool.name!r} should be Concern(...) values"
        raise ToolConfigurationError(msg)
    return concerns


async def dry_run_told(pool: WorkerPool, call: ToolCall, arguments: Mapping[str, Any], folder: Path) -> Any:
    """Return what a worker says that a call would do, unchecked; None when it cannot tell."""
    tool = call.tool
    if tool is None:
        return None
    question = {"arguments": _dumped(tool, arguments), "folder": str(folder)}
    return await ask(pool, _reference(tool, tool.dry_run, RemotePart.DRY_RUN), question)


async def schemas_told(tool: Tool, pool: WorkerPool) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """Return a tool's schemas without references, every title the name of a type, wherever those types are.

    Returns:
        Those of its arguments and of its result; None when it returns nothing or nobody said.
    """
    if isinstance(tool.origin, PluginFile) and isinstance(tool.arguments, RemoteArguments):
        reference = ToolReference(tool.name, plugin=tool.origin, part=RemotePart.SCHEMAS)
        arguments, result = await ask(pool, reference, {})
        return arguments, result
    return titled_schemas(tool.arguments, tool.output, tool.owner)


class RemoteCheck:
    """Check a tool's clauses, where its file is imported: they know its types and functions."""

    def __init__(self, tool: Tool, *, after: bool) -> None:
        self._tool = tool
        self._after = after
        self._reference = _reference(tool, tool.function, RemotePart.AFTER if after else RemotePart.BEFORE)

    async def __call__(self, run: Run) -> None:
        """Check a call.

        Raises:
            ContractError: A clause does not hold.
        """
        question: dict[str, Any] = {"arguments": _dumped(self._tool, run.arguments)}
        if self._after:
            question["result"] = _result(run)
        await ask(run.services.workers, self._reference, question)


def told_checks(tool: Tool) -> tuple[tuple[RemoteCheck, ...], tuple[RemoteCheck, ...]]:
    """Return what checks a tool's contract before and after a call.

    Before a person is asked, the types check the arguments too: nobody should agree to what cannot run.
    """
    contract = tool.policies.contract or Contract()
    before = contract.pre or contract.invariants or tool.asks_first
    after = contract.post or contract.invariants
    return (RemoteCheck(tool, after=False),) * bool(before), (RemoteCheck(tool, after=True),) * bool(after)


def _dumped(tool: Tool, arguments: Mapping[str, Any]) -> dict[str, Any]:
    try:
        return tool.arguments.dump(arguments)
    except TypeError as error:
        raise without_json_form(error) from error


def _result(run: Run) -> tuple[str, Any]:
    response = run.call.response
    result = response.result
    if isinstance(result, ToolResult):
        structured = None if result.structured is None else response.json_result
        return "tool_result", [result.success, result.output, result.error, structured]
    if isinstance(result, bytes):
        return "bytes", b64encode(result).decode()
    return "value", None if result is None else response.json_result


async def rendered(prompt: Prompt, arguments: Mapping[str, Any], pool: WorkerPool) -> PromptText:
    """Return what a prompt says, wherever the function is that makes it.

    Raises:
        ArgumentsError: When the arguments do not fit.
        ToolError: When the function fails; the message says how.
    """
    try:
        function = prompt.function
        if isinstance(function, RemoteFunction):
            given = prompt.arguments.dump(prompt.arguments.validate(arguments))
            reference = ToolReference(prompt.name, plugin=function.plugin, part=RemotePart.PROMPT)
            text = str(await ask(pool, reference, {"arguments": given}))
        elif prompt.is_remote:
            said: PromptText = await function(**prompt.arguments.validate(arguments))
            return said
        else:
            # It may compute or wait, and others go on meanwhile.
            text = await asyncio.to_thread(prompt.render, arguments)
    except (ToolError, MemoryError):
        raise
    except Exception as error:
        msg = f"the prompt {prompt.name!r} failed: {type(error).__name__}: {error}".rstrip(": ")
        raise ToolFailure(msg) from error
    return spoken(text, prompt.role)
