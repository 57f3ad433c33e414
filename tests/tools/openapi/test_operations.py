"""Documents of every kind, as operations."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.tools.openapi.documents import PETSTORE, REPOSITORIES, WEBHOOKS, document, encoded, operation, parameter
from tools.errors import ApiError
from tools.openapi.document import LARGEST_BYTES, parsed_document
from tools.openapi.operations import MOST_OPERATIONS, ApiContents, Operation, contents_of


def read(content: Any, **options: str) -> ApiContents:
    data = content.encode() if isinstance(content, str) else encoded(content)
    return contents_of(parsed_document(data, "things.json"), **options)


def only(content: Any, **options: str) -> Operation:
    contents = read(content, **options)
    assert contents.problems == ()
    (found,) = contents.operations
    return found


def problem_of(content: Any) -> str:
    contents = read(content)
    (problem,) = contents.problems
    return problem


def test_a_pet_store_in_yaml_becomes_operations() -> None:
    contents = read(PETSTORE)

    assert contents.problems == ()
    assert contents.title == "Pet Store API"
    assert [(one.name, one.key, one.effect, one.tag) for one in contents.operations] == [
        ("listPets", "GET /pets", "reads", "pets"),
        ("createPet", "POST /pets", "changes", "pets"),
        ("getPet", "GET /pets/{petId}", "reads", "pets"),
        ("deletePet", "DELETE /pets/{petId}", "deletes", "pets"),
        ("get_pets_petId_photo", "GET /pets/{petId}/photo", "reads", ""),
        ("put_pets_petId_photo", "PUT /pets/{petId}/photo", "changes", ""),
    ]
    assert {one.server for one in contents.operations} == {"https://pets.example.org/v1"}
    assert [scheme.parameter for scheme in contents.needed] == ["X-API-Key"]
    assert contents.operations[0].security == ()
    assert contents.operations[3].summary == "Deprecated: DELETE /pets/{petId}"


def test_schemas_of_3_0_are_written_in_the_words_of_json_schema() -> None:
    list_pets, create_pet = read(PETSTORE).operations[:2]

    assert list_pets.input_schema["properties"]["limit"] == {"type": "integer", "maximum": 100, "exclusiveMinimum": 0}
    sent = create_pet.input_schema["$defs"]["Pet"]
    # What only the server says is not sent; what is only sent is not in its answer.
    assert sent["properties"].keys() == {"name", "tag", "mother", "secret"}
    assert sent["required"] == ["name"]
    assert sent["properties"]["tag"]["type"] == ["string", "null"]
    assert sent["properties"]["name"]["examples"] == ["Rex"]
    assert sent["properties"]["mother"] == {"$ref": "#/$defs/Pet"}
    assert create_pet.output_schema is not None
    assert create_pet.output_schema["$defs"]["Pet"]["properties"].keys() == {"id", "name", "tag", "mother"}
    assert create_pet.input_schema["properties"]["body"] == {"$ref": "#/$defs/Pet", "description": "The new pet"}


def test_a_part_of_a_code_host_is_read() -> None:
    contents = read(REPOSITORIES)

    assert contents.problems == ()
    listing, create, upload = contents.operations
    assert listing.name == "issues_list-for-repo"
    assert list(listing.input_schema["properties"]) == ["owner", "repo", "state", "labels", "page"]
    milestone = create.input_schema["properties"]["body"]["properties"]["milestone"]
    assert milestone == {"anyOf": [{"oneOf": [{"type": "string"}, {"type": "integer"}]}, {"type": "null"}]}
    assert listing.output_schema is not None
    assert listing.output_schema["$defs"]["nullable-user"]["type"] == ["object", "null"]
    assert upload.server == "https://uploads.code.example"
    assert upload.input_schema["properties"]["body"]["contentEncoding"] == "base64"


def test_a_document_of_3_1_with_webhooks_and_lists_of_types_is_read() -> None:
    contents = read(WEBHOOKS)

    assert contents.problems == ()
    order, health = contents.operations
    assert order.input_schema["required"] == ["body"]
    assert order.input_schema["$defs"]["Order"]["properties"]["note"] == {
        "type": ["string", "null"],
        "examples": ["Ring twice"],
    }
    assert health.name == "get_health"


def test_parameters_of_the_same_name_are_told_apart_by_their_place() -> None:
    found = only(
        document(
            {
                "/things/{id}": {
                    "post": operation(
                        parameter("id", "cookie"),
                        parameter("id", "header"),
                        parameter("id", "query"),
                        parameter("id", "path"),
                        parameter("body", "query"),
                        requestBody={"content": {"application/json": {"schema": {"type": "object"}}}},
                    )
                }
            }
        )
    )

    assert [(one.argument, one.place) for one in found.parameters] == [
        ("id", "path"),
        ("query_id", "query"),
        ("body", "query"),
        ("header_id", "header"),
        ("cookie_id", "cookie"),
    ]
    assert found.body is not None
    assert found.body.argument == "request_body"


def test_names_are_unique_legal_and_the_same_every_time() -> None:
    content = document(
        {
            "/a": {"get": operation(operationId="list all/things"), "post": operation(operationId="list all things")},
            "/b/{x}": {"get": operation(parameter("x", "path"))},
            "/c": {"get": operation(operationId="x" * 200), "put": operation(operationId="x" * 200)},
            "/ü": {"get": operation()},
        }
    )

    names = [one.name for one in read(content).operations]

    assert names == ["list_all_things", "list_all_things_2", "get_b_x", "x" * 64, "x" * 58 + "_2", "get"]
    assert names == [one.name for one in read(content).operations]


def test_a_parameter_of_the_operation_takes_the_place_of_one_of_its_path() -> None:
    shared = parameter("page", "query", {"type": "integer"})
    own = parameter("page", "query", {"type": "string"}, required=True, description="Which one")
    found = only(document({"/a": {"parameters": [shared], "get": operation(own)}}))

    assert found.input_schema["properties"] == {"page": {"type": "string", "description": "Which one"}}
    assert found.input_schema["required"] == ["page"]


def test_what_is_sent_as_a_key_is_no_argument() -> None:
    scheme = {"type": "apiKey", "in": "query", "name": "key"}
    content = document(
        {"/a": {"get": operation(parameter("key", "query"), parameter("Authorization", "header"))}},
        security=[{"k": []}],
        components={"securitySchemes": {"k": scheme}},
    )

    assert only(content).input_schema["properties"] == {}


@pytest.mark.parametrize(
    ("address", "url", "expected"),
    [
        ("https://example.org/docs/openapi.json", "/v2", "https://example.org/v2"),
        ("https://example.org/docs/openapi.json", "v2", "https://example.org/docs/v2"),
        ("https://example.org/docs/openapi.json", "https://api.example.org", "https://api.example.org"),
        ("", "https://api.example.org/{v}", "https://api.example.org/7"),
    ],
)
def test_addresses_are_relative_to_the_document_and_have_variables(address: str, url: str, expected: str) -> None:
    server = {"url": url, "variables": {"v": {"default": 7}}}

    assert only(document({"/a": {"get": operation()}}, servers=[server]), address=address).server == expected


def test_a_base_address_takes_the_place_of_all_others() -> None:
    content = document({"/a": {"get": operation(servers=[{"url": "https://evil.example"}])}})

    assert only(content, base="http://localhost:8000").server == "http://localhost:8000"


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (operation(parameter("id", "body")), "has no name, or no place among path, query, header, cookie"),
        ({"parameters": ["id"]}, "expected a parameter to be an object, got a text"),
        ([1], "expected the operation to be an object, got a list"),
        (operation({"$ref": "#/components/parameters/none"}), "which is not in the document"),
        (operation({"$ref": "other.yaml#/x"}), "refers to another document, 'other.yaml#/x'"),
        (operation({"$ref": "#/components/parameters/circle"}), "refers to itself in a circle"),
        (operation(parameter("q", "query", {"type": "file"})), "not a valid JSON Schema at /properties/q/type"),
        (operation(parameter("q", "query", {"$ref": "#/components/schemas/none"})), "is not in the document"),
        (operation(parameter("q", "query", style="matrix")), "has the style 'matrix'; expected one of form"),
        (operation(requestBody={"description": "x"}), "does not say of which media type it is"),
        (operation(security=[{"none": []}]), "asks for the security scheme 'none', which is not described"),
        (operation(security=[{"tls": []}]), "'tls' is of a kind that is not known here: mutualTLS"),
    ],
)
def test_a_broken_operation_is_reported_and_takes_no_other_along(broken: Any, message: str) -> None:
    content = document(
        {"/broken": {"get": broken}, "/sound": {"get": operation()}},
        components={
            "parameters": {"circle": {"$ref": "#/components/parameters/circle"}},
            "securitySchemes": {"tls": {"type": "mutualTLS"}},
        },
    )

    contents = read(content)

    assert [one.key for one in contents.operations] == ["GET /sound"]
    assert any(message in problem for problem in contents.problems if problem.startswith("GET /broken: "))


def test_a_path_that_names_what_is_no_parameter_is_reported() -> None:
    assert "its path names id, which is no parameter of it" in problem_of(document({"/a/{id}": {"get": operation()}}))


def test_an_answer_that_cannot_be_read_costs_only_its_description() -> None:
    answer = {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/none"}}}}}
    contents = read(document({"/a": {"get": {"responses": answer}}}))

    assert contents.operations[0].output_schema is None
    assert contents.problems[0].startswith("GET /a: its answer is not described, refers to")


def deep(levels: int) -> str:
    return '{"openapi":"3.1.0","paths":' + '{"/a":' * levels + "1" + "}" * levels + "}"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ('{"swagger": "2.0", "paths": {}}', "is Swagger 2.0; expected OpenAPI 3.0 or 3.1, so convert it first"),
        ('{"openapi": "4.0.0"}', "is of OpenAPI '4.0.0'; expected 3.0 or 3.1"),
        ('{"openapi": {"a": 1}}', "expected 3.0 or 3.1"),
        ("openapi: 2.0\n", "is of OpenAPI '2"),
        ('{"info": {}}', "expected `openapi` with its version at the top"),
        ("- 1\n- 2\n", "expected an object at the top, got a list"),
        ("", "expected an object at the top"),
        ("just words", "expected an object at the top, got a text"),
        ("{not json", "is no JSON"),
        ("a: [b\n", "is no YAML"),
        ('{"openapi": "3.1.0", "paths": []}', "expected `paths` to be an object"),
        ('{"openapi": "3.1.0", "paths": {}}', "has no operations"),
        ('{"openapi": "3.1.0"}', "has no operations"),
        (deep(150), "is nested deeper than 100 levels"),
        (deep(100_000), "is no JSON"),
        ("openapi: 3.1.0\npaths: &a\n  b: *a\n", "is nested deeper than 100 levels"),
        (f"openapi: 3.1.0\nx: {'[' * 3000}{']' * 3000}\n", "is nested deeper than 100 levels"),
    ],
)
def test_a_document_that_cannot_be_used_gets_one_sentence(data: str, message: str) -> None:
    with pytest.raises(ApiError) as caught:
        read(data)

    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_bytes_that_are_no_text_and_too_many_get_a_sentence() -> None:
    with pytest.raises(ApiError, match="is no UTF-8 text"):
        parsed_document(b"\xff\xfe\x00", "x")
    with pytest.raises(ApiError, match="is larger than"):
        parsed_document(b" " * (LARGEST_BYTES + 1), "x")


def test_aliases_that_double_get_a_sentence() -> None:
    lines = ["openapi: 3.1.0", "a0: &a0 [x]", *(f"a{n}: &a{n} [{f'*a{n - 1}, ' * 10}]" for n in range(1, 12))]

    with pytest.raises(ApiError, match="has more than 2,000,000 values"):
        read("\n".join(lines))


def test_too_many_operations_get_a_sentence() -> None:
    content = document({f"/{number}": {"get": {}} for number in range(MOST_OPERATIONS + 1)})

    with pytest.raises(ApiError, match="has 5,001 operations; expected at most 5,000"):
        read(content)


def test_schemas_that_refer_to_each_other_in_circles_are_read() -> None:
    schemas = {
        "A": {"type": "object", "properties": {"b": {"$ref": "#/components/schemas/B"}}},
        "B": {"type": "object", "properties": {"a": {"$ref": "#/components/schemas/A"}}},
        "Loop": {"$ref": "#/components/schemas/Loop"},
    }
    body = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}}}
    content = document({"/a": {"post": operation(requestBody=body)}}, components={"schemas": schemas})

    assert only(content).input_schema["$defs"].keys() == {"A", "B"}
    schemas["A"] = {"$ref": "#/components/schemas/Loop"}
    contents = read(content)
    assert len(contents.operations) + len(contents.problems) == 1


def test_values_that_only_look_like_references_stay() -> None:
    schema = {"type": "object", "default": {"$ref": "#/$defs/none"}, "properties": {"$ref": {"type": "string"}}}
    found = only(document({"/a": {"get": operation(parameter("q", "query", schema))}}))

    assert found.input_schema["properties"]["q"] == schema
    assert json.dumps(found.input_schema)


def test_what_all_operations_of_a_large_api_refer_to_is_looked_through_once() -> None:
    count = 300
    schemas = {
        f"Thing{number}": {
            "type": "object",
            "properties": {
                "next": {"$ref": f"#/components/schemas/Thing{(number + 1) % count}"},
                "name": {"type": "string"},
            },
        }
        for number in range(count)
    }
    answer = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing0"}}}, "description": "ok"}
    paths = {f"/things{number}": {"get": {"responses": {"200": answer}}} for number in range(count)}
    contents = read(document(paths, components={"schemas": schemas}))
    assert len(contents.operations) == count
    assert contents.problems == ()
    (shared,) = {operation.shared for operation in contents.operations}
    assert len(shared.sound) == count
    assert all(len((operation.output_schema or {})["$defs"]) == count for operation in contents.operations)
