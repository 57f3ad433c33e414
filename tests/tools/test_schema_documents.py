from __future__ import annotations

import dataclasses
import decimal
import enum
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, TypeVar

import jsonschema
import pytest
from annotated_types import Gt, Lt
from pydantic import BaseModel, Field

from tests.relevance import server_definitions
from tools import ToolContext, resolve_tools, tool
from tools.catalog import builtin_tools
from tools.errors import DeclarationError
from tools.schema import SchemaStyle, for_type, in_form, output_for, response_envelope, titled_schemas
from tools.spec import Param
from tools.tool import Tool
from tools.wire import ToolDefinition

T = TypeVar("T")
HERE = __name__


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Leaf(BaseModel):
    """A leaf."""

    size: Annotated[int, Gt(0), Lt(9)] = 1


class Node(BaseModel):
    name: str
    children: list[Node] = []
    by_name: dict[str, Node] = {}
    parent: Node | None = None


class Box(BaseModel, Generic[T]):
    item: T


class Cat(BaseModel):
    kind: Literal["cat"]


class Dog(BaseModel):
    kind: Literal["dog"]


class Left(BaseModel):
    right: Right | None = None


class Right(BaseModel):
    left: Left | None = None


@dataclasses.dataclass
class Everything:
    colors: dict[str, list[Color]]
    pair: tuple[int, str]
    leaf: Leaf
    other: Annotated[Leaf, Field(description="Another one")]
    where: Path | None = None
    either: int | str = 0
    boxed: Box[list[Leaf]] | None = None
    raw: bytes = b""
    price: decimal.Decimal = decimal.Decimal(1)


def nodes(document: Any) -> Iterator[dict[str, Any]]:
    """Yield every schema in a document."""
    if not isinstance(document, dict):
        return
    yield document
    for key, value in document.items():
        if key == "properties":
            for inner in value.values():
                yield from nodes(inner)
        elif key in {"items", "additionalProperties", "not"}:
            yield from nodes(value)
        elif key in {"anyOf", "oneOf", "allOf", "prefixItems"}:
            for inner in value:
                yield from nodes(inner)


ALL_TYPES = [Everything, Node, list[Node], dict[str, Left], Left, Box[list[Leaf]], int | None, tuple[int, ...], Color]


@pytest.mark.reference("E8")
@pytest.mark.parametrize("tp", ALL_TYPES, ids=str)
@pytest.mark.parametrize("mode", ["validation", "serialization"])
def test_every_node_has_a_title(tp: Any, mode: Literal["validation", "serialization"]) -> None:
    assert all(node.get("title") for node in nodes(for_type(tp, mode=mode)))


@pytest.mark.reference("E8", "E13")
def test_titles_are_fully_qualified_with_their_generic_arguments() -> None:
    document = for_type(Everything)
    properties = document["properties"]
    assert document["title"] == f"{HERE}.Everything"
    assert {name: inner["title"] for name, inner in properties.items()} == {
        "colors": f"dict[str, list[{HERE}.Color]]",
        "pair": "tuple[int, str]",
        "leaf": f"{HERE}.Leaf",
        "other": f"{HERE}.Leaf",
        "where": "pathlib.Path | None",
        "either": "int | str",
        "boxed": f"{HERE}.Box[list[{HERE}.Leaf]] | None",
        "raw": "bytes",
        "price": "decimal.Decimal",
    }
    assert properties["colors"]["additionalProperties"]["title"] == f"list[{HERE}.Color]"
    assert properties["colors"]["additionalProperties"]["items"]["title"] == f"{HERE}.Color"
    assert [item["title"] for item in properties["pair"]["prefixItems"]] == ["int", "str"]
    assert [item["title"] for item in properties["where"]["anyOf"]] == ["pathlib.Path", "None"]


@pytest.mark.reference("E11")
@pytest.mark.parametrize("tp", ALL_TYPES, ids=str)
@pytest.mark.parametrize("dialect", ["2020-12", "openapi-3.0"])
def test_no_reference_and_no_definition_is_left(tp: Any, dialect: Literal["2020-12", "openapi-3.0"]) -> None:
    text = json.dumps(for_type(tp, dialect=dialect))
    assert "$ref" not in text
    assert "$defs" not in text


