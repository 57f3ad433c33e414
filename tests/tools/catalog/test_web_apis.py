"""Operations of OpenAPI documents, against a real server on this computer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.tools.catalog.calling import Reviewer, call, failure_of, result_of
from tests.tools.catalog.web_server import LocalServer, Page, local_server
from tests.tools.openapi.documents import PETSTORE
from tools import CallStatus, DryRun, ExitEarly, resolve_tools
from tools.catalog.web import Web

REX = {"id": 7, "name": "Rex"}


@pytest.fixture
def server() -> Iterator[LocalServer]:
    with local_server() as local:
        local.pages["/api.yaml"] = Page(PETSTORE.encode(), "application/yaml")
        local.pages["/v1/pets"] = Page(json.dumps([REX]).encode(), "application/json")
        yield local


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "api.yaml").write_text(PETSTORE, encoding="utf-8")
    return tmp_path


def list_pets(server: LocalServer, **more: Any) -> dict[str, Any]:
    return {"document": "api.yaml", "operation": "listPets", "base_url": server.url("/v1"), **more}


def test_an_operation_is_called_by_its_id_or_its_path(server: LocalServer, folder: Path) -> None:
    reviewer = Reviewer()
    by_id = result_of(Web(), "call_api", list_pets(server, arguments={"limit": 5}), folder, reviewer)
    by_path = result_of(Web(), "call_api", list_pets(server, operation="get /pets"), folder, Reviewer())

    assert (by_id.operation, by_id.data, by_id.text) == ("GET /pets", [REX], "")
    assert by_path == by_id
    assert [seen.path for seen in server.seen] == ["/v1/pets?limit=5", "/v1/pets"]
    # Only because this computer is a private address; reading asks nobody.
    assert reviewer.kinds == ["private_host"]


def test_the_document_may_be_at_an_address(server: LocalServer, folder: Path) -> None:
    given = {"document_url": server.url("/api.yaml"), "operation": "listPets", "base_url": server.url("/v1")}

    assert result_of(Web(), "call_api", given, folder, Reviewer()).data == [REX]
    assert [seen.path for seen in server.seen] == ["/api.yaml", "/v1/pets"]


def test_what_is_no_reading_is_asked_about_and_sent_as_described(server: LocalServer, folder: Path) -> None:
    server.pages["/v1/pets"] = Page(json.dumps(REX).encode(), "application/json", 201)
    given = list_pets(server, operation="createPet", method="POST", arguments={"body": REX})
    assert call(Web(), "call_api", given, folder, Reviewer(ExitEarly())).status is CallStatus.DENIED
    assert server.seen == []

    reviewer = Reviewer()
    found = result_of(Web(), "call_api", given, folder, reviewer)

    assert found.data == REX
    assert (server.seen[0].method, json.loads(server.seen[0].body)) == ("POST", REX)
    assert reviewer.kinds == ["private_host", "sends_data"]
    details = [concern.detail for request in reviewer.requests for concern in request.concerns]
    assert f"POST for createPet to {server.url('/v1')}" in details


def test_a_header_goes_where_the_caller_says_and_nobody_sees_its_secret(server: LocalServer, folder: Path) -> None:
    server.pages["/v1/pets"] = Page(b'["sesame-0123"]', "application/json")
    headers = {"Authorization": "sesame-0123"}
    reviewer = Reviewer()

    found = result_of(Web(), "call_api", list_pets(server, headers=headers), folder, reviewer)

    assert server.seen[0].headers["authorization"] == "sesame-0123"
    assert "sesame" not in str(found)
    assert "sesame" not in str(reviewer.requests)
    elsewhere = {"document": "api.yaml", "operation": "listPets", "headers": headers}
    message = failure_of(Web(), "call_api", elsewhere, folder, Reviewer())
    assert message == "the headers would go to https://pets.example.org/v1, as the document says; pass it as base_url"


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"operation": "sellPet"}, "api.yaml has no operation 'sellPet'; there are listPets, createPet, getPet"),
        ({"operation": "createPet"}, "POST /pets is no GET; pass method='POST', and a person is asked first"),
        ({"method": "POST"}, "GET /pets is no POST; pass method='GET'"),
        (
            {"operation": "createPet", "method": "POST", "base_url": ""},
            "POST /pets goes to https://pets.example.org/v1; pass that as base_url, which a person is shown",
        ),
        ({"arguments": {"limit": "many"}}, "the arguments do not fit GET /pets: limit: "),
        ({"arguments": {"limits": 5}}, "the arguments do not fit GET /pets: limits: "),
        ({"document": "none.yaml"}, "expected the file of an OpenAPI document, found none at "),
        (
            {"document_url": "https://example.org/api.yaml"},
            "expected the document of the API: its file in document, or",
        ),
        ({"document": None, "document_url": "http://example.org/a"}, "expected document_url to start with https://"),
    ],
)
def test_what_cannot_be_called_says_what_to_do(
    server: LocalServer, folder: Path, more: dict[str, Any], message: str
) -> None:
    assert message in failure_of(Web(), "call_api", list_pets(server, **more), folder, Reviewer())
    assert server.seen == []


def test_an_error_of_the_server_is_told_with_what_to_do(server: LocalServer, folder: Path) -> None:
    server.pages["/v1/pets"] = Page(b'{"title": "dark"}', "application/problem+json", 403)

    message = failure_of(Web(), "call_api", list_pets(server), folder, Reviewer())

    assert message == "GET /pets answered 403 Forbidden: dark; the key does not allow this; use one that does"


def dry_run(folder: Path, **given: Any) -> DryRun:
    tool = next(tool for tool in resolve_tools([Web()]) if tool.name == "call_api")
    assert tool.dry_run is not None
    plain = {"document": None, "document_url": "", "method": "GET", "arguments": None, "base_url": ""}
    found = tool.dry_run({**plain, **given}, folder)
    assert isinstance(found, DryRun)
    return found


def test_a_dry_run_shows_the_request(folder: Path) -> None:
    base = "http://shop.example.org"
    found = dry_run(
        folder,
        document=folder / "api.yaml",
        operation="createPet",
        method="POST",
        arguments={"body": REX},
        base_url=base,
    )

    assert found.text == "Send POST to shop.example.org."
    assert found.items[0] == f"POST {base}/pets"
    assert found.items[-2:] == ("content-type: application/json", '{"id":7,"name":"Rex"}')
    assert found.warnings == ("What is sent is not encrypted.",)


def test_a_dry_run_fetches_nothing(server: LocalServer, folder: Path) -> None:
    found = dry_run(folder, document_url=server.url("/api.yaml"), operation="listPets", arguments={"limit": 5})

    assert found.text == "Fetch the document from 127.0.0.1, then send GET for listPets."
    assert found.items == ("limit: 5",)
    assert server.seen == []
    wrong = dry_run(folder, document=folder / "api.yaml", operation="sellPet")
    assert "has no operation 'sellPet'" in wrong.warnings[0]
