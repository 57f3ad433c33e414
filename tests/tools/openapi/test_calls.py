"""Tools of operations against a real server on this computer, which sees every byte."""

from __future__ import annotations

import base64
import email
import email.policy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.memory_keyring import MemoryKeyring, memory_keyring
from tests.tools.catalog.calling import Reviewer
from tests.tools.catalog.web_server import LocalServer, Page, local_server
from tests.tools.openapi.documents import PETSTORE, document, encoded, operation, parameter
from tools import CallStatus, Executor, ExitEarly, ToolRegistry, ToolResponse
from tools.calls import MASK
from tools.openapi.answers import MOST_BYTES
from tools.openapi.apis_file import config_of
from tools.openapi.document import parsed_document
from tools.openapi.operation_tool import tool_of
from tools.openapi.operations import contents_of
from tools.openapi.security import ApiKeys
from tools.tool import Tool
from tools.web.addresses import resolve
from tools.web.requests import WebClient


@pytest.fixture
def server() -> Iterator[LocalServer]:
    with local_server() as local:
        yield local


@pytest.fixture(autouse=True)
def ring() -> Iterator[MemoryKeyring]:
    with memory_keyring() as made:
        yield made


def tools_of(content: Any, base: str) -> list[Tool]:
    data = content.encode() if isinstance(content, str) else encoded(content)
    contents = contents_of(parsed_document(data, "things"), base=base)
    assert contents.problems == ()
    config = config_of("shop", {"source": "/shop.json"})
    return [tool_of("shop", one, ApiKeys(config), WebClient(resolve)) for one in contents.operations]


def call(
    content: Any, server: LocalServer, arguments: dict[str, Any], folder: Path, *, name: str = "", reviewer: Any = None
) -> ToolResponse:
    tools = tools_of(content, server.url("/v1"))
    executor = Executor(ToolRegistry(tools), project_dir=folder, review_handler=reviewer or Reviewer())
    try:
        return executor.run(f"shop.{name}" if name else tools[0].name, arguments)
    finally:
        executor.close()


def answered(page: Page | Any, server: LocalServer, folder: Path, **more: Any) -> ToolResponse:
    server.pages["/v1/a"] = page
    return call(document({"/a": {"get": {**operation(), **more}}}), server, {}, folder)


@pytest.mark.parametrize(
    ("path", "given", "value", "expected"),
    [
        ("/a/{p}", parameter("p", "path"), "x y/z?", "/v1/a/x%20y%2Fz%3F"),
        ("/a/{p}", parameter("p", "path"), [1, 2], "/v1/a/1,2"),
        ("/a/{p}", parameter("p", "path", explode=True), {"b": 1, "c": "ü"}, "/v1/a/b=1,c=%C3%BC"),
        ("/a{p}", parameter("p", "path", style="label"), [1, 2], "/v1/a.1,2"),
        ("/a{p}", parameter("p", "path", style="label", explode=True), {"b": 1, "c": 2}, "/v1/a.b=1.c=2"),
        ("/a{p}", parameter("p", "path", style="matrix"), [1, 2], "/v1/a;p=1,2"),
        ("/a{p}", parameter("p", "path", style="matrix", explode=True), [1, 2], "/v1/a;p=1;p=2"),
        ("/a", parameter("p", "query"), "x y&z=1", "/v1/a?p=x%20y%26z%3D1"),
        ("/a", parameter("p", "query"), [1, 2], "/v1/a?p=1&p=2"),
        ("/a", parameter("p", "query", explode=False), [1, "a,b"], "/v1/a?p=1,a%2Cb"),
        ("/a", parameter("p", "query"), {"b": 1, "c": 2}, "/v1/a?b=1&c=2"),
        ("/a", parameter("p", "query", style="spaceDelimited", explode=False), [1, 2], "/v1/a?p=1%202"),
        ("/a", parameter("p", "query", style="pipeDelimited", explode=False), [1, 2], "/v1/a?p=1%7C2"),
        ("/a", parameter("p", "query", style="deepObject"), {"b": 1, "c": [2]}, "/v1/a?p%5Bb%5D=1&p%5Bc%5D%5B0%5D=2"),
        ("/a", parameter("p", "query", allowReserved=True), "/x:y", "/v1/a?p=/x:y"),
        (
            "/a",
            {"name": "p", "in": "query", "content": {"application/json": {}}},
            {"b": "c"},
            "/v1/a?p=%7B%22b%22%3A%22c%22%7D",
        ),
        ("/a", {"name": "p", "in": "query", "content": {"application/json": {}}}, "c", "/v1/a?p=%22c%22"),
        ("/a", parameter("p", "query"), False, "/v1/a?p=false"),
    ],
)
def test_paths_and_queries_are_sent_to_the_letter(
    server: LocalServer, tmp_path: Path, *, path: str, given: Any, value: Any, expected: str
) -> None:
    response = call(document({path: {"get": operation(given)}}), server, {"p": value}, tmp_path)

    assert [seen.path for seen in server.seen] == [expected], response.text


