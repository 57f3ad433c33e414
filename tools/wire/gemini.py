"""Google's Gemini API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tools.wire.messages import ReceivedCall, Result, read_arguments

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.wire.definition import ToolDefinition


def gemini_tool(definition: ToolDefinition, *, strict: bool) -> dict[str, JsonValue]:  # noqa: ARG001 -- has no strictness
    """Return a function's declaration; the parameters of one that has none are left out, since none may be empty.

    Source: Gemini API, `FunctionDeclaration`. They all stand in the `functionDeclarations` of one tool.
    """
    written: dict[str, JsonValue] = {"name": definition.name, "description": definition.description}
    return {**written, "parameters": definition.parameters} if definition.parameters.get("properties") else written


def gemini_request(tools: list[dict[str, JsonValue]]) -> list[dict[str, JsonValue]]:
    """Return the value of `tools` in a request."""
    return [{"functionDeclarations": list(tools)}] if tools else []


def gemini_calls(answer: Mapping[str, Any]) -> list[ReceivedCall]:
    """Return the calls of an answer, or of one content of it; Google's SDK dumps them with names as Python has them."""
    if "candidates" in answer:
        contents = [candidate.get("content") or {} for candidate in answer["candidates"] or ()]
        return [call for content in contents for call in gemini_calls(content)]
    found = [part.get("functionCall") or part.get("function_call") for part in answer.get("parts") or ()]
    return [
        ReceivedCall(said.get("id") or "", said.get("name", ""), read_arguments(said.get("args")))
        for said in found
        if said
    ]


def gemini_results(results: Sequence[Result]) -> list[dict[str, JsonValue]]:
    """Return one content of the user with all results.

    Source: Gemini API, `FunctionResponse` (`output` or `error` in a JSON object; pictures as its parts).
    """
    return [{"role": "user", "parts": [{"functionResponse": _response(result)} for result in results]}]


def _response(result: Result) -> dict[str, JsonValue]:
    output: JsonValue = result.text if result.structured is None else result.structured
    response: dict[str, JsonValue] = {"error": result.text} if result.is_error else {"output": output}
    if result.structured is not None and result.attached:
        response["attached"] = list(result.attached)
    written: dict[str, JsonValue] = {"name": result.call.name, "response": response}
    if result.call.id:
        written["id"] = result.call.id
    if result.images:
        written["parts"] = [
            {"inlineData": {"mimeType": image.mime_type, "data": image.base64}} for image in result.images
        ]
    return written