@pytest.mark.reference("E11")
def test_a_reference_keeps_the_words_beside_it_and_those_of_its_target() -> None:
    properties = for_type(Everything)["properties"]
    assert properties["leaf"]["description"] == "A leaf."
    assert properties["other"]["description"] == "Another one\n\nA leaf."
    assert properties["other"]["properties"]["size"]["exclusiveMaximum"] == 9


@pytest.mark.reference("E12")
def test_recursion_is_cut_by_a_node_that_says_so() -> None:
    document = for_type(Node)
    cut = document["properties"]["children"]["items"]
    assert cut["description"].startswith(f"Recursive reference to {HERE}.Node")
    assert cut["title"] == f"{HERE}.Node"
    assert "properties" not in cut
    assert document["properties"]["by_name"]["additionalProperties"] == cut
    back = for_type(Left)["properties"]["right"]["anyOf"][0]["properties"]["left"]["anyOf"][0]
    assert back["description"].startswith(f"Recursive reference to {HERE}.Left")


@pytest.mark.reference("E7")
def test_openapi_has_its_own_words() -> None:
    properties = for_type(Everything, dialect="openapi-3.0")["properties"]
    assert properties["where"]["nullable"] is True
    assert properties["where"]["type"] == "string"
    assert properties["pair"]["items"] == {
        "anyOf": [{"type": "integer", "title": "int"}, {"type": "string", "title": "str"}]
    }
    assert (properties["pair"]["minItems"], properties["pair"]["maxItems"]) == (2, 2)
    assert properties["leaf"]["properties"]["size"] == {
        "type": "integer",
        "title": "int",
        "default": 1,
        "minimum": 0,
        "exclusiveMinimum": True,
        "maximum": 9,
        "exclusiveMaximum": True,
    }
    assert properties["raw"]["format"] == "byte"
    assert for_type(Literal["a"], dialect="openapi-3.0")["enum"] == ["a"]
    assert for_type(None, dialect="openapi-3.0") == {"title": "None", "nullable": True, "enum": [None]}
    assert for_type(list, dialect="openapi-3.0")["items"] == {"title": "typing.Any"}
    for node in nodes(for_type(Everything, dialect="openapi-3.0")):
        assert not {"const", "prefixItems", "$schema", "contentEncoding", "examples"} & set(node)
        assert node.get("type") != "null"


def test_a_discriminator_names_its_property_without_pointing_anywhere() -> None:
    document = for_type(Annotated[Cat | Dog, Field(discriminator="kind")])
    assert document["discriminator"] == {"propertyName": "kind"}
    assert [member["title"] for member in document["oneOf"]] == [f"{HERE}.Cat", f"{HERE}.Dog"]


def described(function: Callable[..., Any]) -> tuple[dict[str, Any], dict[str, Any] | None]:
    made = resolve_tools([function])[0]
    return titled_schemas(made.arguments, made.output, made.owner)


@tool
async def look(
    pattern: Annotated[str, Param("What to look for", name="regex")],
    node: Node | None = None,
    *,
    ctx: ToolContext,
    limit: Annotated[int, Param("How many", default=7, unit="lines")],
) -> list[Leaf]:
    """Look for something."""
    ctx.log("info", f"{pattern} {node} {limit}")
    return []


@pytest.mark.reference("E7", "E8")
def test_a_tool_is_described_without_what_the_framework_gives_it() -> None:
    takes, gives = described(look)
    assert takes["title"].endswith("look")
    assert list(takes["properties"]) == ["regex", "node", "limit"]
    assert takes["required"] == ["regex"]
    assert takes["properties"]["regex"] == {"type": "string", "title": "str", "description": "What to look for"}
    assert takes["properties"]["limit"]["title"] == "int"
    assert takes["properties"]["limit"]["x-unit"] == "lines"
    assert "Recursive reference" in json.dumps(takes["properties"]["node"])
    assert gives is not None
    assert (gives["title"], gives["items"]["title"]) == (f"list[{HERE}.Leaf]", f"{HERE}.Leaf")
    jsonschema.Draft202012Validator.check_schema(takes)


