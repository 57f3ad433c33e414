"""What a person wants of servers: which run, what of them is approved, and what of it the registry shows."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tools.mcp.serving import MISBEHAVING, NAME, Person, misbehaving, serving
from tools import CallStatus
from tools.calls import ErrorKind
from tools.card import SourceKind
from tools.errors import ArgumentsError, ToolNotFoundError, UnavailableError
from tools.execution.security import standing_concerns
from tools.execution.workers import WorkerPool
from tools.execution.workers.declaration_client import rendered
from tools.health import CheckOutcome, HealthChecks, ToolHealthRegistry
from tools.mcp.config import ConfigScope, Origin, ServerConfig, Transport
from tools.mcp.consent import CONSENTS_FILE, Consents
from tools.mcp.listed_cache import REMEMBERED_FILE, ListedCache
from tools.mcp.message_log import Channel
from tools.mcp.pins import PINS_FILE, Pins, PinVerdict
from tools.mcp.prompt_sync import ServerPrompt
from tools.mcp.remote_tool import NEW_TOOL, RemoteTool
from tools.mcp.state import FaultKind, ServerRemoved, ServerStatus, ToolsChanged
from tools.policy.risk import risk_of
from tools.spec import RiskClass, RiskDegree


async def test_a_tool_is_a_tool_like_any_other() -> None:
    async with serving(misbehaving()) as served:
        registry = served.executor.registry
        echo, fail = registry.get("bad.echo"), registry.get("bad.fail")
        assert (echo.spec.title, echo.description) == ("Echo", "Say it back.")
        assert (echo.source.kind, echo.source.name, echo.owner) == (SourceKind.SERVER, "bad", "the server 'bad'")
        assert isinstance(echo.origin, RemoteTool)
        assert echo.origin.definition.raw["vendor/extra"] == {"kept": 1}
        assert (echo.spec.read_only_hint, echo.spec.destructive_hint, echo.asks_first) == (True, None, False)
        # What nobody says is kept as not said, and taken as badly as the protocol says.
        hints = (fail.spec.read_only_hint, fail.spec.destructive_hint, fail.spec.open_world_hint)
        assert hints == (None, None, None)
        assert (fail.asks_first, fail.hints.may_destroy, fail.hints.reaches_out) == (True, True, True)
        (concern,) = standing_concerns(fail)
        assert (concern.kind, concern.title) == ("destructive", "Says nothing of its risk")
        assert concern.detail.startswith("bad says nothing of its risk; taken as one that may change")
        risk = risk_of(fail, {}, (concern,))
        assert (risk.risk, risk.degree) == (RiskClass.DESTRUCTIVE, RiskDegree.UNKNOWN)
        assert risk.why.startswith("bad says nothing of its risk; taken as one that")
        assert risk_of(echo, {}, ()).risk is RiskClass.UNKNOWN
        assert served.executor.metrics.stats("bad.echo").count == 0
        await served.call("echo", {"text": "x"})
        assert served.executor.metrics.stats("bad.echo").count == 1
        assert echo.probe is not None
        assert echo.probe.function is not None


async def test_the_word_of_a_trusted_server_counts() -> None:
    async with serving(misbehaving(trusted=True)) as served:
        assert risk_of(served.executor.registry.get("bad.echo"), {}, ()).risk is RiskClass.NETWORK


async def test_a_new_tool_asks_once_and_a_changed_one_waits(tmp_path: Path) -> None:
    pins = Pins(tmp_path / PINS_FILE)

    async with serving(misbehaving(), pins=pins) as served:
        servers, reviewer = served.servers, served.reviewer
        assert {judgement.verdict for judgement in servers.judgements("bad")} == {PinVerdict.NEW}
        assert (await served.call("echo", {"text": "a"})).text == "a"
        assert reviewer.kinds == [[NEW_TOOL]]
        assert (await served.call("echo", {"text": "b"})).text == "b"
        assert len(reviewer.requests) == 1

        before = len(served.all(ToolsChanged))
        await served.call("change")
        while not any("echo" in event.changed for event in served.all(ToolsChanged)[before:]):
            await served.grown()
        suspended = await served.call("echo", {"text": "c"})
        assert suspended.error is not None
        assert suspended.error.kind is ErrorKind.UNAVAILABLE
        assert "changed the definition of the tool 'echo'" in suspended.error.message
        # Fifty announcements are one look.
        assert served.log().count('"method":"tools/list"') <= 3

        (changed,) = [item for item in servers.judgements("bad") if item.verdict is PinVerdict.CHANGED]
        pins.block(servers.configs[0], changed.definition)
        await servers.look_again("bad")
        blocked = await served.call("echo", {"text": "d"})
        assert blocked.error is not None
        assert "is blocked" in blocked.error.message
        pins.approve(servers.configs[0], [changed.definition])
        await servers.look_again("bad")
        assert (await served.call("echo", {"text": "e"})).text == "e"


async def test_the_log_knows_which_call_a_message_was_sent_for(tmp_path: Path) -> None:
    async with serving(misbehaving()) as served:
        await asyncio.gather(*(served.call("echo", {"text": "the same"}) for _ in range(5)))
        lines = [line for line in served.servers.log("bad").lines() if line.method == "tools/call"]
        sent = [line.call_id for line in lines if line.channel is Channel.SENT]
        assert len(set(sent)) == 5
        assert all(sent)
        assert sorted(sent) == sorted(line.call_id for line in lines if line.channel is Channel.RECEIVED)


async def test_what_was_approved_is_known_at_the_next_start(tmp_path: Path) -> None:
    for expected in (PinVerdict.NEW, PinVerdict.SAME):
        async with serving(misbehaving(), pins=Pins(tmp_path / PINS_FILE)) as served:
            verdicts = {item.definition.name: item.verdict for item in served.servers.judgements("bad")}
            assert verdicts["echo"] is expected
            await served.call("echo", {"text": "a"})


async def test_no_server_of_a_project_starts_without_consent(tmp_path: Path) -> None:
    origin = Origin(place=ConfigScope.PROJECT, path=tmp_path / "servers.json", project_dir=tmp_path)
    config = misbehaving(origin=origin)
    consents = Consents(tmp_path / CONSENTS_FILE)

    async with serving(config, consents=consents) as served:
        fault = served.state.fault
        assert fault is not None
        assert fault.kind is FaultKind.NO_CONSENT
        assert "misbehaving.py good" in fault.message
        consents.give(config)
        await served.servers.start("bad")
        assert served.state.status is ServerStatus.CONNECTED


async def test_a_disabled_tool_is_listed_and_refused() -> None:
    async with serving(misbehaving(disabled_tools=("echo",))) as served:
        response = await served.call("echo", {"text": "x"})
        assert response.error is not None
        assert response.error.kind is ErrorKind.DISABLED
        await served.servers.apply([misbehaving()])
        assert (await served.call("echo", {"text": "x"})).text == "x"


async def test_servers_come_and_go_as_they_are_wanted() -> None:
    async with serving(misbehaving(), start=False) as served:
        servers, registry = served.servers, served.executor.registry
        assert served.state.status is ServerStatus.OFF
        assert len(registry) == 0
        await servers.start("bad")
        pid = served.state.pid
        await servers.apply([misbehaving(), misbehaving(name="more")])
        assert served.state.pid == pid
        assert servers.state("more").status is ServerStatus.OFF
        await servers.apply([misbehaving(timeout_s=9.0), misbehaving(name="more")])
        assert (served.state.status, served.state.pid == pid) == (ServerStatus.CONNECTED, False)
        await servers.restart("bad")
        assert (await served.call("echo", {"text": "x"})).text == "x"
        await servers.apply([misbehaving(name="more")])
        assert [event.name for event in served.all(ServerRemoved)] == ["bad", "bad"]
        assert len(registry) == 0
        with pytest.raises(ToolNotFoundError, match="there is no server 'bad'"):
            await servers.ping("bad")


async def test_a_tool_starts_its_server_when_it_is_wanted_again() -> None:
    async with serving(misbehaving()) as served:
        # Off is what nobody wanted yet, or what went to sleep.
        await served.servers.sleep("bad")
        assert served.state.status is ServerStatus.OFF
        assert (await served.call("echo", {"text": "x"})).text == "x"
        await served.servers.stop("bad")
        refused = await served.call("echo", {"text": "x"})
        assert refused.status is CallStatus.FAILED
        with pytest.raises(UnavailableError, match="is stopped"):
            await served.servers.ping("bad")


async def test_known_tools_are_there_before_their_server_is(tmp_path: Path) -> None:
    remembered = ListedCache(tmp_path / REMEMBERED_FILE)

    async with serving(misbehaving(), remembered=remembered):
        pass
    async with serving(misbehaving(), remembered=remembered, start=False) as served:
        await served.servers.start_enabled(lazily=True)
        assert (served.state.status, served.state.tool_count) == (ServerStatus.OFF, 39)
        assert served.executor.registry.get("bad.echo").description == "Say it back."
        assert (await served.call("echo", {"text": "x"})).text == "x"
        assert served.state.status is ServerStatus.CONNECTED
    # Another program under the same name has other tools.
    async with serving(misbehaving("two_pages"), remembered=remembered, start=False) as served:
        assert len(served.executor.registry) == 0
        await served.servers.start_enabled(lazily=True)
        assert served.state.status is ServerStatus.CONNECTED
    (tmp_path / REMEMBERED_FILE).write_text("{")
    async with serving(misbehaving("two_pages"), remembered=ListedCache(tmp_path / REMEMBERED_FILE), start=False):
        pass


async def test_prompts_of_servers_stand_beside_those_of_plugins(tmp_path: Path) -> None:
    repository = ServerConfig(
        name="git hub",
        transport=Transport.STDIO,
        command=sys.executable,
        args=(str(MISBEHAVING.parent / "repository.py"),),
    )
    remembered, pool = ListedCache(tmp_path / REMEMBERED_FILE), WorkerPool()
    async with serving(repository, remembered=remembered) as served:
        await served.servers.settled()
        (prompt,) = served.servers.registry.prompts
        assert (prompt.name, prompt.title, prompt.source.name) == ("git_hub.review", "Review a change", "git hub")
        said = await rendered(prompt, {"change": "7"}, pool)
        assert [role for role, _ in said.parts] == ["user", "assistant"]
        assert said.text.startswith("user:\nReview change 7:")
        with pytest.raises(ArgumentsError, match="change"):
            await rendered(prompt, {}, pool)
        await served.servers.stop("git hub")
        with pytest.raises(UnavailableError, match="is stopped"):
            await rendered(prompt, {"change": "7"}, pool)
    async with serving(repository, remembered=remembered, start=False) as served:
        (prompt,) = served.servers.registry.prompts
        assert isinstance(prompt.function, ServerPrompt)
        assert await prompt.function.complete("change", "7", {}) == ()
        assert served.servers.state("git hub").status is ServerStatus.OFF
        assert "change 8" in (await rendered(prompt, {"change": "8"}, pool)).text
        await served.servers.remove("git hub")
        assert served.servers.registry.prompts == ()


async def test_one_question_tells_the_health_of_all_tools_of_a_server() -> None:
    async with serving(misbehaving()) as served:
        checks = HealthChecks(served.executor, ToolHealthRegistry(served.executor.metrics))
        found = await checks.check_now(["bad.echo", "bad.fail", "bad.die"])
        assert [check.outcome for check in found] == [CheckOutcome.PASSED] * 3
        assert served.log().count('"method":"ping"') == 1
        await served.servers.stop("bad")
        found = await checks.check_now(["bad.echo"])
        assert [check.outcome for check in found] == [CheckOutcome.FAILED]
        await served.servers.sleep("bad")
        await checks.check_now(["bad.echo"])
        assert served.state.status is ServerStatus.OFF


async def test_two_servers_may_have_tools_of_one_name() -> None:
    async with serving(misbehaving(), misbehaving(name="my server")) as served:
        names = {tool.name for tool in served.executor.registry}
        assert {"bad.echo", "my_server.echo"} <= names
        assert (await served.call("echo", {"text": "x"}, "my_server")).text == "x"


async def test_a_program_that_ends_leaves_nothing_running() -> None:
    person = Person()
    person.hold = asyncio.Event()
    async with serving(misbehaving(), questions=person) as served:
        running = asyncio.create_task(served.call("ask_once"))
        await person.was_asked.wait()
        await served.servers.aclose()
        response = await running
        assert response.error is not None
        assert response.error.kind is ErrorKind.UNAVAILABLE


def test_the_sdk_is_imported_when_a_server_starts_and_not_before() -> None:
    asked = "{'mcp', 'mcp_types', 'httpx2'} & set(sys.modules)"
    code = f"import sys, tools.mcp.servers, tools.mcp.listed_cache; print(*{asked})"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == ""


async def test_a_tool_is_switched_off_and_on_without_a_new_start() -> None:
    config = misbehaving()
    async with serving(config) as served:
        pid = served.state.pid
        await served.servers.apply([config.model_copy(update={"disabled_tools": ("echo",), "description": "Mine"})])
        registry = served.servers.registry
        assert (served.state.pid, served.state.status) == (pid, ServerStatus.CONNECTED)
        assert not registry.is_enabled(f"{NAME}.echo")
        assert served.servers.configs[0].description == "Mine"
        await served.servers.apply([config])
        assert registry.is_enabled(f"{NAME}.echo")
        assert (await served.call("echo", {"text": "hello"})).status is CallStatus.EXECUTED
        assert served.state.pid == pid


async def test_another_command_starts_the_server_anew() -> None:
    async with serving(misbehaving()) as served:
        pid = served.state.pid
        await served.servers.apply([misbehaving("banner")])
        assert served.state.status is ServerStatus.CONNECTED
        assert served.state.pid != pid


async def test_two_changes_at_once_do_not_take_away_what_the_other_needs() -> None:
    async with serving(misbehaving()) as served:
        await asyncio.gather(served.servers.apply([]), served.servers.apply([]))
        assert served.servers.states == ()
        await asyncio.gather(served.servers.apply([misbehaving()]), served.servers.aclose())
        assert served.servers.states == ()
