"""Amazon Bedrock's Converse API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tools.wire.messages import Image, ReceivedCall, Result, read_arguments

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

    Source: Amazon Bedrock, `ToolResultBlock`, and its refusal of a blank `text`. The bytes of a picture are base64, as
    they stand in JSON; an SDK of AWS wants them as they are. The pictures of a call that failed stand behind all
    results, since Claude refuses them inside.
    """
    content: list[JsonValue] = [{"toolResult": _block(result)} for result in results]
    for result in results:
        if result.is_error and result.images:
            words = f"Pictures of {result.call.name} ({result.call.id}):"
            content += [{"text": words}, *map(_image, result.images)]
    return [{"role": "user", "content": content}]


def _block(result: Result) -> dict[str, JsonValue]:
    said = result.text if result.structured is None else "\n".join(result.attached)
    content: list[JsonValue] = [] if result.structured is None else [{"json": result.structured}]
    content += [{"text": said}] if said.strip() else []
    content += [] if result.is_error else map(_image, result.images)
    return {
        "toolUseId": result.call.id,
        "content": content or [{"text": "(no output)"}],
        "status": "error" if result.is_error else "success",
    }


def _image(image: Image) -> JsonValue:
    return {"image": {"format": image.mime_type.removeprefix("image/"), "source": {"bytes": image.base64}}}
