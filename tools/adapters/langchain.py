"""Our tools for LangChain and LangGraph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from langchain_core.tools import StructuredTool, ToolException

from tools.adapters.exported_tool import told
from tools.spec import MISSING

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.adapters.exported_tool import ExportedTool
    from tools.calls import ToolCall


class _ExportedStructuredTool(StructuredTool):
    """Hand all arguments on: one that is called `config` or `run_manager` is the tool's own here."""

    def _run(self, /, *_: Any, **arguments: Any) -> Any:
        return self.func(**arguments) if self.func is not None else None

    async def _arun(self, /, *_: Any, **arguments: Any) -> Any:
        return await self.coroutine(**arguments) if self.coroutine is not None else None


def structured_tool(exported: ExportedTool) -> StructuredTool:
    """Return a tool for LangChain.

    What a model reads is the content, the value as JSON the artifact, and a call that did not succeed a
    `ToolException`, which becomes a message of status `error` unless `handle_tool_error` is set otherwise.
    """

    def run(**arguments: Any) -> tuple[Any, JsonValue]:
        return _answer(exported.call_blocking(arguments))

    async def run_later(**arguments: Any) -> tuple[Any, JsonValue]:
        return _answer(await exported.call(arguments))

    return _ExportedStructuredTool(
        name=exported.name,
        description=exported.description,
        args_schema=exported.tool.input_schema,
        func=run,
        coroutine=run_later,
        response_format="content_and_artifact",
        handle_tool_error=True,
        tags=list(exported.tool.spec.keywords) or None,
    )


def _answer(call: ToolCall) -> tuple[Any, JsonValue]:
    result, value = told(call), call.response.json_result
    if result.is_error:
        raise ToolException(result.text)
    blocks = [
        *([{"type": "text", "text": result.text}] if result.text else []),
        *({"type": "image", "base64": image.base64, "mime_type": image.mime_type} for image in result.images),
    ]
    return blocks if result.images else result.text, None if value is MISSING else value
