"""Ollama's own chat API: OpenAI's functions and calls, the arguments as objects, and mostly no ids."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tools.wire.messages import Result

if TYPE_CHECKING:
    from pydantic import JsonValue


def ollama_results(results: Sequence[Result]) -> list[dict[str, JsonValue]]:
    """Return a message for each result, which names the tool.

    Source: ollama-python, `Message` (`tool_name`, `images` as base64).
    """
    return [
        {
            "role": "tool",
            "tool_name": result.call.name,
            "content": result.text,
            **({"images": [image.base64 for image in result.images]} if result.images else {}),
        }
        for result in results
    ]
