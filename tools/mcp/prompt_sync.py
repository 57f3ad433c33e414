"""The prompts of one server in the registry, beside those of toolkits and plugins: kept as the server lists them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from tools import schema
from tools.card import PromptText
from tools.mcp.remote_tool import names_of, source_of
from tools.mcp.server_primitives import RemotePrompt, prompt_of
from tools.tool import Prompt

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.mcp.config import ServerConfig
    from tools.mcp.connection import Connection
    from tools.mcp.listed_cache import ListedCache
    from tools.registry import ToolRegistry


class PromptBackend(Protocol):
    """What a prompt needs of its server."""

    @property
    def connection(self) -> Connection | None:
        """The open connection; None while there is none."""

    async def connected(self) -> Connection:
        """Return the open connection; start the server if it was not wanted yet."""
        ...


@dataclass(frozen=True, eq=False)
class ServerPrompt:
    """Be what stands behind a server's prompt."""

    server: str
    offered: RemotePrompt
    backend: PromptBackend

    async def __call__(self, /, **arguments: Any) -> PromptText:
        """Return what it says with these arguments.

        Raises:
            ServerRefusedError: The server does not make a text of them.
            UnavailableError: The server is gone.
        """
        found = await (await self.backend.connected()).prompt(self.offered.name, arguments)
        messages = found.get("messages")
        given = messages if isinstance(messages, list) else ()
        return PromptText(
            str(found.get("description") or ""),
            tuple(message for message in given if isinstance(message, dict)),
            written=found,
        )

    async def complete(self, argument: str, written: str, others: Mapping[str, str]) -> Sequence[str]:
        """Return what a half-written argument may become; nothing while the server is not connected, or cannot tell."""
        connection = self.backend.connection
        if connection is None or not connection.offers.completions:
            return ()
        return (await connection.complete(self.offered.name, "", argument, written, others)).values


class PromptSync:
    """Keep the registry's prompts of one server up to date; from one event loop.

    Args:
        config: The server's entry.
        backend: Asks the server.
        remembered: Knows what the server listed last; None forgets it.
    """

    def __init__(
        self, config: ServerConfig, registry: ToolRegistry, backend: PromptBackend, remembered: ListedCache | None
    ) -> None:
        self._config = config
        self._registry = registry
        self._backend = backend
        self._remembered = remembered
        self._raw: Sequence[Mapping[str, JsonValue]] = ()
        self._prompts: tuple[Prompt, ...] = ()

    async def refresh(self, connection: Connection) -> bool:
        """List the server's prompts anew, and tell whether they are others than before.

        Raises:
            ToolError: The server did not list them, or its list cannot be registered or remembered.
        """
        raw = await connection.listed("prompts/list") if connection.offers.prompts else []
        if list(raw) == list(self._raw):
            return False
        self._put(raw)
        if self._remembered is not None:
            await asyncio.to_thread(self._remembered.keep_prompts, self._config, raw)
        return True

    async def recall(self) -> None:
        """Register the prompts that the server listed last, before it is started.

        Raises:
            ServerConfigError: What it listed cannot be read.
        """
        if self._remembered is not None:
            self._put(await asyncio.to_thread(self._remembered.prompts_of, self._config))

    def drop(self) -> None:
        self._put(())

    def _put(self, raw: Sequence[Mapping[str, JsonValue]]) -> None:
        offered = [prompt_of(item) for item in raw]
        names = names_of(self._config.name, (prompt.name for prompt in offered))
        coming = tuple(self._made(name, prompt) for name, prompt in zip(names, offered, strict=True))
        self._registry.swap((), (), removed_prompts=self._prompts, added_prompts=coming)
        self._raw, self._prompts = raw, coming

    def _made(self, name: str, offered: RemotePrompt) -> Prompt:
        owner = f"the server {self._config.name!r}"
        return Prompt(
            name=name,
            title=offered.title if offered.title != offered.name else "",
            description=offered.description,
            role=None,
            arguments=schema.SchemaArguments(offered.input_schema, owner=f"{name!r} of {owner}"),
            function=ServerPrompt(self._config.name, offered, self._backend),
            owner=owner,
            source=source_of(self._config, trusted=False),
            is_remote=True,
        )
