"""Servers that we did not write, through the executor like any tool."""

from __future__ import annotations

import asyncio
import json
import os
import re
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.tools.mcp import real_servers
from tests.tools.mcp.serving import Person, Served, serving
from tools import CallStatus
from tools.calls import ErrorKind, Progressed
from tools.mcp.config import ProtocolChoice, ServerConfig, Transport
from tools.mcp.elicitation import Accepted
from tools.mcp.poisoning import suspicions
from tools.mcp.prompt_sync import ServerPrompt
from tools.mcp.state import ProtocolEra, ServerStatus

pytestmark = pytest.mark.servers

PNG = b"\x89PNG\r\n\x1a\n"
FORM: dict[str, Any] = {"name": "Ada", "check": True, "integer": 7, "number": 2.5, "untitledSingleSelectEnum": "Monica"}


def called(tool: str) -> dict[str, Any]:
    """Return arguments with which a tool of `everything` works."""
    known: dict[str, dict[str, Any]] = {
        "echo": {"message": "hello"},
        "get-annotated-message": {"messageType": "error", "includeImage": True},
        "get-resource-links": {"count": 2},
        "get-resource-reference": {"resourceType": "Blob", "resourceId": 1},
        "get-structured-content": {"location": "New York"},
        "get-sum": {"a": 2, "b": 3},
        "gzip-file-as-resource": {"data": "data:text/plain;base64,aGVsbG8=", "outputType": "resource"},
        "trigger-long-running-operation": {"duration": 0.2, "steps": 4},
        "trigger-sampling-request": {"prompt": "a poem", "maxTokens": 50},
        "trigger-url-elicitation": {"url": "https://example.org/sign-in", "message": "Sign in first"},
        "simulate-research-query": {"topic": "bees"},
    }
    return known.get(tool, {})


@contextmanager
def listening(way: str) -> Iterator[str]:
    """Keep `everything` running over HTTP, and give its address."""
    config = real_servers.everything(way)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    env = {**os.environ, "PORT": str(port)}
    with subprocess.Popen([config.command, *config.args], env=env, stderr=subprocess.PIPE, text=True) as program:
        try:
            assert program.stderr is not None
            while str(port) not in program.stderr.readline():
                assert program.poll() is None
            yield f"http://127.0.0.1:{port}/{'sse' if way == 'sse' else 'mcp'}"
        finally:
            program.kill()


@pytest.mark.parametrize("way", ["stdio", "streamableHttp", "sse"])
def test_every_tool_of_everything(way: str) -> None:
    person = Person(form=Accepted(FORM))

    async def work(config: ServerConfig) -> None:
        async with serving(config, questions=person) as served:
            assert (served.state.status, served.state.protocol) == (ServerStatus.CONNECTED, ProtocolEra.OLDER)
            # Some tools are listed only once the server knows that this client answers questions.
            while served.executor.registry.lookup("everything.trigger-sampling-request") is None:
                await served.grown()
            await each_tool_answers(served)
            assert [type(question).__name__ for question in person.asked if question.server == "everything"]

    if way == "stdio":
        asyncio.run(work(real_servers.everything()))
        return
    transport = Transport.SSE if way == "sse" else Transport.HTTP
    with listening(way) as address:
        asyncio.run(work(ServerConfig(name="everything", transport=transport, url=address, timeout_s=30.0)))


async def each_tool_answers(served: Served) -> None:
    names = [tool.name.removeprefix("everything.") for tool in served.executor.registry]
    assert len(names) >= 17
    for name in names:
        call = served.start(name, called(name), "everything")
        response = await served.executor.execute(call)
        if name == "simulate-research-query":
            assert response.error is not None
            assert (response.error.kind, "as a task only" in response.text) == (ErrorKind.UNAVAILABLE, True)
            continue
        assert response.status is CallStatus.EXECUTED, (name, response.text)
        check = CHECKS.get(name)
        if check is not None:
            check(response.text, response.json_result, response.attachments)
        if name == "trigger-long-running-operation":
            told = [e.progress.done for e in served.events if isinstance(e, Progressed) and e.call is call]
            assert told == [1, 2, 3, 4]


def _links(_: str, value: Any, __: list[Any]) -> None:
    assert [part["type"] for part in value["content"]] == ["text", "resource_link", "resource_link"]


def _embedded(text: str, _: Any, attachments: list[Any]) -> None:
    assert len(attachments) == 1
    assert attachments[0].name in text


def _picture(_: str, value: Any, attachments: list[Any]) -> None:
    assert attachments[0].data.startswith(PNG)
    assert attachments[0].mime_type == "image/png"
    assert attachments[0].name in json.dumps(value)


def _annotated(_: str, value: Any, attachments: list[Any]) -> None:
    assert value["content"][0]["annotations"] == {"priority": 1, "audience": ["user", "assistant"]}
    assert attachments


def _structured(_: str, value: Any, __: list[Any]) -> None:
    assert set(value) == {"temperature", "conditions", "humidity"}


def _filled(text: str, _: Any, __: list[Any]) -> None:
    assert "Name: Ada" in text


def _sampled(text: str, _: Any, __: list[Any]) -> None:
    assert "written by hand" in text


CHECKS = {
    "get-annotated-message": _annotated,
    "get-resource-links": _links,
    "get-resource-reference": _embedded,
    "get-structured-content": _structured,
    "get-tiny-image": _picture,
    "trigger-elicitation-request": _filled,
    "trigger-sampling-request": _sampled,
}


