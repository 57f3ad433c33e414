"""Resources of servers through the gateway: listed, read, completed and watched, in every pair of eras."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.subscriptions import ResourceUpdated
from mcp_types import (
    EmptyResult,
    ResourceListChangedNotification,
    ResourceUpdatedNotification,
    SubscribeRequest,
    UnsubscribeRequest,
)

from tests.tools.gateway.behind import Behind, behind_gateway
from tests.tools.gateway.raw_agent import raw_agent
from tests.tools.gateway.test_verbatim_results import BRIDGES, ERAS, unwrapped, verbatim
from tests.tools.mcp.test_eras import over
from tools.mcp.config import ProtocolChoice

pytestmark = pytest.mark.expects_log("mcp.server.transport_security", "mcp.server.streamable_http_manager")

TODAY = {"uri": "note://today", "name": "today", "size": 3, "vendor/field": 1, "_meta": {"vendor.example/a": 1}}
MONTHS = {"uriTemplate": "note://{year}/{month}", "name": "months", "title": "By month", "vendor/field": [1]}
READ = {
    "contents": [
        {"uri": "note://today", "text": "a note", "vendor/part": 1},
        {"uri": "note://today/b", "blob": "AAEC"},
    ],
    "_meta": {"vendor.example/read": 1},
}
MAY = {"contents": [{"uri": "note://2026/May", "text": "in May"}]}
COMPLETED = {"completion": {"values": ["May", "March"], "total": 2, "hasMore": False, "vendor/x": 1}}
NOTES: Mapping[str, Any] = {
    "tools/list": {"tools": []},
    "prompts/list": {"prompts": [{"name": "letter", "arguments": [{"name": "to"}]}]},
    "resources/list": {"resources": [TODAY]},
    "resources/templates/list": {"resourceTemplates": [MONTHS]},
    "resources/read": {"note://today": READ, "note://2026/May": MAY},
    "completion/complete": COMPLETED,
}


def client(at: Behind, http: httpx2.AsyncClient, era: str, **options: Any) -> Client:
    http.headers["authorization"] = f"Bearer {at.token}"
    return Client(streamable_http_client(at.address, http_client=http), mode=era, **options)


@BRIDGES
async def test_resources_and_templates_are_listed_and_read_as_they_are_written(
    tmp_path: Path, behind: str, before: str
) -> None:
    async with (
        behind_gateway(tmp_path, verbatim(tmp_path, behind, NOTES)) as at,
        raw_agent(at.address, at.token, before) as agent,
    ):
        assert (await agent.result("resources/list"))["resources"] == [TODAY]
        assert (await agent.result("resources/templates/list"))["resourceTemplates"] == [MONTHS]
        assert unwrapped(await agent.result("resources/read", {"uri": "note://today"})) == READ
        assert unwrapped(await agent.result("resources/read", {"uri": "note://2026/May"})) == MAY


@BRIDGES
async def test_arguments_of_prompts_and_templates_are_completed_by_their_servers(
    tmp_path: Path, behind: str, before: str
) -> None:
    async with (
        behind_gateway(tmp_path, verbatim(tmp_path, behind, NOTES)) as at,
        raw_agent(at.address, at.token, before) as agent,
    ):
        half = {"name": "month", "value": "M"}
        for ref in (
            {"type": "ref/prompt", "name": "v__letter"},
            {"type": "ref/resource", "uri": MONTHS["uriTemplate"]},
        ):
            found = await agent.result("completion/complete", {"ref": ref, "argument": half})
            assert unwrapped(found) == COMPLETED
        nobody = {"ref": {"type": "ref/prompt", "name": "poem"}, "argument": half}
        assert "no prompt is called 'poem'" in (await agent.answer("completion/complete", nobody))["error"]["message"]


async def test_an_address_of_two_servers_has_the_server_before_it_and_the_plain_one_is_refused(tmp_path: Path) -> None:
    async with (
        behind_gateway(
            tmp_path, verbatim(tmp_path, "legacy", NOTES, "a b"), verbatim(tmp_path, "modern", NOTES, "c")
        ) as at,
        raw_agent(at.address, at.token, "modern") as agent,
    ):
        listed = (await agent.result("resources/list"))["resources"]
        assert [one["uri"] for one in listed] == ["tool-console://a%20b/note://today", "tool-console://c/note://today"]
        templates = (await agent.result("resources/templates/list"))["resourceTemplates"]
        assert [one["uriTemplate"] for one in templates][1] == "tool-console://c/note://{year}/{month}"
        read = await agent.result("resources/read", {"uri": listed[0]["uri"]})
        assert [part["uri"] for part in read["contents"]] == [listed[0]["uri"], "note://today/b"]
        may = await agent.result("resources/read", {"uri": "tool-console://c/note://2026/May"})
        assert may["contents"][0]["text"] == "in May"
        refused = (await agent.answer("resources/read", {"uri": "note://today"}))["error"]
        assert refused["message"] == (
            "'a b' and 'c' have 'note://today' both; name one of them, as in tool-console://a%20b/note://today"
        )


@pytest.mark.parametrize(("era", "code"), [("legacy", -32002), ("modern", -32602)])
async def test_what_nobody_has_and_what_an_agent_may_not_see_is_refused_alike(
    tmp_path: Path, era: str, code: int
) -> None:
    others = {**NOTES, "resources/list": {"resources": [{"uri": "x://y", "name": "y"}]}}
    async with (
        behind_gateway(
            tmp_path,
            verbatim(tmp_path, "legacy", NOTES, "a"),
            verbatim(tmp_path, "legacy", others, "b"),
            tools=("b.*",),
        ) as at,
        raw_agent(at.address, at.token, era) as agent,
    ):
        assert [one["uri"] for one in (await agent.result("resources/list"))["resources"]] == ["x://y"]
        for uri in ("note://today", "nowhere://at/all"):
            error = (await agent.answer("resources/read", {"uri": uri}))["error"]
            assert (error["code"], error["data"]) == (code, {"uri": uri})
            assert error["message"] == f"no resource has the address {uri!r}; list the resources"


async def test_a_session_that_subscribed_is_told_of_changes_until_it_does_so_no_more(tmp_path: Path) -> None:
    told: asyncio.Queue[str] = asyncio.Queue()

    async def on_message(message: Any) -> None:
        if isinstance(message, ResourceUpdatedNotification):
            told.put_nowait(str(message.params.uri))

    async with (
        behind_gateway(tmp_path, verbatim(tmp_path, "legacy", NOTES)) as at,
        httpx2.AsyncClient() as http,
        client(at, http, "legacy", message_handler=on_message) as agent,
    ):
        about = {"uri": "note://today"}
        await agent.session.send_request(SubscribeRequest.model_validate({"params": about}), EmptyResult)
        async with asyncio.timeout(10):
            assert await told.get() == "note://today"
        await agent.session.send_request(UnsubscribeRequest.model_validate({"params": about}), EmptyResult)
        await at.desk.logged("resources/unsubscribe", "v")


@pytest.mark.parametrize("behind", ERAS)
async def test_a_client_of_the_newer_era_listens_to_what_it_may_see(tmp_path: Path, behind: str) -> None:
    config = verbatim(tmp_path, behind, NOTES) if behind == "legacy" else over("stdio", "", ProtocolChoice.NEWER)
    hidden = verbatim(tmp_path, "legacy", {**NOTES, "resources/list": {"resources": [{"uri": "x://y"}]}}, "w")
    async with (
        behind_gateway(tmp_path, config, hidden, tools=(f"{config.name}.*",)) as at,
        httpx2.AsyncClient() as http,
        client(at, http, "auto") as agent,
    ):
        uris = ["x://y", "note://today"]
        async with asyncio.timeout(10), agent.listen(resource_subscriptions=uris) as heard:
            if behind == "modern":
                await at.desk.logged("subscriptions/acknowledged", "s")
                await agent.call_tool("s__rewrite", {"text": "new"})
            assert await anext(aiter(heard)) == ResourceUpdated("note://today")
        if behind == "legacy":
            await at.desk.logged("resources/unsubscribe", "v")


async def test_agents_are_told_that_other_resources_are_there_when_a_server_comes_or_goes(tmp_path: Path) -> None:
    told = asyncio.Event()

    async def on_message(message: Any) -> None:
        if isinstance(message, ResourceListChangedNotification):
            told.set()

    async with (
        behind_gateway(tmp_path, verbatim(tmp_path, "legacy", NOTES)) as at,
        httpx2.AsyncClient() as http,
        client(at, http, "legacy", message_handler=on_message) as agent,
    ):
        assert len((await agent.list_resources()).resources) == 1
        for change, left in ((at.desk.servers.stop, 0), (at.desk.servers.start, 1)):
            told.clear()
            await change("v")
            async with asyncio.timeout(10):
                await told.wait()
            assert len((await agent.list_resources()).resources) == left
