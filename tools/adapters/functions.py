"""Our tools as Python functions with a JSON Schema, for whatever takes such."""

from __future__ import annotations

import base64
import inspect
import keyword
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tools.adapters.exported_tool import told
from tools.errors import ToolFailure
from tools.spec import MISSING

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.adapters.exported_tool import ExportedTool
    from tools.calls import ToolCall

_TYPES: Final[dict[str, type]] = {
    "array": list, "boolean": bool, "integer": int, "number": float, "object": dict, "string": str,
}  # fmt: skip


class ExportedFunction(NamedTuple):
    """A tool as functions that take the arguments by name.

    They return the result as plain values, and raise a `ToolFailure` when there is none. A result with attachments is
    `{"result": …, "attachments": [{"name", "mime_type", "base64"}, …]}`.

    Attributes:
        name: Its name in letters that every large provider allows.
        function: Calls it and blocks meanwhile.
        coroutine: Calls it without blocking.
    """

    name: str
    description: str
    input_schema: dict[str, JsonValue]
    function: Callable[..., JsonValue]
    coroutine: Callable[..., Awaitable[JsonValue]]


def exported_function(exported: ExportedTool) -> ExportedFunction:
    """Return a tool as functions, which say of themselves what Python's functions say."""
    schema = exported.tool.input_schema

    def function(**arguments: Any) -> JsonValue:
        return _value(exported.call_blocking(arguments))

    async def coroutine(**arguments: Any) -> JsonValue:
        return _value(await exported.call(arguments))

    signature = _signature(schema)
    described: tuple[Any, Any] = (function, coroutine)
    for made in described:
        made.__name__ = made.__qualname__ = exported.name
        made.__doc__ = exported.description
        if signature is not None:
            made.__signature__ = signature
            made.__annotations__ = {name: item.annotation for name, item in signature.parameters.items()}
    return ExportedFunction(exported.name, exported.description, schema, function, coroutine)


def _signature(schema: dict[str, Any]) -> inspect.Signature | None:
    """Return the arguments as a signature; None when Python could not write their names."""
    properties: dict[str, Any] = schema.get("properties") or {}
    if not all(name.isidentifier() and not keyword.iskeyword(name) for name in properties):
        return None
    required = set(schema.get("required", ()))
    return inspect.Signature(
        [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=inspect.Parameter.empty if name in required else inner.get("default"),
                annotation=_TYPES.get(str(inner.get("type")), Any),
            )
            for name, inner in properties.items()
        ]
    )


def _value(call: ToolCall) -> JsonValue:
    response = call.response
    if not response.succeeded:
        raise ToolFailure(told(call).text)
    value: JsonValue = None if response.json_result is MISSING else response.json_result
    if not response.attachments:
        return value
    attachments: list[JsonValue] = [
        {"name": item.name, "mime_type": item.mime_type, "base64": base64.b64encode(item.data).decode()}
        for item in response.attachments
    ]
    return {"result": value, "attachments": attachments}