def test_a_type_without_a_schema_is_refused() -> None:
    with pytest.raises(DeclarationError, match="has no JSON Schema"):
        for_type(Callable[[], int])


OPENAPI_SCHEMA: Any = {
    # Source: OpenAPI 3.0.4, "Schema Object"; there are no references in a schema of ours.
    "$id": "schema",
    "type": "object",
    "properties": {
        **{name: {"type": "string"} for name in ("title", "description", "format", "pattern")},
        **{name: {"type": "number"} for name in ("maximum", "minimum")},
        **{name: {"type": "boolean"} for name in ("exclusiveMaximum", "exclusiveMinimum", "uniqueItems", "nullable")},
        **{name: {"type": "boolean"} for name in ("deprecated", "readOnly", "writeOnly")},
        **{f"{end}{of}": {"type": "integer", "minimum": 0} for end in ("max", "min") for of in ("Length", "Items")},
        **{f"{end}Properties": {"type": "integer", "minimum": 0} for end in ("max", "min")},
        **{name: {"type": "array", "items": {"$ref": "#"}, "minItems": 1} for name in ("allOf", "anyOf", "oneOf")},
        "multipleOf": {"type": "number", "exclusiveMinimum": 0},
        "required": {"type": "array", "items": {"type": "string"}, "minItems": 1, "uniqueItems": True},
        "enum": {"type": "array", "minItems": 1},
        "type": {"enum": ["array", "boolean", "integer", "number", "object", "string"]},
        "not": {"$ref": "#"},
        "items": {"$ref": "#"},
        "properties": {"type": "object", "additionalProperties": {"$ref": "#"}},
        "additionalProperties": {"anyOf": [{"type": "boolean"}, {"$ref": "#"}]},
        "default": True,
        "example": True,
        "discriminator": {"type": "object", "required": ["propertyName"]},
    },
    "patternProperties": {"^x-": True},
    "additionalProperties": False,
    "if": {"properties": {"type": {"const": "array"}}, "required": ["type"]},
    "then": {"required": ["items"]},
}
OPENAPI = jsonschema.Draft202012Validator(OPENAPI_SCHEMA)


@pytest.mark.reference("E7", "E8", "E11")
@pytest.mark.parametrize("made", builtin_tools(), ids=lambda made: made.name)
def test_every_tool_of_the_catalogue_has_openapi_schemas(made: Tool) -> None:
    titled = titled_schemas(made.arguments, made.output, made.owner)
    for part in (*titled, response_envelope(titled[1])):
        if part is not None:
            written = in_form(part, SchemaStyle.OPENAPI)
            OPENAPI.validate(written)
            assert "$ref" not in json.dumps(written)
            assert all(node.get("title") for node in nodes(written))


@pytest.mark.reference("E7", "E11")
@pytest.mark.parametrize("definition", server_definitions(), ids=lambda one: one.name)
def test_the_schemas_of_real_servers_are_written_for_openapi(definition: ToolDefinition) -> None:
    for schema in (definition.parameters, definition.results):
        if schema is not None:
            written = in_form(schema, SchemaStyle.OPENAPI)
            OPENAPI.validate(written)
            assert '"$ref"' not in json.dumps(written)


