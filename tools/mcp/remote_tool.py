"""A tool of a server as a tool like any other, so that policy, time limits, history and health hold for it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from tools import schema
from tools.card import SourceKind, ToolSource
from tools.errors import DeclarationError, UnavailableError
from tools.mcp.pins import DefinitionJudgement, PinVerdict
from tools.mcp.running_calls import RunningCall
from tools.mcp.server_primitives import result_of
from tools.spec import Concern, Policies, ToolSpec
from tools.tool import Injected, Injection, Probe, Tool, ToolResult

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.context import ToolContext
    from tools.mcp.config import ServerConfig
    from tools.mcp.connection import Connection
    from tools.mcp.definitions import Definition

NEW_TOOL: Final = "new_tool"
"""The kind of the reason to ask about a tool whose definition nobody approved yet."""

_CONTEXT: Final = "\0context"
"""The parameter that receives the context; no JSON Schema of sense has a property of that name."""

_NOT_IN_NAMES: Final = re.compile(r"[^A-Za-z0-9_.-]+")
_ANYTHING: Final = {"type": "object"}
_MOST_TOLD: Final = 3


class RemoteCaller(Protocol):
    """What a remote tool needs of its server."""

    async def connected(self) -> Connection:
        """Return the open connection; start the server if it was not wanted yet."""
        ...

    async def approved(self, definition: Definition) -> None:
        """Take note that a person let a definition run that was new."""
        ...


@dataclass(frozen=True, eq=False)
class RemoteTool:
    """Be what stands behind a server's tool.

    Attributes:
        judgement: Its definition as the server wrote it, and how that stands to what was approved.
        problem: Why it cannot be called at all; empty when it can.
        output_schema: What a structured result must be; None when nothing is said.
    """

    server: str
    judgement: DefinitionJudgement
    backend: RemoteCaller
    problem: str = ""
    output_schema: Mapping[str, JsonValue] | None = None

    @property
    def definition(self) -> Definition:
        """The definition, lossless."""
        return self.judgement.definition

    @property
    def refusal(self) -> str:
        """Why calls are refused; empty when they are not."""
        return self.judgement.refusal or self.problem

    async def __call__(self, **arguments: Any) -> ToolResult:
        """Call it.

        Raises:
            UnavailableError: It is suspended, or its server is gone.
        """
        context: ToolContext = arguments.pop(_CONTEXT)
        if self.refusal:
            raise UnavailableError(self.refusal, remedy=f"Look at the server {self.server!r} on the Servers page.")
        definition = self.definition
        if self.judgement.verdict is PinVerdict.NEW:
            # Whoever was asked agreed, or the call would not be here.
            await self.backend.approved(definition)
        connection = await self.backend.connected()
        call = RunningCall(definition.name, context)
        raw = await connection.call_tool(definition.name, arguments, call, context.progress)
        if self._fits_at_once(raw):
            return result_of(raw, context)
        # Looking through a large result, or by a hostile schema, takes long; others go on meanwhile.
        return result_of(raw, context, await asyncio.to_thread(self._mismatch, raw))

    @cached_property
    def _check(self) -> schema.MismatchFinder | None:
        return None if self.output_schema is None else schema.MismatchFinder(self.output_schema)

    def _fits_at_once(self, raw: Mapping[str, Any]) -> bool:
        if self.output_schema is None or raw.get("isError") is True:
            return True
        # A check that was not made yet reads the whole schema first.
        made = self.__dict__.get("_check")
        return made is not None and "structuredContent" in raw and made.fits_at_once(raw["structuredContent"])

    def _mismatch(self, raw: Mapping[str, Any]) -> str:
        """Return where a structured result is not what its schema says; empty when it is."""
        if "structuredContent" not in raw:
            return "it promises one, and none came"
        try:
            found = self._check.find(raw["structuredContent"], most=_MOST_TOLD) if self._check else None
        except DeclarationError as error:
            return str(error)
        if found is None:
            return ""
        told = [*map(_placed, found.found)]
        if found.fault is not None:
            told.append(f"the output schema at {found.fault.place or 'the top'} {found.fault.words}")
        return "; ".join(told)

    def concerns(self, _: Mapping[str, Any], __: Path) -> Iterable[Concern]:
        """Name the reason to ask about a tool that nobody approved yet."""
        if self.judgement.verdict is not PinVerdict.NEW:
            return ()
        said = f"{self.server} lists it and nobody approved it yet; agreeing approves its definition."
        return (Concern(NEW_TOOL, "New tool", said),)


def tool_of(
    config: ServerConfig,
    judgement: DefinitionJudgement,
    backend: RemoteCaller,
    *,
    trusted: bool,
    name: str,
    probe: Probe,
) -> Tool:
    """Return a server's tool as one of ours.

    Args:
        config: The server's entry.
        trusted: Whether the person believes what the server says of its tools.
        probe: How to find out whether it works.
    """
    definition = judgement.definition
    owner = f"the server {config.name!r}"
    arguments, problem = _arguments(definition, f"{name!r} of {owner}", config.timeout_s)
    output_schema = definition.raw.get("outputSchema")
    output_schema = output_schema if isinstance(output_schema, dict) else None
    remote = RemoteTool(config.name, judgement, backend, problem or _not_done(definition), output_schema)
    return Tool(
        spec=_spec(definition, name),
        arguments=arguments,
        # What reads schemas further on is never given one that is too deep or too large for it.
        output=schema.PlainOutput(output_schema if schema.is_sound(output_schema) else None),
        function=remote,
        is_async=True,
        policies=Policies(timeout_s=config.timeout_s),
        injected=(Injected(_CONTEXT, Injection.CONTEXT),),
        concerns_of=remote.concerns if judgement.verdict is PinVerdict.NEW else None,
        source=source_of(config, trusted=trusted),
        owner=owner,
        origin=remote,
        probe=probe,
    )


def source_of(config: ServerConfig, *, trusted: bool) -> ToolSource:
    """Return the source that a server's tools are listed under."""
    return ToolSource(SourceKind.SERVER, config.name, is_trusted=trusted)