def test_headers_and_cookies_are_sent_to_the_letter(server: LocalServer, tmp_path: Path) -> None:
    given = (
        parameter("X-List", "header"),
        parameter("X-Fields", "header", explode=True),
        parameter("session", "cookie"),
        parameter("ids", "cookie", explode=False),
    )
    arguments = {"X-List": [1, "b c"], "X-Fields": {"a": 1, "b": 2}, "session": "x;y", "ids": [1, 2]}
    call(document({"/a": {"get": operation(*given)}}), server, arguments, tmp_path)

    headers = server.seen[0].headers
    assert headers["x-list"] == "1,b c"
    assert headers["x-fields"] == "a=1,b=2"
    assert headers["cookie"] == "session=x%3By; ids=1,2"


def test_what_is_left_out_is_not_sent(server: LocalServer, tmp_path: Path) -> None:
    given = (parameter("q", "query"), parameter("X-A", "header"), parameter("c", "cookie"))
    call(document({"/a": {"get": operation(*given)}}), server, {}, tmp_path)

    (seen,) = server.seen
    assert seen.path == "/v1/a"
    assert not seen.headers.keys() & {"x-a", "cookie", "content-type"}


@pytest.mark.parametrize("value", ["", ".", ".."])
def test_a_path_never_leads_to_another_resource(server: LocalServer, tmp_path: Path, value: str) -> None:
    response = call(document({"/a/{p}": {"get": operation(parameter("p", "path"))}}), server, {"p": value}, tmp_path)

    assert response.status is CallStatus.FAILED
    assert f"p: expected something that can stand in a path, got {value!r}" in response.text
    assert server.seen == []


@pytest.mark.parametrize("value", ["a\r\nX-Evil: 1", "ü"])
def test_a_header_stays_one_line_of_ascii(server: LocalServer, tmp_path: Path, value: str) -> None:
    given = parameter("X-A", "header")
    response = call(document({"/a": {"get": operation(given)}}), server, {"X-A": value}, tmp_path)

    assert response.status is CallStatus.FAILED
    assert server.seen == []


def posted(server: LocalServer, folder: Path, media_type: str, media: Any, value: Any) -> Any:
    body = {"required": True, "content": {media_type: media}}
    response = call(document({"/a": {"post": operation(requestBody=body)}}), server, {"body": value}, folder)
    assert server.seen, response.text
    return server.seen[0]


