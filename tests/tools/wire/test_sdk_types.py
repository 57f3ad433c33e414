"""What providers are sent is what their own SDKs have types for; a key that no type knows fails."""

from __future__ import annotations

import json
import sys
import types
import typing
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec, module_from_spec
from typing import Any

import pytest
import typing_extensions
from pydantic import BaseModel, TypeAdapter, ValidationError

from tests.relevance import server_definitions
from tests.tools.wire.samples import ALL_RESULTS, BUILT_IN
from tools.wire import PROVIDERS

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
    model = getattr(import_module("ollama"), value)

    def check(document: dict[str, Any]) -> None:
        if "images" in document:
            # The SDK has a model for what is a text on the wire.
            document = {**document, "images": [{"value": image} for image in document["images"]]}
        _no_unknown_keys(model.model_validate(document), document)

    return check


def _no_unknown_keys(read: Any, document: Any) -> None:
    if isinstance(read, BaseModel):
        fields = {name: field.alias or name for name, field in type(read).model_fields.items()}
        unknown = set(document) - set(fields.values()) - OLLAMAS_OWN
        assert not unknown, unknown
        for name, alias in fields.items():
            if alias in document:
                _no_unknown_keys(getattr(read, name), document[alias])
    elif isinstance(read, dict):
        for name, inner in read.items():
            _no_unknown_keys(inner, document[name])


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
}
MESSAGES: dict[str, Callable[[], list[Check]]] = {
    "openai": lambda: [strictly(import_module("openai.types.responses.response_input_param").FunctionCallOutput)],
    "openai-chat": lambda: [of_chat("ChatCompletionToolMessageParam"), of_chat("ChatCompletionUserMessageParam")],
    "anthropic": lambda: [of_anthropic("MessageParam")],
    "gemini": lambda: [of_gemini("Content")],
    "bedrock": lambda: [of_bedrock("MessageTypeDef")],
    "mistral": lambda: [of_mistral("ToolMessageTypedDict")],
    "ollama": lambda: [of_ollama("Message")],
}


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


@pytest.mark.parametrize("name", MESSAGES)
def test_results_errors_and_pictures_are_what_the_sdk_sends(name: str) -> None:
    checks = MESSAGES[name]()
    messages = PROVIDERS[name].results(ALL_RESULTS)
    for message in messages:
        # Of two kinds of message, the role tells which this one is.
        checks[-1 if message.get("role") == "user" else 0](message)
    with pytest.raises((ValidationError, AssertionError)):
        checks[0]({**messages[0], "surprise": 1})
