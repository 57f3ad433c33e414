"""What providers are sent is what their own SDKs have types for; a key that no type knows fails."""

from __future__ import annotations

import json
import sys
import types
import typing
from collections.abc import Callable, Collection, Iterator
from importlib import import_module
from importlib.util import find_spec, module_from_spec
from typing import Any

import pytest
import typing_extensions
from hypothesis import HealthCheck, given, settings
from pydantic import BaseModel, TypeAdapter, ValidationError

from tests.relevance import server_definitions
from tests.tools.wire.pydantic_schemas import SCHEMAS
from tests.tools.wire.samples import ALL_RESULTS, BUILT_IN
from tools.mcp.reference_properties import server_groups, web_search
from tools.wire import PROVIDERS, ToolDefinition

Check = Callable[[Any], object]


def _typed_dicts(hint: Any, seen: dict[Any, None]) -> Iterator[Any]:
    """Yield the typed dictionaries that a type can hold."""
    hint = getattr(hint, "__value__", hint)
    if isinstance(hint, list | tuple):
        members: Any = hint
    elif typing_extensions.is_typeddict(hint):
        if hint in seen:
            return
        seen[hint] = None
        yield hint
        members = typing_extensions.get_type_hints(hint, include_extras=False).values()
    else:
        members = typing.get_args(hint)
    for member in members:
        yield from _typed_dicts(member, seen)


def strictly(hint: Any) -> Check:
    """Return a check that reads all of a value as an SDK's type and takes no key that the type lacks."""
    for found in _typed_dicts(hint, {}):
        if not hasattr(found, "__pydantic_config__"):
            found.__pydantic_config__ = {"extra": "forbid", "arbitrary_types_allowed": True}
    adapter = TypeAdapter(hint)
    # What an SDK types as an iterable is only looked at when somebody reads it.
    return lambda value: adapter.dump_json(adapter.validate_python(value, strict=False))


def of_openai(value: str) -> Check:
    return strictly(getattr(import_module("openai.types.responses"), value))


def of_chat(value: str) -> Check:
    return strictly(getattr(import_module("openai.types.chat"), value))


def of_anthropic(value: str) -> Check:
    return strictly(getattr(import_module("anthropic.types"), value))


def of_gemini(value: str) -> Check:
    model = getattr(import_module("google.genai.types"), value)
    assert model.model_config["extra"] == "forbid"
    return model.model_validate  # type: ignore[no-any-return]  # the SDK need not be there for a type check


def of_mistral(value: str) -> Check:
    return strictly(getattr(import_module("mistralai.client.models"), value))


def of_bedrock(value: str) -> Check:
    # The types name classes of botocore, which is not installed: it wants an older dateutil than the console has.
    package = "types_boto3_bedrock_runtime"
    for name, known in (("botocore.eventstream", "EventStream"), ("botocore.response", "StreamingBody")):
        module = types.ModuleType(name)
        setattr(module, known, type(known, (), {}))
        sys.modules.setdefault(name, module)
    spec = find_spec(package)
    assert spec is not None
    # Importing the package itself would import its clients.
    sys.modules.setdefault(package, module_from_spec(spec))
    return strictly(getattr(import_module(f"{package}.type_defs"), value))


# What Ollama's server reads of a property besides what its SDK's type knows.
OLLAMAS_OWN = {"anyOf", "properties", "required"}


def of_ollama(value: str) -> Check:
    check = known_to(getattr(import_module("ollama"), value), OLLAMAS_OWN)

    def of_message(document: dict[str, Any]) -> None:
        if "images" in document:
            # The SDK has a model for what is a text on the wire.
            document = {**document, "images": [{"value": image} for image in document["images"]]}
        check(document)

    return of_message


def of_cohere(value: str) -> Check:
    return known_to(getattr(import_module("cohere"), value))


def of_mcp(value: str) -> Check:
    return known_to(getattr(import_module("mcp_types"), value))


def known_to(model: Any, own: Collection[str] = ()) -> Check:
    """Return a check that reads a value as a model that takes any keys, and takes no key that the model lacks."""
    return lambda document: _no_unknown_keys(model.model_validate(document), document, own)