async def test_a_long_run_of_everything_is_cancelled() -> None:
    async with serving(real_servers.everything(), questions=Person()) as served:
        call = served.start("trigger-long-running-operation", {"duration": 600, "steps": 6000}, "everything")
        running = asyncio.create_task(served.executor.execute(call))
        await served.logged("notifications/progress", "everything")
        call.cancel()
        assert (await running).status is CallStatus.CANCELLED
        assert "notifications/cancelled" in served.log("everything")


async def test_resources_prompts_and_completions_of_everything() -> None:
    async with serving(real_servers.everything()) as served:
        servers = served.servers
        resources = await servers.resources("everything")
        assert resources[0].uri.startswith("demo://resource/static/document/")
        (content,) = await servers.read_resource("everything", resources[0].uri)
        assert content.text
        templates = {template.uri_template: template for template in await servers.resource_templates("everything")}
        blob = templates["demo://resource/dynamic/blob/{resourceId}"]
        (content,) = await servers.read_resource("everything", blob.filled({"resourceId": "1"}))
        assert content.data
        await servers.subscribe("everything", resources[0].uri)
        await servers.settled()
        prompt = servers.registry.prompt("everything.args-prompt")
        assert prompt.arguments.input_schema["required"] == ["city"]
        assert "Paris" in (await prompt.function(city="Paris")).text
        completable = servers.registry.prompt("everything.completable-prompt").function
        assert isinstance(completable, ServerPrompt)
        assert await completable.complete("department", "E", {}) == ("Engineering",)
        assert await completable.complete("name", "", {"department": "Engineering"})


async def test_files(tmp_path: Path) -> None:
    async with serving(real_servers.filesystem(tmp_path)) as served:
        written = await served.call("write_file", {"path": str(tmp_path / "a.txt"), "content": "hello"}, "filesystem")
        assert written.status is CallStatus.EXECUTED
        assert (tmp_path / "a.txt").read_text() == "hello"
        read = await served.call("read_text_file", {"path": str(tmp_path / "a.txt")}, "filesystem")
        assert "hello" in read.text
        outside = await served.call("read_text_file", {"path": "/etc/hostname"}, "filesystem")
        assert outside.status is CallStatus.FAILED
        assert outside.error is not None
        assert outside.error.type_name == ""
        tools = {tool.name: tool for tool in served.executor.registry}
        assert tools["filesystem.read_text_file"].spec.read_only_hint is True
        assert tools["filesystem.write_file"].asks_first


async def test_memory(tmp_path: Path) -> None:
    async with serving(real_servers.memory(tmp_path / "graph.json")) as served:
        entity = {"name": "Ada", "entityType": "person", "observations": ["writes programs"]}
        made = await served.call("create_entities", {"entities": [entity]}, "memory")
        assert made.status is CallStatus.EXECUTED
        graph = await served.call("read_graph", {}, "memory")
        assert graph.json_result["entities"][0]["name"] == "Ada"


@pytest.mark.parametrize("pin", [ProtocolChoice.AUTO, ProtocolChoice.OLDER])
async def test_time(pin: ProtocolChoice) -> None:
    config = real_servers.time().model_copy(update={"protocol": pin})
    async with serving(config) as served:
        assert served.state.protocol is (ProtocolEra.OLDER if pin is ProtocolChoice.OLDER else ProtocolEra.NEWER)
        response = await served.call("get_current_time", {"timezone": "Europe/Berlin"}, "time")
        assert re.search(r"\d{4}-\d\d-\d\dT", response.text)
        wrong = await served.call("get_current_time", {"timezone": "Nowhere/Nothing"}, "time")
        assert wrong.status is CallStatus.FAILED


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    return tmp_path


async def test_git(repository: Path) -> None:
    (repository / "new.txt").write_text("new")
    async with serving(real_servers.git(repository)) as served:
        response = await served.call("git_status", {"repo_path": str(repository)}, "git")
        assert "new.txt" in response.text


async def test_an_sdk_of_before_the_newest_protocol(tmp_path: Path) -> None:
    async with serving(real_servers.sqlite(tmp_path / "data.db")) as served:
        assert served.state.protocol is ProtocolEra.OLDER
        made = await served.call("create_table", {"query": "create table t (n integer)"}, "sqlite")
        assert made.status is CallStatus.EXECUTED
        await served.call("write_query", {"query": "insert into t values (42)"}, "sqlite")
        assert "42" in (await served.call("read_query", {"query": "select n from t"}, "sqlite")).text
        (insights,) = await served.servers.resources("sqlite")
        assert insights.uri == "memo://insights"
        await served.servers.settled()
        (prompt,) = served.servers.registry.prompts
        assert "bees" in (await prompt.function(topic="bees")).text


async def test_no_definition_of_a_real_server_is_a_finding(repository: Path) -> None:
    configs = [
        real_servers.everything(),
        real_servers.filesystem(repository),
        real_servers.memory(repository / "memory.json"),
        real_servers.time(),
        real_servers.git(repository),
        real_servers.sqlite(repository / "a.sqlite"),
    ]
    async with serving(*configs) as served:
        definitions = {
            config.name: [item.definition for item in served.servers.judgements(config.name)] for config in configs
        }
    names = {server: [item.name for item in tools] for server, tools in definitions.items()}
    for server, tools in definitions.items():
        others = {other: known for other, known in names.items() if other != server}
        for definition in tools:
            assert suspicions(definition, others) == (), f"{server}.{definition.name}"
    assert all(definitions.values()), names
    assert sum(map(len, definitions.values())) >= 50