@pytest.mark.parametrize(
    ("media_type", "value", "sent", "content_type"),
    [
        ("application/json", {"a": [1, "ü"], "b": None}, '{"a":[1,"ü"],"b":null}', "application/json"),
        ("application/json", "text", '"text"', "application/json"),
        ("application/merge-patch+json", {"a": 1}, '{"a":1}', "application/merge-patch+json"),
        ("*/*", {"a": 1}, '{"a":1}', "application/json"),
        ("text/plain", "as it is ü", "as it is ü", "text/plain; charset=utf-8"),
        ("application/xml", "<a/>", "<a/>", "application/xml; charset=utf-8"),
        ("application/octet-stream", base64.b64encode(b"\0\1").decode(), "\0\1", "application/octet-stream"),
        ("image/*", base64.b64encode(b"x").decode(), "x", "application/octet-stream"),
        (
            "application/x-www-form-urlencoded",
            {"a": "b c&d", "list": [1, 2], "deep": {"x": 1}},
            "a=b%20c%26d&list=1&list=2&deep=%7B%22x%22%3A1%7D",
            "application/x-www-form-urlencoded",
        ),
    ],
)
def test_bodies_are_sent_to_the_letter(
    server: LocalServer, tmp_path: Path, *, media_type: str, value: Any, sent: str, content_type: str
) -> None:
    seen = posted(server, tmp_path, media_type, {"schema": {}}, value)

    assert seen.body.decode() == sent
    assert seen.headers["content-type"] == content_type


def test_the_parts_of_a_form_have_styles_of_their_own(server: LocalServer, tmp_path: Path) -> None:
    encoding = {"deep": {"style": "deepObject"}, "list": {"style": "pipeDelimited", "explode": False}}
    media = {"schema": {"type": "object"}, "encoding": encoding}
    value = {"deep": {"x": 1, "y": {"z": 2}}, "list": [1, 2]}

    seen = posted(server, tmp_path, "application/x-www-form-urlencoded", media, value)

    assert seen.body.decode() == "deep%5Bx%5D=1&deep%5By%5D%5Bz%5D=2&list=1%7C2"


def test_files_are_sent_as_parts(server: LocalServer, tmp_path: Path) -> None:
    schema = {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "meta": {"type": "object"},
            "photo": {"type": "string", "format": "binary"},
            "more": {"type": "array", "items": {"type": "string", "contentMediaType": "image/gif"}},
        },
    }
    media = {"schema": schema, "encoding": {"photo": {"contentType": "image/png"}}}
    coded = [base64.b64encode(content).decode() for content in (b"\x89PNG", b"GIF1", b"GIF2")]
    value = {"name": "Rex ü", "meta": {"a": 1}, "photo": coded[0], "more": coded[1:]}

    seen = posted(server, tmp_path, "multipart/form-data", media, value)

    text = f"content-type: {seen.headers['content-type']}\r\n\r\n".encode() + seen.body
    message = email.message_from_bytes(text, policy=email.policy.HTTP)
    found = [
        (
            part.get_param("name", header="content-disposition"),
            part.get_filename(),
            part.get_content_type(),
            part.get_payload(decode=True),
        )
        for part in message.iter_parts()
    ]
    assert found == [
        ("name", None, "text/plain", "Rex ü".encode()),
        ("meta", None, "application/json", b'{"a":1}'),
        ("photo", "photo", "image/png", b"\x89PNG"),
        ("more", "more", "image/gif", b"GIF1"),
        ("more", "more", "image/gif", b"GIF2"),
    ]


def test_bytes_that_are_no_base64_are_refused(server: LocalServer, tmp_path: Path) -> None:
    body: dict[str, Any] = {"content": {"application/octet-stream": {}}}
    response = call(document({"/a": {"post": operation(requestBody=body)}}), server, {"body": "not!"}, tmp_path)

    assert "body: expected bytes in base64, got 'not!'" in response.text
    assert server.seen == []


PRODUCT = {"200": {"content": {"application/json": {"schema": {"type": "object", "required": ["id"]}}}}}


def test_json_becomes_a_structured_result(server: LocalServer, tmp_path: Path) -> None:
    response = answered(Page(b'{"id": 1}', "application/json"), server, tmp_path, responses=PRODUCT)

    assert response.status is CallStatus.EXECUTED
    assert response.json_result == {"id": 1}
    assert response.text == '{"id": 1}'
    assert response.logs == []
    assert server.seen[0].headers["accept"] == "application/json, */*;q=0.5"


