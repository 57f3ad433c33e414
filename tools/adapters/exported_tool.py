"""`ExportedTool`: one of our tools before another framework's format."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from tools.session import response_for_model
from tools.wire import MalformedArguments, ReceivedCall, Result, read_arguments, restored, result_of

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.adapters.shared_loop import SharedLoop
    from tools.calls import ToolCall
    from tools.execution.executor import Executor
    from tools.tool import Tool


class ExportedTool(NamedTuple):
    """One of our tools, and how it is called.

    Attributes:
        name: Its name in letters that every large provider allows.
        parameters: The JSON Schema of its arguments, as OpenAI takes it; `tool` has its own.
    """

    tool: Tool
    name: str
    description: str
    parameters: dict[str, JsonValue]
    executor: Executor
    home: SharedLoop
    caller: str

    async def call(self, arguments: Mapping[str, Any] | str) -> ToolCall:
        """Call it, and return the call when it has ended, however it did.

        Args:
            arguments: By name, or as a model wrote them: a JSON text, which may follow what OpenAI is sent.

        Raises:
            ToolConfigurationError: When the program cannot run the tool, such as without a reviewer.
            ExitEarlyError: When the reviewer stopped the whole run.
            ReviewTimeoutError: When nobody answered and the question says that this is an error.
        """
        return await self.home.run(lambda: self._called(arguments))

    def call_blocking(self, arguments: Mapping[str, Any] | str) -> ToolCall:
        """Do what `call` does, and block this thread meanwhile.

        Raises:
            RuntimeError: On the thread of the event loop that the executor works on.
        """
        return self.home.run_blocking(lambda: self._called(arguments))

    async def _called(self, arguments: Mapping[str, Any] | str) -> ToolCall:
        if isinstance(arguments, str):
            read = read_arguments(arguments)
            if not isinstance(read, MalformedArguments):
                arguments = restored(read, self.tool.input_schema)
        call = await self.executor.propose(self.tool.name, arguments, caller=self.caller)
        await self.executor.execute(call)
        return call


def told(call: ToolCall) -> Result:
    """Return what a model is told of an ended call: text, value and pictures."""
    return result_of(ReceivedCall(call.id, call.name, {}), call.response, response_for_model(call))
