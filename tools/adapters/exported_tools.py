"""`ExportedTools`: our tools as those of other frameworks."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, Self

from tools.adapters.exported_tool import ExportedTool
from tools.adapters.functions import ExportedFunction, exported_function
from tools.adapters.shared_loop import SharedLoop
from tools.errors import ToolConfigurationError
from tools.wire import WireTools

if TYPE_CHECKING:
    import agents
    import pydantic_ai
    from langchain_core.tools import StructuredTool

    from tools.execution.executor import Executor

AGENT: Final = "agent"
"""Who calls, unless the program says which agent."""


class ExportedTools:
    """Offer our tools to a program that is built with another framework.

    Calls go through the executor: policy, questions, limits, history and all the rest hold for them. They may come from
    any thread and any event loop; the executor works on one of them, see `SharedLoop`.

    Args:
        executor: Runs the calls.
        names: Which tools; None offers all that are registered and enabled now.
        caller: Who asks, in rules, questions and history.

    Raises:
        ToolNotFoundError: When there is no tool of one of the names.
    """

    def __init__(self, executor: Executor, names: Iterable[str] | None = None, *, caller: str = AGENT) -> None:
        self._executor = executor
        self._caller = caller
        self._home = SharedLoop()
        registry = executor.registry
        if names is None:
            self._tools = [tool for tool in registry if registry.is_enabled(tool.name)]
        else:
            self._tools = [registry.get(name) for name in names]

    def langchain(self) -> list[StructuredTool]:
        """Return them for LangChain and LangGraph.

        Raises:
            ToolConfigurationError: When `langchain-core` is not installed.
        """
        module = _module("langchain", "langchain_core", "langchain")
        return [module.structured_tool(tool) for tool in self._exported()]

    def openai_agents(self, *, strict: bool = False) -> list[agents.FunctionTool]:
        """Return them for the OpenAI Agents SDK.

        Args:
            strict: Whether OpenAI shall hold its model to the schemas.

        Raises:
            ToolConfigurationError: When `openai-agents` is not installed.
        """
        module = _module("openai_agents", "agents", "openai-agents")
        return [module.function_tool(tool, strict=strict) for tool in self._exported(strict=strict)]

    def pydantic_ai(self) -> list[pydantic_ai.Tool[Any]]:
        """Return them for Pydantic AI.

        Raises:
            ToolConfigurationError: When `pydantic-ai-slim` is not installed.
        """
        module = _module("pydantic_ai", "pydantic_ai", "pydantic-ai")
        return [module.pydantic_tool(tool) for tool in self._exported()]

    def functions(self) -> list[ExportedFunction]:
        """Return them as Python functions with their JSON Schema, for whatever else takes such."""
        return [exported_function(tool) for tool in self._exported()]

    def close(self) -> None:
        """Let go of the thread that blocking calls needed, and close the executor that worked in it.

        Without such a thread nothing happens, and the executor is its maker's to close.
        """
        self._home.close(self._executor.aclose)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _exported(self, *, strict: bool = False) -> list[ExportedTool]:
        written = WireTools(self._tools, strict=strict).written
        return [
            ExportedTool(
                tool,
                sent.document["name"],
                sent.document["description"],
                sent.document["parameters"],
                self._executor,
                self._home,
                self._caller,
            )
            for tool, sent in written
        ]


def _module(name: str, package: str, extra: str) -> ModuleType:
    try:
        return import_module(f"tools.adapters.{name}")
    except ModuleNotFoundError as error:
        if error.name != package:
            raise
        raise ToolConfigurationError(
            f"tools for {extra} need its package, which is not installed: pip install 'tool-console[{extra}]'"
        ) from error