def _no_unknown_keys(read: Any, document: Any, own: Collection[str]) -> None:
    if isinstance(read, BaseModel):
        fields = {name: field.alias or name for name, field in type(read).model_fields.items()}
        unknown = set(document) - set(fields.values()) - set(own)
        assert not unknown, unknown
        for name, alias in fields.items():
            if alias in document:
                _no_unknown_keys(getattr(read, name), document[alias], own)
    elif isinstance(read, dict):
        for name, inner in read.items():
            _no_unknown_keys(inner, document[name], own)
    elif isinstance(read, list):
        for inner, of_document in zip(read, document, strict=True):
            _no_unknown_keys(inner, of_document, own)


TOOLS: dict[str, Callable[[], Check]] = {
    "openai": lambda: of_openai("FunctionToolParam"),
    "openai-chat": lambda: of_chat("ChatCompletionFunctionToolParam"),
    "azure-openai": lambda: of_chat("ChatCompletionFunctionToolParam"),
    "groq": lambda: of_chat("ChatCompletionFunctionToolParam"),
    "openrouter": lambda: of_chat("ChatCompletionFunctionToolParam"),
    "huggingface": lambda: of_chat("ChatCompletionFunctionToolParam"),
    "minimax": lambda: of_chat("ChatCompletionFunctionToolParam"),
    "zhipu": lambda: of_chat("ChatCompletionFunctionToolParam"),
    "anthropic": lambda: of_anthropic("ToolParam"),
    "gemini": lambda: of_gemini("FunctionDeclaration"),
    "bedrock": lambda: of_bedrock("ToolTypeDef"),
    "mistral": lambda: of_mistral("ToolTypedDict"),
    "ollama": lambda: of_ollama("Tool"),
    "cohere": lambda: of_cohere("ToolV2"),
    "mcp": lambda: of_mcp("Tool"),
}
MESSAGES: dict[str, Callable[[], list[Check]]] = {
    "openai": lambda: [strictly(import_module("openai.types.responses.response_input_param").FunctionCallOutput)],
    "openai-chat": lambda: [of_chat("ChatCompletionToolMessageParam"), of_chat("ChatCompletionUserMessageParam")],
    "anthropic": lambda: [of_anthropic("MessageParam")],
    "gemini": lambda: [of_gemini("Content")],
    "bedrock": lambda: [of_bedrock("MessageTypeDef")],
    "mistral": lambda: [of_mistral("ToolMessageTypedDict")],
    "ollama": lambda: [of_ollama("Message")],
    "cohere": lambda: [of_cohere("ToolChatMessageV2")],
    "mcp": lambda: [of_mcp("CallToolResult")],
}

CALLED: dict[str, Any] = {
    "id": "call1abcd",
    "type": "function",
    "function": {"name": "shout", "arguments": '{"word": "tea"}'},
}
CUSTOM = {"id": "call2abcd", "type": "custom", "custom": {"name": "paint", "input": "a dot"}}
CHOICE: dict[str, Any] = {"index": 0, "finish_reason": "tool_calls", "message": {"role": "assistant", "content": ""}}
COMPLETION = {"id": "a", "object": "chat.completion", "created": 1, "model": "m"}
ANSWERS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "openai": (
        "openai.types.responses", "Response",
        {
            "id": "a", "object": "response", "created_at": 1, "model": "m", "parallel_tool_calls": True,
            "tool_choice": "auto", "tools": [],
            "output": [
                {"type": "reasoning", "id": "r", "summary": []},
                {"type": "function_call", "id": "f", "call_id": "call1abcd", **CALLED["function"]},
                {"type": "custom_tool_call", "call_id": "call2abcd", "name": "paint", "input": "a dot"},
            ],
        },
    ),
    "openai-chat": (
        "openai.types.chat", "ChatCompletion",
        {**COMPLETION, "choices": [{**CHOICE, "message": {**CHOICE["message"], "tool_calls": [CALLED, CUSTOM]}}]},
    ),
    "anthropic": (
        "anthropic.types", "Message",
        {
            "id": "a", "type": "message", "role": "assistant", "model": "m", "stop_reason": "tool_use",
            "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1},
            "content": [
                {"type": "text", "text": "I look.", "citations": None},
                {"type": "tool_use", "id": "call1abcd", "name": "shout", "input": {"word": "tea"}},
            ],
        },
    ),
    "gemini": (
        "google.genai.types", "GenerateContentResponse",
        {
            "candidates": [
                {
                    "content": {
                        "role": "model",
                        "parts": [
                            {"text": "I look."},
                            {"functionCall": {"id": "call1abcd", "name": "shout", "args": {"word": "tea"}}},
                        ],
                    }
                }
            ]
        },
    ),
    "mistral": (
        "mistralai.client.models", "ChatCompletionResponse",
        {
            **COMPLETION, "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
            "choices": [{**CHOICE, "message": {**CHOICE["message"], "tool_calls": [CALLED]}}],
        },
    ),
    "cohere": (
        "cohere", "V2ChatResponse",
        {"id": "a", "finish_reason": "TOOL_CALL", "message": {"role": "assistant", "tool_calls": [CALLED]}},
    ),
    "ollama": (
        "ollama", "ChatResponse",
        {
            "model": "m",
            "message": {
                "role": "assistant",
                "content": "",
                "tool_calls": [{"function": {"name": "shout", "arguments": {"word": "tea"}}}],
            },
        },
    ),
    "mcp": (
        "mcp_types", "CallToolRequest",
        {"method": "tools/call", "params": {"name": "shout", "arguments": {"word": "tea"}}},
    ),
}  # fmt: skip
"""What an SDK reads: its module, its type, and one call of ours on the wire, beside what is none."""