def test_an_answer_that_is_not_what_was_promised_is_a_result_with_a_warning(
    server: LocalServer, tmp_path: Path
) -> None:
    response = answered(Page(b"{}", "application/json"), server, tmp_path, responses=PRODUCT)

    assert response.status is CallStatus.EXECUTED
    assert "the answer is not what the document says: the top" in response.logs[0].text


def test_text_and_nothing_are_results(server: LocalServer, tmp_path: Path) -> None:
    assert answered(Page("grün".encode("latin-1"), "text/plain; charset=latin-1"), server, tmp_path).text == "grün"
    assert answered(Page(b"", "", 204), server, tmp_path).text == "204 No Content"


def test_bytes_are_attached(server: LocalServer, tmp_path: Path) -> None:
    header = ("content-disposition", 'attachment; filename="rex.png"')
    response = answered(Page(b"\x89PNG\0", "image/png", headers=(header,)), server, tmp_path)

    (attachment,) = response.attachments
    assert (attachment.name, attachment.mime_type, attachment.data) == ("rex.png", "image/png", b"\x89PNG\0")
    assert response.text == "5 bytes of image/png, which are attached."


@pytest.mark.parametrize(
    ("status", "kind", "body", "message"),
    [
        (
            404,
            "application/problem+json",
            {"title": "No pet", "detail": "There is no pet 9", "status": 404},
            "GET /a answered 404 Not Found: No pet: There is no pet 9; check the arguments that name what is asked for",
        ),
        (
            422,
            "application/problem+json",
            {"title": "Invalid", "errors": [{"pointer": "#/name", "detail": "is too long"}]},
            "422 Unprocessable Entity: Invalid: #/name: is too long; check the arguments against what it says",
        ),
        (400, "application/json", {"error": {"code": 7, "message": "Bad date"}}, "400 Bad Request: Bad date; check"),
        (422, "application/json", {"detail": [{"loc": ["body", "age"], "msg": "too low"}]}, "body.age: too low"),
        (401, "text/plain", "who are you", "401 Unauthorized: who are you; the key is missing, wrong or expired"),
        (403, "text/html", "<html>long</html>", "answered 403 Forbidden; the key does not allow this"),
        (500, "application/json", [], "500 Internal Server Error: []; try again later"),
    ],
)
def test_an_error_says_its_status_what_came_and_what_to_do(
    server: LocalServer, tmp_path: Path, *, status: int, kind: str, body: Any, message: str
) -> None:
    data = body.encode() if isinstance(body, str) else json.dumps(body).encode()
    response = answered(Page(data, kind, status), server, tmp_path)

    assert response.status is CallStatus.FAILED
    assert response.error is not None
    assert message in response.error.message
    assert not response.error.traceback


def test_too_many_requests_say_when_to_come_back(server: LocalServer, tmp_path: Path) -> None:
    page = Page(b"slow down", "text/plain", 429, headers=(("retry-after", "30"),))

    assert "slow down; wait, then try again, after 30 s" in answered(page, server, tmp_path).text


def test_an_answer_without_end_is_cut_off(server: LocalServer, tmp_path: Path) -> None:
    page = Page(b"x" * (MOST_BYTES + 1), "application/json")

    assert "with more than 10,000,000 bytes; ask for less" in answered(page, server, tmp_path).text


def test_what_is_called_json_and_is_none_fails(server: LocalServer, tmp_path: Path) -> None:
    assert "what it says is JSON is none" in answered(Page(b"<html>", "application/json"), server, tmp_path).text
    assert "what it says is JSON is none" in answered(Page(b"[" * 200_000, "application/json"), server, tmp_path).text


