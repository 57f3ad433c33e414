"""OpenAI's Responses API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tools.wire.messages import ReceivedCall, Result, read_arguments

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.wire.definition import ToolDefinition


def responses_tool(definition: ToolDefinition, *, strict: bool) -> dict[str, JsonValue]:
    """Return a tool as OpenAI's Responses API wants a function.

    Source: seed 1, "Programmatic registration" (`strict` is false), and OpenAI, "Function calling".
    """
    return {
        "type": "function",
        "name": definition.name,
        "description": definition.description,
        "parameters": definition.parameters,
        "strict": strict,
    }


def responses_calls(answer: Mapping[str, Any]) -> list[ReceivedCall]:
    """Return the calls of an answer, or of one of its items."""
    items = answer.get("output", [answer]) or ()
    return [
        ReceivedCall(item.get("call_id") or "", item.get("name", ""), read_arguments(item.get("arguments")))
        for item in items
        if isinstance(item, Mapping) and item.get("type") == "function_call"
    ]


def responses_results(results: Sequence[Result]) -> list[dict[str, JsonValue]]:
    """Return an item of the next input for each result."""
    return [
        {"type": "function_call_output", "call_id": result.call.id, "output": _output(result)} for result in results
    ]


def _output(result: Result) -> JsonValue:
    if not result.images:
        return result.text
    pictures: list[JsonValue] = [
        {"type": "input_image", "detail": "auto", "image_url": image.url} for image in result.images
    ]
    return [{"type": "input_text", "text": result.text}, *pictures]
