"""What a provider would do to a schema, keyword by keyword, and what is sent instead."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from tests.relevance import server_definitions
from tests.tools.wire.pydantic_schemas import SCHEMAS, Chain
from tests.tools.wire.rules import RULES
from tests.tools.wire.samples import BUILT_IN
from tools.wire import PROVIDERS, Provider, ToolDefinition, WrittenTool, dialects
from tools.wire.fidelity import Fix, fit

every_provider = pytest.mark.parametrize("provider", PROVIDERS.values(), ids=PROVIDERS)


def object_of(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def findings_of(schema: dict[str, Any], name: str) -> list[tuple[str, str, str, str]]:
    return [tuple(map(str, found)) for found in fit(schema, getattr(dialects, name)).findings]  # type: ignore[misc]


@pytest.mark.parametrize(
    ("dialect", "schema", "findings", "sent"),
    [
        ("GEMINI", {"additionalProperties": False, "type": "string"},
         ["/properties/a additionalProperties refused remove"], {"type": "string"}),
        ("GEMINI", {"type": ["string", "null"]}, ["/properties/a type refused nullable"],
         {"type": "string", "nullable": True}),
        ("GEMINI", {"type": ["string", "array"], "items": {"type": "string"}, "description": "One or more"},
         ["/properties/a type refused any_of", "/properties/a anyOf refused move_inside"],
         {"anyOf": [{"description": "One or more", "type": "string"},
                    {"description": "One or more", "type": "array", "items": {"type": "string"}}]}),
        ("GEMINI", {"type": "integer", "enum": [1, 2]}, ["/properties/a enum refused describe"],
         {"type": "integer", "description": "(enum: [1,2])"}),
        ("GEMINI", {"enum": ["x", None]}, ["/properties/a enum refused nullable"],
         {"enum": ["x"], "nullable": True, "type": "string"}),
        ("GEMINI", {"type": "array"}, ["/properties/a items refused add_items"],
         {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "number"}, {"type": "boolean"}]}}),
        ("GEMINI", {"type": "string", "properties": {}}, ["/properties/a properties refused remove"],
         {"type": "string"}),
        ("GEMINI", {"type": "object"}, ["/properties/a properties refused as_text"],
         {"type": "string", "description": "A JSON object, written as text."}),
        ("GEMINI", {"const": "x"}, ["/properties/a const refused describe"], {"enum": ["x"], "type": "string"}),
        ("GEMINI", {"type": "string", "format": "uri"}, ["/properties/a format refused describe"],
         {"type": "string", "description": '(format: "uri")'}),
        ("OPENAI", {"type": "array", "prefixItems": [{"type": "number"}, {"type": "number"}]},
         ["/properties/a items refused add_items"],
         {"type": "array", "prefixItems": [{"type": "number"}, {"type": "number"}], "items": {"type": "number"}}),
        ("OPENAI", {"type": "string", "pattern": "^a$", "format": "uri"}, [], {"type": "string", "pattern": "^a$",
                                                                              "format": "uri"}),
        ("OPENAI", {"$ref": "https://example.org/other.json"}, ["/properties/a $ref refused remove"], {}),
        ("ANTHROPIC", {"oneOf": [{"type": "string"}, {"type": "object"}]}, [],
         {"oneOf": [{"type": "string"}, {"type": "object"}]}),
        ("OLLAMA", {"type": "string", "pattern": "^a$"}, ["/properties/a pattern dropped describe"],
         {"type": "string", "description": '(pattern: "^a$")'}),
    ],
)  # fmt: skip
def test_each_trap_is_named_and_mended(dialect: str, schema: Any, findings: list[str], sent: Any) -> None:
    fitted = fit(object_of(a=schema), getattr(dialects, dialect))
    assert [" ".join(map(str, found)) for found in fitted.findings] == findings
    assert fitted.schema["properties"]["a"] == sent


def test_strict_requires_all_and_lets_what_may_be_left_out_be_null() -> None:
    schema = {**object_of(a={"type": "string"}, b={"type": "integer", "default": 3}), "required": ["a"]}
    fitted = fit(schema, dialects.OPENAI_STRICT)
    assert fitted.schema == {
        "type": "object",
        "properties": {
            "a": {"type": "string"},
            "b": {"type": ["integer", "null"], "description": "(default: 3)"},
        },
        "required": ["a", "b"],
        "additionalProperties": False,
    }
    assert [(found.pointer, found.keyword, found.fix) for found in fitted.findings] == [
        ("/properties/b", "default", Fix.DESCRIBE),
        ("", "additionalProperties", Fix.CLOSE),
        ("/properties/b", "required", Fix.REQUIRE),
    ]


def test_where_something_has_to_be_required_the_first_argument_is() -> None:
    fitted = fit(object_of(zone={"type": "string", "default": "local"}, day={"type": "string"}), dialects.COHERE_STRICT)
    assert fitted.schema["required"] == ["zone"]
    assert [(found.pointer, found.keyword, found.fix) for found in fitted.findings] == [
        ("", "required", Fix.REQUIRE_ONE)
    ]
    assert findings_of(object_of(), "COHERE_STRICT") == [("", "required", "refused", "by_hand")]
    assert findings_of({**object_of(a={"type": "string"}), "required": ["a"]}, "COHERE_STRICT") == []


def test_a_reference_is_written_out_and_a_circle_ends() -> None:
    fitted = fit({"$ref": "#/$defs/Chain", **Chain.model_json_schema()}, dialects.GEMINI)
    assert "$ref" not in str(fitted.schema)
    assert {(found.pointer, found.fix) for found in fitted.findings if found.keyword == "$ref"} >= {
        ("", Fix.INLINE),
        ("/$defs/Chain/properties/next/anyOf/0", Fix.CUT),
    }


@pytest.mark.parametrize("name", ["OPENAI", "ANTHROPIC", "GEMINI", "COMPATIBLE"])
def test_unions_at_the_top_become_one_object(name: str) -> None:
    schema = {
        "oneOf": [
            {**object_of(path={"type": "string"}, lines={"type": "integer"}), "required": ["path"]},
            {**object_of(path={"type": "string"}, url={"type": "string"}), "required": ["path", "url"]},
        ]
    }
    fitted = fit(schema, getattr(dialects, name))
    assert list(fitted.schema["properties"]) == ["path", "lines", "url"]
    assert fitted.schema["required"] == ["path"]
    assert fitted.schema["type"] == "object"
    assert findings_of(schema, name)[0] == ("", "oneOf", "refused", "merge")


@pytest.mark.parametrize(("name", "allowed"), [("GEMINI", "a_b"), ("ANTHROPIC", "a.b-c")])
def test_a_name_that_cannot_be_rewritten_is_left_to_the_author(name: str, allowed: str) -> None:
    written = findings_of(object_of(**{"a/b c": {"type": "string"}, allowed: {"type": "string"}}), name)
    assert written == [("/properties/a~1b c", "a/b c", "refused", "by_hand")]


def test_more_than_a_strict_schema_may_hold_is_told() -> None:
    many = object_of(**{f"p{number}": {"type": "string"} for number in range(5_001)})
    assert ("", "properties", "refused", "by_hand") in findings_of(many, "OPENAI_STRICT")
    deep: dict[str, Any] = {"type": "string"}
    for _ in range(11):
        deep = object_of(a=deep)
    assert ("", "type", "refused", "by_hand") in findings_of(deep, "OPENAI_STRICT")
    assert all(found[3] != "by_hand" for found in findings_of(deep["properties"]["a"], "OPENAI_STRICT"))


@every_provider
@pytest.mark.parametrize("strict", [False, True], ids=["lenient", "strict"])
@given(SCHEMAS)
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_any_schema_of_pydantic_is_sent_as_the_provider_takes_it_or_the_report_says_why_not(
    provider: Provider, strict: bool, schema: dict[str, Any]
) -> None:
    written = provider.write(ToolDefinition("find", "Find it.", schema), strict=strict)
    parameters = _parameters(written.document)
    assert set(RULES[provider.name][strict](parameters)) <= told(written)
    dialect = provider.strict if strict and provider.strict is not None else provider.dialect
    again = fit(parameters, dialect)
    assert again.schema == parameters
    assert {found.fix for found in again.findings} <= {Fix.BY_HAND}


@every_provider
@pytest.mark.parametrize("strict", [False, True], ids=["lenient", "strict"])
def test_tools_of_ours_and_of_servers_are_sent_as_the_provider_takes_them(provider: Provider, strict: bool) -> None:
    for definition in (*BUILT_IN, *server_definitions()):
        written = provider.write(definition, strict=strict)
        assert set(RULES[provider.name][strict](_parameters(written.document))) <= told(written), definition.name
        # No argument at all is what nobody can rewrite.
        assert not written.refused or not definition.parameters.get("properties")


def told(written: WrittenTool) -> set[str]:
    """Return what the report says that only the tool's author can change, in the words of the rules."""
    return {
        "nothing is required" if found.keyword == "required" else f"the name {found.keyword!r}"
        for found in written.refused
    }


def _parameters(document: dict[str, Any]) -> dict[str, Any]:
    inner = document.get("function") or document.get("toolSpec") or document
    found = inner.get("parameters") or inner.get("input_schema") or inner.get("inputSchema") or {"type": "object"}
    written: dict[str, Any] = found.get("json", found)
    return written


def test_nothing_is_rewritten_when_it_shall_stay_as_it_is() -> None:
    schema = object_of(a={"type": ["string", "null"]})
    written = PROVIDERS["gemini"].write(ToolDefinition("find", "", schema), rewrite=False)
    assert written.document["parameters"] == schema
    assert [found.fix for found in written.findings] == [Fix.NULLABLE]
