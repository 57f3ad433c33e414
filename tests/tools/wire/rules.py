"""What providers refuse of a schema, written down a second time: the program's own rules are checked against these."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

_UNIONS: Final = ("allOf", "anyOf", "oneOf", "enum", "not")
_GEMINI: Final = frozenset(
    {
        "type", "format", "title", "description", "nullable", "enum", "maxItems", "minItems", "properties",
        "required", "minProperties", "maxProperties", "minLength", "maxLength", "pattern", "example", "anyOf",
        "propertyOrdering", "default", "items", "minimum", "maximum",
    }
)  # fmt: skip
_STRICT: Final = frozenset(
    {
        "type", "title", "description", "properties", "required", "additionalProperties", "items", "enum", "const",
        "anyOf", "pattern", "format", "multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum",
        "minItems", "maxItems",
    }
)  # fmt: skip
_COHERE_LACKS: Final = frozenset(
    {
        "anyOf", "allOf", "oneOf", "not", "maximum", "minimum", "maxItems", "minItems", "maxLength", "minLength",
        "uniqueItems", "additionalProperties",
    }
)  # fmt: skip

Problems = Iterator[str]


def _inside(schema: Any) -> Iterator[Mapping[str, Any]]:
    """Yield a schema and all schemas that it holds."""
    if not isinstance(schema, Mapping):
        return
    yield schema
    for key in ("properties", "$defs", "patternProperties"):
        for inner in schema.get(key, {}).values():
            yield from _inside(inner)
    for key in ("items", "additionalProperties", "not", "contains"):
        yield from _inside(schema.get(key))
    for key in ("anyOf", "oneOf", "allOf", "prefixItems"):
        for inner in schema.get(key, ()):
            yield from _inside(inner)


def _types(schema: Mapping[str, Any]) -> list[str]:
    kind = schema.get("type", [])
    return kind if isinstance(kind, list) else [kind]


def _top(schema: Mapping[str, Any]) -> Problems:
    if schema.get("type") != "object":
        yield "the top is no object"
    yield from (f"{key} at the top" for key in _UNIONS if key in schema)


def _items(schema: Mapping[str, Any]) -> Problems:
    yield from ("no items" for one in _inside(schema) if "array" in _types(one) and "items" not in one)


def _names(schema: Mapping[str, Any], pattern: str) -> Problems:
    names = (name for one in _inside(schema) for name in one.get("properties", {}))
    yield from (f"the name {name!r}" for name in names if not re.fullmatch(pattern, name))


def openai(schema: Mapping[str, Any]) -> Problems:
    yield from _top(schema)
    yield from _items(schema)


def openai_strict(schema: Mapping[str, Any]) -> Problems:
    yield from openai(schema)
    for one in _inside(schema):
        yield from (f"{key} is unknown" for key in one if key not in _STRICT)
        if "type" not in one and "anyOf" not in one:
            yield "no type"
        if "object" in _types(one):
            if one.get("additionalProperties") is not False:
                yield "open object"
            if sorted(one.get("required", [])) != sorted(one.get("properties", {})):
                yield "not all is required"


def anthropic(schema: Mapping[str, Any]) -> Problems:
    yield from (problem for problem in _top(schema) if problem not in {"enum at the top", "not at the top"})
    yield from _names(schema, r"[A-Za-z0-9_.-]{1,64}")


def anthropic_strict(schema: Mapping[str, Any]) -> Problems:
    yield from anthropic(schema)
    for one in _inside(schema):
        yield from (
            f"{key} is unknown" for key in ("maximum", "minimum", "maxLength", "minLength", "$ref") if key in one
        )
        if "object" in _types(one) and one.get("additionalProperties") is not False:
            yield "open object"
        if one.get("minItems", 0) > 1:
            yield "minItems"


def gemini(schema: Mapping[str, Any]) -> Problems:
    yield from _top(schema)
    yield from _items(schema)
    yield from _names(schema, r"[A-Za-z_][A-Za-z0-9_]{0,63}")
    for one in _inside(schema):
        yield from (f"{key} is unknown" for key in one if key not in _GEMINI)
        kind = one.get("type")
        if "anyOf" in one:
            if len(one) > 1:
                yield "anyOf is not alone"
            continue
        if not isinstance(kind, str) or kind == "null":
            yield f"the type {kind!r}"
        if "enum" in one and not (kind == "string" and all(isinstance(value, str) and value for value in one["enum"])):
            yield "enum of others than texts"
        if kind != "object" and {"properties", "required"} & set(one):
            yield "properties of no object"
        if kind == "object" and one is not schema and not one.get("properties"):
            yield "an object without properties"
        if set(one.get("required", ())) - set(one.get("properties", {})):
            yield "requires what is not there"
        if kind == "string" and one.get("format", "enum") not in {"date-time", "enum"}:
            yield "format"


def bedrock(schema: Mapping[str, Any]) -> Problems:
    yield from anthropic(schema)
    yield from (f"{key} at the top" for key in schema if key not in {"type", "properties", "required"})


def cohere_strict(schema: Mapping[str, Any]) -> Problems:
    if not schema.get("required"):
        yield "nothing is required"
    yield from (f"{key} is unknown" for one in _inside(schema) for key in one if key in _COHERE_LACKS)


def ollama(schema: Mapping[str, Any]) -> Problems:
    yield from (f"{key} at the top" for key in schema if key not in {"type", "properties", "required"})


def anything(_: Mapping[str, Any]) -> Problems:
    return iter(())


RULES: Final[dict[str, tuple[Callable[[Mapping[str, Any]], Problems], Callable[[Mapping[str, Any]], Problems]]]] = {
    "openai": (openai, openai_strict),
    "openai-chat": (openai, openai_strict),
    "azure-openai": (openai, openai_strict),
    "openrouter": (openai, openai_strict),
    "mistral": (openai, openai_strict),
    "groq": (openai, openai),
    "huggingface": (openai, openai),
    "minimax": (openai, openai),
    "zhipu": (openai, openai),
    "anthropic": (anthropic, anthropic_strict),
    "bedrock": (bedrock, anthropic_strict),
    "gemini": (gemini, gemini),
    "cohere": (openai, cohere_strict),
    "ollama": (ollama, ollama),
    "mcp": (anything, anything),
}
"""What each provider refuses, and what it refuses of a schema that it shall hold its model to."""
