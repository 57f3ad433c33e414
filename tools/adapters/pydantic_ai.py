"""Our tools for Pydantic AI."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic_ai import BinaryContent, ModelRetry, Tool, ToolFailed

from tools.adapters.exported_tool import told
from tools.calls import ErrorKind

if TYPE_CHECKING:
    from tools.adapters.exported_tool import ExportedTool
    from tools.calls import ToolCall


def pydantic_tool(exported: ExportedTool) -> Tool[Any]:
    """Return a tool for Pydantic AI.

    Arguments that do not fit are a `ModelRetry`, which asks the model for better ones; whatever else went wrong is a
    `ToolFailed`, which it has to live with.
    """

    async def run(**arguments: Any) -> Any:
        return _answer(await exported.call(arguments))

    return Tool.from_schema(
        run,
        name=exported.name,
        description=exported.description,
        json_schema=exported.tool.input_schema,
        sequential=not exported.tool.spec.parallelizable,
    )


def _answer(call: ToolCall) -> Any:
    result, error = told(call), call.response.error
    if result.is_error:
        better = error is not None and error.kind is ErrorKind.ARGUMENTS
        raise ModelRetry(result.text) if better else ToolFailed(result.text)
    # A text that says more than the value does has words of a person, which the model must read.
    is_plain = result.structured is not None and result.text == call.response.text
    value = result.structured if is_plain else result.text
    if not result.images:
        return value
    return [
        *([value] if value else []),
        *(BinaryContent(image.data, media_type=image.mime_type) for image in result.images),
    ]