def names_of(server: str, offered: Iterable[str]) -> list[str]:
    """Return what a server's tools or prompts are called here, in order; two of one name are told apart by a number."""
    prefix = _NOT_IN_NAMES.sub("_", server)
    taken: set[str] = set()
    found = []
    for own in offered:
        plain = name = f"{prefix}.{own}"
        number = 1
        while name in taken:
            number += 1
            name = f"{plain}~{number}"
        taken.add(name)
        found.append(name)
    return found


def _spec(definition: Definition, name: str) -> ToolSpec:
    hints = definition.hints
    return ToolSpec(
        name=name,
        description=definition.description,
        title=definition.title,
        idempotent=bool(hints.read_only or definition.said("idempotentHint")),
        read_only_hint=hints.read_only,
        destructive_hint=hints.destructive,
        open_world_hint=hints.open_world,
    )


def _not_done(definition: Definition) -> str:
    """Return what a tool needs that the SDK does not do; empty for nearly all.

    Source: MCP 2025-11-25, "Tasks", which the next revision took out again.
    """
    execution = definition.raw.get("execution")
    if isinstance(execution, dict) and execution.get("taskSupport") == "required":
        return "the server runs it as a task only, which is a draft of one older revision that is not spoken here"
    return ""


def _placed(mismatch: schema.Mismatch) -> str:
    where = ".".join(map(str, mismatch.keys))
    return f"{where}: {mismatch.message}" if where else mismatch.message


def _arguments(definition: Definition, owner: str, timeout_s: float | None) -> tuple[schema.Arguments, str]:
    """Return what checks the arguments, and why the tool cannot be called if its schema is of no use."""
    document = definition.raw.get("inputSchema")
    given = document if isinstance(document, dict) else _ANYTHING
    try:
        return schema.SchemaArguments(given, owner=owner, within_s=timeout_s), ""
    except DeclarationError as error:
        return schema.SchemaArguments(_ANYTHING, owner=owner), f"its input schema cannot be used: {error}"