def signed(kind: dict[str, Any], server: LocalServer, folder: Path) -> tuple[ToolResponse, Any]:
    content = document(
        {"/a": {"get": operation(security=[{"main": []}])}}, components={"securitySchemes": {"main": kind}}
    )
    server.pages["/v1/a"] = lambda seen: Page(json.dumps([seen.path, seen.headers]).encode(), "application/json")
    response = call(content, server, {}, folder)
    return response, server.seen[-1] if server.seen else None


@pytest.mark.parametrize(
    ("kind", "where", "expected"),
    [
        ({"type": "apiKey", "in": "header", "name": "X-Key"}, "x-key", "se cret"),
        ({"type": "apiKey", "in": "cookie", "name": "sid"}, "cookie", "sid=se%20cret"),
        ({"type": "http", "scheme": "Bearer"}, "authorization", "Bearer se cret"),
        ({"type": "http", "scheme": "basic"}, "authorization", "Basic c2UgY3JldA=="),
        ({"type": "oauth2", "flows": {}}, "authorization", "Bearer se cret"),
        ({"type": "openIdConnect", "openIdConnectUrl": "https://x"}, "authorization", "Bearer se cret"),
    ],
)
def test_a_key_of_the_environment_signs_and_is_told_nowhere(
    server: LocalServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    kind: dict[str, Any],
    where: str,
    expected: str,
) -> None:
    monkeypatch.setenv("TOOL_CONSOLE_API_SHOP_MAIN", "se cret")

    response, seen = signed(kind, server, tmp_path)

    assert seen.headers[where] == expected
    # The server sends back all that it saw.
    assert response.status is CallStatus.EXECUTED
    told = json.dumps([response.text, response.json_result], ensure_ascii=False)
    assert "se cret" not in told
    assert "c2UgY3JldA==" not in told
    assert MASK in told


def test_a_key_of_the_keyring_signs_in_a_query(server: LocalServer, tmp_path: Path, ring: MemoryKeyring) -> None:
    ring.set_password("tool-console-apis", "user/shop/main", "a&b=c d")

    response, seen = signed({"type": "apiKey", "in": "query", "name": "key"}, server, tmp_path)

    assert seen.path == "/v1/a?key=a%26b%3Dc%20d"
    assert "a%26b" not in response.text
    assert "•" in response.text


def test_a_key_that_is_missing_is_asked_for_and_nothing_is_sent(server: LocalServer, tmp_path: Path) -> None:
    response, seen = signed({"type": "http", "scheme": "bearer"}, server, tmp_path)

    assert seen is None
    assert response.error is not None
    assert response.error.message == (
        "GET /a needs the key 'main', which is missing; keep it with `tool-console openapi secret shop main`, or set"
        " the variable TOOL_CONSOLE_API_SHOP_MAIN"
    )


@pytest.mark.parametrize("secret", ["two\nlines", "schlüssel"])
def test_a_key_that_no_header_can_have_is_refused_without_being_told(
    server: LocalServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, secret: str
) -> None:
    monkeypatch.setenv("TOOL_CONSOLE_API_SHOP_MAIN", secret)

    response, seen = signed({"type": "http", "scheme": "bearer"}, server, tmp_path)

    assert seen is None
    assert response.status is CallStatus.FAILED
    assert secret not in response.text


