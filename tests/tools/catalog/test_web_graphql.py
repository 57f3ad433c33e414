"""GraphQL, against a real server on this computer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.tools.catalog.calling import Reviewer, call, failure_of, result_of
from tests.tools.catalog.web_server import LocalServer, Page, local_server
from tools import CallStatus, DryRun, ExitEarly, resolve_tools
from tools.catalog.web import Web

QUERY = "query Lamp($id: ID!) { lamp(id: $id) { name } }"


@pytest.fixture
def server() -> Iterator[LocalServer]:
    with local_server() as local:
        yield local


def _answers(server: LocalServer, answer: Any, status: int = 200) -> dict[str, Any]:
    server.pages["/graphql"] = Page(json.dumps(answer).encode(), "application/json", status)
    return {"url": server.url("/graphql"), "query": QUERY}


def test_a_query_is_asked_about_and_answered_with_data_and_errors(server: LocalServer, tmp_path: Path) -> None:
    error = {"message": "dark", "path": ["lamp", 0, "name"], "locations": [{"line": 1, "column": 2}]}
    asked = _answers(server, {"data": {"lamp": None}, "errors": [error]}, status=400)
    assert call(Web(), "query_graphql", asked, tmp_path, Reviewer(ExitEarly())).status is CallStatus.DENIED
    assert server.seen == []

    reviewer = Reviewer()
    more = {"variables": {"id": "7"}, "operation": "Lamp", "headers": {"Authorization": "Bearer sesame-0123"}}
    found = result_of(Web(), "query_graphql", {**asked, **more}, tmp_path, reviewer)

    assert reviewer.kinds == ["private_host", "sends_data"]
    assert "sesame" not in str(reviewer.requests)
    assert (found.data, [(item.message, item.path, item.line) for item in found.errors]) == (
        {"lamp": None},
        [("dark", "lamp.0.name", 1)],
    )
    assert json.loads(server.seen[0].body) == {"query": QUERY, "variables": {"id": "7"}, "operationName": "Lamp"}
    assert server.seen[0].headers["authorization"] == "Bearer sesame-0123"


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("mutation { dim }", "a mutation or subscription"),
        ("{ a } mutation B { dim }", "a mutation or subscription"),
        ('# mutation\n{ a(text: "mutation \\" x") }', "a query"),
        ('{ a(text: """mutation "here" """) }', "a query"),
    ],
)
def test_a_dry_run_says_whether_something_may_change(tmp_path: Path, query: str, words: str) -> None:
    tool = next(tool for tool in resolve_tools([Web()]) if tool.name == "query_graphql")
    assert tool.dry_run is not None

    shown = tool.dry_run({"url": "https://api.example.org/graphql", "query": query, "variables": None}, tmp_path)

    assert isinstance(shown, DryRun)
    assert shown.text == f"Send {words} to api.example.org."


@pytest.mark.parametrize(
    ("answer", "status", "message"),
    [
        ([], 200, "with JSON that is no answer of GraphQL"),
        ({"x": 1}, 200, "with JSON that is no answer of GraphQL"),
        ({"data": "x" * 2_100_000}, 200, "answered with more than 2.0 MB; ask for fewer fields"),
    ],
)
def test_what_is_no_answer_is_told(server: LocalServer, tmp_path: Path, answer: Any, status: int, message: str) -> None:
    asked = _answers(server, answer, status)

    assert message in failure_of(Web(), "query_graphql", asked, tmp_path, Reviewer())
