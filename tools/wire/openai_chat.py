"""OpenAI's Chat Completions and everybody who takes the same: tools as functions, results as messages of a tool."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tools.wire.messages import Image, ReceivedCall, Result, read_arguments

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.wire.definition import ToolDefinition


def chat_tool(definition: ToolDefinition, *, strict: bool) -> dict[str, JsonValue]:
    """Return a tool as Chat Completions has it.

    Source: OpenAI, "Function calling" (`strict` is left out unless it is wanted, since not all who copied the format
    know it; MiniMax documents none).
    """
    function: dict[str, JsonValue] = {
        "name": definition.name,
        "description": definition.description,
        "parameters": definition.parameters,
    }
    return {"type": "function", "function": {**function, "strict": True} if strict else function}


def chat_tool_without_strict(definition: ToolDefinition, *, strict: bool) -> dict[str, JsonValue]:  # noqa: ARG001 -- a writer
    """Return a tool for a provider whose functions have no `strict`."""
    return chat_tool(definition, strict=False)


def chat_calls(message: Mapping[str, Any]) -> list[ReceivedCall]:
    """Return the calls of functions in an assistant's message, or in a whole answer."""
    choices = message.get("choices")
    if isinstance(choices, list):
        return [call for choice in choices for call in chat_calls(choice.get("message") or {})]
    found = message.get("message") or message
    calls = [(item.get("id"), item.get("function")) for item in found.get("tool_calls") or ()]
    return [
        ReceivedCall(id_ or "", said.get("name", ""), read_arguments(said.get("arguments")))
        for id_, said in calls
        if said
    ]


def chat_results(results: Sequence[Result]) -> list[dict[str, JsonValue]]:
    """Return a message for each result; pictures follow in one of the user, since a tool's message holds text alone.

    Source: OpenAI, `ChatCompletionToolMessageParam` (all messages of tools stand directly behind the calls).
    """
    messages: list[dict[str, JsonValue]] = [
        {"role": "tool", "tool_call_id": result.call.id, "content": result.text} for result in results
    ]
    pictures = [part for result in results for part in _pictures(result)]
    return [*messages, {"role": "user", "content": pictures}] if pictures else messages


def _pictures(result: Result) -> list[JsonValue]:
    if not result.images:
        return []
    parts: list[JsonValue] = [{"type": "text", "text": f"Pictures of {result.call.name} ({result.call.id}):"}]
    return [*parts, *map(image_part, result.images)]


def image_part(image: Image) -> JsonValue:
    """Return a picture as a part of a message."""
    return {"type": "image_url", "image_url": {"url": image.url}}


def mistral_results(results: Sequence[Result]) -> list[dict[str, JsonValue]]:
    """Return a message for each result, with its pictures and the tool's name.

    Source: Mistral, `ToolMessage` (its content may be a list of text and pictures).
    """
    return [
        {
            "role": "tool",
            "tool_call_id": result.call.id,
            "name": result.call.name,
            "content": [{"type": "text", "text": result.text}, *map(image_part, result.images)]
            if result.images
            else result.text,
        }
        for result in results
    ]
