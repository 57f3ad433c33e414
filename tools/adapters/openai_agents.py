"""Our tools for the OpenAI Agents SDK."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agents import FunctionTool, ToolOutputImage, ToolOutputText

from tools.adapters.exported_tool import told

if TYPE_CHECKING:
    from tools.adapters.exported_tool import ExportedTool


def function_tool(exported: ExportedTool, *, strict: bool) -> FunctionTool:
    """Return a tool for the SDK, which takes the words about a failed call as its output, and an exception as its end.

    Args:
        strict: Whether its schema is one that OpenAI holds its model to.
    """

    async def invoke(_: object, arguments: str) -> Any:
        result = told(await exported.call(arguments))
        if not result.images:
            return result.text
        pictures = [ToolOutputImage(image_url=image.url) for image in result.images]
        return [ToolOutputText(text=result.text), *pictures] if result.text else pictures

    return FunctionTool(
        name=exported.name,
        description=exported.description,
        params_json_schema=exported.parameters,
        on_invoke_tool=invoke,
        strict_json_schema=strict,
    )
