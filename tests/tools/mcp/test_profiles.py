"""Sets of servers for different kinds of work."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import JsonValue

from tests.tools.mcp.kept_secrets import KeptSecrets
from tools.errors import ServerConfigError
from tools.mcp.config import ServerConfig, Transport
from tools.mcp.profiles import Profile, profile_of, with_profile
from tools.mcp.store import ServerStore


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
