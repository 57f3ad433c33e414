from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tools.errors import GatewayError
from tools.gateway.agents import AGENTS_FILE, Agents
from tools.gateway.profiles import AgentProfile

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def agents(tmp_path: Path) -> Agents:
    return Agents(tmp_path / AGENTS_FILE)


def test_an_agent_is_known_by_its_token_and_by_no_other(agents: Agents) -> None:
    added = agents.add("claude")
    agents.add("cursor")
    assert agents.with_token(added.token) == added.agent
    assert agents.with_token(added.token[:-1]) is None
    assert agents.with_token("") is None


def test_the_token_itself_is_kept_nowhere(agents: Agents, tmp_path: Path) -> None:
    added = agents.add("claude")
    kept = (tmp_path / AGENTS_FILE).read_text(encoding="utf-8")
    assert added.token not in kept
    assert added.token.endswith(added.agent.token_hint)


def test_a_token_ends_when_it_was_to(agents: Agents) -> None:
    added = agents.add("claude", valid_for=timedelta(days=1), now=NOW)
    assert agents.with_token(added.token, NOW + timedelta(hours=23)) is not None
    assert agents.with_token(added.token, NOW + timedelta(days=1)) is None


def test_a_renewed_token_ends_the_former_one(agents: Agents) -> None:
    former = agents.add("claude", ["read_*"])
    renewed = agents.renew("claude")
    assert agents.with_token(former.token) is None
    found = agents.with_token(renewed.token)
    assert found is not None
    assert found.profile.tools == ("read_*",)


def test_the_former_token_is_good_as_long_as_it_is_kept(agents: Agents) -> None:
    former = agents.add("claude", valid_for=timedelta(days=1), now=NOW)
    renewed = agents.renew("claude", keeps_former=True, now=NOW)
    assert agents.with_token(former.token, NOW) == agents.with_token(renewed.token, NOW) == renewed.agent
    assert agents.with_token(former.token, NOW + timedelta(days=1)) is None
    agents.end_former("claude")
    assert agents.with_token(former.token, NOW) is None

    digest = renewed.agent.token_digest
    assert not agents.restore_token("claude", former.agent.token, instead_of="another", now=NOW)
    assert not agents.restore_token("claude", former.agent.token, instead_of=digest, now=NOW + timedelta(days=1))
    assert not agents.restore_token("nobody", former.agent.token, instead_of=digest, now=NOW)
    assert agents.restore_token("claude", former.agent.token, instead_of=digest, now=NOW)
    assert agents.with_token(former.token, NOW) is not None
    assert agents.with_token(renewed.token, NOW) is None


def test_a_blocked_agent_is_refused_until_it_is_unblocked(agents: Agents) -> None:
    added = agents.add("claude")
    agents.block("claude")
    assert agents.with_token(added.token) is None
    agents.block("claude", blocked=False)
    assert agents.with_token(added.token) is not None


def test_a_removed_agent_is_nobody(agents: Agents) -> None:
    added = agents.add("claude")
    agents.remove("claude")
    assert agents.with_token(added.token) is None
    assert agents.all() == ()


def test_an_agent_sees_the_tools_whose_names_fit(agents: Agents) -> None:
    agent = agents.add("claude", ["read_*", "github.*"]).agent
    assert [name for name in ("read_file", "github.push", "delete_file", "READ_FILE") if agent.sees(name)] == [
        "read_file",
        "github.push",
    ]


@pytest.mark.parametrize("name", ["", "two words", "a" * 41, "-x", "ä", "a/b"])
def test_a_name_that_cannot_be_one_is_refused(agents: Agents, name: str) -> None:
    with pytest.raises(GatewayError, match="expected a name of letters"):
        agents.add(name)


def test_a_taken_name_and_an_unknown_one_are_told(agents: Agents) -> None:
    agents.add("claude")
    with pytest.raises(GatewayError, match="there is an agent 'claude' already"):
        agents.add("claude")
    with pytest.raises(GatewayError, match="no agent is called 'codex'; there are: claude"):
        agents.renew("codex")


def test_another_program_s_change_counts_at_once(agents: Agents, tmp_path: Path) -> None:
    added = agents.add("claude")
    Agents(tmp_path / AGENTS_FILE).block("claude")
    assert agents.with_token(added.token) is None


