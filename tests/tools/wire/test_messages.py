"""Calls as providers send them, and results as they want them."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from tests.tools.running import run
from tests.tools.wire.samples import ALL_RESULTS, CARRIED, NOTHING, PICTURE, PLAIN, SEEN, SEEN_WRONG, SHAPED, WRONG
from tools import Executor, ToolContext, ToolRegistry, resolve_tools, tool
from tools.wire import (
    PROVIDERS,
    MalformedArguments,
    Provider,
    ReceivedCall,
    WireTools,
    read_arguments,
    restored,
    result_of,
)

CALL = ReceivedCall("call1abcd", "shout", {"word": "tea"})
TEXT = '{"word": "tea"}'
PICTURE_TEXT = base64.b64encode(PICTURE.data).decode()


def chat(arguments: Any) -> dict[str, Any]:
    said = {"id": CALL.id, "type": "function", "function": {"name": CALL.name, "arguments": arguments}}
    return {"choices": [{"message": {"role": "assistant", "content": None, "tool_calls": [said]}}]}


def responses(arguments: Any) -> dict[str, Any]:
    item = {"type": "function_call", "id": "fc_1", "call_id": CALL.id, "name": CALL.name, "arguments": arguments}
    return {"output": [{"type": "message", "content": []}, item]}


def anthropic(arguments: Any) -> dict[str, Any]:
    block = {"type": "tool_use", "id": CALL.id, "name": CALL.name, "input": arguments}
    return {"role": "assistant", "content": [{"type": "text", "text": "I look."}, block]}


def gemini(arguments: Any) -> dict[str, Any]:
    parts = [{"text": "I look."}, {"functionCall": {"id": CALL.id, "name": CALL.name, "args": arguments}}]
    return {"candidates": [{"content": {"role": "model", "parts": parts}}]}


def bedrock(arguments: Any) -> dict[str, Any]:
    use = {"toolUse": {"toolUseId": CALL.id, "name": CALL.name, "input": arguments}}
    return {"output": {"message": {"role": "assistant", "content": [{"text": "I look."}, use]}}}


def cohere(arguments: Any) -> dict[str, Any]:
    return {"message": chat(arguments)["choices"][0]["message"]}


def mcp(arguments: Any) -> dict[str, Any]:
    return {
        "jsonrpc": "2.0",
        "id": CALL.id,
        "method": "tools/call",
        "params": {"name": CALL.name, "arguments": arguments},
    }


ANSWERS: dict[str, Callable[[Any], dict[str, Any]]] = {
    **dict.fromkeys(PROVIDERS, chat),
    "openai": responses,
    "anthropic": anthropic,
    "gemini": gemini,
    "bedrock": bedrock,
    "cohere": cohere,
    "ollama": cohere,
    "mcp": mcp,
}
every_provider = pytest.mark.parametrize("provider", PROVIDERS.values(), ids=PROVIDERS)


@every_provider
@pytest.mark.parametrize("arguments", [TEXT, {"word": "tea"}], ids=["text", "object"])
def test_a_call_of_any_provider_is_ours(provider: Provider, arguments: Any) -> None:
    assert provider.calls(ANSWERS[provider.name](arguments)) == [CALL]


@every_provider
def test_an_answer_without_calls_has_none(provider: Provider) -> None:
    empty: dict[str, Any] = {"choices": [{"message": {"role": "assistant", "content": "No."}}]}
    nothing: list[dict[str, Any]] = [
        {},
        empty,
        {"content": []},
        {"candidates": [{"content": {"parts": [{"text": ""}]}}]},
        {"candidates": [{"content": None}]},
        {"choices": [{"message": None}]},
        {"message": None, "output": None, "candidates": None, "content": None},
        {"output": {"message": None}},
    ]
    for answer in nothing:
        assert provider.calls(answer) == []


@pytest.mark.reference("C44")
@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"word": ', "got text that is no JSON: Expecting value: line 1 column 10"),
        ("[1]", "got a list"),
        ("null", "got null"),
        ("7", "got a int"),
        ("[" * 100_000, "got text that is no JSON: nested too deeply"),
    ],
)
def test_arguments_that_are_no_object_are_a_value_that_says_so(text: str, problem: str) -> None:
    read = read_arguments(text)
    assert isinstance(read, MalformedArguments)
    assert read.text == text
    assert read.problem.startswith("expected the arguments as a JSON object, got")
    assert problem in read.problem
    tools = WireTools(TOOLS, PROVIDERS["anthropic"])
    call = ReceivedCall("c1", "shout", read)
    (message,) = tools.results([(call, None)])
    assert message["content"] == [
        {"type": "tool_result", "tool_use_id": "c1", "content": f"Error: {read.problem}", "is_error": True}
    ]


@pytest.mark.parametrize("nothing", ["", "  ", None, {}])
def test_no_arguments_at_all_are_none(nothing: Any) -> None:
    assert read_arguments(nothing) == {}


class Filter(BaseModel):
    kind: Literal["new", "old"] | None = None
    limits: dict[str, int] = {}


@tool
async def shout(word: str, times: int = 1, kind: str | None = None, options: Filter | None = None) -> str:
    """Shout a word."""
    return f"{word.upper()} {times} {kind} {options}"


@tool
async def tally(numbers: dict[str, int], tags: list[str]) -> dict[str, int]:
    """Count."""
    return {"sum": sum(numbers.values()), "tags": len(tags)}


@tool
async def draw(ctx: ToolContext) -> str:
    """Draw a dot."""
    ctx.attach(PICTURE.data, "image/png", "dot.png")
    ctx.attach(b"a,b", "text/csv", "dots.csv")
    return "a dot"


TOOLS = resolve_tools([shout, tally, draw])


def test_what_a_strict_schema_made_a_model_write_is_what_the_tool_takes() -> None:
    tools = WireTools(TOOLS, PROVIDERS["openai"], strict=True)
    given = {"word": "tea", "times": None, "kind": None, "options": {"kind": None, "limits": '{"a": 3}'}}
    (call,) = tools.calls({**responses(json.dumps(given))})
    assert call.arguments == {"word": "tea", "kind": None, "options": {"kind": None, "limits": {"a": 3}}}
    meant = tools.find(call.name)
    assert meant is not None
    executor = Executor(ToolRegistry(TOOLS))
    response = run(executor.execute(executor.create_call(meant.name, call.arguments)))
    assert response.text == "TEA 1 None kind=None limits={'a': 3}"


@pytest.mark.parametrize(
    ("given", "schema", "expected"),
    [
        ({"a": None}, {"properties": {"a": {"type": "string"}}}, {}),
        ({"a": None}, {"properties": {"a": {"type": "string"}}, "required": ["a"]}, {"a": None}),
        ({"a": None}, {"properties": {"a": {"type": ["string", "null"]}}}, {"a": None}),
        ({"a": None}, {"properties": {"a": {"anyOf": [{"type": "string"}, {"enum": [None]}]}}}, {"a": None}),
        ({"a": None}, {"properties": {"a": {}}}, {"a": None}),
        ({"a": '{"b": 1}'}, {"properties": {"a": {"type": "object"}}}, {"a": {"b": 1}}),
        ({"a": '{"b": 1}'}, {"properties": {"a": {"type": ["object", "string"]}}}, {"a": '{"b": 1}'}),
        ({"a": '{"b": '}, {"properties": {"a": {"type": "object"}}}, {"a": '{"b": '}),
        ({"a": '{"b": 1}'}, {"properties": {"a": {}}}, {"a": '{"b": 1}'}),
        ({"a": "[1]"}, {"properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": {"type": "array"}}}, {"a": [1]}),
        (
            {"a": [{"b": None}]},
            {
                "properties": {"a": {"items": {"$ref": "#/$defs/A"}}},
                "$defs": {"A": {"properties": {"b": {"type": "string"}}}},
            },
            {"a": [{}]},
        ),
        ({"x": None}, {"properties": {}}, {"x": None}),
    ],
)
def test_arguments_become_what_the_schema_of_the_tool_has(given: Any, schema: Any, expected: Any) -> None:
    assert restored(given, {"type": "object", **schema}) == expected


def test_a_circle_of_references_ends() -> None:
    schema = {"properties": {"a": {"$ref": "#/properties/a"}}}
    assert restored({"a": {"b": None}}, schema) == {"a": {"b": None}}


def test_a_response_is_its_text_its_value_and_its_pictures() -> None:
    executor = Executor(ToolRegistry(TOOLS))
    drawn = result_of(CALL, run(executor.execute(executor.create_call("draw", {}))))
    assert drawn.text == "a dot\n[attached: dots.csv, text/csv, 3 bytes]"
    assert drawn.images == (PICTURE,)
    assert drawn.attached == ("[attached: dots.csv, text/csv, 3 bytes]",)
    assert not drawn.is_error
    counted = result_of(CALL, run(executor.execute(executor.create_call("tally", {"numbers": {"a": 2}, "tags": []}))))
    assert counted.structured == {"sum": 2, "tags": 0}
    wrong = result_of(CALL, run(executor.execute(executor.create_call("shout", {}))))
    assert wrong.is_error
    assert wrong.text.startswith("Error: ")
    assert wrong.structured is None


def test_results_stand_where_each_provider_looks_for_them() -> None:
    assert PROVIDERS["openai"].results([PLAIN, SEEN]) == [
        {"type": "function_call_output", "call_id": "call1abcd", "output": "TEA"},
        {
            "type": "function_call_output",
            "call_id": "call4abcd",
            "output": [
                {"type": "input_text", "text": "a dot"},
                {"type": "input_image", "detail": "auto", "image_url": f"data:image/png;base64,{PICTURE_TEXT}"},
            ],
        },
    ]
    assert PROVIDERS["openai-chat"].results([WRONG, SEEN, PLAIN]) == [
        {"role": "tool", "tool_call_id": "call2abcd", "content": "Error: word is missing"},
        {"role": "tool", "tool_call_id": "call4abcd", "content": "a dot"},
        {"role": "tool", "tool_call_id": "call1abcd", "content": "TEA"},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "Pictures of draw (call4abcd):"},
                {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PICTURE_TEXT}"}},
            ],
        },
    ]
    (message,) = PROVIDERS["anthropic"].results([WRONG, SEEN])
    assert message["content"] == [
        {"type": "tool_result", "tool_use_id": "call2abcd", "content": "Error: word is missing", "is_error": True},
        {
            "type": "tool_result",
            "tool_use_id": "call4abcd",
            "content": [
                {"type": "text", "text": "a dot"},
                {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PICTURE_TEXT}},
            ],
        },
    ]
    (content,) = PROVIDERS["gemini"].results([WRONG, SHAPED])
    assert content["parts"] == [
        {"functionResponse": {"name": "shout", "id": "call2abcd", "response": {"error": "Error: word is missing"}}},
        {"functionResponse": {"name": "count", "id": "call3abcd", "response": {"output": {"lines": 3}}}},
    ]
    (message,) = PROVIDERS["bedrock"].results([WRONG, SHAPED])
    assert message["content"] == [
        {"toolResult": {"toolUseId": "call2abcd", "content": [{"text": "Error: word is missing"}], "status": "error"}},
        {"toolResult": {"toolUseId": "call3abcd", "content": [{"json": {"lines": 3}}], "status": "success"}},
    ]
    assert PROVIDERS["mcp"].results([SHAPED, WRONG]) == [
        {
            "content": [{"type": "text", "text": '{"lines": 3}'}],
            "isError": False,
            "structuredContent": {"lines": 3},
        },
        {"content": [{"type": "text", "text": "Error: word is missing"}], "isError": True},
    ]
    assert PROVIDERS["cohere"].results([SEEN])[0]["content"] == [
        {"type": "text", "text": "a dot\n[a picture that cannot be sent: image/png]"}
    ]
    assert PROVIDERS["ollama"].results([SEEN])[0] == {
        "role": "tool",
        "tool_name": "draw",
        "content": "a dot",
        "images": [PICTURE_TEXT],
    }


def test_pictures_of_a_failure_stand_where_anthropic_and_bedrock_take_them() -> None:
    (message,) = PROVIDERS["anthropic"].results([SEEN_WRONG, PLAIN])
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PICTURE_TEXT}}
    assert message["content"] == [
        {"type": "tool_result", "tool_use_id": "call5abcd", "content": "Error: no ink", "is_error": True},
        {"type": "tool_result", "tool_use_id": "call1abcd", "content": "TEA"},
        {"type": "text", "text": "Pictures of draw (call5abcd):"},
        image,
    ]
    (message,) = PROVIDERS["bedrock"].results([SEEN_WRONG])
    assert message["content"] == [
        {"toolResult": {"toolUseId": "call5abcd", "content": [{"text": "Error: no ink"}], "status": "error"}},
        {"text": "Pictures of draw (call5abcd):"},
        {"image": {"format": "png", "source": {"bytes": PICTURE_TEXT}}},
    ]


def test_no_text_is_empty_where_that_is_refused() -> None:
    (message,) = PROVIDERS["anthropic"].results([NOTHING._replace(is_error=True)])
    assert message["content"][0]["content"] == "Error"
    (message,) = PROVIDERS["bedrock"].results([NOTHING, NOTHING._replace(images=(PICTURE,))])
    first, second = (block["toolResult"]["content"] for block in message["content"])
    assert first == [{"text": "(no output)"}]
    assert [list(block) for block in second] == [["image"]]


def test_attachments_are_named_beside_a_result_that_is_an_object() -> None:
    (message,) = PROVIDERS["bedrock"].results([CARRIED])
    assert message["content"][0]["toolResult"]["content"] == [{"json": {"lines": 3}}, {"text": CARRIED.attached[0]}]
    (message,) = PROVIDERS["gemini"].results([CARRIED])
    assert message["parts"][0]["functionResponse"]["response"] == {
        "output": {"lines": 3},
        "attached": [CARRIED.attached[0]],
    }


@every_provider
def test_no_result_is_forgotten(provider: Provider) -> None:
    written = json.dumps(provider.results(ALL_RESULTS))
    for result in ALL_RESULTS:
        assert (result.call.name if provider.name in {"gemini", "ollama"} else result.call.id) in written or (
            provider.name == "mcp"
        )
        assert json.dumps(result.text)[1:-1] in written or result.structured is not None
