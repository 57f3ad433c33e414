"""Amazon Bedrock's Converse API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tools.wire.messages import ReceivedCall, Result, read_arguments

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.wire.definition import ToolDefinition


def bedrock_tool(definition: ToolDefinition, *, strict: bool) -> dict[str, JsonValue]:
    """Return a tool of a `toolConfig`; an empty description is left out, since none may be empty.

    Source: Amazon Bedrock, `ToolSpecification`.
    """
    spec: dict[str, JsonValue] = {"name": definition.name, "inputSchema": {"json": definition.parameters}}
    if definition.description:
        spec["description"] = definition.description
    return {"toolSpec": {**spec, "strict": True} if strict else spec}


def bedrock_calls(answer: Mapping[str, Any]) -> list[ReceivedCall]:
    """Return the calls of an answer, or of its message."""
    message = (answer.get("output") or {}).get("message") or answer
    found = [block["toolUse"] for block in message.get("content") or () if "toolUse" in block]
    return [
        ReceivedCall(said.get("toolUseId") or "", said.get("name", ""), read_arguments(said.get("input")))
        for said in found
    ]


def bedrock_results(results: Sequence[Result]) -> list[dict[str, JsonValue]]:
    """Return one message of the user with all results.

    Source: Amazon Bedrock, `ToolResultBlock`. The bytes of a picture are base64, as they stand in JSON; an SDK of AWS
    wants them as they are.
    """
    return [{"role": "user", "content": [{"toolResult": _block(result)} for result in results]}]


def _block(result: Result) -> dict[str, JsonValue]:
    content: list[JsonValue] = [{"text": result.text} if result.structured is None else {"json": result.structured}]
    content += [
        {"image": {"format": image.mime_type.removeprefix("image/"), "source": {"bytes": image.base64}}}
        for image in result.images
    ]
    return {"toolUseId": result.call.id, "content": content, "status": "error" if result.is_error else "success"}
