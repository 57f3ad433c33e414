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

from tools.errors import DeclarationError
from tools.schema import for_callable, for_type, output_for, response_envelope
from tools.spec import Param

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


@pytest.mark.reference("E7")
def test_a_callable_is_described_as_an_object_of_its_parameters() -> None:
    def search(
        pattern: Annotated[str, Param("What to look for", name="regex")],
        node: Node | None = None,
        *args: int,
        limit: Annotated[int, Param(default=7, unit="lines")],
        **rest: int,
    ) -> list[str]:
        return []

    document = for_callable(search)
    assert document["title"].endswith("search")
    assert list(document["properties"]) == ["regex", "node", "limit"]
    assert document["required"] == ["regex"]
    assert document["properties"]["regex"] == {"type": "string", "title": "str", "description": "What to look for"}
    assert document["properties"]["limit"] == {"type": "integer", "title": "int", "default": 7, "x-unit": "lines"}
    assert "Recursive reference" in json.dumps(document["properties"]["node"])
    jsonschema.Draft202012Validator.check_schema(document)


def test_a_callable_whose_hints_cannot_be_read_is_refused_by_name() -> None:
    def bad(value: NotThere) -> None:  # type: ignore[name-defined]  # noqa: F821
        return None

    with pytest.raises(DeclarationError, match=r"bad: its type hints cannot be read"):
        for_callable(bad)
    with pytest.raises(DeclarationError, match="has no JSON Schema"):
        for_type(Callable[[], int])


@pytest.mark.reference("E9")
def test_the_envelope_holds_the_result_beside_status_logs_and_attachments() -> None:
    envelope = response_envelope(for_type(Node, mode="serialization"))
    assert {"status", "result", "error", "logs", "attachments", "elapsed_s", "feedback"} <= set(envelope["properties"])
    assert "result" in envelope["required"]
    assert envelope["properties"]["result"]["title"] == f"{HERE}.Node"
    response = {
        "status": "executed",
        "result": {"name": "a"},
        "error": None,
        "logs": [{"offset_s": 0.1, "level": "info", "text": "done"}],
        "attachments": [{"name": "a.png", "mime_type": "image/png", "data": "aGk="}],
        "elapsed_s": 0.5,
    }
    jsonschema.validate(response, envelope)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**response, "status": "great"}, envelope)


@pytest.mark.reference("E10")
def test_the_envelope_of_nothing_has_no_result() -> None:
    envelope = response_envelope(output_for(None, owner="o").output_schema)
    assert "result" not in envelope["properties"]
    assert "result" not in envelope["required"]


@pytest.mark.reference("E11")
def test_the_envelope_takes_the_definitions_of_the_result_along() -> None:
    schema = output_for(Node, owner="o").output_schema
    assert schema is not None
    assert "$ref" in json.dumps(schema)
    envelope = response_envelope(schema, dialect="openapi-3.0", statuses=("ok",))
    assert "$ref" not in json.dumps(envelope)
    assert envelope["properties"]["status"]["enum"] == ["ok"]
    assert envelope["properties"]["error"]["nullable"] is True


def test_validation_and_serialization_are_described_as_they_differ() -> None:
    class Renamed(BaseModel):
        x: int = Field(validation_alias="in", serialization_alias="out")

    assert list(for_type(Renamed)["properties"]) == ["in"]
    assert list(for_type(Renamed, mode="serialization")["properties"]) == ["out"]