@pytest.mark.parametrize("name", TOOLS)
def test_every_built_in_tool_and_those_of_real_servers_are_what_the_sdk_sends(name: str) -> None:
    provider, check = PROVIDERS[name], TOOLS[name]()
    for definition in (*BUILT_IN, *server_definitions()):
        for strict in (False, True):
            check(provider.write(definition, strict=strict).document)


@pytest.mark.parametrize("name", TOOLS)
def test_a_key_that_no_type_of_the_sdk_knows_would_be_noticed(name: str) -> None:
    check = TOOLS[name]()
    document = json.loads(json.dumps(PROVIDERS[name].write(BUILT_IN[0]).document))
    inner = document.get("function") or document.get("toolSpec") or document
    check(document)
    inner["surprise"] = 1
    with pytest.raises((ValidationError, AssertionError)):
        check(document)


@pytest.mark.parametrize("name", TOOLS)
@given(SCHEMAS)
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_any_schema_of_pydantic_is_what_the_sdk_sends(name: str, schema: dict[str, Any]) -> None:
    check = TOOLS[name]()
    for strict in (False, True):
        check(PROVIDERS[name].write(ToolDefinition("find", "Find it.", schema), strict=strict).document)


@pytest.mark.parametrize("by_alias", [False, True], ids=["python", "wire"])
@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_is_read_as_the_sdk_gives_it(name: str, by_alias: bool) -> None:
    module, kind, document = ANSWERS[name]
    answer = getattr(import_module(module), kind).model_validate(document)
    (call,) = PROVIDERS[name].calls(answer.model_dump(by_alias=by_alias))
    assert (call.name, call.arguments) == ("shout", {"word": "tea"})
    assert call.id == ("" if name in {"ollama", "mcp"} else "call1abcd")


@pytest.mark.reference("C33", "C34", "C39")
def test_web_search_and_servers_are_what_the_sdk_of_openai_sends() -> None:
    values = {"WebSearchTool.city": "Prague", "WebSearchTool.country": "CZ", "WebSearchTool.region": "Bohemia"}
    values |= {"MCP.name": "Docs", "MCP.url": "https://example.org/mcp", "MCP.authorization": "Bearer word"}
    values |= {"MCP.description": "Pages about tools", "MCP_1.name": "More", "MCP_1.url": "https://example.org/more"}
    for kind, known in (("default", "WebSearchPreviewToolParam"), ("web_search", "WebSearchToolParam")):
        search = web_search({"WebSearchTool.type": kind, **values})
        assert search is not None
        of_openai(known)(search.provider_tool())
    check = strictly(import_module("openai.types.responses.tool_param").Mcp)
    for group in server_groups(values):
        check(group.provider_tool())


@pytest.mark.parametrize("name", MESSAGES)
def test_results_errors_and_pictures_are_what_the_sdk_sends(name: str) -> None:
    checks = MESSAGES[name]()
    messages = PROVIDERS[name].results(ALL_RESULTS)
    for message in messages:
        # Of two kinds of message, the role tells which this one is.
        checks[-1 if message.get("role") == "user" else 0](message)
    with pytest.raises((ValidationError, AssertionError)):
        checks[0]({**messages[0], "surprise": 1})