def test_a_damaged_file_lets_nobody_in_and_says_why(agents: Agents, tmp_path: Path) -> None:
    added = agents.add("claude")
    (tmp_path / AGENTS_FILE).write_text(json.dumps({"agents": {"claude": {}}}), encoding="utf-8")
    with pytest.raises(GatewayError, match=r"agents\.json cannot be read"):
        agents.with_token(added.token)


def test_an_agent_sees_everything_until_it_has_a_profile(agents: Agents) -> None:
    assert agents.add("claude").agent.sees("read_file")
    agents.keep_profile(AgentProfile(name="searching", tools=("*search*",), without=("web_*",)))
    agent = agents.give_profile("claude", "searching")
    assert [name for name in ("read_file", "search_files", "web_search") if agent.sees(name)] == ["search_files"]
    assert agents.give_profile("claude", "").sees("read_file")


def test_a_changed_profile_counts_for_all_who_have_it_also_in_another_program(agents: Agents, tmp_path: Path) -> None:
    agents.keep_profile(AgentProfile(name="reading", tools=("read_*",)))
    token = agents.add("claude", profile="reading").token
    Agents(tmp_path / AGENTS_FILE).keep_profile(AgentProfile(name="reading", tools=("write_*",)))
    found = agents.with_token(token)
    assert found is not None
    assert (found.sees("read_file"), found.sees("write_file")) == (False, True)


def test_a_profile_that_somebody_has_is_not_removed(agents: Agents) -> None:
    agents.keep_profile(AgentProfile(name="reading"), is_new=True)
    agents.add("claude", profile="reading")
    with pytest.raises(GatewayError, match="the profile 'reading' is that of claude; give them another one first"):
        agents.remove_profile("reading")
    agents.give_profile("claude", "")
    agents.remove_profile("reading")
    assert agents.profiles() == ()


def test_the_profile_of_an_agent_s_own_leaves_with_it_and_one_of_others_stays(agents: Agents) -> None:
    agents.add("claude", ["read_*"])
    agents.add("cursor", profile="claude")
    agents.remove("claude")
    assert [profile.name for profile in agents.profiles()] == ["claude"]
    agents.remove("cursor")
    agents.add("codex", ["read_*"])
    agents.remove("codex")
    assert [profile.name for profile in agents.profiles()] == ["claude"]


def test_an_agent_whose_profile_was_taken_out_of_the_file_sees_nothing(agents: Agents, tmp_path: Path) -> None:
    token = agents.add("claude", ["read_*"]).token
    kept = json.loads((tmp_path / AGENTS_FILE).read_text(encoding="utf-8"))
    del kept["profiles"]
    (tmp_path / AGENTS_FILE).write_text(json.dumps(kept), encoding="utf-8")
    found = agents.with_token(token)
    assert found is not None
    assert not found.sees("read_file")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda agents: agents.add("cursor", profile="writing"), "no profile is called 'writing'; there are: claude"),
        (lambda agents: agents.add("cursor", ["a"], profile="claude"), "expected tools or a profile, got both"),
        (lambda agents: agents.give_profile("claude", "writing"), "no profile is called 'writing'"),
        (lambda agents: agents.give_profile("codex", "claude"), "no agent is called 'codex'"),
        (lambda agents: agents.remove_profile("writing"), "no profile is called 'writing'"),
        (lambda agents: agents.remove_profile(""), "no profile is called ''"),
        (lambda agents: agents.keep_profile(AgentProfile(name="claude"), is_new=True), "there is a profile 'claude'"),
        (lambda agents: agents.keep_profile(AgentProfile(name="two words")), "expected a name of letters"),
        (lambda agents: agents.keep_profile(AgentProfile()), "expected a name of letters"),
    ],
    ids=[
        "unknown",
        "both",
        "unknown to give",
        "nobody",
        "unknown to remove",
        "no name to remove",
        "taken",
        "no name",
        "empty name",
    ],
)
def test_a_profile_that_cannot_be_is_told(agents: Agents, change: Callable[[Agents], object], message: str) -> None:
    agents.add("claude", ["read_*"])
    with pytest.raises(GatewayError, match=message):
        change(agents)
