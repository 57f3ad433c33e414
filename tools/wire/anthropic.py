"""Anthropic's Messages API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tools.wire.messages import Image, ReceivedCall, Result, read_arguments

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.wire.definition import ToolDefinition


def anthropic_tool(definition: ToolDefinition, *, strict: bool) -> dict[str, JsonValue]:
    """Return a tool with its good examples as such.

    Source: Anthropic, "Tool reference" (`input_examples`), and seed 2.
    """
    written: dict[str, JsonValue] = {
        "name": definition.name,
        "description": definition.description,
        "input_schema": definition.parameters,
    }
    if definition.examples:
        written["input_examples"] = [dict(example.input) for example in definition.examples]
    return {**written, "strict": True} if strict else written


def anthropic_calls(message: Mapping[str, Any]) -> list[ReceivedCall]:
    """Return the calls of an assistant's message."""
    return [
        ReceivedCall(block.get("id") or "", block.get("name", ""), read_arguments(block.get("input")))
        for block in message.get("content") or ()
        if isinstance(block, Mapping) and block.get("type") == "tool_use"
    ]


def anthropic_results(results: Sequence[Result]) -> list[dict[str, JsonValue]]:
    """Return one message of the user with all results, as parallel calls need.

    Source: the API's refusals "all content must be type `text` if `is_error` is true" and "content cannot be empty if
    `is_error` is true". The pictures of a call that failed stand behind all results, where a message may have them.
    """
    blocks = [_block(result) for result in results]
    failed = [result for result in results if result.is_error and result.images]
    return [{"role": "user", "content": [*blocks, *(part for result in failed for part in _pictures(result))]}]


def _block(result: Result) -> JsonValue:
    block: dict[str, JsonValue] = {"type": "tool_result", "tool_use_id": result.call.id, "content": result.text}
    if result.is_error:
        return {**block, "content": result.text or "Error", "is_error": True}
    if result.images:
        # An empty text block is refused.
        text: list[JsonValue] = [{"type": "text", "text": result.text}] if result.text else []
        block["content"] = [*text, *map(_image, result.images)]
    return block


def _pictures(result: Result) -> list[JsonValue]:
    words: JsonValue = {"type": "text", "text": f"Pictures of {result.call.name} ({result.call.id}):"}
    return [words, *map(_image, result.images)]


def _image(image: Image) -> JsonValue:
    return {"type": "image", "source": {"type": "base64", "media_type": image.mime_type, "data": image.base64}}
