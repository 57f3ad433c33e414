"""What each provider takes of JSON Schema."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class WireEffect(StrEnum):
    """What becomes of something that a provider does not know, if it is sent as it is."""

    DROPPED = "dropped"
    CHANGED = "changed"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Dialect:
    """Say what a provider takes of JSON Schema.

    Attributes:
        known: The keywords that it knows; None when it knows all.
        root: The keywords that it takes at the top; None when it takes all that it knows.
        unknown: What becomes of other keywords.
        references: Whether `$ref` may stand anywhere.
        unresolved: What becomes of a reference where none may stand.
        root_unions: Whether `anyOf`, `oneOf`, `allOf`, `enum` and `not` may stand at the top.
        type_lists: Whether `type` may be a list.
        nullable: Whether null is written as `nullable` beside a type.
        typed: Whether each schema needs a type, and has only the keywords of that type.
        needs_items: Whether each array needs `items`.
        string_enums: Whether `enum` lists texts alone.
        lone_unions: Whether nothing may stand beside `anyOf`.
        free_objects: Whether an object below the top may have properties that nobody listed.
        closed: Whether each object has to say that it has no other properties.
        all_required: Whether each object has to require all its properties.
        some_required: Whether the top has to require one of its properties at least.
        formats: The values of `format` for each type; None when any will do.
        most_min_items: The largest `minItems`; None when any will do.
        property_name: What a property may be called.
        most_properties: How many properties one tool may have in all; None when nobody says.
        deepest: How many objects may stand in each other; None when nobody says.
        most_enum_values: How many values all `enum` may have together; None when nobody says.
    """

    known: frozenset[str] | None = None
    root: frozenset[str] | None = None
    unknown: WireEffect = WireEffect.REFUSED
    references: bool = True
    unresolved: WireEffect = WireEffect.REFUSED
    root_unions: bool = False
    type_lists: bool = True
    nullable: bool = False
    typed: bool = False
    needs_items: bool = False
    string_enums: bool = False
    lone_unions: bool = False
    free_objects: bool = True
    closed: bool = False
    all_required: bool = False
    some_required: bool = False
    formats: Mapping[str, frozenset[str]] | None = None
    most_min_items: int | None = None
    property_name: re.Pattern[str] | None = None
    most_properties: int | None = None
    deepest: int | None = None
    most_enum_values: int | None = None


_WORDS: Final = frozenset({"type", "title", "description", "enum", "properties", "required", "items", "anyOf"})
_FORMATS_OF_TEXT: Final = frozenset(
    {"date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time", "uuid"}
)

ANY: Final = Dialect(root_unions=True)
"""All of JSON Schema. Source: MCP 2025-11-25, "Tools" (`inputSchema` is JSON Schema 2020-12)."""

OPENAI: Final = Dialect(needs_items=True)
"""Source: the API's own refusals: "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at
the top level" (langchainjs #9804) and "array schema missing items" (fastmcp #2464, also beside `prefixItems`)."""

OPENAI_STRICT: Final = Dialect(
    known=_WORDS
    | {"additionalProperties", "const", "exclusiveMaximum", "exclusiveMinimum", "format", "maxItems", "maximum"}
    | {"minItems", "minimum", "multipleOf", "pattern"},
    references=False,
    unresolved=WireEffect.CHANGED,
    typed=True,
    needs_items=True,
    free_objects=False,
    closed=True,
    all_required=True,
    formats={"string": _FORMATS_OF_TEXT},
    most_properties=5_000,
    deepest=10,
    most_enum_values=1_000,
)
"""Source: OpenAI, "Structured outputs", "Supported schemas" (as of February 2026). References are allowed there, but
nothing beside them, so they are inlined."""

COMPATIBLE: Final = Dialect(needs_items=True, references=False, unresolved=WireEffect.CHANGED)
"""OpenAI's rules for those who take OpenAI's format and document no schema of their own.

References are inlined because the chat templates of many models print a definition without following them.
"""

ANTHROPIC: Final = Dialect(property_name=re.compile(r"[A-Za-z0-9_.-]{1,64}"))
"""Source: the API's refusal "input_schema does not support oneOf, allOf, or anyOf at the top level" (claude-code
#40075), and Anthropic's guide to self-hosted sandboxes on the names of properties."""

ANTHROPIC_STRICT: Final = Dialect(
    known=_WORDS | {"additionalProperties", "const", "default", "format", "minItems", "pattern"},
    references=False,
    unresolved=WireEffect.CHANGED,
    free_objects=False,
    closed=True,
    formats={"string": _FORMATS_OF_TEXT | {"uri"}},
    most_min_items=1,
    property_name=ANTHROPIC.property_name,
)
"""Source: Anthropic, "Structured outputs", "JSON Schema limitations". References are allowed there unless they form a
circle; all are inlined."""

GEMINI: Final = Dialect(
    known=_WORDS
    | {"default", "example", "format", "maxItems", "maxLength", "maxProperties", "maximum", "minItems", "minLength"}
    | {"minProperties", "minimum", "nullable", "pattern", "propertyOrdering"},
    references=False,
    type_lists=False,
    nullable=True,
    typed=True,
    needs_items=True,
    string_enums=True,
    lone_unions=True,
    free_objects=False,
    formats={
        "string": frozenset({"date-time", "enum"}),
        "integer": frozenset({"int32", "int64"}),
        "number": frozenset({"double", "float"}),
    },
    property_name=re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}"),
)
"""Source: Gemini API, `Schema` and `FunctionDeclaration`, and the API's refusals: "Unknown name … Cannot find field"
(zed #44875), "enum: only allowed for STRING type" (OmniRoute #760), "properties: only allowed for OBJECT type"
(opencode #11889), "should be non-empty for OBJECT type" (browser-use #3786), "only 'enum' and 'date-time' are supported
for STRING type" (gemini-cli #3178), "type: must be specified when not using one_of, any_of" (LibreChat #6971)."""

BEDROCK: Final = Dialect(
    root=frozenset({"type", "properties", "required"}), references=False, property_name=ANTHROPIC.property_name
)
"""Source: Amazon Nova, "Defining a tool" (only `type`, `properties` and `required` at the top; pydantic-ai #1623), and
Claude's own rules, since Converse hands a schema on to the model."""

BEDROCK_STRICT: Final = Dialect(
    known=ANTHROPIC_STRICT.known,
    references=False,
    unresolved=WireEffect.CHANGED,
    free_objects=False,
    closed=True,
    formats=ANTHROPIC_STRICT.formats,
    most_min_items=1,
    property_name=ANTHROPIC.property_name,
)
"""Source: Amazon Bedrock, `ToolSpecification.strict`. The subset is taken to be Anthropic's, whose models have it."""

COHERE_STRICT: Final = Dialect(
    known=(_WORDS | {"const", "default", "format", "pattern"}) - {"anyOf"},
    references=False,
    unresolved=WireEffect.CHANGED,
    free_objects=False,
    typed=True,
    type_lists=False,
    some_required=True,
    formats={"string": frozenset({"date", "date-time", "time", "uuid"})},
    most_properties=200,
)
"""Source: Cohere, "Structured outputs", "Unsupported schema features", and "Important notes on using strict_tools" (its
200 fields are those of all tools together)."""

OLLAMA: Final = Dialect(
    known=_WORDS - {"title"}, root=frozenset({"type", "properties", "required"}), unknown=WireEffect.DROPPED,
    references=False, unresolved=WireEffect.DROPPED,
)  # fmt: skip
"""Source: ollama #10091 and `ToolProperty` of its API (other keywords are not read, and so never reach the model)."""
