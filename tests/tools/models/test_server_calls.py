"""What a provider calls itself, at an MCP server that it reaches, waits for a person like any other call."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import TypeAdapter

from tests.tools.models.servers import SPEAKERS, ModelServer, Reply, says, sse
from tests.tools.models.test_protocols import add, talk
from tests.tools.running import Answers
from tools import Continue, ExitEarly
from tools.models.journal import new_file

if TYPE_CHECKING:
    from pathlib import Path

    from tests.tools.running import ExecutorOf
    from tools import ReviewDecision

OPENAI = next(one for one in SPEAKERS if one.provider == "openai")
REQUEST = {
    "type": "mcp_approval_request", "id": "mcpr_1", "server_label": "tickets", "name": "close_ticket",
    "arguments": '{"number": 7}',
}  # fmt: skip


def asks() -> Reply:
    """Return an answer that waits until its provider may call a server, checked by the SDK's own types."""
    response: dict[str, Any] = {
        "id": "r", "created_at": 1, "model": "m-1", "object": "response", "output": [REQUEST], "tools": [],
        "parallel_tool_calls": True, "tool_choice": "auto", "status": "completed",
    }  # fmt: skip
    events = [
        {"type": "response.output_item.done", "item": REQUEST, "output_index": 0, "sequence_number": 1},
        {"type": "response.completed", "response": response, "sequence_number": 2},
    ]
    types: Any = import_module("openai.types.responses")
    adapter = TypeAdapter(types.ResponseStreamEvent)
    for event in events:
        adapter.validate_python(event)
    return Reply(sse(*events, named=True))


@pytest.mark.reference("C1", "C39")
@pytest.mark.parametrize(
    ("decision", "approved"), [(Continue(), True), (ExitEarly("Not that one."), False)], ids=["allowed", "denied"]
)
async def test_a_person_is_asked_before_the_provider_calls_a_server(
    executor_of: ExecutorOf, tmp_path: Path, decision: ReviewDecision, *, approved: bool
) -> None:
    person, file = Answers(decision), new_file(tmp_path)
    with ModelServer(asks(), says("Well.", OPENAI), says("Still.", OPENAI)) as server:
        executor = executor_of(add, review_handler=person)
        _, _, [ended] = await talk(server, executor, "openai", "Close 7.", write=file.write)
        await talk(server, executor, "openai", "Sure?", kept=file.read())
    assert ended.text == "Well."
    [asked] = person.requests
    assert asked.arguments == {"server": "tickets", "tool": "close_ticket", "arguments": {"number": 7}}
    assert "The model's provider calls close_ticket of its server tickets itself" in str(asked.concerns)
    for request in server.requests[1:]:
        OPENAI.check(request.body)
        [told] = [item for item in request.body["input"] if item.get("type") == "mcp_approval_response"]
        assert (told["approval_request_id"], told["approve"]) == ("mcpr_1", approved)
        assert ("Not that one." in told.get("reason", "")) is not approved
        assert REQUEST in request.body["input"]
    names = [one["name"] for request in server.requests for one in request.body["tools"]]
    assert set(names) == {"add"}