@pytest.mark.reference("E7")
@pytest.mark.parametrize(
    "schema",
    [
        {"items": True, "anyOf": [True, False], "not": False},
        {"type": ["array", "null"]},
        {"type": ["null"]},
        {"type": ["array", "string", "null"], "anyOf": [{"minLength": 1}, {"minItems": 1}], "items": {"type": "null"}},
        {"const": None},
        {"anyOf": [{"const": None}, {"type": "null"}]},
        {"enum": [1, None], "required": [], "discriminator": "kind"},
        {"minimum": 5, "exclusiveMinimum": 3, "maximum": 7, "exclusiveMaximum": 9.5},
        {"prefixItems": [], "items": False, "type": "array"},
        {"type": "array", "items": [{"type": "string"}, True], "additionalItems": False},
        {"x-google": {"$ref": "elsewhere"}, "if": {"const": 1}, "$dynamicRef": "#a", "dependencies": {"a": ["b"]}},
        {"$ref": "https://example.org/other.json"},
        {"properties": {"$ref": {"type": "string"}, "self": {"$ref": "#"}, "other": {"$ref": "#/properties/self"}}},
        {"definitions": {"a/b~c": {"type": "integer"}}, "properties": {"n": {"$ref": "#/definitions/a~1b~0c"}}},
    ],
    ids=str,
)
def test_schemas_of_others_are_written_for_openapi(schema: dict[str, Any]) -> None:
    for form in SchemaStyle:
        written = in_form(schema, form)
        assert form is SchemaStyle.DECLARED or "elsewhere" in str(schema) or '"$ref": "' not in json.dumps(written)
        if form is SchemaStyle.OPENAPI:
            OPENAPI.validate(written)


@pytest.mark.reference("E11")
def test_limits_keep_the_stricter_one() -> None:
    written = in_form({"minimum": 5, "exclusiveMinimum": 3, "maximum": 9, "exclusiveMaximum": 7}, SchemaStyle.OPENAPI)
    assert written == {"minimum": 5, "maximum": 7, "exclusiveMaximum": True}


@pytest.mark.reference("E12")
def test_references_that_unfold_for_ever_end_with_a_node_that_says_so() -> None:
    double = {f"d{n}": {"anyOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(40)}
    wide = in_form({"$defs": {**double, "d40": {"type": "string"}}, "$ref": "#/$defs/d0"}, SchemaStyle.OPENAPI)
    assert "too large to be written without references" in json.dumps(wide)
    deep: dict[str, Any] = {}
    for _ in range(400):
        deep = {"type": "array", "items": deep}
    assert "too large to be written without references" in json.dumps(in_form(deep, SchemaStyle.INLINED))
    nowhere = in_form({"properties": {"a": {"$ref": "#/$defs/gone"}}}, SchemaStyle.INLINED)
    assert nowhere["properties"]["a"] == {"description": "Left out: '#/$defs/gone' leads to nothing in this schema."}


@pytest.mark.reference("E9")
def test_the_envelope_holds_the_result_beside_status_logs_and_attachments() -> None:
    envelope = response_envelope(for_type(Node, mode="serialization"))
    assert {"status", "result", "error", "logs", "attachments", "elapsed_s", "feedback"} <= set(envelope["properties"])
    assert envelope["then"] == {"required": ["result"]}
    assert envelope["properties"]["result"]["title"] == f"{HERE}.Node"
    jsonschema.Draft202012Validator.check_schema(envelope)


@pytest.mark.reference("E10")
def test_the_envelope_of_nothing_has_no_result() -> None:
    output = output_for(None, owner="o")
    assert output.returns_nothing
    envelope = response_envelope(output.output_schema)
    assert "result" not in {*envelope["properties"], *envelope["required"]}
    assert "then" not in envelope


@pytest.mark.reference("E11")
def test_the_envelope_has_the_references_of_the_result_inlined() -> None:
    schema = output_for(Node, owner="o").output_schema
    assert schema is not None
    assert "$ref" in json.dumps(schema)
    envelope = in_form(response_envelope(schema), SchemaStyle.OPENAPI)
    assert "$ref" not in json.dumps(envelope)
    assert envelope["properties"]["error"]["nullable"] is True


def test_validation_and_serialization_are_described_as_they_differ() -> None:
    class Renamed(BaseModel):
        x: int = Field(validation_alias="in", serialization_alias="out")

    assert list(for_type(Renamed)["properties"]) == ["in"]
    assert list(for_type(Renamed, mode="serialization")["properties"]) == ["out"]
