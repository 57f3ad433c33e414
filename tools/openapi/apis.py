"""The tools of all APIs in a registry."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from tools.errors import ApiError, DeclarationError, ToolConfigurationError
from tools.openapi.config import ApiConfig
from tools.openapi.operation_tool import tool_of
from tools.web.addresses import resolve
from tools.web.requests import WebClient

if TYPE_CHECKING:
    from tools.openapi.store import ApiStore
    from tools.registry import ToolRegistry
    from tools.tool import Tool


class ApiState(NamedTuple):
    """How an API stands.

    Attributes:
        tools: Its tools, in the order of the document.
        problems: What of its document cannot be used.
        error: Why it has no tools; empty when it has.
        stamp: What tells its document and entry from others.
    """

    config: ApiConfig
    tools: tuple[Tool, ...] = ()
    problems: tuple[str, ...] = ()
    error: str = ""
    stamp: object = None


class Apis:
    """Keep the registry's tools of APIs as the disk says; from one event loop.

    Args:
        store: What the disk knows.
        client: Sends requests; None makes one.

    Attributes:
        states: How each API stands.
        problems: What of the files of APIs means nothing.
    """

    def __init__(self, registry: ToolRegistry, store: ApiStore, client: WebClient | None = None) -> None:
        self.states: tuple[ApiState, ...] = ()
        self.problems: tuple[str, ...] = ()
        self._registry = registry
        self._store = store
        self._client = client or WebClient(resolve)
        self._turn = asyncio.Lock()

    async def load(self) -> None:
        """Read what changed of the files and the copies of documents, and put its tools in the place of the former."""
        async with self._turn:
            made, self.problems = await asyncio.to_thread(self._made)
            stay = {id(state) for state in made}
            gone = [tool for state in self.states if id(state) not in stay for tool in state.tools]
            known = {id(state) for state in self.states}
            self._registry.swap(gone, ())
            self.states = tuple(state if id(state) in known else self._registered(state) for state in made)

    def _made(self) -> tuple[list[ApiState], tuple[str, ...]]:
        configs, problems = self._store.read()
        known = {state.config: state for state in self.states}
        return [self._state_of(config, known.get(config)) for config in configs], problems

    def _state_of(self, config: ApiConfig, before: ApiState | None) -> ApiState:
        stamp = self._store.stamp(config)
        # One that stays keeps its tools, and with them open questions and what is known of them.
        if before is not None and before.stamp == stamp and not before.error:
            return before
        try:
            contents = self._store.contents(config)
        except ApiError as error:
            return ApiState(config, error=str(error))
        keys = self._store.keys_of(config)
        tools: list[Tool] = []
        problems = list(contents.problems)
        for operation in contents.operations:
            try:
                tools.append(tool_of(config.name, operation, keys, self._client))
            except DeclarationError as error:
                problems.append(f"{operation.key}: {error}")
        return ApiState(config, tuple(tools), tuple(problems), stamp=stamp)

    def _registered(self, state: ApiState) -> ApiState:
        try:
            self._registry.register_all(state.tools)
        except ToolConfigurationError as error:
            return state._replace(tools=(), error=str(error))
        return state

    @property
    def troubles(self) -> Mapping[str, str]:
        """Why APIs have no tools, by name."""
        return {state.config.name: state.error for state in self.states if state.error}
