"""The tools of one server in the registry: kept as the server lists them, and as a person approved them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from tools.mcp.definitions import Definition
from tools.mcp.pins import DefinitionJudgement, PinVerdict
from tools.mcp.remote_tool import RemoteCaller, RemoteTool, names_of, tool_of
from tools.mcp.state import ToolsChanged
from tools.registry import Disabled
from tools.tool import Probe, Tool

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tools.mcp.config import ServerConfig
    from tools.mcp.connection import Connection
    from tools.mcp.consent import Consents
    from tools.mcp.listed_cache import ListedCache
    from tools.mcp.pins import Pins
    from tools.registry import ToolRegistry


class _Judged(NamedTuple):
    judgements: tuple[DefinitionJudgement, ...]
    trusted: bool


class ToolSync:
    """Keep the registry's tools of one server up to date; from one event loop.

    A tool whose definition and judgement stay is left alone, so that open questions and known results live on.

    Args:
        config: The server's entry.
        probe: How to find out whether the server answers.
        pins: What was approved; None approves everything.
        consents: Knows whether the server's word is believed; None goes by its entry.
        remembered: Knows what the server listed last; None forgets it.

    Attributes:
        judgements: Each tool as it was listed last, in the server's order, and how it stands.
    """

    def __init__(
        self,
        config: ServerConfig,
        registry: ToolRegistry,
        backend: RemoteCaller,
        probe: Probe,
        *,
        pins: Pins | None,
        consents: Consents | None,
        remembered: ListedCache | None,
        on_change: Callable[[ToolsChanged], None],
    ) -> None:
        self.judgements: tuple[DefinitionJudgement, ...] = ()
        self._config = config
        self._registry = registry
        self._backend = backend
        self._probe = probe
        self._pins = pins
        self._consents = consents
        self._remembered = remembered
        self._on_change = on_change
        self._tools: dict[str, Tool] = {}
        self._turn = asyncio.Lock()

    async def refresh(self, connection: Connection) -> None:
        """List the server's tools anew.

        Raises:
            UnavailableError: The server did not answer, or is gone.
            ServerRefusedError: It answered with an error.
            ServerAnswerError: Its answer is not what the protocol asks for.
            ServerConfigError: What was approved cannot be read.
        """
        async with self._turn:
            raw = await connection.listed("tools/list") if connection.offers.tools else []
            definitions = [Definition(item) for item in raw]
            await self._judge(definitions)
            if self._remembered is not None:
                await asyncio.to_thread(self._remembered.keep, self._config, definitions)

    async def recall(self) -> None:
        """Register the tools that the server listed last, before it is started.

        Raises:
            ServerConfigError: What it listed, or what was approved of it, cannot be read.
        """
        if self._remembered is not None:
            async with self._turn:
                await self._judge(await asyncio.to_thread(self._remembered.of, self._config))

    async def look_again(self) -> None:
        """Judge the tools anew, as when a person approved or blocked one.

        Raises:
            ServerConfigError: What was approved cannot be read.
        """
        async with self._turn:
            await self._judge([judgement.definition for judgement in self.judgements])

    def become(self, config: ServerConfig) -> None:
        """Follow an entry of the same server that has other tools switched off."""
        self._config = config
        self._switch(self._tools.values())

    def drop(self) -> None:
        self._registry.swap(self._tools.values(), ())
        self._tools = {}
        self.judgements = ()

    def approved(self, definition: Definition) -> None:
        """Remember a definition as approved, because a person let it run; it may wait, so call it in a thread.

        Raises:
            ServerConfigError: When that cannot be written.
        """
        if self._pins is not None:
            self._pins.approve(self._config, [definition])

    async def _judge(self, definitions: Sequence[Definition]) -> None:
        # Reading what was approved waits for other programs that write it, and many schemas take a while.
        judged, tools = await asyncio.to_thread(self._made, definitions)
        before, self.judgements = self.judgements, judged.judgements
        self._put(tools)
        change = _difference(self._config.name, before, self.judgements)
        if change.added or change.removed or change.changed:
            self._on_change(change)

    def _made(self, definitions: Sequence[Definition]) -> tuple[_Judged, dict[str, Tool]]:
        judged = self._judged(definitions)
        tools: dict[str, Tool] = {}
        names = names_of(self._config.name, (definition.name for definition in definitions))
        for name, judgement in zip(names, judged.judgements, strict=True):
            known = self._tools.get(name)
            if known is not None and _stays(known, judgement, trusted=judged.trusted):
                tools[name] = known
            else:
                tools[name] = tool_of(
                    self._config, judgement, self._backend, trusted=judged.trusted, name=name, probe=self._probe
                )
        return judged, tools

    def _judged(self, definitions: Sequence[Definition]) -> _Judged:
        config = self._config
        trusted = config.trusted if self._consents is None else self._consents.trusts(config)
        if self._pins is None:
            return _Judged(
                tuple(DefinitionJudgement(definition, PinVerdict.SAME) for definition in definitions), trusted
            )
        return _Judged(self._pins.judge(config, definitions), trusted)

    def _put(self, tools: dict[str, Tool]) -> None:
        former = self._tools
        gone = [tool for name, tool in former.items() if tools.get(name) is not tool]
        coming = [tool for name, tool in tools.items() if former.get(name) is not tool]
        self._registry.swap(gone, coming)
        self._tools = tools
        self._switch(coming)

    def _switch(self, tools: Iterable[Tool]) -> None:
        """Let tools be called, or not, as the entry says."""
        disabled = set(self._config.disabled_tools)
        for tool in tools:
            origin = tool.origin
            if isinstance(origin, RemoteTool) and origin.definition.name in disabled:
                self._registry.disable(tool.name, _switched_off(self._config.name))
            else:
                self._registry.enable(tool.name)


def _switched_off(server: str) -> Disabled:
    return Disabled(f"is switched off in the entry of the server {server!r}", "Switch it on where the servers are.")


def _stays(tool: Tool, judgement: DefinitionJudgement, *, trusted: bool) -> bool:
    origin = tool.origin
    return isinstance(origin, RemoteTool) and origin.judgement == judgement and tool.source.is_trusted is trusted


def _difference(name: str, before: Iterable[DefinitionJudgement], after: Iterable[DefinitionJudgement]) -> ToolsChanged:
    former = {judgement.definition.name: judgement for judgement in before}
    now = {judgement.definition.name: judgement for judgement in after}
    return ToolsChanged(
        name,
        added=tuple(key for key in now if key not in former),
        removed=tuple(key for key in former if key not in now),
        changed=tuple(key for key, judgement in now.items() if key in former and former[key] != judgement),
    )