def test_the_first_way_of_signing_of_which_all_is_there_is_taken(
    server: LocalServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    schemes = {name: {"type": "apiKey", "in": "header", "name": f"X-{name}"} for name in ("a", "b", "c")}
    both = document(
        {"/a": {"get": operation(security=[{"a": [], "b": []}, {"c": []}])}}, components={"securitySchemes": schemes}
    )
    optional = document({"/a": {"get": operation(security=[{"a": []}, {}])}}, components={"securitySchemes": schemes})
    monkeypatch.setenv("TOOL_CONSOLE_API_SHOP_A", "1")
    monkeypatch.setenv("TOOL_CONSOLE_API_SHOP_C", "3")

    call(both, server, {}, tmp_path)
    monkeypatch.delenv("TOOL_CONSOLE_API_SHOP_A")
    call(optional, server, {}, tmp_path)

    assert [{name for name in seen.headers if name.startswith("x-")} for seen in server.seen] == [{"x-c"}, set()]


def test_a_key_is_not_sent_where_everybody_can_read_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOL_CONSOLE_API_SHOP_API_KEY", "a secret")
    tools = tools_of(PETSTORE, "http://192.0.2.1/v1")
    executor = Executor(ToolRegistry(tools), project_dir=tmp_path, review_handler=Reviewer())
    try:
        response = executor.run("shop.getPet", {"petId": 1})
    finally:
        executor.close()

    assert "is reached without encryption, so the key is not sent" in response.text


def test_a_redirect_to_another_host_gets_no_key(
    server: LocalServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOOL_CONSOLE_API_SHOP_MAIN", "secret")
    content = document(
        {"/away": {"get": operation(security=[{"main": []}])}},
        components={"securitySchemes": {"main": {"type": "apiKey", "in": "header", "name": "X-Key"}}},
    )
    with local_server() as other:
        other.pages["/there"] = Page(b"moved", "text/plain")
        server.redirect("/v1/away", other.url("/there"))
        response = call(content, server, {}, tmp_path)

    assert response.text == "moved"
    assert server.seen[0].headers["x-key"] == "secret"
    assert "x-key" not in other.seen[0].headers


def test_reading_asks_about_the_private_address_only_and_changing_about_what_is_sent(
    server: LocalServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOOL_CONSOLE_API_SHOP_API_KEY", "k")
    kinds = {}
    calls: dict[str, dict[str, Any]] = {
        "listPets": {},
        "createPet": {"body": {"name": "Rex"}},
        "put_pets_petId_photo": {"petId": 1},
        "deletePet": {"petId": 1},
    }
    for name, arguments in calls.items():
        reviewer = Reviewer(ExitEarly("no"))
        call(PETSTORE, server, arguments, tmp_path, name=name, reviewer=reviewer)
        kinds[name] = reviewer.kinds
        details = [concern.detail for request in reviewer.requests for concern in request.concerns]
        if name == "createPet":
            assert f"POST to {server.url('/v1/pets')} with 14 bytes" in details

    assert server.seen == []
    assert kinds["listPets"] == ["private_host"]
    assert kinds["createPet"] == kinds["put_pets_petId_photo"] == ["private_host", "sends_data"]
    assert set(kinds["deletePet"]) == {"destructive", "private_host", "sends_data"}


def test_hints_follow_the_method(server: LocalServer) -> None:
    content = document({"/a": {method: operation() for method in ("get", "head", "post", "put", "patch", "delete")}})

    found = {tool.spec.keywords[0]: tool for tool in tools_of(content, server.url())}

    assert {name for name, tool in found.items() if tool.spec.read_only_hint} == {"get", "head"}
    assert {name for name, tool in found.items() if tool.spec.destructive_hint} == {"delete"}
    assert {name for name, tool in found.items() if tool.spec.idempotent} == {"get", "head", "put", "delete"}
    assert all(tool.spec.open_world_hint for tool in found.values())
    assert all(tool.source.kind.value == "api" for tool in found.values())


def test_arguments_are_checked_before_anything_is_sent(server: LocalServer, tmp_path: Path) -> None:
    response = call(PETSTORE, server, {"limit": 0, "none": 1}, tmp_path)

    assert response.status is CallStatus.REJECTED
    assert server.seen == []


def test_head_answers_with_headers(server: LocalServer, tmp_path: Path) -> None:
    server.pages["/v1/a"] = Page(b"", "text/plain", headers=(("x-total", "7"),))
    response = call(document({"/a": {"head": operation()}}), server, {}, tmp_path)

    assert response.text.startswith("200 OK\n")
    assert "x-total: 7" in response.text
