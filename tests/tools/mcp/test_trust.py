"""Consents and approvals: what they are bound to, and what they survive."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tools.errors import ServerConfigError
from tools.mcp.config import ConfigScope, Origin, ProtocolChoice, ServerConfig, SignInClient, Transport
from tools.mcp.consent import Consents, start_digest
from tools.mcp.definitions import Definition
from tools.mcp.pins import Pins, PinVerdict

NOW = datetime(2026, 5, 12, 12, tzinfo=UTC)
SERVER = ServerConfig(name="x", transport=Transport.STDIO, command="npx", args=("-y", "server"), env={"A": "${env:A}"})
PROJECT = SERVER.model_copy(
    update={
        "origin": Origin(place=ConfigScope.PROJECT, path=Path("/p/servers.json"), project_dir=Path("/p")),
        "trusted": True,
    }
)


def tool(description: str = "d", **more: Any) -> Definition:
    return Definition({"name": "t", "description": description, **more})


@pytest.mark.parametrize(
    "change",
    [
        {"command": "uvx"},
        {"args": ("-y", "server", "--more")},
        {"args": ("-y server",)},
        {"env": {"A": "${env:B}"}},
        {"env": {"A": "${env:A}", "LD_PRELOAD": "x"}},
        {"cwd": "/"},
        {"transport": Transport.HTTP, "url": "https://x", "command": ""},
        {"headers": {"X": "y"}},
        {"client": SignInClient(id="us", secret="${env:TOKEN}")},
    ],
)
def test_a_consent_ends_when_anything_changes_that_decides_what_runs(tmp_path: Path, change: dict[str, Any]) -> None:
    consents = Consents(tmp_path / "new" / "consents.json")
    assert not consents.may_start(SERVER)
    consents.give(SERVER, now=NOW)
    assert consents.may_start(SERVER)
    changed = SERVER.model_copy(update=change)
    assert not consents.may_start(changed)
    assert start_digest(changed) != start_digest(SERVER)
    # What was agreed to last is known, so that it can be shown beside.
    given = consents.of(changed)
    assert given is not None
    assert given.given_at == NOW


@pytest.mark.parametrize(
    "change",
    [
        {"enabled": False},
        {"disabled_tools": ("t",)},
        {"timeout_s": 5.0},
        {"protocol": ProtocolChoice.OLDER},
        {"description": "d"},
        {"unknown": {"autoApprove": []}},
    ],
)
def test_other_settings_need_no_new_consent(tmp_path: Path, change: dict[str, Any]) -> None:
    consents = Consents(tmp_path / "consents.json")
    consents.give(SERVER)
    assert consents.may_start(SERVER.model_copy(update=change))


def test_a_projects_server_of_the_same_name_needs_a_consent_of_its_own(tmp_path: Path) -> None:
    consents = Consents(tmp_path / "consents.json")
    consents.give(SERVER)
    assert not consents.may_start(PROJECT)
    consents.give(PROJECT)
    consents.withdraw(SERVER)
    consents.withdraw(SERVER)
    assert (consents.may_start(SERVER), consents.may_start(PROJECT)) == (False, True)


def test_only_the_person_says_whose_hints_are_believed(tmp_path: Path) -> None:
    consents = Consents(tmp_path / "consents.json")
    assert not consents.trusts(SERVER)
    assert consents.trusts(SERVER.model_copy(update={"trusted": True}))
    assert not consents.trusts(PROJECT)
    consents.give(PROJECT)
    assert not consents.trusts(PROJECT)
    consents.give(PROJECT, trusted=True)
    assert consents.trusts(PROJECT)
    assert not consents.trusts(PROJECT.model_copy(update={"command": "other"}))


def test_a_definition_is_new_then_as_approved_then_changed_then_blocked(tmp_path: Path) -> None:
    pins = Pins(tmp_path / "new" / "pins.json")
    (judged,) = pins.judge(SERVER, [tool()])
    assert (judged.verdict, judged.is_suspended, judged.refusal) == (PinVerdict.NEW, False, "")

    pins.approve(SERVER, [tool()], by="Mira", now=NOW)
    (judged,) = pins.judge(SERVER, [tool(_meta={"x": 1}, icons=[])])
    assert (judged.verdict, judged.approved, judged.approved_at) == (PinVerdict.SAME, tool(), NOW)
    assert pins.of(SERVER)["t"].approved_by == "Mira"

    (judged,) = pins.judge(SERVER, [tool("other")])
    assert (judged.verdict, judged.is_suspended, judged.approved) == (PinVerdict.CHANGED, True, tool())
    assert judged.refusal == (
        "the server changed the definition of the tool 't' since it was approved on 2026-05-12;"
        " look at the changes, then approve or block it"
    )
    # A server that takes its change back is as approved again.
    assert pins.judge(SERVER, [tool()])[0].verdict is PinVerdict.SAME

    pins.block(SERVER, tool("other"))
    for definition in (tool(), tool("other"), tool("a third")):
        (judged,) = pins.judge(SERVER, [definition])
        assert (judged.verdict, judged.approved) == (PinVerdict.BLOCKED, tool())
    assert "is blocked" in judged.refusal

    pins.approve(SERVER, [tool("other")])
    assert pins.judge(SERVER, [tool("other")])[0].verdict is PinVerdict.SAME


def test_a_tool_can_be_blocked_before_it_was_ever_approved(tmp_path: Path) -> None:
    pins = Pins(tmp_path / "pins.json")
    pins.block(SERVER, tool())
    (judged,) = pins.judge(SERVER, [tool()])
    assert (judged.verdict, judged.approved) == (PinVerdict.BLOCKED, None)


def test_each_server_has_its_own_approvals(tmp_path: Path) -> None:
    pins = Pins(tmp_path / "pins.json")
    pins.approve(SERVER, [tool()])
    assert pins.judge(PROJECT, [tool()])[0].verdict is PinVerdict.NEW
    pins.forget(SERVER)
    assert pins.judge(SERVER, [tool()])[0].verdict is PinVerdict.NEW


def test_what_servers_send_is_kept_as_it_came(tmp_path: Path) -> None:
    raw: dict[str, Any] = {
        "name": "t",
        "description": "\ud800 ä",
        "inputSchema": {"maximum": 2**70, "x": [None, 1.5, ""]},
        "zz": {},
    }
    Pins(tmp_path / "pins.json").approve(SERVER, [Definition(raw)])
    (judged,) = Pins(tmp_path / "pins.json").judge(SERVER, [Definition(raw)])
    assert judged.verdict is PinVerdict.SAME
    assert judged.approved is not None
    assert judged.approved.raw == raw


def test_programs_that_write_at_a_time_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "pins.json"
    definitions = [Definition({"name": f"t{number}"}) for number in range(20)]
    threads = [threading.Thread(target=Pins(path).approve, args=(SERVER, [item])) for item in definitions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {judged.verdict for judged in Pins(path).judge(SERVER, definitions)} == {PinVerdict.SAME}


def test_another_programs_approval_is_seen(tmp_path: Path) -> None:
    mine, other = Pins(tmp_path / "pins.json"), Pins(tmp_path / "pins.json")
    assert mine.judge(SERVER, [tool()])[0].verdict is PinVerdict.NEW
    other.approve(SERVER, [tool()])
    assert mine.judge(SERVER, [tool()])[0].verdict is PinVerdict.SAME


@pytest.mark.parametrize("text", ["", "{", "[]", '{"servers": {"user/x": {"t": {"digest": 3}}}}', "[" * 100_000])
def test_a_damaged_file_lets_nothing_run_and_is_never_written_over(tmp_path: Path, text: str) -> None:
    path = tmp_path / "kept.json"
    path.write_text(text, encoding="utf-8")
    pins, consents = Pins(path), Consents(path)
    uses: list[Callable[[], object]] = [
        lambda: pins.judge(SERVER, [tool()]),
        lambda: pins.approve(SERVER, [tool()]),
        lambda: pins.block(SERVER, tool()),
        lambda: consents.may_start(SERVER),
        lambda: consents.give(SERVER),
    ]
    for use in uses:
        with pytest.raises(ServerConfigError, match=r"kept\.json cannot be read .*; mend it, or move it away"):
            use()
    assert path.read_text("utf-8") == text
