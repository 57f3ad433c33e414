"""Cohere's Chat API, version 2: OpenAI's functions, and results as documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tools.wire.messages import Result

if TYPE_CHECKING:
    from pydantic import JsonValue


def cohere_results(results: Sequence[Result]) -> list[dict[str, JsonValue]]:
    """Return a message for each result; pictures can only be named.

    Source: Cohere, `ToolMessageV2` (its content is text or documents).
    """
    return [
        {"role": "tool", "tool_call_id": result.call.id, "content": [{"type": "text", "text": _text(result)}]}
        for result in results
    ]


def _text(result: Result) -> str:
    left_out = [f"[a picture that cannot be sent: {image.mime_type}]" for image in result.images]
    return "\n".join(filter(None, (result.text, *left_out)))
