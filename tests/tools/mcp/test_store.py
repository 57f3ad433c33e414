"""What the disk knows of servers: read at once whoever changes it, and in sets for different kinds of work."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from pydantic import JsonValue

from tests.tools.mcp.kept_secrets import KeptSecrets
from tools.errors import ServerConfigError
from tools.mcp.config import ServerConfig, Transport
from tools.mcp.profiles import Profile, profile_of, with_profile
from tools.mcp.store import ServerStore

PATIENCE_S = 20.0


class LockedKeyring(KeptSecrets):
    """A keyring that a person has yet to open."""

    def __init__(self) -> None:
        super().__init__()
        self.asked, self.opened = threading.Event(), threading.Event()

    def put(self, name: str, value: str) -> None:
        self.asked.set()
        assert self.opened.wait(PATIENCE_S)
        super().put(name, value)


def test_servers_are_read_and_the_project_changes_while_a_person_is_asked_to_open_the_keyring(tmp_path: Path) -> None:
    keyring = LockedKeyring()
    store = ServerStore(tmp_path / "data", tmp_path / "servers.json", keyring)
    store.add(ServerConfig(transport=Transport.STDIO, name="time", command="mcp-server-time"))
    with_secret = ServerConfig(
        transport=Transport.STDIO,
        name="issues",
        command="mcp-server-issues",
        env={"ISSUES_TOKEN": "sk-0123456789abcdef"},
    )
    with ThreadPoolExecutor(2) as threads:
        try:
            adding = threads.submit(store.add, with_secret)
            assert keyring.asked.wait(PATIENCE_S)

            def look() -> list[str]:
                store.set_project(tmp_path)
                store.find("time")
                return [config.name for config in (*store.configs, *store.wanted)]

            assert threads.submit(look).result(PATIENCE_S / 4) == ["time", "time"]
            assert not adding.done()
        finally:
            keyring.opened.set()
        assert adding.result(PATIENCE_S).name == "issues"
    store.refresh()
    assert [config.name for config in store.configs] == ["time", "issues"]


def server(name: str, **more: Any) -> ServerConfig:
    return ServerConfig(name=name, transport=Transport.STDIO, command="x", **more)


def test_what_is_not_in_a_profile_is_off_and_what_is_off_by_itself_stays_so() -> None:
    configs = (server("git-a"), server("git-b", enabled=False), server("docs", disabled_tools=("t",)))
    profile = Profile(name="p", servers=("git-*",), without_tools=("git-a.push", "docs.t", "docs.u"))
    assert [(config.enabled, config.disabled_tools) for config in with_profile(configs, profile)] == [
        (True, ("push",)),
        (False, ()),
        (False, ("t", "u")),
    ]
    assert with_profile(configs, None) == configs
    assert with_profile(configs, Profile(name="all")) == configs


def test_entries_are_short_or_whole() -> None:
    profile = Profile(name="p", servers=("a",), without_tools=("a.t",))
    assert profile_of("p", profile.entry()) == profile
    assert profile_of("p", ["a", "b"]) == Profile(name="p", servers=("a", "b"))
    wrong: list[JsonValue] = [3, {"servers": 3}, {"tools": []}]
    for entry in wrong:
        with pytest.raises(ServerConfigError, match=r"the profile 'p': "):
            profile_of("p", entry)


def test_profiles_are_kept_chosen_and_removed_in_the_persons_file(tmp_path: Path) -> None:
    path = tmp_path / "servers.json"
    store = ServerStore(tmp_path, path, KeptSecrets())
    store.add(server("a"))
    store.add(server("b"))
    with pytest.raises(ServerConfigError, match="has no profile 'work'"):
        store.choose_profile("work")
    store.keep_profile(Profile(name="work", servers=("a",)))
    assert [config.enabled for config in store.wanted] == [True, True]
    store.choose_profile("work")
    assert store.profile == Profile(name="work", servers=("a",))
    assert [config.enabled for config in store.wanted] == [True, False]
    # What is kept of a server is its own, whatever the profile.
    store.switch_tool("b", "t", is_on=False)
    assert [(config.enabled, config.disabled_tools) for config in store.configs] == [(True, ()), (True, ("t",))]
    store.choose_profile("")
    assert all(config.enabled for config in store.wanted)
    store.choose_profile("work")
    store.remove_profile("work")
    assert not store.problem
    assert all(config.enabled for config in store.wanted)
    with pytest.raises(ServerConfigError, match="has no profile 'work'"):
        store.remove_profile("work")
    assert path.read_text("utf-8").count("work") == 0
    path.write_text('{"profile": "gone", "profiles": {"bad": 3, "good": ["a"]}}', encoding="utf-8")
    store.refresh()
    assert [profile.name for profile in store.profiles] == ["good"]
    assert "the profile 'bad'" in store.problem
    assert "there is no profile 'gone', so all servers count" in store.problem.lower()
