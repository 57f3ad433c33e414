"""What servers ask and say during an agent's call reaches the agent's client, in every pair of eras."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import mcp_types as types
import pytest
from mcp import Client
from mcp.client import ClientRequestContext
from mcp.client.streamable_http import streamable_http_client

from tests.tools.gateway.behind import Behind, behind_gateway
from tests.tools.gateway.raw_agent import raw_agent
from tests.tools.gateway.serving import text_of
from tests.tools.gateway.test_verbatim_results import BRIDGES, ERAS
from tests.tools.mcp.serving import Person
from tests.tools.mcp.test_eras import over
from tests.tools.running import until
from tools.calls import Logged
from tools.mcp.config import ProtocolChoice, ServerConfig
from tools.mcp.elicitation import Accepted, LeaveToClients

pytestmark = pytest.mark.expects_log(
    "mcp.server.transport_security", "mcp.server.streamable_http_manager", "mcp.server.request_state"
)


def both_eras(era: str) -> ServerConfig:
    return over("stdio", "", ProtocolChoice.OLDER if era == "legacy" else ProtocolChoice.NEWER)


class Program:
    """The program of an agent, which answers by itself."""

    def __init__(self) -> None:
        self.asked: list[Any] = []
        self.logged: list[str] = []
        self.completed: list[str] = []

    async def elicit(self, _: ClientRequestContext, params: types.ElicitRequestParams) -> types.ElicitResult:
        self.asked.append(params)
        if isinstance(params, types.ElicitRequestURLParams):
            return types.ElicitResult(action="accept")
        return types.ElicitResult(action="accept", content={"name": "Agent", "age": 7})

    async def sample(
        self, _: ClientRequestContext, params: types.CreateMessageRequestParams
    ) -> types.CreateMessageResult:
        self.asked.append(params)
        content = types.TextContent(type="text", text="by a model")
        return types.CreateMessageResult(role="assistant", content=content, model="big")

    async def roots(self, _: ClientRequestContext) -> types.ListRootsResult:
        return types.ListRootsResult.model_validate({"roots": [{"uri": "file:///agent"}]})

    async def hear(self, message: Any) -> None:
        if isinstance(message, types.ElicitCompleteNotification):
            self.completed.append(message.params.elicitation_id)

    async def log(self, params: types.LoggingMessageNotificationParams) -> None:
        self.logged.append(str(params.data))


@asynccontextmanager
async def client(at: Behind, era: str, program: Program | None = None) -> AsyncIterator[Client]:
    answers: dict[str, Any] = {}
    if program is not None:
        answers = {
            "elicitation_callback": program.elicit,
            "sampling_callback": program.sample,
            "list_roots_callback": program.roots,
            "logging_callback": program.log,
            "log_level": "info",
            "message_handler": program.hear,
        }
    headers = {"Authorization": f"Bearer {at.token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(at.address, http_client=http), mode=era, **answers) as found,
    ):
        yield found


@BRIDGES
async def test_a_client_that_says_so_answers_what_a_server_asks(tmp_path: Path, behind: str, before: str) -> None:
    program, person = Program(), Person()
    era = "auto" if before == "modern" else "legacy"
    async with (
        behind_gateway(tmp_path, both_eras(behind), questions=person) as at,
        client(at, era, program) as agent,
    ):
        greeted = await agent.call_tool("s__greet", {})
        assert json.loads(text_of(greeted)) == {"action": "accept", "data": {"name": "Agent", "age": 7}}
        assert "by a model" in text_of(await agent.call_tool("s__poem", {}))
        assert text_of(await agent.call_tool("s__folders", {})) == "file:///agent"
        form, sampling = program.asked
        assert (form.message, sampling.system_prompt) == ("Who are you?", "You are a poet.")
        assert form.requested_schema["properties"]["age"]["default"] == 30
        assert person.asked == []
        logged = [event.entry.text for event in at.desk.events if isinstance(event, Logged)]
        assert "s asked the agent, elicitation/create: accept" in logged


async def test_a_client_hears_when_that_is_done_which_a_server_sent_it_to_an_address_for(tmp_path: Path) -> None:
    program = Program()
    async with (
        behind_gateway(tmp_path, both_eras("legacy"), questions=LeaveToClients()) as at,
        client(at, "legacy", program) as agent,
    ):
        assert text_of(await agent.call_tool("s__sign_up", {})) == "accept"
        (asked,) = program.asked
        assert (asked.mode, asked.url) == ("url", "https://example.org/sign-up")
        await until(lambda: program.completed == [asked.elicitation_id])


@BRIDGES
async def test_a_person_answers_what_the_client_cannot(tmp_path: Path, behind: str, before: str) -> None:
    person = Person(form=Accepted({"name": "Ada", "age": 40}))
    async with (
        behind_gateway(tmp_path, both_eras(behind), questions=person) as at,
        client(at, "auto" if before == "modern" else "legacy") as agent,
    ):
        greeted = await agent.call_tool("s__greet", {})
        assert json.loads(text_of(greeted)) == {"action": "accept", "data": {"name": "Ada", "age": 40}}
        assert [question.tool for question in person.asked] == ["greet"]


@pytest.mark.parametrize("behind", ERAS)
async def test_what_nobody_can_answer_is_declined(tmp_path: Path, behind: str) -> None:
    async with (
        behind_gateway(tmp_path, both_eras(behind), questions=LeaveToClients()) as at,
        client(at, "auto") as agent,
    ):
        assert json.loads(text_of(await agent.call_tool("s__greet", {})))["action"] == "decline"


async def test_answers_come_back_with_the_state_and_another_one_is_refused(tmp_path: Path) -> None:
    params = {"name": "s__greet", "arguments": {}}
    async with (
        behind_gateway(tmp_path, both_eras("modern"), questions=LeaveToClients()) as at,
        raw_agent(at.address, at.token, "modern", {"elicitation": {}}) as agent,
    ):
        asked = await agent.result("tools/call", params)
        assert asked["resultType"] == "input_required"
        ((key, question),) = asked["inputRequests"].items()
        assert question["method"] == "elicitation/create"
        answer = {key: {"action": "accept", "content": {"name": "Agent"}}}
        tampered = await agent.answer(
            "tools/call", {**params, "inputResponses": answer, "requestState": asked["requestState"] + "x"}
        )
        assert tampered["error"]["code"] == -32602
        # Without the answers it is asked again; the call waits meanwhile.
        again = await agent.result("tools/call", {**params, "requestState": asked["requestState"]})
        assert again["inputRequests"] == asked["inputRequests"]
        done = await agent.result(
            "tools/call", {**params, "inputResponses": answer, "requestState": again["requestState"]}
        )
        assert json.loads(done["content"][0]["text"])["data"]["name"] == "Agent"
        replayed = await agent.answer(
            "tools/call", {**params, "inputResponses": answer, "requestState": again["requestState"]}
        )
        assert "that call ended" in replayed["error"]["message"]


@BRIDGES
async def test_what_a_server_logs_during_a_call_reaches_the_client(tmp_path: Path, behind: str, before: str) -> None:
    program = Program()
    async with (
        behind_gateway(tmp_path, both_eras(behind)) as at,
        client(at, "auto" if before == "modern" else "legacy", program) as agent,
    ):
        await agent.call_tool("s__count", {"to": 1})
        await until(lambda: program.logged == ["counted"])


async def test_a_session_is_told_of_no_more_than_it_wants(tmp_path: Path) -> None:
    count = {"name": "s__count", "arguments": {"to": 1}}
    async with (
        behind_gateway(tmp_path, both_eras("legacy")) as at,
        raw_agent(at.address, at.token, "legacy") as agent,
    ):
        assert [one.get("method") for one in await agent.messages("tools/call", count)] == [
            "notifications/message",
            None,
        ]
        assert await agent.result("logging/setLevel", {"level": "error"}) == {}
        assert [one.get("method") for one in await agent.messages("tools/call", count)] == [None]
        assert (await agent.answer("logging/setLevel", {"level": "loud"}))["error"]["code"] == -32602


# The SDK's client says so of what comes after it closed.
@pytest.mark.expects_log("mcp.client.streamable_http")
@BRIDGES
async def test_a_call_that_its_client_gives_up_is_cancelled_at_its_server(
    tmp_path: Path, behind: str, before: str
) -> None:
    async with (
        behind_gateway(tmp_path, both_eras(behind)) as at,
        client(at, "auto" if before == "modern" else "legacy") as agent,
    ):
        waiting = asyncio.create_task(agent.call_tool("s__wait", {"seconds": 60}))
        await at.desk.logged('"seconds":60', "s")
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        await at.desk.logged("notifications/cancelled", "s")
        await until(lambda: not at.desk.executor.open_calls)
